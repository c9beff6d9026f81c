// SPDX-License-Identifier: Apache-2.0
// aa_iotlb against a TLB of a page of C: ways that know when they were used, or the LFSR of README.md; whole sweeps,
// and overlap of pages by comparing first and last. First one scenario after the other, then everything at random, back
// to back.
// Rules of rtl/aa/README.md: XLT-2, XLT-3, XLT-5, XLT-8, XLT-23.
// config: one -GEntries=1 -GWays=1 -GRandom=0 -GLsb=12 -GDataW=53
// config: direct -GEntries=16 -GWays=1 -GRandom=0 -GLsb=12 -GDataW=8
// config: three -GEntries=12 -GWays=3 -GRandom=0 -GLsb=12 -GDataW=53
// config: full -GEntries=8 -GWays=8 -GRandom=0 -GLsb=12 -GDataW=53
// config: random -GEntries=32 -GWays=4 -GRandom=1 -GLsb=12 -GDataW=53
// config: random_full -GEntries=8 -GWays=8 -GRandom=1 -GLsb=12 -GDataW=53
// config: super -GEntries=4 -GWays=4 -GRandom=0 -GLsb=21 -GDataW=44
// config: super_one -GEntries=1 -GWays=1 -GRandom=0 -GLsb=21 -GDataW=44
// config: super_odd -GEntries=5 -GWays=5 -GRandom=0 -GLsb=21 -GDataW=44
// netlist: default
#include <string.h>

#include "tb.h"
#include "aa_iotlb_tb.h"

enum { WAYS = P_Ways, SETS = P_Entries / P_Ways, SUPER = P_Lsb == 21, RANDOM = P_Random };

typedef struct leaf {
  bool valid, giant;
  uint64_t did, page, data;  // page: of 4K, the leaf's first
  uint64_t used;             // when last; the larger the later
} leaf;

typedef enum scope { ALL, DOMAIN, PAGES } scope;

static leaf ref[SETS][WAYS];
static uint64_t now, hits, misses, twice, evicted, again, gone;
static unsigned lfsr;

// ---- the reference ----

static uint64_t pages(bool giant) { return !SUPER ? 1 : giant ? 1u << 18 : 1u << 9; }

static bool covers(const leaf *l, uint64_t did, uint64_t page) {
  return l->valid && l->did == did && page >= l->page && page < l->page + pages(l->giant);
}

static leaf *find(uint64_t did, uint64_t page) {
  leaf *found = NULL;
  for (unsigned w = WAYS; w-- > 0;)
    if (covers(&ref[page % SETS][w], did, page)) {
      twice += found != NULL;
      found = &ref[page % SETS][w];
    }
  return found;
}

static leaf *victim(uint64_t did, uint64_t page, bool giant) {
  leaf *set = ref[page % SETS], *old = &set[0];
  for (unsigned w = 0; w < WAYS; w++)
    if (covers(&set[w], did, page) && set[w].giant == giant) return again++, &set[w];
  for (unsigned w = 0; w < WAYS; w++)
    if (!set[w].valid) return &set[w];
  evicted++;
  for (unsigned w = 1; w < WAYS; w++)
    if (set[w].used < old->used) old = &set[w];
  return RANDOM ? &set[lfsr % WAYS] : old;
}

// ---- the hardware beside it ----

static void pins(dut *d, uint64_t set, uint64_t did, uint64_t page) {
  dut_set_idx_i(d, set);
  dut_set_did_i(d, did);
  dut_set_iova_i(d, page);
  dut_set_mask_i(d, 0);
  dut_set_touch_i(d, 0);
  dut_set_fill_i(d, 0);
  dut_set_init_i(d, 0);
  dut_set_inv_i(d, 0);
}

