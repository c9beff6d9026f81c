// SPDX-License-Identifier: Apache-2.0
// The test of aa_port with aa_rx, aa_lane and aa_pay_fifo in it: random good, malformed and cut-off TLPs against a
// reference written from rtl/aa/README.md, slow and fast consumers of both lanes; order between lanes; credits; rate.
// Rules of rtl/aa/README.md: STR-4, STR-5, STR-6, STR-7, STR-8, STR-9, STR-10.
#ifndef TOCSIN_PORT_TEST_H
#define TOCSIN_PORT_TEST_H

#include <string.h>

#define DATA_W (PAY_DATA_O_W / 2)
#define BEAT_DW (DATA_W / 32)
#define AT_HDR DATA_W
#define AT_STRB (DATA_W + 128)
#define AT_SEQ (AT_STRB + BEAT_DW)
#define AT_ERR (AT_SEQ + 8)
#define AT_EOP (AT_ERR + 1)
#define AT_SOP (AT_EOP + 1)
#define MAX_BEATS 1100
#define NP_BEATS (BEAT_DW < 8 ? P_Window * 8 / BEAT_DW : P_Window)
#define REQ_W (REQ_O_W / 2)
#define LOOK_W (LK_O_W / 2)

enum { PASS, WRITE, READ, ATOMIC, REFUSE };

typedef struct want {
  unsigned lane, kind, bad, seq, beats, after, units;
  uint32_t hdr[4];  // as in the beat: word 3 is DW0
  bool skip, intr, write, at;
  unsigned sid;
  uint64_t page;
  uint32_t data[1024];
} want;

typedef struct tlp {
  unsigned beats;  // sent, of which each has its strobes, sop and eop
  uint32_t hdr[4], strb[MAX_BEATS];
  bool sop[MAX_BEATS], eop[MAX_BEATS];
  uint32_t data[1024 + 64];
  unsigned seq;
} tlp;

static want queue[2][512];
static unsigned put[2], decided[2];
static unsigned pay_beat[2], pay_req[2];
static unsigned pushed_p;

static unsigned byte0(const tlp *p) { return p->hdr[3] >> 24; }

// Which lane a TLP goes to: non-posted requests, known or not, into the second.
static unsigned lane_of(const tlp *p) {
  unsigned op = byte0(p), fmt = op >> 5, type = op & 31;
  bool four = fmt & 1, data = fmt & 2;
  if (fmt >= 4) return 0;
  return (type == 0 && !data) || (data && type >= 12 && type <= 14) || (type == 1 && !data) ||
         (!four && (type == 2 || type == 4 || type == 5));
}

