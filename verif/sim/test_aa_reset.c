// SPDX-License-Identifier: Apache-2.0
// aa_reset: lanes that fill and are decided, resets of ports and of requester ids at any time, buffers that pass when
// they like. What is old is known for each request; GO ends when nothing of it is left, and not before.
// Rules of rtl/aa/README.md: RST-5, RST-6.
// config: default -GNumPorts=2
// config: one -GNumPorts=1
// config: four -GNumPorts=4
// netlist: default
#include "tb.h"
#include "aa_fields.h"
#include "aa_reset_tb.h"
#include "reg_bus.h"

enum { PORTS = P_NumPorts, REG = 0x1070 / 8 };

// Numbers of requests run freely; below cut they are old.
typedef struct {
  tb *t;
  dut *d;
  unsigned wr[PORTS], rd[PORTS], cut[PORTS], cut_fn[PORTS];
  unsigned reset_last, rid, done_n, old_n, fn_n, late;
  bool go, started;  // started: GO was written in the cycle before
  // of this cycle
  unsigned done, pass, addr, strb, old, old_fn;
  bool we, ready, over;
  uint64_t data;
} bench;

static void bus(bench *b) {
  b->we = rnd_below(b->t, 20) == 0;
  b->addr = REG ^ (rnd_chance(b->t, 80) ? 0 : 1u << rnd_below(b->t, 17));
  b->strb = rnd_chance(b->t, 70) ? 255 : (unsigned)rnd_bits(b->t, 8);
  b->data = rnd(b->t);
  dut_set_rb_i(b->d, reg_bus_of(8 * b->addr, b->we, b->data, b->strb).words);
}

static void lanes(bench *b, unsigned fast) {
  uint64_t wp = 0, rp = 0;
  b->done = 0;
  // what had come by the end of the last cycle, in which the port was reset or GO written
  for (unsigned p = 0; p < PORTS; p++) {
    if (b->reset_last >> p & 1) b->cut[p] = b->wr[p];
    if (b->started) b->cut_fn[p] = b->wr[p];
    wp |= (uint64_t)(b->wr[p] & 255) << 8 * p;
    rp |= (uint64_t)(b->rd[p] & 255) << 8 * p;
    if (b->rd[p] != b->wr[p] && rnd_chance(b->t, fast)) b->done |= 1u << p;
  }
  dut_set_dev_reset_i(b->d, b->reset_last);
  dut_set_wr_ptr_i(b->d, wp);
  dut_set_rd_ptr_i(b->d, rp);
  dut_set_done_i(b->d, b->done);
}

static void drive(bench *b, unsigned fast) {
  b->pass = (unsigned)rnd_bits(b->t, 2) | (b->go && !b->started ? (unsigned)rnd_bits(b->t, 2) : 0);
  b->ready = rnd_chance(b->t, 50);
  bus(b);
  lanes(b, fast);
  dut_set_pass_i(b->d, b->pass);
  dut_set_note_ready_i(b->d, b->ready);
  dut_eval(b->d);
}

static void check_note(bench *b) {
  uint32_t note[NOTE_O_WORDS], want[NOTE_O_WORDS] = {0};
  bits_set(want, AA_RETIRE_T_KIND_LSB, AA_RETIRE_T_KIND_W, AA_E_RetNotify);
  bits_set(want, AA_RETIRE_T_CODE_LSB, AA_RETIRE_T_CODE_W, AA_K_NoteReset);
  bits_set(want, AA_RETIRE_T_A_LSB, AA_RETIRE_T_A_W, b->rid);
  dut_get_note_o(b->d, note);
  CHECK(b->t, words_eq(note, want, AA_RETIRE_T_W), "the record of the end, requester %x", b->rid);
}

static void look(bench *b) {
  unsigned some = 0;
  b->old = b->old_fn = 0;
  for (unsigned p = 0; p < PORTS; p++) {
    if (b->rd[p] == b->wr[p]) continue;
    some |= 1u << p;
    b->old |= (unsigned)(b->rd[p] < b->cut[p]) << p;
    b->old_fn |= (unsigned)(b->rd[p] < b->cut_fn[p]) << p;
  }
  b->over = b->go && !b->started && !b->old_fn && b->pass == 3 && !(b->we && b->addr == REG);
  CHECK_EQ(b->t, dut_get_old_o(b->d) & some, b->old, "what is old of each port");
  CHECK_EQ(b->t, dut_get_old_fn_o(b->d) & some, b->old_fn, "what is old of the requester");
  CHECK_EQ(b->t, dut_get_fn_o(b->d), b->go, "GO");
  if (b->go) CHECK_EQ(b->t, dut_get_fn_rid_o(b->d), b->rid, "requester");
  CHECK_EQ(b->t, dut_get_rb_rdata_o(b->d), b->addr == REG ? (uint64_t)b->go << 63 | b->rid : 0, "register");
  CHECK_EQ(b->t, dut_get_note_valid_o(b->d), b->over, "the end");
  if (b->over) check_note(b);
  b->old_n += b->old != 0;
  b->fn_n += b->old_fn != 0;
}

static void next(bench *b) {
  b->started = false;
  if (b->we && b->addr == REG && !b->go) {
    for (unsigned i = 0; i < 2; i++)
      if (b->strb >> i & 1) b->rid = (b->rid & ~(255u << 8 * i)) | ((unsigned)b->data & 255u << 8 * i);
    b->started = b->strb >> 7 && b->data >> 63;
  }
  if (b->over && b->ready) b->go = false, b->done_n++;
  b->late = b->go && !b->started ? b->late + 1 : 0;
  CHECK(b->t, b->late < 2000, "GO stays");
  b->go = b->go || b->started;
  for (unsigned p = 0; p < PORTS; p++) {
    b->rd[p] += b->done >> p & 1;
    if (b->wr[p] - b->rd[p] < 8 && rnd_chance(b->t, 40)) b->wr[p]++;
  }
  b->reset_last = rnd_below(b->t, 40) == 0 ? (unsigned)rnd_bits(b->t, PORTS) : 0;
}

// Nothing is old after it.
static void reset(bench *b) {
  dut_reset(b->d, 1);
  for (unsigned p = 0; p < PORTS; p++) b->wr[p] = b->rd[p] = b->cut[p] = b->cut_fn[p] = 0;
  b->go = b->started = false;
  b->reset_last = b->rid = 0;
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_reset", 60000);
  b->t = &t;
  b->d = dut_begin(&t);
  dut_reset(b->d, 2);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    if (!rnd_below(&t, 1000)) reset(b);
    drive(b, c & 2048 ? 60 : 15);
    look(b);
    next(b);
    dut_tick(b->d);
  }
  CHECK(&t, b->done_n > 50 && b->old_n > 50 && b->fn_n > 50, "%u ends, %u and %u cycles with old requests", b->done_n,
        b->old_n, b->fn_n);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
