// SPDX-License-Identifier: Apache-2.0
#include "tocsin/table.h"

#include <inttypes.h>
#include <string.h>

#define PAGE 4096ULL
#define FRAME 0x0000FFFFFFFFF000ULL
#define BIT(n) (1ULL << (n))

const char *aa_table_strstatus(aa_table_status s) {
  switch (s) {
    case AA_TABLE_OK: return "ok";
    case AA_TABLE_E_MEMORY: return "memory access failed";
    case AA_TABLE_E_FULL: return "no table page left";
    case AA_TABLE_E_ALIGN: return "address not aligned or beyond 48 bits";
    case AA_TABLE_E_LEVEL: return "no such level, or IUID above 1023";
    case AA_TABLE_E_BUSY: return "something else is mapped there";
    case AA_TABLE_E_ABSENT: return "nothing is mapped there";
  }
  return "unknown status";
}

static aa_table_status rd(const aa_table *t, uint64_t addr, uint64_t *v) {
  return t->ops->read(t->ctx, addr, v) ? AA_TABLE_E_MEMORY : AA_TABLE_OK;
}

static aa_table_status wr(const aa_table *t, uint64_t addr, uint64_t v) {
  return t->ops->write(t->ctx, addr, v) ? AA_TABLE_E_MEMORY : AA_TABLE_OK;
}

static aa_table_status page_new(aa_table *t, uint64_t *page) {
  if (t->next + PAGE > t->limit) return AA_TABLE_E_FULL;
  *page = t->next;
  for (uint64_t a = *page; a < *page + PAGE; a += 8) {
    aa_table_status s = wr(t, a, 0);
    if (s) return s;
  }
  t->next += PAGE;
  return AA_TABLE_OK;
}

aa_table_status aa_table_init(aa_table *t, const aa_table_ops *ops, void *ctx, uint64_t base, uint64_t limit) {
  memset(t, 0, sizeof *t);
  t->ops = ops;
  t->ctx = ctx;
  t->next = base;
  t->limit = limit;
  if (base % PAGE || limit % PAGE || limit > BIT(48)) return AA_TABLE_E_ALIGN;
  return page_new(t, &t->root);
}

aa_table_status aa_table_domain(aa_table *t, uint64_t *table) { return page_new(t, table); }

aa_table_status aa_table_set_context(aa_table *t, uint16_t sid, const aa_context *c) {
  uint64_t root = t->root + (uint64_t)(sid >> 8) * 16, entry, page, lo = 0, hi = 0;
  if (c && (c->table & ~FRAME)) return AA_TABLE_E_ALIGN;
  aa_table_status s = rd(t, root, &entry);
  if (s) return s;
  if (!(entry & 1)) {
    if (!c) return AA_TABLE_OK;
    if ((s = page_new(t, &page)) || (s = wr(t, root, page | 1))) return s;
    entry = page;
  }
  page = (entry & FRAME) + (uint64_t)(sid & 0xFF) * 16;
  if (c) {
    lo = 1 | (uint64_t)c->fpd << 1 | (c->pass ? BIT(3) : c->table);
    hi = 2 | (uint64_t)c->aa << 3 | (uint64_t)c->nointr << 4 | (uint64_t)c->did << 8;
  }
  // not present while it is half written
  if ((s = wr(t, page, 0)) || (s = wr(t, page + 8, hi))) return s;
  return wr(t, page, lo);
}

uint64_t aa_leaf_pack(const aa_leaf *l, unsigned level) {
  return (uint64_t)l->r | (uint64_t)l->w << 1 | (uint64_t)l->wl << (level == 1 ? 7 : 3) | (level == 1 ? 0 : BIT(7)) |
         (uint64_t)l->wld << 8 | (uint64_t)l->rl << 9 | (uint64_t)l->rld << 10 | (l->pa & FRAME) |
         (uint64_t)(l->iuid & 0x3FF) << 52 | (uint64_t)l->e << 63;
}

void aa_leaf_unpack(uint64_t v, unsigned level, aa_leaf *l) {
  memset(l, 0, sizeof *l);
  l->r = v & 1;
  l->w = v >> 1 & 1;
  l->wl = v >> (level == 1 ? 7 : 3) & 1;
  l->wld = v >> 8 & 1;
  l->rl = v >> 9 & 1;
  l->rld = v >> 10 & 1;
  l->iuid = (uint16_t)(v >> 52 & 0x3FF);
  l->e = v >> 63;
  l->pa = v & FRAME & ~(BIT(12 + 9 * (level - 1)) - 1);
}

static uint64_t slot(uint64_t table, uint64_t iova, unsigned level) {
  return table + (iova >> (12 + 9 * (level - 1)) & 0x1FF) * 8;
}

