// SPDX-License-Identifier: Apache-2.0
// nic_acks against a list of what was said in C: which acknowledgement stays when two meet, which waits for which
// response, turns, what is forgotten; then all of it at random with a slow wire, every response's head asking whether
// it may go, and CNPs in between.
// Rules of rtl/nic/README.md: RSP-12, RSP-13, RSP-14, TIM-13.
// config: default
// config: one -GNumQps=1 -GRespDepth=2
// config: odd -GNumQps=5 -GRespDepth=7 +define+TOCSIN_DATA_W=128
// netlist: odd
#include <string.h>

#include "tb.h"
#include "nic_acks_tb.h"
#include "aa_fields.h"
#include "tx_ext.h"

enum { QUEUE = 256 };

typedef struct ack {
  bool on;
  unsigned syndrome;
  uint32_t psn, msn;
  unsigned after;  // entries of the queue that were there before it
} ack;

typedef struct bench {
  tb t;
  dut *d;
  ack place[256], leaving, coming;  // coming: put a cycle ago, of coming_qp
  unsigned coming_qp;
  unsigned leaving_qp;
  bool leaving_cnp, last_cnp;
  uint64_t due;  // CNPs
  unsigned cnp_turns[256];
  // Who is next, chosen a cycle ago (-1: nobody), and where the next choice begins: 0 acknowledgements, 1 CNPs.
  int next_qp[2];
  unsigned begin[2];
  bool first;             // of what was asked a cycle ago
  unsigned owner[QUEUE];  // the queue of nic_reply: entry n has id n % RespDepth
  bool dead[QUEUE];
  unsigned head, tail;
  unsigned lost_turns[256];  // heads of others that were loaded while this one could have been
  bool fail_next;
  unsigned fail_qp;
  unsigned slow, put, grow;
  // what to do in the next cycle
  bool has, hold, stop;
  unsigned qp, stop_qp;
  ack next;
  unsigned taken, merged, kept, waited, forgotten, firsts, naks, cnps, fell, unheard;
} bench;

#define FIELD(T, F) bits_get(w, NIC_##T##_T_##F##_LSB, NIC_##T##_T_##F##_W)
static uint32_t psn24(uint32_t v) { return v & 0xffffff; }
static bool later(uint32_t a, uint32_t b) { return psn24(a - b) < 0x800000; }

static bool waits(const bench *b, unsigned q) {
  for (unsigned n = b->head; n != b->place[q].after && (int)(b->place[q].after - n) > 0; n++)
    if (b->owner[n % QUEUE] == q && !b->dead[n % QUEUE]) return true;
  return false;
}
static bool ready(const bench *b, unsigned q) { return b->place[q].on && !waits(b, q); }

// Mostly one of few, so that they meet.
static unsigned some_qp(bench *b) {
  return (unsigned)rnd_below(&b->t, P_NumQps < 4 || rnd_chance(&b->t, 30) ? P_NumQps : 4);
}

// About half of all PSNs ahead, or any.
static uint32_t far_psn(tb *t) {
  if (rnd_chance(t, 50)) return (uint32_t)rnd_bits(t, 24);
  return 0x800000u + (1u << rnd_below(t, 23)) - (1u << rnd_below(t, 23));
}

static void forget(bench *b, unsigned q) {
  b->forgotten += b->place[q].on;
  b->place[q].on = false;
  for (unsigned n = b->head; n != b->tail; n++)
    if (b->owner[n % QUEUE] == q) b->dead[n % QUEUE] = true;
}

// All of a head: what an acknowledgement or a CNP does not carry is 0.
static void head_is(bench *b, const uint32_t *w) {
  uint32_t want[HEAD_O_WORDS] = {0};
  const ack *a = &b->leaving;
#define HEAD(F, v) bits_set(want, NIC_TX_HEAD_T_##F##_LSB, NIC_TX_HEAD_T_##F##_W, v)
  HEAD(OPCODE, b->leaving_cnp ? 0x81 : NIC_K_OpAck);
  HEAD(PSN, a->psn);
  bits_set(want, NIC_TX_HEAD_T_EXT_LSB, 32, a->syndrome << 24 | a->msn);
  CHECK(&b->t, words_eq(w, want, HEAD_O_W), "the whole head, QP %u", b->leaving_qp);
}

