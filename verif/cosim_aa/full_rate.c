// SPDX-License-Identifier: Apache-2.0
// Plays a recorded workload on the hardware as fast as it goes, and measures that. What must come out must still come,
// but nobody waits for it who need not: TLPs of devices follow each other at once; a completion waits for the request
// that it answers; software (registers) and rests wait for all, and so does what follows a flush: it is there to wait
// for. Memory is written when the trace says so.
//
// In the record every read was answered before the next one left, so all had the same few tags.
// Here each gets one of its own.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "hw_config.h"
#include "tocsin/trace.h"

enum { LIMIT = 100000, TAGS = 256, TRACE_TAGS = 1024 };

// What must come out, or a completion that waits for its request.
typedef struct due {
  struct due *next;
  pkt *p;
  unsigned line;
  unsigned tag;  // of a completion that waits, and of the request that it waits for
} due;

typedef struct list {
  due *head, **tail;
} list;

typedef struct full_rate {
  bench *b;
  const char *file;
  unsigned line;
  list host, dev[BENCH_PORTS], answers;
  unsigned now[TRACE_TAGS];  // the tag that one of the trace's stands for, plus 1
  unsigned owed[TAGS];       // completions for the device that have been read of the trace and have not come
  bool taken[TAGS];          // from its request until the trace has it anew
  bool left[TAGS];           // the request has left for the host
  bool sent[TAGS];           // the trace has it leave for the host
  unsigned next_tag;
  bool busy;
  uint64_t since, cycles, tlps, bytes;  // of what went in, from the device and from the host
  uint64_t beats[4];                    // of the streams: device in, host in, to the host, to the device
} full_rate;

static void wrong(full_rate *r, unsigned line, const char *what) {
  bench_fail(r->b, "trace", "%s:%u: %s", r->file, line, what);
}

static void add(list *l, pkt *p, unsigned line, unsigned tag) {
  due *d = malloc(sizeof *d);
  if (!d) abort();
  *d = (due){.p = p, .line = line, .tag = tag};
  *l->tail = d;
  l->tail = &d->next;
}

static pkt *take(list *l, due **at) {
  due *d = *at;
  pkt *p = d->p;
  *at = d->next;
  if (l->tail == &d->next) l->tail = at;
  free(d);
  return p;
}

static bool is_completion(const uint32_t hdr[4]) { return (tlp_type(hdr) & 0x1e) == 0x0a; }

static bool is_posted(const uint32_t hdr[4]) {
  uint8_t type = tlp_type(hdr);
  return ((type & TLP_HAS_DATA) && !(type & 0x1f)) || (type & 0x38) == 0x30;
}

static unsigned tag_of(const uint32_t hdr[4]) { return is_completion(hdr) ? tlp_cpl_tag(hdr) : tlp_req_tag(hdr); }

static void set_tag(uint32_t hdr[4], unsigned tag) {
  tlp_fields f;
  tlp_parse(hdr, &f);
  f.tag = (uint16_t)tag;
  tlp_pack(&f, hdr);
}

// ---- a cycle, and what has come of it
static bool same(const pkt *a, const pkt *b) {
  size_t head = a->hdr[0] >> 29 & 1 ? 16 : 12;
  return !memcmp(a->hdr, b->hdr, head) && a->ndw == b->ndw && !memcmp(a->data, b->data, 4 * (size_t)a->ndw);
}

// The first of the expected that is this. Requests of several tags may overtake each other.
static void match(full_rate *r, list *l, pkt *got, bool for_host) {
  due **at = &l->head;
  while (*at && !same((*at)->p, got)) at = &(*at)->next;
  if (!*at) {
    char text[200], what[300];
    snprintf(what, sizeof what, "%s, which is not what is expected for %s", pkt_text(got, text, sizeof text),
             for_host ? "the host" : "the device");
    wrong(r, l->head ? l->head->line : r->line, what);
  } else {
    pkt_free(take(l, at));
    unsigned tag = tag_of(got->hdr) % TAGS;
    if (for_host && !is_posted(got->hdr)) r->left[tag] = true;
    if (!for_host) r->owed[tag]--;
  }
  pkt_free(got);
}

static void release(full_rate *r) {
  for (due **at = &r->answers.head; *at;)
    if (r->left[(*at)->tag])
      pktq_push(&r->b->cpl_q, take(&r->answers, at));
    else
      at = &(*at)->next;
}

