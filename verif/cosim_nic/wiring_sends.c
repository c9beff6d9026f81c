// SPDX-License-Identifier: Apache-2.0
// A SEND that comes to nothing in the middle is that of its own queue pair (RCV-7), while another one, of another
// process, is in its message as well: who is refused, or turned off, gets its event, and the other one goes on to its
// end. For the suite of wiring.c.
#include "directed.h"

enum { PACKET = 256, REST = 8, MTU_256 = 1, RING_SIZE = 5 };

static uint8_t b[PACKET];

static void connect(stage *s, unsigned p) {
  sw_connect(s->n, p, p, 1, 4, EPSN, 0, sw_ctl(MTU_256, 3, 7, 7, 0) | NIC_QP_CTL_RECV_MASK);
  node_write(s->n, NIC_REG_RB_DROP + p * NIC_REG_EQ_BASE_STRIDE, 0);
  sw_post_buffer(s->n, p, sw_va(p, BUFFER), BUFFER_LEN, 0);
  event_ring(s, p, RING_SIZE);
}

static void part(stage *s, unsigned p, uint8_t op, unsigned bytes, uint32_t psn, unsigned syndrome) {
  nic_head h = to_qp(s, p, op);
  h.psn = psn & 0xffffff;
  h.bytes = (uint16_t)bytes;
  deliver(s, h, b, false);
  expect(s, "answers to a SEND", s->answers, 1);
  expect(s, "their syndrome", s->answer.syndrome, syndrome);
}

// The one event 8 there is, of all processes; a buffer that is used up and a refusal have theirs as well.
static void ends(stage *s, unsigned p, unsigned status, unsigned bytes) {
  sw_event e;
  unsigned n = 0;
  for (unsigned k = 0; k < 2; k++)
    while (event_of(s, k, &e)) {
      if (e.kind != NIC_EV_RECV) continue;
      n++;
      expect(s, "whose message has an end", k, p);
      expect(s, "its status", e.status, status);
      expect(s, "its bytes", e.bytes, bytes);
    }
  expect(s, "ends of messages", n, 1);
}

void sends_given_up(stage *s) {
  if (s->n->cfg.NumProcs < 2) return;
  for (unsigned i = 0; i < PACKET; i++) b[i] = (uint8_t)(i * 3 + 1);
  s->n->dut->prof = dut_profile_fast;
  for (unsigned k = 0; k < 4 && !s->w->failed; k++) {
    const unsigned lost = k & 1, other = !lost;
    const bool off = k & 2;
    for (unsigned p = 0; p < 2; p++) connect(s, p);
    for (unsigned p = 0; p < 2; p++) part(s, p, NIC_OP_SEND_FIRST, PACKET, EPSN, NIC_SYN_ACK);
    if (off)
      node_write(s->n, NIC_REG_QP_CTL + lost * NIC_REG_QP_CTL_STRIDE, 0);
    else
      part(s, lost, NIC_OP_SEND_FIRST, PACKET, EPSN + 1, INVALID);
    settle(s);
    ends(s, lost, NIC_RCV_LOST, PACKET);
    part(s, other, NIC_OP_SEND_LAST, REST, EPSN + 1, NIC_SYN_ACK);
    ends(s, other, NIC_RCV_PLAIN, PACKET + REST);
  }
  for (unsigned p = 0; p < 2; p++) {
    connect(s, p);
    sw_connect(s->n, p, p, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
  }
  s->psn = s->other = EPSN;
  settle(s);
}
