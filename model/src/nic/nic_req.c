// SPDX-License-Identifier: Apache-2.0
/* Requester: entries of the send ring, the packets that they become, what ends and how, no progress. */
#include "nic_state.h"

enum { OP_WRITE, OP_WRITE_IMM, OP_READ, OP_ADD, OP_CAS, OP_XTQ, OP_SEND, OP_SEND_IMM, OP_NUM };
enum { FLAG_EVENT = 1, FLAG_SOLICITED = 2, FLAG_INVALIDATE = 4, ENTRY = 64, READ_PACKETS_MAX = 1 << 22 };

static nic_req *req_at(const nic *m, const nic_qp *q, unsigned k) { return &q->req[(q->head + k) % req_slots(m)]; }
static bool is_atomic(const nic_req *r) { return r->op == OP_ADD || r->op == OP_CAS; }

/* ---- an entry is read ---- */

/* REQ-5. */
static bool entry_ok(const nic_qp *q, const nic_req *r) {
  uint64_t total = (uint64_t)r->len1 + r->len2;
  if (r->op >= OP_NUM || total > 1u << 31) return false;
  if (r->op == OP_XTQ) return r->len1 >= XTQ_CMD && (r->len1 - XTQ_CMD) % 16 == 0;
  if (r->op == OP_READ) return !r->len2 && packets(total, qp_mtu(q)) <= READ_PACKETS_MAX;
  return !is_atomic(r) || !r->len2;
}

/* REQ-1. */
static void parse(const uint8_t *b, nic_req *r) {
  r->op = b[0];
  r->flags = b[1];
  r->target = (uint16_t)(b[2] | b[3] << 8);
  r->imm = le32(b + 4);
  r->va1 = le64(b + 8);
  r->len1 = le32(b + 16);
  r->len2 = le32(b + 20);
  r->va2 = le64(b + 24);
  r->remote = le64(b + 32);
  r->rkey = le32(b + 40);
  r->swap = le64(b + 48);
  r->compare = le64(b + 56);
}

static const char *no_entry(const nic *m, const nic_qp *q) {
  if (!qp_on(q) || q->send_err) return "the requester is off or stopped";
  if (q->fetch == q->prod) return "the ring has no further entry";
  if (q->num == m->cfg.Requests) return "as many entries as may be are under way";
  if (q->num && req_at(m, q, q->num - 1)->bad) return "the last entry cannot be done";
  if (q->lost) return "a packet could not be read";
  if (!nic_event_room(m, qp_proc(q), 1)) return "the event ring has no place";
  return NULL;
}

/* REQ-2. */
nic_status nic_req_read(nic *m, unsigned i, const nic_retire_rec *hw) {
  if (i >= m->cfg.NumQps) return nic_differs(m, "qp", i, m->cfg.NumQps);
  nic_qp *q = &m->qp[i];
  unsigned *forgotten = q->changing ? &q->before.reads : q->send_err ? &q->late_reads : NULL;
  if (hw && forgotten && *forgotten) { /* was under way */
    --*forgotten;
    m->excuses[q->changing ? NIC_EXCUSE_POWER : NIC_EXCUSE_EPOCH]++;
    return nic_retired(m, hw, *hw);
  }
  const char *why = no_entry(m, q);
  if (hw && q->changing) why = "the queue pair has been turned off or on, and that is under way";
  if (why && hw && nic_ack_begin_any(m))
    why = no_entry(m, q); /* an answer has ended requests, and is not yet through */
  if (why) return hw ? nic_order(m, "%s", why) : NIC_E_BUSY;
  uint64_t mask = (1ull << NIC_FIELD(q->ringc, QP_RINGC_SIZE)) - 1;
  nic_job j = nic_read_job(m, NIC_SRC_REQ, qp_proc(q), q->ring + ENTRY * (q->fetch & mask), ENTRY);
  const uint8_t *b = NULL;
  nic_got got = nic_fetch(m, &m->m_req, &j, 2, &b);
  if (got == NIC_WAIT) m->req_owner = i;
  if (got == NIC_WAIT) return hw ? nic_order(m, "the entry has not been read") : NIC_E_BUSY;
  nic_req *r = req_at(m, q, q->num++);
  q->gone = 0;
  memset(r, 0, sizeof *r);
  if (got != NIC_GOT_ERR) parse(b, r);
  if (is_atomic(r)) r->len1 = 8;
  r->entry = q->fetch++;
  r->born = q->epoch;
  r->read_at = m->now;
  r->first = q->end;
  if (got == NIC_GOT_ERR)
    r->bad = NIC_ST_LOCAL_READ;
  else if (!entry_ok(q, r))
    r->bad = NIC_ST_BAD_ENTRY;
  else
    r->n = is_atomic(r) ? 1 : packets((uint64_t)r->len1 + r->len2, qp_mtu(q));
  q->end = psn24(q->end + r->n);
  memo_clear(&m->m_req);
  nic_event_keep(m, qp_proc(q), 1);
  return nic_retired(
      m, hw,
      (nic_retire_rec){NIC_RET_SEND, false, hw ? hw->code : 0, (uint8_t)i, hw ? hw->a : 0, (uint16_t)(q->fetch - 1)});
}

