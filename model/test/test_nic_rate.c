// SPDX-License-Identifier: Apache-2.0
// Rates (rtl/nic/README.md, ECN-5, ECN-6, ECN-7, ECN-8, ECN-9, ECN-10, ECN-11): what CNPs and visits make of QP_RATE,
// number by number, worked out by hand from the rules; what the bucket lets leave; what forgets it all.
#include "nic_world.h"

enum { RING = 0x1000, RINGS = 8, EQ_AT = 0x6000, EQ_SIZE = 7, BUF = 0x20000, QP = 2, OTHER = 3, PROC = 1, PSN = 0x100 };
enum { VISIT = 1024, TIMEOUT = 11 };
enum { CUT = NIC_RT_CUT, CALM = NIC_RT_CALM, RAISED = NIC_RT_RAISED, BOTH = NIC_RT_BOTH };

static node n;
static nic_head h;
static nic_retire_rec last;
static unsigned records;

static uint64_t rate_is(unsigned rate, unsigned target, unsigned alpha, bool slow) {
  return rate | (uint64_t)target << 16 | (uint64_t)alpha << 32 | (uint64_t)slow << 63;
}
static uint64_t regs(unsigned full, unsigned min, unsigned g, unsigned fast) {
  return full | (uint64_t)min << 16 | (uint64_t)g << 32 | (uint64_t)fast << 36;
}
static uint64_t raise_by(unsigned calm, unsigned time, unsigned add, unsigned hyper) {
  return calm | time << 8 | (uint64_t)add << 16 | (uint64_t)hyper << 32;
}

static void hear(node *to, int what, const void *p, const void *data) {
  (void)to;
  (void)data;
  const nic_retire_rec *r = p;
  if (what != HEAR_RECORD || r->kind != NIC_RET_RATE) return;
  last = *r;
  records++;
}

static void begin(uint64_t rate, uint64_t raise) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  n.hear = hear;
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, TIMEOUT));
  qp_connect(&n, OTHER, PROC, 1, 10, RING + 0x8000, RINGS, PSN, PSN, CTL(1, 1, 2, 2, TIMEOUT));
  wr(&n, NIC_REG_NIC_RATE, rate);
  wr(&n, NIC_REG_NIC_RAISE, raise);
  records = 0;
}

static void cnp_to(unsigned qp) {
  nic_head c = head(&n, 1, qp, NIC_OP_CNP, 0);
  say(&n, 1, &c, NULL);
  nic_run(n.m);
}

static uint64_t qp_rate(unsigned i) { return rd(&n, NIC_REG_QP_RATE + i * NIC_REG_QP_RATE_STRIDE); }

// k visits later there has been one more record, of the last visit: this one.
static void after(unsigned k, unsigned code, unsigned rate, unsigned target, unsigned alpha) {
  unsigned was = records;
  nic_advance(n.m, (k - 1) * VISIT);
  EQ(records, was);
  nic_advance(n.m, VISIT);
  EQ(records, was + 1);
  EQ(last.code, code);
  EQ(last.idx, QP);
  EQ(last.flag, false);
  EQ(last.a, rate_is(rate, target, alpha, true));
  EQ(last.b, 0);
  EQ(qp_rate(QP), last.a);
}

static void over(unsigned k, unsigned code, unsigned full) {
  nic_advance(n.m, k * VISIT);
  EQ(last.code, code);
  EQ(last.flag, true);
  EQ(last.a, rate_is(full, full, 1023, false));
  EQ(qp_rate(QP), last.a);
}

