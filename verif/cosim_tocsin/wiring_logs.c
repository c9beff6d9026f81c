// SPDX-License-Identifier: Apache-2.0
// Wiring of the access logs and interrupts: each log starts its own task, and only the end of that task
// starts the next; what is sent as an interrupt goes where its sender was told, with its data; an error shows
// in the page of its log.
#include <string.h>

#include "wiring.h"

enum { CODE_OF_LOG = 0x10600, EVENT_DATA = 0x5151, FAULT_DATA = 0xfa, RING_SIZE = 14 };
enum { NOT_WRITABLE = 5, LEAF_UNREAD = 7, ROOT_UNREAD = 8, CONTEXT_UNREAD = 9 };  // reasons of VT-d

static unsigned logs(const stage *s) { return bench_of(s)->hw.NumLogs; }

// Entries of the logs differ in length, so that their pointers do.
static unsigned words_of(unsigned log) { return 4 * (1 + log % 8); }

// ---- tasks of logs
typedef struct pointers {
  uint32_t prod[IOMMU_LOGS], cons[IOMMU_LOGS];
} pointers;

// A queue a process, a template a log.
static void tasks_on(stage *s) {
  for (unsigned p = 0; p < processes(s); p++) queue_on(s, p);
  for (unsigned l = 0; l < logs(s); l++) {
    uint8_t c[64];
    sw_command(c, FUNCTION, CODE_OF_LOG + l, 0);
    for (unsigned k = 0; k < 8; k++) node_write(s->n, NIC_REG_XT_TPL + 64 * l + 8 * k, le_get(c + 8 * k, 8));
    node_write(s->n, NIC_REG_XT_LOG + 8 * l, (uint64_t)(l % processes(s)) << NIC_XT_LOG_PROC_LSB | NIC_XT_LOG_EN_MASK);
    log_open(s, l, RING_SIZE, AA_LOG_CFG_TASK_MASK | AA_LOG_CFG_PTR_MASK);
  }
}

static uint64_t sent(stage *s, unsigned p) {
  return node_peek64(s->n, p, sw_va(p, TASKS_INDEX + 56)) - node_peek64(s->n, p, sw_va(p, TASKS_INDEX + 128));
}

static void no_task(stage *s, const char *when) {
  for (unsigned p = 0; p < processes(s); p++) expect(s, when, sent(s, p), 0);
}

// One task has been started, the log's, with its pointers; the accelerator takes it.
static void task_of(stage *s, unsigned l, const pointers *at) {
  unsigned mine = l % processes(s);
  uint8_t c[64];
  for (unsigned p = 0; p < processes(s); p++) expect(s, "tasks of a process", sent(s, p), p == mine);
  if (s->w->failed) return;
  uint64_t index = node_peek64(s->n, mine, sw_va(mine, TASKS_INDEX + 128));
  node_peek(s->n, mine, sw_va(mine, TASKS + 64 * (index & ((1 << TASKS_SIZE) - 1))), c, 64);
  expect(s, "code of a task", le_get(c + 8, 8), CODE_OF_LOG + l);
  expect(s, "log of a task", le_get(c + 16, 8), l);
  expect(s, "producer of a task", le_get(c + 24, 8), at->prod[l]);
  expect(s, "consumer of a task", le_get(c + 32, 8), at->cons[l]);
  expect(s, "doorbell of a task", node_peek64(s->n, mine, sw_va(mine, TASKS_BELL)), index);
  node_poke64(s->n, mine, sw_va(mine, TASKS_INDEX + 128), index + 1);
}

static void put_one(stage *s, unsigned who, unsigned l, pointers *at) {
  at->prod[l] += put_into(s, who % bench_of(s)->hw.NumPorts, l, words_of(l));
  quiet(s);
}

static void consume_all(stage *s, pointers *at) {
  for (unsigned l = 0; l < logs(s); l++) {
    reg_put(s, AA_REG_LP_CONS + l * AA_REG_LP_CONS_STRIDE, 8, at->prod[l]);
    at->cons[l] = at->prod[l];
  }
}

