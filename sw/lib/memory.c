// SPDX-License-Identifier: Apache-2.0
// Memory of a process: given out, mapped, placed, exposed to peers, and taken back.
#include <stdlib.h>

#include "internal.h"

// ---- mappings, sorted by address
static toc_mapping *mapping_add(toc_i_proc *p, const toc_mapping *m) {
  if (p->maps == p->map_room) {
    size_t room = p->map_room ? 2 * p->map_room : 16;
    toc_mapping *more = realloc(p->map, room * sizeof *more);
    if (!more) return NULL;
    p->map = more;
    p->map_room = room;
  }
  size_t i = p->maps++;
  for (; i && p->map[i - 1].iova > m->iova; i--) p->map[i] = p->map[i - 1];
  p->map[i] = *m;
  return &p->map[i];
}

static void mapping_drop(toc_i_proc *p, toc_mapping *m) {
  size_t i = (size_t)(m - p->map);
  memmove(m, m + 1, (p->maps - i - 1) * sizeof *m);
  p->maps--;
}

static bool overlaps(toc_i_proc *p, uint64_t iova, uint64_t bytes) {
  for (size_t i = 0; i < p->maps; i++)
    if (p->map[i].iova < iova + bytes && iova < p->map[i].iova + p->map[i].bytes) return true;
  return false;
}

static bool ruled(toc_i_proc *p, uint64_t iova, uint64_t bytes) {
  for (size_t i = 0; i < p->rules; i++)
    if (p->rule[i].iova < iova + bytes && iova < p->rule[i].iova + p->rule[i].bytes) return true;
  return false;
}

static bool exposed(toc_i_proc *p, uint64_t iova, uint64_t bytes) {
  for (unsigned i = 0; i < REGIONS; i++) {
    const toc_region *r = &p->n->region[i];
    if (r->p == p && r->at.addr < iova + bytes && iova < r->at.addr + r->bytes) return true;
  }
  return false;
}

/* An adopted queue has something there. */
static bool queue_in(const toc_i_proc *p, const void *ptr, uint64_t bytes) {
  for (const toc_i_queue *q = p->queues; q; q = q->next) {
    const void *index[3] = {(const void *)(uintptr_t)q->v.write_index, (const void *)(uintptr_t)q->v.read_index,
                            (const void *)(uintptr_t)q->v.doorbell};
    if (!q->adopted) continue;
    if (toc_i_overlap(q->ring, toc_i_packet_bytes(&q->v), ptr, bytes)) return true;
    for (unsigned i = 0; i < 3; i++)
      if (toc_i_overlap(index[i], 8, ptr, bytes)) return true;
  }
  return false;
}

/* Of a mapping that is new: all of them, or none and no mapping. */
static toc_status map_pages(toc_i_proc *p, uint64_t iova, uint64_t bytes) {
  toc_status s = toc_i_pages(p, iova, bytes, true);
  if (s == TOC_OK) return s;
  mapping_drop(p, toc_i_mapping_at(p, iova));
  (void)toc_i_pages(p, iova, bytes, false); /* what was written before it failed */
  return s;
}

// ---- memory
toc_status toc_i_alloc(toc_i_proc *p, size_t bytes, unsigned rights, bool inside, void **ptr) {
  toc_mapping m = {.rights = rights, .owner = true, .inside = inside, .bytes = toc_i_up(bytes, PAGE)};
  *ptr = NULL;
  if (!toc_i_range_take(&p->space, m.bytes, PAGE, &m.iova))
    return toc_i_fail(TOC_E_NOMEM, "process %u: its address space is full", p->index);
  toc_status s = toc_i_dma_alloc(p->n, m.bytes, PAGE, &m.dma);
  if (s == TOC_OK) {
    m.ptr = m.dma.ptr;
    m.bus = m.dma.bus;
    if (!mapping_add(p, &m))
      s = toc_i_fail(TOC_E_NOMEM, "no memory for a mapping");
    else
      s = map_pages(p, m.iova, m.bytes);
    if (s != TOC_OK) toc_i_dma_free(p->n, &m.dma);
  }
  if (s != TOC_OK) {
    toc_i_range_give(&p->space, m.iova, m.bytes);
    return s;
  }
  *ptr = m.ptr;
  return TOC_OK;
}

