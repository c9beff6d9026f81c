// SPDX-License-Identifier: Apache-2.0
// Searches have the known levels and pass their validation; each of its five rules refuses what breaks it.
#include "bfs.h"

#include <string.h>

#include "graphs.h"

enum { SMALL = 16 };

typedef struct known {
  unsigned scale;
  uint32_t root;
  uint64_t level[6], edges;
} known;
static const known searches[] = {
    {4, 15, {1, 13, 2}, 256},
    {4, 0, {1, 4, 10, 1}, 256},
    {8, 82, {1, 167, 71, 2}, 4096},
    {8, 0, {1, 12, 178, 50}, 4096},
    {10, 684, {1, 464, 427, 5}, 16383},
    {10, 0, {1, 5, 542, 346, 3}, 16383},
    {16, 16463, {1, 9599, 35658, 1539, 6}, 1048570},
    {16, 0, {1, 29, 10678, 34798, 1290, 7}, 1048570},
};

static void test_known(const known *k) {
  edge_list l;
  csr g;
  bfs_verdict v;
  CHECK(edges_kron(&l, k->scale, 16, 1) && csr_build(&g, &l, &(csr_how){0}));
  uint32_t *parent = malloc(l.vertices * sizeof *parent), *level = malloc(l.vertices * sizeof *level);
  uint64_t on[7] = {0};
  if (!parent || !level) exit(2);
  CHECK(bfs_search(&g, k->root, parent, level));
  CHECK(bfs_check(&l, k->root, parent, level, &v));
  EQ(v.broken, 0);
  EQ(v.edges, k->edges);
  for (uint32_t i = 0; i < l.vertices; i++)
    if (level[i] != NO_VERTEX) on[level[i] < 6 ? level[i] : 6]++;
  for (unsigned i = 0; i < 6; i++) EQ(on[i], k->level[i]);
  EQ(on[6], 0);
  EQ(bfs_digest(level, 0, 5) + bfs_digest(level + 5, 5, l.vertices - 5), bfs_digest(level, 0, l.vertices));
  free(parent);
  free(level);
  csr_free(&g);
  edges_free(&l);
}

// Levels by another way: as many rounds over the list as there are vertices.
static void test_by_chance(void) {
  edge_list l = graph_by_chance();
  csr g;
  bfs_verdict v;
  uint32_t parent[SMALL], level[SMALL], want[SMALL];
  const uint32_t root = below(l.vertices);
  CHECK(csr_build(&g, &l, &(csr_how){0}));
  CHECK(bfs_search(&g, root, parent, level) && bfs_check(&l, root, parent, level, &v));
  EQ(v.broken, 0);
  for (uint32_t i = 0; i < SMALL; i++) want[i] = i == root ? 0 : NO_VERTEX;
  for (uint32_t round = 0; round < l.vertices; round++)
    for (uint32_t a = 0; a < l.vertices; a++)
      for (uint32_t b = 0; b < l.vertices; b++)
        if (want[a] == round && want[b] == NO_VERTEX && joined(&l, a, b)) want[b] = round + 1;
  CHECK(!memcmp(level, want, l.vertices * sizeof *level));
  csr_free(&g);
  edges_free(&l);
}

// ---- rules ----------------------------------------------------------------------------------------------------------

//    0 - 1 - 2 - 3      7 - 8     9
//     \     /    |
//      4 ---     6
//      |
//      5         (a loop at 1, and 0-1 twice)
typedef struct found {
  edge_list l;
  uint32_t parent[10], level[10];
} found;
static found search(void) {
  found f = {.l = GRAPH(10, {0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {4, 2}, {3, 6}, {1, 1}, {1, 0}, {7, 8})};
  csr g;
  CHECK(csr_build(&g, &f.l, &(csr_how){0}) && bfs_search(&g, 0, f.parent, f.level));
  csr_free(&g);
  return f;
}
static unsigned rules(found *f, bfs_verdict *v) {
  CHECK(bfs_check(&f->l, 0, f->parent, f->level, v));
  edges_free(&f->l);
  return v->broken;
}
enum { RULE_1 = 1, RULE_2 = 2, RULE_3 = 4, RULE_4 = 8, RULE_5 = 16 };

static void test_right(void) {
  bfs_verdict v;
  found f = search();
  EQ(rules(&f, &v), 0);
  EQ(v.reached, 7);
  EQ(v.depth, 4);
  EQ(v.edges, 9);  // the loop and the duplicate are edges of the list
  f = search();
  f.parent[2] = 4;  // another parent that is as good
  EQ(rules(&f, &v), 0);
}

static void test_rule_1(void) {
  bfs_verdict v;
  found f = search();
  f.parent[2] = 3;  // 2 and 3 are each other's parent
  CHECK(rules(&f, &v) & RULE_1);
  EQ(v.where[0].a, 2);
  f = search();
  f.parent[5] = 5;  // a second root; its loop is no edge, so rule 5 speaks too
  CHECK(rules(&f, &v) & RULE_1);
  f = search();
  f.parent[0] = 1;
  CHECK(rules(&f, &v) & RULE_1);
  f = search();
  f.parent[3] = 99;  // there is no such vertex
  EQ(rules(&f, &v) & (RULE_1 | RULE_5), RULE_1 | RULE_5);
  f = search();
  f.parent[1] = f.level[1] = NO_VERTEX;  // 2 hangs on what is not in the tree
  CHECK(rules(&f, &v) & RULE_1);
  f = search();
  f.level[0] = 1;
  CHECK(rules(&f, &v) & RULE_1);
}

static void test_rule_2(void) {
  bfs_verdict v;
  found f = search();
  f.level[6] = 3;  // as its parent: the edge between them allows it, the tree does not
  EQ(rules(&f, &v), RULE_2);
  EQ(v.where[1].a, 6);
  EQ(v.where[1].b, 3);
  f = search();
  f.level[9] = 4;  // a level, but no parent
  EQ(rules(&f, &v), RULE_2);
  f = search();
  f.level[6] = NO_VERTEX;
  CHECK(rules(&f, &v) & RULE_2);
}

static void test_rule_3(void) {
  bfs_verdict v;
  found f = search();
  CHECK(edges_add(&f.l, (edge){0, 3}, 0));  // an edge that the search has not seen
  EQ(rules(&f, &v), RULE_3);
  EQ(v.where[2].a, 0);
  EQ(v.where[2].b, 3);
}

static void test_rule_4(void) {
  bfs_verdict v;
  found f = search();
  f.parent[6] = f.level[6] = NO_VERTEX;  // a leaf was forgotten
  EQ(rules(&f, &v), RULE_4);
  EQ(v.where[3].a, 6);
  f = search();
  f.parent[8] = 7;  // another component came along
  f.parent[7] = 0;
  f.level[7] = 1;
  f.level[8] = 2;
  EQ(rules(&f, &v), RULE_4 | RULE_5);
}

static void test_rule_5(void) {
  bfs_verdict v;
  found f = search();
  f.parent[5] = 1;  // on the right level, but there is no edge
  EQ(rules(&f, &v), RULE_5);
  EQ(v.where[4].a, 5);
  EQ(v.where[4].b, 1);
}

int main(void) {
  for (unsigned i = 0; i < sizeof searches / sizeof *searches; i++) test_known(&searches[i]);
  for (unsigned i = 0; i < 3000; i++) test_by_chance();
  test_right();
  test_rule_1();
  test_rule_2();
  test_rule_3();
  test_rule_4();
  test_rule_5();
  return report();
}
