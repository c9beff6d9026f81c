// SPDX-License-Identifier: Apache-2.0
// nic_cnp against a list of marks in C: whose turn may come and when, both bounds, with TIME from 0 to 2^31 and
// rewritten on the way, QPs that do not exist, resets.
// Rules of rtl/nic/README.md: ECN-2, ECN-3, ECN-4, TIM-8.
// config: default
// config: one -GNumQps=1
// config: odd -GNumQps=5
// netlist: odd
#include <string.h>

#include "tb.h"
#include "nic_cnp_tb.h"

typedef struct qp {
  bool owes;
  uint64_t sent, any;  // cycle of its last CNP; of that and the last write of TIME, the later
  uint64_t free;       // how many ticks there must have been before its next one may leave
} qp;

typedef struct strobe {
  bool valid;
  unsigned qp;
} strobe;

static qp q[P_NumQps];
static strobe came;  // a mark of a cycle ago, unless it was told of or forgotten at once
static uint64_t now, qp_time, written, ticks, period;  // period: the cycle in which that of the next tick began
static unsigned made, waited, merged, forgotten, unheard;

// Now and then one that does not exist: nothing comes of it.
static strobe any_qp(tb *t, unsigned percent) {
  unsigned i = (unsigned)rnd_below(t, P_NumQps);
  if (rnd_chance(t, 30)) i ^= 1u << rnd_below(t, 8);
  return (strobe){rnd_chance(t, percent), i};
}

static uint64_t any_time(tb *t) {
  if (rnd_chance(t, 10)) return 0;
  if (rnd_chance(t, 5)) return UINT64_C(1) << rnd_below(t, 32);
  return 1 + rnd_below(t, rnd_chance(t, 20) ? 3 : 300);
}

static void look(tb *t, uint64_t due) {
  for (unsigned i = 0; i < P_NumQps; i++) {
    bool is = due >> i & 1;
    CHECK(t, !is || q[i].owes, "P1: QP %u owes nothing", i);
    CHECK(t, !is || !q[i].sent || written > q[i].sent || now - q[i].sent >= qp_time, "P2: QP %u after %u of %u cycles",
          i, (unsigned)(now - q[i].sent), (unsigned)qp_time);
    CHECK(t, is || !q[i].owes || now - q[i].any <= 2 * (qp_time ? qp_time : 1) + 1,
          "P3: QP %u has waited for %u cycles of 2 x %u", i, (unsigned)(now - q[i].any), (unsigned)qp_time);
    CHECK_EQ(t, is, q[i].owes && ticks >= q[i].free, "QP %u, %u ticks of TIME %u", i, (unsigned)ticks,
             (unsigned)qp_time);
    waited += q[i].owes && !is;
  }
}

// After a reset nobody owes anything, the period begins, and who owes next has no time to wait for.
static void reset(dut *d) {
  uint64_t began = dut_cycle(d);
  dut_set_mark_valid_i(d, 1);
  dut_set_sent_valid_i(d, 1);
  dut_reset(d, 2);
  now += dut_cycle(d) - began;
  memset(q, 0, sizeof q);
  came.valid = false;
  written = ticks = 0;
  period = now;
}

