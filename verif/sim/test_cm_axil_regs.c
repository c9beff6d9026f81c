// SPDX-License-Identifier: Apache-2.0
// cm_axil_regs against a list of what was asked: random reads and writes with idle cycles on every channel, held
// registers, strobes, waits; what waits for a hold is done under it (INV-12), and the test says what does, as if by
// chance. The register file behind it is an array of the test: of a word some bits are near, some far, some late. Every
// cycle of an access is predicted from the latency in the block's header; what is not valid is anything; resets come in
// the middle of it.
// config: default
// netlist: default
#include "tb.h"
#include "cm_axil_regs_tb.h"
#include "reg_bus.h"

enum { WORDS = 1 << 17 };

static uint64_t file[WORDS];

// Which accesses need a hold: a function of the address and the strobes, and another one of reads.
static bool held_r(uint32_t word) { return (uint32_t)(word * 0x9e3779b1u) >> 29 == 0; }
static bool held_w(uint32_t word, unsigned strb) { return held_r(word) || ((word ^ strb) & 3) == 0; }

static uint32_t pick_addr(tb *t) {
  static const uint32_t some[] = {0x0, 0x18, 0x1c, 0x1010, 0x2ff8, 0x4200, 0x10000, 0xffff8};
  if (rnd_chance(t, 60)) return (uint32_t)rnd_bits(t, 20);
  return some[rnd_below(t, sizeof some / sizeof *some)] + (uint32_t)rnd_below(t, 8);
}

// What waits on the bus, the access under way, and what has been done.
typedef struct {
  tb *t;
  dut *d;
  uint32_t aw, ar, now;
  uint64_t wdata, want, late, done, writes, reads, holds;  // late: bits of what is read that come behind the others
  unsigned wstrb, strb, age, after;                        // age: cycles since it was taken; after: since it was done
  bool aw_on, w_on, ar_on, busy, is_write, acted, granted, needs, wrote;  // wrote: the last access was a write
} bench;

static void drive(bench *b, bool reset) {
  if (reset) {
    dut_set_rst_ni(b->d, 0);
    b->aw_on = b->w_on = b->ar_on = b->busy = b->granted = b->wrote = false;
  } else {
    dut_set_rst_ni(b->d, 1);
  }
  if (!b->aw_on) b->aw_on = rnd_chance(b->t, 40), b->aw = pick_addr(b->t);
  if (!b->w_on) {
    b->w_on = rnd_chance(b->t, 40);
    b->wdata = rnd(b->t);
    b->wstrb = rnd_chance(b->t, 20) ? 0 : (unsigned)rnd_bits(b->t, 8);
  }
  if (!b->ar_on) b->ar_on = rnd_chance(b->t, 30), b->ar = pick_addr(b->t);
  dut_set_s_awvalid_i(b->d, b->aw_on && !reset);
  dut_set_s_awaddr_i(b->d, b->aw);
  dut_set_s_wvalid_i(b->d, b->w_on && !reset);
  dut_set_s_wdata_i(b->d, b->wdata);
  dut_set_s_wstrb_i(b->d, b->wstrb);
  dut_set_s_arvalid_i(b->d, b->ar_on && !reset);
  dut_set_s_araddr_i(b->d, b->ar);
  dut_set_s_bready_i(b->d, rnd_chance(b->t, 60));
  dut_set_s_rready_i(b->d, rnd_chance(b->t, 60));
  dut_set_wr_wait_i(b->d, rnd_chance(b->t, 20));
  dut_set_hold_gnt_i(b->d, 0);
  dut_eval(b->d);
  // A grant comes in the cycle of the request or later, and stays while it is asked for.
  b->granted = dut_get_hold_req_o(b->d) && (b->granted || rnd_chance(b->t, 30));
  dut_set_hold_gnt_i(b->d, b->granted);
}

