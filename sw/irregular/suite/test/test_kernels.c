// SPDX-License-Identifier: Apache-2.0
// Rows of neighbours, components, shortest paths, PageRank and triangles: on small graphs by all that there is to try,
// on known ones by their known answers; and their checks refuse what was made wrong.
#include <math.h>
#include <string.h>

#include "cc.h"
#include "graphs.h"
#include "pagerank.h"
#include "sssp.h"
#include "triangles.h"

enum { SMALL = 16 };

static unsigned times(const csr *g, uint32_t v, uint32_t to) {
  unsigned n = 0;
  for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) n += g->to[k] == to;
  return n;
}

static void test_rows(void) {
  edge_list l = GRAPH(4, {0, 1}, {1, 0}, {2, 2}, {3, 1});
  csr g;
  CHECK(csr_build(&g, &l, &(csr_how){0}));
  EQ(g.arcs, 6);
  EQ(times(&g, 0, 1), 2);
  EQ(times(&g, 1, 0), 2);
  EQ(times(&g, 2, 2), 0);
  csr_free(&g);
  CHECK(csr_build(&g, &l, &(csr_how){.merge = true, .loops = true}));
  EQ(g.arcs, 5);
  EQ(times(&g, 0, 1), 1);
  EQ(times(&g, 2, 2), 1);
  CHECK(g.to[g.first[1]] == 0 && g.to[g.first[1] + 1] == 3);  // sorted
  csr_free(&g);
  l.directed = true;
  CHECK(csr_build(&g, &l, &(csr_how){.one_way = true, .weights = true, .seed = 3}));
  EQ(g.arcs, 3);
  EQ(times(&g, 3, 1), 1);
  EQ(times(&g, 1, 3), 0);
  CHECK(g.weight[g.first[0]] == edges_weight(&l, 0, 3));
  csr_free(&g);
  edges_free(&l);
}

static unsigned halves(uint64_t n) {  // comparisons that suffice for a row of n
  unsigned all = 0;
  for (; n; n /= 2) all++;
  return all;
}

static void test_has(void) {
  edge_list l = graph_by_chance();
  csr g;
  CHECK(csr_build(&g, &l, &(csr_how){.merge = true, .loops = true}));
  for (uint32_t v = 0; v < g.vertices; v++)
    for (uint32_t to = 0; to < g.vertices; to++) {
      const uint64_t row = g.first[v + 1] - g.first[v];
      unsigned others = 100;
      const bool has = csr_has(&g, v, to, &others);
      EQ(has, times(&g, v, to));
      EQ(csr_has(&g, v, to, NULL), has);
      CHECK(others + has <= 100 + halves(row));
      CHECK(has || (others > 100) == (row > 0));
    }
  csr_free(&g);
  edges_free(&l);
}

// A row of any length, in which each second number is.
static void test_has_every(void) {
  enum { MOST = 40 };
  uint32_t to[MOST];
  for (uint32_t i = 0; i < MOST; i++) to[i] = 2 * i + 1;
  for (uint64_t n = 0; n <= MOST; n++) {
    const csr g = {.vertices = 1, .arcs = n, .first = (uint64_t[]){0, n}, .to = to};
    for (uint32_t v = 0; v <= 2 * MOST; v++) EQ(csr_has(&g, 0, v, NULL), v % 2 && v < 2 * n);
  }
}

// ---- components -----------------------------------------------------------------------------------------------------

static void reach(const edge_list *l, bool from[SMALL][SMALL]) {
  for (uint32_t a = 0; a < l->vertices; a++)
    for (uint32_t b = 0; b < l->vertices; b++) from[a][b] = a == b || joined(l, a, b);
  for (uint32_t k = 0; k < l->vertices; k++)
    for (uint32_t a = 0; a < l->vertices; a++)
      for (uint32_t b = 0; b < l->vertices; b++) from[a][b] |= from[a][k] && from[k][b];
}

static void test_components(void) {
  edge_list l = graph_by_chance();
  csr g;
  edge where;
  uint32_t label[SMALL];
  bool from[SMALL][SMALL];
  CHECK(csr_build(&g, &l, &(csr_how){0}) && cc_label(&g, label));
  EQ(cc_check(&l, label, &where), CC_RIGHT);
  reach(&l, from);
  for (uint32_t v = 0; v < l.vertices; v++) {
    uint32_t least = 0;
    while (!from[v][least]) least++;
    EQ(label[v], least);
  }
  const uint32_t v = below(l.vertices), was = label[v];
  label[v] = below(l.vertices);  // anything else is refused
  CHECK((cc_check(&l, label, &where) == CC_RIGHT) == (label[v] == was));
  csr_free(&g);
  edges_free(&l);
}

