// SPDX-License-Identifier: Apache-2.0
// The NIC under load with memory that takes its time: initiators, responders and both at once,
// by the number of queue pairs and with frames lost. A peer that answers at once stands at the wire's other end.
// Rates are of the middle half of what is done.
#include <stdio.h>
#include <string.h>

#include "nic_bench.h"

enum { PAIRS = 256, LOAD_RING = 0x10000000, LOAD_BYTES = 0x20000000, RING_BYTES = 64 << SEND_SIZE, WRITE_AHEAD = 4 };
enum { SQ_WRITE = 0, SQ_XTQ = 5, AETH_ACK = 0x1f, AETH_NAK = 0x60, LOAD_TIMEOUT = 12 };
enum { READERS = 128, READS_EACH = 4, ASK_AGAIN = 1 << 14 };

// A job: what goes in which directions.
typedef struct load {
  const char *name;
  unsigned pairs, bytes, total, sq;  // of what we ask for: messages in all, operation
  unsigned in_total;                 // writes of the peer, 0: none
  unsigned each;                     // an ACK for so many of one queue pair
  unsigned lost;                     // of 1000 frames, in either direction
} load;

typedef struct end {
  uint32_t epsn[PAIRS], psn[PAIRS];  // expected of us, next of the peer's own
  bool nak[PAIRS];
  load job;
  uint64_t done, begun, ended;                     // messages of ours, cycles of the middle half
  uint64_t in_done, in_begun, in_ended, requests;  // writes of the peer, frames of ours
  uint64_t early, again;                           // of these: behind one that was lost, taken before
  uint64_t random;
} end;

static uint8_t zeros[NIC_PAYLOAD_MAX];
static const unsigned memory[] = {1, 18, 70, 200};

static bool is_lost(end *e) {
  e->random = e->random * 6364136223846793005ull + 1442695040888963407ull;
  return (e->random >> 33) % 1000 < e->job.lost;
}

static void answer(bench *b, end *e, unsigned q, uint32_t psn, unsigned syndrome) {
  if (is_lost(e)) return;
  nic_head h = b->h;
  h.opcode = NIC_OP_ACK;
  h.qp = 0x100 + q;
  h.syndrome = (uint8_t)syndrome;
  h.msn = e->epsn[q];
  b->h.psn = psn & 0xffffff;
  nb_frame(b, h, NULL);
  if (b->ins - b->at > WAITING) nb_fail(b, "too many answers wait");
}

// A responder: what it expects is done, of what comes too early it says so once.
static void on_frame(bench *b) {
  end *e = b->peer_of;
  const uint8_t *bth = b->out_head + NIC_ETH_BYTES + 28;
  unsigned op = bth[0], q = bth[7];  // queue pair numbers at the peer are 0x200 + q
  uint32_t psn = (uint32_t)bth[9] << 16 | (uint32_t)bth[10] << 8 | bth[11];
  if (op != NIC_OP_WRITE_ONLY && op != NIC_OP_XTQ_ONLY) return;
  e->requests++;
  if (is_lost(e)) return;
  int32_t d = (int32_t)((psn - e->epsn[q]) << 8) >> 8;
  if (d > 0) {
    e->early++;
    if (!e->nak[q]) answer(b, e, q, e->epsn[q], AETH_NAK);
    e->nak[q] = true;
    return;
  }
  if (d == 0) {
    e->epsn[q]++;
    e->nak[q] = false;
    if (e->done++ == e->job.total / 4) e->begun = b->cycle;
    if (e->done == e->job.total * 3ull / 4) e->ended = b->cycle;
  }
  if (d < 0) e->again++;
  if (d < 0 || e->epsn[q] % e->job.each == 0) answer(b, e, q, e->epsn[q] - 1, AETH_ACK);
}

