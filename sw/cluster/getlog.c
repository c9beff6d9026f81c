// SPDX-License-Identifier: Apache-2.0
// Logging of gets (Active Access 4.4 and 5.2.3): processes get 8 bytes from random places of each other; what they got has
// to be kept where it came from, so that a reader that crashes can be brought back.
//
//   no-ft   gets, and nothing kept: the bound
//   aa      pages say that gets are copied to their owner's log; the owner moves records into its archive when the log is
//           half full
//   rma     the reader puts what it got, and where from, into its own part of the owner's archive
//   am      the reader sends it; the owner looks for messages after each step and stores them in its archive
//
// All keep `window` gets under way, and archives end up the same.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mix.h"
#include "run.h"
#include "tocsin/aa_log.h"

enum { WORDS = 1 << 16, LINE = 64 };
typedef enum scheme { NO_FT, BY_AA, BY_RMA, BY_AM, SCHEMES } scheme;
static const char *const scheme_name[SCHEMES] = {"no-ft", "aa", "rma", "am"};

typedef struct kept {
  uint64_t index, value;
} kept;
typedef struct own {
  uint64_t *word[4096];  // of each process: WORDS, then its archive
  unsigned *expected;    // gets of others there
} own;

typedef struct reader {
  const run *r;
  scheme by;
  net *n;
  net_proc *p;
  share *s;
  own *o;
  bool logging[NET_WINDOW];   // the second half of a get
  unsigned get[NET_WINDOW];   // which one
  unsigned left, busy, done;  // gets; gets of others that are in the archive
  uint32_t seen;              // the log's end as it was told
  double owe;
  uint64_t line;
} reader;

static scheme by_name(const char *name) {
  unsigned i = 0;
  while (i < SCHEMES && strcmp(name, scheme_name[i])) i++;
  return (scheme)i;
}

// ---- who gets what ----------------------------------------------------------------------------------------------------

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
  node_map(d, p->who, NODE_TABLE, o->word[p->id], bytes_of(r), by == BY_AA ? NODE_COPY : NODE_PLAIN);
  if (by == BY_AA) node_log(d, p->who, NODE_RING, NODE_POLL, NET_BATCH);
}

// ---- at the owner ---------------------------------------------------------------------------------------------------

static void load(reader *d, uint64_t at) {
  d->owe += at / LINE == d->line ? d->n->c->step : d->n->c->mem;
  d->line = at / LINE;
}

static void keep(reader *d, uint64_t index, uint64_t value) {
  archive_of(d->o, d->p->id)[d->done++] = (kept){index, value};
  d->owe += d->n->c->step;
}

static void move_log(reader *d) {
  net_proc *p = d->p;
  d->owe += d->n->c->mem;  // the pointer
  while (p->read != d->seen) {
    const uint8_t *at = p->ring + p->read % NODE_LOG_BYTES;
    uint64_t head[3];
    memcpy(head, at, sizeof head);
    load(d, p->read);
    if (aa_entry_kind(head[1]) == AA_ENTRY_GET) keep(d, (head[0] - node_at(p->who, NODE_TABLE)) / 8, head[2]);
    p->read += aa_entry_bytes(head[1]);
  }
  d->owe += d->n->c->doorbell;
  net_log_done(d->n, p);
}

// True: it had something to do.
static bool serve(reader *d) {
  const cost *c = d->n->c;
  net_proc *p = d->p;
  double now = net_now();
  unsigned messages = 0;
  for (; p->first != p->next && p->news[p->first % p->news_size].when <= now; p->first++) {
    const net_news *e = &p->news[p->first % p->news_size];
    kept k;
    if (e->kind == NET_LOG) d->seen = e->end;
    if (e->kind != NET_MSG) continue;
    memcpy(&k, p->buffers + e->end * NET_BUFFER, sizeof k);
    load(d, (uint64_t)e->end * NET_EVENT);
    d->owe += c->mem + 2 * c->step;
    keep(d, k.index, k.value);
    p->got++;
    messages++;
  }
  if (messages) {
    d->owe += 2 * c->doorbell;
    net_read(d->n, p);
  } else if (d->by == BY_AM) {
    d->owe += c->step;
  }
  bool moves = d->seen - p->read >= NODE_LOG_BYTES / 2 || (!d->left && d->seen != p->read);
  if (moves) move_log(d);
  return messages || moves;
}

