// SPDX-License-Identifier: Apache-2.0
// What a broken or hostile peer sends, case by case: each must be refused by its name, leave no trace, and do no harm
// to the next good request.
#include <string.h>

#include "directed.h"

// ---- the cases
static void case_29(stage *s) {
  const uint64_t far[] = {1ull << s->n->cfg.TableBits, 0xffff, 1ull << 32, 1ull << 63, ~0ull, 3};  // 3: no valid entry
  for (unsigned i = 0; i < 6; i++) {
    message k = good(s, KERNEL, 16, 8), f = good(s, FUNCTION, 0, 8), q = good(s, KERNEL, 16, 8);
    le_put(k.b + 32, 8, far[i]);
    refused_put(s, &k, INVALID, NIC_WHY_BAD_INDEX, "index of a kernel");
    le_put(f.b + 8, 8, far[i]);
    refused_put(s, &f, INVALID, NIC_WHY_BAD_INDEX, "index of a function");
    le_put(q.b + 48, 2, far[i] & 0xffff ? far[i] : 0xffff);
    refused_put(s, &q, INVALID, NIC_WHY_BAD_QUEUE, "index of a queue");
  }
}

static void case_30(stage *s) {
  if (s->n->cfg.NumProcs < 2) return;
  message k = good(s, KERNEL, 16, 8), q = good(s, KERNEL, 16, 8), p = good(s, KERNEL, 16, 8);
  le_put(k.b + 32, 8, 2);
  refused_put(s, &k, INVALID, NIC_WHY_BAD_INDEX, "a kernel of another process");
  le_put(q.b + 48, 2, 2);
  refused_put(s, &q, INVALID, NIC_WHY_BAD_QUEUE, "a queue of another process");
  p.h.xtq_proc = 1;
  refused_put(s, &p, INVALID, NIC_WHY_BAD_PROCESS, "another process' name");
  p.h.xtq_proc = 0xffff;
  refused_put(s, &p, INVALID, NIC_WHY_BAD_PROCESS, "nobody's name");
}

static void case_31(stage *s) {
  for (unsigned type = 0; type < 256; type = type < 8 ? type + 1 : 2 * type - 1) {
    message k = good(s, KERNEL, 16, 8), f = good(s, FUNCTION, 0, 8);
    k.b[0] = f.b[0] = (uint8_t)type;
    if (type != 2) refused_put(s, &k, INVALID, NIC_WHY_BAD_TYPE, "type of a kernel's packet");
    if (type != 4) refused_put(s, &f, INVALID, NIC_WHY_BAD_TYPE, "type of a function's packet");
  }
  for (unsigned bit = 5; bit < 8; bit++) {
    message m = good(s, KERNEL, 16, 8);
    m.b[1] |= (uint8_t)(1 << bit);
    refused_put(s, &m, INVALID, NIC_WHY_BAD_TYPE, "reserved bits of the header");
  }
  for (unsigned kind = 2; kind < 256; kind += 127) {
    message m = good(s, KERNEL, 16, 8);
    m.h.xtq_kind = (uint8_t)kind;
    refused_put(s, &m, INVALID, NIC_WHY_BAD_KIND, "kind");
  }
}

static void case_32(stage *s) {
  message m = good(s, KERNEL, 32, 8);
  m.h.xtq_pay = 24, m.h.xtq_args = 17;
  refused_put(s, &m, INVALID, NIC_WHY_BAD_LENGTH, "arguments of no multiple of 16");
  m = good(s, KERNEL, 32, 8);
  m.h.xtq_args = 48;
  refused_put(s, &m, INVALID, NIC_WHY_BAD_LENGTH, "lengths that disagree");
  m = good(s, KERNEL, 32, 8);
  m.h.xtq_args = 0xfffffff0u, m.h.xtq_pay = 56;
  refused_put(s, &m, INVALID, NIC_WHY_BAD_LENGTH, "lengths that run over");
  m = good(s, KERNEL, 0, 8);
  refused_put(s, &m, INVALID, NIC_WHY_BAD_LENGTH, "no room for the target buffer's address");
  sw_table(s->n, 0, KERNEL, KERNEL_1 + 1, (uint64_t[4]){0xc0de, 0, 0, 1});  // no target buffer
  m = good(s, KERNEL, 0, 8);
  le_put(m.b + 32, 8, KERNEL_1 + 1);
  refused_put(s, &m, INVALID, NIC_WHY_BAD_LENGTH, "no room for the payload's address");
  m = good(s, KERNEL, 0, 0);
  le_put(m.b + 32, 8, KERNEL_1 + 1);
  taken(s, &m, "neither target buffer nor payload: no arguments are needed");
  m = good(s, KERNEL, 32, 8);
  m.h.bytes = 64;
  refused_put(s, &m, INVALID, NIC_WHY_SEQUENCE, "fewer bytes than RETH says");
  m = good(s, KERNEL, 16, 20);
  m.h.opcode = NIC_OP_XTQ_LAST;
  refused_put(s, &m, INVALID, NIC_WHY_SEQUENCE, "a last packet without a first");
  // A message that is longer than what is left of every buffer: the first of many packets says so.
  static uint8_t big[4096];
  message f = good(s, KERNEL, 16, 8);
  memcpy(big, f.b, 80);
  f.h.opcode = NIC_OP_XTQ_FIRST;
  f.h.length = 64 + 16 + 8000, f.h.xtq_pay = 8000, f.h.bytes = 4096;
  refused(s, f.h, big, NOT_READY, NIC_WHY_NO_BUFFER, "payload beyond the receive buffer");
}

