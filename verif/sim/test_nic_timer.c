// SPDX-License-Identifier: Apache-2.0
// nic_timer: alarms of cycles and of RNR units against a list of when each is due; early, late, lost, twice, withdrawn,
// passed over.
// Rules of rtl/nic/README.md: REQ-12, TIM-1, TIM-2.
// config: default -GNumQps=16
// config: odd -GNumQps=5
// config: many -GNumQps=256
// netlist: default
#include <string.h>

#include "tb.h"
#include "nic_timer_tb.h"

enum { Off, Cycles, Rnr };
#define SLACK (2u * P_NumQps + 4)  // P1: how late an alarm may be

typedef struct alarm {
  unsigned kind;
  uint64_t due;  // cycle from which on it may fire
} alarm;

static alarm want[P_NumQps];
static uint64_t fired[3];

// formats 4.5, in units of 10 us.
static const uint32_t rnr_units[32] = {65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
                                       48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
                                       2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

static void set(dut *d, unsigned qp, unsigned kind, unsigned code) {
  dut_set_set_valid_i(d, 1);
  dut_set_set_qp_i(d, qp);
  dut_set_set_kind_i(d, kind);
  dut_set_set_code_i(d, code);
}

// One cycle. `slack`: how late an alarm may be by now, or 0 while fire_ready_i is held or the unit has just changed.
static void cycle(tb *t, dut *d, unsigned tick, bool ready, uint64_t slack) {
  dut_set_fire_ready_i(d, ready);
  dut_eval(d);
  if (dut_get_fire_valid_o(d)) {
    unsigned qp = (unsigned)dut_get_fire_qp_o(d), kind = dut_get_fire_rnr_o(d) ? Rnr : Cycles;
    CHECK(t, qp < P_NumQps && want[qp].kind == kind, "an alarm of QP %u (kind %u) that is not set", qp, kind);
    if (qp < P_NumQps) {
      CHECK(t, dut_cycle(d) >= want[qp].due, "QP %u fires %u too early", qp, (unsigned)(want[qp].due - dut_cycle(d)));
      if (ready) {
        want[qp].kind = Off;
        fired[kind]++;
      }
    }
  }
  if (slack)
    for (unsigned q = 0; q < P_NumQps; q++)
      if (want[q].kind && dut_cycle(d) > want[q].due + slack + (want[q].kind == Rnr ? tick : 0)) {
        CHECK(t, false, "QP %u has not fired", q);
        want[q].kind = Off;
      }
  if (dut_get_set_valid_i(d)) {
    unsigned q = (unsigned)dut_get_set_qp_i(d), code = (unsigned)dut_get_set_code_i(d);
    want[q].kind = (unsigned)dut_get_set_kind_i(d);
    if (want[q].kind == Cycles && code == 0) want[q].kind = Off;
    want[q].due = dut_cycle(d) + (want[q].kind == Rnr ? (uint64_t)rnr_units[code] * tick : 1ull << code);
  }
  dut_tick(d);
  dut_set_set_valid_i(d, 0);
}

static void run(tb *t, dut *d, unsigned tick, unsigned n) {
  while (n--) cycle(t, d, tick, true, SLACK);
}

// Every exponent that fits a test, then every RNR code of up to 128 units.
static void every_code(tb *t, dut *d) {
  for (unsigned code = 0; code < 11; code++) {
    set(d, code % P_NumQps, Cycles, code);
    run(t, d, 7, 1 + (1u << code) + SLACK);
  }
  CHECK_EQ(t, fired[Cycles], 10, "alarms of cycles (code 0 is never)");
  for (unsigned code = 1; code < 15; code++) {
    set(d, (code + 3) % P_NumQps, Rnr, code);
    run(t, d, 7, 1 + 7 * rnr_units[code] + SLACK + 15);
  }
  CHECK_EQ(t, fired[Rnr], 14, "RNR alarms");
}

static void all_at_once(tb *t, dut *d) {
  for (unsigned q = 0; q < P_NumQps; q++) {
    set(d, q, Cycles, q < P_NumQps / 2 ? 10 : 9);
    cycle(t, d, 7, true, 0);
  }
  run(t, d, 7, 1100 + SLACK);
  CHECK_EQ(t, fired[Cycles], 10 + P_NumQps, "alarms after all were set");
}

// All are due and one waits: the walk stands at the next, whenever that one is taken.
static void none_passed_over(tb *t, dut *d) {
  for (unsigned q = 0; q < P_NumQps; q++) {
    set(d, q, q % 3 ? Cycles : Rnr, 1);
    cycle(t, d, 1, false, 0);
  }
  for (unsigned i = 0; i < SLACK; i++) cycle(t, d, 1, false, 0);
  unsigned next = (unsigned)dut_get_fire_qp_o(d);
  for (unsigned i = 0; i < P_NumQps; i++, next = (next + 1) % P_NumQps) {
    for (uint64_t wait = rnd_below(t, 9); wait; wait--) cycle(t, d, 1, false, 0);
    for (unsigned k = 0; k < 4 && !dut_get_fire_valid_o(d); k++) cycle(t, d, 1, false, 0);
    CHECK(t, dut_get_fire_valid_o(d) && dut_get_fire_qp_o(d) == next, "QP %u was passed over", next);
    cycle(t, d, 1, true, 0);
    dut_eval(d);
  }
}

// An alarm that waits is withdrawn by off, and replaced by another.
static void withdrawn(tb *t, dut *d) {
  set(d, 1, Cycles, 1);
  for (unsigned i = 0; i < SLACK + 4; i++) cycle(t, d, 7, false, 0);
  CHECK(t, dut_get_fire_valid_o(d), "alarm waits");
  set(d, 1, Off, 9);
  cycle(t, d, 7, false, 0);
  dut_eval(d);
  CHECK(t, !dut_get_fire_valid_o(d), "alarm was withdrawn");
  run(t, d, 7, 3 * SLACK);
}

// Units of many cycles: those that end in a test, then each bit of NIC_TICK, which makes a unit that does not.
static void long_units(tb *t, dut *d) {
  for (unsigned tick = 2; tick < 1500; tick = tick * 5 + 1) {
    unsigned q = (unsigned)rnd_below(t, P_NumQps), was = (unsigned)fired[Rnr];
    dut_set_cfg_tick_i(d, tick);
    set(d, q, Rnr, 1);
    run(t, d, tick, 2 * tick + SLACK);
    CHECK_EQ(t, fired[Rnr], was + 1, "an RNR alarm in units of %u cycles", tick);
  }
  for (unsigned b = 0; b < 32; b++) {
    unsigned q = (unsigned)rnd_below(t, P_NumQps);
    dut_set_cfg_tick_i(d, 1u << b);
    set(d, q, Rnr, 1);
    run(t, d, 1u << b, P_NumQps + 8);
    set(d, q, Off, 0);
    cycle(t, d, 1, true, 0);
  }
}

// Five RNR codes, side by side.
static void codes(tb *t, dut *d, unsigned tick, unsigned first) {
  uint64_t was = fired[Rnr];
  unsigned unit = tick ? tick : 1;
  dut_set_cfg_tick_i(d, tick);
  for (unsigned i = 0; i < 5; i++) {
    set(d, i, Rnr, first + i);
    cycle(t, d, unit, true, SLACK);
  }
  run(t, d, unit, unit * (rnr_units[first + 4] + 1) + SLACK);
  CHECK_EQ(t, fired[Rnr], was + 5, "codes from %u on", first);
}

// Nothing but time passes until one more fires, or until it is late.
static void pass(tb *t, dut *d, unsigned tick, uint64_t most) {
  uint64_t was = fired[Cycles] + fired[Rnr], end = dut_cycle(d) + most + tick + SLACK;
  while (fired[Cycles] + fired[Rnr] == was && dut_cycle(d) < end) {
    if (dut_get_fire_valid_o(d))
      cycle(t, d, tick, true, SLACK);
    else
      dut_tick(d);
  }
  CHECK_EQ(t, fired[Cycles] + fired[Rnr], was + 1, "alarms within %u cycles", (unsigned)most);
}

// So many cycles that all that counts has many bits: cycles, those of a unit, and units.
static void long_time(tb *t, dut *d) {
  const unsigned tick = 70000;
  set(d, 0, Cycles, 19);
  cycle(t, d, tick, true, SLACK);
  dut_set_cfg_tick_i(d, tick);
  set(d, 1, Rnr, 1);
  cycle(t, d, tick, true, SLACK);
  pass(t, d, tick, tick);
  dut_set_cfg_tick_i(d, 1);
  while (dut_cycle(d) + rnr_units[0] + 2 * SLACK < want[0].due) {
    set(d, 1, Rnr, 0);
    cycle(t, d, 1, true, SLACK);
    pass(t, d, 1, rnr_units[0]);
  }
  pass(t, d, 1, want[0].due - dut_cycle(d));
}

// All are set in turn, for more than a round, while the walk is at each of them, so that it sees no word: what it saw
// last, QP 0's whose time had come, says nothing of what is set now. Each time the walk is one place further on.
static void in_turn(tb *t, dut *d) {
  for (unsigned n = 0; n < P_NumQps && n < 32; n++) {
    set(d, 0, Cycles, 1);
    run(t, d, 1, 4 * P_NumQps - 2);
    for (unsigned i = 0; i < P_NumQps + 3; i++) {
      set(d, (1 + i) % P_NumQps, Cycles, 31);
      cycle(t, d, 1, true, SLACK);
    }
  }
}

// Nothing is left of what was set.
static void reset(dut *d) {
  dut_reset(d, 2);
  memset(want, 0, sizeof want);
}

// Long alarms are never reached: they do not come early. Some are set one after the other, as the walk goes.
static void any_set(tb *t, dut *d) {
  static unsigned qp;
  unsigned kind = (unsigned)rnd_below(t, 3);
  bool beyond = rnd_chance(t, 10);
  qp = rnd_chance(t, 30) ? (qp + 1) % P_NumQps : (unsigned)rnd_below(t, P_NumQps);
  set(d, qp, kind,
      beyond        ? (unsigned)rnd_below(t, 32)
      : kind == Rnr ? 1 + (unsigned)rnd_below(t, 18)
                    : (unsigned)rnd_below(t, 11));
}

static void at_random(tb *t, dut *d) {
  unsigned busy = 5, take = 100;
  uint64_t quiet = 0;  // cycles since fire_ready_i was last low
  for (uint64_t end = dut_cycle(d) + t->cycles; dut_cycle(d) < end;) {
    if (dut_cycle(d) % 2000 == 0) {
      busy = rnd_chance(t, 30) ? 60 : (unsigned)rnd_below(t, 10);
      take = rnd_chance(t, 50) ? 100 : 1 + (unsigned)rnd_below(t, 50);
    }
    if (rnd_below(t, 4000) == 0) reset(d);
    if (rnd_chance(t, busy)) any_set(t, d);
    bool ready = rnd_chance(t, take);
    quiet = ready ? quiet + 1 : 0;
    cycle(t, d, 1, ready, quiet > 3 * SLACK ? SLACK : 0);
  }
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_timer", 60000);
  dut *d = dut_begin(&t);
  dut_set_cfg_tick_i(d, 7);
  dut_reset(d, 2);
  every_code(&t, d);
  all_at_once(&t, d);
  withdrawn(&t, d);
  long_units(&t, d);

  long_time(&t, d);
  // A unit is longer than the walk, so that one too many or too few is seen.
  codes(&t, d, SLACK + 9, 1);
  codes(&t, d, SLACK + 9, 6);
  codes(&t, d, 5, 16);
  codes(&t, d, 0, 19);
  in_turn(&t, d);
  none_passed_over(&t, d);
  at_random(&t, d);
  CHECK(&t, fired[Cycles] > t.cycles / 1000 && fired[Rnr] > t.cycles / 2000, "%u alarms",
        (unsigned)(fired[1] + fired[2]));
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
