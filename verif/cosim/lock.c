// SPDX-License-Identifier: Apache-2.0
// Lockstep: the model gets the hardware's retire records and arrivals; what it says must come out, comes out.
//
//   host TLPs           one queue, in order of decision
//   device completions  a queue for each port and maker (forwarded, UR, flush answer)
//   AXI writes          id 0 one stream of bytes in order; id 1 in order within an entry; id 2 whole small writes
//   AXI reads           what a walk slot, or the invalidation queue, was given is what the model's walk is given
//   publishing          every byte of the entries that a record publishes is in memory, and the right one
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct wr {
  struct wr *next;
  uint64_t addr;
  unsigned n, off;  // bytes, bytes matched
  uint8_t data[];
} wr;

typedef struct wrq {
  wr *head, *tail;
  unsigned n;
} wrq;

typedef struct rdq {
  struct {
    uint64_t addr;
    uint8_t n, err, data[64];
  } e[32];
  unsigned head, n;
} rdq;

struct lock {
  pktq host, dev[BENCH_PORTS][3];
  wrq want[3], early;  // expected AXI writes; writes of id 2 that came before their record
  rdq rd[257];         // by AXI id; 256: not used
  struct {
    uint64_t e[64], end;
    unsigned head, n;
    uint32_t prod;
  } log[32];
  uint64_t matched_bytes;
};

struct lock *lock_new(bench *b) {
  (void)b;
  return calloc(1, sizeof(struct lock));
}

static void wrq_push(wrq *q, uint64_t addr, const void *p, unsigned n) {
  wr *w = malloc(sizeof *w + n);
  if (!w) abort();
  w->next = NULL;
  w->addr = addr;
  w->n = n;
  w->off = 0;
  memcpy(w->data, p, n);
  if (q->tail)
    q->tail->next = w;
  else
    q->head = w;
  q->tail = w;
  q->n++;
}

static void wrq_remove(wrq *q, wr *before, wr *w) {
  if (before)
    before->next = w->next;
  else
    q->head = w->next;
  if (q->tail == w) q->tail = before;
  q->n--;
  free(w);
}

void lock_free(struct lock *l) {
  if (!l) return;
  pktq_clear(&l->host);
  for (unsigned i = 0; i < BENCH_PORTS; i++)
    for (unsigned j = 0; j < 3; j++) pktq_clear(&l->dev[i][j]);
  for (unsigned i = 0; i < 3; i++)
    while (l->want[i].head) wrq_remove(&l->want[i], NULL, l->want[i].head);
  while (l->early.head) wrq_remove(&l->early, NULL, l->early.head);
  free(l);
}

// ---- the model's operations -----------------------------------------------------------------------------------------

static bool op_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  bench *b = ctx;
  bool qi = src == AA_SRC_QI;
  rdq *q = &b->lock->rd[qi ? 0x80 : src & 0xFF];
  unsigned k = q->head;
  if (b->failed) return false;
  // descriptors may be fetched ahead and dropped: then the newest read of this address counts
  unsigned last = 0;
  for (unsigned i = 1; qi && i < q->n; i++)
    if (q->e[(q->head + i) % 32].addr == addr) last = i;
  q->head = (q->head + last) % 32;
  q->n -= last;
  k = q->head;
  if (!q->n || q->e[k].addr != addr || q->e[k].n < n) {
    bench_fail(b, qi ? "aa_qi" : "aa_walk",
               "walk slot %u: got a read of %" PRIx64 " (%u bytes), want %" PRIx64 " (%zu bytes)", src,
               q->n ? q->e[k].addr : 0, q->n ? q->e[k].n : 0, addr, n);
    return false;
  }
  memcpy(buf, q->e[k].data, n);
  bool ok = !q->e[k].err;
  if (qi && ok && memcmp(q->e[k].data, &(uint64_t[2]){mem_read64(b->mem, addr), mem_read64(b->mem, addr + 8)}, n))
    bench_fail(b, "aa_qi", "a descriptor at %" PRIx64 " is older than the tail that covers it", addr);
  q->head = (q->head + 1) % 32;
  q->n--;
  return ok;
}

