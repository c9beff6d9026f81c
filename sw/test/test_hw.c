// SPDX-License-Identifier: Apache-2.0
// The backends of real devices, in front of a file tree that looks like a machine: /sys, /dev and /proc below a folder,
// a file for registers, and a thread that plays as much of the device as bring-up needs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hw.h"
#include "scene.h"
#include "tocsin/aa_log.h"
#include "vfio.h"

enum { POOL = 8 << 20, HUGES = 4 };
static char root[64] = "/tmp/tocsin-tree-XXXXXX";
static char uio_path[96], vfio_path[96];
static volatile uint8_t *regs;

// ---- the tree
static const char *below(const char *format, ...) {
  static char path[4][512];
  static unsigned turn;
  char *p = path[turn++ % 4], tail[256];
  va_list a;
  va_start(a, format);
  vsnprintf(tail, sizeof tail, format, a);
  va_end(a);
  snprintf(p, sizeof path[0], "%s%s", root, tail);
  return p;
}

static void folder(const char *path) {
  char each[512];
  snprintf(each, sizeof each, "%s%s/", root, path);
  for (char *p = each + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
    *p = 0;
    mkdir(each, 0700);
  }
}

static void file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  if (f) fputs(text, f), fclose(f);
  CHECK(f != NULL);
}

static void reg64(uint32_t addr, uint64_t v) { *(volatile uint64_t *)(volatile void *)(regs + addr) = v; }
static uint64_t get64(uint32_t addr) { return *(volatile uint64_t *)(volatile void *)(regs + addr); }
static void reg32(uint32_t addr, uint32_t v) { *(volatile uint32_t *)(volatile void *)(regs + addr) = v; }
static uint32_t get32(uint32_t addr) { return *(volatile uint32_t *)(volatile void *)(regs + addr); }

/* Physical pages of the pool: the first two one behind the other, the others elsewhere. */
static const uint64_t frame_of[HUGES] = {0x140000000, 0x140200000, 0x200000, 0x7fc00000};

