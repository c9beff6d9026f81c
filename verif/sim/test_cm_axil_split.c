// SPDX-License-Identifier: Apache-2.0
// cm_axil_split between a master that asks at random and two slaves that answer at their own pace: each access reaches
// its slave, each response is that slave's, in order.
#include "tb.h"
#include "cm_axil_split_tb.h"

typedef struct slave {
  bool owes_b, owes_r, b, r;  // taken and not answered; answer offered
  uint64_t data;
  unsigned writes, reads;
} slave;

int main(int argc, char **argv) {
  slave s[2] = {{0}};
  bool aw = false, w = false, ar = false;
  uint64_t awaddr = 0, araddr = 0;
  int wr = -1, rd = -1;  // whose response the master waits for
  tb t;
  tb_init(&t, argc, argv, "cm_axil_split", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    unsigned pace = dut_cycle(d) / 500 % 2 ? 100 : 30;
    if (!aw && rnd_chance(&t, pace)) aw = true, awaddr = rnd_bits(&t, P_AddrW);
    if (!w && aw && rnd_chance(&t, pace)) w = true;
    if (!ar && rnd_chance(&t, pace)) ar = true, araddr = rnd_bits(&t, P_AddrW);
    unsigned ready_w = (unsigned)rnd_bits(&t, 2), ready_r = (unsigned)rnd_bits(&t, 2);
    for (int i = 0; i < 2; i++) {
      if (s[i].owes_b && rnd_chance(&t, pace)) s[i].b = true;
      if (s[i].owes_r && !s[i].r && rnd_chance(&t, pace)) s[i].r = true, s[i].data = rnd_bits(&t, 64);
    }
    uint32_t data[4] = {(uint32_t)s[0].data, (uint32_t)(s[0].data >> 32), (uint32_t)s[1].data,
                        (uint32_t)(s[1].data >> 32)};
    bool bready = rnd_chance(&t, pace), rready = rnd_chance(&t, pace);
    dut_set_s_awvalid_i(d, aw);
    dut_set_s_awaddr_i(d, awaddr);
    dut_set_s_wvalid_i(d, w);
    dut_set_s_arvalid_i(d, ar);
    dut_set_s_araddr_i(d, araddr);
    dut_set_s_bready_i(d, bready);
    dut_set_s_rready_i(d, rready);
    dut_set_m_awready_i(d, ready_w);
    dut_set_m_wready_i(d, ready_w);
    dut_set_m_arready_i(d, ready_r);
    dut_set_m_bvalid_i(d, s[0].b | s[1].b << 1);
    dut_set_m_bresp_i(d, 0x8);
    dut_set_m_rvalid_i(d, s[0].r | s[1].r << 1);
    dut_set_m_rresp_i(d, 0x2);
    dut_set_m_rdata_i(d, data);
    dut_eval(d);
    unsigned to_w = awaddr >> (P_AddrW - 1) & 1, to_r = araddr >> (P_AddrW - 1) & 1;
    CHECK_EQ(&t, dut_get_m_awvalid_o(d), aw && w && wr < 0 ? 1u << to_w : 0, "P1: AW");
    CHECK_EQ(&t, dut_get_m_wvalid_o(d), aw && w && wr < 0 ? 1u << to_w : 0, "P1: W");
    CHECK_EQ(&t, dut_get_m_arvalid_o(d), ar && rd < 0 ? 1u << to_r : 0, "P1: AR");
    bool took_w = aw && w && wr < 0 && ready_w >> to_w & 1, took_r = ar && rd < 0 && ready_r >> to_r & 1;
    CHECK_EQ(&t, dut_get_s_awready_o(d), took_w, "P1: AW taken");
    CHECK_EQ(&t, dut_get_s_wready_o(d), took_w, "P1: W taken");
    CHECK_EQ(&t, dut_get_s_arready_o(d), took_r, "P1: AR taken");
    bool b = wr >= 0 && s[wr].b, r = rd >= 0 && s[rd].r;
    CHECK_EQ(&t, dut_get_s_bvalid_o(d), b, "P2: B of slave %d", wr);
    CHECK_EQ(&t, dut_get_s_rvalid_o(d), r, "P2: R of slave %d", rd);
    CHECK_EQ(&t, dut_get_m_bready_o(d), wr >= 0 && bready ? 1u << wr : 0, "P2: B taken");
    CHECK_EQ(&t, dut_get_m_rready_o(d), rd >= 0 && rready ? 1u << rd : 0, "P2: R taken");
    if (b) CHECK_EQ(&t, dut_get_s_bresp_o(d), wr ? 2 : 0, "P2: BRESP of slave %d", wr);
    if (r) CHECK_EQ(&t, dut_get_s_rdata_o(d), s[rd].data, "P2: data of slave %d", rd);
    if (r) CHECK_EQ(&t, dut_get_s_rresp_o(d), rd ? 0 : 2, "P2: RRESP of slave %d", rd);
    if (b && bready) s[wr].b = s[wr].owes_b = false, s[wr].writes++, wr = -1;
    if (r && rready) s[rd].r = s[rd].owes_r = false, s[rd].reads++, rd = -1;
    if (took_w) s[wr = (int)to_w].owes_b = true, aw = w = false;
    if (took_r) s[rd = (int)to_r].owes_r = true, ar = false;
    dut_tick(d);
  }
  for (int i = 0; i < 2; i++)
    CHECK(&t, s[i].writes > t.cycles / 100 && s[i].reads > t.cycles / 100, "slave %d: %u writes, %u reads", i,
          s[i].writes, s[i].reads);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
