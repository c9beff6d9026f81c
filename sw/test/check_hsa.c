// SPDX-License-Identifier: Apache-2.0
// aql.h lays packets, signals and queues out as HSA does: every field, against the headers of libhsa-runtime-dev. It is
// enough that this compiles.
#include <hsa/hsa.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <stddef.h>

#include "tocsin/aql.h"

#define SAME(a, x, b, y)                                             \
  _Static_assert(offsetof(a, x) == offsetof(b, y), "offset of " #x); \
  _Static_assert(sizeof(((a *)0)->x) == sizeof(((b *)0)->y), "size of " #x)
#define KERNEL(x) SAME(aql_kernel, x, hsa_kernel_dispatch_packet_t, x)
#define AGENT(x) SAME(aql_agent, x, hsa_agent_dispatch_packet_t, x)
#define BARRIER(x) SAME(aql_barrier, x, hsa_barrier_and_packet_t, x)

_Static_assert(sizeof(aql_kernel) == sizeof(hsa_kernel_dispatch_packet_t) && sizeof(aql_kernel) == 64, "kernel");
KERNEL(header);
KERNEL(setup);
KERNEL(workgroup_size_x);
KERNEL(workgroup_size_y);
KERNEL(workgroup_size_z);
KERNEL(reserved0);
KERNEL(grid_size_x);
KERNEL(grid_size_y);
KERNEL(grid_size_z);
KERNEL(private_segment_size);
KERNEL(group_segment_size);
KERNEL(kernel_object);
SAME(aql_kernel, kernarg_address, hsa_kernel_dispatch_packet_t, kernarg_address);
KERNEL(reserved2);
KERNEL(completion_signal);

_Static_assert(sizeof(aql_agent) == sizeof(hsa_agent_dispatch_packet_t) && sizeof(aql_agent) == 64, "agent");
AGENT(header);
AGENT(type);
AGENT(reserved0);
SAME(aql_agent, return_address, hsa_agent_dispatch_packet_t, return_address);
AGENT(arg);
AGENT(reserved2);
AGENT(completion_signal);

_Static_assert(sizeof(aql_barrier) == sizeof(hsa_barrier_and_packet_t), "barrier");
_Static_assert(sizeof(aql_barrier) == sizeof(hsa_barrier_or_packet_t), "barrier");
BARRIER(header);
BARRIER(reserved0);
BARRIER(reserved1);
BARRIER(dep_signal);
BARRIER(reserved2);
BARRIER(completion_signal);

_Static_assert((int)AQL_VENDOR == (int)HSA_PACKET_TYPE_VENDOR_SPECIFIC, "type");
_Static_assert((int)AQL_INVALID == (int)HSA_PACKET_TYPE_INVALID, "type");
_Static_assert((int)AQL_KERNEL_DISPATCH == (int)HSA_PACKET_TYPE_KERNEL_DISPATCH, "type");
_Static_assert((int)AQL_BARRIER_AND == (int)HSA_PACKET_TYPE_BARRIER_AND, "type");
_Static_assert((int)AQL_AGENT_DISPATCH == (int)HSA_PACKET_TYPE_AGENT_DISPATCH, "type");
_Static_assert((int)AQL_BARRIER_OR == (int)HSA_PACKET_TYPE_BARRIER_OR, "type");
_Static_assert(AQL_HEADER(AQL_KERNEL_DISPATCH) == (HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                                                   HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                                                   HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE),
               "header");

_Static_assert(sizeof(aql_signal) == sizeof(amd_signal_t), "signal");
SAME(aql_signal, kind, amd_signal_t, kind);
SAME(aql_signal, value, amd_signal_t, value);
SAME(aql_signal, event_mailbox_ptr, amd_signal_t, event_mailbox_ptr);
SAME(aql_signal, event_id, amd_signal_t, event_id);
SAME(aql_signal, start_ts, amd_signal_t, start_ts);
SAME(aql_signal, end_ts, amd_signal_t, end_ts);
SAME(aql_signal, queue_ptr, amd_signal_t, queue_ptr);

_Static_assert((int)AQL_SIGNAL_USER == (int)AMD_SIGNAL_KIND_USER, "kind");
_Static_assert((int)AQL_SIGNAL_DOORBELL == (int)AMD_SIGNAL_KIND_DOORBELL, "kind");
_Static_assert((int)AQL_SIGNAL_DOORBELL_32 == (int)AMD_SIGNAL_KIND_LEGACY_DOORBELL, "kind");
SAME(aql_signal, value, amd_signal_t, hardware_doorbell_ptr);
_Static_assert((int)AQL_FENCE_SYSTEM == (int)HSA_FENCE_SCOPE_SYSTEM &&
                   (int)AQL_FENCE_AGENT == (int)HSA_FENCE_SCOPE_AGENT,
               "fence");
_Static_assert((int)AQL_BARRIER == 1 << HSA_PACKET_HEADER_BARRIER, "barrier bit");

SAME(aql_queue, type, hsa_queue_t, type);
SAME(aql_queue, features, hsa_queue_t, features);
SAME(aql_queue, base_address, hsa_queue_t, base_address);
SAME(aql_queue, doorbell_signal, hsa_queue_t, doorbell_signal);
SAME(aql_queue, size, hsa_queue_t, size);
SAME(aql_queue, id, hsa_queue_t, id);
SAME(aql_queue, write_dispatch_id, amd_queue_t, write_dispatch_id);
SAME(aql_queue, read_dispatch_id, amd_queue_t, read_dispatch_id);
_Static_assert((int)AQL_QUEUE_MULTI == (int)HSA_QUEUE_TYPE_MULTI && (int)AQL_QUEUE_SINGLE == (int)HSA_QUEUE_TYPE_SINGLE,
               "queue");
_Static_assert(AQL_WRITE_INDEX == offsetof(amd_queue_t, write_dispatch_id), "write index");
_Static_assert(AQL_READ_INDEX == offsetof(amd_queue_t, read_dispatch_id), "read index");
_Static_assert(AQL_QUEUE_BYTES >= offsetof(amd_queue_t, reserved4), "queue");
