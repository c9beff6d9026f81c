// SPDX-License-Identifier: Apache-2.0
// What is around nic_req in its test: a peer written from the specification, over a wire that loses frames both ways;
// memory; and software, which posts entries and looks at how each ends.
#ifndef TOCSIN_NIC_REQ_PEER_H
#define TOCSIN_NIC_REQ_PEER_H

#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_req_tb.h"
#include "tx_ext.h"

#define QPS 4u
#define RING 16u       // entries, 2^4
#define AREA 8192u     // bytes of memory of an entry
#define SRC 0x100000u  // what is sent; from POISON on it cannot be read
#define POISON 0x180000u
#define DST 0x200000u  // where answers go
#define RINGS 0x300000u
#define MEM 0x400000u
#define BEAT (NIC_K_DataW / 8u)
#define MAXQ 4096u
#define M24 0xFFFFFFu
#define H(w, F) bits_get(w, NIC_TX_HEAD_T_##F##_LSB, NIC_TX_HEAD_T_##F##_W)  // of a packet
#define HSET(w, F, v) bits_set(w, NIC_HEAD_T_##F##_LSB, NIC_HEAD_T_##F##_W, v)

enum { Write, WriteImm, Read, Add, Swap, Xtq };
enum { Done, BadEntry, LocalRead, Timeout, Rnr, RemInvalid, RemAccess, RemOperation, RemOther };

typedef struct frame {
  uint32_t head[ANS_HEAD_I_WORDS];  // a packet's, or an answer's
  unsigned qp;                      // of a packet
  uint8_t data[4096];
  unsigned len;
} frame;
typedef struct queue {
  frame f[64];
  unsigned in, out;
} queue;
typedef struct entry {
  unsigned op, want, len, asks;
  uint64_t va, rva, value, value2;
  uint64_t before;  // atomics: what the target held
} entry;
typedef struct qp {
  entry e[RING];
  unsigned mtu, prod, cons, seen;  // posted; ended; events or silent ends looked at
  // the peer
  uint32_t epsn;
  bool in_message, nakked, rnr_now;
  unsigned left;
  uint64_t at;
  uint64_t counter, model;  // of atomics; as the entries posted leave it
  struct {
    uint32_t psn;
    uint64_t value;
  } replay[16];
  unsigned replays;
  bool dead, always_rnr;
} qp;

static uint8_t mem[MEM], far_mem[QPS][RING * AREA];
static qp q[QPS];
static queue wire, back;  // frames to the peer, answers from it
static frame now;         // being sent
static bool now_head, now_pay;
static struct {
  uint64_t va;
  unsigned len, ready;
} rd[64];
static unsigned rd_in, rd_out, rd_at;
static struct {
  uint64_t va;
  unsigned len, at;
  bool busy;
} wr;
static uint32_t cfg_words[QPS][CFG_I_WORDS];
static unsigned loss, rnr_percent, places, events, frames, timers, lost_tx, answered[16], ended[16], want_timer_gone,
    quiet, given_up[16], waited, lost_tm;
static unsigned busy_tx = 100, slow_rd = 20;
static bool mute;  // the peer says nothing
static struct {
  uint64_t va;
  unsigned len;
} torn;  // where memory fails for now

// Rates: a slow queue pair is held back for some cycles after each packet.
static struct {
  bool slow, soon, held;
  unsigned cycles;  // for how long; 0: not at all
  uint64_t from, until;
} rate[QPS];
static bool no_jobs, no_events;  // memory takes none; nic_event does not
static unsigned sents, held_packets;

static bool leaving[QPS];  // turned off, and that is not yet done

static unsigned mtu_of(const qp *p) { return 128u << p->mtu; }

static void push(queue *u, const frame *f) {
  if (u->in - u->out < 64) u->f[u->in++ % 64] = *f;
}

// ---- the peer -------------------------------------------------------------------------------------------------------
static void answer(tb *t, unsigned n, unsigned op, uint32_t psn, unsigned syndrome, uint64_t value, const uint8_t *data,
                   unsigned len) {
  static frame a;
  memset(a.head, 0, sizeof a.head);
  HSET(a.head, OPCODE, op);
  HSET(a.head, PSN, psn & M24);
  HSET(a.head, QP, 0xABCD00u + n);
  HSET(a.head, SYNDROME, syndrome);
  HSET(a.head, SWAP, value);
  HSET(a.head, BYTES, len);
  if (len) memcpy(a.data, data, len);
  a.len = len;
  if (!mute && !rnd_chance(t, loss)) push(&back, &a);
}