static void case_33(stage *s) {
  uint64_t slot = RING + 64 * (node_peek64(s->n, 0, INDICES + 56) & ((1 << LOG2_SIZE) - 1));
  message m = good(s, KERNEL, 16, 8);
  taken(s, &m, "a kernel without signal");
  expect(s, "completion signal", node_peek64(s->n, 0, slot + 56), 0);
  serve(s);
  slot = RING + 64 * (node_peek64(s->n, 0, INDICES + 56) & ((1 << LOG2_SIZE) - 1));
  m = good(s, FUNCTION, 0, 8);
  taken(s, &m, "a function with a signal");
  expect(s, "completion signal of the table", node_peek64(s->n, 0, slot + 56), SIGNAL);
}

static void fill(stage *s, unsigned n, uint64_t from) {
  for (unsigned i = 0; i < n; i++) {
    message m = good(s, KERNEL, 16, 8);
    taken(s, &m, "room in the queue");
    expect(s, "doorbell", node_peek64(s->n, 0, DOORBELL), from + i);
    expect(s, "write_index", node_peek64(s->n, 0, INDICES + 56), from + i + 1);
  }
  message m = good(s, KERNEL, 16, 8);
  refused_put(s, &m, NOT_READY, NIC_WHY_QUEUE_FULL, "a full queue");
  refused_put(s, &m, NOT_READY, NIC_WHY_QUEUE_FULL, "a queue that still is full");
}

static void case_34(stage *s) {
  const uint64_t start[] = {0, ~0ull - 1, 1ull << 63};
  for (unsigned i = 0; i < 3; i++) {
    hand_over(s, start[i], start[i]);
    fill(s, 1 << LOG2_SIZE, start[i]);
    node_poke64(s->n, 0, INDICES + 128, start[i] + 1);  // the agent has taken one
    fill(s, 1, start[i] + (1 << LOG2_SIZE));
  }
  hand_over(s, 100, 100 - (1 << LOG2_SIZE) - 7);  // handed over with more in it than it holds
  message m = good(s, KERNEL, 16, 8);
  refused_put(s, &m, NOT_READY, NIC_WHY_QUEUE_FULL, "a write index beyond read index and size");
  hand_over(s, 100, 101);
  refused_put(s, &m, NOT_READY, NIC_WHY_QUEUE_FULL, "a read index beyond the write index");
  hand_over(s, 7, 7);
}

// A doorbell is the last of its writes: when memory has its index, all else is there. Lockstep compares
// the order of every write.
static void case_35(stage *s) {
  for (unsigned i = 0; i < 8; i++) {
    serve(s);
    uint64_t index = node_peek64(s->n, 0, INDICES + 56), slot = RING + 64 * (index & ((1 << LOG2_SIZE) - 1));
    message m = good(s, KERNEL, 16, 100);
    uint8_t b[64];
    nic_self self = node_self(1);
    uint8_t f[NIC_FRAME_MAX];
    node_poke64(s->n, 0, DOORBELL, ~0ull);
    link_deliver(s->w, 0, f, nic_frame_build(&self, &m.h, m.b, f), 1);
    for (unsigned k = 0; node_peek64(s->n, 0, DOORBELL) != index && k < 5000 && !s->w->failed; k++) net_cycle(s->w);
    node_peek(s->n, 0, slot, b, 64);
    uint64_t args = le_get(b + 40, 8);
    expect(s, "header at the doorbell", le_get(b, 2), le_get(m.b, 2));
    expect(s, "code at the doorbell", le_get(b + 32, 8), CODE);
    expect(s, "payload's address at the doorbell", node_peek64(s->n, 0, args + 8), args + 16);
    expect(s, "end of the payload at the doorbell", node_peek64(s->n, 0, args + 16 + 92), le_get(m.b + 80 + 92, 8));
    settle(s);
    s->psn = (s->psn + 1) & 0xffffff;
  }
}

