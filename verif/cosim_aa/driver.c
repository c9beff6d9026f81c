// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 400000  // cycles that anything may take

static int tab_read(void *ctx, uint64_t addr, uint64_t *v) {
  *v = mem_read64(((bench *)ctx)->mem, addr);
  return 0;
}

static int tab_write(void *ctx, uint64_t addr, uint64_t v) {
  bench_poke64(ctx, addr, v);
  return 0;
}

static const aa_table_ops tab_ops = {tab_read, tab_write};

void driver_must(bench *b, aa_table_status s, const char *what) {
  if (s) bench_fail(b, "software", "%s: %s", what, aa_table_strstatus(s));
}

void driver_tables(bench *b, driver *s, uint64_t base, uint64_t limit) {
  memset(s, 0, sizeof *s);
  driver_must(b, aa_table_init(&s->tab, &tab_ops, b, base, limit), "root table");
}

void driver_free(bench *b) {
  free(b->driver);
  free(b->traffic);
  b->driver = NULL;
  b->traffic = NULL;
}

// ---- tables and registers -------------------------------------------------------------------------------------------

static void work(bench *b) {
  bench_run(b, rng_range(&b->rng, 1, 20));
  if (b->driver && rng_1in(&b->rng, 4)) driver_consume(b, false);
}

bool driver_wait_reg(bench *b, uint32_t addr, unsigned size, uint64_t mask, uint64_t want) {
  for (uint64_t end = b->cycle + LIMIT; b->cycle < end && !b->failed; work(b))
    if ((bench_read(b, addr, size) & mask) == want) return true;
  bench_fail(b, "software", "register 0x%05" PRIx32 " never becomes %" PRIx64 " (mask %" PRIx64 ")", addr, want, mask);
  return false;
}

void driver_command(bench *b, uint32_t cmd, bool on) {
  uint32_t now = (uint32_t)bench_read(b, AA_REG_GSTS, 4) & (AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK);
  bench_write(b, AA_REG_GCMD, 4, on ? now | cmd : now & ~cmd);
  driver_wait_reg(b, AA_REG_GSTS, 4, cmd, on ? cmd : 0);
}

void driver_queue_on(bench *b, driver *s, unsigned qs) {
  s->iq_tail = 0;
  s->iq_size = 4096u << qs;
  bench_write(b, AA_REG_IQT, 8, 0);
  bench_write(b, AA_REG_IQA, 8, DRIVER_QUEUE | qs);
  driver_command(b, AA_GCMD_QIE_MASK, true);
}

void driver_push(bench *b, driver *s, uint64_t lo, uint64_t hi) {
  // never run into the head
  for (uint64_t end = b->cycle + LIMIT; !b->failed; work(b)) {
    uint32_t head = (uint32_t)bench_read(b, AA_REG_IQH, 8);
    if ((s->iq_tail + 16) % s->iq_size != head) break;
    if (b->cycle > end) bench_fail(b, "software", "invalidation queue stays full");
  }
  bench_poke64(b, DRIVER_QUEUE + s->iq_tail, lo);
  bench_poke64(b, DRIVER_QUEUE + s->iq_tail + 8, hi);
  s->iq_tail = (s->iq_tail + 16) % s->iq_size;
  if (!s->iq_tail) aa_reach(b, AT_QUEUE_TURN);
}

void driver_kick(bench *b, driver *s) { bench_write(b, AA_REG_IQT, rng_1in(&b->rng, 2) ? 4 : 8, s->iq_tail); }

bool driver_sync(bench *b, driver *s) {
  uint32_t value = ++s->waits | 0x80000000u;
  uint64_t at = DRIVER_STATUS + 4 * (s->waits % 64);
  driver_push(b, s, 0x25 | (uint64_t)value << 32, at);
  driver_kick(b, s);
  for (uint64_t end = b->cycle + LIMIT; b->cycle < end && !b->failed; work(b)) {
    uint32_t v;
    mem_read(b->mem, at, &v, 4);
    if (v == value) return true;
  }
  bench_fail(b, "aa_qi", "a wait descriptor never completes");
  return false;
}

