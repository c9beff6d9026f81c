// SPDX-License-Identifier: Apache-2.0
// aa_mover: random decisions, payload that dawdles, a host and a log that stall: every TLP, entry and beat once, in
// order. What a drain waits for is counted at the ports: all that was taken before the snap, whole, and no longer than
// that.
// Rules of rtl/aa/README.md: DEC-19, LOG-4, INV-5.
// config: default
// config: ports -GNumPorts=2 -GDepth=2
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512 -GNumPorts=2
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_mover_tb.h"

enum { LANES = 2 * P_NumPorts, W = CM_K_DataW, WORDS = W / 32, MOVE = (AA_K_MoveW + 31) / 32, Q = 4096 };
#define MOVE_(w, f) bits_get(w, AA_MOVE_T_##f##_LSB, AA_MOVE_T_##f##_W)

typedef struct beat {
  uint32_t data[WORDS], hdr[4];
  bool sop, eop;
  unsigned seq, strb;
} beat;

static beat host_want[Q], log_want[Q];
static uint32_t put_want[Q][MOVE];
static uint32_t pay[LANES][Q][WORDS];
static unsigned hw, hr, lw, lr, pw, pr, pay_w[LANES], pay_r[LANES];

enum { PUT_W = AA_MOVE_T_LOG_W, PUT_QUEUE = 2 };

// What had been decided at some time: beats to the host, entries, payload.
typedef struct mark {
  unsigned host, put, pay[LANES];
} mark;

static mark all_decided(void) {
  mark m = {hw, pw, {0}};
  memcpy(m.pay, pay_w, sizeof m.pay);
  return m;
}

// All of it has left; entries may lie in the queue before the log.
static bool has_left(const mark *m) { return (int)(hr - m->host) >= 0 && (int)(pr + PUT_QUEUE - m->put) >= 0; }

// Nothing of it is anywhere inside.
static bool is_gone(const mark *m) {
  bool gone = (int)(hr - m->host) >= 0 && (int)(pr - m->put) >= 0;
  for (unsigned l = 0; l < LANES; l++) gone = gone && (int)(pay_r[l] - m->pay[l]) >= 0;
  return gone;
}

