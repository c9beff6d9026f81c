// SPDX-License-Identifier: Apache-2.0
// What the IOMMU and what is behind it read and write: memory of processes, tables, records, pointers, interrupts.
#include <string.h>

#include "node_state.h"
#include "tocsin/table.h"

// I/O addresses begin at FIRST, one process behind the other.
#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define FIRST (1ull << 36)
#define EACH (44 * MIB + 64 * KIB)  // so that the same page of several processes is not in one set of the IOTLB
// Kinds from NODE_SMALL on are far above; a ring lies at a multiple of its size.
#define BULK (1ull << 38)
#define BULK_EACH (1ull << 30)
enum { BULKS = NODE_KINDS - NODE_SMALL };
#define OF_TABLE (1ull << 47)
enum { ROOT = 6, CONTEXTS = 5 };

static const uint64_t offset_of[NODE_SMALL + 1] = {0,        42 * MIB + 4 * KIB,   42 * MIB + 40 * KIB,
                                                   43 * MIB, 43 * MIB + 512 * KIB, EACH};

uint64_t node_at(unsigned who, node_kind kind) {
  uint64_t shift = kind == NODE_LONG_RING ? 0 : who * 64 * KIB;
  if (kind >= NODE_SMALL) return BULK + (who * BULKS + kind - NODE_SMALL) * BULK_EACH + shift;
  return FIRST + who * EACH + offset_of[kind];
}

