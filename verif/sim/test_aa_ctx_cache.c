// SPDX-License-Identifier: Apache-2.0
// aa_ctx_cache against the table that it is: one context entry an index, found again by its source id. Each bit of the
// tag, displacement, and what an invalidation takes under each function mask; then at random, sweeps among fills, of
// few domains and devices that differ in any bit.
// Rules of rtl/aa/README.md: XLT-1, XLT-22.
// config: default -GEntries=16
// config: one -GEntries=1
// config: two -GEntries=2
// config: full -GEntries=256
// netlist: two
#include "tb.h"
#include "aa_ctx_cache_tb.h"

enum { ENTRIES = P_Entries, DID = ENTRY_O_W - 16 };  // DID: where the domain stands in an entry

typedef struct context {
  bool valid;
  uint64_t sid, entry;
} context;

typedef enum what { ALL, DOMAIN, DEVICE } what;

static context ref[ENTRIES];
static uint64_t hits, misses, gone;
static uint64_t domains[3], base;  // at random: domains, and what the ids of devices begin with

// README.md: sid[k-1:0] ^ sid[8+k-1:8].
static uint64_t index_of(uint64_t sid) { return (sid ^ sid >> 8) % ENTRIES; }

static void pins(dut *d, uint64_t idx, uint64_t sid) {
  dut_set_idx_i(d, idx);
  dut_set_sid_i(d, sid);
  dut_set_fill_i(d, 0);
  dut_set_inv_i(d, 0);
  dut_set_next_idx_i(d, idx);
}

// P3, at an index that need not be the one looked up. A fill of this cycle is given by what it fills.
static void next_domain(tb *t, dut *d, const uint64_t *filled, uint64_t at) {
  uint64_t next = rnd_below(t, ENTRIES);
  dut_set_next_idx_i(d, next);
  dut_eval(d);
  if (filled && next == at) CHECK_EQ(t, dut_get_next_did_o(d), *filled, "domain that index %u gets", (unsigned)next);
  if ((!filled || next != at) && ref[next].valid)
    CHECK_EQ(t, dut_get_next_did_o(d), ref[next].entry >> DID, "domain at index %u", (unsigned)next);
}

// Looks up; the answer comes in the same cycle.
static bool look(tb *t, dut *d, uint64_t sid) {
  const context *c = &ref[index_of(sid)];
  bool want = c->valid && c->sid == sid;
  pins(d, index_of(sid), sid);
  dut_eval(d);
  CHECK_EQ(t, dut_get_hit_o(d), want, "hit, sid %04x", (unsigned)sid);
  if (want) CHECK_EQ(t, dut_get_entry_o(d), c->entry, "entry of sid %04x", (unsigned)sid);
  if (want) CHECK_EQ(t, dut_get_next_did_o(d), c->entry >> DID, "domain of sid %04x", (unsigned)sid);
  next_domain(t, d, NULL, 0);
  hits += want, misses += !want;
  return dut_get_hit_o(d);
}

// Fills; what was there is seen until the edge.
static void fill(tb *t, dut *d, uint64_t sid, uint64_t did) {
  uint64_t entry = did << DID | rnd_bits(t, DID);
  look(t, d, sid);
  dut_set_fill_i(d, 1);
  dut_set_entry_i(d, entry);
  dut_set_next_idx_i(d, index_of(sid));
  dut_eval(d);
  CHECK_EQ(t, dut_get_next_did_o(d), did, "domain of sid %04x as it is filled", (unsigned)sid);
  next_domain(t, d, &did, index_of(sid));
  dut_tick(d);
  ref[index_of(sid)] = (context){.valid = true, .sid = sid, .entry = entry};
}

// Invalidates all indices, in an order that the user chooses. fm is as in the descriptor: 1: bit 2 of the sid is
// ignored, 2: bits 2:1, 3: bits 2:0.
static void invalidate(tb *t, dut *d, what w, uint64_t did, uint64_t sid, unsigned fm) {
  static const unsigned ignored[4] = {0, 4, 6, 7};
  uint64_t first = rnd_below(t, ENTRIES);
  for (unsigned i = 0; i < ENTRIES; i++) {
    context *c = &ref[(first + i) % ENTRIES];
    pins(d, (first + i) % ENTRIES, sid);
    dut_set_inv_i(d, 1);
    dut_set_inv_all_i(d, w == ALL);
    dut_set_inv_dev_i(d, w == DEVICE);
    dut_set_inv_fm_i(d, ignored[fm]);
    dut_set_inv_did_i(d, did);
    dut_tick(d);
    bool takes = w == ALL || (c->entry >> DID == did && (w == DOMAIN || (c->sid | ignored[fm]) == (sid | ignored[fm])));
    gone += c->valid && takes;
    if (takes) c->valid = false;
  }
  pins(d, 0, 0);
}

