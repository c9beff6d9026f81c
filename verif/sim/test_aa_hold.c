// SPDX-License-Identifier: Apache-2.0
// aa_hold: users that ask, work for a while and let go, and a pipeline that takes its time to stand still. Whose turn
// it is, and when hold and grant rise and fall, is predicted in every cycle; a reset in the midst of it ends the hold.
// Rules of rtl/aa/README.md: INV-12.
// config: default -GN=2
// config: three -GN=3
// netlist: default
#include "tb.h"
#include "aa_hold_tb.h"

// Owner: the user for whom the hold is. Turn: the user with whom round robin begins.
typedef struct {
  tb *t;
  dut *d;
  unsigned want, work[P_N], busy, granted, grants[P_N], waited[P_N], lost[P_N];
  unsigned owner, turn, held, calm;  // owner: N if there is none
  bool hold, idle;
} bench;

static void users(bench *b) {
  for (unsigned i = 0; i < P_N; i++) {
    if (!(b->want >> i & 1) && rnd_chance(b->t, 20)) b->want |= 1u << i, b->work[i] = 1 + (unsigned)rnd_below(b->t, 6);
    if ((b->granted >> i & 1) && !--b->work[i]) b->want &= ~(1u << i);
  }
  b->idle = !b->busy;
  dut_set_req_i(b->d, b->want);
  dut_set_idle_i(b->d, b->idle);
  dut_eval(b->d);
}

// Hold a cycle after the requests, and for one cycle more than its user. A grant once all has stood still for a cycle,
// in the third of the hold at the earliest, since the look-ups under way are over by then.
static void look(bench *b) {
  unsigned gnt = (unsigned)dut_get_gnt_o(b->d);
  b->hold = dut_get_hold_o(b->d);
  CHECK_EQ(b->t, b->hold, b->owner < P_N, "hold");
  bool grants = b->owner < P_N && (b->want >> b->owner & 1) && b->held >= 2 && b->calm;
  CHECK_EQ(b->t, gnt, grants ? 1u << b->owner : 0, "grant for %x in cycle %u of the hold", b->want, b->held);
  CHECK(b->t, !gnt || b->idle, "a grant while something is being decided");
  if (b->granted) CHECK(b->t, b->hold, "hold for one cycle more than its user");
  if (b->granted && !(b->granted & b->want)) CHECK_EQ(b->t, gnt, 0, "a cycle between two users");
}

static void fair(bench *b) {
  unsigned gnt = (unsigned)dut_get_gnt_o(b->d);
  for (unsigned i = 0; i < P_N; i++) {
    bool waits = (b->want & ~gnt) >> i & 1;
    unsigned others = gnt & ~b->granted & ~(1u << i);
    b->waited[i] = waits ? b->waited[i] + b->idle : 0;
    CHECK(b->t, b->waited[i] < 12 * P_N, "user %u waits for %u cycles in which nothing is under way", i, b->waited[i]);
    b->lost[i] = waits ? b->lost[i] + (others != 0) : 0;
    CHECK(b->t, b->lost[i] <= P_N, "user %u waits, and others are served %u times", i, b->lost[i]);
    b->grants[i] += gnt >> i & 1;
  }
  b->granted = gnt;
}

// The first who asks has the turn, and keeps it until nobody holds; then it is the next one's.
static void turns(bench *b) {
  unsigned first = b->turn;
  while (b->want && !(b->want >> first % P_N & 1)) first++;
  b->held = b->hold ? b->held + 1 : 0;
  b->calm = b->hold && b->idle;
  if (b->want) b->turn = (b->hold ? first : first + 1) % P_N;
  if (!b->hold)
    b->owner = b->want ? first % P_N : P_N;
  else if (!(b->want >> b->owner & 1))
    b->owner = P_N;
}

static void reset(bench *b) {
  dut_reset(b->d, 1);
  dut_eval(b->d);
  CHECK(b->t, !dut_get_hold_o(b->d) && !dut_get_gnt_o(b->d), "a hold outlives a reset");
  b->want = b->granted = b->held = b->calm = b->turn = 0;
  b->owner = P_N;
  for (unsigned i = 0; i < P_N; i++) b->waited[i] = b->lost[i] = 0;
}

int main(int argc, char **argv) {
  bench all = {0}, *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_hold", 20000);
  b->t = &t;
  b->d = dut_begin(&t);
  b->busy = 3;
  dut_reset(b->d, 1);
  reset(b);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    if (!rnd_below(&t, b->granted ? 100 : 500)) reset(b);
    users(b);
    look(b);
    fair(b);
    turns(b);
    // The pipeline takes some cycles of a hold to empty, and fills when there is none. It may be empty at once.
    b->busy = !b->hold ? (unsigned)rnd_below(&t, 4) : b->busy ? b->busy - (unsigned)rnd_below(&t, 2) : 0;
    dut_tick(b->d);
  }
  for (unsigned i = 0; i < P_N; i++)
    CHECK(&t, b->grants[i] > t.cycles / 50, "user %u was served %u times", i, b->grants[i]);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
