// SPDX-License-Identifier: Apache-2.0
// What hostile or broken peers send, case by case, on hardware and model together. The numbers of the cases are those
// of model/test/test_hostile.c, which tries them on the model alone. After each the next good request must work, and in
// lockstep all memory must be what the model says.
#include <string.h>

#include "directed.h"

// ---- the cases ------------------------------------------------------------------------------------------------------

static void c1(fix *f) {
  send_pkt(f, 0, rd(NOBODY, TAG, GOOD, 1));
  device_gets(f, __LINE__, 0, TLP_UR, 0, TAG, NOBODY);
  send_pkt(f, 0, wr(NOBODY, GOOD, 1, 0xF, 0));
  NOTHING();
  OK(bench_read(f->b, AA_REG_FSTS, 4) & AA_FSTS_PPF_MASK);
  IS("fault", fault_code(f), 2);
  IS("second fault", fault_code(f), 0);
}

static void c2(fix *f) {
  bench_write(f->b, AA_REG_AA_PORT, 8, AA_AA_PORT_EN_MASK | 0xFFFFULL << 16 | A);
  send_pkt(f, 0, wr(B, GOOD, 1, 0xF, 0));
  send_pkt(f, 0, rd(B, TAG, GOOD, 1));
  DEVB(TLP_UR, 0, TAG);
  NOTHING();
  IS("error", error_code(f), AA_ERR_PORT_ID);
  IS("refused", cnt(f, AA_CNT_PORT_FILTER), 2);
}

static void c3(fix *f) {
  for (unsigned at = 1; at < 4; at++) {
    pkt *p = rd(A, TAG, GOOD, 1);
    p->hdr[0] |= at << 10;
    send_pkt(f, 0, p);
    DEV(TLP_UR, 0, TAG);
    IS("fault", fault_code(f), 0xD);
    p = wr(A, PUT, 1, 0xF, 0);
    p->hdr[0] |= at << 10;
    send_pkt(f, 0, p);
    NOTHING();
    IS("fault", fault_code(f), 0xD);
  }
  IS("reserved", lp(f, 0, RSVD), 0);
}

static void c4(fix *f) {
  send_pkt(f, 0, wr(A, 0xFEE01000, 1, 0xF, 0));
  HOST(0xFEE01000, TLP_MWR32);
  aa_context c = {.table = f->dom, .did = 1, .aa = true, .nointr = true};
  aa_table_set_context(&f->s->tab, A, &c);
  driver_inv_ctx(f->b, f->s, true, 2, 1, A, 0);
  send_pkt(f, 0, wr(A, 0xFEE01000, 1, 0xF, 0));
  NOTHING();
  IS("fault", fault_code(f), 0x25);
  IS("interrupts", f->b->stats.interrupts, 1);
}

static void c5(fix *f) {
  bench_poke64(f->b, PA(PUT) + 8, 0x1122334455667788ULL);
  send_pkt(f, 0, wr(A, PUT + 8, 5, 0xE, 0x3));
  NOTHING();
  IS("page", bench_peek64(f->b, PA(PUT) + 8), 0x1122334455667788ULL);
  IS("producer", lp(f, 0, PROD), 48);
  ENTRY(0, 0, PUT + 9, entry(IUID, 1, DENIED | DATA, 5, 0xE, 0x3, 0, A));
  IS("data 0", bench_peek64(f->b, RING + 16), 0x1716151413121100ULL);
  IS("data 2", bench_peek64(f->b, RING + 32), 0x0000000000002120ULL);
  IS("padding", bench_peek64(f->b, RING + 40), 0);
}

static void c6(fix *f) {
  send_pkt(f, 0, rd(A, TAG, DARK + 0x10, 4));
  DEV(TLP_UR, 0, TAG);
  NOTHING();
  IS("producer", lp(f, 0, PROD), 16);
  ENTRY(0, 0, DARK + 0x10, entry(IUID, 2, DENIED, 4, 0xF, 0xF, TAG, A));
}

static void c7(fix *f) {
  put(f, MISS, 2);
  NOTHING();
  IS("error", error_code(f), AA_ERR_NO_LOG);
  IS("counted", cnt(f, AA_CNT_NO_LOG), 1);
  IS("denied", cnt(f, AA_CNT_DENIED), 1);
}

static void c8(fix *f) {
  uint64_t at;
  aa_leaf big = {.pa = DRIVER_DATA2M, .r = true, .w = true, .wl = true, .wld = true, .e = true, .iuid = IUID};
  aa_table_entry(&f->s->tab, f->dom, PUT, 1, &at);
  bench_poke64(f->b, at, bench_peek64(f->b, at) | 1ULL << 62);
  put(f, PUT, 1);
  NOTHING();
  IS("reserved bit", fault_code(f), 0xC);
  aa_table_map(&f->s->tab, f->dom, 0x40000000, 2, &big);
  aa_table_entry(&f->s->tab, f->dom, 0x40000000, 2, &at);
  bench_poke64(f->b, at, bench_peek64(f->b, at) | 0x1000);
  put(f, 0x40000000, 1);
  NOTHING();
  IS("superpage", fault_code(f), 0xC);
  aa_table_map(&f->s->tab, f->dom, 0x8000000000, 1, &big);
  aa_table_entry(&f->s->tab, f->dom, 0x8000000000, 3, &at);
  bench_poke64(f->b, at, DRIVER_BAD | 3);
  send_pkt(f, 0, rd(A, TAG, 0x8000000000, 1));
  DEV(TLP_UR, 0, TAG);
  NOTHING();
  IS("read error", fault_code(f), 7);
  IS("reserved", lp(f, 0, RSVD), 0);
}