// RATE x ALPHA / 2048 rounded down is taken away: of 1024 it is 511 (1047552 / 2048 = 511.5), of 513 256 (256.2), of
// 257 128 (128.4).
static void cuts(void) {
  begin(regs(1024, 1, 4, 5), raise_by(255, 255, 1, 10));
  EQ(qp_rate(QP), rate_is(1024, 1024, 1023, false));
  cnp_to(QP);
  cnp_to(QP);
  EQ(records, 0);
  EQ(cnt(&n, NIC_CNT_CNP_CAME), 2);
  after(1, CUT, 513, 1024, 1023);  // two of them are one
  EQ(qp_rate(OTHER), rate_is(1024, 1024, 1023, false));
  cnp_to(QP);
  after(1, CUT, 257, 513, 1023);
  nic_advance(n.m, VISIT);
  cnp_to(QP);
  after(1, CUT, 129, 257, 1023);
  static const unsigned then[] = {65, 33, 17, 9, 5, 3, 2, 2};  // 2 x 1023 / 2048 = 0.999: it stays
  for (unsigned k = 0, was = 129; k < 8; was = then[k++]) {
    cnp_to(QP);
    after(1, CUT, then[k], was, 1023);
  }
  EQ(cnt(&n, NIC_CNT_CUT), 11);
  EQ(records, 11);
  node_free(&n);
}

static void limits(void) {
  begin(regs(2047, 400, 0, 5), raise_by(255, 255, 1, 10));  // FULL over 1024 is 1024
  EQ(rd(&n, NIC_REG_NIC_RATE), regs(2047, 400, 0, 5));
  EQ(qp_rate(QP), rate_is(1024, 1024, 1023, false));
  cnp_to(QP);
  after(1, CUT, 513, 1024, 1023);
  cnp_to(QP);
  after(1, CUT, 400, 513, 1023);  // not less than MIN
  node_free(&n);
  begin(regs(100, 0, 4, 5), raise_by(255, 255, 1, 10));  // MIN 0 is 1
  for (unsigned k = 0; k < 9; k++) {
    cnp_to(QP);
    nic_advance(n.m, VISIT);
  }
  EQ(qp_rate(QP), rate_is(2, 2, 1023, true));  // 100, 51, 26, 14, 8, 5, 3, 2
  node_free(&n);
  begin(regs(100, 100, 4, 5), raise_by(255, 255, 1, 10));  // MIN is FULL: nobody becomes slow
  cnp_to(QP);
  over(1, CUT, 100);
  EQ(records, 1);
  nic_advance(n.m, 1000 * VISIT);
  EQ(records, 1);
  node_free(&n);
  begin(regs(0, 1, 4, 5), raise_by(1, 1, 1, 10));  // FULL 0: CNPs slow nothing, but are counted
  cnp_to(QP);
  nic_advance(n.m, 10 * VISIT);
  EQ(records, 0);
  EQ(qp_rate(QP), rate_is(0, 0, 1023, false));
  EQ(cnt(&n, NIC_CNT_CNP_CAME), 1);
  EQ(cnt(&n, NIC_CNT_CUT), 0);
  node_free(&n);
}

// ALPHA falls by a 2^G-th at each CALM: 1023 by 63 to 960, by 60 to 900, by 56 to 844; a cut raises it: 844 + (1023 -
// 844) / 16 = 855.
static void alpha(void) {
  begin(regs(1024, 1, 4, 5), raise_by(3, 200, 1, 10));
  cnp_to(QP);
  after(1, CUT, 513, 1024, 1023);
  after(3, CALM, 513, 1024, 960);
  after(3, CALM, 513, 1024, 900);
  after(3, CALM, 513, 1024, 844);
  nic_advance(n.m, 2 * VISIT);
  cnp_to(QP);
  after(1, CUT, 302, 513, 855);   // 513 x 844 / 2048 = 211.4
  after(3, CALM, 302, 513, 802);  // and the counts begin anew; 855 / 16 = 53
  node_free(&n);
  begin(regs(1024, 1, 0, 5), raise_by(0, 200, 1, 10));  // G 0: all of it at once; CALM 0 is 1
  cnp_to(QP);
  after(1, CUT, 513, 1024, 1023);
  after(1, CALM, 513, 1024, 0);
  cnp_to(QP);
  after(1, CUT, 513, 513, 1023);  // nothing is taken at ALPHA 0
  node_free(&n);
}

