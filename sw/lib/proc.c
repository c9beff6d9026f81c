// SPDX-License-Identifier: Apache-2.0
// Processes: address space, memory, regions, events.
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

enum {
  SPARE_TABLES = 64
}; /* of a process, beside one for each 2 MiB that the node has: upper levels, mappings here and there */

// ---- mappings, sorted by address
toc_mapping *toc_i_mapping_at(toc_i_proc *p, uint64_t iova) {
  size_t lo = 0, hi = p->maps;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (p->map[mid].iova + p->map[mid].bytes <= iova)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < p->maps && p->map[lo].iova <= iova ? &p->map[lo] : NULL;
}

toc_mapping *toc_i_mapping_of(toc_i_proc *p, const void *ptr, uint64_t bytes) {
  const uint8_t *b = ptr;
  toc_mapping *found = NULL;
  for (size_t i = 0; i < p->maps; i++) {
    toc_mapping *m = &p->map[i];
    if (b < m->ptr || b >= m->ptr + m->bytes || bytes > (uint64_t)(m->ptr + m->bytes - b)) continue;
    if (!found || m->owner) found = m; /* where it was allocated, rather than a second address */
  }
  return found;
}

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

// ---- memory
toc_status toc_i_local(toc_i_proc *p, const void *ptr, uint64_t bytes, unsigned rights, uint64_t *iova) {
  toc_mapping *m = toc_i_mapping_of(p, ptr, bytes);
  *iova = 0;
  if (!m)
    return toc_i_fail(TOC_E_RANGE, "%llu bytes at %p are not in memory of process %u", (unsigned long long)bytes, ptr,
                      p->index);
  if (rights & ~m->rights)
    return toc_i_fail(TOC_E_RANGE, "memory at %p: devices may not %s it", ptr, m->rights & TOC_READ ? "write" : "read");
  *iova = m->iova + (uint64_t)((const uint8_t *)ptr - m->ptr);
  return TOC_OK;
}

