// SPDX-License-Identifier: Apache-2.0
#include "net.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double net_now(void) { return simgrid_get_clock() * 1e9; }
void net_spend(double ns) {
  if (ns > 0) sg_actor_sleep_for(ns * 1e-9);
}

// RoCEv2: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4, preamble and gap 20; RETH 16, AtomicETH 28, AETH 4;
// an atomic's answer of 8 bytes is its AtomicAckETH.
unsigned net_bytes(net_kind kind, unsigned payload) {
  static const unsigned more[] = {
      [NET_PUT] = 16, [NET_MESSAGE] = 0, [NET_ATOMIC] = 28, [NET_GET] = 16, [NET_ANSWER] = 4, [NET_STOP] = 0};
  bool carries = kind == NET_PUT || kind == NET_MESSAGE || kind == NET_ANSWER;
  return 82 + more[kind] + (carries ? (payload + 3) / 4 * 4 : 0);
}

// ---- opening --------------------------------------------------------------------------------------------------------

void *net_must(void *p) {
  if (!p) fprintf(stderr, "cluster: out of memory\n"), exit(2);
  return p;
}

static void open_proc(net *n, unsigned id) {
  net_proc *p = &n->proc[id];
  *p = (net_proc){.id = id, .node = id / NODE_PROCS, .who = id % NODE_PROCS, .news_size = 256};
  p->news = net_must(calloc(p->news_size, sizeof *p->news));
  p->ring = net_must(calloc(1, NODE_LOG_BYTES));
  p->buffers = net_must(calloc(NET_QUEUE + NET_WINDOW, NET_BUFFER));
  p->events = net_must(calloc(NET_QUEUE, NET_EVENT));
  p->pointer = net_must(calloc(1, sizeof *p->pointer));
  p->mutex = sg_mutex_init();
  p->wake = sg_cond_init();
  node *d = n->node[p->node];
  node_map(d, p->who, NODE_RING, p->ring, NODE_LOG_BYTES, NODE_PLAIN);
  node_map(d, p->who, NODE_POINTER, p->pointer, sizeof *p->pointer, NODE_PLAIN);
  node_map(d, p->who, NODE_BUFFERS, p->buffers, (NET_QUEUE + NET_WINDOW) * NET_BUFFER, NODE_PLAIN);
  node_map(d, p->who, NODE_EVENTS, p->events, NET_QUEUE * NET_EVENT, NODE_PLAIN);
}

net *net_open(const cost *c, const aa_config *cfg, unsigned procs) {
  net *n = net_must(calloc(1, sizeof *n));
  const char *why;
  n->c = c;
  n->procs = procs;
  n->nodes = (procs + NODE_PROCS - 1) / NODE_PROCS;
  n->players = sg_barrier_init(procs);
  n->all = sg_barrier_init(procs + 2 * n->nodes);
  n->proc = net_must(calloc(procs, sizeof *n->proc));
  n->share = net_must(calloc(procs, sizeof *n->share));
  n->node = net_must(calloc(n->nodes, sizeof *n->node));
  n->engine = net_must(calloc(n->nodes, sizeof *n->engine));
  n->accel = net_must(calloc(n->nodes, sizeof *n->accel));
  n->latency = net_must(calloc((size_t)n->nodes * n->nodes, sizeof *n->latency));
  for (unsigned i = 0; i < n->nodes; i++) {
    n->node[i] = node_new(cfg, c, &why);
    if (!n->node[i]) fprintf(stderr, "cluster: %s\n", why), exit(2);
    n->engine[i].mutex = sg_mutex_init();
    n->engine[i].wake = sg_cond_init();
  }
  for (unsigned i = 0; i < procs; i++) open_proc(n, i);
  return n;
}

// One memory for all ranks (smpi/privatization:no), so what rank 0 made need not be sent.
static net *made;

net *net_join(net *n, unsigned rank) {
  if (!rank) made = n;
  while (!made) net_spend(1);
  n = made;
  if (rank < n->procs) return n;
  char name[40];
  for (unsigned i = 0; i < n->nodes; i++) {
    snprintf(name, sizeof name, "node%u", i);
    n->latency[(rank - n->procs) / 2 * n->nodes + i] =
        sg_host_get_route_latency(sg_host_self(), sg_host_by_name(name)) * 1e9;
  }
  return n;
}

// ---- processes ------------------------------------------------------------------------------------------------------

static void send_to(net *n, unsigned node, net_frame *f) {
  MPI_Send(f, (int)sizeof *f, MPI_BYTE, (int)(n->procs + 2 * node), NET_TAG, MPI_COMM_WORLD);
}

void net_send_frame(net *n, node *from, net_frame *f) {
  double now = net_now();
  f->late = node_leaves(from, now, net_bytes(f->kind, f->bytes)) - now;
  send_to(n, n->proc[f->to].node, f);
}

void net_send(net *n, net_proc *p, net_frame *f) {
  f->from = p->id;
  if (f->slot < NET_WINDOW) p->slot[f->slot].ready = INFINITY;
  net_send_frame(n, n->node[p->node], f);
}

void net_stop(net *n) {
  for (unsigned i = 0; i < n->nodes; i++) {
    net_frame f = {.kind = NET_STOP};
    send_to(n, i, &f);
  }
}

void net_wait(net_proc *p, double until) {
  double now = net_now();
  if (until <= now) return;
  sg_mutex_lock(p->mutex);
  p->asleep = true;
  if (isinf(until))
    sg_cond_wait(p->wake, p->mutex);
  else
    sg_cond_wait_for(p->wake, p->mutex, (until - now) * 1e-9);
  p->asleep = false;
  sg_mutex_unlock(p->mutex);
}

double net_slot_due(const net_proc *p) {
  double due = INFINITY;
  for (unsigned i = 0; i < NET_WINDOW; i++)
    if (p->slot[i].ready > 0 && p->slot[i].ready < due) due = p->slot[i].ready;
  return due;
}
