// SPDX-License-Identifier: Apache-2.0
// Receive buffers, which SENDs and XtqPuts share, and the SENDs that fill them at a peer.
#include "internal.h"
#include "tocsin/nic.h"
#include "tocsin/xtq.h"

// ---- buffers
static toc_status not_fed(const toc_i_proc *p) {
  if (!p->feed) return TOC_OK;
  return toc_i_fail(TOC_E_IN_USE, "process %u: xtq_feed_buffers posts its receive buffers", p->index);
}

static toc_status post(toc_i_proc *p, const void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
  TRY(not_fed(p));
  return toc_i_buffer_post(p, ptr, bytes, least, number);
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
  uint64_t sts;
  if (p->feed) return toc_i_fail(TOC_E_IN_USE, "xtq_feed_buffers: process %u is fed already", p->index);
  if (!count || count > p->n->caps.recv_buffers)
    return toc_i_fail(TOC_E_ARG, "xtq_feed_buffers: 1 to %u buffers", p->n->caps.recv_buffers);
  if (bytes < 64 || bytes % 64 || bytes > 1u << 30)
    return toc_i_fail(TOC_E_ARG, "xtq_feed_buffers: a multiple of 64 bytes, 1 GiB at most");
  TRY(toc_i_read(p->n, NREG_AT(RB_STS, p->index), 8, &sts));
  const unsigned posted = (unsigned)(sts & NIC_RB_STS_POSTED_MASK);
  if (posted > p->n->caps.recv_buffers - count) /* all of the ring, or nothing of it */
    return toc_i_fail(TOC_E_FULL, "xtq_feed_buffers: process %u has %u receive buffers posted already, of %u", p->index,
                      posted, p->n->caps.recv_buffers);
  TRY(toc_i_alloc(p, (size_t)count * bytes, TOC_READ | TOC_WRITE, true, &all));
  p->feed = all;
  p->feed_bytes = bytes;
  p->feed_count = count;
  p->fed_first = p->posted;
  for (unsigned i = 0; i < count; i++) TRY(toc_i_buffer_post(p, p->feed + (size_t)i * bytes, bytes, 64, NULL));
  return TOC_OK;
}

toc_status xtq_feed_buffers(toc_proc *h_p, unsigned count, uint32_t bytes) {
  OBJECT(proc, p);
  LOCKED(p, feed(p, count, bytes));
}

static toc_status withdraw(toc_i_proc *p, uint32_t *count) {
  TRY(not_fed(p));
  return toc_i_withdraw(p, count);
}

toc_status toc_recv_withdraw(toc_proc *h_p, uint32_t *count) {
  NEED(count);
  *count = 0;
  OBJECT(proc, p);
  LOCKED(p, withdraw(p, count));
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
