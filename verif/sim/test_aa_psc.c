// SPDX-License-Identifier: Apache-2.0
// aa_psc against the table that it is: one pointer an index, found again by its DID and all the address bits of its
// level. Each bit of the tag, displacement, invalidation of one DID and of all; then at random, sweeps among fills, of
// few domains and pages that differ in any bit.
// Rules of rtl/aa/README.md: XLT-4, XLT-23.
// config: default -GEntries=8 -GLsb=21
// config: none -GEntries=0 -GLsb=21
// config: one -GEntries=1 -GLsb=30
// config: two -GEntries=2 -GLsb=30
// config: most -GEntries=512 -GLsb=21
// netlist: two
#include "tb.h"
#include "aa_psc_tb.h"

enum { ENTRIES = P_Entries, SLOTS = ENTRIES ? ENTRIES : 1, PAGE = 48 - P_Lsb };  // PAGE: width of iova[47:Lsb]

typedef struct pointer {
  bool valid;
  uint64_t did, page, data;
} pointer;

static pointer ref[SLOTS];
static uint64_t hits, misses;
static uint64_t domains[3], bases[2];  // at random: domains, and what the numbers of pages begin with

static void pins(dut *d, uint64_t idx, uint64_t did, uint64_t page) {
  dut_set_idx_i(d, idx);
  dut_set_did_i(d, did);
  dut_set_iova_i(d, page);
  dut_set_fill_i(d, 0);
  dut_set_inv_i(d, 0);
}

// Looks up; the answer comes in the same cycle.
static bool look(tb *t, dut *d, uint64_t did, uint64_t page) {
  const pointer *p = &ref[page % SLOTS];
  bool want = p->valid && p->did == did && p->page == page;
  pins(d, page % SLOTS, did, page);
  dut_eval(d);
  CHECK_EQ(t, dut_get_hit_o(d), want, "hit, DID %llx page %llx", (unsigned long long)did, (unsigned long long)page);
  if (want) CHECK_EQ(t, dut_get_data_o(d), p->data, "pointer of page %llx", (unsigned long long)page);
  hits += want, misses += !want;
  return dut_get_hit_o(d);
}

// Fills; what was there is seen until the edge.
static void fill(tb *t, dut *d, uint64_t did, uint64_t page) {
  pointer p = {.valid = ENTRIES > 0, .did = did, .page = page, .data = rnd_bits(t, DATA_I_W)};
  look(t, d, did, page);
  dut_set_fill_i(d, 1);
  dut_set_data_i(d, p.data);
  dut_tick(d);
  ref[page % SLOTS] = p;
}

// Invalidates one index; the address says nothing.
static void invalidate(tb *t, dut *d, uint64_t idx, bool all, uint64_t did) {
  pins(d, idx, did, rnd_bits(t, PAGE));
  dut_set_inv_i(d, 1);
  dut_set_inv_all_i(d, all);
  dut_tick(d);
  if (all || ref[idx].did == did) ref[idx].valid = false;
}

static void sweep(tb *t, dut *d, bool all, uint64_t did) {
  for (unsigned i = 0; i < SLOTS; i++) invalidate(t, d, i, all, did);
}

static void look_all(tb *t, dut *d) {
  for (unsigned i = 0; i < SLOTS; i++) look(t, d, ref[i].did, ref[i].page);
}

// One entry alone, asked for by every tag that differs from its own in one bit.
static void each_bit_of_the_tag(tb *t, dut *d) {
  uint64_t did = rnd_bits(t, 16), page = rnd_bits(t, PAGE);
  sweep(t, d, true, 0);
  fill(t, d, did, page);
  for (unsigned b = 0; b < 16; b++) CHECK(t, !look(t, d, did ^ 1ull << b, page), "DID but for bit %u", b);
  for (unsigned b = 0; b < PAGE; b++) CHECK(t, !look(t, d, did, page ^ 1ull << b), "address but for bit %u", P_Lsb + b);
  CHECK_EQ(t, look(t, d, did, page), ENTRIES > 0, "what was filled");
}

static void displaced(tb *t, dut *d) {
  uint64_t page = rnd_bits(t, PAGE), other = page ^ 1ull << (PAGE - 1);  // of the same index
  fill(t, d, 1, page);
  fill(t, d, 1, other);
  CHECK(t, !look(t, d, 1, page), "displaced by another page");
  fill(t, d, 2, other);
  CHECK(t, !look(t, d, 1, other), "displaced by another domain");
  fill(t, d, 2, other);
  look(t, d, 2, other);  // again, with another pointer
}

static void one_domain(tb *t, dut *d) {
  uint64_t stay = rnd_bits(t, 16), go = stay ^ 1ull << rnd_below(t, 16);
  sweep(t, d, true, 0);
  for (unsigned i = 0; i < SLOTS; i++) fill(t, d, i & 1 ? go : stay, rnd_bits(t, PAGE - 10) * SLOTS + i);
  invalidate(t, d, SLOTS / 2, true, 0x7777);  // this index, and no other
  look_all(t, d);
  sweep(t, d, false, go);
  for (unsigned i = 0; i < SLOTS; i++) {
    bool stays = ENTRIES && !(i & 1) && i != SLOTS / 2;
    CHECK_EQ(t, look(t, d, ref[i].did, ref[i].page), stays, "index %u after its domain's invalidation", i);
  }
}

static void draw_names(tb *t) {
  domains[0] = rnd_bits(t, 16), domains[1] = domains[0] ^ 1ull << rnd_below(t, 16), domains[2] = rnd_bits(t, 16);
  bases[0] = rnd_bits(t, PAGE), bases[1] = bases[0] ^ 1ull << rnd_below(t, PAGE);
}

static uint64_t some_page(tb *t) { return bases[rnd_below(t, 2)] ^ rnd_below(t, 2 * SLOTS); }

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_psc", 30000);
  dut *d = dut_begin(&t);
  sweep(&t, d, true, 0);
  for (unsigned i = 0; i < 200; i++) look(&t, d, rnd_bits(&t, 16), rnd_bits(&t, PAGE));
  for (unsigned i = 0; i < 4; i++) {
    each_bit_of_the_tag(&t, d);
    displaced(&t, d);
    one_domain(&t, d);
  }
  draw_names(&t);
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned what = (unsigned)rnd_below(&t, 1000);
    uint64_t did = domains[rnd_below(&t, 3)], page = some_page(&t);
    if (what < 400) fill(&t, d, did, page);
    if (what >= 400 && what < 450) invalidate(&t, d, rnd_below(&t, SLOTS), rnd_chance(&t, 10), did);
    if (what == 999) sweep(&t, d, rnd_chance(&t, 20), did);
    look(&t, d, did, page);
    look(&t, d, domains[rnd_below(&t, 3)], some_page(&t));
    if (what >= 995) draw_names(&t);
    if (what >= 450) dut_tick(d);  // a cycle in which nothing happens
  }
  look_all(&t, d);
  CHECK(&t, misses > t.cycles / 8 && (hits > t.cycles / 8) == (ENTRIES > 0), "%llu hits, %llu misses",
        (unsigned long long)hits, (unsigned long long)misses);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
