// SPDX-License-Identifier: Apache-2.0
// Delegates as a program sees them: sending, tickets of those that want an answer, polling.
#include <string.h>

#include "net_internal.h"

static _Thread_local unsigned running;

bool irr_delegate_running(void) { return running; }

peer *irr_i_way(irr_net *net, unsigned to) {
  const unsigned next = irr_route_next(&net->shape, net->o.rank, to);
  return &net->peer[irr_route_index(&net->shape, net->o.rank, next)];
}

// ---- running
static void answer_nothing(irr_answer *a) {
  a->bytes = sizeof a->word[0];
  a->word[0] = 0;
}

irr_status irr_i_run(irr_net *net, const message *m, const void *args) {
  const irr_function *f = m->function < IRR_FUNCTIONS ? &net->function[m->function] : NULL;
  irr_arrival a = {.net = net, .from = m->from, .args = args, .bytes = irr_i_length(m)};
  irr_status s = IRR_E_FUNCTION;
  answer_nothing(&net->answer);
  if ((uintptr_t)args % 8) a.args = memcpy(net->args, args, a.bytes);
  if (f && f->run) {
    running++;
    s = f->run(f->ctx, &a, &net->answer);
    running--;
    // Its memory is absent, and nothing has happened; or it will never be there.
    if (s == IRR_BUSY && net->store && irr_i_paged_broken(net->store)) s = irr_i_paged_broken(net->store);
    if (s == IRR_BUSY) return s;
    net->n.run++;
  } else {
    net->unknown++;
  }
  if (s == IRR_OK && net->answer.bytes > f->answer_bytes) s = IRR_E_LONG;
  if (s != IRR_OK) {
    net->n.refused++;
    answer_nothing(&net->answer);
  }
  return s;
}

// ---- tickets
static uint64_t ticket_open(irr_net *net, const irr_delegate *d) {
  const uint32_t i = net->free_ticket;
  ticket *t = &net->ticket[i];
  net->free_ticket = t->next;
  net->tickets_open++;
  t->done = d->done;
  t->arg = d->arg;
  t->status = d->status;
  t->into = d->into;
  t->into_bytes = d->into_bytes;
  t->to = (uint16_t)d->to;
  t->open = true;
  return (uint64_t)t->generation << 32 | i;
}

static void ticket_close(irr_net *net, uint32_t i) {
  ticket *t = &net->ticket[i];
  t->open = false;
  t->generation++;
  t->next = net->free_ticket;
  net->free_ticket = i;
  net->tickets_open--;
}

static void tell(const ticket *t, irr_status s, const void *answer, uint32_t bytes) {
  uint64_t value = 0;
  if (s == IRR_OK) memcpy(&value, answer, bytes < sizeof value ? bytes : sizeof value);
  if (s == IRR_OK && t->into) memcpy(t->into, answer, bytes < t->into_bytes ? bytes : t->into_bytes);
  if (t->status) *t->status = s;
  t->done(t->arg, value);
}

void irr_i_end(irr_net *net, uint64_t word, irr_status s, const void *answer, uint32_t bytes) {
  const uint32_t i = (uint32_t)word;
  if (i >= net->o.pending || !net->ticket[i].open || net->ticket[i].generation != word >> 32) {
    net->n.late++;
    return;
  }
  const ticket t = net->ticket[i];
  ticket_close(net, i);
  net->n.answered++;
  tell(&t, s, answer, bytes);
}

void irr_i_end_gone(irr_net *net) {
  for (uint32_t i = 0; i < net->o.pending; i++) {
    const ticket t = net->ticket[i];
    if (!t.open || !net->is_gone[t.to]) continue;
    ticket_close(net, i);
    tell(&t, IRR_E_GONE, NULL, 0);
  }
}

// ---- sending
static irr_status check(const irr_net *net, const irr_delegate *d) {
  if (!net || !d || d->to >= net->o.ranks || d->function >= IRR_FUNCTIONS || (d->bytes && !d->args)) return IRR_E_ARG;
  if (!d->done && (d->status || d->into)) return IRR_E_ARG;
  if (d->into_bytes && !d->into) return IRR_E_ARG;
  if (d->bytes > IRR_ARGS_MOST) return IRR_E_LONG;
  return net->is_gone[d->to] ? IRR_E_GONE : IRR_OK;
}

static bool keep_own(irr_net *net, const message *m, const uint64_t *word, const void *args) {
  uint8_t *at = net->own + net->own_used;
  if (net->own_used - net->own_next + irr_i_message_bytes(m) > OWN_BYTES) return false;
  memcpy(at, m, sizeof *m);
  at += sizeof *m;
  if (word) memcpy(at, word, sizeof *word);
  if (word) at += sizeof *word;
  if (irr_i_length(m)) memcpy(at, args, irr_i_length(m));
  net->own_used += irr_i_message_bytes(m);
  return true;
}

static irr_status run_own(irr_net *net, const message *m, const irr_delegate *d) {
  const irr_status s = irr_i_run(net, m, d->args);
  if (s == IRR_BUSY) {
    net->n.busy++;
    return s;
  }
  const ticket t = {.done = d->done, .arg = d->arg, .status = d->status, .into = d->into, .into_bytes = d->into_bytes};
  net->n.own++;
  if (d->done) tell(&t, s, net->answer.word, net->answer.bytes);
  return IRR_OK;
}

