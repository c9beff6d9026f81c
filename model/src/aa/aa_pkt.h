// SPDX-License-Identifier: Apache-2.0
/* Packets that somebody owes, for aa_lock and aa_snoop: queues of copies, and what differs between two. */
#ifndef TOCSIN_AA_PKT_H
#define TOCSIN_AA_PKT_H

#include <stdlib.h>
#include <string.h>

#include "tocsin/tlp.h"

typedef struct pkt {
  struct pkt *next;
  tlp t;
  uint64_t when;   /* aa_snoop: the cycle in which it came, */
  uint32_t posted; /* and how many posted ones of its port came before */
  uint8_t data[];
} pkt;
typedef struct pktq {
  pkt *head, *tail;
  uint32_t popped, pushed; /* ever */
} pktq;

/* NULL: out of memory. */
static inline pkt *pktq_push(pktq *q, const tlp *t) {
  pkt *p = malloc(sizeof *p + 4 * (size_t)t->ndw);
  if (!p) return NULL;
  memset(p, 0, sizeof *p);
  p->t = *t;
  p->t.data = p->data;
  if (t->ndw) memcpy(p->data, t->data, 4 * (size_t)t->ndw);
  if (q->tail)
    q->tail->next = p;
  else
    q->head = p;
  q->tail = p;
  q->pushed++;
  return p;
}

static inline void pktq_drop(pktq *q) {
  pkt *p = q->head;
  q->head = p->next;
  if (!q->head) q->tail = NULL;
  q->popped++;
  free(p);
}

static inline void pktq_clear(pktq *q) {
  while (q->head) pktq_drop(q);
}

/* NULL: the same; otherwise what differs. */
static inline const char *tlp_unlike(const tlp *got, const tlp *want) {
  static const char *const word[] = {"header word 0", "header word 1", "header word 2", "header word 3"};
  for (unsigned i = 0; i < ((got->hdr[0] & 0x20000000u) ? 4u : 3u); i++)
    if (got->hdr[i] != want->hdr[i]) return word[i];
  if (got->seq != want->seq) return "seq";
  if (got->err != want->err) return "err";
  if (got->ndw != want->ndw) return "payload length";
  return got->ndw && memcmp(got->data, want->data, 4 * (size_t)got->ndw) ? "payload" : NULL;
}

/* A report of several lines: what differs, field by field, and both packets. False: nothing does. */
bool tlp_difference(const tlp *got, const tlp *want, char *buf, size_t n);

#endif
