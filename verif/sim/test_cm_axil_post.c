// SPDX-License-Identifier: Apache-2.0
// cm_axil_post between a master that asks at random and a slave that answers at its own pace, and for a while
// not at all: writes are taken and answered while there is room, reach the slave in order, and a read waits
// for those before it.
#include "tb.h"
#include "cm_axil_post_tb.h"

typedef struct write {
  uint64_t addr, data, strb;
} write;

int main(int argc, char **argv) {
  write q[P_Depth] = {{0}}, now = {0};  // taken and not yet shown to the slave, the oldest first
  unsigned n = 0, writes = 0, reads = 0, full = 0;
  bool aw = false, w = false, b = false, ar = false, doing = false, asked = false, owes_r = false, r = false;
  tb t;
  tb_init(&t, argc, argv, "cm_axil_post", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    unsigned part = (unsigned)(dut_cycle(d) / 400 % 4), pace = part == 1 ? 100 : 30;
    unsigned slave = part == 3 ? 0 : part == 2 ? 10 : 70;  // of 100 cycles in which it does something
    if (!aw && rnd_chance(&t, pace))
      aw = true, now = (write){rnd_bits(&t, P_AddrW), rnd_bits(&t, P_DataW), rnd_bits(&t, P_DataW / 8)};
    if (!w && aw && rnd_chance(&t, pace)) w = true;
    if (!ar && !owes_r && rnd_chance(&t, 5)) ar = true;
    bool ready = rnd_chance(&t, slave), arready = rnd_chance(&t, slave), bvalid = doing && rnd_chance(&t, slave);
    bool bready = rnd_chance(&t, pace), rready = rnd_chance(&t, pace);
    if (owes_r && rnd_chance(&t, slave)) r = true;
    dut_set_s_awvalid_i(d, aw);
    dut_set_s_awaddr_i(d, now.addr);
    dut_set_s_wvalid_i(d, w);
    dut_set_s_wdata_i(d, now.data);
    dut_set_s_wstrb_i(d, now.strb);
    dut_set_s_bready_i(d, bready);
    dut_set_s_arvalid_i(d, ar);
    dut_set_s_rready_i(d, rready);
    dut_set_m_awready_i(d, ready);
    dut_set_m_wready_i(d, ready);
    dut_set_m_bvalid_i(d, bvalid);
    dut_set_m_arready_i(d, arready);
    dut_set_m_rvalid_i(d, r);
    dut_eval(d);
    bool took = aw && w && n < P_Depth && !b, shows = n && !doing;
    CHECK_EQ(&t, dut_get_s_awready_o(d), took, "P2: AW taken, %u inside", n);
    CHECK_EQ(&t, dut_get_s_wready_o(d), took, "P2: W taken, %u inside", n);
    CHECK_EQ(&t, dut_get_s_bvalid_o(d), b, "P2: B");
    CHECK_EQ(&t, dut_get_m_awvalid_o(d), shows, "P1: AW, %u inside", n);
    CHECK_EQ(&t, dut_get_m_wvalid_o(d), shows, "P1: W, %u inside", n);
    if (shows) {
      CHECK_EQ(&t, dut_get_m_awaddr_o(d), q[0].addr, "P1: address");
      CHECK_EQ(&t, dut_get_m_wdata_o(d), q[0].data, "P1: data");
      CHECK_EQ(&t, dut_get_m_wstrb_o(d), q[0].strb, "P1: strobes");
    }
    CHECK_EQ(&t, dut_get_m_bready_o(d), doing, "P1: the slave's answer");
    bool read = ar && (asked || (!n && !doing));
    CHECK_EQ(&t, dut_get_m_arvalid_o(d), read, "P3: AR, %u inside", n);
    CHECK_EQ(&t, dut_get_s_arready_o(d), read && arready, "P3: AR taken");
    CHECK_EQ(&t, dut_get_s_rvalid_o(d), r, "P3: R");
    CHECK_EQ(&t, dut_get_m_rready_o(d), rready, "P3: R taken");
    full += n == P_Depth && aw && w;
    if (shows && ready) {
      for (unsigned i = 1; i < n; i++) q[i - 1] = q[i];
      n--;
      writes++;
    }
    doing = doing ? !bvalid : shows && ready;
    if (r && rready) r = owes_r = false, reads++;
    if (read && arready) ar = false, owes_r = true;
    asked = read && !arready;
    b = took || (b && !bready);
    if (took) q[n++] = now, aw = w = false;
    dut_tick(d);
  }
  CHECK(&t, writes > t.cycles / 50 && reads > t.cycles / 400 && full > t.cycles / 50,
        "%u writes, %u reads, %u cycles full", writes, reads, full);
  dut_free(d);
  return tb_end(&t);
}
