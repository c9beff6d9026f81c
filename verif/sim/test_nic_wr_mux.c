// SPDX-License-Identifier: Apache-2.0
// nic_wr_mux: sources whose jobs, items and ends come at their own pace: each job and item unchanged, in order, each
// end to its source, turns, and a job a cycle; resets.
// config: default -GSources=4 -GAhead=8
// config: one -GSources=1 -GAhead=1 +define+TOCSIN_DATA_W=128
// config: odd -GSources=3 -GAhead=3 +define+TOCSIN_DATA_W=512
// netlist: default
#include "aa_fields.h"
#include "tb.h"
#include "nic_wr_mux_tb.h"
#include "mux_jobs.h"

typedef struct source {
  uint32_t pay[PAY_O_WORDS];  // offered now
  bool pay_valid;
  unsigned left;
} source;

typedef struct bench {
  mux_jobs jobs;
  source s[Sources];
  unsigned items, ends;  // that have come, of all jobs
} bench;

static unsigned ended[Sources], full;

static void offer(tb *t, dut *d, bench *b, unsigned job_pct, unsigned pay_pct) {
  uint32_t pays[PAY_I_WORDS];
  uint64_t pay_valid = 0;
  for (unsigned i = 0; i < Sources; i++) {
    source *x = &b->s[i];
    uint32_t *job = mux_draw(t, &b->jobs, i, job_pct);
    if (job) bits_set(job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W, 1 + rnd_below(t, 4096));
    if (!x->pay_valid && rnd_chance(t, pay_pct)) {
      if (x->left == 0) x->left = 1 + (unsigned)rnd_below(t, 4);
      rnd_words(t, x->pay, PAY_O_W);
      bits_set(x->pay, NIC_BYTES_T_LAST_LSB, 1, --x->left == 0);
      x->pay_valid = true;
    }
    words_copy(pays, i * PAY_O_W, x->pay, 0, PAY_O_W);
    pay_valid |= (uint64_t)x->pay_valid << i;
  }
  dut_set_pay_valid_i(d, pay_valid);
  dut_set_pay_i(d, pays);
}

// True when the last beat of an item leaves.
static bool look_at_pay(tb *t, dut *d, bench *b) {
  uint32_t beat[PAY_O_WORDS];
  const unsigned whose = mux_whose(&b->jobs, b->items);
  const bool has = whose < Sources && b->s[whose].pay_valid, ready = dut_get_pay_ready_i(d);
  CHECK_EQ(t, dut_get_pay_valid_o(d), has, "P2: item %u of source %u", b->items, whose);
  CHECK_EQ(t, dut_get_pay_ready_o(d), ready && whose < Sources ? 1ULL << whose : 0, "P2: whose beat is taken");
  if (!has) return false;
  dut_get_pay_o(d, beat);
  CHECK(t, words_eq(beat, b->s[whose].pay, PAY_O_W), "P2: beat of source %u changed", whose);
  b->s[whose].pay_valid = !ready;
  return ready && bits_get(b->s[whose].pay, NIC_BYTES_T_LAST_LSB, 1);
}

int main(int argc, char **argv) {
  static bench b;
  uint64_t ends = 0;  // whose job has ended in the cycle before
  unsigned job_pct = 100, pay_pct = 100, take = 100, end_pct = 100;
  tb t;
  tb_init(&t, argc, argv, "nic_wr_mux", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 150 == 0) {
      job_pct = rnd_chance(&t, 40) ? 100 : rnd_chance(&t, 30) ? 0 : 1 + (unsigned)rnd_below(&t, 60);
      pay_pct = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 60);
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
      end_pct = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 50);
    }
    if (rnd_below(&t, 1000) == 0) {  // reset forgets all jobs, whatever is under way
      dut_set_done_i(d, 0);
      dut_reset(d, 1);
      b = (bench){0}, ends = 0;
    }
    offer(&t, d, &b, mux_percent(&t, &b.jobs, job_pct), pay_pct);
    bool job_ready = rnd_chance(&t, take), done = b.ends < b.items && rnd_chance(&t, end_pct);
    mux_offer(d, &b.jobs, job_ready);
    dut_set_pay_ready_i(d, rnd_chance(&t, take));
    dut_set_done_i(d, done);
    dut_eval(d);

    CHECK_EQ(&t, dut_get_done_o(d), ends, "P3: the end before end %u", b.ends);
    ends = done ? 1ULL << mux_whose(&b.jobs, b.ends) : 0;
    if (done) ended[mux_whose(&b.jobs, b.ends)]++;
    bool last = look_at_pay(&t, d, &b), room = b.jobs.in - b.ends - (P_Ahead == 1 && done) < P_Ahead;
    full += !room;
    mux_taken(&t, d, &b.jobs, job_ready, room);
    b.ends += done;
    b.items += last;
    dut_tick(d);
  }
  printf("  %u jobs since the last reset, %u cycles full\n", b.jobs.in, full);
  CHECK(&t, b.jobs.in - b.ends <= P_Ahead, "%u jobs, %u ends", b.jobs.in, b.ends);
  for (unsigned i = 0; i < Sources; i++) CHECK(&t, ended[i] > t.cycles / 100, "source %u works", i);
  CHECK(&t, full > 20, "it was full");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
