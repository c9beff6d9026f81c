// SPDX-License-Identifier: Apache-2.0
// Several threads: schedulers of a group take work from each other and all see the end; threads without a scheduler
// wake, complete and set; tasks that have not begun go to another process and back.
// also: tsan
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "tasks.h"

enum { SCHEDULERS = 3, ROUNDS = 20 };

// The counts of OK are one thread's.
static unsigned bad;
#define FINE(x) (void)((x) == TOC_OK ? 0 : __atomic_fetch_add(&bad, 1, __ATOMIC_RELAXED))

// ---- a tree whose nodes may run anywhere in the group; each waits for its children
typedef struct world {
  irr_group *g;
  uint64_t nodes, elsewhere, round_of[SCHEDULERS];
  irr_sched *first;
} world;

static void node(irr_sched *s, irr_args *a) {
  world *w = a->w[0].p;
  uint64_t depth = a->w[1].u;
  irr_counter children;
  __atomic_fetch_add(&w->nodes, 1, __ATOMIC_RELAXED);
  if (s != w->first) __atomic_fetch_add(&w->elsewhere, 1, __ATOMIC_RELAXED);
  if (!depth) return;
  irr_counter_init(&children, s);
  for (uint64_t i = 0; i < 1 + depth % 3; i++) FINE(irr_spawn_rank(s, node, ARGS(P(w), U(depth - 1)), &children));
  if (depth % 4 == 1) irr_yield(s);
  irr_wait(s, &children);
}

static uint64_t nodes_of(uint64_t depth) { return depth ? 1 + (1 + depth % 3) * nodes_of(depth - 1) : 1; }

// A task that sees other threads at work, so that a group in which only one of them ever works is
// noticed on any machine.
static void until_stolen(irr_sched *s, irr_args *a) {
  world *w = a->w[0].p;
  for (uint64_t i = 0; !__atomic_load_n(&w->elsewhere, __ATOMIC_RELAXED); i++) {
    if (i < 1000) FINE(irr_spawn_rank(s, node, ARGS(P(w), U(0)), NULL));
    sched_yield();
    irr_atomic_begin(s);
    irr_atomic_end(s);
  }
}

typedef struct member {
  world *w;
  unsigned i;
  pthread_t thread;
  uint64_t stolen, ended, wrong;
} member;

static void *rounds(void *arg) {
  member *m = arg;
  irr_sched *s;
  irr_counts c;
  FINE(irr_open(&(irr_options){.group = m->w->g}, &s));
  for (uint64_t r = 0; r < ROUNDS; r++) {
    if (!m->i && !r) {
      m->w->first = s;
      FINE(irr_spawn(s, until_stolen, ARGS(P(m->w)), NULL));
    }
    if (m->i == r % SCHEDULERS) FINE(irr_spawn(s, node, ARGS(P(m->w), U(r % 9 + 3)), NULL));
    __atomic_store_n(&m->w->round_of[m->i], r, __ATOMIC_SEQ_CST);
    FINE(irr_run(s));
    // All have come to this round: nobody has returned from it before its work was done.
    for (unsigned i = 0; i < SCHEDULERS; i++) m->wrong += __atomic_load_n(&m->w->round_of[i], __ATOMIC_SEQ_CST) < r;
    m->wrong += irr_left(s) != 0;
  }
  irr_counts_of(s, &c);
  m->stolen = c.stolen;
  m->ended = c.ended;
  irr_close(s);
  return NULL;
}

static void group(void) {
  world w = {0};
  member m[SCHEDULERS];
  uint64_t want = 0, stolen = 0, ended = 0;
  OK(irr_group_open(SCHEDULERS, &w.g));
  for (unsigned i = 0; i < SCHEDULERS; i++) {
    m[i] = (member){.w = &w, .i = i};
    EQ(pthread_create(&m[i].thread, NULL, rounds, &m[i]), 0);
  }
  for (unsigned i = 0; i < SCHEDULERS; i++) {
    EQ(pthread_join(m[i].thread, NULL), 0);
    EQ(m[i].wrong, 0);
    stolen += m[i].stolen;
    ended += m[i].ended;
  }
  for (uint64_t r = 0; r < ROUNDS; r++) want += nodes_of(r % 9 + 3);
  CHECK(w.nodes >= want && w.nodes <= want + 1000);
  EQ(ended, w.nodes + 1);
  CHECK(stolen > 0 && w.elsewhere > 0);
  irr_group_close(w.g);
}

