// SPDX-License-Identifier: Apache-2.0
// Programs that sleep in poll() and make no calls while they do: with progress = TOC_PROGRESS_THREAD,
// or TOCSIN_PROGRESS, everything comes by itself. No poll here has a time-out: if nobody makes progress
// the test does not end.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "scene.h"
#include "tocsin/agent.h"

static const toc_options by_thread = {.progress = TOC_PROGRESS_THREAD};

static void sleep_on(int fd) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  EQ(poll(&p, 1, -1), 1);
}

static bool is_readable(int fd) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  return poll(&p, 1, 0) == 1;
}

static void count(void *arg, const toc_access *a) {
  unsigned *n = arg;
  *n += a->bytes == 8;
}

static bool log_open(scene *s, toc_log **log, unsigned *n) {
  OK(toc_log_open(s->b, &(toc_log_options){.notify = TOC_NOTIFY_INTERRUPT, .age_us = 2}, log));
  OK(toc_associate(s->b, s->far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = *log, .handler = count, .arg = n}));
  return *log && toc_log_fd(*log) >= 0;
}

// Records: poll, read the descriptor, run the handlers.
static void records(const toc_options *o) {
  scene s;
  toc_log *log = NULL;
  unsigned seen = 0, sent = 0;
  uint64_t times;
  if (!scene_open(&s, o) || !log_open(&s, &log, &seen)) return;
  for (unsigned turn = 1; turn <= scene_few(40) && !failed; turn++) {
    for (unsigned i = 0; i < turn % 5 + 1; i++, sent++) OK(toc_put(s.ab, s.near, s.there, 8, NULL));
    while (seen < sent && !failed) {
      sleep_on(toc_log_fd(log));
      EQ(read(toc_log_fd(log), &times, sizeof times), sizeof times);
      OK(toc_log_run(log, 0));
    }
  }
  EQ(seen, sent);
  scene_close(&s);
}

// Events, also of faults, which are told by another register and another interrupt.
static void events(void) {
  scene s;
  toc_event e;
  if (!scene_open(&s, &by_thread)) return;
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_WATCH}));
  for (unsigned i = 0; i < scene_few(16) && !failed; i++) {
    toc_event_kind want = i % 2 ? TOC_EVENT_IMM : TOC_EVENT_FAULT;
    OK(i % 2 ? toc_put_imm(s.ab, NULL, s.there, 0, i, NULL) : toc_put(s.ab, s.near, s.there, 8, NULL));
    for (bool got = false; !got && !failed;) {
      sleep_on(toc_event_fd(s.b));
      toc_status st;
      while ((st = toc_event_next(s.b, &e, 1)) == TOC_OK) {
        EQ(e.kind, want);
        got = true;
      }
      IS(st, TOC_E_TIMEOUT);
    }
  }
  scene_close(&s);
}

// What is automatic needs no call at all.
static void wake(void *arg, const toc_access *a) {
  (void)a;
  sem_post(arg);
}

static void wake_by_kernel(void *arg, const toc_call *c) {
  (void)c;
  sem_post(arg);
}

static void automatic(void) {
  scene s;
  sem_t woken;
  toc_log *log;
  xtq_queue *queue;
  toc_agent *agent;
  if (!scene_open(&s, &by_thread)) return;
  EQ(sem_init(&woken, 0, 0), 0);
  OK(toc_log_open(s.b, &(toc_log_options){.automatic = true}, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log, .handler = wake, .arg = &woken}));
  OK(xtq_queue_open(s.b, &(xtq_queue_options){.multi = true}, &queue));
  OK(toc_agent_open(queue, true, &agent));
  aql_agent packet = {.header = AQL_HEADER(AQL_AGENT_DISPATCH),
                      .return_address = toc_agent_code(agent, wake_by_kernel, &woken)};
  for (unsigned i = 0; i < scene_few(16); i++) {
    OK(toc_put(s.ab, s.near, s.there, 8, NULL));
    while (sem_wait(&woken)) {
    }
    OK(xtq_enqueue(queue, &packet));  // writes no register
    while (sem_wait(&woken)) {
    }
  }
  scene_close(&s);
  sem_destroy(&woken);
}

// A handler that does not end keeps the descriptors of others from nothing.
static void hold(void *arg, const toc_access *a) {
  (void)a;
  while (sem_wait(arg)) {
  }
}

static void beside_a_handler(void) {
  scene s;
  sem_t go;
  toc_log *log, *held;
  unsigned seen = 0;
  if (!scene_open(&s, &by_thread) || !log_open(&s, &log, &seen)) return;
  EQ(sem_init(&go, 0, 0), 0);
  OK(toc_log_open(s.b, &(toc_log_options){.automatic = true}, &held));
  OK(toc_associate(s.b, s.far + 4096, 4096,
                   &(toc_rule){.put = TOC_REDIRECT, .log = held, .handler = hold, .arg = &go}));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 4096), 8, NULL));
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  sleep_on(toc_log_fd(log));
  OK(toc_log_run(log, 0));
  EQ(seen, 1);
  sem_post(&go);
  scene_close(&s);
  sem_destroy(&go);
}

// Without the thread, as the headers say: nothing comes of itself, toc_progress makes it come.
static void by_calls(void) {
  scene s;
  toc_log *log = NULL;
  unsigned seen = 0;
  if (!scene_open(&s, &(toc_options){.progress = TOC_PROGRESS_CALLS}) || !log_open(&s, &log, &seen)) return;
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  usleep(1000);
  CHECK(!is_readable(toc_log_fd(log)));
  while (!is_readable(toc_log_fd(log))) toc_progress(s.f);
  OK(toc_log_run(log, 0));
  EQ(seen, 1);
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_WATCH}));
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  while (!is_readable(toc_event_fd(s.b))) toc_progress(s.f);
  toc_event e;
  OK(toc_event_next(s.b, &e, 1));
  EQ(e.kind, TOC_EVENT_FAULT);
  scene_close(&s);
}

static void environment(void) {
  toc_fabric *f;
  EQ(setenv("TOCSIN_PROGRESS", "thread", 1), 0);
  records(NULL);
  by_calls();  // the program's word counts more
  EQ(setenv("TOCSIN_PROGRESS", "threads", 1), 0);
  IS(toc_open(&(toc_options){.backend = backend}, &f), TOC_E_ARG);
  CHECK(strstr(toc_why(), "TOCSIN_PROGRESS is 'threads'"));
  EQ(setenv("TOCSIN_PROGRESS", "calls", 1), 0);
  by_calls();
  EQ(unsetenv("TOCSIN_PROGRESS"), 0);
  IS(toc_open(&(toc_options){.backend = backend, .progress = (toc_progress_by)7}, &f), TOC_E_ARG);
}

// The thread sleeps when nothing happens, and its time with it; and wakes.
static void idle(void) {
  scene s;
  toc_log *log = NULL;
  unsigned seen = 0;
  uint64_t then = 0, now;
  if (!scene_open(&s, &by_thread) || !log_open(&s, &log, &seen)) return;
  while ((now = toc_now(s.f)) != then) {
    then = now;
    usleep(1000);
  }
  OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  sleep_on(toc_log_fd(log));
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  records(&by_thread);
  if (!slow) records(&(toc_options){.progress = TOC_PROGRESS_THREAD, .drop = 30, .swap = 30, .twice = 30});
  events();
  automatic();
  beside_a_handler();
  by_calls();
  environment();
  if (!slow) idle();
  return report();
}
