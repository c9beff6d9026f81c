// SPDX-License-Identifier: Apache-2.0
// Delegates as tasks: a kernel at the home's accelerator queue runs them, and nobody polls there; one at a time with
// those of the home's own thread; what the kernel must not run waits for that thread, and so does all behind it.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "ranks_here.h"
#include "tocsin/irregular/team.h"
#include "tocsin/xtq.h"

enum { NOTE = IRR_FUNCTION_USER, NOTE_CPU, HOLD };
static const irr_net_options by_task = {.by = IRR_BY_TASK};

// Polls rank 0 alone.
static bool poll_first(const here *h, const unsigned *times, unsigned want) {
  const uint64_t until = toc_now(h->f) + 1000000000;
  while (*times < want && toc_now(h->f) < until) (void)irr_net_poll(h->net[0], NULL);
  return *times == want;
}

static void count(void *arg, uint64_t value) {
  (void)value;
  ++*(unsigned *)arg;
}

// ---- words, against a reference; the home does not poll
static void words(void) {
  here h;
  uint64_t memory[8] = {0}, want[8] = {0}, r = seed + 3;
  irr_traffic c;
  if (!here_open(&h, 2, NULL, &by_task)) return;
  FINE(irr_net_share(h.net[1], memory, sizeof memory));
  for (unsigned n = 0; n < 200; n++) {
    const unsigned k = scene_random(&r) % 8, function = IRR_WORD_READ + scene_random(&r) % 5;
    uint64_t *w = &want[k], was = *w;
    const irr_word_args a = {.place = 8 * k, .a = scene_random(&r) % 3 ? scene_random(&r) : was, .b = scene_random(&r)};
    ended e = {.status = IRR_E_COUNT};
    if (function == IRR_WORD_WRITE) *w = a.a;
    if (function == IRR_WORD_ADD) *w += a.a;
    if (function == IRR_WORD_SWAP_IF && was == a.a) *w = a.b;
    if (function == IRR_WORD_XOR) *w ^= a.a;
    const irr_delegate d = {
        .to = 1, .function = function, .args = &a, .bytes = sizeof a, .done = on_done, .arg = &e, .status = &e.status};
    FINE(irr_net_send(h.net[0], &d));
    FINE(irr_net_flush(h.net[0], 1));
    CHECK(poll_first(&h, &e.times, 1));
    if (failed) break;
    EQ(e.value, was);
    EQ(e.status, IRR_OK);
  }
  CHECK(!memcmp(memory, want, sizeof want));
  irr_net_counts(h.net[1], &c);
  EQ(c.run, 200);
  EQ(c.kernel, 200);
  irr_net_counts(h.net[0], &c);
  EQ(c.tasks, c.aggregates);
  here_close(&h);
}

// ---- more than there are buffers and places, all answered by a home that does not poll
static void flood(void) {
  enum { EACH = 20000 };
  here h;
  uint64_t word = 0;
  unsigned answers = 0;
  irr_traffic c;
  const toc_options lossy = {.drop = 10, .twice = 10, .swap = 10, .bend = 10};
  if (!here_open(&h, 2, &lossy, &by_task)) return;
  FINE(irr_net_share(h.net[1], &word, sizeof word));
  const irr_word_args a = {.a = 1};
  const irr_delegate d = {
      .to = 1, .function = IRR_WORD_ADD, .args = &a, .bytes = sizeof a, .done = count, .arg = &answers};
  for (unsigned i = 0; i < EACH; i++) {
    irr_status s;
    const uint64_t until = toc_now(h.f) + 1000000000;
    while ((s = irr_net_send(h.net[0], &d)) == IRR_BUSY && toc_now(h.f) < until) (void)irr_net_poll(h.net[0], NULL);
    FINE(s);
    if (failed) break;
  }
  CHECK(poll_first(&h, &answers, EACH));
  EQ(word, EACH);
  irr_net_counts(h.net[1], &c);
  EQ(c.kernel, EACH);
  here_close(&h);
}

// ---- functions of the program's own: those that are no kernels run in the home's poll, and nothing overtakes
typedef struct notes {
  unsigned n;
  uint64_t of[64];
} notes;

