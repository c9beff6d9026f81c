// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_time.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "aa_state.h"
#include "tocsin/aa_lock.h"
#include "tocsin/aa_regs.h"

const char *aa_timer_name(unsigned timer) {
  static const char *const name[AA_TIMERS] = {"watchdog",     "completion time-out", "flush answer",
                                              "MSI interval", "free-space MSI",      "pointer in memory"};
  return timer < AA_TIMERS ? name[timer] : "?";
}

const char *aa_timer_block(unsigned timer) {
  static const char *const block[AA_TIMERS] = {"aa_decide", "aa_tag_buf", "aa_flush_buf",
                                               "aa_notify", "aa_notify",  "aa_notify"};
  return timer < AA_TIMERS ? block[timer] : "?";
}

static const char *tell(aa_time *t, unsigned timer, const char *fmt, ...) AA_PRINTF(3, 4);
static const char *tell(aa_time *t, unsigned timer, const char *fmt, ...) {
  va_list ap;
  int k = snprintf(t->text, sizeof t->text, "%s ", aa_timer_name(timer));
  va_start(ap, fmt);
  if (k > 0 && (size_t)k < sizeof t->text) vsnprintf(t->text + k, sizeof t->text - (size_t)k, fmt, ap);
  va_end(ap);
  return aa_timer_block(timer);
}

/* ---- how late ---------------------------------------------------------------------------------------------------- */

static uint32_t lag_of_lane(const aa *m) { return AA_TIME_WAKE + AA_TIME_LANE * 2 * m->cfg.NumPorts; }
static uint32_t lag_of_tag(const aa *m) { return AA_TIME_CPL + AA_TIME_TAG * m->cfg.TagEntries; }
static uint32_t lag_of_waiter(const aa *m) { return AA_TIME_FLUSH + AA_TIME_WAITER + 2 * m->cfg.FlushWaiters; }
static uint32_t lag_of_log(const aa *m) { return AA_TIME_NOTIFY + (m->cfg.NumLogs > 4 ? m->cfg.NumLogs : 4); }
/* Three ticks, of which there is one every half AA_WDOG. */
static uint64_t patience(uint32_t wdog) { return 3 * (uint64_t)(wdog > 3 ? wdog / 2 : 1); }

/* Counts a free cycle of what is due; true when there were too many. */
static bool overdue(aa_due *d, bool due, bool free, uint32_t limit) {
  if (!due) {
    d->lag = 0;
    return false;
  }
  d->lag += free;
  return d->lag > limit;
}

static void credit(aa_due *d, uint32_t cycles) { d->lag -= d->lag < cycles ? d->lag : cycles; }

static void fired(aa_time *t, unsigned timer, uint32_t lag) {
  t->count[timer].fired++;
  if (lag > t->count[timer].latest) t->count[timer].latest = lag;
}

static bool ran_out(const aa_limit *l, uint64_t age) {
  return (l->value && age >= l->value) || (l->grace && l->before && age >= l->before);
}

/* TMO-5. */
static void limit_set(aa_limit *l, uint32_t value, uint32_t grace) {
  if (value == l->value) return;
  if (!l->grace) l->before = 0;
  if (l->value && (!l->before || l->value < l->before)) l->before = l->value;
  l->value = value;
  l->grace = grace;
}

/* ---- before a record: is it too early? --------------------------------------------------------------------------- */

/* TMO-1. */
static const char *early_decision(aa_time *t, aa *m, const aa_retire_rec *r) {
  aa_time_lane *l = &t->lane[r->lane & 7u];
  if (!r->flag) {
    t->count[AA_TIMER_WDOG].stopped += l->first && m->wdog;
    return NULL;
  }
  fired(t, AA_TIMER_WDOG, l->end.lag);
  if (!l->first)
    return tell(t, AA_TIMER_WDOG, "of lane %u\ngot  a record given up in cycle %" PRIu64 "\nwant room waited for",
                r->lane, m->now);
  if (m->now >= l->first + l->least) return NULL;
  return tell(t, AA_TIMER_WDOG,
              "of lane %u, whose wait began in cycle %" PRIu64 " or later (AA_WDOG %" PRIu32
              ")\ngot  a record given up in cycle %" PRIu64 "\nwant not before cycle %" PRIu64,
              r->lane, l->first, l->least, m->now, l->first + l->least);
}