static void c9(fix *f) {
  aa_leaf l = {.r = true, .w = true};
  put(f, GOOD, 1);
  HOST(PA(GOOD), TLP_MWR32);
  l.pa = PA(0x20000);
  l.w = false;
  l.wl = l.wld = l.e = true;
  l.iuid = IUID;
  aa_table_map(&f->s->tab, f->dom, GOOD, 1, &l);
  for (unsigned i = 0; i < 4; i++) put(f, GOOD, 1);
  quiet(f);
  // the old bits send it to the old frame, the new ones to the log; nothing else
  OK(f->b->host_seen.n * 32 + lp(f, 0, RSVD) == 4 * 32);
  for (pkt *p = f->b->host_seen.head; p; p = p->next) IS("frame", tlp_addr(p->hdr), PA(GOOD));
  l.w = true;
  l.pa = PA(GOOD);
  aa_table_map(&f->s->tab, f->dom, GOOD, 1, &(aa_leaf){.pa = PA(GOOD), .r = true, .w = true});
  driver_inv_iotlb(f->b, f->s, true, 2, 1, GOOD, 0, false);
}

static void c10(fix *f) {
  put(f, PUT, 1);
  quiet(f);
  IS("producer", lp(f, 0, PROD), 32);
  map(f, PUT, (aa_leaf){.r = true, .w = true});
  driver_inv_iotlb(f->b, f->s, true, 2, 1, PUT, 0, true);
  for (unsigned i = 0; i < 5; i++) {
    put(f, PUT, 1);
    HOST(PA(PUT), TLP_MWR32);
  }
  map(f, PUT, (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = IUID});
  driver_inv_iotlb(f->b, f->s, false, 1, 1, 0, 0, false);
  put(f, PUT, 1);
  NOTHING();
  IS("producer", lp(f, 0, PROD), 64);
}

static void c11(fix *f) {
  driver_close(f->b, f->s, 0);
  IS("open", open_log(f, 0, 6, IUID, AA_LOG_CFG_DROP_MASK), 0);
  if (f->b->hw.NumLogs > 1) open_log(f, 1, 12, IUID + 1, 0);
  for (unsigned i = 0; i < 20; i++) {
    put(f, PUT, 1);
    if (f->b->hw.NumLogs > 1) put(f, PUT2, 1);
  }
  NOTHING();
  IS("kept", lp(f, 0, PROD), 64);
  IS("dropped", cnt(f, AA_CNT_DROPPED), 18);
  OK(lp(f, 0, STS) & AA_LP_STS_LOST_MASK);
  if (f->b->hw.NumLogs > 1) IS("other log", lp(f, 1, PROD), 20 * 32);
  IS("error", error_code(f), AA_ERR_LOG_DROP);
  // stall: as long as the watchdog says
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  bench_write(f->b, AA_REG_AA_WDOG, 4, 300);
  for (unsigned i = 0; i < 4; i++) put(f, PUT, 1);
  quiet(f);
  bench_run(f->b, 1500);
  IS("kept", lp(f, 0, PROD), 64);
  IS("dropped", cnt(f, AA_CNT_DROPPED), 20);
  IS("error", error_code(f), AA_ERR_LOG_WDOG);
}

static void c12(fix *f) {
  host_mode_of(f->b)->manual = true;
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  send_pkt(f, 0, rd(A, TAG, GOOD, 4));
  HOST(PA(GOOD), TLP_MRD32);
  for (unsigned i = 0; i < 6; i++) put(f, PUT, 1);
  bench_run(f->b, 500);
  IS("full", lp(f, 0, RSVD), 64);
  complete(f, A, TAG, TLP_SC, 16, 0, 4, false);
  DEV(TLP_SC, 4, TAG);
  for (uint32_t to = 64; to <= 192; to += 64) {
    for (unsigned i = 0; i < WAIT && lp(f, 0, PROD) != to && !f->b->failed; i++) bench_run(f->b, 5);
    IS("producer", lp(f, 0, PROD), to);
    consume(f, 0, to);
  }
  NOTHING();
  IS("nothing lost", lp(f, 0, STS) & AA_LP_STS_LOST_MASK, 0);
}

static void c13(fix *f) {
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 6, IUID, 0);
  bench_poke64(f->b, RING + 64, 0xABCDEF);
  for (uint32_t i = 1; i < 4; i++) {  // fills the ring to its last byte, again and again
    put(f, PUT, 12);
    quiet(f);
    IS("producer", lp(f, 0, PROD), 64 * i);
    IS("first word", bench_peek64(f->b, RING + 16), 0x1716151413121110ULL);
    consume(f, 0, 64 * i);
  }
  put(f, PUT, 13);
  quiet(f);
  IS("one over", lp(f, 0, RSVD), 192);
  IS("error", error_code(f), AA_ERR_LOG_FIT);
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 7, IUID, 0);
  put(f, PUT, 13);  // 80 bytes; 48 are left
  quiet(f);
  consume(f, 0, 80);
  put(f, PUT, 13);  // 48 of pad and 80: the whole ring
  quiet(f);
  IS("producer", lp(f, 0, PROD), 208);
  ENTRY(0, 80, 0, (uint64_t)8 << 19 | 7 << 12);
  ENTRY(0, 0, PUT, entry(IUID, 1, DENIED | DATA, 13, 0xF, 0xF, 0, A));
  consume(f, 0, 208);
  IS("behind the ring", bench_peek64(f->b, RING + 128), 0);
  IS("pads", cnt(f, AA_CNT_PADS), 1);
  NOTHING();
}

