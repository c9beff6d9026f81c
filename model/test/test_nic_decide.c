// SPDX-License-Identifier: Apache-2.0
// The responder of the NIC's model, frame by frame: what a peer sends, what it hears, what memory and events say. Each
// scenario starts from a fresh node 0 with QP 1 of process 1, of which node 1 is the peer.
#include "nic_world.h"

enum { RING = 0x1000, EQ = 0x8000, EQ_SIZE = 4, DATA = 0x10000, SIZE = 0x10000, QP = 1, PROC = 1, PSN = 0xfffffe };

static node n;
static uint8_t pay[4096], got[4096];
static nic_head h;

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  c.RespDepth = 4;
  c.Replay = 2;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, RWA);
  region(&n, 4, KEY | 4, PROC, DATA, SIZE, NIC_MR_KEY_R_MASK);
  region(&n, 5, KEY | 5, 2, DATA, SIZE, RWA);
  qp_connect(&n, QP, PROC, 1, 9, RING, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  for (unsigned i = 0; i < sizeof pay; i++) pay[i] = (uint8_t)(i * 7 + 1);
}

// The next good request works; nothing else has happened.
static void end(void) {
  uint32_t psn = qp_epsn(&n, QP);
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, psn);
  w.va = DATA + 0x8000;
  w.rkey = KEY | 3;
  w.length = w.bytes = 5;
  while (heard(&n, &h, NULL)) failed++;
  say(&n, 1, &w, pay);
  nic_run(n.m);
  CHECK(heard(&n, &h, NULL) && h.opcode == NIC_OP_ACK && h.syndrome == NIC_SYN_ACK);
  EQ(h.psn, psn);
  EQ(h.qp, (0x101u << 8) | 9);
  CHECK(!memcmp(n.mem[PROC] + DATA + 0x8000, pay, 5));
  EQ(nic_pending(n.m), 0);
  EQ(n.early, 0);
  EQ(n.outside, 0);
  node_free(&n);
}

static nic_head req(unsigned opcode, uint32_t psn, uint64_t va, uint32_t length, unsigned bytes) {
  nic_head r = head(&n, 1, QP, opcode, psn);
  r.va = va;
  r.rkey = KEY | 3;
  r.length = length;
  r.bytes = (uint16_t)bytes;
  return r;
}

// Sends one frame; the answer must be an ACK of that syndrome and PSN, or nothing (syndrome 255).
static void try_head(const nic_head *r, unsigned syndrome, uint32_t psn) {
  say(&n, 1, r, pay);
  nic_run(n.m);
  bool any = heard(&n, &h, got);
  EQ(any, syndrome != 255);
  if (!any || syndrome == 255) return;
  EQ(h.opcode, NIC_OP_ACK);
  EQ(h.syndrome, syndrome);
  EQ(h.psn, psn & 0xffffff);
}
static void try(unsigned opcode, uint32_t psn, uint64_t va, uint32_t length, unsigned bytes, unsigned syndrome) {
  nic_head r = req(opcode, psn, va, length, bytes);
  try_head(&r, syndrome, psn);
}

static void expect_event(unsigned kind, unsigned status, uint32_t word, uint32_t len, uint64_t addr) {
  ev e = {0};
  CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e));
  EQ(e.kind, kind);
  EQ(e.status, status);
  EQ(e.qp, QP);
  EQ(e.word, word);
  EQ(e.len, len);
  EQ(e.addr, addr & 0xffffff);
}
static void no_event(void) {
  ev e;
  CHECK(!take_event(&n, PROC, EQ, EQ_SIZE, &e));
}

static void writes(void) {
  begin();
  try(NIC_OP_WRITE_FIRST, PSN, DATA, 256 + 256 + 3, 256, NIC_SYN_ACK);
  try(NIC_OP_WRITE_MIDDLE, PSN + 1, 0, 0, 256, NIC_SYN_ACK);
  EQ(h.msn, 0);
  try(NIC_OP_WRITE_LAST_IMM, PSN + 2, 0, 0, 3, NIC_SYN_ACK);  // PSN 0: past the wrap
  EQ(h.msn, 1);
  CHECK(!memcmp(n.mem[PROC] + DATA, pay, 256) && !memcmp(n.mem[PROC] + DATA + 256, pay, 256));
  CHECK(!memcmp(n.mem[PROC] + DATA + 512, pay, 3) && !n.mem[PROC][DATA + 515]);
  expect_event(NIC_EV_IMM, 0, 0, 0, 0);
  nic_head r = req(NIC_OP_WRITE_ONLY_IMM, PSN + 3, 0, 0, 0);  // of no bytes: no region is looked at
  r.imm = 0x12345678;
  r.rkey = 0;
  try_head(&r, NIC_SYN_ACK, PSN + 3);
  expect_event(NIC_EV_IMM, 0, 0, 0x12345678, 0);
  r = req(NIC_OP_WRITE_ONLY, PSN + 4, DATA, 4, 4);
  r.ack_req = false;
  try_head(&r, 255, 0);
  EQ(qp_epsn(&n, QP), (PSN + 5) & 0xffffff);
  end();
}

