// SPDX-License-Identifier: Apache-2.0
// Hostile cases of rings: on one another, on what a log tells (LOG-12), and at the end of the addresses (LOG-11).
#include "directed.h"

enum { TOP_BITS = 48 };
#define TOP (1ULL << TOP_BITS)

static unsigned open_at(fix *f, uint64_t base, unsigned size, uint64_t ptr) {
  driver_log_cfg c = {
      .base = base, .size = size, .iuid = IUID + 1, .cfg_bits = ptr ? AA_LOG_CFG_PTR_MASK : 0, .ptr = ptr};
  return driver_open(f->b, f->s, 1, &c);
}

static uint64_t put_entry(unsigned iuid) { return entry(iuid, 1, DENIED | DATA, 1, 0xF, 0, 0, A); }

// Two logs share a ring, and one tells its producer in the middle of it: what was written last is there; each log
// counts for itself, and nothing outside the ring is touched.
static void c54(fix *f) {
  IS("opens on the ring of another", open_at(f, RING, 12, 0), 0);
  put(f, PUT, 1);
  quiet(f);
  ENTRY(0, 0, PUT, put_entry(IUID));
  put(f, PUT2, 1);
  quiet(f);
  ENTRY(0, 0, PUT2, put_entry(IUID + 1));
  put(f, PUT, 1);
  quiet(f);
  ENTRY(0, 0, PUT2, put_entry(IUID + 1));
  ENTRY(0, 32, PUT, put_entry(IUID));
  IS("producer", lp(f, 0, PROD), 64);
  IS("producer of the other", lp(f, 1, PROD), 32);
  consume(f, 0, 64);
  IS("consumer of the other", lp(f, 1, CONS), 0);
  driver_close(f->b, f->s, 1);
  IS("opens with its pointer in a ring", open_at(f, RING, 12, RING + 8), 0);
  put(f, PUT2, 1);
  quiet(f);
  IS("pointer", bench_peek64(f->b, RING + 8), 32);
  IS("header", bench_peek64(f->b, RING), PUT2);
  IS("behind the ring", bench_peek64(f->b, RING + 4096), 0);
  IS("error", error_code(f), 0);
  NOTHING();
}

// A ring may end where the addresses end, and goes on at its base; what would go past the end is refused.
static void c55(fix *f) {
  IS("beyond", open_at(f, TOP, 6, 0), 3);
  IS("far beyond", open_at(f, 0ULL - 64, 6, 0), 3);
  IS("past the end", open_at(f, TOP - 4096, 13, 0), 2);
  IS("up to the end", open_at(f, TOP - 64, 6, 0), 0);
  for (unsigned i = 0; i < 5; i++) {
    put(f, PUT2 + 8 * i, 1);
    quiet(f);
    IS("producer", lp(f, 1, PROD), 32 * (i + 1));
    IS("entry", bench_peek64(f->b, TOP - 64 + 32 * (i & 1)), PUT2 + 8 * i);
    consume(f, 1, 32 * (i + 1));
  }
  IS("address 0", bench_peek64(f->b, 0), 0);
  NOTHING();
}

// The invalidation queue need not be aligned to its size: past the end of the addresses it goes on at 0.
static void c56(fix *f) {
  enum { FLUSH_ALL = 0x12, WAIT_STATUS = 0x25, STATUS = 0x5eed };
  driver_command(f->b, AA_GCMD_QIE_MASK, false);
  bench_write(f->b, AA_REG_IQT, 8, 0);
  bench_write(f->b, AA_REG_IQA, 8, (TOP - 4096) | 1);
  for (unsigned i = 0; i < 256; i++) bench_poke64(f->b, TOP - 4096 + 16 * i, FLUSH_ALL);
  bench_poke64(f->b, 0, WAIT_STATUS | (uint64_t)STATUS << 32);
  bench_poke64(f->b, 8, DRIVER_STATUS);
  driver_command(f->b, AA_GCMD_QIE_MASK, true);
  bench_write(f->b, AA_REG_IQT, 8, 4096 + 16);
  driver_wait_reg(f->b, AA_REG_IQH, 8, AA_IQH_QH_MASK, 4096 + 16);
  IS("status", bench_peek64(f->b, DRIVER_STATUS) & 0xFFFFFFFF, STATUS);
  IS("no error", bench_read(f->b, AA_REG_FSTS, 4), 0);
  put(f, GOOD, 1);
  HOST(PA(GOOD), TLP_MWR32);
}

static const directed_case cases[] = {
    {54, c54, "two logs on one ring"},
    {55, c55, "a ring at the end of the addresses"},
    {56, c56, "a queue past the end of the addresses"},
};
const directed_suite ring_cases = SUITE("hostile", cases);
