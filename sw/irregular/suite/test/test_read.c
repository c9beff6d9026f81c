// SPDX-License-Identifier: Apache-2.0
// Files: what they may say, what is refused and with which line and reason; and files that were damaged by chance.
#include "read.h"

#include <string.h>

#include "graphs.h"

static reader r;  // of the last file

static bool reads(const char *text, size_t n, read_how how, edge_list *l) {
  FILE *f = fmemopen((void *)(uintptr_t)text, n, "r");
  if (!f) exit(2);
  const bool good = edges_read(&r, f, &how, l);
  fclose(f);
  return good;
}
#define TEXT(t) t, sizeof(t) - 1

// The edges as a line: "0-1 2-0 (3 vertices)".
static bool is(const char *text, read_how how, const char *want, bool directed) {
  edge_list l;
  char got[200] = "";
  size_t n = 0;
  if (!reads(text, strlen(text), how, &l)) {
    printf("  line %" PRIu64 ": %s\n", r.line, r.why);
    return false;
  }
  for (uint64_t i = 0; i < l.count; i++) {
    n += (size_t)snprintf(got + n, sizeof got - n, "%u-%u", l.edge[i].a, l.edge[i].b);
    if (l.weight) n += (size_t)snprintf(got + n, sizeof got - n, ":%g", l.weight[i]);
    n += (size_t)snprintf(got + n, sizeof got - n, " ");
  }
  snprintf(got + n, sizeof got - n, "of %u", l.vertices);
  const bool same = !strcmp(got, want) && l.directed == directed;
  if (!same) printf("  got %s\n", got);
  edges_free(&l);
  return same;
}

static const read_how plain, weights = {.weights = true};
#define MM "%%MatrixMarket matrix coordinate "

static void test_text(void) {
  CHECK(is("0 1\n1 2\n", plain, "0-1 1-2 of 3", false));
  CHECK(is("# a graph\n\n% of mine\r\n \t # more\n0\t1\r\n  5 2  \n", plain, "0-1 5-2 of 6", false));
  CHECK(is("0 1 2.5\n1 0 3", plain, "0-1 1-0 of 2", false));
  CHECK(is("0 1 2.5\n1 0 3e1", weights, "0-1:2.5 1-0:30 of 2", false));
  CHECK(is("0 1\n", weights, "0-1 of 2", false));
  CHECK(is("0 1 1e299\n", weights, "0-1:1e+299 of 2", false));
  CHECK(is("0 1 1e308\n", plain, "0-1 of 2", false));  // where weights do not matter
  CHECK(is("7 7", (read_how){.directed = true}, "7-7 of 8", true));
  CHECK(is("\n\n268435455 0\n", plain, "268435455-0 of 268435456", false));
}

static void test_matrix(void) {
  CHECK(is(MM "pattern general\n3 3 2\n1 2\n3 1\n", plain, "0-1 2-0 of 3", true));
  CHECK(is(MM "pattern symmetric\r\n% c\r\n\r\n%d\r\n 3 3  2 \r\n2 1\r\n3 3\r\n", plain, "1-0 2-2 of 3", false));
  CHECK(is(MM "Integer Symmetric\n3 3 1\n3 1 -7\n", plain, "2-0 of 3", false));

  CHECK(is("%%matrixmarket MATRIX Coordinate Real GENERAL\n3 3 1\n3 1 1.5", weights, "2-0:1.5 of 3", true));
  CHECK(is(MM "integer general\n3 3 1\n3 1 +12\n\n", weights, "2-0:12 of 3", true));
  CHECK(is(MM "pattern general\n5 5 0\n", plain, "of 5", true));
}

static void bad_bytes(const char *text, size_t n, uint64_t line, const char *why) {
  edge_list l;
  const bool good = reads(text, n, weights, &l);
  CHECK(!good);
  EQ(r.line, line);
  if (!strstr(r.why, why)) printf("  said: %s; want: %s\n", r.why, why);
  CHECK(strstr(r.why, why) && !l.edge && !l.weight);
}
static void bad(const char *text, uint64_t line, const char *why) { bad_bytes(text, strlen(text), line, why); }

