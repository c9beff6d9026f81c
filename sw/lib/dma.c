// SPDX-License-Identifier: Apache-2.0
// Memory that the device reaches. The hardware does not look whether two of its rings lie on one another, or a word that it writes in one
// of them (rtl/aa/README.md): here it is seen to, whatever a backend gives.
#include "internal.h"

toc_status toc_i_dma_alloc(toc_i_node *n, size_t bytes, size_t align, toc_dma *m) {
  const toc_backend *be = n->f->be;
  *m = (toc_dma){0};
  if (be->dma_alloc(n->f->self, n->rank, bytes, align, m) != TOC_OK) {
    *m = (toc_dma){0};
    return toc_i_fail(TOC_E_NOMEM, "node %u: no %zu bytes of memory left", n->rank, bytes);
  }
  const char *wrong = NULL;
  toc_status s = TOC_E_PLACE;
  if (m->bus % align || m->bytes < bytes)
    wrong = "not aligned, or too short";
  else if (m->bus >> BUS_BITS || m->bytes > (1ull << BUS_BITS) - m->bus)
    wrong = "beyond the device's 48 bits of address";
  else if (!toc_i_range_is_free(&n->bus, m->bus, m->bytes))
    wrong = "over memory that the device has already";
  if (wrong)
    (void)toc_i_fail(s, "node %u: the backend gives %zu bytes at %llx, %s", n->rank, m->bytes,
                     (unsigned long long)m->bus, wrong);
  else if (toc_i_range_take_at(&n->bus, m->bus, m->bytes))
    return TOC_OK;
  else
    s = toc_i_fail(TOC_E_NOMEM, "node %u: no memory to remember where its own is", n->rank);
  be->dma_free(n->f->self, n->rank, m);
  *m = (toc_dma){0};
  return s;
}

void toc_i_dma_free(toc_i_node *n, const toc_dma *m) {
  toc_i_range_give(&n->bus, m->bus, m->bytes);
  n->f->be->dma_free(n->f->self, n->rank, m);
}
