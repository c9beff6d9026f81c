// SPDX-License-Identifier: Apache-2.0
// Each program on one rank, and the check of what it has found, by other means than those that found it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bfs.h"
#include "cc.h"
#include "gups.h"
#include "pagerank.h"
#include "sssp.h"
#include "suite.h"
#include "triangles.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *words(uint64_t n, size_t bytes) { return malloc((n + 1) * bytes); }

// The updates in as many parts as HPCC's own program takes, each from its own place in the stream; the check goes through it in one.
bool serial_gups(const suite_job *job, suite_result *r) {
  enum { PARTS = 128 };
  const uint64_t n = 1ULL << job->scale, each = job->updates / PARTS, more = job->updates % PARTS;
  uint64_t *table = words(n, sizeof *table), from = 0;
  if (!table) return false;
  gups_fill(table, n);
  const double begin = now();
  for (unsigned i = 0; i < PARTS; i++) {
    gups_update(table, n, from, each + (i < more));
    from += each + (i < more);
  }
  r->seconds = now() - begin;
  r->count = r->operations = job->updates;
  r->digest = gups_digest(table, 0, n);
  const uint64_t errors = gups_errors(table, n, job->updates);
  suite_say(r, "errors", "words that are not as they should be", (double)errors);
  if (errors) suite_wrong(r, "%" PRIu64 " of %" PRIu64 " words are not as they should be", errors, n);
  free(table);
  return true;
}

bool serial_uts(const suite_job *job, suite_result *r) {
  const uts_known *k = job->tree;
  uts_count c;
  const double begin = now();
  if (!uts_walk(&k->tree, &c)) return false;
  r->seconds = now() - begin;
  r->count = r->operations = c.nodes;
  r->digest = c.digest;
  suite_say(r, "depth", "depth", (double)c.depth);
  suite_say(r, "leaves", "leaves", (double)c.leaves);
  if (!k->nodes) {
    r->valid = SUITE_OPEN;
    snprintf(r->why, sizeof r->why, "nobody has published the size of this tree");
  } else if (c.nodes != k->nodes || (k->depth && c.depth != k->depth) || (k->leaves && c.leaves != k->leaves)) {
    suite_wrong(r, "published are %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves (0: not known)", k->nodes,
                k->depth, k->leaves);
  }
  return true;
}

// ---- graphs ----------------------------------------------------------------------------------------------------------

static bool levels(const uint32_t *level, uint32_t vertices, uint32_t depth, suite_result *r) {
  r->level = calloc((size_t)depth + 1, sizeof *r->level);
  if (!r->level) return false;
  r->levels = depth + 1;
  for (uint32_t v = 0; v < vertices; v++)
    if (level[v] <= depth) r->level[level[v]]++;
  return true;
}

static bool bfs_result(const suite_job *job, const uint32_t *parent, const uint32_t *level, suite_result *r) {
  bfs_verdict v;
  if (!bfs_check(job->list, job->root, parent, level, &v)) return false;
  r->count = v.reached;
  r->operations = v.edges;
  r->digest = bfs_digest(level, 0, job->list->vertices);
  suite_say(r, "depth", "depth", v.depth);
  suite_say(r, "component_edges", "edges of the list in the component", (double)v.edges);
  for (unsigned i = BFS_RULES; i-- > 0;)
    if (v.broken & 1U << i)
      suite_wrong(r, "rule %u is broken, %s: not so at %u and %u", i + 1, bfs_rule[i], v.where[i].a, v.where[i].b);
  return levels(level, job->list->vertices, v.depth, r);
}

bool serial_bfs(const suite_job *job, suite_result *r) {
  csr g;
  const uint32_t n = job->list->vertices;
  if (!csr_build(&g, job->list, &(csr_how){0})) return false;
  uint32_t *parent = words(n, sizeof *parent), *level = words(n, sizeof *level);
  const double begin = now();
  bool done = parent && level && bfs_search(&g, job->root, parent, level);
  r->seconds = now() - begin;
  csr_free(&g);
  done = done && bfs_result(job, parent, level, r);
  free(parent);
  free(level);
  return done;
}

