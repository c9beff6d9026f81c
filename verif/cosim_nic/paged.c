// SPDX-License-Identifier: Apache-2.0
// Pages that are absent (RSP-17, RSP-18, RSP-19, RSP-20), request by request: what is answered, what comes again, and
// what is not done twice.
#include <string.h>

#include "directed.h"

enum {
  HEAP = 0xb00000,  // the region, of pages that may be absent
  HEAP_LEN = 0x8000,
  HEAP_KEY = SW_KEY | 1,
  PAGED = 8,
  RNR = NIC_SYN_RNR | 3,
  PACKET = 4096  // the queue pair's MTU
};

static void heap(stage *s, unsigned rights) {
  sw_region(s->n, 1, HEAP_KEY, 0, HEAP, HEAP_LEN, rights);
  node_settle(s->n);
}

static void absent(stage *s, uint64_t va, uint64_t len) {
  s->n->sw->absent_lo = node_at(0, va);
  s->n->sw->absent_hi = node_at(0, va) + len;
}

static void present(stage *s) { absent(s, 1, 0); }

static nic_head request(const stage *s, unsigned op, uint64_t va, uint32_t len, uint32_t psn) {
  nic_head h = to_qp(s, QP, (uint8_t)op);
  h.va = va;
  h.rkey = HEAP_KEY;
  h.length = len;
  h.psn = psn & 0xffffff;
  return h;
}

static void answered(stage *s, const char *what, unsigned answers, unsigned opcode, uint32_t psn, unsigned syndrome) {
  expect(s, what, s->answers, answers);
  if (!answers) return;
  expect(s, what, s->answer.opcode, opcode);
  expect(s, what, s->answer.psn, psn & 0xffffff);
  expect(s, what, s->answer.syndrome, syndrome);
}

static void read_it(stage *s, uint64_t va, uint32_t len, uint32_t psn) {
  deliver(s, request(s, NIC_OP_READ_REQ, va, len, psn), NULL, false);
}

static void write_it(stage *s, uint64_t va, uint64_t value, uint32_t psn) {
  uint8_t b[8];
  nic_head h = request(s, NIC_OP_WRITE_ONLY, va, 8, psn);
  h.bytes = 8;
  le_put(b, 8, value);
  deliver(s, h, b, false);
}

static void no_event(stage *s, const char *what) {
  sw_event e;
  expect(s, what, event(s, &e), false);
}

// A page in the middle of a read: what comes before it is answered, it is asked for again, and nothing behind it is.
void case_49(stage *s) {
  uint32_t psn = s->psn;
  heap(s, 3 | PAGED);
  absent(s, HEAP + PACKET, PACKET);
  uint64_t count = counter(s, NIC_CNT_ABSENT);
  for (unsigned i = 0; i < 3; i++) {
    read_it(s, HEAP, 3 * PACKET, psn);
    answered(s, "an absent page behind a packet", 2, NIC_OP_ACK, psn + 1, RNR);
    no_event(s, "of an absent page");
    read_it(s, HEAP, 8, psn + 3);
    answered(s, "behind an absent page", 0, 0, 0, 0);
    read_it(s, HEAP + PACKET, 2 * PACKET, psn + 1);
    answered(s, "the rest, still absent", 1, NIC_OP_ACK, psn + 1, RNR);
  }
  expect(s, "absent pages counted", counter(s, NIC_CNT_ABSENT) - count, 6);
  present(s);
  read_it(s, HEAP + PACKET, 2 * PACKET, psn + 1);
  answered(s, "the rest of a read", 2, NIC_OP_READ_LAST, psn + 2, NIC_SYN_ACK);
  expect(s, "MSN", s->answer.msn, 1);
  read_it(s, HEAP, 3 * PACKET, psn);
  answered(s, "all of it, once more", 3, NIC_OP_READ_LAST, psn + 2, NIC_SYN_ACK);
  s->psn = (psn + 3) & 0xffffff;
}

