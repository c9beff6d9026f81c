// SPDX-License-Identifier: Apache-2.0
// aa_walk_step: what each single bit of each kind of entry does, as a table; what a good context does for each kind of
// request; then entries with some bits wrong, at random, against the walk of README.md in its order.
// Rules of rtl/aa/README.md: XLT-14, XLT-15, XLT-16, XLT-17, XLT-18, XLT-19.
// netlist: default
#include "tb.h"
#include "aa_walk_step_tb.h"

enum { ROOT = 6, CTX = 5 };                // levels above 4
enum { NEXT = 16, LEAF = 17, PASS = 18 };  // outcomes that are no fault

typedef struct step {
  unsigned level;
  bool aa, r, w, big, write, intr, at, half, err;
  uint64_t devfn, iova, lo, hi;  // iova: page number; a paging entry is hi if half, else lo
} step;

// ---- the specification ----

static uint64_t field(uint64_t x, unsigned hi, unsigned lo) { return x << (63 - hi) >> (63 - hi + lo); }

static bool is_leaf(unsigned level, uint64_t e) { return level == 1 || (level <= 3 && field(e, 7, 7)); }

static unsigned paging(const step *s, uint64_t e) {
  bool leaf = is_leaf(s->level, e), live = field(e, 1, 0);
  uint64_t active = field(e, 63, 63) | field(e, 10, 8) | (s->level == 1 ? field(e, 7, 7) : field(e, 3, 3));
  if (s->err) return 7;
  if (leaf && s->aa && active) live = true;
  if (!live) return s->write ? 5 : 6;
  if (field(e, 11, 11) || field(e, 51, 48) || field(e, 62, 62)) return 0xC;
  if (s->level == 4 && field(e, 7, 7)) return 0xC;
  if (leaf && s->level > 1 && field(e, s->level == 3 ? 29 : 20, 12)) return 0xC;
  return leaf ? LEAF : NEXT;
}

static unsigned root(const step *s) {
  if (s->err) return 8;
  if (!field(s->lo, 0, 0)) return 1;
  return field(s->lo, 11, 1) || field(s->lo, 63, 48) || s->hi ? 0xA : NEXT;
}

// Up to the entry itself; what the request makes of a good one comes after.
static unsigned context(const step *s) {
  if (s->err) return 9;
  if (!field(s->lo, 0, 0)) return 2;
  if (field(s->lo, 11, 4) || field(s->lo, 63, 48) || field(s->hi, 7, 7) || field(s->hi, 63, 24)) return 0xB;
  return field(s->lo, 3, 2) & 1 || field(s->hi, 2, 0) != 2 ? 3 : NEXT;  // TT = 01 or 11; AW
}

static unsigned outcome(const step *s) {
  if (s->level < CTX) return paging(s, s->half ? s->hi : s->lo);
  unsigned x = s->level == ROOT ? root(s) : context(s);
  if (s->intr && !s->at && (x != NEXT || s->level == CTX)) return PASS;
  if (s->level == ROOT || x != NEXT) return x;
  bool through = field(s->lo, 3, 2) == 2;
  return s->at ? 0xD : through ? PASS : s->big ? 4 : NEXT;
}

// ---- asking ----

static unsigned ask(tb *t, dut *d, const step *s) {
  uint32_t data[DATA_I_WORDS];
  bits_set(data, 0, 64, s->lo);
  bits_set(data, 64, 64, s->hi);
  dut_set_level_i(d, s->level);
  dut_set_aa_i(d, s->aa);
  dut_set_r_i(d, s->r);
  dut_set_w_i(d, s->w);
  dut_set_devfn_i(d, s->devfn);
  dut_set_iova_i(d, s->iova);
  dut_set_big_i(d, s->big);
  dut_set_write_i(d, s->write);
  dut_set_intr_i(d, s->intr);
  dut_set_at_i(d, s->at);
  dut_set_half_i(d, s->half);
  dut_set_err_i(d, s->err);
  dut_set_data_i(d, data);
  dut_eval(d);
  unsigned n = 0, got = 0;
  if (dut_get_fault_o(d)) n++, got = (unsigned)dut_get_fault_o(d);
  if (dut_get_next_o(d)) n++, got = NEXT;
  if (dut_get_leaf_o(d)) n++, got = LEAF;
  if (dut_get_bypass_o(d)) n++, got = PASS;
  CHECK_EQ(t, n, 1, "outcomes of level %u, entry %016llx %016llx", s->level, (unsigned long long)s->hi,
           (unsigned long long)s->lo);
  return got;
}

