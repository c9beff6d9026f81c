// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes: each has a fabric of its own with one node on link=udp. What they tell each other by TCP
// (sw/apps/ranks.h) is who is who and how it has ended; all else are delegates.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team_internal.h"
#include "team_ranks.h"

enum { WAIT_US = 60000000 };

typedef struct statement {  // how a rank has ended
  uint64_t status;
  char why[TEAM_WHY];
} statement;

typedef struct process {
  ranks *all;
  member m;
  toc_fabric *f;
  bool over;  // all have said how they have ended, or nobody can any more
  bool heard;
  statement mine, of[IRR_TEAM_RANKS_MOST];
  char why[RANKS_WHY];
} process;

static toc_status fails(toc_status s, const char *why) { return irr_fails(s, "%s", why); }

static bool gather(process *p, const void *mine, size_t bytes, void *all) {
  int status;
  return ranks_gather(p->all, mine, bytes, all, &status, p->why);
}

// ---- meeting
static toc_status same_program(process *p, const irr_team_options *o, unsigned n) {
  uint64_t all[IRR_TEAM_RANKS_MOST];
  if (!gather(p, &o->program, sizeof *all, all)) return fails(TOC_E_IO, p->why);
  for (unsigned i = 1; i < n; i++)
    if (all[i] != all[0])
      return irr_fails(TOC_E_ARG,
                       "rank %u runs another program than rank 0: all have to run the same executable, built once", i);
  return TOC_OK;
}

static toc_status connect_all(process *p, unsigned me, unsigned n, irr_face *mine, irr_face *all) {
  irr_net *net = p->m.m.r.net;
  const irr_topology *t = irr_net_topology(net);
  const char *why = "no memory";
  irr_status s = mine && all ? IRR_OK : IRR_E_NOMEM;
  for (unsigned i = 0; i < irr_route_degree(t, me) && s == IRR_OK; i++) {
    const unsigned to = irr_route_neighbour(t, me, i);
    s = irr_net_face(net, to, &mine[to]);
  }
  if (s == IRR_OK && !gather(p, mine, n * sizeof *mine, all)) return fails(TOC_E_IO, p->why);
  for (unsigned i = 0; i < irr_route_degree(t, me) && s == IRR_OK; i++) {
    const unsigned to = irr_route_neighbour(t, me, i);
    s = irr_net_connect(net, to, &all[(size_t)to * n + me]);
    why = s == IRR_E_ARG ? "the ranks have other options" : s == IRR_E_DRIVER ? toc_why() : irr_text(s);
  }
  return s == IRR_OK ? TOC_OK : irr_i_failed(&p->m, TOC_E_IO, "its connections", why);
}

static toc_status connects(process *p, unsigned me, unsigned n) {
  irr_face *mine = calloc(n, sizeof *mine), *all = calloc((size_t)n * n, sizeof *all);
  const toc_status s = connect_all(p, me, n, mine, all);
  free(mine);
  free(all);
  return s;
}

static toc_status opens(process *p, const irr_team_options *o, unsigned me, unsigned n) {
  char link[2 * RANKS_HOST];
  toc_proc *proc;
  toc_options with = irr_i_team_fabric(o, n);
  snprintf(link, sizeof link, "udp,local=%s:0", ranks_local(p->all));
  with.link = link;
  with.rank0 = me;
  with.progress = TOC_PROGRESS_THREAD;
  with.timeout_us = WAIT_US;
  toc_status s = same_program(p, o, n);
  if (s != TOC_OK) return s;
  if ((s = toc_open(&with, &p->f)) != TOC_OK || (s = toc_proc_open(toc_node_at(p->f, 0), &proc)) != TOC_OK)
    return irr_i_failed(&p->m, s, "its fabric", toc_why());
  s = irr_i_team_net(&p->m, p->f, proc, me, n, true);
  if (s == TOC_OK) s = connects(p, me, n);
  if (s == TOC_OK) s = irr_i_team_open(&p->m);
  if (s == TOC_OK && !gather(p, NULL, 0, NULL)) s = fails(TOC_E_IO, p->why);
  return s;
}

// ---- the end: until all have stopped, what one still has to say may come through any other.
static void *part(void *arg) {
  process *p = arg;
  p->heard = gather(p, &p->mine, sizeof p->mine, p->of);
  __atomic_store_n(&p->over, true, __ATOMIC_RELEASE);
  return NULL;
}

static void state(process *p) {
  p->mine.status = p->m.status;
  memcpy(p->mine.why, p->m.why, sizeof p->mine.why);
}

static toc_status stated(const process *p, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (p->of[i].status != TOC_OK) return irr_fails((toc_status)p->of[i].status, "%.*s", TEAM_WHY - 1, p->of[i].why);
  return TOC_OK;
}

static toc_status parts(process *p, unsigned n) {
  pthread_t waits;
  const bool gone = p->m.status == TOC_E_PEER_GONE;
  state(p);
  if (pthread_create(&waits, NULL, part, p)) return irr_fails(TOC_E_NOMEM, "this system starts no more threads");
  while (!__atomic_load_n(&p->over, __ATOMIC_ACQUIRE)) irr_i_team_poll(&p->m);
  pthread_join(waits, NULL);
  if (!p->heard) return fails(gone ? TOC_E_PEER_GONE : TOC_E_IO, p->why);
  return stated(p, n);
}

// All have ended well: whether they close well is said as well.
static toc_status closes(process *p, unsigned n) {
  irr_i_team_close(&p->m);
  state(p);
  return gather(p, &p->mine, sizeof p->mine, p->of) ? stated(p, n) : fails(TOC_E_PEER_GONE, p->why);
}

// The others say themselves which rank it was.
static void tell_others(process *p, toc_status s, const char *why) {
  char own[16];
  const int n = snprintf(own, sizeof own, "rank %u: ", p->m.m.rank);
  ranks_fail(p->all, (int)s, why + (strncmp(why, own, (size_t)n) ? 0 : n));
}

static toc_status run(process *p, const irr_team_options *o) {
  const unsigned me = ranks_rank(p->all), n = ranks_count(p->all);
  p->m.o = o;
  p->m.m.rank = me;
  toc_status s = opens(p, o, me, n);
  if (s != TOC_OK) {
    if (p->m.status != TOC_OK) (void)fails(s, p->m.why);
    tell_others(p, s, irr_why());
  } else {
    irr_i_team_loop(&p->m);
    s = parts(p, n);
  }
  if (s == TOC_OK) {
    s = closes(p, n);
  } else {
    char why[TEAM_WHY];
    snprintf(why, sizeof why, "%s", irr_why());
    irr_i_team_close(&p->m);
    (void)fails(s, why);
  }
  irr_i_team_net_close(&p->m);
  toc_close(p->f);
  return s;
}

toc_status irr_i_team_processes(const irr_team_options *o, const team_place *place) {
  char why[RANKS_WHY];
  const ranks_asked asked = {
      .count = place->ranks, .rank = place->rank, .root = *place->root ? place->root : NULL, .job = 0x746f6373696eull};
  process *p = calloc(1, sizeof *p);
  if (!p) return irr_fails(TOC_E_NOMEM, "irr_team_run: no memory");
  p->all = ranks_join(&asked, why);
  if (!p->all) {
    free(p);
    return fails(TOC_E_IO, why);
  }
  const toc_status s = run(p, o);
  (void)ranks_leave(p->all);  // each has said how it has ended
  free(p);
  return s;
}
