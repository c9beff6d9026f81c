// SPDX-License-Identifier: Apache-2.0
// What comes too late in lockstep: each thing that the NIC owes has a time of its own, which the record of another does
// not begin anew, and what comes behind it has all of its time from that record on.
// Rules of rtl/nic/README.md: TIM-1, TIM-3, TIM-4, TIM-5, TIM-6, TIM-11, TIM-12, REQ-13.
#include "nic_lock.h"

enum { RING = 0x1000, RINGS = 4, EQ_AT = 0x8000, EQ_SIZE = 5, MSI = 0x9000, BUF = 0x20000, PROC = 1, PSN = 0x100 };
enum { QP = 2, OTHER = 3, TIMEOUT = 10, TICK = 100, RNR = 9 };

static node n;

static void begin_with(unsigned contexts, unsigned timeout) {
  nic_config c;
  nic_config_default(&c);
  c.Contexts = contexts;
  node_init(&n, 0, &c);
  node_on(&n);
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, MSI);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  if (contexts) {
    ctx_on(&n);
    return;
  }
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, PSN, PSN, CTL(1, RNR, 2, 2, timeout));
  qp_connect(&n, OTHER, PROC, 1, 10, RING + 0x1000, RINGS, PSN, PSN, CTL(1, RNR, 2, 2, timeout));
  EQ(cycles(&n, 10), NIC_OK);
}
static void begin(void) { begin_with(0, 0); }
static void end(void) { node_free(&n); }

static void put_entries(unsigned qp, unsigned k, uint32_t bytes) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = bytes, .remote = BUF, .rkey = KEY};
  for (unsigned i = 0; i < k; i++) put_entry(n.mem[PROC] + RING + (qp == OTHER ? 0x1000 : 0) + 64 * i, &e);
  EQ(reg_write(&n, NIC_REG_QP_PROD + qp * NIC_REG_QP_PROD_STRIDE, k), NIC_OK);
}
static nic_status entry_read(unsigned qp, unsigned k) { return record(&n, NIC_RET_SEND, false, 0, qp, 0, k); }
static nic_status leaves(unsigned opcode, uint32_t psn, unsigned k) {
  return record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(opcode, psn), 1ull << 32 | k);
}

// A write with immediate, done, and its event; its ACK is not asked for.
static void immediate(uint32_t k) {
  nic_head h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN + k);
  h.ack_req = false;
  comes(&n, &h);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN + k), 0), NIC_OK);
  EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_IMM, PROC, k, QP), NIC_OK);
}

// Events that come meanwhile put no MSI off, and an MSI is not put off by another process' either.
static void msi(void) {
  for (unsigned k = 0; k < 3; k++) {
    begin();
    wr(&n, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 0);
    immediate(0);
    EQ(cycles(&n, late_of(&n) / 2), NIC_OK);
    if (k) immediate(1);
    EQ(cycles(&n, late_of(&n) - late_of(&n) / 2), NIC_OK);
    if (k == 2) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_MSI, PROC, 2, 0), NIC_OK);
    if (k < 2)
      overdue(&n, 3 * SLACK, "the MSI of process (1)");
    else
      EQ(cycles(&n, 2 * late_of(&n)), NIC_OK);
    end();
  }
  // another event of the process is owed, and an MSI in between is none of its business
  begin();
  nic_head h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN + 1);
  h.ack_req = false;
  immediate(0);
  comes(&n, &h);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN + 1), 0), NIC_OK);
  EQ(cycles(&n, late_of(&n) / 2), NIC_OK);
  EQ(reg_write(&n, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 0), NIC_OK);
  EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_MSI, PROC, 1, 0), NIC_OK);
  EQ(cycles(&n, late_of(&n) - late_of(&n) / 2), NIC_OK);
  overdue(&n, 3 * SLACK, "an event of process (1)");
  end();
}

