// SPDX-License-Identifier: Apache-2.0
// What is where in the address space of a process: mappings and rules, looked up.
#include "internal.h"

toc_mapping *toc_i_mapping_at(toc_i_proc *p, uint64_t iova) {
  size_t lo = 0, hi = p->maps;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (p->map[mid].iova + p->map[mid].bytes <= iova)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < p->maps && p->map[lo].iova <= iova ? &p->map[lo] : NULL;
}

toc_mapping *toc_i_mapping_of(toc_i_proc *p, const void *ptr, uint64_t bytes) {
  const uint8_t *b = ptr;
  toc_mapping *found = NULL;
  for (size_t i = 0; i < p->maps; i++) {
    toc_mapping *m = &p->map[i];
    if (b < m->ptr || b >= m->ptr + m->bytes || bytes > (uint64_t)(m->ptr + m->bytes - b)) continue;
    if (!found || m->owner) found = m; /* where it was allocated, rather than a second address */
  }
  return found;
}

toc_status toc_i_local(toc_i_proc *p, const void *ptr, uint64_t bytes, unsigned rights, uint64_t *iova) {
  toc_mapping *m = toc_i_mapping_of(p, ptr, bytes);
  *iova = 0;
  if (!m)
    return toc_i_fail(TOC_E_RANGE, "%llu bytes at %p are not in memory of process %u", (unsigned long long)bytes, ptr,
                      p->index);
  if (rights & ~m->rights)
    return toc_i_fail(TOC_E_RANGE, "memory at %p: devices may not %s it", ptr, m->rights & TOC_READ ? "write" : "read");
  *iova = m->iova + (uint64_t)((const uint8_t *)ptr - m->ptr);
  return TOC_OK;
}

toc_rule_range *toc_i_rule_at(toc_i_proc *p, uint64_t iova) {
  size_t lo = 0, hi = p->rules;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (p->rule[mid].iova + p->rule[mid].bytes <= iova)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < p->rules && p->rule[lo].iova <= iova ? &p->rule[lo] : NULL;
}
