// SPDX-License-Identifier: Apache-2.0
// Rates and latencies of the Verilated IOMMU, in cycles. Hardware alone, memory and root complex as fast as asked for.
//
// Prints one JSON object a line. Rows say what was measured, its limit and its target; objects with "xlate" are single
// measurements that scripts/bench.py puts together, since they need those of other numbers of walkers.
// Every limit is computed here from widths, sizes and latencies. verif/README.md says what each row means.
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

#ifndef CFG_Walkers
#define CFG_Walkers 4
#endif

enum { DATA_W = 256, WINDOW = 8, LOG_DEPTH = 16, SID0 = 0x0100, SID1 = 0x0200, LOGS = 2 };
#define BEAT (DATA_W / 8)
#define HIT_LATENCY 5  // contract of aa_iommu

// Pages of each kind; eight of each, all of them stay in the IOTLB while one kind is used.
enum { PLAIN, META, COPY, REDIRECT, KINDS };
#define HOT(kind) (0x10008000ULL + 0x10000ULL * (uint64_t)(kind))
#define HOT_PAGES 8
#define HOT2 0x18008000ULL   // hot pages that log to log 1
#define COLD1 0x20000000ULL  // one table of level 1: a miss is one load
#define COLD1_PAGES 512
#define COLD4 0x10000000000ULL  // a page in each 8 GiB: a miss is four loads, whatever the paging-structure cache holds
#define COLD4_STEP (1ULL << 33)
#define COLD4_PAGES 64
#define COLD2 0x30000000ULL  // a page in each 2 MiB: a miss is two loads
#define RING_SIZE 22         // 4 MiB a log, emptied between measurements
#define RING(log) (0x20000000ULL + ((uint64_t)(log) << RING_SIZE))
#define PAGES_PA DRIVER_DATA

typedef struct stream {
  uint64_t hot, cold, cold_step;
  unsigned hot_pages, cold_pages;
  unsigned bytes, mps;    // a put, split by MPS
  unsigned miss, period;  // `miss` of `period` requests go to cold pages
  bool read, on;
  uint16_t sid;
  unsigned off, left, page, n_cold, turn, tag;
} stream;

typedef struct fix {
  bench *b;
  driver *s;
  uint64_t dom;
  stream st[2];
  // what happened in the last step
  uint64_t now;
  bool in_last, out_first, out_last;
  unsigned decided[2], filled, published;
  // since reset()
  uint64_t n_in, n_out, n_pub, n_dec[2], n_fill, n_cpl;
  unsigned seen;
} fix;

static void die(const fix *f, const char *what) {
  fprintf(stderr, "bench: %s (cycle %" PRIu64 "%s%s)\n", what, f->b->cycle, f->b->failed ? ": " : "", f->b->what);
  exit(1);
}

// ---- set-up ---------------------------------------------------------------------------------------------------------

static void map(fix *f, uint64_t iova, aa_leaf l, unsigned k) {
  l.pa = PAGES_PA + ((uint64_t)k << 12);
  if (aa_table_map(&f->s->tab, f->dom, iova, 1, &l)) die(f, "map");
}

static void open_log(fix *f, unsigned i, unsigned size, uint64_t bits) {
  driver_log_cfg c = {.base = RING(i),
                      .size = size,
                      .iuid = (uint16_t)(i + 1),
                      .ptr = DRIVER_PTR + 64 * (uint64_t)i,
                      .msi_addr = DRIVER_MSI,
                      .cfg_bits = bits};
  if (driver_open(f->b, f->s, i, &c)) die(f, "log does not open");
}

// Everything translated is forgotten (contexts: ctx too).
static void forget(fix *f, bool ctx) {
  if (ctx) driver_inv_ctx(f->b, f->s, false, 0, 0, 0, 0);
  driver_inv_iotlb(f->b, f->s, false, 0, 0, 0, 0, false);
}

