// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_tag_buf.h"

#include <string.h>

/* TAG-7. */
void aa_tag_buf_init(aa_tag_buf *b, unsigned entries, unsigned ports) {
  memset(b, 0, sizeof *b);
  b->entries = entries;
  for (unsigned i = 0; i < entries; i++) b->tag[i].home = (uint16_t)i;
  for (unsigned i = 0; i < 256; i++) b->bucket[i] = AA_TAG_NONE;
  b->ports = ports;
  b->share = aa_share(entries, ports);
  for (unsigned p = 0; p <= AA_TAG_PORTS; p++) {
    unsigned own = p < ports ? b->share : p < AA_TAG_PORTS ? 0 : entries - b->share * ports;
    unsigned first = p < ports ? p * b->share : b->share * ports;
    b->pool[p] = (struct aa_tag_pool){(uint16_t)first, (uint16_t)(first + own), (uint16_t)(first + own)};
    for (unsigned i = 0; i < own; i++) b->stack[first + i] = (uint16_t)(first + own - 1 - i);
  }
}

void aa_tag_release(aa_tag_buf *b, unsigned i) {
  aa_tag *t = &b->tag[i];
  uint16_t *p = &b->bucket[aa_tag_hash(t->key)];
  while (*p != i) p = &b->tag[*p].next;
  *p = t->next;
  t->live = false;
  b->old -= t->old;
  t->old = false;
  struct aa_tag_pool *own = &b->pool[t->port],
                     *pool = t->home < own->end && t->home >= own->first ? own : &b->pool[AA_TAG_PORTS];
  if (t->home != AA_TAG_NONE && pool->top < pool->end) b->stack[pool->top++] = t->home;
  b->used_by[t->port]--;
}

/* TAG-9. */
void aa_tag_kill(aa_tag_buf *b, unsigned i) {
  aa_tag *t = &b->tag[i];
  t->dead = true;
  b->old -= t->old;
  t->old = false;
}

void aa_tag_mark_old(aa_tag_buf *b) {
  b->old = 0;
  for (unsigned i = 0; i < b->entries; i++) {
    b->tag[i].old = b->tag[i].live && !b->tag[i].dead;
    b->old += b->tag[i].old;
  }
}
