// SPDX-License-Identifier: Apache-2.0
// aa_xlt_sched between lanes, walkers and a TLB that the test plays: pages that hit or miss, walks that end when they
// like, fills that evict. Scenarios say in which order lanes and requests must come; then everything at random, with a
// bound on how long a lane may stand still. In every cycle: what is looked up, passed, started and flagged is what the
// specification allows.
// Rules of rtl/aa/README.md: XLT-7, XLT-10.
// config: default -GNumLanes=4 -GWindow=8 -GWalkers=4
// config: tiny -GNumLanes=1 -GWindow=1 -GWalkers=1
// config: narrow -GNumLanes=3 -GWindow=2 -GWalkers=1
// config: wide -GNumLanes=16 -GWindow=4 -GWalkers=5
// config: deep -GNumLanes=2 -GWindow=128 -GWalkers=16
// netlist: default
#include "tb.h"
#include "aa_xlt_sched_tb.h"

#include <string.h>

enum { Lanes = P_NumLanes, Window = P_Window, Slots = P_Walkers, Pages = 256 };
enum { IdxMask = Window > 1 ? Window - 1 : 1 };        // of a request's place in its lane
typedef enum { Free, Walks, Ended, Dead } slot_state;  // Dead: forgotten, its read is still under way

static struct {
  struct {
    uint8_t rd, xl, wr;
    unsigned page[256];  // of request n
    bool fresh;          // after a hold or a forget: the next look-up must be xl
    unsigned still, passed;
  } lane[Lanes];
  struct {
    slot_state state;
    unsigned lane, page, left;
    uint8_t num;
    bool own;
  } slot[Slots];
  unsigned tlb[Pages], entries;  // the pages that hit, newest first
  bool odd, look, f2;
  unsigned look_lane, fill_slot, latency;
  uint8_t look_num;
  // What the last cycle showed
  int issued, issued_num, pass, flag, start, started_num;
  unsigned most, starts, passes, flags, conflicts, evictions;
} w;

// The lanes as the head of aa_xlt_sched.sv describes them, cycle by cycle: whoever changes when they are looked up
// changes this as well. Of what C2 finds, o_* is known to its lane a cycle later.
static struct {
  struct {
    uint8_t la, pa;
    unsigned slot;
    bool wait, need, lost;
  } lane[Lanes];
  unsigned pick, turns, turn, c2_lane, o_fail, o_wait,
      o_slot;  // pick, turns: who comes first; turn, o_fail, o_wait: bits
  uint8_t num, o_num;
  bool c2, avail, fresh, o_demand, o_conf;
} m;

static unsigned below(unsigned a, unsigned b) { return (uint8_t)(a - b); }  // numbers of requests are modulo 256
static int walk_for(unsigned page) {
  for (unsigned s = 0; s < Slots; s++)
    if ((w.slot[s].state == Walks || w.slot[s].state == Ended) && w.slot[s].page == page) return (int)s;
  return -1;
}
static bool cached(unsigned page) {
  for (unsigned i = 0; i < w.entries; i++)
    if (w.tlb[i] == page) return true;
  return false;
}
// In an odd world, of four pages one always faults, and one lies in the superpage of another.
static bool faults(unsigned page) { return w.odd && (page & 3) == 3; }
static bool hits(unsigned page) { return cached(page) || (w.odd && (page & 3) == 2 && cached(page - 1)); }
static void tlb_fill(unsigned page, unsigned size) {
  if (cached(page) || faults(page)) return;
  memmove(w.tlb + 1, w.tlb, sizeof w.tlb - sizeof w.tlb[0]);
  w.tlb[0] = page;
  w.evictions += w.entries == size;
  if (w.entries < size) w.entries++;
}

static void arrive(unsigned lane, unsigned page) { w.lane[lane].page[w.lane[lane].wr++] = page; }

