// SPDX-License-Identifier: Apache-2.0
// A node's accelerator, for logs whose records are a task's: the IOMMU says that a log has some (NoteTask), the NIC
// enqueues a packet and rings the doorbell, the command processor reads packets one after the other, and a kernel has a
// lane for each record. Kernels of several logs run side by side and share the memory's rate. At its end a kernel gives
// the records back and says that the task is done: two registers. Not before that may the log have another one, for
// what has come meanwhile.
//
// It has no rank of its own: the node's engine calls it.
#include <math.h>

#include "net.h"

// Records are the next task's if they are published by now, or else the first that will be.
void net_accel_ask(net *n, net_proc *p) {
  net_task *t = &n->accel[p->node].task[p->who];
  if (!n->kernel) return;
  t->asked |= node_task(n->node[p->node], p->who);
  if (!t->asked || t->stage || p->first == p->next) return;
  *t = (net_task){.stage = NET_RUNG, .when = net_now()};
  do {
    const net_news *e = &p->news[p->first++ % p->news_size];
    t->end = e->end;
    t->when = fmax(t->when, e->when);
  } while (p->first != p->next && p->news[p->first % p->news_size].when <= net_now());
  t->when += n->c->take;
}

static net_task *next_of(const net *n, unsigned node) {
  net_task *next = NULL;
  for (unsigned i = 0; n->kernel && i < NODE_PROCS; i++) {
    net_task *t = &n->accel[node].task[i];
    if (t->stage && (!next || t->when < next->when)) next = t;
  }
  return next;
}

double net_accel_due(const net *n, unsigned node) {
  const net_task *t = next_of(n, node);
  return t ? t->when : INFINITY;
}

// A lane reads its record, then what it needs; lanes do so at once.
static double run(net_accel *a, const cost *c, double now, const net_work *w) {
  a->memory = fmax(a->memory, now) + c->gpuline * w->lines;
  return fmax(a->memory, now + c->mem * (1 + w->chain)) + 2 * c->doorbell;
}

static void go_on(net *n, net_accel *a, net_proc *p, net_task *t) {
  switch (t->stage) {
    case NET_RUNG:
      a->packets = t->when = fmax(a->packets, t->when) + n->c->packet;
      t->stage = NET_READ;
      break;
    case NET_READ: {
      net_work w = n->kernel(n, p, t->end);
      t->when = run(a, n->c, t->when, &w);
      t->records = w.records;
      t->stage = NET_RUN;
      break;
    }
    case NET_RUN:
      t->stage = NET_NO_TASK;
      a->tasks++;
      p->read = t->end;
      p->kernels += t->records;
      net_log_done(n, p);
      node_task_done(n->node[p->node], p->who);
      net_accel_ask(n, p);
      net_rouse(p);
      break;
    case NET_NO_TASK: break;
  }
}

void net_accel_run(net *n, unsigned node) {
  for (net_task *t; (t = next_of(n, node)) && t->when <= net_now();)
    go_on(n, &n->accel[node], &n->proc[node * NODE_PROCS + (unsigned)(t - n->accel[node].task)], t);
}
