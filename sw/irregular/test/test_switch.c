// SPDX-License-Identifier: Apache-2.0
// The switch of stacks itself, without a scheduler: what it keeps, what belongs to the thread, where a backtrace ends.
// also: ucontext
#define _GNU_SOURCE
#include <execinfo.h>
#include <fenv.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "switch.h"

enum { BYTES = 65536 };

typedef struct pair {
  void *main, *other;
  unsigned visits;
  int depth, blocked;
  void *last;
} pair;

// More values than there are registers, all of them wanted after the switch.
static __attribute__((noinline)) uint64_t keep(void **from, void *const *to, uint64_t x, double *reals) {
  uint64_t a = x * 3, b = x * 5, c = x * 7, d = x * 11, e = x * 13, f = x * 17, g = x * 19, h = x * 23;
  double p = (double)x * 0.5, q = (double)x * 0.25, r = (double)x * 0.125, s = (double)x * 2;
  __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  __asm__ volatile("" : "+r"(e), "+r"(f), "+r"(g), "+r"(h));
  irr_context_switch(from, *to);
  *reals = p + q + r + s;
  return a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4 ^ f << 5 ^ g << 6 ^ h << 7;
}

static uint64_t kept(uint64_t x) {
  return (x * 3) ^ (x * 5) << 1 ^ (x * 7) << 2 ^ (x * 11) << 3 ^ (x * 13) << 4 ^ (x * 17) << 5 ^ (x * 19) << 6 ^
         (x * 23) << 7;
}

static void other(void *arg) {
  pair *p = arg;
  void *frames[64];
  double reals;
  p->depth = backtrace(frames, 64);
  CHECK(fegetround() == FE_TONEAREST);
  fesetround(FE_UPWARD);
  for (uint64_t i = 1;; i++) {
    p->visits++;
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    p->blocked = sigismember(&now, SIGUSR1);
    CHECK(keep(&p->other, &p->main, ~i, &reals) == kept(~i));
    CHECK(fegetround() == FE_UPWARD);
  }
}

static void registers(pair *p) {
  for (uint64_t i = 1; i <= 100; i++) {
    double reals, want = (double)i * 2.875;
    CHECK(keep(&p->main, &p->other, i, &reals) == kept(i));
    CHECK(reals >= want && reals <= want);
    CHECK(fegetround() == FE_TONEAREST);
  }
  CHECK(p->visits == 100);
}

// Each context has its own rounding mode.
static void rounding(pair *p) {
  fesetround(FE_DOWNWARD);
  irr_context_switch(&p->main, p->other);
  CHECK(fegetround() == FE_DOWNWARD);
  fesetround(FE_TONEAREST);
  irr_context_switch(&p->main, p->other);
  CHECK(fegetround() == FE_TONEAREST);
}

// The signal mask is the thread's, whoever runs.
static void mask(pair *p) {
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  irr_context_switch(&p->main, p->other);
  CHECK(p->blocked == 1);
  sigprocmask(SIG_SETMASK, NULL, &now);
  CHECK(sigismember(&now, SIGUSR1) == 1);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  irr_context_switch(&p->main, p->other);
  CHECK(p->blocked == 0);
  sigprocmask(SIG_SETMASK, NULL, &now);
  CHECK(sigismember(&now, SIGUSR1) == 0);
}

// Where the stack of a context begins, 16 bytes are aligned: a program that keeps vectors there would
// not live otherwise.
static void aligned(void *arg) {
  pair *p = arg;
  double vector[2] __attribute__((aligned(16))) = {1, 2};
  double *volatile at = vector;
  p->last = at;
  irr_context_switch(&p->other, p->main);
}

int main(void) {
  char *stack = malloc(BYTES);
  pair p = {0};
  if (!stack) return 1;
  for (size_t odd = 0; odd < 64; odd += 8) {
    p.other = irr_context_new(stack + BYTES - odd, BYTES - odd, aligned, &p);
    irr_context_switch(&p.main, p.other);
    CHECK((uintptr_t)p.last % 16 == 0);
  }
  p.other = irr_context_new(stack + BYTES, BYTES, other, &p);
  registers(&p);
  CHECK(p.depth > 0 && p.depth < 8);
  rounding(&p);
  mask(&p);
  free(stack);
  return report();
}
