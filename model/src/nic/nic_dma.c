// SPDX-License-Identifier: Apache-2.0
#include "tocsin/nic_dma.h"

#include <string.h>

static bool is_atomic(const nic_dma_job *job) { return job->op != NIC_DMA_READ; }

uint32_t nic_dma_size(unsigned code, uint32_t most) {
  uint32_t size = 128u << (code > 5 ? 5 : code);
  return size < most ? size : most;
}

/* MEM-1, MEM-2. */
bool nic_chunk_next(const nic_dma_job *job, uint32_t size, nic_chunk *c) {
  uint32_t at = c->at + c->bytes;
  if (at >= job->len) return false;
  c->at = at;
  c->va = job->va + at;
  c->bytes = job->len - at;
  uint32_t border = size - (uint32_t)(c->va % size);
  if (c->bytes > border) c->bytes = border;
  return true;
}

bool nic_chunk_last(const nic_dma_job *job, const nic_chunk *c) { return c->at + c->bytes == job->len; }

// Byte enables and words of bytes [va, va + bytes), found word by word.
static void request(tlp_fields *f, const nic_dma_job *job, uint64_t va, uint32_t bytes) {
  const uint32_t lead = (uint32_t)va & 3, end = lead + bytes; /* from the first word on */
  memset(f, 0, sizeof *f);
  f->rid = job->rid;
  f->addr = va & ~3ull;
  if (!bytes) return;
  f->length = (uint16_t)((end + 3) / 4);
  f->fbe = (uint8_t)(0xfu << lead & (end < 4 ? (1u << end) - 1 : 0xfu));
  if (end > 4) f->lbe = (uint8_t)(0xfu >> (3 - (end - 1) % 4));
}

static void finish(tlp *t, tlp_fields *f, uint8_t type, const nic_dma_job *job, const uint8_t *payload) {
  f->type = f->addr >> 32 ? type | TLP_4DW : type;
  tlp_pack(f, t->hdr);
  t->ndw = tlp_data_dw(t->hdr);
  t->data = t->ndw ? payload : NULL;
  t->seq = job->src;
  t->err = false;
}

void nic_wr_tlp(const nic_dma_job *job, const nic_chunk *c, const uint8_t *bytes, uint8_t *payload, tlp *t) {
  tlp_fields f;
  request(&f, job, c->va, c->bytes);
  memset(payload, 0, f.length * 4u);
  memcpy(payload + (c->va & 3), bytes + c->at, c->bytes);
  finish(t, &f, TLP_MWR32, job, payload);
}

static void put64(uint8_t *to, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) to[i] = (uint8_t)(v >> 8 * i);
}

void nic_rd_tlp(const nic_dma_job *job, const nic_chunk *c, uint8_t tag, uint8_t *payload, tlp *t) {
  tlp_fields f;
  if (!is_atomic(job)) {
    request(&f, job, c->va, c->bytes);
    f.tag = tag;
    finish(t, &f, TLP_MRD32, job, NULL);
    return;
  }
  bool add = job->op == NIC_DMA_FETCH_ADD;
  request(&f, job, job->va & ~7ull, add ? 8 : 16);
  f.tag = tag;
  put64(payload, add ? job->swap : job->compare);
  put64(payload + 8, add ? 0 : job->swap);
  finish(t, &f, add ? TLP_FADD32 : TLP_CAS32, job, payload);
}

const char *nic_cpl_name(nic_cpl c) {
  static const char *const name[] = {"more", "last", "failed", "stray", "malformed"};
  return (unsigned)c < NIC_CPL_COUNT ? name[c] : "?";
}

void nic_reads_init(nic_reads *r, unsigned tags) {
  memset(r, 0, sizeof *r);
  r->tags = tags;
}

void nic_reads_open(nic_reads *r, uint8_t tag, const nic_dma_job *job, const nic_chunk *c, uint8_t *item,
                    uint8_t *err) {
  bool atomic = is_atomic(job);
  uint32_t bytes = atomic ? 8 : c->bytes;
  r->tag[tag] = (nic_read){.state = NIC_TAG_LIVE,
                           .rid = job->rid,
                           .left = bytes,
                           .total = bytes,
                           .lead = atomic ? 0 : (unsigned)(c->va & 3),
                           .to = item + (atomic ? 0 : c->at),
                           .err = err};
}

static void give_up(nic_read *x) {
  x->state = NIC_TAG_DEAD;
  *x->err = NIC_ITEM_BROKEN;
}

/* MEM-7. */
static void failed(nic_read *x, bool refused) {
  if (!refused)
    *x->err = NIC_ITEM_BROKEN;
  else if (*x->err == NIC_ITEM_GOOD)
    *x->err = NIC_ITEM_REFUSED;
}

/* MEM-3, MEM-4, MEM-5. */
nic_cpl nic_reads_complete(nic_reads *r, const tlp *t, bool framed) {
  tlp_fields f;
  tlp_parse(t->hdr, &f);
  bool known = f.type == TLP_CPL || f.type == TLP_CPLD;
  nic_read *x = known && f.tag < r->tags ? &r->tag[f.tag] : NULL;
  if (x && (x->state != NIC_TAG_LIVE || x->rid != f.rid)) x = NULL;
  if (!framed || !known || t->ndw != tlp_data_dw(t->hdr)) {
    if (x) give_up(x);
    return NIC_CPL_MALFORMED;
  }
  if (!x) return NIC_CPL_STRAY;
  if (f.status != TLP_SC) {
    x->state = NIC_TAG_FREE;
    failed(x, f.status == TLP_UR && !f.ep && !t->err);
    return NIC_CPL_FAILED;
  }
  // What comes first may begin in the middle of a word; what is left ends in the middle of one.
  unsigned lead = x->left == x->total ? x->lead : 0;
  uint32_t words = (lead + x->left + 3) / 4, bytes = 4 * t->ndw - lead;
  if (f.type != TLP_CPLD || f.byte_count != x->left || t->ndw > words) {
    give_up(x);
    return NIC_CPL_MALFORMED;
  }
  if (bytes > x->left) bytes = x->left;
  memcpy(x->to + x->total - x->left, t->data + lead, bytes);
  if (f.ep || t->err) failed(x, false);
  x->left -= bytes;
  if (x->left) return NIC_CPL_MORE;
  x->state = NIC_TAG_FREE;
  return NIC_CPL_LAST;
}

void nic_reads_expire(nic_reads *r, uint8_t tag) { give_up(&r->tag[tag]); }

void nic_reads_free(nic_reads *r) {
  for (unsigned i = 0; i < r->tags; i++)
    if (r->tag[i].state == NIC_TAG_DEAD) r->tag[i].state = NIC_TAG_FREE;
}
