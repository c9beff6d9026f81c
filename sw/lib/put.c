// SPDX-License-Identifier: Apache-2.0
// XTQ at the initiator: a task's packet, and what goes with it.
#include <stddef.h>

#include "internal.h"

enum { TOLD = 16 }; /* bytes of a kernel's arguments that the target writes */

static void kernel_packet(const xtq_task *t, uint8_t *b) {
  aql_kernel k = {.header = AQL_HEADER(AQL_KERNEL_DISPATCH),
                  .private_segment_size = t->private_bytes,
                  .group_segment_size = t->group_bytes};
  uint16_t *const wg[] = {&k.workgroup_size_x, &k.workgroup_size_y, &k.workgroup_size_z};
  uint32_t *const grid[] = {&k.grid_size_x, &k.grid_size_y, &k.grid_size_z};
  k.setup = 1;
  for (unsigned i = 0; i < 3; i++) {
    *wg[i] = t->workgroup[i] ? t->workgroup[i] : 1;
    *grid[i] = t->grid[i] ? t->grid[i] : 1;
    if (*grid[i] > 1 || *wg[i] > 1) k.setup = (uint16_t)(i + 1);
  }
  memcpy(b, &k, sizeof k);
}

static void function_packet(const xtq_task *t, uint8_t *b) {
  aql_agent a = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .arg = {0, 0, t->arg2, t->arg3}};
  memcpy(b, &a, sizeof a);
}

// ---- a packet of the caller's own
static toc_status good_kernel(const uint8_t *b) {
  aql_kernel k;
  memcpy(&k, b, sizeof k);
  const uint16_t wg[] = {k.workgroup_size_x, k.workgroup_size_y, k.workgroup_size_z};
  const uint32_t grid[] = {k.grid_size_x, k.grid_size_y, k.grid_size_z};
  if (k.setup < 1 || k.setup > 3)
    return toc_i_fail(TOC_E_ARG, "xtq_put: the packet's setup is 0x%x; it says 1 to 3 dimensions, its other bits are 0",
                      k.setup);
  if (k.reserved0) return toc_i_fail(TOC_E_ARG, "xtq_put: the packet's reserved0 is not 0");
  for (unsigned i = 0; i < 3; i++) {
    if (!wg[i] || !grid[i])
      return toc_i_fail(TOC_E_ARG, "xtq_put: the packet has no work-items: workgroup_size_%c or grid_size_%c is 0",
                        'x' + (int)i, 'x' + (int)i);
    if (i >= k.setup && (wg[i] != 1 || grid[i] != 1))
      return toc_i_fail(TOC_E_ARG, "xtq_put: the packet has %u dimensions, and sizes along %c that are not 1", k.setup,
                        'x' + (int)i);
  }
  return TOC_OK;
}

static toc_status good_packet(const uint8_t *b) {
  unsigned header = (unsigned)toc_i_get(b, 2), type = header & 0xff;
  if (type != AQL_KERNEL_DISPATCH && type != AQL_AGENT_DISPATCH)
    return toc_i_fail(TOC_E_ARG, "xtq_put: type %u%s; a target takes kernel dispatches (2) and agent dispatches (4)",
                      type,
                      type == AQL_BARRIER_AND || type == AQL_BARRIER_OR ? " is a barrier"
                      : type == AQL_INVALID                             ? " is an invalid packet"
                                                                        : "");
  if (header >> 13) return toc_i_fail(TOC_E_ARG, "xtq_put: bits 15:13 of the packet's header are not 0");
  if ((header >> 9 & 3) == 3 || (header >> 11 & 3) == 3)
    return toc_i_fail(TOC_E_ARG,
                      "xtq_put: a fence of the packet has scope 3; there are none (0), agent (1), system (2)");
  if (type == AQL_KERNEL_DISPATCH) return good_kernel(b);
  return toc_i_get(b + 4, 4) ? toc_i_fail(TOC_E_ARG, "xtq_put: the packet's reserved0 is not 0") : TOC_OK;
}

// ---- the command
static bool is_function(const xtq_task *t) {
  return t->packet ? *(const uint8_t *)t->packet == AQL_AGENT_DISPATCH : t->function;
}

static void command(const xtq_task *t, uint8_t b[64]) {
  bool function = is_function(t);
  if (t->packet)
    memcpy(b, t->packet, 64);
  else if (function)
    function_packet(t, b);
  else
    kernel_packet(t, b);
  toc_i_put(b + (function ? offsetof(aql_agent, return_address) : offsetof(aql_kernel, kernel_object)), 8, t->index);
  if (!function) toc_i_put(b + offsetof(aql_kernel, kernarg_address), 8, 0);
  toc_i_put(b + offsetof(aql_kernel, reserved2), 8, t->queue);
  toc_i_put(b + offsetof(aql_kernel, completion_signal), 8, 0);
}

static toc_status put(toc_i_qp *q, const xtq_task *t, toc_req *r) {
  bool function = is_function(t), told = !function && t->payload_bytes && !t->args_bytes;
  toc_wqe w = {.op = OP_XTQ, .proc = (uint16_t)t->process, .imm = function};
  w.len1 = 64 + (told ? TOLD : t->args_bytes);
  w.len2 = t->payload_bytes;
  if (t->payload_bytes) TRY(toc_i_local(q->p, t->payload, t->payload_bytes, TOC_READ, &w.va2));
  if (!q->slots) {
    void *all;
    TRY(toc_i_alloc(q->p, (size_t)SLOT_BYTES * q->o.entries, TOC_READ, true, &all));
    q->slots = all;
  }
  TRY(toc_i_room(q));
  uint8_t *slot = q->slots + SLOT_BYTES * (size_t)(q->posted & (q->o.entries - 1));
  TRY(toc_i_local(q->p, slot, w.len1, TOC_READ, &w.va1));
  command(t, slot);
  if (t->args_bytes) memcpy(slot + 64, t->args, t->args_bytes);
  if (told) memset(slot + 64, 0, TOLD);
  return toc_i_post(q, &w, r);
}

toc_status xtq_put(toc_qp *h_q, const xtq_task *t, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  NEED(t);
  if (t->args_bytes && !t->args) return toc_i_fail(TOC_E_ARG, "xtq_put: %u bytes of arguments at NULL", t->args_bytes);
  if (t->args_bytes % 16 || t->args_bytes > 4096)
    return toc_i_fail(TOC_E_ARG, "xtq_put: arguments have a multiple of 16 bytes, at most 4096; not %u", t->args_bytes);
  if (t->queue > 0xffff) return toc_i_fail(TOC_E_ARG, "xtq_put: queue %u; there are 65536 at most", t->queue);
  if (t->process > 0xffff) return toc_i_fail(TOC_E_ARG, "xtq_put: process %u", t->process);
  if (t->payload_bytes > 1u << 30) return toc_i_fail(TOC_E_ARG, "xtq_put: more than 1 GiB of payload");
  if (t->packet) TRY(good_packet(t->packet));
  LOCKED(q->p, put(q, t, r));
}
