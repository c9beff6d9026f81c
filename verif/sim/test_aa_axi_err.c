// SPDX-License-Identifier: Apache-2.0
// aa_axi_err: bursts of three ids, as many under way as each may have; responses in any order of ids. Every error has a
// record with the id, address and owner of its burst, and what it means for the log goes with it; nothing else has.
// Rules of rtl/aa/README.md: ERR-1, ERR-2, ERR-4, ERR-5, ERR-6.
#include "aa_fields.h"
#include "tb.h"
#include "aa_axi_err_tb.h"

enum { IDS = 3, MOST = 32 };

typedef struct burst {
  uint64_t addr;
  unsigned owner;
} burst;

int main(int argc, char **argv) {
  static const unsigned depth[IDS] = {P_Depth0, P_Depth1, P_Depth2};
  static burst q[IDS][MOST];
  unsigned head[IDS] = {0}, n[IDS] = {0}, told[IDS] = {0}, full[IDS] = {0}, entries = 0, pointers = 0, fine = 0;
  bool busy = false;
  burst bad = {0};
  unsigned bad_id = 0;
  uint32_t rec[(AA_K_RetireW + 31) / 32], err[(AA_K_ErrW + 31) / 32];
  tb t;
  tb_init(&t, argc, argv, "aa_axi_err", 40000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    unsigned phase = (unsigned)(c >> 9 & 3), aw_pct = phase == 0 ? 95 : 50, b_pct = phase == 1 ? 95 : phase ? 50 : 20;
    unsigned aw_id = (unsigned)rnd_below(&t, IDS), b_id = (unsigned)rnd_below(&t, IDS),
             iuid = (unsigned)rnd_bits(&t, 10);
    bool aw = n[aw_id] < depth[aw_id] && rnd_chance(&t, aw_pct);
    bool b = !busy && n[b_id] && rnd_chance(&t, b_pct), error = rnd_chance(&t, 20), ready = rnd_chance(&t, 50);
    burst now = {rnd_bits(&t, 48), (unsigned)rnd_bits(&t, 7)};
    dut_set_aw_valid_i(d, aw);
    dut_set_aw_id_i(d, aw_id);
    dut_set_aw_addr_i(d, now.addr);
    dut_set_aw_owner_i(d, now.owner);
    dut_set_b_valid_i(d, b);
    dut_set_b_id_i(d, b_id);
    dut_set_b_err_i(d, error);
    dut_set_note_ready_i(d, ready);
    dut_set_fail_iuid_i(d, iuid);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_busy_o(d), busy, "P2: busy_o");
    CHECK_EQ(&t, dut_get_note_valid_o(d), busy, "P1: a record");
    CHECK_EQ(&t, dut_get_err_valid_o(d), busy && ready, "P1: the error goes with its record");
    bool of_log = bad.owner >> 6, ptr = bad.owner >> 5 & 1, small = bad_id == 2, tell = busy && ready;
    CHECK_EQ(&t, dut_get_fail_entry_valid_o(d), tell && of_log && !small, "P3: entries");
    CHECK_EQ(&t, dut_get_fail_ptr_valid_o(d), tell && of_log && small && ptr, "P3: pointer");
    if (tell) {
      if (of_log) CHECK_EQ(&t, dut_get_fail_log_o(d), bad.owner & 31, "P3: log");
      dut_get_note_o(d, rec);
      dut_get_err_o(d, err);
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_KIND_LSB, AA_RETIRE_T_KIND_W), 9, "kind");
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_CODE_LSB, AA_RETIRE_T_CODE_W), AA_K_NoteAxiErr, "code");
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_IDX_LSB, AA_RETIRE_T_IDX_W), bad_id, "id");
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_SLOT_LSB, AA_RETIRE_T_SLOT_W), of_log ? bad.owner & 31 : 255, "log");
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_FLAG_LSB, 1), small && ptr, "flag");
      CHECK_EQ(&t, bits_get(rec, AA_RETIRE_T_A_LSB, 64), bad.addr, "address");
      CHECK_EQ(&t, bits_get(err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W), AA_K_ErrAxiWrite, "error");
      CHECK_EQ(&t, bits_get(err, AA_ERR_T_SID_LSB, 16), 0, "SID");
      CHECK_EQ(&t, bits_get(err, AA_ERR_T_IUID_LSB, 10), of_log ? iuid : 0, "IUID");
      CHECK_EQ(&t, bits_get(err, AA_ERR_T_ADDR_LSB, 64), bad.addr, "error address");
      told[bad_id]++;
      entries += of_log && !small;
      pointers += of_log && small && ptr;
    }
    if (tell) busy = false;
    if (b) {
      busy = error;
      bad = q[b_id][head[b_id]];
      bad_id = b_id;
      head[b_id] = (head[b_id] + 1) % MOST;
      n[b_id]--;
      fine += !error;
    }
    if (aw) {
      q[aw_id][(head[aw_id] + n[aw_id]) % MOST] = now;
      full[aw_id] += ++n[aw_id] == depth[aw_id];
    }
    dut_tick(d);
  }
  for (unsigned i = 0; i < IDS; i++)
    CHECK(&t, told[i] > tb_least(&t, 100) && full[i] > tb_least(&t, 20), "id %u was reported %u times, full %u times",
          i, told[i], full[i]);
  CHECK(&t, entries > tb_least(&t, 100) && pointers > tb_least(&t, 20) && fine > tb_least(&t, 500), "%u %u %u", entries,
        pointers, fine);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
