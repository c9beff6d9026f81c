// SPDX-License-Identifier: Apache-2.0
/* aa_decide: what the page says about an access, as a function of the leaf's bits alone. The rest of a decision
 * (filters, tags, log space) is in aa_decide.c; this table is what documentation is generated from and what the
 * hardware is proved equal to. */
#ifndef TOCSIN_AA_DECIDE_H
#define TOCSIN_AA_DECIDE_H

#include "tocsin/aa_xlt.h"

typedef enum aa_op { AA_OP_WRITE, AA_OP_READ, AA_OP_ZERO_WRITE, AA_OP_ZERO_READ, AA_OP_ATOMIC, AA_OP_NUM } aa_op;

enum {
  AA_RULE_ALLOWED = 0x01,  /* memory access done */
  AA_RULE_LOG = 0x02,      /* E and L: record in the access log */
  AA_RULE_DATA_PUT = 0x04, /* its data: what the request carries */
  AA_RULE_DATA_GET = 0x08, /* its data: what the completion carries */
  AA_RULE_STOCK = 0x10,    /* stock record A0 */
  AA_RULE_FAULT5 = 0x20,   /* stock fault 5 */
  AA_RULE_FAULT6 = 0x40    /* stock fault 6 */
};

/* bits: AA_LEAF_R .. AA_LEAF_E, 0..127. */
uint8_t aa_decide_rule(aa_op op, unsigned bits);

/* Addresses that only interrupts have: no translation may lead there. */
static inline bool aa_decide_fee(uint64_t addr) { return (addr & 0x0000fffffff00000ull) == 0xfee00000u; }

/* A leaf that asks for nothing but the access (of an operation whose rules are given, by bits of the leaf). */
static inline bool aa_decide_plain(const uint8_t *rules, uint64_t leaf) {
  return !(leaf & AA_LEAF_NONE) && rules[leaf & 127u] == AA_RULE_ALLOWED && !aa_decide_fee(leaf);
}

#endif
