// SPDX-License-Identifier: Apache-2.0
// aa_walk: the test is scheduler, pipe and memory. Every entry is made up when its read is answered, a reference says
// what it means (README.md, Walk), and the fill must say the same. Scenarios: the cycles of one walk, all walkers at
// once with answers in reverse, a read error at each level, forgetting, own and heir; then all of it at random, with
// entries that are wrong in one bit.
// Rules of rtl/aa/README.md: XLT-9, XLT-10, XLT-14, XLT-15, XLT-16, XLT-17, XLT-18, XLT-19.
// config: default -GWalkers=4 -GWindow=8
// config: one -GWalkers=1 -GWindow=1
// config: odd -GWalkers=3 -GWindow=2
// config: all -GWalkers=16 -GWindow=32
// netlist: odd
#include "tb.h"
#include "aa_walk_tb.h"

#include <string.h>

enum { Slots = P_Walkers, Window = P_Window, IdxMask = Window > 1 ? Window - 1 : 1 };
typedef enum { Free, Walks, Ended, Dead } state;  // Dead: forgotten, with a read under way

typedef struct walk {
  state state;
  unsigned lane, num, sid, level, did;  // level of the read under way: 6 root, 5 context, 4 to 1
  uint64_t page, addr;                  // I/O address >> 12
  bool write, intr, at, aa, fpd, r, w, own;
  bool begun, asked;  // its first read has been answered; its read has been accepted
  unsigned age;       // cycles since the read was accepted
  // The outcome
  unsigned fault, size, passed_by;  // passed_by: fills of others since it ended
  bool bypass, nointr, leaf, ctx_fill, psc3_fill, psc2_fill;
  uint64_t data, ctx, psc3, psc2;
} walk;

static struct {
  walk s[Slots];
  walk start;  // what st_* say
  bool aae, f2, lock;
  uint64_t f1[3], lock_ar;
  unsigned f1_slot, conflicts, false_conflicts, faults[16], errors;
} w;

typedef struct act {  // a cycle
  bool start, take, done, ar, forget, err, pass;
  int answer;  // slot, or -1
  uint64_t lo, hi;
  unsigned pass_lane, pass_num;
} act;

static uint64_t mask(uint64_t v, unsigned hi, unsigned lo) { return v >> lo & (~0ULL >> (63 - (hi - lo))); }
static bool live(unsigned s) { return w.s[s].state == Walks || w.s[s].state == Ended; }

// P4: what takes two requests for one another.
static unsigned hash(const walk *k) {
  unsigned h = k->sid >> 14 ^ (k->sid >> 6 & 255) ^ (k->sid & 63) << 4;
  for (unsigned b = 12; b < 48; b++) h ^= (k->page >> (b - 12) & 1) << b % 10;
  return h;
}

// ---- the reference: what an entry means -----------------------------------------------------------------------------
static void end(walk *k, unsigned fault) {
  k->state = Ended;
  k->fault = k->bypass ? 0 : fault;
  k->passed_by = 0;
}

static void next(walk *k, uint64_t table, unsigned index, unsigned bytes) {
  k->addr = (table & 0xfffffffff000ULL) + index * bytes;
  k->level--;
  k->asked = false;
  k->begun = true;
}

