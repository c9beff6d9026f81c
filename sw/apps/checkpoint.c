// SPDX-License-Identifier: Apache-2.0
// Incremental checkpoints (Active Access, section 4.3): the memory of rank 0 is saved every now and then while others
// put into it, and rank 0 writes to it itself. At the end it crashes and is what it was at the last checkpoint.
//
//   active   pages say "count" for puts; a checkpoint saves the pages in the dirty bitmap that comes of it, and those
//            that the kernel says its own CPU has written (cpu_writes.h; TOCSIN_CPU_WRITES=userfaultfd, soft-dirty,
//            faults or everything: in that way)
//   naive    every checkpoint saves all pages
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "cpu_writes.h"
#include "dirty.h"

enum { PAGES = 256, PAGE = 4096, UNIT = 256, UNITS = PAGES * PAGE / UNIT, ROUNDS = 8 };

typedef struct state {
  uint8_t *memory, *saved;
  void *view;  // memory, for the CPU; NULL: it has no address of its own
  dirty *d;
  cpu_writes *w;
  uint64_t pages, scanned, puts, by_put, by_cpu;
  toc_remote to, flush;
  app_lane lane[APP_NODES];
} state;

// Pages that have been written by either.
static toc_status find(app *a, state *s, uint64_t *map) {
  uint64_t seen[PAGES / 64], cpu[PAGES / 64];
  TRY(dirty_get(s->d, seen, false));
  TRY(dirty_get(s->d, map, true));
  TRY(cpu_writes_get(s->w, cpu));
  if (memcmp(seen, map, sizeof seen)) app_wrong(a, "a page was clean a moment ago");
  for (unsigned i = 0; i < PAGES / 64; i++) {
    s->by_put += (uint64_t)__builtin_popcountll(map[i]);
    s->by_cpu += (uint64_t)__builtin_popcountll(cpu[i]);
    map[i] |= cpu[i];
  }
  return TOC_OK;
}

static toc_status save(app *a, state *s) {
  uint64_t map[PAGES / 64];
  memset(map, 0xFF, sizeof map);
  s->scanned += PAGES;
  if (!a->naive) TRY(find(a, s, map));
  for (unsigned i = 0; i < PAGES; i++)
    if (map[i / 64] >> i % 64 & 1) {
      memcpy(s->saved + i * PAGE, s->memory + i * PAGE, PAGE);
      s->pages++;
    }
  if (memcmp(s->saved, s->memory, PAGES * PAGE)) app_wrong(a, "a checkpoint is not what memory was");
  return TOC_OK;
}

// Two who write must not race for the same bytes, or the result would depend on who is first: each
// has units of its own.
static uint64_t unit_of(const app *a, unsigned r, uint64_t unit) {
  unit = unit / a->nodes * a->nodes + r;
  return unit < UNITS ? unit : unit - a->nodes;
}

// The device of a backend in this process writes by the same page tables as the CPU, unless the CPU has another
// address for the memory.
static toc_status watch(app *a, state *s) {
  const char *backend = a->open.backend ? a->open.backend : "model", *name = getenv("TOCSIN_CPU_WRITES");
  cpu_way way = name ? cpu_way_named(name) : CPU_WAYS;
  if (name && way == CPU_WAYS) {
    app_wrong(a, "TOCSIN_CPU_WRITES=%s: no such way; userfaultfd, soft-dirty, faults, everything", name);
    return TOC_E_ARG;
  }
  if (!strcmp(backend, "model") || !strcmp(backend, "rtl")) TRY(cpu_view_open(s->memory, PAGES * PAGE, &s->view));
  toc_status e = cpu_writes_open(s->view ? s->view : s->memory, PAGES * PAGE, way, &s->w);
  if (e == TOC_E_SUPPORT) app_wrong(a, "TOCSIN_CPU_WRITES=%s: this kernel has it not for this memory", name);
  return e;
}

static toc_status set_up(app *a, state *s) {
  unsigned rw = TOC_READ | TOC_WRITE;
  for (unsigned r = 1; r < a->nodes; r++)
    if (app_plays(a, r)) TRY(app_lane_open(&s->lane[r], a->qp[r][0], 8, UNIT));
  if (app_plays(a, 0)) {
    TRY(toc_alloc(a->p[0], PAGES * PAGE, rw, (void **)&s->memory));
    TRY(toc_expose(a->p[0], s->memory, PAGES * PAGE, rw, &s->to));
    if (!a->naive) {
      TRY(watch(a, s));
      TRY(dirty_open(a->p[0], s->memory, PAGES * PAGE, &s->d, &s->flush));
    }
  }
  TRY(app_tell(a, 0, &s->to, sizeof s->to));
  return app_tell(a, 0, &s->flush, sizeof s->flush);
}

// What rank r writes, and where: most goes where others went, the CPU's elsewhere than that of puts.
static uint64_t draw(app *a, unsigned r, uint32_t *words, uint64_t *value) {
  unsigned page = (unsigned)(app_random(a) % 1000);
  page = (page < 900 ? page % 24 : page) + (r ? 0 : 16);
  *words = 1 + (uint32_t)(app_random(a) % 31);
  uint64_t unit = unit_of(a, r, page % PAGES * (PAGE / UNIT) + app_random(a) % (PAGE / UNIT));
  for (uint32_t k = 0; k < *words; k++) value[k] = app_random(a);
  return unit;
}

static void store(app *a, state *s) {
  uint64_t value[UNIT / 8];
  uint32_t words;
  uint64_t unit = draw(a, 0, &words, value);
  uint8_t *at = s->view ? s->view : s->memory;
  if (app_plays(a, 0)) memcpy(at + unit * UNIT, value, 8 * words);
}

static toc_status put(app *a, state *s) {
  unsigned r = 1 + (unsigned)(s->puts++ % (a->nodes - 1));
  uint64_t value[UNIT / 8];
  uint32_t words;
  uint64_t unit = draw(a, r, &words, value);
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
    if (i % 2) store(a, s);
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
  // What it costs to know the dirty pages; the naive version does without, a scan of dirty bits would have
  // looked at as many entries.
  app_number_add(a, "looked at", a->naive ? "page-table entries" : "records",
                 (double)(a->naive ? s->scanned : dirty_records(s->d)));
  if (a->naive) return TOC_OK;
  static const char *const unit[CPU_WAYS] = {"page-table entries", "page-table entries", "faults", "pages"};
  app_number_add(a, "pages with puts", "", (double)s->by_put);
  app_number_add(a, "pages that the CPU wrote", "", (double)s->by_cpu);
  app_number_add(a, "a scan would look at", "entries of both tables", 2 * (double)s->scanned);
  app_number_add(a, "looked at for the CPU", unit[cpu_writes_way(s->w)], (double)cpu_writes_looked(s->w));
  return TOC_OK;
}

toc_status app_checkpoint(app *a) {
  state s = {.saved = calloc(PAGES, PAGE)};
  if (!s.saved) return TOC_E_NOMEM;
  toc_status e = run(a, &s);
  toc_status c = s.d ? dirty_close(s.d) : TOC_OK;
  cpu_writes_close(s.w);
  cpu_view_close(s.view, PAGES * PAGE);
  for (unsigned r = 0; r < APP_NODES; r++) app_lane_close(&s.lane[r]);
  free(s.saved);
  return e ? e : c;
}
