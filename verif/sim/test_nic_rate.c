// SPDX-License-Identifier: Apache-2.0
// nic_rate against ECN-5 to ECN-10 in C: every visit of every queue pair, each in its time, with CNPs and packets at
// all times. A visit without a record shows itself by nothing but a bucket that fills: packets come beside the visits
// where each has a record (CALM 1). QP_RATE is read as it is in the cycle behind that of its address. Some sweeps on
// end nothing disturbs, so that stages and counts come to their ends.
// Rules of rtl/nic/README.md: ECN-5, ECN-6, ECN-7, ECN-8, ECN-10, TIM-9.
// config: default
// config: odd -GNumQps=13 +define+TOCSIN_DATA_W=512
// config: many -GNumQps=64 +define+TOCSIN_DATA_W=128
// netlist: odd
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "tocsin/nic_regs.h"
#include "nic_rate_tb.h"

#define QPS ((unsigned)P_NumQps)
#define BEAT ((int)NIC_K_DataW / 8)
#define WINDOW (4u * QPS + 8)  // of the 1024 cycles those in which visits come (TIM-9)

typedef struct qp {
  bool slow, had, known;
  int rate, target, alpha, stage, calm, raise, room;
  uint64_t visited, had_at;  // sweep, cycle
} qp;

typedef struct settings {
  int full, least, g, fast, calm, raise, add, hyper;
} settings;

static qp q[P_NumQps];
static settings set;
static uint64_t now;  // cycles since reset: a sweep begins with each multiple of 1024
static unsigned seen[4], ended, at_once, held_back, floors, hypers, released;

static int at_least(int a, int b) { return a > b ? a : b; }
static int at_most(int a, int b) { return a < b ? a : b; }

static uint64_t shown(const qp *p) {
  if (!p->slow) return (uint64_t)1023 << 32 | (uint64_t)set.full << 16 | (uint64_t)set.full;
  return UINT64_C(1) << 63 | (uint64_t)p->alpha << 32 | (uint64_t)p->target << 16 | (uint64_t)p->rate;
}

// ECN-7: what a visit does; the code of its record, -1: none.
static int visit(qp *p) {
  int code = -1;
  bool was = p->slow;
  p->visited = now / 1024;
  if (p->had) {
    if (!was) p->rate = set.full, p->alpha = 1023;
    p->target = p->rate;
    floors += p->rate - p->rate * p->alpha / 2048 < set.least;
    p->rate = at_least(set.least, p->rate - p->rate * p->alpha / 2048);
    p->alpha += (1023 - p->alpha) / (1 << set.g);
    p->stage = p->calm = p->raise = 0;
    p->had = false;
    p->slow = p->rate < set.full;
    code = 0;
  } else if (was) {
    p->calm++, p->raise++;
    if (p->calm >= set.calm) p->calm = 0, p->alpha -= p->alpha / (1 << set.g), code = 1;
    if (p->raise >= set.raise) {
      p->raise = 0;
      hypers += p->stage >= 2 * set.fast;
      if (p->stage >= set.fast)
        p->target = at_most(set.full, p->target + (p->stage < 2 * set.fast ? set.add : set.hyper));
      p->rate = (p->rate + p->target + 1) / 2;
      if (p->stage < 31) p->stage++;
      p->slow = p->rate < set.full;
      code = code < 0 ? 2 : 3;
    }
  }
  if (p->slow) p->room = !was ? 0 : at_most(p->room, 0) + p->rate * BEAT;
  if (p->slow && was) p->room = at_most(p->room, p->rate * BEAT);
  return code;
}

// Stretches of sweeps that begin with cuts of each QP, and which nothing disturbs then: until stages are through,
// counts go up to CALM and RAISE, or rates are back at any FULL.
typedef struct stretch {
  unsigned from, to, cuts;
  int calm, raise;
} stretch;
static const stretch stretches[] = {
    {20, 65, 2, 1, 1}, {80, 120, 2, 34, 11}, {140, 153, 1, 1, 1}, {160, 173, 1, 1, 1}, {500, 640, 2, 130, 131}};