static void pairs_on(bench *b, unsigned pairs, bool lost) {
  uint64_t ctl = 0xffff000077000000ull | 5ull << NIC_QP_CTL_MTU_LSB;
  if (lost) ctl |= (uint64_t)LOAD_TIMEOUT << NIC_QP_CTL_TIMEOUT_LSB;
  for (unsigned q = 0; q < pairs; q++) nb_put(b, NIC_REG_QP_CTL + q * NIC_REG_QP_CTL_STRIDE, 0);
  for (unsigned i = 0; i < 2000; i++) nb_step(b);  // what was before is through
  for (unsigned q = 0; q < pairs; q++) {
    uint32_t at = q * NIC_REG_QP_CTL_STRIDE;
    nb_put(b, NIC_REG_QP_CTL + at, ctl);
    nb_put(b, NIC_REG_QP_MAC + at, b->peer.mac);
    nb_put(b, NIC_REG_QP_PEER + at, b->peer.ip | (0x200ull + q) << NIC_QP_PEER_QP_LSB);
    nb_put(b, NIC_REG_QP_PSN + at, 0);
    nb_put(b, NIC_REG_QP_RING + at, LOAD_RING + (uint64_t)q * RING_BYTES);
    nb_put(b, NIC_REG_QP_RINGC + at, SEND_SIZE | 0xC000ull << NIC_QP_RINGC_PORT_LSB);
    nb_put(b, NIC_REG_QP_CTL + at, ctl | NIC_QP_CTL_EN_MASK);
  }
  for (unsigned i = 0; i < 2000; i++) nb_step(b);
}

static void post(bench *b, const load *l, unsigned q) {
  unsigned n = l->total / l->pairs;
  if (n > 1u << SEND_SIZE) nb_fail(b, "the ring is too small");
  uint64_t buffer = LOAD_BYTES + 0x10000ull * q;
  for (unsigned i = 0; i < n; i++) {
    uint64_t at = LOAD_RING + (uint64_t)q * RING_BYTES + 64ull * i;
    bool xtq = l->sq == SQ_XTQ;
    uint64_t w[8] = {l->sq, buffer + 4096ull * (i % 16), xtq ? 80 | (uint64_t)l->bytes << 32 : l->bytes, 0, BUFFER,
                     KEY};
    if (xtq) w[3] = w[1] + 2048;
    for (unsigned k = 0; k < 8; k++) mem_write64(b->m, at + 8 * k, w[k]);
  }
}

static void more_writes(bench *b, end *e, unsigned *sent) {
  while (*sent < e->job.in_total && b->ins - b->at < WRITE_AHEAD) {
    unsigned q = *sent % e->job.pairs;
    nic_head h = b->h;
    h.opcode = NIC_OP_WRITE_ONLY;
    h.qp = 0x100 + q;
    h.va = BUFFER + 4096ull * q;
    h.length = e->job.bytes;
    h.bytes = (uint16_t)e->job.bytes;
    b->h.psn = e->psn[q]++;
    h.ack_req = e->psn[q] % e->job.each == 0;
    nb_frame(b, h, zeros);
    if ((*sent)++ == e->job.in_total / 4) e->in_begun = b->cycle;
    if (*sent == e->job.in_total * 3 / 4) e->in_ended = b->cycle;
  }
}

// All of a job; `e` says afterwards when its middle half was.
static void carry_out(bench *b, end *e, const load *l) {
  unsigned sent = 0;
  *e = (end){.job = *l, .random = 1};
  uint64_t done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE);
  nb_begin(b);
  pairs_on(b, l->pairs, l->lost);
  for (unsigned q = 0; q < l->pairs; q++) post(b, l, q);
  b->on_frame = on_frame;
  b->peer_of = e;
  b->hold = false;
  for (unsigned q = 0; q < l->pairs && l->total; q++) {
    more_writes(b, e, &sent);
    nb_put(b, NIC_REG_QP_PROD + q * NIC_REG_QP_CTL_STRIDE, l->total / l->pairs);
  }
  for (uint64_t stop = b->cycle + 4000000; e->done < l->total || sent < l->in_total; nb_step(b)) {
    more_writes(b, e, &sent);
    if (b->cycle > stop) nb_fail(b, l->name);
  }
  nb_run(b);
  b->on_frame = NULL;
  if (nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) != done + l->in_total)
    nb_fail(b, "not every write of the peer was done");
}

static double rate(const load *l, unsigned total, uint64_t begun, uint64_t ended) {
  return (total * 3 / 4 - total / 4 - 1) * (double)l->bytes / BEAT / (double)(ended - begun);
}

