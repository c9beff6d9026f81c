// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_tag_buf.h"

#include <string.h>

void aa_tag_buf_init(aa_tag_buf *b, unsigned entries) {
  memset(b, 0, sizeof *b);
  b->entries = entries;
  for (unsigned i = 0; i < 256; i++) b->bucket[i] = AA_TAG_NONE;
  b->free = entries;
  for (unsigned i = 0; i < entries; i++) b->stack[i] = (uint16_t)(entries - 1 - i);
}

void aa_tag_release(aa_tag_buf *b, unsigned i) {
  aa_tag *t = &b->tag[i];
  uint16_t *p = &b->bucket[aa_tag_hash(t->key)];
  while (*p != i) p = &b->tag[*p].next;
  *p = t->next;
  t->live = false;
  b->old -= t->old;
  t->old = false;
  if (i < AA_TAG_MAX && b->free < b->entries) b->stack[b->free++] = (uint16_t)i;
  b->used--;
}

void aa_tag_mark_old(aa_tag_buf *b) {
  b->old = 0;
  for (unsigned i = 0; i < b->entries; i++) {
    b->tag[i].old = b->tag[i].live;
    b->old += b->tag[i].live;
  }
}
