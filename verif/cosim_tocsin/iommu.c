// SPDX-License-Identifier: Apache-2.0
// Software of a node's IOMMU: tables in which every process of the NIC has its own context and scattered pages, access
// logs, a second device, and what a driver does while all of it runs.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin.h"

enum { REG_TRIES = 1000, OTHER_PAGES = 48, MULT = 40503, TURNED = 30599 };  // MULT * TURNED = 1 modulo 2^16

// ---- where things are
static bool large(uint64_t off) { return off - IOMMU_LARGE_AT < 0x200000; }

// Page i of all processes together: odd ones above 4 GiB, none beside its neighbour.
static uint64_t frame_of(const node *n, unsigned i) {
  uint32_t k = (i * MULT + 977 * n->id) & 0xffff;
  return (k & 1 ? IOMMU_HIGH : IOMMU_LOW) + ((uint64_t)(k >> 1) << 12);
}

uint64_t iommu_where(const node *n, unsigned proc, uint64_t va) {
  uint64_t off = va - sw_va(proc, 0);
  if (large(off)) return IOMMU_LARGE + proc * 0x200000ull + (off - IOMMU_LARGE_AT);
  return frame_of(n, proc * IOMMU_PAGES + (unsigned)(off >> 12 & (IOMMU_PAGES - 1))) + (off & 4095);
}

bool iommu_whose(const node *n, uint64_t pa, unsigned *proc, uint64_t *va) {
  uint64_t low = pa & ~IOMMU_HIGH & ~IOMMU_LOW;
  if (pa - IOMMU_LARGE < 16 * 0x200000ull) {
    *proc = (unsigned)((pa - IOMMU_LARGE) >> 21);
    *va = sw_va(*proc, IOMMU_LARGE_AT + (pa & 0x1fffff));
    return true;
  }
  if (low >> 27 || !(pa & IOMMU_LOW) || pa & IOMMU_LARGE) return false;
  uint32_t k = (uint32_t)(low >> 12) << 1 | (pa >> 32 & 1), i = ((k - 977 * n->id) * TURNED) & 0xffff;
  *proc = i / IOMMU_PAGES;
  *va = sw_va(*proc, (uint64_t)(i % IOMMU_PAGES) << 12 | (pa & 4095));
  return true;
}

// ---- registers
void iommu_write(node *n, uint32_t reg, unsigned size, uint64_t v) {
  bool high = size == 4 && reg & 4;
  node_write_strb(n, NET_IOMMU | (reg & ~7u), high ? v << 32 : v, size == 8 ? 255 : high ? 0xf0 : 0x0f);
}

static uint64_t read_reg(node *n, uint32_t reg) { return node_read(n, NET_IOMMU | reg); }

static void wait_for(node *n, uint32_t reg, uint64_t mask, uint64_t want) {
  for (unsigned i = 0; !n->net->failed && (read_reg(n, reg) & mask) != want; i++)
    if (i == REG_TRIES) net_fail(n->net, "software", "node %u: register %05x never shows %" PRIx64, n->id, reg, want);
}

static void command(node *n, uint32_t bits) {  // those of GCMD and GSTS are at the same places
  uint64_t now = read_reg(n, AA_REG_GCMD) >> 32 & (AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK);
  iommu_write(n, AA_REG_GCMD, 4, now | bits);
  wait_for(n, AA_REG_GCMD, (uint64_t)bits << 32, (uint64_t)bits << 32);
}

// ---- tables
static int tab_read(void *ctx, uint64_t addr, uint64_t *v) {
  *v = mem_read64(((node *)ctx)->mem, addr);
  return 0;
}

static int tab_write(void *ctx, uint64_t addr, uint64_t v) {
  node *n = ctx;
  mem_write64(n->mem, addr, v);
  if (n->ref) mem_write64(n->ref, addr, v);
  return 0;
}

static void must(node *n, aa_table_status s) {
  if (s) net_fail(n->net, "software", "node %u: tables: %s", n->id, aa_table_strstatus(s));
}

static aa_leaf leaf_of(node *n, unsigned proc, uint64_t off) {
  aa_leaf l = {.pa = iommu_where(n, proc, sw_va(proc, off)), .r = true, .w = true};
  if (off < SW_REMOTE || off >= SW_POOL) return l;
  unsigned slot = (unsigned)(off / SW_SLOT % (0x20000 / SW_SLOT));
  slot_kind k = active_kind(slot);
  if (k == SLOT_BLOCKED) l.r = l.w = false;
  if (k == SLOT_PLAIN || k == SLOT_BLOCKED) return l;
  l.e = true;
  l.iuid = (uint16_t)(16 + active_log(n, proc, slot));
  l.w = k != SLOT_REDIRECT;
  l.wl = k == SLOT_META || k == SLOT_REDIRECT;
  l.wld = k == SLOT_LOG || k == SLOT_REDIRECT;
  l.rld = k == SLOT_READS;
  return l;
}

