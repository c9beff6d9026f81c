// SPDX-License-Identifier: Apache-2.0
// Bits of pins, which Verilator keeps as little-endian bytes: one, up to 64, and the strobes of a beat.
#ifndef TOCSIN_COSIM_BITS_H
#define TOCSIN_COSIM_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool bit(const uint8_t *p, unsigned i) { return p[i >> 3] >> (i & 7) & 1; }

static inline void bit_put(uint8_t *p, unsigned i, bool v) {
  p[i >> 3] = (uint8_t)((p[i >> 3] & ~(1u << (i & 7))) | (unsigned)v << (i & 7));
}

static inline uint64_t bits(const uint8_t *p, unsigned lo, unsigned w) {
  uint64_t v = 0;
  unsigned first = lo >> 3, sh = lo & 7, n = (sh + w + 7) / 8;
  for (unsigned i = 0; i < n && i < 8; i++) v |= (uint64_t)p[first + i] << (8 * i);
  v >>= sh;
  if (n == 9) v |= (uint64_t)p[first + 8] << (64 - sh);
  return w == 64 ? v : v & ((1ULL << w) - 1);
}

// strobes of a port's beat: 4, 8 or 16 bits
static inline uint32_t strb_get(const uint8_t *p, unsigned port, unsigned n) { return (uint32_t)bits(p, port * n, n); }

static inline void strb_put(uint8_t *p, unsigned port, unsigned n, uint32_t v) {
  if (n >= 8)
    memcpy(p + port * n / 8, &v, n / 8);
  else
    p[port >> 1] = (uint8_t)((p[port >> 1] & (port & 1 ? 0x0F : 0xF0)) | (port & 1 ? v << 4 : v));
}
#endif
