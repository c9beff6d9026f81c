// SPDX-License-Identifier: Apache-2.0
// The requester of the NIC's model: what it makes of a send ring's entries, and of each answer. The peer is this file.
// Each scenario starts from a fresh node 0 with QP 2 of process 1, MTU 256, first PSN FFFFFE.
// Rules of rtl/nic/README.md: REQ-1, REQ-2, REQ-3, REQ-4, REQ-5, REQ-8, REQ-9, REQ-10, REQ-11, REQ-12, REQ-13, REQ-15,
// REQ-16, REQ-17, REQ-20, QPR-7, QPR-8.
#include "nic_world.h"

enum { RING = 0x1000, EQ = 0x8000, EQ_SIZE = 4, BUF = 0x20000, QP = 2, PROC = 1, PSN = 0xfffffe, RINGS = 3 };

static node n;
static nic_head h;
static uint8_t pay[4096], pattern[8192];

static void begin(uint64_t ctl) {
  nic_config c;
  nic_config_default(&c);
  c.Window = 16;
  c.Requests = 4;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, 0, PSN, ctl);
  for (unsigned i = 0; i < sizeof pattern; i++) pattern[i] = (uint8_t)(i * 5 + (i >> 8));
  memcpy(n.mem[PROC] + BUF, pattern, sizeof pattern);
}
#define USUAL CTL(1, 1, 2, 2, 10)

static void ask_for(unsigned op, uint32_t len1, uint32_t len2) {
  entry e = {.op = (uint8_t)op,
             .flags = 1,
             .va1 = BUF,
             .va2 = BUF + len1,
             .len1 = len1,
             .len2 = len2,
             .remote = 0x123456789000,
             .rkey = 0x55,
             .imm = 1,
             .swap = 77,
             .compare = 66,
             .proc = 3};
  post(&n, QP, PROC, RING, RINGS, &e);
}

// The next frame must be this one.
static void expect(unsigned opcode, uint32_t psn, unsigned bytes) {
  nic_run(n.m);
  CHECK(heard(&n, &h, pay));
  EQ(h.opcode, opcode);
  EQ(h.psn, psn & 0xffffff);
  EQ(h.bytes, bytes);
  EQ(h.qp, (0x101u << 8) | 9);
}
static void silence(void) {
  nic_run(n.m);
  CHECK(!heard(&n, &h, pay));
}

static void reply(unsigned opcode, unsigned syndrome, uint32_t psn, unsigned bytes) {
  nic_head r = head(&n, 1, QP, opcode, psn);
  r.syndrome = (uint8_t)syndrome;
  r.bytes = (uint16_t)bytes;
  r.swap = 0x1122334455667788;
  say(&n, 1, &r, pattern + 4096);
  nic_run(n.m);
}
static void ack(uint32_t psn) { reply(NIC_OP_ACK, NIC_SYN_ACK, psn, 0); }

static void ended(uint32_t entry, unsigned status) {
  ev e = {0};
  CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e));
  EQ(e.kind, NIC_EV_SEND);
  EQ(e.word, entry);
  EQ(e.status, status);
  EQ(qp_sts(&n, QP) & 0xffff, entry + 1);
}
static void going_on(void) {
  ev e;
  CHECK(!take_event(&n, PROC, EQ, EQ_SIZE, &e));
}
static uint64_t count(unsigned code) { return cnt(&n, 6 + code); }

// A write of one packet at this PSN works; nothing else has happened.
static void end(uint32_t psn, unsigned entry_no) {
  silence();
  going_on();
  ask_for(OP_WRITE, 7, 0);
  expect(NIC_OP_WRITE_ONLY, psn, 7);
  ack(psn);
  ended(entry_no, NIC_ST_DONE);
  EQ(nic_pending(n.m), 0);
  EQ(n.early, 0);
  EQ(n.outside, 0);
  node_free(&n);
}

