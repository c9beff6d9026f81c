// SPDX-License-Identifier: Apache-2.0
// A hash of a word, and its inverse (splitmix64): what the programs' random numbers, keys and places come from.
#ifndef TOCSIN_APP_MIX_H
#define TOCSIN_APP_MIX_H

#include <stdint.h>

static inline uint64_t app_mix(uint64_t v) {
  v += 0x9e3779b97f4a7c15;
  v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
  v = (v ^ v >> 27) * 0x94d049bb133111eb;
  return v ^ v >> 31;
}

static inline uint64_t app_unmix(uint64_t v) {
  v = (v ^ v >> 31 ^ v >> 62) * 0x319642b2d24d8ec3;
  v = (v ^ v >> 27 ^ v >> 54) * 0x96de1b173f119089;
  return (v ^ v >> 30 ^ v >> 60) - 0x9e3779b97f4a7c15;
}
#endif