static leaf *look(tb *t, dut *d, uint64_t did, uint64_t page) {
  leaf *l = find(did, page);
  pins(d, page % SETS, did, page);
  dut_eval(d);
  CHECK_EQ(t, dut_get_hit_o(d), l != NULL, "hit, DID %llx page %llx", (unsigned long long)did,
           (unsigned long long)page);
  if (l) {
    CHECK_EQ(t, dut_get_data_o(d), l->data, "data of page %llx", (unsigned long long)page);
    CHECK_EQ(t, dut_get_giant_o(d), l->giant, "1G leaf, page %llx", (unsigned long long)page);
  }
  hits += l != NULL, misses += l == NULL;
  return l;
}

static void touch(tb *t, dut *d, uint64_t did, uint64_t page) {
  leaf *l = look(t, d, did, page);
  dut_set_touch_i(d, l != NULL);
  dut_tick(d);
  if (l) l->used = ++now;
}

// What was there is seen until the edge. A 4K leaf is not giant, whatever the pin says.
static void fill(tb *t, dut *d, uint64_t did, uint64_t page, bool giant_pin) {
  bool giant = SUPER && giant_pin;
  look(t, d, did, page);
  leaf *l = victim(did, page, giant);
  uint64_t first = page - page % pages(giant), data = rnd_bits(t, DATA_I_W);
  *l = (leaf){.valid = true, .giant = giant, .did = did, .page = first, .data = data, .used = ++now};
  lfsr = lfsr >> 1 | ((lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1) << 15;
  dut_set_fill_i(d, 1);
  dut_set_giant_i(d, giant_pin);
  dut_set_data_i(d, data);
  dut_tick(d);
}

// Invalidates the 2^am pages around one.
static void invalidate(tb *t, dut *d, scope s, uint64_t did, uint64_t page, unsigned am) {
  uint64_t n = 1ull << am, first = page - page % n;
  for (unsigned set = 0; set < SETS; set++) {
    pins(d, set, did, page);
    dut_set_inv_i(d, 1);
    dut_set_inv_all_i(d, s == ALL);
    dut_set_inv_dom_i(d, s == DOMAIN);
    dut_set_mask_i(d, n - 1);
    dut_tick(d);
    for (unsigned w = 0; w < WAYS; w++) {
      leaf *l = &ref[set][w];
      bool overlap = l->page < first + n && first < l->page + pages(l->giant);
      bool takes = l->valid && (s == ALL || (l->did == did && (s == DOMAIN || overlap)));
      gone += takes;
      if (takes) l->valid = false;
    }
  }
  pins(d, 0, 0, rnd_bits(t, 36));
}

static void start(tb *t, dut *d) {
  pins(d, 0, 0, 0);
  dut_reset(d, 2);
  for (unsigned set = 0; set < SETS; set++) {
    pins(d, set, rnd_bits(t, 16), rnd_bits(t, 36));
    dut_set_init_i(d, 1);
    dut_set_inv_i(d, rnd_chance(t, 50));
    dut_tick(d);
  }
  leaf before[SETS][WAYS];
  memcpy(before, ref, sizeof ref);
  memset(ref, 0, sizeof ref);
  for (unsigned set = 0; set < SETS; set++)
    for (unsigned w = 0; w < WAYS; w++) look(t, d, before[set][w].did, before[set][w].page);  // all is gone
  now = WAYS, lfsr = 0xace1;
  for (unsigned set = 0; set < SETS; set++)
    for (unsigned w = 0; w < WAYS; w++) ref[set][w].used = WAYS - w;  // the age of a way is its number
}

static void look_all(tb *t, dut *d) {
  for (unsigned set = 0; set < SETS; set++)
    for (unsigned w = 0; w < WAYS; w++) look(t, d, ref[set][w].did, ref[set][w].page);
}

// ---- scenarios ----

// Page number n of those that share a set.
static uint64_t mate(uint64_t n) { return SUPER ? n << 9 : n * SETS; }

// Takes the lowest ways of a page's set, for another domain.
static void take_ways(tb *t, dut *d, uint64_t did, uint64_t page, unsigned ways) {
  for (unsigned w = 0; w < ways; w++) fill(t, d, did, page ^ mate(1 + w), rnd_chance(t, 50));
}

static void each_bit_of_the_tag(tb *t, dut *d, bool giant, unsigned way) {
  start(t, d);
  uint64_t did = rnd_bits(t, 16), page = rnd_bits(t, 36);
  take_ways(t, d, did ^ 0xffff, page, way);
  fill(t, d, did, page, giant);
  for (unsigned b = 0; b < 16; b++) CHECK(t, !look(t, d, did ^ 1ull << b, page), "DID but for bit %u", b);
  for (unsigned b = 0; b < 36; b++) {
    bool inside = 1ull << b < pages(giant);
    CHECK_EQ(t, look(t, d, did, page ^ 1ull << b) != NULL, inside, "address but for bit %u", 12 + b);
  }
}

// Empty ways are taken from the lowest, and invalidation makes new ones; a full set loses its oldest,
// or what the LFSR says.
static void who_goes(tb *t, dut *d) {
  static const unsigned states[] = {0xace1, 0x5670, 0xab38, 0x559c, 0x2ace, 0x1567, 0x8ab3, 0x4559, 0x22ac};
  start(t, d);
  for (unsigned w = 0; w < WAYS; w++) fill(t, d, 1, mate(w), false);
  for (unsigned w = 0; w < WAYS; w++) CHECK(t, ref[0][w].page == mate(w) && look(t, d, 1, mate(w)), "way %u", w);
  fill(t, d, 1, mate(WAYS), false);
  uint64_t first = mate(RANDOM ? states[WAYS] % WAYS : 0);
  CHECK(t, !look(t, d, 1, first) && look(t, d, 1, mate(WAYS)), "the first victim");
  if (RANDOM || WAYS < 3) return;
  touch(t, d, 1, mate(1));  // the oldest now; so it stays, and number 2 goes
  fill(t, d, 1, mate(WAYS + 1), false);
  CHECK(t, look(t, d, 1, mate(1)) && !look(t, d, 1, mate(2)), "the one touched stays");
  fill(t, d, 1, mate(1), false);  // a fill of what is there replaces just that
  for (unsigned n = 3; n < WAYS + 2; n++) CHECK(t, look(t, d, 1, mate(n)), "number %u after a second fill", n);
  invalidate(t, d, PAGES, 1, mate(WAYS + 1), 0);
  fill(t, d, 1, mate(WAYS + 2), false);  // takes the empty way, though there are older ones
  for (unsigned n = 3; n < WAYS + 1; n++) CHECK(t, look(t, d, 1, mate(n)), "number %u beside an empty way", n);
}

// A 2M and a 1G leaf of one address: the lower way answers, and each is filled again where it is.
static void of_both_sizes(tb *t, dut *d, bool giant_first) {
  start(t, d);
  fill(t, d, 1, 0x123456, giant_first);
  fill(t, d, 1, 0x123456, !giant_first);
  fill(t, d, 1, 0x123457, giant_first);
  leaf *l = look(t, d, 1, 0x123401);
  CHECK(t, l && l->giant == giant_first, "the lower way");
  fill(t, d, 1, 0x123458, !giant_first);
  CHECK(t, look(t, d, 1, 0x123401), "both once");
  invalidate(t, d, PAGES, 1, 0x123600, 9);  // inside the 1G leaf, beside the 2M leaf
  look(t, d, 1, 0x123401);
  invalidate(t, d, PAGES, 1, 0x123401, 0);
  CHECK(t, !look(t, d, 1, 0x123401), "both gone");
}

// Four pages at the borders of what goes, for each size of it.
static void borders(tb *t, dut *d, unsigned am) {
  uint64_t n = 1ull << am, first = (rnd_bits(t, 34) + (1u << 19)) / n * n;
  uint64_t at[4] = {first, first + n - 1, first - 1, first + n};
  unsigned ways = (unsigned)rnd_below(t, WAYS);
  start(t, d);
  for (unsigned i = 0; i < 2; i++) take_ways(t, d, 3, at[i], ways / (SETS > 1 ? 1 : 2));
  for (unsigned i = 0; i < 4; i++) fill(t, d, 1, at[i], rnd_chance(t, 30));
  uint64_t inside = first + rnd_below(t, n);
  invalidate(t, d, PAGES, 2, inside, am);
  for (unsigned i = 0; i < 4; i++) look(t, d, 1, at[i]);
  invalidate(t, d, PAGES, 1, inside, am);
  for (unsigned i = 0; i < 4; i++) CHECK(t, !look(t, d, 1, at[i]) || i > 1, "page %u of 2^%u", i, am);
}

static uint64_t domains[2], named[2 * WAYS];

// Pages that share a set: side by side, or anywhere, two and two a bit apart; above an address of any bits.
static void draw_names(tb *t) {
  bool dense = rnd_chance(t, 50);
  domains[0] = rnd_bits(t, 16), domains[1] = domains[0] ^ 1ull << rnd_below(t, 16);
  for (unsigned n = 0; n < 2 * WAYS; n++) {
    uint64_t beside = SUPER ? (n & 3) << 9 | n >> 2 << 18 : n * SETS;
    uint64_t apart = SUPER ? 512ull << rnd_below(t, 27) : (uint64_t)SETS << rnd_below(t, 36);
    named[n] = n && dense ? named[0] ^ beside : n & 1 ? named[n - 1] ^ apart : rnd_bits(t, 36);
    named[n] = mate((named[n] & ((1ull << 36) - 1)) / mate(1));
  }
}

static void at_random(tb *t, dut *d, unsigned cycles) {
  unsigned fills = (unsigned)rnd_below(t, 60), sets = 1 + (unsigned)rnd_below(t, SETS),
           many = 1 + WAYS + (unsigned)rnd_below(t, WAYS);
  start(t, d);
  draw_names(t);
  for (uint64_t end = dut_cycle(d) + cycles; dut_cycle(d) < end && !t->failures;) {
    unsigned op = (unsigned)rnd_below(t, 100);
    uint64_t did = domains[rnd_chance(t, 20)], page = named[rnd_below(t, many)];
    page += SUPER ? rnd_bits(t, 9) : rnd_below(t, sets);
    if (op < fills)
      fill(t, d, did, page, rnd_chance(t, 40));
    else if (op < 95)
      touch(t, d, did, page);
    else if (op == 99 && rnd_chance(t, 30))
      invalidate(t, d,
                 rnd_chance(t, 10)   ? ALL
                 : rnd_chance(t, 20) ? DOMAIN
                                     : PAGES,
                 did, page, (unsigned)rnd_below(t, SUPER ? 19 : 8));
    else
      look(t, d, did, page), dut_tick(d);
  }
  look_all(t, d);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_iotlb", 60000);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < 2 * WAYS || i < 8; i++) each_bit_of_the_tag(&t, d, SUPER && i & 1, i / 2 % WAYS);
  who_goes(&t, d);
  for (unsigned i = 0; SUPER && i < 2; i++) of_both_sizes(&t, d, i);
  for (unsigned i = 0; i < 5 * 19; i++) borders(&t, d, i % 19);
  while (dut_cycle(d) < t.cycles && !t.failures) at_random(&t, d, 1500);
  CHECK(&t,
        hits > 2000 && misses > 2000 && evicted > 500 && again > 50 && gone > 50 && (!SUPER || WAYS < 2 || twice > 500),
        "%llu hits, %llu of these twice, %llu misses, %llu evicted, %llu filled again, %llu invalidated",
        (unsigned long long)hits, (unsigned long long)twice, (unsigned long long)misses, (unsigned long long)evicted,
        (unsigned long long)again, (unsigned long long)gone);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
