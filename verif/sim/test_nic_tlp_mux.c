// SPDX-License-Identifier: Apache-2.0
// nic_tlp_mux: TLPs of 1 to 6 beats from two sources with idle and back-pressure: whole, in order, no read before a
// write that was offered before it, turns.
// Rules of rtl/nic/README.md: MEM-6.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128
// netlist: default
#include <string.h>

#include "tb.h"
#include "nic_tlp_mux_tb.h"
#include "aa_fields.h"

#define W P_I_W

typedef struct source {
  uint32_t beat[P_I_WORDS], shown[P_I_WORDS];  // offered; taken, to be shown next
  unsigned left;
  bool up;
  unsigned waits_for;  // TLPs of the other that must have begun before this one may (np), by its count
  uint64_t since;      // cycle in which the beat was first offered
  unsigned begun, lost;
} source;

static bool sop(const source *s) { return bits_get(s->beat, CM_TLP_T_SOP_LSB, 1); }
static bool eop(const source *s) { return bits_get(s->beat, CM_TLP_T_EOP_LSB, 1); }

static bool next(tb *t, source *s, unsigned pct, uint64_t now) {
  if (s->up || !rnd_chance(t, pct)) return false;
  bool first = s->left == 0;
  if (first) s->left = rnd_chance(t, 50) ? 1 : 1 + (unsigned)rnd_below(t, 6);
  rnd_words(t, s->beat, W);
  bits_set(s->beat, CM_TLP_T_SOP_LSB, 1, first);
  bits_set(s->beat, CM_TLP_T_EOP_LSB, 1, --s->left == 0);
  s->since = now;
  return s->up = true;
}

// Reset forgets what is inside, who is in the middle of a TLP, and who came first.
static void restart(dut *d, source s[2]) {
  dut_reset(d, 1);
  for (unsigned i = 0; i < 2; i++) s[i] = (source){.begun = s[i].begun};
}

int main(int argc, char **argv) {
  static source s[2];  // posted, non-posted
  uint32_t out[REQ_O_WORDS];
  unsigned in[2] = {100, 100}, take = 100, turns = 0;
  int from = -1, middle = -1;  // source of the register's beat; of a TLP that is not whole yet
  tb t;
  tb_init(&t, argc, argv, "nic_tlp_mux", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 200 == 0) {
      for (unsigned i = 0; i < 2; i++) in[i] = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 60);
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    }
    if (rnd_below(&t, 500) == 0) restart(d, s), from = middle = -1;
    next(&t, &s[0], in[0], dut_cycle(d));
    // Posted TLPs offered so far: those begun, and the one that waits to.
    if (next(&t, &s[1], in[1], dut_cycle(d)) && sop(&s[1])) s[1].waits_for = s[0].begun + (s[0].up && sop(&s[0]));
    bool ready = rnd_chance(&t, take);
    dut_set_p_valid_i(d, s[0].up);
    dut_set_p_i(d, s[0].beat);
    dut_set_np_valid_i(d, s[1].up);
    dut_set_np_i(d, s[1].beat);
    dut_set_req_ready_i(d, ready);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_req_valid_o(d), from >= 0, "P4: req_valid_o");
    if (from >= 0) {
      dut_get_req_o(d, out);
      CHECK(&t, words_eq(out, s[from].shown, W), "P1: the beat taken from source %d is shown", from);
    }
    bool room = from < 0 || ready;
    bool got[2] = {s[0].up && dut_get_p_ready_o(d), s[1].up && dut_get_np_ready_o(d)};
    CHECK(&t, !(got[0] && got[1]), "P1: both at once");
    if (!room) CHECK(&t, !got[0] && !got[1], "P4: taken without room");
    if (room && (middle < 0 ? s[0].up || s[1].up : s[middle].up)) CHECK(&t, got[0] || got[1], "P3: nobody is taken");
    if (room) from = -1;
    for (int i = 0; i < 2; i++) {
      if (!got[i]) continue;
      source *x = &s[i], *y = &s[!i];
      CHECK(&t, middle < 0 ? sop(x) : middle == i, "P1: source %d in the middle of a TLP of %d", i, middle);
      if (sop(x)) {
        if (i == 1) CHECK(&t, s[0].begun >= x->waits_for, "P2: a read overtakes a write offered before it");
        x->begun++;
        x->lost = 0;
        if (y->up && sop(y)) {
          CHECK(&t, ++y->lost <= 1, "P3: source %d waits for a second TLP", !i);
          CHECK(&t, i ? x->since < y->since : x->since <= y->since, "P3: source %d was offered before %d", !i, i);
          turns++;
        }
      }
      memcpy(x->shown, x->beat, sizeof x->beat);
      middle = eop(x) ? -1 : i;
      x->up = false;
      from = i;
    }
    dut_tick(d);
  }
  printf("  %u posted, %u non-posted, %u turns\n", s[0].begun, s[1].begun, turns);
  CHECK(&t, s[0].begun > t.cycles / 20 && s[1].begun > t.cycles / 20 && turns > 100, "both go through");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