static unsigned head_bytes(unsigned sq) { return NIC_ETH_BYTES + NIC_BASE_BYTES + (sq == SQ_XTQ ? 32u + 80u : 16u); }

// Beats of a frame that asks for `bytes` to be written, of one that acknowledges
static unsigned frame_beats(unsigned sq, unsigned bytes) { return nb_beats_of(head_bytes(sq) + bytes + 4); }
static double ack_beats(const load *l) { return (double)nb_beats_of(NIC_ETH_BYTES + NIC_BASE_BYTES + 4 + 4) / l->each; }

static void ratio_row(const char *name, const load *l, double value, double more_beats, double target) {
  double limit = (double)l->bytes / BEAT / (frame_beats(l->sq, l->bytes) + more_beats);
  nb_row(name, value, "beats/cycle", limit, target > 0 ? ">=" : "", target * limit);
}

static void initiators(bench *b) {
  static end e;
  static const load jobs[] = {{"WRITE, 64 B", 16, 64, 1600, SQ_WRITE, 0, 1, 0},
                              {"WRITE, 4096 B", 16, 4096, 192, SQ_WRITE, 0, 1, 0},
                              {"XtqPut, 64 B", 16, 64, 1024, SQ_XTQ, 0, 1, 0}};
  for (unsigned j = 0; j < 3; j++)
    for (unsigned k = 0; k < 4; k++) {
      char name[80];
      b->latency = memory[k];
      carry_out(b, &e, &jobs[j]);
      snprintf(name, sizeof name, "NIC: initiator, %s, 16 QPs, memory %u: payload", jobs[j].name, memory[k]);
      ratio_row(name, &jobs[j], rate(&jobs[j], jobs[j].total, e.begun, e.ended), 0, jobs[j].bytes == 64 ? 0.95 : 0.97);
    }
}

// As many frames in as the NIC takes, of reads no more than there is room for answers.
static void responder(bench *b, unsigned pairs, unsigned op, unsigned bytes, unsigned total, const char *name,
                      double target) {
  static uint32_t psn[PAIRS];
  bool read = op == NIC_OP_READ_REQ, xtq = op == NIC_OP_XTQ_ONLY;
  uint64_t done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE), begun, out = b->frames_out;
  memset(psn, 0, sizeof psn);
  nb_begin(b);
  pairs_on(b, pairs, false);
  begun = out = b->frames_out;
  b->out_from = (unsigned)out + total / 4;
  b->from = 100;
  for (uint64_t end = b->cycle + 1000000, i = 0; i < total || b->at < b->ins || (read && b->frames_out < begun + total);
       nb_step(b)) {
    for (; i < total && b->ins - b->at < WRITE_AHEAD; i++) {
      unsigned q = (unsigned)i % pairs;
      nic_head h = b->h;
      h.opcode = (uint8_t)op;
      h.qp = 0x100 + q;
      h.va = BUFFER + 4096ull * (i % 16);
      h.length = bytes;
      h.bytes = (uint16_t)(read ? 0 : bytes);
      h.ack_req = !read && psn[q] % 16 == 15;
      b->h.psn = psn[q]++;
      if (xtq)
        nb_xtq_put(b, 0, bytes, h.ack_req);
      else
        nb_frame(b, h, zeros);
    }
    b->hold = read && b->gone == 0 && b->at - (b->frames_out - begun) >= RESP_DEPTH - 2;
    if (b->cycle > end) nb_fail(b, name);
  }
  uint64_t cycles = (read ? b->out_last - b->out_first : b->last - b->first) + 1;
  unsigned counted = total - (read ? total / 4 : b->from);
  nb_run(b);
  if (nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) != done + total) nb_fail(b, "not every request was done");
  unsigned beats =
      read ? nb_beats_of(NIC_ETH_BYTES + NIC_BASE_BYTES + 4 + bytes + 4) : frame_beats(xtq ? SQ_XTQ : SQ_WRITE, bytes);
  double limit = (double)bytes / BEAT / beats;
  nb_row(name, (double)counted * bytes / BEAT / (double)cycles, "beats/cycle", limit, ">=", target * limit);
}

