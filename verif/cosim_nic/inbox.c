// SPDX-License-Identifier: Apache-2.0
// Receive buffers and the SENDs that come into them: software posts buffers, withdraws them in motion, enables
// the regions that peers invalidate, and checks of each event 8 that it tells of the next message of its queue pair,
// whose bytes are there.
//
// Half of the processes take SENDs. Their buffers have a LEAST of the longest message, so that what begins in one fits.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sw.h"

enum { LONGEST = 7000, INV_KEY = 0x22000000 };

static uint8_t byte_of(const stream *t, uint32_t seq, uint32_t k) { return score_payload(t->id, seq, k) ^ 0xa5; }

static void wrong(net *w, const stream *t, const char *what, uint64_t got, uint64_t want) {
  net_fail(w, "inbox", "node %u, QP %u, message %u of %u: %s: got %" PRIx64 ", want %" PRIx64, t->to, t->qp,
           t->mail_seen, t->mails, what, got, want);
}

// ---- buffers
void inbox_feed(node *n, unsigned p) {
  sw_proc *s = &n->sw->p[p];
  rng *r = &n->net->rng;
  if (!s->q[0].size) return;
  unsigned want = n->cfg.RecvDepth < 4 ? n->cfg.RecvDepth : 4;
  unsigned have = (unsigned)(node_read(n, eq_reg(p, NIC_REG_RB_STS)) & NIC_RB_STS_POSTED_MASK);
  for (; have < want; have++) {
    uint64_t va = sw_va(p, SW_POOL + (uint64_t)(s->fed++ % SW_POOLS) * SW_POOL_SIZE);
    s->buffer[s->number++ % SW_POOLS] = va;
    sw_post_buffer(n, p, va, SW_POOL_SIZE - 64 * rng_below(r, 3), s->receives ? LONGEST : 64 * rng_below(r, 3));
  }
}

// What is withdrawn is told exactly, and comes again under the same numbers.
void inbox_drop(node *n, unsigned p) {
  sw_proc *s = &n->sw->p[p];
  if (!s->q[0].size) return;
  node_write(n, eq_reg(p, NIC_REG_RB_DROP), rng_u64(&n->net->rng));
  uint64_t v = node_read(n, eq_reg(p, NIC_REG_RB_DROP)), sts = node_read(n, eq_reg(p, NIC_REG_RB_STS));
  uint32_t gone = (uint32_t)(v & NIC_RB_DROP_GONE_MASK);
  if (sts & NIC_RB_STS_POSTED_MASK) net_fail(n->net, "inbox", "node %u: buffers are left: %" PRIx64, n->id, sts);
  s->number -= gone;
  s->fed -= gone;
  if ((uint32_t)(v >> NIC_RB_DROP_NEXT_LSB) != s->number)
    net_fail(n->net, "inbox", "node %u, process %u: %u withdrawn, the next is %" PRIx64 ", not %x", n->id, p, gone,
             v >> NIC_RB_DROP_NEXT_LSB, s->number);
  if (gone) reach(n, REACH_WITHDRAWN);
  inbox_feed(n, p);
}

// ---- regions to be invalidated: one a queue pair and node, behind those of all
static unsigned inv_region(const node *n, const stream *t) {
  unsigned i = 2 * board_of(n->net)->procs + t->qp;
  return i < n->cfg.NumMrs ? i : 0;
}

bool inbox_spare(const node *n, unsigned mr) {  // a region that nobody uses
  return mr >= 2 * board_of(n->net)->procs + board_of(n->net)->qps;
}

static void enable(net *w, stream *t) {
  node *n = &w->node[t->to];
  unsigned i = inv_region(n, t);
  if (!i || !n->sw->p[t->proc].receives) return;
  t->inv_key = INV_KEY | (t->inv_gen++ & 0xffff) << 8 | i;
  t->inv_ready = true;
  sw_region(n, i, t->inv_key, t->proc, sw_va(t->proc, SW_REMOTE), 64, rng_below(&w->rng, 8));
  t->inv_from = n->w_tail;
}

void inbox_on(net *w, stream *t) {
  t->was_off = false;
  enable(w, t);
}

// ---- sending
bool inbox_takes(const net *w, const stream *t) { return w->node[t->to].sw->p[t->proc].receives; }

static mail *next_mail(stream *t) {
  if (t->mails == t->mail_cap) t->mail = realloc(t->mail, (t->mail_cap = 2 * t->mail_cap + 64) * sizeof *t->mail);
  if (!t->mail) abort();
  mail *m = &t->mail[t->mails];
  memset(m, 0, sizeof *m);
  return m;
}

void inbox_post(net *w, stream *t, op_rec *o, uint8_t *b, uint32_t len) {
  rng *r = &w->rng;
  mail *m = next_mail(t);
  // Those too short to be told from one another have a number.
  o->e.op = rng_1in(r, 3) || len < 8 ? SQ_SEND_IMM : SQ_SEND;
  o->e.rkey = (uint32_t)rng_u64(r);
  o->e.remote = rng_u64(r);
  o->e.imm = (uint32_t)rng_u64(r);
  m->len = len > LONGEST ? LONGEST : len;
  m->status = o->e.op == SQ_SEND_IMM ? NIC_RCV_IMM : NIC_RCV_PLAIN;
  m->value = o->e.op == SQ_SEND_IMM ? o->e.imm : 0;
  bool written = (int32_t)(w->node[t->to].w_head - t->inv_from) >= 0;
  if (o->e.op == SQ_SEND && t->inv_ready && written && rng_1in(r, 2)) {
    t->inv_ready = false;
    m->status = NIC_RCV_INV;
    m->value = o->e.imm = t->inv_key;
    o->e.proc = 1;  // bit 2 of the flags, which the caller makes
  }
  for (uint32_t k = 0; k < m->len; k++) b[k] = byte_of(t, t->mails, k);
  o->e.len1 = rng_1in(r, 2) ? m->len : rng_below(r, m->len + 1);
  o->e.len2 = m->len - o->e.len1;
  o->put = t->mails++;
}

