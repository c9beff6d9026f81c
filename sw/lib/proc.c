// SPDX-License-Identifier: Apache-2.0
// Processes: their events as the program takes them, opening, closing.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

/* Of a process, beside one for each 2 MiB that the node has: upper levels, mappings here and there. */
enum { SPARE_TABLES = 64 };

// ---- events of the program
static bool is_woken(const toc_i_proc *p) { return __atomic_load_n(&p->woken, __ATOMIC_SEQ_CST); }

static bool has_event(void *ctx) {
  toc_i_proc *p = ctx;
  if (p->ev_head == p->ev_tail) (void)toc_i_events(p);
  if (p->ev_head == p->ev_tail) toc_i_faults(p->n);
  if (p->ev_head == p->ev_tail) toc_i_events_lost(p);
  return p->ev_head != p->ev_tail || p->ev_lost || is_woken(p);
}

toc_status toc_event_next(toc_proc *h_p, toc_event *e, uint64_t timeout_us) {
  NEED(e);
  *e = (toc_event){0};
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_wait(p->n->f, has_event, p, timeout_us, true);
  uint64_t count;
  if (p->eq_fd >= 0 && p->ev_head == p->ev_tail && read(p->eq_fd, &count, sizeof count) < 0) count = 0;
  /* Behind that read, and when the time is over, too: what made the descriptor readable must not be lost with it. */
  if ((s == TOC_OK || s == TOC_E_TIMEOUT) && __atomic_exchange_n(&p->woken, false, __ATOMIC_SEQ_CST)) {
    e->kind = TOC_EVENT_WAKE;
    s = TOC_OK;
  } else if (s == TOC_OK && p->ev_lost) {
    p->ev_lost = false;
    s = toc_i_fail(TOC_E_LOST, "process %u: events came faster than they were taken", p->index);
  } else if (s == TOC_OK) {
    *e = p->event[p->ev_head++ % EVENTS];
  }
  toc_i_unlock(p->n->f);
  return s;
}

/* Also called by handlers of signals: no lock, no memory, and errno stays. */
toc_status toc_event_wake(toc_proc *h_p) {
  OBJECT(proc, p);
  const int was = errno;
  uint64_t one = 1;
  __atomic_store_n(&p->woken, true, __ATOMIC_SEQ_CST);
  if (p->eq_fd >= 0 && write(p->eq_fd, &one, sizeof one) < 0) one = 0; /* full: it is readable */
  errno = was;
  return TOC_OK;
}

int toc_event_fd(toc_proc *h_p) {
  OBJECT_OR(proc, p, -1);
  return p->eq_fd;
}

// ---- life
toc_node *toc_proc_node(const toc_proc *h_p) {
  OBJECT_OR(proc, p, NULL);
  return p->n->h;
}

unsigned toc_proc_index(const toc_proc *h_p) {
  OBJECT_OR(proc, p, 0);
  return p->index;
}

uint16_t toc_proc_requester(const toc_proc *h_p) {
  OBJECT_OR(proc, p, 0);
  return p->rid;
}

static toc_status event_ring(toc_i_proc *p) {
  toc_i_node *n = p->n;
  uint64_t iova, addr;
  uint32_t data;
  void *ring;
  TRY(toc_i_alloc(p, 32u << EQ_LOG2, TOC_WRITE, true, &ring));
  p->eq = ring;
  TRY(toc_i_local(p, ring, 1, 0, &iova));
  TRY(toc_i_vector(n, VEC_PROC + p->index, &p->eq_fd, &addr, &data));
  TRY(toc_i_write64(n, NREG_AT(EQ_BASE, p->index), iova));
  TRY(toc_i_write64(n, NREG_AT(EQ_MSIA, p->index), p->eq_fd < 0 ? 0 : addr));
  TRY(toc_i_write64(n, NREG_AT(EQ_MSID, p->index), data));
  TRY(toc_i_write64(n, NREG_AT(EQ_STS, p->index), NIC_EQ_STS_LOST_MASK)); /* of the process before */
  TRY(toc_i_write64(n, NREG_AT(EQ_CTL, p->index), NIC_EQ_CTL_EN_MASK | EQ_LOG2));
  return toc_i_write64(n, NREG_AT(EQ_CONS, p->index), 0); /* arms it */
}