static void responders(bench *b) {
  static const struct {
    const char *name;
    unsigned op, bytes, total;
    double target;
  } jobs[] = {{"READ, 64 B", NIC_OP_READ_REQ, 64, 600, 0.95},
              {"READ, 4096 B", NIC_OP_READ_REQ, 4096, 200, 0.97},
              {"WRITE, 8 B", NIC_OP_WRITE_ONLY, 8, 600, 0.95},
              {"XtqPut, 64 B", NIC_OP_XTQ_ONLY, 64, 400, 0.95}};
  for (unsigned j = 0; j < 4; j++)
    for (unsigned k = 0; k < 4; k++) {
      char name[80];
      b->latency = memory[k];
      snprintf(name, sizeof name, "NIC: responder, %s, memory %u: payload", jobs[j].name, memory[k]);
      responder(b, 1, jobs[j].op, jobs[j].bytes, jobs[j].total, name, jobs[j].target);
    }
}

// Reads for what goes out share the port to memory with writes of what comes in: of 4 KiB 9 beats beside 128 with
// reads of 512 bytes, so that 0.957 is what is left for `in`. A frame is 131 cycles, and so many are counted that one
// more moves nothing.
static const load both_jobs[] = {{"WRITE, 64 B, 16 QPs", 16, 64, 1600, SQ_WRITE, 1600, 8, 0},
                                 {"WRITE, 4096 B, 16 QPs", 16, 4096, 1024, SQ_WRITE, 1024, 4, 0}};

static void both_of(bench *b, const load *l, const char *what, unsigned m, double target) {
  static end e;
  char name[120];
  b->latency = m;
  carry_out(b, &e, l);
  snprintf(name, sizeof name, "NIC: %s, memory %u: payload out", what, m);
  ratio_row(name, l, rate(l, l->total, e.begun, e.ended), ack_beats(l), target);
  snprintf(name, sizeof name, "NIC: %s, memory %u: payload in", what, m);
  ratio_row(name, l, rate(l, l->in_total, e.in_begun, e.in_ended), ack_beats(l), target);
}

static void both(bench *b) {
  for (unsigned j = 0; j < 2; j++)
    for (unsigned k = 0; k < 4; k++) {
      const load *l = &both_jobs[j];
      char what[80];
      snprintf(what, sizeof what, "both directions, %s", l->name);
      both_of(b, l, what, memory[k], l->bytes == 64 ? 0.95 : 0.97);
    }
}

static void first_beat(bench *b) {
  static const unsigned sizes[] = {64, 256, 1024, 4096};
  b->latency = 1;
  nb_begin(b);
  pairs_on(b, 1, false);
  b->h.psn = 0;
  for (unsigned k = 0; k < 4; k++) {
    nic_head h = b->h;
    h.opcode = NIC_OP_WRITE_ONLY;
    h.va = BUFFER;
    h.length = sizes[k];
    h.bytes = (uint16_t)sizes[k];
    nb_begin(b);
    b->from = 0;
    nb_frame(b, h, zeros);
    b->h.psn++;
    nb_run(b);
    if (!b->stored_cycle) nb_fail(b, "nothing was written");
    char name[80];
    snprintf(name, sizeof name, "NIC: WRITE, %u B, first beat in to first MWr", sizes[k]);
    nb_row(name, (double)(b->stored_cycle - b->first), "cycles", frame_beats(SQ_WRITE, sizes[k]), "", 0);
  }
}

// What is lost is a frame in a hundred, in either direction. Of a queue pair's frames behind a lost one the peer takes
// none, so those that had left by then are sent again as well.
static void losses(bench *b) {
  static end e;
  static const unsigned bytes[] = {64, 4096}, totals[] = {3200, 1600}, latency[] = {1, 200};
  for (unsigned k = 0; k < 2; k++)
    for (unsigned m = 0; m < 2; m++) {
      load l = {"WRITE with frames lost", 16, bytes[k], totals[k], SQ_WRITE, 0, 1, 0};
      double kept[2];
      b->latency = latency[m];
      for (unsigned lost = 0; lost < 2; lost++) {
        l.lost = 10 * lost;
        carry_out(b, &e, &l);
        kept[lost] = rate(&l, l.total, e.begun, e.ended);
      }
      char what[80], name[120];
      snprintf(what, sizeof what, "NIC: 1 %% of frames lost, WRITE, %u B, memory %u", bytes[k], latency[m]);
      snprintf(name, sizeof name, "%s: payload", what);
      nb_row(name, kept[1], "beats/cycle", kept[0], "", 0);
      snprintf(name, sizeof name, "%s: sent for each needed", what);
      nb_row(name, (double)e.requests / l.total, "frames", 1 / 0.99, "", 0);
      snprintf(name, sizeof name, "%s: sent too early", what);
      nb_row(name, (double)e.early / l.total, "frames", 0, "", 0);
      snprintf(name, sizeof name, "%s: sent though taken", what);
      nb_row(name, (double)e.again / l.total, "frames", 0, "<=", 0);
    }
}

