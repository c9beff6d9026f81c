// SPDX-License-Identifier: Apache-2.0
// ax_iommu at its ports: an accelerator that reads and writes pages of several requesters, two memories that take their
// time, and software at the registers. Some pages are plain; accesses of some are logged, puts of one are redirected;
// some refuse writes, or all; memory refuses one. A page belongs to one burst at a time, and a read must see all
// that was written. What is logged has to be in the ring byte by byte, in order, before its pointer passes it.
// Behind the random part: how bursts are cut, faults and their records, errors of both memories, reads without answer.
// config: default +define+TOCSIN_DATA_W=128 -GWindow=2 -GPayDw=1024 -GWalkers=2 -GIotlbEntries=4 -GIotlbWays=2 -GCtxEntries=2 -GPscEntries=1 -GSpEntries=1 -GNumLogs=2 -GLogDepth=4 -GTagEntries=6 -GFlushPages=1 -GFlushWaiters=1 -GScratchWords=2 -GBursts=4 -GReadTags=4 -GMaxRead=2048 -GMaxWrite=1024 -GWrites=4 -GAxiCache=10 -GAxiProt=5
// config: wide +define+TOCSIN_DATA_W=256 -GIdW=6 -GWalkers=3 -GIotlbEntries=8 -GNumLogs=3 -GLogDepth=8 -GTagEntries=12 -GReadTags=8 -GMaxRead=1024 -GMaxWrite=4096 -GMaxCpl=512 -GAxiCache=7 -GAxiProt=3
// no netlist: it only wires, and the netlists of its three blocks are run by their own tests
#include "ax_iommu_bursts.h"
#include "ax_iommu_memory.h"
#include "ax_iommu_software.h"

// ---- a cycle ----
static void check_accelerator(tb *t, dut *d, state *s) {
  uint32_t r[S_AXI_RDATA_WORDS + 1];
  uint32_t b[1] = {(uint32_t)(dut_get_s_axi_bid(d) << 2 | dut_get_s_axi_bresp(d))};
  dut_get_s_axi_rdata(d, r);
  r[S_AXI_RDATA_WORDS] = (uint32_t)(dut_get_s_axi_rid(d) << 3 | dut_get_s_axi_rresp(d) << 1 | dut_get_s_axi_rlast(d));
  wait_same(t, &s->b_held, dut_get_s_axi_bvalid(d), s->b_up, b, 1, "s_axi B");
  wait_same(t, &s->r_held, dut_get_s_axi_rvalid(d), s->r_up, r, S_AXI_RDATA_WORDS + 1, "s_axi R");
}

static void take_pulses(tb *t, dut *d, state *s) {
  s->write_errors -= (unsigned)dut_get_err_write_o(d);
  s->strays -= (unsigned)dut_get_err_stray_o(d);
  s->timeouts -= (unsigned)dut_get_err_timeout_o(d);
  CHECK(t, !dut_get_err_malformed_o(d) && !dut_get_drop_o(d), "nothing malformed, nothing dropped");
}

static void drive(tb *t, dut *d, state *s) {
  drive_write(t, d, s);
  drive_read(t, d, s);
  answers(t, s, &s->data, dut_cycle(d));
  answers(t, s, &s->mine, dut_cycle(d));
  drive_d_axi(t, d, s, &s->data);
  drive_m_axi(t, d, s, &s->mine);
  software(t, s);
  drive_registers(t, d, s);
  dut_set_cfg_mps_i(d, s->mps);
  dut_set_cfg_mrrs_i(d, s->mrrs);
  dut_set_cfg_tmo_i(d, s->tmo);
  dut_set_tag_free_i(d, s->free_tags);
}

