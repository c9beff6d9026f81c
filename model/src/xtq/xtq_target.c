// SPDX-License-Identifier: Apache-2.0
/* XtqPut and SEND at the target: the checks of a packet in their order, then its effects; receive buffers.
 * RBF-8, RCV-1, RCV-2, RCV-3, RCV-4, RCV-5, RCV-6, RCV-7, RCV-8, RCV-9. */
#include "../nic/nic_state.h"

enum { FIRST = 1, LAST = 2, ARGS_MAX = 4096 };

static unsigned place_in_message(unsigned op) {
  switch (op) {
    case NIC_OP_XTQ_ONLY:
    case NIC_OP_SEND_ONLY:
    case NIC_OP_SEND_ONLY_IMM:
    case NIC_OP_SEND_ONLY_INV: return FIRST | LAST;
    case NIC_OP_XTQ_FIRST:
    case NIC_OP_SEND_FIRST: return FIRST;
    case NIC_OP_XTQ_MIDDLE:
    case NIC_OP_SEND_MIDDLE: return 0;
    default: return LAST;
  }
}

/* XTM-6. */
static unsigned why_of(nic_got got) {
  return got == NIC_GOT ? NIC_WHY_NONE : got == NIC_WAIT ? XTQ_WAIT : NIC_WHY_TABLE;
}

/* Checks 1 to 4: the frame alone. XTM-1, XTM-2, XTM-3. */
static unsigned check_frame(const nic *m, const nic_qp *q, const nic_head *h, const uint8_t *cmd) {
  if (h->xtq_proc != qp_proc(q) || qp_proc(q) >= m->cfg.NumProcs) return NIC_WHY_BAD_PROCESS;
  if (h->xtq_kind > XTQ_FUNCTION) return NIC_WHY_BAD_KIND;
  if ((uint64_t)XTQ_CMD + h->xtq_args + h->xtq_pay != h->length || h->xtq_args % 16 || h->xtq_args > ARGS_MAX)
    return NIC_WHY_BAD_LENGTH;
  unsigned header = cmd[0] | (unsigned)cmd[1] << 8;
  if ((header & 0xff) != (h->xtq_kind == XTQ_KERNEL ? 2u : 4u) || header >> 13) return NIC_WHY_BAD_TYPE;
  return NIC_WHY_NONE;
}

/* Check 5. */
static unsigned check_code(nic *m, unsigned proc, const nic_head *h, const uint8_t *cmd, xtq_entry *c) {
  const uint64_t *w;
  uint64_t index = le64(cmd + (h->xtq_kind == XTQ_KERNEL ? 32 : 8));
  unsigned why = why_of(xtq_table_find(m, &m->m_frame, proc, h->xtq_kind, index, &w, NULL));
  if (why) return why;
  c->code = w[0];
  c->target = w[1];
  c->signal = w[2];
  c->has_target = w[3] >> 1 & 1;
  return w[3] & 1 ? NIC_WHY_NONE : NIC_WHY_BAD_INDEX;
}

/* Check 6. XTM-5. */
static unsigned check_queue(nic *m, nic_memo *o, unsigned proc, unsigned queue, xtq_desc *d) {
  const uint64_t *w;
  xtq_queue_state *s = NULL;
  unsigned why = why_of(xtq_table_find(m, o, proc, XTQ_QUEUE, queue, &w, &s));
  if (why) return why;
  return xtq_queue_desc(w, s, d) ? NIC_WHY_NONE : NIC_WHY_BAD_QUEUE;
}

/* A SEND: room and a place for its event at First and Only, room alone behind them. */
static void judge_send(nic *m, const nic_qp *q, const nic_head *h, bool no_event, xtq_plan *p) {
  unsigned place = place_in_message(h->opcode), proc = qp_proc(q);
  uint64_t n = !(place & LAST) ? h->bytes + 1u : h->bytes ? h->bytes : 1u;
  if (!(place & FIRST))
    p->why = h->bytes > q->xtq.left ? NIC_WHY_TOO_LONG : NIC_WHY_NONE;
  else if (!xtq_rbuf_find(&m->rbuf[proc], n, &p->number, &p->at))
    p->why = NIC_WHY_NO_BUFFER;
  else if (nic_event_none(m, proc, 1, no_event))
    p->why = NIC_WHY_NO_EVENT;
}

/* XTM-3, XTM-4. */
void xtq_target_judge(nic *m, nic_qp *q, const nic_head *h, const uint8_t *pay, bool no_event, xtq_plan *p) {
  unsigned place = place_in_message(h->opcode), proc = qp_proc(q);
  xtq_desc d;
  memset(&d, 0, sizeof d);
  memset(p, 0, sizeof *p);
  if (h->opcode < 0xc0) {
    judge_send(m, q, h, no_event, p);
    return;
  }
  p->queue = q->xtq.queue;
  if (place & FIRST) {
    p->queue = (uint16_t)(pay[48] | pay[49] << 8);
    memcpy(p->cmd, pay, XTQ_CMD <= h->bytes ? XTQ_CMD : 0);
    if ((p->why = check_frame(m, q, h, pay))) return;
    if ((p->why = check_code(m, proc, h, pay, &p->code))) return;
    if ((p->why = check_queue(m, &m->m_frame, proc, p->queue, &d))) return;
    if (h->xtq_kind == XTQ_KERNEL && (p->code.has_target || h->xtq_pay) && h->xtq_args < 16) {
      p->why = NIC_WHY_BAD_LENGTH;
      return;
    }
    uint64_t n = (uint64_t)h->xtq_args + h->xtq_pay;
    p->room = n != 0;
    if (n && !xtq_rbuf_find(&m->rbuf[proc], n, &p->number, &p->at)) {
      p->why = NIC_WHY_NO_BUFFER;
      return;
    }
  }
  if (place & LAST) {
    if (!(place & FIRST) && (p->why = check_queue(m, &m->m_frame, proc, p->queue, &d))) return;
    if (d.events && !nic_memo_pinned(&m->m_frame) && nic_event_none(m, proc, 1, no_event)) {
      p->why = NIC_WHY_NO_EVENT;
      return;
    }
    p->why = xtq_queue_place(m, &m->m_frame, proc, &d, &p->place);
  }
}

