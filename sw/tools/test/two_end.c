// SPDX-License-Identifier: Apache-2.0
// One end of a connection between two machines, for two.sh: two_end LOCAL MTU says its address on stdout, reads the
// peer's on stdin, and puts 64 KiB to it with this MTU, 0: what fits. On stderr it says in how many frames as much has
// come, or what has failed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/tocsin.h"

enum { BYTES = 65536 };

typedef struct card {
  toc_address at;
  toc_remote mem;
} card;

static int failed(toc_status s) {
  fprintf(stderr, "%s: %s\n", toc_name(s), toc_why());
  return 3;
}
#define OK(call)                           \
  do {                                     \
    toc_status ok_ = (call);               \
    if (ok_ != TOC_OK) return failed(ok_); \
  } while (0)

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  char link[100];
  toc_fabric *f;
  toc_proc *p;
  toc_qp *q;
  uint8_t *from, *to;
  card own, its;
  toc_req r;
  toc_event e = {0};
  toc_link_count c;
  memset(&own, 0, sizeof own);
  snprintf(link, sizeof link, "udp,local=%s", argv[1]);
  OK(toc_open(&(toc_options){.link = link, .progress = TOC_PROGRESS_THREAD, .timeout_us = 60000000}, &f));
  OK(toc_proc_open(toc_node_at(f, 0), &p));
  OK(toc_qp_open(p, &(toc_qp_options){.mtu = (unsigned)strtoul(argv[2], NULL, 10), .timeout_us = 4000000}, &q));
  OK(toc_alloc(p, BYTES, TOC_READ, (void **)&from));
  OK(toc_alloc(p, BYTES, TOC_READ | TOC_WRITE, (void **)&to));
  OK(toc_expose(p, to, BYTES, TOC_WRITE, &own.mem));
  OK(toc_qp_address(q, &own.at));
  if (fwrite(&own, sizeof own, 1, stdout) != 1 || fflush(stdout) || fread(&its, sizeof its, 1, stdin) != 1) return 2;
  OK(toc_qp_connect(q, &its.at));
  if (fwrite(&own, 1, 1, stdout) != 1 || fflush(stdout) || getchar() < 0) return 2; /* both are connected */
  for (unsigned i = 0; i < BYTES; i++) from[i] = (uint8_t)(i * 7 + i / 251);
  OK(toc_put(q, from, its.mem, BYTES, &r));
  OK(toc_put_imm(q, NULL, its.mem, 0, 1, NULL));
  while (e.kind != TOC_EVENT_IMM) OK(toc_event_next(p, &e, 0));
  OK(toc_wait_all(q, 0));
  if (memcmp(from, to, BYTES)) return fputs("other bytes came\n", stderr), 1;
  if (fwrite(&own, 1, 1, stdout) != 1 || fflush(stdout) || getchar() < 0)
    return 2; /* nobody leaves before both have all */
  toc_link_counts(f, &c);
  fprintf(stderr, "64 KiB have come, in frames: %llu\n", (unsigned long long)c.in);
  toc_close(f);
  return 0;
}