// What the walkers are about in one cycle. An ended walk takes two cycles of the pipe: F1, which keeps C1 from a
// look-up, and F2, the fill.
typedef struct walkers {
  unsigned free, first;      // slots, and the first of them
  int ended;                 // the next walk that has ended, or -1
  bool f1, f2;               // what this cycle is
  unsigned fill, fill_lane;  // of F2
  int heir;                  // the walk of the request behind that of F2, or -1
  unsigned page;             // of the look-up in C2
  int conf;                  // the walk that is for it already, or -1
} walkers;

static walkers look_at_walkers(void) {
  walkers k = {.ended = -1, .f2 = w.f2, .fill = w.fill_slot, .heir = -1};
  for (unsigned s = Slots; s-- > 0;)
    if (w.slot[s].state == Free) k.free++, k.first = s;
  for (unsigned i = 0; i < Slots; i++)
    if (k.ended < 0 && w.slot[(k.fill + 1 + i) % Slots].state == Ended) k.ended = (int)((k.fill + 1 + i) % Slots);
  k.f1 = k.ended >= 0 && !w.f2;
  k.fill_lane = w.slot[k.fill].lane;
  k.page = w.lane[w.look_lane].page[w.look_num];
  k.conf = walk_for(k.page);
  for (unsigned s = 0; s < Slots; s++)
    if (k.f2 && Window > 1 && (w.slot[s].state == Walks || w.slot[s].state == Ended) && w.slot[s].own &&
        w.slot[s].lane == k.fill_lane && w.slot[s].num == (uint8_t)(w.slot[k.fill].num + 1))
      k.heir = (int)s;
  return k;
}

static void set_pointers(dut *d) {
  uint32_t wr[4] = {0}, rd[4] = {0};
  for (unsigned l = 0; l < Lanes; l++) bits_set(wr, 8 * l, 8, w.lane[l].wr), bits_set(rd, 8 * l, 8, w.lane[l].rd);
#if WR_PTR_I_W > 64
  dut_set_wr_ptr_i(d, wr);
  dut_set_rd_ptr_i(d, rd);
#else
  dut_set_wr_ptr_i(d, bits_get(wr, 0, 64));
  dut_set_rd_ptr_i(d, bits_get(rd, 0, 64));
#endif
}

static void set_inputs(tb *t, dut *d, const walkers *k, bool hold, bool forget) {
  set_pointers(d);
  dut_set_hold_i(d, hold);
  dut_set_forget_i(d, forget);
  dut_set_stall_i(d, k->f1);
  // A hit is sure, or may be one and is in a TLB; a miss is neither.
  bool hit = w.look ? hits(k->page) : rnd_bits(t, 1), sure = hit && rnd_chance(t, 30),
       may = hit ? !sure : rnd_bits(t, 1);
  dut_set_hit_sure_i(d, sure);
  dut_set_hit_may_i(d, may);
  dut_set_hit_tlb_i(d, may ? hit : rnd_bits(t, 1));
  dut_set_conf_i(d, w.look && k->conf >= 0);
  dut_set_conf_slot_i(d, k->conf >= 0 ? (uint64_t)k->conf : 0);
  dut_set_free_i(d, k->free > 0);
  dut_set_free_more_i(d, k->free > 1);
  dut_set_free_slot_i(d, k->first);
  dut_set_fill_coming_i(d, k->f1 || k->f2);
  dut_set_fill_i(d, k->f2 && !hold);
  dut_set_fill_slot_i(d, k->fill);
  dut_set_fill_lane_i(d, k->fill_lane);
  dut_set_fill_idx_i(d, w.slot[k->fill].num & IdxMask);
  dut_set_fill_own_i(d, w.slot[k->fill].own);
  dut_set_heir_i(d, k->heir >= 0);
  dut_set_heir_slot_i(d, k->heir >= 0 ? (uint64_t)k->heir : 0);
}

