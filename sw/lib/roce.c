// SPDX-License-Identifier: Apache-2.0
// A NIC's frame and the packet that the kernel makes of it: other headers, and the ICRC that goes with them, without
// looking at the rest. A CRC is linear, so the difference of two ICRCs is the CRC (from 0) of the difference of the two
// packets. What was broken stays as broken as it was.
#include "roce.h"

#include <string.h>

#include "frames.h"
#include "tocsin/nic_frame.h"

enum { ETH = 14, UDP = 8 };

// ---- words as polynomials modulo that of CRC-32, the coefficient of x^0 on top, as Ethernet has it
#define POLY 0xedb88320u
#define ONE 0x80000000u
#define X 0x40000000u
#define X_INVERSE 0xdb710641u /* times X: 1 */

static uint32_t mul_x(uint32_t a) { return a >> 1 ^ (a & 1 ? POLY : 0); }

static uint32_t mul(uint32_t a, uint32_t b) {
  uint32_t p = 0;
  for (; a; a <<= 1, b = mul_x(b))
    if (a & ONE) p ^= b;
  return p;
}

static uint32_t power(uint32_t a, size_t n) {
  uint32_t p = ONE;
  for (; n; n >>= 1, a = mul(a, a))
    if (n & 1) p = mul(p, a);
  return p;
}

/* X to the power of 8 n: what n bytes do to the CRC of what is in front of them. */
static uint32_t behind_of(size_t n) {
  static const uint32_t square[13] = {0x00800000, 0x00008000, 0xedb88320, 0xb1e6b092, 0xa06a2517,
                                      0xed627dae, 0x88d14467, 0xd7bbfe6a, 0xec447f11, 0x8e7ea170,
                                      0x6427800e, 0x4d47bae0, 0x09fe548f}; /* of 8, 16, 32 ... 8 << 12 */
  uint32_t p = ONE;
  for (unsigned i = 0; i < 13; i++)
    if (n >> i & 1) p = p == ONE ? square[i] : mul(p, square[i]);
  return n >> 13 ? mul(p, power(X, 8 * (n >> 13 << 13))) : p;
}

/* What becomes of the ICRC when `head` bytes of headers become others, with `behind` bytes between
 * them and it: XOR this. */
static uint32_t change(const uint8_t *was, const uint8_t *is, size_t head, size_t behind) {
  uint32_t crc = 0;
  for (size_t i = 0; i < head; i++) {
    crc ^= (uint32_t)(was[i] ^ is[i]);
    if (!crc) continue;
    for (unsigned k = 0; k < 8; k++) crc = mul_x(crc);
  }
  return crc ? mul(crc, behind_of(behind)) : 0;
}

/* The 4 bytes, `behind` bytes in front of the ICRC, whose change makes this difference; the first lowest. */
static uint32_t cause_of(uint32_t difference, size_t behind) {
  return difference ? mul(difference, power(X_INVERSE, 8 * (4 + behind))) : 0;
}

// ---- headers
static size_t ip_bytes(const roce_end *own) { return own->v6 ? 40 : 20; }

size_t toc_i_roce_head(const roce_end *own) { return ETH + ip_bytes(own) + UDP; }

static uint32_t le32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void resum(uint8_t *icrc, uint32_t difference) {
  for (unsigned i = 0; i < 4; i++) icrc[i] ^= (uint8_t)(difference >> 8 * i);
}

void toc_i_roce_sent(const roce_end *own, uint8_t *frame, size_t n, uint16_t to) {
  uint8_t was[40 + UDP], *ip = frame + ETH;
  size_t head = ip_bytes(own) + UDP;
  memcpy(was, ip, head);
  memcpy(ip + (own->v6 ? 8 : 12), own->ip, own->v6 ? 16 : 4);
  toc_i_put_be(ip + head - UDP, 2, own->port);
  toc_i_put_be(ip + head - UDP + 2, 2, to);
  resum(frame + n - 4, change(was, ip, head, n - 4 - ETH - head));
}

/* A peer that is no link=udp counts its packets in IP's identification, of which no socket tells us: it is the one with
 * which the ICRC is right, if there is one, with DF or without. */
static void identify(uint8_t *ip, size_t n) {
  uint32_t cause = cause_of(le32(ip + n - 4) ^ nic_icrc(ip, n - 4), n - 4 - 8);
  if (cause >> 16 != 0 && cause >> 16 != 0x40) return;
  for (unsigned i = 0; i < 3; i++) ip[4 + i] ^= (uint8_t)(cause >> 8 * i);
}

void toc_i_roce_came(const roce_end *own, const roce_end *from, uint8_t tos, bool any_id, uint8_t *frame, size_t n) {
  uint8_t *ip = frame + ETH, *p = ip + ip_bytes(own), sent[UDP];
  memset(frame, 0, toc_i_roce_head(own));
  toc_i_put_be(frame, 6, ROCE_MAC(own->port));
  toc_i_put_be(frame + 6, 6, ROCE_MAC(from->port));
  toc_i_put_be(frame + 12, 2, own->v6 ? 0x86dd : 0x0800);
  if (own->v6) {
    toc_i_put_be(ip, 2, 0x6000u | (unsigned)tos << 4);
    toc_i_put_be(ip + 4, 4, (uint64_t)(UDP + n) << 16 | 17 << 8 | 64);
    memcpy(ip + 8, from->ip, 16);
    memcpy(ip + 24, own->ip, 16);
  } else {
    ip[0] = 0x45;
    ip[1] = tos;
    toc_i_put_be(ip + 2, 2, 20 + UDP + n);
    toc_i_put_be(ip + 6, 4, 0x40004011);
    memcpy(ip + 12, from->ip, 4);
    memcpy(ip + 16, own->ip, 4);
  }
  toc_i_put_be(p, 2, from->port);
  toc_i_put_be(p + 2, 2, ROCE_PORT);
  toc_i_put_be(p + 4, 2, UDP + n);
  memcpy(sent, p, UDP);
  toc_i_put_be(sent + 2, 2, own->port);
  uint8_t *icrc = p + UDP + n - 4;
  resum(icrc, change(sent, p, UDP, n - 4));
  if (own->v6) return;
  if (any_id) identify(ip, (size_t)(icrc + 4 - ip));
  toc_i_put_be(ip + 10, 2, toc_i_ip4_sum(ip));
}
