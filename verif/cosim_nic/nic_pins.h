// SPDX-License-Identifier: Apache-2.0
// Pins of xtq_nic, for verif/cosim/pins.h (DUT_PINS).
#ifndef PIN
#define PIN(name)  // this file alone: nothing
#endif
#include "pin_groups.h"
// clang-format off
PINS_CLOCK PINS_WIRE PINS_DEVICE PINS_AXIL PINS_TASK_INTO PINS_RETIRE
    // clang-format on
