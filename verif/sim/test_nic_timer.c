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
static unsigned unit = 1;  // cycles of a unit
static uint64_t began;     // cycle in which one began
static int waits = -1;     // QP whose alarm has to wait at fire_o

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

// P2: the units of an RNR alarm are whole ones, that which has begun is none of them.
static uint64_t due(const dut *d, unsigned kind, unsigned code) {
  uint64_t now = dut_cycle(d);
  return kind == Rnr ? began + ((now - began) / unit + 1 + rnr_units[code]) * unit : now + (1ull << code);
}

// What is shown is set, due, and (P4) what was shown before if that had to wait.
static void look(tb *t, dut *d, bool ready) {
  unsigned qp = (unsigned)dut_get_fire_qp_o(d), kind = dut_get_fire_rnr_o(d) ? Rnr : Cycles;
  CHECK(t, waits < 0 || (dut_get_fire_valid_o(d) && qp == (unsigned)waits), "the alarm of QP %d does not wait", waits);
  waits = -1;
  if (!dut_get_fire_valid_o(d)) return;
  CHECK(t, qp < P_NumQps && want[qp].kind == kind, "an alarm of QP %u (kind %u) that is not set", qp, kind);
  if (qp >= P_NumQps) return;
  CHECK(t, dut_cycle(d) >= want[qp].due, "QP %u fires %u too early", qp, (unsigned)(want[qp].due - dut_cycle(d)));
  if (!ready) {
    waits = (int)qp;
    return;
  }
  want[qp].kind = Off;
  fired[kind]++;
}

// One cycle. `slack`: how late an alarm may be by now, or 0 while fire_ready_i is held.
static void cycle(tb *t, dut *d, bool ready, uint64_t slack) {
  dut_set_fire_ready_i(d, ready);
  dut_eval(d);
  look(t, d, ready);
  if (slack)
    for (unsigned q = 0; q < P_NumQps; q++)
      if (want[q].kind && dut_cycle(d) > want[q].due + slack) {
        CHECK(t, false, "QP %u has not fired", q);
        want[q].kind = Off;
      }
  if (dut_get_set_valid_i(d)) {
    unsigned q = (unsigned)dut_get_set_qp_i(d), code = (unsigned)dut_get_set_code_i(d);
    want[q].kind = (unsigned)dut_get_set_kind_i(d);
    if (want[q].kind == Cycles && code == 0) want[q].kind = Off;
    want[q].due = due(d, want[q].kind, code);
    if ((int)q == waits) waits = -1;
  }
  dut_tick(d);
  dut_set_set_valid_i(d, 0);
}

static void run(tb *t, dut *d, uint64_t n) {
  while (n--) cycle(t, d, true, SLACK);
}

// A unit of so many cycles begins, and what is left of RNR alarms is counted in such units.
static void begin_unit(dut *d, unsigned cycles) {
  unsigned was = unit;
  unit = cycles ? cycles : 1;
  began = dut_cycle(d);
  dut_set_cfg_tick_i(d, cycles);
  for (unsigned q = 0; q < P_NumQps; q++)
    if (want[q].kind == Rnr && want[q].due > began) want[q].due = began + (want[q].due - began + was - 1) / was * unit;
}

// A unit of one cycle goes before, since it ends what has begun: so it is known when units begin.
static void set_tick(tb *t, dut *d, unsigned cycles) {
  begin_unit(d, 1);
  cycle(t, d, true, SLACK);
  begin_unit(d, cycles);
}

// Nothing but time passes, unless an alarm comes; none may be late by then.
static void until(tb *t, dut *d, uint64_t end) {
  while (dut_cycle(d) < end)
    if (dut_get_fire_valid_o(d))
      cycle(t, d, true, SLACK);
    else
      dut_tick(d);
}

// Every exponent that fits a test, then every RNR code of up to 128 units.
static void every_code(tb *t, dut *d) {
  for (unsigned code = 0; code < 11; code++) {
    set(d, code % P_NumQps, Cycles, code);
    run(t, d, 1 + (1u << code) + SLACK);
  }
  CHECK_EQ(t, fired[Cycles], 10, "alarms of cycles (code 0 is never)");
  for (unsigned code = 1; code < 15; code++) {
    set(d, (code + 3) % P_NumQps, Rnr, code);
    run(t, d, 1 + 7 * rnr_units[code] + SLACK + 15);
  }
  CHECK_EQ(t, fired[Rnr], 14, "RNR alarms");
}

