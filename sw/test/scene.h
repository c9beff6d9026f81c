// SPDX-License-Identifier: Apache-2.0
/* What the tests of the software share: checks, options of the command line, two machines that are connected. */
#ifndef TOCSIN_SCENE_H
#define TOCSIN_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "tocsin/active.h"

#define IS(x, want) STATUS_IS(toc_status, x, #x, want, toc_name, toc_why())
#define OK(x) STATUS_IS(toc_status, x, #x, TOC_OK, toc_name, toc_why())

static const char *backend = "model";
static uint64_t seed = 1;
static unsigned seats;  // of queue pairs in the NIC; the others lie in memory
static bool slow;       // the backend simulates hardware: less of everything, and no long silence

static inline unsigned scene_few(unsigned n) { return slow ? (n + 7) / 8 : n; }

static inline void scene_options(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 0);
    if (!strcmp(argv[i], "--backend")) backend = argv[i + 1];
    if (!strcmp(argv[i], "--places")) seats = (unsigned)strtoul(argv[i + 1], NULL, 0);
  }
  slow = !strcmp(backend, "rtl");
}

/* a on node 0 and b on node 1, connected both ways; a page of memory each, b's exposed. */
typedef struct scene {
  toc_fabric *f;
  toc_proc *a, *b;
  toc_qp *ab, *ba;
  uint8_t *near, *far;
  toc_remote there;
} scene;

static inline bool scene_open(scene *s, const toc_options *o) {
  toc_options with = o ? *o : (toc_options){0};
  memset(s, 0, sizeof *s);
  with.backend = backend;
  with.seed = seed;
  with.nodes = 2;
  if (!with.places) with.places = seats;
  OK(toc_open(&with, &s->f));
  if (!s->f) return false;
  OK(toc_proc_open(toc_node_at(s->f, 0), &s->a));
  OK(toc_proc_open(toc_node_at(s->f, 1), &s->b));
  OK(toc_connect(s->a, s->b, &s->ab, &s->ba));
  OK(toc_alloc(s->a, 16384, TOC_READ | TOC_WRITE, (void **)&s->near));
  OK(toc_alloc(s->b, 16384, TOC_READ | TOC_WRITE, (void **)&s->far));
  OK(toc_expose(s->b, s->far, 16384, TOC_READ | TOC_WRITE | TOC_ATOMIC, &s->there));
  return s->near && s->far && s->ab;
}

/* A link that cannot be: why it cannot is said, with this word. */
static inline void scene_link_refused(const char *link, toc_status want, const char *word) {
  toc_fabric *f;
  IS(toc_open(&(toc_options){.backend = backend, .link = link}, &f), want);
  EQ(f != NULL, 0);
  if (!strstr(toc_why(), word)) printf("%s: %s\n", link, toc_why());
  EQ(strstr(toc_why(), word) != NULL, 1);
}

static inline void scene_close(scene *s) { toc_close(s->f); }

static inline uint32_t scene_random(uint64_t *r) {
  *r ^= *r << 13;
  *r ^= *r >> 7;
  *r ^= *r << 17;
  return (uint32_t)(*r >> 16);
}

#endif