static void written(bench *b) {
  CHECK(b->t, b->busy && b->is_write && !b->acted, "a write that nobody asked for");
  CHECK(b->t, b->strb != 0, "a write without strobes");
  uint32_t bus[RB_O_WORDS];
  dut_get_rb_o(b->d, bus);
  CHECK_EQ(b->t, REG_BUS(bus, ADDR), b->now >> 3, "address");
  CHECK_EQ(b->t, REG_BUS(bus, WDATA), b->want, "data");
  CHECK_EQ(b->t, REG_BUS(bus, WSTRB), b->strb, "strobes");
  CHECK_EQ(b->t, dut_get_hold_req_o(b->d), held_w(b->now >> 3, b->strb), "hold of 0x%x strobes 0x%x", b->now, b->strb);
  CHECK(b->t, !dut_get_hold_req_o(b->d) || b->granted, "held write without a grant");
  CHECK(b->t, !dut_get_wr_wait_i(b->d), "write while it should wait");
  for (unsigned k = 0; k < 8; k++)
    if (b->strb >> k & 1) file[b->now >> 3] = (file[b->now >> 3] & ~(0xffull << 8 * k)) | (b->want & 0xffull << 8 * k);
  b->acted = true;
  b->after = 1;
  b->writes++;
  b->holds += dut_get_hold_req_o(b->d);
}

static void was_read(bench *b, uint64_t rdata) {
  CHECK(b->t, b->busy && !b->is_write && !b->acted, "a read that nobody asked for");
  CHECK_EQ(b->t, dut_get_hold_req_o(b->d), held_r(b->now >> 3), "hold of a read of 0x%x", b->now);
  CHECK(b->t, !dut_get_hold_req_o(b->d) || b->granted, "held read without a grant");
  CHECK_EQ(b->t, dut_get_rb_rdata_o(b->d), rdata, "what is read");
  b->want = rdata | b->late;
  b->acted = true;
  b->after = 1;
  b->reads++;
  b->granted = false;
}

// What the header says of each cycle: setup in the first one after the taking, done from the second one on as soon as
// hold and messages let it, the response in the next one, of a read in the one behind. Reads and writes take turns.
static void predicted(bench *b, const uint32_t *bus) {
  bool acts = b->busy && !b->acted && b->age >= 2 && !(b->is_write && b->strb == 0), held = !b->needs || b->granted;
  bool want_w = !b->busy && b->aw_on && b->w_on && !(b->ar_on && b->wrote), none = b->is_write && b->strb == 0;
  CHECK_EQ(b->t, dut_get_s_awready_o(b->d), want_w, "AW is taken");
  CHECK_EQ(b->t, dut_get_s_arready_o(b->d), !b->busy && b->ar_on && !want_w, "AR is taken");
  CHECK_EQ(b->t, REG_BUS(bus, WE), acts && b->is_write && held && !dut_get_wr_wait_i(b->d), "P2: written, age %u",
           b->age);
  CHECK_EQ(b->t, dut_get_rb_re_o(b->d), acts && !b->is_write && held, "P3: read, age %u", b->age);
  CHECK_EQ(b->t, dut_get_hold_req_o(b->d), acts && b->needs, "P4: hold_req_o, age %u", b->age);
  bool answer = b->busy && (none ? b->age >= 2 : b->acted && b->after >= (b->is_write ? 1 : 2));
  CHECK_EQ(b->t, dut_get_s_bvalid_o(b->d), answer && b->is_write, "P1: B, age %u", b->age);
  CHECK_EQ(b->t, dut_get_s_rvalid_o(b->d), answer && !b->is_write, "P1: R, age %u", b->age);
  if (!b->busy || b->acted) return;
  CHECK_EQ(b->t, REG_BUS(bus, ADDR), b->now >> 3, "P3: address, age %u", b->age);
  if (b->is_write) CHECK_EQ(b->t, REG_BUS(bus, WDATA), b->want, "P3: data, age %u", b->age);
}