// C1: which request is looked up.
static void check_issue(tb *t, dut *d, const walkers *k, bool hold) {
  uint32_t out[4] = {0}, xl[4] = {0};
#if WR_PTR_I_W > 64
  dut_get_lk_idx_o(d, out);
  dut_get_xl_ptr_o(d, xl);
#else
  bits_set(out, 0, 64, dut_get_lk_idx_o(d));
  bits_set(xl, 0, 64, dut_get_xl_ptr_o(d));
#endif
  unsigned issue = (unsigned)dut_get_issue_lane_o(d);
  CHECK(t, (issue & (issue - 1)) == 0, "lanes %x at once", issue);
  CHECK(t, !issue || (!k->f1 && !hold), "P4: a look-up in a cycle that is not its own");
  w.issued = -1;
  for (unsigned l = 0; l < Lanes; l++) {
    CHECK_EQ(t, bits_get(xl, 8 * l, 8), w.lane[l].xl, "P1: xl of lane %u", l);
    if (!(issue >> l & 1)) continue;
    w.issued = (int)l, w.issued_num = (int)bits_get(out, 8 * l, 8);
    unsigned ahead = below((unsigned)w.issued_num, w.lane[l].xl);
    CHECK(t, ahead < below(w.lane[l].wr, w.lane[l].xl), "P1: lane %u looks up request %d, xl %u, wr %u", l,
          w.issued_num, w.lane[l].xl, w.lane[l].wr);
    if (w.lane[l].fresh) CHECK_EQ(t, w.issued_num, w.lane[l].xl, "P4: lane %u begins again at xl", l);
    w.lane[l].fresh = false;
  }
}

// C2: what becomes of the look-up, and whom the fill gives its translation (XLT-7).
static void check_result(tb *t, dut *d, const walkers *k, bool hold) {
  bool pass = dut_get_pass_o(d), start = dut_get_start_o(d), flag = dut_get_flag_o(d);
  unsigned lane = (unsigned)dut_get_lane_o(d), num = (unsigned)dut_get_num_o(d), fl = k->fill_lane;
  CHECK(t, (!pass && !start) || (w.look && !hold && !k->f2), "P4: pass %u, start %u without a look-up", pass, start);
  if (pass || start) {
    CHECK_EQ(t, lane << 8 | num, w.look_lane << 8 | w.look_num, "the look-up in C2");
    CHECK_EQ(t, pass, hits(k->page), "pass: a hit, start: a miss");
    CHECK(t, !(pass && start), "both");
  }
  if (pass) CHECK_EQ(t, num, w.lane[lane].xl, "P1: lane %u passes in order", lane);
  if (start) {
    CHECK(t, k->free && k->conf < 0, "P5: a walk without a free slot, or for a page that walks already (%d)", k->conf);
    CHECK(t, below(num, w.lane[lane].xl) < below(w.lane[lane].wr, w.lane[lane].xl),
          "a walk for a request that is gone");
  }
  CHECK_EQ(t, flag, k->f2 && !hold && w.slot[k->fill].own && w.slot[k->fill].num == w.lane[fl].xl,
           "P1: flag of lane %u", fl);
  CHECK_EQ(t, dut_get_may_pass_o(d), w.look && w.look_num == w.lane[w.look_lane].xl, "pass_o but for the hit");
  CHECK_EQ(t, dut_get_may_flag_o(d), w.slot[k->fill].own && ((w.slot[k->fill].num ^ w.lane[fl].xl) & IdxMask) == 0,
           "flag_o but for fill_i");
  w.pass = pass ? (int)lane : -1;
  w.flag = flag ? (int)fl : -1;
  w.start = start ? (int)lane : -1, w.started_num = (int)num;
  w.starts += start, w.passes += pass, w.flags += flag, w.conflicts += w.look && k->conf >= 0;
}

// Round robin: who of `req` comes next, a bit. Those above the one who went come first then.
static unsigned grant(unsigned req, unsigned *first, bool goes) {
  unsigned pool = req & *first ? req & *first : req, one = pool & (~pool + 1);
  if (req) *first = goes ? ~(one | (one - 1)) : ~(one - 1);
  return one;
}

