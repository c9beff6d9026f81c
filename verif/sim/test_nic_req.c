// SPDX-License-Identifier: Apache-2.0
// nic_req: four queue pairs against a peer written from the specification (responder), a wire that loses frames both
// ways, a memory that answers late, and bytes that cannot be read. Each entry must end once, in order, with the status
// that it must have; what it wrote or read must be there when it ends; every place in the event ring is used or given
// back.
// Rules of rtl/nic/README.md: REQ-2, REQ-3, REQ-4, REQ-5, REQ-6, REQ-7, REQ-13, REQ-14, REQ-15, REQ-16, REQ-17, REQ-18,
// REQ-19, REQ-20, ECN-8, ECN-9.
// config: default -GNumQps=4 -GRequests=8 -GWindow=64
// config: small -GNumQps=4 -GRequests=2 -GWindow=16 -GAhead=4 +define+TOCSIN_DATA_W=128
// config: wide -GNumQps=4 -GRequests=4 -GWindow=16 -GAhead=16 +define+TOCSIN_DATA_W=512
// no netlist: 25 s, most of it in Yosys; `make sim BLOCK=nic_req CONFIG=small NETLIST=1` before a release
#include <stdlib.h>
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_req_tb.h"

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
#define H(w, F) bits_get(w, NIC_HEAD_T_##F##_LSB, NIC_HEAD_T_##F##_W)
#define HSET(w, F, v) bits_set(w, NIC_HEAD_T_##F##_LSB, NIC_HEAD_T_##F##_W, v)

enum { Write, WriteImm, Read, Add, Swap, Xtq };
enum { Done, BadEntry, LocalRead, Timeout, Rnr, RemInvalid, RemAccess, RemOperation, RemOther };

typedef struct frame {
  uint32_t head[HEAD_O_WORDS];
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
  bool slow, held;
  unsigned cycles;  // for how long; 0: not at all
  uint64_t until;
} rate[QPS];
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
  unsigned len = (unsigned)H(f->head, LENGTH), mtu = mtu_of(p), k = len ? (len + mtu - 1) / mtu : 1;
  for (unsigned i = 0; i < k; i++) {
    unsigned op = k == 1 ? 0x10 : i == 0 ? 0x0D : i == k - 1 ? 0x0F : 0x0E, part = i == k - 1 ? len - i * mtu : mtu;
    answer(t, n, op, (uint32_t)H(f->head, PSN) + i, 0x1F, 0, far_mem[n] + H(f->head, VA) + i * mtu, part);
  }
}

static void peer(tb *t, const frame *f) {
  unsigned n = (unsigned)H(f->head, QP) & 0xFF, op = (unsigned)H(f->head, OPCODE), low = op & 0x1F,
           len = (unsigned)H(f->head, LENGTH);
  uint32_t psn = (uint32_t)H(f->head, PSN), rkey = (uint32_t)H(f->head, RKEY);
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
    CHECK(t, H(f->head, ACK_REQ) && H(f->head, VA) == 0x1000 && f->len == 0, "atomic request");
    p->counter = low == 0x14 ? old + H(f->head, SWAP) : old == H(f->head, COMPARE) ? H(f->head, SWAP) : old;
    p->replay[p->replays++ % 16].psn = psn;
    p->replay[(p->replays - 1) % 16].value = old;
    answer(t, n, 0x12, psn, 0x1F, old, NULL, 0);
  } else {
    if (first) {
      p->left = len;
      p->at = H(f->head, VA);
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
  if (e->want != BadEntry)
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_LEN_LSB, 32), e->len, "QP %u entry %u: length", n, word);
}

// ---- one cycle ------------------------------------------------------------------------------------------------------
static void configure(dut *d) {
  uint32_t w[CFG_I_WORDS] = {0};
  unsigned i = (unsigned)dut_get_cfg_idx_o(d);
  words_copy(w, 0, cfg_words[i & 3], 0, NIC_QP_CFG_T_W);
  words_copy(w, NIC_QP_CFG_T_W, cfg_words[i >> 8 & 3], 0, NIC_QP_CFG_T_W);
  dut_set_cfg_i(d, w);
  dut_eval(d);
}

static bool no_entries;  // memory fails where the rings are

static void beat(uint32_t *w, const uint8_t *data, unsigned len, unsigned at, bool err) {
  unsigned n = len - at < BEAT ? len - at : BEAT;
  memset(w, 0, sizeof(uint32_t) * RD_BEAT_I_WORDS);
  for (unsigned i = 0; i < n; i++) bits_set(w, 8 * i, 8, data[at + i]);
  bits_set(w, NIC_BYTES_T_BYTES_LSB, 7, n);
  bits_set(w, NIC_BYTES_T_LAST_LSB, 1, at + n == len);
  bits_set(w, NIC_BYTES_T_ERR_LSB, 1, err);
}

static void rates_in(dut *d) {
  unsigned slow = 0, held = 0, wake = 0;
  for (unsigned n = 0; n < QPS; n++) {
    // rate_wake_i comes in the first cycle in which held_i is over.
    if (rate[n].held && dut_cycle(d) >= rate[n].until) wake |= 1u << n, rate[n].held = false;
    slow |= (unsigned)rate[n].slow << n;
    held |= (unsigned)rate[n].held << n;
  }
  dut_set_slow_i(d, slow);
  dut_set_held_i(d, held);
  dut_set_rate_wake_i(d, wake);
}

