// SPDX-License-Identifier: Apache-2.0
// A queue pair whose QP_CTL.PROC names a process that there is not: what it is sent is put into nobody's tables,
// buffers and queues (XTM-3, RCV-3), also where the number cut short is that of a process.
#include "directed.h"

enum { PROCS = 16 };  // numbers that QP_CTL.PROC may have

static uint64_t buffers(const stage *s, unsigned p) {
  return node_read(s->n, NIC_REG_RB_STS + p * NIC_REG_RB_STS_STRIDE);
}

// It is answered, and neither memory nor a buffer of anybody has changed.
static void by_nobody(stage *s, nic_head h, const uint8_t *pay, unsigned syndrome, const char *what) {
  const unsigned procs = s->n->cfg.NumProcs;
  uint64_t before[PROCS];
  for (unsigned p = 0; p < procs; p++) before[p] = buffers(s, p);
  note_memory(s);
  deliver(s, h, pay, false);
  expect(s, what, s->answers, 1);
  expect(s, what, s->answer.syndrome, syndrome);
  untouched(s, what);
  for (unsigned p = 0; p < procs; p++) expect(s, what, buffers(s, p), before[p]);
}

void case_63(stage *s) {
  const unsigned procs = s->n->cfg.NumProcs;
  for (unsigned p = procs; p < PROCS; p++) {
    const uint64_t ctl = sw_ctl(5, 3, 7, 7, 0) | NIC_QP_CTL_RECV_MASK;
    sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, ctl | (uint64_t)p << NIC_QP_CTL_PROC_LSB);
    settle(s);
    nic_head h = to_qp(s, QP, NIC_OP_SEND_ONLY);
    h.bytes = 16;
    message m = good(s, KERNEL, 16, 8);
    m.h.xtq_proc = (uint16_t)p;
    by_nobody(s, h, m.b, NOT_READY, "a SEND to nobody");
    by_nobody(s, m.h, m.b, INVALID, "an XtqPut to nobody");
  }
  sw_connect(s->n, QP, 0, 1, 4, s->psn, 0, sw_ctl(5, 3, 7, 7, 0));
  settle(s);
}
