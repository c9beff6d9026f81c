// SPDX-License-Identifier: Apache-2.0
#include "soft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 400000  // cycles that anything may take
#define LOGREG(name, i) (AA_REG_##name + (i)*AA_REG_##name##_STRIDE)

static int tab_read(void *ctx, uint64_t addr, uint64_t *v) {
  *v = mem_read64(((bench *)ctx)->mem, addr);
  return 0;
}

static int tab_write(void *ctx, uint64_t addr, uint64_t v) {
  bench_poke64(ctx, addr, v);
  return 0;
}

static const aa_table_ops tab_ops = {tab_read, tab_write};

static void must(bench *b, aa_table_status s, const char *what) {
  if (s) bench_fail(b, "software", "%s: %s", what, aa_table_strstatus(s));
}

void soft_tables(bench *b, soft *s, uint64_t base, uint64_t limit) {
  memset(s, 0, sizeof *s);
  must(b, aa_table_init(&s->tab, &tab_ops, b, base, limit), "root table");
}

void soft_free(bench *b) {
  free(b->soft);
  free(b->traffic);
  b->soft = NULL;
  b->traffic = NULL;
}

// ---- driver ---------------------------------------------------------------------------------------------------------

static void work(bench *b) {
  bench_run(b, rng_range(&b->rng, 1, 20));
  if (b->soft && rng_1in(&b->rng, 4)) soft_consume(b, false);
}

bool soft_wait_reg(bench *b, uint32_t addr, unsigned size, uint64_t mask, uint64_t want) {
  for (uint64_t end = b->cycle + LIMIT; b->cycle < end && !b->failed; work(b))
    if ((bench_read(b, addr, size) & mask) == want) return true;
  bench_fail(b, "software", "register 0x%05" PRIx32 " never becomes %" PRIx64 " (mask %" PRIx64 ")", addr, want, mask);
  return false;
}

void soft_command(bench *b, uint32_t cmd, bool on) {
  uint32_t now = (uint32_t)bench_read(b, AA_REG_GSTS, 4) & (AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK);
  bench_write(b, AA_REG_GCMD, 4, on ? now | cmd : now & ~cmd);
  soft_wait_reg(b, AA_REG_GSTS, 4, cmd, on ? cmd : 0);
}

void soft_queue_on(bench *b, soft *s, unsigned qs) {
  s->iq_tail = 0;
  s->iq_size = 4096u << qs;
  bench_write(b, AA_REG_IQT, 8, 0);
  bench_write(b, AA_REG_IQA, 8, SOFT_QUEUE | qs);
  soft_command(b, AA_GCMD_QIE_MASK, true);
}

void soft_push(bench *b, soft *s, uint64_t lo, uint64_t hi) {
  // never run into the head
  for (uint64_t end = b->cycle + LIMIT; !b->failed; work(b)) {
    uint32_t head = (uint32_t)bench_read(b, AA_REG_IQH, 8);
    if ((s->iq_tail + 16) % s->iq_size != head) break;
    if (b->cycle > end) bench_fail(b, "software", "invalidation queue stays full");
  }
  bench_poke64(b, SOFT_QUEUE + s->iq_tail, lo);
  bench_poke64(b, SOFT_QUEUE + s->iq_tail + 8, hi);
  s->iq_tail = (s->iq_tail + 16) % s->iq_size;
}

void soft_kick(bench *b, soft *s) { bench_write(b, AA_REG_IQT, rng_1in(&b->rng, 2) ? 4 : 8, s->iq_tail); }

bool soft_sync(bench *b, soft *s) {
  uint32_t value = ++s->waits | 0x80000000u;
  uint64_t at = SOFT_STATUS + 4 * (s->waits % 64);
  soft_push(b, s, 0x25 | (uint64_t)value << 32, at);
  soft_kick(b, s);
  for (uint64_t end = b->cycle + LIMIT; b->cycle < end && !b->failed; work(b)) {
    uint32_t v;
    mem_read(b->mem, at, &v, 4);
    if (v == value) return true;
  }
  bench_fail(b, "aa_qi", "a wait descriptor never completes");
  return false;
}