static void rates_out(tb *t, dut *d) {
  if (!dut_get_sent_valid_o(d)) return;
  unsigned n = (unsigned)dut_get_sent_qp_o(d), bytes = (unsigned)dut_get_sent_bytes_o(d);
  CHECK(t, n < QPS && !(dut_get_held_i(d) >> n & 1), "P6: a packet of QP %u, which is held back", n);
  CHECK(t, bytes <= mtu_of(&q[n % QPS]), "P6: %u bytes", bytes);
  sents++;
  if (n >= QPS || !rate[n].slow || !rate[n].cycles) return;
  rate[n].held = true;
  rate[n].until = dut_cycle(d) + rate[n].cycles;
  held_packets++;
}

static bool reads_in(tb *t, dut *d) {
  uint32_t b[RD_BEAT_I_WORDS];
  bool valid = rd_in != rd_out && rd[rd_out % 64].ready <= dut_cycle(d);
  if (valid) {
    unsigned i = rd_out % 64;
    beat(b, mem + rd[i].va % MEM, rd[i].len, rd_at,
         (rd[i].va >= POISON && rd[i].va < DST) || (no_entries && rd[i].va >= RINGS) || rd[i].va - torn.va < torn.len);
  } else {
    rnd_words(t, b, NIC_BYTES_T_W);
  }
  dut_set_rd_beat_i(d, b);
  dut_set_rd_valid_i(d, valid);
  dut_set_rd_job_ready_i(d, rd_in - rd_out < 60 && rnd_chance(t, 90));
  return valid;
}

static void reads(tb *t, dut *d, bool rd_valid) {
  uint32_t b[RD_JOB_O_WORDS];
  if (dut_get_rd_job_valid_o(d) && dut_get_rd_job_ready_i(d)) {
    dut_get_rd_job_o(d, b);
    unsigned i = rd_in++ % 64;
    rd[i].va = bits_get(b, NIC_DMA_T_VA_LSB, 64);
    rd[i].len = (unsigned)bits_get(b, NIC_DMA_T_LEN_LSB, 13);
    rd[i].ready = (unsigned)dut_cycle(d) + 3 + (unsigned)rnd_below(t, slow_rd);
    CHECK(t, rd[i].len > 0 && rd[i].len <= 4096 && rd[i].va + rd[i].len <= MEM, "read of %u at %x", rd[i].len,
          (unsigned)rd[i].va);
  }
  if (rd_valid && dut_get_rd_ready_o(d)) {
    rd_at += BEAT;
    if (rd_at >= rd[rd_out % 64].len) {
      rd_at = 0;
      rd_out++;
    }
  }
}

static void writes(tb *t, dut *d) {
  uint32_t b[WR_PAY_O_WORDS], job[WR_JOB_O_WORDS];
  if (wr.busy && dut_get_wr_pay_valid_o(d) && dut_get_wr_pay_ready_i(d)) {
    dut_get_wr_pay_o(d, b);
    unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, 7);
    for (unsigned i = 0; i < n; i++) mem[(wr.va + wr.at + i) % MEM] = (uint8_t)bits_get(b, 8 * i, 8);
    wr.at += n;
    if (bits_get(b, NIC_BYTES_T_LAST_LSB, 1)) {
      CHECK_EQ(t, wr.at, wr.len, "bytes of a write job");
      wr.busy = false;
    }
  }
  if (dut_get_wr_job_valid_o(d) && dut_get_wr_job_ready_i(d)) {
    dut_get_wr_job_o(d, job);
    wr.va = bits_get(job, NIC_DMA_T_VA_LSB, 64);
    wr.len = (unsigned)bits_get(job, NIC_DMA_T_LEN_LSB, 13);
    wr.at = 0;
    wr.busy = true;
    CHECK(t, wr.va >= DST && wr.va + wr.len <= RINGS, "write job at %x", (unsigned)wr.va);
  }
}

static void frames_out(tb *t, dut *d, bool head_ready, bool pay_ready) {
  uint32_t b[PAY_O_WORDS];
  if (dut_get_head_valid_o(d) && head_ready) {
    if (dut_get_head_lost_o(d)) {
      lost_tx++;
    } else {
      dut_get_head_o(d, now.head);
      now.len = 0;
      now_head = true;
    }
  } else if (now_head && dut_get_pay_valid_o(d) && pay_ready) {
    dut_get_pay_o(d, b);
    unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, 7);
    for (unsigned i = 0; i < n && now.len < 4096; i++) now.data[now.len++] = (uint8_t)bits_get(b, 8 * i, 8);
    if (bits_get(b, NIC_BYTES_T_LAST_LSB, 1)) {
      CHECK_EQ(t, now.len, H(now.head, BYTES), "bytes of a frame");
      if (!rnd_chance(t, loss)) push(&wire, &now);
      now_head = false;
      frames++;
    }
  }
}

