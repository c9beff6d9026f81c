// SPDX-License-Identifier: Apache-2.0
// nic_replay against a list of answers in C: what is put, forgotten when others come, gone after a start, kept over
// one; two with one PSN, dropped with what is older; QP_ANSWER read and written, in order round every corner; then all
// of it at random.
// Rules of rtl/nic/README.md: RSP-11, QPR-11.
// config: default -GNumQps=16 -GReplay=16
// config: least -GNumQps=1 -GReplay=1
// config: odd -GNumQps=5 -GReplay=3
// config: many -GNumQps=3 -GReplay=64
// netlist: odd
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "nic_replay_tb.h"
#include "tocsin/nic_regs.h"

typedef struct answer {
  uint32_t psn;
  uint64_t value;
} answer;

typedef struct bench {
  tb t;
  dut *d;
  answer of[256][P_Replay];  // the oldest at [0]; behind those that count what software has written there
  unsigned num[256], hits, misses, reads, writes, refused, drops;
  bool on[256];
} bench;

static void idle(bench *b) {
  dut_set_put_valid_i(b->d, 0);
  dut_set_drop_i(b->d, 0);
  dut_set_start_valid_i(b->d, 0);
  dut_set_stop_valid_i(b->d, 0);
  REG_BUS_SET(b->d, WE, 0);
  dut_set_held_i(b->d, 0);
}

// Any address but those of QP_ANSWER, often one that differs from these in its first two bits alone.
static void elsewhere(bench *b) {
  tb *t = &b->t;
  const uint64_t top = 0x18000, answers = NIC_REG_QP_ANSWER_PSN >> 3;
  uint64_t addr = rnd_bits(t, 17);
  if (rnd_chance(t, 70)) addr = (addr & top) | rnd_below(t, P_NumQps) << 7 | rnd_below(t, P_Replay) << 1 | (addr & 1);
  REG_BUS_SET(b->d, ADDR, (addr & top) == (answers & top) ? addr ^ 0x8000ull << rnd_bits(t, 1) : addr);
}

static void put_pins(bench *b, unsigned qp, uint32_t psn, uint64_t value) {
  dut_set_put_valid_i(b->d, 1);
  dut_set_put_qp_i(b->d, qp);
  dut_set_put_psn_i(b->d, psn);
  dut_set_put_value_i(b->d, value);
}

static void put_list(bench *b, unsigned qp, uint32_t psn, uint64_t value) {
  answer *a = b->of[qp];
  if (b->num[qp] == P_Replay)
    for (unsigned i = 0; i + 1 < P_Replay; i++) a[i] = a[i + 1];
  else
    b->num[qp]++;
  a[b->num[qp] - 1] = (answer){psn, value};
}

// How many there are up to the newest with this PSN.
static unsigned upto(const bench *b, unsigned qp, uint32_t psn) {
  unsigned n = b->num[qp];
  while (n && b->of[qp][n - 1].psn != psn) n--;
  return n;
}

// Found two cycles later. A put in the first of them counts, one in the second does not.
static void look(bench *b, unsigned qp, uint32_t psn) {
  tb *t = &b->t;
  const unsigned found = upto(b, qp, psn);
  elsewhere(b);
  dut_set_look_qp_i(b->d, qp);
  dut_set_look_psn_i(b->d, psn);
  dut_tick(b->d);
  idle(b);
  dut_set_look_qp_i(b->d, (unsigned)rnd_below(t, P_NumQps));
  dut_set_look_psn_i(b->d, rnd_bits(t, 24));
  dut_tick(b->d);
  dut_eval(b->d);
  CHECK_EQ(t, dut_get_rb_rdata_o(b->d), 0, "another register");
  CHECK_EQ(t, dut_get_hit_o(b->d), found != 0, "is PSN %x of QP %u there", psn, qp);
  if (found) CHECK_EQ(t, dut_get_value_o(b->d), b->of[qp][found - 1].value, "answer of PSN %x", psn);
  b->hits += found != 0, b->misses += found == 0;
}

