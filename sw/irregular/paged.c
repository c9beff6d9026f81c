// SPDX-License-Identifier: Apache-2.0
// A store whose pages come from a file when they are wanted, and go back when there is no room.
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "paged_internal.h"

enum { LOG_BYTES = 1 << 18, BIG_PAGE = 1 << 21, WHILE_NS = 1000000 };
#define AT_DEFAULT (1ull << 44)

irr_status irr_i_paged_broken(const irr_paged *s) {
  if (s->broken == IRR_E_FILE) errno = s->why;
  return s->broken;
}

// ---- frames
static void give_frame(irr_paged *s, uint32_t k) {
  s->frame[k].taken = false;
  s->frame[k].next = s->spare;
  s->spare = k;
}

static uint32_t take_frame(irr_paged *s, uint64_t i) {
  const uint32_t k = s->spare;
  if (k == NO_FRAME) return k;
  s->spare = s->frame[k].next;
  s->frame[k].taken = true;
  s->frame[k].page = i;
  return k;
}

static void free_frame(irr_paged *s, uint64_t i) {
  paged_page *g = &s->page[i];
  if (paged_said(s, toc_place(s->p, paged_iova(s, i), NULL, 0))) return;
  give_frame(s, g->frame);
  g->frame = NO_FRAME;
  g->state = PAGE_ABSENT;
  g->queued = false;
  s->count.left++;
}

/* Its memory is as it was: nobody has to read it. */
static bool rescued(irr_paged *s, paged_page *g) {
  if (!g->wanted) return false;
  paged_ready(s, g);
  s->count.rescued++;
  return true;
}

static void begin_write(irr_paged *s, uint64_t i) {
  paged_page *g = &s->page[i];
  paged_frame *fr = &s->frame[g->frame];
  fr->job = (page_io_job){.write = true, .page = i, .memory = paged_memory(s, g->frame)};
  if (!irr_i_page_io_begin(s->io, &fr->job)) return;
  g->state = PAGE_LEAVING;
  s->leaving++;
}

/* Closed from here on; what was put before is in memory, and known. */
static void leave(irr_paged *s, uint64_t i) {
  paged_page *g = &s->page[i];
  g->wanted = false;
  if (irr_i_paged_shut(s, i, 1)) return;
  paged_ready(s, g);
  if (g->dirty)
    begin_write(s, i);
  else if (!rescued(s, g))
    free_frame(s, i);
}

/* Who has been told to come again has the time for it: a page that left before would be brought again and again. */
static bool expected(const irr_paged *s, const paged_page *g) {
  return !g->came && toc_now(s->f) - g->opened < WHILE_NS;
}

/* The page at which the hand points leaves, if it has not been used since the hand was there.
 * false: there is none that may. */
static bool make_room(irr_paged *s) {
  for (uint64_t n = 0; n < 2ull * s->frames && !s->broken; n++) {
    const uint32_t k = s->look;
    s->look = (k + 1) % s->frames;
    if (!s->frame[k].taken) return true;
    const uint64_t i = s->frame[k].page;
    paged_page *g = &s->page[i];
    if (g->state != PAGE_OPEN || g->holds || expected(s, g)) continue;
    if (!g->used) {
      leave(s, i);
      return true;
    }
    g->used = false;
    (void)irr_i_paged_tell(s, i);
  }
  return false;
}

// ---- progress
static void begin_read(irr_paged *s, uint64_t i, uint32_t k) {
  paged_page *g = &s->page[i];
  paged_frame *fr = &s->frame[k];
  fr->job = (page_io_job){.page = i, .memory = paged_memory(s, k)};
  if (!irr_i_page_io_begin(s->io, &fr->job)) {
    give_frame(s, k);
    return;
  }
  g->frame = k;
  g->state = PAGE_LOADING;
  g->dirty = false;
  g->queued = false;
  s->out++;
}

/* Room is made for as many as are wanted, and no more; and no page is closed that the file has no room for. */
static bool bring(irr_paged *s) {
  bool moved = false;
  while (s->out != s->in && !s->broken && irr_i_page_io_room(s->io)) {
    const uint64_t i = s->queue[s->out % s->pages];
    const uint32_t k = take_frame(s, i);
    if (k != NO_FRAME) {
      const uint64_t was = s->out;
      begin_read(s, i, k);
      if (s->out == was) break;
    } else if (s->leaving >= s->in - s->out || !make_room(s)) {
      break;
    }
    moved = true;
  }
  return moved;
}

static bool take_ended(irr_paged *s) {
  bool moved = false;
  for (page_io_job *j; (j = irr_i_page_io_ended(s->io)); moved = true) {
    paged_page *g = &s->page[j->page];
    if (j->error) {
      s->why = j->error;
      s->broken = IRR_E_FILE;
      return true;
    }
    if (j->write) {
      s->leaving--;
      s->count.written++;
      g->dirty = g->holds; /* who holds it may have written since, and may yet */
      if (g->state == PAGE_LEAVING && !rescued(s, g)) free_frame(s, j->page);
    } else {
      s->count.brought++;
      paged_ready(s, g);
      (void)paged_said(s, toc_place(s->p, paged_iova(s, j->page), paged_memory(s, g->frame), TOC_READ | TOC_WRITE));
    }
  }
  return moved;
}

