// SPDX-License-Identifier: Apache-2.0
// cm_axi_none: bursts of every length at every pace get exactly their responses, all of them errors.
// netlist: default
#include "tb.h"
#include "cm_axi_none_tb.h"

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_axi_none", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  bool aw = false, ar = false, aw_done = false, w_done = false;
  unsigned id[2] = {0}, want[2] = {0}, len = 0, beats = 0, w_left = 1, writes = 0, reads = 0;
  while (dut_cycle(d) < t.cycles) {
    unsigned pace = dut_cycle(d) / 1000 % 2 ? 100 : 30;
    if (!aw && rnd_chance(&t, pace)) aw = true, id[0] = (unsigned)rnd_bits(&t, P_IdW);
    if (!ar && rnd_chance(&t, pace))
      ar = true, id[1] = (unsigned)rnd_bits(&t, P_IdW), len = (unsigned)rnd_bits(&t, 8) >> rnd(&t) % 9;
    bool w = !w_done && rnd_chance(&t, pace), bready = rnd_chance(&t, pace), rready = rnd_chance(&t, pace);
    dut_set_awvalid_i(d, aw);
    dut_set_awid_i(d, id[0]);
    dut_set_wvalid_i(d, w);
    dut_set_wlast_i(d, w_left == 1);
    dut_set_arvalid_i(d, ar);
    dut_set_arid_i(d, id[1]);
    dut_set_arlen_i(d, len);
    dut_set_bready_i(d, bready);
    dut_set_rready_i(d, rready);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_bvalid_o(d), aw_done && w_done, "P1: B");
    CHECK_EQ(&t, dut_get_rvalid_o(d), beats != 0, "P1: R");
    if (dut_get_bvalid_o(d))
      CHECK(&t, dut_get_bid_o(d) == want[0] && dut_get_bresp_o(d) == 2, "P1: B is that of the burst, an error");
    if (dut_get_rvalid_o(d)) {
      CHECK(&t, dut_get_rid_o(d) == want[1] && dut_get_rresp_o(d) == 2, "P1: R is that of the burst, an error");
      CHECK_EQ(&t, dut_get_rlast_o(d), beats == 1, "P1: RLAST");
    }
    bool took_b = dut_get_bvalid_o(d) && bready, took_r = dut_get_rvalid_o(d) && rready;
    if (aw && dut_get_awready_o(d)) {
      CHECK(&t, !aw_done, "P1: a second address before the response");
      aw = false, aw_done = true, want[0] = id[0];
    }
    if (w && dut_get_wready_o(d) && !--w_left) w_done = true, w_left = 1 + (unsigned)(rnd(&t) % 5);
    if (took_r) beats--, reads += !beats;
    if (ar && dut_get_arready_o(d)) ar = false, beats = len + 1, want[1] = id[1];
    if (took_b) aw_done = w_done = false, writes++;
    dut_tick(d);
  }
  CHECK(&t, writes > t.cycles / 100 && reads > t.cycles / 200, "%u writes, %u reads", writes, reads);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