static void meaning(walk *k, uint64_t lo, uint64_t hi, bool err) {
  unsigned bad = 0;
  if (k->level == 6) {
    bad = err ? 8 : !(lo & 1) ? 1 : mask(lo, 11, 1) || lo >> 48 || hi ? 10 : 0;
    k->bypass = bad && k->intr && !k->at;
    if (bad)
      end(k, bad);
    else
      next(k, lo, k->sid & 255, 16);
    return;
  }
  if (k->level == 5) {
    bool pt = lo & 8;
    bad = err                                                         ? 9
          : !(lo & 1)                                                 ? 2
          : mask(lo, 11, 4) || lo >> 48 || hi >> 24 || mask(hi, 7, 7) ? 11
          : (lo & 4) || (hi & 7) != 2                                 ? 3
                                                                      : 0;
    k->fpd = !err && lo & 2;
    k->aa = hi & 8;
    k->did = (unsigned)mask(hi, 23, 8);
    k->ctx_fill = !bad;
    k->ctx = mask(lo, 47, 12) << 4 | (uint64_t)k->aa << 3 | mask(hi, 4, 4) << 2 | (uint64_t)k->fpd << 1 | pt;
    k->bypass = !k->at && (k->intr || (!bad && pt));
    k->nointr = k->bypass && k->intr && !bad && hi & 16;
    if (bad)
      end(k, bad);
    else if (k->at)
      end(k, 13);
    else if (k->bypass)
      end(k, 0);
    else if (k->page >> 36)
      end(k, 4);
    else
      next(k, lo, (unsigned)mask(k->page, 35, 27), 8);
    return;
  }
  uint64_t e = k->addr & 8 ? hi : lo;
  unsigned n = k->level;
  bool ps = (n == 3 || n == 2) && e & 128, last = n == 1 || ps, wl = n == 1 ? e & 128 : e & 8;
  bool lives = e & 3 || (last && k->aa && w.aae && (wl || mask(e, 10, 8) || e >> 63));
  bool reserved = mask(e, 11, 11) || mask(e, 51, 48) || mask(e, 62, 62) || (n == 4 && e & 128) ||
                  (ps && mask(e, n == 3 ? 29 : 20, 12));
  k->r &= e & 1;
  k->w &= (e & 2) != 0;
  bad = err ? 7 : !lives ? (k->write ? 5 : 6) : reserved ? 12 : 0;
  if (bad) {
    end(k, bad);
  } else if (last) {
    k->leaf = true, k->size = n;
    k->data = mask(e, 47, 12) << 17 | (uint64_t)k->r << 16 | (uint64_t)k->w << 15 | (uint64_t)wl << 14 |
              mask(e, 10, 8) << 11 | e >> 63 << 10 | mask(e, 61, 52);
    end(k, 0);
  } else {
    uint64_t pointer = mask(e, 47, 12) << 2 | (uint64_t)k->r << 1 | k->w;
    if (n == 3) k->psc3_fill = true, k->psc3 = pointer;
    if (n == 2) k->psc2_fill = true, k->psc2 = pointer;
    next(k, e, (unsigned)mask(k->page, 9 * n - 10, 9 * n - 18), 8);
  }
}

// ---- a cycle --------------------------------------------------------------------------------------------------------
static void check_fill(tb *t, dut *d) {
  unsigned s = (unsigned)dut_get_f2_slot_o(d);
  CHECK(t, s < Slots && w.s[s % Slots].state == Ended, "P1: a fill from slot %u", s);
  walk *k = &w.s[s % Slots];
  bool root = k->ctx_fill || k->leaf;  // who it is, as F1 said
  CHECK_EQ(t, w.f1[0], (uint64_t)k->lane << 24 | k->num << 16 | k->sid, "lane, number, SID of slot %u", s);
  CHECK_EQ(t, w.f1[1], k->page, "page of slot %u", s);
  if (root) CHECK_EQ(t, w.f1[2], k->did, "DID of slot %u", s);
  CHECK_EQ(t, dut_get_f2_fault_o(d), k->fault, "fault at level %u of sid %x page %" PRIx64, k->level, k->sid, k->page);
  CHECK_EQ(t, dut_get_f2_own_o(d), k->own, "P5: own");
  CHECK_EQ(t, dut_get_f2_bypass_o(d), k->bypass, "bypass");
  CHECK_EQ(t, dut_get_f2_nointr_o(d), k->nointr, "nointr");
  CHECK_EQ(t, dut_get_f2_fpd_o(d), k->fpd, "FPD");
  CHECK_EQ(t, dut_get_f2_leaf_o(d), k->leaf, "a leaf");
  CHECK_EQ(t, dut_get_f2_ctx_fill_o(d), k->ctx_fill, "a context to fill");
  CHECK_EQ(t, dut_get_f2_psc3_fill_o(d), k->psc3_fill, "a level-3 entry to fill");
  CHECK_EQ(t, dut_get_f2_psc2_fill_o(d), k->psc2_fill, "a level-2 entry to fill");
  if (k->leaf) CHECK_EQ(t, dut_get_f2_size_o(d), k->size, "level of the leaf");
  if (k->leaf) CHECK_EQ(t, dut_get_f2_data_o(d), k->data, "the leaf");
  if (k->leaf) CHECK_EQ(t, dut_get_f2_aa_o(d), k->aa && w.aae, "Active Access");
  if (k->ctx_fill) CHECK_EQ(t, dut_get_f2_ctx_o(d), k->ctx, "the context");
  if (k->psc3_fill) CHECK_EQ(t, dut_get_f2_psc3_o(d), k->psc3, "the level-3 entry");
  if (k->psc2_fill) CHECK_EQ(t, dut_get_f2_psc2_o(d), k->psc2, "the level-2 entry");
  bool heir = false;
  for (unsigned i = 0; i < Slots; i++)
    if (Window > 1 && live(i) && w.s[i].own && w.s[i].lane == k->lane && ((w.s[i].num ^ (k->num + 1)) & IdxMask) == 0)
      heir = true, CHECK_EQ(t, dut_get_heir_slot_o(d), i, "slot of the heir");
  CHECK_EQ(t, dut_get_heir_o(d), heir, "heir of lane %u request %u", k->lane, k->num);
}