/* And what is known of an open page it need not be asked again. */
static bool open_ready(irr_paged *s) {
  bool moved = false;
  uint32_t k = s->first;
  s->first = NO_FRAME;
  while (k != NO_FRAME && !s->broken) {
    paged_frame *fr = &s->frame[k];
    const paged_page *g = &s->page[fr->page];
    k = fr->then;
    fr->listed = false;
    if (!fr->taken) continue;
    if (g->state == PAGE_OPEN && (g->told_dirty != g->dirty || g->told_used != g->used))
      (void)irr_i_paged_tell(s, fr->page);
    if (g->state != PAGE_READY) continue;
    (void)irr_i_paged_try(s, fr->page);
    moved = true;
  }
  return moved;
}

irr_status irr_paged_poll(irr_paged *s, bool *moved) {
  if (!s) return IRR_E_ARG;
  const uint64_t was = s->count.wanted;
  bool did = false;
  if (!s->broken && toc_log_run(s->log, 0) != TOC_OK) s->broken = IRR_E_DRIVER;
  if (!s->broken) did |= take_ended(s);
  if (!s->broken) did |= open_ready(s);
  if (!s->broken) did |= bring(s);
  if (moved) *moved = did || s->count.wanted != was;
  return irr_i_paged_broken(s);
}

// ---- the owner's processor
irr_status irr_paged_hold(irr_paged *s, uint64_t offset, bool write, void **ptr) {
  if (!s || !ptr) return IRR_E_ARG;
  *ptr = NULL;
  if (offset / IRR_PAGE_BYTES >= s->pages) return IRR_E_RANGE;
  if (s->broken) return irr_i_paged_broken(s);
  const uint64_t i = offset / IRR_PAGE_BYTES;
  paged_page *g = &s->page[i];
  if (g->state != PAGE_OPEN) {
    g->asked = true;
    irr_i_paged_want(s, i);
    return IRR_BUSY;
  }
  g->holds++;
  g->used = g->came = true;
  g->dirty |= write;
  paged_look(s, g);
  *ptr = paged_memory(s, g->frame) + offset % IRR_PAGE_BYTES;
  return IRR_OK;
}

void irr_paged_let(irr_paged *s, uint64_t offset) { s->page[offset / IRR_PAGE_BYTES].holds--; }

/* What its owner holds was written in this round, and stays dirty. */
static bool unwritten(const irr_paged *s, const paged_page *g) {
  return g->dirty && !(g->holds && g->round == s->round);
}

/* And nothing can be brought: who holds it all is who calls. */
static bool all_held(const irr_paged *s) {
  for (uint32_t k = 0; k < s->frames; k++)
    if (!s->frame[k].taken || !s->page[s->frame[k].page].holds) return false;
  return true;
}

static bool puts_wait(const irr_paged *s) {
  for (uint64_t n = s->out; n != s->in; n++)
    if (s->page[s->queue[n % s->pages]].first) return true;
  return false;
}

static bool dirty(const irr_paged *s) {
  if (s->in != s->out && !all_held(s)) return true; /* puts wait for what is absent */
  for (uint32_t k = 0; k < s->frames; k++) {
    const paged_page *g = &s->page[s->frame[k].page];
    if (s->frame[k].taken && (unwritten(s, g) || g->state != PAGE_OPEN)) return true;
  }
  return false;
}

/* The system may have taken what it cannot write, and says so here. Of a file without name nobody asks. */
static void reach_device(irr_paged *s) {
  if (!s->named || s->kept == s->count.written) return;
  while (fdatasync(s->fd)) {
    if (errno == EINTR) continue;
    if (errno == EINVAL) break; /* it is nothing that could be asked for that */
    s->why = errno;
    s->broken = IRR_E_FILE;
    return;
  }
  s->kept = s->count.written;
}

/* A dirty page leaves, and is wanted at once: so it is written, and stays. false: not yet. */
static bool begun(irr_paged *s, uint32_t k) {
  const uint64_t i = s->frame[k].page;
  paged_page *g = &s->page[i];
  if (!s->frame[k].taken || !unwritten(s, g) || g->state == PAGE_LEAVING) return true;
  if (g->state != PAGE_OPEN || !irr_i_page_io_room(s->io)) return false;
  leave(s, i);
  g->wanted = true;
  if (g->state != PAGE_LEAVING) return false;
  g->round = s->round;
  return true;
}

static bool go_on(irr_paged *s) {
  (void)toc_progress(s->f);
  return irr_paged_poll(s, NULL) == IRR_OK;
}