static void setup(fix *f) {
  memset(f, 0, sizeof *f);
  aa_config hw;
  aa_config_default(&hw);
  hw.NumPorts = 2;
  hw.Window = WINDOW;
  hw.SpEntries = 4;
  hw.PscEntries = 8;
  hw.TagEntries = 32;
  hw.LogDepth = LOG_DEPTH;
  hw.Walkers = CFG_Walkers;
  f->b = bench_new(BENCH_RTL, &hw, 1, NULL);
  f->s = calloc(1, sizeof *f->s);
  if (!f->b || !f->s) exit(2);
  f->b->driver = NULL;
  driver_tables(f->b, f->s, DRIVER_TABLES, DRIVER_QUEUE);
  if (aa_table_domain(&f->s->tab, &f->dom)) die(f, "domain");
  aa_context c = {.table = f->dom, .did = 1, .aa = true};
  aa_table_set_context(&f->s->tab, SID0, &c);
  aa_table_set_context(&f->s->tab, SID1, &c);
  static const aa_leaf leaf[KINDS] = {
      [PLAIN] = {.r = true, .w = true},
      [META] = {.r = true, .w = true, .wl = true, .rl = true, .e = true, .iuid = 1},
      [COPY] = {.r = true, .w = true, .wl = true, .wld = true, .rl = true, .rld = true, .e = true, .iuid = 1},
      [REDIRECT] = {.r = true, .wl = true, .wld = true, .e = true, .iuid = 1}};
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned i = 0; i < HOT_PAGES; i++) map(f, HOT(k) + 0x1000 * i, leaf[k], k * 16 + i);
  aa_leaf second = leaf[REDIRECT];
  second.iuid = 2;
  for (unsigned i = 0; i < HOT_PAGES; i++) map(f, HOT2 + 0x1000 * i, second, 100 + i);
  for (unsigned i = 0; i < COLD1_PAGES; i++) map(f, COLD1 + 0x1000 * i, leaf[PLAIN], 128 + i % 64);
  for (unsigned i = 0; i < COLD4_PAGES; i++) map(f, COLD4 + COLD4_STEP * i, leaf[PLAIN], 128 + i);
  for (unsigned i = 0; i < 16; i++) map(f, COLD2 + 0x200000ULL * i, leaf[PLAIN], 128 + i);
  bench_write(f->b, AA_REG_RTADDR, 8, f->s->tab.root);
  driver_command(f->b, AA_GCMD_SRTP_MASK, true);
  bench_write(f->b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  for (unsigned i = 0; i < LOGS; i++) open_log(f, i, RING_SIZE, 0);
  host_mode_of(f->b)->rcb = 4096;  // a completion per read
  host_mode_of(f->b)->mps = 4096;
  forget(f, true);
  driver_command(f->b, AA_GCMD_TE_MASK, true);
}

static void memory(fix *f, unsigned cycles) { f->b->prof.axi_min = f->b->prof.axi_max = cycles; }

// ---- devices --------------------------------------------------------------------------------------------------------

static pkt *request(stream *s) {
  if (!s->left) {
    s->left = s->bytes;
    s->turn = s->turn + 1 == s->period ? 0 : s->turn + 1;
    if (s->off + s->bytes > 4096) {
      s->off = 0;
      s->page = (s->page + 1) % s->hot_pages;
    }
  }
  unsigned n = s->left < s->mps ? s->left : s->mps;
  uint64_t addr = s->hot + 0x1000ULL * s->page + s->off;
  // spread evenly: the k-th of the period is cold when k * miss / period moves on
  if (s->miss && (s->turn + 1) * s->miss / s->period != s->turn * s->miss / s->period) {
    addr = s->cold + s->cold_step * s->n_cold;
    s->n_cold = (s->n_cold + 1) % s->cold_pages;
  } else {
    s->off += n;
  }
  s->left -= n;
  pkt *p = traffic_request(s->read ? TLP_MRD32 : TLP_MWR32, s->sid, s->read ? s->tag++ & 0x3FF : 0, addr, n / 4, 0xF,
                           n == 4 ? 0 : 0xF);
  if (!s->read) memset(p->data, 0x5A, n);
  return p;
}

