// SPDX-License-Identifier: Apache-2.0
#include "aa_reach.h"

#include "bench.h"
#include "tocsin/aa_time.h"

const point aa_reach_list[AT_NUM] = {AA_POINTS(POINT_OF)};

void aa_reach(const bench *b, unsigned point) {
  if (b->reached) b->reached[point]++;
}

static void decided(const bench *b, const aa_retire_rec *r) {
  aa_reach(b, AT_PASS + r->code);
  if (r->flag) aa_reach(b, AT_WDOG);
  if (r->a >> 32) aa_reach(b, AT_HIGH);
}

// A write that memory refuses, by whose it is.
static void refused(const bench *b, const aa_retire_rec *r) {
  aa_reach(b, r->slot == 0xFF ? AT_REFUSED_EVENT
              : r->flag       ? AT_REFUSED_PTR
              : r->idx == 2   ? AT_REFUSED_MSI
                              : AT_REFUSED_ENTRY);
}

static void notified(const bench *b, const aa_retire_rec *r) {
  static const uint8_t point[] = {
      [AA_NOTE_PTR] = AT_NOTE_PTR,           [AA_NOTE_MSI] = AT_NOTE_MSI,         [AA_NOTE_FAULT] = AT_NOTE_FAULT,
      [AA_NOTE_INV_DONE] = AT_NOTE_INV_DONE, [AA_NOTE_WAIT] = AT_NOTE_WAIT,       [AA_NOTE_TASK] = AT_NOTE_TASK,
      [AA_NOTE_FLUSH] = AT_NOTE_FLUSH,       [AA_NOTE_LOG_OFF] = AT_NOTE_LOG_OFF, [AA_NOTE_AXI_ERR] = AT_NOTE_AXI_ERR,
      [AA_NOTE_RESET] = AT_NOTE_RESET};
  if (r->code == AA_NOTE_AXI_ERR) refused(b, r);
  if (r->code == AA_NOTE_WAIT && r->flag) aa_reach(b, AT_WAIT_FAILED);
  if (r->code && r->code < sizeof point)
    aa_reach(b, r->code == AA_NOTE_FLUSH && r->flag ? AT_NOTE_FLUSH_LATE : point[r->code]);
}

static void completed(const bench *b, const aa_retire_rec *r) {
  static const uint8_t point[] = {AT_CPL_MORE, AT_CPL_LAST, AT_CPL_STRAY, AT_CPL_BAD, AT_CPL_ERR};
  if (r->code < sizeof point) aa_reach(b, point[r->code]);
}

static void invalidated(const bench *b, const aa_retire_rec *r) {
  static const uint8_t point[] = {AT_INV_QUEUE, AT_INV_CTX, AT_INV_TLB};
  if (r->flag)
    aa_reach(b, AT_INV_ERROR);
  else if (r->code < sizeof point)
    aa_reach(b, point[r->code]);
}

void aa_reach_retired(const bench *b, const aa_retire_rec *r) {
  switch (r->kind) {
    case AA_RET_WALK: aa_reach(b, AT_WALK); break;
    case AA_RET_XLATE: aa_reach(b, AT_HIT); break;
    case AA_RET_FILL:
      if (!r->flag) aa_reach(b, AT_FILL_AHEAD);
      break;
    case AA_RET_DECIDE: decided(b, r); break;
    case AA_RET_CPL: completed(b, r); break;
    case AA_RET_TIMEOUT: aa_reach(b, r->flag ? AT_ABORT : AT_TIMEOUT); break;
    case AA_RET_PUBLISH: aa_reach(b, AT_PUBLISH); break;
    case AA_RET_NOTIFY: notified(b, r); break;
    case AA_RET_INVAL: invalidated(b, r); break;
    default: break;
  }
}

void aa_reach_timers(const bench *b) {
  static const uint8_t point[AA_TIMERS][2] = {{AT_WDOG_OUT, AT_WDOG_STOP},   {AT_CPL_OUT, AT_CPL_STOP},
                                              {AT_FLUSH_OUT, AT_FLUSH_STOP}, {AT_INTERVAL_OUT, AT_INTERVAL_STOP},
                                              {AT_FREE_OUT, AT_FREE_OUT},    {AT_PTR_OUT, AT_PTR_OUT}};
  static const uint8_t free_of[] = {AT_FREE_WDOG, AT_FREE_CPL, AT_FREE_FLUSH, AT_FREE_NOTIFY};
  const aa_time *t = aa_lock_time(b->lock);
  if (!b->reached) return;
  for (unsigned i = 0; i < sizeof free_of; i++) b->reached[free_of[i]] += t->free[i];
  for (unsigned i = 0; i < AA_TIMERS; i++) {
    b->reached[point[i][0]] += t->count[i].fired;
    b->reached[point[i][1]] += t->count[i].stopped;
  }
  b->reached[AT_HIT_WALK] += t->hit_walks;
  b->reached[AT_TIME_READ] += t->time_reads;
}
