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

// ---- receive buffers
static toc_status post_buffer(toc_i_proc *p, const void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
  toc_i_node *n = p->n;
  uint64_t iova, sts;
  TRY(toc_i_local(p, ptr, bytes, TOC_WRITE, &iova));
  if (iova % 64 || bytes < 64) return toc_i_fail(TOC_E_ALIGN, "xtq_post_buffer: 64 bytes at least, aligned to 64");
  TRY(toc_i_read(n, NREG_AT(RB_STS, p->index), 8, &sts));
  if ((sts & NIC_RB_STS_POSTED_MASK) >= n->caps.recv_buffers)
    return toc_i_fail(TOC_E_FULL, "process %u has %u receive buffers posted, all that there can be", p->index,
                      n->caps.recv_buffers);
  TRY(toc_i_write64(n, NREG_AT(RB_ADDR, p->index), iova));
  TRY(toc_i_write64(n, NREG_AT(RB_POST, p->index), bytes | (uint64_t)least << NIC_RB_POST_LEAST_LSB));
  if (number) *number = p->posted - p->posted0;
  p->recv[p->posted % RECV].iova = iova;
  p->recv[p->posted++ % RECV].bytes = bytes;
  return TOC_OK;
}

toc_status xtq_post_buffer(toc_proc *h_p, void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) {
  OBJECT(proc, p);
  if (number) *number = 0;
  LOCKED(p, post_buffer(p, ptr, bytes, least, number));
}

static toc_status feed(toc_i_proc *p, unsigned count, uint32_t bytes) {
  void *all;
  if (p->feed) return toc_i_fail(TOC_E_IN_USE, "xtq_feed_buffers: process %u is fed already", p->index);
  if (!count || count > p->n->caps.recv_buffers)
    return toc_i_fail(TOC_E_ARG, "xtq_feed_buffers: 1 to %u buffers", p->n->caps.recv_buffers);
  if (bytes < 64 || bytes % 64 || bytes > 1u << 30)
    return toc_i_fail(TOC_E_ARG, "xtq_feed_buffers: a multiple of 64 bytes, 1 GiB at most");
  TRY(toc_i_alloc(p, (size_t)count * bytes, TOC_READ | TOC_WRITE, true, &all));
  p->feed = all;
  p->feed_bytes = bytes;
  p->feed_count = count;
  p->fed_first = p->posted;
  for (unsigned i = 0; i < count; i++) TRY(post_buffer(p, p->feed + (size_t)i * bytes, bytes, 64, NULL));
  return TOC_OK;
}

toc_status xtq_feed_buffers(toc_proc *h_p, unsigned count, uint32_t bytes) {
  OBJECT(proc, p);
  LOCKED(p, feed(p, count, bytes));
}

/* Buffers are used up in order, so the one that is used up is the next to be posted again. */
bool toc_i_refeed(toc_i_proc *p, uint32_t number) {
  if (!p->feed || (int32_t)(number - p->fed_first) < 0) return false;
  uint32_t slot = (number - p->fed_first) % p->feed_count;
  (void)post_buffer(p, p->feed + (size_t)slot * p->feed_bytes, p->feed_bytes, 64, NULL);
  return true;
}

/* The NIC cannot be told to forget a buffer. So the next process of this index gets memory in the same places: what comes for it
 * lands there, and its tasks find it. */
void toc_i_stale_keep(toc_i_proc *p) {
  toc_stale *s = &p->n->stale[p->index];
  uint64_t sts = 0;
  s->n = 0;
  s->posted = p->posted;
  if (p->n->f->dead || toc_i_read(p->n, NREG_AT(RB_STS, p->index), 8, &sts) != TOC_OK) return;
  for (uint32_t left = (uint32_t)(sts & NIC_RB_STS_POSTED_MASK); left && s->n < RECV; left--, s->n++) {
    uint32_t i = (p->posted - left) % RECV;
    s->at[s->n].iova = p->recv[i].iova;
    s->at[s->n].bytes = p->recv[i].bytes;
  }
}

toc_status toc_i_stale_back(toc_i_proc *p) {
  const toc_stale *s = &p->n->stale[p->index];
  for (unsigned i = 0; i < s->n; i++) {
    uint64_t from = s->at[i].iova & ~(uint64_t)(PAGE - 1), end = toc_i_up(s->at[i].iova + s->at[i].bytes, PAGE);
    while (from < end && toc_i_mapping_at(p, from)) from += PAGE; /* a page that it shares with the one before */
    if (from < end) TRY(toc_i_alloc_at(p, from, end - from, TOC_READ | TOC_WRITE));
    uint32_t n = p->posted - s->n + i;
    p->recv[n % RECV].iova = s->at[i].iova;
    p->recv[n % RECV].bytes = s->at[i].bytes;
  }
  return TOC_OK;
}

// ---- signals
toc_status xtq_signal_open(toc_proc *h_p, int64_t value, aql_signal **out) {
  void *ptr;
  NEED(out);
  *out = NULL;
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_alloc(p, sizeof(aql_signal), TOC_READ | TOC_WRITE, true, &ptr);
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
  uint64_t iova;
  toc_i_lock(p->n->f);
  toc_status st = toc_i_local(p, s, sizeof *s, 0, &iova);
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

// ---- when a process goes
void toc_i_xtq_drop(toc_i_proc *p) {
  while (p->queues) (void)toc_i_queue_close(p->queues);
  for (unsigned t = 0; t < 3 && p->table[t]; t++)
    for (unsigned i = 0; i < p->n->caps.table_entries && !p->n->f->dead; i++)
      if (p->table[t][i].valid) (void)unregister(p, t, i);
}
