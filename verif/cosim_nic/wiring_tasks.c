// SPDX-License-Identifier: Apache-2.0
// Wiring of the task port and of the events' interrupts: the notice of each access log becomes that log's task,
// in the queue of its process, and what is told of its end names it; each event ring has its own interrupt.
// For the suite of wiring.c.
#include "directed.h"

enum { TASK_QUEUE = 4, TASK_CODE = 0x7000, SPOT = 0x3f000, MARK = 0x6d00, ENOUGH = 4000, AWHILE = 200, SOME = 7 };

static unsigned processes(const stage *s) { return s->n->cfg.NumProcs; }
static unsigned logs(const stage *s) { return s->n->cfg.NumLogs; }
static unsigned owner(const stage *s, unsigned log) { return log % processes(s); }
static uint32_t prod_of(unsigned log) { return 0x10000 * (log + 1) + 0x40; }
static uint32_t cons_of(unsigned log) { return 0x10000 * (log + 1) + 0x10; }

// A queue of tasks with events and an event ring for each process; a template for each log.
static void on(stage *s) {
  static const uint8_t none[32 * 128];
  node *n = s->n;
  for (unsigned p = 0; p < processes(s); p++) {
    const uint64_t q[4] = {RING, DOORBELL, INDICES, VALID | LOG2_SIZE << 1 | MIRROR | EVENTS};
    uint32_t at = p * NIC_REG_EQ_BASE_STRIDE;
    n->sw->p[p].eq_size = 7;
    n->sw->p[p].seen = 0;
    node_write(n, NIC_REG_EQ_CTL + at, 0);
    node_poke(n, p, sw_va(p, SW_EQ), none, sizeof none);
    node_write(n, NIC_REG_EQ_BASE + at, sw_va(p, SW_EQ));
    node_write(n, NIC_REG_EQ_CTL + at, NIC_EQ_CTL_EN_MASK | 7);
    node_write(n, NIC_REG_XT_BASE + at, sw_va(p, SW_TABLE));
    node_poke64(n, p, INDICES + 56, 0);
    node_poke64(n, p, INDICES + 128, 0);
    sw_table(n, p, QUEUE, TASK_QUEUE, q);
  }
  for (unsigned l = 0; l < logs(s); l++) {
    uint8_t c[64];
    sw_command(c, FUNCTION, TASK_CODE + l, 0);
    for (unsigned k = 0; k < 8; k++) node_write(n, NIC_REG_XT_TPL + 64 * l + 8 * k, le_get(c + 8 * k, 8));
    node_write(n, NIC_REG_XT_LOG + 8 * l,
               TASK_QUEUE | (uint64_t)owner(s, l) << NIC_XT_LOG_PROC_LSB | NIC_XT_LOG_EN_MASK);
  }
  node_settle(n);
}

// Lets the net go on; the ends that the NIC has told of, and the log of the last.
static unsigned ends(stage *s, unsigned cycles, unsigned *log) {
  const pins *p = &s->n->dut->pin;
  unsigned n = 0;
  for (; cycles && !s->w->failed; cycles--) {
    net_cycle(s->w);
    if (!*p->task_done_valid_o) continue;
    n++;
    *log = *p->task_done_log_o;
  }
  return n;
}

static void tell(stage *s, unsigned l) {
  while (!s->n->ops->task(s->n, l, prod_of(l), cons_of(l)) && !s->w->failed) net_cycle(s->w);
}

static void notice(stage *s, unsigned log) {
  unsigned told = 0;
  tell(s, log);
  expect(s, "ends of tasks that nobody has said", ends(s, AWHILE, &told), 0);
  settle(s);
}

static uint64_t waiting(stage *s, unsigned p) {
  return node_peek64(s->n, p, INDICES + 56) - node_peek64(s->n, p, INDICES + 128);
}

// Nothing is new but one event of a process, or not even that.
static void one_event(stage *s, unsigned mine, unsigned kind, uint32_t word) {
  for (unsigned p = 0; p < processes(s); p++) {
    sw_event e;
    bool there = event_of(s, p, &e);
    expect(s, "event of a process", there, p == mine);
    if (there) expect(s, "its kind and word", e.kind | (uint64_t)e.word << 8, kind | (uint64_t)word << 8);
  }
  node_settle(s->n);
}

