// SPDX-License-Identifier: Apache-2.0
// A process plays its steps: by its processor (CPU), by its accelerator after its processor has seen the message (HSA),
// or by tasks that come with the messages (XTQ). All three send what they can as soon as they can, by writes with
// immediate but for tasks.
#include <stdlib.h>
#include <string.h>

#include "xrun.h"

#define X_READY 0xffffffffu

struct x_player {
  const xrun *r;
  x_net *n;
  x_proc *p;
  unsigned steps, front;  // front: steps at the beginning of which nothing is missing
  x_step *step;
  unsigned *sent, *came, *got;  // chunks of each; came: to be added
  bool ready[X_QPS];            // the peer has said that it takes XtqPuts
  int64_t signal[X_QPS];        // as it was seen
  double work;                  // of the application's own, that is left
  uint64_t adds;
};

void x_connect_all(const xrun *r, x_net *n) {
  x_step *s = x_must(calloc(X_STEPS, sizeof *s));
  for (unsigned me = 0; me < n->procs; me++) {
    const unsigned steps = x_schedule(r, me, s);
    for (unsigned k = 0; k < steps; k++)
      if (s[k].to >= 0 && x_link(&n->proc[me], s[k].to) == X_QPS) x_connect(n, me, (unsigned)s[k].to);
  }
  free(s);
}

x_player *x_player_new(const xrun *r, x_net *n, unsigned me) {
  x_player *p = x_must(calloc(1, sizeof *p));
  *p = (x_player){.r = r, .n = n, .p = &n->proc[me]};
  p->step = x_must(calloc(X_STEPS, sizeof *p->step));
  p->steps = x_schedule(r, me, p->step);
  x_stage(r, p->step, p->steps);
  p->step = x_must(realloc(p->step, p->steps * sizeof *p->step));
  p->sent = x_must(calloc(p->steps, sizeof *p->sent));
  p->got = x_must(calloc(p->steps, sizeof *p->got));
  p->came = x_must(calloc(p->steps, sizeof *p->came));
  return p;
}

// ---- what comes -----------------------------------------------------------------------------------------------------

static unsigned of_sent(const x_player *p, unsigned k) {
  return p->step[k].to < 0 ? 0 : x_chunks(p->r, p->step[k].send_bytes);
}
static unsigned of_got(const x_player *p, unsigned k) {
  return p->step[k].from < 0 ? 0 : x_chunks(p->r, p->step[k].recv_bytes);
}

static void advance(x_player *p) {
  while (p->front < p->steps && p->got[p->front] == of_got(p, p->front)) p->front++;
}

// The next chunk from a peer has been added: a queue pair keeps order, and so does the accelerator's queue.
static void added(x_player *p, unsigned qp) {
  unsigned k = 0;
  while (k < p->steps && (!p->step[k].adds || p->step[k].from != p->p->peer[qp] || p->got[k] == of_got(p, k))) k++;
  if (k == p->steps) {
    p->n->broken = true;
    return;
  }
  p->got[k]++;
  p->adds++;
  advance(p);
}

// A chunk of step k lies in the staging area.
static void message(x_player *p, unsigned k, unsigned qp) {
  uint64_t arg[2];
  x_chunk(p->r, p->step[k].recv_bytes, p->came[k]++, &arg[0], &arg[1]);
  const uint64_t payload = xnode_iova(p->p->node, X_STAGING) + p->step[k].stage_at + arg[0];
  arg[0] += p->step[k].recv_at;
  if (p->r->how == X_BY_HSA) {
    x_launch(p->n, p->p, qp, payload, arg);
    return;
  }
  p->p->at.rang = p->p->at.read = x_now();
  x_add(p->n, p->p, payload, arg, p->r->cores);
  p->p->at.ran = x_now();
  added(p, qp);
}

static bool take_event(x_player *p) {
  x_event e;
  if (!x_next_event(p->n, p->p, &e)) return false;
  if (e.imm == X_READY) {
    p->ready[e.qp] = true;
  } else if (e.imm >= p->steps) {
    p->n->broken = true;
  } else if (p->step[e.imm].adds) {
    message(p, e.imm, e.qp);
  } else {
    p->got[e.imm]++;
    advance(p);
  }
  return true;
}

