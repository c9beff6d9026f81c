// SPDX-License-Identifier: Apache-2.0
// Slow queue pairs of the NIC's model, beyond one stretch of being slow: what a bucket holds after records of visits,
// what a queue pair has left over when it is slow again, and whose time-out may come when.
// Rules of rtl/nic/README.md: TIM-1, TIM-9, TIM-10, ECN-7, ECN-8, ECN-9, ECN-10.
#include "nic_lock.h"

enum { RING = 0x1000, RINGS = 7, EQ_AT = 0x6000, EQ_SIZE = 7, BUF = 0x20000, QP = 2, PROC = 1, PSN = 0x100 };
enum { VISIT = 1024, LATER = 4 * 16 + 8, FAR = 30, ALPHA = 1023 };

static node n;
static uint32_t psn;
static unsigned read_of;  // entries whose RetSend has come

static uint64_t rate_is(unsigned rate, unsigned target, unsigned alpha, bool slow) {
  return rate | (uint64_t)target << 16 | (uint64_t)alpha << 32 | (uint64_t)slow << 63;
}
static uint64_t regs(unsigned full, unsigned min, unsigned g, unsigned fast) {
  return full | (uint64_t)min << 16 | (uint64_t)g << 32 | (uint64_t)fast << 36;
}
static uint64_t raise_by(unsigned calm, unsigned time, unsigned add, unsigned hyper) {
  return calm | time << 8 | (uint64_t)add << 16 | (uint64_t)hyper << 32;
}

static void begin(uint64_t rate, uint64_t raise, unsigned mtu, unsigned timeout) {
  nic_config c;
  nic_config_default(&c);
  c.Window = 128;
  c.Requests = 64;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, PSN, PSN, CTL(mtu, 1, 2, 2, timeout));
  wr(&n, NIC_REG_NIC_RATE, rate);
  wr(&n, NIC_REG_NIC_RAISE, raise);
  psn = PSN;
  read_of = 0;
}
static void end(void) { node_free(&n); }

static void cnp_comes(void) {
  nic_head c = head(&n, 1, QP, NIC_OP_CNP, 0);
  comes(&n, &c);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_CNP, QP, named(NIC_OP_CNP, 0), 0), NIC_OK);
}
static nic_status visit(unsigned code, bool last, unsigned rate, unsigned target, unsigned alpha) {
  return record(&n, NIC_RET_RATE, last, code, QP, rate_is(rate, target, alpha, !last), 0);
}

// So many writes of `bytes` are to be sent, and their entries have been read.
static void post_writes(unsigned k, uint32_t bytes) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = bytes, .remote = BUF, .rkey = KEY};
  for (unsigned i = 0; i < k; i++) put_entry(n.mem[PROC] + RING + 64 * (read_of + i), &e);
  EQ(reg_write(&n, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, read_of + k), NIC_OK);
  for (; k; k--, read_of++) EQ(record(&n, NIC_RET_SEND, false, 0, QP, 0, read_of), NIC_OK);
}
static nic_status one_leaves(void) {
  uint32_t p = psn++;
  return record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, p), 1ull << 32);
}
// One more, which is posted now, so that it is not due before.
static nic_status write_leaves(void) {
  post_writes(1, 256);
  return one_leaves();
}
static nic_status no_progress_comes(void) { return record(&n, NIC_RET_TIMER, false, NIC_TM_NO_PROGRESS, QP, 0, 2); }

// As slow as can be counted: RATE 2, 64 bytes a visit, of which a packet of 256 takes 320.
static void very_slow(unsigned calm, unsigned mtu, unsigned timeout) {
  begin(regs(3, 1, 4, 5), raise_by(calm, 255, 0, 0), mtu, timeout);
  EQ(cycles(&n, 1), NIC_OK);
  cnp_comes();
  EQ(cycles(&n, 10), NIC_OK);
  EQ(visit(NIC_RT_CUT, false, 2, 3, ALPHA), NIC_OK);
}

