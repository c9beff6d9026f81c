// SPDX-License-Identifier: Apache-2.0
// nic_icrc against the CRC-32 of the text book, a bit at a time: known answers, every length, every single bit,
// streams.
// Rules of rtl/nic/README.md: FRM-3.
// config: default +define+TOCSIN_DATA_W=256
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// netlist: wide
#include "tb.h"
#include "nic_icrc_tb.h"

#include <string.h>

enum { BEAT = IN_DATA_I_W / 8, MOST = 8 * BEAT, LATENCY = 4, QUEUE = 64 };

typedef struct bench {
  tb t;
  dut *d;
  uint32_t want[QUEUE];
  uint64_t due[QUEUE];
  unsigned in, out;
} bench;

static uint32_t crc_of(const uint8_t *p, unsigned bytes) {
  uint32_t crc = 0xffffffffu;
  for (unsigned i = 0; i < 8 + bytes; i++) {
    crc ^= i < 8 ? 0xff : p[i - 8];
    for (int b = 0; b < 8; b++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

// One cycle; what comes out must be due now, and nothing else.
static void tick(bench *b) {
  dut_eval(b->d);
  bool due = b->out != b->in && b->due[b->out % QUEUE] == dut_cycle(b->d);
  CHECK_EQ(&b->t, dut_get_valid_o(b->d), due, "valid_o, item %u", b->out);
  if (due) {
    CHECK_EQ(&b->t, dut_get_crc_o(b->d), b->want[b->out % QUEUE], "ICRC of item %u", b->out);
    b->out++;
  }
  dut_tick(b->d);
  dut_set_in_valid_i(b->d, 0);
}

static void send(bench *b, const uint8_t *item, unsigned words, unsigned pauses) {
  for (unsigned at = 0; at <= 4 * words; at += BEAT) {
    uint32_t beat[IN_DATA_I_W / 32] = {0};
    unsigned left = 4 * words - at, here = left < BEAT ? left : BEAT;
    for (unsigned i = 0; i < here; i++) beat[i / 4] |= (uint32_t)item[at + i] << 8 * (i % 4);
    while (rnd_chance(&b->t, pauses)) {
      dut_set_in_last_i(b->d, rnd_chance(&b->t, 50));  // means nothing without valid
      tick(b);
    }
    dut_set_in_valid_i(b->d, 1);
    dut_set_in_last_i(b->d, left < BEAT);
    dut_set_in_dws_i(b->d, left < BEAT ? here / 4 : rnd_below(&b->t, BEAT / 4));
    dut_set_in_data_i(b->d, beat);
    if (left < BEAT) {
      b->want[b->in % QUEUE] = crc_of(item, 4 * words);
      b->due[b->in % QUEUE] = dut_cycle(b->d) + LATENCY;
      b->in++;
    }
    tick(b);
  }
}

static void drain(bench *b) {
  for (unsigned i = 0; i <= LATENCY; i++) tick(b);
  CHECK_EQ(&b->t, b->out, b->in, "items that came out");
}

// Captured and computed frames, from the IP header to the end of the pad; what changes on the way is FFh already.
static void known_answers(bench *b) {
  static const struct {
    const char *text;
    uint32_t wire;
  } known[] = {
      {"45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff40000118000000000000000000000000"
       "0000000000000000",
       0x82fd002a},
      {"450100400478400040110000c0a80007c0a80007c00012b7002c00002460ffff000000d300cf17104630818be28935d9"
       "0e9a95505401be885e500000",
       0x78f353f3},
      {"4502003012344000401114850a0000010a000002c00012b7001c00001140ffff00000022000001001f000001", 0xb6a0d4e2}};
  for (unsigned k = 0; k < 3; k++) {
    uint8_t item[128];
    unsigned n = 0, v;
    for (const char *p = known[k].text; *p; p += 2) {
      sscanf(p, "%2x", &v);
      item[n++] = (uint8_t)v;
    }
    static const uint8_t changes[] = {1, 8, 10, 11, 26, 27, 32};
    for (unsigned i = 0; i < sizeof changes; i++) item[changes[i]] = 0xff;
    uint32_t wire = known[k].wire, crc = crc_of(item, n);
    CHECK_EQ(&b->t, crc, wire >> 24 | (wire >> 8 & 0xff00) | (wire & 0xff00) << 8 | wire << 24, "the reference itself");
    send(b, item, n / 4, 0);
  }
  drain(b);
}

// Any number of words, back to back: the shortest are one beat, an item that fills its beats has
// an empty one behind it.
static void every_length(bench *b) {
  uint8_t item[MOST];
  for (unsigned i = 0; i < MOST; i++) item[i] = (uint8_t)rnd(&b->t);
  for (unsigned words = 0; words < MOST / 4; words++) send(b, item, words, 0);
  drain(b);
}

// The CRC is linear: with all single bits right, and zero, everything is.
static void every_bit(bench *b) {
  for (unsigned words = BEAT / 4; words < BEAT / 2; words++) {
    for (unsigned bit = 0; bit < 32 * words; bit++) {
      uint8_t item[2 * BEAT] = {0};
      item[bit / 8] = (uint8_t)(1u << bit % 8);
      send(b, item, words, 0);
    }
  }
  drain(b);
}

int main(int argc, char **argv) {
  static bench b;
  uint8_t item[MOST];
  unsigned pauses = 0;
  tb_init(&b.t, argc, argv, "nic_icrc", 15000);
  b.d = dut_begin(&b.t);
  dut_reset(b.d, 2);
  known_answers(&b);
  every_length(&b);
  every_bit(&b);
  for (uint64_t end = dut_cycle(b.d) + b.t.cycles; dut_cycle(b.d) < end;) {
    if (rnd_chance(&b.t, 5)) pauses = (unsigned)rnd_below(&b.t, 90);
    for (unsigned i = 0; i < MOST; i++) item[i] = (uint8_t)rnd(&b.t);
    send(&b, item, (unsigned)rnd_below(&b.t, rnd_chance(&b.t, 50) ? BEAT / 4 + 1 : MOST / 4), pauses);
    if (rnd_chance(&b.t, 2)) {  // reset in the middle of an item: what is inside is forgotten, the next is whole
      dut_set_in_valid_i(b.d, 1);
      dut_set_in_last_i(b.d, 0);
      tick(&b);
      b.out = b.in;
      dut_reset(b.d, 1);
    }
  }
  drain(&b);
  dut_free(b.d);
  tb_unwatch(&b.t);
  return tb_end(&b.t);
}
