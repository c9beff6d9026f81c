// SPDX-License-Identifier: Apache-2.0
// Tables: entries bit by bit against docs/formats.md, walks with every fault, building, replacing,
// running out of memory.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tocsin/table.h"

#define SIZE (1u << 20)

typedef struct memory {
  uint64_t *word;
  uint64_t bad;   // reads and writes of this address fail
  uint64_t left;  // and the access after so many
} memory;

static int mem_read(void *ctx, uint64_t addr, uint64_t *v) {
  memory *m = ctx;
  if (addr >= SIZE || addr % 8 || addr == m->bad || !m->left--) return 1;
  *v = m->word[addr / 8];
  return 0;
}

static int mem_write(void *ctx, uint64_t addr, uint64_t v) {
  memory *m = ctx;
  if (addr >= SIZE || addr % 8 || addr == m->bad || !m->left--) return 1;
  m->word[addr / 8] = v;
  return 0;
}

static const aa_table_ops ops = {mem_read, mem_write};

static unsigned fault_of(const aa_table *t, uint16_t sid, uint64_t iova, bool write) {
  aa_walk_result r;
  aa_table_walk(t, 0, sid, iova, write, &r);
  return r.fault;
}

static void poke(memory *m, uint64_t at, uint64_t v) { m->word[at / 8] = v; }

// Everything that a builder does, with all page sizes. The first status that is not good.
static aa_table_status build(memory *m, FILE *out) {
  static const aa_leaf leaf[4] = {
      {.r = true, .e = true, .rl = true, .rld = true, .pa = 0x3000},
      {.w = true, .wl = true, .pa = 0x200000},
      {.r = true, .w = true, .wld = true, .pa = 0x40000000},
      {.rld = true, .pa = 0x7000},
  };
  aa_table t;
  aa_walk_result r;
  uint64_t dom, at;
  aa_table_status s;
  aa_context c = {.did = 3, .aa = true};
  const aa_context open = {.did = 4, .pass = true, .fpd = true, .nointr = true};
  if ((s = aa_table_init(&t, &ops, m, 0x1000, 0x80000)) || (s = aa_table_domain(&t, &dom))) return s;
  c.table = dom;
  if ((s = aa_table_set_context(&t, 0x0113, &c)) || (s = aa_table_set_context(&t, 0x0200, &open))) return s;
  for (unsigned l = 1; l <= 3; l++)
    if ((s = aa_table_map(&t, dom, 0x4000000000ULL * l, l, &leaf[l - 1]))) return s;
  if ((s = aa_table_map_range(&t, dom, 0x1000, 1, &leaf[3], 2)) || (s = aa_table_entry(&t, dom, 0x1000, 1, &at)))
    return s;
  for (unsigned l = 1; l <= 3; l++)
    if ((s = aa_table_walk(&t, 0, 0x0113, 0x4000000000ULL * l, l > 1, &r))) return s;
  if ((s = aa_table_dump(&t, out)) || (s = aa_table_unmap(&t, dom, 0x1000, 1))) return s;
  return aa_table_set_context(&t, 0x0113, NULL);
}

static void leaves(aa_leaf *put) {
  // golden entries: the two of formats 1.2, and the moved WL of a large page

  CHECK(aa_leaf_pack(put, 1) == 0x9550000012345181ULL);
  aa_leaf count = *put;
  count.w = true;
  count.wld = false;
  CHECK(aa_leaf_pack(&count, 1) == 0x9550000012345083ULL);
  put->pa = 0x12200000;
  CHECK(aa_leaf_pack(put, 2) == 0x9550000012200189ULL);
  for (unsigned level = 1; level <= 3; level++)
    for (unsigned i = 0; i < 128; i++) {
      aa_leaf a = {.pa = 0x0000ABC000000000,
                   .iuid = (uint16_t)(i * 8),
                   .r = i & 1,
                   .w = i & 2,
                   .wl = i & 4,
                   .wld = i & 8,
                   .rl = i & 16,
                   .rld = i & 32,
                   .e = i & 64},
              b;
      aa_leaf_unpack(aa_leaf_pack(&a, level), level, &b);
      CHECK(a.pa == b.pa && a.iuid == b.iuid && a.r == b.r && a.w == b.w && a.wl == b.wl && a.wld == b.wld &&
            a.rl == b.rl && a.rld == b.rld && a.e == b.e);
    }
}

