// SPDX-License-Identifier: Apache-2.0
// nic_replay against a list of answers in C: what is put, forgotten when others come, gone after a start; then all of it at random.
// config: default -GNumQps=16 -GReplay=16
// config: least -GNumQps=1 -GReplay=1
// config: odd -GNumQps=5 -GReplay=3
// netlist: odd
#include "tb.h"
#include "nic_replay_tb.h"

typedef struct answer {
  uint32_t psn;
  uint64_t value;
} answer;

typedef struct bench {
  tb t;
  dut *d;
  answer last[256][P_Replay];  // the newest at [0]
  unsigned num[256], hits, misses;
} bench;

static void look(bench *b, unsigned qp, uint32_t psn) {
  tb *t = &b->t;
  const answer *found = NULL;
  for (unsigned i = 0; i < b->num[qp]; i++)
    if (b->last[qp][i].psn == psn) found = &b->last[qp][i];
  dut_set_look_qp_i(b->d, qp);
  dut_set_look_psn_i(b->d, psn);
  dut_eval(b->d);
  CHECK_EQ(t, dut_get_hit_o(b->d), found != NULL, "is PSN %x of QP %u there", psn, qp);
  if (found) CHECK_EQ(t, dut_get_value_o(b->d), found->value, "answer of PSN %x", psn);
  b->hits += found != NULL, b->misses += found == NULL;
}

static void idle(bench *b) {
  dut_set_put_valid_i(b->d, 0);
  dut_set_start_valid_i(b->d, 0);
}

static void start(bench *b, unsigned qp) {
  dut_set_start_valid_i(b->d, 1);
  dut_set_start_qp_i(b->d, qp);
  dut_tick(b->d);
  idle(b);
  b->num[qp] = 0;
}

static void put(bench *b, unsigned qp, uint32_t psn, uint64_t value) {
  dut_set_put_valid_i(b->d, 1);
  dut_set_put_qp_i(b->d, qp);
  dut_set_put_psn_i(b->d, psn);
  dut_set_put_value_i(b->d, value);
  look(b, qp, psn);  // not yet there
  dut_tick(b->d);
  idle(b);
  if (b->num[qp] < P_Replay) b->num[qp]++;
  for (unsigned i = b->num[qp] - 1; i > 0; i--) b->last[qp][i] = b->last[qp][i - 1];
  b->last[qp][0] = (answer){psn, value};
  look(b, qp, psn);
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_replay", 20000);
  b.d = dut_begin(t);
  idle(&b);
  for (unsigned q = 0; q < P_NumQps; q++) start(&b, q);
  for (uint32_t psn = 0; psn < 2 * P_Replay; psn++) put(&b, 0, psn, rnd(t));
  for (uint32_t psn = 0; psn < 2 * P_Replay; psn++) look(&b, 0, psn);
  start(&b, 0);
  look(&b, 0, 2 * P_Replay - 1);
  uint32_t next[256] = {0};
  for (uint64_t c = 0; c < t->cycles; c++) {
    unsigned q = (unsigned)rnd_below(t, P_NumQps);
    if (rnd_chance(t, 40)) put(&b, q, next[q] & 0xffffff, rnd(t)), next[q] += 1 + (uint32_t)rnd_below(t, 3);
    if (rnd_chance(t, 1)) start(&b, q);
    if (rnd_chance(t, 1)) start(&b, q), next[q] = 0xfffff8;
    q = (unsigned)rnd_below(t, P_NumQps);
    look(&b, q, (next[q] - (uint32_t)rnd_below(t, 2 * P_Replay + 4)) & 0xffffff);
  }
  CHECK(t, b.hits > 1000 && b.misses > 1000, "too little: %u found, %u not", b.hits, b.misses);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
