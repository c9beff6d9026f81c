// SPDX-License-Identifier: Apache-2.0
// Receive buffers, which SENDs and XtqPuts share, and the SENDs that fill them at a peer.
#include "internal.h"
#include "tocsin/nic.h"
#include "tocsin/xtq.h"

enum { OP_SEND = 6, OP_SEND_IMM = 7 };

// ---- buffers
static toc_status post(toc_i_proc *p, const void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
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

toc_status toc_recv_post(toc_proc *h_p, void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
  if (number) *number = 0;
  OBJECT(proc, p);
  LOCKED(p, post(p, ptr, bytes, least, number));
}

toc_status xtq_post_buffer(toc_proc *h_p, void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
  if (number) *number = 0;
  OBJECT(proc, p);
  LOCKED(p, post(p, ptr, bytes, least, number));
}

static toc_status feed(toc_i_proc *p, unsigned count, uint32_t bytes) {
  void *all;
  if (p->feed) return toc_i_fail(TOC_E_IN_USE, "xtq_feed_buffers: process %u is fed already", p->index);
  if (!count || count > p->n->caps.recv_buffers)
    return toc_i_fail(TOC_E_ARG, "xtq_feed_buffers: 1 to %u buffers", p->n->caps.recv_buffers);
  if (bytes < 64 || bytes % 64 || bytes > 1u << 30)
    return toc_i_fail(TOC_E_ARG, "xtq_feed_buffers: a multiple of 64 bytes, 1 GiB at most");
  TRY(toc_i_alloc(p, (size_t)count * bytes, TOC_READ | TOC_WRITE, true, &all));
  p->feed = all;
  p->feed_bytes = bytes;
  p->feed_count = count;
  p->fed_first = p->posted;
  for (unsigned i = 0; i < count; i++) TRY(post(p, p->feed + (size_t)i * bytes, bytes, 64, NULL));
  return TOC_OK;
}

toc_status xtq_feed_buffers(toc_proc *h_p, unsigned count, uint32_t bytes) {
  OBJECT(proc, p);
  LOCKED(p, feed(p, count, bytes));
}

/* Buffers are used up in order, so the one that is used up is the next to be posted again. */
bool toc_i_refeed(toc_i_proc *p, uint32_t number) {
  if (!p->feed || (int32_t)(number - p->fed_first) < 0) return false;
  uint32_t slot = (number - p->fed_first) % p->feed_count;
  (void)post(p, p->feed + (size_t)slot * p->feed_bytes, p->feed_bytes, 64, NULL);
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

toc_status toc_recv_withdraw(toc_proc *h_p, uint32_t *count) {
  NEED(count);
  *count = 0;
  OBJECT(proc, p);
  if (p->feed)
    return toc_i_fail(TOC_E_IN_USE, "toc_recv_withdraw: xtq_feed_buffers gives process %u its buffers", p->index);
  LOCKED(p, toc_i_withdraw(p, count));
}

// ---- sending
toc_status toc_send(toc_qp *h_q, const void *src, uint32_t bytes, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_SEND}, src, bytes, TOC_READ, r);
}

toc_status toc_send_imm(toc_qp *h_q, const void *src, uint32_t bytes, uint32_t imm, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_SEND_IMM, .imm = imm}, src, bytes, TOC_READ, r);
}

toc_status toc_send_inv(toc_qp *h_q, const void *src, uint32_t bytes, uint32_t key, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_SEND, .inv = true, .imm = key}, src, bytes, TOC_READ, r);
}

// ---- receiving
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
