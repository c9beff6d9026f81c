// SPDX-License-Identifier: Apache-2.0
// One-sided accumulate (XTQ, section V-C1): all ranks add vectors into a window of rank 0, n of them, of 1 to 500 words
// or of `size` bytes.
#include <stdlib.h>
#include <string.h>

#include "sums.h"

enum { WORDS = 2048 };

static toc_status run(app *a, sums *s, uint64_t *want) {
  TRY(sums_open(s, a, 1, &(uint64_t){WORDS}, &a->n));
  uint64_t value[SUMS_MOST], begin = toc_now(a->f), link = a->link_bytes, bytes = 0;
  for (uint64_t i = 0; i < a->n; i++) {
    unsigned r = 1 + (unsigned)(i % (a->nodes - 1)), n = 1 + (unsigned)(app_random(a) % SUMS_MOST);
    if (a->size) n = (unsigned)a->size / 8;
    uint64_t at = app_random(a) % (WORDS - n);
    for (unsigned k = 0; k < n; k++) want[at + k] += value[k] = app_random(a);
    bytes += 8 * n;
    if (!app_plays(a, r)) continue;
    TRY(sums_send(s, r, 0, at, value, n));
    app_step(a, i);
  }
  TRY(sums_wait(s));
  TRY(app_together(a));
  double took = (double)(toc_now(a->f) - begin);
  link = a->link_bytes - link;
  TRY(app_sum(a, &link, 1));
  app_number_add(a, "time of an accumulate", "ns", took / (double)a->n);
  app_number_add(a, "bytes on the link of an accumulate", "B", (double)link / (double)a->n);
  app_number_add(a, "rate", "B/us", 1000.0 * (double)bytes / took);
  if (!app_plays(a, 0)) return TOC_OK;
  if (memcmp(s->of[0].vector, want, WORDS * 8)) app_wrong(a, "the window is not the sum of what was sent");
  app_digest(a, s->of[0].vector, WORDS * 8);
  return TOC_OK;
}

toc_status app_accumulate(app *a) {
  sums s = {0};
  uint64_t *want = calloc(WORDS, 8);
  toc_status e = want ? run(a, &s, want) : TOC_E_NOMEM;
  sums_close(&s);
  free(want);
  return e;
}
