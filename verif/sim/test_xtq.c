// SPDX-License-Identifier: Apache-2.0
// xtq with nic_dma behind it, seen as its neighbours see it: nic_decide asks, memory takes and answers TLPs, the IOMMU
// gives notices, software writes registers while nothing is half decided, and an agent consumes: at the TLP of a
// doorbell it finds the task whole in its queue, with arguments and payload in memory. The life of one message and of
// one log's task, with their cycles; how fast messages follow each other; when a refused task is tried again; then all
// at once, while table entries change: a task bears all of one entry or all of the next, never of both.
// Rules of rtl/nic/README.md: TIM-3.
// Rules of rtl/xtq/README.md: XTM-5, ENQ-1, ENQ-6, TBL-2, TSK-1, TSK-2, TSK-3.
// top: xtq_sim
// config: default -GNumProcs=2 -GNumQps=4 -GRecvDepth=4 -GTableBits=2 -GNumLogs=4
// config: cache -GNumProcs=2 -GNumQps=2 -GRecvDepth=4 -GTableBits=2 -GTableCache=2 -GNumLogs=2
// config: narrow -GNumProcs=1 -GNumQps=2 -GRecvDepth=4 -GTableBits=2 -GNumLogs=1 +define+TOCSIN_DATA_W=128
// config: wide -GNumProcs=2 -GNumQps=4 -GRecvDepth=4 -GTableBits=2 -GTableCache=4 -GNumLogs=4 +define+TOCSIN_DATA_W=512
// no netlist: 21 s, most of it in Yosys; `make sim BLOCK=xtq CONFIG=narrow NETLIST=1` before a release
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "xtq_sim_tb.h"

enum {
  PROCS = P_NumProcs,
  QPS = P_NumQps,
  N = 1 << P_TableBits,
  CACHE = P_TableCache,
  LOGS = P_NumLogs,
  BB = NIC_K_BeatBytes,
  MTU = 256,
  KERNEL = 0,
  QUEUE = 2,
  LONGEST = 64 + 1024
};
enum { RING = 0, BLOCK = 0x2000, BELL = 0x3000, TABLE = 0x4000, BIG = 0x6000, BUFFER = 0x8000, MEM = 0x10000 };
static uint8_t mem[MEM];

// ---- queues, as the agent sees them ----
typedef struct queue {
  unsigned ring, size;  // size: log2
  uint64_t next;        // to be consumed
} queue;
static queue queues[PROCS][N];
static unsigned block_at(unsigned p, unsigned q) { return BLOCK + 256 * (p * N + q); }
static unsigned bell_at(unsigned p, unsigned q) { return BELL + 8 * (p * N + q); }

// Messages under way, by number; entries of the kernel table by generation.
static unsigned sent, consumed, log_tasks, accepted, left, events, kept, commits, generation[PROCS][N];
typedef struct message {
  bool live;
  unsigned proc, queue, kernel, args, pay, oldest;  // oldest: generation of the entry when it was sent
} message;
static message messages[256];
typedef enum where { IDLE, PENDING, OUT, DONE } where;  // DONE: the agent is through, software has not said so
static struct {
  where at;
  uint32_t prod, cons;
  unsigned begin;
} logs[LOGS];
static unsigned ready_pct = 100, slow, notice_pct;
static unsigned last_beat, bell_time;
static unsigned tick = 100, tries, tried;  // NIC_TICK; records of tasks, and the cycle of the last one

static uint64_t get64(const uint8_t *b) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v |= (uint64_t)b[i] << 8 * i;
  return v;
}
static void put64(uint8_t *b, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) b[i] = (uint8_t)(v >> 8 * i);
}
static uint8_t pattern(unsigned number, unsigned i) { return (uint8_t)(number * 37 + i * 11 + (i >> 8) + 1); }

// ---- the agent: everything must be there when the bell rings ----
static void consume_log(tb *t, dut *d, const uint8_t *s) {
  unsigned l = (unsigned)get64(s + 16);
  CHECK(t, l < LOGS && logs[l % LOGS].at == PENDING, "a task of log %u, which has nothing to tell", l);
  CHECK(t, get64(s + 24) == logs[l % LOGS].prod && get64(s + 32) == logs[l % LOGS].cons, "log %u: producer, consumer",
        l);
  CHECK_EQ(t, get64(s + 40), 0xABCD0000 + l, "log %u: its template", l);
  logs[l % LOGS].at = DONE;
  log_tasks++;
  bell_time = (unsigned)dut_cycle(d) - logs[l % LOGS].begin;
}