/* ---- a packet leaves ---- */

/* What is to be sent next, or NULL. REQ-3. */
static nic_req *next_packet(const nic *m, const nic_qp *q) {
  if (!qp_on(q) || q->send_err || q->rnr_wait || q->cur == q->end || (q->lost && q->cur == q->lpsn)) return NULL;
  if (psn24(q->cur - q->una) >= m->cfg.Window) return NULL;
  for (unsigned k = 0; k < q->num; k++) {
    nic_req *r = req_at(m, q, k);
    if (r->bad) return NULL;
    if (psn24(q->cur - r->first) >= r->n) continue;
    if (r->op == OP_READ && psn24(r->first + r->n - 1 - q->una) >= 1u << 23) return NULL;
    return r;
  }
  return NULL;
}

bool nic_req_may_read(const nic *m, unsigned i) {
  return !no_entry(m, &m->qp[i]) && !nic_event_doubt(m, qp_proc(&m->qp[i]));
}

bool nic_held_back(const nic *m, unsigned qp) { return next_packet(m, &m->qp[qp]) && nic_rate_held(m, qp); }

bool nic_req_may_send(const nic *m, unsigned i) { return next_packet(m, &m->qp[i]) && !nic_rate_held(m, i); }

/* Lockstep: the epoch in which hardware has decided on a packet. */
static uint32_t decided_in(const nic_qp *q, const nic_retire_rec *hw) {
  return q->epoch - ((q->epoch - (uint32_t)(hw->b >> 32)) & 255);
}

/* Hardware decides on a packet before its record: one may leave although the requester has gone back or stopped since.
 * REQ-7, REQ-20. */
static nic_req *late_packet(const nic *m, const nic_qp *q, const nic_retire_rec *hw) {
  uint32_t psn = psn24((uint32_t)hw->a), epoch = decided_in(q, hw);
  /* The youngest first, of those that were there then: a queue pair that has stopped and gone on
   * used its PSNs again. */
  for (unsigned k = 0, top = q->num ? q->num : q->gone; k < req_slots(m); k++) {
    nic_req *r = req_at(m, q, (top + req_slots(m) - 1 - k) % req_slots(m));
    if (psn24(psn - r->first) < r->n && (int32_t)(epoch - r->born) >= 0) return r;
  }
  return NULL;
}

/* Bytes [from, from + n) of the two buffers, one behind the other, into m->buf. */
static nic_got gather(nic *m, const nic_qp *q, const nic_req *r, uint64_t from, uint32_t n) {
  uint32_t n1 = from >= r->len1 ? 0 : r->len1 - from < n ? (uint32_t)(r->len1 - from) : n, n2 = n - n1;
  const uint8_t *d = NULL;
  nic_got got1 = NIC_GOT, got2 = NIC_GOT;
  if (n1) {
    nic_job j = nic_read_job(m, NIC_SRC_REQ, qp_proc(q), r->va1 + from, n1);
    got1 = nic_fetch(m, &m->m_req, &j, 0, &d);
    if (got1 == NIC_GOT) memcpy(m->buf, d, n1);
  }
  if (n2) {
    nic_job j = nic_read_job(m, NIC_SRC_REQ, qp_proc(q), r->va2 + (from + n1 - r->len1), n2);
    got2 = nic_fetch(m, &m->m_req, &j, 1, &d);
    if (got2 == NIC_GOT) memcpy(m->buf + n1, d, n2);
  }
  return got1 == NIC_WAIT || got2 == NIC_WAIT ? NIC_WAIT : got1 == NIC_GOT_ERR ? got1 : got2;
}

