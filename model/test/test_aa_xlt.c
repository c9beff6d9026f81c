// SPDX-License-Identifier: Apache-2.0
// Translation: every fault of a walk, what is cached and what not, replacement, page sizes, invalidation.
#include "world.h"

#include "tocsin/aa_xlt.h"

static unsigned fault_of(world *w, uint64_t iova, bool read) {
  unsigned n = w->reqs;
  if (read) {
    get(w, 1, iova, 1, 15);
    if (w->reqs != n) complete(w, 1, TLP_SC, 4, 1);
  } else {
    put(w, iova, 1, 15);
  }
  unsigned f = take_fault(w);
  CHECK((f == 0) == (w->reqs == n + 1));
  return f;
}
static unsigned reads_of(world *w, uint64_t iova) {
  unsigned n = w->reads;
  put(w, iova, 1, 15);
  take_fault(w);
  return w->reads - n;
}

// What is addressed as translated already, and interrupts.
static void at_and_interrupts(world *w) {
  tlp t = request(TLP_MWR32, SID, 0, 0x1000, 1, 15);
  t.hdr[0] |= 2u << 10;
  const unsigned n = w->reqs;
  for (unsigned i = 0; i < 2; i++) {  // miss, hit
    EQ(aa_submit(w->m, 0, &t), AA_OK);
    EQ(take_fault(w), 0xd);
  }
  t.hdr[1] = 0x0299u << 16 | 15;  // no context: 1 comes first
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(take_fault(w), 1);
  t = request(TLP_MWR32, 0x0299, 0, 0xfee01234, 1, 15);
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(w->reqs, n + 1);
  context(w, SID, L4 | 1, 2 | 8 | 16 | DID << 8);
  invalidate_all(w);
  for (unsigned i = 0; i < 2; i++) {
    put(w, 0xfee00000, 1, 15);
    EQ(take_fault(w), 0x25);
  }
  EQ(w->reqs, n + 1);
  wr32(w, AA_REG_GCMD, 0);
  put(w, 0xfee00000, 1, 15);
  EQ(w->reqs, n + 2);
  t = request(TLP_MWR32, SID, 0, 0x1000, 1, 15);
  t.hdr[0] |= 1u << 10;
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(take_fault(w), 0xd);
  EQ(w->reqs, n + 2);
}

static void hidden(world *w, uint64_t iova, uint64_t l1) {
  // FPD hides the qualified ones only
  context(w, SID, L4 | 1 | 2, 2 | 8 | DID << 8);
  poke64(w, l1, 0);
  invalidate_all(w);
  unsigned n = w->reqs;
  put(w, iova, 1, 15);
  EQ(take_fault(w), 0);
  EQ(w->reqs, n);
  put(w, 1ull << 50, 1, 15);
  EQ(take_fault(w), 0);
  poke64(w, CTX + 0x130, 2);  // not present, FPD
  invalidate_all(w);
  put(w, iova, 1, 15);
  EQ(take_fault(w), 0);
  poke64(w, CTX + 0x130, 1 | 2 | 0x10);  // B is not qualified
  put(w, iova, 1, 15);
  EQ(take_fault(w), 0xb);

  // pass-through, also above 48 bits; a device of another bus
  context(w, SID, 1 | 8, 2 | 8 | DID << 8);
  invalidate_all(w);
  EQ(fault_of(w, 0x1234567890abc000, false), 0);
  EQ(tlp_addr(last_req(w)->t.hdr), 0x1234567890abc000);
  EQ(cnt(w, AA_CNT_WALKS_BEGUN), cnt(w, AA_CNT_WALKS_ENDED));
}

/* An entry of a table, what is written there, and the fault of a write and of a read then. */
typedef struct {
  uint64_t at, value;
  unsigned write, read;
} faulty;

