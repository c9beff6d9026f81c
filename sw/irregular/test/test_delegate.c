// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for delegates, for caches, and for tasks elsewhere; what may not wait.
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heap_here.h"
#include "tocsin/irregular/delegate.h"

enum { RANKS = 3, TASKS = 300, TURNS = 20, WORDS = 512, POLLS = IRR_FUNCTION_USER, YIELDS };

typedef struct world {
  global g;
  irr_rank r[RANKS];
  irr_address table, counter;
  uint64_t want[WORDS];              // what the adds make of the table
  bool seen[RANKS * TASKS * TURNS];  // values of the counter before each add
  unsigned twice, failures, spawned[RANKS], most, now;
} world;

static world *all;

static irr_task_fn spawned;
static irr_task_fn *const table_of_tasks[] = {spawned};

static bool world_open(world *w) {
  memset(w, 0, sizeof *w);
  all = w;
  if (!global_open(&w->g, RANKS, (irr_heap_options){0})) return false;
  for (unsigned i = 0; i < RANKS; i++) {
    irr_address at[2];
    FINE(irr_global_malloc_all(w->g.heap[i], 8 * WORDS, &at[0]));
    FINE(irr_global_malloc_all(w->g.heap[i], 8, &at[1]));
    w->table = at[0];
    w->counter = at[1];
    w->r[i] = (irr_rank){.net = w->g.h.net[i], .heap = w->g.heap[i]};
    OK(irr_open(&(irr_options){.functions = table_of_tasks, .function_count = 1}, &w->r[i].s));
    FINE(irr_rank_begin(&w->r[i]));
    ENDS(irr_rank_begin(&w->r[i]), IRR_E_IN_USE);
  }
  return !failed;
}

// All schedulers in turn, until no task is left.
static bool world_run(world *w) {
  const uint64_t until = toc_now(w->g.h.f) + 2000000000;
  for (;;) {
    uint64_t left = 0;
    for (unsigned i = 0; i < RANKS; i++) {
      (void)irr_step(w->r[i].s);
      left += irr_left(w->r[i].s);
    }
    if (!left) return true;
    if (toc_now(w->g.h.f) > until) return false;
  }
}

static void world_close(world *w) {
  for (unsigned i = 0; i < RANKS; i++) irr_close(w->r[i].s);
  global_close(&w->g);
}

static void must(irr_status s) { all->failures += s != IRR_OK; }

// ---- many tasks, each with one delegate at a time
static void add(irr_sched *s, irr_args *a) {
  irr_rank *r = a->w[0].p;
  uint64_t random = a->w[1].u * 77 + seed, old;
  (void)s;
  for (unsigned i = 0; i < TURNS; i++) {
    const uint64_t k = scene_random(&random) % WORDS, v = scene_random(&random);
    if (++all->now > all->most) all->most = all->now;
    must(irr_fetch_add(r, all->counter, 1, &old));
    all->now--;
    if (old >= RANKS * TASKS * TURNS || all->seen[old])
      all->twice++;
    else
      all->seen[old] = true;
    must(irr_fetch_add(r, all->table + 8 * k, v, NULL));
    all->want[k] += v;
  }
}

static void many(void) {
  static world w;
  if (!world_open(&w)) return;
  for (uint64_t n = 0; n < RANKS * TASKS; n++)
    OK(irr_spawn(w.r[n % RANKS].s, add, &(irr_args){{{.p = &w.r[n % RANKS]}, {.u = n + 1}}}, NULL));
  CHECK(world_run(&w));
  EQ(w.failures, 0);
  EQ(w.twice, 0);
  CHECK(w.most > RANKS * TASKS / 2);  // they wait at the same time
  EQ(*(uint64_t *)irr_address_pointer(w.g.heap[0], w.counter), RANKS * TASKS * TURNS);
  unsigned wrong = 0;
  for (unsigned k = 0; k < WORDS; k++) {
    const irr_address at = w.table + 8 * k;
    wrong += *(uint64_t *)irr_address_pointer(w.g.heap[irr_address_rank(w.g.heap[0], at)], at) != w.want[k];
  }
  EQ(wrong, 0);
  const irr_traffic t = here_counts(&w.g.h);
  printf("%u tasks, %" PRIu64 " delegates sent, aggregation factor %.1f\n", RANKS * TASKS, t.sent, irr_aggregation(&t));
  CHECK(irr_aggregation(&t) > 40);
  world_close(&w);
}

