// SPDX-License-Identifier: Apache-2.0
// Root complex of the hardware's node: takes its TLPs and does them on memory (I/O virtual: a process each).
// Completions: cpl.c.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dut_node.h"
#include "sw.h"

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
  d->writes[src]++;
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
  root_tag(n, f.tag);
  if (read) fits(n, &f, NIC_NIC_DMA_MRRS_LSB, "nic_rd");
  if (add) x->swap = le_get(p->data, 8);
  if (cas) x->compare = le_get(p->data, 8), x->swap = le_get(p->data + 8, 8);
  memcpy(x->out, d->written, sizeof x->out);
  x->at = n->net->cycle;
  x->offered = d->offered;
  x->due = x->at + rng_range(r, d->prof.lat_min, d->prof.lat_max) + sw_slow(n, x->src);
  if (n->net->failed) {
    free(x);
    pkt_free(p);
    return;
  }
  uint8_t none[4096];
  if (d->behind)
    node_dma_allowed(n, x->rid, x->va, x->n, !read);
  else if (sw_absent(n, x->src, (unsigned)(x->rid - NET_RID), x->va, x->n))
    x->fails = x->absent = true;
  else if (sw_drops_read(n, x->src, (unsigned)(x->rid - NET_RID), x->va))
    x->fails = true;
  else
    x->fails = read ? !node_dma_read(n, x->rid, x->va, none, x->n)
                    : !node_dma_atomic(n, x->rid, x->va, x->op, x->swap, x->compare, &x->value);
  root_asked(n, x);
  dut_read **t = &d->asked[src];
  while (*t) t = &(*t)->next;
  *t = x;
  pkt_free(p);
}

void root_free(dut_node *d) {
  for (unsigned s = 0; s < NIC_SRC_NUM; s++)
    for (dut_read *x = d->asked[s], *next; x; x = next) {
      next = x->next;
      free(x);
    }
  pktq_clear(&d->cpl);
  pktq_clear(&d->late);
  pkt_free(d->col);
  pkt_free(d->cpl_col);
}
