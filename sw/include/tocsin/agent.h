// SPDX-License-Identifier: Apache-2.0
/* An accelerator in software: takes packets from a user-mode queue, runs C functions for them, decrements signals.
 * Programs for XTQ run on it without a GPU; it does what an HSA packet processor does, barriers included,
 * one packet at a time.
 *
 *   static void add(void *runs, const toc_call *c) {
 *     *(uint64_t *)c->target += *(const uint64_t *)c->payload;
 *     ++*(unsigned *)runs;
 *   }
 *
 *   unsigned runs = 0;
 *   toc_agent *agent;
 *   MUST(toc_agent_open(queue, true, &agent));
 *   uint64_t code = toc_agent_code(agent, add, &runs);
 *   MUST(xtq_register_kernel(p, 42, &(xtq_code){.code = code, .target = sum, .signal = s}));
 */
#ifndef TOCSIN_AGENT_H
#define TOCSIN_AGENT_H

#include "tocsin/xtq.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toc_agent toc_agent;

/* What a kernel or function is told. Pointers are the program's, NULL where there is nothing;
 * they are good during the call. */
typedef struct toc_call {
  const void *packet; /* 64 bytes: aql_kernel or aql_agent, by its header */
  bool function;
  void *args;      /* kernel: at kernarg_address */
  void *target;    /* what the table's entry had: argument 0; NULL: it had none */
  void *payload;   /* argument 1 */
  uint64_t arg[4]; /* function: as in the packet; kernel: its first four words, 0 where there are none */
  uint64_t index;  /* of the packet in its queue */
  toc_proc *proc;
} toc_call;

typedef void toc_kernel(void *arg, const toc_call *c);

/* automatic: what it has is found by every call that waits on this fabric, and runs in a thread of the library's
 * (tocsin.h, "HANDLERS AND KERNELS"). One agent a queue (E_IN_USE: it has one). E_NOMEM. */
toc_status toc_agent_open(xtq_queue *q, bool automatic, toc_agent **a) TOC_MUST_CHECK;
/* Waits for the kernel that is running. If it does not end, or if this is that kernel, nothing is closed,
 * and toc_why says so. */
void toc_agent_close(toc_agent *a);

/* The number that stands for a function in packets; the same pair gets the same number. 0: no memory. */
uint64_t toc_agent_code(toc_agent *a, toc_kernel *fn, void *arg);

/* Runs packets that are there, at most `most` (0: all), here. *ran may be NULL. E_INVALID: a packet whose code or type
 * nobody knows was passed over. E_TIMEOUT: another thread runs a kernel of it that does not end. */
toc_status toc_agent_run(toc_agent *a, unsigned most, unsigned *ran) TOC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