static void c14(fix *f) {
  driver_close(f->b, f->s, 0);
  driver_log_cfg good_cfg = {.base = RING, .size = 12, .iuid = IUID, .ptr = DRIVER_PTR, .msi_addr = DRIVER_MSI}, c;
  static const struct {
    unsigned size;
    uint64_t base;
    unsigned why;
  } bad[] = {{0, RING, 1},       {5, RING, 1},          {31, RING, 1},
             {12, RING + 16, 2}, {12, RING + 0x800, 2}, {12, 0xFFFFFFFFFFFFF000ULL, 3},
             {12, 1ULL << 48, 3}};
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    c = good_cfg;
    c.size = bad[i].size;
    c.base = bad[i].base;
    IS("why", driver_open(f->b, f->s, 0, &c), bad[i].why);
  }
  if (f->b->hw.NumLogs > 1) {
    IS("open", open_log(f, 1, 8, IUID, 0), 0);
    IS("duplicate", driver_open(f->b, f->s, 0, &good_cfg), 4);
    driver_close(f->b, f->s, 1);
  }
  c = good_cfg;
  c.ptr += 4;
  c.cfg_bits = AA_LOG_CFG_PTR_MASK;
  IS("pointer", driver_open(f->b, f->s, 0, &c), 5);
  c = good_cfg;
  c.msi_addr += 2;
  c.cfg_bits = AA_LOG_CFG_MSI_MASK;
  IS("MSI", driver_open(f->b, f->s, 0, &c), 6);
  c = good_cfg;
  c.cfg_bits = AA_LOG_CFG_SCR_MASK | 63ULL << AA_LOG_CFG_SCRI_LSB;
  if (f->b->hw.ScratchWords < 64) IS("scratchpad", driver_open(f->b, f->s, 0, &c), 7);
  put(f, PUT, 1);
  NOTHING();
  IS("no log", error_code(f), AA_ERR_NO_LOG);
  IS("open", driver_open(f->b, f->s, 0, &good_cfg), 0);
}

static void c15(fix *f) {
  for (unsigned i = 0; i < 3; i++) put(f, PUT, 1);
  quiet(f);
  static const uint32_t bad[] = {97, 112, 4096, 96 + 4096, 0x80000000, 0xFFFFFFFF};
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    consume(f, 0, bad[i]);
    IS("consumer", lp(f, 0, CONS), 0);
    IS("sticky", lp(f, 0, STS) & 1, 1);
    IS("error", error_code(f), AA_ERR_CONSUMER);
    bench_write(f->b, AA_REG_LP_STS, 4, 1);
    IS("cleared", lp(f, 0, STS) & 1, 0);
  }
  consume(f, 0, 64);
  consume(f, 0, 32);
  IS("backwards", lp(f, 0, CONS), 64);
  IS("error", error_code(f), AA_ERR_CONSUMER);
  consume(f, 0, 96);
  IS("to the producer", lp(f, 0, CONS), 96);
}

static void c16(fix *f) {
  host_mode_of(f->b)->manual = true;
  send_pkt(f, 0, rd(A, TAG, GET + 0x20, 32));
  send_pkt(f, 0, rd(B, TAG, GET + 0x40, 16));
  HOST(PA(GET) + 0x20, TLP_MRD32);
  HOST(PA(GET) + 0x40, TLP_MRD32);
  complete(f, A, TAG, TLP_SC, 128, 0x20, 8, false);
  complete(f, B, TAG, TLP_SC, 64, 0x40, 16, false);
  complete(f, A, TAG, TLP_SC, 96, 0x40, 24, false);
  DEV(TLP_SC, 8, TAG);
  DEVB(TLP_SC, 16, TAG);
  DEV(TLP_SC, 24, TAG);
  quiet(f);
  IS("producer", lp(f, 0, PROD), 16 + 128 + 16 + 64);
  ENTRY(0, 0, GET + 0x20, entry(IUID, 2, DATA, 32, 0xF, 0xF, TAG, A));
  ENTRY(0, 144, GET + 0x40, entry(IUID, 2, DATA, 16, 0xF, 0xF, TAG, B));
  IS("A's first byte", bench_peek64(f->b, RING + 16) & 0xFF, 0x80 + 128 - 256 * 1);
  IS("A's second piece", bench_peek64(f->b, RING + 16 + 32) & 0xFF, (0x80 + 96) & 0xFF);
  IS("B's first byte", bench_peek64(f->b, RING + 160) & 0xFF, (0x80 + 64) & 0xFF);
}

static void c17(fix *f) {
  host_mode_of(f->b)->manual = true;
  complete(f, A, 9, TLP_SC, 4, 0, 1, false);
  complete(f, A, 9, TLP_UR, 4, 0, 0, false);
  NOTHING();
  IS("error", error_code(f), AA_ERR_STRAY);
  IS("counted", cnt(f, AA_CNT_BAD_CPL), 2);
  send_pkt(f, 0, rd(A, 9, GET, 1));
  HOST(PA(GET), TLP_MRD32);
  complete(f, A, 9, TLP_SC, 4, 0, 2, false);  // too long
  NOTHING();
  IS("error", error_code(f), AA_ERR_CPL_LENGTH);
  complete(f, A, 9, TLP_SC, 4, 0, 1, false);
  complete(f, A, 9, TLP_SC, 4, 0, 1, false);  // one more
  DEV(TLP_SC, 1, 9);
  NOTHING();
  IS("error", error_code(f), AA_ERR_STRAY);
  IS("producer", lp(f, 0, PROD), 32);
  IS("counted", cnt(f, AA_CNT_BAD_CPL), 4);
}

static void c18(fix *f) {
  host_mode_of(f->b)->manual = true;
  for (unsigned k = 0; k < 3; k++) {
    send_pkt(f, 0, rd(A, TAG, GET, 32));
    HOST(PA(GET), TLP_MRD32);
    complete(f, A, TAG, TLP_SC, 128, 0, 16, false);
    DEV(TLP_SC, 16, TAG);
    if (k == 2) {
      complete(f, A, TAG, TLP_SC, 64, 0x40, 16, true);
      DEV(TLP_SC, 16, TAG);
    } else {
      complete(f, A, TAG, k ? TLP_CA : TLP_UR, 64, 0, 0, false);
      DEV(k ? TLP_CA : TLP_UR, 0, TAG);
    }
    quiet(f);
    IS("producer", lp(f, 0, PROD), 144 * (k + 1));
    ENTRY(0, 144 * k, GET, entry(IUID, 2, DATA | ABORTED, 32, 0xF, 0xF, TAG, A));
  }
  OK(lp(f, 0, STS) & AA_LP_STS_ABORTED_MASK);
  IS("aborted", cnt(f, AA_CNT_ABORTED), 3);
}

