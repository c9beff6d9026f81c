// SPDX-License-Identifier: Apache-2.0
// Wiring, through the ports of aa_iommu alone: that each setting, reset, index, error, credit and release reaches the
// block that it is for and no other. Nothing here knows of the containers between, so it outlives any new cut of them.
// What has an index is tried with all of its values, what has a name with the others of its kind set to something else.
// Rules of rtl/aa/README.md: TMO-1, TMO-2, TMO-3, RST-1, DEC-3, DEC-14, DEC-15, DEC-16, STR-3, STR-9, NTF-1, NTF-2,
// NTF-3, NTF-5, LOG-9, LOG-10, FLU-1, ERR-2, ERR-4, ERR-7, INV-3, INV-4, INV-12, CNT-1, STR-5, RST-6.
#include <string.h>

#include "directed.h"

#define OF_LOG(i) (0x200000ULL + ((uint64_t)(i) << 12))  // active puts into log i

#define NOWHERE 0x17000ULL  // mapped by nobody

enum { T = 600, PORT_TAG = 0x40 };

static uint64_t bits_of(const void *p, unsigned lsb, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)(((const uint8_t *)p)[(lsb + i) >> 3] >> ((lsb + i) & 7) & 1) << i;
  return v;
}

// ---- timers ---------------------------------------------------------------------------------------------------------