// Towards the target by halves, rounded up; from stage FAST on the target moves as well.
static void raises(void) {
  begin(regs(1000, 1, 15, 2), raise_by(255, 2, 100, 300));
  cnp_to(QP);
  after(1, CUT, 501, 1000, 1023);  // 1000 x 1023 / 2048 = 499.5
  cnp_to(QP);
  after(1, CUT, 251, 501, 1023);      // 250.2
  after(2, RAISED, 376, 501, 1023);   // (251 + 501 + 1) / 2 = 376.5: stage 0
  after(2, RAISED, 439, 501, 1023);   // 439: stage 1
  after(2, RAISED, 520, 601, 1023);   // stage 2: ADD; (439 + 601 + 1) / 2 = 520.5
  after(2, RAISED, 611, 701, 1023);   // stage 3; 611
  after(2, RAISED, 806, 1000, 1023);  // stage 4: HYPER, to FULL at most; 806
  after(2, RAISED, 903, 1000, 1023);
  after(2, RAISED, 952, 1000, 1023);
  after(2, RAISED, 976, 1000, 1023);
  after(2, RAISED, 988, 1000, 1023);
  after(2, RAISED, 994, 1000, 1023);
  after(2, RAISED, 997, 1000, 1023);
  after(2, RAISED, 999, 1000, 1023);
  over(2, RAISED, 1000);
  unsigned was = records;
  nic_advance(n.m, 100 * VISIT);
  EQ(records, was);
  cnp_to(QP);
  after(1, CUT, 501, 1000, 1023);  // all of it is forgotten
  node_free(&n);
}

static void edges(void) {
  begin(regs(1024, 1, 4, 0), raise_by(2, 0, 1, 511));  // FAST 0: HYPER at once; TIME 0 is 1
  for (unsigned k = 0; k < 3; k++) {
    cnp_to(QP);
    nic_advance(n.m, VISIT);
  }
  EQ(qp_rate(QP), rate_is(129, 257, 1023, true));
  after(1, RAISED, 449, 768, 1023);  // (129 + 768 + 1) / 2
  after(1, BOTH, 737, 1024, 960);    // (449 + 1024 + 1) / 2; ALPHA of the second visit
  after(1, RAISED, 881, 1024, 960);
  node_free(&n);
  begin(regs(1024, 1, 4, 15), raise_by(255, 1, 1, 512));  // the stage ends at 31: 30 is 2 x FAST, and HYPER goes on
  for (unsigned k = 0; k < 3; k++) {
    cnp_to(QP);
    nic_advance(n.m, VISIT);
  }
  unsigned was = records;
  nic_advance(n.m, 15 * VISIT);  // stages 0 to 14: TARGET stays
  EQ(records, was + 15);
  EQ(qp_rate(QP), rate_is(257, 257, 1023, true));
  nic_advance(n.m, 15 * VISIT);  // 15 to 29: ADD
  EQ(qp_rate(QP) >> 16 & 0x7ff, 257 + 15);
  nic_advance(n.m, VISIT);
  EQ(qp_rate(QP) >> 16 & 0x7ff, 784);
  nic_advance(n.m, VISIT);
  EQ(qp_rate(QP) >> 16 & 0x7ff, 1024);
  node_free(&n);
}

// ---- what leaves
static void want(unsigned i, uint32_t len) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = len, .remote = BUF, .rkey = KEY};
  post(&n, i, PROC, RING + (i == OTHER ? 0x8000 : 0), RINGS, &e);
}

static unsigned sent(void) {
  unsigned k = 0;
  nic_run(n.m);
  while (heard(&n, &h, NULL)) k++;
  return k;
}