void tasks(stage *s) {
  static pointers at;
  memset(&at, 0, sizeof at);
  tasks_on(s);
  for (unsigned l = 0; l < logs(s) && !s->w->failed; l++) {
    put_one(s, l, l, &at);
    task_of(s, l, &at);
  }
  // All are outstanding: what comes now waits for the end of its own log's task.
  for (unsigned l = 0; l < logs(s) && !s->w->failed; l++) {
    consume_all(s, &at);
    node_write(s->n, NIC_REG_XT_TASK_DONE, l);
    quiet(s);
    no_task(s, "tasks of logs that have been read");
    for (unsigned k = 0; k < logs(s) && !s->w->failed; k++) {
      put_one(s, l + k + 1, k, &at);
      if (k == l)
        task_of(s, k, &at);
      else
        no_task(s, "tasks of logs whose task is outstanding");
    }
  }
  // What was not read when the task ends starts the next by itself.
  for (unsigned l = logs(s); l-- && !s->w->failed;) {
    node_write(s->n, NIC_REG_XT_TASK_DONE, l);
    quiet(s);
    task_of(s, l, &at);
  }
  consume_all(s, &at);
  for (unsigned l = 0; l < logs(s); l++) node_write(s->n, NIC_REG_XT_TASK_DONE, l);
  quiet(s);
  no_task(s, "tasks at the end");
}

// ---- interrupts
// Exactly one of the words, the k-th from `at` on, holds its data; it is cleared again.
static void only(stage *s, const char *what, uint64_t at, unsigned n, unsigned k, uint64_t data) {
  for (unsigned i = 0; i < n; i++)
    expect(s, what, (uint32_t)mem_read64(s->n->mem, at + 64 * i), i == k ? (uint32_t)data : 0);
  if (k < n) bench_poke64(bench_of(s), at + 64 * k, 0);
}

void log_msi(stage *s) {
  for (unsigned l = 0; l < logs(s); l++) log_open(s, l, 12, AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_PTR_MASK);
  for (unsigned who = 0; who < bench_of(s)->hw.NumPorts; who++)
    for (unsigned l = 0; l < logs(s) && !s->w->failed; l++) {
      uint32_t prod = (uint32_t)page_of(s, l, AA_REG_LP_PROD) + put_into(s, who, l, words_of(l));
      quiet(s);
      only(s, "MSI of a log", LOG_MSI, logs(s), l, 0x40 + l);
      expect(s, "producer of the log", page_of(s, l, AA_REG_LP_PROD), prod);
      expect(s, "its pointer in memory", mem_read64(s->n->mem, IOMMU_PTR + 64 * l), prod);
      reg_put(s, AA_REG_LP_CONS + l * AA_REG_LP_CONS_STRIDE, 8, prod);  // arms it
    }
  expect(s, "MSIs of logs", count_of(s, AA_CNT_MSIS), logs(s) * bench_of(s)->hw.NumPorts);
}

static void faults_on(stage *s) {
  reg_put(s, AA_REG_FEDATA, 4, FAULT_DATA);
  reg_put(s, AA_REG_FEADDR, 8, FAULT_MSI);
  reg_put(s, AA_REG_FECTL, 4, 0);
}

// The oldest fault record is this requester's; its reason. It is cleared.
static unsigned fault_of(stage *s, unsigned who, uint64_t page) {
  uint64_t sts = reg(s, AA_REG_FSTS & ~7u) >> 8 * (AA_REG_FSTS & 4);
  uint32_t at = AA_REG_FRCDH + AA_REG_FRCDH_STRIDE * (uint32_t)(sts >> AA_FSTS_FRI_LSB & 7);
  uint64_t record = reg(s, at);
  only(s, "MSI of a fault", FAULT_MSI, 1, 0, FAULT_DATA);
  expect(s, "requester of a fault", record & (AA_FRCDH_F_MASK | 0xffff),
         AA_FRCDH_F_MASK | (who ? dev_rid(who) : NET_RID));
  expect(s, "page of a fault", reg(s, at - 8), page);
  reg_put(s, at, 8, AA_FRCDH_F_MASK);
  quiet(s);
  return (unsigned)(record >> AA_FRCDH_FR_LSB & 0xff);
}

// A fault of each port is told with the fault event's address and data, and its record names the requester.
void fault_msi(stage *s) {
  faults_on(s);
  for (unsigned who = 0; who < bench_of(s)->hw.NumPorts && !s->w->failed; who++) {
    who ? dev_put(s, who, DEV_NOWHERE, 1) : nic_put(s, 0, NOWHERE, 4);
    quiet(s);
    expect(s, "reason of a fault", fault_of(s, who, who ? DEV_NOWHERE : sw_va(0, NOWHERE)), NOT_WRITABLE);
  }
  only(s, "MSIs of logs", LOG_MSI, logs(s), logs(s), 0);
}

