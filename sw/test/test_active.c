// SPDX-License-Identifier: Apache-2.0
// Active Access as a program sees it: one node puts, the other one's pages ring.
#include "scene.h"

typedef struct heard {
  unsigned n;
  toc_access last;
  uint8_t data[64];
} heard;

static void on_access(void *arg, const toc_access *a) {
  heard *h = arg;
  h->n++;
  h->last = *a;
  if (a->data && a->bytes <= sizeof h->data) memcpy(h->data, a->data, a->bytes);
}

// A put to a page that logs: memory changes, and the handler is told what and where.
static void logged_put(void) {
  scene s;
  heard h = {0};
  toc_log *log;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
  memcpy(s.near, "ring my bell", 12);
  OK(toc_put(s.ab, s.near, toc_at(s.there, 40), 12, &r));
  OK(toc_wait(r, 0));
  CHECK(!memcmp(s.far + 40, "ring my bell", 12));
  EQ(h.n, 0);  // nobody has run the handlers
  OK(toc_log_wait(log, 0));
  OK(toc_log_run(log, 0));
  EQ(h.n, 1);
  EQ(h.last.kind, TOC_PUT);
  EQ(h.last.bytes, 12);
  EQ(h.last.requester, toc_proc_requester(s.b));
  CHECK(h.last.target == s.far + 40);
  CHECK(!h.last.denied && !h.last.aborted);
  CHECK(!memcmp(h.data, "ring my bell", 12));
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  logged_put();
  return report();
}
