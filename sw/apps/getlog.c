// SPDX-License-Identifier: Apache-2.0
// Logging of gets (Active Access, section 4.4): the other ranks compute with what they get from rank 0, whose memory
// changes all the time. The last one crashes when it has got all, starts again from nothing, and replays what it got
// then; to get it once more would be wrong.
//
//   active   rank 0's pages log gets with their data, where they are served: who reads does nothing for it
//   naive    who reads puts each value that it got into an archive at rank 0
//
// A get whose answer was lost is served again, and has a second record; so may one whose frame came twice, even after
// later gets. The memory is therefore mapped at sixteen addresses for each reader, which its gets use in turn: only the
// next one's first record counts. When all readers have used all of theirs, rank 0's memory becomes another.
//
// A get is of a word, or of `size` bytes from a multiple of the next power of two, so that it is one
// TLP and one record.
#include <string.h>

#include "app.h"

enum { WORDS = 512, PAGE = 4096, WINDOWS = 16, SLOTS = 64 };
#define WINDOW_AT 0x600000000000ULL

typedef struct reader {
  uint64_t *word, *slots;  // what it got; naive: on its way into the archive
  uint64_t state, gets;
  toc_req req;
} reader;

// What the archive keeps of a get: index, then its words. Each reader has `room` of them.
typedef struct getlog {
  app *a;
  uint64_t *memory, *kept;
  uint64_t n[APP_NODES], room;  // of reader r: kept so far
  unsigned words, apart;        // of a get; between places where one may begin
  struct {
    toc_remote windows, archive, flush;
  } at;
  reader of[APP_NODES];
} getlog;

static uint64_t entry_words(const getlog *g) { return 1 + g->words; }
static unsigned readers(const getlog *g) { return g->a->nodes - 1; }
static uint64_t room_at(const getlog *g, unsigned r) { return (r - 1) * g->room * entry_words(g); }  // in words
static uint64_t window_at(unsigned r, uint64_t get) { return ((r - 1) * WINDOWS + get % WINDOWS) * PAGE; }

static void on_get(void *arg, const toc_access *x) {
  getlog *g = arg;
  uint64_t at = x->addr - WINDOW_AT;
  unsigned r = 1 + (unsigned)(at / (WINDOWS * PAGE));
  if (x->denied || x->aborted || !x->data || r > readers(g)) return;
  if (g->n[r] == g->room || at / PAGE * PAGE != window_at(r, g->n[r]) || x->bytes != 8 * g->words) return;
  uint64_t *entry = g->kept + room_at(g, r) + g->n[r] * entry_words(g);
  entry[0] = at % PAGE / 8;
  memcpy(entry + 1, x->data, x->bytes);
  g->n[r]++;
}

static uint64_t next_index(const getlog *g, uint64_t state) { return state % (WORDS / g->apart) * g->apart; }
static uint64_t advance(const getlog *g, uint64_t state, const uint64_t *value) {
  for (unsigned i = 0; i < g->words; i++) state = app_mix(state ^ value[i]);
  return state;
}

// ---- rank 0
static toc_status open_memory(getlog *g) {
  toc_proc *p = g->a->p[0];
  const unsigned rw = TOC_READ | TOC_WRITE, pages = readers(g) * WINDOWS;
  const uint64_t bytes = readers(g) * g->room * entry_words(g) * 8;
  toc_log *log;
  TRY(toc_alloc(p, PAGE, rw, (void **)&g->memory));
  TRY(toc_alloc(p, bytes, rw, (void **)&g->kept));
  for (unsigned i = 0; i < pages; i++) TRY(toc_map(p, g->memory, PAGE, rw, WINDOW_AT + i * PAGE));
  TRY(toc_expose_iova(p, WINDOW_AT, pages * PAGE, TOC_READ, &g->at.windows));
  TRY(toc_expose(p, g->kept, bytes, rw, &g->at.archive));
  for (unsigned i = 0; i < WORDS; i++) g->memory[i] = app_mix(g->a->random + i);
  if (g->a->naive) return TOC_OK;
  TRY(toc_log_open(p, &(toc_log_options){.bytes = 4096, .automatic = true}, &log));
  TRY(toc_associate_iova(p, WINDOW_AT, pages * PAGE,
                         &(toc_rule){.get = TOC_LOG, .log = log, .handler = on_get, .arg = g}));
  return toc_flush_page(log, &g->at.flush);
}

static toc_status change(getlog *g) {
  TRY(app_together(g->a));
  for (unsigned i = 0; app_plays(g->a, 0) && i < WORDS; i++) g->memory[i] = app_mix(g->memory[i]);
  return app_together(g->a);
}

// ---- a reader
static toc_status open_reader(getlog *g, unsigned r) {
  TRY(toc_alloc(g->a->p[r], PAGE, TOC_READ | TOC_WRITE, (void **)&g->of[r].word));
  return toc_alloc(g->a->p[r], SLOTS * 8 * entry_words(g), TOC_READ | TOC_WRITE, (void **)&g->of[r].slots);
}

