// SPDX-License-Identifier: Apache-2.0
// nic_qp against a register file in C: all of the QP pages read after reset, then a QP's life step by step, then random
// writes with strobes, QPs turned on and off, doorbells inside and outside of their ring. What is read or written is on
// the bus in the cycle before, QP_PROD in the one before that; any other address comes before. A write of QP_CTL waits
// until it is ready, as some others do.
// Rules of rtl/nic/README.md: QPR-2, QPR-3, QPR-4, QPR-9, QPR-11, CTX-12, REQ-1.
// config: default -GNumQps=16
// config: one -GNumQps=1
// config: odd -GNumQps=5
// config: most -GNumQps=256
// netlist: one
#include "tb.h"
#include "nic_qp_tb.h"
#include "reg_bus.h"

enum {
  CTL,
  MAC,
  PEER,
  PSN,
  RING,
  RINGC,
  PROD,
  STS,
  NOW,
  IP6_HI,
  IP6_LO,
  VLAN,
  RATE,
  MSG,
  VA,
  REST,
  BEGIN,
  BEGIN_MSG,
  BEGIN_VA,
  BEGIN_REST,
  NAME,
  WORDS
};

static const uint64_t reset[WORDS] = {
    [CTL] = 1ull << 8 | 7ull << 24 | 7ull << 28 | 0xffffull << 48, [RINGC] = 0xc000ull << 16};
static const uint64_t mask[WORDS] = {
    [CTL] = 3 | 0xc | 0xf0 | 0x700 | 0x1f0000 | 0x7000000 | 0x70000000 | 0x1full << 32 | 0xffffull << 48,
    [MAC] = 0xffffffffffff,
    [PEER] = 0xffffffffffffff,
    [PSN] = 0xffffff00ffffff,
    [RING] = ~63ull,
    [RINGC] = 0xffff000f,
    [PROD] = 0xffff,
    [IP6_HI] = ~0ull,
    [IP6_LO] = ~0ull,
    [VLAN] = 0xffff,
    [BEGIN] = 0xff03ffff,
    [BEGIN_MSG] = 0x7fffffff03ffffff,
    [BEGIN_VA] = ~0ull,
    [BEGIN_REST] = ~0ull,
    [NAME] = 0xfff};

typedef struct qp {
  uint64_t w[WORDS];
  bool bad;
  uint16_t cons;  // the requester's
} qp;

typedef struct bench {
  tb t;
  dut *d;
  qp qp[256];
  uint32_t was;                                    // on the bus in the cycle before
  uint16_t cons;                                   // of that cycle
  bool ends;                                       // entries end by themselves
  bool held, ready, wrote;                         // a write waits; it may go; there was one in the cycle before
  unsigned bells, refused, starts, stops, mapped;  // mapped: to an IPv6 address that is an IPv4 one
} bench;

