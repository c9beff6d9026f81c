// SPDX-License-Identifier: Apache-2.0
// Root complex: takes translated TLPs, does them on memory, and answers reads with every legal split, delay and order;
// on request also with errors, strays and nonsense.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define OPEN 2048  // reads that may be under way: also those that a time-out has ended, when memory is slower than that

typedef struct owed {
  uint32_t hdr[4];
  uint8_t seq;
  uint64_t pos, end;  // bytes still to send: [pos, end)
  uint64_t due;
  bool atomic, ur;
  uint8_t pieces;
  uint8_t operand;  // bytes of an atomic's answer
  uint8_t value[16];
  uint64_t number;  // of its coming
} owed;

struct host {
  host_mode mode;
  owed o[OPEN];
  unsigned n;
  uint64_t come, last;  // reads so far; the one whose piece went last
};

struct host *host_new(void) {
  struct host *h = calloc(1, sizeof *h);
  if (h) {
    h->mode.rcb = 64;
    h->mode.mps = 256;
  }
  return h;
}

void host_free(struct host *h) { free(h); }

host_mode *host_mode_of(bench *b) { return &b->host->mode; }

bool host_idle(const bench *b) { return !b->host->n; }

static void store(bench *b, uint64_t addr, const void *p, size_t n) {
  mem_write(b->mem, addr, p, n);
  if (b->backend == BENCH_BOTH) mem_write(b->ref, addr, p, n);
}

static void write_tlp(bench *b, const pkt *p, const tlp_fields *f) {
  if (f->addr >> 20 == 0xFEE) {
    b->stats.interrupts++;
    return;
  }
  if (f->length == 1) {
    for (unsigned i = 0; i < 4; i++)
      if (f->fbe >> i & 1) store(b, f->addr + i, p->data + i, 1);
    return;
  }
  // whole words in the middle; the ends by their enables
  unsigned n = f->length;
  for (unsigned i = 0; i < 4; i++) {
    if (f->fbe >> i & 1) store(b, f->addr + i, p->data + i, 1);
    if (f->lbe >> i & 1) store(b, f->addr + 4 * (n - 1) + i, p->data + 4 * (n - 1) + i, 1);
  }
  if (n > 2) store(b, f->addr + 4, p->data + 4, 4 * (size_t)(n - 2));
}

static uint64_t le(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  memcpy(&v, p, n);
  return v;
}

static void atomic(bench *b, const pkt *p, const tlp_fields *f, owed *o) {
  unsigned type = f->type & 0x1F, n = 4u * f->length / (type == 0x0E ? 2u : 1u);
  uint8_t old[16], new[16];
  mem_read(b->mem, f->addr, old, n);
  memcpy(new, old, n);
  if (type == 0x0C) {
    uint64_t sum = le(old, n) + le(p->data, n);
    memcpy(new, &sum, n);
  } else if (type == 0x0D) {
    memcpy(new, p->data, n);
  } else if (!memcmp(old, p->data, n)) {
    memcpy(new, p->data + n, n);
  }
  store(b, f->addr, new, n);
  o->atomic = true;
  o->operand = (uint8_t)n;
  memcpy(o->value, old, n);
}

void host_request(bench *b, pkt *p) {
  struct host *h = b->host;
  tlp_fields f;
  tlp_parse(p->hdr, &f);
  unsigned type = f.type & 0x1F;
  bool read = !(f.type & TLP_HAS_DATA) && type == 0, write = f.type & TLP_HAS_DATA && type == 0;
  if (write) {
    write_tlp(b, p, &f);
    if (b->on_write && f.fbe) b->on_write(b, f.addr + tlp_first_byte(f.fbe), tlp_byte_count(f.length, f.fbe, f.lbe));
  } else if (read || (type >= 0x0C && type <= 0x0E)) {
    owed o;
    memset(&o, 0, sizeof o);
    memcpy(o.hdr, p->hdr, sizeof o.hdr);
    o.seq = p->seq;
    o.due = b->cycle + rng_range(&b->rng, b->prof.host_min, b->prof.host_max);
    o.pos = f.addr + tlp_first_byte(f.fbe);
    o.end = o.pos + tlp_byte_count(f.length, f.fbe, f.lbe);
    o.ur = axi_bad(b, f.addr);
    if (!read && !o.ur && !h->mode.manual) atomic(b, p, &f, &o);
    if (!read && h->mode.p_bad && rng_p(&b->rng, h->mode.p_bad)) o.ur = true;
    if (h->n == OPEN)
      bench_fail(b, "host_req", "more than %u reads under way", OPEN);
    else if (!h->mode.manual) {
      o.number = ++h->come;
      h->o[h->n++] = o;
    }
  }
  if (b->keep)
    pktq_push(&b->host_seen, p);
  else
    pkt_free(p);
}