static void messages(void) {
  begin(USUAL);
  ask_for(OP_WRITE_IMM, 300, 250);  // two buffers, three packets
  expect(NIC_OP_WRITE_FIRST, PSN, 256);
  EQ(h.length, 550);
  EQ(h.va, 0x123456789000);
  EQ(h.rkey, 0x55);
  CHECK(!h.ack_req && !memcmp(pay, pattern, 256));
  expect(NIC_OP_WRITE_MIDDLE, PSN + 1, 256);
  CHECK(h.ack_req && !memcmp(pay, pattern + 256, 256));  // PSN FFFFFF
  expect(NIC_OP_WRITE_LAST_IMM, PSN + 2, 38);
  CHECK(h.ack_req && h.imm == 1 && !memcmp(pay, pattern + 512, 38));
  ack(PSN + 1);
  going_on();
  ack(PSN + 2);
  ended(0, NIC_ST_DONE);
  ask_for(OP_WRITE, 0, 0);
  expect(NIC_OP_WRITE_ONLY, PSN + 3, 0);
  ask_for(OP_XTQ, 64 + 32, 300);
  expect(NIC_OP_XTQ_FIRST, PSN + 4, 256);
  EQ(h.length, 396);
  EQ(h.xtq_args, 32);
  EQ(h.xtq_pay, 300);
  EQ(h.xtq_proc, 3);
  EQ(h.xtq_kind, 1);
  expect(NIC_OP_XTQ_LAST, PSN + 5, 140);
  CHECK(!memcmp(pay, pattern + 256, 140));
  ack(PSN + 5);  // both
  ev e = {0};
  CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e) && e.word == 1 && e.len == 0);
  ended(2, NIC_ST_DONE);
  end(PSN + 6, 3);
}

static void reads(void) {
  begin(USUAL);
  ask_for(OP_READ, 600, 0);
  expect(NIC_OP_READ_REQ, PSN, 0);
  EQ(h.length, 600);
  ask_for(OP_WRITE, 5, 0);
  expect(NIC_OP_WRITE_ONLY, PSN + 3, 5);  // a read takes as many PSNs as its answer
  reply(NIC_OP_READ_FIRST, NIC_SYN_ACK, PSN, 256);
  CHECK(!memcmp(n.mem[PROC] + BUF, pattern + 4096, 256));
  reply(NIC_OP_READ_FIRST, NIC_SYN_ACK, PSN, 256);  // again
  reply(NIC_OP_READ_MIDDLE, 0, PSN + 1, 255);       // of the wrong size
  EQ(count(NIC_FR_STALE), 2);
  silence();
  reply(NIC_OP_READ_LAST, NIC_SYN_ACK, PSN + 2, 88);  // the one before is lost
  EQ(count(NIC_FR_BACK), 1);
  expect(NIC_OP_READ_REQ, PSN + 1, 0);
  EQ(h.length, 344);
  EQ(h.va, 0x123456789000 + 256);
  expect(NIC_OP_WRITE_ONLY, PSN + 3, 5);
  ack(PSN + 3);  // passes the read by, which has been asked for again already
  EQ(count(NIC_FR_BACK), 1);
  EQ(count(NIC_FR_STALE), 3);
  silence();
  nic_advance(n.m, 1024);  // that answer is lost as well
  expect(NIC_OP_READ_REQ, PSN + 1, 0);
  expect(NIC_OP_WRITE_ONLY, PSN + 3, 5);
  ack(PSN + 3);  // after the time-out it may be asked for once more
  EQ(count(NIC_FR_BACK), 2);
  expect(NIC_OP_READ_REQ, PSN + 1, 0);
  expect(NIC_OP_WRITE_ONLY, PSN + 3, 5);
  going_on();
  reply(NIC_OP_READ_FIRST, NIC_SYN_ACK, PSN + 1, 256);
  reply(NIC_OP_READ_LAST, NIC_SYN_ACK, PSN + 2, 88);
  ended(0, NIC_ST_DONE);
  CHECK(!memcmp(n.mem[PROC] + BUF + 512, pattern + 4096, 88));
  ack(PSN + 3);
  ended(1, NIC_ST_DONE);
  end(PSN + 4, 2);
}

/* Each answer behind a lost one says that it is lost: the first is believed. */
static void asked_once(void) {
  begin(USUAL);
  ask_for(OP_READ, 256 * 20, 0);
  expect(NIC_OP_READ_REQ, PSN, 0);
  for (unsigned k = 0; k < 20; k++)
    if (k != 3 && k != 9) reply(NIC_OP_READ_MIDDLE, 0, PSN + k, 256);
  expect(NIC_OP_READ_REQ, PSN + 3, 0);
  EQ(h.length, 256 * 17);
  silence();
  EQ(count(NIC_FR_BACK), 1);
  for (unsigned k = 3; k < 20; k++)
    if (k != 9) reply(NIC_OP_READ_MIDDLE, 0, PSN + k, 256);
  expect(NIC_OP_READ_REQ, PSN + 9, 0);  // another one is missing
  silence();
  EQ(count(NIC_FR_BACK), 2);
  for (unsigned k = 9; k < 20; k++) reply(NIC_OP_READ_MIDDLE, 0, PSN + k, 256);
  ended(0, NIC_ST_DONE);
  ask_for(OP_WRITE, 4, 0);
  expect(NIC_OP_WRITE_ONLY, PSN + 20, 4);
  for (unsigned k = 0; k < 3; k++) reply(NIC_OP_ACK, NIC_SYN_NAK, PSN + 20, 0);
  EQ(count(NIC_FR_BACK), 3);
  expect(NIC_OP_WRITE_ONLY, PSN + 20, 4);
  silence();
  ack(PSN + 20);
  ended(1, NIC_ST_DONE);
  end(PSN + 21, 2);
}

