// SPDX-License-Identifier: Apache-2.0
// The floods: what a frame of each is, and how much it may bring.
#include "flood.h"

// The peer answers what it has seen, what it will see next (decided on, and not sent: none of these is under way), or
// what has never been thought of, a window away.
static uint32_t oldest(const flood *f) {
  uint32_t a = f->oldest[0][f->k->qp / EACH];
  return ahead(f->next[0][f->k->qp / EACH], a) > 0 ? a : psn_at(a, -1);
}
static uint32_t newest(const flood *f) { return psn_at(f->next[0][f->k->qp / EACH], -1); }
static int32_t dice(flood *f, int32_t n) { return (int32_t)rng_below(&f->w->rng, (uint32_t)n); }

static void nak_oldest(flood *f, nic_head *h) { h->psn = oldest(f), h->syndrome = NIC_SYN_NAK; }
static void nak_next(flood *f, nic_head *h) {
  uint32_t *a = &f->oldest[0][f->k->qp / EACH];
  if (ahead(newest(f), *a) > 0) *a = psn_at(*a, 1);
  nak_oldest(f, h);
}
static void ack_old(flood *f, nic_head *h) { h->psn = psn_at(oldest(f), -BEYOND - dice(f, 64)); }
static void ack_new(flood *f, nic_head *h) { h->psn = newest(f); }
static void ack_next(flood *f, nic_head *h) { h->psn = psn_at(newest(f), 1 + dice(f, UNDER_WAY)); }
static void ack_future(flood *f, nic_head *h) { h->psn = psn_at(newest(f), BEYOND + dice(f, 64)); }
static void nak_any(flood *f, nic_head *h) {
  if (dice(f, 8))
    h->psn = psn_at(oldest(f), dice(f, ahead(newest(f), oldest(f)) + 17) - 16);
  else
    ack_future(f, h);
  h->syndrome = NIC_SYN_NAK;
}
static void nak_access(flood *f, nic_head *h) { h->psn = oldest(f), h->syndrome = NIC_SYN_NAK | 2; }
static void rnr(flood *f, nic_head *h) { h->psn = oldest(f), h->syndrome = NIC_SYN_RNR | 1; }
static void answer(flood *f, nic_head *h) { ack_new(f, h), h->opcode = NIC_OP_READ_ONLY, h->bytes = PAYLOAD; }

static void before(flood *f, nic_head *h) { h->psn = psn_at(FAR_FIRST, -1 - (int32_t)rng_below(&f->w->rng, 64)); }
static void dup_write(flood *f, nic_head *h) {
  before(f, h), h->opcode = NIC_OP_WRITE_ONLY, h->length = h->bytes = PAYLOAD;
}
static void dup_send(flood *f, nic_head *h) { before(f, h), h->opcode = NIC_OP_SEND_ONLY; }
static void dup_read(flood *f, nic_head *h) {
  h->psn = psn_at(FAR_FIRST, -READ_BYTES / MTU - (int32_t)rng_below(&f->w->rng, 64));
  h->opcode = NIC_OP_READ_REQ;
  h->length = READ_BYTES;
}
static void dup_atomic(flood *f, nic_head *h) {
  h->psn = f->atomic, h->opcode = NIC_OP_FETCH_ADD, h->va = far_at(PEER, ADD), h->swap = 1;
}
static void skips(flood *f, nic_head *h) {
  h->psn = psn_at(f->next[1][f->k->qp / EACH], 200 + (int32_t)rng_below(&f->w->rng, 64));
  h->opcode = NIC_OP_WRITE_ONLY;
  h->length = h->bytes = PAYLOAD;
}
static void bad_key(flood *f, nic_head *h) { dup_write(f, h), h->psn = FAR_FIRST, h->rkey ^= 0x100; }
static void cnp(flood *f, nic_head *h) { h->psn = (uint32_t)dice(f, 1 << 24), h->opcode = NIC_OP_CNP; }
static void marked_ack(flood *f, nic_head *h) { ack_old(f, h), h->ce = true; }
static void marked_write(flood *f, nic_head *h) { dup_write(f, h), h->ce = true; }
static void no_op(flood *f, nic_head *h) { (void)f, h->psn = FAR_FIRST, h->opcode = NIC_OP_FLUSH; }

// At the wire's rate nobody gets more out of us than goes in, but for three things. An ACK or NAK has 62 bytes, 2 more
// than the shortest frame (ANSWER). A duplicate read brings its data again (READS). And a NAK of a PSN not asked for
// yet, or an answer that passes a read by, asks for all that is under way behind it: it is what a peer sends that has
// lost a packet. Each PSN is asked for once: at the wire's rate there is time for the packet that is asked for
// (PACKET), and one frame at a time, with time for a window (WINDOW, of PEER or of MUTE) between, is answered by more.
#define ANSWERED \
  { 1, ANSWER }
#define READS \
  { READ_BYTES / MTU, READ_BYTES + READ_BYTES / MTU *(ANSWER + 3) }
#define WINDOW \
  { UNDER_WAY * 5 / KINDS, UNDER_WAY / KINDS *(LONG + SHORT) + UNDER_WAY * 5 / KINDS * 120 }
#define PACKET \
  { 1, SHORT + 100 }
#define MUTE_WINDOW \
  { UNDER_WAY, UNDER_WAY *(SHORT + 100) }
#define ITSELF \
  { 0, 0 }
const kind flood_kinds[] = {
    {"NAK 0 of the oldest PSN", MUTE, nak_oldest, ITSELF, ITSELF},
    {"NAK 0 of the oldest PSN, good traffic", PEER, nak_oldest, ITSELF, WINDOW},
    {"NAK 0 of any PSN", PEER, nak_any, ITSELF, WINDOW},
    {"NAK 0 of ever newer PSNs", MUTE, nak_next, PACKET, MUTE_WINDOW},
    {"NAK 2", MUTE, nak_access, ITSELF, ITSELF},
    {"RNR NAK", MUTE, rnr, ITSELF, ITSELF},
    {"RNR NAK, good traffic", PEER, rnr, ITSELF, WINDOW},
    {"ACK of old PSNs", PEER, ack_old, ITSELF, ITSELF},
    {"ACK of the newest PSN", PEER, ack_new, ITSELF, WINDOW},
    {"ACK of the next PSNs", PEER, ack_next, ITSELF, WINDOW},
    {"ACK of PSNs not sent", PEER, ack_future, ITSELF, ITSELF},
    {"answers to no read", PEER, answer, ITSELF, WINDOW},
    {"duplicate writes", PEER, dup_write, ITSELF, ITSELF},
    {"duplicate SENDs", PEER, dup_send, ANSWERED, ANSWERED},
    {"duplicate atomics", PEER, dup_atomic, ITSELF, ITSELF},
    {"requests ahead", PEER, skips, ITSELF, ITSELF},
    {"bad keys", MUTE, bad_key, ITSELF, ITSELF},
    {"operations of nobody's", MUTE, no_op, ANSWERED, ANSWERED},
    {"CNPs", MUTE, cnp, ITSELF, ITSELF},
    {"marked ACKs", PEER, marked_ack, ITSELF, ITSELF},
    {"marked duplicate writes", PEER, marked_write, ITSELF, ITSELF},
    {"duplicate reads", PEER, dup_read, READS, READS},
};
const unsigned flood_kind_count = sizeof flood_kinds / sizeof *flood_kinds;