// What one cycle does, and what the walks are at when it begins.
typedef struct {
  act a;
  unsigned free, pending, urgent, ended, slot, fill;
  int same;
  unsigned alike;                    // live walks that the hash takes for the request's: bits
  bool twin, f1, conf, start, take;  // twin: a request has one walk of its own
} now;

static void count(now *n) {
  const walk *q = &w.start;
  n->same = -1;
  for (unsigned i = 0; i < Slots; i++) {
    n->free += w.s[i].state == Free, n->ended += w.s[i].state == Ended;
    if ((w.s[i].state == Walks || w.s[i].state == Dead) && !w.s[i].asked) n->pending++, n->urgent += w.s[i].begun;
    if (live(i) && w.s[i].sid == q->sid && w.s[i].page == q->page) n->same = (int)i;
    if (live(i) && hash(&w.s[i]) == hash(q)) n->alike |= 1u << i;
    n->twin |= live(i) && w.s[i].own && w.s[i].lane == q->lane && ((w.s[i].num ^ q->num) & IdxMask) == 0;
  }
}

static void drive(tb *t, dut *d, const now *n) {
  const walk *q = &w.start;
  dut_set_next_i(d, 1);
  dut_set_next_sid_i(d, q->sid);
  dut_set_next_iova_i(d, q->page);
  dut_tick(d);
  dut_set_next_i(d, 0);
  dut_set_next_sid_i(d, rnd_bits(t, 16));
  dut_set_next_iova_i(d, rnd_bits(t, 52));
  dut_set_aae_i(d, w.aae);
  dut_set_forget_i(d, n->a.forget);
  dut_set_start_i(d, 0);
  dut_set_st_lane_i(d, q->lane);
  dut_set_st_num_i(d, q->num);
  dut_set_st_sid_i(d, q->sid);
  dut_set_st_iova_i(d, q->page);
  dut_set_st_write_i(d, q->write);
  dut_set_st_intr_i(d, q->intr);
  dut_set_st_at_i(d, q->at);
  dut_set_st_level_i(d, q->level);
  dut_set_st_addr_i(d, q->addr >> 3);
  dut_set_st_did_i(d, q->did);
  dut_set_st_aa_i(d, q->aa);
  dut_set_st_fpd_i(d, q->fpd);
  dut_set_st_r_i(d, q->r);
  dut_set_st_w_i(d, q->w);
  dut_set_pass_i(d, n->a.pass);
  dut_set_pass_lane_i(d, n->a.pass_lane);
  dut_set_pass_idx_i(d, n->a.pass_num & IdxMask);
  dut_set_f1_take_i(d, 0);
  dut_set_f2_done_i(d, w.f2 && n->a.done && !n->a.forget);
  dut_set_f2_lane_i(d, w.f2 ? w.s[w.f1_slot].lane : rnd_bits(t, 4));
  dut_set_ar_ready_i(d, n->a.ar);
  dut_set_r_valid_i(d, n->a.answer >= 0);
  dut_set_r_id_i(d, n->a.answer >= 0 ? (uint64_t)n->a.answer : rnd_bits(t, 8));
  uint32_t r[4] = {(uint32_t)n->a.lo, (uint32_t)(n->a.lo >> 32), (uint32_t)n->a.hi, (uint32_t)(n->a.hi >> 32)};
  dut_set_r_data_i(d, r);
  dut_set_r_err_i(d, n->a.err);
  dut_eval(d);
}

