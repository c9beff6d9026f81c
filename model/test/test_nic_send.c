// SPDX-License-Identifier: Apache-2.0
// SENDs at the model of the NIC, rule by rule (RCV-1, RCV-2, RCV-3, RCV-4, RCV-5, RCV-6, RCV-7, RCV-8, RCV-9): where a
// message goes, what is told of it, what is refused. Each scenario starts from a fresh node 0 with QP 1 of process 1,
// MTU 256, of which node 1 is the peer.
#include "nic_world.h"

enum {
  RING = 0x1000,
  EQ = 0x8000,
  EQ_SIZE = 4,
  DATA = 0x10000,
  BUF = 0x20000,
  QP = 1,
  PROC = 1,
  PSN = 0xfffffe,
  MTU = 256
};
#define RNR (NIC_SYN_RNR | 5)
#define NAK(code) (NIC_SYN_NAK | (code))

static node n;
static uint8_t pay[MTU];
static uint32_t psn;

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  region(&n, 3, KEY | 3, PROC, DATA, 0x1000, RWA);
  region(&n, 4, KEY | 4, 2, DATA, 0x1000, RWA);
  qp_connect(&n, QP, PROC, 1, 9, RING, 4, PSN, 0, CTL(1, 5, 7, 7, 0) | NIC_QP_CTL_RECV_MASK);
  for (unsigned i = 0; i < sizeof pay; i++) pay[i] = (uint8_t)(i * 11 + 3);
  psn = PSN;
}

static void no_event(void) {
  ev e;
  CHECK(!take_event(&n, PROC, EQ, EQ_SIZE, &e));
}

static void end(void) {
  no_event();
  EQ(nic_pending(n.m), 0);
  char text[200];
  EQ(nic_owes(n.m, text, sizeof text), 0);
  EQ(n.early, 0);
  EQ(n.outside, 0);
  node_free(&n);
}

// One packet; what the peer hears of it. A PSN is used up by an ACK.
static void send(unsigned opcode, unsigned bytes, uint32_t imm, unsigned syndrome) {
  nic_head r = head(&n, 1, QP, opcode, psn), h;
  r.bytes = (uint16_t)bytes;
  r.imm = imm;
  say(&n, 1, &r, pay);
  nic_run(n.m);
  CHECK(heard(&n, &h, NULL));
  EQ(h.opcode, NIC_OP_ACK);
  EQ(h.syndrome, syndrome);
  EQ(h.psn, psn);
  CHECK(!heard(&n, &h, NULL));
  if (syndrome == NIC_SYN_ACK) psn = (psn + 1) & 0xffffff;
}

// The next event, with the bytes of a message, which take_event does not know.
static ev next(uint32_t *bytes) {
  ev e = {0};
  const uint8_t *b = n.mem[PROC] + EQ + 32 * (n.eq_seen[PROC] & ((1u << EQ_SIZE) - 1));
  *bytes = get32(b + 12);
  CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e));
  return e;
}

// Event 8 beside `used` events 6, which may come before it or behind it (RCV-9).
static void received(unsigned status, uint32_t buffer, uint32_t len, uint32_t bytes, uint64_t addr, unsigned used,
                     uint32_t first_used) {
  unsigned told = 0, gone = 0;
  for (unsigned i = 0; i < 1 + used; i++) {
    uint32_t got;
    ev e = next(&got);
    if (e.kind == NIC_EV_BUFFER) {
      EQ(e.word, first_used + gone++);
      continue;
    }
    told++;
    EQ(e.kind, NIC_EV_RECV);
    EQ(e.status, status);
    EQ(e.qp, QP);
    EQ(e.word, buffer);
    EQ(e.len, len);
    EQ(got, bytes);
    EQ(e.addr, addr);
  }
  EQ(told, 1);
  EQ(gone, used);
}

static void refused(unsigned syndrome, unsigned why) {
  uint32_t bytes;
  ev e = next(&bytes);
  EQ(e.kind, NIC_EV_REFUSED);
  EQ(e.status, syndrome);
  EQ(e.word, why);
  EQ(e.addr, psn);
}

static bool holds(uint64_t va, unsigned bytes) { return !memcmp(n.mem[PROC] + va, pay, bytes); }

