// SPDX-License-Identifier: Apache-2.0
// What came of each case; the frames of one that failed, as the node has sent and seen them.
#include <stdlib.h>
#include <string.h>

#include "rxe.h"
#include "tocsin/pcapng.h"

enum { NAME = 32 };

typedef struct row {
  char backend[NAME], name[NAME], why[RIG_WHY], pcap[340];
  unsigned path, mtu, loss, astray;
  uint64_t frames, lost, ns;
  bool good;
} row;

typedef struct kept { /* a frame of the case that runs */
  struct kept *next;
  uint64_t ns;
  size_t n;
  bool in;
  uint8_t bytes[];
} kept;

struct report {
  const char *dir;
  row *r;
  unsigned n, room;
  kept *first, **last;
  uint64_t begin_ns;
};

const char *const path_name[PATHS] = {"ip4", "ip6", "vlan4", "vlan6"};

static void *must(void *p) {
  if (!p) abort();
  return p;
}

report *report_new(const char *dir) {
  report *p = must(calloc(1, sizeof *p));
  p->dir = dir;
  p->last = &p->first;
  return p;
}

static void forget(report *p) {
  for (kept *k = p->first, *next; k; k = next) {
    next = k->next;
    free(k);
  }
  p->first = NULL;
  p->last = &p->first;
}

void report_begin(report *p, const char *backend, const char *name, unsigned path, unsigned mtu, unsigned loss) {
  if (p->n == p->room) p->r = must(realloc(p->r, (p->room = 2 * p->room + 64) * sizeof *p->r));
  row *r = &p->r[p->n++];
  *r = (row){.path = path, .mtu = mtu, .loss = loss};
  snprintf(r->backend, NAME, "%s", backend);
  snprintf(r->name, NAME, "%s", name);
  forget(p);
  p->begin_ns = 0;
}

static unsigned be16(const uint8_t *b) { return (unsigned)b[0] << 8 | b[1]; }

/* A frame of the node goes another way than it should: over the other IP, without its tag, with another one. */
static bool strays(const row *r, const uint8_t *b, size_t n) {
  enum { MACS = 12, ETH = 14, TAG_BYTES = 4, TYPE_TAG = 0x8100, TYPE_IP4 = 0x0800, TYPE_IP6 = 0x86dd };
  if (n < ETH + TAG_BYTES) return true;
  unsigned at = be16(b + MACS) == TYPE_TAG ? MACS + TAG_BYTES : MACS;
  return be16(b + at) != (r->path & PATH_IP6 ? TYPE_IP6 : TYPE_IP4) ||
         (at == MACS ? 0 : be16(b + ETH)) != (r->path & PATH_VLAN ? TAG : 0);
}

/* Under the fabric's lock, in whichever thread makes progress; between report_begin and report_end nothing
 * else touches the list. */
void report_see(void *ctx, const toc_seen *s) {
  report *p = ctx;
  if (!p->n || (s->kind != TOC_SEEN_FRAME && s->kind != TOC_SEEN_FRAME_IN)) return;
  kept *k = must(malloc(sizeof *k + s->bytes));
  *k = (kept){.ns = s->ns, .n = s->bytes, .in = s->kind == TOC_SEEN_FRAME_IN};
  memcpy(k->bytes, s->data, s->bytes);
  *p->last = k;
  p->last = &k->next;
  row *r = &p->r[p->n - 1];
  r->frames++;
  r->astray += s->kind == TOC_SEEN_FRAME && strays(r, s->data, s->bytes);
  if (!p->begin_ns) p->begin_ns = s->ns;
  r->ns = s->ns - p->begin_ns;
}

static void save(report *p, row *r) {
  static const char *const name[] = {"node"};
  pcapng out;
  snprintf(r->pcap, sizeof r->pcap, "%s/rxe-%s-%s-%s-%u-%u.pcapng", p->dir, r->backend, r->name, path_name[r->path],
           r->mtu, r->loss);
  FILE *f = fopen(r->pcap, "wb");
  if (!f) {
    perror(r->pcap);
    return;
  }
  bool good = !pcapng_open(&out, f, name, 1);
  for (const kept *k = p->first; k && good; k = k->next)
    good = !pcapng_frame(&out, 0, k->ns, k->in ? PCAPNG_IN : PCAPNG_OUT, k->bytes, k->n);
  if (fclose(f) || !good) fprintf(stderr, "%s cannot be written\n", r->pcap);
}

static void show(const row *r) {
  printf("%-4s %-8s %-14s %-8s mtu %4u  loss %u %%  %6llu frames, %3llu lost, %9.3f ms\n", r->good ? "ok" : "FAIL",
         r->backend, r->name, path_name[r->path], r->mtu, r->loss, (unsigned long long)r->frames,
         (unsigned long long)r->lost, (double)r->ns / 1e6);
  if (!r->good) printf("     %s\n     frames: %s\n", r->why, *r->pcap ? r->pcap : "none");
  fflush(stdout);
}

void report_end(report *p, const char *why, uint64_t lost) {
  row *r = &p->r[p->n - 1];
  r->lost = lost;
  snprintf(r->why, sizeof r->why, "%s", why);
  if (!*why && r->astray) snprintf(r->why, sizeof r->why, "%u frames of the node go another way", r->astray);
  r->good = !*r->why;
  if (!r->good) save(p, r);
  forget(p);
  show(r);
}

static void text(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') fputc('\\', f);
    fputc((unsigned char)*s < ' ' ? ' ' : *s, f);
  }
  fputc('"', f);
}

unsigned report_close(report *p) {
  char name[300];
  unsigned bad = 0;
  snprintf(name, sizeof name, "%s/rxe.json", p->dir);
  FILE *f = fopen(name, "w");
  for (unsigned i = 0; i < p->n; i++) bad += !p->r[i].good;
  if (f) {
    fprintf(f, "{\"cases\": %u, \"failed\": %u, \"rows\": [", p->n, bad);
    for (unsigned i = 0; i < p->n; i++) {
      const row *r = &p->r[i];
      fprintf(f,
              "%s\n  {\"backend\": \"%s\", \"case\": \"%s\", \"path\": \"%s\", \"mtu\": %u, \"loss\": %u, \"frames\": "
              "%llu, \"lost\": "
              "%llu, \"ns\": %llu, \"ok\": %s",
              i ? "," : "", r->backend, r->name, path_name[r->path], r->mtu, r->loss, (unsigned long long)r->frames,
              (unsigned long long)r->lost, (unsigned long long)r->ns, r->good ? "true" : "false");
      if (!r->good) {
        fputs(", \"why\": ", f);
        text(f, r->why);
        fputs(", \"pcapng\": ", f);
        text(f, r->pcap);
      }
      fputc('}', f);
    }
    fputs("\n]}\n", f);
  }
  if (!f || fclose(f)) {
    perror(name);
    bad++;
  }
  printf("%u cases, %u failed; %s\n", p->n, bad, name);
  forget(p);
  free(p->r);
  free(p);
  return bad;
}
