// SPDX-License-Identifier: Apache-2.0
#include "xjobs.h"

#include <stdlib.h>

// ---- a heap ---------------------------------------------------------------------------------------------------------

static bool before(const x_job *a, const x_job *b) {
  return a->when != b->when ? a->when < b->when : a->order < b->order;
}

void x_job_add(x_net *n, const x_job *job) {
  if (n->jobs == n->size) {
    n->size = n->size ? 2 * n->size : 1024;
    n->job = x_must(realloc(n->job, n->size * sizeof *n->job));
  }
  x_job j = *job;
  j.order = n->order++;
  size_t i = n->jobs++;
  for (; i && before(&j, &n->job[(i - 1) / 2]); i = (i - 1) / 2) n->job[i] = n->job[(i - 1) / 2];
  n->job[i] = j;
  if (n->asleep && !i) sg_cond_notify_all(n->wake);
}

static x_job job_take(x_net *n) {
  x_job first = n->job[0], last = n->job[--n->jobs];
  size_t i = 0, k;
  for (; (k = 2 * i + 1) < n->jobs; i = k) {
    if (k + 1 < n->jobs && before(&n->job[k + 1], &n->job[k])) k++;
    if (!before(&n->job[k], &last)) break;
    n->job[i] = n->job[k];
  }
  n->job[i] = last;
  return first;
}

// ---- the way out ----------------------------------------------------------------------------------------------------

// An answer that is ready, else a request, else whatever is ready first. A job for it may be one of several: the link
// may be busy, or nothing be there any more.
static void send_next(x_net *n, unsigned node, double now) {
  x_device *d = &n->proc[node].device;
  unsigned k = !d->wait[0] || (d->wait[1] && d->wait[0]->ready > now && d->wait[1]->ready < d->wait[0]->ready);
  x_frame *f = d->wait[k];
  if (!f || now < d->free) return;
  if (f->ready > now) {
    x_job_add(n, &(x_job){.when = f->ready, .kind = X_JOB_SEND, .node = node});
    return;
  }
  d->wait[k] = f->next;
  if (!f->next) d->tail[k] = &d->wait[k];
  const unsigned to = (unsigned)f->bytes[4] << 8 | f->bytes[5];
  if (to >= n->procs) {
    n->broken = true;
    return;
  }
  d->free = now + x_time_frame(n->c, f->n);
  if (!f->answer && n->proc[node].at.left <= 0) n->proc[node].at.left = now;
  x_job_add(n, &(x_job){.when = d->free + n->latency[to ? to : 1], .kind = X_JOB_ARRIVE, .node = to, .frame = f});
  x_job_add(n, &(x_job){.when = d->free, .kind = X_JOB_SEND, .node = node});
}

// Frames that a model has made: answers are ready when it has decided, requests have memory to read first.
static void go_out(x_net *n, unsigned node, x_frame *first, double decided) {
  x_device *d = &n->proc[node].device;
  for (x_frame *f = first, *next; f; f = next) {
    const unsigned k = !f->answer;
    next = f->next;
    f->next = NULL;
    f->ready = f->answer ? decided : decided + n->c->send;
    if (!d->wait[k]) x_job_add(n, &(x_job){.when = f->ready, .kind = X_JOB_SEND, .node = node});
    *d->tail[k] = f;
    d->tail[k] = &f->next;
    n->proc[node].frames++;
  }
}

// ---- what happens at a node -----------------------------------------------------------------------------------------

static void rouse(x_proc *p) {
  if (!p->asleep) return;
  p->asleep = false;
  sg_cond_notify_all(p->wake);
}

static void count(x_proc *p, const x_did *did) {
  p->accesses += did->accesses;
  p->walks += did->walks;
  p->loads += did->loads;
}

static void tell(x_net *n, unsigned node, const x_did *did, double stored) {
  if (did->events) x_job_add(n, &(x_job){.when = stored, .kind = X_JOB_TELL, .node = node, .what = did->events});
  if (did->rang) x_job_add(n, &(x_job){.when = stored, .kind = X_JOB_BELL, .node = node, .what = did->bell});
}

static void ring(x_net *n, const x_job *j) {
  x_proc *p = &n->proc[j->node];
  x_did did;
  xnode_ring(p->node, (unsigned)j->what, &did);
  count(p, &did);
  go_out(n, j->node, did.out, j->when);
}

static void arrive(x_net *n, const x_job *j) {
  x_proc *p = &n->proc[j->node];
  x_did did;
  double stored = 0;
  xnode_take(p->node, j->frame, &did);
  double decided = x_time_take(&p->device, n->c, j->when, j->frame->n, &did, &stored);
  if (!j->frame->answer) p->at.came = p->device.in, p->at.stored = stored;
  x_frame_free(j->frame);
  count(p, &did);
  go_out(n, j->node, did.out, decided);
  tell(n, j->node, &did, stored);
}

// All packets up to the one whose index the doorbell was given.
static void read_packets(x_net *n, const x_job *j) {
  x_proc *p = &n->proc[j->node];
  for (; p->packets <= j->what; p->packets++) {
    x_job run = {.kind = X_JOB_KERNEL, .node = j->node};
    run.packet = *xnode_packet(p->node, p->packets);
    p->at.rang = j->when;
    p->at.read = x_time_task(&p->device, n->c, j->when, run.packet.grid_size_x * 8ull, &run.when);
    x_job_add(n, &run);
  }
}

static void run_kernel(x_net *n, const x_job *j) {
  x_proc *p = &n->proc[j->node];
  unsigned qp = 0;
  if (!xnode_run(p->node, &j->packet, &qp) || qp >= p->qps) {
    n->broken = true;
    return;
  }
  p->at.ran = j->when;
  p->tasks++;
  p->signalled |= 1u << qp;
  rouse(p);
}

static void happen(x_net *n, const x_job *j) {
  switch (j->kind) {
    case X_JOB_RING: ring(n, j); break;
    case X_JOB_SEND: send_next(n, j->node, j->when); break;
    case X_JOB_ARRIVE: arrive(n, j); break;
    case X_JOB_BELL: read_packets(n, j); break;
    case X_JOB_KERNEL: run_kernel(n, j); break;
    case X_JOB_TELL:
      n->proc[j->node].told += (unsigned)j->what;
      rouse(&n->proc[j->node]);
      break;
  }
}

// What is still on its way when the program has ended is let happen: acknowledgements.
void x_net_devices(x_net *n) {
  while (!n->stop || n->jobs) {
    double now = x_now();
    if (n->jobs && n->job[0].when <= now) {
      x_job j = job_take(n);
      happen(n, &j);
      continue;
    }
    sg_mutex_lock(n->mutex);
    n->asleep = true;
    if (n->jobs)
      sg_cond_wait_for(n->wake, n->mutex, (n->job[0].when - now) * 1e-9);
    else
      sg_cond_wait(n->wake, n->mutex);
    n->asleep = false;
    sg_mutex_unlock(n->mutex);
  }
  for (unsigned i = 0; i < n->procs; i++) n->broken |= xnode_refused(n->proc[i].node);
}
