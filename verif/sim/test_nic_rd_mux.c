// SPDX-License-Identifier: Apache-2.0
// nic_rd_mux: sources whose jobs come and whose items are taken at their own pace: each job unchanged, each item to the
// source that asked, turns; resets.
// config: default -GSources=4 -GJobs=32
// config: one -GSources=1 -GJobs=1 +define+TOCSIN_DATA_W=128
// config: odd -GSources=3 -GJobs=5 +define+TOCSIN_DATA_W=512
// netlist: default
#include "aa_fields.h"
#include "tb.h"
#include "nic_rd_mux_tb.h"
#include "mux_jobs.h"

typedef struct bench {
  mux_jobs jobs;
  unsigned out;   // jobs whose item has gone
  unsigned left;  // beats of the item that comes
  uint32_t item[ITEM_O_WORDS];
  bool item_valid;
  bool known;  // whose the next item is has reached its register
} bench;

static unsigned items[Sources], full, served, turn;

// Whose turn it is has been settled the cycle before.
static void take_job(tb *t, dut *d, mux_jobs *j, bool ready, bool room) {
  const uint64_t valid = j->valid;
  unsigned next = turn;
  for (unsigned i = Sources - 1; i > 0; i--)
    if (valid >> (turn + i) % Sources & 1) next = (turn + i) % Sources;
  if (mux_gives(t, d, j, turn, ready, room) || !(valid >> turn & 1)) turn = next;
}

static void draw_item(tb *t, bench *b, unsigned percent) {
  if (b->item_valid || b->out == b->jobs.in || !rnd_chance(t, percent)) return;
  if (b->left == 0) b->left = 1 + (unsigned)rnd_below(t, 4);
  rnd_words(t, b->item, ITEM_O_W);
  bits_set(b->item, NIC_BYTES_T_LAST_LSB, 1, --b->left == 0);
  b->item_valid = true;
}

// To whom the item goes; true when its last beat does.
static bool look_at_item(tb *t, dut *d, bench *b, unsigned whose) {
  uint32_t beat[ITEM_O_WORDS];
  CHECK_EQ(t, dut_get_item_valid_o(d), b->item_valid && b->known ? 1ULL << whose : 0,
           "P2: item %u is that of source %u", b->out, whose);
  if (!b->item_valid || !b->known) return false;
  bool gone = dut_get_item_ready_i(d) >> whose & 1;
  CHECK_EQ(t, dut_get_item_ready_o(d), gone, "P2: item %u is taken by source %u", b->out, whose);
  dut_get_item_o(d, beat);
  CHECK(t, words_eq(beat, b->item, ITEM_O_W), "P2: beat changed");
  b->item_valid = !gone;
  return gone && bits_get(b->item, NIC_BYTES_T_LAST_LSB, 1);
}

int main(int argc, char **argv) {
  static bench b;
  unsigned job_pct = 100, item_pct = 100, take = 100;
  tb t;
  tb_init(&t, argc, argv, "nic_rd_mux", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 150 == 0) {
      job_pct = rnd_chance(&t, 40) ? 100 : rnd_chance(&t, 30) ? 0 : 1 + (unsigned)rnd_below(&t, 60);
      item_pct = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 60);
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    }
    if (rnd_below(&t, 1000) == 0) {  // reset forgets all jobs, whatever is under way
      dut_reset(d, 1);
      b = (bench){0};
      turn = 0;
    }
    unsigned percent = mux_percent(&t, &b.jobs, job_pct);
    for (unsigned i = 0; i < Sources; i++) mux_draw(&t, &b.jobs, i, percent);
    draw_item(&t, &b, item_pct);
    bool job_ready = rnd_chance(&t, take);
    mux_offer(d, &b.jobs, job_ready);
    dut_set_item_valid_i(d, b.item_valid);
    dut_set_item_i(d, b.item);
    dut_set_item_ready_i(d, rnd_chance(&t, take) ? rnd_bits(&t, Sources) | rnd_bits(&t, Sources) : 0);
    dut_eval(d);

    unsigned whose = mux_whose(&b.jobs, b.out);
    bool last = look_at_item(&t, d, &b, whose);
    bool over = !b.known || last;
    unsigned behind = b.jobs.in - b.out - b.known;
    bool room = behind - (P_Jobs == 1 && behind && over) < P_Jobs;
    full += !room;
    take_job(&t, d, &b.jobs, job_ready, room);
    if (over) b.known = behind != 0;
    if (last) items[whose]++, b.out++, served++;
    dut_tick(d);
  }
  printf("  %u items, %u cycles full\n", served, full);
  for (unsigned i = 0; i < Sources; i++) CHECK(&t, items[i] > t.cycles / 100, "source %u works", i);
  CHECK(&t, full > 20, "it was full");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
