// SPDX-License-Identifier: Apache-2.0
#include "tocsin/nic_mr.h"

#include "tocsin/nic_regs.h"

/* QPR-5. */
bool nic_mr_named(const nic_mr *mr, unsigned num, uint32_t rkey, unsigned proc) {
  unsigned i = rkey & 0xff;
  if (i >= num) return false;
  const nic_mr *r = &mr[i];
  return (r->key & NIC_MR_KEY_EN_MASK) && (uint32_t)r->key == rkey &&
         (r->key & NIC_MR_KEY_PROC_MASK) >> NIC_MR_KEY_PROC_LSB == proc;
}

bool nic_mr_ok(const nic_mr *mr, unsigned num, uint32_t rkey, unsigned proc, uint64_t va, uint64_t len,
               uint64_t right) {
  if (!nic_mr_named(mr, num, rkey, proc)) return false;
  const nic_mr *r = &mr[rkey & 0xff];
  uint64_t off = va - r->live_base;
  return (r->key & right) && va >= r->live_base && off <= r->live_len && len <= r->live_len - off &&
         va + (len - 1) >= va;
}