static void head(bench *b, bool take) {
  tb *t = &b->t;
  uint32_t w[HEAD_O_WORDS];
  bool valid = dut_get_head_valid_o(b->d);
  CHECK_EQ(t, valid, b->leaving.on, "a head is offered");
  CHECK_EQ(t, dut_get_idle_o(b->d), !valid, "idle");
  if (!valid || !b->leaving.on) return;
  const ack *a = &b->leaving;
  unsigned q = b->leaving_qp, code = b->leaving_cnp ? NIC_K_TxCnp : a->syndrome >> 5 ? NIC_K_TxNak : NIC_K_TxAck;
  dut_get_head_o(b->d, w);
  head_is(b, w);
  CHECK_EQ(t, dut_get_cnp_sent_o(b->d), b->leaving_cnp && take, "a CNP leaves");
  CHECK_EQ(t, dut_get_head_qp_o(b->d), q, "whose head");
  CHECK_EQ(t, dut_get_head_code_o(b->d), code, "ACK, NAK or CNP");
  CHECK_EQ(t, FIELD(TX_HEAD, PSN), a->psn, "PSN");
  CHECK_EQ(t, tx_msn(w), a->msn, "MSN");
  CHECK_EQ(t, tx_syndrome(w), a->syndrome, "syndrome");
  CHECK_EQ(t, FIELD(TX_HEAD, OPCODE) | FIELD(TX_HEAD, BYTES) << 8, b->leaving_cnp ? 0x81 : NIC_K_OpAck,
           "opcode, no bytes");
  if (!take) return;
  if (b->leaving_cnp) {
    b->cnps++;
    b->due &= ~(1ull << q);
  } else {
    b->taken++, b->naks += a->syndrome >> 5 != 0;
  }
  b->leaving.on = false;
}

// What one cycle does, and who has its turn.
typedef struct {
  bool take, was, fails, grows, goes, put, stops, free, cnp, sends, loads;
  unsigned look, grow_qp, from;
} now;

static void drive(bench *b, now *n) {
  tb *t = &b->t;
  dut *d = b->d;
  uint32_t w[2] = {0};
  n->take = !rnd_chance(t, b->slow);
  n->was = b->leaving.on;
  dut_set_head_ready_i(d, n->take);
  dut_set_hold_i(d, b->hold || b->stop);
  dut_set_stop_valid_i(d, 0);
  dut_set_put_valid_i(d, 0);
  n->fails = b->fail_next;
  dut_set_fail_valid_i(d, n->fails);
  dut_set_fail_qp_i(d, b->fail_qp);
  b->fail_next = false;
  // Now and then one that does not exist: nothing of it goes first.
  n->look = (unsigned)rnd_below(t, P_NumQps) ^ (rnd_chance(t, 10) ? 1u << rnd_below(t, 8) : 0);
  dut_set_look_qp_i(d, n->look);
  // The queue of responses grows and shrinks.
  n->grows = !b->has && !b->stop && b->tail - b->head < P_RespDepth && rnd_chance(t, b->grow);
  n->grow_qp = some_qp(b);
  n->goes = b->head != b->tail && rnd_chance(t, b->grow ? b->grow : 20);
  dut_set_reply_valid_i(d, n->grows);
  dut_set_reply_qp_i(d, n->grow_qp);
  dut_set_reply_id_i(d, b->tail % P_RespDepth);
  dut_set_gone_valid_i(d, n->goes);
  dut_set_gone_qp_i(d, b->owner[b->head % QUEUE]);
  dut_set_gone_id_i(d, b->head % P_RespDepth);
  n->put = b->has;
  if (n->put) {
#define ACK(F, v) bits_set(w, NIC_ACK_T_##F##_LSB, NIC_ACK_T_##F##_W, v)
    ACK(QP, b->qp);
    ACK(PSN, b->next.psn);
    ACK(MSN, b->next.msn);
    ACK(SYNDROME, b->next.syndrome);
  }
  dut_set_put_i(d, w[0] | (uint64_t)w[1] << 32);
  dut_set_put_valid_i(d, n->put);
  dut_set_cnp_due_i(d, b->due);
  dut_eval(d);
  n->stops = b->stop && dut_get_idle_o(d);
  dut_set_stop_valid_i(d, n->stops);
  dut_set_stop_qp_i(d, b->stop_qp);
  dut_eval(d);
}

