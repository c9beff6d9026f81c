// SPDX-License-Identifier: Apache-2.0
// A crash: keys are overwritten everywhere, the last process has lost all its memory and begins again from its input.
// It deals that into buckets as before and asks for the borders of its buckets at the others, which are no keys
// and still there. Then
//
//   rma      it gets parts of buckets from the archives as it got them from the keys
//   aa, am   it says to each other process where that one's bucket belongs; the other one looks through the log, or its
//            notes of messages, for parts of that bucket, puts them there, and says when all are
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sort.h"
#include "tocsin/aa_log.h"

static void crash(const run *r, net_proc *p, sort_rank *k) {
  sort_forget(k->bucket, sort_table_bytes(r));
  sort_forget(k->archive, k->archive_bytes);
  munmap(k->mine, k->got * 8 + 1);
  k->mine = NULL;
  k->got = 0;
  p->first = p->next;
}

static void say(player *d, unsigned to, uint64_t what) {
  player_post(d, NET_WINDOW, to, (net_frame){.kind = NET_MESSAGE, .v = {what, d->p->id}, .bytes = 16});
}

// The next message.
static uint64_t hear(player *d) {
  net_proc *p = d->p;
  uint64_t what;
  net_news e;
  for (;; player_wait(d, PLAYER_HEARS))
    while (player_news(d, net_now(), &e)) {
      if (e.kind != NET_MSG) continue;
      memcpy(&what, p->buffers + e.end * NET_BUFFER, sizeof what);
      p->got++;
      d->owe += 2 * d->n->c->mem + d->n->c->step + 2 * d->n->c->doorbell;  // event and message; posted again
      net_read(d->n, p);
      return what;
    }
}

// ---- who helps ------------------------------------------------------------------------------------------------------

// Until no more than so many of its requests are under way.
static void rest(player *d, unsigned most) {
  for (;; player_wait(d, PLAYER_DEAF)) {
    for (unsigned i = 0; i < d->r->window; i++)
      if (d->under[i] && d->p->slot[i].ready <= net_now()) {
        d->p->slot[i].ready = 0;
        d->under[i] = 0;
        d->busy--;
        d->owe += d->n->c->step;
      }
    if (d->busy <= most) return;
  }
}

// A part of the keys from `at` on, if it is of the bucket that is asked for, goes to where the bucket belongs.
static void give(sorter *x, uint64_t at, unsigned bytes, const uint8_t *data, uint64_t place) {
  player *d = &x->d;
  unsigned lost = sort_lost(d->r);
  uint64_t first = x->k->bucket[lost];
  if (at < first || at >= x->k->bucket[lost + 1]) return;
  rest(d, d->r->window - 1);
  unsigned slot = player_unused(d);
  d->under[slot] = 1;
  d->busy++;
  net_frame f = {.kind = NET_PUT, .data = data, .bytes = bytes};
  f.at = node_at(lost % NODE_PROCS, NODE_OWN) + 8 * (place + at - first);
  player_post(d, slot, lost, f);
}

static void look_through(sorter *x, uint64_t place) {
  player *d = &x->d;
  const sort_rank *k = x->k;
  uint64_t keys = node_at(d->p->who, NODE_BULK);
  uint32_t end = x->by == SORT_AA ? node_log_end(d->n->node[d->p->node], d->p->who) : 0;
  for (uint32_t at = 0; at < end;) {
    uint64_t head[2];
    memcpy(head, k->archive + at, sizeof head);
    d->owe += d->n->c->mem;
    if (aa_entry_kind(head[1]) == AA_ENTRY_GET)
      give(x, (head[0] - keys) / 8, 4 * aa_entry_len(head[1]), k->archive + at + 16, place);
    at += aa_entry_bytes(head[1]);
  }
  for (unsigned i = 0; x->by == SORT_AM && i < k->messages; i++) {
    d->owe += d->n->c->mem * (double)sizeof *k->kept / PLAYER_LINE;  // notes lie behind each other
    give(x, k->kept[i].at, k->kept[i].bytes, k->archive + k->kept[i].buffer, place);
  }
}

// ---- who has lost everything ----------------------------------------------------------------------------------------

static void begin_again(sorter *x) {
  player *d = &x->d;
  const run *r = d->r;
  const uint64_t *range = sort_ranges(r, x->k);
  unsigned me = d->p->id;
  uint64_t place = 0;
  sort_deal(r, me, x->k);
  sort_ask_ranges(x);
  for (unsigned s = 0; s < r->procs; s++) {
    if (s != me && x->by != SORT_RMA) say(d, s, place);
    place += range[2 * s + 1] - range[2 * s];
  }
  if (x->by == SORT_RMA) sort_get(x);
  for (unsigned s = 1; x->by != SORT_RMA && s < r->procs; s++) hear(d);
}

void sort_recover(const run *r, net *n, net_proc *p) {
  sorter *x = sort_open(r, n, p, NODE_ARCHIVE);
  player *d = &x->d;
  sort_forget(x->k->keys, (size_t)r->per * 8);
  bool lost = p->id == sort_lost(r);
  if (lost && x->by != SORT_NO_FT) crash(r, p, x->k);
  sg_barrier_wait(n->players);
  double begin = net_now();
  if (lost && x->by != SORT_NO_FT) {
    begin_again(x);
    d->s->recovery = net_now() - begin;
  } else if (x->by == SORT_AA || x->by == SORT_AM) {
    look_through(x, hear(d));
    rest(d, 0);
    say(d, sort_lost(r), 0);
  }
  player_spend(d);
  free(x);
}
