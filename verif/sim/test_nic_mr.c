// SPDX-License-Identifier: Apache-2.0
// nic_mr against a table in C: the edges of a region one by one, a region that changes under a train of look-ups, then
// random registers and look-ups, two in flight at any time. What is read or written is on the bus in the cycle before;
// any other address comes before.
// Rules of rtl/nic/README.md: QPR-5, QPR-6, RCV-6.
// config: default -GNumMrs=16
// config: one -GNumMrs=1
// config: odd -GNumMrs=5
// config: most -GNumMrs=256
// netlist: one
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "nic_mr_tb.h"

enum { R = 1, W = 2, A = 4, MR_PAGED = 43 };

typedef struct region {
  uint64_t w[3];       // MR_BASE and MR_LEN as they wait, MR_KEY
  uint64_t base, len;  // committed with it
} region;

typedef struct look {
  bool valid, ok, paged;
  uint32_t key, len;
  uint64_t va;
  unsigned proc, right;
} look;

typedef struct bench {
  tb t;
  dut *d;
  region mr[256];
  look pipe[2];  // asked one and two cycles ago
  unsigned good, bad, offs;
  int off;       // index, or none
  uint32_t was;  // on the bus in the cycle before
} bench;

static const uint64_t mask[3] = {~0ull, 0x1ffffffffffff,
                                 1ull << 63 | 1ull << MR_PAGED | 7ull << 40 | 15ull << 32 | 0xffffffff};

static bool inside(const bench *b, const look *l) {
  unsigned n = l->key & 255;
  const region *m = &b->mr[n];
  if (n >= P_NumMrs || !(m->w[2] >> 63) || (uint32_t)m->w[2] != l->key) return false;
  if ((m->w[2] >> 32 & 15) != l->proc) return false;
  if (!l->right) return true;  // its name alone
  if (!(m->w[2] >> 40 & l->right)) return false;
  if (l->va < m->base || l->va - m->base > m->len) return false;
  return l->len <= m->len - (l->va - m->base);
}

