// SPDX-License-Identifier: Apache-2.0
// Jobs of several sources, as nic_rd_mux and nic_wr_mux pass them on: each unchanged, one at a time, no source passed
// over twice. The test says who has a job and whether there is room. Included after the generated header, whose
// functions it calls.
#ifndef TOCSIN_MUX_JOBS_H
#define TOCSIN_MUX_JOBS_H

enum { Sources = JOB_VALID_I_W, JOBS_KEPT = 64 };

typedef struct mux_jobs {
  uint32_t job[Sources][JOB_O_WORDS];
  uint64_t valid;             // sources whose job is offered
  unsigned lost[Sources];     // turns that others have had meanwhile
  unsigned left[Sources];     // jobs of it that have left
  unsigned whose[JOBS_KEPT];  // of all jobs that have left
  unsigned in;                // how many those are
} mux_jobs;

// The source of the n-th job, or Sources if it has not left.
static inline unsigned mux_whose(const mux_jobs *j, unsigned n) {
  return n < j->in ? j->whose[n % JOBS_KEPT] : Sources;
}

// A new job of a source that has none, perhaps; null: none.
static uint32_t *mux_draw(tb *t, mux_jobs *j, unsigned source, unsigned percent) {
  if (j->valid >> source & 1 || !rnd_chance(t, percent)) return NULL;
  rnd_words(t, j->job[source], JOB_O_W);
  j->valid |= 1ull << source;
  return j->job[source];
}

static void mux_offer(dut *d, const mux_jobs *j, bool ready) {
  uint32_t jobs[JOB_I_WORDS];
  for (unsigned i = 0; i < Sources; i++) words_copy(jobs, i * JOB_O_W, j->job[i], 0, JOB_O_W);
  dut_set_job_valid_i(d, j->valid);
  dut_set_job_i(d, jobs);
  dut_set_job_ready_i(d, ready);
}

static void mux_taken(tb *t, dut *d, mux_jobs *j, bool ready, bool room) {
  uint32_t got[JOB_O_WORDS];
  const uint64_t taken = j->valid & dut_get_job_ready_o(d);
  CHECK_EQ(t, dut_get_job_valid_o(d), j->valid && room, "P1: a job that waits is offered while there is room");
  CHECK_EQ(t, taken != 0, dut_get_job_valid_o(d) && ready, "P1: taken here and there");
  CHECK(t, !(taken & (taken - 1)), "P1: two at once");
  for (unsigned i = 0; i < Sources; i++) {
    if (taken >> i & 1) {
      dut_get_job_o(d, got);
      CHECK(t, words_eq(got, j->job[i], JOB_O_W), "P1: job of source %u changed", i);
      j->whose[j->in++ % JOBS_KEPT] = i;
      j->left[i]++;
      j->lost[i] = 0;
    } else if (taken && j->valid >> i & 1) {
      CHECK(t, ++j->lost[i] < Sources, "P1: source %u waits while others have had two turns", i);
    }
  }
  j->valid &= ~taken;
}

#endif
