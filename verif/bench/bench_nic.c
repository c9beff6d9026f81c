// SPDX-License-Identifier: Apache-2.0
// Rates and latencies of the Verilated NIC, in cycles. Hardware alone; frames back to back, a root complex as fast as asked for.
//
// Prints one JSON object a line, as bench_aa does: what was measured, its limit and its target. The limit is the wire: payload in a
// frame of `beats` beats, of which one passes in a cycle. verif/README.md says what each row means.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "mem.h"
#include "pins.h"
#include "tocsin/nic.h"
#include "tocsin/nic_frame.h"
#include "tocsin/nic_regs.h"
#include "tocsin/tlp.h"

#ifndef CFG_TableCache
#define CFG_TableCache 0
#endif

enum { DATA_W = 256, BEAT = DATA_W / 8, BEAT_DW = DATA_W / 32, RESP_DEPTH = 32, FRAMES = 400, READS = 64 };
enum { MIXED_QPS = 4, MIXED_WRITES = 19, MIXED = MIXED_QPS * (1 + MIXED_WRITES) };
enum { SEND_RING = 0x2000000, SEND_BYTES = 0x2100000, SEND_SIZE = 8 };
enum { KEY = 0, DOORBELL = 0x3000000, INDICES = 0x3100000, RING = 0x4000000, BUFFER = 0x40000000, TARGET = 0x8000 };

typedef struct wire_frame {
  uint8_t b[NIC_FRAME_MAX];
  size_t n;
} wire_frame;

typedef struct read_job {
  tlp_fields f;
  uint64_t due;
} read_job;

typedef struct bench {
  dut *d;
  pins p;
  mem *m;
  nic_self peer;
  nic_head h;  // what all frames to the NIC have in common, and the next PSN
  uint64_t cycle;
  // in
  wire_frame in[FRAMES];
  unsigned ins, at, gone;  // frames to go in, the present one, its bytes that have
  uint64_t first, last;    // cycles: of the first beat of frame `from`, the last beat of the last one
  unsigned from;
  bool hold;
  // out
  uint64_t beats_out, frames_out, out_first, out_last;
  unsigned out_from;
  bool out_mid;
  // memory
  unsigned latency;
  read_job read[READS];
  unsigned reads, read_beat;
  uint64_t doorbells, bell_cycle;
  tlp_fields put;  // the write that is on the stream
} bench;

// ---- a cycle --------------------------------------------------------------------------------------------------------

static void drive_frame(bench *b) {
  bool go = b->at < b->ins && !b->hold;
  *b->p.s_axis_valid_i = go;
  if (!go) return;
  const wire_frame *f = &b->in[b->at];
  size_t left = f->n - b->gone, k = left < BEAT ? left : BEAT;
  memset(b->p.s_axis_data_i, 0, BEAT);
  memcpy(b->p.s_axis_data_i, f->b + b->gone, k);
  for (unsigned i = 0; i < BEAT; i++) bit_put(b->p.s_axis_keep_i, i, i < k);
  *b->p.s_axis_last_i = left <= BEAT;
}

static void drive_completion(bench *b) {
  const read_job *r = &b->read[0];
  *b->p.dev_cpl_valid_i = b->reads && r->due <= b->cycle;
  if (!*b->p.dev_cpl_valid_i) return;
  unsigned lead = tlp_first_byte(r->f.fbe), bytes = tlp_byte_count(r->f.length, r->f.fbe, r->f.lbe);
  tlp_fields f = {
      .type = TLP_CPLD, .length = r->f.length, .rid = r->f.rid, .tag = r->f.tag, .cid = 8, .status = TLP_SC};
  f.byte_count = (uint16_t)(bytes & 4095);
  f.lower_addr = (uint8_t)((r->f.addr + lead) & 127);
  uint32_t hdr[4];
  tlp_pack(&f, hdr);
  for (unsigned i = 0; i < 4; i++) memcpy(b->p.dev_cpl_hdr_i + 4 * i, &hdr[3 - i], 4);
  unsigned off = b->read_beat * BEAT_DW, dws = f.length - off < BEAT_DW ? f.length - off : BEAT_DW;
  mem_read(b->m, r->f.addr + 4 * off, b->p.dev_cpl_data_i, BEAT);
  strb_put(b->p.dev_cpl_strb_i, 0, BEAT_DW, (1u << dws) - 1);
  *b->p.dev_cpl_sop_i = off == 0;
  *b->p.dev_cpl_eop_i = off + dws == f.length;
}

