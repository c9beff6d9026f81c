// SPDX-License-Identifier: Apache-2.0
// nic_tx_mux: three sources of frames whose heads and items come at their own pace; order, wholeness, turns, records,
// rate, resets.
// Rules of rtl/nic/README.md: RSP-14.
// config: default -GAhead=4
// config: one -GAhead=1 +define+TOCSIN_DATA_W=128
// config: wide -GAhead=3 +define+TOCSIN_DATA_W=512
// netlist: default
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
} source;

enum { RESP, REQ, ACK, SOURCES };
static source s[SOURCES];
static unsigned order[RING], order_in, order_out;
static unsigned whose;  // whose turn it is, whether it has a head or not
static uint64_t frames[SOURCES], beats;

static void offer(tb *t, source *x, unsigned head_percent, unsigned pay_percent) {
  if (!x->head_valid && rnd_chance(t, head_percent)) {
    rnd_words(t, x->head, HW);
    x->qp = (unsigned)rnd_bits(t, 8);
    x->code = (unsigned)rnd_bits(t, 4);
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

// The beat that is offered is that of the frame whose turn it is. True when the last one of an item leaves.
static bool look_at_pay(tb *t, dut *d) {
  uint32_t pay[REQ_PAY_I_WORDS];
  const bool open = order_in != order_out, ready = dut_get_pay_ready_i(d);
  const unsigned from = open ? order[order_out % RING] : SOURCES;
  const bool has = open && (from == ACK || s[from].pay_valid);
  CHECK_EQ(t, dut_get_pay_valid_o(d), has, "P2: the beat of source %u", from);
  CHECK_EQ(t, s[RESP].pay_valid && dut_get_resp_pay_ready_o(d), has && ready && from == RESP,
           "P2: a response's is taken");
  CHECK_EQ(t, s[REQ].pay_valid && dut_get_req_pay_ready_o(d), has && ready && from == REQ, "P2: a request's is taken");
  if (!has) return false;
  dut_get_pay_o(d, pay);
  if (from == ACK)
    CHECK(t,
          bits_get(pay, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W) == 0 && bits_get(pay, NIC_BYTES_T_LAST_LSB, 1) &&
              !bits_get(pay, NIC_BYTES_T_ERR_LSB, 1),
          "an acknowledgement has no bytes");
  else
    CHECK(t, words_eq(pay, s[from].pay, BW), "beat of source %u", from);
  if (!ready) return false;
  s[from].pay_valid = false;
  beats++;
  return bits_get(pay, NIC_BYTES_T_LAST_LSB, 1);
}

static void check_ret(tb *t, dut *d, unsigned from, bool none) {
  uint32_t ret[RET_O_WORDS];
  const source *x = &s[from];
  dut_get_ret_o(d, ret);
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_KIND_LSB, 4), NIC_E_RetTx, "kind");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_CODE_LSB, 4), from == REQ ? 4 : x->code, "code");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_IDX_LSB, 8), x->qp, "QP");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_A_LSB, 64),
           bits_get(x->head, NIC_TX_HEAD_T_OPCODE_LSB, 8) << 24 | bits_get(x->head, NIC_TX_HEAD_T_PSN_LSB, 24),
           "opcode and PSN");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_B_LSB, 64), (uint64_t)x->epoch << 32 | x->nth, "n-th packet, epoch");
  CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_FLAG_LSB, 1), none, "flag");
}

// The head that is offered is that of the source whose turn it is, as long as it waits.
static void look_at_head(tb *t, dut *d, bool room) {
  uint32_t head[REQ_HEAD_I_WORDS];
  const unsigned turn = whose;
  const bool any = s[turn].head_valid, none = any && s[turn].lost, shown = any && room && !none,
             go = none || (shown && dut_get_head_ready_i(d));
  CHECK_EQ(t, dut_get_head_valid_o(d), shown, "P1: a head is shown while there is room, but one that is lost");
  CHECK_EQ(t, dut_get_ret_valid_o(d), go, "P1: RetTx");
  CHECK_EQ(t,
           (s[RESP].head_valid && dut_get_resp_head_ready_o(d)) |
               (s[REQ].head_valid && dut_get_req_head_ready_o(d)) << 1 |
               (s[ACK].head_valid && dut_get_ack_head_ready_o(d)) << 2,
           go ? 1u << turn : 0, "P3: whose head is taken");
  if (shown) {
    dut_get_head_o(d, head);
    CHECK(t, words_eq(head, s[turn].head, HW), "P1: the head is that of source %u", turn);
    CHECK_EQ(t, dut_get_head_qp_o(d), s[turn].qp, "P1: whose it is");
    CHECK_EQ(t, dut_get_head_req_o(d), turn == REQ, "P1: whether it is a request");
  }
  if (go) {
    check_ret(t, d, turn, none);
    if (!none) order[order_in++ % RING] = turn;
    s[turn].head_valid = false;
    frames[turn]++;
  }
  // The next turn: another's that waits, or this one's still.
  if (any && !go) return;
  for (unsigned i = 1; i < SOURCES && whose == turn; i++)
    if (s[(turn + i) % SOURCES].head_valid) whose = (turn + i) % SOURCES;
}

static void restart(dut *d) {
  dut_reset(d, 1);
  memset(s, 0, sizeof s);
  order_in = order_out = 0;
  whose = RESP;
}

int main(int argc, char **argv) {
  unsigned head_percent[SOURCES] = {100, 100, 100}, pay_percent[SOURCES] = {100, 100, 100}, take = 100;
  bool volleys = false;  // heads come several at once, after nobody had one
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
      volleys = rnd_chance(&t, 20);
    }
    if (rnd_below(&t, 1000) == 0) restart(d);  // forgets all frames, whatever is under way
    bool idle = !(s[RESP].head_valid || s[REQ].head_valid || s[ACK].head_valid) && rnd_chance(&t, 30);
    for (unsigned i = 0; i < SOURCES; i++) offer(&t, &s[i], !volleys ? head_percent[i] : idle ? 60 : 0, pay_percent[i]);
    drive(d);
    dut_set_head_ready_i(d, rnd_chance(&t, take));
    dut_set_pay_ready_i(d, rnd_chance(&t, take));
    dut_eval(d);
    bool last = look_at_pay(&t, d);
    look_at_head(&t, d, order_in - order_out - (P_Ahead == 1 && last) < P_Ahead);
    order_out += last;
    dut_tick(d);
  }
  for (unsigned i = 0; i < SOURCES; i++)
    CHECK(&t, frames[i] > t.cycles / 20, "%u frames of source %u", (unsigned)frames[i], i);
  CHECK(&t, beats > t.cycles / 3, "%u beats", (unsigned)beats);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
