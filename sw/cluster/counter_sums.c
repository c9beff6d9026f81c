// SPDX-License-Identifier: Apache-2.0
// The sums of all processes' counters as MPI libraries make them of long vectors: in each of log2(procs) steps a
// process gives one half of what it still has to a partner and adds the other half of the partner's; then they pass on
// sums in the same steps backwards. A part is puts of NET_MTU at most into the partner's inbox, then a message that
// says so: a queue pair keeps order.
#include "counter_sums.h"

#include <math.h>
#include <string.h>

enum { STEPS = 32 };

typedef struct summer {
  player *d;
  counts *mine;
  bool came[STEPS];
} summer;

// Takes note of requests that are over; how many are not.
static unsigned ends(player *d) {
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

static unsigned free_slot(player *d) {
  for (;; player_wait(d, PLAYER_DEAF)) {
    ends(d);
    for (unsigned i = 0; i < NET_WINDOW; i++)
      if (d->p->slot[i].ready <= 0) return i;
  }
}

static void post(player *d, unsigned to, net_frame f) { player_post(d, free_slot(d), to, f); }

// `pages` counts from `from` on to a partner's counts or inbox, from place `to` on.
static void give(const summer *x, unsigned partner, size_t from, size_t pages, size_t to, unsigned step) {
  const uint8_t *data = (const uint8_t *)(x->mine + from);
  uint64_t at = node_at(partner % NODE_PROCS, NODE_BULK) + to * sizeof(counts);
  for (size_t done = 0, all = pages * sizeof(counts), part; done < all; done += part) {
    part = all - done < NET_MTU ? all - done : NET_MTU;
    post(x->d, partner, (net_frame){.kind = NET_PUT, .at = at + done, .data = data + done, .bytes = (unsigned)part});
  }
  post(x->d, partner, (net_frame){.kind = NET_MESSAGE, .v = {step, 0}, .bytes = 16});
}

// Until a step's message has come.
static void take(summer *x, unsigned step) {
  player *d = x->d;
  net_proc *p = d->p;
  while (!x->came[step]) {
    net_wait(p, p->first == p->next ? INFINITY : p->news[p->first % p->news_size].when);
    for (net_news e; player_news(d, net_now(), &e);) {
      uint64_t which;
      if (e.kind != NET_MSG) continue;
      memcpy(&which, p->buffers + e.end * NET_BUFFER, sizeof which);
      x->came[which] = true;
      p->got++;
      d->owe += 2 * d->n->c->mem + d->n->c->step + 2 * d->n->c->doorbell;  // event and message; posted again
    }
    net_read(d->n, p);
    player_spend(d);
  }
}

void counter_sums(player *d, counter_own *o) {
  size_t all = (size_t)d->r->procs * COUNTER_PAGES, from = 0, pages = all, inbox = all;
  unsigned me = d->p->id, step = 0;
  summer x = {.d = d, .mine = o->count[me]};
  for (unsigned half = d->r->procs / 2; half; half /= 2, step++) {
    unsigned partner = me ^ half;
    pages /= 2;
    size_t keep = me & half ? from + pages : from, away = me & half ? from : from + pages;
    give(&x, partner, away, pages, inbox, step);
    take(&x, step);
    const counts *in = x.mine + inbox;
    for (size_t i = 0; i < pages; i++) {
      x.mine[keep + i].put += in[i].put;
      x.mine[keep + i].get += in[i].get;
    }
    d->owe += d->n->c->mem * ceil((double)(pages * sizeof(counts)) / PLAYER_LINE);
    inbox += pages;
    from = keep;
  }
  for (unsigned half = 1; half < d->r->procs; half *= 2, step++, pages *= 2) {
    give(&x, me ^ half, from, pages, from, step);
    take(&x, step);
    if (me & half) from -= pages;
  }
  while (ends(d)) net_wait(d->p, net_slot_due(d->p));
  player_spend(d);
}
