// SPDX-License-Identifier: Apache-2.0
// ax_dev: AXI bursts of every size, alignment and pattern of strobes against a host that does what the TLPs say, and
// answers some reads badly or never. Pages lie anywhere and have a requester id each; a page belongs to one burst at a
// time, so that it must hold exactly what was written when the response comes, and a read after it must see that.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128 -GMaxWrite=128
// config: wide +define+TOCSIN_DATA_W=512 -GIdW=6 -GMaxWrite=4096
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "ax_dev_tb.h"
#include "aa_fields.h"

#define BEAT (CM_TLP_T_DATA_W / 8)
#define BEAT_DW (BEAT / 4)
#define PAGES 16
#define DENIED PAGES  // reads of this page are refused
#define NOWHERE (PAGES + 1)
#define QUEUE 32
#define TOP (BEAT == 16 ? 4u : BEAT == 32 ? 5u : 6u)  // AxSIZE of a whole word

typedef enum fault { NONE, ABORT, POISON, LINK, WRONG, SILENT, FAULTS } fault;  // of the answers to a read

typedef struct held {  // what waits may not change
  bool up;
  uint32_t now[REQ_O_WORDS];
} held;

typedef struct burst {
  uint64_t addr;
  unsigned id, len, size, type, page;
  bool bad;
  uint8_t data[16384];
  bool on[16384];
} burst;

typedef struct asked {
  bool live, refused, given_up;
  fault fault;
  uint64_t at, from;
  unsigned left, rid, lead, dws;
  uint8_t bytes[4096];
} asked;

typedef struct state {
  uint64_t base[PAGES + 1];
  unsigned rid[PAGES + 1];
  fault fault[PAGES + 1];
  uint8_t memory[PAGES * 4096], want[PAGES * 4096];
  bool busy[PAGES];
  burst wr[QUEUE], rd[QUEUE];
  unsigned wr_made, aw_out, w_out, w_beat, b_in, rd_made, ar_out, r_in, r_beat;
  bool aw_up, w_up, ar_up, b_up, r_up;
  asked tag[256];
  uint64_t addr;  // the TLP that comes
  unsigned dws, dw, fbe, lbe;
  bool mid;
  int answering;                              // tag of which a completion is being sent, or -1
  bool stray, cpl_up;                         // it is nobody's; its beat is valid
  bool rate;                                  // nothing but what was asked for comes
  unsigned strays, malformed, timeouts, tmo;  // less those that were told; cfg_tmo_i
  held req_held, b_held, r_held;
  unsigned cpl_dws, cpl_dw;
  uint32_t cpl[CPL_I_WORDS];
  unsigned mps, mrrs, pct[6];
  uint64_t tlps, bursts, refused, holes, first, last, r_first, r_last;
  unsigned delay;
} state;

static unsigned page_of(const state *s, uint64_t addr) {
  unsigned page = 0;
  while (page < NOWHERE && addr - s->base[page] >= 4096) page++;
  return page;
}
static unsigned rid_of(const state *s, uint64_t addr) {
  unsigned page = page_of(s, addr);
  return page < NOWHERE ? s->rid[page] : 0;
}
// Where the byte at addr is in memory and want.
static unsigned offset(const state *s, uint64_t addr) {
  return (unsigned)(page_of(s, addr) % PAGES * 4096 + (addr & 4095));
}
static bool up(tb *t, state *s, unsigned what) { return rnd_chance(t, s->pct[what]); }

static int page_take(tb *t, state *s) {
  unsigned first = (unsigned)rnd_below(t, PAGES);
  for (unsigned i = 0; i < PAGES; i++)
    if (!s->busy[(first + i) % PAGES]) return (int)((first + i) % PAGES);
  return -1;
}

// Byte i of a burst, counted from the border of its first beat, lies at (addr & -size) + i.
static uint64_t border(const burst *b) { return b->addr & ~((1ull << b->size) - 1); }

