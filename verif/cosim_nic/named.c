// SPDX-License-Identifier: Apache-2.0
// Queue pairs by their names: numbers on the wire, places of contexts, names in events. Of what records have said,
// without a look at a register.
#include "sw.h"

uint64_t sw_contexts(const node *n) {
  return n->cfg.Contexts ? sw_va(SW_CTX_PROC, SW_CONTEXTS) | SW_CTX_PROC << NIC_NIC_CTX_PROC_LSB | NIC_NIC_CTX_EN_MASK
                         : 0;
}

unsigned sw_context_at(uint64_t va) { return (unsigned)((va - sw_va(SW_CTX_PROC, SW_CONTEXTS)) / SW_CTX_SIZE); }

uint32_t node_number(const node *n, unsigned qp) {
  return n->cfg.Contexts ? (node_qpn(n->id) >> 4) << 12 | qp : node_qpn(n->id) << 8 | qp;
}

unsigned node_qp(const node *n, unsigned idx) { return n->place[idx] ? n->place[idx] - 1u : idx; }

// Of the queue pair that a record is about; a frame of what is in no place has its number.
unsigned node_qp_of(node *n, const nic_retire_rec *r) {
  bool frame = r->kind == NIC_RET_FRAME, none = frame && n->nowhere && (unsigned)(n->nowhere - 1) % 256 == r->idx;
  if (frame) n->nowhere = 0;
  return none || r->kind == NIC_RET_TASK || r->kind == NIC_RET_EVENT || r->kind == NIC_RET_REG_WRITE
             ? r->idx
             : node_qp(n, r->idx);
}

void node_moved(node *n, const nic_retire_rec *r) {
  if (r->kind != NIC_RET_CTX) return;
  if (r->code == NIC_CTX_LOADED) n->place[r->idx] = (uint16_t)(r->a + 1);
  if (r->code == NIC_CTX_SAVED) n->place[r->idx] = 0;
  if (r->code == NIC_CTX_BROKEN) n->unheard[r->a % 256] = true;
  if (r->code > NIC_CTX_CLOSED || (r->code == NIC_CTX_CLOSED && !r->flag)) n->nowhere = (uint16_t)(r->a + 1);
}

int sw_named(const node *n, unsigned name) {
  if (n->cfg.Contexts) return name < n->cfg.Contexts ? (int)name : -1;
  return !name ? 0 : name > SW_NAME || SW_NAME - name > 255 ? -1 : (int)(SW_NAME - name);
}
