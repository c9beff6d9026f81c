// SPDX-License-Identifier: Apache-2.0
// aa_axi_w: three sources with bursts of all lengths, a port with random back-pressure, responses in any order of ids.
// config: default
// config: w128 +define+TOCSIN_DATA_W=128
// netlist: default
#include "tb.h"
#include "aa_axi_w_tb.h"

#include <string.h>

#define N 3U
#define WORDS M_W_DATA_O_WORDS
#define FIFO 4096U

typedef struct source {
  bool aw, w;       // offered
  bool busy, sent;  // a burst is under way; its aw has been taken
  uint64_t addr;
  unsigned len, beat, pct, max, owner;
  uint32_t data[WORDS];
  unsigned waited;  // bursts of others since it asks
  unsigned b;       // responses that it must still get
} source;

typedef struct state {
  source src[N];
  struct {
    uint64_t addr;
    unsigned len, id, owner;
  } aw[FIFO];
  struct {
    uint32_t data[WORDS];
    bool last;
    unsigned id;
  } w[FIFO];
  unsigned aw_in, aw_out, w_in, w_out, last_out;
  unsigned owe[N];  // bursts whose last beat has left, without a response
  unsigned aw_pct, w_pct, b_pct;
  uint64_t beats, errors;
  bool aw_wait, w_wait;
  uint32_t w_old[WORDS];
  uint64_t aw_old;
  bool small;  // has had a burst, in this cycle
  uint64_t small_at;
} state;

static void word(uint32_t *flat, unsigned i, const uint32_t *w) { memcpy(flat + WORDS * i, w, 4 * WORDS); }

static void fill(tb *t, source *s, bool feed) {
  if (!s->busy && feed && rnd_chance(t, s->pct)) {
    s->busy = s->aw = true;
    s->sent = false;
    s->addr = rnd(t);
    s->len = (unsigned)rnd_below(t, s->max);
    s->owner = (unsigned)rnd_bits(t, 7);
    s->beat = 0;
    s->w = false;
    s->waited = 0;
  }
  if (s->busy && !s->w && rnd_chance(t, s->pct)) {
    s->w = true;
    rnd_words(t, s->data, WORDS * 32);
  }
}

static void address_out(tb *t, dut *d, state *st) {
  CHECK(t, st->aw_out != st->aw_in, "P1: AW from nowhere");
  unsigned k = st->aw_out++ % FIFO;
  CHECK_EQ(t, dut_get_m_aw_addr_o(d), st->aw[k].addr, "P1: m_aw_addr_o");
  CHECK_EQ(t, dut_get_m_aw_len_o(d), st->aw[k].len, "P1: m_aw_len_o");
  CHECK_EQ(t, dut_get_m_aw_id_o(d), st->aw[k].id, "P1: m_aw_id_o");
  CHECK_EQ(t, dut_get_m_aw_owner_o(d), st->aw[k].owner, "P5: m_aw_owner_o");
}

static void beat_out(tb *t, dut *d, state *st, const uint32_t *got, bool aw) {
  CHECK(t, st->w_out != st->w_in, "P1: W from nowhere");
  unsigned k = st->w_out++ % FIFO;
  CHECK_MEM(t, got, st->w[k].data, 4 * WORDS, "P1: m_w_data_o");
  CHECK_EQ(t, dut_get_m_w_last_o(d), st->w[k].last, "P1: m_w_last_o");
  CHECK(t, st->last_out < st->aw_out || (st->last_out == st->aw_out && aw), "P2: W offered before its AW");
  if (st->w[k].last) {
    st->owe[st->w[k].id]++;
    st->last_out++;
  }
  st->beats++;
}

static void port(tb *t, dut *d, state *st, bool awr, bool wr) {
  bool aw = dut_get_m_aw_valid_o(d), w = dut_get_m_w_valid_o(d);
  uint32_t got[WORDS];
  dut_get_m_w_data_o(d, got);
  if (st->aw_wait) CHECK(t, aw && dut_get_m_aw_addr_o(d) == st->aw_old, "P2: AW changed");
  if (st->w_wait) CHECK(t, w && words_eq(got, st->w_old, WORDS * 32), "P2: W changed");
  st->aw_wait = aw && !awr;
  st->w_wait = w && !wr;
  st->aw_old = dut_get_m_aw_addr_o(d);
  memcpy(st->w_old, got, sizeof got);
  if (aw && awr) address_out(t, d, st);
  if (w && wr) beat_out(t, d, st, got, aw);
}

static void address_taken(tb *t, dut *d, state *st, unsigned i) {
  source *s = &st->src[i];
  unsigned k = st->aw_in++ % FIFO;
  st->aw[k].addr = s->addr;
  st->aw[k].len = s->len;
  st->aw[k].id = i;
  st->aw[k].owner = s->owner;
  s->aw = false;
  s->sent = true;
  for (unsigned j = 0; j < N; j++) {
    if (j == i || !st->src[j].busy || !st->src[j].aw) continue;
    // small rests after a burst as long as others ask
    bool rests = dut_cycle(d) - st->small_at <= 32 && st->small;
    if (i == N - 1) CHECK(t, !rests, "P3: small does not rest");
    if (j == N - 1 && rests) continue;
    CHECK(t, ++st->src[j].waited < N, "P3: source %u is starved", j);
  }
  if (i == N - 1) {
    st->small = true;
    st->small_at = dut_cycle(d);
  }
}

static void beat_taken(tb *t, state *st, unsigned i) {
  source *s = &st->src[i];
  CHECK(t, s->sent, "P2: w taken before its aw");
  unsigned k = st->w_in++ % FIFO;
  memcpy(st->w[k].data, s->data, sizeof s->data);
  st->w[k].last = s->beat == s->len;
  st->w[k].id = i;
  s->w = false;
  if (s->beat++ == s->len) s->busy = false;
}