// What becomes of lane l: it goes on behind what has its flag, begins again, or goes back to what it could not start.
static void lane_goes_on(const walkers *k, unsigned l, bool issue, bool hold, bool forget) {
  uint8_t xl = w.lane[l].xl, la = m.lane[l].la, pa = m.lane[l].pa, la_d = (uint8_t)(la + issue),
          pa_d = (uint8_t)(pa + (issue && la == pa));
  bool flag = w.flag == (int)l, heir = flag && k->heir >= 0, fail = m.o_fail >> l & 1, waits = m.o_wait >> l & 1;
  bool wait = m.lane[l].wait, need = m.lane[l].need, lost = m.lane[l].lost, ends = hold || flag || w.pass == (int)l;
  bool wakes = k->f2 && !hold && ((wait && m.lane[l].slot == k->fill) || (waits && m.o_slot == k->fill));
  if (flag) {
    if (!heir || la == xl) la_d = (uint8_t)(xl + 1);
    if (!heir) pa_d = pa;
    if (pa == xl) pa_d = (uint8_t)(xl + 1);
  } else if (hold || wakes) {
    la_d = xl, pa_d = pa;
  } else if (fail) {
    la_d = m.o_num, pa_d = m.o_demand ? pa : m.o_num;
  } else if (waits && la != pa) {
    la_d = pa_d = pa;
  }
  m.lane[l].la = forget ? w.lane[l].rd : la_d;
  m.lane[l].pa = forget ? w.lane[l].rd : pa_d;
  m.lane[l].wait = flag ? heir : !hold && !wakes && (waits || wait);
  m.lane[l].need = !ends && (waits ? m.o_conf && (need || lost) : need || (fail && m.o_demand));
  m.lane[l].lost = !ends && (wakes || lost);
  if (flag)
    m.lane[l].slot = heir ? (unsigned)k->heir : 0;
  else if (waits)
    m.lane[l].slot = m.o_slot;
}

static void follow(tb *t, const walkers *k, bool hold, bool forget) {
  unsigned need = 0, can = 0, c2 = m.c2_lane;
  for (unsigned l = 0; l < Lanes; l++) need |= (unsigned)m.lane[l].need << l;
  for (unsigned l = 0; l < Lanes; l++) {
    bool may = m.lane[l].wait ? m.fresh : !m.lane[l].need || ((m.turn >> l & 1) && m.avail);
    can |= (unsigned)(may && m.lane[l].la != w.lane[l].wr) << l;
  }
  bool goes = can && !k->f1 && !hold;
  unsigned issue = grant(can, &m.pick, goes), turn = m.turn & need;
  if (!goes) issue = 0;
  CHECK_EQ(t, w.issued < 0 ? 0 : 1u << w.issued, issue, "which of lanes %x is looked up", can);
  if (w.issued >= 0) CHECK_EQ(t, w.issued_num, m.lane[w.issued].la, "which request of lane %d", w.issued);

  bool look =
      m.c2 && !hold && m.lane[c2].la == (uint8_t)(m.num + 1) && m.lane[c2].la != w.lane[c2].xl && !(m.o_fail >> c2 & 1);
  bool demand = m.num == w.lane[c2].xl, miss = look && !hits(k->page), conf = m.c2 && k->conf >= 0;
  bool walk = k->free && (!need || (demand && (turn >> c2 & 1)));
  CHECK_EQ(t, w.pass >= 0, look && !miss && demand, "P1: lane %u passes", c2);
  CHECK_EQ(t, w.start >= 0, miss && !conf && walk, "P5: a walk begins for lane %u, of %x in need", c2, need);

  for (unsigned l = 0; l < Lanes; l++) lane_goes_on(k, l, issue >> l & 1, hold, forget);
  bool coming = k->f1 || k->f2;
  m.avail = k->free || coming;
  m.fresh = (k->free > 1 || (k->free && (coming || !m.c2)) || (coming && !m.c2)) && !need;
  m.turn = grant(need, &m.turns, false);
  m.o_fail = (unsigned)(miss && !conf && !walk) << c2;
  m.o_wait = (unsigned)(miss && demand && (conf || walk)) << c2;
  m.o_demand = demand, m.o_conf = conf, m.o_num = m.num;
  m.o_slot = conf ? (unsigned)k->conf : k->first;
  m.c2 = w.issued >= 0;
  if (m.c2) m.c2_lane = (unsigned)w.issued, m.num = (uint8_t)w.issued_num;
}

