// SPDX-License-Identifier: Apache-2.0
// Sort that survives a crash (Active Access 5.2.4): each process has keys, one bucket for each other; it gets its buckets from all
// others and sorts them. What it got is kept where it came from; then sources use their memory for something else, one process
// crashes, begins again from its input, and must have its keys again (sort_recover.c).
//
//   no-ft   gets, and nothing kept: the bound; nobody crashes
//   aa      pages of the keys say that gets are copied to their owner's log, which is so long that it is the archive
//   rma     who got a part of a bucket puts a copy of it into its owner's archive, at the same place
//   am      who got it sends it; receive buffers are the archive, and the owner notes down what is in which
//
// All keep `window` gets of `block` bytes under way. Dealing keys into buckets and sorting are done, but take no time: the paper's
// figure is of the time to communicate.
#include "sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

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

void sort_post(sorter *d, unsigned slot, unsigned to, net_frame f) {
  d->owe += 2 * d->n->c->step + d->n->c->doorbell;
  net_spend(d->owe);
  d->owe = 0;
  f.slot = slot;
  f.to = to;
  net_send(d->n, d->p, &f);
}

static unsigned unused(const sorter *d) {
  unsigned i = 0;
  while (i < d->r->window && d->slot[i].busy) i++;
  return i;
}

void sort_wait(sorter *d) {
  const net_proc *p = d->p;
  net_spend(d->owe);
  d->owe = 0;
  net_wait(d->p, fmin(net_slot_due(p), p->first == p->next ? INFINITY : p->news[p->first % p->news_size].when));
}

// Of a request that is over what has to follow: what was got goes back to where it came from.
static void go_on(sorter *d, unsigned i) {
  sort_slot *u = &d->slot[i];
  d->p->slot[i].ready = 0;
  d->owe += u->again ? d->n->c->step : d->n->c->mem;
  if (!d->keep || u->again) {
    u->busy = false;
    d->busy--;
    return;
  }
  u->again = true;
  net_frame f = {.data = (const uint8_t *)(d->k->mine + u->place), .bytes = u->bytes};
  f.kind = d->by == SORT_RMA ? NET_PUT : NET_MESSAGE;
  f.at = node_at(u->from % NODE_PROCS, NODE_ARCHIVE) + 8 * u->at;
  if (d->by == SORT_AM) {
    f.bytes += NET_IMMEDIATE;
    f.v[0] = u->at;
  }
  sort_post(d, i, u->from, f);
}

static bool answers(sorter *d) {
  bool any = false;
  for (unsigned i = 0; d->busy && i < d->r->window; i++)
    if (d->slot[i].busy && d->p->slot[i].ready <= net_now()) go_on(d, i), any = true;
  return any;
}

// For what it gets; its own bucket is there at once.
static void make_room(sorter *d, const uint64_t *range) {
  sort_rank *k = d->k;
  uint64_t own = 0;
  k->got = 0;
  for (unsigned s = 0; s < d->r->procs; s++) {
    if (s == d->p->id) own = k->got;
    k->got += range[2 * s + 1] - range[2 * s];
  }
  k->mine = sort_memory(k->got * 8);
  memcpy(k->mine + own, k->keys + range[2 * d->p->id], 8 * (range[2 * d->p->id + 1] - range[2 * d->p->id]));
  node_map(node_of(d->n, d->p), d->p->who, NODE_OWN, k->mine, k->got * 8, NODE_PLAIN);
}

void sort_ask_ranges(sorter *d) {
  const run *r = d->r;
  unsigned me = d->p->id;
  uint64_t *range = sort_ranges(r, d->k), into = node_at(d->p->who, NODE_TABLE);
  bool keep = d->keep;
  d->keep = false;
  for (unsigned k = 1; k < r->procs || d->busy;) {
    unsigned from = (me + k) % r->procs, i = unused(d);
    if (k < r->procs && i < r->window) {
      d->slot[i] = (sort_slot){.busy = true};
      d->busy++;
      k++;
      sort_post(d, i, from,
                (net_frame){.kind = NET_GET,
                            .at = node_at(from % NODE_PROCS, NODE_TABLE) + 8 * me,
                            .into = into + (uint64_t)((uint8_t *)(range + 2 * from) - (uint8_t *)d->k->bucket),
                            .bytes = 16});
    } else if (!answers(d)) {
      net_spend(d->owe);
      d->owe = 0;
      net_wait(d->p, net_slot_due(d->p));
    }
  }
  d->keep = keep;
  range[2 * me] = d->k->bucket[me];
  range[2 * me + 1] = d->k->bucket[me + 1];
  make_room(d, range);
}