static void consume_message(tb *t, dut *d, unsigned p, unsigned q, const uint8_t *s) {
  unsigned number = (unsigned)(s[4] | s[5] << 8 | s[6] << 16);
  message *m = &messages[number % 256];
  uint64_t g = get64(s + 32) - 0xC0DE0000, args = get64(s + 40), pay = args + m->args;
  CHECK(t, m->live && m->proc == p && m->queue == q, "a task of message %u in queue %u of %u", number, q, p);
  CHECK(t, g >= m->oldest && g <= generation[p][m->kernel], "message %u: entry of generation %u", number, (unsigned)g);
  CHECK_EQ(t, get64(s + 56), 0x51000000 + g, "message %u: signal of the same entry as the code", number);
  CHECK_EQ(t, get64(s + 48), 0, "message %u: bytes 48 to 55", number);
  CHECK(t, args % 64 == 0 && args >= BUFFER && pay + m->pay <= MEM, "message %u: arguments at %llx", number,
        (unsigned long long)args);
  if (args < BUFFER || pay + m->pay > MEM) return;
  CHECK_EQ(t, get64(mem + args), 0x7A000000 + g, "message %u: target buffer of the same entry", number);
  CHECK_EQ(t, get64(mem + args + 8), m->pay ? pay : 0, "message %u: address of the payload", number);
  for (unsigned i = 16; i < m->args + m->pay; i++) {
    if (mem[args + i] == pattern(number, 64 + i)) continue;
    CHECK(t, false, "message %u: byte %u of arguments and payload is not in memory", number, i);
    break;
  }
  m->live = false;
  consumed++;
  bell_time = (unsigned)dut_cycle(d) - last_beat;
}

static void ring_bell(tb *t, dut *d, unsigned p, unsigned q, uint64_t index) {
  queue *k = &queues[p][q];
  CHECK_EQ(t, index, k->next, "doorbell of queue %u of %u", q, p);
  uint8_t *s = mem + k->ring + 64 * (k->next & ((1u << k->size) - 1));
  CHECK(t, s[0] == 2 || s[0] == 4, "doorbell %u before the header", (unsigned)index);
  if (s[0] == 4) consume_log(t, d, s);
  if (s[0] == 2) consume_message(t, d, p, q, s);
  memset(s, 0xEE, 64);
  s[0] = 1;  // INVALID
  k->next++;
  put64(mem + block_at(p, q) + 128, k->next);
}

// ---- memory: TLPs ----
typedef struct read {
  unsigned addr, rid, tag, bytes, due;
  uint64_t old;
  bool atomic;
} read_t;
static read_t reads[64];
static unsigned reads_in, reads_out;
static uint32_t tlp[4 + 64];  // header, lowest word first; payload
static unsigned tlp_dw, cpl_at;

static void take_tlp(tb *t, dut *d) {
  unsigned type = tlp[3] >> 24, dw = tlp[3] & 0x3FF, addr = tlp[1] & ~3u, be = tlp[2] & 15, last = tlp[2] >> 4 & 15;
  if (type == 0x40) {
    CHECK(t, tlp_dw == dw && addr + 4 * dw <= MEM, "MWr to %x, %u DW", addr, dw);
    if (addr + 4 * dw > MEM) return;
    for (unsigned i = 0; i < 4 * dw; i++) {
      unsigned en = i < 4 ? be : i >= 4 * dw - 4 ? last : 15;
      if (en >> i % 4 & 1) mem[addr + i] = (uint8_t)(tlp[4 + i / 4] >> 8 * (i % 4));
    }
    if (addr >= BELL && addr < BELL + 8 * PROCS * N) {
      CHECK(t, dw == 2 && be == 15 && last == 15, "a doorbell is 8 bytes");
      ring_bell(t, d, (addr - BELL) / 8 / N, (addr - BELL) / 8 % N, get64(mem + addr));
    }
    return;
  }
  read_t r = {.addr = addr, .rid = tlp[2] >> 16, .tag = tlp[2] >> 8 & 255, .bytes = type == 0x4E ? 8 : 4 * dw};
  r.due = (unsigned)dut_cycle(d) + (slow ? (unsigned)rnd_below(t, slow) : 0);
  CHECK(t, (type == 0 || (type == 0x4E && tlp_dw == 4)) && addr + r.bytes <= MEM, "TLP of type %02x to %x", type, addr);
  if (type == 0x4E) {
    uint64_t compare = tlp[4] | (uint64_t)tlp[5] << 32, swap = tlp[6] | (uint64_t)tlp[7] << 32;
    r.atomic = true, r.old = get64(mem + addr);
    if (r.old == compare) put64(mem + addr, swap);
  }
  reads[reads_in++ % 64] = r;
}