// F2 first: who it is was said in the cycle before, and comes back from the pipe.
static void fills_and_conflicts(tb *t, dut *d, now *n) {
  const walk *q = &w.start;
  CHECK_EQ(t, dut_get_f2_valid_o(d), w.f2, "f2_valid_o");
  if (w.f2) {
    dut_set_f2_lane_i(d, w.f1[0] >> 24);
    dut_set_f2_idx_i(d, w.f1[0] >> 16 & IdxMask);
    dut_eval(d);
    check_fill(t, d);
  }
  n->f1 = dut_get_f1_valid_o(d);
  CHECK_EQ(t, n->f1, n->ended && !w.f2, "f1_valid_o with %u ended walks", n->ended);
  n->slot = (unsigned)dut_get_free_slot_o(d);
  n->fill = (unsigned)dut_get_f2_slot_o(d);
  CHECK_EQ(t, dut_get_free_o(d), n->free > 0, "free_o");
  CHECK_EQ(t, dut_get_free_more_o(d), n->free > 1, "free_more_o");
  if (n->free) CHECK(t, n->slot < Slots && w.s[n->slot % Slots].state == Free, "P1: slot %u is not free", n->slot);
  n->conf = dut_get_conf_o(d);
  CHECK_EQ(t, n->conf, n->alike != 0, "P4: slots %x walk for the hash of sid %x page %" PRIx64, n->alike, q->sid,
           q->page);
  if (n->conf)
    CHECK(t, n->alike >> dut_get_conf_slot_o(d) & 1, "P4: slot %" PRIu64 " of %x", dut_get_conf_slot_o(d), n->alike);
  if (n->same >= 0) CHECK_EQ(t, dut_get_conf_slot_o(d), n->same, "P4: conf_slot_o");
  w.conflicts += n->same >= 0, w.false_conflicts += n->conf && n->same < 0;
}

static void reads(tb *t, dut *d, const now *n) {
  unsigned id = (unsigned)dut_get_ar_id_o(d);
  uint64_t ar = dut_get_ar_addr_o(d) << 8 | id << 1 | dut_get_ar_wide_o(d);
  CHECK_EQ(t, dut_get_ar_valid_o(d), n->pending > 0, "P1: ar_valid_o with %u reads to do", n->pending);
  CHECK_EQ(t, dut_get_r_ready_o(d), 1, "P3: r_ready_o");
  if (n->pending) {
    if (w.lock) CHECK_EQ(t, ar, w.lock_ar, "P3: a waiting AR changed");
    walk *k = &w.s[id % Slots];
    CHECK(t, id < Slots && (k->state == Walks || k->state == Dead) && !k->asked, "P1: a read for slot %u", id);
    CHECK_EQ(t, dut_get_ar_addr_o(d), k->addr, "address of the level %u read of slot %u", k->level, id);
    CHECK_EQ(t, dut_get_ar_wide_o(d), k->level > 4, "size of the level %u read", k->level);
    if (!w.lock && n->urgent) CHECK(t, k->begun, "the first read of slot %u before those that answers ask for", id);
    if (n->a.ar) k->asked = true, k->age = 0;
  }
  w.lock = n->pending && !n->a.ar, w.lock_ar = ar;
}

static void answered(tb *t, const now *n) {
  if (n->a.answer >= 0) {
    walk *k = &w.s[n->a.answer];
    w.errors += n->a.err && k->state == Walks;
    if (k->state == Dead || n->a.forget)
      k->state = Free;
    else
      meaning(k, n->a.lo, n->a.hi, n->a.err);
  }
  if (w.f2) w.s[n->fill % Slots].passed_by = 0;  // its turn is over, done or not
  if (w.f2 && n->a.done && !n->a.forget) {
    walk *k = &w.s[n->fill % Slots];
    w.faults[k->fault]++;
    k->state = Free;
  }
  for (unsigned i = 0; i < Slots; i++) {
    w.s[i].age++;
    if (n->a.pass && w.s[i].lane == n->a.pass_lane && ((w.s[i].num ^ n->a.pass_num) & IdxMask) == 0) w.s[i].own = false;
    if (w.f2 && i != n->fill && w.s[i].state == Ended)
      CHECK(t, w.s[i].passed_by++ < Slots, "slot %u waits while others fill", i);
    if (n->a.forget && w.s[i].state == Ended) w.s[i].state = Free;
    if (n->a.forget && w.s[i].state == Walks) w.s[i].state = Dead;
  }
}

