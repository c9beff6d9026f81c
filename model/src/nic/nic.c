// SPDX-License-Identifier: Apache-2.0
#include "tocsin/nic.h"

#include <stdlib.h>

#include "nic_state.h"
#include "../params.h"

const char *nic_strstatus(nic_status s) {
  switch (s) {
    case NIC_OK: return "ok";
    case NIC_E_CONFIG: return "a parameter is out of its range";
    case NIC_E_NOMEM: return "out of memory";
    case NIC_E_ARG: return "an argument is out of its range";
    case NIC_E_BUSY: return "not now";
    case NIC_E_ORDER: return "the record is not legal now";
    case NIC_E_MISMATCH: return "the record differs from the model";
    case NIC_E_TIME: return "too early or too late";
    default: return "unknown status";
  }
}

const char *nic_reason(const nic *m) { return m->reason; }

uint64_t nic_excused(const nic *m, unsigned excuse) { return m->excuses[excuse]; }

/* ---- making and freeing ------------------------------------------------------------------------------------------ */

void nic_config_default(nic_config *cfg) { *cfg = (nic_config){NIC_PARAMS_DEFAULT, .Frames = 256}; }

const char *nic_config_wrong(const nic_config *cfg) {
  if (cfg->Frames < 1 || cfg->Frames > 4096) return "Frames must be 1 to 4096";
  return nic_params_wrong(cfg);
}

void nic_free(nic *m) {
  if (!m) return;
  free(m->frame);
  free(m->judged.code);
  free(m->reqs);
  free(m->rsp);
  free(m->event);
  free(m->table);
  free(m->queue);
  nic_ctx_free(m);
  free(m);
}

nic_status nic_new(const nic_config *cfg, const nic_ops *ops, void *ctx, nic **out) {
  *out = NULL;
  if (nic_config_wrong(cfg)) return NIC_E_CONFIG;
  nic *m = calloc(1, sizeof *m);
  if (!m) return NIC_E_NOMEM;
  m->cfg = *cfg;
  m->ops = *ops;
  m->ctx = ctx;
  m->frame = calloc(cfg->Frames, sizeof *m->frame);
  m->judged.code = calloc(2 * (size_t)cfg->Frames, 1);
  m->reqs = calloc((size_t)2 * cfg->NumQps * req_slots(m), sizeof *m->reqs);
  m->rsp = calloc(cfg->RespDepth, sizeof *m->rsp);
  m->event = calloc(NIC_EVENTS, sizeof *m->event);
  if (!m->frame || !m->judged.code || !m->reqs || !m->rsp || !m->event || xtq_table_init(m) != NIC_OK ||
      nic_ctx_new(m) != NIC_OK) {
    nic_free(m);
    return NIC_E_NOMEM;
  }
  m->req_owner = NIC_QPS_MAX;
  m->task_owner = NIC_LOGS_MAX;
  nic_regs_reset(m);
  nic_qp_reset(m);
  *out = m;
  return NIC_OK;
}

/* ---- arrivals ---------------------------------------------------------------------------------------------------- */

/* FRM-1, FRM-6. */
nic_status nic_rx(nic *m, const uint8_t *bytes, size_t n, bool fcs_bad) {
  if (m->frame_tail - m->frame_head == m->cfg.Frames || m->judged.tail - m->judged.head == 2 * m->cfg.Frames)
    return NIC_E_BUSY;
  nic_stored *f = &m->frame[m->frame_tail % m->cfg.Frames];
  const uint8_t *pay = NULL;
  unsigned code = nic_frame_parse(&m->self, bytes, n, fcs_bad, &f->h, &pay);
  m->judged.code[m->judged.tail++ % (2 * m->cfg.Frames)] = (uint8_t)code;
  if (code != NIC_RX_GOOD) return NIC_OK;
  memcpy(f->pay, pay, f->h.bytes);
  m->frame_tail++;
  return NIC_OK;
}

static nic_status judged(nic *m, const nic_retire_rec *hw) {
  if (m->judged.head == m->judged.tail) return hw ? nic_order(m, "no frame has come") : NIC_E_BUSY;
  unsigned code = m->judged.code[m->judged.head++ % (2 * m->cfg.Frames)];
  if (code == NIC_RX_GOOD) m->frame_named++;
  nic_retire_rec want = {NIC_RET_RX, false, (uint8_t)code, 0, 0, 0};
  if (hw) want = (nic_retire_rec){NIC_RET_RX, hw->flag, (uint8_t)code, hw->idx, hw->a, hw->b};
  return nic_retired(m, hw, want);
}

