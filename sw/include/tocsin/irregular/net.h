// SPDX-License-Identifier: Apache-2.0
/* Delegates: small operations that are done where the data are, many of them in one message.
 *
 * A rank (irr_net) is a process of the driver's with connections to others. A delegate is the number of a function, a
 * destination and some bytes of arguments; it runs at its destination, its home, in the thread that polls there, one at
 * a time, and an answer may come back. It is not sent at once but put into the queue of the next rank on its way
 * (route.h). A queue leaves as one active put (an aggregate) when it has 4096 bytes or the next delegate does not fit,
 * when its oldest delegate has waited 1 ms of the backend's time, or on demand. The log's handler at the receiver takes
 * it apart. Answers go the same way in queues of their own.
 *
 *   irr_net *net;
 *   irr_net_open(fabric, proc, &(irr_net_options){.rank = 0, .ranks = 2}, &net);
 *   ... irr_net_join, or irr_net_face and irr_net_connect ...
 *   irr_net_register(net, 20, &(irr_function){.run = xor_word, .ctx = table});
 *   while ((s = irr_net_send(net, &(irr_delegate){.to = 1, .function = 20, .args = &update, .bytes = 16})) == IRR_BUSY)
 *     irr_net_poll(net, NULL);
 *
 * PROGRESS is made in irr_net_poll alone, which every rank has to call as long as others may want something
 * of it: it also forwards.
 *
 * ORDER. Delegates of one rank for one home run there in the order in which they were sent. Those of a rank for itself
 * run before irr_net_send returns (its completion with it), but for those that are sent from inside a delegate: they
 * run at the end of a poll, and what they send to their own rank in a later one.
 *
 * ROOM. At most `window` aggregates of each of the two kinds are under way to a neighbour; it tells when it has taken
 * one apart. What finds no room is refused (IRR_BUSY) and nothing has happened. Nothing is dropped. Answers never wait
 * for requests, requests wait for room for their answers, and ways have an order (route.h): ranks that flood each other
 * go on as long as all poll.
 *
 * BY PUT OR BY TASK (irr_net_options.by). An aggregate is an active put, which waits in a log until the home polls
 * (IRR_BY_PUT); or an XtqPut (IRR_BY_TASK), for which the kernel at the home's accelerator queue runs what it may:
 * built-in words and bytes, and functions that are registered with `kernel`. It also sends their answers and tells its
 * neighbour that there is room, so that all this goes on while the home's thread does something else. The rest, and all
 * that comes behind it from there, is left to the home's poll, in order.
 *   Delegates of a home run one at a time all the same. A lock of the rank is held by its thread inside the calls of
 *   this header, and by
 * the kernel while it runs delegates. The kernel does not wait for it: what comes meanwhile is run by whoever holds it,
 * when he lets go. Therefore memory that such functions use is touched by delegates alone, until all have been answered
 * or irr_net_is_idle at all ranks.
 *   The process' receive buffers are the net's then (toc_recv_post is not for others, TOC_EVENT_BUFFER of them is
 *   passed over), and so are
 * the last kernel and the last queue of its tables.
 *
 * A RANK THAT IS GONE is noticed by its neighbours, who tell all others: delegates that wait for its answer end with
 * IRR_E_GONE, and so does what is sent to it. Behind a router that is gone, its group is. Nobody comes back.
 *
 * THREADS. One thread at a time uses a net (besides the kernel, above); several nets of one fabric may each have their
 * own. Bytes travel in the order of the machine: all ranks are of one kind. */
#ifndef TOCSIN_IRREGULAR_NET_H
#define TOCSIN_IRREGULAR_NET_H

