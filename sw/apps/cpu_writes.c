// SPDX-License-Identifier: Apache-2.0
#include "cpu_writes.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 512, HANDLED = 16 };

// Of kernels that are newer than these headers may be.
#define WP_SHMEM (1ull << 12)
#define WP_UNPOPULATED (1ull << 13)
#define WP_ASYNC (1ull << 15)
#define MAP_SOFT_DIRTY (1ull << 55)
#define MAP_PROTECTED (1ull << 57)

struct cpu_writes {
  cpu_way way;
  uint8_t *at;
  size_t pages;
  uint64_t looked;
  int fd, map;     // userfaultfd or clear_refs, and pagemap; -1: none
  uint64_t *bits;  // faults: written
  bool held;
};

static const char *const names[CPU_WAYS] = {"userfaultfd", "soft-dirty", "faults", "everything"};

cpu_way cpu_way_named(const char *name) {
  unsigned i = 0;
  while (i < CPU_WAYS && strcmp(name, names[i])) i++;
  return (cpu_way)i;
}
const char *cpu_way_name(cpu_way way) { return way < CPU_WAYS ? names[way] : "none"; }
cpu_way cpu_writes_way(const cpu_writes *w) { return w->way; }
uint64_t cpu_writes_looked(const cpu_writes *w) { return __atomic_load_n(&w->looked, __ATOMIC_SEQ_CST); }

static bool bit(const uint64_t *map, size_t i) { return map[i / 64] >> i % 64 & 1; }

// Calls what is to be done with each run of pages that the bitmap names.
static bool each_run(cpu_writes *w, const uint64_t *map, bool (*what)(cpu_writes *w, size_t first, size_t pages)) {
  for (size_t i = 0, k; i < w->pages; i = k) {
    for (k = i; k < w->pages && bit(map, k);) k++;
    if (k > i && !what(w, i, k - i)) return false;
    if (k == i) k++;
  }
  return true;
}

// ---- pagemap --------------------------------------------------------------------------------------------------------

// Sets a bit for each page whose entry is as it should be.
static bool read_map(cpu_writes *w, uint64_t *map, uint64_t mask, uint64_t want) {
  uint64_t entry[AT_ONCE];
  for (size_t i = 0, n; i < w->pages; i += n) {
    n = w->pages - i < AT_ONCE ? w->pages - i : AT_ONCE;
    off_t at = (off_t)(((uintptr_t)w->at / PAGE + i) * sizeof *entry);
    if (pread(w->map, entry, n * sizeof *entry, at) != (ssize_t)(n * sizeof *entry)) return false;
    for (size_t k = 0; k < n; k++)
      if ((entry[k] & mask) == want) map[(i + k) / 64] |= 1ull << (i + k) % 64;
  }
  w->looked += w->pages;
  return true;
}

static bool open_map(cpu_writes *w) { return (w->map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) >= 0; }

// ---- userfaultfd ----------------------------------------------------------------------------------------------------

static bool protect_uffd(cpu_writes *w, size_t first, size_t pages) {
  struct uffdio_writeprotect p = {.range = {(uintptr_t)(w->at + first * PAGE), pages * PAGE},
                                  .mode = UFFDIO_WRITEPROTECT_MODE_WP};
  return !ioctl(w->fd, UFFDIO_WRITEPROTECT, &p);
}

static toc_status works(bool good) { return good ? TOC_OK : TOC_E_SUPPORT; }

static toc_status open_uffd(cpu_writes *w) {
  struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC | WP_UNPOPULATED | WP_SHMEM};
  struct uffdio_register r = {.range = {(uintptr_t)w->at, w->pages * PAGE}, .mode = UFFDIO_REGISTER_MODE_WP};
  w->fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
  return works(w->fd >= 0 && open_map(w) && !ioctl(w->fd, UFFDIO_API, &api) && !ioctl(w->fd, UFFDIO_REGISTER, &r) &&
               protect_uffd(w, 0, w->pages));
}

// Between these two a page that was seen as written may be written again: it is copied later than that. One that was
// not is protected all the time.
static bool get_uffd(cpu_writes *w, uint64_t *map) {
  return read_map(w, map, MAP_PROTECTED, 0) && each_run(w, map, protect_uffd);
}

// ---- soft-dirty -----------------------------------------------------------------------------------------------------

static int soft_users;

static bool clear_soft(const cpu_writes *w) { return pwrite(w->fd, "4", 1, 0) == 1; }

