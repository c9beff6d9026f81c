// SPDX-License-Identifier: Apache-2.0
// xtq_target against the whole of README.md, a message at a time: what is answered, and every byte that is written for
// it, in order. The memory behind it has writes that dawdle, so that an index read too early is an old one. Every check
// by itself and in its order; messages of many packets side by side; refused packets that come again; SENDs, also such
// that are given up; tasks of access logs. Then all of it at random, and how fast it is.
// Rules of rtl/nic/README.md: RCV-1, RCV-2, RCV-3, RCV-4, RCV-5, RCV-6, RCV-7, RCV-8, RCV-9.
// Rules of rtl/xtq/README.md: XTM-1, XTM-2, XTM-3, XTM-4, XTM-5, XTM-6, ENQ-5, RBF-2, RBF-8.
// config: default -GNumProcs=3 -GNumQps=4 -GRecvDepth=4 -GTableBits=2
// config: cache -GNumProcs=2 -GNumQps=8 -GRecvDepth=8 -GTableBits=2 -GTableCache=2
// config: narrow -GNumProcs=1 -GNumQps=1 -GRecvDepth=2 -GTableBits=1 +define+TOCSIN_DATA_W=128
// config: wide -GNumProcs=2 -GNumQps=3 -GRecvDepth=4 -GTableBits=2 -GTableCache=4 +define+TOCSIN_DATA_W=512
// no netlist: 15 s, most of it in Yosys; `make sim BLOCK=xtq_target CONFIG=default NETLIST=1` before a release
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
  bool gone = left < jobs && left < items && !left_delay, tgone = t_left && rnd_chance(t, 20);
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
  if (dut_get_qrd_valid_o(d) && dut_get_qrd_ready_i(d))
    dut_get_qrd_o(d, q_job), q_busy = true, q_delay = 1 + (unsigned)rnd_below(t, 6);
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

// ---- software ----
static void commit(tb *t, dut *d, unsigned p, unsigned which, unsigned i, entry e) {
  for (unsigned k = 0; k < 4; k++) write_reg(t, d, 0xA000 + 8 * k, e.w[k]);
  write_reg(t, d, 0xA020, i | which << 16 | p << 18);
  for (unsigned n = 0; (read_reg(t, d, 0xA028) & 1) && n < 300; n++) cycle(t, d);
  CHECK_EQ(t, read_reg(t, d, 0xA028), 0, "XT_STS");
  table[p][which][i] = e;
  if (which == QUEUE) index_of[p][i].next = index_of[p][i].write;  // begins with what memory says
}

static void set_code(tb *t, dut *d, unsigned p, unsigned which, unsigned i, bool target) {
  commit(t, d, p, which, i, (entry){{rnd(t), rnd(t), rnd_chance(t, 30) ? 0 : rnd(t), 1u | (unsigned)target << 1}});
}

// A queue with its ring above everything else; kind: 0 NIC-owned, 1 MULTI, 2 MIRROR, 3 both.
static void set_queue(tb *t, dut *d, unsigned p, unsigned i, unsigned size, unsigned kind, bool events) {
  if (CACHE && !kind) kind = 2;
  uint64_t ring = 0xFFFFFFFF00000000 + ((uint64_t)(p * N + i) << 24);
  commit(t, d, p, QUEUE, i,
         (entry){{ring, 0x6000000000000000 + 8 * (p * N + i), block_at(p, i),
                  1 | size << 1 | kind << 6 | (unsigned)events << 8}});
}

static void post(tb *t, dut *d, unsigned p, uint64_t addr, uint64_t len, uint64_t least) {
  if (procs[p].count == DEPTH) return;
  write_reg(t, d, 0x8030 + 128 * p, addr);
  write_reg(t, d, 0x8038 + 128 * p, least << 32 | len);
  procs[p].posted[procs[p].count++] = (buffer){addr, len, least};
}

// ---- a message, and where its QP is in it ----
typedef struct message {
  bool live;
  unsigned proc, kind, target, args, pay, n, sent;  // n: all bytes; sent: those that were accepted
  uint64_t length;
  uint8_t bytes[LONGEST];
  uint64_t next;  // where its next bytes go
  bool send;      // a SEND; then status 0 to 2, with this value, into this buffer
  unsigned status;
  uint64_t value, number, room;
  uint8_t packet[64];  // rewritten
} message;
static message qps[QPS];

