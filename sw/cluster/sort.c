// SPDX-License-Identifier: Apache-2.0
// Sort that survives a crash (Active Access 5.2.4): each process has keys, one bucket for each other; it gets its
// buckets from all others and sorts them. What it got is kept where it came from; then sources use their memory for
// something else, one process crashes, begins again from its input, and must have its keys again (sort_recover.c).
//
//   no-ft   gets, and nothing kept: the bound; nobody crashes
//   aa      pages of the keys say that gets are copied to their owner's log, which is so long that it is the archive
//   rma     who got a part of a bucket puts a copy of it into its owner's archive, at the same place
//   am      who got it sends it; receive buffers are the archive, and the owner notes down what is in which
//
// All keep `window` gets of `block` bytes under way. Dealing keys into buckets and sorting are done, but take no time:
// the paper's figure is of the time to communicate.
#include "sort.h"

#include <stdlib.h>
#include <string.h>

static node *node_of(const net *n, const net_proc *p) { return n->node[p->node]; }

// How much others get from it, in parts; with `record` bytes for each beside what is in it, which are rounded up to 16.
static size_t parts_bytes(const run *r, const sort_rank *k, unsigned id, unsigned record, unsigned *parts) {
  size_t bytes = 0;
  *parts = 0;
  for (unsigned d = 0; d < r->procs; d++)
    for (uint64_t at = k->bucket[d]; d != id && at < k->bucket[d + 1]; ++*parts) {
      unsigned part = sort_part(r, at, k->bucket[d + 1]);
      bytes += record + (part + 15) / 16 * 16;
      at += part / 8;
    }
  return bytes;
}

static void open_archive(const run *r, net *n, net_proc *p, sort_rank *k) {
  unsigned parts;
  size_t ring = 1 << 14, logged = parts_bytes(r, k, p->id, 16, &parts);
  // the IOMMU takes a get while there is room for twice its record: node_log_full
  while (ring < logged + 3 * (r->block + 32)) ring *= 2;
  switch (sort_named(r->variant)) {
    case SORT_AA: k->archive_bytes = ring; break;
    case SORT_RMA: k->archive_bytes = (size_t)r->per * 8; break;
    case SORT_AM: k->archive_bytes = (size_t)parts * r->block; break;
    default: return;
  }
  node_kind kind = sort_named(r->variant) == SORT_AA ? NODE_LONG_RING : NODE_ARCHIVE;
  k->archive = sort_memory(k->archive_bytes);
  node_map(node_of(n, p), p->who, kind, k->archive, k->archive_bytes, NODE_PLAIN);
  if (kind == NODE_LONG_RING) node_log(node_of(n, p), p->who, kind, NODE_POLL, NET_BATCH);
  if (sort_named(r->variant) != SORT_AM) return;
  k->kept = net_must(calloc(parts + 1, sizeof *k->kept));
  p->post_at = node_at(p->who, NODE_ARCHIVE);
  p->post_each = r->block;
}

static void open_keys(const run *r, net *n, net_proc *p) {
  sort_own *o = n->own;
  sort_rank *k = &o->rank[p->id];
  node_rule rule = sort_named(r->variant) == SORT_AA ? NODE_COPY : NODE_PLAIN;
  k->bucket = sort_memory(sort_table_bytes(r));
  k->keys = sort_memory((size_t)r->per * 8);
  sort_deal(r, p->id, k);
  node_map(node_of(n, p), p->who, NODE_TABLE, k->bucket, sort_table_bytes(r), NODE_PLAIN);
  node_map(node_of(n, p), p->who, NODE_BULK, k->keys, (size_t)r->per * 8, rule);
  open_archive(r, n, p, k);
}

// ---- requests -------------------------------------------------------------------------------------------------------

// Of a request that is over what has to follow: what was got goes back to where it came from.
static void over(player *d, unsigned slot) {
  sorter *x = d->own;
  sort_slot *u = &x->slot[slot];
  d->owe += u->again ? d->n->c->step : d->n->c->mem;
  if (!x->keep || u->again) {
    d->under[slot] = 0;
    d->busy--;
    return;
  }
  u->again = true;
  net_frame f = {.data = (const uint8_t *)(x->k->mine + u->place), .bytes = u->bytes};
  f.kind = x->by == SORT_RMA ? NET_PUT : NET_MESSAGE;
  f.at = node_at(u->from % NODE_PROCS, NODE_ARCHIVE) + 8 * u->at;
  if (x->by == SORT_AM) {
    f.bytes += NET_IMMEDIATE;
    f.v[0] = u->at;
  }
  player_post(d, slot, u->from, f);
}

static void begin(player *d, unsigned slot, sort_slot what, net_frame f) {
  ((sorter *)d->own)->slot[slot] = what;
  d->under[slot] = 1;
  d->busy++;
  f.kind = NET_GET;
  f.bytes = what.bytes;
  player_post(d, slot, what.from, f);
}

