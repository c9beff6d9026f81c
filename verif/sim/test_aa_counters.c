// SPDX-License-Identifier: Apache-2.0
// aa_counters beside 41 counters in C: the list of REGISTERS.md says which event each counts. Events of every rate;
// each counter read and cleared, and addresses beside it; what a decision, a look-up or a fault leaves counts a cycle
// later.
// Rules of rtl/aa/README.md: CNT-1.
// netlist: default
#include <stdlib.h>

#include "tb.h"
#include "aa_counters_tb.h"
#include "reg_bus.h"

enum { CNT = 0x4000, NUM = 41, BYTES_RESERVED = 13, BYTES_PUBLISHED = 15, CYCLES = 32 };

typedef struct events {
  uint64_t decide, xlt, back, wait, bytes;
  uint64_t units;  // of 16 bytes behind a record's header: 4 KiB at most
  bool stored, lost, pub, abort, inv, msi;
} events;

// Of one cycle, and what the one before it has left.
static uint64_t counted(const events *e, const events *last) {
#define DECIDE(f) (last->decide >> AA_DECIDE_EVENT_T_##f##_LSB & 1)
#define XLT(f) (last->xlt >> AA_XLT_EVENT_T_##f##_LSB & 1)
#define BACK(f) (e->back >> AA_RETURN_EVENT_T_##f##_LSB & 1)
  const bool list[NUM] = {DECIDE(REQUEST),
                          DECIDE(WRITE),
                          DECIDE(READ),
                          DECIDE(ATOMIC),
                          DECIDE(PASSED),
                          XLT(HIT),
                          XLT(WALK_ENDED),
                          XLT(WALK_FAULT),
                          XLT(TLB_FILL),
                          XLT(CTX_FILL),
                          XLT(WALK_BEGUN),
                          DECIDE(DENIED),
                          DECIDE(RESERVED),
                          DECIDE(RESERVED),
                          e->pub,
                          e->pub,
                          DECIDE(DROPPED),
                          e->abort,
                          BACK(BAD_CPL),
                          DECIDE(FLUSH),
                          BACK(FLUSH_LATE),
                          DECIDE(MALFORMED),
                          DECIDE(TAG_LIVE),
                          DECIDE(NO_LOG),
                          last->stored,
                          last->lost,
                          e->inv,
                          e->msi,
                          DECIDE(PAD),
                          DECIDE(POISONED),
                          DECIDE(FILTER),
                          BACK(TIMEOUT),
                          true,
                          e->wait & 1,
                          e->wait >> 1 & 1,
                          e->wait >> 2 & 1,
                          e->wait >> 3 & 1,
                          e->wait >> 4 & 1,
                          BACK(LATE),
                          BACK(OVER),
                          DECIDE(OLD)};
  uint64_t all = 0;
  for (unsigned i = 0; i < NUM; i++) all |= (uint64_t)list[i] << i;
  return all;
}

static uint64_t some(tb *t, unsigned bits, unsigned percent) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bits; i++) v |= (uint64_t)rnd_chance(t, percent) << i;
  return v;
}

static uint64_t ref[64];
static events last;  // of the last cycle
static unsigned at;  // on the bus
static bool seen;    // it was there in the last cycle, which was no write

static void cycle(tb *t, dut *d, unsigned rate, unsigned clear) {
  events e = {.decide = some(t, AA_DECIDE_EVENT_T_W, rate),
              .xlt = some(t, AA_XLT_EVENT_T_W, rate),
              .back = some(t, AA_RETURN_EVENT_T_W, rate),
              .wait = some(t, 5, rate),
              .units = rnd_below(t, 257),
              .bytes = rnd_bits(t, PUB_BYTES_I_W),
              .stored = rnd_chance(t, rate),
              .lost = rnd_chance(t, rate),
              .pub = rnd_chance(t, rate),
              .abort = rnd_chance(t, rate),
              .inv = rnd_chance(t, rate),
              .msi = rnd_chance(t, rate)};
  if (rnd_chance(t, 30)) {
    unsigned was = at;
    at = CNT + 8 * (unsigned)rnd_below(t, 64);
    if (rnd_chance(t, 20)) at ^= 8u << rnd_below(t, 17);
    seen = seen && at == was;
  }
  bool we = seen && rnd_chance(t, clear), mine = (at & ~0x1ffu) == CNT;
  unsigned which = at >> 3 & 63;
  reg_bus bus = reg_bus_of(at, we, rnd_bits(t, 64), (unsigned)rnd_bits(t, 8));
  dut_set_rb_i(d, bus.words);
  dut_set_decide_i(d, e.decide);
  dut_set_units_i(d, e.units);
  dut_set_xlt_i(d, e.xlt);
  dut_set_return_i(d, e.back);
  dut_set_fault_stored_i(d, e.stored);
  dut_set_fault_lost_i(d, e.lost);
  dut_set_pub_valid_i(d, e.pub);
  dut_set_pub_bytes_i(d, e.bytes);
  dut_set_abort_i(d, e.abort);
  dut_set_inv_done_i(d, e.inv);
  dut_set_msi_i(d, e.msi);
  dut_set_wait_i(d, e.wait);
  dut_eval(d);
  if (seen) CHECK_EQ(t, dut_get_rb_rdata_o(d), mine ? ref[which] : 0, "register %x", at);
  uint64_t all = counted(&e, &last);
  for (unsigned i = 0; i < NUM; i++) {
    uint64_t by = i == BYTES_RESERVED ? 16 * (last.units + 1) : i == BYTES_PUBLISHED ? e.bytes : 1;
    ref[i] = we && mine && which == i ? 0 : ref[i] + (all >> i & 1) * by;
  }
  last = e;
  seen = !we;
  dut_tick(d);
}

static void reset(dut *d) {
  REG_BUS_SET(d, WE, 0);
  dut_reset(d, 1);
  for (unsigned i = 0; i < 64; i++) ref[i] = 0;
  last = (events){0};
  seen = false;
}

// Before its reset a netlist holds anything: counters are such ones as many years of events make, and count on.
static void begin_anywhere(tb *t, dut *d) {
  dut_set_rst_ni(d, 1);
  for (unsigned i = 0; i < 200; i++) dut_tick(d);
  for (unsigned i = 0; i < NUM; i++) {
    reg_bus bus = reg_bus_of(CNT + 8 * i, false, 0, 0);
    dut_set_rb_i(d, bus.words);
    dut_tick(d);
    if (i > CYCLES) ref[CYCLES]++;
    ref[i] = dut_get_rb_rdata_o(d);
  }
  uint64_t any = 0, all = ~0ull;
  for (unsigned i = 0; i < NUM; i++)  // those of bytes have their words at another place
    if (i != BYTES_RESERVED && i != BYTES_PUBLISHED) any |= ref[i], all &= ref[i];
  CHECK(t, any == ~0ull && all == 0, "bits that are the same in all counters: %" PRIx64, all | ~any);
  for (unsigned i = 0; i < 3000; i++) cycle(t, d, 90, 0);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_counters", 40000);
  dut *d = dut_begin(&t);
  if (getenv("TOCSIN_NETLIST")) begin_anywhere(&t, d);
  reset(d);
  while (dut_cycle(d) < t.cycles) {
    static const unsigned rates[] = {0, 1, 10, 50, 90, 100};
    if (rnd_chance(&t, 10)) reset(d);  // whatever was counted, or was to be
    unsigned rate = rates[rnd_below(&t, 6)], clear = rnd_chance(&t, 50) ? 5 : 50;
    for (unsigned i = 0; i < 300; i++) cycle(&t, d, rate, clear);
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