static bool make(tb *t, state *s, burst *b, bool write, unsigned len, unsigned size, unsigned pattern) {
  int page = page_take(t, s);
  if (page < 0) return false;
  unsigned bytes = (len + 1) << size, room = 4096 >> size;
  memset(b->on, 0, sizeof b->on);
  b->page = (unsigned)page;
  b->size = size;
  b->len = bytes > 4096 ? room - 1 : len;
  b->type = rnd_chance(t, 95) ? 1 : rnd_chance(t, 50) ? 0 : 2;
  b->id = (unsigned)rnd_bits(t, P_IdW);
  unsigned most = room - b->len;  // where it may begin, in beats
  b->addr = s->base[b->page] + (rnd_below(t, most) << size);
  if (pattern == 9) b->addr = s->base[b->page], b->type = 1;
  s->fault[b->page] = !write && pattern != 9 && rnd_chance(t, 5) ? (fault)rnd_below(t, SILENT) : NONE;
  if (rnd_chance(t, 50) && pattern != 9) b->addr += rnd_below(t, 1ull << size);
  b->bad = b->type != 1;
  unsigned n = (b->len + 1) << size, lead = (unsigned)(b->addr - border(b));
  for (unsigned i = lead; i < n; i++) {
    b->data[i] = (uint8_t)rnd(t);
    b->on[i] = pattern == 0 ? rnd_chance(t, 50) : pattern == 1 ? rnd_chance(t, 97) : pattern != 2;
  }
  if (pattern == 3)  // one byte, or some at one end
    for (unsigned i = lead; i < n; i++) b->on[i] = i + 5 > n;
  for (unsigned i = lead; write && i + 1 < n; i++) s->holes += b->on[i] && !b->on[i + 1];
  if (!write && rnd_chance(t, 5) && pattern != 9) b->addr = s->base[DENIED] + (b->addr & 0xfff);
  if (!write && pattern != 9 && rnd_chance(t, 3) && b->len) {  // crosses its page
    b->addr = (b->addr | 0xfff) & ~(uint64_t)(BEAT - 1);
    b->size = TOP;
    b->bad = true;
  }
  s->busy[b->page] = true;
  return true;
}

static void drive_write(tb *t, dut *d, state *s) {
  if (!s->aw_up) s->aw_up = s->aw_out != s->wr_made && up(t, s, 0);
  const burst *a = &s->wr[s->aw_out % QUEUE];
  dut_set_s_axi_awvalid(d, s->aw_up);
  dut_set_s_axi_awaddr(d, s->aw_up ? a->addr : rnd(t));
  dut_set_s_axi_awid(d, a->id);
  dut_set_s_axi_awlen(d, a->len);
  dut_set_s_axi_awsize(d, a->size);
  dut_set_s_axi_awburst(d, a->type);
  dut_set_s_axi_awuser(d, rid_of(s, a->addr));
  if (!s->w_up) s->w_up = s->w_out != s->wr_made && up(t, s, 1);
  const burst *w = &s->wr[s->w_out % QUEUE];
  uint32_t data[S_AXI_WDATA_WORDS], strb[2] = {0};
  rnd_words(t, data, S_AXI_WDATA_W);
  unsigned n = 1u << w->size, lane = (unsigned)(border(w) + s->w_beat * n) % BEAT;
  for (unsigned i = 0; i < n; i++) {
    bits_set(data, 8 * (lane + i), 8, w->data[s->w_beat * n + i]);
    bits_set(strb, lane + i, 1, w->on[s->w_beat * n + i]);
  }
  dut_set_s_axi_wvalid(d, s->w_up);
  dut_set_s_axi_wdata(d, data);
  dut_set_s_axi_wstrb(d, strb[0] | (uint64_t)strb[1] << 32);
  dut_set_s_axi_wlast(d, s->w_beat == w->len);
  s->b_up = up(t, s, 2);
  dut_set_s_axi_bready(d, s->b_up);
}