/* TMO-2. */
static const char *early_timeout(aa_time *t, aa *m, const aa_retire_rec *r) {
  const aa_tag *e = &m->tags.tag[r->idx];
  if (r->flag || !e->live) return NULL;
  bool ended = e->reset || (m->fn_go && aa_tag_rid(e->key) == m->fn_rid);
  bool right = r->code ? ran_out(&t->cpl, (m->now - e->since) / 2) : ended || ran_out(&t->cpl, m->now - e->since);
  if (!ended || r->code) fired(t, AA_TIMER_CPL, t->tag[r->idx].due.lag);
  if (right) return NULL;
  return tell(t, AA_TIMER_CPL,
              "of tag entry %u, decided in cycle %" PRIu64 "\ngot  RetTimeout, code %u, in cycle %" PRIu64
              "\nwant not before cycle %" PRIu64,
              r->idx, e->since, r->code, m->now, e->since + ((uint64_t)t->cpl.value << (r->code == 1)));
}

/* TMO-3, TMO-4. */
static const char *early_note(aa_time *t, aa *m, const aa_retire_rec *r) {
  if (r->code == AA_NOTE_FLUSH && r->idx < m->flush.waiters) {
    const aa_waiter *w = &m->flush.waiter[r->idx];
    bool by_time = r->flag && !w->torn && !r->slot;
    if (by_time) fired(t, AA_TIMER_FLUSH, t->waiter[r->idx].lag);
    t->count[AA_TIMER_FLUSH].stopped += !by_time && t->flush.value;
    if (!by_time || !w->live || ran_out(&t->flush, m->now - w->since)) return NULL;
    return tell(t, AA_TIMER_FLUSH,
                "of waiter %u, held in cycle %" PRIu64 "\ngot  given up in cycle %" PRIu64
                "\nwant not before cycle %" PRIu64,
                r->idx, w->since, m->now, w->since + t->flush.value);
  }
  if (r->idx >= m->logs.num) return NULL;
  const aa_log *g = &m->logs.log[r->idx];
  aa_time_log *l = &t->log[r->idx];
  uint64_t cycles = g->time & AA_LOG_TIME_CYCLES_MASK;
  if (r->code == AA_NOTE_PTR) fired(t, AA_TIMER_POINTER, l->ptr.lag);
  if (r->code != AA_NOTE_MSI) return NULL;
  if (aa_notify_msi(g, 0)) {
    fired(t, AA_TIMER_FREE, l->free.lag);
    return NULL;
  }
  fired(t, AA_TIMER_INTERVAL, l->end.lag);
  if (m->now >= g->since + cycles) return NULL;
  return tell(t, AA_TIMER_INTERVAL,
              "of log %u, begun in cycle %" PRIu64 " (CYCLES %" PRIu64 ")\ngot  NoteMsi in cycle %" PRIu64
              "\nwant not before cycle %" PRIu64,
              r->idx, g->since, cycles, m->now, g->since + cycles);
}

/* TMO-6. */
static const char *early_walk(aa_time *t, aa *m, const aa_retire_rec *r) {
  const aa_queue *l = &m->lane[r->lane & 7u];
  uint32_t pos = (r->idx - l->head) & 0xffu;
  aa_tlb_way *where;
  aa_xlate x;
  if (pos >= l->tail - l->head) return NULL;
  const aa_lookup *k = &aa_queue_at(l, l->head + pos)->req.look;
  if (aa_xlt_peek(&m->xlt, k, &x, &where) == AA_HIT_MISS) return NULL;
  t->hit_walks++;
  if (m->now <= t->changed + AA_TIME_LOOKUP) return NULL;
  snprintf(t->text, sizeof t->text,
           "look-up of %x %" PRIx64 "\ngot  a walk in cycle %" PRIu64
           "\nwant a hit: it is in the caches since cycle %" PRIu64 " or before",
           k->sid, k->iova, m->now, t->changed);
  return "aa_xlt";
}

/* The counters of time: 32 counts every cycle, the others some; a write clears what its own cycle counts too. CNT-1. */
static const char *counted(aa_time *t, const aa *m, const aa_retire_rec *r) {
  uint32_t n = ((uint32_t)r->a - AA_REG_CNT) / 8 - AA_CNT_TIME_FIRST;
  if (n > AA_CNT_TIME_LAST - AA_CNT_TIME_FIRST || !m->cfg.ActiveAccess) return NULL;
  uint64_t all = m->now - t->cnt[n].from, least = n ? t->cnt[n].last : all;
  t->time_reads++;
  t->cnt[n].last = r->b;
  if (r->b >= least && r->b <= all) return NULL;
  snprintf(t->text, sizeof t->text,
           "counter %" PRIu32 ", zero since cycle %" PRIu64 ", read in cycle %" PRIu64 "\ngot  %" PRIu64
           "\nwant %" PRIu64 " to %" PRIu64,
           n + AA_CNT_TIME_FIRST, t->cnt[n].from, m->now, r->b, least, all);
  return "cm_count";
}

