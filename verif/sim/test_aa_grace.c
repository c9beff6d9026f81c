// SPDX-License-Identifier: Apache-2.0
// aa_grace: lanes whose requests come, are translated and are decided at any time, each at its own pace, and
// translations that are forgotten. Which requests are owed is known by their numbers, and when the wait rises and falls
// is predicted in every cycle.
// Rules of rtl/aa/README.md: XLT-24.
// config: default -GNumLanes=4 -GWindow=8
// config: one -GNumLanes=2 -GWindow=2
// config: eight -GNumLanes=8 -GWindow=64
// netlist: default
#include "tb.h"
#include "aa_grace_tb.h"

enum { LANES = P_NumLanes, GRACE = 32 };

// Numbers run freely. owed: the number of the request that is owed, plus 1; 0: none.
typedef struct {
  tb *t;
  dut *d;
  unsigned wr[LANES], xl[LANES], rd[LANES], owed[LANES];
  unsigned slow, pace;  // of 256: how often a request is translated, and decided
  unsigned calm;        // cycles since one that is owed was not translated
  bool forget, wait;    // of this cycle; what wait_o has to be
  unsigned over, done;  // waits that ended by time, by decisions
} bench;

static void lanes(bench *b) {
  uint64_t wr = 0, xl = 0, rd = 0;
  for (unsigned l = 0; l < LANES; l++) {
    if (b->rd[l] != b->xl[l] && rnd_below(b->t, 256) < b->pace) b->rd[l]++;
    if (b->xl[l] != b->wr[l] && rnd_below(b->t, 256) < b->slow) b->xl[l]++;
    if (b->wr[l] - b->rd[l] < P_Window && rnd_below(b->t, 256) < 48) b->wr[l]++;
    wr |= (uint64_t)(b->wr[l] & 255) << 8 * l;
    xl |= (uint64_t)(b->xl[l] & 255) << 8 * l;
    rd |= (uint64_t)(b->rd[l] & 255) << 8 * l;
  }
  b->forget = rnd_chance(b->t, b->wait ? 1 : 10);
  dut_set_wr_ptr_i(b->d, wr);
  dut_set_xl_ptr_i(b->d, xl);
  dut_set_rd_ptr_i(b->d, rd);
  dut_set_forget_i(b->d, b->forget);
  dut_eval(b->d);
}

static void look(bench *b) {
  bool some = false, late = false, was = b->wait;
  CHECK_EQ(b->t, dut_get_wait_o(b->d), b->wait, "wait, %u cycles after all was translated", b->calm);
  for (unsigned l = 0; l < LANES; l++) {
    if (b->owed[l] && b->rd[l] != b->owed[l] - 1) b->owed[l] = 0;
    some |= b->owed[l] != 0;
    late |= b->owed[l] && b->xl[l] == b->rd[l];
  }
  b->calm = late ? 0 : b->calm + 1;
  b->wait = b->forget || late || (some && b->calm < GRACE);
  b->over += was && !b->wait && some;
  b->done += was && !b->wait && !some;
  if (!b->forget) return;
  b->calm = 0;
  for (unsigned l = 0; l < LANES; l++) {
    b->owed[l] = b->wr[l] != b->rd[l] ? b->rd[l] + 1 : 0;
    b->xl[l] = b->rd[l];
  }
}

static void reset(bench *b) {
  dut_set_forget_i(b->d, 0);
  dut_set_wr_ptr_i(b->d, 0);
  dut_set_xl_ptr_i(b->d, 0);
  dut_set_rd_ptr_i(b->d, 0);
  dut_reset(b->d, 2);
  for (unsigned l = 0; l < LANES; l++) b->wr[l] = b->xl[l] = b->rd[l] = b->owed[l] = 0;
  b->wait = false;
  b->calm = GRACE;
}

int main(int argc, char **argv) {
  bench all = {0}, *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_grace", 60000);
  b->t = &t;
  b->d = dut_begin(&t);
  reset(b);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    if (!rnd_below(&t, 2000)) reset(b);
    if (!rnd_below(&t, 500)) b->slow = 4u << rnd_below(&t, 6), b->pace = 4u << rnd_below(&t, 4);
    lanes(b);
    look(b);
    dut_tick(b->d);
  }
  CHECK(&t, b->over > 20 && b->done > 20, "too little: %u waits ended by time, %u by decisions", b->over, b->done);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
