// SPDX-License-Identifier: Apache-2.0
#include "pkt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  int k = snprintf(buf, n, "%s %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " seq %u%s, %" PRIu32 " DW",
                   tlp_type_name(tlp_type(p->hdr)), p->hdr[0], p->hdr[1], p->hdr[2], p->hdr[3], p->seq,
                   p->err ? " err" : "", p->ndw);
  for (uint32_t i = 0; i < 4 * p->ndw && i < 32 && k > 0 && (size_t)k + 4 < n; i++)
    k += snprintf(buf + k, n - (size_t)k, "%s%02x", i ? "" : ": ", p->data[i]);
  return buf;
}

bool pkt_same(const pkt *got, const pkt *want, const char **what) {
  bool four = got->hdr[0] >> 29 & 1;
  for (unsigned i = 0; i < (four ? 4 : 3); i++)
    if (got->hdr[i] != want->hdr[i]) {
      static const char *const name[] = {"header word 0", "header word 1", "header word 2", "header word 3"};
      *what = name[i];
      return false;
    }
  *what = got->seq != want->seq                                 ? "seq"
          : got->err != want->err                               ? "err"
          : got->ndw != want->ndw                               ? "payload length"
          : memcmp(got->data, want->data, 4 * (size_t)got->ndw) ? "payload"
                                                                : NULL;
  return !*what;
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
