// SPDX-License-Identifier: Apache-2.0
// The bench of test_nic_req: its ports for one cycle, with memory and wire as slow as a case says, and noise on what is
// not valid; queue pairs that are turned on and off, and entries that end.
#ifndef TOCSIN_NIC_REQ_BENCH_H
#define TOCSIN_NIC_REQ_BENCH_H

#include "nic_req_peer.h"

static void configure(dut *d) {
  uint32_t w[CFG_I_WORDS] = {0};
  unsigned i = (unsigned)dut_get_cfg_idx_o(d);
  words_copy(w, 0, cfg_words[i & 3], 0, NIC_QP_CFG_T_W);
  words_copy(w, NIC_QP_CFG_T_W, cfg_words[i >> 8 & 3], 0, NIC_QP_CFG_T_W);
  dut_set_cfg_i(d, w);
  dut_eval(d);
}

static bool no_entries;  // memory fails where the rings are

static void beat(uint32_t *w, const uint8_t *data, unsigned len, unsigned at, bool err) {
  unsigned n = len - at < BEAT ? len - at : BEAT;
  memset(w, 0, sizeof(uint32_t) * RD_BEAT_I_WORDS);
  for (unsigned i = 0; i < n; i++) bits_set(w, 8 * i, 8, data[at + i]);
  bits_set(w, NIC_BYTES_T_BYTES_LSB, 7, n);
  bits_set(w, NIC_BYTES_T_LAST_LSB, 1, at + n == len);
  bits_set(w, NIC_BYTES_T_ERR_LSB, 1, err);
}

static void rates_in(dut *d) {
  unsigned slow = 0, held = 0, wake = 0;
  for (unsigned n = 0; n < QPS; n++) {
    if (rate[n].soon && dut_cycle(d) >= rate[n].from) rate[n].held = true, rate[n].soon = false;
    // rate_wake_i comes in the first cycle in which held_i is over.
    if (rate[n].held && dut_cycle(d) >= rate[n].until) wake |= 1u << n, rate[n].held = false;
    slow |= (unsigned)rate[n].slow << n;
    held |= (unsigned)rate[n].held << n;
  }
  dut_set_slow_i(d, slow);
  dut_set_held_i(d, held);
  dut_set_rate_wake_i(d, wake);
}

static void rates_out(tb *t, dut *d) {
  if (!dut_get_sent_valid_o(d)) return;
  unsigned n = (unsigned)dut_get_sent_qp_o(d), bytes = (unsigned)dut_get_sent_bytes_o(d);
  CHECK(t, n < QPS && !(dut_get_held_i(d) >> n & 1), "P6: a packet of QP %u, which is held back", n);
  CHECK(t, bytes <= mtu_of(&q[n % QPS]), "P6: %u bytes", bytes);
  sents++;
  if (n >= QPS || !rate[n].slow || !rate[n].cycles) return;
  rate[n].soon = true;
  rate[n].from = dut_cycle(d) + 2;  // when nic_rate tells of it
  rate[n].until = rate[n].from + rate[n].cycles;
  held_packets++;
}

static bool reads_in(tb *t, dut *d) {
  uint32_t b[RD_BEAT_I_WORDS];
  bool valid = rd_in != rd_out && rd[rd_out % 64].ready <= dut_cycle(d);
  if (valid) {
    unsigned i = rd_out % 64;
    beat(b, mem + rd[i].va % MEM, rd[i].len, rd_at,
         (rd[i].va >= POISON && rd[i].va < DST) || (no_entries && rd[i].va >= RINGS) || rd[i].va - torn.va < torn.len);
  } else {
    rnd_words(t, b, NIC_BYTES_T_W);
  }
  dut_set_rd_beat_i(d, b);
  dut_set_rd_valid_i(d, valid);
  dut_set_rd_job_ready_i(d, !no_jobs && rd_in - rd_out < 60 && rnd_chance(t, 90));
  return valid;
}