// A cycle: perhaps an access, to what was on the bus in the cycle before; perhaps a look-up; the answer of the look-up
// two cycles ago.
static void cycle(bench *b, uint32_t next_a, bool we, uint64_t data, unsigned strb, look l) {
  tb *t = &b->t;
  dut *d = b->d;
  const uint32_t a = b->was;
  b->was = next_a;
  unsigned n = a >> 5 & 255, word = a >> 3 & 3;
  bool mine = a >> 13 == 2 && n < P_NumMrs && word < 3;
  dut_set_rb_i(d, reg_bus_of(next_a, we, data, strb).words);
  dut_set_valid_i(d, l.valid);
  dut_set_key_i(d, l.key);
  dut_set_proc_i(d, l.proc);
  dut_set_va_i(d, l.va);
  dut_set_len_i(d, l.len);
  dut_set_right_i(d, l.right);
  dut_set_off_valid_i(d, b->off >= 0);
  dut_set_off_idx_i(d, (uint64_t)(b->off >= 0 ? (uint64_t)b->off : rnd_bits(t, 8)));
  dut_eval(d);
  const look *was = &b->pipe[1];
  CHECK_EQ(t, dut_get_rb_rdata_o(d), mine ? b->mr[n].w[word] : 0, "register 0x%x", a);
  CHECK_EQ(t, dut_get_done_o(d), was->valid, "an answer after two cycles");
  if (was->valid)
    CHECK_EQ(t, dut_get_ok_o(d), was->ok, "key %x process %u va %" PRIx64 " len %x", was->key, was->proc, was->va,
             was->len);
  if (was->valid && was->ok) CHECK_EQ(t, dut_get_paged_o(d), was->paged, "P5: PAGED of key %x", was->key);
  b->good += was->valid && was->ok, b->bad += was->valid && !was->ok;
  l.ok = inside(b, &l);
  l.paged = l.ok && b->mr[l.key & 255].w[2] >> MR_PAGED & 1;
  b->pipe[1] = b->pipe[0], b->pipe[0] = l;
  // A commit in the same cycle wins.
  bool off = b->off >= 0 && b->off < (int)P_NumMrs;
  uint64_t key = off ? b->mr[b->off].w[2] : 0;
  if (we && mine) {
    region *m = &b->mr[n];
    for (unsigned k = 0; k < 8; k++)
      if (strb >> k & 1) m->w[word] = (m->w[word] & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
    m->w[word] &= mask[word];
    if (word == 2) m->base = m->w[0], m->len = m->w[1];
  }
  if (off && !(we && mine && word == 2 && n == (unsigned)b->off)) {
    b->offs += (unsigned)(key >> 63);
    b->mr[b->off].w[2] &= ~(1ull << 63);
  }
  b->off = -1;
  dut_tick(d);
}

static uint32_t at(unsigned n, unsigned word) { return 0x4000 + 32 * n + 8 * word; }
static void idle(bench *b, look l) { cycle(b, (uint32_t)rnd_bits(&b->t, 20) & ~7u, false, 0, 0, l); }
static void put(bench *b, unsigned n, unsigned word, uint64_t v) {
  idle(b, (look){0});
  cycle(b, at(n, word), false, v, 255, (look){0});
  cycle(b, at(n, word), true, v, 255, (look){0});
}

static bool ask(bench *b, uint32_t key, unsigned proc, uint64_t va, uint32_t len, unsigned right) {
  idle(b, (look){.valid = true, .key = key, .proc = proc, .va = va, .len = len, .right = right});
  idle(b, (look){0});
  dut_eval(b->d);
  bool ok = dut_get_ok_o(b->d);
  idle(b, (look){0});
  return ok;
}

static void edges(bench *b) {
  tb *t = &b->t;
  put(b, 0, 0, 0x1000);
  put(b, 0, 1, 0x200);
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x1000, 8, R), "not committed yet");
  put(b, 0, 2, 1ull << 63 | 1ull << 40 | 3ull << 32 | 0xabcdef00);
  CHECK(t, ask(b, 0xabcdef00, 3, 0x1000, 0x200, R), "all of it");
  CHECK(t, ask(b, 0xabcdef00, 3, 0x11ff, 1, R), "its last byte");
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x11ff, 2, R), "one byte beyond");
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x0fff, 1, R), "one byte before");
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x1000, 0x80000000, R), "2 GiB");
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x1000 + (1ull << 49), 8, R), "bits above any length");
  CHECK(t, !ask(b, 0xabcdee00, 3, 0x1000, 8, R), "another key of the same index");
  CHECK(t, !ask(b, 0xabcdef00, 2, 0x1000, 8, R), "another process");
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x1000, 8, W) && !ask(b, 0xabcdef00, 3, 0x1000, 8, A), "rights that it has not");
  CHECK(t, ask(b, 0xabcdef00, 3, 0, 0x80000000, 0), "its name alone");
  CHECK(t, !ask(b, 0xabcdee00, 3, 0x1000, 0, 0) && !ask(b, 0xabcdef00, 2, 0x1000, 0, 0), "nobody's name");
  put(b, 0, 1, 1);
  CHECK(t, ask(b, 0xabcdef00, 3, 0x11ff, 1, R), "a length that only waits");
  b->off = 1;
  idle(b, (look){0});
  CHECK(t, ask(b, 0xabcdef00, 3, 0x11ff, 1, R), "another region is invalidated");
  b->off = 0;
  idle(b, (look){0});
  CHECK(t, !ask(b, 0xabcdef00, 3, 0x11ff, 1, R) && !ask(b, 0xabcdef00, 3, 0, 0, 0), "it is invalidated");
  put(b, 0, 0, 0x1000);
  CHECK(t, !ask(b, 0xabcdef00, 3, 0, 0, 0), "and no other word brings it back");
  put(b, 0, 0, ~0ull - 15);
  put(b, 0, 1, 1ull << 48);
  put(b, 0, 2, 1ull << 63 | 4ull << 40 | 0x00);
  CHECK(t, ask(b, 0, 0, ~0ull - 7, 8, A), "the last bytes of all");
  CHECK(t, !ask(b, 0, 0, 0, 8, A), "not round the corner");
}

