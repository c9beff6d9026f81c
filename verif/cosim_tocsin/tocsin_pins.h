// SPDX-License-Identifier: Apache-2.0
// Pins of tocsin, for verif/cosim/pins.h (DUT_PINS); behind them those that the two halves of a node look at as if they
// had a top of their own (tocsin_node.c lays them upon the taps of the link; DUT_REAL leaves them out).
#ifndef PIN
#define PIN(name)  // this file alone: nothing
#endif
#include "pin_groups.h"
// clang-format off
PINS_CLOCK PINS_WIRE PINS_SERVE PINS_HOST PIN(dev_reset_i)
PIN(crd_ph_o) PIN(crd_pd_o) PIN(crd_nph_o) PIN(crd_npd_o) PINS_AXI PINS_AXIL
PIN(aa_retire_valid_o) PIN(aa_retire_o) PIN(nic_retire_valid_o) PIN(nic_retire_o)
PINS_LINK PIN(link_task_take_o) PIN(link_task_log_o) PIN(link_task_prod_o) PIN(link_task_cons_o)
PIN(link_done_o) PIN(link_done_log_o)
#ifndef DUT_REAL
PINS_DEVICE PINS_TASK_INTO PINS_TASK_FROM PINS_RETIRE
#endif
    // clang-format on