bool driver_inv_iotlb(bench *b, driver *s, bool queue, unsigned how, uint16_t did, uint64_t iova, unsigned am,
                      bool ih) {
  uint64_t hi = (iova & ~0xFFFULL) | (uint64_t)ih << 6 | am;
  if (queue) {
    driver_push(b, s, 2 | (uint64_t)(how + 1) << 4 | 0xC0 | (uint64_t)did << 16, hi);
    return driver_sync(b, s);
  }
  bench_write(b, AA_REG_IVA, 8, hi);
  bench_write(b, AA_REG_IOTLB, 8,
              AA_IOTLB_IVT_MASK | (uint64_t)(how + 1) << AA_IOTLB_IIRG_LSB | AA_IOTLB_DR_MASK | AA_IOTLB_DW_MASK |
                  (uint64_t)did << AA_IOTLB_DID_LSB);
  return driver_wait_reg(b, AA_REG_IOTLB, 8, AA_IOTLB_IVT_MASK, 0);
}

bool driver_inv_ctx(bench *b, driver *s, bool queue, unsigned how, uint16_t did, uint16_t sid, unsigned fm) {
  if (queue) {
    driver_push(b, s, 1 | (uint64_t)(how + 1) << 4 | (uint64_t)did << 16 | (uint64_t)sid << 32 | (uint64_t)fm << 48, 0);
    return driver_sync(b, s);
  }
  bench_write(b, AA_REG_CCMD, 8,
              AA_CCMD_ICC_MASK | (uint64_t)(how + 1) << AA_CCMD_CIRG_LSB | (uint64_t)fm << AA_CCMD_FM_LSB |
                  (uint64_t)sid << AA_CCMD_SID_LSB | did);
  return driver_wait_reg(b, AA_REG_CCMD, 8, AA_CCMD_ICC_MASK, 0);
}

unsigned driver_open(bench *b, driver *s, unsigned log, const driver_log_cfg *c) {
  driver_log *l = &s->log[log];
  bench_write(b, LOGREG(LOG_BASE, log), 8, c->base);
  bench_write(b, LOGREG(LOG_PTR, log), 8, c->ptr);
  bench_write(b, LOGREG(LOG_MSIA, log), 8, c->msi_addr);
  bench_write(b, LOGREG(LOG_MSID, log), 8, c->msi_data | (uint64_t)c->msi_free << 32);
  bench_write(b, LOGREG(LOG_TIME, log), 8, c->msi_cycles);
  bench_write(b, LOGREG(LOG_CFG, log), 8,
              c->cfg_bits | c->iuid | (uint64_t)c->size << AA_LOG_CFG_SIZE_LSB | AA_LOG_CFG_EN_MASK);
  uint64_t sts = bench_read(b, LOGREG(LOG_STS, log), 8);
  l->open = sts & AA_LOG_STS_EN_MASK;
  l->closing = false;
  l->base = c->base;
  l->size = c->size;
  l->iuid = c->iuid;
  l->cons = l->prod = 0;
  return l->open ? 0 : (unsigned)(sts >> AA_LOG_STS_WHY_LSB & 15);
}

bool driver_close(bench *b, driver *s, unsigned log) {
  driver_log *l = &s->log[log];
  l->closing = true;
  bench_write(b, LOGREG(LOG_CFG, log), 8, 0);
  for (uint64_t end = b->cycle + LIMIT; b->cycle < end && !b->failed; work(b)) {
    if (bench_read(b, LOGREG(LOG_STS, log), 8) & (AA_LOG_STS_EN_MASK | AA_LOG_STS_CLOSING_MASK)) continue;
    l->open = l->closing = false;
    return true;
  }
  bench_fail(b, "aa_log", "log %u never closes", log);
  return false;
}

// ---- consumer -------------------------------------------------------------------------------------------------------