static void drive_read(tb *t, dut *d, state *s) {
  if (!s->ar_up) s->ar_up = s->ar_out != s->rd_made && up(t, s, 0);
  const burst *a = &s->rd[s->ar_out % QUEUE];
  dut_set_s_axi_arvalid(d, s->ar_up);
  dut_set_s_axi_araddr(d, s->ar_up ? a->addr : rnd(t));
  dut_set_s_axi_arid(d, a->id);
  dut_set_s_axi_arlen(d, a->len);
  dut_set_s_axi_arsize(d, a->size);
  dut_set_s_axi_arburst(d, a->type);
  dut_set_s_axi_aruser(d, rid_of(s, a->addr));
  s->r_up = up(t, s, 3);
  dut_set_s_axi_rready(d, s->r_up);
}

static void put16(uint32_t *hdr, unsigned lsb, unsigned width, uint64_t v) {
  bits_set(hdr, CM_TLP_T_HDR_LSB + lsb, width, v);
}

// The next completion of a read: up to a border of 64 bytes, now and then all of it; refused: one without data.
static void begin_answer(tb *t, state *s, unsigned tag) {
  asked *a = &s->tag[tag];
  unsigned at = (unsigned)(a->at & 63),
           most = rnd_chance(t, 50) || s->delay == 0 ? 4096 : 64 * (1 + (unsigned)rnd_below(t, 4));
  unsigned n = a->left < most - at ? a->left : most - at, lead = (unsigned)(a->at & 3);
  bool bare = a->refused || a->fault == ABORT;
  unsigned dws = bare ? 0 : (lead + n + 3) / 4, left = a->fault == WRONG ? a->left + 4 : a->left;
  uint32_t any = (uint32_t)rnd(t) & 0x77bc00, wrong = s->stray ? 1 + (uint32_t)rnd_below(t, 3) : 0;
  rnd_words(t, s->cpl, CPL_I_W);
  put16(s->cpl, 96, 32, (bare ? 0x0Au : 0x4Au) << 24 | any | (a->fault == POISON ? 0x4000u : 0) | (dws & 0x3ff));
  put16(s->cpl, 64, 32, (uint32_t)rnd(t) << 16 | (a->refused ? 1u : bare ? 4u : 0u) << 13 | (left & 0xfff));
  put16(s->cpl, 32, 32, a->rid << 16 | tag << 8 | (a->at & 0x7f));
  if (wrong == 1) put16(s->cpl, 48, 16, (a->rid ^ 1u << rnd_below(t, 16)) & 0xffff);  // of a live tag, but not its
  if (wrong == 2) put16(s->cpl, 40, 8, tag | 16u << rnd_below(t, 4));
  if (wrong == 3) put16(s->cpl, rnd_chance(t, 50) ? 115 : 119, 1, 1);
  s->answering = (int)tag;
  s->cpl_dws = dws;
  s->cpl_dw = 0;
}

static void drive_host(tb *t, dut *d, state *s) {
  if (s->answering < 0 && up(t, s, 4)) {
    unsigned first = (unsigned)rnd_below(t, 256);
    for (unsigned i = 0; i < 256 && s->answering < 0; i++) {
      asked *a = &s->tag[(first + i) % 256];
      if (!a->live || a->fault == SILENT || dut_cycle(d) < a->from) continue;
      s->stray = !s->rate && rnd_chance(t, 5);
      begin_answer(t, s, (first + i) % 256);
    }
  }
  s->cpl_up = s->answering >= 0 && (s->cpl_up || up(t, s, 4));
  bool valid = s->answering >= 0;
  if (valid) {
    const asked *a = &s->tag[s->answering];
    unsigned n = s->cpl_dws - s->cpl_dw < BEAT_DW ? s->cpl_dws - s->cpl_dw : BEAT_DW, lead = (unsigned)(a->at & 3);
    for (unsigned i = 0; i < 4 * n; i++) {
      unsigned k = 4 * s->cpl_dw + i;
      bits_set(s->cpl, 8 * i, 8, k >= lead && k - lead < a->left ? a->bytes[a->at - a->lead + k - lead] : 0);
    }
    bits_set(s->cpl, CM_TLP_T_STRB_LSB, BEAT_DW, (1u << n) - 1);
    bits_set(s->cpl, CM_TLP_T_SOP_LSB, 1, s->cpl_dw == 0);
    bits_set(s->cpl, CM_TLP_T_EOP_LSB, 1, s->cpl_dw + n == s->cpl_dws);
    bits_set(s->cpl, CM_TLP_T_ERR_LSB, 1, a->fault == LINK && s->cpl_dw + n == s->cpl_dws);
  }
  dut_set_cpl_valid_i(d, s->cpl_up);
  dut_set_cpl_i(d, s->cpl);
}

