// SPDX-License-Identifier: Apache-2.0
/* Little-endian words in memory, and how to treat hot and cold code. */
#ifndef TOCSIN_LE_H
#define TOCSIN_LE_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint32_t le32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline uint64_t le64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline void le32_put(uint8_t *p, uint32_t v) { memcpy(p, &v, sizeof v); }
static inline void le64_put(uint8_t *p, uint64_t v) { memcpy(p, &v, sizeof v); }
#else
static inline uint32_t le32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t le64(const uint8_t *p) { return le32(p) | (uint64_t)le32(p + 4) << 32; }

static inline void le32_put(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
  p[2] = (uint8_t)(v >> 16);
  p[3] = (uint8_t)(v >> 24);
}

static inline void le64_put(uint8_t *p, uint64_t v) {
  le32_put(p, (uint32_t)v);
  le32_put(p + 4, (uint32_t)(v >> 32));
}
#endif

/* For what is on the way of every access: worth a copy at each place of use. */
#ifdef __GNUC__
#define AA_HOT inline __attribute__((always_inline))
#define AA_APART __attribute__((noinline))
#define AA_RARE __attribute__((noinline, cold))
#else
#define AA_HOT inline
#define AA_APART
#define AA_RARE
#endif

#endif