static void records(tb *t, dut *d) {
  if (dut_get_ret_frame_valid_o(d)) {
    uint32_t r[RET_FRAME_O_WORDS];
    dut_get_ret_frame_o(d, r);
    answered[bits_get(r, NIC_RETIRE_T_CODE_LSB, 4)]++;
  }
  if (dut_get_ret_timer_valid_o(d)) {
    uint32_t r[RET_TIMER_O_WORDS];
    dut_get_ret_timer_o(d, r);
    unsigned status = (unsigned)bits_get(r, NIC_RETIRE_T_CODE_LSB, 4),
             end = (unsigned)bits_get(r, NIC_RETIRE_T_FLAG_LSB, 1);
    unsigned n = (unsigned)bits_get(r, NIC_RETIRE_T_IDX_LSB, 8);
    quiet += status == NIC_K_TmQuiet;
    CHECK(t, status == NIC_K_TmQuiet || status == NIC_K_TmLost || !leaving[n], "QP %u gives up (%u) after it went off",
          n, status);
    if (status == NIC_K_TmQuiet) leaving[n] = false;
    timers += status == NIC_K_TmNoProgress;
    waited += status == NIC_K_TmRnr;
    lost_tm += status == NIC_K_TmLost;
    want_timer_gone += end && !status;
    given_up[status] += end;
  }
  if (dut_get_event_valid_o(d) && dut_get_event_ready_i(d)) {
    uint32_t ev[EVENT_O_WORDS];
    dut_get_event_o(d, ev);
    event(t, ev);
  }
}

// What is not valid is anything: pulses, and the words beside them.
static void noise(tb *t, dut *d) {
  uint32_t go[START_GO_I_WORDS];
  rnd_words(t, go, NIC_QP_GO_T_W);
  dut_set_bell_valid_i(d, 0);
  dut_set_bell_qp_i(d, rnd_below(t, QPS));
  dut_set_bell_prod_i(d, rnd_bits(t, 16));
  dut_set_start_valid_i(d, 0);
  dut_set_start_qp_i(d, rnd_below(t, QPS));
  dut_set_start_spsn_i(d, rnd_bits(t, 24));
  dut_set_start_go_i(d, go);
  dut_set_stop_valid_i(d, 0);
  dut_set_stop_qp_i(d, rnd_below(t, QPS));
}

static bool ans_head_gone, ans_said;  // of the answer at hand: its head has been taken, its RetFrame has come

static void cycle(tb *t, dut *d) {
  static unsigned ans_at;
  uint32_t b[ANS_PAY_I_WORDS];
  bool ans = back.in != back.out, ans_head = ans, ans_pay = ans;
  bool rd_valid = reads_in(t, d);
  if (ans) {
    dut_set_ans_head_i(d, back.f[back.out % 64].head);
    if (ans_at != ~0u) {
      beat(b, back.f[back.out % 64].data, back.f[back.out % 64].len, ans_at, false);
      dut_set_ans_pay_i(d, b);
    }
  }
  ans_head = ans && !ans_head_gone;
  ans_pay = ans && ans_at != ~0u;
  dut_set_ans_head_valid_i(d, ans_head);
  dut_set_ans_pay_valid_i(d, ans_pay);
  bool head_ready = !now_head && rnd_chance(t, busy_tx), pay_ready = now_head && !now_pay && rnd_chance(t, busy_tx);
  dut_set_head_ready_i(d, head_ready);
  dut_set_pay_ready_i(d, pay_ready);
  dut_set_wr_job_ready_i(d, !wr.busy && rnd_chance(t, 80));
  dut_set_wr_pay_ready_i(d, wr.busy && rnd_chance(t, 80));
  dut_set_place_ok_i(d, places < 40 && rnd_chance(t, 90));
  dut_set_event_ready_i(d, rnd_chance(t, 70));
  rates_in(d);
  dut_eval(d);
  configure(d);
  rates_out(t, d);
  if (dut_get_place_valid_o(d) && dut_get_place_ok_i(d)) places++;
  reads(t, d, rd_valid);
  writes(t, d);
  frames_out(t, d, head_ready, pay_ready);
  bool gone_before = ans_head_gone, was_said = ans_said;
  if (dut_get_ret_frame_valid_o(d)) {
    CHECK(t, ans && !ans_said, "a RetFrame of no answer");
    ans_said = true;
  }
  if (gone_before) CHECK_EQ(t, dut_get_idle_o(d), was_said, "idle, between an ACK's head and its item");
  if (ans_head && dut_get_ans_head_ready_o(d)) ans_head_gone = true;
  if (ans_pay && dut_get_ans_pay_ready_o(d)) {
    ans_at += BEAT;
    if (ans_at >= back.f[back.out % 64].len) ans_at = ~0u;
    // The next frame's record may come with the last beat of an item, so an ACK's comes before.
    if (H(back.f[back.out % 64].head, OPCODE) % 32 == 0x11) CHECK(t, was_said, "an ACK's item before its record");
  }
  if (dut_get_back_valid_o(d)) {
    CHECK(t, places > 0, "a place given back that was not taken");
    places--;
  }
  if (ans_head_gone && ans_at == ~0u) {
    CHECK(t, ans_said, "an answer without a RetFrame");
    back.out++;
    ans_head_gone = ans_said = false;
    ans_at = 0;
  }
  records(t, d);
  unsigned n = (unsigned)dut_get_rb_qp_i(d);
  while (q[n].cons != q[n].prod && (q[n].cons & 0xFFFF) != dut_get_rb_cons_o(d)) ended_check(t, n);
  bool stopped = dut_get_rb_err_o(d);
  unsigned code = (unsigned)dut_get_rb_code_o(d);
  dut_tick(d);
  noise(t, d);
  // Software goes on only after a round trip: a second NAK of a PSN (the request went out twice) would
  // end the next request.
  static unsigned stopped_for[QPS];
  stopped_for[n] = stopped ? stopped_for[n] + QPS : 0;
  bool resumes = stopped && code != Timeout && stopped_for[n] > 3000;
  dut_set_resume_valid_i(d, resumes);
  dut_set_resume_qp_i(d, resumes ? n : (unsigned)rnd_below(t, QPS));
  dut_set_rb_qp_i(d, (n + 1) % QPS);
  if (wire.in != wire.out && rnd_chance(t, 50)) peer(t, &wire.f[wire.out++ % 64]);
}

