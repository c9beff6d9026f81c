// SPDX-License-Identifier: Apache-2.0
// A doorbell about when an entry ends by itself (REQ-1, REQ-19): whether that entry still counts is said by the cycle
// in which it ends, and the queue pair goes on with what the register says then.
#include "directed.h"

enum { SPAN = 160, BAD_OP = 0x77 };  // cycles within which an entry is read and ends

// A ring of one entry that cannot be done, and k cycles behind its doorbell that of a second one.
static void behind_a_bad_end(stage *s, unsigned k) {
  const uint32_t prod = qp_reg(QP, NIC_REG_QP_PROD), sts = qp_reg(QP, NIC_REG_QP_STS);
  uint8_t b[64];
  entry e = {.op = BAD_OP};
  sw_entry_put(b, &e);
  sw_connect(s->n, QP, 0, 1, 0, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  node_poke(s->n, 0, sw_va(0, SW_RING + 0x1000 * QP), b, sizeof b);
  settle(s);
  node_write(s->n, prod, 1);
  node_settle(s->n);
  run_for(s, k);
  node_write(s->n, prod, 2);
  settle(s);
  sw_event ev;
  const uint64_t is = node_read(s->n, sts);
  expect(s, "its event", event(s, &ev), true);
  expect(s, "entries that have ended", is & NIC_QP_STS_CONS_MASK, 1);
  expect(s, "SEND_ERR", is >> NIC_QP_STS_SEND_ERR_LSB & 1, 1);
  expect(s, "QP_PROD", node_read(s->n, prod), is & NIC_QP_STS_BAD_PROD_MASK ? 1 : 2);
}

void case_64(stage *s) {
  if (s->n->cfg.Contexts) return;  // QP_PROD is the NIC's own
  for (unsigned k = 0; k < SPAN && !s->w->failed; k++) behind_a_bad_end(s, k);
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
}