static void case_36(stage *s) {
  message m = good(s, KERNEL, 16, 8);
  note_memory(s);
  deliver(s, m.h, m.b, true);
  expect(s, "answers to a bad ICRC", s->answers, 0);
  nic_head h = m.h;
  h.qp ^= 0x100;
  deliver(s, h, m.b, false);
  expect(s, "answers to a QP of somebody else", s->answers, 0);
  h = m.h;
  h.qp = (h.qp & ~0xffu) | 0xff;
  if (s->n->cfg.NumQps < 256) deliver(s, h, m.b, false);
  expect(s, "answers to a QP that is none", s->answers, 0);
  h = m.h;
  h.psn = (h.psn + 5) & 0xffffff;
  deliver(s, h, m.b, false);
  expect(s, "answers to a PSN ahead", s->answers, 1);
  expect(s, "NAK of a PSN ahead", s->answer.syndrome, NIC_SYN_NAK);
  expect(s, "its PSN", s->answer.psn, s->psn);
  deliver(s, h, m.b, false);
  expect(s, "answers to one more ahead", s->answers, 0);
  untouched(s, "frames that are not for us");
  taken(s, &m, "the one that is expected");
  uint64_t index = node_peek64(s->n, 0, DOORBELL);
  note_memory(s);
  for (unsigned i = 0; i < 3; i++) {
    deliver(s, m.h, m.b, false);
    expect(s, "answers to a duplicate", s->answers, 1);
    expect(s, "ACK of a duplicate", s->answer.syndrome, NIC_SYN_ACK);
  }
  untouched(s, "duplicates");
  expect(s, "doorbell after duplicates", node_peek64(s->n, 0, DOORBELL), index);
}

static void case_37(stage *s) {
  node_poke64(s->n, 0, REGION, 0x1122334455667788);
  for (unsigned k = 1; k < 8; k++) {
    nic_head h = to_qp(s, QP, k & 1 ? NIC_OP_FETCH_ADD : NIC_OP_CMP_SWAP);
    h.va = REGION + k;
    h.rkey = SW_KEY | 1;
    h.swap = 1;
    refused(s, h, NULL, INVALID, NIC_WHY_SEQUENCE, "a misaligned atomic");
  }
  nic_head h = to_qp(s, QP, NIC_OP_FETCH_ADD);
  h.va = REGION;
  h.rkey = SW_KEY;
  h.swap = 1;
  refused(s, h, NULL, ACCESS, NIC_WHY_REGION, "an atomic without the right");
  h.rkey = SW_KEY | 1;
  h.va = REGION + 0x1000;
  refused(s, h, NULL, ACCESS, NIC_WHY_REGION, "an atomic beyond its region");
  expect(s, "the atomics' word", node_peek64(s->n, 0, REGION), 0x1122334455667788);
  h.va = REGION;
  deliver(s, h, NULL, false);
  expect(s, "a good one", s->answer.swap, 0x1122334455667788);
  expect(s, "its word", node_peek64(s->n, 0, REGION), 0x1122334455667789);
  s->psn = (s->psn + 1) & 0xffffff;
}

// Registers at random, all but those that say who we are and who is on; what they read is compared by lockstep.
static void case_38(stage *s) {
  rng *r = &s->w->rng;
  for (unsigned i = 0; i < 3000 && !s->w->failed; i++) {
    uint32_t addr = rng_1in(r, 2) ? rng_below(r, 0x100) * 8 : rng_below(r, 1u << 17) * 8;
    if (rng_1in(r, 3)) addr = 0x4000 + rng_below(r, 0x2000 / 8) * 8;
    if (rng_1in(r, 4)) addr = 0x8000 + rng_below(r, 0x5000 / 8) * 8;
    bool qp = addr >= NIC_REG_QP_CTL, eq = addr >= NIC_REG_EQ_BASE && addr < NIC_REG_XT_W;
    bool off_limits = addr < NIC_REG_NIC_CNT || (qp && (addr & 0xff) < 0x38) ||
                      (eq && ((addr & 127) < 0x30 || (addr & 127) == 0x48)) ||
                      (addr >= NIC_REG_XT_LOG && addr < NIC_REG_XT_TPL) || addr == NIC_REG_XT_CMD;
    if (!off_limits && rng_1in(r, 2)) node_write_strb(s->n, addr, rng_u64(r), (uint8_t)rng_u64(r));
    if (rng_1in(r, 3)) node_read(s->n, addr);
  }
  sw_region(s->n, 1, SW_KEY | 1, 0, REGION, 0x1000, 7);
  settle(s);
  case_37(s);
  s->ends = true;
}