static void unfit(void) {
  static const uint8_t op[] = {0, 1, 2, 3, 4, 5, 0x16, 0x17, 0x1c, 0x1d};
  for (unsigned k = 0; k < sizeof op; k++) {
    begin();
    try(NIC_OP_WRITE_FIRST, PSN, DATA, 300, 256, NIC_SYN_ACK);
    try(op[k], PSN, DATA, 24, 24, op[k] < 0x1c ? NIC_SYN_ACK : 255);  // a duplicate changes nothing
    try(op[k], PSN + 1, DATA, 24, 24, NIC_SYN_NAK | 1);
    expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_OPCODE, 0, PSN + 1);
    try(NIC_OP_WRITE_LAST, PSN + 1, 0, 0, 44, NIC_SYN_NAK | 1);  // the message has been given up
    expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, PSN + 1);
    no_event();
    end();
  }
}

static void reads(void) {
  begin();
  memcpy(n.mem[PROC] + DATA + 1, pay, 600);
  nic_head r = req(NIC_OP_READ_REQ, PSN, DATA + 1, 600, 0);
  for (unsigned again = 0; again < 2; again++) {  // the second is a duplicate
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    static const uint8_t op[] = {NIC_OP_READ_FIRST, NIC_OP_READ_MIDDLE, NIC_OP_READ_LAST};
    for (unsigned k = 0; k < 3; k++) {
      CHECK(heard(&n, &h, got));
      EQ(h.opcode, op[k]);
      EQ(h.psn, (PSN + k) & 0xffffff);
      EQ(h.bytes, k < 2 ? 256 : 88);
      CHECK(!memcmp(got, pay + 256 * k, h.bytes));
      if (k != 1) EQ(h.msn, 1);
    }
    EQ(qp_epsn(&n, QP), (PSN + 3) & 0xffffff);
  }
  r = req(NIC_OP_READ_REQ, PSN + 1, DATA + 257, 600 - 256, 0);  // the part that has not come
  say(&n, 1, &r, NULL);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_FIRST && !memcmp(got, pay + 256, 256));
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_LAST);
  try(NIC_OP_READ_REQ, PSN + 2, DATA, 600, 0, 255);  // a duplicate that reaches beyond ePSN
  r = req(NIC_OP_READ_REQ, PSN + 3, 0, 0, 0);        // of no bytes: one packet
  say(&n, 1, &r, NULL);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_ONLY && !h.bytes);
  end();

  begin();  // data that cannot be read: NAK 3 in its place, later answers left out, the responder stops
  n.bad_va = DATA + 256;
  r = req(NIC_OP_READ_REQ, PSN, DATA, 700, 0);
  say(&n, 1, &r, NULL);
  r = req(NIC_OP_WRITE_ONLY, PSN + 3, DATA, 4, 4);
  say(&n, 1, &r, pay);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_FIRST);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_ACK);
  EQ(h.syndrome, NIC_SYN_NAK | 3);
  EQ(h.psn, (PSN + 1) & 0xffffff);
  CHECK(qp_sts(&n, QP) & NIC_QP_STS_RESP_ERR_MASK);
  expect_event(NIC_EV_RESP_FAILED, NIC_SYN_NAK | 3, 0, 0, PSN + 1);
  while (heard(&n, &h, got)) CHECK(h.psn == ((PSN + 3) & 0xffffff));
  try(NIC_OP_WRITE_ONLY, PSN + 4, DATA, 4, 4, 255);
  qp_connect(&n, QP, PROC, 1, 9, RING, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  end();

  begin();  // that event tells of nothing that was written, so it waits for no write
  try(NIC_OP_WRITE_ONLY, PSN, DATA + 4096, 4, 4, NIC_SYN_ACK);
  n.bad_va = DATA;
  try(NIC_OP_READ_REQ, PSN + 1, DATA, 4, 0, NIC_SYN_NAK | 3);
  const done_write *w = &n.wr[(n.writes - 1) % WRITES];
  EQ(n.src_writes[NIC_SRC_RESP], 1);
  EQ(w->j.src, NIC_SRC_EVENT);
  EQ(w->j.after[NIC_SRC_RESP], 0);
  node_free(&n);
}

static void atomics(void) {
  begin();
  put64(n.mem[PROC] + DATA + 8, 40);
  for (unsigned k = 0; k < 3; k++) {
    nic_head r = req(k == 2 ? NIC_OP_CMP_SWAP : NIC_OP_FETCH_ADD, PSN + k, DATA + 8, 0, 0);
    r.swap = k == 2 ? 7 : 2;
    r.compare = k == 2 ? 44 : 0;
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_ATOMIC_ACK);
    EQ(h.swap, 40 + 2 * k);
    EQ(h.msn, k + 1);
  }
  EQ(get64(n.mem[PROC] + DATA + 8), 7);
  for (unsigned k = 0; k < 3; k++) {  // again: not done again; the store of two has forgotten the first
    nic_head r = req(NIC_OP_FETCH_ADD, PSN + k, DATA + 8, 0, 0);
    r.swap = 100;
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    EQ(heard(&n, &h, got), k > 0);
    if (k) EQ(h.swap, 40 + 2 * k);
  }
  EQ(get64(n.mem[PROC] + DATA + 8), 7);
  end();
}

