// SPDX-License-Identifier: Apache-2.0
// aa_cpl_mux: three sources of whole TLPs for random ports, with idle, back-pressure and a reset now and then; order,
// wholeness, whose turn it is, rate. Where nothing is valid, anything may stand.
// config: default -GNumPorts=2
// config: one -GNumPorts=1
// config: four -GNumPorts=4 +define+TOCSIN_DATA_W=128
// netlist: four
#include <string.h>

#include "tb.h"
#include "aa_cpl_mux_tb.h"
#include "turns.h"

#define WORDS FWD_BEAT_I_WORDS
#define W FWD_BEAT_I_W
#define SOURCES 3  // forwarded, generated, flush answers

typedef struct beat {
  uint32_t words[WORDS];
  unsigned port;
} beat;

typedef struct source {
  beat now;
  unsigned left;  // beats of the TLP that have not been made
  bool valid;
} source;

typedef struct bench {
  tb *t;
  dut *d;
  source s[SOURCES];
  beat out;   // what the register has,
  bool full;  // if anything
  bool mid;   // a forwarded TLP has been taken in part
  turns next;
  unsigned in[SOURCES], take, count[SOURCES], moved;
} bench;

static bool eop(const beat *b) { return bits_get(b->words, W - 2, 1); }

static void offer(bench *b, unsigned which) {
  source *s = &b->s[which];
  if (s->valid) return;
  s->valid = rnd_chance(b->t, b->in[which]);
  rnd_words(b->t, s->now.words, W);
  if (!s->valid) return;
  bool sop = s->left == 0;
  if (sop) {
    s->left = which == 0 ? 1 + (unsigned)rnd_below(b->t, 6) : 1;
    s->now.port = (unsigned)rnd_below(b->t, P_NumPorts);
  }
  bits_set(s->now.words, W - 1, 1, sop);
  bits_set(s->now.words, W - 2, 1, --s->left == 0);
}

static unsigned drive(bench *b) {
  unsigned ready = 0;
  for (unsigned i = 0; i < SOURCES; i++) offer(b, i);
  dut_set_fwd_valid_i(b->d, b->s[0].valid);
  dut_set_fwd_beat_i(b->d, b->s[0].now.words);
  dut_set_fwd_port_i(b->d, b->s[0].now.port);
  dut_set_gen_valid_i(b->d, b->s[1].valid);
  dut_set_gen_beat_i(b->d, b->s[1].now.words);
  dut_set_gen_port_i(b->d, b->s[1].now.port);
  dut_set_flush_valid_i(b->d, b->s[2].valid);
  dut_set_flush_beat_i(b->d, b->s[2].now.words);
  dut_set_flush_port_i(b->d, b->s[2].now.port);
  for (unsigned p = 0; p < P_NumPorts; p++) ready |= (unsigned)rnd_chance(b->t, b->take) << p;
  dut_set_dev_cpl_ready_i(b->d, ready);
  dut_eval(b->d);
  return ready;
}

// P1, P3: what was taken is offered on its port until it has left.
static void devices(bench *b, unsigned ready) {
  uint32_t out[DEV_CPL_BEAT_O_WORDS], one[WORDS] = {0};
  CHECK_EQ(b->t, dut_get_dev_cpl_valid_o(b->d), b->full ? 1u << b->out.port : 0, "dev_cpl_valid_o");
  if (!b->full) return;
  dut_get_dev_cpl_beat_o(b->d, out);
  words_copy(one, 0, out, b->out.port * W, W);
  CHECK(b->t, words_eq(one, b->out.words, W), "beat for port %u", b->out.port);
  if (!(ready >> b->out.port & 1)) return;
  b->full = false;
  b->moved++;
}

// P2: one beat a cycle while there is room; in the middle of a TLP nobody else has a turn.
static void sources(bench *b) {
  unsigned asks = 0, got = (unsigned)(dut_get_fwd_ready_o(b->d) | dut_get_gen_ready_o(b->d) << 1 |
                                      dut_get_flush_ready_o(b->d) << 2);
  for (unsigned i = 0; i < (b->mid ? 1 : SOURCES); i++) asks |= (unsigned)b->s[i].valid << i;
  int who = turn_of(&b->next, asks);
  bool room = !b->full;
  for (int i = 0; i < SOURCES; i++)
    if (b->s[i].valid) CHECK_EQ(b->t, got >> i & 1, room && i == who, "source %d is served, asking %x", i, asks);
  turn_passed(&b->next, who, room);
  if (!room || who < 0) return;
  b->out = b->s[who].now;
  b->full = true;
  b->s[who].valid = false;
  b->count[who]++;
  if (who == 0) b->mid = !eop(&b->out);
}

static void reset(bench *b) {
  dut_reset(b->d, 1);
  memset(b->s, 0, sizeof b->s);
  b->full = b->mid = false;
  b->next = (turns){.n = SOURCES};
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_cpl_mux", 30000);
  b->t = &t;
  b->d = dut_begin(&t);
  reset(b);
  while (dut_cycle(b->d) < t.cycles) {
    for (unsigned i = 0; i < SOURCES; i++) b->in[i] = rnd_chance(&t, 50) ? 100 : (unsigned)rnd_below(&t, 60);
    b->take = rnd_chance(&t, 50) ? 100 : 10 + (unsigned)rnd_below(&t, 90);
    for (unsigned i = 0; i < 200; i++) {
      unsigned ready = drive(b);
      devices(b, ready);
      sources(b);
      dut_tick(b->d);
    }
    if (!rnd_chance(&t, 20)) continue;
    drive(b);  // a reset comes in the middle of anything
    reset(b);
  }
  for (unsigned i = 0; i < SOURCES; i++)
    CHECK(&t, b->count[i] > t.cycles / 20, "source %u was served %u times", i, b->count[i]);
  CHECK(&t, b->moved > t.cycles / 2, "%u beats", b->moved);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
