// SPDX-License-Identifier: Apache-2.0
// What every part needs and that needs none of them: the first failure and its report, memory as the machine's
// processor sees it.
#include <inttypes.h>

#include "net.h"

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