// The choice for the next cycle: the first that asks, from where this one was, or behind it if it has gone.
static void choose(bench *b, unsigned kind, uint64_t asks, bool gone) {
  b->next_qp[kind] = -1;
  for (unsigned i = 0; asks && b->next_qp[kind] < 0; i++) {
    unsigned q = (b->begin[kind] + i) % P_NumQps;
    if (asks >> q & 1) b->next_qp[kind] = (int)q;
  }
  if (asks) b->begin[kind] = (unsigned)b->next_qp[kind] + gone;
}

static void turns(bench *b, now *n) {
  tb *t = &b->t;
  dut *d = b->d;
  CHECK_EQ(t, dut_get_first_o(d), b->first, "does one of the QP before go first");
  b->first = ready(b, n->look) || (n->was && !b->leaving_cnp && b->leaving_qp == n->look);
  b->firsts += b->first;
  // Whose head comes next: the round robin's choice must be one that may.
  uint64_t asks = 0;
  for (unsigned q = 0; q < P_NumQps; q++) {
    asks |= (uint64_t)ready(b, q) << q;
    if (!ready(b, q)) b->lost_turns[q] = 0;
    if (!(b->due >> q & 1)) b->cnp_turns[q] = 0;
  }
  n->free = !n->was && !b->hold && !b->stop;
  bool ack = b->next_qp[0] >= 0 && asks >> b->next_qp[0] & 1;
  bool due = b->next_qp[1] >= 0 && b->due >> b->next_qp[1] & 1;
  b->fell += n->free && b->next_qp[0] >= 0 && !ack;
  n->cnp = due && (!ack || !b->last_cnp);  // they take turns
  n->sends = n->cnp && n->free;
  // What another was said to meet stays for it.
  n->loads = ack && n->free && !n->cnp && !(b->coming.on && b->coming_qp == (unsigned)b->next_qp[0]);
  n->from = (unsigned)b->next_qp[n->sends];  // the head says so in the next cycle
  choose(b, 0, asks, n->loads);
  choose(b, 1, b->due, n->sends);
  if (n->sends) {
    CHECK(t, n->from < P_NumQps && (b->due >> n->from & 1), "QP %u has its turn, and no CNP is due", n->from);
    for (unsigned q = 0; q < P_NumQps; q++) {
      b->cnp_turns[q] = q != n->from ? b->cnp_turns[q] + (b->due >> q & 1) : 0;
      CHECK(t, b->cnp_turns[q] < P_NumQps, "P7: the CNP of QP %u loses its turn for ever", q);
    }
  }
  if (n->loads) {
    CHECK(t, n->from < P_NumQps && ready(b, n->from), "QP %u has its turn, and nothing that may leave", n->from);
    for (unsigned q = 0; q < P_NumQps; q++) {
      b->lost_turns[q] = q != n->from ? b->lost_turns[q] + ready(b, q) : 0;
      CHECK(t, b->lost_turns[q] < P_NumQps, "QP %u loses its turn for ever", q);
    }
  }
}

static void ends(bench *b, const now *n) {
  if (n->loads && n->from < P_NumQps) {
    b->leaving = b->place[n->from], b->leaving_qp = n->from;
    b->place[n->from].on = false;
    b->leaving_cnp = b->last_cnp = false;
  } else if (n->sends) {
    b->leaving = (ack){.on = true}, b->leaving_qp = n->from;
    b->leaving_cnp = b->last_cnp = true;
  }
  if (n->goes) b->head++;
  if (b->coming.on) {
    ack *a = &b->place[b->coming_qp];
    b->merged += a->on;
    if (!a->on || later(b->coming.psn, a->psn))
      *a = b->coming, a->after = b->tail;
    else
      b->kept++;
    b->waited += waits(b, b->coming_qp);
  }
  b->coming.on = false;
  if (n->put) {
    b->coming = b->next, b->coming.on = !(n->fails && b->qp == b->fail_qp), b->coming_qp = b->qp;
    b->unheard += !b->coming.on;
    b->has = false;
  }
  if (n->grows) b->owner[b->tail % QUEUE] = n->grow_qp, b->dead[b->tail % QUEUE] = false, b->tail++;
  if (n->fails && b->place[b->fail_qp].on) b->forgotten++, b->place[b->fail_qp].on = false;
  if (n->stops) forget(b, b->stop_qp), b->due &= ~(1ull << b->stop_qp), b->stop = false;
}