static bool op_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  bench *b = ctx;
  struct lock *l = b->lock;
  if (axi_bad(b, addr)) return true;  // the error comes as a record
  mem_write(b->ref, addr, buf, n);
  if (src == AA_SRC_SMALL) {
    wr *before = NULL;
    for (wr *w = l->early.head; w; before = w, w = w->next)
      if (w->addr == addr && w->n == n) {
        if (memcmp(w->data, buf, n))
          bench_fail(b, "aa_msg", "write of %" PRIx64 ": got %02x%02x%02x%02x.., want %02x%02x%02x%02x..", addr,
                     w->data[0], w->data[1], w->data[2], w->data[3], ((const uint8_t *)buf)[0],
                     ((const uint8_t *)buf)[1], ((const uint8_t *)buf)[2], ((const uint8_t *)buf)[3]);
        wrq_remove(&l->early, before, w);
        return true;
      }
  }
  wrq_push(&l->want[src], addr, buf, (unsigned)n);
  return true;
}

static void op_host(void *ctx, const tlp *t) {
  bench *b = ctx;
  pktq_push(&b->lock->host, pkt_from_tlp(t));
}

static void op_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  bench *b = ctx;
  pktq_push(&b->lock->dev[port][src], pkt_from_tlp(t));
}

const aa_ops *lock_ops(void) {
  static const aa_ops ops = {op_read, op_write, op_host, op_dev, NULL};
  return &ops;
}

// ---- the hardware's outputs -----------------------------------------------------------------------------------------

void lock_axi_read(bench *b, unsigned id, uint64_t addr, const void *data, unsigned n, bool err) {
  rdq *q = &b->lock->rd[id & 0xFF];
  if (q->n == 32) q->head = (q->head + 1) % 32, q->n--;  // of forgotten walks
  unsigned k = (q->head + q->n++) % 32;
  q->e[k].addr = addr;
  q->e[k].n = (uint8_t)n;
  q->e[k].err = err;
  memcpy(q->e[k].data, data, n);
}

// [addr, addr+n) against the expected writes of an id, the first `window` of them.
static void match(bench *b, unsigned id, uint64_t addr, const uint8_t *data, unsigned n, unsigned window) {
  wrq *q = &b->lock->want[id];
  while (n && !b->failed) {
    wr *w = q->head, *before = NULL;
    unsigned i = 0;
    while (w && i < window && w->addr + w->off != addr) {
      before = w;
      w = w->next;
      i++;
    }
    if (!w || i == window) {
      if (q->head)
        bench_fail(b, id ? "aa_log_get" : "aa_log_put", "AXI id %u: got a write of %" PRIx64 ", want %" PRIx64, id,
                   addr, q->head->addr + q->head->off);
      else
        bench_fail(b, id ? "aa_log_get" : "aa_log_put", "AXI id %u: got a write of %" PRIx64 ", want none", id, addr);
      return;
    }
    unsigned k = w->n - w->off < n ? w->n - w->off : n;
    for (unsigned j = 0; j < k; j++)
      if (w->data[w->off + j] != data[j]) {
        bench_fail(b, id ? "aa_log_get" : "aa_log_put", "AXI id %u: write of %" PRIx64 ": got %02x, want %02x", id,
                   addr + j, data[j], w->data[w->off + j]);
        return;
      }
    w->off += k;
    addr += k;
    data += k;
    n -= k;
    if (w->off == w->n) wrq_remove(q, before, w);
  }
}

void lock_axi_write(bench *b, unsigned id, uint64_t addr, const uint8_t *data, unsigned n) {
  struct lock *l = b->lock;
  l->matched_bytes += n;
  if (axi_bad(b, addr)) return;
  if (id < 2) {
    match(b, id, addr, data, n, id ? 4096 : 1);
    return;
  }
  if (id != 2 || (n != 4 && n != 8)) {
    bench_fail(b, "m_axi", "write of %" PRIx64 ", %u bytes, id %u: want id 0, 1 or 2 (4 or 8 bytes)", addr, n, id);
    return;
  }
  wr *before = NULL;
  for (wr *w = l->want[2].head; w; before = w, w = w->next)
    if (w->addr == addr && w->n == n) {
      if (memcmp(w->data, data, n)) {
        uint64_t got = 0, want = 0;
        memcpy(&got, data, n);
        memcpy(&want, w->data, n);
        bench_fail(b, "aa_msg", "write of %" PRIx64 ": got %" PRIx64 ", want %" PRIx64, addr, got, want);
      }
      wrq_remove(&l->want[2], before, w);
      return;
    }
  wrq_push(&l->early, addr, data, n);
  if (l->early.n > 8) bench_fail(b, "aa_msg", "write of %" PRIx64 ": nobody asks for it", addr);
}

