// SPDX-License-Identifier: Apache-2.0
// aa_axi_w: three sources with bursts of all lengths, a port with random back-pressure, responses in any order of ids.
// Whose burst is next is said in every cycle, and so is what the port shows. What is not valid is anything.
// config: default
// config: w128 +define+TOCSIN_DATA_W=128
// netlist: default
#include "tb.h"
#include "aa_axi_w_tb.h"
#include "turns.h"

#include <string.h>

#define N 3U
#define SMALL (N - 1)
#define REST 32  // cycles between two bursts of SMALL while others ask
#define WORDS M_W_DATA_O_WORDS
#define FIFO 4096U

typedef struct source {
  bool aw, w;       // offered
  bool busy, sent;  // a burst is under way; its aw has been taken
  uint64_t addr;
  unsigned len, beat, pct, max, owner;
  uint32_t data[WORDS], strb;
  unsigned waited;  // bursts of others since it asks
} source;

typedef struct state {
  source src[N];
  struct {
    uint64_t addr;
    unsigned len, id, owner;
  } aw[FIFO];
  struct {
    uint32_t data[WORDS], strb;
    bool last;
    unsigned id;
  } w[FIFO];
  unsigned aw_in, aw_out, w_in, w_out, last_out;
  unsigned owe[N];  // bursts whose last beat has left, without a response
  unsigned aw_pct, w_pct, b_pct;
  uint64_t beats, errors;
  bool small;  // has had a burst, in this cycle
  uint64_t small_at;
  turns next;
  int owner;  // source of the burst under way, or -1
  uint64_t aws, ws;
  bool awr, wr, b, b_ready;
  unsigned bid, resp;
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
  if (s->busy && s->w) return;
  s->w = s->busy && rnd_chance(t, s->pct);
  rnd_words(t, s->data, WORDS * 32);
  s->strb = (uint32_t)rnd_bits(t, WORDS * 4);
}

// P1, P2: what was taken is shown from the next cycle on, as it was, until it has left.
static void port(tb *t, dut *d, state *st) {
  bool aw = dut_get_m_aw_valid_o(d), w = dut_get_m_w_valid_o(d);
  CHECK_EQ(t, aw, st->aw_in != st->aw_out, "P2: m_aw_valid_o");
  CHECK_EQ(t, w, st->w_in != st->w_out, "P2: m_w_valid_o");
  if (aw) {
    unsigned k = st->aw_out % FIFO;
    CHECK_EQ(t, dut_get_m_aw_addr_o(d), st->aw[k].addr, "P1: m_aw_addr_o");
    CHECK_EQ(t, dut_get_m_aw_len_o(d), st->aw[k].len, "P1: m_aw_len_o");
    CHECK_EQ(t, dut_get_m_aw_id_o(d), st->aw[k].id, "P1: m_aw_id_o");
    CHECK_EQ(t, dut_get_m_aw_owner_o(d), st->aw[k].owner, "P5: m_aw_owner_o");
  }
  if (w) {
    unsigned k = st->w_out % FIFO;
    uint32_t got[WORDS];
    dut_get_m_w_data_o(d, got);
    CHECK_MEM(t, got, st->w[k].data, 4 * WORDS, "P1: m_w_data_o");
    CHECK_EQ(t, dut_get_m_w_strb_o(d), st->w[k].strb, "P1: m_w_strb_o");
    CHECK_EQ(t, dut_get_m_w_last_o(d), st->w[k].last, "P1: m_w_last_o");
    CHECK(t, st->last_out < st->aw_out || (st->last_out == st->aw_out && aw), "P2: W offered before its AW");
    if (st->wr) {
      st->w_out++;
      st->beats++;
      st->owe[st->w[k].id] += st->w[k].last;
      st->last_out += st->w[k].last;
    }
  }
  st->aw_out += aw && st->awr;
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
  st->w[k].strb = s->strb;
  st->w[k].last = s->beat == s->len;
  st->w[k].id = i;
  s->w = false;
  st->owner = s->beat == s->len ? -1 : (int)i;
  if (s->beat++ == s->len) s->busy = false;
}

// P3: who is next while no burst is under way; one that begins may bring its first beat along.
static void sources(tb *t, dut *d, state *st) {
  bool aw_room = st->aw_in == st->aw_out, w_room = st->w_in == st->w_out;
  bool rests = st->small && dut_cycle(d) - st->small_at <= REST;
  uint64_t others = st->aws & ~(1ull << SMALL), asks = st->owner >= 0 ? 0 : rests && others ? others : st->aws;
  int who = turn_of(&st->next, asks);
  bool begins = who >= 0 && aw_room;
  CHECK_EQ(t, dut_get_aw_ready_o(d) & st->aws, begins ? 1u << who : 0, "P3: whose AW is taken");
  turn_passed(&st->next, who, aw_room);
  if (begins) address_taken(t, d, st, (unsigned)who);
  int owner = begins ? who : st->owner;
  uint64_t want = owner >= 0 && w_room ? st->ws & 1u << owner : 0;
  CHECK_EQ(t, dut_get_w_ready_o(d) & st->ws, want, "P1: whose W is taken");
  st->owner = owner;
  if (want) beat_taken(t, st, (unsigned)owner);
}

