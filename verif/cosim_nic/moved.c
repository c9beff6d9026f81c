// SPDX-License-Identifier: Apache-2.0
// A queue pair that goes off and on from where it was (QPR-9, QPR-10, QPR-11), asked for what came before: nothing is
// done twice, an atomic gets its stored answer, a write goes on in its middle.
#include <string.h>

#include "directed.h"

// Off, and on where it was, but with no answer that counts.
static void begins_without(stage *s) {
  const uint64_t ctl = node_read(s->n, qp_reg(QP, NIC_REG_QP_CTL)), now = node_read(s->n, qp_reg(QP, NIC_REG_QP_NOW));
  node_write(s->n, qp_reg(QP, NIC_REG_QP_CTL), 0);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_CTL), ctl & ~NIC_QP_CTL_EN_MASK);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_PSN), now);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_CTL), ctl);
  settle(s);
}

static void move(stage *s) {
  expect(s, "it moves", sw_move(s->n, QP), true);
  settle(s);
}

// An atomic again: from the store, after moves as well (QPR-11). After a life that began afresh by nothing, and it is
// not done.
static void atomics(stage *s) {
  nic_head h = to_qp(s, QP, NIC_OP_FETCH_ADD);
  node_poke64(s->n, 0, REGION, 40);
  h.va = REGION;
  h.rkey = SW_KEY | 1;
  h.swap = 2;
  for (unsigned again = 0; again < 5; again++) {
    deliver(s, h, NULL, false);
    expect(s, "answers to an atomic", s->answers, again < 4);
    if (again < 4) expect(s, "its answer", s->answer.swap, 40);
    expect(s, "its word", node_peek64(s->n, 0, REGION), 42);
    if (again == 1 || again == 2) move(s);
    if (again == 3) begins_without(s);
  }
  s->psn = (s->psn + 1) & 0xffffff;
}

// In the middle of a write: its rest goes behind what has come, its first packet again is acknowledged
// and not written again.
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

// More atomics than are stored, a move, and all of them again: of the last ones each gets its own answer, the others
// get none.
static void many(stage *s) {
  const unsigned most = s->n->cfg.Replay, all = most + 3;
  const uint32_t first = s->psn;
  nic_head h = to_qp(s, QP, NIC_OP_FETCH_ADD);
  h.va = REGION;
  h.rkey = SW_KEY | 1;
  h.swap = 3;
  node_poke64(s->n, 0, REGION, 1000);
  for (unsigned i = 0; i < all; i++) {
    h.psn = (first + i) & 0xffffff;
    deliver(s, h, NULL, false);
    expect(s, "an atomic", s->answer.swap, 1000 + 3 * i);
  }
  move(s);
  for (unsigned i = 0; i < all; i++) {
    h.psn = (first + i) & 0xffffff;
    deliver(s, h, NULL, false);
    expect(s, "answers to one again", s->answers, i >= all - most);
    if (i >= all - most) expect(s, "its own answer", s->answer.swap, 1000 + 3 * i);
  }
  expect(s, "their word", node_peek64(s->n, 0, REGION), 1000 + 3 * all);
  s->psn = (first + all) & 0xffffff;
}

// As 2^24 PSNs later: a new atomic has the PSN of a stored answer, which is forgotten with all that are older, and
// stays so after a move.
static void lap(stage *s) {
  const uint64_t ctl = node_read(s->n, qp_reg(QP, NIC_REG_QP_CTL)), now = node_read(s->n, qp_reg(QP, NIC_REG_QP_NOW));
  const unsigned most = s->n->cfg.Replay, newer = most - 1 < 5 ? most - 1 : 5;
  const uint32_t psn = (s->psn - 1 - newer) & 0xffffff;
  node_write(s->n, qp_reg(QP, NIC_REG_QP_CTL), 0);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_CTL), ctl & ~NIC_QP_CTL_EN_MASK);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_PSN), (now & ~NIC_QP_PSN_EPSN_MASK) | (uint64_t)psn << NIC_QP_PSN_EPSN_LSB);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_BEGIN_MSG), (uint64_t)most << NIC_QP_BEGIN_MSG_ANSWERS_LSB);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_CTL), ctl);
  settle(s);
  nic_head h = to_qp(s, QP, NIC_OP_FETCH_ADD);
  h.va = REGION;
  h.rkey = SW_KEY | 1;
  h.swap = 3;
  h.psn = psn;
  node_poke64(s->n, 0, REGION, 5000);
  for (unsigned again = 0; again < 3; again++) {
    deliver(s, h, NULL, false);
    expect(s, "the new atomic's answer", s->answer.swap, 5000);
    expect(s, "answers in store", node_read(s->n, qp_reg(QP, NIC_REG_QP_MSG)) >> NIC_QP_MSG_ANSWERS_LSB, newer + 1);
    if (again == 1) move(s);
  }
  h.psn = (psn - 1) & 0xffffff;
  deliver(s, h, NULL, false);
  expect(s, "answers to an older one", s->answers, 0);
  s->psn = (psn + 1) & 0xffffff;
}

void case_53(stage *s) {
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
  node_write(s->n, qp_reg(QP, NIC_REG_QP_NAME), 0x111);  // it is on: refused
  expect(s, "its name (CTX-12)", node_read(s->n, qp_reg(QP, NIC_REG_QP_NAME)), SW_NAME - QP);
  sw_region(s->n, 0, SW_KEY, 0, REGION, 0x4000, 3);
  for (unsigned k = 0; k < 3; k++) atomics(s), middle(s);
  for (unsigned k = 0; k < 3; k++) many(s), lap(s);
}
