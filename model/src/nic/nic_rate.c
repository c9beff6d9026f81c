// SPDX-License-Identifier: Apache-2.0
/* Rates: a queue pair that had a CNP is slow for a while (ECN-5, ECN-6, ECN-7, ECN-8, ECN-9, ECN-10). */
#include "nic_state.h"
#include "tocsin/nic_time.h"

enum { WHOLE = 1024, ALPHA_MOST = 1023, STAGE_MOST = 31, OVERHEAD = 64, BEAT_ALONE = 32 };

static unsigned least_1(uint64_t v) { return v ? (unsigned)v : 1; }
/* ECN-6. */
static unsigned full(const nic *m) {
  unsigned v = (unsigned)NIC_FIELD(m->rate_reg, NIC_RATE_FULL);
  return v < WHOLE ? v : WHOLE;
}
static unsigned calm_time(const nic *m) { return least_1(NIC_FIELD(m->raise_reg, NIC_RAISE_CALM)); }
static unsigned raise_time(const nic *m) { return least_1(NIC_FIELD(m->raise_reg, NIC_RAISE_TIME)); }
static unsigned shift(const nic *m) { return (unsigned)NIC_FIELD(m->rate_reg, NIC_RATE_G); }

/* Bytes that a visit puts into the bucket, and that a packet takes out of it at most. */
static int64_t refill(const nic *m, const nic_rate *r) {
  return (int64_t)r->rate * (m->time.on ? m->time.beat : BEAT_ALONE);
}
static int64_t packet(const nic_qp *q) { return (int64_t)qp_mtu(q) + OVERHEAD; }

/* ---- what changes at a visit ---- */

static void cut(const nic *m, nic_rate *r) {
  if (!r->slow) {
    r->rate = (uint16_t)full(m);
    r->alpha = ALPHA_MOST;
  }
  unsigned least = least_1(NIC_FIELD(m->rate_reg, NIC_RATE_MIN)), less = r->rate - (unsigned)r->rate * r->alpha / 2048;
  r->target = r->rate;
  r->rate = (uint16_t)(less < least ? least : less);
  r->alpha = (uint16_t)(r->alpha + ((ALPHA_MOST - r->alpha) >> shift(m)));
  r->stage = r->calms = r->raises = 0;
  r->had = false;
}

static void raise(const nic *m, nic_rate *r) {
  unsigned fast = (unsigned)NIC_FIELD(m->rate_reg, NIC_RATE_FAST), target = r->target;
  if (r->stage >= 2 * fast)
    target += (unsigned)NIC_FIELD(m->raise_reg, NIC_RAISE_HYPER);
  else if (r->stage >= fast)
    target += (unsigned)NIC_FIELD(m->raise_reg, NIC_RAISE_ADD);
  if (target > full(m)) target = full(m);
  r->target = (uint16_t)target;
  r->rate = (uint16_t)((r->rate + target + 1) / 2);
  if (r->stage < STAGE_MOST) r->stage++;
}

static bool reached(uint8_t *count, unsigned most) {
  if (++*count < most) return false;
  *count = 0;
  return true;
}

/* Its code; 0, which is a cut, also when there is nothing to tell of. */
static unsigned change(const nic *m, nic_rate *r) {
  bool calm = reached(&r->calms, calm_time(m)), raised = reached(&r->raises, raise_time(m));
  if (calm) r->alpha = (uint16_t)(r->alpha - (r->alpha >> shift(m)));
  if (raised) raise(m, r);
  return (calm ? NIC_RT_CALM : 0u) | (raised ? NIC_RT_RAISED : 0u);
}

static uint64_t shown(const nic *m, const nic_rate *r) {
  uint64_t rate = r->slow ? r->rate : full(m), target = r->slow ? r->target : full(m);
  return rate << NIC_QP_RATE_RATE_LSB | target << NIC_QP_RATE_TARGET_LSB |
         (uint64_t)(r->slow ? r->alpha : ALPHA_MOST) << NIC_QP_RATE_ALPHA_LSB |
         (uint64_t)r->slow << NIC_QP_RATE_SLOW_LSB;
}

