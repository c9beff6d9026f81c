// SPDX-License-Identifier: Apache-2.0
// Access counter (Active Access, section 4.2): rank 0 wants to know how often each of its pages is read and written by
// others, say to move hot ones. n accesses of 8 to 64 bytes; hot pages are hit more often.
//
//   active   pages say "count": the access goes its way, a record without data tells the owner
//   naive    each access is followed by a fetch-and-add on the page's counter
//
// Over a link that loses frames, or between processes, whose machine may let them wait, a get may be served, and
// counted, more than once.
#include <string.h>

#include "app.h"

enum { PAGES = 16, PAGE = 4096 };

typedef struct counts {
  uint64_t put[PAGES], get[PAGES];
} counts;

typedef struct counted {
  counts *c;
  uint8_t *base;
} counted;

static void on_access(void *arg, const toc_access *x) {
  counted *d = arg;
  size_t page = (size_t)((const uint8_t *)x->target - d->base) / PAGE;
  (x->kind == TOC_PUT ? d->c->put : d->c->get)[page]++;
}

typedef struct window {  // of rank 0
  toc_remote pages, counters, flush;
} window;

static toc_status window_open(app *a, counted *d, window *w) {
  unsigned rw = TOC_READ | TOC_WRITE;
  toc_log *log;
  TRY(toc_alloc(a->p[0], PAGES * PAGE, rw, (void **)&d->base));
  TRY(toc_alloc(a->p[0], sizeof *d->c, rw, (void **)&d->c));
  TRY(toc_expose(a->p[0], d->base, PAGES * PAGE, rw, &w->pages));
  TRY(toc_expose(a->p[0], d->c, sizeof *d->c, rw | TOC_ATOMIC, &w->counters));
  if (a->naive) return TOC_OK;
  TRY(toc_log_open(a->p[0], &(toc_log_options){.bytes = 4096, .automatic = true}, &log));
  TRY(toc_associate(a->p[0], d->base, PAGES * PAGE,
                    &(toc_rule){.put = TOC_COUNT, .get = TOC_COUNT, .log = log, .handler = on_access, .arg = d}));
  return toc_flush_page(log, &w->flush);
}

static void compare(app *a, const counts *have, const counts *want) {
  bool again = !a->naive && (a->all || a->open.drop + a->open.twice + a->open.swap + a->open.bend);
  uint64_t more = 0;
  for (unsigned i = 0; i < PAGES; i++) {
    if (have->put[i] != want->put[i] || have->get[i] < want->get[i] || (have->get[i] > want->get[i] && !again))
      app_wrong(a, "page %u: %llu puts and %llu gets were counted, %llu and %llu done", i,
                (unsigned long long)have->put[i], (unsigned long long)have->get[i], (unsigned long long)want->put[i],
                (unsigned long long)want->get[i]);
    more += have->get[i] - want->get[i];
    app_digest_word(a, have->put[i]);
    app_digest_word(a, want->get[i]);
  }
  if (again) app_number_add(a, "gets served again", "", (double)more);
}

toc_status app_counter(app *a) {
  counts want = {{0}, {0}};
  counted *d = app_own(a, sizeof *d);
  window w[APP_NODES];
  uint8_t *mine[APP_NODES];
  uint64_t *old[APP_NODES];
  memset(w, 0, sizeof w);
  if (!d) return TOC_E_NOMEM;
  if (app_plays(a, 0)) TRY(window_open(a, d, w));
  TRY(app_share(a, w, sizeof *w));
  for (unsigned r = 1; r < a->nodes; r++) {
    if (!app_plays(a, r)) continue;
    TRY(toc_alloc(a->p[r], PAGE, TOC_READ | TOC_WRITE, (void **)&mine[r]));
    TRY(toc_alloc(a->p[r], PAGE, TOC_READ | TOC_WRITE, (void **)&old[r]));
  }

  uint64_t begin = toc_now(a->f), sum[2] = {0}, link = a->link_bytes;
  for (uint64_t i = 0; i < a->n; i++) {
    unsigned r = 1 + (unsigned)(i % (a->nodes - 1)), page = (unsigned)(app_random(a) % PAGES);
    if (page >= 4 && app_random(a) % 2) page %= 4;  // the hot ones
    bool put = app_random(a) % 3 == 0;
    uint32_t bytes = 8 * (1 + (uint32_t)(app_random(a) % 8)), at = (uint32_t)(app_random(a) % (PAGE / 64)) * 64;
    (put ? want.put : want.get)[page]++;
    if (!app_plays(a, r)) continue;
    toc_req req;
    toc_remote to = toc_at(w[0].pages, page * PAGE + at);
    TRY(put ? toc_put(a->qp[r][0], mine[r], to, bytes, &req) : toc_get(a->qp[r][0], mine[r], to, bytes, &req));
    sum[0]++;
    if (a->naive) {
      TRY(toc_fetch_add(a->qp[r][0], old[r], toc_at(w[0].counters, 8 * (page + (put ? 0 : PAGES))), 1, &req));
      sum[0]++;
    }
    TRY(toc_wait(req, 0));
    app_step(a, i);
  }
  TRY(app_together(a));
  double took = (double)(toc_now(a->f) - begin);
  sum[1] = a->link_bytes - link;
  TRY(app_sum(a, sum, 2));
  app_number_add(a, "time of an access", "ns", took / (double)a->n);
  app_number_add(a, "remote operations of an access", "", (double)sum[0] / (double)a->n);
  app_number_add(a, "bytes on the link of an access", "B", (double)sum[1] / (double)a->n);
  for (unsigned r = 1; r < a->nodes && !a->naive; r++)
    if (app_plays(a, r)) TRY(toc_flush(a->qp[r][0], w[0].flush, 0));
  TRY(app_together(a));
  if (app_plays(a, 0)) compare(a, d->c, &want);
  return TOC_OK;
}
