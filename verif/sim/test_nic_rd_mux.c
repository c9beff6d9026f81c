// SPDX-License-Identifier: Apache-2.0
// nic_rd_mux: sources whose jobs come and whose items are taken at their own pace: each job unchanged, each item to the
// source that asked, turns.
// config: default -GSources=4 -GJobs=32
// config: one -GSources=1 -GJobs=1 +define+TOCSIN_DATA_W=128
// config: odd -GSources=3 -GJobs=5 +define+TOCSIN_DATA_W=512
#include "aa_fields.h"
#include "tb.h"
#include "nic_rd_mux_tb.h"
#include "mux_jobs.h"

int main(int argc, char **argv) {
  static mux_jobs jobs;
  unsigned items[Sources] = {0}, out = 0;  // of each source; jobs whose item has gone
  unsigned job_pct = 100, item_pct = 100, take = 100, full = 0, left = 0;
  uint32_t item[ITEM_O_WORDS], beat[ITEM_O_WORDS];
  bool item_valid = false;
  tb t;
  tb_init(&t, argc, argv, "nic_rd_mux", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 300 == 0) {
      job_pct = rnd_chance(&t, 50) ? 100 : 1 + (unsigned)rnd_below(&t, 60);
      item_pct = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 60);
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    }
    for (unsigned i = 0; i < Sources; i++) mux_draw(&t, &jobs, i, job_pct);
    if (!item_valid && out < jobs.in && rnd_chance(&t, item_pct)) {
      if (left == 0) left = 1 + (unsigned)rnd_below(&t, 4);
      rnd_words(&t, item, ITEM_O_W);
      bits_set(item, NIC_BYTES_T_LAST_LSB, 1, --left == 0);
      item_valid = true;
    }
    bool job_ready = rnd_chance(&t, take);
    uint64_t item_ready = rnd_chance(&t, take) ? rnd_bits(&t, Sources) | rnd_bits(&t, Sources) : 0;
    mux_offer(d, &jobs, job_ready);
    dut_set_item_valid_i(d, item_valid);
    dut_set_item_i(d, item);
    dut_set_item_ready_i(d, item_ready);
    dut_eval(d);

    unsigned whose = mux_whose(&jobs, out);
    CHECK_EQ(&t, dut_get_item_valid_o(d), item_valid ? 1ULL << whose : 0, "P2: item %u is that of source %u", out,
             whose);
    bool gone = item_valid && item_ready >> whose & 1;
    if (item_valid) {
      CHECK_EQ(&t, dut_get_item_ready_o(d), gone, "P2: item %u is taken by source %u", out, whose);
      dut_get_item_o(d, beat);
      CHECK(&t, words_eq(beat, item, ITEM_O_W), "P2: beat changed");
    }
    bool last = gone && bits_get(item, NIC_BYTES_T_LAST_LSB, 1);
    bool room = jobs.in - out - (P_Jobs == 1 && last) < P_Jobs;
    full += !room;
    mux_taken(&t, d, &jobs, job_ready, room);
    item_valid = item_valid && !gone;
    if (last) items[whose]++, out++;
    dut_tick(d);
  }
  printf("  %u jobs, %u items, %u cycles full\n", jobs.in, out, full);
  for (unsigned i = 0; i < Sources; i++) CHECK(&t, items[i] > t.cycles / 100, "source %u works", i);
  CHECK(&t, full > 20, "it was full");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
