// SPDX-License-Identifier: Apache-2.0
// A node of the model takes at most 2 MiB besides its memory (toc_options.node_bytes): what more nodes allocate, with a
// process each and after traffic that has filled what grows. Of its memory the library takes a part as well (rings,
// tables of addresses), at most 1 MiB.
#include <malloc.h>

#include "internal.h"
#include "scene.h"

#if defined(__SANITIZE_ADDRESS__)
size_t __sanitizer_get_current_allocated_bytes(void);  // its header is not everywhere
#endif

enum { FEW = 2, MANY = 10, LIMIT = 2 << 20, MINE = 1 << 18, PUT = 4096, UNDER_WAY = 48, TURNS = 200 };

static size_t dma;  // bytes of the nodes' memory that somebody has

static toc_status counted_alloc(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  toc_status s = toc_backend_model.dma_alloc(self, node, bytes, align, m);
  if (s == TOC_OK) dma += m->bytes;
  return s;
}

static void counted_free(void *self, unsigned node, const toc_dma *m) {
  dma -= m->bytes;
  toc_backend_model.dma_free(self, node, m);
}

static size_t heap(void) {
#if defined(__SANITIZE_ADDRESS__)
  return __sanitizer_get_current_allocated_bytes();
#else
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
#endif
}

/* Each node puts to the next one, over a link that loses some. */
static void traffic(toc_qp **q, uint8_t **mine, const toc_remote *there, unsigned nodes) {
  toc_req r[MANY][UNDER_WAY];
  for (unsigned turn = 0; turn < TURNS && !failed; turn++)
    for (unsigned i = 0; i < nodes; i++) {
      toc_req *at = &r[i][turn % UNDER_WAY];
      if (turn >= UNDER_WAY) OK(toc_wait(*at, 0));
      OK(toc_put(q[i], mine[i], toc_at(there[(i + 1) % nodes], MINE / 2), PUT, at));
    }
  for (unsigned i = 0; i < nodes; i++) OK(toc_wait_all(q[i], 0));
}

typedef struct bytes {
  size_t heap, dma;
} bytes;

/* What a fabric of so many nodes takes, without what its user has asked for. */
static bytes taken(unsigned nodes) {
  toc_fabric *f;
  toc_proc *p[MANY];
  toc_qp *q[MANY];
  uint8_t *mine[MANY];
  toc_remote there[MANY];
  const size_t before = heap();
  dma = 0;
  OK(toc_open(&(toc_options){.backend = "counted", .nodes = nodes, .seed = seed, .drop = 20}, &f));
  if (failed) return (bytes){0};
  for (unsigned i = 0; i < nodes; i++) {
    OK(toc_proc_open(toc_node_at(f, i), &p[i]));
    OK(toc_alloc(p[i], MINE, TOC_READ | TOC_WRITE, (void **)&mine[i]));
    OK(toc_expose(p[i], mine[i], MINE, TOC_WRITE, &there[i]));
  }
  for (unsigned i = 0; i < nodes && !failed; i++) OK(toc_connect(p[i], p[(i + 1) % nodes], &q[i], NULL));
  if (!failed) traffic(q, mine, there, nodes);
  bytes all = {heap() - before, dma - (size_t)nodes * MINE};
  toc_close(f);
  EQ(dma, 0);
  return all;
}

int main(int argc, char **argv) {
  static toc_backend counted;
  scene_options(argc, argv);
  counted = toc_backend_model;
  counted.name = "counted";
  counted.dma_alloc = counted_alloc;
  counted.dma_free = counted_free;
  OK(toc_backend_add(&counted));
  bytes few = taken(FEW), many = taken(MANY);
  const size_t each = (many.heap - few.heap) / (MANY - FEW), own = (many.dma - few.dma) / (MANY - FEW);
  printf("a node takes %zu bytes besides its memory, and %zu of its memory\n", each, own);
  CHECK(each > LIMIT / 8 && each <= LIMIT); /* less than that are its frames alone: nothing was counted */
  CHECK(own > LIMIT / 64 && own <= LIMIT / 2);
  return report();
}
