// SPDX-License-Identifier: Apache-2.0
// The built-in workload: a distributed hash table whose inserts are active puts.
//
// Each device port is a remote process that puts 8-byte elements at their hash position. The table's pages are marked
// R=1 W=0 WL=1 WLD=1: the memory access is redirected into a log. A consumer, software on the machine, reads the log
// and inserts the elements itself: into the table, or on a collision into the overflow heap - no remote atomics,
// no second round trip. Look-ups are ordinary gets of the same pages. Two logs, one polled through its pointer
// in memory, one told by MSI. In the middle the consumer is made slow, so that the logs fill and back-pressure is seen;
// nothing may be lost.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "plot.h"
#include "driver.h"
#include "hw_config.h"

enum { INSERTS = 24000, SLOTS = 1 << 15, LOGS = 2, SAMPLE = 200, SAMPLES = 4000, BINS = 48, BIN = 8 };
#define TABLE 0x40000000ULL  // I/O virtual
#define VOLUME DRIVER_DATA   // physical: SLOTS elements, then as many heads of chains
#define HEAP (VOLUME + 16 * (uint64_t)SLOTS)
#define RINGSIZE 13

typedef struct sample {
  uint32_t fill[LOGS], inserts, published, gets;
} sample;

typedef struct run {
  uint64_t n, sent, inserted, collisions, gets, got, hits;
  uint64_t heap_used;
  uint64_t *key;  // what was sent, in order
  driver *s;
  bool get_phase, slow;
  unsigned tag[BENCH_PORTS];
  uint64_t tag_pos[BENCH_PORTS][64];
  bool tag_live[BENCH_PORTS][64];
  sample at[SAMPLES];
  unsigned samples;
  struct {
    uint64_t accept[8192];
    uint32_t bytes;
    unsigned head, tail;
  } flight[LOGS];
  uint64_t latency[BINS + 1], latency_sum, latency_n, latency_max;
  uint64_t first_cycle, puts_end, slow_from, slow_to, msi_seen, polls;
  uint64_t wrong;
} run;

static run *of(bench *b) { return b->user; }

static uint64_t hash(uint64_t key) { return (key * 0x9E3779B97F4A7C15ULL) >> 40 & (SLOTS - 1); }

static unsigned log_of(uint64_t pos) { return (unsigned)(pos >> 9) % LOGS; }  // 512 elements a page

static void on_accept(bench *b, unsigned port, const pkt *p) {
  run *r = of(b);
  (void)port;
  if (!(p->hdr[0] & 0x40000000)) return;
  unsigned l = log_of((tlp_addr(p->hdr) - TABLE) / 8);
  r->flight[l].accept[r->flight[l].tail++ % 8192] = b->cycle;
}

// Entries are 32 bytes each here, and there are no pads: the ring is a multiple of that.
static void on_publish(bench *b, unsigned log, uint32_t prod) {
  run *r = of(b);
  for (; r->flight[log].bytes != prod; r->flight[log].bytes += 32) {
    uint64_t d = b->cycle - r->flight[log].accept[r->flight[log].head++ % 8192];
    r->latency[d / BIN < BINS ? d / BIN : BINS]++;
    r->latency_sum += d;
    r->latency_n++;
    if (d > r->latency_max) r->latency_max = d;
  }
}

static void produce(bench *b) {
  run *r = of(b);
  for (unsigned p = 0; p < b->hw.NumPorts; p++) {
    if (b->dev_q[p].n >= 2) continue;
    uint16_t rid = (uint16_t)((p + 1) << 8);
    if (r->sent < r->n && !r->get_phase) {
      uint64_t key = rng_u64(&b->rng) | 1;  // 0 is an empty slot
      pkt *t = traffic_request(TLP_MWR32, rid, 0, TABLE + 8 * hash(key), 2, 0xF, 0xF);
      memcpy(t->data, &key, 8);
      r->key[r->sent++] = key;
      pktq_push(&b->dev_q[p], t);
    } else if (r->get_phase && r->gets < r->n) {
      unsigned tag = r->tag[p] % 32;
      if (r->tag_live[p][tag]) continue;
      uint64_t pos = hash(r->key[r->gets]);
      pktq_push(&b->dev_q[p], traffic_request(TLP_MRD32, rid, tag, TABLE + 8 * pos, 2, 0xF, 0xF));
      r->tag_pos[p][tag] = pos;
      r->tag_live[p][tag] = true;
      r->tag[p]++;
      r->gets++;
    }
  }
}

