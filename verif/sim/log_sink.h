// SPDX-License-Identifier: Apache-2.0
// What the tests of the access log's writers share: the headers' fields, and an AXI write port behind them that knows
// which bytes may be written with what, once, and which of them have had their response.
// Included after the generated header of the writer, whose ports aw_*, w_* and b_valid_i it plays.
#ifndef TOCSIN_LOG_SINK_H
#define TOCSIN_LOG_SINK_H

#include <string.h>

#define BEAT (W_DATA_O_WORDS * 4U)  // bytes of a bus word
#define RINGS 3U
#define RING 16384U  // bytes; more than three entries of the largest size
#define SPAN (RINGS * RING)
#define SINK_BASE 0xA5A5FFFFC000ULL  // the first ring ends where the carry runs far

enum { ByteFree, ByteDue, ByteWritten, ByteAcked };

typedef struct sink {
  uint8_t value[SPAN], state[SPAN], owner[SPAN];
  unsigned log;  // whose what is expected next is
  struct {
    uint64_t addr;
    unsigned beats, log;
  } aw[2];  // the burst that is being filled: [0]
  bool open;
  unsigned beat;
  struct {
    uint64_t addr;
    unsigned bytes;
    uint64_t due;
  } b[4096];
  unsigned b_head, b_tail;
  unsigned aw_pct, w_pct, b_delay, done_pct;
  bool b_hold;  // no response for now
  bool aw_wait, w_wait;
  uint64_t aw_old;
  unsigned len_old;
  uint32_t w_old[W_DATA_O_WORDS];
  uint64_t beats, bursts;
} sink;

static void sink_expect(tb *t, sink *s, uint64_t addr, const uint8_t *bytes, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    uint64_t a = addr + i - SINK_BASE;
    CHECK(t, a < SPAN && s->state[a] == ByteFree, "test: byte %" PRIx64 " is in use", addr + i);
    s->value[a] = bytes[i];
    s->state[a] = ByteDue;
    s->owner[a] = (uint8_t)s->log;
  }
}

static bool sink_free(const sink *s, uint64_t addr, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (s->state[addr + i - SINK_BASE] != ByteFree) return false;
  return true;
}

// The entry's bytes have their responses: they may be used again.
static void sink_release(tb *t, sink *s, uint64_t addr, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    uint64_t a = addr + i - SINK_BASE;
    CHECK_EQ(t, s->state[a], ByteAcked, "P4: done, but byte %u of %u at %" PRIx64, i, n, addr);
    s->state[a] = ByteFree;
  }
}

static void sink_address(tb *t, dut *d, sink *s) {
  uint64_t addr = dut_get_aw_addr_o(d);
  unsigned beats = (unsigned)dut_get_aw_len_o(d) + 1U;
  CHECK(t, !s->open, "P2: a burst begins inside another");
  CHECK_EQ(t, addr % BEAT, 0, "P2: aw_addr_o aligned");
  CHECK((t), addr / 4096 == (addr + beats * BEAT - 1) / 4096, "P2: burst at %" PRIx64 ", %u beats", addr, beats);
  s->aw[0].addr = addr;
  s->aw[0].beats = beats;
  s->aw[0].log = (unsigned)dut_get_aw_log_o(d);
  s->beat = 0;
  s->open = true;
  s->bursts++;
}

static void sink_beat(tb *t, dut *d, sink *s, const uint32_t *data, const uint64_t *strb) {
  uint64_t at = s->aw[0].addr + (uint64_t)s->beat * BEAT;
  for (unsigned i = 0; i < BEAT; i++) {
    bool on = strb[i / 64] >> i % 64 & 1;
    if (!on) continue;
    uint64_t a = at + i - SINK_BASE;
    CHECK(t, a < SPAN && s->state[a] == ByteDue, "P1: byte %" PRIx64 " is not to be written (state %d)", at + i,
          a < SPAN ? s->state[a] : -1);
    if (a < SPAN) {
      CHECK_EQ(t, data[i / 4] >> (i % 4 * 8) & 0xFF, s->value[a], "P1: byte %" PRIx64, at + i);
      CHECK_EQ(t, s->aw[0].log, s->owner[a], "the log of byte %" PRIx64, at + i);
      s->state[a] = ByteWritten;
    }
  }
  s->beats++;
  s->beat++;
  CHECK_EQ(t, dut_get_w_last_o(d), s->beat == s->aw[0].beats, "P2: w_last_o at beat %u of %u", s->beat, s->aw[0].beats);
  if (s->beat == s->aw[0].beats) {
    s->open = false;
    s->b[s->b_tail].addr = s->aw[0].addr;
    s->b[s->b_tail].bytes = s->aw[0].beats * BEAT;
    s->b[s->b_tail].due = dut_cycle(d) + 1 + rnd_below(t, s->b_delay + 1);
    s->b_tail = (s->b_tail + 1) % 4096;
    CHECK(t, s->b_tail != s->b_head, "test: too many bursts without a response");
  }
}