irr_status irr_paged_sync(irr_paged *s) {
  if (!s) return IRR_E_ARG;
  s->round++;
  if (!s->broken) (void)irr_i_paged_drain(s);
  while (!s->broken && dirty(s)) {
    for (uint32_t k = 0; k < s->frames && !s->broken; k++)
      while (!begun(s, k) && go_on(s)) continue;
    (void)go_on(s);
  }
  if (!s->broken) reach_device(s);
  return !s->broken && puts_wait(s) ? IRR_BUSY : irr_i_paged_broken(s);
}

// ---- life
static irr_status begin(irr_paged *s, const irr_paged_options *o) {
  if (!s->page || !s->frame || !s->queue) return IRR_E_NOMEM;
  for (uint64_t i = 0; i < s->pages; i++) {
    s->page[i].last = &s->page[i].first;
    s->page[i].frame = NO_FRAME;
  }
  s->spare = s->first = NO_FRAME;
  for (uint32_t k = s->frames; k-- > 0;) give_frame(s, k);
  if ((s->fd = irr_i_page_file(o->file, o->direct)) < 0) return IRR_E_FILE;
  if (!(s->io = irr_i_page_io_open(s->fd, o->threads))) return IRR_E_NOMEM;
  if (toc_alloc(s->p, o->memory, TOC_READ | TOC_WRITE, (void **)&s->memory) != TOC_OK) return IRR_E_NOMEM;
  if (toc_log_open(s->p, &(toc_log_options){.bytes = LOG_BYTES}, &s->log) != TOC_OK) return IRR_E_DRIVER;
  if (irr_i_paged_shut(s, 0, s->pages)) return IRR_E_DRIVER;
  return paged_said(s,
                    toc_expose_iova(s->p, s->at, o->bytes, TOC_READ | TOC_WRITE | TOC_ATOMIC | TOC_PAGED, &s->remote));
}

irr_status irr_paged_open(toc_fabric *f, toc_proc *p, const irr_paged_options *o, irr_paged **out) {
  if (!f || !p || !o || !out) return IRR_E_ARG;
  *out = NULL;
  if (!o->bytes || o->bytes % IRR_PAGE_BYTES || o->memory % IRR_PAGE_BYTES || o->at % BIG_PAGE) return IRR_E_ARG;
  if (o->memory < 2 * IRR_PAGE_BYTES || o->memory / IRR_PAGE_BYTES >= NO_FRAME) return IRR_E_ARG;
  irr_paged *s = calloc(1, sizeof *s);
  if (!s) return IRR_E_NOMEM;
  s->p = p;
  s->f = f;
  s->at = o->at ? o->at : AT_DEFAULT;
  s->fd = -1;
  s->named = o->file;
  s->pages = o->bytes / IRR_PAGE_BYTES;
  s->frames = (uint32_t)(o->memory / IRR_PAGE_BYTES);
  s->page = calloc(s->pages, sizeof *s->page);
  s->frame = calloc(s->frames, sizeof *s->frame);
  s->queue = calloc(s->pages, sizeof *s->queue);
  const irr_status status = begin(s, o);
  if (status) {
    s->why = errno;
    s->broken = status;
    return irr_paged_close(s);
  }
  *out = s;
  return IRR_OK;
}

static void take_back(irr_paged *s) {
  if (s->log) {
    (void)!toc_associate_iova(s->p, s->at, s->pages * IRR_PAGE_BYTES, &(toc_rule){.put = TOC_BLOCK, .get = TOC_BLOCK});
    for (uint32_t k = 0; k < s->frames; k++)
      if (s->frame[k].taken) (void)!toc_place(s->p, paged_iova(s, s->frame[k].page), NULL, 0);
    (void)toc_dissociate(s->p, s->at, s->pages * IRR_PAGE_BYTES);
    (void)toc_log_close(s->log);
  }
  if (s->memory) (void)toc_free(s->p, s->memory);
}

irr_status irr_paged_close(irr_paged *s) {
  if (!s) return IRR_OK;
  if (s->remote.key) (void)toc_hide(s->p, s->remote);
  for (uint32_t k = 0; s->page && s->frame && k < s->frames; k++) s->page[s->frame[k].page].holds = 0;
  const irr_status status = irr_paged_sync(s);
  const int why = errno;
  irr_i_page_io_close(s->io);
  take_back(s);
  if (s->fd >= 0) (void)close(s->fd);
  for (uint64_t i = 0; s->page && i < s->pages; i++)
    for (late_put *l = s->page[i].first, *next; l; l = next) {
      next = l->next;
      free(l);
    }
  free(s->page);
  free(s->frame);
  free(s->queue);
  free(s);
  errno = why;
  return status;
}

toc_remote irr_paged_remote(const irr_paged *s) { return s->remote; }
uint64_t irr_paged_bytes(const irr_paged *s) { return s->pages * IRR_PAGE_BYTES; }
const char *irr_paged_io(const irr_paged *s) { return irr_i_page_io_name(s->io); }
irr_paged_counts irr_paged_count(const irr_paged *s) { return s->count; }