static void map_process(node *n, unsigned p) {
  iommu *u = n->iommu;
  must(n, aa_table_domain(&u->tab, &u->dom[p]));
  must(n, aa_table_set_context(&u->tab, (uint16_t)(NET_RID + p),
                               &(aa_context){.table = u->dom[p], .did = (uint16_t)(p + 1), .aa = true}));
  for (uint64_t off = 0; off < SW_POOL + SW_POOLS * SW_POOL_SIZE; off += 4096) {
    if (large(off)) continue;
    aa_leaf l = leaf_of(n, p, off);
    must(n, aa_table_map(&u->tab, u->dom[p], sw_va(p, off), 1, &l));
  }
  aa_leaf l = leaf_of(n, p, IOMMU_LARGE_AT);
  must(n, aa_table_map(&u->tab, u->dom[p], sw_va(p, IOMMU_LARGE_AT), 2, &l));
}

// The table of contexts, of a process that has nothing else.
static void map_contexts(node *n) {
  iommu *u = n->iommu;
  const unsigned p = SW_CTX_PROC;
  must(n, aa_table_domain(&u->tab, &u->dom[p]));
  must(n, aa_table_set_context(&u->tab, (uint16_t)(NET_RID + p),
                               &(aa_context){.table = u->dom[p], .did = (uint16_t)(p + 1), .aa = true}));
  for (uint64_t at = SW_CONTEXTS; at < SW_CONTEXTS + SW_CTX_SIZE * n->cfg.Contexts; at += 4096) {
    aa_leaf l = {.pa = iommu_where(n, p, sw_va(p, at)), .r = true, .w = true};
    must(n, aa_table_map(&u->tab, u->dom[p], sw_va(p, at), 1, &l));
  }
}

// The second device: pages of every kind, in memory of its own, some logged in a log that drops.
static void map_other(node *n) {
  iommu *u = n->iommu;
  bench *b = u->b;
  rng *r = &b->rng;
  traffic *t = b->traffic = traffic_new();
  must(n, aa_table_domain(&u->tab, &u->other));
  for (unsigned i = 0; i < TRAFFIC_SIDS; i++) {
    t->sid[1][i] = (uint16_t)(OTHER_RID + i);
    must(n, aa_table_set_context(&u->tab, t->sid[1][i],
                                 &(aa_context){.table = u->other, .did = 99, .aa = true, .fpd = i == 2}));
    t->n[1][i] = OTHER_PAGES;
  }
  for (unsigned i = 0; i < OTHER_PAGES; i++) {
    aa_leaf l = {.pa = IOMMU_OTHER + 4096ull * rng_below(r, 256), .r = !rng_1in(r, 8), .w = !rng_1in(r, 8)};
    if (rng_1in(r, 3)) {
      l.wl = rng_1in(r, 2);
      l.wld = rng_1in(r, 2);
      l.rl = rng_1in(r, 2);
      l.rld = rng_1in(r, 2);
      l.e = true;
      l.iuid = (uint16_t)(16 + b->hw.NumLogs - 1);
    }
    t->page[i].iova = 0x40100000 + 0x201000ull * i;
    must(n, aa_table_map(&u->tab, u->other, t->page[i].iova, 1, &l));
  }
  t->pages = OTHER_PAGES;
  t->max_dw = 64;
  t->on = false;
  t->left = ~0ull;
}

static void open_log(node *n, unsigned l, unsigned size, uint64_t bits) {
  iommu *u = n->iommu;
  u->log[l].on = true;
  u->log[l].task = bits & AA_LOG_CFG_TASK_MASK;
  u->log[l].drops = bits & AA_LOG_CFG_DROP_MASK;
  u->log[l].size = size;
  u->log[l].base = IOMMU_RING + ((uint64_t)l << 20);
  iommu_write(n, AA_REG_LOG_BASE + l * AA_REG_LOG_BASE_STRIDE, 8, u->log[l].base);
  iommu_write(n, AA_REG_LOG_PTR + l * AA_REG_LOG_PTR_STRIDE, 8, IOMMU_PTR + 64 * l);
  iommu_write(n, AA_REG_LOG_CFG + l * AA_REG_LOG_CFG_STRIDE, 8,
              AA_LOG_CFG_EN_MASK | AA_LOG_CFG_PTR_MASK | bits | (uint64_t)size << AA_LOG_CFG_SIZE_LSB | (16 + l));
  if (!(read_reg(n, AA_REG_LOG_STS + l * AA_REG_LOG_STS_STRIDE) & AA_LOG_STS_EN_MASK))
    net_fail(n->net, "software", "node %u: log %u is refused", n->id, l);
}

