// SPDX-License-Identifier: Apache-2.0
// Memory runs out for tasks: the call that needed it says so and changes nothing, loops go on without it, and what
// could not begin begins when there is memory again. (linked with --wrap=malloc,calloc,aligned_alloc: irregular.mk)
// also: valgrind
#include "tasks.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t k, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t k, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);

static unsigned fail_at;  // 0: never, else the how many-th from now
static bool for_ever;     // and all that follow
static bool fails(void) {
  if (!fail_at) return false;
  if (fail_at > 1) {
    fail_at--;
    return false;
  }
  fail_at = for_ever;
  return true;
}
void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t k, size_t n) { return fails() ? NULL : __real_calloc(k, n); }
void *__wrap_aligned_alloc(size_t align, size_t n) { return fails() ? NULL : __real_aligned_alloc(align, n); }

static void none(bool yes) {
  fail_at = yes;
  for_ever = yes;
}

static void counts(irr_sched *s, irr_args *a) {
  (void)s;
  ++*(uint64_t *)a->w[0].p;
}
static irr_task_fn *const functions[] = {counts};

// ---- each allocation of the two openings fails in its turn
static void opening(void) {
  unsigned failures = 0;
  for (unsigned at = 1;; at++) {
    irr_sched *s = NULL;
    irr_group *g = NULL;
    fail_at = at;
    toc_status status = irr_group_open(1, &g);
    if (status == TOC_OK) status = irr_open(&(irr_options){.group = g}, &s);
    bool all = fail_at != 0;
    fail_at = 0;
    failures += status != TOC_OK;
    CHECK(all == (status == TOC_OK));
    CHECK(all || (status == TOC_E_NOMEM && !s && strstr(irr_why(), "no memory")));
    irr_close(s);
    irr_group_close(g);
    if (all) break;
  }
  EQ(failures, 4);  // a group, a scheduler, two deques
}

// ---- a spawn that fails enrolls nothing
static void spawns(irr_sched *s, irr_args *a) {
  uint64_t *n = a->w[0].p, want = 0;
  irr_counter join;
  irr_counter_init(&join, s);
  none(true);
  for (int i = 0; i < 1000; i++) want += irr_spawn(s, counts, a, &join) == TOC_OK;
  CHECK(want > 0 && want < 1000 && strstr(irr_why(), "irr_spawn: no memory"));
  uint64_t here = want;
  for (int i = 0; i < 1000; i++) want += irr_spawn_rank(s, counts, a, &join) == TOC_OK;
  CHECK(want > here && want < here + 1000 && strstr(irr_why(), "irr_spawn_rank: no memory"));
  EQ(join.left, want);
  none(false);
  irr_wait(s, &join);
  EQ(*n, want);
}

// ---- a loop that can spawn little does the rest itself
static void body(irr_sched *s, uint64_t begin, uint64_t end, void *arg) {
  uint8_t *seen = arg;
  (void)s;
  for (uint64_t i = begin; i < end; i++) seen[i]++;
}
static void loops(irr_sched *s, irr_args *a) {
  uint8_t *seen = a->w[0].p;
  for (int i = 0; i < 64; i++) OK(irr_spawn_rank(s, counts, ARGS(P(a->w[1].p)), NULL));  // all that there is place for
  none(true);
  irr_for(s, &(irr_loop){.end = 1000, .threshold = 3, .body = body, .arg = seen, .rank = true});
  none(false);
}

static void looping(void) {
  irr_sched *s;
  uint64_t n = 0, wrong = 0;
  uint8_t seen[1000] = {0};
  OK(irr_open(NULL, &s));
  OK(irr_spawn(s, loops, ARGS(P(seen), P(&n)), NULL));
  OK(irr_run(s));
  for (int i = 0; i < 1000; i++) wrong += seen[i] != 1;
  EQ(wrong, 0);
  EQ(n, 64);
  irr_close(s);
}

// ---- what had no stack begins when there is memory
static void later(void) {
  irr_sched *s;
  uint64_t n = 0;
  OK(irr_open(NULL, &s));
  for (int i = 0; i < 10; i++) OK(irr_spawn(s, counts, ARGS(P(&n)), NULL));
  for (unsigned at = 1; at <= 2; at++) {  // the ring; the list of stacks
    fail_at = at;
    IS(irr_run(s), TOC_E_NOMEM);
    CHECK(strstr(irr_why(), at == 1 ? "ring of ready tasks" : "list of stacks"));
    EQ(irr_left(s), 10);
    if (at == 1) CHECK(n == 0);
  }
  OK(irr_run(s));
  EQ(n, 10);
  irr_close(s);
}

// ---- of tasks that come from another process the first are taken, and the caller knows how many
static void taking(void) {
  irr_sched *s;
  uint64_t n = 0;
  irr_portable in[100];
  unsigned taken = 0;
  for (int i = 0; i < 100; i++) in[i] = (irr_portable){.args = {{P(&n)}}};
  OK(irr_open(&(irr_options){.functions = functions, .function_count = 1}, &s));
  none(true);
  IS(irr_take(s, in, 100, &taken), TOC_E_NOMEM);
  none(false);
  EQ(taken, 64);
  OK(irr_take(s, in + taken, 100 - taken, &taken));
  EQ(taken, 36);
  OK(irr_run(s));
  EQ(n, 100);
  irr_close(s);
}

int main(void) {
  uint64_t n = 0;
  opening();
  OK(run_one(NULL, spawns, &n));
  looping();
  later();
  taking();
  return report();
}
