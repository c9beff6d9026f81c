// SPDX-License-Identifier: Apache-2.0
// What the tests of nic_rx and nic_tx share: random heads, heads as the hardware's struct.
// Include after the block's _tb.h.
#ifndef TOCSIN_NIC_WIRE_H
#define TOCSIN_NIC_WIRE_H

#include "aa_fields.h"
#include "tocsin/nic_frame.h"

#include <string.h>

enum { BEAT_BYTES = NIC_K_DataW / 8 };

static const uint8_t nic_opcodes[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                      0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13,
                                      0x14, 0x16, 0x17, 0x1c, 0x1d, 0xc6, 0xc7, 0xc8, 0xca};

// But for the peer's address. `X(field of nic_head, FIELD of head_t, peer_t or tx_head_t)`
#define NIC_PEER_FIELDS(X) \
  X(mac, MAC)              \
  X(tag, TAG)              \
  X(tci, TCI)              \
  X(port, PORT)            \
  X(pkey, PKEY)            \
  X(qp, QP)
#define NIC_TX_FIELDS(X) \
  X(opcode, OPCODE)      \
  X(se, SE)              \
  X(ack_req, ACK_REQ)    \
  X(psn, PSN)            \
  X(bytes, BYTES)
#define NIC_EXT_FIELDS(X) \
  X(va, VA)               \
  X(rkey, RKEY)           \
  X(length, LENGTH)       \
  X(imm, IMM)             \
  X(swap, SWAP)           \
  X(compare, COMPARE)     \
  X(syndrome, SYNDROME)   \
  X(msn, MSN)             \
  X(xtq_kind, XTQ_KIND)   \
  X(xtq_proc, XTQ_PROC)   \
  X(xtq_args, XTQ_ARGS)   \
  X(xtq_pay, XTQ_PAY)
#define NIC_HEAD_FIELDS(X) NIC_PEER_FIELDS(X) NIC_TX_FIELDS(X) NIC_EXT_FIELDS(X) X(ce, CE)

// The peer's address as the hardware has it: IPv4 as ::ffff:a.b.c.d.
static inline nic_ip6 nic_head_ip(const nic_head *h) { return h->v6 ? h->ip6 : (nic_ip6){0, 0xffffull << 32 | h->ip}; }

// What nic_tx gets of it: the head, and the peer.
static inline void nic_tx_words(const nic_head *h, uint32_t *words) {
  memset(words, 0, (NIC_TX_HEAD_T_W + 31) / 32 * 4);
#define X(f, F) bits_set(words, NIC_TX_HEAD_T_##F##_LSB, NIC_TX_HEAD_T_##F##_W, (uint64_t)h->f);
  NIC_TX_FIELDS(X)
#undef X
  // The extension, from the frame that the model builds of it: behind Ethernet, IPv4, UDP and BTH.
  static const uint8_t none[NIC_PAYLOAD_MAX];
  uint8_t frame[NIC_FRAME_MAX];
  nic_head plain = *h;
  nic_self me = {0};
  plain.v6 = false, plain.tag = false, plain.tci = 0, plain.bytes = 0;
  nic_frame_build(&me, &plain, none, frame);
  const uint8_t *ext = frame + 14 + 20 + 8 + 12;
  const int size = nic_ext_bytes(h->opcode);
  for (int i = 0; i < size && i < 28; i++)
    bits_set(words, NIC_TX_HEAD_T_EXT_LSB + 32 * (unsigned)(i / 4) + 8 * (3 - (unsigned)i % 4), 8, ext[i]);
}
static inline void nic_peer_words(const nic_head *h, uint32_t *words) {
  memset(words, 0, (NIC_PEER_T_W + 31) / 32 * 4);
#define X(f, F) bits_set(words, NIC_PEER_T_##F##_LSB, NIC_PEER_T_##F##_W, (uint64_t)h->f);
  NIC_PEER_FIELDS(X)
#undef X
  nic_ip6 ip = nic_head_ip(h);
  bits_set(words, NIC_PEER_T_IP_LSB, 64, ip.lo);
  bits_set(words, NIC_PEER_T_IP_LSB + 64, 64, ip.hi);
  bits_set(words, NIC_PEER_T_V6_LSB, 1, h->v6);
}

static inline void nic_head_check(tb *t, const uint32_t *words, const nic_head *h, unsigned n) {
#define X(f, F)                                                                                                \
  CHECK_EQ(t, bits_get(words, NIC_HEAD_T_##F##_LSB, NIC_HEAD_T_##F##_W), h->f, "head %u, opcode %02x: " #f, n, \
           h->opcode);
  NIC_HEAD_FIELDS(X)
#undef X
  nic_ip6 ip = nic_head_ip(h);
  CHECK_EQ(t, bits_get(words, NIC_HEAD_T_IP_LSB, 64), ip.lo, "head %u, opcode %02x: ip", n, h->opcode);
  CHECK_EQ(t, bits_get(words, NIC_HEAD_T_IP_LSB + 64, 64), ip.hi, "head %u, opcode %02x: ip", n, h->opcode);
}

// All fields random, whether the opcode has them or not; of each address family, with a tag and without.
static inline nic_head nic_head_random(tb *t, uint8_t opcode, unsigned bytes) {
  nic_head h;
#define X(f, F) h.f = (__typeof__(h.f))rnd_bits(t, NIC_HEAD_T_##F##_W);
  NIC_HEAD_FIELDS(X)
#undef X
  h.v6 = rnd_chance(t, 50);
  h.ip = h.v6 ? 0 : (uint32_t)rnd(t);
  h.ip6 = h.v6 ? (nic_ip6){rnd(t), rnd(t)} : (nic_ip6){0, 0};
  if (!h.tag) h.tci = 0;
  h.opcode = opcode;
  h.bytes = (uint16_t)bytes;
  return h;
}

// A length that is often at a border: of a word, of a beat, of what is allowed.
static inline unsigned nic_bytes_random(tb *t) {
  switch (rnd_below(t, 6)) {
    case 0: return 0;
    case 1: return (unsigned)rnd_below(t, 2 * BEAT_BYTES + 2);
    case 2: return 64;
    case 3: return (unsigned)(BEAT_BYTES * rnd_below(t, 5) + rnd_below(t, 9)) % 4097;
    case 4: return rnd_chance(t, 20) ? 4096 - (unsigned)rnd_below(t, 5) : 256;
    default: return (unsigned)rnd_below(t, rnd_chance(t, 10) ? 4097 : 300);
  }
}

#endif
