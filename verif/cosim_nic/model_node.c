// SPDX-License-Identifier: Apache-2.0
// A node whose NIC is the golden model by itself, with memory that answers late.
#include <string.h>

#include "sw.h"

static void on_write(void *ctx, const nic_job *j, const void *data) {
  node *n = ctx;
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    if ((int32_t)(n->writes[s] - j->after[s]) < 0)
      net_fail(n->net, "model", "node %u writes %llx before write %u of source %u", n->id, (unsigned long long)j->va,
               j->after[s], s);
  n->writes[j->src]++;
  node_dma_write(n, j->rid, j->va, data, j->n);
}

static void on_read(void *ctx, const nic_job *j) {
  node *n = ctx;
  if (n->asks == sizeof n->ask / sizeof *n->ask) {
    net_fail(n->net, "model", "node %u: too many reads under way", n->id);
    return;
  }
  n->ask[n->asks].job = *j;
  n->ask[n->asks++].due = n->net->cycle + rng_range(&n->net->rng, 1, n->lat_max) + sw_slow(n, j->src);
}

static void on_frame(void *ctx, const uint8_t *b, size_t k) { link_send(ctx, b, k); }

static void on_task_done(void *ctx, unsigned log) { sw_task_done(ctx, log); }

static void on_retire(void *ctx, const nic_retire_rec *r) { net_retired(ctx, r); }

static const nic_ops model_ops = {on_write, on_read, on_read, on_frame, on_task_done, on_retire};

// Memory answers: of one source in order, of several in any.
static void answers(node *n) {
  uint32_t blocked = 0;
  for (unsigned i = 0; i < n->asks;) {
    nic_job j = n->ask[i].job;
    if (n->ask[i].due > n->net->cycle || blocked >> j.src & 1) {
      blocked |= 1u << j.src;
      i++;
      continue;
    }
    memmove(&n->ask[i], &n->ask[i + 1], (--n->asks - i) * sizeof n->ask[0]);
    uint8_t data[4096];
    uint64_t old = 0;
    bool ok, absent = sw_absent(n, j.src, (unsigned)(j.rid - NET_RID), j.va, j.n);
    if (absent || sw_drops_read(n, j.src, (unsigned)(j.rid - NET_RID), j.va)) {
      ok = false;
      memset(data, 0, sizeof data);
    } else if (j.op == NIC_JOB_READ) {
      ok = node_dma_read(n, j.rid, j.va, data, j.n);
    } else {
      ok = node_dma_atomic(n, j.rid, j.va, j.op, j.swap, j.compare, &old);
      le_put(data, 8, old);
    }
    if ((absent ? nic_read_refused(n->m, j.src, j.n) : nic_read_done(n->m, j.src, data, j.n, !ok)) != NIC_OK)
      net_fail(n->net, "model", "node %u does not take an answer of source %u", n->id, j.src);
  }
}

static void cycle(node *n) {
  answers(n);
  if (rng_p(&n->net->rng, n->p_step)) nic_step(n->m);
  nic_advance(n->m, 1);
}

static bool take(node *n, const frame *f) {
  if (nic_rx(n->m, f->b, f->n, f->fcs_bad) == NIC_OK) return true;
  n->refused++;  // no room: lost, as if the link had taken it
  n->net->harmed[f->b[nic_frame_bth(f->b, f->n) + 7]]++;
  return true;
}

static bool task(node *n, unsigned log, uint32_t prod, uint32_t cons) {
  return nic_task(n->m, log, prod, cons) == NIC_OK;
}

static bool reg_write(node *n, uint32_t addr, uint64_t v, uint8_t strb) {
  nic_status s = nic_reg_write(n->m, addr, v, strb);
  if (s != NIC_OK && s != NIC_E_BUSY)
    net_fail(n->net, "model", "node %u, register %05x: %s", n->id, addr, nic_strstatus(s));
  return s != NIC_E_BUSY;
}

static bool reg_read(node *n, uint32_t addr, uint64_t *v) { return nic_reg_read(n->m, addr, v) == NIC_OK; }

static bool idle(const node *n) { return !n->asks && !nic_pending(n->m); }

static void release(node *n) { nic_free(n->m); }

void model_node_init(node *n) {
  static const node_ops ops = {
      .cycle = cycle, .take = take, .task = task, .write = reg_write, .read = reg_read, .idle = idle, .free = release};
  n->ops = &ops;
  n->p_step = 200;
  n->lat_max = 60;
  nic_status s = nic_new(&n->cfg, &model_ops, n, &n->m);
  if (s != NIC_OK) net_fail(n->net, "model", "node %u: %s", n->id, nic_strstatus(s));
}