// A region that goes away in the middle of a message stops it at its next packet; what has been written stays.
static void case_39(stage *s) {
  static uint8_t b[4096];
  for (unsigned last = 0; last < 2; last++) {
    sw_region(s->n, 0, SW_KEY, 0, REGION, 0x4000, 3);
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_FIRST);
    h.va = REGION;
    h.rkey = SW_KEY;
    h.length = 3 * 4096;
    h.bytes = 4096;
    memset(b, 0x10 + (int)last, sizeof b);
    deliver(s, h, b, false);
    s->psn = (s->psn + 1) & 0xffffff;
    if (last) {
      h = to_qp(s, QP, NIC_OP_WRITE_MIDDLE);
      h.bytes = 4096;
      deliver(s, h, b, false);
      s->psn = (s->psn + 1) & 0xffffff;
    }
    node_write(s->n, NIC_REG_MR_KEY, 0);
    h = to_qp(s, QP, last ? NIC_OP_WRITE_LAST : NIC_OP_WRITE_MIDDLE);
    h.bytes = 4096;
    memset(b, 0x77, sizeof b);
    uint64_t there = node_peek64(s->n, 0, REGION + (last ? 8192 : 4096));
    refused(s, h, b, ACCESS, NIC_WHY_REGION, "a packet of a message whose region has gone");
    expect(s, "the first packet's bytes", node_peek64(s->n, 0, REGION),
           0x1010101010101010u + last * 0x0101010101010101u);
    expect(s, "the refused packet's bytes", node_peek64(s->n, 0, REGION + (last ? 8192 : 4096)), there);
    sw_region(s->n, 0, SW_KEY, 0, REGION, 0x4000, 3);
    refused(s, h, b, INVALID, NIC_WHY_SEQUENCE, "the same once the message is given up");
  }
}

// A message that fills its buffer to the byte fits, one byte more does not, and the buffer is used up.
static void case_40(stage *s) {
  enum { SMALL = 0xb00000, LEN = 128 };
  message use = good(s, KERNEL, 16, 300);  // what is left of the first buffer shrinks below what comes
  for (unsigned k = 0; k < 5; k++) {
    serve(s);
    taken(s, &use, "room in the first buffer");
    use = good(s, KERNEL, 16, 300);
  }
  serve(s);
  message m = good(s, KERNEL, 16, BUFFER_LEN - 5 * 320 - 16 + 1), f = good(s, KERNEL, 16, LEN - 16);
  refused_put(s, &m, NOT_READY, NIC_WHY_NO_BUFFER, "one byte more than is left");
  m = good(s, KERNEL, 16, BUFFER_LEN - 5 * 320 - 16);
  taken(s, &m, "all that is left");
  expect(s, "its last byte", node_peek64(s->n, 0, BUFFER + BUFFER_LEN - 8),
         le_get(m.b + 64 + BUFFER_LEN - 5 * 320 - 8, 8));
  reach(s->n, REACH_EXACT_FIT);
  sw_event e;
  expect(s, "events: a buffer of which 0 bytes are left is not used up with a least of 0", event(s, &e), false);
  serve(s);
  f = good(s, KERNEL, 16, LEN - 16);
  refused_put(s, &f, NOT_READY, NIC_WHY_NO_BUFFER, "no buffer");
  sw_post_buffer(s->n, 0, SMALL, LEN, 0);
  node_settle(s->n);
  f = good(s, KERNEL, 16, LEN - 16 + 1);
  refused_put(s, &f, NOT_READY, NIC_WHY_NO_BUFFER, "one byte more than the buffer");
  f = good(s, KERNEL, 16, LEN - 16);
  taken(s, &f, "a message as long as the buffer");
  expect(s, "its last byte", node_peek64(s->n, 0, SMALL + LEN - 8), le_get(f.b + 64 + LEN - 8, 8));
  reach(s->n, REACH_EXACT_FIT);
  expect(s, "the event of the first buffer, which is used up", event(s, &e) ? e.kind : 0, NIC_EV_BUFFER);
  sw_post_buffer(s->n, 0, BUFFER, BUFFER_LEN, 0);
  node_settle(s->n);
}

