// SPDX-License-Identifier: Apache-2.0
/* The crew: threads in which handlers and kernels run that are automatic. Whoever waits finds what there is to run,
 * hands it to an idle one (or a new one), and waits until that is done, as if it had run it itself: a program of one
 * thread goes on from there as it always does. But what does not end holds up nobody for longer than a tenth of the
 * patience, and then the time-outs tell. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

enum { DEEPEST = 4 };

struct toc_worker {
  toc_worker *next;
  toc_i_fabric *f;
  pthread_t thread;
  pthread_cond_t wake;
  toc_hand hand;
  bool busy;
  uint64_t jobs;  /* ended so far */
  toc_i_log *log; /* its job: one of both */
  toc_i_agent *agent;
};

// ---- the crew
static void *work(void *arg) {
  toc_worker *w = arg;
  toc_i_fabric *f = w->f;
  toc_i_hire(&w->hand);
  toc_i_lock(f);
  for (;;) {
    while (!w->busy && !f->closing) pthread_cond_wait(&w->wake, &f->lock);
    if (!w->busy) break;
    if (w->log) {
      (void)toc_i_log_batch(w->log, 0, NULL);
      toc_i_run_end(f, &w->log->run);
    } else {
      (void)toc_i_agent_batch(w->agent, 0, NULL);
      toc_i_run_end(f, toc_i_agent_runs(w->agent));
    }
    w->log = NULL;
    w->agent = NULL;
    w->busy = false;
    w->jobs++;
  }
  toc_i_unlock(f);
  return NULL;
}

static toc_worker *hire(toc_i_fabric *f) {
  sigset_t all, old;
  for (toc_worker *w = f->crew; w; w = w->next)
    if (!w->busy) return w;
  toc_worker *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->f = f;
  w->hand.of = f;
  pthread_cond_init(&w->wake, NULL);
  sigfillset(&all); /* signals are the program's */
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int bad = pthread_create(&w->thread, NULL, work, w);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (bad) {
    pthread_cond_destroy(&w->wake);
    free(w);
    return NULL;
  }
  w->next = f->crew;
  f->crew = w;
  return w;
}

void toc_i_crew_init(toc_i_fabric *f) {
  pthread_condattr_t a;
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_cond_init(&f->worked, &a);
  pthread_condattr_destroy(&a);
  f->last = pthread_self();
}

void toc_i_crew_end(toc_i_fabric *f) { /* when nothing runs any more */
  f->closing = true;
  for (toc_worker *w = f->crew; w; w = w->next) pthread_cond_signal(&w->wake);
  while (f->crew) {
    toc_worker *w = f->crew;
    f->crew = w->next;
    toc_i_unlock(f);
    pthread_join(w->thread, NULL);
    toc_i_lock(f);
    pthread_cond_destroy(&w->wake);
    free(w);
  }
}

// ---- handing over
static void wait_for(toc_i_fabric *f, const toc_worker *w, uint64_t until) {
  uint64_t jobs = w->jobs, spent = 0;
  while (w->jobs == jobs && spent < f->o.patience_ms / 10 + 1) {
    uint64_t now = f->be->now(f->self), ms = TOC_I_SLICE_MS;
    if (now >= until) return;
    if (!f->be->in_process && (until - now) / 1000000 < ms) ms = (until - now) / 1000000 + 1;
    if (!toc_i_wait_ms(f, ms) && toc_i_out_for(&w->hand))
      spent += ms; /* while it waits in the library itself it moves things on */
  }
}

static void hand_over(toc_i_fabric *f, toc_i_log *l, toc_i_agent *a, toc_run *run, uint64_t until) {
  toc_hand *me = toc_i_hand();
  toc_worker *w = l && l->own ? NULL : hire(f);
  toc_i_run_begin(run);
  if (!w) { /* the library's own, or there is no thread to be had */
    (void)(l ? toc_i_log_batch(l, 0, NULL) : toc_i_agent_batch(a, 0, NULL));
    toc_i_run_end(f, run);
    return;
  }
  w->busy = true;
  w->log = l;
  w->agent = a;
  w->hand.depth = me->depth + 1;
  w->hand.caller = me;
  run->by = &w->hand;
  pthread_cond_signal(&w->wake);
  uint64_t jobs = w->jobs;
  wait_for(f, w, until);
  if (w->jobs == jobs) w->hand.caller = NULL; /* it does not come back, for now: we go on without */
}

/* The lists may change during each of them, so that they are looked up anew. */
void toc_i_automatic(toc_i_fabric *f, uint64_t until) {
  if (toc_i_hand()->depth > DEEPEST) return; /* handlers that wait, in handlers that wait */
  for (unsigned i = 0; i < f->nodes; i++) {
    toc_i_node *n = &f->node[i];
    for (unsigned k = 0; k < n->logs_reach; k++) {
      toc_i_log *l = n->log[k];
      if (l && toc_i_log_ready(l)) hand_over(f, l, NULL, &l->run, until);
    }
    for (unsigned p = 0; p < n->procs_reach; p++)
      for (unsigned k = 0; n->proc[p]; k++) {
        toc_i_queue *q = n->proc[p]->queues;
        for (unsigned j = 0; q && j < k; j++) q = q->next;
        if (!q) break;
        if (q->agent && toc_i_agent_ready(q->agent)) hand_over(f, NULL, q->agent, toc_i_agent_runs(q->agent), until);
      }
  }
}

// ---- what does not end
void toc_i_stuck(toc_i_fabric *f, char *text, size_t n) {
  uint64_t now = toc_i_clock_ms(), since = UINT64_MAX;
  text[0] = 0;
  for (unsigned i = 0; i < f->nodes; i++) {
    const toc_i_node *node = &f->node[i];
    for (unsigned k = 0; k < LOGS; k++) {
      const toc_i_log *l = node->log[k];
      if (!l || !l->run.out || l->run.since_ms >= since) continue;
      since = l->run.since_ms;
      snprintf(text, n, "; a handler of log %u of node %u has been running for %llu ms", k, i,
               (unsigned long long)(now - since));
    }
    for (unsigned p = 0; p < PROCS; p++)
      for (const toc_i_queue *q = node->proc[p] ? node->proc[p]->queues : NULL; q; q = q->next) {
        const toc_run *r = q->agent ? toc_i_agent_runs(q->agent) : NULL;
        if (!r || !r->out || r->since_ms >= since) continue;
        since = r->since_ms;
        snprintf(text, n, "; a kernel of process %u of node %u has been running for %llu ms", p, i,
                 (unsigned long long)(now - since));
      }
  }
}
