// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_flush_buf.h"

#include "../le.h"
#include "tocsin/aa_cpl.h"
#include "tocsin/aa_regs.h"

/* DEC-9. */
bool aa_flush_match(const aa_flush_buf *f, uint64_t iova, unsigned iuid) {
  uint64_t want = (iova & AA_AA_FLP_PAGE_MASK) | (uint64_t)iuid << AA_AA_FLP_IUID_LSB | AA_AA_FLP_EN_MASK;
  bool hit = false;
  for (unsigned i = 0; i < f->pages; i++) hit = hit || f->page[i] == want;
  return hit;
}

/* TAG-8. */
unsigned aa_flush_pick(const aa_flush_buf *f, unsigned port) {
  unsigned i = 0, share = aa_share(f->waiters, f->ports);
  while (i < f->waiters && (f->waiter[i].live || !aa_share_has(share, f->ports, port, i))) i++;
  return i;
}

/* FLU-3. */
void aa_flush_answer(const aa_waiter *w, uint32_t cons, bool undone, tlp *t, uint8_t data[16]) {
  aa_cpl_header(w->hdr, true, TLP_SC, t->hdr);
  t->ndw = tlp_length(w->hdr);
  t->data = data;
  t->seq = w->seq;
  t->err = false;
  for (unsigned i = 0; i < t->ndw; i++) {
    bool upper = ((tlp_addr(w->hdr) >> 2) ^ i) & 1;
    le32_put(data + 4 * i, !upper ? cons : undone ? 0x80000000u : 0u);
  }
}
