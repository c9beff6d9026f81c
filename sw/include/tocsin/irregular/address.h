// SPDX-License-Identifier: Apache-2.0
/* Global addresses: 64 bits that mean the same at every rank.
 *
 *   2-D: memory that a rank has exported           63: 1   62:48 rank   47:0 virtual address at that rank
 *   linear: memory of the heap (heap.h)            63: 0   62:0 bytes from the heap's beginning
 *
 * Bits 47:0 of a 2-D address are those of a pointer; the pointer's bits 63:48 are copies of its bit 47.
 * So there are 2^15 ranks at most. Linear addresses are numbers: sums and differences of them are what they are
 * of pointers into one array. */
#ifndef TOCSIN_IRREGULAR_ADDRESS_H
#define TOCSIN_IRREGULAR_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t irr_address;

#define IRR_ADDRESS_2D (1ull << 63)
#define IRR_ADDRESS_RANK_LSB 48
#define IRR_ADDRESS_RANKS (1u << 15)
#define IRR_ADDRESS_NONE (IRR_ADDRESS_2D - 1) /* no address: what a failed allocation gives */

/* Whether an address is 2-D: of memory that a rank has exported, and not of the heap. */
static inline bool irr_address_is_2d(irr_address a) { return a >> 63; }

/* The 2-D address of a pointer of a rank. */
static inline irr_address irr_address_2d(unsigned rank, const void *p) {
  const uint64_t at = (uint64_t)(uintptr_t)p & ((1ull << IRR_ADDRESS_RANK_LSB) - 1);
  return IRR_ADDRESS_2D | (uint64_t)(rank & (IRR_ADDRESS_RANKS - 1)) << IRR_ADDRESS_RANK_LSB | at;
}

/* The rank of a 2-D address. */
static inline unsigned irr_address_2d_rank(irr_address a) {
  return (unsigned)(a >> IRR_ADDRESS_RANK_LSB) & (IRR_ADDRESS_RANKS - 1);
}

/* The pointer of a 2-D address, for its rank. */
static inline void *irr_address_local(irr_address a) {
  const uint64_t low = a & ((1ull << IRR_ADDRESS_RANK_LSB) - 1), sign = 1ull << (IRR_ADDRESS_RANK_LSB - 1);
  return (void *)(uintptr_t)((low ^ sign) - sign);
}

#ifdef __cplusplus
}
#endif
#endif
