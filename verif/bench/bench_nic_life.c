// SPDX-License-Identifier: Apache-2.0
// The life of one XtqPut, in cycles, at both ends: what the pins show of each step. Tables on-chip, memory of one
// cycle, nothing else under way. rtl/xtq/README.md tells it with these numbers.
#include <stdio.h>
#include <string.h>

#include "nic_bench.h"

enum { KINDS = 12, TLPS = 8 };

typedef struct seen {
  unsigned reads, writes;
  uint64_t read[TLPS], write[TLPS];     // cycles of the first beats
  uint64_t ret[KINDS + 1];              // of the first record of each kind
  uint64_t first, last;                 // of the beats that leave
} seen;

static void look(bench *b) {
  seen *s = b->peer_of;
  if (*b->p.dev_req_valid_o && *b->p.dev_req_sop_o) {
    bool write = b->put.type & TLP_HAS_DATA;
    unsigned *n = write ? &s->writes : &s->reads;
    if (*n == TLPS) nb_fail(b, "more TLPs than one message makes");
    (write ? s->write : s->read)[(*n)++] = b->cycle;
  }
  for (unsigned k = 1; k <= KINDS; k++)
    if (b->p.retire_valid_o[(k - 1) / 8] >> (k - 1) % 8 & 1 && !s->ret[k]) s->ret[k] = b->cycle;
  if (!*b->p.m_axis_valid_o) return;
  if (!s->first) s->first = b->cycle;
  s->last = b->cycle;
}

static void step(const char *end, const char *what, uint64_t at, uint64_t from) {
  char name[100];
  snprintf(name, sizeof name, "NIC: life of an XtqPut of 64 B, %s: %s", end, what);
  nb_row(name, (double)(at - from), "cycles", 0, "", 0);
}

// A command with arguments in one buffer, the payload in another.
static void leaves(bench *b) {
  static seen s;
  const uint64_t e[4] = {5, SEND_BYTES, 80 | 64ull << 32, SEND_BYTES + 4096}, begun = b->frames_out;
  for (unsigned i = 0; i < 4; i++) mem_write64(b->m, SEND_RING + 8 * i, e[i]);
  b->out_from = (unsigned)begun;
  s = (seen){0};
  b->peer_of = &s;
  b->on_step = look;
  nb_put(b, NIC_REG_QP_PROD, 1);
  const uint64_t rung = b->cycle - 1;
  for (uint64_t end = b->cycle + 2000; b->frames_out == begun; nb_step(b))
    if (b->cycle > end) nb_fail(b, "nothing is sent");
  b->on_step = NULL;
  if (s.reads != 3) nb_fail(b, "an XtqPut of two buffers takes another number of reads than three");
  nb_row("NIC: doorbell of a send ring to first beat out, XtqPut of 64 B, memory 1", (double)(b->out_first - rung),
         "cycles", 0, "", 0);
  step("out", "MRd of the entry", s.read[0], rung);
  step("out", "RetSend", s.ret[NIC_RET_SEND], rung);
  step("out", "MRd of the first buffer", s.read[1], rung);
  step("out", "MRd of the second", s.read[2], rung);
  step("out", "RetTx", s.ret[NIC_RET_TX], rung);
  step("out", "first beat", s.first, rung);
  step("out", "last beat", s.last, rung);
}

static void message(bench *b) {
  const uint64_t bells = b->doorbells;
  nb_begin(b);
  nb_xtq_put(b, 0, 64, true);
  nb_run(b);
  if (b->doorbells != bells + 1) nb_fail(b, "the message became no task");
}

static void arrives(bench *b) {
  static seen s;
  message(b);  // the first message of a queue reads its indices
  s = (seen){0};
  b->peer_of = &s;
  b->on_step = look;
  message(b);
  b->on_step = NULL;
  if (s.reads != 0) nb_fail(b, "a message whose queue is known reads memory");
  static const char *const writes[] = {"MWr of arguments and payload", "MWr of the packet", "MWr of its header",
                                       "doorbell"};
  if (s.writes != 4) nb_fail(b, "a message of 64 B takes another number of writes than four");
  for (unsigned i = 0; i < 4; i++) step("in", writes[i], s.write[i], b->last);
  step("in", "RetRx", s.ret[NIC_RET_RX], b->last);
  step("in", "RetFrame", s.ret[NIC_RET_FRAME], b->last);
  step("in", "RetTask", s.ret[NIC_RET_TASK], b->last);
  step("in", "RetTx of the ACK", s.ret[NIC_RET_TX], b->last);
  step("in", "first beat of the ACK", s.first, b->last);
  step("in", "last beat of the ACK", s.last, b->last);
}

void nb_life(bench *b) {
  b->latency = 1;
  leaves(b);
  arrives(b);
}
