// SPDX-License-Identifier: Apache-2.0
// cm_axi_none: bursts of every length at every pace get exactly their responses, all of them errors. What is not valid
// is anything; a reset forgets what is under way.
// netlist: default
#include "tb.h"
#include "cm_axi_none_tb.h"

typedef struct bench {
  tb *t;
  dut *d;
  bool aw, w, ar;                // offered
  bool aw_done, w_done;          // address and last beat of a write taken
  unsigned id[2], want[2], len;  // of a write and a read: offered, and under way
  unsigned w_left, beats;        // of the write that is sent, of the read that comes back
  unsigned bready, rready, writes, reads;
} bench;

static void drive(bench *b) {
  unsigned pace = dut_cycle(b->d) / 1000 % 2 ? 100 : 30;
  if (!b->aw) {
    b->aw = rnd_chance(b->t, pace);
    b->id[0] = (unsigned)rnd_bits(b->t, P_IdW);
  }
  if (!b->ar) {
    b->ar = rnd_chance(b->t, pace);
    b->id[1] = (unsigned)rnd_bits(b->t, P_IdW);
    b->len = (unsigned)rnd_bits(b->t, 8) >> rnd(b->t) % 9;
  }
  if (!b->w) b->w = rnd_chance(b->t, pace);
  b->bready = rnd_chance(b->t, pace);
  b->rready = rnd_chance(b->t, pace);
  dut_set_awvalid_i(b->d, b->aw);
  dut_set_awid_i(b->d, b->id[0]);
  dut_set_wvalid_i(b->d, b->w);
  dut_set_wlast_i(b->d, b->w ? b->w_left == 1 : rnd_bits(b->t, 1));
  dut_set_arvalid_i(b->d, b->ar);
  dut_set_arid_i(b->d, b->id[1]);
  dut_set_arlen_i(b->d, b->len);
  dut_set_bready_i(b->d, b->bready);
  dut_set_rready_i(b->d, b->rready);
  dut_eval(b->d);
}

static void writes(bench *b) {
  bool answer = b->aw_done && b->w_done;
  CHECK_EQ(b->t, dut_get_awready_o(b->d), !b->aw_done, "P1: one address before the response");
  CHECK_EQ(b->t, dut_get_wready_o(b->d), !b->w_done, "P1: the beats of one burst before the response");
  CHECK_EQ(b->t, dut_get_bvalid_o(b->d), answer, "P1: B");
  if (answer)
    CHECK(b->t, dut_get_bid_o(b->d) == b->want[0] && dut_get_bresp_o(b->d) == 2, "P1: B is the burst's, an error");
  if (b->aw && !b->aw_done) b->aw = false, b->aw_done = true, b->want[0] = b->id[0];
  if (b->w && !b->w_done) {
    b->w = false;
    if (--b->w_left == 0) b->w_done = true, b->w_left = 1 + (unsigned)(rnd(b->t) % 5);
  }
  if (answer && b->bready) b->aw_done = b->w_done = false, b->writes++;
}

static void reads(bench *b) {
  bool free = !b->beats;
  CHECK_EQ(b->t, dut_get_arready_o(b->d), free, "P1: one read at a time");
  CHECK_EQ(b->t, dut_get_rvalid_o(b->d), !free, "P1: R");
  if (free && b->ar) b->ar = false, b->beats = b->len + 1, b->want[1] = b->id[1];
  if (free) return;
  CHECK(b->t, dut_get_rid_o(b->d) == b->want[1] && dut_get_rresp_o(b->d) == 2, "P1: R is the burst's, an error");
  CHECK_EQ(b->t, dut_get_rlast_o(b->d), b->beats == 1, "P1: RLAST");
  if (b->rready) b->reads += !--b->beats;
}

static void reset(bench *b) {
  dut_reset(b->d, 1);
  b->aw = b->w = b->ar = b->aw_done = b->w_done = false;
  b->beats = 0;
  b->w_left = 1;
}

int main(int argc, char **argv) {
  bench all = {0}, *b = &all;
  tb t;
  tb_init(&t, argc, argv, "cm_axi_none", 20000);
  b->t = &t;
  b->d = dut_begin(&t);
  reset(b);
  while (dut_cycle(b->d) < t.cycles) {
    drive(b);
    if (rnd_below(&t, 500) == 0) {
      reset(b);
      continue;
    }
    writes(b);
    reads(b);
    dut_tick(b->d);
  }
  CHECK(&t, b->writes > t.cycles / 100 && b->reads > t.cycles / 200, "%u writes, %u reads", b->writes, b->reads);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