static void c19(fix *f) {
  host_mode_of(f->b)->manual = true;
  bench_write(f->b, AA_REG_AA_CPL_TMO, 4, 400);
  send_pkt(f, 0, rd(A, TAG, GET, 4));
  HOST(PA(GET), TLP_MRD32);
  bench_run(f->b, 2000);
  IS("error", error_code(f), AA_ERR_CPL_TIMEOUT);
  IS("producer", lp(f, 0, PROD), 32);
  ENTRY(0, 0, GET, entry(IUID, 2, DATA | ABORTED, 4, 0xF, 0xF, TAG, A));
  complete(f, A, TAG, TLP_SC, 16, 0, 4, false);
  NOTHING();
  IS("late", error_code(f), AA_ERR_STRAY);
  IS("time-outs", cnt(f, AA_CNT_CPL_TIMEOUTS), 1);
}

static void c20(fix *f) {
  host_mode_of(f->b)->manual = true;
  // no more than the tag buffer and the lane hold, which is what the credits allow: one more would
  // stand in the write's way
  unsigned n = most(f, f->b->hw.TagEntries), extra = f->b->hw.Window < 3 ? f->b->hw.Window : 3;
  for (unsigned i = 0; i < n + extra; i++) send_pkt(f, 0, rd(A, i, GOOD + 4 * (i % 512), 1));
  bench_run(f->b, 40 * n + 500);
  IS("forwarded", f->b->host_seen.n, n);
  pktq_clear(&f->b->host_seen);
  // a posted write passes the reads that wait
  put(f, GOOD, 1);
  HOST(PA(GOOD), TLP_MWR32);
  for (unsigned i = 0; i < n + extra; i++) {
    complete(f, A, i, TLP_SC, 4, 4 * (i % 512), 1, false);
    DEV(TLP_SC, 1, i);
  }
  IS("the rest", f->b->host_seen.n, extra);
}

