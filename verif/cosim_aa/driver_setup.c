// SPDX-License-Identifier: Apache-2.0
// What random software sets up: pages, contexts, logs, flush pages, timers.
#include <stdlib.h>
#include <string.h>

#include "driver_random.h"

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
    if (b->hw.NumLogs && !rng_1in(r, 12)) l->iuid = b->driver->log[rng_below(r, b->hw.NumLogs)].iuid;
  }
  if (level == 1) l->pa = DRIVER_DATA + ((uint64_t)rng_below(r, 4096) << 12);
  if (level == 2) l->pa = DRIVER_DATA2M + ((uint64_t)rng_below(r, 64) << 21);
  if (level == 3) l->pa = DRIVER_DATA1G + ((uint64_t)rng_below(r, 4) << 30);
  if (level == 1 && rng_1in(r, 50)) l->pa = 0xFEE00000;
  if (level == 1 && b->driver->hostile && rng_1in(r, 100)) l->pa = DRIVER_BAD;
}

void driver_set_page(bench *b, driver_page *p, bool spoil) {
  driver *s = b->driver;
  aa_leaf l;
  random_leaf(b, &l, p->level);
  driver_must(b, aa_table_map(&s->tab, s->dom[p->domain].table, p->iova, p->level, &l), "map");
  if (spoil) {
    uint64_t at;
    static const uint64_t bits[] = {1ULL << 11, 1ULL << 48, 1ULL << 62, 1ULL << 51};
    driver_must(b, aa_table_entry(&s->tab, s->dom[p->domain].table, p->iova, p->level, &at), "entry");
    bench_poke64(b, at, mem_read64(b->mem, at) ^ bits[rng_below(&b->rng, 4)]);
  }
}

// Every timer is set to run out soon, late or never, and whether consumers read, so that some run out
// and some are stopped.
static uint32_t some_time(rng *r, uint32_t least, bool never) {
  switch (rng_below(r, never ? 5 : 4)) {
    case 0: return rng_range(r, least, least + 20);
    case 1:
    case 2: return rng_range(r, least, least + 400);
    case 3: return rng_range(r, least, 4000);
    default: return 0;
  }
}

void driver_set_timers(bench *b) {
  driver *s = b->driver;
  rng *r = &b->rng;
  s->lazy = rng_1in(r, 3);
  bench_write(b, AA_REG_AA_WDOG, 4, some_time(r, 1, !s->lazy));
  bench_write(b, AA_REG_AA_FLUSH_TMO, 4, some_time(r, 1, !s->lazy));
  // not 0: what is lost never ends by itself, and a stray completion may take the place of a right one
  if (s->hostile && rng_1in(r, 4)) bench_write(b, AA_REG_AA_CPL_TMO, 4, some_time(r, 1, false));
}

void driver_open_random(bench *b, unsigned i) {
  rng *r = &b->rng;
  driver *s = b->driver;
  driver_log_cfg c;
  memset(&c, 0, sizeof c);
  c.size = rng_1in(r, 4) ? rng_range(r, 6, 9) : rng_range(r, 10, 16);
  c.base = DRIVER_RING + ((uint64_t)i << 20) + ((uint64_t)rng_below(r, 4) << 16);
  c.iuid = (uint16_t)(rng_1in(r, 4) ? i * 32 + 3 : i);
  c.ptr = DRIVER_PTR + 64 * (uint64_t)i;
  c.msi_addr = DRIVER_MSI + 64 * (uint64_t)i;
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
      case 0:
        c.ptr = DRIVER_BAD + 64 * (uint64_t)i;
        c.cfg_bits |= AA_LOG_CFG_PTR_MASK;
        break;
      case 1:  // sent for whatever is there
        c.msi_addr = DRIVER_BAD + 0x1000 + 64 * (uint64_t)i;
        c.msi_free = 1u << c.size;
        c.cfg_bits |= AA_LOG_CFG_MSI_MASK;
        break;
      default:  // half of them where it is refused at once, if the ring fits there
        c.base = DRIVER_FLAWED + ((uint64_t)i << 20) +
                 ((uint64_t)(rng_1in(r, 2) ? slots - 1 : rng_below(r, slots)) << c.size);
        break;
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
  driver_open(b, s, i, &c);
}

void driver_collect_pages(bench *b) {
  // which requester may use which page is a matter of its domain
  driver *s = b->driver;
  traffic *t = b->traffic;
  t->pages = 0;
  for (unsigned p = 0; p < b->hw.NumPorts; p++)
    for (unsigned i = 0; i < TRAFFIC_SIDS; i++) {
      t->first[p][i] = t->pages;
      for (unsigned k = 0; k < s->pages && t->pages < TRAFFIC_PAGES; k++) {
        const driver_page *g = &s->page[k];
        if (s->ctx[p][i].table != s->dom[g->domain].table && !rng_1in(&b->rng, 50)) continue;
        uint64_t sub = (uint64_t)rng_below(&b->rng, 1u << 9 * (g->level - 1)) << 12;  // anywhere in a large page
        t->page[t->pages].sid = t->sid[p][i];
        t->page[t->pages++].iova = g->iova + sub;
      }
      t->n[p][i] = t->pages - t->first[p][i];
      t->hot[p][i] = 0;
    }
}