static void reads(tb *t, dut *d, bool rd_valid) {
  uint32_t b[RD_JOB_O_WORDS];
  if (dut_get_rd_job_valid_o(d) && dut_get_rd_job_ready_i(d)) {
    dut_get_rd_job_o(d, b);
    unsigned i = rd_in++ % 64;
    rd[i].va = bits_get(b, NIC_DMA_T_VA_LSB, 64);
    rd[i].len = (unsigned)bits_get(b, NIC_DMA_T_LEN_LSB, 13);
    rd[i].ready = (unsigned)dut_cycle(d) + 3 + (unsigned)rnd_below(t, slow_rd);
    CHECK(t, rd[i].len > 0 && rd[i].len <= 4096 && rd[i].va + rd[i].len <= MEM, "read of %u at %x", rd[i].len,
          (unsigned)rd[i].va);
  }
  if (rd_valid && dut_get_rd_ready_o(d)) {
    rd_at += BEAT;
    if (rd_at >= rd[rd_out % 64].len) {
      rd_at = 0;
      rd_out++;
    }
  }
}

static void writes(tb *t, dut *d) {
  uint32_t b[WR_PAY_O_WORDS], job[WR_JOB_O_WORDS];
  if (wr.busy && dut_get_wr_pay_valid_o(d) && dut_get_wr_pay_ready_i(d)) {
    dut_get_wr_pay_o(d, b);
    unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, 7);
    for (unsigned i = 0; i < n; i++) mem[(wr.va + wr.at + i) % MEM] = (uint8_t)bits_get(b, 8 * i, 8);
    wr.at += n;
    if (bits_get(b, NIC_BYTES_T_LAST_LSB, 1)) {
      CHECK_EQ(t, wr.at, wr.len, "bytes of a write job");
      wr.busy = false;
    }
  }
  if (dut_get_wr_job_valid_o(d) && dut_get_wr_job_ready_i(d)) {
    dut_get_wr_job_o(d, job);
    wr.va = bits_get(job, NIC_DMA_T_VA_LSB, 64);
    wr.len = (unsigned)bits_get(job, NIC_DMA_T_LEN_LSB, 13);
    wr.at = 0;
    wr.busy = true;
    CHECK(t, wr.va >= DST && wr.va + wr.len <= RINGS, "write job at %x", (unsigned)wr.va);
  }
}

static void frames_out(tb *t, dut *d, bool head_ready, bool pay_ready) {
  uint32_t b[PAY_O_WORDS];
  if (dut_get_head_valid_o(d) && head_ready) {
    if (dut_get_head_lost_o(d)) {
      lost_tx++;
    } else {
      dut_get_head_o(d, now.head);
      now.qp = (unsigned)dut_get_head_qp_o(d);
      now.len = 0;
      now_head = true;
    }
  } else if (now_head && dut_get_pay_valid_o(d) && pay_ready) {
    dut_get_pay_o(d, b);
    CHECK_EQ(t, bits_get(b, NIC_BYTES_T_ERR_LSB, 1), 0, "err of bytes that leave");
    unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, 7);
    for (unsigned i = 0; i < n && now.len < 4096; i++) now.data[now.len++] = (uint8_t)bits_get(b, 8 * i, 8);
    if (bits_get(b, NIC_BYTES_T_LAST_LSB, 1)) {
      CHECK_EQ(t, now.len, H(now.head, BYTES), "bytes of a frame");
      if (!rnd_chance(t, loss)) push(&wire, &now);
      now_head = false;
      frames++;
    }
  }
}

// Whether something of before the last start or stop may be under way; what has been decided on since it was through.
static struct {
  bool on, through;  // through: and it has not said yet that it is quiet
  bool anew;         // turned on or off a cycle ago: it says that it is through a cycle late, and once more of this
  unsigned sent;
} before[QPS];