#include "tocsin/irregular/paged.h"
#include "tocsin/irregular/route.h"
#include "tocsin/irregular/status.h"
#include "tocsin/tocsin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  IRR_AGGREGATE_BYTES = 4096, /* of an aggregate at most, with its head */
  IRR_HEAD_BYTES = 8,         /* head of an aggregate */
  IRR_DELEGATE_BYTES = 8,     /* of a delegate besides its arguments */
  IRR_TICKET_BYTES = 8,       /* and, if it wants an answer; an answer has as many as both besides its own bytes */
  IRR_ARGS_MOST = 1024,
  IRR_ANSWER_MOST = 256,
  IRR_FUNCTIONS = 256,   /* numbers of functions are below */
  IRR_FUNCTION_USER = 32 /* and a program's are from here on */
};

/* ---- a rank's connections ---------------------------------------------------------------------------------------- */

typedef struct irr_net irr_net;

typedef enum irr_by {
  IRR_BY_PUT, /* requests leave as active puts: the CPU of the home runs them when it polls */
  IRR_BY_TASK /* as XtqPuts: a kernel at its accelerator queue runs them */
} irr_by;

/* 0: default. All but rank must be the same at all ranks. */
typedef struct irr_net_options {
  unsigned rank, ranks; /* 1 to IRR_RANKS_MOST */
  unsigned group;       /* route.h; default: irr_group_default */
  unsigned window;      /* aggregates under way to a neighbour, of requests and of answers each; 1 to 16, default 4 */
  unsigned flush_us;    /* how long a delegate waits in a queue for others; default 1000 */
  unsigned pending;     /* delegates that wait for an answer; default 4096 */
  unsigned probe_us;    /* a neighbour that owes something and is silent so long is asked; default 50000 */
  uint64_t timeout_us;  /* toc_qp_options.timeout_us, for ranks on machines that are busy; default: the backend's */
  irr_by by;            /* how requests leave; default IRR_BY_PUT. Answers leave as active puts in any case */
} irr_net_options;

/* Opens the net of a rank. p is a process of fabric f, which stays the caller's. Its node needs as many queue pairs as
 * the rank has neighbours (toc_options.qps), one log, and two regions. IRR_E_ARG: no options that a net can have;
 * IRR_E_NOMEM; IRR_E_DRIVER (IRR_BY_TASK: also if the last kernel or queue, or receive buffers, are in use). */
irr_status irr_net_open(toc_fabric *f, toc_proc *p, const irr_net_options *o, irr_net **net);
/* Closes a net. What is queued or waits for an answer is gone, completions are not called. NULL is fine. From inside a
 * delegate it does nothing. */
void irr_net_close(irr_net *net);

/* Which rank this is, how many there are, and how they are connected. */
unsigned irr_net_rank(const irr_net *net);
unsigned irr_net_ranks(const irr_net *net);
const irr_topology *irr_net_topology(const irr_net *net);

/* What a neighbour needs to know: plain data, to be sent by any means. */
typedef struct irr_face {
  toc_address address;
  toc_remote pages, credit;
  uint32_t ranks, group, window, rank, to;
  uint32_t by, process, task; /* IRR_BY_TASK: toc_proc_index there, and the number of its kernel and queue */
} irr_face;
/* Gives the face for neighbour `to`. IRR_E_ARG: it is no neighbour; IRR_E_DRIVER. */
irr_status irr_net_face(irr_net *net, unsigned to, irr_face *face);
/* Connects to a neighbour by the face that it has for this rank. IRR_E_ARG: it is no neighbour, or has other
 * options; IRR_E_DRIVER. */
irr_status irr_net_connect(irr_net *net, unsigned to, const irr_face *theirs);
/* Connects nets[0] to nets[n - 1], which are all ranks and in this process, nets[i] being rank i. IRR_E_ARG: they are
 * not; IRR_E_DRIVER. */
irr_status irr_net_join(irr_net *const *nets, unsigned n);

/* ---- functions --------------------------------------------------------------------------------------------------- */

typedef struct irr_arrival {
  irr_net *net;
  unsigned from;
  const void *args; /* aligned to 8; good until the function returns */
  uint32_t bytes;
} irr_arrival;

/* The answer of a delegate: 8 bytes that are 0 when the function is called. It may set more, up to what
 * it was registered with. */
typedef struct irr_answer {
  uint32_t bytes;
  uint64_t word[IRR_ANSWER_MOST / 8];
} irr_answer;

