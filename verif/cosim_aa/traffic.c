// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#define GIVE_UP 100000  // cycles after which a device takes an unanswered tag for free

traffic *traffic_new(void) {
  traffic *t = calloc(1, sizeof *t);
  if (!t) abort();
  for (unsigned p = 0; p < BENCH_PORTS; p++)
    for (unsigned i = 0; i < TRAFFIC_SIDS; i++)
      t->sid[p][i] = (uint16_t)((p + 1) << 8 | (i < 3 ? i : i << 3 | (i & 1)));
  t->on = true;
  t->max_dw = 1024;
  t->p_write = 50;
  t->p_read = 36;
  t->p_atomic = 8;
  t->p_other = 6;
  return t;
}

pkt *traffic_request(unsigned type32, uint16_t rid, unsigned tag, uint64_t addr, unsigned len, unsigned fbe,
                     unsigned lbe) {
  tlp_fields f;
  memset(&f, 0, sizeof f);
  f.type = (uint8_t)(type32 | (addr >> 32 ? TLP_4DW : 0));
  f.length = (uint16_t)len;
  f.rid = rid;
  f.tag = (uint16_t)tag;
  f.fbe = (uint8_t)fbe;
  f.lbe = (uint8_t)lbe;
  f.addr = addr & ~3ULL;
  pkt *p = pkt_new(len + 64);
  tlp_pack(&f, p->hdr);
  p->ndw = type32 & TLP_HAS_DATA ? len : 0;
  return p;
}

static unsigned length(rng *r, unsigned max) {
  unsigned k = rng_below(r, 16), n = k < 5     ? 1
                                     : k < 10  ? rng_range(r, 2, 8)
                                     : k < 14  ? rng_range(r, 4, 32)
                                     : k == 14 ? rng_range(r, 16, 256)
                                               : rng_range(r, 200, 1024);
  if (k == 15 && rng_1in(r, 4)) n = 1024;
  return n > max ? max : n;
}

static void enables(rng *r, unsigned len, uint64_t addr, unsigned *fbe, unsigned *lbe) {
  static const uint8_t first[] = {0xF, 0xE, 0xC, 0x8}, last[] = {0xF, 0x7, 0x3, 0x1};
  *fbe = 0xF;
  *lbe = len == 1 ? 0 : 0xF;
  if (rng_1in(r, 2)) return;
  if (len == 1) {
    *fbe = rng_range(r, 1, 15);
  } else if (len == 2 && !(addr & 7)) {
    *fbe = rng_range(r, 1, 15);
    *lbe = rng_range(r, 1, 15);
  } else {
    *fbe = first[rng_below(r, 4)];
    *lbe = last[rng_below(r, 4)];
  }
}

// A form or header that PCIe does not allow.
static void spoil(bench *b, pkt *p) {
  rng *r = &b->rng;
  unsigned bd = b->hw.DataW / 32, beats = p->ndw ? (p->ndw + bd - 1) / bd : 1;
  switch (rng_below(r, 12)) {
    case 0: p->beats = (uint16_t)(beats + rng_range(r, 1, 3)); break;                  // too long
    case 1: p->beats = (uint16_t)(beats > 1 ? rng_range(r, 1, beats - 1) : 2); break;  // too short
    case 2: p->strb = rng_below(r, 1u << bd); break;
    case 3: p->nosop = true; break;
    case 4: p->cut = true; break;
    case 5: p->hdr[0] = (p->hdr[0] & ~0x3FFu) | rng_below(r, 1024); break;  // Length changed
    case 6: p->hdr[1] ^= 1u << rng_below(r, 8); break;                      // byte enables
    case 7: p->hdr[0] ^= 0x40000000; break;                                 // data or none
    case 8: p->hdr[0] ^= 1u << rng_range(r, 24, 31); break;                 // another type
    case 9: p->hdr[p->hdr[0] >> 29 & 1 ? 3 : 2] |= 0xFFC; break;            // crosses 4 KiB
    case 10: p->hdr[0] = (uint32_t)rng_u64(r); break;
    default:
      for (unsigned i = 0; i < 4; i++) p->hdr[i] = (uint32_t)rng_u64(r);
      break;
  }
}

// Does the requester see this page?
static bool sees(const traffic *t, unsigned port, unsigned s, uint64_t iova) {
  for (unsigned k = 0; k < t->n[port][s]; k++)
    if (t->page[t->first[port][s] + k].iova == iova) return true;
  return false;
}

// A request on its way to its port.
typedef struct draft {
  unsigned port, s;  // s: which of the port's requesters
  uint16_t rid;
  uint64_t addr;
  bool np;       // is answered
  bool message;  // or a completion: has no address, no attributes of ours
  pkt *p;
} draft;