// ---- the reference: what a TLP that went through as `p` (cut off after its last beat, or not) must become ----
static void judge(const tlp *p, bool cut, unsigned mps, unsigned mrrs, want *w) {
  unsigned op = byte0(p), fmt = op >> 5, type = op & 31, len = p->hdr[3] & 1023 ? p->hdr[3] & 1023 : 1024;
  bool four = fmt & 1, data = fmt & 2, known = false;
  uint64_t addr = four ? (uint64_t)p->hdr[1] << 32 | p->hdr[0] : p->hdr[1];
  unsigned fbe = p->hdr[2] & 15, lbe = p->hdr[2] >> 4 & 15;
  memset(w, 0, sizeof *w);
  w->kind = REFUSE;
  if (fmt < 4) {
    if (type == 0)
      w->kind = data ? WRITE : READ;
    else if (data && type >= 12 && type <= 14)
      w->kind = ATOMIC;
    else if (type == 10 && !four)
      w->kind = PASS;
    else if (type >= 16 && type <= 23 && four)
      w->kind = PASS;
    known = w->kind != REFUSE;
  }
  w->lane = lane_of(p);
  unsigned beats = data ? (len + BEAT_DW - 1) / BEAT_DW : 1;
  bool form = cut || p->beats != beats;
  for (unsigned i = 0; i < p->beats && i < beats; i++) {
    unsigned here = !data ? 0 : i == beats - 1 ? len - i * BEAT_DW : BEAT_DW;
    if (p->strb[i] != (here == 32 ? 0xffffffffu : (1u << here) - 1)) form = true;
  }
  unsigned operand = type == 14 ? len / 2 : len;
  unsigned limit = w->kind == WRITE ? mps : mrrs;
  if (!known)
    w->bad = 6;
  else if (form)
    w->bad = 1;
  else if (w->kind == ATOMIC) {
    bool ok = type == 14 ? len == 2 || len == 4 || len == 8 : len == 1 || len == 2;
    if (!ok || (addr & ~3ull) % (4 * operand)) w->bad = 5;
  } else if (w->kind == READ || w->kind == WRITE) {
    bool run_f = fbe == 15 || fbe == 14 || fbe == 12 || fbe == 8, run_l = lbe == 15 || lbe == 7 || lbe == 3 || lbe == 1;
    if (4 * len > (128u << (limit > 5 ? 5 : limit)))
      w->bad = 3;
    else if ((addr & 0xffc) + 4 * len > 4096)
      w->bad = 2;
    else if (len == 1 ? lbe != 0 : !fbe || !lbe || ((len > 2 || (addr & 4)) && !(run_f && run_l)))
      w->bad = 4;
  }
  w->seq = p->seq;
  w->beats = data && !w->bad ? beats : 0;
  w->units = data ? (len + 3) / 4 : 0;
  memcpy(w->hdr, p->hdr, sizeof w->hdr);
  memcpy(w->data, p->data, sizeof w->data);
  w->skip = w->bad || w->kind == PASS || w->kind == REFUSE;
  w->intr = w->kind == WRITE && addr >> 20 == 0xfee;
  w->write = w->kind != READ;
  w->at = (p->hdr[3] >> 10 & 3) != 0;
  w->sid = p->hdr[2] >> 16;
  w->page = addr >> 12;
}

// ---- stimulus ----
static void make(tb *t, tlp *p) {
  static const uint8_t ops[] = {0x00, 0x20, 0x40, 0x60, 0x00, 0x20, 0x40, 0x60, 0x40, 0x60,
                                0x4c, 0x6c, 0x4d, 0x6d, 0x4e, 0x6e, 0x30, 0x34, 0x70, 0x75,
                                0x0a, 0x4a, 0x01, 0x21, 0x02, 0x42, 0x04, 0x44, 0x05, 0x45};
  memset(p, 0, sizeof *p);
  unsigned op = rnd_chance(t, 95) ? ops[rnd_below(t, sizeof ops)] : (unsigned)rnd_bits(t, 8);
  unsigned len = rnd_chance(t, 70)   ? 1 + (unsigned)rnd_below(t, 12)
                 : rnd_chance(t, 80) ? 1 + (unsigned)rnd_below(t, 70)
                                     : 1 + (unsigned)rnd_below(t, 1024);
  if ((op & 0x1c) == 0x0c && rnd_chance(t, 80)) len = 1u << rnd_below(t, 4);
  unsigned fbe = rnd_chance(t, 60) ? 15u & (15u << rnd_below(t, 4)) : (unsigned)rnd_bits(t, 4);
  unsigned lbe = rnd_chance(t, 60) ? 15u >> rnd_below(t, 4) : (unsigned)rnd_bits(t, 4);
  if (len == 1 && rnd_chance(t, 90)) lbe = 0;
  uint64_t addr = rnd(t) & ~3ull;
  if (rnd_chance(t, 80))
    addr = (addr & ~0xfffull) | (rnd_below(t, 4) ? rnd_below(t, 256) * 8 : 4096 - 4 * rnd_below(t, len + 2));
  if (rnd_chance(t, 10)) addr = 0xfee00000u | (addr & 0xfffff);
  p->hdr[3] = op << 24 | (uint32_t)(rnd_bits(t, 14) & 0x3ff0 & ~0xc00u) << 8 |
              (rnd_below(t, 20) ? 0 : (uint32_t)rnd_bits(t, 2) << 10) | (len & 1023);
  p->hdr[2] = (uint32_t)rnd_bits(t, 24) << 8 | lbe << 4 | fbe;
  if (op & 0x20) {
    p->hdr[1] = (uint32_t)(addr >> 32);
    p->hdr[0] = (uint32_t)addr;
  } else {
    p->hdr[1] = (uint32_t)addr;
    p->hdr[0] = (uint32_t)rnd(t);
  }
  p->seq = (unsigned)rnd_bits(t, 8);
  for (unsigned i = 0; i < 1024 + 64; i++) p->data[i] = (uint32_t)rnd(t);
  bool data = op & 0x40;
  p->beats = data ? (len + BEAT_DW - 1) / BEAT_DW : 1;
  for (unsigned i = 0; i < p->beats; i++) {
    unsigned here = !data ? 0 : i == p->beats - 1 ? len - i * BEAT_DW : BEAT_DW;
    p->strb[i] = here == 32 ? 0xffffffffu : (1u << here) - 1;
  }
  if (rnd_chance(t, 8)) p->strb[rnd_below(t, p->beats)] ^= 1u << rnd_below(t, BEAT_DW);
  if (rnd_chance(t, 4)) p->beats = 1 + (unsigned)rnd_below(t, p->beats);
  if (rnd_chance(t, 4)) {
    unsigned more = 1 + (unsigned)rnd_below(t, 4);
    for (unsigned i = 0; i < more; i++) p->strb[p->beats++] = (uint32_t)rnd_bits(t, BEAT_DW);
  }
  p->sop[0] = true;
  p->eop[p->beats - 1] = true;
}