// A signal is a line that the accelerator has written.
static bool take_signals(x_player *p) {
  x_proc *q = p->p;
  if (!q->signalled) return false;
  for (unsigned i = 0; i < q->qps; i++) {
    if (!(q->signalled >> i & 1)) continue;
    q->signalled &= ~(1u << i);
    x_spend(q, p->n->c->mem);
    for (const int64_t now = xnode_signal(q->node, i)->value; p->signal[i] > now; p->signal[i]--) added(p, i);
  }
  return true;
}

// ---- what goes ------------------------------------------------------------------------------------------------------

static bool may_go(const x_player *p, unsigned k) {
  if (p->front >= k) return true;
  return !p->step[k].whole && p->front == k - 1 && p->got[k - 1] > p->sent[k];
}

static bool post(x_player *p) {
  for (unsigned k = p->front ? p->front - 1 : 0; k < p->steps && k <= p->front + 1; k++) {
    const x_step *s = &p->step[k];
    uint64_t at, bytes;
    if (p->sent[k] == of_sent(p, k) || !may_go(p, k)) continue;
    const unsigned qp = x_link(p->p, s->to);
    const bool xtq = s->adds && p->r->how == X_BY_XTQ;
    if (xtq && p->r->sync && !p->ready[qp]) continue;
    x_chunk(p->r, s->send_bytes, p->sent[k]++, &at, &bytes);
    x_request q = {.op = xtq ? X_XTQ : X_WRITE_IMM, .local = s->send_at + at, .bytes = (uint32_t)bytes, .imm = k};
    q.to = s->adds ? X_STAGING : X_VECTOR;
    q.remote = (s->adds ? s->stage_at : s->send_at) + at;
    q.kernel = p->p->its[qp];
    q.arg[0] = s->send_at + at;
    q.arg[1] = bytes;
    x_post(p->n, p->p, qp, &q);
    return true;
  }
  return false;
}

// An active message may come only when its target is there: each process says so to those that it gets something from.
static void say_ready(x_player *p) {
  bool said[X_QPS] = {false};
  if (p->r->how != X_BY_XTQ || !p->r->sync) return;
  for (unsigned k = 0; k < p->steps; k++) {
    if (!p->step[k].adds || p->step[k].from < 0) continue;
    const unsigned qp = x_link(p->p, p->step[k].from);
    if (!said[qp]) x_post(p->n, p->p, qp, &(x_request){.op = X_WRITE_IMM, .to = X_VECTOR, .imm = X_READY});
    said[qp] = true;
  }
}

static bool all_sent(const x_player *p) {
  for (unsigned k = p->steps; k--;)
    if (p->sent[k] != of_sent(p, k)) return false;
  return true;
}

// ---- an operation ---------------------------------------------------------------------------------------------------

static void reset(x_player *p) {
  memset(p->sent, 0, p->steps * sizeof *p->sent);
  memset(p->got, 0, p->steps * sizeof *p->got);
  memset(p->came, 0, p->steps * sizeof *p->came);
  memset(p->ready, 0, sizeof p->ready);
  p->front = 0;
  p->work = p->r->compute;
  p->p->at = (x_stamps){0};
  advance(p);
}

// The application works a slice whenever there is nothing to do for the operation, and then looks again.
static void progress(x_player *p) {
  if (take_event(p) || take_signals(p) || post(p)) return;
  if (p->work > 0) {
    const double busy = p->p->busy, slice = p->work < p->r->slice ? p->work : p->r->slice;
    x_spend(p->p, slice + p->n->c->step);
    p->p->busy = busy + p->n->c->step;
    p->work -= slice;
  } else {
    x_wait(p->p);
  }
}

static void add_phases(x_player *p, x_phase *f, double begin) {
  const x_stamps *at = &p->p->at;
  const double left = p->n->proc[1].at.left;
  f->post += left - begin;
  f->wire += at->came - left;
  f->store += at->stored - at->came;
  f->handle += at->rang - at->stored;
  f->read += at->read - at->rang;
  f->kernel += at->ran - at->read;
  f->seen += x_now() - at->ran;
}

void x_player_round(x_player *p, x_share *s, bool counts) {
  const double begin = x_now(), busy = p->p->busy;
  reset(p);
  say_ready(p);
  while (p->front < p->steps || p->work > 0 || !all_sent(p)) progress(p);
  if (counts) s->busy += p->p->busy - busy;
  if (counts && !p->p->id && p->n->procs == 2) add_phases(p, &s->phase, begin);
  s->adds = p->adds;
}
