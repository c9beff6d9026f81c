// SPDX-License-Identifier: Apache-2.0
#include "player.h"

#include <math.h>
#include <string.h>

#include "tocsin/aa_log.h"

enum { HALF = NODE_LOG_BYTES / 2 };

player player_new(const run *r, net *n, net_proc *p, const player_does *does, void *own) {
  return (player){.does = does, .r = r, .n = n, .p = p, .s = &n->share[p->id], .own = own, .line = UINT64_MAX};
}

// ---- time -----------------------------------------------------------------------------------------------------------

void player_spend(player *d) {
  net_spend(d->owe);
  d->owe = 0;
}

void player_post(player *d, unsigned slot, unsigned to, net_frame f) {
  d->owe += 2 * d->n->c->step + d->n->c->doorbell;
  player_spend(d);
  f.slot = slot;
  f.to = to;
  net_send(d->n, d->p, &f);
}

void player_load(player *d, uint64_t at) {
  d->owe += at / PLAYER_LINE == d->line ? d->n->c->step : d->n->c->mem;
  d->line = at / PLAYER_LINE;
}

static double news_due(const player *d, player_ear ear) {
  const net_proc *p = d->p;
  bool waits = ear == PLAYER_HALF && d->left;
  for (unsigned i = p->first; ear != PLAYER_DEAF && i != p->next; i++) {
    const net_news *e = &p->news[i % p->news_size];
    if (!waits || (e->kind == NET_LOG && e->end - p->read >= HALF)) return e->when;
  }
  return INFINITY;
}

void player_wait(player *d, player_ear ear) {
  player_spend(d);
  net_wait(d->p, fmin(news_due(d, ear), net_slot_due(d->p)));
}

// ---- what comes -----------------------------------------------------------------------------------------------------

bool player_news(player *d, double now, net_news *e) {
  net_proc *p = d->p;
  if (p->first == p->next || p->news[p->first % p->news_size].when > now) return false;
  *e = p->news[p->first++ % p->news_size];
  return true;
}

static void read_log(player *d) {
  net_proc *p = d->p;
  d->owe += d->n->c->mem;  // the pointer
  while (p->read != d->seen) {
    const uint8_t *at = p->ring + p->read % NODE_LOG_BYTES;
    uint64_t info;
    memcpy(&info, at + 8, sizeof info);
    player_load(d, p->read);
    unsigned kind = aa_entry_kind(info);
    if (kind == AA_ENTRY_PUT || kind == AA_ENTRY_GET) d->does->record(d, at);
    p->read += aa_entry_bytes(info);
  }
  d->owe += d->n->c->doorbell;
  net_log_done(d->n, p);
}

// True: it had something to do.
static bool serve(player *d) {
  unsigned messages = 0;
  double now = net_now();
  net_news e;
  while (player_news(d, now, &e)) {
    if (e.kind == NET_LOG) d->seen = e.end;
    if (e.kind != NET_MSG) continue;
    messages++;
    d->p->got++;
    d->does->message(d, e.end);
  }
  if (messages) {
    d->owe += 2 * d->n->c->doorbell;  // buffers posted, events taken
    net_read(d->n, d->p);
  } else if (d->does->looks) {
    d->owe += d->n->c->step;
  }
  uint32_t unread = d->seen - d->p->read;
  bool reads = d->does->record && (unread >= HALF || (!d->left && unread));
  if (reads) read_log(d);
  return messages || reads;
}

// ---- what it does itself --------------------------------------------------------------------------------------------

bool player_ends(player *d) {
  bool any = false;
  for (unsigned i = 0; i < NET_WINDOW; i++) {
    double *ready = &d->p->slot[i].ready;
    if (*ready <= 0 || *ready > net_now()) continue;
    *ready = 0;
    d->does->over(d, i);
    any = true;
  }
  return any;
}

unsigned player_unused(const player *d) {
  unsigned found = NET_WINDOW;
  for (unsigned i = 0; i < d->r->window; i++)
    if (!d->under[i] && (found == NET_WINDOW || d->does->highest)) found = i;
  return found;
}

static bool unfinished(const player *d) { return d->left || d->busy || d->done < d->expected; }

void player_play(player *d) {
  while (unfinished(d)) {
    bool any = d->does->ear != PLAYER_DEAF && serve(d);
    any |= player_ends(d);
    unsigned slot = player_unused(d);
    if (d->left && slot < NET_WINDOW) any |= d->does->begin(d, slot);
    if (!any && unfinished(d))  // what was to begin may have been nothing, and the last
      player_wait(d, d->does->ear);
    else if (!d->does->defers)
      player_spend(d);
  }
}