// Who asks, and where: mostly pages that it sees, seldom anything.
static void draw_place(bench *b, draft *d) {
  traffic *t = b->traffic;
  rng *r = &b->rng;
  unsigned port = d->port, s = d->s;
  d->rid = t->sid[port][s];
  d->addr = (uint64_t)rng_below(r, 64) << 12;
  if (t->n[port][s]) {
    if (rng_1in(r, 300)) t->hot[port][s] = rng_below(r, t->n[port][s]);
    unsigned k = rng_1in(r, 4) ? rng_below(r, t->n[port][s]) : (t->hot[port][s] + rng_below(r, 4)) % t->n[port][s];
    d->addr = t->page[t->first[port][s] + k].iova;
  }
  if (rng_p(r, t->p_wild)) {
    if (rng_1in(r, 2)) d->addr = rng_u64(r) >> rng_below(r, 40) & ~0xFFFULL;
    if (rng_1in(r, 2)) d->rid = (uint16_t)rng_u64(r);
  }
  // untranslated, an address must not hit what the driver and other checks own
  if (d->addr < 0x40000000) d->addr |= 0x40000000;
  d->addr |= rng_1in(r, 3) ? (uint64_t)(rng_below(r, 64) << 6) : rng_below(r, 1024) << 2;
  if (rng_1in(r, 20)) d->addr |= 0xFC0 | rng_below(r, 16) << 2;  // ends at the page's border
}

static void draw_put_or_get(bench *b, draft *d, bool write) {
  traffic *t = b->traffic;
  rng *r = &b->rng;
  unsigned fbe, lbe, len = length(r, t->max_dw);
  d->np = !write;
  if (len > 1024 - (d->addr & 0xFFF) / 4) {
    if (rng_1in(r, 2))
      len = 1024 - (unsigned)(d->addr & 0xFFF) / 4;
    else
      d->addr &= ~0xFFFULL;
  }
  uint64_t flush = t->flush[rng_below(r, TRAFFIC_FLUSHES)];
  if (!write && flush && rng_1in(r, 8) && sees(t, d->port, d->s, flush)) {
    d->addr = flush | rng_below(r, 1021) << 2;
    len = rng_range(r, 1, 4);
  }
  enables(r, len, d->addr, &fbe, &lbe);
  if (rng_1in(r, 24)) {
    len = 1;
    fbe = lbe = 0;
  } else if (write && rng_1in(r, 40)) {
    d->addr = 0xFEE00000 | (d->addr & 0xFFFFC);
    len = 1;
    fbe = 0xF;
    lbe = 0;
  }
  d->p = traffic_request(write ? TLP_MWR32 : TLP_MRD32, d->rid, 0, d->addr, len, fbe, lbe);
}

static void draw_atomic(rng *r, draft *d) {
  static const uint8_t type[] = {TLP_FADD32, TLP_SWAP32, TLP_CAS32};
  unsigned k = rng_below(r, 3), op = k == 2 ? 1u << rng_below(r, 3) : 1u << rng_below(r, 2);
  d->np = true;
  d->addr &= ~(uint64_t)(4 * op - 1);
  d->p = traffic_request(type[k], d->rid, 0, d->addr, k == 2 ? 2 * op : op, (unsigned)rng_u64(r) & 15,
                         (unsigned)rng_u64(r) & 15);
}

// Messages and completions, which pass untranslated, in order with the writes of their port (STR-1).
static void draw_message(rng *r, draft *d) {
  unsigned len = rng_1in(r, 2) ? 0 : rng_range(r, 1, 32);
  pkt *p = d->p = pkt_new(len + 64);
  d->message = true;
  p->hdr[0] = (uint32_t)(rng_1in(r, 3) ? TLP_CPL : TLP_MSG + rng_below(r, 6)) << 24;
  if (len) p->hdr[0] |= 0x40000000 | len;
  for (unsigned i = 1; i < 4; i++) p->hdr[i] = (uint32_t)rng_u64(r);
  if (p->hdr[0] >> 24 == TLP_CPL || p->hdr[0] >> 24 == TLP_CPLD) p->hdr[3] = 0;
  p->ndw = len;
}

// What the IOMMU refuses.
static void draw_refused(rng *r, draft *d) {
  static const uint8_t type[] = {TLP_IORD,    TLP_IOWR,    TLP_CFGRD0, TLP_CFGWR0, TLP_CFGRD1,
                                 TLP_MRDLK32, TLP_MRDLK64, 0x1B,       0x80};
  d->np = true;
  d->p = traffic_request(TLP_MWR32, d->rid, 0, d->addr & 0xFFFFFFFF, 1, 0xF, 0);
  d->p->hdr[0] = (d->p->hdr[0] & 0x00FFFFFF) | (uint32_t)type[rng_below(r, 9)] << 24;
  d->p->ndw = tlp_data_dw(d->p->hdr);
}