toc_status toc_i_alloc_at(toc_i_proc *p, uint64_t iova, size_t bytes, unsigned rights) {
  toc_mapping m = {.iova = iova, .bytes = toc_i_up(bytes, PAGE), .rights = rights, .owner = true, .inside = true};
  if (iova >= SPACE_AT) (void)toc_i_range_take_at(&p->space, iova, m.bytes);
  TRY(toc_i_dma_alloc(p->n, m.bytes, PAGE, &m.dma));
  m.ptr = m.dma.ptr;
  m.bus = m.dma.bus;
  if (!mapping_add(p, &m)) {
    toc_i_dma_free(p->n, &m.dma);
    return toc_i_fail(TOC_E_NOMEM, "no memory for a mapping");
  }
  return toc_i_pages(p, iova, m.bytes, true);
}

toc_status toc_i_free(toc_i_proc *p, void *ptr, bool inside) {
  toc_mapping *m = toc_i_mapping_of(p, ptr, 1);
  if (!m || !m->owner || m->ptr != ptr || m->inside != inside)
    return toc_i_fail(TOC_E_RANGE, "toc_free: %p was not given out by toc_alloc", ptr);
  if (ruled(p, m->iova, m->bytes)) return toc_i_fail(TOC_E_IN_USE, "toc_free: there are rules on %p", ptr);
  if (exposed(p, m->iova, m->bytes)) return toc_i_fail(TOC_E_IN_USE, "toc_free: %p is exposed to peers: toc_hide", ptr);
  if (queue_in(p, m->ptr, m->bytes))
    return toc_i_fail(TOC_E_IN_USE, "toc_free: a queue that was adopted has parts in %p: xtq_queue_close", ptr);
  for (size_t i = 0; i < p->maps; i++)
    if (&p->map[i] != m && p->map[i].ptr < m->ptr + m->bytes && m->ptr < p->map[i].ptr + p->map[i].bytes)
      return toc_i_fail(TOC_E_IN_USE, "toc_free: %p is mapped a second time", ptr);
  toc_mapping was = *m;
  mapping_drop(p, m);
  toc_status s = toc_i_pages(p, was.iova, was.bytes, false);
  if (s != TOC_OK) return s; /* a dead device may still write there: the memory is not given back */
  toc_i_dma_free(p->n, &was.dma);
  toc_i_range_give(&p->space, was.iova, was.bytes);
  return TOC_OK;
}

static toc_status good_rights(unsigned rights) {
  if (!rights || rights & ~(unsigned)(TOC_READ | TOC_WRITE))
    return toc_i_fail(TOC_E_ARG, "rights are TOC_READ, TOC_WRITE or both");
  return TOC_OK;
}

