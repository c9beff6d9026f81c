// SPDX-License-Identifier: Apache-2.0
// Unbalanced trees (UTS): a node is 20 bytes and its depth, its children are SHA-1 of those bytes and their number,
// and how many there are is drawn from the bytes. A tree is thus known by a few parameters, whoever walks it,
// and nobody knows how large a subtree is before it has been walked. Arithmetic is that of IEEE doubles with the
// system's log, pow and sin.
#ifndef TOCSIN_SUITE_UTS_H
#define TOCSIN_SUITE_UTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sha1.h"

enum { UTS_CHILDREN = 100 };  // no node has more, but the root of a binomial tree

typedef enum uts_kind { UTS_BINOMIAL, UTS_GEOMETRIC, UTS_HYBRID } uts_kind;          // -t 0, 1, 2
typedef enum uts_shape { UTS_LINEAR, UTS_EXPDEC, UTS_CYCLIC, UTS_FIXED } uts_shape;  // -a 0, 1, 2, 3

typedef struct uts_tree {
  uts_kind kind;
  uts_shape shape;  // of geometric and hybrid trees: how the mean number of children goes with the depth
  unsigned depth;   // -d: what the shape is scaled by
  double root;      // -b: children of the root, their mean number in geometric trees
  double q;         // -q: a node of a binomial tree has children so often,
  unsigned m;       // -m: and has so many then
  double shift;     // -f: a hybrid tree is geometric above this part of the depth
  uint32_t seed;    // -r
} uts_tree;

// A tree whose size is published; 0: that number of it is not.
typedef struct uts_known {
  const char *name;
  uts_tree tree;
  uint64_t nodes, depth, leaves;
} uts_known;
extern const uts_known uts_trees[];            // the last one has no name
const uts_known *uts_named(const char *name);  // NULL: there is none

typedef struct uts_node {
  uint8_t state[SHA1_BYTES];
  uint32_t depth;
} uts_node;

void uts_root(const uts_tree *t, uts_node *root);
unsigned uts_children(const uts_tree *t, const uts_node *n);
void uts_child(const uts_node *parent, unsigned i, uts_node *child);

// What a walk has seen. Two ranks' parts of a tree add up, in any order; depths by the greater one.
typedef struct uts_count {
  uint64_t nodes, leaves, depth, digest;
} uts_count;
void uts_see(uts_count *c, const uts_node *n, unsigned children);
void uts_add(uts_count *c, const uts_count *part);
// The whole tree, with a stack of nodes; false: no memory.
bool uts_walk(const uts_tree *t, uts_count *c);

// "-t 1 -a 3 -d 10 -b 4 -r 19" as the published trees are written; what is not given is as in T1. NULL,
// or what is wrong with it.
const char *uts_parse(const char *args, uts_tree *t);
#endif
