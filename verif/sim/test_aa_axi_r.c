// SPDX-License-Identifier: Apache-2.0
// aa_axi_r with a memory that answers in any order after any time: every read comes back to its owner, with its own
// bytes, and both sides get their turns. The last part runs without a pause and counts.
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

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_axi_r", 40000);
  dut *d = dut_begin(&t);
  read r[IDS] = {0};
  unsigned offered = IDS, lost = 0, got[2] = {0, 0}, rate = 0;
  bool waits = false;
  uint64_t wait_addr = 0;
  dut_reset(d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    bool full = c > t.cycles * 3 / 4;  // no pause on either side
    // Clients: any walker that has nothing under way may ask, one at a time.
    if (offered == IDS) {
      unsigned id = (unsigned)rnd_below(&t, P_Walkers);
      if (!r[id].on && (full || rnd_chance(&t, 40))) {
        r[id] = (read){true, false, rnd_bits(&t, 1), rnd(&t) & ~7ull};
        if (r[id].wide) r[id].addr &= ~15ull;
        offered = id;
      }
    }
    read *q = &r[P_Walkers];
    if (!q->on && (full || rnd_chance(&t, 30))) *q = (read){true, false, true, rnd(&t) & ~15ull};
    dut_set_w_ar_valid_i(d, offered != IDS);
    dut_set_w_ar_addr_i(d, offered != IDS ? r[offered].addr : rnd(&t));
    dut_set_w_ar_id_i(d, offered != IDS ? offered : 0);
    dut_set_w_ar_wide_i(d, offered != IDS && r[offered].wide);
    dut_set_q_ar_valid_i(d, q->on && !q->sent);
    dut_set_q_ar_addr_i(d, q->addr);
    dut_set_m_arready_i(d, full || rnd_chance(&t, 50));
    // Memory: answers one of those that were sent.
    unsigned back = (unsigned)rnd_below(&t, IDS);
    for (unsigned k = 0; k < IDS && !r[back].sent; k++) back = (back + 1) % IDS;
    bool answer = r[back].sent && (full || rnd_chance(&t, 40));
    uint32_t beat[BEAT / 4];
    uint64_t base = answer ? r[back].addr & ~(uint64_t)(BEAT - 1) : rnd(&t);
    for (unsigned k = 0; k < BEAT / 4; k++) beat[k] = mem(base + 4 * k);
    dut_set_m_rvalid_i(d, answer);
    dut_set_m_rid_i(d, back);
    dut_set_m_rdata_i(d, beat);
    bool err = answer && error_at(r[back].addr);
    dut_set_m_rresp_i(d, err ? 2 + rnd_bits(&t, 1) : rnd_bits(&t, 1));
    dut_eval(d);

    bool valid = dut_get_m_arvalid_o(d), go = valid && dut_get_m_arready_i(d);
    bool wgo = dut_get_w_ar_valid_i(d) && dut_get_w_ar_ready_o(d),
         qgo = dut_get_q_ar_valid_i(d) && dut_get_q_ar_ready_o(d);
    CHECK_EQ(&t, valid, dut_get_w_ar_valid_i(d) || dut_get_q_ar_valid_i(d), "AR offered");
    CHECK_EQ(&t, go, wgo + qgo, "one client for one AR");
    if (valid && waits) CHECK_EQ(&t, dut_get_m_araddr_o(d), wait_addr, "AR changed while it waits");
    if (waits) CHECK(&t, valid, "AR withdrawn");
    if (go) {
      const read *x = qgo ? q : &r[offered];
      CHECK_EQ(&t, dut_get_m_arid_o(d), qgo ? P_Walkers : offered, "id");
      CHECK_EQ(&t, dut_get_m_araddr_o(d), x->addr, "address");
      CHECK_EQ(&t, dut_get_m_arsize_o(d), x->wide ? 4 : 3, "size");
      CHECK_EQ(&t, dut_get_m_arlen_o(d) << 2 | dut_get_m_arburst_o(d), 1, "single beat");
      lost = wgo && dut_get_q_ar_valid_i(d) ? lost + 1 : 0;
      CHECK(&t, lost < 2, "the queue is passed over twice");
    }
    waits = valid && !go;
    wait_addr = dut_get_m_araddr_o(d);
    CHECK_EQ(&t, dut_get_w_r_valid_o(d), answer && back != P_Walkers, "data for the walkers");
    CHECK_EQ(&t, dut_get_q_r_valid_o(d), answer && back == P_Walkers, "data for the queue");
    CHECK(&t, dut_get_m_rready_o(d), "data is always taken");
    if (answer) {
      data_back(&t, d, &r[back], back, err);
      got[back == P_Walkers]++;
      r[back].on = r[back].sent = false;
    }
    if (wgo) r[offered].sent = true, offered = IDS;
    if (qgo) q->sent = true;
    if (full) rate += go;
    dut_tick(d);
  }
  CHECK(&t, got[0] > t.cycles / 20 && got[1] > t.cycles / 20, "reads: %u and %u", got[0], got[1]);
  if (P_Walkers > 2) CHECK(&t, rate > t.cycles / 4 * 9 / 10, "%u AR in %" PRIu64 " cycles", rate, t.cycles / 4);
  dut_free(d);
  return tb_end(&t);
}