static pkt *completion(const owed *o, bool data, unsigned status, unsigned count, unsigned lower, unsigned ndw) {
  tlp_fields f, r;
  memset(&f, 0, sizeof f);
  tlp_parse(o->hdr, &r);
  f.type = data ? TLP_CPLD : TLP_CPL;
  f.tc = r.tc;
  f.attr = r.attr;
  f.length = (uint16_t)ndw;
  f.rid = r.rid;
  f.tag = r.tag;
  f.cid = 0x0008;
  f.status = (uint8_t)status;
  f.byte_count = (uint16_t)count;
  f.lower_addr = (uint8_t)(lower & 0x7F);
  pkt *p = pkt_new(ndw + 32);
  tlp_pack(&f, p->hdr);
  p->ndw = data ? ndw : 0;
  p->seq = o->seq;
  return p;
}

// One completion more than there should be, of some odd kind.
static void stray(bench *b, const owed *o) {
  rng *r = &b->rng;
  owed s = *o;
  pkt *p;
  unsigned k = rng_below(r, 8), n = rng_range(r, 1, 20);
  if (k < 2) s.hdr[1] = s.hdr[1] ^ (uint32_t)rng_u64(r);  // another id or tag, perhaps a live one
  switch (k) {
    case 0: p = completion(&s, true, TLP_SC, 4 * n, (unsigned)o->pos, n); break;
    case 1: p = completion(&s, false, rng_below(r, 8), 4, 0, 0); break;
    case 2: p = completion(&s, true, TLP_SC, rng_range(r, 1, 4096), rng_below(r, 128), n); break;
    case 3: p = completion(&s, false, TLP_SC, (unsigned)(o->end - o->pos), 0, 0); break;
    case 4:  // too long
      p = completion(&s, true, TLP_SC, (unsigned)(o->end - o->pos), (unsigned)o->pos,
                     (unsigned)((o->end - o->pos + 3) / 4 + 2 > 1024 ? 1024 : (o->end - o->pos + 3) / 4 + 2));
      break;
    case 5:  // payload and Length disagree
      p = completion(&s, true, TLP_SC, (unsigned)(o->end - o->pos), (unsigned)o->pos, n);
      p->beats = (uint16_t)((n + b->hw.DataW / 32 - 1) / (b->hw.DataW / 32) + 1);
      break;
    case 6:
      p = completion(&s, true, TLP_SC, 4 * n, 0, n);
      p->nosop = true;
      break;
    default:
      p = completion(&s, true, TLP_SC, 4 * n, 0, n);
      p->cut = true;
      break;
  }
  if (k == 4 && p->ndw > 1000) p->ndw = 1000;
  if (rng_1in(r, 16)) p->hdr[0] ^= 0x01000000;  // a type that is no completion
  for (uint32_t i = 0; i < 4 * p->ndw; i++) p->data[i] = (uint8_t)rng_u64(r);
  pktq_push(&b->cpl_q, p);
}

