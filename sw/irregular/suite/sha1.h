// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4), which unbalanced trees grow from. It guards nothing here: it is a random number generator.
#ifndef TOCSIN_SUITE_SHA1_H
#define TOCSIN_SUITE_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { SHA1_BYTES = 20 };

void sha1(const uint8_t *bytes, size_t n, uint8_t digest[SHA1_BYTES]);
#endif
