// SPDX-License-Identifier: Apache-2.0
// Who we are (FRM-13), written while frames wait for the MAC: they leave as they would have, and the write waits for
// them; that of another register does not. For the suite of wiring.c; lockstep compares every byte of the frames.
#include "directed.h"

enum { EACH = 60, AWHILE = 200, SOON = 30, FEW = 3 };

typedef struct change {
  uint32_t addr;
  uint64_t bits;  // that become others
} change;

static bool written(const stage *s) { return s->n->w_head == s->n->w_tail; }
static uint64_t frames(const stage *s) { return s->n->dut->retired[NIC_RET_TX]; }

// The MAC takes nothing, and we acknowledge n writes, or as many as there is room for; how many that are.
static uint64_t wait_inside(stage *s, uint64_t n) {
  uint64_t before = frames(s), was;
  s->answers = 0;
  s->n->dut->prof.p_out = 0;
  do {
    was = frames(s);
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_ONLY);
    h.va = REGION, h.rkey = SW_KEY;
    give(s, h, NULL, false);
    s->psn = (s->psn + 1) & 0xffffff;
    run_for(s, EACH);
  } while (frames(s) != was && frames(s) - before < n && !s->w->failed);
  return frames(s) - before;
}

static void leave(stage *s, uint64_t before) {
  s->n->dut->prof.p_out = 256;
  settle(s);
  expect(s, "good frames, of all", s->answers, frames(s) - before);
}

static void becomes(stage *s, change c, uint64_t n) {
  uint64_t was = node_read(s->n, c.addr), tick = node_read(s->n, NIC_REG_NIC_TICK), before = frames(s);
  expect(s, "frames that wait", wait_inside(s, n), n);
  node_write(s->n, NIC_REG_NIC_TICK, tick);
  run_for(s, SOON);
  expect(s, "another register is written while frames wait", written(s), true);
  node_write(s->n, c.addr, was ^ c.bits);
  run_for(s, AWHILE);
  expect(s, "who we are is written while frames wait", written(s), false);
  leave(s, before);
  expect(s, "who we are", node_read(s->n, c.addr), was ^ c.bits);
  node_write(s->n, c.addr, was);
  settle(s);
}

void who_we_are(stage *s) {
  static const change changes[] = {{NIC_REG_NIC_MAC, 0xffffffffffff},
                                   {NIC_REG_NIC_IP, 2ull << NIC_NIC_IP_TOS_LSB},
                                   {NIC_REG_NIC_IP, 0xffff},
                                   {NIC_REG_NIC_IP6_HI, ~0ull},
                                   {NIC_REG_NIC_IP6_LO, ~0ull}};
  unsigned kinds = s->w->kinds;
  s->n->dut->prof = dut_profile_fast;
  for (s->w->kinds = 0; s->w->kinds < NET_KIND && !s->w->failed; s->w->kinds++) {
    s->psn = EPSN;
    sw_connect(s->n, QP, 0, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
    settle(s);
    uint64_t before = frames(s), room = wait_inside(s, ~0ull);
    leave(s, before);
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
      becomes(s, changes[i], FEW);
      becomes(s, changes[i], room - 1);
      becomes(s, changes[i], room);
    }
  }
  s->w->kinds = kinds;
  s->psn = EPSN;
  sw_connect(s->n, QP, 0, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
}