nic_status nic_task(nic *m, unsigned log, uint32_t prod, uint32_t cons) {
  if (log >= m->cfg.NumLogs) return NIC_E_ARG;
  xtq_log *l = &m->log[log];
  if (l->notice) return NIC_E_BUSY;
  l->notice = m->perhaps.tasks = true;
  l->prod = prod;
  l->cons = cons;
  l->not_before = m->now;
  return NIC_OK;
}

unsigned nic_pending(const nic *m) {
  unsigned n = m->frame_tail - m->frame_head + m->judged.tail - m->judged.head + nic_reply_pending(m) +
               nic_acks_pending(m) + m->events + m->enq_tail - m->enq_head + m->xt_busy + nic_ctx_pending(m);
  for (unsigned i = 0; i < m->cfg.NumLogs; i++) n += m->log[i].notice;
  return n;
}

/* ---- lockstep ---------------------------------------------------------------------------------------------------- */

/* Is the value one of those that QP_STS.CONS and QP_NOW.UNA pass while requests before an answer end? */
static bool ends_meanwhile(nic *m, uint32_t addr, uint64_t got, uint64_t want) {
  if (addr < NIC_REG_QP_CTL) return false;
  unsigned i = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE, reg = addr & 255;
  bool sts = reg == (NIC_REG_QP_STS & 255);
  if ((!sts && reg != (NIC_REG_QP_NOW & 255)) || i >= m->cfg.NumQps) return false;
  if (!m->begun.on && !nic_ack_begin(m, i)) return false;
  if (nic_ctx_qp(m, &m->frame[m->frame_head % m->cfg.Frames].h) != (int)i) return false;
  const nic_qp *q = &m->qp[i];
  if (sts)
    return !((got ^ want) & ~(uint64_t)NIC_QP_STS_CONS_MASK) &&
           (uint16_t)(got - m->begun.cons) <= (uint16_t)(q->cons - m->begun.cons);
  uint32_t una = (uint32_t)NIC_FIELD(got, QP_NOW_UNA);
  return !((got ^ want) & ~(uint64_t)NIC_QP_NOW_UNA_MASK) && psn24(una - m->begun.una) <= psn24(q->una - m->begun.una);
}

/* Counters without records. A look-up is counted when it is made, those of one frame (two) and of one log's task before
 * their records; of a frame whose queue pair has gone off meanwhile there is none; clearing the counter may come
 * between the two. An item with err may be one that no decision has needed; the owner, who sees the pins, knows how
 * many there can be, and of completions dropped all. */
static bool counter_ok(const nic *m, unsigned i, uint64_t got) {
  uint64_t want = m->cnt[i], less = m->cleared >> i & 1 ? NIC_LOOKS : 0;
  switch (i) {
    case NIC_CNT_HIT:
    case NIC_CNT_MISS: return got + less >= want && got <= want + NIC_LOOKS + 2 * m->looks_lost;
    case NIC_CNT_ERR: return less || got >= want;
    default: return true;
  }
}

static nic_status reg_read(nic *m, const nic_retire_rec *r) {
  uint32_t addr = (uint32_t)r->a & ~7u;
  uint64_t want = nic_regs_read(m, addr);
  if (addr >= NIC_REG_NIC_CNT + 8 * NIC_CNT_HIT && addr <= NIC_REG_NIC_CNT + 8 * NIC_CNT_ERR)
    return counter_ok(m, (addr - NIC_REG_NIC_CNT) / 8, r->b) ? NIC_OK : nic_differs(m, "counter", r->b, want);
  if (r->b == want) return NIC_OK;
  if (!ends_meanwhile(m, addr, r->b, want)) return nic_differs(m, "register", r->b, want);
  m->excuses[NIC_EXCUSE_REGISTER]++;
  return NIC_OK;
}

/* By software, or (flag) by the NIC itself: CTX-11. */
static nic_status read_register(nic *m, const nic_retire_rec *r) {
  nic_status s = reg_read(m, r);
  return s == NIC_OK && r->flag ? nic_ctx_read(m, r) : s;
}

