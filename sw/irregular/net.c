// SPDX-License-Identifier: Apache-2.0
// A rank: what it consists of, and how it meets its neighbours.
#include <stdlib.h>
#include <string.h>

#include "net_internal.h"

enum { FLUSH_US = 1000, PENDING = 4096, PROBE_US = 50000, WINDOW = 4, PENDING_MOST = 1 << 24 };
enum { RECORD_BYTES = 256, RECORD_HEAD = 32 };  // data of a record; what it has besides, with padding
// Of a rank's own: those of one poll and the one that could not run, and behind them what they send.
enum { OWN_MOST = 2 * OWN_BYTES + IRR_DELEGATE_BYTES + IRR_TICKET_BYTES + IRR_ARGS_MOST };

// ---- options
static bool complete(const irr_net_options *o, irr_net_options *w) {
  *w = *o;
  if (!w->ranks || w->ranks > IRR_RANKS_MOST || w->rank >= w->ranks) return false;
  if (!w->group) w->group = irr_group_default(w->ranks);
  if (!w->window) w->window = WINDOW;
  if (!w->flush_us) w->flush_us = FLUSH_US;
  if (!w->pending) w->pending = PENDING;
  if (!w->probe_us) w->probe_us = PROBE_US;
  return w->window <= WINDOW_MOST && w->pending <= PENDING_MOST && (w->by == IRR_BY_PUT || w->by == IRR_BY_TASK);
}

// Everything that neighbours may have under way fits the log at once, so it never stalls what comes.
static size_t log_bytes(const irr_net *net) {
  const size_t records = IRR_AGGREGATE_BYTES / RECORD_BYTES, whole = records * (RECORD_BYTES + RECORD_HEAD);
  const size_t need = (size_t)net->peers * LANES * net->o.window * whole + whole;
  size_t bytes = 65536;
  while (bytes < need) bytes *= 2;
  return bytes;
}

// ---- opening
static bool own_memory(irr_net *net) {
  const size_t lanes = (size_t)net->peers * LANES * net->o.window;
  net->peer = calloc(net->peers + 1, sizeof *net->peer);
  net->hold = malloc(lanes * IRR_AGGREGATE_BYTES + 1);
  net->is_gone = calloc(net->o.ranks, sizeof *net->is_gone);
  net->notice = calloc(net->o.ranks, sizeof *net->notice);
  net->ticket = calloc(net->o.pending, sizeof *net->ticket);
  net->own = malloc(OWN_MOST);
  return net->peer && net->hold && net->is_gone && net->notice && net->ticket && net->own;
}

static toc_status device_memory(irr_net *net) {
  const size_t lanes = (size_t)net->peers * LANES * net->o.window;
  const unsigned rw = TOC_READ | TOC_WRITE;
  const uint64_t pages = (uint64_t)net->peers * LANES * PAGE, words = net->peers * sizeof(uint64_t);
  toc_status s = toc_log_open(net->p, &(toc_log_options){.bytes = log_bytes(net)}, &net->log);
  if (!net->peers) return s;
  if (!s) s = toc_alloc(net->p, lanes * IRR_AGGREGATE_BYTES, TOC_READ, (void **)&net->slots);
  if (!s) s = toc_alloc(net->p, 2 * words, rw, (void **)&net->credit);
  const toc_rule rule = {.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = net->log, .handler = irr_i_arrive, .arg = net};
  if (!s) s = toc_associate_iova(net->p, PAGES_AT, pages, &rule);
  if (!s) s = toc_expose_iova(net->p, PAGES_AT, pages, TOC_WRITE, &net->pages_at);
  if (!s) s = toc_expose(net->p, net->credit, words, TOC_WRITE, &net->credit_at);
  return s;
}

static toc_status peer_open(irr_net *net, unsigned k) {
  peer *p = &net->peer[k];
  p->net = net;
  p->rank = irr_route_neighbour(&net->shape, net->o.rank, k);
  p->credit_in = net->credit + k;
  p->credit_out = net->credit + net->peers + k;
  for (unsigned l = 0; l < LANES; l++) {
    const size_t at = (size_t)(k * LANES + l) * net->o.window * IRR_AGGREGATE_BYTES;
    p->out[l].slots = net->slots + at;
    p->in[l].hold = net->hold + at;
  }
  return toc_qp_open(net->p, &(toc_qp_options){.timeout_us = net->o.timeout_us}, &p->qp);
}

irr_status irr_net_open(toc_fabric *f, toc_proc *p, const irr_net_options *o, irr_net **out) {
  if (!f || !p || !o || !out) return IRR_E_ARG;
  *out = NULL;
  irr_net *net = calloc(1, sizeof *net);
  if (!net) return IRR_E_NOMEM;
  net->p = p;
  net->f = f;
  irr_status s = complete(o, &net->o) ? IRR_OK : IRR_E_ARG;
  net->shape = (irr_topology){net->o.ranks, net->o.group};
  if (!s) net->peers = irr_route_degree(&net->shape, net->o.rank);
  if (!s && !own_memory(net)) s = IRR_E_NOMEM;
  if (!s && device_memory(net) != TOC_OK) s = IRR_E_DRIVER;
  for (unsigned k = 0; k < net->peers && !s; k++)
    if (peer_open(net, k) != TOC_OK) s = IRR_E_DRIVER;
  for (uint32_t i = 0; i < net->o.pending && !s; i++) net->ticket[i].next = i + 1;
  net->later_end = &net->later;
  irr_i_home(net);
  net->now = toc_now(net->f);
  if (!s && net->o.by == IRR_BY_TASK) s = irr_i_accel_open(net);
  if (s) {
    irr_net_close(net);
    return s;
  }
  *out = net;
  return IRR_OK;
}

