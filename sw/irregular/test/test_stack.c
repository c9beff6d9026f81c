// SPDX-License-Identifier: Apache-2.0
// Stacks: 100,000 tasks at once in a bounded memory, guards, deep recursion, backtraces that end.
// also: valgrind ucontext
#define _GNU_SOURCE
#include <execinfo.h>
#include <sys/mman.h>

#include "scheduler.h"
#include "tasks.h"

// What a tool keeps of each stack beside it is not measured, and there are fewer of them.
#define TOOL (IRR_ASAN || IRR_ON_VALGRIND)

static uint64_t resident(void) {
  unsigned long long total = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%llu %llu", &total, &pages) != 2) pages = 0;
  if (f) fclose(f);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// ---- all of them have begun before the first one ends
typedef struct crowd {
  uint64_t n, begun, sum, most;
  irr_task **tasks;
} crowd;

static void member(irr_sched *s, irr_args *a) {
  crowd *w = a->w[0].p;
  uint64_t mine = a->w[1].u;
  w->tasks[mine] = irr_self(s);
  w->begun++;
  if (mine % 7 == 5) irr_yield(s);  // so that several are ready when their ring grows
  irr_block(s);
  w->sum += mine;
}
static void wakes_all(irr_sched *s, irr_args *a) {
  crowd *w = a->w[0].p;
  while (w->begun < w->n) irr_yield(s);
  w->most = resident();
  for (uint64_t i = 0; i < w->n; i++) irr_wake(s, w->tasks[i]);
}

static void many(void) {
  irr_sched *s;
  irr_counts c;
  crowd w = {.n = TOOL ? 500 : 100000};
  unsigned limit = (unsigned)w.n + 1;
  w.tasks = calloc(w.n, sizeof *w.tasks);
  memset(w.tasks, 1, w.n * sizeof *w.tasks);  // resident before it is measured
  OK(irr_open(&(irr_options){.tasks = limit}, &s));
  uint64_t before = resident();
  OK(irr_spawn(s, wakes_all, ARGS(P(&w)), NULL));
  for (uint64_t i = 0; i < w.n; i++) OK(irr_spawn(s, member, ARGS(P(&w), U(i)), NULL));
  OK(irr_run(s));
  EQ(w.sum, w.n * (w.n - 1) / 2);
  irr_counts_of(s, &c);
  EQ(c.ended, w.n + 1);
  EQ(c.stacks, limit);
  // Two pages each, and page tables, the ring and the records of those that had not begun, which are 8,
  // 16 and 40 bytes.
  uint64_t bound = w.n * (2 * (uint64_t)sysconf(_SC_PAGESIZE) + 512);
  if (!TOOL) {
    CHECK(w.most - before <= bound);
    printf("%" PRIu64 " tasks at once: %" PRIu64 " bytes resident each, bound %" PRIu64 "\n", w.n,
           (w.most - before) / w.n, bound / w.n);
  }
  irr_close(s);
  free(w.tasks);
}

// ---- a stack is used again by the next task
static void little(irr_sched *s, irr_args *a) {
  (void)s;
  ++*(uint64_t *)a->w[0].p;
}
static void reuse(void) {
  irr_sched *s;
  irr_counts c;
  uint64_t n = 0;
  OK(irr_open(&(irr_options){.tasks = 3}, &s));
  for (int i = 0; i < 5000; i++) OK(irr_spawn(s, little, ARGS(P(&n)), NULL));
  OK(irr_run(s));
  EQ(n, 5000);
  irr_counts_of(s, &c);
  EQ(c.stacks, 3);
  EQ(c.begun, 0);
  irr_close(s);
}

// ---- the most of a stack can be used, by several tasks at once, and is nobody else's
static __attribute__((noinline)) uint64_t deep(irr_sched *s, uint64_t depth, uint64_t seed) {
  volatile uint64_t here[12];
  for (uint64_t i = 0; i < 12; i++) here[i] = seed * (depth + 1) + i;
  if (depth % 50 == 0) irr_yield(s);
  uint64_t below = depth ? deep(s, depth - 1, seed) : 0;
  for (uint64_t i = 0; i < 12; i++)
    if (here[i] != seed * (depth + 1) + i) return UINT64_MAX;
  return below == UINT64_MAX ? below : below + 1;
}
static void dives(irr_sched *s, irr_args *a) {
  if (deep(s, 400, a->w[1].u) != 401) ++*(uint64_t *)a->w[0].p;
}
static void depth(void) {
  irr_sched *s;
  uint64_t wrong = 0;
  OK(irr_open(&(irr_options){.stack_bytes = TOOL ? 1 << 20 : 400 * 320}, &s));
  for (uint64_t i = 0; i < 50; i++) OK(irr_spawn(s, dives, ARGS(P(&wrong), U(i)), NULL));
  OK(irr_run(s));
  EQ(wrong, 0);
  irr_close(s);
}

// ---- too deep: it dies of the guard, by name if that was asked for
static __attribute__((noinline)) uint64_t endless(uint64_t n) {
  volatile uint64_t here[32];
  for (uint64_t i = 0; i < 32; i++) here[i] = n;
  return n == UINT64_MAX ? 0 : endless(n + 1) + here[n % 32];
}
static void overflows(irr_sched *s, irr_args *a) {
  irr_yield(s);
  a->w[0].u = endless(1);
}
static void named(irr_sched *s, irr_args *a) {
  OK(irr_name_overflows(s));
  OK(irr_name_overflows(s));
  OK(irr_spawn(s, overflows, a, NULL));
  OK(irr_spawn(s, overflows, a, NULL));
}
// What is no guard is somebody else's.
static void elsewhere(irr_sched *s, irr_args *a) {
  (void)a;
  OK(irr_name_overflows(s));
  *(volatile int *)(uintptr_t)(16 + a->w[0].u) = 1;
}
static void handler(int signal) {
  static const char words[] = "the handler from before";
  if (signal == SIGSEGV && write(STDERR_FILENO, words, sizeof words - 1) > 0) abort();
}
static void not_a_guard(irr_sched *s, irr_args *a) {
  sigaction(SIGSEGV, &(struct sigaction){.sa_handler = handler}, NULL);
  elsewhere(s, a);
}
// Who had the signal before may mend what was wrong, and go on; it was not the last one.
static char *page;
static void mends(int signal, siginfo_t *i, void *context) {
  (void)context;
  if ((char *)i->si_addr == page)
    mprotect(page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
  else
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}
static void mended(irr_sched *s, irr_args *a) {
  page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = mends, .sa_flags = SA_SIGINFO}, NULL);
  OK(irr_name_overflows(s));
  *(volatile char *)page = 1;
  overflows(s, a);
}
static void is_sent(irr_sched *s, irr_args *a) {
  (void)a;
  OK(irr_name_overflows(s));
  (void)raise(SIGSEGV);
}
// The first that a thread has opened may be closed before the second.
static void first_is_closed(irr_sched *s, irr_args *a) {
  irr_sched *first, *second;
  (void)s;
  OK(irr_open(NULL, &first));
  OK(irr_open(&(irr_options){.stack_bytes = 45056}, &second));
  OK(irr_name_overflows(first));
  OK(irr_name_overflows(second));
  irr_close(first);
  OK(irr_spawn(second, overflows, a, NULL));
  OK(irr_run(second));
}
static void alternate_stacks(void) {
  irr_sched *s[3];
  stack_t before, now;
  for (unsigned k = 0; k < 6; k++) {
    const unsigned first = k % 3, second = (first + 1 + k / 3) % 3;
    sigaltstack(NULL, &before);
    for (unsigned i = 0; i < 3; i++) OK(irr_open(NULL, &s[i]));
    for (unsigned i = 0; i < 3; i++) OK(irr_name_overflows(s[i]));
    irr_close(s[first]);
    irr_close(s[second]);
    sigaltstack(NULL, &now);
    CHECK(!(now.ss_flags & SS_DISABLE) && now.ss_sp != before.ss_sp);
    irr_close(s[3 - first - second]);
    sigaltstack(NULL, &now);
    EQ(now.ss_flags, before.ss_flags);
    CHECK(now.ss_flags & SS_DISABLE || now.ss_sp == before.ss_sp);
  }
}
// Where Linux has no marks for guards, they are mappings.
static void by_mappings(irr_sched *s, irr_args *a) {
  irr_sched *inner;
  (void)s;
  OK(irr_open(&(irr_options){.stack_bytes = 36864}, &inner));
  inner->stacks.advice = false;
  OK(irr_name_overflows(inner));
  OK(irr_spawn(inner, overflows, a, NULL));
  OK(irr_run(inner));
}
static void guards(void) {
  dies(&(irr_options){.stack_bytes = 40960}, named, SIGSEGV,
       "tocsin: stack overflow: a task has used more than the 40960 bytes");
  dies(NULL, overflows, SIGSEGV, "");
  dies(NULL, not_a_guard, SIGABRT, "the handler from before");
  dies(NULL, by_mappings, SIGSEGV, "tocsin: stack overflow: a task has used more than the 36864 bytes");
  dies(&(irr_options){.stack_bytes = 49152}, mended, SIGSEGV,
       "tocsin: stack overflow: a task has used more than the 49152 bytes");
  dies(NULL, is_sent, SIGSEGV, "");
  dies(NULL, first_is_closed, SIGSEGV, "tocsin: stack overflow: a task has used more than the 45056 bytes");
  alternate_stacks();
}

