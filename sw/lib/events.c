// SPDX-License-Identifier: Apache-2.0
// What a device tells, as it comes: its event rings, which end requests and tell the program of the rest, and its
// faults. Nothing here waits.
#include <unistd.h>

#include "internal.h"
#include "tocsin/nic.h"

// ---- for the program
/* What only says that something failed goes first where there is no room, before what has come. */
static bool is_failure(const toc_event *e) { return e->kind == TOC_EVENT_REFUSED || e->kind == TOC_EVENT_FAULT; }

/* "Not ready" is answered again at each retry: the one that still waits for the program says it already. */
static bool said_already(const toc_i_proc *p, const toc_event *e) {
  if (e->kind != TOC_EVENT_REFUSED || (e->status & NIC_SYN_NAK) != NIC_SYN_RNR) return false;
  for (unsigned i = p->ev_head; i != p->ev_tail; i++) {
    const toc_event *w = &p->event[i % EVENTS];
    if (w->kind == e->kind && w->qp == e->qp && w->value == e->value && w->status == e->status) return true;
  }
  return false;
}

/* One gives way: the oldest failure; where none waits, e if it is one itself (false), else the oldest of all. */
static bool make_room(toc_i_proc *p, const toc_event *e) {
  unsigned gone = p->ev_head;
  p->ev_lost = true;
  while (gone != p->ev_tail && !is_failure(&p->event[gone % EVENTS])) gone++;
  if (gone == p->ev_tail) {
    if (is_failure(e)) return false;
    gone = p->ev_head;
  }
  for (; gone != p->ev_head; gone--) p->event[gone % EVENTS] = p->event[(gone - 1) % EVENTS];
  p->ev_head++;
  return true;
}

void toc_i_event(toc_i_proc *p, toc_event e) {
  if (said_already(p, &e)) return;
  if (p->ev_tail - p->ev_head == EVENTS && !make_room(p, &e)) return;
  p->event[p->ev_tail++ % EVENTS] = e;
  uint64_t one = 1;
  if (e.kind == TOC_EVENT_FAULT && p->eq_fd >= 0 && write(p->eq_fd, &one, sizeof one) < 0)
    one = 0; /* full: it is told */
}

// ---- what has ended
enum { TOLD = 0x80 }; /* beside the status of a request */

void toc_i_end_one(toc_i_qp *q, toc_status s) {
  const uint8_t is = q->is[q->ended % 256];
  q->status[q->ended++ % STATUSES] = (uint8_t)((unsigned)s | (is == IS_PROBE ? TOLD : 0));
  if (s == TOC_OK && is == IS_PUT) q->takes_puts = true;
  if (s == TOC_OK || is == IS_PROBE) return;
  q->failures = true;
  q->last_failed = q->ended - 1;
  if (q->first_error != TOC_OK) return;
  q->first_error = s;
  q->first_failed = q->ended - 1;
}

/* If it was the first error that nobody has heard of, the next one is. */
toc_status toc_i_tell(toc_i_qp *q, uint32_t seq) {
  uint8_t *status = &q->status[seq % STATUSES];
  *status |= TOLD;
  if (q->first_error != TOC_OK && seq == q->first_failed) {
    q->first_error = TOC_OK;
    for (uint32_t i = seq + 1; i != q->ended && q->first_error == TOC_OK; i++) {
      q->first_failed = i;
      if (!(q->status[i % STATUSES] & TOLD)) q->first_error = q->status[i % STATUSES];
    }
  }
  return *status & ~TOLD;
}

static toc_status meaning(unsigned status) {
  static const toc_status of[] = {
      [NIC_ST_DONE] = TOC_OK,
      [NIC_ST_BAD_ENTRY] = TOC_E_BAD_ENTRY,
      [NIC_ST_LOCAL_READ] = TOC_E_LOCAL,
      [NIC_ST_TIMEOUT] = TOC_E_PEER_GONE,
      [NIC_ST_RNR] = TOC_E_NOT_READY,
      [NIC_ST_REM_INVALID] = TOC_E_INVALID,
      [NIC_ST_REM_ACCESS] = TOC_E_ACCESS,
      [NIC_ST_REM_OPERATION] = TOC_E_REMOTE,
      [NIC_ST_REM_OTHER] = TOC_E_REMOTE,
  };
  return status < sizeof of / sizeof *of ? of[status] : TOC_E_REMOTE;
}

static void request_ended(toc_i_qp *q, unsigned status, uint32_t entry, uint32_t bytes) {
  if (!q || (entry & 0xffff) != ((q->ended - q->base) & 0xffff)) return; /* of a connection that is no more */
  toc_status s = meaning(status);
  const uint8_t op = q->ring[64 * (entry & (q->o.entries - 1))];
  toc_i_end_one(q, s);
  if (s == TOC_OK) return;
  q->stopped = s;
  q->middle = s == TOC_E_NOT_READY && op != OP_READ && bytes > q->o.mtu;
  /* Of a get or an atomic: the peer may have met an absent page, and done what came behind (rtl/nic, REQ-16). */
  q->fatal = s == TOC_E_PEER_GONE || s == TOC_E_LOCAL || (s == TOC_E_NOT_READY && op >= OP_READ && op <= OP_CAS);
}