bool soft_inv_iotlb(bench *b, soft *s, bool queue, unsigned how, uint16_t did, uint64_t iova, unsigned am, bool ih) {
  uint64_t hi = (iova & ~0xFFFULL) | (uint64_t)ih << 6 | am;
  if (queue) {
    soft_push(b, s, 2 | (uint64_t)(how + 1) << 4 | 0xC0 | (uint64_t)did << 16, hi);
    return soft_sync(b, s);
  }
  bench_write(b, AA_REG_IVA, 8, hi);
  bench_write(b, AA_REG_IOTLB, 8,
              AA_IOTLB_IVT_MASK | (uint64_t)(how + 1) << AA_IOTLB_IIRG_LSB | AA_IOTLB_DR_MASK | AA_IOTLB_DW_MASK |
                  (uint64_t)did << AA_IOTLB_DID_LSB);
  return soft_wait_reg(b, AA_REG_IOTLB, 8, AA_IOTLB_IVT_MASK, 0);
}

bool soft_inv_ctx(bench *b, soft *s, bool queue, unsigned how, uint16_t did, uint16_t sid, unsigned fm) {
  if (queue) {
    soft_push(b, s, 1 | (uint64_t)(how + 1) << 4 | (uint64_t)did << 16 | (uint64_t)sid << 32 | (uint64_t)fm << 48, 0);
    return soft_sync(b, s);
  }
  bench_write(b, AA_REG_CCMD, 8,
              AA_CCMD_ICC_MASK | (uint64_t)(how + 1) << AA_CCMD_CIRG_LSB | (uint64_t)fm << AA_CCMD_FM_LSB |
                  (uint64_t)sid << AA_CCMD_SID_LSB | did);
  return soft_wait_reg(b, AA_REG_CCMD, 8, AA_CCMD_ICC_MASK, 0);
}

unsigned soft_open(bench *b, soft *s, unsigned log, const soft_log_cfg *c) {
  soft_log *l = &s->log[log];
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

bool soft_close(bench *b, soft *s, unsigned log) {
  soft_log *l = &s->log[log];
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
  soft_log *l = &b->soft->log[i];
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
  l->cons = at;
  bench_write(b, LOGREG(LP_CONS, i), rng_1in(&b->rng, 2) ? 4 : 8, at);
}

void soft_consume(bench *b, bool force) {
  soft *s = b->soft;
  if (s->lazy && !force) return;
  for (unsigned i = 0; i < b->hw.NumLogs; i++)
    if ((s->log[i].open || s->log[i].closing) && (force || rng_p(&b->rng, s->log[i].p_read))) consume_log(b, i, force);
}

// ---- rest -----------------------------------------------------------------------------------------------------------

void soft_rest(bench *b) {
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
    soft_consume(b, true);
  }
  bench_run(b, LONGEST);
  soft_consume(b, true);
  if (!bench_quiet(b, 60000)) bench_fail(b, "bench", "the machine never comes to rest");
  soft_consume(b, true);
  bench_quiet(b, 20000);
  if (!b->failed && b->backend == BENCH_BOTH) lock_end(b);
  for (unsigned i = 0; i < 3; i++) bench_write(b, timer[i], 4, was[i]);
  b->prof = prof;
  b->traffic->on = on;
  *h = mode;
}

// ---- random agent ---------------------------------------------------------------------------------------------------

static void random_leaf(bench *b, aa_leaf *l, unsigned level) {
  rng *r = &b->rng;
  memset(l, 0, sizeof *l);
  l->r = !rng_1in(r, 8);
  l->w = !rng_1in(r, 8);
  if (!rng_1in(r, 3)) {
    l->wl = rng_1in(r, 2);
    l->wld = rng_1in(r, 2);
    l->rl = rng_1in(r, 2);
    l->rld = rng_1in(r, 2);
    l->e = !rng_1in(r, 4);
    l->iuid = (uint16_t)rng_below(r, b->hw.NumLogs + 2);
    if (b->hw.NumLogs && !rng_1in(r, 12)) l->iuid = b->soft->log[rng_below(r, b->hw.NumLogs)].iuid;
  }
  if (level == 1) l->pa = SOFT_DATA + ((uint64_t)rng_below(r, 4096) << 12);
  if (level == 2) l->pa = SOFT_DATA2M + ((uint64_t)rng_below(r, 64) << 21);
  if (level == 3) l->pa = SOFT_DATA1G + ((uint64_t)rng_below(r, 4) << 30);
  if (level == 1 && rng_1in(r, 50)) l->pa = 0xFEE00000;
  if (level == 1 && b->soft->hostile && rng_1in(r, 100)) l->pa = SOFT_BAD;
}