// A requester's turns: each entry, and each packet, has one of its own, and those of others do not lengthen it.
static void turns(void) {
  begin();
  put_entries(QP, 3, 0);
  for (unsigned k = 0; k < 3; k++) {  // entries
    EQ(cycles(&n, turn_of(&n)), NIC_OK);
    EQ(entry_read(QP, k), NIC_OK);
    EQ(leaves(NIC_OP_WRITE_ONLY, PSN + k, 0), NIC_OK);
  }
  EQ(cycles(&n, 2 * turn_of(&n)), NIC_OK);  // nothing further is posted
  end();
  begin();
  put_entries(QP, 1, 3 * 256);
  EQ(entry_read(QP, 0), NIC_OK);
  for (unsigned k = 0; k < 3; k++) {  // packets
    EQ(cycles(&n, turn_of(&n)), NIC_OK);
    EQ(leaves(k == 0 ? NIC_OP_WRITE_FIRST : k == 1 ? NIC_OP_WRITE_MIDDLE : NIC_OP_WRITE_LAST, PSN + k, k), NIC_OK);
  }
  EQ(cycles(&n, 2 * turn_of(&n)), NIC_OK);
  end();
  for (unsigned k = 0; k < 2; k++) {  // the other's entry, and one's own packet, change nothing
    begin();
    put_entries(QP, 2, 0);
    put_entries(OTHER, 2, 0);
    if (k) EQ(entry_read(QP, 0), NIC_OK);
    EQ(cycles(&n, turn_of(&n) / 2), NIC_OK);
    EQ(k ? leaves(NIC_OP_WRITE_ONLY, PSN, 0) : entry_read(OTHER, 0), NIC_OK);
    EQ(cycles(&n, turn_of(&n) - turn_of(&n) / 2), NIC_OK);
    overdue(&n, 3 * SLACK, "reading an entry of QP (2)");
    end();
  }
}

// Responses leave in order, each packet in a turn; so do acknowledgements.
static void answers(void) {
  begin();
  nic_head r = head(&n, 1, QP, NIC_OP_READ_REQ, PSN);
  r.va = BUF;
  r.rkey = KEY;
  r.length = 3 * 256;
  comes(&n, &r);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_READ_REQ, PSN), 0), NIC_OK);
  static const uint8_t ops[] = {NIC_OP_READ_FIRST, NIC_OP_READ_MIDDLE, NIC_OP_READ_LAST};
  for (unsigned k = 0; k < 3; k++) {
    EQ(cycles(&n, turn_of(&n)), NIC_OK);
    EQ(record(&n, NIC_RET_TX, false, NIC_TX_READ, QP, named(ops[k], PSN + k), k), NIC_OK);
  }
  EQ(cycles(&n, 2 * turn_of(&n)), NIC_OK);
  r.psn = PSN + 3;
  comes(&n, &r);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_READ_REQ, PSN + 3), 0), NIC_OK);
  EQ(cycles(&n, turn_of(&n)), NIC_OK);
  overdue(&n, 3 * SLACK, "a response (0)");
  end();
  begin();
  for (unsigned k = 0; k < 3; k++) {
    nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + k);
    comes(&n, &w);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY, PSN + k), 0), NIC_OK);
    EQ(cycles(&n, turn_of(&n)), NIC_OK);
    if (k < 2) EQ(record(&n, NIC_RET_TX, false, NIC_TX_ACK, QP, named(NIC_OP_ACK, PSN + k), 0), NIC_OK);
    if (k == 2) overdue(&n, 3 * SLACK, "an acknowledgement of QP (2)");
  }
  end();
}

// Frames are judged and decided on one by one.
static void frames(void) {
  begin();
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN);
  w.ack_req = false;
  static const uint8_t none[4];
  for (unsigned k = 0; k < 3; k++) w.psn = PSN + k, say(&n, 1, &w, none);
  for (unsigned k = 0; k < 3; k++) {
    EQ(cycles(&n, NIC_TIME_RX), NIC_OK);
    EQ(record(&n, NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
  }
  for (unsigned k = 0; k < 3; k++) {
    EQ(cycles(&n, late_of(&n) - (k ? 0 : 3 * NIC_TIME_RX)), NIC_OK);
    if (k < 2) EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY, PSN + k), 0), NIC_OK);
  }
  overdue(&n, 3 * SLACK, "RetFrame");
  end();
  begin();
  say(&n, 1, &w, none);
  EQ(cycles_held(&n, NIC_TIME_RX, NIC_HELD_WIRE), NIC_OK);
  EQ(cycles_held(&n, 3 * SLACK, NIC_HELD_WIRE), NIC_E_TIME);  // held or not
  CHECK(strstr(nic_reason(n.m), "RetRx"));
  end();
}

