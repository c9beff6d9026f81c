// SPDX-License-Identifier: Apache-2.0
#include "mail.h"

#include <stdlib.h>
#include <string.h>

#define TRY(x)                       \
  do {                               \
    toc_status try_ = (x);           \
    if (try_ != TOC_OK) return try_; \
  } while (0)

typedef enum part_kind { ONE_WAY, ASKED, ANSWER } part_kind;
typedef struct head {
  uint32_t from, bytes;  // of the message, with this
} head;
typedef struct part {
  uint16_t kind, bytes;  // of the arguments behind it, which are padded to 8
  uint32_t status;       // of an answer
} part;

static uint32_t padded(uint32_t bytes) { return (bytes + 7) / 8 * 8; }

// ---- life -----------------------------------------------------------------------------------------------------------

static toc_status post(mail_rank *r) {
  uint8_t *at = r->pool + (size_t)(r->posted % MAIL_BUFFERS) * MAIL_BYTES;
  TRY(toc_recv_post(r->p, at, MAIL_BYTES, MAIL_BYTES, NULL));
  r->posted++;
  return TOC_OK;
}

static toc_status lane_open(mail *m, unsigned from, unsigned to) {
  mail_lane *l = &m->rank[from].to[to];
  if (from < to) TRY(toc_connect(m->rank[from].p, m->rank[to].p, &l->qp, &m->rank[to].to[from].qp));
  l->used = sizeof(head);
  return toc_alloc(m->rank[from].p, MAIL_SLOTS * MAIL_BYTES, TOC_READ | TOC_WRITE, (void **)&l->slots);
}

toc_status mail_open(mail *m, toc_fabric *f, toc_proc *const *p, unsigned ranks, bool single) {
  *m = (mail){.f = f, .ranks = ranks, .single = single, .rank = calloc(ranks, sizeof *m->rank)};
  if (!m->rank) return TOC_E_NOMEM;
  for (unsigned i = 0; i < ranks; i++) {
    mail_rank *r = &m->rank[i];
    r->p = p[i];
    if (!(r->to = calloc(ranks, sizeof *r->to))) return TOC_E_NOMEM;
    TRY(toc_alloc(r->p, MAIL_BUFFERS * MAIL_BYTES, TOC_READ | TOC_WRITE, (void **)&r->pool));
    while (r->posted < MAIL_BUFFERS) TRY(post(r));
  }
  for (unsigned i = 0; i < ranks; i++)
    for (unsigned to = 0; to < ranks; to++)
      if (to != i) TRY(lane_open(m, i, to));
  return TOC_OK;
}

void mail_close(mail *m) {
  for (unsigned i = 0; i < m->ranks && m->rank; i++) free(m->rank[i].to);
  free(m->rank);
  m->rank = NULL;
}

// ---- out ------------------------------------------------------------------------------------------------------------

static toc_status lane_flush(mail *m, unsigned from, unsigned to) {
  mail_lane *l = &m->rank[from].to[to];
  uint8_t *slot = l->slots + (size_t)l->turn * MAIL_BYTES;
  if (l->used == sizeof(head)) return TOC_OK;
  memcpy(slot, &(head){from, l->used}, sizeof(head));
  TRY(toc_send(l->qp, slot, l->used, &l->req[l->turn]));
  l->sent[l->turn] = true;
  m->sent++;
  m->n.messages++;
  m->n.aggregates++;
  m->n.bytes += l->used;
  l->turn = (l->turn + 1) % MAIL_SLOTS;
  l->used = sizeof(head);
  return TOC_OK;
}

// The slot that is to be filled is free: it has gone, and its request has not failed.
static toc_status lane_ready(mail_lane *l, bool *ready) {
  *ready = true;
  if (!l->sent[l->turn]) return TOC_OK;
  if (!(*ready = toc_done(l->req[l->turn]))) return TOC_OK;
  l->sent[l->turn] = false;
  return toc_wait(l->req[l->turn], 0);
}

static toc_status lane_add(mail *m, unsigned from, unsigned to, const part *p, const void *args) {
  mail_lane *l = &m->rank[from].to[to];
  const uint32_t need = (uint32_t)sizeof *p + padded(p->bytes);
  bool ready = false;
  if (l->used + need > MAIL_BYTES) TRY(lane_flush(m, from, to));
  for (;;) {
    TRY(lane_ready(l, &ready));
    if (ready) break;
    TRY(mail_poll(m));
  }
  uint8_t *at = l->slots + (size_t)l->turn * MAIL_BYTES + l->used;
  memcpy(at, p, sizeof *p);
  if (p->bytes) memcpy(at + sizeof *p, args, p->bytes);
  l->used += need;
  m->n.parts++;
  return m->single || p->kind != ONE_WAY ? lane_flush(m, from, to) : TOC_OK;
}

static irr_status run(const mail *m, unsigned at, const irr_arrival *a, irr_answer *answer) {
  const irr_function *f = &m->rank[at].function;
  *answer = (irr_answer){.bytes = 8};
  return f->run(f->ctx, a, answer);
}