static void test_bad_text(void) {
  bad("\n \n# nothing\n", 0, "no edge in it");
  bad("0 1\n2\n", 2, "two vertices");
  bad("0 1 2\n\n1 2 3 4\n", 3, "'4' is one word too many");
  bad("0 x\n", 1, "'x' is no vertex");
  bad("0 -1\n", 1, "'-1' is no vertex");
  bad("0 1.5\n", 1, "'1.5' is no vertex");
  bad("0,1\n", 1, "'0,1' is no vertex");
  bad("0 268435456\n", 1, "vertex 268435456 is not from 0 to 268435455");
  bad("18446744073709551616 0\n", 1, "vertex 18446744073709551616 is not from");
  bad("0 1\n99999999999999999999999999999999999999999999999999999999 0", 2, "9999... is not from");
  bad("0 1\n1 2 5\n", 2, "has a weight, that of line 1 has none");
  bad("0 1 5\n#\n1 2\n", 3, "has no weight, that of line 1 has one");
  bad("0 1 five\n", 1, "'five' is no number");
  bad("0 1 inf\n", 1, "'inf' is no number");
  bad("0 1 nan\n", 1, "'nan' is no number");
  bad("0 1 0x10\n", 1, "'0x10' is no number");
  bad("0 1 1e999\n", 1, "'1e999' is no number");
  bad("0 1 1\n0 1 -0.5\n", 2, "-0.5 is negative");
  bad("0 1 1\n0 1 1e300\n", 2, "1e300 is above 1e+299");
  bad("0 1\r0 2\n", 1, "'1?0' is no vertex");
  bad("\xef\xbb\xbf"
      "0 1\n",
      1, "'???0' is no vertex");
  bad_bytes(TEXT("0 1\n0 \0 2\n"), 2, "a zero byte");
  bad_bytes(TEXT("\0"), 1, "a zero byte");
}

static void test_long(void) {
  char text[2 * READ_LINE];
  memset(text, ' ', sizeof text);
  memcpy(text, "0 1\n2 3", 7);
  bad_bytes(text, sizeof text, 2, "longer than 1024 bytes");
  text[4 + READ_LINE] = '\n';  // as long as it may be
  edge_list l;
  CHECK(reads(text, 5 + READ_LINE, plain, &l));
  edges_free(&l);
  memcpy(text + 4 + READ_LINE, "\r\n", 2);
  CHECK(reads(text, 6 + READ_LINE, plain, &l));
  EQ(l.count, 2);
  edges_free(&l);
}

static void test_bad_matrix(void) {
  bad("%%MatrixMarket\n", 1, "too short");
  bad("%%MatrixMarketx matrix coordinate real general\n", 1, "must say %%MatrixMarket here");
  bad("%%MatrixMarket vector coordinate real general\n", 1, "must say matrix here, not 'vector'");
  bad("%%MatrixMarket matrix array real general\n", 1, "must say coordinate here, not 'array'");
  bad("%%MatrixMarket matrix coordinat real general\n", 1, "must say coordinate here");
  bad(MM "complex general\n", 1, "must say pattern, integer or real here, not 'complex'");
  bad(MM "real hermitian\n", 1, "must say general or symmetric here, not 'hermitian'");
  bad(MM "real skew-symmetric\n", 1, "not 'skew-symmetric'");
  bad(MM "real general more\n", 1, "'more' is one word too many");
  bad(MM "real general", 2, "ends before the line ROWS COLUMNS ENTRIES");
  bad(MM "real general\n% only comments\n\n", 4, "ends before the line ROWS");
  bad(MM "real general\n3 3\n", 2, "number of entries is missing");
  bad(MM "real general\n3\n", 2, "number of columns is missing");
  bad(MM "real general\n3 x 3\n", 2, "'x' is no number of columns");
  bad(MM "real general\n0 0 0\n", 2, "number of rows 0 is not from 1");
  bad(MM "real general\n268435457 268435457 1\n", 2, "number of rows 268435457 is not from");
  bad(MM "real general\n3 3 99999999999999999999\n", 2, "number of entries 99999999999999999999 is not from");
  bad(MM "real general\n3 4 1\n", 2, "not 3 and 4");
  bad(MM "real general\n3 3 1 1\n", 2, "one word too many");
  bad(MM "pattern general\n3 3 2\n1 2\n", 4, "ends after 1 of the 2 entries that line 2 says");
  bad(MM "pattern general\n3 3 18446744073709551615\n1 2\n", 4, "ends after 1 of the 18446744073709551615");
  bad(MM "pattern general\n3 3 1\n1 2\n2 3\n", 4, "more entries than the 1 that line 2 says");
  bad(MM "pattern general\n3 3 0\n1 2\n", 3, "more entries than the 0");
  bad(MM "pattern general\n3 3 1\n0 1\n", 3, "row 0 is not from 1 to 3");
  bad(MM "pattern general\n3 3 1\n4 1\n", 3, "row 4 is not from 1 to 3");
  bad(MM "pattern general\n3 3 1\n1 4\n", 3, "column 4 is not from 1 to 3");
  bad(MM "pattern general\n3 3 1\n1\n", 3, "here is no column");
  bad(MM "pattern general\n3 3 1\n1 2 3\n", 3, "one word too many");
  bad(MM "pattern symmetric\n3 3 1\n1 2\n", 3, "above the diagonal");
  bad(MM "real general\n3 3 1\n1 2\n", 3, "has no value");
  bad(MM "real general\n3 3 1\n1 2 x\n", 3, "'x' is no number");
  bad(MM "real general\n3 3 1\n1 2 1 0\n", 3, "'0' is one word too many");
  bad(MM "integer general\n3 3 1\n1 2 1.5\n", 3, "'1.5' is no whole number");
  bad(MM "integer general\n3 3 1\n1 2 -3\n", 3, "-3 is negative");
  bad_bytes(TEXT(MM "pattern general\n3 3 1\n1 \0 2\n"), 3, "a zero byte");
}