const char *aa_time_before(aa_time *t, aa *m, const aa_retire_rec *r) {
  if (!t->on) return NULL;
  switch (r->kind) {
    case AA_RET_REG_READ: return counted(t, m, r);
    case AA_RET_WALK: return early_walk(t, m, r);
    case AA_RET_DECIDE: return early_decision(t, m, r);
    case AA_RET_TIMEOUT: return r->idx < m->cfg.TagEntries ? early_timeout(t, m, r) : NULL;
    case AA_RET_NOTIFY: return early_note(t, m, r);
    case AA_RET_CPL:
      if ((r->code == AA_CPL_LAST || r->code == AA_CPL_ERROR) && t->cpl.value) t->count[AA_TIMER_CPL].stopped++;
      if (r->code != AA_CPL_MORE && r->code != AA_CPL_LAST && r->code != AA_CPL_ERROR && m->cpl.head != m->cpl.tail)
        t->dropping += aa_queue_at(&m->cpl, m->cpl.head)->t.ndw / (m->cfg.DataW / 32) + 2;
      return NULL;
    default: return NULL;
  }
}

/* ---- after a record ---------------------------------------------------------------------------------------------- */

static void lane_done(aa_time *t, aa *m, const aa_retire_rec *r) {
  aa_queue *q = &m->lane[r->lane];
  aa_time_lane *l = &t->lane[r->lane & 7u];
  const tlp *done = &aa_queue_at(q, q->head - 1)->t; /* still there */
  *l = (aa_time_lane){0};
  if (done->ndw) {
    uint64_t from = t->moving > m->now ? t->moving : m->now;
    t->moving = from + done->ndw / (m->cfg.DataW / 32) + 2;
  }
}

static void access(aa_time *t) {
  t->access = 0;
  for (unsigned i = 0; i < 8; i++) {
    credit(&t->lane[i].begin, AA_TIME_ACCESS);
    credit(&t->lane[i].end, AA_TIME_ACCESS);
  }
}

/* aa_notify has been busy with one log: the others wait. */
static void turn_taken(aa_time *t, const aa *m, uint32_t cycles) {
  for (unsigned i = 0; i < m->logs.num; i++) {
    aa_time_log *l = &t->log[i];
    credit(&l->begin, cycles);
    credit(&l->end, cycles);
    credit(&l->free, cycles);
    credit(&l->ptr, cycles);
  }
}

/* A write of LP_CONS that was accepted (it is in the model): what was picked of its log is dropped and looked at anew.
 * That was an MSI's visit, for which a pointer had to wait: once, since behind the write the pointer comes first. */
static void consumed(aa_time *t, const aa *m, const aa_retire_rec *r) {
  uint32_t at = (uint32_t)r->a - AA_REG_LP_CONS, log = at / AA_REG_LP_CONS_STRIDE;
  if (at % AA_REG_LP_CONS_STRIDE || log >= m->logs.num || m->logs.log[log].since != m->now) return;
  turn_taken(t, m, AA_TIME_STALE);
  aa_time_log *l = &t->log[log];
  l->end.lag = l->free.lag = 0;
  if (l->again || !aa_notify_ptr(&m->logs.log[log])) return;
  l->ptr.lag = 0;
  l->again = true;
}

static void written(aa_time *t, aa *m) {
  limit_set(&t->cpl, m->cpl_tmo, lag_of_tag(m));
  limit_set(&t->flush, m->flush_tmo, lag_of_waiter(m));
  if (m->wdog == t->wdog) return;
  t->wdog = m->wdog;
  for (unsigned i = 0; i < 8; i++) {
    aa_time_lane *l = &t->lane[i];
    if (l->first && !l->least && m->wdog) l->first = m->now; /* nothing was counted before */
    if (l->first && m->wdog && (!l->least || m->wdog < l->least)) l->least = m->wdog;
    if (l->last) l->last = m->now;
    l->end.lag = 0;
  }
}