// RATE 4 of a beat of 32 bytes: 128 a visit; a packet of 256 takes 320. From 128: one goes, -192, -64, and at the
// second visit after it there are 64: the next, -256, -128, 0: the next, and so on.
static void bucket(void) {
  begin(regs(8, 4, 4, 5), raise_by(255, 255, 1, 10));
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 20));
  qp_connect(&n, OTHER, PROC, 1, 10, RING + 0x8000, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 20));
  cnp_to(QP);
  nic_advance(n.m, VISIT);
  EQ(qp_rate(QP), rate_is(5, 8, 1023, true));  // 8 x 1023 / 2048 = 3
  cnp_to(QP);
  nic_advance(n.m, VISIT);
  EQ(qp_rate(QP), rate_is(4, 5, 1023, true));
  nic_advance(n.m, VISIT);
  for (unsigned k = 0; k < 40; k++) want(QP, 256);
  want(OTHER, 256);
  // 128 are in it: that is all that it holds
  static const uint8_t leave[] = {2, 0, 1, 0, 1, 0, 0, 1, 0, 1,
                                  0, 0, 1, 0, 1, 0, 0, 1, 0, 1};  // OTHER's is the second of the first
  for (unsigned k = 0; k < sizeof leave; k++) {
    EQ(sent(), leave[k]);
    EQ(nic_owes(n.m, NULL, 0), 0);  // what is held back is not owed
    nic_advance(n.m, VISIT);
  }
  node_free(&n);
}

// A read takes 64, whatever it asks for; off and on, and a write of NIC_RATE or NIC_RAISE, free a queue pair at once.
static void forgets(void) {
  for (unsigned how = 0; how < 6; how++) {
    begin(regs(2, 1, 4, 5), raise_by(255, 255, 1, 10));
    cnp_to(QP);
    if (how == 5) {  // a CNP that waits for its visit is forgotten as well
      wr(&n, NIC_REG_NIC_RATE, regs(2, 1, 4, 5));
      nic_advance(n.m, 3 * VISIT);
      EQ(records, 0);
      node_free(&n);
      continue;
    }
    nic_advance(n.m, VISIT);
    EQ(qp_rate(QP), rate_is(2, 2, 1023, false));  // 2 x 1023 / 2048 = 0: not slow
    EQ(last.flag, true);
    wr(&n, NIC_REG_NIC_RATE, regs(4, 1, 4, 5));
    cnp_to(QP);
    nic_advance(n.m, VISIT);
    EQ(qp_rate(QP), rate_is(3, 4, 1023, true));
    for (unsigned k = 0; k < 3; k++) want(QP, 256);
    EQ(sent(), 1);
    if (how == 0) wr(&n, NIC_REG_NIC_RATE, regs(4, 1, 4, 5));
    if (how == 1) EQ(nic_reg_write(n.m, NIC_REG_NIC_RATE, 0, 0x80), NIC_OK);  // any byte
    if (how == 2) EQ(nic_reg_write(n.m, NIC_REG_NIC_RAISE, 0, 0x80), NIC_OK);
    if (how == 3) wr(&n, NIC_REG_NIC_RAISE, raise_by(1, 1, 1, 1));
    if (how == 4) qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, TIMEOUT));
    EQ(qp_rate(QP), rate_is(4, 4, 1023, false));
    EQ(sent(), how == 4 ? 0 : 2);
    unsigned was = records;
    nic_advance(n.m, 100 * VISIT);
    EQ(records, was);
    node_free(&n);
  }
}

// ECN-9: while it is held back, no time-out; a while after, there is.
static void no_progress(void) {
  begin(regs(2, 1, 4, 5), raise_by(255, 255, 1, 10));
  wr(&n, NIC_REG_NIC_RATE, regs(3, 1, 4, 5));  // 3 x 1023 / 2048 = 1: RATE 2, 64 bytes a visit
  cnp_to(QP);
  nic_advance(n.m, VISIT);
  EQ(qp_rate(QP), rate_is(2, 3, 1023, true));
  want(QP, 256);
  EQ(sent(), 1);
  for (unsigned k = 0; k < 4; k++) {  // 2^11 cycles are two visits; it is held back for five
    nic_advance(n.m, VISIT);
    EQ(sent(), 0);
  }
  EQ(cnt(&n, 27), 0);
  nic_advance(n.m, VISIT);  // since the fourth visit, when there was a time-out in vain
  EQ(sent(), 0);
  nic_advance(n.m, VISIT);
  EQ(sent(), 1);
  EQ(cnt(&n, 27), 1);
  node_free(&n);
}