void irr_net_close(irr_net *net) {
  if (!net || irr_delegate_running() || net->polling) return;
  irr_i_accel_close(net);  // first: a kernel that runs answers by the queue pairs
  for (unsigned k = 0; net->peer && k < net->peers; k++)
    if (net->peer[k].qp) toc_qp_close(net->peer[k].qp);
  if (net->pages_at.key) (void)toc_hide(net->p, net->pages_at);
  if (net->credit_at.key) (void)toc_hide(net->p, net->credit_at);
  if (net->log) (void)toc_log_close(net->log);
  if (net->credit) (void)toc_free(net->p, net->credit);
  if (net->slots) (void)toc_free(net->p, net->slots);
  free(net->peer);
  free(net->hold);
  free(net->is_gone);
  free(net->notice);
  free(net->ticket);
  free(net->own);
  free(net->exported);
  free(net);
}

unsigned irr_net_rank(const irr_net *net) { return net->o.rank; }
unsigned irr_net_ranks(const irr_net *net) { return net->o.ranks; }
const irr_topology *irr_net_topology(const irr_net *net) { return &net->shape; }
bool irr_net_is_gone(const irr_net *net, unsigned rank) { return rank < net->o.ranks && net->is_gone[rank]; }

void irr_net_counts(const irr_net *net, irr_traffic *c) {
  irr_net *locked = (irr_net *)(uintptr_t)net;
  irr_i_enter(locked);
  *c = net->n;
  irr_i_leave(locked);
}

double irr_aggregation(const irr_traffic *c) { return c->aggregates ? (double)c->messages / (double)c->aggregates : 0; }

irr_status irr_net_register(irr_net *net, unsigned number, const irr_function *f) {
  if (!net || !f || !f->run || number >= IRR_FUNCTIONS || f->answer_bytes > IRR_ANSWER_MOST) return IRR_E_ARG;
  irr_i_enter(net);
  irr_function *at = &net->function[number];
  const bool taken = at->run;
  if (!taken) *at = *f;
  if (at->answer_bytes < sizeof(uint64_t)) at->answer_bytes = sizeof(uint64_t);
  irr_i_leave(net);
  return taken ? IRR_E_IN_USE : IRR_OK;
}

// ---- faces
peer *irr_i_neighbour(irr_net *net, unsigned to) {
  if (to >= net->o.ranks || to == net->o.rank || irr_route_next(&net->shape, net->o.rank, to) != to) return NULL;
  return irr_i_way(net, to);
}

irr_status irr_net_face(irr_net *net, unsigned to, irr_face *face) {
  peer *p = net && face ? irr_i_neighbour(net, to) : NULL;
  if (!p) return IRR_E_ARG;
  const uint64_t k = (uint64_t)(p - net->peer);
  *face = (irr_face){.pages = toc_at(net->pages_at, k * LANES * PAGE),
                     .credit = toc_at(net->credit_at, k * sizeof(uint64_t)),
                     .ranks = net->o.ranks,
                     .group = net->o.group,
                     .window = net->o.window,
                     .rank = net->o.rank,
                     .to = to,
                     .by = net->o.by,
                     .process = toc_proc_index(net->p),
                     .task = net->a.number};
  return toc_qp_address(p->qp, &face->address) == TOC_OK ? IRR_OK : IRR_E_DRIVER;
}

irr_status irr_net_connect(irr_net *net, unsigned to, const irr_face *theirs) {
  peer *p = net && theirs ? irr_i_neighbour(net, to) : NULL;
  if (!p || p->connected || theirs->ranks != net->o.ranks || theirs->group != net->o.group ||
      theirs->window != net->o.window || theirs->by != (uint32_t)net->o.by || theirs->rank != to ||
      theirs->to != net->o.rank)
    return IRR_E_ARG;
  if (toc_qp_connect(p->qp, &theirs->address) != TOC_OK) return IRR_E_DRIVER;
  irr_i_enter(net);
  p->pages = theirs->pages;
  p->credit = theirs->credit;
  p->process = theirs->process;
  p->task = theirs->task;
  p->heard = net->now;
  p->connected = true;
  irr_i_leave(net);
  return IRR_OK;
}

static irr_status meet(irr_net *a, irr_net *b) {
  irr_face fa, fb;
  irr_status s = irr_net_face(a, b->o.rank, &fa);
  if (!s) s = irr_net_face(b, a->o.rank, &fb);
  if (!s) s = irr_net_connect(a, b->o.rank, &fb);
  return s ? s : irr_net_connect(b, a->o.rank, &fa);
}

irr_status irr_net_join(irr_net *const *nets, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (!nets || !nets[i] || nets[i]->o.ranks != n || nets[i]->o.rank != i) return IRR_E_ARG;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < nets[i]->peers; k++) {
      const irr_status s = nets[i]->peer[k].rank < i ? meet(nets[i], nets[nets[i]->peer[k].rank]) : IRR_OK;
      if (s) return s;
    }
  return IRR_OK;
}
