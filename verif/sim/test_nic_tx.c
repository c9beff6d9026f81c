// SPDX-License-Identifier: Apache-2.0
// nic_tx against nic_frame_build: every form and length, streams without a gap, slow payload, a MAC that makes it wait.
// Rules of rtl/nic/README.md: FRM-3, FRM-5, FRM-11, FRM-12, FRM-13.
// config: default +define+TOCSIN_DATA_W=256
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// netlist: narrow
// long: narrow-netlist
#include "tb.h"
#include "nic_tx_tb.h"
#include "nic_wire.h"

enum { QUEUE = 256, LATENCY = 9 };

typedef struct job {
  nic_head h;
  nic_self me;  // as it was when the head was taken
  uint8_t pay[NIC_PAYLOAD_MAX];
} job;

typedef struct bench {
  tb t;
  dut *d;
  nic_self me, now;                       // who we want to be, and are
  unsigned head_valid, pay_valid, ready;  // chances
  job jobs[QUEUE];
  unsigned in, heads, items, frames;  // given to the bench, taken by the block, seen on the wire
  unsigned pay_at, wire_at;
  uint32_t peer[PEER_I_WORDS];
  uint8_t want[NIC_FRAME_MAX];
  size_t want_len;
  bool offered, head_on, pay_on, hold, held;  // held: in the cycle before
  uint32_t data_was[BEAT_BYTES / 4];
  uint64_t keep_was, gaps, beats;
  bool last_was, counting;
  unsigned kind;  // of the frames; 0: at random
} bench;

static job *job_of(bench *b, unsigned n) { return &b->jobs[n % QUEUE]; }

static void offer(bench *b) {
  uint32_t words[HEAD_I_WORDS], pay[PAY_I_WORDS];
  if (b->heads == b->in)
    b->head_on = false;
  else
    b->head_on = b->head_on || rnd_chance(&b->t, b->head_valid);
  if (b->items == b->in)
    b->pay_on = false;
  else
    b->pay_on = b->pay_on || rnd_chance(&b->t, b->pay_valid);
  dut_set_head_valid_i(b->d, b->head_on);
  dut_set_pay_valid_i(b->d, b->pay_on);
  if (b->head_on) {
    nic_tx_words(&job_of(b, b->heads)->h, words);
    dut_set_head_i(b->d, words);
  }
  // The peer is that of the last head; before there was one, anything.
  if (b->heads) nic_peer_words(&job_of(b, b->heads - 1)->h, b->peer);
  dut_set_peer_i(b->d, b->peer);
  if (b->pay_on) {
    const job *j = job_of(b, b->items);
    unsigned left = j->h.bytes - b->pay_at, here = left < BEAT_BYTES ? left : BEAT_BYTES;
    rnd_words(&b->t, pay, NIC_BYTES_T_W);  // behind the bytes anything
    for (unsigned i = 0; i < here; i++) bits_set(pay, NIC_BYTES_T_DATA_LSB + 8 * i, 8, j->pay[b->pay_at + i]);
    bits_set(pay, NIC_BYTES_T_BYTES_LSB, 7, here);
    bits_set(pay, NIC_BYTES_T_LAST_LSB, 1, left <= BEAT_BYTES);
    dut_set_pay_i(b->d, pay);
  }
}

static void look_at_wire(bench *b) {
  bool valid = dut_get_m_axis_valid_o(b->d), last = dut_get_m_axis_last_o(b->d), ready = dut_get_m_axis_ready_i(b->d);
  uint32_t data[BEAT_BYTES / 4];
  uint8_t bytes[BEAT_BYTES];
  uint64_t keep = dut_get_m_axis_keep_o(b->d);
  dut_get_m_axis_data_o(b->d, data);
  if (b->offered)
    CHECK(&b->t, valid && keep == b->keep_was && last == b->last_was && words_eq(data, b->data_was, 8 * BEAT_BYTES),
          "a beat that waits has changed");
  b->offered = valid && !ready;
  b->keep_was = keep;
  b->last_was = last;
  memcpy(b->data_was, data, sizeof data);
  if (b->counting && ready) b->gaps += !valid;
  if (!valid) return;
  b->counting = b->frames + 1 < b->in || !last;
  if (b->wire_at == 0) {
    CHECK(&b->t, b->frames < b->heads, "a frame that nobody asked for");
    const job *j = job_of(b, b->frames);
    b->want_len = nic_frame_build(&j->me, &j->h, j->pay, b->want);
  }
  unsigned left = (unsigned)b->want_len - b->wire_at, here = left < BEAT_BYTES ? left : BEAT_BYTES;
  for (unsigned i = 0; i < BEAT_BYTES; i++) bytes[i] = (uint8_t)bits_get(data, 8 * i, 8);
  CHECK_EQ(&b->t, keep, here == 64 ? ~0ull : (1ull << here) - 1, "keep of frame %u at %u", b->frames, b->wire_at);
  CHECK_EQ(&b->t, last, left <= BEAT_BYTES, "last of frame %u at %u", b->frames, b->wire_at);
  CHECK_MEM(&b->t, bytes, b->want + b->wire_at, here, "frame %u at %u, opcode %02x, %u bytes", b->frames, b->wire_at,
            job_of(b, b->frames)->h.opcode, job_of(b, b->frames)->h.bytes);
  if (!ready) return;
  b->beats++;
  b->wire_at += here;
  if (left <= BEAT_BYTES) {
    b->wire_at = 0;
    b->frames++;
  }
}