static void cycle(tb *t, dut *d, state *s) {
  drive(t, d, s);
  dut_eval(d);
  bool aw = s->aw_up && dut_get_s_axi_awready(d), w = s->w_up && dut_get_s_axi_wready(d),
       ar = s->ar_up && dut_get_s_axi_arready(d);
  pins data = pins_d_axi(d), mine = pins_m_axi(d);
  data.aw.user = dut_get_d_axi_awuser(d);
  data.ar.user = dut_get_d_axi_aruser(d);
  check_accelerator(t, d, s);
  if (dut_get_s_axi_bvalid(d) && s->b_up) take_b(t, d, s);
  if (dut_get_s_axi_rvalid(d) && s->r_up) take_r(t, d, s);
  take_port(t, s, &s->data, &data, dut_cycle(d));
  take_port(t, s, &s->mine, &mine, dut_cycle(d));
  take_registers(t, d, s);
  take_pulses(t, d, s);
  dut_tick(d);
  if (aw) s->aw_out++, s->aw_up = false;
  if (ar) s->ar_out++, s->ar_up = false;
  if (!w) return;
  s->w_up = false;
  if (s->w_beat++ == s->wr[s->w_out % QUEUE].len) s->w_beat = 0, s->w_out++;
}

static void reg_write(tb *t, dut *d, state *s, uint64_t addr, uint64_t v, unsigned strobes) {
  registers *r = &s->reg;
  r->hands = true;
  unsigned n = 0;
  for (; r->writing && n < 5000; n++) cycle(t, d, s);
  start_write(r, addr, v, strobes);
  for (; r->writing && n < 5000; n++) cycle(t, d, s);
  if (r->writing) stop(t, "a write of a register is never answered");
  r->hands = false;
}

static uint64_t reg_read(tb *t, dut *d, state *s, uint64_t addr) {
  registers *r = &s->reg;
  r->hands = true;
  unsigned n = 0;
  for (; r->reading && n < 5000; n++) cycle(t, d, s);
  start_read(r, addr, BY_HAND);
  for (; r->reading && n < 5000; n++) cycle(t, d, s);
  if (r->reading) stop(t, "a read of a register is never answered");
  r->hands = false;
  return r->got;
}

// ---- setting up ----
static void put64(state *s, unsigned at, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) s->own[at + i] = (uint8_t)(v >> 8 * i);
}

static uint64_t leaf(kind k) {
  static const unsigned bits[KINDS] = {READ_W | WRITE_W, READ_W | WRITE_W | WLD | RLD, READ_W | WLD, READ_W, 0,
                                       READ_W | WRITE_W};
  bool logged = k == BOTH || k == REDIRECT;
  return bits[k] | (logged ? 1ull << 63 | (uint64_t)IUID << 52 : 0);
}

// Requesters, pages and memories lie anywhere; each requester has a way of four tables.
static void places(tb *t, state *s) {
  s->base = rnd_bits(t, 48) & ~(uint64_t)(OWN_BYTES - 1);
  memset(s->own, 0, sizeof s->own);
  for (unsigned w = 0; w < 3; w++) s->rid[w] = (unsigned)(rnd_bits(t, 16) & 0x3fff) | w << 14;  // buses differ
  for (unsigned w = 0; w < 2; w++) {
    uint64_t space = rnd_bits(t, 48) & ~0x1fffffull;
    unsigned ctx = CONTEXT + 0x1000 * w, top = TABLE + 0x4000 * w;
    put64(s, ROOT + 16 * (s->rid[w] >> 8), (s->base + ctx) | 1);
    put64(s, ctx + 16 * (s->rid[w] & 255), (s->base + top) | 1);
    put64(s, ctx + 16 * (s->rid[w] & 255) + 8, (uint64_t)(w + 1) << 8 | 8 | 2);
    for (unsigned l = 4; l > 1; l--)
      put64(s, top + 0x1000 * (4 - l) + 8 * (unsigned)(space >> (12 + 9 * (l - 1)) & 511),
            (s->base + top + 0x1000 * (5 - l)) | 3);
    for (unsigned p = 0; p < PAGES; p++) {
      if (plan[p].who != w && plan[p].who + w != 2) continue;
      page *g = &s->pages[p];
      *g = (page){.kind = plan[p].kind, .who = plan[p].who};
      g->va = space | (uint64_t)(p << 5 | rnd_bits(t, 5)) << 12;
      g->host = (p & 3 ? rnd_bits(t, 48) : rnd_bits(t, 31)) & ~4095ull;
      if (g->who == w && maps(g->kind))
        put64(s, top + 0x3000 + 8 * (unsigned)(g->va >> 12 & 511), g->host | leaf(g->kind));
    }
  }
}