static uint64_t get64(const uint8_t *b) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v |= (uint64_t)b[i] << 8 * i;
  return v;
}
static void put64(uint8_t *b, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) b[i] = (uint8_t)(v >> 8 * i);
}

static message fresh(tb *t, unsigned proc, unsigned kind, unsigned args, unsigned pay_bytes, unsigned code,
                     unsigned queue) {
  message m = {.live = true, .proc = proc, .kind = kind, .target = proc, .args = args, .pay = pay_bytes};
  m.length = m.n = 64 + args + pay_bytes;
  for (unsigned i = 0; i < m.n; i++) m.bytes[i] = (uint8_t)rnd(t);
  m.bytes[0] = kind ? 4 : 2, m.bytes[1] &= 0x1F;
  put64(m.bytes + (kind ? 8 : 32), code);
  put64(m.bytes + 48, queue);
  return m;
}

// Checks 6 (of what is there now), 9 and 10. Takes the index if all is well.
static unsigned judge_queue(unsigned p, unsigned q, unsigned places, uint64_t *index) {
  const uint64_t *w = table[p][QUEUE][q].w;
  bool multi = w[3] >> 6 & 1;
  if ((w[3] >> 8 & 1) && !event_room) return NIC_K_WhyNoEvent;
  if (fail_queue) return NIC_K_WhyTable;
  uint64_t i = multi ? index_of[p][q].write : index_of[p][q].next;
  if ((i - index_of[p][q].read) >> (w[3] >> 1 & 31)) return NIC_K_WhyQueueFull;
  *index = i;
  if (multi || (w[3] >> 7 & 1)) index_of[p][q].write = i + 1;
  index_of[p][q].next = i + 1;
  if (w[3] >> 8 & 1) kept_want += places;
  return NIC_K_WhyNone;
}

static item *add(unsigned p, uint64_t va, const uint8_t *data, unsigned n) {
  item *i = &want[made++ % Q];
  *i = (item){.n = n, .rid = RID + p, .va = va};
  memcpy(i->data, data, n);
  return i;
}

static void enqueue(unsigned p, unsigned q, uint64_t index, const uint8_t *packet, unsigned qp, int log) {
  const uint64_t *w = table[p][QUEUE][q].w;
  uint64_t slot = w[0] + 64 * (index & ((1ull << (w[3] >> 1 & 31)) - 1));
  uint8_t b[8];
  add(p, slot + 4, packet + 4, 60);
  add(p, slot, packet, 4);
  put64(b, index + 1);
  if ((w[3] >> 6 & 3) == 2) add(p, w[2] + 56, b, 8);
  put64(b, index);
  add(p, w[1], b, 8);
  records[records_want % Q].queue = q, records[records_want % Q].index = index,
                         records[records_want % Q].log = log >= 0, records[records_want % Q].why = 0;
  records[records_want % Q].b = p | (log < 0 ? 0 : (unsigned)log << 8);
  records_want++, pushed++;
  if (!(w[3] >> 8 & 1)) return;
  unsigned n = tasks_made++ % Q;
  tasks[n].kind = NIC_K_EvTask, tasks[n].status = 0, tasks[n].proc = p, tasks[n].word = q;
  tasks[n].qp = log < 0 ? name_of(qp) : 0;
  tasks[n].addr = index, tasks[n].after = made, tasks[n].len = tasks[n].bytes = 0;
}

static unsigned room(const process *p, uint64_t n, uint64_t *va) {
  unsigned i = 0;
  for (; i < p->count; i++) {
    *va = p->posted[i].addr + (i ? 0 : p->offset);
    if ((i ? 0 : p->offset) + n <= p->posted[i].len) break;
  }
  return i;
}

static void take_room(process *p, uint64_t n) {
  uint64_t va = 0;
  unsigned i = room(p, n, &va);
  buffer b = p->posted[i];
  uint64_t end = (va - b.addr + n + 63) / 64 * 64;
  if (end > b.len) end = b.len;
  i += b.len - end < b.least;
  p->offset = b.len - end < b.least ? 0 : end;
  memmove(p->posted, p->posted + i, (p->count - i) * sizeof b);
  p->count -= i, p->number += i;
}

