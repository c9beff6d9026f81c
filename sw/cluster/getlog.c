// SPDX-License-Identifier: Apache-2.0
// Logging of gets (Active Access 4.4 and 5.2.3): processes get 8 bytes from random places of each other; what they got
// has to be kept where it came from, so that a reader that crashes can be brought back.
//
//   no-ft   gets, and nothing kept: the bound
//   aa      pages say that gets are copied to their owner's log; the owner moves records into its archive when
//           the log is half full
//   rma     the reader puts what it got, and where from, into its own part of the owner's archive
//   am      the reader sends it; the owner looks for messages after each step and stores them in its archive
//
// All keep `window` gets under way, and archives end up the same.
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "mix.h"
#include "player.h"

enum { WORDS = 1 << 16 };
typedef enum scheme { NO_FT, BY_AA, BY_RMA, BY_AM, SCHEMES } scheme;
static const char *const scheme_name[SCHEMES + 1] = {"no-ft", "aa", "rma", "am"};

typedef struct kept {
  uint64_t index, value;
} kept;
typedef struct own {
  uint64_t *word[4096];  // of each process: WORDS, then its archive
  unsigned *expected;    // gets of others there
} own;

typedef struct reader {
  scheme by;
  own *o;
  bool logging[NET_WINDOW];  // the second half of a get
  unsigned get[NET_WINDOW];  // which one
} reader;

static scheme by_name(const char *name) { return (scheme)choice_index(scheme_name, name); }

// ---- who gets what --------------------------------------------------------------------------------------------------

static uint64_t draw(const run *r, unsigned id, unsigned i) {
  return app_mix(app_mix(r->seed ^ (uint64_t)id << 32) + i);
}
static unsigned from(const run *r, unsigned id, unsigned i) {
  return (id + 1 + (unsigned)(draw(r, id, i) >> 32) % (r->procs - 1)) % r->procs;
}
static uint64_t index_of(const run *r, unsigned id, unsigned i) { return draw(r, id, i) % WORDS; }
static uint64_t value_of(unsigned id, uint64_t index) { return app_mix((uint64_t)id << 32 | index); }
static uint64_t fold(unsigned id, uint64_t index, uint64_t value) {
  return app_mix(value ^ app_mix((uint64_t)id << 20 | index));
}
static size_t bytes_of(const run *r) { return WORDS * sizeof(uint64_t) + (size_t)r->procs * r->per * sizeof(kept); }
static kept *archive_of(const own *o, unsigned id) { return (kept *)(void *)(o->word[id] + WORDS); }

static bool takes(const run *r, const char **why) {
  *why = by_name(r->variant) == SCHEMES            ? "no such variant of getlog"
         : r->procs < 2 || r->procs > 4096         ? "procs: 2 to 4096"
         : r->window < 1 || r->window > NET_WINDOW ? "window: 1 to 64"
                                                   : NULL;
  return !*why;
}

static bool prepare(const run *r, net *n) {
  own *o = calloc(1, sizeof *o);
  n->own = o;
  if (!o || !(o->expected = calloc(r->procs, sizeof *o->expected))) return false;
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < r->per; i++) o->expected[from(r, id, i)]++;
  return true;
}

static void open_words(const run *r, net *n, net_proc *p) {
  own *o = n->own;
  node *d = n->node[p->node];
  scheme by = by_name(r->variant);
  o->word[p->id] = net_must(calloc(1, bytes_of(r)));
  for (uint64_t i = 0; i < WORDS; i++) o->word[p->id][i] = value_of(p->id, i);
  const size_t reached = by == BY_RMA ? bytes_of(r) : WORDS * sizeof(uint64_t);  // of all others the owner archives
  node_map(d, p->who, NODE_TABLE, o->word[p->id], reached, by == BY_AA ? NODE_COPY : NODE_PLAIN);
  if (by == BY_AA) node_log(d, p->who, NODE_RING, NODE_POLL, NET_BATCH);
}

// ---- at the owner ---------------------------------------------------------------------------------------------------

static void keep(player *d, uint64_t index, uint64_t value) {
  const reader *u = d->own;
  archive_of(u->o, d->p->id)[d->done++] = (kept){index, value};
  d->owe += d->n->c->step;
}

