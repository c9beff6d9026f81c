// SPDX-License-Identifier: Apache-2.0
// Delegates between ranks of one process: built-in functions, functions of the program's own,
// their order, their errors.
#include "ranks_here.h"

// ---- words, against a reference
static void words(void) {
  here h;
  uint64_t memory[2][16] = {{0}}, want[2][16] = {{0}}, got, r = seed + 7;
  if (!here_open(&h, 2, NULL, NULL)) return;
  for (unsigned i = 0; i < 2; i++) FINE(irr_net_share(h.net[i], memory[i], sizeof memory[i]));
  for (unsigned n = 0; n < 400; n++) {
    const unsigned from = scene_random(&r) % 2, to = scene_random(&r) % 2, k = scene_random(&r) % 16;
    const unsigned function = IRR_WORD_READ + scene_random(&r) % 5;
    uint64_t *w = &want[to][k], was = *w;
    const irr_word_args a = {.place = 8 * k, .a = scene_random(&r) % 3 ? scene_random(&r) : was, .b = scene_random(&r)};
    if (function == IRR_WORD_WRITE) *w = a.a;
    if (function == IRR_WORD_ADD) *w += a.a;
    if (function == IRR_WORD_SWAP_IF && was == a.a) *w = a.b;
    if (function == IRR_WORD_XOR) *w ^= a.a;
    FINE(here_word(&h, from, to, function, a, &got));
    EQ(got, was);
  }
  CHECK(!memcmp(memory, want, sizeof want));
  ENDS(here_word(&h, 0, 1, IRR_WORD_READ, (irr_word_args){.place = sizeof memory[1]}, &got), IRR_E_RANGE);
  EQ(got, 0);
  ENDS(here_word(&h, 0, 1, IRR_WORD_READ, (irr_word_args){.place = sizeof memory[1] - 4}, &got), IRR_E_RANGE);
  ENDS(here_word(&h, 0, 1, IRR_WORD_READ, (irr_word_args){.place = 4}, &got), IRR_E_ALIGN);
  ENDS(here_word(&h, 1, 1, IRR_WORD_READ, (irr_word_args){.place = 4}, &got), IRR_E_ALIGN);
  EQ(here_counts(&h).refused, 4);
  here_close(&h);
}

// ---- many at once: each fetch-and-add sees another value, and the sum is right
static void counter(void) {
  enum { EACH = 500 };
  here h;
  uint64_t word[2] = {0};
  static ended of[2][EACH];
  static bool seen[2 * EACH];
  if (!here_open(&h, 2, NULL, NULL)) return;
  memset(of, 0, sizeof of);
  memset(seen, 0, sizeof seen);
  FINE(irr_net_share(h.net[1], word, sizeof word));
  const irr_word_args a = {.place = 8, .a = 1};
  for (unsigned i = 0; i < EACH; i++)
    for (unsigned r = 0; r < 2; r++) {
      const irr_delegate d = {.to = 1,
                              .function = IRR_WORD_ADD,
                              .args = &a,
                              .bytes = sizeof a,
                              .done = on_done,
                              .arg = &of[r][i],
                              .status = &of[r][i].status};
      FINE(here_send(&h, r, &d));
    }
  CHECK(here_settle(&h, 100));
  EQ(word[1], 2 * EACH);
  for (unsigned i = 0; i < EACH; i++)
    for (unsigned r = 0; r < 2; r++) {
      EQ(of[r][i].times, 1);
      EQ(of[r][i].status, IRR_OK);
      CHECK(of[r][i].value < 2 * EACH && !seen[of[r][i].value]);
      if (of[r][i].value < 2 * EACH) seen[of[r][i].value] = true;
    }
  irr_traffic c = here_counts(&h);
  EQ(c.sent, EACH);
  EQ(c.own, EACH);
  EQ(c.run, 2 * EACH);
  EQ(c.answered, EACH);
  EQ(c.messages, 2 * EACH);
  EQ(c.flushed[IRR_FLUSH_SIZE] + c.flushed[IRR_FLUSH_TIME] + c.flushed[IRR_FLUSH_DEMAND], c.aggregates);
  CHECK(irr_aggregation(&c) > 20);
  here_close(&h);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  words();
  counter();
  return report();
}
