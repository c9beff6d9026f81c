// SPDX-License-Identifier: Apache-2.0
// cm_uart_tx: what is on the line, read back by a receiver that samples in the middle of each bit,
// is what was handed over.
// config: default -GDiv=16
// config: fast -GDiv=2
// netlist: fast
#include "tb.h"
#include "cm_uart_tx_tb.h"

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_uart_tx", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  uint8_t sent[4] = {0};
  unsigned in = 0, out = 0, place = 0, got = 0;  // place: cycles since the start edge, 0: the line is idle
  bool valid = false;
  while (dut_cycle(d) < t.cycles) {
    if (!valid && rnd_chance(&t, dut_cycle(d) / 2000 % 2 ? 100 : 2)) {
      valid = true;
      sent[in % 4] = (uint8_t)rnd(&t);
    }
    dut_set_in_valid_i(d, valid);
    dut_set_in_data_i(d, sent[in % 4]);
    dut_eval(d);
    bool line = dut_get_tx_o(d);
    if (!place && !line) place = 1, got = 0;
    if (place) {
      unsigned bit = (place - 1) / P_Div;
      if ((place - 1) % P_Div == P_Div / 2) {
        if (bit == 0) CHECK(&t, !line, "P1: the start bit is 0");
        if (bit >= 1 && bit <= 8) got |= (unsigned)line << (bit - 1);
        if (bit == 9) {
          CHECK(&t, line, "P1: the stop bit is 1");
          CHECK(&t, out < in, "P2: a byte that nobody sent");
          CHECK_EQ(&t, got, sent[out % 4], "P1: byte %u", out);
          out++;
        }
      }
      place = place == 10 * P_Div ? 0 : place + 1;
    }
    if (valid && dut_get_in_ready_o(d)) {
      CHECK(&t, in == out, "P2: taken while %u were on the line", in - out);
      valid = false;
      in++;
    }
    dut_tick(d);
  }
  CHECK(&t, out > t.cycles / (P_Div * 30), "%u bytes", out);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
