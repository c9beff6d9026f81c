// SPDX-License-Identifier: Apache-2.0
// Time in lockstep: each bound of each timer, a cycle on either side of it, and what a NIC owes that does not come. The
// model makes its own way up to where a scenario begins; then this file is the hardware, cycle for cycle.
// Rules of rtl/nic/README.md: TIM-1, TIM-2, TIM-3, TIM-5, TIM-6, TIM-12, RSP-7, RSP-13.
#include "tocsin/nic_time.h"

#include "nic_world.h"

enum {
  RING = 0x1000,
  EQ_AT = 0x8000,
  EQ_SIZE = 4,
  MSI = 0x9000,
  BUF = 0x20000,
  QP = 2,
  PROC = 1,
  PSN = 0x100,
  BEAT = 32
};
enum { TIMEOUT = 10, TICK = 100, RNR = 9, UNITS = 24, SLACK = 8 /* upper bounds are looked at that often */ };

static node n;
static uint64_t late_;

static nic_status cycles(uint64_t k, unsigned held) {
  nic_status s = NIC_OK;
  while (k-- && s == NIC_OK) s = nic_cycle(n.m, BEAT, held);
  return s;
}

static nic_status record(unsigned kind, bool flag, unsigned code, unsigned idx, uint64_t a, uint64_t b) {
  nic_retire_rec r = {(uint8_t)kind, flag, (uint8_t)code, (uint8_t)idx, a, b};
  return nic_retire(n.m, &r);
}

static unsigned owes(void) {
  char text[120];
  unsigned k = nic_owes(n.m, text, sizeof text);
  CHECK(k ? text[0] : !text[0]);
  return k;
}

static void begin_with(unsigned responses) {
  nic_config c;
  nic_config_default(&c);
  if (responses) c.RespDepth = responses;
  node_init(&n, 0, &c);
  node_on(&n);
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, MSI);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  qp_connect(&n, QP, PROC, 1, 9, RING, 3, PSN, PSN, CTL(1, RNR, 2, 2, TIMEOUT));
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  late_ = nic_time_late(&c, BEAT);
  EQ(late_, 2 * 16 + 4 + 4 * 16 + 2 * 16 + 8 * (4096 / 32 + 8));
  EQ(owes(), 0);
  EQ(cycles(10, 0), NIC_OK);
}

static void begin(void) { begin_with(0); }
static void end(void) { node_free(&n); }

// A write of 4 bytes is under way from cycle 0 on.
static void begin_write(void) {
  begin();
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
  post(&n, QP, PROC, RING, 3, &e);
  nic_run(n.m);
  CHECK(n.out_tail == 1);
}

static nic_status no_progress_comes(void) {
  return record(NIC_RET_TIMER, false, NIC_TM_NO_PROGRESS, QP, 0, 2);  // epoch: on, back
}

static void no_progress(void) {
  begin_write();
  EQ(cycles((1 << TIMEOUT) - 1, 0), NIC_OK);
  EQ(no_progress_comes(), NIC_E_TIME);
  end();
  for (unsigned held = 0; held < 2; held++) {  // the lower bound counts all cycles
    begin_write();
    EQ(cycles(1 << TIMEOUT, held ? NIC_HELD_READ : 0), NIC_OK);
    EQ(no_progress_comes(), NIC_OK);
    end();
  }
  begin_write();
  EQ(cycles((1 << TIMEOUT) + late_, 0), NIC_OK);
  EQ(no_progress_comes(), NIC_OK);
  end();
  begin_write();
  EQ(cycles((1 << TIMEOUT) + late_, 0), NIC_OK);
  EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
  CHECK(strstr(nic_reason(n.m), "no progress of QP (2)"));
  end();
  for (unsigned k = 0; k < 3; k++) {  // held from outside it may take any time
    begin_write();
    EQ(cycles(100000, NIC_HELD_READ << k), NIC_OK);
    end();
  }
}

