// SPDX-License-Identifier: Apache-2.0
// Root complex of the hardware's node: takes its TLPs, does them on memory (I/O virtual: a process each), and answers reads with
// every legal split, delay and order.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dut_node.h"
#include "soft.h"

static unsigned slot_of(node *n, const pkt *p, const tlp_fields *f) {
  if (p->seq >= NIC_SRC_NUM) net_fail(n->net, "dev_req", "seq %u is no source", p->seq);
  if (f->tc || f->attr || f->at || f->ep || f->td || f->th) net_fail(n->net, "dev_req", "a flag of the header is set");
  if (!(f->type & TLP_4DW) != !(f->addr >> 32))
    net_fail(n->net, "dev_req", "3 or 4 words of header: not as the address is");
  if ((f->addr & 4095) + 4u * f->length > 4096) net_fail(n->net, "dev_req", "crosses 4 KiB");
  return p->seq % NIC_SRC_NUM;
}

// No TLP is larger than NIC_DMA says.
static void fits(node *n, const tlp_fields *f, unsigned lsb, const char *block) {
  unsigned most = 128u << (n->dut->dma >> lsb & 7);
  if (4u * f->length > most) net_fail(n->net, block, "a TLP of %u bytes: NIC_DMA allows %u", 4u * f->length, most);
}

// Enabled bytes that are not in one piece: none of ours.
static bool holes(const tlp_fields *f) {
  unsigned a = f->fbe, b = f->lbe;
  if (f->length == 1) return b || (a & (a + (a & (0u - a))));
  return (a != 15 && a != 14 && a != 12 && a != 8) || (b != 15 && b != 7 && b != 3 && b != 1);
}

static void write_tlp(node *n, const pkt *p, const tlp_fields *f) {
  dut_node *d = n->dut;
  unsigned src = slot_of(n, p, f), lead = tlp_first_byte(f->fbe);
  uint32_t k = tlp_byte_count(f->length, f->fbe, f->lbe);
  fits(n, f, NIC_NIC_DMA_MPS_LSB, "nic_wr");
  if (!f->fbe || holes(f)) net_fail(n->net, "nic_wr", "byte enables %x, %x", f->fbe, f->lbe);
  if (f->tag) net_fail(n->net, "nic_wr", "tag %u of a write", f->tag);
  if (n->net->failed) return;
  if (n->m) nic_lock_write(n, src, f->rid, f->addr + lead, p->data + lead, k);
  d->written[src] += k;
  if (d->behind)
    node_dma_allowed(n, f->rid, f->addr + lead, k, true);
  else
    node_dma_write(n, f->rid, f->addr + lead, p->data + lead, k);
}

void root_request(node *n, pkt *p) {
  dut_node *d = n->dut;
  rng *r = &n->net->rng;
  tlp_fields f;
  tlp_parse(p->hdr, &f);
  unsigned type = f.type & 0x1F, src = 0;
  bool data = f.type & TLP_HAS_DATA;
  if (data && type == 0) {
    write_tlp(n, p, &f);
    pkt_free(p);
    return;
  }
  bool read = !data && type == 0, add = data && type == 0x0C, cas = data && type == 0x0E;
  src = slot_of(n, p, &f);
  dut_read *x = calloc(1, sizeof *x);
  if (!x) abort();
  x->src = (uint8_t)src;
  x->op = read ? NIC_JOB_READ : add ? NIC_JOB_FETCH_ADD : NIC_JOB_CAS;
  x->tag = (uint8_t)f.tag;
  x->rid = f.rid;
  x->va = f.addr + (read ? tlp_first_byte(f.fbe) : 0);
  x->n = read ? tlp_byte_count(f.length, f.fbe, f.lbe) : 8;
  if ((!read && !add && !cas) || (read ? !f.fbe || holes(&f) : p->ndw != (add ? 2u : 4u) || x->va % 8))
    net_fail(n->net, "nic_rd", "a TLP of type %02x that nobody knows, or of a wrong form", f.type);
  if (f.tag >= DUT_TAGS || d->live[f.tag % DUT_TAGS]) net_fail(n->net, "nic_rd", "tag %u is live", f.tag);
  if (read) fits(n, &f, NIC_NIC_DMA_MRRS_LSB, "nic_rd");
  if (add) x->swap = le_get(p->data, 8);
  if (cas) x->compare = le_get(p->data, 8), x->swap = le_get(p->data + 8, 8);
  memcpy(x->out, d->written, sizeof x->out);
  x->at = n->net->cycle;
  x->due = x->at + rng_range(r, d->prof.lat_min, d->prof.lat_max);
  if (n->net->failed) {
    free(x);
    pkt_free(p);
    return;
  }
  uint8_t none[4096];
  if (d->behind)
    node_dma_allowed(n, x->rid, x->va, x->n, !read);
  else if (soft_drops_read(n, x->src, (unsigned)(x->rid - NET_RID), x->va))
    x->fails = true;
  else
    x->fails = read ? !node_dma_read(n, x->rid, x->va, none, x->n)
                    : !node_dma_atomic(n, x->rid, x->va, x->op, x->swap, x->compare, &x->value);
  d->live[x->tag] = x;
  d->under_way++;
  d->reads++;
  dut_read **t = &d->asked[src];
  while (*t) t = &(*t)->next;
  *t = x;
  pkt_free(p);
}