static void tell(const message *m, unsigned qp, unsigned status) {
  unsigned n = tasks_made++ % Q;
  tasks[n].kind = NIC_K_EvRecv, tasks[n].status = status, tasks[n].proc = m->proc, tasks[n].qp = name_of(qp);
  tasks[n].word = m->number, tasks[n].len = status == 1 || status == 2 ? m->value : 0, tasks[n].bytes = m->sent;
  tasks[n].addr = m->next - m->sent, tasks[n].after = made;
}

// The rules of SENDs (RCV-1 to RCV-5), and what comes of a packet that passes.
static unsigned judge_send(message *m, unsigned qp, bool first, bool last, unsigned n) {
  process *p = &procs[m->proc];
  if (first) {
    uint64_t need = !last ? n + 1 : n ? n : 1, va = 0;
    unsigned i = room(p, need, &va);
    if (i == p->count) return NIC_K_WhyNoBuffer;
    if (!event_room) return NIC_K_WhyNoEvent;
    m->next = va, m->number = p->number + i;
    m->room = p->posted[i].len - (va - p->posted[i].addr);
    if (last) {
      take_room(p, need);
    } else {
      memmove(p->posted, p->posted + i + 1, (p->count - i - 1) * sizeof *p->posted);
      p->count -= i + 1, p->number += i + 1, p->offset = 0;
    }
    kept_want++;
  } else if (n > m->room) {
    tell(m, qp, 3);
    return NIC_K_WhyTooLong;
  }
  if (n) add(m->proc, m->next, m->bytes + m->sent, n)->last = true;
  m->next += n, m->room -= n;
  if (last) m->sent += n, tell(m, qp, m->status), m->sent -= n;
  return NIC_K_WhyNone;
}

// README.md's checks, and what comes of a packet that passes.
static unsigned judge(message *m, unsigned qp, bool first, bool last, unsigned n) {
  if (m->send) return judge_send(m, qp, first, last, n);
  const uint8_t *c = m->bytes;
  const uint64_t *e = NULL;
  uint64_t code = get64(c + (m->kind == 1 ? 8 : 32)), va = 0, index = 0, all = (uint64_t)m->args + m->pay;
  unsigned queue = c[48] | (unsigned)c[49] << 8, why;
  if (first) {
    if (m->target != m->proc) return NIC_K_WhyBadProcess;
    if (m->kind > 1) return NIC_K_WhyBadKind;
    if (64 + all != m->length || m->args % 16 || m->args > 4096 || n < 64) return NIC_K_WhyBadLength;
    if (c[0] != (m->kind ? 4 : 2) || c[1] >> 5) return NIC_K_WhyBadType;
    if (code < N && fail_table == 1) return NIC_K_WhyTable;
    if (code >= N || !(table[m->proc][m->kind][code].w[3] & 1)) return NIC_K_WhyBadIndex;
    e = table[m->proc][m->kind][code].w;
  }
  if ((first || last) && queue < N && fail_table == 2) return NIC_K_WhyTable;
  if ((first || last) && (queue >= N || !(table[m->proc][QUEUE][queue].w[3] & 1))) return NIC_K_WhyBadQueue;
  if (first && !m->kind && (e[3] & 2 || m->pay) && m->args < 16) return NIC_K_WhyBadLength;
  if (first && all && room(&procs[m->proc], all, &va) == procs[m->proc].count) return NIC_K_WhyNoBuffer;
  if (last && (why = judge_queue(m->proc, queue, 1, &index))) return why;

  uint8_t data[4096];
  unsigned off = first ? 64 : 0, k = n - off;
  memcpy(data, m->bytes + m->sent + off, k);
  if (first) {
    uint64_t payload = m->pay ? va + m->args : 0;
    if (all) take_room(&procs[m->proc], all);
    m->next = va;
    memcpy(m->packet, c, 64);
    put64(m->packet + (m->kind ? 8 : 32), e[0]);
    if (m->kind && (e[3] & 2)) put64(m->packet + 16, e[1]);
    if (m->kind) put64(m->packet + 24, payload);
    if (!m->kind) put64(m->packet + 40, m->args ? va : 0);
    put64(m->packet + 48, 0);
    put64(m->packet + 56, e[2]);
    if (!m->kind && (e[3] & 2) && m->args) put64(data, e[1]);
    if (!m->kind && m->args) put64(data + 8, payload);
  }
  if (k) add(m->proc, m->next, data, k);
  m->next += k;
  if (last) enqueue(m->proc, queue, index, m->packet, qp, -1);
  want[(made - 1) % Q].last = true;
  return NIC_K_WhyNone;
}