// Event rings of 1, 2, 4 and 8 places: as many immediates as there are places, then none until software
// has consumed one.
static void case_41(stage *s) {
  for (unsigned size = 0; size < 4; size++) {
    static const uint8_t none[32];
    node_write(s->n, NIC_REG_EQ_CTL, 0);
    for (unsigned k = 0; k < 1u << 7; k++) node_poke(s->n, 0, SW_EQ + 32 * k, none, 32);
    node_write(s->n, NIC_REG_EQ_CTL, NIC_EQ_CTL_EN_MASK | size);
    s->n->sw->p[0].eq_size = size;
    s->n->sw->p[0].seen = 0;
    settle(s);  // a frame may pass a write that is on its way
    for (unsigned lap = 0; lap < 3; lap++) {
      sw_event e;
      nic_head h = to_qp(s, QP, NIC_OP_WRITE_ONLY_IMM);
      for (unsigned k = 0; k < 1u << size; k++) {
        h.psn = s->psn;
        h.imm = lap << 8 | k;
        deliver(s, h, NULL, false);
        expect(s, "answer to an immediate that has a place", s->answer.syndrome, NIC_SYN_ACK);
        s->psn = (s->psn + 1) & 0xffffff;
      }
      h.psn = s->psn;
      deliver(s, h, NULL, false);
      expect(s, "answers to an immediate without a place", s->answers, 1);
      expect(s, "its syndrome", s->answer.syndrome, NOT_READY);
      for (unsigned k = 0; k < 1u << size; k++) {
        bool there = event(s, &e);
        expect(s, "an event of a small ring", there && e.kind == NIC_EV_IMM ? e.len : ~0u, lap << 8 | k);
      }
      settle(s);
    }
  }
  node_write(s->n, NIC_REG_EQ_CTL, 0);
  node_write(s->n, NIC_REG_EQ_CTL, NIC_EQ_CTL_EN_MASK | 7);
  s->n->sw->p[0].eq_size = 7;
  s->n->sw->p[0].seen = 0;
}

// What no queue pair takes is refused, told of once, and ends no connection; a duplicate of it is answered
// by nothing that was done.
static void case_42(stage *s) {
  static const uint8_t op[] = {0, 1, 2, 3, 4, 5, 0x16, 0x17, 0x1c, 0x1d}, none[] = {0x15, 0x18, 0x1b, 0x1e, 0x1f};
  static uint8_t b[64];
  sw_event e;
  for (unsigned k = 0; k < sizeof op; k++)
    for (unsigned bytes = 0; bytes < 64; bytes += 31) {
      nic_head h = to_qp(s, QP, op[k]);
      h.bytes = (uint16_t)bytes;
      refused(s, h, b, INVALID, NIC_WHY_OPCODE, "an operation of nobody's");
      expect(s, "one event", event(s, &e), false);
      h.psn = (h.psn - 1) & 0xffffff;
      note_memory(s);
      deliver(s, h, b, false);
      expect(s, "answers to a duplicate", s->answers, op[k] < 0x1c);
      untouched(s, "a duplicate");
    }
  for (unsigned k = 0; k < sizeof none; k++) {
    nic_head h = to_qp(s, QP, NIC_OP_WRITE_LAST);
    uint8_t f[NIC_FRAME_MAX];
    nic_self self = node_self(1);
    h.bytes = 20;
    size_t n = nic_frame_build(&self, &h, b, f);
    f[NIC_ETH_BYTES + 28] = none[k];
    uint32_t crc = nic_icrc(f + NIC_ETH_BYTES, n - NIC_ETH_BYTES - 4);
    for (unsigned i = 0; i < 4; i++) f[n - 4 + i] = (uint8_t)(crc >> 8 * i);
    note_memory(s);
    s->answers = 0;
    link_deliver(s->w, 0, f, n, 1);
    settle(s);
    expect(s, "answers to an opcode that there is not", s->answers, 0);
    untouched(s, "an opcode that there is not");
  }
}

// What a packet of a SEND comes to: its answer, and the events, of which there is one of each kind at most.
typedef struct outcome {
  unsigned syndrome, why;  // why: 0, or of an event 4
  int got;                 // bytes of an event 8, or -1
  unsigned status;
  sw_event e;
} outcome;

