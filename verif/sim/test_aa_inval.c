// SPDX-License-Identifier: Apache-2.0
// aa_inval with a hold that is granted late and now and then taken from the queue (QIES cleared), or given up for what
// the last invalidation has thrown back, invalidations that take any time, and records that compete for the slot. Who
// holds, acts and retires is predicted in every cycle.
// Rules of rtl/aa/README.md: INV-3, INV-9, XLT-21, XLT-24.
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

// The client, and what it waits for: the hold, or the translations.
enum { NOBODY, REGISTER, QUEUE };

typedef struct {
  tb *t;
  dut *d;
  bool r_on, fin_on, q_on, rec_on, flag, asked, granted, acting, fin_due, wait, just;
  bool had;  // a hold in the cycle before: no register is written in it
  uint64_t ra, rb, qa, qb;
  unsigned sel, client, n_reg, n_queue, n_rec, n_fin, n_gone, n_held;
  bool done, rec, fin;  // of this cycle
} bench;

static void clients(bench *b) {
  tb *t = b->t;
  if (b->fin_due && rnd_chance(t, 20)) b->fin_on = true, b->fin_due = false;  // drained
  if (!b->r_on && !b->fin_on && !b->fin_due && rnd_chance(t, 10))
    b->r_on = true, b->sel = (unsigned)rnd_bits(t, 1), b->ra = rnd(t), b->rb = rnd(t);
  if (!b->q_on && !b->rec_on && rnd_chance(t, 20)) {
    b->q_on = rnd_chance(t, 60);
    b->rec_on = !b->q_on;
    b->flag = rnd_bits(t, 1);
    b->qa = (rnd(t) & ~15ull) | (1 + rnd_bits(t, 1));
    b->qb = rnd(t);
    if (rnd_chance(t, 50)) b->qb = (b->qb & ~63ull) | (17 + rnd_below(t, 3));
  } else if (b->q_on && !b->granted && !b->had && rnd_chance(t, 5)) {
    b->q_on = false;  // switched off before its hold
    b->n_gone++;
  }
}

static void drive(bench *b) {
  dut *d = b->d;
  dut_set_r_valid_i(d, b->r_on);
  dut_set_r_fin_valid_i(d, b->fin_on);
  dut_set_r_sel_i(d, b->sel);
  dut_set_r_a_i(d, b->ra);
  dut_set_r_b_i(d, b->rb);
  dut_set_q_valid_i(d, b->q_on);
  dut_set_q_rec_valid_i(d, b->rec_on);
  dut_set_q_rec_flag_i(d, b->flag);
  dut_set_q_a_i(d, b->qa);
  dut_set_q_b_i(d, b->qb);
  // aa_hold grants a cycle after it is asked at the earliest, and what it has granted stays so
  b->granted = b->client && b->asked && (b->granted || rnd_chance(b->t, 30));
  b->asked = b->client;
  dut_set_hold_gnt_i(d, b->granted);
  // What the last one has thrown back keeps the next one away; nothing does that while one acts.
  if (!b->acting && rnd_chance(b->t, b->wait ? 10 : 5)) b->wait = !b->wait;
  dut_set_inv_wait_i(d, b->wait);
  b->done = b->acting && rnd_chance(b->t, 30);
  dut_set_inv_done_i(d, b->done);
  dut_eval(d);
}

// The invalidation of the client, in every cycle in which it is shown.
static void shown(bench *b) {
  uint32_t w[INV_WORDS];
  inval v = b->client == REGISTER ? of_register(b->sel, b->ra, b->rb) : of_descriptor(b->qa, b->qb);
  dut_get_inv_o(b->d, w);
  check_inval(b->t, w, &v);
}

static void record(bench *b) {
  uint32_t w[RET_WORDS];
  bool reg = b->fin || (b->done && b->client == REGISTER);
  unsigned code = b->fin ? 3 + b->sel : reg ? 1 + b->sel : 0;
  dut_get_ret_o(b->d, w);
  check_record(b->t, w, b->rec && b->flag, code, reg ? b->ra : b->qa);
  if (!b->fin) CHECK_EQ(b->t, bits_get(w, 0, 64), reg ? b->rb : b->qb, "record b");
}

static void look(bench *b) {
  tb *t = b->t;
  dut *d = b->d;
  CHECK_EQ(t, dut_get_hold_req_o(d), b->client != NOBODY, "hold");
  CHECK_EQ(t, dut_get_inv_valid_o(d), b->acting, "invalidation");
  CHECK_EQ(t, dut_get_r_done_o(d), b->done && b->client == REGISTER, "a register's is done");
  CHECK_EQ(t, dut_get_q_done_o(d), b->done && b->client == QUEUE, "the queue's is done");
  CHECK_EQ(t, dut_get_forget_o(d), b->done, "forget");
  CHECK_EQ(t, dut_get_snap_o(d), b->done, "snap");
  // One record a cycle: what is done, else the queue's; a register's end waits for both, as long as one may come.
  b->rec = b->rec_on && !b->done;
  b->fin = b->fin_on && !b->acting && !b->rec_on;
  if (b->rec_on) CHECK_EQ(t, dut_get_q_rec_ready_o(d), b->rec, "the queue's record");
  if (b->fin_on) CHECK_EQ(t, dut_get_r_fin_ready_o(d), b->fin, "the end of a register's");
  CHECK_EQ(t, dut_get_ret_valid_o(d), b->done || b->rec || b->fin, "record");
  if (b->acting) shown(b);
  if (b->done || b->rec || b->fin) record(b);
}

// A register comes before the queue, but pushes nobody away; who is gone before the grant gives way.
static void next(bench *b) {
  bool here = b->client == REGISTER ? b->r_on : b->q_on;
  bool held = b->client && !b->acting && b->wait;
  b->n_held += held && here;
  if (b->client == NOBODY)
    b->client = b->wait || b->just ? NOBODY : b->r_on ? REGISTER : b->q_on ? QUEUE : NOBODY;
  else if (b->done || held || (!b->acting && !here))
    b->client = NOBODY, b->acting = false;
  else
    b->acting = b->granted;
  if (b->done && b->r_on && dut_get_r_done_o(b->d)) b->r_on = false, b->fin_due = true, b->n_reg++;
  if (b->done && dut_get_q_done_o(b->d)) b->q_on = false, b->n_queue++;
  if (b->fin) b->fin_on = false, b->n_fin++;
  if (b->rec) b->rec_on = false, b->n_rec++;
  b->had = b->granted;
  if (!b->client) b->asked = b->granted = false;
  b->just = b->done;
}

static void reset(bench *b) {
  dut_reset(b->d, 1);
  b->r_on = b->q_on = b->rec_on = b->fin_on = b->fin_due = b->asked = b->granted = b->acting = false;
  b->wait = b->just = b->had = false;
  b->client = NOBODY;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_inval", 60000);
  bench all = {.t = &t, .d = dut_begin(&t)}, *b = &all;
  dut_reset(b->d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    if (!rnd_below(&t, 1000)) reset(b);
    clients(b);
    drive(b);
    look(b);
    next(b);
    dut_tick(b->d);
  }
  CHECK(&t,
        b->n_reg > 500 && b->n_queue > 500 && b->n_rec > 500 && b->n_fin > 500 && b->n_gone > 100 && b->n_held > 100,
        "too little: %u %u %u %u %u %u", b->n_reg, b->n_queue, b->n_rec, b->n_fin, b->n_gone, b->n_held);
  dut_free(b->d);
  return tb_end(&t);
}
