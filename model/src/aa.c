// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa.h"

#include <stdlib.h>
#include <string.h>

#include "aa_state.h"
#include "le.h"
#include "params.h"
#include "tocsin/aa_regs.h"

const char *aa_strstatus(aa_status s) {
  switch (s) {
    case AA_OK: return "ok";
    case AA_E_CONFIG: return "a parameter is out of its range";
    case AA_E_NOMEM: return "out of memory";
    case AA_E_ARG: return "an argument is out of its range";
    case AA_E_BUSY: return "the lane is full";
    case AA_E_ORDER: return "the record is not legal now";
    case AA_E_MISMATCH: return "the record differs from the model";
    default: return "unknown status";
  }
}

const char *aa_reason(const aa *m) { return m->reason; }

/* ---- making and freeing --------------------------------------------------------------------------------------------- */

void aa_config_default(aa_config *cfg) { *cfg = (aa_config){AA_PARAMS_DEFAULT, .DataW = 256}; }

const char *aa_config_wrong(const aa_config *cfg) { return aa_params_wrong(cfg); }

static aa_status queue_init(aa_queue *q, unsigned want) {
  q->cap = 4;
  while (q->cap < want) q->cap *= 2;
  q->ring = calloc(q->cap, sizeof *q->ring);
  return q->ring ? AA_OK : AA_E_NOMEM;
}

static void queue_free(aa_queue *q) {
  for (uint32_t i = 0; q->ring && i < q->cap; i++) free(q->ring[i].buf);
  free(q->ring);
}

void aa_free(aa *m) {
  if (!m) return;
  for (unsigned i = 0; i < 2 * AA_PORTS_MAX; i++) queue_free(&m->lane[i]);
  for (unsigned i = 0; i <= AA_PORTS_MAX; i++) free(m->rx[i].buf);
  queue_free(&m->cpl);
  aa_xlt_free(&m->xlt);
  aa_logs_free(&m->logs);
  free(m);
}

aa_status aa_new(const aa_config *cfg, const aa_ops *ops, void *ctx, aa **out) {
  aa_config c = *cfg;
  *out = NULL;
  if (aa_config_wrong(cfg)) return AA_E_CONFIG;
  if (!c.ActiveAccess) c.NumLogs = c.LogDepth = c.FlushPages = c.FlushWaiters = c.ScratchWords = 0;
  return aa_make(&c, ops, ctx, out);
}

aa_status aa_make(const aa_config *cfg, const aa_ops *ops, void *ctx, aa **out) {
  *out = NULL;
  aa *m = calloc(1, sizeof *m);
  if (!m) return AA_E_NOMEM;
  m->cfg = *cfg;
  m->ops = *ops;
  m->ctx = ctx;
  bool ok =
      aa_xlt_init(&m->xlt, cfg) == AA_OK && aa_logs_init(&m->logs, cfg) == AA_OK && queue_init(&m->cpl, 16) == AA_OK;
  for (unsigned i = 0; i < 2 * cfg->NumPorts; i++) ok = ok && queue_init(&m->lane[i], cfg->Window) == AA_OK;
  for (unsigned i = 0; i <= AA_PORTS_MAX; i++) {
    m->rx[i].buf = i < cfg->NumPorts || i == AA_PORTS_MAX ? malloc(TLP_MAX_BYTES) : NULL;
    ok = ok && (m->rx[i].buf || (i >= cfg->NumPorts && i != AA_PORTS_MAX));
  }
  if (!ok) {
    aa_free(m);
    return AA_E_NOMEM;
  }
  aa_tag_buf_init(&m->tags, cfg->TagEntries, cfg->NumPorts);
  aa_fault_init(&m->fault);
  m->flush.pages = cfg->FlushPages;
  m->flush.waiters = cfg->FlushWaiters;
  m->flush.ports = cfg->NumPorts;
  m->xlt.rd = ops->mem_read;
  m->xlt.rd_ctx = ctx;
  aa_regs_reset(m);
  for (unsigned op = 0; op < AA_OP_NUM; op++)
    for (unsigned bits = 0; bits < 128; bits++) m->rule[op][bits] = aa_decide_rule((aa_op)op, bits);
  *out = m;
  return AA_OK;
}