static void make_tree(void) {
  CHECK(mkdtemp(root) != NULL);
  folder("/sys/class/uio/uio0/maps/map0");
  folder("/sys/bus/pci/devices/0000:03:00.0");
  folder("/dev/hugepages");
  folder("/dev/vfio");
  folder("/proc/self");
  file(below("/sys/class/uio/uio0/maps/map0/size"), "0x200000\n");
  EQ(symlink("../../../../kernel/iommu_groups/7", below("/sys/bus/pci/devices/0000:03:00.0/iommu_group")), 0);
  file(below("/dev/vfio/vfio"), "");
  file(below("/dev/vfio/7"), "");
  int fd = open(below("/dev/uio0"), O_RDWR | O_CREAT, 0600);
  EQ(ftruncate(fd, HW_REG_BYTES), 0);
  regs = mmap(NULL, HW_REG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  fd = open(below("/proc/self/pagemap"), O_RDWR | O_CREAT, 0600);
  for (unsigned i = 0; i < HUGES; i++) {
    uint64_t e = 1ull << 63 | frame_of[i] / PAGE;
    off_t at = (off_t)((HW_POOL_AT + i * HW_HUGE) / PAGE * 8);
    EQ(pwrite(fd, &e, 8, at), 8);
  }
  close(fd);
  snprintf(uio_path, sizeof uio_path, "%s:uio0", root);
  snprintf(vfio_path, sizeof vfio_path, "%s:0000:03:00.0", root);
}

static void remove_tree(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  EQ(system(command), 0);
}

static void reset_registers(void) {
  memset((void *)(uintptr_t)regs, 0, HW_REG_BYTES);
  reg32(AA_REG_VER, AA_RESET_VER);
  reg64(AA_REG_CAP, AA_RESET_CAP);
  reg64(AA_REG_ECAP, AA_RESET_ECAP);
  reg64(AA_REG_AA_ID, AA_RESET_AA_ID);
  reg64(AA_REG_AA_CAP, 8 | 16 << 8 | 32 << 16 | 4ull << 32 | 8ull << 40 | 16ull << 48 | 2ull << 56);
  reg64(NREG(NIC_ID), NIC_RESET_NIC_ID);
  reg64(NREG(NIC_CAP), 16 | 4 << 16 | 32ull << 24 | 6ull << 36 | 8ull << 40 | 8ull << 48);
}

// ---- the device: commands become status, invalidations complete, logs open
static uint8_t *at_bus(uint64_t bus) {
  for (unsigned i = 0; i < HUGES; i++)
    if (bus >= frame_of[i] && bus < frame_of[i] + HW_HUGE)
      return (uint8_t *)(uintptr_t)(HW_POOL_AT + i * HW_HUGE + (bus - frame_of[i]));
  return bus >= 1ull << 32 && bus < (1ull << 32) + POOL ? (uint8_t *)(uintptr_t)(HW_POOL_AT + (bus - (1ull << 32)))
                                                        : NULL;
}

static void *device(void *arg) {
  const bool *stop = arg;
  uint32_t done = 0, status = 0;
  while (!__atomic_load_n(stop, __ATOMIC_SEQ_CST)) {
    uint32_t cmd = get32(AA_REG_GCMD), tail = get32(AA_REG_IQT);
    if (cmd & AA_GCMD_SRTP_MASK) status |= AA_GSTS_RTPS_MASK;
    status = (status & AA_GSTS_RTPS_MASK) | (cmd & (AA_GSTS_TES_MASK | AA_GSTS_QIES_MASK));
    reg32(AA_REG_GSTS, status);
    for (; done != tail; done = (done + 16) % PAGE) {
      uint8_t *d = at_bus((get64(AA_REG_IQA) & ~0xfffull) + done);
      if (!d) break;
      uint64_t low = toc_i_get(d, 8);
      uint8_t *to = (low & 15) == 5 ? at_bus(toc_i_get(d + 8, 8)) : NULL;
      if (to) __atomic_store_n((uint32_t *)(void *)to, (uint32_t)(low >> 32), __ATOMIC_SEQ_CST);
    }
    reg64(AA_REG_IQH, done);
    for (unsigned i = 0; i < 8; i++) reg64(REG_AT(LOG_STS, i), get64(REG_AT(LOG_CFG, i)) >> 63);
    usleep(20);
  }
  return NULL;
}

static toc_status try_open(const char *be, const char *path, bool registers_only, toc_fabric **f) {
  return toc_open(
      &(toc_options){
          .backend = be, .path = path, .node_bytes = POOL, .timeout_us = 2000000, .registers_only = registers_only},
      f);
}

static bool told(const char *what) {
  if (strstr(toc_why(), what)) return true;
  printf("  said: %s\n", toc_why());
  return false;
}

// ---- what is not there, or not right
static void refusals(void) {
  toc_fabric *f;
  reset_registers();
  IS(try_open("uio", "/nowhere:uio0", false, &f), TOC_E_BACKEND);
  CHECK(told("/nowhere/sys/class/uio/uio0"));
  IS(try_open("uio", "/nowhere", false, &f), TOC_E_ARG);
  IS(try_open("vfio", "/nowhere:0000:03:00.0", false, &f), TOC_E_BACKEND);
  CHECK(told("iommu_group"));
  file(below("/sys/class/uio/uio0/maps/map0/size"), "0x1000\n");
  IS(try_open("uio", uio_path, false, &f), TOC_E_DEVICE);
  CHECK(told("4096 bytes"));
  file(below("/sys/class/uio/uio0/maps/map0/size"), "many\n");
  IS(try_open("uio", uio_path, false, &f), TOC_E_BACKEND);
  file(below("/sys/class/uio/uio0/maps/map0/size"), "0x200000\n");
  reg64(AA_REG_AA_ID, 5);
  IS(try_open("uio", uio_path, false, &f), TOC_E_DEVICE);
  CHECK(told("Active Access"));
  reset_registers();
  rename(below("/proc/self/pagemap"), below("/proc/self/other"));
  IS(try_open("uio", uio_path, false, &f), TOC_E_IO);
  rename(below("/proc/self/other"), below("/proc/self/pagemap"));
  /* Registers that answer, and nothing behind them: said in time, and nothing is left mapped. */
  IS(try_open("uio", uio_path, false, &f), TOC_E_DEAD);
  CHECK(told("0x1c") && !f);
  EQ(access(below("/dev/hugepages/tocsin-%ld", (long)getpid()), F_OK), -1);
}

// ---- registers only
static void registers(const char *be, const char *path) {
  toc_fabric *f;
  toc_proc *p;
  toc_caps caps;
  uint64_t v;
  reset_registers();
  reg64(REG_AT(CNT, 3), 77);
  OK(try_open(be, path, true, &f));
  if (!f) return;
  toc_node *n = toc_node_at(f, 0);
  toc_caps_of(n, &caps);
  CHECK(caps.logs == 8 && caps.procs == 4 && caps.qps == 16 && caps.regions == 32 && caps.table_entries == 64);
  OK(toc_count_aa(n, 3, &v));
  EQ(v, 77);
  OK(toc_reg_write(n, AA_REG_AA_WDOG, 4, 0x1122334455667788));
  EQ(get64(AA_REG_AA_WDOG), 0x55667788);
  OK(toc_reg_write(n, NREG(NIC_MAC), 8, 0x1122334455667788));
  EQ(get64(NREG(NIC_MAC)), 0x1122334455667788);
  OK(toc_reg_read(n, NREG(NIC_MAC) + 4, 4, &v));
  EQ(v, 0x11223344);
  IS(toc_reg_read(n, 0x200000, 8, &v), TOC_E_ARG);
  IS(toc_reg_read(n, 4, 8, &v), TOC_E_ARG);
  IS(toc_proc_open(n, &p), TOC_E_SUPPORT);
  EQ(get32(AA_REG_GCMD), 0);  // nothing was switched
  toc_close(f);
}

// ---- the whole way up: tables, logs and rings at addresses that the bus knows
static void brought_up(const char *be, const char *path, const uint64_t *bus, unsigned runs) {
  toc_fabric *f;
  toc_proc *p;
  toc_log *log;
  toc_remote r;
  void *page;
  bool stop = false;
  pthread_t thread;
  reset_registers();
  EQ(pthread_create(&thread, NULL, device, &stop), 0);
  OK(try_open(be, path, false, &f));
  if (f) {
    OK(toc_proc_open(toc_node_at(f, 0), &p));
    OK(toc_alloc(p, 4096, TOC_READ | TOC_WRITE, &page));
    OK(toc_expose(p, page, 4096, TOC_WRITE, &r));
    OK(toc_log_open(p, &(toc_log_options){.bytes = 1 << 20}, &log));
    OK(toc_associate(p, page, 4096, &(toc_rule){.put = TOC_LOG, .log = log}));
    uint64_t base = get64(REG_AT(LOG_BASE, 0)), root_at = get64(AA_REG_RTADDR);
    bool known = false;
    for (unsigned i = 0; i < runs; i++) known = known || (base >= bus[i] && base + (1 << 20) <= bus[i] + 2 * HW_HUGE);
    CHECK(known && base % (1 << 20) == 0);
    CHECK(at_bus(root_at) && (toc_i_get(at_bus(root_at) + 16, 8) & 1));  // bus 1 has a context table
    EQ(get64(NREG_AT(MR_BASE, 0)), r.addr);
    IS(toc_log_wait(log, 2000), TOC_E_TIMEOUT);  // by the clock
    IS(toc_log_open(p, &(toc_log_options){.notify = TOC_NOTIFY_INTERRUPT}, &log), TOC_E_SUPPORT);
    IS(toc_alloc(p, POOL, TOC_READ, &page), TOC_E_NOMEM);
    for (unsigned i = 0; i < 3; i++) {
      OK(toc_alloc(p, 1 << 20, TOC_READ, &page));
      OK(toc_free(p, page));
    }
    toc_proc_close(p);
    EQ(get32(AA_REG_GSTS) >> 31, 1);
    toc_close(f);
    EQ(get32(AA_REG_GCMD), 0);  // switched off
  }
  __atomic_store_n(&stop, true, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);
}

// ---- progress = TOC_PROGRESS_THREAD: what is automatic runs though nobody calls; there are no descriptors to sleep on
static void wake(void *arg, const toc_access *a) {
  EQ(a->bytes, 8);
  EQ(a->data ? toc_i_get(a->data, 8) : 0, 0x1122334455667788);
  sem_post(arg);
}

/* What the device writes for a put of eight bytes: the record, then the producer pointer. */
static void log_a_put(uint64_t addr, uint32_t produced) {
  uint8_t *e = at_bus(get64(REG_AT(LOG_BASE, 0)) + produced);
  toc_i_put(e, 8, addr);
  toc_i_put(e + 8, 8,
            aa_entry_info((unsigned)get64(REG_AT(LOG_CFG, 0)) & 0xfff, AA_ENTRY_PUT, 2, 15, 15, 0, 256, AA_ENTRY_DATA));
  toc_i_put(e + 16, 8, 0x1122334455667788);
  toc_store((volatile uint64_t *)(void *)at_bus(get64(REG_AT(LOG_PTR, 0))), produced + 32);
}

/* Within so many turns of ours, in each of which others may have the processor. */
static bool comes(sem_t *s) {
  for (unsigned turn = 0; turn < 60000; turn++) {
    if (!sem_trywait(s)) return true;
    usleep(1000);
  }
  return false;
}

static void by_thread(const char *be, const char *path) {
  toc_fabric *f = NULL;
  toc_proc *p;
  toc_log *log;
  toc_remote r;
  void *page;
  sem_t woken;
  bool stop = false;
  pthread_t thread;
  reset_registers();
  EQ(sem_init(&woken, 0, 0), 0);
  EQ(pthread_create(&thread, NULL, device, &stop), 0);
  OK(toc_open(&(toc_options){.backend = be, .path = path, .node_bytes = POOL, .progress = TOC_PROGRESS_THREAD}, &f));
  if (f) {
    OK(toc_proc_open(toc_node_at(f, 0), &p));
    OK(toc_alloc(p, 4096, TOC_READ | TOC_WRITE, &page));
    OK(toc_expose(p, page, 4096, TOC_WRITE, &r));
    OK(toc_log_open(p, &(toc_log_options){.automatic = true}, &log));
    OK(toc_associate(p, page, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = wake, .arg = &woken}));
    EQ(toc_log_fd(log), -1);
    EQ(toc_event_fd(p), -1);
    for (uint32_t n = 0; n < 8 && !failed; n++) {
      if (n % 4 == 3) usleep(20000);  // it looks again and again, however long nothing comes
      log_a_put(r.addr, 32 * n);
      CHECK(comes(&woken));
    }
    IS(toc_log_open(p, &(toc_log_options){.notify = TOC_NOTIFY_INTERRUPT}, &log), TOC_E_SUPPORT);
    toc_close(f);
  }
  __atomic_store_n(&stop, true, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);
  sem_destroy(&woken);
}

