// SPDX-License-Identifier: Apache-2.0
// cm_axil_split between a master that asks at random and two slaves that answer at their own pace: each access reaches
// its slave, each response is that slave's, in order. What is not valid is anything; a reset forgets what is under way.
// netlist: default
#include "tb.h"
#include "cm_axil_split_tb.h"

typedef struct slave {
  bool owes_b, owes_r, b, r;  // taken and not answered; answer offered
  uint64_t data;
  unsigned bresp, rresp, writes, reads;
} slave;

typedef struct bench {
  tb *t;
  dut *d;
  slave s[2];
  bool aw, w, ar, bready, rready;
  uint64_t awaddr, araddr;
  unsigned ready_w, ready_r;
  int wr, rd;  // whose response the master waits for, or -1
} bench;

static void slaves(bench *x, unsigned pace) {
  for (int i = 0; i < 2; i++) {
    slave *s = &x->s[i];
    if (!s->b) s->b = s->owes_b && rnd_chance(x->t, pace), s->bresp = (unsigned)rnd_bits(x->t, 2);
    if (!s->r) {
      s->r = s->owes_r && rnd_chance(x->t, pace);
      s->rresp = (unsigned)rnd_bits(x->t, 2);
      s->data = rnd(x->t);
    }
  }
  uint32_t data[4] = {(uint32_t)x->s[0].data, (uint32_t)(x->s[0].data >> 32), (uint32_t)x->s[1].data,
                      (uint32_t)(x->s[1].data >> 32)};
  dut_set_m_bvalid_i(x->d, x->s[0].b | x->s[1].b << 1);
  dut_set_m_bresp_i(x->d, x->s[0].bresp | x->s[1].bresp << 2);
  dut_set_m_rvalid_i(x->d, x->s[0].r | x->s[1].r << 1);
  dut_set_m_rresp_i(x->d, x->s[0].rresp | x->s[1].rresp << 2);
  dut_set_m_rdata_i(x->d, data);
}

static void drive(bench *x) {
  unsigned pace = dut_cycle(x->d) / 500 % 2 ? 100 : 30;
  if (!x->aw) x->aw = rnd_chance(x->t, pace), x->awaddr = rnd_bits(x->t, P_AddrW);
  if (!x->w) x->w = rnd_chance(x->t, pace);
  if (!x->ar) x->ar = rnd_chance(x->t, pace), x->araddr = rnd_bits(x->t, P_AddrW);
  x->ready_w = (unsigned)rnd_bits(x->t, 2);
  x->ready_r = (unsigned)rnd_bits(x->t, 2);
  x->bready = rnd_chance(x->t, pace);
  x->rready = rnd_chance(x->t, pace);
  dut_set_s_awvalid_i(x->d, x->aw);
  dut_set_s_awaddr_i(x->d, x->awaddr);
  dut_set_s_wvalid_i(x->d, x->w);
  dut_set_s_arvalid_i(x->d, x->ar);
  dut_set_s_araddr_i(x->d, x->araddr);
  dut_set_s_bready_i(x->d, x->bready);
  dut_set_s_rready_i(x->d, x->rready);
  dut_set_m_awready_i(x->d, x->ready_w);
  dut_set_m_wready_i(x->d, x->ready_w);
  dut_set_m_arready_i(x->d, x->ready_r);
  slaves(x, pace);
  dut_eval(x->d);
}

static void writes(bench *x) {
  unsigned to = x->awaddr >> (P_AddrW - 1) & 1;
  bool shown = x->aw && x->w && x->wr < 0, took = shown && x->ready_w >> to & 1, b = x->wr >= 0 && x->s[x->wr].b;
  CHECK_EQ(x->t, dut_get_m_awvalid_o(x->d), shown ? 1u << to : 0, "P1: AW");
  CHECK_EQ(x->t, dut_get_m_wvalid_o(x->d), shown ? 1u << to : 0, "P1: W");
  CHECK_EQ(x->t, dut_get_s_awready_o(x->d), took, "P1: AW taken");
  CHECK_EQ(x->t, dut_get_s_wready_o(x->d), took, "P1: W taken");
  CHECK_EQ(x->t, dut_get_s_bvalid_o(x->d), b, "P2: B of slave %d", x->wr);
  CHECK_EQ(x->t, dut_get_m_bready_o(x->d), x->wr >= 0 && x->bready ? 1u << x->wr : 0, "P2: B taken");
  if (b) CHECK_EQ(x->t, dut_get_s_bresp_o(x->d), x->s[x->wr].bresp, "P2: BRESP of slave %d", x->wr);
  if (b && x->bready) x->s[x->wr].b = x->s[x->wr].owes_b = false, x->s[x->wr].writes++, x->wr = -1;
  if (took) x->s[x->wr = (int)to].owes_b = true, x->aw = x->w = false;
}

static void reads(bench *x) {
  unsigned to = x->araddr >> (P_AddrW - 1) & 1;
  bool shown = x->ar && x->rd < 0, took = shown && x->ready_r >> to & 1, r = x->rd >= 0 && x->s[x->rd].r;
  CHECK_EQ(x->t, dut_get_m_arvalid_o(x->d), shown ? 1u << to : 0, "P1: AR");
  CHECK_EQ(x->t, dut_get_s_arready_o(x->d), took, "P1: AR taken");
  CHECK_EQ(x->t, dut_get_s_rvalid_o(x->d), r, "P2: R of slave %d", x->rd);
  CHECK_EQ(x->t, dut_get_m_rready_o(x->d), x->rd >= 0 && x->rready ? 1u << x->rd : 0, "P2: R taken");
  if (r) CHECK_EQ(x->t, dut_get_s_rdata_o(x->d), x->s[x->rd].data, "P2: data of slave %d", x->rd);
  if (r) CHECK_EQ(x->t, dut_get_s_rresp_o(x->d), x->s[x->rd].rresp, "P2: RRESP of slave %d", x->rd);
  if (r && x->rready) x->s[x->rd].r = x->s[x->rd].owes_r = false, x->s[x->rd].reads++, x->rd = -1;
  if (took) x->s[x->rd = (int)to].owes_r = true, x->ar = false;
}

static void reset(bench *x) {
  dut_reset(x->d, 1);
  x->aw = x->w = x->ar = false;
  x->wr = x->rd = -1;
  for (int i = 0; i < 2; i++) x->s[i].owes_b = x->s[i].owes_r = x->s[i].b = x->s[i].r = false;
}

int main(int argc, char **argv) {
  bench all = {0}, *x = &all;
  tb t;
  tb_init(&t, argc, argv, "cm_axil_split", 20000);
  x->t = &t;
  x->d = dut_begin(&t);
  reset(x);
  while (dut_cycle(x->d) < t.cycles) {
    drive(x);
    if (rnd_below(&t, 500) == 0) {
      reset(x);
      continue;
    }
    writes(x);
    reads(x);
    dut_tick(x->d);
  }
  for (int i = 0; i < 2; i++)
    CHECK(&t, x->s[i].writes > t.cycles / 100 && x->s[i].reads > t.cycles / 100, "slave %d: %u writes, %u reads", i,
          x->s[i].writes, x->s[i].reads);
  dut_free(x->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
