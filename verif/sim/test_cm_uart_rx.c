// SPDX-License-Identifier: Apache-2.0
// cm_uart_rx: a sender that is up to 4 % fast or slow, with pauses or without, stop bits that are 0, and short
// spikes on an idle line.
// config: default -GDiv=50
// config: odd -GDiv=27
#include "tb.h"
#include "cm_uart_rx_tb.h"

enum { SCALE = 1000 };

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_uart_rx", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned good = 0, bad = 0, sent_good = 0, sent_bad = 0, idle = 20, spike = 0;
  uint8_t byte = 0;
  bool stop = true, came = false;
  uint64_t at = 0, bit = 0;  // in thousandths of a cycle; bit 0: idle
  dut_set_rx_i(d, 1);
  while (dut_cycle(d) < t.cycles) {
    if (!bit && idle) {
      idle--;
      spike = spike ? spike - 1 : idle == P_Div && rnd_chance(&t, 50) ? P_Div / 3 : 0;
    }
    if (!bit && !idle) {
      bit = (uint64_t)P_Div * (SCALE - 40 + rnd(&t) % 81);
      at = 0;
      spike = 0;
      byte = (uint8_t)rnd(&t);
      came = false;
      stop = !rnd_chance(&t, 10);
    }
    bool line = !spike;
    if (bit) {
      uint64_t k = at / bit;
      line = k == 0 ? false : k <= 8 ? byte >> (k - 1) & 1 : stop;
      at += SCALE;
      if (at >= bit * 10) {
        CHECK(&t, came, "P1: byte %02x did not come", byte);
        (*(stop ? &sent_good : &sent_bad))++;
        bit = 0;
        // after a bad stop bit the line must rest, or the next start is not one
        idle = !stop ? 2 * P_Div : rnd_chance(&t, 50) ? 0 : (unsigned)(rnd(&t) % (3 * P_Div)) + P_Div;
      }
    }
    dut_set_rx_i(d, line);
    dut_eval(d);
    CHECK(&t, !(dut_get_out_valid_o(d) && dut_get_bad_o(d)), "both good and bad");
    bool is_good = dut_get_out_valid_o(d), is_bad = dut_get_bad_o(d);
    if (is_good || is_bad) {
      CHECK(&t, bit && at >= 9 * bit && !came, "P1, P2: a byte that nobody sends");
      CHECK_EQ(&t, is_good, stop, "P1: stop bit");
      if (is_good) CHECK_EQ(&t, dut_get_out_data_o(d), byte, "P1: byte");
      (*(is_good ? &good : &bad))++;
      came = true;
    }
    dut_tick(d);
  }
  unsigned late = bit != 0;  // the last one may still be on its way
  CHECK(&t, sent_good - good <= late && good <= sent_good + late, "P1, P2: %u good bytes, %u sent", good, sent_good);
  CHECK(&t, sent_bad - bad <= late && bad <= sent_bad + late, "P1: %u bad bytes, %u sent", bad, sent_bad);
  CHECK(&t, sent_good > t.cycles / (P_Div * 40) && sent_bad > 0, "%u and %u sent", sent_good, sent_bad);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
