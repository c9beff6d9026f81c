// SPDX-License-Identifier: Apache-2.0
// Rates and latencies of the Verilated NIC, in cycles. Hardware alone; frames back to back, a root complex
// as fast as asked for.
//
// Prints one JSON object a line, as bench_aa does: what was measured, its limit and its target. The limit is the wire:
// payload in a frame of `beats` beats, of which one passes in a cycle. verif/README.md says what each row means.
#include "nic_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

enum { MIXED_QPS = 4, MIXED_WRITES = 19, MIXED = MIXED_QPS * (1 + MIXED_WRITES) };

static const unsigned sizes[] = {64, 256, 4096};
static uint8_t zeros[NIC_PAYLOAD_MAX];

static void writes(bench *b) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned n = sizes[k];
    uint64_t done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE);
    nb_begin(b);
    b->from = 100;
    for (unsigned i = 0; i < FRAMES; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_WRITE_ONLY;
      h.va = BUFFER + 4096ull * (i % 16);
      h.length = n;
      h.bytes = (uint16_t)n;
      h.ack_req = i % 16 == 15;
      nb_frame(b, h, zeros);
      b->h.psn++;
    }
    nb_run(b);
    if (nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) != done + FRAMES) nb_fail(b, "not every write was done");
    char name[80];
    double per = (double)(FRAMES - b->from) * n / BEAT / (double)(b->last - b->first + 1);
    double limit = (double)n / BEAT / nb_beats_of(b->in[0].n);
    snprintf(name, sizeof name, "NIC: write, %u B: payload", n);
    nb_row(name, per, "beats/cycle", limit, ">=", 0.97 * limit);
  }
}

// Messages of one packet into a receive buffer, an event each.
static void messages(bench *b) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned n = sizes[k];
    uint64_t done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE),
             told = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_EVENTS);
    nb_begin(b);
    b->from = 100;
    for (unsigned i = 0; i < FRAMES; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_SEND_ONLY;
      h.rkey = 0;
      h.bytes = (uint16_t)n;
      h.ack_req = i % 16 == 15;
      nb_frame(b, h, zeros);
      b->h.psn++;
    }
    nb_run(b);
    if (nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) != done + FRAMES) nb_fail(b, "not every message was taken");
    if (nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_EVENTS) < told + FRAMES) nb_fail(b, "not every message was told of");
    char name[80];
    double per = (double)(FRAMES - b->from) * n / BEAT / (double)(b->last - b->first + 1);
    double limit = (double)n / BEAT / nb_beats_of(b->in[0].n);
    snprintf(name, sizeof name, "NIC: SEND, %u B: payload", n);
    nb_row(name, per, "beats/cycle", limit, ">=", 0.97 * limit);
  }
}

static void reads(bench *b) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned n = sizes[k], total = 300;
    uint64_t begun = b->frames_out;
    b->out_from = (unsigned)begun + 50;
    nb_begin(b);
    for (unsigned i = 0; i < total; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_READ_REQ;
      h.va = BUFFER + 4096ull * (i % 16);
      h.length = n;
      nb_frame(b, h, NULL);
      b->h.psn++;
    }
    // As many under way as there is room for responses.
    for (uint64_t end = b->cycle + 400000; b->frames_out < begun + total; nb_step(b)) {
      b->hold = b->gone == 0 && b->at - (b->frames_out - begun) >= RESP_DEPTH - 2;
      if (b->cycle > end) nb_fail(b, "reads do not end");
    }
    size_t bytes = 14 + 40 + 4 + n + 4;
    char name[80];
    double per = (double)(total - 50) * n / BEAT / (double)(b->out_last - b->out_first + 1);
    double limit = (double)n / BEAT / nb_beats_of(bytes);
    snprintf(name, sizeof name, "NIC: read response, %u B: payload", n);
    nb_row(name, per, "beats/cycle", limit, ">=", 0.97 * limit);
    nb_run(b);
  }
}

static void puts_of(bench *b, unsigned pay, const char *what) {
  uint64_t bells = b->doorbells;
  nb_begin(b);
  b->from = 100;
  for (unsigned i = 0; i < FRAMES; i++) nb_xtq_put(b, 0, pay, i % 16 == 15);
  nb_run(b);
  if (b->doorbells != bells + FRAMES) nb_fail(b, "not every message became a task");
  char name[80];
  double cycles = (double)(b->last - b->first + 1), n = FRAMES - b->from;
  double limit = (double)pay / BEAT / nb_beats_of(b->in[0].n);
  snprintf(name, sizeof name, "NIC: XtqPut, %s: payload", what);
  nb_row(name, n * pay / BEAT / cycles, "beats/cycle", limit, ">=", 0.97 * limit);
  if (pay == 64)
    nb_row("NIC: XtqPut, 64 B back to back", n / cycles, "messages/cycle", 1.0 / nb_beats_of(b->in[0].n), "", 0);
}