// ---- QPR-11: two answers are stored
static uint32_t answer_at(unsigned qp, unsigned i, bool value) {
  return (value ? NIC_REG_QP_ANSWER_VALUE : NIC_REG_QP_ANSWER_PSN) + (64 * qp + i) * NIC_REG_QP_ANSWER_PSN_STRIDE;
}
static unsigned answers(void) {
  return (unsigned)(rd(&n, NIC_REG_QP_MSG + QP * NIC_REG_QP_MSG_STRIDE) >> NIC_QP_MSG_ANSWERS_LSB);
}
static void again(uint32_t psn, bool stored, uint64_t value) {
  nic_head r = req(NIC_OP_FETCH_ADD, psn, DATA + 8, 0, 0);
  say(&n, 1, &r, NULL);
  nic_run(n.m);
  EQ(heard(&n, &h, got), stored);
  if (stored) EQ(h.swap, value);
}

static void stored(void) {
  const uint32_t ctl = NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE;
  begin();
  put64(n.mem[PROC] + DATA + 8, 40);
  for (unsigned k = 0; k < 3; k++) {
    nic_head r = req(NIC_OP_FETCH_ADD, PSN + k, DATA + 8, 0, 0);
    r.swap = 2;
    EQ(answers(), k < 2 ? k : 2);
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    CHECK(heard(&n, &h, got));
  }
  for (unsigned i = 0; i < 2; i++) {
    EQ(rd(&n, answer_at(QP, i, false)), (PSN + 1 + i) & 0xffffff);
    EQ(rd(&n, answer_at(QP, i, true)), 42 + 2 * i);
  }
  EQ(rd(&n, answer_at(QP, 2, false)), 0);
  wr(&n, answer_at(QP, 0, true), 1);  // it is on
  EQ(rd(&n, answer_at(QP, 0, true)), 42);
  wr(&n, ctl, 0);
  EQ(answers(), 2);
  for (unsigned i = 0; i < 3; i++) {
    wr(&n, answer_at(QP, i, false), 0xff000000u | ((PSN + i) & 0xffffff));  // 24 bits of it
    wr(&n, answer_at(QP, i, true), 70 + i);
  }
  EQ(nic_reg_write(n.m, answer_at(QP, 0, true), 0x5500, 2), NIC_OK);
  wr(&n, answer_at(200, 0, false), 1);  // of none
  EQ(rd(&n, answer_at(QP, 1, true)), 71);
  // One of them counts, the oldest; then all that there is room for.
  for (unsigned num = 1; num < 6; num += 4) {
    wr(&n, NIC_REG_QP_BEGIN_MSG + QP * NIC_REG_QP_BEGIN_MSG_STRIDE, (uint64_t)num << NIC_QP_BEGIN_MSG_ANSWERS_LSB);
    qp_connect(&n, QP, PROC, 1, 9, RING, 4, (PSN + 3) & 0xffffff, 0, CTL(1, 5, 7, 7, 0));
    EQ(answers(), num < 2 ? num : 2);
    EQ(rd(&n, answer_at(QP, 0, false)), PSN);
    EQ(rd(&n, answer_at(QP, 1, true)), num < 2 ? 0 : 71);
    again(PSN, true, 0x5546);
    again(PSN + 1, num > 1, 71);
    again(PSN + 2, false, 0);
    wr(&n, ctl, 0);
  }
  qp_connect(&n, QP, PROC, 1, 9, RING, 4, (PSN + 3) & 0xffffff, 0, CTL(1, 5, 7, 7, 0));
  EQ(answers(), 0);
  again(PSN, false, 0);
  EQ(get64(n.mem[PROC] + DATA + 8), 46);
  end();
}

// RSP-11, QPR-11: a new atomic with the PSN of an answer in store, as after 2^24 PSNs: that one and what is older is
// forgotten, and the newest of two is given.
static void lap(void) {
  const uint32_t ctl = NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE;
  for (unsigned at = 0; at < 2; at++) {
    begin();
    put64(n.mem[PROC] + DATA + 8, 40);
    for (unsigned i = 0; i < 2; i++) {
      wr(&n, ctl, 0);
      wr(&n, answer_at(QP, i, false), (PSN + i) & 0xffffff);
      wr(&n, answer_at(QP, i, true), 70 + i);
    }
    wr(&n, NIC_REG_QP_BEGIN_MSG + QP * NIC_REG_QP_BEGIN_MSG_STRIDE, 2ull << NIC_QP_BEGIN_MSG_ANSWERS_LSB);
    qp_connect(&n, QP, PROC, 1, 9, RING, 4, (PSN + at) & 0xffffff, 0, CTL(1, 5, 7, 7, 0));
    n.late = true;
    nic_head r = req(NIC_OP_FETCH_ADD, PSN + at, DATA + 8, 0, 0);
    r.swap = 2;
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    EQ(answers(), 1 - at);
    if (!at) EQ(rd(&n, answer_at(QP, 0, true)), 71);
    again(PSN + at, false, 0);
    n.late = false;
    answer_one(&n, 0);
    nic_run(n.m);
    CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_ATOMIC_ACK);
    EQ(h.swap, 40);
    again(PSN + at, true, 40);
    EQ(answers(), 2 - at);
    // What has been forgotten counts again if software says so: it stands behind the others.
    wr(&n, ctl, 0);
    wr(&n, NIC_REG_QP_BEGIN_MSG + QP * NIC_REG_QP_BEGIN_MSG_STRIDE, 2ull << NIC_QP_BEGIN_MSG_ANSWERS_LSB);
    qp_connect(&n, QP, PROC, 1, 9, RING, 4, (PSN + 3) & 0xffffff, 0, CTL(1, 5, 7, 7, 0));
    EQ(rd(&n, answer_at(QP, 1, true)), at ? 71 : 40);
    wr(&n, ctl, 0);
    for (unsigned i = 0; i < 2; i++) wr(&n, answer_at(QP, i, false), PSN);
    wr(&n, NIC_REG_QP_BEGIN_MSG + QP * NIC_REG_QP_BEGIN_MSG_STRIDE, 2ull << NIC_QP_BEGIN_MSG_ANSWERS_LSB);
    qp_connect(&n, QP, PROC, 1, 9, RING, 4, (PSN + 3) & 0xffffff, 0, CTL(1, 5, 7, 7, 0));
    again(PSN, true, at ? 71 : 40);
    end();
  }
}

