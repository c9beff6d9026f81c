// SPDX-License-Identifier: Apache-2.0
// aa_xlt in lockstep with the golden model: random requests in all lanes, random tables that change at any time, faults
// and read errors everywhere, answers in any order, lanes that stand still, holds, invalidations and forgotten walks.
// Then rates and latencies.
// Rules of rtl/aa/README.md: XLT-6, XLT-7, XLT-8, XLT-9, XLT-10, XLT-11, XLT-12, XLT-13, XLT-20, XLT-21, XLT-22,
// XLT-23, TMO-6.
// config: default
// config: tiny -GNumLanes=2 -GWindow=2 -GWalkers=1 -GIotlbEntries=1 -GIotlbWays=1 -GSpEntries=1 -GCtxEntries=1 -GPscEntries=1
// config: thrash -GNumLanes=8 -GWindow=4 -GWalkers=2 -GIotlbEntries=1 -GIotlbWays=1 -GSpEntries=1 -GCtxEntries=1 -GPscEntries=0
// config: big -GNumLanes=8 -GWindow=16 -GWalkers=16 -GIotlbEntries=16 -GIotlbWays=16 -GSpEntries=3 -GCtxEntries=4 -GPscEntries=2
// config: random -GNumLanes=2 -GWalkers=3 -GIotlbEntries=32 -GIotlbWays=8 -GIotlbRandom=1
// config: direct -GNumLanes=1 -GWindow=1 -GIotlbEntries=128 -GIotlbWays=1
// netlist: default
#include "tb.h"
#include "aa_xlt_tb.h"

#include <string.h>

#include "tocsin/aa_xlt.h"

#define LANES P_NumLanes
#define WINDOW P_Window
#define SLOTS P_Walkers

enum { ROOT = 0x10, CTX = 0x20, L4 = 0x40, L3 = 0x60, L2 = 0x80, L1 = 0xA0 };  // pages of each kind of table

typedef struct read {
  uint64_t addr;
  bool wide, dead, live;
  unsigned wait;
} read_t;

typedef struct lane {
  uint32_t rd, xl, wr;
  aa_lookup req[128];
  unsigned still;  // cycles without progress
  bool stuck;      // its decisions stand still
} lane_t;

typedef struct state {
  tb *t;
  dut *d;
  aa_xlt m;
  lane_t lane[LANES];
  read_t bus[16];  // by slot
  struct {
    uint64_t addr, w[2];
    bool err, wide;
  } got[16][8];
  unsigned ngot[16], used[16];
  bool slot_live[16];
  uint64_t epoch;
  bool clean;  // tables without faults and superpages
  bool calm;   // tables without faults
  unsigned latency, late_pct, arrive_pct, decide_pct, err_pct, rich;
  bool ar_wait;
  uint64_t ar_addr, ar_id;
  unsigned hold, forget_at;  // cycles of hold left
  int op;                    // 0 none, 1 forget, 2 invalidate
  aa_inval inv;
  bool inv_up, pulse, forget, te_d, aae_d;
  uint64_t root_d;
  bool idle;  // no arrivals
  uint64_t now, walks, fills, hits, flags, results, fault_seen[16];
} state;