static void open_log(tb *t, dut *d, state *s) {
  reg_write(t, d, s, LOG, s->base + RING, 0xff);
  reg_write(t, d, s, LOG + 0x10, s->base + PTR, 0xff);
  reg_write(t, d, s, LOG + 0x18, s->base + MSI, 0xff);
  reg_write(t, d, s, LOG + 0x20, (uint64_t)(RING_BYTES - 64) << 32 | s->msi_data, 0xff);
  reg_write(t, d, s, LOG + 8, 1ull << 63 | 3 << 25 | RING_SIZE << 16 | IUID, 0xff);
  CHECK_EQ(t, reg_read(t, d, s, LOG + 0x30), 1, "LOG-8: the log is open");
  s->cons = 0;
  s->cons_due = false;
  s->puts.out = s->puts.in;
  s->gets.out = s->gets.in;
  put64(s, PTR, 0);
}

static void sizes(tb *t, dut *d, state *s, unsigned mps, unsigned mrrs) {
  s->mps = mps;
  s->mrrs = mrrs;
  reg_write(t, d, s, AA_CTL, 1 | mps << 4 | mrrs << 8, 0x0f);
}

// What is under way is forgotten.
static void forget(state *s) {
  s->aw_out = s->w_out = s->b_in = s->wr_made;
  s->ar_out = s->r_in = s->rd_made;
  s->w_beat = s->r_beat = 0;
  s->aw_up = s->w_up = s->ar_up = s->b_held.up = s->r_held.up = false;
  memset(&s->data, 0, sizeof s->data);
  memset(&s->mine, 0, sizeof s->mine);
  s->data.b = s->data.r = s->mine.b = s->mine.r = -1;
  s->data.delay = s->mine.delay = 1;
  unsigned pct = s->reg.pct;
  memset(&s->reg, 0, sizeof s->reg);
  s->reg.pct = pct;
  s->write_errors = s->strays = s->timeouts = 0;
  s->intr_in = s->intr_made;
  s->fail_ring = s->fail_ptr = s->fail_walk = s->free_tags = false;
  s->tmo = s->sleep = 0;
}

static void chances(state *s, unsigned pct, unsigned delay) {
  for (unsigned i = 0; i < 4; i++) s->pct[i] = pct;
  for (unsigned i = 0; i < 5; i++) s->data.pct[i] = s->mine.pct[i] = pct;
  s->data.delay = s->mine.delay = delay;
  s->reg.pct = pct;
}

