// SPDX-License-Identifier: Apache-2.0
// Jobs of several sources, as nic_rd_mux and nic_wr_mux pass them on: each unchanged, one at a time. mux_taken: in
// turns, behind the source that was served last, the next one that has a job; who is offered and not taken stays.
// mux_gives: of the source that the test says. The test says who has a job and whether there is room. Included after
// the generated header, whose functions it calls.
#ifndef TOCSIN_MUX_JOBS_H
#define TOCSIN_MUX_JOBS_H

enum { Sources = JOB_VALID_I_W, JOBS_KEPT = 64 };

typedef struct mux_jobs {
  uint32_t job[Sources][JOB_O_WORDS];
  uint64_t valid;             // sources whose job is offered
  unsigned first;             // the source that is looked at first
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

// How likely each source has a new job in this cycle. 0: in volleys, several at once after nobody had one.
static unsigned mux_percent(tb *t, const mux_jobs *j, unsigned percent) {
  if (percent) return percent;
  return j->valid == 0 && rnd_chance(t, 10) ? 60 : 0;
}

static void mux_offer(dut *d, const mux_jobs *j, bool ready) {
  uint32_t jobs[JOB_I_WORDS];
  for (unsigned i = 0; i < Sources; i++) words_copy(jobs, i * JOB_O_W, j->job[i], 0, JOB_O_W);
  dut_set_job_valid_i(d, j->valid);
  dut_set_job_i(d, jobs);
  dut_set_job_ready_i(d, ready);
}

// The source whose turn it is, or Sources if none has a job.
static inline unsigned mux_turn(const mux_jobs *j) {
  for (unsigned i = 0; i < Sources; i++)
    if (j->valid >> (j->first + i) % Sources & 1) return (j->first + i) % Sources;
  return Sources;
}

// It is this source's turn, or nobody's (Sources); true if its job is taken.
static bool mux_gives(tb *t, dut *d, mux_jobs *j, unsigned turn, bool ready, bool room) {
  uint32_t got[JOB_O_WORDS];
  const bool offered = turn < Sources && (j->valid >> turn & 1) && room;
  CHECK_EQ(t, dut_get_job_valid_o(d), offered, "P1: a job that waits is offered while there is room");
  CHECK_EQ(t, j->valid & dut_get_job_ready_o(d), offered && ready ? 1ull << turn : 0, "P1: whose job is taken");
  if (!offered) return false;
  dut_get_job_o(d, got);
  CHECK(t, words_eq(got, j->job[turn], JOB_O_W), "P1: the job is that of source %u, whose turn it is", turn);
  if (!ready) return false;
  j->whose[j->in++ % JOBS_KEPT] = turn;
  j->valid &= ~(1ull << turn);
  return true;
}

static inline void mux_taken(tb *t, dut *d, mux_jobs *j, bool ready, bool room) {
  const unsigned turn = mux_turn(j);
  const bool taken = mux_gives(t, d, j, turn, ready, room);
  if (turn < Sources) j->first = taken ? (turn + 1) % Sources : turn;
}

#endif