static outcome letter(stage *s, nic_head h, const uint8_t *b) {
  outcome o = {.got = -1};
  sw_event e;
  h.psn = s->psn;
  settle(s);  // what software has written before
  deliver(s, h, b, false);
  expect(s, "answers to a SEND", s->answers, 1);
  o.syndrome = s->answer.syndrome;
  if (o.syndrome == NIC_SYN_ACK) s->psn = (s->psn + 1) & 0xffffff;
  while (event(s, &e)) {
    if (e.kind == NIC_EV_BUFFER) continue;
    expect(s, "events of a SEND", e.kind == NIC_EV_REFUSED ? o.why == 0 : e.kind == NIC_EV_RECV && o.got < 0, true);
    if (e.kind == NIC_EV_REFUSED) o.why = e.word;
    if (e.kind == NIC_EV_RECV) o.got = (int)e.bytes, o.status = e.status, o.e = e;
  }
  return o;
}

static nic_head part(const stage *s, uint8_t op, unsigned bytes) {
  nic_head h = to_qp(s, QP, op);
  h.bytes = (uint16_t)bytes;
  return h;
}

static void said(stage *s, const char *what, outcome o, unsigned syndrome, unsigned why, int got, unsigned status) {
  expect(s, what, o.syndrome, syndrome);
  expect(s, what, o.why, why);
  expect(s, what, (uint64_t)(int64_t)o.got, (uint64_t)(int64_t)got);
  expect(s, what, o.status, status);
}

enum { PACKET = 256, ACK = NIC_SYN_ACK, KEY = SW_KEY | 2 };

// SENDs that are none (RSP-4), and what they do to a message: each First that was taken makes one event, whatever comes
// behind it (RCV-7).
static void sends_out_of_sequence(stage *s, const uint8_t *b) {
  said(s, "a middle without a first", letter(s, part(s, 1, PACKET), b), INVALID, NIC_WHY_SEQUENCE, -1, 0);
  said(s, "a last without a first", letter(s, part(s, 3, 8), b), INVALID, NIC_WHY_SEQUENCE, -1, 0);
  said(s, "a first that is no packet", letter(s, part(s, 0, PACKET - 1), b), INVALID, NIC_WHY_SEQUENCE, -1, 0);
  said(s, "an only over a packet", letter(s, part(s, 4, PACKET + 1), b), INVALID, NIC_WHY_SEQUENCE, -1, 0);
  static const struct {
    uint8_t op;
    unsigned bytes;
    const char *what;
  } end[] = {{0, PACKET, "a first in a message"},
             {4, 8, "an only in a message"},
             {1, PACKET - 1, "a middle that is no packet"},
             {2, 0, "a last without bytes"},
             {2, PACKET + 1, "a last over a packet"},
             {NIC_OP_WRITE_LAST, 8, "the end of a write"},
             {NIC_OP_WRITE_LAST_IMM, 8, "the immediate of a write"},
             {NIC_OP_XTQ_LAST, 8, "the end of a task"},
             {NIC_OP_WRITE_ONLY, 0, "a write in a message"},
             {NIC_OP_FETCH_ADD, 0, "an atomic in a message"},
             {NIC_OP_READ_REQ, 0, "a read in a message"}};
  for (unsigned k = 0; k < sizeof end / sizeof *end; k++) {
    sw_post_buffer(s->n, 0, BUFFER, BUFFER_LEN, 0);
    said(s, "a first", letter(s, part(s, 0, PACKET), b), ACK, 0, -1, 0);
    said(s, end[k].what, letter(s, part(s, end[k].op, end[k].bytes), b), INVALID, NIC_WHY_SEQUENCE, PACKET,
         NIC_RCV_LOST);
  }
  // a write's message is not gone on with by a SEND
  nic_head w = part(s, NIC_OP_WRITE_FIRST, PACKET);
  w.va = REGION, w.rkey = SW_KEY, w.length = 300;
  said(s, "a write", letter(s, w, b), ACK, 0, -1, 0);
  said(s, "a last in a write", letter(s, part(s, 2, 44), b), INVALID, NIC_WHY_SEQUENCE, -1, 0);
}

