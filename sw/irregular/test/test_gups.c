// SPDX-License-Identifier: Apache-2.0
// Random updates of a table that is spread over ranks, by exclusive or: the table afterwards is that of a serial
// reference, and the same updates again bring back what there was. How many messages aggregation saves.
#include "ranks_here.h"

enum { RANKS = 4, WORDS = 1 << 12, UPDATES = 4 * WORDS, SHARE = WORDS / RANKS };

static uint64_t next(uint64_t *r) {
  *r = *r << 1 ^ (*r >> 63 ? 7 : 0);
  return *r;
}

static unsigned errors(uint64_t (*table)[SHARE], const uint64_t *want) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < WORDS; i++) wrong += table[i % RANKS][i / RANKS] != want[i];
  return wrong;
}

// Each rank has its own stream of updates. every: after so many the queue leaves; 0: when it wants.
static void update(const here *h, unsigned every) {
  uint64_t r[RANKS];
  for (unsigned i = 0; i < RANKS; i++) r[i] = 0x123456789abcdef * (i + seed);
  for (unsigned n = 0; n < UPDATES / RANKS; n++)
    for (unsigned i = 0; i < RANKS; i++) {
      const uint64_t v = next(&r[i]), at = v % WORDS;
      const irr_word_args a = {.place = at / RANKS * 8, .a = v};
      const irr_delegate d = {.to = (unsigned)(at % RANKS), .function = IRR_WORD_XOR, .args = &a, .bytes = sizeof a};
      FINE(here_send(h, i, &d));
      if (every && n % every == 0) FINE(irr_net_flush_all(h->net[i]));
    }
  CHECK(here_settle(h, 1000));
}

static void reference(uint64_t *table) {
  for (unsigned i = 0; i < RANKS; i++) {
    uint64_t r = 0x123456789abcdef * (i + seed);
    for (unsigned n = 0; n < UPDATES / RANKS; n++) {
      const uint64_t v = next(&r);
      table[v % WORDS] ^= v;
    }
  }
}

static irr_traffic gups(const toc_options *link, irr_net_options net, unsigned every) {
  static uint64_t table[RANKS][SHARE], want[WORDS];
  here h;
  irr_traffic once = {0};
  for (unsigned i = 0; i < WORDS; i++) table[i % RANKS][i / RANKS] = want[i] = i;
  if (!here_open(&h, RANKS, link, &net)) return once;
  for (unsigned i = 0; i < RANKS; i++) FINE(irr_net_share(h.net[i], table[i], sizeof table[i]));
  update(&h, every);
  once = here_counts(&h);
  reference(want);
  CHECK(want[1] != 1);
  EQ(errors(table, want), 0);
  update(&h, every);
  for (unsigned i = 0; i < WORDS; i++) want[i] = i;
  EQ(errors(table, want), 0);
  EQ(once.run, UPDATES);
  EQ(once.refused + once.lost + once.late + once.broken, 0);
  here_close(&h);
  return once;
}

static void print(const char *what, const irr_traffic *c) {
  printf("%-28s %6" PRIu64 " delegates sent, %5" PRIu64 " messages, aggregation factor %6.1f, %.0f bytes each\n", what,
         c->sent, c->aggregates + c->credits, irr_aggregation(c), (double)c->bytes / (double)c->aggregates);
}

int main(int argc, char **argv) {
  const toc_options lossy = {.drop = 20, .twice = 20, .swap = 20, .bend = 20};
  scene_options(argc, argv);
  irr_traffic alone = gups(NULL, (irr_net_options){0}, 1), many = gups(NULL, (irr_net_options){0}, 0);
  irr_traffic routed = gups(NULL, (irr_net_options){.group = 2}, 0), lost = gups(&lossy, (irr_net_options){0}, 0);
  irr_traffic tasks = gups(NULL, (irr_net_options){.by = IRR_BY_TASK}, 0);
  irr_traffic tasks_lost = gups(&lossy, (irr_net_options){.group = 2, .by = IRR_BY_TASK}, 0);
  print("each update leaves at once", &alone);
  print("4096 bytes or 1 ms", &many);
  print("the same, groups of 2", &routed);
  print("the same, a bad link", &lost);
  print("as tasks", &tasks);
  print("the same, groups, bad link", &tasks_lost);
  EQ(alone.sent, many.sent);
  CHECK(irr_aggregation(&alone) < 2);
  CHECK(irr_aggregation(&many) > 50);
  CHECK(many.aggregates + many.credits < alone.aggregates / 20);
  EQ(tasks.sent, many.sent);
  CHECK(tasks.tasks && tasks.kernel > tasks.sent / 2);
  CHECK(tasks_lost.tasks && tasks_lost.kernel);
  EQ(many.tasks + many.kernel, 0);
  return report();
}
