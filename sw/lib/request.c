// SPDX-License-Identifier: Apache-2.0
// Requests of queue pairs: posted, and how they end.
#include "internal.h"

enum { MOST = 0x7fffffff };

// ---- posting
bool toc_i_has_entry(const toc_i_qp *q) { return q->posted - q->ended < q->o.entries; }

static bool has_room(void *ctx) {
  const toc_i_qp *q = ctx;
  return !q->connected || (!q->held && (q->stopped != TOC_OK || toc_i_has_entry(q)));
}

static toc_status has_stopped(const toc_i_qp *q) {
  return toc_i_fail(TOC_E_STOPPED, "queue pair %u has stopped: %s; %s", q->index, toc_text(q->stopped),
                    toc_i_qp_left(q));
}

toc_status toc_i_room(toc_i_qp *q) {
  TRY(toc_i_wait(q->p->n->f, has_room, q, 0, true));
  if (!q->connected) return toc_i_fail(TOC_E_STOPPED, "queue pair %u is not connected", q->index);
  return q->stopped == TOC_OK ? TOC_OK : has_stopped(q);
}

toc_status toc_i_post(toc_i_qp *q, const toc_wqe *w, toc_req *r) {
  uint8_t *b = q->ring + 64 * ((q->posted - q->base) & (q->o.entries - 1));
  memset(b, 0, 64);
  b[0] = w->op;
  b[1] = w->inv ? 5 : 1; /* an event when done */
  toc_i_put(b + 2, 2, w->proc);
  toc_i_put(b + 4, 4, w->imm);
  toc_i_put(b + 8, 8, w->va1);
  toc_i_put(b + 16, 4, w->len1);
  toc_i_put(b + 20, 4, w->len2);
  toc_i_put(b + 24, 8, w->va2);
  toc_i_put(b + 32, 8, w->far.addr);
  toc_i_put(b + 40, 4, w->far.key);
  toc_i_put(b + 48, 8, w->swap);
  toc_i_put(b + 56, 8, w->compare);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (r) *r = (toc_req){q->h, q->posted};
  q->is[q->posted++ % 256] = w->probe ? IS_PROBE : w->op <= OP_WRITE_IMM || w->op == OP_XTQ ? IS_PUT : IS_ANY;
  return toc_i_qp_bell(q);
}

/* Takes the lock; looks local memory up, waits for room. */
toc_status toc_i_request(toc_i_qp *q, toc_wqe *w, const void *local, uint32_t bytes, unsigned rights, toc_req *r) {
  toc_i_fabric *f = q->p->n->f;
  if (r) *r = (toc_req){NULL, 0};
  if (bytes > MOST) return toc_i_fail(TOC_E_ARG, "a request has up to 2^31 - 1 bytes");
  toc_i_lock(f);
  toc_status s = bytes ? toc_i_local(q->p, local, bytes, rights, &w->va1) : TOC_OK;
  if (s == TOC_OK) s = toc_i_room(q);
  w->len1 = bytes;
  if (s == TOC_OK) s = toc_i_post(q, w, r);
  toc_i_unlock(f);
  return s;
}

// ---- puts, gets, atomics
toc_status toc_put(toc_qp *h_q, const void *src, toc_remote dst, uint32_t bytes, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_WRITE, .far = dst}, src, bytes, TOC_READ, r);
}

toc_status toc_put_imm(toc_qp *h_q, const void *src, toc_remote dst, uint32_t bytes, uint32_t imm, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_WRITE_IMM, .far = dst, .imm = imm}, src, bytes, TOC_READ, r);
}

toc_status toc_get(toc_qp *h_q, void *dst, toc_remote src, uint32_t bytes, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_READ, .far = src}, dst, bytes, TOC_WRITE, r);
}

static toc_status atomic(toc_i_qp *q, uint64_t *old, toc_wqe *w, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  if (w->far.addr % 8) return toc_i_fail(TOC_E_ALIGN, "an atomic's address is a multiple of 8");
  return toc_i_request(q, w, old, 8, TOC_WRITE, r);
}

toc_status toc_fetch_add(toc_qp *h_q, uint64_t *old, toc_remote dst, uint64_t add, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return atomic(q, old, &(toc_wqe){.op = OP_ADD, .far = dst, .swap = add}, r);
}