static void each_faults(world *w, uint64_t iova, faulty *c, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    uint64_t old = peek64(w, c[i].at);
    if (i + 1 == n) c[i].value = (old & ~3ull) | 1, c[i].read = 0;
    poke64(w, c[i].at, c[i].value);
    invalidate_all(w);
    unsigned f = fault_of(w, iova, false);
    if (f != c[i].write) printf("case %u\n", i);
    EQ(f, c[i].write);
    invalidate_all(w);
    EQ(fault_of(w, iova, true), c[i].read);
    poke64(w, c[i].at, old);
    invalidate_all(w);
  }
}

static void faults(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  world_init(&w, &cfg);
  world_on(&w);
  const uint64_t iova = 0x123456789000;
  map(&w, iova, 0x80000000 | 3);
  EQ(fault_of(&w, iova, false), 0);
  uint64_t l1 = entry_at(&w, iova, 1), l2 = entry_at(&w, iova, 2), l3 = entry_at(&w, iova, 3),
           l4 = entry_at(&w, iova, 4);
  faulty c[] = {
      {ROOT + 16, 0, 1, 1},
      {ROOT + 16, CTX | 1 | 2, 0xa, 0xa},
      {ROOT + 16, CTX | 1 | 1ull << 48, 0xa, 0xa},
      {ROOT + 24, 1, 0xa, 0xa},
      {CTX + 0x130, L4, 2, 2},
      {CTX + 0x130, L4 | 1 | 0x10, 0xb, 0xb},
      {CTX + 0x130, L4 | 1 | 1ull << 50, 0xb, 0xb},
      {CTX + 0x138, 2 | 0x80 | DID << 8, 0xb, 0xb},
      {CTX + 0x138, 2 | 1ull << 24 | DID << 8, 0xb, 0xb},
      {CTX + 0x138, 1 | DID << 8, 3, 3},
      {CTX + 0x130, L4 | 1 | 4, 3, 3},
      {CTX + 0x130, L4 | 1 | 12, 3, 3},
      {CTX + 0x138, 2 | 0x60 | DID << 8, 0, 0},  // bits 70:69 are ignored
      {l4, 0x80, 5, 6},                          // not present before reserved
      {l4, 0x10000 | 3 | 0x80, 0xc, 0xc},
      {l4, 0x10000 | 3 | 0x800, 0xc, 0xc},
      {l3, 0x10000 | 3 | 1ull << 62, 0xc, 0xc},
      {l2, 0x10000 | 3 | 1ull << 51, 0xc, 0xc},
      {l3, 0, 5, 6},
      {l2, 0, 5, 6},
      {l1, 0, 5, 6},
      {l1, 0x800, 5, 6},
      {l1, 0x80000000 | 3 | 0x800, 0xc, 0xc},
      {l1, 0x80000000 | 3 | 1ull << 62, 0xc, 0xc},
      {l1, 0x80000000 | 3 | 1ull << 49, 0xc, 0xc},
      {l1, 0x80000000 | 1, 5, 0},
      {l1, 0x80000000 | 2, 0, 6},
      {l1, PTE_E | 1ull << 49, 0xc, 0xc},  // live by E alone
      {l2, 0x80000000 | 3 | 0x80, 0, 0},   // 2M
      {l2, 0x80000000 | 3 | 0x80 | 0x1000, 0xc, 0xc},
      {l2, 0x80000000 | 3 | 0x80 | 0x100000, 0xc, 0xc},
      {l3, 0x80000000 | 3 | 0x80, 0, 0},  // 1G
      {l3, 0x80000000 | 3 | 0x80 | 0x20000000, 0xc, 0xc},
      {l2, 0x80, 5, 6},
      {l2, 0x2000 | 1, 5, 6},  // W is not in the AND; the table is elsewhere
  };
  each_faults(&w, iova, c, sizeof c / sizeof *c);
  // read errors of each level
  const uint64_t at[] = {ROOT + 16, CTX + 0x130, l4, l3, l2, l1};
  const unsigned want[] = {8, 9, 7, 7, 7, 7};
  for (unsigned i = 0; i < 6; i++) {
    w.bad = at[i];
    invalidate_all(&w);
    EQ(fault_of(&w, iova, false), want[i]);
    w.bad = ~0ull;
  }
  invalidate_all(&w);
  EQ(fault_of(&w, 1ull << 48, false), 4);
  EQ(fault_of(&w, 0xffffffffffffe000, false), 4);

  hidden(&w, iova, l1);

  at_and_interrupts(&w);
  world_free(&w);
}

