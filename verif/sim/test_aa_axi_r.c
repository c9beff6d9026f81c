// SPDX-License-Identifier: Apache-2.0
// aa_axi_r with a memory that answers in any order after any time: every read comes back to its owner, with its own
// bytes, and both sides take turns. What is not valid is anything; a reset forgets all that is under way. The last part
// runs without a pause and counts.
// config: default -GWalkers=2
// config: narrow -GWalkers=1 -GDataW=128
// config: wide -GWalkers=5 -GDataW=512
// netlist: wide
#include "tb.h"
#include "aa_axi_r_tb.h"

enum { IDS = P_Walkers + 1, BEAT = M_RDATA_I_WORDS * 4 };

typedef struct read {
  bool on, sent, wide;
  uint64_t addr;
} read;

// The 32-bit word of memory at an address.
static uint32_t mem(uint64_t addr) { return (uint32_t)((addr >> 2) * 2654435761u + (addr >> 34)); }

static bool error_at(uint64_t addr) { return (mem(addr & ~15ull) >> 7 & 7) == 0; }

// What comes back reaches the client that asked.
static void data_back(tb *t, dut *d, const read *x, unsigned back, bool err) {
  uint32_t w[4], want[4];
  if (back == P_Walkers)
    dut_get_q_r_data_o(d, w);
  else
    dut_get_w_r_data_o(d, w);
  for (unsigned k = 0; k < 4; k++) want[k] = mem((x->addr & ~15ull) + 4 * k);
  CHECK_MEM(t, w, want, 16, "chunk of id %u", back);
  CHECK_EQ(t, back == P_Walkers ? dut_get_q_r_err_o(d) : dut_get_w_r_err_o(d), err, "error");
  if (back != P_Walkers) CHECK_EQ(t, dut_get_w_r_id_o(d), back, "walker");
}

typedef struct bench {
  tb *t;
  dut *d;
  read r[IDS];
  unsigned offered;  // the walker that asks, or IDS
  bool queue_last;   // the last AR was the queue's
  int waits;         // whose AR was shown and not taken: 0 walkers, 1 queue, -1 nobody's
  unsigned lost[2];  // ARs of the other side since this one asks
  bool full;         // no pause on either side
  bool answer, err;
  unsigned back;  // whose answer
  unsigned got[2];
  uint64_t rate;
} bench;

// Any walker that has nothing under way may ask, one at a time; of any place in a chunk.
static void clients(bench *b) {
  if (b->offered == IDS) {
    unsigned id = (unsigned)rnd_below(b->t, P_Walkers);
    if (!b->r[id].on && (b->full || rnd_chance(b->t, 40))) {
      b->r[id] = (read){true, false, rnd_bits(b->t, 1), rnd(b->t)};
      b->offered = id;
    }
  }
  read *q = &b->r[P_Walkers];
  if (!q->on && (b->full || rnd_chance(b->t, 30))) *q = (read){true, false, true, rnd(b->t)};
  bool walker = b->offered != IDS, queue = q->on && !q->sent;
  dut_set_w_ar_valid_i(b->d, walker);
  dut_set_w_ar_addr_i(b->d, walker ? b->r[b->offered].addr : rnd(b->t));
  dut_set_w_ar_id_i(b->d, walker ? b->offered : rnd_below(b->t, P_Walkers));
  dut_set_w_ar_wide_i(b->d, walker ? b->r[b->offered].wide : rnd_bits(b->t, 1));
  dut_set_q_ar_valid_i(b->d, queue);
  dut_set_q_ar_addr_i(b->d, queue ? q->addr : rnd(b->t));
}

// Answers one of those that were sent.
static void memory(bench *b) {
  unsigned back = (unsigned)rnd_below(b->t, IDS);
  for (unsigned k = 0; k < IDS && !b->r[back].sent; k++) back = (back + 1) % IDS;
  b->back = back;
  b->answer = b->r[back].sent && (b->full || rnd_chance(b->t, 40));
  b->err = b->answer && error_at(b->r[back].addr);
  uint32_t beat[BEAT / 4];
  uint64_t base = b->answer ? b->r[back].addr & ~(uint64_t)(BEAT - 1) : rnd(b->t);
  for (unsigned k = 0; k < BEAT / 4; k++) beat[k] = mem(base + 4 * k);
  dut_set_m_arready_i(b->d, b->full || rnd_chance(b->t, 50));
  dut_set_m_rvalid_i(b->d, b->answer);
  dut_set_m_rid_i(b->d, back);
  dut_set_m_rdata_i(b->d, beat);
  dut_set_m_rresp_i(b->d, b->err ? 2 + rnd_bits(b->t, 1) : rnd_bits(b->t, 1));
}