// RCV-1, RCV-5: LEAST as long as the buffer gives each message one of its own; LEAST 0 packs them, in steps of 64.
static void only(void) {
  begin();
  post_buffer(&n, PROC, BUF, 300, 300);
  post_buffer(&n, PROC, BUF + 0x400, 300, 300);
  send(NIC_OP_SEND_ONLY, 24, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 24, BUF, 1, 0);
  CHECK(holds(BUF, 24) && !n.mem[PROC][BUF + 24]);
  send(NIC_OP_SEND_ONLY_IMM, 256, 0x1234567, NIC_SYN_ACK);
  received(NIC_RCV_IMM, 1, 0x1234567, 256, BUF + 0x400, 1, 1);
  CHECK(holds(BUF + 0x400, 256));
  end();

  begin();
  post_buffer(&n, PROC, BUF, 320, 0);
  send(NIC_OP_SEND_ONLY, 0, 0, NIC_SYN_ACK);  // of no bytes: it has an address too
  received(NIC_RCV_PLAIN, 0, 0, 0, BUF, 0, 0);
  send(NIC_OP_SEND_ONLY, 100, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 100, BUF + 64, 0, 0);
  send(NIC_OP_SEND_ONLY, 129, 0, RNR);  // 128 are left
  refused(RNR, NIC_WHY_NO_BUFFER);
  send(NIC_OP_SEND_ONLY, 128, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 128, BUF + 192, 0, 0);
  send(NIC_OP_SEND_ONLY, 0, 0, RNR);  // nothing is left, and a message of no bytes wants an address as well
  refused(RNR, NIC_WHY_NO_BUFFER);
  EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE) & 0xff, 1);  // not used up: less than 0 is never left
  end();
}

// RCV-2, RCV-4, RCV-5: a message of unknown length has the whole rest of a buffer with more than MTU bytes,
// from where it is.
static void long_one(void) {
  begin();
  post_buffer(&n, PROC, BUF, MTU, 0);
  post_buffer(&n, PROC, BUF + 0x400, 64 + MTU + 1, 0);
  send(NIC_OP_SEND_ONLY, 7, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 7, BUF, 0, 0);
  send(NIC_OP_SEND_FIRST, MTU, 0, NIC_SYN_ACK);  // passes the first by, which is used up with the second
  send(NIC_OP_SEND_LAST, 65, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 1, 0, MTU + 65, BUF + 0x400, 2, 0);
  CHECK(holds(BUF + 0x400, MTU) && holds(BUF + 0x400 + MTU, 65));
  post_buffer(&n, PROC, BUF, MTU, 0);
  send(NIC_OP_SEND_FIRST, MTU, 0, RNR);  // as many as one packet are not more
  refused(RNR, NIC_WHY_NO_BUFFER);
  post_buffer(&n, PROC, BUF + 0x1000, 3 * MTU, 0);
  send(NIC_OP_SEND_FIRST, MTU, 0, NIC_SYN_ACK);
  send(NIC_OP_SEND_MIDDLE, MTU, 0, NIC_SYN_ACK);
  send(NIC_OP_SEND_LAST_IMM, MTU, 77, NIC_SYN_ACK);
  received(NIC_RCV_IMM, 3, 77, 3 * MTU, BUF + 0x1000, 2, 2);
  CHECK(holds(BUF + 0x1000 + 2 * MTU, MTU));
  end();
}

// RCV-3: a place in the buffer and one in the event ring, or nothing.
static void not_ready(void) {
  begin();
  post_buffer(&n, PROC, BUF, 0x1000, 0);
  for (unsigned i = 0; i < 16; i++) send(NIC_OP_SEND_ONLY, 1, 0, NIC_SYN_ACK);
  send(NIC_OP_SEND_ONLY, 1, 0, RNR);  // the ring of 16 is full, and that cannot be told
  EQ(cnt(&n, 26), 1);
  for (unsigned i = 0; i < 16; i++) received(NIC_RCV_PLAIN, 0, 0, 1, BUF + 64 * i, 0, 0);
  send(NIC_OP_SEND_ONLY, 1, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 1, BUF + 64 * 16, 0, 0);
  end();
}

// RCV-4, RCV-7: what outgrows its room is refused, and told of with the bytes that have come.
static void too_long(void) {
  begin();
  post_buffer(&n, PROC, BUF, 300, 0);
  send(NIC_OP_SEND_FIRST, MTU, 0, NIC_SYN_ACK);
  uint32_t bytes;
  ev e = next(&bytes);
  EQ(e.kind, NIC_EV_BUFFER);
  send(NIC_OP_SEND_LAST, 45, 0, NAK(1));
  unsigned told = 0;
  for (unsigned i = 0; i < 2; i++) {
    e = next(&bytes);
    if (e.kind == NIC_EV_REFUSED) {
      EQ(e.word, NIC_WHY_TOO_LONG);
      continue;
    }
    told++;
    EQ(e.kind, NIC_EV_RECV);
    EQ(e.status, NIC_RCV_LOST);
    EQ(bytes, MTU);
    EQ(e.addr, BUF);
  }
  EQ(told, 1);
  CHECK(!n.mem[PROC][BUF + MTU]);
  send(NIC_OP_SEND_LAST, 44, 0, NAK(1));  // the message has been given up
  refused(NAK(1), NIC_WHY_SEQUENCE);
  end();
}