// Everything that the entry gives, not the outcome alone.
static unsigned check(tb *t, dut *d, const step *s) {
  unsigned want = outcome(s), got = ask(t, d, s);
  uint64_t e = s->level < CTX && s->half ? s->hi : s->lo;
  CHECK_EQ(t, got, want, "level %u, entry %016llx %016llx, aa %u write %u intr %u at %u big %u half %u err %u",
           s->level, (unsigned long long)s->hi, (unsigned long long)s->lo, s->aa, s->write, s->intr, s->at, s->big,
           s->half, s->err);
  CHECK_EQ(t, dut_get_ctx_ok_o(d), s->level == CTX && context(s) == NEXT, "the context entry is good");
  if (s->level < CTX) CHECK_EQ(t, dut_get_entry_o(d), e, "entry");
  if (want == LEAF || want == NEXT) {
    bool top = s->level >= CTX;  // nothing has been taken away yet
    CHECK_EQ(t, dut_get_r_o(d), top || (s->r && field(e, 0, 0)), "R so far");
    CHECK_EQ(t, dut_get_w_o(d), top || (s->w && field(e, 1, 1)), "W so far");
  }
  if (want == NEXT) {
    uint64_t in = s->level == ROOT ? s->devfn * 16 : (s->iova >> 9 * (s->level - 2) & 511) * 8;
    CHECK_EQ(t, dut_get_level_o(d), s->level - 1, "next level");
    CHECK_EQ(t, dut_get_addr_o(d) << 3, field(e, 47, 12) << 12 | in, "next address after level %u", s->level);
  }
  return want;
}

// ---- each bit ----

// An entry, what it means for a read, and what it means when one bit of it is turned over;
// bits not named change nothing.
#define BIT63 (1ull << 63)
#define CTX_BAD \
  {0, 0, 2}, {2, 2, 3}, {4, 11, 0xB}, {48, 63, 0xB}, {64, 66, 3}, {71, 71, 0xB}, { 88, 127, 0xB }
#define BAD \
  {11, 11, 0xC}, {48, 51, 0xC}, { 62, 62, 0xC }
static const struct {
  const char *name;
  unsigned level, aa;
  uint64_t lo, hi;
  unsigned means;
  struct {
    unsigned from, to, means;
  } bits[8];
} TABLE[] = {
    {"root", ROOT, 0, 1, 0, NEXT, {{0, 0, 1}, {1, 11, 0xA}, {48, 127, 0xA}}},
    {"context", CTX, 0, 1, 2, NEXT, {{3, 3, PASS}, CTX_BAD}},
    {"pass-through", CTX, 0, 9, 2, PASS, {{3, 3, NEXT}, CTX_BAD}},
    {"level 4", 4, 0, 3, 0, NEXT, {{7, 7, 0xC}, BAD}},
    {"level 3", 3, 0, 3, 0, NEXT, {{7, 7, LEAF}, BAD}},
    {"level 2", 2, 0, 3, 0, NEXT, {{7, 7, LEAF}, BAD}},
    {"1G leaf", 3, 0, 0x83, 0, LEAF, {{7, 7, NEXT}, {12, 29, 0xC}, BAD}},
    {"2M leaf", 2, 0, 0x83, 0, LEAF, {{7, 7, NEXT}, {12, 20, 0xC}, BAD}},
    {"4K leaf", 1, 0, 3, 0, LEAF, {BAD}},
    {"read-only 4K leaf", 1, 0, 1, 0, LEAF, {{0, 0, 6}, BAD}},
    {"empty level 4", 4, 1, 0, 0, 6, {{0, 1, NEXT}}},
    {"empty level 3", 3, 1, 0, 0, 6, {{0, 1, NEXT}}},
    {"empty level 2", 2, 1, 0, 0, 6, {{0, 1, NEXT}}},
    {"empty 1G leaf", 3, 1, 0x80, 0, 6, {{0, 1, LEAF}, {3, 3, LEAF}, {8, 10, LEAF}, {63, 63, LEAF}}},
    {"empty 2M leaf", 2, 1, 0x80, 0, 6, {{0, 1, LEAF}, {3, 3, LEAF}, {8, 10, LEAF}, {63, 63, LEAF}}},
    {"empty 4K leaf", 1, 1, 0, 0, 6, {{0, 1, LEAF}, {7, 10, LEAF}, {63, 63, LEAF}}},
    {"empty 2M leaf, not opted in", 2, 0, 0x80, 0, 6, {{0, 1, LEAF}}},
    {"empty 4K leaf, not opted in", 1, 0, 0, 0, 6, {{0, 1, LEAF}}},
    {"active 4K leaf", 1, 1, BIT63, 0, LEAF, {{63, 63, 6}, BAD}},
    {"active 2M leaf", 2, 1, BIT63 | 0x80, 0, LEAF, {{7, 7, 6}, {63, 63, 6}, {12, 20, 0xC}, BAD}},
    {"active 1G leaf", 3, 1, BIT63 | 0x80, 0, LEAF, {{7, 7, 6}, {63, 63, 6}, {12, 29, 0xC}, BAD}},
};