void aa_time_after(aa_time *t, aa *m, const aa_retire_rec *r) {
  t->stirred = true;
  switch (r->kind) {
    case AA_RET_DECIDE:
      if (r->code != AA_OUT_FLUSH && m->tags.tag[r->idx].live && m->tags.tag[r->idx].since == m->now) {
        t->tag[r->idx].killed = false;
        t->tag[r->idx].due.lag = 0;
      }
      lane_done(t, m, r);
      break;
    case AA_RET_FILL: t->changed = m->now; break;
    case AA_RET_TIMEOUT:
      t->tag[r->idx].due.lag = 0;
      break; /* its quarantine begins, or its read goes on without the log */
    case AA_RET_NOTIFY:
      for (unsigned i = 0; i < m->flush.waiters; i++) credit(&t->waiter[i], AA_TIME_WAITER);
      turn_taken(t, m, AA_TIME_NOTE);
      for (unsigned i = 0; i < m->logs.num; i++) {
        aa_time_log *l = &t->log[i];
        /* A visit to a log serves one of its notifications: what else is due there waits for the next. */
        if (i == r->idx && (r->code == AA_NOTE_PTR || r->code == AA_NOTE_MSI || r->code == AA_NOTE_TASK))
          l->end.lag = l->free.lag = l->ptr.lag = l->again = 0;
      }
      break;
    case AA_RET_REG_WRITE:
      if (r->idx && (uint32_t)r->a >= AA_REG_CNT + 8 * AA_CNT_TIME_FIRST &&
          (uint32_t)r->a <= AA_REG_CNT + 8 * AA_CNT_TIME_LAST) {
        unsigned n = ((uint32_t)r->a - AA_REG_CNT) / 8 - AA_CNT_TIME_FIRST;
        t->cnt[n].from = m->now + 1;
        t->cnt[n].last = 0;
      }
      consumed(t, m, r);
      written(t, m);
      access(t);
      break;
    case AA_RET_REG_READ:
    case AA_RET_INVAL: access(t); break;
    default: break;
  }
}

void aa_time_reset(aa_time *t, const aa *m, unsigned port) {
  for (unsigned i = 0; i < m->cfg.TagEntries; i++)
    if (m->tags.tag[i].live && m->tags.tag[i].port == port) t->tag[i].killed = true;
}

/* ---- at the end of a cycle: is something too late? --------------------------------------------------------------- */

static const char *late(aa_time *t, unsigned timer, const aa *m, uint32_t limit, const char *what, unsigned n) {
  return tell(t, timer,
              "of %s %u\ngot  nothing in cycle %" PRIu64 ", %" PRIu32
              " free cycles after it was due\nwant it within %" PRIu32,
              what, n, m->now, limit + 1, limit);
}

/* STR-3, TMO-1. */
static const char *lane_cycle(aa_time *t, aa *m, unsigned i, unsigned busy) {
  aa_queue *q = &m->lane[i];
  aa_time_lane *l = &t->lane[i];
  uint32_t limit = lag_of_lane(m);
  bool ready = q->head != q->xl && aa_in_order(m, i);
  if (t->stirred && ready) {
    aa_slot *s = aa_queue_at(q, q->head);
    s->req.t = &s->t;
    l->lacks = aa_decide_lacks(m, &s->req, &s->xl);
  }
  if (!ready) return NULL; /* an invalidation made it forget its translation, and it waits on */
  if (!(l->lacks & AA_LACKS_SPACE)) {
    l->last = 0;
    l->begin.lag = l->end.lag = 0;
    return NULL;
  }
  if (!l->first) {
    l->first = m->now + 1;
    l->least = m->wdog;
  }
  unsigned others = AA_SHOWN_HOST | AA_SHOWN_WRITE | AA_TIME_UNDER_WAY;
  if (i & 1) others |= AA_SHOWN_DEV | AA_SHOWN_NO_NP | AA_TIME_UNDER_WAY << 1;
  bool free = !(busy & others) && l->lacks == AA_LACKS_SPACE && t->access == AA_TIME_ACCESS && m->now >= t->moving;
  t->free[AA_TIMER_WDOG] += free;
  if (!l->last) {
    l->begin.lag += free;
    if (l->begin.lag > limit) l->last = m->now;
    return NULL;
  }
  if (!overdue(&l->end, m->wdog && m->now >= l->last + patience(m->wdog), free, limit)) return NULL;
  return late(t, AA_TIMER_WDOG, m, limit, "lane", i);
}

/* TMO-2. */
static const char *tag_cycle(aa_time *t, aa *m, bool free) {
  uint32_t limit = lag_of_tag(m);
  const bool used = aa_tag_used(&m->tags);
  t->free[AA_TIMER_CPL] += free;
  if (free && t->cpl.grace) t->cpl.grace--;
  for (unsigned i = 0; used && i < m->cfg.TagEntries; i++) {
    const aa_tag *e = &m->tags.tag[i];
    const aa_log *g = &m->logs.log[e->place.log];
    bool due = e->live && ((m->cpl_tmo && (m->now - e->since) >> e->dead >= m->cpl_tmo) ||
                           (!e->dead && (t->tag[i].killed || e->reset || (e->must && m->fn_go))) ||
                           (e->logged && (g->closing || aa_log_failed(g))));
    if (overdue(&t->tag[i].due, due, free, limit)) return late(t, AA_TIMER_CPL, m, limit, "tag entry", i);
  }
  return NULL;
}

