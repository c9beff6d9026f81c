// SPDX-License-Identifier: Apache-2.0
// What xnode.c and xnode_work.c share.
#ifndef TOCSIN_CLUSTER_XNODE_STATE_H
#define TOCSIN_CLUSTER_XNODE_STATE_H

#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"
#include "tocsin/table.h"
#include "xnode.h"

// I/O addresses, which are the physical ones as well; the accelerator's doorbell behind its index block;
// a command's room.
#define X_AT (1ull << 36)
#define X_MAC 0x02544f430000ull
#define X_IP 0x0a540000ull
enum { X_BELL = 1024, X_SLOT = 128, X_QPN = 0x100, X_NIC = 0x100000, X_RNR = 1, X_KEY = 0x5a00 };
#define X_NREG(name) (X_NIC + NIC_REG_##name)
#define X_NREG_AT(name, i) (X_NIC + NIC_REG_##name + (i)*NIC_REG_##name##_STRIDE)

struct xnode {
  unsigned id;
  x_sizes z;
  tocsin_model *m;
  uint8_t *mem;
  uint64_t bytes, part[X_PARTS + 1];  // offsets
  size_t model_bytes;
  x_did *did, none;
  uint64_t walks;
  bool bad;
  unsigned posted[X_QPS], rung[X_QPS];  // entries in the ring, and those whose doorbell has reached the NIC
  unsigned events;                      // taken by the process
  uint64_t launched;
};

void x_reg(xnode *n, uint32_t at, uint64_t value);
#endif