static const stretch *stretch_of(uint64_t sweep) {
  for (unsigned i = 0; i < sizeof stretches / sizeof *stretches; i++)
    if (sweep >= stretches[i].from && sweep < stretches[i].to) return &stretches[i];
  return NULL;
}

static int any_rate(tb *t) {
  return rnd_chance(t, 30) ? 1024 : rnd_chance(t, 70) ? 1 + (int)rnd_below(t, 1024) : 1 << rnd_below(t, 11);
}

// As often small as large.
static int any_size(tb *t, unsigned bits) {
  return (int)rnd_bits(t, rnd_chance(t, 30) ? bits : (unsigned)rnd_below(t, bits));
}

// Settings from `sweep` on: what its stretch needs, or any, where each has its extremes now and then.
static void choose(tb *t, dut *d, uint64_t sweep) {
  uint32_t w[CFG_I_WORDS] = {0};
  const stretch *s = stretch_of(sweep);
  set.full = rnd_chance(t, 10) ? 0 : any_rate(t);
  set.least = 1 + any_size(t, 10);
  if (rnd_chance(t, 25)) set.least = at_least(1, set.full - 3 + (int)rnd_below(t, 5));
  set.g = (int)rnd_below(t, rnd_chance(t, 40) ? 16 : 5);
  set.fast = (int)rnd_below(t, 3);
  set.calm = rnd_chance(t, 40) ? (int)rnd_below(t, 2) : 1 + (int)rnd_below(t, 7);
  set.raise = rnd_chance(t, 10) ? 0 : 1 + (int)rnd_below(t, 3);
  set.add = any_size(t, 11);
  set.hyper = any_size(t, 11);
  if (s) {
    set.full = s->cuts == 1 ? 64 + (int)rnd_below(t, 960) : 1024, set.least = 1 + (int)rnd_below(t, 8);
    set.raise = s->raise, set.calm = s->calm;
    set.fast = 8 + (int)rnd_below(t, 8), set.add = (int)rnd_below(t, 2), set.hyper = 1 + 2 * (int)rnd_below(t, 8);
  }
#define SET(F, v) bits_set(w, NIC_RATE_CFG_T_##F##_LSB, NIC_RATE_CFG_T_##F##_W, (uint64_t)(v))
  SET(FULL, set.full);
  SET(LEAST, set.least);
  SET(G, set.g);
  SET(FAST, set.fast);
  SET(CALM, set.calm);
  SET(RAISE, set.raise);
  SET(ADD, set.add);
  SET(HYPER, set.hyper);
  dut_set_cfg_i(d, w);
}

static void forget(qp *p) { p->slow = p->had = false; }

// Whether it was the visit of the QP that has a CNP in this cycle: it counts already.
static bool record(tb *t, dut *d, bool cnp, unsigned cnp_qp) {
  uint32_t r[RET_O_WORDS];
  dut_get_ret_o(d, r);
  unsigned i = (unsigned)bits_get(r, NIC_RETIRE_T_IDX_LSB, 8);
  CHECK(t, i < QPS && now % 1024 <= WINDOW, "P1: a visit of QP %u at %u of 1024", i, (unsigned)(now % 1024));
  if (i >= QPS) return false;
  CHECK(t, q[i].visited != now / 1024 || !q[i].known, "P1: QP %u is visited twice", i);
  bool was = q[i].slow, counts = cnp && cnp_qp == i && set.full;
  if (counts) q[i].had = true, at_once++;
  int code = visit(&q[i]);
  q[i].known = true;
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_KIND_LSB, 4), NIC_E_RetRate, "kind");
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_CODE_LSB, 4), code, "what happened to QP %u", i);
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_FLAG_LSB, 1), !q[i].slow, "whether QP %u is no longer slow", i);
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_A_LSB, 64), shown(&q[i]), "P4: QP_RATE of QP %u after it", i);
  CHECK_EQ(t, bits_get(r, NIC_RETIRE_T_B_LSB, 64), 0, "b");
  if (code >= 0 && code < 4) seen[code]++;
  ended += was && !q[i].slow;
  return counts;
}

