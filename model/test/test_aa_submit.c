// SPDX-License-Identifier: Apache-2.0
// The short way of aa_submit, which is off while records are asked for: a page is used again and again, so that it is
// walked to, hit and remembered, and every access goes where its page is, whatever the page's size. The same is asked
// of the long way; counters and memory's reads must agree.
#include "world.h"

static const aa_ops quiet = {world_read, world_write, world_req, world_cpl, NULL};
static const aa_ops recorded = {world_read, world_write, world_req, world_cpl, world_retire};

enum { TIMES = 5 };
#define SMALL 0x5000ull
#define MIDDLE (0x40000000ull * 2 + 0x200000 * 5)  // 2 MiB
#define LARGE (0x40000000ull * 3)                  // 1 GiB

static void begin(world *w, const aa_ops *ops) {
  aa_config cfg;
  aa_config_default(&cfg);
  world_init(w, &cfg);
  aa_free(w->m);
  if (aa_new(&cfg, ops, w, &w->m) != AA_OK) exit(2);
  map(w, SMALL, 0x700005000 | PTE_R | PTE_W);
  map(w, SMALL + 0x1000, 0x700009000 | PTE_R | PTE_W);
  poke64(w, entry_at(w, MIDDLE, 2), 0x800600000 | 0x80 | PTE_R | PTE_W);
  poke64(w, entry_at(w, LARGE, 3), 0x900000000 | 0x1c0000000 | 0x80 | PTE_R | PTE_W);
  world_on(w);
}

// One access; where it came out.
static uint64_t access(world *w, bool write, uint64_t iova) {
  unsigned before = w->reqs;
  tlp t = request(write ? TLP_MWR32 : TLP_MRD32, SID, 3, iova, 1, 0x0f);
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(w->reqs, before + 1);
  tlp_fields f;
  tlp_parse(last_req(w)->t.hdr, &f);
  if (!write) complete(w, f.tag, TLP_SC, 4, 1);
  return f.addr;
}

static void pages(const aa_ops *ops, world *w) {
  static const struct {
    uint64_t iova, pa;
  } k[] = {
      {SMALL, 0x700005000},
      {SMALL + 0x1000, 0x700009000},
      {MIDDLE, 0x800600000},
      {MIDDLE + 0x3000, 0x800603000},  // not its first 4 KiB
      {MIDDLE + 0x1ff000, 0x8007ff000},
      {LARGE, 0x9c0000000},
      {LARGE + 0x12345000, 0x9d2345000},
      {LARGE + 0x3ffff000, 0x9fffff000},
  };
  enum { N = sizeof k / sizeof *k };
  begin(w, ops);
  for (unsigned i = 0; i < N; i++)  // each by itself
    for (unsigned n = 0; n < 2 * TIMES; n++) EQ(access(w, n & 1, k[i].iova + 4 * n), k[i].pa + 4 * n);
  for (unsigned n = 0; n < TIMES; n++)  // and in turns
    for (unsigned i = 0; i < N; i++)
      for (unsigned write = 0; write < 2; write++)
        EQ(access(w, write, k[i].iova + 8 * n + 0x100), k[i].pa + 8 * n + 0x100);
  // what is remembered of a page is forgotten with it
  map(w, SMALL, 0x700006000 | PTE_R);
  poke64(w, entry_at(w, MIDDLE, 2), 0x800a00000 | 0x80 | PTE_R | PTE_W);
  EQ(access(w, false, SMALL), 0x700005000);
  invalidate_all(w);
  EQ(access(w, false, SMALL), 0x700006000);
  EQ(access(w, true, MIDDLE + 0x3000), 0x800a03000);
  unsigned before = w->reqs;
  put(w, SMALL, 1, 0x0f);  // it may no longer be written
  EQ(w->reqs, before);
}

int main(void) {
  world shorter, longer;
  pages(&quiet, &shorter);
  pages(&recorded, &longer);
  EQ(shorter.recs, 0);
  CHECK(longer.recs > 0);
  EQ(shorter.sum, longer.sum);
  EQ(shorter.reads, longer.reads);
  for (unsigned i = 0; i < AA_CNT_CUT + 1; i++) EQ(cnt(&shorter, i), cnt(&longer, i));
  world_free(&shorter);
  world_free(&longer);
  return report();
}