static stream plain(unsigned port, unsigned kind, unsigned bytes, unsigned mps) {
  return (stream){.hot = HOT(kind),
                  .hot_pages = HOT_PAGES,
                  .bytes = bytes,
                  .mps = mps,
                  .period = 1,
                  .on = true,
                  .sid = port ? SID1 : SID0};
}

static void step(fix *f) {
  bench *b = f->b;
  for (unsigned i = 0; i < 2; i++)
    while (f->st[i].on && b->dev_q[i].n < 4) pktq_push(&b->dev_q[i], request(&f->st[i]));
  const pkt *part = b->col[BENCH_PORTS].p;
  uint64_t in = b->stats.requests, out = b->stats.host_tlps, cpl = b->stats.dev_tlps;
  f->now = b->cycle;
  f->decided[0] = f->decided[1] = f->filled = f->published = 0;
  bench_step(b);
  if (b->failed) die(f, "the run failed");
  f->in_last = b->stats.requests != in;
  f->out_last = b->stats.host_tlps != out;
  f->out_first = !part && (f->out_last || b->col[BENCH_PORTS].p);
  if (b->last_n - f->seen > 64) f->seen = b->last_n - 64;
  for (; f->seen != b->last_n; f->seen++) {
    const aa_retire_rec *r = &b->last[f->seen % 64];
    if (r->kind == AA_RET_DECIDE) f->decided[r->lane >> 1 & 1]++;
    if (r->kind == AA_RET_FILL) f->filled++;
    if (r->kind == AA_RET_PUBLISH) f->published++;
  }
  f->n_in += b->stats.requests - in;
  f->n_out += b->stats.host_tlps - out;
  f->n_cpl += b->stats.dev_tlps - cpl;
  f->n_pub += f->published;
  f->n_fill += f->filled;
  for (unsigned i = 0; i < 2; i++) f->n_dec[i] += f->decided[i];
}

static void rest(fix *f) {
  f->st[0].on = f->st[1].on = false;
  if (!bench_quiet(f->b, 400000)) die(f, "never quiet");
  f->seen = f->b->last_n;
  for (unsigned i = 0; i < LOGS; i++)  // readers have read everything
    bench_write(f->b, AA_REG_LP_CONS + i * AA_REG_LP_CONS_STRIDE, 8,
                bench_read(f->b, AA_REG_LP_PROD + i * AA_REG_LP_PROD_STRIDE, 8));
}

static void start(fix *f) {
  f->n_in = f->n_out = f->n_pub = f->n_dec[0] = f->n_dec[1] = f->n_fill = f->n_cpl = 0;
  f->seen = f->b->last_n;
}

static void run(fix *f, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++) step(f);
}

// Brings the hot pages of a stream into the IOTLB.
static void warm(fix *f, const stream *s, unsigned port) {
  rest(f);
  stream w = *s;
  w.miss = w.off = w.left = 0;
  w.bytes = w.mps = 4;
  for (w.page = 0; w.page < w.hot_pages; w.page++, w.off = 0) pktq_push(&f->b->dev_q[port], request(&w));
  rest(f);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// target: "" none, else ">=" or "<=" and its value.
static void row(const char *name, double value, const char *unit, double limit, const char *op, double target) {
  printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"limit\": %.6g, \"op\": \"%s\", \"target\": %.6g}\n",
         name, value, unit, limit, op, target);
  fflush(stdout);
}

static double least(double a, double b) { return a < b ? a : b; }