static void read_back(tb *t, unsigned n, const frame *f) {
  qp *p = &q[n];
  unsigned len = tx_length(f->head), mtu = mtu_of(p), k = len ? (len + mtu - 1) / mtu : 1;
  for (unsigned i = 0; i < k; i++) {
    unsigned op = k == 1 ? 0x10 : i == 0 ? 0x0D : i == k - 1 ? 0x0F : 0x0E, part = i == k - 1 ? len - i * mtu : mtu;
    answer(t, n, op, (uint32_t)H(f->head, PSN) + i, 0x1F, 0, far_mem[n] + tx_va(f->head) + i * mtu, part);
  }
}

static void peer(tb *t, const frame *f) {
  unsigned n = f->qp, op = (unsigned)H(f->head, OPCODE), low = op & 0x1F, len = tx_length(f->head);
  uint32_t psn = (uint32_t)H(f->head, PSN), rkey = tx_rkey(f->head);
  CHECK(t, n < QPS, "frame for QP %u", n);
  if (n >= QPS) return;
  qp *p = &q[n];
  unsigned mtu = mtu_of(p), span = low == 0x0C ? (len ? (len + mtu - 1) / mtu : 1) : 1;
  uint32_t d = (psn - p->epsn) & M24;
  if (p->dead) return;
  if (d && d < 0x800000) {
    if (!p->nakked) answer(t, n, 0x11, p->epsn, 0x60, 0, NULL, 0);
    p->nakked = true;
    return;
  }
  if (d) {
    if (low == 0x0C) {
      if (((psn + span - p->epsn) & M24) > 0x800000 || psn + span == p->epsn || ((psn + span - p->epsn) & M24) == 0)
        read_back(t, n, f);
    } else if (low >= 0x13) {
      for (unsigned i = 0; i < 16; i++)
        if (i < p->replays && p->replay[i].psn == psn) answer(t, n, 0x12, psn, 0x1F, p->replay[i].value, NULL, 0);
    } else {
      answer(t, n, 0x11, p->epsn - 1, 0x1F, 0, NULL, 0);
    }
    return;
  }
  bool first = low == 6 || low == 0xA || low == 0xB, last = low == 8 || low == 9 || low == 0xA || low == 0xB,
       starts = first || low >= 0xC;
  CHECK(t, starts != p->in_message, "QP %u PSN %x: opcode %02x %s a message", n, psn, op,
        p->in_message ? "in" : "outside");
  if ((rkey >> 8 == 0xEEEEEE) && starts) {
    answer(t, n, 0x11, psn, 0x60 | (rkey & 7), 0, NULL, 0);
    return;
  }
  if (p->always_rnr || (!p->rnr_now && rnd_chance(t, rnr_percent))) {
    p->rnr_now = !p->always_rnr;
    answer(t, n, 0x11, psn, 0x20 | (1 + (unsigned)rnd_below(t, 3)), 0, NULL, 0);
    p->nakked = true;
    return;
  }
  p->rnr_now = false;
  p->nakked = false;
  p->epsn = (psn + span) & M24;
  if (low == 0x0C) {
    CHECK(t, H(f->head, ACK_REQ) && f->len == 0, "read request");
    read_back(t, n, f);
  } else if (low >= 0x13) {
    uint64_t old = p->counter;
    CHECK(t, H(f->head, ACK_REQ) && tx_va(f->head) == 0x1000 && f->len == 0, "atomic request");
    p->counter = low == 0x14 ? old + tx_swap(f->head) : old == tx_compare(f->head) ? tx_swap(f->head) : old;
    p->replay[p->replays++ % 16].psn = psn;
    p->replay[(p->replays - 1) % 16].value = old;
    answer(t, n, 0x12, psn, 0x1F, old, NULL, 0);
  } else {
    if (first) {
      p->left = len;
      p->at = tx_va(f->head);
    }
    CHECK(t, last ? f->len == p->left && f->len <= mtu : f->len == mtu && f->len < p->left,
          "QP %u PSN %x: %u bytes of %u", n, psn, f->len, p->left);
    CHECK_EQ(t, H(f->head, ACK_REQ), last || (psn & 15) == 15, "ACK asked for");
    if (f->len <= p->left && p->at + f->len <= RING * AREA) memcpy(far_mem[n] + p->at, f->data, f->len);
    p->at += f->len;
    p->left -= f->len;
    p->in_message = !last;
    if (H(f->head, ACK_REQ)) answer(t, n, 0x11, psn, 0x1F, 0, NULL, 0);
  }
}

// ---- software -------------------------------------------------------------------------------------------------------
static void put(uint8_t *at, unsigned bytes, uint64_t v) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(v >> 8 * i);
}

static unsigned slots(const qp *p) { return RING - (p->prod - p->cons); }