static void superpages(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.SpEntries = 2;
  world_init(&w, &cfg);
  world_on(&w);
  log_open(&w, 0, 5, 12, 0);
  const uint64_t big = 0x40000000ull * 3, mid = 0x40000000ull * 9 + 0x200000 * 5;
  poke64(&w, entry_at(&w, big, 3), 0x7c0000000 | 0x80 | 3);
  poke64(&w, entry_at(&w, mid, 2), 0x800200000 | 0x80 | 1 | 8 | PTE_E | PTE_IUID(5));  // WL is bit 3 here
  EQ(reads_of(&w, big + 0x12345000), 4);                                               // root, context, 4, 3
  EQ(tlp_addr(last_req(&w)->t.hdr), 0x7c0000000 + 0x12345000);
  EQ(reads_of(&w, big + 0x3ffff000), 0);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0x7ffff000ull + 0x780000000);
  unsigned n = w.reqs;
  EQ(reads_of(&w, mid + 0x1ff000), 3);  // denied, logged
  EQ(w.reqs, n);
  EQ(prod(&w, 0), 16);
  EQ(entry_of(&w, 0, 0, 12).addr, mid + 0x1ff000);
  EQ(reads_of(&w, mid), 0);
  // both ways full; `big` is older
  const uint64_t third = 0x40000000ull * 20;
  poke64(&w, entry_at(&w, third, 3), 0x1000000000 | 0x80 | 3);
  EQ(reads_of(&w, third), 2);
  EQ(reads_of(&w, mid), 0);
  EQ(reads_of(&w, big), 2);  // was the victim; now `third` is
  EQ(reads_of(&w, mid), 0);
  EQ(reads_of(&w, third), 2);
  // a page-selective invalidation that touches one 4K page of a superpage takes it away; of another domain not
  wr(&w, AA_REG_IVA, mid + 0x5000);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | 8ull << 32);
  EQ(reads_of(&w, mid), 0);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | (uint64_t)DID << 32);
  EQ(rd(&w, AA_REG_IOTLB) >> 57 & 3, 3);
  EQ(reads_of(&w, third), 0);
  EQ(reads_of(&w, mid), 3);  // IH=0: the paging-structure cache of the domain went too
  world_free(&w);
}

static void replacement(bool random) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.IotlbEntries = 16;
  cfg.IotlbWays = 4;
  cfg.IotlbRandom = random;
  world_init(&w, &cfg);
  world_on(&w);
  // a model of the model: one set, pages that all fall into it
  uint64_t tag[4] = {0}, s = 5;
  unsigned age[4] = {0, 1, 2, 3}, lfsr = 0xace1;
  for (unsigned i = 0; i < 9; i++) map(&w, 0x2000 + i * 0x4000, 0x80000000 | 3);
  for (unsigned step = 0; step < 500; step++) {
    uint64_t iova = 0x2000 + rnd(&s) % 9 * 0x4000;
    unsigned way = 4;
    bool hit = false;
    for (unsigned i = 0; i < 4; i++)
      if (tag[i] == iova) way = i, hit = true;
    for (unsigned i = 0; i < 4 && way == 4; i++)
      if (!tag[i]) way = i;
    if (way == 4 && random) way = lfsr & 3;
    for (unsigned i = 0; i < 4 && way == 4; i++)
      if (age[i] == 3) way = i;
    if (!hit) {
      tag[way] = iova;
      unsigned bit = (lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1;
      lfsr = lfsr >> 1 | bit << 15;
    }
    for (unsigned i = 0; i < 4; i++)
      if (age[i] < age[way]) age[i]++;
    age[way] = 0;
    EQ(reads_of(&w, iova) == 0, hit);
    if (step == 250) {  // ages and the LFSR outlive an invalidation
      invalidate_all(&w);
      memset(tag, 0, sizeof tag);
    }
  }
  world_free(&w);
}

