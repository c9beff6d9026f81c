// SPDX-License-Identifier: Apache-2.0
// What leaves: messages are written where the NIC reads them, an aggregate is one put, and its place is free again when
// the neighbour has said that it has taken it apart.
#include <string.h>

#include "net_internal.h"

uint32_t irr_i_length(const message *m) { return m->length & (ASKS - 1u); }

uint32_t irr_i_message_bytes(const message *m) {
  const uint32_t ticket = m->length & ASKS ? IRR_TICKET_BYTES : 0;
  return IRR_DELEGATE_BYTES + ticket + irr_i_length(m);
}

static uint8_t *open_slot(const peer *p, const lane *a) {
  return a->slots + (size_t)(a->closed % p->net->o.window) * IRR_AGGREGATE_BYTES;
}

static void hear_credit(peer *p) {
  uint64_t word = toc_load(p->credit_in);
  if (p->out[REQUEST].taken != (uint32_t)word || p->out[ANSWER].taken != (uint32_t)(word >> 32)) p->heard = p->net->now;
  p->out[REQUEST].taken = (uint32_t)word;
  p->out[ANSWER].taken = (uint32_t)(word >> 32);
}

// Taken apart there, and the NIC needs its bytes no more. The acknowledgement may come later than the
// credit, if it was lost.
static bool is_free(peer *p, lane *a) {
  toc_req *r = &a->req[a->closed % p->net->o.window];
  hear_credit(p);
  if (a->closed - a->taken >= p->net->o.window) return false;
  if (r->qp && !toc_done(*r)) return false;
  r->qp = NULL;
  return true;
}

void irr_i_lane_flush(peer *p, unsigned l, irr_flush_cause cause) {
  lane *a = &p->out[l];
  irr_net *net = p->net;
  if (!a->count) return;
  const head h = {.bytes = (uint16_t)a->used, .from = (uint16_t)net->o.rank, .number = a->closed};
  memcpy(open_slot(p, a), &h, sizeof h);
  toc_remote there = toc_at(p->pages, l * (uint64_t)PAGE);
  toc_req *r = &a->req[a->closed % net->o.window];
  const bool task = net->a.on && l == REQUEST;
  if ((task ? irr_i_accel_send(p, open_slot(p, a), a->used, r) : toc_put(p->qp, open_slot(p, a), there, a->used, r)) !=
      TOC_OK)
    p->failed = true;
  net->n.tasks += task;
  net->n.aggregates++;
  net->n.messages += a->count;
  net->n.bytes += a->used;
  net->n.flushed[cause]++;
  if (a->closed == a->taken) p->heard = net->now;  // it owed nothing before
  a->closed++;
  a->used = a->count = 0;
}

bool irr_i_lane_room(peer *p, unsigned l, uint32_t bytes) {
  lane *a = &p->out[l];
  if (p->failed || p->gone) return true;  // nothing waits for it: what is added is lost with it
  if (a->count && a->used + bytes > IRR_AGGREGATE_BYTES) irr_i_lane_flush(p, l, IRR_FLUSH_SIZE);
  return a->count || is_free(p, a);
}

bool irr_i_lane_add(peer *p, unsigned l, const message *m, const uint64_t *word, const void *bytes) {
  lane *a = &p->out[l];
  if (!irr_i_lane_room(p, l, irr_i_message_bytes(m))) return false;
  if (p->failed || p->gone) {
    p->net->n.lost++;
    return true;
  }
  if (!a->count) {
    a->used = IRR_HEAD_BYTES;
    a->since = toc_now(p->net->f);
  }
  uint8_t *at = open_slot(p, a) + a->used;
  memcpy(at, m, sizeof *m);
  at += sizeof *m;
  if (word) memcpy(at, word, sizeof *word);
  if (word) at += sizeof *word;
  if (irr_i_length(m)) memcpy(at, bytes, irr_i_length(m));
  a->used += irr_i_message_bytes(m);
  a->count++;
  if (l == REQUEST && m->length & ASKS && !p->awaited++) p->heard = p->net->now;
  if (a->used == IRR_AGGREGATE_BYTES) irr_i_lane_flush(p, l, IRR_FLUSH_SIZE);
  return true;
}

void irr_i_lane_age(peer *p) {
  const uint64_t ns = p->net->o.flush_us * 1000ull;
  for (unsigned l = 0; l < LANES; l++)
    if (p->out[l].count && p->net->now - p->out[l].since >= ns) irr_i_lane_flush(p, l, IRR_FLUSH_TIME);
}

bool irr_i_lanes_idle(peer *p) {
  hear_credit(p);
  for (unsigned l = 0; l < LANES; l++) {
    if (p->gone) break;
    const uint32_t come = __atomic_load_n(&p->in[l].come, __ATOMIC_ACQUIRE);
    if (p->out[l].count || p->out[l].closed != p->out[l].taken || come != p->in[l].taken) return false;
  }
  return true;
}

// Tells the neighbour what was taken apart, when that is half of what may be under way (it has the other half
// then), or was long ago.
static bool is_due(const peer *p, const inbound *i) {
  const uint32_t untold = i->taken - i->told, half = p->net->o.window / 2;
  if (!untold) return false;
  return untold >= half || p->net->now - i->since >= p->net->o.flush_us * 1000ull;
}

void irr_i_credit_put(peer *p) {
  toc_store(p->credit_out, (uint64_t)p->in[ANSWER].taken << 32 | p->in[REQUEST].taken);
  if (toc_put(p->qp, p->credit_out, p->credit, sizeof *p->credit_out, &p->credit_req) != TOC_OK) p->failed = true;
  for (unsigned l = 0; l < LANES; l++) p->in[l].told = p->in[l].taken;
  p->net->n.credits++;
}

void irr_i_credit(peer *p) {
  if (!is_due(p, &p->in[REQUEST]) && !is_due(p, &p->in[ANSWER])) return;
  if (p->credit_req.qp && !toc_done(p->credit_req)) return;
  irr_i_credit_put(p);
}