// The entry of iova at a level; makes the tables on the way if make.
static aa_table_status reach(aa_table *t, uint64_t table, uint64_t iova, unsigned level, bool make, uint64_t *addr) {
  uint64_t v;
  for (unsigned l = 4; l > level; l--) {
    uint64_t at = slot(table, iova, l);
    aa_table_status s = rd(t, at, &v);
    if (s) return s;
    if (!(v & 3)) {
      // an entry that is live only by its Active Access bits is a leaf as well
      if (l < 4 && v & BIT(7)) return AA_TABLE_E_BUSY;
      if (!make) return AA_TABLE_E_ABSENT;
      if ((s = page_new(t, &v)) || (s = wr(t, at, v | 3))) return s;
    } else if (l < 4 && v & BIT(7)) {
      return AA_TABLE_E_BUSY;
    }
    table = v & FRAME;
  }
  *addr = slot(table, iova, level);
  return AA_TABLE_OK;
}

aa_table_status aa_table_entry(const aa_table *t, uint64_t table, uint64_t iova, unsigned level, uint64_t *addr) {
  if (level < 1 || level > 4) return AA_TABLE_E_LEVEL;
  aa_table copy = *t;  // never makes a page
  return reach(&copy, table, iova, level, false, addr);
}

static aa_table_status check(uint64_t iova, unsigned level, uint64_t pa, unsigned iuid) {
  if (level < 1 || level > 3 || iuid > 0x3FF) return AA_TABLE_E_LEVEL;
  uint64_t low = BIT(12 + 9 * (level - 1)) - 1;
  return (iova | pa) & low || (iova | pa) >> 48 ? AA_TABLE_E_ALIGN : AA_TABLE_OK;
}

aa_table_status aa_table_map(aa_table *t, uint64_t table, uint64_t iova, unsigned level, const aa_leaf *leaf) {
  uint64_t at, old;
  aa_table_status s = check(iova, level, leaf->pa, leaf->iuid);
  if (s || (s = reach(t, table, iova, level, true, &at)) || (s = rd(t, at, &old))) return s;
  if (level > 1 && old & 3 && !(old & BIT(7))) return AA_TABLE_E_BUSY;
  return wr(t, at, aa_leaf_pack(leaf, level));
}

aa_table_status aa_table_map_range(aa_table *t, uint64_t table, uint64_t iova, unsigned level, const aa_leaf *leaf,
                                   uint64_t n) {
  aa_leaf l = *leaf;
  aa_table_status s = check(iova, level, l.pa, l.iuid);
  for (uint64_t i = 0; i < n && !s; i++) {
    s = aa_table_map(t, table, iova, level, &l);
    iova += BIT(12 + 9 * (level - 1));
    l.pa += BIT(12 + 9 * (level - 1));
  }
  return s;
}

aa_table_status aa_table_unmap(aa_table *t, uint64_t table, uint64_t iova, unsigned level) {
  uint64_t at, old;
  aa_table_status s = check(iova, level, 0, 0);
  if (s || (s = reach(t, table, iova, level, false, &at)) || (s = rd(t, at, &old))) return s;
  if (!old) return AA_TABLE_E_ABSENT;
  if (level > 1 && !(old & BIT(7))) return AA_TABLE_E_BUSY;
  return wr(t, at, 0);
}

static aa_table_status fault(aa_walk_result *out, unsigned code, bool memory) {
  out->fault = (uint8_t)code;
  return memory ? AA_TABLE_E_MEMORY : AA_TABLE_OK;
}

aa_table_status aa_table_walk(const aa_table *t, uint64_t root, uint16_t sid, uint64_t iova, bool write,
                              aa_walk_result *out) {
  uint64_t lo, hi, v;
  memset(out, 0, sizeof *out);
  out->entry = (root ? root : t->root) + (uint64_t)(sid >> 8) * 16;
  if (rd(t, out->entry, &lo) || rd(t, out->entry + 8, &hi)) return fault(out, 8, true);
  out->value = lo;
  if (!(lo & 1)) return fault(out, 1, false);
  if (lo & 0xFFE || lo >> 48 || hi) return fault(out, 0xA, false);
  out->entry = (lo & FRAME) + (uint64_t)(sid & 0xFF) * 16;
  if (rd(t, out->entry, &lo) || rd(t, out->entry + 8, &hi)) return fault(out, 9, true);
  out->value = lo;
  if (!(lo & 1)) return fault(out, 2, false);
  if (lo & 0xFF0 || lo >> 48 || hi & 0xFFFFFFFFFF000080ULL) return fault(out, 0xB, false);
  out->context.fpd = lo >> 1 & 1;
  out->context.pass = (lo >> 2 & 3) == 2;
  out->context.table = lo & FRAME;
  out->context.aa = hi >> 3 & 1;
  out->context.nointr = hi >> 4 & 1;
  out->context.did = (uint16_t)(hi >> 8);
  if (((lo >> 2 & 3) != 0 && !out->context.pass) || (hi & 7) != 2) return fault(out, 3, false);
  out->pa = iova;
  if (out->context.pass) return AA_TABLE_OK;
  if (iova >> 48) return fault(out, 4, false);
  bool r = true, w = true;
  uint64_t table = out->context.table;
  for (unsigned l = 4; l; l--) {
    out->entry = slot(table, iova, l);
    if (rd(t, out->entry, &v)) return fault(out, 7, true);
    out->value = v;
    bool leaf = l == 1 || (l < 4 && v & BIT(7));
    aa_leaf_unpack(v, l, &out->leaf);
    bool live = v & 3 || (leaf && out->context.aa &&
                          (out->leaf.e || out->leaf.wl || out->leaf.wld || out->leaf.rl || out->leaf.rld));
    if (!live) return fault(out, write ? 5 : 6, false);
    uint64_t reserved = BIT(11) | 0xFULL << 48 | BIT(62) | (l == 4 ? BIT(7) : 0);
    if (leaf && l > 1) reserved |= BIT(12 + 9 * (l - 1)) - BIT(12);
    if (v & reserved) return fault(out, 0xC, false);
    r = r && v & 1;
    w = w && v & 2;
    if (leaf) {
      out->level = (uint8_t)l;
      out->leaf.r = r;
      out->leaf.w = w;
      out->pa = out->leaf.pa | (iova & (BIT(12 + 9 * (l - 1)) - 1));
      return AA_TABLE_OK;
    }
    table = v & FRAME;
  }
  return AA_TABLE_OK;  // level 1 is always a leaf
}

