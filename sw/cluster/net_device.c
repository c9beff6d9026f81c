// SPDX-License-Identifier: Apache-2.0
// Ports and engines: what a node's device does with the frames that come, and what it tells processes.
#include <math.h>
#include <simgrid/actor.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

void net_rouse(net_proc *p) {
  if (!p->asleep) return;
  p->asleep = false;
  sg_cond_notify_all(p->wake);
}

// What comes is told in order: logs publish records in the order in which they were reserved.
static void tell(net_proc *p, double when, net_note kind, uint32_t end) {
  if (p->next - p->first == p->news_size) {
    net_news *more = net_must(calloc(2 * p->news_size, sizeof *more));
    for (unsigned i = p->first; i != p->next; i++) more[i % (2 * p->news_size)] = p->news[i % p->news_size];
    free(p->news);
    p->news = more;
    p->news_size *= 2;
  }
  const net_news *last = &p->news[(p->next - 1) % p->news_size];
  if (p->first != p->next && last->when > when) when = last->when;
  p->news[p->next++ % p->news_size] = (net_news){when, kind, end};
  net_rouse(p);
}

void net_read(net *n, net_proc *p) {
  net_engine *e = &n->engine[p->node];
  if (e->full) sg_cond_notify_all(e->wake);
}

void net_log_done(net *n, net_proc *p) {
  double now = net_now();
  if (node_log_done(n->node[p->node], p->who, p->read)) tell(p, now, NET_INTR, 0);
  net_read(n, p);
}

static void sleep_until(net_engine *e, double when) {
  sg_mutex_lock(e->mutex);
  if (isinf(when))
    sg_cond_wait(e->wake, e->mutex);
  else
    sg_cond_wait_for(e->wake, e->mutex, (when - net_now()) * 1e-9);
  sg_mutex_unlock(e->mutex);
}

// Kernels go on meanwhile, and may be what makes room.
static void wait_room(net *n, unsigned here) {
  net_engine *e = &n->engine[here];
  double due = net_accel_due(n, here);
  e->full = true;
  if (due > net_now()) sleep_until(e, due);
  e->full = false;
  net_accel_run(n, here);
}

