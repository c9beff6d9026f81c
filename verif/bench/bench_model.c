// SPDX-License-Identifier: Apache-2.0
// Requests for the golden model alone, with callbacks that do nothing: what `make bench` counts instructions of.
//
//   bench_model MODE N     N requests of one kind through aa_submit (and aa_complete, for gets)
//
// MODE: hit-put, hit-get (page in the IOTLB), walk (four levels, every request), active-put, logged-get; 64 bytes each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/aa.h"
#include "tocsin/aa_regs.h"
#include "tocsin/table.h"

enum { MEM = 1 << 20, SID = 0x0100, PAGES = 64, BYTES = 64, RING_SIZE = 20 };
#define HOT 0x10000000ULL
#define COLD 0x10000000000ULL  // a page in each 8 GiB: nothing of a walk is in the paging-structure cache
#define STEP (1ULL << 33)

static uint64_t mem[MEM / 8];

static int tab_read(void *ctx, uint64_t addr, uint64_t *v) {
  (void)ctx;
  if (addr >= MEM) return 1;
  *v = mem[addr / 8];
  return 0;
}

static int tab_write(void *ctx, uint64_t addr, uint64_t v) {
  (void)ctx;
  if (addr >= MEM) return 1;
  mem[addr / 8] = v;
  return 0;
}

static bool on_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  (void)ctx, (void)src;
  if (addr + n > MEM) return false;
  memcpy(buf, (const char *)mem + addr, n);
  return true;
}

static bool on_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  (void)ctx, (void)src, (void)addr, (void)buf, (void)n;
  return true;
}

static unsigned long to_host, to_dev;
static void on_host(void *ctx, const tlp *t) { (void)ctx, (void)t, to_host++; }
static void on_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  (void)ctx, (void)port, (void)src, (void)t, to_dev++;
}

static void must(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "bench_model: %s\n", what);
  exit(1);
}

int main(int argc, char **argv) {
  must(argc == 3, "bench_model MODE N");
  const char *mode = argv[1];
  unsigned long n = strtoul(argv[2], NULL, 0);
  bool walk = !strcmp(mode, "walk"), get = strstr(mode, "get"),
       log = !strncmp(mode, "active", 6) || !strncmp(mode, "logged", 6);
  must(walk || log || !strncmp(mode, "hit", 3), "unknown mode");

  aa_config cfg;
  aa_config_default(&cfg);
  const aa_ops ops = {on_read, on_write, on_host, on_dev, NULL};
  aa *m;
  must(aa_new(&cfg, &ops, NULL, &m) == AA_OK, "aa_new");
  const aa_table_ops tops = {tab_read, tab_write};
  aa_table t;
  uint64_t dom;
  must(!aa_table_init(&t, &tops, NULL, 0x1000, MEM) && !aa_table_domain(&t, &dom), "tables");
  aa_context c = {.table = dom, .did = 1, .aa = true};
  must(!aa_table_set_context(&t, SID, &c), "context");
  aa_leaf leaf = {.r = true, .w = true, .pa = 0x40000000};
  if (log)
    leaf =
        (aa_leaf){.r = true, .wl = true, .wld = true, .rl = true, .rld = true, .e = true, .iuid = 5, .pa = 0x40000000};
  for (unsigned i = 0; i < PAGES; i++, leaf.pa += 4096)
    must(!aa_table_map(&t, dom, walk ? COLD + STEP * i : HOT + 4096 * (i % 8), 1, &leaf), "map");
  aa_reg_write(m, AA_REG_RTADDR, 8, t.root);
  aa_reg_write(m, AA_REG_GCMD, 4, AA_GCMD_SRTP_MASK);
  aa_reg_write(m, AA_REG_GCMD, 4, AA_GCMD_TE_MASK);
  aa_reg_write(m, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  aa_reg_write(m, AA_REG_LOG_BASE, 8, 0x20000000);
  aa_reg_write(m, AA_REG_LOG_CFG, 8, 5 | (uint64_t)RING_SIZE << AA_LOG_CFG_SIZE_LSB | AA_LOG_CFG_EN_MASK);

  static uint8_t data[BYTES];
  tlp req[PAGES], cpl[PAGES];
  for (unsigned i = 0; i < PAGES; i++) {
    tlp_fields f = {.type = get ? TLP_MRD32 : TLP_MWR32,
                    .length = BYTES / 4,
                    .rid = SID,
                    .tag = get ? (uint16_t)i : 0,
                    .fbe = 15,
                    .lbe = 15,
                    .addr = walk ? COLD + STEP * i : HOT + 4096 * (i % 8) + BYTES * i};
    f.type = (uint8_t)(f.type | (f.addr >> 32 ? TLP_4DW : 0));
    req[i] = (tlp){.ndw = get ? 0 : BYTES / 4, .data = data};
    tlp_pack(&f, req[i].hdr);
    tlp_fields a = {.type = TLP_CPLD,
                    .length = BYTES / 4,
                    .rid = SID,
                    .tag = (uint16_t)i,
                    .status = TLP_SC,
                    .byte_count = BYTES,
                    .lower_addr = (uint8_t)(f.addr & 0x7F)};
    cpl[i] = (tlp){.ndw = BYTES / 4, .data = data};
    tlp_pack(&a, cpl[i].hdr);
  }
  for (unsigned long i = 0; i < n; i++) {
    must(aa_submit(m, 0, &req[i % PAGES]) == AA_OK, "aa_submit");
    if (get) must(aa_complete(m, &cpl[i % PAGES]) == AA_OK, "aa_complete");
    if (log && i % 1024 == 1023) {  // the consumer
      uint64_t prod = 0;
      aa_reg_read(m, AA_REG_LP_PROD, 8, &prod);
      aa_reg_write(m, AA_REG_LP_CONS, 8, prod);
    }
  }
  uint64_t entries = 0, walks = 0;
  aa_reg_read(m, AA_REG_CNT + 8 * AA_CNT_PUBLISHED, 8, &entries);
  aa_reg_read(m, AA_REG_CNT + 8 * AA_CNT_WALKS_ENDED, 8, &walks);
  must(to_host == (log && !get ? 0 : n) && to_dev == (get ? n : 0) && entries == (log ? n : 0) && (!walk || walks == n),
       "not what was to be measured");
  aa_free(m);
  return 0;
}