// Commands on the tables of XTQ, one after the other.
static void commands(void) {
  begin();
  for (unsigned k = 0; k < 3; k++) {
    EQ(reg_write(&n, NIC_REG_XT_CMD, k), NIC_OK);
    EQ(cycles(&n, late_of(&n)), NIC_OK);
    if (k < 2) EQ(record(&n, NIC_RET_TABLE, false, 0, PROC - 1, k, 0), NIC_OK);
  }
  overdue(&n, 3 * SLACK, "RetTable");
  end();
}

// Two logs, of which one has its task refused: it waits for a tick or two, and the other has its time as ever.
static void logs(void) {
  for (unsigned k = 0; k < 3; k++) {
    begin();
    uint64_t mine = NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB | 5;
    uint64_t bound = late_of(&n) + n.cfg.NumLogs * (16 + 4096 / 32 + 8);
    for (unsigned i = 0; i < 2; i++) EQ(reg_write(&n, NIC_REG_XT_LOG + 8 * i, mine), NIC_OK);
    for (unsigned i = 0; i < (k ? 2 : 1); i++) EQ(nic_task(n.m, i, 16, 0), NIC_OK);
    EQ(cycles(&n, bound / 2), NIC_OK);
    EQ(record(&n, NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, PROC), NIC_OK);
    if (k < 2) {
      EQ(cycles(&n, bound - bound / 2), NIC_OK);
      if (k == 0) EQ(cycles(&n, 2 * TICK + bound / 2), NIC_OK);
      if (k == 0) EQ(record(&n, NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, PROC), NIC_OK);
      if (k == 0) EQ(cycles(&n, 2 * TICK + bound), NIC_OK);
      overdue(&n, 3 * SLACK, k ? "the task of log (1)" : "the task of log (0)");
    } else {
      EQ(reg_write(&n, NIC_REG_XT_LOG + 8, 0), NIC_OK);       // what is off has nothing to tell
      EQ(reg_write(&n, NIC_REG_NIC_TICK, 3 * TICK), NIC_OK);  // of which unit nobody can say
      EQ(cycles(&n, 10 * bound), NIC_OK);
      EQ(record(&n, NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, PROC), NIC_OK);
    }
    end();
  }
}

// The task of a message comes with its RetFrame, and changes nothing for the task of a log.
static void messages(void) {
  for (unsigned k = 0; k < 2; k++) {
    uint8_t c[64];
    begin();
    uint64_t bound = late_of(&n) + n.cfg.NumLogs * (16 + 4096 / 32 + 8);
    table(&n, PROC, QUEUE, 1, 0x40000, 0x50000, 0x60000, VALID | 2 << 1);
    table(&n, PROC, FUNCTION, 2, 0xc0de, 0, 0, VALID);
    command(c, FUNCTION, 2, 1);
    EQ(reg_write(&n, NIC_REG_XT_LOG, NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB | 5), NIC_OK);
    if (k) EQ(nic_task(n.m, 0, 16, 0), NIC_OK);
    EQ(cycles(&n, bound / 2), NIC_OK);
    nic_head x = head(&n, 1, QP, NIC_OP_XTQ_ONLY, PSN);
    x.ack_req = false;
    x.xtq_kind = FUNCTION;
    x.xtq_proc = PROC;
    x.length = x.bytes = 64;
    say(&n, 1, &x, c);
    EQ(record(&n, NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_XTQ_ONLY, PSN), 0), NIC_OK);
    if (k) EQ(record(&n, NIC_RET_TASK, false, 0, 1, 0, PROC), NIC_OK);
    if (k) EQ(cycles(&n, bound - bound / 2), NIC_OK);
    overdue(&n, 3 * SLACK, k ? "the task of log (0)" : "a message's RetTask");
    end();
  }
}

// An event is late by its own time, not by that of the day.
static void late_event(void) {
  begin();
  EQ(cycles(&n, 5 * late_of(&n)), NIC_OK);
  nic_head h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
  h.ack_req = false;
  comes(&n, &h);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN), 0), NIC_OK);
  EQ(cycles(&n, late_of(&n)), NIC_OK);
  overdue(&n, 3 * SLACK, "an event of process (1)");
  end();
}

