// SPDX-License-Identifier: Apache-2.0
// Backend `uio`: registers by /dev/uioN (map 0), DMA in hugepages whose bus addresses are their physical ones (no other
// IOMMU before the device). Needs the right to read physical addresses from /proc/self/pagemap.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "hw.h"

enum { WHY = 160 };

/* Bus address of each hugepage. Only its first page is looked up: it is in one piece. */
static toc_status addresses(hw *h, char *why) {
  char path[512];
  toc_status s = toc_i_hw_path(h, path, sizeof path, why, "/proc/self/pagemap");
  int fd = s == TOC_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (s == TOC_OK && fd < 0) {
    snprintf(why, WHY, "%.100s: %s", path, strerror(errno));
    s = TOC_E_IO;
  }
  for (uint64_t at = 0; s == TOC_OK && at < h->pool_bytes; at += HW_HUGE) {
    uint64_t e = 0, page = ((uint64_t)(uintptr_t)h->pool + at) / PAGE;
    if (pread(fd, &e, sizeof e, (off_t)(page * sizeof e)) != sizeof e || !(e >> 63) || !(e << 9)) {
      snprintf(why, WHY, "%.80s tells no physical addresses: that needs CAP_SYS_ADMIN", path);
      s = TOC_E_IO;
    } else {
      s = toc_i_hw_add_run(h, at, HW_HUGE, (e & ((1ull << 55) - 1)) * PAGE);
    }
  }
  if (fd >= 0) close(fd);
  return s;
}

static toc_status find(hw *h, const toc_options *o, char *why) {
  char path[512];
  uint64_t bytes;
  toc_status s = toc_i_hw_path(h, path, sizeof path, why, "/sys/class/uio/%s/maps/map0/size", h->name);
  if (s == TOC_OK) s = toc_i_hw_number(path, &bytes, why);
  if (s == TOC_OK) s = toc_i_hw_path(h, path, sizeof path, why, "/dev/%s", h->name);
  if (s != TOC_OK) return s;
  h->fd = open(path, O_RDWR | O_CLOEXEC);
  if (h->fd < 0) {
    snprintf(why, WHY, "%.100s: %s", path, strerror(errno));
    return TOC_E_BACKEND;
  }
  s = toc_i_hw_map_registers(h, h->fd, 0, bytes, why);
  if (s == TOC_OK && !o->registers_only) s = toc_i_hw_pool(h, o->node_bytes, why);
  if (s == TOC_OK && !o->registers_only) s = addresses(h, why);
  return s;
}

static toc_status bring(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  hw *h;
  (void)spy;
  *nodes = 1;
  toc_status s = toc_i_hw_new(o, "uio0", &h, why);
  if (s == TOC_OK) s = find(h, o, why);
  *self = h;
  if (s != TOC_OK) toc_i_hw_free(h);
  return s;
}

static void shut(void *self) { toc_i_hw_free(self); }

const toc_backend toc_backend_uio = {.name = "uio",
                                     .about = "a device behind /dev/uioN",
                                     .open = bring,
                                     .close = shut,
                                     .read = toc_i_hw_read,
                                     .write = toc_i_hw_write,
                                     .dma_alloc = toc_i_hw_dma_alloc,
                                     .dma_free = toc_i_hw_dma_free,
                                     .vector = toc_i_hw_vector,
                                     .progress = toc_i_hw_progress,
                                     .now = toc_i_hw_now,
                                     .mhz = 250};