// Look-ups in every cycle while the region moves from one place to another: never a mixture (the reference says which).
static void moving(bench *b) {
  for (unsigned i = 0; i < 200; i++) {
    uint64_t base = i & 4 ? 0x10000 : 0x20000, len = i & 4 ? 0x10 : 0x1000;
    look l = {.valid = true, .key = 0, .va = 0x10000 + rnd_below(&b->t, 0x11000), .len = 8, .right = R};
    unsigned word = i & 3;
    cycle(b, at(0, word), false, 0, 0, l);
    l.va = 0x10000 + rnd_below(&b->t, 0x11000);
    cycle(b, at(0, word), word < 3, word == 0 ? base : word == 1 ? len : 1ull << 63 | 1ull << 40, 255, l);
  }
}

// Nothing is left of the regions, nor of what was asked.
static void reset(bench *b) {
  dut_set_valid_i(b->d, 1);
  dut_reset(b->d, 2);
  memset(b->mr, 0, sizeof b->mr);
  memset(b->pipe, 0, sizeof b->pipe);
}

static unsigned any_region(tb *t) {
  return (unsigned)rnd_below(t, rnd_chance(t, 80) && P_NumMrs > 4 ? 5 : rnd_chance(t, 95) ? P_NumMrs : 256);
}

static uint64_t any_size(tb *t, unsigned bits) { return rnd_bits(t, 1 + (unsigned)rnd_below(t, bits)); }

// One bit of `bits` is another now and then.
static uint64_t near(tb *t, uint64_t v, unsigned bits) {
  return rnd_chance(t, 15) ? v ^ 1ull << rnd_below(t, bits) : v;
}

// Mostly what the region allows, or just not: all of its fields are random, so each bit of them decides now and then.
static look any_look(bench *b, unsigned m) {
  tb *t = &b->t;
  const region *r = &b->mr[m];
  look l = {.valid = rnd_chance(t, 90),
            .key = (uint32_t)near(t, r->w[2] | m, 32),
            .proc = (unsigned)near(t, r->w[2] >> 32 & 15, 4),
            .right = rnd_chance(t, 10) ? 0 : 1u << rnd_below(t, 3)};
  l.va = r->base + (rnd_chance(t, 50) ? rnd_below(t, r->len + 2) : r->len - any_size(t, 33));
  l.va = rnd_chance(t, 10) ? r->base - 1 : near(t, l.va, 64);
  uint64_t left = r->base + r->len - l.va;
  l.len = (uint32_t)(rnd_chance(t, 50) ? near(t, left + rnd_bits(t, 1), 32) : any_size(t, 32));
  return l;
}

static void any_cycle(bench *b) {
  tb *t = &b->t;
  unsigned n = any_region(t), m = any_region(t), word = (unsigned)rnd_bits(t, 2);
  unsigned strb = rnd_chance(t, 70) ? 255 : (unsigned)rnd_bits(t, 8);
  uint32_t a = rnd_chance(t, 30) ? b->was : (uint32_t)near(t, at(n, word), 20) & ~7u;
  const bool we = a == b->was && rnd_chance(t, 70);
  n = a >> 5 & 255, word = a >> 3 & 3;
  uint64_t data = word == 1 ? any_size(t, 64) : rnd_bits(t, 64);
  if (word == 2) data = (data & ~0xffull) | (uint64_t)rnd_chance(t, 90) << 63 | near(t, n, 8);
  if (rnd_chance(t, 2)) b->off = (int)near(t, rnd_chance(t, 50) ? m : n, 8);
  cycle(b, a, we, data, strb, any_look(b, m));
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_mr", 40000);
  b.off = -1;
  b.d = dut_begin(t);
  dut_reset(b.d, 2);
  for (uint32_t a = 0x3ff0; a < 0x6020; a += 8)
    cycle(&b, a, false, 0, 0, (look){.valid = true, .key = a >> 5, .right = 7});
  edges(&b);
  moving(&b);
  for (uint64_t c = 0; c < t->cycles; c++) {
    if (rnd_below(t, 3000) == 0) reset(&b);
    any_cycle(&b);
  }
  CHECK(t, b.offs > 100, "%u regions invalidated", b.offs);
  CHECK(t, b.good > 1000 && b.bad > 1000, "too little: %u inside, %u not", b.good, b.bad);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