static void answers(bench *b) {
  run *r = of(b);
  for (unsigned p = 0; p < b->hw.NumPorts; p++)
    for (pkt *t; (t = pktq_pop(&b->dev_seen[p])); pkt_free(t)) {
      unsigned tag = tlp_cpl_tag(t->hdr) % 64;
      uint64_t v = 0;
      if (t->ndw == 2) memcpy(&v, t->data, 8);
      if (v != mem_read64(b->mem, VOLUME + 8 * r->tag_pos[p][tag])) r->wrong++;
      r->tag_live[p][tag] = false;
      r->got++;
      r->hits += v != 0;
    }
  pktq_clear(&b->host_seen);
}

static void take_sample(bench *b) {
  run *r = of(b);
  if (b->cycle / SAMPLE < r->samples || r->samples == SAMPLES) return;
  sample *s = &r->at[r->samples++];
  for (unsigned i = 0; i < LOGS; i++) s->fill[i] = r->flight[i].bytes - r->s->log[i].cons;
  s->inserts = (uint32_t)r->inserted;
  s->published = (uint32_t)r->latency_n;
  s->gets = (uint32_t)r->got;
}

static void step(bench *b, unsigned cycles) {
  while (cycles-- && !b->failed) {
    produce(b);
    bench_step(b);
    answers(b);
    take_sample(b);
  }
}

static void insert(bench *b, uint64_t pos, uint64_t key) {
  run *r = of(b);
  uint64_t slot = VOLUME + 8 * pos, chain = VOLUME + 8 * (SLOTS + pos);
  r->inserted++;
  if (!mem_read64(b->mem, slot)) {
    bench_poke64(b, slot, key);
    return;
  }
  // a collision: next cell of the heap, in front of the chain
  uint64_t cell = HEAP + 16 * r->heap_used++;
  bench_poke64(b, cell, key);
  bench_poke64(b, cell + 8, mem_read64(b->mem, chain));
  bench_poke64(b, chain, cell);
  r->collisions++;
}

// Software that owns log i. Returns false when there is nothing new.
static bool consume(bench *b, unsigned i, unsigned most) {
  run *r = of(b);
  driver_log *l = &r->s->log[i];
  uint32_t prod = (uint32_t)mem_read64(b->mem, DRIVER_PTR + 64 * (uint64_t)i);
  r->polls++;
  if (prod == l->cons) return false;
  for (unsigned n = 0; l->cons != prod && n < most; n++) {
    uint64_t at = l->base + (l->cons & ((1u << l->size) - 1)), head = mem_read64(b->mem, at + 8);
    if ((head >> 12 & 7) != 1 || (head >> 19 & 0x7FF) != 2) {
      bench_fail(b, "workload", "entry at %" PRIx64 " has header %016" PRIx64, at, head);
      return false;
    }
    insert(b, (mem_read64(b->mem, at) - TABLE) / 8, mem_read64(b->mem, at + 16));
    l->cons += 32;
  }
  bench_write(b, AA_REG_LP_CONS + (i << 12), 8, l->cons);
  return true;
}