static void memory(tb *t, dut *d) {
  uint32_t b[(CM_TLP_T_W + 31) / 32] = {0};
  read_t *r = &reads[reads_out % 64];
  bool valid = reads_in != reads_out && r->due <= dut_cycle(d);
  unsigned n = valid ? (r->bytes - cpl_at < BB ? r->bytes - cpl_at : BB) : 0;
  if (valid) {
    uint8_t old[8];
    put64(old, r->old);
    bits_set(b, CM_TLP_T_SOP_LSB, 1, cpl_at == 0);
    bits_set(b, CM_TLP_T_EOP_LSB, 1, cpl_at + n == r->bytes);
    bits_set(b, CM_TLP_T_STRB_LSB, CM_TLP_T_STRB_W, (1ull << n / 4) - 1);
    bits_set(b, CM_TLP_T_HDR_LSB + 96, 32, 0x4A000000 | r->bytes / 4);
    bits_set(b, CM_TLP_T_HDR_LSB + 64, 32, r->bytes);
    bits_set(b, CM_TLP_T_HDR_LSB + 32, 32, r->rid << 16 | r->tag << 8 | (r->atomic ? 0 : r->addr & 127));
    for (unsigned i = 0; i < n; i++)
      bits_set(b, CM_TLP_T_DATA_LSB + 8 * i, 8, r->atomic ? old[i] : mem[r->addr + cpl_at + i]);
  }
  dut_set_cpl_valid_i(d, valid);
  dut_set_cpl_i(d, b);
  dut_set_req_ready_i(d, rnd_chance(t, ready_pct));
  dut_eval(d);
  if (valid && dut_get_cpl_ready_o(d)) {
    cpl_at += n;
    if (cpl_at == r->bytes) reads_out++, cpl_at = 0;
  }
  if (!dut_get_req_valid_o(d) || !dut_get_req_ready_i(d)) return;
  dut_get_req_o(d, b);
  if (bits_get(b, CM_TLP_T_SOP_LSB, 1)) {
    words_copy(tlp, 0, b, CM_TLP_T_HDR_LSB, 128);
    tlp_dw = 0;
  }
  for (unsigned i = 0; i < BB / 4; i++)
    if ((bits_get(b, CM_TLP_T_STRB_LSB, CM_TLP_T_STRB_W) >> i & 1) && tlp_dw < 64)
      tlp[4 + tlp_dw++] = (uint32_t)bits_get(b, CM_TLP_T_DATA_LSB + 32 * i, 32);
  if (bits_get(b, CM_TLP_T_EOP_LSB, 1)) take_tlp(t, d);
}

// ---- one cycle ----
static bool ask_valid, pay_on, pay_shown;
static uint32_t ask_w[(NIC_XTQ_ASK_T_W + 31) / 32];
static uint8_t pay[4096];
static unsigned pay_n, pay_at;
static int answer;

static void give_notice(tb *t, dut *d, unsigned l) {
  logs[l].prod = (uint32_t)rnd(t), logs[l].cons = (uint32_t)rnd(t);
  logs[l].begin = (unsigned)dut_cycle(d);
  dut_set_task_valid_i(d, 1), dut_set_task_log_i(d, l);
  dut_set_task_prod_i(d, logs[l].prod), dut_set_task_cons_i(d, logs[l].cons);
  logs[l].at = PENDING;
}