// RCV-6: the key is off with the packet; one that names nothing of this process is refused.
static void invalidate(void) {
  begin();
  post_buffer(&n, PROC, BUF, 0x1000, 0);
  static const uint32_t none[] = {KEY | 4, KEY | 5, 3};
  for (unsigned i = 0; i < 3; i++) {
    send(NIC_OP_SEND_ONLY_INV, 5, none[i], NAK(2));
    refused(NAK(2), NIC_WHY_REGION);
  }
  uint32_t key = NIC_REG_MR_KEY + 3 * NIC_REG_MR_KEY_STRIDE;
  CHECK(rd(&n, key) & NIC_MR_KEY_EN_MASK);
  send(NIC_OP_SEND_ONLY_INV, 5, KEY | 3, NIC_SYN_ACK);
  received(NIC_RCV_INV, 0, KEY | 3, 5, BUF, 0, 0);
  CHECK(!(rd(&n, key) & NIC_MR_KEY_EN_MASK));
  send(NIC_OP_SEND_ONLY_INV, 5, KEY | 3, NAK(2));  // it is off
  refused(NAK(2), NIC_WHY_REGION);
  end();
}

// RCV-7: a message whose queue pair is turned off.
static void turned_off(void) {
  begin();
  post_buffer(&n, PROC, BUF, 0x1000, 0);
  send(NIC_OP_SEND_FIRST, MTU, 0, NIC_SYN_ACK);
  send(NIC_OP_SEND_MIDDLE, MTU, 0, NIC_SYN_ACK);
  wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0);
  nic_run(n.m);
  received(NIC_RCV_LOST, 0, 0, 2 * MTU, BUF, 1, 0);
  end();
}

// Buffers are taken back: those in which nothing has begun by GONE, the oldest by event 6 if something has.
static void drop(void) {
  begin();
  uint32_t reg = NIC_REG_RB_DROP + PROC * NIC_REG_RB_DROP_STRIDE;
  for (unsigned i = 0; i < 3; i++) post_buffer(&n, PROC, BUF + 0x400 * i, 0x400, 0);
  send(NIC_OP_SEND_ONLY, 10, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 10, BUF, 0, 0);
  wr(&n, reg, 0);
  nic_run(n.m);
  EQ(rd(&n, reg), 2 | 1ull << 32);
  uint32_t bytes;
  ev e = next(&bytes);
  EQ(e.kind, NIC_EV_BUFFER);
  EQ(e.word, 0);
  send(NIC_OP_SEND_ONLY, 10, 0, RNR);
  refused(RNR, NIC_WHY_NO_BUFFER);
  post_buffer(&n, PROC, BUF + 0x400, 0x400, 0);
  send(NIC_OP_SEND_ONLY, 10, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 1, 0, 10, BUF + 0x400, 0, 0);
  end();
}

// A duplicate is acknowledged and changes nothing; RCV-8: nor does the solicited bit.
static void again(void) {
  begin();
  post_buffer(&n, PROC, BUF, 0x1000, 0);
  send(NIC_OP_SEND_ONLY, 30, 0, NIC_SYN_ACK);
  received(NIC_RCV_PLAIN, 0, 0, 30, BUF, 0, 0);
  uint32_t writes = n.writes;
  psn = PSN;
  send(NIC_OP_SEND_ONLY, 30, 0, NIC_SYN_ACK);
  EQ(n.writes, writes);
  nic_head r = head(&n, 1, QP, NIC_OP_SEND_ONLY, psn);
  r.bytes = 4;
  r.se = true;
  r.ack_req = false;
  say(&n, 1, &r, pay);
  nic_run(n.m);
  received(NIC_RCV_PLAIN, 0, 0, 4, BUF + 64, 0, 0);
  end();
}

int main(void) {
  only();
  long_one();
  not_ready();
  too_long();
  invalidate();
  turned_off();
  drop();
  again();
  return report();
}
