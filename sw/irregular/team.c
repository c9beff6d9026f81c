// SPDX-License-Identifier: Apache-2.0
// A team: what is asked for, what each rank opens, and how it goes round.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "team_internal.h"
#include "team_ranks.h"

enum { RANK_BYTES = 4 << 20, NODE_BYTES = 64 << 20, PROCESS_US = 1000000, SPINS = 256, NAP_NS = 50000 };

static _Thread_local irr_member *here;

irr_member *irr_here(void) { return here; }

toc_status irr_i_failed(member *m, toc_status s, const char *what, const char *why) {
  if (m->status != TOC_OK) return m->status;
  m->status = s;
  snprintf(m->why, sizeof m->why, "rank %u: %s%s%.160s", m->m.rank, what, *what && *why ? ": " : "", why);
  return s;
}

void irr_team_fail(irr_member *m, toc_status status, const char *why) {
  (void)irr_i_failed((member *)(void *)m, status == TOC_OK ? TOC_E_ARG : status, "", why);
}

// ---- what is asked for
static bool number(const char **at, unsigned *v) {
  char *end;
  const unsigned long n = strtoul(*at, &end, 10);
  if (end == *at || **at < '0' || **at > '9' || n > IRR_TEAM_RANKS_MOST) return false;
  *at = end;
  *v = (unsigned)n;
  return true;
}

// "4", "4,processes", "4,rank=1,root=HOST:PORT"
static bool parse(const char *text, team_place *p) {
  unsigned rank;
  if (!number(&text, &p->ranks) || !p->ranks) return false;
  p->processes = !strcmp(text, ",processes");
  if (p->processes) return true;
  while (*text == ',') {
    text++;
    if (!strncmp(text, "rank=", 5)) {
      text += 5;
      if (!number(&text, &rank) || rank >= p->ranks) return false;
      p->rank = (int)rank;
    } else if (!strncmp(text, "root=", 5)) {
      const size_t n = strcspn(text += 5, ",");
      if (!n || n >= sizeof p->root) return false;
      snprintf(p->root, sizeof p->root, "%.*s", (int)n, text);
      text += n;
    } else {
      return false;
    }
  }
  p->processes = p->rank >= 0;
  return !*text && (p->rank >= 0) == (*p->root != 0);
}

static toc_status place_of(const irr_team_options *o, team_place *p) {
  const char *text = getenv("TOCSIN_RANKS");
  *p = (team_place){.ranks = o->ranks ? o->ranks : 1, .processes = o->processes, .rank = -1};
  if (ranks_launched_count()) {
    p->ranks = ranks_launched_count();
    p->processes = true;
  } else if (text && *text && !parse(text, p)) {
    return irr_fails(TOC_E_ARG,
                     "TOCSIN_RANKS is '%.80s'; it can be 4, 4,processes or 4,rank=1,root=HOST:PORT, with 1 to %d ranks",
                     text, IRR_TEAM_RANKS_MOST);
  }
  if (o->ranks && p->ranks != o->ranks)
    return irr_fails(TOC_E_ARG, "the program runs on %u ranks, and %u are started", o->ranks, p->ranks);
  if (p->ranks > IRR_TEAM_RANKS_MOST)
    return irr_fails(TOC_E_ARG, "irr_team_run: %u ranks; up to %d are possible", p->ranks, IRR_TEAM_RANKS_MOST);
  return TOC_OK;
}

toc_status irr_team_run(const irr_team_options *o) {
  team_place place;
  if (!o || !o->first) return irr_fails(TOC_E_ARG, "irr_team_run: there is no `first`");
  if (o->tasks.group) return irr_fails(TOC_E_ARG, "irr_team_run: schedulers of a team are in no group");
  if (here) return irr_fails(TOC_E_ARG, "irr_team_run: this thread runs a rank already");
  const toc_status s = place_of(o, &place);
  if (s != TOC_OK) return s;
  return place.processes && place.ranks > 1 ? irr_i_team_processes(o, &place) : irr_i_team_threads(o, place.ranks);
}

