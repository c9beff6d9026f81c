// SPDX-License-Identifier: Apache-2.0
// The test of ax_iommu: the accelerator. It makes bursts, each of a page of its own, puts them on its port and looks at
// what comes back.
#ifndef TOCSIN_AX_IOMMU_BURSTS_H
#define TOCSIN_AX_IOMMU_BURSTS_H

#include "ax_iommu_state.h"

static int page_take(tb *t, state *s) {
  unsigned first = (unsigned)rnd_below(t, PAGES);
  for (unsigned i = 0; i < PAGES; i++)
    if (!s->pages[(first + i) % PAGES].busy) return (int)((first + i) % PAGES);
  return -1;
}

static void log_byte(bytes *b, const state *s, const burst *x, unsigned i, uint8_t value) {
  const page *p = &s->pages[x->page];
  b->at[b->in++ % (1u << 17)] =
      (byte){.addr = border(x) + i, .value = value, .who = (uint8_t)p->who, .denied = p->kind == REDIRECT};
}

// What of a burst comes into the log: of a put at once, of a get what is in its page until the burst has ended.
static void log_burst(state *s, const burst *b, bool write) {
  kind k = s->pages[b->page].kind;
  unsigned n = (b->len + 1) << b->size, lead = (unsigned)(b->addr - border(b));
  if (b->bad || (k != BOTH && !(k == REDIRECT && write))) return;
  for (unsigned i = lead; i < n; i++) {
    unsigned at = 4096 * b->page + (unsigned)((border(b) + i) & 4095);
    if (write && b->on[i]) log_byte(&s->puts, s, b, i, b->data[i]);
    if (!write) log_byte(&s->gets, s, b, i, s->want[at]);
  }
}

static void fill(tb *t, burst *b, unsigned pattern) {
  unsigned n = (b->len + 1) << b->size, lead = (unsigned)(b->addr - border(b));
  memset(b->on, 0, sizeof b->on);
  for (unsigned i = 0; i < n; i++) {
    b->data[i] = (uint8_t)rnd(t);
    b->on[i] = i >= lead && (pattern == 0 ? rnd_chance(t, 80) : pattern == 1 ? rnd_chance(t, 98) : pattern != 2);
  }
}

// A burst that lies in a page: len + 1 beats of 1 << size bytes at its offset `at`.
static burst *place(tb *t, state *s, bool write, unsigned pg, unsigned at, unsigned len, unsigned size) {
  burst *b = write ? &s->wr[s->wr_made % QUEUE] : &s->rd[s->rd_made % QUEUE];
  b->page = pg;
  b->addr = s->pages[pg].va + at;
  b->len = len;
  b->size = size;
  b->type = 1;
  b->id = (unsigned)rnd_bits(t, P_IdW);
  b->bad = b->crosses = false;
  s->pages[pg].busy = true;
  return b;
}

static void issue(state *s, burst *b, bool write) {
  kind k = s->pages[b->page].kind;
  log_burst(s, b, write);
  if (write) s->wr_made++, s->kind_wr[k]++;
  if (!write) s->rd_made++, s->kind_rd[k]++;
}

static void make(tb *t, state *s, bool write) {
  int pg = page_take(t, s);
  if (pg < 0) return;
  unsigned size = rnd_chance(t, 60) ? TOP : (unsigned)rnd_below(t, TOP + 1), room = 4096 >> size;
  unsigned len = rnd_chance(t, 70) ? (unsigned)rnd_below(t, 9) : (unsigned)rnd_below(t, LEAST(room, 256));
  unsigned at = (unsigned)rnd_below(t, room - len) << size;
  if (rnd_chance(t, 50)) at += (unsigned)rnd_below(t, 1ull << size);
  burst *b = place(t, s, write, (unsigned)pg, at, len, size);
  if (rnd_chance(t, 6)) b->type = rnd_chance(t, 50) ? 0 : 2;
  if (!write && rnd_chance(t, 3) && len) {
    b->addr = (b->addr | 0xfff) & ~(uint64_t)(BEAT - 1);
    b->size = TOP;
    b->crosses = true;
  }
  b->bad = b->type != 1 || b->crosses;
  if (write) fill(t, b, (unsigned)rnd_below(t, 8));
  issue(s, b, write);
}

