// SPDX-License-Identifier: Apache-2.0
// nic_tx_mux: two sources of frames whose heads and items come at their own pace; order, wholeness, turns, records, rate.
// config: default -GAhead=4
// config: one -GAhead=1 +define+TOCSIN_DATA_W=128
// config: wide -GAhead=3 +define+TOCSIN_DATA_W=512
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_tx_mux_tb.h"

#define HW REQ_HEAD_I_W
#define BW REQ_PAY_I_W
#define RING 64

typedef struct source {
  uint32_t head[REQ_HEAD_I_WORDS], pay[REQ_PAY_I_WORDS];  // offered now
  unsigned qp, code, nth, epoch, left;
  bool head_valid, pay_valid, lost;
  unsigned heads, items;  // taken
} source;

static source s[2];  // 0 responses, 1 requests
static unsigned order[RING], order_in, order_out;
static uint64_t frames[2], beats;
static unsigned lost[2];

static void offer(tb *t, source *x, unsigned head_percent, unsigned pay_percent) {
  if (!x->head_valid && rnd_chance(t, head_percent)) {
    rnd_words(t, x->head, HW);
    x->qp = (unsigned)rnd_bits(t, 8);
    x->code = (unsigned)rnd_below(t, 4);
    x->nth = (unsigned)rnd_bits(t, 24);
    x->epoch = x == &s[1] ? (unsigned)rnd_bits(t, 4) : 0;
    x->lost = x == &s[1] && rnd_chance(t, 10);
    x->head_valid = true;
  }
  if (!x->pay_valid && rnd_chance(t, pay_percent)) {
    if (x->left == 0) x->left = 1 + (unsigned)rnd_below(t, 5);
    rnd_words(t, x->pay, BW);
    bits_set(x->pay, NIC_BYTES_T_LAST_LSB, 1, --x->left == 0);
    x->pay_valid = true;
  }
}

int main(int argc, char **argv) {
  unsigned head_percent[2] = {100, 100}, pay_percent[2] = {100, 100}, take = 100;
  uint32_t got[REQ_HEAD_I_WORDS], pay[REQ_PAY_I_WORDS], ret[RET_O_WORDS];
  tb t;
  tb_init(&t, argc, argv, "nic_tx_mux", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 300 == 0) {
      for (unsigned i = 0; i < 2; i++) {
        head_percent[i] = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 60);
        pay_percent[i] = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 60);
      }
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    }
    for (unsigned i = 0; i < 2; i++) offer(&t, &s[i], head_percent[i], pay_percent[i]);
    dut_set_resp_head_valid_i(d, s[0].head_valid);
    dut_set_resp_head_i(d, s[0].head);
    dut_set_resp_qp_i(d, s[0].qp);
    dut_set_resp_code_i(d, s[0].code);
    dut_set_resp_nth_i(d, s[0].nth);
    dut_set_resp_pay_valid_i(d, s[0].pay_valid);
    dut_set_resp_pay_i(d, s[0].pay);
    dut_set_req_head_valid_i(d, s[1].head_valid);
    dut_set_req_head_i(d, s[1].head);
    dut_set_req_qp_i(d, s[1].qp);
    dut_set_req_nth_i(d, s[1].nth);
    dut_set_req_epoch_i(d, s[1].epoch);
    dut_set_req_lost_i(d, s[1].lost);
    dut_set_req_pay_valid_i(d, s[1].pay_valid);
    dut_set_req_pay_i(d, s[1].pay);
    bool head_ready = rnd_chance(&t, take), pay_ready = rnd_chance(&t, take);
    dut_set_head_ready_i(d, head_ready);
    dut_set_pay_ready_i(d, pay_ready);
    dut_eval(d);

    unsigned heads = (unsigned)(s[0].head_valid && dut_get_resp_head_ready_o(d)) |
                     (unsigned)(s[1].head_valid && dut_get_req_head_ready_o(d)) << 1;
    unsigned pays = (unsigned)(s[0].pay_valid && dut_get_resp_pay_ready_o(d)) |
                    (unsigned)(s[1].pay_valid && dut_get_req_pay_ready_o(d)) << 1;
    CHECK(&t, heads != 3 && pays != 3, "two sources at once");
    bool none = heads >> 1 && s[1].lost;
    CHECK_EQ(&t, heads != 0 && !none, dut_get_head_valid_o(d) && head_ready,
             "a head in is a head out, but if it is lost");
    CHECK_EQ(&t, pays != 0, dut_get_pay_valid_o(d) && pay_ready, "a beat in is a beat out");
    CHECK_EQ(&t, dut_get_ret_valid_o(d), heads != 0, "RetTx");
    if (order_in - order_out < P_Ahead && (s[0].head_valid || s[1].head_valid) && !(s[1].head_valid && s[1].lost))
      CHECK(&t, dut_get_head_valid_o(d), "a head has room and is not shown");

    if (pays) {
      unsigned from = pays >> 1;
      CHECK(&t, order_in != order_out && order[order_out % RING] == from, "a beat of source %u out of turn", from);
      dut_get_pay_o(d, pay);
      CHECK(&t, words_eq(pay, s[from].pay, BW), "beat of source %u", from);
      if (bits_get(pay, NIC_BYTES_T_LAST_LSB, 1)) order_out++;
      s[from].pay_valid = false;
      beats++;
    }
    if (heads) {
      unsigned from = heads >> 1;
      source *x = &s[from];
      dut_get_head_o(d, got);
      CHECK(&t, words_eq(got, x->head, HW), "head of source %u", from);
      dut_get_ret_o(d, ret);
      CHECK_EQ(&t, bits_get(ret, NIC_RETIRE_T_KIND_LSB, 4), NIC_E_RetTx, "kind");
      CHECK_EQ(&t, bits_get(ret, NIC_RETIRE_T_CODE_LSB, 4), from ? 4 : x->code, "code");
      CHECK_EQ(&t, bits_get(ret, NIC_RETIRE_T_IDX_LSB, 8), x->qp, "QP");
      CHECK_EQ(&t, bits_get(ret, NIC_RETIRE_T_A_LSB, 64),
               bits_get(got, NIC_HEAD_T_OPCODE_LSB, 8) << 24 | bits_get(got, NIC_HEAD_T_PSN_LSB, 24), "opcode and PSN");
      CHECK_EQ(&t, bits_get(ret, NIC_RETIRE_T_B_LSB, 64), (uint64_t)x->epoch << 32 | x->nth, "n-th packet, epoch");
      CHECK_EQ(&t, bits_get(ret, NIC_RETIRE_T_FLAG_LSB, 1), none, "flag");
      lost[from] = 0;
      if (s[!from].head_valid) CHECK(&t, ++lost[!from] < 2, "source %u waits for two turns", !from);
      if (!none) order[order_in++ % RING] = from;
      x->head_valid = false;
      frames[from]++;
    }
    dut_tick(d);
  }
  CHECK(&t, frames[0] > t.cycles / 20 && frames[1] > t.cycles / 20, "%u and %u frames", (unsigned)frames[0],
        (unsigned)frames[1]);
  CHECK(&t, beats > t.cycles / 3, "%u beats", (unsigned)beats);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