static void answered(state *s) {
  asked *a = &s->tag[s->answering];
  s->cpl_up = false;
  s->cpl_dw += BEAT_DW;
  if (s->cpl_dw < s->cpl_dws) return;
  if (s->stray) {
    s->strays++;
    s->answering = -1;
    return;
  }
  unsigned lead = (unsigned)(a->at & 3), most = 4 * s->cpl_dws - lead, n = a->left < most ? a->left : most;
  a->at += n;
  a->left -= n;
  a->given_up = a->fault == WRONG;
  s->malformed += a->given_up;
  a->live = a->left != 0 && !a->refused && a->fault != ABORT && !a->given_up;
  s->answering = -1;
}

// A read is remembered with what memory holds now.
static void take_read(tb *t, dut *d, state *s, const uint32_t *h) {
  asked *a = &s->tag[h[1] >> 8 & 0xff];
  CHECK(t, !a->live && !a->given_up, "tag %u is in use", h[1] >> 8 & 0xff);
  unsigned lead = (unsigned)__builtin_ctz(s->fbe), top = 31 - (unsigned)__builtin_clz(s->lbe);
  unsigned page = page_of(s, s->addr);
  *a = (asked){.live = true,
               .refused = page == DENIED,
               .fault = s->fault[page],
               .at = (s->addr + lead) & 0xfff,  // in its page: all that LowerAddress needs
               .left = 4 * s->dws - 3 + top - lead,
               .rid = h[1] >> 16,
               .lead = (unsigned)0,
               .from = dut_cycle(d) + (s->delay ? rnd_below(t, s->delay) : 0)};
  s->timeouts += a->fault == SILENT;
  CHECK(t, s->fbe == (0xfu << lead & 0xf & (s->dws == 1 ? 0xfu >> (3 - top) : 0xfu)), "P3: byte enables of a read");
  for (unsigned i = 0; i < 4096; i++) a->bytes[i] = page == DENIED ? 0 : s->memory[4096 * page + i];
}

static void take_header(tb *t, state *s, const uint32_t *h) {
  s->tlps++;
  bool write = h[0] >> 30 == 1, quad = h[0] >> 29 & 1;
  s->addr = quad ? (uint64_t)h[2] << 32 | h[3] : h[2];
  s->dws = h[0] & 0x3ff ? h[0] & 0x3ff : 1024;
  s->fbe = h[1] & 15;
  s->lbe = s->dws == 1 ? s->fbe : h[1] >> 4 & 15;
  s->dw = 0;
  CHECK_EQ(t, h[0] & ~0x3ffu, (write ? 0x40000000u : 0) | (s->addr >> 32 ? 0x20000000u : 0), "MEM-1: form");
  CHECK_EQ(t, h[1] >> 16, rid_of(s, s->addr), "P3: requester id");
  CHECK(t, page_of(s, s->addr) < NOWHERE, "address %" PRIx64, s->addr);
  CHECK(t, (s->addr & 3) == 0 && (s->addr & 0xfff) + 4 * s->dws <= 4096, "P3: %" PRIx64 " + %u DW crosses a page",
        s->addr, s->dws);
  CHECK(t, 4 * s->dws <= 128u << (write ? s->mps : s->mrrs), "P3: %u DW are too many", s->dws);
  CHECK(t, s->fbe != 0, "a run has a byte");
  if (write) CHECK_EQ(t, h[1] >> 8 & 0xff, 0, "MEM-1: tag of a write");
  if (s->dws == 1) CHECK_EQ(t, h[1] >> 4 & 15, 0, "byte enables of one DW");
}

