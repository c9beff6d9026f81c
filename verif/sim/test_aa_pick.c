// SPDX-License-Identifier: Apache-2.0
// aa_pick: lanes that fill and are translated at random, decisions that are sometimes given back. Every request is
// decided once, in order of its lane, non-posted ones after the posted ones before them, and with its own translation.
// A lane that rests is not picked until it is woken, one that came back not before the other lane of its port was, and
// one that can go sees each other lane picked once at most before itself. Somebody is picked in every cycle in which
// somebody can go: a non-posted request, too, that was not decided for a while, and that some hundred posted ones have
// overtaken, or just those between 128 and 255.
// Rules of rtl/aa/README.md: STR-5, STR-12.
// config: default -GNumPorts=2 -GWindow=8
// config: one -GNumPorts=1 -GWindow=2
// config: four -GNumPorts=4 -GWindow=4
// netlist: default
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_pick_tb.h"

enum { LANES = 2 * P_NumPorts, REQ = AA_K_ReqW, RES = AA_K_XlateW };

enum { REQ_WORDS = (REQ + 31) / 32 };

// A request: random in all its bits, as is its translation.
typedef struct {
  uint32_t req[REQ_WORDS];
  uint64_t res;
  unsigned after;  // posted requests that arrived before (NP)
} request;

// The bench; and below what this cycle does.
typedef struct {
  tb *t;
  dut *d;
  unsigned wr[LANES], xl[LANES], rd[LANES], picked[LANES], idle[LANES], lost[LANES];
  unsigned was[LANES];  // rd a cycle ago
  struct {
    bool valid;
    unsigned lane, n;
  } d1, d2;
  request q[LANES][256];
  uint64_t done, bypassed, far, farther;  // decided after 128 and 256 posted requests or more have overtaken it
  unsigned fast, lane, pl, turn;          // turn: round robin begins at this lane
  unsigned until;                         // see stops, and:
  int goal;
  bool hold, valid, decide, back, wake, move, pick, rest[LANES], after[LANES], stop, pause;
} bench;

static request *at(bench *b, unsigned lane, unsigned n) { return &b->q[lane][n & 255]; }
static unsigned after(bench *b, unsigned lane) { return at(b, lane, b->picked[lane])->after; }

// The oldest one that is not picked has those behind it on its port that it must not overtake.
static bool in_order(bench *b, unsigned l) { return !(l & 1) || b->picked[l & ~1u] >= after(b, l); }

// At the beginning of 8192 cycles nothing non-posted is decided until so many posted requests have overtaken the oldest
// one of port 0; then nothing posted arrives for a while.
static void stops(bench *b, uint64_t c) {
  unsigned now = c & 8191;
  int passed = b->rd[1] != b->wr[1] ? (int)(b->rd[0] - at(b, 1, b->rd[1])->after) : 0;
  if (now == 0) b->goal = (int)((c & 8192 ? 140 : 260) + rnd_below(b->t, 100)), b->stop = true;
  if (b->stop && (passed >= b->goal || now > 7000)) b->stop = false, b->until = now + 300;
  b->pause = !b->stop && now < b->until;
}

static void arrive_and_translate(bench *b, uint64_t c) {
  b->fast = c & 1024 ? 90 : 40;
  b->hold = (c & 255) > 247;
  bool late = (c & 255) > 250;
  for (unsigned p = 0; p < P_NumPorts; p++) {
    unsigned l = 2 * p + rnd_chance(b->t, 40);
    if (b->wr[l] - b->was[l] >= P_Window || !rnd_chance(b->t, b->fast) || (b->pause && !(l & 1))) continue;
    request *x = at(b, l, b->wr[l]++);
    rnd_words(b->t, x->req, REQ);
    x->res = rnd_bits(b->t, RES);
    x->after = b->wr[l & ~1u];
  }
  // A translation a cycle, also when a hold begins, before it has an end. What is written without one is anything.
  b->lane = (unsigned)rnd_below(b->t, LANES) & (b->stop && rnd_chance(b->t, 80) ? ~1u : ~0u);
  b->valid = !late && b->xl[b->lane] != b->wr[b->lane] && rnd_chance(b->t, b->fast);
  dut_set_res_valid_i(b->d, b->valid);
  dut_set_res_write_i(b->d, b->valid || (b->xl[b->lane] - b->rd[b->lane] < P_Window && rnd_chance(b->t, 50)));
  dut_set_res_lane_i(b->d, b->lane);
  dut_set_res_idx_i(b->d, b->xl[b->lane] & 255);
  dut_set_res_i(b->d, b->valid ? at(b, b->lane, b->xl[b->lane])->res : rnd_bits(b->t, RES));
}