static void sink_response(sink *s) {
  for (unsigned i = 0; i < s->b[s->b_head].bytes; i++) {
    uint64_t a = s->b[s->b_head].addr + i - SINK_BASE;
    if (a < SPAN && s->state[a] == ByteWritten) s->state[a] = ByteAcked;
  }
  s->b_head = (s->b_head + 1) % 4096;
}

// After the inputs of the cycle have been set: answers the write port, checks it, and sets b_valid_i.
static void sink_cycle(tb *t, dut *d, sink *s) {
  bool b = !s->b_hold && s->b_head != s->b_tail && s->b[s->b_head].due <= dut_cycle(d);
  bool aw_ready = rnd_chance(t, s->aw_pct);
  dut_set_b_valid_i(d, b);
  dut_set_aw_ready_i(d, aw_ready);
  dut_set_w_ready_i(d, 0);
  dut_eval(d);
  bool aw = dut_get_aw_valid_o(d), w = dut_get_w_valid_o(d);
  bool w_ready = rnd_chance(t, s->w_pct) && (s->open || (aw && aw_ready));
  dut_set_w_ready_i(d, w_ready);
  dut_eval(d);
  CHECK(t, dut_get_aw_valid_o(d) == aw && dut_get_w_valid_o(d) == w, "P3: valid depends on ready");

  uint32_t data[W_DATA_O_WORDS];
  dut_get_w_data_o(d, data);
  uint64_t strb[2] = {0};
#ifdef W_STRB_O_WORDS
  uint32_t strb_words[W_STRB_O_WORDS];
  dut_get_w_strb_o(d, strb_words);
  for (unsigned i = 0; i < W_STRB_O_WORDS; i++) strb[i / 2] |= (uint64_t)strb_words[i] << 32 * (i % 2);
#else
  strb[0] = (uint64_t)dut_get_w_strb_o(d);
#endif
  for (unsigned i = 0; i < BEAT; i++)  // bytes without strobe do not count
    if (!(strb[i / 64] >> i % 64 & 1)) data[i / 4] &= ~(0xFFU << i % 4 * 8);
  if (s->aw_wait) {
    CHECK(t, aw && dut_get_aw_addr_o(d) == s->aw_old && dut_get_aw_len_o(d) == s->len_old, "P3: aw changed");
  }
  if (s->w_wait) CHECK(t, w && words_eq(data, s->w_old, BEAT * 8), "P3: w changed");
  s->aw_wait = aw && !aw_ready;
  s->w_wait = w && !w_ready;
  s->aw_old = dut_get_aw_addr_o(d);
  s->len_old = (unsigned)dut_get_aw_len_o(d);
  memcpy(s->w_old, data, sizeof data);

  if (aw && aw_ready) sink_address(t, d, s);
  if (w && w_ready) sink_beat(t, d, s, data, strb);
  if (b) sink_response(s);
}

// A header as a put_log_t or get_log_t has it at bit 0.
static inline void random_header(tb *t, uint32_t *hdr, unsigned kind, bool data, unsigned len, unsigned fbe,
                                 unsigned lbe) {
  rnd_words(t, hdr, 128);
  bits_set(hdr, 74, 2, 0);
  bits_set(hdr, 76, 3, kind);
  bits_set(hdr, 82, 1, data);
  bits_set(hdr, 83, 11, len);
  bits_set(hdr, 94, 4, fbe);
  bits_set(hdr, 98, 4, lbe);
}

static inline void pad_header(uint8_t *bytes, unsigned pad_bytes) {
  uint32_t hdr[4] = {0};
  bits_set(hdr, 76, 3, 7);
  bits_set(hdr, 83, 11, pad_bytes / 4 - 4);
  memcpy(bytes, hdr, 16);
}

#endif