static nic_status write_register(nic *m, const nic_retire_rec *r) {
  if (r->flag) return nic_ctx_wrote(m, r);
  if (!nic_ctx_refuses(m, (uint32_t)r->a)) nic_regs_write(m, (uint32_t)r->a, r->b, r->idx);
  return NIC_OK;
}

static nic_status apply(nic *m, const nic_retire_rec *r) {
  switch (r->kind) {
    case NIC_RET_NONE: return NIC_OK;
    case NIC_RET_REG_READ: return read_register(m, r);
    case NIC_RET_RX: return judged(m, r);
    case NIC_RET_FRAME: return nic_decide_do(m, r);
    case NIC_RET_SEND: return nic_req_read(m, r->idx, r);
    case NIC_RET_TX:
      if (r->code == NIC_TX_REQUEST) return nic_req_send(m, r->idx, r);
      if (r->code == NIC_TX_CNP) return nic_cnp_do(m, r);
      return nic_acks_theirs(m, r) ? nic_acks_do(m, r) : nic_reply_do(m, r);
    case NIC_RET_TASK: return xtq_task_do(m, r);
    case NIC_RET_EVENT: return nic_event_do(m, r);
    case NIC_RET_TIMER: return nic_req_timer(m, r->idx, r);
    case NIC_RET_REG_WRITE: return write_register(m, r);
    case NIC_RET_TABLE: return xtq_table_do(m, r);
    case NIC_RET_RATE: return nic_rate_do(m, r);
    case NIC_RET_CTX: return nic_ctx_moved(m, r);
    default: return nic_order(m, "there is no record of kind %u", r->kind);
  }
}

nic_status nic_retire(nic *m, const nic_retire_rec *r) {
  m->lockstep = true;
  nic_status s = apply(m, r);
  if (s == NIC_OK) nic_due_done(m, r);
  return s;
}

/* ---- self-running ------------------------------------------------------------------------------------------------ */

nic_status nic_reg_read(nic *m, uint32_t addr, uint64_t *value) {
  if (addr % 8) return NIC_E_ARG;
  *value = nic_regs_read(m, addr);
  return nic_retired(m, NULL, (nic_retire_rec){NIC_RET_REG_READ, false, 0, 0, addr, *value});
}

nic_status nic_reg_write(nic *m, uint32_t addr, uint64_t value, unsigned strb) {
  if (addr % 8 || strb > 255) return NIC_E_ARG;
  /* A task's slot in a shared queue has been claimed: what its message rests on stays until it is written. */
  unsigned of_proc = addr >= NIC_REG_EQ_BASE && addr < NIC_REG_XT_W ? addr & (NIC_REG_EQ_BASE_STRIDE - 1) : 0;
  bool undoes = (addr >= NIC_REG_QP_CTL && !(addr & (NIC_REG_QP_CTL_STRIDE - 1))) ||
                of_proc == (NIC_REG_EQ_CTL & (NIC_REG_EQ_BASE_STRIDE - 1)) ||
                of_proc == (NIC_REG_RB_DROP & (NIC_REG_EQ_BASE_STRIDE - 1));
  if (undoes && (nic_memo_pinned(&m->m_frame) || nic_memo_pinned(&m->m_task))) return NIC_E_BUSY;
  if (nic_ctx_refuses(m, addr))
    return nic_retired(m, NULL, (nic_retire_rec){NIC_RET_REG_WRITE, false, 0, (uint8_t)strb, addr, value});
  nic_regs_write(m, addr, value, strb);
  if (addr >= NIC_REG_QP_CTL) {
    unsigned i = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE % NIC_QPS_MAX;
    m->perhaps.qps[i / 64] |= 1ull << i % 64;
    m->perhaps.requests = true;
  }
  nic_retired(m, NULL, (nic_retire_rec){NIC_RET_REG_WRITE, false, 0, (uint8_t)strb, addr, value});
  unsigned qp = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE;
  return addr >= NIC_REG_QP_CTL && qp < m->cfg.NumQps && m->qp[qp].changing ? nic_req_quiet(m, qp, NULL) : NIC_OK;
}

