// SPDX-License-Identifier: Apache-2.0
// The trees whose sizes are published with the benchmark, and how trees are written.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "uts.h"

#define GEO(shape, depth, root, seed) \
  { UTS_GEOMETRIC, UTS_##shape, depth, root, 0, 0, 0.5, seed }
#define BIN(root, q, m, seed) \
  { UTS_BINOMIAL, UTS_LINEAR, 0, root, q, m, 0.5, seed }

const uts_known uts_trees[] = {
    {"T1", GEO(FIXED, 10, 4, 19), 4130071, 10, 3305118},
    {"T2", GEO(CYCLIC, 16, 6, 502), 4117769, 81, 2342762},
    {"T3", BIN(2000, 0.124875, 8, 42), 4112897, 1572, 3599034},
    {"T4", {UTS_HYBRID, UTS_LINEAR, 16, 6, 0.234375, 4, 0.5, 1}, 4132453, 134, 3108986},
    {"T5", GEO(LINEAR, 20, 4, 34), 4147582, 20, 2181318},
    {"T1L", GEO(FIXED, 13, 4, 29), 102181082, 13, 81746377},
    {"T2L", GEO(CYCLIC, 23, 7, 220), 96793510, 67, 53791152},
    {"T3L", BIN(2000, 0.200014, 5, 7), 111345631, 17844, 89076904},
    {"T1XL", GEO(FIXED, 15, 4, 29), 1635119272, 15, 1308100063},
    {"T1XXL", GEO(FIXED, 15, 4, 19), 4230646601, 15, 0},
    {"T3XXL", BIN(2000, 0.499995, 2, 316), 2793220501, 0, 0},
    {"T2XXL", BIN(2000, 0.499999995, 2, 0), 10612052303, 216370, 5306027151},
    {"T1WL", GEO(FIXED, 18, 4, 19), 270751679750, 18, 216601257283},
    {.name = NULL},
};

const uts_known *uts_named(const char *name) {
  const uts_known *k = uts_trees;
  while (k->name && strcmp(k->name, name)) k++;
  return k->name ? k : NULL;
}

// The number at *at; *at is then behind it.
static bool number(const char **at, double least, double most, bool whole, double *value) {
  char *end;
  while (isspace((unsigned char)**at)) ++*at;
  errno = 0;
  *value = strtod(*at, &end);
  if (end == *at || errno || !(*value >= least && *value <= most) || (whole && *value != floor(*value))) return false;
  if (*end && !isspace((unsigned char)*end)) return false;
  *at = end;
  return true;
}

// A tree that would not end, or that the formulas say nothing of.
static const char *endless(const uts_tree *t) {
  if (t->kind != UTS_GEOMETRIC && t->q * t->m >= 1)
    return "-q times -m is 1 or more: such a tree has no mean size and may never end";
  if (t->kind != UTS_BINOMIAL && t->root > UTS_CHILDREN) return "-b of a geometric or hybrid tree is 1 to 100";
  if (t->kind != UTS_BINOMIAL && t->shape == UTS_EXPDEC && t->depth < 2) return "-a 1 (EXPDEC) needs -d 2 or more";
  return NULL;
}

const char *uts_parse(const char *args, uts_tree *t) {
  double v;
  *t = uts_trees[0].tree;
  t->q = 15.0 / 64;  // what the benchmark takes
  t->m = 4;
  for (;;) {
    while (isspace((unsigned char)*args)) args++;
    if (!*args) return endless(t);
    if (args[0] != '-' || !args[1] || !strchr("tadbqmfr", args[1]))
      return "only -t, -a, -d, -b, -q, -m, -f and -r, each with a number, are known";
    const char what = args[1];
    args += 2;
    if (what == 't') {
      if (!number(&args, 0, 2, true, &v)) return "-t is 0 (binomial), 1 (geometric) or 2 (hybrid)";
      t->kind = (uts_kind)v;
    } else if (what == 'a') {
      if (!number(&args, 0, 3, true, &v)) return "-a is 0 (LINEAR), 1 (EXPDEC), 2 (CYCLIC) or 3 (FIXED)";
      t->shape = (uts_shape)v;
    } else if (what == 'd') {
      if (!number(&args, 1, 1000000, true, &v)) return "-d is a whole number from 1 to 1000000";
      t->depth = (unsigned)v;
    } else if (what == 'b') {
      if (!number(&args, 1, 1000000, false, &t->root)) return "-b is a number from 1 to 1000000";
    } else if (what == 'q') {
      if (!number(&args, 0, 1, false, &t->q)) return "-q is a number from 0 to 1";
    } else if (what == 'm') {
      if (!number(&args, 0, UTS_CHILDREN, true, &v)) return "-m is a whole number from 0 to 100";
      t->m = (unsigned)v;
    } else if (what == 'f') {
      if (!number(&args, 0, 1, false, &t->shift)) return "-f is a number from 0 to 1";
    } else {
      if (!number(&args, 0, UINT32_MAX, true, &v)) return "-r is a whole number below 2^32";
      t->seed = (uint32_t)v;
    }
  }
}