// Beats of a put on the stream, and of its entries on the AXI port (back to back, so parts of beats count as parts).
static unsigned stream_beats(unsigned bytes, unsigned mps) {
  unsigned n = 0;
  for (unsigned at = 0; at < bytes; at += mps) n += ((bytes - at < mps ? bytes - at : mps) + BEAT - 1) / BEAT;
  return n;
}

static double axi_beats(unsigned bytes, unsigned mps, unsigned kind) {
  unsigned n = 0;
  if (kind == PLAIN) return 0;
  for (unsigned at = 0; at < bytes; at += mps)
    n += 16 + (kind == META ? 0 : ((bytes - at < mps ? bytes - at : mps) + 15) / 16 * 16);
  return (double)n / BEAT;
}

static unsigned tlps(unsigned bytes, unsigned mps) { return (bytes + mps - 1) / mps; }

static const char *const kind_name[KINDS] = {"logging off", "metadata logged", "data logged", "redirected"};

// Last beat in to first beat out (redirected: to the publishing of its entry), one TLP alone, its page in the IOTLB.
static uint64_t alone(fix *f, pkt *p, bool out, uint64_t *decided, uint64_t *filled, uint64_t *pub) {
  uint64_t in = 0, first = 0;
  bool went = false;
  if (decided) *decided = 0;
  if (filled) *filled = 0;
  if (pub) *pub = 0;
  f->st[0].on = f->st[1].on = false;
  start(f);
  pktq_push(&f->b->dev_q[0], p);
  for (unsigned i = 0; i < 4000; i++) {
    step(f);
    if (f->in_last) in = f->now, went = true;
    if (f->out_first && !first) first = f->now;
    if (decided && f->decided[0]) *decided = f->now - in;
    if (filled && f->filled) *filled = f->now - in;
    if (pub && f->published) *pub = f->now - in;
    if (went && (!out || first) && (!pub || *pub) && (!filled || *filled)) break;
  }
  if (!went || (out && !first) || (pub && !*pub)) die(f, "a single request never came through");
  return first - in;
}

static void latency(fix *f) {
  static const unsigned size[] = {8, 64, 4096};
  char name[100];
  memory(f, 1);
  for (unsigned k = 0; k < REDIRECT; k++)
    for (unsigned i = 0; i < 3; i++) {
      stream s = plain(0, k, size[i], 4096);
      s.left = 0;
      pkt *warm = request(&s), *p = request(&s);
      s.page = 0;
      // both to the first page
      p->hdr[2] = warm->hdr[2];
      rest(f);
      alone(f, warm, true, NULL, NULL, NULL);
      rest(f);
      uint64_t d, lat = alone(f, p, true, &d, NULL, NULL);
      snprintf(name, sizeof name, "hit latency, put %u B, %s", size[i], kind_name[k]);
      row(name, (double)lat, "cycles", HIT_LATENCY, "<=", 5);
    }
  stream s = plain(0, PLAIN, 64, 4096);
  s.read = true;
  rest(f);
  row("hit latency, get 64 B, logging off", (double)alone(f, request(&s), true, NULL, NULL, NULL), "cycles",
      HIT_LATENCY, "<=", 5);
  rest(f);
}

// Steady rate: from the end of one put to the end of another, far apart, in beats of the stream a cycle.
static double put_rate(fix *f, unsigned kind, unsigned bytes, unsigned mps) {
  unsigned per = tlps(bytes, mps), beats = stream_beats(bytes, mps), cycles = 6000 + 30 * beats;
  stream s = plain(0, kind, bytes, mps);
  warm(f, &s, 0);
  f->st[0] = s;
  start(f);
  run(f, 600 + 8 * beats);
  uint64_t t0 = 0, t1 = 0, n0 = 0, n1 = 0;
  for (unsigned i = 0; i < cycles; i++) {
    uint64_t before = kind == REDIRECT ? f->n_pub : f->n_out;
    step(f);
    uint64_t n = kind == REDIRECT ? f->n_pub : f->n_out;
    if (n == before || n % per) continue;
    if (!t0) t0 = f->now, n0 = n;
    t1 = f->now, n1 = n;
  }
  if (t1 == t0) die(f, "no steady rate");
  double puts = (double)(n1 - n0) / per / (double)(t1 - t0);
  if (kind != PLAIN && kind != REDIRECT && f->n_pub + 64 < f->n_out) die(f, "entries are not published");
  return puts * beats;
}

