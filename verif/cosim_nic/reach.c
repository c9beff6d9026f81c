// SPDX-License-Identifier: Apache-2.0
#include "reach.h"

#include "net.h"

void reach(const node *n, unsigned point) {
  const net *w = n->net;
  if (w->reached && (n->id < w->duts || !w->duts)) w->reached[point]++;
}

static void frame_judged(const node *n, const nic_retire_rec *r) {
  switch (r->code) {
    case NIC_FR_AHEAD: reach(n, REACH_AHEAD); break;
    case NIC_FR_DUP: reach(n, REACH_DUP); break;
    case NIC_FR_INVALID: reach(n, REACH_INVALID); break;
    case NIC_FR_ACCESS: reach(n, REACH_ACCESS); break;
    case NIC_FR_NOT_READY: reach(n, REACH_NOT_READY); break;
    case NIC_FR_NO_ROOM: reach(n, REACH_NO_ROOM); break;
    case NIC_FR_STALE: reach(n, REACH_STALE); break;
    case NIC_FR_BACK: reach(n, REACH_BACK); break;
    case NIC_FR_END: reach(n, REACH_END); break;
    default: break;
  }
}

static void by_itself(const node *n, const nic_retire_rec *r) {
  switch (r->code) {
    case NIC_TM_NO_PROGRESS: reach(n, r->flag ? REACH_GIVEN_UP : REACH_NO_PROGRESS); break;
    case NIC_TM_LOST: reach(n, REACH_LOST); break;
    case NIC_TM_RNR: reach(n, REACH_RNR_OVER); break;
    case NIC_TM_QUIET: reach(n, REACH_QUIET); break;
    default: reach(n, REACH_BY_ITSELF); break;
  }
}

void reach_retired(const node *n, const nic_retire_rec *r) {
  if (r->kind == NIC_RET_FRAME) frame_judged(n, r);
  if (r->kind == NIC_RET_TIMER) by_itself(n, r);
}
