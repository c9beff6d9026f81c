// SPDX-License-Identifier: Apache-2.0
// The sums of all processes' counters as MPI libraries make them of long vectors: in each of log2(procs) steps a process gives one
// half of what it still has to a partner and adds the other half of the partner's; then they pass on sums in the same steps backwards.
// A part is puts of NET_MTU at most into the partner's inbox, then a message that says so: a queue pair keeps order.
#include "counter_sums.h"

#include <math.h>
#include <string.h>

enum { STEPS = 32, LINE = 64 };

typedef struct summer {
  net *n;
  net_proc *p;
  counts *mine;
  bool came[STEPS];
  double owe;
} summer;

static void spend(summer *d) {
  net_spend(d->owe);
  d->owe = 0;
}

// Takes note of requests that are over; how many are not.
static unsigned ends(summer *d) {
  unsigned under = 0;
  for (unsigned i = 0; i < NET_WINDOW; i++) {
    double *ready = &d->p->slot[i].ready;
    under += *ready > net_now();
    if (*ready <= 0 || *ready > net_now()) continue;
    *ready = 0;
    d->owe += d->n->c->step;
  }
  return under;
}

static unsigned free_slot(summer *d) {
  for (;;) {
    ends(d);
    for (unsigned i = 0; i < NET_WINDOW; i++)
      if (d->p->slot[i].ready <= 0) return i;
    spend(d);
    net_wait(d->p, net_slot_due(d->p));
  }
}

static void post(summer *d, unsigned to, net_frame f) {
  f.slot = free_slot(d);
  f.to = to;
  d->owe += 2 * d->n->c->step + d->n->c->doorbell;
  spend(d);
  net_send(d->n, d->p, &f);
}

// `pages` counts from `from` on to a partner's counts or inbox, from place `to` on.
static void give(summer *d, unsigned partner, size_t from, size_t pages, size_t to, unsigned step) {
  const uint8_t *data = (const uint8_t *)(d->mine + from);
  uint64_t at = node_at(partner % NODE_PROCS, NODE_BULK) + to * sizeof(counts);
  for (size_t done = 0, all = pages * sizeof(counts), part; done < all; done += part) {
    part = all - done < NET_MTU ? all - done : NET_MTU;
    post(d, partner, (net_frame){.kind = NET_PUT, .at = at + done, .data = data + done, .bytes = (unsigned)part});
  }
  post(d, partner, (net_frame){.kind = NET_MESSAGE, .v = {step, 0}, .bytes = 16});
}

// Until a step's message has come.
static void take(summer *d, unsigned step) {
  net_proc *p = d->p;
  while (!d->came[step]) {
    net_wait(p, p->first == p->next ? INFINITY : p->news[p->first % p->news_size].when);
    for (; p->first != p->next && p->news[p->first % p->news_size].when <= net_now(); p->first++) {
      const net_news *e = &p->news[p->first % p->news_size];
      uint64_t which;
      if (e->kind != NET_MSG) continue;
      memcpy(&which, p->buffers + e->end * NET_BUFFER, sizeof which);
      d->came[which] = true;
      p->got++;
      d->owe += 2 * d->n->c->mem + d->n->c->step + 2 * d->n->c->doorbell;  // event and message; posted again
    }
    net_read(d->n, p);
    spend(d);
  }
}

void counter_sums(const run *r, net *n, net_proc *p) {
  counter_own *o = n->own;
  size_t all = (size_t)r->procs * COUNTER_PAGES, from = 0, pages = all, inbox = all;
  summer d = {.n = n, .p = p, .mine = o->count[p->id]};
  unsigned step = 0;
  for (unsigned half = r->procs / 2; half; half /= 2, step++) {
    unsigned partner = p->id ^ half;
    pages /= 2;
    size_t keep = p->id & half ? from + pages : from, away = p->id & half ? from : from + pages;
    give(&d, partner, away, pages, inbox, step);
    take(&d, step);
    const counts *in = o->count[p->id] + inbox;
    for (size_t i = 0; i < pages; i++) {
      d.mine[keep + i].put += in[i].put;
      d.mine[keep + i].get += in[i].get;
    }
    d.owe += n->c->mem * ceil((double)(pages * sizeof(counts)) / LINE);
    inbox += pages;
    from = keep;
  }
  for (unsigned half = 1; half < r->procs; half *= 2, step++, pages *= 2) {
    give(&d, p->id ^ half, from, pages, from, step);
    take(&d, step);
    if (p->id & half) from -= pages;
  }
  while (ends(&d)) net_wait(p, net_slot_due(p));
  spend(&d);
}
