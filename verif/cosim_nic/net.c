// SPDX-License-Identifier: Apache-2.0
#include "net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "soft.h"

enum { REG_LIMIT = 400000 };  // cycles that a register access may take

net *net_new(int backend, const nic_config *cfg, unsigned nodes, unsigned duts, uint64_t seed, const char *wave) {
  net *w = calloc(1, sizeof *w);
  if (!w) abort();
  w->backend = backend;
  w->seed = seed;
  w->nodes = nodes;
  w->duts = backend == NET_MODEL ? 0 : duts;
  w->wave = wave;
  rng_seed(&w->rng, seed);
  w->link = (net_link){.delay = 20, .late = 400};
  for (unsigned i = 0; i < nodes; i++) {
    node *n = &w->node[i];
    n->net = w;
    n->id = i;
    n->cfg = *cfg;
    n->mem = mem_new();
    if (i < w->duts) {
      if (backend == NET_BOTH) n->ref = mem_new();
      net_hw.init(n, i ? NULL : wave);
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
    soft_free(n);
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

void net_fail(net *w, const char *block, const char *fmt, ...) {
  char blame[80];
  if (w->mismatches++) return;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(w->text, sizeof w->text, fmt, ap);
  va_end(ap);
  w->failed = true;
  if (w->quiet) return;
  fprintf(stderr, "\n%s\ncycle  %" PRIu64 "\nseed   %" PRIu64 "\n%s\n", result_blame(block, blame, sizeof blame),
          w->cycle, w->seed, w->text);
  unsigned k = w->last_n < 12 ? w->last_n : 12;
  if (k) fprintf(stderr, "last frames sent, the newest last:\n");
  for (unsigned j = w->last_n - k; j != w->last_n; j++) {
    unsigned i = j % 16;
    const nic_head *h = &w->last[i].h;
    fprintf(stderr, "  %8" PRIu64 "  %u to %u: opcode %02x QP %06x PSN %06x, %u bytes, syndrome %02x%s\n",
            w->last[i].cycle, w->last[i].from, w->last[i].to, h->opcode, h->qp, h->psn, h->bytes, h->syndrome,
            h->ack_req ? ", asks for an ACK" : "");
  }
  for (unsigned i = 0; i < w->duts; i++)
    if (w->node[i].ops && w->node[i].ops->report) w->node[i].ops->report(&w->node[i]);
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

// ---- memory
static uint64_t place(const node *n, unsigned proc, uint64_t va) {
  return n->ops->where ? n->ops->where(n, proc, va) : node_at(proc, va);
}

static size_t to_border(uint64_t va, size_t k) { return 4096 - (va & 4095) < k ? 4096 - (va & 4095) : k; }

void node_poke(node *n, unsigned proc, uint64_t va, const void *p, size_t k) {
  for (size_t i; k; va += i, p = (const uint8_t *)p + i, k -= i) {
    i = to_border(va, k);
    mem_write(n->mem, place(n, proc, va), p, i);
    if (n->ref) mem_write(n->ref, place(n, proc, va), p, i);
  }
}

void node_peek(node *n, unsigned proc, uint64_t va, void *p, size_t k) {
  for (size_t i; k; va += i, p = (uint8_t *)p + i, k -= i) {
    i = to_border(va, k);
    mem_read(n->mem, place(n, proc, va), p, i);
  }
}

void node_poke64(node *n, unsigned proc, uint64_t va, uint64_t v) {
  uint8_t b[8];
  le_put(b, 8, v);
  node_poke(n, proc, va, b, 8);
}

uint64_t node_peek64(node *n, unsigned proc, uint64_t va) {
  uint8_t b[8];
  node_peek(n, proc, va, b, 8);
  return le_get(b, 8);
}

bool node_dma_allowed(node *n, uint16_t rid, uint64_t va, size_t k, bool write) {
  unsigned proc = (unsigned)(rid - NET_RID);
  if (n->net->out || (proc < n->cfg.NumProcs && soft_allows(n, proc, va, k, write))) return true;
  net_fail(n->net, "isolation", "node %u %s %zu bytes at %" PRIx64 " as requester %04x: no software allows that", n->id,
           write ? "writes" : "reads", k, va, rid);
  return false;
}

bool node_dma_write(node *n, uint16_t rid, uint64_t va, const void *p, size_t k) {
  if (!node_dma_allowed(n, rid, va, k, true)) return false;
  unsigned proc = (unsigned)(rid - NET_RID);
  mem_write(n->mem, node_at(proc, va), p, k);
  soft_saw_write(n, proc, va, k);
  return true;
}

bool node_dma_read(node *n, uint16_t rid, uint64_t va, void *p, size_t k) {
  memset(p, 0, k);
  unsigned proc = (unsigned)(rid - NET_RID);
  if (proc < n->cfg.NumProcs && soft_fails(n, proc, va, k)) return false;
  if (!node_dma_allowed(n, rid, va, k, false)) return false;
  mem_read(n->mem, node_at(proc, va), p, k);
  return true;
}

bool node_dma_atomic(node *n, uint16_t rid, uint64_t va, unsigned op, uint64_t swap, uint64_t compare, uint64_t *old) {
  unsigned proc = (unsigned)(rid - NET_RID);
  if (proc < n->cfg.NumProcs && soft_fails(n, proc, va, 8)) return false;
  if (!node_dma_allowed(n, rid, va, 8, true)) return false;
  *old = node_peek64(n, proc, va);
  if (op == NIC_JOB_FETCH_ADD)
    node_poke64(n, proc, va, *old + swap);
  else if (*old == compare)
    node_poke64(n, proc, va, swap);
  return true;
}

void node_task_done(node *n, unsigned log) { soft_task_done(n, log); }

void net_retired(node *n, const nic_retire_rec *r) {
  bool cnp = r->kind == NIC_RET_FRAME && r->a >> 24 == NIC_OP_CNP;
  n->no_room[r->idx] += r->kind == NIC_RET_FRAME && !cnp && (r->code == NIC_FR_NO_ROOM || r->code == NIC_FR_FOREIGN);
  n->not_ready[r->idx] +=
      (r->kind == NIC_RET_FRAME && r->code == NIC_FR_NOT_READY) || (r->kind == NIC_RET_TX && r->code == NIC_TX_ABSENT);
  if (!cnp) again_retired(n, r);
  congest_retired(n, r);
  reach_retired(n, r);
}

const char *net_record_text(const nic_retire_rec *r, char *buf, size_t k) {
  static const char *const kind[] = {"None", "RegRead", "Rx",    "Frame",    "Send",  "Tx",
                                     "Task", "Event",   "Timer", "RegWrite", "Table", "Rate"};
  static const char *const fr[] = {"Foreign", "Ahead", "Dup",    "Invalid", "Access", "NotReady", "NoRoom",
                                   "Done",    "Stale", "Answer", "Back",    "End",    "Cnp"};
  static const char *const tx[] = {"Ack", "Nak", "Read", "Atomic", "Request", "Cnp", "Absent"};
  static const char *const rate[] = {"Cut", "Calm", "Raised", "Both"};
  const char *code = r->kind == NIC_RET_FRAME && r->code < 13 ? fr[r->code]
                     : r->kind == NIC_RET_TX && r->code < 7   ? tx[r->code]
                     : r->kind == NIC_RET_RATE && r->code < 4 ? rate[r->code]
                     : r->kind == NIC_RET_RX                  ? nic_rx_name(r->code)
                                                              : "";
  snprintf(buf, k, "%-8s %-8s code %u flag %u idx %u a %" PRIx64 " b %" PRIx64, r->kind < 12 ? kind[r->kind] : "?",
           code, r->code, r->flag, r->idx, r->a, r->b);
  return buf;
}