static void see_request(bench *b) {
  if (!*b->p.dev_req_valid_o) return;
  if (*b->p.dev_req_sop_o) {
    uint32_t hdr[4];
    for (unsigned i = 0; i < 4; i++) memcpy(&hdr[3 - i], b->p.dev_req_hdr_o + 4 * i, 4);
    tlp_parse(hdr, &b->put);
    if (!(b->put.type & TLP_HAS_DATA)) {
      if (b->reads == READS) abort();
      b->read[b->reads++] = (read_job){b->put, b->cycle + b->latency};
    }
  }
  if (!(b->put.type & TLP_HAS_DATA)) return;
  uint32_t strb = strb_get(b->p.dev_req_strb_o, 0, BEAT_DW);
  if (b->put.addr < BUFFER || *b->p.dev_req_eop_o)  // the rest of long writes is nobody's
    for (unsigned i = 0; i < BEAT_DW; i++)
      if (strb >> i & 1 && *b->p.dev_req_sop_o) mem_write(b->m, b->put.addr + 4 * i, b->p.dev_req_data_o + 4 * i, 4);
  if (b->put.addr == DOORBELL && *b->p.dev_req_sop_o) {
    b->doorbells++;
    b->bell_cycle = b->cycle;
  }
}

static void see_frame(bench *b) {
  if (!*b->p.m_axis_valid_o) return;
  b->beats_out++;
  if (!b->out_mid && b->frames_out == b->out_from) b->out_first = b->cycle;
  b->out_mid = !*b->p.m_axis_last_o;
  if (b->out_mid) return;
  b->frames_out++;
  b->out_last = b->cycle;
}

static void step(bench *b) {
  drive_frame(b);
  drive_completion(b);
  *b->p.clk_i = 0;
  dut_eval(b->d);
  bool in = *b->p.s_axis_valid_i && *b->p.s_axis_ready_o, cpl = *b->p.dev_cpl_valid_i && *b->p.dev_cpl_ready_o;
  bool in_last = *b->p.s_axis_last_i, cpl_last = *b->p.dev_cpl_eop_i;
  see_request(b);
  see_frame(b);
  *b->p.clk_i = 1;
  dut_eval(b->d);
  if (in) {
    if (b->gone == 0 && b->at == b->from) b->first = b->cycle;
    b->gone += BEAT;
    if (in_last) {
      b->last = b->cycle;
      b->at++;
      b->gone = 0;
    }
  }
  if (cpl) {
    b->read_beat++;
    if (cpl_last) {
      b->read_beat = 0;
      memmove(b->read, b->read + 1, --b->reads * sizeof b->read[0]);
    }
  }
  b->cycle++;
}

static void fail(bench *b, const char *what) {
  fprintf(stderr, "bench_nic: %s (cycle %" PRIu64 ")\n", what, b->cycle);
  exit(1);
}

static void put(bench *b, uint32_t addr, uint64_t v) {
  memcpy(b->p.s_axil_awaddr, &addr, 4);
  memcpy(b->p.s_axil_wdata, &v, 8);
  *b->p.s_axil_wstrb = 0xff;
  *b->p.s_axil_awvalid = *b->p.s_axil_wvalid = 1;
  for (unsigned i = 0; !*b->p.s_axil_bvalid; i++) {
    if (i == 2000) fail(b, "a register is not written");
    *b->p.clk_i = 0;
    dut_eval(b->d);
    bool taken = *b->p.s_axil_awready;
    step(b);
    if (taken) *b->p.s_axil_awvalid = *b->p.s_axil_wvalid = 0;
  }
  step(b);
}