// A beat of a request: memory is written DW by DW.
static void take_request(tb *t, dut *d, state *s) {
  uint32_t b[REQ_O_WORDS], h[4];
  dut_get_req_o(d, b);
  for (unsigned i = 0; i < 4; i++) h[i] = (uint32_t)bits_get(b, CM_TLP_T_HDR_LSB + 96 - 32 * i, 32);
  unsigned n = 0;
  for (unsigned i = 0; i < BEAT_DW; i++) n += (unsigned)bits_get(b, CM_TLP_T_STRB_LSB + i, 1);
  bool eop = bits_get(b, CM_TLP_T_EOP_LSB, 1);
  CHECK_EQ(t, bits_get(b, CM_TLP_T_STRB_LSB, BEAT_DW), (1ull << n) - 1, "strb");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SOP_LSB, 1), !s->mid, "sop");
  if (!s->mid) {
    take_header(t, s, h);
    if (h[0] >> 30 == 0) {
      CHECK(t, n == 0 && eop, "a read is one beat without payload");
      take_read(t, d, s, h);
      return;
    }
  }
  CHECK(t, eop || n == BEAT_DW, "strb full but in the last beat");
  if (!s->first) s->first = dut_cycle(d);
  s->last = dut_cycle(d);
  for (unsigned i = 0; i < n; i++, s->dw++) {
    unsigned be = s->dw == 0 ? s->fbe : s->dw == s->dws - 1 ? s->lbe : 15;
    for (unsigned k = 0; k < 4; k++)
      if (be >> k & 1)
        s->memory[(offset(s, s->addr) + 4 * s->dw + k) % sizeof s->memory] = (uint8_t)bits_get(b, 32 * i + 8 * k, 8);
  }
  s->mid = !eop;
  if (!s->mid) CHECK_EQ(t, s->dw, s->dws, "Length");
}

static void take_b(tb *t, dut *d, state *s) {
  CHECK(t, s->b_in != s->w_out, "P3: a response before the burst was here");
  burst *b = &s->wr[s->b_in++ % QUEUE];
  CHECK_EQ(t, dut_get_s_axi_bid(d), b->id, "P3: BID");
  CHECK_EQ(t, dut_get_s_axi_bresp(d), b->bad ? 2 : 0, "P3: BRESP");
  for (unsigned i = 0; !b->bad && i < (b->len + 1) << b->size; i++)
    if (b->on[i]) s->want[offset(s, border(b)) + i] = b->data[i];
  CHECK_MEM(t, s->memory + 4096 * b->page, s->want + 4096 * b->page, 4096,
            "P1: page %u after the response of a burst at %" PRIx64 ", %u beats of %u", b->page, b->addr, b->len + 1,
            1u << b->size);
  s->busy[b->page] = false;
  s->refused += b->bad;
}

