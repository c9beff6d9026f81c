// SPDX-License-Identifier: Apache-2.0
// The queue of responses is full (RSP-7): what comes then is dropped by name, and as soon as a response has left there
// is room again. How soon is what an excuse's bound says: a record does not tell when a place is free.
#include "directed.h"

enum { LENGTH = 4096 - 64, SLOW = 1500, BEYOND = 4, TURN = 20, LEFT = 6 };

static nic_head read_of(stage *s) {
  nic_head h = to_qp(s, QP, NIC_OP_READ_REQ);
  h.va = REGION, h.rkey = SW_KEY, h.length = LENGTH;
  return h;
}

// Each response has more requests of memory than there are tags, so they leave one at a time, and not soon.
static void slow_memory(stage *s) {
  if (s->n->dut) s->n->dut->prof = dut_profile_fast;
  node_write(s->n, NIC_REG_NIC_CPL_TMO, 0);
  node_write(s->n, NIC_REG_NIC_DMA, 0);
  node_settle(s->n);
  s->n->sw->slow = SLOW;
}

void case_65(stage *s) {
  const unsigned depth = s->n->cfg.RespDepth;
  const uint32_t refused = s->n->no_room[QP];
  slow_memory(s);
  s->answers = 0;
  s->w->crowded = true;
  for (unsigned k = 0; k < depth; k++) {
    give(s, read_of(s), NULL, false);
    s->psn = (s->psn + 1) & 0xffffff;
  }
  const nic_head h = read_of(s);
  for (unsigned k = 0; k < BEYOND; k++) give(s, h, NULL, false);
  run_for(s, SLOW);
  expect(s, "answers of a memory that is slow", s->answers, 0);
  expect(s, "requests without room", s->n->no_room[QP] - refused, BEYOND);
  // The same again and again: taken as soon as there is room, then a duplicate, which needs room as well.
  while (s->answers < LEFT && !s->w->failed) {
    give(s, h, NULL, false);
    run_for(s, TURN);
  }
  s->n->sw->slow = 0;
  settle(s);
  s->psn = (s->psn + 1) & 0xffffff;
  expect(s, "as some have left, more have had room", s->answers > depth, true);
}