// P1, P3: who waits keeps the port; of two that ask it is the turn of the one that was not served last.
static void addresses(bench *b) {
  bool asks[2] = {dut_get_w_ar_valid_i(b->d), dut_get_q_ar_valid_i(b->d)}, room = dut_get_m_arready_i(b->d);
  bool took[2] = {asks[0] && dut_get_w_ar_ready_o(b->d), asks[1] && dut_get_q_ar_ready_o(b->d)};
  bool any = asks[0] || asks[1];
  int who = b->waits >= 0 ? b->waits : asks[1] && !(asks[0] && b->queue_last);
  CHECK_EQ(b->t, dut_get_m_arvalid_o(b->d), any, "AR offered");
  for (int k = 0; k < 2; k++)
    if (asks[k]) CHECK_EQ(b->t, took[k], room && who == k, "AR of the %s is taken", k ? "queue" : "walkers");
  if (any) {
    const read *x = &b->r[who ? P_Walkers : b->offered];
    CHECK_EQ(b->t, dut_get_m_arid_o(b->d), who ? P_Walkers : b->offered, "id");
    CHECK_EQ(b->t, dut_get_m_araddr_o(b->d), x->addr, "address");
    CHECK_EQ(b->t, dut_get_m_arsize_o(b->d), x->wide ? 4 : 3, "size");
    CHECK_EQ(b->t, dut_get_m_arlen_o(b->d) << 2 | dut_get_m_arburst_o(b->d), 1, "single beat");
  }
  b->waits = any && !room ? who : -1;
  if (!any || !room) return;
  for (int k = 0; k < 2; k++) {
    b->lost[k] = asks[k] && who != k ? b->lost[k] + 1 : 0;
    CHECK(b->t, b->lost[k] < 2, "the %s is passed over twice", k ? "queue" : "walker");
  }
  b->queue_last = who == 1;
  b->r[who ? P_Walkers : b->offered].sent = true;
  if (!who) b->offered = IDS;
  b->rate += b->full;
}

static void data(bench *b) {
  bool queue = b->back == P_Walkers;
  CHECK_EQ(b->t, dut_get_w_r_valid_o(b->d), b->answer && !queue, "data for the walkers");
  CHECK_EQ(b->t, dut_get_q_r_valid_o(b->d), b->answer && queue, "data for the queue");
  CHECK(b->t, dut_get_m_rready_o(b->d), "data is always taken");
  if (!b->answer) return;
  data_back(b->t, b->d, &b->r[b->back], b->back, b->err);
  b->got[queue]++;
  b->r[b->back].on = b->r[b->back].sent = false;
}

static void reset(bench *b) {
  dut_reset(b->d, 1);
  for (unsigned i = 0; i < IDS; i++) b->r[i] = (read){0};
  b->offered = IDS;
  b->queue_last = false;
  b->waits = -1;
  b->lost[0] = b->lost[1] = 0;
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_axi_r", 40000);
  b->t = &t;
  b->d = dut_begin(&t);
  reset(b);
  for (uint64_t c = 0; c < t.cycles; c++) {
    b->full = c > t.cycles * 3 / 4;
    clients(b);
    memory(b);
    dut_eval(b->d);
    if (!b->full && rnd_below(&t, 500) == 0) {  // in the middle of anything
      reset(b);
      continue;
    }
    data(b);
    addresses(b);
    dut_tick(b->d);
  }
  CHECK(&t, b->got[0] > t.cycles / 20 && b->got[1] > t.cycles / 20, "reads: %u and %u", b->got[0], b->got[1]);
  if (P_Walkers > 2)
    CHECK(&t, b->rate > t.cycles / 4 * 9 / 10, "%" PRIu64 " AR in %" PRIu64 " cycles", b->rate, t.cycles / 4);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
