// SPDX-License-Identifier: Apache-2.0
// One-sided accumulate (XTQ, section V-C1): all ranks add vectors into a window of rank 0, n of them, of 1 to 500 words
// or of `size` bytes.
#include <stdlib.h>
#include <string.h>

#include "sums.h"

enum { WORDS = 2048 };

static toc_status run(app *a, sums *s, sender *x, uint64_t *want) {
  TRY(sums_open(s, a, 0, WORDS, a->n));
  for (unsigned r = 1; r < a->nodes; r++) TRY(sender_open(&x[r], s, r));
  uint64_t value[SUMS_MOST], begin = toc_now(a->f), link = a->link_bytes, bytes = 0;
  for (uint64_t i = 0; i < a->n; i++) {
    unsigned r = 1 + (unsigned)(i % (a->nodes - 1)), n = 1 + (unsigned)(app_random(a) % SUMS_MOST);
    if (a->size) n = (unsigned)a->size / 8;
    uint64_t at = app_random(a) % (WORDS - n);
    for (unsigned k = 0; k < n; k++) want[at + k] += value[k] = app_random(a);
    TRY(sums_send(&x[r], at, value, n));
    bytes += 8 * n;
    app_step(a, i);
  }
  TRY(sums_wait(s));
  double took = (double)(toc_now(a->f) - begin);
  app_number_add(a, "time of an accumulate", "ns", took / (double)a->n);
  app_number_add(a, "bytes on the link of an accumulate", "B", (double)(a->link_bytes - link) / (double)a->n);
  app_number_add(a, "rate", "B/us", 1000.0 * (double)bytes / took);
  if (memcmp(s->vector, want, WORDS * 8)) app_wrong(a, "the window is not the sum of what was sent");
  app_digest(a, s->vector, WORDS * 8);
  return TOC_OK;
}

toc_status app_accumulate(app *a) {
  sums s = {0};
  sender x[APP_NODES] = {{0}};
  uint64_t *want = calloc(WORDS, 8);
  toc_status e = want ? run(a, &s, x, want) : TOC_E_NOMEM;
  for (unsigned r = 0; r < APP_NODES; r++) sender_close(&x[r]);
  free(want);
  return e;
}
