// SPDX-License-Identifier: Apache-2.0
/* The engine in lockstep: what arrives at the hardware, and the records by which it says what it has done. */
#include "aa_queue.h"
#include "tocsin/aa_regs.h"

/* STR-1. */
aa_status aa_dev_tlp(aa *m, unsigned port, const tlp *t, bool bad_form) {
  aa_req q;
  aa_slot *s;
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  aa_rx_classify(t, bad_form, port, m->mps_dw, m->mrrs_dw, &q);
  return aa_push_request(m, &q, t, bad_form, &s);
}

aa_status aa_host_cpl(aa *m, const tlp *t, bool bad_form) {
  return aa_queue_push(&m->cpl, t, bad_form) ? AA_OK : AA_E_NOMEM;
}

struct arrival {
  aa *m;
  unsigned port;
  aa_status status;
};

static void dev_sink(void *ctx, const tlp *t, bool bad_form) {
  struct arrival *a = ctx;
  aa_req q;
  aa_slot *s;
  aa_rx_classify(t, bad_form, a->port, a->m->limits[a->port].mps_dw, a->m->limits[a->port].mrrs_dw, &q);
  a->status = aa_push_request(a->m, &q, t, bad_form, &s);
}

static void host_sink(void *ctx, const tlp *t, bool bad_form) {
  struct arrival *a = ctx;
  a->status = aa_host_cpl(a->m, t, bad_form);
}

aa_status aa_dev_beat(aa *m, unsigned port, const aa_beat *b) {
  struct arrival a = {m, port, AA_OK};
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  if (b->sop) m->limits[port].mps_dw = m->mps_dw, m->limits[port].mrrs_dw = m->mrrs_dw;
  aa_rx_beat(&m->rx[port], m->cfg.DataW / 32, b, dev_sink, &a);
  return a.status;
}

aa_status aa_host_beat(aa *m, const aa_beat *b) {
  struct arrival a = {m, 0, AA_OK};
  aa_rx_beat(&m->rx[AA_PORTS_MAX], m->cfg.DataW / 32, b, host_sink, &a);
  return a.status;
}

/* XLT-9, XLT-10. */
static aa_status retire_walk(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  uint32_t pos = (r->idx - l->head) & 0xffu;
  if (r->slot >= m->cfg.Walkers || m->xlt.walk[r->slot].active) return aa_order(m, "walker %u is not free", r->slot);
  if (pos >= m->cfg.Window || pos >= l->tail - l->head)
    return aa_order(m, "no request at position %u of lane %u", pos, r->lane);
  uint32_t num = l->head + pos;
  aa_slot *s = aa_queue_at(l, num);
  const aa_lookup *k = &s->req.look;
  if ((int32_t)(num - l->xl) < 0)
    return aa_order(m, "the request at position %u of lane %u is translated", pos, r->lane);
  if (aa_xlt_walking(&m->xlt, k))
    return aa_order(m, "a walk for %x %llx is under way", k->sid, (unsigned long long)k->iova);
  aa_xlt_walk_start(&m->xlt, r->slot, r->lane, num, k);
  s->walked = true;
  m->cnt[AA_CNT_WALKS_BEGUN]++;
  return AA_OK;
}

/* XLT-7. */
static aa_status retire_xlate(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  aa_tlb_way *where;
  if (l->xl == l->tail) return aa_order(m, "lane %u has nothing to translate", r->lane);
  aa_slot *s = aa_queue_at(l, l->xl);
  unsigned hit = aa_xlt_peek(&m->xlt, &s->req.look, &s->xl, &where);
  if (hit == AA_HIT_MISS)
    return aa_order(m, "%x %llx does not hit", s->req.look.sid, (unsigned long long)s->req.look.iova);
  aa_xlt_touch(&m->xlt, hit, where);
  m->cnt[AA_CNT_HITS] += !s->xl.bypass;
  l->xl++;
  return AA_OK;
}