/* A function that runs at the home. It may send delegates (irr_net_send, which may be IRR_BUSY), and must not wait:
 * irr_net_poll inside is refused. Its status is told to who waits for the answer; the answer then is 0. With IRR_BUSY,
 * when it has done nothing, it runs again in a later poll, before what came behind it from the same neighbour; a rank's
 * own is refused with it. Where the rank's store is broken (paged.h) it ends with what has broken it instead. */
typedef irr_status irr_function_run(void *ctx, const irr_arrival *a, irr_answer *answer);

typedef struct irr_function {
  irr_function_run *run;
  void *ctx;
  uint32_t answer_bytes; /* at most, up to IRR_ANSWER_MOST; 0: 8 */
  bool kernel; /* IRR_BY_TASK: the accelerator may run it, in a thread of the driver's; it uses its own data alone */
} irr_function;

/* Registers a function. A number has to mean the same at all ranks. IRR_E_ARG: number or answer_bytes; IRR_E_IN_USE. */
irr_status irr_net_register(irr_net *net, unsigned number, const irr_function *f);

/* Whether this thread is inside a delegate: what might switch or wait has to refuse then. */
bool irr_delegate_running(void);

/* ---- sending ----------------------------------------------------------------------------------------------------- */

/* A completion; value: the first 8 bytes of the answer, 0 on failure. Called from irr_net_poll (or irr_net_send,
 * of a rank's own). */
typedef void irr_done(void *arg, uint64_t value);

typedef struct irr_delegate {
  unsigned to, function;
  const void *args; /* copied */
  uint32_t bytes;
  irr_done *done; /* NULL: no answer is wanted */
  void *arg;
  irr_status *status; /* may be NULL; how it ended, set before done is called. Stays until then. */
  void *into;         /* may be NULL; the answer's bytes, at most into_bytes of them. Stays until then. */
  uint32_t into_bytes;
} irr_delegate;

/* Sends a delegate. IRR_OK: it is on its way, and done will be called once; else it is not. IRR_BUSY; IRR_E_ARG: a rank
 * or a number that there is not, or a neighbour that is not connected; IRR_E_LONG: more than IRR_ARGS_MOST bytes;
 * IRR_E_GONE. How a delegate may end (irr_delegate.status): IRR_OK; IRR_E_GONE: its rank, or the way there, is gone,
 * and nobody knows whether it has run; IRR_E_FUNCTION; IRR_E_LONG: the answer has more bytes than the function was
 * registered with; or what its function returned. */
irr_status irr_net_send(irr_net *net, const irr_delegate *d);

/* Lets queues leave now, as far as there is room: those with delegates for `to` and all that share its way. IRR_E_ARG:
 * there is no such rank; IRR_E_GONE. */
irr_status irr_net_flush(irr_net *net, unsigned to);
/* Lets all queues leave now, as far as there is room. IRR_E_ARG: net is NULL. */
irr_status irr_net_flush_all(irr_net *net);

/* Takes what has come, answers, forwards, flushes what is old. *moved (may be NULL): something has happened. IRR_E_ARG:
 * net is NULL; IRR_E_INSIDE; IRR_E_DRIVER: the log is broken, nothing comes any more. */
irr_status irr_net_poll(irr_net *net, bool *moved);

/* What found no room: step is called in each poll, outside of delegates, until it says that it is done (true). It may
 * send. The record is the library's until then. */
typedef struct irr_later {
  struct irr_later *next;
  bool (*step)(void *arg);
  void *arg;
} irr_later;
/* Calls step in each poll from now on, until it says that it is done. */
void irr_net_later(irr_net *net, irr_later *l, bool (*step)(void *arg), void *arg);

/* Whether nothing is queued here, nothing waits for an answer, and neighbours have taken everything. */
bool irr_net_is_idle(irr_net *net);
/* Whether a rank is gone, or the way to it. */
bool irr_net_is_gone(const irr_net *net, unsigned rank);

