// SPDX-License-Identifier: Apache-2.0
#include "tocsin/regs_table.h"

#include <ctype.h>

const tocsin_reg *tocsin_reg_at(const tocsin_reg_map *map, uint32_t addr, unsigned *index) {
  for (size_t i = 0; i < map->regs; i++) {
    const tocsin_reg *r = &map->reg[i];
    uint32_t n = r->num ? r->num : 1, past = addr - r->offset;
    uint32_t k = r->num ? past / r->stride : 0;
    if (k >= n || past - k * r->stride >= r->width / 8u) continue;
    if (index) *index = k;
    return r;
  }
  return NULL;
}

const tocsin_reg *tocsin_reg_named(const tocsin_reg_map *map, const char *name) {
  for (size_t i = 0; i < map->regs; i++) {
    const char *a = map->reg[i].name, *b = name;
    while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b)) a++, b++;
    if (!*a && !*b) return &map->reg[i];
  }
  return NULL;
}