static uint64_t get(bench *b, uint32_t addr) {
  uint64_t v;
  memcpy(b->p.s_axil_araddr, &addr, 4);
  *b->p.s_axil_arvalid = 1;
  for (unsigned i = 0; !*b->p.s_axil_rvalid; i++) {
    if (i == 2000) fail(b, "a register is not read");
    *b->p.clk_i = 0;
    dut_eval(b->d);
    bool taken = *b->p.s_axil_arready;
    step(b);
    if (taken) *b->p.s_axil_arvalid = 0;
  }
  memcpy(&v, b->p.s_axil_rdata, 8);
  step(b);
  return v;
}

// ---- the NIC and its peer -------------------------------------------------------------------------------------------

static void entry(bench *b, unsigned table, unsigned index, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3) {
  const uint64_t w[4] = {w0, w1, w2, w3};
  for (unsigned i = 0; i < 4; i++) put(b, NIC_REG_XT_W + 8 * i, w[i]);
  put(b, NIC_REG_XT_CMD, index | (uint64_t)table << NIC_XT_CMD_TABLE_LSB);
  for (unsigned i = 0; get(b, NIC_REG_XT_STS) & NIC_XT_STS_BUSY_MASK; i++)
    if (i == 1000) fail(b, "XT_CMD does not end");
  if (get(b, NIC_REG_XT_STS) & NIC_XT_STS_BAD_MASK) fail(b, "XT_CMD is refused");
}

static void setup(bench *b) {
  const uint64_t mac = 0x02746f637301, ip = 0x0a000002;
  b->m = mem_new();
  b->d = dut_new(1, NULL, &b->p);
  b->latency = 1;
  b->peer = (nic_self){.mac = 0x02746f637302, .ip = 0x0a000003};
  b->h = (nic_head){.mac = mac, .ip = (uint32_t)ip, .port = 0xC000, .pkey = 0xffff, .qp = 0x100, .rkey = KEY};
  *b->p.rst_ni = 0;
  *b->p.m_axis_ready_i = *b->p.dev_req_ready_i = *b->p.s_axil_bready = *b->p.s_axil_rready = 1;
  for (unsigned i = 0; i < 10; i++) step(b);
  *b->p.rst_ni = 1;
  put(b, NIC_REG_NIC_MAC, mac);
  put(b, NIC_REG_NIC_IP, ip);
  put(b, NIC_REG_NIC_QPN, 1);
  put(b, NIC_REG_MR_BASE, 0);
  put(b, NIC_REG_MR_LEN, 1ull << 40);
  put(b, NIC_REG_MR_KEY, KEY | NIC_MR_KEY_R_MASK | NIC_MR_KEY_W_MASK | NIC_MR_KEY_EN_MASK);
  put(b, NIC_REG_QP_MAC, b->peer.mac);
  put(b, NIC_REG_QP_PEER, b->peer.ip | 0x200ull << NIC_QP_PEER_QP_LSB);
  put(b, NIC_REG_QP_PSN, 0);
  put(b, NIC_REG_QP_RING, SEND_RING);
  put(b, NIC_REG_QP_RINGC, SEND_SIZE | 0xC000ull << NIC_QP_RINGC_PORT_LSB);
  put(b, NIC_REG_QP_CTL,
      0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB | NIC_QP_CTL_RECV_MASK | NIC_QP_CTL_EN_MASK);
  put(b, NIC_REG_RB_ADDR, BUFFER);
  put(b, NIC_REG_RB_POST, 0x40000000);
  put(b, NIC_REG_XT_BASE, 0x1000000);
  put(b, NIC_REG_EQ_BASE, 0x2200000);
  put(b, NIC_REG_EQ_CTL, 12 | NIC_EQ_CTL_EN_MASK);
  for (unsigned i = 0; i < 32; i++) entry(b, 0, i, 0x1000 + i, TARGET, 0x9000, 3);
  entry(b, 2, 0, RING, DOORBELL, INDICES, 1 | 16 << 1 | (CFG_TableCache ? 1 << 7 : 0));  // behind a cache: MIRROR
}

