// SPDX-License-Identifier: Apache-2.0
// What random software does while traffic runs: one action at a time, from a table.
#include "driver_random.h"
#include "tocsin/aa_count.h"

static void drain_faults(bench *b) {
  uint32_t sts = (uint32_t)bench_read(b, AA_REG_FSTS, 4);
  unsigned i = sts >> AA_FSTS_FRI_LSB & 7;
  for (unsigned n = 0; n < 8 && !b->failed; n++, i = (i + 1) % 8) {
    uint32_t at = AA_REG_FRCDH + i * AA_REG_FRCDH_STRIDE;
    if (!(bench_read(b, at + 4, 4) >> 31)) break;
    bench_read(b, at, 4);
    bench_read(b, AA_REG_FRCDL + i * AA_REG_FRCDL_STRIDE, 8);
    bench_write(b, at + 4, 4, 0x80000000);
    b->driver->faults_seen++;
  }
  bench_write(b, AA_REG_FSTS, 4, AA_FSTS_PFO_MASK | AA_FSTS_PPF_MASK);
}

static void queue_recover(bench *b) {
  driver *s = b->driver;
  // a driver would mend the descriptor; this one starts the queue again
  driver_command(b, AA_GCMD_QIE_MASK, false);
  bench_write(b, AA_REG_FSTS, 4, AA_FSTS_IQE_MASK);
  driver_queue_on(b, s, rng_below(&b->rng, 2));
}

static void queue_error(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  static const uint64_t bad[][2] = {{0, 0},
                                    {6, 0},
                                    {15, 0},
                                    {3, 0},
                                    {4, 0},
                                    {5, 0},
                                    {1 | 1 << 4 | 1 << 6, 0},
                                    {2 | 1 << 4 | 1 << 8, 0},
                                    {1 | 1 << 4, 1},
                                    {2 | 3 << 4, 1 << 7},
                                    {0x25 | 1 << 7, 0x1100000},
                                    {1, 0},
                                    {2, 0},
                                    {0x25, 0x1100003}};
  unsigned k = rng_below(r, 20);
  s->what = "queue error";
  if (k < 14) {
    driver_push(b, s, bad[k][0], bad[k][1]);
    driver_kick(b, s);
  } else if (k == 14) {
    bench_write(b, AA_REG_IQT, 8, s->iq_size + 16);
  } else if (k >= 18) {  // a queue in memory that refuses it
    driver_command(b, AA_GCMD_QIE_MASK, false);
    bench_write(b, AA_REG_IQT, 8, 0);
    bench_write(b, AA_REG_IQA, 8, DRIVER_BAD + 0x4000);
    driver_command(b, AA_GCMD_QIE_MASK, true);
    bench_write(b, AA_REG_IQT, 8, 16 * (uint64_t)rng_range(r, 1, 20));
  } else if (k >= 16) {  // a status word in memory that refuses it, once or twice
    driver_push(b, s, 0x25 | 0x10u * rng_below(r, 2) | rng_u64(r) << 32, DRIVER_BAD + 0x2000);
    driver_kick(b, s);
    bench_run(b, rng_range(r, 1, 1000));
    if (rng_1in(r, 2)) bench_write(b, AA_REG_FSTS, 4, AA_FSTS_IQE_MASK);
  } else {
    for (unsigned i = rng_range(r, 1, 20); i; i--) driver_push(b, s, rng_u64(r), rng_u64(r));
    driver_kick(b, s);
  }
  bench_run(b, rng_range(r, 50, 1000));
  queue_recover(b);
}