// ---- the ring
static void take(toc_i_proc *p, const uint8_t *e) {
  const unsigned name = (unsigned)toc_i_get(e + 2, 2); /* its index, or its context, which is the same here */
  toc_i_qp *q = name < p->n->caps.qps ? p->n->qp[name] : NULL;
  void *h = q && q->p == p ? q->h : NULL;
  uint32_t word = (uint32_t)toc_i_get(e + 4, 4), value = (uint32_t)toc_i_get(e + 8, 4);
  uint64_t addr = toc_i_get(e + 16, 8);
  if (q && q->p != p) q = NULL;
  switch (e[0]) {
    case NIC_EV_SEND: request_ended(q, e[1], word, value); break;
    case NIC_EV_IMM: toc_i_event(p, (toc_event){.kind = TOC_EVENT_IMM, .qp = h, .value = value}); break;
    case NIC_EV_TASK: toc_i_event(p, (toc_event){.kind = TOC_EVENT_TASK, .index = word, .value = addr}); break;
    case NIC_EV_REFUSED:
      toc_i_event(p, (toc_event){.kind = TOC_EVENT_REFUSED, .qp = h, .status = e[1], .value = word});
      break;
    case NIC_EV_RESP_FAILED: toc_i_event(p, (toc_event){.kind = TOC_EVENT_RESP_FAILED, .qp = h, .status = e[1]}); break;
    case NIC_EV_RECV: toc_i_received(p, h, e); break;
    case NIC_EV_BUFFER:
      if ((int32_t)(word - p->posted0) < 0 || toc_i_refeed(p, word)) break;
      toc_i_event(p, (toc_event){.kind = TOC_EVENT_BUFFER, .index = word - p->posted0});
      break;
    case NIC_EV_TASK_DONE: toc_i_event(p, (toc_event){.kind = TOC_EVENT_TASK_DONE, .index = word}); break;
    default: break;
  }
}

/* Told by toc_event_next, once for all that are missing till then. */
void toc_i_events_lost(toc_i_proc *p) {
  uint64_t sts;
  const uint32_t reg = NREG_AT(EQ_STS, p->index);
  if (toc_i_read(p->n, reg, 8, &sts) != TOC_OK || !(sts & NIC_EQ_STS_LOST_MASK)) return;
  if (toc_i_write64(p->n, reg, NIC_EQ_STS_LOST_MASK) == TOC_OK) p->ev_lost = true;
}

bool toc_i_events(toc_i_proc *p) {
  const uint32_t before = p->eq_seen;
  for (; p->eq; p->eq_seen++) {
    const uint8_t *e = p->eq + 32 * (p->eq_seen & ((1u << EQ_LOG2) - 1));
    unsigned phase = __atomic_load_n(e + 31, __ATOMIC_ACQUIRE) & 1u;
    if (phase != !(p->eq_seen >> EQ_LOG2 & 1)) break;
    take(p, e);
  }
  if (p->eq_seen == before) return false;
  (void)toc_i_write64(p->n, NREG_AT(EQ_CONS, p->index), p->eq_seen);
  if (p->eq_seen - before >= 1u << (EQ_LOG2 - 1)) toc_i_events_lost(p); /* it was full, perhaps */
  return true;
}

// ---- faults
static toc_i_proc *proc_of(toc_i_node *n, unsigned sid) {
  return sid >= RID0 && sid - RID0 < PROCS ? n->proc[sid - RID0] : NULL;
}

void toc_i_faults(toc_i_node *n) {
  uint64_t sts, lo, hi;
  if (toc_i_read(n, AA_REG_FSTS, 4, &sts) != TOC_OK || !(sts & (AA_FSTS_PPF_MASK | AA_FSTS_PFO_MASK))) return;
  unsigned first = (unsigned)((sts & AA_FSTS_FRI_MASK) >> AA_FSTS_FRI_LSB);
  for (unsigned k = 0; k < AA_REG_FRCDL_NUM; k++) {
    unsigned i = (first + k) % AA_REG_FRCDL_NUM;
    if (toc_i_read(n, REG_AT(FRCDH, i), 8, &hi) != TOC_OK || !(hi & AA_FRCDH_F_MASK)) break;
    if (toc_i_read(n, REG_AT(FRCDL, i), 8, &lo) != TOC_OK) break;
    toc_i_proc *p = proc_of(n, (unsigned)(hi & AA_FRCDH_SID_MASK));
    if (p)
      toc_i_event(p, (toc_event){.kind = TOC_EVENT_FAULT,
                                 .index = (uint32_t)((hi & AA_FRCDH_FR_MASK) >> AA_FRCDH_FR_LSB),
                                 .status = (uint32_t)(hi >> AA_FRCDH_T_LSB & 1),
                                 .value = lo & AA_FRCDL_FI_MASK});
    if (toc_i_write64(n, REG_AT(FRCDH, i), AA_FRCDH_F_MASK) != TOC_OK) break;
  }
  if (sts & AA_FSTS_PFO_MASK) (void)toc_i_write(n, AA_REG_FSTS, 4, AA_FSTS_PFO_MASK);
}

/* A fault becomes an event of a process, which no interrupt of its event ring tells. */
void toc_i_fault_events(toc_i_fabric *f) {
  uint64_t count;
  for (unsigned i = 0; i < f->nodes; i++)
    if (f->node[i].fault_fd && read(f->node[i].fault_fd - 1, &count, sizeof count) > 0) toc_i_faults(&f->node[i]);
}