// A read without completion, a flush of a log that nobody reads, and a put that wants room in it: each waits for a
// timer of its own, and one timer runs.
static void one_timer(fix *f, unsigned which) {
  static const uint32_t reg[] = {AA_REG_AA_CPL_TMO, AA_REG_AA_FLUSH_TMO, AA_REG_AA_WDOG};
  static const unsigned counter[] = {31, 20, 16};
  bench *b = f->b;
  unsigned flush = b->hw.FlushPages != 0;
  host_mode_of(b)->manual = true;
  driver_close(b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  for (unsigned i = 0; i < 3; i++) bench_write(b, reg[i], 4, i == which ? T : 0);
  put(f, PUT, 1);
  put(f, PUT, 1);
  quiet(f);
  send_pkt(f, 0, rd(A, TAG, GOOD, 1));
  HOST(PA(GOOD), TLP_MRD32);
  if (flush) send_pkt(f, 0, rd(A, TAG + 1, FLUSH, 1));
  bench_run(b, 20);
  put(f, PUT, 1);
  bench_run(b, T / 2);
  for (unsigned i = 0; i < 3; i++) IS("too early", cnt(f, counter[i]), 0);
  bench_run(b, 3 * T);
  for (unsigned i = 0; i < 3; i++) {
    unsigned want = i == which && (i != 1 || flush);
    if (!b->failed && cnt(f, counter[i]) != want)
      no(f, __LINE__, "timer %u runs: counter %u is %" PRIu64 ", want %u", which, counter[i], cnt(f, counter[i]), want);
  }
  for (unsigned i = 0; i < 3; i++) bench_write(b, reg[i], 4, 0);
  if (which) complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
  consume(f, 0, lp(f, 0, PROD));
}

static void timer_completion(fix *f) { one_timer(f, 0); }
static void timer_flush(fix *f) { one_timer(f, 1); }
static void timer_watchdog(fix *f) { one_timer(f, 2); }

// ---- ports ----------------------------------------------------------------------------------------------------------

// A reset ends the reads of its own port, and nothing else's.
static void reset_of_port(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumPorts;
  if (b->hw.TagEntries < n) return;
  host_mode_of(b)->manual = true;
  for (unsigned p = 0; p < n; p++) {
    uint64_t was = cnt(f, AA_CNT_CPL_TIMEOUTS);
    for (unsigned i = 0; i < n; i++) {
      send_pkt(f, i, rd(A, PORT_TAG + 16 * p + i, GET + 4 * i, 1));
      HOST(PA(GET) + 4 * i, TLP_MRD32);
    }
    b->dev_reset = 1u << p;
    bench_run(b, 200);
    b->dev_reset = 0;
    bench_run(b, 20);
    IS("reads ended", cnt(f, AA_CNT_CPL_TIMEOUTS) - was, 1);
    for (unsigned i = 0; i < n; i++) complete(f, A, PORT_TAG + 16 * p + i, TLP_SC, 4, 4 * i, 1, false);
    quiet(f);
    for (unsigned i = 0; i < n; i++) {
      IS("completions", b->dev_seen[i].n, i != p);
      pktq_clear(&b->dev_seen[i]);
    }
    IS("late", error_code(f), AA_ERR_CPL_TIMEOUT);
  }
  IS("aborted", cnt(f, AA_CNT_ABORTED), n);
}

// The filter of a port refuses there, and only there.
static void filter_of_port(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumPorts;
  for (unsigned p = 0; p < n; p++) {
    bench_write(b, AA_REG_AA_PORT + 8 * p, 8, AA_AA_PORT_EN_MASK | 0xFFFFULL << 16 | A);
    for (unsigned i = 0; i < n; i++) {
      send_pkt(f, i, wr(B, GOOD + 64 * i, 1, 0xF, 0));
      quiet(f);
      IS("through", b->host_seen.n, i != p);
      pktq_clear(&b->host_seen);
      IS("error", error_code(f), i == p ? AA_ERR_PORT_ID : 0);
    }
    bench_write(b, AA_REG_AA_PORT + 8 * p, 8, 0);
  }
}

// Credits of a port move by what came in there and has left, and at rest all of them have come back.
static void credits_of_port(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumPorts;
  uint64_t was[BENCH_PORTS][4], now[4];
  for (unsigned p = 0; p < n; p++) {
    quiet(f);
    for (unsigned i = 0; i < n; i++) {
      was[i][0] = bits_of(b->pin.crd_ph_o, 8 * i, 8);
      was[i][1] = bits_of(b->pin.crd_pd_o, 12 * i, 12);
      was[i][2] = bits_of(b->pin.crd_nph_o, 8 * i, 8);
      was[i][3] = bits_of(b->pin.crd_npd_o, 12 * i, 12);
    }
    for (unsigned k = 0; k < 5; k++) {
      send_pkt(f, p, wr(A, GOOD, 1 + 3 * k, 0xF, 0xF));  // 1, 1, 2, 3, 4 units
      send_pkt(f, p, rd(A, PORT_TAG + k, GOOD, 1));
    }
    for (unsigned k = 0; k < 3; k++) send_pkt(f, p, traffic_request(TLP_FADD32, A, TAG + k, GOOD, 2, 0, 0));
    quiet(f);
    for (unsigned i = 0; i < n; i++) {
      now[0] = bits_of(b->pin.crd_ph_o, 8 * i, 8);
      now[1] = bits_of(b->pin.crd_pd_o, 12 * i, 12);
      now[2] = bits_of(b->pin.crd_nph_o, 8 * i, 8);
      now[3] = bits_of(b->pin.crd_npd_o, 12 * i, 12);
      IS("posted headers", (now[0] - was[i][0]) & 0xFF, i == p ? 5 : 0);
      IS("posted data", (now[1] - was[i][1]) & 0xFFF, i == p ? 11 : 0);
      IS("non-posted headers", (now[2] - was[i][2]) & 0xFF, i == p ? 8 : 0);
      IS("non-posted data", (now[3] - was[i][3]) & 0xFFF, i == p ? 3 : 0);
      pktq_clear(&b->dev_seen[i]);
    }
    pktq_clear(&b->host_seen);
  }
}

// Limits of writes and reads are two settings.
static void sizes(fix *f) {
  bench *b = f->b;
  for (unsigned k = 0; k < 2; k++) {
    uint64_t mps = k ? 1 : 0, mrrs = k ? 0 : 1;  // 128 or 256 bytes
    bench_write(b, AA_REG_AA_CTL, 4,
                AA_AA_CTL_AAE_MASK | (uint32_t)(mps << AA_AA_CTL_MPS_LSB | mrrs << AA_AA_CTL_MRRS_LSB));
    send_pkt(f, 0, wr(A, GOOD, 64, 0xF, 0xF));
    quiet(f);
    IS("write of 256 bytes", error_code(f), k ? 0 : AA_ERR_MAX_SIZE);
    send_pkt(f, 0, rd(A, TAG, GOOD, 64));
    quiet(f);
    IS("read of 256 bytes", error_code(f), k ? AA_ERR_MAX_SIZE : 0);
    pktq_clear(&b->host_seen);
    pktq_clear(&b->dev_seen[0]);
  }
  bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
}

// While the host takes no more non-posted requests, at most the four that are decided already still come;
// posted ones go on.
static void host_stops_reads(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.Window < 4 ? b->hw.Window : 4;
  if (n > most(f, b->hw.TagEntries)) n = most(f, b->hw.TagEntries);
  b->prof.p_np = 0;
  bench_run(b, 10);
  for (unsigned i = 0; i < n; i++) send_pkt(f, 0, rd(A, TAG + i, GOOD, 1));
  bench_run(b, 400);
  IS("reads", b->host_seen.n, 0);
  put(f, GOOD + 64, 1);
  HOST(PA(GOOD) + 64, TLP_MWR32);
  b->prof.p_np = 256;
  for (unsigned i = 0; i < n; i++) HOST(PA(GOOD), TLP_MRD32);
  quiet(f);
  pktq_clear(&b->dev_seen[0]);
}

// Posted requests pass a read that waits, without bound, and then pause: it goes when what it waited for is there,
// first the host, then its walk. AA_RESET, which waits for it, ends.
static void overtaken(fix *f) {
  static const unsigned much[] = {100, 127, 128, 200, 255, 256, 300};
  bench *b = f->b;
  put(f, GOOD + 64, 1);
  quiet(f);
  for (unsigned i = 0; i < sizeof much / sizeof *much && !b->failed; i++) {
    pktq_clear(&b->host_seen);
    b->prof.p_np = 0;
    bench_run(b, 10);
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    bench_run(b, 100);
    for (unsigned k = 0; k < much[i]; k++) put(f, GOOD + 64, 1);
    bench_run(b, 2000);
    IS("posted ones", b->host_seen.n, much[i]);
    pktq_clear(&b->host_seen);
    if (i & 1) bench_write(b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK | NOBODY);
    b->prof.p_np = 256;
    HOST(PA(GOOD), TLP_MRD32);
    DEV(TLP_SC, 1, TAG);
    if (i & 1) driver_wait_reg(b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK, 0);
  }
  b->prof.axi_min = b->prof.axi_max = 200;
  send_pkt(f, 0, rd(A, TAG, GET, 1));
  for (unsigned k = 0; k < 200; k++) put(f, GOOD + 64, 1);
  bench_run(b, 20000);
  IS("all", b->host_seen.n, 201);
  profile_fast(&b->prof);
  quiet(f);
  pktq_clear(&b->host_seen);
  DEV(TLP_SC, 1, TAG);
}

// A queue full of invalidations of another domain, with waits between them or without, by a memory that is fast or
// slow: requests are walked for, and decided, while they go on.
static void invalidated(fix *f) {
  static const unsigned cycles[] = {1, 4, 20, 60};
  bench *b = f->b;
  if (!(b->backend & BENCH_RTL)) return;  // the model alone takes no time
  for (unsigned i = 0; i < 8 && !b->failed; i++) {
    driver_inv_ctx(b, f->s, true, 0, 0, 0, 0);
    driver_inv_iotlb(b, f->s, true, 0, 0, 0, 0, false);
    quiet(f);
    pktq_clear(&b->host_seen);
    b->prof.axi_min = b->prof.axi_max = cycles[i / 2];
    for (unsigned k = 0; k < 250; k++)
      if (i & k & 1)
        driver_push(b, f->s, 0x25, DRIVER_STATUS);
      else
        driver_push(b, f->s, 0x22 | 2 << 16, 0);
    driver_kick(b, f->s);
    bench_run(b, 200);
    put(f, GOOD + 64, 1);
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    HOST(PA(GOOD) + 64, TLP_MWR32);
    HOST(PA(GOOD), TLP_MRD32);
    OK(bench_read(b, AA_REG_IQH, 8) != f->s->iq_tail);
    for (uint64_t end = b->cycle + 200000, head = ~0ull; b->cycle < end && !b->failed && head != f->s->iq_tail;) {
      bench_run(b, 100);
      head = bench_read(b, AA_REG_IQH, 8);
    }
    DEV(TLP_SC, 1, TAG);
    profile_fast(&b->prof);
  }
}

// A read of one port waits for the host, while another port's puts are published one after the other, which wakes the
// read each time: posted requests behind it pass all the same, at whatever pace memory answers.
static void passed(fix *f) {
  bench *b = f->b;
  unsigned other = b->hw.NumPorts - 1;
  if (!other || !(b->backend & BENCH_RTL)) return;  // a port's own puts come before; the model alone takes no time
  driver_close(b, f->s, 0);
  open_log(f, 0, 20, IUID, 0);
  for (unsigned k = 0; k < 2; k++) {
    put(f, k ? PUT : GOOD + 64, 1);
    quiet(f);
  }
  for (unsigned cycles = 1; cycles <= 12 && !b->failed; cycles++) {
    quiet(f);
    pktq_clear(&b->host_seen);
    b->prof.axi_min = b->prof.axi_max = cycles;
    b->prof.p_np = 0;
    bench_run(b, 10);
    for (unsigned k = 0; k < 1000; k++) send_pkt(f, other, wr(A, PUT, 1, 0xF, 0));
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    bench_run(b, 100);
    for (unsigned k = 0; k < 10; k++) put(f, GOOD + 64, 1);
    bench_run(b, 400);
    IS("those that passed", b->host_seen.n, 10);
    OK(b->dev_q[other].n);  // the stream goes on
    profile_fast(&b->prof);
    quiet(f);
    consume(f, 0, lp(f, 0, PROD));
  }
}

// ---- logs -----------------------------------------------------------------------------------------------------------

// Every log has its own ring, pointer, MSI, scratchpad word and page of registers.
static void every_log(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumLogs, words = b->hw.ScratchWords;
  driver_close(b, f->s, 0);
  for (unsigned i = 0; i < n; i++) {
    map(f, OF_LOG(i), (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = (uint16_t)(100 + i)});
    driver_log_cfg c = {
        .base = RING + ((uint64_t)i << 20),
        .size = 12,
        .iuid = (uint16_t)(100 + i),
        .ptr = DRIVER_PTR + 64 * (uint64_t)i,
        .msi_addr = DRIVER_MSI + 64 * (uint64_t)i,
        .msi_data = 0x40 + i,
        .msi_free = 4096,
        .cfg_bits = AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK |
                    (i < words ? AA_LOG_CFG_SCR_MASK | (uint64_t)(words - 1 - i) << AA_LOG_CFG_SCRI_LSB : 0)};
    IS("open", driver_open(b, f->s, i, &c), 0);
  }
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k <= i % 5; k++) put(f, OF_LOG(i) + 8 * k, 2);
  quiet(f);
  for (unsigned i = 0; i < n && !b->failed; i++) {
    uint32_t bytes = 32 * (i % 5 + 1);
    IS("producer", lp(f, i, PROD), bytes);
    IS("reserved", lp(f, i, RSVD), bytes);
    IS("pointer", bench_peek64(b, DRIVER_PTR + 64 * (uint64_t)i), bytes);
    IS("MSI", bench_peek64(b, DRIVER_MSI + 64 * (uint64_t)i), 0x40 + i);
    ENTRY(i, 0, OF_LOG(i), entry(100 + i, 1, DENIED | DATA, 2, 0xF, 0xF, 0, A));
    if (i < words) IS("scratchpad", bench_read(b, AA_REG_SCRATCH + 8 * (words - 1 - i), 8), (uint64_t)i << 32 | bytes);
  }
  for (unsigned i = 0; i < n && !b->failed; i++) {
    consume(f, i, lp(f, i, PROD));
    for (unsigned k = 0; k < n; k++) IS("consumer", lp(f, k, CONS), k <= i ? 32 * (k % 5 + 1) : 0);
  }
}

