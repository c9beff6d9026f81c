// SPDX-License-Identifier: Apache-2.0
// aa_axil against a list of what was asked: random reads and writes with idle cycles on every channel, held registers,
// strobes, waits; what waits for a hold is done under it (INV-12). The register file behind it is an array of the test.
// config: default -GHoldAll=0
// config: all -GHoldAll=1
// netlist: default
#include "tb.h"
#include "aa_axil_tb.h"

enum { WORDS = 1 << 17, RET_WORDS = RET_WRITE_O_WORDS };

static uint64_t file[WORDS];

static bool forgets(uint32_t a, unsigned strb) { return (strb & 15) && (a == 0x18 || a == 0x1010); }

// What a decision records late: FSTS, FECTL, the fault records, the counters.
static bool late(uint32_t a) { return (a & ~15u) == 0x30 || (a >= 0x220 && a < 0x2a0) || (a >= 0x4000 && a < 0x4200); }

static bool held(uint32_t a, unsigned strb) {
  return P_HoldAll || late(a) || forgets(a, strb) || (a >= 0x2000 && a < 0x3000) || (a >= 0x1080 && a < 0x10a0) ||
         (a >= 0x1100 && a < 0x1140) || a == 0x1070;
}

static uint32_t pick_addr(tb *t) {
  static const uint32_t some[] = {0x18,   0x1c,    0x20,    0x1010, 0x1014, 0x1080, 0x1098, 0x10a0,
                                  0x1078, 0x1070,  0x1100,  0x1138, 0x1140, 0x2000, 0x2ff8, 0x3000,
                                  0x1ff8, 0x10000, 0xffff8, 0x0,    0x28,   0x30,   0x38,   0x40,
                                  0x218,  0x220,   0x298,   0x2a0,  0x4000, 0x41f8, 0x3ff8, 0x4200};
  if (rnd_chance(t, 30)) return (uint32_t)rnd_bits(t, 20);
  return some[rnd_below(t, sizeof some / sizeof *some)] + (uint32_t)rnd_below(t, 8);
}

