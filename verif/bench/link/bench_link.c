// SPDX-License-Identifier: Apache-2.0
// What the Verilated IOMMU lets through by packet size, in cycles: one point a run, one line of JSON.
//
//    bench_link dir=put|get mode=stream|alone way=off|hit|ring|page|deep|meta|data bytes=N
//
// A packet is a TLP. stream: packets back to back, from the end of one to the end of another far behind it. alone: each
// waits until the one before has gone. `bare` are the cycles that the same takes with wires in the IOMMU's place.
// way: translation off; pages in the IOTLB; packets one behind the other through 512 pages, so that each page misses
// once; another page each packet, one load or four; in the IOTLB, with metadata or with all data logged.
// `right`: all bytes arrived, and there were as many misses as `way` says.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum {
  BEAT = 32,
  PAGE = 4096,
  MEMORY = 18,
  SID = 0x0100,
  RING_LOG2 = 22,
  HOT_PAGES = 8,
  RING_PAGES = 512,
  DEEP_PAGES = 64,
  TAGS = 256
};
enum { OFF, HIT, RING, EACH, DEEP, META, COPY, WAYS };
static const char *const way_name[WAYS] = {"off", "hit", "ring", "page", "deep", "meta", "data"};
#define HOT 0x10008000ULL
#define COLD 0x20000000ULL
#define FAR 0x10000000000ULL
#define FAR_STEP (1ULL << 33)  // with 8 entries of each paging-structure cache nothing of a walk is kept
#define RING_PA 0x20000000ULL

typedef struct job {
  unsigned dir, mode, way, bytes;
} job;

typedef struct fix {
  bench *b;
  driver s;
  uint64_t dom;
  job p;
  unsigned pages;
  uint64_t sent, done;  // packets
  uint64_t owed[TAGS];  // physical addresses of gets under way
  bool wrong;
} fix;

static void die(const fix *f, const char *what) {
  fprintf(stderr, "bench_link: %s (cycle %" PRIu64 "%s%s)\n", what, f->b->cycle, f->b->failed ? ": " : "", f->b->what);
  exit(1);
}

// ---- addresses ------------------------------------------------------------------------------------------------------

static unsigned stride(const job *p) { return (p->bytes + 3) & ~3u; }

static unsigned a_page(const job *p) { return p->way == EACH || p->way == DEEP ? 1 : PAGE / stride(p); }

static uint64_t iova_of(const job *p, unsigned page) {
  if (p->way == OFF) return DRIVER_DATA + PAGE * (uint64_t)page;
  if (p->way == DEEP) return FAR + FAR_STEP * page;
  return (p->way == RING || p->way == EACH ? COLD : HOT) + PAGE * (uint64_t)page;
}

static unsigned pages_of(const job *p) {
  return p->way == DEEP ? DEEP_PAGES : p->way == RING || p->way == EACH ? RING_PAGES : HOT_PAGES;
}

// Where packet n goes. Each begins in a word of its own.
static void place(const fix *f, uint64_t n, unsigned *page, unsigned *off) {
  *page = (unsigned)(n / a_page(&f->p) % f->pages);
  *off = (unsigned)(n % a_page(&f->p)) * stride(&f->p);
}

static uint8_t byte_of(uint64_t key, unsigned i) { return (uint8_t)((key * 0x9E3779B97F4A7C15ULL >> 40) + i * 7); }

// ---- set-up ---------------------------------------------------------------------------------------------------------

static void tables(fix *f) {
  driver_tables(f->b, &f->s, DRIVER_TABLES, DRIVER_QUEUE);
  if (aa_table_domain(&f->s.tab, &f->dom)) die(f, "no domain");
  aa_table_set_context(&f->s.tab, SID, &(aa_context){.table = f->dom, .did = 1, .aa = true});
  bool log = f->p.way >= META, data = f->p.way == COPY;
  aa_leaf leaf = {.r = true, .w = true, .e = log, .wl = log, .rl = log, .wld = data, .rld = data, .iuid = 1};
  for (unsigned i = 0; i < f->pages; i++) {
    leaf.pa = DRIVER_DATA + PAGE * (uint64_t)i;
    if (f->p.way != OFF && aa_table_map(&f->s.tab, f->dom, iova_of(&f->p, i), 1, &leaf)) die(f, "a page is not mapped");
  }
}

