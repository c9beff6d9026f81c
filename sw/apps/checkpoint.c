// SPDX-License-Identifier: Apache-2.0
// Incremental checkpoints (Active Access, section 4.3): the memory of rank 0 is saved every now and then while others put into it.
// At the end it crashes and is what it was at the last checkpoint.
//
//   active   pages say "count" for puts; a checkpoint saves the pages in the dirty bitmap that comes of it
//   naive    every checkpoint saves all pages
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "dirty.h"

enum { PAGES = 256, PAGE = 4096, ROUNDS = 8 };

typedef struct state {
  uint8_t *memory, *saved;
  dirty *d;
  uint64_t pages, scanned;
} state;

static toc_status save(app *a, state *s) {
  uint64_t map[PAGES / 64];
  memset(map, 0xFF, sizeof map);
  s->scanned += PAGES;
  if (!a->naive) {
    uint64_t seen[PAGES / 64];
    TRY(dirty_get(s->d, seen, false));
    TRY(dirty_get(s->d, map, true));
    if (memcmp(seen, map, sizeof map)) app_wrong(a, "a page was clean a moment ago");
  }
  for (unsigned i = 0; i < PAGES; i++)
    if (map[i / 64] >> i % 64 & 1) {
      memcpy(s->saved + i * PAGE, s->memory + i * PAGE, PAGE);
      s->pages++;
    }
  if (memcmp(s->saved, s->memory, PAGES * PAGE)) app_wrong(a, "a checkpoint is not what memory was");
  return TOC_OK;
}

static toc_status run(app *a, state *s) {
  unsigned rw = TOC_READ | TOC_WRITE;
  toc_remote to, flush;
  app_lane lane[APP_NODES];
  TRY(toc_alloc(a->p[0], PAGES * PAGE, rw, (void **)&s->memory));
  TRY(toc_expose(a->p[0], s->memory, PAGES * PAGE, rw, &to));
  if (!a->naive) TRY(dirty_open(a->p[0], s->memory, PAGES * PAGE, &s->d, &flush));
  for (unsigned r = 1; r < a->nodes; r++) TRY(app_lane_open(&lane[r], a->qp[r][0], 8, 256));
  toc_status e = TOC_OK;
  uint64_t begin = toc_now(a->f);
  for (uint64_t i = 0; !e && i < a->n; i++) {
    unsigned r = 1 + (unsigned)(i % (a->nodes - 1)), page = (unsigned)(app_random(a) % 1000);
    page = page < 900 ? page % 24 : page % PAGES;  // most puts go where others went
    uint32_t bytes = 8 + (uint32_t)(app_random(a) % 31) * 8, at = (uint32_t)(app_random(a) % (PAGE / 256)) * 256;
    void *slot;
    toc_req *req;
    e = app_lane_slot(&lane[r], &slot, &req);
    for (uint32_t k = 0; !e && k < bytes; k += 8) ((uint64_t *)slot)[k / 8] = app_random(a);
    // two initiators must not race for the same bytes, or the result would depend on who is first
    if (!e) e = toc_put(a->qp[r][0], slot, toc_at(to, page * PAGE + at), bytes, req);
    if (!e && a->nodes > 2) e = app_lane_drain(&lane[r]);
    if (!e && (i + 1) % (a->n / ROUNDS ? a->n / ROUNDS : 1) == 0) {
      for (unsigned k = 1; !e && k < a->nodes; k++) e = app_lane_drain(&lane[k]);
      for (unsigned k = 1; !e && !a->naive && k < a->nodes; k++) e = toc_flush(a->qp[k][0], flush, 0);
      if (!e) e = save(a, s);
      app_digest(a, s->saved, PAGES * PAGE);
    }
    app_step(a, i);
  }
  for (unsigned r = 1; r < a->nodes; r++) app_lane_close(&lane[r]);
  app_number_add(a, "time of a put", "ns", (double)(toc_now(a->f) - begin) / (double)a->n);
  memset(s->memory, 0xDB, PAGES * PAGE);      // the crash,
  memcpy(s->memory, s->saved, PAGES * PAGE);  // and the restart
  app_digest(a, s->memory, PAGES * PAGE);
  app_number_add(a, "pages saved", "", (double)s->pages);
  app_number_add(a, "of all", "%", 100.0 * (double)s->pages / (double)(s->scanned ? s->scanned : 1));
  // What it costs to know the dirty pages; the naive version does without, a scan of dirty bits would have looked at as many entries.
  app_number_add(a, "looked at", a->naive ? "page-table entries" : "records",
                 (double)(a->naive ? s->scanned : dirty_records(s->d)));
  return e;
}

toc_status app_checkpoint(app *a) {
  state s = {.saved = calloc(PAGES, PAGE)};
  if (!s.saved) return TOC_E_NOMEM;
  toc_status e = run(a, &s);
  toc_status c = s.d ? dirty_close(s.d) : TOC_OK;
  free(s.saved);
  return e ? e : c;
}