/* Nothing is under way or posted: until a register is written, its requester has nothing to do. */
static bool is_done(const nic_qp *q) {
  return !q->num && q->fetch == q->prod && q->una == q->nxt && q->cur == q->end && !q->rnr_wait && !q->lost;
}

/* The first requester from i on that may have something to do; NumQps: none. */
static unsigned next_perhaps(const nic *m, unsigned i) {
  for (; i < m->cfg.NumQps; i = (i | 63) + 1) {
    uint64_t left = m->perhaps.qps[i / 64] >> i % 64;
    if (!left) continue;
    while (!(left & 1)) {
      left >>= 1;
      i++;
    }
    break;
  }
  return i < m->cfg.NumQps ? i : m->cfg.NumQps;
}

/* QPs take turns: an entry if there is room for one, else a packet. One that waits for memory goes
 * on before the others. */
static nic_status request(nic *m) {
  unsigned owner = m->req_owner;
  if (owner < NIC_QPS_MAX) {
    m->req_owner = NIC_QPS_MAX;
    if (nic_req_read(m, owner, NULL) == NIC_OK || nic_req_send(m, owner, NULL) == NIC_OK) return NIC_OK;
    if (m->req_owner != NIC_QPS_MAX) return NIC_E_BUSY;
    memo_clear(&m->m_req);
  }
  if (!m->perhaps.requests) return NIC_E_BUSY;
  bool any = false;
  const unsigned first = m->turn % m->cfg.NumQps;
  unsigned i = first;
  for (bool round = false; m->req_owner == NIC_QPS_MAX; i++) {
    i = next_perhaps(m, i);
    if (i == m->cfg.NumQps && !round) {
      round = true;
      i = next_perhaps(m, 0);
    }
    if (i >= m->cfg.NumQps || (round && i >= first)) break;
    if (is_done(&m->qp[i])) m->perhaps.qps[i / 64] &= ~(1ull << i % 64);
    any = true;
    if (!qp_on(&m->qp[i])) continue;
    if (nic_req_timer(m, i, NULL) == NIC_OK || nic_req_read(m, i, NULL) == NIC_OK) return NIC_OK;
    if (m->req_owner != NIC_QPS_MAX) break;
    if (nic_req_send(m, i, NULL) == NIC_OK) {
      m->turn = i + 1;
      return NIC_OK;
    }
  }
  m->perhaps.requests = any || m->req_owner != NIC_QPS_MAX;
  return NIC_E_BUSY;
}

/* Each is asked only where something of its own waits: a step is taken for every packet, and most have
 * nothing to do then. */
nic_status nic_step(nic *m) {
  if (m->judged.head != m->judged.tail && judged(m, NULL) == NIC_OK) return NIC_OK;
  if ((m->events || m->perhaps.msis) && nic_event_do(m, NULL) == NIC_OK) return NIC_OK;
  if ((m->enq_head != m->enq_tail || m->perhaps.tasks) && xtq_task_do(m, NULL) == NIC_OK) return NIC_OK;
  if (m->perhaps.acks && nic_acks_do(m, NULL) == NIC_OK) return NIC_OK;
  if (m->perhaps.cnps && nic_cnp_do(m, NULL) == NIC_OK) return NIC_OK;
  if (m->rsp_head != m->rsp_tail && nic_reply_do(m, NULL) == NIC_OK) return NIC_OK;
  if (nic_ctx_on(m) && nic_ctx_run(m) == NIC_OK) return NIC_OK;
  if (m->frame_head != m->frame_tail && !m->m_task.num && nic_decide_do(m, NULL) == NIC_OK) return NIC_OK;
  if (m->xt_busy && xtq_table_do(m, NULL) == NIC_OK) return NIC_OK;
  return request(m);
}

unsigned nic_run(nic *m) {
  unsigned n = 0;
  while (nic_step(m) == NIC_OK) n++;
  return n;
}

void nic_advance(nic *m, uint64_t cycles) {
  m->now += cycles;
  if (!m->lockstep) nic_rate_advance(m);
  for (unsigned i = 0; m->perhaps.requests && i < m->cfg.NumQps; i++) {
    const nic_qp *q = &m->qp[i];
    if (q->rnr_wait && m->now >= q->rnr_until && !m->lockstep) nic_req_rnr(m, i, NULL);
  }
}