toc_options irr_i_team_fabric(const irr_team_options *o, unsigned ranks) {
  const irr_topology t = {ranks, o->net.group ? o->net.group : irr_group_default(ranks)};
  const uint64_t all = o->heap.rank_bytes ? o->heap.rank_bytes : RANK_BYTES,
                 heap = o->store.memory ? o->store.memory : all;
  unsigned most = 0;
  for (unsigned r = 0; r < ranks; r++)
    if (irr_route_degree(&t, r) > most) most = irr_route_degree(&t, r);
  most += o->qps;
  return (toc_options){.qps = most < TEAM_MIN_QPS ? TEAM_MIN_QPS : most, .node_bytes = NODE_BYTES + 2 * heap};
}

// ---- a rank
static irr_status open_store(member *m, irr_heap_options *heap) {
  irr_paged_options o = m->o->store;
  char file[PATH_MAX];
  if (!o.memory) return IRR_OK;
  o.bytes = (heap->rank_bytes + IRR_PAGE_BYTES - 1) / IRR_PAGE_BYTES * IRR_PAGE_BYTES;
  if (o.file) {
    const int n = snprintf(file, sizeof file, "%s.%u", o.file, m->m.rank);
    if (n < 0 || (size_t)n >= sizeof file) return IRR_E_ARG;
    o.file = file;
  }
  const irr_status s = irr_paged_open(m->m.fabric, m->m.proc, &o, &m->m.store);
  heap->store = m->m.store;
  return s;
}

// Something that the rank opens, or has opened, has failed.
static toc_status part_failed(member *m, irr_status s, const char *what) {
  return irr_i_failed(m,
                      s == IRR_E_NOMEM ? TOC_E_NOMEM
                      : s == IRR_E_ARG ? TOC_E_ARG
                                       : TOC_E_IO,
                      what, s == IRR_E_DRIVER ? toc_why() : irr_text(s));
}

static toc_status store_failed(member *m, irr_status s) {
  if (s == IRR_E_FILE) return irr_i_failed(m, TOC_E_IO, "its store's file", strerror(errno));
  return part_failed(m, s, "its store");
}

// All of the content is in the file while somebody can still be told that it is not.
static void keep_store(member *m) {
  if (!m->m.store || !m->o->store.file) return;
  const irr_status s = irr_paged_sync(m->m.store);
  if (s != IRR_OK) (void)store_failed(m, s);
}

toc_status irr_i_team_net(member *m, toc_fabric *f, toc_proc *p, unsigned rank, unsigned ranks, bool processes) {
  irr_net_options net = m->o->net;
  irr_heap_options heap = m->o->heap;
  net.rank = rank;
  net.ranks = ranks;
  if (processes && !net.timeout_us) net.timeout_us = PROCESS_US;
  if (processes && !net.probe_us) net.probe_us = PROCESS_US;
  if (!heap.rank_bytes) heap.rank_bytes = RANK_BYTES;
  heap.memory = NULL;
  heap.store = NULL;
  m->m = (irr_member){.rank = rank, .ranks = ranks, .fabric = f, .proc = p, .processes = processes};
  irr_status s = irr_net_open(f, p, &net, &m->m.r.net);
  if (s != IRR_OK) return part_failed(m, s, "its net");
  s = open_store(m, &heap);
  if (s != IRR_OK) return store_failed(m, s);
  s = irr_heap_open(m->m.r.net, &heap, &m->m.r.heap);
  if (s != IRR_OK) return part_failed(m, s, "its heap");
  const irr_function ask = {.run = irr_i_team_ask, .ctx = m, .answer_bytes = sizeof(report)},
                     over = {.run = irr_i_team_over, .ctx = m};
  s = irr_net_register(m->m.r.net, IRR_TEAM_ASK, &ask);
  if (s == IRR_OK) s = irr_net_register(m->m.r.net, IRR_TEAM_OVER, &over);
  return s == IRR_OK ? TOC_OK : irr_i_failed(m, TOC_E_IO, "its functions", irr_text(s));
}

