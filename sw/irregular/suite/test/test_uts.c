// SPDX-License-Identifier: Apache-2.0
// Trees: SHA-1 by its own known answers, trees by those that are published and by small ones that
// were counted elsewhere.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "uts.h"

static void hashes(const char *text, size_t n, const char *want) {
  uint8_t digest[SHA1_BYTES];
  char got[2 * SHA1_BYTES + 1];
  sha1((const uint8_t *)text, n, digest);
  for (unsigned i = 0; i < SHA1_BYTES; i++) snprintf(got + 2 * i, 3, "%02x", digest[i]);
  CHECK(!strcmp(got, want));
}

static void test_sha1(void) {
  char *many = malloc(1000000);
  if (!many) exit(2);
  memset(many, 'a', 1000000);
  hashes("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  hashes("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
  hashes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  hashes(many, 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
  free(many);
}

static void test_root(void) {
  static const uint8_t want[] = {0xc6, 0x98, 0x8a, 0xb7, 0x0c, 0xc9, 0x55, 0x9a, 0xe4, 0xd6,
                                 0xcb, 0xa2, 0x54, 0xe2, 0x9a, 0x84, 0x5a, 0x85, 0xf8, 0x6b};
  uts_node root;
  uts_root(&uts_named("T1")->tree, &root);
  CHECK(!memcmp(root.state, want, sizeof want));
  EQ(root.depth, 0);
}

static void counted(const uts_tree *t, uint64_t nodes, uint64_t leaves, uint64_t depth) {
  uts_count c;
  CHECK(uts_walk(t, &c));
  EQ(c.nodes, nodes);
  EQ(c.leaves, leaves);
  if (depth) EQ(c.depth, depth);
}

static void test_small(void) {
  static const uint64_t of_depth[][2] = {{65, 59},       {254, 201},     {944, 744},      {3987, 3232},
                                         {16000, 12839}, {63914, 51124}, {257042, 205878}};
  for (unsigned d = 2; d <= 8; d++) {
    uts_tree t = uts_named("T1")->tree;
    t.depth = d;
    counted(&t, of_depth[d - 2][0], of_depth[d - 2][1], d);
  }
  uts_tree t = uts_named("T3")->tree;
  t.root = 10;
  counted(&t, 6123, 5358, 67);
  t.root = 50;
  counted(&t, 6531, 5720, 67);
  t.root = 200;
  counted(&t, 2745281, 2402145, 1572);
}

// Every kind and shape of tree has a published one of 4 million nodes, but EXPDEC.
static void test_published(void) {
  static const char *const names[] = {"T1", "T2", "T3", "T4", "T5"};
  for (unsigned i = 0; i < 5; i++) {
    const uts_known *k = uts_named(names[i]);
    counted(&k->tree, k->nodes, k->leaves, k->depth);
  }
  CHECK(!uts_named("T6"));
}

// An EXPDEC tree's mean number of children falls to 1 at its depth; both ways to the formula agree on small trees.
static void test_expdec(void) {
  uts_tree t;
  uts_count c;
  CHECK(!uts_parse("-t 1 -a 1 -d 6 -b 3 -r 7", &t));
  CHECK(uts_walk(&t, &c));
  CHECK(c.nodes > 6 && c.leaves < c.nodes && c.depth > 2);
  t.root = 1;  // then it is 1 everywhere, as FIXED has it above its depth
  uts_tree fixed = t;
  fixed.shape = UTS_FIXED;
  fixed.depth = 1000000;
  uts_count d;
  CHECK(uts_walk(&t, &c) && uts_walk(&fixed, &d));
  EQ(c.nodes, d.nodes);
  EQ(c.digest, d.digest);
}

// However lucky a node is, it has 100 children at most; the root of a binomial tree has what it is said to have.
static void test_most(void) {
  uts_tree t;
  uts_node lucky = {.depth = 1}, root = {.depth = 0};
  memset(lucky.state, 0xff, sizeof lucky.state);
  CHECK(!uts_parse("-t 1 -a 3 -d 10 -b 100", &t));
  EQ(uts_children(&t, &lucky), 100);
  lucky.depth = 10;  // a leaf, by its depth
  EQ(uts_children(&t, &lucky), 0);
  CHECK(!uts_parse("-t 0 -b 2000.5 -q 0.009 -m 100", &t));
  EQ(uts_children(&t, &root), 2000);
  root.depth = 1;  // it draws 0, which is below q
  EQ(uts_children(&t, &root), 100);
}

// Subtrees that are walked by others add up to the whole.
static void below(const uts_tree *t, const uts_node *n, uts_count *c) {
  const unsigned children = uts_children(t, n);
  uts_see(c, n, children);
  for (unsigned i = 0; i < children; i++) {
    uts_node child;
    uts_child(n, i, &child);
    below(t, &child, c);
  }
}
static void test_parts(void) {
  uts_tree t = uts_named("T1")->tree;
  uts_count whole, sum = {0};
  uts_node root, child;
  t.depth = 7;
  CHECK(uts_walk(&t, &whole));
  uts_root(&t, &root);
  const unsigned n = uts_children(&t, &root);
  for (unsigned i = n; i-- > 0;) {
    uts_count part = {0};
    uts_child(&root, i, &child);
    below(&t, &child, &part);
    uts_add(&sum, &part);
  }
  uts_see(&sum, &root, n);
  CHECK(!memcmp(&sum, &whole, sizeof sum));
  t.seed++;
  uts_count other;
  CHECK(uts_walk(&t, &other) && other.digest != whole.digest);
}

static void test_parse(void) {
  uts_tree t;
  CHECK(!uts_parse("-t 0 -b 2000 -q 0.124875 -m 8 -r 42", &t));
  counted(&t, 4112897, 3599034, 1572);
  CHECK(!uts_parse("  -t1 -a3 -d 3  ", &t));
  counted(&t, 254, 201, 3);
  static const char *const bad[][2] = {{"-t 3", "-t is"},
                                       {"-t", "-t is"},
                                       {"-t one", "-t is"},
                                       {"-a 1.5", "-a is"},
                                       {"-d 0", "-d is"},
                                       {"-d 1e300", "-d is"},
                                       {"-b nan", "-b is"},
                                       {"-b 0", "-b is"},
                                       {"-q 1e-400", "-q is"},
                                       {"-q -1", "-q is"},
                                       {"-m 101", "-m is"},
                                       {"-f 2", "-f is"},
                                       {"-r 4294967296", "-r is"},
                                       {"-r 1x", "-r is"},
                                       {"-x 1", "only -t"},
                                       {"T1", "only -t"},
                                       {"-", "only -t"},
                                       {"-t 0 -q 0.5 -m 2", "may never end"},
                                       {"-t 2 -q 0.5 -m 2", "may never end"},
                                       {"-t 1 -b 101", "1 to 100"},
                                       {"-t 1 -a 1 -d 1", "EXPDEC"}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *why = uts_parse(bad[i][0], &t);
    CHECK(why && strstr(why, bad[i][1]));
  }
}

int main(void) {
  test_sha1();
  test_root();
  test_small();
  test_published();
  test_expdec();
  test_most();
  test_parts();
  test_parse();
  return report();
}