static void order(void) {
  begin();
  nic_head r = req(NIC_OP_WRITE_ONLY, PSN + 2, DATA, 4, 4);
  try_head(&r, NIC_SYN_NAK, PSN);
  try_head(&r, 255, 0);
  no_event();
  try(NIC_OP_WRITE_ONLY, PSN, DATA, 4, 4, NIC_SYN_ACK);
  try_head(&r, NIC_SYN_NAK, PSN + 1);
  r = req(NIC_OP_WRITE_ONLY, PSN, DATA + 0x100, 4, 4);  // duplicate: ACK of its own PSN, asked for or not, and no write
  r.ack_req = false;
  try_head(&r, NIC_SYN_ACK, PSN);
  EQ(n.mem[PROC][DATA + 0x100], 0);
  end();

  static const struct {
    unsigned op;
    uint32_t length, bytes;
  } bad[] = {{NIC_OP_WRITE_MIDDLE, 0, 256},
             {NIC_OP_WRITE_LAST, 0, 4},
             {NIC_OP_WRITE_FIRST, 512, 255},
             {NIC_OP_WRITE_FIRST, 256, 256},
             {NIC_OP_WRITE_FIRST, 0x80000001, 256},
             {NIC_OP_WRITE_ONLY, 5, 4},
             {NIC_OP_WRITE_ONLY, 257, 257},
             {NIC_OP_READ_REQ, 0x80000001, 0},
             {NIC_OP_READ_REQ, 4, 4},
             {NIC_OP_XTQ_MIDDLE, 0, 256}};
  begin();
  for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
    try(bad[k].op, PSN, DATA, bad[k].length, bad[k].bytes, NIC_SYN_NAK | 1);
    expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, PSN);
    try(NIC_OP_WRITE_ONLY, PSN + 1, DATA, 4, 4, 255);  // ahead of what has been refused: no second NAK
  }
  try(NIC_OP_FETCH_ADD, PSN, DATA + 4, 0, 0, NIC_SYN_NAK | 1);  // hostile case 37
  expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, PSN);
  end();

  static const struct {
    unsigned op;
    uint32_t bytes;
  } after[] = {{NIC_OP_WRITE_FIRST, 256}, {NIC_OP_WRITE_ONLY, 4},  {NIC_OP_READ_REQ, 0},    {NIC_OP_FETCH_ADD, 0},
               {NIC_OP_XTQ_LAST, 44},     {NIC_OP_WRITE_LAST, 43}, {NIC_OP_WRITE_LAST, 45}, {NIC_OP_WRITE_MIDDLE, 44}};
  begin();
  for (unsigned k = 0; k < sizeof after / sizeof *after; k++) {
    uint32_t psn = PSN + k;
    try(NIC_OP_WRITE_FIRST, psn, DATA, 300, 256, NIC_SYN_ACK);
    try(after[k].op, psn + 1, DATA, after[k].bytes, after[k].bytes, NIC_SYN_NAK | 1);
    expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, psn + 1);
    try(NIC_OP_WRITE_LAST, psn + 1, DATA, 0, 44, NIC_SYN_NAK | 1);  // the message was given up
    expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, psn + 1);
  }
  end();

  begin();
  try(NIC_OP_WRITE_FIRST, PSN, DATA, 512, 256, NIC_SYN_ACK);
  try(NIC_OP_WRITE_MIDDLE, PSN + 1, 0, 0, 256, NIC_SYN_NAK | 1);  // leaves nothing for a Last
  expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, PSN + 1);
  end();
}

