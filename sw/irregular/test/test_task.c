// SPDX-License-Identifier: Apache-2.0
// Tasks of one scheduler: order, fairness, block and wake, errors by name.
// also: tsan valgrind ucontext
#define _GNU_SOURCE
#include <fenv.h>

#include "tasks.h"

typedef struct log {
  unsigned n;
  uint64_t at[64];
} log;

static void note(log *l, uint64_t x) { l->at[l->n++ % 64] = x; }

// ---- tasks begin in the order of their spawning, and yield in turn
static void turn(irr_sched *s, irr_args *a) {
  for (uint64_t i = 0; i < 3; i++) {
    note(a->w[0].p, 10 * a->w[1].u + i);
    irr_yield(s);
  }
}

static void order(void) {
  irr_sched *s;
  log l = {0};
  OK(irr_open(&(irr_options){.poll_every = 1}, &s));
  for (uint64_t i = 0; i < 5; i++) OK(irr_spawn(s, turn, ARGS(P(&l), U(i)), NULL));
  EQ(l.n, 0);  // nothing runs before irr_run
  EQ(irr_left(s), 5);
  OK(irr_run(s));
  EQ(irr_left(s), 0);
  EQ(l.n, 15);
  uint64_t next[5] = {0};
  unsigned begun = 0;
  for (unsigned i = 0; i < l.n; i++) {
    uint64_t who = l.at[i] / 10, step = l.at[i] % 10;
    EQ(step, next[who]++);
    if (!step) EQ(who, begun++);
  }
  irr_close(s);
}

// ---- n tasks that are ready have their turn once each before anybody has a second one
typedef struct ring {
  unsigned n, started, wrong;
  uint64_t turns[100];
} ring;

static void fair(irr_sched *s, irr_args *a) {
  ring *r = a->w[0].p;
  r->started++;
  while (r->started < r->n) irr_yield(s);
  irr_yield(s);
  for (unsigned i = 0; i < 50; i++) {
    uint64_t mine = ++r->turns[a->w[1].u];
    for (unsigned k = 0; k < r->n; k++) r->wrong += r->turns[k] + 1 < mine || r->turns[k] > mine + 1;
    irr_yield(s);
  }
}

static void fairness(unsigned prefetch) {
  irr_sched *s;
  ring r = {.n = 100};
  OK(irr_open(&(irr_options){.prefetch = prefetch}, &s));
  for (uint64_t i = 0; i < r.n; i++) OK(irr_spawn(s, fair, ARGS(P(&r), U(i)), NULL));
  OK(irr_run(s));
  EQ(r.wrong, 0);
  for (unsigned i = 0; i < r.n; i++) EQ(r.turns[i], 50);
  irr_close(s);
}

// ---- tasks that only yield keep neither the hook nor one that has not begun waiting
typedef struct starve {
  bool stop, polled;
  uint64_t yields, at_poll;
} starve;

static void yields(irr_sched *s, irr_args *a) {
  starve *v = a->w[0].p;
  while (!v->stop) {
    v->yields++;
    irr_yield(s);
    if (v->yields > 1000000) return;
  }
}
static void stops(irr_sched *s, irr_args *a) {
  (void)s;
  ((starve *)a->w[0].p)->stop = true;
}
static bool polled(void *arg) {
  starve *v = arg;
  if (!v->polled) v->at_poll = v->yields;
  v->polled = v->yields > 0;
  return false;
}
static void spawns_last(irr_sched *s, irr_args *a) {
  OK(irr_spawn(s, yields, a, NULL));
  OK(irr_spawn(s, yields, a, NULL));
  irr_yield(s);
  OK(irr_spawn(s, stops, a, NULL));
  yields(s, a);
}

static void until_polled(irr_sched *s, irr_args *a) {
  starve *v = a->w[0].p;
  while (!v->polled && v->yields++ < 1000000) irr_yield(s);
}

static void starvation(void) {
  irr_sched *s;
  starve v = {0};
  OK(irr_open(&(irr_options){.poll_every = 32}, &s));
  irr_on_poll(s, polled, &v);
  OK(irr_spawn(s, spawns_last, ARGS(P(&v)), NULL));
  OK(irr_run(s));
  CHECK(v.stop && v.polled);
  CHECK(v.yields <= 3 * 32);
  v = (starve){0};
  for (int i = 0; i < 2; i++) OK(irr_spawn(s, until_polled, ARGS(P(&v)), NULL));
  OK(irr_run(s));
  CHECK(v.at_poll > 0 && v.at_poll <= 2 * 32);
  irr_close(s);
}

// ---- a wake before and after the block
typedef struct pair {
  irr_task *sleeper;
  unsigned before, after;
} pair;

