// SPDX-License-Identifier: Apache-2.0
// Ways through groups: every pair of ranks up to 1024 by counting, 16 ranks for real.
#include <math.h>

#include "ranks_here.h"

static bool neighbours(const irr_topology *t, unsigned a, unsigned b) {
  const unsigned i = irr_route_index(t, a, b);
  return i < irr_route_degree(t, a) && irr_route_neighbour(t, a, i) == b;
}

// Up, across, down: 0, 1, 2. No way may go back in this order, or queues could wait for each other in a circle.
static unsigned kind(const irr_topology *t, unsigned from, unsigned to) {
  if (from != irr_router_of(t, from)) return 0;
  return to == irr_router_of(t, to) ? 1 : 2;
}

static unsigned hops(const irr_topology *t, unsigned from, unsigned to) {
  unsigned n = 0, last = 0;
  for (unsigned at = from; at != to && n < 10; n++) {
    const unsigned next = irr_route_next(t, at, to);
    if (!neighbours(t, at, next) || !neighbours(t, next, at) || kind(t, at, next) < last) return 100;
    last = kind(t, at, next);
    at = next;
  }
  return n;
}

// Ends of connections in all; every pair has a way of three hops at most.
static uint64_t ends(unsigned ranks, unsigned group, unsigned *most) {
  const irr_topology t = {ranks, group};
  uint64_t all = 0;
  unsigned longest = 0, unlike = 0;
  *most = 0;
  for (unsigned r = 0; r < ranks; r++) {
    const unsigned d = irr_route_degree(&t, r);
    all += d;
    if (d > *most) *most = d;
    for (unsigned i = 0; i < d; i++) unlike += irr_route_index(&t, r, irr_route_neighbour(&t, r, i)) != i;
    for (unsigned to = 0; to < ranks; to++) {
      const unsigned n = hops(&t, r, to);
      if (n > longest) longest = n;
    }
  }
  EQ(unlike, 0);
  CHECK(longest <= 3);
  return all;
}

static void growth(void) {
  unsigned most;
  printf("%6s %6s %12s %12s %12s %10s\n", "ranks", "group", "ends", "n log2 n", "flat", "of a rank");
  for (unsigned n = 2; n <= 1024; n *= 2) {
    const unsigned g = irr_group_default(n);
    const uint64_t all = ends(n, g, &most), flat = (uint64_t)n * (n - 1);
    const double bound = n * log2(n);
    printf("%6u %6u %12" PRIu64 " %12.0f %12" PRIu64 " %10u\n", n, g, all, bound, flat, most);
    if (n <= 16) EQ(all, flat);
    if (n > 16) CHECK((double)all < bound && all < 3 * n && most <= 2 * g);
  }
  EQ(ends(64, 1, &most), 64 * 63);
  EQ(most, 63);
  // Groups that are not full, one group, a rank alone.
  for (unsigned n = 1; n < 40; n++)
    for (unsigned g = 1; g <= n + 1; g++) (void)ends(n, g, &most);
  for (unsigned n = 1; n < 40; n++)  // all in one, however large it could be
    for (unsigned g = UINT32_MAX; g > UINT32_MAX - 40; g--) EQ(ends(n, g, &most), 2 * (n - 1));
  EQ(ends(1000, 32, &most), 2 * (1000 - 32) + 32 * 31);
}

// Each adds to a word of each other.
static void traffic(unsigned n, unsigned group) {
  enum { EACH = 40 };
  here h;
  uint64_t word[HERE_MOST] = {0}, want = 0;
  static ended e[HERE_MOST];
  if (!here_open(&h, n, NULL, &(irr_net_options){.group = group})) return;
  memset(e, 0, sizeof e);
  for (unsigned i = 0; i < n; i++) FINE(irr_net_share(h.net[i], &word[i], sizeof word[i]));
  for (unsigned k = 0; k < EACH; k++)
    for (unsigned i = 0; i < n; i++)
      for (unsigned to = 0; to < n; to++) {
        const irr_word_args a = {.a = i + 1};
        FINE(here_send(
            &h, i,
            &(irr_delegate){
                .to = to, .function = IRR_WORD_ADD, .args = &a, .bytes = sizeof a, .done = on_done, .arg = &e[i]}));
      }
  CHECK(here_settle(&h, 1000));
  for (unsigned i = 0; i < n; i++) want += EACH * (i + 1);
  for (unsigned i = 0; i < n; i++) {
    EQ(word[i], want);
    EQ(e[i].times, EACH * n);
  }
  const irr_traffic c = here_counts(&h);
  EQ(c.sent, EACH * n * (n - 1));
  EQ(c.messages, 2 * c.sent + c.forwarded);
  if (group == 1) EQ(c.forwarded, 0);
  if (group > 1) CHECK(c.forwarded > c.sent / 2);
  printf("%u ranks in groups of %u: %" PRIu64 " delegates in %" PRIu64 " aggregates of %.1f\n", n, group, c.sent,
         c.aggregates, irr_aggregation(&c));
  here_close(&h);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  growth();
  traffic(16, 1);
  traffic(16, 4);
  traffic(13, 5);
  traffic(8, 8);
  traffic(8, UINT32_MAX);
  return report();
}
