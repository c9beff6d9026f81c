// SPDX-License-Identifier: Apache-2.0
// nic_peer against two peers a queue pair in C: what its last start said, and what its requests have had since the
// requester was through. Queue pairs are turned on again and again before it is; nothing is looked up of one that was
// never turned on.
// Rules of rtl/nic/README.md: QPR-2.
// config: default -GNumQps=16
// config: two -GNumQps=2
// config: odd -GNumQps=5
// config: most -GNumQps=256
// netlist: odd
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "nic_peer_tb.h"

typedef struct peer {
  uint32_t w[PEER_O_WORDS];
  bool on;  // there was one
} peer;

static peer now[256], asks[256], shown;  // of the last start; of requests; of the last look
static unsigned starts, throughs, both, apart, looks;

static unsigned any_qp(tb *t) { return (unsigned)rnd_below(t, rnd_chance(t, 70) && P_NumQps > 3 ? 3 : P_NumQps); }

static void cycle(tb *t, dut *d, unsigned starts_of_100, unsigned throughs_of_100) {
  peer come = {.on = true}, got;
  const unsigned s = any_qp(t), u = rnd_chance(t, 30) ? s : any_qp(t), q = rnd_chance(t, 40) ? s : any_qp(t);
  const bool start = rnd_chance(t, starts_of_100), through = rnd_chance(t, throughs_of_100), req = rnd_chance(t, 50);
  const peer *wanted = req ? &asks[q] : &now[q];
  // An answer does not leave with a start, nor a request of a queue pair that is just through.
  const bool look = wanted->on && rnd_chance(t, 60) && !(start && !req) && !(through && req && q == u);
  rnd_words(t, come.w, PEER_O_W);
  dut_set_start_valid_i(d, start);
  dut_set_start_qp_i(d, s);
  dut_set_start_peer_i(d, come.w);
  dut_set_through_valid_i(d, through);
  dut_set_through_qp_i(d, u);
  dut_set_look_i(d, look);
  dut_set_look_qp_i(d, q);
  dut_set_look_req_i(d, req);
  dut_eval(d);
  dut_get_peer_o(d, got.w);
  if (shown.on) CHECK(t, words_eq(got.w, shown.w, PEER_O_W), "P1: the peer of the last look");
  if (look) shown = *wanted;
  looks += look;
  apart += look && req && now[q].on && !words_eq(now[q].w, asks[q].w, PEER_O_W);
  both += start && through && s == u;
  if (through) asks[u] = now[u];
  if (start) now[s] = come;
  starts += start, throughs += through;
  dut_tick(d);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_peer", 40000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned start = 20, through = 20;
  for (uint64_t c = 0; c < t.cycles; c++) {
    if (c % 500 == 0) start = 1 + (unsigned)rnd_below(&t, 60), through = 1 + (unsigned)rnd_below(&t, 60);
    if (c % 5000 == 4999) {
      dut_reset(d, 1);
      memset(now, 0, sizeof now);
      memset(asks, 0, sizeof asks);
      shown.on = false;
    }
    cycle(&t, d, start, through);
  }
  const uint64_t least = tb_least(&t, 100);
  CHECK(&t, starts > least && throughs > least && both > least / 4 && apart > least && looks > least,
        "too little: %u starts, %u throughs, %u at once, %u apart, %u looks", starts, throughs, both, apart, looks);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