static unsigned reads_for(world *w, const tlp *t) {
  unsigned n = w->reads;
  EQ(aa_submit(w->m, 0, t), AA_OK);
  return w->reads - n;
}

static void contexts(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.CtxEntries = 4;
  cfg.PscEntries = 0;
  world_init(&w, &cfg);
  world_on(&w);
  map(&w, 0x1000, 0x80000000 | 3);
  poke64(&w, ROOT + 2 * 16, CTX | 1);
  unsigned sids[] = {0x0110, 0x0111, 0x0112, 0x0113, 0x0212};
  for (unsigned i = 0; i < 5; i++) context(&w, sids[i], L4 | 1, 2 | (i == 3 ? 9ull : DID) << 8);
  tlp t[5];
  for (unsigned i = 0; i < 5; i++) t[i] = request(TLP_MWR32, sids[i], 0, 0x1000, 1, 15);
#define READS(i) reads_for(&w, &t[i])
  EQ(READS(0), 6);
  EQ(READS(1), 6);  // the leaf is of the same domain, but a context miss walks all the way
  EQ(READS(1), 0);
  EQ(READS(2), 6);
  EQ(READS(3), 6);
  EQ(READS(0), 0);
  EQ(READS(4), 6);  // 0x0212 has the place of 0x0111: 2 ^ 2 = 1 ^ 1
  EQ(READS(0), 0);
  EQ(READS(1), 6);
  // function mask: device-selective over 0x0110..0x0113
  for (unsigned i = 0; i < 4; i++) READS(i);
  wr(&w, AA_REG_CCMD, 1ull << 63 | 3ull << 61 | 2ull << 32 | 0x0110ull << 16 | DID);  // ignores bits 2:1
  EQ(rd(&w, AA_REG_CCMD) >> 59 & 3, 3);
  EQ(READS(0), 6);
  EQ(READS(1), 0);
  EQ(READS(2), 6);
  EQ(READS(3), 0);
  wr(&w, AA_REG_CCMD, 1ull << 63 | 3ull << 61 | 3ull << 32 | 0x0110ull << 16 | DID);  // all functions, this domain
  EQ(READS(3), 0);
  EQ(READS(1), 6);
  wr(&w, AA_REG_CCMD, 1ull << 63 | 2ull << 61 | 9);
  EQ(READS(1), 0);
  EQ(READS(3), 6);
  wr(&w, AA_REG_CCMD, 1ull << 63);  // granularity 0: nothing
  EQ(rd(&w, AA_REG_CCMD) >> 59, 0);
  EQ(READS(3), 0);
  // IOTLB by domain
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 2ull << 60 | 9ull << 32);
  EQ(READS(1), 0);
  EQ(READS(3), 4);
  // AM above MAMV is global
  wr(&w, AA_REG_IVA, 0x100000000000 | 19);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | 1ull << 32);
  EQ(rd(&w, AA_REG_IOTLB) >> 57 & 3, 1);
  EQ(READS(1), 4);
  // AM = 2: pages 0 to 3 of the domain
  wr(&w, AA_REG_IVA, 0x3000 | 2);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | (uint64_t)DID << 32);
  EQ(READS(1), 4);
  wr(&w, AA_REG_IVA, 0x4000 | 2);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | (uint64_t)DID << 32);
  EQ(READS(1), 0);
  world_free(&w);
}

