// SPDX-License-Identifier: Apache-2.0
// The bench of test_xtq_target: its ports for one cycle, with a memory whose reads and writes dawdle; what is written,
// told and recorded, each held against what must come.
#ifndef TOCSIN_XTQ_TARGET_BENCH_H
#define TOCSIN_XTQ_TARGET_BENCH_H

#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "xtq_target_tb.h"

enum {
  PROCS = P_NumProcs,
  QPS = P_NumQps,
  DEPTH = P_RecvDepth,
  N = 1 << P_TableBits,
  CACHE = P_TableCache,
  BB = NIC_K_BeatBytes,
  MTU = 256,
  RID = 0x300,
  LONGEST = 64 + 4096 + 1024,
  Q = 4096,
  KERNEL = 0,
  FUNCTION = 1,
  QUEUE = 2
};

// ---- what software has set up ----
typedef struct entry {
  uint64_t w[4];
} entry;
typedef struct buffer {
  uint64_t addr, len, least;
} buffer;
typedef struct process {
  buffer posted[DEPTH];
  unsigned count;
  uint64_t offset, number, told;
} process;
static entry table[PROCS][3][N], table_memory[PROCS][3][N];
static process procs[PROCS];
// A queue's indices: what memory holds, what the NIC gives next; the agent moves `read`, always between packets.
static struct {
  uint64_t write, read, next;  // next: NIC-owned
  uint64_t landed;             // write_index in the memory that the NIC reads
} index_of[PROCS][N];
static bool event_room = true;

static uint64_t block_at(unsigned p, unsigned q) { return 0x5000000000000000 + 4096ull * (p * N + q); }
static uint64_t table_at(unsigned p) { return 0x7000000000000000 + 65536ull * p; }

// ---- what must come out ----
typedef struct item {
  uint8_t data[4096];
  unsigned n, rid;
  bool last;  // of a packet
  uint64_t va;
} item;
static item want[Q];
static unsigned made, jobs, items, at, left;
static struct {  // events 3 and 8
  unsigned kind, status, proc, qp, after;
  uint64_t word, len, bytes, addr;
} tasks[Q];
static unsigned tasks_made, tasks_seen, kept, kept_want;
static struct {
  unsigned queue, b;
  uint64_t index;
  bool log;
  unsigned why;  // refused
} records[Q];    // RetTask, in order
static unsigned records_want, records_seen;
static uint64_t whys[16], pushed, buffers_told, answers;
static uint64_t received[4];  // by status
static unsigned pct = 100, last_beat, bell;
static int gives_up = -1, stops = -1;  // a queue pair, in the next cycle

// ---- the ports for one cycle ----
static bool ask_valid, task_valid, pay_shown;
static unsigned asked_qp;

// What events call it: no index.
static unsigned name_of(unsigned qp) { return (qp * 37 + 0x321) & 0xfff; }
static uint32_t ask_w[(NIC_XTQ_ASK_T_W + 31) / 32];
static uint8_t pay[4096];
static unsigned pay_n, pay_at;
static bool pay_on;
static int answer, task_answer;  // -1: none in this cycle
static bool task_event;
static bool q_busy, t_busy, t_open;
static uint32_t q_job[(NIC_DMA_T_W + 31) / 32], t_job[(NIC_DMA_T_W + 31) / 32], tw_job[(NIC_DMA_T_W + 31) / 32];
static unsigned q_delay, t_delay, t_at, tw_at, left_delay, t_left;
static bool fail_queue;      // the next read of an index ends with err
static bool held;            // no write leaves
static unsigned due;         // writes of what came before the packet, or the task, that is shown
static unsigned fail_table;  // 1: of an entry; 2: of a queue's entry

static void apply(const item *i) {  // a write has arrived: is it a write index?
  for (unsigned p = 0; p < PROCS; p++)
    for (unsigned q = 0; q < N; q++)
      if (i->va == block_at(p, q) + 56) memcpy(&index_of[p][q].landed, i->data, 8);
}