static uint64_t mix(uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9ull, x ^= x >> 27, x *= 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// What memory holds: a function of address and epoch.
static uint64_t word(const state *s, uint64_t addr) {
  uint64_t h = mix(addr * 2654435761u + s->epoch), g = mix(h + 1), page = addr >> 12;
  unsigned odd = s->clean ? 99 : s->calm ? 60 : (unsigned)(g % 100);
  uint64_t bit = 1ull << (g >> 8 & 63);
  if (page == ROOT) {
    if (addr & 8) return odd < 2 ? bit : 0;
    return ((CTX + h % 2) << 12 | 1) ^ (odd < 6 ? bit : 0);
  }
  if (page >= CTX && page < L4) {
    if (addr & 8) return (2 | (g >> 20 & (s->clean ? 0 : 0x78)) | (1 + h % 3) << 8) ^ (odd < 6 ? bit : 0);
    uint64_t tt = s->clean || s->calm ? 0 : (g >> 20) % 8;
    return ((L4 + h % 2) << 12 | 1 | (tt < 3 ? tt : 0) << 2 | (g >> 30 & 2)) ^ (odd < 6 ? bit : 0);
  }
  uint64_t bits = (g >> 16 & 0xf000000000000780ull & ~(1ull << 62)) | (g & 3ull << 52);
  uint64_t rw = s->clean ? 3 : (odd < 70 ? 3 : odd & 3);
  if (s->clean) bits = 0;
  bits |= g << 40 & 0x8000000000000000ull;
  if (s->clean) bits = 0;
  uint64_t ps = !s->clean && h % 5 == 0 ? 0x80 : 0;
  if (page < L3) return ((L3 + h % 3) << 12 | rw | (bits & ~0x80ull)) ^ (odd < 4 ? bit : 0);
  if (page < L2)
    return ((ps ? h >> 20 << 30 & 0xffffffffffffull : (L2 + h % 3) << 12) | rw | (bits & ~0x80ull) | ps) ^
           (odd < 4 ? bit : 0);
  if (page < L1)
    return ((ps ? h >> 20 << 21 & 0xffffffffffffull : (L1 + h % 4) << 12) | rw | (bits & ~0x80ull) | ps) ^
           (odd < 4 ? bit : 0);
  return ((h & 0xfffffffffull) << 12 | rw | bits) ^ (odd < 4 ? bit : 0);
}

static void new_look(state *s, aa_lookup *k) {
  tb *t = s->t;
  static const uint16_t sids[] = {0x0100, 0x0208, 0x0001, 0x0109, 0x0308, 0x0007};
  memset(k, 0, sizeof *k);
  k->sid = sids[rnd_below(t, s->rich > 1 ? 6 : 2)];
  unsigned n = s->rich + 1;
  k->iova = rnd_below(t, rnd_chance(t, 10) ? 3 : 1) << 39 | rnd_below(t, n > 4 ? 3 : n) << 30 |
            rnd_below(t, n > 9 ? 9 : n) << 21 | rnd_below(t, n) << 12 | (rnd(t) & 0xffc);
  if (rnd_chance(t, 1)) k->iova |= 1ull << (48 + rnd_below(t, 16));
  k->write = rnd_chance(t, 50);
  k->skip = rnd_chance(t, 4);
  k->at = rnd_chance(t, 3);
  if (rnd_chance(t, 5)) {
    k->intr = k->write = true;
    k->iova = 0xfee00000u | (rnd(t) & 0xffffcu);
  }
}

static void pack_look(uint32_t *w, unsigned lane, const aa_lookup *k) {
  unsigned b = lane * 72;
  bits_set(w, b, 52, k->iova >> 12);
  bits_set(w, b + 52, 16, k->sid);
  bits_set(w, b + 68, 1, k->at);
  bits_set(w, b + 69, 1, k->write);
  bits_set(w, b + 70, 1, k->intr);
  bits_set(w, b + 71, 1, k->skip);
}

// The model reads what the hardware's walk has read.
static bool model_read(void *ctx, unsigned slot, uint64_t addr, void *buf, size_t n) {
  state *s = ctx;
  unsigned i = s->used[slot]++;
  if (i >= s->ngot[slot]) {
    CHECK(s->t, false, "slot %u: the model reads %" PRIx64 ", the hardware has not", slot, addr);
    return false;
  }
  CHECK_EQ(s->t, s->got[slot][i].addr, addr, "slot %u: address of read %u", slot, i);
  CHECK_EQ(s->t, s->got[slot][i].wide ? 16 : 8, n, "slot %u: size of read %u", slot, i);
  uint8_t *b = buf;
  for (size_t k = 0; k < n; k++) b[k] = (uint8_t)(s->got[slot][i].w[(addr + k) >> 3 & 1] >> (8 * ((addr + k) & 7)));
  return !s->got[slot][i].err;
}

static void check_result(state *s, unsigned lane, const aa_xlate *r) {
  tb *t = s->t;
  dut *d = s->d;
  lane_t *l = &s->lane[lane];
  uint64_t v = dut_get_res_o(d);
  CHECK(t, dut_get_res_valid_o(d), "P2: no result in lane %u", lane);
  CHECK_EQ(t, dut_get_res_lane_o(d), lane, "P2: res_lane_o");
  CHECK_EQ(t, dut_get_res_idx_o(d), l->xl & 0xff, "P2: res_idx_o in lane %u", lane);
  const aa_lookup *k = &l->req[l->xl % WINDOW];
  CHECK_EQ(t, v >> 56, r->fault, "fault, lane %u sid %x iova %" PRIx64, lane, k->sid, k->iova);
  CHECK_EQ(t, v >> 54 & 1, r->bypass, "bypass");
  CHECK_EQ(t, v >> 53 & 1, r->nointr, "nointr");
  CHECK_EQ(t, v >> 55 & 1, r->fpd, "fpd, fault %x", r->fault);
  if (!r->fault && !r->bypass) {
    uint64_t want = 0;
    static const uint8_t bit[] = {AA_LEAF_E, AA_LEAF_RLD, AA_LEAF_RL, AA_LEAF_WLD, AA_LEAF_WL, AA_LEAF_W, AA_LEAF_R};
    for (unsigned b = 0; b < 7; b++) want |= (uint64_t)((r->leaf & bit[b]) != 0) << b;
    CHECK_EQ(t, v >> 46 & 0x7f, want, "R W WL WLD RL RLD E, iova %" PRIx64, k->iova);
    CHECK_EQ(t, v >> 36 & 0x3ff, r->leaf >> 52 & 0x3ff, "IUID");
    CHECK_EQ(t, v & 0xfffffffffull, r->leaf >> 12 & 0xfffffffffull, "frame, iova %" PRIx64, k->iova);
  }
  s->fault_seen[r->fault & 15]++;
  s->results++;
  l->xl++;
  l->still = 0;
}

static void check_walk(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  uint32_t w[5];
  dut_get_ret_walk_o(d, w);
  unsigned kind = (unsigned)bits_get(w, 153, 4), lane = (unsigned)bits_get(w, 144, 4),
           slot = (unsigned)bits_get(w, 136, 8);
  unsigned num = (unsigned)bits_get(w, 128, 8);
  CHECK_EQ(t, kind, 2, "RetWalk");
  CHECK(t, lane < LANES && slot < SLOTS, "RetWalk: lane %u slot %u", lane, slot);
  lane_t *l = &s->lane[lane % LANES];
  uint32_t full = l->xl + (uint8_t)(num - l->xl);
  CHECK(t, full < l->wr, "RetWalk for request %u of lane %u, xl %u wr %u", num, lane, l->xl, l->wr);
  const aa_lookup *k = &l->req[full % WINDOW];
  aa_xlate r;
  aa_tlb_way *where;
  CHECK(t, !s->m.walk[slot].active && !s->bus[slot].live, "RetWalk: slot %u is busy", slot);
  CHECK(t, !aa_xlt_walking(&s->m, k), "RetWalk: second walk for sid %x page %" PRIx64, k->sid, k->iova >> 12);
  CHECK(t, aa_xlt_peek(&s->m, k, &r, &where) == AA_HIT_MISS, "RetWalk: sid %x iova %" PRIx64 " is a hit", k->sid,
        k->iova);
  aa_xlt_walk_start(&s->m, slot, lane, full, k);
  s->ngot[slot] = s->used[slot] = 0;
  s->walks++;
}

static void check(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  uint32_t w[5];
  for (unsigned i = 0; i < LANES; i++)
    CHECK_EQ(t, dut_get_xl_ptr_o(d) >> (8 * i) & 0xff, s->lane[i].xl & 0xff, "P2: xl_ptr_o of lane %u", i);
  bool walk = dut_get_ret_walk_valid_o(d), xlate = dut_get_ret_xlate_valid_o(d), res = dut_get_res_valid_o(d);
  if (dut_get_res_write_o(d)) {
    const lane_t *l = &s->lane[dut_get_res_lane_o(d) % LANES];
    CHECK(t, (l->xl & 0xff) == dut_get_res_idx_o(d) && l->xl != l->wr, "res_write_o for request %u, xl %u wr %u",
          (unsigned)dut_get_res_idx_o(d), l->xl, l->wr);
  }
  if (s->hold) CHECK(t, !walk && !xlate && !res, "P4: something retires under hold");
  CHECK_EQ(t, dut_get_ev_walk_o(d), walk, "ev_walk_o");
  CHECK(t, !(walk && xlate), "P3: two records in one cycle");
  if (walk) check_walk(s);
  bool hit = false, fill = false;
  aa_walk_stat st = {false, false, false};
  if (xlate) {
    dut_get_ret_xlate_o(d, w);
    unsigned kind = (unsigned)bits_get(w, 153, 4), lane = (unsigned)bits_get(w, 144, 4),
             slot = (unsigned)bits_get(w, 136, 8);
    bool flag = bits_get(w, 152, 1);
    aa_xlate r;
    if (kind == 3) {
      lane_t *l = &s->lane[lane % LANES];
      aa_tlb_way *where;
      unsigned h;
      CHECK(t, l->xl != l->wr, "RetXlate in an empty lane");
      h = aa_xlt_peek(&s->m, &l->req[l->xl % WINDOW], &r, &where);
      CHECK(t, h != AA_HIT_MISS, "RetXlate: a miss");
      aa_xlt_touch(&s->m, h, where);
      hit = !r.bypass;
      s->hits++;
      check_result(s, lane % LANES, &r);
    } else {
      CHECK_EQ(t, kind, 4, "RetFill");
      CHECK(t, slot < SLOTS && s->m.walk[slot].active, "RetFill: slot %u does not walk", slot);
      slot %= SLOTS;
      aa_walk *k = &s->m.walk[slot];
      lane_t *l = &s->lane[k->lane];
      CHECK_EQ(t, flag, k->num == l->xl, "RetFill: flag, lane %u num %u xl %u", k->lane, k->num, l->xl);
      CHECK_EQ(t, lane, k->lane, "RetFill: lane");
      aa_xlt_walk_end(&s->m, slot, model_read, s, &r, &st);
      CHECK_EQ(t, s->used[slot], s->ngot[slot], "RetFill: reads of slot %u", slot);
      fill = true;
      s->fills++;
      if (flag) {
        s->flags++;
        check_result(s, k->lane, &r);
      } else {
        CHECK(t, !res, "RetFill: a result without flag");
      }
    }
  } else {
    CHECK(t, !res, "a result without a record");
  }
  CHECK_EQ(t, dut_get_ev_hit_o(d), hit, "ev_hit_o");
  CHECK_EQ(t, dut_get_ev_fill_o(d), fill, "ev_fill_o");
  CHECK_EQ(t, dut_get_ev_fault_o(d), st.fault, "ev_fault_o");
  CHECK_EQ(t, dut_get_ev_tlb_fill_o(d), st.tlb_fill, "ev_tlb_fill_o");
  CHECK_EQ(t, dut_get_ev_ctx_fill_o(d), st.ctx_fill, "ev_ctx_fill_o");
}

static void forget_all(state *s) {
  aa_xlt_forget_walks(&s->m);
  for (unsigned i = 0; i < LANES; i++) s->lane[i].xl = s->lane[i].rd;
  for (unsigned i = 0; i < SLOTS; i++) s->bus[i].dead = s->bus[i].live;
}

static void start_hold(state *s) {
  tb *t = s->t;
  s->hold = 3 + (unsigned)rnd_below(t, 6);
  s->op = (int)rnd_below(t, 3);
  if (s->op == 2) {
    static const uint16_t sids[] = {0x0100, 0x0208, 0x0001, 0x0109, 0x010c, 0x0300};
    aa_lookup k;
    new_look(s, &k);
    s->inv = (aa_inval){.ctx = rnd_chance(t, 30),
                        .gran = (uint8_t)(1 + rnd_below(t, 3)),
                        .did = (uint16_t)(1 + rnd_below(t, 3)),
                        .sid = sids[rnd_below(t, 6)],
                        .fm = (uint8_t)rnd_below(t, 4),
                        .am = (uint8_t)rnd_below(t, 19),
                        .ih = rnd_chance(t, 50),
                        .addr = k.iova & ~0xfffull};
    if (rnd_chance(t, 50)) s->inv.am = (uint8_t)rnd_below(t, 4);
    if (s->calm && rnd_chance(t, 70)) s->inv.ctx = false, s->inv.gran = 3;
  }
}

// Arrivals and decisions of the last cycle.
static void arrivals(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  uint64_t wr = 0, rd = 0;
  for (unsigned i = 0; i < LANES; i++) {
    lane_t *l = &s->lane[i];
    if (!s->hold && l->rd != l->xl && !l->stuck && rnd_chance(t, s->decide_pct)) l->rd++;
    if (!s->idle && l->wr - l->rd < WINDOW && rnd_chance(t, s->arrive_pct)) new_look(s, &l->req[l->wr++ % WINDOW]);
    wr |= (uint64_t)(l->wr & 0xff) << (8 * i);
    rd |= (uint64_t)(l->rd & 0xff) << (8 * i);
  }
  dut_set_wr_ptr_i(d, wr);
  dut_set_rd_ptr_i(d, rd);
}

static void hold_and_invalidate(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  bool last = s->hold == 1 && s->op != 2;
  s->forget = last && s->op == 1;
  bool first = s->op == 2 && s->hold == 1 && !s->inv_up;
  s->inv_up = s->op == 2 && s->hold == 1;
  if (first) s->pulse = rnd_chance(t, 30);
  dut_set_hold_i(d, s->hold != 0);
  dut_set_inv_valid_i(d, s->inv_up && (first || !s->pulse));
  uint32_t iw[3];
  rnd_words(t, iw, 96);
  if (s->inv_up && (first || !s->pulse)) {
    bits_set(iw, 0, 52, s->inv.addr >> 12);
    bits_set(iw, 52, 1, s->inv.ih);
    bits_set(iw, 53, 6, s->inv.am);
    bits_set(iw, 59, 2, s->inv.fm);
    bits_set(iw, 61, 16, s->inv.sid);
    bits_set(iw, 77, 16, s->inv.did);
    bits_set(iw, 93, 2, s->inv.gran);
    bits_set(iw, 95, 1, s->inv.ctx);
  }
  dut_set_inv_i(d, iw);
}

static void answer(state *s, int pick, bool err, uint32_t *data) {
  tb *t = s->t;
  read_t *r = &s->bus[pick];
  uint64_t base = r->addr & ~15ull;
  for (unsigned k = 0; k < 2; k++) {
    if (r->wide || (r->addr >> 3 & 1) == k) {
      uint64_t v = word(s, base + 8 * k);
      data[2 * k] = (uint32_t)v;
      data[2 * k + 1] = (uint32_t)(v >> 32);
    }
  }
  if (!r->dead) {
    unsigned n = s->ngot[pick]++;
    CHECK(t, n < 6, "slot %d reads for ever", pick);
    n &= 7;
    s->got[pick][n].addr = r->addr;
    s->got[pick][n].wide = r->wide;
    s->got[pick][n].err = err;
    for (unsigned k = 0; k < 2; k++) s->got[pick][n].w[k] = data[2 * k] | (uint64_t)data[2 * k + 1] << 32;
  }
  r->live = false;
}

static void memory(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  dut_set_ar_ready_i(d, rnd_chance(t, s->late_pct ? 70 : 100));
  int pick = -1;
  unsigned from = (unsigned)rnd_below(t, SLOTS);
  for (unsigned i = 0; i < SLOTS; i++) {
    read_t *r = &s->bus[(from + i) % SLOTS];
    if (r->live && r->wait) r->wait--;
    if (r->live && !r->wait && pick < 0) pick = (int)((from + i) % SLOTS);
  }
  if (pick >= 0 && rnd_chance(t, s->late_pct)) pick = -1;
  uint32_t data[4];
  rnd_words(t, data, 128);
  bool err = pick >= 0 && !s->clean && rnd_chance(t, s->err_pct);
  dut_set_r_valid_i(d, pick >= 0);
  dut_set_r_err_i(d, err);
  dut_set_r_id_i(d, pick >= 0 ? (uint64_t)pick : rnd_bits(t, 8));
  if (pick >= 0) answer(s, pick, err, data);
  dut_set_r_data_i(d, data);
}

static void asked(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  bool ar = dut_get_ar_valid_o(d);
  uint64_t addr = dut_get_ar_addr_o(d), id = dut_get_ar_id_o(d);
  if (s->ar_wait) {
    CHECK(t, ar, "an AR went away");
    CHECK_EQ(t, addr, s->ar_addr, "a waiting AR changed");
    CHECK_EQ(t, id, s->ar_id, "id of a waiting AR changed");
  }
  s->ar_wait = ar && !(dut_get_ar_ready_i(d) & 1);
  s->ar_addr = addr;
  s->ar_id = id;
  if (ar && dut_get_ar_ready_i(d)) {
    CHECK(t, id < SLOTS && !s->bus[id % SLOTS].live, "AR for slot %u, which has one", (unsigned)id);
    id %= SLOTS;
    s->bus[id] = (read_t){
        .addr = addr, .wide = dut_get_ar_wide_o(d), .live = true, .dead = !s->m.walk[id].active, .wait = s->latency};
  }
}

static void settle(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  if (s->forget) {
    if (s->op == 2) aa_xlt_invalidate(&s->m, &s->inv);
    forget_all(s);
    s->m.te = s->te_d, s->m.seen = aa_leaf_all(s->aae_d), s->m.root = s->root_d;
    dut_set_te_i(d, s->te_d);
    dut_set_aae_i(d, s->aae_d);
    dut_set_root_i(d, s->root_d >> 12);
  }
  if (s->hold && !(s->inv_up && !s->forget)) s->hold--;
  for (unsigned i = 0; i < LANES; i++) {
    lane_t *l = &s->lane[i];
    if (l->xl != l->wr && !s->hold) l->still++;
    CHECK(t, l->still < 30000, "P2: lane %u stands still at request %u (sid %x iova %" PRIx64 ")", i, l->xl,
          l->req[l->xl % WINDOW].sid, l->req[l->xl % WINDOW].iova);
    if (l->still >= 30000) l->still = 0;
  }
}

static void cycle(state *s) {
  tb *t = s->t;
  dut *d = s->d;
  s->now++;
  arrivals(s);
  hold_and_invalidate(s);
  memory(s);
  dut_set_forget_i(d, s->forget);
  dut_eval(d);
  if (s->inv_up && dut_get_inv_done_o(d)) {
    s->forget = true;
    dut_set_forget_i(d, 1);
  } else if (!s->inv_up) {
    CHECK(t, !dut_get_inv_done_o(d), "P4: inv_done_o without an invalidation");
  }
  uint64_t idx = dut_get_lk_idx_o(d);
  uint32_t lk[LANES * 72 / 32 + 4];
  memset(lk, 0, sizeof lk);
  for (unsigned i = 0; i < LANES; i++) pack_look(lk, i, &s->lane[i].req[(idx >> (8 * i) & 0xff) % WINDOW]);
  dut_set_lk_i(d, lk);
  dut_eval(d);
  check(s);

  asked(s);
  dut_tick(d);

  settle(s);
}

static void reset(state *s) {
  dut *d = s->d;
  memset(s->lane, 0, sizeof s->lane);
  memset(s->bus, 0, sizeof s->bus);
  dut_set_wr_ptr_i(d, 0);
  dut_set_rd_ptr_i(d, 0);
  dut_set_hold_i(d, 0);
  dut_set_r_valid_i(d, 0);
  dut_reset(d, 3);
  s->hold = 0;
  s->ar_wait = s->inv_up = false;
  aa_xlt_free(&s->m);
  aa_config c;
  memset(&c, 0, sizeof c);
  c.IotlbEntries = P_IotlbEntries, c.IotlbWays = P_IotlbWays, c.IotlbRandom = P_IotlbRandom;
  c.SpEntries = P_SpEntries, c.CtxEntries = P_CtxEntries, c.PscEntries = P_PscEntries, c.Walkers = P_Walkers;
  CHECK_EQ(s->t, aa_xlt_init(&s->m, &c), AA_OK, "aa_xlt_init");
  s->m.te = s->te_d, s->m.seen = aa_leaf_all(s->aae_d), s->m.root = s->root_d;
  dut_set_te_i(d, s->te_d);
  dut_set_aae_i(d, s->aae_d);
  dut_set_root_i(d, s->root_d >> 12);
}

static void run(state *s, unsigned n) {
  for (unsigned i = 0; i < n; i++) cycle(s);
}

static void drain(state *s) {
  s->idle = true;
  for (unsigned i = 0; i < LANES; i++) s->lane[i].stuck = false;
  s->decide_pct = 100;
  for (unsigned i = 0; i < 60000; i++) {
    bool busy = s->hold != 0;
    for (unsigned k = 0; k < LANES; k++) busy |= s->lane[k].rd != s->lane[k].wr;
    for (unsigned k = 0; k < SLOTS; k++) busy |= s->m.walk[k].active;
    if (!busy) break;
    cycle(s);
  }
  s->idle = false;
}

// One request in lane 0 of an idle engine: cycles from the arrival (cycle 0) to the result.
static unsigned one(state *s, uint64_t iova) {
  lane_t *l = &s->lane[0];
  drain(s);
  s->idle = true;
  run(s, 150);
  l->req[l->wr++ % WINDOW] = (aa_lookup){.iova = iova, .sid = 0x100, .write = true};
  unsigned n = 0;
  do {
    n++;
    cycle(s);
  } while (l->xl != l->wr && n < 5000);
  s->idle = false;
  return n;
}

// Requests that march through memory, in the first `lanes` lanes as fast as they go: results in `cycles` cycles.
static unsigned march(state *s, unsigned lanes, uint64_t step, unsigned cycles) {
  static uint64_t next = 1ull << 45;
  drain(s);
  s->idle = true;
  s->decide_pct = 100;
  uint64_t from = 0, begin = s->now;
  while (s->now < begin + cycles + 200) {
    if (s->now == begin + 200) from = s->results;
    for (unsigned i = 0; i < lanes; i++) {
      lane_t *l = &s->lane[i];
      if (l->rd != l->xl) l->rd = l->xl;
      while (l->wr - l->rd < WINDOW && l->wr - l->xl < WINDOW) {
        if (step) next += step;
        l->req[l->wr++ % WINDOW] = (aa_lookup){.iova = next & 0xffffffffffffull, .sid = 0x100, .write = true};
        if (!step) break;
      }
    }
    cycle(s);
  }
  s->idle = false;
  return (unsigned)(s->results - from);
}

static void speed(state *s) {
  tb *t = s->t;
  s->te_d = s->aae_d = true;
  s->root_d = (uint64_t)ROOT << 12;
  s->clean = true;
  s->late_pct = s->arrive_pct = 0;
  s->idle = true;
  for (unsigned n = 1; n <= 20; n += 19) {
    s->latency = n;
    reset(s);
    unsigned got = one(s, 0x1234567000), loads = 6;
    printf("  latency %2u: cold miss, 6 loads: %u cycles", n, got);
    CHECK(t, got <= 4 + loads * (n + 1), "P1: miss of 6 loads of %u cycles: %u", n, got);
    got = one(s, 0x1234567000);
    printf("; hit %u", got);
    CHECK_EQ(t, got, 2, "P1: hit");
    got = one(s, 0x1234568000);
    printf("; next page %u", got);
    if (P_PscEntries) CHECK(t, got <= 4 + (n + 1), "P1: miss of 1 load of %u cycles: %u", n, got);
    got = one(s, 0x5234568000);
    printf("; next GB %u\n", got);
    CHECK(t, got <= 4 + 4 * (n + 1), "P1: miss of 4 loads of %u cycles: %u", n, got);
  }
  unsigned hits = march(s, 1, 0, 1000);
  printf("  hits: one lane %u / 1000 cycles", hits);
  if (WINDOW >= 2) CHECK(t, hits >= 995, "P1: rate of hits in one lane: %u", hits);
  hits = march(s, LANES, 0, 1000);
  printf(", all lanes %u\n", hits);
  if (LANES * WINDOW >= 2) CHECK(t, hits >= 995, "P1: rate of hits in all lanes: %u", hits);
  static const uint64_t step[] = {1ull << 12, 1ull << 21, 1ull << 30};
  for (unsigned i = 0; i < 3; i++) {
    unsigned loads = P_PscEntries ? (unsigned[]){1, 2, 4}[i] : 4, cycles = 4000;
    for (unsigned lanes = 1; lanes <= LANES; lanes += LANES - 1 ? LANES - 1 : 1) {
      unsigned got = march(s, lanes, step[i], cycles);
      double alone = 1.0 / (4 + loads * (s->latency + 1)),
             bus = loads > 1 ? 1.0 / loads : 0.5;  // a miss is two cycles of pipe
      unsigned walks = SLOTS < lanes * WINDOW ? SLOTS : lanes * WINDOW;
      double best = walks * alone < bus ? walks * alone : bus, rate = got / (double)cycles;
      printf("  misses, %u loads of %u, %u lanes: %.1f cycles each, %.2f x %u walkers\n", loads, s->latency, lanes,
             1 / rate, rate / alone / walks, walks);
      CHECK(t, rate >= 0.8 * best, "rate of misses: %.3f of %.3f", rate, best);
    }
  }
  drain(s);
  s->clean = false;
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "aa_xlt", 36000);
  dut *d = dut_begin(&t);
  s.t = &t;
  s.d = d;
  speed(&s);
  // As many cycles behind it: in a short run it would leave none.
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) {
    static const unsigned pct[] = {100, 100, 60, 20, 3};
    s.te_d = rnd_chance(&t, 95);
    s.aae_d = rnd_chance(&t, 70);
    if (rnd_chance(&t, 10)) reset(&s);
    s.rich = rnd_chance(&t, 50) ? (unsigned)rnd_below(&t, 4) : (unsigned)rnd_below(&t, 20);
    s.calm = rnd_chance(&t, 50);
    s.latency = 1 + (unsigned)rnd_below(&t, rnd_chance(&t, 10) ? 300 : rnd_chance(&t, 30) ? 40 : 4);
    s.late_pct = rnd_chance(&t, 50) ? 0 : (unsigned)rnd_below(&t, 90);
    s.arrive_pct = pct[rnd_below(&t, 5)];
    s.decide_pct = pct[rnd_below(&t, 5)];
    s.err_pct = rnd_chance(&t, 50) ? 0 : 3;
    for (unsigned i = 0; i < LANES; i++) s.lane[i].stuck = rnd_chance(&t, 10);
    unsigned holds = rnd_chance(&t, 60) ? 0 : (unsigned)rnd_below(&t, 10);
    for (unsigned i = 0; i < 400; i++) {
      if (!s.hold && rnd_below(&t, 1000) < holds * holds) {
        s.op = 0;
        start_hold(&s);
        s.te_d = rnd_chance(&t, 95);
        s.aae_d = rnd_chance(&t, 70);
      }
      if (rnd_below(&t, s.calm ? 1000 : 200) == 0) s.epoch++;
      cycle(&s);
    }
    if (rnd_chance(&t, 20)) drain(&s);
  }
  drain(&s);
  for (unsigned i = 0; i < LANES; i++) CHECK(&t, s.lane[i].rd == s.lane[i].wr, "lane %u has not finished", i);
  CHECK(&t, s.fills && s.hits && s.flags && (SLOTS < 3 || WINDOW < 4 || !tb_least(&t, 1) || s.flags != s.fills),
        "nothing happened");
  printf("  %" PRIu64 " walks, %" PRIu64 " fills (%" PRIu64 " own), %" PRIu64 " hits; faults", s.walks, s.fills,
         s.flags, s.hits);
  for (unsigned i = 1; i < 14; i++) {
    printf(" %u:%" PRIu64, i, s.fault_seen[i]);
  }
  printf("\n");
  aa_xlt_free(&s.m);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