void driver_set_context(bench *b, unsigned p, unsigned i, bool change) {
  driver *s = b->driver;
  rng *r = &b->rng;
  aa_context *c = &s->ctx[p][i];
  memset(c, 0, sizeof *c);
  unsigned d = (p + i) % 2 ? rng_below(r, DRIVER_DOMAINS) : i % DRIVER_DOMAINS;
  c->table = s->dom[d].table;
  c->did = s->dom[d].did;
  c->aa = i < 4 || rng_1in(r, 2);
  c->nointr = rng_1in(r, 4);
  c->fpd = rng_1in(r, 6);
  c->pass = i == 4 && rng_1in(r, 2);
  if (i == TRAFFIC_SIDS - 1 && rng_1in(r, 2)) {
    driver_must(b, aa_table_set_context(&s->tab, b->traffic->sid[p][i], NULL), "context");
    c->table = 0;
  } else {
    driver_must(b, aa_table_set_context(&s->tab, b->traffic->sid[p][i], c), "context");
  }
  if (change && s->hostile && rng_1in(r, 8)) {  // a malformed one
    aa_walk_result w;
    aa_table_walk(&s->tab, 0, b->traffic->sid[p][i], 0, false, &w);
    uint64_t at = (mem_read64(b->mem, s->tab.root + 16 * (uint64_t)(b->traffic->sid[p][i] >> 8)) & ~0xFFFULL) +
                  16 * (uint64_t)(b->traffic->sid[p][i] & 0xFF);
    unsigned bit = rng_below(r, 128);
    if (rng_1in(r, 3))  // or its tables cannot be read
      bench_poke64(b, at, (mem_read64(b->mem, at) & 0xFFF) | (DRIVER_BAD + 0x8000));
    else if (bit < 2 || (bit >= 4 && bit < 12) || bit >= 64)
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
void driver_set_flush_page(bench *b, unsigned i) {
  driver *s = b->driver;
  rng *r = &b->rng;
  uint64_t value = 0;
  bool good = false;
  for (unsigned n = 0; n < 200 && !good; n++) {
    const driver_page *p = &s->page[rng_below(r, s->pages)];
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

void driver_init(bench *b, bool hostile) {
  driver *s = calloc(1, sizeof *s);
  if (!s) abort();
  b->traffic = traffic_new();
  b->traffic->on = false;
  driver_tables(b, s, DRIVER_TABLES, DRIVER_QUEUE);
  b->driver = s;
  s->hostile = hostile;
  axi_set_bad(b, DRIVER_BAD, DRIVER_BAD + 0x10000);
  axi_set_flawed(b, DRIVER_FLAWED, DRIVER_FLAWED + ((uint64_t)DRIVER_LOGS << 20));
  for (unsigned i = 0; i < DRIVER_DOMAINS; i++) {
    driver_must(b, aa_table_domain(&s->tab, &s->dom[i].table), "domain");
    s->dom[i].did = (uint16_t)(i * 0x101 + 1);
  }
  for (unsigned i = 0; i < b->hw.NumLogs; i++) s->log[i].iuid = (uint16_t)i;
  // pages: a few tables full of neighbours, some far apart, some large
  for (unsigned k = 0; k < 160; k++) {
    driver_page *p = &s->page[s->pages++];
    p->domain = k % DRIVER_DOMAINS;
    p->level = k % 20 == 18 ? 2 : k % 40 == 39 ? 3 : 1;
    if (p->level == 1)
      p->iova = k < 120 ? 0x40100000 + ((uint64_t)(k / 4) << 12) : 0x7F0000000000 + ((uint64_t)k << 21 | k << 12);
    else if (p->level == 2)
      p->iova = 0x80000000 + ((uint64_t)k << 21);
    else
      p->iova = 0x4000000000 + ((uint64_t)k << 30);
    driver_set_page(b, p, false);
  }
  for (unsigned p = 0; p < b->hw.NumPorts; p++)
    for (unsigned i = 0; i < TRAFFIC_SIDS; i++) driver_set_context(b, p, i, false);
  driver_collect_pages(b);
  bench_write(b, AA_REG_RTADDR, 8, s->tab.root);
  driver_command(b, AA_GCMD_SRTP_MASK, true);
  driver_queue_on(b, s, 0);
  driver_inv_ctx(b, s, true, 0, 0, 0, 0);
  driver_inv_iotlb(b, s, false, 0, 0, 0, 0, false);
  bench_write(b, AA_REG_FEDATA, 4, 0x41);
  bench_write(b, AA_REG_FEADDR, 4, DRIVER_MSI + 0x8000);
  bench_write(b, AA_REG_FECTL, 4, 0);
  bench_write(b, AA_REG_IEDATA, 4, 0x42);
  bench_write(b, AA_REG_IEADDR, 4, DRIVER_MSI + 0x8040);
  bench_write(b, AA_REG_IECTL, 4, 0);
  bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  bench_write(b, AA_REG_AA_FLUSH_TMO, 4, 20000);
  // a stray completion may take the place of a right one, which then never ends
  if (hostile) bench_write(b, AA_REG_AA_CPL_TMO, 4, 8000);
  for (unsigned i = 0; i < b->hw.NumLogs; i++) driver_open_random(b, i);
  for (unsigned i = 0; i < b->hw.FlushPages; i++) driver_set_flush_page(b, i);
  driver_command(b, AA_GCMD_TE_MASK, true);
  b->traffic->on = true;
}
