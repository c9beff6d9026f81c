// SPDX-License-Identifier: Apache-2.0
// aa_pick: lanes that fill and are translated at random, decisions that are sometimes given back. Every request is decided
// once, in order of its lane, non-posted ones after the posted ones before them, and with its own translation.
// config: default -GNumPorts=2 -GWindow=8
// config: one -GNumPorts=1 -GWindow=2
// config: four -GNumPorts=4 -GWindow=4
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_pick_tb.h"

enum { LANES = 2 * P_NumPorts, REQ = AA_K_ReqW, RES = AA_K_XlateW };

// A request's number is in its header; the translation of request n of lane l carries the number in its frame.
static unsigned after[LANES][256];  // posted requests that arrived before (NP)

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_pick", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned wr[LANES] = {0}, xl[LANES] = {0}, rd[LANES] = {0}, picked[LANES] = {0}, idle[LANES] = {0};
  struct {
    bool valid;
    unsigned lane, n;
  } d1 = {false, 0, 0}, d2 = {false, 0, 0};
  uint64_t done = 0;
  uint32_t req[(LANES * REQ + 31) / 32], res[(RES + 31) / 32], got[(REQ + 31) / 32];
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    unsigned fast = c & 1024 ? 90 : 40;
    bool hold = (c & 255) > 247;
    for (unsigned l = 0; l < LANES; l++) {
      if (wr[l] - rd[l] >= P_Window || !rnd_chance(&t, fast)) continue;
      after[l][wr[l] & 255] = wr[l & ~1u];
      wr[l]++;
    }
    // A translation a cycle, not under hold.
    unsigned lane = (unsigned)rnd_below(&t, LANES);
    bool valid = !hold && xl[lane] != wr[lane] && rnd_chance(&t, fast);
    memset(res, 0, sizeof res);
    bits_set(res, AA_XLATE_T_PFN_LSB, 32, valid ? xl[lane] << 4 | lane : 0xDEADu);
    dut_set_res_valid_i(d, valid);
    dut_set_res_write_i(d, valid || (xl[lane] - rd[lane] < P_Window && rnd_chance(&t, 50)));
    dut_set_res_lane_i(d, lane);
    dut_set_res_idx_i(d, xl[lane] & 255);
    dut_set_res_i(d, bits_get(res, 0, 64));
    uint64_t ptrs = 0, aft = 0;
    for (unsigned l = 0; l < LANES; l++) ptrs |= (uint64_t)(xl[l] & 255) << 8 * l;
    for (unsigned p = 0; p < P_NumPorts; p++)
      aft |= (uint64_t)(after[2 * p + 1][picked[2 * p + 1] & 255] & 255) << 8 * p;
    memset(req, 0, sizeof req);
    for (unsigned l = 0; l < LANES; l++) bits_set(req, l * REQ + AA_REQ_T_HDR_LSB, 32, picked[l] << 4 | l);
    dut_set_xl_ptr_i(d, ptrs);
    dut_set_after_i(d, aft);
    dut_set_req_i(d, req);
    dut_set_hold_i(d, hold);
    // The two stages behind it: D2 decides, waits or gives back.
    bool decide = d2.valid && !hold && rnd_chance(&t, 80), back = d2.valid && !decide && (hold || rnd_chance(&t, 50));
    bool move = !d2.valid || decide || back;
    dut_set_done_valid_i(d, decide);
    dut_set_done_lane_i(d, d2.lane);
    dut_set_back_i(d, back);
    dut_set_rest_i(d, back && !hold);
    dut_set_back_lane_i(d, d2.lane);
    dut_set_wake_i(d, rnd_chance(&t, 10));
    dut_set_pick_ready_i(d, !d1.valid || move);
    dut_eval(d);
    bool pick = dut_get_pick_valid_o(d) && (!d1.valid || move);
    unsigned pl = (unsigned)dut_get_pick_lane_o(d);
    if (dut_get_pick_valid_o(d)) {
      CHECK(&t, !hold, "a pick under hold");
      CHECK(&t, pl < LANES, "lane %u", pl);
      dut_get_pick_req_o(d, got);
      CHECK_EQ(&t, bits_get(got, AA_REQ_T_HDR_LSB, 32), picked[pl] << 4 | pl, "the next request of its lane");
      bits_set(res, 0, 64, dut_get_pick_res_o(d));
      CHECK_EQ(&t, bits_get(res, AA_XLATE_T_PFN_LSB, 32), picked[pl] << 4 | pl, "its own translation");
      CHECK(&t, picked[pl] < xl[pl] + (valid && lane == pl), "request %u of lane %u is not translated", picked[pl], pl);
      if (pl & 1)
        CHECK(&t, picked[pl & ~1u] >= after[pl][picked[pl] & 255], "a non-posted request overtakes a posted one");
    }
    if (decide) {
      CHECK_EQ(&t, d2.n, rd[d2.lane], "decided in order");
      if (d2.lane & 1) CHECK(&t, rd[d2.lane & ~1u] >= after[d2.lane][d2.n & 255], "posted first");
      rd[d2.lane]++;
      done++;
    }
    bool kill = back && d1.valid && d1.lane >> 1 == d2.lane >> 1;
    bool drop = back && pl >> 1 == d2.lane >> 1;  // picked in the cycle in which its port came back
    if (back) {
      unsigned p = d2.lane & ~1u;
      for (unsigned l = p; l < p + 2; l++) picked[l] = rd[l];
    }
    if (move) {
      d2.valid = d1.valid && !kill;
      d2.lane = d1.lane;
      d2.n = d1.n;
    }
    if (!d1.valid || move) {
      d1.valid = pick && !drop;
      d1.lane = pl;
      if (d1.valid) d1.n = picked[pl]++;
    }
    if (valid) xl[lane]++;
    // Under hold, once all stands still, translations are forgotten now and then.
    if (hold && !d1.valid && !d2.valid && (c & 255) == 254)
      for (unsigned l = 0; l < LANES; l++) xl[l] = rd[l];
    for (unsigned l = 0; l < LANES; l++) {
      idle[l] = decide && d2.lane == l ? 0 : idle[l] + (rd[l] != xl[l]);
      CHECK(&t, idle[l] < 4000, "lane %u starves", l);
    }
    dut_tick(d);
  }
  CHECK(&t, done > t.cycles / 8, "%llu decisions", (unsigned long long)done);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
