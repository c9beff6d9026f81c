// SPDX-License-Identifier: Apache-2.0
/* Writes of the engine's own, and what it means when one fails. */
#include "aa_state.h"
#include "tocsin/aa_regs.h"

/* ERR-1, ERR-5, ERR-7. */
void aa_write_failed(aa *m, unsigned src, unsigned owner, uint64_t addr) {
  unsigned n = owner & 0xffu;
  aa_log *g = n == AA_LOG_NONE ? NULL : &m->logs.log[n];
  aa_emit(m, AA_RET_NOTIFY, owner & AA_OWNER_PTR, AA_NOTE_AXI_ERR, 0, n, src, addr, 0);
  aa_fault_write_error(&m->fault, g ? (unsigned)(g->cfg & AA_LOG_CFG_IUID_MASK) : 0, addr);
  m->due = true;
  if (!g) return;
  m->logs_due |= 1u << n;
  if (src != AA_SRC_SMALL) {
    aa_log_fail(g);
    for (unsigned i = 0; i < m->flush.waiters; i++)
      if (m->flush.waiter[i].live && m->flush.waiter[i].log == n) m->flush.waiter[i].torn = true;
  } else if (owner & AA_OWNER_PTR) {
    aa_log_fail_ptr(g);
  }
}

bool aa_write(aa *m, unsigned src, unsigned owner, uint64_t addr, const void *buf, size_t n, const aa_retire_rec *hw) {
  if (m->ops.mem_write(m->ctx, src, addr, buf, n) || hw) return true;
  aa_write_failed(m, src, owner, addr);
  return false;
}