// TIM-11: where contexts are on a frame waits for two moves and a turn more.
static void contexts(void) {
  for (unsigned k = 0; k < 3; k++) {
    begin_with(k < 2 ? 16 : 0, 0);
    EQ(cycles(&n, 10), NIC_OK);
    uint64_t move = 16 * (31 + 4 * n.cfg.Replay) + (3 + 2 * n.cfg.Replay) * (4096 / 32 + 8) + 16 * n.cfg.NumQps;
    EQ(nic_time_move(&n.cfg, BEAT), move);
    for (unsigned c = 0; c < 2 && k < 2; c++)
      ctx_connect(&n, c, PROC, 1, c, RING + 0x1000 * c, RINGS, PSN, PSN, CTL(1, RNR, 2, 2, 0));
    nic_head w = head(&n, 1, k ? QP : 0, NIC_OP_WRITE_ONLY, PSN);
    comes(&n, &w);
    EQ(cycles(&n, late_of(&n) + (k < 2 ? 2 * move + turn_of(&n) : 0)), NIC_OK);
    overdue(&n, 3 * SLACK, "RetFrame");
    end();
  }
}

// Two writes are under way.
static void begin_writes(void) {
  begin_with(0, TIMEOUT);
  put_entries(QP, 2, 0);
  for (unsigned k = 0; k < 2; k++) EQ(entry_read(QP, k), NIC_OK);
  for (unsigned k = 0; k < 2; k++) EQ(leaves(NIC_OP_WRITE_ONLY, PSN + k, 0), NIC_OK);
}
static nic_head ack_of(uint32_t psn) {
  nic_head h = head(&n, 1, QP, NIC_OP_ACK, psn);
  h.syndrome = NIC_SYN_ACK;
  return h;
}
static nic_status request_ended(unsigned k) { return record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, k, QP); }
static nic_status acknowledged(uint32_t psn) {
  return record(&n, NIC_RET_FRAME, false, NIC_FR_ANSWER, QP, named(NIC_OP_ACK, psn), 1);
}

// An answer is progress as soon as it is looked at: no time-out is due while the requests before it end, which may take
// until its RetFrame. From there on the time begins anew.
static void progress(void) {
  const uint64_t time = 1 << TIMEOUT;
  for (unsigned k = 0; k < 3; k++) {
    begin_writes();
    nic_head a = ack_of(PSN);
    EQ(cycles(&n, time + late_of(&n) - 2 * SLACK), NIC_OK);
    comes(&n, &a);
    if (k) EQ(request_ended(0), NIC_OK);
    if (!k) overdue(&n, 6 * SLACK, "no progress of QP (2)");
    if (k) {
      EQ(cycles(&n, late_of(&n) / 2), NIC_OK);
      EQ(acknowledged(PSN), NIC_OK);
      EQ(cycles(&n, k == 1 ? time - 1 : time + late_of(&n)), NIC_OK);
    }
    if (k == 1) EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_NO_PROGRESS, QP, 0, 2), NIC_E_TIME);
    if (k == 2) overdue(&n, 3 * SLACK, "no progress of QP (2)");
    end();
  }
}

// What is turned off has nothing to do but to say that it is quiet, and then no time runs.
static void off(void) {
  begin_writes();
  EQ(reg_write(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0), NIC_OK);
  EQ(cycles(&n, late_of(&n) + 16 * 16), NIC_OK);
  EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_QUIET, QP, 0, 2), NIC_OK);
  EQ(cycles(&n, 10 * turn_of(&n)), NIC_OK);
  end();
  begin_writes();  // what the other is turned off for does not lengthen one's own time
  EQ(cycles(&n, 1 << TIMEOUT), NIC_OK);
  EQ(reg_write(&n, NIC_REG_QP_CTL + OTHER * NIC_REG_QP_CTL_STRIDE, 0), NIC_OK);
  EQ(cycles(&n, late_of(&n) / 2), NIC_OK);
  EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_QUIET, OTHER, 0, 2), NIC_OK);
  EQ(cycles(&n, late_of(&n) - late_of(&n) / 2), NIC_OK);
  overdue(&n, 3 * SLACK, "no progress of QP (2)");
  end();
}

int main(void) {
  msi();
  turns();
  answers();
  frames();
  commands();
  logs();
  messages();
  late_event();
  contexts();
  progress();
  off();
  return report();
}