static toc_status open_soft(cpu_writes *w) {
  if (__atomic_fetch_add(&soft_users, 1, __ATOMIC_SEQ_CST)) return TOC_E_SUPPORT;
  w->fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  return works(w->fd >= 0 && open_map(w) && clear_soft(w));
}

static bool get_soft(cpu_writes *w, uint64_t *map) {
  return read_map(w, map, MAP_SOFT_DIRTY, MAP_SOFT_DIRTY) && clear_soft(w);
}

// ---- faults ---------------------------------------------------------------------------------------------------------

// A fault may come in the midst of an atomic access that ThreadSanitizer makes in its own way, with a lock held:
// whatever the handler does must do without it.
#define UNWATCHED __attribute__((no_sanitize("thread")))

// Bits and protection change together, whoever looks: held by a handler, which interrupts nobody who holds it.
UNWATCHED static void hold(cpu_writes *w) {
  while (__atomic_exchange_n(&w->held, true, __ATOMIC_ACQUIRE)) continue;
}
UNWATCHED static void let_go(cpu_writes *w) { __atomic_store_n(&w->held, false, __ATOMIC_RELEASE); }

static cpu_writes *handled[HANDLED];
static unsigned looking[HANDLED];  // handlers that are at this place, and perhaps at what it names
static struct sigaction before;
static _Thread_local void *again;  // nobody has its page any more: it may be one that was closed just now