static void sizes(aa_table *t, uint64_t dom, aa_leaf *put) {
  aa_walk_result r;
  // leaves of each size
  put->pa = 0x12345000;
  CHECK(aa_table_map(t, dom, 0x7F0000001000, 1, put) == AA_TABLE_OK);
  CHECK(aa_table_walk(t, 0, 0x0113, 0x7F0000001ABC, true, &r) == AA_TABLE_OK);
  CHECK(!r.fault && r.pa == 0x12345ABC && r.level == 1 && r.leaf.iuid == 0x155 && !r.leaf.w && r.leaf.wl);
  aa_leaf big = {.pa = 0x40000000, .r = true, .w = true};
  CHECK(aa_table_map(t, dom, 0x40000000, 3, &big) == AA_TABLE_OK);
  CHECK(aa_table_map(t, dom, 0x80200000, 2, &big) == AA_TABLE_OK);
  CHECK(aa_table_walk(t, 0, 0x0113, 0x7FFFFFFF, true, &r) == AA_TABLE_OK && r.pa == 0x7FFFFFFF && r.level == 3);
  CHECK(aa_table_walk(t, 0, 0x0113, 0x803FFFFF, true, &r) == AA_TABLE_OK && r.pa == 0x401FFFFF && r.level == 2);
  CHECK(aa_table_map(t, dom, 0x40000000, 1, &big) == AA_TABLE_E_BUSY);
  CHECK(aa_table_map(t, dom, 0x80000000, 3, &big) == AA_TABLE_E_BUSY);
  CHECK(aa_table_unmap(t, dom, 0x80000000, 3) == AA_TABLE_E_BUSY);
  CHECK(aa_table_map(t, dom, 0x80201000, 2, &big) == AA_TABLE_E_ALIGN);
  CHECK(aa_table_map(t, dom, 0x80200000, 4, &big) == AA_TABLE_E_LEVEL);
  CHECK(aa_table_unmap(t, dom, 0x80200000, 2) == AA_TABLE_OK);
  CHECK(aa_table_unmap(t, dom, 0x80200000, 2) == AA_TABLE_E_ABSENT);
  CHECK(aa_table_unmap(t, dom, 0x3F0000000000, 1) == AA_TABLE_E_ABSENT);
}

static void reserved_bits(aa_table *t, uint64_t dom, memory *m) {
  uint64_t at;
  // reserved bits of leaf and upper entries, in both orders with permission
  CHECK(aa_table_entry(t, dom, 0x201000, 1, &at) == AA_TABLE_OK);
  static const uint64_t reserved[] = {1ULL << 11, 1ULL << 48, 1ULL << 51, 1ULL << 62};
  for (unsigned i = 0; i < 4; i++) {
    poke(m, at, 0x5003 | reserved[i]);
    CHECK(fault_of(t, 0x0113, 0x201000, false) == 0xC);
    poke(m, at, 0x5000 | reserved[i]);
    CHECK(fault_of(t, 0x0113, 0x201000, false) == 6);
  }
  CHECK(aa_table_entry(t, dom, 0x200000, 4, &at) == AA_TABLE_OK);
  poke(m, at, m->word[at / 8] | 0x80);
  CHECK(fault_of(t, 0x0113, 0x200000, false) == 0xC);
  poke(m, at, m->word[at / 8] & ~0x80ULL);
  CHECK(aa_table_entry(t, dom, 0x40000000, 3, &at) == AA_TABLE_OK);
  poke(m, at, m->word[at / 8] | 0x1000);
  CHECK(fault_of(t, 0x0113, 0x40000000, false) == 0xC);
}