// What walkers and TLB make of it.
static void walkers_go_on(tb *t, const walkers *k, unsigned tlb, bool hold, bool forget) {
  if (k->f2 && !hold) tlb_fill(w.slot[k->fill].page, tlb), w.slot[k->fill].state = Free;
  if (w.flag >= 0) w.lane[w.flag].xl++, w.lane[w.flag].passed++;
  if (w.pass >= 0) w.lane[w.pass].xl++, w.lane[w.pass].passed++;
  for (unsigned s = 0; s < Slots; s++) {
    if (w.pass == (int)w.slot[s].lane && ((w.slot[s].num ^ w.look_num) & IdxMask) == 0) w.slot[s].own = false;
    if (w.slot[s].state == Walks && w.slot[s].left-- <= 1) w.slot[s].state = Ended;
    if (w.slot[s].state == Dead && w.slot[s].left-- <= 1) w.slot[s].state = Free;
    if (forget && w.slot[s].state == Ended) w.slot[s].state = Free;
    if (forget && w.slot[s].state == Walks) w.slot[s].state = Dead;
  }
  if (w.start >= 0) {
    w.slot[k->first].state = Walks, w.slot[k->first].own = true;
    w.slot[k->first].lane = (unsigned)w.start, w.slot[k->first].num = (uint8_t)w.started_num;
    w.slot[k->first].page = k->page;
    w.slot[k->first].left = w.latency ? w.latency : 1 + (unsigned)rnd_below(t, 30);
  }
}

static void lanes_go_on(tb *t, bool hold, bool forget) {
  for (unsigned l = 0; l < Lanes; l++) {
    if (forget) w.lane[l].xl = w.lane[l].rd;
    if (hold || forget) w.lane[l].fresh = true;
    bool moved = w.pass == (int)l || w.flag == (int)l || w.lane[l].xl == w.lane[l].wr || hold;
    w.lane[l].still = moved ? 0 : w.lane[l].still + 1;
    if (w.lane[l].still > w.most) w.most = w.lane[l].still;
    CHECK(t, w.lane[l].still < (10 + (w.latency > 30 ? w.latency : 30)) * (Lanes + 1),
          "P2: lane %u stands still at request %u", l, w.lane[l].xl);
  }
}

// One cycle. `tlb`: entries of the TLB; `hold`, `forget` as the ports.
static void cycle(tb *t, dut *d, unsigned tlb, bool hold, bool forget) {
  const walkers k = look_at_walkers();
  set_inputs(t, d, &k, hold, forget);
  dut_eval(d);
  check_issue(t, d, &k, hold);
  check_result(t, d, &k, hold);
  follow(t, &k, hold, forget);
  dut_tick(d);
  walkers_go_on(t, &k, tlb, hold, forget);
  w.look = w.issued >= 0;
  w.look_lane = w.look ? (unsigned)w.issued : w.look_lane, w.look_num = (uint8_t)w.issued_num;
  w.f2 = k.f1 && !hold && !forget;
  if (k.f1) w.fill_slot = (unsigned)k.ended;
  lanes_go_on(t, hold, forget);
}

static void run(tb *t, dut *d, unsigned cycles) {
  while (cycles--) cycle(t, d, Pages, false, false);
}
// Empty lanes after a reset, and pages 0 to 99 in the TLB.
static void fresh(dut *d, unsigned latency) {
  w.latency = latency;
  memset(&w.lane, 0, sizeof w.lane);
  memset(&w.slot, 0, sizeof w.slot);
  memset(&m, 0, sizeof m);
  w.look = w.f2 = false;
  dut_set_hold_i(d, 0), dut_set_forget_i(d, 0), dut_set_fill_i(d, 0), dut_set_conf_i(d, 0), dut_set_free_i(d, 0);
  set_pointers(d);
  dut_reset(d, 2);
  for (w.entries = 0; w.entries < 100; w.entries++) w.tlb[w.entries] = w.entries;
  w.starts = w.passes = w.flags = w.conflicts = w.evictions = 0;
}