// ---- a group with tasks that nothing can wake: all are told
static void blocks(irr_sched *s, irr_args *a) {
  (void)a;
  irr_block(s);
}
static void *stuck(void *arg) {
  member *m = arg;
  irr_sched *s;
  FINE(irr_open(&(irr_options){.group = m->w->g}, &s));
  if (!m->i) FINE(irr_spawn(s, blocks, NULL, NULL));
  m->wrong += irr_run(s) != TOC_E_NOT_DONE;
  m->wrong += !strstr(irr_why(), m->i ? "another scheduler of the group" : "1 tasks are blocked");
  irr_close(s);
  return NULL;
}
static void stuck_group(void) {
  world w = {0};
  member m[2];
  irr_sched *late;
  OK(irr_group_open(2, &w.g));
  for (unsigned i = 0; i < 2; i++) {
    m[i] = (member){.w = &w, .i = i};
    EQ(pthread_create(&m[i].thread, NULL, stuck, &m[i]), 0);
  }
  for (unsigned i = 0; i < 2; i++) {
    EQ(pthread_join(m[i].thread, NULL), 0);
    EQ(m[i].wrong, 0);
  }
  IS(irr_open(&(irr_options){.group = w.g}, &late), TOC_E_FULL);
  CHECK(strstr(irr_why(), "2 schedulers already"));
  irr_group_close(w.g);
  IS(irr_group_open(0, &w.g), TOC_E_ARG);
}

// ---- threads that run no scheduler
enum { HANDS = 3, WAKES = 500 };
typedef struct hand {
  pthread_t thread;
  irr_counter *all;
  irr_future future;
  irr_task *sleeper;
  uint64_t asked, woken, value;
} hand;

static void *hand_of(void *arg) {
  hand *h = arg;
  for (uint64_t i = 1; i <= WAKES; i++) {
    while (__atomic_load_n(&h->asked, __ATOMIC_ACQUIRE) < i) sched_yield();
    irr_wake_from(h->sleeper);
  }
  irr_future_set_from(&h->future, h->value);
  for (int i = 0; i < 1000; i++) irr_complete_from(h->all);
  return NULL;
}
static void sleeps(irr_sched *s, irr_args *a) {
  hand *h = a->w[0].p;
  h->sleeper = irr_self(s);
  for (uint64_t i = 1; i <= WAKES; i++) {
    __atomic_store_n(&h->asked, i, __ATOMIC_RELEASE);
    irr_block(s);
    h->woken++;
  }
  h->woken += irr_future_get(s, &h->future);
}
static void shakes(irr_sched *s, irr_args *a) {
  hand h[HANDS] = {{0}};
  irr_counter all, slept;
  (void)a;
  irr_counter_init(&all, s);
  irr_counter_init(&slept, s);
  irr_enroll(s, &all, 1000 * HANDS);
  for (uint64_t i = 0; i < HANDS; i++) {
    h[i].all = &all;
    h[i].value = 1000 * i;
    irr_future_init(&h[i].future, s);
    OK(irr_spawn(s, sleeps, ARGS(P(&h[i])), &slept));
    EQ(pthread_create(&h[i].thread, NULL, hand_of, &h[i]), 0);
  }
  irr_wait(s, &all);
  irr_wait(s, &slept);
  for (uint64_t i = 0; i < HANDS; i++) {
    EQ(pthread_join(h[i].thread, NULL), 0);
    EQ(h[i].woken, WAKES + 1000 * i);
  }
}
static void wakes_twice(irr_sched *s, irr_args *a) {
  (void)a;
  irr_wake_from(irr_self(s));
  irr_wake_from(irr_self(s));
}
static void sets_twice(irr_sched *s, irr_args *a) {
  irr_future f;
  (void)a;
  irr_future_init(&f, s);
  irr_future_set_from(&f, 1);
  irr_future_set_from(&f, 2);
}

