// SPDX-License-Identifier: Apache-2.0
// What comes: each record of the log is a piece of an aggregate, whose page says from which neighbour it is. Whole ones
// are taken apart at once; one whose next message finds no room stays as it is, and so do those behind it.
#include <string.h>

#include "net_internal.h"

static uint8_t *held(const peer *p, const inbound *i, uint32_t number) {
  return i->hold + (size_t)(number % p->net->o.window) * IRR_AGGREGATE_BYTES;
}

static void broken(peer *p) {
  if (!p->failed) p->net->n.broken++;
  p->failed = true;
}

void irr_i_arrive(void *arg, const toc_access *x) {
  irr_net *net = arg;
  const uint64_t off = x->addr - PAGES_AT;
  const uint32_t at = (uint32_t)(off % PAGE);
  if (off / (LANES * PAGE) >= net->peers) return;
  peer *p = &net->peer[off / (LANES * PAGE)];
  const unsigned l = off / PAGE % LANES;
  inbound *i = &p->in[l];
  head h;
  if (p->failed) return;
  if ((net->a.on && l == REQUEST) || x->kind != TOC_PUT || x->aborted || x->poisoned || !x->data || at != i->at ||
      x->bytes > PAGE - at || i->come - i->taken >= net->o.window || (!at && x->bytes < sizeof h)) {
    broken(p);
    return;
  }
  memcpy(held(p, i, i->come) + at, x->data, x->bytes);
  memcpy(&h, held(p, i, i->come), sizeof h);
  i->at += (uint32_t)x->bytes;
  if (i->at > h.bytes || h.from != p->rank || h.number != i->come) broken(p);
  if (p->failed || i->at < h.bytes) return;
  i->at = 0;
  i->come++;
  p->heard = net->now;
  (void)irr_i_take_apart(p, l);
}

// ---- one message
static bool forward(peer *p, unsigned l, const message *m, const uint64_t *word, const uint8_t *bytes) {
  irr_net *net = p->net;
  if (m->to >= net->o.ranks || irr_i_way(net, m->to) == p) {
    broken(p);
    return true;
  }
  if (net->is_gone[m->to]) {  // who waits for it hears that by a notice
    net->n.lost++;
    return true;
  }
  if (!irr_i_lane_add(irr_i_way(net, m->to), l, m, word, bytes)) return false;
  net->n.forwarded++;
  return true;
}

// A request that wants an answer runs when there is room for that; one whose memory is absent, when that is there.
static bool run(peer *p, const message *m, const uint64_t *word, const uint8_t *bytes) {
  irr_net *net = p->net;
  const irr_function *f = m->function < IRR_FUNCTIONS ? &net->function[m->function] : NULL;
  peer *back = word ? irr_i_way(net, m->from) : NULL;
  if (back && back != p) {  // it is from somebody else than it says
    broken(p);
    return true;
  }
  if (net->a.inside && !(f && f->kernel)) return false;  // not the accelerator's
  const uint32_t most = f && f->run ? f->answer_bytes : (uint32_t)sizeof net->answer.word[0];
  if (back && !irr_i_lane_room(back, ANSWER, IRR_DELEGATE_BYTES + IRR_TICKET_BYTES + most)) return false;
  const irr_status s = irr_i_run(net, m, bytes);
  if (s == IRR_BUSY) return false;
  net->n.kernel += net->a.inside;
  if (!back) return true;
  const irr_answer *a = &net->answer;
  const message answer = {.to = m->from, .from = m->to, .function = (uint16_t)s, .length = (uint16_t)(ASKS | a->bytes)};
  return irr_i_lane_add(back, ANSWER, &answer, word, a->word);
}

static void hear_notice(irr_net *net, const message *m, const uint8_t *bytes) {
  notice n;
  if (irr_i_length(m) != sizeof n) return;
  memcpy(&n, bytes, sizeof n);
  irr_i_mark_gone(net, n.first, n.past < net->o.ranks ? n.past : net->o.ranks);
}

// false: no room, nothing has happened.
static bool deliver(peer *p, unsigned l, const message *m, const uint64_t *word, const uint8_t *bytes) {
  irr_net *net = p->net;
  if (l == ANSWER && m->function == NOTICE) {
    hear_notice(net, m, bytes);
    return true;
  }
  if (m->from >= net->o.ranks || m->from == net->o.rank || (l == ANSWER && !word)) {
    broken(p);
    return true;
  }
  if (m->to != net->o.rank && !forward(p, l, m, word, bytes)) return false;
  if (m->to == net->o.rank && l == REQUEST && !run(p, m, word, bytes)) return false;
  if (l == ANSWER && p->awaited) p->awaited--;
  if (m->to == net->o.rank && l == ANSWER) irr_i_end(net, *word, (irr_status)m->function, bytes, irr_i_length(m));
  return true;
}

// The next message of an aggregate; 0: what is there is none.
static uint32_t parse(const uint8_t *at, uint32_t left, message *m, uint64_t *word, const uint8_t **bytes) {
  if (left < sizeof *m) return 0;
  memcpy(m, at, sizeof *m);
  if (irr_i_message_bytes(m) > left || irr_i_length(m) > IRR_ARGS_MOST) return 0;
  *bytes = at + sizeof *m;
  if (m->length & ASKS) {
    memcpy(word, *bytes, sizeof *word);
    *bytes += sizeof *word;
  }
  return irr_i_message_bytes(m);
}

bool irr_i_take_apart(peer *p, unsigned l) {
  inbound *i = &p->in[l];
  bool any = false;
  if (__atomic_exchange_n(&i->bad, false, __ATOMIC_ACQUIRE)) broken(p);
  for (; i->taken != __atomic_load_n(&i->come, __ATOMIC_ACQUIRE) && !p->failed;
       __atomic_store_n(&i->taken, i->taken + 1, __ATOMIC_RELEASE), i->next = 0) {
    const uint8_t *whole = held(p, i, i->taken), *bytes = NULL;
    head h;
    memcpy(&h, whole, sizeof h);
    if (!i->next) i->next = sizeof h;
    while (i->next < h.bytes && !p->failed) {
      message m;
      uint64_t word = 0;
      const uint32_t n = parse(whole + i->next, h.bytes - i->next, &m, &word, &bytes);
      if (!n)
        broken(p);
      else if (!deliver(p, l, &m, m.length & ASKS ? &word : NULL, bytes))
        return any;
      i->next += n;
      any = true;
    }
    if (i->taken == i->told) i->since = p->net->now;
  }
  return any;
}

// ---- a rank's own
// Those that are there now: what they send is a later poll's. The place of the one that runs is free for that already,
// so that each may send one as long as itself, however many there are.
bool irr_i_own(irr_net *net) {
  const uint32_t past = net->own_used;
  bool any = false;
  while (net->own_next < past) {
    message m;
    uint64_t word = 0;
    const uint8_t *bytes = NULL;
    const uint32_t n = parse(net->own + net->own_next, net->own_used - net->own_next, &m, &word, &bytes);
    net->own_next += n;
    const irr_status s = irr_i_run(net, &m, bytes);
    if (s == IRR_BUSY) {
      net->own_next -= n;
      break;
    }
    any = true;
    if (m.length & ASKS) irr_i_end(net, word, s, net->answer.word, net->answer.bytes);
  }
  net->own_used -= net->own_next;
  memmove(net->own, net->own + net->own_next, net->own_used);
  net->own_next = 0;
  return any;
}
