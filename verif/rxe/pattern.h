// SPDX-License-Identifier: Apache-2.0
/* What both sides know: byte i of the pattern of a seed, and how frames go. */
#ifndef RXE_PATTERN_H
#define RXE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

enum { PATH_IP6 = 1, PATH_VLAN = 2, PATHS = 4 }; /* over IPv6, behind a tag */

static inline uint8_t pattern_byte(uint32_t seed, size_t i) {
  uint32_t v = ((uint32_t)i + 1) * 0x9e3779b1u ^ seed * 0x85ebca6bu;
  v ^= v >> 15;
  v *= 0x2c1b3c6du;
  return (uint8_t)(v >> 24);
}

static inline void pattern_fill(uint8_t *at, size_t n, uint32_t seed) {
  for (size_t i = 0; i < n; i++) at[i] = pattern_byte(seed, i);
}

/* The first byte that differs; n: none. */
static inline size_t pattern_differs(const uint8_t *at, size_t n, uint32_t seed) {
  size_t i = 0;
  while (i < n && at[i] == pattern_byte(seed, i)) i++;
  return i;
}

#endif
