// SPDX-License-Identifier: Apache-2.0
#include "dist.h"

#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "dist_procs.h"

enum { SILENCE_S = 60, MIN_QPS = 16, NODE_BYTES = 64 << 20 };  // real time in which nothing moves

static void ended(dist *d, suite_end end, const char *what, const char *text) {
  if (d->end != SUITE_DONE) return;
  d->end = end;
  snprintf(d->why, SUITE_WHY, "%s: %s", what, text);
  if (d->procs) dist_procs_fail(d, d->why);
}

void dist_broken(dist *d, const char *what, const char *text) { ended(d, SUITE_BROKEN, what, text); }

bool dist_have(dist *d, bool have) {
  if (!have) ended(d, SUITE_NO_MEMORY, "ranks", "no memory");
  return have;
}

uint64_t dist_node_bytes(const suite_job *job) { return job->memory ? NODE_BYTES + 2 * job->memory : 0; }

static unsigned most_neighbours(unsigned ranks) {
  const irr_topology t = {ranks, irr_group_default(ranks)};
  unsigned most = 0;
  for (unsigned r = 0; r < ranks; r++)
    if (irr_route_degree(&t, r) > most) most = irr_route_degree(&t, r);
  return most;
}

static bool by_nets(const dist *d) { return d->way == SUITE_AA || d->way == SUITE_NAIVE || d->way == SUITE_XTQ; }
static bool mailed(const dist *d) { return d->way == SUITE_AM || d->way == SUITE_MP; }

static void open_nets(dist *d) {
  irr_status s = IRR_OK;
  for (unsigned i = 0; i < d->ranks && !s; i++)
    s = irr_net_open(d->f, d->p[i], &(irr_net_options){.rank = i, .ranks = d->ranks, .by = dist_by(d->way)},
                     &d->net[i]);
  if (!s) s = irr_net_join(d->net, d->ranks);
  if (s) dist_broken(d, "ranks cannot be connected", irr_text(s));
}

bool dist_open(dist *d, const suite_job *job, suite_result *r) {
  *d = (dist){.ranks = job->ranks, .way = job->way, .why = r->why};
  if (job->processes) {
    dist_procs_open(d, job);
    r->silent = d->procs && d->me;
    return !d->end;
  }
  const unsigned neighbours = by_nets(d) ? most_neighbours(d->ranks) : d->ranks - 1;
  const toc_options o = {.nodes = job->ranks,
                         .qps = neighbours < MIN_QPS ? MIN_QPS : neighbours,
                         .node_bytes = dist_node_bytes(job),
                         .see = job->see,
                         .see_ctx = job->see_ctx};
  if (toc_open(&o, &d->f)) dist_broken(d, "the fabric cannot be opened", toc_why());
  for (unsigned i = 0; i < d->ranks && !d->end; i++)
    if (toc_proc_open(toc_node_at(d->f, i), &d->p[i])) dist_broken(d, "a rank cannot be opened", toc_why());
  if (d->end) return false;
  if (by_nets(d))
    open_nets(d);
  else if (d->way == SUITE_RMA ? rma_open(&d->rma, d->p, d->ranks)
                               : mail_open(&d->mail, d->f, d->p, d->ranks, d->way == SUITE_MP))
    dist_broken(d, "ranks cannot be connected", toc_why());
  return !d->end;
}

static mail_counts counts(const dist *d) {
  mail_counts all = d->mail.n;
  for (unsigned i = 0; i < d->ranks && by_nets(d); i++) {
    irr_traffic c;
    if (!dist_here(d, i)) continue;
    irr_net_counts(d->net[i], &c);
    all.delegates += c.sent;
    all.messages += c.aggregates + c.credits;
    all.aggregates += c.aggregates;
    all.parts += c.messages;
    all.bytes += c.bytes;
    all.kernel += c.kernel;
  }
  return all;
}

static void said(dist *d, suite_result *r) {
  if (d->way == SUITE_RMA) {
    suite_say(r, "remote", "gets, puts and atomics that left their rank", (double)d->rma.done);
    return;
  }
  mail_counts n = counts(d);
  n.delegates = dist_sum(d, n.delegates);
  n.messages = dist_sum(d, n.messages);
  n.aggregates = dist_sum(d, n.aggregates);
  n.parts = dist_sum(d, n.parts);
  n.bytes = dist_sum(d, n.bytes);
  n.kernel = dist_sum(d, n.kernel);
  suite_say(r, "delegates", "delegates that left their rank", (double)n.delegates);
  suite_say(r, "messages", "messages on the network", (double)n.messages);
  suite_say(r, "bytes", "bytes in them", (double)n.bytes);
  if (d->way == SUITE_XTQ) suite_say(r, "by_kernel", "of them, run by the accelerator's kernel", (double)n.kernel);
  suite_say(r, "aggregation", "delegates and answers in an aggregate",
            n.aggregates ? (double)n.parts / (double)n.aggregates : 0);
}

suite_end dist_close(dist *d, suite_result *r) {
  if (!d->end) said(d, r);
  for (unsigned i = 0; i < d->ranks; i++) irr_net_close(d->net[i]);
  mail_close(&d->mail);
  rma_close(&d->rma);
  toc_close(d->f);
  dist_procs_close(d);
  return d->end;
}

