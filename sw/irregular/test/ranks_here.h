// SPDX-License-Identifier: Apache-2.0
// Ranks for tests: each a process on a node of its own, all in this program, polled in turn.
#ifndef TOCSIN_IRREGULAR_TEST_RANKS_HERE_H
#define TOCSIN_IRREGULAR_TEST_RANKS_HERE_H

#include "scene.h"
#include "tocsin/irregular/net.h"

enum { HERE_MOST = 16 };

#define ENDS(x, want) STATUS_IS(irr_status, x, #x, want, irr_name, irr_text(status_))
#define FINE(x) STATUS_IS(irr_status, x, #x, IRR_OK, irr_name, irr_text(status_))

typedef struct here {
  unsigned n;
  toc_fabric *f;
  toc_proc *p[HERE_MOST];
  irr_net *net[HERE_MOST];
} here;

static inline bool here_open(here *h, unsigned n, const toc_options *fabric, const irr_net_options *net) {
  toc_options with = fabric ? *fabric : (toc_options){0};
  memset(h, 0, sizeof *h);
  h->n = n;
  with.backend = backend;
  with.seed = seed;
  with.nodes = n;
  with.qps = 16;
  OK(toc_open(&with, &h->f));
  for (unsigned i = 0; i < n && h->f; i++) {
    irr_net_options o = net ? *net : (irr_net_options){0};
    o.rank = i;
    o.ranks = n;
    OK(toc_proc_open(toc_node_at(h->f, i), &h->p[i]));
    FINE(irr_net_open(h->f, h->p[i], &o, &h->net[i]));
    if (!h->net[i]) return false;
  }
  FINE(irr_net_join(h->net, n));
  return h->f && !failed;
}

static inline void here_close(here *h) {
  for (unsigned i = 0; i < h->n; i++) irr_net_close(h->net[i]);
  toc_close(h->f);
}

static inline void here_poll(const here *h) {
  for (unsigned i = 0; i < h->n; i++)
    if (h->net[i]) (void)irr_net_poll(h->net[i], NULL);
}

// Until nobody has anything under way. false: it does not come to rest in `ms` of the backend's time.
static inline bool here_settle(const here *h, unsigned ms) {
  const uint64_t until = toc_now(h->f) + ms * 1000000ull;
  for (;;) {
    bool idle = true;
    for (unsigned i = 0; i < h->n; i++)
      if (h->net[i] && !irr_net_is_idle(h->net[i])) idle = false;
    if (idle) return true;
    if (toc_now(h->f) > until) return false;
    here_poll(h);
  }
}

static inline irr_traffic here_counts(const here *h) {
  irr_traffic all = {0};
  for (unsigned i = 0; i < h->n; i++) {
    irr_traffic c;
    if (!h->net[i]) continue;
    irr_net_counts(h->net[i], &c);
    for (unsigned w = 0; w < sizeof c / sizeof(uint64_t); w++) ((uint64_t *)&all)[w] += ((const uint64_t *)&c)[w];
  }
  return all;
}

// What a completion leaves.
typedef struct ended {
  unsigned times;
  uint64_t value;
  irr_status status;
} ended;

static inline void on_done(void *arg, uint64_t value) {
  ended *e = arg;
  e->times++;
  e->value = value;
}

// Sends, and polls all while there is no room.
static inline irr_status here_send(const here *h, unsigned from, const irr_delegate *d) {
  irr_status s;
  while ((s = irr_net_send(h->net[from], d)) == IRR_BUSY) here_poll(h);
  return s;
}

// Sends and waits for the answer; what it ends with.
static inline irr_status here_ask(const here *h, unsigned from, const irr_delegate *d, uint64_t *value) {
  ended e = {.status = IRR_E_COUNT};
  irr_delegate with = *d;
  with.done = on_done;
  with.arg = &e;
  with.status = &e.status;
  const irr_status s = here_send(h, from, &with);
  if (s != IRR_OK) return s;
  (void)irr_net_flush(h->net[from], d->to);
  while (!e.times) here_poll(h);
  if (value) *value = e.value;
  return e.status;
}

static inline irr_status here_word(const here *h, unsigned from, unsigned to, unsigned function, irr_word_args w,
                                   uint64_t *value) {
  return here_ask(h, from, &(irr_delegate){.to = to, .function = function, .args = &w, .bytes = sizeof w}, value);
}

#endif