static void check_lane(tb *t, dut *d, unsigned l, unsigned rd) {
  uint32_t req[REQ_O_WORDS], lk[LK_O_WORDS], got[4];
  const want *w = &queue[l][rd % 512];
  dut_get_req_o(d, req);
  dut_get_lk_o(d, lk);
  unsigned at = l * REQ_W;
  for (unsigned i = 0; i < 4; i++) got[i] = (uint32_t)bits_get(req, at + 32 * i, 32);
  CHECK_MEM(t, got, w->hdr, sizeof got, "header of request %u of lane %u", rd, l);
  CHECK_EQ(t, bits_get(req, at + 128, 8), w->seq, "seq of request %u of lane %u", rd, l);
  CHECK_EQ(t, bits_get(req, at + 136, 5), w->bad, "bad of request %u of lane %u, op %02x", rd, l, w->hdr[3] >> 24);
  CHECK_EQ(t, bits_get(req, at + 141, 3), w->kind, "kind of request %u of lane %u", rd, l);
  if (l == 1) CHECK_EQ(t, dut_get_after_o(d), w->after & 255, "after_o of request %u", rd);
  at = l * LOOK_W;
  CHECK_EQ(t, bits_get(lk, at + 71, 1), w->skip, "skip of request %u of lane %u", rd, l);
  if (!w->skip) {
    CHECK_EQ(t, bits_get(lk, at, 52), w->page, "iova of request %u of lane %u", rd, l);
    CHECK_EQ(t, bits_get(lk, at + 52, 16), w->sid, "sid of request %u of lane %u", rd, l);
    CHECK_EQ(t, bits_get(lk, at + 68, 1), w->at, "at of request %u of lane %u", rd, l);
    CHECK_EQ(t, bits_get(lk, at + 69, 1), w->write, "write of request %u of lane %u", rd, l);
    CHECK_EQ(t, bits_get(lk, at + 70, 1), w->intr, "intr of request %u of lane %u", rd, l);
  }
}

// The bench: the TLP that is sent, beat by beat; what waits; and below what this cycle does.
typedef struct {
  tb *t;
  dut *d;
  tlp now, open;  // open: under way, and to be cut off by the next sop
  uint32_t beat[DEV_REQ_BEAT_I_WORDS];
  unsigned mps, mrrs, sent, in, out[2], pd0, npd0, pd_freed, npd_freed, run, dropped[2], at;
  bool under_way, stray, have;
  bool cut, cut_done;  // a cut-off TLP is one whose last beats are left out
  bool valid, taken;
  unsigned rd[2], ready, held[2], silent[2];  // held: beats of payload inside; silent: cycles without any of them
} port;