static void contexts(aa_table *t, uint64_t dom, memory *m) {
  aa_walk_result r;
  // context and root forms
  aa_context c = (aa_context){.did = 9, .pass = true};
  CHECK(aa_table_set_context(t, 0x0301, &c) == AA_TABLE_OK);
  CHECK(aa_table_walk(t, 0, 0x0301, 0xFFFF123456789ABC, true, &r) == AA_TABLE_OK && r.pa == 0xFFFF123456789ABC);
  uint64_t ctx = (m->word[(t->root + 3 * 16) / 8] & ~0xFFFULL) + 16;
  static const struct {
    uint64_t lo, hi;
    unsigned fault;
  } form[] = {{0x5001 | 0x10, 2, 0xB},  {0x5001, 2 | 0x80, 0xB}, {0x5001, 2 | 1ULL << 24, 0xB},
              {1ULL << 48 | 1, 2, 0xB}, {0x5001, 1, 3},          {0x5005, 2, 3},
              {0x500D, 2, 3},           {0x5001, 0x62, 6}};
  for (unsigned i = 0; i < sizeof form / sizeof form[0]; i++) {
    poke(m, ctx, form[i].lo);
    poke(m, ctx + 8, form[i].hi);
    CHECK(fault_of(t, 0x0301, 0x1000, false) == form[i].fault);
  }
  poke(m, t->root + 48, m->word[(t->root + 48) / 8] | 2);
  CHECK(fault_of(t, 0x0301, 0x1000, false) == 0xA);
  m->bad = t->root + 48;
  CHECK(aa_table_walk(t, 0, 0x0301, 0, false, &r) == AA_TABLE_E_MEMORY && r.fault == 8);
  CHECK(aa_table_set_context(t, 0x0301, &c) == AA_TABLE_E_MEMORY);
  m->bad = (m->word[(t->root + 16) / 8] & ~0xFFFULL) + 0x13 * 16;
  CHECK(aa_table_walk(t, 0, 0x0113, 0, false, &r) == AA_TABLE_E_MEMORY && r.fault == 9);
  CHECK(aa_table_entry(t, dom, 0x201000, 1, &m->bad) == AA_TABLE_OK);
  CHECK(aa_table_walk(t, 0, 0x0113, 0x201000, false, &r) == AA_TABLE_E_MEMORY && r.fault == 7);
  m->bad = ~0ULL;
}

static void failing(const aa_table *t) {
  // each access of a whole life fails in turn, and none of the failures is lost
  memory k = {calloc(SIZE / 8, 8), ~0ULL, ~0ULL};
  FILE *null = fopen("/dev/null", "w");
  if (!k.word || !null) exit(1);
  CHECK(build(&k, null) == AA_TABLE_OK);
  const uint64_t accesses = ~0ULL - k.left;
  unsigned lost = 0;
  for (uint64_t n = 0; n < accesses; n += n < 6000 ? 1 : 37) {  // most are the reads of aa_table_dump
    k.left = n;
    memset(k.word, 0, SIZE);
    lost += build(&k, null) != AA_TABLE_E_MEMORY;
  }
  CHECK(accesses > 6000 && lost == 0);
  CHECK(aa_table_dump(t, null) == AA_TABLE_OK);
  fclose(null);
  free(k.word);
}

static void refused(aa_table *t, memory *m, const aa_leaf *put) {
  uint64_t dom, at;
  CHECK(aa_table_init(t, &ops, m, 0x1000, 0x80004) == AA_TABLE_E_ALIGN);
  CHECK(aa_table_init(t, &ops, m, 0x1000, (1ULL << 48) + 4096) == AA_TABLE_E_ALIGN);
  CHECK(aa_table_init(t, &ops, m, 0x1000, 0x80000) == AA_TABLE_OK && aa_table_domain(t, &dom) == AA_TABLE_OK);
  const aa_context c = {.table = dom | 8, .did = 9, .pass = true};
  CHECK(aa_table_set_context(t, 0x0301, &c) == AA_TABLE_E_ALIGN);
  CHECK(aa_table_entry(t, dom, 0, 0, &at) == AA_TABLE_E_LEVEL && aa_table_entry(t, dom, 0, 5, &at) == AA_TABLE_E_LEVEL);
  aa_leaf odd = {.r = true, .iuid = 0x400};
  CHECK(aa_table_map(t, dom, 0, 1, &odd) == AA_TABLE_E_LEVEL && aa_table_map(t, dom, 0, 0, put) == AA_TABLE_E_LEVEL);
  CHECK(aa_table_map(t, dom, 1ULL << 48, 1, put) == AA_TABLE_E_ALIGN);
  CHECK(aa_table_map_range(t, dom, (1ULL << 48) - 4096, 1, put, 2) == AA_TABLE_E_ALIGN);
  t->limit = t->next;
  CHECK(aa_table_domain(t, &dom) == AA_TABLE_E_FULL);
  for (int s = AA_TABLE_OK; s <= AA_TABLE_E_ABSENT + 1; s++) CHECK(*aa_table_strstatus((aa_table_status)s));
}

// ---- every leaf, where it is ----------------------------------------------------------------------------------------

typedef struct seen {
  aa_table_item item[16];
  unsigned n;
} seen;

static void see(void *ctx, const aa_table_item *item) {
  seen *s = ctx;
  if (s->n < 16) s->item[s->n] = *item;
  s->n++;
}