typedef struct visit {
  const aa_table *t;
  aa_table_visit *fn;
  void *ctx;
  aa_table_item item;
} visit;

static aa_table_status visit_level(visit *v, uint64_t table, uint64_t iova, unsigned level) {
  for (uint64_t i = 0; i < 512; i++) {
    uint64_t e, at = iova | i << (12 + 9 * (level - 1));
    aa_table_status s = rd(v->t, table + i * 8, &e);
    if (s) return s;
    if (!e) continue;
    if (level == 1 || (level < 4 && e & BIT(7))) {
      v->item.level = (uint8_t)level;
      v->item.iova = at;
      v->item.entry = table + i * 8;
      v->item.value = e;
      aa_leaf_unpack(e, level, &v->item.leaf);
      v->fn(v->ctx, &v->item);
    } else if ((s = visit_level(v, e & FRAME, at, level - 1))) {
      return s;
    }
  }
  return AA_TABLE_OK;
}

aa_table_status aa_table_each(const aa_table *t, aa_table_visit *fn, void *ctx) {
  visit v = {.t = t, .fn = fn, .ctx = ctx};
  for (unsigned bus = 0; bus < 256; bus++) {
    uint64_t root, lo, hi;
    aa_table_status s = rd(t, t->root + bus * 16, &root);
    if (s) return s;
    for (unsigned fn8 = 0; root & 1 && fn8 < 256; fn8++) {
      uint64_t at = (root & FRAME) + fn8 * 16;
      if ((s = rd(t, at, &lo)) || (s = rd(t, at + 8, &hi))) return s;
      if (!(lo & 1)) continue;
      v.item = (aa_table_item){.sid = (uint16_t)(bus << 8 | fn8),
                               .entry = at,
                               .value = lo,
                               .context = {.table = lo & FRAME,
                                           .did = (uint16_t)(hi >> 8),
                                           .pass = (lo >> 2 & 3) == 2,
                                           .aa = hi >> 3 & 1,
                                           .nointr = hi >> 4 & 1,
                                           .fpd = lo >> 1 & 1}};
      fn(ctx, &v.item);
      if (!v.item.context.pass && (s = visit_level(&v, lo & FRAME, 0, 4))) return s;
    }
  }
  return AA_TABLE_OK;
}

static void dump_item(void *ctx, const aa_table_item *i) {
  static const char *const size[] = {"", "4K", "2M", "1G"};
  FILE *out = ctx;
  const aa_context *c = &i->context;
  const aa_leaf *f = &i->leaf;
  if (!i->level)
    fprintf(out, "%02x:%02x.%x domain %u%s%s%s%s\n", i->sid >> 8, i->sid >> 3 & 31, i->sid & 7, c->did,
            c->pass ? " pass-through" : "", c->aa ? " active" : "", c->nointr ? " no-interrupts" : "",
            c->fpd ? " fpd" : "");
  else
    fprintf(out, "  %012" PRIx64 " %s -> %012" PRIx64 " %c%c %s%s%s%s%s iuid %u\n", i->iova, size[i->level], f->pa,
            f->r ? 'R' : '-', f->w ? 'W' : '-', f->e ? "E " : "", f->wl ? "WL " : "", f->wld ? "WLD " : "",
            f->rl ? "RL " : "", f->rld ? "RLD " : "", f->iuid);
}

aa_table_status aa_table_dump(const aa_table *t, FILE *out) { return aa_table_each(t, dump_item, out); }
