// SPDX-License-Identifier: Apache-2.0
// The register bus as a block has it at its pins: cm_pkg::reg_bus_t.
#ifndef TOCSIN_REG_BUS_H
#define TOCSIN_REG_BUS_H

#include "aa_fields.h"
#include "tb.h"

typedef struct reg_bus {
  uint32_t words[(CM_REG_BUS_T_W + 31) / 32];
} reg_bus;

// A field of it, ADDR (of words of 8 bytes), WE, WDATA or WSTRB.
#define REG_BUS(words, field) bits_get(words, CM_REG_BUS_T_##field##_LSB, CM_REG_BUS_T_##field##_W)

// A word of 8 bytes at an address of bytes.
static inline reg_bus reg_bus_of(uint64_t addr, bool we, uint64_t data, unsigned strb) {
  reg_bus b = {{0}};
  bits_set(b.words, CM_REG_BUS_T_ADDR_LSB, CM_REG_BUS_T_ADDR_W, addr >> 3);
  bits_set(b.words, CM_REG_BUS_T_WE_LSB, CM_REG_BUS_T_WE_W, we);
  bits_set(b.words, CM_REG_BUS_T_WDATA_LSB, CM_REG_BUS_T_WDATA_W, data);
  bits_set(b.words, CM_REG_BUS_T_WSTRB_LSB, CM_REG_BUS_T_WSTRB_W, strb);
  return b;
}

// Another value of a field (ADDR in words of 8 bytes) at the pins rb_i; the others stay.
#define REG_BUS_SET(d, field, v)                                                  \
  do {                                                                            \
    reg_bus rb_;                                                                  \
    dut_get_rb_i(d, rb_.words);                                                   \
    bits_set(rb_.words, CM_REG_BUS_T_##field##_LSB, CM_REG_BUS_T_##field##_W, v); \
    dut_set_rb_i(d, rb_.words);                                                   \
  } while (0)

#endif