static void sleeper(irr_sched *s, irr_args *a) {
  pair *p = a->w[0].p;
  p->sleeper = irr_self(s);
  irr_wake(s, p->sleeper);
  irr_block(s);  // returns at once
  p->before = p->after;
  irr_block(s);
  p->after += 10;
}
static void waker(irr_sched *s, irr_args *a) {
  pair *p = a->w[0].p;
  p->after++;
  irr_wake(s, p->sleeper);
}

static void wakes(void) {
  irr_sched *s;
  pair p = {0};
  OK(irr_open(NULL, &s));
  OK(irr_spawn(s, sleeper, ARGS(P(&p)), NULL));
  OK(irr_spawn(s, waker, ARGS(P(&p)), NULL));
  OK(irr_run(s));
  EQ(p.before, 0);
  EQ(p.after, 11);
  CHECK(!irr_self(s));
  irr_close(s);
}

// ---- each task has its own rounding mode and begins with the caller's; what it leaves behind is nobody else's
static void rounds_up(irr_sched *s, irr_args *a) {
  unsigned *wrong = a->w[0].p;
  *wrong += fegetround() != FE_TONEAREST;
  fesetround(a->w[1].u % 2 ? FE_UPWARD : FE_DOWNWARD);
  for (int i = 0; i < 5; i++) {
    irr_yield(s);
    volatile double one = 1, three = 3, third = one / three;
    bool up =
        IRR_ON_VALGRIND ? fegetround() == FE_UPWARD : third > 0x1.5555555555555p-2;  // Valgrind rounds as it likes
    *wrong += up != (a->w[1].u % 2);
  }
}

static void rounding(void) {
  irr_sched *s;
  unsigned wrong = 0;
  OK(irr_open(NULL, &s));
  for (int times = 0; times < 2; times++) {
    for (uint64_t i = 0; i < 10; i++) OK(irr_spawn(s, rounds_up, ARGS(P(&wrong), U(i)), NULL));
    OK(irr_run(s));
  }
  EQ(wrong, 0);
  EQ(fegetround(), FE_TONEAREST);
  irr_close(s);
}

// ---- the signal mask is the thread's
static void masks(irr_sched *s, irr_args *a) {
  sigset_t set, now;
  (void)a;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  irr_yield(s);
  sigprocmask(SIG_SETMASK, NULL, &now);
  CHECK(sigismember(&now, SIGUSR1) == 1);
}

// ---- driven from outside, two schedulers in one thread
static void steps(void) {
  irr_sched *s[2];
  log l[2] = {{0}};
  unsigned times = 0;
  for (unsigned i = 0; i < 2; i++) {
    OK(irr_open(&(irr_options){.poll_every = 2}, &s[i]));
    for (uint64_t k = 0; k < 4; k++) OK(irr_spawn(s[i], turn, ARGS(P(&l[i]), U(k)), NULL));
  }
  while (irr_left(s[0]) || irr_left(s[1])) {
    unsigned before = l[0].n;
    irr_step(s[0]);
    CHECK(l[0].n <= before + 4);
    irr_step(s[1]);
    if (++times > 1000) break;
  }
  EQ(l[0].n, 12);
  EQ(l[1].n, 12);
  CHECK(!irr_step(s[0]));
  irr_close(s[0]);
  irr_close(s[1]);
}

// ---- what has an error has a name
static void blocks(irr_sched *s, irr_args *a) {
  (void)a;
  irr_block(s);
}

static void errors(void) {
  irr_sched *s = (irr_sched *)&s;
  IS(irr_open(&(irr_options){.stack_bytes = 100}, &s), TOC_E_ARG);
  CHECK(!s && strstr(irr_why(), "stack_bytes is 100"));
  IS(irr_open(&(irr_options){.function_count = 3}, &s), TOC_E_ARG);
  CHECK(strstr(irr_why(), "functions is NULL"));
  IS(run_one(NULL, blocks, NULL), TOC_E_NOT_DONE);
  CHECK(strstr(irr_why(), "1 tasks are blocked"));
  OK(irr_open(&(irr_options){.tasks = 2}, &s));
  for (unsigned i = 0; i < 5; i++) OK(irr_spawn(s, blocks, NULL, NULL));
  IS(irr_run(s), TOC_E_FULL);
  CHECK(strstr(irr_why(), "all 2 stacks") && strstr(irr_why(), "3 others") && strstr(irr_why(), "irr_options.tasks"));
  irr_close(s);
  irr_close(NULL);
  OK(irr_open(&(irr_options){.stack_bytes = (size_t)1 << 46}, &s));
  OK(irr_spawn(s, blocks, NULL, NULL));
  IS(irr_run(s), TOC_E_NOMEM);
  CHECK(strstr(irr_why(), "no memory for 64 stacks"));
  EQ(irr_left(s), 1);
  irr_close(s);
}

int main(void) {
  order();
  fairness(0);
  fairness(1);
  fairness(IRR_NO_PREFETCH);
  starvation();
  wakes();
  rounding();
  OK(run_one(NULL, masks, NULL));
  steps();
  errors();
  return report();
}