static void compare(bench *b, const char *block, pktq *q, const pkt *p) {
  char got[160], want[160];
  const char *what = "packet";
  if (!q->head) {
    bench_fail(b, block, "got  %s\nwant none", pkt_text(p, got, sizeof got));
    return;
  }
  pkt *w = pktq_pop(q);
  if (!pkt_same(p, w, &what)) {
    unsigned at = 0;
    while (!strcmp(what, "payload") && p->data[at] == w->data[at]) at++;
    bench_fail(b, block, "%s differs (byte %u of payload: %02x, %02x)\ngot  %s\nwant %s", what, at,
               p->ndw ? p->data[at] : 0, w->ndw ? w->data[at] : 0, pkt_text(p, got, sizeof got),
               pkt_text(w, want, sizeof want));
  }
  pkt_free(w);
}

void lock_host(bench *b, const pkt *p) { compare(b, "host_req", &b->lock->host, p); }

void lock_dev(bench *b, unsigned port, const pkt *p) {
  pktq *q = b->lock->dev[port];
  const char *what;
  // the head of one of the three; if none fits, report against the likeliest
  for (unsigned i = 0; i < 3; i++)
    if (q[i].head && pkt_same(p, q[i].head, &what)) {
      pkt_free(pktq_pop(&q[i]));
      return;
    }
  unsigned best = 0;
  for (unsigned i = 0; i < 3; i++)
    if (q[i].head && q[i].head->hdr[2] >> 8 == p->hdr[2] >> 8) best = i;
  compare(b, "dev_cpl", &q[best], p);
}