// One that must be refused: nobody takes SENDs, no buffer is so long, nobody has such a region.
void inbox_bad(net *w, stream *t, op_rec *o) {
  rng *r = &w->rng;
  o->e.op = rng_1in(r, 2) ? SQ_SEND : SQ_SEND_IMM;
  o->status = NIC_ST_REM_INVALID;
  if (!inbox_takes(w, t)) return;
  if (rng_1in(r, 2)) {
    o->e.op = SQ_SEND;
    o->e.proc = 1;
    o->e.imm = rng_1in(r, 2) ? INV_KEY | 0xffffff : SW_KEY | (2 * (t->proc + 1) % (2 * board_of(w)->procs));
    if (board_of(w)->procs == 1) o->e.imm = INV_KEY | 0xffffff;
    o->e.len1 = rng_below(r, 200);
    o->status = NIC_ST_REM_ACCESS;
    return;
  }
  mail *m = next_mail(t);
  *m = (mail){.len = SW_POOL_SIZE + rng_range(r, 1, 2000), .bad = true, .may = true};
  o->e.len1 = m->len;
  t->mails++;
}

// ---- receiving
static bool holds(node *n, const stream *t, uint32_t seq, uint64_t va, uint32_t len) {
  static uint8_t b[2 * SW_POOL_SIZE];
  node_peek(n, t->proc, va, b, len);
  for (uint32_t k = 0; k < len; k++)
    if (b[k] != byte_of(t, seq, k)) return false;
  return true;
}

// Of a message that came to nothing, what has come is the beginning of one that has not ended.
static void lost(net *w, stream *t, const sw_event *e) {
  node *n = &w->node[t->to];
  bool known = false;
  for (uint32_t k = t->mail_seen; k < t->mails && !known; k++)
    known = t->mail[k].len > e->bytes && (t->mail[k].bad || (t->was_off && holds(n, t, k, e->addr, e->bytes)));
  if (!known) wrong(w, t, "a lost message that nobody has sent, bytes", e->bytes, 0);
  reach(n, REACH_RECV_LOST);
}

void inbox_heard(node *n, stream *t, const sw_event *e) {
  net *w = n->net;
  const sw_proc *s = &n->sw->p[t->proc];
  uint64_t buffer = s->buffer[e->word % SW_POOLS];
  if (e->word - (s->number - SW_POOLS) >= SW_POOLS) wrong(w, t, "number of the buffer, at most", e->word, s->number);
  if (e->addr % 64 || e->addr < buffer || e->addr + e->bytes > buffer + SW_POOL_SIZE)
    wrong(w, t, "address", e->addr, buffer);
  if (e->status == NIC_RCV_LOST) {
    lost(w, t, e);
    return;
  }
  while (t->mail_seen < t->mails && t->mail[t->mail_seen].may &&
         (t->mail[t->mail_seen].bad || t->mail[t->mail_seen].len != e->bytes || t->mail[t->mail_seen].value != e->len ||
          !holds(n, t, t->mail_seen, e->addr, e->bytes)))
    t->mail_seen++;
  if (t->mail_seen == t->mails) {
    wrong(w, t, "a message that nobody has sent, bytes", e->bytes, 0);
    return;
  }
  const mail *m = &t->mail[t->mail_seen];
  if (e->status != m->status) wrong(w, t, "status", e->status, m->status);
  if (e->bytes != m->len) wrong(w, t, "bytes", e->bytes, m->len);
  if (e->len != m->value) wrong(w, t, "immediate or key", e->len, m->value);
  if (!w->failed && !holds(n, t, t->mail_seen, e->addr, e->bytes)) wrong(w, t, "its bytes at", e->addr, 0);
  if (e->status == NIC_RCV_INV) {
    unsigned i = inv_region(n, t);
    uint64_t key = node_read(n, NIC_REG_MR_KEY + i * NIC_REG_MR_KEY_STRIDE);
    if ((uint32_t)key == e->len && (key & NIC_MR_KEY_EN_MASK)) wrong(w, t, "a region that is still enabled", key, 0);
    if ((uint32_t)key == e->len) enable(w, t);
  }
  reach(n, m->len == 0                ? REACH_RECV_NONE
           : e->status == NIC_RCV_IMM ? REACH_RECV_IMM
           : e->status == NIC_RCV_INV ? REACH_RECV_INV
                                      : REACH_RECV);
  if (m->len > 4096) reach(n, REACH_RECV_LONG);
  t->mail_seen++;
}

// Both ends have gone off: this one need not come, or has.
void inbox_may(stream *t, uint32_t number) { t->mail[number].may = true; }

void inbox_finish(net *w, stream *t) {
  while (t->mail_seen < t->mails && t->mail[t->mail_seen].may) t->mail_seen++;
  if (t->mail_seen != t->mails) wrong(w, t, "messages received", t->mail_seen, t->mails);
}
