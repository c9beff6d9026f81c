// SPDX-License-Identifier: Apache-2.0
// nic_cnp against a list of marks in C: whose turn may come and when, both bounds, with TIME from 0 to 300 and
// rewritten on the way.
// Rules of rtl/nic/README.md: ECN-2, ECN-3, ECN-4, TIM-8.
// config: default
// config: one -GNumQps=1
// config: odd -GNumQps=5
// netlist: odd
#include "tb.h"
#include "nic_cnp_tb.h"

typedef struct qp {
  bool owes;
  uint64_t sent, any;  // cycle of its last CNP; of that and the last write of TIME, the later
} qp;

int main(int argc, char **argv) {
  static qp q[P_NumQps];
  uint64_t now = 1000, time = 0, new_time = 0, written = 0;
  unsigned busy = 20, lazy = 50, made = 0, waited = 0, merged = 0, forgotten = 0, unheard = 0;
  tb t;
  tb_init(&t, argc, argv, "nic_cnp", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  for (; dut_cycle(d) < t.cycles; now++) {
    if (now % 500 == 0)
      busy = rnd_chance(&t, 20) ? 100 : (unsigned)rnd_below(&t, 40), lazy = (unsigned)rnd_below(&t, 100);
    bool we = rnd_chance(&t, 1) && rnd_chance(&t, 20);
    bool mark = rnd_chance(&t, busy), clear = rnd_chance(&t, 1);
    unsigned mark_qp = (unsigned)rnd_below(&t, P_NumQps), clear_qp = (unsigned)rnd_below(&t, P_NumQps), sent_qp = 0;
    dut_set_cfg_time_i(d, time);
    dut_set_cfg_we_i(d, we);
    dut_set_mark_valid_i(d, mark);
    dut_set_mark_qp_i(d, mark_qp);
    dut_set_clear_valid_i(d, clear);
    dut_set_clear_qp_i(d, clear_qp);
    dut_set_sent_valid_i(d, 0);
    dut_eval(d);
    unsigned due = (unsigned)dut_get_due_o(d);
    for (unsigned i = 0; i < P_NumQps; i++) {
      bool is = due >> i & 1;
      CHECK(&t, !is || q[i].owes, "P1: QP %u owes nothing", i);
      CHECK(&t, !is || !q[i].sent || written > q[i].sent || now - q[i].sent >= time, "P2: QP %u after %u of %u cycles",
            i, (unsigned)(now - q[i].sent), (unsigned)time);
      CHECK(&t, is || !q[i].owes || now - q[i].any <= 2 * (time ? time : 1) + 1,
            "P3: QP %u has waited for %u cycles of 2 x %u", i, (unsigned)(now - q[i].any), (unsigned)time);
      waited += q[i].owes && !is;
    }
    // One of them leaves, now and then.
    bool sends = due && !rnd_chance(&t, lazy);
    if (sends) {
      do sent_qp = (unsigned)rnd_below(&t, P_NumQps);
      while (!(due >> sent_qp & 1));
      dut_set_sent_valid_i(d, 1);
      dut_set_sent_qp_i(d, sent_qp);
      made++;
    }
    if (mark && time) merged += q[mark_qp].owes, q[mark_qp].owes = true;
    unheard += mark && !time;
    if (sends) q[sent_qp].owes = false, q[sent_qp].sent = q[sent_qp].any = now;
    if (clear) forgotten += q[clear_qp].owes, q[clear_qp].owes = false;
    if (we) {
      new_time = rnd_chance(&t, 10) ? 0 : rnd_chance(&t, 20) ? 1 + rnd_below(&t, 3) : 1 + rnd_below(&t, 300);
      written = now;
      for (unsigned i = 0; i < P_NumQps; i++) q[i].any = now;
    }
    dut_tick(d);
    if (we) time = new_time;
  }
  uint64_t need = tb_least(&t, 100);
  CHECK(&t, made > need && waited > 10 * need && merged > need && forgotten > need / 10 && unheard > need / 10,
        "too little: %u %u %u %u %u", made, waited, merged, forgotten, unheard);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