toc_status toc_compare_swap(toc_qp *h_q, uint64_t *old, toc_remote dst, uint64_t compare, uint64_t swap, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return atomic(q, old, &(toc_wqe){.op = OP_CAS, .far = dst, .swap = swap, .compare = compare}, r);
}

// ---- how they end
bool toc_i_ended(const toc_i_req *r) { return (int32_t)(r->qp->ended - r->seq) > 0; }

static bool ended_or_stopped(void *ctx) {
  const toc_i_req *r = ctx;
  return toc_i_ended(r) || r->qp->stopped != TOC_OK;
}

/* How it ended is remembered no more: well, if none has failed since it was posted. */
static toc_status long_ago(const toc_i_qp *q, uint32_t seq) {
  if (!q->failures || q->ended - q->last_failed > q->ended - seq) return TOC_OK;
  return toc_i_fail(TOC_E_LOST,
                    "request %u of queue pair %u ended more than %d requests ago, and others have failed: it is not "
                    "known any more how it did",
                    seq, q->index, STATUSES);
}

static toc_status outcome(const toc_i_req *r) {
  toc_i_qp *q = r->qp;
  if (!toc_i_ended(r)) return has_stopped(q);
  if (q->ended - r->seq > STATUSES) return long_ago(q, r->seq);
  toc_status s = toc_i_tell(q, r->seq);
  if (s == TOC_OK) return s;
  if (s == TOC_E_STOPPED) /* nobody has told how it ended */
    return toc_i_fail(
        s, "request %u of queue pair %u was under way when both ends were armed again: not known whether it was done",
        r->seq, q->index);
  return toc_i_fail(s, "request %u of queue pair %u: %s%s%s%s", r->seq, q->index, toc_text(s), toc_i_silence(q, s),
                    q->stopped == TOC_OK ? "" : "; ", q->stopped == TOC_OK ? "" : toc_i_qp_left(q));
}

toc_status toc_i_finish(toc_i_req *r, uint64_t timeout_us) {
  TRY(toc_i_wait(r->qp->p->n->f, ended_or_stopped, r, timeout_us, true));
  return outcome(r);
}

toc_status toc_wait(toc_req req, uint64_t timeout_us) {
  const toc_qp *h_qp = req.qp;
  if (!h_qp) return toc_i_fail(TOC_E_ARG, "toc_wait: there is no such request");
  OBJECT(qp, qp);
  toc_i_fabric *f = qp->p->n->f;
  toc_i_req r = {qp, req.seq};
  toc_i_lock(f);
  toc_status s = toc_i_finish(&r, timeout_us);
  toc_i_unlock(f);
  return s;
}

bool toc_done(toc_req req) {
  const toc_qp *h_qp = req.qp;
  OBJECT_OR(qp, qp, true);
  toc_i_fabric *f = qp->p->n->f;
  toc_i_req r = {qp, req.seq};
  toc_i_lock(f);
  if (!toc_i_ended(&r)) (void)toc_i_progress(f, toc_i_deadline(f, 0));
  bool done = toc_i_ended(&r);
  toc_i_unlock(f);
  return done;
}

toc_status toc_wait_all(toc_qp *h_q, uint64_t timeout_us) {
  OBJECT(qp, q);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  uint32_t end = q->posted; /* behind the program's last one */
  while (end != q->ended && q->is[(end - 1) % 256] == IS_PROBE) end--;
  toc_i_req last = {q, end - 1};
  toc_status s = end == q->ended ? TOC_OK : toc_i_wait(f, ended_or_stopped, &last, timeout_us, true);
  if (s == TOC_OK && q->first_error != TOC_OK) {
    s = toc_i_fail(q->first_error, "a request of queue pair %u: %s%s%s%s", q->index, toc_text(q->first_error),
                   toc_i_silence(q, q->first_error), q->stopped == TOC_OK ? "" : "; ",
                   q->stopped == TOC_OK ? "" : toc_i_qp_left(q));
    q->first_error = TOC_OK;
  } else if (s == TOC_OK && !toc_i_ended(&last)) {
    s = has_stopped(q); /* behind one that has been told */
  }
  toc_i_unlock(f);
  return s;
}
