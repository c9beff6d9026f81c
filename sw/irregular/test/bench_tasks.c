// SPDX-License-Identifier: Apache-2.0
// Nanoseconds of the thread's own time for a switch between tasks, at 2 and at 10,000 of them, beside other ways to
// switch, in one run: each way takes its turn REPEATS times, and its fastest turn counts, which is what other load on
// the machine disturbs least. Prints a table for README.md.
//
//   tasks      irr_yield of a scheduler: its queue of ready tasks, its polls every 64 switches, and the switch
//   the rest   no scheduler: a ring of contexts, each of which goes to the next, on stacks that lie like those of tasks
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "switch.h"
#include "tocsin/irregular/task.h"

enum { REPEATS = 25, FEW = 2, MANY = 10000, SWITCHES = 400000, STACK = 36864, COLOURS = 16, COLOUR = 128 };

// Boost.Context's, of libboost_context.a.
typedef struct transfer {
  void *from, *data;
} transfer;
transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *top, size_t bytes, void (*fn)(transfer));

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// What a way to switch needs: where each context stopped, and whose turn it is.
typedef struct ring {
  unsigned n;
  uint64_t left;
  unsigned at;
  void *sp[MANY], *main;
  ucontext_t *u, main_u;
  char *stacks;
} ring;
static ring *r;

static char *top(unsigned i) { return r->stacks + ((size_t)i + 1) * STACK - (size_t)i % COLOURS * COLOUR; }

static void next_raw(void *arg) {
  (void)arg;
  for (;;) {
    unsigned me = r->at;
    if (!r->left--) irr_context_switch(&r->sp[me], r->main);
    r->at = me + 1 == r->n ? 0 : me + 1;
    irr_context_switch(&r->sp[me], r->sp[r->at]);
  }
}
static uint64_t raw(void) {
  for (unsigned i = 0; i < r->n; i++) r->sp[i] = irr_context_new(top(i), STACK - COLOURS * COLOUR, next_raw, NULL);
  uint64_t begin = now();
  irr_context_switch(&r->main, r->sp[0]);
  return now() - begin;
}

static void next_fcontext(transfer t) {
  if (!r->main) r->main = t.from;
  for (;;) {
    unsigned me = r->at;
    if (!r->left--) jump_fcontext(r->main, NULL);
    r->at = me + 1 == r->n ? 0 : me + 1;
    t = jump_fcontext(r->sp[r->at], (void *)(uintptr_t)me);
    r->sp[(uintptr_t)t.data] = t.from;
  }
}
// The first round tells each where it has been come from, as the later ones do.
static void first_fcontext(transfer t) {
  if (r->main) r->sp[(uintptr_t)t.data] = t.from;
  next_fcontext(t);
}
static uint64_t fcontext(void) {
  r->main = NULL;
  for (unsigned i = 0; i < r->n; i++) r->sp[i] = make_fcontext(top(i), STACK - COLOURS * COLOUR, first_fcontext);
  uint64_t begin = now();
  jump_fcontext(r->sp[0], NULL);
  return now() - begin;
}

static void next_ucontext(void) {
  for (;;) {
    unsigned me = r->at;
    if (!r->left--) swapcontext(&r->u[me], &r->main_u);
    r->at = me + 1 == r->n ? 0 : me + 1;
    swapcontext(&r->u[me], &r->u[r->at]);
  }
}
static uint64_t ucontext(void) {
  for (unsigned i = 0; i < r->n; i++) {
    getcontext(&r->u[i]);
    r->u[i].uc_stack = (stack_t){.ss_sp = top(i) - (STACK - COLOURS * COLOUR), .ss_size = STACK - COLOURS * COLOUR};
    makecontext(&r->u[i], next_ucontext, 0);
  }
  uint64_t begin = now();
  swapcontext(&r->main_u, &r->u[0]);
  return now() - begin;
}

static void yields(irr_sched *s, irr_args *a) {
  (void)a;
  while (r->left) {
    r->left--;
    irr_yield(s);
  }
}
static void begins(irr_sched *s, irr_args *a) {
  uint64_t *begin = a->w[0].p;
  if (++r->at == r->n) *begin = now();  // all have begun
  while (r->at < r->n) irr_yield(s);
  yields(s, a);
}
static uint64_t tasks(unsigned prefetch) {
  irr_sched *s;
  uint64_t begin = 0, end;
  irr_args a = {{{.p = &begin}}};
  if (irr_open(&(irr_options){.prefetch = prefetch}, &s) != TOC_OK) return 0;
  for (unsigned i = 0; i < r->n; i++)
    if (irr_spawn(s, begins, &a, NULL) != TOC_OK) return 0;
  if (irr_run(s) != TOC_OK) return 0;
  end = now();
  irr_close(s);
  return end - begin;
}
static uint64_t tasks_default(void) { return tasks(0); }
static uint64_t tasks_plain(void) { return tasks(IRR_NO_PREFETCH); }

typedef struct way {
  const char *name;
  uint64_t (*run)(void);
  double best[2];
} way;

static void measure(way *w, size_t ways, unsigned at) {
  for (unsigned repeat = 0; repeat < REPEATS; repeat++)
    for (size_t i = 0; i < ways; i++) {
      r->n = at ? MANY : FEW;
      r->left = SWITCHES;
      r->at = 0;
      double ns = (double)w[i].run() / SWITCHES;
      if (!repeat || ns < w[i].best[at]) w[i].best[at] = ns;
    }
}

int main(void) {
  way w[] = {{.name = "tasks", .run = tasks_default},
             {.name = "tasks without prefetch", .run = tasks_plain},
             {.name = "the switch alone", .run = raw},
             {.name = "Boost.Context `jump_fcontext`", .run = fcontext},
             {.name = "`swapcontext`", .run = ucontext}};
  enum { WAYS = sizeof w / sizeof *w };
  double load = 0;
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET((unsigned)sched_getcpu(), &here);
  sched_setaffinity(0, sizeof here, &here);
  if (getloadavg(&load, 1) != 1) return 1;
  r = calloc(1, sizeof *r);
  r->u = calloc(MANY, sizeof *r->u);
  r->stacks =
      mmap(NULL, (size_t)MANY * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!r->u || r->stacks == MAP_FAILED) return 1;
  madvise(r->stacks, (size_t)MANY * STACK, MADV_NOHUGEPAGE);  // as small as those between the guards of tasks
  measure(w, WAYS, 0);
  measure(w, WAYS, 1);
  printf("| a switch | %d tasks, ns | ratio | %d tasks, ns | ratio |\n|---|---|---|---|---|\n", FEW, MANY);
  for (size_t i = 0; i < WAYS; i++)
    printf("| %s | %.1f | %.2f | %.1f | %.2f |\n", w[i].name, w[i].best[0], w[i].best[0] / w[0].best[0], w[i].best[1],
           w[i].best[1] / w[0].best[1]);
  printf("\nRatios are to the first row. The load of the machine was %.1f when this began%s.\n", load,
         load > 0.5 ? ": others worked on it, so that ratios say more than nanoseconds" : "");
}