// Begins with the clock edge that ends the cycle before: that one had to know whose walk this one asks for. Returns the
// slot of a walk that begins, or -1.
static int cycle(tb *t, dut *d, act a) {
  now all = {.a = a}, *n = &all;
  count(n);
  drive(t, d, n);
  fills_and_conflicts(t, d, n);
  reads(t, d, n);
  n->start = n->a.start && n->free && !n->conf && !n->twin && !n->a.forget && !w.f2;
  n->take = n->a.take && n->f1 && !n->a.forget;
  dut_set_start_i(d, n->start);
  dut_set_f1_take_i(d, n->take);
  dut_eval(d);
  w.f1[0] = dut_get_f1_lane_o(d) << 24 | dut_get_f1_num_o(d) << 16 | dut_get_f1_sid_o(d);
  w.f1[1] = dut_get_f1_iova_o(d);
  w.f1[2] = dut_get_f1_did_o(d);
  answered(t, n);
  if (n->start) {
    w.s[n->slot] = w.start;
    w.s[n->slot].state = Walks, w.s[n->slot].own = true;
    if (w.start.level != 6 && w.start.page >> 36) end(&w.s[n->slot], 4);
  }
  w.f2 = n->take;
  return n->start ? (int)n->slot : -1;
}

static act idle(void) { return (act){.answer = -1, .ar = true}; }
static void rest(tb *t, dut *d, unsigned n) {
  while (n--) cycle(t, d, idle());
}
static void drop(tb *t, dut *d) {  // forgets all walks and lets their reads end
  act a = idle();
  a.forget = true;
  cycle(t, d, a);
  a.forget = false;
  for (unsigned i = 0; i < Slots; i++) {
    rest(t, d, 2 * Slots);
    if (w.s[i].state != Dead) continue;
    a.answer = (int)i;
    cycle(t, d, a);
  }
  rest(t, d, 1);
  CHECK(t, dut_get_free_o(d) && !dut_get_ar_valid_o(d), "P2: nothing is left");
}

// A request; from the root on, or with its context known from `level` on.
static int start(tb *t, dut *d, unsigned lane, unsigned num, uint64_t page, unsigned level) {
  w.start = (walk){.lane = lane, .num = num, .sid = 0x1234, .page = page, .level = level, .r = true, .w = true};
  w.start.addr = level == 6 ? 0xabc000 + 0x12 * 16 : 0xdef000 + mask(page, 9 * level - 10, 9 * level - 18) * 8;
  w.start.did = 0x77, w.start.write = true;
  act a = idle();
  a.start = true;
  int s = cycle(t, d, a);
  CHECK(t, s >= 0, "a walk for page %" PRIx64 " begins", page);
  return s < 0 ? 0 : s;
}

// Entries without a fault: root, context, table, leaf of 4K.
static act answer(int slot, unsigned frame) {
  act a = idle();
  a.answer = slot;
  a.lo = a.hi = (uint64_t)frame << 12 | 3;
  if (w.s[slot].level == 6) a.lo &= ~2ULL, a.hi = 0;
  if (w.s[slot].level == 5) a.lo &= ~2ULL, a.hi = 0x7702 | (frame & 1 ? 0 : 8);
  return a;
}
static void fill(tb *t, dut *d, bool done) {  // F1 and F2 of one ended walk
  act a = idle();
  a.take = a.done = true;
  cycle(t, d, a);
  a.take = false, a.done = done;
  cycle(t, d, a);
}

