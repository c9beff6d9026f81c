// SPDX-License-Identifier: Apache-2.0
// aa_retire_arb: sources that stay until they are served, but for a few; each record once, unchanged, who stays waits
// for N cycles at most, and no cycle passes without a record when two cycles long the same ones ask. Whose turn it is
// goes round: the next of those who wait, who has the turn now not among them.
// config: default -GN=4
// config: one -GN=1
// config: five -GN=5
// netlist: default
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_retire_arb_tb.h"

enum { REC = AA_K_RetireW };

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_retire_arb", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  uint32_t notes[(P_N * REC + 31) / 32] = {0}, want[(REC + 31) / 32], got[(REC + 31) / 32];
  unsigned valid = 0, stay = 0, waited[P_N] = {0}, turn = 0, next = 0;  // turn: a bit; next: round robin begins there
  uint64_t served = 0;
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    unsigned load = c & 1024 ? 95 : 20;
    if (!rnd_below(&t, 500)) {
      dut_reset(d, 1);
      turn = next = stay = 0;
      memset(waited, 0, sizeof waited);
    }
    if (rnd_chance(&t, 5)) {
      unsigned i = (unsigned)rnd_below(&t, P_N);  // has thought better of it, and may have had the turn
      valid &= ~(1u << i), stay = 0, waited[i] = 0;
    }
    for (unsigned i = 0; i < P_N; i++) {
      if (valid >> i & 1 || !rnd_chance(&t, load)) continue;
      valid |= 1u << i;
      for (unsigned k = 0; k < REC; k += 32)
        bits_set(notes, i * REC + k, REC - k < 32 ? REC - k : 32, rnd_bits(&t, REC - k < 32 ? REC - k : 32));
    }
    dut_set_note_valid_i(d, valid);
    dut_set_note_i(d, notes);
    dut_eval(d);
    unsigned ready = (unsigned)dut_get_note_ready_o(d);
    CHECK(&t, !(ready & ~valid) && !(ready & (ready - 1)), "ready %x of %x", ready, valid);
    CHECK_EQ(&t, ready, turn & valid, "whose turn it is");
    CHECK_EQ(&t, dut_get_ret_valid_o(d), ready != 0, "a record is a source's");
    if (stay && stay == valid) CHECK(&t, ready, "who waits for the second cycle goes: %x", valid);
    for (unsigned i = 0; i < P_N; i++) {
      if (ready >> i & 1) {
        memset(want, 0, sizeof want);
        words_copy(want, 0, notes, i * REC, REC);
        dut_get_ret_o(d, got);
        CHECK(&t, words_eq(got, want, REC), "record of source %u", i);
        served++;
      }
      waited[i] = (valid & ~ready) >> i & 1 ? waited[i] + 1 : 0;
      CHECK(&t, waited[i] <= P_N, "source %u waits for %u cycles", i, waited[i]);
    }
    unsigned wait = valid & ~turn;
    while (wait && !(wait >> next & 1)) next = (next + 1) % P_N;
    turn = wait ? 1u << next : 0;
    if (wait) next = (next + 1) % P_N;
    valid &= ~ready;
    stay = valid;
    dut_tick(d);
  }
  CHECK(&t, served > t.cycles / 4, "%llu records", (unsigned long long)served);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