static void take_r(tb *t, dut *d, state *s) {
  CHECK(t, s->r_in != s->ar_out, "a beat that nobody asked for");
  burst *b = &s->rd[s->r_in % QUEUE];
  bool bad = b->bad || page_of(s, b->addr) == DENIED || s->fault[b->page] != NONE;
  unsigned n = 1u << b->size;
  uint64_t at = border(b) + s->r_beat * n;
  uint32_t data[S_AXI_RDATA_WORDS];
  dut_get_s_axi_rdata(d, data);
  CHECK_EQ(t, dut_get_s_axi_rid(d), b->id, "P2: RID");
  CHECK_EQ(t, dut_get_s_axi_rlast(d), s->r_beat == b->len, "P2: RLAST");
  CHECK_EQ(t, dut_get_s_axi_rresp(d), bad ? 2 : 0, "P4: RRESP of %" PRIx64 " size %u", b->addr, b->size);
  for (unsigned i = 0; !bad && i < BEAT; i++) {
    uint64_t a = (at & ~(uint64_t)(BEAT - 1)) + i;
    bool in = a >= at && a < at + n && a >= b->addr;
    CHECK_EQ(t, bits_get(data, 8 * i, 8), in ? s->want[offset(s, a)] : 0, "P1: lane %u, %" PRIx64 " size %u", i,
             b->addr, b->size);
  }
  if (!s->r_first) s->r_first = dut_cycle(d);
  s->r_last = dut_cycle(d);
  if (s->r_beat++ != b->len) return;
  s->r_beat = 0;
  s->busy[b->page] = false;
  s->refused += bad;
  s->r_in++;
}

static void hold(tb *t, held *h, bool valid, bool ready, const uint32_t *now, unsigned words, const char *what) {
  CHECK(t, !h->up || (valid && !memcmp(now, h->now, words * sizeof *now)), "%s changed while it waits", what);
  h->up = valid && !ready;
  memcpy(h->now, now, words * sizeof *now);
}

static void check_held(tb *t, dut *d, state *s, bool req_ready) {
  uint32_t req[REQ_O_WORDS], r[S_AXI_RDATA_WORDS + 1];
  uint32_t b[1] = {(uint32_t)(dut_get_s_axi_bid(d) << 2 | dut_get_s_axi_bresp(d))};
  dut_get_req_o(d, req);
  dut_get_s_axi_rdata(d, r);
  r[S_AXI_RDATA_WORDS] = (uint32_t)(dut_get_s_axi_rid(d) << 3 | dut_get_s_axi_rresp(d) << 1 | dut_get_s_axi_rlast(d));
  hold(t, &s->req_held, dut_get_req_valid_o(d), req_ready, req, REQ_O_WORDS, "a request");
  hold(t, &s->b_held, dut_get_s_axi_bvalid(d), s->b_up, b, 1, "B");
  hold(t, &s->r_held, dut_get_s_axi_rvalid(d), s->r_up, r, S_AXI_RDATA_WORDS + 1, "R");
}

static void free_tags(dut *d, state *s, bool on) {
  dut_set_tag_free_i(d, on);
  for (unsigned i = 0; on && i < 256; i++) s->tag[i].given_up = false;
}

static void cycle(tb *t, dut *d, state *s) {
  drive_write(t, d, s);
  drive_read(t, d, s);
  drive_host(t, d, s);
  bool req = up(t, s, 5);
  dut_set_req_ready_i(d, req);
  dut_set_cfg_mps_i(d, s->mps);
  dut_set_cfg_mrrs_i(d, s->mrrs);
  dut_set_cfg_tmo_i(d, s->tmo);
  free_tags(d, s, !s->tmo && rnd_chance(t, 2));
  dut_eval(d);
  bool aw = s->aw_up && dut_get_s_axi_awready(d), w = s->w_up && dut_get_s_axi_wready(d),
       ar = s->ar_up && dut_get_s_axi_arready(d);
  if (dut_get_s_axi_bvalid(d) && s->b_up) take_b(t, d, s);
  if (dut_get_s_axi_rvalid(d) && s->r_up) take_r(t, d, s);
  check_held(t, d, s, req);
  CHECK(t, dut_get_cpl_ready_o(d), "a completion always has room");
  if (s->cpl_up) answered(s);
  if (req && dut_get_req_valid_o(d)) take_request(t, d, s);
  s->strays -= (unsigned)dut_get_err_stray_o(d);
  s->malformed -= (unsigned)dut_get_err_malformed_o(d);
  s->timeouts -= (unsigned)dut_get_err_timeout_o(d);
  dut_tick(d);
  if (aw) s->aw_out++, s->aw_up = false;
  if (ar) s->ar_out++, s->ar_up = false;
  if (w) {
    s->w_up = false;
    if (s->w_beat++ == s->wr[s->w_out % QUEUE].len) s->w_beat = 0, s->w_out++;
  }
}