toc_status toc_proc_open(toc_node *h_n, toc_proc **out) {
  NEED(out);
  *out = NULL;
  OBJECT(node, n);
  if (!n->up) return toc_i_fail(TOC_E_SUPPORT, "toc_proc_open: the fabric was opened for registers only");
  toc_i_lock(n->f);
  unsigned i = 0;
  toc_status s = TOC_OK;
  while (i < n->caps.procs && n->proc[i]) i++;
  toc_i_proc *p = NULL;
  if (i == n->caps.procs)
    s = toc_i_fail(TOC_E_FULL, "node %u: all %u processes are in use", n->rank, i);
  else if (!(p = calloc(1, sizeof *p)))
    s = toc_i_fail(TOC_E_NOMEM, "toc_proc_open: no memory");
  if (p) {
    *p = (toc_i_proc){.n = n, .index = i, .rid = (uint16_t)(RID0 + i), .did = (uint16_t)(1 + i), .eq_fd = -1};
    n->proc[i] = p;
    if (i >= n->procs_reach) n->procs_reach = i + 1;
    if (!(p->h = toc_i_handle_new(TOC_I_proc, p))) s = TOC_E_NOMEM;
    for (unsigned t = 0; t < 3 && s == TOC_OK; t++) {
      p->table[t] = calloc(n->caps.table_entries, sizeof *p->table[t]);
      if (!p->table[t]) s = toc_i_fail(TOC_E_NOMEM, "toc_proc_open: no memory");
    }
    if (s == TOC_OK && !toc_i_ranges_init(&p->space, SPACE_AT, SPACE_BYTES))
      s = toc_i_fail(TOC_E_NOMEM, "toc_proc_open: no memory");
    if (s == TOC_OK) s = toc_i_translate(p, SPARE_TABLES + (n->f->o.node_bytes >> 21));
    if (s == TOC_OK) s = toc_i_recv_begin(p);
    if (s == TOC_OK) s = event_ring(p);
    if (s == TOC_OK)
      *out = p->h;
    else
      (void)toc_i_proc_close(p);
  }
  toc_i_unlock(n->f);
  return s;
}

/* Nothing of the program's code runs for it any more, and nothing begins to. */
static toc_status quiet(toc_i_proc *p) {
  toc_i_node *n = p->n;
  toc_status s = TOC_OK;
  p->closing = true;
  for (unsigned i = 0; i < LOGS && s == TOC_OK; i++) {
    toc_i_log *l = n->log[i];
    if (!l || l->p != p) continue;
    if (toc_i_run_is_mine(n->f, &l->run))
      s = toc_i_fail(TOC_E_IN_USE, "toc_proc_close: a handler of its log %u is running", i);
    else
      s = toc_i_run_quiet(n->f, &l->run, "toc_proc_close: a handler of one of its logs");
  }
  for (toc_i_queue *q = p->queues; q && s == TOC_OK; q = q->next) {
    const toc_run *r = q->agent ? toc_i_agent_runs(q->agent) : NULL;
    if (r && toc_i_run_is_mine(n->f, r))
      s = toc_i_fail(TOC_E_IN_USE, "toc_proc_close: a kernel of one of its queues is running");
    else if (r)
      s = toc_i_run_quiet(n->f, r, "toc_proc_close: a kernel of one of its queues");
  }
  if (s != TOC_OK) p->closing = false;
  return s;
}

toc_status toc_i_proc_close(toc_i_proc *p) {
  toc_i_node *n = p->n;
  toc_i_fabric *f = n->f;
  TRY(quiet(p));
  for (unsigned i = 0; i < n->caps.qps; i++)
    if (n->qp[i] && n->qp[i]->p == p) toc_i_qp_close(n->qp[i]);
  for (unsigned i = 0; i < REGIONS; i++)
    if (n->region[i].p == p) (void)toc_i_hide(p, n->region[i].at);
  while (p->boxes) (void)toc_i_box_close(p->boxes);
  for (unsigned i = 0; i < LOGS; i++)
    if (n->log[i] && n->log[i]->p == p) (void)toc_i_log_close(n->log[i], 0, true);
  while (p->queues) (void)toc_i_queue_close(p->queues);
  toc_i_entries_drop(p);
  uint32_t left; /* of its receive buffers: the device has none of them any more */
  (void)toc_i_withdraw(p, &left);
  /* No device access to its memory from here on: only then is it given back. */
  toc_status s = f->dead ? TOC_E_DEAD : toc_i_write64(n, NREG_AT(EQ_CTL, p->index), 0);
  if (p->tables.m.ptr) {
    (void)aa_table_set_context(&n->root.t, p->rid, NULL);
    if (s == TOC_OK) s = toc_i_invalidate(n, p->did, 0, 0);
  }
  for (size_t i = 0; i < p->maps && s == TOC_OK; i++)
    if (p->map[i].owner) toc_i_dma_free(n, &p->map[i].dma);
  if (s == TOC_OK) toc_i_tables_free(n, &p->tables);
  toc_i_faults(n);
  for (unsigned t = 0; t < 3; t++) free(p->table[t]);
  toc_i_ranges_free(&p->space);
  free(p->map);
  free(p->rule);
  n->proc[p->index] = NULL;
  toc_i_handle_end(p->h);
  free(p);
  return TOC_OK;
}

void toc_proc_close(toc_proc *h_p) {
  OBJECT_OR(proc, p, );
  toc_i_fabric *f = p->n->f;
  toc_i_lock(f);
  (void)toc_i_proc_close(p);
  toc_i_unlock(f);
}
