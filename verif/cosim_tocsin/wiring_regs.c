// SPDX-License-Identifier: Apache-2.0
// Wiring of the register port: an address below 1 MiB is the IOMMU's, one above the NIC's, and what happens
// to one of them is nothing to the other; writes to the NIC are posted, in order, before the next read of it,
// and hold up nobody at the IOMMU.
#include <string.h>

#include "wiring.h"

enum { POSTED = 12, STUCK = 600, SOON = 300, MANY = 1024 };

// ---- what this instance is
void sizes(stage *s) {
  const aa_config *a = &bench_of(s)->hw;
  const nic_config *c = &s->n->cfg;
  unsigned table = c->TableBits;
  expect(s, "AA_CAP", reg(s, AA_REG_AA_CAP),
         a->NumLogs | (uint64_t)a->LogDepth << 8 | (uint64_t)a->TagEntries << 16 | (uint64_t)a->FlushPages << 32 |
             (uint64_t)a->FlushWaiters << 40 | (uint64_t)a->ScratchWords << 48 | (uint64_t)a->NumPorts << 56);
  expect(s, "NIC_CAP", node_read(s->n, NIC_REG_NIC_CAP),
         c->NumQps | (uint64_t)c->NumProcs << 16 | (uint64_t)c->NumMrs << 24 | (uint64_t)table << 36 |
             (uint64_t)c->RecvDepth << 40 | (uint64_t)c->NumLogs << 48);
}

// ---- the halves
typedef struct word {
  uint32_t at;
  uint64_t mask;  // bits that are stored
} word;

#define ALL ~0ull
// Some words of either half that software may write at any time; of logs that are closed.
static const word some[] = {{NET_IOMMU | AA_REG_RTADDR, ALL << 12},
                            {NET_IOMMU | AA_REG_FEADDR, ALL ^ 3},
                            {NET_IOMMU | AA_REG_AA_FLUSH_TMO, 0xffffffff},
                            {NET_IOMMU | AA_REG_AA_PORT, 1ull << 63 | 0xffffffff},
                            {NET_IOMMU | AA_REG_LOG_PTR, ALL},
                            {NET_IOMMU | AA_REG_LOG_MSID, ALL},
                            {NIC_REG_NIC_MAC, ALL >> 16},
                            {NIC_REG_NIC_IP, ALL >> 24},
                            {NIC_REG_NIC_QPN, 0xffff},
                            {NIC_REG_NIC_IP6_HI, ALL},
                            {NIC_REG_EQ_MSIA, ALL ^ 3},
                            {NIC_REG_XT_W, ALL},
                            {NIC_REG_XT_TPL, ALL},
                            {NIC_REG_MR_BASE, ALL}};
enum { SOME = sizeof some / sizeof *some };

static uint64_t value(unsigned i, unsigned k) { return (0x9E3779B97F4A7C15ull * (i * 16 + k + 1)) ^ (uint64_t)k << 40; }

static uint64_t merged(uint64_t old, uint64_t v, uint8_t strobe) {
  uint64_t bytes = 0;
  for (unsigned n = 0; n < 8; n++) bytes |= strobe >> n & 1 ? 0xffull << 8 * n : 0;
  return (old & ~bytes) | (v & bytes);
}

// Each word and what has its address in the other half, as they are now.
static void look_at(stage *s, uint64_t *mine, uint64_t *other) {
  for (unsigned i = 0; i < SOME; i++) {
    mine[i] = node_read(s->n, some[i].at);
    other[i] = node_read(s->n, some[i].at ^ NET_IOMMU);
  }
}

static void still(stage *s, const uint64_t *mine, const uint64_t *other) {
  uint64_t now[SOME], beyond[SOME];
  look_at(s, now, beyond);
  for (unsigned i = 0; i < SOME; i++) {
    expect(s, "a register", now[i], mine[i]);
    expect(s, "the register of its address in the other half", beyond[i], other[i]);
  }
}

void halves(stage *s) {
  uint64_t first[SOME], mine[SOME], other[SOME];
  count_of(s, AA_CNT_REQUESTS);
  look_at(s, first, other);
  memcpy(mine, first, sizeof mine);
  expect(s, "identity of the IOMMU", reg(s, AA_REG_AA_ID), AA_RESET_AA_ID);
  expect(s, "identity of the NIC", node_read(s->n, NIC_REG_NIC_ID), NIC_RESET_NIC_ID);
  for (unsigned i = 0; i < SOME && !s->w->failed; i++) {
    mine[i] = value(i, 0) & some[i].mask;
    node_write(s->n, some[i].at, mine[i]);
    for (unsigned k = 0; k < SOME; k++)
      if ((some[k].at ^ NET_IOMMU) == some[i].at) other[k] = mine[i];
    still(s, mine, other);
  }
  for (unsigned i = 0; i < SOME; i++) node_write(s->n, some[i].at, first[i]);
  node_settle(s->n);
}

void strobes(stage *s) {
  for (unsigned i = 0; i < SOME && !s->w->failed; i++) {
    uint64_t first = node_read(s->n, some[i].at), now = first;
    for (unsigned k = 0; k < 12; k++) {
      uint8_t strobe = k < 8 ? (uint8_t)(1 << k) : (uint8_t[]){0xf0, 0x0f, 0xa5, 0}[k - 8];
      now = merged(now, value(i, k), strobe) & some[i].mask;
      node_write_strb(s->n, some[i].at, value(i, k), strobe);
      expect(s, "a register, written in part", node_read(s->n, some[i].at), now);
    }
    node_write(s->n, some[i].at, first);
  }
  node_settle(s->n);
}

// ---- posted writes
static uint8_t strobe_of(unsigned k) { return (uint8_t)(0xff ^ (0x11 * k)); }