static void set_page(bench *b, soft_page *p, bool spoil) {
  soft *s = b->soft;
  aa_leaf l;
  random_leaf(b, &l, p->level);
  must(b, aa_table_map(&s->tab, s->dom[p->domain].table, p->iova, p->level, &l), "map");
  if (spoil) {
    uint64_t at;
    static const uint64_t bits[] = {1ULL << 11, 1ULL << 48, 1ULL << 62, 1ULL << 51};
    must(b, aa_table_entry(&s->tab, s->dom[p->domain].table, p->iova, p->level, &at), "entry");
    bench_poke64(b, at, mem_read64(b->mem, at) ^ bits[rng_below(&b->rng, 4)]);
  }
}

// Every timer is set to run out soon, late or never, and whether consumers read, so that some run out and some are stopped.
static uint32_t some_time(rng *r, uint32_t least, bool never) {
  switch (rng_below(r, never ? 5 : 4)) {
    case 0: return rng_range(r, least, least + 20);
    case 1:
    case 2: return rng_range(r, least, least + 400);
    case 3: return rng_range(r, least, 4000);
    default: return 0;
  }
}

static void timers(bench *b) {
  soft *s = b->soft;
  rng *r = &b->rng;
  s->lazy = rng_1in(r, 3);
  bench_write(b, AA_REG_AA_WDOG, 4, some_time(r, 1, !s->lazy));
  bench_write(b, AA_REG_AA_FLUSH_TMO, 4, some_time(r, 1, !s->lazy));
  // not 0: what is lost never ends by itself, and a stray completion may take the place of a right one
  if (s->hostile && rng_1in(r, 4)) bench_write(b, AA_REG_AA_CPL_TMO, 4, some_time(r, 1, false));
}

static void open_random(bench *b, unsigned i) {
  rng *r = &b->rng;
  soft *s = b->soft;
  soft_log_cfg c;
  memset(&c, 0, sizeof c);
  c.size = rng_1in(r, 4) ? rng_range(r, 6, 9) : rng_range(r, 10, 16);
  c.base = SOFT_RING + ((uint64_t)i << 20) + ((uint64_t)rng_below(r, 4) << 16);
  c.iuid = (uint16_t)(rng_1in(r, 4) ? i * 32 + 3 : i);
  c.ptr = SOFT_PTR + 64 * (uint64_t)i;
  c.msi_addr = SOFT_MSI + 64 * (uint64_t)i;
  c.msi_data = (uint32_t)rng_u64(r);
  c.msi_free = rng_1in(r, 2) ? rng_below(r, 1u << c.size) : 0;
  c.msi_cycles = some_time(r, 1, true);
  uint64_t scri = b->hw.ScratchWords ? rng_below(r, b->hw.ScratchWords) : 0;
  c.cfg_bits = (rng_1in(r, 2) ? AA_LOG_CFG_DROP_MASK : 0) | (rng_1in(r, 2) ? AA_LOG_CFG_PTR_MASK : 0) |
               (rng_1in(r, 2) ? AA_LOG_CFG_MSI_MASK : 0) |
               (b->hw.ScratchWords && rng_1in(r, 2) ? AA_LOG_CFG_SCR_MASK : 0) |
               (rng_1in(r, 4) ? AA_LOG_CFG_TASK_MASK : 0) | scri << AA_LOG_CFG_SCRI_LSB;
  s->log[i].p_read = rng_1in(r, 3) ? 8 : rng_range(r, 40, 256);
  if (s->hostile && rng_1in(r, 4)) {  // memory that refuses some of it, sooner or later
    unsigned slots = c.size < 14 ? 0x4000u >> c.size : 1;
    switch (rng_below(r, 4)) {
      case 0: c.ptr = SOFT_BAD + 64 * (uint64_t)i; break;
      case 1: c.msi_addr = SOFT_BAD + 0x1000 + 64 * (uint64_t)i; break;
      default: c.base = SOFT_FLAWED + ((uint64_t)i << 20) + ((uint64_t)rng_below(r, slots) << c.size); break;
    }
  }
  if (s->hostile && rng_1in(r, 4)) {  // malformed in one way: must be refused, and stay closed
    switch (rng_below(r, 6)) {
      case 0: c.size = rng_1in(r, 2) ? rng_below(r, 6) : 31; break;
      case 1: c.base += 16; break;
      case 2: c.base = 0xFFFFFFFFFFFFF000ULL; break;
      case 3: c.iuid = s->log[(i + 1) % b->hw.NumLogs].iuid; break;
      case 4: c.ptr += 4; break;
      default: c.msi_addr += 2; break;
    }
  }
  soft_open(b, s, i, &c);
}