static void restart(tb *t, dut *d, state *s) {
  dut_set_s_axi_awvalid(d, 0);
  dut_set_s_axi_wvalid(d, 0);
  dut_set_s_axi_arvalid(d, 0);
  dut_set_s_axil_awvalid(d, 0);
  dut_set_s_axil_wvalid(d, 0);
  dut_set_s_axil_arvalid(d, 0);
  dut_set_d_axi_bvalid(d, 0);
  dut_set_d_axi_rvalid(d, 0);
  dut_set_m_axi_bvalid(d, 0);
  dut_set_m_axi_rvalid(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  CHECK(t,
        !dut_get_s_axi_bvalid(d) && !dut_get_s_axi_rvalid(d) && !dut_get_s_axil_bvalid(d) && !dut_get_s_axil_rvalid(d),
        "no response after reset");
  CHECK(t, !dut_get_d_axi_awvalid(d) && !dut_get_d_axi_wvalid(d) && !dut_get_d_axi_arvalid(d), "d_axi after reset");
  CHECK(t, !dut_get_m_axi_awvalid(d) && !dut_get_m_axi_wvalid(d) && !dut_get_m_axi_arvalid(d), "m_axi after reset");
  forget(s);
  places(t, s);
  memcpy(s->memory, s->want, sizeof s->memory);
  s->msi_data = (uint32_t)rnd(t);
  s->event_data = (uint32_t)rnd(t);
  chances(s, 100, 1);
  for (unsigned i = 0; i < 9; i++) reg_write(t, d, s, SPARE, s->spare = rnd(t), 0xff);
  reg_write(t, d, s, RTADDR, s->base + ROOT, 0xff);
  reg_write(t, d, s, GCMD, 0x40000000, 0x0f);
  reg_write(t, d, s, GCMD, 0x80000000, 0x0f);
  CHECK_EQ(t, reg_read(t, d, s, GCMD) >> 32, 0xc0000000, "GSTS: translation is on");
  sizes(t, d, s, 5, 5);
  open_log(t, d, s);
}

static bool quiet(const state *s) {
  return s->b_in == s->wr_made && s->r_in == s->rd_made && s->data.b_low == s->data.aw_in &&
         s->data.r_low == s->data.ar_in && s->mine.b_low == s->mine.aw_in && s->mine.r_low == s->mine.ar_in &&
         s->data.w_in == s->data.aw_in && s->mine.w_in == s->mine.aw_in && s->puts.in == s->puts.out &&
         s->gets.in == s->gets.out && !s->cons_due && s->intr_in == s->intr_made;
}

static bool pointed(const state *s) {
  uint32_t v = 0;
  for (unsigned i = 0; i < 4; i++) v |= (uint32_t)s->own[PTR + i] << 8 * i;
  return v == s->cons;
}

static void drain(tb *t, dut *d, state *s) {
  chances(s, 100, 8);
  s->sleep = 0;
  unsigned still = 0;
  for (unsigned i = 0; i < 30000 && still < 40; i++) {
    cycle(t, d, s);
    still = quiet(s) && pointed(s) && !(s->reg.writing && s->reg.waddr == CONS) ? still + 1 : 0;
  }
  CHECK_EQ(t, s->b_in, s->wr_made, "every write burst is answered");
  CHECK_EQ(t, s->r_in, s->rd_made, "every read burst is answered");
  CHECK(t, s->puts.in == s->puts.out && s->gets.in == s->gets.out, "all that is logged is in the log: %u, %u missing",
        s->puts.in - s->puts.out, s->gets.in - s->gets.out);
  CHECK(t, pointed(s), "NTF-2: the pointer in memory");
  CHECK_EQ(t, s->intr_in, s->intr_made, "every interrupt came");
  if (still < 40) stop(t, "it does not come to rest");
  CHECK(t, !s->write_errors && !s->strays && !s->timeouts, "what is wrong is told: %d %d %d", (int)s->write_errors,
        (int)s->strays, (int)s->timeouts);
  for (unsigned p = 0; p < PAGES; p++)
    CHECK_MEM(t, s->memory + 4096 * p, s->want + 4096 * p, 4096, "page %u at rest, of kind %u", p,
              (unsigned)plan[p].kind);
}

// ---- by itself: one burst, then rest ----
static unsigned page_of(kind k, unsigned who) {
  unsigned p = 0;
  while (p < PAGES - 1 && (plan[p].kind != k || plan[p].who != who)) p++;
  return p;
}

static void one(tb *t, dut *d, state *s, bool write, unsigned pg, unsigned at, unsigned len, unsigned size) {
  burst *b = place(t, s, write, pg, at, len, size);
  if (write) fill(t, b, 9);
  issue(s, b, write);
  drain(t, d, s);
}

// P3 of ax_dev, P1 of ax_host: a page is cut as MPS and MRRS say, in memory and in the log.
static void cut(tb *t, dut *d, state *s) {
  static const unsigned char pairs[][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 1}, {1, 3}, {3, 1}, {5, 2}, {0, 5}, {5, 5}};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    unsigned mps = 128u << pairs[i][0], mrrs = 128u << pairs[i][1], beats = 4096 / BEAT,
             e[2] = {s->entries[0], s->entries[1]};
    unsigned write = LEAST(mps, P_MaxWrite), read = LEAST(mrrs, P_MaxRead), cpl = LEAST(mps, P_MaxCpl);
    sizes(t, d, s, pairs[i][0], pairs[i][1]);
    s->longest_aw = s->longest_ar = 0;
    one(t, d, s, true, page_of(BOTH, i & 1), 0, LEAST(beats, 256) - 1, TOP);
    one(t, d, s, false, page_of(BOTH, i & 1), 0, LEAST(beats, 256) - 1, TOP);
    CHECK_EQ(t, s->longest_aw, write, "bytes of a write, MPS %u", mps);
    CHECK_EQ(t, s->longest_ar, LEAST(read, cpl), "bytes of a read, MPS %u, MRRS %u", mps, mrrs);
    CHECK_EQ(t, s->entries[0] - e[0], 4096 / write, "entries of a page that is written, MPS %u", mps);
    CHECK_EQ(t, s->entries[1] - e[1], 4096 / read, "entries of a page that is read, MRRS %u", mrrs);
  }
}

