// SPDX-License-Identifier: Apache-2.0
// nic_timer: alarms of cycles and of RNR units against a list of when each is due; early, late, lost, twice, withdrawn.
// Rules of rtl/nic/README.md: REQ-12, TIM-1, TIM-2.
// config: default -GNumQps=16
// config: odd -GNumQps=5
// config: many -GNumQps=256
#include <string.h>

#include "tb.h"
#include "nic_timer_tb.h"

enum { Off, Cycles, Rnr };

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
      if (want[q].kind && dut_cycle(d) > want[q].due + slack + (want[q].kind == Rnr ? 2 * tick : 0)) {
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
  while (n--) cycle(t, d, tick, true, 2 * P_NumQps + 4);
}

int main(int argc, char **argv) {
  const unsigned slack = 2 * P_NumQps + 4;
  tb t;
  tb_init(&t, argc, argv, "nic_timer", 60000);
  dut *d = dut_begin(&t);
  dut_set_cfg_tick_i(d, 7);
  dut_reset(d, 2);

  // Every exponent that fits a test, then every RNR code of up to 128 units.
  for (unsigned code = 0; code < 11; code++) {
    set(d, code % P_NumQps, Cycles, code);
    run(&t, d, 7, 1 + (1u << code) + slack);
  }
  CHECK_EQ(&t, fired[Cycles], 10, "alarms of cycles (code 0 is never)");
  for (unsigned code = 1; code < 15; code++) {
    set(d, (code + 3) % P_NumQps, Rnr, code);
    run(&t, d, 7, 1 + 7 * rnr_units[code] + slack + 15);
  }
  CHECK_EQ(&t, fired[Rnr], 14, "RNR alarms");

  // All at once.
  for (unsigned q = 0; q < P_NumQps; q++) {
    set(d, q, Cycles, q < P_NumQps / 2 ? 10 : 9);
    cycle(&t, d, 7, true, 0);
  }
  run(&t, d, 7, 1100 + slack);
  CHECK_EQ(&t, fired[Cycles], 10 + P_NumQps, "alarms after all were set");

  // An alarm that waits is withdrawn by off, and replaced by another.
  set(d, 1, Cycles, 1);
  for (unsigned i = 0; i < slack + 4; i++) cycle(&t, d, 7, false, 0);
  CHECK(&t, dut_get_fire_valid_o(d), "alarm waits");
  set(d, 1, Off, 9);
  cycle(&t, d, 7, false, 0);
  dut_eval(d);
  CHECK(&t, !dut_get_fire_valid_o(d), "alarm was withdrawn");
  run(&t, d, 7, 3 * slack);

  // Longest RNR codes: with units of one cycle.
  dut_set_cfg_tick_i(d, 0);
  set(d, 2, Rnr, 23);
  run(&t, d, 1, 3072 + slack + 8);
  CHECK_EQ(&t, fired[Rnr], 15, "code 23");

  // Random.
  unsigned busy = 5, take = 100;
  uint64_t quiet = 0;  // cycles since fire_ready_i was last low
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) {
    if (dut_cycle(d) % 2000 == 0) {
      busy = rnd_chance(&t, 30) ? 60 : (unsigned)rnd_below(&t, 10);
      take = rnd_chance(&t, 50) ? 100 : 1 + (unsigned)rnd_below(&t, 50);
    }
    if (rnd_chance(&t, busy)) {
      unsigned kind = (unsigned)rnd_below(&t, 3);
      set(d, (unsigned)rnd_below(&t, P_NumQps), kind,
          kind == Rnr ? 1 + (unsigned)rnd_below(&t, 18) : (unsigned)rnd_below(&t, 11));
    }
    bool ready = rnd_chance(&t, take);
    quiet = ready ? quiet + 1 : 0;
    cycle(&t, d, 1, ready, quiet > 3 * slack ? slack : 0);
  }
  CHECK(&t, fired[Cycles] > t.cycles / 1000 && fired[Rnr] > t.cycles / 2000, "%u alarms",
        (unsigned)(fired[1] + fired[2]));
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
