// SPDX-License-Identifier: Apache-2.0
// The test of aa_port with aa_rx, aa_lane and aa_pay_fifo in it: random good, malformed and cut-off TLPs against a
// reference written from rtl/aa/README.md (port_tlp.h), slow and fast consumers of both lanes; order between lanes;
// credits; both lanes full to the brim; rate.
// Rules of rtl/aa/README.md: STR-4, STR-5, STR-6, STR-7, STR-8, STR-9, STR-10.
#ifndef TOCSIN_PORT_TEST_H
#define TOCSIN_PORT_TEST_H

#include "port_tlp.h"

// Credits that are given at first: what the payload has room for if each TLP that can be inside, as many decided as in
// the window, leaves all but a unit of its last beat unused; and a CAS of 8 DW for each header of NP.
#define PD_AT_FIRST (P_PayDw / 4 - 2 * P_Window * (BEAT_DW / 4 - 1))
#define NPD_AT_FIRST (2 * P_Window)

static want queue[2][512];
static unsigned put[2], decided[2];
static unsigned pay_beat[2], pay_req[2];

static void check_lane(tb *t, dut *d, unsigned l, unsigned rd, unsigned look) {
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
  w = &queue[l][look % 512];
  at = l * LOOK_W;
  CHECK_EQ(t, bits_get(lk, at + 71, 1), w->skip, "skip of request %u of lane %u", look, l);
  if (!w->skip) {
    CHECK_EQ(t, bits_get(lk, at, 52), w->page, "iova of request %u of lane %u", look, l);
    CHECK_EQ(t, bits_get(lk, at + 52, 16), w->sid, "sid of request %u of lane %u", look, l);
    CHECK_EQ(t, bits_get(lk, at + 68, 1), w->at, "at of request %u of lane %u", look, l);
    CHECK_EQ(t, bits_get(lk, at + 69, 1), w->write, "write of request %u of lane %u", look, l);
    CHECK_EQ(t, bits_get(lk, at + 70, 1), w->intr, "intr of request %u of lane %u", look, l);
  }
}

// The bench: the TLP that is sent, beat by beat; what waits; and below what this cycle does.
typedef struct {
  tb *t;
  dut *d;
  tlp now, open;  // open: under way, and to be cut off by the next sop
  uint32_t beat[DEV_REQ_BEAT_I_WORDS];
  subject about;
  unsigned mps, mrrs, sent, in, out[2], pop[2], pd_freed, npd_freed, run, dropped[2], at;
  bool under_way, stray, have;
  bool cut;  // a cut-off TLP is one whose last beats are left out
  bool valid, taken;
  unsigned rd[2], look[2], ready;  // rd, look: the request that is read of each lane
  unsigned held[2], silent[2];     // beats of payload inside; cycles without any of them
} port;

// Mostly everything moves. Else decisions and payload have each a rate of their own, so that either can be what a lane
// is full of.
static void rates(port *b) {
  static const subject subjects[] = {MIXED,   MIXED,   MIXED,   MIXED,   HEADERS, HEADERS,
                                     HEADERS, HEADERS, HEADERS, ATOMICS, ATOMICS, WRITES};
  if (b->run-- == 0) {
    b->about = subjects[rnd_below(b->t, sizeof subjects / sizeof *subjects)];
    bool fast = rnd_chance(b->t, b->about == HEADERS ? 85 : 60);
    b->run = 100 + 2 * P_Window + (b->about == WRITES ? P_PayDw / BEAT_DW : 0);
    b->in = fast || b->about == WRITES || rnd_chance(b->t, 60) ? 100 : 20;
    for (unsigned l = 0; l < 2; l++) {
      b->out[l] = fast || rnd_chance(b->t, 60) ? 100 : rnd_chance(b->t, 50) ? 30 : 3;
      b->pop[l] = fast || rnd_chance(b->t, 60) ? 100 : rnd_chance(b->t, 50) ? 30 : 3;
    }
    if (b->about == WRITES) b->pop[0] = 3;
  }
}