// The bucket is filled by every visit: by those that change nothing and have no record, by those that have one, and by
// those behind it.
static void visits_fill(void) {
  const unsigned calm = 30, ahead = 65;  // packets that may be decided on, and one for a visit that was earlier
  for (unsigned k = 0; k < 3; k++) {
    very_slow(calm, 1, FAR);
    EQ(cycles(&n, 3 * turn_of(&n)), NIC_OK);  // what was decided on before has left: 17 visits
    EQ(3 * turn_of(&n) / VISIT, 17);
    post_writes(64, 256);
    for (unsigned i = 0; i < 64; i++) EQ(one_leaves(), NIC_OK);
    nic_head a = head(&n, 1, QP, NIC_OP_ACK, psn - 1);
    a.syndrome = NIC_SYN_ACK;
    comes(&n, &a);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_ANSWER, QP, named(NIC_OP_ACK, psn - 1), 1), NIC_OK);
    for (unsigned i = 0; i < 64; i++) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, i, QP), NIC_OK);
    for (unsigned i = 64; i < ahead + 1; i++) EQ(write_leaves(), NIC_OK);  // from 128 to below -65 x 320
    if (k == 0) EQ(write_leaves(), NIC_E_ORDER);
    if (k) {
      EQ(cycles(&n, calm * VISIT - 3 * turn_of(&n)), NIC_OK);
      EQ(visit(NIC_RT_CALM, false, 2, 3, 960), NIC_OK);             // 1023 - 63
      for (unsigned i = 0; i < 3; i++) EQ(write_leaves(), NIC_OK);  // 13 visits are 832 bytes
      EQ(cycles(&n, 5 * VISIT), NIC_OK);
      EQ(write_leaves(), NIC_OK);
      if (k == 1) EQ(write_leaves(), NIC_E_ORDER);
      if (k == 2) {
        EQ(cycles(&n, 5 * VISIT), NIC_OK);
        EQ(write_leaves(), NIC_OK);
      }
    }
    end();
  }
}

// What a bucket holds at most is a visit's worth, twice as far as the model knows: what it lets leave is counted to the
// byte.
static void to_the_byte(void) {
  for (uint32_t bytes = 64; bytes < 66; bytes++) {
    very_slow(255, 1, FAR);
    EQ(cycles(&n, 3 * turn_of(&n)), NIC_OK);
    for (unsigned i = 0; i < 60; i++) EQ(write_leaves(), NIC_OK);
    nic_head a = head(&n, 1, QP, NIC_OP_ACK, psn - 1);
    a.syndrome = NIC_SYN_ACK;
    comes(&n, &a);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_ANSWER, QP, named(NIC_OP_ACK, psn - 1), 1), NIC_OK);
    for (unsigned i = 60; i < 65; i++) EQ(write_leaves(), NIC_OK);
    post_writes(1, bytes);
    EQ(one_leaves(), NIC_OK);
    EQ(write_leaves(), bytes == 64 ? NIC_OK : NIC_E_ORDER);  // 128 - 65 x 320 - (64 + 64) is as little as may be
    end();
  }
}

// After a record, too, a packet is due as soon as the one before is paid for.
static void due_after_record(void) {
  very_slow(30, 1, FAR);
  EQ(cycles(&n, 28 * VISIT), NIC_OK);
  post_writes(2, 256);
  EQ(one_leaves(), NIC_OK);
  EQ(cycles(&n, 2 * VISIT), NIC_OK);
  EQ(visit(NIC_RT_CALM, false, 2, 3, 960), NIC_OK);
  EQ(cycles(&n, VISIT), NIC_OK);
  EQ(nic_held_back(n.m, QP), true);
  EQ(cycles(&n, VISIT + LATER + SLACK), NIC_OK);
  EQ(nic_held_back(n.m, QP), false);
  EQ(cycles(&n, turn_of(&n)), NIC_OK);
  overdue(&n, 4 * SLACK, "a packet of QP (2)");
  end();
}