static void atomics(void) {
  begin(USUAL);
  ask_for(OP_CAS, 0, 0);
  expect(NIC_OP_CMP_SWAP, PSN, 0);
  EQ(h.swap, 77);
  EQ(h.compare, 66);
  ack(PSN);  // says nothing of its value: asked again
  expect(NIC_OP_CMP_SWAP, PSN, 0);
  reply(NIC_OP_READ_ONLY, NIC_SYN_ACK, PSN, 8);  // the wrong kind
  EQ(count(NIC_FR_STALE), 1);
  going_on();
  reply(NIC_OP_ATOMIC_ACK, NIC_SYN_ACK, PSN, 0);
  EQ(get64(n.mem[PROC] + BUF), 0x1122334455667788);
  ended(0, NIC_ST_DONE);
  reply(NIC_OP_ATOMIC_ACK, NIC_SYN_ACK, PSN, 0);
  EQ(count(NIC_FR_STALE), 2);
  ask_for(OP_ADD, 8, 0);
  expect(NIC_OP_FETCH_ADD, PSN + 1, 0);
  EQ(h.swap, 77);
  reply(NIC_OP_ATOMIC_ACK, NIC_SYN_ACK, PSN + 1, 0);
  ended(1, NIC_ST_DONE);
  end(PSN + 2, 2);
}

static void naks(void) {
  begin(USUAL);
  ask_for(OP_WRITE, 700, 0);
  for (unsigned k = 0; k < 3; k++)
    expect(k == 0 ? NIC_OP_WRITE_FIRST : k < 2 ? NIC_OP_WRITE_MIDDLE : NIC_OP_WRITE_LAST, PSN + k, k < 2 ? 256 : 188);
  reply(NIC_OP_ACK, NIC_SYN_NAK, PSN + 1, 0);  // go back: from there on
  expect(NIC_OP_WRITE_MIDDLE, PSN + 1, 256);
  expect(NIC_OP_WRITE_LAST, PSN + 2, 188);
  reply(NIC_OP_ACK, 0x47, PSN + 1, 0);  // a reserved kind of syndrome
  reply(NIC_OP_ACK, NIC_SYN_NAK, PSN, 0);
  reply(NIC_OP_ACK, NIC_SYN_ACK, PSN + 3, 0);
  EQ(count(NIC_FR_STALE), 3);
  ack(PSN + 2);
  ended(0, NIC_ST_DONE);
  end(PSN + 3, 1);

  static const uint8_t status[] = {NIC_ST_REM_INVALID, NIC_ST_REM_ACCESS, NIC_ST_REM_OPERATION, NIC_ST_REM_OTHER,
                                   NIC_ST_REM_OTHER};
  for (unsigned k = 0; k < sizeof status; k++) {  // ends badly; those behind are as if never read
    begin(USUAL);
    for (unsigned i = 0; i < 3; i++) ask_for(OP_WRITE, 4, 0), expect(NIC_OP_WRITE_ONLY, PSN + i, 4);
    reply(NIC_OP_ACK, NIC_SYN_NAK | (k + 1), PSN + 1, 0);
    ev e = {0};
    CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e) && e.word == 0 && e.status == NIC_ST_DONE);
    ended(1, status[k]);
    EQ(qp_sts(&n, QP) >> 16, NIC_QP_STS_SEND_ERR_MASK >> 16 | (uint64_t)status[k] << 8);
    silence();
    ack(PSN + 1);
    EQ(count(NIC_FR_STALE), 1);
    wr(&n, NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE, NIC_QP_STS_SEND_ERR_MASK);
    expect(NIC_OP_WRITE_ONLY, PSN + 1, 4);  // entry 2
    ack(PSN + 1);
    ended(2, NIC_ST_DONE);
    end(PSN + 2, 3);
  }
}

