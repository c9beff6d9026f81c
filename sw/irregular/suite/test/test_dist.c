// SPDX-License-Identifier: Apache-2.0
// Every program in every variant on several numbers of ranks has the result that it has on one without a network; and
// what is not right is called that.
#include <string.h>

#include "checks.h"
#include "graphs.h"
#include "gups.h"

typedef struct run {
  suite_end end;
  suite_result r;
} run;

static run run_as(const suite_kernel *k, const char *variant, unsigned ranks, suite_job job) {
  const suite_variant *v = suite_variant_named(k, variant);
  run now = {.end = SUITE_BROKEN};
  CHECK(v && ranks <= v->ranks);
  if (!v) return now;
  job.ranks = ranks;
  job.way = v->way;
  now.end = v->run(&job, &now.r);
  if (now.end != SUITE_DONE) printf("  %s %s %u: %s\n", k->name, variant, ranks, now.r.why);
  return now;
}

static double fact(const suite_result *r, const char *name) {
  for (unsigned i = 0; i < r->facts; i++)
    if (!strcmp(r->fact[i].name, name)) return r->fact[i].value;
  return -1;
}

static void same(const suite_kernel *k, const char *variant, unsigned ranks, const suite_job *job, const run *want) {
  const unsigned before = failed;
  run got = run_as(k, variant, ranks, *job);
  EQ(got.end, SUITE_DONE);
  EQ(got.r.valid, SUITE_VALID);
  EQ(got.r.count, want->r.count);
  EQ(got.r.digest, want->r.digest);
  EQ(got.r.levels, want->r.levels);
  CHECK(!want->r.level || !memcmp(got.r.level, want->r.level, want->r.levels * sizeof *want->r.level));
  const char *left = strcmp(variant, "rma") ? "delegates" : "remote";
  CHECK(job->list->vertices <= 2 || (fact(&got.r, left) > 0) == (ranks > 1));
  if (failed > before) printf("  in %s, %s, %u ranks\n", k->name, variant, ranks);
  free(got.r.level);
}

static uts_known small_tree(void) {
  uts_known k = *uts_named("T1");
  k.depth = 6;
  k.tree.depth = 6;
  k.nodes = 16000;
  k.leaves = 12839;
  return k;
}

static void test_variants(const edge_list *l, unsigned scale, const char *variant, const unsigned *ranks, unsigned n) {
  const uts_known tree = small_tree();
  const suite_job job = {
      .seed = 1, .scale = scale, .updates = 4ULL << scale, .tree = &tree, .list = l, .root = edges_hub(l)};
  for (const suite_kernel *k = suite_kernels; k->name; k++) {
    const run want = run_as(k, "serial", 1, job);
    CHECK(want.end == SUITE_DONE && want.r.valid == SUITE_VALID);
    for (unsigned i = 0; i < n && suite_variant_named(k, variant); i++) same(k, variant, ranks[i], &job, &want);
    free(want.r.level);
  }
}

// Rows of one vertex that do not fit into one delegate, on a graph with directions and without edges at some ranks.
static void test_hub(void) {
  edge_list l = {.vertices = 1200, .directed = true};
  for (uint32_t v = 1; v < 1000; v++)
    CHECK(edges_add(&l, (edge){v % 3 ? 0 : v, v % 3 ? v : 0}, 0) && edges_add(&l, (edge){v, v / 2}, 0));
  test_variants(&l, 6, "aa", (const unsigned[]){7}, 1);
  test_variants(&l, 6, "am", (const unsigned[]){20}, 1);
  test_variants(&l, 6, "rma", (const unsigned[]){2}, 1);
  edges_free(&l);
}

// All have these, five programs have rma, and six xtq.
static void test_table(void) {
  unsigned rma = 0, xtq = 0;
  for (const suite_kernel *k = suite_kernels; k->name; k++) {
    CHECK(suite_variant_named(k, "serial") && suite_variant_named(k, "aa") && suite_variant_named(k, "am"));
    CHECK(suite_variant_named(k, "mp") && suite_variant_named(k, "naive") && !suite_variant_named(k, "bark"));
    rma += suite_variant_named(k, "rma") != NULL;
    xtq += suite_variant_named(k, "xtq") != NULL;
  }
  EQ(rma, 5);
  EQ(xtq, 6);
}

