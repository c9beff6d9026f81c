// SPDX-License-Identifier: Apache-2.0
/* The last of what was sent, lost on a link, or its acknowledgement: nothing behind it shows the gap, and it is sent
 * again when the queue pair's timeout is over, which is long where the peer may be a process that sleeps. So behind
 * what waits long an empty put is posted, and again later: the peer acknowledges it, with all before it, or says which
 * packet it lacks. No memory notices it. */
#include "internal.h"

enum { LOOK_MS = 5, FIRST_MS = 20, LATER = 4, PROBES = 3 };

/* The next is worth while if the timeout is far. */
static bool is_due(const toc_i_qp *q, uint64_t ms) {
  uint64_t after_ms = FIRST_MS;
  for (unsigned i = 0; i < q->probes; i++) after_ms *= LATER;
  return q->probes < PROBES && ms - q->silent_ms >= after_ms && after_ms * LATER * 1000 <= toc_i_qp_timeout_us(q);
}

static void probe(toc_i_qp *q, uint64_t ms) {
  if (q->posted == q->ended || q->ended != q->silent_at) {
    q->silent_at = q->ended;
    q->silent_ms = ms;
    q->probes = 0;
  } else if (q->connected && !q->held && q->stopped == TOC_OK && toc_i_has_entry(q) && is_due(q, ms)) {
    q->probes++;
    (void)toc_i_post(q, &(toc_wqe){.op = OP_WRITE}, NULL);
  }
}

void toc_i_probe(toc_i_fabric *f) {
  const uint64_t ms = toc_i_clock_ms();
  if (ms < f->probe_ms) return;
  f->probe_ms = ms + LOOK_MS;
  for (unsigned i = 0; i < f->nodes; i++)
    for (unsigned k = 0; f->node[i].qp && k < f->node[i].caps.qps; k++)
      if (f->node[i].qp[k]) probe(f->node[i].qp[k], ms);
}