static bool check_table(bench *b) {
  run *r = of(b);
  for (uint64_t i = 0; i < r->n; i++) {
    uint64_t pos = hash(r->key[i]), cell = mem_read64(b->mem, VOLUME + 8 * (SLOTS + pos));
    bool found = mem_read64(b->mem, VOLUME + 8 * pos) == r->key[i];
    for (; !found && cell; cell = mem_read64(b->mem, cell + 8)) found = mem_read64(b->mem, cell) == r->key[i];
    if (!found) {
      bench_fail(b, "workload", "element %016" PRIx64 " (number %" PRIu64 ") is not in the table", r->key[i], i);
      return false;
    }
  }
  return r->inserted == r->n;
}

// ---- report ---------------------------------------------------------------------------------------------------------

static double top_of(const double *y, unsigned n, double at_least) {
  for (unsigned i = 0; i < n; i++)
    if (y[i] > at_least) at_least = y[i];
  return at_least;
}

static void row(FILE *f, bool text, const char *name, const char *fmt, ...) {
  char v[160];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(v, sizeof v, fmt, ap);
  va_end(ap);
  if (text)
    fprintf(f, "  %-36s %s\n", name, v);
  else
    fprintf(f, "<tr><td>%s</td><td>%s</td></tr>\n", name, v);
}

static void results(FILE *f, bool text, bench *b, const run *r, const uint64_t *cnt, double seconds) {
  double puts = (double)(r->puts_end - r->first_cycle);
  row(f, text, "inserts", "%" PRIu64 " by %u ports, %" PRIu64 " collisions (%.1f %%)", r->inserted, b->hw.NumPorts,
      r->collisions, 100.0 * (double)r->collisions / (double)(r->inserted ? r->inserted : 1));
  row(f, text, "look-ups", "%" PRIu64 ", all equal to the table's memory", r->got);
  row(f, text, "cycles", "%" PRIu64 " (%.2f cycles an insert)", b->cycle,
      puts / (double)(r->inserted ? r->inserted : 1));
  row(f, text, "put to published", "%.1f cycles mean, %" PRIu64 " longest (consumer slow in the middle)",
      (double)r->latency_sum / (double)(r->latency_n ? r->latency_n : 1), r->latency_max);
  row(f, text, "log entries", "%" PRIu64 ", %" PRIu64 " bytes, %" PRIu64 " lost", cnt[14], cnt[15], cnt[16]);
  row(f, text, "translations", "%" PRIu64 " hits, %" PRIu64 " walks", cnt[5], cnt[6]);
  row(f, text, "MSIs", "%" PRIu64, cnt[27]);
  row(f, text, "consumer polls", "%" PRIu64, r->polls);
  row(f, text, "cycles a lane waited for log space", "%" PRIu64, cnt[33]);
  row(f, text, "AXI reads, writes", "%" PRIu64 ", %" PRIu64, b->stats.axi_reads, b->stats.axi_writes);
  row(f, text, "hardware against model", "%s",
      b->backend != BENCH_BOTH ? "not compared"
      : b->mismatches          ? "DIFFERENT"
                               : "every TLP, write, register and record equal");
  row(f, text, "time", "%.1f s, %.0f cycles a second", seconds, (double)b->cycle / (seconds > 0 ? seconds : 1));
}

// What the workload does when, behind the lines.
static void phases(const plot *p, const run *r, double x_most) {
  double slow = (double)r->slow_from / 1000, fast = (double)r->slow_to / 1000, gets = (double)r->puts_end / 1000;
  plot_band(p, "s", slow, fast, "consumer slow",
            "the consumer looks every 150 cycles and takes 8 records: the logs fill");
  plot_band(p, "p", gets, x_most, "look-ups", "no puts any more: gets of every element");
}

