// SPDX-License-Identifier: Apache-2.0
#include "xnet.h"

enum {
  BEAT = 32,
  OUTSIDE = 4,  // bytes of a frame's end that do not reach the NIC's inside: FCS
  AROUND = 20,  // preamble and gap
  SHORT = 8,    // beats of the frame for which `take` was measured
  WALKERS = 8
};

static double later(double a, double b) { return a > b ? a : b; }
static double beats(unsigned bytes) { return (bytes + BEAT - 1) / BEAT; }
static double on_wire(const cost *c, unsigned bytes) { return c->wire * (bytes + OUTSIDE + AROUND); }

double x_time_frame(const cost *c, unsigned bytes) { return later(on_wire(c, bytes), c->beat * beats(bytes)); }

// The translations of a frame's accesses: in order, and walks overlap as far as there are walkers; the papers'
// constants have none, and there they follow one another.
static double translated(x_device *d, const cost *c, double t, const x_did *did) {
  const unsigned walkers = (unsigned)c->walkers < WALKERS ? (unsigned)c->walkers : WALKERS;
  double all = t + c->hit;
  if (!walkers)
    return d->last =
               later(d->last, t) + c->hit * (did->accesses - did->walks) + c->miss * did->walks + c->load * did->loads;
  for (unsigned i = 0; i < did->walks; i++) {
    unsigned w = 0;
    for (unsigned k = 1; k < walkers; k++)
      if (d->walker[k] < d->walker[w]) w = k;
    d->walker[w] = later(d->walker[w], t) + c->miss + c->load * did->loads / did->walks;
    all = later(all, d->walker[w] + c->hit);
  }
  return d->last = later(d->last, all);
}

// A frame is judged when its last beat is in, and then goes on to memory; the first beats of that are in `take`.
double x_time_take(x_device *d, const cost *c, double now, unsigned bytes, const x_did *did, double *stored) {
  const double n = beats(bytes), wire = on_wire(c, bytes);
  d->in = later(now, d->in + wire);
  d->stage[0] = later(d->in, later(d->in - wire, d->stage[0]) + c->beat * n);
  double t = d->stage[0] + c->take;
  d->stage[1] = later(d->stage[0], d->stage[1]) + (n > SHORT ? c->beat * (n - SHORT) : 0);
  *stored = translated(d, c, d->stage[1] + c->take, did) + c->write + did->reads * (c->hit + c->write);
  return t;
}

// The command processor reads a packet after the other; kernels overlap, and share the memory's rate. A kernel reads
// its arguments, then what they point to, and what it has written is followed by its completion signal.
double x_time_task(x_device *d, const cost *c, double now, uint64_t bytes, double *ran) {
  d->cp = later(d->cp, now) + c->packet;
  d->gpu = later(d->gpu, d->cp + 2 * c->mem) + c->gpuline * (double)((bytes + X_LINE - 1) / X_LINE);
  *ran = d->gpu + c->write;
  return d->cp;
}

// One core, or several: then a line goes to each of the others and comes back, and memory is all that they share.
double x_time_add(const cost *c, uint64_t bytes, unsigned cores) {
  const double lines = (double)((bytes + X_LINE - 1) / X_LINE);
  if (!bytes) return 0;
  if (cores < 2) return c->mem + (lines - 1) * c->cpuline;
  return 3 * c->mem + later(lines / cores * c->cpuline, lines * c->gpuline);
}
