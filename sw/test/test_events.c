// SPDX-License-Identifier: Apache-2.0
// Events of a process: one that the device had no place for is told of by name, once; who waits for the next one is
// woken by a thread, by a signal's handler, and in poll().
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "internal.h"
#include "scene.h"
#include "tocsin/nic_regs.h"

// ---- events that were lost
/* The device goes on while nobody takes events, as hardware does beside a program that computes. */
static void runs_alone(toc_fabric *h_f, uint64_t ns) {
  toc_i_fabric *f = toc_i_object(TOC_I_fabric, h_f, __func__, "f");
  toc_i_lock(f);
  for (uint64_t until = f->be->now(f->self) + ns; f->be->now(f->self) < until;) (void)f->be->progress(f->self);
  toc_i_unlock(f);
}

static bool is_lost(const scene *s) {
  uint64_t sts;
  OK(toc_reg_read(toc_node_at(s->f, 1), NREG_AT(EQ_STS, toc_proc_index(s->b)), 8, &sts));
  return sts & NIC_EQ_STS_LOST_MASK;
}

/* A message that finds no buffer is refused again and again, until the ring of events is full. */
static void ring_was_full(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_send(s.ab, s.near, 64, &r));
  for (unsigned i = 0; i < 100 && !is_lost(&s); i++) runs_alone(s.f, 1000000);
  EQ(is_lost(&s), 1);
  IS(toc_event_next(s.b, &e, 0), TOC_E_LOST);
  CHECK(strstr(toc_why(), "events"));
  EQ(e.kind, TOC_EVENT_NONE);
  EQ(is_lost(&s), 0);
  OK(toc_recv_post(s.b, s.far, 4096, 4096, NULL));
  OK(toc_wait(r, 0));
  for (e.kind = TOC_EVENT_NONE; e.kind != TOC_EVENT_RECV && !failed;) OK(toc_event_next(s.b, &e, 0));
  while (toc_event_next(s.b, &e, 5) == TOC_OK) EQ(e.kind, TOC_EVENT_BUFFER);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);  // once
  IS(toc_event_next(s.a, &e, 5), TOC_E_TIMEOUT);  // and its own process alone
  scene_close(&s);
}

/* Nothing came that could be taken: who waits is told all the same. */
static void nothing_but_lost(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_reg_write(toc_node_at(s.f, 1), NREG_AT(EQ_CTL, toc_proc_index(s.b)), 8, 0));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 8, &r));  // behind the end
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  IS(toc_event_next(s.b, &e, 0), TOC_E_LOST);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  scene_close(&s);
}

/* What one process lost is not told to the next. */
static void of_the_process_before(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_reg_write(toc_node_at(s.f, 1), NREG_AT(EQ_CTL, toc_proc_index(s.b)), 8, 0));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 8, &r));
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  EQ(is_lost(&s), 1);
  const unsigned index = toc_proc_index(s.b);
  toc_proc_close(s.b);
  OK(toc_proc_open(toc_node_at(s.f, 1), &s.b));
  EQ(toc_proc_index(s.b), index);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  scene_close(&s);
}

// ---- waking
typedef struct waiter {
  toc_proc *p;
  toc_status bad;
  unsigned wakes, others;
} waiter;

static void *waits(void *arg) {
  waiter *w = arg;
  toc_event e;
  while (w->wakes < 3 && (w->bad = toc_event_next(w->p, &e, TOC_FOREVER)) == TOC_OK) {
    const bool is = e.kind == TOC_EVENT_WAKE && !e.qp && !e.value && !e.ptr;
    ++*(is ? &w->wakes : &w->others);
  }
  return NULL;
}

/* Nothing else ends a wait for ever. It has taken the wake before the next one is made: two at once are one. */
static void by_a_thread(toc_progress_by by) {
  scene s;
  pthread_t other;
  if (!scene_open(&s, &(toc_options){.progress = by})) return;
  toc_i_proc *p = toc_i_object(TOC_I_proc, s.b, __func__, "b");
  waiter w = {.p = s.b};
  EQ(pthread_create(&other, NULL, waits, &w), 0);
  for (unsigned i = 0; i < 3; i++) {
    OK(toc_event_wake(s.b));
    while (__atomic_load_n(&p->woken, __ATOMIC_SEQ_CST) && !failed) (void)poll(NULL, 0, 1);
  }
  EQ(pthread_join(other, NULL), 0);
  IS(w.bad, TOC_OK);
  CHECK(w.wakes == 3 && !w.others);
  scene_close(&s);
}

static toc_proc *to_wake;
static void on_alarm(int signal) {
  (void)signal;
  (void)!toc_event_wake(to_wake);
}

static void by_a_signal(void) {
  scene s;
  toc_event e;
  struct sigaction was;
  if (!scene_open(&s, NULL)) return;
  to_wake = s.b;
  EQ(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_alarm}, &was), 0);
  errno = 4711;
  EQ(raise(SIGUSR1), 0);
  EQ(errno, 4711);
  EQ(raise(SIGUSR1), 0);  // nobody has taken the first: they are one
  OK(toc_event_next(s.b, &e, TOC_FOREVER));
  EQ(e.kind, TOC_EVENT_WAKE);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  EQ(sigaction(SIGUSR1, &was, NULL), 0);
  scene_close(&s);
}

/* It comes before what else waits, loses nothing of that, and is seen by who sleeps in poll(). */
static void beside_events(void) {
  scene s;
  toc_event e;
  if (!scene_open(&s, NULL)) return;
  struct pollfd fd = {.fd = toc_event_fd(s.b), .events = POLLIN};
  while (toc_event_next(s.b, &e, 1) == TOC_OK) continue;
  EQ(poll(&fd, 1, 0), 0);
  OK(toc_event_wake(s.b));
  EQ(poll(&fd, 1, 0), 1);
  OK(toc_event_next(s.b, &e, 1));
  EQ(e.kind, TOC_EVENT_WAKE);
  IS(toc_event_next(s.b, &e, 1), TOC_E_TIMEOUT);
  EQ(poll(&fd, 1, 0), 0);
  for (unsigned i = 0; i < 5; i++) OK(toc_put_imm(s.ab, s.near, s.there, 0, i, NULL));
  OK(toc_wait_all(s.ab, 0));
  OK(toc_event_wake(s.b));
  OK(toc_event_next(s.b, &e, 0));
  EQ(e.kind, TOC_EVENT_WAKE);
  for (unsigned i = 0; i < 5; i++) {
    OK(toc_event_next(s.b, &e, 0));
    CHECK(e.kind == TOC_EVENT_IMM && e.value == i);
  }
  IS(toc_event_wake(NULL), TOC_E_ARG);
  scene_close(&s);
  IS(toc_event_wake(s.b), TOC_E_CLOSED);
}

/* Where there are no interrupts there is no descriptor, and a wait is woken as well. */
static void without_interrupts(void) {
  scene s;
  toc_event e;
  if (!scene_open(&s, &(toc_options){.no_interrupts = true})) return;
  EQ(toc_event_fd(s.b), -1);
  OK(toc_event_wake(s.b));
  OK(toc_event_next(s.b, &e, TOC_FOREVER));
  EQ(e.kind, TOC_EVENT_WAKE);
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  ring_was_full();
  nothing_but_lost();
  of_the_process_before();
  by_a_thread(TOC_PROGRESS_CALLS);
  by_a_thread(TOC_PROGRESS_THREAD);
  by_a_signal();
  beside_events();
  without_interrupts();
  return report();
}