// The end of a sweep: who has no record must have done nothing that has one. A CNP that came since its
// visit waits for the next.
static void close_sweep(tb *t) {
  for (unsigned i = 0; i < QPS; i++) {
    qp *p = &q[i];
    bool late = p->had && p->had_at >= now / 1024 * 1024;
    if (p->known && p->visited == now / 1024) continue;
    if (late) p->had = false;
    CHECK_EQ(t, visit(p), -1, "P1, P2: QP %u was not visited", i);
    p->known = true;
    p->had = late;
  }
}

static void buckets(tb *t, dut *d, bool inside) {
  static uint64_t was;
  uint64_t slow = dut_get_slow_o(d), held = dut_get_held_o(d);
  for (unsigned i = 0; i < QPS; i++) {
    qp *p = &q[i];
    CHECK_EQ(t, slow >> i & 1, p->slow, "is QP %u slow", i);
    bool done = p->known && p->visited == now / 1024, is = held >> i & 1;
    if (inside && !done && p->slow && p->room < 0 && !is) {
      bool had = p->had;  // came since
      p->had = false;
      CHECK_EQ(t, visit(p), -1, "P3: QP %u is let go without its record", i);
      p->known = true;
      p->had = had;
    }
    CHECK_EQ(t, is, p->slow && p->room < 0, "P3: is QP %u held back, %d bytes in its bucket", i, p->room);
    held_back += is;
    released += (was & ~held) >> i & 1;
  }
  CHECK_EQ(t, dut_get_wake_o(d), was & ~held, "P3: who is let go is woken, no one else");
  was = held;
}

// Any size, or the one that leaves nothing in the bucket, or a byte less than nothing.
static unsigned any_bytes(tb *t, const qp *p) {
  int all = p->room - 64 + (int)rnd_bits(t, 1);
  if (p->slow && all >= 0 && all <= 4096 && rnd_chance(t, 50)) return (unsigned)all;
  return rnd_chance(t, 50) ? (unsigned)rnd_below(t, 4097) : rnd_chance(t, 50) ? 4096 : 0;
}

// QP_RATE of one, or one bit of the address away from it.
static uint64_t any_address(tb *t) {
  uint64_t addr = NIC_REG_QP_RATE + 256 * rnd_below(t, QPS + 1);
  return rnd_chance(t, 80) ? addr : addr ^ 8ull << rnd_below(t, 17);
}