// What came behind the read has been done, and is not done twice when it is asked for again; an atomic is done then,
// and once.
void case_50(stage *s) {
  uint32_t psn = s->psn;
  heap(s, 7 | PAGED);
  absent(s, HEAP, 64);
  s->n->sw->slow = 2000;  // what comes behind the read comes before its page is missed
  s->answers = 0;
  give(s, request(s, NIC_OP_READ_REQ, HEAP, 64, psn), NULL, false);
  nic_head w = request(s, NIC_OP_WRITE_ONLY_IMM, HEAP + 0x1000, 8, psn + 1);
  uint8_t b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  w.bytes = 8;
  w.imm = 77;
  give(s, w, b, false);
  node_poke64(s->n, 0, HEAP + 0x2000, 40);
  nic_head a = request(s, NIC_OP_FETCH_ADD, HEAP + 0x2000, 0, psn + 2);
  a.swap = 2;
  message m = good(s, KERNEL, 16, 8);
  m.h.psn = (psn + 3) & 0xffffff;
  uint64_t index = node_peek64(s->n, 0, INDICES + 56);
  give(s, a, NULL, false);
  give(s, m.h, m.b, false);
  settle(s);
  sw_event e;
  expect(s, "event of the immediate", event(s, &e) && e.kind == NIC_EV_IMM && e.len == 77, true);
  expect(s, "the RNR NAK's PSN", s->answer.psn, psn & 0xffffff);
  expect(s, "the RNR NAK", s->answer.syndrome, RNR);
  expect(s, "only that", s->answers, 1);
  expect(s, "the atomic waits", node_peek64(s->n, 0, HEAP + 0x2000), 40);
  expect(s, "the task has come", node_peek64(s->n, 0, INDICES + 56), index + 1);
  s->n->sw->slow = 0;
  present(s);
  node_poke64(s->n, 0, HEAP + 0x1000, 5);  // what another has written since
  read_it(s, HEAP, 64, psn);
  answered(s, "the read", 1, NIC_OP_READ_ONLY, psn, NIC_SYN_ACK);
  deliver(s, w, b, false);
  answered(s, "the write again", 1, NIC_OP_ACK, psn + 1, NIC_SYN_ACK);
  expect(s, "which is not done twice", node_peek64(s->n, 0, HEAP + 0x1000), 5);
  no_event(s, "of an immediate that was told of");
  deliver(s, a, NULL, false);
  answered(s, "the atomic", 1, NIC_OP_ATOMIC_ACK, psn + 2, NIC_SYN_ACK);
  expect(s, "the value before", s->answer.swap, 40);
  deliver(s, a, NULL, false);
  answered(s, "the atomic again", 1, NIC_OP_ATOMIC_ACK, psn + 2, NIC_SYN_ACK);
  expect(s, "the value before, again", s->answer.swap, 40);
  expect(s, "added once", node_peek64(s->n, 0, HEAP + 0x2000), 42);
  deliver(s, m.h, m.b, false);
  answered(s, "the task again", 1, NIC_OP_ACK, psn + 3, NIC_SYN_ACK);
  expect(s, "MSN", s->answer.msn, 4);
  expect(s, "tasks", node_peek64(s->n, 0, INDICES + 56), index + 1);
  s->psn = (psn + 4) & 0xffffff;
}

// Not so: another failure, another region, and a read that names a region that has gone; and what the
// peer then does is new.
void case_51(stage *s) {
  uint32_t psn = s->psn;
  sw_event e;
  heap(s, 3 | PAGED);
  absent(s, HEAP, 64);
  s->answers = 0;
  s->n->sw->slow = 2000;
  give(s, request(s, NIC_OP_READ_REQ, HEAP, 64, psn), NULL, false);
  write_it(s, HEAP + 0x1000, 11, psn + 1);
  expect(s, "a write behind it", node_peek64(s->n, 0, HEAP + 0x1000), 11);
  s->n->sw->slow = 0;
  answered(s, "an absent page", 1, NIC_OP_ACK, psn, RNR);
  heap(s, 2 | PAGED);
  read_it(s, HEAP, 64, psn);
  answered(s, "the right of reading has gone", 1, NIC_OP_ACK, psn, ACCESS);
  expect(s, "told of", event(s, &e) && e.kind == NIC_EV_REFUSED && e.word == NIC_WHY_REGION, true);
  write_it(s, HEAP + 0x1000, 12, psn);
  answered(s, "something new", 1, NIC_OP_ACK, psn, NIC_SYN_ACK);
  write_it(s, HEAP + 0x1008, 13, psn + 1);
  answered(s, "and again", 1, NIC_OP_ACK, psn + 1, NIC_SYN_ACK);
  expect(s, "done", node_peek64(s->n, 0, HEAP + 0x1000), 12);
  expect(s, "also done", node_peek64(s->n, 0, HEAP + 0x1008), 13);
  heap(s, 3);
  read_it(s, HEAP, 64, psn + 2);
  answered(s, "a region whose pages are there", 1, NIC_OP_ACK, psn + 2, NIC_SYN_NAK | 3);
  expect(s, "its responder stops", event(s, &e) && e.kind == NIC_EV_RESP_FAILED, true);
  s->ends = true;
}

// A duplicate meets a page that has gone since: it is told to come again, and new requests are not held up by it.
void case_52(stage *s) {
  uint32_t psn = s->psn;
  heap(s, 3 | PAGED);
  read_it(s, HEAP, 2 * PACKET, psn);
  answered(s, "a read", 2, NIC_OP_READ_LAST, psn + 1, NIC_SYN_ACK);
  absent(s, HEAP + PACKET, PACKET);
  read_it(s, HEAP, 2 * PACKET, psn);
  answered(s, "a duplicate", 2, NIC_OP_ACK, psn + 1, RNR);
  write_it(s, HEAP, 21, psn + 2);
  answered(s, "a new write", 1, NIC_OP_ACK, psn + 2, NIC_SYN_ACK);
  expect(s, "done", node_peek64(s->n, 0, HEAP), 21);
  present(s);
  s->psn = (psn + 3) & 0xffffff;
}