static void regions(void) {
  static const struct {
    uint32_t key;
    uint64_t va;
    uint32_t len;
  } bad[] = {{KEY | 3, DATA - 1, 4},
             {KEY | 3, DATA + SIZE - 3, 4},
             {KEY | 3, DATA + SIZE, 1},
             {KEY | 4, DATA, 4},
             {KEY | 5, DATA, 4},
             {KEY | 6, DATA, 4},
             {KEY | 0x1003, DATA, 4},
             {KEY | 200, DATA, 4},
             {KEY | 3, 0xffffffffffffffff, 4}};
  begin();
  for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
    nic_head r = req(NIC_OP_WRITE_ONLY, PSN, bad[k].va, bad[k].len, bad[k].len);
    r.rkey = bad[k].key;
    try_head(&r, NIC_SYN_NAK | 2, PSN);
    expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 2, NIC_WHY_REGION, 0, PSN);
  }
  try(NIC_OP_WRITE_ONLY, PSN, DATA + SIZE - 4, 4, 4, NIC_SYN_ACK);
  try(NIC_OP_WRITE_FIRST, PSN + 1, DATA, 512, 256, NIC_SYN_ACK);  // taken away in the middle of a message
  region(&n, 3, KEY | 3, PROC, DATA, 256, RWA);
  try(NIC_OP_WRITE_LAST, PSN + 2, 0, 0, 256, NIC_SYN_NAK | 2);
  EQ(n.mem[PROC][DATA + 256], 0);
  expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 2, NIC_WHY_REGION, 0, PSN + 2);
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, RWA);
  end();
}

static void foreign(void) {  // hostile case 36
  begin();
  for (unsigned k = 0; k < 6; k++) {
    nic_head r = req(NIC_OP_WRITE_ONLY, PSN, DATA, 4, 4);
    if (k == 0) r.qp ^= 1;        // off
    if (k == 1) r.qp += 64;       // none
    if (k == 2) r.qp ^= 1 << 20;  // another's
    if (k == 3) r.pkey = 0x8001;  // another partition
    say(&n, k == 4 ? 2 : 1, &r, pay);
    if (k == 5) {  // the last byte of its ICRC is wrong, and one that is right but for the wire
      nic_self self = {.mac = mac_of(1), .ip = ip_of(1)};
      uint8_t b[NIC_FRAME_MAX];
      size_t len = nic_frame_build(&self, &r, pay, b);
      nic_run(n.m);
      CHECK(heard(&n, &h, NULL));
      r.psn = PSN + 1;
      len = nic_frame_build(&self, &r, pay, b);
      b[len - 1] ^= 1;
      EQ(nic_rx(n.m, b, len, false), NIC_OK);
      b[len - 1] ^= 1;
      EQ(nic_rx(n.m, b, len, true), NIC_OK);
    }
    nic_run(n.m);
    CHECK(!heard(&n, &h, NULL));
  }
  EQ(cnt(&n, 6 + NIC_FR_FOREIGN), 5);
  EQ(cnt(&n, NIC_RX_ICRC), 1);
  EQ(cnt(&n, NIC_RX_SHORT), 1);
  EQ(qp_epsn(&n, QP), (PSN + 1) & 0xffffff);
  end();
}

// A limited member (bit 15 clear) is heard by a full one and the other way round, but not by another limited one.
static void partitions(void) {
  static const struct {
    uint16_t ours, theirs;
    bool match;
  } pair[] = {{0xffff, 0x7fff, true},  {0xffff, 0xfffe, false}, {0x8005, 0x0005, true},
              {0x0005, 0x8005, true},  {0x0005, 0x0005, false}, {0x8005, 0x8005, true},
              {0x8005, 0x0004, false}, {0x0000, 0x8000, true},  {0x7fff, 0x7fff, false}};
  for (unsigned k = 0; k < sizeof pair / sizeof *pair; k++) {
    begin();
    uint64_t rest = CTL(1, 5, 7, 7, 0) | PROC << NIC_QP_CTL_PROC_LSB | (uint64_t)pair[k].ours << NIC_QP_CTL_PKEY_LSB;
    wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0);
    wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, rest);
    wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, rest | 1);
    nic_head r = req(NIC_OP_WRITE_ONLY, PSN, DATA, 4, 4);
    r.pkey = pair[k].theirs;
    try_head(&r, pair[k].match ? NIC_SYN_ACK : 255, PSN);
    EQ(cnt(&n, 6 + NIC_FR_FOREIGN), !pair[k].match);
    if (pair[k].match) EQ(h.pkey, pair[k].ours);
    node_free(&n);
  }
}

// A second queue pair of the same process, which writes while the first one's reads fill the queue of responses.
static void writers_beside_readers(void) {
  enum { WRITER = 2, WRITES = 19 };
  begin();
  qp_connect(&n, WRITER, PROC, 1, 10, RING + 0x800, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  n.late = true;
  for (unsigned k = 0; k < 6; k++) {
    nic_head r = req(NIC_OP_READ_REQ, PSN + (k < 4 ? k : 4), DATA, 4, 0);
    say(&n, 1, &r, NULL);
  }
  nic_run(n.m);
  EQ(cnt(&n, 6 + NIC_FR_NO_ROOM), 2);
  for (unsigned k = 0; k < WRITES; k++) {
    nic_head r = req(NIC_OP_WRITE_ONLY, PSN + k, DATA + 64 * k, 64, 64);
    r.qp = (r.qp & ~0xffu) | WRITER;
    try_head(&r, NIC_SYN_ACK, PSN + k);
    EQ(h.msn, k + 1);
  }
  EQ(cnt(&n, 6 + NIC_FR_NO_ROOM), 2);
  // The reader's own write waits behind its reads, and one answer serves both of its writes.
  try(NIC_OP_WRITE_ONLY, PSN + 4, DATA, 4, 4, 255);
  try(NIC_OP_WRITE_ONLY, PSN + 5, DATA, 4, 4, 255);
  CHECK(nic_owes(n.m, NULL, 0) > 0);
  for (unsigned k = 0; k < 4; k++) {
    answer_one(&n, 0);
    nic_run(n.m);
    CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_ONLY && h.psn == ((PSN + k) & 0xffffff));
  }
  CHECK(heard(&n, &h, NULL) && h.opcode == NIC_OP_ACK && h.psn == ((PSN + 5) & 0xffffff) && h.msn == 6);
  CHECK(!heard(&n, &h, NULL));
  n.late = false;
  end();
}