// What else there is was not meant for this, but for who had the signal before. That one may mend what was wrong, and
// this handler is needed for the next write: it stays.
UNWATCHED static void pass_on(int sig, siginfo_t *info, void *context) {
  if ((unsigned)before.sa_flags & SA_RESETHAND)
    sigaction(sig, &before, NULL);  // it wants to be called once
  else if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(sig, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(sig);
  else if (info->si_code > 0)
    sigaction(sig, &before, NULL);  // the instruction fails once more
  else if (before.sa_handler == SIG_DFL && !sigaction(sig, &before, NULL))
    (void)raise(sig);  // a process has sent it
}

// A write to a page that one of these protects.
UNWATCHED static bool lift(cpu_writes *w, const void *at) {
  if (!w || (uintptr_t)at - (uintptr_t)w->at >= w->pages * PAGE) return false;
  size_t page = ((uintptr_t)at - (uintptr_t)w->at) / PAGE;
  hold(w);
  bool lifted = !mprotect(w->at + page * PAGE, PAGE, PROT_READ | PROT_WRITE);
  w->bits[page / 64] |= 1ull << page % 64;
  w->looked++;
  let_go(w);
  return lifted;
}

// What was closed between a write and its handler may be written by now: the write is done once more, and if it fails
// again, it is somebody else's.
UNWATCHED static void on_fault(int sig, siginfo_t *info, void *context) {
  bool lifted = false;
  for (unsigned i = 0; i < HANDLED && !lifted; i++) {
    __atomic_fetch_add(&looking[i], 1, __ATOMIC_SEQ_CST);
    lifted = lift(__atomic_load_n(&handled[i], __ATOMIC_SEQ_CST), info->si_addr);
    __atomic_fetch_sub(&looking[i], 1, __ATOMIC_SEQ_CST);
  }
  const bool first = !lifted && info->si_code == SEGV_ACCERR && again != info->si_addr;
  again = first ? info->si_addr : NULL;
  if (!lifted && !first) pass_on(sig, info, context);
}

static bool protect_pages(cpu_writes *w, size_t first, size_t pages) {
  return !mprotect(w->at + first * PAGE, pages * PAGE, PROT_READ);
}

static toc_status open_faults(cpu_writes *w) {
  struct sigaction now, act = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  unsigned i = 0;
  cpu_writes *none = NULL;
  w->bits = calloc((w->pages + 63) / 64, sizeof *w->bits);
  if (!w->bits) return TOC_E_NOMEM;
  while (i < HANDLED && !__atomic_compare_exchange_n(&handled[i], &none, w, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    none = NULL, i++;
  if (i == HANDLED || sigaction(SIGSEGV, NULL, &now)) return TOC_E_SUPPORT;
  if (now.sa_sigaction != on_fault) {
    before = now;
    if (sigaction(SIGSEGV, &act, NULL)) return TOC_E_SUPPORT;
  }
  return works(protect_pages(w, 0, w->pages));
}

static void close_faults(cpu_writes *w) {
  mprotect(w->at, w->pages * PAGE, PROT_READ | PROT_WRITE);
  for (unsigned i = 0; i < HANDLED; i++) {
    if (__atomic_load_n(&handled[i], __ATOMIC_SEQ_CST) != w) continue;
    __atomic_store_n(&handled[i], NULL, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&looking[i], __ATOMIC_SEQ_CST)) sched_yield();  // handlers that have found it there
  }
  free(w->bits);
}

static bool get_faults(cpu_writes *w, uint64_t *map) {
  size_t bytes = (w->pages + 63) / 64 * sizeof *map;
  hold(w);
  memcpy(map, w->bits, bytes);
  memset(w->bits, 0, bytes);
  bool good = each_run(w, map, protect_pages);
  let_go(w);
  return good;
}

// ---- everything -----------------------------------------------------------------------------------------------------

static toc_status open_everything(cpu_writes *w) { return works(w->pages > 0); }

static bool get_everything(cpu_writes *w, uint64_t *map) {
  for (size_t i = 0; i < w->pages; i++) map[i / 64] |= 1ull << i % 64;
  w->looked += w->pages;
  return true;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

static const struct {
  toc_status (*open)(cpu_writes *w);
  bool (*get)(cpu_writes *w, uint64_t *map);
} ways[CPU_WAYS] = {
    {open_uffd, get_uffd}, {open_soft, get_soft}, {open_faults, get_faults}, {open_everything, get_everything}};

void cpu_writes_close(cpu_writes *w) {
  if (!w) return;
  if (w->way == CPU_FAULTS) close_faults(w);
  if (w->way == CPU_SOFT_DIRTY) __atomic_fetch_sub(&soft_users, 1, __ATOMIC_SEQ_CST);
  if (w->fd >= 0) close(w->fd);
  if (w->map >= 0) close(w->map);
  free(w);
}

static toc_status open_way(void *ptr, size_t bytes, cpu_way way, cpu_writes **w) {
  cpu_writes *n = calloc(1, sizeof *n);
  if (!n) return TOC_E_NOMEM;
  *n = (cpu_writes){.way = way, .at = ptr, .pages = bytes / PAGE, .fd = -1, .map = -1};
  toc_status s = ways[way].open(n);
  if (s == TOC_OK)
    *w = n;
  else
    cpu_writes_close(n);
  return s;
}

// E_SUPPORT; E_NOMEM: that is not known.
static toc_status try(cpu_way way) {
  uint64_t map = 0;
  cpu_writes *w = NULL;
  uint8_t *p = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return TOC_E_NOMEM;
  p[0] = p[PAGE] = 1;
  toc_status s = open_way(p, 3 * PAGE, way, &w);
  if (s == TOC_OK) {
    p[PAGE] = p[2 * PAGE] = 2;
    s = works(cpu_writes_get(w, &map) == TOC_OK && map == (way == CPU_EVERYTHING ? 7 : 6));
  }
  cpu_writes_close(w);
  munmap(p, 3 * PAGE);
  return s;
}

bool cpu_way_works(cpu_way way) { return way < CPU_WAYS && try(way) == TOC_OK; }

toc_status cpu_writes_open(void *ptr, size_t bytes, cpu_way way, cpu_writes **w) {
  *w = NULL;
  if (!ptr || (uintptr_t)ptr % PAGE || !bytes || bytes % PAGE || way > CPU_WAYS) return TOC_E_ARG;
  if (way < CPU_WAYS) {
    toc_status s = try(way);
    return s == TOC_OK ? open_way(ptr, bytes, way, w) : s;
  }
  toc_status e = TOC_E_SUPPORT;
  for (unsigned i = 0; e == TOC_E_SUPPORT && i < CPU_WAYS; i++) e = cpu_writes_open(ptr, bytes, (cpu_way)i, w);
  return e;
}

toc_status cpu_writes_get(cpu_writes *w, uint64_t *bitmap) {
  memset(bitmap, 0, (w->pages + 63) / 64 * sizeof *bitmap);
  return ways[w->way].get(w, bitmap) ? TOC_OK : TOC_E_IO;
}

// ---- the CPU's view -------------------------------------------------------------------------------------------------

toc_status cpu_view_open(void *ptr, size_t bytes, void **view) {
  int fd = memfd_create("tocsin-view", MFD_CLOEXEC);
  void *v = MAP_FAILED;
  if (fd >= 0 && !ftruncate(fd, (off_t)bytes)) v = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (v != MAP_FAILED && mmap(ptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
    munmap(v, bytes);
    v = MAP_FAILED;
  }
  if (fd >= 0) close(fd);
  *view = v == MAP_FAILED ? NULL : v;
  return *view ? TOC_OK : TOC_E_NOMEM;
}

void cpu_view_close(void *view, size_t bytes) {
  if (view) munmap(view, bytes);
}