static void show_lanes(bench *b) {
  uint32_t req[(LANES * REQ + 31) / 32];
  uint64_t wr = 0, xl = 0;
  for (unsigned l = 0; l < LANES; l++) {
    wr |= (uint64_t)(b->wr[l] & 255) << 8 * l;
    xl |= (uint64_t)(b->xl[l] & 255) << 8 * l;
  }
  memset(req, 0, sizeof req);
  for (unsigned l = 0; l < LANES; l++) words_copy(req, l * REQ, at(b, l, b->picked[l])->req, 0, REQ);
  dut_set_wr_ptr_i(b->d, wr);
  dut_set_xl_ptr_i(b->d, xl);
  dut_set_req_i(b->d, req);
  dut_set_hold_i(b->d, b->hold);
}

// The two stages behind it: D2 decides, waits or gives back; or decides, and gives back what is behind it.
static void decide(bench *b) {
  b->decide = b->d2.valid && !b->hold && !(b->stop && (b->d2.lane & 1)) && rnd_chance(b->t, 80);
  b->back = b->d2.valid && (b->hold || rnd_chance(b->t, b->decide ? 5 : 50));
  b->move = !b->d2.valid || b->decide || b->back;
  dut_set_done_valid_i(b->d, b->decide);
  dut_set_done_lane_i(b->d, b->d2.lane);
  dut_set_back_i(b->d, b->back);
  dut_set_rest_i(b->d, b->back && !b->hold);
  dut_set_back_lane_i(b->d, b->d2.lane);
  b->wake = rnd_chance(b->t, 10);
  dut_set_wake_i(b->d, b->wake);
  dut_set_pick_ready_i(b->d, !b->d1.valid || b->move);
  dut_eval(b->d);
}

static void check_pick(bench *b) {
  uint32_t got[REQ_WORDS] = {0};
  CHECK(b->t, !b->hold, "a pick under hold");
  CHECK(b->t, b->pl < LANES, "lane %u", b->pl);
  if (b->pl >= LANES) return;
  const request *x = at(b, b->pl, b->picked[b->pl]);
  CHECK(b->t, !b->rest[b->pl], "lane %u rests", b->pl);
  dut_get_pick_req_o(b->d, got);
  CHECK(b->t, words_eq(got, x->req, REQ), "request %u of lane %u", b->picked[b->pl], b->pl);
  CHECK_EQ(b->t, dut_get_pick_res_o(b->d), x->res, "its own translation");
  CHECK(b->t, b->picked[b->pl] < b->xl[b->pl] + (b->valid && b->lane == b->pl),
        "request %u of lane %u is not translated", b->picked[b->pl], b->pl);
  CHECK(b->t, in_order(b, b->pl), "a non-posted request overtakes a posted one");
}

static void check_pointers(bench *b) {
  uint64_t pk = 0, rd = 0;
  for (unsigned l = 0; l < LANES; l++) {
    pk |= (uint64_t)(b->picked[l] & 255) << 8 * l;
    rd |= (uint64_t)(b->rd[l] & 255) << 8 * l;
  }
  CHECK_EQ(b->t, dut_get_pk_ptr_o(b->d), pk, "how far the lanes are picked");
  CHECK_EQ(b->t, dut_get_rd_ptr_o(b->d), rd, "how far they are decided");
}

static bool can_go(bench *b, unsigned l) {
  return !b->hold && !b->rest[l] && b->picked[l] != b->xl[l] && in_order(b, l);
}

// Whose turn it is, before anything moves. What is translated in this cycle goes if nobody waits, and only then.
static void turns(bench *b) {
  unsigned first = LANES;
  for (unsigned i = 0; i < LANES; i++) {
    unsigned l = (b->turn + i) % LANES;
    bool can = can_go(b, l) && !(b->after[l] && can_go(b, l ^ 1));
    if (can) CHECK(b->t, dut_get_pick_valid_o(b->d), "lane %u can go, and nobody is picked", l);
    b->lost[l] = can && !(b->pick && b->pl == l) ? b->lost[l] + b->pick : 0;
    CHECK(b->t, b->lost[l] < LANES, "lane %u can go, and %u others were picked", l, b->lost[l]);
    if (can && first == LANES) first = l;
  }
  bool any = first < LANES;
  bool fresh =
      !b->hold && b->valid && b->picked[b->lane] == b->xl[b->lane] && !b->rest[b->lane] && in_order(b, b->lane);
  CHECK_EQ(b->t, dut_get_pick_valid_o(b->d), any || fresh, "a pick");
  if (any || fresh) CHECK_EQ(b->t, b->pl, any ? first : b->lane, "whose turn it is");
  if (any) b->turn = b->pick ? first + 1 : first;
  b->bypassed += !any && fresh;
}