// By the middle and by the last (RCV-4).
static void sends_longer_than_buffer(stage *s, const uint8_t *b) {
  node_write(s->n, NIC_REG_RB_DROP, 0);
  sw_post_buffer(s->n, 0, BUFFER, 2 * PACKET, 0);
  sw_post_buffer(s->n, 0, BUFFER + 0x400, 2 * PACKET + 1, 0);
  said(s, "a first", letter(s, part(s, 0, PACKET), b), ACK, 0, -1, 0);
  said(s, "a middle that fills it", letter(s, part(s, 1, PACKET), b), ACK, 0, -1, 0);
  said(s, "a last beyond", letter(s, part(s, 2, 1), b), INVALID, NIC_WHY_TOO_LONG, 2 * PACKET, NIC_RCV_LOST);
  said(s, "a first", letter(s, part(s, 0, PACKET), b), ACK, 0, -1, 0);
  said(s, "a middle", letter(s, part(s, 1, PACKET), b), ACK, 0, -1, 0);
  said(s, "a last too long by one", letter(s, part(s, 2, 2), b), INVALID, NIC_WHY_TOO_LONG, 2 * PACKET, NIC_RCV_LOST);
  sw_post_buffer(s->n, 0, BUFFER, PACKET, 0);
  said(s, "a buffer of a packet", letter(s, part(s, 0, PACKET), b), NOT_READY, NIC_WHY_NO_BUFFER, -1, 0);
  said(s, "which an only fills", letter(s, part(s, 4, PACKET), b), ACK, 0, PACKET, NIC_RCV_PLAIN);
}

// Of nobody, of another process, of a region that is off (RSP-5): nothing of the packet is received.
static void sends_with_bad_keys(stage *s, const uint8_t *b) {
  sw_post_buffer(s->n, 0, BUFFER, BUFFER_LEN, 0);
  sw_region(s->n, 2, KEY, 0, REGION, 64, 0);  // no right is needed
  sw_region(s->n, 3, SW_KEY | 3, s->n->cfg.NumProcs - 1, REGION, 64, 7);
  sw_region(s->n, 4, SW_KEY | 4, 0, REGION, 64, 7);
  node_write(s->n, NIC_REG_MR_KEY + 4 * NIC_REG_MR_KEY_STRIDE, SW_KEY | 4);
  static const uint32_t none[] = {KEY ^ 0x100, SW_KEY | 3, SW_KEY | 4, SW_KEY | 0xff};
  for (unsigned k = 0; k < 4 && s->n->cfg.NumMrs > 4 && s->n->cfg.NumProcs > 1; k++) {
    nic_head h = part(s, NIC_OP_SEND_ONLY_INV, 100);
    h.imm = none[k];
    note_memory(s);
    said(s, "a key of nobody's", letter(s, h, b), ACCESS, NIC_WHY_REGION, -1, 0);
    untouched(s, "a key of nobody's");
  }
  nic_head h = part(s, NIC_OP_SEND_LAST_INV, 100);
  h.imm = KEY ^ 0x100;
  said(s, "a first", letter(s, part(s, 0, PACKET), b), ACK, 0, -1, 0);
  said(s, "a key of nobody's at its end", letter(s, h, b), ACCESS, NIC_WHY_REGION, PACKET, NIC_RCV_LOST);
}

// A good key switches its region off (RCV-6), once (RSP-3).
static void send_with_good_key(stage *s, const uint8_t *b) {
  const uint32_t key = NIC_REG_MR_KEY + 2 * NIC_REG_MR_KEY_STRIDE;
  sw_post_buffer(s->n, 0, BUFFER, BUFFER_LEN, 0);
  nic_head h = part(s, NIC_OP_SEND_ONLY_INV, 100);
  h.imm = KEY;
  outcome o = letter(s, h, b);
  said(s, "a good key", o, ACK, 0, 100, NIC_RCV_INV);
  expect(s, "its key", o.e.len, KEY);
  expect(s, "its region", node_read(s->n, key) >> 63, 0);
  sw_region(s->n, 2, KEY, 0, REGION, 64, 0);
  h.psn = (s->psn - 1) & 0xffffff;
  note_memory(s);
  deliver(s, h, b, false);
  expect(s, "ACK of the same again", s->answer.syndrome, ACK);
  untouched(s, "the same again");
  expect(s, "its region, which is on again", node_read(s->n, key) >> 63, 1);
  said(s, "now for the first time", letter(s, h, b), ACK, 0, 100, NIC_RCV_INV);
  said(s, "and not twice", letter(s, h, b), ACCESS, NIC_WHY_REGION, -1, 0);
}

static void case_43(stage *s) {
  static uint8_t b[4096];
  for (unsigned k = 0; k < sizeof b; k++) b[k] = (uint8_t)(k * 5 + 3);
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(1, 3, 7, 7, 0) | NIC_QP_CTL_RECV_MASK);
  settle(s);
  sends_out_of_sequence(s, b);
  sends_longer_than_buffer(s, b);
  sends_with_bad_keys(s, b);
  if (s->n->cfg.NumMrs > 4) send_with_good_key(s, b);
  node_write(s->n, NIC_REG_RB_DROP, 0);
  sw_post_buffer(s->n, 0, BUFFER, BUFFER_LEN, 0);
  sw_event e;
  while (event(s, &e)) continue;
  settle(s);
}

