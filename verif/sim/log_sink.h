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
#define SINK_BIT 14U   // bytes of a ring, as a power of two
#define SINK_BITS 48U  // of an address

enum { ByteFree, ByteDue, ByteWritten, ByteAcked };

typedef struct sink {
  uint8_t value[SPAN], state[SPAN], owner[SPAN];
  uint64_t base[RINGS];  // where the rings lie, and whose they are: sink_move
  unsigned ring_log[RINGS];
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
  bool b_late;  // every response takes b_delay cycles, else up to that many
  bool b_hold;  // no response for now
  bool aw_wait, w_wait;
  uint64_t aw_old;
  unsigned len_old, log_old, last_old;
  uint32_t w_old[W_DATA_O_WORDS];
  uint64_t strb_old[2];
  uint64_t beats, bursts;
} sink;

static inline uint64_t sink_place(const sink *s, unsigned ring, unsigned byte) { return s->base[ring] + byte; }

// Where in value, state and owner the byte at addr is; SPAN if it lies in no ring.
static unsigned sink_index(const sink *s, uint64_t addr) {
  for (unsigned r = 0; r < RINGS; r++)
    if (addr - s->base[r] < RING) return r * RING + (unsigned)(addr - s->base[r]);
  return SPAN;
}

static unsigned sink_bit(tb *t) { return SINK_BIT + (unsigned)rnd_below(t, SINK_BITS - SINK_BIT); }

// While no byte is in use: other places and owners. Inside the first ring the carry runs as far as it will; another
// ring's addresses differ from its in one bit, `bit` for the second. Two rings may be of one log.
static void sink_move(tb *t, sink *s, unsigned bit) {
  for (unsigned r = 0; r < RINGS;) {
    unsigned far = sink_bit(t), other = bit;
    if (r == 0) s->base[0] = ((1 + rnd_below(t, (1ULL << (SINK_BITS - far)) - 1)) << far) - RING / 2;
    while (r == 2 && other == bit) other = sink_bit(t);
    if (r > 0) s->base[r] = s->base[0] ^ 1ULL << other;
    bool ends = s->base[r] + RING > 1ULL << SINK_BITS;  // LOG-11
    s->ring_log[r] = r && rnd_chance(t, 50) ? s->ring_log[0] : (unsigned)rnd_bits(t, 5);
    r = ends ? 0 : r + 1;
  }
}

static void sink_expect(tb *t, sink *s, uint64_t addr, const uint8_t *bytes, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned a = sink_index(s, addr + i);
    CHECK(t, a < SPAN && s->state[a] == ByteFree, "test: byte %" PRIx64 " is in use", addr + i);
    if (a == SPAN) return;
    s->value[a] = bytes[i];
    s->state[a] = ByteDue;
    s->owner[a] = (uint8_t)s->log;
  }
}

static bool sink_free(const sink *s, uint64_t addr, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (s->state[sink_index(s, addr + i)] != ByteFree) return false;
  return true;
}

// The entry's bytes have their responses: they may be used again.
static void sink_release(tb *t, sink *s, uint64_t addr, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned a = sink_index(s, addr + i);
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
    unsigned a = sink_index(s, at + i);
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
    s->b[s->b_tail].due = dut_cycle(d) + 1 + (s->b_late ? s->b_delay : rnd_below(t, s->b_delay + 1));
    s->b_tail = (s->b_tail + 1) % 4096;
    CHECK(t, s->b_tail != s->b_head, "test: too many bursts without a response");
  }
}

static void sink_response(sink *s) {
  for (unsigned i = 0; i < s->b[s->b_head].bytes; i++) {
    unsigned a = sink_index(s, s->b[s->b_head].addr + i);
    if (a < SPAN && s->state[a] == ByteWritten) s->state[a] = ByteAcked;
  }
  s->b_head = (s->b_head + 1) % 4096;
}

static unsigned sink_flying(const sink *s) { return (s->b_tail + 4096 - s->b_head) % 4096 + s->open; }

// The device was reset: nothing of what went before counts.
static void sink_reset(tb *t, dut *d, sink *s) {
  dut_set_b_valid_i(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  memset(s->state, 0, sizeof s->state);
  s->open = s->aw_wait = s->w_wait = s->b_hold = s->b_late = false;
  s->b_head = s->b_tail = 0;
  CHECK(t, !dut_get_aw_valid_o(d) && !dut_get_w_valid_o(d), "a write is left after reset");
  CHECK(t, !dut_get_done_valid_o(d), "a done is left after reset");
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
    CHECK_EQ(t, dut_get_aw_log_o(d), s->log_old, "P3: aw_log_o changed");
  }
  if (s->w_wait) {
    CHECK(t, w && words_eq(data, s->w_old, BEAT * 8), "P3: w changed");
    CHECK(t, strb[0] == s->strb_old[0] && strb[1] == s->strb_old[1], "P3: w_strb_o changed");
    CHECK_EQ(t, dut_get_w_last_o(d), s->last_old, "P3: w_last_o changed");
  }
  s->aw_wait = aw && !aw_ready;
  s->w_wait = w && !w_ready;
  s->aw_old = dut_get_aw_addr_o(d);
  s->len_old = (unsigned)dut_get_aw_len_o(d);
  s->log_old = (unsigned)dut_get_aw_log_o(d);
  s->last_old = (unsigned)dut_get_w_last_o(d);
  memcpy(s->strb_old, strb, sizeof strb);
  memcpy(s->w_old, data, sizeof data);

  if (aw && aw_ready) sink_address(t, d, s);
  if (w && w_ready) sink_beat(t, d, s, data, strb);
  if (b) sink_response(s);
  CHECK(t, sink_flying(s) <= P_Outstanding, "%u bursts without a response", sink_flying(s));
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
