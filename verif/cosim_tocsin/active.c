// SPDX-License-Identifier: Apache-2.0
// The access logs of a node, and what must be in them: every put into a page that is logged, once, whole, in the order
// of its QP, and nothing else. Written from what software has asked for; no model is looked at.
//
// A log with a task is read by its handler alone, from where it stopped to where the producer is by then; nobody else
// looks. So a put that comes between the handler's last look and the log's re-arming must start a task by itself, or
// the run never ends.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin.h"

slot_kind active_kind(unsigned slot) {
  static const slot_kind kind[SW_SLOTS] = {SLOT_PLAIN, SLOT_PLAIN, SLOT_PLAIN,    SLOT_REDIRECT,
                                           SLOT_LOG,   SLOT_META,  SLOT_REDIRECT, SLOT_READS};
  return slot < SW_SLOTS ? kind[slot] : SLOT_BLOCKED;
}

// Slot 3 goes to a log that is polled, slot 7 to one that drops what finds no room; the others to the log of the
// process, with a task.
static bool polled(unsigned slot) { return slot == 3; }

unsigned active_log(const node *n, unsigned proc, unsigned slot) {
  unsigned logs = n->iommu->b->hw.NumLogs, poll = logs > 5 ? 3 : logs - 3;
  return slot == 7 ? logs - 2 : polled(slot) || proc >= poll ? poll : proc;
}

// What a put may take in a log: it is cut at frames, pages and the NIC's limit of payload.
static uint32_t cost_of(uint32_t len) { return len + 64 * (len / 128 + 4); }

// A log that stalls must never be full when the NIC writes there: the packet that starts its handler would wait behind
// the put that waits for room, and so would writes to the NIC's registers, with LP_CONS behind them
// (rtl/top/tocsin.sv). So whoever writes sees to it, as with any queue.
static bool room(node *n, unsigned qp, unsigned slot, uint32_t len) {
  iommu *u = n->iommu;
  unsigned l = active_log(n, board_of(n->net)->s[2 * qp].proc, slot);
  slot_kind k = active_kind(slot);
  if (k == SLOT_PLAIN || k == SLOT_READS || k == SLOT_BLOCKED) return true;
  return u->log[l].owed + cost_of(len) + 4096 <= 1u << u->log[l].size;
}

static bool put(node *n, unsigned qp, uint32_t request, unsigned slot, uint64_t va, const void *p, uint32_t len) {
  iommu *u = n->iommu;
  slot_kind k = active_kind(slot);
  if (k == SLOT_PLAIN || k == SLOT_READS) return true;
  if (len && k != SLOT_BLOCKED) {
    put_want *w = malloc(sizeof *w + len);
    if (!w) abort();
    *w = (put_want){.va = va, .request = request, .n = len, .cost = cost_of(len)};
    memcpy(w->data, p, len);
    put_list *q = &u->want[qp][polled(slot)];
    *(q->tail ? q->tail : &q->head) = w;
    q->tail = &w->next;
    u->log[active_log(n, board_of(n->net)->s[2 * qp].proc, slot)].owed += w->cost;
    u->wanted++;
  }
  return k != SLOT_REDIRECT && k != SLOT_BLOCKED;
}

static void wrong(node *n, unsigned l, uint64_t at, const uint8_t *e, const char *what, uint64_t got, uint64_t want) {
  net_fail(n->net, "access log",
           "node %u, log %u, entry at %" PRIx64 " (%016" PRIx64 " %016" PRIx64 "): %s: got %" PRIx64 ", want %" PRIx64,
           n->id, l, at, le_get(e, 8), le_get(e + 8, 8), what, got, want);
}

// The oldest put of a list has been seen whole, or never will be.
static void drop(iommu *u, unsigned l, put_list *q) {
  put_want *w = q->head;
  u->log[l].owed -= w->cost;
  u->wanted--;
  q->head = w->next;
  if (!q->head) q->tail = NULL;
  free(w);
}

