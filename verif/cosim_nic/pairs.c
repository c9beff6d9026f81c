// SPDX-License-Identifier: Apache-2.0
// Both ends of a queue pair: how they go on and off, and which requests of theirs may end badly because of that, of
// memory that has failed, or of the link.
//
// A read that memory has answered with UR, CA or poison may end a request with LocalRead at its own end,
// with RemOperation or Timeout at the peer's, and no request of another queue pair: pair_excuses knows
// which reads have failed.
#include "sw.h"

enum { RNR_WAIT = 12000 };  // cycles of the longest wait that a responder asks for

// A code of the timer of RNR NAKs; the peer's NIC_TICK is its unit (InfiniBand 9.7.5.2.8: 2k is 2^k units, 2k + 1 is 3
// * 2^(k-1)).
static unsigned rnr_code(rng *r, unsigned tick) {
  for (;;) {
    unsigned code = rng_range(r, 1, 31);
    uint64_t units = code == 1 ? 1 : code & 1 ? 3ull << (code / 2 - 1) : 1ull << code / 2;
    if (units * tick <= RNR_WAIT) return code;
  }
}

// Both ends get what software wants of them, and are on.
void pair_on(net *w, unsigned qp, uint32_t psn0, uint32_t psn1) {
  board *b = board_of(w);
  rng *r = &w->rng;
  const uint32_t psn[2] = {psn0, psn1};
  unsigned mtu = rng_range(r, 1, 5);
  for (unsigned k = 0; k < 2; k++) {
    stream *t = &b->s[2 * qp + k];
    t->base = t->rung = t->posted;
    t->read_failed = t->serve_failed = t->stopped = t->mend = false;
    t->ring_size = rng_range(r, 0, 4);
    // Few tries for some, where a request that ends by that may leave anything behind, and so long ones that
    // only a loss ends them, or a peer whose memory was slow for half of their time (late): where nothing
    // is lost, longer still.
    bool few = b->opt.p_reconnect && rng_1in(r, 3);
    t->retry = few ? rng_below(r, 3) : 7;
    // A ring of few places may be full of requests that a peer refuses whose ring is as well: theirs must end (RSP-6).
    t->rnr_retry =
        b->opt.p_reconnect ? rng_below(r, w->node[t->from].sw->p[t->proc].eq_size < SW_EQ_ENOUGH ? 7 : 8) : 7;
    t->timeout = few ? w->link.drop ? 15 : 16 : rng_range(r, 12, 14);
    if (w->node[0].cfg.Contexts) t->timeout += few ? 4 : 2;  // a frame waits for those before it, each for its context
    uint64_t ctl = sw_ctl(mtu, rnr_code(r, w->node[t->to].tick), t->retry, t->rnr_retry, t->timeout);
    if (inbox_takes(w, &b->s[2 * qp + !k])) ctl |= NIC_QP_CTL_RECV_MASK;
    sw_connect(&w->node[t->from], qp, t->proc, t->to, t->ring_size, psn[!k], psn[k], ctl);
  }
  for (unsigned k = 0; k < 2; k++) inbox_on(w, &b->s[2 * qp + k]);
  b->pair[qp] = (pair){.at = PAIR_ON};
}

// Off, on and off again, so fast that what was before is still on its way: nothing may come of it, and nobody is heard.
static void flicker(net *w, node *n, unsigned qp) {
  uint64_t ctl = node_read(n, qp_reg(qp, NIC_REG_QP_CTL));
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), 0);
  node_write(n, qp_reg(qp, NIC_REG_QP_PEER), rng_u64(&w->rng) << 32);
  node_write(n, qp_reg(qp, NIC_REG_QP_PSN), rng_u64(&w->rng));
  node_write(n, qp_reg(qp, NIC_REG_QP_CTL), ctl | NIC_QP_CTL_EN_MASK);
}

void pair_off(net *w, unsigned qp) {
  board *b = board_of(w);
  pair *p = &b->pair[qp];
  if (p->at != PAIR_ON) return;
  p->at = PAIR_HALF;
  b->s[2 * qp].was_off = b->s[2 * qp + 1].was_off = true;
  p->first = rng_below(&w->rng, 2);
  p->until = w->cycle + (rng_1in(&w->rng, 2) ? 0 : rng_below(&w->rng, 3000));
  node *n = &w->node[b->s[2 * qp + p->first].from];
  if (rng_1in(&w->rng, 3) && !n->cfg.Contexts) flicker(w, n, qp);
  qp_off(n, qp);
  b->reconnected++;
}

// Each of its tries was harmed on its way, or found no room: all responses of a node have one queue, and a request that
// comes while it is full is dropped; as one that comes while the peer's software is still turning its end on. One is
// spent where its next packet cannot be read: nobody has been asked for an ACK of those before it.
static bool unlucky(const net *w, const stream *t) {
  const op_rec *o = &t->op[t->ended % SW_SLOTS];
  return w->harmed[t->qp] - o->harmed + w->node[t->to].no_room[t->qp] - o->no_room + t->read_failed > t->retry;
}

// The outside has kept the peer waiting for so long, memory or the link, that an answer may have come too late:
// responses have one queue, and what holds one up holds up all behind it.
static bool late(const net *w, const stream *t) {
  return w->node[t->to].held_up - t->op[t->ended % SW_SLOTS].held_up >= 1ull << (t->timeout - 1);
}

// The peer has said as often as it may that it is not ready, or the link has doubled that.
static bool not_ready(const net *w, const stream *t) {
  const op_rec *o = &t->op[t->ended % SW_SLOTS];
  return t->rnr_retry < 7 && o->e.op != SQ_WRITE &&
         w->node[t->to].not_ready[t->qp] - o->not_ready + w->doubled[t->qp] - o->doubled > t->rnr_retry;
}

// Counted for the hardware that had asked, or else for that which was asked.
static bool excused(const net *w, const stream *t, unsigned point) {
  bool asked = t->from >= w->duts && t->to < w->duts;
  reach(&w->node[asked ? t->to : t->from], asked ? point - REACH_EXCUSE_RECONNECT + REACH_ASKED_RECONNECT : point);
  return true;
}

// A request may end so, and with it the queue pair: reads of it have failed, the peer is off, has no room for its
// response, is not ready, or the link has taken all of its few tries.
bool pair_excuses(const net *w, const stream *t, uint8_t status) {
  bool failed = false;
  if (status == NIC_ST_LOCAL_READ) failed = t->read_failed;
  if (status == NIC_ST_REM_OPERATION) failed = t->serve_failed;
  // A task refused at its last packet for want of a table: if that NAK is lost, the packet comes again
  // and begins nothing.
  if (status == NIC_ST_REM_INVALID) failed = t->serve_failed && t->op[t->ended % SW_SLOTS].e.op == SQ_XTQ;
  if (status == NIC_ST_TIMEOUT) failed = t->serve_failed || board_of(w)->pair[t->qp].at != PAIR_ON;
  if (failed) return excused(w, t, REACH_EXCUSE_RECONNECT);
  if (status == NIC_ST_TIMEOUT && unlucky(w, t)) return excused(w, t, REACH_EXCUSE_LOST);
  if (status == NIC_ST_TIMEOUT && late(w, t)) return excused(w, t, REACH_EXCUSE_LATE);
  if (status == NIC_ST_RNR && not_ready(w, t)) {
    reach(&w->node[t->from], REACH_RNR_END);
    reach(&w->node[t->from], REACH_RNR_0 + t->rnr_retry);
    return excused(w, t, REACH_EXCUSE_RNR);
  }
  return false;
}
