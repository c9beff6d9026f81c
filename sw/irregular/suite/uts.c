// SPDX-License-Identifier: Apache-2.0
#include "uts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mix.h"

static uint32_t word(const uint8_t *b) {
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}

// SHA-1 of `head` and a number behind it.
static void grow(const uint8_t *head, size_t n, uint32_t number, uint8_t *state) {
  uint8_t text[SHA1_BYTES + 4];
  memcpy(text, head, n);
  for (unsigned i = 0; i < 4; i++) text[n + i] = (uint8_t)(number >> (24 - 8 * i));
  sha1(text, n + 4, state);
}

void uts_root(const uts_tree *t, uts_node *root) {
  static const uint8_t zero[16];
  root->depth = 0;
  grow(zero, sizeof zero, t->seed, root->state);
}

void uts_child(const uts_node *parent, unsigned i, uts_node *child) {
  child->depth = parent->depth + 1;
  grow(parent->state, SHA1_BYTES, i, child->state);
}

// A number below 1 of the node.
static double drawn(const uts_node *n) { return (word(n->state + 16) & 0x7fffffff) / 2147483648.0; }

static double mean(const uts_tree *t, uint32_t depth) {
  const double d = depth, all = t->depth, pi = 3.141592653589793;
  if (!depth) return t->root;
  switch (t->shape) {
    case UTS_LINEAR: return t->root * (1.0 - d / all);
    case UTS_EXPDEC: return t->root * pow(d, -log(t->root) / log(all));
    case UTS_CYCLIC: return d > 5 * all ? 0.0 : pow(t->root, sin(2.0 * pi * d / all));
    default: return d < all ? t->root : 0.0;
  }
}

static unsigned capped(double children) {
  return !(children > 0) ? 0 : children < UTS_CHILDREN ? (unsigned)children : UTS_CHILDREN;
}

static unsigned geometric(const uts_tree *t, const uts_node *n) {
  const double p = 1.0 / (1.0 + mean(t, n->depth));
  return capped(floor(log(1.0 - drawn(n)) / log(1.0 - p)));
}

static unsigned binomial(const uts_tree *t, const uts_node *n) {
  if (!n->depth) return (unsigned)t->root;
  return drawn(n) < t->q ? capped(t->m) : 0;
}

unsigned uts_children(const uts_tree *t, const uts_node *n) {
  switch (t->kind) {
    case UTS_BINOMIAL: return binomial(t, n);
    case UTS_GEOMETRIC: return geometric(t, n);
    default: return n->depth < t->shift * t->depth ? geometric(t, n) : binomial(t, n);
  }
}

void uts_see(uts_count *c, const uts_node *n, unsigned children) {
  uint64_t bits;
  memcpy(&bits, n->state, sizeof bits);
  c->nodes++;
  c->leaves += !children;
  if (n->depth > c->depth) c->depth = n->depth;
  c->digest += app_mix(bits ^ n->depth);
}

void uts_add(uts_count *c, const uts_count *part) {
  c->nodes += part->nodes;
  c->leaves += part->leaves;
  c->digest += part->digest;
  if (part->depth > c->depth) c->depth = part->depth;
}

bool uts_walk(const uts_tree *t, uts_count *c) {
  size_t room = 1024, n = 1;
  uts_node *left = malloc(room * sizeof *left);
  *c = (uts_count){0};
  if (!left) return false;
  uts_root(t, left);
  while (n) {
    const uts_node here = left[--n];
    const unsigned children = uts_children(t, &here);
    uts_see(c, &here, children);
    if (room < n + children) {
      while (room < n + children) room *= 2;
      uts_node *more = realloc(left, room * sizeof *left);
      if (!more) break;
      left = more;
    }
    for (unsigned i = children; i-- > 0;) uts_child(&here, i, &left[n++]);  // the first child is the next to be taken
  }
  free(left);
  return !n;
}
