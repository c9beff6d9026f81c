// SPDX-License-Identifier: Apache-2.0
// The first words on the stack of a new context, as the assembly of switch_x86_64.S and switch_aarch64.S finds them;
// where there is no assembly for the processor, contexts of the C library in place of both.
#define _GNU_SOURCE
#include "switch.h"

#include <stdint.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(IRR_UCONTEXT)

#include <string.h>

void irr_context_start(void) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
enum { FRAME = 64, AT_FN = 40, AT_ARG = 32, AT_GO_ON = 56 };
static void control_words(char *sp) {
  uint32_t mxcsr;
  uint16_t x87;
  __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  mxcsr &= ~UINT32_C(0x3f);  // no exception has happened in it
  memcpy(sp, &mxcsr, sizeof mxcsr);
  memcpy(sp + 4, &x87, sizeof x87);
}
#else
enum { FRAME = 176, AT_FN = 64, AT_ARG = 72, AT_GO_ON = 152, AT_FPCR = 160 };
static void control_words(char *sp) {
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  memcpy(sp + AT_FPCR, &fpcr, sizeof fpcr);
}
#endif

void *irr_context_new(void *top, size_t bytes, irr_context_fn *fn, void *arg) {
  (void)bytes;
  void (*start)(void) = irr_context_start;
  char *sp = (char *)((uintptr_t)top & ~(uintptr_t)15) - FRAME;  // 16-byte aligned where irr_context_start begins
  memset(sp, 0, FRAME);
  memcpy(sp + AT_FN, &fn, sizeof fn);
  memcpy(sp + AT_ARG, &arg, sizeof arg);
  memcpy(sp + AT_GO_ON, &start, sizeof start);
  control_words(sp);
  return sp;
}

#else

#include <signal.h>
#include <string.h>
#include <ucontext.h>

// A context lies at the top of its own stack; one that is left from a thread's stack lies in the frame
// of the call that left it.
typedef struct context {
  ucontext_t u;
  irr_context_fn *fn;
  void *arg;
} context;

static void start(unsigned high, unsigned low) {
  const context *c = (const context *)(uintptr_t)((uint64_t)high << 32 | low);
  c->fn(c->arg);
}

void irr_context_switch(void **from, void *to) {
  context here;
  context *there = to;
  *from = &here;
  pthread_sigmask(SIG_SETMASK, NULL, &there->u.uc_sigmask);  // the mask is the thread's
  swapcontext(&here.u, &there->u);
}

void *irr_context_new(void *top, size_t bytes, irr_context_fn *fn, void *arg) {
  context *c = (context *)(((uintptr_t)top - sizeof *c) & ~(uintptr_t)63);
  memset(c, 0, sizeof *c);
  getcontext(&c->u);
  c->fn = fn;
  c->arg = arg;
  c->u.uc_link = NULL;
  c->u.uc_stack.ss_sp = (char *)top - bytes;
  c->u.uc_stack.ss_size = (size_t)((char *)c - ((char *)top - bytes));
  makecontext(&c->u, (void (*)(void))start, 2, (unsigned)((uint64_t)(uintptr_t)c >> 32), (unsigned)(uintptr_t)c);
  return c;
}

#endif
