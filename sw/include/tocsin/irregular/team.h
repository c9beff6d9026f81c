// SPDX-License-Identifier: Apache-2.0
/* A team: ranks with all that they need, in one call. It opens a fabric, and for each rank a net, a scheduler and a
 * heap; connects them; runs one task at rank 0, which makes the others work by delegates and tasks that it sends them;
 * and ends when nothing is left anywhere.
 *
 *   static toc_status first(irr_member *m, void *arg) {
 *     irr_address a;
 *     if (irr_global_malloc(m->r.heap, 8 * 1000, &a) != IRR_OK) return TOC_E_NOMEM;
 *     return irr_write(&m->r, a, 42) == IRR_OK ? TOC_OK : TOC_E_IO;
 *   }
 *   MUST(irr_team_run(&(irr_team_options){.first = first}));
 *
 * WHERE THE RANKS ARE. In threads of this process, one each, whose nodes are on one fabric in process; or in processes
 * of their own on link=udp, here or on several machines. Who starts the program says it, and need not change it:
 *
 *   ./program                                             1 rank, or as many as irr_team_options.ranks says
 *   TOCSIN_RANKS=4 ./program                              4 threads
 *   TOCSIN_RANKS=4,processes ./program                    4 processes, of which the first starts the others
 *   mpirun -n 4 ./program         srun -n 4 ./program     4 processes, of Open MPI, MPICH or Slurm
 *   TOCSIN_RANKS=4,rank=1,root=192.0.2.7:7471 ./program   one of 4, by hand: rank 0 listens at that address of its own
 *
 * Threads share the program's variables, processes do not: what each rank has of its own belongs into irr_member.mine.
 *
 * THE END. irr_team_run returns at each rank when `first` has returned, no task is left at any rank and no delegate or
 * answer is under way. If tasks are left and nothing can wake them, it says so and does not hang (TOC_E_NOT_DONE). A
 * failure of any rank ends the team. Tasks that have not ended are forgotten then, with all that their stacks hold. */
#ifndef TOCSIN_IRREGULAR_TEAM_H
#define TOCSIN_IRREGULAR_TEAM_H

#include "tocsin/irregular/delegate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IRR_TEAM_RANKS_MOST = 64 };

/* A rank, in the thread that it runs in. */
typedef struct irr_member {
  irr_rank r; /* scheduler, net and heap */
  unsigned rank, ranks;
  toc_fabric *fabric;
  toc_proc *proc;
  bool processes;   /* the others are in processes of their own */
  irr_paged *store; /* in which its part of the heap lies; NULL: it is in memory */
  void *mine;       /* the program's, NULL at first */
} irr_member;

/* Anything but TOC_OK ends the team; its reason is irr_why, or toc_why if no call of the scheduler has
 * failed in this thread. */
typedef toc_status irr_member_fn(irr_member *m, void *arg);

/* 0: default. All but the functions and `arg` must be the same at all ranks. */
typedef struct irr_team_options {
  unsigned ranks;    /* 1 to 64; default: as the launcher, then as TOCSIN_RANKS says, else 1. A launcher's must agree */
  bool processes;    /* without a launcher and TOCSIN_RANKS: processes, and not threads */
  irr_options tasks; /* task.h; not in a group */
  irr_net_options
      net; /* net.h; rank and ranks are not looked at. timeout_us, probe_us: a second each between processes */
  irr_heap_options heap; /* heap.h; `memory` and `store` are not looked at. rank_bytes: default 4 MiB */
  /* paged.h; store.memory not 0: a rank's part of the heap lies in a store of so much memory, which the team opens and
   * closes. `bytes` is not looked at; `file` has .RANK added, and what it holds is the heap's content. */
  irr_paged_options store;
  unsigned qps;         /* queue pairs that a rank may open besides those of its net */
  uint64_t program;     /* a number that says which program it is: ranks of another one are refused */
  irr_member_fn *open;  /* at each rank before anything runs: registers its functions. May be NULL */
  irr_member_fn *first; /* a task at rank 0 */
  irr_member_fn *close; /* at each rank when all is over, before net and heap go; also after a failure. May be NULL */
  void *arg;            /* of all three; of other threads too */
} irr_team_options;

/* Runs a team, by a thread that runs no scheduler. irr_why: which rank has failed, and how. TOC_E_ARG: options, or
 * TOCSIN_RANKS; TOC_E_NOMEM; TOC_E_PEER_GONE: a rank is gone; TOC_E_NOT_DONE: tasks are left that nothing can wake;
 * TOC_E_IO: its net, heap or store (also later: a file that is full), or ranks that do not meet; and those of toc_open,
 * irr_open, of a rank's open, first and close. Between processes it returns in each of them; those that rank 0 has
 * started are waited for by it. */
toc_status irr_team_run(const irr_team_options *o) TOC_MUST_CHECK;

/* The rank that this thread runs, NULL if none. */
irr_member *irr_here(void);

/* Says that this rank has failed: the team ends. The first failure counts. By the rank's thread, in a task,
 * a delegate or a handler. */
void irr_team_fail(irr_member *m, toc_status status, const char *why);

/* Waits until nothing else moves at any rank: every other task has ended or is blocked, and no delegate or answer is
 * under way. By a task of rank 0. IRR_E_ARG: at others, or if another task does it already; IRR_E_INSIDE. */
irr_status irr_team_quiet(irr_member *m);

#ifdef __cplusplus
}
#endif
#endif
