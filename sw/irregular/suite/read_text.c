// SPDX-License-Identifier: Apache-2.0
// Edge lists as text.
#include <string.h>

#include "read.h"

static bool vertex(reader *r, const char **at, uint64_t *v) {
  read_word w;
  if (!read_word_next(at, &w)) return read_bad(r, "an edge has two vertices, A B or A B WEIGHT; here is one");
  if (!read_whole(r, w, "vertex", 0, EDGES_VERTICES - 1, v)) return false;
  if (*v >= r->list->vertices) r->list->vertices = (uint32_t)*v + 1;
  return true;
}

// All edges have weights, or none has.
static bool one(reader *r, uint64_t *weighed_since, uint64_t *bare_since) {
  const char *at = r->text;
  uint64_t a, b;
  double weight = 0;
  read_word w;
  if (!vertex(r, &at, &a) || !vertex(r, &at, &b)) return false;
  uint64_t *since = read_word_next(&at, &w) ? weighed_since : bare_since;
  if (!*since) *since = r->line;
  if (*weighed_since && *bare_since)
    return read_bad(r, "this edge has %s weight, that of line %llu has %s", since == weighed_since ? "a" : "no",
                    (unsigned long long)(since == weighed_since ? *bare_since : *weighed_since),
                    since == weighed_since ? "none" : "one");
  if (since == weighed_since && (!read_real(r, w, false, &weight) || !read_end(r, at))) return false;
  if (!r->list->count) r->list->weighed = r->how->weights && since == weighed_since;
  return read_edge(r, a, b, weight);
}

bool read_text(reader *r) {
  uint64_t weighed_since = 0, bare_since = 0;
  int k = 1;
  if (!r->text[strspn(r->text, " \t")]) k = read_next(r);
  for (; k > 0; k = read_next(r))
    if (!strchr("#%", r->text[strspn(r->text, " \t")]) && !one(r, &weighed_since, &bare_since)) return false;
  if (k < 0) return false;
  r->list->directed = r->how->directed;
  if (r->list->count) return true;
  r->line = 0;
  return read_bad(r, "there is no edge in it");
}