static void collect_pages(bench *b) {
  // which requester may use which page is a matter of its domain
  soft *s = b->soft;
  traffic *t = b->traffic;
  t->pages = 0;
  for (unsigned p = 0; p < b->hw.NumPorts; p++)
    for (unsigned i = 0; i < TRAFFIC_SIDS; i++) {
      t->first[p][i] = t->pages;
      for (unsigned k = 0; k < s->pages && t->pages < TRAFFIC_PAGES; k++) {
        const soft_page *g = &s->page[k];
        if (s->ctx[p][i].table != s->dom[g->domain].table && !rng_1in(&b->rng, 50)) continue;
        uint64_t sub = (uint64_t)rng_below(&b->rng, 1u << 9 * (g->level - 1)) << 12;  // anywhere in a large page
        t->page[t->pages].sid = t->sid[p][i];
        t->page[t->pages++].iova = g->iova + sub;
      }
      t->n[p][i] = t->pages - t->first[p][i];
      t->hot[p][i] = 0;
    }
}

static void set_context(bench *b, unsigned p, unsigned i, bool change) {
  soft *s = b->soft;
  rng *r = &b->rng;
  aa_context *c = &s->ctx[p][i];
  memset(c, 0, sizeof *c);
  unsigned d = (p + i) % 2 ? rng_below(r, SOFT_DOMAINS) : i % SOFT_DOMAINS;
  c->table = s->dom[d].table;
  c->did = s->dom[d].did;
  c->aa = i < 4 || rng_1in(r, 2);
  c->nointr = rng_1in(r, 4);
  c->fpd = rng_1in(r, 6);
  c->pass = i == 4 && rng_1in(r, 2);
  if (i == TRAFFIC_SIDS - 1 && rng_1in(r, 2)) {
    must(b, aa_table_set_context(&s->tab, b->traffic->sid[p][i], NULL), "context");
    c->table = 0;
  } else {
    must(b, aa_table_set_context(&s->tab, b->traffic->sid[p][i], c), "context");
  }
  if (change && s->hostile && rng_1in(r, 8)) {  // a malformed one
    aa_walk_result w;
    aa_table_walk(&s->tab, 0, b->traffic->sid[p][i], 0, false, &w);
    uint64_t at = (mem_read64(b->mem, s->tab.root + 16 * (uint64_t)(b->traffic->sid[p][i] >> 8)) & ~0xFFFULL) +
                  16 * (uint64_t)(b->traffic->sid[p][i] & 0xFF);
    unsigned bit = rng_below(r, 128);
    if (bit < 2 || (bit >= 4 && bit < 12) || bit >= 64)
      bench_poke64(b, at + bit / 64 * 8, mem_read64(b->mem, at + bit / 64 * 8) ^ 1ULL << bit % 64);
  }
}