static void rates(port *b) {
  if (b->run-- == 0) {
    b->run = 300;
    b->in = rnd_chance(b->t, 60) ? 100 : 20;
    for (unsigned l = 0; l < 2; l++) b->out[l] = rnd_chance(b->t, 60) ? 100 : rnd_chance(b->t, 70) ? 30 : 3;
  }
}

static void next_tlp(port *b) {
  if (!b->have && !b->under_way && rnd_chance(b->t, b->in)) {
    make(b->t, &b->now);
    b->at = 0;
    b->have = true;
    b->stray = rnd_chance(b->t, 3);  // its sop is missing: swallowed
    if (b->stray) b->now.sop[0] = false;
    b->cut = b->now.beats > 1 && rnd_chance(b->t, 6);
    if (b->cut) {
      b->now.beats = 1 + (unsigned)rnd_below(b->t, b->now.beats - 1);
      b->now.eop[b->now.beats - 1] = false;
    }
    b->cut_done = false;
  }
}

// A beat is held until it is taken.
static void offer(port *b) {
  b->valid = b->have && (dut_get_dev_req_valid_i(b->d) || rnd_chance(b->t, b->in));
  memset(b->beat, 0, sizeof b->beat);
  if (b->have) {
    for (unsigned i = 0; i < BEAT_DW; i++) b->beat[i] = b->now.data[(b->at * BEAT_DW + i) % (1024 + 64)];
    for (unsigned i = 0; i < 4; i++)
      bits_set(b->beat, AT_HDR + 32 * i, 32, b->at == 0 || !b->now.sop[0] ? b->now.hdr[i] : (uint32_t)rnd(b->t));
    bits_set(b->beat, AT_STRB, BEAT_DW, b->now.strb[b->at]);
    bits_set(b->beat, AT_SEQ, 8, b->at == 0 ? b->now.seq : rnd_bits(b->t, 8));
    bits_set(b->beat, AT_SOP, 1, b->now.sop[b->at]);
    bits_set(b->beat, AT_EOP, 1, b->now.eop[b->at]);
  }
  dut_set_dev_req_valid_i(b->d, b->valid);
  dut_set_dev_req_beat_i(b->d, b->beat);
  dut_set_mps_i(b->d, b->mps);
  dut_set_mrrs_i(b->d, b->mrrs);
}

static void lanes(port *b) {
  unsigned look[2], pop = 0;
  for (unsigned l = 0; l < 2; l++) {
    unsigned n = put[l] - decided[l];
    b->rd[l] = decided[l] + (n ? (unsigned)rnd_below(b->t, n) : 0);
    look[l] = b->rd[l];
    if (rnd_chance(b->t, b->out[l])) pop |= 1u << l;
  }
  dut_set_rd_ptr_i(b->d, (decided[0] & 255) | (decided[1] & 255) << 8);
  dut_set_rd_idx_i(b->d, (b->rd[0] & 255) | (b->rd[1] & 255) << 8);
  dut_set_lk_idx_i(b->d, (look[0] & 255) | (look[1] & 255) << 8);
  // Payload of a request may leave once it has been decided.
  b->ready = 0;
  for (unsigned l = 0; l < 2; l++) {
    while (pay_req[l] != decided[l] && queue[l][pay_req[l] % 512].beats == pay_beat[l]) {
      pay_req[l]++;
      pay_beat[l] = 0;
    }
    if (pay_req[l] != decided[l] && (pop >> l & 1)) b->ready |= 1u << l;
  }
  dut_set_pay_ready_i(b->d, b->ready);
}

static void pointers_and_credits(port *b) {
  CHECK_EQ(b->t, dut_get_wr_ptr_o(b->d) & 255, put[0] & 255, "wr_ptr_o of P");
  CHECK_EQ(b->t, dut_get_wr_ptr_o(b->d) >> 8, put[1] & 255, "wr_ptr_o of NP");
  CHECK_EQ(b->t, dut_get_crd_ph_o(b->d), (decided[0] + P_Window) & 255, "PH");
  CHECK_EQ(b->t, dut_get_crd_nph_o(b->d), (decided[1] + P_Window) & 255, "NPH");
  CHECK_EQ(b->t, dut_get_crd_pd_o(b->d), (b->pd0 + b->pd_freed) & 4095, "PD");
  CHECK_EQ(b->t, dut_get_crd_npd_o(b->d), (b->npd0 + b->npd_freed) & 4095, "NPD");
  b->pd_freed += b->dropped[0], b->npd_freed += b->dropped[1];  // a cycle after the end of what is malformed
  b->dropped[0] = b->dropped[1] = 0;
}