static void drive_write(tb *t, dut *d, state *s) {
  if (!s->aw_up) s->aw_up = s->aw_out != s->wr_made && up(t, s->pct[0]);
  const burst *a = &s->wr[s->aw_out % QUEUE];
  dut_set_s_axi_awvalid(d, s->aw_up);
  dut_set_s_axi_awaddr(d, s->aw_up ? a->addr : rnd(t));
  dut_set_s_axi_awid(d, s->aw_up ? a->id : rnd_bits(t, P_IdW));
  dut_set_s_axi_awlen(d, s->aw_up ? a->len : rnd_bits(t, 8));
  dut_set_s_axi_awsize(d, s->aw_up ? a->size : rnd_bits(t, 3));
  dut_set_s_axi_awburst(d, s->aw_up ? a->type : rnd_bits(t, 2));
  dut_set_s_axi_awuser(d, s->aw_up ? s->rid[s->pages[a->page].who] : rnd_bits(t, 16));
  if (!s->w_up) s->w_up = s->w_out != s->wr_made && up(t, s->pct[1]);
  const burst *w = &s->wr[s->w_out % QUEUE];
  uint32_t data[S_AXI_WDATA_WORDS], strb[2] = {0};
  rnd_words(t, data, S_AXI_WDATA_W);
  unsigned n = 1u << w->size, lane = (unsigned)(border(w) + s->w_beat * n) % BEAT;
  for (unsigned i = 0; s->w_up && i < n; i++) {
    if (w->on[s->w_beat * n + i]) bits_set(data, 8 * (lane + i), 8, w->data[s->w_beat * n + i]);
    bits_set(strb, lane + i, 1, w->on[s->w_beat * n + i]);
  }
  dut_set_s_axi_wvalid(d, s->w_up);
  dut_set_s_axi_wdata(d, data);
  dut_set_s_axi_wstrb(d, s->w_up ? strb[0] | (uint64_t)strb[1] << 32 : rnd_bits(t, BEAT));
  dut_set_s_axi_wlast(d, s->w_up ? s->w_beat == w->len : rnd_bits(t, 1));
  s->b_up = up(t, s->pct[2]);
  dut_set_s_axi_bready(d, s->b_up);
}

static void drive_read(tb *t, dut *d, state *s) {
  if (!s->ar_up) s->ar_up = s->ar_out != s->rd_made && up(t, s->pct[0]);
  const burst *a = &s->rd[s->ar_out % QUEUE];
  dut_set_s_axi_arvalid(d, s->ar_up);
  dut_set_s_axi_araddr(d, s->ar_up ? a->addr : rnd(t));
  dut_set_s_axi_arid(d, s->ar_up ? a->id : rnd_bits(t, P_IdW));
  dut_set_s_axi_arlen(d, s->ar_up ? a->len : rnd_bits(t, 8));
  dut_set_s_axi_arsize(d, s->ar_up ? a->size : rnd_bits(t, 3));
  dut_set_s_axi_arburst(d, s->ar_up ? a->type : rnd_bits(t, 2));
  dut_set_s_axi_aruser(d, s->ar_up ? s->rid[s->pages[a->page].who] : rnd_bits(t, 16));
  s->r_up = up(t, s->pct[3]);
  dut_set_s_axi_rready(d, s->r_up);
}

static void take_b(tb *t, dut *d, state *s) {
  CHECK(t, s->b_in != s->w_out && s->b_in != s->aw_out, "P1: a response before the burst was here");
  burst *b = &s->wr[s->b_in++ % QUEUE];
  CHECK_EQ(t, dut_get_s_axi_bid(d), b->id, "BID");
  CHECK_EQ(t, dut_get_s_axi_bresp(d), b->bad ? 2 : 0, "P2: BRESP");
  for (unsigned i = 0; !b->bad && writes(s->pages[b->page].kind) && i < (b->len + 1) << b->size; i++)
    if (b->on[i]) s->want[4096 * b->page + (unsigned)((border(b) + i) & 4095)] = b->data[i];
  s->pages[b->page].busy = false;
}

static void check_lanes(tb *t, dut *d, const state *s, const burst *b, uint64_t at) {
  uint32_t data[S_AXI_RDATA_WORDS];
  dut_get_s_axi_rdata(d, data);
  for (unsigned i = 0; i < BEAT; i++) {
    uint64_t a = (at & ~(uint64_t)(BEAT - 1)) + i;
    bool in = a >= at && a < at + (1u << b->size) && a >= b->addr;
    CHECK_EQ(t, bits_get(data, 8 * i, 8), in ? s->want[4096 * b->page + (a & 4095)] : 0, "P1: lane %u, %" PRIx64, i,
             b->addr);
  }
}

static void take_r(tb *t, dut *d, state *s) {
  CHECK(t, s->r_in != s->ar_out, "a beat that nobody asked for");
  if (s->r_in == s->ar_out) return;
  burst *b = &s->rd[s->r_in % QUEUE];
  kind k = s->pages[b->page].kind;
  bool bad = b->bad || k == NONE || k == BAD;
  CHECK_EQ(t, dut_get_s_axi_rid(d), b->id, "RID");
  CHECK_EQ(t, dut_get_s_axi_rlast(d), s->r_beat == b->len, "RLAST");
  CHECK_EQ(t, dut_get_s_axi_rresp(d), bad ? 2 : 0, "P2: RRESP of %" PRIx64 ", page of kind %u", b->addr, (unsigned)k);
  if (!bad) check_lanes(t, d, s, b, border(b) + ((uint64_t)s->r_beat << b->size));
  if (s->r_beat++ != b->len) return;
  s->r_beat = 0;
  s->pages[b->page].busy = false;
  s->refused += bad;
  s->r_in++;
}

#endif