static uint64_t merge(uint64_t old, uint64_t data, unsigned strb) {
  for (unsigned k = 0; k < 8; k++)
    if (strb >> k & 1) old = (old & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
  return old;
}

static uint64_t cfg(bench *b, unsigned port, unsigned lsb, unsigned w) {
  uint32_t v[CFG_O_WORDS];
  dut_get_cfg_o(b->d, v);
  return bits_get(v, port * NIC_QP_CFG_T_W + lsb, w);
}
#define CFG(field) cfg(b, k, NIC_QP_CFG_T_##field##_LSB, NIC_QP_CFG_T_##field##_W)

static void check_cfg(bench *b, unsigned k, unsigned n) {
  tb *t = &b->t;
  if (n >= P_NumQps || !(b->qp[n].w[CTL] & 1)) {
    CHECK_EQ(t, CFG(EN), 0, "QP %u is off", n);
    return;
  }
  const uint64_t *w = b->qp[n].w;
  unsigned mtu = w[CTL] >> 8 & 7;
  CHECK_EQ(t, CFG(EN), 1, "QP %u is on", n);
  CHECK_EQ(t, CFG(RECV), w[CTL] >> 1 & 1, "takes SENDs");
  CHECK_EQ(t, CFG(PROC), w[CTL] >> 4 & 15, "process");
  CHECK_EQ(t, CFG(MTU), mtu < 1 ? 1 : mtu > 5 ? 5 : mtu, "MTU of %u", mtu);
  CHECK_EQ(t, CFG(RNR), w[CTL] >> 16 & 31, "RNR");
  CHECK_EQ(t, CFG(RETRY), w[CTL] >> 24 & 7, "retry");
  CHECK_EQ(t, CFG(RNR_RETRY), w[CTL] >> 28 & 7, "RNR retry");
  CHECK_EQ(t, CFG(TIMEOUT), w[CTL] >> 32 & 31, "time-out");
  CHECK_EQ(t, CFG(PKEY), w[CTL] >> 48, "P_Key");
  bool v6 = w[CTL] >> 2 & 1, tag = w[CTL] >> 3 & 1;
  unsigned ip = NIC_QP_CFG_T_IP_LSB;
  CHECK_EQ(t, cfg(b, k, ip, 64), v6 ? w[IP6_LO] : 0xffffull << 32 | (uint32_t)w[PEER], "IP, low");
  CHECK_EQ(t, cfg(b, k, ip + 64, 64), v6 ? w[IP6_HI] : 0, "IP, high");
  CHECK_EQ(t, CFG(TCI), tag ? w[VLAN] : 0, "TCI");
  CHECK_EQ(t, CFG(RING), w[RING], "ring");
  CHECK_EQ(t, CFG(RING_SIZE), w[RINGC] & 15, "ring size");
  CHECK_EQ(t, CFG(NAME), w[NAME], "name");
}

// The peer of the queue pair that is turned on, of which `ctl` is QP_CTL by then.
static void check_peer(bench *b, const uint64_t *w, uint64_t ctl) {
  tb *t = &b->t;
  uint32_t peer[START_PEER_O_WORDS];
  const bool v6 = ctl >> 2 & 1, tag = ctl >> 3 & 1;
  const uint64_t high = v6 ? w[IP6_HI] : 0, low = v6 ? w[IP6_LO] : 0xffffull << 32 | (uint32_t)w[PEER];
  dut_get_start_peer_o(b->d, peer);
#define PEER_IS(F, v) CHECK_EQ(t, bits_get(peer, NIC_PEER_T_##F##_LSB, NIC_PEER_T_##F##_W), v, "peer: " #F)
  PEER_IS(MAC, w[MAC]), PEER_IS(TAG, tag), PEER_IS(TCI, tag ? w[VLAN] : 0), PEER_IS(PORT, w[RINGC] >> 16);
  PEER_IS(PKEY, ctl >> 48), PEER_IS(QP, w[PEER] >> 32), PEER_IS(V6, high || low >> 32 != 0xffff);
  CHECK_EQ(t, bits_get(peer, NIC_PEER_T_IP_LSB, 64), low, "peer: IP, low");
  CHECK_EQ(t, bits_get(peer, NIC_PEER_T_IP_LSB + 64, 64), high, "peer: IP, high");
  b->mapped += v6 && !high && low >> 32 == 0xffff;
}

// From where the queue pair goes on.
static void check_go(bench *b, const uint64_t *w) {
  tb *t = &b->t;
  uint32_t go[START_GO_O_WORDS];
  dut_get_start_go_o(b->d, go);
#define GO(F) bits_get(go, NIC_QP_GO_T_##F##_LSB, NIC_QP_GO_T_##F##_W)
  CHECK_EQ(t, GO(CONS), w[BEGIN] & 0xffff, "consumer");
  CHECK_EQ(t, GO(SEND_ERR), w[BEGIN] >> 16 & 1, "requester stopped");
  CHECK_EQ(t, GO(RESP_ERR), w[BEGIN] >> 17 & 1, "responder stopped");
  CHECK_EQ(t, GO(CODE), w[BEGIN] >> 24, "code");
  CHECK_EQ(t, GO(MSN), w[BEGIN_MSG] & 0xffffff, "MSN");
  CHECK_EQ(t, GO(TOLD), w[BEGIN_MSG] >> 24 & 1, "NAK has gone");
  CHECK_EQ(t, GO(MSG), w[BEGIN_MSG] >> 25 & 1, "in a write");
  CHECK_EQ(t, GO(AGAIN), w[BEGIN_MSG] >> 32 & 0xffffff, "taken before");
  CHECK_EQ(t, GO(ANSWERS), w[BEGIN_MSG] >> 56, "stored answers");
  CHECK_EQ(t, GO(VA), w[BEGIN_VA], "address");
  CHECK_EQ(t, GO(LEFT), w[BEGIN_REST] & 0xffffffff, "bytes left");
  CHECK_EQ(t, GO(RKEY), w[BEGIN_REST] >> 32, "key");
}

// What the responder says of the queue pair.
static void responder_says(dut *d, uint64_t now, uint64_t msg, uint64_t va, uint64_t rest) {
  uint32_t resp[RESP_I_WORDS] = {0};
#define RESP(F, v) bits_set(resp, NIC_RESP_STATE_T_##F##_LSB, NIC_RESP_STATE_T_##F##_W, v)
  RESP(EPSN, now & 0xffffff), RESP(MSN, msg & 0xffffff), RESP(AGAIN, msg >> 32 & 0xffffff), RESP(TOLD, msg >> 63);
  RESP(MSG, msg >> 25 & 1), RESP(XTQ, msg >> 24 & 1), RESP(SEND, msg >> 26 & 1);
  RESP(VA, va), RESP(LEFT, rest & 0xffffffff), RESP(RKEY, rest >> 32);
  dut_set_resp_i(d, resp);
}

// One cycle of the register bus: what is addressed, or written, is what was on the bus in the cycle before.
static void cycle(bench *b, uint32_t next_a, bool we, uint64_t data, unsigned strb) {
  tb *t = &b->t;
  dut *d = b->d;
  const uint32_t a = b->was;
  b->was = next_a;
  unsigned n = a >> 8 & 255, word = a >> 3 & 31;
  bool mine = a >> 16 == 1 && n < P_NumQps && word < WORDS;
  qp none = {0}, *q = mine ? &b->qp[n] : &none;
  uint64_t sts = rnd(t), now = rnd(t), msg = rnd(t), va = rnd(t), rest = rnd(t), want = 0;
  const bool write = (msg >> 24 & 7) == 2;
  responder_says(d, now, msg, va, rest);
  dut_set_rb_i(d, reg_bus_of(next_a, we, data, strb).words);
  dut_set_hold_i(d, b->held);
  // The consumer goes on when it will: a doorbell is judged by that of the cycle before (REQ-1).
  if (b->ends && mine && q->w[CTL] & 1 && q->cons != (uint16_t)q->w[PROD] && rnd_chance(t, 20)) q->cons++;
  dut_set_cons_i(d, q->cons);
  dut_set_send_err_i(d, sts & 1);
  dut_set_resp_err_i(d, sts >> 1 & 1);
  dut_set_code_i(d, sts >> 8);
  dut_set_answers_i(d, msg >> 56 & 127);
  dut_set_una_i(d, now >> 24);
  uint64_t idx = rnd_bits(t, 32);
  for (unsigned k = 0; k < 4; k++)
    if (rnd_chance(t, 70)) idx = (idx & ~(0xffull << 8 * k)) | rnd_below(t, P_NumQps) << 8 * k;
  dut_set_idx_i(d, idx);
  dut_eval(d);

  if (mine)
    want = word == STS   ? q->cons | (sts & 3) << 16 | (uint64_t)q->bad << 18 | (sts >> 8 & 255) << 24
           : word == NOW ? (now & 0xffffff) | (now >> 24 & 0xffffff) << 32
           : word == MSG ? (msg & 0x7fffffff00ffffff) | (msg >> 63) << 24 | (uint64_t)write << 25 |
                               (uint64_t)((msg >> 25 & 1) && !write) << 26
           : word == VA   ? (write ? va : 0)
           : word == REST ? (write ? rest : 0)
           : word == RATE ? 0
                          : q->w[word];
  // What is read has been on the bus in the cycle before, which is no write, and none waits then.
  if (!b->wrote && !b->held) CHECK_EQ(t, dut_get_rb_rdata_o(d), want, "register 0x%x", a);
  b->ready = dut_get_ready_o(d);
  b->wrote = we;
  CHECK_EQ(t, dut_get_rb_qp_o(d), n, "QP of the address");
  for (unsigned k = 0; k < 4; k++) check_cfg(b, k, idx >> 8 * k & 255);

  uint64_t next = word < WORDS ? merge(q->w[word], data, strb) & mask[word] : 0, *w = q->w;
  bool on = w[CTL] & 1, start = we && mine && word == CTL && !on && next & 1,
       stop = we && mine && word == CTL && on && !(next & 1);
  bool ring = we && mine && word == PROD && on;
  uint16_t ahead = (uint16_t)(next - b->cons), was = (uint16_t)(w[PROD] - b->cons);
  bool ok = ahead <= 1u << (w[RINGC] & 15) && ahead >= was;
  CHECK_EQ(t, dut_get_start_valid_o(d), start, "turned on");
  CHECK_EQ(t, dut_get_stop_valid_o(d), stop, "turned off");
  CHECK_EQ(t, dut_get_bell_valid_o(d), ring && ok, "doorbell: %u ahead, was %u", ahead, was);
  CHECK_EQ(t, dut_get_resume_valid_o(d), we && mine && word == STS && strb & 4 && data >> 16 & 1 && sts & 1, "goes on");
  if (start) {
    CHECK_EQ(t, dut_get_start_qp_o(d), n, "QP turned on");
    CHECK_EQ(t, dut_get_start_epsn_o(d), w[PSN] & 0xffffff, "ePSN");
    CHECK_EQ(t, dut_get_start_spsn_o(d), w[PSN] >> 32, "sPSN");
    check_go(b, w);
    check_peer(b, w, next);
    w[PROD] = q->cons = (uint16_t)w[BEGIN];
    q->bad = false;
    w[BEGIN] = w[BEGIN_MSG] = w[BEGIN_VA] = w[BEGIN_REST] = 0;
  }
  if (stop) CHECK_EQ(t, dut_get_stop_qp_o(d), n, "QP turned off");
  if (ring && ok) {
    CHECK_EQ(t, dut_get_bell_qp_o(d), n, "QP of the doorbell");
    CHECK_EQ(t, dut_get_bell_prod_o(d), next, "its value");
    w[PROD] = next;
  }
  if (we && mine && word == STS && strb & 4 && data >> 18 & 1) q->bad = false;
  if (ring && !ok) q->bad = true;
  if (we && mine && word == CTL) w[CTL] = on ? (w[CTL] & ~1ull) | (next & 1) : next;
  if (we && mine && ((word > CTL && word < PROD) || word > NOW) && !on) w[word] = next;  // others have no mask
  b->cons = q->cons;
  b->bells += ring && ok, b->refused += ring && !ok, b->starts += start, b->stops += stop;
  dut_tick(d);
}

static void access(bench *b, uint32_t a, bool we, uint64_t data, unsigned strb) {
  tb *t = &b->t;
  const unsigned word = a >> 3 & 31;
  const bool late = we && a >> 16 == 1 && word == PROD, held = we && (word == CTL || rnd_chance(t, 10));
  if (rnd_chance(t, 70))
    cycle(b, (uint32_t)(rnd_chance(t, 50) ? rnd_bits(t, 20) : 0x10000 | rnd_bits(t, 16)) & ~7u, false, rnd(t),
          (unsigned)rnd_bits(t, 8));
  for (uint64_t n = 1 + late + rnd_below(t, 2); n; n--) cycle(b, a, false, data, strb);
  if (held) {
    const bool starts = word == CTL && a >> 16 == 1 && (a >> 8 & 255) < P_NumQps && strb & data & 1 &&
                        !(b->qp[a >> 8 & 255].w[CTL] & 1);
    b->held = true;
    for (unsigned n = 0; n <= (starts ? 18 : 1); n++) {
      cycle(b, a, false, data, strb);
      CHECK_EQ(t, b->ready, n == (starts ? 18 : 1), "P6: ready in cycle %u of a hold for 0x%x", n, a);
    }
    for (uint64_t n = rnd_below(t, 4); n; n--) cycle(b, a, false, data, strb);
    CHECK(t, b->ready, "P6: ready while a write waits for others");
  }
  cycle(b, a, we, data, strb);
  b->held = false;
}

static uint32_t at(unsigned n, unsigned word) { return 0x10000 + 0x100 * n + 8 * word; }
static void put(bench *b, unsigned n, unsigned word, uint64_t v) { access(b, at(n, word), true, v, 255); }
static uint64_t get(bench *b, unsigned n, unsigned word) {
  access(b, at(n, word), false, 0, 0);
  dut_eval(b->d);
  return dut_get_rb_rdata_o(b->d);
}

// A ring of four entries: filled, over-filled, gone back, drained by the requester, filled round the corner.
static void doorbells(bench *b) {
  qp *q = &b->qp[0];
  put(b, 0, RINGC, 2);
  put(b, 0, PROD, 3);
  CHECK_EQ(&b->t, get(b, 0, PROD), 0, "a doorbell of a QP that is off");
  put(b, 0, CTL, 1);
  put(b, 0, PROD, 4);
  put(b, 0, PROD, 5);
  CHECK_EQ(&b->t, get(b, 0, PROD), 4, "one more than the ring");
  CHECK(&b->t, q->bad, "is a bad producer");
  put(b, 0, STS, 1 << 18);
  CHECK(&b->t, !q->bad, "which software has seen");
  put(b, 0, PROD, 3);
  CHECK(&b->t, q->bad, "so is one that goes back");
  q->cons = 4;
  put(b, 0, PROD, 8);
  CHECK_EQ(&b->t, get(b, 0, PROD), 8, "the next four");
  put(b, 0, CTL, 0);
  put(b, 0, CTL, 1);
  CHECK_EQ(&b->t, get(b, 0, PROD), 0, "begins anew");
}

// While a QP is on, nothing but EN and the producer changes; the write that turns it off changes nothing else either.
static void fixed(bench *b) {
  for (unsigned w = MAC; w <= RINGC; w++) put(b, 0, w, ~0ull);
  put(b, 0, CTL, ~0ull);
  CHECK_EQ(&b->t, get(b, 0, CTL), 1, "fields of a QP that is on");
  put(b, 0, CTL, ~1ull);
  CHECK_EQ(&b->t, get(b, 0, CTL), 0, "fields while it is turned off");
  put(b, 0, CTL, 0x00210000000000f1);
  CHECK_EQ(&b->t, get(b, 0, CTL), 0x00210000000000f1, "fields while it is turned on");
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_qp", 40000);
  b.d = dut_begin(t);
  dut_reset(b.d, 2);
  for (unsigned n = 0; n < 256; n++)
    for (unsigned w = 0; w < WORDS; w++) b.qp[n].w[w] = w == NAME ? n : reset[w];
  for (uint32_t a = 0x0fff0; a < 0x20010; a += 8) access(&b, a, false, 0, 0);
  doorbells(&b);
  fixed(&b);
  b.ends = true;
  for (uint64_t c = 0; c < t->cycles; c++) {
    unsigned n = (unsigned)rnd_below(t, rnd_chance(t, 90) ? P_NumQps : 256), few = n % 7;
    if (rnd_chance(t, 80)) n = few % P_NumQps;
    unsigned word = (unsigned)rnd_below(t, rnd_chance(t, 95) ? WORDS : 32),
             strb = rnd_chance(t, 70) ? 255 : (unsigned)rnd_bits(t, 8);
    qp *q = &b.qp[n];
    if (rnd_chance(t, 10)) word = rnd_chance(t, 50) ? CTL : PROD;
    uint64_t data = rnd(t);
    if (word == CTL) data = (data & ~1ull) | rnd_chance(t, 70);
    if (word == IP6_HI && rnd_chance(t, 50)) data = 0;
    if (word == IP6_LO && rnd_chance(t, 50)) data = 0xffffull << 32 | (uint32_t)data;
    if (word == PROD && rnd_chance(t, 80))
      data = (q->w[PROD] + rnd_below(t, 2u << (q->w[RINGC] & 15)) - rnd_below(t, 2)) & 0xffff;
    // One more than may be: right if an entry ends with it.
    if (word == PROD && rnd_chance(t, 20)) data = (q->cons + 1 + (1u << (q->w[RINGC] & 15))) & 0xffff;
    if (rnd_chance(t, 30)) q->cons = (uint16_t)(q->cons + rnd_below(t, 1u + (uint16_t)(q->w[PROD] - q->cons)));
    uint32_t a = rnd_chance(t, 97) ? at(n, word) : (uint32_t)rnd_bits(t, 20) & ~7u;
    access(&b, a, rnd_chance(t, 60), data, strb);
  }
  CHECK(t,
        b.bells > tb_least(&b.t, 300) && b.refused > tb_least(&b.t, 100) && b.starts > tb_least(&b.t, 300) &&
            b.stops > tb_least(&b.t, 100) && b.mapped > tb_least(&b.t, 10),
        "too little: %u %u %u %u %u", b.bells, b.refused, b.starts, b.stops, b.mapped);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
