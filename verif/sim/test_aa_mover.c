// SPDX-License-Identifier: Apache-2.0
// aa_mover: random decisions, payload that dawdles, a host and a log that stall: every TLP, entry and beat once, in
// order, and in the cycle in which nothing is missing: a beat a cycle if nobody stalls. What a drain waits for is
// counted: all that was taken before the snap, whole, and no longer than that.
// Rules of rtl/aa/README.md: DEC-19, LOG-4, INV-5.
// config: default
// config: ports -GNumPorts=2 -GDepth=2
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512 -GNumPorts=2
// netlist: default
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_mover_tb.h"

enum { LANES = 2 * P_NumPorts, W = CM_K_DataW, WORDS = W / 32, MOVE = (AA_K_MoveW + 31) / 32, Q = 4096 };
enum { PUT_W = AA_MOVE_T_LOG_W, PUT_QUEUE = 2, DATA_QUEUE = 4 };  // what may wait before the log

typedef struct decision {
  uint32_t move[MOVE];
  unsigned lane, beats, len, seq;
  bool fwd, put, data;
} decision;

// Numbers run freely: what was made, went in, went out.
typedef struct {
  tb *t;
  dut *d;
  decision dec[Q];
  uint32_t pay[LANES][Q][WORDS];  // payload beats of a lane
  uint32_t log[Q][WORDS];         // beats for the log
  unsigned put[Q];                // decisions whose entry it gets
  unsigned made, taken, done, beat, pay_w[LANES], pay_r[LANES], put_w, put_r, log_w, log_r;
  bool shown[LANES], drained;
  uint64_t busy, drains;
  unsigned mark, gone_for;  // decisions before the last snap; cycles since they are gone
  // of this cycle
  bool host_ready, put_ready, data_ready, snap, host, step;
} bench;

#define MOVE_(w, f) bits_get(w, AA_MOVE_T_##f##_LSB, AA_MOVE_T_##f##_W)
#define SET(w, f, v) bits_set(w, f##_LSB, f##_W, v)
#define TLP(f) bits_get(tlp, CM_TLP_T_##f##_LSB, CM_TLP_T_##f##_W)

static unsigned some_len(tb *t) {
  unsigned how = (unsigned)rnd_below(t, 20);
  return how < 14 ? 1 + (unsigned)rnd_below(t, 16) : how < 19 ? 1 + (unsigned)rnd_below(t, 300) : 1024;
}

static void decide(bench *b) {
  decision *x = &b->dec[b->made++ % Q];
  memset(x, 0, sizeof *x);
  rnd_words(b->t, x->move, AA_K_MoveW);
  bool payload = rnd_chance(b->t, 70);
  x->len = some_len(b->t);
  x->fwd = rnd_chance(b->t, 60);
  x->put = rnd_chance(b->t, 50);
  x->data = payload && rnd_chance(b->t, 60);
  x->beats = payload ? (x->len + WORDS - 1) / WORDS : 0;
  x->lane = (unsigned)rnd_below(b->t, LANES);
  if (!x->fwd && !x->put && !payload) x->fwd = true;
  SET(x->move, AA_MOVE_T_LANE, x->lane);
  SET(x->move, AA_MOVE_T_BEATS, x->beats);
  SET(x->move, AA_MOVE_T_FWD, x->fwd);
  SET(x->move, AA_MOVE_T_PUT, x->put);
  bits_set(x->move, AA_MOVE_T_HDR_LSB + 96, 10, x->len & 1023);
  bits_set(x->move, AA_MOVE_T_LOG_LSB + AA_PUT_LOG_T_HDR_LSB + AA_ENTRY_T_DATA_LSB, 1, x->data);
  x->seq = (unsigned)MOVE_(x->move, SEQ);
  for (unsigned i = 0; i < x->beats; i++) rnd_words(b->t, b->pay[x->lane][b->pay_w[x->lane]++ % Q], W);
}

static decision *head(bench *b) { return b->done != b->taken ? &b->dec[b->done % Q] : NULL; }

static void drive(bench *b, unsigned fast) {
  uint32_t data[LANES * WORDS] = {0};
  unsigned valid = 0;
  if (b->made == b->taken && rnd_chance(b->t, fast)) decide(b);
  dut_set_move_valid_i(b->d, b->made != b->taken);
  dut_set_move_i(b->d, b->dec[b->taken % Q].move);
  for (unsigned l = 0; l < LANES; l++) {
    b->shown[l] = b->pay_r[l] != b->pay_w[l] && (b->shown[l] || rnd_chance(b->t, fast));
    valid |= (unsigned)b->shown[l] << l;
    if (b->shown[l]) words_copy(data, l * W, b->pay[l][b->pay_r[l] % Q], 0, W);
  }
  b->host_ready = rnd_chance(b->t, fast);
  b->put_ready = rnd_chance(b->t, fast);
  b->data_ready = rnd_chance(b->t, fast);
  b->snap = rnd_chance(b->t, 1);
  dut_set_pay_valid_i(b->d, valid);
  dut_set_pay_data_i(b->d, data);
  dut_set_host_ready_i(b->d, b->host_ready);
  dut_set_put_ready_i(b->d, b->put_ready);
  dut_set_data_ready_i(b->d, b->data_ready);
  dut_set_snap_i(b->d, b->snap);
  dut_eval(b->d);
}

// The next beat of the oldest decision goes if its payload is shown, the log has room, and the host takes it.
static void expect(bench *b) {
  const decision *h = head(b);
  b->host = b->step = false;
  if (!h) return;

  bool put = h->put && !b->beat, data = h->put && h->data;
  bool room = (!put || b->put_w - b->put_r < PUT_QUEUE) && (!data || b->log_w - b->log_r < DATA_QUEUE);
  bool can = room && (!h->beats || b->shown[h->lane]);
  b->host = can && h->fwd;
  b->step = can && (!h->fwd || b->host_ready);
}

