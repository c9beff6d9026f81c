// SPDX-License-Identifier: Apache-2.0
#include "reach.h"

#include <string.h>

#include "dut_node.h"
#include "net.h"
#include "tocsin/nic_regs.h"

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

static unsigned ctl(const node *n, const nic_retire_rec *r, uint64_t mask, unsigned lsb) {
  return (unsigned)((n->ctl[r->idx] & mask) >> lsb);
}

static void by_itself(const node *n, const nic_retire_rec *r) {
  unsigned retry = ctl(n, r, NIC_QP_CTL_RETRY_MASK, NIC_QP_CTL_RETRY_LSB);
  if (r->code == NIC_TM_NO_PROGRESS && r->flag && retry < 3) reach(n, REACH_RETRY_0 + retry);
  if (r->code == NIC_TM_RNR) reach(n, REACH_RNR_0 + ctl(n, r, NIC_QP_CTL_RNR_RETRY_MASK, NIC_QP_CTL_RNR_RETRY_LSB));
  switch (r->code) {
    case NIC_TM_NO_PROGRESS: reach(n, r->flag ? REACH_GIVEN_UP : REACH_NO_PROGRESS); break;
    case NIC_TM_LOST: reach(n, REACH_LOST); break;
    case NIC_TM_RNR: reach(n, REACH_RNR_OVER); break;
    case NIC_TM_QUIET: reach(n, REACH_QUIET); break;
    default: reach(n, REACH_BY_ITSELF); break;
  }
}

static void family(const node *n, const nic_retire_rec *r) {
  bool v6 = n->ctl[r->idx] & NIC_QP_CTL_IPV6_MASK, vlan = n->ctl[r->idx] & NIC_QP_CTL_VLAN_MASK;
  if (v6 || vlan) reach(n, v6 && vlan ? REACH_IP6_VLAN : v6 ? REACH_IP6 : REACH_VLAN);
}

// What software has set and the NIC has taken.
static void written(node *n, const nic_retire_rec *r) {
  uint32_t qp = (uint32_t)(r->a - NIC_REG_QP_CTL), eq = (uint32_t)(r->a - NIC_REG_EQ_BASE);
  const bool page = r->a >= NIC_REG_QP_CTL && qp < 256 * NIC_REG_QP_CTL_STRIDE && !r->flag && !n->cfg.Contexts;
  if (page && !(qp % NIC_REG_QP_CTL_STRIDE) && r->idx == 255) n->ctl[qp / NIC_REG_QP_CTL_STRIDE % 256] = r->b;
  if (r->a >= NIC_REG_EQ_BASE && eq < 16 * NIC_REG_EQ_BASE_STRIDE && eq % NIC_REG_EQ_BASE_STRIDE == 8 && r->idx == 255)
    n->ring[eq / NIC_REG_EQ_BASE_STRIDE] = 1u << (r->b & NIC_EQ_CTL_SIZE_MASK);
}

static void event(const node *n, const nic_retire_rec *r) {
  if (r->flag || r->code == NIC_EV_MSI) return;
  switch (n->ring[r->idx % 16]) {
    case 1: reach(n, REACH_RING_1); break;
    case 2: reach(n, REACH_RING_2); break;
    case 4: reach(n, REACH_RING_4); break;
    case 8: reach(n, REACH_RING_8); break;
    default: break;
  }
}

// A write behind the last absent page of its queue pair, and yet no new one.
static bool taken_again(const node *n, const nic_retire_rec *r) {
  uint32_t absent = n->absent[r->idx], beyond = (uint32_t)(r->a + 1 - absent) & 0xffffff;
  return r->code == NIC_FR_DUP && absent && beyond && beyond < 1 << 23 && (r->a >> 24 & 0xff) < NIC_OP_READ_REQ;
}

void reach_retired(node *n, const nic_retire_rec *r) {
  unsigned op = r->a >> 24 & 0x1f;
  bool begun = op == NIC_OP_WRITE_MIDDLE || op == NIC_OP_WRITE_LAST || op == NIC_OP_WRITE_LAST_IMM;
  switch (r->kind) {
    case NIC_RET_FRAME:
      frame_judged(n, r);
      if (taken_again(n, r)) reach(n, REACH_TAKEN_AGAIN);
      if (r->code != NIC_FR_FOREIGN) family(n, r);
      if (r->code == NIC_FR_ACCESS && begun) reach(n, REACH_REGION_GONE);
      if (r->code == NIC_FR_NOT_READY && r->b == NIC_WHY_NO_EVENT) reach(n, REACH_NO_PLACE);
      if (r->code == NIC_FR_NOT_READY && r->b == NIC_WHY_NO_BUFFER && (r->a >> 24 & 0xff) < 0x20)
        reach(n, REACH_NO_BUFFER);
      if (r->code == NIC_FR_INVALID && r->b == NIC_WHY_OPCODE) reach(n, REACH_UNFIT);
      if (r->code == NIC_FR_INVALID && r->b == NIC_WHY_TOO_LONG) reach(n, REACH_TOO_LONG);
      break;
    case NIC_RET_TX:
      if (r->code != NIC_TX_ABSENT) break;
      reach(n, r->b ? REACH_ABSENT_LATER : REACH_ABSENT);
      n->absent[r->idx] = 1 + (uint32_t)(r->a & 0xffffff);
      break;
    case NIC_RET_TIMER: by_itself(n, r); break;
    case NIC_RET_EVENT: event(n, r); break;
    case NIC_RET_REG_WRITE: written(n, r); break;
    default: break;
  }
}

// An upper bound counts cycles that nothing holds up, so it is none where there are no such cycles. Looked at as often
// as the model looks for what is late.
void reach_held(const node *n, unsigned held) {
  enum { STRIDE = 8 };
  static const struct {
    const char *what;  // in the text of nic_owes
    unsigned point;
  } due[] = {{"frames without RetFrame", REACH_DUE_FRAME},
             {"responses", REACH_DUE_RESPONSE},
             {"events", REACH_DUE_EVENT},
             {"task of log", REACH_DUE_TASK},
             {"acknowledgements", REACH_DUE_ACK},
             {"CNP of", REACH_DUE_CNP},
             {"TmQuiet", REACH_DUE_QUIET},
             {"entry to be read", REACH_DUE_SEND},
             {"packet to be sent", REACH_DUE_TX},
             {"MSI of", REACH_DUE_MSI},
             {"command on the tables", REACH_DUE_TABLE}};
  char text[400];
  if (held || !n->net->reached) return;
  reach(n, REACH_FREE);
  if (n->net->cycle % STRIDE || !nic_owes(n->m, text, sizeof text)) return;
  for (unsigned i = 0; i < sizeof due / sizeof *due; i++)
    if (strstr(text, due[i].what)) reach(n, due[i].point);
}

void reach_excuses(const node *n) {
  uint64_t *to = n->net->reached;
  const dut_node *d = n->dut;
  if (!to || !n->m) return;
  for (unsigned k = 0; k < NIC_EXCUSE_NUM; k++) {
    const bool crowd = k == NIC_EXCUSE_ROOM && n->net->crowded;
    to[crowd ? REACH_EXCUSE_CROWDED : REACH_EXCUSE_PLACE + k] += nic_excused(n->m, k);
  }
  to[REACH_EXCUSE_READ] += d->skipped;
  to[REACH_EXCUSE_CONTEXT] += d->skipped_ctx;
}
