// SPDX-License-Identifier: Apache-2.0
// What a put costs the golden model and the library: N puts of 8 bytes between two nodes of one process, so many under
// way. For callgrind, whose count does not depend on what else the machine does: `make bench-put`.
#include <stdio.h>
#include <stdlib.h>

#include "tocsin/tocsin.h"

enum { MOST = 64 };

#define OK(call)                                                        \
  do {                                                                  \
    if ((call) != TOC_OK) return fprintf(stderr, "%s\n", toc_why()), 1; \
  } while (0)

int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
  const unsigned under_way = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 16;
  toc_fabric *f;
  toc_proc *p[2];
  toc_qp *q;
  uint64_t *from, *to;
  toc_remote far;
  toc_req r[MOST];
  if (!under_way || under_way > MOST) return 2;
  OK(toc_open(&(toc_options){.nodes = 2}, &f));
  for (unsigned i = 0; i < 2; i++) OK(toc_proc_open(toc_node_at(f, i), &p[i]));
  OK(toc_connect(p[0], p[1], &q, NULL));
  OK(toc_alloc(p[0], 4096, TOC_READ, (void **)&from));
  OK(toc_alloc(p[1], 4096, TOC_READ | TOC_WRITE, (void **)&to));
  OK(toc_expose(p[1], to, 4096, TOC_WRITE, &far));
  for (unsigned i = 0; i < n; i++) {
    if (i >= under_way) OK(toc_wait(r[i % under_way], 0));
    from[i % under_way] = i + 1;
    OK(toc_put(q, &from[i % under_way], toc_at(far, 8 * (i % under_way)), 8, &r[i % under_way]));
  }
  OK(toc_wait_all(q, 0));
  for (unsigned i = n > under_way ? n - under_way : 0; i < n; i++)
    if (toc_load(&to[i % under_way]) != i + 1) return fprintf(stderr, "put %u has not come\n", i), 1;
  toc_close(f);
  return 0;
}