static void draw_attributes(rng *r, const draft *d) {
  pkt *p = d->p;
  if (rng_1in(r, 8)) p->hdr[0] |= rng_below(r, 8) << 20;      // TC
  if (rng_1in(r, 8)) p->hdr[0] |= rng_below(r, 4) << 12;      // RO, NS
  if (rng_1in(r, 16)) p->hdr[0] |= 0x40000;                   // IDO
  if (rng_1in(r, 64)) p->hdr[0] |= rng_range(r, 1, 3) << 10;  // AT
  if (rng_1in(r, 48) && p->ndw) p->hdr[0] |= 0x4000;          // EP
  if (rng_1in(r, 32)) {                                       // hints
    p->hdr[0] |= 0x10000;
    p->hdr[p->hdr[0] >> 29 & 1 ? 3 : 2] |= rng_below(r, 4);
    if ((p->hdr[0] >> 24 & ~0x20u) == TLP_MRD32) p->hdr[1] ^= rng_below(r, 256);  // a steering tag
  }
  if (!d->np) p->hdr[1] |= (uint32_t)rng_below(r, 256) << 8;
}

// False: the requester has too many reads under way.
static bool draw_tag(bench *b, const draft *d) {
  traffic *t = b->traffic;
  rng *r = &b->rng;
  uint64_t *sent = t->sent[d->port][d->s];
  unsigned tag = rng_below(r, rng_1in(r, 8) ? 1024 : 64), tries = 0;
  bool reuse = rng_p(r, t->p_live);
  while (sent[tag] && sent[tag] + GIVE_UP > b->cycle && !reuse && tries++ < 16) tag = rng_below(r, 1024);
  if (tries >= 16) return false;
  d->p->hdr[0] |= (tag & 0x200) << 14 | (tag & 0x100) << 11;
  d->p->hdr[1] |= (tag & 0xFF) << 8;
  if (d->rid == t->sid[d->port][d->s]) sent[tag] = b->cycle + 1;
  return true;
}

static void spoil_request(bench *b, pkt *p) {
  spoil(b, p);
  if (!(p->hdr[0] >> 29 & 1) || !p->hdr[2]) p->hdr[p->hdr[2] ? 2 : 3] |= 0x40000000;
  if (!(p->hdr[0] >> 29 & 1)) p->hdr[2] |= 0x40000000;
  // what a form needs is data for every beat
  unsigned want = p->beats ? p->beats * b->hw.DataW / 32 : tlp_data_dw(p->hdr);
  if (!p->beats && !p->strb && want != p->ndw && !rng_1in(&b->rng, 4) && want <= p->room) p->ndw = want;
}

static void send_one(bench *b, unsigned port) {
  traffic *t = b->traffic;
  rng *r = &b->rng;
  draft d = {.port = port, .s = rng_below(r, TRAFFIC_SIDS)};
  unsigned w = rng_below(r, t->p_write + t->p_read + t->p_atomic + t->p_other);
  draw_place(b, &d);
  if (w < t->p_write + t->p_read)
    draw_put_or_get(b, &d, w < t->p_write);
  else if (w < t->p_write + t->p_read + t->p_atomic)
    draw_atomic(r, &d);
  else if (rng_1in(r, 2))
    draw_message(r, &d);
  else
    draw_refused(r, &d);
  if (!d.message) draw_attributes(r, &d);
  if (d.np && !draw_tag(b, &d)) {
    pkt_free(d.p);
    return;
  }
  for (uint32_t i = 0; i < d.p->ndw; i++) {
    uint32_t v = (uint32_t)rng_u64(r);
    memcpy(d.p->data + 4 * i, &v, 4);
  }
  d.p->seq = (uint8_t)rng_u64(r);
  if (rng_p(r, t->p_bad)) spoil_request(b, d.p);
  if (d.addr >> 31 == 1 && d.addr >> 20 & 1) aa_reach(b, AT_FAR_2M);
  if (d.addr >> 38 == 1 && d.addr >> 29 & 1) aa_reach(b, AT_FAR_1G);
  t->left--;
  pktq_push(&b->dev_q[port], d.p);
}

void traffic_cycle(bench *b) {
  traffic *t = b->traffic;
  if (!t->on || !t->left) return;
  for (unsigned i = b->part; i < b->hw.NumPorts && t->left; i++)
    if (b->dev_q[i].n < 2) send_one(b, i);
}

void traffic_answer(bench *b, unsigned port, const pkt *p) {
  traffic *t = b->traffic;
  tlp_fields f;
  tlp_parse(p->hdr, &f);
  for (unsigned s = 0; s < TRAFFIC_SIDS; s++) {
    if (t->sid[port][s] != f.rid) continue;
    if (f.status == TLP_SC && f.type == TLP_CPLD && f.byte_count > 4 * f.length - (f.lower_addr & 3u)) return;
    t->sent[port][s][f.tag] = 0;
    return;
  }
}