static void frame(bench *b, nic_head h, const uint8_t *pay) {
  wire_frame *f = &b->in[b->ins++];
  h.psn = b->h.psn;
  f->n = nic_frame_build(&b->peer, &h, pay, f->b);
}

static void begin(bench *b) {
  b->ins = b->at = b->gone = 0;
  b->hold = true;
}

// Lets all of them in without a gap, and all that comes of them happen.
static void run(bench *b) {
  b->hold = false;
  for (unsigned quiet = 0; b->at < b->ins || quiet < 300; quiet++) {
    uint64_t was = b->beats_out + b->doorbells;
    step(b);
    if (b->at < b->ins || b->beats_out + b->doorbells != was) quiet = 0;
    if (b->cycle > 10000000) fail(b, "it does not end");
  }
}

static unsigned beats_of(size_t bytes) { return (unsigned)((bytes + BEAT - 1) / BEAT); }

// ---- rows -----------------------------------------------------------------------------------------------------------

static void row(const char *name, double value, const char *unit, double limit, const char *op, double target) {
  printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"limit\": %.6g, \"op\": \"%s\", \"target\": %.6g}\n",
         name, value, unit, limit, op, target);
  fflush(stdout);
}

static const unsigned sizes[] = {64, 256, 4096};
static uint8_t zeros[NIC_PAYLOAD_MAX];

static void writes(bench *b) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned n = sizes[k];
    uint64_t done = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE);
    begin(b);
    b->from = 100;
    for (unsigned i = 0; i < FRAMES; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_WRITE_ONLY;
      h.va = BUFFER + 4096ull * (i % 16);
      h.length = n;
      h.bytes = (uint16_t)n;
      h.ack_req = i % 16 == 15;
      frame(b, h, zeros);
      b->h.psn++;
    }
    run(b);
    if (get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) != done + FRAMES) fail(b, "not every write was done");
    char name[80];
    double per = (double)(FRAMES - b->from) * n / BEAT / (double)(b->last - b->first + 1);
    double limit = (double)n / BEAT / beats_of(b->in[0].n);
    snprintf(name, sizeof name, "NIC: write, %u B: payload", n);
    row(name, per, "beats/cycle", limit, ">=", 0.97 * limit);
  }
}

// Messages of one packet into a receive buffer, an event each.
static void messages(bench *b) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned n = sizes[k];
    uint64_t done = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE), told = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_EVENTS);
    begin(b);
    b->from = 100;
    for (unsigned i = 0; i < FRAMES; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_SEND_ONLY;
      h.rkey = 0;
      h.bytes = (uint16_t)n;
      h.ack_req = i % 16 == 15;
      frame(b, h, zeros);
      b->h.psn++;
    }
    run(b);
    if (get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) != done + FRAMES) fail(b, "not every message was taken");
    if (get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_EVENTS) < told + FRAMES) fail(b, "not every message was told of");
    char name[80];
    double per = (double)(FRAMES - b->from) * n / BEAT / (double)(b->last - b->first + 1);
    double limit = (double)n / BEAT / beats_of(b->in[0].n);
    snprintf(name, sizeof name, "NIC: SEND, %u B: payload", n);
    row(name, per, "beats/cycle", limit, ">=", 0.97 * limit);
  }
}

