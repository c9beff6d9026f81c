// SPDX-License-Identifier: Apache-2.0
// aa_log_put: entries of all shapes into three rings, against the bytes that memory must hold.
// config: default
// config: w128 +define+TOCSIN_DATA_W=128
// config: w512 +define+TOCSIN_DATA_W=512
// config: tight -GOutstanding=1 -GIds=5
// netlist: default
#include "tb.h"
#include "aa_fields.h"
#include "aa_log_put_tb.h"
#include "log_sink.h"

typedef struct entry {
  uint64_t addr, pad_addr;
  unsigned bytes, pad;  // pad: 16 if a pad header is written
  unsigned id;
} entry;

typedef struct state {
  sink s;
  unsigned next[RINGS];
  entry live[4096];
  unsigned head, tail;
  bool have;  // a command is offered
  uint32_t cmd[(AA_PUT_LOG_T_W + 31) / 32], beats[1028];
  unsigned nbeats, beat, ndw;
  unsigned cmd_pct, data_pct, done;
  int fixed;  // >= 0: this many DWs of data
  int ring;   // >= 0: this ring only
  bool data_up, cmd_up;
} state;

static void make(tb *t, state *st) {
  unsigned r = st->ring >= 0 ? (unsigned)st->ring : (unsigned)rnd_below(t, RINGS);
  bool data = st->fixed ? st->fixed > 0 || rnd_chance(t, 70) : false;
  unsigned len = st->fixed >= 0 ? (unsigned)st->fixed : 1 + (unsigned)rnd_below(t, rnd_chance(t, 80) ? 20 : 1024);
  if (rnd_below(t, 50) == 0 && st->fixed < 0) len = 1024;
  if (!data && !len) len = 1;
  unsigned bytes = 16 + (data ? (len * 4 + 15) / 16 * 16 : 0);
  unsigned off = st->next[r], pad = 0;
  if (off + bytes > RING) pad = RING - off;
  uint64_t base = SINK_BASE + (uint64_t)r * RING, addr = base + (pad ? 0 : off);
  if (!sink_free(&st->s, addr, bytes) || (pad && !sink_free(&st->s, base + off, 16))) return;
  if ((st->tail + 1) % 4096 == st->head) return;

  unsigned fbe = (unsigned)rnd_bits(t, 4), lbe = len == 1 ? 0 : (unsigned)rnd_bits(t, 4);
  uint8_t image[4112] = {0};
  random_header(t, st->cmd, data ? 1 : (unsigned)rnd_below(t, 4), data, len, fbe, lbe);
  memcpy(image, st->cmd, 16);
  st->nbeats = data ? (len + W_DATA_O_WORDS - 1) / W_DATA_O_WORDS : 0;
  st->ndw = len;
  for (unsigned i = 0; i < st->nbeats * W_DATA_O_WORDS; i++) st->beats[i] = (uint32_t)rnd(t);
  if (data) {
    for (unsigned i = 0; i < len; i++) memcpy(image + 16 + 4 * i, &st->beats[i], 4);
    for (unsigned b = 0; b < 4; b++) {
      if (!(fbe >> b & 1)) image[16 + b] = 0;
      if (len > 1 && !(lbe >> b & 1)) image[16 + 4 * len - 4 + b] = 0;
    }
  }
  entry *e = &st->live[st->tail];
  e->addr = addr;
  e->bytes = bytes;
  st->s.log = 9 * r + 3;
  e->id = st->s.log << 5 | (unsigned)rnd_bits(t, 5);
  e->pad = pad ? 16 : 0;
  e->pad_addr = base + off;
  st->tail = (st->tail + 1) % 4096;
  sink_expect(t, &st->s, addr, image, bytes);
  if (pad) {
    uint8_t p[16];
    pad_header(p, pad);
    sink_expect(t, &st->s, base + off, p, 16);
  }
  bits_set(st->cmd, AA_PUT_LOG_T_TOTAL_LSB, AA_PUT_LOG_T_TOTAL_W, bytes / 16);
  bits_set(st->cmd, AA_PUT_LOG_T_PAD_BYTES_LSB, AA_PUT_LOG_T_PAD_BYTES_W, pad ? pad : rnd_bits(t, 13));
  bits_set(st->cmd, AA_PUT_LOG_T_PAD_ADDR_LSB, AA_PUT_LOG_T_PAD_ADDR_W, pad ? base + off : rnd_bits(t, 48));
  bits_set(st->cmd, AA_PUT_LOG_T_PAD_LSB, AA_PUT_LOG_T_PAD_W, pad != 0);
  bits_set(st->cmd, AA_PUT_LOG_T_ADDR_LSB, AA_PUT_LOG_T_ADDR_W, addr);
  bits_set(st->cmd, AA_PUT_LOG_T_ID_LSB, AA_PUT_LOG_T_ID_W, e->id);
  st->next[r] = (pad ? bytes : off + bytes) % RING;
  st->beat = 0;
  st->have = true;
}

