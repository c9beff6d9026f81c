// SPDX-License-Identifier: Apache-2.0
#include "bfs.h"

#include <stdlib.h>

#include "disjoint.h"
#include "mix.h"

bool bfs_search(const csr *g, uint32_t root, uint32_t *parent, uint32_t *level) {
  uint32_t *queue = malloc(((size_t)g->vertices + 1) * sizeof *queue), n = 0;
  if (!queue) return false;
  for (uint32_t v = 0; v < g->vertices; v++) parent[v] = level[v] = NO_VERTEX;
  parent[root] = root;
  level[root] = 0;
  queue[n++] = root;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = queue[i];
    for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
      const uint32_t to = g->to[k];
      if (level[to] != NO_VERTEX) continue;
      parent[to] = v;
      level[to] = level[v] + 1;
      queue[n++] = to;
    }
  }
  free(queue);
  return true;
}

uint64_t bfs_digest(const uint32_t *level, uint32_t first, uint32_t vertices) {
  uint64_t sum = 0;
  for (uint32_t v = 0; v < vertices; v++)
    if (level[v] != NO_VERTEX) sum += app_mix((uint64_t)(first + v) << 32 | level[v]);
  return sum;
}

// ---- validation -----------------------------------------------------------------------------------------------------

const char *const bfs_rule[BFS_RULES] = {
    "the parents make a tree without a cycle, whose root is the root",
    "a vertex is one level below its parent",
    "the ends of an edge are at most one level apart",
    "the tree has all of the root's component and nothing else",
    "a vertex and its parent are an edge of the graph",
};

static void broken(bfs_verdict *v, unsigned rule, uint32_t a, uint32_t b) {
  if (!(v->broken & 1U << (rule - 1))) v->where[rule - 1] = (edge){a, b};
  v->broken |= 1U << (rule - 1);
}

typedef struct tree {
  const edge_list *l;
  uint32_t root;
  const uint32_t *parent, *level;
  uint8_t *mark;  // of each vertex
} tree;
enum { NEW, ON_THE_WAY, LEADS_TO_ROOT, LEADS_ASTRAY };

// From each vertex upwards, until one is met of which it is known where it leads.
static void rule_1(const tree *t, bfs_verdict *v) {
  const uint32_t n = t->l->vertices;
  for (uint32_t i = 0; i < n; i++) t->mark[i] = NEW;
  t->mark[t->root] = t->parent[t->root] == t->root && !t->level[t->root] ? LEADS_TO_ROOT : LEADS_ASTRAY;
  if (t->mark[t->root] == LEADS_ASTRAY) broken(v, 1, t->root, t->parent[t->root]);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i;
    if (t->parent[i] == NO_VERTEX) continue;
    while (at < n && t->parent[at] != NO_VERTEX && t->mark[at] == NEW) {
      t->mark[at] = ON_THE_WAY;
      at = t->parent[at];
    }
    const uint8_t leads = at < n && t->mark[at] == LEADS_TO_ROOT ? LEADS_TO_ROOT : LEADS_ASTRAY;
    if (leads == LEADS_ASTRAY) broken(v, 1, i, t->parent[i]);
    for (at = i; at < n && t->mark[at] == ON_THE_WAY; at = t->parent[at]) t->mark[at] = leads;
  }
}

static void rule_2(const tree *t, bfs_verdict *v) {
  for (uint32_t i = 0; i < t->l->vertices; i++) {
    const uint32_t p = t->parent[i];
    if (p == NO_VERTEX ? t->level[i] != NO_VERTEX
                       : i != t->root && p < t->l->vertices &&
                             (t->level[i] == NO_VERTEX || (uint64_t)t->level[p] + 1 != t->level[i]))
      broken(v, 2, i, p);
  }
}

static void rule_3(const tree *t, bfs_verdict *v) {
  for (uint64_t i = 0; i < t->l->count; i++) {
    const edge e = t->l->edge[i];
    if (t->parent[e.a] == NO_VERTEX || t->parent[e.b] == NO_VERTEX) continue;  // rule 4
    const uint32_t a = t->level[e.a], b = t->level[e.b];
    if (a > b ? a - b > 1 : b - a > 1) broken(v, 3, e.a, e.b);
    v->edges++;
  }
}

static bool rule_4(const tree *t, bfs_verdict *v) {
  uint32_t *sets = disjoint_sets(t->l);
  if (!sets) return false;
  const uint32_t here = disjoint_name(sets, t->root);
  for (uint32_t i = 0; i < t->l->vertices; i++)
    if ((disjoint_name(sets, i) == here) != (t->parent[i] != NO_VERTEX)) broken(v, 4, i, t->parent[i]);
  free(sets);
  return true;
}

static void rule_5(const tree *t, bfs_verdict *v) {
  for (uint32_t i = 0; i < t->l->vertices; i++) t->mark[i] = i == t->root || t->parent[i] == NO_VERTEX;
  for (uint64_t i = 0; i < t->l->count; i++) {
    const edge e = t->l->edge[i];
    if (e.a == e.b) continue;
    if (t->parent[e.a] == e.b) t->mark[e.a] = 1;
    if (t->parent[e.b] == e.a) t->mark[e.b] = 1;
  }
  for (uint32_t i = 0; i < t->l->vertices; i++)
    if (!t->mark[i]) broken(v, 5, i, t->parent[i]);
}

bool bfs_check(const edge_list *l, uint32_t root, const uint32_t *parent, const uint32_t *level, bfs_verdict *v) {
  tree t = {.l = l, .root = root, .parent = parent, .level = level, .mark = malloc((size_t)l->vertices + 1)};
  *v = (bfs_verdict){0};
  if (!t.mark) return false;
  rule_1(&t, v);
  rule_2(&t, v);
  rule_3(&t, v);
  const bool done = rule_4(&t, v);
  rule_5(&t, v);
  for (uint32_t i = 0; i < l->vertices; i++) {
    if (parent[i] == NO_VERTEX) continue;
    v->reached++;
    if (level[i] != NO_VERTEX && level[i] > v->depth) v->depth = level[i];
  }
  free(t.mark);
  return done;
}