// A peer's frame comes in, and its RetRx.
static void hear(const nic_head *h, const uint8_t *pay) {
  say(&n, 1, h, pay);
  EQ(record(NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
}

static void told_to_wait(void) {
  begin_write();
  nic_head h = head(&n, 1, QP, NIC_OP_ACK, PSN);
  h.syndrome = NIC_SYN_RNR | RNR;
  hear(&h, NULL);
  EQ(record(NIC_RET_FRAME, false, NIC_FR_BACK, QP, (uint64_t)NIC_OP_ACK << 24 | PSN, 1), NIC_OK);
}

static void rnr(void) {
  told_to_wait();
  EQ(cycles(UNITS * TICK - 1, 0), NIC_OK);
  EQ(record(NIC_RET_TIMER, false, NIC_TM_RNR, QP, 0, 2), NIC_E_TIME);
  end();
  told_to_wait();
  EQ(cycles(UNITS * TICK, 0), NIC_OK);
  EQ(record(NIC_RET_TIMER, false, NIC_TM_RNR, QP, 0, 2), NIC_OK);
  end();
  told_to_wait();
  EQ(cycles((UNITS + 1) * TICK + late_, 0), NIC_OK);
  EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
  CHECK(strstr(nic_reason(n.m), "RNR wait of QP (2)"));
  end();
  told_to_wait();  // units of another length: no bound
  EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_NIC_TICK, 5), NIC_OK);
  EQ(cycles(10 * UNITS * TICK, 0), NIC_OK);
  end();
}

// What follows a write with immediate that asks for an ACK: ACK, event, MSI, each owed until its record.
static void owed(void) {
  static uint8_t pay[4];
  for (unsigned step = 0; step < 6; step++) {
    begin();
    nic_head h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
    h.va = BUF;
    h.rkey = KEY;
    h.length = h.bytes = 4;
    wr(&n, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 0);
    say(&n, 1, &h, pay);
    EQ(owes(), 2);  // RetRx, RetFrame
    uint64_t bound = NIC_TIME_RX, a = (uint64_t)NIC_OP_WRITE_ONLY_IMM << 24 | PSN;
    if (step > 0) EQ(record(NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
    if (step > 0) bound = late_;
    if (step > 1) EQ(record(NIC_RET_FRAME, false, NIC_FR_DONE, QP, a, 0), NIC_OK);
    if (step == 2) EQ(owes(), 2);  // ACK, event
    if (step > 2) EQ(record(NIC_RET_EVENT, false, NIC_EV_IMM, PROC, 0, QP), NIC_OK);
    if (step > 3) EQ(record(NIC_RET_TX, false, NIC_TX_ACK, QP, (uint64_t)NIC_OP_ACK << 24 | PSN, 0), NIC_OK);
    if (step == 4) EQ(owes(), 1);
    if (step > 4) EQ(record(NIC_RET_EVENT, false, NIC_EV_MSI, PROC, 1, 0), NIC_OK);
    EQ(owes() == 0, step == 5);
    EQ(cycles(bound, 0), NIC_OK);
    EQ(cycles(3 * SLACK, 0), step < 5 ? NIC_E_TIME : NIC_OK);
    end();
  }
}

static void power(void) {
  begin();
  EQ(record(NIC_RET_REG_WRITE, false, 0, 1, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0), NIC_OK);
  EQ(owes(), 1);
  EQ(cycles(late_ + 16 * 16, 0), NIC_OK);
  EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
  end();
}

static void entry_owed(void) {
  begin();
  EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, 1), NIC_OK);
  EQ(owes(), 1);
  uint64_t turn = late_ + 16 * (2 * (4096 / 32 + 8) + 16);
  EQ(cycles(turn, 0), NIC_OK);
  EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
  end();
  begin();
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
  put_entry(n.mem[PROC] + RING, &e);
  EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, 1), NIC_OK);
  EQ(record(NIC_RET_SEND, false, 0, QP, 0, 0), NIC_OK);
  EQ(owes(), 1);  // its packet
  EQ(cycles(turn, 0), NIC_OK);
  EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
  end();
}

