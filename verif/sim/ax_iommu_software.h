// SPDX-License-Identifier: Apache-2.0
// The test of ax_iommu: software. It consumes the log, which has to be what the accelerator has done, byte by byte, and
// uses the registers.
#ifndef TOCSIN_AX_IOMMU_SOFTWARE_H
#define TOCSIN_AX_IOMMU_SOFTWARE_H

#include "ax_iommu_state.h"

static void start_write(registers *r, uint64_t addr, uint64_t v, unsigned strobes) {
  r->waddr = addr;
  r->wdata = v;
  r->strobes = strobes;
  r->aw_left = r->w_left = r->writing = true;
}
static void start_read(registers *r, uint64_t addr, asked what) {
  r->raddr = addr;
  r->what = what;
  r->ar_left = r->reading = true;
}

static uint64_t ring_word(const state *s, uint32_t at) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v |= (uint64_t)s->own[RING + (at + i) % RING_BYTES] << 8 * i;
  return v;
}

// The next byte of the log has to be this one.
static void check_byte(tb *t, const state *s, bytes *b, uint64_t addr, uint8_t value, uint64_t head) {
  CHECK(t, b->out != b->in, "an entry that nobody made");
  if (b->out == b->in) return;
  const byte *w = &b->at[b->out++ % (1u << 17)];
  CHECK_EQ(t, addr, w->addr, "address of a byte in the log");
  CHECK_EQ(t, value, w->value, "a byte in the log, of %" PRIx64, addr);
  CHECK_EQ(t, head >> 48, s->rid[w->who], "requester in the log");
  CHECK_EQ(t, head >> 15 & 1, w->denied, "denied");
}

// An entry of the ring; returns its bytes.
static uint32_t check_entry(tb *t, state *s, uint32_t at) {
  uint64_t addr = ring_word(s, at), head = ring_word(s, at + 8);
  unsigned what = head >> 12 & 7, len = head >> 19 & 0x7ff, fbe = head >> 30 & 15, lbe = head >> 34 & 15;
  if (what == 7) {
    s->pads++;
    return 16 + 4 * len;
  }
  CHECK(t, what == 1 || what == 2, "kind of an entry: %u", what);
  CHECK_EQ(t, head & 0x70fff, 0x40000 | IUID, "IUID, flags: data, not poisoned, not aborted");
  for (unsigned i = 0; i < 4 * len; i++) {
    unsigned be = i < 4 ? fbe : i >= 4 * len - 4 ? lbe : 15;
    uint8_t value = s->own[RING + (at + 16 + i) % RING_BYTES];
    if (be >> (i & 3) & 1)
      check_byte(t, s, what == 1 ? &s->puts : &s->gets, (addr & ~3ull) + i, value, head);
    else
      CHECK_EQ(t, value, 0, "a byte in the log that is not of the request");
  }
  s->entries[what - 1]++;
  return 16 + (4 * len + 15) / 16 * 16;
}

static void consume(tb *t, state *s, uint32_t prod) {
  CHECK(t, prod - s->cons <= RING_BYTES, "producer %x beyond the ring of consumer %x", prod, s->cons);
  if (prod - s->cons > RING_BYTES) return;
  s->cons_due |= prod != s->cons;
  while (prod != s->cons && prod - s->cons <= RING_BYTES) s->cons += check_entry(t, s, s->cons);
  CHECK_EQ(t, s->cons, prod, "an entry ends at the producer");
}

// What software does by itself: it follows the log, and uses a register of which nobody else takes notice.
static void software(tb *t, state *s) {
  registers *r = &s->reg;
  if (s->sleep) s->sleep--;
  if (r->hands || s->sleep) return;
  if (!r->writing && up(t, r->pct / 2)) {
    bool spare = !(r->reading && r->what == FOR_SPARE) && rnd_chance(t, 50);
    if (s->cons_due) {
      start_write(r, CONS, (rnd(t) & 0xffffffff00000000) | s->cons, 0xff);
      s->cons_due = false;
    } else if (spare) {
      start_write(r, SPARE | rnd_bits(t, 3), rnd(t), (unsigned)rnd_bits(t, 8));
      for (unsigned i = 0; i < 8; i++)
        if (r->strobes >> i & 1) s->spare = (s->spare & ~(255ull << 8 * i)) | (r->wdata & 255ull << 8 * i);
    }
  }
  if (!r->reading && up(t, r->pct / 2)) {
    bool spare = !(r->writing && r->waddr >> 3 == SPARE >> 3) && rnd_chance(t, 30);
    if (spare) start_read(r, SPARE | rnd_bits(t, 3), FOR_SPARE);
    if (!spare) start_read(r, PROD, FOR_PROD);
  }
}

static void drive_registers(tb *t, dut *d, state *s) {
  registers *r = &s->reg;
  if (r->aw_left && !r->aw_up) r->aw_up = up(t, r->pct);
  if (r->w_left && !r->w_up) r->w_up = up(t, r->pct);
  if (r->ar_left && !r->ar_up) r->ar_up = up(t, r->pct);
  r->b_up = up(t, r->pct);
  r->r_up = up(t, r->pct);
  dut_set_s_axil_awvalid(d, r->aw_up);
  dut_set_s_axil_awaddr(d, r->aw_up ? r->waddr : rnd_bits(t, 20));
  dut_set_s_axil_wvalid(d, r->w_up);
  dut_set_s_axil_wdata(d, r->w_up ? r->wdata : rnd(t));
  dut_set_s_axil_wstrb(d, r->w_up ? r->strobes : rnd_bits(t, 8));
  dut_set_s_axil_arvalid(d, r->ar_up);
  dut_set_s_axil_araddr(d, r->ar_up ? r->raddr : rnd_bits(t, 20));
  dut_set_s_axil_bready(d, r->b_up);
  dut_set_s_axil_rready(d, r->r_up);
}

static void read_done(tb *t, state *s, uint64_t v) {
  registers *r = &s->reg;
  CHECK(t, r->reading && !r->ar_left, "a register's value that nobody asked for");
  r->reading = false;
  r->got = v;
  if (r->what == FOR_PROD) consume(t, s, (uint32_t)v);
  if (r->what != FOR_SPARE) return;
  CHECK_EQ(t, v, s->spare, "a register's bytes");
  s->spares++;
}

static void take_registers(tb *t, dut *d, state *s) {
  registers *r = &s->reg;
  bool b = dut_get_s_axil_bvalid(d), rv = dut_get_s_axil_rvalid(d);
  uint64_t v = dut_get_s_axil_rdata(d);
  uint32_t now[] = {(uint32_t)v, (uint32_t)(v >> 32), (uint32_t)dut_get_s_axil_rresp(d)};
  uint32_t resp = (uint32_t)dut_get_s_axil_bresp(d);
  wait_same(t, &r->b, b, r->b_up, &resp, 1, "s_axil B");
  wait_same(t, &r->r, rv, r->r_up, now, 3, "s_axil R");
  if (b && r->b_up) {
    CHECK(t, r->writing && !r->aw_left && !r->w_left, "a register's response that nobody waits for");
    CHECK_EQ(t, resp, 0, "s_axil_bresp");
    r->writing = false;
  }
  if (rv && r->r_up) {
    CHECK_EQ(t, now[2], 0, "s_axil_rresp");
    read_done(t, s, v);
  }
  if (r->aw_up && dut_get_s_axil_awready(d)) r->aw_up = r->aw_left = false;
  if (r->w_up && dut_get_s_axil_wready(d)) r->w_up = r->w_left = false;
  if (r->ar_up && dut_get_s_axil_arready(d)) r->ar_up = r->ar_left = false;
}

#endif
