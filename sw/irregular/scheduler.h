// SPDX-License-Identifier: Apache-2.0
/* What the files of the scheduler share: a scheduler and a task as they lie in memory, and the steps between them.
 *
 * A task that has begun is in one of three places: it runs (`current`), it is in the ring `ready`, or it is blocked,
 * and whoever shall wake it has the pointer. An entry of the ring has the stack pointer beside the task, so that the
 * stack can be prefetched, and gone to, without a look at the task itself.
 *
 * A task that has not begun is a record of five words in one of three queues: `mine` in order, `rank` and
 * `anywhere` for thieves too. */
#ifndef TOCSIN_IRREGULAR_SCHEDULER_H
#define TOCSIN_IRREGULAR_SCHEDULER_H

#include "deque.h"
#include "fiber.h"
#include "tocsin/irregular/task.h"

enum { IRR_LINE = 64 };

typedef enum irr_state {
  IRR_FREE,
  IRR_ABLE /* runs or is ready */,
  IRR_BLOCKED,
  IRR_WAITING /* for a counter */
} irr_state;
enum { IRR_NOTE_WAKE, IRR_NOTE_COUNTER };

struct irr_task {
  void *sp; /* of one that is blocked */
  irr_sched *home;
  irr_state state;
  bool permit;    /* a wake came before the block */
  irr_task *next; /* among free ones, or among those that wait for the same counter */
  irr_note note;
  irr_record work;
  irr_fiber fiber;
  irr_task *all;
};

typedef struct irr_ready {
  irr_task *task;
  void *sp;
} irr_ready;

typedef struct irr_slab {
  struct irr_slab *next;
  char *base;
  size_t bytes;
} irr_slab;

typedef struct irr_stacks {
  size_t each, guard, count, limit;
  bool advice; /* guards by madvise: no mapping of their own */
  irr_task *free, *all;
  irr_slab *slabs;
} irr_stacks;

/* Records in the order of their spawning. */
typedef struct irr_fifo {
  irr_record *at;
  size_t head, count, size;
} irr_fifo;

struct irr_sched {
  /* what a switch needs */
  irr_task *current;
  irr_ready *ready;
  size_t head, tail, mask; /* entries head to tail, modulo mask + 1 */
  size_t ahead;            /* to prefetch; 0: none */
  int64_t budget;          /* switches until the next poll */
  uint64_t switches;
  unsigned atomic;
  bool alone; /* no other thread touches it */
  void *sp;   /* of irr_run's caller, while a task runs */
  irr_fiber fiber;
  /* the rest */
  irr_options o;
  irr_stacks stacks;
  irr_fifo mine;
  irr_deque rank, anywhere;
  unsigned turn; /* which queue gives the next task that begins */
  bool poor;     /* there was no memory for a stack */
  uint64_t begun, spawned, ended, stolen, given, taken, polls;
  irr_poll_fn *poll, *hungry;
  void *poll_arg, *hungry_arg;
  struct irr_overflow *overflow;
  unsigned place; /* in the group */
  uint64_t round, seed;
  bool declared, stuck;                               /* irr_group_over */
  irr_note *inbox __attribute__((aligned(IRR_LINE))); /* by any thread, the last first */
};

/* Says the function and the mistake on the error output, and ends the program. */
void irr_mistake(const char *function, const char *what) __attribute__((noreturn, cold));
/* Sets irr_why, and returns status. */
toc_status irr_fails(toc_status status, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* task.c */
bool irr_begin(
    irr_sched *s,
    bool steal); /* a task that has not begun, its own or another scheduler's; false: there is none, or no stack */
void irr_resume(irr_sched *s);                              /* the first that is ready */
void irr_park(irr_sched *s, irr_state state);               /* the task that runs stops, until irr_unpark */
void irr_unpark(irr_sched *s, irr_task *t);                 /* it is ready */
void irr_task_in(const irr_sched *s, const char *function); /* a mistake, if no task runs or it must not switch */

/* inbox.c */
void irr_post(irr_sched *s, irr_note *n, const char *function); /* by any thread */
bool irr_drain(irr_sched *s);                                   /* what has been posted; false: nothing */

/* spawn.c */
bool irr_pop(irr_sched *s, irr_record *r); /* what begins next, of its own */
bool irr_waiting(const irr_sched *s);      /* something has not begun */

/* stack.c */
toc_status irr_stacks_open(irr_stacks *k, size_t bytes, unsigned limit);
void irr_stacks_close(irr_stacks *k);
irr_task *irr_stack_get(irr_sched *s); /* NULL: all are taken, or there is no memory (s->poor) */
void irr_stack_put(irr_sched *s, irr_task *t);

/* counter.c */
void irr_counter_delivered(irr_sched *s, irr_counter *c); /* the last completion, which another thread has posted */
void irr_i_done(irr_sched *s, irr_counter *c, const char *function);

/* group.c */
toc_status irr_group_join(irr_sched *s);
void irr_group_enter(irr_sched *s);
void irr_group_leave(irr_sched *s);
bool irr_group_over(irr_sched *s, bool stuck, bool *any_stuck); /* s has nothing to do, and neither has anybody else */
bool irr_group_declared(irr_sched *s);                          /* s said so, and there is still nothing for it */
void irr_group_take_back(irr_sched *s);                         /* but its hooks have brought something */
bool irr_steal(irr_sched *s, irr_record *r);

/* run.c */
void irr_free(irr_sched *s);                /* what others of the group may look at until the end */
bool irr_i_sched_quiet(const irr_sched *s); /* nothing is ready, and nothing has not begun */

/* overflow.c */
void irr_overflow_close(irr_sched *s);

static inline size_t irr_ready_count(const irr_sched *s) { return s->tail - s->head; }

#endif