static void all_at_once(tb *t, dut *d) {
  for (unsigned q = 0; q < P_NumQps; q++) {
    set(d, q, Cycles, q < P_NumQps / 2 ? 10 : 9);
    cycle(t, d, true, 0);
  }
  run(t, d, 1100 + SLACK);
  CHECK_EQ(t, fired[Cycles], 10 + P_NumQps, "alarms after all were set");
}

// All are due and one waits: the walk stands at the next, whenever that one is taken.
static void none_passed_over(tb *t, dut *d) {
  for (unsigned q = 0; q < P_NumQps; q++) {
    set(d, q, q % 3 ? Cycles : Rnr, 1);
    cycle(t, d, false, 0);
  }
  for (unsigned i = 0; i < SLACK; i++) cycle(t, d, false, 0);
  unsigned next = (unsigned)dut_get_fire_qp_o(d);
  for (unsigned i = 0; i < P_NumQps; i++, next = (next + 1) % P_NumQps) {
    for (uint64_t wait = rnd_below(t, 9); wait; wait--) cycle(t, d, false, 0);
    for (unsigned k = 0; k < 4 && !dut_get_fire_valid_o(d); k++) cycle(t, d, false, 0);
    CHECK(t, dut_get_fire_valid_o(d) && dut_get_fire_qp_o(d) == next, "QP %u was passed over", next);
    cycle(t, d, true, 0);
    dut_eval(d);
  }
}

// One waits for longer than an RNR wait's code can say: what is due then comes as soon as it is taken.
static void long_wait(tb *t, dut *d) {
  set_tick(t, d, 1);
  set(d, 0, Cycles, 3);
  for (unsigned i = 0; i < SLACK + 9; i++) cycle(t, d, false, 0);
  set(d, 1, Rnr, 1);
  cycle(t, d, false, 0);
  while (dut_cycle(d) < want[1].due + (1u << 18) + 1000) dut_tick(d);
  for (unsigned i = 0; i < SLACK; i++) cycle(t, d, true, 0);
  CHECK(t, !want[0].kind && !want[1].kind, "both have fired");
}

// An alarm that waits is withdrawn by off, and replaced by another.
static void withdrawn(tb *t, dut *d) {
  set(d, 1, Cycles, 1);
  for (unsigned i = 0; i < SLACK + 4; i++) cycle(t, d, false, 0);
  CHECK(t, dut_get_fire_valid_o(d), "alarm waits");
  set(d, 1, Off, 9);
  cycle(t, d, false, 0);
  dut_eval(d);
  CHECK(t, !dut_get_fire_valid_o(d), "alarm was withdrawn");
  run(t, d, 3 * SLACK);
}

// Alarms of all QPs but 0 are set in one unit and end after whole ones of `cycles`, all at once: one of them is looked
// at as soon as it is due, so that a unit of a few cycles less is seen.
static void all_in_units(tb *t, dut *d, unsigned cycles, unsigned code) {
  uint64_t was = fired[Rnr];
  set_tick(t, d, P_NumQps);
  for (unsigned q = 1; q < P_NumQps; q++) {
    set(d, q, Rnr, code);
    cycle(t, d, true, SLACK);
  }
  set_tick(t, d, cycles);
  until(t, d, want[1].due);
  run(t, d, SLACK + 2);
  CHECK_EQ(t, fired[Rnr], was + P_NumQps - 1, "RNR alarms in units of %u cycles", cycles);
}

