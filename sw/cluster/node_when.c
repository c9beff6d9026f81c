// SPDX-License-Identifier: Apache-2.0
#include "node_state.h"

enum {
  BEAT = 32,
  OUTSIDE = 24
};  // bytes of a beat; of a frame, those that do not reach the NIC's inside: preamble, gap, FCS

static double later(double a, double b) { return a > b ? a : b; }

// One after the other over the wire, then through the NIC, then through the IOMMU in order, whose walks overlap.
static double in_hardware(node *n, unsigned who, double t, unsigned bytes, bool message, const node_did *d) {
  const cost *c = n->c;
  unsigned walkers = (unsigned)c->walkers;
  unit *u = &n->unit[who / n->each];
  double takes = c->beat * ((bytes - OUTSIDE + BEAT - 1) / BEAT);
  n->nic = later(t, n->nic) + (message ? later(takes, c->message) : takes);
  t = n->nic + c->take;
  double all = t + c->hit;
  for (unsigned i = 0; i < d->walks; i++) {
    unsigned w = 0;
    for (unsigned k = 1; k < walkers; k++)
      if (u->walker[k] < u->walker[w]) w = k;
    u->walker[w] = later(u->walker[w], t) + c->miss + c->load * d->loads / d->walks;
    all = later(all, u->walker[w] + c->hit);
  }
  t = u->last = later(u->last, all);
  if (d->records) return t + (d->pointers ? c->entry : c->word);
  return t + (d->atomics ? c->atomic : 0) + (d->writes || d->reads ? c->write : 0);
}

// As AA 5.2 has it: each memory access, page-table look-up and pointer stalls the process that it is for.
static double in_stalls(node *n, unsigned who, double t, const node_did *d) {
  const cost *c = n->c;
  t = later(t, n->proc[who]) + c->hit * d->hits + c->miss * d->walks + c->load * d->loads;
  if (d->records) t += d->pointers ? c->entry : c->word;
  t += c->atomic * d->atomics + c->write * (d->writes + d->reads);
  return n->proc[who] = t;
}

double node_when(node *n, unsigned who, double now, unsigned bytes, bool message, const node_did *d) {
  n->in = later(now, n->in + n->c->wire * bytes);
  n->sum.hits += d->hits;
  n->sum.walks += d->walks;
  n->sum.loads += d->loads;
  n->sum.writes += d->writes;
  n->sum.atomics += d->atomics;
  n->sum.reads += d->reads;
  n->sum.records += d->records;
  n->sum.pointers += d->pointers;
  n->sum.intrs += d->intrs;
  return n->c->walkers > 0 ? in_hardware(n, who, n->in, bytes, message, d) : in_stalls(n, who, n->in, d);
}

double node_logged(node *n, unsigned who, double when, const node_did *d) {
  double takes = !d->records ? 0 : d->pointers ? n->c->entry : n->c->word;
  n->sum.records += d->records;
  n->sum.pointers += d->pointers;
  if (n->c->walkers <= 0) {
    n->proc[who] += takes;
    return when + takes;
  }
  // the port to memory takes a beat a cycle; the first is in what a record takes
  unit *u = &n->unit[who / n->each];
  double beats = n->c->beat * ((d->logged + BEAT - 1) / BEAT);
  u->log = later(u->log + beats, when + takes + beats - n->c->beat);
  return u->log;
}

double node_leaves(node *n, double now, unsigned bytes) {
  n->out = later(n->out, now + n->c->send) + n->c->wire * bytes;
  return n->out;
}
