// SPDX-License-Identifier: Apache-2.0
/* XTQ: a remote message becomes a task in an accelerator's queue.
 *
 *   target                                        initiator
 *   xtq_queue_open, xtq_register_queue            xtq_put(qp, &(xtq_task){.index = 42, .queue = 0,
 *                                                 .args = a, ...}, &req)
 *   xtq_register_kernel(p, 42, &(xtq_code){...})
 *   xtq_post_buffer                               toc_wait(req): the task is enqueued (not: has run)
 *   xtq_signal_wait: it has run
 *
 * Numbers (of queue, kernel, function) are chosen by the program and agreed on beforehand, as the paper has it; tables
 * are a process' own. The names follow XtqPut, XtqRegisterKernel, XtqRegisterFunction, XtqRegisterQueue of the paper.
 */
#ifndef TOCSIN_XTQ_H
#define TOCSIN_XTQ_H

#include "tocsin/active.h"
#include "tocsin/aql.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- target ------------------------------------------------------------------------------------------------------ */

typedef struct xtq_queue xtq_queue;

typedef struct xtq_queue_options {
  unsigned packets; /* a power of two, 1 to 65536, default 64 */
  bool multi;       /* the program enqueues as well (xtq_enqueue): the NIC takes slots by compare-and-swap */
  bool events;      /* TOC_EVENT_TASK for each task */
} xtq_queue_options;

/* A user-mode queue in memory of the process: ring, indices, doorbell. o may be NULL. E_NOMEM. */
toc_status xtq_queue_open(toc_proc *p, const xtq_queue_options *o, xtq_queue **q) TOC_MUST_CHECK;
/* Takes it out of the table if it is there, closes its agent, and gives its memory back. E_IN_USE,
 * E_TIMEOUT: a kernel is running. */
toc_status xtq_queue_close(xtq_queue *q);

/* Where the parts of a queue are: for accelerators, and for queues that others have made. */
typedef struct xtq_queue_view {
  void *ring; /* packets of 64 bytes */
  unsigned packets;
  volatile uint64_t *write_index, *read_index; /* free-running; who consumes moves read_index */
  volatile uint64_t *doorbell;                 /* index of the last packet written */
} xtq_queue_view;
void xtq_queue_see(xtq_queue *q, xtq_queue_view *v);

/* A queue that somebody else has made and serves, an HSA runtime for example, for xtq_register_queue: by its parts,
 * which lie in memory of the process (toc_alloc) that devices may read and write (E_RANGE), ring aligned to 64,
 * indices and doorbell to 8 (E_ALIGN), apart from each other (E_ARG) and from other queues' rings (E_IN_USE).
 * It may be in use: the NIC goes on where its indices are. o (may be NULL): `multi` if others enqueue as well,
 * `packets` 0 or as in v. Nothing of it is written here; xtq_queue_close forgets it, and before that its memory is not
 * given back (toc_free: E_IN_USE). E_SUPPORT: read_index does not lie 72 bytes behind write_index. The NIC knows one
 * index block, with both where amd_queue_t has them; that is what the HSA runtime for AMD's hardware and gem5 make;
 * hsa.h leaves open where they are. */
toc_status xtq_queue_adopt(toc_proc *p, const xtq_queue_view *v, const xtq_queue_options *o,
                           xtq_queue **q) TOC_MUST_CHECK;
/* The parts of an hsa_queue_t that is the beginning of an amd_queue_t, in *v, and its kind in o->multi; both are set.
 * Its doorbell is the value of its signal, or the register that the signal names. E_SUPPORT: the signal is of another
 * kind (of 32 bits, as on GFX7), or the queue is cooperative. */
toc_status xtq_queue_of_hsa(const void *hsa_queue, xtq_queue_view *v, xtq_queue_options *o) TOC_MUST_CHECK;

/* The program's own packet (queues with `multi`): E_FULL. */
toc_status xtq_enqueue(xtq_queue *q, const void *packet) TOC_MUST_CHECK;

/* Entries of the process' tables; E_IN_USE: there is one. code: what a packet gets as kernel_object or return_address;
 * target (may be NULL: the first argument is the sender's then): memory of the process whose address
 * the task gets as its first argument. The second is the payload's address, always. signal (may be NULL):
 * decremented when it has run. */
typedef struct xtq_code {
  uint64_t code;
  void *target;
  aql_signal *signal;
} xtq_code;
toc_status xtq_register_kernel(toc_proc *p, uint32_t index, const xtq_code *c) TOC_MUST_CHECK;
toc_status xtq_register_function(toc_proc *p, uint32_t index, const xtq_code *c) TOC_MUST_CHECK;
toc_status xtq_register_queue(toc_proc *p, uint32_t index, xtq_queue *q) TOC_MUST_CHECK;
toc_status xtq_unregister_kernel(toc_proc *p, uint32_t index);
toc_status xtq_unregister_function(toc_proc *p, uint32_t index);
toc_status xtq_unregister_queue(toc_proc *p, uint32_t index);