// ---- the hooks of a scheduler that has nothing to do are called as long as others of its group have
typedef struct pair {
  irr_group *g;
  bool hungry;
  unsigned calls, seen;
} pair;
static bool counts(void *arg) {
  pair *p = arg;
  return __atomic_add_fetch(&p->calls, 1, __ATOMIC_SEQ_CST) == 20;  // once something has moved
}
static void looks(irr_sched *s, irr_args *a) {
  pair *p = a->w[0].p;
  struct timespec begin, now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  do {
    irr_yield(s);
    p->seen = __atomic_load_n(&p->calls, __ATOMIC_SEQ_CST);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  } while (p->seen < 100 && now.tv_sec - begin.tv_sec < 20);
}
static void *looked_at(void *arg) {
  pair *p = arg;
  irr_sched *s;
  FINE(irr_open(&(irr_options){.group = p->g}, &s));
  if (p->hungry)
    irr_on_hungry(s, counts, p);
  else
    irr_on_poll(s, counts, p);
  FINE(irr_run(s));
  irr_close(s);
  return NULL;
}
static void hooks(void) {
  for (unsigned i = 0; i < 2; i++) {
    pair p = {.hungry = i};
    pthread_t other;
    irr_sched *s;
    OK(irr_group_open(2, &p.g));
    OK(irr_open(&(irr_options){.group = p.g}, &s));
    OK(irr_spawn(s, looks, ARGS(P(&p)), NULL));
    EQ(pthread_create(&other, NULL, looked_at, &p), 0);
    OK(irr_run(s));
    EQ(pthread_join(other, NULL), 0);
    CHECK(p.seen >= 100);
    irr_close(s);
    irr_group_close(p.g);
  }
}

// ---- out of one process and into another: here, of one scheduler and into another
static void portable(irr_sched *s, irr_args *a);
static irr_task_fn *const functions[] = {NULL, portable};
static uint64_t sum;
static void portable(irr_sched *s, irr_args *a) {
  sum += a->w[0].u + a->w[1].u * a->w[2].u;
  if (a->w[0].u % 2) OK(irr_spawn_anywhere(s, 1, ARGS(U(0), U(1), U(2))));
}
static bool fetches(void *arg) {
  irr_sched *const *s = arg;
  irr_portable p[3];
  unsigned taken, n = irr_give(s[0], p, 3);
  OK(irr_take(s[1], p, n, &taken));
  EQ(taken, n);
  return n > 0;
}
static void across(void) {
  irr_sched *s[2];
  irr_counts c[2];
  irr_portable p[40];
  unsigned taken;
  irr_options o = {.functions = functions, .function_count = 2};
  for (int i = 0; i < 2; i++) OK(irr_open(&o, &s[i]));
  IS(irr_spawn_anywhere(s[0], 2, NULL), TOC_E_ARG);
  IS(irr_spawn_anywhere(s[0], 0, NULL), TOC_E_ARG);
  CHECK(strstr(irr_why(), "function 0; irr_options.functions has 2"));
  for (uint64_t i = 0; i < 30; i++) OK(irr_spawn_anywhere(s[0], 1, ARGS(U(i), U(i), U(3))));
  EQ(irr_givable(s[0]), 30);
  EQ(irr_give(s[0], p, 10), 10);
  for (unsigned i = 0; i < 10; i++) EQ(p[i].args.w[0].u, i);  // the oldest
  p[10].function = 7;
  IS(irr_take(s[1], p, 11, &taken), TOC_E_ARG);
  EQ(taken, 10);
  irr_on_hungry(s[1], fetches, s);
  OK(irr_run(s[1]));  // asks for the rest when it has nothing
  EQ(irr_left(s[0]), 0);
  EQ(irr_give(s[0], p, 40), 0);
  for (int i = 0; i < 2; i++) irr_counts_of(s[i], &c[i]);
  EQ(c[0].given, 30);
  EQ(c[1].taken, 30);
  EQ(c[1].ended, 45);
  EQ(sum, 435 * 4 + 15 * 2);
  for (int i = 0; i < 2; i++) irr_close(s[i]);
}

int main(void) {
  irr_options foreign = {.foreign = true};
  group();
  stuck_group();
  hooks();
  EQ(bad, 0);
  if (failed) return report();  // what has lost a wake would wait for ever below
  OK(run_one(&foreign, shakes, NULL));
  dies(&foreign, wakes_twice, SIGABRT, "tocsin: irr_wake_from: twice");
  dies(&foreign, sets_twice, SIGABRT, "tocsin: irr_future_set_from: twice");
  across();
  EQ(bad, 0);
  return report();
}