/* TMO-3. */
static const char *waiter_cycle(aa_time *t, aa *m, bool free) {
  uint32_t limit = lag_of_waiter(m);
  t->free[AA_TIMER_FLUSH] += free;
  if (free && t->flush.grace) t->flush.grace--;
  for (unsigned i = 0; m->flush.used && i < m->flush.waiters; i++) {
    const aa_waiter *w = &m->flush.waiter[i];
    bool due = w->live && (w->torn || w->reset || w->must || aa_flush_drained(w, m->logs.log[w->log].cons) ||
                           (m->flush_tmo && m->now - w->since >= m->flush_tmo));
    if (overdue(&t->waiter[i], due, free, limit)) return late(t, AA_TIMER_FLUSH, m, limit, "waiter", i);
  }
  return NULL;
}

/* TMO-4. */
static const char *log_cycle(aa_time *t, aa *m, unsigned i, bool free) {
  const aa_log *g = &m->logs.log[i];
  aa_time_log *l = &t->log[i];
  uint32_t limit = lag_of_log(m);
  uint64_t cycles = g->time & AA_LOG_TIME_CYCLES_MASK;
  if (overdue(&l->ptr, aa_notify_ptr(g), free, limit)) return late(t, AA_TIMER_POINTER, m, limit, "log", i);
  bool low = aa_notify_msi(g, 0);
  if (overdue(&l->free, low, free, limit)) return late(t, AA_TIMER_FREE, m, limit, "log", i);
  if (l->first && (!g->unread || l->first != g->since + 1)) {
    t->count[AA_TIMER_INTERVAL].stopped += g->armed && cycles;
    l->first = 0;
  }
  if (!g->en || !g->unread) return NULL;
  if (!l->first) {
    l->first = g->since + 1;
    l->last = 0;
    l->begin.lag = l->end.lag = 0;
  }
  if (!l->last) {
    l->begin.lag += free;
    if (l->begin.lag > limit) l->last = m->now;
    return NULL;
  }
  bool due = !low && m->now >= l->last + cycles && aa_notify_msi(g, ~0ull);
  return overdue(&l->end, due, free, limit) ? late(t, AA_TIMER_INTERVAL, m, limit, "log", i) : NULL;
}

const char *aa_time_cycle(aa_time *t, aa *m, unsigned busy) {
  const char *block = NULL;
  bool closing = false;
  if (t->access < AA_TIME_ACCESS) t->access++;
  t->on = true;
  t->cycles++;
  for (unsigned i = 0; !block && i < 2 * m->cfg.NumPorts; i++)
    if (m->lane[i].head != m->lane[i].tail) block = lane_cycle(t, m, i, busy);
  t->stirred = false;
  bool drops = t->dropping != 0;
  if (drops && !(busy & AA_SHOWN_DEV)) t->dropping--;
  if (!block) block = tag_cycle(t, m, !drops && !(busy & (AA_SHOWN_DEV | AA_TIME_UNDER_WAY << 1)));
  if (!block) block = waiter_cycle(t, m, !(busy & AA_SHOWN_DEV));
  for (unsigned i = 0; i < m->logs.num; i++) closing = closing || m->logs.log[i].closing;
  bool free = !(busy & AA_TIME_UNDER_WAY << 2) && (!closing || t->access == AA_TIME_ACCESS);
  for (unsigned i = AA_TIMER_INTERVAL; i < AA_TIMERS; i++) t->free[i] += free;
  for (unsigned i = 0; !block && i < m->logs.num; i++)
    if (m->logs.log[i].en) block = log_cycle(t, m, i, free);
  m->now++;
  return block;
}

void aa_time_begin(aa_time *t, const aa *m) {
  const uint32_t limit[AA_TIMERS] = {lag_of_lane(m), lag_of_tag(m), lag_of_waiter(m),
                                     lag_of_log(m),  lag_of_log(m), lag_of_log(m)};
  *t = (aa_time){.access = AA_TIME_ACCESS, .cpl.value = m->cpl_tmo, .flush.value = m->flush_tmo, .wdog = m->wdog};
  for (unsigned i = 0; i < AA_TIMERS; i++) t->count[i].limit = limit[i];
}