// From where the next QP that is turned on goes on.
static struct { unsigned entry, err, code; } begin;

static void turn_on(tb *t, dut *d, unsigned n, uint32_t psn, unsigned retry, unsigned rnr_retry, unsigned timeout) {
  qp *p = &q[n];
  memset(p, 0, sizeof *p);
  p->mtu = 1 + (unsigned)rnd_below(t, 3);
  p->epsn = psn;
  p->prod = p->cons = p->seen = begin.entry;
  memset(cfg_words[n], 0, sizeof cfg_words[n]);
#define CSET(F, v) bits_set(cfg_words[n], NIC_QP_CFG_T_##F##_LSB, NIC_QP_CFG_T_##F##_W, v)
  CSET(EN, 1);
  CSET(PROC, n & 1);
  CSET(MTU, p->mtu);
  CSET(RETRY, retry);
  CSET(RNR_RETRY, rnr_retry);
  CSET(TIMEOUT, timeout);
  CSET(QP, 0x123400u + n);
  CSET(RING, RINGS + n * RING * 64u);
  CSET(RING_SIZE, 4);
  CSET(NAME, 0x50u << 2 | n);
  dut_set_start_valid_i(d, 1);
  dut_set_start_qp_i(d, n);
  dut_set_start_spsn_i(d, psn);
  uint32_t go[START_GO_I_WORDS] = {0};
#define GO(F, v) bits_set(go, NIC_QP_GO_T_##F##_LSB, NIC_QP_GO_T_##F##_W, v)
  GO(CONS, begin.entry), GO(SEND_ERR, begin.err), GO(CODE, begin.code);
  dut_set_start_go_i(d, go);
  cycle(t, d);
}

static bool idle(void) {
  for (unsigned n = 0; n < QPS; n++)
    if (q[n].cons != q[n].prod) return false;
  return true;
}

static void drain(tb *t, dut *d, unsigned cycles) {
  while (cycles-- && !idle()) cycle(t, d);
  for (unsigned n = 0; n < QPS; n++) CHECK_EQ(t, q[n].cons, q[n].prod, "QP %u: entries that have ended", n);
  for (unsigned i = 0; i < 200; i++) cycle(t, d);
}

// Off. What the registers say of it then.
static void turn_off(tb *t, dut *d, unsigned n) {
  bits_set(cfg_words[n], NIC_QP_CFG_T_EN_LSB, NIC_QP_CFG_T_EN_W, 0);
  dut_set_stop_valid_i(d, 1);
  dut_set_stop_qp_i(d, n);
  cycle(t, d);
  leaving[n] = true;
}

static void shows(tb *t, dut *d, unsigned n, unsigned cons, uint32_t una, unsigned code, const char *when) {
  dut_set_rb_qp_i(d, n);
  dut_eval(d);
  CHECK_EQ(t, dut_get_rb_cons_o(d), cons, "CONS %s", when);
  CHECK_EQ(t, dut_get_rb_una_o(d), una, "UNA %s", when);
  CHECK_EQ(t, dut_get_rb_err_o(d), code != 0, "SEND_ERR %s", when);
  CHECK_EQ(t, dut_get_rb_code_o(d), code, "CODE %s", when);
}

static void off_and_on(tb *t, dut *d) {
  const unsigned n = 2;
  turn_on(t, d, n, 50, 7, 7, 12);
  post(t, d, n, Write, 5, Done);
  post(t, d, n, Write, 5, LocalRead);
  drain(t, d, 20000);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 50; k++, cycle(t, d)) shows(t, d, n, 2, 51, LocalRead, "after it went off");
  turn_on(t, d, n, 0xABCDE, 7, 7, 12);
  shows(t, d, n, 0, 0xABCDE, 0, "as soon as it is on");
  turn_off(t, d, n);
  for (unsigned k = 0; k < 50; k++, cycle(t, d)) shows(t, d, n, 0, 0xABCDE, 0, "on for one cycle");
}