static void more(tb *t, state *s) {
  unsigned size = rnd_chance(t, 60) ? TOP : (unsigned)rnd_below(t, TOP + 1);
  unsigned len = rnd_chance(t, 70) ? (unsigned)rnd_below(t, 9) : (unsigned)rnd_below(t, 256);
  if (s->wr_made - s->b_in < 6)
    s->wr_made += make(t, s, &s->wr[s->wr_made % QUEUE], true, len, size, (unsigned)rnd_below(t, 8));
  if (s->rd_made - s->r_in < 6) s->rd_made += make(t, s, &s->rd[s->rd_made % QUEUE], false, len, size, 8);
}

static void drain(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 6; i++) s->pct[i] = 100;
  for (unsigned i = 0; i < 60000 && (s->b_in != s->wr_made || s->r_in != s->rd_made); i++) cycle(t, d, s);
  CHECK_EQ(t, s->b_in, s->wr_made, "P3: every write burst is answered");
  CHECK_EQ(t, s->r_in, s->rd_made, "P2: every read burst is answered");
  for (unsigned i = 0; i < 4; i++) cycle(t, d, s);
  CHECK(t, !s->strays && !s->malformed && !s->timeouts, "P2: what is wrong with completions is told: %d %d %d",
        (int)s->strays, (int)s->malformed, (int)s->timeouts);
  CHECK(t, !dut_get_req_valid_o(d) && !dut_get_s_axi_bvalid(d) && !dut_get_s_axi_rvalid(d), "nothing is left");
  CHECK_MEM(t, s->memory, s->want, sizeof s->memory, "memory at rest");
}

// P5: whole pages back to back: cycles from the first beat to the last.
static void rate(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 6; i++) s->pct[i] = 100;
  s->delay = 0;
  s->rate = true;
  s->mps = s->mrrs = 5;
  unsigned beats = 4096 / BEAT;
  s->first = s->r_first = 0;
  for (unsigned i = 0; i < 12; i++) s->wr_made += make(t, s, &s->wr[s->wr_made % QUEUE], true, beats - 1, TOP, 9);
  drain(t, d, s);
  uint64_t cycles = s->last - s->first + 1;
  CHECK_EQ(t, cycles, 12 * beats, "P5: cycles for 12 pages written");
  for (unsigned i = 0; i < 12; i++) s->rd_made += make(t, s, &s->rd[s->rd_made % QUEUE], false, beats - 1, TOP, 9);
  drain(t, d, s);
  cycles = s->r_last - s->r_first + 1;
  CHECK(t, cycles <= 12 * beats + 12 * beats / 5, "P5: %u cycles for 12 pages read, of %u beats each", (unsigned)cycles,
        beats);
  printf("  12 pages read: %u beats in %u cycles\n", 12 * beats, (unsigned)cycles);
  s->rate = false;
}

// Pages lie anywhere, some below 4 GiB or with one bit above it.
static void places(tb *t, state *s) {
  for (unsigned i = 0; i < NOWHERE; i++) {
    uint64_t at = i < 2 ? rnd_bits(t, 32) : i < 6 ? rnd(t) : 1ULL << (32 + rnd_below(t, 32)) | rnd_bits(t, 32);
    s->base[i] = 1;  // no page
    bool taken = page_of(s, at) != NOWHERE || page_of(s, at + 4096) != NOWHERE || at >> 12 == UINT64_MAX >> 12;
    if (!taken) s->base[i] = at & ~4095ull;
    s->rid[i] = (unsigned)rnd_bits(t, 16);
    if (taken) i--;
  }
}