static void reads(bench *b) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned n = sizes[k], total = 300;
    uint64_t begun = b->frames_out;
    b->out_from = (unsigned)begun + 50;
    begin(b);
    for (unsigned i = 0; i < total; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_READ_REQ;
      h.va = BUFFER + 4096ull * (i % 16);
      h.length = n;
      frame(b, h, NULL);
      b->h.psn++;
    }
    // As many under way as there is room for responses.
    for (uint64_t end = b->cycle + 400000; b->frames_out < begun + total; step(b)) {
      b->hold = b->gone == 0 && b->at - (b->frames_out - begun) >= RESP_DEPTH - 2;
      if (b->cycle > end) fail(b, "reads do not end");
    }
    size_t bytes = 14 + 40 + 4 + n + 4;
    char name[80];
    double per = (double)(total - 50) * n / BEAT / (double)(b->out_last - b->out_first + 1);
    double limit = (double)n / BEAT / beats_of(bytes);
    snprintf(name, sizeof name, "NIC: read response, %u B: payload", n);
    row(name, per, "beats/cycle", limit, ">=", 0.97 * limit);
    run(b);
  }
}

static void xtq_put(bench *b, unsigned kernel, unsigned pay, bool ack) {
  static uint8_t msg[64 + 16 + NIC_PAYLOAD_MAX];
  memset(msg, 0, sizeof msg);
  msg[0] = 2;
  msg[32] = (uint8_t)kernel;
  nic_head h = b->h;
  h.opcode = NIC_OP_XTQ_ONLY;
  h.xtq_args = 16;
  h.xtq_pay = pay;
  h.length = 64 + 16 + pay;
  h.bytes = (uint16_t)h.length;
  h.ack_req = ack;
  frame(b, h, msg);
  b->h.psn++;
}

static void puts_of(bench *b, unsigned pay, const char *what) {
  uint64_t bells = b->doorbells;
  begin(b);
  b->from = 100;
  for (unsigned i = 0; i < FRAMES; i++) xtq_put(b, 0, pay, i % 16 == 15);
  run(b);
  if (b->doorbells != bells + FRAMES) fail(b, "not every message became a task");
  char name[80];
  double cycles = (double)(b->last - b->first + 1), n = FRAMES - b->from;
  double limit = (double)pay / BEAT / beats_of(b->in[0].n);
  snprintf(name, sizeof name, "NIC: XtqPut, %s: payload", what);
  row(name, n * pay / BEAT / cycles, "beats/cycle", limit, ">=", 0.97 * limit);
  if (pay == 64) row("NIC: XtqPut, 64 B back to back", n / cycles, "messages/cycle", 1.0 / beats_of(b->in[0].n), "", 0);
}

static double latency(bench *b, unsigned kernel) {
  uint64_t bells = b->doorbells;
  begin(b);
  xtq_put(b, kernel, 64, true);
  run(b);
  if (b->doorbells != bells + 1) fail(b, "the message became no task");
  return (double)(b->bell_cycle - b->last);
}

static void tasks(bench *b) {
  latency(b, 0);  // the first message of a queue reads its indices
  row("NIC: XtqPut, last beat in to doorbell, 64 B", latency(b, 0), "cycles", 40, "<=", 40);
  puts_of(b, 64, "64 B");
  puts_of(b, 256, "256 B");
  puts_of(b, 4096 - 80, "4016 B (with command and arguments 4096 B)");
}