static void rates(fix *f) {
  static const struct {
    unsigned bytes, mps;
  } size[] = {{8, 4096}, {16, 4096}, {64, 4096}, {256, 4096}, {1500, 4096}, {4096, 4096}, {1500, 256}, {4096, 256}};
  char name[100];
  double got[KINDS][8], lim[KINDS][8];
  memory(f, 1);
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned i = 0; i < 8; i++) {
      unsigned bytes = size[i].bytes, mps = size[i].mps;
      double axi = axi_beats(bytes, mps, k);
      lim[k][i] = axi > 0 ? least(1, stream_beats(bytes, mps) / axi) : 1;
      got[k][i] = put_rate(f, k, bytes, mps);
      snprintf(name, sizeof name, "rate, put %u B%s, %s", bytes, mps == 256 ? " in TLPs of 256 B" : "", kind_name[k]);
      // all bits on: 0.99 of what the ports allow; active put: 0.95
      row(name, got[k][i], "beats/cycle", lim[k][i], ">=", (k == REDIRECT ? 0.95 : 0.99) * lim[k][i]);
    }
  for (unsigned k = 0; k < REDIRECT; k++)
    for (unsigned i = 2; i < 6; i++) {
      snprintf(name, sizeof name, "cost in the path, put %u B, %s", size[i].bytes, kind_name[k]);
      row(name, 100 * (1 - got[k][i]), "% of bandwidth", 100 * (1 - lim[k][i]), "<=", 1);
    }
}

// Pointer written to memory after (almost) each entry: the port carries that too. Then a memory that is not next door.
static void log_rates(fix *f) {
  rest(f);
  driver_close(f->b, f->s, 0);
  open_log(f, 0, RING_SIZE, AA_LOG_CFG_PTR_MASK);
  row("rate, put 8 B, redirected, pointer in memory", put_rate(f, REDIRECT, 8, 4096), "beats/cycle", 1, ">=", 0.95);
  rest(f);
  driver_close(f->b, f->s, 0);
  open_log(f, 0, RING_SIZE, 0);
  // A slot of the log is taken from the decision to the response of memory at least.
  memory(f, 18);
  double limit = least(1, LOG_DEPTH / (1.0 + 18));
  row("rate, put 8 B, metadata logged, memory 18", put_rate(f, META, 8, 4096), "beats/cycle", limit, ">=", 0.99);
  row("rate, put 8 B, redirected, memory 18", put_rate(f, REDIRECT, 8, 4096), "beats/cycle", limit, ">=", 0.95);
  row("rate, put 64 B, metadata logged, memory 18", put_rate(f, META, 64, 4096), "beats/cycle", 1, ">=", 0.99);
  row("rate, put 64 B, redirected, memory 18", put_rate(f, REDIRECT, 64, 4096), "beats/cycle", 0.8, ">=", 0.95 * 0.8);
  rest(f);
  memory(f, 1);
}