static void structure_cache(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.PscEntries = 4;
  world_init(&w, &cfg);
  world_on(&w);
  for (unsigned i = 0; i < 8; i++) map(&w, 0x1000 + i * 0x200000ull, 0x80000000 | 3);
  EQ(reads_of(&w, 0x1000), 6);
  map(&w, 0x2000, 0x80000000 | 3);
  EQ(reads_of(&w, 0x2000), 1);                 // level 2 hit
  EQ(reads_of(&w, 0x201000), 2);               // level 3 hit
  EQ(reads_of(&w, 4 * 0x200000 + 0x1000), 2);  // same set as the first
  map(&w, 0x3000, 0x80000000 | 3);
  EQ(reads_of(&w, 0x3000), 2);
  // IH=1 keeps it; permissions accumulated on the way are kept in it
  wr(&w, AA_REG_IVA, 0x3000 | 1 << 6);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | (uint64_t)DID << 32);
  EQ(reads_of(&w, 0x3000), 1);
  uint64_t l3 = entry_at(&w, 0x40000000, 3);
  map(&w, 0x40001000, 0x80000000 | 3);
  poke64(&w, l3, (peek64(&w, l3) & ~3ull) | 1);
  map(&w, 0x40002000, 0x80000000 | 3);
  unsigned n = w.reqs;
  EQ(reads_of(&w, 0x40001000), 4);
  EQ(reads_of(&w, 0x40002000), 1);
  EQ(w.reqs, n);  // both denied by the level-3 entry
  EQ(get(&w, 1, 0x40002000, 1, 15), AA_OK);
  EQ(w.reqs, n + 1);
  complete(&w, 1, TLP_SC, 4, 1);
  world_free(&w);
}

static void configs(void) {
  aa_config ok, c;
  aa *m;
  aa_config_default(&ok);
#define BAD(f, v)                                      \
  do {                                                 \
    c = ok;                                            \
    c.f = (v);                                         \
    m = (aa *)&c;                                      \
    EQ(aa_new(&c, &world_ops, NULL, &m), AA_E_CONFIG); \
    CHECK(m == NULL);                                  \
  } while (0)
  BAD(NumPorts, 0);
  BAD(NumPorts, 5);
  BAD(Window, 0);
  BAD(IotlbEntries, 48);
  BAD(IotlbWays, 3);
  BAD(IotlbWays, 128);
  BAD(SpEntries, 0);
  BAD(CtxEntries, 0);
  BAD(PscEntries, 3);
  BAD(Walkers, 0);
  BAD(NumLogs, 33);
  BAD(LogDepth, 0);
  BAD(TagEntries, 257);
  BAD(FlushPages, 9);
  BAD(FlushWaiters, 33);
  BAD(ScratchWords, 65);
  BAD(DataW, 64);
  aa_free(NULL);
  for (unsigned s = 0; s < 9; s++) CHECK(aa_strstatus((aa_status)s)[0] != 0);
}

// The block by itself: the memory of a walk is what its end is given, not that of a walk before.
static void memories(void) {
  aa_config cfg;
  aa_xlt x;
  aa_xlate r;
  aa_walk_stat st;
  world w[2];
  aa_config_default(&cfg);
  EQ(aa_xlt_init(&x, &cfg), AA_OK);
  x.te = true;
  x.root = ROOT;
  for (unsigned i = 0; i < 2; i++) {
    world_init(&w[i], &cfg);
    map(&w[i], 0x5000, (0x70000 + 0x1000 * i) | PTE_R | PTE_W);
    map(&w[i], 0x6000, (0x80000 + 0x1000 * i) | PTE_R | PTE_W);
  }
  for (unsigned i = 0; i < 2; i++) {
    aa_lookup k = {.iova = i ? 0x6000 : 0x5000, .sid = SID, .write = true};
    unsigned other = w[!i].reads;
    aa_xlt_walk_start(&x, i, 0, i, &k);
    aa_xlt_walk_end(&x, i, world_read, &w[i], &r, &st);
    EQ(r.fault, 0);
    EQ(r.leaf & AA_LEAF_FRAME, i ? 0x81000 : 0x70000);
    EQ(st.ctx_fill, !i);  // the second has the context from its cache
    CHECK(st.tlb_fill && !st.fault);
    CHECK(w[i].reads);
    EQ(w[!i].reads, other);
  }
  for (unsigned i = 0; i < 2; i++) world_free(&w[i]);
  aa_xlt_free(&x);
}

int main(void) {
  faults();
  superpages();
  replacement(false);
  replacement(true);
  contexts();
  structure_cache();
  configs();
  memories();
  return report();
}