static void memory_reads(tb *t, dut *d) {
  uint32_t b[(NIC_BYTES_T_W + 31) / 32] = {0};
  bool go = q_busy && !q_delay, tgo = t_busy && !t_delay;
  if (q_delay) q_delay--;
  if (t_delay) t_delay--;
  if (go) {
    uint64_t va = bits_get(q_job, NIC_DMA_T_VA_LSB, 64) - 0x5000000000000000, off = va % 4096;
    unsigned p = (unsigned)(va / 4096 / N) % PROCS, q = (unsigned)(va / 4096 % N);
    uint64_t *w = &index_of[p][q].landed, v = off == 56 ? *w : index_of[p][q].read;
    CHECK(t, off == 56 || off == 128, "index read at %llx", (unsigned long long)va);
    bits_set(b, NIC_BYTES_T_LAST_LSB, 1, 1);
    bits_set(b, NIC_BYTES_T_ERR_LSB, 1, fail_queue);
    bits_set(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, 8);
    bits_set(b, NIC_BYTES_T_DATA_LSB, 64, v);
    if (bits_get(q_job, NIC_DMA_T_OP_LSB, 2) == NIC_K_DmaCas && bits_get(q_job, NIC_DMA_T_COMPARE_LSB, 64) == v)
      *w = bits_get(q_job, NIC_DMA_T_SWAP_LSB, 64);
    fail_queue = false;
    q_busy = false;
  }
  dut_set_qdata_valid_i(d, go);
  dut_set_qdata_i(d, b);
  memset(b, 0, sizeof b);
  if (tgo) {
    uint64_t va = bits_get(t_job, NIC_DMA_T_VA_LSB, 64) - 0x7000000000000000;
    const entry *e = &table_memory[va / 65536 % PROCS][va % 65536 / 64 / N % 3][va / 64 % N];
    bits_set(b, NIC_BYTES_T_LAST_LSB, 1, t_at + BB >= 32);
    bool fails = fail_table == 1 || (fail_table == 2 && va % 65536 / 64 / N % 3 == QUEUE);
    bits_set(b, NIC_BYTES_T_ERR_LSB, 1, fails && !t_at);
    bits_set(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, BB < 32 ? BB : 32);
    for (unsigned k = 0; k < 4 && t_at / 8 + k < 4 && k < BB / 8; k++)
      bits_set(b, NIC_BYTES_T_DATA_LSB + 64 * k, 64, e->w[t_at / 8 + k]);
    t_at += BB;
    if (t_at >= 32) t_busy = false, fail_table = fails ? 0 : fail_table;
  }
  dut_set_tdata_valid_i(d, tgo);
  dut_set_tdata_i(d, b);
}

static void take_job(tb *t, dut *d) {
  uint32_t job[(NIC_DMA_T_W + 31) / 32];
  const item *i = &want[jobs % Q];
  dut_get_wr_o(d, job);
  CHECK(t, jobs < made, "P1: a write of %llx that nobody asked for",
        (unsigned long long)bits_get(job, NIC_DMA_T_VA_LSB, 64));
  CHECK_EQ(t, bits_get(job, NIC_DMA_T_VA_LSB, 64), i->va, "P1: address of write %u", jobs);
  CHECK_EQ(t, bits_get(job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W), i->n, "P1: length of write %u", jobs);
  CHECK_EQ(t, bits_get(job, NIC_DMA_T_RID_LSB, 16), i->rid, "requester id of write %u", jobs);
  jobs++;
}

static void take_bytes(tb *t, dut *d) {
  uint32_t b[(NIC_BYTES_T_W + 31) / 32];
  const item *i = &want[items % Q];
  dut_get_wdata_o(d, b);
  unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W);
  CHECK(t, items < made && at + n <= i->n, "bytes of write %u", items);
  for (unsigned k = 0; k < n && at + k < i->n; k++)
    CHECK_EQ(t, bits_get(b, NIC_BYTES_T_DATA_LSB + 8 * k, 8), i->data[at + k], "write %u, byte %u", items, at + k);
  at += n;
  if (!bits_get(b, NIC_BYTES_T_LAST_LSB, 1)) return;
  CHECK_EQ(t, at, i->n, "length of item %u", items);
  at = 0, items++;
  if (i->n == 8) bell = (unsigned)dut_cycle(d);
}

static void take_event(tb *t, dut *d) {
  uint32_t both[(2 * NIC_EVENT_T_W + 31) / 32], e[(NIC_EVENT_T_W + 31) / 32];
  unsigned valid = (unsigned)(dut_get_event_valid_o(d) & dut_get_event_ready_i(d));
  dut_get_event_o(d, both);
  for (unsigned k = 0; k < 2; k++) {
    if (!(valid >> k & 1)) continue;
    memset(e, 0, sizeof e);
    words_copy(e, 0, both, k * NIC_EVENT_T_W, NIC_EVENT_T_W);
    unsigned p = (unsigned)bits_get(e, NIC_EVENT_T_PROC_LSB, 4), word = (unsigned)bits_get(e, NIC_EVENT_T_WORD_LSB, 32);
    if (k == 1) {
      CHECK(t, p < PROCS && procs[p].told < procs[p].number && word == procs[p].told, "event 6: buffer %u of %u", word,
            p);
      procs[p % PROCS].told++, buffers_told++;
      continue;
    }
    unsigned n = tasks_seen++ % Q;
    CHECK(t, tasks_seen <= tasks_made && jobs >= tasks[n].after, "an event before its doorbell, or its bytes");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_KIND_LSB, 8), tasks[n].kind, "event: type");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_STATUS_LSB, 8), tasks[n].status, "event: status");
    CHECK(t, p == tasks[n].proc && word == tasks[n].word, "event: process, queue or buffer");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_QP_LSB, NIC_EVENT_T_QP_W), tasks[n].qp, "event: QP's name");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_ADDR_LSB, 64), tasks[n].addr, "event: index or address");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_LEN_LSB, 32), tasks[n].len, "event: immediate or key");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_BYTES_LSB, 32), tasks[n].bytes, "event: bytes");
    CHECK_EQ(t, bits_get(e, NIC_EVENT_T_KEPT_LSB, 1), 1, "event: its place is kept");
    if (tasks[n].kind == NIC_K_EvRecv) received[tasks[n].status & 3]++;
  }
}