static void sources(tb *t, dut *d, state *st, uint64_t aws, uint64_t ws) {
  uint64_t aw_ready = dut_get_aw_ready_o(d) & aws, w_ready = dut_get_w_ready_o(d) & ws;
  CHECK(t, (aw_ready & (aw_ready - 1)) == 0 && (w_ready & (w_ready - 1)) == 0, "P1: two sources at once");
  for (unsigned i = 0; i < N; i++) {
    if (aw_ready >> i & 1) address_taken(t, d, st, i);
    if (w_ready >> i & 1) beat_taken(t, st, i);
  }
}

static void cycle(tb *t, dut *d, state *st, bool feed) {
  uint32_t addr[6] = {0}, data[3 * WORDS] = {0}, strb[(N * WORDS * 4 + 31) / 32] = {0};
  uint64_t owners = 0, lens = 0, aws = 0, ws = 0, lasts = 0;
  for (unsigned i = 0; i < N; i++) {
    source *s = &st->src[i];
    fill(t, s, feed);
    aws |= (uint64_t)(s->busy && s->aw) << i;
    ws |= (uint64_t)(s->busy && s->w) << i;
    lasts |= (uint64_t)(s->beat == s->len) << i;
    lens |= (uint64_t)s->len << 8 * i;
    owners |= (uint64_t)s->owner << 7 * i;
    bits_set(addr, 64 * i, 64, s->addr);
    word(data, i, s->data);
    for (unsigned k = 0; k < WORDS * 4; k++) bits_set(strb, WORDS * 4 * i + k, 1, s->data[0] >> k % 32 & 1);
  }
  unsigned bid = (unsigned)rnd_below(t, N + 1);
  bool b = bid == N ? rnd_below(t, 50) == 0 : st->owe[bid] && rnd_chance(t, st->b_pct);
  unsigned resp = rnd_chance(t, 20) ? (unsigned)rnd_bits(t, 2) : 0;
  bool awr = rnd_chance(t, st->aw_pct), wr = rnd_chance(t, st->w_pct);
  dut_set_aw_valid_i(d, aws);
  dut_set_aw_addr_i(d, addr);
  dut_set_aw_len_i(d, lens);
  dut_set_aw_owner_i(d, owners);
  dut_set_w_valid_i(d, ws);
  dut_set_w_data_i(d, data);
#ifdef W_STRB_I_WORDS
  dut_set_w_strb_i(d, strb);
#else
  dut_set_w_strb_i(d, strb[0] | (uint64_t)strb[1] << 32);
#endif
  dut_set_w_last_i(d, lasts);
  dut_set_m_aw_ready_i(d, awr);
  dut_set_m_w_ready_i(d, wr);
  dut_set_m_b_valid_i(d, b);
  dut_set_m_b_id_i(d, bid == N ? 3 + rnd_below(t, 253) : bid);
  dut_set_m_b_resp_i(d, resp);
  bool b_ready = rnd_chance(t, 90);
  dut_set_b_ready_i(d, b_ready);
  dut_eval(d);

  // ---- responses
  CHECK_EQ(t, dut_get_m_b_ready_o(d), b_ready, "P4: m_b_ready_o");
  b = b && b_ready;
  CHECK_EQ(t, dut_get_b_valid_o(d), b && bid < N ? 1 << bid : 0, "P4: b_valid_o");
  if (b) CHECK_EQ(t, dut_get_b_err_o(d), resp >= 2, "P4: b_err_o");
  st->errors += b && resp >= 2;
  if (b && bid < N) st->owe[bid]--;

  port(t, d, st, awr, wr);

  sources(t, d, st, aws, ws);
  dut_tick(d);
}

int main(int argc, char **argv) {
  static state st;
  tb t;
  tb_init(&t, argc, argv, "aa_axi_w", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);

  // One source, all of them; bursts of one beat, of several: the port never idles.
  for (unsigned mix = 0; mix < 4; mix++) {
    st.aw_pct = st.w_pct = st.b_pct = 100;
    for (unsigned i = 0; i < N; i++) {
      st.src[i].pct = mix & 1 || i == 0 ? 100 : 0;
      st.src[i].max = mix & 2 ? 4 : 1;
    }
    for (unsigned i = 0; i < 50; i++) cycle(&t, d, &st, true);
    uint64_t beats = st.beats;
    for (unsigned i = 0; i < 1000; i++) cycle(&t, d, &st, true);
    CHECK_EQ(&t, st.beats - beats, 1000, "beats in 1000 cycles, mix %u", mix);
  }
  while (dut_cycle(d) < t.cycles) {
    static const unsigned pct[] = {100, 100, 70, 40, 10};
    for (unsigned i = 0; i < N; i++) {
      st.src[i].pct = pct[rnd_below(&t, 5)];
      st.src[i].max = 1 + (unsigned)rnd_below(&t, rnd_chance(&t, 20) ? 256 : 4);
    }
    st.aw_pct = pct[rnd_below(&t, 5)];
    st.w_pct = pct[rnd_below(&t, 5)];
    st.b_pct = pct[rnd_below(&t, 5)];
    for (unsigned i = 0; i < 300; i++) cycle(&t, d, &st, true);
    if (rnd_chance(&t, 20)) {
      for (unsigned i = 0; i < N; i++) st.src[i].pct = 100;
      st.aw_pct = st.w_pct = 100;
      for (unsigned i = 0; i < 2000; i++) cycle(&t, d, &st, false);
      CHECK(&t, st.aw_in == st.aw_out && st.w_in == st.w_out && st.last_out == st.aw_out, "something is left inside");
    }
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
