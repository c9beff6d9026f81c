// SPDX-License-Identifier: Apache-2.0
// aa_hold: users that ask, work for a while and let go, and a pipeline that takes its time to stand still. While one
// waits others are served N times at most; a reset in the midst of it ends the hold.
// Rules of rtl/aa/README.md: INV-12.
// config: default -GN=2
// config: three -GN=3
#include "tb.h"
#include "aa_hold_tb.h"

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_hold", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned want = 0, wanted = 0, work[P_N] = {0}, busy = 3, bare = 0, held = 0, granted = 0, grants[P_N] = {0},
           waited[P_N] = {0}, lost[P_N] = {0}, others;
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    if (granted && rnd_chance(&t, 1)) {
      dut_reset(d, 1);
      dut_eval(d);
      CHECK(&t, !dut_get_hold_o(d) && !dut_get_gnt_o(d), "a hold outlives a reset");
      want = wanted = granted = 0;
    }
    for (unsigned i = 0; i < P_N; i++) {
      if (!(want >> i & 1) && rnd_chance(&t, 20)) want |= 1u << i, work[i] = 1 + (unsigned)rnd_below(&t, 6);
      if ((granted >> i & 1) && !--work[i]) want &= ~(1u << i);
    }
    dut_set_req_i(d, want);
    dut_set_idle_i(d, !busy);
    dut_eval(d);
    bool hold = dut_get_hold_o(d);
    bare = want && !hold ? bare + 1 : 0;
    CHECK(&t, bare <= 1, "hold a cycle after the requests");
    if (granted) CHECK(&t, hold, "hold for one cycle more than its user");
    if (!want && !wanted) CHECK(&t, !hold, "hold without a request");
    wanted = want;
    unsigned gnt = (unsigned)dut_get_gnt_o(d);
    CHECK(&t, !(gnt & (gnt - 1)) && !(gnt & ~want), "grant %x for %x", gnt, want);
    CHECK(&t, !gnt || !busy, "a grant while something is being decided");
    held = hold ? held + 1 : 0;
    CHECK(&t, !gnt || held > 2, "a grant in cycle %u of the hold, before the look-ups under way are over", held);
    if (granted & want) CHECK_EQ(&t, gnt, granted, "a grant stays");
    if (granted && !(granted & want)) CHECK_EQ(&t, gnt, 0, "a cycle between two users");
    for (unsigned i = 0; i < P_N; i++) {
      waited[i] = (want >> i & 1) && !(gnt >> i & 1) ? waited[i] + !busy : 0;
      CHECK(&t, waited[i] < 12 * P_N, "user %u waits for %u cycles in which nothing is under way", i, waited[i]);
      grants[i] += gnt >> i & 1;
    }
    for (unsigned i = 0; i < P_N; i++) {
      others = gnt & ~granted & ~(1u << i);
      lost[i] = (want >> i & 1) && !(gnt >> i & 1) ? lost[i] + (others != 0) : 0;
      CHECK(&t, lost[i] <= P_N, "user %u waits, and others are served %u times", i, lost[i]);
    }
    granted = gnt;
    // The pipeline takes some cycles of a hold to empty, and fills when there is none. It may be empty at once.
    busy = !hold ? (unsigned)rnd_below(&t, 4) : busy ? busy - (unsigned)rnd_below(&t, 2) : 0;
    dut_tick(d);
  }
  for (unsigned i = 0; i < P_N; i++) CHECK(&t, grants[i] > t.cycles / 50, "user %u was served %u times", i, grants[i]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