static int report(const char *dir, bench *b, const run *r, const uint64_t *cnt, double seconds) {
  char name[512];
  snprintf(name, sizeof name, "%s/report.html", dir);
  FILE *f = fopen(name, "w");
  if (!f) {
    perror(name);
    return -1;
  }
  fputs(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tocsin: hash table by active "
      "puts</title><style>\n"
      ":root{color-scheme:light dark;--fg:#222;--bg:#fff;--a:#0b6bcb;--b:#c2500a;--g:#ddd}\n"
      "@media(prefers-color-scheme:dark){:root{--fg:#ddd;--bg:#181818;--a:#5aa9f5;--b:#f0954f;--g:#3a3a3a}}\n"
      "body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:760px;margin:2em "
      "auto;padding:0 1em}\n"
      "td{padding:.15em 1em .15em 0;border-bottom:1px solid var(--g)}svg{width:100%;height:auto}svg "
      "text{font-size:11px;fill:var(--fg)}\n"
      ".t{font-weight:600;font-size:13px}.g{stroke:var(--g)}.a,.b{fill:none;stroke-width:1.4}.a{stroke:var(--a)}.b{"
      "stroke:var(--b)}\n"
      ".f{fill:var(--a)}.s{fill:var(--b);opacity:.13}.p{fill:var(--g);opacity:.45}.w{fill:var(--a);opacity:.2}"
      ".l{stroke:var(--fg);stroke-dasharray:4 3;fill:none}figure{margin:1.5em 0}</style></head><body>\n"
      "<h1>Hash table by active puts</h1><p>Remote processes put 8-byte elements at their hash position. The pages "
      "say: redirect the "
      "write into a log. The consumer inserts what it finds there; look-ups are plain reads. Hardware and golden model "
      "ran in "
      "lockstep.</p><table>\n",
      f);
  results(f, false, b, r, cnt, seconds);
  fputs("</table>\n", f);
  unsigned n = r->samples;
  double *y = calloc(3 * (size_t)(n + 1), sizeof *y), xmax = (double)b->cycle / 1000;
  if (!y) abort();
  double *u = y + n + 1, *v = u + n + 1;
  for (unsigned i = 0; i < n; i++) {
    y[i] = r->at[i].fill[0];
    u[i] = r->at[i].fill[1];
  }
  double ring = 1u << RINGSIZE, step = SAMPLE / 1000.0;
  plot p = plot_open(f, "Bytes published and not yet consumed", "1000 cycles", xmax, "bytes", ring, "log 0 (polled)",
                     "log 1 (MSI)");
  phases(&p, r, xmax);
  plot_level(&p, ring, "the ring is full: puts wait");
  plot_line(&p, "a", y, n, step);
  plot_line(&p, "b", u, n, step);
  plot_close(&p);
  fprintf(
      f,
      "<p>Where a line touches the dashed one its log is full: puts to its pages wait, no record is lost. Requests of "
      "a "
      "port stay in order, so what waits for one log holds up what is behind it for the other. Lanes waited %" PRIu64
      " cycles in all.</p>\n",
      cnt[33]);
  for (unsigned i = 0; i < n; i++) {
    y[i] = i ? (double)(r->at[i].inserts - r->at[i - 1].inserts) * 100 / SAMPLE : 0;
    v[i] = i ? (double)(r->at[i].gets - r->at[i - 1].gets) * 100 / SAMPLE : 0;
  }
  p = plot_open(f, "Work done in 100 cycles", "1000 cycles", xmax, "operations", top_of(v, n, top_of(y, n, 1)),
                "inserts", "look-ups");
  phases(&p, r, xmax);
  plot_line(&p, "a", y, n, step);
  plot_line(&p, "b", v, n, step);
  plot_close(&p);
  double most = 1;
  for (unsigned i = 0; i <= BINS; i++)
    if ((double)r->latency[i] > most) most = (double)r->latency[i];
  p = plot_open(f, "Cycles from a put to its publishing", "cycles (the last bar: longer)", (BINS + 1) * BIN, "puts",
                most, NULL, NULL);
  for (unsigned i = 0; i <= BINS; i++) plot_bar(&p, i * BIN, (i + 1) * BIN, (double)r->latency[i]);
  plot_close(&p);
  fputs(
      "<!-- wire: begin --><!-- wire: end -->\n<p>Beside this page, by <code>make run</code>: <a "
      "href=\"wave.fst\">wave.fst</a> with its GTKWave save file "
      "<a href=\"wave.gtkw\">wave.gtkw</a> (the first 6000 cycles); of NIC and XTQ over a bad link "
      "<a href=\"xtq.fst\">xtq.fst</a>, <a href=\"xtq.gtkw\">xtq.gtkw</a> and the frames, "
      "<a href=\"wire.pcapng\">wire.pcapng</a>, for Wireshark. Recorded programs: "
      "<a href=\"../../verif/traces/README.md\">verif/traces</a>.</p></body></html>\n",
      f);
  free(y);
  return fclose(f) ? -1 : 0;
}