// ---- each operation, and its errors, in one task
static void spawned(irr_sched *s, irr_args *a) {
  for (unsigned i = 0; i < RANKS; i++) all->spawned[i] += all->r[i].s == s;
  must(irr_write(&all->r[a->w[0].u], all->table + 8 * a->w[1].u, a->w[2].u));
}

static void each(irr_sched *s, irr_args *a) {
  irr_rank *r = a->w[0].p;
  uint64_t v = 1, copy[WORDS];
  const irr_address there = all->table + 64;  // rank 1's block
  (void)s;
  FINE(irr_write(r, there, 5));
  FINE(irr_read(r, there, &v));
  EQ(v, 5);
  FINE(irr_compare_swap(r, there, 4, 7, &v));
  EQ(v, 5);
  FINE(irr_compare_swap(r, there, 5, 7, &v));
  FINE(irr_read(r, there, &v));
  EQ(v, 7);
  ENDS(irr_read(r, there + 4, &v), IRR_E_ALIGN);
  EQ(v, 0);
  ENDS(irr_read(r, irr_heap_bytes(r->heap), &v), IRR_E_RANGE);
  ENDS(irr_delegate_to(r, &(irr_delegate){.to = 1, .function = 99}, NULL), IRR_E_FUNCTION);
  FINE(irr_delegate_tell(r, &(irr_delegate){.to = 1, .function = 99}));
  irr_cache c = {.at = all->table, .bytes = sizeof copy, .data = copy, .mode = IRR_CACHE_READ_WRITE};
  FINE(irr_cache_take(r, &c));
  EQ(copy[8], 7);
  for (unsigned i = 0; i < WORDS; i++) copy[i] = 3 * i;
  FINE(irr_cache_give(r, &c));
  for (unsigned i = 0; i < WORDS; i += 50) {
    FINE(irr_read(r, all->table + 8 * i, &v));
    EQ(v, 3 * i);
  }
  for (uint64_t i = 0; i < RANKS; i++)
    FINE(irr_spawn_on(r, (unsigned)i, 0, &(irr_args){{{.u = i}, {.u = i}, {.u = 100 + i}}}));
  FINE(irr_spawn_at(r, there, 0, &(irr_args){{{.u = 1}, {.u = 9}, {.u = 109}}}));
  ENDS(irr_spawn_on(r, 1, 1, NULL), IRR_E_FUNCTION);
}

static void operations(void) {
  static world w;
  uint64_t *word;
  if (!world_open(&w)) return;
  OK(irr_spawn(w.r[0].s, each, &(irr_args){{{.p = &w.r[0]}}}, NULL));
  CHECK(world_run(&w));
  EQ(w.failures, 0);
  EQ(w.spawned[0], 1);
  EQ(w.spawned[1], 2);
  EQ(w.spawned[2], 1);
  word = irr_address_pointer(w.g.heap[1], w.table + 72);
  EQ(*word, 109);
  world_close(&w);
}

// ---- a wake is kept for the next irr_block, whatever the task waits for meanwhile
static void keeps_wake(irr_sched *s, irr_args *a) {
  irr_rank *r = a->w[0].p;
  for (unsigned home = 0; home < RANKS; home++) {
    const irr_address at = all->table + 64 * home;
    uint64_t v = 0, copy = 0;
    irr_cache c = {.at = at, .bytes = sizeof copy, .data = &copy, .mode = IRR_CACHE_READ};
    irr_wake(s, irr_self(s));
    FINE(irr_write(r, at, 40 + home));
    FINE(irr_read(r, at, &v));
    EQ(v, 40 + home);
    FINE(irr_cache_take(r, &c));
    EQ(copy, 40 + home);
    FINE(irr_cache_give(r, &c));
    irr_block(s);
  }
}

