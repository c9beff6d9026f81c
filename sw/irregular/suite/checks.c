// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bfs.h"
#include "cc.h"
#include "pagerank.h"
#include "sssp.h"

double check_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void check_gups(const suite_job *job, uint64_t digest, uint64_t errors, suite_result *r) {
  r->count = r->operations = job->updates;
  r->digest = digest;
  suite_say(r, "errors", "words that are not as they should be", (double)errors);
  if (errors)
    suite_wrong(r, "%" PRIu64 " of %" PRIu64 " words are not as they should be", errors, (uint64_t)1 << job->scale);
}

void check_uts(const suite_job *job, const uts_count *c, suite_result *r) {
  const uts_known *k = job->tree;
  r->count = r->operations = c->nodes;
  r->digest = c->digest;
  suite_say(r, "depth", "depth", (double)c->depth);
  suite_say(r, "leaves", "leaves", (double)c->leaves);
  if (!k->nodes) {
    r->valid = SUITE_OPEN;
    snprintf(r->why, sizeof r->why, "nobody has published the size of this tree");
  } else if (c->nodes != k->nodes || (k->depth && c->depth != k->depth) || (k->leaves && c->leaves != k->leaves)) {
    suite_wrong(r, "published are %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves (0: not known)", k->nodes,
                k->depth, k->leaves);
  }
}

// ---- graphs ---------------------------------------------------------------------------------------------------------

static bool levels(const uint32_t *level, uint32_t vertices, uint32_t depth, suite_result *r) {
  r->level = calloc((size_t)depth + 1, sizeof *r->level);
  if (!r->level) return false;
  r->levels = depth + 1;
  for (uint32_t v = 0; v < vertices; v++)
    if (level[v] <= depth) r->level[level[v]]++;
  return true;
}

bool check_bfs(const suite_job *job, const uint32_t *parent, const uint32_t *level, suite_result *r) {
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

bool check_pagerank(const suite_job *job, const uint64_t *rank, unsigned turns, suite_result *r) {
  double change;
  uint32_t top = 0;
  const uint32_t n = job->list->vertices;
  const pagerank_verdict v = pagerank_check(job->list, PAGERANK_TOLERANCE, rank, &change);
  if (v == PAGERANK_NO_MEMORY) return false;
  for (uint32_t i = 1; i < n; i++)
    if (rank[i] > rank[top]) top = i;
  r->count = turns;
  r->operations = turns * job->list->count;
  r->digest = pagerank_digest(rank, 0, n);
  suite_say(r, "top", "vertex with the highest rank", top);
  suite_say(r, "top_rank", "its rank", (double)rank[top] / (double)PAGERANK_ONE);
  suite_say(r, "change", "by which one more turn would change all ranks", change);
  if (v == PAGERANK_SUM) suite_wrong(r, "the sum of all ranks is not 1");
  if (v == PAGERANK_CHANGE) suite_wrong(r, "one more turn changes the ranks by %g", change);
  return true;
}

bool check_cc(const suite_job *job, const uint32_t *label, suite_result *r) {
  edge where;
  const cc_verdict v = cc_check(job->list, label, &where);
  if (v == CC_NO_MEMORY) return false;
  r->count = cc_count(label, job->list->vertices);
  r->operations = job->list->count;
  r->digest = cc_digest(label, 0, job->list->vertices);
  if (v == CC_EDGE) suite_wrong(r, "the ends of edge %u %u are in two components", where.a, where.b);
  if (v == CC_VERTEX) suite_wrong(r, "vertex %u is not in the component of %u", where.a, where.b);
  return true;
}

bool check_sssp(const suite_job *job, const double *distance, suite_result *r) {
  edge where;
  double furthest;
  const sssp_verdict v = sssp_check(job->list, job->seed, job->root, distance, &where);
  if (v == SSSP_NO_MEMORY) return false;
  r->count = sssp_reached(distance, job->list->vertices, &furthest);
  r->operations = job->list->count;
  r->digest = sssp_digest(distance, 0, job->list->vertices);
  suite_say(r, "furthest", "the greatest distance", furthest);
  if (v) suite_wrong(r, "%s, at %u and %u", sssp_said[v], where.a, where.b);
  return true;
}

bool check_triangles(const suite_job *job, const triangles *found, suite_result *r) {
  csr g;
  triangles other;
  if (!csr_build(&g, job->list, &(csr_how){.merge = true})) return false;
  triangles_check(&g, &other);
  r->count = found->count;
  r->digest = found->digest;
  r->operations = g.arcs / 2;
  suite_say(r, "merged_edges", "edges without loops and duplicates", (double)(g.arcs / 2));
  if (found->count != other.count || found->digest != other.digest)
    suite_wrong(r, "the other way to count finds %" PRIu64, other.count);
  csr_free(&g);
  return true;
}