// The fault record, which is then cleared.
static void fault(tb *t, dut *d, state *s, uint64_t va, unsigned who, unsigned reason, bool read) {
  uint64_t sts = reg_read(t, d, s, FSTS) >> 32;
  CHECK_EQ(t, sts & 0xff, 2, "FSTS: one fault is pending, reason %u", reason);
  unsigned at = FRCD + 16 * (unsigned)(sts >> 8 & 7);
  uint64_t low = reg_read(t, d, s, at), high = reg_read(t, d, s, at + 8);
  CHECK_EQ(t, low, va & ~4095ull, "FI of reason %u", reason);
  CHECK_EQ(t, high, 1ull << 63 | (uint64_t)read << 62 | (uint64_t)reason << 32 | s->rid[who], "FRCD of reason %u",
           reason);
  reg_write(t, d, s, at + 8, 1ull << 63, 0x80);
  CHECK_EQ(t, reg_read(t, d, s, FSTS) >> 32 & 0xff, 0, "FSTS: no fault is left");
}

// P2: what is refused, and who hears of it.
static void faults(tb *t, dut *d, state *s) {
  static const struct {
    kind kind;
    unsigned who, reason;
    bool write;
  } all[] = {{NONE, 0, 6, 0}, {NONE, 0, 5, 1}, {READ_ONLY, 0, 5, 1}, {NONE, 2, 1, 0}, {NONE, 2, 1, 1}, {NONE, 1, 6, 0}};
  reg_write(t, d, s, FEADDR, s->base + EVENT, 0xff);
  reg_write(t, d, s, FECTL, (uint64_t)s->event_data << 32, 0xff);
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    unsigned pg = page_of(all[i].kind, all[i].who), events = s->events;
    one(t, d, s, all[i].write, pg, 64 * i, 0, TOP);
    CHECK_EQ(t, s->events - events, 1, "INV-1: the fault event");
    fault(t, d, s, s->pages[pg].va, all[i].who, all[i].reason, !all[i].write);
  }
  s->fail_walk = true;  // memory refuses a read of a table
  one(t, d, s, false, page_of(NONE, 0), 0, 0, TOP);
  fault(t, d, s, s->pages[page_of(NONE, 0)].va, 0, 7, true);
  s->fail_walk = false;
}

// A device's interrupt leaves as what it is.
static void interrupts(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 8; i++) {
    unsigned pg = page_of(NONE, i & 1);
    burst *b = place(t, s, true, pg, 0, 0, 2);
    uint64_t addr = 0xfee00000 | (rnd_bits(t, 20) & ~3u);
    b->addr = addr;
    fill(t, b, 9);
    s->intr[s->intr_made % DEPTH].addr = addr;
    s->intr[s->intr_made % DEPTH].user = s->rid[i & 1];
    memcpy(&s->intr[s->intr_made++ % DEPTH].value, b->data, 4);
    issue(s, b, true);
    drain(t, d, s);
  }
}

static void close_log(tb *t, dut *d, state *s) {
  reg_write(t, d, s, LOG + 8, 0, 0x80);
  unsigned n = 0;
  while (reg_read(t, d, s, LOG + 0x30) && n < 200) n++;
  if (n == 200) stop(t, "LOG-9: the log does not close");
}