// Whether a CNP comes in this cycle, and whose: some beside a visit, often that of their queue pair; many in the first
// sweep of new settings, or two, so that queue pairs are slow; in a stretch one of each in its first sweeps.
static bool any_cnp(tb *t, unsigned rate, bool first, bool inside, unsigned *of) {
  const stretch *s = stretch_of(now / 1024);
  const uint64_t at = now % 1024 - 512;
  *of = (unsigned)(inside && rnd_chance(t, 50) ? (now % 1024 + QPS - 3 - rnd_below(t, 3)) % QPS : rnd_below(t, QPS));
  if (!s) return rnd_below(t, 20000) < (first ? 25 * QPS : rate) * (inside ? 15 : 1);
  if (at < QPS) *of = (unsigned)at;
  return at < QPS && now / 1024 < s->from + s->cuts;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_rate", 1000000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned cnps = 10, load = 50, last_sent = 0, last_qp = 0, last_bytes = 0;
  bool last_slow = false;
  uint64_t was = 0, cuts_to = 2;  // the address of the cycle before; up to where many are cut
  choose(&t, d, 0);
  for (; dut_cycle(d) < t.cycles && t.failures < 10; now++) {
    const uint64_t sweep = now / 1024;
    const bool still = stretch_of(sweep), ends = stretch_of(sweep) != stretch_of(sweep + 1);
    bool inside = now % 1024 <= WINDOW, change = now % 1024 == 900 && (ends || (!still && rnd_chance(&t, 12)));
    if (now % 10000 == 0) cnps = rnd_chance(&t, 20) ? 0 : rnd_chance(&t, 25) ? 200 : 5 + (unsigned)any_size(&t, 6);
    if (now % 5000 == 0) load = (unsigned)rnd_below(&t, 101);
    if (now % 1024 == WINDOW + 1) close_sweep(&t);
    bool forgets = change || (inside && !still && rnd_below(&t, 20000) == 0);
    bool clear = !still && rnd_below(&t, inside ? 400 : 6000) == 0;
    // Packets come every other cycle at most; within a sweep where each visit has its record.
    bool sent = !last_sent && rnd_chance(&t, load) && (!inside || set.calm <= 1);
    unsigned clear_qp = (unsigned)rnd_below(&t, QPS), qp_sent = (unsigned)rnd_below(&t, QPS), cnp_qp;
    bool cnp = any_cnp(&t, cnps, sweep < cuts_to, inside, &cnp_qp);
    unsigned bytes = any_bytes(&t, &q[qp_sent]);
    uint64_t addr = any_address(&t), look = (was - NIC_REG_QP_RATE) / 256;
    if (dut_get_held_o(d) >> qp_sent & 1) sent = false;
    dut_set_forget_i(d, forgets);
    dut_set_cnp_valid_i(d, cnp);
    dut_set_cnp_qp_i(d, cnp_qp);
    dut_set_clear_valid_i(d, clear);
    dut_set_clear_qp_i(d, clear_qp);
    dut_set_sent_valid_i(d, sent);
    dut_set_sent_qp_i(d, qp_sent);
    dut_set_sent_bytes_i(d, bytes);
    dut_set_rb_i(d, reg_bus_of(addr, false, 0, 0).words);
    dut_eval(d);
    buckets(&t, d, inside);
    bool there = look < QPS && was % 256 == NIC_REG_QP_RATE % 256;
    CHECK_EQ(&t, dut_get_rb_rdata_o(d), there ? shown(&q[look]) : 0, "P4: register %" PRIx64, was);
    was = addr;
    bool takes = last_sent && last_slow && q[last_qp].slow;  // a cycle behind
    bool is_slow = q[qp_sent].slow;                          // not in the cycle in which it becomes slow
    if (dut_get_ret_valid_o(d)) {
      CHECK(&t, !forgets && !clear, "a visit in the cycle of a write");
      if (record(&t, d, cnp, cnp_qp)) cnp = false;
    }
    if (cnp && set.full && !q[cnp_qp].had) q[cnp_qp].had = true, q[cnp_qp].had_at = now;
    if (takes) q[last_qp].room -= (int)last_bytes + 64;
    if (clear) forget(&q[clear_qp]);
    for (unsigned i = 0; i < QPS && forgets; i++) forget(&q[i]);
    last_sent = sent, last_qp = qp_sent, last_bytes = bytes, last_slow = is_slow;
    dut_tick(d);
    if (change) choose(&t, d, sweep + 1), cuts_to = sweep + 2 + rnd_bits(&t, 1);
  }
  uint64_t need = tb_least(&t, 30);
  bool whole = t.cycles >= t.whole;  // the sweeps of a shorter run are too few for what is rare
  CHECK(&t,
        seen[0] > need && seen[1] > need && (!whole || seen[2] > need / 10) && seen[3] > need &&
            (!whole || (ended > need / 10 && at_once > 0)),
        "too few visits: %u %u %u %u, %u ended, %u in the cycle of a CNP", seen[0], seen[1], seen[2], seen[3], ended,
        at_once);
  printf("nic_rate: %u visits in the cycle of a CNP\n", at_once);
  CHECK(&t, held_back > 10 * need && released > need && (!whole || (floors > need / 10 && hypers > need / 10)),
        "too little: %u held, %u let go, %u at the least, %u hyper", held_back, released, floors, hypers);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