// What is found goes, and what is older: behind the others, where it does not count.
static void drop(bench *b, unsigned qp, uint32_t psn) {
  look(b, qp, psn);
  const unsigned found = upto(b, qp, psn);
  if (!found) return;
  dut_set_drop_i(b->d, 1);
  dut_tick(b->d);
  idle(b);
  answer was[P_Replay];
  memcpy(was, b->of[qp], sizeof was);
  for (unsigned i = 0; i < P_Replay; i++) b->of[qp][i] = was[(i + found) % P_Replay];
  b->num[qp] -= found;
  b->drops++;
  look(b, qp, psn);
}

static void put(bench *b, unsigned qp, uint32_t psn, uint64_t value) {
  put_pins(b, qp, psn, value);
  put_list(b, qp, psn, value);
  look(b, qp, psn);
}

static void num(bench *b, unsigned qp) {
  dut_set_qp_i(b->d, qp);
  dut_eval(b->d);
  CHECK_EQ(&b->t, dut_get_num_o(b->d), b->num[qp], "answers of QP %u", qp);
}

static void start(bench *b, unsigned qp, unsigned n) {
  dut_set_qp_i(b->d, qp);
  dut_set_start_valid_i(b->d, 1);
  dut_set_start_num_i(b->d, n);
  dut_tick(b->d);
  idle(b);
  b->num[qp] = n > P_Replay ? P_Replay : n;
  b->on[qp] = true;
  num(b, qp);
}

static void stop(bench *b, unsigned qp) {
  dut_set_qp_i(b->d, qp);
  dut_set_stop_valid_i(b->d, 1);
  dut_tick(b->d);
  idle(b);
  b->on[qp] = false;
  num(b, qp);
}

// An access to the i-th answer's PSN or value: the bus is held until it may go on, and looks go on meanwhile.
static uint64_t access(bench *b, unsigned qp, unsigned i, bool value, bool we, uint64_t data, unsigned strb) {
  dut *d = b->d;
  tb *t = &b->t;
  unsigned cycles = 0;
  const uint64_t addr = NIC_REG_QP_ANSWER_PSN + 1024 * qp + 16 * i + 8 * value;
  REG_BUS_SET(d, ADDR, addr >> 3);
  dut_tick(d);
  dut_set_held_i(d, 1);
  for (dut_eval(d); !dut_get_ready_o(d) && cycles < 9; dut_tick(d), dut_eval(d), cycles++)
    dut_set_look_qp_i(d, (unsigned)rnd_below(t, P_NumQps));
  CHECK_EQ(t, cycles, 3, "cycles until it may go on");
  for (uint64_t more = rnd_below(t, 3); more; more--) dut_tick(d);
  dut_set_rb_i(d, reg_bus_of(addr, we, data, strb).words);
  dut_eval(d);
  const uint64_t got = dut_get_rb_rdata_o(d);
  dut_tick(d);
  idle(b);
  elsewhere(b);
  return got;
}

static void read_one(bench *b, unsigned qp, unsigned i) {
  tb *t = &b->t;
  const bool there = qp < P_NumQps && i < P_Replay && i < b->num[qp];
  CHECK_EQ(t, access(b, qp, i, false, false, 0, 0), there ? b->of[qp][i].psn : 0, "PSN of answer %u of QP %u", i, qp);
  CHECK_EQ(t, access(b, qp, i, true, false, 0, 0), there ? b->of[qp][i].value : 0, "answer %u of QP %u", i, qp);
  b->reads += there;
}