// A NAK waits behind reads; a duplicate that comes meanwhile does not take its place, since its PSN is an earlier one.
static void nak_is_not_overtaken(void) {
  begin();
  try(NIC_OP_WRITE_ONLY, PSN, DATA, 4, 4, NIC_SYN_ACK);
  n.late = true;
  nic_head r = req(NIC_OP_READ_REQ, PSN + 1, DATA, 4, 0);
  say(&n, 1, &r, NULL);
  nic_run(n.m);
  try(NIC_OP_WRITE_ONLY, PSN + 2, DATA, 4, 3, 255);  // refused
  try(NIC_OP_WRITE_ONLY, PSN, DATA, 4, 4, 255);      // again
  answer_one(&n, 0);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_ONLY);
  CHECK(heard(&n, &h, NULL) && h.opcode == NIC_OP_ACK && h.syndrome == (NIC_SYN_NAK | 1) &&
        h.psn == ((PSN + 2) & 0xffffff));
  CHECK(!heard(&n, &h, NULL));
  expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 1, NIC_WHY_SEQUENCE, 0, PSN + 2);
  n.late = false;
  end();
}

static void no_room(void) {
  begin();
  n.late = true;  // the first read waits for memory, three more behind it; the fifth finds no room
  for (unsigned k = 0; k < 4; k++) {
    nic_head r = req(NIC_OP_READ_REQ, PSN + k, DATA, 4, 0);
    say(&n, 1, &r, NULL);
  }
  nic_run(n.m);
  try(NIC_OP_READ_REQ, PSN + 4, DATA, 4, 0, 255);
  no_event();
  nic_head r = req(NIC_OP_WRITE_ONLY, PSN + 4, DATA, 4, 4);  // a write needs none
  r.ack_req = false;
  try_head(&r, 255, 0);
  EQ(cnt(&n, 6 + NIC_FR_NO_ROOM), 1);
  EQ(qp_epsn(&n, QP), (PSN + 5) & 0xffffff);
  EQ(n.num_asks, 1);
  for (unsigned k = 0; k < 4; k++) {
    EQ(n.asks[0].j.after[NIC_SRC_RESP], 0);
    answer_one(&n, 0);
    nic_run(n.m);
    CHECK(heard(&n, &h, got) && h.psn == ((PSN + k) & 0xffffff));
  }
  n.late = false;
  end();
}

static void events(void) {
  begin();
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, 0x9000);
  wr(&n, NIC_REG_EQ_MSID + PROC * NIC_REG_EQ_MSID_STRIDE, 0x77);
  for (unsigned k = 0; k < 16; k++) try(NIC_OP_WRITE_ONLY_IMM, PSN + k, DATA, 4, 4, NIC_SYN_ACK);
  EQ(get32(n.mem[PROC] + 0x9000), 0);                                 // not armed
  try(NIC_OP_WRITE_ONLY_IMM, PSN + 16, DATA, 4, 4, NIC_SYN_RNR | 5);  // no place; its refusal has none either
  EQ(rd(&n, NIC_REG_EQ_STS + PROC * NIC_REG_EQ_STS_STRIDE), 16 | NIC_EQ_STS_LOST_MASK);
  EQ(cnt(&n, 26), 1);
  wr(&n, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 17);  // beyond the producer: refused
  CHECK(rd(&n, NIC_REG_EQ_STS + PROC * NIC_REG_EQ_STS_STRIDE) & NIC_EQ_STS_BAD_MASK);
  wr(&n, NIC_REG_EQ_STS + PROC * NIC_REG_EQ_STS_STRIDE, NIC_EQ_STS_BAD_MASK | NIC_EQ_STS_LOST_MASK);
  expect_event(NIC_EV_IMM, 0, 0, 0, 0);
  nic_run(n.m);
  EQ(get32(n.mem[PROC] + 0x9000), 0x77);  // armed by EQ_CONS, and events are there
  put32(n.mem[PROC] + 0x9000, 0);
  try(NIC_OP_WRITE_ONLY_IMM, PSN + 16, DATA, 4, 4, NIC_SYN_ACK);  // the refused packet comes again
  EQ(get32(n.mem[PROC] + 0x9000), 0);                             // one MSI an arming
  for (unsigned k = 0; k < 16; k++) expect_event(NIC_EV_IMM, 0, 0, 0, 0);
  no_event();
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, 0);  // no address: it stays armed
  put32(n.mem[PROC] + 0x9000, 0);
  try(NIC_OP_WRITE_ONLY_IMM, PSN + 17, DATA, 4, 4, NIC_SYN_ACK);
  wr(&n, NIC_REG_EQ_CTL + PROC * NIC_REG_EQ_CTL_STRIDE, EQ_SIZE);  // off: nothing is sent
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, 0x9000);
  nic_run(n.m);
  EQ(get32(n.mem[PROC] + 0x9000), 0);
  try(NIC_OP_WRITE_ONLY_IMM, PSN + 18, DATA, 4, 4, NIC_SYN_RNR | 5);  // as good as full
  end();
}