toc_status mail_send(mail *m, unsigned from, const irr_delegate *d) {
  irr_answer answer;
  if (d->to == from) {
    (void)run(m, from, &(irr_arrival){.from = from, .args = d->args, .bytes = d->bytes}, &answer);
    return TOC_OK;
  }
  m->n.delegates++;
  return lane_add(m, from, d->to, &(part){.kind = ONE_WAY, .bytes = (uint16_t)d->bytes}, d->args);
}

toc_status mail_ask(mail *m, unsigned from, const irr_delegate *d) {
  m->n.delegates++;
  m->rank[from].asked = *d;
  m->rank[from].asks = true;
  return lane_add(m, from, d->to, &(part){.kind = ASKED, .bytes = (uint16_t)d->bytes}, d->args);
}

toc_status mail_flush(mail *m) {
  for (unsigned i = 0; i < m->ranks; i++)
    for (unsigned to = 0; to < m->ranks; to++)
      if (to != i) TRY(lane_flush(m, i, to));
  return TOC_OK;
}

// ---- in -------------------------------------------------------------------------------------------------------------

static void answered(mail_rank *r, irr_status s, const uint8_t *bytes, uint32_t n) {
  const irr_delegate d = r->asked;
  uint64_t value = 0;
  if (!r->asks) return;
  r->asks = false;
  memcpy(&value, bytes, n < sizeof value ? n : sizeof value);
  if (d.into) memcpy(d.into, bytes, n < d.into_bytes ? n : d.into_bytes);
  if (d.status) *d.status = s;
  d.done(d.arg, value);
}

static void take_part(mail *m, unsigned at, unsigned from, const part *p, const uint8_t *args) {
  irr_answer answer;
  if (p->kind == ANSWER) {
    answered(&m->rank[at], (irr_status)p->status, args, p->bytes);
    return;
  }
  const irr_status s = run(m, at, &(irr_arrival){.from = from, .args = args, .bytes = p->bytes}, &answer);
  if (p->kind == ONE_WAY) return;
  mail_lane *back = &m->rank[at].to[from];  // it asks for one at a time, so there is room; mail_poll sends it
  back->owes = true;
  back->owed_status = s;
  back->owed_bytes = answer.bytes;
  memcpy(back->owed, answer.word, answer.bytes);
}

static toc_status take(mail *m, unsigned at, const uint8_t *bytes, uint32_t n) {
  head h;
  if (n < sizeof h) return TOC_E_INVALID;
  memcpy(&h, bytes, sizeof h);
  if (h.bytes != n || h.from >= m->ranks) return TOC_E_INVALID;
  for (uint32_t i = sizeof h; i < n;) {
    part p;
    if (n - i < sizeof p) return TOC_E_INVALID;
    memcpy(&p, bytes + i, sizeof p);
    i += (uint32_t)sizeof p;
    if (n - i < padded(p.bytes)) return TOC_E_INVALID;
    take_part(m, at, h.from, &p, bytes + i);
    i += padded(p.bytes);
  }
  return TOC_OK;
}

static toc_status look(mail *m, unsigned at, bool *some) {
  mail_rank *r = &m->rank[at];
  toc_event e;
  const toc_status s = toc_event_next(r->p, &e, 1);
  *some = s == TOC_OK;
  if (s == TOC_E_TIMEOUT) return TOC_OK;
  if (s != TOC_OK) return s;
  if (e.kind == TOC_EVENT_BUFFER) r->used_up++;
  if (e.kind == TOC_EVENT_RECV) {
    TRY(e.status == TOC_RECV_PLAIN ? take(m, at, e.ptr, e.bytes) : TOC_E_INVALID);
    r->came++;
    m->taken++;
  }
  // Messages and buffers come in order: the oldest buffer is ours again when both have been said of it.
  const uint32_t done = r->came < r->used_up ? r->came : r->used_up;
  return r->posted - done < MAIL_BUFFERS ? post(r) : TOC_OK;
}

static toc_status pay(mail *m, unsigned at) {
  for (unsigned to = 0; to < m->ranks; to++) {
    mail_lane *l = &m->rank[at].to[to];
    bool ready;
    if (!l->owes) continue;
    TRY(lane_ready(l, &ready));
    if (!ready || l->used != sizeof(head)) continue;
    l->owes = false;
    TRY(lane_add(m, at, to, &(part){.kind = ANSWER, .bytes = (uint16_t)l->owed_bytes, .status = l->owed_status},
                 l->owed));
  }
  return TOC_OK;
}

toc_status mail_poll(mail *m) {
  if (m->inside) return TOC_E_IN_USE;
  m->inside = true;
  (void)toc_progress(m->f);
  toc_status s = TOC_OK;
  for (unsigned i = 0; i < m->ranks && s == TOC_OK; i++) {
    bool some = true;
    while (some && s == TOC_OK) s = look(m, i, &some);
    if (s == TOC_OK) s = pay(m, i);
  }
  m->inside = false;
  return s;
}

bool mail_is_idle(const mail *m) {
  for (unsigned i = 0; i < m->ranks; i++)
    for (unsigned to = 0; to < m->ranks; to++) {
      const mail_lane *l = &m->rank[i].to[to];
      if (to != i && (l->owes || l->used != sizeof(head))) return false;
    }
  for (unsigned i = 0; i < m->ranks; i++)
    if (m->rank[i].asks) return false;
  return m->sent == m->taken;
}
