// SPDX-License-Identifier: Apache-2.0
#include "pkt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/aa_lock.h"

pkt *pkt_new(uint32_t room) {
  pkt *p = malloc(sizeof *p + 4 * (size_t)room);
  if (!p) {
    fputs("cosim: out of memory\n", stderr);
    exit(3);
  }
  memset(p, 0, sizeof *p);
  p->room = room;
  return p;
}

void pkt_free(pkt *p) { free(p); }

pkt *pkt_from_tlp(const tlp *t) {
  pkt *p = pkt_new(t->ndw);
  memcpy(p->hdr, t->hdr, sizeof p->hdr);
  p->ndw = t->ndw;
  p->seq = t->seq;
  p->err = t->err;
  if (t->ndw) memcpy(p->data, t->data, 4 * (size_t)t->ndw);
  return p;
}

void pkt_tlp(const pkt *p, tlp *t) {
  memcpy(t->hdr, p->hdr, sizeof t->hdr);
  t->ndw = p->ndw;
  t->data = p->data;
  t->seq = p->seq;
  t->err = p->err;
}

const char *pkt_text(const pkt *p, char *buf, size_t n) {
  tlp t;
  pkt_tlp(p, &t);
  return aa_tlp_text(&t, buf, n);
}

void pktq_push(pktq *q, pkt *p) {
  p->next = NULL;
  if (q->tail)
    q->tail->next = p;
  else
    q->head = p;
  q->tail = p;
  q->n++;
}

pkt *pktq_pop(pktq *q) {
  pkt *p = q->head;
  if (!p) return NULL;
  q->head = p->next;
  if (!q->head) q->tail = NULL;
  q->n--;
  p->next = NULL;
  return p;
}

void pktq_clear(pktq *q) {
  while (q->head) pkt_free(pktq_pop(q));
}