static bool is_send(const nic_req *r) { return r->op == OP_SEND || r->op == OP_SEND_IMM; }
static bool invalidates(const nic_req *r) { return r->op == OP_SEND && (r->flags & FLAG_INVALIDATE); }

static uint8_t send_opcode(const nic_req *r, uint32_t k) {
  if (k + 1 < r->n) return k ? NIC_OP_SEND_MIDDLE : NIC_OP_SEND_FIRST;
  if (r->op == OP_SEND_IMM) return k ? NIC_OP_SEND_LAST_IMM : NIC_OP_SEND_ONLY_IMM;
  if (invalidates(r)) return k ? NIC_OP_SEND_LAST_INV : NIC_OP_SEND_ONLY_INV;
  return k ? NIC_OP_SEND_LAST : NIC_OP_SEND_ONLY;
}

static uint8_t opcode_of(const nic_req *r, uint32_t k) {
  if (is_send(r)) return send_opcode(r, k);
  if (r->op == OP_READ) return NIC_OP_READ_REQ;
  if (r->op == OP_ADD) return NIC_OP_FETCH_ADD;
  if (r->op == OP_CAS) return NIC_OP_CMP_SWAP;
  bool imm = r->op == OP_WRITE_IMM, last = k + 1 == r->n;
  unsigned op = r->n == 1 ? (imm ? NIC_OP_WRITE_ONLY_IMM : NIC_OP_WRITE_ONLY)
                : k == 0  ? NIC_OP_WRITE_FIRST
                : !last   ? NIC_OP_WRITE_MIDDLE
                          : (imm ? NIC_OP_WRITE_LAST_IMM : NIC_OP_WRITE_LAST);
  return (uint8_t)(op | (r->op == OP_XTQ ? 0xc0 : 0));
}

/* REQ-4. */
static nic_head head_of(const nic_qp *q, const nic_req *r, uint32_t k) {
  uint64_t total = (uint64_t)r->len1 + r->len2, from = (uint64_t)k * qp_mtu(q), left = total - from;
  bool single = r->op == OP_READ || is_atomic(r), last = single || k + 1 == r->n;
  nic_head h;
  memset(&h, 0, sizeof h);
  h.opcode = opcode_of(r, k);
  h.psn = psn24(r->first + k);
  h.se = last && (r->flags & FLAG_SOLICITED);
  h.ack_req = last || (h.psn & 15) == 15;
  h.va = r->remote;
  h.rkey = r->rkey;
  h.length = (uint32_t)total;
  h.imm = r->imm;
  h.swap = r->swap;
  h.compare = r->op == OP_CAS ? r->compare : 0;
  if (r->op == OP_READ) {
    h.va += from;
    h.length = (uint32_t)left;
  }
  if (r->op == OP_XTQ) {
    h.xtq_kind = (uint8_t)r->imm;
    h.xtq_proc = r->target;
    h.xtq_args = r->len1 - XTQ_CMD;
    h.xtq_pay = r->len2;
  }
  h.bytes = (uint16_t)(single ? 0 : left < qp_mtu(q) ? left : qp_mtu(q));
  return h;
}

/* From the oldest not acknowledged on again. Where nothing has been decided on since it is a new epoch of nothing; in
 * lockstep hardware may have decided on packets that are not yet recorded, and says so. REQ-14, REQ-20. */
void nic_req_back(nic_qp *q, const nic_retire_rec *hw) {
  bool sent = q->cur != q->una || (hw && ((hw->b ^ q->epoch) & 255));
  if (!sent) return;
  q->epoch++;
  q->back = q->cur = q->una;
}

static nic_retire_rec packet_record(unsigned i, const nic_qp *q, const nic_head *h, uint32_t k, nic_got got,
                                    const nic_retire_rec *hw) {
  uint64_t epoch = hw ? hw->b >> 32 : q->epoch & 255;
  return (nic_retire_rec){
      NIC_RET_TX, got == NIC_GOT_ERR, NIC_TX_REQUEST, (uint8_t)i, (uint64_t)h->opcode << 24 | h->psn, epoch << 32 | k};
}