static toc_status read_one(getlog *g, unsigned r) {
  toc_qp *qp = g->a->qp[r][0];
  reader *d = &g->of[r];
  uint64_t at = next_index(g, d->state), entry = 8 * entry_words(g);
  TRY(toc_get(qp, d->word, toc_at(g->at.windows, window_at(r, d->gets) + 8 * at), 8 * g->words, &d->req));
  TRY(toc_wait(d->req, 0));
  d->state = advance(g, d->state, d->word);
  if (g->a->naive) {
    uint64_t *slot = d->slots + d->gets % SLOTS * entry_words(g);
    slot[0] = at;
    memcpy(slot + 1, d->word, 8 * g->words);
    TRY(toc_put(qp, slot, toc_at(g->at.archive, 8 * room_at(g, r) + d->gets * entry), (uint32_t)entry, &d->req));
    if (d->gets % 32 == 31) TRY(toc_wait(d->req, 0));
  }
  d->gets++;
  return TOC_OK;
}

static toc_status read_all(getlog *g) {
  app *a = g->a;
  uint64_t begin = toc_now(a->f), link = a->link_bytes;
  for (uint64_t i = 0; i < a->n; i++) {
    unsigned r = 1 + (unsigned)(i % readers(g));
    if (i && i % (readers(g) * WINDOWS) == 0) TRY(change(g));
    if (app_plays(a, r)) TRY(read_one(g, r));
    app_step(a, i);
  }
  for (unsigned r = 1; r <= readers(g); r++) {
    if (!app_plays(a, r)) continue;
    if (!a->naive) TRY(toc_flush(a->qp[r][0], g->at.flush, 0));
    if (a->naive && g->of[r].gets) TRY(toc_wait(g->of[r].req, 0));
  }
  TRY(app_together(a));
  double took = (double)(toc_now(a->f) - begin);
  link = a->link_bytes - link;
  TRY(app_sum(a, &link, 1));
  app_number_add(a, "time of a logged get", "ns", took / (double)a->n);
  app_number_add(a, "remote operations of a get", "", a->naive ? 2 : 1);
  app_number_add(a, "bytes on the link of a get", "B", (double)link / (double)a->n);
  for (unsigned r = 1; app_plays(a, 0) && !a->naive && r <= readers(g); r++)
    if (g->n[r] != (a->n + readers(g) - r) / readers(g))
      app_wrong(a, "%llu gets of rank %u were logged, of %llu in all", (unsigned long long)g->n[r], r,
                (unsigned long long)a->n);
  return TOC_OK;
}

// The last rank, from nothing: where does its archive lead it?
static toc_status replay(getlog *g, unsigned r, uint64_t *state) {
  app *a = g->a;
  const uint64_t entry = 8 * entry_words(g), bytes = (a->n + readers(g) - r) / readers(g) * entry;
  uint64_t *mine, *end;
  toc_req req;
  TRY(toc_alloc(a->p[r], bytes ? bytes : 8, TOC_READ | TOC_WRITE, (void **)&mine));
  end = mine + bytes / 8;
  for (uint64_t from = 0; from < bytes;) {
    uint64_t n = bytes - from < 4096 ? bytes - from : 4096;
    toc_remote at = toc_at(g->at.archive, 8 * room_at(g, r) + from);
    TRY(toc_get(a->qp[r][0], (uint8_t *)mine + from, at, (uint32_t)n, &req));
    TRY(toc_wait(req, 0));
    from += n;
  }
  for (*state = r; mine < end && *mine == next_index(g, *state); mine += entry_words(g))
    *state = advance(g, *state, mine + 1);
  const uint64_t left = (uint64_t)(end - mine) / entry_words(g);
  if (left) app_wrong(a, "the replay stops %llu gets before its end", (unsigned long long)left);
  return TOC_OK;
}

static toc_status run(getlog *g) {
  app *a = g->a;
  const unsigned last = readers(g);
  uint64_t was[APP_NODES] = {0}, is = 0;
  if (!a->again) {
    if (app_plays(a, 0)) TRY(open_memory(g));
    TRY(app_tell(a, 0, &g->at, sizeof g->at));
    for (unsigned r = 1; r <= last; r++) {
      g->of[r].state = r;
      if (app_plays(a, r)) TRY(open_reader(g, r));
    }
    TRY(read_all(g));
    for (unsigned r = 1; r <= last; r++) was[r] = g->of[r].state;
    TRY(app_share(a, was, sizeof *was));
    TRY(app_crash(a, last));
  }
  TRY(app_tell(a, 0, was, sizeof was));
  TRY(app_tell(a, 0, &g->at, sizeof g->at));
  if (app_plays(a, last)) TRY(replay(g, last, &is));
  TRY(app_tell(a, last, &is, sizeof is));
  if (is != was[last]) app_wrong(a, "the replay leads to another state");
  for (unsigned r = 1; r <= last; r++) app_digest_word(a, was[r]);
  return TOC_OK;
}

toc_status app_getlog(app *a) {
  getlog *g = app_own(a, sizeof *g);
  if (!g) return TOC_E_NOMEM;
  *g = (getlog){.a = a, .words = a->size ? (unsigned)a->size / 8 : 1, .apart = 1};
  g->room = (a->n + readers(g) - 1) / readers(g);
  while (g->apart < g->words) g->apart *= 2;
  return run(g);
}