/* Memory for arguments and payload of what comes: messages fill it one behind the other, each at a multiple of 64,
 * until less than `least` is left or one does not fit: TOC_EVENT_BUFFER then, with the buffer's number. ptr aligned to
 * 64. *number (may be NULL) counts from 0. E_FULL: as many are posted as the device takes; E_IN_USE: xtq_feed_buffers
 * posts them. */
toc_status xtq_post_buffer(toc_proc *p, void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) TOC_MUST_CHECK;

/* A ring of buffers that the library posts and, as they are used up, posts again: the bytes of a task are
 * good until `count - 1` more buffers have been filled. For programs that run tasks soon. E_FULL, E_NOMEM,
 * E_IN_USE: it has such a ring. */
toc_status xtq_feed_buffers(toc_proc *p, unsigned count, uint32_t bytes) TOC_MUST_CHECK;

/* Signals, in memory of the process. E_NOMEM; E_IN_USE: an entry of a table has it. */
toc_status xtq_signal_open(toc_proc *p, int64_t value, aql_signal **s) TOC_MUST_CHECK;
toc_status xtq_signal_close(toc_proc *p, aql_signal *s);
/* Waits until its value is at most `value`. E_TIMEOUT; toc_why names a kernel that has not ended. */
toc_status xtq_signal_wait(toc_proc *p, const aql_signal *s, int64_t value, uint64_t timeout_us) TOC_MUST_CHECK;

/* A task for each batch of records of a log opened with TOC_NOTIFY_TASK: an agent dispatch into the registered queue
 * `queue` whose return_address is `code`, with arg[0] = index of the log, arg[1] = producer, arg[2] = consumer, arg[3]
 * = arg. The next one comes after xtq_log_task_done, if there is more. */
toc_status xtq_log_task(toc_log *l, uint32_t queue, uint64_t code, uint64_t arg) TOC_MUST_CHECK;
toc_status xtq_log_task_done(toc_log *l) TOC_MUST_CHECK;

/* ---- initiator --------------------------------------------------------------------------------------------------- */

typedef struct xtq_task {
  bool function;    /* an agent dispatch through the function table; else a kernel */
  uint32_t index;   /* in that table of the target */
  uint32_t queue;   /* in the queue table of the target */
  unsigned process; /* at the target: toc_proc_index */
  const void *args; /* copied. Kernel: its arguments; what the first 16 bytes become, see below. */
  uint32_t
      args_bytes; /* a multiple of 16, up to 4096; of a kernel whose entry has a target buffer 16 or more (E_INVALID) */
  uint64_t arg2, arg3; /* function: its third and fourth argument; the first two are the target's */
  const void *payload; /* memory of the process, stays until the request has ended */
  uint32_t payload_bytes;
  uint16_t workgroup[3]; /* kernel: 0 counts as 1 */
  uint32_t grid[3];
  uint32_t private_bytes, group_bytes;
  const void *packet; /* 64 bytes of a packet of one's own, copied; NULL: one is made of the fields above. See below. */
} xtq_task;

/* Sends a task. Its request ends when the packet is in the target's queue: E_NOT_READY: no buffer, no slot; E_INVALID:
 * an index or length that the target refuses; its TOC_EVENT_REFUSED says which.
 *
 * `packet` is for who wants more than the fields say: an aql_kernel or aql_agent (aql.h) with the fences
 * and the barrier bit of its header, `type` of an agent dispatch, its arguments; function, arg2, arg3, workgroup,
 * grid, private_bytes and group_bytes are not looked at then. What is not the sender's to say is not sent,
 * whatever the packet has there:
 *
 *   field                             sent                           what the task finds there
 *   kernel_object (kernel)            index                          the entry's code
 *   return_address (agent dispatch)   index                          the entry's code
 *   kernarg_address (kernel)          0                              where its arguments are, 0 without
 *   reserved2                         queue                          0
 *   completion_signal                 0                              the entry's signal; 0: it has none
 *   arg[0], or bytes 0 to 7 of args   as given                       the entry's target buffer; it has none: as given
 *   arg[1], or bytes 8 to 15 of args  as given                       where the payload is; 0: there is none
 *   all others                        as given                       as given
 *
 * The accelerator decrements the entry's signal when it has run the task; to hear of that is the target's business,
 * here toc_wait says that it is enqueued. A kernel with payload and no args is sent with 16 bytes of 0, for the
 * payload's address. E_ARG: a packet that the target or its accelerator would refuse, and toc_why says why: a type that
 * is not AQL_KERNEL_DISPATCH or AQL_AGENT_DISPATCH (barriers, vendor's, invalid ones), reserved bits, a fence's scope
 * of 3, no work-items. */
toc_status xtq_put(toc_qp *q, const xtq_task *t, toc_req *r) TOC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