static pkt *completion(const dut_read *x, unsigned status, uint32_t left, uint64_t at, uint32_t ndw) {
  tlp_fields f;
  memset(&f, 0, sizeof f);
  f.type = ndw ? TLP_CPLD : TLP_CPL;
  f.length = (uint16_t)ndw;
  f.rid = x->rid;
  f.tag = x->tag;
  f.cid = 0x0008;
  f.status = (uint8_t)status;
  f.byte_count = (uint16_t)left;
  f.lower_addr = (uint8_t)(at & 0x7F);
  pkt *p = pkt_new(ndw);
  tlp_pack(&f, p->hdr);
  p->ndw = ndw;
  p->seq = x->src;
  return p;
}

// The next piece of an answer.
static void answer(node *n, dut_read *x) {
  dut_node *d = n->dut;
  rng *r = &n->net->rng;
  uint32_t left = x->n - x->sent;
  uint64_t pos = x->va + x->sent, at = pos & ~3ull, stop = x->va + x->n;
  if (x->fails && !x->sent) {
    x->how = (uint8_t)rng_below(r, 4);
    if (x->how < 2) {
      pktq_push(&d->cpl, completion(x, x->how ? TLP_CA : TLP_UR, left, x->op == NIC_JOB_READ ? pos : 0, 0));
      x->sent = x->n;
      return;
    }
  }
  pkt *p;
  if (x->op != NIC_JOB_READ) {
    p = completion(x, TLP_SC, 8, 0, 2);
    le_put(p->data, 8, x->value);
    x->sent = 8;
  } else {
    // the furthest border that keeps within MPS, then any one before it
    uint64_t far = (at + d->prof.mps) & ~(uint64_t)(d->prof.rcb - 1),
             near = (pos + d->prof.rcb) & ~(uint64_t)(d->prof.rcb - 1);
    if (((stop + 3) & ~3ull) - at > d->prof.mps || (near < stop && rng_1in(r, 3))) {
      uint64_t to = far;
      if (near < far && rng_1in(r, 2))
        to = near + d->prof.rcb * (uint64_t)rng_below(r, (uint32_t)((far - near) / d->prof.rcb + 1));
      if (to < stop) stop = to;
    }
    uint32_t ndw = (uint32_t)((stop - at + 3) / 4), k = (uint32_t)(stop - pos);
    p = completion(x, TLP_SC, left, pos, ndw);
    for (uint32_t i = 0; i < 4 * ndw; i++) p->data[i] = (uint8_t)rng_u64(r);  // bytes outside of the read are undefined
    node_peek(n, (unsigned)(x->rid - NET_RID), pos, p->data + (pos - at), k);
    x->sent += k;
  }
  if (x->fails && x->how == 2) p->hdr[0] |= 0x4000;  // poisoned
  if (x->fails && x->how == 3) p->err = true;        // the link saw an error
  pktq_push(&d->cpl, p);
}

static void count_pieces(const node *n, dut_read *x) {
  dut_node *d = n->dut;
  bool older = false;
  for (unsigned k = 0; k < DUT_TAGS; k++) older |= d->live[k] && d->live[k]->at < x->at && !d->live[k]->sent;
  if (x->pieces && d->last_piece != x) reach(n, REACH_CPL_MIXED);
  if (!x->pieces++ && older) reach(n, REACH_CPL_OVERTAKES);
  d->last_piece = x;
  if (x->sent < x->n) return;
  reach(n, x->pieces == 1 ? REACH_CPL_1 : x->pieces == 2 ? REACH_CPL_2 : x->pieces <= 4 ? REACH_CPL_4 : REACH_CPL_MORE);
}

// Reads of different tags are answered in any order, pieces of one in theirs.
void root_cycle(node *n) {
  dut_node *d = n->dut;
  if (!d->under_way || d->cpl.n >= 4) return;
  unsigned first = d->prof.in_order ? 0 : rng_below(&n->net->rng, DUT_TAGS);
  for (unsigned k = 0; k < DUT_TAGS; k++) {
    dut_read *x = d->live[(first + k) % DUT_TAGS];
    if (!x || x->sent == x->n || x->due > n->net->cycle) continue;
    answer(n, x);
    count_pieces(n, x);
    x->due = n->net->cycle + rng_below(&n->net->rng, d->prof.lat_max / 2 + 1);
    return;
  }
}

void root_arrived(node *n, const pkt *p) {
  dut_node *d = n->dut;
  dut_read *x = d->live[tlp_cpl_tag(p->hdr) % DUT_TAGS];
  tlp_fields f;
  tlp_parse(p->hdr, &f);
  if (!x || x->rid != f.rid) {
    net_fail(n->net, "dev_cpl", "a completion of tag %u, requester %04x, that nobody waits for", f.tag, f.rid);
    return;
  }
  if (f.ep || p->err || f.status != TLP_SC) x->err = true;
  uint32_t lead = x->op == NIC_JOB_READ ? (uint32_t)((x->va + x->arrived) & 3) : 0, left = x->n - x->arrived;
  uint32_t k = f.status != TLP_SC || x->op != NIC_JOB_READ ? left : 4 * p->ndw - lead;
  if (k > left) k = left;
  if (p->ndw) memcpy(x->data + x->arrived, p->data + lead, k);
  x->arrived += k;
  if (x->arrived < x->n) return;
  x->done = true;
  d->errors += x->err;
  d->live[x->tag] = NULL;
  d->under_way--;
  if (!n->m) {  // nobody will ask
    dut_read **t = &d->asked[x->src];
    while (*t != x) t = &(*t)->next;
    *t = x->next;
    free(x);
  }
}

void root_free(dut_node *d) {
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    for (dut_read *x = d->asked[s], *next; x; x = next) {
      next = x->next;
      free(x);
    }
  pktq_clear(&d->cpl);
  pkt_free(d->col);
  pkt_free(d->cpl_col);
}
