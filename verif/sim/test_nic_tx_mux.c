// SPDX-License-Identifier: Apache-2.0
// nic_tx_mux: three sources of frames whose heads and items come at their own pace; order, wholeness, turns, records,
// rate.
// Rules of rtl/nic/README.md: RSP-14.
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

enum { RESP, REQ, ACK, SOURCES };
static source s[SOURCES];
static unsigned order[RING], order_in, order_out;
static uint64_t frames[SOURCES], beats;
static unsigned lost[SOURCES];

static void offer(tb *t, source *x, unsigned head_percent, unsigned pay_percent) {
  if (!x->head_valid && rnd_chance(t, head_percent)) {
    rnd_words(t, x->head, HW);
    x->qp = (unsigned)rnd_bits(t, 8);
    x->code = (unsigned)rnd_below(t, 4);
    x->nth = x == &s[ACK] ? 0 : (unsigned)rnd_bits(t, 24);
    x->epoch = x == &s[REQ] ? (unsigned)rnd_bits(t, 8) : 0;
    x->lost = x == &s[REQ] && rnd_chance(t, 10);
    x->head_valid = true;
  }
  if (x != &s[ACK] && !x->pay_valid && rnd_chance(t, pay_percent)) {
    if (x->left == 0) x->left = 1 + (unsigned)rnd_below(t, 5);
    rnd_words(t, x->pay, BW);
    bits_set(x->pay, NIC_BYTES_T_LAST_LSB, 1, --x->left == 0);
    x->pay_valid = true;
  }
}

static void drive(dut *d) {
  dut_set_resp_head_valid_i(d, s[RESP].head_valid);
  dut_set_resp_head_i(d, s[RESP].head);
  dut_set_resp_qp_i(d, s[RESP].qp);
  dut_set_resp_code_i(d, s[RESP].code);
  dut_set_resp_nth_i(d, s[RESP].nth);
  dut_set_resp_pay_valid_i(d, s[RESP].pay_valid);
  dut_set_resp_pay_i(d, s[RESP].pay);
  dut_set_req_head_valid_i(d, s[REQ].head_valid);
  dut_set_req_head_i(d, s[REQ].head);
  dut_set_req_qp_i(d, s[REQ].qp);
  dut_set_req_nth_i(d, s[REQ].nth);
  dut_set_req_epoch_i(d, s[REQ].epoch);
  dut_set_req_lost_i(d, s[REQ].lost);
  dut_set_req_pay_valid_i(d, s[REQ].pay_valid);
  dut_set_req_pay_i(d, s[REQ].pay);
  dut_set_ack_head_valid_i(d, s[ACK].head_valid);
  dut_set_ack_head_i(d, s[ACK].head);
  dut_set_ack_qp_i(d, s[ACK].qp);
  dut_set_ack_code_i(d, s[ACK].code);
}

static void beat_out(tb *t, dut *d, unsigned from) {
  uint32_t pay[REQ_PAY_I_WORDS];
  CHECK(t, order_in != order_out && order[order_out % RING] == from, "a beat of source %u out of turn", from);
  dut_get_pay_o(d, pay);
  if (from == ACK)
    CHECK(t,
          bits_get(pay, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W) == 0 && bits_get(pay, NIC_BYTES_T_LAST_LSB, 1) &&
              !bits_get(pay, NIC_BYTES_T_ERR_LSB, 1),
          "an acknowledgement has no bytes");
  else
    CHECK(t, words_eq(pay, s[from].pay, BW), "beat of source %u", from);
  if (bits_get(pay, NIC_BYTES_T_LAST_LSB, 1)) order_out++;
  s[from].pay_valid = false;
  beats++;
}

