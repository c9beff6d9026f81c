// SPDX-License-Identifier: Apache-2.0
// aa_cpl_mux: three sources of whole TLPs for random ports, with idle and back-pressure; order, wholeness, turns, rate.
// config: default -GNumPorts=2
// config: one -GNumPorts=1
// config: four -GNumPorts=4 +define+TOCSIN_DATA_W=128
#include <string.h>

#include "tb.h"
#include "aa_cpl_mux_tb.h"

#define WORDS FWD_BEAT_I_WORDS
#define W FWD_BEAT_I_W
#define RING 4

typedef struct source {
  uint32_t beat[WORDS], sent[RING][WORDS];
  unsigned port, sent_port[RING], left, in, out;
  bool valid;
} source;

static void next(tb *t, source *s, unsigned which, unsigned percent) {
  if (s->valid || !rnd_chance(t, percent)) return;
  bool sop = s->left == 0;
  if (sop) {
    s->left = which == 0 ? 1 + (unsigned)rnd_below(t, 6) : 1;
    s->port = (unsigned)rnd_below(t, P_NumPorts);
  }
  rnd_words(t, s->beat, W);
  bits_set(s->beat, W - 1, 1, sop);
  bits_set(s->beat, W - 2, 1, --s->left == 0);
  s->valid = true;
}

int main(int argc, char **argv) {
  static source s[3];
  static uint32_t out[DEV_CPL_BEAT_O_WORDS], one[WORDS];
  unsigned in[3] = {100, 100, 100}, take = 100, count[3] = {0}, moved = 0;
  int now = -1, from = -1;  // source of the TLP under way at the output; of the register's beat
  tb t;
  tb_init(&t, argc, argv, "aa_cpl_mux", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 200 == 0) {
      for (unsigned i = 0; i < 3; i++) in[i] = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 60);
      take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    }
    for (unsigned i = 0; i < 3; i++) next(&t, &s[i], i, in[i]);
    dut_set_fwd_valid_i(d, s[0].valid);
    dut_set_fwd_beat_i(d, s[0].beat);
    dut_set_fwd_port_i(d, s[0].port);
    dut_set_gen_valid_i(d, s[1].valid);
    dut_set_gen_beat_i(d, s[1].beat);
    dut_set_gen_port_i(d, s[1].port);
    dut_set_flush_valid_i(d, s[2].valid);
    dut_set_flush_beat_i(d, s[2].beat);
    dut_set_flush_port_i(d, s[2].port);
    unsigned ready = 0;
    for (unsigned p = 0; p < P_NumPorts; p++) ready |= (unsigned)rnd_chance(&t, take) << p;
    dut_set_dev_cpl_ready_i(d, ready);
    dut_eval(d);
    unsigned valid = (unsigned)dut_get_dev_cpl_valid_o(d);
    CHECK(&t, (valid & (valid - 1)) == 0, "more than one port at once");
    CHECK_EQ(&t, valid != 0, from >= 0, "dev_cpl_valid_o");
    if (valid && from >= 0) {
      source *x = &s[from];
      CHECK_EQ(&t, valid, 1u << x->sent_port[x->out % RING], "port of a beat of source %d", from);
      dut_get_dev_cpl_beat_o(d, out);
      for (unsigned p = 0; p < P_NumPorts; p++)
        if (valid >> p & 1) words_copy(one, 0, out, p * W, W);
      CHECK(&t, words_eq(one, x->sent[x->out % RING], W), "beat of source %d", from);
      if (valid & ready) {
        if (bits_get(one, W - 1, 1))
          CHECK(&t, now < 0, "a TLP begins in another");
        else
          CHECK_EQ(&t, now, from, "source in the middle of a TLP");
        now = bits_get(one, W - 2, 1) ? -1 : from;
        x->out++;
        from = -1;
        moved++;
      }
    }
    unsigned got = (unsigned)(dut_get_fwd_ready_o(d) & s[0].valid) |
                   (unsigned)(dut_get_gen_ready_o(d) & s[1].valid) << 1 |
                   (unsigned)(dut_get_flush_ready_o(d) & s[2].valid) << 2;
    CHECK(&t, (got & (got - 1)) == 0, "two sources at once");
    if (from < 0 && (s[0].valid || (now < 0 && (s[1].valid || s[2].valid)))) CHECK(&t, got != 0, "nobody is served");
    for (unsigned i = 0; i < 3; i++) {
      if (!(got >> i & 1)) continue;
      memcpy(s[i].sent[s[i].in % RING], s[i].beat, sizeof s[i].beat);
      s[i].sent_port[s[i].in++ % RING] = s[i].port;
      s[i].valid = false;
      count[i]++;
      from = (int)i;
    }
    dut_tick(d);
  }
  for (unsigned i = 0; i < 3; i++) CHECK(&t, count[i] > t.cycles / 20, "source %u was served %u times", i, count[i]);
  CHECK(&t, moved > t.cycles / 2, "%u beats", moved);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