/* Lockstep: a packet of before leaves as it is. */
static nic_status send_before(nic *m, unsigned i, const nic_retire_rec *hw) {
  const nic_before *b = &m->qp[i].before;
  nic_qp q = m->qp[i];
  q.ctl = b->ctl;
  q.mac = b->mac;
  q.peer = b->peer;
  q.vlan = b->vlan;
  q.ip6 = b->ip6;
  q.ringc = b->ringc;
  q.req = b->req;
  q.head = b->head;
  q.num = b->num;
  uint32_t psn = psn24((uint32_t)hw->a);
  nic_req *r = late_packet(m, &q, hw);
  if (!r) return nic_order(m, "QP %u may not send: it has been turned off or on", i);
  uint32_t k = psn24(psn - r->first);
  nic_head h = head_of(&q, r, k);
  nic_got got = gather(m, &q, r, (uint64_t)k * qp_mtu(&q), h.bytes);
  memo_clear(&m->m_req);
  if (got == NIC_WAIT) return nic_order(m, "the packet's bytes have not been read");
  if (got == NIC_GOT) nic_send(m, &q, &h, m->buf);
  m->excuses[NIC_EXCUSE_POWER]++;
  return nic_retired(m, hw, packet_record(i, &q, &h, k, got, hw));
}

/* Lockstep: what was decided on before a wait leaves in it. */
static nic_req *packet_of_wait(nic *m, nic_qp *q) {
  if (!q->late_waits) return NULL;
  q->late_waits--;
  m->excuses[NIC_EXCUSE_WAIT]++;
  q->rnr_wait = false;
  nic_req *r = next_packet(m, q);
  q->rnr_wait = true;
  return r;
}

static nic_status lost(nic *m, unsigned i, const nic_retire_rec *hw);

/* Something is under way: since it was decided on, after its entry was read. */
static void begins(const nic *m, nic_qp *q, const nic_req *r) {
  if (r->read_at > q->since_from) q->since_from = r->read_at;
  q->since = m->now;
}

nic_status nic_req_send(nic *m, unsigned i, const nic_retire_rec *hw) {
  if (i >= m->cfg.NumQps) return nic_differs(m, "qp", i, m->cfg.NumQps);
  nic_qp *q = &m->qp[i];
  if (hw && q->changing) return send_before(m, i, hw);
  if (hw && !qp_on(q)) return nic_order(m, "QP %u is off", i);
  if (!hw && nic_rate_held(m, i)) return NIC_E_BUSY;
  uint32_t psn = hw ? psn24((uint32_t)hw->a) : q->cur;
  bool late = hw && (hw->b >> 32) != (q->epoch & 255); /* decided before it went back or stopped */
  /* passed: decided, and acknowledged before its record */
  bool passed = hw && !late && psn_diff(psn, q->back) >= 0 && psn_diff(psn, q->cur) < 0;
  nic_req *r = NULL;
  if (late || passed) {
    r = late_packet(m, q, hw);
    m->excuses[late ? NIC_EXCUSE_EPOCH : NIC_EXCUSE_PASSED]++;
  } else if (psn == q->cur) {
    r = hw && q->rnr_wait ? packet_of_wait(m, q) : next_packet(m, q);
  }
  if (!r) return hw ? nic_order(m, "QP %u may not send that packet", i) : NIC_E_BUSY;
  uint32_t k = psn24(psn - r->first);
  nic_head h = head_of(q, r, k);
  nic_got got = gather(m, q, r, (uint64_t)k * qp_mtu(q), h.bytes);
  if (got == NIC_WAIT) m->req_owner = i;
  if (got == NIC_WAIT) return hw ? nic_order(m, "the packet's bytes have not been read") : NIC_E_BUSY;
  memo_clear(&m->m_req);
  if (nic_rate_spend(m, i, h.bytes) != NIC_OK) return NIC_E_ORDER;
  if (got == NIC_GOT_ERR) {
    nic_status s = nic_retired(m, hw, packet_record(i, q, &h, k, got, hw));
    q->losing = hw;
    return hw ? s : lost(m, i, NULL);
  }
  if (q->nxt == q->una) begins(m, q, r);
  psn = psn24(psn + (r->op == OP_READ ? r->n - k : 1));
  if (!late) q->back = psn;
  if (!late && psn_diff(psn, q->cur) > 0) q->cur = psn;
  bool forgotten =
      hw && (int32_t)(decided_in(q, hw) - q->stopped) < 0; /* its requests have ended, or are as if never read */
  if (!forgotten && psn_diff(psn, q->nxt) > 0) q->nxt = psn;
  nic_send(m, q, &h, m->buf);
  return nic_retired(m, hw, packet_record(i, q, &h, k, got, hw));
}