static void off(void) {
  begin();
  n.late = true;
  nic_head r = req(NIC_OP_READ_REQ, PSN, DATA, 4, 0);
  say(&n, 1, &r, NULL);
  nic_run(n.m);
  wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0);
  try(NIC_OP_READ_REQ, PSN + 1, DATA, 4, 0, 255);
  qp_connect(&n, QP, PROC, 1, 9, RING, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  answer_one(&n, 0);  // nobody wants it any more
  n.late = false;
  nic_run(n.m);
  end();
}

// Four reads that wait are forgotten. Hardware lets them go one by one, so each new response may find the queue full
// again, until the last of the four must have gone.
static void forgotten(void) {
  begin();
  n.late = true;
  for (unsigned k = 0; k < 4; k++) {
    nic_head r = req(NIC_OP_READ_REQ, PSN + k, DATA, 4, 0);
    say(&n, 1, &r, NULL);
  }
  nic_run(n.m);
  wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0);
  nic_run(n.m);
  qp_connect(&n, QP, PROC, 1, 9, RING, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  nic_retire_rec rx = {.kind = NIC_RET_RX};
  for (unsigned k = 0; k < 4; k++) {
    nic_head r = req(NIC_OP_READ_REQ, PSN + k, DATA, 4, 0);
    nic_retire_rec frame = {
        .kind = NIC_RET_FRAME, .idx = QP, .a = (uint64_t)NIC_OP_READ_REQ << 24 | ((PSN + k) & 0xffffff)};
    for (unsigned twice = 0; twice < 2; twice++) {  // no room, then room
      say(&n, 1, &r, NULL);
      EQ(nic_retire(n.m, &rx), NIC_OK);
      frame.code = twice ? NIC_FR_DONE : NIC_FR_NO_ROOM;
      EQ(nic_retire(n.m, &frame), NIC_OK);
    }
  }
  nic_head r = req(NIC_OP_READ_REQ, PSN + 4, DATA, 4, 0);  // now it is full of what lives
  say(&n, 1, &r, NULL);
  EQ(nic_retire(n.m, &rx), NIC_OK);
  nic_retire_rec frame = {.kind = NIC_RET_FRAME,
                          .code = NIC_FR_DONE,
                          .idx = QP,
                          .a = (uint64_t)NIC_OP_READ_REQ << 24 | ((PSN + 4) & 0xffffff)};
  EQ(nic_retire(n.m, &frame), NIC_E_MISMATCH);
  node_free(&n);
}

// RSP-17, RSP-18, RSP-19: a page is absent in the middle of a read, with a write, an atomic and a read behind it.
static void absent(void) {
  begin();
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, RWA | NIC_MR_KEY_PAGED_MASK);
  n.late = true;
  n.absent = DATA + 0x1000 + 256;
  memset(n.mem[PROC] + DATA + 0x2000, 0, 8);
  const nic_head r = req(NIC_OP_READ_REQ, PSN, DATA + 0x1000, 700, 0), w = req(NIC_OP_WRITE_ONLY, PSN + 3, DATA, 8, 8),
                 x = req(NIC_OP_READ_REQ, PSN + 5, DATA, 4, 0);
  nic_head a = req(NIC_OP_FETCH_ADD, PSN + 4, DATA + 0x2000, 0, 0);
  a.swap = 3;
  const nic_head *all[] = {&r, &w, &a, &x};
  for (unsigned k = 0; k < 4; k++) say(&n, 1, all[k], pay);
  nic_run(n.m);
  CHECK(!memcmp(n.mem[PROC] + DATA, pay, 8));  // a write does not wait
  while (n.num_asks) answer_one(&n, 0), nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_FIRST && h.msn == 1);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_ACK && h.syndrome == (NIC_SYN_RNR | 5));
  EQ(h.psn, (PSN + 1) & 0xffffff);
  EQ(h.msn, 0);
  CHECK(!heard(&n, &h, got));
  EQ(qp_epsn(&n, QP), (PSN + 1) & 0xffffff);
  uint64_t count = 0;
  EQ(nic_reg_read(n.m, NIC_REG_NIC_CNT + 8 * NIC_CNT_ABSENT, &count), NIC_OK);
  EQ(count, 1);
  ev e;
  CHECK(!take_event(&n, PROC, EQ, EQ_SIZE, &e));
  n.late = false;
  try(NIC_OP_WRITE_ONLY, PSN + 6, DATA, 8, 8, 255);  // ahead, and nothing says so twice
  n.absent = 0;
  memset(n.mem[PROC] + DATA, 0x77, 8);
  nic_head rest = req(NIC_OP_READ_REQ, PSN + 1, DATA + 0x1000 + 256, 444, 0);
  say(&n, 1, &rest, NULL);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_FIRST && h.msn == 1);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_LAST);
  try_head(&w, NIC_SYN_ACK, PSN + 3);
  EQ(n.mem[PROC][DATA], 0x77);  // it was done, and is not done twice
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_ATOMIC_ACK && h.swap == 0);
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_ATOMIC_ACK && h.swap == 0);
  EQ(get64(n.mem[PROC] + DATA + 0x2000), 3);
  say(&n, 1, &x, NULL);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_ONLY && h.msn == 4);
  say(&n, 1, &r, NULL);  // its first packet was lost, and it comes as a whole: a duplicate
  nic_run(n.m);
  for (unsigned k = 0; k < 3; k++)
    CHECK(heard(&n, &h, got) && h.opcode >= NIC_OP_READ_FIRST && h.opcode <= NIC_OP_READ_LAST);
  end();
}

