// SPDX-License-Identifier: Apache-2.0
// xtq_task and xtq_table while memory is slow: what waits for what, whose slot it is, and records of hardware that
// refuse a task.
// Rules of rtl/xtq/README.md: ENQ-2, ENQ-4, ENQ-5, TBL-1, TBL-2, TBL-5, TBL-6, TSK-1, TSK-2.
#include "nic_world.h"

enum {
  EQ = 0x8000,
  EQ_SIZE = 5,
  RING = 0x10000,  // of the queues: + 0x1000 * index; 4 slots
  BLOCK = 0x10800,
  BELL = 0x10900,
  CODE = 0x40de0000,
  TABLES = 0x70000,
  QP = 1,
  PROC = 1,
  PSN = 100,
  MIRRORED = 2,
  NONE = 7  // a queue that is not valid
};

static node n;
static uint8_t msg[64];
static uint32_t psn;

static uint8_t *at(uint64_t va) { return n.mem[PROC] + va; }
static uint8_t *slot(unsigned queue, unsigned i) { return at(RING + 0x1000 * queue + 64 * i); }

static void begin(unsigned cache) {
  nic_config c;
  nic_config_default(&c);
  c.TableCache = cache;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  for (unsigned p = 0; p < PROCS; p++) wr(&n, NIC_REG_XT_BASE + p * NIC_REG_XT_BASE_STRIDE, TABLES);
  qp_connect(&n, QP, PROC, 1, 9, 0x1000, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  for (unsigned q = 0; q < 4; q++) {
    for (unsigned k = 0; k < 4; k++) *slot(q, k) = 1;
    table(&n, PROC, QUEUE, q, RING + 0x1000 * q, BELL + 0x1000 * q, BLOCK + 0x1000 * q,
          VALID | 2 << 1 | (q == MIRRORED || cache ? MIRROR : 0));
  }
  table(&n, PROC, FUNCTION, 2, CODE, 0, 0, VALID);
  psn = PSN;
}

// A log whose tasks go into a queue; their packets say which log's they are.
static void log_on(unsigned log, unsigned proc, unsigned queue) {
  wr(&n, NIC_REG_XT_TPL + 64 * log, 4 | 0x14 << 8);
  wr(&n, NIC_REG_XT_LOG + 8 * log, NIC_XT_LOG_EN_MASK | (uint64_t)proc << NIC_XT_LOG_PROC_LSB | queue);
}

static void message(unsigned queue) {
  command(msg, FUNCTION, 2, queue);
  nic_head r = head(&n, 1, QP, NIC_OP_XTQ_ONLY, psn++);
  r.xtq_kind = FUNCTION;
  r.xtq_proc = PROC;
  r.length = 64;
  r.bytes = 64;
  say(&n, 1, &r, msg);
}

// Memory answers all that it is asked.
static void settle(void) {
  for (unsigned k = 0; k < 100; k++) {
    nic_run(n.m);
    if (!n.num_asks) break;
    answer_one(&n, 0);
  }
}

static void end(void) {
  EQ(nic_pending(n.m), 0);
  EQ(n.early + n.outside, 0);
  node_free(&n);
}

// ENQ-2: read_index is read first, write_index when all that was written for earlier tasks has left.
static void indices(void) {
  begin(0);
  message(MIRRORED);
  nic_run(n.m);
  table(&n, PROC, QUEUE, MIRRORED, RING + 0x2000, BELL + 0x2000, BLOCK + 0x2000, VALID | 2 << 1 | MIRROR);
  EQ(n.src_writes[NIC_SRC_TASK], 4);  // body, header, write_index, doorbell
  n.late = true;
  message(MIRRORED);
  nic_run(n.m);
  EQ(n.num_asks, 1);
  EQ(n.asks[0].j.va, BLOCK + 0x2000 + 128);
  EQ(n.asks[0].j.n, 8);
  answer_one(&n, 0);
  nic_run(n.m);
  EQ(n.num_asks, 1);
  EQ(n.asks[0].j.va, BLOCK + 0x2000 + 56);
  EQ(n.asks[0].j.after[NIC_SRC_TASK], 4);
  settle();
  EQ(slot(MIRRORED, 1)[0], 4);
  EQ(get64(at(BLOCK + 0x2000 + 56)), 2);
  end();
}

// A slot is a message's or a task's, not both's, whoever's reads are answered first.
static void own_slots(void) {
  for (unsigned task_first = 0; task_first < 2; task_first++) {
    begin(0);
    log_on(3, PROC, 0);
    n.late = true;
    if (!task_first) message(0);
    nic_run(n.m);
    EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
    nic_run(n.m);
    if (task_first) message(0);
    settle();
    EQ(slot(0, 0)[0], 4);
    EQ(slot(0, 1)[0], 4);
    EQ(slot(0, 2)[0], 1);
    EQ(get64(at(BELL)), 1);
    unsigned task = task_first ? 0 : 1;
    EQ(get64(slot(0, task) + 16), 3);
    EQ(get64(slot(0, task) + 24), 0x80);
    EQ(get64(slot(0, task) + 32), 0x40);
    EQ(get64(slot(0, !task) + 8), CODE);
    wr(&n, NIC_REG_XT_TASK_DONE, 3);
    end();
  }
}

// Two logs whose tasks wait for memory at the same time, and one that can never be enqueued: the others do not mind.
static void logs(void) {
  begin(0);
  log_on(0, 15, 0);  // of no process
  log_on(2, PROC, NONE);
  log_on(3, PROC, 0);
  log_on(5, PROC, MIRRORED);
  put64(at(BLOCK + 56), 1);
  put64(at(BLOCK + 128), 1);
  put64(at(BLOCK + 0x2000 + 56), 2);
  put64(at(BLOCK + 0x2000 + 128), 2);
  n.late = true;
  EQ(nic_task(n.m, 0, 1, 0), NIC_OK);
  EQ(nic_task(n.m, 2, 2, 0), NIC_OK);
  EQ(nic_task(n.m, 3, 3, 0), NIC_OK);
  EQ(nic_task(n.m, 5, 5, 0), NIC_OK);
  settle();
  EQ(slot(0, 1)[0], 4);
  EQ(get64(slot(0, 1) + 24), 3);
  EQ(get64(at(BELL)), 1);
  EQ(slot(MIRRORED, 2)[0], 4);
  EQ(get64(slot(MIRRORED, 2) + 24), 5);
  EQ(get64(at(BELL + 0x2000)), 2);
  nic_advance(n.m, 1000);
  settle();
  EQ(nic_pending(n.m), 2);
  log_on(0, PROC, 1);  // each goes on when it can
  table(&n, PROC, QUEUE, NONE, RING + 0x3000, BELL + 0x3000, BLOCK + 0x3000, VALID | 2 << 1);
  nic_advance(n.m, 1000);
  settle();
  EQ(get64(slot(1, 0) + 24), 1);
  EQ(get64(slot(3, 0) + 24), 2);
  end();
}

// ENQ-4: of queues with other producers each task claims one slot, also if several wait for memory.
static void claims(void) {
  begin(0);
  for (unsigned q = 0; q < 3; q++) {
    table(&n, PROC, QUEUE, q, RING + 0x1000 * q, BELL + 0x1000 * q, BLOCK + 0x1000 * q, VALID | 2 << 1 | MULTI);
    log_on(2 + q, PROC, q);
  }
  n.late = true;
  for (unsigned q = 0; q < 3; q++) EQ(nic_task(n.m, 2 + q, 0x40 * q, 0), NIC_OK);
  settle();
  for (unsigned q = 0; q < 3; q++) {
    EQ(get64(at(BLOCK + 0x1000 * q + 56)), 1);
    EQ(slot(q, 0)[0], 4);
    EQ(slot(q, 1)[0], 1);
  }
  end();
}

// ENQ-5: what hardware says of a task that it refuses: its reason, a = 0; and no other one. The notice stays.
static void refused_by_hardware(void) {
  begin(0);
  log_on(3, PROC, NONE);
  log_on(4, 15, 0);
  nic_retire_rec r = {NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, NONE, 0, PROC | 3 << 8};
  CHECK(nic_retire(n.m, &r) != NIC_OK);  // nothing is to be told
  EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
  EQ(nic_task(n.m, 4, 0x80, 0x40), NIC_OK);
  EQ(nic_retire(n.m, &r), NIC_OK);
  EQ(nic_retire(n.m, &(nic_retire_rec){NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 0, 0, 15 | 4 << 8}), NIC_OK);
  EQ(nic_pending(n.m), 2);
  EQ(n.src_writes[NIC_SRC_TASK], 0);
  CHECK(nic_retire(n.m, &(nic_retire_rec){NIC_RET_TASK, false, 0, 0, 0, PROC}) != NIC_OK);  // no message's is decided
  node_free(&n);
  static const nic_retire_rec wrong[] = {{NIC_RET_TASK, true, NIC_WHY_QUEUE_FULL, NONE, 0, PROC | 3 << 8},
                                         {NIC_RET_TASK, true, 0, NONE, 0, PROC | 3 << 8},
                                         {NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, NONE, 1, PROC | 3 << 8},
                                         {NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 0, 0, PROC | 3 << 8},
                                         {NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, NONE, 0, 2 | 3 << 8},
                                         {NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, NONE, 0, PROC | 31 << 8}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    begin(0);
    log_on(3, PROC, NONE);
    EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
    CHECK(nic_retire(n.m, &wrong[i]) != NIC_OK);
    node_free(&n);
  }
  begin(0);  // and one that it enqueues
  log_on(3, PROC, 0);
  put64(at(BLOCK + 56), 0x1ff);
  put64(at(BLOCK + 128), 0x1fe);
  EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
  EQ(nic_retire(n.m, &(nic_retire_rec){NIC_RET_TASK, true, 0, 0, 0x1ff, PROC | 3 << 8}), NIC_OK);
  EQ(get64(slot(0, 3) + 24), 0x80);
  EQ(get64(at(BELL)), 0x1ff);
  EQ(nic_pending(n.m), 0);
  node_free(&n);
}

static uint64_t status(void) { return rd(&n, NIC_REG_XT_STS); }

static void give(unsigned t, unsigned index, const uint64_t w[4]) {
  for (unsigned i = 0; i < 4; i++) wr(&n, NIC_REG_XT_W + 8 * i, w[i]);
  wr(&n, NIC_REG_XT_CMD, index | t << NIC_XT_CMD_TABLE_LSB | PROC << NIC_XT_CMD_PROC_LSB);
}

// TBL-2: a command takes effect never between a look-up and the answer that comes of it.
static void between(void) {
  static const uint64_t code[4] = {CODE + 9, 0, 0, VALID}, none[4] = {RING, BELL, BLOCK, 0};
  for (unsigned of_task = 0; of_task < 2; of_task++) {
    begin(0);
    log_on(3, PROC, 0);
    n.late = true;
    if (of_task)
      EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
    else
      message(0);
    nic_run(n.m);
    EQ(n.num_asks, 1);  // its queue's index
    give(of_task ? QUEUE : FUNCTION, of_task ? 0 : 2, of_task ? none : code);
    nic_run(n.m);
    EQ(status(), NIC_XT_STS_BUSY_MASK);
    settle();
    EQ(status(), 0);
    EQ(slot(0, 0)[0], 4);
    if (!of_task) {
      EQ(get64(slot(0, 0) + 8), CODE);
      message(0);
      settle();
      EQ(get64(slot(0, 1) + 8), CODE + 9);
    }
    end();
  }
}

// ENQ-4, TBL-2, TBL-6: what READ brings of an entry that only memory has, and of one that memory does not give.
static void read_back(void) {
  static const uint64_t first[4] = {CODE + 1, 0x1122334455667788, 0x99aabbccddeeff00, VALID | HAS_TARGET};
  static const uint64_t second[4] = {CODE + 2, 1, 2, 0};
  begin(2);
  give(KERNEL, 1, first);
  nic_run(n.m);
  give(KERNEL, 3, second);  // the same line
  nic_run(n.m);
  uint64_t looked = cnt(&n, NIC_CNT_HIT) + cnt(&n, NIC_CNT_MISS);
  const uint64_t read = KERNEL << NIC_XT_CMD_TABLE_LSB | PROC << NIC_XT_CMD_PROC_LSB | NIC_XT_CMD_READ_MASK;
  n.late = true;
  wr(&n, NIC_REG_XT_CMD, read | 1);
  nic_run(n.m);
  EQ(n.num_asks, 1);
  EQ(n.asks[0].j.va, TABLES + 64);
  EQ(n.asks[0].j.n, 32);
  EQ(n.asks[0].j.src, NIC_SRC_TABLE);
  EQ(status(), NIC_XT_STS_BUSY_MASK);
  settle();
  EQ(status(), 0);
  for (unsigned i = 0; i < 4; i++) EQ(rd(&n, NIC_REG_XT_W + 8 * i), first[i]);
  wr(&n, NIC_REG_XT_CMD, read | 3);  // it has not evicted what is in the cache
  nic_run(n.m);
  EQ(n.num_asks, 0);
  for (unsigned i = 0; i < 4; i++) EQ(rd(&n, NIC_REG_XT_W + 8 * i), second[i]);
  n.bad_va = TABLES + 64;
  wr(&n, NIC_REG_XT_CMD, read | 1);
  settle();
  EQ(status(), NIC_XT_STS_BAD_MASK);
  for (unsigned i = 0; i < 4; i++) EQ(rd(&n, NIC_REG_XT_W + 8 * i), second[i]);
  EQ(cnt(&n, NIC_CNT_HIT) + cnt(&n, NIC_CNT_MISS), looked);  // of READ none
  end();
}

// TBL-1, TBL-5: each process has its own entries of each table, on-chip as behind a cache.
static void each_entry(void) {
  static const unsigned index[] = {0, 1, 31, 62, 63};
  for (unsigned cache = 0; cache <= 2; cache += 2) {
    begin(cache);
    for (unsigned reading = 0; reading < 2; reading++)
      for (unsigned p = 0; p < PROCS; p++)
        for (unsigned t = KERNEL; t <= QUEUE; t++)
          for (unsigned i = 0; i < sizeof index / sizeof *index; i++) {
            uint64_t mine = 0x1000000 * (p + 1) + 0x10000 * (t + 1) + index[i];
            uint64_t read = reading ? NIC_XT_CMD_READ_MASK : 0;
            for (unsigned k = 0; k < 4; k++) wr(&n, NIC_REG_XT_W + 8 * k, reading || k == 3 ? 0 : mine << 8 * k);
            wr(&n, NIC_REG_XT_CMD, index[i] | t << NIC_XT_CMD_TABLE_LSB | p << NIC_XT_CMD_PROC_LSB | read);
            nic_run(n.m);
            for (unsigned k = 0; k < 3; k++) EQ(rd(&n, NIC_REG_XT_W + 8 * k), mine << 8 * k);
          }
    EQ(rd(&n, NIC_REG_XT_STS), 0);
    end();
  }
}

int main(void) {
  indices();
  own_slots();
  logs();
  claims();
  refused_by_hardware();
  between();
  read_back();
  each_entry();
  return report();
}