/* ---- queues, for both uses ------------------------------------------------------------------------------------------ */

/* A copy of a packet at the end of a queue. */
static aa_slot *queue_push(aa_queue *q, const tlp *t, bool bad_form) {
  if (q->tail - q->head == q->cap) {
    aa_slot *ring = calloc(2 * (size_t)q->cap, sizeof *ring);
    if (!ring) return NULL;
    for (uint32_t i = q->head; i != q->tail; i++) ring[i & (2 * q->cap - 1)] = q->ring[i & (q->cap - 1)];
    free(q->ring);
    q->ring = ring;
    q->cap *= 2;
  }
  aa_slot *s = aa_queue_at(q, q->tail);
  s->t = *t;
  s->bad = bad_form || t->ndw > TLP_MAX_BYTES / 4;
  s->stalled = false;
  s->t.data = NULL;
  if (s->bad) s->t.ndw = 0;
  if (s->t.ndw) {
    if (!s->buf) s->buf = malloc(TLP_MAX_BYTES);
    if (!s->buf) return NULL;
    memcpy(s->buf, t->data, 4 * (size_t)s->t.ndw);
    s->t.data = s->buf;
  }
  q->tail++;
  return s;
}

static aa_status push_request(aa *m, const aa_req *q, const tlp *t, bool bad_form, aa_slot **out) {
  aa_slot *s = queue_push(&m->lane[q->lane], t, bad_form);
  if (!s) return AA_E_NOMEM;
  s->req = *q;
  s->req.t = &s->t;
  s->posted = m->lane[q->lane & ~1u].tail;
  m->queued++;
  m->xlt.gen += AA_GEN; /* no short way while anything waits */
  *out = s;
  return AA_OK;
}

/* The slot may have moved when its queue grew. */
static aa_req *slot_req(aa_slot *s) {
  s->req.t = &s->t;
  return &s->req;
}

static void pop_request(aa *m, aa_queue *l) {
  l->head++;
  m->queued--;
}

/* Posted requests of the port that came before have been decided. */
static bool in_order(const aa *m, unsigned lane, const aa_slot *s) {
  return !(lane & 1) || (int32_t)(m->lane[lane & ~1u].head - s->posted) >= 0;
}

/* STR-5. */
bool aa_in_order(const aa *m, unsigned lane) {
  const aa_queue *l = &m->lane[lane];
  return l->head != l->tail && in_order(m, lane, aa_queue_at(l, l->head));
}

/* ---- lockstep: arrivals --------------------------------------------------------------------------------------------- */

/* STR-1. */
aa_status aa_dev_tlp(aa *m, unsigned port, const tlp *t, bool bad_form) {
  aa_req q;
  aa_slot *s;
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  aa_rx_classify(t, bad_form, port, m->mps_dw, m->mrrs_dw, &q);
  return push_request(m, &q, t, bad_form, &s);
}