static void cycle(tb *t, dut *d, bool we, uint64_t new_time, strobe mark, strobe clear, bool lazy) {
  strobe sent = any_qp(t, 10);
  if (sent.qp < P_NumQps) sent.valid = false;
  dut_set_cfg_time_i(d, qp_time);
  dut_set_cfg_we_i(d, we);
  dut_set_mark_valid_i(d, mark.valid);
  dut_set_mark_qp_i(d, mark.qp);
  dut_set_clear_valid_i(d, clear.valid);
  dut_set_clear_qp_i(d, clear.qp);
  dut_set_sent_valid_i(d, sent.valid);
  dut_set_sent_qp_i(d, sent.qp);
  dut_eval(d);
  uint64_t due = dut_get_due_o(d);
  look(t, due);
  // One of them leaves, now and then.
  bool leaves = due && !lazy;
  if (leaves) {
    do sent.qp = (unsigned)rnd_below(t, P_NumQps);
    while (!(due >> sent.qp & 1));
    dut_set_sent_valid_i(d, 1);
    dut_set_sent_qp_i(d, sent.qp);
    made++;
  }
  if (came.valid) merged += q[came.qp].owes, q[came.qp].owes = true;
  unheard += mark.valid && !qp_time;
  if (now - period + 1 >= qp_time) ticks++, period = now + 1;
  if (leaves) q[sent.qp] = (qp){.sent = now, .any = now, .free = ticks + 2};
  if (we) {
    written = now;
    period = now + 1;
    for (unsigned i = 0; i < P_NumQps; i++) q[i].any = now;
  }
  came = mark;
  came.valid = mark.valid && mark.qp < P_NumQps && qp_time && !(leaves && sent.qp == mark.qp) &&
               !(clear.valid && clear.qp == mark.qp);
  if (clear.valid && clear.qp < P_NumQps) forgotten += q[clear.qp].owes, q[clear.qp].owes = false;
  dut_tick(d);
  now++;
  if (we) qp_time = new_time;
}

// Until the cycle of the next tick nothing comes; who waits goes on to wait.
static void pass(tb *t, dut *d) {
  bool due = false;
  dut_set_mark_valid_i(d, 0);
  dut_set_sent_valid_i(d, 0);
  for (came.valid = false; now - period + 1 < qp_time; now++) {
    dut_tick(d);
    due = due || dut_get_due_o(d);
  }
  CHECK(t, !due, "P2: before %u cycles are over", (unsigned)qp_time);
}

// A time that takes many bits to count: one CNP, and the next after two ticks.
static void long_time(tb *t, dut *d, uint64_t time) {
  const strobe none = {0}, mark = {true, 0};
  reset(d);
  cycle(t, d, true, time, none, none, false);
  for (unsigned i = 0; i < 5; i++) cycle(t, d, false, 0, mark, none, false);
  cycle(t, d, false, 0, none, none, false);
  for (unsigned i = 0; i < 2; i++) {
    pass(t, d);
    cycle(t, d, false, 0, none, none, false);
  }
  unsigned was = made;
  for (unsigned i = 0; i < 4; i++) cycle(t, d, false, 0, none, none, false);
  CHECK_EQ(t, made, was + 1, "CNPs after two ticks");
}

// Each bit of TIME makes it a time: a mark counts, and who has sent waits.
static void each_bit(tb *t, dut *d) {
  const strobe none = {0};
  for (unsigned b = 0; b < 32; b++) {
    reset(d);
    cycle(t, d, true, UINT64_C(1) << b, none, none, false);
    for (unsigned i = 0; i < 8; i++) cycle(t, d, false, 0, (strobe){true, b % P_NumQps}, none, false);
  }
}

int main(int argc, char **argv) {
  unsigned busy = 20, lazy = 50, clears = 5;
  tb t;
  tb_init(&t, argc, argv, "nic_cnp", 55000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  each_bit(&t, d);
  long_time(&t, d, 20000);
  reset(d);
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) {
    if (now % 500 == 0) {
      busy = rnd_chance(&t, 20) ? 100 : (unsigned)rnd_below(&t, 40);
      lazy = (unsigned)rnd_below(&t, 100);
      clears = rnd_chance(&t, 20) ? 60 : 5;  // many: most QPs owe nothing when a mark comes
    }
    if (rnd_below(&t, 2000) == 0) reset(d);
    cycle(&t, d, rnd_below(&t, 1000) < 4, any_time(&t), any_qp(&t, busy), any_qp(&t, clears), rnd_chance(&t, lazy));
  }
  uint64_t need = tb_least(&t, 100);
  CHECK(&t, made > need && waited > 10 * need && merged > need && forgotten > need / 10 && unheard > need / 10,
        "too little: %u %u %u %u %u", made, waited, merged, forgotten, unheard);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
