// SPDX-License-Identifier: Apache-2.0
// One link between all nodes: every frame takes `delay` cycles; some are lost, doubled, overtaken or damaged.
#include <stdlib.h>
#include <string.h>

#include "net.h"

static frame *copy_of(net *w, const uint8_t *b, size_t k) {
  frame *f = calloc(1, sizeof *f);
  if (!f) abort();
  f->n = k;
  memcpy(f->b, b, k);
  (void)w;
  return f;
}

static void launch(net *w, frame *f, unsigned from, unsigned to, uint64_t due) {
  f->from = from;
  f->to = to;
  f->due = due;
  f->next = NULL;
  frame **p = &w->air[to];
  while (*p) p = &(*p)->next;
  *p = f;
  w->flying++;
}

// What a bad wire makes of a frame: bits turned, an end lost or grown, or a checksum that the MAC found wrong.
static void bend(net *w, frame *f) {
  unsigned how = rng_below(&w->rng, 8);
  size_t room = sizeof f->b - f->n;
  if (how == 0) {
    f->n -= 1 + rng_below(&w->rng, f->n > 60 ? 40 : 1);
  } else if (how == 1) {
    for (unsigned k = 1 + rng_below(&w->rng, 8); k-- && room--;) f->b[f->n++] = (uint8_t)rng_u64(&w->rng);
  } else if (how == 2) {
    f->fcs_bad = true;
  } else {
    for (unsigned k = 0; k < 1 + how % 3; k++)
      f->b[rng_below(&w->rng, (uint32_t)f->n)] ^= (uint8_t)(1u << rng_below(&w->rng, 8));
  }
}

static void remember(net *w, unsigned from, unsigned to, const uint8_t *b, size_t k) {
  unsigned i = w->last_n++ % 16;
  nic_self self = node_self(to);
  const uint8_t *pay;
  memset(&w->last[i].h, 0, sizeof w->last[i].h);
  nic_frame_parse(&self, b, k, false, &w->last[i].h, &pay);
  w->last[i].cycle = w->cycle;
  w->last[i].from = from;
  w->last[i].to = to;
  w->last[i].n = k;
}

void link_send(node *n, const uint8_t *b, size_t k) {
  net *w = n->net;
  net_link *l = &w->link;
  if (k < NIC_ETH_BYTES + NIC_BASE_BYTES + 4 || k > NIC_FRAME_MAX) {
    net_fail(w, "nic_tx", "node %u sends a frame of %zu bytes", n->id, k);
    return;
  }
  n->sent++;
  l->did.frames++;
  l->did.bytes += k;
  if (w->pcap.file) pcapng_frame(&w->pcap, n->id, w->cycle * 4, PCAPNG_OUT, b, k);
  if (w->out) {
    w->out(w->out_ctx, b, k);
    return;
  }
  uint64_t mac = 0;
  for (unsigned i = 0; i < 6; i++) mac = mac << 8 | b[i];
  unsigned to = (unsigned)(mac - node_mac(0));
  if (to >= w->nodes || to == n->id) {
    net_fail(w, "nic_tx", "node %u sends to MAC %012llx, where nobody is", n->id, (unsigned long long)mac);
    return;
  }
  remember(w, n->id, to, b, k);
  again_sent(n, &w->last[(w->last_n - 1) % 16].h);
  unsigned qp = b[nic_frame_bth(b, k) + 7];  // of the destination
  frame *f = copy_of(w, b, k);
  f->from = n->id;
  f->to = to;
  if (w->spy) w->spy(w, f);
  congest_passes(w, to, f->b, k);
  unsigned luck = rng_below(&w->rng, 1000);
  if (luck < l->drop || (luck >= l->drop + l->twice && luck < l->drop + l->twice + l->swap + l->bend)) w->harmed[qp]++;
  uint64_t due = w->cycle + l->delay;
  if (luck < l->drop) {
    l->did.dropped++;
    free(f);
    return;
  }
  luck -= l->drop;
  if (luck < l->twice) {
    l->did.twice++;
    w->doubled[qp]++;
    launch(w, copy_of(w, f->b, k), n->id, to, due + rng_below(&w->rng, l->late));
  } else if ((luck -= l->twice) < l->swap) {
    l->did.swapped++;
    due += rng_below(&w->rng, l->late);
  } else if ((luck -= l->swap) < l->bend) {
    l->did.bent++;
    bend(w, f);
    congest_bent(w, to, f->b, f->n);
  }
  launch(w, f, n->id, to, due);
}

void link_deliver(net *w, unsigned to, const uint8_t *b, size_t k, uint64_t after) {
  remember(w, to, to, b, k);
  launch(w, copy_of(w, b, k), to, to, w->cycle + after);
}

// To each node at most one frame a cycle: the oldest that is due. One that is not taken keeps its place.
void link_cycle(net *w) {
  for (unsigned to = 0; to < w->nodes; to++) {
    frame **p = &w->air[to];
    while (*p && (*p)->due > w->cycle) p = &(*p)->next;
    if (!*p || w->deaf >> to & 1 || !w->node[to].ops->take(&w->node[to], *p)) continue;
    frame *f = *p;
    *p = f->next;
    w->flying--;
    w->node[to].taken++;
    free(f);
  }
}

void link_wait(net *w, unsigned to, bool on) {
  w->deaf = (w->deaf & ~(1u << to)) | (unsigned)on << to;
  for (const frame *f = on ? NULL : w->air[to]; f; f = f->next)
    if (f->due <= w->cycle) w->harmed[f->b[nic_frame_bth(f->b, f->n) + 7]]++;
}

bool link_has(const net *w, unsigned a, unsigned b) {
  for (const frame *f = w->air[a]; f; f = f->next)
    if (f->from == b) return true;
  for (const frame *f = w->air[b]; f; f = f->next)
    if (f->from == a) return true;
  return false;
}

void link_free(net *w) {
  for (unsigned i = 0; i < NET_NODES; i++)
    for (frame *f = w->air[i], *next; f; f = next) {
      next = f->next;
      free(f);
    }
}
