// SPDX-License-Identifier: Apache-2.0
/* The engine by itself: what a request that comes (aa_submit.c) and all else (aa_run.c) share. */
#ifndef TOCSIN_AA_RUN_H
#define TOCSIN_AA_RUN_H

#include "aa_queue.h"
#include "../le.h"

/* Does all that is due. */
void aa_settle(aa *m);

static AA_HOT unsigned aa_translate(aa *m, const aa_lookup *k, unsigned lane, uint32_t num, aa_xlate *x) {
  unsigned hit = aa_xlt_now(&m->xlt, k, x);
  if (hit == AA_WALK_TLB && !m->ops.retire) { /* the rest, for the usual case */
    m->cnt[AA_CNT_WALKS_BEGUN]++;
    m->cnt[AA_CNT_WALKS_ENDED]++;
    m->cnt[AA_CNT_TLB_FILLS]++;
  } else if (hit & 3u) {
    m->cnt[AA_CNT_HITS] += !x->bypass;
    aa_emit(m, AA_RET_XLATE, false, 0, lane, 0, 0, 0, 0);
  } else {
    m->cnt[AA_CNT_WALKS_BEGUN]++;
    aa_count_walk(m, hit & AA_WALK_FAULT, hit & AA_WALK_TLB, hit & AA_WALK_CTX);
    aa_emit(m, AA_RET_WALK, false, 0, lane, 0, num & 0xff, 0, 0);
    aa_emit(m, AA_RET_FILL, true, 0, lane, 0, 0, 0, 0);
  }
  return hit;
}

#endif
