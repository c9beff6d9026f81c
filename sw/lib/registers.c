// SPDX-License-Identifier: Apache-2.0
// Registers and counters, as a program reads and writes them by itself.
#include "internal.h"

static toc_status good_register(uint32_t addr, unsigned size) {
  if ((size != 4 && size != 8) || addr % size || addr >= 2 * NIC)
    return toc_i_fail(TOC_E_ARG, "register 0x%x of %u bytes: 4 or 8, aligned, below 0x200000", addr, size);
  return TOC_OK;
}

static toc_status reg_read(toc_i_node *n, uint32_t addr, unsigned size, uint64_t *value) {
  toc_i_lock(n->f);
  toc_status s = toc_i_read(n, addr, size, value);
  toc_i_unlock(n->f);
  return s;
}

toc_status toc_reg_read(toc_node *h_n, uint32_t addr, unsigned size, uint64_t *value) {
  NEED(value);
  *value = 0;
  OBJECT(node, n);
  TRY(good_register(addr, size));
  return reg_read(n, addr, size, value);
}

toc_status toc_reg_write(toc_node *h_n, uint32_t addr, unsigned size, uint64_t value) {
  OBJECT(node, n);
  TRY(good_register(addr, size));
  toc_i_lock(n->f);
  toc_status s = toc_i_write(n, addr, size, value);
  toc_i_unlock(n->f);
  return s;
}

toc_status toc_count_aa(toc_node *h_n, unsigned index, uint64_t *value) {
  NEED(value);
  *value = 0;
  OBJECT(node, n);
  if (index > AA_CNT_CUT) return toc_i_fail(TOC_E_ARG, "toc_count_aa: there is no counter %u", index);
  return reg_read(n, REG_AT(CNT, index), 8, value);
}

toc_status toc_count_nic(toc_node *h_n, unsigned index, uint64_t *value) {
  NEED(value);
  *value = 0;
  OBJECT(node, n);
  if (index >= NIC_REG_NIC_CNT_NUM) return toc_i_fail(TOC_E_ARG, "toc_count_nic: there is no counter %u", index);
  return reg_read(n, NREG_AT(NIC_CNT, index), 8, value);
}
