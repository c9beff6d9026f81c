// SPDX-License-Identifier: Apache-2.0
// Kronecker graphs are those of Graph500's reference generator, edge by edge, whoever makes which part.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kron.h"

typedef struct known {
  unsigned scale;
  edge first[3];
  uint64_t hash, loops, isolated;
  uint32_t hub;
  uint64_t most;  // edges of the hub
} known;
static const known graphs[] = {
    {4, {{15, 3}, {15, 12}, {7, 12}}, 0xdd650d7ff7aa6d8f, 37, 0, 15, 116},
    {8, {{17, 138}, {82, 127}, {250, 60}}, 0xafded41a6879501c, 85, 15, 82, 829},
    {10, {{299, 797}, {684, 861}, {185, 385}}, 0xb43b86c980db5ae1, 144, 125, 684, 1977},
    {16, {{53430, 37000}, {16463, 33235}, {57163, 11309}}, 0x0b73eebcb307738b, 491, 18721, 16463, 25485},
};

static uint64_t hashed(const edge_list *l) {
  uint64_t h = 0xcbf29ce484222325;
  for (uint64_t i = 0; i < l->count; i++) {
    const uint64_t ends[2] = {l->edge[i].a, l->edge[i].b};
    for (unsigned b = 0; b < 128; b += 8) h = (h ^ (ends[b / 64] >> b % 64 & 0xff)) * 0x100000001b3;
  }
  return h;
}

static void test_numbers(void) {
  static const uint32_t seeded[] = {3, 1, 4, 1, 1}, first[] = {322227026, 531570115, 1424981115, 1111973825};
  kron_state s;
  kron_seed(2, 3, &s);
  CHECK(!memcmp(s.x, seeded, sizeof seeded));
  for (unsigned i = 0; i < 4; i++) EQ(kron_next(&s), first[i]);
}

static void test_graph(const known *k) {
  edge_list l;
  CHECK(edges_kron(&l, k->scale, KRON_DEGREE, 1));
  EQ(l.count, 16ULL << k->scale);
  EQ(l.vertices, 1U << k->scale);
  CHECK(!memcmp(l.edge, k->first, sizeof k->first));
  EQ(hashed(&l), k->hash);
  EQ(edges_hub(&l), k->hub);
  uint64_t loops = 0, isolated = 0, *degree = calloc(l.vertices, sizeof *degree);
  if (!degree) exit(2);
  for (uint64_t i = 0; i < l.count; i++) {
    const bool loop = l.edge[i].a == l.edge[i].b;
    loops += loop;
    degree[l.edge[i].a] += !loop;
    degree[l.edge[i].b] += !loop;
  }
  for (uint32_t v = 0; v < l.vertices; v++) isolated += !degree[v];
  EQ(loops, k->loops);
  EQ(isolated, k->isolated);
  EQ(degree[k->hub], k->most);
  free(degree);
  edges_free(&l);
}

// Each of several ranks makes its part of the list.
static void test_parts(void) {
  edge_list l;
  kron k;
  CHECK(edges_kron(&l, 10, KRON_DEGREE, 1));
  kron_open(&k, 10, 2, 3);
  for (unsigned ranks = 2; ranks <= 64; ranks = ranks * 5 / 2) {
    edge *part = malloc(l.count * sizeof *part);
    if (!part) exit(2);
    for (unsigned r = ranks; r-- > 0;) {
      const uint64_t from = l.count * r / ranks;
      kron_edges(&k, from, l.count * (r + 1) / ranks - from, part + from);
    }
    CHECK(!memcmp(part, l.edge, l.count * sizeof *part));
    free(part);
  }
  edge_list other;
  CHECK(edges_kron(&other, 10, KRON_DEGREE, 2));
  CHECK(memcmp(other.edge, l.edge, l.count * sizeof *l.edge));
  edges_free(&other);
  edges_free(&l);
}

// Weights belong to the ends, in either order, and are all there from 1 to 255.
static void test_weights(void) {
  edge_list l = {.vertices = 1000};
  bool seen[256] = {false};
  unsigned values = 0;
  for (uint32_t v = 0; v < 1000; v++) {
    CHECK(edges_add(&l, (edge){v, 999 - v}, 0));
    CHECK(edges_add(&l, (edge){999 - v, v}, 0));
    CHECK(edges_add(&l, (edge){v, v / 2}, 0));
  }
  for (uint64_t i = 0; i < l.count; i++) {
    const double w = edges_weight(&l, i, 1);
    CHECK(w >= 1 && w <= 255 && w == (double)(unsigned)w);
    if (i % 3 == 0) CHECK(w == edges_weight(&l, i + 1, 1));
    seen[(unsigned)w % 256] = true;
  }
  for (unsigned i = 0; i < 256; i++) values += seen[i];
  CHECK(values > 240 && !seen[0]);
  CHECK(edges_weight(&l, 7, 1) != edges_weight(&l, 7, 2) || edges_weight(&l, 8, 1) != edges_weight(&l, 8, 2));
  edges_free(&l);
}

int main(void) {
  test_numbers();
  for (unsigned i = 0; i < sizeof graphs / sizeof *graphs; i++) test_graph(&graphs[i]);
  test_parts();
  test_weights();
  return report();
}