static void c21(fix *f) {
  pkt *p[6];
  bench_write(f->b, AA_REG_AA_CTL, 4, AA_AA_CTL_AAE_MASK);  // 128 bytes
  p[0] = wr(A, PUT + 0xFF8, 3, 0xF, 0xF);
  p[1] = wr(A, PUT, 33, 0xF, 0xF);
  p[2] = wr(A, PUT, 4, 0xF, 0xF);
  p[2]->hdr[0] ^= 1;
  p[3] = wr(A, PUT, 1, 0xF, 0);
  p[3]->hdr[1] |= 0x10;
  p[4] = wr(A, PUT, 3, 0x5, 0xF);
  p[5] = wr(A, PUT, 1, 0xF, 0);
  p[5]->beats = 2;
  static const unsigned code[] = {AA_ERR_CROSS4K, AA_ERR_MAX_SIZE, AA_ERR_LENGTH,
                                  AA_ERR_BYTE_EN, AA_ERR_BYTE_EN,  AA_ERR_LENGTH};
  for (unsigned i = 0; i < 6; i++) {
    send_pkt(f, 0, p[i]);
    NOTHING();
    IS("error", error_code(f), code[i]);
  }
  send_pkt(f, 0, rd(A, TAG, GOOD, 33));
  send_pkt(f, 0, rd(A, TAG, GOOD + 0xFFC, 2));
  NOTHING();
  IS("error", error_code(f), AA_ERR_MAX_SIZE);
  IS("counted", cnt(f, AA_CNT_MALFORMED), 8);
  IS("reserved", lp(f, 0, RSVD), 0);
  bench_write(f->b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
}

static void c22(fix *f) {
  send_pkt(f, 0, traffic_request(TLP_MRD32, A, TAG, GOOD, 1, 0, 0));
  HOST(PA(GOOD), TLP_MRD32);
  DEV(TLP_SC, 1, TAG);
  send_pkt(f, 0, wr(A, GOOD, 1, 0, 0));
  HOST(PA(GOOD), TLP_MWR32);
  IS("page", bench_peek64(f->b, PA(GOOD)), 0);
  send_pkt(f, 0, traffic_request(TLP_MRD32, A, TAG, GET, 1, 0, 0));
  HOST(PA(GET), TLP_MRD32);
  DEV(TLP_SC, 1, TAG);
  send_pkt(f, 0, wr(A, PUT, 1, 0, 0));
  send_pkt(f, 0, wr(A, PUT, 2, 0x5, 0xA));
  NOTHING();
  ENTRY(0, 0, GET, entry(IUID, 2, 0, 1, 0, 0, TAG, A));
  ENTRY(0, 16, PUT, entry(IUID, 1, DENIED, 1, 0, 0, 0, A));
  ENTRY(0, 32, PUT, entry(IUID, 1, DENIED | DATA, 2, 0x5, 0xA, 0, A));
  IS("masked", bench_peek64(f->b, RING + 48), 0x1700150000120010ULL);
  IS("producer", lp(f, 0, PROD), 64);
}

static void c23(fix *f) {
  pkt *p = wr(A, GOOD, 2, 0xF, 0xF);
  p->hdr[0] |= 0x4000;
  send_pkt(f, 0, p);
  NOTHING();
  IS("error", error_code(f), AA_ERR_POISON);
  p = wr(A, PUT, 2, 0xF, 0xF);
  p->hdr[0] |= 0x4000;
  send_pkt(f, 0, p);
  NOTHING();
  ENTRY(0, 0, PUT, entry(IUID, 1, DENIED | POISONED, 2, 0xF, 0xF, 0, A));
  IS("producer", lp(f, 0, PROD), 16);
  IS("page", bench_peek64(f->b, PA(GOOD)), 0);
  IS("counted", cnt(f, AA_CNT_POISONED), 2);
}

static void c24(fix *f) {
  if (!f->b->hw.FlushPages) return;
  put(f, PUT, 1);
  send_pkt(f, 0, rd(A, TAG, FLUSH, 2));
  bench_run(f->b, 500);
  OK(!f->b->host_seen.head && !f->b->dev_seen[0].head);
  consume(f, 0, 32);
  pkt *p = next(f, &f->b->dev_seen[0]);
  OK(p && p->ndw == 2 && p->data[0] == 32 && p->data[7] == 0);
  pkt_free(p);
  NOTHING();
}

static void c25(fix *f) {
  if (!f->b->hw.FlushPages || f->b->hw.FlushWaiters < 2) return;
  put(f, PUT, 1);
  send_pkt(f, 0, rd(A, TAG, FLUSH, 1));
  send_pkt(f, 0, rd(B, TAG, FLUSH + 4, 1));
  bench_run(f->b, 500);
  OK(!f->b->host_seen.head && !f->b->dev_seen[0].head);
  consume(f, 0, 32);
  bench_run(f->b, 300);
  IS("answers", f->b->dev_seen[0].n, 2);
  unsigned a = 0, b2 = 0;
  for (pkt *p; (p = pktq_pop(&f->b->dev_seen[0])); pkt_free(p)) {
    a += tlp_cpl_id(p->hdr) == A && p->data[0] == 32;
    b2 += tlp_cpl_id(p->hdr) == B && p->data[3] == 0;
  }
  IS("each", a * 2 + b2, 3);
  IS("held", cnt(f, AA_CNT_FLUSHES), 2);
}

static void c26(fix *f) {
  if (!f->b->hw.FlushPages) return;
  bench_write(f->b, AA_REG_AA_FLUSH_TMO, 4, 400);
  put(f, PUT, 1);
  send_pkt(f, 0, rd(A, TAG, FLUSH, 2));
  pkt *p = next(f, &f->b->dev_seen[0]);
  OK(p && p->ndw == 2 && p->data[0] == 0 && p->data[7] == 0x80);
  pkt_free(p);
  IS("error", error_code(f), AA_ERR_FLUSH_TIMEOUT);
  IS("counted", cnt(f, AA_CNT_FLUSHES_UNDONE), 1);
  NOTHING();
}

static void c27(fix *f) {
  host_mode_of(f->b)->manual = true;
  send_pkt(f, 0, rd(A, TAG, GET, 16));
  HOST(PA(GET), TLP_MRD32);
  complete(f, A, TAG, TLP_SC, 64, 0, 8, false);
  DEV(TLP_SC, 8, TAG);
  driver_close(f->b, f->s, 0);
  ENTRY(0, 0, GET, entry(IUID, 2, DATA | ABORTED, 16, 0xF, 0xF, TAG, A));
  uint64_t was = bench_peek64(f->b, RING + 16 + 32);
  complete(f, A, TAG, TLP_SC, 32, 0x20, 8, false);
  DEV(TLP_SC, 8, TAG);
  quiet(f);
  IS("after the close", bench_peek64(f->b, RING + 16 + 32), was);
  put(f, PUT, 1);
  NOTHING();
  IS("error", error_code(f), AA_ERR_NO_LOG);
}

static void c28(fix *f) {
  driver_close(f->b, f->s, 0);
  driver_log_cfg c = {.base = RING,
                      .size = 12,
                      .iuid = IUID,
                      .ptr = DRIVER_PTR,
                      .msi_addr = DRIVER_MSI,
                      .msi_data = 0x41,
                      .msi_free = 4096,
                      .cfg_bits = AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK};
  driver_open(f->b, f->s, 0, &c);
  for (unsigned k = 1; k < 4; k++) {
    for (unsigned i = 0; i < 20; i++) put(f, PUT, 1);
    quiet(f);
    IS("MSIs", cnt(f, AA_CNT_MSIS), k);
    IS("pointer", bench_peek64(f->b, DRIVER_PTR), k * 640);
    IS("MSI", bench_peek64(f->b, DRIVER_MSI), 0x41);
    bench_poke64(f->b, DRIVER_MSI, 0);
    consume(f, 0, k * 640);
    quiet(f);
    IS("nothing to say", cnt(f, AA_CNT_MSIS), k);
  }
}

static void c37(fix *f) {
  bench_poke64(f->b, PA(GOOD), 5);
  send_pkt(f, 0, traffic_request(TLP_FADD32, A, 1, GOOD + 4, 2, 0, 0));
  send_pkt(f, 0, traffic_request(TLP_SWAP32, A, 2, GOOD, 4, 0, 0));
  send_pkt(f, 0, traffic_request(TLP_CAS32, A, 3, GOOD, 1, 0, 0));
  send_pkt(f, 0, traffic_request(TLP_CAS32, A, 4, GOOD + 8, 8, 0, 0));
  for (unsigned i = 1; i < 5; i++) DEV(TLP_UR, 0, i);
  NOTHING();
  IS("error", error_code(f), AA_ERR_ATOMIC);
  pkt *p = traffic_request(TLP_FADD32, A, 5, GOOD, 2, 0, 0);
  memset(p->data, 0, 8);
  p->data[0] = 2;
  send_pkt(f, 0, p);
  HOST(PA(GOOD), TLP_FADD32);
  DEV(TLP_SC, 2, 5);
  IS("sum", bench_peek64(f->b, PA(GOOD)), 7);
}

static void c38(fix *f) {
  bench *b = f->b;
  static const uint64_t value[] = {~0ULL, 0, 0x5555555555555555ULL, 0xAAAAAAAAAAAAAAAAULL};
  driver_command(b, AA_GCMD_TE_MASK, false);
  driver_command(b, AA_GCMD_QIE_MASK, false);
  bench_write(b, AA_REG_RTADDR, 8, f->s->tab.root);
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t at = 0; at < 0x4200 && !b->failed; at += 8) {
      if (at > 0x300 && at < 0x1000) at = 0x1000;
      if (at > 0x1200 && at < 0x2000) at = 0x2000;
      // what would start walks, queues or logs at places that nobody owns is left out here
      if (at == AA_REG_GCMD || at == AA_REG_RTADDR) continue;
      if (at >= 0x2000 && at < 0x2800 && (at & 63) == 8) {
        bench_write_strb(b, at, value[k], 0x7F);
        continue;
      }
      for (unsigned strb = 1; strb < 256; strb = strb * 2 + (k & 1)) bench_write_strb(b, at, value[k], (uint8_t)strb);
      bench_read(b, at, 8);
    }
  for (unsigned i = 0; i < 32; i++)
    for (unsigned r = 0; r < 4; r++) {
      bench_write_strb(b, AA_REG_LP_PROD + (i << 12) + 8 * r, rng_u64(&b->rng), (uint8_t)rng_u64(&b->rng));
      bench_read(b, AA_REG_LP_PROD + (i << 12) + 8 * r, 8);
    }
  // reserved bits read 0
  bench_write(b, AA_REG_AA_CTL, 4, 0xFFFFFFFF);
  IS("AA_CTL", bench_read(b, AA_REG_AA_CTL, 4), 0x771);
  bench_write(b, AA_REG_FEADDR, 4, 0xFFFFFFFF);
  IS("FEADDR", bench_read(b, AA_REG_FEADDR, 4), 0xFFFFFFFC);
  bench_write(b, AA_REG_AA_PORT, 8, ~0ULL);
  IS("AA_PORT", bench_read(b, AA_REG_AA_PORT, 8), 0x80000000FFFFFFFFULL);
  bench_write(b, AA_REG_IQA, 8, ~0ULL);
  IS("IQA", bench_read(b, AA_REG_IQA, 8), 0xFFFFFFFFFFFFF007ULL);
  IS("VER", bench_read(b, AA_REG_VER, 4), AA_RESET_VER);
  IS("CAP", bench_read(b, AA_REG_CAP, 8), AA_RESET_CAP);
  // back to work
  bench_write(b, AA_REG_AA_PORT, 8, 0);
  for (unsigned i = 0; i < 4; i++) bench_write(b, AA_REG_AA_PORT + 8 * i, 8, 0);
  for (unsigned i = 0; i < 8; i++) bench_write(b, AA_REG_AA_FLP + 8 * i, 8, 0);
  bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  bench_write(b, AA_REG_AA_CPL_TMO, 4, 0);
  bench_write(b, AA_REG_AA_WDOG, 4, 0);
  bench_write(b, AA_REG_FSTS, 4, ~0u);
  driver_queue_on(b, f->s, 0);
  driver_inv_ctx(b, f->s, true, 0, 0, 0, 0);
  driver_command(b, AA_GCMD_TE_MASK, true);
}