aa_status aa_host_cpl(aa *m, const tlp *t, bool bad_form) {
  return queue_push(&m->cpl, t, bad_form) ? AA_OK : AA_E_NOMEM;
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
  a->status = push_request(a->m, &q, t, bad_form, &s);
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

unsigned aa_pending(const aa *m) { return m->queued + (m->cpl.tail - m->cpl.head); }

/* ---- lockstep: records ---------------------------------------------------------------------------------------------- */

/* XLT-9, XLT-10. */
static aa_status retire_walk(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  uint32_t pos = (r->idx - l->head) & 0xffu;
  if (r->slot >= m->cfg.Walkers || m->xlt.walk[r->slot].active) return aa_order(m, "walker %u is not free", r->slot);
  if (pos >= m->cfg.Window || pos >= l->tail - l->head)
    return aa_order(m, "no request at position %u of lane %u", pos, r->lane);
  uint32_t num = l->head + pos;
  const aa_look *k = &aa_queue_at(l, num)->req.look;
  if ((int32_t)(num - l->xl) < 0)
    return aa_order(m, "the request at position %u of lane %u is translated", pos, r->lane);
  if (aa_xlt_walking(&m->xlt, k))
    return aa_order(m, "a walk for %x %llx is under way", k->sid, (unsigned long long)k->iova);
  aa_xlt_walk_start(&m->xlt, r->slot, r->lane, num, k);
  m->cnt[AA_CNT_WALKS_BEGUN]++;
  return AA_OK;
}

/* XLT-7. */
static aa_status retire_xlate(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  unsigned where = 0;
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

static inline void count_walk(aa *m, bool fault, bool tlb, bool ctx) {
  m->cnt[AA_CNT_WALKS_ENDED]++;
  m->cnt[AA_CNT_WALK_FAULTS] += fault;
  m->cnt[AA_CNT_TLB_FILLS] += tlb;
  m->cnt[AA_CNT_CTX_FILLS] += ctx;
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
  count_walk(m, st.fault, st.tlb_fill, st.ctx_fill);
  if (own) aa_queue_at(l, l->xl++)->xl = x;
  return AA_OK;
}

static aa_status retire_decide(aa *m, const aa_retire_rec *r) {
  aa_queue *l = &m->lane[r->lane];
  if (l->head == l->tail || l->head == l->xl) return aa_order(m, "lane %u has no translated request", r->lane);
  aa_slot *s = aa_queue_at(l, l->head);
  if (!in_order(m, r->lane, s)) return aa_order(m, "lane %u decided before an older posted request", r->lane);
  aa_status st = aa_decide(m, slot_req(s), &s->xl, r);
  if (st == AA_OK) pop_request(m, l);
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

/* ---- self-running --------------------------------------------------------------------------------------------------- */

static AA_HOT unsigned translate(aa *m, const aa_look *k, unsigned lane, uint32_t num, aa_xlate *x, unsigned *where) {
  unsigned hit = aa_xlt_now(&m->xlt, k, x, where);
  if (hit == AA_WALK_TLB && !m->ops.retire) { /* the rest, for the usual case */
    m->cnt[AA_CNT_WALKS_BEGUN]++;
    m->cnt[AA_CNT_WALKS_ENDED]++;
    m->cnt[AA_CNT_TLB_FILLS]++;
  } else if (hit & 3u) {
    m->cnt[AA_CNT_HITS] += !x->bypass;
    aa_emit(m, AA_RET_XLATE, false, 0, lane, 0, 0, 0, 0);
  } else {
    m->cnt[AA_CNT_WALKS_BEGUN]++;
    count_walk(m, hit & AA_WALK_FAULT, hit & AA_WALK_TLB, hit & AA_WALK_CTX);
    aa_emit(m, AA_RET_WALK, false, 0, lane, 0, num & 0xff, 0, 0);
    aa_emit(m, AA_RET_FILL, true, 0, lane, 0, 0, 0, 0);
  }
  return hit;
}

/* Decides what a lane can; true if anything was. */
static bool run_lane(aa *m, unsigned lane) {
  aa_queue *l = &m->lane[lane];
  bool any = false;
  while (l->head != l->tail) {
    aa_slot *s = aa_queue_at(l, l->head);
    if (!in_order(m, lane, s)) break;
    if (l->xl == l->head) {
      unsigned where;
      translate(m, &s->req.look, lane, l->head, &s->xl, &where);
      l->xl++;
    }
    m->stalled = false;
    m->wdog_fired = s->stalled && m->wdog && m->now - s->since >= m->wdog;
    aa_status st = aa_decide(m, slot_req(s), &s->xl, NULL);
    if (st != AA_OK) {
      if (m->stalled && !s->stalled) s->since = m->now;
      s->stalled = m->stalled;
      break;
    }
    pop_request(m, l);
    any = true;
  }
  return any;
}

/* Publishes and tells what log n has to. */
static void run_log(aa *m, unsigned n) {
  aa_log *g = &m->logs.log[n];
  uint32_t to = g->prod;
  if (g->closing || aa_log_failed(g))
    for (unsigned i = 0; i < m->cfg.TagEntries; i++)
      if (m->tags.tag[i].live && m->tags.tag[i].logged && m->tags.tag[i].place.log == n)
        aa_cpl_timeout(m, i, AA_CLOSE_LOG, NULL);
  for (unsigned i = 0; !aa_log_failed(g) && i < g->count && (g->closed >> (g->head + i) % AA_LOG_MAX & 1u); i++)
    to += g->bytes[(g->head + i) % AA_LOG_MAX];
  if (to != g->prod) aa_log_publish_to(m, n, to, NULL);
  if (aa_notify_ptr(g)) aa_notify_do(m, AA_NOTE_PTR, n, false, NULL);
  if (aa_notify_msi(g, m->now - g->since)) aa_notify_do(m, AA_NOTE_MSI, n, false, NULL);
  if (aa_notify_task(g) && !g->tasked) aa_notify_do(m, AA_NOTE_TASK, n, false, NULL);
  for (unsigned i = 0; m->flush.used && i < m->flush.waiters; i++) {
    aa_waiter *w = &m->flush.waiter[i];
    if (w->live && w->log == n && (w->torn || aa_flush_drained(w, g->cons)))
      aa_notify_do(m, AA_NOTE_FLUSH, i, w->torn, NULL);
  }
  if (g->closing && !g->count) aa_notify_do(m, AA_NOTE_LOG_OFF, n, false, NULL);
}

/* What the short way of aa_submit may be used for; to be called when anything changed that it depends on. */
static void plain_update(aa *m) {
  m->plain = m->xlt.te && !m->filter_any && !m->ops.retire;
  for (unsigned i = 0; i < m->cfg.NumPorts; i++) m->plain = m->plain && !m->reset[i];
  m->xlt.gen += AA_GEN;
}

static void settle(aa *m) {
  while (m->due || m->logs_due) {
    bool others = m->due;
    uint32_t logs = m->logs_due;
    m->due = false;
    m->logs_due = 0;
    for (unsigned n = 0; n < m->cfg.NumLogs; n++)
      if (logs >> n & 1u) run_log(m, n);
    if (!others) continue;
    for (unsigned i = 0; i < 2; i++)
      if (aa_inval_asked(m, i)) aa_inval_do(m, 1 + i, NULL);
    for (unsigned i = 0; i < 2; i++)
      if (m->inv_gran[i] && !m->tags.old) aa_inval_do(m, 3 + i, NULL);
    if (m->qi.waiting && !m->tags.old) aa_notify_do(m, AA_NOTE_WAIT, 0, false, NULL);
    if (m->qi.on && !m->fault.iqe && !m->qi.waiting && m->qi.head != m->qi.iqt >> AA_IQT_QT_LSB)
      aa_inval_do(m, 0, NULL);
    if (m->fault.event.pending && !m->fault.event.mask) aa_notify_do(m, AA_NOTE_FAULT, 0, false, NULL);
    if (m->fault.werr_pending && !m->fault.event.mask) aa_notify_do(m, AA_NOTE_FAULT, 0, true, NULL);
    if (m->qi.event.pending && !m->qi.event.mask) aa_notify_do(m, AA_NOTE_INV_DONE, 0, false, NULL);
    for (unsigned i = 0; m->fn_go && i < m->cfg.TagEntries; i++)
      if (m->tags.tag[i].live && m->tags.tag[i].must && !m->tags.tag[i].dead) aa_cpl_timeout(m, i, AA_CLOSE_END, NULL);
    for (unsigned i = 0; m->fn_go && i < m->flush.waiters; i++)
      if (m->flush.waiter[i].live && m->flush.waiter[i].must) aa_notify_do(m, AA_NOTE_FLUSH, i, true, NULL);
    for (unsigned i = 0; m->queued && i < 2 * m->cfg.NumPorts; i++)
      if (run_lane(m, i)) m->due = true;
    if (m->fn_go && aa_reset_over(m)) aa_notify_do(m, AA_NOTE_RESET, 0, false, NULL);
  }
}

/* Takes an entry for a read; false: none is free, or the tag is live. */
static AA_HOT bool plain_tag(aa *m, unsigned port, uint32_t key, unsigned offset, unsigned len) {
  aa_tag_pool *p = aa_tag_pool_of(&m->tags, port);
  if (p->top == p->first || aa_tag_find(&m->tags, key) != AA_TAG_NONE) return false;
  size_t i = m->tags.stack[--p->top];
  aa_tag *g = aa_tag_take(&m->tags, i, key, port);
  aa_tag_begin(g, offset, 4 * len, m->now);
  return true;
}

static AA_HOT void plain_pass(aa *m, const tlp *t, bool write, uint64_t to) {
  m->cnt[AA_CNT_REQUESTS]++;
  m->cnt[write ? AA_CNT_WRITES : AA_CNT_READS]++;
  aa_forward(m, t, to);
}

/* A request that cannot be decided at once joins its lane. */
static AA_RARE aa_status submit_later(aa *m, const aa_req *q, const tlp *t, const aa_xlate *x) {
  aa_slot *s;
  aa_queue *l = &m->lane[q->lane];
  if (!x && l->tail - l->head >= m->cfg.Window) return AA_E_BUSY;
  aa_status st = push_request(m, q, t, false, &s);
  if (st != AA_OK || !x) return st;
  s->xl = *x;
  l->xl++;
  s->stalled = m->stalled;
  s->since = m->now;
  settle(m);
  return AA_OK;
}

/* The long way. x: the translation if there is one already. */
static AA_APART aa_status submit_any(aa *m, unsigned port, const tlp *t, const aa_xlate *known) {
  aa_req q;
  aa_xlate x;
  unsigned where;
  m->polled = false;
  aa_rx_classify(t, false, port, m->mps_dw, m->mrrs_dw, &q);
  aa_queue *l = &m->lane[q.lane];
  if (m->queued && (l->head != l->tail || m->lane[q.lane & ~1u].head != m->lane[q.lane & ~1u].tail))
    return submit_later(m, &q, t, NULL);
  /* Nothing before it: decided in place, without a copy. */
  if (known)
    x = *known;
  else
    translate(m, &q.look, q.lane, l->head, &x, &where);
  m->stalled = m->wdog_fired = false;
  if (aa_decide(m, &q, &x, NULL) != AA_OK) return submit_later(m, &q, t, &x);
  l->tail++;
  l->head++;
  l->xl++;
  if (m->due || m->logs_due) settle(m);
  return AA_OK;
}

/* The short way for what most requests are: whole words of a page that asks for nothing but the access, while nothing waits. It
 * translates and decides by the functions of the long way, leaves out what cannot be, and remembers pages that were hit. */
static inline bool plain_form(const tlp *t, bool write) {
  uint32_t len = t->hdr[0] & 0x3ffu, be = t->hdr[1] & 0xffu;
  if (t->ndw != (write ? len : 0)) return false;
  return len == 1 ? be == 0x0f : be == 0xff && ((uint32_t)tlp_addr(t->hdr) & 0xfffu) + 4 * len <= 4096;
}

static AA_APART aa_status submit_page(aa *m, unsigned port, const tlp *t, bool write) {
  uint32_t h1 = t->hdr[1], len = t->hdr[0] & 0x3ffu;
  uint64_t addr = tlp_addr(t->hdr), page = addr >> 12;
  unsigned where, limit = write ? m->mps_dw : m->mrrs_dw;
  aa_xlate x;
  if (!m->plain || m->queued || len - 1 >= limit || page >> 8 == 0xfee || !plain_form(t, write))
    return submit_any(m, port, t, NULL);
  aa_look k = {.iova = addr, .sid = (uint16_t)(h1 >> 16), .write = write};
  unsigned hit = translate(m, &k, 0, 0, &x, &where);
  if (x.fault || !aa_decide_plain(m->rule[write ? AA_OP_WRITE : AA_OP_READ], &x)) return submit_any(m, port, t, &x);
  if (!write && m->flush.any && (x.leaf & AA_LEAF_E) && aa_flush_match(&m->flush, addr, (unsigned)(x.leaf >> 52)))
    return submit_any(m, port, t, &x);
  if (hit == AA_HIT_IOTLB) {
    unsigned way = where & m->xlt.iotlb.way_mask;
    m->memo[write][page % AA_MEMOS] =
        (aa_memo){page, m->xlt.gen | h1 >> 16, x.leaf & AA_LEAF_FRAME, where - way, (uint16_t)way, (uint16_t)limit};
  }
  if (!write && !plain_tag(m, port, h1 >> 8, addr & 0xfffu, len)) return submit_any(m, port, t, &x);
  plain_pass(m, t, write, (x.leaf & AA_LEAF_FRAME) | (addr & 0xfffu));
  return AA_OK;
}

static AA_HOT aa_status submit_plain(aa *m, unsigned port, const tlp *t, bool write) {
  uint32_t h1 = t->hdr[1], len = t->hdr[0] & 0x3ffu;
  uint64_t addr = tlp_addr(t->hdr), page = addr >> 12;
  const aa_memo *e = &m->memo[write][page % AA_MEMOS];
  if (e->page != page || e->who != (m->xlt.gen | h1 >> 16) || len - 1 >= e->limit || !plain_form(t, write))
    return submit_page(m, port, t, write);
  if (!write && !plain_tag(m, port, h1 >> 8, addr & 0xfffu, len)) return submit_any(m, port, t, NULL);
  aa_tlb_touch_way(&m->xlt.iotlb, e->set, e->way);
  m->cnt[AA_CNT_HITS]++;
  plain_pass(m, t, write, e->frame | (addr & 0xfffu));
  return AA_OK;
}

/* Apart, so that each saves no more registers than it needs. */
static AA_APART aa_status submit_write(aa *m, unsigned port, const tlp *t) { return submit_plain(m, port, t, true); }
static AA_APART aa_status submit_read(aa *m, unsigned port, const tlp *t) { return submit_plain(m, port, t, false); }

aa_status aa_submit(aa *m, unsigned port, const tlp *t) {
  const uint32_t h0 = t->hdr[0];
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  if (h0 & 0x9f884c00u) return submit_any(m, port, t, NULL); /* other types, tags of ten bits, poisoned, AT */
  return (h0 & 0x40000000u) ? submit_write(m, port, t) : submit_read(m, port, t);
}

aa_status aa_complete(aa *m, const tlp *t) {
  aa_cpl_consume(m, t, false, NULL);
  if (m->due || m->logs_due) {
    m->polled = false;
    settle(m);
  }
  return AA_OK;
}

aa_status aa_reg_read(aa *m, uint32_t addr, unsigned size, uint64_t *value) {
  *value = 0;
  if ((size != 4 && size != 8) || (addr & (size - 1)) || addr >= 0x100000u) return AA_E_ARG;
  uint64_t word = aa_regs_read(m, addr);
  aa_emit(m, AA_RET_REG_READ, false, 0, 0, 0, 0, addr & ~7u, word);
  *value = size == 8 ? word : (addr & 4) ? word >> 32 : word & 0xffffffffu;
  return AA_OK;
}

aa_status aa_reg_write(aa *m, uint32_t addr, unsigned size, uint64_t value) {
  if ((size != 4 && size != 8) || (addr & (size - 1)) || addr >= 0x100000u) return AA_E_ARG;
  unsigned strb = size == 8 ? 0xffu : (addr & 4) ? 0xf0u : 0x0fu;
  uint64_t word = size == 8 ? value : (addr & 4) ? value << 32 : value & 0xffffffffu;
  aa_emit(m, AA_RET_REG_WRITE, false, 0, 0, 0, strb, addr & ~7u, word);
  m->polled = false;
  aa_regs_write(m, addr & ~7u, word, strb);
  plain_update(m);
  settle(m);
  return AA_OK;
}

aa_status aa_poll(aa *m) {
  const bool used = aa_tag_used(&m->tags);
  for (unsigned i = 0; i < m->cfg.NumPorts; i++)
    if (m->reset[i]) aa_reset_port(m, i);
  for (unsigned i = 0; used && i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && m->tags.tag[i].reset && !m->tags.tag[i].dead) aa_cpl_timeout(m, i, AA_CLOSE_END, NULL);
  for (unsigned i = 0; m->flush.used && i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live && m->flush.waiter[i].reset) aa_notify_do(m, AA_NOTE_FLUSH, i, true, NULL);
  m->due = true;
  m->logs_due = (uint32_t)((1ull << m->logs.reach) - 1);
  settle(m);
  m->polled = true;
  return AA_OK;
}

aa_status aa_dev_reset(aa *m, unsigned port, bool level) {
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  m->polled = false;
  if (m->reset[port]) aa_reset_port(m, port); /* high until now: whatever is there is of before */
  m->reset[port] = level;
  plain_update(m);
  return AA_OK;
}

/* When time ends a read, or its quarantine. */
static uint64_t tag_ends(const aa *m, unsigned i) {
  return m->tags.tag[i].since + ((uint64_t)m->cpl_tmo << m->tags.tag[i].dead);
}

/* When something happens by itself; UINT64_MAX: never. */
static uint64_t next_event(const aa *m) {
  uint64_t best = UINT64_MAX;
  const bool used = aa_tag_used(&m->tags);
  for (unsigned i = 0; m->queued && m->wdog && i < 2 * m->cfg.NumPorts; i++) {
    const aa_queue *l = &m->lane[i];
    if (l->head != l->tail && aa_queue_at(l, l->head)->stalled && aa_queue_at(l, l->head)->since + m->wdog < best)
      best = aa_queue_at(l, l->head)->since + m->wdog;
  }
  for (unsigned i = 0; used && m->cpl_tmo && i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && tag_ends(m, i) < best) best = tag_ends(m, i);
  for (unsigned i = 0; m->flush.used && m->flush_tmo && i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live && m->flush.waiter[i].since + m->flush_tmo < best)
      best = m->flush.waiter[i].since + m->flush_tmo;
  for (unsigned i = 0; i < m->logs.reach; i++) {
    const aa_log *g = &m->logs.log[i];
    if (aa_notify_msi(g, ~0ull) && g->since + (uint32_t)g->time < best) best = g->since + (uint32_t)g->time;
  }
  return best;
}

static void fire(aa *m) {
  const bool used = aa_tag_used(&m->tags);
  for (unsigned i = 0; used && m->cpl_tmo && i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && m->now >= tag_ends(m, i))
      aa_cpl_timeout(m, i, m->tags.tag[i].dead ? AA_CLOSE_OVER : AA_CLOSE_END, NULL);
  for (unsigned i = 0; m->flush.used && m->flush_tmo && i < m->flush.waiters; i++)
    if (m->flush.waiter[i].live && m->now - m->flush.waiter[i].since >= m->flush_tmo)
      aa_notify_do(m, AA_NOTE_FLUSH, i, true, NULL);
  aa_poll(m);
}

/* Time alone moves nothing but what has a time: where all else was done before, it is not asked again. */
aa_status aa_advance(aa *m, uint64_t cycles) {
  for (;;) {
    uint64_t at = next_event(m), left = at > m->now ? at - m->now : 0, step = left < cycles ? left : cycles;
    m->now += step;
    cycles -= step;
    if (!cycles && !step) break;
    if (at <= m->now || !m->polled || m->queued) fire(m);
    if (!cycles) break;
  }
  return AA_OK;
}

uint32_t aa_tasks_told(aa *m) {
  uint32_t told = m->told;
  m->told = 0;
  return told;
}

aa_status aa_task_done(aa *m, unsigned log) {
  if (log >= m->cfg.NumLogs) return AA_E_ARG;
  m->polled = false;
  m->logs.log[log].tasked = false;
  m->logs_due |= 1u << log;
  return AA_OK;
}