static void not_ready(void) {
  begin(USUAL);  // 2 times for one PSN; timer 1 is 10 us, 100 cycles
  ask_for(OP_WRITE, 4, 0);
  ask_for(OP_WRITE, 4, 0);
  expect(NIC_OP_WRITE_ONLY, PSN, 4);
  expect(NIC_OP_WRITE_ONLY, PSN + 1, 4);
  reply(NIC_OP_ACK, NIC_SYN_RNR | 1, PSN, 0);
  reply(NIC_OP_ACK, NIC_SYN_NAK, PSN, 0);      // what came behind it
  reply(NIC_OP_ACK, NIC_SYN_RNR | 1, PSN, 0);  // the same once more, from a link that doubles
  EQ(count(NIC_FR_STALE), 2);
  nic_advance(n.m, 99);
  silence();
  nic_advance(n.m, 1);
  expect(NIC_OP_WRITE_ONLY, PSN, 4);
  expect(NIC_OP_WRITE_ONLY, PSN + 1, 4);
  ack(PSN);
  ended(0, NIC_ST_DONE);
  for (unsigned k = 0; k < 2; k++) {
    reply(NIC_OP_ACK, NIC_SYN_RNR | 1, PSN + 1, 0);
    nic_advance(n.m, 100);
    expect(NIC_OP_WRITE_ONLY, PSN + 1, 4);
  }
  reply(NIC_OP_ACK, NIC_SYN_RNR | 1, PSN + 1, 0);
  ended(1, NIC_ST_RNR);
  wr(&n, NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE, NIC_QP_STS_SEND_ERR_MASK);
  end(PSN + 1, 2);
}

static void no_progress(void) {
  begin(USUAL);  // 2 times; 1024 cycles
  ask_for(OP_WRITE, 4, 0);
  expect(NIC_OP_WRITE_ONLY, PSN, 4);
  for (unsigned k = 0; k < 2; k++) {
    nic_advance(n.m, 1023);
    silence();
    nic_advance(n.m, 1);
    expect(NIC_OP_WRITE_ONLY, PSN, 4);
  }
  EQ(cnt(&n, 27), 2);
  nic_advance(n.m, 1024);
  nic_run(n.m);
  ended(0, NIC_ST_TIMEOUT);
  wr(&n, NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE, NIC_QP_STS_SEND_ERR_MASK);
  CHECK(qp_sts(&n, QP) & NIC_QP_STS_SEND_ERR_MASK);  // what the peer has done is not known
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, 0, PSN, USUAL);
  end(PSN, 0);
}

static void window(void) {
  begin(USUAL);
  for (unsigned i = 0; i < 5; i++) ask_for(OP_WRITE, 256 * (i ? 1 : 14), 0);
  for (unsigned k = 0; k < 16; k++) {
    nic_run(n.m);
    CHECK(heard(&n, &h, pay) && h.psn == ((PSN + k) & 0xffffff));
    EQ(h.ack_req, k == 1 || k >= 13);
  }
  silence();  // 16 PSNs are under way
  ack(PSN + 1);
  expect(NIC_OP_WRITE_ONLY, PSN + 16, 256);
  silence();  // 4 entries are
  ack(PSN + 13);
  ended(0, NIC_ST_DONE);
  expect(NIC_OP_WRITE_ONLY, PSN + 17, 256);
  ack(PSN + 17);
  for (unsigned i = 1; i < 5; i++) {
    ev e = {0};
    CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e) && e.word == i);
  }
  ask_for(OP_READ, 256 * 100, 0);  // a read longer than the window
  expect(NIC_OP_READ_REQ, PSN + 18, 0);
  for (unsigned k = 0; k < 100; k++) reply(NIC_OP_READ_MIDDLE, 0, PSN + 18 + k, 256);
  ended(5, NIC_ST_DONE);
  end(PSN + 118, 6);
}

