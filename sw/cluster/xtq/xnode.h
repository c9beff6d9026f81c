// SPDX-License-Identifier: Apache-2.0
// A node of XTQ's evaluation: the golden model of the whole device (NIC, XTQ and IOMMU), one process, and its memory.
//
//   doorbell -> [ NIC -> IOMMU ] -> memory -> accelerator's queue
//
// What happens is the model's: frames are real, packets are rewritten by it, each access is translated through tables
// that lie in the node's memory. x_did says what it did in one call; when that is over is xtime.c's business.
#ifndef TOCSIN_CLUSTER_XNODE_H
#define TOCSIN_CLUSTER_XNODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tocsin/aql.h"
#include "tocsin/tocsin_model.h"

enum { X_MTU = 4096, X_ARGS = 32, X_QPS = 32, X_LINE = 64, X_FRAME = 4400, X_QUEUE = 1, X_CODE = 0xadd };

// Where things are in a node's memory; what has no fixed size is as x_sizes says.
typedef enum x_part {
  X_EVENTS,
  X_RING,      // the accelerator's queue
  X_INDICES,   // its index block, and the doorbell
  X_SIGNALS,   // completion signals, one a queue pair
  X_KERNARGS,  // arguments of kernels that the processor launches
  X_SENDS,     // send rings
  X_SLOTS,     // commands and arguments of XtqPuts
  X_VECTOR,    // the program's
  X_STAGING,   // receive buffers
  X_TABLES,
  X_PARTS
} x_part;

typedef struct x_sizes {
  unsigned qps, log2_entries, log2_events, log2_packets;
  uint64_t vector, staging;  // bytes
} x_sizes;

typedef struct x_frame {
  struct x_frame *next;
  double ready;  // when it may leave
  bool answer;   // of a responder: it does not wait behind requests
  unsigned n;
  uint8_t bytes[X_FRAME];
} x_frame;

// What one call made the model do.
typedef struct x_did {
  unsigned accesses, walks, loads, reads;  // by devices, translated; walks of them; their loads; reads of memory
  unsigned events;                         // told to the process
  bool rang;                               // the accelerator's doorbell
  uint64_t bell;                           // with this index
  x_frame *out, **tail;                    // frames to send
} x_did;

// An event, as far as a process here needs it: rtl/nic/README.md has all.
typedef struct x_event {
  uint8_t qp;
  uint32_t imm;
} x_event;
enum { X_EV_IMM = 2 };

typedef struct x_request {
  uint8_t op;
  unsigned kernel;  // of an XtqPut, with these arguments
  uint64_t arg[2];
  uint64_t local, remote;  // offsets, here in X_VECTOR, there in `to`
  x_part to;               // X_VECTOR or X_STAGING
  uint32_t bytes, imm;
} x_request;
enum { X_WRITE_IMM = 1, X_XTQ = 5 };

typedef struct xnode xnode;

xnode *xnode_new(unsigned id, const x_sizes *z, const char **why);
void xnode_free(xnode *n);
size_t xnode_bytes(const xnode *n);  // that the model takes, beside the memory of its process
bool xnode_refused(xnode *n);        // an access was refused, or something else happened that nobody asked for

void *xnode_at(xnode *n, x_part part);
uint64_t xnode_iova(const xnode *n, x_part part);
void *xnode_memory(xnode *n, uint64_t iova, uint64_t bytes);  // NULL: there is none
void xnode_forget(xnode *n, const void *at,
                  uint64_t bytes);  // nobody reads what lies there any more: it need not be kept

// Before anything begins. A queue pair's signal counts what its kernel has done.
bool xnode_connect(xnode *n, unsigned qp, unsigned to, unsigned its_qp);
bool xnode_register(xnode *n, unsigned qp);
bool xnode_post_staging(xnode *n);
aql_signal *xnode_signal(xnode *n, unsigned qp);

// The processor: an entry into a send ring, without its doorbell; an event; a packet into the accelerator's queue.
void xnode_request(xnode *n, unsigned qp, const x_request *r);
void xnode_event(xnode *n, x_event *e);
uint64_t xnode_launch(xnode *n, unsigned qp, uint64_t payload, const uint64_t arg[2]);  // its index

// The device: what is told of did, its frames are the caller's.
void xnode_ring(xnode *n, unsigned qp, x_did *did);
void xnode_take(xnode *n, const x_frame *f, x_did *did);

// The accelerator: the packet with this index, and then the kernel that it wants.
const aql_kernel *xnode_packet(xnode *n, uint64_t index);
bool xnode_run(xnode *n, const aql_kernel *k, unsigned *qp);

x_frame *x_frame_new(void);
void x_frame_free(x_frame *f);
#endif
