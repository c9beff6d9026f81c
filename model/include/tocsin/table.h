// SPDX-License-Identifier: Apache-2.0
// Translation tables of the Active Access IOMMU: builds root, context and second-level tables in any memory.
//
//   root[bus] -> context[devfn] -> level 4 -> 3 (1G leaf) -> 2 (2M leaf) -> 1 (4K leaf)
//
// The caller owns the memory and gives two functions that read and write 8 aligned bytes of it, and a range of it from
// which table pages are taken. Nothing is cached here: what is in memory is the truth, and tables built by other
// software can be walked. Nothing invalidates the IOMMU either: after a change of an entry that the hardware may have
// seen, software queues an invalidation and waits for it.
//
// Not locked: one user at a time for one tree of tables. No allocation, no globals.
#ifndef TOCSIN_TABLE_H
#define TOCSIN_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aa_table_status {
  AA_TABLE_OK = 0,
  AA_TABLE_E_MEMORY,  // read or write of the caller's memory failed
  AA_TABLE_E_FULL,    // the range for table pages is used up
  AA_TABLE_E_ALIGN,   // an address is not aligned to its page, or beyond 48 bits
  AA_TABLE_E_LEVEL,   // level is not 1, 2 or 3, or IUID above 1023
  AA_TABLE_E_BUSY,    // a larger or smaller page, or a table, is already there
  AA_TABLE_E_ABSENT   // nothing is mapped there
} aa_table_status;

// A text for a status; never null.
const char *aa_table_strstatus(aa_table_status s);

// 8 bytes at addr (a multiple of 8). Non-zero: failed.
typedef struct aa_table_ops {
  int (*read)(void *ctx, uint64_t addr, uint64_t *value);
  int (*write)(void *ctx, uint64_t addr, uint64_t value);
} aa_table_ops;

typedef struct aa_table {
  const aa_table_ops *ops;
  void *ctx;
  uint64_t root;   // physical address for RTADDR
  uint64_t next;   // next free table page
  uint64_t limit;  // end of the range
} aa_table;

// What a leaf says. level: 1 = 4 KiB, 2 = 2 MiB, 3 = 1 GiB.
typedef struct aa_leaf {
  uint64_t pa;
  uint16_t iuid;  // 0..1023
  bool r, w, wl, wld, rl, rld, e;
} aa_leaf;

// What a context entry says.
typedef struct aa_context {
  uint64_t table;  // level-4 table (not used when pass)
  uint16_t did;
  bool pass;    // TT = 10: addresses pass untranslated
  bool aa;      // bit 67: the device opts in to Active Access
  bool nointr;  // bit 68: no interrupt writes
  bool fpd;     // qualified faults are not recorded
} aa_context;

// Where a walk ended. fault: 0, or the VT-d reason code that the IOMMU would report for this access.
typedef struct aa_walk_result {
  uint8_t fault;
  uint8_t level;   // of the leaf, 0 where there is none
  uint64_t entry;  // address of the last entry read
  uint64_t value;  // its (low) eight bytes
  uint64_t pa;     // translated address (offset included)
  aa_leaf leaf;    // effective R and W; raw Active Access bits, pa of the page
  aa_context context;
} aa_walk_result;

// Take [base, limit) (4 KiB-aligned) for table pages; makes an empty root table.
aa_table_status aa_table_init(aa_table *t, const aa_table_ops *ops, void *ctx, uint64_t base, uint64_t limit);

// A new empty second-level tree; *table is its level-4 table.
aa_table_status aa_table_domain(aa_table *t, uint64_t *table);

// Set (or replace) the context entry of requester id sid; null makes it not present.
aa_table_status aa_table_set_context(aa_table *t, uint16_t sid, const aa_context *c);

// Map one page, or replace the leaf that is there at the same level. Upper entries get R = W = 1.
aa_table_status aa_table_map(aa_table *t, uint64_t table, uint64_t iova, unsigned level, const aa_leaf *leaf);

// As map, for n consecutive pages (pa counts up with iova).
aa_table_status aa_table_map_range(aa_table *t, uint64_t table, uint64_t iova, unsigned level, const aa_leaf *leaf,
                                   uint64_t n);

// Clear one leaf.
aa_table_status aa_table_unmap(aa_table *t, uint64_t table, uint64_t iova, unsigned level);

// Address of the entry of iova at a level (1..4); E_ABSENT when the tables end before. Lets tests plant anything.
aa_table_status aa_table_entry(const aa_table *t, uint64_t table, uint64_t iova, unsigned level, uint64_t *addr);

// Walk as the IOMMU does for one access (write: needs W, else R). root 0: that of t. E_MEMORY only for a table outside
// of the memory, with the fault code of that level in out.
aa_table_status aa_table_walk(const aa_table *t, uint64_t root, uint16_t sid, uint64_t iova, bool write,
                              aa_walk_result *out);

// A present context entry (level 0), or a leaf of the context that came last. Leaves that deny
// everything are there too.
typedef struct aa_table_item {
  uint16_t sid;
  uint8_t level;   // 0, or of the leaf
  uint64_t iova;   // of the leaf's page
  uint64_t entry;  // where it lies,
  uint64_t value;  // and its (low) eight bytes
  aa_context context;
  aa_leaf leaf;
} aa_table_item;
typedef void aa_table_visit(void *ctx, const aa_table_item *item);

// Every context and every leaf, in the order of requester id and address.
aa_table_status aa_table_each(const aa_table *t, aa_table_visit *fn, void *ctx);

// The same as text, one line each.
aa_table_status aa_table_dump(const aa_table *t, FILE *out);

// One leaf entry, packed and unpacked. WL is bit 7, or bit 3 in a 2M or 1G leaf.
uint64_t aa_leaf_pack(const aa_leaf *leaf, unsigned level);
void aa_leaf_unpack(uint64_t entry, unsigned level, aa_leaf *leaf);

#ifdef __cplusplus
}
#endif
#endif