// ---- what is wrong is not called valid ------------------------------------------------------------------------------

static bool wrong(suite_result *r, const char *why) {
  const bool is = r->valid == SUITE_WRONG && strstr(r->why, why);
  if (!is) printf("  said: %d %s\n", r->valid, r->why);
  free(r->level);
  *r = (suite_result){0};
  return is;
}

static void test_wrong(void) {
  edge_list l = GRAPH(5, {0, 1}, {1, 2}, {2, 0}, {3, 4});
  const uts_known tree = small_tree();
  const suite_job job = {.scale = 4, .updates = 64, .tree = &tree, .list = &l};
  suite_result r = {0};
  check_gups(&job, 0, 3, &r);
  CHECK(wrong(&r, "3 of 16 words"));
  check_uts(&job, &(uts_count){.nodes = 16000, .leaves = 12839, .depth = 7}, &r);
  CHECK(wrong(&r, "published are 16000"));
  check_uts(&job, &(uts_count){.nodes = 16000, .leaves = 12838, .depth = 6}, &r);
  CHECK(wrong(&r, "published are 16000"));
  check_uts(&job, &(uts_count){.nodes = 15999, .leaves = 12839, .depth = 6}, &r);
  CHECK(wrong(&r, "published are 16000"));
  const uint32_t none = NO_VERTEX;
  CHECK(check_bfs(&job, (const uint32_t[]){0, 0, 1, none, none}, (const uint32_t[]){0, 1, 2, none, none}, &r));
  CHECK(wrong(&r, "rule 3 is broken"));
  CHECK(check_cc(&job, (const uint32_t[]){0, 0, 0, 3, 4}, &r));
  CHECK(wrong(&r, "two components"));
  CHECK(check_cc(&job, (const uint32_t[]){0, 0, 0, 0, 0}, &r));
  CHECK(wrong(&r, "vertex 3 is not"));
  CHECK(check_sssp(&job, (const double[]){0, 0, 0, 0, 0}, &r));
  CHECK(wrong(&r, "no way from the root"));
  CHECK(check_pagerank(&job, (const uint64_t[]){0, 0, 0, 0, 0}, 1, &r));
  CHECK(wrong(&r, "not 1"));
  CHECK(check_pagerank(&job, (const uint64_t[]){0, 0, 0, 0, 1ULL << 58}, 1, &r));
  CHECK(wrong(&r, "one more turn"));
  CHECK(check_triangles(&job, &(triangles){.count = 2}, &r));
  CHECK(wrong(&r, "finds 1"));
  CHECK(check_triangles(&job, &(triangles){.count = 1}, &r));  // another triangle than the one that there is
  CHECK(wrong(&r, "finds 1"));
  edges_free(&l);
}

int main(void) {
  edge_list l;
  CHECK(edges_kron(&l, 8, 16, 1));
  test_variants(&l, 8, "aa", (const unsigned[]){1, 3, 20}, 3);  // 20: with routers
  test_variants(&l, 8, "am", (const unsigned[]){1, 4}, 2);
  test_variants(&l, 8, "xtq", (const unsigned[]){4, 20}, 2);
  edges_free(&l);
  CHECK(edges_kron(&l, 4, 4, 1));
  test_variants(&l, 4, "naive", (const unsigned[]){3}, 1);
  test_variants(&l, 8, "xtq", (const unsigned[]){1, 3, 20}, 3);
  test_variants(&l, 4, "mp", (const unsigned[]){3}, 1);
  test_variants(&l, 4, "rma", (const unsigned[]){1, 3, 20}, 3);
  edges_free(&l);
  CHECK(edges_kron(&l, 1, 4, 1));
  test_variants(&l, 1, "aa", (const unsigned[]){5}, 1);  // more ranks than vertices
  edges_free(&l);
  test_hub();
  test_table();
  test_wrong();
  return report();
}
