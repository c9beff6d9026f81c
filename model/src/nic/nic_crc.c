// SPDX-License-Identifier: Apache-2.0
#include "nic_crc.h"

#include <string.h>

#include "../le.h"

/* CRC-32, reflected, eight bytes at a time. Row n says what becomes of a byte when n others have come behind it. The
 * CRC is linear, so a row is made of what becomes of its eight bits. */
#define BIT(n, b, v) ((n) >> (b)&1 ? (v) : 0u)
#define ONE(n, ...) LIN(n, __VA_ARGS__)
#define LIN(n, a, b, c, d, e, f, g, h) \
  BIT(n, 0, a) ^ BIT(n, 1, b) ^ BIT(n, 2, c) ^ BIT(n, 3, d) ^ BIT(n, 4, e) ^ BIT(n, 5, f) ^ BIT(n, 6, g) ^ BIT(n, 7, h)
#define FOUR(n, ...) ONE(n, __VA_ARGS__), ONE(n + 1, __VA_ARGS__), ONE(n + 2, __VA_ARGS__), ONE(n + 3, __VA_ARGS__)
#define SIXTEEN(n, ...) \
  FOUR(n, __VA_ARGS__), FOUR(n + 4, __VA_ARGS__), FOUR(n + 8, __VA_ARGS__), FOUR(n + 12, __VA_ARGS__)
#define SIXTY_FOUR(n, ...) \
  SIXTEEN(n, __VA_ARGS__), SIXTEEN(n + 16, __VA_ARGS__), SIXTEEN(n + 32, __VA_ARGS__), SIXTEEN(n + 48, __VA_ARGS__)
#define ALL(...) \
  SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), SIXTY_FOUR(128, __VA_ARGS__), SIXTY_FOUR(192, __VA_ARGS__)
static const uint32_t after[8][256] = {
    {ALL(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8, 0x76dc4190, 0xedb88320)},
    {ALL(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2, 0xf0794f05, 0x3b83984b)},
    {ALL(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0, 0x709a8dc0, 0xe1351b80)},
    {ALL(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e, 0x9b14583d, 0xed59b63b)},
    {ALL(0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, 0x60e09782, 0xc1c12f04, 0x58f35849, 0xb1e6b092)},
    {ALL(0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, 0x03d6029b, 0x07ac0536, 0x0f580a6c, 0x1eb014d8)},
    {ALL(0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, 0x67de9cce, 0xcfbd399c, 0x440b7579, 0x8816eaf2)},
    {ALL(0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, 0x7cbb312b, 0xf9766256, 0x299dc2ed, 0x533b85da)},
};

uint32_t nic_crc32_by_tables(uint32_t crc, const uint8_t *p, size_t n) {
  for (; n >= 8; n -= 8, p += 8) {
    crc = after[7][(crc ^ p[0]) & 0xff] ^ after[6][(crc >> 8 ^ p[1]) & 0xff] ^ after[5][(crc >> 16 ^ p[2]) & 0xff] ^
          after[4][crc >> 24 ^ p[3]] ^ after[3][p[4]] ^ after[2][p[5]] ^ after[1][p[6]] ^ after[0][p[7]];
  }
  for (; n; n--) crc = crc >> 8 ^ after[0][(crc ^ *p++) & 0xff];
  return crc;
}

#ifdef NIC_CRC_FOLDS
#include <immintrin.h>

/* Sixteen bytes at a time: a carry-less multiplication of either half by what x^192 or x^128 is, modulo the polynomial,
 * moves it past the next sixteen (each one less, since a product of reflected numbers is one bit short). What is left
 * of them all is as long as the first sixteen, and goes through the tables. */
__attribute__((target("pclmul,sse2"))) static uint32_t by_folding(uint32_t crc, const uint8_t *p, size_t n) {
  const __m128i by = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m128i sum = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_cvtsi32_si128((int)crc));
  uint8_t left[16];
  for (p += 16, n -= 16; n >= 16; p += 16, n -= 16) {
    __m128i low = _mm_clmulepi64_si128(sum, by, 0x00), high = _mm_clmulepi64_si128(sum, by, 0x11);
    sum = _mm_xor_si128(_mm_xor_si128(low, high), _mm_loadu_si128((const __m128i *)(const void *)p));
  }
  _mm_storeu_si128((__m128i *)(void *)left, sum);
  return nic_crc32_by_tables(nic_crc32_by_tables(0, left, sizeof left), p, n);
}

uint32_t nic_crc32(uint32_t crc, const uint8_t *p, size_t n) {
  return n >= 32 && __builtin_cpu_supports("pclmul") ? by_folding(crc, p, n) : nic_crc32_by_tables(crc, p, n);
}
#else
uint32_t nic_crc32(uint32_t crc, const uint8_t *p, size_t n) { return nic_crc32_by_tables(crc, p, n); }
#endif
