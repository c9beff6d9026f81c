// SPDX-License-Identifier: Apache-2.0
// Boxes, which take the replies of peers, and the replies.
#include <stdlib.h>

#include "internal.h"

static void on_reply(void *arg, const toc_access *a) {
  toc_i_box *b = arg;
  uint64_t slot = (a->addr - b->iova) / 8;
  if (!a->data || a->bytes != 8 || a->addr % 8 || slot >= b->slots) return;
  uint64_t v = toc_i_get(a->data, 8);
  if (v > toc_load(&b->value[slot])) toc_store(&b->value[slot], v); /* they only grow */
}

static toc_status box_make(toc_i_box *b) {
  static const toc_log_options o = {.bytes = 16384, .automatic = true};
  toc_i_proc *p = b->p;
  TRY(toc_i_log_open(p, &o, &b->log));
  b->log->own = true;
  if (!toc_i_range_take(&p->space, b->bytes, PAGE, &b->iova))
    return toc_i_fail(TOC_E_NOMEM, "toc_box_open: no address");
  TRY(toc_i_rule_set(
      p, b->iova, b->bytes,
      &(toc_i_rule){.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = b->log, .handler = on_reply, .arg = b}));
  return toc_i_expose(p, b->iova, b->bytes, TOC_WRITE, &b->where);
}

toc_status toc_i_box_close(toc_i_box *b) {
  toc_i_proc *p = b->p;
  toc_status s = TOC_OK;
  if (b->where.key) (void)toc_i_hide(p, b->where);
  b->where.key = 0;
  if (b->log) s = toc_i_log_close(b->log, 0, true);
  for (toc_i_box **at = &p->boxes; *at; at = &(*at)->next)
    if (*at == b) {
      *at = b->next;
      break;
    }
  if (b->iova) toc_i_range_give(&p->space, b->iova, b->bytes);
  toc_i_handle_end(b->h);
  free(b->value);
  free(b);
  return s;
}

toc_status toc_box_open(toc_proc *h_p, unsigned slots, toc_box **out, toc_remote *where) {
  NEED(out);
  *out = NULL;
  NEED(where);
  *where = (toc_remote){0, 0};
  OBJECT(proc, p);
  if (!slots || slots > 1u << 20) return toc_i_fail(TOC_E_ARG, "toc_box_open: %u slots", slots);
  toc_i_lock(p->n->f);
  toc_status s = TOC_OK;
  toc_i_box *b = calloc(1, sizeof *b);
  uint64_t *value = calloc(slots, sizeof *value);
  if (!b || !value) {
    free(b);
    free(value);
    s = toc_i_fail(TOC_E_NOMEM, "toc_box_open: no memory");
  } else {
    *b = (toc_i_box){.next = p->boxes, .p = p, .slots = slots, .bytes = toc_i_up(8ull * slots, PAGE), .value = value};
    p->boxes = b;
    b->h = toc_i_handle_new(TOC_I_box, b);
    s = b->h ? box_make(b) : TOC_E_NOMEM;
    if (s == TOC_OK) {
      *out = b->h;
      *where = b->where;
    } else {
      (void)toc_i_box_close(b);
    }
  }
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_box_close(toc_box *h_b) {
  OBJECT_TO_CLOSE(box, b);
  toc_i_fabric *f = b->p->n->f;
  toc_i_lock(f);
  toc_status s = toc_i_box_close(b);
  toc_i_unlock(f);
  return s;
}

uint64_t toc_box_value(toc_box *h_b, unsigned slot) {
  OBJECT_OR(box, b, 0);
  if (slot >= b->slots) return 0;
  toc_i_lock(b->p->n->f);
  (void)toc_i_log_run(b->log, 0, NULL);
  uint64_t v = toc_load(&b->value[slot]);
  toc_i_unlock(b->p->n->f);
  return v;
}

typedef struct box_wait {
  toc_i_box *b;
  unsigned slot;
  uint64_t least;
} box_wait;

static bool reached(void *ctx) {
  const box_wait *w = ctx;
  return toc_load(&w->b->value[w->slot]) >= w->least;
}

toc_status toc_box_wait(toc_box *h_b, unsigned slot, uint64_t least, uint64_t timeout_us) {
  OBJECT(box, b);
  box_wait w = {b, slot, least};
  toc_i_fabric *f = b->p->n->f;
  if (slot >= b->slots) return toc_i_fail(TOC_E_ARG, "toc_box_wait: slot %u of %u", slot, b->slots);
  toc_i_lock(f);
  toc_status s = toc_i_wait(f, reached, &w, timeout_us, true);
  toc_i_unlock(f);
  return s;
}

// ---- replies: the value goes into the bytes behind the request's own ring, one place for each entry of the ring
toc_status toc_reply(toc_qp *h_q, toc_remote box, unsigned slot, uint64_t done) {
  OBJECT(qp, q);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  uint64_t iova = 0;
  toc_status s = toc_i_room(q);
  uint8_t *at = q->ring + 64 * (size_t)q->o.entries + 8 * (q->posted & (q->o.entries - 1));
  if (s == TOC_OK) s = toc_i_local(q->p, at, 8, TOC_READ, &iova);
  if (s == TOC_OK) {
    toc_i_put(at, 8, done);
    s = toc_i_post(q, &(toc_wqe){.op = OP_WRITE, .va1 = iova, .len1 = 8, .far = toc_at(box, 8ull * slot)}, NULL);
  }
  toc_i_unlock(f);
  return s;
}