// Completions of reads towards the device, root complex that answers at once: in order, then in any order. In any
// order, entries that are written one after the other are no neighbours, and the slots of the log wait for the oldest.
static void get_rates(fix *f) {
  static const unsigned size[] = {8, 64, 256, 4096};
  static const unsigned kind[] = {PLAIN, META, COPY, COPY};
  char name[100];
  memory(f, 1);
  f->b->prof.host_min = 0;
  f->b->prof.host_max = 0;
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i < 4; i++) {
      stream s = plain(0, kind[k], size[i], 4096);
      s.read = true;
      host_mode_of(f->b)->in_order = k < 3;
      warm(f, &s, 0);
      f->st[0] = s;
      start(f);
      run(f, 1500);
      uint64_t t0 = 0, t1 = 0, n0 = 0, n1 = 0;
      for (unsigned c = 0; c < 8000; c++) {
        uint64_t before = f->n_cpl;
        step(f);
        if (f->n_cpl == before) continue;
        if (!t0) t0 = f->now, n0 = f->n_cpl;
        t1 = f->now, n1 = f->n_cpl;
      }
      double beats = stream_beats(size[i], 4096), axi = axi_beats(size[i], 4096, kind[k]);
      double lim = axi > 0 ? least(1, beats / axi) : 1;
      snprintf(name, sizeof name, "rate, get %u B, %s%s", size[i], kind_name[kind[k]],
               k < 3 ? "" : ", answered in any order");
      row(name, (double)(n1 - n0) * beats / (double)(t1 - t0), "beats/cycle", lim, k < 3 ? ">=" : "",
          k < 3 ? 0.99 * lim : 0);
    }
  rest(f);
  f->b->prof.host_min = 4;
  f->b->prof.host_max = 8;
}

// Last beat in to RetPublish, and to the producer pointer in memory.
static void publish(fix *f) {
  static const unsigned size[] = {8, 256, 4096};
  char name[100];
  rest(f);
  driver_close(f->b, f->s, 0);
  open_log(f, 0, RING_SIZE, AA_LOG_CFG_PTR_MASK);
  for (unsigned m = 0; m < 2; m++) {
    unsigned n = m ? 18 : 1;
    memory(f, n);
    for (unsigned i = 0; i < 3; i++) {
      stream s = plain(0, REDIRECT, size[i], 4096);
      for (unsigned k = 0; k < 2; k++) {
        rest(f);
        uint64_t pub = 0, ptr = bench_peek64(f->b, DRIVER_PTR), in = 0, seen = 0, at = 0;
        s.page = 0;
        s.off = s.left = 0;
        start(f);
        pktq_push(&f->b->dev_q[0], request(&s));
        for (unsigned c = 0; c < 4000 && !(pub && seen); c++) {
          step(f);
          if (f->in_last) in = f->now;
          if (f->published && !pub) pub = f->now;
          if (!seen && bench_peek64(f->b, DRIVER_PTR) != ptr) seen = f->now;
        }
        at = pub - in;
        if (!pub || !seen) die(f, "no publish");
        if (!k) continue;  // the first brings the page in
        double floor = HIT_LATENCY + (size[i] + 16 + BEAT - 1) / BEAT - 1 + n;
        snprintf(name, sizeof name, "publish latency, put %u B redirected, memory %u", size[i], n);
        row(name, (double)at, "cycles", floor, "", 0);
        snprintf(name, sizeof name, "pointer in memory, put %u B redirected, memory %u", size[i], n);
        row(name, (double)(seen - in), "cycles", floor + n, "", 0);
      }
    }
  }
  rest(f);
  memory(f, 1);
  driver_close(f->b, f->s, 0);
  open_log(f, 0, RING_SIZE, 0);
}

// ---- streams beside each other --------------------------------------------------------------------------------------

static void both(fix *f, stream a, stream c, unsigned cycles, double *ra, double *rc) {
  if (a.on) warm(f, &a, 0);
  if (c.on) warm(f, &c, 1);
  f->st[0] = a;
  f->st[1] = c;
  start(f);
  run(f, cycles / 4);
  start(f);
  run(f, cycles);
  *ra = (double)f->n_dec[0] / cycles;
  *rc = (double)f->n_dec[1] / cycles;
}

static void cold(stream *s, unsigned loads, unsigned miss, unsigned period) {
  s->cold = loads == 1 ? COLD1 : COLD4;
  s->cold_step = loads == 1 ? 0x1000 : COLD4_STEP;
  s->cold_pages = loads == 1 ? COLD1_PAGES : COLD4_PAGES;
  s->miss = miss;
  s->period = period;
}