// A queue pair of each family, with a tag and without: it answers in kind, and takes no frame of another.
static void case_44(stage *s) {
  static uint8_t b[64] = "families";
  for (unsigned kind = 0; kind < 4; kind++) {
    s->w->kinds = NET_KIND | kind;
    sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
    settle(s);
    nic_head good = to_qp(s, QP, NIC_OP_WRITE_ONLY);
    good.va = REGION;
    good.rkey = SW_KEY;
    good.length = good.bytes = 24;
    for (unsigned i = 0; i < 7; i++) {
      nic_head h = good;
      if (i == 0) h.v6 = !h.v6;
      if (i == 1) h.tag = !h.tag;
      if (i == 2) h.tag = true, h.tci ^= 0x001;
      if (i == 3) h.tag = true, h.tci ^= 0x800;
      if (i == 4) h.ip6.lo ^= 1, h.ip ^= 1;
      if (i == 5) h.ip6.hi ^= 1ull << 63, h.ip ^= 1u << 31;
      if (i == 6) h.tag = false, h.v6 = !h.v6;
      note_memory(s);
      deliver(s, h, b, false);
      expect(s, "answers to a frame of another kind", s->answers, 0);
      untouched(s, "a frame of another kind");
    }
    for (unsigned i = 0; i < 2; i++) {  // a tag's priority is anything, and without a VLAN there may be one
      nic_head h = good;
      b[0] = (uint8_t)(kind << 4 | i);
      h.psn = s->psn;
      if (i) h.tci = (uint16_t)(good.tag ? good.tci ^ 0xf000 : 0xb000), h.tag = true;
      deliver(s, h, b, false);
      expect(s, "answers to a frame of its own", s->answers, 1);
      expect(s, "its syndrome", s->answer.syndrome, NIC_SYN_ACK);
      expect(s, "the answer's family", s->answer.v6, good.v6);
      expect(s, "the answer's tag", s->answer.tag, good.tag);
      expect(s, "the answer's TCI", s->answer.tci, good.tag ? good.tci : 0);
      expect(s, "what it has written", node_peek64(s->n, 0, REGION) & 0xff, b[0]);
      s->psn = (s->psn + 1) & 0xffffff;
    }
  }
  s->w->kinds = 0;
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
}

int nic_hostile(const nic_options *o, const char *list) {
  static const directed_case cases[] = {{29, case_29, "indices that have no valid entry"},
                                        {30, case_30, "what belongs to another process"},
                                        {31, case_31, "types, headers, kinds that are none"},
                                        {32, case_32, "lengths"},
                                        {33, case_33, "signals"},
                                        {34, case_34, "full and inconsistent queues"},
                                        {35, case_35, "a doorbell is the last"},
                                        {36, case_36, "frames that are not for us, not now, or not again"},
                                        {37, case_37, "bad atomics"},
                                        {38, case_38, "register writes"},
                                        {39, case_39, "a region that goes away"},
                                        {40, case_40, "buffers to the byte"},
                                        {41, case_41, "small event rings"},
                                        {42, case_42, "operations that nothing takes"},
                                        {43, case_43, "SENDs"},
                                        {44, case_44, "frames of another family or VLAN"},
                                        {45, case_45, "marks at the wire's rate"},
                                        {46, case_46, "CNPs at the wire's rate"},
                                        {47, case_47, "a rate, measured at the wire"},
                                        {48, case_48, "time while a packet is held back"},
                                        {49, case_49, "a page absent in the middle of a read"},
                                        {50, case_50, "requests behind an absent page"},
                                        {51, case_51, "what is not an absent page"},
                                        {52, case_52, "a duplicate that meets an absent page"},
                                        {53, case_53, "a queue pair that goes on from where it was"},
                                        {54, case_54, "numbers of contexts that are none"},
                                        {55, case_55, "NIC_CTX written in motion"},
                                        {56, case_56, "closes"},
                                        {57, case_57, "bells of closed contexts"},
                                        {58, case_58, "contexts whose memory fails"},
                                        {59, case_59, "a save that is lost"},
                                        {60, case_60, "pages written while contexts move"},
                                        {61, case_61, "contexts that nobody has made"},
                                        {62, case_62, "a counter cleared when a context comes"},
                                        {63, case_63, "processes that there are not"},
                                        {64, case_64, "a doorbell as an entry ends"},
                                        {65, case_65, "more reads than there is room for"}};
  return directed_run(o, "hostile", list, cases, sizeof cases / sizeof *cases);
}
