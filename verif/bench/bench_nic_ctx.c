// SPDX-License-Identifier: Apache-2.0
// Contexts in memory: what one costs that is in a place and one that is not, and what streams reach whose
// queue pairs, more than there are places, take turns. The table is in the memory that takes its time,
// as all else that the NIC reads.
//
// A build without contexts measures one message of a queue pair in registers (nb_alone), which is the least that one
// in a place can take; one that is in none takes a read of memory more, which no design is without. The limit of a
// stream is the wire. With more than 64 contexts all of them take turns, and nothing fewer.
#include <stdio.h>
#include <string.h>

#include "nic_bench.h"

enum {
  TABLE = 0x6000000,
  CTX_BYTES = 2048,
  CTX_OPEN = 0x80,
  NUMBER = 0x1000,  // of context 0
  PLACES = CFG_NumQps,
  MOST = CFG_Contexts ? CFG_Contexts : 1,
  MANY = 64,
  BYTES = 64,
  AT_ONCE = 16,  // requests a bell
  RINGS = 0x10000000,
  RING_BYTES = 64 << SEND_SIZE,
  AETH_ACK = 0x1f,
  AHEAD = 4,
  SETTLED = 3000
};

typedef struct turns {
  unsigned pairs, total, done, rung[MOST], ended[MOST];
  uint32_t psn[MOST];
  uint64_t begun, over;
} turns;

static uint8_t zeros[NIC_PAYLOAD_MAX];
static const unsigned memory[] = {1, 18, 70, 200}, pairs_of[] = {1, 3, 4, 8, 64};
static bool used[MOST];  // contexts that are open

static uint64_t count(bench *b, unsigned counter) { return nb_get(b, NIC_REG_NIC_CNT + 8 * counter); }

static void rest(bench *b) {
  for (unsigned i = 0; i < SETTLED; i++) nb_step(b);
}

// ---- contexts
static void word(bench *b, unsigned c, uint32_t reg, uint64_t v) {
  mem_write64(b->m, TABLE + (uint64_t)CTX_BYTES * c + (reg & 255), v);
}

static void closes(bench *b, unsigned c) {
  nb_put(b, NIC_REG_NIC_CLOSE, c);
  for (unsigned i = 0; nb_get(b, NIC_REG_NIC_CLOSE) & NIC_NIC_CLOSE_BUSY_MASK; i++)
    if (i == 10000) nb_fail(b, "a context is not closed");
}

static void opens(bench *b, unsigned c) {
  for (unsigned at = 0; at < CTX_OPEN; at += 8) word(b, c, NIC_REG_QP_CTL + at, 0);
  word(b, c, NIC_REG_QP_MAC, b->peer.mac);
  word(b, c, NIC_REG_QP_PEER, b->peer.ip | (0x200ull + c) << NIC_QP_PEER_QP_LSB);
  word(b, c, NIC_REG_QP_RING, RINGS + (uint64_t)c * RING_BYTES);
  word(b, c, NIC_REG_QP_RINGC, SEND_SIZE | 0xC000ull << NIC_QP_RINGC_PORT_LSB);
  word(b, c, NIC_REG_QP_CTL, 0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB);
  word(b, c, NIC_REG_QP_CTL + CTX_OPEN, 1);
}

// The first `n` contexts, as if nothing had been.
static void anew(bench *b, unsigned n) {
  for (unsigned c = 0; c < MOST; c++)
    if (used[c]) closes(b, c);
  rest(b);  // what was saved is in memory
  for (unsigned c = 0; c < MOST; c++) {
    if (c < n) opens(b, c);
    used[c] = c < n;
  }
}

static void write_frame(bench *b, unsigned c, uint32_t psn) {
  nic_head h = b->h;
  h.opcode = NIC_OP_WRITE_ONLY;
  h.qp = b->h.qp + c;
  h.va = BUFFER + 4096ull * c;
  h.length = h.bytes = BYTES;
  h.ack_req = true;
  b->h.psn = psn & 0xffffff;
  nb_frame(b, h, zeros);
}

// ---- one message
// From its first beat in to the first beat of its write; loads: contexts that it brings in.
static double arrives(bench *b, unsigned c, uint32_t psn, unsigned loads) {
  const uint64_t was = count(b, NIC_CNT_CTX_LOADED);
  nb_begin(b);
  b->from = 0;
  write_frame(b, c, psn);
  nb_run(b);
  rest(b);
  if (!b->stored_cycle) nb_fail(b, "nothing was written");
  if (count(b, NIC_CNT_CTX_LOADED) - was != loads) nb_fail(b, "another number of contexts was loaded");
  return (double)(b->stored_cycle - b->first);
}

