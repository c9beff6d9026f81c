// SPDX-License-Identifier: Apache-2.0
// Pins of tocsin, for verif/cosim/pins.h (DUT_PINS).
#ifndef PIN
#define PIN(name)  // this file alone: nothing
#endif
#include "pin_groups.h"
// clang-format off
PINS_CLOCK PINS_WIRE PIN(dev_req_valid_i) PIN(dev_cpl_ready_i) PIN(dev_reset_i) PINS_HOST PINS_AXI PINS_AXIL PINS_LINK
    // clang-format on