// The right byte count, and a LowerAddress that is not where it begins: refused, and the read goes on.
static void c45(fix *f) {
  host_mode_of(f->b)->manual = true;
  send_pkt(f, 0, rd(A, TAG, GET + 0x34, 16));
  HOST(PA(GET + 0x34), TLP_MRD32);
  for (unsigned bit = 0; bit < 7; bit++) {
    complete(f, A, TAG, TLP_SC, 64, 0x34 ^ 1u << bit, 3, false);
    NOTHING();
    IS("error", error_code(f), AA_ERR_CPL_LENGTH);
  }
  IS("counted", cnt(f, AA_CNT_BAD_CPL), 7);
  complete(f, A, TAG, TLP_SC, 64, 0x34, 3, false);
  DEV(TLP_SC, 3, TAG);
  complete(f, A, TAG, TLP_SC, 52, 0x34, 13, false);  // that of the piece before
  NOTHING();
  IS("error", error_code(f), AA_ERR_CPL_LENGTH);
  complete(f, A, TAG, TLP_SC, 52, 0x40, 13, false);
  DEV(TLP_SC, 13, TAG);
  quiet(f);
  IS("producer", lp(f, 0, PROD), 80);
  ENTRY(0, 0, GET + 0x34, entry(IUID, 2, DATA, 16, 0xF, 0xF, TAG, A));
  send_pkt(f, 0, traffic_request(TLP_FADD32, A, 1, GOOD + 0x24, 1, 0, 0));  // an AtomicOp's is 0
  HOST(PA(GOOD + 0x24), TLP_FADD32);
  complete(f, A, 1, TLP_SC, 4, 0x24, 1, false);
  NOTHING();
  IS("error", error_code(f), AA_ERR_CPL_LENGTH);
  complete(f, A, 1, TLP_SC, 4, 0, 1, false);
  DEV(TLP_SC, 1, 1);
}

// The fault event, to a word of its own.
#define EVENT (DRIVER_MSI + 0x8000)
static void watch_event(fix *f) {
  bench_write(f->b, AA_REG_FEADDR, 8, EVENT);
  bench_write(f->b, AA_REG_FECTL, 8, 0xFEULL << 32);
}

static void write_failed(fix *f, int line, unsigned iuid, uint64_t addr) {
  uint64_t sts = bench_read(f->b, AA_REG_AA_ERR_STS, 8), at = bench_read(f->b, AA_REG_AA_ERR_ADDR, 8),
           bus = f->b->hw.DataW / 8;
  if ((sts & ~2ULL) != ((uint64_t)iuid << AA_AA_ERR_STS_IUID_LSB | AA_ERR_AXI_WRITE << AA_AA_ERR_STS_CODE_LSB | 5) ||
      (at & ~(bus - 1)) != (addr & ~(bus - 1)))
    no(f, line, "error: got %" PRIx64 " at %" PRIx64 ", want IUID %u at %" PRIx64, sts, at, iuid, addr);
  if (bench_peek64(f->b, EVENT) != 0xFE) no(f, line, "no fault event");
  bench_poke64(f->b, EVENT, 0);
  bench_write(f->b, AA_REG_AA_ERR_STS, 8, 1);
}
#define FAILED(iuid, addr) write_failed(f, __LINE__, iuid, addr)

