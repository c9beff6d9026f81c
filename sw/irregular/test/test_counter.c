// SPDX-License-Identifier: Apache-2.0
// Counters, futures and loops; every mistake dies by its name.
// also: tsan valgrind ucontext
#define _GNU_SOURCE
#include "tasks.h"

// ---- counters: all who wait go on at zero, and not before
typedef struct crowd {
  irr_counter c;
  unsigned done, early, through;
} crowd;

static void works(irr_sched *s, irr_args *a) {
  for (uint64_t i = 0; i < a->w[1].u % 5; i++) irr_yield(s);
  ((crowd *)a->w[0].p)->done++;
}
static void waits(irr_sched *s, irr_args *a) {
  crowd *w = a->w[0].p;
  irr_wait(s, &w->c);
  w->early += w->done < 100;
  w->through++;
}
static void counts(irr_sched *s, irr_args *a) {
  crowd *w = a->w[0].p;
  irr_counter_init(&w->c, s);
  irr_wait(s, &w->c);  // zero from the beginning
  irr_enroll(s, &w->c, 3);
  for (int i = 0; i < 10; i++) OK(irr_spawn(s, waits, a, NULL));
  for (uint64_t i = 0; i < 100; i++) OK(irr_spawn(s, works, ARGS(P(w), U(i)), &w->c));
  irr_complete(s, &w->c);
  irr_complete(s, &w->c);
  irr_complete(s, &w->c);
  irr_wait(s, &w->c);
  EQ(w->done, 100);
  irr_enroll(s, &w->c, INT64_MAX);  // as many as there can be
}

// ---- futures
static void gives(irr_sched *s, irr_args *a) {
  irr_yield(s);
  irr_future_set(s, a->w[0].p, a->w[1].u);
}
static void gets(irr_sched *s, irr_args *a) {
  irr_future f[10];
  uint64_t sum = 0;
  (void)a;
  for (int times = 0; times < 3; times++) {
    for (uint64_t i = 0; i < 10; i++) {
      irr_future_init(&f[i], s);
      CHECK(!irr_future_ready(&f[i]));
      OK(irr_spawn(s, gives, ARGS(P(&f[i]), U(i)), NULL));
    }
    for (int i = 0; i < 10; i++) sum += irr_future_get(s, &f[i]);
    for (int i = 0; i < 10; i++) CHECK(irr_future_ready(&f[i]));
    sum += irr_future_get(s, &f[9]);  // as often as one likes
  }
  EQ(sum, 3 * (45 + 9));
}

// ---- a recursion of tasks that wait for two others each
static void fibonacci(irr_sched *s, irr_args *a) {
  uint64_t n = a->w[0].u, one = 0, two = 0;
  if (n < 2) {
    *(uint64_t *)a->w[1].p = n;
    return;
  }
  irr_counter both;
  irr_counter_init(&both, s);
  OK(irr_spawn(s, fibonacci, ARGS(U(n - 1), P(&one)), &both));
  OK(irr_spawn(s, fibonacci, ARGS(U(n - 2), P(&two)), &both));
  irr_wait(s, &both);
  *(uint64_t *)a->w[1].p = one + two;
}
static void recurses(irr_sched *s, irr_args *a) {
  uint64_t result = 0;
  irr_counter all;
  irr_counter_init(&all, s);
  OK(irr_spawn(s, fibonacci, ARGS(U(a->w[0].u), P(&result)), &all));
  irr_wait(s, &all);
  EQ(result, 610);
}

// ---- loops: every iteration once, no part longer than the threshold, none empty
typedef struct cover {
  uint64_t begin, n, threshold, calls, wrong;
  uint8_t seen[1200];
} cover;

static void covers(irr_sched *s, uint64_t begin, uint64_t end, void *arg) {
  cover *c = arg;
  c->calls++;
  c->wrong += end <= begin || end - begin > c->threshold;
  for (uint64_t i = begin; i < end; i++) {
    if (i - c->begin < c->n) c->seen[i - c->begin]++;
    if (i % 7 == 3) irr_yield(s);
  }
}
static void loop_of(irr_sched *s, cover *c, uint64_t begin, uint64_t n, uint64_t threshold) {
  *c = (cover){.begin = begin, .n = n, .threshold = threshold ? threshold : (n + 63) / 64};
  irr_for(s, &(irr_loop){.begin = begin, .end = begin + n, .threshold = threshold, .body = covers, .arg = c});
  for (uint64_t i = 0; i < n; i++) c->wrong += c->seen[i] != 1;
  EQ(c->wrong, 0);
  CHECK(n ? c->calls >= (n + c->threshold - 1) / c->threshold : !c->calls);
  CHECK(c->calls <= 2 * n);
}
static void loops(irr_sched *s, irr_args *a) {
  const uint64_t sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 1000, 1199};
  const uint64_t thresholds[] = {0, 1, 8, 16, 1000, UINT64_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < sizeof thresholds / sizeof *thresholds; k++)
      loop_of(s, a->w[0].p, 17 * i, sizes[i], thresholds[k]);
  loop_of(s, a->w[0].p, UINT64_MAX - 1001, 1001, 8);
}

// The depth of the tree of tasks is logarithmic: so is what a loop needs of stacks if its parts do not wait.
// ThreadSanitizer takes a millisecond for each task that begins (it clears what it keeps of a thread), and shorter
// loops run the same lines.
enum { WIDE = IRR_TSAN ? 1000 : 100000 };
static void adds(irr_sched *s, uint64_t begin, uint64_t end, void *arg) {
  (void)s;
  *(uint64_t *)arg += end - begin;
}
static void wide(irr_sched *s, irr_args *a) {
  irr_counts c;
  uint64_t sum = 0;
  (void)a;
  irr_for(s, &(irr_loop){.end = WIDE, .threshold = 1, .body = adds, .arg = &sum});
  EQ(sum, WIDE);
  irr_counts_of(s, &c);
  EQ(c.stacks, 4);
}

