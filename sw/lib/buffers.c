// SPDX-License-Identifier: Apache-2.0
// Receive buffers of a process, which SENDs and XtqPuts share: posted, used up, withdrawn.
#include "internal.h"
#include "tocsin/nic.h"

toc_status toc_i_buffer_post(toc_i_proc *p, const void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
  toc_i_node *n = p->n;
  uint64_t iova, sts;
  TRY(toc_i_local(p, ptr, bytes, TOC_WRITE, &iova));
  if (iova % 64 || bytes < 64) return toc_i_fail(TOC_E_ALIGN, "a receive buffer: 64 bytes at least, aligned to 64");
  TRY(toc_i_read(n, NREG_AT(RB_STS, p->index), 8, &sts));
  if ((sts & NIC_RB_STS_POSTED_MASK) >= n->caps.recv_buffers)
    return toc_i_fail(TOC_E_FULL, "process %u has %u receive buffers posted, all that there can be", p->index,
                      n->caps.recv_buffers);
  TRY(toc_i_write64(n, NREG_AT(RB_ADDR, p->index), iova));
  TRY(toc_i_write64(n, NREG_AT(RB_POST, p->index), bytes | (uint64_t)least << NIC_RB_POST_LEAST_LSB));
  if (number) *number = p->posted - p->posted0;
  p->posted++;
  return TOC_OK;
}

/* Buffers are used up in order, so the one that is used up is the next to be posted again. */
bool toc_i_refeed(toc_i_proc *p, uint32_t number) {
  if (!p->feed || (int32_t)(number - p->fed_first) < 0) return false;
  uint32_t slot = (number - p->fed_first) % p->feed_count;
  (void)toc_i_buffer_post(p, p->feed + (size_t)slot * p->feed_bytes, p->feed_bytes, 64, NULL);
  return true;
}

/* What the device withdraws are the newest; their numbers come again. */
toc_status toc_i_withdraw(toc_i_proc *p, uint32_t *count) {
  uint64_t v;
  *count = 0;
  if (p->n->f->dead) return TOC_E_DEAD;
  TRY(toc_i_write64(p->n, NREG_AT(RB_DROP, p->index), 0));
  TRY(toc_i_read(p->n, NREG_AT(RB_DROP, p->index), 8, &v));
  *count = (uint32_t)(v & NIC_RB_DROP_GONE_MASK);
  p->posted = (uint32_t)(v >> NIC_RB_DROP_NEXT_LSB);
  return TOC_OK;
}

/* Numbers count from where the process before this one ended. */
toc_status toc_i_recv_begin(toc_i_proc *p) {
  uint32_t left;
  TRY(toc_i_withdraw(p, &left));
  p->posted0 = p->posted;
  return TOC_OK;
}

/* One of our regions that a peer has invalidated is free: its index may be given out again, its key is no more. */
static void invalidated(toc_i_proc *p, uint32_t key) {
  toc_region *r = &p->n->region[key & 255];
  if ((key & 255) < p->n->caps.regions && r->p == p && r->at.key == key) r->p = NULL;
}

void toc_i_received(toc_i_proc *p, toc_qp *qp, const uint8_t *e) {
  uint32_t word = (uint32_t)toc_i_get(e + 4, 4), value = (uint32_t)toc_i_get(e + 8, 4);
  uint64_t at = toc_i_get(e + 16, 8);
  if ((int32_t)(word - p->posted0) < 0) return; /* of the process before */
  const toc_mapping *m = toc_i_mapping_at(p, at);
  if (e[1] == NIC_RCV_INV) invalidated(p, value);
  toc_i_event(p, (toc_event){.kind = TOC_EVENT_RECV,
                             .qp = qp,
                             .index = word - p->posted0,
                             .status = e[1],
                             .value = value,
                             .ptr = m ? m->ptr + (at - m->iova) : NULL,
                             .bytes = (uint32_t)toc_i_get(e + 12, 4)});
}