static void shares(fix *f) {
  double a, c, lone, dummy;
  stream off = {0};
  char name[100];
  memory(f, 1);
  static const struct {
    unsigned kind, bytes;
    const char *text;
  } k[] = {{PLAIN, 8, "puts of 8 B"}, {PLAIN, 4096, "puts of 4096 B"}, {REDIRECT, 8, "active puts of 8 B"}};
  for (unsigned i = 0; i < 3; i++) {
    both(f, plain(0, k[i].kind, k[i].bytes, 4096), plain(1, k[i].kind, k[i].bytes, 4096), 8000 + 10 * k[i].bytes, &a,
         &c);
    snprintf(name, sizeof name, "two ports, %s: the smaller share", k[i].text);
    row(name, least(a, c) / (a + c), "of requests", 0.5, ">=", 0.49);
    snprintf(name, sizeof name, "two ports, %s: together", k[i].text);
    row(name, (a + c) * stream_beats(k[i].bytes, 4096), "beats/cycle", 1, ">=", k[i].kind == REDIRECT ? 0.95 : 0.99);
  }
  // posted beside non-posted
  f->b->prof.host_min = f->b->prof.host_max = 0;
  stream r = plain(1, PLAIN, 8, 4096);
  r.read = true;
  both(f, plain(0, PLAIN, 8, 4096), r, 8000, &a, &c);
  row("port 0 puts, port 1 gets of 8 B: the smaller share", least(a, c) / (a + c), "of requests", 0.5, ">=", 0.49);
  f->b->prof.host_min = 4;
  f->b->prof.host_max = 8;
  // a stream of misses beside hits, memory of 18 cycles; a miss takes a look-up and a fill, of one a cycle
  memory(f, 18);
  stream m = plain(1, PLAIN, 8, 4096);
  cold(&m, 4, 1, 1);
  both(f, off, m, 20000, &dummy, &lone);
  both(f, plain(0, PLAIN, 8, 4096), m, 20000, &a, &c);
  row("hits beside a stream of misses: hits", a, "TLPs/cycle", 1 - 2 * lone, ">=", 0.95 * (1 - 2 * lone));
  row("hits beside a stream of misses: misses", c, "TLPs/cycle", lone, ">=", 0.8 * lone);
  memory(f, 1);
  // a port that waits for room in its log beside one that does not
  rest(f);
  driver_close(f->b, f->s, 1);
  open_log(f, 1, 8, 0);
  stream full = plain(1, REDIRECT, 8, 4096);
  full.hot = HOT2;
  both(f, plain(0, PLAIN, 8, 4096), full, 8000, &a, &c);
  row("a port beside one that waits for room in its log", a, "TLPs/cycle", 1, ">=", 0.9);
  f->st[0].on = f->st[1].on = false;
  // let the other go: read the ring until all is through
  for (unsigned i = 0; i < 200; i++) {
    uint64_t prod = bench_read(f->b, AA_REG_LP_PROD + AA_REG_LP_PROD_STRIDE, 8);
    bench_write(f->b, AA_REG_LP_CONS + AA_REG_LP_CONS_STRIDE, 8, prod);
    bench_run(f->b, 50);
  }
  rest(f);
  driver_close(f->b, f->s, 1);
  open_log(f, 1, RING_SIZE, 0);
}

// ---- translation ----------------------------------------------------------------------------------------------------