// Devices use this page more than others for a while.
static void make_hot(bench *b, uint64_t iova) {
  traffic *t = b->traffic;
  for (unsigned p = 0; p < b->hw.NumPorts; p++)
    for (unsigned i = 0; i < TRAFFIC_SIDS; i++)
      for (unsigned k = 0; k < t->n[p][i]; k++)
        if (t->page[t->first[p][i] + k].iova == iova) t->hot[p][i] = k;
}

// Some page that a read flushes: E and R set, and its own IUID, which is that of an open log if there is one.
static void flush_page(bench *b, unsigned i) {
  soft *s = b->soft;
  rng *r = &b->rng;
  uint64_t value = 0;
  bool good = false;
  for (unsigned n = 0; n < 200 && !good; n++) {
    const soft_page *p = &s->page[rng_below(r, s->pages)];
    uint64_t at;
    aa_leaf l;
    if (p->level != 1 || aa_table_entry(&s->tab, s->dom[p->domain].table, p->iova, 1, &at)) continue;
    aa_leaf_unpack(mem_read64(b->mem, at), 1, &l);
    value = p->iova | (uint64_t)l.iuid << 2 | 1;
    for (unsigned k = 0; l.e && l.r && k < b->hw.NumLogs; k++)
      good = good || (s->log[k].open && s->log[k].iuid == l.iuid);
  }
  if (rng_1in(r, 2)) make_hot(b, value & ~0xFFFULL);
  b->traffic->flush[i] = value & ~0xFFFULL;
  if (rng_1in(r, 10)) value ^= 1ULL << rng_below(r, 13);  // off, or another IUID
  bench_write(b, AA_REG_AA_FLP + 8 * i, 8, value);
}

void soft_init(bench *b, bool hostile) {
  soft *s = calloc(1, sizeof *s);
  if (!s) abort();
  b->traffic = traffic_new();
  b->traffic->on = false;
  soft_tables(b, s, SOFT_TABLES, SOFT_QUEUE);
  b->soft = s;
  s->hostile = hostile;
  axi_set_bad(b, SOFT_BAD, SOFT_BAD + 0x10000);
  axi_set_flawed(b, SOFT_FLAWED, SOFT_FLAWED + ((uint64_t)SOFT_LOGS << 20));
  for (unsigned i = 0; i < SOFT_DOMAINS; i++) {
    must(b, aa_table_domain(&s->tab, &s->dom[i].table), "domain");
    s->dom[i].did = (uint16_t)(i * 0x101 + 1);
  }
  for (unsigned i = 0; i < b->hw.NumLogs; i++) s->log[i].iuid = (uint16_t)i;
  // pages: a few tables full of neighbours, some far apart, some large
  for (unsigned k = 0; k < 160; k++) {
    soft_page *p = &s->page[s->pages++];
    p->domain = k % SOFT_DOMAINS;
    p->level = k % 20 == 18 ? 2 : k % 40 == 39 ? 3 : 1;
    if (p->level == 1)
      p->iova = k < 120 ? 0x40100000 + ((uint64_t)(k / 4) << 12) : 0x7F0000000000 + ((uint64_t)k << 21 | k << 12);
    else if (p->level == 2)
      p->iova = 0x80000000 + ((uint64_t)k << 21);
    else
      p->iova = 0x4000000000 + ((uint64_t)k << 30);
    set_page(b, p, false);
  }
  for (unsigned p = 0; p < b->hw.NumPorts; p++)
    for (unsigned i = 0; i < TRAFFIC_SIDS; i++) set_context(b, p, i, false);
  collect_pages(b);
  bench_write(b, AA_REG_RTADDR, 8, s->tab.root);
  soft_command(b, AA_GCMD_SRTP_MASK, true);
  soft_queue_on(b, s, 0);
  soft_inv_ctx(b, s, true, 0, 0, 0, 0);
  soft_inv_iotlb(b, s, false, 0, 0, 0, 0, false);
  bench_write(b, AA_REG_FEDATA, 4, 0x41);
  bench_write(b, AA_REG_FEADDR, 4, SOFT_MSI + 0x8000);
  bench_write(b, AA_REG_FECTL, 4, 0);
  bench_write(b, AA_REG_IEDATA, 4, 0x42);
  bench_write(b, AA_REG_IEADDR, 4, SOFT_MSI + 0x8040);
  bench_write(b, AA_REG_IECTL, 4, 0);
  bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  bench_write(b, AA_REG_AA_FLUSH_TMO, 4, 20000);
  // a stray completion may take the place of a right one, which then never ends
  if (hostile) bench_write(b, AA_REG_AA_CPL_TMO, 4, 8000);
  for (unsigned i = 0; i < b->hw.NumLogs; i++) open_random(b, i);
  for (unsigned i = 0; i < b->hw.FlushPages; i++) flush_page(b, i);
  soft_command(b, AA_GCMD_TE_MASK, true);
  b->traffic->on = true;
}

