// SPDX-License-Identifier: Apache-2.0
// XTQ at the target: tables, receive buffers, signals, tasks of logs.
#include <stdlib.h>

#include "internal.h"

enum { KERNEL, FUNCTION, QUEUE };
enum { VALID = 1, TARGET = 2, MULTI = 1 << 6, MIRROR = 1 << 7, TELLS = 1 << 8 };
static const char *const table_name[] = {"kernel", "function", "queue"};

// ---- tables
static bool may_command(void *ctx) { return !((const toc_i_node *)ctx)->commanding; }

static toc_status command(toc_i_proc *p, unsigned table, uint32_t index, const uint64_t w[4]) {
  toc_i_node *n = p->n;
  uint64_t sts;
  for (unsigned i = 0; i < 4; i++) TRY(toc_i_write64(n, NREG(XT_W) + 8 * i, w[i]));
  TRY(toc_i_write64(n, NREG(XT_CMD), index | table << NIC_XT_CMD_TABLE_LSB | p->index << NIC_XT_CMD_PROC_LSB));
  TRY(toc_i_wait_reg(n, NREG(XT_STS), 8, NIC_XT_STS_BUSY_MASK, 0, "table command"));
  TRY(toc_i_read(n, NREG(XT_STS), 8, &sts));
  if (!(sts & NIC_XT_STS_BAD_MASK)) return TOC_OK;
  TRY(toc_i_write64(n, NREG(XT_STS), NIC_XT_STS_BAD_MASK));
  return toc_i_fail(TOC_E_DEVICE, "node %u refuses entry %u of the %s table", n->rank, index, table_name[table]);
}

/* The device takes one command at a time, by registers that all threads share. */
static toc_status table_write(toc_i_proc *p, unsigned table, uint32_t index, const uint64_t w[4]) {
  toc_i_node *n = p->n;
  TRY(toc_i_wait(n->f, may_command, n, 0, false));
  n->commanding = true;
  toc_status s = command(p, table, index, w);
  n->commanding = false;
  return s;
}

/* An entry is taken before the device is told, so that no other thread takes it meanwhile. */
static toc_status enter(toc_i_proc *p, unsigned table, uint32_t index, const toc_entry *e, const uint64_t w[4]) {
  p->table[table][index] = *e;
  toc_status s = table_write(p, table, index, w);
  if (s != TOC_OK) p->table[table][index] = (toc_entry){0};
  return s;
}

static toc_status vacant(toc_i_proc *p, unsigned table, uint32_t index) {
  if (index >= p->n->caps.table_entries)
    return toc_i_fail(TOC_E_ARG, "%s %u: the table has %u entries", table_name[table], index, p->n->caps.table_entries);
  if (p->table[table][index].valid)
    return toc_i_fail(TOC_E_IN_USE, "%s %u is registered already", table_name[table], index);
  return TOC_OK;
}

static toc_status unregister(toc_i_proc *p, unsigned table, uint32_t index) {
  static const uint64_t none[4];
  if (index >= p->n->caps.table_entries || !p->table[table][index].valid)
    return toc_i_fail(TOC_E_ARG, "%s %u is not registered", table_name[table], index);
  TRY(table_write(p, table, index, none));
  p->table[table][index] = (toc_entry){0};
  return TOC_OK;
}

static toc_status code_register(toc_i_proc *p, unsigned table, uint32_t index, const xtq_code *c) {
  toc_entry e = {.valid = true, .code = c->code};
  TRY(vacant(p, table, index));
  if (c->target) TRY(toc_i_local(p, c->target, 1, 0, &e.target));
  if (c->signal) TRY(toc_i_local(p, c->signal, sizeof *c->signal, 0, &e.signal));
  return enter(p, table, index, &e,
               (uint64_t[4]){c->code, e.target, e.signal, (uint64_t)VALID | (c->target ? TARGET : 0)});
}

static toc_status queue_register(toc_i_proc *p, uint32_t index, toc_i_queue *q) {
  TRY(vacant(p, QUEUE, index));
  if (q->p != p) return toc_i_fail(TOC_E_ARG, "xtq_register_queue: the queue is another process'");
  for (unsigned i = 0; i < p->n->caps.table_entries; i++)
    if (p->table[QUEUE][i].queue == q) return toc_i_fail(TOC_E_IN_USE, "the queue is registered as %u already", i);
  uint64_t flags = (uint64_t)VALID | q->log2 << 1 | (q->o.multi ? MULTI : MIRROR) | (q->o.events ? TELLS : 0);
  return enter(p, QUEUE, index, &(toc_entry){.valid = true, .queue = q},
               (uint64_t[4]){q->iova, q->bell, q->block, flags});
}

toc_status toc_i_queue_forget(toc_i_queue *q) {
  toc_i_proc *p = q->p;
  for (unsigned i = 0; i < p->n->caps.table_entries; i++)
    if (p->table[QUEUE][i].queue == q) TRY(unregister(p, QUEUE, i));
  return TOC_OK;
}

