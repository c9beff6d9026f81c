// SPDX-License-Identifier: Apache-2.0
// The accelerators: each takes packets from the queues of a process, on the doorbell or as soon as a header is valid,
// checks that all is there that the initiator has sent, runs the kernel (adds the payload up), decrements the signal.
#include <inttypes.h>
#include <string.h>

#include "sw.h"

enum { READ = SW_BLOCK + 128, WRITE = SW_BLOCK + 56 };

static uint64_t at(unsigned p, unsigned q, uint64_t off) { return sw_va(p, SW_QUEUE + 0x1000 * q + off); }

static bool differs(node *n, unsigned p, unsigned q, uint64_t index, const char *what, uint64_t got, uint64_t want) {
  if (got == want) return false;
  net_fail(n->net, "task", "node %u, process %u, queue %u, task %" PRIx64 ": %s: got %" PRIx64 ", want %" PRIx64, n->id,
           p, q, index, what, got, want);
  return true;
}

// The packet is one that somebody has sent, rewritten as it must be, with its bytes in memory. run: it is run now.
static void check(node *n, unsigned p, unsigned q, uint64_t index, const uint8_t *c, bool run) {
  net *w = n->net;
  board *s = board_of(w);
  sw_proc *me = &n->sw->p[p];
  unsigned kind = c[0] == 2 ? KERNEL : FUNCTION;
  uint32_t tag = (uint32_t)le_get(c + (kind == KERNEL ? 12 : 40), 4);
  static uint8_t b[SW_POOL_SIZE];
  uint64_t signal = sw_va(p, SW_SIGNAL);
  if (tag == TAG_OWN && kind == KERNEL) {
    if (run) me->q[q].own_run++;
    return;
  }
  if (kind == FUNCTION && tag >= TAG_LOG && tag < TAG_LOG + SW_LOGS) {
    unsigned l = tag - TAG_LOG;
    if (differs(n, p, q, index, "access log: a task without notice", n->sw->log[l].waits, true)) return;
    differs(n, p, q, index, "arg[0], access log", le_get(c + 16, 8), l);
    differs(n, p, q, index, "arg[1], producer", le_get(c + 24, 8), n->sw->log[l].prod);
    differs(n, p, q, index, "arg[2], consumer", le_get(c + 32, 8), n->sw->log[l].cons);
    if (!run) return;
    n->sw->log[l].waits = false;
    n->sw->log[l].runs = true;
    n->sw->log[l].ran++;
    n->sw->log[l].due = w->cycle + rng_below(&w->rng, 300);
    return;
  }
  unsigned id = tag >> 20;
  uint32_t seq = tag & 0xfffff;
  if (id >= s->streams || s->s[id].to != n->id || s->s[id].proc != p || seq >= s->s[id].puts) {
    net_fail(w, "task", "node %u, process %u, queue %u, task %" PRIx64 ": nobody has sent it (%02x.. tag %x)", n->id, p,
             q, index, c[0], tag);
    return;
  }
  stream *t = &s->s[id];
  put_rec *r = &t->put[seq];
  bool has = kind == FUNCTION || r->code == 1;
  uint64_t args = le_get(c + 40, 8), pay = 0, sum = 0;
  differs(n, p, q, index, "queue, kind, run before", q | kind << 8 | (unsigned)r->run << 16,
          r->queue | (unsigned)r->kind << 8);
  differs(n, p, q, index, "code", le_get(c + (kind == KERNEL ? 32 : 8), 8), 0xc0de0000u + kind * 16u + r->code);
  differs(n, p, q, index, "reserved", le_get(c + 48, 8), 0);
  differs(n, p, q, index, "signal", le_get(c + 56, 8), has ? signal : 0);
  uint64_t target = sw_va(p, SW_TARGET + 64 * (2 * kind + r->code - 1));
  if (kind == KERNEL) {
    differs(n, p, q, index, "has arguments", args != 0, r->args != 0);
    if (args) node_peek(n, p, args, b, r->args);
    if (args && has) differs(n, p, q, index, "target buffer", le_get(b, 8), target);
    if (args) pay = le_get(b + 8, 8);
    for (uint32_t k = has ? 16 : 0; args && k < r->args; k += k == 7 ? 9 : 1)
      if (differs(n, p, q, index, "an argument", b[k], score_payload(id, seq, k) ^ 0xffu)) return;
    if (args && r->pay) differs(n, p, q, index, "address of the payload", pay, args + r->args);
  } else {
    differs(n, p, q, index, "target buffer", le_get(c + 16, 8), target);
    pay = le_get(c + 24, 8);
    if (r->pay && r->args) {
      node_peek(n, p, pay - r->args, b, r->args);
      for (uint32_t k = 0; k < r->args; k++)
        if (differs(n, p, q, index, "an argument", b[k], score_payload(id, seq, k) ^ 0xffu)) return;
    }
  }
  if (!r->pay) differs(n, p, q, index, "payload", pay, 0);
  if (pay) node_peek(n, p, pay, b, r->pay);
  for (uint32_t k = 0; pay && k < r->pay; k++) {
    if (b[k] != score_payload(id, seq, k))
      differs(n, p, q, index, "a byte of payload", b[k], score_payload(id, seq, k));
    sum += b[k];
  }
  if (!run) return;
  if (seq + 1 <= t->last_run[q]) differs(n, p, q, index, "order: number", seq + 1, t->last_run[q] + 1);
  t->last_run[q] = seq + 1;
  r->run = true;
  me->q[q].tasks++;
  node_poke64(n, p, target, node_peek64(n, p, target) + sum);
  if (has) node_poke64(n, p, signal, node_peek64(n, p, signal) - 1);
  s->progress = w->cycle;
}