// What the NIC has done of POSTED writes to its templates, by its records: so many, in their order.
static void done(stage *s, uint64_t before, unsigned want) {
  const dut_node *d = s->n->dut;
  unsigned seen = 0;
  expect(s, "writes that the NIC has done", d->retired[NIC_RET_REG_WRITE] - before, want);
  for (unsigned i = d->last_n < 64 ? 0 : d->last_n - 64; i != d->last_n; i++) {
    const nic_retire_rec *r = &d->last[i % 64];
    if (r->kind != NIC_RET_REG_WRITE || r->a < NIC_REG_XT_TPL || r->a >= NIC_REG_XT_TPL + 64) continue;
    expect(s, "address of a write", r->a, NIC_REG_XT_TPL + 8 * (seen % 3));
    expect(s, "its bytes, as the record has them", r->idx, strobe_of(seen));
    expect(s, "its data", r->b, value(seen, 1));
    seen++;
  }
  if (want) expect(s, "records of writes", seen, want);
}

static void post(stage *s) {
  for (unsigned k = 0; k < POSTED; k++) node_write_strb(s->n, NIC_REG_XT_TPL + 8 * (k % 3), value(k, 1), strobe_of(k));
  unsigned cycles = 0;
  for (; s->n->w_head != s->n->w_tail && cycles < SOON && !s->w->failed; cycles++) net_cycle(s->w);
  if (cycles == SOON) net_fail(s->w, s->suite, "writes to a NIC that waits are not answered");
}

// A message asks for a task, and the indices of its queue cannot be read: the decision is half made, so registers wait.
static void half_decided(stage *s) {
  nic_call(s, 0);
  run_for(s, STUCK);
}

// A read of the NIC waits for the writes before it, which wait for the host.
void posted(stage *s) {
  uint64_t before, v = 0, want;
  queue_on(s, 0);
  want = node_read(s->n, NIC_REG_XT_TPL + 16);
  for (unsigned k = 2; k < POSTED; k += 3) want = merged(want, value(k, 1), strobe_of(k));
  before = s->n->dut->retired[NIC_RET_REG_WRITE];
  bench_of(s)->prof.p_host_req = 0;
  half_decided(s);
  post(s);
  done(s, before, 0);
  for (unsigned k = 0; k < STUCK && !s->w->failed; k++) {
    if (s->n->ops->read(s->n, NIC_REG_XT_TPL + 16, &v)) net_fail(s->w, s->suite, "a read passes the writes before it");
    net_cycle(s->w);
  }
  bench_of(s)->prof.p_host_req = 256;
  for (unsigned k = 0; !s->w->failed && !s->n->ops->read(s->n, NIC_REG_XT_TPL + 16, &v); k++) {
    if (k == 20000) net_fail(s->w, s->suite, "a read of the NIC never ends");
    net_cycle(s->w);
  }
  expect(s, "a register behind posted writes", v, want);
  done(s, before, POSTED);
  quiet(s);
}

// A put of the NIC waits for room in a log, the NIC's registers wait for the put, and the consumer pointer, which makes
// the room, does not wait for them.
void held_register(stage *s) {
  uint64_t before;
  log_open(s, 0, 10, 0);
  queue_on(s, 0);
  before = s->n->dut->retired[NIC_RET_REG_WRITE];
  nic_put(s, 0, LOGGED, MANY);
  half_decided(s);
  post(s);
  run_for(s, STUCK);
  done(s, before, 0);
  for (unsigned k = 0; k < 200 && !s->w->failed; k++) {
    uint64_t prod = page_of(s, 0, AA_REG_LP_PROD), begin = s->w->cycle;
    if (s->n->dut->retired[NIC_RET_REG_WRITE] == before + POSTED) break;
    reg_put(s, AA_REG_LP_CONS, 8, prod);
    node_settle(s->n);
    if (s->w->cycle - begin > SOON) net_fail(s->w, s->suite, "LP_CONS waits behind a register of the NIC");
    run_for(s, SOON);
  }
  done(s, before, POSTED);
  quiet(s);
  expect(s, "bytes in the log, at least", page_of(s, 0, AA_REG_LP_PROD) >= MANY, true);
  expect(s, "tasks", node_peek64(s->n, 0, sw_va(0, TASKS_INDEX + 56)), 1);
}

// ---- What the MAC calls bad is not looked at.
void bad_frame(stage *s) {
  nic_self self = node_self(1);
  uint64_t before = counter(s, NIC_CNT_RX_SHORT);
  nic_head h = to_qp(s, 0, NIC_OP_WRITE_ONLY);
  frame f = {.from = 1, .fcs_bad = true};
  static const uint8_t pay[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  h.psn = s->psn;
  h.va = sw_va(0, OWN), h.rkey = SW_KEY, h.length = 8, h.bytes = 8;
  f.n = nic_frame_build(&self, &h, pay, f.b);
  node_poke64(s->n, 0, sw_va(0, OWN), 0);
  for (unsigned k = 0; !s->n->ops->take(s->n, &f) && k < 100; k++) net_cycle(s->w);
  quiet(s);
  expect(s, "answers to a bad frame", s->answers, 0);
  expect(s, "what a bad frame has written", node_peek64(s->n, 0, sw_va(0, OWN)), 0);
  expect(s, "bad frames", counter(s, NIC_CNT_RX_SHORT) - before, 1);
  nic_put(s, 0, OWN, 8);
  quiet(s);
  expect(s, "answers to a good one", s->answers, 1);
  expect(s, "its bytes, of which the first counts the packets", node_peek64(s->n, 0, sw_va(0, OWN)) & 0xff,
         EPSN & 0xff);
}