static void entry(bench *b, unsigned c, unsigned k) {
  const uint64_t w[8] = {0, RINGS / 2 + 4096ull * c, BYTES, 0, BUFFER, KEY};
  for (unsigned i = 0; i < 8; i++) mem_write64(b->m, RINGS + (uint64_t)c * RING_BYTES + 64ull * k + 8 * i, w[i]);
}

// From the bell, when the register has been written, to the first beat of the frame.
static double leaves(bench *b, unsigned c, unsigned loads) {
  const uint64_t was = count(b, NIC_CNT_CTX_LOADED), frames = b->frames_out;
  entry(b, c, 0);
  b->out_from = (unsigned)frames;
  if (CFG_Contexts)
    nb_put(b, NIC_REG_NIC_BELL, 1 | (uint64_t)c << NIC_NIC_BELL_CTX_LSB);
  else
    nb_put(b, NIC_REG_QP_PROD, 1);
  const uint64_t rung = b->cycle;
  for (unsigned i = 0; b->frames_out == frames; i++) {
    if (i == SETTLED) nb_fail(b, "a bell is not heard");
    nb_step(b);
  }
  const double cycles = (double)(b->out_first - rung);
  if (count(b, NIC_CNT_CTX_LOADED) - was != loads) nb_fail(b, "another number of contexts was loaded");
  return cycles;
}

static const char in[] = "WRITE of 64 B, first beat in to first MWr", out[] = "bell to first beat of a WRITE of 64 B";

static void told(const char *what, const char *which, unsigned mem, double value) {
  char name[100];
  snprintf(name, sizeof name, "NIC: context, %s, %s, memory %u", what, which, mem);
  nb_row(name, value, "cycles", 0, "", 0);
}

static void one(bench *b) {
  for (unsigned m = 0; m < 4; m++) {
    const unsigned mem = memory[m];
    b->latency = mem;
    anew(b, PLACES + 1);
    const double vacant = arrives(b, 0, 0, 1), hit = arrives(b, 0, 1, 0);
    for (unsigned c = 1; c < PLACES; c++) (void)arrives(b, c, 0, 1);
    const double taken = arrives(b, PLACES, 0, 1);
    told(in, "in a place", mem, hit);
    told(in, "into a free place", mem, vacant);
    told(in, "into one that is saved first", mem, taken);
    anew(b, PLACES + 1);
    const double empty = leaves(b, 0, 1);
    anew(b, PLACES + 1);
    (void)arrives(b, 0, 0, 1);
    const double here = leaves(b, 0, 0);
    anew(b, PLACES + 1);
    for (unsigned c = 1; c <= PLACES; c++) (void)arrives(b, c, 0, 1);
    const double moved = leaves(b, 0, 1);
    told(out, "in a place", mem, here);
    told(out, "into a free place", mem, empty);
    told(out, "into one that is saved first", mem, moved);
  }
}

// The same of a queue pair in registers, by hardware that has no contexts.
void nb_alone(bench *b) {
  for (unsigned m = 0; m < 4; m++) {
    const uint64_t ctl = 0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB;
    b->latency = memory[m];
    nb_put(b, NIC_REG_QP_CTL, 0);
    rest(b);
    nb_put(b, NIC_REG_QP_PSN, 0);
    nb_put(b, NIC_REG_QP_RING, RINGS);
    nb_put(b, NIC_REG_QP_CTL, ctl | NIC_QP_CTL_EN_MASK);
    rest(b);
    told(in, "in registers", memory[m], arrives(b, 0, 0, 0));
    told(out, "in registers", memory[m], leaves(b, 0, 0));
  }
}

// ---- streams
static void pass(bench *b, turns *t) {
  if (t->done++ == t->total / 4) t->begun = b->cycle;
  if (t->done == t->total * 3 / 4) t->over = b->cycle;
}

static void row_of(bench *b, const turns *t, const char *what, unsigned mem, uint64_t loads) {
  char name[100];
  const double limit = (double)BYTES / BEAT / nb_beats_of(NIC_ETH_BYTES + NIC_BASE_BYTES + 16 + BYTES + 4);
  const double messages = (t->total * 3 / 4 - t->total / 4 - 1) / (double)(t->over - t->begun);
  if (t->pairs <= PLACES && loads > t->pairs) nb_fail(b, "contexts that have places are loaded again");
  snprintf(name, sizeof name, "NIC: contexts, %s, %u QPs in %u places, memory %u: payload", what, t->pairs, PLACES,
           mem);
  nb_row(name, messages * BYTES / BEAT, "beats/cycle", limit, "", 0);
  snprintf(name, sizeof name, "NIC: contexts, %s, %u QPs in %u places, memory %u: loads", what, t->pairs, PLACES, mem);
  nb_row(name, (double)loads / t->total, "a message", t->pairs <= PLACES ? 0 : 1, "", 0);
}