static void records(tb *t, dut *d) {
  if (dut_get_ret_frame_valid_o(d)) {
    uint32_t r[RET_FRAME_O_WORDS];
    dut_get_ret_frame_o(d, r);
    answered[bits_get(r, NIC_RETIRE_T_CODE_LSB, 4)]++;
  }
  if (dut_get_ret_timer_valid_o(d)) {
    uint32_t r[RET_TIMER_O_WORDS];
    dut_get_ret_timer_o(d, r);
    unsigned status = (unsigned)bits_get(r, NIC_RETIRE_T_CODE_LSB, 4),
             end = (unsigned)bits_get(r, NIC_RETIRE_T_FLAG_LSB, 1);
    unsigned n = (unsigned)bits_get(r, NIC_RETIRE_T_IDX_LSB, 8);
    quiet += status == NIC_K_TmQuiet;
    CHECK(t, status != NIC_K_TmQuiet || before[n].through, "QP %u is quiet, but was not through", n);
    if (status == NIC_K_TmQuiet) before[n].through = false;
    CHECK(t, status == NIC_K_TmQuiet || status == NIC_K_TmLost || !leaving[n], "QP %u gives up (%u) after it went off",
          n, status);
    if (status == NIC_K_TmQuiet) leaving[n] = false;
    timers += status == NIC_K_TmNoProgress;
    waited += status == NIC_K_TmRnr;
    lost_tm += status == NIC_K_TmLost;
    want_timer_gone += end && !status;
    given_up[status] += end;
  }
  if (dut_get_event_valid_o(d) && dut_get_event_ready_i(d)) {
    uint32_t ev[EVENT_O_WORDS];
    dut_get_event_o(d, ev);
    event(t, ev);
  }
}

// What nic_ctx_work is told of a queue pair is of the last start, and of nothing before it.
static struct {
  bool on;
  unsigned entry, err;
} told[QPS];
static void told_of(tb *t, dut *d) {
  const unsigned n = (unsigned)dut_get_now_qp_o(d) % QPS, s = (unsigned)dut_get_start_qp_i(d) % QPS;
  if (dut_get_now_valid_o(d) && told[n].on) {
    CHECK_EQ(t, dut_get_now_cons_o(d), told[n].entry, "consumer that is told of QP %u, which has been turned on", n);
    CHECK_EQ(t, dut_get_now_err_o(d), told[n].err, "whether it has stopped");
    told[n].on = false;
  }
  if (dut_get_start_valid_i(d)) {
    uint32_t go[START_GO_I_WORDS];
    dut_get_start_go_i(d, go);
    told[s].on = true;
    told[s].entry = (unsigned)bits_get(go, NIC_QP_GO_T_CONS_LSB, NIC_QP_GO_T_CONS_W);
    told[s].err = (unsigned)bits_get(go, NIC_QP_GO_T_SEND_ERR_LSB, 1);
  }
}

// From when it is through nothing of before leaves, and until then nothing is decided on (nic_peer).
static void through(tb *t, dut *d) {
  const unsigned n = (unsigned)dut_get_sent_qp_o(d) % QPS, h = (unsigned)dut_get_head_qp_o(d) % QPS,
                 u = (unsigned)dut_get_through_qp_o(d) % QPS;
  if (dut_get_head_valid_o(d) && dut_get_head_ready_i(d) && !before[h].on) {
    CHECK(t, before[h].sent, "a packet of QP %u of before it was through", h);
    before[h].sent -= before[h].sent != 0;
  }
  if (dut_get_sent_valid_o(d)) {
    CHECK(t, !before[n].on, "a packet of QP %u, which is not through", n);
    before[n].sent++;
  }
  if (dut_get_through_valid_o(d)) {
    CHECK(t, before[u].on, "QP %u is through, but was neither turned on nor off", u);
    before[u].on = before[u].anew;
    before[u].through = true;
    before[u].sent = 0;
  }
  for (unsigned i = 0; i < QPS; i++) before[i].anew = false;
  if (dut_get_start_valid_i(d))
    before[dut_get_start_qp_i(d) % QPS].on = before[dut_get_start_qp_i(d) % QPS].anew = true;
  if (dut_get_stop_valid_i(d)) before[dut_get_stop_qp_i(d) % QPS].on = before[dut_get_stop_qp_i(d) % QPS].anew = true;
}

