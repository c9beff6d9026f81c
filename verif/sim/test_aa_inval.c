// SPDX-License-Identifier: Apache-2.0
// aa_inval with a hold that is granted late and now and then taken from the queue (QIES cleared), invalidations that
// take any time, and records that compete for the slot.
// Rules of rtl/aa/README.md: INV-3, INV-9, XLT-21.
// netlist: default
#include "tb.h"
#include "aa_inval_tb.h"

enum { INV_WORDS = INV_O_WORDS, RET_WORDS = RET_O_WORDS };

typedef struct inval {
  unsigned ctx, gran, did, sid, fm, am, ih;
  uint64_t page;
} inval;

static inval of_register(unsigned sel, uint64_t a, uint64_t b) {
  inval v = {!sel, 0, 0, 0, 0, 0, 0, 0};
  if (sel) {
    v.gran = a >> 60 & 3;
    v.did = a >> 32 & 0xffff;
    v.am = b & 63;
    v.ih = b >> 6 & 1;
    v.page = b >> 12;
    if (v.gran == 3 && v.am > 18) v.gran = 1;
  } else {
    v.gran = a >> 61 & 3;
    v.did = a & 0xffff;
    v.sid = a >> 16 & 0xffff;
    v.fm = a >> 32 & 3;
  }
  return v;
}

static inval of_descriptor(uint64_t a, uint64_t b) {
  inval v = {(a & 15) == 1, a >> 4 & 3, a >> 16 & 0xffff, 0, 0, 0, 0, 0};
  if (v.ctx) {
    v.sid = a >> 32 & 0xffff;
    v.fm = a >> 48 & 3;
  } else {
    v.am = b & 63;
    v.ih = b >> 6 & 1;
    v.page = b >> 12;
    if (v.gran == 3 && v.am > 18) v.gran = 1;
  }
  return v;
}

static void check_inval(tb *t, const uint32_t *w, const inval *v) {
  CHECK_EQ(t, bits_get(w, 95, 1), v->ctx, "ctx");
  CHECK_EQ(t, bits_get(w, 93, 2), v->gran, "granularity");
  CHECK_EQ(t, bits_get(w, 77, 16), v->did, "did");
  if (v->ctx) {
    CHECK_EQ(t, bits_get(w, 61, 16), v->sid, "sid");
    CHECK_EQ(t, bits_get(w, 59, 2), v->fm, "function mask");
  } else {
    CHECK_EQ(t, bits_get(w, 53, 6), v->am, "address mask");
    CHECK_EQ(t, bits_get(w, 52, 1), v->ih, "hint");
    CHECK_EQ(t, bits_get(w, 0, 52), v->page, "page");
  }
}

static void check_record(tb *t, const uint32_t *w, bool flag, unsigned code, uint64_t a) {
  CHECK_EQ(t, bits_get(w, 153, 4), 10, "record kind");
  CHECK_EQ(t, bits_get(w, 152, 1), flag, "record flag");
  CHECK_EQ(t, bits_get(w, 148, 4), code, "record code");
  CHECK_EQ(t, bits_get(w, 128, 20), 0, "record lane, slot, idx");
  CHECK_EQ(t, bits_get(w, 64, 64), a, "record a");
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_inval", 60000);
  dut *d = dut_begin(&t);
  bool r_on = false, fin_on = false, q_on = false, rec_on = false, flag = false, granted = false, asked = false,
       was_valid = false;
  uint64_t ra = 0, rb = 0, qa = 0, qb = 0;
  unsigned sel = 0, n_reg = 0, n_queue = 0, n_rec = 0, n_fin = 0, n_gone = 0;
  dut_reset(d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    if (!r_on && !fin_on && rnd_chance(&t, 10))
      r_on = true, sel = (unsigned)rnd_bits(&t, 1), ra = rnd(&t), rb = rnd(&t);
    if (!q_on && !rec_on && rnd_chance(&t, 20)) {
      q_on = rnd_chance(&t, 60);
      rec_on = !q_on;
      flag = rnd_bits(&t, 1);
      qa = (rnd(&t) & ~15ull) | (1 + rnd_bits(&t, 1));
      qb = rnd(&t);
      if (rnd_chance(&t, 50)) qb = (qb & ~63ull) | (17 + rnd_below(&t, 3));
    } else if (q_on && !granted && rnd_chance(&t, 5)) {
      q_on = false;  // switched off before its hold
      n_gone++;
    }
    dut_set_r_valid_i(d, r_on);
    dut_set_r_fin_valid_i(d, fin_on);
    dut_set_r_sel_i(d, sel);
    dut_set_r_a_i(d, ra);
    dut_set_r_b_i(d, rb);
    dut_set_q_valid_i(d, q_on);
    dut_set_q_rec_valid_i(d, rec_on);
    dut_set_q_rec_flag_i(d, flag);
    dut_set_q_a_i(d, qa);
    dut_set_q_b_i(d, qb);
    dut_set_inv_done_i(d, 0);
    dut_eval(d);
    granted = dut_get_hold_req_o(d) && asked && (granted || rnd_chance(&t, 30));
    asked = dut_get_hold_req_o(d);  // aa_hold grants a cycle after it is asked at the earliest
    dut_set_hold_gnt_i(d, granted);
    dut_eval(d);
    bool valid = dut_get_inv_valid_o(d), done = valid && rnd_chance(&t, 30);
    dut_set_inv_done_i(d, done);
    dut_eval(d);

    bool r_done = dut_get_r_done_o(d), q_done = dut_get_q_done_o(d);
    bool rec = rec_on && dut_get_q_rec_ready_o(d), fin = fin_on && dut_get_r_fin_ready_o(d);
    CHECK(&t, !valid || granted, "invalidation without a hold");
    CHECK(&t, !was_valid || valid, "invalidation withdrawn");
    CHECK_EQ(&t, r_done + q_done, done, "who is done");
    CHECK_EQ(&t, dut_get_forget_o(d), done, "forget");
    CHECK_EQ(&t, dut_get_snap_o(d), done, "snap");
    CHECK(&t, done + rec + fin <= 1, "one record a cycle");
    CHECK_EQ(&t, dut_get_ret_valid_o(d), done || rec_on || fin_on, "record");
    CHECK(&t, done || !(rec_on || fin_on) || rec || fin, "a record waits for nobody");
    if (done || rec || fin) {
      uint32_t w[RET_WORDS], iw[INV_WORDS];
      dut_get_ret_o(d, w);
      bool reg = r_done || fin;
      check_record(&t, w, rec && flag, fin ? 3 + sel : r_done ? 1 + sel : 0, reg ? ra : qa);
      if (!fin) CHECK_EQ(&t, bits_get(w, 0, 64), reg ? rb : qb, "record b");
      if (done) {
        CHECK(&t, r_done ? r_on : q_on, "nobody asked");
        inval v = r_done ? of_register(sel, ra, rb) : of_descriptor(qa, qb);
        dut_get_inv_o(d, iw);
        check_inval(&t, iw, &v);
      }
    }
    if (r_done) r_on = false, fin_on = true, n_reg++;
    if (fin) fin_on = false, n_fin++;
    if (q_done) q_on = false, n_queue++;
    if (rec) rec_on = false, n_rec++;
    if (done) granted = false;
    was_valid = valid && !done;
    dut_tick(d);
  }
  CHECK(&t, n_reg > 500 && n_queue > 500 && n_rec > 500 && n_fin > 500 && n_gone > 100, "too little: %u %u %u %u %u",
        n_reg, n_queue, n_rec, n_fin, n_gone);
  dut_free(d);
  return tb_end(&t);
}
