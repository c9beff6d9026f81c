// SPDX-License-Identifier: Apache-2.0
// What all parts of the bench need and that needs none of them: the first failure and its report, memory as software
// sees it, the manners of the outside.
#include <inttypes.h>
#include <stdio.h>

#include "bench.h"

void bench_report(const bench *b) {
  char text[256];
  unsigned n = b->in_n < 12 ? b->in_n : 12;
  if (n) fprintf(stderr, "last packets in, the newest last:\n");
  for (unsigned k = b->in_n - n; k != b->in_n; k++) {
    unsigned i = k % 16;
    fprintf(stderr, "  %8" PRIu64 "  %s %u %s %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ", %" PRIu32 " DW",
            b->in[i].cycle, b->in[i].port == BENCH_PORTS ? "host" : "port", b->in[i].port % BENCH_PORTS,
            tlp_type_name(tlp_type(b->in[i].hdr)), b->in[i].hdr[0], b->in[i].hdr[1], b->in[i].hdr[2], b->in[i].hdr[3],
            b->in[i].ndw);
    if (b->in[i].beats) fprintf(stderr, ", %u beats", b->in[i].beats);
    if (b->in[i].strb) fprintf(stderr, ", strb %" PRIx32, b->in[i].strb);
    fprintf(stderr, "%s%s%s\n", b->in[i].nosop ? ", no sop" : "", b->in[i].cut ? ", cut" : "",
            b->in[i].err ? ", err" : "");
  }
  n = b->last_n < 24 ? b->last_n : 24;
  if (n) fprintf(stderr, "last records, the newest last:\n");
  for (unsigned i = b->last_n - n; i != b->last_n; i++)
    fprintf(stderr, "  %8" PRIu64 "  %s\n", b->last_cycle[i % 64], aa_record_text(&b->last[i % 64], text, sizeof text));
}

void bench_fail(bench *b, const char *block, const char *fmt, ...) {
  char blame[80];
  if (b->mismatches++) return;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(b->what, sizeof b->what, fmt, ap);
  va_end(ap);
  b->failed = true;
  if (b->on_fail) {
    b->on_fail(b, block);
    return;
  }
  if (b->quiet_log) return;
  fprintf(stderr, "\n%s\ncycle  %" PRIu64 "\nseed   %" PRIu64 "\n%s\n", result_blame(block, blame, sizeof blame),
          b->cycle, b->seed, b->what);
  bench_report(b);
}

void bench_poke(bench *b, uint64_t addr, const void *buf, size_t n) {
  mem_write(b->mem, addr, buf, n);
  if (b->backend == BENCH_BOTH) mem_write(b->ref, addr, buf, n);
}

void bench_poke64(bench *b, uint64_t addr, uint64_t v) { bench_poke(b, addr, &v, 8); }

uint64_t bench_peek64(bench *b, uint64_t addr) { return mem_read64(b->mem, addr); }

void profile_fast(profile *p) {
  *p = (profile){.p_dev = 256,
                 .p_dev_cpl = 256,
                 .p_host_req = 256,
                 .p_np = 256,
                 .p_host_cpl = 256,
                 .p_ar = 256,
                 .p_aw = 256,
                 .p_w = 256,
                 .p_r = 256,
                 .p_b = 256,
                 .axi_min = 1,
                 .axi_max = 4,
                 .host_min = 4,
                 .host_max = 8,
                 .p_task = 256};
}

static unsigned pick(rng *r) {
  static const unsigned p[] = {256, 256, 250, 192, 128, 64, 20};
  return p[rng_below(r, 7)];
}

void profile_random(profile *p, rng *r) {
  profile_fast(p);
  p->host_max = rng_range(r, 4, 60);
  p->axi_max = rng_range(r, 1, 20);
  if (rng_1in(r, 3)) return;
  p->p_dev = pick(r);
  p->p_dev_cpl = pick(r);
  p->p_host_req = pick(r);
  p->p_np = pick(r);
  p->p_host_cpl = pick(r);
  p->p_ar = pick(r);
  p->p_aw = pick(r);
  p->p_w = pick(r);
  p->p_r = pick(r);
  p->p_b = pick(r);
  p->p_task = pick(r);
  if (rng_1in(r, 4)) p->axi_max = rng_range(r, 20, 500);
  if (rng_1in(r, 4)) p->host_max = rng_range(r, 20, 500);
}
