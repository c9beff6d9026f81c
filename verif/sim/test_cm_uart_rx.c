// SPDX-License-Identifier: Apache-2.0
// cm_uart_rx: a sender that is up to 4 % fast or slow (2.5 % of very short bits), with pauses or without, stop bits
// that are 0, and short spikes on an idle line; then noise. What the receiver must make of the line is said in every
// cycle by sampling it here, and what is sent must come. A reset forgets a byte that is on its way.
// config: default -GDiv=50
// config: odd -GDiv=27
// config: ten -GDiv=10
// config: least -GDiv=4
// netlist: odd
#include "tb.h"
#include "cm_uart_rx_tb.h"

enum { SCALE = 1000, LATE = 2 };      // LATE: cycles from the line to what is made of it
enum { OFF = P_Div < 10 ? 25 : 40 };  // thousandths by which a sender's bits are longer or shorter

typedef struct sender {
  unsigned idle, spike;
  uint8_t byte;
  bool stop, came;
  uint64_t at, bit;  // in thousandths of a cycle; bit 0: idle
  unsigned good, bad;
} sender;

typedef struct heard {
  bool good, bad;
  uint8_t byte;
} heard;

// The line as P1 to P4 have it sampled.
typedef struct receiver {
  bool busy, rest;   // rest: after a bad stop bit, until the line has been 1
  unsigned wait, k;  // cycles to the next sample, which is that of bit k
  uint8_t byte;
  heard last[LATE];
} receiver;

static heard listen(receiver *r, bool line) {
  heard h = {0};
  if (!r->busy) {
    if (line) r->rest = false;
    r->busy = !line && !r->rest;
    r->wait = P_Div / 2;
    r->k = 0;
    return h;
  }
  if (--r->wait) return h;
  r->wait = P_Div;
  if (r->k >= 1 && r->k <= 8) r->byte = (uint8_t)(r->byte >> 1 | line << 7);
  if (r->k == 9) h = (heard){line, !line, r->byte}, r->rest = !line;
  r->busy = r->k != 9 && !(r->k == 0 && line);
  r->k++;
  return h;
}

// One cycle of the sender's line.
static bool speak(tb *t, sender *s) {
  if (!s->bit && s->idle) {
    s->idle--;
    s->spike = s->spike ? s->spike - 1 : s->idle == P_Div && rnd_chance(t, 50) ? P_Div / 3 : 0;
    if (s->idle) return !s->spike;
  }
  if (!s->bit) {
    s->bit = (uint64_t)P_Div * (SCALE - OFF + rnd(t) % (2 * OFF + 1));
    s->at = rnd_below(t, SCALE);  // its edge lies between two of our cycles
    s->spike = 0;
    s->byte = (uint8_t)rnd(t);
    s->came = false;
    s->stop = !rnd_chance(t, 10);
  }
  uint64_t k = s->at / s->bit;
  s->at += SCALE;
  return k == 0 ? false : k <= 8 ? s->byte >> (k - 1) & 1 : s->stop;
}

static void sent(tb *t, sender *s, const heard *h) {
  if (h->good || h->bad) {
    CHECK(t, s->bit && s->at >= 9 * s->bit && !s->came, "P1, P2: a byte that nobody sends");
    CHECK_EQ(t, h->good, s->stop, "P1: stop bit");
    if (h->good) CHECK_EQ(t, h->byte, s->byte, "P1: byte");
    s->came = true;
  }
  if (!s->bit || s->at < s->bit * 10) return;
  CHECK(t, s->came, "P1: byte %02x did not come", s->byte);
  (*(s->stop ? &s->good : &s->bad))++;
  s->bit = 0;
  // after a bad stop bit the line must rest, or the next start is not one
  s->idle = !s->stop ? 2 * P_Div : rnd_chance(t, 50) ? 0 : (unsigned)(rnd(t) % (3 * P_Div)) + P_Div;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "cm_uart_rx", 60000);
  dut *d = dut_begin(&t);
  sender s = {.idle = 20};
  receiver r = {0};
  bool line = true;
  dut_set_rx_i(d, 1);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    bool noise = dut_cycle(d) > t.cycles / 2;
    static const unsigned paces[] = {2, 8, P_Div};  // of noise: cycles between two edges
    unsigned pace = paces[dut_cycle(d) / 1000 % 3];
    line = !noise ? speak(&t, &s) : rnd_below(&t, pace) == 0 ? !line : line;
    dut_set_rx_i(d, line);
    dut_eval(d);
    heard h = {dut_get_out_valid_o(d), dut_get_bad_o(d), (uint8_t)dut_get_out_data_o(d)}, want = r.last[LATE - 1];
    CHECK_EQ(&t, h.good, want.good, "P1: a byte");
    CHECK_EQ(&t, h.bad, want.bad, "P1: a byte that is dropped");
    if (h.good) CHECK_EQ(&t, h.byte, want.byte, "P3: the byte");
    if (rnd_below(&t, 100 * P_Div) == 0) {
      dut_reset(d, 1);
      r = (receiver){0};
      s.bit = 0;
      s.idle = 2 * P_Div;
      continue;
    }
    for (unsigned i = LATE - 1; i > 0; i--) r.last[i] = r.last[i - 1];
    r.last[0] = listen(&r, line);
    if (!noise) sent(&t, &s, r.last);  // which the hardware must say LATE cycles from now
    dut_tick(d);
  }
  CHECK(&t, s.good > t.cycles / (P_Div * 40) && s.bad > 0, "%u and %u sent", s.good, s.bad);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
