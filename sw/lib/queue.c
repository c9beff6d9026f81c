// SPDX-License-Identifier: Apache-2.0
// User-mode queues: the library's own, and those that others have made.
#include <stdlib.h>

#include "internal.h"

enum { BELL = 1024 }; /* of the doorbell, behind the queue's block */

static void queue_layout(toc_i_queue *q, uint64_t ring_bytes) {
  uint8_t *block = q->ring + ring_bytes;
  for (unsigned i = 0; i < q->o.packets; i++) q->ring[64 * i] = AQL_INVALID;
  q->v = (xtq_queue_view){.ring = q->ring,
                          .packets = q->o.packets,
                          .write_index = (volatile uint64_t *)(void *)(block + AQL_WRITE_INDEX),
                          .read_index = (volatile uint64_t *)(void *)(block + AQL_READ_INDEX),
                          .doorbell = (volatile uint64_t *)(void *)(block + BELL)};
}

static uint64_t ring_bytes(const toc_i_queue *q) { return toc_i_up(64ull * q->o.packets, PAGE); }

toc_status xtq_queue_open(toc_proc *h_p, const xtq_queue_options *o, xtq_queue **out) {
  xtq_queue_options with = o ? *o : (xtq_queue_options){0};
  void *ring;
  NEED(out);
  *out = NULL;
  OBJECT(proc, p);
  if (!with.packets) with.packets = 64;
  if (!toc_i_power(with.packets) || with.packets > 65536)
    return toc_i_fail(TOC_E_ARG, "xtq_queue_open: packets must be a power of two up to 65536, not %u", with.packets);
  toc_i_queue *q = calloc(1, sizeof *q);
  if (!q) return toc_i_fail(TOC_E_NOMEM, "xtq_queue_open: no memory");
  *q = (toc_i_queue){.p = p, .o = with, .log2 = toc_i_log2(with.packets)};
  toc_i_lock(p->n->f);
  q->h = toc_i_handle_new(TOC_I_queue, q);
  toc_status s = q->h ? toc_i_alloc(p, ring_bytes(q) + PAGE, TOC_READ | TOC_WRITE, true, &ring) : TOC_E_NOMEM;
  if (s == TOC_OK) {
    q->ring = ring;
    s = toc_i_local(p, ring, 1, 0, &q->iova);
    q->block = q->iova + ring_bytes(q);
    q->bell = q->block + BELL;
    queue_layout(q, ring_bytes(q));
    q->next = p->queues;
    p->queues = q;
    *out = q->h;
  } else {
    toc_i_handle_end(q->h);
    free(q);
  }
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_i_queue_close(toc_i_queue *q) {
  toc_i_proc *p = q->p;
  if (q->agent) TRY(toc_i_agent_close(q->agent));
  toc_status s = p->n->f->dead ? TOC_E_DEAD : toc_i_queue_forget(q);
  if (s == TOC_OK && !q->adopted) (void)toc_i_free(p, q->ring, true);
  for (toc_i_queue **at = &p->queues; *at; at = &(*at)->next)
    if (*at == q) {
      *at = q->next;
      break;
    }
  toc_i_handle_end(q->h);
  free(q);
  return s;
}

toc_status xtq_queue_close(xtq_queue *h_q) {
  OBJECT_TO_CLOSE(queue, q);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  toc_status s = toc_i_queue_close(q);
  toc_i_unlock(f);
  return s;
}

void xtq_queue_see(xtq_queue *h_q, xtq_queue_view *v) {
  if (!v) return;
  *v = (xtq_queue_view){0};
  OBJECT_OR(queue, q, );
  *v = q->v;
}

toc_status xtq_enqueue(xtq_queue *h_q, const void *packet) {
  OBJECT(queue, q);
  NEED(packet);
  const uint8_t *from = packet;
  uint32_t head;
  if (!q->o.multi) return toc_i_fail(TOC_E_ARG, "xtq_enqueue: the queue was opened for the NIC alone (multi)");
  memcpy(&head, from, 4);
  if ((head & 0xff) == AQL_INVALID) return toc_i_fail(TOC_E_ARG, "xtq_enqueue: the packet says that it is invalid");
  uint64_t w = toc_load(q->v.write_index);
  do { /* as the NIC: compare and swap, so that a full queue costs no slot */
    if (w - toc_load(q->v.read_index) >= q->o.packets) return toc_i_fail(TOC_E_FULL, "xtq_enqueue: the queue is full");
  } while (!__atomic_compare_exchange_n(q->v.write_index, &w, w + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  uint8_t *slot = q->ring + 64 * (w & (q->o.packets - 1));
  memcpy(slot + 4, from + 4, 60);
  __atomic_store_n((uint32_t *)(void *)slot, head, __ATOMIC_RELEASE);
  toc_store(q->v.doorbell, w);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  toc_i_kick(f); /* it may be an agent's */
  toc_i_unlock(f);
  return TOC_OK;
}

// ---- queues that others have made
/* Where devices see its parts. */
static toc_status parts(toc_i_proc *p, toc_i_queue *q) {
  const xtq_queue_view *v = &q->v;
  const void *word[3] = {(const void *)(uintptr_t)v->write_index, (const void *)(uintptr_t)v->read_index,
                         (const void *)(uintptr_t)v->doorbell};
  uint64_t at[3];
  TRY(toc_i_local(p, v->ring, toc_i_packet_bytes(v), TOC_READ | TOC_WRITE, &q->iova));
  if (q->iova % 64) return toc_i_fail(TOC_E_ALIGN, "xtq_queue_adopt: the ring is aligned to 64 bytes");
  for (unsigned i = 0; i < 3; i++) {
    TRY(toc_i_local(p, word[i], 8, TOC_READ | TOC_WRITE, &at[i]));
    if (at[i] % 8) return toc_i_fail(TOC_E_ALIGN, "xtq_queue_adopt: indices and doorbell are aligned to 8 bytes");
    for (unsigned k = 0; k < i; k++)
      if (at[k] == at[i]) return toc_i_fail(TOC_E_ARG, "xtq_queue_adopt: indices and doorbell are three words");
    if (toc_i_overlap(v->ring, toc_i_packet_bytes(v), word[i], 8))
      return toc_i_fail(TOC_E_ARG, "xtq_queue_adopt: an index or the doorbell lies in the ring");
  }
  if (at[1] - at[0] != AQL_READ_INDEX - AQL_WRITE_INDEX)
    return toc_i_fail(
        TOC_E_SUPPORT,
        "xtq_queue_adopt: the NIC finds read_index 72 bytes behind write_index, as in amd_queue_t, and not at %lld",
        (long long)(at[1] - at[0]));
  for (const toc_i_queue *o = p->queues; o; o = o->next)
    if (toc_i_overlap(o->ring, toc_i_packet_bytes(&o->v), v->ring, toc_i_packet_bytes(v)))
      return toc_i_fail(TOC_E_IN_USE, "xtq_queue_adopt: another queue has its ring there");
  q->block = at[0] - AQL_WRITE_INDEX;
  q->bell = at[2];
  return TOC_OK;
}

toc_status xtq_queue_adopt(toc_proc *h_p, const xtq_queue_view *v, const xtq_queue_options *o, xtq_queue **out) {
  NEED(out);
  *out = NULL;
  OBJECT(proc, p);
  NEED(v);
  NEED(v->ring);
  NEED(v->write_index);
  NEED(v->read_index);
  NEED(v->doorbell);
  xtq_queue_options with = o ? *o : (xtq_queue_options){0};
  if (!toc_i_power(v->packets) || v->packets > 65536 || (with.packets && with.packets != v->packets))
    return toc_i_fail(TOC_E_ARG, "xtq_queue_adopt: packets must be a power of two up to 65536, not %u", v->packets);
  with.packets = v->packets;
  toc_i_queue *q = calloc(1, sizeof *q);
  if (!q) return toc_i_fail(TOC_E_NOMEM, "xtq_queue_adopt: no memory");
  *q = (toc_i_queue){.p = p, .o = with, .log2 = toc_i_log2(with.packets), .adopted = true, .ring = v->ring, .v = *v};
  toc_i_lock(p->n->f);
  toc_status s = parts(p, q);
  if (s == TOC_OK && !(q->h = toc_i_handle_new(TOC_I_queue, q))) s = TOC_E_NOMEM;
  if (s == TOC_OK) {
    q->next = p->queues;
    p->queues = q;
    *out = q->h;
  } else {
    free(q);
  }
  toc_i_unlock(p->n->f);
  return s;
}

toc_status xtq_queue_of_hsa(const void *hsa_queue, xtq_queue_view *v, xtq_queue_options *o) {
  NEED(v);
  *v = (xtq_queue_view){0};
  NEED(o);
  *o = (xtq_queue_options){0};
  NEED(hsa_queue);
  aql_queue *q = (aql_queue *)(uintptr_t)hsa_queue;
  aql_signal *bell = (aql_signal *)(uintptr_t)q->doorbell_signal;
  if (q->type != AQL_QUEUE_MULTI && q->type != AQL_QUEUE_SINGLE)
    return toc_i_fail(TOC_E_SUPPORT, "xtq_queue_of_hsa: type %u; many producers (0) or one (1)", q->type);
  if (!bell) return toc_i_fail(TOC_E_ARG, "xtq_queue_of_hsa: the queue has no doorbell signal");
  if (bell->kind != AQL_SIGNAL_USER && bell->kind != AQL_SIGNAL_DOORBELL)
    return toc_i_fail(TOC_E_SUPPORT, "xtq_queue_of_hsa: its doorbell signal is of kind %lld, and not a word of 64 bits",
                      (long long)bell->kind);
  *v = (xtq_queue_view){.ring = (void *)(uintptr_t)q->base_address,
                        .packets = q->size,
                        .write_index = &q->write_dispatch_id,
                        .read_index = &q->read_dispatch_id,
                        .doorbell = bell->kind == AQL_SIGNAL_USER ? (volatile uint64_t *)&bell->value
                                                                  : (volatile uint64_t *)(uintptr_t)bell->value};
  o->multi = q->type == AQL_QUEUE_MULTI;
  return TOC_OK;
}