static void step(bench *b, uint64_t rdata) {
  uint32_t bus[RB_O_WORDS];
  dut_get_rb_o(b->d, bus);
  predicted(b, bus);
  b->age++;
  b->after++;
  bool take_w = dut_get_s_awready_o(b->d), take_r = dut_get_s_arready_o(b->d), we = REG_BUS(bus, WE);
  CHECK_EQ(b->t, dut_get_s_wready_o(b->d), take_w, "both halves of a write together");
  CHECK(b->t, !(b->busy && (take_w || take_r)), "one at a time");
  if (we) written(b);
  if (dut_get_rb_re_o(b->d)) was_read(b, rdata);
  if (dut_get_s_bvalid_o(b->d)) CHECK(b->t, b->busy && b->is_write && (b->acted || b->strb == 0), "early response");
  if (dut_get_s_rvalid_o(b->d)) {
    CHECK(b->t, b->busy && !b->is_write && b->acted, "early data");
    CHECK_EQ(b->t, dut_get_s_rdata_o(b->d), b->want, "read 0x%x", b->now);
  }
  CHECK_EQ(b->t, dut_get_s_bresp_o(b->d) | dut_get_s_rresp_o(b->d), 0, "always OKAY");
  if ((dut_get_s_bvalid_o(b->d) && dut_get_s_bready_i(b->d)) || (dut_get_s_rvalid_o(b->d) && dut_get_s_rready_i(b->d)))
    b->busy = false, b->done++;
  if (take_w)
    b->busy = true, b->is_write = true, b->acted = false, b->now = b->aw, b->want = b->wdata, b->strb = b->wstrb,
    b->aw_on = b->w_on = false;
  if (take_r) b->busy = true, b->is_write = false, b->acted = false, b->now = b->ar, b->ar_on = false;
  if (take_w || take_r) b->age = 1, b->wrote = take_w;
  if (we) b->granted = false;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_axil_regs", 60000);
  bench all = {.t = &t, .d = dut_begin(&t)}, *b = &all;
  dut_reset(b->d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    const bool reset = rnd_below(&t, 1000) == 0;  // in the middle of anything
    drive(b, reset);
    uint32_t bus[RB_O_WORDS];
    dut_get_rb_o(b->d, bus);
    const uint32_t word = (uint32_t)REG_BUS(bus, ADDR);
    // Of each word some bits come a cycle later, if it has been read; what else is late is anything.
    const bool behind = b->busy && b->acted && !b->is_write && b->after == 1;
    dut_set_rb_late_i(b->d, behind ? b->late : rnd(b->t));
    const uint64_t late = rnd(b->t) & rnd(b->t), rdata = file[word] & ~late;
    b->late = file[word] & late;
    // Looked at in the first cycle on the bus alone.
    bool first = b->busy && b->age == 1, hold_w = held_w(word, (unsigned)REG_BUS(bus, WSTRB)), hold_r = held_r(word);
    dut_set_held_w_i(b->d, first ? hold_w : rnd_bits(&t, 1));
    dut_set_held_r_i(b->d, first ? hold_r : rnd_bits(&t, 1));
    if (first) b->needs = b->is_write ? hold_w : hold_r;
    uint64_t far = rnd(b->t);  // which bits come from there in this cycle
    dut_set_rb_rdata_i(b->d, rdata & ~far);
    dut_set_rb_far_i(b->d, rdata & far);
    dut_eval(b->d);
    if (!reset) step(b, rdata);
    dut_tick(b->d);
  }
  CHECK(b->t,
        b->done > t.cycles / 20 && b->writes > t.cycles / 60 && b->reads > t.cycles / 60 && b->holds > t.cycles / 200,
        "too little happened: %" PRIu64 " accesses, %" PRIu64 " writes, %" PRIu64 " held, %" PRIu64 " reads", b->done,
        b->writes, b->holds, b->reads);
  dut_free(b->d);
  return tb_end(&t);
}
