// SPDX-License-Identifier: Apache-2.0
// nic_wr_mux: sources whose jobs, items and ends come at their own pace: each job and item unchanged, in order, each end to its source,
// turns, and a job a cycle.
// config: default -GSources=4 -GAhead=8
// config: one -GSources=1 -GAhead=1 +define+TOCSIN_DATA_W=128
// config: odd -GSources=3 -GAhead=3 +define+TOCSIN_DATA_W=512
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_wr_mux_tb.h"

#define JW JOB_O_W
#define BW PAY_O_W
enum { S = JOB_VALID_I_W, RING = 64 };

typedef struct source {
  uint32_t job[JOB_O_WORDS], pay[PAY_O_WORDS];  // offered now
  bool job_valid, pay_valid;
  unsigned left, lost, jobs, ends;
} source;

static source s[S];
static unsigned order[RING], in, items, ends;  // whose job: all; items, ends that have come

static void put(uint32_t *to, unsigned at, const uint32_t *from, unsigned bits) {
  for (unsigned b = 0; b < bits; b += 32)
    bits_set(to, at + b, bits - b < 32 ? bits - b : 32, bits_get(from, b, bits - b < 32 ? bits - b : 32));
}

static void offer(tb *t, source *x, unsigned job_pct, unsigned pay_pct) {
  if (!x->job_valid && rnd_chance(t, job_pct)) {
    rnd_words(t, x->job, JW);
    bits_set(x->job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W, 1 + rnd_below(t, 4096));
    x->job_valid = true;
  }
  if (!x->pay_valid && rnd_chance(t, pay_pct)) {
    if (x->left == 0) x->left = 1 + (unsigned)rnd_below(t, 4);
    rnd_words(t, x->pay, BW);
    bits_set(x->pay, NIC_BYTES_T_LAST_LSB, 1, --x->left == 0);
    x->pay_valid = true;
  }
}

static void job_taken(tb *t, dut *d, uint64_t taken) {
  uint32_t got[JOB_O_WORDS];
  for (unsigned i = 0; i < S; i++) {
    source *x = &s[i];
    if (taken >> i & 1) {
      dut_get_job_o(d, got);
      CHECK(t, words_eq(got, x->job, JW), "P1: job of source %u changed", i);
      order[in++ % RING] = i;
      x->job_valid = false;
      x->lost = 0;
      x->jobs++;
    } else if (x->job_valid && taken) {
      CHECK(t, ++x->lost < S, "P1: source %u waits while others have had two turns", i);
    }
  }
}

int main(int argc, char **argv) {
  unsigned job_pct = 100, pay_pct = 100, take = 100, end_pct = 100, full = 0;
  uint32_t jobs[JOB_I_WORDS], pays[PAY_I_WORDS], beat[PAY_O_WORDS];
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
    uint64_t job_valid = 0, pay_valid = 0;
    for (unsigned i = 0; i < S; i++) {
      source *x = &s[i];
      offer(&t, x, job_pct, pay_pct);
      put(jobs, i * JW, x->job, JW);
      put(pays, i * BW, x->pay, BW);
      job_valid |= (uint64_t)x->job_valid << i;
      pay_valid |= (uint64_t)x->pay_valid << i;
    }
    bool job_ready = rnd_chance(&t, take), pay_ready = rnd_chance(&t, take),
         done = ends < items && rnd_chance(&t, end_pct);
    dut_set_job_valid_i(d, job_valid);
    dut_set_job_i(d, jobs);
    dut_set_pay_valid_i(d, pay_valid);
    dut_set_pay_i(d, pays);
    dut_set_job_ready_i(d, job_ready);
    dut_set_pay_ready_i(d, pay_ready);
    dut_set_done_i(d, done);
    dut_eval(d);

    // Ends first: they belong to jobs of cycles before.
    uint64_t want = done ? 1ULL << order[ends % RING] : 0;
    CHECK_EQ(&t, dut_get_done_o(d), want, "P3: end %u", ends);
    if (done) s[order[ends % RING]].ends++;
    unsigned whose = items < in ? order[items % RING] : S;
    bool has = whose < S && s[whose].pay_valid;
    CHECK_EQ(&t, dut_get_pay_valid_o(d), has, "P2: item %u of source %u", items, whose);
    CHECK_EQ(&t, dut_get_pay_ready_o(d), pay_ready && whose < S ? 1ULL << whose : 0, "P2: whose beat is taken");
    if (has) {
      dut_get_pay_o(d, beat);
      CHECK(&t, words_eq(beat, s[whose].pay, BW), "P2: beat of source %u changed", whose);
    }
    uint64_t taken = job_valid & dut_get_job_ready_o(d);
    bool last = has && pay_ready && bits_get(s[whose].pay, NIC_BYTES_T_LAST_LSB, 1);
    bool room = in - ends - (P_Ahead == 1 && done) < P_Ahead && (P_Ahead > 1 || in - items - last < 1);
    full += !room;
    CHECK_EQ(&t, dut_get_job_valid_o(d), job_valid && room, "P1: a job that waits is offered while there is room");
    CHECK_EQ(&t, taken != 0, dut_get_job_valid_o(d) && job_ready, "P1: taken here and there");
    CHECK(&t, !(taken & (taken - 1)), "P1: two at once");
    job_taken(&t, d, taken);
    if (done) ends++;
    if (has && pay_ready) {
      s[whose].pay_valid = false;
      items += last;
    }
    dut_tick(d);
  }
  printf("  %u jobs, %u ends, %u cycles full\n", in, ends, full);
  for (unsigned i = 0; i < S; i++)
    CHECK(&t, s[i].ends > t.cycles / 100 && s[i].jobs - s[i].ends <= P_Ahead, "source %u works", i);
  CHECK(&t, full > 20, "it was full");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
