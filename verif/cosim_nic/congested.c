// SPDX-License-Identifier: Apache-2.0
// Congestion, directed: marks and CNPs at the wire's rate, the rate of a slow queue pair measured at the wire, and that
// being held back is no lack of progress. Cases of the suite `hostile`.
#include <string.h>

#include "directed.h"

enum { VISIT = 1024, HEADS = 64, MTU = 4096, MIN = 64, WRITES = 1500 };

static uint64_t rate_of(const stage *s, unsigned qp) {
  return node_read(s->n, NIC_REG_QP_RATE + qp * NIC_REG_QP_RATE_STRIDE);
}
static unsigned beat(const stage *s) { return s->n->dut ? s->n->dut->bb : 32; }

// The k-th of frames one behind the other: as fast as the node takes them; a model by itself has no wire of its own.
static uint64_t gap(const stage *s, unsigned k) { return s->n->dut ? 1 : 12 * k; }

static void within(stage *s, const char *what, uint64_t got, uint64_t least, uint64_t most) {
  if (got < least || got > most)
    net_fail(s->w, s->suite, "%s: got %llu, want %llu to %llu", what, (unsigned long long)got,
             (unsigned long long)least, (unsigned long long)most);
}

// Nothing outside holds the hardware up, and no answer of memory comes in the last moment.
static void full_speed(stage *s) {
  node_write(s->n, NIC_REG_NIC_CPL_TMO, 0);
  if (!s->n->dut) return;
  dut_profile *p = &s->n->dut->prof;
  *p = dut_profile_fast;
  p->lat_max = 4;
  p->mps = 512;
  p->in_order = true;
}

// Frames that the peer sends one behind the other, all of them marked.
static void marked_writes(stage *s, unsigned n) {
  nic_self self = node_self(1);
  self.tos = 3;
  for (unsigned k = 0; k < n; k++) {
    static const uint8_t pay[4];
    uint8_t b[NIC_FRAME_MAX];
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_ONLY);
    h.va = REGION, h.rkey = SW_KEY, h.length = h.bytes = 4, h.ack_req = false;
    size_t len = nic_frame_build(&self, &h, pay, b);
    link_deliver(s->w, 0, b, len, gap(s, k));
    s->psn = (s->psn + 1) & 0xffffff;
  }
}

static uint64_t taken_of(stage *s) {  // frames of ours
  uint64_t sum = 0;
  for (unsigned code = NIC_FR_AHEAD; code <= NIC_FR_END; code++) sum += counter(s, 6 + code);
  return sum;
}

void case_45(stage *s) {
  static const unsigned time[] = {0, 300, 2000};
  full_speed(s);
  for (unsigned kind = 0; kind < 4; kind++) {
    s->w->kinds = NET_KIND | kind;
    sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
    for (unsigned i = 0; i < 3; i++) {
      node_write(s->n, NIC_REG_NIC_CNP, time[i]);
      settle(s);
      run_for(s, 5000);
      uint64_t marks = counter(s, NIC_CNT_MARKED), cnps = counter(s, NIC_CNT_CNP_SENT), frames = taken_of(s),
               at = s->w->cycle;
      s->cnps = 0;
      marked_writes(s, WRITES);
      settle(s);
      run_for(s, 2 * time[i] + 200);
      uint64_t passed = s->w->cycle - at, most = time[i] ? 1 + passed / time[i] : 0;
      uint64_t least = time[i] ? passed / (4 * time[i]) : 0;
      expect(s, "marked frames, counted", counter(s, NIC_CNT_MARKED) - marks, WRITES);
      expect(s, "of so many that were taken", taken_of(s) - frames, WRITES);
      within(s, "CNPs for them", s->cnps, least, most);
      expect(s, "CNPs, counted", counter(s, NIC_CNT_CNP_SENT) - cnps, s->cnps);
    }
  }
  s->w->kinds = 0;
  node_write(s->n, NIC_REG_NIC_CNP, NIC_RESET_NIC_CNP);
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
}

void case_46(stage *s) {
  full_speed(s);
  settle(s);
  uint64_t at = s->w->cycle, cuts = counter(s, NIC_CNT_CUT), came = counter(s, NIC_CNT_CNP_CAME),
           other = rate_of(s, QP_OTHER);
  uint64_t sent = s->n->sent;
  for (unsigned k = 0; k < 6; k++) {
    for (unsigned i = 0; i < 200; i++) congest_cnp(s->w, 1, 0, QP, gap(s, i));
    settle(s);
  }
  run_for(s, VISIT + 300);
  within(s, "cuts", counter(s, NIC_CNT_CUT) - cuts, 2, (s->w->cycle - at) / VISIT + 1);
  expect(s, "CNPs", counter(s, NIC_CNT_CNP_CAME) - came, 1200);
  expect(s, "slow", rate_of(s, QP) >> NIC_QP_RATE_SLOW_LSB, 1);
  expect(s, "the rate of another queue pair", rate_of(s, QP_OTHER), other);
  uint64_t foreign = counter(s, 6 + NIC_FR_FOREIGN);  // nobody's, and then of one that is off
  for (unsigned i = 0; i < 20; i++) congest_cnp(s->w, 1, 0, 250 + i % 6, gap(s, i));
  node_write(s->n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0);
  settle(s);
  expect(s, "slow, off", rate_of(s, QP) >> NIC_QP_RATE_SLOW_LSB, 0);
  for (unsigned i = 0; i < 20; i++) congest_cnp(s->w, 1, 0, QP, gap(s, i));
  settle(s);
  expect(s, "CNPs of nobody", counter(s, 6 + NIC_FR_FOREIGN) - foreign, 40);
  expect(s, "frames sent", s->n->sent - sent, 0);
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
}

