// SPDX-License-Identifier: Apache-2.0
// Progress, and the one loop in which everything waits.
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <time.h>

#include "internal.h"

enum { IDLE_NS = 50000 };

// ---- progress
bool toc_i_progress(toc_i_fabric *f, uint64_t until) {
  bool moved = f->be->progress(f->self);
  for (unsigned i = 0; i < f->nodes; i++)
    for (unsigned p = 0; p < f->node[i].procs_reach; p++)
      if (f->node[i].proc[p] && toc_i_events(f->node[i].proc[p])) moved = true;
  if (f->probe) f->probe(f);
  if (until) toc_i_automatic(f, until);
  return moved;
}

uint64_t toc_i_deadline(toc_i_fabric *f, uint64_t timeout_us) {
  uint64_t now = f->be->now(f->self);
  if (!timeout_us) timeout_us = f->o.timeout_us;
  return timeout_us >= (UINT64_MAX - now) / 1000 ? UINT64_MAX : now + timeout_us * 1000;
}

bool toc_progress(toc_fabric *h_f) {
  OBJECT_OR(fabric, f, false);
  toc_i_lock(f);
  bool moved = toc_i_progress(f, toc_i_deadline(f, 0));
  toc_i_fault_events(f);
  toc_i_unlock(f);
  return moved;
}

// ---- waiting
static toc_status late(toc_i_fabric *f, const char *what, uint64_t n, const char *unit) {
  char stuck[120];
  toc_i_stuck(f, stuck, sizeof stuck);
  return toc_i_fail(TOC_E_TIMEOUT, "%s %llu %s%s", what, (unsigned long long)n, unit, stuck);
}

/* Simulated time passes as fast as the machine simulates, and nothing but time passes when nothing moves. As long as
 * the program may be about to do something, in a handler or in another thread, an idle turn is made to take longer than
 * the time that it simulates: a time-out must not be over before the others have had a chance. */
static bool is_early(toc_i_fabric *f, bool moved) {
  if (moved || !f->be->in_process) return false;
  if (f->out) return true;
  if (!f->others) return false;
  f->others--;
  return true;
}

bool toc_i_rest(toc_i_fabric *f, int kick, int ms) {
  int fd = f->be->rest ? f->be->rest(f->self) : -1;
  struct pollfd p[2] = {{.fd = fd, .events = POLLIN}, {.fd = kick, .events = POLLIN}};
  if (fd < 0) return false;
  toc_i_unlock(f);
  (void)poll(p, 2, ms);
  toc_i_lock(f);
  return true;
}

static toc_status wait_until(toc_i_fabric *f, toc_i_cond *done, void *ctx, uint64_t timeout_us, bool autos) {
  uint64_t patient_since = 0, then = 0, until = toc_i_deadline(f, timeout_us);
  for (unsigned turn = 0;; turn++) {
    if (done(ctx)) return TOC_OK;
    f->turns++;
    bool moved = toc_i_progress(f, autos ? until : 0);
    if (done(ctx)) return TOC_OK;
    if (f->be->now(f->self) >= until) return late(f, "not within", timeout_us ? timeout_us : f->o.timeout_us, "us");
    if (moved) patient_since = 0;
    bool rested = !moved && toc_i_rest(f, -1, 1), early = !rested && is_early(f, moved);
    if (!rested && !early && turn % 64 != 63 && (f->be->in_process || turn < 1024))
      continue; /* hardware is quick, or slow */
    uint64_t ms = toc_i_clock_ms();
    if (!patient_since) {
      patient_since = ms;
      then = f->be->now(f->self);
    }
    if (f->be->in_process && ms - patient_since > f->o.patience_ms) {
      if (f->be->now(f->self) == then) {
        f->dead = true;
        return toc_i_fail(TOC_E_DEAD, "backend %s: its time stands still for %u ms", f->be->name, f->o.patience_ms);
      }
      if (until != UINT64_MAX) return late(f, "nothing has moved for", f->o.patience_ms, "ms of real time");
      patient_since = 0;
    }
    if (rested) continue;
    toc_i_unlock(f);  // the others' turn
    nanosleep(&(struct timespec){.tv_nsec = early ? IDLE_NS : f->be->in_process ? 0 : 20000}, NULL);
    toc_i_lock(f);
  }
}

toc_status toc_i_wait(toc_i_fabric *f, toc_i_cond *done, void *ctx, uint64_t timeout_us, bool autos) {
  bool was = toc_i_inside(f);
  toc_status s = wait_until(f, done, ctx, timeout_us, autos);
  toc_i_outside(f, was);
  return s;
}

typedef struct word {
  const volatile uint64_t *at;
  uint64_t mask, want;
} word;

static bool word_is(void *ctx) {
  const word *w = ctx;
  return (toc_load(w->at) & w->mask) == w->want;
}

toc_status toc_wait_word(toc_fabric *h_f, const volatile uint64_t *at, uint64_t mask, uint64_t want,
                         uint64_t timeout_us) {
  OBJECT(fabric, f);
  NEED(at);
  word w = {at, mask, want};
  toc_i_lock(f);
  toc_status s = toc_i_wait(f, word_is, &w, timeout_us, true);
  toc_i_unlock(f);
  return s;
}
