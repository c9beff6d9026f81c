// SPDX-License-Identifier: Apache-2.0
// nic_rd_mux: sources whose jobs come and whose items are taken at their own pace: each job unchanged, each item to the source that
// asked, turns.
// config: default -GSources=4 -GJobs=32
// config: one -GSources=1 -GJobs=1 +define+TOCSIN_DATA_W=128
// config: odd -GSources=3 -GJobs=5 +define+TOCSIN_DATA_W=512
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_rd_mux_tb.h"

#define JW JOB_O_W
#define BW ITEM_O_W
enum { S = JOB_VALID_I_W, RING = 64 };

typedef struct source {
  uint32_t job[JOB_O_WORDS];
  bool job_valid;
  unsigned lost, items;
} source;

static source s[S];
static unsigned order[RING], in, out;  // whose job: those that have left, whose item has gone

static void put(uint32_t *to, unsigned at, const uint32_t *from, unsigned bits) {
  for (unsigned b = 0; b < bits; b += 32)
    bits_set(to, at + b, bits - b < 32 ? bits - b : 32, bits_get(from, b, bits - b < 32 ? bits - b : 32));
}

// The jobs that are offered, and of whom.
static uint64_t offer(tb *t, uint32_t *jobs, unsigned job_pct) {
  uint64_t job_valid = 0;
  for (unsigned i = 0; i < S; i++) {
    source *x = &s[i];
    if (!x->job_valid && rnd_chance(t, job_pct)) {
      rnd_words(t, x->job, JW);
      x->job_valid = true;
    }
    put(jobs, i * JW, x->job, JW);
    job_valid |= (uint64_t)x->job_valid << i;
  }
  return job_valid;
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
    } else if (x->job_valid && taken) {
      CHECK(t, ++x->lost < S, "P1: source %u waits while others have had two turns", i);
    }
  }
}

int main(int argc, char **argv) {
  unsigned job_pct = 100, item_pct = 100, take = 100, full = 0, left = 0;
  uint32_t jobs[JOB_I_WORDS], item[ITEM_O_WORDS], beat[ITEM_O_WORDS];
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
    uint64_t job_valid = offer(&t, jobs, job_pct);
    if (!item_valid && out < in && rnd_chance(&t, item_pct)) {
      if (left == 0) left = 1 + (unsigned)rnd_below(&t, 4);
      rnd_words(&t, item, BW);
      bits_set(item, NIC_BYTES_T_LAST_LSB, 1, --left == 0);
      item_valid = true;
    }
    bool job_ready = rnd_chance(&t, take);
    uint64_t item_ready = rnd_chance(&t, take) ? rnd_bits(&t, S) | rnd_bits(&t, S) : 0;
    dut_set_job_valid_i(d, job_valid);
    dut_set_job_i(d, jobs);
    dut_set_job_ready_i(d, job_ready);
    dut_set_item_valid_i(d, item_valid);
    dut_set_item_i(d, item);
    dut_set_item_ready_i(d, item_ready);
    dut_eval(d);

    unsigned whose = out < in ? order[out % RING] : S;
    CHECK_EQ(&t, dut_get_item_valid_o(d), item_valid ? 1ULL << whose : 0, "P2: item %u is that of source %u", out,
             whose);
    bool gone = item_valid && item_ready >> whose & 1;
    if (item_valid) {
      CHECK_EQ(&t, dut_get_item_ready_o(d), gone, "P2: item %u is taken by source %u", out, whose);
      dut_get_item_o(d, beat);
      CHECK(&t, words_eq(beat, item, BW), "P2: beat changed");
    }
    uint64_t taken = job_valid & dut_get_job_ready_o(d);
    bool last = gone && bits_get(item, NIC_BYTES_T_LAST_LSB, 1);
    bool room = in - out - (P_Jobs == 1 && last) < P_Jobs;
    full += !room;
    CHECK_EQ(&t, dut_get_job_valid_o(d), job_valid && room, "P1: a job that waits is offered while there is room");
    CHECK_EQ(&t, taken != 0, dut_get_job_valid_o(d) && job_ready, "P1: taken here and there");
    CHECK(&t, !(taken & (taken - 1)), "P1: two at once");
    job_taken(&t, d, taken);
    if (gone) {
      item_valid = false;
      if (last) s[order[out++ % RING]].items++;
    }
    dut_tick(d);
  }
  printf("  %u jobs, %u items, %u cycles full\n", in, out, full);
  for (unsigned i = 0; i < S; i++) CHECK(&t, s[i].items > t.cycles / 100, "source %u works", i);
  CHECK(&t, full > 20, "it was full");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