// A dead peer and a slow queue pair: a time-out that comes while it is held back counts for nothing, and each packet
// begins the time anew.
static void slow_time(tb *t, dut *d) {
  const unsigned n = 3;
  for (unsigned kind = 0; kind < 2; kind++) {  // 0: held back for long; 1: slow, and never held back
    turn_on(t, d, n, 7, 7, 7, 8);
    q[n].dead = true;
    rate[n].slow = true;
    rate[n].cycles = kind ? 0 : 3000;
    unsigned before = timers, sent = sents;
    post(t, d, n, Write, 5, Timeout);
    // An entry each 200 cycles of 256, as many as may be under way.
    for (unsigned k = 0; k < (kind ? 200 * P_Requests : 2800); k++) {
      if (kind && k % 200 == 199 && k + 1 < 200 * P_Requests) post(t, d, n, Write, 5, Timeout);
      cycle(t, d);
    }
    CHECK_EQ(t, timers, before, "time-outs of a slow queue pair that is %s", kind ? "sending" : "held back");
    CHECK_EQ(t, sents - sent, kind ? P_Requests : 1, "packets of it");
    rate[n].cycles = 0;
    for (unsigned k = 0; k < 1000 && timers == before; k++) cycle(t, d);
    CHECK(t, timers == before + 1, "and then its time-out comes");
    rate[n].slow = rate[n].held = false;
    turn_off(t, d, n);
    for (unsigned k = 0; k < 400; k++) cycle(t, d);
    q[n].cons = q[n].seen = q[n].prod;
  }
}

// Packets that have been decided on and cannot leave are not under way, on a queue pair that is fresh
// and on one that goes on.
static void blind(tb *t, dut *d) {
  const unsigned n = 2;
  const uint32_t spsn = 0xFFFFFF;
  static const unsigned kinds[] = {Write, Read, Add};
  turn_on(t, d, n, spsn, 7, 7, 20);
  for (unsigned round = 0; round < 6; round++) {
    unsigned op = kinds[round % 3];
    // In the second half behind a bad end, whose PSN is used again.
    if (round >= 3) {
      post(t, d, n, Write, 5, RemAccess);
      drain(t, d, 20000);
      for (unsigned k = 0; k < 5000; k++) cycle(t, d);
    }
    uint32_t psn = q[n].epsn;
    unsigned sent = sents, stale = answered[NIC_K_FrStale], all = 0, mtu = mtu_of(&q[n]);
    for (unsigned i = 0; i < 16; i++) all += answered[i];
    busy_tx = 0;
    post(t, d, n, op, 5, Done);
    for (unsigned k = 0; k < 1000 && sents == sent; k++) cycle(t, d);
    for (unsigned k = 0; k < 500; k++) cycle(t, d);
    CHECK_EQ(t, sents - sent, 1, "packets decided on");
    answer(t, n, 0x11, psn, 0x1F, 0, NULL, 0);
    answer(t, n, 0x11, psn, 0x60, 0, NULL, 0);
    answer(t, n, 0x11, psn, 0x62, 0, NULL, 0);
    answer(t, n, 0x10, psn, 0x1F, 0, far_mem[n], 5 < mtu ? 5 : mtu);
    answer(t, n, 0x12, psn, 0x1F, 0, NULL, 0);
    for (unsigned k = 0; k < 200; k++) cycle(t, d);
    CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 5, "answers to a packet that has not left");
    CHECK(t, q[n].cons + 1 == q[n].prod, "and nothing has ended");
    busy_tx = 100;
    drain(t, d, 20000);
    unsigned now_all = 0;
    for (unsigned i = 0; i < 16; i++) now_all += answered[i];
    CHECK_EQ(t, now_all - all, 6, "answers, the last of which is true");
  }
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// A packet leaves about when an answer to it is decided on: what has left before the RetFrame is under way,
// what has not is not.
static void as_it_leaves(tb *t, dut *d) {
  const unsigned n = 2;
  unsigned before = 0, behind = 0;
  turn_on(t, d, n, 0xFFFFF0, 7, 7, 20);
  for (unsigned wait = 0; wait < 12; wait++) {
    unsigned taken = answered[NIC_K_FrAnswer], stale = answered[NIC_K_FrStale], sent = sents;
    busy_tx = 0;
    post(t, d, n, Write, 0, Done);
    for (unsigned k = 0; k < 1000 && sents == sent; k++) cycle(t, d);
    for (unsigned k = 0; k < 200; k++) cycle(t, d);
    answer(t, n, 0x11, q[n].epsn, 0x1F, 0, NULL, 0);
    for (unsigned k = 0; k < wait; k++) cycle(t, d);
    bool said = answered[NIC_K_FrAnswer] + answered[NIC_K_FrStale] != taken + stale, left = false;
    busy_tx = 100;
    for (unsigned k = 0; k < 100 && !said; k++) {
      bool was = left;
      cycle(t, d);
      left = left || now_head;
      said = answered[NIC_K_FrAnswer] + answered[NIC_K_FrStale] != taken + stale;
      if (said) left = was;
    }
    CHECK(t, said && answered[NIC_K_FrAnswer] - taken == left, "P7: a packet that has %sleft, and its answer",
          left ? "" : "not ");
    before += left;
    behind += !left;
    drain(t, d, 20000);
    CHECK_EQ(t, answered[NIC_K_FrAnswer] - taken, 1, "answers of it that are taken");
    CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 1, "answers of it that are stale");
  }
  CHECK(t, before && behind, "%u packets left before the answer, %u behind it", before, behind);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// What stopped goes on when what was decided on before has left, and not while it cannot.