// ---- a kernel for vfio
static struct {
  bool viable, mappable;
  int version;
  unsigned maps;
} kernel = {true, true, VFIO_API_VERSION, 0};

static int fake_ioctl(int fd, unsigned long request, void *arg) {
  (void)fd;
  switch (request) {
    case VFIO_GET_API_VERSION: return kernel.version;
    case VFIO_CHECK_EXTENSION: return (uintptr_t)arg == VFIO_TYPE1_IOMMU;
    case VFIO_GROUP_GET_STATUS: ((struct vfio_group_status *)arg)->flags = kernel.viable; return 0;
    case VFIO_GROUP_SET_CONTAINER:
    case VFIO_SET_IOMMU: return 0;
    case VFIO_GROUP_GET_DEVICE_FD: return strcmp(arg, "0000:03:00.0") ? -1 : open(below("/dev/uio0"), O_RDWR);
    case VFIO_DEVICE_GET_REGION_INFO: {
      struct vfio_region_info *r = arg;
      r->flags = kernel.mappable ? VFIO_REGION_INFO_FLAG_MMAP : 0;
      r->size = HW_REG_BYTES;
      r->offset = 0;
      return r->index == VFIO_PCI_BAR0_REGION_INDEX ? 0 : -1;
    }
    case VFIO_IOMMU_MAP_DMA: {
      const struct vfio_iommu_type1_dma_map *m = arg;
      kernel.maps += m->size == POOL && m->vaddr == HW_POOL_AT;
      return 0;
    }
    default: return -1;
  }
}

static void vfio_refusals(void) {
  toc_fabric *f;
  reset_registers();
  kernel.viable = false;
  IS(try_open("vfio", vfio_path, false, &f), TOC_E_BACKEND);
  CHECK(told("not viable"));
  kernel.viable = true;
  kernel.mappable = false;
  IS(try_open("vfio", vfio_path, false, &f), TOC_E_DEVICE);
  kernel.mappable = true;
  kernel.version = 3;
  IS(try_open("vfio", vfio_path, false, &f), TOC_E_SUPPORT);
  kernel.version = VFIO_API_VERSION;
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  make_tree();
  refusals();
  registers("uio", uio_path);
  brought_up("uio", uio_path, frame_of, 1);  // only the first two pages make 1 MiB for the ring beside all else
  by_thread("uio", uio_path);
  toc_i_vfio_ioctl = fake_ioctl;
  vfio_refusals();
  registers("vfio", vfio_path);
  EQ(kernel.maps, 0);
  brought_up("vfio", vfio_path, (const uint64_t[]){1ull << 32}, 1);
  EQ(kernel.maps, 1);
  by_thread("vfio", vfio_path);
  remove_tree();
  return report();
}