// ---- scenarios; pages below 100 hit ---------------------------------------------------------------------------------
static void hits_only(tb *t, dut *d, unsigned lanes) {  // one a cycle, those lanes in turns
  fresh(d, 5);
  int last = -1;
  for (unsigned c = 0; c < 250; c++) {
    for (unsigned l = 0; l < Lanes; l++) {
      w.lane[l].rd = w.lane[l].xl;
      while ((lanes >> l & 1) && below(w.lane[l].wr, w.lane[l].rd) < Window) arrive(l, l);
    }
    run(t, d, 1);
    unsigned next = (unsigned)(last + 1) % Lanes;
    while (!(lanes >> next & 1)) next = (next + 1) % Lanes;
    if (w.pass >= 0 && last >= 0) CHECK_EQ(t, w.pass, next, "after lane %d of %x", last, lanes);
    last = w.pass;
  }
  if ((lanes & (lanes - 1)) || Window > 1)
    CHECK(t, w.passes >= 248, "%u hits of lanes %x in 250 cycles", w.passes, lanes);
}

static void look_ahead(tb *t, dut *d) {  // XLT-10: one lane: the walks of the next requests begin early, and in order
  unsigned n = Window < Slots ? Window : Slots;
  for (unsigned reverse = 0; reverse < 2; reverse++) {
    fresh(d, 1000);
    for (unsigned i = 0; i < Window; i++) arrive(0, 100 + i % 150);
    for (unsigned c = 0, want = 0; c < 4 + 3 * n; c++) {
      run(t, d, 1);
      if (w.start < 0) continue;
      CHECK_EQ(t, w.started_num, want++, "walks in order");
    }
    CHECK_EQ(t, w.starts, n, "walks of %u requests, %u walkers", Window, Slots);
    // They end in order: each gives its request. In reverse: the oldest does, the others then hit.
    for (unsigned i = 0; i < n; i++) w.slot[i].left = 1 + 4 * (reverse ? n - 1 - i : i);
    w.latency = 1000;
    run(t, d, 4 * n + 4);
    CHECK_EQ(t, w.flags, reverse ? 1 : n, "flags of %u walks", n);
    run(t, d, n + 4);
    CHECK_EQ(t, w.flags + w.passes, n, "requests that are translated");
  }
}

static void a_hit_behind_a_miss(tb *t, dut *d) {  // waits, and passes two cycles after the flag
  if (Window < 2) return;
  fresh(d, 50);
  arrive(0, 100), arrive(0, 7);
  for (unsigned c = 0; c < 100 && w.flag < 0; c++) run(t, d, 1);
  CHECK_EQ(t, w.starts << 8 | w.passes, 1 << 8, "one walk, and nothing passes it");
  run(t, d, 2);
  CHECK_EQ(t, w.pass, 0, "the hit");
}

static void probed_once(tb *t, dut *d) {  // lane 0 waits twice; what it has looked up ahead is not looked up again
  if (Lanes < 2 || Window < 8 || Slots < 4) return;
  fresh(d, 60);
  arrive(1, 100);
  run(t, d, 4);
  arrive(0, 100), arrive(0, 101);
  for (unsigned i = 2; i < 8; i++) arrive(0, i);
  run(t, d, 30);
  CHECK_EQ(t, w.starts << 8 | w.passes, 2 << 8, "walks for 100 and 101");
  unsigned looks = 0;
  w.slot[0].left = 1;
  for (unsigned c = 0; c < 20; c++) {
    run(t, d, 1);
    looks += w.issued == 0;
  }
  CHECK(t, w.passes == 1 && looks <= 4, "page 100 is there: %u passes, %u look-ups of lane 0", w.passes, looks);
}