static irr_status note(void *ctx, const irr_arrival *a, irr_answer *answer) {
  notes *all = ctx;
  (void)answer;
  memcpy(&all->of[all->n++ % 64], a->args, sizeof(uint64_t));
  return IRR_OK;
}

static unsigned noted(const here *h, const notes *all) {
  irr_traffic c;
  irr_net_counts(h->net[1], &c);  // after what the kernel did
  return all->n;
}

static void functions(void) {
  enum { SENT = 32 };  // four aggregates: as many as may be under way
  here h;
  notes all = {0};
  if (!here_open(&h, 2, NULL, &by_task)) return;
  FINE(irr_net_register(h.net[1], NOTE, &(irr_function){.run = note, .ctx = &all, .kernel = true}));
  FINE(irr_net_register(h.net[1], NOTE_CPU, &(irr_function){.run = note, .ctx = &all}));
  for (uint64_t i = 0; i < SENT; i++) {
    const irr_delegate d = {.to = 1, .function = i == 10 ? NOTE_CPU : NOTE, .args = &i, .bytes = sizeof i};
    FINE(irr_net_send(h.net[0], &d));
    if (i % 8 == 7) FINE(irr_net_flush(h.net[0], 1));
  }
  const uint64_t until = toc_now(h.f) + 5000000;
  while (toc_now(h.f) < until) (void)irr_net_poll(h.net[0], NULL);
  EQ(noted(&h, &all), 10);
  CHECK(here_settle(&h, 100));
  EQ(noted(&h, &all), SENT);
  for (unsigned i = 0; i < SENT; i++) EQ(all.of[i], i);
  irr_traffic c;
  irr_net_counts(h.net[1], &c);
  CHECK(c.kernel >= 10 && c.kernel < SENT);
  here_close(&h);
}

// ---- while the home's thread has the lock the kernel leaves what has come, and it is run when the lock is free
typedef struct hold {
  toc_fabric *f;
  uint64_t *word, seen;
} hold;

static irr_status holding(void *ctx, const irr_arrival *a, irr_answer *answer) {
  hold *o = ctx;
  (void)a;
  (void)answer;
  const uint64_t until = toc_now(o->f) + 5000000;
  while (toc_now(o->f) < until) (void)toc_progress(o->f);
  o->seen = *o->word;
  return IRR_OK;
}

static void held(void) {
  here h;
  uint64_t word = 0;
  if (!here_open(&h, 2, NULL, &by_task)) return;
  hold o = {.f = h.f, .word = &word, .seen = 99};
  FINE(irr_net_share(h.net[1], &word, sizeof word));
  FINE(irr_net_register(h.net[1], HOLD, &(irr_function){.run = holding, .ctx = &o}));
  const irr_word_args a = {.a = 5};
  FINE(here_send(&h, 0, &(irr_delegate){.to = 1, .function = IRR_WORD_ADD, .args = &a, .bytes = sizeof a}));
  FINE(irr_net_flush(h.net[0], 1));
  FINE(irr_net_send(h.net[1], &(irr_delegate){.to = 1, .function = HOLD}));
  EQ(o.seen, 0);
  EQ(word, 5);
  here_close(&h);
}

// ---- a rank that closes while others send to it: its kernel ends first, and uses nothing that is gone
typedef struct fire {
  here h;
  ended e;
  bool over;
} fire;

static void *fires(void *arg) {
  fire *f = arg;
  const irr_word_args a = {.a = 1};
  const irr_delegate d = {
      .to = 1, .function = IRR_WORD_ADD, .args = &a, .bytes = sizeof a, .done = on_done, .arg = &f->e};
  for (uint64_t sent = 0; !__atomic_load_n(&f->over, __ATOMIC_ACQUIRE);) {
    if (irr_net_send(f->h.net[0], &d) == IRR_OK) sent++;
    if (sent % 50 == 0) (void)irr_net_flush(f->h.net[0], 1);
    (void)irr_net_poll(f->h.net[0], NULL);
  }
  return NULL;
}