// Registers that cannot aim hardware at memory that other checks own.
static void random_write(bench *b) {
  rng *r = &b->rng;
  static const uint32_t safe[] = {AA_REG_VER,
                                  AA_REG_CAP,
                                  AA_REG_ECAP,
                                  AA_REG_GSTS,
                                  AA_REG_FSTS,
                                  AA_REG_FEDATA & ~7u,
                                  AA_REG_IQH,
                                  AA_REG_FRCDL,
                                  AA_REG_FRCDH,
                                  AA_REG_AA_ID,
                                  AA_REG_AA_CAP,
                                  AA_REG_AA_RESET,
                                  AA_REG_AA_ERR_STS,
                                  AA_REG_AA_ERR_ADDR,
                                  AA_REG_LP_PROD,
                                  AA_REG_LP_RSVD,
                                  AA_REG_LP_STS,
                                  AA_REG_SCRATCH,
                                  AA_REG_LOG_STS,
                                  AA_REG_LOG_TIME,
                                  AA_REG_LOG_MSID,
                                  0x1040,
                                  0x0F00,
                                  0x5000,
                                  0x8000,
                                  0xFFFF8,
                                  AA_REG_IVA,
                                  0x98,
                                  0x48,
                                  0x60,
                                  AA_REG_CNT};
  uint32_t at = safe[rng_below(r, sizeof safe / sizeof safe[0])];
  uint64_t v = rng_1in(r, 3) ? ~0ULL : rng_u64(r);
  if (at >= AA_REG_LP_PROD && at < 0x30000) at += rng_below(r, 32) << 12;
  if (at >= 0x2000 && at < 0x2800) at += rng_below(r, 32) << 6;
  if (at == AA_REG_CNT || at == AA_REG_SCRATCH) at += rng_below(r, 64) << 3;
  if (at == AA_REG_FRCDH || at == AA_REG_FRCDL) at += rng_below(r, 8) << 4;
  if (at >= AA_REG_CNT && at < AA_REG_CNT + 8 * 64) b->driver->cleared |= 1ull << (at - AA_REG_CNT) / 8;
  uint8_t strb = (uint8_t)(rng_1in(r, 2) ? 0xFF : rng_u64(r));
  if ((at & ~7u) == AA_REG_GCMD) strb &= 0xF0;  // GSTS only
  bench_write_strb(b, at & ~7u, v, strb);
}

static void random_consumer(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  unsigned i = rng_below(r, b->hw.NumLogs);
  if (!s->log[i].open) return;
  uint32_t prod = (uint32_t)bench_read(b, LOGREG(LP_PROD, i), 4), cons = s->log[i].cons, v;
  if (rng_1in(r, 2))
    v = prod + 16 + (rng_1in(r, 2) ? rng_below(r, 0x7FFFFFFF - 0x20000) : 0) + 0x10000;
  else
    v = cons - rng_range(r, 1, 0x10000);
  // a refused value changes nothing but the sticky error
  bench_write(b, LOGREG(LP_CONS, i), 8, v | (rng_u64(r) << 32));
  if (rng_1in(r, 2)) bench_write(b, LOGREG(LP_STS, i), 4, 7);
}

static void idle(bench *b) { bench_run(b, rng_range(&b->rng, 10, 400)); }

static void consume(bench *b) { driver_consume(b, false); }

// Some pages change, and the translations that may be kept of them are invalidated.
static void change_pages(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  driver_page *p = &s->page[rng_below(r, s->pages)];
  unsigned n = rng_range(r, 1, 4);
  for (unsigned i = 0; i < n; i++) {
    p = &s->page[rng_below(r, s->pages)];
    for (unsigned more = rng_below(r, 4); more && p->level == 1; more--) p = &s->page[rng_below(r, s->pages)];
    driver_set_page(b, p, s->hostile && rng_1in(r, 10));
    p->stale = true;
    if (rng_1in(r, 3)) bench_run(b, rng_below(r, 60));
  }
  bool queue = rng_1in(r, 2);
  if (n == 1 && rng_1in(r, 2)) {
    uint64_t inside = (uint64_t)rng_below(r, 1u << 9 * (p->level - 1)) << 12;
    unsigned am = rng_below(r, 19);
    if (am >= 14) aa_reach(b, AT_AM_LARGE);
    if (inside && am < 9) aa_reach(b, AT_AM_INSIDE);
    driver_inv_iotlb(b, s, queue, 2, s->dom[p->domain].did, p->iova | inside, am, rng_1in(r, 2));
  } else {
    driver_inv_iotlb(b, s, queue, rng_1in(r, 4) ? 0 : 1, s->dom[p->domain].did, 0, 0, false);
  }
}

static void change_context(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  unsigned p = rng_below(r, b->hw.NumPorts), i = rng_below(r, TRAFFIC_SIDS);
  uint16_t did = s->ctx[p][i].did, sid = b->traffic->sid[p][i];
  driver_set_context(b, p, i, true);
  driver_inv_ctx(b, s, rng_1in(r, 2), rng_below(r, 3), did, sid, rng_below(r, 4));
  driver_inv_iotlb(b, s, rng_1in(r, 2), 1, did, 0, 0, false);
  if (rng_1in(r, 4)) driver_collect_pages(b);
}