// Of whom one waits here, and who has responses in the queue.
static void held(bench *b) {
  uint64_t pend = 0, behind = 0;
  for (unsigned q = 0; q < P_NumQps; q++) pend |= (uint64_t)b->place[q].on << q;
  if (b->coming.on) pend |= 1ull << b->coming_qp;
  for (unsigned n = b->head; n != b->tail; n++) behind |= (uint64_t)!b->dead[n % QUEUE] << b->owner[n % QUEUE];
  CHECK_EQ(&b->t, dut_get_pend_o(b->d), pend, "of whom one waits");
  CHECK_EQ(&b->t, dut_get_behind_o(b->d), behind, "who has responses in the queue");
}

static void cycle(bench *b) {
  tb *t = &b->t;
  now all, *n = &all;
  drive(b, n);
  held(b);
  turns(b, n);
  if (n->put) {
    ack *a = &b->place[b->qp];
    bool met = (a->on && !(n->loads && n->from == b->qp)) || (b->coming.on && b->coming_qp == b->qp);
    CHECK_EQ(t, dut_get_met_o(b->d), met, "one of QP %u waits", b->qp);
  } else {
    CHECK_EQ(t, dut_get_met_o(b->d), 0, "nothing meets nothing");
  }
  head(b, n->take);
  ends(b, n);
  dut_tick(b->d);
}

static void wait(bench *b, unsigned n) {
  while (n--) cycle(b);
}

static void give(bench *b, unsigned q, uint32_t psn, unsigned syndrome) {
  b->has = true, b->qp = q;
  b->next = (ack){.psn = psn24(psn), .msn = psn24(psn * 3), .syndrome = syndrome};
  cycle(b);
}

static void drain(bench *b) {
  b->slow = b->grow = 0, b->hold = false;
  wait(b, 40 + 30 * P_RespDepth + 6 * P_NumQps);
  CHECK(&b->t, !b->due, "CNPs are left");
  for (unsigned q = 0; q < P_NumQps; q++) CHECK(&b->t, !b->place[q].on, "QP %u's has not left", q);
  CHECK(&b->t, !b->leaving.on && b->head == b->tail, "something is left");
}

static void scenarios(bench *b) {
  tb *t = &b->t;
  // Alone: four cycles from put to head.
  give(b, 0, 5, 0x1f);
  wait(b, 3);
  CHECK(t, b->leaving.on && !b->taken, "not at once");
  wait(b, 1);
  CHECK_EQ(t, b->taken, 1, "heads four cycles after its put");
  // The wire stands still: the first is offered, four more become one; a NAK stays against an ACK of before it, and
  // ends with a later ACK.
  b->slow = 100;
  give(b, 0, 6, 0x1f);
  wait(b, 3);
  give(b, 0, 7, 0x1f);
  give(b, 0, 9, 0x60);
  give(b, 0, 6, 0x1f);
  wait(b, 1);
  CHECK(t, b->place[0].psn == 9 && b->place[0].syndrome == 0x60, "the NAK stays");
  give(b, 0, 9, 0x1f);
  wait(b, 1);
  CHECK(t, b->place[0].psn == 9 && b->place[0].syndrome == 0x1f, "the newer one of two equal ones");
  give(b, 0, 0x800008, 0x1f);
  wait(b, 1);
  CHECK(t, b->place[0].psn == 0x800008, "half of all PSNs ahead is later");
  b->slow = 0;
  wait(b, 6);
  CHECK_EQ(t, b->taken, 3, "heads: the one that was offered, and one for all others");
  drain(b);
}