// What is not valid is anything: pulses, and the words beside them.
static void noise(tb *t, dut *d) {
  uint32_t go[START_GO_I_WORDS];
  rnd_words(t, go, NIC_QP_GO_T_W);
  dut_set_bell_valid_i(d, 0);
  dut_set_bell_qp_i(d, rnd_below(t, QPS));
  dut_set_bell_prod_i(d, rnd_bits(t, 16));
  dut_set_start_valid_i(d, 0);
  dut_set_start_qp_i(d, rnd_below(t, QPS));
  dut_set_start_spsn_i(d, rnd_bits(t, 24));
  dut_set_start_go_i(d, go);
  dut_set_stop_valid_i(d, 0);
  dut_set_stop_qp_i(d, rnd_below(t, QPS));
}

static bool ans_head_gone, ans_said;  // of the answer at hand: its head has been taken, its RetFrame has come

static void cycle(tb *t, dut *d) {
  static unsigned ans_at;
  uint32_t b[ANS_PAY_I_WORDS];
  bool ans = back.in != back.out, ans_head = ans, ans_pay = ans;
  bool rd_valid = reads_in(t, d);
  if (ans) {
    dut_set_ans_head_i(d, back.f[back.out % 64].head);
    if (ans_at != ~0u) {
      beat(b, back.f[back.out % 64].data, back.f[back.out % 64].len, ans_at, false);
      dut_set_ans_pay_i(d, b);
    }
  }
  ans_head = ans && !ans_head_gone;
  ans_pay = ans && ans_at != ~0u;
  dut_set_ans_head_valid_i(d, ans_head);
  dut_set_ans_pay_valid_i(d, ans_pay);
  bool head_ready = !now_head && rnd_chance(t, busy_tx), pay_ready = now_head && !now_pay && rnd_chance(t, busy_tx);
  dut_set_head_ready_i(d, head_ready);
  dut_set_pay_ready_i(d, pay_ready);
  dut_set_wr_job_ready_i(d, !wr.busy && rnd_chance(t, 80));
  dut_set_wr_pay_ready_i(d, wr.busy && rnd_chance(t, 80));
  dut_set_place_ok_i(d, places < 40 && rnd_chance(t, 90));
  dut_set_event_ready_i(d, !no_events && rnd_chance(t, 70));
  rates_in(d);
  dut_eval(d);
  configure(d);
  rates_out(t, d);
  if (dut_get_place_valid_o(d) && dut_get_place_ok_i(d)) places++;
  reads(t, d, rd_valid);
  writes(t, d);
  frames_out(t, d, head_ready, pay_ready);
  bool gone_before = ans_head_gone, was_said = ans_said;
  if (dut_get_ret_frame_valid_o(d)) {
    CHECK(t, ans && !ans_said, "a RetFrame of no answer");
    ans_said = true;
  }
  if (gone_before) CHECK_EQ(t, dut_get_idle_o(d), was_said, "idle, between an ACK's head and its item");
  if (ans_head && dut_get_ans_head_ready_o(d)) ans_head_gone = true;
  if (ans_pay && dut_get_ans_pay_ready_o(d)) {
    ans_at += BEAT;
    if (ans_at >= back.f[back.out % 64].len) ans_at = ~0u;
    // The next frame's record may come with the last beat of an item, so an ACK's comes before.
    if (bits_get(back.f[back.out % 64].head, NIC_HEAD_T_OPCODE_LSB, 5) == 0x11)
      CHECK(t, was_said, "an ACK's item before its record");
  }
  if (dut_get_back_valid_o(d)) {
    CHECK(t, places > 0, "a place given back that was not taken");
    places--;
  }
  if (ans_head_gone && ans_at == ~0u) {
    CHECK(t, ans_said, "an answer without a RetFrame");
    back.out++;
    ans_head_gone = ans_said = false;
    ans_at = 0;
  }
  through(t, d);
  records(t, d);
  told_of(t, d);
  unsigned n = (unsigned)dut_get_rb_qp_i(d);
  while (q[n].cons != q[n].prod && (q[n].cons & 0xFFFF) != dut_get_rb_cons_o(d)) ended_check(t, n);
  bool stopped = dut_get_rb_err_o(d);
  unsigned code = (unsigned)dut_get_rb_code_o(d);
  dut_tick(d);
  noise(t, d);
  // Software goes on only after a round trip: a second NAK of a PSN (the request went out twice) would
  // end the next request.
  static unsigned stopped_for[QPS];
  stopped_for[n] = stopped ? stopped_for[n] + QPS : 0;
  bool resumes = stopped && code != Timeout && stopped_for[n] > 3000;
  dut_set_resume_valid_i(d, resumes);
  dut_set_resume_qp_i(d, resumes ? n : (unsigned)rnd_below(t, QPS));
  dut_set_rb_qp_i(d, (n + 1) % QPS);
  if (wire.in != wire.out && rnd_chance(t, 50)) peer(t, &wire.f[wire.out++ % 64]);
}

