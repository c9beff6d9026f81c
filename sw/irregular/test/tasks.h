// SPDX-License-Identifier: Apache-2.0
/* What the tests of tasks share: checks, and a program that must die with certain words. */
#ifndef TOCSIN_IRREGULAR_TEST_TASKS_H
#define TOCSIN_IRREGULAR_TEST_TASKS_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fiber.h"
#include "status.h"
#include "tocsin/irregular/task.h"

#if IRR_VALGRIND
#define IRR_ON_VALGRIND (RUNNING_ON_VALGRIND != 0)
#else
#define IRR_ON_VALGRIND false
#endif

/* Tasks alone have no names of statuses. */
static inline const char *status_number(toc_status s) {
  static char text[2][12];
  static unsigned which;
  which ^= 1;
  (void)snprintf(text[which], sizeof text[which], "%d", (int)s);
  return text[which];
}
#define IS(x, want) STATUS_IS(toc_status, x, #x, want, status_number, irr_why())
#define OK(x) STATUS_IS(toc_status, x, #x, TOC_OK, status_number, irr_why())

#define ARGS(...) (&(irr_args){{__VA_ARGS__}})
#define P(x) \
  { .p = (x) }
#define U(x) \
  { .u = (x) }

/* A scheduler with one task, which is run to the end. */
static inline toc_status run_one(const irr_options *o, irr_task_fn *fn, void *p) {
  irr_sched *s;
  OK(irr_open(o, &s));
  OK(irr_spawn(s, fn, ARGS(P(p)), NULL));
  toc_status status = irr_run(s);
  irr_close(s);
  return status;
}

/* The task must end a process of its own by this signal, and say these words on the error output. Where a tool takes
 * the signal as its own affair, the words are enough. */
static inline void dies(const irr_options *o, irr_task_fn *fn, int by, const char *words) {
  int ends[2], status = 0;
  char said[4096] = "";
  size_t n = 0;
  CHECK(pipe(ends) == 0);
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    (void)!run_one(o, fn, NULL);
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t k; n < sizeof said - 1 && (k = read(ends[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)k;
  close(ends[0]);
  CHECK(waitpid(child, &status, 0) == child);
  bool as_wanted = WIFSIGNALED(status) && WTERMSIG(status) == by;
  if (IRR_ASAN || IRR_TSAN) as_wanted = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (as_wanted && strstr(said, words)) {
    passed++;
  } else {
    failed++;
    printf("want signal %d and \"%s\", got status %d and: %s\n", by, words, status, said);
  }
}

#endif
