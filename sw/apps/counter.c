// SPDX-License-Identifier: Apache-2.0
// Access counter (Active Access, section 4.2): rank 0 wants to know how often each of its pages is read and written by others, say to
// move hot ones. n accesses of 8 to 64 bytes; hot pages are hit more often.
//
//   active   pages say "count": the access goes its way, a record without data tells the owner
//   naive    each access is followed by a fetch-and-add on the page's counter
//
// Over a link that loses frames a get may be served, and counted, more than once.
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

toc_status app_counter(app *a) {
  counts *have, want = {{0}, {0}};
  uint8_t *pages, *mine[APP_NODES];
  uint64_t *old[APP_NODES];
  toc_remote remote, counters, flush;
  toc_log *log;
  unsigned rw = TOC_READ | TOC_WRITE;
  TRY(toc_alloc(a->p[0], PAGES * PAGE, rw, (void **)&pages));
  TRY(toc_alloc(a->p[0], sizeof *have, rw, (void **)&have));
  TRY(toc_expose(a->p[0], pages, PAGES * PAGE, rw, &remote));
  TRY(toc_expose(a->p[0], have, sizeof *have, rw | TOC_ATOMIC, &counters));
  counted d = {have, pages};
  if (!a->naive) {
    TRY(toc_log_open(a->p[0], &(toc_log_options){.bytes = 4096, .automatic = true}, &log));
    TRY(toc_associate(a->p[0], pages, PAGES * PAGE,
                      &(toc_rule){.put = TOC_COUNT, .get = TOC_COUNT, .log = log, .handler = on_access, .arg = &d}));
    TRY(toc_flush_page(log, &flush));
  }
  for (unsigned r = 1; r < a->nodes; r++) {
    TRY(toc_alloc(a->p[r], PAGE, rw, (void **)&mine[r]));
    TRY(toc_alloc(a->p[r], PAGE, rw, (void **)&old[r]));
  }

  uint64_t begin = toc_now(a->f), link = a->link_bytes, remotes = 0;
  for (uint64_t i = 0; i < a->n; i++) {
    unsigned r = 1 + (unsigned)(i % (a->nodes - 1)), page = (unsigned)(app_random(a) % PAGES);
    if (page >= 4 && app_random(a) % 2) page %= 4;  // the hot ones
    bool put = app_random(a) % 3 == 0;
    uint32_t bytes = 8 * (1 + (uint32_t)(app_random(a) % 8)), at = (uint32_t)(app_random(a) % (PAGE / 64)) * 64;
    toc_req req;
    toc_remote to = toc_at(remote, page * PAGE + at);
    TRY(put ? toc_put(a->qp[r][0], mine[r], to, bytes, &req) : toc_get(a->qp[r][0], mine[r], to, bytes, &req));
    remotes++;
    if (a->naive) {
      TRY(toc_fetch_add(a->qp[r][0], old[r], toc_at(counters, 8 * (page + (put ? 0 : PAGES))), 1, &req));
      remotes++;
    }
    TRY(toc_wait(req, 0));
    (put ? want.put : want.get)[page]++;
    app_step(a, i);
  }
  app_number_add(a, "time of an access", "ns", (double)(toc_now(a->f) - begin) / (double)a->n);
  app_number_add(a, "remote operations of an access", "", (double)remotes / (double)a->n);
  app_number_add(a, "bytes on the link of an access", "B", (double)(a->link_bytes - link) / (double)a->n);
  for (unsigned r = 1; r < a->nodes && !a->naive; r++) TRY(toc_flush(a->qp[r][0], flush, 0));

  bool again = !a->naive && a->open.drop + a->open.twice + a->open.swap + a->open.bend;
  uint64_t more = 0;
  for (unsigned i = 0; i < PAGES; i++) {
    if (have->put[i] != want.put[i] || have->get[i] < want.get[i] || (have->get[i] > want.get[i] && !again))
      app_wrong(a, "page %u: %llu puts and %llu gets were counted, %llu and %llu done", i,
                (unsigned long long)have->put[i], (unsigned long long)have->get[i], (unsigned long long)want.put[i],
                (unsigned long long)want.get[i]);
    more += have->get[i] - want.get[i];
    app_digest_word(a, have->put[i]);
    app_digest_word(a, want.get[i]);
  }
  if (again) app_number_add(a, "gets served again", "", (double)more);
  return TOC_OK;
}
