// SPDX-License-Identifier: Apache-2.0
// nic_sched: random wakes, also many at once, or a few when all is quiet, against a set of who is owed a turn; nothing
// lost, nothing twice, turns that go round and do not wait to be taken.
// config: default -GNumQps=16
// config: odd -GNumQps=5
// netlist: default
#include <string.h>

#include "tb.h"
#include "nic_sched_tb.h"

typedef struct bench {
  tb t;
  dut *d;
  unsigned owed;                        // a bit a QP
  unsigned age[P_NumQps];               // cycles for which it has been owed a turn
  unsigned passed[P_NumQps][P_NumQps];  // turns that each other has had meanwhile
  int held;                             // the turn that waits, or none
  unsigned want, best;                  // whose turn is still to come; where the search for the next one begins
  int next;                             // the turn that must be there, or none
  unsigned turns;
} bench;

// Nothing is owed any more.
static void reset(bench *b) {
  dut_set_wake_i(b->d, ~0ull);
  dut_reset(b->d, 2);
  b->owed = b->want = b->best = 0;
  b->held = b->next = -1;
}

static void taken(bench *b, unsigned qp) {
  b->turns++;
  b->owed &= ~(1u << qp);
  for (unsigned q = 0; q < P_NumQps; q++) {
    if (!(b->owed >> q & 1)) continue;
    // One that waits already, and one that was to be next.
    CHECK(&b->t, ++b->passed[q][qp] <= 2, "P3: QP %u has had three turns, QP %u none", qp, q);
  }
}

static void turn(bench *b, bool ready) {
  tb *t = &b->t;
  unsigned qp = (unsigned)dut_get_turn_qp_o(b->d);
  CHECK(t, qp < P_NumQps && (b->owed >> qp & 1), "P2: a turn of QP %u that nobody asked for", qp);
  CHECK(t, b->held < 0 || (unsigned)b->held == qp, "P4: the turn changed from %d to %u", b->held, qp);
  b->held = ready ? -1 : (int)qp;
  if (ready && qp < P_NumQps) taken(b, qp);
}

// Turns go round: who wants one and comes first, from the one behind the last turn on. It keeps its place while another
// waits to be taken; a wake of one whose turn waits, or comes now, is served by that turn.
static void go_round(bench *b, unsigned wake, bool ready) {
  bool waits = b->next >= 0 && !ready;
  unsigned was = b->want;
  b->want |= waits ? wake & ~(1u << b->next) : wake;
  if (!waits) b->next = -1;
  if (!was) return;
  while (!(was >> b->best & 1)) b->best = (b->best + 1) % P_NumQps;
  if (waits) return;
  b->next = (int)b->best;
  b->want &= ~(1u << b->best);
  b->best = (b->best + 1) % P_NumQps;
}

static void cycle(bench *b, unsigned wake, bool ready) {
  dut *d = b->d;
  dut_set_wake_i(d, wake);
  dut_set_turn_ready_i(d, ready);
  dut_eval(d);
  unsigned longest = 0;
  for (unsigned q = 0; q < P_NumQps; q++)
    if (b->owed >> q & 1 && ++b->age[q] > longest) longest = b->age[q];
  bool valid = dut_get_turn_valid_o(d);
  CHECK(&b->t, valid || longest < 2, "no turn, and some QP wants one for %u cycles", longest);
  CHECK(&b->t, valid || b->held < 0, "P4: a turn was withdrawn");
  CHECK_EQ(&b->t, valid ? (int)dut_get_turn_qp_o(d) : -1, b->next, "whose turn it is");
  if (valid) turn(b, ready);
  go_round(b, wake, ready);
  for (unsigned q = 0; q < P_NumQps; q++)
    if (wake & ~b->owed & 1u << q) {
      b->age[q] = 0;
      memset(b->passed[q], 0, sizeof b->passed[q]);
    }
  b->owed |= wake;
  dut_tick(d);
}

// None is left when all could have had their turn.
static void drain(bench *b) {
  for (unsigned i = 0; i < P_NumQps + 3; i++) cycle(b, 0, true);
  CHECK_EQ(&b->t, b->owed, 0, "P1: QPs that never got their turn");
}

// Each other QP is woken while the turn of one waits, and then the one before it, which may not come in between; and,
// as the turn is taken, together with one that comes first only when turns begin anew.
static void each_pair(bench *b) {
  for (unsigned n = 0; n < 2 * P_NumQps * P_NumQps; n++) {
    const unsigned q = n / 2 % P_NumQps, other = n / 2 / P_NumQps;
    const bool taken = n % 2;
    for (unsigned i = 0; i < 3; i++) cycle(b, i == 0 ? 1u << q : 0, false);
    cycle(b, 1u << other | (unsigned)taken << rnd_below(&b->t, q + 1), taken);
    if (!taken) cycle(b, 1u << (other + P_NumQps - 1) % P_NumQps, false);
    for (unsigned i = 0; i < 4; i++) cycle(b, 0, true);
  }
}

// Who is woken. In volleys: a few at once, when nobody wants a turn any more, many of them where turns begin anew.
static unsigned wakes(bench *b, unsigned busy, bool volleys) {
  tb *t = &b->t;
  unsigned wake = 0;
  if (volleys) {
    for (unsigned n = b->owed || rnd_chance(t, 60) ? 0 : 1 + (unsigned)rnd_below(t, 3); n; n--)
      wake |= 1u << (rnd_chance(t, 50) ? rnd_below(t, P_NumQps) : (P_NumQps - 2 + rnd_below(t, 4)) % P_NumQps);
    return wake;
  }
  for (unsigned q = 0; q < P_NumQps; q++) wake |= (unsigned)(rnd_chance(t, busy) && rnd_chance(t, 10)) << q;
  if (b->held >= 0 && rnd_chance(t, 20)) wake |= 1u << b->held;
  return wake;
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  unsigned take = 100, busy = 10;
  bool volleys = false;
  tb_init(t, argc, argv, "nic_sched", 26000);
  b.d = dut_begin(t);
  reset(&b);
  each_pair(&b);
  while (dut_cycle(b.d) < t->cycles) {
    if (rnd_below(t, 100) == 0) {
      take = rnd_chance(t, 50) ? 100 : 1 + (unsigned)rnd_below(t, 60);
      volleys = rnd_chance(t, 30);
      busy = rnd_chance(t, 20) ? 0 : 1 + (unsigned)rnd_below(t, 60);
      if (rnd_chance(t, 10)) reset(&b);
    }
    if (rnd_chance(t, 2)) drain(&b);
    cycle(&b, wakes(&b, busy, volleys), rnd_chance(t, take));
  }
  drain(&b);
  CHECK(t, b.turns > t->cycles / 20, "%u turns", b.turns);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