/* ---- requests end ---- */

/* REQ-6, REQ-17. */
static void ended(nic *m, unsigned i, const nic_req *r, unsigned status) {
  nic_qp *q = &m->qp[i];
  unsigned proc = qp_proc(q);
  if (status != NIC_ST_DONE || (r->flags & FLAG_EVENT)) {
    nic_event e = {.proc = (uint8_t)proc,
                   .kind = NIC_EV_SEND,
                   .status = (uint8_t)status,
                   .qp = q->name,
                   .kept = true,
                   .word = r->entry,
                   .len = r->len1 + r->len2};
    nic_event_add(m, &e);
  } else {
    nic_event_release(m, proc, 1);
  }
  q->cons = (uint16_t)(r->entry + 1);
  q->head = (q->head + 1) % req_slots(m);
  q->num--;
}

void nic_req_forget(nic *m, unsigned i) {
  nic_qp *q = &m->qp[i];
  uint16_t ready = (uint16_t)(q->prod - q->fetch);
  q->late_reads = ready < m->cfg.Requests ? ready : m->cfg.Requests;
  nic_event_release(m, qp_proc(q), q->num);
  if (q->num) q->gone = q->num;
  q->num = 0;
  if (m->req_owner != i) return;
  memo_clear(&m->m_req);
  m->req_owner = NIC_QPS_MAX;
}

/* REQ-15, REQ-16. */
void nic_req_fail(nic *m, unsigned i, unsigned status, const nic_retire_rec *hw) {
  nic_qp *q = &m->qp[i];
  nic_req r = *req_at(m, q, 0);
  q->cons_was = q->cons;
  q->cons_at = m->now;
  ended(m, i, &r, status);
  nic_req_forget(m, i);
  q->fetch = q->cons;
  nic_req_back(q, hw);
  q->stopped = q->epoch;
  q->nxt = q->end = q->una;
  q->send_err = true;
  q->code = (uint8_t)status;
  q->lost = q->rnr_wait = q->asked = false;
  q->retries = q->rnrs = 0;
}

/* The status with which the oldest request must end by itself: its entry, or its next packet's bytes, cannot be had. */
static unsigned hopeless(const nic *m, const nic_qp *q) {
  if (!qp_on(q) || q->send_err || q->rnr_wait || !q->num) return NIC_ST_DONE;
  const nic_req *r = req_at(m, q, 0);
  if (r->bad) return psn_diff(q->una, r->first) >= 0 ? r->bad : NIC_ST_DONE;
  return q->lost && q->una == q->lpsn ? NIC_ST_LOCAL_READ : NIC_ST_DONE;
}

void nic_req_settle(nic *m, unsigned i) {
  nic_qp *q = &m->qp[i];
  while (q->num) {
    nic_req copy = *req_at(m, q, 0);
    bool answered = copy.op < OP_READ || copy.op >= OP_XTQ || copy.got == copy.n;
    if (copy.bad || !answered || psn_diff(q->una, psn24(copy.first + copy.n)) < 0) break;
    ended(m, i, &copy, NIC_ST_DONE);
  }
}

/* What a requester does by itself: hardware a little later, and says when. */
static nic_status by_itself(nic *m, unsigned i, const nic_retire_rec *hw, bool flag, unsigned code, uint32_t psn) {
  return nic_retired(m, hw,
                     (nic_retire_rec){NIC_RET_TIMER, flag, (uint8_t)code, (uint8_t)i, psn, m->qp[i].epoch & 255});
}

bool nic_req_ends(const nic *m, unsigned i) { return hopeless(m, &m->qp[i]) != NIC_ST_DONE; }

static nic_status give_up(nic *m, unsigned i, const nic_retire_rec *hw) {
  unsigned status = hopeless(m, &m->qp[i]);
  if (status == NIC_ST_DONE) return hw ? nic_order(m, "the oldest request of QP %u can be done", i) : NIC_E_BUSY;
  nic_req_fail(m, i, status, hw);
  return by_itself(m, i, hw, true, status, 0);
}