static void head_out(tb *t, dut *d, unsigned from, bool none) {
  uint32_t got[REQ_HEAD_I_WORDS], ret[RET_O_WORDS];
  source *x = &s[from];
  dut_get_head_o(d, got);
  CHECK(t, words_eq(got, x->head, HW), "head of source %u", from);
  dut_get_ret_o(d, ret);
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_KIND_LSB, 4), NIC_E_RetTx, "kind");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_CODE_LSB, 4), from == REQ ? 4 : x->code, "code");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_IDX_LSB, 8), x->qp, "QP");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_A_LSB, 64),
           bits_get(got, NIC_HEAD_T_OPCODE_LSB, 8) << 24 | bits_get(got, NIC_HEAD_T_PSN_LSB, 24), "opcode and PSN");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_B_LSB, 64), (uint64_t)x->epoch << 32 | x->nth, "n-th packet, epoch");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_FLAG_LSB, 1), none, "flag");
  lost[from] = 0;
  for (unsigned k = 0; k < SOURCES; k++)
    if (k != from && s[k].head_valid) {
      lost[k]++;
      CHECK(t, lost[k] < SOURCES, "source %u waits for %u turns", k, lost[k]);
    }
  if (!none) order[order_in++ % RING] = from;
  x->head_valid = false;
  frames[from]++;
}

static void outputs(tb *t, dut *d, bool head_ready, bool pay_ready) {
  bool took[SOURCES] = {s[RESP].head_valid && dut_get_resp_head_ready_o(d),
                        s[REQ].head_valid && dut_get_req_head_ready_o(d),
                        s[ACK].head_valid && dut_get_ack_head_ready_o(d)};
  bool paid[SOURCES] = {s[RESP].pay_valid && dut_get_resp_pay_ready_o(d),
                        s[REQ].pay_valid && dut_get_req_pay_ready_o(d)};
  bool out = dut_get_pay_valid_o(d) && pay_ready;
  if (out && order_in != order_out && order[order_out % RING] == ACK) paid[ACK] = true;
  unsigned heads = 0u + took[RESP] + took[REQ] + took[ACK], pays = 0u + paid[RESP] + paid[REQ] + paid[ACK];
  CHECK(t, heads <= 1 && pays <= 1, "two sources at once");
  bool none = took[REQ] && s[REQ].lost;
  CHECK_EQ(t, heads != 0 && !none, dut_get_head_valid_o(d) && head_ready, "a head in is a head out, but if it is lost");
  CHECK_EQ(t, pays != 0, out, "a beat in is a beat out");
  CHECK_EQ(t, dut_get_ret_valid_o(d), heads != 0, "RetTx");
  bool any = s[RESP].head_valid || s[ACK].head_valid || s[REQ].head_valid;
  if (order_in - order_out < P_Ahead && any && !(s[REQ].head_valid && s[REQ].lost))
    CHECK(t, dut_get_head_valid_o(d), "a head has room and is not shown");
  if (pays) beat_out(t, d, paid[ACK] ? ACK : paid[REQ]);
  if (heads) head_out(t, d, took[ACK] ? ACK : took[REQ], none);
}

int main(int argc, char **argv) {
  unsigned head_percent[SOURCES] = {100, 100, 100}, pay_percent[SOURCES] = {100, 100, 100}, take = 100;
  tb t;
  tb_init(&t, argc, argv, "nic_tx_mux", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 300 == 0) {
      for (unsigned i = 0; i < SOURCES; i++) {
        head_percent[i] = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 60);
        pay_percent[i] = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 60);
      }
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    }
    for (unsigned i = 0; i < SOURCES; i++) offer(&t, &s[i], head_percent[i], pay_percent[i]);
    drive(d);
    bool head_ready = rnd_chance(&t, take), pay_ready = rnd_chance(&t, take);
    dut_set_head_ready_i(d, head_ready);
    dut_set_pay_ready_i(d, pay_ready);
    dut_eval(d);
    outputs(&t, d, head_ready, pay_ready);
    dut_tick(d);
  }
  for (unsigned i = 0; i < SOURCES; i++)
    CHECK(&t, frames[i] > t.cycles / 20, "%u frames of source %u", (unsigned)frames[i], i);
  CHECK(&t, beats > t.cycles / 3, "%u beats", (unsigned)beats);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