static void each_bit(tb *t, dut *d, unsigned row) {
  unsigned level = TABLE[row].level, width = level >= CTX ? 128 : 64;
  unsigned broken = level == ROOT ? 8 : level == CTX ? 9 : 7;
  for (unsigned bit = 0; bit <= width; bit++) {  // the last: none
    unsigned want = TABLE[row].means;
    for (unsigned i = 0; i < 8; i++)
      if (bit >= TABLE[row].bits[i].from && bit <= TABLE[row].bits[i].to && TABLE[row].bits[i].means)
        want = TABLE[row].bits[i].means;
    uint64_t lo = TABLE[row].lo ^ (bit < 64 ? 1ull << bit : 0);
    uint64_t hi = TABLE[row].hi ^ (bit >= 64 && bit < width ? 1ull << (bit - 64) : 0);
    for (unsigned half = 0; half < 2; half++) {
      step s = {.level = level, .aa = TABLE[row].aa, .r = true, .w = true, .half = half, .lo = lo, .hi = hi};
      if (level < CTX && half) s.hi = lo, s.lo = rnd(t);  // the other half says nothing
      if (level < CTX && !half) s.hi = rnd(t);
      CHECK_EQ(t, ask(t, d, &s), want, "%s, bit %u turned over, half %u", TABLE[row].name, bit, half);
      s.write = true;
      CHECK_EQ(t, ask(t, d, &s), want == 6 ? 5 : want, "%s, bit %u turned over, write", TABLE[row].name, bit);
      s.err = true;
      CHECK_EQ(t, ask(t, d, &s), broken, "%s, bit %u turned over, not readable", TABLE[row].name, bit);
    }
  }
}

// ---- each kind of request, at a good and an empty entry ----

static void each_request(tb *t, dut *d) {
  static const struct {
    const char *name;
    unsigned at, intr, big, through, good, empty, no_root;  // outcome by what is found
  } rows[] = {
      {"access", 0, 0, 0, 0, NEXT, 2, 1},
      {"access, passed through", 0, 0, 0, 1, PASS, 2, 1},
      {"access over 48 bits", 0, 0, 1, 0, 4, 2, 1},
      {"access over 48 bits, passed through", 0, 0, 1, 1, PASS, 2, 1},
      {"interrupt", 0, 1, 0, 0, PASS, PASS, PASS},
      {"interrupt, passed through", 0, 1, 0, 1, PASS, PASS, PASS},
      {"translated access", 1, 0, 0, 0, 0xD, 2, 1},
      {"translated access, passed through", 1, 0, 0, 1, 0xD, 2, 1},
      {"translated access over 48 bits", 1, 0, 1, 0, 0xD, 2, 1},
      {"translated interrupt", 1, 1, 0, 0, 0xD, 2, 1},
      {"translated interrupt, passed through", 1, 1, 0, 1, 0xD, 2, 1},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    step s = {.level = CTX, .at = rows[i].at, .intr = rows[i].intr, .big = rows[i].big};
    s.lo = rows[i].through ? 9 : 1, s.hi = 2;
    CHECK_EQ(t, ask(t, d, &s), rows[i].good, "%s, good context", rows[i].name);
    CHECK_EQ(t, dut_get_ctx_ok_o(d), 1, "%s, context is good", rows[i].name);
    s.lo ^= 1;
    CHECK_EQ(t, ask(t, d, &s), rows[i].empty, "%s, no context", rows[i].name);
    CHECK_EQ(t, dut_get_ctx_ok_o(d), 0, "%s, context is not good", rows[i].name);
    s.level = ROOT, s.lo = 0, s.hi = 0;
    CHECK_EQ(t, ask(t, d, &s), rows[i].no_root, "%s, no root entry", rows[i].name);
    s.lo = 1;
    CHECK_EQ(t, ask(t, d, &s), NEXT, "%s, good root entry", rows[i].name);
  }
}