// What is no longer slow sends packets that were decided on while it was: each of them starts the time of no progress.
static void ends_of_slow(void) {
  const uint64_t time = 1 << 13;
  for (unsigned k = 0; k < 3; k++) {
    begin(regs(3, 1, 4, 5), raise_by(255, 1, 10, 10), 1, 13);
    EQ(cycles(&n, 1), NIC_OK);
    cnp_comes();
    EQ(cycles(&n, 10), NIC_OK);
    EQ(visit(NIC_RT_CUT, false, 2, 3, ALPHA), NIC_OK);
    post_writes(k ? 2 : 1, 4);
    EQ(one_leaves(), NIC_OK);
    EQ(cycles(&n, VISIT), NIC_OK);
    EQ(visit(NIC_RT_RAISED, true, 3, 3, ALPHA), NIC_OK);  // (2 + 3 + 1) / 2
    EQ(cycles(&n, time / 2), NIC_OK);
    if (k) EQ(one_leaves(), NIC_OK);
    EQ(cycles(&n, time / 2 + late_of(&n)), NIC_OK);
    if (k == 0) overdue(&n, 3 * SLACK, "no progress of QP (2)");
    if (k) EQ(cycles(&n, time / 2), NIC_OK);
    if (k == 1) EQ(no_progress_comes(), NIC_OK);
    if (k == 2) overdue(&n, 3 * SLACK, "no progress of QP (2)");
    end();
  }
}

// A packet may have been decided on before its queue pair was slow: then nothing holds that back, and its time-out is
// legal as ever. One that was decided on long after has to be paid for first.
static void cut_behind(void) {
  for (unsigned k = 0; k < 2; k++) {
    very_slow(255, 5, 13);
    if (k) EQ(cycles(&n, 3 * turn_of(&n)), NIC_OK);
    post_writes(1, 4096);
    EQ(one_leaves(), NIC_OK);
    EQ(cycles(&n, 1 << 13), NIC_OK);
    EQ(no_progress_comes(), k ? NIC_E_ORDER : NIC_OK);
    if (k) CHECK(strstr(nic_reason(n.m), "held back"));
    end();
  }
}

// ---- by itself ------------------------------------------------------------------------------------------------------

static unsigned sent(void) {
  nic_head h;
  unsigned k = 0;
  nic_run(n.m);
  while (heard(&n, &h, NULL)) k++;
  return k;
}
static void want(uint32_t bytes) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = bytes, .remote = BUF, .rkey = KEY};
  post(&n, QP, PROC, RING, RINGS, &e);
}
static void cut_by_itself(void) {
  nic_head c = head(&n, 1, QP, NIC_OP_CNP, 0);
  say(&n, 1, &c, NULL);
  nic_run(n.m);
  nic_advance(n.m, VISIT);
}

// The bucket is empty after the visit at which it becomes slow, whatever it owed when it was slow before.
static void empty_again(void) {
  for (unsigned k = 0; k < 2; k++) {
    begin(regs(3, 1, 4, 5), raise_by(255, 255, 0, 0), 5, FAR);
    cut_by_itself();
    EQ(rd(&n, NIC_REG_QP_RATE + QP * NIC_REG_QP_RATE_STRIDE), rate_is(2, 3, ALPHA, true));
    want(4096);
    want(4096);
    EQ(sent(), 1);  // and now it owes 4160
    EQ(nic_held_back(n.m, QP), true);
    nic_advance(n.m, 20 * VISIT);
    EQ(sent(), 0);
    if (k) wr(&n, NIC_REG_NIC_RATE, regs(3, 1, 4, 5));  // forgotten
    EQ(sent(), k);
    EQ(nic_held_back(n.m, QP), !k);
    cut_by_itself();
    EQ(rd(&n, NIC_REG_QP_RATE + QP * NIC_REG_QP_RATE_STRIDE),
       k ? rate_is(2, 3, ALPHA, true) : rate_is(2, 2, ALPHA, true));
    want(4);
    EQ(sent(), k);
    want(4);
    EQ(sent(), 0);
    if (k) {
      nic_advance(n.m, VISIT);
      EQ(sent(), 0);  // -4
      nic_advance(n.m, VISIT);
      EQ(sent(), 1);
    }
    end();
  }
}

int main(void) {
  visits_fill();
  to_the_byte();
  due_after_record();
  ends_of_slow();
  cut_behind();
  empty_again();
  return report();
}