// What a function of the program has ended with. irr_why is empty if nothing has failed since the team began.
static void ended(member *m, toc_status s, const char *what) {
  if (s != TOC_OK) (void)irr_i_failed(m, s, what, *irr_why() ? irr_why() : toc_why());
}

static void run_first(irr_sched *s, irr_args *a) {
  member *m = a->w[0].p;
  (void)s;
  ended(m, m->o->first(&m->m, m->o->arg), "its first task");
}

toc_status irr_i_team_open(member *m) {
  here = &m->m;
  toc_status s = irr_open(&m->o->tasks, &m->m.r.s);
  if (s != TOC_OK) return irr_i_failed(m, s, "its scheduler", irr_why());
  const irr_status begun = irr_rank_begin(&m->m.r);
  if (begun != IRR_OK) return irr_i_failed(m, TOC_E_IO, "its scheduler", irr_text(begun));
  (void)irr_fails(TOC_OK, "%s", "");
  if (m->o->open) ended(m, m->o->open(&m->m, m->o->arg), "opening");
  if (m->status != TOC_OK || m->m.rank) return m->status;
  s = irr_spawn(m->m.r.s, run_first, &(irr_args){{{.p = m}}}, NULL);
  return s == TOC_OK ? TOC_OK : irr_i_failed(m, s, "its first task", irr_why());
}

// Nobody else is short of the processor because this rank waits.
static void rest(unsigned *idle) {
  if (++*idle > SPINS)
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
  else
    sched_yield();
}

static void look_for_the_gone(member *m) {
  char who[32];
  for (unsigned r = 0; r < m->m.ranks; r++) {
    if (!irr_net_is_gone(m->m.r.net, r)) continue;
    snprintf(who, sizeof who, "rank %u is gone", r);
    (void)irr_i_failed(m, TOC_E_PEER_GONE, "", who);
    m->over = true;
    return;
  }
}

// The poll hook has nobody whom it could tell.
static void look_for_what_broke(member *m) {
  const irr_status s = irr_i_net_broken(m->m.r.net);
  if (s == IRR_OK || m->status != TOC_OK) return;
  if (m->m.store && irr_paged_poll(m->m.store, NULL) == s)
    (void)store_failed(m, s);
  else
    (void)irr_i_failed(m, TOC_E_IO, "its net", toc_why());
}

void irr_i_team_loop(member *m) {
  unsigned idle = 0;
  while (!m->over) {
    const bool moved = irr_step(m->m.r.s);
    if (m->m.processes && m->m.rank) irr_i_net_probe(m->m.r.net, 0);  // who would end the team owes nothing
    look_for_what_broke(m);
    look_for_the_gone(m);  // also where tasks move: they may yield until one does something that is gone
    if (moved) {
      idle = 0;
      if (m->status == TOC_OK && !m->ending) continue;
    }
    (void)irr_net_flush_all(m->m.r.net);  // nothing will join what is queued
    irr_i_team_look(m);
    rest(&idle);
  }
}

void irr_i_team_poll(member *m) {
  (void)irr_net_poll(m->m.r.net, NULL);
  (void)irr_net_flush_all(m->m.r.net);
  sched_yield();
}

void irr_i_team_close(member *m) {
  if (m->m.r.s && m->o->close) ended(m, m->o->close(&m->m, m->o->arg), "closing");
  keep_store(m);
  irr_close(m->m.r.s);
  m->m.r.s = NULL;
  here = NULL;
}

void irr_i_team_net_close(member *m) {
  irr_heap_close(m->m.r.heap);
  (void)irr_paged_close(m->m.store);  // what had to be written was, in irr_i_team_close
  irr_net_close(m->m.r.net);
}