// ---- mistakes
static void completes_too_often(irr_sched *s, irr_args *a) {
  irr_counter c;
  (void)a;
  irr_counter_init(&c, s);
  irr_enroll(s, &c, 1);
  irr_complete(s, &c);
  irr_complete(s, &c);
}
static void enrolls_too_many(irr_sched *s, irr_args *a) {
  irr_counter c;
  (void)a;
  irr_counter_init(&c, s);
  irr_enroll(s, &c, INT64_MAX);
  irr_enroll(s, &c, 1);
}
static void sets_twice(irr_sched *s, irr_args *a) {
  irr_future f;
  (void)a;
  irr_future_init(&f, s);
  irr_future_set(s, &f, 1);
  irr_future_set(s, &f, 1);
}
static void wakes_twice(irr_sched *s, irr_args *a) {
  (void)a;
  irr_wake(s, irr_self(s));
  irr_wake(s, irr_self(s));
}
static void keeps(irr_sched *s, irr_args *a) { *(irr_task **)a->w[0].p = irr_self(s); }
static void wakes_the_dead(irr_sched *s, irr_args *a) {
  irr_task *t = NULL;
  (void)a;
  OK(irr_spawn(s, keeps, ARGS(P(&t)), NULL));
  while (!t) irr_yield(s);
  irr_yield(s);
  irr_wake(s, t);
}
static void wakes_another_scheduler(irr_sched *s, irr_args *a) {
  irr_sched *other;
  (void)a;
  OK(irr_open(NULL, &other));
  irr_wake(other, irr_self(s));
}
static void wakes_from_unasked(irr_sched *s, irr_args *a) {
  (void)a;
  irr_wake_from(irr_self(s));
}
static void yields_in_atomic(irr_sched *s, irr_args *a) {
  (void)a;
  irr_atomic_begin(s);
  irr_atomic_begin(s);
  irr_atomic_end(s);
  irr_yield(s);
}
static void waits_in_atomic(irr_sched *s, irr_args *a) {
  irr_counter c;
  (void)a;
  irr_counter_init(&c, s);
  irr_atomic_begin(s);
  irr_wait(s, &c);
}
static void ends_in_atomic(irr_sched *s, irr_args *a) {
  (void)a;
  irr_atomic_begin(s);
}
static void no_atomic(irr_sched *s, irr_args *a) {
  (void)a;
  irr_atomic_begin(s);
  irr_atomic_end(s);
  irr_atomic_end(s);
}
static void runs_inside(irr_sched *s, irr_args *a) {
  (void)a;
  (void)!irr_run(s);
}
static void closes_inside(irr_sched *s, irr_args *a) {
  (void)a;
  irr_close(s);
}
static void loops_backwards(irr_sched *s, irr_args *a) {
  (void)a;
  irr_for(s, &(irr_loop){.begin = 2, .end = 1, .body = adds});
}
static bool yields_here(void *arg) {
  irr_yield(arg);
  return false;
}
static void yields_outside(irr_sched *s, irr_args *a) {
  (void)a;
  irr_on_poll(s, yields_here, s);
}
static void waits_for_a_stranger(irr_sched *s, irr_args *a) {
  irr_counter c;
  irr_sched *other;
  (void)a;
  OK(irr_open(NULL, &other));
  irr_counter_init(&c, other);
  irr_wait(s, &c);
}

static void mistakes(void) {
  static const struct {
    irr_task_fn *fn;
    const char *words;
  } all[] = {
      {completes_too_often, "tocsin: irr_complete: nothing is enrolled"},
      {enrolls_too_many, "tocsin: irr_enroll: the counter would be above INT64_MAX"},
      {sets_twice, "tocsin: irr_future_set: the future has a value"},
      {wakes_twice, "tocsin: irr_wake: woken twice"},
      {wakes_the_dead, "tocsin: irr_wake: the task has ended"},
      {wakes_another_scheduler, "tocsin: irr_wake: the task is another scheduler's"},
      {wakes_from_unasked, "tocsin: irr_wake_from: another thread calls"},
      {yields_in_atomic, "tocsin: irr_yield: called between irr_atomic_begin"},
      {waits_in_atomic, "tocsin: irr_wait: called between irr_atomic_begin"},
      {ends_in_atomic, "tocsin: irr_atomic_begin: a task has ended"},
      {no_atomic, "tocsin: irr_atomic_end: there was no"},
      {runs_inside, "tocsin: irr_run: called by a task"},
      {closes_inside, "tocsin: irr_close: called by a task"},
      {loops_backwards, "tocsin: irr_for: the end of the loop is before"},
      {yields_outside, "tocsin: irr_yield: called outside of a task"},
      {waits_for_a_stranger, "tocsin: irr_wait: the counter is another scheduler's"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dies(NULL, all[i].fn, SIGABRT, all[i].words);
}

int main(void) {
  crowd w = {0};
  cover *c = malloc(sizeof *c);
  OK(run_one(NULL, counts, &w));
  EQ(w.through, 10);
  EQ(w.early, 0);
  OK(run_one(NULL, gets, NULL));
  OK(run_one(NULL, recurses, (void *)(uintptr_t)15));
  OK(run_one(NULL, loops, c));
  OK(run_one(&(irr_options){.tasks = 4}, wide, NULL));
  mistakes();
  free(c);
  return report();
}