// Ranges of pages of each size: each page at its own address, and aa_table_each finds them there.
static void ranges(void) {
  memory m = {calloc(SIZE / 8, 8), ~0ULL, ~0ULL};
  aa_table t;
  uint64_t dom;
  seen s = {.n = 0};
  if (!m.word) exit(1);
  CHECK(aa_table_init(&t, &ops, &m, 0x1000, 0x80000) == AA_TABLE_OK && aa_table_domain(&t, &dom) == AA_TABLE_OK);
  const aa_context c = {.table = dom, .did = 3};
  CHECK(aa_table_set_context(&t, 0x0113, &c) == AA_TABLE_OK);
  for (unsigned level = 1; level <= 3; level++) {
    const aa_leaf leaf = {.r = true, .pa = 0x8000000000};
    CHECK(aa_table_map_range(&t, dom, 0x123400000000ULL + level * 0x10000000000ULL, level, &leaf, 3) == AA_TABLE_OK);
  }
  CHECK(aa_table_each(&t, see, &s) == AA_TABLE_OK && s.n == 1 + 3 * 3);
  CHECK(s.item[0].level == 0 && s.item[0].sid == 0x0113 && s.item[0].context.table == dom);
  for (unsigned i = 0; i < 9; i++) {
    const unsigned level = 1 + i / 3;
    const uint64_t off = (uint64_t)(i % 3) << (12 + 9 * (level - 1));
    const aa_table_item *k = &s.item[1 + i];
    aa_walk_result r;
    CHECK(k->level == level && k->sid == 0x0113);
    CHECK(k->iova == 0x123400000000ULL + level * 0x10000000000ULL + off);
    CHECK(k->leaf.pa == 0x8000000000 + off && k->leaf.r && !k->leaf.w);
    CHECK(m.word[k->entry / 8] == k->value);
    CHECK(aa_table_walk(&t, 0, 0x0113, k->iova + 0x123, false, &r) == AA_TABLE_OK && !r.fault &&
          r.pa == 0x8000000000 + off + 0x123 && r.entry == k->entry);
  }
  free(m.word);
}

int main(void) {
  memory m = {calloc(SIZE / 8, 8), ~0ULL, ~0ULL};
  aa_table t;
  aa_walk_result r;
  uint64_t dom;
  if (!m.word) return 1;

  aa_leaf put = {.pa = 0x12345000, .iuid = 0x155, .r = true, .wl = true, .wld = true, .e = true};
  leaves(&put);

  CHECK(aa_table_init(&t, &ops, &m, 0x1004, 0x80000) == AA_TABLE_E_ALIGN);
  CHECK(aa_table_init(&t, &ops, &m, 0x1000, 0x80000) == AA_TABLE_OK && t.root == 0x1000);
  CHECK(fault_of(&t, 0x0113, 0, false) == 1);
  CHECK(aa_table_set_context(&t, 0x0113, NULL) == AA_TABLE_OK);
  CHECK(aa_table_domain(&t, &dom) == AA_TABLE_OK);
  aa_context c = {.table = dom, .did = 0x1234, .aa = true, .nointr = true, .fpd = true};
  CHECK(aa_table_set_context(&t, 0x0113, &c) == AA_TABLE_OK);
  CHECK(fault_of(&t, 0x0114, 0, false) == 2);
  CHECK(fault_of(&t, 0x0113, 0, false) == 6 && fault_of(&t, 0x0113, 0, true) == 5);
  CHECK(fault_of(&t, 0x0113, 1ULL << 48, true) == 4);
  aa_table_walk(&t, 0, 0x0113, 0, false, &r);
  CHECK(r.context.did == 0x1234 && r.context.aa && r.context.nointr && r.context.fpd && r.context.table == dom);
  CHECK(m.word[r.entry / 8] == 0 && r.level == 0);

  sizes(&t, dom, &put);

  // denied but live by its Active Access bits, only where the device opted in
  aa_leaf dark = {.pa = 0x5000, .iuid = 7, .wl = true, .wld = true, .e = true};
  CHECK(aa_table_map_range(&t, dom, 0x200000, 1, &dark, 3) == AA_TABLE_OK);
  CHECK(aa_table_walk(&t, 0, 0x0113, 0x202008, true, &r) == AA_TABLE_OK && !r.fault && r.pa == 0x7008);
  c.aa = false;
  CHECK(aa_table_set_context(&t, 0x0200, &c) == AA_TABLE_OK);
  CHECK(fault_of(&t, 0x0200, 0x202008, true) == 5);

  reserved_bits(&t, dom, &m);

  contexts(&t, dom, &m);

  failing(&t);
  ranges();
  refused(&t, &m, &put);
  free(m.word);
  return report();
}