// For what it gets; its own bucket is there at once.
static void make_room(sorter *x, const uint64_t *range) {
  sort_rank *k = x->k;
  const net_proc *p = x->d.p;
  uint64_t own = 0;
  k->got = 0;
  for (unsigned s = 0; s < x->d.r->procs; s++) {
    if (s == p->id) own = k->got;
    k->got += range[2 * s + 1] - range[2 * s];
  }
  k->mine = sort_memory(k->got * 8);
  memcpy(k->mine + own, k->keys + range[2 * p->id], 8 * (range[2 * p->id + 1] - range[2 * p->id]));
  node_map(node_of(x->d.n, p), p->who, NODE_OWN, k->mine, k->got * 8, NODE_PLAIN);
}

void sort_ask_ranges(sorter *x) {
  player *d = &x->d;
  const run *r = d->r;
  unsigned me = d->p->id;
  uint64_t *range = sort_ranges(r, x->k), into = node_at(d->p->who, NODE_TABLE);
  bool keep = x->keep;
  x->keep = false;
  for (unsigned k = 1; k < r->procs || d->busy;) {
    unsigned from = (me + k) % r->procs, slot = player_unused(d);
    if (k < r->procs && slot < NET_WINDOW) {
      k++;
      begin(d, slot, (sort_slot){.from = from, .bytes = 16},
            (net_frame){.at = node_at(from % NODE_PROCS, NODE_TABLE) + 8 * me,
                        .into = into + (uint64_t)((uint8_t *)(range + 2 * from) - (uint8_t *)x->k->bucket)});
    } else if (!player_ends(d)) {
      player_wait(d, PLAYER_DEAF);
    }
  }
  x->keep = keep;
  range[2 * me] = x->k->bucket[me];
  range[2 * me + 1] = x->k->bucket[me + 1];
  make_room(x, range);
}

// The next source's bucket: the sources of all processes differ at any time.
static void next_source(sorter *x) {
  const run *r = x->d.r;
  const uint64_t *range = sort_ranges(r, x->k);
  if (!--x->d.left) return;
  unsigned from = (x->d.p->id + r->procs - x->d.left) % r->procs;
  x->at = range[2 * from];
  x->end = range[2 * from + 1];
  x->place = 0;
  for (unsigned s = 0; s < from; s++) x->place += range[2 * s + 1] - range[2 * s];
}

static bool get_part(player *d, unsigned slot) {
  sorter *x = d->own;
  while (x->at == x->end && d->left) next_source(x);
  if (x->at == x->end) return false;
  unsigned from = (d->p->id + d->r->procs - d->left) % d->r->procs, bytes = sort_part(d->r, x->at, x->end);
  net_frame f = {.at = node_at(from % NODE_PROCS, x->where) + 8 * x->at,
                 .into = node_at(d->p->who, NODE_OWN) + 8 * x->place};
  sort_slot what = {.from = from, .at = x->at, .place = x->place, .bytes = bytes};
  x->at += bytes / 8;
  x->place += bytes / 8;
  begin(d, slot, what, f);
  return true;
}

// A message that has come is where it stays; what it is is in its event.
static void message(player *d, uint32_t at) {
  const sorter *x = d->own;
  sort_rank *k = x->k;
  uint64_t event[4], place = (uint64_t)at * NET_EVENT;
  memcpy(event, d->p->events + place, sizeof event);
  player_load(d, place);
  d->owe += 3 * d->n->c->step;  // what it is; noted down; a buffer posted
  k->kept[k->messages] =
      (sort_kept){(uint32_t)event[3], (uint32_t)event[2] - NET_IMMEDIATE, (uint64_t)k->messages * d->r->block};
  k->messages++;
  d->done++;
}

// Nobody looks into a log until it is needed.
static const player_does
    does = {.begin = get_part, .over = over, .message = message, .ear = PLAYER_HEARS, .defers = true},
    does_am = {.begin = get_part, .over = over, .message = message, .ear = PLAYER_HEARS, .looks = true, .defers = true};

sorter *sort_open(const run *r, net *n, net_proc *p, node_kind where) {
  sort_own *o = n->own;
  sorter *x = net_must(calloc(1, sizeof *x));
  *x = (sorter){.by = sort_named(r->variant), .k = &o->rank[p->id], .where = where};
  x->d = player_new(r, n, p, x->by == SORT_AM ? &does_am : &does, x);
  return x;
}

void sort_get(sorter *x) {
  x->d.left = x->d.r->procs;
  player_play(&x->d);
}

static void play(const run *r, net *n, net_proc *p) {
  sorter *x = sort_open(r, n, p, NODE_BULK);
  x->keep = x->by == SORT_RMA || x->by == SORT_AM;
  if (x->by == SORT_AM) parts_bytes(r, x->k, p->id, 0, &x->d.expected);
  sort_ask_ranges(x);
  sort_get(x);
  player_spend(&x->d);
  x->d.s->inserts = x->k->got;
  free(x);
}

static const program_does program_of = {.most = 1 << 25,
                                        .takes = sort_takes,
                                        .prepare = sort_prepare,
                                        .open = open_keys,
                                        .play = play,
                                        .after = sort_recover,
                                        .check = sort_check,
                                        .serial = sort_serial};
const program sort = {"sort", &program_of, NULL, "per block seed"};