static void test_no_text(void) {
  edge_list l;
  FILE *empty = fopen("/dev/null", "r"), *folder = fopen("/", "r");
  if (!empty || !folder) exit(2);
  CHECK(!edges_read(&r, empty, &plain, &l) && !r.line && strstr(r.why, "the file is empty"));
  CHECK(!edges_read(&r, folder, &plain, &l) && !r.line && strstr(r.why, "cannot be read: "));
  fclose(empty);
  fclose(folder);
}

// Whatever the bytes are, the reader ends with a graph whose edges are inside, or with a reason that
// may go to a terminal.
static void test_damaged(void) {
  static const char *const files[] = {
      MM "pattern symmetric\n% c\n9 9 3\n2 1\n3 3\n9 4\n", MM "real general\n4 4 2\n1 2 0.5\n4 4 1e3\n",
      MM "integer general\n4 4 1\n1 2 77\n", "# text\n0 1 2\n5 4 3.5\r\n7 7 0\n", "1 2\n3 4\n100 7\n"};
  static const char some[] = "0123456789 \t\n\r%#.-+eE\0x\x80\xff";
  char text[200];
  edge_list l;
  const char *from = files[below(5)];
  size_t n = strlen(from);
  memcpy(text, from, n);
  for (uint32_t changes = 1 + below(4); changes > 0 && n > 1; changes--) {
    const uint32_t at = below((uint32_t)n);
    switch (below(4)) {
      case 0: text[at] = some[below(sizeof some - 1)]; break;
      case 1: text[at] = (char)below(256); break;
      case 2: memmove(text + at, text + at + 1, n-- - at - 1); break;
      default: memmove(text + at + 1, text + at, n++ - at); text[at] = some[below(sizeof some - 1)];
    }
  }
  if (reads(text, n, (read_how){.weights = below(2), .directed = below(2)}, &l)) {
    bool inside = l.vertices > 0 && (!l.count || !l.weighed == !l.weight);
    for (uint64_t i = 0; i < l.count; i++) inside &= l.edge[i].a < l.vertices && l.edge[i].b < l.vertices;
    if (!inside) printf("  of %.*s\n", (int)n, text);
    CHECK(inside);
    edges_free(&l);
  } else {
    bool clean = *r.why && !l.edge;
    for (const char *c = r.why; *c; c++) clean &= *c >= ' ' && *c <= '~';
    CHECK(clean);
  }
}

int main(void) {
  test_text();
  test_matrix();
  test_bad_text();
  test_long();
  test_bad_matrix();
  test_no_text();
  for (unsigned i = 0; i < 100000; i++) test_damaged();
  return report();
}