// Those of time, which only lockstep judges, more often than the others.
static unsigned some_counter(rng *r) {
  enum { COUNTERS = 64, OFTEN = 8, TIMES = AA_CNT_TIME_LAST - AA_CNT_TIME_FIRST + 1 };
  unsigned i = rng_below(r, COUNTERS);
  return i < COUNTERS - OFTEN ? i : AA_CNT_TIME_FIRST + i % TIMES;
}

static void read_registers(bench *b) {
  rng *r = &b->rng;
  for (unsigned i = 0; i < 8 && !b->failed; i++) {
    uint32_t at = rng_1in(r, 2)   ? AA_REG_CNT + 8 * some_counter(r)
                  : rng_1in(r, 2) ? LOGREG(LP_PROD, rng_below(r, 32)) + 8 * rng_below(r, 4)
                  : rng_1in(r, 2) ? rng_below(r, 0x2C0) & ~7u
                                  : 0x1000 + (rng_below(r, 0x3000) & ~7u);
    bench_read(b, at, 8);
  }
}

static void clear_errors(bench *b) {
  bench_read(b, AA_REG_AA_ERR_STS, 8);
  bench_read(b, AA_REG_AA_ERR_ADDR, 8);
  bench_write(b, AA_REG_AA_ERR_STS, 8, 1);
}

static void close_and_open(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  if (rng_1in(r, 3)) {  // reads are under way for long, so that some are open when their log closes
    b->prof.host_min = 100;
    b->prof.host_max = 1000;
    bench_run(b, 200);
  }
  for (unsigned n = rng_range(r, 1, 3); n && !b->failed; n--) {
    unsigned i = rng_below(r, b->hw.NumLogs);
    if (s->log[i].open) driver_close(b, s, i);
    if (!b->failed) driver_open_random(b, i);
  }
}

static void burst(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  // as many as come round in the smaller queue, unless each waits for walks of a slow memory (XLT-24)
  bool round = rng_1in(r, 4) && b->prof.axi_max <= 20;
  for (unsigned i = round ? rng_range(r, 256, 300) : rng_range(r, 1, 30); i && !b->failed; i--) {
    unsigned how = rng_below(r, 3), did = s->dom[rng_below(r, DRIVER_DOMAINS)].did;
    if (rng_1in(r, 3))
      driver_push(b, s,
                  1 | (uint64_t)(how + 1) << 4 | (uint64_t)did << 16 |
                      (uint64_t)b->traffic->sid[0][rng_below(r, TRAFFIC_SIDS)] << 32,
                  0);
    else if (rng_1in(r, 4))
      driver_push(b, s, rng_1in(r, 2) ? 0x15 : 0x35 | rng_u64(r) << 32, DRIVER_STATUS + 0x1000);
    else
      driver_push(b, s, 2 | (uint64_t)(how + 1) << 4 | (uint64_t)did << 16,
                  (s->page[rng_below(r, s->pages)].iova) | rng_below(r, 40));
    if (rng_1in(r, 4)) driver_kick(b, s);
  }
  driver_sync(b, s);
  bench_write(b, AA_REG_ICS, 4, 1);
}

static void change_limits(bench *b) {
  rng *r = &b->rng;
  uint32_t mps = rng_1in(r, 2) ? 5 : rng_below(r, 8), mrrs = rng_1in(r, 2) ? 5 : rng_below(r, 8);
  bench_write(b, AA_REG_AA_CTL, 4,
              (rng_1in(r, 10) ? 0 : AA_AA_CTL_AAE_MASK) | mps << AA_AA_CTL_MPS_LSB | mrrs << AA_AA_CTL_MRRS_LSB);
}

static void change_flush_page(bench *b) {
  if (b->hw.FlushPages) driver_set_flush_page(b, rng_below(&b->rng, b->hw.FlushPages));
}

static void off_and_on(bench *b) {
  driver_command(b, AA_GCMD_TE_MASK, false);
  bench_run(b, rng_range(&b->rng, 10, 200));
  driver_command(b, AA_GCMD_TE_MASK, true);
}

static void change_events(bench *b) {
  rng *r = &b->rng;
  bench_write(b, AA_REG_FECTL, 4, rng_1in(r, 2) ? AA_FECTL_IM_MASK : 0);
  if (b->driver->hostile) bench_write(b, AA_REG_FEADDR, 4, rng_1in(r, 4) ? DRIVER_BAD + 0x3000 : DRIVER_MSI + 0x8000);
  bench_write(b, AA_REG_IECTL, 4, rng_1in(r, 2) ? AA_IECTL_IM_MASK : 0);
  bench_read(b, AA_REG_FECTL, 4);
  bench_read(b, AA_REG_IECTL, 4);
  bench_write(b, AA_REG_ICS, 4, 1);
}