void nb_load(bench *b) {
  initiators(b);
  responders(b);
  both(b);
  first_beat(b);
  losses(b);
  b->latency = 1;
}

// Readers of whom more ask than there is room for answers, and writers beside them. What is refused is dropped (RSP-7),
// and its reader asks again when it has waited for ASK_AGAIN cycles, longer than any answer takes.
typedef struct crowd {
  uint64_t asked[READERS], answers, first, last;
  unsigned got[READERS], tries[READERS], most, asks;
} crowd;

static void on_answer(bench *b) {
  crowd *c = b->peer_of;
  const uint8_t *bth = b->out_head + NIC_ETH_BYTES + 28;
  unsigned q = bth[7];
  if (bth[0] != NIC_OP_READ_ONLY || q >= READERS) return;
  if (!c->answers++) c->first = b->cycle;
  c->last = b->cycle;
  c->got[q]++;
  c->asked[q] = 0;
  c->tries[q] = 0;
}

static void ask(bench *b, crowd *c, unsigned q) {
  nic_head h = b->h;
  h.opcode = NIC_OP_READ_REQ;
  h.qp = 0x100 + q;
  h.va = BUFFER + 4096ull * q;
  h.length = 4096;
  h.bytes = 0;
  b->h.psn = c->got[q];
  nb_frame(b, h, NULL);
  c->asked[q] = b->cycle + 1;
  c->asks++;
  if (++c->tries[q] > c->most) c->most = c->tries[q];
}

static void refusals(bench *b) {
  static crowd c;
  for (unsigned m = 0; m < 4; m += 3) {
    const uint64_t done = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE),
                   refused = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM);
    c = (crowd){0};
    b->latency = memory[m];
    nb_begin(b);
    pairs_on(b, 2 * READERS, false);
    for (unsigned q = 0; q < READERS; q++) ask(b, &c, q);
    for (unsigned i = 0; i < READS_EACH * READERS; i++) {
      nic_head h = b->h;
      h.opcode = NIC_OP_WRITE_ONLY;
      h.qp = 0x100 + READERS + i % READERS;
      h.va = BUFFER + 4096ull * (i % READERS);
      h.length = 64;
      h.bytes = 64;
      h.ack_req = true;
      b->h.psn = i / READERS;
      nb_frame(b, h, zeros);
    }
    b->on_frame = on_answer;
    b->peer_of = &c;
    b->hold = false;
    while (b->at < b->ins) nb_step(b);
    const uint64_t at_first = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM) - refused;
    for (uint64_t stop = b->cycle + 4000000; c.answers < READS_EACH * READERS; nb_step(b)) {
      for (unsigned q = 0; q < READERS; q++)
        if (c.got[q] < READS_EACH && (!c.asked[q] || b->cycle > c.asked[q] + ASK_AGAIN)) ask(b, &c, q);
      if (b->cycle > stop) nb_fail(b, "reads that are asked for again do not end");
    }
    nb_run(b);
    b->on_frame = NULL;
    const uint64_t all = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_DONE) - done,
                   no_room = nb_get(b, NIC_REG_NIC_CNT + 8 * NIC_CNT_FR_NO_ROOM) - refused;
    if (c.asks != READS_EACH * READERS + no_room) nb_fail(b, "a read was asked for again that was not refused");
    char what[80], name[140];
    snprintf(what, sizeof what, "NIC: %u QPs read 4 KiB, %u write 64 B, memory %u", READERS, READERS, memory[m]);
    snprintf(name, sizeof name, "%s: refused of the first %u reads", what, READERS);
    nb_row(name, (double)at_first, "requests", READERS - RESP_DEPTH, "", 0);
    snprintf(name, sizeof name, "%s: writes done of %u", what, READS_EACH * READERS);
    nb_row(name, (double)(all - READS_EACH * READERS), "requests", READS_EACH * READERS, ">=", READS_EACH * READERS);
    snprintf(name, sizeof name, "%s: reads asked for of %u", what, READS_EACH * READERS);
    nb_row(name, (double)c.asks, "requests", READS_EACH * READERS, "", 0);
    snprintf(name, sizeof name, "%s: the most tries of one read", what);
    nb_row(name, c.most, "tries", 1, "", 0);
    const double limit = 128.0 / nb_beats_of(NIC_ETH_BYTES + NIC_BASE_BYTES + 4 + 4096 + 4);
    snprintf(name, sizeof name, "%s: payload of answers", what);
    nb_row(name, (double)(c.answers - 1) * 4096 / BEAT / (double)(c.last - c.first), "beats/cycle", limit, "", 0);
  }
}