static void take_index(tb *t, dut *d) {
  dut_get_qrd_o(d, q_job), q_busy = true, q_delay = 1 + (unsigned)rnd_below(t, 6);
  if (bits_get(q_job, NIC_DMA_T_OP_LSB, 2) == NIC_K_DmaRead && bits_get(q_job, NIC_DMA_T_VA_LSB, 12) == 56)
    CHECK(t, left >= due, "P2: a write index is read when %u of %u writes have left", left, due);
}

static void table_writes(tb *t, dut *d) {
  uint32_t b[(NIC_BYTES_T_W + 31) / 32];
  if (dut_get_twr_valid_o(d) && dut_get_twr_ready_i(d)) dut_get_twr_o(d, tw_job), t_open = true, tw_at = 0;
  if (dut_get_twdata_valid_o(d) && dut_get_twdata_ready_i(d)) {
    CHECK(t, t_open, "bytes of an entry follow their job here");
    dut_get_twdata_o(d, b);
    uint64_t va = bits_get(tw_job, NIC_DMA_T_VA_LSB, 64) - 0x7000000000000000;
    entry *e = &table_memory[va / 65536 % PROCS][va % 65536 / 64 / N % 3][va / 64 % N];
    for (unsigned k = 0; k < 4 && tw_at / 8 + k < 4 && k < BB / 8; k++)
      e->w[tw_at / 8 + k] = bits_get(b, NIC_BYTES_T_DATA_LSB + 64 * k, 64);
    tw_at += BB;
    if (bits_get(b, NIC_BYTES_T_LAST_LSB, 1)) t_open = false, t_left++;
  }
}