static uint32_t le32(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Bytes of the entry (or pad) at addr by its header in the model's memory.
static unsigned entry_bytes(bench *b, uint64_t addr) {
  uint8_t h[16];
  mem_read(b->ref, addr, h, 16);
  // entry_t: upper word from bit 0: iuid 10, zero 2, kind 3, denied, aborted, poisoned, data, len 11, fbe 4, lbe 4, ...
  uint32_t v = le32(h + 8), len = v >> 19 & 0x7FF;
  bool data = v >> 18 & 1;
  if ((v >> 12 & 7) == 7) return 16 + 4 * len;
  return data ? 16 + ((4 * len + 15) & ~15u) : 16;
}

// One reservation: the entry, and what is left of the bytes published is the pad before it.
static void published(bench *b, const aa_retire_rec *r) {
  struct lock *l = b->lock;
  uint32_t bytes = (uint32_t)r->a - l->log[r->idx].prod;
  uint64_t end = l->log[r->idx].end, first;
  l->log[r->idx].prod = (uint32_t)r->a;
  if (!l->log[r->idx].n) {
    bench_fail(b, "aa_log", "log %u: %u bytes published that no entry holds", r->idx, bytes);
    return;
  }
  uint64_t at = l->log[r->idx].e[l->log[r->idx].head];
  unsigned n = entry_bytes(b, at);
  l->log[r->idx].head = (l->log[r->idx].head + 1) % 64;
  l->log[r->idx].n--;
  l->log[r->idx].end = at + n;
  if (n > bytes || (n < bytes && (!end || entry_bytes(b, end) != bytes - n)))
    bench_fail(b, "aa_log", "log %u: entry at %" PRIx64 ": got %u bytes published, want %u", r->idx, at, bytes, n);
  else if (n < bytes && !mem_same(b->mem, b->ref, end, 16, &first) && !axi_bad(b, first))
    bench_fail(b, "aa_log", "log %u: pad at %" PRIx64 " published before it is in memory", r->idx, end);
  else if (!mem_same(b->mem, b->ref, at, n, &first) && !axi_bad(b, first))
    bench_fail(b, "aa_log", "log %u: entry at %" PRIx64 " (%u bytes) published before byte %" PRIx64 " is in memory",
               r->idx, at, n, first);
}

void lock_retire(bench *b, const aa_retire_rec *r) {
  struct lock *l = b->lock;
  if (r->kind == AA_RET_WALK) l->rd[r->slot].n = 0;  // what a forgotten walk read is nobody's
  aa_status s = aa_retire(b->model, r);
  if (s && !b->failed) {
    char text[200];
    bench_fail(b, "model", "%s: %s\nrecord %s", aa_strstatus(s), aa_reason(b->model),
               lock_record_text(r, text, sizeof text));
    return;
  }
  switch (r->kind) {
    case AA_RET_FILL:
      if (l->rd[r->slot].n)
        bench_fail(b, "aa_walk", "walk slot %u read %u words more than its walk needs (%" PRIx64 ")", r->slot,
                   l->rd[r->slot].n, l->rd[r->slot].e[l->rd[r->slot].head].addr);
      break;
    case AA_RET_DECIDE:
      if (r->b && r->slot < 32 && l->log[r->slot].n < 64) {
        unsigned k = (l->log[r->slot].head + l->log[r->slot].n++) % 64;
        l->log[r->slot].e[k] = r->b;
      }
      break;
    case AA_RET_PUBLISH:
      if (r->idx < 32) published(b, r);
      break;
    case AA_RET_NOTIFY:
      if (r->code == AA_NOTE_LOG_OFF && r->idx < 32) memset(&l->log[r->idx], 0, sizeof l->log[0]);
      break;
    default: break;
  }
}

void lock_end(bench *b) {
  struct lock *l = b->lock;
  char text[160];
  uint64_t first, n;
  if (b->failed) return;
  if (l->host.head) bench_fail(b, "host_req", "got none\nwant %s", pkt_text(l->host.head, text, sizeof text));
  for (unsigned i = 0; i < BENCH_PORTS; i++)
    for (unsigned j = 0; j < 3; j++)
      if (l->dev[i][j].head)
        bench_fail(b, "dev_cpl", "port %u: got none\nwant %s", i, pkt_text(l->dev[i][j].head, text, sizeof text));
  for (unsigned i = 0; i < 3; i++)
    if (l->want[i].head)
      bench_fail(b, "m_axi", "AXI id %u: got no write, want %u bytes at %" PRIx64 " (%u more)", i, l->want[i].head->n,
                 l->want[i].head->addr, l->want[i].n - 1);
  if (l->early.head) bench_fail(b, "aa_msg", "write of %" PRIx64 ": nobody asked for it", l->early.head->addr);
  if (aa_pending(b->model)) bench_fail(b, "model", "%u arrivals are still to be decided", aa_pending(b->model));
  if ((n = mem_compare(b->mem, b->ref, &first)))
    bench_fail(b, "memory", "%" PRIu64 " bytes differ, the first at %" PRIx64 ": got %02x, want %02x", n, first,
               (unsigned)(mem_read64(b->mem, first & ~7ULL) >> (8 * (first & 7)) & 0xFF),
               (unsigned)(mem_read64(b->ref, first & ~7ULL) >> (8 * (first & 7)) & 0xFF));
}

const char *lock_record_text(const aa_retire_rec *r, char *buf, size_t n) {
  static const char *const kind[] = {"None", "RegRead", "Walk",    "Xlate",  "Fill",  "Decide",
                                     "Cpl",  "Timeout", "Publish", "Notify", "Inval", "RegWrite"};
  static const char *const out[] = {"Pass", "Log", "Block", "Redirect", "Flush", "Lost", "BlockLost"};
  static const char *const note[] = {"?",    "Ptr",  "Msi",   "Fault",  "InvDone",
                                     "Wait", "Task", "Flush", "LogOff", "AxiErr"};
  const char *code = r->kind == AA_RET_DECIDE && r->code < 7    ? out[r->code]
                     : r->kind == AA_RET_NOTIFY && r->code < 10 ? note[r->code]
                                                                : "";
  snprintf(buf, n, "%-8s %-9s code %u flag %u lane %u slot %u idx %u a %" PRIx64 " b %" PRIx64,
           r->kind < 12 ? kind[r->kind] : "?", code, r->code, r->flag, r->lane, r->slot, r->idx, r->a, r->b);
  return buf;
}