// From where the next QP that is turned on goes on.
static struct { unsigned entry, err, code; } begin;

static void turn_on(tb *t, dut *d, unsigned n, uint32_t psn, unsigned retry, unsigned rnr_retry, unsigned timeout) {
  qp *p = &q[n];
  memset(p, 0, sizeof *p);
  p->mtu = 1 + (unsigned)rnd_below(t, 3);
  p->epsn = psn;
  p->prod = p->cons = p->seen = begin.entry;
  memset(cfg_words[n], 0, sizeof cfg_words[n]);
#define CSET(F, v) bits_set(cfg_words[n], NIC_QP_CFG_T_##F##_LSB, NIC_QP_CFG_T_##F##_W, v)
  CSET(EN, 1);
  CSET(PROC, n & 1);
  CSET(MTU, p->mtu);
  CSET(RETRY, retry);
  CSET(RNR_RETRY, rnr_retry);
  CSET(TIMEOUT, timeout);
  CSET(RING, RINGS + n * RING * 64u);
  CSET(RING_SIZE, 4);
  CSET(NAME, 0x50u << 2 | n);
  dut_set_start_valid_i(d, 1);
  dut_set_start_qp_i(d, n);
  dut_set_start_spsn_i(d, psn);
  uint32_t go[START_GO_I_WORDS] = {0};
#define GO(F, v) bits_set(go, NIC_QP_GO_T_##F##_LSB, NIC_QP_GO_T_##F##_W, v)
  GO(CONS, begin.entry), GO(SEND_ERR, begin.err), GO(CODE, begin.code);
  dut_set_start_go_i(d, go);
  cycle(t, d);
}

static bool idle(void) {
  for (unsigned n = 0; n < QPS; n++)
    if (q[n].cons != q[n].prod) return false;
  return true;
}

static void drain(tb *t, dut *d, unsigned cycles) {
  while (cycles-- && !idle()) cycle(t, d);
  for (unsigned n = 0; n < QPS; n++) CHECK_EQ(t, q[n].cons, q[n].prod, "QP %u: entries that have ended", n);
  for (unsigned i = 0; i < 200; i++) cycle(t, d);
}

// Off. What the registers say of it then.
static void turn_off(tb *t, dut *d, unsigned n) {
  bits_set(cfg_words[n], NIC_QP_CFG_T_EN_LSB, NIC_QP_CFG_T_EN_W, 0);
  dut_set_stop_valid_i(d, 1);
  dut_set_stop_qp_i(d, n);
  cycle(t, d);
  leaving[n] = true;
}

static void shows(tb *t, dut *d, unsigned n, unsigned cons, uint32_t una, unsigned code, const char *when) {
  dut_set_rb_qp_i(d, n);
  dut_eval(d);
  CHECK_EQ(t, dut_get_rb_cons_o(d), cons, "CONS %s", when);
  CHECK_EQ(t, dut_get_rb_una_o(d), una, "UNA %s", when);
  CHECK_EQ(t, dut_get_rb_err_o(d), code != 0, "SEND_ERR %s", when);
  CHECK_EQ(t, dut_get_rb_code_o(d), code, "CODE %s", when);
}

#endif