static void record(player *d, const uint8_t *rec) {
  uint64_t head[3];
  memcpy(head, rec, sizeof head);
  keep(d, (head[0] - node_at(d->p->who, NODE_TABLE)) / 8, head[2]);
}

static void message(player *d, uint32_t at) {
  const cost *c = d->n->c;
  kept k;
  memcpy(&k, d->p->buffers + at * NET_BUFFER, sizeof k);
  player_load(d, (uint64_t)at * NET_EVENT);
  d->owe += c->mem + 2 * c->step;
  keep(d, k.index, k.value);
}

// ---- at the reader --------------------------------------------------------------------------------------------------

static bool begin(player *d, unsigned slot) {
  reader *u = d->own;
  unsigned i = d->r->per - d->left--, to = from(d->r, d->p->id, i);
  uint64_t at = node_at(to % NODE_PROCS, NODE_TABLE) + 8 * index_of(d->r, d->p->id, i);
  d->owe += d->r->compute;
  u->get[slot] = i;
  d->under[slot] = 1;
  d->busy++;
  d->s->inserts++;
  player_post(d, slot, to, (net_frame){.kind = NET_GET, .at = at, .bytes = 8});
  return true;
}

static void end(player *d, unsigned slot) {
  d->under[slot] = 0;
  d->busy--;
}

// What was got has come, or what was sent for the archive has arrived.
static void over(player *d, unsigned slot) {
  reader *u = d->own;
  const run *r = d->r;
  unsigned me = d->p->id, i = u->get[slot], to = from(r, me, i);
  uint64_t index = index_of(r, me, i), value = d->p->slot[slot].value;
  if (u->logging[slot]) {
    d->owe += d->n->c->step;
    u->logging[slot] = false;
    end(d, slot);
    return;
  }
  d->owe += d->n->c->mem;
  d->s->wrong += value != value_of(to, index);
  d->s->digest += fold(to, index, value);
  if (u->by != BY_RMA && u->by != BY_AM) {
    end(d, slot);
    return;
  }
  u->logging[slot] = true;
  uint64_t at = node_at(to % NODE_PROCS, NODE_TABLE) + WORDS * 8 + ((uint64_t)me * r->per + i) * sizeof(kept);
  net_frame f = {.kind = u->by == BY_RMA ? NET_PUT : NET_MESSAGE, .at = at, .v = {index, value}, .bytes = sizeof(kept)};
  player_post(d, slot, to, f);
}

static player_ear ear(scheme by) { return by == BY_AA ? PLAYER_HALF : by == BY_AM ? PLAYER_HEARS : PLAYER_DEAF; }

static void play(const run *r, net *n, net_proc *p) {
  reader *u = net_must(calloc(1, sizeof *u));
  *u = (reader){.by = by_name(r->variant), .o = n->own};
  const player_does does = {.begin = begin,
                            .over = over,
                            .message = message,
                            .record = record,
                            .ear = ear(u->by),
                            .looks = u->by == BY_AM,
                            .highest = true};
  player d = player_new(r, n, p, &does, u);
  d.left = r->per;
  if (does.ear != PLAYER_DEAF) d.expected = u->o->expected[p->id];
  player_play(&d);
  free(u);
}

// ---- the result -----------------------------------------------------------------------------------------------------

// What each archive holds is what was got there.
static void check(const run *r, net *n, net_proc *p, share *s) {
  own *o = n->own;
  const kept *k = archive_of(o, p->id);
  uint64_t found = 0;
  for (size_t i = 0; i < (size_t)r->procs * r->per; i++) {
    if (!k[i].value) continue;
    found++;
    s->digest += fold(p->id, k[i].index, k[i].value);
  }
  if (by_name(r->variant) != NO_FT) s->wrong += found != o->expected[p->id];
}

static uint64_t serial(const run *r) {
  uint64_t digest = 0;
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < r->per; i++) {
      unsigned to = from(r, id, i);
      digest += fold(to, index_of(r, id, i), value_of(to, index_of(r, id, i)));
    }
  return by_name(r->variant) == NO_FT ? digest : 2 * digest;
}

static const program_does program_of = {.most = 1 << 18,
                                        .takes = takes,
                                        .prepare = prepare,
                                        .open = open_words,
                                        .play = play,
                                        .check = check,
                                        .serial = serial};
const program getlog = {"getlog", &program_of, NULL, "per compute seed"};