// The next packet of a QP's message: what must be answered.
static unsigned start(message *m, unsigned qp) {
  bool first = m->sent == 0;
  unsigned n = m->n - m->sent < MTU ? m->n - m->sent : MTU;
  bool last = m->sent + n == m->n;
  memset(ask_w, 0, sizeof ask_w);
#define ASK(f, v) bits_set(ask_w, NIC_XTQ_ASK_T_##f##_LSB, NIC_XTQ_ASK_T_##f##_W, v)
  ASK(QP, qp), ASK(NAME, name_of(qp)), ASK(PROC, m->proc), ASK(FIRST, first), ASK(LAST, last), ASK(BYTES, n);
  ASK(LENGTH, m->length), ASK(KIND, m->kind), ASK(TARGET, m->target), ASK(ARGS, m->args), ASK(PAY, m->pay);
  ASK(SEND, m->send), ASK(IMM_ON, m->send && last && m->status == 1), ASK(INV, m->send && last && m->status == 2);
  ASK(IMM, m->value);
  asked_qp = qp;
  memcpy(pay, m->bytes + m->sent, n);
  pay_n = n, pay_at = 0, pay_on = true, ask_valid = true;
  unsigned why = judge(m, qp, first, last, n);
  if (!why) m->sent += n;
  if (!why && last) m->live = false;
  return why;
}

static unsigned packet(tb *t, dut *d, unsigned qp) {
  unsigned n = 0, why = start(&qps[qp], qp);
  bool answered = false;
  for (; (!answered || pay_on) && n < 3000; n++) {
    cycle(t, d);
    if (answer < 0) continue;
    CHECK(t, !answered, "one answer");
    CHECK_EQ(t, answer, why, "QP %u: answer", qp);
    answered = true, answers++;
  }
  CHECK(t, answered && !pay_on, "QP %u is answered, and its payload taken", qp);
  whys[why & 15]++;
  bool rnr = why == NIC_K_WhyNoBuffer || why == NIC_K_WhyNoEvent || why == NIC_K_WhyQueueFull;
  if (why && !rnr) qps[qp].live = false;
  return why;
}

static unsigned send(tb *t, dut *d, unsigned qp, message m) {
  unsigned why = 0;
  for (qps[qp] = m; qps[qp].live && !why;) why = packet(t, d, qp);
  return why;
}

static message letter(tb *t, unsigned proc, unsigned n, unsigned status) {
  message m = {.live = true, .send = true, .proc = proc, .n = n, .status = status, .value = rnd(t) & 0xffffffff};
  m.args = (unsigned)rnd(t), m.pay = (unsigned)rnd(t), m.kind = (unsigned)rnd_bits(t, 8);  // mean nothing
  for (unsigned i = 0; i < n; i++) m.bytes[i] = (uint8_t)rnd(t);
  return m;
}

// Its queue pair is told NAK 1 or 2 of something else, or goes off.
static void give_up(tb *t, dut *d, unsigned qp, bool off) {
  message *m = &qps[qp];
  if (m->live && m->send && m->sent) tell(m, qp, 3);
  m->live = false;
  *(off ? &stops : &gives_up) = (int)qp;
  cycle(t, d);
}