// A write of so many bytes, of which no event tells.
static void post(stage *s, uint32_t bytes) {
  uint8_t b[64];
  uint32_t k = s->asked[QP]++;
  entry e = {.op = SQ_WRITE, .va1 = sw_va(0, SW_LOCAL), .len1 = bytes, .remote = REGION, .rkey = SW_KEY};
  sw_entry_put(b, &e);
  node_poke(s->n, 0, sw_va(0, SW_RING + 0x1000 * QP + 64 * (k & 15)), b, 64);
  node_write(s->n, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, s->asked[QP]);
}

static void rates(stage *s, unsigned full, unsigned min, unsigned time, unsigned hyper) {
  node_write(s->n, NIC_REG_NIC_RATE,
             full | (uint64_t)min << NIC_NIC_RATE_MIN_LSB | 4ull << NIC_NIC_RATE_G_LSB | 1ull << NIC_NIC_RATE_FAST_LSB);
  node_write(
      s->n, NIC_REG_NIC_RAISE,
      5 | time << NIC_NIC_RAISE_TIME_LSB | 1ull << NIC_NIC_RAISE_ADD_LSB | (uint64_t)hyper << NIC_NIC_RAISE_HYPER_LSB);
}

// Visits with a CNP each; what left in them.
static uint64_t told_to_slow(stage *s, unsigned visits) {
  uint64_t was = s->bytes;
  for (unsigned k = 0; k < visits; k++) {
    congest_cnp(s->w, 1, 0, QP, 1);
    run_for(s, VISIT);
  }
  return s->bytes - was;
}

// Under load: fast, then as slow as MIN to within a visit and a packet, then fast again.
void case_47(stage *s) {
  enum { FAST = 3, SLOW = 40 };
  full_speed(s);
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 25));
  rates(s, 1024, MIN, 1, 300);
  s->acks = true;
  uint64_t visit = (uint64_t)MIN * beat(s), was = s->bytes;
  post(s, 1u << 20);
  run_for(s, FAST * VISIT);
  if (s->bytes - was < 4 * FAST * visit)
    net_fail(s->w, s->suite, "before it is slow it sends %llu bytes", (unsigned long long)(s->bytes - was));
  told_to_slow(s, 20);
  expect(s, "RATE", rate_of(s, QP) & NIC_QP_RATE_RATE_MASK, MIN);
  uint64_t got = told_to_slow(s, SLOW);
  within(s, "bytes at MIN", got, (SLOW - 1) * visit - (MTU + HEADS), (SLOW + 1) * visit + MTU + HEADS);
  run_for(s, 60 * VISIT);  // 64 and halves of what is left, to 1024 from stage 2 on
  expect(s, "QP_RATE", rate_of(s, QP), 1024 | 1024 << 16 | 1023ull << 32);
  was = s->bytes;
  run_for(s, FAST * VISIT);
  if (s->bytes != was && s->bytes - was < 4 * FAST * visit)
    net_fail(s->w, s->suite, "when it is no longer slow it sends %llu bytes", (unsigned long long)(s->bytes - was));
  for (unsigned k = 0; k < 400 && s->bytes < (1u << 20); k++) run_for(s, VISIT);
  s->acks = false;
  settle(s);
}

// 4160 bytes at RATE 2 are more visits than 2^TIMEOUT cycles.
void case_48(stage *s) {
  enum { RATE = 2, TIMEOUT = 12, TIMER = 27 };
  full_speed(s);
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, TIMEOUT));
  rates(s, 3, 1, 255, 0);
  settle(s);
  s->asked[QP] = 0;
  congest_cnp(s->w, 1, 0, QP, 1);
  run_for(s, VISIT + 300);
  expect(s, "RATE", rate_of(s, QP) & NIC_QP_RATE_RATE_MASK, RATE);
  unsigned held = (MTU + HEADS) / (RATE * beat(s));  // visits
  uint64_t timers = counter(s, TIMER), was = s->requests;
  post(s, MTU);
  post(s, MTU);
  run_for(s, (held - 2) * (uint64_t)VISIT);
  expect(s, "packets while it is held back", s->requests - was, 1);
  expect(s, "time-outs", counter(s, TIMER) - timers, 0);
  run_for(s, 5 * VISIT);
  expect(s, "packets when it no longer is", s->requests - was, 2);
  expect(s, "time-outs", counter(s, TIMER) - timers, 0);
  rates(s, 1024, 1, 5, 10);  // it is no longer slow, and what it has sent has no answer
  run_for(s, (1 << TIMEOUT) + 8000);
  within(s, "time-outs then", counter(s, TIMER) - timers, 1, 3);
  s->acks = true;
  run_for(s, (2 << TIMEOUT) + 8000);
  s->acks = false;
  expect(s, "entries done", node_read(s->n, NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE), 2);
  settle(s);
}
