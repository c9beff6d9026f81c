// SPDX-License-Identifier: Apache-2.0
// The board on which everything that was asked for is written up: what of it is still to come.
#include <stdlib.h>

#include "sw.h"

uint8_t score_payload(unsigned s, uint32_t seq, uint32_t k) { return (uint8_t)(s * 31 + seq * 7 + k * 13 + (k >> 8)); }

bool sw_busy(const net *w) {
  const board *s = board_of(w);
  if (s->left || s->logs_left) return true;
  for (unsigned i = 0; i < s->streams; i++)
    if (s->s[i].ended != s->s[i].posted) return true;
  for (unsigned i = 0; i < w->nodes; i++) {
    const node *n = &w->node[i];
    for (unsigned l = 0; l < SW_LOGS; l++)
      if (n->sw->log[l].waits || n->sw->log[l].runs) return true;
    if (n->active && n->active->busy(n)) return true;
  }
  return false;
}

uint64_t sw_ended(const net *w) { return board_of(w)->ended; }

void sw_free(node *n) {
  free(n->sw);
  n->sw = NULL;
  board *s = n->id ? NULL : board_of(n->net);
  if (!s) return;
  for (unsigned i = 0; i < s->streams; i++) {
    free(s->s[i].put);
    free(s->s[i].imm_may);
    free(s->s[i].mail);
  }
  free(s->s);
  free(s);
  n->net->user = NULL;
}