// ---- at the reader --------------------------------------------------------------------------------------------------

static void post(reader *d, unsigned slot, unsigned to, net_frame f) {
  d->owe += 2 * d->n->c->step + d->n->c->doorbell;
  net_spend(d->owe);
  d->owe = 0;
  f.slot = slot;
  f.to = to;
  net_send(d->n, d->p, &f);
}

static void begin(reader *d, unsigned slot) {
  unsigned i = d->r->per - d->left--, to = from(d->r, d->p->id, i);
  d->owe += d->r->compute;
  d->get[slot] = i;
  d->busy++;
  d->s->inserts++;
  post(d, slot, to,
       (net_frame){
           .kind = NET_GET, .at = node_at(to % NODE_PROCS, NODE_TABLE) + 8 * index_of(d->r, d->p->id, i), .bytes = 8});
}

// What was got has come, or what was sent for the archive has arrived.
static void go_on(reader *d, unsigned slot) {
  const run *r = d->r;
  unsigned me = d->p->id, i = d->get[slot], to = from(r, me, i);
  uint64_t index = index_of(r, me, i), value = d->p->slot[slot].value;
  d->p->slot[slot].ready = 0;
  if (d->logging[slot] || d->by == NO_FT || d->by == BY_AA) d->busy--;
  if (d->logging[slot]) {
    d->owe += d->n->c->step;
    d->logging[slot] = false;
    return;
  }
  d->owe += d->n->c->mem;
  d->s->wrong += value != value_of(to, index);
  d->s->digest += fold(to, index, value);
  if (d->by != BY_RMA && d->by != BY_AM) return;
  d->logging[slot] = true;
  uint64_t at = node_at(to % NODE_PROCS, NODE_TABLE) + WORDS * 8 + ((uint64_t)me * r->per + i) * sizeof(kept);
  net_frame f = {.kind = d->by == BY_RMA ? NET_PUT : NET_MESSAGE, .at = at, .v = {index, value}, .bytes = sizeof(kept)};
  post(d, slot, to, f);
}

static double due(const reader *d) {
  const net_proc *p = d->p;
  double at = INFINITY;
  if (p->first != p->next && (d->by == BY_AM || !d->left)) at = p->news[p->first % p->news_size].when;
  for (unsigned i = p->first; d->by == BY_AA && d->left && i != p->next; i++) {
    const net_news *e = &p->news[i % p->news_size];
    if (e->kind == NET_LOG && e->end - p->read >= NODE_LOG_BYTES / 2) return fmin(e->when, net_slot_due(p));
  }
  return fmin(at, net_slot_due(p));
}

static void play(const run *r, net *n, net_proc *p, share *s) {
  reader *d = net_must(calloc(1, sizeof *d));
  own *o = n->own;
  *d = (reader){.r = r, .by = by_name(r->variant), .n = n, .p = p, .s = s, .o = o, .left = r->per, .line = UINT64_MAX};
  unsigned expected = d->by == BY_AA || d->by == BY_AM ? o->expected[p->id] : 0;
  while (d->left || d->busy || d->done < expected) {
    bool any = serve(d);
    unsigned unused = NET_WINDOW;
    for (unsigned i = 0; i < r->window; i++) {
      if (p->slot[i].ready > 0 && p->slot[i].ready <= net_now()) go_on(d, i), any = true;
      if (p->slot[i].ready <= 0) unused = i;
    }
    if (d->left && unused < NET_WINDOW) begin(d, unused), any = true;
    net_spend(d->owe);
    d->owe = 0;
    if (!any) net_wait(p, due(d));
  }
  free(d);
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

const program getlog = {.name = "getlog",
                        .most = 1 << 18,
                        .takes = takes,
                        .prepare = prepare,
                        .open = open_words,
                        .play = play,
                        .check = check,
                        .serial = serial};