// A decision, and what must come of it.
static void decide(tb *t, uint32_t *m) {
  rnd_words(t, m, AA_K_MoveW);
  unsigned len = 1 + (unsigned)(rnd_chance(t, 70) ? rnd_below(t, 16) : rnd_below(t, 300));
  bool payload = rnd_chance(t, 70), fwd = rnd_chance(t, 60), put = rnd_chance(t, 50),
       data = payload && rnd_chance(t, 60);
  unsigned beats = payload ? (len + WORDS - 1) / WORDS : 0, lane = (unsigned)rnd_below(t, LANES);
  if (!fwd && !put && !payload) fwd = true;
  bits_set(m, AA_MOVE_T_LANE_LSB, AA_MOVE_T_LANE_W, lane);
  bits_set(m, AA_MOVE_T_BEATS_LSB, AA_MOVE_T_BEATS_W, beats);
  bits_set(m, AA_MOVE_T_FWD_LSB, 1, fwd);
  bits_set(m, AA_MOVE_T_PUT_LSB, 1, put);
  bits_set(m, AA_MOVE_T_HDR_LSB + 96, 10, len);
  bits_set(m, AA_MOVE_T_LOG_LSB + AA_PUT_LOG_T_HDR_LSB + AA_ENTRY_T_DATA_LSB, 1, data);
  if (put) {
    memset(put_want[pw % Q], 0, sizeof put_want[0]);
    words_copy(put_want[pw++ % Q], 0, m, AA_MOVE_T_LOG_LSB, PUT_W);
  }
  for (unsigned i = 0; i < (beats ? beats : 1); i++) {
    beat b = {.sop = !i, .eop = i + 1 >= beats, .seq = (unsigned)MOVE_(m, SEQ)};
    words_copy(b.hdr, 0, m, AA_MOVE_T_HDR_LSB, 128);
    if (beats) {
      rnd_words(t, b.data, W);
      memcpy(pay[lane][pay_w[lane]++ % Q], b.data, sizeof b.data);
      unsigned left = len - i * WORDS;
      b.strb = left >= WORDS ? (unsigned)((1ull << WORDS) - 1) : (1u << left) - 1;
    }
    if (fwd) host_want[hw++ % Q] = b;
    if (put && data) log_want[lw++ % Q] = b;
  }
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_mover", 40000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  uint32_t move[MOVE], data[LANES * WORDS], got[WORDS], tlp[(CM_K_TlpW + 31) / 32], put[MOVE];
  bool have = false, shown[LANES] = {false};
  uint64_t busy = 0, drains = 0, gone_for = 0;
  mark taken = {0}, next = {0}, old = {0};  // before this cycle; with the decision that is shown; before the last snap
  bool drained = true;
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    unsigned fast = c & 2048 ? 100 : 50;
    if (!have && rnd_chance(&t, fast)) decide(&t, move), have = true, next = all_decided();
    dut_set_move_valid_i(d, have);
    dut_set_move_i(d, move);
    unsigned valid = 0;
    for (unsigned l = 0; l < LANES; l++) {
      shown[l] = pay_r[l] != pay_w[l] && (shown[l] || rnd_chance(&t, fast));
      if (!shown[l]) continue;
      valid |= 1u << l;
      words_copy(data, l * W, pay[l][pay_r[l] % Q], 0, W);
    }
    dut_set_pay_valid_i(d, valid);
    dut_set_pay_data_i(d, data);
    bool host = rnd_chance(&t, fast), pr_ = rnd_chance(&t, fast), dr = rnd_chance(&t, fast), snap = rnd_chance(&t, 1);
    dut_set_host_ready_i(d, host);
    dut_set_put_ready_i(d, pr_);
    dut_set_data_ready_i(d, dr);
    dut_set_snap_i(d, snap);
    dut_eval(d);
    bool over = dut_get_drained_o(d);
    if (over) CHECK(&t, !snap, "drained in the cycle of the snap");
    if (over && !snap)
      CHECK(&t, has_left(&old), "drained, but %d beats and %d entries of before the snap have not left",
            (int)(old.host - hr), (int)(old.put - pr));
    gone_for = is_gone(&old) && !snap ? gone_for + 1 : 0;
    if (gone_for > 2) CHECK(&t, over, "all of before the snap has left, and the drain is not over");
    drains += over && !drained;
    drained = over;
    if (snap) old = taken;
    if (dut_get_host_valid_o(d)) {
      dut_get_host_beat_o(d, tlp);
      const beat *b = &host_want[hr % Q];
      CHECK(&t, hr != hw, "a beat that nobody decided");
      CHECK_EQ(&t, bits_get(tlp, CM_TLP_T_SOP_LSB, 1), b->sop, "sop");
      CHECK_EQ(&t, bits_get(tlp, CM_TLP_T_EOP_LSB, 1), b->eop, "eop");
      CHECK_EQ(&t, bits_get(tlp, CM_TLP_T_STRB_LSB, CM_TLP_T_STRB_W), b->strb, "strb");
      CHECK_EQ(&t, bits_get(tlp, CM_TLP_T_SEQ_LSB, CM_TLP_T_SEQ_W), b->seq, "seq");
      for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(&t, bits_get(tlp, CM_TLP_T_HDR_LSB + 32 * i, 32), b->hdr[i], "header %u", i);
      for (unsigned i = 0; i < WORDS; i++)
        CHECK_EQ(&t, bits_get(tlp, CM_TLP_T_DATA_LSB + 32 * i, 32), b->data[i], "DW %u", i);
      if (host) hr++, busy++;
    }
    if (dut_get_put_valid_o(d) && pr_) {
      dut_get_put_o(d, put);
      CHECK(&t, pr != pw && words_eq(put, put_want[pr % Q], PUT_W), "entry %u", pr);
      pr++;
    }
    if (dut_get_data_valid_o(d) && dr) {
      dut_get_data_o(d, got);
      CHECK(&t, lr != lw && words_eq(got, log_want[lr % Q].data, W), "data of the log, beat %u", lr);
      lr++;
    }
    if (have && dut_get_move_ready_o(d)) have = false, taken = next;
    unsigned pop = (unsigned)dut_get_pay_ready_o(d) & valid;
    for (unsigned l = 0; l < LANES; l++)
      if (pop >> l & 1) pay_r[l]++, shown[l] = false;
    dut_tick(d);
  }
  CHECK(&t, busy > t.cycles / 8, "%llu beats left", (unsigned long long)busy);
  CHECK(&t, drains > t.cycles / 500, "%llu drains", (unsigned long long)drains);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