// The next piece of one answer. true: it was the last.
static bool answer(bench *b, owed *o) {
  host_mode *m = &b->host->mode;
  rng *r = &b->rng;
  bool bad = m->p_bad && rng_p(r, m->p_bad);
  unsigned how = bad ? rng_below(r, m->lose ? 9 : 5) : 99;
  if (m->p_stray && rng_p(r, m->p_stray)) stray(b, o);
  if (bad && how >= 5) return true;  // never
  unsigned left = (unsigned)(o->end - o->pos);
  if (o->ur || how < 2) {
    static const uint8_t status[] = {TLP_UR, TLP_CA, TLP_CRS, 3};
    pktq_push(&b->cpl_q, completion(o, false, o->ur ? TLP_UR : status[rng_below(r, 4)], o->atomic ? o->operand : left,
                                    o->atomic ? 0 : (unsigned)o->pos, 0));
    return true;
  }
  pkt *p;
  bool last = true;
  if (o->atomic) {
    p = completion(o, true, TLP_SC, o->operand, 0, o->operand / 4);
    memcpy(p->data, o->value, o->operand);
  } else {
    uint64_t stop = o->end, at = o->pos & ~3ULL;
    // the furthest border that keeps within MPS, then any one before it
    uint64_t far = (at + m->mps) & ~(uint64_t)(m->rcb - 1), near = (o->pos + m->rcb) & ~(uint64_t)(m->rcb - 1);
    if (((o->end + 3) & ~3ULL) - at > m->mps || (near < o->end && rng_1in(r, 3))) {
      stop = far;
      if (near < far && rng_1in(r, 2))
        stop = near + m->rcb * (uint64_t)rng_below(r, (uint32_t)((far - near) / m->rcb + 1));
      if (stop >= o->end) stop = o->end;
      last = stop == o->end;
    }
    unsigned ndw = (unsigned)((stop - at + 3) / 4);
    p = completion(o, true, TLP_SC, left, (unsigned)o->pos, ndw);
    mem_read(b->mem, at, p->data, 4 * (size_t)ndw);
    // bytes outside of the read are undefined
    for (uint64_t a = at; a < o->pos; a++) p->data[a - at] = (uint8_t)rng_u64(r);
    if (last)
      for (uint64_t a = stop; a < at + 4 * (uint64_t)ndw; a++) p->data[a - at] = (uint8_t)rng_u64(r);
    o->pos = stop;
    if (++o->pieces == 4) aa_reach(b, AT_CPL_PIECES);
    if (last && stop & 3) aa_reach(b, AT_CPL_BYTE);
  }
  if (how == 2) p->hdr[0] |= 0x4000;  // poisoned
  if (how == 3) p->err = true;
  if (how == 4) {  // ill-formed: nothing of it may happen, so the right one follows
    pkt *q = pkt_new(p->room);
    memcpy(q->hdr, p->hdr, sizeof q->hdr);
    q->ndw = p->ndw;
    q->seq = p->seq;
    memcpy(q->data, p->data, 4 * (size_t)p->ndw);
    q->beats = (uint16_t)((p->ndw + b->hw.DataW / 32 - 1) / (b->hw.DataW / 32) + 1);
    if (q->ndw % (b->hw.DataW / 32)) {
      q->ndw += 1;  // one word more
      q->beats = 0;
    }
    pktq_push(&b->cpl_q, q);
  }
  pktq_push(&b->cpl_q, p);
  o->due = b->cycle + rng_below(r, b->prof.host_max + 1);
  return last;
}

void host_cycle(bench *b) {
  struct host *h = b->host;
  if (!h->n || b->cpl_q.n >= 4) return;
  unsigned i = h->mode.in_order ? 0 : rng_below(&b->rng, h->n);
  if (h->o[i].due > b->cycle) {
    // look at the oldest as well: with many under way the random one is seldom the one that is due
    i = 0;
    if (h->o[i].due > b->cycle) return;
  }
  if (h->o[i].pieces && h->last != h->o[i].number) aa_reach(b, AT_CPL_MIXED);
  h->last = h->o[i].number;
  if (answer(b, &h->o[i])) {
    if (i && h->o[i].pieces) aa_reach(b, AT_CPL_OVER);
    memmove(&h->o[i], &h->o[i + 1], (h->n - i - 1) * sizeof h->o[0]);
    h->n--;
  }
}