static void bad_entries(void) {
  static const entry bad[] = {{.op = 8},
                              {.op = 255},
                              {.op = OP_XTQ, .len1 = 63},
                              {.op = OP_XTQ, .len1 = 72},
                              {.op = OP_WRITE, .len1 = 0x80000000, .len2 = 1},
                              {.op = OP_WRITE, .len1 = 0xffffffff, .len2 = 0xffffffff},
                              {.op = OP_READ, .len1 = 4, .len2 = 1},
                              {.op = OP_READ, .len1 = 0x40000001},
                              {.op = OP_ADD, .len2 = 8}};
  for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
    begin(USUAL);
    ask_for(OP_WRITE, 4, 0);
    post(&n, QP, PROC, RING, RINGS, &bad[k]);
    ask_for(OP_WRITE, 5, 0);
    expect(NIC_OP_WRITE_ONLY, PSN, 4);
    silence();
    going_on();
    EQ(cnt(&n, 18), 2);  // what is behind it is not read
    ack(PSN);
    ev e = {0};
    CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e) && e.status == NIC_ST_DONE);
    ended(1, NIC_ST_BAD_ENTRY);
    silence();
    wr(&n, NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE, NIC_QP_STS_SEND_ERR_MASK);
    expect(NIC_OP_WRITE_ONLY, PSN + 1, 5);
    ack(PSN + 1);
    ended(2, NIC_ST_DONE);
    end(PSN + 2, 3);
  }
  for (unsigned k = 0; k < 2; k++) {  // an entry, and bytes, that cannot be read
    begin(USUAL);
    n.bad_va = k ? BUF + 256 : RING;
    ask_for(OP_WRITE, 300, 0);
    if (k) expect(NIC_OP_WRITE_FIRST, PSN, 256);
    silence();
    if (k) ack(PSN);  // of what has gone
    ended(0, NIC_ST_LOCAL_READ);
    wr(&n, NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE, NIC_QP_STS_SEND_ERR_MASK);
    CHECK(qp_sts(&n, QP) & NIC_QP_STS_SEND_ERR_MASK);
    n.bad_va = ~0ull;
    qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, 0, PSN, USUAL);
    end(PSN, 0);
  }
}

static void doorbells(void) {
  begin(USUAL);
  uint32_t prod = NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, sts = NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE;
  wr(&n, prod, 9);  // more than the ring of 8
  CHECK(rd(&n, sts) & NIC_QP_STS_BAD_PROD_MASK && rd(&n, prod) == 0);
  wr(&n, sts, NIC_QP_STS_BAD_PROD_MASK);
  EQ(rd(&n, sts), 0);
  ask_for(OP_WRITE, 4, 0);
  expect(NIC_OP_WRITE_ONLY, PSN, 4);
  wr(&n, prod, 0);  // backwards
  CHECK(rd(&n, sts) & NIC_QP_STS_BAD_PROD_MASK && rd(&n, prod) == 1);
  ack(PSN);
  ended(0, NIC_ST_DONE);
  wr(&n, NIC_REG_QP_RING + QP * NIC_REG_QP_RING_STRIDE, 0x7000);  // not while it is on
  EQ(rd(&n, NIC_REG_QP_RING + QP * NIC_REG_QP_RING_STRIDE), RING);
  end(PSN + 1, 1);
}

static void places(void) {  // an event's place is taken before an entry is read
  begin(USUAL);
  eq_on(&n, PROC + 1, 0x9000, 0);
  qp_connect(&n, QP, PROC + 1, 1, 9, RING, RINGS, 0, PSN, USUAL);
  entry e = {.op = OP_WRITE, .flags = 1};
  for (unsigned k = 0; k < 2; k++) post(&n, QP, PROC + 1, RING, RINGS, &e);
  expect(NIC_OP_WRITE_ONLY, PSN, 0);
  silence();  // room for one event
  ack(PSN);
  silence();
  ev got = {0};
  CHECK(take_event(&n, PROC + 1, 0x9000, 0, &got) && got.word == 0);
  expect(NIC_OP_WRITE_ONLY, PSN + 1, 0);
  ack(PSN + 1);
  CHECK(take_event(&n, PROC + 1, 0x9000, 0, &got) && got.word == 1);
  e.flags = 0;
  for (unsigned k = 2; k < 5; k++) {  // without event: the place is given back
    post(&n, QP, PROC + 1, RING, RINGS, &e);
    expect(NIC_OP_WRITE_ONLY, PSN + k, 0);
    ack(PSN + k);
  }
  CHECK(!take_event(&n, PROC + 1, 0x9000, 0, &got));
  EQ(n.early + n.outside, 0);
  node_free(&n);
}

