// SPDX-License-Identifier: Apache-2.0
// Pages that ring: what the log says of them, and how one is opened while peers put into it.
//
// Opening must lose no put and must not let an older one overwrite a younger one. What came before waits in the log,
// what comes after goes to memory; in between lies the moment in which the I/O tables change. So a page is opened in
// two steps. First for puts, each of which is told of: if the log then says of no put that it waited, all is applied,
// and gets may follow. Otherwise it is closed again; now the log has both kinds in their order, and of those that
// waited is applied what no later one has covered.
#include <stdlib.h>
#include <string.h>

#include "paged_internal.h"

static toc_rule rule(irr_paged *s, unsigned put, unsigned get) {
  return (toc_rule){.put = put, .get = get, .log = s->log, .handler = irr_i_paged_rang, .arg = s};
}

// ---- records
void irr_i_paged_want(irr_paged *s, uint64_t i) {
  paged_page *g = &s->page[i];
  g->wanted = true;
  if (g->queued || g->state != PAGE_ABSENT) return;
  g->queued = true;
  s->queue[s->in++ % s->pages] = i;
}

static void keep(irr_paged *s, paged_page *g, const toc_access *a, bool waits) {
  late_put *l = malloc(sizeof *l + (waits ? a->bytes : 0));
  if (!l) {
    s->broken = IRR_E_NOMEM;
    return;
  }
  *l = (late_put){.at = (uint32_t)(a->addr % IRR_PAGE_BYTES), .bytes = (uint32_t)a->bytes, .waits = waits};
  if (waits) memcpy(l->data, a->data, a->bytes);
  *g->last = l;
  g->last = &l->next;
}

void irr_i_paged_rang(void *arg, const toc_access *a) {
  irr_paged *s = arg;
  const uint64_t i = (a->addr - s->at) / IRR_PAGE_BYTES;
  if (i >= s->pages) return;
  paged_page *g = &s->page[i];
  g->used = true;
  if (g->state == PAGE_OPEN) paged_look(s, g);
  if (!a->denied) {
    g->came = true;
    g->dirty |= a->kind != TOC_GET;
    if (g->state == PAGE_OPENING && a->kind != TOC_GET) keep(s, g, a, false);
    return;
  }
  s->count.wanted++;
  if (a->kind == TOC_PUT && a->data && !a->aborted && !a->poisoned) keep(s, g, a, true);
  g->asked |= a->kind != TOC_PUT;
  irr_i_paged_want(s, i);
}

irr_status irr_i_paged_drain(irr_paged *s) {
  toc_log_state is;
  if (toc_log_inspect(s->log, &is) != TOC_OK) return s->broken = IRR_E_DRIVER;
  const uint32_t until = is.reserved;
  while (!s->broken && (int32_t)(is.consumer - until) < 0) {
    if (toc_log_run(s->log, 0) != TOC_OK) s->broken = IRR_E_DRIVER;
    if (toc_log_inspect(s->log, &is) != TOC_OK) s->broken = IRR_E_DRIVER;
    if ((int32_t)(is.consumer - until) < 0) (void)toc_progress(s->f);
  }
  if (is.lost || is.stopped) s->broken = IRR_E_DRIVER;
  return s->broken;
}

// ---- what has waited
static bool some(const paged_page *g, bool waits) {
  const late_put *l = g->first;
  while (l && l->waits != waits) l = l->next;
  return l;
}

/* Of a put that waited, the bytes that none behind it has covered: those went to memory. */
static void apply_uncovered(const late_put *l, uint8_t *memory) {
  bool covered[IRR_PAGE_BYTES] = {false};
  for (const late_put *o = l->next; o; o = o->next)
    if (!o->waits) memset(covered + o->at, true, o->bytes);
  for (uint32_t k = 0; k < l->bytes; k++)
    if (!covered[l->at + k]) memory[l->at + k] = l->data[k];
}

void irr_i_paged_apply(irr_paged *s, paged_page *g) {
  uint8_t *memory = paged_memory(s, g->frame);
  const bool covers = some(g, false); /* only while the page was being opened, and then few have waited */
  for (late_put *l = g->first, *next; l; l = next) {
    next = l->next;
    if (l->waits && covers)
      apply_uncovered(l, memory);
    else if (l->waits)
      memcpy(memory + l->at, l->data, l->bytes);
    s->count.applied += l->waits;
    g->dirty = true;
    free(l);
  }
  g->first = NULL;
  g->last = &g->first;
}

// ---- what pages say
irr_status irr_i_paged_shut(irr_paged *s, uint64_t first, uint64_t n) {
  const toc_rule shut = rule(s, TOC_REDIRECT, TOC_BLOCK | TOC_COUNT);
  const irr_status t = paged_said(s, toc_associate_iova(s->p, paged_iova(s, first), n * IRR_PAGE_BYTES, &shut));
  return t ? t : irr_i_paged_drain(s);
}

irr_status irr_i_paged_tell(irr_paged *s, uint64_t i) {
  paged_page *g = &s->page[i];
  g->told_dirty = g->dirty;
  g->told_used = g->used;
  if (g->dirty && g->used) return paged_said(s, toc_dissociate(s->p, paged_iova(s, i), IRR_PAGE_BYTES));
  const toc_rule open = rule(s, g->dirty ? TOC_SEE_NOTHING : TOC_COUNT, g->used ? TOC_SEE_NOTHING : TOC_COUNT);
  return paged_said(s, toc_associate_iova(s->p, paged_iova(s, i), IRR_PAGE_BYTES, &open));
}

irr_status irr_i_paged_try(irr_paged *s, uint64_t i) {
  paged_page *g = &s->page[i];
  const toc_rule opening = rule(s, TOC_COUNT, TOC_BLOCK | TOC_COUNT);
  if (irr_i_paged_drain(s)) return s->broken;
  irr_i_paged_apply(s, g);
  g->state = PAGE_OPENING;
  if (paged_said(s, toc_associate_iova(s->p, paged_iova(s, i), IRR_PAGE_BYTES, &opening))) return s->broken;
  if (irr_i_paged_drain(s)) return s->broken;
  if (some(g, true)) {
    if (irr_i_paged_shut(s, i, 1)) return s->broken;
    irr_i_paged_apply(s, g);
    paged_ready(s, g);
    s->count.reopened++;
    return IRR_OK;
  }
  irr_i_paged_apply(s, g);
  g->state = PAGE_OPEN;
  g->used = !g->asked; /* otherwise the first one who comes is told of */
  g->came = !g->asked;
  g->asked = g->wanted = false;
  g->opened = toc_now(s->f);
  return irr_i_paged_tell(s, i);
}