// ---- the run --------------------------------------------------------------------------------------------------------

static void tables_on(bench *b) {
  run *r = of(b);
  uint64_t dom;
  driver_tables(b, r->s, DRIVER_TABLES, DRIVER_QUEUE);
  aa_table_domain(&r->s->tab, &dom);
  aa_context c = {.table = dom, .did = 1, .aa = true};
  for (unsigned p = 0; p < b->hw.NumPorts; p++) aa_table_set_context(&r->s->tab, (uint16_t)((p + 1) << 8), &c);
  for (uint64_t i = 0; i < SLOTS / 512; i++) {
    aa_leaf l = {.pa = VOLUME + 4096 * i,
                 .r = true,
                 .wl = true,
                 .wld = true,
                 .e = true,
                 .iuid = (uint16_t)(16 + log_of(512 * i))};
    aa_table_map(&r->s->tab, dom, TABLE + 4096 * i, 1, &l);
  }
  bench_write(b, AA_REG_RTADDR, 8, r->s->tab.root);
  driver_command(b, AA_GCMD_SRTP_MASK, true);
  driver_queue_on(b, r->s, 0);
  driver_inv_ctx(b, r->s, true, 0, 0, 0, 0);
  driver_inv_iotlb(b, r->s, true, 0, 0, 0, 0, false);
  bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
}

// Log 0 is polled through its pointer, log 1 has interrupts besides.
static void logs_on(bench *b) {
  for (unsigned i = 0; i < LOGS; i++) {
    driver_log_cfg l = {.base = DRIVER_RING + ((uint64_t)i << 20),
                        .size = RINGSIZE,
                        .iuid = (uint16_t)(16 + i),
                        .ptr = DRIVER_PTR + 64 * (uint64_t)i,
                        .msi_addr = DRIVER_MSI + 64 * (uint64_t)i,
                        .msi_data = 1,
                        .msi_free = i ? (1u << RINGSIZE) - 512 : 0,
                        .msi_cycles = i ? 400 : 0,
                        .cfg_bits = AA_LOG_CFG_PTR_MASK | (i ? AA_LOG_CFG_MSI_MASK : 0)};
    unsigned why = driver_open(b, of(b)->s, i, &l);
    if (why) bench_fail(b, "workload", "log %u refused: %u", i, why);
  }
}

// The consumer is slow from a third to a half of the inserts.
static void inserts(bench *b, const cosim_options *o) {
  run *r = of(b);
  r->first_cycle = b->cycle;
  while (r->inserted < r->n && !b->failed) {
    char text[80];
    r->slow = r->inserted > r->n / 3 && r->inserted < r->n / 2;
    if (r->slow && !r->slow_from) r->slow_from = b->cycle;
    if (r->slow) r->slow_to = b->cycle;
    step(b, r->slow ? 150 : 5);
    consume(b, 0, r->slow ? 8 : 256);
    uint64_t msi = mem_read64(b->mem, DRIVER_MSI + 64) & 0xFFFFFFFF;
    if (msi) {  // the interrupt handler empties the log
      bench_poke64(b, DRIVER_MSI + 64, 0);
      r->msi_seen++;
      for (unsigned i = 0; i < 64 && consume(b, 1, r->slow ? 8 : 256) && !b->failed; i++) step(b, 2);
    }
    snprintf(text, sizeof text, "%" PRIu64 " inserts, cycle %" PRIu64, r->inserted, b->cycle);
    cosim_progress(o, r->inserted, 2 * r->n, text);
    if (b->cycle > 4000000)
      bench_fail(b, "workload", "%" PRIu64 " of %" PRIu64 " inserts after 4000000 cycles", r->inserted, r->n);
  }
  r->puts_end = b->cycle;
  if (!b->failed && !check_table(b))
    bench_fail(b, "workload", "%" PRIu64 " inserts, %" PRIu64 " puts", r->inserted, r->n);
}

