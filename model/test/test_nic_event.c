// SPDX-License-Identifier: Apache-2.0
// Event rings of the NIC's model: what is written where, byte for byte, lap for lap, what has no place, and when a ring
// sends its MSI.
// Rules of rtl/nic/README.md: EVT-1, EVT-2, EVT-3, EVT-4, EVT-5, CNT-2.
#include "../src/nic/nic_state.h"
#include "nic_world.h"

enum { RING = 0x1000, EQ_AT = 0x8000, SIZE = 2, MSI = 0x9000, DATA = 0xdecade, BUF = 0x20000, QP = 2, PROC = 1 };
enum { PSN = 0x100, PLACES = 1 << SIZE };

static node n;
static uint32_t psn;
static nic_head h;

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  qp_connect(&n, QP, PROC, 1, 9, RING, 3, PSN, PSN, CTL(1, 1, 2, 2, 0));
  psn = PSN;
}
static void end(void) {
  EQ(n.early, 0);
  EQ(n.outside, 0);
  node_free(&n);
}

static void cons(uint32_t v) { wr(&n, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, v); }
static uint64_t sts(void) { return rd(&n, NIC_REG_EQ_STS + PROC * NIC_REG_EQ_STS_STRIDE); }

// A write of 4 bytes with this immediate; true: it is taken.
static bool put(uint32_t imm) {
  static const uint8_t pay[4] = {1, 2, 3, 4};
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, psn);
  w.va = BUF;
  w.rkey = KEY;
  w.length = w.bytes = 4;
  w.imm = imm;
  say(&n, 1, &w, pay);
  nic_run(n.m);
  CHECK(heard(&n, &h, NULL));
  EQ(h.opcode, NIC_OP_ACK);
  psn += h.syndrome == NIC_SYN_ACK;
  return h.syndrome == NIC_SYN_ACK;
}
// A request that the region refuses: its event has no place reserved.
static void refused(void) {
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, psn);
  w.va = BUF;
  w.rkey = KEY + 1;
  w.length = w.bytes = 4;
  static const uint8_t pay[4];
  say(&n, 1, &w, pay);
  nic_run(n.m);
  CHECK(heard(&n, &h, NULL));
  EQ(h.syndrome, NIC_SYN_NAK | 2);
}

static const done_write *last(void) { return &n.wr[(n.writes - 1) % WRITES]; }

// Place k of the ring says this, in its lap.
static void says(uint32_t k, unsigned kind, unsigned status, uint32_t word, uint32_t len, uint64_t addr) {
  uint8_t b[32] = {(uint8_t)kind, (uint8_t)status, QP, 0};
  put32(b + 4, word);
  put32(b + 8, len);
  put64(b + 16, addr);
  b[31] = !(k / PLACES & 1);
  CHECK(!memcmp(n.mem[PROC] + EQ_AT + 32 * (k % PLACES), b, 32));
}

static void laps(void) {
  begin();
  for (uint32_t k = 0; k < 5 * PLACES; k++) {
    CHECK(put(0x5a000000 + k));
    says(k, NIC_EV_IMM, 0, 0, 0x5a000000 + k, 0);
    const done_write *w = last();
    EQ(w->j.src, NIC_SRC_EVENT);
    EQ(w->j.va, EQ_AT + 32 * (k % PLACES));
    EQ(w->j.n, 32);
    EQ(w->j.rid, RID + PROC);
    EQ(w->j.after[NIC_SRC_RESP], k + 1);  // the bytes that it tells of
    EQ(sts(), k + 1);
    cons(k + 1);
  }
  EQ(cnt(&n, NIC_CNT_EVENTS), 5 * PLACES);
  end();
}

// A ring has as many places as it says. What must have one waits, what need not is dropped, and that is told and
// counted.
static void full(void) {
  begin();
  for (uint32_t k = 0; k < PLACES; k++) CHECK(put(k));
  CHECK(!put(9));
  EQ(h.syndrome >> 5, 1);  // not ready, and the event that says so has no place
  EQ(sts(), PLACES | NIC_EQ_STS_LOST_MASK);
  EQ(cnt(&n, NIC_CNT_EVENTS_DROPPED), 1);
  EQ(cnt(&n, NIC_CNT_EVENTS), PLACES);
  wr(&n, NIC_REG_EQ_STS + PROC * NIC_REG_EQ_STS_STRIDE, NIC_EQ_STS_LOST_MASK);
  cons(1);
  CHECK(put(9));
  says(PLACES, NIC_EV_IMM, 0, 0, 9, 0);
  refused();
  EQ(sts(), (PLACES + 1) | NIC_EQ_STS_LOST_MASK);
  EQ(cnt(&n, NIC_CNT_EVENTS_DROPPED), 2);
  cons(3);
  refused();
  says(PLACES + 1, NIC_EV_REFUSED, NIC_SYN_NAK | 2, NIC_WHY_REGION, 0, psn);
  EQ(last()->j.after[NIC_SRC_RESP], PLACES + 1);
  EQ(cnt(&n, NIC_CNT_EVENTS), PLACES + 2);
  EQ(cnt(&n, NIC_CNT_EVENTS_DROPPED), 2);
  end();
}