toc_status toc_alloc(toc_proc *h_p, size_t bytes, unsigned rights, void **ptr) {
  NEED(ptr);
  *ptr = NULL;
  OBJECT(proc, p);
  TRY(good_rights(rights));
  if (!bytes || bytes > 1ull << 36) return toc_i_fail(TOC_E_ARG, "toc_alloc: %zu bytes", bytes);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_alloc(p, bytes, rights, false, ptr);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_free(toc_proc *h_p, void *ptr) {
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_free(p, ptr, false);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_map(toc_proc *h_p, void *ptr, size_t bytes, unsigned rights, uint64_t iova) {
  OBJECT(proc, p);
  TRY(good_rights(rights));
  if (iova % PAGE || bytes % PAGE || !bytes || (uintptr_t)ptr % PAGE || !toc_i_below(iova, bytes, 47))
    return toc_i_fail(TOC_E_ALIGN, "toc_map: pointer, address and size are whole pages, below 2^47");
  toc_i_lock(p->n->f);
  toc_status s = TOC_OK;
  toc_mapping *from = toc_i_mapping_of(p, ptr, bytes);
  bool given_out = iova + bytes > SPACE_AT && iova < SPACE_AT + SPACE_BYTES;
  if (!from || !from->owner || from->inside)
    s = toc_i_fail(TOC_E_RANGE, "toc_map: %p is not in memory of toc_alloc", ptr);
  else if (given_out || overlaps(p, iova, bytes) || ruled(p, iova, bytes))
    s = toc_i_fail(TOC_E_IN_USE, "toc_map: something is at 0x%llx", (unsigned long long)iova);
  if (s == TOC_OK) {
    uint64_t off = (uint64_t)((uint8_t *)ptr - from->ptr);
    toc_mapping m = {.iova = iova, .bytes = bytes, .ptr = ptr, .bus = from->bus + off, .rights = rights};
    if (!mapping_add(p, &m))
      s = toc_i_fail(TOC_E_NOMEM, "no memory for a mapping");
    else
      s = map_pages(p, iova, bytes);
  }
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_unmap(toc_proc *h_p, uint64_t iova, size_t bytes) {
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s;
  toc_mapping *m = toc_i_mapping_at(p, iova);
  if (!m || m->owner || m->iova != iova || m->bytes != bytes)
    s = toc_i_fail(TOC_E_RANGE, "toc_unmap: toc_map has not mapped these %zu bytes at 0x%llx", bytes,
                   (unsigned long long)iova);
  else if (ruled(p, iova, bytes))
    s = toc_i_fail(TOC_E_IN_USE, "toc_unmap: there are rules on 0x%llx", (unsigned long long)iova);
  else {
    mapping_drop(p, m);
    s = toc_i_pages(p, iova, bytes, false);
  }
  toc_i_unlock(p->n->f);
  return s;
}

static toc_status place(toc_i_proc *p, uint64_t iova, void *ptr, unsigned rights) {
  const toc_rule_range *r = toc_i_rule_at(p, iova);
  toc_mapping *from = ptr ? toc_i_mapping_of(p, ptr, PAGE) : NULL, *was = toc_i_mapping_at(p, iova);
  if (ptr && (!from || !from->owner || from->inside))
    return toc_i_fail(TOC_E_RANGE, "toc_place: %p is not in memory of toc_alloc", ptr);
  if (was && (was->owner || was->bytes != PAGE))
    return toc_i_fail(TOC_E_RANGE, "toc_place: what is at 0x%llx is not one page of toc_place",
                      (unsigned long long)iova);
  if (!r || !(r->rule.put & TOC_BLOCK) || !(r->rule.get & TOC_BLOCK))
    return toc_i_fail(TOC_E_IN_USE, "toc_place: puts and gets of 0x%llx are not both blocked",
                      (unsigned long long)iova);
  toc_mapping m = {.iova = iova, .bytes = PAGE, .ptr = ptr, .rights = rights};
  if (from) m.bus = from->bus + (uint64_t)((uint8_t *)ptr - from->ptr);
  if (was && ptr)
    *was = m;
  else if (was)
    mapping_drop(p, was);
  else if (ptr && !mapping_add(p, &m))
    return toc_i_fail(TOC_E_NOMEM, "no memory for a mapping");
  return toc_i_pages(p, iova, PAGE, false);
}

toc_status toc_place(toc_proc *h_p, uint64_t iova, void *ptr, unsigned rights) {
  OBJECT(proc, p);
  if (ptr) TRY(good_rights(rights));
  if (iova % PAGE || (uintptr_t)ptr % PAGE || !toc_i_below(iova, PAGE, 47))
    return toc_i_fail(TOC_E_ALIGN, "toc_place: pointer and address are whole pages, below 2^47");
  toc_i_lock(p->n->f);
  toc_status s = place(p, iova, ptr, rights);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_iova(toc_proc *h_p, const void *ptr, uint64_t *iova) {
  NEED(iova);
  *iova = 0;
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_local(p, ptr, 1, 0, iova);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_pointer(toc_proc *h_p, uint64_t iova, size_t bytes, void **ptr) {
  NEED(ptr);
  *ptr = NULL;
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = TOC_OK;
  toc_mapping *m = toc_i_mapping_at(p, iova);
  if (!m || bytes > m->bytes - (iova - m->iova))
    s = toc_i_fail(TOC_E_RANGE, "%zu bytes at I/O address 0x%llx are not mapped", bytes, (unsigned long long)iova);
  else
    *ptr = m->ptr + (iova - m->iova);
  toc_i_unlock(p->n->f);
  return s;
}

// ---- regions
toc_status toc_i_expose(toc_i_proc *p, uint64_t iova, uint64_t bytes, unsigned rights, toc_remote *r) {
  toc_i_node *n = p->n;
  unsigned i = 0;
  if (!(rights & 7u) || rights & ~15u)
    return toc_i_fail(TOC_E_ARG, "toc_expose: rights are TOC_READ, WRITE, ATOMIC, and with one of these PAGED");
  if (!bytes || !toc_i_below(iova, bytes, 48))
    return toc_i_fail(TOC_E_ARG, "toc_expose: one byte at least, below 2^48; not %llu at 0x%llx",
                      (unsigned long long)bytes, (unsigned long long)iova);
  while (i < n->caps.regions && n->region[i].p) i++;
  if (i == n->caps.regions) return toc_i_fail(TOC_E_FULL, "node %u: all %u regions are in use", n->rank, i);
  uint32_t key = (++n->region_gen & 0xffffff) << 8 | i;
  TRY(toc_i_write64(n, NREG_AT(MR_BASE, i), iova));
  TRY(toc_i_write64(n, NREG_AT(MR_LEN, i), bytes));
  TRY(toc_i_write64(
      n, NREG_AT(MR_KEY, i),
      NIC_MR_KEY_EN_MASK | (uint64_t)rights << NIC_MR_KEY_R_LSB | (uint64_t)p->index << NIC_MR_KEY_PROC_LSB | key));
  *r = (toc_remote){iova, key};
  n->region[i] = (toc_region){p, *r, bytes};
  return TOC_OK;
}

toc_status toc_expose_iova(toc_proc *h_p, uint64_t iova, uint64_t bytes, unsigned rights, toc_remote *r) {
  NEED(r);
  *r = (toc_remote){0, 0};
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_expose(p, iova, bytes, rights, r);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_expose(toc_proc *h_p, const void *ptr, size_t bytes, unsigned rights, toc_remote *r) {
  uint64_t iova;
  NEED(r);
  *r = (toc_remote){0, 0};
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_local(p, ptr, bytes, 0, &iova);
  if (s == TOC_OK) s = toc_i_expose(p, iova, bytes, rights, r);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_i_hide(toc_i_proc *p, toc_remote r) {
  toc_i_node *n = p->n;
  unsigned i = r.key & 255;
  if (i >= n->caps.regions || n->region[i].p != p || n->region[i].at.key != r.key)
    return toc_i_fail(TOC_E_ARG, "toc_hide: process %u has no region with key 0x%x", p->index, r.key);
  n->region[i].p = NULL;
  return toc_i_write64(n, NREG_AT(MR_KEY, i), 0);
}

toc_status toc_hide(toc_proc *h_p, toc_remote r) {
  OBJECT(proc, p);
  toc_i_fabric *f = p->n->f;
  toc_i_lock(f);
  toc_status s = toc_i_hide(p, r);
  toc_i_unlock(f);
  return s;
}
