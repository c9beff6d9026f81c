// SPDX-License-Identifier: Apache-2.0
// The tables of registers agree with the headers that software uses, and every byte finds its register.
#include <string.h>

#include "check.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"
#include "tocsin/regs_table.h"

static const tocsin_field *field_of(const tocsin_reg *r, const char *name) {
  for (size_t i = 0; r && i < r->fields; i++)
    if (!strcmp(r->field[i].name, name)) return &r->field[i];
  return NULL;
}

// Every register, at its first and last byte; no byte belongs to two of them.
static void whole(const tocsin_reg_map *map) {
  for (size_t i = 0; i < map->regs; i++) {
    const tocsin_reg *r = &map->reg[i];
    unsigned n = r->num ? r->num : 1, k;
    CHECK(r->width == 32 || r->width == 64);
    CHECK(tocsin_reg_named(map, r->name) == r);
    for (unsigned j = 0; j<n; j += n> 1 ? n - 1 : 1) {
      uint32_t at = r->offset + j * r->stride;
      CHECK(tocsin_reg_at(map, at, &k) == r && k == j);
      CHECK(tocsin_reg_at(map, at + r->width / 8u - 1, &k) == r && k == j);
    }
    for (size_t f = 0; f < r->fields; f++)
      CHECK(r->field[f].lsb <= r->field[f].msb && r->field[f].msb < r->width && *r->field[f].text);
    for (size_t i2 = 0; i2 < r->counts; i2++) CHECK(r->counts <= r->num && *r->count[i2]);
  }
}

int main(void) {
  whole(&tocsin_aa_reg_map);
  whole(&tocsin_nic_reg_map);
  const tocsin_reg *r = tocsin_reg_named(&tocsin_aa_reg_map, "log_cfg");
  CHECK(r && r->offset == AA_REG_LOG_CFG && r->num == AA_REG_LOG_CFG_NUM && r->stride == AA_REG_LOG_CFG_STRIDE);
  const tocsin_field *f = field_of(r, "SIZE");
  CHECK(f && f->lsb == AA_LOG_CFG_SIZE_LSB && (2ULL << f->msb) - (1ULL << f->lsb) == AA_LOG_CFG_SIZE_MASK);
  unsigned k = 99;
  CHECK(tocsin_reg_at(&tocsin_aa_reg_map, AA_REG_LOG_CFG + 3 * AA_REG_LOG_CFG_STRIDE + 4, &k) == r && k == 3);
  CHECK(tocsin_reg_at(&tocsin_aa_reg_map, AA_REG_LOG_CFG, NULL) == r);
  r = tocsin_reg_named(&tocsin_nic_reg_map, "NIC_MAC");
  CHECK(r && r->offset == NIC_REG_NIC_MAC);
  CHECK(r->counts == 0 && !r->count);
  r = tocsin_reg_named(&tocsin_aa_reg_map, "CNT");
  CHECK(r && r->counts == AA_CNT_CUT + 1 && !strcmp(r->count[AA_CNT_WRITES], "writes"));
  r = tocsin_reg_named(&tocsin_nic_reg_map, "NIC_CNT");
  CHECK(r && r->counts == NIC_REG_NIC_CNT_NUM && !strcmp(r->count[NIC_CNT_CUT], "rates cut"));
  CHECK(!tocsin_reg_named(&tocsin_aa_reg_map, "NO_SUCH") && !tocsin_reg_named(&tocsin_aa_reg_map, ""));
  CHECK(!tocsin_reg_at(&tocsin_aa_reg_map, 0xFFFFC, NULL));
  return report();
}
