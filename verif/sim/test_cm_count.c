// SPDX-License-Identifier: Apache-2.0
// cm_count: 41 counters beside 41 in C, read in every cycle whose address was there in the one before,
// under events of every rate; clears in every second cycle and of every counter; the widest steps long enough for
// carries out of the low bits. A netlist begins with counters anywhere, where no run comes.
// config: default -GNumCnt=41 -GCycleCnt=32 -GBytesACnt=13 -GBytesBCnt=15 -GBytesW=14 -GTwice=0
// config: twice -GNumCnt=41 -GCycleCnt=32 -GBytesACnt=13 -GBytesBCnt=15 -GBytesW=14 -GTwice=1441792
// netlist: twice
#include <stdlib.h>

#include "tb.h"
#include "cm_count_tb.h"

enum { NUM = P_NumCnt };

static uint64_t ref[64];
static unsigned bus;  // what is on the bus: 64 + a counter, or elsewhere
static bool seen;     // it was in the last cycle, which was no write
static bool in_turn;  // the bus goes from one counter to the next

static void cycle(tb *t, dut *d, unsigned rate, unsigned clear, bool wide) {
  uint64_t inc = 0, more = 0;
  for (unsigned i = 0; i < NUM; i++) {
    if (rnd_chance(t, rate)) inc |= 1ull << i;
    if (rnd_chance(t, rate)) more |= 1ull << i;
  }
  uint64_t a = wide ? (1u << BYTES_A_I_W) - 1 : rnd_chance(t, rate) ? rnd_bits(t, BYTES_A_I_W) : 0;
  uint64_t b = wide ? (1u << BYTES_B_I_W) - 1 : rnd_chance(t, rate) ? rnd_bits(t, BYTES_B_I_W) : 0;
  if (in_turn) {  // one in two cycles: the other is its setup
    static bool setup;
    setup = !setup;
    if (setup) bus = 64 + ((bus & 63) + 1) % NUM, seen = false;
  } else if (rnd_chance(t, 30)) {
    unsigned was = bus;
    bus = (rnd_below(t, 20) == 0 ? 0u : 64u) + (unsigned)rnd_below(t, rnd_chance(t, 90) ? NUM : 64);
    seen = seen && bus == was;
  }
  unsigned which = bus & 63;
  bool other = bus < 64, we = seen && rnd_chance(t, clear);
  dut_set_inc_i(d, inc);
  dut_set_more_i(d, more);
  dut_set_bytes_a_i(d, a);
  dut_set_bytes_b_i(d, b);
  dut_set_rb_sel_i(d, !other);
  dut_set_rb_idx_i(d, which);
  dut_set_rb_we_i(d, we);
  dut_eval(d);
  if (seen) CHECK_EQ(t, dut_get_rb_rdata_o(d), other ? 0 : ref[which], "CNT[%u]", which);
  for (unsigned i = 0; i < NUM; i++) {
    if (i == P_BytesACnt)
      ref[i] += inc >> i & 1 ? a : 0;
    else if (i == P_BytesBCnt)
      ref[i] += inc >> i & 1 ? b : 0;
    else if (i == P_CycleCnt)
      ref[i]++;
    else
      ref[i] += (inc >> i & 1) + ((more & P_Twice) >> i & 1);
  }
  if (we && !other && which < NUM) ref[which] = 0;
  seen = !we;
  dut_tick(d);
}

static void reset(dut *d) {
  dut_set_rb_we_i(d, 0);
  dut_reset(d, 1);
  for (unsigned i = 0; i < 64; i++) ref[i] = 0;
  seen = false;
}

// Before its reset a netlist holds anything (of the module the theorems begin with a reset): after a sweep its counters
// are such ones as many years of events make, and they count on from there.
static void begin_anywhere(tb *t, dut *d) {
  dut_set_rst_ni(d, 1);
  dut_set_rb_sel_i(d, 1);
  for (unsigned i = 0; i < 200; i++) dut_tick(d);
  for (unsigned i = 0; i < NUM; i++) {
    dut_set_rb_idx_i(d, i);
    dut_tick(d);
    if (i > P_CycleCnt) ref[P_CycleCnt]++;
    ref[i] = dut_get_rb_rdata_o(d);
  }
  uint64_t any = 0, all = ~0ull;
  for (unsigned i = 0; i < NUM; i++)  // those of bytes have their words at another place
    if (i != P_BytesACnt && i != P_BytesBCnt) any |= ref[i], all &= ref[i];
  CHECK(t, any == ~0ull && all == 0, "bits that are the same in all counters: %" PRIx64, all | ~any);
  for (unsigned i = 0; i < 1500; i++) cycle(t, d, 90, 0, true);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_count", 48000);
  dut *d = dut_begin(&t);
  if (getenv("TOCSIN_NETLIST")) begin_anywhere(&t, d);
  reset(d);
  for (unsigned i = 0; i < 3000; i++) cycle(&t, d, 100, 0, true);  // all at their highest rate, nothing cleared
  in_turn = true;
  for (unsigned n = 0; n < NUM; n++) {  // low bits run over after 128 events; a reset at each place of the sweep
    reset(d);
    for (unsigned i = 130 + n; i > 0; i--) cycle(&t, d, 100, 0, true);
  }
  in_turn = false;
  reset(d);
  while (dut_cycle(d) < t.cycles) {
    // Now and then a counter is cleared that has run over, or beside one that does.
    static const unsigned clears[] = {0, 5, 10, 10, 30, 100};
    unsigned rate = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 101), clear = clears[rnd_below(&t, 6)];
    bool wide = rnd_chance(&t, 20);
    for (unsigned i = 0; i < 500; i++) cycle(&t, d, rate, clear, wide);
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