// ---- scenarios ------------------------------------------------------------------------------------------------------
static void cycles_of_one_walk(tb *t, dut *d) {  // L cycles a read: the next one in the cycle after the answer
  static const unsigned from[] = {6, 4, 2, 1};
  for (unsigned l = 1; l <= 20; l += 19) {
    for (unsigned i = 0; i < 4; i++) {
      int s = start(t, d, 1, 7, 0x123456789 + i, from[i]);
      unsigned n = 1;
      for (; w.s[s].state == Walks && n < 500; n++)
        cycle(t, d, w.s[s].asked && w.s[s].age == l ? answer(s, 0x1000 + n) : idle());
      CHECK_EQ(t, n, from[i] * (l + 1) + 1, "cycles from the start to F1: %u reads of %u", from[i], l);
      fill(t, d, true);
    }
  }
  int s = start(t, d, 0, 0, 1ULL << 36, 4);  // too wide, and the context is known: no read at all
  CHECK_EQ(t, w.s[s].fault, 4, "fault of a wide address");
  rest(t, d, 1);
  CHECK_EQ(t, dut_get_ar_valid_o(d), 0, "a read for it");
  fill(t, d, true);
}

static void all_at_once(tb *t, dut *d) {  // a start a cycle, answers in reverse, each walk with its own entries
  for (unsigned i = 0; i < Slots; i++) start(t, d, i, i, 0x1000 + i, 6);
  rest(t, d, Slots + 1);
  CHECK_EQ(t, dut_get_free_o(d), 0, "all walk");
  for (unsigned n = 0; n < 6; n++) {
    for (unsigned i = Slots; i-- > 0;) cycle(t, d, answer((int)i, 0x100 * (n + 1) + i));
    rest(t, d, 1);
  }
  CHECK_EQ(t, dut_get_f1_valid_o(d), 1, "they have ended");
  for (unsigned i = 0; i < Slots; i++) fill(t, d, true);  // one every second cycle
  for (unsigned i = 0; i < Slots; i++) CHECK_EQ(t, w.s[i].state, Free, "slot %u after %u fills", i, (unsigned)Slots);
}

// A leaf that only the marks of Active Access keep alive, in each slot: whether the context has it counts.
static void kept_by_marks(tb *t, dut *d) {
  for (unsigned aa = 0; aa < 2; aa++) {
    for (unsigned i = 0; i < Slots; i++) start(t, d, i, i, 0x2000 + i, 6);
    rest(t, d, Slots + 1);
    for (unsigned n = 0; n < 6; n++) {
      for (unsigned i = 0; i < Slots; i++) {
        act a = answer((int)i, 0x3000 + i);
        if (n == 1) a.hi = 0x7702 | aa << 3;
        if (n == 5) a.lo = a.hi = 0x3000080;
        cycle(t, d, a);
      }
      rest(t, d, Slots);
    }
    for (unsigned i = 0; i < Slots; i++) {
      CHECK_EQ(t, w.s[i].fault, aa ? 0 : 5, "slot %u, a leaf of marks alone, Active Access %u", i, aa);
      fill(t, d, true);
    }
  }
}

static void read_errors(tb *t, dut *d) {  // at each level: its fault, and no more reads
  static const unsigned want[] = {0, 7, 7, 7, 7, 9, 8};
  for (unsigned bad = 6; bad > 0; bad--) {
    int s = start(t, d, 0, bad, 0x55555 + bad, 6);
    while (w.s[s].state == Walks) {
      rest(t, d, 1);
      act a = answer(s, 0x99);
      a.err = w.s[s].level == bad;
      cycle(t, d, a);
    }
    CHECK_EQ(t, w.s[s].fault, want[bad], "fault of a read error at level %u", bad);
    CHECK_EQ(t, w.s[s].level, bad, "it ended there");
    fill(t, d, true);
  }
}

static void forgetting(tb *t, dut *d) {  // P2: at each point of a walk; then the slot must walk again and know nothing
  for (unsigned point = 0; point < 6; point++) {
    int s = start(t, d, 0, 1, 0x777, 2);
    if (point > 0) rest(t, d, 1);                 // asked
    if (point > 1) cycle(t, d, answer(s, 0x10));  // the next read in its queue
    if (point > 2) rest(t, d, 1);
    if (point > 3) cycle(t, d, answer(s, 0x11));  // ended
    act a = idle();
    a.forget = true;
    if (point == 3) a = answer(s, 0x12), a.forget = true;  // the answer comes in that very cycle
    if (point == 5) {
      act f1 = idle();
      f1.take = true;
      cycle(t, d, f1);
    }
    cycle(t, d, a);
    rest(t, d, 1);
    CHECK_EQ(t, dut_get_f1_valid_o(d) | dut_get_f2_valid_o(d), 0, "P2: nothing ends");
    rest(t, d, 1);
    CHECK_EQ(t, dut_get_conf_o(d), 0, "P2: a forgotten walk is in nobody's way");
    CHECK_EQ(t, w.s[s].state, point > 2 ? Free : Dead, "P2: forgotten at point %u", point);
    if (w.s[s].state == Dead) cycle(t, d, answer(s, 0x13));
    s = start(t, d, 0, 1, 0x777, 1);
    rest(t, d, 1);
    cycle(t, d, answer(s, 0x14));
    fill(t, d, true);
    CHECK_EQ(t, w.s[s].state, Free, "the slot walks again");
  }
}

