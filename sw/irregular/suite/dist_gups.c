// SPDX-License-Identifier: Apache-2.0
// Updates by delegates: the table is spread over the ranks in one piece each, and so is the stream of updates.
#include <stdlib.h>

#include "checks.h"
#include "dist_procs.h"
#include "gups.h"

typedef struct piece {
  uint64_t *table, first, words, mask;
} piece;

static irr_status update(void *ctx, const irr_arrival *a, irr_answer *answer) {
  const piece *p = ctx;
  const uint64_t ran = *(const uint64_t *)a->args, at = (ran & p->mask) - p->first;
  (void)answer;
  if (a->bytes != sizeof ran || at >= p->words) return IRR_E_RANGE;
  p->table[at] ^= ran;
  return IRR_OK;
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
    p[i].table = malloc((p[i].words + 1) * sizeof *p[i].table);
    if (!(good = dist_have(&d, p[i].table))) break;
    gups_fill(p[i].table, first, p[i].words);
    dist_function(&d, i, update, &p[i], 0);
  }
  dist_start(&d);
  if (good) updates(&d, p, job->updates);
  dist_stop(&d, r);
  for (unsigned i = 0; i < d.ranks; i++) {
    if (!d.end && p[i].table) digest += gups_digest(p[i].table, p[i].first, p[i].words);
    if (!d.end && p[i].table) errors += gups_errors(p[i].table, p[i].first, p[i].words, words, job->updates);
    free(p[i].table);
  }
  digest = dist_sum(&d, digest);
  errors = dist_sum(&d, errors);
  if (!d.end) check_gups(job, digest, errors, r);
  return dist_close(&d, r);
}