static void write_one(bench *b, unsigned qp, unsigned i, bool value, uint64_t data, unsigned strb) {
  access(b, qp, i, value, true, data, strb);
  if (qp >= P_NumQps || i >= P_Replay || b->on[qp]) {
    b->refused++;
    return;
  }
  answer *a = &b->of[qp][i];
  uint64_t mask = 0;
  for (unsigned k = 0; k < 8; k++) mask |= strb >> k & 1 ? 0xffull << 8 * k : 0;
  if (value)
    a->value = (a->value & ~mask) | (data & mask);
  else
    a->psn = (uint32_t)((a->psn & ~mask) | (data & mask)) & 0xffffff;
  b->writes++;
}

// All of a QP's store, so that nothing in it is what the RAM held at first. PSNs that nobody has else.
static void fill(bench *b, unsigned qp) {
  for (unsigned i = 0; i < P_Replay; i++) {
    write_one(b, qp, i, false, 0x800000 | i << 8 | qp, 255);
    write_one(b, qp, i, true, rnd(&b->t), 255);
  }
}

// A store that has gone round, turned off; what it says is read, and others in their places begin, of each number.
static void moves(bench *b) {
  for (unsigned n = 0; n <= P_Replay; n++) {
    for (uint32_t k = 0; k < P_Replay + n; k++) put(b, 0, 0x1000 * (n + 1) + k, rnd(&b->t));
    for (unsigned i = 0; i < P_Replay; i++) read_one(b, 0, i);
    write_one(b, 0, 0, true, 7, 255);
    stop(b, 0);
    for (unsigned i = 0; i < P_Replay; i++) read_one(b, 0, i);
    for (unsigned i = 0; i < n; i += 2) {
      write_one(b, 0, i, false, 0xabcdef + i, 255);
      write_one(b, 0, i, true, 0x1122334455667788, 0xf0);
      write_one(b, 0, i, true, 0x99aabbccddeeff00, 0x0f);
    }
    start(b, 0, n);
    for (unsigned i = 0; i < P_Replay; i++) read_one(b, 0, i);
    for (unsigned i = 0; i < P_Replay; i++) look(b, 0, b->of[0][i].psn);
  }
  for (unsigned n = 0; n < 128; n++) {
    stop(b, 0);
    start(b, 0, n);
  }
  read_one(b, 0, P_Replay - 1);
  read_one(b, P_NumQps, 0);
  if (P_Replay < 64) read_one(b, 0, P_Replay);
}

// Of two with one PSN the newest is given, and both go with it; the newer ones stay. Wherever the first of them stands.
static void two_of_one(bench *b) {
  tb *t = &b->t;
  for (unsigned n = 0; n < 2 * P_Replay + 20; n++) {
    const unsigned lap = (unsigned)rnd_below(t, 2 * P_Replay);
    stop(b, 0);
    start(b, 0, 0);
    for (unsigned k = 0; k < lap; k++) put(b, 0, 0x1000 + k, rnd(t));
    put(b, 0, 0x55, 0xaaaa);
    put(b, 0, 0x55, 0xbbbb);
    CHECK_EQ(t, dut_get_value_o(b->d), 0xbbbb, "the newest, behind %u others", lap);
    for (unsigned k = 0; k < lap / 2; k++) put(b, 0, 0x2000 + k, rnd(t));
    drop(b, 0, 0x55);
    num(b, 0);
    for (unsigned i = 0; i < P_Replay; i++) read_one(b, 0, i);
    put(b, 0, 0x55, 0xcccc);
    for (unsigned i = 0; i < b->num[0]; i++) look(b, 0, b->of[0][i].psn);
  }
}

// After a reset nobody is on, or has an answer; how each begins then software says.
static void reset(bench *b) {
  dut_set_start_valid_i(b->d, 1);
  dut_reset(b->d, 2);
  idle(b);
  for (unsigned q = 0; q < P_NumQps; q++) {
    b->num[q] = 0, b->on[q] = false;
    num(b, q);
    read_one(b, q, 0);
    fill(b, q);
    start(b, q, (unsigned)rnd_below(&b->t, P_Replay + 1));
    read_one(b, q, (unsigned)rnd_below(&b->t, P_Replay));
    for (unsigned i = 0; i < P_Replay; i++) look(b, q, b->of[q][i].psn);
  }
}