// ---- at random: a good entry, some bits of it turned over, or nonsense ----

static step at_random(tb *t) {
  step s = {
      .level = 1 + (unsigned)rnd_below(t, 6), .aa = rnd_chance(t, 50), .r = rnd_chance(t, 70), .w = rnd_chance(t, 70)};
  s.big = rnd_chance(t, 20), s.write = rnd_chance(t, 50), s.intr = rnd_chance(t, 20), s.at = rnd_chance(t, 20);
  s.half = rnd_chance(t, 50), s.err = rnd_chance(t, 5), s.devfn = rnd_bits(t, 8), s.iova = rnd_bits(t, 36);
  uint64_t frame = rnd_bits(t, 36) << 12;
  bool large = (s.level == 2 || s.level == 3) && rnd_chance(t, 50);
  if (s.level >= CTX) {
    s.lo = frame | 1, s.hi = s.level == CTX ? 2 | rnd_bits(t, 4) << 3 | rnd_bits(t, 16) << 8 : 0;
    if (s.level == CTX) s.lo |= rnd_below(t, 2) << 1 | rnd_chance(t, 20) << 3;
  } else {
    uint64_t e = frame | (rnd(t) & 0xbff000000000077full) | (s.level == 1 ? rnd_bits(t, 1) << 7 : large ? 1u << 7 : 0);
    if (large && rnd_chance(t, 90)) e &= s.level == 3 ? ~0x3ffff000ull : ~0x1ff000ull;
    if (rnd_chance(t, 50)) e &= ~3ull;
    if (rnd_chance(t, 30)) e &= ~0x8000000000000788ull | (large ? 1u << 7 : 0);
    s.lo = s.half ? rnd(t) : e, s.hi = s.half ? e : rnd(t);
  }
  if (rnd_chance(t, 3)) s.lo = rnd(t), s.hi = rnd(t);
  for (unsigned n = rnd_chance(t, 50) ? (unsigned)rnd_below(t, 4) : 0; n > 0; n--) {
    unsigned bit = (unsigned)rnd_bits(t, 6);
    if (rnd_chance(t, 50))
      s.lo ^= 1ull << bit;
    else
      s.hi ^= 1ull << bit;
  }
  return s;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_walk_step", 200000);
  dut *d = dut_begin(&t);
  for (unsigned row = 0; row < sizeof TABLE / sizeof TABLE[0]; row++) each_bit(&t, d, row);
  each_request(&t, d);
  uint64_t seen[7][19] = {{0}};
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    step s = at_random(&t);
    seen[s.level][check(&t, d, &s)]++;
  }
  static const unsigned can[7][9] = {
      {0},
      {LEAF, 5, 6, 7, 0xC},
      {NEXT, LEAF, 5, 6, 7, 0xC},
      {NEXT, LEAF, 5, 6, 7, 0xC},
      {NEXT, 5, 6, 7, 0xC},
      {NEXT, PASS, 2, 3, 4, 9, 0xB, 0xD},
      {NEXT, PASS, 1, 8, 0xA},
  };
  for (unsigned level = 1; level <= ROOT; level++)
    for (const unsigned *x = can[level]; *x; x++)
      CHECK(&t, seen[level][*x] > 50, "outcome %u of level %u came %u times", *x, level, (unsigned)seen[level][*x]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
