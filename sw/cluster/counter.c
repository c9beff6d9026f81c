// SPDX-License-Identifier: Apache-2.0
// Access counter (Active Access 4.2 and 5.2.2): processes read and write 8-byte words at random places of each other,
// and it is to be known how often each page was read and written.
//
//   no-cnt     gets and puts, and nothing counted: the bound
//   aa         pages say "count": the IOMMU keeps a record without data of each access, which the owner counts
//              when the log is half full
//   a-kv       an active key-value store: an access is a message to its owner, who does it, counts it and answers
//   rma        with each access goes a fetch-and-add on the page's counter
//   allreduce  each process counts what it does, of all pages; at the end sums are made of all (counter_sums.c)
//
// All keep `window` accesses under way. Counters and, where processors access them, words lie in
// caches: 128 KB a process.
#include "counter.h"

#include <stdlib.h>
#include <string.h>

#include "counter_sums.h"
#include "tocsin/aa_log.h"

enum { WORDS_BYTES = COUNTER_ALL * 8, ASKS = 0, ANSWERS = 1 };

typedef struct user {
  counter_scheme by;
  counter_own *o;
  visit what[NET_WINDOW];
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

static void count(player *d, counts *c, bool put) {
  ++*(put ? &c->put : &c->get);
  d->owe += d->n->c->step;
}

static void record(player *d, const uint8_t *rec) {
  const user *u = d->own;
  uint64_t head[2];
  memcpy(head, rec, sizeof head);
  uint64_t page = (head[0] - word_at(d->p->id, 0)) / 8 / COUNTER_WORDS;
  count(d, &u->o->count[d->p->id][page], aa_entry_kind(head[1]) == AA_ENTRY_PUT);
  d->done++;
}

// What a key-value store does for a message: [asks or answers, slot, from; index and whether it
// is a put, or the value].
static void answer(player *d, uint64_t head, uint64_t index) {
  const user *u = d->own;
  bool put = index & 1;
  unsigned from = (unsigned)(head >> 32);
  uint64_t *word = &u->o->word[d->p->id][index];
  if (put) *word = counter_value(d->p->id, index);
  d->owe += 2 * d->n->c->step;  // which handler, and the word
  count(d, &u->o->count[d->p->id][index / COUNTER_WORDS], put);
  d->done++;
  player_post(d, NET_WINDOW, from,
              (net_frame){.kind = NET_MESSAGE, .v = {(head & 0xffff00) | ANSWERS, *word}, .bytes = 16});
}

static void got(player *d, unsigned slot, uint64_t value) {
  const visit *a = &((const user *)d->own)->what[slot];
  d->s->wrong += !a->put && value != counter_value(a->to, a->index);
}

static void message(player *d, uint32_t at) {
  uint64_t v[2];
  memcpy(v, d->p->buffers + at * NET_BUFFER, sizeof v);
  player_load(d, (uint64_t)at * NET_EVENT);
  d->owe += d->n->c->mem + d->n->c->step;  // the message; its buffer is posted again
  if ((v[0] & 0xff) == ASKS) {
    answer(d, v[0], v[1]);
  } else {
    unsigned slot = v[0] >> 8 & 0xffff;
    got(d, slot, v[1]);
    d->under[slot]--;
    d->busy--;
  }
}

// ---- who accesses ---------------------------------------------------------------------------------------------------

static bool begin(player *d, unsigned slot) {
  user *u = d->own;
  visit a = u->what[slot] = counter_visit(d->r, d->p->id, d->r->per - d->left--);
  uint64_t at = word_at(a.to, a.index), page = a.index / COUNTER_WORDS;
  d->owe += d->r->compute;
  d->busy++;
  d->s->inserts++;
  d->under[slot] = u->by == COUNT_RMA ? 2 : 1;
  if (u->by == COUNT_ALLREDUCE) count(d, &u->o->count[d->p->id][a.to * COUNTER_PAGES + page], a.put);
  if (u->by == COUNT_KV) {
    uint64_t head = (uint64_t)d->p->id << 32 | slot << 8 | ASKS;
    player_post(d, NET_WINDOW, a.to, (net_frame){.kind = NET_MESSAGE, .v = {head, a.index}, .bytes = 16});
    return true;
  }
  net_frame f = {.kind = a.put ? NET_PUT : NET_GET, .at = at, .v = {counter_value(a.to, a.index), 0}, .bytes = 8};
  player_post(d, slot, a.to, f);
  if (u->by != COUNT_RMA) return true;
  uint64_t counter =
      node_at(a.to % NODE_PROCS, NODE_BULK) + page * sizeof(counts) + (a.put ? 0 : offsetof(counts, get));
  f = (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = counter, .v = {1, 0}};
  player_post(d, slot + NET_WINDOW / 2, a.to, f);
  return true;
}

// A part of an access has come to its end: of a get the value is there.
static void over(player *d, unsigned slot) {
  unsigned first = slot % (NET_WINDOW / 2);
  bool value = slot == first && !((const user *)d->own)->what[slot].put;
  d->owe += value ? d->n->c->mem : d->n->c->step;
  if (value) got(d, slot, d->p->slot[slot].value);
  if (!--d->under[first]) d->busy--;
}

// With allreduce messages are those of the sums, for which it is too early.
static player_ear ear(counter_scheme by) {
  return by == COUNT_AA ? PLAYER_HALF : by == COUNT_KV ? PLAYER_HEARS : PLAYER_DEAF;
}

static void play(const run *r, net *n, net_proc *p) {
  user *u = net_must(calloc(1, sizeof *u));
  *u = (user){.by = counter_named(r->variant), .o = n->own};
  const player_does does = {.begin = begin,
                            .over = over,
                            .message = message,
                            .record = record,
                            .ear = ear(u->by),
                            .looks = u->by == COUNT_KV};
  player d = player_new(r, n, p, &does, u);
  d.left = r->per;
  if (does.ear != PLAYER_DEAF) d.expected = u->o->expected[p->id];
  player_play(&d);
  if (u->by == COUNT_ALLREDUCE) counter_sums(&d, u->o);
  free(u);
}

static const program_does program_of = {.most = 1 << 18,
                                        .takes = counter_takes,
                                        .prepare = counter_prepare,
                                        .open = open_words,
                                        .play = play,
                                        .check = counter_check,
                                        .serial = counter_serial};
const program counter = {"counter", &program_of, NULL, "per compute seed"};