static void test_components_joined(void) {
  edge_list l = GRAPH(5, {0, 1}, {2, 3});
  edge where;
  EQ(cc_check(&l, (const uint32_t[]){0, 0, 0, 0, 4}, &where), CC_VERTEX);  // two are taken for one
  EQ(where.a, 2);
  EQ(cc_check(&l, (const uint32_t[]){1, 1, 2, 2, 4}, &where), CC_VERTEX);  // not the least name
  EQ(cc_check(&l, (const uint32_t[]){0, 0, 2, 3, 4}, &where), CC_EDGE);
  EQ(where.b, 3);
  EQ(cc_check(&l, (const uint32_t[]){0, 0, 2, 2, 4}, &where), CC_RIGHT);
  EQ(cc_count((const uint32_t[]){0, 0, 2, 2, 4}, 5), 3);
  edges_free(&l);
}

// ---- shortest paths -------------------------------------------------------------------------------------------------

static void test_paths(void) {
  edge_list l = graph_by_chance();
  csr g;
  edge where;
  double got[SMALL], want[SMALL];
  const uint32_t root = below(l.vertices), seed = below(5);
  CHECK(csr_build(&g, &l, &(csr_how){.one_way = true, .weights = true, .seed = seed}) && sssp_search(&g, root, got));
  EQ(sssp_check(&l, seed, root, got, &where), SSSP_RIGHT);
  for (uint32_t v = 0; v < l.vertices; v++) want[v] = v == root ? 0 : INFINITY;
  for (uint32_t round = 0; round < l.vertices; round++)
    for (uint64_t i = 0; i < l.count; i++) {
      const edge e = l.edge[i];
      const double w = edges_weight(&l, i, seed);
      want[e.b] = fmin(want[e.b], want[e.a] + w);
      if (!l.directed) want[e.a] = fmin(want[e.a], want[e.b] + w);
    }
  CHECK(!memcmp(got, want, l.vertices * sizeof *got));
  const uint32_t v = below(l.vertices);
  got[v] += got[v] == INFINITY ? 0 : (double)below(3) - 1;
  CHECK((sssp_check(&l, seed, root, got, &where) == SSSP_RIGHT) == (got[v] == want[v]));
  if (l.vertices > 1)
    EQ(sssp_digest(want, 0, 1) + sssp_digest(want + 1, 1, l.vertices - 1), sssp_digest(want, 0, l.vertices));
  csr_free(&g);
  edges_free(&l);
}

// Weights of a file, 0 among them: a circle without weight does not hold itself up.
static void test_paths_weighed(void) {
  edge_list l = {.vertices = 5, .weighed = true};
  edge where;
  csr g;
  double d[5];
  CHECK(edges_add(&l, (edge){0, 1}, 2.5) && edges_add(&l, (edge){1, 2}, 0) && edges_add(&l, (edge){0, 2}, 3));
  CHECK(edges_add(&l, (edge){3, 4}, 0));
  CHECK(csr_build(&g, &l, &(csr_how){.one_way = true, .weights = true}) && sssp_search(&g, 0, d));
  CHECK(d[1] == 2.5 && d[2] == 2.5 && d[3] == INFINITY);
  double furthest;
  EQ(sssp_reached(d, 5, &furthest), 3);
  CHECK(furthest == 2.5);
  d[3] = d[4] = 7;
  EQ(sssp_check(&l, 1, 0, d, &where), SSSP_WAY);
  d[3] = d[4] = INFINITY;
  d[0] = 1;
  EQ(sssp_check(&l, 1, 0, d, &where), SSSP_ROOT);
  d[0] = 0;
  d[2] = 3;
  EQ(sssp_check(&l, 1, 0, d, &where), SSSP_EDGE);
  d[2] = NAN;
  EQ(sssp_check(&l, 1, 0, d, &where), SSSP_EDGE);
  csr_free(&g);
  edges_free(&l);
}

// ---- PageRank -------------------------------------------------------------------------------------------------------

static uint64_t ranked(const edge_list *l, uint64_t *rank) {
  csr g;
  uint64_t sum = 0;
  double change;
  CHECK(csr_build(&g, l, &(csr_how){.one_way = true, .loops = true}));
  CHECK(pagerank_run(&g, 1e-12, rank) > 0);
  EQ(pagerank_check(l, 1e-12, rank, &change), PAGERANK_RIGHT);
  for (uint32_t v = 0; v < l->vertices; v++) sum += rank[v];
  EQ(sum, PAGERANK_ONE);
  csr_free(&g);
  return sum;
}