// XLT-10: a request hits while its own walk goes on: that walk is nobody's any more
static void overtaken(tb *t, dut *d) {
  fresh(d, 1000);
  arrive(0, 100);
  run(t, d, 6);
  CHECK_EQ(t, w.starts, 1, "a walk for request 0");
  tlb_fill(100, Pages);  // by a superpage
  cycle(t, d, Pages, true, false);
  run(t, d, 4);
  CHECK_EQ(t, w.lane[0].xl, 1, "P4: after the hold it is looked up again, and hits");
  for (unsigned i = 0; i < IdxMask; i++) {
    w.lane[0].rd = w.lane[0].xl;
    arrive(0, 7);
    run(t, d, 4);
  }
  CHECK_EQ(t, w.passes, IdxMask + 1, "hits");
  w.lane[0].rd = w.lane[0].xl;
  arrive(0, 101);  // in the place of request 0
  run(t, d, 4);
  w.slot[0].left = 1;
  run(t, d, 6);
  CHECK_EQ(t, w.flags, 0, "P1: the walk of request 0 gives nothing to request %u", IdxMask + 1);
}

static void one_page_in_all_lanes(tb *t, dut *d) {  // XLT-10: one walk; who waited for it is looked up again
  fresh(d, 40);
  for (unsigned l = 0; l < Lanes; l++) arrive(l, 100);
  run(t, d, 40 + 2 * Lanes + 4);
  CHECK_EQ(t, w.starts << 16 | w.flags << 8 | w.passes, 1 << 16 | 1 << 8 | (Lanes - 1), "walks, flags, hits");
  CHECK(t, w.conflicts + 1 >= Lanes, "%u conflicts", w.conflicts);
}

static void turns(tb *t, dut *d) {  // lane 0 has taken all walkers: the next ones are for those who need one
  if (Lanes < 2 || Window < Slots + 1) return;
  unsigned latency = 8 * Slots + 40;
  fresh(d, latency);
  for (unsigned i = 0; i < Window; i++) arrive(0, 100 + i % 100);
  run(t, d, 4 * Slots + 4);
  CHECK_EQ(t, w.starts, Slots, "all walkers for lane 0");
  for (unsigned l = 1; l < Lanes; l++) arrive(l, 200 + l);
  unsigned seen = 0, taken = 0;
  for (unsigned c = 0; c < (latency + 10) * Lanes && taken + 1 < Lanes; c++) {
    run(t, d, 1);
    if (w.start < 0) continue;
    CHECK(t, w.start != 0 && !(seen >> w.start & 1), "P5: a walk for lane %d, lanes %x had theirs", w.start, seen);
    seen |= 1u << w.start, taken++;
  }
  CHECK_EQ(t, taken, Lanes - 1, "lanes that got a walker");
}

static void forgotten(tb *t, dut *d) {  // P4 (XLT-21)
  for (unsigned forget = 0; forget < 2; forget++) {
    fresh(d, 30);
    unsigned hits = Window < 4 ? Window - 1 : 3;
    for (unsigned l = 0; l < Lanes; l++) {
      for (unsigned i = 0; i < hits; i++) arrive(l, i);
      arrive(l, 100 + l);
    }
    run(t, d, 4 * Lanes + 8);  // hits are translated and not decided, a walk is under way
    CHECK_EQ(t, w.passes << 8 | w.flags, Lanes * hits << 8, "hits before the hold");
    cycle(t, d, Pages, true, false);
    cycle(t, d, Pages, true, forget);
    if (forget) w.entries = 0;  // it was an invalidation
    for (unsigned l = 0; l < Lanes; l++) CHECK_EQ(t, w.lane[l].xl, forget ? 0 : hits, "xl after the hold");
    w.passes = w.flags = 0;
    run(t, d, 60 + 45 * Lanes * (hits + 1));
    CHECK_EQ(t, w.passes + w.flags, Lanes * (forget ? hits + 1 : 1), "translated after the hold");
  }
}

static void thrashing(tb *t,
                      dut *d) {  // one TLB entry, all miss: every lane comes forward, and none much more than another
  fresh(d, 7);
  w.entries = 0;
  unsigned next = 0;
  for (unsigned c = 0; c < 400 * Lanes; c++) {
    for (unsigned l = 0; l < Lanes; l++) {
      w.lane[l].rd = w.lane[l].xl;
      while (below(w.lane[l].wr, w.lane[l].rd) < Window) arrive(l, next++ % Pages);
    }
    cycle(t, d, 1, false, false);
  }
  unsigned least = ~0u, most = 0;
  for (unsigned l = 0; l < Lanes; l++) {
    if (w.lane[l].passed < least) least = w.lane[l].passed;
    if (w.lane[l].passed > most) most = w.lane[l].passed;
  }
  CHECK(t, least >= 30 && most <= 2 * least + 4, "lanes came forward by %u to %u requests", least, most);
}