// Memory refuses to be read by walks: a fault of whoever asked, and no access.
void table_error(stage *s) {
  bench *b = bench_of(s);
  faults_on(s);
  for (unsigned who = 0; who < b->hw.NumPorts && !s->w->failed; who++) {
    uint64_t page = who ? DEV_OWN + 0x1000 * who : sw_va(0, OWN);
    axi_set_bad(b, IOMMU_TABLES, 0x01000000);
    forget(s);
    who ? dev_put(s, who, page, 1) : nic_put(s, 0, OWN, 4);
    quiet(s);
    expect(s, "writes without a translation", b->host_seen.n, 0);
    axi_set_bad(b, 0, 0);
    unsigned why = fault_of(s, who, page);
    expect(s, "the reason is a table", why == ROOT_UNREAD || why == CONTEXT_UNREAD || why == LEAF_UNREAD, true);
    who ? dev_put(s, who, page, 1) : nic_put(s, 0, OWN, 4);
    quiet(s);
    expect(s, "writes when tables can be read", b->host_seen.n, 1);
  }
  forget(s);
}

// An event ring's MSI is a write of its process, and comes once for each time that it is armed.
void event_msi(stage *s) {
  for (unsigned p = 0; p < processes(s); p++) {
    uint32_t at = p * NIC_REG_EQ_BASE_STRIDE;
    node_write(s->n, NIC_REG_EQ_BASE + at, sw_va(p, SW_EQ));
    node_write(s->n, NIC_REG_EQ_MSIA + at, sw_va(p, EVENT_MSI + 64 * p));
    node_write(s->n, NIC_REG_EQ_MSID + at, EVENT_DATA + p);
    node_write(s->n, NIC_REG_EQ_CTL + at, NIC_EQ_CTL_EN_MASK | s->n->sw->p[p].eq_size);
    node_write(s->n, NIC_REG_EQ_CONS + at, 0);  // arms it
  }
  for (unsigned k = 0; k < 2 * processes(s) && !s->w->failed; k++) {
    unsigned p = k % processes(s);
    sw_event e;
    nic_immediate(s, p);
    quiet(s);
    for (unsigned i = 0; i < processes(s); i++) {
      uint64_t data = node_peek64(s->n, i, sw_va(i, EVENT_MSI + 64 * i));
      expect(s, "MSI of an event ring", data, i == p ? EVENT_DATA + i : 0);
      node_poke64(s->n, i, sw_va(i, EVENT_MSI + 64 * i), 0);
      bool there = event_of(s, i, &e);
      expect(s, "event of its process", there, i == p);
      if (there) expect(s, "its kind, its queue pair", e.kind | (unsigned)e.qp << 8, 2 | p << 8);
    }
    node_settle(s->n);
  }
}

// ---- Memory refuses what one log writes: it stops, and says so; opened anew it goes on. The others never stop.
void log_error(stage *s) {
  bench *b = bench_of(s);
  faults_on(s);
  for (unsigned l = 0; l < logs(s); l++) log_open(s, l, 12, AA_LOG_CFG_MSI_MASK);
  for (unsigned l = 0; l < logs(s) && !s->w->failed; l++) {
    axi_set_bad(b, log_ring(l), log_ring(l) + 0x1000);
    for (unsigned k = 0; k < logs(s); k++) {
      put_into(s, k % b->hw.NumPorts, k, words_of(k));
      quiet(s);
      expect(s, "a log has stopped", page_of(s, k, AA_REG_LP_STS) & AA_LP_STS_FAILED_MASK,
             k == l ? AA_LP_STS_FAILED_MASK : 0);
    }
    uint64_t e = reg(s, AA_REG_AA_ERR_STS);
    expect(s, "error, IUID", e & 0x3ff00001f05,
           (16ull + l) << 32 | AA_ERR_AXI_WRITE << 8 | AA_AA_ERR_STS_WERR_MASK | 1);
    expect(s, "address of the write", reg(s, AA_REG_AA_ERR_ADDR) & ~63ull,
           log_ring(l) + (page_of(s, l, AA_REG_LP_PROD) & 0xfc0));
    expect(s, "MSI of an error", (uint32_t)mem_read64(s->n->mem, FAULT_MSI), FAULT_DATA);
    bench_poke64(b, FAULT_MSI, 0);
    reg_put(s, AA_REG_AA_ERR_STS, 8, 1);
    axi_set_bad(b, 0, 0);
    log_close(s, l);
    log_open(s, l, 12, AA_LOG_CFG_MSI_MASK);
    for (unsigned k = 0; k < logs(s); k++) {
      expect(s, "a log that was opened anew",
             page_of(s, k, AA_REG_LP_STS) & (AA_LP_STS_FAILED_MASK | AA_LP_STS_EN_MASK), AA_LP_STS_EN_MASK);
      reg_put(s, AA_REG_LP_CONS + k * AA_REG_LP_CONS_STRIDE, 8, page_of(s, k, AA_REG_LP_PROD));
    }
  }
}