static void cycle(tb *t, dut *d, state *st, bool feed) {
  if (!st->have && feed) make(t, st);
  // valid, once up, stays until taken
  st->cmd_up = st->have && (st->cmd_up || rnd_chance(t, st->cmd_pct));
  st->data_up = st->have && st->beat < st->nbeats && (st->data_up || rnd_chance(t, st->data_pct));
  dut_set_cmd_valid_i(d, st->cmd_up);
  dut_set_cmd_i(d, st->cmd);
  dut_set_data_valid_i(d, st->data_up);
  uint32_t junk[W_DATA_O_WORDS];
  rnd_words(t, junk, W_DATA_O_WORDS * 32);
  dut_set_data_i(d, st->data_up ? st->beats + st->beat * W_DATA_O_WORDS : junk);
  bool done_ready = rnd_chance(t, st->s.done_pct);
  dut_set_done_ready_i(d, done_ready);
  sink_cycle(t, d, &st->s);

  bool cmd = dut_get_cmd_ready_o(d) && st->cmd_up, data = dut_get_data_ready_o(d) && st->data_up;
  if (data) st->beat++, st->data_up = false;
  if (cmd) {
    CHECK_EQ(t, st->beat, st->nbeats, "P3: payload beats taken with the entry");
    st->have = st->cmd_up = false;
  }
  if (dut_get_done_valid_o(d) && done_ready) {
    CHECK(t, st->head != st->tail, "P4: done without an entry");
    entry *e = &st->live[st->head];
    CHECK_EQ(t, dut_get_done_id_o(d), e->id, "P4: done_id_o");
    sink_release(t, &st->s, e->addr, e->bytes);
    if (e->pad) sink_release(t, &st->s, e->pad_addr, 16);
    st->head = (st->head + 1) % 4096;
    st->done++;
  }
  dut_tick(d);
}

static void drain(tb *t, dut *d, state *st) {
  for (unsigned i = 0; i < 20000 && (st->have || st->head != st->tail); i++) cycle(t, d, st, false);
  CHECK(t, st->head == st->tail && !st->have, "P5: entries left after the last command");
  CHECK(t, !st->s.open && st->s.b_head == st->s.b_tail, "a burst is left open");
}

// Entries of `dw` DWs of data in one ring: entries or bus words a cycle, in percent, must reach `want`.
static void rate(tb *t, dut *d, state *st, int dw, unsigned skew, bool words, unsigned want) {
  st->fixed = dw, st->ring = 0;
  st->cmd_pct = st->data_pct = st->s.aw_pct = st->s.w_pct = 100;
  st->s.b_delay = 0;
  st->s.done_pct = 100;
  st->next[0] = skew;
  for (unsigned i = 0; i < 20; i++) cycle(t, d, st, true);
  unsigned done = st->done;
  uint64_t beats = st->s.beats;
  for (unsigned i = 0; i < 1000; i++) cycle(t, d, st, true);
  unsigned got = words ? (unsigned)(st->s.beats - beats) : st->done - done;
  printf("  %d DW at %u: %u.%u %% %s, %" PRIu64 " bursts\n", dw, skew, got / 10, got % 10, words ? "beats" : "entries",
         st->s.bursts);
  CHECK(t, got / 10 >= want, "rate of entries with %d DW at %u: %u of 1000 cycles", dw, skew, got);
  drain(t, d, st);
}

int main(int argc, char **argv) {
  static state st;
  tb t;
  tb_init(&t, argc, argv, "aa_log_put", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  st.fixed = st.ring = -1;
  bool tight = P_Outstanding < 4;
  if (!tight) {
    rate(&t, d, &st, 2, 0, BEAT < 32, 95);   // entries of 32 bytes
    rate(&t, d, &st, 2, 16, BEAT < 32, 95);  // the same between the bus words: neighbours share a word
    rate(&t, d, &st, 64, 0, true, 94);
    rate(&t, d, &st, 1024, 16, true, 95);
  }
  st.ring = st.fixed = -1;
  while (dut_cycle(d) < t.cycles) {
    static const unsigned pct[] = {100, 100, 80, 50, 15};
    st.cmd_pct = pct[rnd_below(&t, 5)];
    st.data_pct = pct[rnd_below(&t, 5)];
    st.s.aw_pct = pct[rnd_below(&t, 5)];
    st.s.w_pct = pct[rnd_below(&t, 5)];
    st.s.done_pct = pct[rnd_below(&t, 5)];
    st.s.b_delay = (unsigned)rnd_below(&t, 2) * (unsigned)rnd_below(&t, 100);
    st.fixed = rnd_chance(&t, 40) ? (int)rnd_below(&t, 9) : -1;
    st.ring = rnd_chance(&t, 50) ? (int)rnd_below(&t, RINGS) : -1;
    for (unsigned i = 0; i < 300; i++) cycle(&t, d, &st, true);
    if (rnd_chance(&t, 20)) drain(&t, d, &st);
  }
  drain(&t, d, &st);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
