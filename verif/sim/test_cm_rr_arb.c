// SPDX-License-Identifier: Apache-2.0
// cm_rr_arb against an arbiter in C that remembers whom it served last; fairness counted; all requests, few, random; a
// reset forgets whom.
// config: default -GN=4
// config: one -GN=1
// config: odd -GN=7
// netlist: odd
#include "tb.h"
#include "cm_rr_arb_tb.h"

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_rr_arb", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned first = 0, lost[P_N] = {0};  // first: the place that is looked at first
  unsigned busy = 50, take = 50;
  while (dut_cycle(d) < t.cycles) {
    if (rnd_below(&t, 100) == 0) {
      static const unsigned level[] = {5, 50, 95, 100};
      busy = level[rnd_below(&t, 4)];
      take = level[rnd_below(&t, 4)];
    }
    // Requests stay until they are served, mostly.
    uint64_t req = rnd_chance(&t, 90) ? dut_get_req_i(d) : 0;
    for (unsigned i = 0; i < P_N; i++)
      if (rnd_chance(&t, busy)) req |= 1ULL << i;
    bool advance = rnd_chance(&t, take);
    dut_set_req_i(d, req);
    dut_set_advance_i(d, advance);
    dut_eval(d);

    unsigned want = 0;
    while (want < P_N && !(req >> (first + want) % P_N & 1)) want++;
    bool any = want < P_N;
    want = (first + want) % P_N;
    CHECK_EQ(&t, dut_get_valid_o(d), any, "valid_o for requests %" PRIx64, req);
    CHECK_EQ(&t, dut_get_gnt_o(d), any ? 1ULL << want : 0, "gnt_o for requests %" PRIx64, req);
    if (any) CHECK_EQ(&t, dut_get_idx_o(d), want, "idx_o for requests %" PRIx64, req);
    for (unsigned i = 0; i < P_N; i++) {
      bool waits = req >> i & 1 && !(any && advance && want == i);
      lost[i] = waits ? lost[i] + (any && advance) : 0;
      CHECK(&t, lost[i] < P_N, "request %u passed over %u times", i, lost[i]);
    }
    if (any) first = advance ? (want + 1) % P_N : want;
    if (rnd_below(&t, 200) == 0) {
      dut_reset(d, 1);
      first = 0;
      for (unsigned i = 0; i < P_N; i++) lost[i] = 0;
      continue;
    }
    dut_tick(d);
    if (any && advance) dut_set_req_i(d, req & ~(1ULL << want));
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