// The next source's bucket: the sources of all processes differ at any time.
static void next_source(sorter *d) {
  const uint64_t *range = sort_ranges(d->r, d->k);
  unsigned from = (d->p->id + ++d->source) % d->r->procs;
  if (d->source >= d->r->procs) return;
  d->at = range[2 * from];
  d->end = range[2 * from + 1];
  d->place = 0;
  for (unsigned s = 0; s < from; s++) d->place += range[2 * s + 1] - range[2 * s];
}

bool sort_get(sorter *d) {
  bool any = answers(d);
  while (d->at == d->end && d->source < d->r->procs) next_source(d);
  unsigned i = unused(d), from = (d->p->id + d->source) % d->r->procs;
  if (d->at == d->end || i == d->r->window) return any;
  sort_slot *u = &d->slot[i];
  *u = (sort_slot){.busy = true, .from = from, .at = d->at, .place = d->place, .bytes = sort_part(d->r, d->at, d->end)};
  d->at += u->bytes / 8;
  d->place += u->bytes / 8;
  d->busy++;
  sort_post(d, i, from,
            (net_frame){.kind = NET_GET,
                        .at = node_at(from % NODE_PROCS, d->where) + 8 * u->at,
                        .into = node_at(d->p->who, NODE_OWN) + 8 * u->place,
                        .bytes = u->bytes});
  return true;
}

// ---- at the owner ---------------------------------------------------------------------------------------------------

// Messages that have come are where they stay; what they are is in their events.
static bool serve(sorter *d) {
  const cost *c = d->n->c;
  net_proc *p = d->p;
  unsigned messages = 0;
  for (; p->first != p->next && p->news[p->first % p->news_size].when <= net_now(); p->first++) {
    const net_news *e = &p->news[p->first % p->news_size];
    uint64_t event[4], at = (uint64_t)e->end * NET_EVENT;
    if (e->kind != NET_MSG) continue;  // the log: nobody looks until it is needed
    memcpy(event, p->events + at, sizeof event);
    d->owe += (at / LINE == d->line ? c->step : c->mem) + 3 * c->step;  // what it is; noted down; a buffer posted
    d->line = at / LINE;
    d->k->kept[d->k->messages] =
        (sort_kept){(uint32_t)event[3], (uint32_t)event[2] - NET_IMMEDIATE, (uint64_t)d->k->messages * d->r->block};
    d->k->messages++;
    p->got++;
    messages++;
  }
  if (messages) {
    d->owe += 2 * c->doorbell;
    net_read(d->n, p);
  } else if (d->by == SORT_AM) {
    d->owe += c->step;
  }
  return messages;
}

static void play(const run *r, net *n, net_proc *p, share *s) {
  sort_own *o = n->own;
  sorter *d = net_must(calloc(1, sizeof *d));
  *d = (sorter){.r = r, .by = sort_named(r->variant), .n = n, .p = p, .s = s, .k = &o->rank[p->id], .where = NODE_BULK};
  unsigned expected = 0;
  d->keep = d->by == SORT_RMA || d->by == SORT_AM;
  d->line = UINT64_MAX;
  if (d->by == SORT_AM) parts_bytes(r, d->k, p->id, 0, &expected);
  sort_ask_ranges(d);
  while (d->source < r->procs || d->busy || d->k->messages < expected) {
    bool any = serve(d);
    any |= sort_get(d);
    if (!any) sort_wait(d);
  }
  net_spend(d->owe);
  s->inserts = d->k->got;
  free(d);
}

const program sort = {.name = "sort",
                      .most = 1 << 25,
                      .takes = sort_takes,
                      .prepare = sort_prepare,
                      .open = open_keys,
                      .play = play,
                      .after = sort_recover,
                      .check = sort_check,
                      .serial = sort_serial};