static void not_done(fix *f, int line) {
  pkt *p = next(f, &f->b->dev_seen[0]);
  if (!p || p->ndw != 2 || p->data[7] != 0x80) no(f, line, "the flush is not answered with 'not done'");
  pkt_free(p);
}

// Log 0, of `size` at `base`, instead of the one that is open.
static void instead(fix *f, uint64_t base, unsigned size, uint64_t bits) {
  driver_close(f->b, f->s, 0);
  driver_log_cfg c = {.base = base,
                      .size = size,
                      .iuid = IUID,
                      .ptr = DRIVER_PTR,
                      .msi_addr = DRIVER_MSI,
                      .msi_data = 0x41,
                      .cfg_bits = bits};
  driver_open(f->b, f->s, 0, &c);
}

static void log_as_before(fix *f) {
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 12, IUID, 0);
}

// ERR-2, ERR-3: memory refuses entries from the second lap on, while a read is open: the log stops, says so once, and
// holds nobody up.
static void log_that_fails(fix *f) {
  bool more = f->b->hw.NumLogs > 1, flush = f->b->hw.FlushPages;
  const uint64_t base = DRIVER_BAD - 0x1000;
  instead(f, base, 12, AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK);
  if (more) open_log(f, 1, 12, IUID + 1, 0);
  for (unsigned i = 0; i < 128; i++) put(f, PUT, 1);
  quiet(f);
  IS("first lap", lp(f, 0, PROD), 4096);
  consume(f, 0, 4096);
  bench_poke64(f->b, DRIVER_MSI, 0);
  axi_set_bad(f->b, base, base + 4096);
  send_pkt(f, 0, rd(A, TAG, GET, 4));  // its entry is open when the log stops
  HOST(PA(GET), TLP_MRD32);
  for (unsigned i = 0; i < 40; i++) {
    put(f, PUT, 1);
    if (more) put(f, PUT2, 1);
  }
  quiet(f);
  IS("never published", lp(f, 0, PROD), 4096);
  IS("pointer", bench_peek64(f->b, DRIVER_PTR), 4096);
  IS("state", lp(f, 0, STS) & ~(unsigned)AA_LP_STS_LOST_MASK,
     AA_LP_STS_FAILED_MASK | AA_LP_STS_ABORTED_MASK | AA_LP_STS_EN_MASK);
  IS("MSI of the log", bench_peek64(f->b, DRIVER_MSI), 0x41);
  FAILED(IUID, base + 32);
  if (more) IS("the other log", lp(f, 1, PROD), 40 * 32);
  axi_set_bad(f->b, DRIVER_BAD, DRIVER_BAD + 0x10000);
  uint64_t lost = cnt(f, AA_CNT_DROPPED);
  for (unsigned i = 0; i < 200; i++) put(f, PUT, 1);  // more than the ring holds: nobody stalls
  quiet(f);
  IS("dropped", cnt(f, AA_CNT_DROPPED), lost + 200);
  IS("error", error_code(f), AA_ERR_LOG_FAILED);
  IS("still", lp(f, 0, PROD), 4096);
  if (flush) {
    send_pkt(f, 0, rd(B, TAG + 1, FLUSH, 2));
    not_done(f, __LINE__);
  }
  complete(f, A, TAG, TLP_SC, 16, 0, 4, false);  // the read itself goes on
  DEV(TLP_SC, 4, TAG);
  bench_write(f->b, AA_REG_LP_STS, 8, ~0ULL);
  IS("cannot be wiped away", lp(f, 0, STS), AA_LP_STS_FAILED_MASK | AA_LP_STS_EN_MASK);
  log_as_before(f);
  IS("anew", lp(f, 0, STS), AA_LP_STS_EN_MASK);
  put(f, PUT, 1);
  quiet(f);
  IS("works", lp(f, 0, PROD), 32);
}

// ERR-3: a lane that waits for space, and a flush that is held, are released.
static void who_waited_is_released(fix *f) {
  bool flush = f->b->hw.FlushPages;
  const uint64_t base = DRIVER_BAD - 0x40;
  instead(f, base, 6, 0);
  put(f, PUT, 1);
  quiet(f);
  axi_set_bad(f->b, DRIVER_BAD - 0x1000, DRIVER_BAD + 0x10000);
  if (flush) send_pkt(f, 0, rd(B, TAG, FLUSH, 2));
  for (unsigned i = 0; i < 4; i++) put(f, PUT, 1);
  if (flush) not_done(f, __LINE__);
  quiet(f);
  IS("one of two", lp(f, 0, PROD), 32);
  FAILED(IUID, base + 32);
  axi_set_bad(f->b, DRIVER_BAD, DRIVER_BAD + 0x10000);
  log_as_before(f);
}

// A chunk of a read whose completions are split, and the close that follows.
static void read_in_pieces(fix *f) {
  instead(f, DRIVER_BAD, 16, 0);
  send_pkt(f, 0, rd(A, TAG, GET, 16));
  HOST(PA(GET), TLP_MRD32);
  complete(f, A, TAG, TLP_SC, 64, 0, 8, false);
  DEV(TLP_SC, 8, TAG);
  quiet(f);
  complete(f, A, TAG, TLP_SC, 32, 0x20, 8, false);
  DEV(TLP_SC, 8, TAG);
  quiet(f);
  IS("nothing", lp(f, 0, PROD), 0);
  FAILED(IUID, DRIVER_BAD + 16);
  log_as_before(f);
}