static void near(uint64_t rank, double want) { CHECK(fabs((double)rank / (double)PAGERANK_ONE - want) < 1e-11); }

static void test_ranks_known(void) {
  uint64_t rank[SMALL];
  double change;
  // Two point at a third, which points at nobody: x = (1 - d)/3 + d z/3 for each of the two,
  // z = x + 2 d x, 2 x + z = 1.
  edge_list l = GRAPH(3, {0, 2}, {1, 2});
  l.directed = true;
  ranked(&l, rank);
  near(rank[0], 1 / (3 + 2 * 0.85));
  near(rank[1], 1 / (3 + 2 * 0.85));
  near(rank[2], (1 + 2 * 0.85) / (3 + 2 * 0.85));
  const uint64_t was = rank[2];
  rank[2] = rank[0];
  EQ(pagerank_check(&l, 1e-9, rank, &change), PAGERANK_SUM);
  rank[0] = was;  // the sum is right again, and two have changed places
  EQ(pagerank_check(&l, 1e-9, rank, &change), PAGERANK_CHANGE);
  rank[0] = UINT64_MAX;
  EQ(pagerank_check(&l, 1e-9, rank, &change), PAGERANK_SUM);
  edges_free(&l);
  // A star without direction: the middle c, each of four leaves x = (1 - d)/5 + d c/4, c = (1 - d)/5 + 4 d x.
  l = GRAPH(5, {0, 1}, {2, 0}, {0, 3}, {4, 0});
  ranked(&l, rank);
  const double d = 0.85, middle = (0.2 * (1 - d) + 4 * d * 0.2 * (1 - d)) / (1 - d * d);
  near(rank[0], middle);
  near(rank[1], 0.2 * (1 - d) + d * middle / 4);
  near(rank[4], 0.2 * (1 - d) + d * middle / 4);
  edges_free(&l);
  l = (edge_list){.vertices = 7};  // no edge: all are the same, but for what cannot be divided
  ranked(&l, rank);
  CHECK(rank[0] - rank[6] <= 1);
}

static void test_ranks_by_chance(void) {
  edge_list l = graph_by_chance();
  uint64_t rank[SMALL], again[SMALL];
  double change;
  ranked(&l, rank);
  for (uint64_t i = l.count; i > 1; i--) {  // the order of edges does not matter to the last bit
    const uint64_t k = below((uint32_t)i);
    const edge e = l.edge[k];
    l.edge[k] = l.edge[i - 1];
    l.edge[i - 1] = e;
  }
  ranked(&l, again);
  CHECK(!memcmp(rank, again, l.vertices * sizeof *rank));
  const uint32_t from = below(l.vertices), to = below(l.vertices);
  rank[from] -= PAGERANK_ONE >> 20;
  rank[to] += PAGERANK_ONE >> 20;
  CHECK((pagerank_check(&l, 1e-9, rank, &change) == PAGERANK_RIGHT) == (from == to));
  edges_free(&l);
}

// ---- triangles ------------------------------------------------------------------------------------------------------

static void test_triangles(void) {
  edge_list l = graph_by_chance();
  csr g;
  triangles got, check, want = {0};
  CHECK(csr_build(&g, &l, &(csr_how){.merge = true}) && triangles_count(&g, &got));
  triangles_check(&g, &check);
  for (uint32_t a = 0; a < l.vertices; a++)
    for (uint32_t b = 0; b < a; b++)
      for (uint32_t c = 0; c < b; c++)
        if (joined(&l, a, b) && joined(&l, b, c) && joined(&l, a, c)) triangles_see(&want, b, a, c);
  CHECK(got.count == want.count && got.digest == want.digest);
  CHECK(check.count == want.count && check.digest == want.digest);
  csr_free(&g);
  edges_free(&l);
}

static void test_triangles_complete(void) {
  enum { N = 40 };
  edge_list l = {.vertices = N};
  csr g;
  triangles t;
  for (uint32_t a = 0; a < N; a++)
    for (uint32_t b = 0; b < N; b++) CHECK(edges_add(&l, (edge){a, b}, 0));
  CHECK(csr_build(&g, &l, &(csr_how){.merge = true}) && triangles_count(&g, &t));
  EQ(g.arcs, N * (N - 1));
  EQ(t.count, N * (N - 1) * (N - 2) / 6);
  csr_free(&g);
  edges_free(&l);
}

int main(void) {
  test_rows();
  for (unsigned i = 0; i < 3000; i++) {
    test_has();
    test_components();
    test_paths();
    test_ranks_by_chance();
    test_triangles();
  }
  test_has_every();
  test_components_joined();
  test_paths_weighed();
  test_ranks_known();
  test_triangles_complete();
  return report();
}
