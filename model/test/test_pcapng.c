// SPDX-License-Identifier: Apache-2.0
// A file of two interfaces and frames of every length modulo four, read back block by block; disks that are full.
#define _GNU_SOURCE  // fopencookie
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tocsin/pcapng.h"

// The next block: its type, or 0 at the end. Its words are in w, without the two sizes that enclose it.
static uint32_t block(FILE *f, uint32_t *w, uint32_t *bytes) {
  uint32_t head[2], size;
  if (fread(head, 4, 2, f) != 2) return 0;
  *bytes = head[1] - 12;
  CHECK(head[1] % 4 == 0 && head[1] >= 12 && head[1] < 1024);
  CHECK(fread(w, 1, *bytes, f) == *bytes && fread(&size, 4, 1, f) == 1 && size == head[1]);
  return head[0];
}

// A disk that takes no more from its n-th write on, or fails in that one alone.
typedef struct disk {
  unsigned writes, full;
  bool once, failed;
} disk;

static ssize_t disk_write(void *ctx, const char *bytes, size_t n) {
  disk *d = ctx;
  (void)bytes;
  unsigned i = d->writes++;
  if (d->once ? i != d->full : i < d->full) return (ssize_t)n;
  d->failed = true;
  return 0;
}

// Whatever is lost, in the last word of a block or in its middle, the call that wrote there says so.
static void full(const uint8_t *frame) {
  static const char *const names[] = {"node0", NULL};
  for (unsigned once = 0; once < 2; once++) {
    bool lost = true;
    for (unsigned at = 0; lost; at++) {
      disk d = {.full = at, .once = once};
      pcapng p;
      FILE *f = fopencookie(&d, "w", (cookie_io_functions_t){.write = disk_write});
      if (!f) exit(2);
      setvbuf(f, NULL, _IONBF, 0);
      EQ(pcapng_open(&p, f, names, 2), d.failed ? -1 : 0);
      lost = d.failed;
      d.failed = false;
      for (unsigned n = 60; n < 64; n++) {
        EQ(pcapng_frame(&p, 1, 5, PCAPNG_IN, frame, n), d.failed ? -1 : 0);
        lost = lost || d.failed;
        d.failed = false;
      }
      fclose(f);
      CHECK(at > 40 || lost);  // there are more writes than that
    }
  }
}

int main(void) {
  static const char *const names[] = {"node0", NULL};
  uint8_t frame[80];
  uint32_t w[256], n;
  pcapng p;
  FILE *f = tmpfile();
  if (!f) return 1;
  for (unsigned i = 0; i < sizeof frame; i++) frame[i] = (uint8_t)(i * 7 + 1);
  CHECK(pcapng_open(&p, f, names, 2) == 0);
  for (unsigned i = 0; i < 8; i++)
    CHECK(pcapng_frame(&p, i & 1, 0x100000002ULL * i, i & 1 ? PCAPNG_IN : PCAPNG_OUT, frame, 60 + i) == 0);
  rewind(f);
  CHECK(block(f, w, &n) == 0x0A0D0D0A && n == 16 && w[0] == 0x1A2B3C4D && w[1] == 1);
  CHECK(block(f, w, &n) == 1 && w[0] == 1 && w[1] == 0 &&
        !memcmp(w + 2, "\2\0\5\0node0\0\0\0\t\0\1\0\t\0\0\0\0\0\0\0", 24));
  CHECK(block(f, w, &n) == 1 && n == 20 && !memcmp(w + 2, "\t\0\1\0\t\0\0\0\0\0\0\0", 12));
  for (unsigned i = 0; i < 8; i++) {
    uint32_t pad = (0u - i) & 3;
    CHECK(block(f, w, &n) == 6 && n == 20 + 60 + i + pad + 12);
    CHECK(w[0] == (i & 1) && w[1] == i && w[2] == 2 * i && w[3] == 60 + i && w[4] == 60 + i);
    CHECK(!memcmp(w + 5, frame, 60 + i) && !memcmp((uint8_t *)(w + 5) + 60 + i, "\0\0\0", pad));
    CHECK(w[n / 4 - 2] == (i & 1 ? PCAPNG_IN : PCAPNG_OUT) && w[n / 4 - 1] == 0);
  }
  CHECK(block(f, w, &n) == 0);
  fclose(f);
  full(frame);
  if ((f = fopen("/dev/full", "w"))) {  // a disk that is full
    setvbuf(f, NULL, _IONBF, 0);
    CHECK(pcapng_open(&p, f, names, 2) == -1 && pcapng_frame(&p, 0, 0, PCAPNG_OUT, frame, 60) == -1);
    fclose(f);
  }
  return report();
}