uint64_t nic_rate_reg(const nic *m, unsigned i) { return shown(m, &m->qp[i].rate); }

/* ---- the bucket ---- */

static void pour(const nic *m, nic_rate *r, bool exact) {
  int64_t more = refill(m, r), most = exact ? more : 2 * more;
  r->bucket = r->bucket + more < most ? r->bucket + more : most;
}

/* Lockstep: what is missing at most, of what may be less than nothing. */
static void pay(nic *m, nic_rate *r) {
  if (r->debt <= 0) return;
  r->debt -= refill(m, r);
  if (r->debt <= 0) r->clear_at = m->now;
}

/* Visits from the last record to the next one, if there is no cut. */
static unsigned next_in(const nic *m, const nic_rate *r) {
  unsigned a = calm_time(m) - r->calms, b = raise_time(m) - r->raises;
  return a < b ? a : b;
}

/* Lockstep: those that change nothing have no record. `most` of them have been since the last record,
 * or only `least`. */
static void silent(nic *m, nic_rate *r, uint64_t most, uint64_t least) {
  for (; r->early < most; r->early++) {
    pour(m, r, false);
    r->surely += refill(m, r);
  }
  for (; r->late < least; r->late++) pay(m, r);
}

void nic_rate_look(nic *m, unsigned i) {
  nic_rate *r = &m->qp[i].rate;
  if (!r->slow || !m->time.on) return;
  uint64_t passed = m->now - r->at, jitter = nic_time_visit_late(&m->cfg), left = next_in(m, r) - 1;
  uint64_t most = (passed + jitter) / NIC_TIME_VISIT, least = passed < jitter ? 0 : (passed - jitter) / NIC_TIME_VISIT;
  silent(m, r, most < left ? most : left, least < left ? least : left);
}

bool nic_rate_held(const nic *m, unsigned i) {
  const nic_rate *r = &m->qp[i].rate;
  if (!r->slow) return false;
  return !m->lockstep ? r->bucket < 0 : !m->time.on || r->debt > 0;
}

bool nic_rate_just_free(const nic *m, unsigned i) {
  const nic_rate *r = &m->qp[i].rate;
  return m->lockstep && r->slow && m->now - r->clear_at < NIC_TIME_VISIT;
}

/* Packets that hardware had decided on are charged later here than there, or not at all if that was before
 * it was slow: as many may be ahead of the bucket, and one more since a visit may have been a little earlier
 * than it is taken for. */
static nic_status spend_in_lockstep(nic *m, unsigned i, uint32_t bytes) {
  nic_qp *q = &m->qp[i];
  nic_rate *r = &q->rate;
  if (!m->time.on) return NIC_OK;
  nic_rate_look(m, i);
  r->debt = packet(q);
  uint64_t visits = nic_time_visits_of_turns(m);
  bool since_cut = m->time.free - r->cut_free > 2 * nic_time_turn(m);
  r->surely = since_cut && visits < 64 ? (int64_t)(2 + visits) * refill(m, r) - (bytes + OVERHEAD) : 0;
  if (since_cut) r->before = 0;
  if (r->before) {
    r->before--;
    return NIC_OK;
  }
  if (r->bucket < -(NIC_LATE + 1) * packet(q))
    return nic_order(m, "QP %u is held back: it is %lld bytes ahead of its rate", i, -(long long)r->bucket);
  r->bucket -= bytes + OVERHEAD;
  return NIC_OK;
}

nic_status nic_rate_spend(nic *m, unsigned i, uint32_t bytes) {
  nic_qp *q = &m->qp[i];
  nic_rate *r = &q->rate;
  if (!r->slow && !r->after) return NIC_OK;
  q->since = m->now; /* ECN-9 */
  if (!m->lockstep) q->since_from = m->now;
  if (!r->slow) {
    r->after--;
    return NIC_OK;
  }
  if (m->lockstep) return spend_in_lockstep(m, i, bytes);
  r->bucket -= bytes + OVERHEAD;
  return NIC_OK;
}