// A log tells in the ways that its owner asked for, and in no other: each way alone, of each log. Its MSI goes where
// those of PCs do, which asks for another awcache (axi.c looks).
static void ways_of_log(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumLogs, words = b->hw.ScratchWords;
  for (unsigned i = 0; i < n; i++) {
    map(f, OF_LOG(i), (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = (uint16_t)(100 + i)});
    uint64_t ptr = DRIVER_PTR + 64 * (uint64_t)i, msi = 0xFEE00000 + 64 * (uint64_t)i;
    uint32_t word = words ? i % words : 0;
    const uint64_t way[] = {0, AA_LOG_CFG_PTR_MASK, AA_LOG_CFG_MSI_MASK,
                            words ? AA_LOG_CFG_SCR_MASK | (uint64_t)word << AA_LOG_CFG_SCRI_LSB : 0};
    for (unsigned k = 0; k < 4 && !b->failed; k++) {
      driver_log_cfg c = {.base = RING + ((uint64_t)i << 20),
                          .size = 12,
                          .iuid = (uint16_t)(100 + i),
                          .ptr = ptr,
                          .msi_addr = msi,
                          .msi_data = 0x40 + i,
                          .msi_free = 4096,
                          .cfg_bits = way[k]};
      driver_close(b, f->s, i);
      IS("open", driver_open(b, f->s, i, &c), 0);
      uint64_t was = words ? bench_read(b, AA_REG_SCRATCH + 8 * word, 8) : 0;
      bench_poke64(b, ptr, 0);
      bench_poke64(b, msi, 0);
      put(f, OF_LOG(i), 1 + 4 * i);
      quiet(f);
      uint32_t bytes = lp(f, i, PROD);
      OK(bytes);
      IS("pointer", bench_peek64(b, ptr), k == 1 ? bytes : 0);
      IS("MSI", bench_peek64(b, msi), k == 2 ? 0x40u + i : 0u);
      if (words)
        IS("scratchpad", bench_read(b, AA_REG_SCRATCH + 8 * word, 8), k == 3 ? (uint64_t)i << 32 | bytes : was);
      consume(f, i, bytes);
    }
  }
}

