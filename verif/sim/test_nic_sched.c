// SPDX-License-Identifier: Apache-2.0
// nic_sched: random wakes, also many at once, against a set of who is owed a turn; nothing lost, nothing twice, fair.
// config: default -GNumQps=16
// config: odd -GNumQps=5
#include "tb.h"
#include "nic_sched_tb.h"

int main(int argc, char **argv) {
  unsigned owed = 0, waits[P_NumQps] = {0}, turns = 0, take = 100, busy = 10;
  int held = -1;
  tb t;
  tb_init(&t, argc, argv, "nic_sched", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 100 == 0) {
      take = rnd_chance(&t, 50) ? 100 : 1 + (unsigned)rnd_below(&t, 60);
      busy = rnd_chance(&t, 20) ? 0 : 1 + (unsigned)rnd_below(&t, 60);
    }
    unsigned wake = 0;
    for (unsigned q = 0; q < P_NumQps; q++) wake |= (unsigned)(rnd_chance(&t, busy) && rnd_chance(&t, 10)) << q;
    bool ready = rnd_chance(&t, take);
    dut_set_wake_i(d, wake);
    dut_set_turn_ready_i(d, ready);
    dut_eval(d);
    if (dut_get_turn_valid_o(d)) {
      unsigned qp = (unsigned)dut_get_turn_qp_o(d);
      CHECK(&t, qp < P_NumQps && (owed >> qp & 1), "a turn of QP %u that nobody asked for", qp);
      CHECK(&t, held < 0 || (unsigned)held == qp, "the turn changed from %d to %u", held, qp);
      held = ready ? -1 : (int)qp;
      if (ready && qp < P_NumQps) {
        owed &= ~(1u << qp);
        waits[qp] = 0;
        for (unsigned q = 0; q < P_NumQps; q++)
          if (owed >> q & 1 && ++waits[q]) CHECK(&t, waits[q] <= P_NumQps, "QP %u waits for %u turns", q, waits[q]);
        turns++;
      }
    } else {
      CHECK(&t, held < 0, "a turn was withdrawn");
    }
    owed |= wake;
    dut_tick(d);
  }
  dut_set_wake_i(d, 0);
  dut_set_turn_ready_i(d, 1);
  for (unsigned i = 0; i < P_NumQps + 3; i++) {
    dut_eval(d);
    if (dut_get_turn_valid_o(d)) owed &= ~(1u << dut_get_turn_qp_o(d));
    dut_tick(d);
  }
  CHECK_EQ(&t, owed, 0, "QPs that never got their turn");
  CHECK(&t, turns > t.cycles / 20, "%u turns", turns);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