static bool log_task(tb *t, dut *d, unsigned log, unsigned p, unsigned q) {
  uint32_t w[16];
  uint8_t bytes[64];
  uint64_t index = 0;
  rnd_words(t, w, 512);
  for (unsigned i = 0; i < 64; i++) bytes[i] = (uint8_t)(w[i / 4] >> 8 * (i % 4));
  bool there = p < PROCS && q < N && (table[p % PROCS][QUEUE][q % N].w[3] & 1);
  unsigned n = 0, why = there ? judge_queue(p, q, 2, &index) : NIC_K_WhyBadQueue;
  if (!why) {
    enqueue(p, q, index, bytes, 0, (int)log);
  } else {
    unsigned r = records_want++ % Q;
    records[r].queue = q & 255, records[r].index = 0, records[r].b = p | log << 8, records[r].log = true,
    records[r].why = why;
  }
  dut_set_task_log_i(d, log), dut_set_task_proc_i(d, p), dut_set_task_queue_i(d, q), dut_set_task_packet_i(d, w);
  task_valid = true;
  for (task_answer = -1; task_answer < 0 && n < 3000; n++) cycle(t, d);
  CHECK_EQ(t, task_answer, !why, "task of a log");
  if (!why) CHECK_EQ(t, task_event, table[p][QUEUE][q].w[3] >> 8 & 1, "a place for its end");
  return !why;
}

// ---- scenarios ----
static void set_up(tb *t, dut *d) {
  unsigned n = 0;
  for (; n < 3000 && (dut_eval(d), n < 40 || !dut_get_ask_ready_o(d)); n++) cycle(t, d);
  for (unsigned p = 0; p < PROCS; p++) {
    write_reg(t, d, 0x8048 + 128 * p, table_at(p));
    set_code(t, d, p, KERNEL, 0, false), set_code(t, d, p, KERNEL, 1, true);
    set_code(t, d, p, FUNCTION, 0, true), set_code(t, d, p, FUNCTION, 1, false);
    set_queue(t, d, p, 0, 3, 0, false), set_queue(t, d, p, 1, 2, p & 1 ? 1 : 2, true);
  }
}

static void agent(unsigned p, unsigned q) {
  index_of[p][q].read = (table[p][QUEUE][q].w[3] >> 6 & 1) ? index_of[p][q].write : index_of[p][q].next;
}

static void log_tasks(tb *t, dut *d, unsigned p) {
  // Tasks of access logs, with and without events.
  CHECK(t, log_task(t, d, 31, p, 0), "a log's task");
  agent(p, 1);
  CHECK(t, log_task(t, d, 1, p, 1), "with two places");
  event_room = false;
  CHECK(t, !log_task(t, d, 1, p, 1), "without them");
  event_room = true;
  CHECK(t, !log_task(t, d, 1, p, N) && !log_task(t, d, 1, p, 0xFFFF) && (PROCS == 16 || !log_task(t, d, 1, PROCS, 0)),
        "no such queue");
  drain(t, d);
}

static void sends(tb *t, dut *d, unsigned p, unsigned qp) {
  // SENDs: of one packet and of many, of no bytes, too long, without a place or a buffer, given up.
  drain(t, d);
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 0, 0)), NIC_K_WhyNone, "a SEND of no bytes");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 1, 1)), NIC_K_WhyNone, "one with immediate");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 256, 2)), NIC_K_WhyNone, "one with a key");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 257, 1)), NIC_K_WhyNone, "two packets");
  CHECK_EQ(t, procs[p].count, 0, "RCV-2: the rest of the buffer is used up");
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 0, 0)), NIC_K_WhyNoBuffer, "RCV-3");
  post(t, d, p, 0x40000, 256, 0);
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 257, 0)), NIC_K_WhyNoBuffer, "no more than a packet");
  post(t, d, p, 0x50000, 700, 0);
  event_room = false;
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 700, 0)), NIC_K_WhyNoEvent, "RCV-3: no place");
  CHECK_EQ(t, procs[p].count, 2, "takes no room");
  event_room = true;
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the same again");
  event_room = false;  // its place is kept
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the second");
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the last fills it to the byte");
  event_room = true;
  CHECK(t, procs[p].count == 0, "the first was passed over");
  post(t, d, p, 0x50000, 700, 0);
  CHECK_EQ(t, send(t, d, qp, letter(t, p, 701, 0)), NIC_K_WhyTooLong, "RCV-4: a byte too long");
  drain(t, d);
  for (unsigned off = 0; off < 2; off++) {
    post(t, d, p, 0x60000, 4096, 0);
    qps[qp] = letter(t, p, 1000, 0);
    packet(t, d, qp);
    packet(t, d, qp);
    give_up(t, d, qp, off);
    give_up(t, d, qp, off);  // in no message: nothing
    drain(t, d);
  }
  CHECK(t, received[0] == 2 && received[1] == 2 && received[2] == 1 && received[3] == 3, "events 8");
  post(t, d, p, 0x20000, 8192, 0);
}