// The pointer of one log cannot be written: that log's MSI comes, and no other's.
static void alarm_of_log(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumLogs;
  driver_close(b, f->s, 0);
  for (unsigned i = 0; i < n; i++) {
    map(f, OF_LOG(i), (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = (uint16_t)(100 + i)});
    driver_log_cfg c = {.base = RING + ((uint64_t)i << 20),
                        .size = 12,
                        .iuid = (uint16_t)(100 + i),
                        .ptr = DRIVER_BAD + 64 * (uint64_t)i,
                        .msi_addr = DRIVER_MSI + 64 * (uint64_t)i,
                        .msi_data = 0x40 + i,
                        .cfg_bits = AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK};
    IS("open", driver_open(b, f->s, i, &c), 0);
  }
  for (unsigned k = 0; k < 2 * n && !b->failed; k++) {
    unsigned i = k % n;
    bench_write(b, AA_REG_LP_STS + (i << 12), 8, AA_LP_STS_PTRERR_MASK);
    consume(f, i, lp(f, i, PROD));  // arms it
    bench_poke64(b, DRIVER_MSI + 64 * (uint64_t)i, 0);
    put(f, OF_LOG(i), 1);
    bench_run(b, k);
    quiet(f);
    IS("state", lp(f, i, STS) & AA_LP_STS_PTRERR_MASK, AA_LP_STS_PTRERR_MASK);
    IS("MSI", bench_peek64(b, DRIVER_MSI + 64 * (uint64_t)i), 0x40 + i);
    IS("MSIs", cnt(f, AA_CNT_MSIS), k + 1);
  }
}

// Logs that close side by side, while software looks at none but the last: each ends, with its own words.
static void logs_close(fix *f) {
  bench *b = f->b;
  unsigned n = b->hw.NumLogs;
  driver_close(b, f->s, 0);
  for (unsigned i = 0; i < n; i++) {
    map(f, OF_LOG(i), (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = (uint16_t)(100 + i)});
    IS("open", open_log(f, i, 12, (uint16_t)(100 + i), AA_LOG_CFG_PTR_MASK), 0);
  }
  profile_fast(&b->prof);
  b->prof.p_b = 0;  // nothing is published before all are told to end
  for (unsigned i = 0; i < n; i++) put(f, OF_LOG(i), 1);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < 4000 && !b->failed && lp(f, i, RSVD) != 32; k++) bench_step(b);
  for (unsigned i = 0; i < n; i++) bench_write(b, AA_REG_LOG_CFG + AA_REG_LOG_CFG_STRIDE * i, 8, 0);
  IS("too soon", lp(f, 0, PROD), 0);
  bench_read(b, AA_REG_LOG_STS + AA_REG_LOG_STS_STRIDE * (n - 1), 8);
  b->prof.p_b = 256;
  bench_run(b, 64 * n + 1000);
  for (unsigned i = n; i-- && !b->failed;) {
    IS("closed",
       bench_read(b, AA_REG_LOG_STS + AA_REG_LOG_STS_STRIDE * i, 8) & (AA_LOG_STS_EN_MASK | AA_LOG_STS_CLOSING_MASK),
       0);
    IS("pointer", bench_peek64(b, DRIVER_PTR + 64 * (uint64_t)i), 32);
    f->s->log[i].open = false;
  }
  open_log(f, 0, 12, IUID, 0);
}

// A flush waits for the log of its page, and is told where that log's consumer is.
static void log_of_flush(fix *f) {
  bench *b = f->b;
  if (!b->hw.FlushPages || b->hw.NumLogs < 2) return;
  open_log(f, 1, 12, IUID + 1, 0);
  for (unsigned g = 0; g < 2; g++) {
    map(f, OF_LOG(g), (aa_leaf){.r = true, .w = true, .e = true, .iuid = (uint16_t)(IUID + g)});
    bench_write(b, AA_REG_AA_FLP, 8, OF_LOG(g) | (uint64_t)(IUID + g) << 2 | 1);
    put(f, g ? PUT2 : PUT, 1);
    put(f, g ? PUT : PUT2, 1);
    quiet(f);
    send_pkt(f, 0, rd(A, TAG + g, OF_LOG(g), 1));
    bench_run(b, 200);
    consume(f, !g, lp(f, !g, PROD));
    bench_run(b, 200);
    IS("answers", b->dev_seen[0].n, 0);
    consume(f, g, lp(f, g, PROD) - 16);  // in mid-entry: consumers differ
    bench_run(b, 200);
    IS("answers", b->dev_seen[0].n, 0);
    uint32_t end = lp(f, g, PROD);
    consume(f, g, end);
    pkt *p = next(f, &b->dev_seen[0]);
    IS("consumer", p ? bits_of(p->data, 0, 32) : 0, end);
    pkt_free(p);
    put(f, g ? PUT2 : PUT, 1);  // so that the logs are never alike
    quiet(f);
    consume(f, g, lp(f, g, PROD));
  }
}

// One log's tear-down ends the open reads of that log alone.
static void log_of_read(fix *f) {
  bench *b = f->b;
  if (b->hw.NumLogs < 2) return;
  host_mode_of(b)->manual = true;
  open_log(f, 1, 12, IUID + 1, 0);
  map(f, OF_LOG(1), (aa_leaf){.r = true, .w = true, .rl = true, .rld = true, .e = true, .iuid = IUID + 1});
  send_pkt(f, 0, rd(A, TAG + 1, GET, 1));
  HOST(PA(GET), TLP_MRD32);
  send_pkt(f, 0, rd(A, TAG + 2, OF_LOG(1), 1));
  HOST(PA(OF_LOG(1)), TLP_MRD32);
  driver_close(b, f->s, 1);
  IS("aborted", cnt(f, AA_CNT_ABORTED), 1);
  IS("status of its log", lp(f, 1, STS) & AA_LP_STS_ABORTED_MASK, AA_LP_STS_ABORTED_MASK);
  IS("status of the other", lp(f, 0, STS) & AA_LP_STS_ABORTED_MASK, 0);
  complete(f, A, TAG + 1, TLP_SC, 4, 0, 1, false);
  complete(f, A, TAG + 2, TLP_SC, 4, 0, 1, false);
  DEV(TLP_SC, 1, TAG + 1);
  DEV(TLP_SC, 1, TAG + 2);
  quiet(f);
  IS("aborted", cnt(f, AA_CNT_ABORTED), 1);
  IS("producer", lp(f, 0, PROD), 32);
}

