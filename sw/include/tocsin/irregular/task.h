// SPDX-License-Identifier: Apache-2.0
/* Tasks: thousands of them on one core, each with a small stack of its own, which give the core away while they wait.
 *
 *   static void child(irr_sched *s, irr_args *a) {
 *     irr_yield(s);                                    // others run
 *     *(uint64_t *)a->w[0].p += a->w[1].u;
 *   }
 *   static void parent(irr_sched *s, irr_args *a) {
 *     irr_counter all;
 *     irr_counter_init(&all, s);
 *     for (uint64_t i = 0; i < 1000; i++) MUST(irr_spawn(s, child, &(irr_args){{a->w[0], {.u = i}}}, &all));
 *     irr_wait(s, &all);                               // for all thousand
 *   }
 *
 *   uint64_t sum = 0;
 *   irr_sched *s;
 *   MUST(irr_open(NULL, &s));
 *   MUST(irr_spawn(s, parent, &(irr_args){{{.p = &sum}}}, NULL));
 *   MUST(irr_run(s));                                  // sum is 499500
 *   irr_close(s);
 *
 * WHO MAY CALL WHAT. A scheduler and its tasks belong to one thread, the one that runs it; that thread's handlers,
 * also those that a poll hook calls, may spawn, wake, complete and set. Functions whose names end in _from may
 * be called by any thread, and need a scheduler that was opened with `foreign` or in a group. No function may be
 * called by a signal handler.
 *
 * MISTAKES. What only a wrong program can do (to complete below zero, to wake twice, to wait outside of a task) has no
 * status that a program could act upon: it ends the program by abort(), after a line on the error output which names
 * the function and the mistake.
 *
 * A TASK KEEPS over a switch what a function may keep over a call, and its rounding mode and floating-point control
 * words. It begins with those of irr_run's caller. The signal mask, errno and thread-local variables are the thread's:
 * they do not switch. */
#ifndef TOCSIN_IRREGULAR_TASK_H
#define TOCSIN_IRREGULAR_TASK_H

#include "tocsin/tocsin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct irr_sched irr_sched; /* of one thread: what is ready, what has not begun, and the stacks */
typedef struct irr_task irr_task;   /* one that has begun; good until it ends */
typedef struct irr_group irr_group; /* schedulers of one process that take work from each other */

/* What a task is told: three words. Those of a task that may leave the process must be plain values. */
typedef union irr_word {
  uint64_t u;
  int64_t i;
  double d;
  void *p;
} irr_word;
typedef struct irr_args {
  irr_word w[3];
} irr_args;
typedef void irr_task_fn(irr_sched *s, irr_args *a);
typedef bool irr_poll_fn(void *arg); /* true: something has moved */

#define IRR_NO_PREFETCH (~0U)
typedef struct irr_options {
  size_t stack_bytes;  /* of each task, at least 4096; 0: 32768, and four times that under AddressSanitizer */
  unsigned tasks;      /* that have begun and not ended, at once: others wait for a stack; 0: 65536 */
  unsigned poll_every; /* switches from one call of the poll hook to the next; 0: 64 */
  unsigned prefetch;   /* how far ahead of its turn a task's stack is prefetched; 0: 8 tasks; IRR_NO_PREFETCH */
  bool foreign;     /* other threads wake tasks and complete counters of this scheduler: it may have to wait for them */
  irr_group *group; /* NULL: none */
  /* What irr_spawn_anywhere starts, by number. The table is the same in all processes, and stays. */
  irr_task_fn *const *functions;
  unsigned function_count;
} irr_options;

/* ---- a scheduler, its beginning and end ---- */

/* Opens a scheduler for this thread; o may be NULL. TOC_E_ARG: options that make no sense; TOC_E_NOMEM; TOC_E_FULL: the
 * group has as many schedulers as it was opened for. */
toc_status irr_open(const irr_options *o, irr_sched **s) TOC_MUST_CHECK;
/* Closes a scheduler. Tasks that have not ended are forgotten, with all that their stacks hold.
 * NULL is fine. Not by a task. */
void irr_close(irr_sched *s);
/* Why the last call of this thread failed, as text. Never NULL; good until the next failure. */
const char *irr_why(void);

/* ---- counters: how much is still to be done ---- */

/* A counter belongs to the scheduler that it was initialised for, whose tasks alone may wait for it, and lies anywhere
 * until nobody waits and nothing is enrolled. What was written before a completion is seen by who has waited. */