// The doorbell has rung: everything that it tells of must be in memory now, unless it has been taken before.
void agent_bell(node *n, unsigned p, unsigned q, uint64_t index) {
  queue *u = &n->sw->p[p].q[q];
  uint64_t read = node_peek64(n, p, at(p, q, READ));
  uint8_t c[64];
  if (q != 1) differs(n, p, q, index, "doorbell", index, u->bell + 1);
  u->bell = index;
  u->rang = true;
  if ((int64_t)(index - read) < 0) return;
  differs(n, p, q, index, "slots used, more than there are", index - read < u->size, true);
  node_peek(n, p, at(p, q, 64 * (index & (u->size - 1))), c, 64);
  if (differs(n, p, q, index, "doorbell before the header: type", c[0] == 1, false)) return;
  if (q == 2 || q == 3)
    differs(n, p, q, index, "write_index at the doorbell", node_peek64(n, p, at(p, q, WRITE)), index + 1);
  check(n, p, q, index, c, false);
}

void agent_cycle(node *n, unsigned p) {
  net *w = n->net;
  rng *r = &w->rng;
  unsigned q = rng_below(r, SW_QUEUES);
  queue *u = &n->sw->p[p].q[q];
  if (!u->size) return;
  for (unsigned k = rng_below(r, 4); k-- > 0;) {
    uint64_t read = node_peek64(n, p, at(p, q, READ));
    uint8_t c[64], none = 1;
    node_peek(n, p, at(p, q, 64 * (read & (u->size - 1))), c, 64);
    if (c[0] == 1) break;
    if (q != 1 && (int64_t)(u->bell - read) < 0 && !rng_1in(r, 4)) break;  // mostly it waits for the doorbell
    check(n, p, q, read, c, true);
    node_poke(n, p, at(p, q, 64 * (read & (u->size - 1))), &none, 1);
    node_poke64(n, p, at(p, q, READ), read + 1);
  }
  if (q == 1 && rng_1in(r, 8) && sw_busy(w)) {  // it shares this queue with the NIC
    uint64_t next = node_peek64(n, p, at(p, q, WRITE));
    if (next - node_peek64(n, p, at(p, q, READ)) >= u->size) return;
    node_poke64(n, p, at(p, q, WRITE), next + 1);
    uint8_t c[64];
    memset(c, 0x5a, sizeof c);
    c[0] = 2;
    le_put(c + 12, 4, TAG_OWN);
    node_poke(n, p, at(p, q, 64 * (next & (u->size - 1))), c, 64);
    u->own_sent++;
  }
}