// A write's ACK is owed from its RetFrame on, and again when another has come while the first one was leaving.
static void ack_owed(void) {
  nic_self self = {.mac = mac_of(1), .ip = ip_of(1)};
  uint64_t turn = late_ + 16 * (2 * (4096 / 32 + 8) + 16), ack = (uint64_t)NIC_OP_ACK << 24;
  for (unsigned k = 0; k < 4; k++) {
    begin();
    for (uint32_t p = 0; p < 2; p++) {
      uint8_t b[NIC_FRAME_MAX];
      nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + p);
      EQ(nic_rx(n.m, b, nic_frame_build(&self, &w, b, b), false), NIC_OK);
      EQ(record(NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
      uint64_t a = (uint64_t)NIC_OP_WRITE_ONLY << 24 | (PSN + p);
      EQ(record(NIC_RET_FRAME, k == 1 && p, NIC_FR_DONE, QP, a, 0), NIC_OK);  // 1: they meet; else the first is leaving
    }
    EQ(owes(), k == 1 ? 1 : 2);
    if (k == 0) EQ(record(NIC_RET_TX, false, NIC_TX_ACK, QP, ack | (PSN + 1), 0), NIC_E_MISMATCH);
    if (k == 1) EQ(record(NIC_RET_TX, false, NIC_TX_ACK, QP, ack | (PSN + 1), 0), NIC_OK);
    if (k == 2) EQ(record(NIC_RET_TX, false, NIC_TX_ACK, QP, ack | PSN, 0), NIC_OK);
    if (k == 2 || k == 3) {
      EQ(owes(), k - 1);
      EQ(cycles(turn, 0), NIC_OK);
      EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
    }
    if (k == 1) {
      EQ(owes(), 0);
      EQ(record(NIC_RET_TX, false, NIC_TX_ACK, QP, ack | (PSN + 1), 0), NIC_E_ORDER);
    }
    end();
  }
}

// A log's task that finds no queue is tried again one to two ticks later.
static void refused_task(void) {
  for (unsigned k = 0; k < 3; k++) {
    begin();
    uint64_t b = PROC, mine = NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB | 5;
    EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_XT_LOG, mine), NIC_OK);
    EQ(nic_task(n.m, 0, 16, 0), NIC_OK);
    EQ(owes(), 1);
    EQ(record(NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, b), NIC_OK);
    EQ(owes(), 0);
    uint64_t turn = late_ + 8 * (16 + 4096 / 32 + 8);
    EQ(cycles(k == 0 ? TICK - 1 : k == 1 ? TICK : 2 * TICK + turn, 0), NIC_OK);
    if (k < 2) EQ(record(NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, b), k ? NIC_OK : NIC_E_TIME);
    if (k == 2) EQ(cycles(3 * SLACK, 0), NIC_E_TIME);
    end();
  }
}

// A read of `len` bytes from the peer's queue pair of queue pair i, which is told to be decided on as `code` says.
static nic_status asked(unsigned i, uint32_t len, unsigned code) {
  nic_self self = {.mac = mac_of(1), .ip = ip_of(1)};
  uint8_t b[NIC_FRAME_MAX];
  nic_head r = head(&n, 1, i, NIC_OP_READ_REQ, PSN);
  r.va = BUF;
  r.rkey = KEY;
  r.length = len;
  EQ(nic_rx(n.m, b, nic_frame_build(&self, &r, NULL, b), false), NIC_OK);
  EQ(record(NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
  return record(NIC_RET_FRAME, false, code, i, (uint64_t)NIC_OP_READ_REQ << 24 | PSN, 0);
}

// Of two places one is taken, and the other's response has left: whole, or cut short by a page that is absent. A third
// read may find no room for a while, and no longer.
static void room(void) {
  for (unsigned k = 0; k < 8; k++) {
    bool cut = k & 1, after = k & 2, refused = k & 4;
    begin_with(2);
    for (unsigned i = QP + 1; i < QP + 3; i++)
      qp_connect(&n, i, PROC, 1, 9, RING, 3, PSN, PSN, CTL(1, RNR, 2, 2, TIMEOUT));
    region(&n, 0, KEY, PROC, BUF, 0x1000, RWA | NIC_MR_KEY_PAGED_MASK);
    n.absent = cut ? BUF : 0;
    EQ(asked(QP, 100, NIC_FR_DONE), NIC_OK);
    EQ(asked(QP + 1, 100, NIC_FR_DONE), NIC_OK);
    uint64_t a = (uint64_t)(cut ? NIC_OP_ACK : NIC_OP_READ_ONLY) << 24 | PSN;
    EQ(record(NIC_RET_TX, false, cut ? NIC_TX_ABSENT : NIC_TX_READ, QP, a, 0), NIC_OK);
    EQ(cycles((cut ? late_ : 4096 / BEAT + 8) + after, 0), NIC_OK);
    EQ(asked(QP + 2, 100, refused ? NIC_FR_NO_ROOM : NIC_FR_DONE), refused && after ? NIC_E_MISMATCH : NIC_OK);
    end();
  }
}

int main(void) {
  no_progress();
  rnr();
  owed();
  power();
  entry_owed();
  ack_owed();
  refused_task();
  room();
  return report();
}