static void next_tlp(port *b) {
  if (!b->have && !b->under_way && rnd_chance(b->t, b->in)) {
    make(b->t, &b->now, b->about);
    b->at = 0;
    b->have = true;
    b->stray = rnd_chance(b->t, 3);  // its sop is missing: swallowed
    if (b->stray) b->now.sop[0] = false;
    b->cut = b->now.beats > 1 && rnd_chance(b->t, 6);
    if (b->cut) {
      b->now.beats = 1 + (unsigned)rnd_below(b->t, b->now.beats - 1);
      b->now.eop[b->now.beats - 1] = false;
    }
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
  unsigned pop = 0;
  for (unsigned l = 0; l < 2; l++) {
    unsigned n = put[l] - decided[l];
    b->rd[l] = decided[l] + (n ? (unsigned)rnd_below(b->t, n) : 0);
    b->look[l] = decided[l] + (n ? (unsigned)rnd_below(b->t, n) : 0);
    if (rnd_chance(b->t, b->pop[l])) pop |= 1u << l;
  }
  dut_set_rd_ptr_i(b->d, (decided[0] & 255) | (decided[1] & 255) << 8);
  dut_set_rd_idx_i(b->d, (b->rd[0] & 255) | (b->rd[1] & 255) << 8);
  dut_set_lk_idx_i(b->d, (b->look[0] & 255) | (b->look[1] & 255) << 8);
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
  // P2: a request is seen in the cycle after its end, so in the order of arrival.
  CHECK_EQ(b->t, dut_get_wr_ptr_o(b->d) & 255, put[0] & 255, "wr_ptr_o of P");
  CHECK_EQ(b->t, dut_get_wr_ptr_o(b->d) >> 8, put[1] & 255, "wr_ptr_o of NP");
  CHECK_EQ(b->t, dut_get_crd_ph_o(b->d), (decided[0] + P_Window) & 255, "PH");
  CHECK_EQ(b->t, dut_get_crd_nph_o(b->d), (decided[1] + P_Window) & 255, "NPH");
  CHECK_EQ(b->t, dut_get_crd_pd_o(b->d), (PD_AT_FIRST + b->pd_freed) & 4095, "PD");
  CHECK_EQ(b->t, dut_get_crd_npd_o(b->d), (NPD_AT_FIRST + b->npd_freed) & 4095, "NPD");
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
    if (put[l] != decided[l]) check_lane(b->t, b->d, l, b->rd[l], b->look[l]);
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

// STR-9: of a read with hints, whose steering tag stands in the place of its byte enables, what remains.
static void strip_hints(tlp *p) {
  const unsigned op = byte0(p);
  if ((op && op != 0x20) || !(p->hdr[3] & 1u << 16)) return;
  p->hdr[3] &= ~(1u << 16);
  p->hdr[2] = (p->hdr[2] & ~0xffu) | ((p->hdr[3] & 1023) == 1 ? 0x0f : 0xff);
  p->hdr[op ? 0 : 1] &= ~3u;
}

static void enqueue(port *b, const tlp *p, bool cut_off) {
  static tlp plain;
  want w;
  plain = *p;
  strip_hints(&plain);
  judge(&plain, cut_off, &w);
  queue[w.lane][put[w.lane]++ % 512] = w;
  b->held[w.lane] += w.beats;
  if (cut_off || w.bad) b->dropped[w.lane] += w.units;
}

// A sop inside a TLP: the TLP under way is done as cut off, in this cycle.
static void beat_taken(port *b) {
  if (b->at == 0) b->now.mps = b->mps, b->now.mrrs = b->mrrs;
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
          make(b->t, &b->now, b->about);
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
}

// The limits that count are those at the first beat, so they may change behind it.
static void limits(port *b) {
  if ((b->have && b->at == 0) || !rnd_chance(b->t, 25)) return;
  b->mps = b->about == WRITES || rnd_chance(b->t, 20) ? 5 : (unsigned)rnd_bits(b->t, 3);
  b->mrrs = rnd_chance(b->t, 30) ? 5 : (unsigned)rnd_bits(b->t, 3);
}

// A reset, also while something is under way or full: nothing of before remains.
static void restart(port *b) {
  dut_set_dev_req_valid_i(b->d, 0);
  dut_set_rd_ptr_i(b->d, 0);
  dut_set_pay_ready_i(b->d, 0);
  dut_reset(b->d, 2);
  memset(put, 0, sizeof put);
  memset(decided, 0, sizeof decided);
  memset(pay_beat, 0, sizeof pay_beat);
  memset(pay_req, 0, sizeof pay_req);
  *b = (port){.t = b->t, .d = b->d, .sent = b->sent, .mps = 5, .mrrs = 5, .in = 100, .out = {100, 100}};
}

// ---- directed: single beats, without the model above ----
// A write (lane 0) or a FetchAdd of one DW; of a bad one the strobes say two. Whether it was taken.
static bool single(port *b, unsigned l, bool good, uint32_t word) {
  memset(b->beat, 0, sizeof b->beat);
  b->beat[0] = word;
  bits_set(b->beat, AT_HDR + 96, 32, l ? 0x4c000001u : 0x40000001u);
  bits_set(b->beat, AT_HDR + 64, 32, 0x0113000fu);
  bits_set(b->beat, AT_HDR + 32, 32, 0x1000u);
  bits_set(b->beat, AT_STRB, BEAT_DW, good ? 1 : 3);
  bits_set(b->beat, AT_SOP, 1, 1);
  bits_set(b->beat, AT_EOP, 1, 1);
  dut_set_dev_req_beat_i(b->d, b->beat);
  dut_set_dev_req_valid_i(b->d, 1);
  dut_eval(b->d);
  bool taken = dut_get_dev_req_ready_o(b->d);
  dut_tick(b->d);
  dut_set_dev_req_valid_i(b->d, 0);
  return taken;
}

// All that has arrived is decided.
static void follow(port *b) {
  dut_eval(b->d);
  dut_set_rd_ptr_i(b->d, dut_get_wr_ptr_o(b->d));
}

// One a cycle.
static void full_rate(port *b) {
  restart(b);
  dut_set_pay_ready_i(b->d, 3);
  unsigned got = 0;
  for (unsigned i = 0; i < 200; i++) {
    follow(b);
    got += single(b, 0, true, i);
  }
  CHECK_EQ(b->t, got, 200, "single-beat writes in 200 cycles");
}

// n beats leave; the first word of beat i is words[i].
static unsigned leave(port *b, unsigned l, unsigned from, unsigned n, const uint32_t *words) {
  uint32_t data[PAY_DATA_O_WORDS];
  follow(b);
  dut_set_pay_ready_i(b->d, 1u << l);
  for (unsigned silent = 0; n && silent < 3; silent++) {
    dut_eval(b->d);
    if (dut_get_pay_valid_o(b->d) >> l & 1) {
      dut_get_pay_data_o(b->d, data);
      CHECK_EQ(b->t, data[l * BEAT_DW], words[from % 1024], "beat %u of lane %u at the brim", from, l);
      from++, n--, silent = 0;
    }
    dut_tick(b->d);
  }
  dut_set_pay_ready_i(b->d, 0);
  CHECK_EQ(b->t, n, 0, "beats of lane %u that do not come", l);
  return from;
}

// Beat by beat to the brim, and at each depth one that is taken back: room as long as less than all is in use, and none
// beyond (block RAM has its output register besides). Then some leave, and it goes on from there.
static void brim(port *b, unsigned l) {
  static uint32_t words[1024];
  unsigned depth = l ? NP_BEATS : P_PayDw / BEAT_DW, in = 0, out = 0;
  restart(b);
  for (unsigned round = 0; round < 8; round++) {
    bool room = true;
    while (room && in - out <= depth + 1) {
      follow(b);
      room = single(b, l, false, ~0u);
      if (!room) break;
      follow(b);
      words[in % 1024] = (uint32_t)rnd(b->t);
      room = single(b, l, true, words[in % 1024]);
      in += room;
    }
    CHECK(b->t, !room && in - out >= depth && in - out <= depth + !l, "lane %u is full at %u of %u", l, in - out,
          depth);
    out = leave(b, l, out, round < 7 ? 1 + (unsigned)rnd_below(b->t, depth) : in - out, words);
  }
}

// As many requests as the window has are taken, and none more, wherever in it that is.
static void full_window(port *b, unsigned l) {
  unsigned in = 0, out = 0;
  restart(b);
  dut_set_pay_ready_i(b->d, 3);
  for (unsigned round = 0; round < 16; round++) {
    while (in - out <= P_Window && single(b, l, true, in)) in++;
    CHECK_EQ(b->t, in - out, P_Window, "requests in the full lane %u", l);
    for (unsigned n = 1 + (unsigned)rnd_below(b->t, P_Window); n; n--) {
      dut_set_rd_ptr_i(b->d, (++out & 255) << 8 * l);
      dut_tick(b->d);
    }
  }
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
      pay_req[1] == put[1] && !(b->now.sop[b->at] && b->under_way))
    CHECK(b->t, false, "not ready with empty lanes");
  decide(b);  // what was looked at: not yet what arrives now
  beat_taken(b);
  dut_tick(b->d);
  if (b->taken) dut_set_dev_req_valid_i(b->d, 0);
  limits(b);
}

static int port_test(int argc, char **argv, const char *block) {
  static port all;
  port *b = &all;
  tb t;
  tb_init(&t, argc, argv, block, 72000);
  *b = (port){.t = &t, .d = dut_begin(&t)};
  for (unsigned part = 1; part <= 3; part++) {
    restart(b);
    while (dut_cycle(b->d) < t.cycles * part / 3) port_cycle(b);
    CHECK(&t, put[0] > tb_least(&t, 100) && put[1] > tb_least(&t, 100), "requests in both lanes");
  }
  CHECK(&t, b->sent > t.cycles / 100, "%u TLPs sent", b->sent);
  for (unsigned l = 0; l < 2; l++) {
    brim(b, l);
    full_window(b, l);
  }
  full_rate(b);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}

#endif
