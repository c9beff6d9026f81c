// SPDX-License-Identifier: Apache-2.0
// What feeds the writers of the access log that take commands, aa_log_put and aa_log_get, and waits for what they have
// done. Included after the generated header of the writer, whose ports cmd_*, data_* and done_* it plays.
#ifndef TOCSIN_LOG_FEED_H
#define TOCSIN_LOG_FEED_H

#include "log_sink.h"

// A command with its payload on the way into the writer, and the entries of which `done` has still to come.
enum { FEED_ENTRIES = 4096 };
typedef struct feed {
  sink s;
  void (*make)(tb *t, void *test);  // the next command, if there is room for one
  void *test;
  bool have, cmd_up, data_up;  // there is a command; it is offered, a beat of its payload is
  uint32_t cmd[CMD_I_WORDS], beats[1028];
  unsigned nbeats, beat, cmd_pct, data_pct;
  struct {
    uint64_t addr, pad_addr;
    unsigned bytes, id;
    bool pad;
  } live[FEED_ENTRIES];
  unsigned head, tail, done;
  uint64_t data_beats;
} feed;

static inline bool feed_full(const feed *f) { return (f->tail + 1) % FEED_ENTRIES == f->head; }

// The command on offer ends an entry: `bytes` at addr, and a pad's header unless pad_addr is 0.
static inline void feed_ends(feed *f, unsigned id, uint64_t addr, unsigned bytes, uint64_t pad_addr) {
  f->live[f->tail].id = id;
  f->live[f->tail].addr = addr;
  f->live[f->tail].bytes = bytes;
  f->live[f->tail].pad = pad_addr != 0;
  f->live[f->tail].pad_addr = pad_addr;
  f->tail = (f->tail + 1) % FEED_ENTRIES;
}

static void feed_cycle(tb *t, dut *d, feed *f) {
  // valid, once up, stays until taken
  f->cmd_up = f->have && (f->cmd_up || rnd_chance(t, f->cmd_pct));
  f->data_up = f->have && f->beat < f->nbeats && (f->data_up || rnd_chance(t, f->data_pct));
  dut_set_cmd_valid_i(d, f->cmd_up);
  dut_set_cmd_i(d, f->cmd);
  dut_set_data_valid_i(d, f->data_up);
  uint32_t junk[W_DATA_O_WORDS];
  rnd_words(t, junk, W_DATA_O_WORDS * 32);
  dut_set_data_i(d, f->data_up ? f->beats + f->beat * W_DATA_O_WORDS : junk);
  bool done_ready = rnd_chance(t, f->s.done_pct);
  dut_set_done_ready_i(d, done_ready);
  sink_cycle(t, d, &f->s);

  bool cmd = dut_get_cmd_ready_o(d) && f->cmd_up, data = dut_get_data_ready_o(d) && f->data_up;
  if (data) f->beat++, f->data_beats++, f->data_up = false;
  if (cmd) {
    CHECK_EQ(t, f->beat, f->nbeats, "P3: beats taken with the command");
    f->have = f->cmd_up = false;
  }
  if (dut_get_done_valid_o(d) && done_ready) {
    CHECK(t, f->head != f->tail, "P4: done without the end of an entry");
    CHECK_EQ(t, dut_get_done_id_o(d), f->live[f->head].id, "P4: done_id_o");
    sink_release(t, &f->s, f->live[f->head].addr, f->live[f->head].bytes);
    if (f->live[f->head].pad) sink_release(t, &f->s, f->live[f->head].pad_addr, 16);
    f->head = (f->head + 1) % FEED_ENTRIES;
    f->done++;
  }
  dut_tick(d);
}

static void feed_step(tb *t, dut *d, feed *f, bool more) {
  if (!f->have && more) f->make(t, f->test);
  feed_cycle(t, d, f);
}

// Whatever is under way is forgotten, and something else begins.
static void feed_restart(tb *t, dut *d, feed *f) {
  dut_set_cmd_valid_i(d, 0);
  dut_set_data_valid_i(d, 0);
  sink_reset(t, d, &f->s);
  f->have = f->cmd_up = f->data_up = false;
  f->head = f->tail = 0;
}

static void feed_fast(feed *f, unsigned delay) {  // responses `delay` cycles later
  f->cmd_pct = f->data_pct = f->s.aw_pct = f->s.w_pct = f->s.done_pct = 100;
  f->s.b_late = true;
  f->s.b_delay = delay;
}

static void feed_random(tb *t, feed *f) {
  static const unsigned pct[] = {100, 100, 80, 50, 15};
  f->cmd_pct = pct[rnd_below(t, 5)];
  f->data_pct = pct[rnd_below(t, 5)];
  f->s.aw_pct = pct[rnd_below(t, 5)];
  f->s.w_pct = pct[rnd_below(t, 5)];
  f->s.done_pct = pct[rnd_below(t, 5)];
  f->s.b_late = false;
  f->s.b_delay = (unsigned)rnd_below(t, 2) * (unsigned)rnd_below(t, 100);
}

// Entries of which each is a burst. Responses are kept back: so many bursts, no more, and nothing is done; each
// response then makes room for one.
static inline void feed_no_response(tb *t, dut *d, feed *f) {
  feed_fast(f, 0);
  f->s.b_hold = true;
  uint64_t bursts = f->s.bursts;
  unsigned done = f->done;
  for (unsigned i = 0; i < 6 * P_Outstanding + 50; i++) feed_step(t, d, f, true);
  CHECK_EQ(t, f->s.bursts - bursts, P_Outstanding, "bursts without a response");
  for (unsigned i = 0; i < 3 * P_Outstanding; i++) {
    CHECK_EQ(t, f->done - done, i, "P4: done after %u responses", i);
    for (unsigned k = 0; k < 6; k++) {
      f->s.b_hold = k != 0;
      feed_step(t, d, f, true);
    }
    CHECK_EQ(t, f->s.bursts - bursts, P_Outstanding + i + 1, "bursts after %u responses", i + 1);
  }
  f->s.b_hold = false;
}

// Nobody takes the ids: so many entries are taken, no more, and `ahead` that are not looked at yet.
static inline void feed_no_done(tb *t, dut *d, feed *f, unsigned ahead) {
  feed_fast(f, 0);
  f->s.done_pct = 0;
  for (unsigned i = 0; i < 4 * P_Ids + 100; i++) feed_step(t, d, f, true);
  unsigned taken = (f->tail + FEED_ENTRIES - f->head) % FEED_ENTRIES - f->have;
  CHECK_EQ(t, taken, P_Ids + ahead, "entries taken while nobody takes their ids");
  f->s.done_pct = 100;
}

static void feed_check_drained(tb *t, const feed *f) {
  CHECK(t, f->head == f->tail && !f->have, "P5: entries left after the last command");
  CHECK(t, !f->s.open && f->s.b_head == f->s.b_tail, "a burst is left open");
}

#endif