static void one_task(stage *s, unsigned l) {
  unsigned mine = owner(s, l);
  uint8_t c[64];
  for (unsigned p = 0; p < processes(s); p++) expect(s, "tasks of a process", waiting(s, p), p == mine);
  uint64_t index = node_peek64(s->n, mine, INDICES + 128);
  node_peek(s->n, mine, RING + 64 * (index & ((1 << LOG2_SIZE) - 1)), c, sizeof c);
  expect(s, "code of a task", le_get(c + 8, 8), TASK_CODE + l);
  expect(s, "log of a task", le_get(c + 16, 8), l);
  expect(s, "producer of a task", le_get(c + 24, 8), prod_of(l));
  expect(s, "consumer of a task", le_get(c + 32, 8), cons_of(l));
  expect(s, "doorbell of a task", node_peek64(s->n, mine, DOORBELL), index);
  node_poke64(s->n, mine, INDICES + 128, index + 1);
  one_event(s, mine, NIC_EV_TASK, TASK_QUEUE);
}

static void end_of(stage *s, unsigned l, bool outstanding) {
  unsigned told = NET_LOGS;
  node_write(s->n, NIC_REG_XT_TASK_DONE, l);
  expect(s, "ends of a task", ends(s, AWHILE, &told), outstanding);
  if (outstanding) expect(s, "the log whose task has ended", told, l);
  settle(s);
  one_event(s, outstanding ? owner(s, l) : processes(s), NIC_EV_TASK_DONE, l);
}

// Until a log's task is there with its event; memory may be slow.
static void arrives(stage *s, unsigned l) {
  for (unsigned k = 0; k < ENOUGH && !waiting(s, owner(s, l)) && !s->w->failed; k++) net_cycle(s->w);
  run_for(s, 2 * AWHILE);
  one_task(s, l);
}

// One that is off keeps its notice until it is on; another goes on.
static void off_and_on(stage *s, unsigned l) {
  uint64_t is = node_read(s->n, NIC_REG_XT_LOG + 8 * l);
  unsigned other = (l + 1) % logs(s);
  node_write(s->n, NIC_REG_XT_LOG + 8 * l, is & ~NIC_XT_LOG_EN_MASK);
  node_settle(s->n);
  tell(s, l);
  run_for(s, 2 * AWHILE);
  for (unsigned p = 0; p < processes(s); p++) expect(s, "tasks of a log that is off", waiting(s, p), 0);
  if (other != l) {
    tell(s, other);
    arrives(s, other);
  }
  node_write(s->n, NIC_REG_XT_LOG + 8 * l, is);
  arrives(s, l);
  end_of(s, l, true);
  if (other != l) end_of(s, other, true);
}

void tasks_of_logs(stage *s) {
  on(s);
  for (unsigned l = 0; l < logs(s) && !s->w->failed; l++) {
    end_of(s, l, false);
    notice(s, l);
    one_task(s, l);
  }
  for (unsigned l = logs(s); l-- && !s->w->failed;) {  // all are outstanding
    end_of(s, l, true);
    end_of(s, l, false);
    notice(s, l);
    one_task(s, l);
    end_of(s, l, true);
  }
  for (unsigned l = 0; l < logs(s) && !s->w->failed; l += logs(s) > 8 ? SOME : 1) off_and_on(s, l);
}

// An MSI is written as its process, where that has said, with its data, once for each time that the ring is armed.
void msi_of_events(stage *s) {
  on(s);
  for (unsigned p = 0; p < processes(s); p++) {
    uint32_t at = p * NIC_REG_EQ_BASE_STRIDE;
    node_write(s->n, NIC_REG_EQ_MSIA + at, sw_va(p, SPOT + 16 * p));
    node_write(s->n, NIC_REG_EQ_MSID + at, MARK + p);
    node_write(s->n, NIC_REG_EQ_CONS + at, 0);
  }
  node_settle(s->n);
  for (unsigned k = 0; k < 2 * logs(s) && !s->w->failed; k++) {
    unsigned l = k % logs(s);
    notice(s, l);
    for (unsigned p = 0; p < processes(s); p++) {
      uint64_t at = sw_va(p, SPOT + 16 * p);
      expect(s, "MSI of a process", node_peek64(s->n, p, at), p == owner(s, l) ? MARK + p : 0);
      node_poke64(s->n, p, at, 0);
    }
    one_task(s, l);  // its event is consumed: armed again
    node_write(s->n, NIC_REG_XT_TASK_DONE, l);
    settle(s);
    expect(s, "MSI of a task's end", node_peek64(s->n, owner(s, l), sw_va(owner(s, l), SPOT + 16 * owner(s, l))),
           MARK + owner(s, l));
    node_poke64(s->n, owner(s, l), sw_va(owner(s, l), SPOT + 16 * owner(s, l)), 0);
    one_event(s, owner(s, l), NIC_EV_TASK_DONE, l);
  }
  for (unsigned p = 0; p < processes(s); p++) node_write(s->n, NIC_REG_EQ_MSIA + p * NIC_REG_EQ_BASE_STRIDE, 0);
  settle(s);
}
