// SPDX-License-Identifier: Apache-2.0
#include "xnet.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xjobs.h"

double x_now(void) { return simgrid_get_clock() * 1e9; }
void x_spend(x_proc *p, double ns) {
  p->busy += ns;
  if (ns > 0) sg_actor_sleep_for(ns * 1e-9);
}

void *x_must(void *p) {
  if (!p) fprintf(stderr, "xtq: out of memory\n"), exit(2);
  return p;
}

// ---- opening --------------------------------------------------------------------------------------------------------

x_net *x_net_open(const cost *c, unsigned procs, const x_sizes *z) {
  x_net *n = x_must(calloc(1, sizeof *n));
  const char *why;
  n->c = c;
  n->procs = procs;
  n->proc = x_must(calloc(procs, sizeof *n->proc));
  n->latency = x_must(calloc(procs, sizeof *n->latency));
  n->mutex = sg_mutex_init();
  n->wake = sg_cond_init();
  n->players = sg_barrier_init(procs);
  n->all = sg_barrier_init(procs + 1);
  for (unsigned i = 0; i < procs; i++) {
    x_proc *p = &n->proc[i];
    p->id = i;
    p->node = xnode_new(i, z, &why);
    if (!p->node || !xnode_post_staging(p->node)) fprintf(stderr, "xtq: node %u: %s\n", i, why), exit(2);
    for (unsigned k = 0; k < 2; k++) p->device.tail[k] = &p->device.wait[k];
    p->mutex = sg_mutex_init();
    p->wake = sg_cond_init();
  }
  return n;
}

// One memory for all ranks (smpi/privatization:no), so what rank 0 made need not be sent.
static x_net *made;

x_net *x_net_join(x_net *n, unsigned rank) {
  char name[40];
  if (!rank) made = n;
  while (!made) sg_actor_sleep_for(1e-9);
  n = made;
  if (rank) return n;
  for (unsigned i = 1; i < n->procs; i++) {
    snprintf(name, sizeof name, "node%u", i);
    n->latency[i] = sg_host_get_route_latency(sg_host_self(), sg_host_by_name(name)) * 1e9;
  }
  return n;
}

unsigned x_link(const x_proc *p, int peer) {
  for (unsigned q = 0; q < p->qps; q++)
    if (p->peer[q] == peer) return q;
  return X_QPS;
}

void x_connect(x_net *n, unsigned a, unsigned b) {
  x_proc *x = &n->proc[a], *y = &n->proc[b];
  const unsigned qa = x->qps, qb = y->qps;
  if (qa == X_QPS || qb == X_QPS || !xnode_connect(x->node, qa, b, qb) || !xnode_connect(y->node, qb, a, qa) ||
      !xnode_register(x->node, qa) || !xnode_register(y->node, qb)) {
    n->broken = true;
    return;
  }
  x->peer[qa] = (int)b, x->its[qa] = qb, x->qps++;
  y->peer[qb] = (int)a, y->its[qb] = qa, y->qps++;
}

void x_net_stop(x_net *n) {
  n->stop = true;
  if (n->asleep) sg_cond_notify_all(n->wake);
}

// ---- the processor --------------------------------------------------------------------------------------------------

void x_wait(x_proc *p) {
  sg_mutex_lock(p->mutex);
  p->asleep = true;
  if (p->told == p->taken && !p->signalled) sg_cond_wait(p->wake, p->mutex);
  p->asleep = false;
  sg_mutex_unlock(p->mutex);
}

// An entry is a line that the processor has; an XtqPut has a command and its arguments beside it.
void x_post(x_net *n, x_proc *p, unsigned qp, const x_request *r) {
  xnode_request(p->node, qp, r);
  x_spend(p, (r->op == X_XTQ ? 4 : 2) * n->c->step + n->c->doorbell);
  x_job_add(n, &(x_job){.when = x_now(), .kind = X_JOB_RING, .node = p->id, .what = qp});
}

bool x_next_event(x_net *n, x_proc *p, x_event *e) {
  if (p->told == p->taken) return false;
  x_spend(p, n->c->mem + n->c->step);
  xnode_event(p->node, e);
  p->taken++;
  return true;
}

// The packet and its arguments, the queue's index, the doorbell.
void x_launch(x_net *n, x_proc *p, unsigned qp, uint64_t payload, const uint64_t arg[2]) {
  uint64_t index = xnode_launch(p->node, qp, payload, arg);
  x_spend(p, 3 * n->c->step + n->c->doorbell);
  x_job_add(n, &(x_job){.when = x_now(), .kind = X_JOB_BELL, .node = p->id, .what = index});
}

void x_add(x_net *n, x_proc *p, uint64_t payload, const uint64_t arg[2], unsigned cores) {
  uint64_t *to = xnode_memory(p->node, xnode_iova(p->node, X_VECTOR) + arg[0], arg[1]);
  const uint64_t *from = xnode_memory(p->node, payload, arg[1]);
  x_spend(p, x_time_add(n->c, arg[1], cores));
  if (!to || !from) {
    n->broken = true;
    return;
  }
  for (uint64_t i = 0; i < arg[1] / 8; i++) to[i] += from[i];
  xnode_forget(p->node, from, arg[1]);
}