// Reads what is published; every header is looked at. Stops at random places when not forced.
static void consume_log(bench *b, unsigned i, bool force) {
  driver_log *l = &b->driver->log[i];
  uint32_t size = 1u << l->size;
  l->prod = (uint32_t)bench_read(b, LOGREG(LP_PROD, i), 4);
  if (b->failed || l->prod == l->cons) return;
  if (l->prod - l->cons > size) {
    bench_fail(b, "aa_log", "log %u: producer %08" PRIx32 " is more than its ring before the consumer %08" PRIx32, i,
               l->prod, l->cons);
    return;
  }
  uint32_t at = l->cons;
  while (at != l->prod) {
    uint64_t addr = l->base + (at & (size - 1)), head = mem_read64(b->mem, addr + 8);
    unsigned kind = head >> 12 & 7, len = head >> 19 & 0x7FF, n = 16;
    if (kind == 7)
      n += 4 * len;
    else if (head >> 18 & 1)
      n += (4 * len + 15) & ~15u;
    bool bad = (kind != 1 && kind != 2 && kind != 3 && kind != 7) || (at & (size - 1)) + n > size || n > l->prod - at;
    if (kind != 7 && (head & 0x3FF) != l->iuid) bad = true;
    if (kind == 7 && (at & (size - 1)) + n != size) bad = true;
    if (bad) {
      bench_fail(b, "aa_log",
                 "log %u: entry at %" PRIx64 " (producer %08" PRIx32 ", position %08" PRIx32 ") has header %016" PRIx64,
                 i, addr, l->prod, at, head);
      return;
    }
    if (kind == 7) aa_reach(b, AT_PAD);
    l->entries += kind != 7;
    l->bytes += n;
    at += n;
    if (!force && rng_1in(&b->rng, 20)) break;
  }
  if (at >> l->size != l->cons >> l->size) aa_reach(b, l->size == 6 ? AT_RING_LEAST : AT_RING_TURN);
  l->cons = at;
  bench_write(b, LOGREG(LP_CONS, i), rng_1in(&b->rng, 2) ? 4 : 8, at);
}

void driver_consume(bench *b, bool force) {
  driver *s = b->driver;
  if (s->lazy && !force) return;
  for (unsigned i = 0; i < b->hw.NumLogs; i++)
    if ((s->log[i].open || s->log[i].closing) && (force || rng_p(&b->rng, s->log[i].p_read))) consume_log(b, i, force);
}

// ---- rest -----------------------------------------------------------------------------------------------------------

void driver_rest(bench *b) {
  enum { TIMER = 500, LONGEST = 4 * TIMER };
  static const uint32_t timer[] = {AA_REG_AA_CPL_TMO, AA_REG_AA_FLUSH_TMO, AA_REG_AA_WDOG};
  uint32_t was[3] = {0};
  host_mode *h = host_mode_of(b), mode = *h;
  profile prof = b->prof;
  bool on = b->traffic->on;
  b->traffic->on = false;
  profile_fast(&b->prof);
  h->lose = false;
  h->p_bad = h->p_stray = 0;
  bench_quiet(b, 20000);  // what is answered needs no time-out
  for (unsigned i = 0; i < 3; i++) {
    was[i] = (uint32_t)bench_read(b, timer[i], 4);
    bench_write(b, timer[i], 4, TIMER);
  }
  for (unsigned i = 0; i < 4 && !b->failed; i++) {
    bench_quiet(b, 20000);
    driver_consume(b, true);
  }
  bench_run(b, LONGEST);
  driver_consume(b, true);
  if (!bench_quiet(b, 60000)) bench_fail(b, "bench", "the machine never comes to rest");
  driver_consume(b, true);
  bench_quiet(b, 20000);
  if (!b->failed && b->backend == BENCH_BOTH) lock_end(b);
  for (unsigned i = 0; i < 3; i++) bench_write(b, timer[i], 4, was[i]);
  b->prof = prof;
  b->traffic->on = on;
  *h = mode;
}