bool serial_pagerank(const suite_job *job, suite_result *r) {
  csr g;
  const uint32_t n = job->list->vertices;
  if (!csr_build(&g, job->list, &(csr_how){.one_way = true, .loops = true})) return false;
  uint64_t *rank = words(n, sizeof *rank);
  double change = 0;
  const double begin = now();
  const unsigned turns = rank ? pagerank_run(&g, PAGERANK_TOLERANCE, rank) : 0;
  r->seconds = now() - begin;
  r->count = turns;
  r->operations = turns * g.arcs;
  csr_free(&g);
  const pagerank_verdict v = turns ? pagerank_check(job->list, PAGERANK_TOLERANCE, rank, &change) : PAGERANK_NO_MEMORY;
  if (v != PAGERANK_NO_MEMORY) {
    uint32_t top = 0;
    for (uint32_t i = 1; i < n; i++)
      if (rank[i] > rank[top]) top = i;
    r->digest = pagerank_digest(rank, 0, n);
    suite_say(r, "top", "vertex with the highest rank", top);
    suite_say(r, "top_rank", "its rank", (double)rank[top] / (double)PAGERANK_ONE);
    suite_say(r, "change", "by which one more turn would change all ranks", change);
    if (v == PAGERANK_SUM) suite_wrong(r, "the sum of all ranks is not 1");
    if (v == PAGERANK_CHANGE) suite_wrong(r, "one more turn changes the ranks by %g", change);
  }
  free(rank);
  return v != PAGERANK_NO_MEMORY;
}

bool serial_cc(const suite_job *job, suite_result *r) {
  csr g;
  edge where;
  const uint32_t n = job->list->vertices;
  if (!csr_build(&g, job->list, &(csr_how){0})) return false;
  uint32_t *label = words(n, sizeof *label);
  const double begin = now();
  const bool done = label && cc_label(&g, label);
  r->seconds = now() - begin;
  csr_free(&g);
  const cc_verdict v = done ? cc_check(job->list, label, &where) : CC_NO_MEMORY;
  if (v != CC_NO_MEMORY) {
    r->count = cc_count(label, n);
    r->operations = job->list->count;
    r->digest = cc_digest(label, 0, n);
    if (v == CC_EDGE) suite_wrong(r, "the ends of edge %u %u are in two components", where.a, where.b);
    if (v == CC_VERTEX) suite_wrong(r, "vertex %u is not in the component of %u", where.a, where.b);
  }
  free(label);
  return v != CC_NO_MEMORY;
}

bool serial_sssp(const suite_job *job, suite_result *r) {
  csr g;
  edge where;
  double furthest;
  const uint32_t n = job->list->vertices;
  if (!csr_build(&g, job->list, &(csr_how){.one_way = true, .weights = true, .seed = job->seed})) return false;
  double *distance = words(n, sizeof *distance);
  const double begin = now();
  const bool done = distance && sssp_search(&g, job->root, distance);
  r->seconds = now() - begin;
  csr_free(&g);
  const sssp_verdict v = done ? sssp_check(job->list, job->seed, job->root, distance, &where) : SSSP_NO_MEMORY;
  if (v != SSSP_NO_MEMORY) {
    r->count = sssp_reached(distance, n, &furthest);
    r->operations = job->list->count;
    r->digest = sssp_digest(distance, 0, n);
    suite_say(r, "furthest", "the greatest distance", furthest);
    if (v) suite_wrong(r, "%s, at %u and %u", sssp_said[v], where.a, where.b);
  }
  free(distance);
  return v != SSSP_NO_MEMORY;
}

bool serial_triangles(const suite_job *job, suite_result *r) {
  csr g;
  triangles found, check;
  if (!csr_build(&g, job->list, &(csr_how){.merge = true})) return false;
  const double begin = now();
  const bool done = triangles_count(&g, &found);
  r->seconds = now() - begin;
  if (done) {
    triangles_check(&g, &check);
    r->count = found.count;
    r->digest = found.digest;
    r->operations = g.arcs / 2;
    suite_say(r, "merged_edges", "edges without loops and duplicates", (double)(g.arcs / 2));
    if (found.count != check.count || found.digest != check.digest)
      suite_wrong(r, "the other way to count finds %" PRIu64, check.count);
  }
  csr_free(&g);
  return done;
}
