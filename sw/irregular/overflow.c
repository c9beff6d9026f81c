// SPDX-License-Identifier: Apache-2.0
// A task that has used up its stack writes into the guard below it. The handler runs on a stack of its own, says what
// happened, and gives the signal to whoever had it before: by a call, since that one may mend what was wrong and let
// the instruction be done again, and this handler is needed for the next one.
#define _GNU_SOURCE
#include "scheduler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALTERNATE = 65536 };

typedef struct irr_overflow {
  stack_t before;
  struct irr_overflow *outer; /* of another scheduler that this thread runs */
  irr_sched *s;
  char stack[];
} irr_overflow;

static _Thread_local irr_overflow *here;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction before[2];  // of SIGSEGV and SIGBUS, which belong to the process and not to a scheduler
static int failed;

// Only what is allowed in a signal handler.
static char *digits(char *end, uint64_t n) {
  do *--end = (char)('0' + n % 10);
  while (n /= 10);
  return end;
}

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static bool in_guard(const irr_sched *s, const void *address) {
  uintptr_t low = (uintptr_t)s->current->fiber.low, at = (uintptr_t)address;
  return at < low && at >= low - s->stacks.guard;
}

static void caught(int signal, siginfo_t *i, void *context) {
  char text[32] = "";
  for (const irr_overflow *o = here; o; o = o->outer) {
    if (!o->s->current || !in_guard(o->s, i->si_addr)) continue;
    say("tocsin: stack overflow: a task has used more than the ");
    say(digits(text + sizeof text - 1, o->s->o.stack_bytes));
    say(" bytes of its stack; raise irr_options.stack_bytes\n");
  }
  const struct sigaction *b = &before[signal == SIGBUS];
  if ((unsigned)b->sa_flags & SA_RESETHAND)
    sigaction(signal, b, NULL);  // it wants to be called once
  else if (b->sa_flags & SA_SIGINFO)
    b->sa_sigaction(signal, i, context);
  else if (b->sa_handler != SIG_DFL && b->sa_handler != SIG_IGN)
    b->sa_handler(signal);
  else if (i->si_code > 0)
    sigaction(signal, b, NULL);  // the instruction fails once more
  else if (b->sa_handler == SIG_DFL && !sigaction(signal, b, NULL))
    (void)raise(signal);  // a process has sent it: it comes when this handler ends
}

static void install(void) {
  struct sigaction a = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&a.sa_mask);
  if (sigaction(SIGSEGV, &a, &before[0]) || sigaction(SIGBUS, &a, &before[1])) failed = errno;
}

toc_status irr_name_overflows(irr_sched *s) {
  if (s->overflow) return TOC_OK;
  irr_overflow *o = malloc(sizeof *o + ALTERNATE);
  if (!o) return irr_fails(TOC_E_NOMEM, "irr_name_overflows: no memory");
  *o = (irr_overflow){.outer = here, .s = s};
  pthread_once(&once, install);
  if (failed || sigaltstack(&(stack_t){.ss_sp = o->stack, .ss_size = ALTERNATE}, &o->before)) {
    free(o);
    return irr_fails(TOC_E_IO, "irr_name_overflows: %s", strerror(failed ? failed : errno));
  }
  s->overflow = here = o;
  return TOC_OK;
}

void irr_overflow_close(irr_sched *s) {
  irr_overflow *o = s->overflow;
  if (!o) return;
  irr_overflow **at = &here, *inner = NULL;
  for (; *at && *at != o; at = &inner->outer) inner = *at;
  *at = o->outer;
  if (inner)
    inner->before = o->before;  // its stack is the one in use, and goes back to that
  else
    sigaltstack(&o->before, NULL);
  free(o);
}
