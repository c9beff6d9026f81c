// SPDX-License-Identifier: Apache-2.0
/* User queues: is there a slot, which one, and the writes that fill it. */
#include "../nic/nic_state.h"

enum { WRITE_INDEX = 56, READ_INDEX = 128, TRIES = 16, NTH_AGAIN = 100 };

bool xtq_queue_desc(const uint64_t w[4], xtq_queue_state *s, xtq_desc *d) {
  if (!(w[3] & 1)) return false;
  d->base = w[0];
  d->doorbell = w[1];
  d->block = w[2];
  d->size = 1ull << (w[3] >> 1 & 31);
  d->multi = w[3] >> 6 & 1;
  d->mirror = (w[3] >> 7 & 1) && !d->multi;
  d->events = w[3] >> 8 & 1;
  d->state = s;
  return true;
}

static unsigned read_at(nic *m, nic_memo *o, unsigned proc, uint64_t block, unsigned at, unsigned nth, uint64_t *v) {
  nic_job j = nic_read_job(m, NIC_SRC_QUEUE, proc, block + at, 8);
  const uint8_t *b = NULL;
  if (at == WRITE_INDEX) j.after[NIC_SRC_TASK] = m->writes[NIC_SRC_TASK]; /* MIRROR writes it, too */
  nic_got got = nic_fetch(m, o, &j, nth, &b);
  if (got == NIC_GOT) *v = le64(b);
  return got == NIC_GOT ? NIC_WHY_NONE : got == NIC_WAIT ? XTQ_WAIT : NIC_WHY_TABLE;
}

static unsigned cas(nic *m, nic_memo *o, unsigned proc, uint64_t va, unsigned nth, uint64_t w, uint64_t *v) {
  nic_job j = nic_read_job(m, NIC_SRC_QUEUE, proc, va, 8);
  const uint8_t *b = NULL;
  j.op = NIC_JOB_CAS;
  j.compare = w;
  j.swap = w + 1;
  nic_got got = nic_fetch(m, o, &j, nth, &b);
  if (got == NIC_GOT) *v = le64(b);
  return got == NIC_GOT ? NIC_WHY_NONE : got == NIC_WAIT ? XTQ_WAIT : NIC_WHY_TABLE;
}

/* ENQ-4. */
static unsigned place_multi(nic *m, nic_memo *o, unsigned proc, xtq_place *p) {
  uint64_t r, w, was;
  unsigned why = read_at(m, o, proc, p->d.block, READ_INDEX, 0, &r);
  if (!why) why = read_at(m, o, proc, p->d.block, WRITE_INDEX, 0, &w);
  for (unsigned i = 0; !why && i < TRIES; i++) {
    if (w - r >= p->d.size) return NIC_WHY_QUEUE_FULL;
    why = cas(m, o, proc, p->d.block + WRITE_INDEX, i, w, &was);
    if (why) break;
    if (was == w) {
      p->index = w;
      return NIC_WHY_NONE;
    }
    w = was;
  }
  return why ? why : NIC_WHY_QUEUE_FULL;
}

/* ENQ-2, ENQ-3. */
static unsigned place_single(nic *m, nic_memo *o, unsigned proc, xtq_place *p) {
  xtq_queue_state *s = p->d.state;
  unsigned why = NIC_WHY_NONE;
  bool fresh = !s->known;
  if (fresh) {
    uint64_t r, w;
    why = read_at(m, o, proc, p->d.block, READ_INDEX, 0, &r);
    if (!why) why = read_at(m, o, proc, p->d.block, WRITE_INDEX, 0, &w);
    if (why) return why;
    s->read = r;
    s->index = w;
    s->known = true;
  }
  p->index = s->index;
  if (s->index - s->read < p->d.size) return NIC_WHY_NONE;
  if (!fresh) why = read_at(m, o, proc, p->d.block, READ_INDEX, NTH_AGAIN, &s->read);
  return why ? why : s->index - s->read < p->d.size ? NIC_WHY_NONE : NIC_WHY_QUEUE_FULL;
}

unsigned xtq_queue_place(nic *m, nic_memo *o, unsigned proc, const xtq_desc *d, xtq_place *p) {
  p->d = *d;
  return d->multi ? place_multi(m, o, proc, p) : place_single(m, o, proc, p);
}

void xtq_queue_commit(const xtq_place *p) {
  if (!p->d.multi) p->d.state->index = p->index + 1;
}

/* ENQ-1, ENQ-5. */
void xtq_queue_enqueue(nic *m, const xtq_enq *e, unsigned log) {
  uint64_t slot = e->base + XTQ_CMD * (e->index & (e->size - 1));
  uint8_t b[8];
  nic_write(m, NIC_SRC_TASK, e->proc, slot + 4, e->packet + 4, XTQ_CMD - 4, NULL);
  nic_write(m, NIC_SRC_TASK, e->proc, slot, e->packet, 4, NULL);
  if (e->mirror) {
    le64_put(b, e->index + 1);
    nic_write(m, NIC_SRC_TASK, e->proc, e->block + WRITE_INDEX, b, 8, NULL);
  }
  le64_put(b, e->index);
  nic_write(m, NIC_SRC_TASK, e->proc, e->doorbell, b, 8, NULL);
  if (log == NIC_LOGS_MAX) m->packet_writes = m->writes[NIC_SRC_TASK];
  if (!e->events) return;
  nic_event ev = {.proc = e->proc,
                  .kind = NIC_EV_TASK,
                  .qp = log < NIC_LOGS_MAX ? 0 : e->qp,
                  .kept = true,
                  .word = e->queue,
                  .addr = e->index};
  nic_event_add(m, &ev);
}
