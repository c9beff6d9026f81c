// SPDX-License-Identifier: Apache-2.0
// Lockstep: the comparison is the library's (tocsin/aa_lock.h); here is what it asks of this bench. It takes the
// records in the order of their slots (RET-1), and has a clock, by which it holds the hardware to the bounds of its
// timers (TMO-1, TMO-2, TMO-3, TMO-4, TMO-5, TMO-6) and to what is due (DUE-1, DUE-2, DUE-3, DUE-4, DUE-5).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

static void differ(void *ctx, const char *block, const char *stream, const char *text) {
  bench_fail(ctx, block, "%s\n%s", stream, text);
}

static void wrote(void *ctx, uint64_t addr, const void *buf, size_t n) {
  bench *b = ctx;
  for (const uint8_t *p = buf; n;) {  // what is bad is whole pages, and no burst leaves its page
    size_t k = 4096 - (addr & 4095) < n ? 4096 - (addr & 4095) : n;
    if (!axi_bad(b, addr)) mem_write(b->ref, addr, p, k);
    p += k;
    addr += k;
    n -= k;
  }
}

static bool holds(void *ctx, uint64_t addr, const void *buf, size_t n) {
  bench *b = ctx;
  uint8_t now[64];
  mem_read(b->mem, addr, now, n);
  return !memcmp(now, buf, n);
}

aa_status lock_new(bench *b) {
  static const aa_lock_ops ops = {differ, wrote, holds};
  aa_status s = aa_lock_new(&b->hw, &ops, b, &b->lock);
  if (s == AA_OK) b->model = aa_lock_model(b->lock);
  return s;
}

static void differ_ports(void *ctx, const char *block, const char *stream, const char *text) {
  bench_fail(ctx, block, "seen from the ports alone: %s\n%s", stream, text);
}

void bench_snoop(bench *b) {
  aa_status s = b->lock ? aa_snoop_new(&b->hw, differ_ports, b, &b->snoop) : AA_OK;
  if (s != AA_OK) bench_fail(b, "model", "%s", aa_strstatus(s));
}

void lock_host(bench *b, const pkt *p) {
  tlp t;
  pkt_tlp(p, &t);
  if (b->snoop) aa_snoop_host_tlp(b->snoop, &t);
  aa_lock_host_tlp(b->lock, &t);
}

void lock_dev(bench *b, unsigned port, const pkt *p) {
  tlp t;
  pkt_tlp(p, &t);
  if (b->snoop) aa_snoop_dev_tlp(b->snoop, port, &t);
  aa_lock_dev_tlp(b->lock, port, &t);
}

// Whose memory this is, as far as the model's logs say.
static const char *place(const bench *b, uint64_t addr, char *buf, size_t n) {
  buf[0] = 0;
  for (unsigned i = 0; i < b->hw.NumLogs && !buf[0]; i++) {
    uint64_t base = 0, cfg = 0, ptr = 0, msi = 0;
    if (aa_reg_read(b->model, AA_REG_LOG_BASE + i * AA_REG_LOG_BASE_STRIDE, 8, &base) ||
        aa_reg_read(b->model, AA_REG_LOG_CFG + i * AA_REG_LOG_CFG_STRIDE, 8, &cfg) ||
        aa_reg_read(b->model, AA_REG_LOG_PTR + i * AA_REG_LOG_PTR_STRIDE, 8, &ptr) ||
        aa_reg_read(b->model, AA_REG_LOG_MSIA + i * AA_REG_LOG_MSIA_STRIDE, 8, &msi))
      break;
    uint64_t size = 1ull << (cfg >> AA_LOG_CFG_SIZE_LSB & 31);
    if (addr >= base && addr - base < size)
      snprintf(buf, n, " (ring of log %u at %" PRIx64 ", byte %u of its 16)", i, (addr - base) & ~(uint64_t)15,
               (unsigned)(addr & 15));
    else if (addr >= ptr && addr - ptr < 8)
      snprintf(buf, n, " (pointer of log %u)", i);
    else if (addr >= msi && addr - msi < 4)
      snprintf(buf, n, " (MSI of log %u)", i);
  }
  return buf;
}

void lock_end(bench *b) {
  char where[80];
  uint64_t first, n;
  if (!b->failed) aa_lock_end(b->lock);
  if (!b->failed && b->snoop) aa_snoop_end(b->snoop);
  if (!b->failed && (n = mem_compare(b->mem, b->ref, &first)))
    bench_fail(b, "memory", "%" PRIu64 " bytes differ, the first at %" PRIx64 "%s: got %02x, want %02x", n, first,
               place(b, first, where, sizeof where),
               (unsigned)(mem_read64(b->mem, first & ~7ULL) >> (8 * (first & 7)) & 0xFF),
               (unsigned)(mem_read64(b->ref, first & ~7ULL) >> (8 * (first & 7)) & 0xFF));
}
