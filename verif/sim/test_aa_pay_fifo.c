// SPDX-License-Identifier: Apache-2.0
// aa_pay_fifo against a queue in C: TLPs of random length, committed or taken back, with idle and back-pressure, and
// resets. What is committed is offered when it is due, and there is room exactly while the memory has some.
// config: default -GWidth=32 -GDepth=16
// config: lut -GWidth=32 -GDepth=4 -GRam=0
// netlist: lut
#include "tb.h"
#include "aa_pay_fifo_tb.h"

enum { Q = 4 * P_Depth, LATENCY = 1 + P_Ram };

// Numbers of beats run freely: left, committed, written.
typedef struct {
  tb *t;
  dut *d;
  uint32_t item[Q];
  uint64_t due[Q];  // cycle from which a committed beat is offered when it is first
  unsigned head, sure, all, in, out, moved, back;
} bench;

static void look(bench *b, bool ready) {
  bool due = b->head != b->sure && b->due[b->head % Q] <= dut_cycle(b->d);
  unsigned inside = b->all - b->head - (P_Ram && due);  // the memory: its read register holds what is offered
  CHECK_EQ(b->t, dut_get_out_valid_o(b->d), due, "a beat is offered");
  CHECK_EQ(b->t, dut_get_room_o(b->d), inside < P_Depth, "room with %u inside", inside);
  if (!due) return;
  CHECK_EQ(b->t, dut_get_out_data_o(b->d), b->item[b->head % Q], "beat %u", b->head);
  b->head += ready;
  b->moved += ready;
}

static void cycle(bench *b) {
  dut_eval(b->d);
  bool room = dut_get_room_o(b->d), valid = room && rnd_chance(b->t, b->in);
  bool full = b->all - b->head >= P_Depth;  // a beat that never fits with its TLP: take it back
  bool end = rnd_chance(b->t, 25), rewind = (full && rnd_chance(b->t, 50)) || (end && rnd_chance(b->t, 30)),
       ready = rnd_chance(b->t, b->out);
  uint32_t word = (uint32_t)rnd(b->t);
  dut_set_in_valid_i(b->d, valid);
  dut_set_in_data_i(b->d, word);
  dut_set_commit_i(b->d, end && !rewind);
  dut_set_rewind_i(b->d, rewind);
  dut_set_out_ready_i(b->d, ready);
  dut_eval(b->d);
  look(b, ready);
  if (valid) b->item[b->all++ % Q] = word;
  if (rewind) {
    b->back += b->all - b->sure;
    b->all = b->sure;
  } else if (end) {
    while (b->sure != b->all) b->due[b->sure++ % Q] = dut_cycle(b->d) + LATENCY;
  }
  dut_tick(b->d);
}

static void reset(bench *b) {
  dut_set_in_valid_i(b->d, 0);
  dut_reset(b->d, 1);
  b->head = b->sure = b->all;
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_pay_fifo", 30000);
  b->t = &t;
  b->d = dut_begin(&t);
  dut_reset(b->d, 2);
  while (dut_cycle(b->d) < t.cycles) {
    if (dut_cycle(b->d) % 100 == 0) {
      b->in = (unsigned)rnd_below(&t, 101);
      b->out = (unsigned)rnd_below(&t, 101);
    }
    if (!rnd_below(&t, 500)) reset(b);
    cycle(b);
  }
  CHECK(&t, b->moved > 500 && b->back > 500, "%u beats left, %u were taken back", b->moved, b->back);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