/* Buffers from `used` up to the oldest are used up. */
static void tell_used(nic *m, unsigned proc, uint32_t used, uint32_t oldest) {
  for (; used != oldest; used++) {
    nic_event e = {.proc = (uint8_t)proc, .kind = NIC_EV_BUFFER, .word = used};
    nic_event_add(m, &e);
  }
}

static void take_room(nic *m, unsigned proc, const nic_head *h, const xtq_plan *p) {
  uint32_t used = m->rbuf[proc].oldest;
  tell_used(m, proc, used, xtq_rbuf_take(&m->rbuf[proc], (uint64_t)h->xtq_args + h->xtq_pay, p->number));
}

void xtq_target_drop(nic *m, unsigned proc) {
  uint32_t used = m->rbuf[proc].oldest;
  tell_used(m, proc, used, xtq_rbuf_drop(&m->rbuf[proc]));
}

static void received(nic *m, unsigned qp, unsigned status, uint32_t len) {
  const xtq_msg *x = &m->qp[qp].xtq;
  nic_event e = {.proc = (uint8_t)qp_proc(&m->qp[qp]),
                 .kind = NIC_EV_RECV,
                 .status = (uint8_t)status,
                 .qp = m->qp[qp].name,
                 .kept = true,
                 .word = x->number,
                 .len = len,
                 .bytes = x->got,
                 .addr = x->next - x->got};
  nic_event_add(m, &e);
}

void xtq_target_give_up(nic *m, unsigned qp) {
  if (m->qp[qp].msg == NIC_MSG_SEND) received(m, qp, NIC_RCV_LOST, 0);
}

void xtq_target_receive(nic *m, unsigned qp, const nic_head *h, const uint8_t *pay, const xtq_plan *p) {
  nic_qp *q = &m->qp[qp];
  xtq_msg *x = &q->xtq;
  unsigned place = place_in_message(h->opcode), proc = qp_proc(q);
  bool imm = h->opcode == NIC_OP_SEND_LAST_IMM || h->opcode == NIC_OP_SEND_ONLY_IMM;
  bool inv = h->opcode == NIC_OP_SEND_LAST_INV || h->opcode == NIC_OP_SEND_ONLY_INV;
  if (place & FIRST) {
    xtq_rbufs *r = &m->rbuf[proc];
    uint32_t used = r->oldest, room = xtq_rbuf_room(r, p->number);
    x->number = p->number;
    x->next = p->at;
    x->left = room >> 31 ? 1u << 31 : room;
    x->got = 0;
    tell_used(m, proc, used,
              place & LAST ? xtq_rbuf_take(r, h->bytes ? h->bytes : 1, p->number) : xtq_rbuf_take_all(r, p->number));
    nic_event_keep(m, proc, 1);
  }
  if (h->bytes) {
    nic_write(m, NIC_SRC_TASK, proc, x->next, pay, h->bytes, NULL);
    m->packet_writes = m->writes[NIC_SRC_TASK];
  }
  x->next += h->bytes;
  x->left -= h->bytes;
  x->got += h->bytes;
  if (place & LAST) received(m, qp, imm ? NIC_RCV_IMM : inv ? NIC_RCV_INV : NIC_RCV_PLAIN, imm || inv ? h->imm : 0);
}

void xtq_target_take(nic *m, unsigned qp, const nic_head *h, const uint8_t *pay, const xtq_plan *p) {
  nic_qp *q = &m->qp[qp];
  xtq_msg *x = &q->xtq;
  unsigned place = place_in_message(h->opcode), proc = qp_proc(q);
  uint32_t n = h->bytes;
  if (place & FIRST) {
    memcpy(x->cmd, p->cmd, XTQ_CMD);
    x->queue = p->queue;
    x->next = p->at;
    xtq_rewrite(h->xtq_kind, &p->code, p->at, h->xtq_args, h->xtq_pay, x->cmd);
    if (p->room) take_room(m, proc, h, p);
    pay += XTQ_CMD;
    n -= XTQ_CMD;
  }
  if (n) {
    memcpy(m->buf, pay, n);
    if (place & FIRST && h->xtq_args) xtq_rewrite_args(h->xtq_kind, &p->code, p->at, h->xtq_args, h->xtq_pay, m->buf);
    nic_write(m, NIC_SRC_TASK, proc, x->next, m->buf, n, NULL);
    x->next += n;
    m->packet_writes = m->writes[NIC_SRC_TASK];
  }
  if (!(place & LAST)) return;
  const xtq_desc *d = &p->place.d;
  xtq_queue_commit(&p->place);
  if (d->events) nic_event_keep(m, proc, 1);
  xtq_enq *e = &m->enq[m->enq_tail++ % XTQ_ENQS];
  *e = (xtq_enq){.proc = (uint8_t)proc,
                 .qp = m->qp[qp].name,
                 .queue = x->queue,
                 .index = p->place.index,
                 .base = d->base,
                 .size = d->size,
                 .doorbell = d->doorbell,
                 .block = d->block,
                 .mirror = d->mirror,
                 .events = d->events};
  memcpy(e->packet, x->cmd, XTQ_CMD);
}
