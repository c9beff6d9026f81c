// SPDX-License-Identifier: Apache-2.0
// Names, fields and meanings of the registers, for programs that show them. The tables come from rtl/*/..._regs.rdl.
#ifndef TOCSIN_REGS_TABLE_H
#define TOCSIN_REGS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tocsin_field {
  const char *name;
  uint8_t msb, lsb;
  const char *text;
} tocsin_field;

typedef struct tocsin_reg {
  const char *name;
  uint32_t offset;
  uint32_t stride, num;  // an array of num, stride bytes apart; num 0: a single register
  uint8_t width;         // 32 or 64
  const char *access;    // ro rw wo w1c w1s rwd
  const char *text;
  const tocsin_field *field;
  size_t fields;
  const char *const *count;  // what element i of an array of counters counts
  size_t counts;
} tocsin_reg;

typedef struct tocsin_reg_map {
  const tocsin_reg *reg;
  size_t regs;
} tocsin_reg_map;

extern const tocsin_reg_map tocsin_aa_reg_map;   // the IOMMU
extern const tocsin_reg_map tocsin_nic_reg_map;  // NIC and XTQ

// The register that has the byte at addr (*index: which of an array, may be NULL), or NULL.
const tocsin_reg *tocsin_reg_at(const tocsin_reg_map *map, uint32_t addr, unsigned *index);

// The register of a name (case does not matter), or NULL.
const tocsin_reg *tocsin_reg_named(const tocsin_reg_map *map, const char *name);

#ifdef __cplusplus
}
#endif
#endif