static void payload_beat(port *b, unsigned l) {
  const want *w = &queue[l][pay_req[l] % 512];
  uint32_t got[BEAT_DW], data[PAY_DATA_O_WORDS];
  dut_get_pay_data_o(b->d, data);
  for (unsigned i = 0; i < BEAT_DW; i++) got[i] = data[l * BEAT_DW + i];
  CHECK_MEM(b->t, got, &w->data[pay_beat[l] * BEAT_DW], sizeof got, "payload beat %u of request %u of lane %u",
            pay_beat[l], pay_req[l], l);
  unsigned len = w->hdr[3] & 1023 ? w->hdr[3] & 1023 : 1024;
  unsigned here = len - pay_beat[l] * BEAT_DW < BEAT_DW ? len - pay_beat[l] * BEAT_DW : BEAT_DW;
  *(l ? &b->npd_freed : &b->pd_freed) += (here + 3) / 4;
  pay_beat[l]++;
  b->held[l]--;
}

// Payload of a whole request is offered two cycles after its end, one where there is no block RAM.
static void offered(port *b, unsigned l) {
  bool valid = dut_get_pay_valid_o(b->d) >> l & 1;
  b->silent[l] = b->held[l] && !valid ? b->silent[l] + 1 : 0;
  CHECK(b->t, b->silent[l] <= (l ? 0u : 1u), "payload of lane %u is not offered for %u cycles", l, b->silent[l]);
}

// P5 of aa_rx: a beat is taken if its lane has room for a header and for a beat; one that cuts a TLP off waits. How
// many beats of a bad TLP are inside is not known, so nothing is said of a lane whose payload may have no room.
static void check_ready(port *b) {
  bool sop = b->now.sop[b->at], busy = b->under_way || (b->at && !b->stray);
  unsigned l = lane_of(b->under_way ? &b->open : &b->now), depth = l ? NP_BEATS : P_PayDw / BEAT_DW;
  unsigned inside = b->held[l] + (b->under_way ? b->open.beats : b->at);
  bool want = busy ? !sop : !sop || put[l] - decided[l] < P_Window;
  if (b->valid && (!want || inside < depth))
    CHECK_EQ(b->t, dut_get_dev_req_ready_o(b->d), want, "ready: lane %u, %u requests, %u beats", l, put[l] - decided[l],
             inside);
}

static void outputs(port *b) {
  for (unsigned l = 0; l < 2; l++) {
    CHECK(b->t, put[l] - decided[l] <= P_Window, "lane %u over its window", l);
    if (put[l] != decided[l]) check_lane(b->t, b->d, l, b->rd[l]);
    unsigned first = pay_req[l];
    bool any = false;
    for (unsigned i = first; i != put[l]; i++) any = any || queue[l][i % 512].beats > (i == first ? pay_beat[l] : 0);
    offered(b, l);
    if (dut_get_pay_valid_o(b->d) >> l & 1) {
      CHECK(b->t, any, "payload in lane %u that no whole request has", l);
      if (b->ready >> l & 1) payload_beat(b, l);
    }
  }
}

static void enqueue(port *b, const tlp *p, bool cut_off) {
  want w;
  judge(p, cut_off, b->mps, b->mrrs, &w);
  w.after = pushed_p;
  queue[w.lane][put[w.lane]++ % 512] = w;
  if (w.lane == 0) pushed_p++;
  b->held[w.lane] += w.beats;
  if (cut_off || w.bad) b->dropped[w.lane] += w.units;
}

