// SPDX-License-Identifier: Apache-2.0
// Updates by delegates: the table is spread over the ranks in one piece each, and so is the stream of updates.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checks.h"
#include "dist_procs.h"
#include "gups.h"
#include "tocsin/irregular/paged.h"

typedef struct piece {
  uint64_t *table, first, words, mask;
  irr_paged *store;  // has the table instead, for as long as updates are done
} piece;

static irr_status update(void *ctx, const irr_arrival *a, irr_answer *answer) {
  const piece *p = ctx;
  const uint64_t ran = *(const uint64_t *)a->args, at = (ran & p->mask) - p->first;
  (void)answer;
  if (a->bytes != sizeof ran || at >= p->words) return IRR_E_RANGE;
  if (!p->store) {
    p->table[at] ^= ran;
    return IRR_OK;
  }
  void *word;
  const irr_status s = irr_paged_hold(p->store, at * sizeof ran, true, &word);
  if (s) return s;
  *(uint64_t *)word ^= ran;
  irr_paged_let(p->store, at * sizeof ran);
  return IRR_OK;
}

// ---- a table that is larger than its memory
typedef void page_visit(uint64_t *page, const piece *p, uint64_t from, uint64_t words);

static void fill(uint64_t *page, const piece *p, uint64_t from, uint64_t words) {
  gups_fill(page, p->first + from, words);
}
static void take(uint64_t *page, const piece *p, uint64_t from, uint64_t words) {
  memcpy(p->table + from, page, words * sizeof *page);
}

static bool each_page(dist *d, piece *p, bool write, page_visit *visit) {
  enum { WORDS = IRR_PAGE_BYTES / sizeof(uint64_t) };
  for (uint64_t from = 0; from < p->words && !d->end; from += WORDS) {
    void *page;
    irr_status s;
    while ((s = irr_paged_hold(p->store, from * sizeof(uint64_t), write, &page)) == IRR_BUSY && !d->end)
      if ((s = irr_paged_poll(p->store, NULL))) dist_broken(d, "a store", irr_text(s));
    if (d->end) break;
    if (s) {
      dist_broken(d, "a store", irr_text(s));
      break;
    }
    visit(page, p, from, p->words - from < WORDS ? p->words - from : WORDS);
    irr_paged_let(p->store, from * sizeof(uint64_t));
  }
  return !d->end;
}

static bool open_store(dist *d, unsigned rank, const suite_job *job, piece *p) {
  char file[PATH_MAX];
  const uint64_t bytes = p->words * sizeof(uint64_t), pages = bytes / IRR_PAGE_BYTES + (bytes % IRR_PAGE_BYTES != 0);
  const irr_paged_options o = {.bytes = (pages ? pages : 1) * IRR_PAGE_BYTES,  // also of a rank without words
                               .memory = job->memory,
                               .file = job->store ? file : NULL};
  snprintf(file, sizeof file, "%s/tocsin-gups-%ld-%u", job->store ? job->store : "", (long)getpid(), rank);
  const irr_status s = irr_paged_open(d->f, d->p[rank], &o, &p->store);
  if (job->store) (void)unlink(file);
  if (s) dist_broken(d, s == IRR_E_FILE ? file : "a store", s == IRR_E_FILE ? strerror(errno) : irr_text(s));
  return !s && !irr_net_share_store(d->net[rank], p->store) && each_page(d, p, true, fill);
}

// The table as it is in the end, in memory, to be checked.
static void close_store(dist *d, unsigned rank, piece *p, irr_paged_counts *sum) {
  if (!p->store) return;
  const irr_paged_counts c = irr_paged_count(p->store);
  sum->brought += c.brought;
  sum->written += c.written;
  p->table = malloc((p->words + 1) * sizeof *p->table);
  if (dist_have(d, p->table)) (void)each_page(d, p, false, take);
  (void)irr_net_share_store(d->net[rank], NULL);
  (void)irr_paged_close(p->store);
}

static uint64_t bound(uint64_t all, unsigned rank, unsigned ranks) {
  return all / ranks * rank + all % ranks * rank / ranks;
}

// Which rank has word `at`: the last whose piece does not begin behind it.
static unsigned home(const piece *p, unsigned ranks, uint64_t at) {
  unsigned low = 0, high = ranks;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (p[middle].first <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Ranks take turns, so that each is somewhere else in its part of the stream.
static void updates(dist *d, const piece *p, uint64_t all) {
  enum { TURN = 64 };
  uint64_t ran[DIST_RANKS], left[DIST_RANKS], most = 0;
  for (unsigned r = 0; r < d->ranks; r++) {
    const uint64_t from = bound(all, r, d->ranks);
    ran[r] = gups_start(from);
    left[r] = dist_here(d, r) ? bound(all, r + 1, d->ranks) - from : 0;
    if (left[r] > most) most = left[r];
  }
  for (uint64_t done = 0; done < most && !d->end; done += TURN)
    for (unsigned r = 0; r < d->ranks; r++)
      for (unsigned i = 0; i < TURN && left[r]; i++, left[r]--) {
        ran[r] = gups_next(ran[r]);
        dist_send(d, r, home(p, d->ranks, ran[r] & p->mask), &ran[r], sizeof ran[r]);
      }
  dist_settle(d);
}

suite_end dist_gups(const suite_job *job, suite_result *r) {
  dist d;
  piece p[DIST_RANKS] = {{0}};
  const uint64_t words = 1ULL << job->scale;
  uint64_t digest = 0, errors = 0;
  bool good = dist_open(&d, job, r);
  for (unsigned i = 0; i < d.ranks && good; i++) {
    const uint64_t first = bound(words, i, d.ranks);
    p[i] = (piece){.first = first, .words = bound(words, i + 1, d.ranks) - first, .mask = words - 1};
    if (!dist_here(&d, i)) continue;
    if (job->memory) {
      if (!(good = open_store(&d, i, job, &p[i]))) break;
    } else {
      p[i].table = malloc((p[i].words + 1) * sizeof *p[i].table);
      if (!(good = dist_have(&d, p[i].table))) break;
      gups_fill(p[i].table, first, p[i].words);
    }
    dist_function(&d, i, update, &p[i], 0);
  }
  dist_start(&d);
  if (good) updates(&d, p, job->updates);
  dist_stop(&d, r);
  irr_paged_counts pages = {0};
  for (unsigned i = 0; i < d.ranks; i++) close_store(&d, i, &p[i], &pages);
  for (unsigned i = 0; i < d.ranks; i++) {
    if (!d.end && p[i].table) digest += gups_digest(p[i].table, p[i].first, p[i].words);
    if (!d.end && p[i].table) errors += gups_errors(p[i].table, p[i].first, p[i].words, words, job->updates);
    free(p[i].table);
  }
  digest = dist_sum(&d, digest);
  errors = dist_sum(&d, errors);
  if (job->memory) {
    suite_say(r, "pages_read", "pages read from the files", (double)dist_sum(&d, pages.brought));
    suite_say(r, "pages_written", "pages written to them", (double)dist_sum(&d, pages.written));
  }
  if (!d.end) check_gups(job, digest, errors, r);
  return dist_close(&d, r);
}
