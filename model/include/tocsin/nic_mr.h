// SPDX-License-Identifier: Apache-2.0
/* Memory regions: which of a process' bytes peers may read, write, or change atomically. */
#ifndef TOCSIN_NIC_MR_H
#define TOCSIN_NIC_MR_H

#include <stdbool.h>
#include <stdint.h>

enum { NIC_MRS_MAX = 256 };

/* Written words wait in base and len until the key is written: the live_ ones decide. */
typedef struct nic_mr {
  uint64_t base, len, key;
  uint64_t live_base, live_len;
} nic_mr;

/* The process has an enabled region of this key. */
bool nic_mr_named(const nic_mr *mr, unsigned num, uint32_t rkey, unsigned proc);

/* right: NIC_MR_KEY_R_MASK, _W_MASK or _A_MASK. len 0 is not looked at by the callers. */
bool nic_mr_ok(const nic_mr *mr, unsigned num, uint32_t rkey, unsigned proc, uint64_t va, uint64_t len, uint64_t right);

#endif