// An ACK of each write of the peer.
static void on_ack(bench *b) {
  turns *t = b->peer_of;
  if (b->out_head[NIC_ETH_BYTES + 28] == NIC_OP_ACK) pass(b, t);
}

static void writes_in(bench *b, unsigned pairs, unsigned mem) {
  static turns t;
  t = (turns){.pairs = pairs, .total = pairs > 512 ? pairs : pairs > PLACES ? 512 : 1024};
  b->latency = mem;
  anew(b, pairs);
  const uint64_t loaded = count(b, NIC_CNT_CTX_LOADED), done = count(b, NIC_CNT_FR_DONE);
  nb_begin(b);
  b->hold = false;
  b->on_frame = on_ack;
  b->peer_of = &t;
  unsigned sent = 0;
  for (uint64_t stop = b->cycle + 4000000; t.done < t.total; nb_step(b)) {
    while (sent < t.total && b->ins - b->at < AHEAD) {
      write_frame(b, sent % pairs, t.psn[sent % pairs]++);
      sent++;
    }
    if (b->cycle > stop) nb_fail(b, "writes to contexts do not end");
  }
  b->on_frame = NULL;
  nb_run(b);
  if (count(b, NIC_CNT_FR_DONE) - done != t.total) nb_fail(b, "not every write to a context was done");
  row_of(b, &t, "responder, WRITE, 64 B", mem, count(b, NIC_CNT_CTX_LOADED) - loaded);
}

// The peer acknowledges at once.
static void on_request(bench *b) {
  turns *t = b->peer_of;
  const uint8_t *bth = b->out_head + NIC_ETH_BYTES + 28;
  const unsigned c = (bth[6] << 8 | bth[7]) - 0x200u;  // queue pair numbers at the peer are 0x200 + c
  const uint32_t psn = (uint32_t)bth[9] << 16 | (uint32_t)bth[10] << 8 | bth[11];
  if (bth[0] != NIC_OP_WRITE_ONLY || c >= t->pairs || psn != t->psn[c]) return;
  nic_head h = b->h;
  h.opcode = NIC_OP_ACK;
  h.qp = b->h.qp + c;
  h.syndrome = AETH_ACK;
  h.msn = ++t->psn[c];
  b->h.psn = psn;
  nb_frame(b, h, NULL);
  t->ended[c]++;
  pass(b, t);
}

static void writes_out(bench *b, unsigned pairs, unsigned mem) {
  static turns t;
  const unsigned bells = 2048 / pairs / AT_ONCE, each = (bells ? bells : 1) * AT_ONCE;
  t = (turns){.pairs = pairs, .total = each * pairs};
  b->latency = mem;
  anew(b, pairs);
  for (unsigned c = 0; c < pairs; c++)
    for (unsigned k = 0; k < 1u << SEND_SIZE && k < each; k++) entry(b, c, k);
  const uint64_t loaded = count(b, NIC_CNT_CTX_LOADED);
  nb_begin(b);
  b->hold = false;
  b->on_frame = on_request;
  b->peer_of = &t;
  for (uint64_t stop = b->cycle + 4000000; t.done < t.total; nb_step(b)) {
    for (unsigned c = 0; c < pairs; c++) {
      if (t.ended[c] + AT_ONCE / 2 < t.rung[c] || t.rung[c] == each) continue;
      t.rung[c] += AT_ONCE;
      nb_put(b, NIC_REG_NIC_BELL, (t.rung[c] & 0xffff) | (uint64_t)c << NIC_NIC_BELL_CTX_LSB);
    }
    if (b->cycle > stop) nb_fail(b, "requests of contexts do not end");
  }
  nb_run(b);
  b->on_frame = NULL;
  row_of(b, &t, "initiator, WRITE, 64 B", mem, count(b, NIC_CNT_CTX_LOADED) - loaded);
}

void nb_contexts(bench *b) {
  nb_put(b, NIC_REG_QP_CTL, 0);
  rest(b);
  nb_put(b, NIC_REG_NIC_QPN, NUMBER >> 8);
  nb_put(b, NIC_REG_NIC_CTX, TABLE | NIC_NIC_CTX_EN_MASK);
  if (nb_get(b, NIC_REG_NIC_CTX) != (TABLE | NIC_NIC_CTX_EN_MASK)) nb_fail(b, "contexts are not on");
  b->h.qp = NUMBER;
  if (MOST == MANY) one(b);
  for (unsigned k = MOST == MANY ? 0 : 4; k < 5; k++)
    for (unsigned m = 0; m < 4; m++) {
      const unsigned pairs = MOST == MANY ? pairs_of[k] : MOST;
      writes_in(b, pairs, memory[m]);
      writes_out(b, pairs, memory[m]);
    }
  if (count(b, NIC_CNT_CTX_BROKEN)) nb_fail(b, "a context was broken");
  b->latency = 1;
}