/* The bytes of the packet at cur could not be read. Hardware may have gone back or stopped since it
 * was decided on. REQ-19. */
static nic_status lost(nic *m, unsigned i, const nic_retire_rec *hw) {
  nic_qp *q = &m->qp[i];
  bool old = hw && hw->flag;
  q->losing = false;
  if (old && !q->send_err) nic_req_back(q, hw);
  if (!old && q->send_err) return nic_order(m, "QP %u has stopped", i);
  uint32_t psn = hw ? psn24((uint32_t)hw->a) : q->cur;
  if (!old) {
    q->lost = true;
    q->lpsn = q->cur = q->back = psn;
  }
  return by_itself(m, i, hw, old, NIC_TM_LOST, psn);
}

nic_status nic_req_rnr(nic *m, unsigned i, const nic_retire_rec *hw) {
  nic_qp *q = &m->qp[i];
  if (!q->rnr_wait) return nic_order(m, "QP %u does not wait", i);
  if (hw && nic_time_rnr(m, i) != NIC_OK) return NIC_E_TIME;
  q->rnr_wait = q->asked = false;
  q->since_from = q->since = m->now;
  nic_req_back(q, hw);
  return by_itself(m, i, hw, false, NIC_TM_RNR, 0);
}

/* Turning it off or on is done. Both within a few cycles of hardware may be done at once, or one by one. REQ-18. */
nic_status nic_req_quiet(nic *m, unsigned i, const nic_retire_rec *hw) {
  nic_qp *q = &m->qp[i];
  if (q->changing) q->late_reads = 0;
  q->changing = false;
  q->epoch += hw ? ((uint32_t)hw->b - q->epoch) & 255 : 1; /* before the first time it is anything */
  return by_itself(m, i, hw, false, NIC_TM_QUIET, 0);
}

/* REQ-13. */
nic_status nic_req_timer(nic *m, unsigned i, const nic_retire_rec *hw) {
  if (i >= m->cfg.NumQps) return nic_differs(m, "qp", i, m->cfg.NumQps);
  nic_qp *q = &m->qp[i];
  unsigned code = hw ? hw->code : hopeless(m, q);
  if (hw && code == NIC_TM_QUIET) return nic_req_quiet(m, i, hw);
  if (hw && q->changing)
    return code == NIC_TM_LOST ? nic_retired(m, hw, *hw) /* of before */
                               : nic_order(m, "QP %u has been turned off or on, and that is under way", i);
  if (hw && !qp_on(q)) return nic_order(m, "QP %u is off", i);
  if (hw && code == NIC_TM_LOST) return lost(m, i, hw);
  if (hw && code == NIC_TM_RNR) return nic_req_rnr(m, i, hw);
  if (code) return give_up(m, i, hw);
  uint64_t timeout = NIC_FIELD(q->ctl, QP_CTL_TIMEOUT), retry = NIC_FIELD(q->ctl, QP_CTL_RETRY);
  const nic_req *begun = hw ? next_packet(m, q) : NULL; /* perhaps: its bytes are being read */
  if (!qp_on(q) || q->send_err || !timeout || (q->una == q->nxt && !begun) || q->rnr_wait)
    return hw ? nic_order(m, "nothing of QP %u is without progress", i) : NIC_E_BUSY;
  if (!hw && m->now - q->since < 1ull << timeout) return NIC_E_BUSY;
  if (!hw && nic_rate_held(m, i)) {
    q->since = m->now; /* ECN-9 */
    return NIC_E_BUSY;
  }
  if (hw && nic_rate_surely_held(m, i)) return nic_order(m, "QP %u is held back by its rate", i);
  uint64_t from = q->una == q->nxt && begun && begun->read_at > q->since_from ? begun->read_at : q->since_from;
  if (hw && nic_time_no_progress(m, i, from) != NIC_OK) return NIC_E_TIME;
  bool end = q->retries >= retry;
  if (end) {
    nic_req_fail(m, i, NIC_ST_TIMEOUT, hw);
  } else {
    q->retries++;
    q->asked = false;
    nic_req_back(q, hw);
    q->since_from = q->since = m->now;
  }
  return by_itself(m, i, hw, end, NIC_TM_NO_PROGRESS, 0);
}