// A sop inside a TLP: the TLP under way is done as cut off, in this cycle.
static void beat_taken(port *b) {
  if (b->valid && b->now.sop[b->at] && b->under_way) {
    CHECK(b->t, !b->taken, "a sop inside a TLP taken in the cycle of the cut");
    enqueue(b, &b->open, true);
    b->under_way = false;
  } else if (b->taken) {
    if (b->at + 1 == b->now.beats) {
      b->have = false;
      b->sent++;
      if (!b->stray) {
        if (b->cut) {
          b->open = b->now;
          b->under_way = true;
          // The next TLP follows at once: it must have a sop.
          make(b->t, &b->now);
          b->at = 0;
          b->have = true;
          b->stray = false;
          b->cut = false;
        } else {
          enqueue(b, &b->now, false);
        }
      }
    } else {
      b->at++;
    }
  }
}

// Decided at most 64 ahead of the payload, so that the reference queue holds them.
static void decide(port *b) {
  for (unsigned l = 0; l < 2; l++) {
    if (decided[l] != put[l] && decided[l] - pay_req[l] < 64 && rnd_chance(b->t, b->out[l])) decided[l]++;
  }
  if (!b->under_way && b->at == 0 && !b->have && rnd_chance(b->t, 1)) {
    b->mps = (unsigned)rnd_bits(b->t, 3);
    b->mrrs = (unsigned)rnd_bits(b->t, 3);
  }
}

// Single-beat writes at one a cycle, decided as they come.
static void full_rate(port *b) {
  dut_set_rd_ptr_i(b->d, 0);
  dut_set_dev_req_valid_i(b->d, 0);
  dut_reset(b->d, 2);
  unsigned got = 0;
  memset(b->beat, 0, sizeof b->beat);
  bits_set(b->beat, AT_HDR + 96, 32, 0x40000001u);
  bits_set(b->beat, AT_HDR + 64, 32, 0x0113000fu);
  bits_set(b->beat, AT_HDR + 32, 32, 0x1000u);
  bits_set(b->beat, AT_STRB, BEAT_DW, 1);
  bits_set(b->beat, AT_SOP, 1, 1);
  bits_set(b->beat, AT_EOP, 1, 1);
  dut_set_dev_req_beat_i(b->d, b->beat);
  dut_set_dev_req_valid_i(b->d, 1);
  dut_set_pay_ready_i(b->d, 3);
  for (unsigned i = 0; i < 200; i++) {
    dut_eval(b->d);
    dut_set_rd_ptr_i(b->d, dut_get_wr_ptr_o(b->d) & 255);
    dut_eval(b->d);
    got += dut_get_dev_req_ready_o(b->d) != 0;
    dut_tick(b->d);
  }
  CHECK_EQ(b->t, got, 200, "single-beat writes in 200 cycles");
}

static void port_cycle(port *b) {
  rates(b);
  next_tlp(b);
  offer(b);
  lanes(b);
  dut_eval(b->d);
  pointers_and_credits(b);
  check_ready(b);
  outputs(b);
  b->taken = b->valid && dut_get_dev_req_ready_o(b->d);
  if (b->valid && !b->taken && put[0] == decided[0] && put[1] == decided[1] && pay_req[0] == put[0] &&
      pay_req[1] == put[1] && !b->cut_done && !(b->now.sop[b->at] && b->under_way))
    CHECK(b->t, false, "not ready with empty lanes");
  beat_taken(b);
  dut_tick(b->d);
  if (b->taken) dut_set_dev_req_valid_i(b->d, 0);
  decide(b);
}

static int port_test(int argc, char **argv, const char *block) {
  static port all;
  port *b = &all;
  tb t;
  tb_init(&t, argc, argv, block, 60000);
  *b = (port){.t = &t, .d = dut_begin(&t), .mps = 5, .mrrs = 5, .in = 100, .out = {100, 100}};
  dut_reset(b->d, 2);
  dut_eval(b->d);
  b->pd0 = (unsigned)dut_get_crd_pd_o(b->d);
  b->npd0 = (unsigned)dut_get_crd_npd_o(b->d);
  CHECK(&t, b->pd0 >= 256 && b->pd0 <= 2047, "initial PD credits %u", b->pd0);
  while (dut_cycle(b->d) < t.cycles) port_cycle(b);
  CHECK(&t, b->sent > t.cycles / 100, "%u TLPs sent", b->sent);
  CHECK(&t, put[0] > 100 && put[1] > 100, "requests in both lanes");
  full_rate(b);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}

#endif
