// SPDX-License-Identifier: Apache-2.0
// What a comparison has found, the last of it kept: the `differ` of aa_lock and aa_snoop.
#ifndef TOCSIN_TEST_FOUND_H
#define TOCSIN_TEST_FOUND_H

#include <stdio.h>

typedef struct found {
  unsigned n;
  char block[32], stream[48], text[1024];
} found;

static void differ(void *ctx, const char *block, const char *stream, const char *text) {
  found *f = ctx;
  f->n++;
  snprintf(f->block, sizeof f->block, "%s", block ? block : "");
  snprintf(f->stream, sizeof f->stream, "%s", stream);
  snprintf(f->text, sizeof f->text, "%s", text);
}
#endif