static void error(tb *t, dut *d, state *s, uint64_t addr) {
  CHECK_EQ(t, reg_read(t, d, s, ERR_STS) & ~2ull, (uint64_t)IUID << 32 | 19 << 8 | 5, "ERR-1: ErrAxiWrite");
  CHECK_EQ(t, reg_read(t, d, s, ERR_ADDR), addr, "AA_ERR_ADDR");
  reg_write(t, d, s, ERR_STS, 1, 0x01);
  CHECK_EQ(t, reg_read(t, d, s, ERR_STS), 0, "AA_ERR_STS is cleared");
}

// ERR-2: memory refuses an entry, the responses behind it come at once. The log stops, and is opened anew.
static void lost_entry(tb *t, dut *d, state *s, unsigned round) {
  unsigned pg = page_of(round & 1 ? BOTH : REDIRECT, 1);
  uint64_t at = s->base + RING + (s->cons % RING_BYTES & ~(BEAT - 1));
  s->mine.hold_b = true;
  for (unsigned i = 0; i < 3; i++) {
    burst *b = place(t, s, true, pg, 1024 * i, 1 + round % 3, TOP);
    fill(t, b, 9);
    issue(s, b, true);
  }
  for (unsigned i = 0; i < 600; i++) cycle(t, d, s);
  CHECK(t, s->mine.aw_in != s->mine.b_low, "writes wait for their responses");
  s->fail_ring = true;
  s->mine.hold_b = false;
  for (unsigned i = 0; i < 600; i++) {
    cycle(t, d, s);
    s->fail_ring &= !s->errors || s->mine.b_low == s->mine.aw_in || !(round & 2);
  }
  s->fail_ring = false;
  error(t, d, s, at);
  CHECK_EQ(t, reg_read(t, d, s, LP_STS) & 8, 8, "LP_STS.FAILED");
  close_log(t, d, s);
  open_log(t, d, s);
  CHECK_EQ(t, reg_read(t, d, s, LP_STS), 0x100, "LP_STS of a log that is opened anew");
  one(t, d, s, true, pg, 256, 3, TOP);
}

// ERR-4: memory refuses a pointer; the next one is right.
static void lost_pointer(tb *t, dut *d, state *s) {
  burst *b = place(t, s, true, page_of(REDIRECT, 0), 128, 1, TOP);
  s->fail_ptr = true;
  fill(t, b, 9);
  issue(s, b, true);
  for (unsigned i = 0; i < 400; i++) cycle(t, d, s);
  s->fail_ptr = false;
  error(t, d, s, s->base + PTR);
  CHECK_EQ(t, reg_read(t, d, s, LP_STS), 0x110, "LP_STS.PTRERR");
  CHECK(t, !pointed(s), "an older pointer in memory");
  one(t, d, s, true, page_of(REDIRECT, 0), 512, 1, TOP);
}

static void lost(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 6; i++) lost_entry(t, d, s, i);
  lost_pointer(t, d, s);
}

static burst *silent_read(tb *t, dut *d, state *s, unsigned i) {
  (void)d;
  burst *b = place(t, s, false, page_of(PLAIN, i & 1), BEAT * i, 0, TOP);
  b->bad = true;
  issue(s, b, false);
  return b;
}

// Reads that memory does not answer in time: each keeps its tag until tags are given back; late completions are strays.
static void silence(tb *t, dut *d, state *s) {
  s->data.hold_r = true;
  s->tmo = 300 + (unsigned)rnd_below(t, 100);
  for (unsigned i = 0; i < P_ReadTags; i++) {
    silent_read(t, d, s, i);
    uint64_t from = dut_cycle(d);
    s->timeouts++;
    while (s->r_in != s->rd_made && dut_cycle(d) - from < 2 * s->tmo) cycle(t, d, s);
    CHECK(t, dut_cycle(d) - from >= s->tmo, "a read is given up early");
    if (s->r_in != s->rd_made) stop(t, "a read is never given up");
    CHECK_EQ(t, s->timeouts, 0, "err_timeout_o");
  }
  burst *b = silent_read(t, d, s, 0);
  b->bad = false;
  for (unsigned i = 0; i < 100; i++) cycle(t, d, s);
  CHECK(t, s->r_in != s->rd_made, "a tag that was given up is used again");
  s->strays = P_ReadTags;
  s->data.hold_r = false;
  for (unsigned i = 0; i < 100; i++) cycle(t, d, s);
  CHECK_EQ(t, s->strays, 0, "err_stray_o");
  CHECK(t, s->r_in != s->rd_made, "a tag is used again before it is given back");
  s->free_tags = true;
  cycle(t, d, s);
  s->free_tags = false;
  drain(t, d, s);
  s->tmo = 0;
}

