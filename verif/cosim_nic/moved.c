// SPDX-License-Identifier: Apache-2.0
// A queue pair that goes off and on from where it was (QPR-9, QPR-10), asked for what came before: nothing is done twice, a write goes on
// in its middle, a responder that has stopped stays so.
#include <string.h>

#include "directed.h"

static void move(stage *s) {
  expect(s, "it moves", sw_move(s->n, QP), true);
  settle(s);
}

// An atomic again: from the store; after a move, whose store is empty, by nothing, and it is not done.
static void atomics(stage *s) {
  nic_head h = to_qp(s, QP, NIC_OP_FETCH_ADD);
  node_poke64(s->n, 0, REGION, 40);
  h.va = REGION;
  h.rkey = SW_KEY | 1;
  h.swap = 2;
  for (unsigned again = 0; again < 3; again++) {
    deliver(s, h, NULL, false);
    expect(s, "answers to an atomic", s->answers, again < 2);
    if (again < 2) expect(s, "its answer", s->answer.swap, 40);
    expect(s, "its word", node_peek64(s->n, 0, REGION), 42);
    if (again == 1) move(s);
  }
  s->psn = (s->psn + 1) & 0xffffff;
}

// In the middle of a write: its rest goes behind what has come, its first packet again is acknowledged and not written again.
static void middle(stage *s) {
  static uint8_t b[4096];
  const uint32_t first = s->psn;
  memset(b, 0x5a, sizeof b);
  nic_head h = to_qp(s, QP, NIC_OP_WRITE_FIRST);
  h.va = REGION;
  h.rkey = SW_KEY;
  h.length = sizeof b + 8;
  h.bytes = sizeof b;
  h.ack_req = true;
  deliver(s, h, b, false);
  expect(s, "a first", s->answer.syndrome, NIC_SYN_ACK);
  const uint32_t msn = s->answer.msn;
  move(s);
  memset(b, 0xa5, sizeof b);
  note_memory(s);
  deliver(s, h, b, false);
  untouched(s, "a first again");
  expect(s, "a first again", s->answer.psn, first);
  nic_head l = to_qp(s, QP, NIC_OP_WRITE_LAST);
  l.psn = (first + 1) & 0xffffff;
  l.bytes = 8;
  l.ack_req = true;
  deliver(s, l, b, false);
  expect(s, "a last", s->answer.syndrome, NIC_SYN_ACK);
  expect(s, "its MSN", s->answer.msn, (msn + 1) & 0xffffff);
  expect(s, "its bytes", node_peek64(s->n, 0, REGION + sizeof b), 0xa5a5a5a5a5a5a5a5);
  s->psn = (first + 2) & 0xffffff;
}

void case_53(stage *s) {
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
  sw_region(s->n, 0, SW_KEY, 0, REGION, 0x4000, 3);
  for (unsigned k = 0; k < 3; k++) atomics(s), middle(s);
}