toc_status toc_i_alloc(toc_i_proc *p, size_t bytes, unsigned rights, bool inside, void **ptr) {
  toc_mapping m = {.rights = rights, .owner = true, .inside = inside, .bytes = toc_i_up(bytes, PAGE)};
  *ptr = NULL;
  if (!toc_i_range_take(&p->space, m.bytes, PAGE, &m.iova))
    return toc_i_fail(TOC_E_NOMEM, "process %u: its address space is full", p->index);
  toc_status s = toc_i_dma_alloc(p->n, m.bytes, PAGE, &m.dma);
  if (s == TOC_OK) {
    m.ptr = m.dma.ptr;
    m.bus = m.dma.bus;
    if (!mapping_add(p, &m)) {
      s = toc_i_fail(TOC_E_NOMEM, "no memory for a mapping");
    } else if ((s = toc_i_pages(p, m.iova, m.bytes, true)) != TOC_OK) {
      mapping_drop(p, toc_i_mapping_at(p, m.iova));
      (void)toc_i_pages(p, m.iova, m.bytes, false); /* what was written before it failed */
    }
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
  if (toc_i_queue_in(p, m->ptr, m->bytes))
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
    else if ((s = toc_i_pages(p, iova, bytes, true)) != TOC_OK)
      mapping_drop(p, toc_i_mapping_at(p, iova));
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

// ---- events of the program
void toc_i_event(toc_i_proc *p, toc_event e) {
  if (p->ev_tail - p->ev_head == EVENTS) {
    p->ev_head++;
    p->ev_lost = true;
  }
  p->event[p->ev_tail++ % EVENTS] = e;
  uint64_t one = 1;
  if (e.kind == TOC_EVENT_FAULT && p->eq_fd >= 0 && write(p->eq_fd, &one, sizeof one) < 0)
    one = 0; /* full: it is told */
}

static bool has_event(void *ctx) {
  toc_i_proc *p = ctx;
  if (p->ev_head == p->ev_tail) (void)toc_i_events(p);
  if (p->ev_head == p->ev_tail) toc_i_faults(p->n);
  return p->ev_head != p->ev_tail;
}

toc_status toc_event_next(toc_proc *h_p, toc_event *e, uint64_t timeout_us) {
  NEED(e);
  *e = (toc_event){0};
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_status s = toc_i_wait(p->n->f, has_event, p, timeout_us, true);
  uint64_t count;
  if (p->eq_fd >= 0 && p->ev_head == p->ev_tail && read(p->eq_fd, &count, sizeof count) < 0) count = 0;
  if (s == TOC_OK && p->ev_lost) {
    p->ev_lost = false;
    s = toc_i_fail(TOC_E_LOST, "process %u: events came faster than they were taken", p->index);
  } else if (s == TOC_OK) {
    *e = p->event[p->ev_head++ % EVENTS];
  }
  toc_i_unlock(p->n->f);
  return s;
}

int toc_event_fd(toc_proc *h_p) {
  OBJECT_OR(proc, p, -1);
  return p->eq_fd;
}

// ---- life
toc_node *toc_proc_node(const toc_proc *h_p) {
  OBJECT_OR(proc, p, NULL);
  return p->n->h;
}

unsigned toc_proc_index(const toc_proc *h_p) {
  OBJECT_OR(proc, p, 0);
  return p->index;
}

uint16_t toc_proc_requester(const toc_proc *h_p) {
  OBJECT_OR(proc, p, 0);
  return p->rid;
}

static toc_status context(toc_i_proc *p) {
  toc_i_node *n = p->n;
  uint64_t pages = SPARE_TABLES + (n->f->o.node_bytes >> 21);
  TRY(toc_i_tables_make(n, pages * PAGE, &p->tables));
  aa_table_status s = aa_table_domain(&p->tables.t, &p->level4);
  aa_context c = {.table = p->level4, .did = p->did, .aa = true};
  if (s == AA_TABLE_OK) s = aa_table_set_context(&n->root.t, p->rid, &c);
  return s == AA_TABLE_OK ? TOC_OK : toc_i_fail(TOC_E_NOMEM, "page tables: %s", aa_table_strstatus(s));
}

static toc_status event_ring(toc_i_proc *p) {
  toc_i_node *n = p->n;
  uint64_t iova, addr = 0;
  uint32_t data = 0;
  void *ring;
  TRY(toc_i_alloc(p, 32u << EQ_LOG2, TOC_WRITE, true, &ring));
  p->eq = ring;
  TRY(toc_i_local(p, ring, 1, 0, &iova));
  p->eq_fd = toc_i_vector(n, VEC_PROC + p->index, &addr, &data);
  TRY(toc_i_write64(n, NREG_AT(EQ_BASE, p->index), iova));
  TRY(toc_i_write64(n, NREG_AT(EQ_MSIA, p->index), p->eq_fd < 0 ? 0 : addr));
  TRY(toc_i_write64(n, NREG_AT(EQ_MSID, p->index), data));
  TRY(toc_i_write64(n, NREG_AT(EQ_CTL, p->index), NIC_EQ_CTL_EN_MASK | EQ_LOG2));
  return toc_i_write64(n, NREG_AT(EQ_CONS, p->index), 0); /* arms it */
}

toc_status toc_proc_open(toc_node *h_n, toc_proc **out) {
  NEED(out);
  *out = NULL;
  OBJECT(node, n);
  if (!n->up) return toc_i_fail(TOC_E_SUPPORT, "toc_proc_open: the fabric was opened for registers only");
  toc_i_lock(n->f);
  unsigned i = 0;
  toc_status s = TOC_OK;
  while (i < n->caps.procs && n->proc[i]) i++;
  toc_i_proc *p = NULL;
  if (i == n->caps.procs)
    s = toc_i_fail(TOC_E_FULL, "node %u: all %u processes are in use", n->rank, i);
  else if (!(p = calloc(1, sizeof *p)))
    s = toc_i_fail(TOC_E_NOMEM, "toc_proc_open: no memory");
  if (p) {
    *p = (toc_i_proc){.n = n, .index = i, .rid = (uint16_t)(RID0 + i), .did = (uint16_t)(1 + i), .eq_fd = -1};
    n->proc[i] = p;
    if (i >= n->procs_reach) n->procs_reach = i + 1;
    if (!(p->h = toc_i_handle_new(TOC_I_proc, p))) s = TOC_E_NOMEM;
    for (unsigned t = 0; t < 3 && s == TOC_OK; t++) {
      p->table[t] = calloc(n->caps.table_entries, sizeof *p->table[t]);
      if (!p->table[t]) s = toc_i_fail(TOC_E_NOMEM, "toc_proc_open: no memory");
    }
    if (s == TOC_OK && !toc_i_ranges_init(&p->space, SPACE_AT, SPACE_BYTES))
      s = toc_i_fail(TOC_E_NOMEM, "toc_proc_open: no memory");
    if (s == TOC_OK) s = context(p);
    if (s == TOC_OK) s = toc_i_recv_begin(p);
    if (s == TOC_OK) s = event_ring(p);
    if (s == TOC_OK)
      *out = p->h;
    else
      (void)toc_i_proc_close(p);
  }
  toc_i_unlock(n->f);
  return s;
}

/* Nothing of the program's code runs for it any more, and nothing begins to. */
static toc_status quiet(toc_i_proc *p) {
  toc_i_node *n = p->n;
  toc_status s = TOC_OK;
  p->closing = true;
  for (unsigned i = 0; i < LOGS && s == TOC_OK; i++) {
    toc_i_log *l = n->log[i];
    if (!l || l->p != p) continue;
    if (toc_i_run_is_mine(n->f, &l->run))
      s = toc_i_fail(TOC_E_IN_USE, "toc_proc_close: a handler of its log %u is running", i);
    else
      s = toc_i_run_quiet(n->f, &l->run, "toc_proc_close: a handler of one of its logs");
  }
  for (toc_i_queue *q = p->queues; q && s == TOC_OK; q = q->next) {
    const toc_run *r = q->agent ? toc_i_agent_runs(q->agent) : NULL;
    if (r && toc_i_run_is_mine(n->f, r))
      s = toc_i_fail(TOC_E_IN_USE, "toc_proc_close: a kernel of one of its queues is running");
    else if (r)
      s = toc_i_run_quiet(n->f, r, "toc_proc_close: a kernel of one of its queues");
  }
  if (s != TOC_OK) p->closing = false;
  return s;
}

toc_status toc_i_proc_close(toc_i_proc *p) {
  toc_i_node *n = p->n;
  toc_i_fabric *f = n->f;
  TRY(quiet(p));
  for (unsigned i = 0; i < QPS; i++)
    if (n->qp[i] && n->qp[i]->p == p) toc_i_qp_close(n->qp[i]);
  for (unsigned i = 0; i < REGIONS; i++)
    if (n->region[i].p == p) (void)toc_i_hide(p, n->region[i].at);
  while (p->boxes) (void)toc_i_box_close(p->boxes);
  for (unsigned i = 0; i < LOGS; i++)
    if (n->log[i] && n->log[i]->p == p) (void)toc_i_log_close(n->log[i], 0, true);
  toc_i_xtq_drop(p);
  uint32_t left; /* of its receive buffers: the device has none of them any more */
  (void)toc_i_withdraw(p, &left);
  /* No device access to its memory from here on: only then is it given back. */
  toc_status s = f->dead ? TOC_E_DEAD : toc_i_write64(n, NREG_AT(EQ_CTL, p->index), 0);
  if (p->tables.m.ptr) {
    (void)aa_table_set_context(&n->root.t, p->rid, NULL);
    if (s == TOC_OK) s = toc_i_invalidate(n, p->did, 0, 0);
  }
  for (size_t i = 0; i < p->maps && s == TOC_OK; i++)
    if (p->map[i].owner) toc_i_dma_free(n, &p->map[i].dma);
  if (s == TOC_OK) toc_i_tables_free(n, &p->tables);
  toc_i_faults(n);
  for (unsigned t = 0; t < 3; t++) free(p->table[t]);
  toc_i_ranges_free(&p->space);
  free(p->map);
  free(p->rule);
  n->proc[p->index] = NULL;
  toc_i_handle_end(p->h);
  free(p);
  return TOC_OK;
}

void toc_proc_close(toc_proc *h_p) {
  OBJECT_OR(proc, p, );
  toc_i_fabric *f = p->n->f;
  toc_i_lock(f);
  (void)toc_i_proc_close(p);
  toc_i_unlock(f);
}