// One channel after the other rests for long, while the others do what they can.
static void rests(tb *t, dut *d, state *s) {
  unsigned *pct[] = {&s->pct[2],      &s->pct[3],      &s->data.pct[0], &s->data.pct[1], &s->data.pct[2],
                     &s->data.pct[3], &s->data.pct[4], &s->mine.pct[0], &s->mine.pct[1], &s->mine.pct[2],
                     &s->mine.pct[3], &s->mine.pct[4], &s->reg.pct};
  for (unsigned k = 0; k < sizeof pct / sizeof *pct; k++) {
    chances(s, 100, 1);
    *pct[k] = 1;
    for (unsigned i = 0; i < 400; i++) {
      if (s->wr_made - s->b_in < 6) make(t, s, true);
      if (s->rd_made - s->r_in < 6) make(t, s, false);
      cycle(t, d, s);
    }
    drain(t, d, s);
  }
}

static void random_part(tb *t, dut *d, state *s) {
  static const unsigned pct[] = {100, 100, 70, 20};
  uint64_t end = dut_cycle(d) + t->cycles;
  while (dut_cycle(d) < end) {
    sizes(t, d, s, (unsigned)rnd_below(t, 6), (unsigned)rnd_below(t, 6));
    chances(s, 100, rnd_chance(t, 50) ? 2 : 100);
    for (unsigned i = 0; i < 4; i++) s->pct[i] = pct[rnd_below(t, 4)];
    for (unsigned i = 0; i < 5; i++) s->data.pct[i] = pct[rnd_below(t, 4)], s->mine.pct[i] = pct[rnd_below(t, 4)];
    s->reg.pct = pct[rnd_below(t, 4)];
    if (rnd_chance(t, 30)) s->sleep = 400;
    for (unsigned i = 0; i < 600; i++) {
      if (s->wr_made - s->b_in < 6) make(t, s, true);
      if (s->rd_made - s->r_in < 6) make(t, s, false);
      cycle(t, d, s);
    }
    if (rnd_chance(t, 30)) restart(t, d, s);
    drain(t, d, s);
  }
}

static void happened(tb *t, const state *s) {
  printf("  %u writes, %u reads, %u refused, %u and %u entries, %u pads, %u pointers, %u MSIs, %u loads\n", s->wr_made,
         s->rd_made, s->refused, s->entries[0], s->entries[1], s->pads, s->pointers, s->msis, s->walks);
  for (unsigned k = 0; k < KINDS; k++)
    CHECK(t, s->kind_wr[k] > tb_least(t, 10) && s->kind_rd[k] > tb_least(t, 10), "pages of kind %u: %u, %u", k,
          s->kind_wr[k], s->kind_rd[k]);
  CHECK(t, s->refused > tb_least(t, 30) && s->errors > tb_least(t, 10), "errors happened: %u, %u", s->refused,
        s->errors);
  CHECK(t, s->entries[0] > tb_least(t, 100) && s->entries[1] > tb_least(t, 50), "entries happened");
  CHECK(t, s->pads > tb_least(t, 2) && s->pointers > tb_least(t, 50) && s->msis > tb_least(t, 10), "messages happened");
  CHECK(t, s->walks > tb_least(t, 200) && s->spares > tb_least(t, 50), "walks and registers happened");
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "ax_iommu", 20000);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < sizeof s.memory; i++) s.want[i] = (uint8_t)rnd(&t);
  restart(&t, d, &s);
  random_part(&t, d, &s);
  restart(&t, d, &s);
  rests(&t, d, &s);

  cut(&t, d, &s);
  restart(&t, d, &s);
  faults(&t, d, &s);
  interrupts(&t, d, &s);
  lost(&t, d, &s);
  silence(&t, d, &s);
  happened(&t, &s);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
