// SPDX-License-Identifier: Apache-2.0
// Processes as ranks of SMPI, one a node, and one rank more, which does what all devices do, in order of time: frames
// that leave and arrive, doorbells, packets, kernels. Times come from the cost table and from what the models did
// (xtime.c); the delay from node to node is the platform's. A process's time goes on by what is charged to it (x_spend)
// and by what it waits for.
//
// All ranks are threads of one program on one core, so they share this memory; nothing here depends on anything
// but simulated time.
#ifndef TOCSIN_CLUSTER_XNET_H
#define TOCSIN_CLUSTER_XNET_H

#include <mpi.h>
#include <simgrid/barrier.h>
#include <simgrid/cond.h>
#include <simgrid/mutex.h>

#include "../cost.h"
#include "xnode.h"

typedef enum x_kind { X_JOB_RING, X_JOB_SEND, X_JOB_ARRIVE, X_JOB_TELL, X_JOB_BELL, X_JOB_KERNEL } x_kind;
typedef struct x_job {
  double when;
  uint64_t order;
  x_kind kind;
  unsigned node;
  uint64_t what;  // queue pair; events; index
  x_frame *frame;
  aql_kernel packet;
} x_job;

// When each of a launch's steps was done, for its phases.
typedef struct x_stamps {
  double left, came, stored, rang, read, ran;
} x_stamps;

// A node's device in time: when its parts are free.
typedef struct x_device {
  double in, stage[2], last, walker[8], cp, gpu;
  double free;                  // the way out
  x_frame *wait[2], **tail[2];  // frames to send: answers, requests
} x_device;

typedef struct x_proc {
  unsigned id, qps;
  int peer[X_QPS];  // of each queue pair, and the queue pair's number there
  unsigned its[X_QPS];
  xnode *node;
  x_device device;
  unsigned told, taken;  // events that the process may see, and has taken
  uint32_t signalled;    // queue pairs whose signal has changed
  bool asleep;
  double busy;  // ns that were charged
  sg_mutex_t mutex;
  sg_cond_t wake;
  x_stamps at;  // of the last message and kernel here
  uint64_t frames, walks, loads, accesses, tasks;
  uint64_t packets;  // that the accelerator has read
} x_proc;

typedef struct x_net {
  const cost *c;
  unsigned procs;
  x_proc *proc;
  double *latency;  // from the first node to each other: stars and fat trees are the same from everywhere
  x_job *job;
  size_t jobs, size;
  uint64_t order;
  bool stop, asleep, broken;
  sg_mutex_t mutex;
  sg_cond_t wake;
  sg_bar_t players, all;
} x_net;

x_net *x_net_open(const cost *c, unsigned procs, const x_sizes *z);  // by rank 0
x_net *x_net_join(x_net *n, unsigned rank);                          // by all, which use what it gives
void x_net_devices(x_net *n);                                        // the last rank; returns after x_net_stop
void x_net_stop(x_net *n);
void x_connect(x_net *n, unsigned a, unsigned b);
unsigned x_link(const x_proc *p, int peer);  // the queue pair to a process, X_QPS: none
void *x_must(void *p);

double x_now(void);
void x_spend(x_proc *p, double ns);
void x_wait(x_proc *p);  // until an event or a signal is there

// The processor, whose time these take.
void x_post(x_net *n, x_proc *p, unsigned qp, const x_request *r);
bool x_next_event(x_net *n, x_proc *p, x_event *e);  // false: none
void x_launch(x_net *n, x_proc *p, unsigned qp, uint64_t payload, const uint64_t arg[2]);
void x_add(x_net *n, x_proc *p, uint64_t payload, const uint64_t arg[2], unsigned cores);

// xtime.c: when what was done is over.
double x_time_frame(const cost *c, unsigned bytes);  // on a link, as long as the NIC takes for it
// A frame whose last bit comes `now`: when the NIC has decided on it; *stored: when its effects are in memory.
double x_time_take(x_device *d, const cost *c, double now, unsigned bytes, const x_did *did, double *stored);
// A packet whose doorbell rings `now`: when the accelerator has read it; *ran: when its kernel has ended.
double x_time_task(x_device *d, const cost *c, double now, uint64_t bytes, double *ran);
double x_time_add(const cost *c, uint64_t bytes, unsigned cores);
#endif
