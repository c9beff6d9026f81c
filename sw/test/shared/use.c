// SPDX-License-Identifier: Apache-2.0
// A put from one machine to another and the version, as a program (main), or as a plugin that others load (use).
// With -DOWN_NAMES the program has functions of its own under names that the library has inside: neither
// may take the other's.
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tocsin/active.h>

#ifdef OWN_NAMES
#define OWN(name)                  \
  void name(void);                 \
  void name(void) {                \
    warnx("the program's " #name); \
    abort();                       \
  }
OWN(toc_i_fail)
OWN(toc_i_wait)
OWN(toc_i_post)
OWN(aa_table_map)
OWN(aa_table_init)
OWN(tlp_byte_count)
OWN(nic_send)
OWN(nic_write)
OWN(aa_write)
OWN(aa_tick)
#endif

#define MUST(call)                                                     \
  do {                                                                 \
    if ((call) != TOC_OK) errx(1, "line %d: %s", __LINE__, toc_why()); \
  } while (0)

int use(void);
int use(void) {
  toc_fabric *f;
  toc_proc *a, *b;
  toc_qp *q;
  toc_req r;
  uint64_t *src, *dst;
  toc_remote far;
  MUST(toc_open(&(toc_options){.nodes = 2}, &f));
  MUST(toc_proc_open(toc_node_at(f, 0), &a));
  MUST(toc_proc_open(toc_node_at(f, 1), &b));
  MUST(toc_connect(a, b, &q, NULL));
  MUST(toc_alloc(a, 4096, TOC_READ | TOC_WRITE, (void **)&src));
  MUST(toc_alloc(b, 4096, TOC_READ | TOC_WRITE, (void **)&dst));
  MUST(toc_expose(b, dst, 4096, TOC_READ | TOC_WRITE, &far));
  *src = 42;
  MUST(toc_put(q, src, far, 8, &r));
  MUST(toc_wait(r, 0));
  if (toc_put(q, NULL, far, 8, NULL) != TOC_E_RANGE || !strstr(toc_why(), "8 bytes"))
    errx(1, "no reason: %s", toc_why());
  if (toc_version() != TOC_VERSION || strcmp(toc_version_text(), TOC_VERSION_TEXT))
    errx(1, "version %u", toc_version());
  printf("%" PRIu64 " by Tocsin %s\n", *dst, toc_version_text());
  uint64_t got = *dst;
  toc_close(f);
  return got != 42;
}

#ifndef PLUGIN
int main(void) { return use(); }
#endif