static void step(full_rate *r) {
  bench *b = r->b;
  bench_step(b);
  while (b->host_seen.head && !b->failed) match(r, &r->host, pktq_pop(&b->host_seen), true);
  for (unsigned i = 0; i < b->hw.NumPorts; i++)
    while (b->dev_seen[i].head && !b->failed) match(r, &r->dev[i], pktq_pop(&b->dev_seen[i]), false);
  release(r);
}

static const due *missing(const full_rate *r) {
  if (r->host.head) return r->host.head;
  for (unsigned i = 0; i < BENCH_PORTS; i++)
    if (r->dev[i].head) return r->dev[i].head;
  return r->answers.head;
}

// Until all that is expected has come.
static void settle(full_rate *r) {
  const due *d;
  for (unsigned i = 0; (d = missing(r)) && !r->b->failed; i++) {
    if (i == LIMIT) wrong(r, d->line, "this never comes");
    step(r);
  }
  if (!r->busy) return;
  r->busy = false;
  r->cycles += r->b->cycle - r->since;
}

// ---- records
static pkt *packet(const aa_trace_rec *t) {
  uint32_t ndw = (t->bytes + 3) / 4;
  pkt *p = pkt_new(ndw + 32);
  memcpy(p->hdr, t->hdr, sizeof p->hdr);
  memset(p->data, 0, 4 * (size_t)p->room);
  memcpy(p->data, t->data, t->bytes);
  p->ndw = ndw;
  p->seq = t->seq;
  return p;
}

static void count_beats(full_rate *r, unsigned stream, const aa_trace_rec *t) {
  uint32_t width = r->b->hw.DataW / 8;
  r->beats[stream] += t->bytes ? (t->bytes + width - 1) / width : 1;
}

static void goes_in(full_rate *r, const aa_trace_rec *t) {
  count_beats(r, t->kind == AA_TRACE_CPL, t);
  r->tlps++;
  r->bytes += t->bytes;
  if (r->busy) return;
  r->busy = true;
  r->since = r->b->cycle;
}

// A tag for a request, none that is in use.
static unsigned fresh(full_rate *r, unsigned old) {
  if (r->now[old]) r->taken[r->now[old] - 1] = false;
  for (unsigned i = 0; i < LIMIT && !r->b->failed; i++) {
    for (unsigned k = 0; k < TAGS; k++) {
      unsigned tag = r->next_tag++ % TAGS;
      if (r->taken[tag] || r->owed[tag]) continue;
      r->taken[tag] = true;
      r->left[tag] = r->sent[tag] = false;
      r->now[old] = tag + 1;
      return tag;
    }
    step(r);
  }
  wrong(r, r->line, "no tag becomes free");
  return 0;
}

static unsigned renamed(full_rate *r, const pkt *p) {
  unsigned tag = r->now[tag_of(p->hdr)];
  if (!tag) wrong(r, r->line, "a tag that no request has had");
  return tag ? tag - 1 : 0;
}

static void request(full_rate *r, const aa_trace_rec *t) {
  pkt *p = packet(t);
  if (!is_posted(p->hdr) && !is_completion(p->hdr)) set_tag(p->hdr, fresh(r, tag_of(p->hdr)));
  goes_in(r, t);
  pktq_push(&r->b->dev_q[t->port], p);
}

static void completion(full_rate *r, const aa_trace_rec *t) {
  pkt *p = packet(t);
  unsigned tag = renamed(r, p);
  set_tag(p->hdr, tag);
  goes_in(r, t);
  add(&r->answers, p, r->line, tag);
}

static void comes_out(full_rate *r, const aa_trace_rec *t) {
  pkt *p = packet(t);
  bool host = t->kind == AA_TRACE_EXP_HOST, flush = false;
  if (!is_posted(p->hdr)) {
    unsigned tag = renamed(r, p);
    set_tag(p->hdr, tag);
    if (host)
      r->sent[tag] = true;
    else
      r->owed[tag]++;
    flush = !host && !r->sent[tag] && p->ndw;  // data that no host gave
  }
  count_beats(r, host ? 2 : 3, t);
  add(host ? &r->host : &r->dev[t->port], p, r->line, 0);
  if (flush) settle(r);
}

