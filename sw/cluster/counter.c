// SPDX-License-Identifier: Apache-2.0
// Access counter (Active Access 4.2 and 5.2.2): processes read and write 8-byte words at random places of each other, and it is to
// be known how often each page was read and written.
//
//   no-cnt     gets and puts, and nothing counted: the bound
//   aa         pages say "count": the IOMMU keeps a record without data of each access, which the owner counts when the log is half full
//   a-kv       an active key-value store: an access is a message to its owner, who does it, counts it and answers
//   rma        with each access goes a fetch-and-add on the page's counter
//   allreduce  each process counts what it does, of all pages; at the end sums are made of all (counter_sums.c)
//
// All keep `window` accesses under way. Counters and, where processors access them, words lie in caches: 128 KB a process.
#include "counter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counter_sums.h"
#include "tocsin/aa_log.h"

enum { LINE = 64, WORDS_BYTES = COUNTER_ALL * 8, ASKS = 0, ANSWERS = 1 };

typedef struct user {
  const run *r;
  counter_scheme by;
  net *n;
  net_proc *p;
  share *s;
  counter_own *o;
  unsigned under[NET_WINDOW];  // parts of an access that are not over
  visit what[NET_WINDOW];
  unsigned left, busy, done;  // accesses of its own; of others, that it has counted
  uint32_t seen;              // the log's end as it was told
  double owe;
  uint64_t line;
} user;

static size_t counts_bytes(const run *r) {
  size_t pages = counter_named(r->variant) == COUNT_ALLREDUCE ? 2 * r->procs * COUNTER_PAGES : COUNTER_PAGES;
  return pages * sizeof(counts);
}
static uint64_t word_at(unsigned id, uint64_t index) { return node_at(id % NODE_PROCS, NODE_TABLE) + 8 * index; }

static void open_words(const run *r, net *n, net_proc *p) {
  counter_own *o = n->own;
  node *d = n->node[p->node];
  bool aa = counter_named(r->variant) == COUNT_AA;
  o->word[p->id] = net_must(calloc(1, WORDS_BYTES));
  o->count[p->id] = net_must(calloc(1, counts_bytes(r)));
  for (uint64_t i = 0; i < COUNTER_ALL; i += 2) o->word[p->id][i] = counter_value(p->id, i);
  node_map(d, p->who, NODE_TABLE, o->word[p->id], WORDS_BYTES, aa ? NODE_COUNT : NODE_PLAIN);
  node_map(d, p->who, NODE_BULK, o->count[p->id], counts_bytes(r), NODE_PLAIN);
  if (aa) node_log(d, p->who, NODE_RING, NODE_POLL, NET_BATCH);
}

// ---- at the owner ---------------------------------------------------------------------------------------------------

static void load(user *d, uint64_t at) {
  d->owe += at / LINE == d->line ? d->n->c->step : d->n->c->mem;
  d->line = at / LINE;
}

static void count(user *d, counts *c, bool put) {
  ++*(put ? &c->put : &c->get);
  d->owe += d->n->c->step;
}

static void read_log(user *d) {
  net_proc *p = d->p;
  d->owe += d->n->c->mem;  // the pointer
  while (p->read != d->seen) {
    uint64_t head[2];
    memcpy(head, p->ring + p->read % NODE_LOG_BYTES, sizeof head);
    load(d, p->read);
    unsigned kind = aa_entry_kind(head[1]);
    if (kind == AA_ENTRY_PUT || kind == AA_ENTRY_GET) {
      uint64_t page = (head[0] - word_at(p->id, 0)) / 8 / COUNTER_WORDS;
      count(d, &d->o->count[p->id][page], kind == AA_ENTRY_PUT);
      d->done++;
    }
    p->read += aa_entry_bytes(head[1]);
  }
  d->owe += d->n->c->doorbell;
  net_log_done(d->n, p);
}

static void post(user *d, unsigned slot, unsigned to, net_frame f) {
  d->owe += 2 * d->n->c->step + d->n->c->doorbell;
  net_spend(d->owe);
  d->owe = 0;
  f.slot = slot;
  f.to = to;
  net_send(d->n, d->p, &f);
}

// What a key-value store does for a message: [asks or answers, slot, from; index and whether it is a put, or the value].
static void answer(user *d, uint64_t head, uint64_t index) {
  bool put = index & 1;
  unsigned from = (unsigned)(head >> 32);
  uint64_t *word = &d->o->word[d->p->id][index];
  if (put) *word = counter_value(d->p->id, index);
  d->owe += 2 * d->n->c->step;  // which handler, and the word
  count(d, &d->o->count[d->p->id][index / COUNTER_WORDS], put);
  d->done++;
  post(d, NET_WINDOW, from, (net_frame){.kind = NET_MESSAGE, .v = {(head & 0xffff00) | ANSWERS, *word}, .bytes = 16});
}

static void got(user *d, unsigned slot, uint64_t value) {
  const visit *a = &d->what[slot];
  d->s->wrong += !a->put && value != counter_value(a->to, a->index);
}

