// SPDX-License-Identifier: Apache-2.0
/* The structures of user-mode queues as HSA lays them out (hsa.h, amd_hsa_queue.h, amd_hsa_signal.h),
 * without needing HSA: sw/test/check_hsa.c compares every offset with Debian's libhsa-runtime-dev.
 * All little-endian, 64 bytes a packet. */
#ifndef TOCSIN_AQL_H
#define TOCSIN_AQL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  AQL_VENDOR = 0,
  AQL_INVALID = 1,
  AQL_KERNEL_DISPATCH = 2,
  AQL_BARRIER_AND = 3,
  AQL_AGENT_DISPATCH = 4,
  AQL_BARRIER_OR = 5
};
/* Header: type 7:0, barrier 8, acquire fence 10:9, release fence 12:11. */
enum { AQL_FENCE_NONE = 0, AQL_FENCE_AGENT = 1, AQL_FENCE_SYSTEM = 2 };
enum { AQL_BARRIER = 1 << 8 }; /* waits until all packets before it have ended */
#define AQL_HEADER_OF(type, acquire, release) ((uint16_t)((type) | (acquire) << 9 | (release) << 11))
#define AQL_HEADER(type) AQL_HEADER_OF(type, AQL_FENCE_SYSTEM, AQL_FENCE_SYSTEM)

typedef struct aql_kernel {
  uint16_t header;
  uint16_t setup; /* dimensions, 1 to 3, in 1:0 */
  uint16_t workgroup_size_x, workgroup_size_y, workgroup_size_z;
  uint16_t reserved0;
  uint32_t grid_size_x, grid_size_y, grid_size_z;
  uint32_t private_segment_size, group_segment_size;
  uint64_t kernel_object;
  uint64_t kernarg_address;
  uint64_t reserved2;
  uint64_t completion_signal;
} aql_kernel;

typedef struct aql_agent {
  uint16_t header;
  uint16_t type;
  uint32_t reserved0;
  uint64_t return_address;
  uint64_t arg[4];
  uint64_t reserved2;
  uint64_t completion_signal;
} aql_agent;

typedef struct aql_barrier {
  uint16_t header;
  uint16_t reserved0;
  uint32_t reserved1;
  uint64_t dep_signal[5];
  uint64_t reserved2;
  uint64_t completion_signal;
} aql_barrier;

/* amd_signal_t: what a completion signal's handle points to. */
enum { AQL_SIGNAL_USER = 1, AQL_SIGNAL_DOORBELL = -1, AQL_SIGNAL_DOORBELL_32 = -2 };
typedef struct aql_signal {
  int64_t kind;           /* as above */
  volatile int64_t value; /* a doorbell's: the address of its register */
  uint64_t event_mailbox_ptr;
  uint32_t event_id;
  uint32_t reserved1;
  uint64_t start_ts, end_ts;
  uint64_t queue_ptr;
  uint32_t reserved3[2];
} aql_signal;

/* hsa_queue_t, and as much of the amd_queue_t around it as everybody has to agree on. */
enum { AQL_QUEUE_MULTI = 0, AQL_QUEUE_SINGLE = 1 };
typedef struct aql_queue {
  uint32_t type, features; /* bit 0: kernel dispatch, 1: agent dispatch */
  uint64_t base_address;
  uint64_t doorbell_signal; /* address of an aql_signal */
  uint32_t size;            /* packets */
  uint32_t reserved1;
  uint64_t id;
  uint32_t caps[4];
  volatile uint64_t write_dispatch_id;
  uint8_t private_of_runtime[64];
  volatile uint64_t read_dispatch_id;
} aql_queue;

/* Where its indices are, in bytes. */
enum { AQL_WRITE_INDEX = 56, AQL_READ_INDEX = 128, AQL_QUEUE_BYTES = 256 };

#ifdef __cplusplus
}
#endif
#endif