// Queue pairs that read and write at once, all of it back to back, each write asking for its ACK: a writer does not lose for a reader.
static void mixed(bench *b) {
  static const unsigned memory[] = {1, 70, 200};
  for (unsigned q = 1; q < MIXED_QPS; q++) {
    uint32_t at = q * NIC_REG_QP_CTL_STRIDE;
    put(b, NIC_REG_QP_MAC + at, b->peer.mac);
    put(b, NIC_REG_QP_PEER + at, b->peer.ip | (0x200ull + q) << NIC_QP_PEER_QP_LSB);
    put(b, NIC_REG_QP_PSN + at, b->h.psn);
    put(b, NIC_REG_QP_CTL + at, 0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB | NIC_QP_CTL_EN_MASK);
  }
  for (unsigned k = 0; k < 3; k++) {
    b->latency = memory[k];
    uint64_t done = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE),
             refused = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM);
    uint64_t reads = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_READ), acks = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_ACK);
    begin(b);
    for (unsigned i = 0; i < MIXED; i++) {
      nic_head h = b->h;
      unsigned q = i % MIXED_QPS;
      h.qp += q;
      h.opcode = i < MIXED_QPS ? NIC_OP_READ_REQ : NIC_OP_WRITE_ONLY;
      h.va = BUFFER + 4096ull * q;
      h.length = i < MIXED_QPS ? 4096 : 64;
      h.bytes = i < MIXED_QPS ? 0 : 64;
      h.ack_req = true;
      frame(b, h, zeros);
      if (q == MIXED_QPS - 1) b->h.psn++;
    }
    run(b);
    done = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) - done;
    refused = get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM) - refused;
    if (get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_READ) - reads != MIXED_QPS) fail(b, "not every read was answered");
    char name[100];
    snprintf(name, sizeof name, "NIC: 4 QPs, each a 4 KiB read and 19 writes of 64 B, memory %u: done of 80",
             memory[k]);
    row(name, (double)done, "requests", MIXED, ">=", MIXED);
    snprintf(name, sizeof name, "NIC: 4 QPs, each a 4 KiB read and 19 writes of 64 B, memory %u: refused for room",
             memory[k]);
    row(name, (double)refused, "requests", 0, "<=", 0);
    snprintf(name, sizeof name, "NIC: 4 QPs, each a 4 KiB read and 19 writes of 64 B, memory %u: ACKs", memory[k]);
    row(name, (double)(get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_ACK) - acks), "frames", MIXED_QPS * MIXED_WRITES, "", 0);
  }
  b->latency = 1;
}

// The initiator: XtqPut of a command with arguments (one buffer) and a payload (another).
static void sends(bench *b) {
  uint64_t e[8] = {5, 80 | 64ull << 32, SEND_BYTES, SEND_BYTES + 4096, 0, 0, 0, 0};
  mem_write64(b->m, SEND_RING, e[0]);
  mem_write64(b->m, SEND_RING + 8, e[2]);
  mem_write64(b->m, SEND_RING + 16, e[1]);
  mem_write64(b->m, SEND_RING + 24, e[3]);
  uint64_t begun = b->frames_out;
  b->out_from = (unsigned)begun;
  put(b, NIC_REG_QP_PROD, 1);
  uint64_t rung = b->cycle - 1;
  for (uint64_t end = b->cycle + 2000; b->frames_out == begun; step(b))
    if (b->cycle > end) fail(b, "nothing is sent");
  row("NIC: doorbell of a send ring to first beat out, XtqPut of 64 B, memory 1", (double)(b->out_first - rung),
      "cycles", 0, "", 0);
}

// Kernels 0 and CFG_TableCache share a line of the cache.
static void misses(bench *b) {
  if (!CFG_TableCache) return;
  static const unsigned memory[] = {1, 18, 70};
  for (unsigned k = 0; k < 3; k++) {
    b->latency = memory[k];
    latency(b, 0);
    double hit = latency(b, 0), miss = latency(b, CFG_TableCache);
    char name[80];
    snprintf(name, sizeof name, "NIC: XtqPut, cost of a kernel-table miss, memory %u", memory[k]);
    row(name, miss - hit, "cycles", memory[k], "", 0);
  }
}

int main(int argc, char **argv) {
  static bench b;
  setup(&b);
  const char *part = argc > 1 ? argv[1] : "all";
#define PART(x) \
  if (!strcmp(part, "all") || !strcmp(part, #x)) x(&b)
  if (!CFG_TableCache) {
    PART(writes);
    PART(messages);
    PART(reads);
    PART(tasks);
    PART(mixed);
    PART(sends);
  }
  PART(misses);
  fprintf(stderr, "bench_nic: %" PRIu64 " cycles\n", b.cycle);
  mem_free(b.m);
  dut_free(b.d);
  return 0;
}
