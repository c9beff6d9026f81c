// SPDX-License-Identifier: Apache-2.0
// Unbalanced trees by delegates: each rank walks what it has, and one that has nothing asks another,
// chosen by chance, for some of the nodes that lie lowest in its stack, which are likely to have the most below them.
// The answer brings them.
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "dist_procs.h"
#include "mix.h"

enum {
  AT_ONCE = IRR_ANSWER_MOST / sizeof(uts_node),
  TURN = 64,
  KEPT = 4
};  // nodes of an answer, of a turn, that are not given away

typedef struct walker {
  dist *d;
  const uts_tree *tree;
  uts_node *left;
  size_t n, room, low;  // left[low] ... left[n - 1]
  uts_count count;
  uint64_t chance, asked;
  unsigned at_once;
  bool waits;
  irr_status status;
  uint64_t loot[IRR_ANSWER_MOST / 8];
} walker;

static bool have_room(walker *w, size_t more) {
  if (w->low > w->n / 2) {  // what was given away leaves room
    memmove(w->left, w->left + w->low, (w->n - w->low) * sizeof *w->left);
    w->n -= w->low;
    w->low = 0;
  }
  if (w->n + more <= w->room) return true;
  while (w->room < w->n + more) w->room = w->room ? 2 * w->room : 1024;
  uts_node *left = realloc(w->left, w->room * sizeof *left);
  if (!left) return false;
  w->left = left;
  return true;
}

// At who is asked: the answer is some nodes; with none it is one word, which is less than a node.
static irr_status give(void *ctx, const irr_arrival *a, irr_answer *answer) {
  walker *w = ctx;
  (void)a;
  size_t n = w->n - w->low > KEPT ? (w->n - w->low) / 2 : 0;
  if (n > w->at_once) n = w->at_once;
  if (!n) return IRR_OK;
  memcpy(answer->word, w->left + w->low, n * sizeof *w->left);
  answer->bytes = (uint32_t)(n * sizeof *w->left);
  w->low += n;
  return IRR_OK;
}

static void got(void *arg, uint64_t value) {
  walker *w = arg;
  (void)value;
  w->waits = false;
  if (w->status || !dist_have(w->d, have_room(w, AT_ONCE))) return;
  for (unsigned i = 0; i < AT_ONCE; i++) {
    uts_node n;
    memcpy(&n, (const uint8_t *)w->loot + i * sizeof n, sizeof n);
    if (n.depth == UINT32_MAX) break;  // ask() has put that there
    w->left[w->n++] = n;
  }
}

static void ask(walker *w, unsigned rank) {
  w->chance = app_mix(w->chance);
  const unsigned to = (unsigned)((rank + 1 + w->chance % (w->d->ranks - 1)) % w->d->ranks);
  memset(w->loot, 0xff, sizeof w->loot);  // what does not come is no node
  w->waits = true;
  w->asked++;
  dist_ask(w->d, rank,
           &(irr_delegate){.to = to,
                           .function = DIST_FUNCTION,
                           .done = got,
                           .arg = w,
                           .status = &w->status,
                           .into = w->loot,
                           .into_bytes = sizeof w->loot});
}

static void walk(walker *w) {
  for (unsigned i = 0; i < TURN && w->n > w->low; i++) {
    const uts_node here = w->left[--w->n];
    const unsigned children = uts_children(w->tree, &here);
    uts_see(&w->count, &here, children);
    if (!dist_have(w->d, have_room(w, children))) return;
    for (unsigned k = children; k-- > 0;) uts_child(&here, k, &w->left[w->n++]);
  }
}

// Nobody asks any more when no rank has a node.
static void walk_all(dist *d, walker *w) {
  for (unsigned walking = 1, waiting = 0; (walking || waiting) && !d->end;) {
    walking = waiting = 0;
    for (unsigned r = 0; r < d->ranks; r++) {
      walk(&w[r]);
      walking += w[r].n > w[r].low;
      waiting += w[r].waits;
    }
    for (unsigned r = 0; r < d->ranks && walking && d->ranks > 1; r++)
      if (w[r].n == w[r].low && !w[r].waits) ask(&w[r], r);
    dist_flush(d);  // answers are waited for
    dist_poll(d);
  }
  dist_settle(d);
}

// The same for the one rank of this process. Who has nothing asks as long as somebody had nodes in the last vote.
static void walk_apart(dist *d, walker *w) {
  dist_votes all, before = {.nodes = 1};
  for (bool rest = false; !rest && !d->end;) {
    walk(w);
    const dist_votes mine = {.nodes = w->n - w->low, .busy = w->waits || !irr_net_is_idle(d->net[d->me])};
    if (!mine.nodes && !w->waits && before.nodes) ask(w, d->me);
    dist_flush(d);
    dist_poll(d);
    if (!dist_vote(d, &mine, &all)) continue;
    rest = dist_at_rest(&all, &before);
    before = all;
  }
}

static void join_counts(dist *d, const walker *w, uts_count *all) {
  uts_count of[DIST_RANKS];
  if (d->procs && !dist_gather(d, &w[d->me].count, sizeof *of, of)) return;
  for (unsigned i = 0; i < d->ranks; i++) uts_add(all, d->procs ? &of[i] : &w[i].count);
}

suite_end dist_uts(const suite_job *job, suite_result *r) {
  dist d;
  uts_count all = {0};
  uint64_t asked = 0;
  bool good = dist_open(&d, job, r);
  walker *w = calloc(d.ranks, sizeof *w);
  good = good && dist_have(&d, w);
  for (unsigned i = 0; i < d.ranks && good; i++) {
    w[i] = (walker){.d = &d, .tree = &job->tree->tree, .chance = i, .at_once = d.way == SUITE_NAIVE ? 1 : AT_ONCE};
    dist_function(&d, i, give, &w[i], IRR_ANSWER_MOST);
  }
  if (good && dist_here(&d, 0) && dist_have(&d, have_room(w, 1))) uts_root(w->tree, &w->left[w->n++]);
  dist_start(&d);
  if (good && d.procs)
    walk_apart(&d, &w[d.me]);
  else if (good)
    walk_all(&d, w);
  dist_stop(&d, r);
  if (good && !d.end) join_counts(&d, w, &all);
  for (unsigned i = 0; i < d.ranks && w; i++) {
    asked += w[i].asked;
    free(w[i].left);
  }
  free(w);
  asked = dist_sum(&d, asked);
  if (!d.end) check_uts(job, &all, r);
  if (!d.end) suite_say(r, "asked", "times that a rank asked another for nodes", (double)asked);
  return dist_close(&d, r);
}