// What is under way is forgotten.
static void restart(tb *t, dut *d, state *s) {
  dut_set_s_axi_awvalid(d, 0);
  dut_set_s_axi_wvalid(d, 0);
  dut_set_s_axi_arvalid(d, 0);
  dut_set_cpl_valid_i(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  CHECK(t, !dut_get_req_valid_o(d) && !dut_get_s_axi_bvalid(d) && !dut_get_s_axi_rvalid(d), "nothing after reset");
  memcpy(s->memory, s->want, sizeof s->memory);
  memset(s->busy, 0, sizeof s->busy);
  memset(s->tag, 0, sizeof s->tag);
  s->aw_out = s->w_out = s->b_in = s->wr_made;
  s->ar_out = s->r_in = s->rd_made;
  s->w_beat = s->r_beat = 0;
  s->aw_up = s->w_up = s->ar_up = s->mid = s->cpl_up = false;
  s->req_held.up = s->b_held.up = s->r_held.up = false;
  s->strays = s->malformed = s->timeouts = 0;
  s->answering = -1;
  places(t, s);
}

// P2: reads that nobody answers. Each keeps its tags until they are freed; without a tag a read waits.
static void silence(tb *t, dut *d, state *s) {
  drain(t, d, s);
  s->tmo = 200 + (unsigned)rnd_below(t, 100);
  s->mrrs = 0;
  for (unsigned tags = 0; tags < P_ReadTags; tags++) {
    burst *b = &s->rd[s->rd_made % QUEUE];
    while (!make(t, s, b, false, 0, TOP, 9)) cycle(t, d, s);
    s->fault[b->page] = SILENT;
    s->rd_made++;
    uint64_t from = dut_cycle(d);
    while (s->r_in != s->rd_made && dut_cycle(d) - from < 2 * s->tmo) cycle(t, d, s);
    CHECK(t, dut_cycle(d) - from >= s->tmo, "TIM-7: a read is given up early");
    CHECK_EQ(t, s->r_in, s->rd_made, "TIM-7: a read is given up");
  }
  burst *b = &s->rd[s->rd_made % QUEUE];
  while (!make(t, s, b, false, 0, TOP, 9)) cycle(t, d, s);
  s->rd_made++;
  for (unsigned i = 0; i < 100; i++) cycle(t, d, s);
  CHECK(t, s->r_in != s->rd_made, "MEM-5: a tag that was given up is used again");
  s->tmo = 0;
  for (unsigned i = 0; i < 256; i++) s->tag[i].live &= s->tag[i].fault != SILENT;
  free_tags(d, s, true);
  dut_tick(d);
  drain(t, d, s);
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "ax_dev", 20000);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < sizeof s.memory; i++) s.memory[i] = s.want[i] = (uint8_t)rnd(&t);
  restart(&t, d, &s);
  rate(&t, d, &s);
  silence(&t, d, &s);
  uint64_t end = dut_cycle(d) + t.cycles;
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 70, 20};
    for (unsigned i = 0; i < 6; i++) s.pct[i] = pct[rnd_below(&t, 4)];
    s.mps = (unsigned)rnd_below(&t, 6);
    s.mrrs = (unsigned)rnd_below(&t, 6);
    s.delay = rnd_chance(&t, 50) ? 0 : 300;
    for (unsigned i = 0; i < 600; i++) {
      more(&t, &s);
      cycle(&t, d, &s);
    }
    if (rnd_chance(&t, 30)) restart(&t, d, &s);
    drain(&t, d, &s);
  }
  printf("  %u writes, %u reads, %" PRIu64 " refused, %" PRIu64 " holes, %" PRIu64 " TLPs\n", s.wr_made, s.rd_made,
         s.refused, s.holes, s.tlps);
  CHECK(&t, s.wr_made > tb_least(&t, 60) && s.rd_made > tb_least(&t, 60) && s.refused > tb_least(&t, 4),
        "all of it happened");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