static void post(tb *t, dut *d, unsigned n, unsigned op, unsigned len, unsigned want) {
  qp *p = &q[n];
  unsigned s = p->prod % RING;
  uint8_t *r = mem + RINGS + (n * RING + s) * 64u;
  entry *e = &p->e[s];
  unsigned len1 = op == Write || op == WriteImm ? (unsigned)rnd_below(t, len + 1)
                  : op == Xtq                   ? 64 + 16 * (unsigned)rnd_below(t, 3)
                                                : len;
  if (op == Xtq && len1 > len) len = len1;
  bool atomic = op == Add || op == Swap;
  e->op = op;
  e->want = want;
  e->len = atomic ? 8 : len;
  e->asks = rnd_chance(t, 60);
  e->rva = atomic ? 0x1000 : s * AREA + (op == Read ? rnd_below(t, 2000) : rnd_below(t, 64));
  e->va =
      op == Read || atomic ? DST + (n * RING + s) * AREA + rnd_below(t, 64) : SRC + rnd_below(t, POISON - SRC - AREA);
  e->value = rnd_below(t, 1000);
  e->value2 = rnd_chance(t, 50) ? p->model : rnd(t);
  if (want == LocalRead && op != Read) e->va = POISON + 64;
  memset(r, 0, 64);
  r[0] = (uint8_t)(want == BadEntry ? 8 + rnd_below(t, 248) : op);
  r[1] = (uint8_t)(e->asks | 2 * rnd_below(t, 2));
  put(r + 4, 4, rnd_bits(t, 32));
  put(r + 8, 8, e->va);
  put(r + 16, 4, atomic ? rnd_bits(t, 32) : len1);
  put(r + 24, 8, e->va + len1);  // the second buffer goes on where the first ends: one run of bytes
  if (!atomic && op != Read) put(r + 20, 4, len - len1);
  put(r + 32, 8, e->rva);
  put(r + 40, 4, want >= RemInvalid ? 0xEEEEEE00u + want - RemInvalid + 1 : 1);
  put(r + 48, 8, e->value);
  put(r + 56, 8, e->value2);
  if (want == Done && atomic) {
    e->before = p->model;
    p->model = op == Add ? p->model + e->value : p->model == e->value2 ? e->value : p->model;
  }
  if (want == BadEntry) e->len = (unsigned)-1;
  p->prod++;
  dut_set_bell_valid_i(d, 1);
  dut_set_bell_qp_i(d, n);
  dut_set_bell_prod_i(d, p->prod & 0xFFFF);
}

// An entry has ended: is what it did there?
static void ended_check(tb *t, unsigned n) {
  qp *p = &q[n];
  entry *e = &p->e[p->cons % RING];
  if (e->want == Done) {
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++) v |= (uint64_t)mem[(e->va + i) % MEM] << 8 * i;
    if (e->op == Add || e->op == Swap)
      CHECK_EQ(t, v, e->before, "QP %u entry %u: value of the atomic", n, p->cons);
    else if (e->op == Read)
      CHECK_MEM(t, mem + e->va, far_mem[n] + e->rva, e->len, "QP %u entry %u: read", n, p->cons);
    else
      CHECK_MEM(t, far_mem[n] + e->rva, mem + e->va, e->len, "QP %u entry %u: written", n, p->cons);
  }
  ended[e->want]++;
  p->cons++;
}

static void event(tb *t, const uint32_t *ev) {
  unsigned name = (unsigned)bits_get(ev, NIC_EVENT_T_QP_LSB, NIC_EVENT_T_QP_W), n = name & 3;
  unsigned kind = (unsigned)bits_get(ev, NIC_EVENT_T_KIND_LSB, 8);
  CHECK_EQ(t, name >> 2, 0x50, "name of the queue pair");
  CHECK(t, places > 0 && bits_get(ev, NIC_EVENT_T_KEPT_LSB, 1), "an event without a place");
  CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_PROC_LSB, 4), n & 1, "process");
  places--;
  events++;
  CHECK_EQ(t, kind, NIC_K_EvSend, "kind of the event");
  qp *p = &q[n % QPS];
  unsigned word = (unsigned)bits_get(ev, NIC_EVENT_T_WORD_LSB, 32),
           status = (unsigned)bits_get(ev, NIC_EVENT_T_STATUS_LSB, 8);
  while (p->seen != p->prod && (p->seen & 0xFFFF) != word) {
    entry *e = &p->e[p->seen++ % RING];
    CHECK(t, !e->asks && e->want == Done, "QP %u: entry %u has ended without its event", n, p->seen - 1);
  }
  CHECK(t, p->seen != p->prod, "QP %u: an event of entry %u, twice or out of order", n, word);
  entry *e = &p->e[p->seen++ % RING];
  CHECK_EQ(t, status, e->want, "QP %u entry %u: status", n, word);
  CHECK(t, e->asks || e->want != Done, "QP %u entry %u does not ask for an event", n, word);
  if (e->len != (unsigned)-1)
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_LEN_LSB, 32), e->len, "QP %u entry %u: length", n, word);
}

#endif