bool nic_rate_surely_held(nic *m, unsigned i) {
  nic_rate_look(m, i);
  return m->time.on && m->qp[i].rate.slow && m->qp[i].rate.surely < 0;
}

/* ---- visits ---- */

static void no_longer_slow(nic *m, nic_qp *q) {
  nic_rate *r = &q->rate;
  if (r->slow && m->lockstep) {
    r->after = NIC_LATE;
    q->since = m->now; /* it may have been held back until now */
  }
  r->slow = false;
}

static void becomes_slow(nic *m, nic_rate *r) {
  r->slow = true;
  r->bucket = r->debt = r->surely = 0;
  r->before = NIC_LATE;
  r->clear_at = m->now;
}

/* What has come of a visit. */
static nic_status visited(nic *m, unsigned i, unsigned code, const nic_retire_rec *hw) {
  nic_qp *q = &m->qp[i];
  nic_rate *r = &q->rate;
  bool ends = r->rate >= full(m);
  if (ends) {
    no_longer_slow(m, q);
  } else if (!r->slow) {
    becomes_slow(m, r);
  } else {
    pour(m, r, true);
    pay(m, r);
    r->surely += refill(m, r);
  }
  if (code == NIC_RT_CUT) r->cut_free = m->time.free;
  return nic_retired(m, hw, (nic_retire_rec){NIC_RET_RATE, ends, (uint8_t)code, (uint8_t)i, shown(m, r), 0});
}

void nic_rate_told(nic *m, unsigned i) {
  nic_rate *r = &m->qp[i].rate;
  if (!full(m) || r->had) return;
  r->had = true;
  r->had_at = m->now;
}

void nic_rate_forget(nic *m, unsigned i) {
  m->qp[i].rate.had = false;
  no_longer_slow(m, &m->qp[i]);
}

nic_status nic_rate_do(nic *m, const nic_retire_rec *hw) {
  unsigned i = hw->idx;
  if (i >= m->cfg.NumQps) return nic_differs(m, "qp", i, m->cfg.NumQps);
  nic_rate *r = &m->qp[i].rate;
  if (!r->had && !r->slow) return nic_order(m, "QP %u is not slow, and has had no CNP", i);
  unsigned n = r->had ? 0 : next_in(m, r), code = NIC_RT_CUT;
  if (nic_time_visit(m, i, n) != NIC_OK) return NIC_E_TIME;
  if (r->had) {
    nic_rate_look(m, i);
    cut(m, r);
  } else {
    silent(m, r, n - 1, n - 1);
    r->calms = (uint8_t)(r->calms + n - 1);
    r->raises = (uint8_t)(r->raises + n - 1);
    code = change(m, r);
  }
  r->early = r->late = 0;
  r->at = m->now;
  r->known = true;
  return visited(m, i, code, hw);
}

/* Self-running: all queue pairs at once. */
static bool visit_all(nic *m) {
  bool any = false;
  for (unsigned i = 0; i < m->cfg.NumQps; i++) {
    nic_rate *r = &m->qp[i].rate;
    if (!r->had && !r->slow) continue;
    any = true;
    bool had = r->had;
    unsigned code = NIC_RT_CUT;
    if (had)
      cut(m, r);
    else
      code = change(m, r);
    if (had || code)
      visited(m, i, code, NULL);
    else
      pour(m, r, true);
  }
  return any;
}

void nic_rate_advance(nic *m) {
  while (m->now - m->visited >= NIC_TIME_VISIT) {
    m->visited += NIC_TIME_VISIT;
    if (!visit_all(m)) m->visited = m->now - (m->now - m->visited) % NIC_TIME_VISIT;
  }
}

uint64_t nic_rate_next(const nic *m, unsigned i) {
  const nic_rate *r = &m->qp[i].rate;
  return r->had ? r->had_at + NIC_TIME_VISIT : r->at + (uint64_t)NIC_TIME_VISIT * next_in(m, r);
}
