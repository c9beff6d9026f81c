// SPDX-License-Identifier: Apache-2.0
// nic_wr_mux: sources whose jobs, items and ends come at their own pace: each job and item unchanged, in order, each
// end to its source, turns, and a job a cycle.
// config: default -GSources=4 -GAhead=8
// config: one -GSources=1 -GAhead=1 +define+TOCSIN_DATA_W=128
// config: odd -GSources=3 -GAhead=3 +define+TOCSIN_DATA_W=512
#include "aa_fields.h"
#include "tb.h"
#include "nic_wr_mux_tb.h"
#include "mux_jobs.h"

typedef struct source {
  uint32_t pay[PAY_O_WORDS];  // offered now
  bool pay_valid;
  unsigned left, ends;
} source;

static mux_jobs jobs;
static source s[Sources];
static unsigned items, ends;  // that have come, of all jobs

static void offer(tb *t, unsigned i, unsigned job_pct, unsigned pay_pct) {
  source *x = &s[i];
  uint32_t *job = mux_draw(t, &jobs, i, job_pct);
  if (job) bits_set(job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W, 1 + rnd_below(t, 4096));
  if (!x->pay_valid && rnd_chance(t, pay_pct)) {
    if (x->left == 0) x->left = 1 + (unsigned)rnd_below(t, 4);
    rnd_words(t, x->pay, PAY_O_W);
    bits_set(x->pay, NIC_BYTES_T_LAST_LSB, 1, --x->left == 0);
    x->pay_valid = true;
  }
}

int main(int argc, char **argv) {
  unsigned job_pct = 100, pay_pct = 100, take = 100, end_pct = 100, full = 0;
  uint32_t pays[PAY_I_WORDS], beat[PAY_O_WORDS];
  tb t;
  tb_init(&t, argc, argv, "nic_wr_mux", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 300 == 0) {
      job_pct = rnd_chance(&t, 50) ? 100 : 1 + (unsigned)rnd_below(&t, 60);
      pay_pct = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 60);
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
      end_pct = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 50);
    }
    uint64_t pay_valid = 0;
    for (unsigned i = 0; i < Sources; i++) {
      offer(&t, i, job_pct, pay_pct);
      words_copy(pays, i * PAY_O_W, s[i].pay, 0, PAY_O_W);
      pay_valid |= (uint64_t)s[i].pay_valid << i;
    }
    bool job_ready = rnd_chance(&t, take), pay_ready = rnd_chance(&t, take),
         done = ends < items && rnd_chance(&t, end_pct);
    mux_offer(d, &jobs, job_ready);
    dut_set_pay_valid_i(d, pay_valid);
    dut_set_pay_i(d, pays);
    dut_set_pay_ready_i(d, pay_ready);
    dut_set_done_i(d, done);
    dut_eval(d);

    // Ends first: they belong to jobs of cycles before.
    CHECK_EQ(&t, dut_get_done_o(d), done ? 1ULL << mux_whose(&jobs, ends) : 0, "P3: end %u", ends);
    if (done) s[mux_whose(&jobs, ends)].ends++;
    unsigned whose = mux_whose(&jobs, items);
    bool has = whose < Sources && s[whose].pay_valid;
    CHECK_EQ(&t, dut_get_pay_valid_o(d), has, "P2: item %u of source %u", items, whose);
    CHECK_EQ(&t, dut_get_pay_ready_o(d), pay_ready && whose < Sources ? 1ULL << whose : 0, "P2: whose beat is taken");
    if (has) {
      dut_get_pay_o(d, beat);
      CHECK(&t, words_eq(beat, s[whose].pay, PAY_O_W), "P2: beat of source %u changed", whose);
    }
    bool last = has && pay_ready && bits_get(s[whose].pay, NIC_BYTES_T_LAST_LSB, 1);
    bool room = jobs.in - ends - (P_Ahead == 1 && done) < P_Ahead && (P_Ahead > 1 || jobs.in - items - last < 1);
    full += !room;
    mux_taken(&t, d, &jobs, job_ready, room);
    if (done) ends++;
    if (has && pay_ready) s[whose].pay_valid = false;
    items += last;
    dut_tick(d);
  }
  printf("  %u jobs, %u ends, %u cycles full\n", jobs.in, ends, full);
  for (unsigned i = 0; i < Sources; i++)
    CHECK(&t, s[i].ends > t.cycles / 100 && jobs.left[i] - s[i].ends <= P_Ahead, "source %u works", i);
  CHECK(&t, full > 20, "it was full");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