static void unreadable(tb *t, dut *d, unsigned p, unsigned qp) {
  // What memory does not give: an index, asked for by the first message since XT_CMD; an entry that the cache
  // has not. Then it does.
  set_queue(t, d, p, 0, 3, 0, false);
  fail_queue = true;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyTable, "10: the index cannot be read");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyNone, "and then it can");
  if (CACHE) {
    send(t, d, qp, fresh(t, p, 1, 0, 64, 0, 0));  // its entry takes the line of kernel 0
    fail_table = 1;
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyTable, "5: the entry cannot be read");
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyNone, "and then it can");
    set_queue(t, d, p ^ 1, 0, 3, 0, false);  // takes the line of this queue 0
    fail_table = 2;
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyTable, "6: the queue cannot be read");
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 0, 0)), NIC_K_WhyNone, "and then it can");
  }
  agent(p, 0);
}

static void queue_taken_away(tb *t, dut *d, unsigned p, unsigned qp) {
  // A queue that is taken away in mid-message.
  agent(p, 0);
  qps[qp] = fresh(t, p, 0, 16, 300, 1, 0);
  packet(t, d, qp);
  commit(t, d, p, QUEUE, 0, (entry){{0, 0, 0, 0}});
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyBadQueue, "6 at Last");
  drain(t, d);
  set_queue(t, d, p, 0, 3, 0, false);
  agent(p, 0);
}

static void refused_at_the_end(tb *t, dut *d, unsigned p, unsigned qp) {
  // 9 and 10 at the end of a long message: nothing of the last packet is written, and it comes again.
  event_room = false;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 300, 1, 1)), NIC_K_WhyNoEvent, "9");
  event_room = true;
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "the refused packet again");
  for (unsigned i = 0; i < 3; i++) send(t, d, qp, fresh(t, p, 0, 16, 8, 1, 1));
  drain(t, d);
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 300, 1, 1)), NIC_K_WhyQueueFull, "10, hostile case 34");
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyQueueFull, "and again");
  agent(p, 1);
  CHECK_EQ(t, packet(t, d, qp), NIC_K_WhyNone, "and then there is a slot");
  uint64_t offset = procs[p].offset;
  event_room = false;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 8, 1, 1)), NIC_K_WhyNoEvent, "9: an Only");
  event_room = true;
  CHECK_EQ(t, procs[p].offset, offset, "takes no room");
  CHECK_EQ(t, read_reg(t, d, 0x8040 + 128 * p), offset << 32 | procs[p].count, "RB_STS");
}