static void look_all(tb *t, dut *d) {
  for (unsigned i = 0; i < ENTRIES; i++) look(t, d, ref[i].sid);
}

static void each_bit_of_the_tag(tb *t, dut *d) {
  uint64_t sid = rnd_bits(t, 16), did = rnd_bits(t, 16);
  invalidate(t, d, ALL, 0, 0, 0);
  fill(t, d, sid, did);
  for (unsigned b = 0; b < 16; b++) CHECK(t, !look(t, d, sid ^ 1u << b), "sid but for bit %u", b);
  CHECK(t, look(t, d, sid), "what was filled");
  uint64_t other = sid ^ 0x8080;  // of the same index, whatever their number
  fill(t, d, other, did);
  CHECK(t, look(t, d, other) && !look(t, d, sid), "displaced by another device");
  fill(t, d, other, ~did & 0xffff);
  look(t, d, other);  // again, with another entry
}

// One device, an invalidation for its neighbour: taken if they differ in nothing but what the mask ignores.
static void each_function_mask(tb *t, dut *d) {
  for (unsigned fm = 0; fm < 4; fm++) {
    for (unsigned i = 0; i < (fm == 3 ? 21 : 8); i++) {
      uint64_t sid = rnd_bits(t, 16), did = rnd_bits(t, 16);
      unsigned differ = i < 8 ? i : 1u << (i - 5);
      bool takes = differ == 0 || (differ < 8 && (fm == 3 || (fm == 2 && differ % 2 == 0) || (fm == 1 && differ == 4)));
      fill(t, d, sid, did);
      invalidate(t, d, DEVICE, did ^ 1u << i % 16, sid, fm);
      CHECK(t, look(t, d, sid), "another domain's invalidation");
      invalidate(t, d, DEVICE, did, sid ^ differ, fm);
      CHECK_EQ(t, look(t, d, sid), !takes, "sids differ by %u, function mask %u", differ, fm);
    }
  }
}

static void one_domain(tb *t, dut *d) {
  uint64_t did = rnd_bits(t, 16), other = did ^ 1u << rnd_below(t, 16);
  for (unsigned i = 0; i < ENTRIES; i++) fill(t, d, (rnd_bits(t, 8) * 0x101) ^ i, i % 2 ? other : did);
  invalidate(t, d, DOMAIN, did, rnd_bits(t, 16), (unsigned)rnd_below(t, 4));
  for (unsigned i = 0; i < ENTRIES; i++) CHECK_EQ(t, look(t, d, ref[i].sid), i % 2, "index %u, one domain gone", i);
  invalidate(t, d, ALL, 0x7777, rnd_bits(t, 16), 0);
  for (unsigned i = 0; i < ENTRIES; i++) CHECK(t, !look(t, d, ref[i].sid), "index %u after all went", i);
}

static void draw_names(tb *t) {
  base = rnd_bits(t, 16);
  domains[0] = rnd_bits(t, 16), domains[1] = domains[0] ^ 1u << rnd_below(t, 16), domains[2] = rnd_bits(t, 16);
}

static uint64_t device(tb *t) { return base ^ rnd_below(t, 2 * ENTRIES) % 0x100 ^ rnd_below(t, 3) << 8; }

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_ctx_cache", 60000);
  dut *d = dut_begin(&t);
  invalidate(&t, d, ALL, 0, 0, 0);
  for (unsigned i = 0; i < 200; i++) look(&t, d, rnd_bits(&t, 16));
  each_function_mask(&t, d);
  for (unsigned i = 0; i < 4; i++) {
    each_bit_of_the_tag(&t, d);
    one_domain(&t, d);
  }
  draw_names(&t);
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned op = (unsigned)rnd_below(&t, 200);
    uint64_t did = domains[rnd_below(&t, 3)], sid = device(&t);
    if (op == 198) draw_names(&t);
    if (op < 120) fill(&t, d, sid, did);
    if (op >= 199)
      invalidate(&t, d,
                 rnd_chance(&t, 10)   ? ALL
                 : rnd_chance(&t, 30) ? DOMAIN
                                      : DEVICE,
                 did, sid, (unsigned)rnd_below(&t, 4));
    look(&t, d, sid);
    look(&t, d, device(&t));
    if (op >= 120) dut_tick(d);  // a cycle in which nothing happens
  }
  look_all(&t, d);
  CHECK(&t, hits > 1000 && misses > 1000 && gone > 50, "%llu hits, %llu misses, %llu invalidated",
        (unsigned long long)hits, (unsigned long long)misses, (unsigned long long)gone);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