void iommu_on(node *n) {
  static const aa_table_ops ops = {tab_read, tab_write};
  iommu *u = n->iommu;
  board *s = board_of(n->net);
  unsigned logs = u->b->hw.NumLogs, polled = active_log(n, 0, 3);
  u->b->reached = n->net->reached ? n->net->reached + REACH_NUM : NULL;
  must(n, aa_table_init(&u->tab, &ops, n, IOMMU_TABLES, 0x01000000));
  for (unsigned p = 0; p < s->procs; p++) map_process(n, p);
  if (n->cfg.Contexts) map_contexts(n);
  map_other(n);
  iommu_write(n, AA_REG_RTADDR, 8, u->tab.root);
  command(n, AA_GCMD_SRTP_MASK);
  iommu_write(n, AA_REG_CCMD, 8, AA_CCMD_ICC_MASK | 1ull << AA_CCMD_CIRG_LSB);
  wait_for(n, AA_REG_CCMD, AA_CCMD_ICC_MASK, 0);
  iommu_write(n, AA_REG_IOTLB, 8, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB | AA_IOTLB_DR_MASK | AA_IOTLB_DW_MASK);
  wait_for(n, AA_REG_IOTLB, AA_IOTLB_IVT_MASK, 0);
  iommu_write(n, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  for (unsigned l = 0; l < polled && l < s->procs; l++) open_log(n, l, 16, AA_LOG_CFG_TASK_MASK);
  open_log(n, polled, 15, 0);
  open_log(n, logs - 2, 12, AA_LOG_CFG_DROP_MASK);
  open_log(n, logs - 1, 12, AA_LOG_CFG_DROP_MASK);  // of the second device: nobody reads it
  command(n, AA_GCMD_TE_MASK);
  n->active = &iommu_active;
}

// ---- in motion: invalidations of all kinds, registers read, the second device comes and goes
void iommu_cycle(node *n) {
  bench *b = n->iommu->b;
  rng *r = &b->rng;
  if (rng_1in(r, 2000)) n->iommu->burst = rng_1in(r, 3);
  b->traffic->on = n->iommu->burst && rng_1in(r, 16);
  if (!b->dev_reset && rng_1in(r, 5000)) {  // of the other devices: the NIC's port has none
    b->dev_reset = rng_range(r, 1, (1u << (b->hw.NumPorts - 1)) - 1) << 1;
    n->iommu->reset_until = n->net->cycle + rng_range(r, 1, 40);
    aa_reach(b, AT_RESET);
  }
  if (n->w_head != n->w_tail || !rng_1in(r, 3000)) return;
  const unsigned procs = board_of(n->net)->procs,
                 p = n->cfg.Contexts && rng_1in(r, 3) ? SW_CTX_PROC : rng_below(r, procs);
  switch (rng_below(r, 4)) {
    case 0:
      iommu_write(n, AA_REG_CCMD, 8,
                  AA_CCMD_ICC_MASK | (uint64_t)rng_range(r, 1, 3) << AA_CCMD_CIRG_LSB |
                      (uint64_t)(NET_RID + p) << AA_CCMD_SID_LSB | (p + 1));
      break;
    case 1:
    case 2:
      iommu_write(
          n, AA_REG_IVA, 8,
          sw_va(p, (p == SW_CTX_PROC ? SW_CONTEXTS : 0) + ((uint64_t)rng_below(r, 0x8a0) << 12)) | rng_below(r, 4));
      iommu_write(n, AA_REG_IOTLB, 8,
                  AA_IOTLB_IVT_MASK | (uint64_t)rng_range(r, 1, 3) << AA_IOTLB_IIRG_LSB | AA_IOTLB_DR_MASK |
                      AA_IOTLB_DW_MASK | (uint64_t)(p + 1) << AA_IOTLB_DID_LSB);
      break;
    default: read_reg(n, rng_1in(r, 2) ? AA_REG_CNT + 8 * rng_below(r, 32) : 8 * rng_below(r, 0x20000 / 8)); break;
  }
}