static void each_check(tb *t, dut *d, unsigned p, unsigned qp) {
  message m;
  // Hostile cases 29 to 33. Each check by itself, then the first of several.
  m = fresh(t, p, 0, 16, 64, 1, 0), m.target = p + 16;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadProcess, "1");
  m.kind = 2;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadProcess, "1 before 2");
  m = fresh(t, p, 0, 16, 64, 1, 0), m.kind = 255, m.length++;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadKind, "2 before 3");
  m = fresh(t, p, 0, 16, 64, 1, 0), m.pay++, m.bytes[0] = 3;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3 before 4: the sum is wrong");
  m.pay = 72, m.args = 8;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3: arguments no multiple of 16");
  m.args = 16, m.pay = 0xFFFFFFC0, m.length = 16;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3: the sum is right in 32 bits only");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 1, 4112, 0, 0, 0)), NIC_K_WhyBadLength, "3: arguments over 4096");
  m = fresh(t, p, 0, 0, 0, 0, 0), m.length = 20, m.n = 20;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadLength, "3: shorter than a command");
  for (unsigned type = 0; type < 256; type += type < 6 ? 1 : 125) {
    m = fresh(t, p, type & 1, 16, 64, 1, 0), m.bytes[0] = (uint8_t)(type == 2 || type == 4 ? 6 - type : type),
    m.kind = type == 4 ? 0 : type & 1;
    if (type == 2) m.kind = 1;
    if (type == 2 || type == 4) m.bytes[0] = (uint8_t)type;
    CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadType, "4: type %u", type);
  }
  m = fresh(t, p, 0, 16, 64, 1, 0), m.bytes[1] |= 0x20;
  CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadType, "4: a reserved bit");
  for (unsigned bit = P_TableBits; bit < 64; bit++) {
    m = fresh(t, p, 0, 16, 64, 1, 0), put64(m.bytes + 32, 1 | 1ull << bit);
    CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadIndex, "5: bit %u of a kernel's index", bit);
    m = fresh(t, p, 1, 16, 64, 1, 0), put64(m.bytes + 8, 1 | 1ull << bit);
    CHECK_EQ(t, send(t, d, qp, m), NIC_K_WhyBadIndex, "5: bit %u of a function's index", bit);
  }
  commit(t, d, p, KERNEL, 1, (entry){{1, 2, 3, 2}});
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, N)), NIC_K_WhyBadIndex, "5 before 6: not valid");
  set_code(t, d, p, KERNEL, 1, true);
  for (unsigned bit = P_TableBits; bit < 16; bit++)
    CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 1u << bit)), NIC_K_WhyBadQueue, "6: bit %u", bit);
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 64, 1, 0)), NIC_K_WhyBadLength, "7: a target buffer needs arguments");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 5, 0, 0)), NIC_K_WhyBadLength, "7: a payload needs arguments");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 1000000 % 900 + 64, 1, 0)), NIC_K_WhyNone,
           "and then the good one works");
}

static void scenarios(tb *t, dut *d) {
  unsigned p = PROCS - 1, qp = QPS - 1;
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyNoBuffer, "8: no buffer");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 0, 0, 0, 0)), NIC_K_WhyNone, "a command alone needs no buffer");
  post(t, d, p, 0x10000, 8192, 0);
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 64, 1, 0)), NIC_K_WhyNone, "a kernel with a target buffer");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 5, 0, 0)), NIC_K_WhyNone, "a kernel with five bytes of payload");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 16, 0, 0, 0)), NIC_K_WhyNone, "a kernel with arguments alone");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 1, 0, 100, 0, 0)), NIC_K_WhyNone, "a function");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 1, 32, 0, 1, 0)), NIC_K_WhyNone, "a function with arguments");
  CHECK_EQ(t, send(t, d, qp, fresh(t, p, 0, 1600, 700, 1, 0)), NIC_K_WhyNone, "ten packets");
  agent(p, 0);

  each_check(t, d, p, qp);

  refused_at_the_end(t, d, p, qp);

  queue_taken_away(t, d, p, qp);

  unreadable(t, d, p, qp);

  sends(t, d, p, qp);

  log_tasks(t, d, p);
}

