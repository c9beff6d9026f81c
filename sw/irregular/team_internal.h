// SPDX-License-Identifier: Apache-2.0
// The parts of a team.
//
//   team.c          options, what each rank opens and closes, its loop      team_end.c    when nothing is left anywhere
//   team_threads.c  ranks that are threads                                  team_ranks.c  how processes find each other
//   team_procs.c    ranks that are processes
#ifndef TOCSIN_IRREGULAR_TEAM_INTERNAL_H
#define TOCSIN_IRREGULAR_TEAM_INTERNAL_H

#include "tocsin/irregular/team.h"

enum { TEAM_WHY = 240, TEAM_MIN_QPS = 16 };

// What a rank says of itself when rank 0 asks. `begun` and `ran` are of delegates, those that ask not counted.
typedef struct report {
  uint64_t quiet, failed, begun, ran, left;
} report;

// How rank 0 finds the end: it asks all, again and again.
typedef struct wave {
  unsigned asked, answered;
  report of[IRR_TEAM_RANKS_MOST];
  irr_status status[IRR_TEAM_RANKS_MOST];
  report sum, last;  // of this wave and the one before
} wave;

typedef struct member {
  irr_member m;
  const irr_team_options *o;
  bool over;          // the team ends
  toc_status status;  // why, if it has failed
  char why[TEAM_WHY];
  uint64_t asks_sent, asks_run;
  wave wave;            // of rank 0
  bool ending;          // rank 0: all have to be told; others: rank 0 was told that this one has failed
  unsigned told;        // ranks, of rank 0
  irr_counter *awaits;  // irr_team_quiet
} member;

typedef struct team_place {  // what TOCSIN_RANKS and the launcher say
  unsigned ranks;
  bool processes;
  int rank;  // by hand; else -1
  char root[128];
} team_place;

// team.c
toc_status irr_i_team_net(member *m, toc_fabric *f, toc_proc *p, unsigned rank, unsigned ranks, bool processes);
toc_status irr_i_team_open(member *m);  // by the thread that runs it: what has to be there before anybody sends
void irr_i_team_loop(member *m);        // until the team is over
void irr_i_team_poll(member *m);        // what others may still want, then
void irr_i_team_close(member *m);       // by the same thread
void irr_i_team_net_close(member *m);
toc_options irr_i_team_fabric(const irr_team_options *o, unsigned ranks);
toc_status irr_i_failed(member *m, toc_status s, const char *what, const char *why);

// team_end.c
irr_status irr_i_team_ask(void *ctx, const irr_arrival *a, irr_answer *answer);
irr_status irr_i_team_over(void *ctx, const irr_arrival *a, irr_answer *answer);
void irr_i_team_look(member *m);  // nothing has moved here

// Of the scheduler and the net, whose own headers cannot be included together.
toc_status irr_fails(toc_status status, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
bool irr_i_sched_quiet(const irr_sched *s);  // run.c: nothing is ready, and nothing has not begun
bool irr_i_net_quiet(const irr_net *net,
                     unsigned questions);         // send.c: only so many answers are waited for, and nothing is kept
irr_status irr_i_net_broken(const irr_net *net);  // send.c: what has broken its log or its store, for good
uint64_t irr_i_net_unknown(const irr_net *net);   // send.c: delegates that no function here has ended
void irr_i_net_probe(irr_net *net, unsigned to);  // gone.c: whether the way there is gone, though it owes nothing

toc_status irr_i_team_threads(const irr_team_options *o, unsigned ranks);
toc_status irr_i_team_processes(const irr_team_options *o, const team_place *place);
#endif