static void cycle(tb *t, dut *d) {
  uint32_t b[(NIC_BYTES_T_W + 31) / 32] = {0};
  uint32_t ev[(3 * NIC_EVENT_T_W + 31) / 32];
  unsigned l = (unsigned)rnd_below(t, LOGS);
  pay_shown = pay_on && (pay_shown || rnd_chance(t, ready_pct));
  if (pay_shown) {
    unsigned n = pay_n - pay_at < BB ? pay_n - pay_at : BB;
    bits_set(b, NIC_BYTES_T_LAST_LSB, 1, pay_n - pay_at <= BB);
    bits_set(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
    for (unsigned k = 0; k < n; k++) bits_set(b, NIC_BYTES_T_DATA_LSB + 8 * k, 8, pay[pay_at + k]);
  }
  dut_set_pay_valid_i(d, pay_shown), dut_set_pay_i(d, b);
  dut_set_ask_valid_i(d, ask_valid), dut_set_ask_i(d, ask_w);
  dut_set_rsv_ok_i(d, 1);
  dut_set_cfg_tick_i(d, tick);
  dut_set_ev_ready_i(d, ready_pct == 100 ? 7 : rnd_bits(t, 3));
  if (logs[l].at == IDLE && rnd_chance(t, notice_pct)) give_notice(t, d, l);
  memory(t, d);
  kept += (unsigned)dut_get_rsv_valid_o(d);
  if (dut_get_back_valid_o(d)) kept -= (unsigned)dut_get_back_num_o(d);
  for (unsigned k = 0; k < 3; k++) {
    static const unsigned kinds[3] = {NIC_K_EvTask, NIC_K_EvBuffer, NIC_K_EvTaskDone};
    if (!(dut_get_ev_valid_o(d) & dut_get_ev_ready_i(d) & 1u << k)) continue;
    dut_get_ev_o(d, ev);
    CHECK_EQ(t, bits_get(ev, k * NIC_EVENT_T_W + NIC_EVENT_T_KIND_LSB, 8), kinds[k], "event of source %u", k);
    events += k != 1;
  }
  left += (unsigned)dut_get_left_o(d);
  if (dut_get_ret_task_valid_o(d)) tries++, tried = (unsigned)dut_cycle(d);
  CHECK(t, left <= accepted, "more packets have left than were accepted");
  if (ask_valid && dut_get_ask_ready_o(d)) ask_valid = false;
  if (pay_shown && dut_get_pay_ready_o(d)) {
    pay_at += BB, pay_shown = false;
    if (pay_at >= pay_n) pay_on = false, last_beat = (unsigned)dut_cycle(d);
  }
  answer = dut_get_ans_valid_o(d) ? (int)dut_get_ans_why_o(d) : -1;
  dut_tick(d);
  REG_BUS_SET(d, WE, 0);
  dut_set_task_valid_i(d, 0);
}

// ---- software ----
// What is read or written is on the bus in the cycle before.
static void setup_reg(tb *t, dut *d, unsigned reg) {
  REG_BUS_SET(d, ADDR, reg >> 3);
  cycle(t, d);
}

static void write_reg(tb *t, dut *d, unsigned reg, uint64_t v) {
  dut_set_hold_i(d, 1);
  unsigned n = 0;
  for (; dut_eval(d), !dut_get_idle_o(d) && n < 3000; n++) cycle(t, d);
  CHECK(t, n < 3000, "a register write gets its turn");
  setup_reg(t, d, reg);
  dut_set_rb_i(d, reg_bus_of(reg, true, v, 0xFF).words);
  cycle(t, d);
  dut_set_hold_i(d, 0);
}

static uint64_t read_reg(tb *t, dut *d, unsigned reg) {
  setup_reg(t, d, reg);
  dut_eval(d);
  return dut_get_rb_rdata_o(d);
}

static void commit(tb *t, dut *d, unsigned p, unsigned table, unsigned i, const uint64_t *w) {
  unsigned n = 0;
  for (; (read_reg(t, d, 0xA028) & 1) && n < 3000; n++) cycle(t, d);
  for (unsigned k = 0; k < 4; k++) write_reg(t, d, 0xA000 + 8 * k, w[k]);
  if (table == KERNEL) generation[p][i]++;
  write_reg(t, d, 0xA020, i | table << 16 | p << 18);
  commits++;
}

static void settled(tb *t, dut *d) {
  for (unsigned n = 0; (read_reg(t, d, 0xA028) & 1) && n < 3000; n++) cycle(t, d);
  CHECK_EQ(t, read_reg(t, d, 0xA028), 0, "XT_STS: done, and none refused");
}

static void set_kernel(tb *t, dut *d, unsigned p, unsigned i) {
  unsigned g = generation[p][i] + 1;
  const uint64_t w[4] = {0xC0DE0000 + g, 0x7A000000 + g, 0x51000000 + g, 3};
  commit(t, d, p, KERNEL, i, w);
}

// kind: 0 NIC-owned, 1 MULTI, 2 MIRROR. Handed over with the indices that the agent has come to.
static void set_queue(tb *t, dut *d, unsigned p, unsigned q, unsigned ring, unsigned size, unsigned kind,
                      bool with_events) {
  if (CACHE && !kind) kind = 2;
  queues[p][q] = (queue){.ring = ring, .size = size, .next = queues[p][q].next};
  put64(mem + block_at(p, q) + 56, queues[p][q].next);
  put64(mem + block_at(p, q) + 128, queues[p][q].next);
  const uint64_t w[4] = {ring, bell_at(p, q), block_at(p, q), 1 | size << 1 | kind << 6 | (uint64_t)with_events << 8};
  commit(t, d, p, QUEUE, q, w);
  settled(t, d);
}

static void post(tb *t, dut *d, unsigned p) {
  if ((read_reg(t, d, 0x8040 + 128 * p) & 255) > 1) return;
  write_reg(t, d, 0x8030 + 128 * p, BUFFER + p * 0x4000);  // the same bytes again: what was there has been consumed
  write_reg(t, d, 0x8038 + 128 * p, 0x4000);
}

static void done_logs(tb *t, dut *d) {
  for (unsigned l = 0; l < LOGS; l++) {
    if (logs[l].at != DONE || rnd_chance(t, 30)) continue;
    logs[l].at = OUT;
    dut_set_hold_i(d, 1);
    for (unsigned n = 0; dut_eval(d), !dut_get_idle_o(d) && n < 3000; n++) cycle(t, d);
    setup_reg(t, d, 0xA030);
    dut_set_rb_i(d, reg_bus_of(0xA030, true, l, 0xFF).words);
    dut_eval(d);
    CHECK(t, dut_get_task_done_valid_o(d) && dut_get_task_done_log_o(d) == l, "log %u is re-armed at once", l);
    cycle(t, d);
    logs[l].at = IDLE;
    dut_set_hold_i(d, 0);
  }
}

// ---- messages, as nic_decide brings them ----
static unsigned packet(tb *t, dut *d, unsigned qp, const message *m, const uint8_t *bytes, unsigned all,
                       unsigned from) {
  unsigned n = all - from < MTU ? all - from : MTU, i = 0;
  int why = -1;
  memset(ask_w, 0, sizeof ask_w);
#define ASK(f, v) bits_set(ask_w, NIC_XTQ_ASK_T_##f##_LSB, NIC_XTQ_ASK_T_##f##_W, v)
  ASK(QP, qp), ASK(PROC, m->proc), ASK(FIRST, from == 0), ASK(LAST, from + n == all), ASK(BYTES, n);
  ASK(LENGTH, all), ASK(KIND, KERNEL), ASK(TARGET, m->proc), ASK(ARGS, m->args), ASK(PAY, m->pay);
  memcpy(pay, bytes + from, n);
  pay_n = n, pay_at = 0, pay_on = ask_valid = true;
  for (; (why < 0 || pay_on) && i < 5000; i++) {
    cycle(t, d);
    if (answer >= 0) why = answer;
    if (answer == 0) accepted++;
  }
  CHECK(t, why >= 0 && !pay_on, "QP %u is answered, and its payload taken", qp);
  return (unsigned)why;
}

static void send(tb *t, dut *d, unsigned qp, unsigned p, unsigned kernel, unsigned q, unsigned args, unsigned n) {
  uint8_t bytes[LONGEST];
  message *m = &messages[sent % 256];
  unsigned all = 64 + args + n;
  CHECK(t, !m->live, "message %u has not been consumed", sent - 256);
  *m = (message){.live = true, .proc = p, .queue = q, .kernel = kernel, .args = args, .pay = n};
  m->oldest = generation[p][kernel] - (read_reg(t, d, 0xA028) & 1);
  for (unsigned i = 0; i < all; i++) bytes[i] = pattern(sent, i);
  bytes[0] = 2, bytes[1] = 0x14, bytes[4] = (uint8_t)sent, bytes[5] = (uint8_t)(sent >> 8),
  bytes[6] = (uint8_t)(sent >> 16);
  put64(bytes + 32, kernel), put64(bytes + 48, q);
  sent++;
  for (unsigned from = 0, why = 0, tries = 0; from < all && tries < 50; from += why ? 0 : MTU, tries += why != 0) {
    why = packet(t, d, qp, m, bytes, all, from);
    if (why) CHECK(t, why == NIC_K_WhyQueueFull || why == NIC_K_WhyNoBuffer, "QP %u is refused: %u", qp, why);
    if (why == NIC_K_WhyNoBuffer) post(t, d, p);
  }
}

static void drain(tb *t, dut *d) {
  for (unsigned n = 0; n < 5000 && (consumed < sent || left < accepted); n++) cycle(t, d);
  for (unsigned n = 0; n < 50; n++) cycle(t, d);
  CHECK_EQ(t, consumed, sent, "every message has become one task");
  CHECK_EQ(t, left, accepted, "left_o: packets");
}

static void life_of_one(tb *t, dut *d) {
  unsigned p = PROCS - 1;
  set_kernel(t, d, p, 1);
  set_queue(t, d, p, 0, RING + 0x400 * (p * N), 4, 0, false);
  post(t, d, p);
  send(t, d, QPS - 1, p, 1, 0, 16, 64);  // the first reads the queue's indices
  drain(t, d);
  send(t, d, QPS - 1, p, 1, 0, 16, 64);
  drain(t, d);
  printf("64 bytes: last beat to the doorbell's TLP %u cycles", bell_time);
  CHECK(t, bell_time <= 40, "last beat to doorbell: %u cycles", bell_time);
  send(t, d, 0, p, 1, 0, 32, 900);
  drain(t, d);
  printf("; four packets %u", bell_time);
  CHECK(t, bell_time <= 40, "last beat to doorbell, four packets: %u cycles", bell_time);

  for (unsigned l = 0; l < LOGS; l++) {
    for (unsigned k = 0; k < 8; k++)
      write_reg(t, d, 0xC000 + 64 * l + 8 * k, k ? k == 5 ? 0xABCD0000 + l : 0x1111 * k : 0x1404);
    write_reg(t, d, 0xB000 + 8 * l, 1ull << 63 | p << 16);
  }
  give_notice(t, d, 0);
  for (unsigned n = 0; n < 200 && logs[0].at != DONE; n++) cycle(t, d);
  CHECK_EQ(t, logs[0].at, DONE, "the log's task");
  printf("; a log's notice %u\n", bell_time);
  CHECK(t, bell_time <= 40, "notice to doorbell: %u cycles", bell_time);
}

// Back to back, as nic_decide asks: two cycles from an answer to the next ask. A frame of 64 bytes of payload and 16 of
// arguments is 8 beats at 256 bits.
static void rate(tb *t, dut *d) {
  enum { COUNT = 64 };
  set_kernel(t, d, 0, 2);
  set_queue(t, d, 0, 1, BIG, 7, 0, false);
  for (unsigned n = 0; n < 4; n++) post(t, d, 0);
  send(t, d, 0, 0, 2, 1, 16, 64);
  drain(t, d);
  unsigned begin = (unsigned)dut_cycle(d);
  for (unsigned n = 0; n < COUNT; n++) send(t, d, 0, 0, 2, 1, 16, 64), cycle(t, d);
  unsigned cycles = (unsigned)dut_cycle(d) - begin;
  drain(t, d);
  printf("%u messages in %u cycles\n", COUNT, cycles);
  CHECK(t, cycles <= COUNT * (BB == 16 ? 16 : CACHE ? 9 : 8), "rate: %u cycles for %u messages", cycles, COUNT);
}

// The next record of a task, none after `most` cycles: whether it came.
static bool next_try(tb *t, dut *d, unsigned most) {
  const unsigned before = tries;
  for (unsigned n = 0; n <= most && tries == before; n++) cycle(t, d);
  return tries != before;
}

// TSK-2, TIM-3: a log whose queue there is not is refused, and tried again one to two ticks later; 16 cycles and a
// packet more a log (no NIC_LATE: nothing else is under way). With ticks of two lengths, so that it is the tick that
// counts. Then it gets a queue, and its task comes.
static void refused_log(tb *t, dut *d) {
  enum { PACKET = 4096 / BB + 8, ALLOWED = LOGS * (16 + PACKET) };
  static const unsigned ticks[] = {100, 700};
  const unsigned p = PROCS - 1;
  for (unsigned k = 0; k < 2; k++) {
    for (unsigned n = 0; n < 200 && logs[0].at != IDLE; n++) done_logs(t, d);
    tick = ticks[k];
    write_reg(t, d, 0xB000, 1ull << 63 | p << 16 | N);
    give_notice(t, d, 0);
    CHECK(t, next_try(t, d, 200), "the log's first try");
    for (unsigned i = 0; i < 3; i++) {
      const unsigned last = tried;
      CHECK(t, next_try(t, d, 2 * tick + ALLOWED), "TIM-3: tick %u: a refused task is tried again", tick);
      CHECK(t, tried - last >= tick, "TIM-3: tick %u: tried again after %u cycles", tick, tried - last);
      CHECK(t, tried - last <= 2 * tick + ALLOWED, "TIM-3: tick %u: tried again after %u cycles", tick, tried - last);
    }
    CHECK_EQ(t, logs[0].at, PENDING, "refused: nothing is enqueued");
    write_reg(t, d, 0xB000, 1ull << 63 | p << 16);
    for (unsigned n = 0; n < 2 * tick + ALLOWED && logs[0].at != DONE; n++) cycle(t, d);
    CHECK_EQ(t, logs[0].at, DONE, "tick %u: the log's task, when it has a queue", tick);
  }
  tick = 100;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq", 40000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  for (unsigned n = 0; n < 64; n++) cycle(&t, d);
  for (unsigned p = 0; p < PROCS; p++) write_reg(&t, d, 0x8048 + 128 * p, TABLE + 0x1000 * p);
  life_of_one(&t, d);
  rate(&t, d);
  refused_log(&t, d);

  for (unsigned p = 0; p < PROCS; p++) {
    for (unsigned i = 0; i < N; i++) set_kernel(&t, d, p, i);
    for (unsigned q = 0; q < N; q++) set_queue(&t, d, p, q, RING + 0x400 * (p * N + q), q + 1, q % 3, q & 1);
  }
  kept = events = 0;
  while (dut_cycle(d) < t.cycles && !t.failures) {
    unsigned p = (unsigned)rnd_below(&t, PROCS), i = (unsigned)rnd_below(&t, N), q = (unsigned)rnd_below(&t, N);
    notice_pct = 5;
    if (rnd_chance(&t, 5))
      ready_pct = rnd_chance(&t, 50) ? 100 : 30 + (unsigned)rnd_below(&t, 60), slow = (unsigned)rnd_below(&t, 60);
    if (rnd_chance(&t, 30)) set_kernel(&t, d, p, i);
    if (rnd_chance(&t, 10)) write_reg(&t, d, 0xB000 + 8 * (unsigned)rnd_below(&t, LOGS), 1ull << 63 | p << 16 | q);
    done_logs(&t, d);
    post(&t, d, p);
    send(&t, d, (unsigned)rnd_below(&t, QPS), p, i, q, 16 * (1 + (unsigned)rnd_below(&t, 4)),
         (unsigned)rnd_below(&t, rnd_chance(&t, 20) ? 900 : 150));
  }
  notice_pct = 0, ready_pct = 100;
  drain(&t, d);
  for (unsigned n = 0; n < 3000; n++) done_logs(&t, d), cycle(&t, d);
  for (unsigned l = 0; l < LOGS; l++)
    CHECK(&t, logs[l].at == IDLE, "log %u: its notice has become a task, and that is done", l);
  CHECK_EQ(&t, events, kept, "an event for each place kept");
  CHECK(&t, 200 * sent > t.cycles && 1000 * log_tasks > t.cycles && 1000 * commits > t.cycles,
        "%u messages, %u tasks of logs, %u commits", sent, log_tasks, commits);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