static void setup(fix *f) {
  aa_config hw;
  aa_config_default(&hw);
  hw.NumPorts = 2;
  hw.Window = 8;
  hw.SpEntries = 4;
  hw.PscEntries = 8;
  hw.TagEntries = 32;
  hw.LogDepth = 16;
  hw.Walkers = 4;
  f->b = bench_new(BENCH_RTL, &hw, 1, NULL);
  if (!f->b) exit(2);
  f->pages = pages_of(&f->p);
  tables(f);
  bench_write(f->b, AA_REG_RTADDR, 8, f->s.tab.root);
  driver_command(f->b, AA_GCMD_SRTP_MASK, true);
  bench_write(f->b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  driver_log_cfg log = {.base = RING_PA, .size = RING_LOG2, .iuid = 1, .ptr = DRIVER_PTR, .msi_addr = DRIVER_MSI};
  if (driver_open(f->b, &f->s, 0, &log)) die(f, "the log does not open");
  *host_mode_of(f->b) = (host_mode){.in_order = true, .rcb = PAGE, .mps = PAGE};  // a completion a read
  driver_inv_ctx(f->b, &f->s, false, 0, 0, 0, 0);
  driver_inv_iotlb(f->b, &f->s, false, 0, 0, 0, 0, false);
  if (f->p.way != OFF) driver_command(f->b, AA_GCMD_TE_MASK, true);
  f->b->prof.axi_min = f->b->prof.axi_max = MEMORY;
  f->b->prof.host_min = f->b->prof.host_max = f->p.mode ? MEMORY : 0;
  f->b->keep = true;
  for (unsigned i = 0; f->p.dir && i < f->pages; i++) {
    uint8_t page[PAGE];
    for (unsigned k = 0; k < PAGE; k++) page[k] = byte_of(i + 1, k);
    bench_poke(f->b, DRIVER_DATA + PAGE * (uint64_t)i, page, PAGE);
  }
}

// ---- packets --------------------------------------------------------------------------------------------------------

static void send(fix *f) {
  unsigned page, off, n = f->p.bytes, tag = (unsigned)(f->sent % TAGS), words = (n + 3) / 4,
                      last = 0xFu >> (words * 4 - n);
  place(f, f->sent, &page, &off);
  uint64_t addr = iova_of(&f->p, page) + off;
  pkt *p = traffic_request(f->p.dir ? TLP_MRD32 : TLP_MWR32, SID, f->p.dir ? tag : 0, addr, words,
                           words > 1 ? 0xF : last, words > 1 ? last : 0);
  for (unsigned i = 0; !f->p.dir && i < n; i++) p->data[i] = byte_of(f->sent + 1, i);
  f->owed[tag] = DRIVER_DATA + PAGE * (uint64_t)page + off;
  f->sent++;
  pktq_push(&f->b->dev_q[0], p);
}

// What came out: a put is where it belongs, a get has what lies there.
static void look(fix *f) {
  pkt *p;
  while ((p = pktq_pop(&f->b->host_seen))) {
    if (!f->p.dir) {
      unsigned page, off;
      uint8_t got[PAGE];
      place(f, f->done, &page, &off);
      mem_read(f->b->mem, DRIVER_DATA + PAGE * (uint64_t)page + off, got, f->p.bytes);
      for (unsigned i = 0; i < f->p.bytes; i++) f->wrong |= got[i] != byte_of(f->done + 1, i);
      f->done++;
    }
    pkt_free(p);
  }
  while ((p = pktq_pop(&f->b->dev_seen[0]))) {
    tlp_fields t;
    tlp_parse(p->hdr, &t);
    uint64_t pa = f->owed[t.tag % TAGS];
    f->wrong |= t.tag != f->done % TAGS || p->ndw * 4 < f->p.bytes;
    for (unsigned i = 0; i < f->p.bytes && i < p->ndw * 4; i++)
      f->wrong |= p->data[i] != byte_of((pa - DRIVER_DATA) / PAGE + 1, (unsigned)(pa % PAGE) + i);
    f->done++;
    pkt_free(p);
  }
}

static void step(fix *f) {
  bench_step(f->b);
  if (f->b->failed) die(f, "the run failed");
  look(f);
}

static void quiet(fix *f) {
  for (unsigned i = 0; f->done != f->sent; i++) {
    if (i == 400000) die(f, "a packet never came through");
    step(f);
  }
}

// Ready for what is measured: hot pages are in the IOTLB, and the log is empty.
static void warm(fix *f) {
  for (unsigned n = f->pages == HOT_PAGES ? HOT_PAGES * a_page(&f->p) : 1; n; n--) {
    send(f);
    quiet(f);
  }
  if (!bench_quiet(f->b, 400000)) die(f, "never quiet");
  look(f);
  bench_write(f->b, AA_REG_LP_CONS, 8, bench_read(f->b, AA_REG_LP_PROD, 8));
}

// ---- what is measured -----------------------------------------------------------------------------------------------

typedef struct found {
  uint64_t packets, cycles, bare, misses, loads;
} found;

static uint64_t beats_of(const fix *f) { return (f->p.bytes + BEAT - 1) / BEAT; }

// Packets: whole pages of them, and not so many that the log would be full.
static uint64_t packets_of(const fix *f) {
  unsigned a = a_page(&f->p), pages = f->p.mode ? 1 : 8, least = f->p.mode ? 64 : 256;
  return (uint64_t)a * (a * pages < least ? least / a : pages);
}

// Back to back. `bare`: beats that they have, one a cycle.
static found stream(fix *f) {
  found r = {.packets = packets_of(f)};
  uint64_t lead = f->done + r.packets / 4, t0 = 0;
  r.bare = r.packets * beats_of(f);
  while (f->done < lead + r.packets) {
    while (f->b->dev_q[0].n < 4) send(f);
    step(f);
    if (!t0 && f->done >= lead) t0 = f->b->cycle;
  }
  r.cycles = f->b->cycle - t0;
  return r;
}

// One at a time. Put: from its first beat in to its last beat out; bare: its beats. Get: from its request's end to the
// last beat of its answer; bare: the same at the root complex.
static found alone(fix *f) {
  found r = {.packets = packets_of(f)};
  const stats *s = &f->b->stats;
  if (!f->p.dir) r.bare = r.packets * beats_of(f);
  for (uint64_t i = 0; i < r.packets; i++) {
    uint64_t in = f->p.dir ? 0 : f->b->cycle, host = 0, was = f->done;
    stats before = *s;
    send(f);
    for (unsigned c = 0; f->done == was; c++) {
      if (c == 4000) die(f, "a packet never came through");
      step(f);
      if (!in && s->requests != before.requests) in = f->b->cycle;
      if (!host && s->host_tlps != before.host_tlps) host = f->b->cycle;
      if (f->p.dir && s->completions != before.completions) {
        r.bare += f->b->cycle - host;
        before.completions = s->completions;
      }
    }
    r.cycles += f->b->cycle - in;
    if (!bench_quiet(f->b, 4000)) die(f, "never quiet");
  }
  return r;
}

// As many misses as the way says; a stream has a packet or two more at either end.
static bool missed(const fix *f, const found *r, uint64_t sent) {
  if (f->p.way == OFF || f->p.way == HIT || f->p.way >= META) return !r->misses;
  uint64_t want = sent / a_page(&f->p);
  return r->misses + 8 >= want && r->misses <= want + 8 && r->loads == r->misses * (f->p.way == DEEP ? 4 : 1);
}

static unsigned choice(const char *arg, const char *key, const char *const *names, unsigned n) {
  size_t len = strlen(key);
  for (unsigned i = 0; i < n; i++)
    if (!strncmp(arg, key, len) && arg[len] == '=' && !strcmp(arg + len + 1, names[i])) return i;
  return n;
}

static job options(int argc, char **argv) {
  static const char *const dir[] = {"put", "get"}, *const mode[] = {"stream", "alone"};
  job p = {2, 2, WAYS, 0};
  for (int i = 1; i < argc; i++) {
    unsigned d = choice(argv[i], "dir", dir, 2), m = choice(argv[i], "mode", mode, 2),
             w = choice(argv[i], "way", way_name, WAYS);
    if (d < 2) p.dir = d;
    if (m < 2) p.mode = m;
    if (w < WAYS) p.way = w;
    if (!strncmp(argv[i], "bytes=", 6)) p.bytes = (unsigned)strtoul(argv[i] + 6, NULL, 10);
  }
  if (argc != 5 || p.dir > 1 || p.mode > 1 || p.way >= WAYS || p.bytes < 4 || p.bytes > PAGE) {
    fprintf(stderr,
            "usage: bench_link dir=put|get mode=stream|alone way=off|hit|ring|page|deep|meta|data bytes=4..4096\n");
    exit(2);
  }
  return p;
}

int main(int argc, char **argv) {
  fix f = {.p = options(argc, argv)};
  setup(&f);
  warm(&f);
  const stats *s = &f.b->stats;
  uint64_t fills = s->retired[AA_RET_FILL], reads = s->axi_reads, sent = f.sent;
  found r = f.p.mode ? alone(&f) : stream(&f);
  quiet(&f);
  r.misses = s->retired[AA_RET_FILL] - fills;
  r.loads = s->axi_reads - reads;
  bool right = !f.wrong && missed(&f, &r, f.sent - sent);
  printf("{\"right\": %s, \"bytes\": %u, \"packets\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"bare\": %" PRIu64
         ", \"misses\": %" PRIu64 ", \"loads\": %" PRIu64 "}\n",
         right ? "true" : "false", f.p.bytes, r.packets, r.cycles, r.bare, r.misses, r.loads);
  bench_free(f.b);
  return !right;
}