/* The library's: how a thread tells a scheduler of something. */
typedef struct irr_note {
  struct irr_note *next;
  uint32_t kind, queued;
} irr_note;
/* What is still to be done, and who waits for it; its fields are the library's. */
typedef struct irr_counter {
  irr_sched *home;
  uint64_t left;
  irr_task *waiters;
  irr_note note;
} irr_counter;

/* Makes a counter of s that is zero. */
void irr_counter_init(irr_counter *c, irr_sched *s);
/* Adds n to what is to be done. A mistake: more than INT64_MAX in all. By any scheduler of the group, if the counter is
 * not zero or if that is its own. */
void irr_enroll(irr_sched *s, irr_counter *c, uint64_t n);
/* One less is to be done; at zero all who wait go on. A mistake: nothing was. irr_complete_from does it
 * where no scheduler runs. */
void irr_complete(irr_sched *s, irr_counter *c);
void irr_complete_from(irr_counter *c);
/* Waits until the counter is zero, or has been since the call. */
void irr_wait(irr_sched *s, irr_counter *c);

/* ---- futures: one value, once ---- */

/* A future that has its value may be initialised again. */

/* A value that comes later; its fields are the library's. */
typedef struct irr_future {
  irr_counter counter;
  uint64_t value;
} irr_future;
/* Makes a future of s without a value. */
void irr_future_init(irr_future *f, irr_sched *s);
/* Gives the future its value: all who wait go on. A mistake: it has one. irr_future_set_from does it
 * where no scheduler runs. */
void irr_future_set(irr_sched *s, irr_future *f, uint64_t value);
void irr_future_set_from(irr_future *f, uint64_t value);
/* Whether it has its value. */
bool irr_future_ready(const irr_future *f);
/* The value of a future; waits for it. */
uint64_t irr_future_get(irr_sched *s, irr_future *f);

/* ---- to spawn ---- */

/* The task begins when the core is free for it; nothing runs before this call returns. `join` may be NULL: else it is
 * enrolled now and completed when the task ends. After an error nothing was spawned or enrolled. */

/* Spawns a task in this scheduler, where tasks begin in the order of such calls. TOC_E_NOMEM. */
toc_status irr_spawn(irr_sched *s, irr_task_fn *fn, const irr_args *a, irr_counter *join) TOC_MUST_CHECK;
/* Spawns a task in the first scheduler of the group that has nothing else to do; in no order. TOC_E_NOMEM. */
toc_status irr_spawn_rank(irr_sched *s, irr_task_fn *fn, const irr_args *a, irr_counter *join) TOC_MUST_CHECK;
/* Spawns a task anywhere: as irr_spawn_rank, and irr_give may take it out of the process before it has begun.
 * TOC_E_ARG: no such function in the table; TOC_E_NOMEM. */
toc_status irr_spawn_anywhere(irr_sched *s, unsigned function, const irr_args *a) TOC_MUST_CHECK;

/* ---- a loop ---- */

typedef void irr_body_fn(irr_sched *s, uint64_t begin, uint64_t end, void *arg);
typedef struct irr_loop {
  uint64_t begin, end; /* a mistake: end before begin */
  uint64_t threshold;  /* 0: as many as make 64 parts */
  irr_body_fn *body;
  void *arg;
  bool rank; /* its tasks may run in any scheduler of the group */
} irr_loop;
/* Runs a loop: body(begin, end, arg) for parts of [begin, end) with at most `threshold` iterations each, in tasks that
 * halve what they have and spawn one half, so that the depth is logarithmic. Returns when all are done. What there is
 * no memory to spawn runs at once. */
void irr_for(irr_sched *s, const irr_loop *loop);

/* ---- inside of a task ---- */

/* The task that runs, NULL if none does. */
irr_task *irr_self(const irr_sched *s);
/* Lets others run: goes behind all that are ready. A task that has not begun begins after at most poll_every such
 * calls, if there is a stack. */
void irr_yield(irr_sched *s);
/* Blocks this task until irr_wake, which may have come before: then it returns at once. One wake for each block. */
void irr_block(irr_sched *s);
/* Lets a task that blocks, or will, go on. A mistake: a second wake before it has. irr_wake_from does
 * it from any thread. */
void irr_wake(irr_sched *s, irr_task *t);
void irr_wake_from(irr_task *t);
/* Begins and ends a part without a switch: between these no task may yield, block or wait: a mistake. They nest.
 * Outside of tasks, in handlers, they are fine too. */