// ECN-9: each packet of a slow queue pair begins the time anew, though it is not held back.
static void each_packet(void) {
  begin(regs(1024, 1, 4, 5), raise_by(255, 255, 1, 10));
  cnp_to(QP);
  after(1, CUT, 513, 1024, 1023);
  for (unsigned k = 0; k < 6; k++) {  // one in a visit, of which 2^11 cycles are two
    want(QP, 4);
    EQ(sent(), 1);
    nic_advance(n.m, VISIT);
    EQ(sent(), 0);
  }
  EQ(cnt(&n, 27), 0);
  nic_advance(n.m, VISIT);
  CHECK(sent() > 0);
  EQ(cnt(&n, 27), 1);
  node_free(&n);
}

// Whatever a peer puts into a CNP; whom it must come from; and whom it is told to although its requester has stopped.
static void heard_or_not(void) {
  begin(regs(1024, 1, 4, 5), raise_by(255, 255, 1, 10));
  nic_self self = {.mac = mac_of(1), .ip = ip_of(1)}, stranger = {.mac = mac_of(1), .ip = ip_of(3)};
  uint8_t b[NIC_FRAME_MAX], junk[64];
  nic_head c = head(&n, 1, QP, NIC_OP_CNP, 0xabcdef);
  memset(junk, 0xa5, sizeof junk);
  c.bytes = 20;
  c.se = true;
  EQ(nic_rx(n.m, b, nic_frame_build(&self, &c, junk, b), false), NIC_OK);
  nic_run(n.m);
  EQ(cnt(&n, NIC_CNT_CNP_CAME), 1);
  EQ(nic_rx(n.m, b, nic_frame_build(&stranger, &c, junk, b), false), NIC_OK);
  c.qp++;
  c.pkey = 0x1234;
  EQ(nic_rx(n.m, b, nic_frame_build(&self, &c, junk, b), false), NIC_OK);
  c.qp = 0x100 << 8 | 40;
  EQ(nic_rx(n.m, b, nic_frame_build(&self, &c, junk, b), false), NIC_OK);
  nic_run(n.m);
  EQ(cnt(&n, NIC_CNT_CNP_CAME), 1);
  EQ(cnt(&n, 6 + NIC_FR_FOREIGN), 3);
  after(1, CUT, 513, 1024, 1023);
  CHECK(!heard(&n, &h, NULL));
  EQ(qp_epsn(&n, QP), PSN);
  want(QP, 4);  // NAK 1: the requester stops
  EQ(sent(), 1);
  nic_head nak = head(&n, 1, QP, NIC_OP_ACK, PSN);
  nak.syndrome = NIC_SYN_NAK | 1;
  say(&n, 1, &nak, NULL);
  nic_run(n.m);
  CHECK(qp_sts(&n, QP) & NIC_QP_STS_SEND_ERR_MASK);
  cnp_to(QP);
  after(1, CUT, 257, 513, 1023);
  node_free(&n);
}

// ECN-11: who is slow, and held back, answers all the same: an ACK, and all packets of a read.
static void answers(void) {
  begin(regs(8, 1, 4, 5), raise_by(255, 255, 1, 10));
  region(&n, 7, KEY | 7, PROC, 0, MEM, RWA);
  for (unsigned k = 0; k < 2; k++) {
    cnp_to(QP);
    nic_advance(n.m, VISIT);
  }
  for (unsigned k = 0; k < 2; k++) want(QP, 256);
  EQ(sent(), 1);  // and the second one has to wait
  nic_advance(n.m, VISIT);
  EQ(sent(), 0);
  nic_head r = head(&n, 1, QP, NIC_OP_READ_REQ, PSN);
  r.va = BUF;
  r.rkey = KEY | 7;
  r.length = 8 * 256;
  say(&n, 1, &r, NULL);
  EQ(sent(), 8);
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + 8);
  w.va = BUF;
  w.rkey = KEY | 7;
  say(&n, 1, &w, NULL);
  EQ(sent(), 1);
  EQ(h.opcode, NIC_OP_ACK);
  node_free(&n);
}

int main(void) {
  cuts();
  limits();
  alpha();
  raises();
  edges();
  bucket();
  forgets();
  no_progress();
  each_packet();
  heard_or_not();
  answers();
  return report();
}