static void tick(bench *b) {
  offer(b);
  dut_set_m_axis_ready_i(b->d, rnd_chance(&b->t, b->ready));
  dut_eval(b->d);
  look_at_wire(b);
  CHECK(&b->t, !b->held || !dut_get_head_ready_o(b->d), "P4: a head would be taken");
  b->held = b->hold;
  if (b->head_on && dut_get_head_ready_o(b->d)) {
    job_of(b, b->heads)->me = b->now;
    b->heads++;
    b->head_on = false;
  }
  if (b->pay_on && dut_get_pay_ready_o(b->d)) {
    unsigned left = job_of(b, b->items)->h.bytes - b->pay_at;
    b->pay_at += BEAT_BYTES;
    b->pay_on = false;
    if (left <= BEAT_BYTES) {
      b->items++;
      b->pay_at = 0;
    }
  }
  dut_tick(b->d);
}

// 4 and: 1 with a tag, 2 IPv6.
static void kind_of(nic_head *h, unsigned kind, tb *t) {
  h->tag = kind & 1;
  h->tci = h->tag ? (uint16_t)rnd(t) : 0;
  h->v6 = kind >> 1 & 1;
  h->ip = h->v6 ? 0 : (uint32_t)rnd(t);
  h->ip6 = h->v6 ? (nic_ip6){rnd(t), rnd(t)} : (nic_ip6){0, 0};
}

// ::ffff:a.b.c.d with a bit of its first 96 turned over.
static void almost_ip4(tb *t, nic_ip6 *ip) {
  unsigned bit = (unsigned)rnd_below(t, 96);
  *ip = (nic_ip6){.hi = 0, .lo = 0xffffull << 32 | (uint32_t)rnd(t)};
  if (bit < 64)
    ip->hi = 1ull << bit;
  else
    ip->lo ^= 1ull << (bit - 32);
}

static void give(bench *b, uint8_t opcode, unsigned bytes) {
  while (b->in - b->frames > 40) tick(b);
  job *j = job_of(b, b->in++);
  j->h = nic_head_random(&b->t, opcode, bytes);
  if (b->kind) kind_of(&j->h, b->kind, &b->t);
  if (j->h.v6 && rnd_chance(&b->t, 10)) almost_ip4(&b->t, &j->h.ip6);
  for (unsigned i = 0; i < bytes; i++) j->pay[i] = (uint8_t)rnd(&b->t);
}

static void drain(bench *b) {
  for (unsigned i = 0; i < 100000 && b->frames != b->in; i++) tick(b);
  for (unsigned i = 0; i < 20; i++) tick(b);
  CHECK_EQ(&b->t, b->frames, b->in, "frames sent");
  CHECK_EQ(&b->t, b->items, b->in, "items taken");
}

static void speed(bench *b, unsigned head, unsigned pay, unsigned ready) {
  b->head_valid = head;
  b->pay_valid = pay;
  b->ready = ready;
}

static void every_opcode_and_length(bench *b) {
  speed(b, 100, 100, 100);
  for (b->kind = 4; b->kind < 8; b->kind++) {
    for (unsigned bytes = 0; bytes <= 2 * BEAT_BYTES + 1; bytes++)
      for (unsigned i = 0; i < sizeof nic_opcodes; i++) give(b, nic_opcodes[i], bytes);
    for (unsigned bytes = 4092; bytes <= 4096; bytes++) give(b, NIC_OP_XTQ_ONLY, bytes);
  }
  b->kind = 0;
  drain(b);
}

// We become b->me, whatever is inside: when that needs none of what we were any more.
static void become(bench *b) {
  tb *t = &b->t;
  b->hold = true;
  dut_set_hold_i(b->d, 1);
  tick(b);
  for (unsigned i = 0; i < 20000 && !dut_get_idle_o(b->d); i++) tick(b);
  CHECK(t, dut_get_idle_o(b->d), "P4: what is inside needs who we are for ever");
  tick(b);
  uint32_t ip6[4] = {(uint32_t)b->me.ip6.lo, (uint32_t)(b->me.ip6.lo >> 32), (uint32_t)b->me.ip6.hi,
                     (uint32_t)(b->me.ip6.hi >> 32)};
  b->now = b->me;
  dut_set_cfg_mac_i(b->d, b->me.mac);
  dut_set_cfg_ip_i(b->d, b->me.ip);
  dut_set_cfg_ip6_i(b->d, ip6);
  dut_set_cfg_tos_i(b->d, b->me.tos);
  b->hold = rnd_chance(t, 50);  // for a cycle more
  dut_set_hold_i(b->d, b->hold);
  tick(b);
  b->hold = false;
  dut_set_hold_i(b->d, 0);
}