void irr_atomic_begin(irr_sched *s);
void irr_atomic_end(irr_sched *s);

/* ---- to run ---- */

/* By the thread that the scheduler and its tasks belong to, not by a task. */

/* Runs until no task is left, in any scheduler of the group: each of these calls it, equally often. TOC_E_NOT_DONE:
 * tasks are blocked and nothing is left that could wake them (no poll hook, no `foreign`). TOC_E_FULL: the same, and
 * others have no stack to begin on (irr_options.tasks). TOC_E_NOMEM: there is no memory for the stack of a task, and
 * nothing else to do. The tasks are still there after an error. */
toc_status irr_run(irr_sched *s) TOC_MUST_CHECK;
/* Runs as irr_run does, but does not return while keep(arg) says that work may yet come through the poll hook. It is
 * asked when there is none. TOC_E_NOT_DONE, TOC_E_FULL, TOC_E_NOMEM: as there. */
toc_status irr_run_while(irr_sched *s, irr_poll_fn *keep, void *arg) TOC_MUST_CHECK;
/* Runs what can run, about poll_every switches of it, and polls once, so that one thread drives many schedulers. False:
 * nothing moved, by no hook either. Not in a group. */
bool irr_step(irr_sched *s);
/* Tasks that have not ended, begun or not. */
uint64_t irr_left(const irr_sched *s);

/* ---- hooks ---- */

/* Both are called outside of tasks, on the stack of irr_run's caller. NULL: none. */

/* Sets what is called every poll_every switches, and when nothing is ready. */
void irr_on_poll(irr_sched *s, irr_poll_fn *poll, void *arg);
/* Sets what is called when nothing is ready, nothing has been spawned and nobody in the group has anything to give: to
 * ask another process.
 * */
void irr_on_hungry(irr_sched *s, irr_poll_fn *hungry, void *arg);

/* ---- work for another process ---- */

/* Tasks of irr_spawn_anywhere that have not begun stay as they are until somebody takes them.
 * By the scheduler's thread. */

/* A task on its way: its function, by number, and its arguments. */
typedef struct irr_portable {
  uint64_t function;
  irr_args args;
} irr_portable;
/* Takes at most `most` tasks out of this process, the oldest first, and returns how many. */
unsigned irr_give(irr_sched *s, irr_portable *out, unsigned most);
/* Spawns tasks of another process here: *taken of them, the first. TOC_E_ARG: no such function; TOC_E_NOMEM. */
toc_status irr_take(irr_sched *s, const irr_portable *in, unsigned n, unsigned *taken) TOC_MUST_CHECK;
/* How many tasks there are to give, about. */
unsigned irr_givable(const irr_sched *s);

/* ---- groups ---- */

/* Opens a group of `schedulers`, each of which is opened with irr_options.group by the thread that runs it. TOC_E_ARG:
 * none, or more than 4096; TOC_E_NOMEM. */
toc_status irr_group_open(unsigned schedulers, irr_group **g) TOC_MUST_CHECK;
/* Closes a group, after its schedulers. NULL is fine. */
void irr_group_close(irr_group *g);

/* ---- a stack that is too small ---- */

/* Names a task that runs out of its stack. Such a task writes into a guard page, and the process dies of SIGSEGV. After
 * this call it says first which scheduler's task it was and how large its stack is. It sets the process's handler of
 * SIGSEGV and SIGBUS (it calls the handler before, which may mend what was wrong and return) and this thread's
 * alternate signal stack, until irr_close. A frame larger than a page may step over the guard, unless the compiler was
 * called with -fstack-clash-protection. By the thread that runs s. TOC_E_NOMEM; TOC_E_IO: the system refused. */
toc_status irr_name_overflows(irr_sched *s) TOC_MUST_CHECK;

/* ---- what has happened so far ---- */

typedef struct irr_counts {
  uint64_t switches;       /* to a task */
  uint64_t spawned, ended; /* here */
  uint64_t stolen;         /* taken from others of the group */
  uint64_t given, taken;   /* to and from other processes */
  uint64_t polls;          /* calls of the poll hook */
  uint64_t stacks, begun;  /* that there are; tasks that have begun and not ended */
  uint64_t stack_each;     /* bytes of address space that one stack takes, guard and the task's own record included */
} irr_counts;
/* Counts of what this scheduler has done. */
void irr_counts_of(const irr_sched *s, irr_counts *c);

#ifdef __cplusplus
}
#endif
#endif
