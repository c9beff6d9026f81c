// SPDX-License-Identifier: Apache-2.0
// Pins of tocsin_fpga, for verif/cosim/pins.h (DUT_PINS).
#ifndef PIN
#define PIN(name)  // this file alone: nothing
#endif
// clang-format off
PIN(clk_i) PIN(rst_ni) PIN(uart_rx_i) PIN(uart_tx_o)
    // clang-format on
