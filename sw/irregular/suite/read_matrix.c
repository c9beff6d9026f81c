// SPDX-License-Identifier: Apache-2.0
// Matrix Market.
#include <ctype.h>
#include <string.h>

#include "read.h"

typedef struct shape {
  bool pattern, whole, symmetric;
  uint64_t rows, entries, line;  // line: the one that says how many
} shape;

static bool is(read_word w, const char *name) {
  for (int i = 0; i < w.n; i++)
    if (tolower((unsigned char)w.text[i]) != name[i]) return false;  // the name's end differs from all of the word
  return !name[w.n];
}

// The word is none of those that may stand there.
static bool refused(reader *r, const char *may_be, read_word w) {
  char text[READ_SHOWN + 4];
  return read_bad(r, "the header must say %s here, not '%s'", may_be, read_shown(w, text));
}

static bool header(reader *r, shape *s) {
  const char *at = r->text;
  read_word w[5];
  for (unsigned i = 0; i < 5; i++)
    if (!read_word_next(&at, &w[i]))
      return read_bad(r, "the header is %%%%MatrixMarket matrix coordinate FIELD SYMMETRY; this one is too short");
  s->pattern = is(w[3], "pattern");
  s->whole = is(w[3], "integer");
  s->symmetric = is(w[4], "symmetric");
  if (!is(w[0], "%%matrixmarket")) return refused(r, "%%MatrixMarket", w[0]);
  if (!is(w[1], "matrix")) return refused(r, "matrix", w[1]);
  if (!is(w[2], "coordinate")) return refused(r, "coordinate", w[2]);
  if (!s->pattern && !s->whole && !is(w[3], "real")) return refused(r, "pattern, integer or real", w[3]);
  if (!s->symmetric && !is(w[4], "general")) return refused(r, "general or symmetric", w[4]);
  return read_end(r, at);
}

// The next line with something in it that is no comment.
static int data_next(reader *r) {
  int k;
  do k = read_next(r);
  while (k > 0 && *r->text == '%');
  return k;
}

static bool size(reader *r, shape *s) {
  static const char *const what[] = {"number of rows", "number of columns", "number of entries"};
  uint64_t v[3];
  read_word w;
  const int k = data_next(r);
  const char *at = r->text;
  if (k <= 0) return k ? false : read_bad(r, "the file ends before the line ROWS COLUMNS ENTRIES");
  for (unsigned i = 0; i < 3; i++) {
    if (!read_word_next(&at, &w)) return read_bad(r, "the size is ROWS COLUMNS ENTRIES; the %s is missing", what[i]);
    if (!read_whole(r, w, what[i], i < 2, i < 2 ? EDGES_VERTICES : UINT64_MAX, &v[i])) return false;
  }
  if (!read_end(r, at)) return false;
  if (v[0] != v[1])
    return read_bad(r, "a graph's matrix has as many rows as columns, not %llu and %llu", (unsigned long long)v[0],
                    (unsigned long long)v[1]);
  s->rows = v[0];
  s->entries = v[2];
  s->line = r->line;
  return true;
}

static bool entry(reader *r, const shape *s) {
  const char *at = r->text;
  uint64_t row, column;
  double weight = 0;
  read_word w;
  if (!read_word_next(&at, &w) || !read_whole(r, w, "row", 1, s->rows, &row)) return false;
  if (!read_word_next(&at, &w)) return read_bad(r, "an entry has a row and a column; here is no column");
  if (!read_whole(r, w, "column", 1, s->rows, &column)) return false;
  if (s->symmetric && column > row)
    return read_bad(r, "the entry is above the diagonal: a symmetric matrix has only those below");
  if (!s->pattern) {
    if (!read_word_next(&at, &w)) return read_bad(r, "the entry has no value");
    if (!read_real(r, w, s->whole, &weight)) return false;
  }
  return read_end(r, at) && read_edge(r, row - 1, column - 1, weight);
}

bool read_matrix(reader *r) {
  shape s = {0};
  int k;
  if (!header(r, &s) || !size(r, &s)) return false;
  edge_list *l = r->list;
  l->vertices = (uint32_t)s.rows;
  l->directed = !s.symmetric;
  l->weighed = !s.pattern && r->how->weights;
  while ((k = data_next(r)) > 0) {
    if (l->count == s.entries)
      return read_bad(r, "more entries than the %llu that line %llu says", (unsigned long long)s.entries,
                      (unsigned long long)s.line);
    if (!entry(r, &s)) return false;
  }
  if (k < 0) return false;
  if (l->count < s.entries)
    return read_bad(r, "the file ends after %llu of the %llu entries that line %llu says", (unsigned long long)l->count,
                    (unsigned long long)s.entries, (unsigned long long)s.line);
  return true;
}
