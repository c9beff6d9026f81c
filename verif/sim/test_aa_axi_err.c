// SPDX-License-Identifier: Apache-2.0
// aa_axi_err: every id that saw an error is reported after it, and none that did not.
#include "aa_fields.h"
#include "tb.h"
#include "aa_axi_err_tb.h"

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_axi_err", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  bool owed[3] = {false};
  uint64_t told[3] = {0};
  uint32_t rec[(AA_K_RetireW + 31) / 32], err[(AA_K_ErrW + 31) / 32];
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    bool valid = rnd_chance(&t, c & 512 ? 60 : 5), ready = rnd_chance(&t, 40);
    unsigned id = (unsigned)rnd_below(&t, 3);
    dut_set_axi_err_valid_i(d, valid);
    dut_set_axi_err_id_i(d, id);
    dut_set_note_ready_i(d, ready);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_note_valid_o(d), owed[0] || owed[1] || owed[2], "a record is owed");
    CHECK_EQ(&t, dut_get_err_valid_o(d), dut_get_note_valid_o(d) && ready, "the error goes with its record");
    if (dut_get_note_valid_o(d) && ready) {
      dut_get_note_o(d, rec);
      dut_get_err_o(d, err);
      unsigned idx = (unsigned)bits_get(rec, AA_RETIRE_T_IDX_LSB, AA_RETIRE_T_IDX_W);
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_CODE_LSB, AA_RETIRE_T_CODE_W), AA_K_NoteAxiErr, "code");
      CHECK_EQ(&t, bits_get(err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W), AA_K_ErrAxiWrite, "error");
      CHECK(&t, idx < 3 && owed[idx], "id %u is owed a record", idx);
      if (idx < 3) owed[idx] = false, told[idx]++;
    }
    if (valid) owed[id] = true;
    dut_tick(d);
  }
  for (unsigned i = 0; i < 3; i++)
    CHECK(&t, told[i] > 100, "id %u was reported %llu times", i, (unsigned long long)told[i]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