// All bits of it.
static void settings(bench *b) {
  tb *t = &b->t;
  b->me = (nic_self){.mac = rnd_bits(t, 48), .ip = (uint32_t)rnd(t), .tos = (uint8_t)rnd(t), .ip6 = {rnd(t), rnd(t)}};
  become(b);
}

// Frames wait for the MAC, as many as fit, when we become another.
static void changes(bench *b) {
  for (unsigned n = 2; n <= 20; n++) {
    b->kind = 4 + n % 4;
    speed(b, 100, 100, 0);
    for (unsigned i = 0; i < n; i++) give(b, NIC_OP_ACK, 0);
    for (unsigned i = 0; i < 60; i++) tick(b);
    b->hold = true;
    dut_set_hold_i(b->d, 1);
    for (unsigned i = 0; i < 5; i++) {
      tick(b);
      CHECK(&b->t, !dut_get_idle_o(b->d), "P4: %u frames that wait need no address", n);
    }
    b->ready = 100;
    settings(b);
    drain(b);
  }
  b->kind = 0;
}

// Sums that carry twice, and the sum FFFFh.
static void checksums(bench *b) {
  b->kind = 4;
  static const uint32_t ips[] = {0, 0xffffffff, 0xffff0000, 0x0000ffff, 0x80008000, 0x0001fffe};
  for (unsigned i = 0; i < 36; i++) {
    b->me.ip = ips[i / 6];
    b->me.tos = (uint8_t)rnd(&b->t);
    become(b);
    for (unsigned k = 0; k < 4; k++) {
      give(b, NIC_OP_ACK, 0);
      if (k) job_of(b, b->in - 1)->h.ip = ips[i % 6] + (k == 3 ? (uint32_t)rnd_below(&b->t, 1 << 16) : 0);
    }
    drain(b);
  }
  b->kind = 0;
}

// What the MAC gets when it takes all: from the first beat to the last, a beat in every cycle.
static void no_gap(bench *b) {
  static const unsigned sizes[] = {0, 1, 4, 8, 64, 256, 1024, 4096};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned i = 0; i < sizeof nic_opcodes; i++) {
      speed(b, 100, 100, 100);
      b->counting = false;
      b->gaps = 0;
      for (unsigned n = 0; n < 12; n++, b->kind = n % 3 ? 4 + (s + i + n) % 4 : 0)
        give(b, nic_opcodes[(i + (n & 1) * n) % sizeof nic_opcodes], sizes[s]);
      drain(b);
      b->kind = 0;
      CHECK_EQ(&b->t, b->gaps, 0, "gaps, frames of %u bytes, opcode %02x", sizes[s], nic_opcodes[i]);
    }
}

static void latency(bench *b) {
  speed(b, 100, 100, 100);
  give(b, NIC_OP_ACK, 0);
  uint64_t from = dut_cycle(b->d);
  unsigned frames = b->frames;
  while (b->frames == frames && dut_cycle(b->d) < from + 50) {
    dut_eval(b->d);
    if (dut_get_m_axis_valid_o(b->d)) break;
    tick(b);
  }
  CHECK(&b->t, dut_cycle(b->d) - from <= LATENCY, "first beat after %u cycles", (unsigned)(dut_cycle(b->d) - from));
  drain(b);
}

int main(int argc, char **argv) {
  static bench b;
  tb_init(&b.t, argc, argv, "nic_tx", 40000);
  b.d = dut_begin(&b.t);
  rnd_words(&b.t, b.peer, NIC_PEER_T_W);
  dut_set_peer_i(b.d, b.peer);
  dut_reset(b.d, 2);
  settings(&b);
  every_opcode_and_length(&b);
  changes(&b);
  latency(&b);
  no_gap(&b);
  checksums(&b);
  const uint64_t end = dut_cycle(b.d) + b.t.cycles;
  while (dut_cycle(b.d) < end) {
    if (rnd_chance(&b.t, 5))
      speed(&b, 1 + (unsigned)rnd_below(&b.t, 100), rnd_chance(&b.t, 50) ? 100 : 5 + (unsigned)rnd_below(&b.t, 96),
            rnd_chance(&b.t, 30) ? 100 : 5 + (unsigned)rnd_below(&b.t, 96));
    give(&b, nic_opcodes[rnd_below(&b.t, sizeof nic_opcodes)], nic_bytes_random(&b.t));
    if (rnd_chance(&b.t, 10)) settings(&b);
    if (rnd_chance(&b.t, 10)) drain(&b);
  }
  speed(&b, 100, 100, 100);
  drain(&b);
  dut_free(b.d);
  tb_unwatch(&b.t);
  return tb_end(&b.t);
}