static void look_ups(bench *b, const cosim_options *o) {
  run *r = of(b);
  r->get_phase = true;
  while (r->got < r->n && !b->failed) {
    char text[80];
    step(b, 50);
    snprintf(text, sizeof text, "%" PRIu64 " look-ups, cycle %" PRIu64, r->got, b->cycle);
    cosim_progress(o, r->n + r->got, 2 * r->n, text);
    if (b->cycle > 8000000) bench_fail(b, "workload", "look-ups hang");
  }
  cosim_progress(o, 1, 1, NULL);
  if (r->wrong) bench_fail(b, "workload", "%" PRIu64 " look-ups got other data than memory holds", r->wrong);
  if (!b->failed && r->hits != r->n)
    bench_fail(b, "workload", "%" PRIu64 " look-ups found an empty slot", r->n - r->hits);
}

static void close_all(bench *b) {
  for (unsigned i = 0; i < LOGS && !b->failed; i++) driver_close(b, of(b)->s, i);
  if (!b->failed) bench_quiet(b, 20000);
  if (!b->failed && b->backend == BENCH_BOTH) lock_end(b);
}

int cosim_workload(const cosim_options *o, const char *dir) {
  aa_config hw;
  hw_config(&hw);
  if (hw.NumLogs < LOGS) {
    fprintf(stderr, "run: this configuration has fewer than %d logs\n", LOGS);
    return 2;
  }
  char wave[512];
  snprintf(wave, sizeof wave, "%s/wave.fst", dir);
  double start = cpu_seconds();
  bench *b = bench_new(o->backend, &hw, o->seed, o->backend & BENCH_RTL ? wave : NULL);
  run *r = calloc(1, sizeof *r);
  if (!b || !r || !(r->key = calloc(INSERTS, sizeof *r->key)) || !(r->s = calloc(1, sizeof *r->s))) return 2;
  b->wave_to = 6000;
  if (o->backend == BENCH_BOTH) bench_snoop(b);
  b->user = r;
  b->on_accept = on_accept;
  b->on_publish = on_publish;
  r->n = INSERTS;
  tables_on(b);
  logs_on(b);
  driver_command(b, AA_GCMD_TE_MASK, true);
  b->keep = true;
  inserts(b, o);
  look_ups(b, o);
  uint64_t cnt[40] = {0};
  for (unsigned i = 0; i < 40 && !b->failed; i++) cnt[i] = bench_read(b, AA_REG_CNT + 8 * i, 8);
  close_all(b);
  double seconds = cpu_seconds() - start;
  printf("Hash table by active puts, hardware %s:\n",
         o->backend == BENCH_BOTH ? "and model in lockstep" : "or model alone");
  results(stdout, true, b, r, cnt, seconds);
  int s = report(dir, b, r, cnt, seconds);
  if (b->failed)
    fprintf(stderr, "again  %s\nwaves  %s\n", o->self, wave);
  else
    printf("  report %s/report.html, waves %s (first 6000 cycles)\n", dir, wave);
  s = s || b->failed;
  free(r->key);
  free(r->s);
  free(r);
  bench_free(b);
  return s;
}