// One entry of a put: the next bytes of the oldest put of its QP that has not been seen whole.
static void seen_put(node *n, unsigned l, uint64_t at, const uint8_t *e, unsigned qp, unsigned slot) {
  iommu *u = n->iommu;
  uint64_t addr = le_get(e, 8), head = le_get(e + 8, 8);
  unsigned len = head >> 19 & 0x7ff, fbe = head >> 30 & 15, lbe = head >> 34 & 15;
  uint32_t lead = (uint32_t)(addr & 3), k = tlp_byte_count(len, fbe, lbe);
  slot_kind kind = active_kind(slot);
  put_list *q = &u->want[qp][polled(slot)];
  put_want *w = q->head;
  if (!w) {
    wrong(n, l, at, e, "a put that nobody has made", addr, 0);
    return;
  }
  if (addr != w->va + w->off) wrong(n, l, at, e, "address", addr, w->va + w->off);
  if (!k || k > w->n - w->off) wrong(n, l, at, e, "bytes, at most", k, w->n - w->off);
  if ((head >> 15 & 1) != (kind == SLOT_REDIRECT)) wrong(n, l, at, e, "denied", head >> 15 & 1, kind == SLOT_REDIRECT);
  if ((head >> 18 & 1) != (kind != SLOT_META)) wrong(n, l, at, e, "data", head >> 18 & 1, kind != SLOT_META);
  if (n->net->failed) return;
  if (kind != SLOT_META && memcmp(e + 16 + lead, w->data + w->off, k)) {
    uint32_t i = 0;
    while (e[16 + lead + i] == w->data[w->off + i]) i++;
    wrong(n, l, at, e, "a byte", e[16 + lead + i], w->data[w->off + i]);
  }
  w->off += k;
  board_of(n->net)->progress = n->net->cycle;
  if (w->off == w->n) drop(u, l, q);
}

static void entry_seen(node *n, unsigned l, uint64_t at, const uint8_t *e) {
  iommu *u = n->iommu;
  board *s = board_of(n->net);
  uint64_t addr = le_get(e, 8), head = le_get(e + 8, 8);
  unsigned rid = (unsigned)(head >> 48), proc = rid - NET_RID, kind = head >> 12 & 7;
  uint64_t off = addr - sw_va(proc, SW_REMOTE);
  unsigned qp = (unsigned)(off / 0x20000), slot = (unsigned)(off % 0x20000 / SW_SLOT);
  u->log[l].entries++;
  if (proc >= s->procs || off / 0x20000 >= s->qps || s->s[2 * qp].proc != proc || slot >= SW_SLOTS)
    wrong(n, l, at, e, "a place that no QP has, requester", addr, rid);
  else if (active_log(n, proc, slot) != l || (head & 0x3ff) != 16 + l)
    wrong(n, l, at, e, "log, IUID", head & 0x3ff, 16 + active_log(n, proc, slot));
  else if (head >> 16 & 3)
    wrong(n, l, at, e, "poisoned, aborted", head >> 16 & 3, 0);
  else if (kind != (active_kind(slot) == SLOT_READS ? 2 : 1))
    wrong(n, l, at, e, "kind", kind, active_kind(slot) == SLOT_READS ? 2 : 1);
  else if (kind == 1)
    seen_put(n, l, at, e, qp, slot);
  else
    u->log[l].reads++;
}

static uint32_t producer(const node *n, unsigned l) { return (uint32_t)mem_read64(n->mem, IOMMU_PTR + 64 * l); }

// Compares what is new, up to prod.
static void read_entries(node *n, unsigned l, uint32_t prod) {
  iommu *u = n->iommu;
  static uint8_t e[16 + 4096];
  uint32_t size = 1u << u->log[l].size, mask = size - 1, at = u->log[l].seen;
  if (prod - u->log[l].cons > size) {
    net_fail(n->net, "access log", "node %u, log %u: producer %x, consumer %x", n->id, l, prod, u->log[l].cons);
    return;
  }
  while ((int32_t)(prod - at) > 0 && !n->net->failed) {
    uint64_t pa = u->log[l].base + (at & mask);
    mem_read(n->mem, pa, e, 16);
    uint64_t head = le_get(e + 8, 8);
    uint32_t k = 4 * (head >> 19 & 0x7ff), room = prod - at < size - (at & mask) ? prod - at : size - (at & mask);
    bool pad = (head >> 12 & 7) == 7, data = head >> 18 & 1;
    k = 16 + (pad ? k : data ? (k + 15) & ~15u : 0);
    if (k > room) wrong(n, l, pa, e, "bytes, at most", k, room);
    if (n->net->failed) return;
    if (data) mem_read(n->mem, pa + 16, e + 16, k - 16);
    if (!pad) entry_seen(n, l, pa, e);
    at += k;
  }
  u->log[l].seen = at;
}

