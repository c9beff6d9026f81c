// SPDX-License-Identifier: Apache-2.0
#include "net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sw.h"

enum { REG_LIMIT = 400000 };  // cycles that a register access may take

net *net_new(const net_setup *s) {
  net *w = calloc(1, sizeof *w);
  if (!w) abort();
  w->backend = s->backend;
  w->seed = s->seed;
  w->nodes = s->nodes;
  w->duts = s->backend == NET_MODEL ? 0 : s->duts;
  w->wave = s->wave;
  w->cycle = s->was ? s->was->cycle : 0;
  rng_seed(&w->rng, s->seed);
  w->link = (net_link){.delay = 20, .late = 400};
  for (unsigned i = 0; i < s->nodes; i++) {
    node *n = &w->node[i];
    n->net = w;
    n->id = i;
    n->cfg = *s->cfg;
    n->mem = mem_new();
    n->was = s->was && !i ? s->was->node[0].dut : NULL;
    if (i < w->duts) {
      if (s->backend == NET_BOTH) n->ref = mem_new();
      s->hw->init(n, i ? NULL : s->wave);
    } else {
      model_node_init(n);
    }
  }
  return w;
}

void net_free(net *w) {
  if (!w) return;
  link_free(w);
  for (unsigned i = 0; i < w->nodes; i++) {
    node *n = &w->node[i];
    sw_free(n);
    n->ops->free(n);
    mem_free(n->mem);
    mem_free(n->ref);
  }
  free(w);
}

void net_cycle(net *w) {
  if (w->failed) return;
  link_cycle(w);
  for (unsigned i = 0; i < w->nodes; i++) {
    node *n = &w->node[i];
    if (n->w_head != n->w_tail) {
      unsigned k = n->w_head % 256;
      if (n->ops->write(n, n->wq[k].addr, n->wq[k].v, n->wq[k].strb)) n->w_head++;
    }
    n->ops->cycle(n);
  }
  w->cycle++;
}

bool net_idle(const net *w) {
  for (unsigned i = 0; i < w->nodes; i++)
    if (w->node[i].w_head != w->node[i].w_tail || !w->node[i].ops->idle(&w->node[i])) return false;
  return !w->flying;
}

int net_capture(net *w, FILE *f) {
  static const char *const name[NET_NODES] = {"node 0", "node 1", "node 2", "node 3"};
  return pcapng_open(&w->pcap, f, name, w->nodes);
}

// ---- registers
void node_write_strb(node *n, uint32_t addr, uint64_t v, uint8_t strb) {
  for (unsigned i = 0; n->w_tail - n->w_head == 256 && !n->net->failed; i++) {
    if (i == REG_LIMIT) net_fail(n->net, "s_axil", "node %u: register %05x hangs", n->id, n->wq[n->w_head % 256].addr);
    net_cycle(n->net);
  }
  if (n->net->failed) return;
  unsigned k = n->w_tail++ % 256;
  n->wq[k].addr = addr;
  n->wq[k].v = v;
  n->wq[k].strb = strb;
}

void node_write(node *n, uint32_t addr, uint64_t v) { node_write_strb(n, addr, v, 255); }

void node_settle(node *n) {
  for (unsigned i = 0; n->w_head != n->w_tail && !n->net->failed; i++) {
    if (i == REG_LIMIT) net_fail(n->net, "s_axil", "node %u: register %05x hangs", n->id, n->wq[n->w_head % 256].addr);
    net_cycle(n->net);
  }
}

uint64_t node_read(node *n, uint32_t addr) {
  uint64_t v = 0;
  node_settle(n);
  for (unsigned i = 0; !n->net->failed && !n->ops->read(n, addr, &v); i++) {
    if (i == REG_LIMIT) net_fail(n->net, "s_axil", "node %u: reading register %05x hangs", n->id, addr);
    net_cycle(n->net);
  }
  return v;
}
