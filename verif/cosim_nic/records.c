// SPDX-License-Identifier: Apache-2.0
// Records of a node, whoever its NIC is: what the score needs to know of them, and their text.
#include <inttypes.h>

#include "net.h"

// What follows knows queue pairs by their numbers, wherever the hardware has them.
void net_retired(node *n, const nic_retire_rec *hw) {
  reach_moved(n, hw);
  node_moved(n, hw);
  nic_retire_rec of = *hw, *r = &of;
  r->idx = (uint8_t)node_qp_of(n, hw);
  bool cnp = r->kind == NIC_RET_FRAME && r->a >> 24 == NIC_OP_CNP;
  n->no_room[r->idx] += r->kind == NIC_RET_FRAME && !cnp && (r->code == NIC_FR_NO_ROOM || r->code == NIC_FR_FOREIGN);
  n->not_ready[r->idx] +=
      (r->kind == NIC_RET_FRAME && r->code == NIC_FR_NOT_READY) || (r->kind == NIC_RET_TX && r->code == NIC_TX_ABSENT);
  if (!cnp) again_retired(n, r);
  congest_retired(n, r);
  reach_retired(n, r);
}

const char *net_record_text(const nic_retire_rec *r, char *buf, size_t k) {
  static const char *const kind[] = {"None",  "RegRead", "Rx",       "Frame", "Send", "Tx", "Task",
                                     "Event", "Timer",   "RegWrite", "Table", "Rate", "Ctx"};
  static const char *const fr[] = {"Foreign", "Ahead", "Dup",    "Invalid", "Access", "NotReady", "NoRoom",
                                   "Done",    "Stale", "Answer", "Back",    "End",    "Cnp"};
  static const char *const tx[] = {"Ack", "Nak", "Read", "Atomic", "Request", "Cnp", "Absent"};
  static const char *const ctx[] = {"Loaded", "Saved", "Closed", "Broken", "NoPlace"};
  static const char *const rate[] = {"Cut", "Calm", "Raised", "Both"};
  const char *code = r->kind == NIC_RET_FRAME && r->code < 13 ? fr[r->code]
                     : r->kind == NIC_RET_TX && r->code < 7   ? tx[r->code]
                     : r->kind == NIC_RET_RATE && r->code < 4 ? rate[r->code]
                     : r->kind == NIC_RET_CTX && r->code < 5  ? ctx[r->code]
                     : r->kind == NIC_RET_RX                  ? nic_rx_name(r->code)
                                                              : "";
  snprintf(buf, k, "%-8s %-8s code %u flag %u idx %u a %" PRIx64 " b %" PRIx64, r->kind < 13 ? kind[r->kind] : "?",
           code, r->code, r->flag, r->idx, r->a, r->b);
  return buf;
}