static void host_beat(bench *b) {
  const decision *h = head(b);
  const uint32_t *data = b->pay[h->lane][b->pay_r[h->lane] % Q];
  unsigned left = h->len - b->beat * WORDS;
  unsigned strb = !h->beats ? 0 : left >= WORDS ? (unsigned)((1ull << WORDS) - 1) : (1u << left) - 1;
  uint32_t tlp[(CM_K_TlpW + 31) / 32];
  dut_get_host_beat_o(b->d, tlp);
  CHECK_EQ(b->t, TLP(SOP), !b->beat, "sop");
  CHECK_EQ(b->t, TLP(EOP), b->beat + 1 >= h->beats, "eop");
  CHECK_EQ(b->t, TLP(ERR), 0, "err");
  CHECK_EQ(b->t, TLP(STRB), strb, "strb");
  CHECK_EQ(b->t, TLP(SEQ), h->seq, "seq");
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(b->t, bits_get(tlp, CM_TLP_T_HDR_LSB + 32 * i, 32), bits_get(h->move, AA_MOVE_T_HDR_LSB + 32 * i, 32),
             "header %u", i);
  for (unsigned i = 0; i < WORDS; i++)
    CHECK_EQ(b->t, bits_get(tlp, CM_TLP_T_DATA_LSB + 32 * i, 32), h->beats ? data[i] : 0, "DW %u", i);
}

static void look_at_the_log(bench *b) {
  uint32_t got[WORDS], put[(PUT_W + 31) / 32], want[(PUT_W + 31) / 32] = {0};
  bool entry = b->put_w != b->put_r, data = b->log_w != b->log_r;
  CHECK_EQ(b->t, dut_get_put_valid_o(b->d), entry, "an entry for the log");
  CHECK_EQ(b->t, dut_get_data_valid_o(b->d), data, "data for the log");
  if (entry) {
    words_copy(want, 0, b->dec[b->put[b->put_r % Q] % Q].move, AA_MOVE_T_LOG_LSB, PUT_W);
    dut_get_put_o(b->d, put);
    CHECK(b->t, words_eq(put, want, PUT_W), "entry %u", b->put_r);
  }
  if (data) {
    dut_get_data_o(b->d, got);
    CHECK(b->t, words_eq(got, b->log[b->log_r % Q], W), "data of the log, beat %u", b->log_r);
  }
}

static void look_at_the_drain(bench *b) {
  bool over = dut_get_drained_o(b->d), gone = (int)(b->done - b->mark) >= 0;
  if (over) CHECK(b->t, !b->snap, "drained in the cycle of the snap");
  if (over && !b->snap)
    CHECK(b->t, gone, "drained, but %d decisions of before the snap have not left", (int)(b->mark - b->done));
  b->gone_for = gone && !b->snap ? b->gone_for + 1 : 0;
  if (b->gone_for > 2) CHECK(b->t, over, "all of before the snap has left, and the drain is not over");
  b->drains += over && !b->drained;
  b->drained = over;
  if (b->snap) b->mark = b->taken;
}

static void look(bench *b) {
  const decision *h = head(b);
  CHECK_EQ(b->t, dut_get_move_ready_o(b->d), b->taken - b->done < P_Depth, "takes a decision");
  CHECK_EQ(b->t, dut_get_host_valid_o(b->d), b->host, "a beat for the host");
  CHECK_EQ(b->t, dut_get_pay_ready_o(b->d), b->step && h->beats ? 1u << h->lane : 0, "takes payload");
  if (b->host) host_beat(b);
  look_at_the_log(b);
  look_at_the_drain(b);
}

static void step(bench *b) {
  const decision *h = head(b);
  if (b->made != b->taken && dut_get_move_ready_o(b->d)) b->taken++;
  if (b->put_ready && b->put_w != b->put_r) b->put_r++;
  if (b->data_ready && b->log_w != b->log_r) b->log_r++;
  if (!b->step) return;

  b->busy++;
  if (h->put && !b->beat) b->put[b->put_w++ % Q] = b->done;
  if (h->put && h->data) memcpy(b->log[b->log_w++ % Q], b->pay[h->lane][b->pay_r[h->lane] % Q], sizeof b->log[0]);
  if (h->beats) b->pay_r[h->lane]++, b->shown[h->lane] = false;
  bool last = ++b->beat >= h->beats;
  if (!last) return;
  b->beat = 0;
  b->done++;
}

// Whatever was inside, or waits for it, is gone.
static void reset(bench *b) {
  dut_set_move_valid_i(b->d, 0);
  dut_set_pay_valid_i(b->d, 0);
  dut_reset(b->d, 1);
  b->done = b->taken = b->mark = b->made;
  b->put_r = b->put_w;
  b->log_r = b->log_w;
  b->beat = b->gone_for = 0;
  b->drained = true;
  for (unsigned l = 0; l < LANES; l++) b->pay_r[l] = b->pay_w[l], b->shown[l] = false;
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_mover", 40000);
  b->t = &t;
  b->d = dut_begin(&t);
  dut_reset(b->d, 2);
  b->drained = true;
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    if (!rnd_below(&t, 1000)) reset(b);
    drive(b, c & 2048 ? 100 : 50);
    expect(b);
    look(b);
    step(b);
    dut_tick(b->d);
  }
  CHECK(&t, b->busy > t.cycles / 4, "%llu beats left", (unsigned long long)b->busy);
  CHECK(&t, b->drains > t.cycles / 500, "%llu drains", (unsigned long long)b->drains);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
