// SPDX-License-Identifier: Apache-2.0
// aa_reset: lanes that fill and are decided, resets of ports and of requester ids at any time, buffers that pass when
// they like. What is old is known for each request; GO ends when nothing of it is left, and not before.
// Rules of rtl/aa/README.md: RST-5, RST-6.
// config: default -GNumPorts=2
// config: one -GNumPorts=1
// config: four -GNumPorts=4
#include "tb.h"
#include "aa_fields.h"
#include "aa_reset_tb.h"
#include "reg_bus.h"

enum { PORTS = P_NumPorts, REG = 0x1070 / 8 };

static void check_note(tb *t, dut *d, unsigned rid) {
  uint32_t note[NOTE_O_WORDS];
  dut_get_note_o(d, note);
  CHECK_EQ(t, bits_get(note, AA_RETIRE_T_CODE_LSB, 4), AA_K_NoteReset, "code");
  CHECK_EQ(t, bits_get(note, AA_RETIRE_T_A_LSB, 64), rid, "a");
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_reset", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned wr[PORTS] = {0}, rd[PORTS] = {0}, cut[PORTS] = {0}, cut_fn[PORTS] = {0};  // cut: below is old
  unsigned reset_last = 0, rid = 0, done_n = 0, old_n = 0, fn_n = 0, late = 0;
  bool go = false, started = false;
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    uint64_t wp = 0, rp = 0;
    unsigned done = 0,
             pass = go && !started ? (unsigned)rnd_bits(&t, 2) | (unsigned)rnd_bits(&t, 2) : (unsigned)rnd_bits(&t, 2);
    // what had come by the end of the last cycle, in which the port was reset or GO written
    for (unsigned p = 0; p < PORTS; p++) {
      if (reset_last >> p & 1) cut[p] = wr[p];
      if (started) cut_fn[p] = wr[p];
      wp |= (uint64_t)(wr[p] & 255) << 8 * p;
      rp |= (uint64_t)(rd[p] & 255) << 8 * p;
      if (rd[p] != wr[p] && rnd_chance(&t, c & 2048 ? 60 : 15)) done |= 1u << p;
    }
    bool here = rnd_chance(&t, 80), we = rnd_below(&t, 20) == 0, ready = rnd_chance(&t, 50);
    unsigned addr = here                         ? REG
                    : (unsigned)rnd_below(&t, 2) ? REG - 1
                                                 : REG + 1,
             strb = rnd_chance(&t, 70) ? 255 : (unsigned)rnd_bits(&t, 8);
    uint64_t data = rnd(&t);
    dut_set_rb_i(d, reg_bus_of(8 * addr, we, data, strb).words);
    dut_set_dev_reset_i(d, reset_last);
    dut_set_wr_ptr_i(d, wp);
    dut_set_rd_ptr_i(d, rp);
    dut_set_done_i(d, done);
    dut_set_pass_i(d, pass);
    dut_set_note_ready_i(d, ready);
    dut_eval(d);
    unsigned old = 0, old_fn = 0, some = 0;
    for (unsigned p = 0; p < PORTS; p++) {
      if (rd[p] == wr[p]) continue;
      some |= 1u << p;
      old |= (unsigned)(rd[p] < cut[p]) << p;
      old_fn |= (unsigned)(rd[p] < cut_fn[p]) << p;
    }
    CHECK_EQ(&t, dut_get_old_o(d) & some, old, "what is old of each port");
    CHECK_EQ(&t, dut_get_old_fn_o(d) & some, old_fn, "what is old of the requester");
    CHECK_EQ(&t, dut_get_fn_o(d), go, "GO");
    if (go) CHECK_EQ(&t, dut_get_fn_rid_o(d), rid, "requester");
    CHECK_EQ(&t, dut_get_rb_rdata_o(d), addr == REG ? (uint64_t)go << 63 | rid : 0, "register");
    bool over = go && !started && !old_fn && pass == 3 && !(we && addr == REG);
    CHECK_EQ(&t, dut_get_note_valid_o(d), over, "the end");
    old_n += old != 0;
    fn_n += old_fn != 0;
    started = false;
    if (over) check_note(&t, d, rid);
    if (we && addr == REG && !go) {
      for (unsigned i = 0; i < 2; i++)
        if (strb >> i & 1) rid = (rid & ~(255u << 8 * i)) | ((unsigned)data & 255u << 8 * i);
      started = strb >> 7 && data >> 63;
    }
    if (over && ready) go = false, done_n++;
    late = go && !started ? late + 1 : 0;
    CHECK(&t, late < 2000, "GO stays");
    go = go || started;
    for (unsigned p = 0; p < PORTS; p++) {
      rd[p] += done >> p & 1;
      if (wr[p] - rd[p] < 8 && rnd_chance(&t, 40)) wr[p]++;
    }
    reset_last = rnd_below(&t, 40) == 0 ? (unsigned)rnd_bits(&t, PORTS) : 0;
    dut_tick(d);
  }
  CHECK(&t, done_n > 50 && old_n > 50 && fn_n > 50, "%u ends, %u and %u cycles with old requests", done_n, old_n, fn_n);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