static irr_status send(irr_net *net, const irr_delegate *d) {
  const irr_status s = check(net, d);
  if (s != IRR_OK) return s;
  const bool own = d->to == net->o.rank;
  peer *way = own ? NULL : irr_i_way(net, d->to);
  const message m = {.to = (uint16_t)d->to,
                     .from = (uint16_t)net->o.rank,
                     .function = (uint16_t)d->function,
                     .length = (uint16_t)(d->bytes | (d->done ? ASKS : 0))};
  uint64_t word = 0;
  if (way && way->failed) return IRR_E_GONE;
  if (way && !way->connected) return IRR_E_ARG;
  if (own && !running && !net->own_used) return run_own(net, &m, d);
  if (d->done && net->free_ticket == net->o.pending) {
    net->n.busy++;
    return IRR_BUSY;
  }
  if (d->done) word = ticket_open(net, d);
  if (own ? keep_own(net, &m, d->done ? &word : NULL, d->args)
          : irr_i_lane_add(way, REQUEST, &m, d->done ? &word : NULL, d->args)) {
    net->n.sent += !own;
    net->n.own += own;
    return IRR_OK;
  }
  if (d->done) ticket_close(net, (uint32_t)word);
  net->n.busy++;
  return IRR_BUSY;
}

irr_status irr_net_send(irr_net *net, const irr_delegate *d) {
  if (!net) return IRR_E_ARG;
  irr_i_enter(net);
  const irr_status s = send(net, d);
  irr_i_leave(net);
  return s;
}

// ---- progress
irr_status irr_net_flush(irr_net *net, unsigned to) {
  if (!net || to >= net->o.ranks) return IRR_E_ARG;
  if (to == net->o.rank) return IRR_OK;
  peer *p = irr_i_way(net, to);
  irr_i_enter(net);
  for (unsigned l = 0; l < LANES && !p->failed; l++) irr_i_lane_flush(p, l, IRR_FLUSH_DEMAND);
  const bool failed = p->failed;
  irr_i_leave(net);
  return failed ? IRR_E_GONE : IRR_OK;
}

irr_status irr_net_flush_all(irr_net *net) {
  if (!net) return IRR_E_ARG;
  irr_i_enter(net);
  for (unsigned i = 0; i < net->peers; i++)
    for (unsigned l = 0; l < LANES && !net->peer[i].failed; l++) irr_i_lane_flush(&net->peer[i], l, IRR_FLUSH_DEMAND);
  irr_i_leave(net);
  return IRR_OK;
}

void irr_net_later(irr_net *net, irr_later *l, bool (*step)(void *arg), void *arg) {
  *l = (irr_later){.step = step, .arg = arg};
  irr_i_enter(net);
  *net->later_end = l;
  net->later_end = &l->next;
  irr_i_leave(net);
}

// Those that are there now, each once: they may add others.
static bool run_later(irr_net *net) {
  irr_later *l = net->later;
  const bool any = l;
  net->later = NULL;
  net->later_end = &net->later;
  while (l) {
    irr_later *next = l->next, was = *l;
    if (!was.step(was.arg)) irr_net_later(net, l, was.step, was.arg);
    l = next;
  }
  return any;
}

static bool look_after(irr_net *net) {
  bool any = irr_i_own(net);
  any |= run_later(net);
  for (unsigned i = 0; i < net->peers; i++) {
    peer *p = &net->peer[i];
    if (!p->connected || p->gone) continue;
    irr_i_credit(p);
    irr_i_lane_age(p);
    irr_i_tell(p);
    irr_i_watch(p);
    any |= p->gone;
  }
  return any;
}

irr_status irr_net_poll(irr_net *net, bool *moved) {
  bool any = false;
  unsigned ran = 0;
  if (moved) *moved = false;
  if (!net) return IRR_E_ARG;
  if (running || net->polling) return IRR_E_INSIDE;
  net->polling = true;
  (void)toc_progress(net->f);
  irr_i_enter(net);
  net->now = toc_now(net->f);
  const irr_status paged = net->store ? irr_paged_poll(net->store, &any) : IRR_OK;
  for (unsigned i = 0; i < net->peers; i++)
    for (unsigned l = LANES; l-- > 0;) any |= irr_i_take_apart(&net->peer[i], l);
  if (toc_log_run_count(net->log, 0, &ran) != TOC_OK) net->broken = IRR_E_DRIVER;
  any |= look_after(net) || ran;
  irr_i_leave(net);
  net->polling = false;
  if (moved) *moved = any;
  return net->broken ? net->broken : paged;
}

irr_status irr_i_net_broken(const irr_net *net) {
  if (net->broken || !net->store) return net->broken;
  return irr_i_paged_broken(net->store);
}

uint64_t irr_i_net_unknown(const irr_net *net) {
  irr_net *locked = (irr_net *)(uintptr_t)net;
  irr_i_enter(locked);
  const uint64_t unknown = net->unknown;
  irr_i_leave(locked);
  return unknown;
}

static bool is_idle(irr_net *net) {
  if (net->tickets_open || net->own_used || net->later) return false;
  for (unsigned i = 0; i < net->peers; i++)
    if (net->peer[i].connected && !irr_i_lanes_idle(&net->peer[i])) return false;
  return true;
}

bool irr_net_is_idle(irr_net *net) {
  irr_i_enter(net);
  const bool idle = is_idle(net);
  irr_i_leave(net);
  return idle;
}

bool irr_i_net_quiet(const irr_net *net, unsigned questions) {
  irr_net *locked = (irr_net *)(uintptr_t)net;
  irr_i_enter(locked);
  const bool quiet = net->tickets_open == questions && !net->own_used && !net->later;
  irr_i_leave(locked);
  return quiet;
}
