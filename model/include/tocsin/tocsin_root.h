// SPDX-License-Identifier: Apache-2.0
/* A root complex: does translated requests on memory and makes their completions, split at multiples of 256 bytes,
 * in order and at once. For hosts that are simulated; what a test bench needs (splits, delays, errors of all kinds)
 * is in verif/cosim_aa. */
#ifndef TOCSIN_ROOT_H
#define TOCSIN_ROOT_H

#include <stddef.h>

#include "tocsin/tlp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first three get the ctx of the call; mem_read and mem_write return false for an error response, mem_atomic
 * (fetch-and-add, or with cas compare-and-swap, of 4 or 8 bytes) may be NULL: a read and a write. `complete` gets `to`;
 * the packet is valid during the call. */
typedef struct tocsin_root_ops {
  bool (*mem_read)(void *ctx, uint64_t addr, void *buf, size_t n);
  bool (*mem_write)(void *ctx, uint64_t addr, const void *buf, size_t n);
  bool (*mem_atomic)(void *ctx, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare, uint64_t *old);
  void (*complete)(void *to, const tlp *t);
  void *to;
} tocsin_root_ops;

/* Everything that comes of one request. Messages and completions of devices end here. */
void tocsin_root_request(const tocsin_root_ops *ops, void *ctx, const tlp *t);

#ifdef __cplusplus
}
#endif
#endif
