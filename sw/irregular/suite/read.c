// SPDX-License-Identifier: Apache-2.0
#include "read.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool read_bad(reader *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(r->why, sizeof r->why, fmt, ap);
  va_end(ap);
  return false;
}

// One line: 1, 0 at the end of the file, -1.
static int line_next(reader *r) {
  size_t n = 0;
  int c;
  errno = 0;
  r->line++;
  while ((c = getc(r->f)) != EOF && c != '\n') {
    if (!c) return read_bad(r, "a zero byte: this is no text") - 1;
    if (n > READ_LINE || (n == READ_LINE && c != '\r'))  // that may be the end's
      return read_bad(r, "the line is longer than %d bytes", READ_LINE) - 1;
    r->text[n++] = (char)c;
  }
  if (ferror(r->f)) {
    r->line = 0;
    return read_bad(r, "cannot be read: %s", strerror(errno)) - 1;
  }
  if (c == EOF && !n) return 0;
  if (n && r->text[n - 1] == '\r') n--;
  r->text[n] = 0;
  return 1;
}

int read_next(reader *r) {
  int k;
  do k = line_next(r);
  while (k > 0 && !r->text[strspn(r->text, " \t")]);
  return k;
}

bool read_word_next(const char **at, read_word *w) {
  w->text = *at + strspn(*at, " \t");
  w->n = (int)strcspn(w->text, " \t");
  *at = w->text + w->n;
  return w->n;
}

const char *read_shown(read_word w, char text[READ_SHOWN + 4]) {
  int n = 0;
  for (; n < w.n && n < READ_SHOWN; n++) text[n] = isprint((unsigned char)w.text[n]) ? w.text[n] : '?';
  strcpy(text + n, n < w.n ? "..." : "");
  return text;
}

bool read_whole(reader *r, read_word w, const char *what, uint64_t least, uint64_t most, uint64_t *value) {
  char text[READ_SHOWN + 4];
  uint64_t v = 0;
  int i = 0;
  bool large = false;
  for (; i < w.n && isdigit((unsigned char)w.text[i]); i++) {
    const unsigned digit = (unsigned)(w.text[i] - '0');
    large |= v > (UINT64_MAX - digit) / 10;
    v = 10 * v + digit;
  }
  if (!w.n || i < w.n) return read_bad(r, "'%s' is no %s: a whole number of 0 or more is", read_shown(w, text), what);
  if (large || v < least || v > most)
    return read_bad(r, "%s %s is not from %llu to %llu", what, read_shown(w, text), (unsigned long long)least,
                    (unsigned long long)most);
  *value = v;
  return true;
}

bool read_real(reader *r, read_word w, bool whole, double *value) {
  char text[READ_SHOWN + 4], *end;
  *value = strtod(w.text, &end) + 0.0;  // so that there is one zero only
  const bool digits = (int)strspn(w.text, whole ? "+-0123456789" : "+-.0123456789eE") >= w.n;
  if (!w.n || !digits || end != w.text + w.n || !isfinite(*value))
    return read_bad(r, "'%s' is no %s that a weight can be", read_shown(w, text), whole ? "whole number" : "number");
  if (r->how->weights && *value < 0)
    return read_bad(r, "the weight %s is negative: there may be no shortest paths", read_shown(w, text));
  if (r->how->weights && *value > READ_WEIGHT)
    return read_bad(r, "the weight %s is above %g: a path's sum may be no number", read_shown(w, text), READ_WEIGHT);
  return true;
}

bool read_end(reader *r, const char *at) {
  char text[READ_SHOWN + 4];
  read_word w;
  return !read_word_next(&at, &w) || read_bad(r, "'%s' is one word too many", read_shown(w, text));
}

bool read_edge(reader *r, uint64_t a, uint64_t b, double weight) {
  return edges_add(r->list, (edge){(uint32_t)a, (uint32_t)b}, weight) ||
         read_bad(r, "no memory for more than %llu edges", (unsigned long long)r->list->count);
}

bool edges_read(reader *r, FILE *f, const read_how *how, edge_list *l) {
  static const char banner[] = "%%MatrixMarket";
  *r = (reader){.f = f, .how = how, .list = l};
  *l = (edge_list){0};
  const int k = line_next(r);
  bool good = false;
  if (!k) {
    r->line = 0;
    read_bad(r, "the file is empty");
  } else if (k > 0) {
    good = strncasecmp(r->text, banner, sizeof banner - 1) ? read_text(r) : read_matrix(r);
  }
  if (!good) edges_free(l);
  return good;
}