void nb_pairs(bench *b) {
  static end e;
  static const unsigned pairs[] = {1, 16, 64, 256};
  for (unsigned k = 0; k < 4; k++)
    for (unsigned m = 0; m < 4; m += 3) {
      load l = {"WRITE, 64 B", pairs[k], 64, pairs[k] == 1 ? 1024 : 4096, SQ_WRITE, 0, 1, 0};
      char name[80];
      b->latency = memory[m];
      if (pairs[k] == 16) l.total = 2048;
      carry_out(b, &e, &l);
      snprintf(name, sizeof name, "NIC: initiator, WRITE, 64 B, %u of 256 QPs, memory %u: payload", pairs[k],
               memory[m]);
      ratio_row(name, &l, rate(&l, l.total, e.begun, e.ended), 0, 0.95);
      snprintf(name, sizeof name, "NIC: responder, READ, 64 B, %u of 256 QPs, memory %u: payload", pairs[k], memory[m]);
      responder(b, pairs[k], NIC_OP_READ_REQ, 64, 1024, name, 0.95);
      if (m) continue;
      snprintf(name, sizeof name, "NIC: responder, WRITE, 64 B, %u of 256 QPs, memory %u: payload", pairs[k],
               memory[m]);
      responder(b, pairs[k], NIC_OP_WRITE_ONLY, 64, 1024, name, 0.95);
    }
  refusals(b);
  b->latency = 1;
}

// What other parameters would bring, by hardware that has them.
void nb_tried(bench *b) {
  static end e;
  char what[120];
  if (CFG_Requests != 16) {
    for (unsigned k = 0; k < 4; k++) {
      load l = {"WRITE, 64 B", 1, 64, 1024, SQ_WRITE, 0, 1, 0};
      b->latency = memory[k];
      carry_out(b, &e, &l);
      snprintf(what, sizeof what, "NIC: tried, Requests=%u: initiator, WRITE, 64 B, 1 QP, memory %u: payload",
               CFG_Requests, memory[k]);
      ratio_row(what, &l, rate(&l, l.total, e.begun, e.ended), 0, 0);
    }
    return;
  }
  for (unsigned k = 0; k < 4; k++) {
    snprintf(what, sizeof what, "tried, MaxRead=%u ReadTags=%u: both directions, %s", CFG_MaxRead, CFG_ReadTags,
             both_jobs[1].name);
    both_of(b, &both_jobs[1], what, memory[k], 0);
    load l = {"WRITE, 64 B", 16, 64, 1600, SQ_WRITE, 0, 1, 0};
    b->latency = memory[k];
    carry_out(b, &e, &l);
    snprintf(what, sizeof what, "NIC: tried, MaxRead=%u ReadTags=%u: initiator, WRITE, 64 B, 16 QPs, memory %u: %s",
             CFG_MaxRead, CFG_ReadTags, memory[k], "payload");
    ratio_row(what, &l, rate(&l, l.total, e.begun, e.ended), 0, 0);
  }
}