// What has its place reserved finds it, whatever comes meanwhile; a ring that is off has none.
static void reserved(void) {
  begin();
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
  for (unsigned k = 0; k < 3; k++) post(&n, QP, PROC, RING, 3, &e);
  nic_run(n.m);
  for (unsigned k = 0; k < 3; k++) CHECK(heard(&n, &h, NULL) && h.opcode == NIC_OP_WRITE_ONLY);
  CHECK(put(1));
  refused();
  EQ(sts(), 1 | NIC_EQ_STS_LOST_MASK);
  CHECK(!put(2));
  nic_head a = head(&n, 1, QP, NIC_OP_ACK, PSN);
  a.syndrome = NIC_SYN_ACK;
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  says(1, NIC_EV_SEND, NIC_ST_DONE, 0, 4, 0);
  cons(2);
  CHECK(put(2));  // 3 of 4 places are taken
  cons(3);
  wr(&n, NIC_REG_EQ_CTL + PROC * NIC_REG_EQ_CTL_STRIDE, SIZE);  // off
  CHECK(!put(3));
  uint64_t events = cnt(&n, NIC_CNT_EVENTS), dropped = cnt(&n, NIC_CNT_EVENTS_DROPPED);
  a.psn = PSN + 1;
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  EQ(cnt(&n, NIC_CNT_EVENTS), events);
  EQ(cnt(&n, NIC_CNT_EVENTS_DROPPED), dropped + 1);
  eq_on(&n, PROC, EQ_AT, 0);  // begins anew with one place, and that is still reserved
  CHECK(!put(3));
  a.psn = PSN + 2;
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  EQ(sts() & 0xffffffff, 1);
  cons(1);
  CHECK(put(3));
  EQ(nic_owes(n.m, NULL, 0), 0);
  end();
}

static unsigned msis(void) {
  static uint32_t seen;
  unsigned k = 0;
  nic_run(n.m);
  if (!n.writes) seen = 0;
  for (; seen != n.writes; seen++) {
    const done_write *w = &n.wr[seen % WRITES];
    if (w->j.va != MSI) continue;
    k++;
    EQ(w->j.src, NIC_SRC_EVENT);
    EQ(w->j.n, 4);
    EQ(w->j.rid, RID + PROC);
    EQ(get32(w->head), DATA);
  }
  return k;
}

// EVT-5: an armed ring with an event that is not consumed sends its MSI, once; a write of its consumer arms it.
static void interrupts(void) {
  begin();
  EQ(msis(), 0);
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, MSI);
  wr(&n, NIC_REG_EQ_MSID + PROC * NIC_REG_EQ_MSID_STRIDE, DATA);
  CHECK(put(0));
  EQ(msis(), 0);  // nobody has armed it
  cons(0);
  EQ(nic_owes(n.m, NULL, 0), 1);
  EQ(msis(), 1);
  EQ(nic_owes(n.m, NULL, 0), 0);
  CHECK(put(1));
  EQ(msis(), 0);  // once
  cons(2);
  EQ(msis(), 0);  // all is consumed
  CHECK(put(2));
  EQ(msis(), 1);
  EQ(nic_reg_write(n.m, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 2, 0xf0), NIC_OK);  // none of CONS
  EQ(msis(), 0);
  EQ(nic_reg_write(n.m, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 2, 8), NIC_OK);
  EQ(msis(), 1);
  cons(7);  // refused: it arms nothing
  EQ(msis(), 0);
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, 0);  // address 0: none, and it stays armed
  cons(2);
  EQ(msis(), 0);
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, MSI);
  EQ(msis(), 1);
  cons(2);
  wr(&n, NIC_REG_EQ_CTL + PROC * NIC_REG_EQ_CTL_STRIDE, SIZE);  // off before it has left: none
  unsigned before = msis();
  EQ(before, 0);
  eq_on(&n, PROC, EQ_AT, SIZE);  // and anew: not armed
  CHECK(put(3));
  EQ(msis(), 0);
  EQ(cnt(&n, NIC_CNT_EVENTS), 4);  // an MSI is none
  EQ(cnt(&n, NIC_CNT_EVENTS_DROPPED), 0);
  end();
}

// Rings of other processes: each by itself.
static void processes(void) {
  begin();
  for (unsigned p = 0; p < PROCS; p++) {
    if (p != PROC) eq_on(&n, p, EQ_AT + 0x1000 * p, p);
    wr(&n, NIC_REG_EQ_CONS + p * NIC_REG_EQ_CONS_STRIDE, 0);
    wr(&n, NIC_REG_EQ_MSIA + p * NIC_REG_EQ_MSIA_STRIDE, MSI + 16 * p);
  }
  for (unsigned p = 0; p < PROCS; p++) {
    EQ(nic_event_room(n.m, p, 1), true);
    EQ(nic_event_room(n.m, p, p == PROC ? PLACES : 1u << p), true);
    EQ(nic_event_room(n.m, p, (p == PROC ? PLACES : 1u << p) + 1), false);
  }
  EQ(nic_event_room(n.m, n.cfg.NumProcs, 1), false);
  CHECK(put(1));
  for (unsigned p = 0; p < PROCS; p++) EQ(rd(&n, NIC_REG_EQ_STS + p * NIC_REG_EQ_STS_STRIDE), p == PROC);
  EQ(last()->j.va, MSI + 16 * PROC);
  EQ(n.src_writes[NIC_SRC_EVENT], 2);
  // the last process there is, alone
  unsigned p = n.cfg.NumProcs - 1;
  n.m->eq[p] = (nic_ring){.en = true, .armed = true, .prod = 1, .size = 3, .msia = 0x40};
  n.m->perhaps.msis = true;
  nic_run(n.m);
  EQ(n.src_writes[NIC_SRC_EVENT], 3);
  EQ(last()->j.rid, RID + p);
  n.outside = 0;  // it has no memory here
  end();
}

int main(void) {
  laps();
  full();
  reserved();
  interrupts();
  processes();
  return report();
}
