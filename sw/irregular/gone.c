// SPDX-License-Identifier: Apache-2.0
// Neighbours that do not answer: found by requests that fail, of which one is made when a neighbour owes something and
// is silent, or is to be watched in any case; what is gone with one is told to the others.
#include "net_internal.h"

void irr_i_mark_gone(irr_net *net, unsigned first, unsigned past) {
  bool any = false;
  for (unsigned r = first; r < past; r++) {
    if (r == net->o.rank || net->is_gone[r]) continue;
    net->is_gone[r] = any = true;
  }
  if (!any) return;
  net->notice[net->notices++] = (notice){first, past};
  irr_i_end_gone(net);
}

// All to whom the way leads through it.
static void behind(const irr_net *net, unsigned rank, unsigned *first, unsigned *past) {
  const irr_topology *t = &net->shape;
  const bool router = rank == irr_router_of(t, rank), ours = irr_router_of(t, net->o.rank) == rank;
  *first = ours ? 0 : rank;
  *past = ours ? t->ranks : router ? rank + t->group : rank + 1;
  if (*past > t->ranks) *past = t->ranks;
}

static void lose(peer *p) {
  unsigned first, past;
  p->gone = true;
  for (unsigned l = 0; l < LANES; l++) p->net->n.lost += p->out[l].count;
  behind(p->net, p->rank, &first, &past);
  irr_i_mark_gone(p->net, first, past);
}

static bool owes(const peer *p) {
  return p->awaited || p->out[REQUEST].closed != p->out[REQUEST].taken || p->out[ANSWER].closed != p->out[ANSWER].taken;
}

// Its NIC acknowledges a put as long as it is there, however busy its program is.
static void ask(peer *p) {
  if (!p->credit_req.qp) {
    irr_i_credit_put(p);
    return;
  }
  const toc_status s = toc_wait(p->credit_req, 1);
  if (s == TOC_OK) p->credit_req.qp = NULL;
  if (s != TOC_OK && s != TOC_E_TIMEOUT) p->failed = true;
}

static void ask_if_silent(peer *p) {
  if (p->failed || p->net->now - p->heard < p->net->o.probe_us * 1000ull) return;
  p->heard = p->net->now;
  ask(p);
}

void irr_i_watch(peer *p) {
  if (owes(p)) ask_if_silent(p);
  if (p->failed && !p->gone) lose(p);
}

void irr_i_net_probe(irr_net *net, unsigned to) {
  irr_i_enter(net);
  ask_if_silent(irr_i_way(net, to));
  irr_i_leave(net);
}

void irr_i_tell(peer *p) {
  const irr_net *net = p->net;
  const message m = {
      .to = (uint16_t)p->rank, .from = (uint16_t)net->o.rank, .function = NOTICE, .length = sizeof(notice)};
  while (p->notices < net->notices && irr_i_lane_add(p, ANSWER, &m, NULL, &net->notice[p->notices])) p->notices++;
}
