// SPDX-License-Identifier: Apache-2.0
// Each program on one rank.
#include <stdlib.h>

#include "bfs.h"
#include "cc.h"
#include "checks.h"
#include "gups.h"
#include "pagerank.h"
#include "sssp.h"
#include "suite.h"

static void *words(uint64_t n, size_t bytes) { return malloc((n + 1) * bytes); }

static suite_end ended(bool done) { return done ? SUITE_DONE : SUITE_NO_MEMORY; }

// The updates in as many parts as HPCC's own program takes, each from its own place in the stream; the check goes
// through it in one.
suite_end serial_gups(const suite_job *job, suite_result *r) {
  enum { PARTS = 128 };
  const uint64_t n = 1ULL << job->scale, each = job->updates / PARTS, more = job->updates % PARTS;
  uint64_t *table = words(n, sizeof *table), from = 0;
  if (!table) return SUITE_NO_MEMORY;
  gups_fill(table, 0, n);
  const double begin = check_now();
  for (unsigned i = 0; i < PARTS; i++) {
    gups_update(table, n, from, each + (i < more));
    from += each + (i < more);
  }
  r->seconds = check_now() - begin;
  const uint64_t digest = gups_digest(table, 0, n);
  check_gups(job, digest, gups_errors(table, 0, n, n, job->updates), r);
  free(table);
  return SUITE_DONE;
}

suite_end serial_uts(const suite_job *job, suite_result *r) {
  uts_count c;
  const double begin = check_now();
  if (!uts_walk(&job->tree->tree, &c)) return SUITE_NO_MEMORY;
  r->seconds = check_now() - begin;
  check_uts(job, &c, r);
  return SUITE_DONE;
}

suite_end serial_bfs(const suite_job *job, suite_result *r) {
  csr g;
  const uint32_t n = job->list->vertices;
  if (!csr_build(&g, job->list, &(csr_how){0})) return SUITE_NO_MEMORY;
  uint32_t *parent = words(n, sizeof *parent), *level = words(n, sizeof *level);
  const double begin = check_now();
  bool done = parent && level && bfs_search(&g, job->root, parent, level);
  r->seconds = check_now() - begin;
  csr_free(&g);
  done = done && check_bfs(job, parent, level, r);
  free(parent);
  free(level);
  return ended(done);
}

suite_end serial_pagerank(const suite_job *job, suite_result *r) {
  csr g;
  if (!csr_build(&g, job->list, &(csr_how){.one_way = true, .loops = true})) return SUITE_NO_MEMORY;
  uint64_t *rank = words(g.vertices, sizeof *rank);
  const double begin = check_now();
  const unsigned turns = rank ? pagerank_run(&g, PAGERANK_TOLERANCE, rank) : 0;
  r->seconds = check_now() - begin;
  csr_free(&g);
  const bool done = turns && check_pagerank(job, rank, turns, r);
  free(rank);
  return ended(done);
}

suite_end serial_cc(const suite_job *job, suite_result *r) {
  csr g;
  if (!csr_build(&g, job->list, &(csr_how){0})) return SUITE_NO_MEMORY;
  uint32_t *label = words(g.vertices, sizeof *label);
  const double begin = check_now();
  bool done = label && cc_label(&g, label);
  r->seconds = check_now() - begin;
  csr_free(&g);
  done = done && check_cc(job, label, r);
  free(label);
  return ended(done);
}

suite_end serial_sssp(const suite_job *job, suite_result *r) {
  csr g;
  if (!csr_build(&g, job->list, &(csr_how){.one_way = true, .weights = true, .seed = job->seed}))
    return SUITE_NO_MEMORY;
  double *distance = words(g.vertices, sizeof *distance);
  const double begin = check_now();
  bool done = distance && sssp_search(&g, job->root, distance);
  r->seconds = check_now() - begin;
  csr_free(&g);
  done = done && check_sssp(job, distance, r);
  free(distance);
  return ended(done);
}

suite_end serial_triangles(const suite_job *job, suite_result *r) {
  csr g;
  triangles found;
  if (!csr_build(&g, job->list, &(csr_how){.merge = true})) return SUITE_NO_MEMORY;
  const double begin = check_now();
  const bool done = triangles_count(&g, &found);
  r->seconds = check_now() - begin;
  csr_free(&g);
  return ended(done && check_triangles(job, &found, r));
}