static void check_record(tb *t, const uint32_t *w, unsigned kind, uint32_t addr, uint64_t data, unsigned strb) {
  CHECK_EQ(t, bits_get(w, 153, 4), kind, "record kind");
  CHECK_EQ(t, bits_get(w, 64, 64), addr & ~7u, "record a");
  CHECK_EQ(t, bits_get(w, 0, 64), data, "record b");
  CHECK_EQ(t, bits_get(w, 128, 25), strb, "record idx and the rest");
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_axil", 60000);
  dut *d = dut_begin(&t);
  uint32_t aw = 0, ar = 0, now = 0;
  uint64_t wdata = 0, want = 0, done = 0, writes = 0, reads = 0, holds = 0;
  unsigned wstrb = 0, strb = 0;
  bool aw_on = false, w_on = false, ar_on = false, busy = false, is_write = false, acted = false, granted = false,
       asked = false;
  dut_reset(d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    if (c == t.cycles / 2) {  // reset in the middle of anything
      dut_set_rst_ni(d, 0);
      aw_on = w_on = ar_on = busy = granted = false;
    } else {
      dut_set_rst_ni(d, 1);
    }
    bool reset = c == t.cycles / 2;
    if (!aw_on && rnd_chance(&t, 40)) aw_on = true, aw = pick_addr(&t);
    if (!w_on && rnd_chance(&t, 40))
      w_on = true, wdata = rnd(&t), wstrb = rnd_chance(&t, 20) ? 0 : (unsigned)rnd_bits(&t, 8);
    if (!ar_on && rnd_chance(&t, 30)) ar_on = true, ar = pick_addr(&t);
    dut_set_s_awvalid_i(d, aw_on && !reset);
    dut_set_s_awaddr_i(d, aw);
    dut_set_s_wvalid_i(d, w_on && !reset);
    dut_set_s_wdata_i(d, wdata);
    dut_set_s_wstrb_i(d, wstrb);
    dut_set_s_arvalid_i(d, ar_on && !reset);
    dut_set_s_araddr_i(d, ar);
    dut_set_s_bready_i(d, rnd_chance(&t, 60));
    dut_set_s_rready_i(d, rnd_chance(&t, 60));
    dut_set_wr_wait_i(d, rnd_chance(&t, 20));
    dut_set_hold_gnt_i(d, 0);
    dut_eval(d);
    // A grant comes in the cycle after the request or later, and stays while it is asked for.
    granted = dut_get_hold_req_o(d) && (granted || (asked && rnd_chance(&t, 30)));
    asked = dut_get_hold_req_o(d) && !reset;
    dut_set_hold_gnt_i(d, granted);
    uint64_t rdata = file[dut_get_rb_addr_o(d)];
    uint64_t far = rnd(&t);  // which bits come from there in this cycle
    dut_set_rb_rdata_i(d, rdata & ~far);
    dut_set_rb_far_i(d, rdata & far);
    dut_eval(d);
    if (!reset) {
      uint32_t w[RET_WORDS];
      bool take_w = dut_get_s_awready_o(d), take_r = dut_get_s_arready_o(d), we = dut_get_rb_we_o(d);
      CHECK_EQ(&t, dut_get_s_wready_o(d), take_w, "both halves of a write together");
      CHECK(&t, !(busy && (take_w || take_r)), "one at a time");
      CHECK_EQ(&t, dut_get_ret_write_valid_o(d), we, "record of a write");
      if (we) {
        CHECK(&t, busy && is_write && !acted, "a write that nobody asked for");
        CHECK(&t, strb != 0, "a write without strobes");
        CHECK_EQ(&t, dut_get_rb_addr_o(d), now >> 3, "address");
        CHECK_EQ(&t, dut_get_rb_wdata_o(d), want, "data");
        CHECK_EQ(&t, dut_get_rb_wstrb_o(d), strb, "strobes");
        CHECK_EQ(&t, dut_get_hold_req_o(d), held(now & ~7u, strb), "hold of 0x%x strobes 0x%x", now, strb);
        CHECK(&t, !dut_get_hold_req_o(d) || granted, "held write without a grant");
        CHECK(&t, !dut_get_wr_wait_i(d), "write while it should wait");
        dut_get_ret_write_o(d, w);
        check_record(&t, w, 11, now, want, strb);
        for (unsigned k = 0; k < 8; k++)
          if (strb >> k & 1) file[now >> 3] = (file[now >> 3] & ~(0xffull << 8 * k)) | (want & 0xffull << 8 * k);
        acted = true;
        writes++;
        holds += dut_get_hold_req_o(d);
      }
      CHECK_EQ(&t, dut_get_forget_o(d), we && forgets(now & ~7u, strb), "forget");
      if (dut_get_ret_read_valid_o(d)) {
        CHECK(&t, busy && !is_write && !acted, "a read that nobody asked for");
        CHECK_EQ(&t, dut_get_hold_req_o(d), !P_HoldAll && late(now & ~7u), "hold of a read of 0x%x", now);
        CHECK(&t, !dut_get_hold_req_o(d) || granted, "held read without a grant");
        dut_get_ret_read_o(d, w);
        check_record(&t, w, 1, now, rdata, 0);
        want = rdata;
        acted = true;
        reads++;
        granted = false;
      }
      if (dut_get_s_bvalid_o(d)) CHECK(&t, busy && is_write && (acted || strb == 0), "early response");
      if (dut_get_s_rvalid_o(d)) {
        CHECK(&t, busy && !is_write && acted, "early data");
        CHECK_EQ(&t, dut_get_s_rdata_o(d), want, "read 0x%x", now);
      }
      CHECK_EQ(&t, dut_get_s_bresp_o(d) | dut_get_s_rresp_o(d), 0, "always OKAY");
      if ((dut_get_s_bvalid_o(d) && dut_get_s_bready_i(d)) || (dut_get_s_rvalid_o(d) && dut_get_s_rready_i(d)))
        busy = false, done++;
      if (take_w)
        busy = true, is_write = true, acted = false, now = aw, want = wdata, strb = wstrb, aw_on = w_on = false;
      if (take_r) busy = true, is_write = false, acted = false, now = ar, ar_on = false;
      if (we) granted = false;
    }
    dut_tick(d);
  }
  CHECK(&t, done > t.cycles / 20 && writes > t.cycles / 60 && reads > t.cycles / 60 && holds > t.cycles / 200,
        "too little happened: %" PRIu64 " accesses, %" PRIu64 " writes, %" PRIu64 " held, %" PRIu64 " reads", done,
        writes, holds, reads);
  dut_free(d);
  return tb_end(&t);
}