static bool before(const net_job *a, const net_job *b) {
  return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void job_add(net_engine *e, double when, bool leaves, const net_frame *f) {
  if (e->jobs == e->size) {
    e->size = e->size ? 2 * e->size : 64;
    e->job = net_must(realloc(e->job, e->size * sizeof *e->job));
  }
  net_job j = {when, e->order++, leaves, *f};
  size_t i = e->jobs++;
  for (; i && before(&j, &e->job[(i - 1) / 2]); i = (i - 1) / 2) e->job[i] = e->job[(i - 1) / 2];
  e->job[i] = j;
  if (e->asleep && !i) sg_cond_notify_all(e->wake);
}

static net_job job_take(net_engine *e) {
  net_job first = e->job[0], last = e->job[--e->jobs];
  size_t i = 0, k;
  for (; (k = 2 * i + 1) < e->jobs; i = k) {
    if (k + 1 < e->jobs && before(&e->job[k + 1], &e->job[k])) k++;
    if (!before(&e->job[k], &last)) break;
    e->job[i] = e->job[k];
  }
  e->job[i] = last;
  return first;
}

static void acknowledge(net *n, const net_frame *f, double when) {
  net_proc *p = &n->proc[f->from];
  if (f->slot >= NET_WINDOW) return;
  p->slot[f->slot].ready = when + n->latency[n->proc[f->to].node * n->nodes + p->node];
  net_rouse(p);
}

static const void *payload(const net_frame *f) { return f->data ? (const void *)f->data : f->v; }

static void take_put(net *n, unsigned here, net_frame *f) {
  net_proc *p = &n->proc[f->to];
  node *d = n->node[here];
  node_did did = {0};
  uint32_t end = node_log_end(d, p->who);
  node_put(d, p->who, f->at, payload(f), f->bytes, &did);
  while (node_stalled(d)) wait_room(n, here);
  double when = node_when(d, p->who, net_now(), net_bytes(f->kind, f->bytes), f->kind == NET_MESSAGE, &did);
  if (node_log_end(d, p->who) != end) tell(p, when, NET_LOG, node_log_end(d, p->who));
  if (did.intrs) tell(p, when, NET_INTR, 0);
  net_accel_ask(n, p);
  acknowledge(n, f, when);
}

static void take_message(net *n, unsigned here, net_frame *f) {
  net_proc *p = &n->proc[f->to];
  node *d = n->node[here];
  node_did did = {0};
  uint64_t event[4] = {f->from, p->sent, f->bytes, f->data ? f->v[0] : 1};
  while (p->sent - p->got == (p->post_many ? p->post_many : NET_QUEUE)) wait_room(n, here);
  uint64_t own = p->post_at + (uint64_t)(p->post_many ? p->sent % p->post_many : p->sent) * p->post_each;
  unsigned at = p->sent++ % NET_QUEUE;
  if (f->data)
    node_put(d, p->who, own, f->data, f->bytes - NET_IMMEDIATE, &did);
  else
    node_put(d, p->who, node_at(p->who, NODE_BUFFERS) + at * NET_BUFFER, f->v, f->bytes, &did);
  node_put(d, p->who, node_at(p->who, NODE_EVENTS) + at * NET_EVENT, event, NET_EVENT, &did);
  double when = node_when(d, p->who, net_now(), net_bytes(f->kind, f->bytes), f->kind == NET_MESSAGE, &did);
  tell(p, when, NET_MSG, at);
  if (n->interrupts && p->sent % NET_BATCH == 0) tell(p, when, NET_INTR, 0);
  acknowledge(n, f, when);
}

static void take_atomic(net *n, unsigned here, net_frame *f) {
  net_proc *p = &n->proc[f->to];
  node *d = n->node[here];
  node_did did = {0};
  uint64_t old = node_atomic(d, p->who, f->at, f->op, f->v[0], f->v[1], &did);
  double when = node_when(d, p->who, net_now(), net_bytes(f->kind, f->bytes), f->kind == NET_MESSAGE, &did);
  net_frame answer = {.kind = NET_ANSWER, .from = f->to, .to = f->from, .slot = f->slot, .v = {old, 0}, .bytes = 8};
  job_add(&n->engine[here], when, true, &answer);
}

// The answer does not wait for the log: the record follows it.
static void take_get(net *n, unsigned here, net_frame *f) {
  net_proc *p = &n->proc[f->to];
  node *d = n->node[here];
  node_did did = {0};
  net_frame answer = {
      .kind = NET_ANSWER, .from = f->to, .to = f->from, .slot = f->slot, .bytes = f->bytes, .into = f->into};
  uint8_t *data = f->into ? net_must(malloc(f->bytes)) : NULL;
  uint32_t end = node_log_end(d, p->who);
  while (node_log_full(d, p->who, f->bytes)) wait_room(n, here);
  node_get(d, p->who, f->at, data ? (void *)data : answer.v, f->bytes, &did);
  answer.data = data;
  node_did log = {.records = did.records, .pointers = did.pointers, .logged = did.logged};
  did.records = did.pointers = did.logged = 0;
  double when = node_when(d, p->who, net_now(), net_bytes(f->kind, f->bytes), false, &did);
  if (node_log_end(d, p->who) != end) tell(p, node_logged(d, p->who, when, &log), NET_LOG, node_log_end(d, p->who));
  job_add(&n->engine[here], when, true, &answer);
}

static void take_answer(net *n, unsigned here, net_frame *f) {
  net_proc *p = &n->proc[f->to];
  node *d = n->node[here];
  node_did did = {0};
  if (f->into) {
    node_put(d, p->who, f->into, f->data, f->bytes, &did);
    free((void *)(uintptr_t)f->data);
  } else {
    node_put(d, p->who, node_at(p->who, NODE_BUFFERS) + (NET_QUEUE + f->slot) * NET_BUFFER, f->v, 8, &did);
    memcpy(&p->slot[f->slot].value, p->buffers + (NET_QUEUE + f->slot) * NET_BUFFER, 8);
  }
  p->slot[f->slot].ready = node_when(d, p->who, net_now(), net_bytes(f->kind, f->bytes), f->kind == NET_MESSAGE, &did);
  net_rouse(p);
}

static void take(net *n, unsigned here, net_job *j) {
  if (j->leaves) {
    net_send_frame(n, n->node[here], &j->f);
    return;
  }
  switch (j->f.kind) {
    case NET_PUT: take_put(n, here, &j->f); break;
    case NET_MESSAGE: take_message(n, here, &j->f); break;
    case NET_ATOMIC: take_atomic(n, here, &j->f); break;
    case NET_GET: take_get(n, here, &j->f); break;
    case NET_ANSWER: take_answer(n, here, &j->f); break;
    case NET_STOP: n->engine[here].stop = true; break;
  }
}

static void run_engine(net *n, unsigned here) {
  net_engine *e = &n->engine[here];
  while (!e->stop) {
    double now = net_now();
    double kernel = net_accel_due(n, here), due = e->jobs ? e->job[0].when : INFINITY;
    if (due <= now && due <= kernel) {
      net_job j = job_take(e);
      take(n, here, &j);
    } else if (kernel <= now) {
      net_accel_run(n, here);
    } else {
      e->asleep = true;
      sleep_until(e, fmin(due, kernel));
      e->asleep = false;
    }
  }
  n->broken |= node_refused(n->node[here]);
}

void net_device(net *n, unsigned rank) {
  unsigned here = (rank - n->procs) / 2;
  net_frame f = {.kind = NET_PUT};
  if ((rank - n->procs) % 2) {
    run_engine(n, here);
    return;
  }
  while (f.kind != NET_STOP) {
    MPI_Recv(&f, (int)sizeof f, MPI_BYTE, MPI_ANY_SOURCE, NET_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    job_add(&n->engine[here], net_now() + f.late, false, &f);
  }
}
