// SPDX-License-Identifier: Apache-2.0
// Processes and devices as ranks of SMPI. Ranks 0 to procs-1 are processes, NODE_PROCS on a node; behind them come
// two for each node: its port, which takes the messages that are sent to the node's processes, and its engine,
// which does the frames in them at their time by node.h and says when each is done.
//
// Every frame is an MPI message to the port of the node that it goes to: SimGrid's platform delays it. What the
// platform does not know, that a frame waits for the node's own link, travels with it as `late`. A port takes
// messages in the order in which they were sent, so that one may wait there for another that comes from further
// away; the engine takes frames in the order of their times. Acknowledgements are no messages: the sender's slot is
// free after the way back's latency; NICs join many in one frame.
//
// All ranks are threads of one program on one core (SMPI), so they share this memory, and nothing here depends on
// anything but simulated time.
#ifndef TOCSIN_CLUSTER_NET_H
#define TOCSIN_CLUSTER_NET_H

#include <mpi.h>
#include <simgrid/barrier.h>
#include <simgrid/cond.h>
#include <simgrid/mutex.h>

#include "node.h"

enum { NET_TAG = 1, NET_BUFFER = 64, NET_EVENT = 32 };  // of MPI; bytes of a receive buffer and of an event
enum {
  NET_WINDOW = 64,
  NET_QUEUE = 512,
  NET_BATCH = 10,
  NET_MTU = 4096,
  NET_IMMEDIATE = 4
};  // slots at most; messages that may wait; messages an interrupt; bytes of a frame's payload, and of immediate data

typedef enum net_kind { NET_PUT, NET_MESSAGE, NET_ATOMIC, NET_GET, NET_ANSWER, NET_STOP } net_kind;

typedef struct net_frame {
  net_kind kind;
  node_op op;
  unsigned from, to, slot;  // processes; the requester's slot, NET_WINDOW: nobody wants to know
  double late;
  uint64_t at, v[2];
  unsigned bytes;  // of payload, NET_MTU at most
  // Payload that is not in v: as RDMA has it, its sender leaves it alone until it is acknowledged. In a message behind
  // 4 bytes of immediate data, which are v[0] and go to the event.
  const uint8_t *data;
  uint64_t into;    // I/O address for what is got; 0: the slot's value
  uint8_t pad[48];  // a frame on the wire is longer
} net_frame;

// What an engine has to do, and when: a heap.
typedef struct net_job {
  double when;
  uint64_t order;
  bool leaves;  // else it has come
  net_frame f;
} net_job;
typedef struct net_engine {
  net_job *job;
  size_t jobs, size;
  uint64_t order;
  bool stop, asleep, full;  // full: what it does waits for a process to read
  sg_mutex_t mutex;
  sg_cond_t wake;
} net_engine;

// What an accelerator has to do for a process's log, which has one task at most: its doorbell is rung, its packet is
// read, its kernel runs, its end is written.
typedef struct net_work {
  unsigned records, lines, chain;  // lines of memory, and the most that one lane needs one after the other
} net_work;
typedef enum net_stage { NET_NO_TASK, NET_RUNG, NET_READ, NET_RUN } net_stage;
typedef struct net_task {
  bool asked;  // for the next one
  net_stage stage;
  double when;   // it goes on
  uint32_t end;  // of its records
  unsigned records;
} net_task;
typedef struct net_accel {
  net_task task[NODE_PROCS];
  double packets, memory;  // when its command processor, and its way to memory, are free
  unsigned tasks;          // that it has done
} net_accel;

typedef struct net_slot {
  double ready;  // when the process may know: 0: free
  uint64_t value;
} net_slot;

// What has come, in order of time: the log's end, a message, an interrupt.
typedef enum net_note { NET_LOG, NET_MSG, NET_INTR } net_note;
typedef struct net_news {
  double when;
  net_note kind;
  uint32_t end;
} net_news;

typedef struct net_proc {
  unsigned id, node, who;
  net_slot slot[NET_WINDOW];
  net_news *news;  // a ring of 2^n
  unsigned first, next, news_size;
  uint8_t *ring, *buffers, *events;
  uint64_t *pointer;
  uint32_t read;       // bytes of the log that the process, or its accelerator, has read
  unsigned kernels;    // records that its accelerator has done; then news are for that alone
  unsigned sent, got;  // messages for it, and that it took
  uint64_t post_at;    // I/O address of receive buffers for `data`, one behind the other and each used once
  unsigned post_each;  // bytes of each
  unsigned post_many;  // how many there are, used again and again; 0: each once
  void *own;           // the program's
  bool asleep;
  sg_mutex_t mutex;
  sg_cond_t wake;
} net_proc;

// What one process did and saw.
typedef struct share {
  double begin, end, recovery;  // ns
  uint64_t inserts, collisions, digest, wrong;
  uint64_t polls, empty;  // looks at the log or the event ring; those that found nothing
  // of programs that tell delegates (graph/): how many; frames with them or of chains that were sent, their bytes,
  // delegates in them; messages of votes
  uint64_t delegates, messages, bytes, parts, votes;
} share;

typedef struct net net;
struct net {
  const cost *c;
  unsigned procs, nodes;
  net_proc *proc;
  share *share;  // of each process
  node **node;
  net_engine *engine;  // of each node
  net_accel *accel;
  double *latency;  // from node to node
  bool interrupts;  // messages make them
  bool broken;      // a device has met what cannot be
  void *own;        // the program's
  // What its kernels do with the records of a process's log up to `end`; NULL: it has none.
  net_work (*kernel)(net *n, net_proc *p, uint32_t end);
  sg_bar_t players,
      all;  // where processes, and where all ranks, wait for each other: MPI's collectives take SMPI too long
};

// By rank 0, which then hands it to the others by net_join, which all call; their result is to be used. `cfg` is
// each IOMMU's.
net *net_open(const cost *c, const aa_config *cfg, unsigned procs);
net *net_join(net *n, unsigned rank);
void net_device(net *n, unsigned rank);  // port or engine; returns when net_stop was called
void net_stop(net *n);                   // by one process, when all are done

// The accelerator of a node: net_accel.c. A task may have been asked for.
void net_accel_ask(net *n, net_proc *p);
double net_accel_due(const net *n, unsigned node);  // when it goes on with something; infinite: it has nothing to do
void net_accel_run(net *n, unsigned node);          // what is due
void net_rouse(net_proc *p);

void *net_must(void *p);  // exits without memory
void net_send_frame(net *n, node *from, net_frame *f);

double net_now(void);
void net_spend(double ns);
void net_send(net *n, net_proc *p, net_frame *f);
// Waits until `ns`, or until something comes.
void net_wait(net_proc *p, double until);
void net_read(net *n, net_proc *p);      // the process has taken messages: what waits for room may go on
void net_log_done(net *n, net_proc *p);  // or records, up to p->read
double net_slot_due(const net_proc *p);  // when the next slot is ready; infinite: nobody knows yet
// Bytes of a frame on the wire, with preamble, gap and FCS.
unsigned net_bytes(net_kind kind, unsigned payload);
#endif