// All but the last lane go from page to page, one TLB entry for all. What the last one wants walks most of the time,
// and is gone again when it looks: it must get a walk of its own, after at most one of each lane
// and half as much again.
static void chased(tb *t, dut *d) {
  if (Lanes < 2) return;
  for (unsigned pages = 2; pages < 6; pages++) {
    for (unsigned latency = 1; latency < 16; latency++) {
      fresh(d, latency);
      w.entries = w.most = 0;
      unsigned next = 0;
      for (unsigned c = 0; c < 300 + 60 * Lanes; c++) {
        for (unsigned l = 0; l < Lanes; l++) {
          w.lane[l].rd = w.lane[l].xl;
          while (below(w.lane[l].wr, w.lane[l].rd) < Window) arrive(l, l + 1 < Lanes ? next++ % pages : 0);
        }
        cycle(t, d, 1, false, false);
      }
      CHECK(t, 2 * w.most <= 3 * Lanes * (latency + 5), "a lane stands still for %u cycles, %u pages, walks of %u",
            w.most, pages, latency);
    }
  }
}

static void at_random(tb *t, dut *d) {
  unsigned pages = 1 + (unsigned)rnd_below(t, rnd_chance(t, 50) ? 6 : Pages), tlb = rnd_chance(t, 50) ? 1 : pages;
  unsigned fast = 1 + (unsigned)rnd_below(t, 100), decide = 1 + (unsigned)rnd_below(t, 100),
           holds = (unsigned)rnd_below(t, 8);
  unsigned hold = 0;
  bool forget = false, stuck = rnd_chance(t, 20);
  w.odd = rnd_chance(t, 50);
  w.latency = rnd_chance(t, 50) ? 0 : 1 + (unsigned)rnd_below(t, 10);
  for (unsigned c = 0; c < 600; c++) {
    for (unsigned l = 0; l < Lanes; l++) {
      if (w.lane[l].rd != w.lane[l].xl && !hold && !(stuck && !l) && rnd_chance(t, decide)) w.lane[l].rd++;
      if (below(w.lane[l].wr, w.lane[l].rd) < Window && rnd_chance(t, fast)) arrive(l, (unsigned)rnd_below(t, pages));
    }
    if (w.entries > tlb) w.entries = tlb;
    if (!hold && rnd_below(t, 400) < holds) hold = 2 + (unsigned)rnd_below(t, 5), forget = rnd_chance(t, 60);
    cycle(t, d, tlb, hold > 0, hold == 1 && forget);
    if (hold == 1 && forget && rnd_chance(t, 50)) w.entries = 0;
    hold -= hold > 0;
  }
  while (hold--) cycle(t, d, tlb, true, false);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_xlt_sched", 40000);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < 12; i++)
    hits_only(&t, d, 1 + (i ? (unsigned)rnd_below(&t, (1u << Lanes) - 1) : (1u << Lanes) - 2));
  look_ahead(&t, d);
  probed_once(&t, d);
  overtaken(&t, d);
  a_hit_behind_a_miss(&t, d);
  one_page_in_all_lanes(&t, d);
  turns(&t, d);
  forgotten(&t, d);
  thrashing(&t, d);
  chased(&t, d);
  fresh(d, 0);
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) at_random(&t, d);
  CHECK(&t, w.starts > 500 && w.passes > 500 && w.flags > 200 && (Lanes < 2 || w.conflicts > 100),
        "%u walks, %u hits, %u flags, %u conflicts", w.starts, w.passes, w.flags, w.conflicts);
  printf("  %u walks, %u hits, %u flags, %u conflicts, %u evictions\n", w.starts, w.passes, w.flags, w.conflicts,
         w.evictions);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
