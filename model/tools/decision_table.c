// SPDX-License-Identifier: Apache-2.0
// Prints the table of design decisions as Markdown, from the function by which the model decides. Rows of one operation
// do not overlap and together cover all 128 combinations of the leaf's bits; "-" stands for both values.
#include <stdio.h>
#include <string.h>

#include "tocsin/aa_decide.h"

enum { BITS = 7, CUBES = 2187 };  // 3^7: each bit 0, 1 or either

// Columns in the order in which the table shows them.
static const unsigned column[BITS] = {AA_LEAF_R,  AA_LEAF_W,   AA_LEAF_WL, AA_LEAF_WLD,
                                      AA_LEAF_RL, AA_LEAF_RLD, AA_LEAF_E};
static const char *const op_name[AA_OP_NUM] = {"write", "read", "zero-length write", "zero-length read", "atomic"};

typedef struct {
  int rows;   // of the smallest tree of tests, 0 = not known yet
  int split;  // column that it tests first, -1: all the same
} node;

static unsigned power3(int n) { return n == 0 ? 1 : 3 * power3(n - 1); }
static unsigned digit(unsigned cube, int col) { return cube / power3(col) % 3; }
static unsigned with(unsigned cube, int col, unsigned value) { return cube + (value - 2) * power3(col); }

static const node *solve(aa_op op, unsigned cube, node *memo) {
  node *n = &memo[cube];
  int best = 0, split = -1;
  int first = -1, same = 1;
  if (n->rows) return n;
  for (unsigned bits = 0; bits < 128; bits++) {
    int in = 1;
    for (int c = 0; c < BITS; c++) in &= digit(cube, c) == 2 || digit(cube, c) == !!(bits & column[c]);
    if (!in) continue;
    if (first < 0) first = aa_decide_rule(op, bits);
    same &= first == aa_decide_rule(op, bits);
  }
  for (int c = 0; c < BITS && !same; c++)
    if (digit(cube, c) == 2) {
      int rows = solve(op, with(cube, c, 0), memo)->rows + solve(op, with(cube, c, 1), memo)->rows;
      if (!best || rows < best) best = rows, split = c;
    }
  n->rows = same ? 1 : best;
  n->split = split;
  return n;
}

static void print(aa_op op, unsigned cube, node *memo) {
  const node *n = solve(op, cube, memo);
  if (n->split >= 0) {
    print(op, with(cube, n->split, 0), memo);
    print(op, with(cube, n->split, 1), memo);
    return;
  }
  unsigned bits = 0;
  printf("| %s ", op_name[op]);
  for (int c = 0; c < BITS; c++) {
    printf("| %c ", "01-"[digit(cube, c)]);
    bits |= digit(cube, c) == 1 ? column[c] : 0;
  }
  unsigned r = aa_decide_rule(op, bits);
  int posted = op == AA_OP_WRITE || op == AA_OP_ZERO_WRITE;
  const char *memory = r & AA_RULE_ALLOWED ? "done" : posted ? "dropped" : "UR";
  const char *record = r & AA_RULE_LOG      ? r & AA_RULE_ALLOWED ? "access log" : "access log, denied"
                       : r & AA_RULE_STOCK  ? "stock A0h"
                       : r & AA_RULE_FAULT5 ? "stock fault 5"
                       : r & AA_RULE_FAULT6 ? "stock fault 6"
                                            : "none";
  const char *data = r & AA_RULE_DATA_PUT ? "of the request" : r & AA_RULE_DATA_GET ? "of the completion" : "-";
  printf("| %s | %s | %s | %s |\n", r & AA_RULE_ALLOWED ? "yes" : "no", memory, record, data);
}

int main(void) {
  puts("| operation | R | W | WL | WLD | RL | RLD | E | allowed | memory | record | data |");
  puts("|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (unsigned op = 0; op < AA_OP_NUM; op++) {
    static node memo[CUBES];
    memset(memo, 0, sizeof memo);
    print((aa_op)op, CUBES - 1, memo);
  }
  return 0;
}