uint64_t node_room(unsigned who, node_kind kind) {
  if (kind < NODE_SMALL) return offset_of[kind + 1] - offset_of[kind];
  return BULK_EACH - (kind == NODE_LONG_RING ? 0 : who * 64 * KIB);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// The memory at an I/O address, whose it is, and how far in; NULL: there is none.
static memory *memory_at(node *n, uint64_t iova, unsigned *who, uint64_t *off) {
  unsigned kind = 0;
  if (iova >= BULK) {
    uint64_t area = (iova - BULK) / BULK_EACH;
    *who = (unsigned)(area / BULKS);
    kind = NODE_SMALL + (unsigned)(area % BULKS);
  } else {
    *who = (unsigned)((iova - FIRST) / EACH);
    while (kind + 1 < NODE_SMALL && (iova - FIRST) % EACH >= offset_of[kind + 1]) kind++;
  }
  if (iova < FIRST || *who >= NODE_PROCS || iova < node_at(*who, (node_kind)kind)) return NULL;
  *off = iova - node_at(*who, (node_kind)kind);
  memory *m = &n->mem[*who][kind];
  return m->at && *off < m->bytes ? m : NULL;
}

static uint8_t *find(node *n, uint64_t pa, size_t bytes) {
  uint64_t off = 0;
  unsigned who;
  memory *m = memory_at(n, pa - OF_MEMORY, &who, &off);
  return m && off + bytes <= m->bytes ? m->at + off : NULL;
}

static uint64_t table_at(unsigned level, unsigned who, uint64_t iova) {
  uint64_t index = level <= 4 ? iova >> (12 + 9 * level) & 0x3ffffff : 0;
  return OF_TABLE | (uint64_t)level << 44 | (uint64_t)who << 38 | index << 12;
}

static uint64_t leaf_of(node *n, unsigned who, uint64_t iova) {
  uint64_t off;
  unsigned whose;
  memory *m = memory_at(n, iova, &whose, &off);
  if (!m || whose != who) return 0;
  node_rule rule = m->rule;
  aa_leaf l = {.pa = OF_MEMORY + iova, .iuid = (uint16_t)who, .r = true, .w = rule != NODE_REDIRECT};
  l.wl = rule == NODE_REDIRECT || rule == NODE_COUNT;
  l.wld = rule == NODE_REDIRECT;
  l.rl = rule == NODE_COUNT || rule == NODE_COPY;
  l.rld = rule == NODE_COPY;
  l.e = rule != NODE_PLAIN;
  return aa_leaf_pack(&l, 1);
}

// An entry of a table that is not kept: 8 bytes of levels 4 to 1, 16 of root and context.
static bool load_table(node *n, uint64_t pa, uint8_t *buf, size_t bytes) {
  unsigned level = pa >> 44 & 7, who = pa >> 38 & 63;
  uint64_t entry[2] = {0, 0}, index = pa & 0xfff;
  if (level == ROOT) {
    if (index / 16 == RID >> 8) entry[0] = table_at(CONTEXTS, 0, 0) | 1;
  } else if (level == CONTEXTS) {
    who = (unsigned)index / 16;
    if (who < NODE_PROCS) {
      entry[0] = table_at(4, who, 0) | 1;
      entry[1] = 2 | 1 << 3 | (uint64_t)(who + 1) << 8;
    }
  } else {
    uint64_t iova = (pa >> 12 & 0x3ffffff) << (12 + 9 * level) | index / 8 << (12 + 9 * (level - 1));
    entry[0] = level > 1 ? table_at(level - 1, who, iova) | 3 : leaf_of(n, who, iova);
  }
  n->did->loads++;
  memcpy(buf, entry, bytes <= 16 ? bytes : 16);
  return bytes <= 16;
}

static bool mem_read(void *ctx, unsigned src, uint64_t pa, void *buf, size_t bytes) {
  node *n = ctx;
  (void)src;
  if (pa & OF_TABLE) return load_table(n, pa, buf, bytes);
  uint8_t *p = find(n, pa, bytes);
  if (p) memcpy(buf, p, bytes);
  return p;
}

// Of the IOMMU itself: records, pointers, interrupts.
static bool mem_write(void *ctx, unsigned src, uint64_t pa, const void *buf, size_t bytes) {
  node *n = ctx;
  if ((pa & ~0xfffffull) == OF_MSI) {
    n->did->intrs++;
    return true;
  }
  uint8_t *p = find(n, pa, bytes);
  if (src == AA_SRC_SMALL)
    n->did->pointers++;
  else
    n->did->records++, n->did->logged += (unsigned)bytes;
  if (p) memcpy(p, buf, bytes);
  return p;
}

// Of the device, translated.
static bool host_read(void *ctx, uint64_t pa, void *buf, size_t bytes) {
  node *n = ctx;
  n->did->reads++;
  return mem_read(ctx, 0, pa, buf, bytes);
}
static bool host_write(void *ctx, uint64_t pa, const void *buf, size_t bytes) {
  node *n = ctx;
  uint8_t *p = find(n, pa, bytes);
  n->did->writes++;
  if (p) memcpy(p, buf, bytes);
  return p;
}
// Kept until the request that is under way has been decided: the model is not called from its own calls.
static void complete(void *to, const tlp *t) {
  node *n = to;
  kept *k = &n->cpl[n->cpls++ % KEPT];
  k->t = *t;
  if (t->ndw) memcpy(k->data, t->data, 4 * (size_t)t->ndw);
  k->t.data = k->data;
}
static bool host_atomic(void *ctx, uint64_t pa, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                        uint64_t *old) {
  node *n = ctx;
  uint8_t *p = find(n, pa, size);
  uint64_t v;
  if (!p || size != 8) return false;
  memcpy(old, p, 8);
  v = cas ? (*old == compare ? swap : *old) : *old + swap;
  memcpy(p, &v, 8);
  return true;
}

static void host_req(void *ctx, const tlp *t) {
  node *n = ctx;
  tocsin_root_request(&n->root, n, t);
}
static void dev_cpl(void *ctx, unsigned port, unsigned src, const tlp *t) {
  node *n = ctx;
  (void)port, (void)src;
  if (t->ndw && n->got_bytes + 4 * t->ndw <= sizeof n->got) {
    memcpy(n->got + n->got_bytes, t->data, 4 * (size_t)t->ndw);
    n->got_bytes += 4 * t->ndw;
  }
}

static void retire(void *ctx, const aa_retire_rec *r) {
  node *n = ctx;
  if (r->kind == AA_RET_NOTIFY && r->code == AA_NOTE_TASK) n->task[n->called * n->each + r->idx] = true;
}

const aa_ops node_aa_ops = {mem_read, mem_write, host_req, dev_cpl, retire};
const tocsin_root_ops node_root_ops = {host_read, host_write, host_atomic, complete, NULL};
uint64_t node_tables(void) { return table_at(ROOT, 0, 0); }