static void drain_faults(bench *b) {
  uint32_t sts = (uint32_t)bench_read(b, AA_REG_FSTS, 4);
  unsigned i = sts >> AA_FSTS_FRI_LSB & 7;
  for (unsigned n = 0; n < 8 && !b->failed; n++, i = (i + 1) % 8) {
    uint32_t at = AA_REG_FRCDH + i * AA_REG_FRCDH_STRIDE;
    if (!(bench_read(b, at + 4, 4) >> 31)) break;
    bench_read(b, at, 4);
    bench_read(b, AA_REG_FRCDL + i * AA_REG_FRCDL_STRIDE, 8);
    bench_write(b, at + 4, 4, 0x80000000);
    b->soft->faults_seen++;
  }
  bench_write(b, AA_REG_FSTS, 4, AA_FSTS_PFO_MASK | AA_FSTS_PPF_MASK);
}

static void queue_recover(bench *b) {
  soft *s = b->soft;
  // a driver would mend the descriptor; this one starts the queue again
  soft_command(b, AA_GCMD_QIE_MASK, false);
  bench_write(b, AA_REG_FSTS, 4, AA_FSTS_IQE_MASK);
  soft_queue_on(b, s, rng_below(&b->rng, 2));
}

static void queue_error(bench *b) {
  soft *s = b->soft;
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
  unsigned k = rng_below(r, 18);
  s->what = "queue error";
  if (k < 14) {
    soft_push(b, s, bad[k][0], bad[k][1]);
    soft_kick(b, s);
  } else if (k == 14) {
    bench_write(b, AA_REG_IQT, 8, s->iq_size + 16);
  } else if (k >= 16) {  // a status word in memory that refuses it, once or twice
    soft_push(b, s, 0x25 | 0x10u * rng_below(r, 2) | rng_u64(r) << 32, SOFT_BAD + 0x2000);
    soft_kick(b, s);
    bench_run(b, rng_range(r, 1, 1000));
    if (rng_1in(r, 2)) bench_write(b, AA_REG_FSTS, 4, AA_FSTS_IQE_MASK);
  } else {
    for (unsigned i = rng_range(r, 1, 20); i; i--) soft_push(b, s, rng_u64(r), rng_u64(r));
    soft_kick(b, s);
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
  uint8_t strb = (uint8_t)(rng_1in(r, 2) ? 0xFF : rng_u64(r));
  if ((at & ~7u) == AA_REG_GCMD) strb &= 0xF0;  // GSTS only
  bench_write_strb(b, at & ~7u, v, strb);
}

static void random_consumer(bench *b) {
  soft *s = b->soft;
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

void soft_action(bench *b) {
  soft *s = b->soft;
  rng *r = &b->rng;
  uint16_t sid;
  s->actions++;
  unsigned k = rng_below(r, 64);
  if (rng_1in(r, 8)) profile_random(&b->prof, r);
  if (rng_1in(r, 16)) b->traffic->max_dw = rng_1in(r, 3) ? 1024 : 64;
  if (rng_1in(r, 20)) timers(b);
  if (k < 12) {
    s->what = "idle";
    bench_run(b, rng_range(r, 10, 400));
  } else if (k < 26) {
    s->what = "consume";
    soft_consume(b, false);
  } else if (k < 36) {
    s->what = "page change";
    soft_page *p = &s->page[rng_below(r, s->pages)];
    unsigned n = rng_range(r, 1, 4);
    for (unsigned i = 0; i < n; i++) {
      p = &s->page[rng_below(r, s->pages)];
      for (unsigned more = rng_below(r, 4); more && p->level == 1; more--) p = &s->page[rng_below(r, s->pages)];
      set_page(b, p, s->hostile && rng_1in(r, 10));
      p->stale = true;
      if (rng_1in(r, 3)) bench_run(b, rng_below(r, 60));
    }
    bool queue = rng_1in(r, 2);
    if (n == 1 && rng_1in(r, 2)) {
      uint64_t inside = (uint64_t)rng_below(r, 1u << 9 * (p->level - 1)) << 12;
      unsigned am = rng_below(r, 19);
      if (am >= 14) aa_reach(b, AT_AM_LARGE);
      if (inside && am < 9) aa_reach(b, AT_AM_INSIDE);
      soft_inv_iotlb(b, s, queue, 2, s->dom[p->domain].did, p->iova | inside, am, rng_1in(r, 2));
    } else {
      soft_inv_iotlb(b, s, queue, rng_1in(r, 4) ? 0 : 1, s->dom[p->domain].did, 0, 0, false);
    }
  } else if (k < 39) {
    s->what = "context change";
    unsigned p = rng_below(r, b->hw.NumPorts), i = rng_below(r, TRAFFIC_SIDS);
    uint16_t did = s->ctx[p][i].did;
    sid = b->traffic->sid[p][i];
    set_context(b, p, i, true);
    soft_inv_ctx(b, s, rng_1in(r, 2), rng_below(r, 3), did, sid, rng_below(r, 4));
    soft_inv_iotlb(b, s, rng_1in(r, 2), 1, did, 0, 0, false);
    if (rng_1in(r, 4)) collect_pages(b);
  } else if (k < 42) {
    s->what = "faults";
    drain_faults(b);
  } else if (k < 47) {
    s->what = "register reads";
    for (unsigned i = 0; i < 8 && !b->failed; i++) {
      uint32_t at = rng_1in(r, 2)   ? AA_REG_CNT + 8 * rng_below(r, 64)
                    : rng_1in(r, 2) ? LOGREG(LP_PROD, rng_below(r, 32)) + 8 * rng_below(r, 4)
                    : rng_1in(r, 2) ? rng_below(r, 0x2C0) & ~7u
                                    : 0x1000 + (rng_below(r, 0x3000) & ~7u);
      bench_read(b, at, 8);
    }
  } else if (k < 49) {
    s->what = "errors";
    bench_read(b, AA_REG_AA_ERR_STS, 8);
    bench_read(b, AA_REG_AA_ERR_ADDR, 8);
    bench_write(b, AA_REG_AA_ERR_STS, 8, 1);
  } else if (k < 52 && b->hw.NumLogs) {
    s->what = "log close and open";
    if (rng_1in(r, 3)) {  // reads are under way for long, so that some are open when their log closes
      b->prof.host_min = 100;
      b->prof.host_max = 1000;
      bench_run(b, 200);
    }
    for (unsigned n = rng_range(r, 1, 3); n && !b->failed; n--) {
      unsigned i = rng_below(r, b->hw.NumLogs);
      if (s->log[i].open) soft_close(b, s, i);
      if (!b->failed) open_random(b, i);
    }
  } else if (k < 53) {
    s->what = "queue burst";
    for (unsigned i = rng_range(r, 1, 30); i && !b->failed; i--) {
      unsigned how = rng_below(r, 3), did = s->dom[rng_below(r, SOFT_DOMAINS)].did;
      if (rng_1in(r, 3))
        soft_push(b, s,
                  1 | (uint64_t)(how + 1) << 4 | (uint64_t)did << 16 |
                      (uint64_t)b->traffic->sid[0][rng_below(r, TRAFFIC_SIDS)] << 32,
                  0);
      else if (rng_1in(r, 4))
        soft_push(b, s, rng_1in(r, 2) ? 0x15 : 0x35 | rng_u64(r) << 32, SOFT_STATUS + 0x1000);
      else
        soft_push(b, s, 2 | (uint64_t)(how + 1) << 4 | (uint64_t)did << 16,
                  (s->page[rng_below(r, s->pages)].iova) | rng_below(r, 40));
      if (rng_1in(r, 4)) soft_kick(b, s);
    }
    soft_sync(b, s);
    bench_write(b, AA_REG_ICS, 4, 1);
  } else if (k < 54) {
    s->what = "limits";
    uint32_t mps = rng_1in(r, 2) ? 5 : rng_below(r, 8), mrrs = rng_1in(r, 2) ? 5 : rng_below(r, 8);
    bench_write(b, AA_REG_AA_CTL, 4,
                (rng_1in(r, 10) ? 0 : AA_AA_CTL_AAE_MASK) | mps << AA_AA_CTL_MPS_LSB | mrrs << AA_AA_CTL_MRRS_LSB);
  } else if (k < 55) {
    s->what = "flush pages";
    if (b->hw.FlushPages) flush_page(b, rng_below(r, b->hw.FlushPages));
  } else if (k < 56 && rng_1in(r, 4)) {
    s->what = "translation off and on";
    soft_command(b, AA_GCMD_TE_MASK, false);
    bench_run(b, rng_range(r, 10, 200));
    soft_command(b, AA_GCMD_TE_MASK, true);
  } else if (k < 56 && rng_1in(r, 3)) {
    s->what = "rest";
    soft_rest(b);
  } else if (k < 57) {
    s->what = "events";
    bench_write(b, AA_REG_FECTL, 4, rng_1in(r, 2) ? AA_FECTL_IM_MASK : 0);
    if (s->hostile) bench_write(b, AA_REG_FEADDR, 4, rng_1in(r, 4) ? SOFT_BAD + 0x3000 : SOFT_MSI + 0x8000);
    bench_write(b, AA_REG_IECTL, 4, rng_1in(r, 2) ? AA_IECTL_IM_MASK : 0);
    bench_read(b, AA_REG_FECTL, 4);
    bench_read(b, AA_REG_IECTL, 4);
    bench_write(b, AA_REG_ICS, 4, 1);
  } else if (s->hostile && k < 59) {
    s->what = "hostile register writes";
    for (unsigned i = 0; i < 4; i++) random_write(b);
  } else if (s->hostile && k < 60 && b->hw.NumLogs) {
    s->what = "hostile consumer";
    random_consumer(b);
  } else if (s->hostile && k < 61) {
    queue_error(b);
  } else if (s->hostile && k < 62) {
    s->what = "device reset";
    if (rng_1in(r, 3)) {  // of one function; now and then another one before it is done, which is ignored
      for (unsigned i = rng_range(r, 1, 2); i; i--)
        bench_write(b, AA_REG_AA_RESET, 8,
                    AA_AA_RESET_GO_MASK | b->traffic->sid[rng_below(r, b->hw.NumPorts)][rng_below(r, TRAFFIC_SIDS)]);
      if (rng_1in(r, 2)) soft_wait_reg(b, AA_REG_AA_RESET, 8, AA_AA_RESET_GO_MASK, 0);
      return;
    }
    aa_reach(b, AT_RESET);
    b->dev_reset = rng_range(r, 1, (1u << b->hw.NumPorts) - 1);
    bench_run(b, rng_range(r, 1, 40));
    b->dev_reset = 0;
  } else if (s->hostile && k < 63) {
    s->what = "time-outs";
    bench_write(b, AA_REG_AA_CPL_TMO, 4, rng_range(r, 500, 8000));
    host_mode_of(b)->lose = rng_1in(r, 2);
  } else if (s->hostile) {
    s->what = "port filter";
    unsigned p = rng_below(r, b->hw.NumPorts);
    uint64_t mask = rng_1in(r, 2) ? 0xFF00 : 0xFFFF;
    bench_write(b, AA_REG_AA_PORT + 8 * p, 8, AA_AA_PORT_EN_MASK | mask << 16 | b->traffic->sid[p][rng_below(r, 3)]);
    bench_run(b, rng_range(r, 10, 500));
    if (mask == 0xFFFF || rng_1in(r, 2)) bench_write(b, AA_REG_AA_PORT + 8 * p, 8, 0);
  }
}
