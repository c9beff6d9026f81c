// SPDX-License-Identifier: Apache-2.0
// The lock, and the code of the program (handlers, kernels) that runs without it: which thread is in it, and who waits
// until it has ended.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "internal.h"

enum { OTHERS = 20000 }; /* idle turns */

// ---- threads, and what they run
static _Thread_local toc_hand own;
static _Thread_local toc_hand *hired; /* a worker's, instead */

void toc_i_hire(toc_hand *h) { hired = h; }
toc_hand *toc_i_hand(void) { return hired ? hired : &own; }

// ---- the lock
void toc_i_lock(toc_i_fabric *f) {
  __atomic_fetch_add(&f->wanted, 1, __ATOMIC_RELAXED);
  int bad = pthread_mutex_lock(&f->lock);
  __atomic_fetch_sub(&f->wanted, 1, __ATOMIC_RELAXED);
  if (bad == EDEADLK) {
    fputs("tocsin: a listener (toc_see_fn) or a backend calls back into its own fabric\n", stderr);
    abort();
  }
  if (!toc_i_hand()->of && !pthread_equal(f->last, pthread_self())) {
    f->last = pthread_self();
    f->others = OTHERS;
  }
}

void toc_i_unlock(toc_i_fabric *f) { pthread_mutex_unlock(&f->lock); }

uint64_t toc_i_clock_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

// ---- the program's code
bool toc_i_run_is_mine(const toc_i_fabric *f, const toc_run *r) {
  const toc_hand *h = toc_i_hand();
  while (r->busy && h && r->by != h) h = h->of == f ? h->caller : NULL;
  return r->busy && h;
}

void toc_i_run_begin(toc_run *r) { *r = (toc_run){.busy = true, .by = toc_i_hand()}; }

void toc_i_run_end(toc_i_fabric *f, toc_run *r) {
  r->busy = false;
  pthread_cond_broadcast(&f->worked);
}

toc_i_fabric *toc_i_out_for(const toc_hand *h) { return __atomic_load_n(&h->out, __ATOMIC_RELAXED); }

static void set_out(toc_hand *h, toc_i_fabric *f) { __atomic_store_n(&h->out, f, __ATOMIC_RELAXED); }

void toc_i_out(toc_i_fabric *f, toc_run *r) {
  toc_hand *h = toc_i_hand();
  r->out = true;
  r->since_ms = toc_i_clock_ms();
  r->before = toc_i_out_for(h); /* a handler that runs handlers */
  if (r->before != f) f->out++;
  set_out(h, f);
  toc_i_unlock(f);
}

void toc_i_back(toc_i_fabric *f, toc_run *r) {
  toc_i_lock(f);
  if (r->before != f) f->out--;
  set_out(toc_i_hand(), r->before);
  r->out = false;
}

bool toc_i_inside(toc_i_fabric *f) {
  toc_hand *h = toc_i_hand();
  if (toc_i_out_for(h) != f) return false;
  set_out(h, NULL);
  f->out--;
  return true;
}

void toc_i_outside(toc_i_fabric *f, bool was) {
  if (!was) return;
  set_out(toc_i_hand(), f);
  f->out++;
}

bool toc_i_wait_ms(toc_i_fabric *f, uint64_t ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  uint64_t ns = (uint64_t)t.tv_nsec + ms * 1000000;
  t.tv_sec += (time_t)(ns / 1000000000);
  t.tv_nsec = (long)(ns % 1000000000);
  return pthread_cond_timedwait(&f->worked, &f->lock, &t) != ETIMEDOUT;
}

bool toc_i_pause(toc_i_fabric *f, uint64_t since_ms) {
  bool was = toc_i_inside(f), ended = toc_i_wait_ms(f, TOC_I_SLICE_MS);
  toc_i_outside(f, was);
  return ended || toc_i_clock_ms() - since_ms <= f->o.patience_ms;
}

toc_status toc_i_run_quiet(toc_i_fabric *f, const toc_run *r, const char *what) {
  uint64_t start = toc_i_clock_ms();
  while (r->busy)
    if (!toc_i_pause(f, start))
      return toc_i_fail(TOC_E_TIMEOUT, "%s has not ended within %u ms of real time", what, f->o.patience_ms);
  return TOC_OK;
}