static void read_message(user *d, unsigned at) {
  uint64_t v[2];
  memcpy(v, d->p->buffers + at * NET_BUFFER, sizeof v);
  load(d, (uint64_t)at * NET_EVENT);
  d->owe += d->n->c->mem + d->n->c->step;  // the message; its buffer is posted again
  d->p->got++;
  if ((v[0] & 0xff) == ASKS) {
    answer(d, v[0], v[1]);
  } else {
    unsigned slot = v[0] >> 8 & 0xffff;
    got(d, slot, v[1]);
    d->under[slot]--;
    d->busy--;
  }
}

// True: it had something to do.
static bool serve(user *d) {
  net_proc *p = d->p;
  unsigned messages = 0;
  double now = net_now();
  while (p->first != p->next && p->news[p->first % p->news_size].when <= now) {
    net_news e = p->news[p->first++ % p->news_size];
    if (e.kind == NET_LOG) d->seen = e.end;
    if (e.kind != NET_MSG) continue;
    messages++;
    read_message(d, e.end);
  }
  if (messages) {
    d->owe += 2 * d->n->c->doorbell;  // buffers posted, events taken
    net_read(d->n, p);
  } else if (d->by == COUNT_KV) {
    d->owe += d->n->c->step;
  }
  bool reads = d->seen - p->read >= NODE_LOG_BYTES / 2 || (!d->left && d->seen != p->read);
  if (reads) read_log(d);
  return messages || reads;
}

// ---- who accesses ---------------------------------------------------------------------------------------------------

static void begin(user *d, unsigned slot) {
  visit a = d->what[slot] = counter_visit(d->r, d->p->id, d->r->per - d->left--);
  uint64_t at = word_at(a.to, a.index), page = a.index / COUNTER_WORDS;
  d->owe += d->r->compute;
  d->busy++;
  d->s->inserts++;
  d->under[slot] = d->by == COUNT_RMA ? 2 : 1;
  if (d->by == COUNT_ALLREDUCE) count(d, &d->o->count[d->p->id][a.to * COUNTER_PAGES + page], a.put);
  if (d->by == COUNT_KV) {
    uint64_t head = (uint64_t)d->p->id << 32 | slot << 8 | ASKS;
    post(d, NET_WINDOW, a.to, (net_frame){.kind = NET_MESSAGE, .v = {head, a.index}, .bytes = 16});
    return;
  }
  net_frame f = {.kind = a.put ? NET_PUT : NET_GET, .at = at, .v = {counter_value(a.to, a.index), 0}, .bytes = 8};
  post(d, slot, a.to, f);
  if (d->by != COUNT_RMA) return;
  uint64_t counter =
      node_at(a.to % NODE_PROCS, NODE_BULK) + page * sizeof(counts) + (a.put ? 0 : offsetof(counts, get));
  post(d, slot + NET_WINDOW / 2, a.to, (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = counter, .v = {1, 0}});
}

// A part of an access has come to its end: of a get the value is there.
static void end(user *d, unsigned slot) {
  unsigned first = slot % (NET_WINDOW / 2);
  bool value = slot == first && !d->what[slot].put;
  d->p->slot[slot].ready = 0;
  d->owe += value ? d->n->c->mem : d->n->c->step;
  if (value) got(d, slot, d->p->slot[slot].value);
  if (!--d->under[first]) d->busy--;
}

// With allreduce messages are those of the sums, for which it is too early.
static bool serves(counter_scheme by) { return by == COUNT_AA || by == COUNT_KV; }

static double due(const user *d) {
  const net_proc *p = d->p;
  double at = INFINITY;
  if (!serves(d->by)) return net_slot_due(p);
  if (p->first != p->next && (d->by == COUNT_KV || !d->left)) at = p->news[p->first % p->news_size].when;
  for (unsigned i = p->first; d->by == COUNT_AA && d->left && i != p->next; i++) {
    const net_news *e = &p->news[i % p->news_size];
    if (e->kind == NET_LOG && e->end - p->read >= NODE_LOG_BYTES / 2) return fmin(e->when, net_slot_due(p));
  }
  return fmin(at, net_slot_due(p));
}

static void play(const run *r, net *n, net_proc *p, share *s) {
  user *d = net_must(calloc(1, sizeof *d));
  counter_own *o = n->own;
  *d = (user){
      .r = r, .by = counter_named(r->variant), .n = n, .p = p, .s = s, .o = o, .left = r->per, .line = UINT64_MAX};
  unsigned expected = serves(d->by) ? o->expected[p->id] : 0;
  while (d->left || d->busy || d->done < expected) {
    bool any = serves(d->by) && serve(d);
    unsigned unused = NET_WINDOW;
    for (unsigned i = 0; i < NET_WINDOW; i++)
      if (p->slot[i].ready > 0 && p->slot[i].ready <= net_now()) end(d, i), any = true;
    for (unsigned i = 0; i < r->window && unused == NET_WINDOW; i++)
      if (!d->under[i]) unused = i;
    if (d->left && unused < NET_WINDOW) begin(d, unused), any = true;
    net_spend(d->owe);
    d->owe = 0;
    if (!any) net_wait(p, due(d));
  }
  if (d->by == COUNT_ALLREDUCE) counter_sums(r, n, p);
  free(d);
}

const program counter = {.name = "counter",
                         .most = 1 << 18,
                         .takes = counter_takes,
                         .prepare = counter_prepare,
                         .open = open_words,
                         .play = play,
                         .check = counter_check,
                         .serial = counter_serial};