// Nothing is left of what was there, and turns begin with QP 0: of all whose CNP is due at once, now and then.
static void reset(bench *b) {
  dut_set_put_valid_i(b->d, 0);
  dut_set_reply_valid_i(b->d, 0);
  dut_set_gone_valid_i(b->d, 0);
  dut_set_stop_valid_i(b->d, 0);
  dut_reset(b->d, 2);
  memset(b->place, 0, sizeof b->place);
  memset(b->lost_turns, 0, sizeof b->lost_turns);
  memset(b->cnp_turns, 0, sizeof b->cnp_turns);
  b->leaving.on = b->coming.on = b->leaving_cnp = b->last_cnp = b->first = b->has = b->stop = false;
  b->head = b->tail = b->begin[0] = b->begin[1] = 0;
  b->next_qp[0] = b->next_qp[1] = -1;
  b->due = rnd_chance(&b->t, 50) ? (1ull << P_NumQps) - 1 : 0;
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_acks", 75000);
  b.d = dut_begin(t);
  reset(&b);
  b.due = 0;
  scenarios(&b);
  static uint32_t psn[256];
  for (uint64_t c = 0; c < t->cycles && t->failures < 10; c++) {
    if (rnd_below(t, 2000) == 0) reset(&b);
    if (c % 500 == 0) {
      b.slow = rnd_chance(t, 30) ? 0 : rnd_chance(t, 30) ? 95 : (unsigned)rnd_below(t, 80);
      b.put = (unsigned)rnd_below(t, 60);
      b.grow = rnd_chance(t, 30) ? 0 : 1 + (unsigned)rnd_below(t, 40);
    }
    if (!b.has && !b.stop && rnd_chance(t, b.put)) {
      b.qp = some_qp(&b);
      psn[b.qp] = psn24(psn[b.qp] + (rnd_chance(t, 5) ? far_psn(t) : (uint32_t)rnd_below(t, 4)));
      uint32_t back = rnd_chance(t, 20) ? (uint32_t)rnd_below(t, 10) : 0;
      b.next = (ack){.psn = psn24(psn[b.qp] - back), .msn = (uint32_t)rnd_bits(t, 24), .syndrome = 0x1f};
      if (rnd_chance(t, 20))
        b.next.syndrome = rnd_chance(t, 50) ? 0x60 + (unsigned)rnd_below(t, 4) : 0x20 + (unsigned)rnd_bits(t, 5);
      b.has = true;
    }
    // A responder stops: nothing of it but what waits for the response that could not be read, or comes just now.
    if (b.head != b.tail && rnd_chance(t, 2) && !b.stop) {
      unsigned q = b.owner[b.head % QUEUE];
      if (!b.dead[b.head % QUEUE] && !ready(&b, q) && !(b.leaving.on && b.leaving_qp == q))
        b.fail_next = true, b.fail_qp = q, b.qp = b.has && rnd_chance(t, 50) ? q : b.qp;
    }
    b.hold = rnd_chance(t, 5);
    // CNPs, now and then of all; those of a QP that is turned off are no longer due.
    if (rnd_chance(t, 3)) b.due |= 1ull << rnd_below(t, P_NumQps);
    if (rnd_below(t, 1000) == 0) b.due |= (1ull << P_NumQps) - 1;
    if (!b.has && !b.fail_next && !b.stop && rnd_chance(t, 1))
      b.stop = true, b.stop_qp = (unsigned)rnd_below(t, P_NumQps);
    cycle(&b);
    if (b.stop) b.has = false;
  }
  b.has = false;
  drain(&b);
  uint64_t need = tb_least(t, P_NumQps < 2 ? 50 : 200);
  CHECK(t,
        b.taken > 10 * need / 2 && b.merged > need && b.kept > need / 10 && b.waited > need / 2 &&
            b.forgotten > need / 20 && b.firsts > need && b.naks > need / 2 && b.cnps > need && b.fell > need / 20 &&
            b.unheard > need / 20,
        "too little: %u %u %u %u %u %u %u %u %u %u", b.taken, b.merged, b.kept, b.waited, b.forgotten, b.firsts, b.naks,
        b.cnps, b.fell, b.unheard);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