// A read that comes as a whole after its second packet was refused: its first one was lost. It moves ePSN behind it.
static void absent_and_lost(void) {
  begin();
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, RWA | NIC_MR_KEY_PAGED_MASK);
  n.absent = DATA + 256;
  const nic_head r = req(NIC_OP_READ_REQ, PSN, DATA, 700, 0);
  for (unsigned turn = 0; turn < 3; turn++) {
    if (turn == 2) n.absent = DATA;  // what was there has gone: it does not go back to before its ePSN
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    if (turn < 2) CHECK(heard(&n, &h, got) && h.opcode == NIC_OP_READ_FIRST);
    CHECK(heard(&n, &h, got) && h.syndrome == (NIC_SYN_RNR | 5));
    EQ(h.psn, (PSN + (turn < 2)) & 0xffffff);
    EQ(h.msn, 0);
    EQ(qp_epsn(&n, QP), (PSN + 1) & 0xffffff);
  }
  n.absent = 0;
  nic_head longer = r;
  longer.length = 800;  // ends behind what was taken
  try_head(&longer, 255, 0);
  say(&n, 1, &r, NULL);
  nic_run(n.m);
  for (unsigned k = 0; k < 3; k++)
    CHECK(heard(&n, &h, got) && h.opcode >= NIC_OP_READ_FIRST && h.opcode <= NIC_OP_READ_LAST);
  EQ(qp_epsn(&n, QP), (PSN + 3) & 0xffffff);
  end();
}

// Without the flag, and for another reason, it is as ever; and what comes after a NAK is new.
static void not_absent(void) {
  begin();
  n.absent = DATA;
  try(NIC_OP_READ_REQ, PSN, DATA, 8, 0, NIC_SYN_NAK | 3);
  expect_event(NIC_EV_RESP_FAILED, NIC_SYN_NAK | 3, 0, 0, PSN);
  node_free(&n);
  begin();
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, RWA | NIC_MR_KEY_PAGED_MASK);
  n.bad_va = DATA;
  try(NIC_OP_READ_REQ, PSN, DATA, 8, 0, NIC_SYN_NAK | 3);
  node_free(&n);
  begin();
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, RWA | NIC_MR_KEY_PAGED_MASK);
  n.absent = DATA;
  n.late = true;
  const nic_head r = req(NIC_OP_READ_REQ, PSN, DATA, 8, 0), w = req(NIC_OP_WRITE_ONLY, PSN + 1, DATA + 64, 8, 8);
  say(&n, 1, &r, NULL);
  say(&n, 1, &w, pay);
  nic_run(n.m);
  while (n.num_asks) answer_one(&n, 0), nic_run(n.m);
  n.late = false;
  CHECK(heard(&n, &h, got) && h.syndrome == (NIC_SYN_RNR | 5));
  region(&n, 3, KEY | 3, PROC, DATA, SIZE, NIC_MR_KEY_W_MASK);
  try(NIC_OP_READ_REQ, PSN, DATA, 8, 0, NIC_SYN_NAK | 2);
  expect_event(NIC_EV_REFUSED, NIC_SYN_NAK | 2, NIC_WHY_REGION, 0, PSN);
  memset(n.mem[PROC] + DATA + 64, 0, 16);
  try(NIC_OP_WRITE_ONLY, PSN, DATA + 64, 8, 8, NIC_SYN_ACK);
  try(NIC_OP_WRITE_ONLY, PSN + 1, DATA + 72, 8, 8, NIC_SYN_ACK);
  CHECK(!memcmp(n.mem[PROC] + DATA + 64, pay, 8) && !memcmp(n.mem[PROC] + DATA + 72, pay, 8));
  end();
}

int main(void) {
  absent();
  absent_and_lost();
  not_absent();
  writes();
  unfit();
  reads();
  atomics();
  stored();
  lap();
  order();
  regions();
  foreign();
  partitions();
  writers_beside_readers();
  nak_is_not_overtaken();
  no_room();
  events();
  off();
  forgotten();
  return report();
}
