// SPDX-License-Identifier: Apache-2.0
// Allocation from any rank's part: the own one at once, then those of the ranks behind, one by one.
#include <stdlib.h>

#include "heap_internal.h"

typedef struct search {
  irr_heap *heap;
  uint64_t bytes;
  unsigned tries;  // ranks that were asked, or cannot be
  irr_address found;
  irr_status answer;
  bool asked, stepping, queued;
  irr_later later;
  irr_done *done;
  void *arg;
  irr_status *status;
} search;

static void on_answer(void *arg, uint64_t value);

static void end(search *s) {
  irr_done *const done = s->done;
  void *const arg = s->arg;
  const irr_address found = s->found;
  if (s->status) *s->status = found == IRR_ADDRESS_NONE ? IRR_E_NOMEM : IRR_OK;
  free(s);
  done(arg, found);
}

// true: it need not be called again.
static bool step(void *arg) {
  search *s = arg;
  irr_status sent = IRR_OK;
  s->stepping = true;
  while (!s->asked && s->found == IRR_ADDRESS_NONE && s->tries + 1 < s->heap->ranks) {
    const unsigned rank = (s->heap->rank + 1 + s->tries) % s->heap->ranks;
    s->asked = true;
    sent = irr_global_malloc_from(s->heap, rank, s->bytes, on_answer, s, &s->answer);
    if (sent) s->asked = false;
    if (sent == IRR_BUSY) break;
    s->tries++;  // one that is gone has nothing
  }
  s->stepping = false;
  if (sent == IRR_BUSY) return false;
  s->queued = false;
  if (!s->asked) end(s);
  return true;
}

static void go_on(search *s) {
  s->queued = true;
  if (!step(s)) irr_net_later(s->heap->net, &s->later, step, s);
}

static void on_answer(void *arg, uint64_t value) {
  search *s = arg;
  s->asked = false;
  if (s->answer == IRR_OK) s->found = value;
  if (!s->stepping && !s->queued) go_on(s);
}

irr_status irr_global_malloc_any(irr_heap *h, uint64_t bytes, irr_done *done, void *arg, irr_status *status) {
  if (!h || !done) return IRR_E_ARG;
  search *s = calloc(1, sizeof *s);
  if (!s) return IRR_E_NOMEM;
  *s = (search){.heap = h, .bytes = bytes, .done = done, .arg = arg, .status = status};
  (void)irr_global_malloc(h, bytes, &s->found);
  go_on(s);
  return IRR_OK;
}