// ---- errors ---------------------------------------------------------------------------------------------------------

static void error_is(fix *f, int line, unsigned code, unsigned sid, unsigned iuid, uint64_t addr) {
  uint64_t v = bench_read(f->b, AA_REG_AA_ERR_STS, 8), at = bench_read(f->b, AA_REG_AA_ERR_ADDR, 8);
  unsigned got_code = (unsigned)(v >> AA_AA_ERR_STS_CODE_LSB & 31),
           got_sid = (unsigned)(v >> AA_AA_ERR_STS_SID_LSB & 0xFFFF),
           got_iuid = (unsigned)(v >> AA_AA_ERR_STS_IUID_LSB & 0x3FF);
  if (!f->b->failed && (!(v & 1) || got_code != code || got_sid != sid || got_iuid != iuid || at != addr))
    no(f, line, "error: got %u, requester %x, IUID %u, address %" PRIx64 ", want %u, %x, %u, %" PRIx64, got_code,
       got_sid, got_iuid, at, code, sid, iuid, addr);
  bench_write(f->b, AA_REG_AA_ERR_STS, 8, 1);
}
#define ERROR(code, sid, iuid, addr) error_is(f, __LINE__, code, sid, iuid, addr)

// Each source of errors with all that it says.
static void errors(fix *f) {
  bench *b = f->b;
  host_mode_of(b)->manual = true;
  send_pkt(f, 0, wr(B, MISS + 0x10, 1, 0xF, 0));
  quiet(f);
  ERROR(AA_ERR_NO_LOG, B, 777, MISS + 0x10);
  complete(f, B, 9, TLP_SC, 4, 0, 1, false);
  quiet(f);
  ERROR(AA_ERR_STRAY, B, 0, 0);
  consume(f, 0, 0x1000);
  ERROR(AA_ERR_CONSUMER, 0, IUID, 0x1000);
  bench_write(b, AA_REG_AA_CPL_TMO, 4, T);
  send_pkt(f, 0, rd(B, TAG, GOOD, 1));
  HOST(PA(GOOD), TLP_MRD32);
  bench_run(b, 3 * T);
  ERROR(AA_ERR_CPL_TIMEOUT, B, 0, 0);
  bench_write(b, AA_REG_AA_CPL_TMO, 4, 0);
  complete(f, B, TAG, TLP_SC, 4, 0, 1, false);
  quiet(f);
  ERROR(AA_ERR_STRAY, B, 0, 0);
  if (b->hw.FlushPages) {
    bench_write(b, AA_REG_AA_FLUSH_TMO, 4, T);
    put(f, PUT, 1);
    send_pkt(f, 0, rd(B, TAG + 1, FLUSH + 8, 1));
    bench_run(b, 3 * T);
    ERROR(AA_ERR_FLUSH_TIMEOUT, B, IUID, FLUSH + 8);
    bench_write(b, AA_REG_AA_FLUSH_TMO, 4, 0);
  }
}

// What the queue reads with an error is not used, though it looks right; when the error is cleared it is read again.
static void queue_fails(fix *f) {
  bench *b = f->b;
  uint32_t head = (uint32_t)bench_read(b, AA_REG_IQH, 4);
  bench_write(b, AA_REG_ICS, 4, 1);
  driver_push(b, f->s, 0x15, 0);
  axi_set_bad(b, DRIVER_QUEUE, DRIVER_QUEUE + 4096);
  driver_kick(b, f->s);
  quiet(f);
  IS("head", bench_read(b, AA_REG_IQH, 4), head);
  IS("not complete", bench_read(b, AA_REG_ICS, 4), 0);
  OK(bench_read(b, AA_REG_FSTS, 4) & AA_FSTS_IQE_MASK);
  axi_set_bad(b, DRIVER_BAD, DRIVER_BAD + 0x10000);
  bench_write(b, AA_REG_FSTS, 4, AA_FSTS_IQE_MASK);
  quiet(f);
  IS("head", bench_read(b, AA_REG_IQH, 4), head + 16);
  IS("complete", bench_read(b, AA_REG_ICS, 4), 1);
  bench_write(b, AA_REG_ICS, 4, 1);
}

// The status of a wait is written although the place for messages is taken by those of a log, which leave slowly.
static void wait_among_messages(fix *f) {
  bench *b = f->b;
  driver_close(b, f->s, 0);
  driver_log_cfg c = {.base = RING,
                      .size = 12,
                      .iuid = IUID,
                      .ptr = DRIVER_PTR,
                      .msi_addr = DRIVER_MSI,
                      .msi_free = 4096,
                      .cfg_bits = AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK};
  IS("open", driver_open(b, f->s, 0, &c), 0);
  b->prof.p_aw = b->prof.p_w = 16;
  for (unsigned k = 0; k < 12 && !b->failed; k++) {
    for (unsigned i = 0; i < 8; i++) put(f, PUT, 1);
    bench_run(b, 50 + 20 * k);
    OK(driver_sync(b, f->s));
    quiet(f);
    consume(f, 0, lp(f, 0, PROD));
  }
  profile_fast(&b->prof);
}

// ---- what was freed is told -----------------------------------------------------------------------------------------

// Cycles until a TLP reaches the host, at most 400.
static unsigned until_host(fix *f) {
  unsigned n = 0;
  while (n < 400 && !f->b->host_seen.head && !f->b->failed) {
    bench_step(f->b);
    n++;
  }
  return n;
}

// A request that rests for want of something goes on when that is freed, and does not have to be tried again
// for it: what nobody announces is tried every 16 cycles, so 16 tries, each a cycle later than the last,
// tell one from the other.
enum { SOON = 14 };