static void goes_on(tb *t, dut *d) {
  const unsigned n = 2, at_once = P_Requests < 3 ? P_Requests : 3;
  turn_on(t, d, n, 0x123, 7, 7, 20);
  unsigned sent = sents, left = frames;
  slow_rd = 100;
  for (unsigned k = 0; k < 3; k++) {
    post(t, d, n, Write, 5, k ? Done : RemAccess);
    cycle(t, d);
  }
  while (frames == left) cycle(t, d);
  slow_rd = 20;
  busy_tx = 0;
  for (unsigned k = 0; k < 12000; k++) cycle(t, d);  // in which it stops, and software writes 1 to SEND_ERR
  CHECK_EQ(t, q[n].cons, 1, "entries that have ended");
  dut_set_rb_qp_i(d, n);
  dut_eval(d);
  CHECK(t, !dut_get_rb_err_o(d), "it has not been told to go on");
  CHECK_EQ(t, sents - sent, at_once, "packets decided on before the others have left");
  CHECK_EQ(t, frames - left, 1, "packets that have left");
  busy_tx = 100;
  drain(t, d, 20000);
  CHECK(t, frames - left >= 2 + at_once, "%u packets of 3 entries, of which %u go twice", frames - left, at_once - 1);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// While the wire takes nothing and packets of others fill all room, an ACK of as many requests as may be under way is
// decided on, a request a cycle, or two at 128 bits.
static void beside(tb *t, dut *d) {
  const unsigned n = 2, left = frames;
  turn_on(t, d, n, 0x777, 7, 7, 20);
  mute = true;
  for (unsigned k = 0; k < P_Requests; k++, cycle(t, d)) post(t, d, n, Write, 5, Done);
  while (frames - left < P_Requests) cycle(t, d);
  busy_tx = 0;
  turn_on(t, d, 3, 0x1234, 7, 7, 20);
  for (unsigned o = 0; o < QPS; o++)
    for (unsigned k = 0; o != n && k < P_Requests; k++, cycle(t, d)) post(t, d, o, Write, 6000, Done);
  for (unsigned k = 0; k < 3000; k++) cycle(t, d);
  unsigned took = 0, taken = answered[NIC_K_FrAnswer];
  mute = false;
  answer(t, n, 0x11, 0x777 + P_Requests - 1, 0x1F, 0, NULL, 0);
  for (; took < 1000 && answered[NIC_K_FrAnswer] == taken; took++) cycle(t, d);
  CHECK(t, took <= (BEAT == 16 ? 2 : 1) * P_Requests + 8, "P8: an ACK of %u requests took %u cycles", P_Requests, took);
  for (unsigned k = 0; k < 100; k++) cycle(t, d);
  CHECK_EQ(t, q[n].cons, q[n].prod, "entries that have ended");
  busy_tx = 100;
  drain(t, d, 40000);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// Two packets leave and are sent again, and memory fails once: those behind vanish without having left, and are sent
// after all. again: it fails where the second one is sent again, and entries that are new wait behind it; else at the
// third one, which was decided on before they were sent again.
static void vanishes(tb *t, dut *d, bool again) {
  const unsigned n = 2, was_lost = lost_tm, stale = answered[NIC_K_FrStale];
  const uint32_t spsn = 0xFFFFFE;
  turn_on(t, d, n, spsn, 7, 7, 20);
  const unsigned mtu = mtu_of(&q[n]), left = frames;
  mute = true;
  post(t, d, n, Write, 5, Done);
  cycle(t, d);
  post(t, d, n, Write, again ? 5 : 2 * mtu + 5, Done);
  torn.va = q[n].e[1].va + (again ? 0 : mtu);
  torn.len = again ? 0 : mtu;
  while (frames - left < 2) cycle(t, d);
  busy_tx = 0;
  for (unsigned k = 0; k < 500; k++) cycle(t, d);
  torn.len = again ? 5 : 0;
  mute = false;
  answer(t, n, 0x11, spsn, 0x60, 0, NULL, 0);
  mute = true;
  for (unsigned k = 0; k < 500; k++) cycle(t, d);
  for (unsigned k = 0; again && k < 2; k++) {
    post(t, d, n, Write, 5, Done);
    for (unsigned i = 0; i < 200; i++) cycle(t, d);
  }
  busy_tx = 100;
  while (lost_tm == was_lost) cycle(t, d);
  torn.len = 0;
  // What the peer has seen the first time ends, and what has not left cannot be acknowledged.
  mute = false;
  answer(t, n, 0x11, spsn + 2, 0x1F, 0, NULL, 0);
  if (again) answer(t, n, 0x11, spsn + 1, 0x1F, 0, NULL, 0);
  mute = true;
  for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 1, "answers to a packet that has vanished");
  CHECK_EQ(t, frames - left, again ? 5 : 6, "packets that have left");
  mute = false;
  answer(t, n, 0x11, spsn + 2, 0x1F, 0, NULL, 0);
  answer(t, n, 0x11, spsn + 3, 0x1F, 0, NULL, 0);
  for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 1, "answers to packets that left after all");
  CHECK_EQ(t, q[n].cons, q[n].prod, "entries that have ended");
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// It goes off at each moment of an entry that cannot be done, and of a time-out.
static void off_while_giving_up(tb *t, dut *d) {
  unsigned n = 2, gave_up = given_up[BadEntry], kept = 0;
  for (unsigned delay = 0; delay < 60; delay++) {
    turn_on(t, d, n, delay, 0, 7, 5);
    for (unsigned k = 0; k < 50; k++) cycle(t, d);
    q[n].dead = delay & 1;
    post(t, d, n, Write, 40, delay & 1 ? Timeout : BadEntry);
    for (unsigned k = 0; k < delay; k++) cycle(t, d);
    unsigned before = quiet;
    turn_off(t, d, n);
    for (unsigned k = 0; k < 400; k++) cycle(t, d);
    CHECK_EQ(t, quiet - before, 1, "RetTimer of a turn off that is done, after %u cycles", delay);
    CHECK_EQ(t, places, 0, "places that nobody gave back, off after %u cycles", delay);
    kept += q[n].seen == q[n].prod;
  }
  CHECK(t, kept > 5 && kept < 55 && given_up[BadEntry] > gave_up, "%u of 60 ended before it went off", kept);
}

// From where it was, 16-bit entries that wrap soon: stopped, until software lets it go on; or not.
static void from_where_it_was(tb *t, dut *d) {
  const unsigned n = 2;
  begin.entry = 0xFFFE;
  begin.err = 1;
  begin.code = RemAccess;
  turn_on(t, d, n, 0x123456, 7, 7, 12);
  shows(t, d, n, 0xFFFE, 0x123456, RemAccess, "as it begins");
  for (unsigned k = 0; k < 200; k++) cycle(t, d);
  shows(t, d, n, 0xFFFE, 0x123456, RemAccess, "later");
  unsigned left = frames, asked = rd_in;
  for (unsigned k = 0; k < 4; k++) post(t, d, n, Write, 300, Done);
  for (unsigned k = 0; k < 500; k++) cycle(t, d);
  CHECK_EQ(t, frames, left, "frames of a requester that is stopped");
  CHECK_EQ(t, rd_in, asked, "reads of a requester that is stopped");
  drain(t, d, 20000);
  dut_set_rb_qp_i(d, n);
  dut_eval(d);
  CHECK(t, dut_get_rb_cons_o(d) == 2 && dut_get_rb_una_o(d) == q[n].epsn && !dut_get_rb_err_o(d), "four entries later");
  begin.err = begin.code = 0;
  turn_on(t, d, n, 0x654321, 7, 7, 12);
  shows(t, d, n, 0xFFFE, 0x654321, 0, "as it begins again");
  for (unsigned k = 0; k < 4; k++) post(t, d, n, k & 1 ? Read : Write, 300, Done);
  drain(t, d, 20000);
  shows(t, d, n, 2, q[n].epsn, 0, "after four more");
  begin.entry = 0;
}

static void random_requests(tb *t, dut *d) {
  // Random, with losses.
  for (unsigned n = 0; n < QPS; n++) {
    begin.entry = rnd_chance(t, 50) ? 0 : (unsigned)rnd_bits(t, 16);
    turn_on(t, d, n, (uint32_t)rnd_bits(t, 24), 7, 7, 11);
  }
  begin.entry = 0;
  for (uint64_t end = dut_cycle(d) + t->cycles; dut_cycle(d) < end;) {
    if (dut_cycle(d) % 4000 == 0) {
      loss = rnd_chance(t, 40) ? 0 : (unsigned)rnd_below(t, 5);
      rnr_percent = rnd_chance(t, 60) ? 0 : (unsigned)rnd_below(t, 10);
      busy_tx = rnd_chance(t, 60) ? 100 : 20 + (unsigned)rnd_below(t, 60);
      slow_rd = rnd_chance(t, 50) ? 5 : 200;
      for (unsigned n = 0; n < QPS; n++) {
        rate[n].slow = rnd_chance(t, 40);
        rate[n].cycles = rnd_chance(t, 20) ? 0 : (unsigned)rnd_below(t, 600);
      }
    }
    unsigned n = (unsigned)rnd_below(t, QPS);
    if (slots(&q[n]) && q[n].prod - q[n].seen < RING && rnd_chance(t, 20)) {
      unsigned want = rnd_chance(t, 96) ? Done : (unsigned)rnd_below(t, 9);
      if (want == Timeout || want == Rnr || want == LocalRead) want = Done;
      unsigned len = rnd_chance(t, 50) ? (unsigned)rnd_below(t, 200) : (unsigned)rnd_below(t, 6000);
      post(t, d, n, want == Done ? (unsigned)rnd_below(t, 6) : Write, len, want);
    }
    cycle(t, d);
  }
}

static void unreadable_entry(tb *t, dut *d) {
  // An entry that cannot be read: what stands in its place is told to nobody.
  turn_on(t, d, 2, 9, 7, 7, 12);
  no_entries = true;
  post(t, d, 2, Write, 300, LocalRead);
  q[2].e[0].len = 0;
  drain(t, d, 20000);
  no_entries = false;
}

static void unreadable_bytes(tb *t, dut *d) {
  // Bytes that cannot be read, in the first packet or a later one: nobody knows what the peer has seen,
  // so software cannot go on.
  for (unsigned i = 0; i < 6; i++) {
    turn_on(t, d, 2, 100 * i, 7, 7, 12);
    post(t, d, 2, Write, 300, Done);
    post(t, d, 2, Write, 1 + 37 * i, LocalRead);
    drain(t, d, 20000);
    for (unsigned k = 0; k < 5000; k++) cycle(t, d);  // in which it writes 1 to SEND_ERR
    dut_set_rb_qp_i(d, 2);
    dut_eval(d);
    CHECK(t, dut_get_rb_err_o(d) && dut_get_rb_code_o(d) == LocalRead, "it still stands");
  }
}

static void never_ready_or_dead(tb *t, dut *d) {
  // A peer that is never ready, and one that is dead.
  turn_on(t, d, 2, 5, 7, 2, 12);
  q[2].always_rnr = true;
  post(t, d, 2, Write, 900, Rnr);
  drain(t, d, 20000);
  q[2].always_rnr = false;
  post(t, d, 2, Write, 900, Done);
  drain(t, d, 20000);
  unsigned before = timers;
  turn_on(t, d, 3, 7, 2, 7, 8);
  q[3].dead = true;
  post(t, d, 3, Write, 900, Timeout);
  cycle(t, d);
  drain(t, d, 20000);
  CHECK_EQ(t, timers - before, 3, "RetTimer: two tries and the end");
  CHECK_EQ(t, want_timer_gone, 1, "RetTimer that gives up");
}

static void bad_ends(tb *t, dut *d) {
  // Every bad end, one behind the other: what follows is done after it.
  for (unsigned w = BadEntry; w <= RemOther; w++) {
    if (w == Timeout || w == Rnr || w == LocalRead) continue;
    post(t, d, w % QPS, Write, 300, Done);
    cycle(t, d);
    post(t, d, w % QPS, Write, 200, w);
    cycle(t, d);
    post(t, d, w % QPS, Read, 200, Done);
    cycle(t, d);
  }
  drain(t, d, 20000);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_req", 60000);
  dut *d = dut_begin(&t);
  dut_set_cfg_tick_i(d, 20);
  for (unsigned n = 0; n < QPS; n++) bits_set(cfg_words[n], NIC_QP_CFG_T_MTU_LSB, NIC_QP_CFG_T_MTU_W, 1);  // as nic_qp
  configure(d);
  dut_reset(d, 2);
  for (unsigned i = 0; i < MEM; i++) mem[i] = (uint8_t)rnd_bits(&t, 8);
  for (unsigned n = 0; n < QPS; n++)
    for (unsigned i = 0; i < RING * AREA; i++) far_mem[n][i] = (uint8_t)rnd_bits(&t, 8);

  // One of each, nothing lost; the PSNs of QP 1 wrap.
  for (unsigned n = 0; n < QPS; n++) turn_on(&t, d, n, n == 1 ? 0xFFFFFE : (uint32_t)rnd_bits(&t, 24), 7, 7, 12);
  for (unsigned op = Write; op <= Xtq; op++)
    for (unsigned n = 0; n < QPS; n++) {
      post(&t, d, n, op, n == 0 ? 0 : n * 700, Done);
      cycle(&t, d);
    }
  drain(&t, d, 20000);
  CHECK_EQ(&t, timers, 0, "time-outs without a loss");
  CHECK_EQ(&t, sents, frames, "packets told of, and frames");
  CHECK_EQ(&t, answered[NIC_K_FrBack] + answered[NIC_K_FrStale] + answered[NIC_K_FrEnd], 0, "answers that are none");

  bad_ends(&t, d);

  never_ready_or_dead(&t, d);

  unreadable_bytes(&t, d);

  unreadable_entry(&t, d);
  off_and_on(&t, d);
  off_while_giving_up(&t, d);
  slow_time(&t, d);
  blind(&t, d);
  as_it_leaves(&t, d);
  goes_on(&t, d);
  from_where_it_was(&t, d);
  beside(&t, d);
  if (P_Requests >= 4) vanishes(&t, d, true);
  vanishes(&t, d, false);

  random_requests(&t, d);
  loss = rnr_percent = 0;
  drain(&t, d, 60000);
  CHECK(&t, sents >= frames + lost_tx && held_packets > t.cycles / 1000, "%u packets told of, %u frames, %u held back",
        sents, frames, held_packets);
  CHECK_EQ(&t, places, 0, "places in event rings that nobody gave back");
  CHECK_EQ(&t, given_up[BadEntry] + given_up[LocalRead] + want_timer_gone,
           ended[BadEntry] + ended[LocalRead] + ended[Timeout], "RetTimer of requests that ended without an answer");
  unsigned total = 0;
  for (unsigned i = 0; i < 16; i++) total += ended[i];
  CHECK(&t, total > t.cycles / 400 && ended[BadEntry] && ended[LocalRead] && lost_tx, "%u entries ended", total);
  CHECK(&t, waited && lost_tm, "%u RNR times ended, %u packets were lost", waited, lost_tm);
  printf("nic_req: %u entries, %u frames, %u time-outs, answers: %u taken, %u stale, %u back, %u end\n", total, frames,
         timers, answered[NIC_K_FrAnswer], answered[NIC_K_FrStale], answered[NIC_K_FrBack], answered[NIC_K_FrEnd]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