// Units that end in a test, with all bits of NIC_TICK set that it has, and with all but one; then each bit, which makes
// a unit that does not end.
static void long_units(tb *t, dut *d) {
  for (unsigned b = 1; b < 11; b++) {
    unsigned most = (1u << b) - 1;
    all_in_units(t, d, most, 6);
    all_in_units(t, d, most & ~(1u << rnd_below(t, b)), 6);
  }
  for (unsigned b = 0; b < 32; b++) {
    unsigned q = (unsigned)rnd_below(t, P_NumQps);
    set_tick(t, d, 1u << b);
    set(d, q, Rnr, 1);
    run(t, d, P_NumQps + 8);
    set(d, q, Off, 0);
    cycle(t, d, true, 0);
  }
}

// Five RNR codes, side by side.
static void codes(tb *t, dut *d, unsigned tick, unsigned first) {
  uint64_t was = fired[Rnr];
  set_tick(t, d, tick);
  for (unsigned i = 0; i < 5; i++) {
    set(d, i, Rnr, first + i);
    cycle(t, d, true, SLACK);
  }
  run(t, d, unit * (rnr_units[first + 4] + 1) + SLACK);
  CHECK_EQ(t, fired[Rnr], was + 5, "codes from %u on", first);
}

// The units of a code pass in a cycle each, but for the last: these take longer than an alarm may be late, so that one
// too many or too few is seen of the longest codes.
static void whole_code(tb *t, dut *d, unsigned qp, unsigned code) {
  uint64_t was = fired[Rnr];
  set_tick(t, d, 1);
  set(d, qp, Rnr, code);
  cycle(t, d, true, SLACK);
  until(t, d, want[qp].due - 2);
  set_tick(t, d, SLACK + 9);
  until(t, d, want[qp].due);
  run(t, d, SLACK + 2);
  CHECK_EQ(t, fired[Rnr], was + 1, "RNR alarms of code %u", code);
}

// So many cycles that all that counts has many bits: cycles, those of a unit, and units. The codes follow one another,
// the longest first. More cycles in a longer run.
static void long_time(tb *t, dut *d) {
  uint64_t was = fired[Cycles];
  unsigned bits = 19;
  while (bits < 31 && t->cycles >> bits) bits++;
  set(d, 0, Cycles, bits);
  cycle(t, d, true, SLACK);
  all_in_units(t, d, (1u << (bits - 2)) - 1, 1);
  all_in_units(t, d, (1u << (bits - 4)) - 1, 2);
  for (unsigned code = 0; dut_cycle(d) + rnr_units[code] + 5 * SLACK < want[0].due; code = (code + 31) % 32)
    whole_code(t, d, 1 + (unsigned)rnd_below(t, P_NumQps - 1), code);
  until(t, d, want[0].due);
  run(t, d, SLACK + 2);
  CHECK_EQ(t, fired[Cycles], was + 1, "alarms of the longest time");
}

// All are set in turn, for more than a round, while the walk is at each of them, so that it sees no word: what it saw
// last, QP 0's whose time had come, says nothing of what is set now. Each time the walk is one place further on.
static void in_turn(tb *t, dut *d) {
  for (unsigned n = 0; n < P_NumQps && n < 32; n++) {
    set(d, 0, Cycles, 1);
    run(t, d, 4 * P_NumQps - 2);
    for (unsigned i = 0; i < P_NumQps + 3; i++) {
      set(d, (1 + i) % P_NumQps, Cycles, 31);
      cycle(t, d, true, SLACK);
    }
  }
}

// Nothing is left of what was set; units of another length follow.
static void reset(tb *t, dut *d) {
  dut_reset(d, 2);
  memset(want, 0, sizeof want);
  waits = -1;
  set_tick(t, d, 1 + (unsigned)rnd_below(t, 6));
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
    if (rnd_below(t, 4000) == 0) reset(t, d);
    if (rnd_chance(t, busy)) any_set(t, d);
    bool ready = rnd_chance(t, take);
    quiet = ready ? quiet + 1 : 0;
    cycle(t, d, ready, quiet > 3 * SLACK ? SLACK : 0);
  }
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_timer", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  set_tick(&t, d, 7);
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
  long_wait(&t, d);
  none_passed_over(&t, d);
  at_random(&t, d);
  CHECK(&t, fired[Cycles] > t.cycles / 1000 && fired[Rnr] > t.cycles / 2000, "%u alarms",
        (unsigned)(fired[1] + fired[2]));
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
