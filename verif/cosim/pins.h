// SPDX-License-Identifier: Apache-2.0
// Pins of aa_iommu, or those that DUT_PINS lists, and how values of any width are put on them. Include with PIN(name)
// defined to list them.
//
// Verilator keeps a pin of any width as little-endian bytes (up to 8 in one word, more in an array of words), so one
// pointer to bytes serves all; bits 8k+7:8k of a pin are byte k.
#if defined(PIN) && defined(DUT_PINS)
#include DUT_PINS
#elif defined(PIN)
#include "pin_groups.h"
// clang-format off
PINS_CLOCK PINS_SERVE PINS_HOST PIN(dev_reset_i) PIN(crd_ph_o) PIN(crd_pd_o) PIN(crd_nph_o) PIN(crd_npd_o)
PINS_AXI PINS_AXIL PINS_TASK_FROM PINS_RETIRE
// clang-format on
#else
#ifndef TOCSIN_COSIM_PINS_H
#define TOCSIN_COSIM_PINS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pins {
#define PIN(name) uint8_t *name;
#include "pins.h"
#undef PIN
} pins;

// The Verilated hardware.
typedef struct dut dut;
dut *dut_new(uint64_t seed, const char *wave, pins *p);  // wave: name of an FST file or null
void dut_eval(dut *d);
void dut_dump(dut *d, uint64_t time);
void dut_check(dut *d, int on);  // assertions are off until told (registers are random before reset)
// The first assertion that failed since they were switched on, as "FILE:LINE: Assertion failed in PATH.LABEL..."; null
// if none has. It is kept by the hardware.
const char *dut_failed(dut *d);
void dut_free(dut *d);

// Half a cycle: the clock becomes `level`, and all that follows from it.
static inline void dut_half(dut *d, const pins *p, uint8_t level, uint64_t time, bool dump) {
  *p->clk_i = level;
  dut_eval(d);
  if (dump) dut_dump(d, time);
}

// From registers that hold anything to the first cycle of work. One rising edge is enough (docs/integration.md): more
// of them hide what needs a second one, so odd seeds have one.
static inline void dut_reset(dut *d, const pins *p, uint64_t seed) {
  unsigned edges = seed & 1 ? 1 : 10;
  *p->rst_ni = 0;
  for (unsigned i = 0; i < 2 * edges; i++) dut_half(d, p, i & 1, 0, false);
  dut_check(d, 1);
  *p->rst_ni = 1;
}

#ifdef __cplusplus
}
#endif
#endif
#endif
