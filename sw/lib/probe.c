// SPDX-License-Identifier: Apache-2.0
/* The last of what was sent, lost on a link, or its acknowledgement: nothing behind it shows the gap, and it is sent
 * again when the queue pair's timeout is over, which is long where the peer may be a process that sleeps. So behind
 * what waits long an empty put is posted, and again later: the peer acknowledges it, with all before it, or says which
 * packet it lacks. No memory notices it. A queue pair of verbs that nobody may write into refuses it, and stops: only
 * who has acknowledged a put before is asked. */
#include "internal.h"

enum { LOOK_MS = 5, FIRST_MS = 20, LATER = 4, PROBES = 3 };

static uint64_t pause_ms(const toc_i_qp *q) {
  uint64_t ms = FIRST_MS;
  for (unsigned i = 0; i < q->probes; i++) ms *= LATER;
  return ms;
}

/* The next is worth while if the timeout is far. What waits is counted from when it is first seen to. */
static bool is_due(const toc_i_qp *q, uint64_t ms) {
  return q->probes < PROBES && ms >= q->probe_ms && pause_ms(q) * LATER * 1000 <= toc_i_qp_timeout_us(q);
}

static void probe(toc_i_qp *q, uint64_t ms) {
  const bool waits = q->posted != q->ended;
  if (!waits || !q->waits || q->ended != q->silent_at) {
    q->silent_at = q->ended;
    q->probes = 0;
    q->probe_ms = ms + pause_ms(q);
  } else if (q->connected && q->takes_puts && !q->held && q->stopped == TOC_OK && toc_i_has_entry(q) && is_due(q, ms)) {
    q->probes++;
    q->probe_ms = ms + pause_ms(q);
    /* a device that is dead is told of by who waits */
    (void)toc_i_post(q, &(toc_wqe){.op = OP_WRITE, .probe = true}, NULL);
  }
  q->waits = waits;
}

void toc_i_probe(toc_i_fabric *f) {
  const uint64_t ms = toc_i_clock_ms();
  if (ms < f->probe_ms) return;
  f->probe_ms = ms + LOOK_MS;
  for (unsigned i = 0; i < f->nodes; i++)
    for (unsigned k = 0; f->node[i].qp && k < f->node[i].caps.qps; k++)
      if (f->node[i].qp[k]) probe(f->node[i].qp[k], ms);
}