static void c40(fix *f) {
  watch_event(f);
  host_mode_of(f->b)->manual = true;
  log_that_fails(f);
  who_waited_is_released(f);
  read_in_pieces(f);
}

static void c41(fix *f) {
  // A pointer (ERR-4): the log goes on, the register is right, both interrupts come once (ERR-7).
  watch_event(f);
  driver_close(f->b, f->s, 0);
  driver_log_cfg c = {.base = RING,
                      .size = 12,
                      .iuid = IUID,
                      .ptr = DRIVER_BAD + 0x40,
                      .msi_addr = DRIVER_MSI,
                      .msi_data = 0x41,
                      .cfg_bits = AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK};
  driver_open(f->b, f->s, 0, &c);
  put(f, PUT, 1);
  quiet(f);
  put(f, PUT, 1);
  quiet(f);
  IS("published", lp(f, 0, PROD), 64);
  IS("state", lp(f, 0, STS), AA_LP_STS_PTRERR_MASK | AA_LP_STS_EN_MASK);
  IS("MSI", bench_peek64(f->b, DRIVER_MSI), 0x41);
  IS("once", cnt(f, AA_CNT_MSIS), 1);
  FAILED(IUID, DRIVER_BAD + 0x40);
  bench_write(f->b, AA_REG_LP_STS, 8, AA_LP_STS_PTRERR_MASK);
  IS("state", lp(f, 0, STS), AA_LP_STS_EN_MASK);
  axi_set_bad(f->b, DRIVER_BAD + 0x8000, DRIVER_BAD + 0x10000);
  put(f, PUT, 1);
  quiet(f);
  IS("pointer", bench_peek64(f->b, DRIVER_BAD + 0x40), 96);
  // An MSI (ERR-5): an error with the log's IUID, and no more.
  consume(f, 0, 96);
  driver_close(f->b, f->s, 0);
  c.ptr = DRIVER_PTR;
  c.msi_addr = DRIVER_BAD + 0x8000;
  c.msi_free = 4096;
  driver_open(f->b, f->s, 0, &c);
  put(f, PUT, 1);
  quiet(f);
  IS("state", lp(f, 0, STS), AA_LP_STS_EN_MASK);
  IS("published", bench_peek64(f->b, DRIVER_PTR), 32);
  FAILED(IUID, DRIVER_BAD + 0x8000);
  driver_close(f->b, f->s, 0);
  open_log(f, 0, 12, IUID, 0);
  // The status word of a wait: the queue stops there and says so; when the error is cleared the wait is done again.
  uint32_t head = (uint32_t)bench_read(f->b, AA_REG_IQH, 4);
  bench_write(f->b, AA_REG_ICS, 4, 1);
  driver_push(f->b, f->s, 5 | 0x30 | 0xABCDULL << 32, DRIVER_BAD + 0x9000);
  driver_kick(f->b, f->s);
  quiet(f);
  IS("head", bench_read(f->b, AA_REG_IQH, 4), head);
  IS("not complete", bench_read(f->b, AA_REG_ICS, 4), 0);
  OK(bench_read(f->b, AA_REG_FSTS, 4) & AA_FSTS_IQE_MASK);
  FAILED(0, DRIVER_BAD + 0x9000);
  axi_set_bad(f->b, DRIVER_BAD, DRIVER_BAD + 0x1000);
  bench_write(f->b, AA_REG_FSTS, 4, AA_FSTS_IQE_MASK);
  quiet(f);
  IS("head", bench_read(f->b, AA_REG_IQH, 4), head + 16);
  IS("complete", bench_read(f->b, AA_REG_ICS, 4), 1);
  IS("status", bench_peek64(f->b, DRIVER_BAD + 0x9000), 0xABCD);
  bench_poke64(f->b, EVENT, 0);
}

static const directed_case cases[] = {
    {1, c1, "requester without a context"},
    {2, c2, "another device's requester id"},
    {3, c3, "translated requests"},
    {4, c4, "interrupts"},
    {5, c5, "active put"},
    {6, c6, "denied get"},
    {7, c7, "IUID without a log"},
    {8, c8, "reserved bits, malformed pages, read errors"},
    {9, c9, "page changed, not invalidated"},
    {10, c10, "page changed and invalidated"},
    {11, c11, "flood of one log"},
    {12, c12, "completions past a full log"},
    {13, c13, "end of the ring"},
    {14, c14, "malformed logs"},
    {15, c15, "bad consumer pointers"},
    {16, c16, "one tag, two requesters"},
    {17, c17, "stray completions"},
    {18, c18, "errors in mid-read"},
    {19, c19, "read never completed"},
    {20, c20, "tag buffer full"},
    {21, c21, "malformed requests"},
    {22, c22, "zero bytes, odd enables"},
    {23, c23, "poisoned writes"},
    {24, c24, "flush"},
    {25, c25, "two flushes"},
    {26, c26, "flush never drained"},
    {27, c27, "tear-down with a read in flight"},
    {28, c28, "one MSI an emptying"},
    {37, c37, "bad atomics"},
    {38, c38, "register writes"},
    {40, c40, "memory refuses a log's entries"},
    {41, c41, "memory refuses a pointer, an MSI, a status word"},
    {45, c45, "wrong LowerAddress"},
};

int cosim_hostile(const cosim_options *o, const char *numbers) {
  unsigned passed = 0, failed = 0;
  const directed_suite here = SUITE("hostile", cases);
  directed_run(o, &here, numbers, &passed, &failed);
  directed_run(o, &requester_cases, numbers, &passed, &failed);
  directed_run(o, &ring_cases, numbers, &passed, &failed);
  if (options_chosen(numbers, 39)) {
    cosim_options r = *o;
    r.n = 3000;
    r.hostile = true;
    r.json = NULL;
    r.wave = NULL;
    r.progress = false;
    if (cosim_random(&r))
      failed++;
    else
      passed++;
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
