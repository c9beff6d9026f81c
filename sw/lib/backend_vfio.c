// SPDX-License-Identifier: Apache-2.0
// Backend `vfio`: a PCI function by its address, BAR 0 for registers, hugepages that the host's IOMMU shows the device
// at addresses of our choice.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hw.h"
#include "vfio.h"

enum { WHY = 160 };
#define BUS_AT 0x0000000100000000ull

typedef struct vfio {
  int container, group;
} vfio;

static int system_ioctl(int fd, unsigned long request, void *arg) { return ioctl(fd, request, arg); }
toc_i_ioctl_fn *toc_i_vfio_ioctl = system_ioctl;

static int ask(int fd, unsigned long request, void *arg) { return toc_i_vfio_ioctl(fd, request, arg); }

static toc_status refuse(char *why, toc_status s, const char *what) {
  snprintf(why, WHY, "%.90s: %s", what, strerror(errno));
  return s;
}

static int open_below(hw *h, char *why, const char *format, const char *name) {
  char path[512], tail[256];
  snprintf(tail, sizeof tail, format, name);
  if (toc_i_hw_path(h, path, sizeof path, why, "%s", tail) != TOC_OK) return -1;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) refuse(why, TOC_E_BACKEND, path);
  return fd;
}

/* The group is the last part of what /sys/.../iommu_group points to. */
static toc_status group_of(hw *h, char *out, size_t n, char *why) {
  char path[512], to[512];
  TRY(toc_i_hw_path(h, path, sizeof path, why, "/sys/bus/pci/devices/%s/iommu_group", h->name));
  ssize_t k = readlink(path, to, sizeof to - 1);
  if (k < 0) return refuse(why, TOC_E_BACKEND, path);
  to[k] = 0;
  const char *last = strrchr(to, '/');
  snprintf(out, n, "%.60s", last ? last + 1 : to);
  return TOC_OK;
}

static toc_status join(hw *h, vfio *v, char *why) {
  char group[64];
  struct vfio_group_status status = {.argsz = sizeof status};
  TRY(group_of(h, group, sizeof group, why));
  v->container = open_below(h, why, "/dev/vfio/%s", "vfio");
  if (v->container < 0) return TOC_E_BACKEND;
  if (ask(v->container, VFIO_GET_API_VERSION, NULL) != VFIO_API_VERSION ||
      ask(v->container, VFIO_CHECK_EXTENSION, (void *)(uintptr_t)VFIO_TYPE1_IOMMU) != 1)
    return refuse(why, TOC_E_SUPPORT, "this kernel's VFIO is of another version, or has no type 1 IOMMU");
  v->group = open_below(h, why, "/dev/vfio/%s", group);
  if (v->group < 0) return TOC_E_BACKEND;
  if (ask(v->group, VFIO_GROUP_GET_STATUS, &status) < 0) return refuse(why, TOC_E_IO, "VFIO_GROUP_GET_STATUS");
  if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
    snprintf(why, WHY, "group %.30s is not viable: bind all of its devices to vfio-pci", group);
    return TOC_E_BACKEND;
  }
  if (ask(v->group, VFIO_GROUP_SET_CONTAINER, &v->container) < 0)
    return refuse(why, TOC_E_IO, "VFIO_GROUP_SET_CONTAINER");
  if (ask(v->container, VFIO_SET_IOMMU, (void *)(uintptr_t)VFIO_TYPE1_IOMMU) < 0)
    return refuse(why, TOC_E_IO, "VFIO_SET_IOMMU");
  return TOC_OK;
}

static toc_status registers(hw *h, vfio *v, char *why) {
  struct vfio_region_info bar = {.argsz = sizeof bar, .index = VFIO_PCI_BAR0_REGION_INDEX};
  h->fd = ask(v->group, VFIO_GROUP_GET_DEVICE_FD, h->name);
  if (h->fd < 0) return refuse(why, TOC_E_IO, "VFIO_GROUP_GET_DEVICE_FD");
  if (ask(h->fd, VFIO_DEVICE_GET_REGION_INFO, &bar) < 0) return refuse(why, TOC_E_IO, "VFIO_DEVICE_GET_REGION_INFO");
  if (!(bar.flags & VFIO_REGION_INFO_FLAG_MMAP)) {
    snprintf(why, WHY, "BAR 0 of %.60s cannot be mapped", h->name);
    return TOC_E_DEVICE;
  }
  return toc_i_hw_map_registers(h, h->fd, bar.offset, bar.size, why);
}

static toc_status memory(hw *h, vfio *v, uint64_t bytes, char *why) {
  TRY(toc_i_hw_pool(h, bytes, why));
  struct vfio_iommu_type1_dma_map map = {.argsz = sizeof map,
                                         .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
                                         .vaddr = (uint64_t)(uintptr_t)h->pool,
                                         .iova = BUS_AT,
                                         .size = h->pool_bytes};
  if (ask(v->container, VFIO_IOMMU_MAP_DMA, &map) < 0) return refuse(why, TOC_E_IO, "VFIO_IOMMU_MAP_DMA");
  return toc_i_hw_add_run(h, 0, h->pool_bytes, BUS_AT);
}

static void shut(void *self) {
  hw *h = self;
  vfio *v = h->more;
  toc_i_hw_free(h); /* the device before its group, the group before the container */
  if (!v) return;
  if (v->group >= 0) close(v->group);
  if (v->container >= 0) close(v->container);
  free(v);
}

static toc_status bring(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  hw *h;
  (void)spy;
  *nodes = 1;
  toc_status s = toc_i_hw_new(o, "0000:01:00.0", &h, why);
  *self = h;
  if (s != TOC_OK) return s;
  vfio *v = h->more = malloc(sizeof *v);
  if (!v) {
    s = TOC_E_NOMEM;
  } else {
    *v = (vfio){-1, -1};
    s = join(h, v, why);
    if (s == TOC_OK) s = registers(h, v, why);
    if (s == TOC_OK && !o->registers_only) s = memory(h, v, o->node_bytes, why);
  }
  if (s != TOC_OK) shut(h);
  return s;
}

const toc_backend toc_backend_vfio = {.name = "vfio",
                                      .about = "a PCI function that is bound to vfio-pci",
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