// Lockstep: hardware had decided on a packet and asked for an entry when it went back, and when it stopped.
static void late(void) {
  begin(USUAL);
  ask_for(OP_WRITE, 4, 0);
  ask_for(OP_WRITE, 5, 0);
  nic_retire_rec send = {.kind = NIC_RET_SEND, .idx = QP}, rx = {.kind = NIC_RET_RX};
  nic_retire_rec tx = {.kind = NIC_RET_TX,
                       .code = NIC_TX_REQUEST,
                       .idx = QP,
                       .a = (uint64_t)NIC_OP_WRITE_ONLY << 24 | PSN,
                       .b = 1ull << 32};
  nic_retire_rec frame = {
      .kind = NIC_RET_FRAME, .idx = QP, .a = (uint64_t)NIC_OP_ACK << 24 | PSN, .b = 2, .code = NIC_FR_BACK};
  EQ(nic_retire(n.m, &tx), NIC_E_ORDER);
  EQ(nic_retire(n.m, &send), NIC_OK);
  send.b = 1;
  EQ(nic_retire(n.m, &send), NIC_OK);
  send.b = 2;
  EQ(nic_retire(n.m, &send), NIC_E_ORDER);
  EQ(nic_retire(n.m, &tx), NIC_OK);
  tx.a++;
  EQ(nic_retire(n.m, &tx), NIC_OK);
  EQ(nic_retire(n.m, &tx), NIC_E_ORDER);
  nic_head r = head(&n, 1, QP, NIC_OP_ACK, PSN);
  r.syndrome = NIC_SYN_NAK;
  for (unsigned k = 0; k < 2; k++) {
    say(&n, 1, &r, NULL);
    EQ(nic_retire(n.m, &frame), NIC_E_ORDER);
    EQ(nic_retire(n.m, &rx), NIC_OK);
    EQ(nic_retire(n.m, &frame), NIC_OK);
    if (k) break;
    EQ(nic_retire(n.m, &tx), NIC_OK);  // one that had been decided on
    tx.b = 2ull << 32;
    EQ(nic_retire(n.m, &tx), NIC_E_ORDER);  // and one since it has gone back: not before the first
    tx.b = 1ull << 32;
    r.syndrome = NIC_SYN_NAK | 2;  // and the end
    frame.code = NIC_FR_END;
  }
  EQ(nic_retire(n.m, &tx), NIC_OK);
  tx.b = 2ull << 32;
  EQ(nic_retire(n.m, &tx), NIC_E_ORDER);  // it has stopped
  tx.b = 1ull << 32;
  tx.a = (uint64_t)NIC_OP_WRITE_ONLY << 24 | 5;
  EQ(nic_retire(n.m, &tx), NIC_E_ORDER);
  CHECK(qp_sts(&n, QP) & NIC_QP_STS_SEND_ERR_MASK);
  node_free(&n);
}

// QPR-7: the entry behind the last address lies at address 0. QPR-8: what lies past 2^48 cannot be read, which ends an
// entry; an event that would be written there vanishes, and what comes after it is as ever.
static void far_rings(void) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = 0x55};
  uint8_t b[64];
  put_entry(b, &e);
  begin(USUAL);
  n.late = true;
  qp_connect(&n, QP, PROC, 1, 9, 0 - 64ull, 1, 0, PSN, USUAL);
  wr(&n, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, 2);
  nic_run(n.m);
  for (unsigned k = 0; k < 2; k++) {
    EQ(n.num_asks, 1);
    EQ(n.asks[0].j.va, k ? 0 : 0 - 64ull);
    n.num_asks = 0;
    EQ(nic_read_done(n.m, NIC_SRC_REQ, b, 64, false), NIC_OK);
    nic_run(n.m);
  }
  node_free(&n);
  for (unsigned k = 0; k < 2; k++) {
    begin(USUAL);
    eq_on(&n, PROC + 1, 1ull << 48, EQ_SIZE);
    qp_connect(&n, QP, PROC + k, 1, 9, k ? RING : 1ull << 48, RINGS, 0, PSN, USUAL);
    memcpy(n.mem[PROC + 1] + RING, b, sizeof b);
    wr(&n, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, 1);
    if (k) expect(NIC_OP_WRITE_ONLY, PSN, 4);
    if (k) ack(PSN);
    silence();
    EQ(n.outside, 1);
    if (!k) ended(0, NIC_ST_LOCAL_READ);
    EQ(qp_sts(&n, QP) & 0xffff, 1);
    going_on();
    node_free(&n);
  }
}

int main(void) {
  late();
  messages();
  reads();
  asked_once();
  atomics();
  naks();
  not_ready();
  no_progress();
  window();
  bad_entries();
  doorbells();
  places();
  far_rings();
  return report();
}