static double latency(bench *b, unsigned kernel) {
  uint64_t bells = b->doorbells;
  nb_begin(b);
  nb_xtq_put(b, kernel, 64, true);
  nb_run(b);
  if (b->doorbells != bells + 1) nb_fail(b, "the message became no task");
  return (double)(b->bell_cycle - b->last);
}

static void tasks(bench *b) {
  latency(b, 0);  // the first message of a queue reads its indices
  nb_row("NIC: XtqPut, last beat in to doorbell, 64 B", latency(b, 0), "cycles", 40, "<=", 40);
  puts_of(b, 64, "64 B");
  puts_of(b, 256, "256 B");
  puts_of(b, 4096 - 80, "4016 B (with command and arguments 4096 B)");
}

// Queue pairs that read and write at once, all of it back to back, each write asking for its ACK: a writer does not
// lose for a reader.
static void mixed(bench *b) {
  static const unsigned memory[] = {1, 70, 200};
  for (unsigned q = 1; q < MIXED_QPS; q++) {
    uint32_t at = q * NIC_REG_QP_CTL_STRIDE;
    nb_put(b, NIC_REG_QP_MAC + at, b->peer.mac);
    nb_put(b, NIC_REG_QP_PEER + at, b->peer.ip | (0x200ull + q) << NIC_QP_PEER_QP_LSB);
    nb_put(b, NIC_REG_QP_PSN + at, b->h.psn);
    nb_put(b, NIC_REG_QP_CTL + at, 0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB | NIC_QP_CTL_EN_MASK);
  }
  for (unsigned k = 0; k < 3; k++) {
    b->latency = memory[k];
    uint64_t done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE),
             refused = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM);
    uint64_t reads = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_READ),
             acks = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_ACK);
    nb_begin(b);
    for (unsigned i = 0; i < MIXED; i++) {
      nic_head h = b->h;
      unsigned q = i % MIXED_QPS;
      h.qp += q;
      h.opcode = i < MIXED_QPS ? NIC_OP_READ_REQ : NIC_OP_WRITE_ONLY;
      h.va = BUFFER + 4096ull * q;
      h.length = i < MIXED_QPS ? 4096 : 64;
      h.bytes = i < MIXED_QPS ? 0 : 64;
      h.ack_req = true;
      nb_frame(b, h, zeros);
      if (q == MIXED_QPS - 1) b->h.psn++;
    }
    nb_run(b);
    done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) - done;
    refused = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM) - refused;
    if (nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_READ) - reads != MIXED_QPS)
      nb_fail(b, "not every read was answered");
    char name[100];
    snprintf(name, sizeof name, "NIC: 4 QPs, each a 4 KiB read and 19 writes of 64 B, memory %u: done of 80",
             memory[k]);
    nb_row(name, (double)done, "requests", MIXED, ">=", MIXED);
    snprintf(name, sizeof name, "NIC: 4 QPs, each a 4 KiB read and 19 writes of 64 B, memory %u: refused for room",
             memory[k]);
    nb_row(name, (double)refused, "requests", 0, "<=", 0);
    snprintf(name, sizeof name, "NIC: 4 QPs, each a 4 KiB read and 19 writes of 64 B, memory %u: ACKs", memory[k]);
    nb_row(name, (double)(nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_TX_ACK) - acks), "frames", MIXED_QPS * MIXED_WRITES,
           "", 0);
  }
  b->latency = 1;
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
    nb_row(name, miss - hit, "cycles", memory[k], "", 0);
  }
}

int main(int argc, char **argv) {
  static bench b;
  nb_setup(&b);
  const char *part = argc > 1 ? argv[1] : "all";
#define PART(x) \
  if (!strcmp(part, "all") || !strcmp(part, #x)) x(&b)
  if (CFG_Contexts) {  // this hardware is for these alone, and so is the next
    PART(nb_contexts);
  } else if (CFG_NumQps > 16) {
    PART(nb_pairs);
  } else {
    if (!CFG_TableCache) {
      PART(writes);
      PART(messages);
      PART(reads);
      PART(tasks);
      PART(mixed);
      PART(nb_life);
      PART(nb_load);
      PART(nb_alone);
      if (!strcmp(part, "nb_tried")) nb_tried(&b);  // of other hardware than the rest
    }
    PART(misses);
  }
  fprintf(stderr, "bench_nic: %" PRIu64 " cycles\n", b.cycle);
  mem_free(b.m);
  dut_free(b.d);
  return 0;
}