// A mapping for each guard and each stack: so many that there may not be more. The tasks that have
// begun are still good.
static void too_many_mappings(void) {
  irr_sched *s;
  crowd w = {.n = 100000};
  unsigned long limit = 0;
  FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
  if (!f || fscanf(f, "%lu", &limit) != 1) limit = 0;
  if (f) fclose(f);
  if (TOOL || limit > w.n) return;
  w.tasks = calloc(w.n, sizeof *w.tasks);
  OK(irr_open(&(irr_options){.tasks = (unsigned)w.n}, &s));
  s->stacks.advice = false;
  for (uint64_t i = 0; i < w.n; i++) OK(irr_spawn(s, member, ARGS(P(&w), U(i)), NULL));
  IS(irr_run(s), TOC_E_NOMEM);
  CHECK(strstr(irr_why(), "vm.max_map_count"));
  CHECK(w.begun > limit / 3 && w.begun < limit);
  for (uint64_t woken = 0, begun = w.begun; begun < w.n && begun > woken; begun = w.begun) {
    for (; woken < begun; woken++) irr_wake(s, w.tasks[woken]);
    IS(irr_run(s), w.begun < w.n ? TOC_E_NOMEM : TOC_E_NOT_DONE);
  }
  EQ(w.begun, w.n);
  irr_close(s);
  free(w.tasks);
}

// ---- a backtrace ends where the task begins
static __attribute__((noinline)) int frames_of(irr_sched *s, unsigned n) {
  void *at[64];
  if (n) return frames_of(s, n - 1) + (int)(n > 100);
  irr_yield(s);
  return backtrace(at, 64);
}
static void traces(irr_sched *s, irr_args *a) {
  int shallow = frames_of(s, 0), deeper = frames_of(s, 9);
  (void)a;
  CHECK(shallow > 0 && shallow < 10);
  CHECK(deeper >= shallow && deeper < 30);
}

int main(void) {
  many();
  reuse();
  depth();
  guards();
  too_many_mappings();
  OK(run_one(&(irr_options){.stack_bytes = 1 << 20}, traces, NULL));
  return report();
}