typedef enum irr_flush_cause { IRR_FLUSH_SIZE, IRR_FLUSH_TIME, IRR_FLUSH_DEMAND, IRR_FLUSH_CAUSES } irr_flush_cause;

typedef struct irr_traffic {
  uint64_t sent, own;  /* delegates that left, and those for this rank itself */
  uint64_t run;        /* that ran here, wherever from */
  uint64_t answered;   /* answers that came */
  uint64_t forwarded;  /* requests and answers of others */
  uint64_t messages;   /* requests and answers in all aggregates that left: sent, forwarded, answers */
  uint64_t aggregates; /* that left */
  uint64_t bytes;      /* in them */
  uint64_t flushed[IRR_FLUSH_CAUSES];
  uint64_t credits; /* puts that told neighbours how much was taken apart */
  uint64_t busy;    /* sends that were refused for lack of room */
  uint64_t refused; /* delegates that ended here with an error: of their function, or none has their number */
  uint64_t lost;    /* requests and answers that were for ranks that are gone */
  uint64_t late;    /* answers for which nobody waits any more */
  uint64_t broken;  /* what came and is no aggregate; its sender is gone then */
  uint64_t tasks;   /* of the aggregates that left: as XtqPuts */
  uint64_t kernel;  /* of those that ran here: by the accelerator's kernel */
} irr_traffic;
/* Counts of what this rank has sent, forwarded and taken. */
void irr_net_counts(const irr_net *net, irr_traffic *c);
/* How many requests and answers an aggregate had, on average: messages / aggregates, 0 if there were none. */
double irr_aggregation(const irr_traffic *c);

/* ---- memory at home ---------------------------------------------------------------------------------------------- */

/* What built-in functions work on: a place is an offset into the rank's share of the heap (irr_net_share), or,
 * with the top bit set, a 2-D address (heap.h) of memory that the rank has exported. Otherwise: IRR_E_RANGE.
 * Words: IRR_E_ALIGN. */
enum {
  IRR_WORD_READ = 1, /* irr_word_args: place; the answer is the word */
  IRR_WORD_WRITE,    /* place, a: what it becomes; the answer is the word before, as for all that follow */
  IRR_WORD_ADD,      /* place, a: what is added */
  IRR_WORD_SWAP_IF,  /* place, a: what it has to be, b: what it becomes then */
  IRR_WORD_XOR,      /* place, a */
  IRR_BYTES_READ,    /* irr_bytes_args; the answer has the bytes, at most IRR_ANSWER_MOST */
  IRR_BYTES_WRITE,   /* irr_bytes_args, the bytes behind it */
  IRR_HEAP_MALLOC,   /* the heap's own */
  IRR_HEAP_FREE,
  IRR_TASK_SPAWN, /* delegate.h */
  IRR_TEAM_ASK,   /* team.h */
  IRR_TEAM_OVER
};
typedef struct irr_word_args {
  uint64_t place, a, b;
} irr_word_args;
typedef struct irr_bytes_args {
  uint64_t place, bytes;
} irr_bytes_args;

/* Says what the rank's share of the heap is (irr_heap_open does it). IRR_E_ARG: bytes without a base. */
irr_status irr_net_share(irr_net *net, void *base, uint64_t bytes);
/* The same of a store (paged.h; NULL: none), whose pages may be absent: delegates wait for theirs. irr_net_poll polls
 * it. IRR_E_ARG: net is NULL, or its delegates are an accelerator's. */
irr_status irr_net_share_store(irr_net *net, irr_paged *store);
/* Exports memory of this rank: others reach it by 2-D addresses. IRR_E_ARG: no bytes; IRR_E_IN_USE: it overlaps
 * another; IRR_E_NOMEM. */
irr_status irr_net_export(irr_net *net, void *base, uint64_t bytes);
/* Ends an export, by where it began. IRR_E_ARG: net is NULL; IRR_E_RANGE: there is no such one. */
irr_status irr_net_unexport(irr_net *net, const void *base);

#ifdef __cplusplus
}
#endif
#endif
