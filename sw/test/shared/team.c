// SPDX-License-Identifier: Apache-2.0
// An irregular program in C, as strangers write it: writes a table of global memory and adds it up.
#include <inttypes.h>
#include <stdio.h>
#include <tocsin/irregular/team.h>

static toc_status first(irr_member *m, void *arg) {
  irr_address table;
  uint64_t word, sum = 0;
  if (irr_global_malloc(m->r.heap, 8 * 100, &table) != IRR_OK) return TOC_E_NOMEM;
  for (uint64_t i = 0; i < 100; i++)
    if (irr_write(&m->r, table + 8 * i, i) != IRR_OK) return TOC_E_IO;
  for (uint64_t i = 0; i < 100; i++) {
    if (irr_read(&m->r, table + 8 * i, &word) != IRR_OK) return TOC_E_IO;
    sum += word;
  }
  printf("%u ranks: %" PRIu64 "\n", m->ranks, sum);
  (void)arg;
  return TOC_OK;
}

int main(void) {
  const irr_team_options o = {.first = first};
  if (irr_team_run(&o) == TOC_OK) return 0;
  fprintf(stderr, "%s\n", irr_why());
  return 1;
}