static void miss_alone(fix *f) {
  static const unsigned n[] = {1, 18, 70}, loads[] = {1, 2, 4, 6};
  char name[100];
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = 0; k < 4; k++) {
      uint64_t addr = loads[k] == 1 ? COLD1 : loads[k] == 2 ? COLD2 : COLD4, t, in_out;
      stream s = plain(0, PLAIN, 8, 4096);
      s.miss = 1;
      s.cold = addr;
      s.cold_pages = 2;
      s.cold_step = loads[k] == 1 ? 0x1000 : loads[k] == 2 ? 0x200000 : COLD4_STEP;
      rest(f);
      memory(f, n[i]);
      forget(f, true);
      // a neighbour first, which brings in what is not to be loaded
      if (loads[k] != 6) alone(f, request(&s), true, NULL, &t, NULL);
      rest(f);
      uint64_t reads = f->b->stats.axi_reads;
      in_out = alone(f, request(&s), true, NULL, &t, NULL);
      if (f->b->stats.axi_reads - reads != loads[k]) die(f, "a miss loads something else");
      double limit = 4 + loads[k] * (n[i] + 1.0);
      snprintf(name, sizeof name, "miss alone, %u loads of %u cycles: translated", loads[k], n[i]);
      row(name, (double)t, "cycles", loads[k] * (n[i] + 1.0), "<=", limit);
      snprintf(name, sizeof name, "miss alone, %u loads of %u cycles: first beat out", loads[k], n[i]);
      row(name, (double)in_out, "cycles", HIT_LATENCY + loads[k] * (n[i] + 1.0), "", 0);
    }
}

static void xlate(fix *f) {
  static const unsigned n[] = {1, 18, 70}, pct[] = {0, 10, 50, 100}, loads[] = {1, 4};
  for (unsigned l = 0; l < 2; l++)
    for (unsigned i = 0; i < 3; i++)
      for (unsigned m = 0; m < 4; m++) {
        if (l && !pct[m]) continue;
        rest(f);
        memory(f, n[i]);
        forget(f, false);
        stream s = plain(0, PLAIN, 8, 4096);
        warm(f, &s, 0);
        cold(&s, loads[l], pct[m] / 10, 10);
        f->st[0] = s;
        unsigned long worst = pct[m] ? loads[l] * (n[i] + 1) + 8 : 4;
        start(f);
        run(f, (unsigned)(30 * worst + 1000));
        start(f);
        uint64_t reads = f->b->stats.axi_reads, t0 = 0, t1 = 0, c0 = 0, c1 = 0;
        unsigned cycles = (unsigned)(100 * worst + 4000);
        for (unsigned c = 0; c < cycles; c++) {
          uint64_t before = f->n_dec[0];
          step(f);
          // whole periods of the mix
          if (before == f->n_dec[0] || f->n_dec[0] % 10) continue;
          if (!t0) t0 = f->now, c0 = f->n_dec[0];
          t1 = f->now, c1 = f->n_dec[0];
        }
        double misses = f->n_fill ? (double)f->n_fill : 0, all = (double)f->n_dec[0];
        printf(
            "{\"xlate\": true, \"walkers\": %u, \"window\": %u, \"cycles\": %u, \"loads\": %u, \"miss\": %u, "
            "\"value\": %.6g, "
            "\"seen_miss\": %.4g, \"seen_loads\": %.4g}\n",
            CFG_Walkers, WINDOW, n[i], loads[l], pct[m], (double)(c1 - c0) / (double)(t1 - t0), 100 * misses / all,
            misses > 0 ? (double)(f->b->stats.axi_reads - reads) / misses : 0);
        fflush(stdout);
      }
  rest(f);
}

int main(int argc, char **argv) {
  fix f;
  setup(&f);
  bool all = argc < 2 || !strcmp(argv[1], "all");
#define PART(x) \
  if (all || !strcmp(argv[1], #x)) x(&f)
  PART(latency);
  PART(rates);
  PART(log_rates);
  PART(get_rates);
  PART(publish);
  PART(shares);
  PART(miss_alone);
  PART(xlate);
  fprintf(stderr, "bench: %u walkers, %" PRIu64 " cycles\n", CFG_Walkers, f.b->cycle);
  free(f.s);
  bench_free(f.b);
  return 0;
}