static void fills_that_come_again(tb *t, dut *d) {  // without f2_done_i a walk stays ended
  int s = start(t, d, 2, 9, 0x4321, 1);
  rest(t, d, 1);
  cycle(t, d, answer(s, 0x15));
  for (unsigned i = 0; i < 3; i++) fill(t, d, false);
  CHECK_EQ(t, w.s[s].state, Ended, "it waits");
  fill(t, d, true);
  CHECK_EQ(t, w.s[s].state, Free, "until it is done");
}

static void own_and_heir(tb *t, dut *d) {  // P5; check_fill compares, here are the cases
  if (Slots < 2 || Window < 2) return;
  for (unsigned passed = 0; passed < 3; passed++) {
    int a = start(t, d, 1, 254 + passed, 0x800, 1), b = start(t, d, 1, 255 + passed, 0x900, 1);
    act pass = idle();
    pass.pass = passed > 0, pass.pass_lane = passed, pass.pass_num = 255 + passed;  // 1: b's request, 2: another lane's
    cycle(t, d, pass);
    rest(t, d, 2);
    CHECK_EQ(t, w.s[b].own, passed != 1, "b is still of use");
    cycle(t, d, answer(a, 0x16));
    fill(t, d, true);
    cycle(t, d, answer(b, 0x17));
    fill(t, d, true);
  }
}

static void neighbours(tb *t, dut *d) {  // P4: 1023 pages around it, and the same page of other functions, may walk too
  start(t, d, 0, 0, 0x123400, 4);
  w.false_conflicts = w.conflicts = 0;
  for (unsigned i = 0; i < 1024; i++) {
    w.start.page = 0x123400 ^ i;
    rest(t, d, 1);
  }
  w.start.page = 0x123400;
  for (unsigned i = 0; i < 256; i++) {
    w.start.sid = 0x1234 ^ i;
    rest(t, d, 1);
  }
  CHECK_EQ(t, w.conflicts, 2, "P4: conflicts with itself");
  CHECK_EQ(t, w.false_conflicts, 0, "P4: conflicts with others");
  drop(t, d);
}

// ---- at random ------------------------------------------------------------------------------------------------------
static void new_request(tb *t) {
  static const unsigned from[] = {6, 6, 4, 2, 1};
  walk *q = &w.start;
  *q = (walk){.level = from[rnd_below(t, 5)], .r = true, .w = true, .write = rnd_chance(t, 50)};
  q->lane = (unsigned)rnd_bits(t, 2), q->num = (unsigned)rnd_bits(t, 8);
  q->sid = rnd_chance(t, 80) ? 0x1200 | (unsigned)rnd_bits(t, 3) : (unsigned)rnd_bits(t, 16);
  q->page = rnd_chance(t, 60) ? rnd_bits(t, 3) : rnd_bits(t, rnd_chance(t, 90) ? 36 : 52);
  if (q->level == 6) {
    q->at = rnd_chance(t, 5), q->intr = rnd_chance(t, 10);
    if (q->intr) q->page = 0xfee00, q->write = true;
    q->addr = rnd_bits(t, 44) << 4;
  } else {
    q->did = (unsigned)rnd_bits(t, 16), q->aa = rnd_bits(t, 1), q->fpd = rnd_bits(t, 1), q->addr = rnd_bits(t, 45) << 3;
    if (q->level < 4) q->r = rnd_chance(t, 80), q->w = rnd_chance(t, 80);
  }
}

