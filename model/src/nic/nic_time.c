// SPDX-License-Identifier: Apache-2.0
/* Lockstep: time. How long anything may take, and whether a record comes too early; nic_due.c looks for what comes too
 * late. TIM-12. */
#include "tocsin/nic_time.h"

#include <stdio.h>

#include "nic_state.h"

/* ---- bounds, in cycles that are not held ---- */

uint64_t nic_time_packet(unsigned beat) { return NIC_PAYLOAD_MAX / beat + NIC_TIME_HEAD; }

uint64_t nic_time_late(const nic_config *c, unsigned beat) {
  return NIC_TIME_WALK * c->NumQps + NIC_TIME_LOOK + NIC_TIME_TURN * c->NumQps + NIC_TIME_END * c->Requests +
         NIC_TIME_PACKETS * nic_time_packet(beat);
}

/* TIM-11. */
uint64_t nic_time_move(const nic_config *c, unsigned beat) {
  return NIC_TIME_MOVE * (NIC_TIME_WORDS + 4 * (uint64_t)c->Replay) +
         (NIC_TIME_MOVE_HELD + 2 * (uint64_t)c->Replay) * nic_time_packet(beat) +
         NIC_TIME_MOVE_WALK * (uint64_t)c->NumQps;
}

/* TIM-7. */
uint64_t nic_time_give_up_first(uint32_t tmo, uint64_t offered) { return offered + tmo; }

uint64_t nic_time_give_up_last(uint32_t tmo, unsigned tags, uint64_t offered) {
  return nic_time_give_up_first(tmo, offered) + tags + NIC_TIME_SCAN;
}

uint64_t nic_time_visit_late(const nic_config *c) {
  return NIC_TIME_VISIT_EACH * (uint64_t)c->NumQps + NIC_TIME_VISIT_LATE;
}

/* A queue pair's turn comes after those of all others: of each a packet, a response, an acknowledgement and a CNP. */
uint64_t nic_time_turn(const nic *m) {
  return nic_time_late(&m->cfg, m->time.beat) +
         (uint64_t)m->cfg.NumQps * (2 * nic_time_packet(m->time.beat) + 2 * NIC_TIME_HEAD);
}

uint64_t nic_time_visits_of_turns(const nic *m) {
  uint64_t n = 0, last = m->now / NIC_TIME_VISIT;
  while (n < NIC_MARKS && n < last && m->time.free - m->time.mark[(last - n) % NIC_MARKS] < 2 * nic_time_turn(m)) n++;
  return n;
}

/* ---- lower bounds: called with a record ---- */

uint64_t nic_time_tick(const nic *m) { return m->tick ? m->tick : 1; }

static nic_status early(nic *m, const char *what, unsigned i, uint64_t after, uint64_t least) {
  if (!m->time.on || after >= least) return NIC_OK;
  snprintf(m->reason, sizeof m->reason, "%s of %u comes after %llu cycles, %llu at least", what, i,
           (unsigned long long)after, (unsigned long long)least);
  return NIC_E_TIME;
}

nic_status nic_time_no_progress(nic *m, unsigned i, uint64_t from) {
  return early(m, "no progress of QP", i, m->now - from, 1ull << NIC_FIELD(m->qp[i].ctl, QP_CTL_TIMEOUT));
}

/* TIM-2. */
nic_status nic_time_rnr(nic *m, unsigned i) {
  const nic_qp *q = &m->qp[i];
  if (m->time.new_tick > q->rnr_from) return NIC_OK; /* of which unit, nobody can say */
  return early(m, "the end of an RNR wait of QP", i, m->now - q->rnr_from, q->rnr_until - q->rnr_from);
}

/* TIM-3. */
nic_status nic_time_task(nic *m, unsigned log) {
  const xtq_log *l = &m->log[log];
  if (!l->refused || m->time.new_tick > l->refused_at) return NIC_OK;
  return early(m, "the next try of the task of log", log, m->now - l->refused_at, nic_time_tick(m));
}

nic_status nic_time_cnp(nic *m, unsigned i) { return early(m, "a CNP of QP", i, m->now, m->qp[i].cnp.least); }

/* Visits are 1024 cycles apart, each a little later than it should be or not. */
nic_status nic_time_visit(nic *m, unsigned i, unsigned n) {
  const nic_rate *r = &m->qp[i].rate;
  uint64_t passed = m->now - r->at, jitter = nic_time_visit_late(&m->cfg);
  uint64_t k = n ? n : (passed + jitter) / NIC_TIME_VISIT, at = k * NIC_TIME_VISIT;
  if (!m->time.on || !r->known || (k && passed + jitter >= at && passed <= at + jitter)) return NIC_OK;
  snprintf(m->reason, sizeof m->reason, "a visit of QP %u comes %llu cycles after the one before that changed anything",
           i, (unsigned long long)passed);
  return NIC_E_TIME;
}
