// SPDX-License-Identifier: Apache-2.0
// Blocks of pcapng (draft-ietf-opsawg-pcapng), in the byte order of this machine, which the section's magic tells.
#include "tocsin/pcapng.h"

#include <string.h>

enum { SECTION = 0x0A0D0D0A, INTERFACE = 1, PACKET = 6, MAGIC = 0x1A2B3C4D, ETHERNET = 1 };
enum { OPT_END = 0, IF_NAME = 2, IF_TSRESOL = 9, EPB_FLAGS = 2 };

static uint32_t padded(size_t n) { return (uint32_t)((n + 3) & ~(size_t)3); }

static int put(FILE *f, const void *bytes, size_t n) {
  static const char zero[4];
  size_t pad = padded(n) - n;
  return fwrite(bytes, 1, n, f) == n && fwrite(zero, 1, pad, f) == pad ? 0 : -1;
}

static int words(FILE *f, const uint32_t *w, size_t n) { return put(f, w, 4 * n); }

static int option(FILE *f, uint16_t code, const void *bytes, uint16_t n) {
  const uint16_t head[2] = {code, n};
  return put(f, head, 4) | put(f, bytes, n);
}

static uint32_t option_size(size_t n) { return 4 + padded(n); }

static int interface_block(FILE *f, const char *name) {
  const uint8_t nanoseconds = 9;
  size_t n = name ? strlen(name) : 0;
  uint32_t size = 20 + option_size(1) + (n ? option_size(n) : 0) + option_size(0);
  const uint32_t head[] = {INTERFACE, size, ETHERNET, 0};  // no limit to what is kept of a frame
  int bad = words(f, head, 4);
  if (n) bad |= option(f, IF_NAME, name, (uint16_t)n);
  bad |= option(f, IF_TSRESOL, &nanoseconds, 1) | option(f, OPT_END, "", 0);
  return bad | words(f, &size, 1);
}

int pcapng_open(pcapng *p, FILE *file, const char *const *names, unsigned n) {
  const uint32_t head[] = {SECTION, 28, MAGIC, 1, 0xFFFFFFFF, 0xFFFFFFFF, 28};  // version 1.0, length not said
  p->file = file;
  int bad = words(file, head, 7);
  for (unsigned i = 0; i < n; i++) bad |= interface_block(file, names[i]);
  return bad;
}

int pcapng_frame(pcapng *p, unsigned interface, uint64_t ns, unsigned direction, const void *bytes, size_t n) {
  uint32_t size = 32 + padded(n) + option_size(4) + option_size(0);
  const uint32_t head[] = {PACKET, size, interface, (uint32_t)(ns >> 32), (uint32_t)ns, (uint32_t)n, (uint32_t)n};
  const uint32_t flags = direction;
  int bad = words(p->file, head, 7) | put(p->file, bytes, n) | option(p->file, EPB_FLAGS, &flags, 4);
  return bad | option(p->file, OPT_END, "", 0) | words(p->file, &size, 1);
}