static void new_entry(tb *t, act *a, unsigned odd) {
  static const uint8_t reserved[] = {0, 1, 7, 11, 12, 20, 21, 29, 48, 49, 50, 51, 62};  // at one level or at all
  const walk *k = &w.s[a->answer];
  uint64_t e = rnd_bits(t, 36) << 12 | (rnd_chance(t, 80) ? 3 : rnd_bits(t, 2));
  if (k->level < 5) {
    e |= rnd(t) & 0xbff0000000000778ULL & (rnd_chance(t, 50) ? ~0ULL : 0);
    if (k->level == 1) e |= rnd(t) & 128;
    if ((k->level == 3 || k->level == 2) && rnd_chance(t, 25)) e = (e >> 30 << 30) | (e & 0xfff) | 128;
    if (k->level == 2 && e & 128) e |= rnd_bits(t, 9) << 21;
    if (rnd_below(t, 100) < odd) e ^= 1ULL << reserved[rnd_below(t, sizeof reserved)];
    a->lo = a->hi = e;
    *(k->addr & 8 ? &a->lo : &a->hi) = rnd(t);  // the other half
  } else if (k->level == 5) {
    a->lo = (e & ~0xffeULL) | 1 | rnd_bits(t, 1) << 1 | (rnd_chance(t, 10) ? 8 : 0);
    a->hi = rnd_bits(t, 16) << 8 | (rnd(t) & 0x78) | 2;
  } else {
    a->lo = (e & ~0xfffULL) | 1, a->hi = 0;
  }
  if (rnd_below(t, 100) < odd) *(rnd_bits(t, 1) ? &a->lo : &a->hi) ^= 1ULL << rnd_bits(t, 6);
  if (k->level > 4 && rnd_below(t, 300) < odd) a->lo &= ~1ULL;
  a->err = rnd_below(t, 300) < odd;
}

static void at_random(tb *t, dut *d) {
  unsigned starts = 1 + (unsigned)rnd_below(t, 100), ready = 1 + (unsigned)rnd_below(t, 100),
           odd = (unsigned)rnd_below(t, 40);
  unsigned answers = 1 + (unsigned)rnd_below(t, 100), takes = 1 + (unsigned)rnd_below(t, 100),
           forgets = (unsigned)rnd_below(t, 10);
  for (unsigned c = 0; c < 300; c++) {
    act a = idle();
    new_request(t);
    a.start = rnd_chance(t, starts), a.ar = rnd_chance(t, ready), a.take = rnd_chance(t, takes),
    a.done = rnd_chance(t, 80);
    a.forget = rnd_below(t, 500) < forgets, a.pass = rnd_chance(t, 10);
    a.pass_lane = (unsigned)rnd_bits(t, 2), a.pass_num = (unsigned)rnd_bits(t, 8);
    unsigned i = (unsigned)rnd_below(t, Slots);
    if ((w.s[i].state == Walks || w.s[i].state == Dead) && w.s[i].asked && rnd_chance(t, answers)) a.answer = (int)i;
    if (a.answer >= 0) new_entry(t, &a, odd);
    cycle(t, d, a);
    if (a.forget) w.aae = rnd_chance(t, 70);  // AA_CTL changes only so
  }
}

static void reset(dut *d) {  // whatever walks, waits or is read
  dut_set_start_i(d, 0);
  dut_set_f1_take_i(d, 0);
  dut_set_f2_done_i(d, 0);
  dut_set_r_valid_i(d, 0);
  dut_reset(d, 1);
  for (unsigned i = 0; i < Slots; i++) w.s[i].state = Free;
  w.f2 = w.lock = false;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_walk", 100000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  w.aae = true;
  cycles_of_one_walk(&t, d);
  all_at_once(&t, d);
  kept_by_marks(&t, d);
  read_errors(&t, d);
  forgetting(&t, d);
  fills_that_come_again(&t, d);
  own_and_heir(&t, d);
  neighbours(&t, d);
  w.false_conflicts = 0;
  while (dut_cycle(d) < t.cycles) {
    at_random(&t, d);
    if (rnd_chance(&t, 25)) reset(d);
  }
  for (unsigned i = 1; i < 14; i++) CHECK(&t, w.faults[i], "no walk ended with fault %u", i);
  CHECK(&t, w.faults[0] > 500 && w.errors > 20 && w.conflicts > 50, "%u without fault, %u errors, %u conflicts",
        w.faults[0], w.errors, w.conflicts);
  CHECK(&t, w.false_conflicts < t.cycles / 10, "%u false conflicts", w.false_conflicts);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
