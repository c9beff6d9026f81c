// SPDX-License-Identifier: Apache-2.0
// cm_uart_tx: the line in every cycle, from the byte that was taken and the cycle in which it was; a reset ends a byte.
// config: default -GDiv=16
// config: fast -GDiv=2
// config: odd -GDiv=5
// netlist: odd
#include "tb.h"
#include "cm_uart_tx_tb.h"

// Bit k of what is sent for a byte: 0 start, 1 to 8 data, 9 stop.
static bool bit_of(uint8_t byte, unsigned k) { return k == 0 ? false : k <= 8 ? byte >> (k - 1) & 1 : true; }

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_uart_tx", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  uint8_t offered = 0, sent = 0;
  unsigned bytes = 0, left = 0;  // left: cycles of the byte that is sent
  bool valid = false;
  while (dut_cycle(d) < t.cycles) {
    if (!valid) {
      valid = rnd_chance(&t, dut_cycle(d) / 2000 % 2 ? 100 : 2);
      offered = (uint8_t)rnd(&t);
    }
    dut_set_in_valid_i(d, valid);
    dut_set_in_data_i(d, offered);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_in_ready_o(d), left == 0, "P2: taken when nothing is sent");
    CHECK_EQ(&t, dut_get_tx_o(d), left == 0 || bit_of(sent, 9 - (left - 1) / P_Div), "P1: the line, byte %02x, %u left",
             sent, left);
    if (rnd_below(&t, 100 * P_Div) == 0) {
      dut_reset(d, 1);
      left = 0;
      continue;
    }
    if (left) {
      bytes += --left == 0;
    } else if (valid) {
      valid = false;
      sent = offered;
      left = 10 * P_Div;
    }
    dut_tick(d);
  }
  CHECK(&t, bytes > t.cycles / (P_Div * 30), "%u bytes", bytes);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
