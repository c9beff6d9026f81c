// SPDX-License-Identifier: Apache-2.0
// A node: the golden model of its IOMMU, the memory that its processes have given to the device, and when what
// comes in is done.
//
//   frame -> wire -> NIC -> [ aa: translation, log ] -> memory
//
// What happens is the model's: each access of the device goes through aa_submit, and records are in a process's
// memory because the model wrote them. node_did counts what it did meanwhile: walks, loads, records, pointers,
// interrupts. When it is over follows from these by the cost table.
//
// A node has one IOMMU behind its NIC, or two (NODE_UNITS), each for half of its processes: as many as it takes
// for a log a process. A process `who` is a requester with tables of its own, which are not kept: an entry is made
// when the walk reads it.
#ifndef TOCSIN_CLUSTER_NODE_H
#define TOCSIN_CLUSTER_NODE_H

#include <stddef.h>
#include <stdint.h>

#include "cost.h"
#include "tocsin/aa.h"

enum { NODE_PROCS = 32, NODE_UNITS = 2, NODE_LOG_BYTES = 1 << 14 };

// Kinds of memory. What a process has given to the device is together, and processes one behind the other, as a
// driver gives out addresses.
typedef enum node_kind {
  NODE_TABLE,  // what the program shares
  NODE_BUFFERS,
  NODE_EVENTS,
  NODE_RING,  // the log's; mapped nowhere, known to the IOMMU alone
  NODE_POINTER,
  NODE_SMALL,              // kinds of up to some MiB; those behind are of up to 1 GiB - 2 MiB
  NODE_BULK = NODE_SMALL,  // more that the program shares
  NODE_ARCHIVE,            // of what was got or sent
  NODE_LONG_RING,          // a log's ring that is the archive
  NODE_OWN,                // what it gets or puts from
  NODE_KINDS
} node_kind;
uint64_t node_at(unsigned who, node_kind kind);    // its I/O address
uint64_t node_room(unsigned who, node_kind kind);  // bytes there, before the next kind's

typedef enum node_rule {
  NODE_PLAIN,
  NODE_REDIRECT,
  NODE_COUNT,
  NODE_COPY
} node_rule;  // puts to the log; counted; gets copied there
typedef enum node_tell { NODE_POLL, NODE_SCRATCH, NODE_INTR, NODE_TASK } node_tell;  // TASK: an accelerator is

typedef struct node_did {
  unsigned hits, walks, loads, writes, atomics, reads, records, pointers, intrs;
  unsigned logged;  // bytes of records
} node_did;

typedef struct node node;

// A node whose IOMMUs are as cfg says, with NODE_PROCS logs or half of them; NULL: cfg or memory, and *why says which.
node *node_new(const aa_config *cfg, const cost *c, const char **why);
void node_free(node *n);
size_t node_bytes(const node *n);  // that it takes itself, beside the memory of its processes

// Exits with a sentence if there is no room for so much.
void node_map(node *n, unsigned who, node_kind kind, void *mem, size_t bytes, node_rule rule);
// Opens the log of a process, which has the memory of `ring`, 2^n bytes, and of NODE_POINTER;
// an interrupt at `unread` records.
void node_log(node *n, unsigned who, node_kind ring, node_tell tell, unsigned unread);
uint32_t node_log_end(const node *n, unsigned who);  // bytes ever published, as pointer or scratchpad say
bool node_log_done(node *n, unsigned who,
                   uint32_t bytes);  // the processor gives back the ring up to here; true: an interrupt at once

bool node_task(node *n,
               unsigned who);  // whether the IOMMU has asked for a task for this log since this was called last
void node_task_done(node *n, unsigned who);

bool node_log_full(const node *n, unsigned who, unsigned bytes);  // no room for the records of a get

// The device's accesses for process `who`; what the model did is added to *did. A put whose log has no room waits
// in the IOMMU, and what comes behind waits too: node_stalled.
void node_put(node *n, unsigned who, uint64_t at, const void *bytes, unsigned size, node_did *did);
void node_get(node *n, unsigned who, uint64_t at, void *bytes, unsigned size, node_did *did);
typedef enum node_op { NODE_ADD, NODE_SWAP, NODE_CAS } node_op;
uint64_t node_atomic(node *n, unsigned who, uint64_t at, node_op op, uint64_t operand, uint64_t compare, node_did *did);
bool node_stalled(node *n);        // *did of the access that waits has to stay until it does not
bool node_refused(const node *n);  // an access has met a page that is not there: the program is wrong

// All that was ever done, and when: a frame of so many bytes whose last bit came at `now` and which did *did for
// `who` is done at the result. `message`: one for a receive buffer.
double node_when(node *n, unsigned who, double now, unsigned bytes, bool message, const node_did *did);
// When what a get that was done at `when` wrote into the log may be read.
double node_logged(node *n, unsigned who, double when, const node_did *did);
// A frame that leaves: when its last bit is on the wire.
double node_leaves(node *n, double now, unsigned bytes);
node_did node_sum(const node *n);
#endif
