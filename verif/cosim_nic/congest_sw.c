// SPDX-License-Identifier: Apache-2.0
// Congestion as software makes it: parameters drawn anew in motion, CNPs of peers that nothing has asked for.
#include "sw.h"

enum { BURST = 40, JUNK = 48 };

static unsigned one_of(rng *r, const unsigned *v, unsigned n) { return v[rng_below(r, n)]; }

// Parameters of congestion, extreme ones too; but few that keep a queue pair slow for good.
static void draw(node *n) {
  static const unsigned time[] = {0, 1, 60, 500, 3000, 20000}, full[] = {1024, 1024, 1024, 2047, 700, 100, 33, 0};
  static const unsigned min[] = {0, 1, 16, 64, 64, 200, 200, 2047}, g[] = {0, 1, 4, 4, 15}, fast[] = {0, 1, 2, 5, 15};
  static const unsigned calm[] = {0, 1, 2, 5, 255}, raise[] = {0, 1, 1, 2, 2, 5}, add[] = {0, 1, 30, 2047};
  static const unsigned hyper[] = {10, 200, 500, 2047};
  rng *r = &n->net->rng;
  if (rng_1in(r, 2)) node_write(n, NIC_REG_NIC_CNP, one_of(r, time, 6));
  if (rng_1in(r, 2))
    node_write(n, NIC_REG_NIC_RATE,
               one_of(r, full, 8) | (uint64_t)one_of(r, min, 8) << NIC_NIC_RATE_MIN_LSB |
                   (uint64_t)one_of(r, g, 5) << NIC_NIC_RATE_G_LSB |
                   (uint64_t)one_of(r, fast, 5) << NIC_NIC_RATE_FAST_LSB);
  if (rng_1in(r, 2))
    node_write(n, NIC_REG_NIC_RAISE,
               one_of(r, calm, 5) | (uint64_t)one_of(r, raise, 6) << NIC_NIC_RAISE_TIME_LSB |
                   (uint64_t)one_of(r, add, 4) << NIC_NIC_RAISE_ADD_LSB |
                   (uint64_t)one_of(r, hyper, 4) << NIC_NIC_RAISE_HYPER_LSB);
}

// Whether our frames may be marked, also those to come while others leave: ECT(0), sometimes ECT(1) or none.
static void may_be_marked(node *n) {
  rng *r = &n->net->rng;
  uint64_t tos = 0x20 * n->id + 8 + (rng_1in(r, 4) ? rng_below(r, 2) : 2);
  node_write(n, NIC_REG_NIC_IP, node_ip(n->id) | tos << NIC_NIC_IP_TOS_LSB);
}

void congest_on(node *n) {
  n->cong.time = NIC_RESET_NIC_CNP;
  n->cong.rate = NIC_RESET_NIC_RATE;
  if (!n->net->link.mark) return;
  may_be_marked(n);
  draw(n);
}

// A CNP that no mark has made, of a peer that may be, with anything in it that nobody looks at.
void congest_cnp(net *w, unsigned from, unsigned to, unsigned qp, uint64_t after) {
  rng *r = &w->rng;
  unsigned kind = net_kind(w, qp), more = rng_1in(r, 4) ? rng_below(r, JUNK) : 0;
  nic_self self = node_self(from);
  uint8_t b[NIC_FRAME_MAX], junk[JUNK];
  nic_head h = {.mac = node_mac(to),
                .ip = node_ip(to),
                .v6 = kind & 2,
                .ip6 = node_ip6(to),
                .tag = kind & 1,
                .tci = net_tci(qp),
                .port = (uint16_t)rng_u64(r),
                .pkey = 0xffff,
                .qp = node_number(&w->node[to], qp),
                .psn = rng_1in(r, 2) ? 0 : (uint32_t)rng_u64(r) & 0xffffff,
                .opcode = NIC_OP_CNP,
                .se = rng_1in(r, 4),
                .ack_req = rng_1in(r, 4),
                .bytes = (uint16_t)more};
  for (unsigned i = 0; i < JUNK; i++) junk[i] = (uint8_t)rng_u64(r);
  size_t k = nic_frame_build(&self, &h, junk, b);
  frame_place p = frame_find(b, k);
  if (rng_1in(r, 4)) frame_mark(&p);
  b[p.bth + 4] = (uint8_t)rng_u64(r);  // FECN, BECN, reserved
  for (unsigned i = 0; i < 16 && rng_1in(r, 2); i++) b[p.bth + 12 + i] = (uint8_t)rng_u64(r);
  uint32_t crc = nic_icrc(p.ip, (size_t)(b + k - 4 - p.ip));
  for (unsigned i = 0; i < 4; i++) b[k - 4 + i] = (uint8_t)(crc >> 8 * i);
  link_deliver(w, to, b, k, after);
}

void congest_cycle(net *w) {
  rng *r = &w->rng;
  if (!w->link.mark) return;
  for (unsigned i = 0; i < w->nodes; i++) {
    if (!rng_1in(r, 30000)) continue;
    may_be_marked(&w->node[i]);
    draw(&w->node[i]);
  }
  for (unsigned i = 0; i < w->nodes && !(w->cycle & 511); i++)
    for (unsigned qp = 0; qp < w->node[i].cfg.NumQps && w->node[i].m; qp++)
      if (nic_held_back(w->node[i].m, qp)) reach(&w->node[i], REACH_HELD);
  if (!rng_1in(r, 4000)) return;
  const board *s = board_of(w);
  unsigned qp = rng_below(r, s->qps), peer = s->s[2 * qp + 1].from, to = rng_1in(r, 2) ? peer : 0;
  if (rng_1in(r, 8)) qp = rng_below(r, 256);  // one that is not there, or not of that peer
  for (unsigned k = rng_1in(r, 10) ? BURST : 1; k-- > 0;) congest_cnp(w, to ? 0 : peer, to, qp, 1);
}