// Cycles that have gone since the first of the records after the n-th that has this kind and, unless 0, this code.
static unsigned since(fix *f, unsigned n, unsigned kind, unsigned code) {
  bench *b = f->b;
  for (; n != b->last_n; n++)
    if (b->last[n % 64].kind == kind && (!code || b->last[n % 64].code == code))
      return (unsigned)(b->cycle - b->last_cycle[n % 64]);
  no(f, __LINE__, "the record does not come");
  return 0;
}

static void freed_tag(fix *f) {
  bench *b = f->b;
  profile_fast(&b->prof);
  host_mode_of(b)->manual = true;
  unsigned n = most(f, b->hw.TagEntries), tag = 0, worst = 0;
  for (unsigned i = 0; i < n; i++) send_pkt(f, 0, rd(A, tag + i, GOOD, 1));
  quiet(f);
  IS("forwarded", b->host_seen.n, n);
  for (unsigned k = 0; k < 16 && !b->failed; k++) {
    pktq_clear(&b->host_seen);
    send_pkt(f, 0, rd(A, tag + n, GOOD, 1));
    bench_run(b, 160 + k - b->cycle % 16);
    OK(!b->host_seen.head);
    complete(f, A, tag, TLP_SC, 4, 0, 1, false);
    unsigned t = until_host(f);
    if (t > worst) worst = t;
    tag++;
  }
  if (worst > SOON && !b->failed)
    no(f, __LINE__, "a read goes on %u cycles after a completion came, want %u", worst, SOON);
  for (unsigned i = 0; i < n; i++) complete(f, A, tag + i, TLP_SC, 4, 0, 1, false);
  quiet(f);
}