static void drive(tb *t, dut *d, state *st, bool feed) {
  uint32_t addr[6] = {0}, data[3 * WORDS] = {0}, strb[(N * WORDS * 4 + 31) / 32] = {0};
  uint64_t owners = 0, lens = 0, lasts = 0;
  st->aws = st->ws = 0;
  for (unsigned i = 0; i < N; i++) {
    source *s = &st->src[i];
    fill(t, s, feed);
    bool aw = s->busy && s->aw, w = s->busy && s->w;
    st->aws |= (uint64_t)aw << i;
    st->ws |= (uint64_t)w << i;
    lasts |= (w ? s->beat == s->len : rnd_bits(t, 1)) << i;
    lens |= (aw ? s->len : rnd_bits(t, 8)) << 8 * i;
    owners |= (aw ? s->owner : rnd_bits(t, 7)) << 7 * i;
    bits_set(addr, 64 * i, 64, aw ? s->addr : rnd(t));
    word(data, i, s->data);
    bits_set(strb, WORDS * 4 * i, WORDS * 4, s->strb);
  }
  st->bid = (unsigned)rnd_below(t, N + 1);
  st->b = st->bid == N ? rnd_below(t, 50) == 0 : st->owe[st->bid] && rnd_chance(t, st->b_pct);
  st->resp = (unsigned)rnd_chance(t, 20) ? (unsigned)rnd_bits(t, 2) : 0;
  st->awr = rnd_chance(t, st->aw_pct);
  st->wr = rnd_chance(t, st->w_pct);
  st->b_ready = rnd_chance(t, 90);
  dut_set_aw_valid_i(d, st->aws);
  dut_set_aw_addr_i(d, addr);
  dut_set_aw_len_i(d, lens);
  dut_set_aw_owner_i(d, owners);
  dut_set_w_valid_i(d, st->ws);
  dut_set_w_data_i(d, data);
#ifdef W_STRB_I_WORDS
  dut_set_w_strb_i(d, strb);
#else
  dut_set_w_strb_i(d, strb[0] | (uint64_t)strb[1] << 32);
#endif
  dut_set_w_last_i(d, lasts);
  dut_set_m_aw_ready_i(d, st->awr);
  dut_set_m_w_ready_i(d, st->wr);
  dut_set_m_b_valid_i(d, st->b);
  dut_set_m_b_id_i(d, st->bid == N ? 3 + rnd_below(t, 253) : st->bid);
  dut_set_m_b_resp_i(d, st->resp);
  dut_set_b_ready_i(d, st->b_ready);
  dut_eval(d);
}

static void responses(tb *t, dut *d, state *st) {
  bool taken = st->b && st->b_ready;
  CHECK_EQ(t, dut_get_m_b_ready_o(d), st->b_ready, "P4: m_b_ready_o");
  CHECK_EQ(t, dut_get_b_valid_o(d), taken && st->bid < N ? 1 << st->bid : 0, "P4: b_valid_o");
  if (taken) CHECK_EQ(t, dut_get_b_err_o(d), st->resp >= 2, "P4: b_err_o");
  st->errors += taken && st->resp >= 2;
  if (taken && st->bid < N) st->owe[st->bid]--;
}

static void cycle(tb *t, dut *d, state *st, bool feed) {
  drive(t, d, st, feed);
  responses(t, d, st);
  port(t, d, st);
  sources(t, d, st);
  dut_tick(d);
}

static void reset(dut *d, state *st) {
  dut_reset(d, 1);
  st->aw_in = st->aw_out = st->w_in = st->w_out = st->last_out = 0;
  st->small = false;
  st->next = (turns){.n = N};
  st->owner = -1;
  for (unsigned i = 0; i < N; i++) st->owe[i] = 0, st->src[i].busy = false;
}

int main(int argc, char **argv) {
  static state st;
  tb t;
  tb_init(&t, argc, argv, "aa_axi_w", 30000);
  dut *d = dut_begin(&t);
  reset(d, &st);

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
    if (rnd_chance(&t, 10)) {
      drive(&t, d, &st, true);  // a reset comes in the middle of anything
      reset(d, &st);
    } else if (rnd_chance(&t, 20)) {
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