void dist_function(dist *d, unsigned rank, irr_function_run *run, void *ctx, unsigned answer_bytes) {
  if (d->way == SUITE_RMA || !dist_here(d, rank)) return;  // nobody runs any
  const irr_function f = {.run = run, .ctx = ctx, .answer_bytes = answer_bytes, .kernel = d->way == SUITE_XTQ};
  if (mailed(d)) {
    d->mail.rank[rank].function = f;
    return;
  }
  const irr_status s = irr_net_register(d->net[rank], DIST_FUNCTION, &f);
  if (s) dist_broken(d, "a delegate's function", irr_text(s));
}

void dist_start(dist *d) { d->begin = check_now(); }
void dist_stop(const dist *d, suite_result *r) { r->seconds = check_now() - d->begin; }

static void tried(dist *d, toc_status s) {
  if (s) dist_broken(d, toc_name(s), toc_why());
}

void dist_poll(dist *d) {
  if (mailed(d) && !d->end) tried(d, mail_poll(&d->mail));
  for (unsigned i = 0; i < d->ranks && by_nets(d) && !d->end; i++) {
    if (!dist_here(d, i)) continue;
    const irr_status s = irr_net_poll(d->net[i], NULL);
    if (s) dist_broken(d, "a rank has failed", irr_text(s));
  }
}

void dist_flush(dist *d) {
  if (mailed(d) && !d->end) tried(d, mail_flush(&d->mail));
  for (unsigned i = 0; i < d->ranks && by_nets(d) && !d->end; i++)
    if (dist_here(d, i)) (void)irr_net_flush_all(d->net[i]);
}

static void hand_over(dist *d, unsigned from, const irr_delegate *what) {
  irr_status s;
  while (!d->end && (s = irr_net_send(d->net[from], what)) != IRR_OK) {
    if (s != IRR_BUSY) dist_broken(d, "a delegate cannot be sent", irr_text(s));
    dist_poll(d);
  }
}

void dist_ask(dist *d, unsigned from, const irr_delegate *what) {
  if (mailed(d)) {
    if (!d->end) tried(d, mail_ask(&d->mail, from, what));
    return;
  }
  hand_over(d, from, what);
  if (!d->end) (void)irr_net_flush(d->net[from], what->to);
}

static void on_done(void *arg, uint64_t value) {
  (void)value;
  *(bool *)arg = true;
}

void dist_send(dist *d, unsigned from, unsigned to, const void *args, uint32_t bytes) {
  irr_delegate what = {.to = to, .function = DIST_FUNCTION, .args = args, .bytes = bytes};
  bool done = false;
  if (mailed(d)) {
    if (!d->end) tried(d, mail_send(&d->mail, from, &what));
    return;
  }
  if (d->way != SUITE_NAIVE) {
    hand_over(d, from, &what);
    return;
  }
  what.done = on_done;
  what.arg = &done;
  dist_ask(d, from, &what);
  while (!done && !d->end) {
    dist_poll(d);
    dist_flush(d);  // routers, and the answer
  }
}

static bool at_rest(const dist *d) {
  if (mailed(d)) return mail_is_idle(&d->mail);
  for (unsigned i = 0; i < d->ranks; i++)
    if (!irr_net_is_idle(d->net[i])) return false;
  return true;
}

void dist_settle(dist *d) {
  if (d->way == SUITE_RMA) {
    if (!d->end) tried(d, rma_settle(&d->rma));
    return;
  }
  if (d->procs) {
    dist_procs_settle(d);
    return;
  }
  uint64_t before = 0;
  double silent_since = check_now();
  dist_flush(d);
  while (!d->end && !at_rest(d)) {
    dist_poll(d);
    dist_flush(d);
    const mail_counts n = counts(d);
    const uint64_t now = n.messages + d->mail.taken;
    if (now != before) silent_since = check_now();
    before = now;
    if (check_now() - silent_since > SILENCE_S) dist_broken(d, "ranks", "nothing moves");
  }
}

bool dist_rows(const dist *d, const csr *whole, unsigned rank, csr *rows) {
  *rows = (csr){.vertices = dist_count(d, whole->vertices, rank)};
  rows->first = calloc((size_t)rows->vertices + 1, sizeof *rows->first);
  for (uint32_t v = rank; v < whole->vertices; v += d->ranks) rows->arcs += whole->first[v + 1] - whole->first[v];
  rows->to = malloc((rows->arcs + 1) * sizeof *rows->to);
  if (whole->weight) rows->weight = malloc((rows->arcs + 1) * sizeof *rows->weight);
  if (!rows->first || !rows->to || (whole->weight && !rows->weight)) return false;
  uint64_t at = 0;
  for (uint32_t i = 0; i < rows->vertices; i++) {
    const uint32_t v = i * d->ranks + rank;
    for (uint64_t k = whole->first[v]; k < whole->first[v + 1]; k++, at++) {
      rows->to[at] = whole->to[k];
      if (rows->weight) rows->weight[at] = whole->weight[k];
    }
    rows->first[i + 1] = at;
  }
  return true;
}
