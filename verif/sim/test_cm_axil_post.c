// SPDX-License-Identifier: Apache-2.0
// cm_axil_post between a master that asks at random and a slave that answers at its own pace, and for a while
// not at all: writes are taken and answered while there is room, reach the slave in order, and a read waits
// for those before it. What is not valid is anything; a reset forgets what is inside.
// netlist: default
#include "tb.h"
#include "cm_axil_post_tb.h"

typedef struct write {
  uint64_t addr, data, strb;
} write;

typedef struct bench {
  tb *t;
  dut *d;
  write q[P_Depth], now;  // taken and not yet shown to the slave, the oldest first; what the master offers
  unsigned n, owed;       // writes in q; reads that the slave owes
  bool aw, w, b, ar, r;   // valid
  bool doing, asked;      // the slave has a write; a read has been shown to it
  bool ready, arready, bvalid, bready, rready;
  unsigned writes, reads, full;
} bench;

static void drive(bench *x) {
  unsigned part = (unsigned)(dut_cycle(x->d) / 400 % 4), pace = part == 1 ? 100 : 30;
  unsigned slave = part == 3 ? 0 : part == 2 ? 10 : 70;  // of 100 cycles in which it does something
  if (!x->aw) {
    x->now.addr = rnd_bits(x->t, P_AddrW);
    x->aw = rnd_chance(x->t, pace);
  }
  if (!x->w) {
    x->now.data = rnd_bits(x->t, P_DataW);
    x->now.strb = rnd_bits(x->t, P_DataW / 8);
    x->w = rnd_chance(x->t, pace);
  }
  if (!x->ar) x->ar = rnd_chance(x->t, part == 0 ? 50 : 5);
  x->ready = rnd_chance(x->t, slave);
  x->arready = rnd_chance(x->t, slave);
  x->bvalid = x->doing && rnd_chance(x->t, slave);
  x->bready = rnd_chance(x->t, pace);
  x->rready = rnd_chance(x->t, pace);
  if (x->owed) x->r = x->r || rnd_chance(x->t, slave);
  dut_set_s_awvalid_i(x->d, x->aw);
  dut_set_s_awaddr_i(x->d, x->now.addr);
  dut_set_s_wvalid_i(x->d, x->w);
  dut_set_s_wdata_i(x->d, x->now.data);
  dut_set_s_wstrb_i(x->d, x->now.strb);
  dut_set_s_bready_i(x->d, x->bready);
  dut_set_s_arvalid_i(x->d, x->ar);
  dut_set_s_rready_i(x->d, x->rready);
  dut_set_m_awready_i(x->d, x->ready);
  dut_set_m_wready_i(x->d, x->ready);
  dut_set_m_bvalid_i(x->d, x->bvalid);
  dut_set_m_arready_i(x->d, x->arready);
  dut_set_m_rvalid_i(x->d, x->r);
  dut_eval(x->d);
}

// Before the writes of this cycle are taken.
static void reads(bench *x) {
  bool read = x->ar && (x->asked || (!x->n && !x->doing));
  CHECK_EQ(x->t, dut_get_m_arvalid_o(x->d), read, "P3: AR, %u inside", x->n);
  CHECK_EQ(x->t, dut_get_s_arready_o(x->d), read && x->arready, "P3: AR taken");
  CHECK_EQ(x->t, dut_get_s_rvalid_o(x->d), x->r, "P3: R");
  CHECK_EQ(x->t, dut_get_m_rready_o(x->d), x->rready, "P3: R taken");
  if (x->r && x->rready) x->r = false, x->owed--, x->reads++;
  if (read && x->arready) x->ar = false, x->owed++;
  x->asked = read && !x->arready;
}

static void writes(bench *x) {
  bool took = x->aw && x->w && x->n < P_Depth && !x->b, shows = x->n && !x->doing;
  CHECK_EQ(x->t, dut_get_s_awready_o(x->d), took, "P2: AW taken, %u inside", x->n);
  CHECK_EQ(x->t, dut_get_s_wready_o(x->d), took, "P2: W taken, %u inside", x->n);
  CHECK_EQ(x->t, dut_get_s_bvalid_o(x->d), x->b, "P2: B");
  CHECK_EQ(x->t, dut_get_m_awvalid_o(x->d), shows, "P1: AW, %u inside", x->n);
  CHECK_EQ(x->t, dut_get_m_wvalid_o(x->d), shows, "P1: W, %u inside", x->n);
  if (shows) {
    CHECK_EQ(x->t, dut_get_m_awaddr_o(x->d), x->q[0].addr, "P1: address");
    CHECK_EQ(x->t, dut_get_m_wdata_o(x->d), x->q[0].data, "P1: data");
    CHECK_EQ(x->t, dut_get_m_wstrb_o(x->d), x->q[0].strb, "P1: strobes");
  }
  CHECK_EQ(x->t, dut_get_m_bready_o(x->d), x->doing, "P1: the slave's answer");
  x->full += x->n == P_Depth && x->aw && x->w;
  if (shows && x->ready) {
    for (unsigned i = 1; i < x->n; i++) x->q[i - 1] = x->q[i];
    x->n--;
    x->writes++;
  }
  x->doing = x->doing ? !x->bvalid : shows && x->ready;
  x->b = took || (x->b && !x->bready);
  if (took) x->q[x->n++] = x->now, x->aw = x->w = false;
}

static void reset(bench *x) {
  dut_reset(x->d, 1);
  x->n = x->owed = 0;
  x->aw = x->w = x->b = x->ar = x->r = x->doing = x->asked = false;
}

int main(int argc, char **argv) {
  static bench all;
  bench *x = &all;
  tb t;
  tb_init(&t, argc, argv, "cm_axil_post", 20000);
  x->t = &t;
  x->d = dut_begin(&t);
  reset(x);
  while (dut_cycle(x->d) < t.cycles) {
    drive(x);
    if (rnd_below(&t, 800) == 0) {
      reset(x);
      continue;
    }
    reads(x);
    writes(x);
    dut_tick(x->d);
  }
  CHECK(&t, x->writes > t.cycles / 50 && x->reads > t.cycles / 400 && x->full > t.cycles / 50,
        "%u writes, %u reads, %u cycles full", x->writes, x->reads, x->full);
  dut_free(x->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
