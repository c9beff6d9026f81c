// SPDX-License-Identifier: Apache-2.0
// The golden model as an IOMMU in a program of your own: one put, translated; one active put, logged.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tocsin/aa.h>
#include <tocsin/aa_regs.h>
#include <tocsin/table.h>

static uint8_t memory[1 << 20];
static unsigned host, logged;

static int table_read(void *ctx, uint64_t addr, uint64_t *v) { return (void)ctx, memcpy(v, memory + addr, 8), 0; }
static int table_write(void *ctx, uint64_t addr, uint64_t v) { return (void)ctx, memcpy(memory + addr, &v, 8), 0; }

static bool mem_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  (void)ctx, (void)src;
  if (addr + n > sizeof memory) return false;
  memcpy(buf, memory + addr, n);
  return true;
}

static bool mem_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  (void)ctx;
  if (addr + n > sizeof memory) return false;
  memcpy(memory + addr, buf, n);
  logged += src == AA_SRC_PUT;
  return true;
}

static void host_req(void *ctx, const tlp *t) {
  (void)ctx;
  printf("to the host: %s to %" PRIx64 ", %u DW\n", tlp_type_name(tlp_type(t->hdr)), tlp_addr(t->hdr),
         (unsigned)t->ndw);
  host++;
}

static void dev_cpl(void *ctx, unsigned port, unsigned src, const tlp *t) { (void)ctx, (void)port, (void)src, (void)t; }

static void put(aa *m, uint64_t addr) {
  tlp t = {.ndw = 2, .data = (const uint8_t *)"12345678"};
  tlp_pack(&(tlp_fields){.type = TLP_MWR32, .length = 2, .rid = 0x0100, .fbe = 15, .lbe = 15, .addr = addr}, t.hdr);
  aa_submit(m, 0, &t);
}

int main(void) {
  static const aa_table_ops table_ops = {table_read, table_write};
  aa_table tab;
  uint64_t domain, prod;
  aa_config cfg;
  aa *m;
  aa_table_init(&tab, &table_ops, NULL, 0x1000, 0x20000);
  aa_table_domain(&tab, &domain);
  aa_table_set_context(&tab, 0x0100, &(aa_context){.table = domain, .did = 1, .aa = true});
  aa_table_map(&tab, domain, 0x10000, 1, &(aa_leaf){.pa = 0x40000, .r = true, .w = true});
  aa_table_map(&tab, domain, 0x11000, 1,
               &(aa_leaf){.pa = 0x41000, .r = true, .wl = true, .wld = true, .e = true, .iuid = 5});

  aa_config_default(&cfg);
  if (aa_new(&cfg, &(aa_ops){mem_read, mem_write, host_req, dev_cpl, NULL}, NULL, &m) != AA_OK) return 1;
  aa_reg_write(m, AA_REG_RTADDR, 8, tab.root);
  aa_reg_write(m, AA_REG_GCMD, 4, AA_GCMD_SRTP_MASK);
  aa_reg_write(m, AA_REG_GCMD, 4, AA_GCMD_TE_MASK);
  aa_reg_write(m, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  aa_reg_write(m, AA_REG_LOG_BASE, 8, 0x80000);
  aa_reg_write(m, AA_REG_LOG_CFG, 8, AA_LOG_CFG_EN_MASK | 12ull << AA_LOG_CFG_SIZE_LSB | 5);
  put(m, 0x10008);
  put(m, 0x11010);
  aa_reg_read(m, AA_REG_LP_PROD, 8, &prod);
  printf("in the log: %" PRIu64 " bytes, the put's data %.8s\n", prod, (const char *)memory + 0x80010);
  aa_free(m);
  return host == 1 && logged == 1 && prod == 32 ? 0 : 1;
}