// 64 bytes of payload, 16 of arguments: as fast as the wire gives them (MIRROR, which a cache needs: a cycle
// more). The asker takes two cycles from an answer to its next ask.
static void rate(tb *t, dut *d) {
  unsigned p = 0, count = 64;
  set_queue(t, d, p, 0, 10, 0, false);
  agent(p, 0);
  pct = 100;
  uint64_t begin = 0;
  unsigned worst = 0;
  for (unsigned i = 0; i < count + 4; i++) {
    if (procs[p].count < 2) post(t, d, p, 0x20000, 65536, 0);
    if (i == 4) begin = dut_cycle(d);
    if (i < 4) drain(t, d);
    send(t, d, 0, fresh(t, p, 0, 16, 64, 1, 0));
    if (i >= 4) cycle(t, d);
    if (i < 4) {
      drain(t, d);
      if (i && bell - last_beat > worst) worst = bell - last_beat;
    }
  }
  uint64_t cycles = dut_cycle(d) - begin;
  printf("%u beats: %u messages in %u cycles, last beat to doorbell %u cycles\n", (144 + BB - 1) / BB, count,
         (unsigned)cycles, worst);
  CHECK(t, worst <= 20, "latency: %u", worst);
  CHECK(t, cycles <= count * (BB == 16 ? 16 : CACHE ? 9 : 8), "rate: %u cycles", (unsigned)cycles);
  drain(t, d);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_target", 70000);
  dut *d = dut_begin(&t);
  dut_set_cfg_rid_i(d, RID);
  dut_reset(d, 2);
  set_up(&t, d);
  scenarios(&t, d);
  rate(&t, d);
  for (unsigned p = 0; p < PROCS; p++) agent(p, 0);
  set_queue(&t, d, 0, 0, 3, 0, false);
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned p = (unsigned)rnd_below(&t, PROCS), qp = (unsigned)rnd_below(&t, QPS), i = (unsigned)rnd_below(&t, N);
    if (rnd_chance(&t, 3)) pct = rnd_chance(&t, 40) ? 100 : 20 + (unsigned)rnd_below(&t, 70);
    event_room = rnd_chance(&t, 85);
    if (rnd_chance(&t, QPS > 1 ? 25 : 40)) agent(p, i);
    if (rnd_chance(&t, procs[p].count ? 30 : 80))  // a long SEND takes a whole one
      post(&t, d, p, rnd(&t) & ~63ull, 1 + rnd_below(&t, 6000), rnd_below(&t, 300));
    if (rnd_chance(&t, 6)) set_code(&t, d, p, (unsigned)rnd_below(&t, 2), i, rnd_chance(&t, 50));
    if (rnd_chance(&t, 4)) {
      drain(&t, d);
      set_queue(&t, d, p, i, (unsigned)rnd_below(&t, 4), (unsigned)rnd_below(&t, 4), rnd_chance(&t, 50));
    }
    if (rnd_chance(&t, 10)) log_task(&t, d, (unsigned)rnd_below(&t, 32), p, (unsigned)rnd_below(&t, N + 1));
    if (qps[qp].live && rnd_chance(&t, 2)) give_up(&t, d, qp, rnd_chance(&t, 50));
    if (!qps[qp].live && rnd_chance(&t, 30)) {
      qps[qp] = letter(&t, p, (unsigned)rnd_below(&t, rnd_chance(&t, 50) ? 300 : 2500), (unsigned)rnd_below(&t, 3));
    } else if (!qps[qp].live) {
      bool big = rnd_chance(&t, 15);
      unsigned args = 16 * (unsigned)rnd_below(&t, big ? 257 : 6), bytes = (unsigned)rnd_below(&t, big ? 1000 : 150);
      if (rnd_chance(&t, 20)) bytes = 0;
      qps[qp] =
          fresh(&t, p, (unsigned)rnd_below(&t, 2), args, bytes, (unsigned)rnd_below(&t, N), (unsigned)rnd_below(&t, N));
      if (rnd_chance(&t, 5)) qps[qp].bytes[0] ^= (uint8_t)(1u << rnd_below(&t, 8));
      if (rnd_chance(&t, 3)) qps[qp].target ^= 1u << rnd_below(&t, 16);
      if (rnd_chance(&t, 3)) qps[qp].length ^= 1u << rnd_below(&t, 31);
    }
    packet(&t, d, qp);
  }
  drain(&t, d);
  uint64_t few = tb_least(&t, 20);
  CHECK(&t, received[0] > few && received[1] > few && received[2] > few && received[3] > few, "events 8: %u %u %u %u",
        (unsigned)received[0], (unsigned)received[1], (unsigned)received[2], (unsigned)received[3]);
  CHECK(&t,
        pushed > tb_least(&t, 333) && whys[NIC_K_WhyQueueFull] > tb_least(&t, 100) && whys[NIC_K_WhyNoBuffer] &&
            whys[NIC_K_WhyNoEvent] > tb_least(&t, 25) && buffers_told,
        "%u tasks, %u full, %u no buffer, %u no event, %u buffers used up", (unsigned)pushed,
        (unsigned)whys[NIC_K_WhyQueueFull], (unsigned)whys[NIC_K_WhyNoBuffer], (unsigned)whys[NIC_K_WhyNoEvent],
        (unsigned)buffers_told);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