/* XLT-8. */
static aa_status retire_fill(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  aa_xlate x;
  aa_walk_stat st;
  if (r->slot >= m->cfg.Walkers || !m->xlt.walk[r->slot].active)
    return aa_order(m, "walker %u is not at work", r->slot);
  const aa_walk *w = &m->xlt.walk[r->slot];
  if (w->lane != r->lane) return aa_differs(m, "lane", r->lane, w->lane);
  bool own = l->xl != l->tail && w->num == l->xl;
  if (r->flag != own) return aa_differs(m, "flag", r->flag, own);
  aa_xlt_walk_end(&m->xlt, r->slot, m->ops.mem_read, m->ctx, &x, &st);
  aa_count_walk(m, st.fault, st.tlb_fill, st.ctx_fill);
  if (own) aa_queue_at(l, l->xl++)->xl = x;
  return AA_OK;
}

static aa_status retire_decide(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  if (l->head == l->tail || l->head == l->xl) return aa_order(m, "lane %u has no translated request", r->lane);
  aa_slot *s = aa_queue_at(l, l->head);
  if (!aa_slot_in_order(m, r->lane, s)) return aa_order(m, "lane %u decided before an older posted request", r->lane);
  aa_status st = aa_decide(m, aa_slot_req(s), &s->xl, r);
  if (st == AA_OK) aa_pop_request(m, l);
  return st;
}

static aa_status retire_cpl(aa *m, const aa_retire_rec *r) {
  if (m->cpl.head == m->cpl.tail) return aa_order(m, "no completion is waiting");
  aa_slot *s = aa_queue_at(&m->cpl, m->cpl.head);
  m->cpl.head++;
  return aa_cpl_consume(m, &s->t, s->bad, r);
}

/* INV-11. */
static aa_status retire_reg_read(aa *m, const aa_retire_rec *r) {
  uint32_t addr = (uint32_t)r->a & 0xffff8u;
  uint64_t want = aa_regs_read(m, addr);
  if (addr >= AA_REG_CNT + 8 * AA_CNT_TIME_FIRST && addr <= AA_REG_CNT + 8 * AA_CNT_TIME_LAST) return AA_OK;
  return r->b == want ? AA_OK : aa_differs(m, "b", r->b, want);
}

/* RET-1. */
aa_status aa_retire(aa *m, const aa_retire_rec *r) {
  m->reason[0] = 0;
  if (!m->tags.old) m->qi.drained = true;
  if (r->kind >= AA_RET_WALK && r->kind <= AA_RET_DECIDE && r->lane >= 2 * m->cfg.NumPorts)
    return aa_order(m, "lane %u does not exist", r->lane);
  switch (r->kind) {
    case AA_RET_NONE: return AA_OK;
    case AA_RET_REG_READ: return retire_reg_read(m, r);
    case AA_RET_WALK: return retire_walk(m, r);
    case AA_RET_XLATE: return retire_xlate(m, r);
    case AA_RET_FILL: return retire_fill(m, r);
    case AA_RET_DECIDE: return retire_decide(m, r);
    case AA_RET_CPL: return retire_cpl(m, r);
    case AA_RET_TIMEOUT:
      if (r->code > !r->flag) return aa_order(m, "no such time-out: %u", r->code);
      return aa_cpl_timeout(m, r->idx, r->flag ? AA_CLOSE_LOG : r->code ? AA_CLOSE_OVER : AA_CLOSE_END, r);
    case AA_RET_PUBLISH: return aa_log_publish_to(m, r->idx, (uint32_t)r->a, r);
    case AA_RET_NOTIFY: return aa_notify_do(m, r->code, r->idx, r->flag, r);
    case AA_RET_INVAL: return aa_inval_do(m, r->code, r);
    case AA_RET_REG_WRITE: aa_regs_write(m, (uint32_t)r->a, r->b, r->idx); return AA_OK;
    default: return aa_order(m, "no such record: %u", r->kind);
  }
}