static void random_writes(bench *b) {
  for (unsigned i = 0; i < 4; i++) random_write(b);
}

// Of one function, now and then of another one before it is done, which is ignored; or of whole ports, in the
// midst of what was asked for and of completions that stand before them (RST-1, RST-2, RST-3, RST-4, RST-5).
static void reset_devices(bench *b) {
  rng *r = &b->rng;
  if (rng_1in(r, 3)) {
    for (unsigned i = rng_range(r, 1, 2); i; i--)
      bench_write(b, AA_REG_AA_RESET, 8,
                  AA_AA_RESET_GO_MASK | b->traffic->sid[rng_below(r, b->hw.NumPorts)][rng_below(r, TRAFFIC_SIDS)]);
    if (rng_1in(r, 2)) driver_wait_reg(b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK, 0);
    return;
  }
  aa_reach(b, AT_RESET);
  b->dev_reset = rng_range(r, 1, (1u << b->hw.NumPorts) - 1);
  bench_run(b, rng_range(r, 1, 40));
  b->dev_reset = 0;
}

static void change_time_out(bench *b) {
  bench_write(b, AA_REG_AA_CPL_TMO, 4, rng_range(&b->rng, 500, 8000));
  host_mode_of(b)->lose = rng_1in(&b->rng, 2);
}

static void filter_port(bench *b) {
  rng *r = &b->rng;
  unsigned p = rng_below(r, b->hw.NumPorts);
  uint64_t mask = rng_1in(r, 2) ? 0xFF00 : 0xFFFF;
  bench_write(b, AA_REG_AA_PORT + 8 * p, 8, AA_AA_PORT_EN_MASK | mask << 16 | b->traffic->sid[p][rng_below(r, 3)]);
  bench_run(b, rng_range(r, 10, 500));
  if (mask == 0xFFFF || rng_1in(r, 2)) bench_write(b, AA_REG_AA_PORT + 8 * p, 8, 0);
}

enum { WITH_LOGS = 1, HOSTILE = 2 };

// The first row that fits a number below 64 is done: of 64 actions, as many as `below` grows by.
static const struct {
  unsigned below;
  const char *what;
  void (*act)(bench *);
  unsigned only, one_in;
} actions[] = {
    {12, "idle", idle, 0, 1},
    {26, "consume", consume, 0, 1},
    {36, "page change", change_pages, 0, 1},
    {39, "context change", change_context, 0, 1},
    {42, "faults", drain_faults, 0, 1},
    {47, "register reads", read_registers, 0, 1},
    {49, "errors", clear_errors, 0, 1},
    {52, "log close and open", close_and_open, WITH_LOGS, 1},
    {53, "queue burst", burst, 0, 1},
    {54, "limits", change_limits, 0, 1},
    {55, "flush pages", change_flush_page, 0, 1},
    {56, "translation off and on", off_and_on, 0, 4},
    {56, "rest", driver_rest, 0, 3},
    {57, "events", change_events, 0, 1},
    {59, "hostile register writes", random_writes, HOSTILE, 1},
    {60, "hostile consumer", random_consumer, HOSTILE | WITH_LOGS, 1},
    {61, "queue error", queue_error, HOSTILE, 1},
    {62, "device reset", reset_devices, HOSTILE, 1},
    {63, "time-outs", change_time_out, HOSTILE, 1},
    {64, "port filter", filter_port, HOSTILE, 1},
};

void driver_action(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  s->actions++;
  unsigned k = rng_below(r, 64);
  if (rng_1in(r, 8)) profile_random(&b->prof, r);
  if (rng_1in(r, 16)) b->traffic->max_dw = rng_1in(r, 3) ? 1024 : 64;
  if (rng_1in(r, 20)) driver_set_timers(b);
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
    if (k >= actions[i].below || (actions[i].only & WITH_LOGS && !b->hw.NumLogs)) continue;
    if ((actions[i].only & HOSTILE && !s->hostile) || (actions[i].one_in > 1 && !rng_1in(r, actions[i].one_in)))
      continue;
    s->what = actions[i].what;
    actions[i].act(b);
    return;
  }
}