toc_status xtq_register_kernel(toc_proc *h_p, uint32_t index, const xtq_code *c) {
  OBJECT(proc, p);
  NEED(c);
  LOCKED(p, code_register(p, KERNEL, index, c));
}
toc_status xtq_register_function(toc_proc *h_p, uint32_t index, const xtq_code *c) {
  OBJECT(proc, p);
  NEED(c);
  LOCKED(p, code_register(p, FUNCTION, index, c));
}
toc_status xtq_register_queue(toc_proc *h_p, uint32_t index, xtq_queue *h_q) {
  OBJECT(proc, p);
  OBJECT(queue, q);
  LOCKED(p, queue_register(p, index, q));
}
toc_status xtq_unregister_kernel(toc_proc *h_p, uint32_t index) {
  OBJECT(proc, p);
  LOCKED(p, unregister(p, KERNEL, index));
}
toc_status xtq_unregister_function(toc_proc *h_p, uint32_t index) {
  OBJECT(proc, p);
  LOCKED(p, unregister(p, FUNCTION, index));
}
toc_status xtq_unregister_queue(toc_proc *h_p, uint32_t index) {
  OBJECT(proc, p);
  LOCKED(p, unregister(p, QUEUE, index));
}

// ---- signals
toc_status xtq_signal_open(toc_proc *h_p, int64_t value, aql_signal **out) {
  void *ptr;
  NEED(out);
  *out = NULL;
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_alloc(p, sizeof(aql_signal), TOC_READ | TOC_WRITE, true, &ptr);
  if (s == TOC_OK) toc_i_mapping_of(p, ptr, 1)->signal = true;
  toc_i_unlock(p->n->f);
  if (s != TOC_OK) return s;
  aql_signal *sig = ptr;
  sig->kind = 1;
  __atomic_store_n(&sig->value, value, __ATOMIC_SEQ_CST);
  *out = sig;
  return TOC_OK;
}

toc_status xtq_signal_close(toc_proc *h_p, aql_signal *s) {
  OBJECT(proc, p);
  if (!s) return TOC_OK;
  toc_i_lock(p->n->f);
  const toc_mapping *m = toc_i_mapping_of(p, s, sizeof *s);
  const uint64_t iova = m ? m->iova : 0;
  toc_status st = TOC_OK;
  if (!m || !m->signal || m->ptr != (const uint8_t *)s) /* it was closed, and its memory may be another's by now */
    st = toc_i_fail(TOC_E_RANGE, "xtq_signal_close: xtq_signal_open of process %u has not given out %p", p->index,
                    (const void *)s);
  for (unsigned t = 0; t < 2; t++)
    for (unsigned i = 0; i < p->n->caps.table_entries && st == TOC_OK; i++)
      if (p->table[t][i].valid && p->table[t][i].signal == iova)
        st = toc_i_fail(TOC_E_IN_USE, "the signal belongs to %s %u", table_name[t], i);
  if (st == TOC_OK) st = toc_i_free(p, s, true);
  toc_i_unlock(p->n->f);
  return st;
}

typedef struct signal_wait {
  const aql_signal *s;
  int64_t value;
} signal_wait;

static bool signalled(void *ctx) {
  const signal_wait *w = ctx;
  return __atomic_load_n(&w->s->value, __ATOMIC_SEQ_CST) <= w->value;
}

toc_status xtq_signal_wait(toc_proc *h_p, const aql_signal *s, int64_t value, uint64_t timeout_us) {
  OBJECT(proc, p);
  NEED(s);
  signal_wait w = {s, value};
  LOCKED(p, toc_i_wait(p->n->f, signalled, &w, timeout_us, true));
}

// ---- tasks of logs
static toc_status log_task(toc_i_log *l, uint32_t queue, uint64_t code, uint64_t arg) {
  toc_i_node *n = l->p->n;
  if (l->o.notify != TOC_NOTIFY_TASK) return toc_i_fail(TOC_E_ARG, "log %u was not opened for tasks", l->index);
  if (queue >= n->caps.table_entries || !l->p->table[QUEUE][queue].valid)
    return toc_i_fail(TOC_E_ARG, "queue %u is not registered", queue);
  aql_agent t = {.header = AQL_HEADER(AQL_AGENT_DISPATCH), .return_address = code, .arg = {0, 0, 0, arg}};
  uint8_t b[64];
  memcpy(b, &t, sizeof b);
  TRY(toc_i_write64(n, NREG_AT(XT_LOG, l->index), 0));
  for (unsigned i = 0; i < 8; i++) TRY(toc_i_write64(n, NREG(XT_TPL) + 64 * l->index + 8 * i, toc_i_get(b + 8 * i, 8)));
  return toc_i_write64(n, NREG_AT(XT_LOG, l->index),
                       queue | (uint64_t)l->p->index << NIC_XT_LOG_PROC_LSB | NIC_XT_LOG_EN_MASK);
}

toc_status xtq_log_task(toc_log *h_l, uint32_t queue, uint64_t code, uint64_t arg) {
  OBJECT(log, l);
  LOCKED(l->p, log_task(l, queue, code, arg));
}

toc_status xtq_log_task_done(toc_log *h_l) {
  OBJECT(log, l);
  LOCKED(l->p, toc_i_write64(l->p->n, NREG(XT_TASK_DONE), l->index));
}

// ---- when a process goes, and its queues have gone
void toc_i_entries_drop(toc_i_proc *p) {
  for (unsigned t = 0; t < 3 && p->table[t]; t++)
    for (unsigned i = 0; i < p->n->caps.table_entries && !p->n->f->dead; i++)
      if (p->table[t][i].valid) (void)unregister(p, t, i);
}