static void woken_early(void) {
  static world w;
  if (!world_open(&w)) return;
  OK(irr_spawn(w.r[0].s, keeps_wake, &(irr_args){{{.p = &w.r[0]}}}, NULL));
  CHECK(world_run(&w));
  world_close(&w);
}

// ---- inside of a delegate: what would wait is refused, what switches is a mistake that ends the program
typedef struct inside {
  irr_rank *r;
  irr_status s[3];
} inside;

static irr_status run_waits(void *ctx, const irr_arrival *a, irr_answer *answer) {
  inside *i = ctx;
  irr_cache c = {.at = 0, .bytes = 8, .data = answer->word};
  (void)a;
  i->s[0] = irr_read(i->r, 0, NULL);
  i->s[1] = irr_delegate_tell(i->r, &(irr_delegate){.to = 0, .function = IRR_WORD_READ});
  i->s[2] = irr_cache_take(i->r, &c);
  return IRR_OK;
}

static irr_status run_yields(void *ctx, const irr_arrival *a, irr_answer *answer) {
  const inside *i = ctx;
  (void)a;
  (void)answer;
  irr_yield(i->r->s);
  return IRR_OK;
}

static void calls(irr_sched *s, irr_args *a) {
  (void)s;
  (void)irr_delegate_to(&all->r[a->w[0].u], &(irr_delegate){.to = 0, .function = (unsigned)a->w[1].u}, NULL);
}

static void register_both(world *w, inside *i) {
  *i = (inside){.r = &w->r[0]};
  FINE(irr_net_register(w->g.h.net[0], POLLS, &(irr_function){.run = run_waits, .ctx = i}));
  FINE(irr_net_register(w->g.h.net[0], YIELDS, &(irr_function){.run = run_yields, .ctx = i}));
}

static void refused(void) {
  static world w;
  inside i;
  if (!world_open(&w)) return;
  register_both(&w, &i);
  for (uint64_t from = 0; from < 2; from++) {
    for (unsigned k = 0; k < 3; k++) i.s[k] = IRR_OK;
    OK(irr_spawn(w.r[from].s, calls, &(irr_args){{{.u = from}, {.u = POLLS}}}, NULL));
    CHECK(world_run(&w));
    for (unsigned k = 0; k < 3; k++) ENDS(i.s[k], IRR_E_INSIDE);
  }
  world_close(&w);
}

// from: the rank whose task asks; of rank 0 itself the delegate runs on the task's stack, else in the poll hook. Behind
// the ranks: what no task calls, of rank 0.
static void no_task(irr_rank *r, unsigned what) {
  uint64_t v = 0;
  irr_cache c = {.at = 0, .data = &v, .mode = IRR_CACHE_READ};
  if (what == RANKS) (void)irr_read(r, 0, &v);
  if (what == RANKS + 1) (void)irr_cache_take(r, &c);
}

static void mistake(uint64_t from, const char *words) {
  static world w;
  inside i;
  int ends[2], status = 0;
  char said[2048] = "";
  size_t n = 0;
  CHECK(!pipe(ends));
  fflush(stdout);
  const pid_t child = fork();
  if (!child) {
    (void)dup2(ends[1], STDERR_FILENO);
    if (!world_open(&w)) _exit(1);
    register_both(&w, &i);
    if (from >= RANKS) no_task(&w.r[0], (unsigned)from);
    (void)!irr_spawn(w.r[from % RANKS].s, calls, &(irr_args){{{.u = from}, {.u = YIELDS}}}, NULL);
    (void)world_run(&w);
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t k; n < sizeof said - 1 && (k = read(ends[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)k;
  close(ends[0]);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status));
  if (!strstr(said, words)) printf("said: %s\n", said);
  CHECK(strstr(said, words) != NULL);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  many();
  operations();
  woken_early();
  refused();
  mistake(0, "irr_atomic_begin");
  mistake(1, "outside of a task");
  mistake(RANKS, "irr_delegate_to: called outside of a task");
  mistake(RANKS + 1, "irr_cache_take: called outside of a task");
  return report();
}