static void cycle(tb *t, dut *d) {
  uint32_t b[(NIC_BYTES_T_W + 31) / 32] = {0}, rets[(2 * NIC_RETIRE_T_W + 31) / 32];
  pay_shown = pay_on && (pay_shown || rnd_chance(t, pct));
  if (pay_shown) {
    unsigned n = pay_n - pay_at < BB ? pay_n - pay_at : BB;
    bits_set(b, NIC_BYTES_T_LAST_LSB, 1, pay_n - pay_at <= BB);
    bits_set(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
    for (unsigned k = 0; k < n; k++) bits_set(b, NIC_BYTES_T_DATA_LSB + 8 * k, 8, pay[pay_at + k]);
  }
  dut_set_pay_valid_i(d, pay_shown);
  dut_set_pay_i(d, b);
  dut_set_ask_valid_i(d, ask_valid);
  dut_set_ask_i(d, ask_w);
  dut_set_task_valid_i(d, task_valid);
  dut_set_wr_ready_i(d, rnd_chance(t, pct));
  dut_set_wdata_ready_i(d, rnd_chance(t, pct));
  dut_set_qrd_ready_i(d, !q_busy && rnd_chance(t, pct));
  dut_set_trd_ready_i(d, !t_busy && rnd_chance(t, pct));
  dut_set_twr_ready_i(d, !t_open);
  dut_set_twdata_ready_i(d, t_open);
  dut_set_event_ready_i(d, rnd_bits(t, 2) | (pct == 100 ? 3 : 0));
  dut_set_rsv_ok_i(d, event_room);
  bool gone = !held && left < jobs && left < items && !left_delay, tgone = t_left && rnd_chance(t, 20);
  if (left_delay) left_delay--;
  dut_set_wr_done_i(d, gone);
  dut_set_twr_done_i(d, tgone);
  memory_reads(t, d);
  dut_set_gave_up_i(d, gives_up >= 0);
  dut_set_gave_up_qp_i(d, (uint64_t)(gives_up & 255));
  dut_set_stop_i(d, stops >= 0);
  dut_set_stop_qp_i(d, (uint64_t)(stops & 255));
  gives_up = stops = -1;
  dut_eval(d);
  // nic_decide gives a message up with the answer that refuses its packet.
  unsigned bad = (unsigned)dut_get_ans_why_o(d);
  if (dut_get_ans_valid_o(d) && bad && bad != NIC_K_WhyNoBuffer && bad != NIC_K_WhyNoEvent &&
      bad != NIC_K_WhyQueueFull) {
    dut_set_gave_up_i(d, 1);
    dut_set_gave_up_qp_i(d, asked_qp);
    dut_eval(d);
  }
  CHECK_EQ(t, dut_get_left_o(d), gone && want[left % Q].last, "P3: left_o");
  if (gone) apply(&want[left++ % Q]), left_delay = pct < 100 && rnd_chance(t, 10) ? (unsigned)rnd_below(t, 20) : 0;
  if (tgone) t_left--;
  if (dut_get_wr_valid_o(d) && dut_get_wr_ready_i(d)) take_job(t, d);
  if (dut_get_wdata_valid_o(d) && dut_get_wdata_ready_i(d)) take_bytes(t, d);
  take_event(t, d);
  table_writes(t, d);
  if (dut_get_qrd_valid_o(d) && dut_get_qrd_ready_i(d)) take_index(t, d);
  if (dut_get_trd_valid_o(d) && dut_get_trd_ready_i(d)) {
    CHECK(t, !t_left && !t_open, "a table is read before a write to it has left");
    dut_get_trd_o(d, t_job), t_busy = true, t_at = 0, t_delay = 1 + (unsigned)rnd_below(t, 6);
  }
  if (dut_get_rsv_valid_o(d) && event_room) kept++;
  if (dut_get_back_valid_o(d)) kept -= (unsigned)dut_get_back_num_o(d);
  if (dut_get_ret_valid_o(d) & 1) {
    dut_get_ret_o(d, rets);
    unsigned r = records_seen++ % Q;
    CHECK_EQ(t, bits_get(rets, NIC_RETIRE_T_KIND_LSB, NIC_RETIRE_T_KIND_W), NIC_E_RetTask, "record");
    CHECK(t, records_seen <= records_want && (dut_get_ans_valid_o(d) || dut_get_task_ans_o(d)),
          "RetTask with the answer");
    CHECK_EQ(t, bits_get(rets, NIC_RETIRE_T_IDX_LSB, 8), records[r].queue, "RetTask: queue");
    CHECK_EQ(t, bits_get(rets, NIC_RETIRE_T_A_LSB, 64), records[r].index, "RetTask: index");
    CHECK_EQ(t, bits_get(rets, NIC_RETIRE_T_B_LSB, 64), records[r].b, "RetTask: process and log");
    CHECK_EQ(t, bits_get(rets, NIC_RETIRE_T_FLAG_LSB, 1), records[r].log, "RetTask: of a log");
    CHECK_EQ(t, bits_get(rets, NIC_RETIRE_T_CODE_LSB, 4), records[r].why, "RetTask: why");
  }
  if (ask_valid && dut_get_ask_ready_o(d)) ask_valid = false;
  if (pay_shown && dut_get_pay_ready_o(d)) {
    pay_at += BB, pay_shown = false;
    if (pay_at >= pay_n) pay_on = false, last_beat = (unsigned)dut_cycle(d);
  }
  answer = dut_get_ans_valid_o(d) ? (int)dut_get_ans_why_o(d) : -1;
  task_answer = dut_get_task_ans_o(d) ? (int)dut_get_task_ok_o(d) : -1;
  task_event = dut_get_task_event_o(d);
  if (task_answer >= 0) task_valid = false;
  dut_tick(d);
  REG_BUS_SET(d, WE, 0);
}

// What is read or written is on the bus in the cycle before.
static uint64_t read_reg(tb *t, dut *d, unsigned reg) {
  REG_BUS_SET(d, ADDR, reg >> 3);
  cycle(t, d);
  dut_eval(d);
  return dut_get_rb_rdata_o(d);
}

static void write_reg(tb *t, dut *d, unsigned reg, uint64_t v) {
  REG_BUS_SET(d, ADDR, reg >> 3);
  cycle(t, d);
  dut_set_rb_i(d, reg_bus_of(reg, true, v, 0xFF).words);
  cycle(t, d);
}

static void drain(tb *t, dut *d) {
  for (unsigned i = 0; i < 3000 && (left != made || tasks_seen != tasks_made); i++) cycle(t, d);
  for (unsigned i = 0; i < 4 * PROCS * DEPTH; i++) cycle(t, d);
  CHECK(t, jobs == made && items == made && tasks_seen == tasks_made, "%u writes and %u events, want %u and %u", items,
        tasks_seen, made, tasks_made);
  CHECK_EQ(t, kept, kept_want, "places kept in the event rings");
  CHECK_EQ(t, records_seen, records_want, "records of tasks");
  for (unsigned p = 0; p < PROCS; p++) CHECK_EQ(t, procs[p].told, procs[p].number, "buffers used up, told of");
}

#endif