static void registers(full_rate *r, const aa_trace_rec *t) {
  bench *b = r->b;
  settle(r);
  if (t->kind == AA_TRACE_REG_WRITE) {
    bench_write(b, (uint32_t)t->addr, t->size, t->value);
    return;
  }
  for (unsigned i = 0; i < LIMIT / 10 && !b->failed; i++) {
    uint64_t v = bench_read(b, (uint32_t)t->addr, t->size);
    if (!((v ^ t->value) & t->mask)) return;
    if (t->kind == AA_TRACE_REG_READ) break;
    bench_run(b, 10);
  }
  wrong(r, r->line, "the register is not what it must be");
}

static void play(full_rate *r, const aa_trace_rec *t) {
  switch (t->kind) {
    case AA_TRACE_REG_READ:
    case AA_TRACE_REG_WRITE:
    case AA_TRACE_WAIT_REG: registers(r, t); break;
    case AA_TRACE_MEM: bench_poke(r->b, t->addr, t->data, t->bytes); break;
    case AA_TRACE_DEV: request(r, t); break;
    case AA_TRACE_CPL: completion(r, t); break;
    case AA_TRACE_EXP_HOST:
    case AA_TRACE_EXP_DEV: comes_out(r, t); break;
    case AA_TRACE_QUIET:
    case AA_TRACE_EXP_NONE:
      settle(r);
      if (!bench_quiet(r->b, LIMIT)) wrong(r, r->line, "never quiet");
      break;
    case AA_TRACE_HOST_MODE:
      host_mode_of(r->b)->manual = true;
      if (t->value)
        wrong(r, r->line, "only what was recorded with the host's completions can be played as fast as it goes");
      break;
    case AA_TRACE_CLOCK: break;
    default: wrong(r, r->line, "a record that no recorded workload has");
  }
}

// A line of scripts/bench.py.
static void tell(const full_rate *r, const char *what, double value, const char *unit, double limit) {
  const char *name = strrchr(r->file, '/') ? strrchr(r->file, '/') + 1 : r->file;
  int n = (int)strcspn(name, ".");
  printf("{\"name\": \"recorded %.*s: %s\", \"value\": %.6g, \"unit\": \"%s\", \"limit\": ", n, name, what, value,
         unit);
  printf("%.6g, \"op\": null, \"target\": null}\n", limit);
}

// The limit is one beat a cycle of the busiest stream.
static void tell_all(const full_rate *r) {
  double c = r->cycles ? (double)r->cycles : 1, least = 1;
  for (unsigned i = 0; i < 4; i++)
    if ((double)r->beats[i] > least) least = (double)r->beats[i];
  tell(r, "cycles with TLPs under way", (double)r->cycles, "cycles", least);
  tell(r, "TLPs in", (double)r->tlps / c, "per cycle", (double)r->tlps / least);
  tell(r, "payload in", (double)r->bytes / c, "bytes a cycle", (double)r->bytes / least);
}

static void lists_free(full_rate *r) {
  list *all[BENCH_PORTS + 2] = {&r->host, &r->answers};
  for (unsigned i = 0; i < BENCH_PORTS; i++) all[2 + i] = &r->dev[i];
  for (unsigned i = 0; i < BENCH_PORTS + 2; i++)
    while (all[i]->head) pkt_free(take(all[i], &all[i]->head));
}

int cosim_full_rate(const cosim_options *o, const char *file) {
  FILE *f = fopen(file, "r");
  if (!f) {
    perror(file);
    return 2;
  }
  aa_config hw;
  hw_config(&hw);
  aa_trace t;
  aa_trace_rec *rec = malloc(sizeof *rec);
  full_rate *r = calloc(1, sizeof *r);
  if (!rec || !r) abort();
  r->file = file;
  r->b = bench_new(BENCH_RTL, &hw, o->seed, o->wave);
  if (!r->b) return 2;
  r->b->keep = true;
  r->host.tail = &r->host.head;
  r->answers.tail = &r->answers.head;
  for (unsigned i = 0; i < BENCH_PORTS; i++) r->dev[i].tail = &r->dev[i].head;
  aa_trace_open(&t, f);
  int s;
  while (!r->b->failed && (s = aa_trace_read(&t, rec)) != 0) {
    r->line = t.line;
    if (s < 0)
      wrong(r, t.line, t.why);
    else
      play(r, rec);
  }
  if (!r->b->failed) settle(r);
  bool failed = r->b->failed;
  if (failed)
    result_again(o->self, o->config, o->wave, BENCH_RTL);
  else
    tell_all(r);
  lists_free(r);
  bench_free(r->b);
  free(rec);
  free(r);
  fclose(f);
  return failed;
}
