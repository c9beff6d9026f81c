// SPDX-License-Identifier: Apache-2.0
// The extension of a frame to be built, in a tx_head_t: its words as the wire has them, and their fields.
#ifndef TOCSIN_TX_EXT_H
#define TOCSIN_TX_EXT_H

#include "aa_fields.h"
#include "tb.h"

static inline uint32_t tx_word(const uint32_t *head, unsigned i) {
  return (uint32_t)bits_get(head, NIC_TX_HEAD_T_EXT_LSB + 32 * i, 32);
}
static inline uint64_t tx_two(const uint32_t *head, unsigned i) {
  return (uint64_t)tx_word(head, i) << 32 | tx_word(head, i + 1);
}

// RETH and AtomicETH
static inline uint64_t tx_va(const uint32_t *head) { return tx_two(head, 0); }
static inline uint32_t tx_rkey(const uint32_t *head) { return tx_word(head, 2); }
static inline uint32_t tx_length(const uint32_t *head) { return tx_word(head, 3); }
static inline uint64_t tx_swap(const uint32_t *head) { return tx_two(head, 3); }
static inline uint64_t tx_compare(const uint32_t *head) { return tx_two(head, 5); }
// AETH, AtomicAckETH
static inline unsigned tx_syndrome(const uint32_t *head) { return tx_word(head, 0) >> 24; }
static inline uint32_t tx_msn(const uint32_t *head) { return tx_word(head, 0) & 0xffffff; }
static inline uint64_t tx_value(const uint32_t *head) { return tx_two(head, 1); }

#endif