static void decided(bench *b) {
  CHECK_EQ(b->t, b->d2.n, b->rd[b->d2.lane], "decided in order");
  if (b->d2.lane & 1) {
    unsigned first = at(b, b->d2.lane, b->d2.n)->after, p = b->rd[b->d2.lane & ~1u];
    CHECK(b->t, p >= first, "posted first");
    b->far += p - first >= 128 && p - first < 256;
    b->farther += p - first >= 256;
  }
  b->rd[b->d2.lane]++;
  b->done++;
}

static void follow(bench *b, uint64_t c) {
  unsigned came_back = b->d2.lane;
  memcpy(b->was, b->rd, sizeof b->was);
  if (b->decide) decided(b);
  bool kill = b->back && b->d1.valid && b->d1.lane >> 1 == b->d2.lane >> 1;
  bool drop = b->back && b->pl >> 1 == b->d2.lane >> 1;  // picked in the cycle in which its port came back
  if (b->back) {
    unsigned p = b->d2.lane & ~1u;
    for (unsigned l = p; l < p + 2; l++) b->picked[l] = b->rd[l];
  }
  if (b->move) {
    b->d2.valid = b->d1.valid && !kill;
    b->d2.lane = b->d1.lane;
    b->d2.n = b->d1.n;
  }
  if (!b->d1.valid || b->move) {
    b->d1.valid = b->pick && !drop;
    b->d1.lane = b->pl;
    if (b->d1.valid) b->d1.n = b->picked[b->pl]++;
  }
  if (b->valid) b->xl[b->lane]++;
  // Under hold, once all stands still, translations are forgotten now and then.
  if (b->hold && !b->d1.valid && !b->d2.valid && (c & 255) == 254)
    for (unsigned l = 0; l < LANES; l++) b->xl[l] = b->rd[l];
  for (unsigned l = 0; l < LANES; l++) {
    if (b->back && !b->hold && came_back == l)
      b->after[l] = true;
    else if (b->pick && !drop && b->pl == (l ^ 1))
      b->after[l] = false;
    b->rest[l] = !b->wake && (b->rest[l] || (b->back && !b->hold && came_back == l));
    b->idle[l] = b->decide && b->d2.lane == l ? 0 : b->idle[l] + (b->rd[l] != b->xl[l]);
    CHECK(b->t, b->idle[l] < 4000, "lane %u starves", l);
  }
}

static void reset(bench *b) {
  dut_set_res_valid_i(b->d, 0);
  dut_set_wr_ptr_i(b->d, 0);
  dut_set_xl_ptr_i(b->d, 0);
  dut_reset(b->d, 1);
  b->d1.valid = b->d2.valid = false;
  b->turn = 0;
  for (unsigned l = 0; l < LANES; l++) {
    b->wr[l] = b->xl[l] = b->rd[l] = b->picked[l] = b->idle[l] = b->lost[l] = 0;
    b->was[l] = 0u - P_Window;  // nothing is seen in the first cycle
    b->rest[l] = b->after[l] = false;
  }
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_pick", 60000);
  b->t = &t;
  b->d = dut_begin(&t);
  reset(b);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    stops(b, c);
    if (!b->stop && !rnd_below(&t, 1500)) reset(b);
    arrive_and_translate(b, c);
    show_lanes(b);
    decide(b);
    b->pick = dut_get_pick_valid_o(b->d) && (!b->d1.valid || b->move);
    b->pl = (unsigned)dut_get_pick_lane_o(b->d);
    check_pointers(b);
    if (dut_get_pick_valid_o(b->d)) check_pick(b);
    turns(b);
    follow(b, c);
    dut_tick(b->d);
  }
  CHECK(&t, b->done > t.cycles / 8, "%llu decisions", (unsigned long long)b->done);
  CHECK(&t, b->bypassed > t.cycles / 100, "%llu picks by the bypass", (unsigned long long)b->bypassed);
  CHECK(&t, b->far > tb_least(&t, 3), "%llu overtaken by 128 to 255", (unsigned long long)b->far);
  CHECK(&t, b->farther > tb_least(&t, 3), "%llu overtaken by 256 or more", (unsigned long long)b->farther);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
