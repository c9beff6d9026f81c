// SPDX-License-Identifier: Apache-2.0
// Random updates of a table (GUPS, HPCC RandomAccess): update i of the stream XORs its number into the word of the
// table that the number's low bits say. XORs commute: whoever does which updates, in any order, the table is the same,
// if none was lost or doubled.
#ifndef TOCSIN_SUITE_GUPS_H
#define TOCSIN_SUITE_GUPS_H

#include <stdint.h>

// The next number of the stream, which is that of a shift register with x^64 + x^2 + x + 1.
static inline uint64_t gups_next(uint64_t ran) { return ran << 1 ^ (ran >> 63 ? 7 : 0); }
// The number n steps after the first one, 1: where a rank begins that does the updates from n on.
uint64_t gups_start(uint64_t n);

// Words `first` ... of a table as they are before the first update: word i is i.
void gups_fill(uint64_t *table, uint64_t first, uint64_t n);
// Updates first+1 ... first+n of the stream, of a whole table, which has a power of two words.
void gups_update(uint64_t *table, uint64_t words, uint64_t first, uint64_t n);
// Takes the first `updates` back, one by one, those of them that meet words `first` ... first+n-1 of the whole table's
// `words`; and counts which of these are not what they were: those that an update missed.
uint64_t gups_errors(uint64_t *table, uint64_t first, uint64_t n, uint64_t words, uint64_t updates);

// Of words `first` ... of a table: the parts of several ranks add up to the digest of the whole.
uint64_t gups_digest(const uint64_t *table, uint64_t first, uint64_t words);
#endif
