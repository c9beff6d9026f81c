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

enum { PAGES = 256, PAGE = 4096, UNIT = 256, UNITS = PAGES * PAGE / UNIT, ROUNDS = 8 };

typedef struct state {
  uint8_t *memory, *saved;
  dirty *d;
  uint64_t pages, scanned, puts;
  toc_remote to, flush;
  app_lane lane[APP_NODES];
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

// Two initiators must not race for the same bytes, or the result would depend on who is first: each has units of its own.
static uint64_t unit_of(const app *a, unsigned r, uint64_t unit) {
  const uint64_t others = a->nodes - 1;
  unit = unit / others * others + r - 1;
  return unit < UNITS ? unit : unit - others;
}

static toc_status set_up(app *a, state *s) {
  unsigned rw = TOC_READ | TOC_WRITE;
  for (unsigned r = 1; r < a->nodes; r++)
    if (app_plays(a, r)) TRY(app_lane_open(&s->lane[r], a->qp[r][0], 8, UNIT));
  if (app_plays(a, 0)) {
    TRY(toc_alloc(a->p[0], PAGES * PAGE, rw, (void **)&s->memory));
    TRY(toc_expose(a->p[0], s->memory, PAGES * PAGE, rw, &s->to));
    if (!a->naive) TRY(dirty_open(a->p[0], s->memory, PAGES * PAGE, &s->d, &s->flush));
  }
  TRY(app_tell(a, 0, &s->to, sizeof s->to));
  return app_tell(a, 0, &s->flush, sizeof s->flush);
}

static toc_status put(app *a, state *s) {
  unsigned r = 1 + (unsigned)(s->puts++ % (a->nodes - 1)), page = (unsigned)(app_random(a) % 1000);
  page = page < 900 ? page % 24 : page % PAGES;  // most puts go where others went
  uint32_t words = 1 + (uint32_t)(app_random(a) % 31);
  uint64_t unit = unit_of(a, r, page * (PAGE / UNIT) + app_random(a) % (PAGE / UNIT)), value[UNIT / 8];
  for (uint32_t k = 0; k < words; k++) value[k] = app_random(a);
  if (!app_plays(a, r)) return TOC_OK;
  void *slot;
  toc_req *req;
  TRY(app_lane_slot(&s->lane[r], &slot, &req));
  memcpy(slot, value, 8 * words);
  return toc_put(a->qp[r][0], slot, toc_at(s->to, unit * UNIT), 8 * words, req);
}

// All that was put so far has come.
static toc_status settle(app *a, state *s) {
  for (unsigned r = 1; r < a->nodes; r++) {
    if (!app_plays(a, r)) continue;
    TRY(app_lane_drain(&s->lane[r]));
    if (!a->naive) TRY(toc_flush(a->qp[r][0], s->flush, 0));
  }
  return app_together(a);
}

static toc_status checkpoint(app *a, state *s) {
  TRY(settle(a, s));
  if (app_plays(a, 0)) {
    TRY(save(a, s));
    app_digest(a, s->saved, PAGES * PAGE);
  }
  return app_together(a);
}

static toc_status run(app *a, state *s) {
  TRY(set_up(a, s));
  uint64_t begin = toc_now(a->f);
  for (uint64_t i = 0; i < a->n; i++) {
    TRY(put(a, s));
    if ((i + 1) % (a->n / ROUNDS ? a->n / ROUNDS : 1) == 0) TRY(checkpoint(a, s));
    app_step(a, i);
  }
  TRY(settle(a, s));
  app_number_add(a, "time of a put", "ns", (double)(toc_now(a->f) - begin) / (double)a->n);
  if (!app_plays(a, 0)) return TOC_OK;
  memset(s->memory, 0xDB, PAGES * PAGE);      // the crash,
  memcpy(s->memory, s->saved, PAGES * PAGE);  // and the restart
  app_digest(a, s->memory, PAGES * PAGE);
  app_number_add(a, "pages saved", "", (double)s->pages);
  app_number_add(a, "of all", "%", 100.0 * (double)s->pages / (double)(s->scanned ? s->scanned : 1));
  // What it costs to know the dirty pages; the naive version does without, a scan of dirty bits would have looked at as many entries.
  app_number_add(a, "looked at", a->naive ? "page-table entries" : "records",
                 (double)(a->naive ? s->scanned : dirty_records(s->d)));
  return TOC_OK;
}

toc_status app_checkpoint(app *a) {
  state s = {.saved = calloc(PAGES, PAGE)};
  if (!s.saved) return TOC_E_NOMEM;
  toc_status e = run(a, &s);
  toc_status c = s.d ? dirty_close(s.d) : TOC_OK;
  for (unsigned r = 0; r < APP_NODES; r++) app_lane_close(&s.lane[r]);
  free(s.saved);
  return e ? e : c;
}