static void freed_space(fix *f) {
  bench *b = f->b;
  profile_fast(&b->prof);
  map(f, OF_LOG(0), (aa_leaf){.r = true, .w = true, .wl = true, .wld = true, .e = true, .iuid = IUID});
  driver_close(b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  put(f, OF_LOG(0), 1);
  put(f, OF_LOG(0), 1);
  quiet(f);
  unsigned worst = 0;
  for (unsigned k = 0; k < 16 && !b->failed; k++) {
    pktq_clear(&b->host_seen);
    put(f, OF_LOG(0), 1);
    bench_run(b, 160 + k - b->cycle % 16);
    OK(!b->host_seen.head);
    consume(f, 0, 32 * (k + 1));
    unsigned t = until_host(f);
    if (t > worst) worst = t;
    quiet(f);
  }
  if (worst > SOON && !b->failed) no(f, __LINE__, "a put goes on %u cycles after it has room, want %u", worst, SOON);
}

// A flush that finds all waiters taken; the read behind it in its lane shows when it is held.
static void freed_waiter(fix *f) {
  bench *b = f->b;
  profile_fast(&b->prof);
  host_mode_of(b)->manual = true;
  unsigned n = most(f, b->hw.FlushWaiters), worst = 0;
  if (!b->hw.FlushPages || n + 2 > most(f, b->hw.TagEntries)) return;
  for (unsigned k = 0; k < 16 && !b->failed; k++) {
    uint32_t at = lp(f, 0, CONS);
    put(f, PUT, 1);
    quiet(f);
    send_pkt(f, 0, rd(A, 0, FLUSH, 1));
    bench_run(b, 100);
    put(f, PUT, 1);
    for (unsigned i = 1; i < n; i++) send_pkt(f, 0, rd(A, i, FLUSH, 1));
    bench_run(b, 200);
    pktq_clear(&b->host_seen);
    send_pkt(f, 0, rd(A, n, FLUSH, 1));
    send_pkt(f, 0, rd(A, n + 1, GOOD, 1));
    bench_run(b, 160 + k - b->cycle % 16);
    OK(!b->host_seen.head && !b->dev_seen[0].head);
    uint32_t was = b->last_n;
    consume(f, 0, at + 32);  // the first of them is answered
    until_host(f);
    unsigned t = since(f, was, AA_RET_NOTIFY, AA_NOTE_FLUSH);
    if (t > worst) worst = t;
    consume(f, 0, at + 64);
    complete(f, A, n + 1, TLP_SC, 4, 0, 1, false);
    quiet(f);
    IS("answers", b->dev_seen[0].n, n + 2);
    pktq_clear(&b->dev_seen[0]);
    pktq_clear(&b->host_seen);
  }
  if (worst > SOON && !b->failed) no(f, __LINE__, "a flush goes on %u cycles after an answer, want %u", worst, SOON);
}

// All slots of a log are taken, behind an entry whose read is under way. When that has been written, they come free.
static void freed_slot(fix *f) {
  bench *b = f->b;
  host_mode_of(b)->manual = true;
  map(f, OF_LOG(0), (aa_leaf){.r = true, .w = true, .wl = true, .wld = true, .e = true, .iuid = IUID});
  unsigned worst = 0;
  for (unsigned k = 0; k < 16 && !b->failed; k++) {
    profile_fast(&b->prof);
    b->prof.axi_min = b->prof.axi_max = 60;
    send_pkt(f, 0, rd(A, TAG, GET, 1));
    HOST(PA(GET), TLP_MRD32);
    for (unsigned i = 1; i < b->hw.LogDepth; i++) put(f, OF_LOG(0), 1);
    bench_run(b, 400);
    pktq_clear(&b->host_seen);
    put(f, OF_LOG(0), 1);
    bench_run(b, 160 + k - b->cycle % 16);
    OK(!b->host_seen.head);
    uint32_t was = b->last_n;
    complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
    until_host(f);
    unsigned t = since(f, was, AA_RET_PUBLISH, 0);
    if (t > worst) worst = t;
    quiet(f);
    consume(f, 0, lp(f, 0, PROD));
    pktq_clear(&b->dev_seen[0]);
    pktq_clear(&b->host_seen);
  }
  if (worst > SOON && !b->failed) no(f, __LINE__, "a put goes on %u cycles after it has a slot, want %u", worst, SOON);
}

// A log that stops lets go who waits for room in it.
static void freed_failed(fix *f) {
  bench *b = f->b;
  map(f, OF_LOG(0), (aa_leaf){.r = true, .w = true, .wl = true, .wld = true, .e = true, .iuid = IUID});
  driver_log_cfg c = {.base = DRIVER_BAD - 0x40, .size = 6, .iuid = IUID, .ptr = DRIVER_PTR, .msi_addr = DRIVER_MSI};
  unsigned worst = 0;
  for (unsigned k = 0; k < 16 && !b->failed; k++) {
    profile_fast(&b->prof);
    driver_close(b, f->s, 0);
    driver_open(b, f->s, 0, &c);
    put(f, OF_LOG(0), 1);
    quiet(f);
    axi_set_bad(b, DRIVER_BAD - 0x1000, DRIVER_BAD + 0x10000);
    b->prof.axi_min = b->prof.axi_max = 200;
    bench_run(b, 16 + k - b->cycle % 16);
    put(f, OF_LOG(0), 1);
    put(f, OF_LOG(0), 1);
    bench_run(b, 100);
    IS("forwarded", b->host_seen.n, 2);
    pktq_clear(&b->host_seen);
    uint32_t was = b->last_n;
    until_host(f);
    unsigned t = since(f, was, AA_RET_NOTIFY, AA_NOTE_AXI_ERR);
    if (t > worst) worst = t;
    quiet(f);
    axi_set_bad(b, DRIVER_BAD, DRIVER_BAD + 0x10000);
    pktq_clear(&b->host_seen);
    error_code(f);
  }
  if (worst > SOON && !b->failed)
    no(f, __LINE__, "a put goes on %u cycles after its log has stopped, want %u", worst, SOON);
  profile_fast(&b->prof);
  driver_close(b, f->s, 0);
  open_log(f, 0, 12, IUID, 0);
}

// What a hold gave back goes on as soon as it is over, and does not rest: reads of counters hold, each a cycle
// later in the stream.
static void after_hold(fix *f) {
  bench *b = f->b;
  unsigned worst = 0;
  for (unsigned k = 0; k < 16 && !b->failed; k++) {
    for (unsigned i = 0; i < 100; i++) send_pkt(f, 0, wr(A, GOOD, 1, 0xF, 0));
    bench_run(b, 20 + k);
    cnt(f, 0);
    OK(b->dev_q[0].n);
    pktq_clear(&b->host_seen);
    unsigned n = until_host(f);
    worst = n > worst ? n : worst;
    quiet(f);
    pktq_clear(&b->host_seen);
  }
  if (worst > 6 && !b->failed) no(f, __LINE__, "a write goes on %u cycles after a hold, want %u", worst, 6);
}

// An address without its data is no write yet: logs publish meanwhile.
static void half_a_write(fix *f) {
  bench *b = f->b;
  uint32_t at = AA_REG_AA_WDOG;
  driver_close(b, f->s, 0);
  open_log(f, 0, 12, IUID, AA_LOG_CFG_PTR_MASK);
  quiet(f);
  memcpy(b->pin.s_axil_awaddr, &at, 4);
  *b->pin.s_axil_wstrb = 0xFF;
  *b->pin.s_axil_awvalid = 1;
  put(f, PUT, 1);
  bench_run(b, 200);
  OK(bench_peek64(b, DRIVER_PTR));
  bench_write(b, at, 8, 0);
  quiet(f);
  consume(f, 0, lp(f, 0, PROD));
}

// A lane that waits for room rests, and takes no turns from the other ports.
static void rests(fix *f) {
  bench *b = f->b;
  enum { PUTS = 64 };
  if (b->hw.NumPorts < 2) return;
  profile_fast(&b->prof);
  driver_close(b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  for (unsigned i = 0; i < 3; i++) put(f, PUT, 1);
  send_pkt(f, 1, wr(A, GOOD, 1, 0xF, 0));
  quiet(f);
  IS("waits for room", lp(f, 0, RSVD), 64);
  pktq_clear(&b->host_seen);
  uint64_t begin = b->cycle;
  for (unsigned i = 0; i < PUTS; i++) send_pkt(f, 1, wr(A, GOOD, 1, 0xF, 0));
  while (b->host_seen.n < PUTS && b->cycle - begin < 1000 && !b->failed) bench_step(b);
  if (!b->failed && b->cycle - begin > PUTS + PUTS / 2)
    no(f, __LINE__, "%u writes beside a lane that rests take %u cycles", PUTS, (unsigned)(b->cycle - begin));
  pktq_clear(&b->host_seen);
  consume(f, 0, 64);
}

// A completion that is looked at while its read is being decided finds it; one that comes before that is a stray one.
static void early_completion(fix *f) {
  bench *b = f->b;
  unsigned found = 0, strays = 0;
  host_mode_of(b)->manual = true;
  put(f, GOOD, 1);
  quiet(f);
  for (unsigned k = 0; k < 40 && !b->failed; k++) {
    send_pkt(f, 0, rd(A, TAG, GOOD, 1));
    bench_run(b, k);
    complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
    quiet(f);
    bool was = b->dev_seen[0].n;
    *(was ? &found : &strays) += 1;
    IS("error", error_code(f), was ? 0 : AA_ERR_STRAY);
    if (!was) complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
    quiet(f);
    IS("answers", b->dev_seen[0].n, 1);
    pktq_clear(&b->dev_seen[0]);
    pktq_clear(&b->host_seen);
  }
  OK(found && strays);
}

// What AA_CTL.AAE turns on is on then and only then, for what is cached, too: with it off a leaf is its R and W alone.
static void switched_off(fix *f) {
  bench *b = f->b;
  enum { WRITE_DENIED = 5, READ_DENIED = 6 };
  for (unsigned k = 0; k < 4 && !b->failed; k++) {
    bool on = k & 1;
    bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | (on ? AA_AA_CTL_AAE_MASK : 0));
    uint32_t was = lp(f, 0, PROD), bytes = 0;
    put(f, PUT, 1);
    quiet(f);
    IS("put, fault", fault_code(f), on ? 0 : WRITE_DENIED);
    bytes += on ? 32 : 0;
    send_pkt(f, 0, rd(A, TAG, GET, 1));
    HOST(PA(GET), TLP_MRD32);
    DEV(TLP_SC, 1, TAG);
    bytes += on ? 32 : 0;
    send_pkt(f, 0, rd(A, TAG, DARK, 1));
    DEV(TLP_UR, 0, TAG);
    IS("get that is denied, fault", fault_code(f), on ? 0 : READ_DENIED);
    bytes += on ? 16 : 0;
    quiet(f);
    IS("room taken", lp(f, 0, RSVD) - was, bytes);
    IS("bytes published", lp(f, 0, PROD) - was, bytes);
    send_pkt(f, 0, rd(A, TAG + 1, FLUSH, 1));
    if (on && b->hw.FlushPages) {
      bench_run(b, 200);
      OK(!b->dev_seen[0].head);  // nobody has read what the log holds
      consume(f, 0, lp(f, 0, PROD));
    } else {
      HOST(PA(FLUSH), TLP_MRD32);
    }
    DEV(TLP_SC, 1, TAG + 1);
    pktq_clear(&b->host_seen);
    consume(f, 0, lp(f, 0, PROD));
  }
}

// A reset of one edge in any cycle of work: nothing is left of what was before, neither in memory nor in registers.
static void reset_at_work(fix *f) {
  enum { CYCLES = 48, COUNTERS = 40 };
  for (unsigned k = 0; k < CYCLES && !f->b->failed; k++) {
    host_mode_of(f->b)->manual = k & 1;
    for (unsigned i = 0; i < 12; i++) {
      put(f, i & 1 ? PUT : NOWHERE, 1);
      send_pkt(f, 0, rd(A, TAG + i, i & 1 ? GET : i & 2 ? FLUSH : NOWHERE, 1));
    }
    bench_run(f->b, 10 + k);
    again(f);
    IS("fault", fault_code(f), 0);
    IS("error", error_code(f), 0);
    if (k % 8 == 0)
      for (unsigned i = 0; i < COUNTERS; i++) cnt(f, i);  // as the model has it
    good(f);
  }
}

// ---- counters of time -----------------------------------------------------------------------------------------------

// What waits is counted where it waits, and at rest nothing does.
static void waits(fix *f) {
  bench *b = f->b;
  uint64_t was[5], t;
  profile_fast(&b->prof);
  quiet(f);
  for (unsigned i = 0; i < 5; i++) was[i] = cnt(f, 33 + i);
  bench_run(b, 500);
  for (unsigned i = 0; i < 5; i++) IS("waits at rest", cnt(f, 33 + i), was[i]);
  // for a walk, in the memory of which nothing moves
  b->prof.axi_min = b->prof.axi_max = 300;
  driver_inv_iotlb(b, f->s, true, 0, 0, 0, 0, false);
  quiet(f);
  t = cnt(f, AA_CNT_WAIT_XLATE);
  put(f, GOOD, 1);
  quiet(f);
  t = cnt(f, AA_CNT_WAIT_XLATE) - t;
  if (!b->failed && (t < 250 || t > 2000))
    no(f, __LINE__, "waits for a translation: got %" PRIu64 " cycles, want some 300 a level", t);
  for (unsigned i = 0; i < 4; i++) IS("others", cnt(f, 33 + i), was[i]);
  profile_fast(&b->prof);
  pktq_clear(&b->host_seen);
  // for the host, which takes no reads
  t = cnt(f, AA_CNT_WAIT_XLATE);
  b->prof.p_np = 0;
  bench_run(b, 10);
  send_pkt(f, 0, rd(A, TAG, GOOD, 1));
  bench_run(b, 600);
  b->prof.p_np = 256;
  quiet(f);
  OK(cnt(f, AA_CNT_WAIT_HOST) > was[3]);
  for (unsigned i = 0; i < 3; i++) IS("others", cnt(f, 33 + i), was[i]);
  OK(cnt(f, AA_CNT_WAIT_XLATE) - t < 40);
  pktq_clear(&b->host_seen);
  pktq_clear(&b->dev_seen[0]);
}

static const directed_case cases[] = {
    {1, timer_completion, "completion time-out alone"},
    {2, timer_flush, "flush time-out alone"},
    {3, timer_watchdog, "watchdog alone"},
    {4, reset_of_port, "reset of each port"},
    {5, filter_of_port, "filter of each port"},
    {6, credits_of_port, "credits of each port"},
    {7, sizes, "largest write, largest read"},
    {8, host_stops_reads, "host takes no reads"},
    {9, every_log, "every log"},
    {10, log_of_flush, "a flush waits for its log"},
    {11, log_of_read, "a tear-down ends the reads of its log"},
    {12, errors, "what each error says"},
    {13, freed_tag, "a tag that is freed is told"},
    {14, freed_space, "room in a log is told"},
    {15, freed_waiter, "a flush waiter that is freed is told"},
    {16, freed_slot, "a slot of a log that is freed is told"},
    {17, freed_failed, "a log that has stopped is told"},
    {18, waits, "counters of waiting"},
    {19, logs_close, "logs close side by side"},
    {20, rests, "who rests takes no turns"},
    {21, alarm_of_log, "a pointer that fails alarms its log"},
    {22, queue_fails, "a queue that cannot be read"},
    {23, ways_of_log, "each way to tell, alone"},
    {24, after_hold, "what a hold gave back goes on"},
    {25, half_a_write, "an address without its data"},
    {26, wait_among_messages, "a wait among messages of logs"},
    {27, early_completion, "a completion as its read leaves"},
    {28, switched_off, "Active Access off and on"},
    {29, reset_at_work, "a reset at work"},
    {30, overtaken, "a read that hundreds overtake"},
    {31, invalidated, "a flood of invalidations"},
    {32, passed, "posted requests pass a read that is woken"},
};

int cosim_wiring(const cosim_options *o, const char *numbers) {
  unsigned passed = 0, failed = 0;
  const directed_suite here = SUITE("wiring", cases);
  directed_run(o, &here, numbers, &passed, &failed);
  directed_run(o, &drain_cases, numbers, &passed, &failed);
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