static void closed_under_fire(void) {
  uint64_t word[4] = {0};
  for (unsigned i = 0; i < scene_few(60); i++) {
    fire f = {0};
    pthread_t thread;
    if (!here_open(&f.h, 2, NULL, &by_task)) return;
    FINE(irr_net_share(f.h.net[1], word, sizeof word));
    EQ(pthread_create(&thread, NULL, fires, &f), 0);
    nanosleep(&(struct timespec){.tv_nsec = 3000000 + i * 100000}, NULL);
    irr_net_close(f.h.net[1]);
    f.h.net[1] = NULL;
    __atomic_store_n(&f.over, true, __ATOMIC_RELEASE);
    EQ(pthread_join(thread, NULL), 0);
    here_close(&f.h);
  }
}

// ---- tasks: an answer wakes the one that waits
enum { TASKS = 60 };

static void adds(irr_sched *s, irr_args *a) {
  irr_member *m = irr_here();
  uint64_t *wrong = a->w[0].p, old;
  (void)s;
  for (unsigned i = 0; i < 5; i++)
    if (irr_fetch_add(&m->r, a->w[1].u, 1, &old) != IRR_OK || old >= 5 * TASKS) ++*wrong;
}

static toc_status first(irr_member *m, void *arg) {
  irr_address at;
  irr_counter all;
  uint64_t value = 0;
  if (irr_global_malloc(m->r.heap, 3 * 64, &at) != IRR_OK) return TOC_E_NOMEM;
  for (unsigned home = 0; home < 3; home++) {
    if (irr_write(&m->r, at + 64 * home, 0) != IRR_OK) return TOC_E_IO;
    irr_counter_init(&all, m->r.s);
    for (unsigned i = 0; i < TASKS; i++)
      if (irr_spawn(m->r.s, adds, &(irr_args){{{.p = arg}, {.u = at + 64 * home}}}, &all)) return TOC_E_NOMEM;
    irr_wait(m->r.s, &all);
    if (irr_read(&m->r, at + 64 * home, &value) != IRR_OK) return TOC_E_IO;
    EQ(value, 5 * TASKS);
  }
  return TOC_OK;
}

static void tasks(void) {
  uint64_t wrong = 0;
  OK(irr_team_run(&(irr_team_options){.ranks = 3, .net = {.by = IRR_BY_TASK}, .first = first, .arg = &wrong}));
  EQ(wrong, 0);
}

// ---- what is refused
static void refused(void) {
  toc_fabric *f;
  toc_proc *p[2];
  toc_caps caps;
  irr_net *net[2] = {NULL};
  OK(toc_open(&(toc_options){.backend = backend, .seed = seed, .nodes = 2}, &f));
  for (unsigned i = 0; i < 2; i++) OK(toc_proc_open(toc_node_at(f, i), &p[i]));
  toc_caps_of(toc_node_at(f, 0), &caps);
  ENDS(irr_net_open(f, p[0], &(irr_net_options){.ranks = 2, .by = (irr_by)2}, &net[0]), IRR_E_ARG);
  OK(xtq_register_kernel(p[0], caps.table_entries - 1, &(xtq_code){.code = 1}));
  ENDS(irr_net_open(f, p[0], &(irr_net_options){.ranks = 2, .by = IRR_BY_TASK}, &net[0]), IRR_E_DRIVER);
  CHECK(strstr(toc_why(), "is registered already"));
  OK(xtq_unregister_kernel(p[0], caps.table_entries - 1));
  for (unsigned again = 0; again < 2; again++) {  // what it takes it gives back
    FINE(irr_net_open(f, p[0], &(irr_net_options){.ranks = 2, .by = IRR_BY_TASK}, &net[0]));
    FINE(irr_net_open(f, p[1], &(irr_net_options){.rank = 1, .ranks = 2}, &net[1]));
    ENDS(irr_net_join(net, 2), IRR_E_ARG);
    for (unsigned i = 0; i < 2; i++) irr_net_close(net[i]);
  }
  toc_close(f);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  words();
  flood();
  functions();
  held();
  closed_under_fire();
  tasks();
  refused();
  return report();
}