// Reads up to prod, and frees the room.
static void consume(node *n, unsigned l, uint32_t prod) {
  iommu *u = n->iommu;
  if (!u->log[l].on || prod == u->log[l].cons) return;
  read_entries(n, l, prod);
  if (n->net->failed) return;
  u->log[l].cons = prod;
  iommu_write(n, AA_REG_LP_CONS + l * AA_REG_LP_CONS_STRIDE, 8, prod);
}

// The handler: notice and log agree on where it stopped. It reads what the notice tells of, or all there is by now.
static void handler(node *n, unsigned l) {
  if (n->sw->log[l].cons != n->iommu->log[l].cons)
    net_fail(n->net, "aa_notify", "node %u, log %u: consumer in the notice: got %x, want %x", n->id, l,
             n->sw->log[l].cons, n->iommu->log[l].cons);
  consume(n, l, rng_1in(&n->iommu->b->rng, 2) ? n->sw->log[l].prod : producer(n, l));
}

static void consume_all(node *n, unsigned l) { consume(n, l, producer(n, l)); }

static uint32_t producer_reg(node *n, unsigned l) {
  return (uint32_t)node_read(n, NET_IOMMU | (AA_REG_LP_PROD + l * AA_REG_LP_PROD_STRIDE));
}

// Both ends of a QP have been off for long enough: what has come of its puts is in a log by now. Those that have ended
// are there whole; of the others, whatever had come.
static void lost(node *n, unsigned qp, uint32_t from) {
  iommu *u = n->iommu;
  unsigned proc = board_of(n->net)->s[2 * qp].proc;
  for (unsigned k = 0; k < 2; k++) {
    unsigned slot = k ? 3 : 4, l = active_log(n, proc, slot);
    put_list *q = &u->want[qp][k];
    if (!q->head) continue;
    read_entries(n, l, producer_reg(n, l));
    for (; q->head && !n->net->failed; drop(u, l, q))
      if ((int32_t)(q->head->request - from) < 0)
        net_fail(n->net, "access log", "node %u, QP %u: of %u bytes put at %" PRIx64 ", which has ended, log %u has %u",
                 n->id, qp, q->head->n, q->head->va, l, q->head->off);
  }
}

static void in_motion(node *n) {
  iommu *u = n->iommu;
  if (rng_1in(&u->b->rng, 100)) consume_all(n, active_log(n, 0, 3));
  if (rng_1in(&u->b->rng, 500)) consume_all(n, active_log(n, 0, 7));
  iommu_cycle(n);
}

static bool busy(const node *n) { return n->iommu->wanted; }

static void rest(node *n) { n->iommu->b->traffic->on = false; }

// All is read, the hardware's pointers agree, nothing was lost.
static void finish(node *n) {
  iommu *u = n->iommu;
  for (unsigned qp = 0; qp < SW_QPS; qp++)
    for (unsigned k = 0; k < 2; k++)
      for (const put_want *w = u->want[qp][k].head; w && !n->net->failed; w = w->next)
        net_fail(n->net, "access log", "node %u, QP %u: of %u bytes put at %" PRIx64 " the %s log has %u", n->id, qp,
                 w->n, w->va, k ? "polled" : "process'", w->off);
  for (unsigned l = 0; l + 1 < u->b->hw.NumLogs && !n->net->failed; l++) {
    if (!u->log[l].on) continue;
    uint64_t sts = node_read(n, NET_IOMMU | (AA_REG_LP_STS + l * AA_REG_LP_STS_STRIDE));
    uint32_t prod = producer_reg(n, l);
    if (!u->log[l].task) consume_all(n, l);
    if (prod != u->log[l].cons)
      net_fail(n->net, "access log", "node %u, log %u: producer %x, its reader has stopped at %x", n->id, l, prod,
               u->log[l].cons);
    if (sts & (AA_LP_STS_BAD_MASK | AA_LP_STS_ABORTED_MASK | (u->log[l].drops ? 0 : AA_LP_STS_LOST_MASK)))
      net_fail(n->net, "access log", "node %u, log %u: state %" PRIx64, n->id, l, sts);
  }
}

void active_free(iommu *u) {
  for (unsigned i = 0; i < SW_QPS; i++)
    for (unsigned k = 0; k < 2; k++)
      for (put_want *w = u->want[i][k].head, *next; w; w = next) {
        next = w->next;
        free(w);
      }
}

const node_active iommu_active = {room, put, lost, handler, in_motion, busy, rest, finish};