// Seldom a QP, or an index, that does not exist.
static unsigned any_below(tb *t, unsigned n, unsigned bits) {
  return (unsigned)(rnd_chance(t, 10) ? rnd_bits(t, bits) : rnd_below(t, n));
}

// As many as there are, or more: one bit of the number says so.
static unsigned any_num(tb *t) {
  if (rnd_chance(t, 70)) return (unsigned)rnd_below(t, P_Replay + 1);
  return (1u << rnd_below(t, 7)) + (unsigned)rnd_below(t, 3);
}

// As software moves one: what it writes byte by byte reads, and begins. What stands there and does not count is not
// found, wherever the first stands.
static void moved(bench *b, unsigned q) {
  tb *t = &b->t;
  stop(b, q);
  fill(b, q);
  for (unsigned n = 0; n < 3; n++)
    write_one(b, q, (unsigned)rnd_below(t, P_Replay), rnd_chance(t, 30), rnd(t), (unsigned)rnd_bits(t, 8));
  start(b, q, any_num(t));
  for (unsigned i = 0; i < P_Replay && i < 4; i++) read_one(b, q, i);
  for (unsigned i = 0; i < P_Replay; i++) look(b, q, b->of[q][i].psn);
}

static void at_random(bench *b, uint32_t *next) {
  tb *t = &b->t;
  unsigned q = (unsigned)rnd_below(t, P_NumQps);
  if (b->on[q] && rnd_chance(t, 40)) put(b, q, next[q] & 0x7fffff, rnd(t)), next[q] += 1 + (uint32_t)rnd_below(t, 3);
  if (rnd_chance(t, 2)) drop(b, q, (next[q] - (uint32_t)rnd_below(t, 2 * P_Replay)) & 0x7fffff);
  if (rnd_chance(t, 1)) stop(b, q);
  if (rnd_chance(t, 2) && b->on[q]) moved(b, q);
  if (!b->on[q] && rnd_chance(t, 30)) start(b, q, b->num[q]);
  if (!b->on[q] && rnd_chance(t, 10)) start(b, q, 0), next[q] = 0x7ffff8;
  if (rnd_chance(t, 20))
    write_one(b, any_below(t, P_NumQps, 8), any_below(t, P_Replay, 6), rnd_chance(t, 70), rnd(t),
              (unsigned)rnd_bits(t, 8));
  if (rnd_chance(t, 20)) read_one(b, any_below(t, P_NumQps, 8), any_below(t, P_Replay, 6));
  if (rnd_below(t, 2000) == 0) reset(b);
  q = (unsigned)rnd_below(t, P_NumQps);
  look(b, q, (next[q] - (uint32_t)rnd_below(t, 2 * P_Replay + 4)) & 0x7fffff);
  num(b, q);
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_replay", 8000);
  b.d = dut_begin(t);
  reset(&b);
  for (uint32_t psn = 0; psn < 2 * P_Replay; psn++) put(&b, 0, psn, rnd(t));
  for (uint32_t psn = 0; psn < 2 * P_Replay; psn++) look(&b, 0, psn);
  stop(&b, 0);
  start(&b, 0, 0);
  look(&b, 0, 2 * P_Replay - 1);
  moves(&b);
  two_of_one(&b);
  uint32_t next[256] = {0};
  for (uint64_t c = 0; c < t->cycles; c++) at_random(&b, next);
  CHECK(t,
        b.hits > tb_least(t, 1000) && b.misses > tb_least(t, 1000) && b.reads > tb_least(t, 500) &&
            b.writes > tb_least(t, 200) && b.refused > tb_least(t, 20) && b.drops > tb_least(t, 20),
        "too little: %u found, %u not, %u read, %u written, %u refused, %u dropped", b.hits, b.misses, b.reads,
        b.writes, b.refused, b.drops);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
