// SPDX-License-Identifier: Apache-2.0
// cpu_writes.h in every way that works here: exactly the pages that the CPU has written, those of a device not, nothing
// lost while other threads write, also when it is closed beside them; and what cannot be is refused. It says which ways
// it tried.
#include "cpu_writes.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { PAGE = 4096, PAGES = 700, WORDS = (PAGES + 63) / 64, BYTES = PAGES * PAGE, THREADS = 3, STORES = 40000 };

static unsigned good, bad;

static void is(bool right, const char *way, const char *what) {
  if (right) {
    good++;
    return;
  }
  bad++;
  printf("failed: %s: %s\n", way, what);
}

static uint64_t next(uint64_t *x) { return *x = *x * 6364136223846793005ull + 1442695040888963407ull; }
static bool bit(const uint64_t *map, unsigned i) { return map[i / 64] >> i % 64 & 1; }

// Rounds of writes to pages by chance, some of them the same; between them the bitmap has these and no others.
static void exact(cpu_way way, uint8_t *cpu, uint8_t *device) {
  const char *name = cpu_way_name(way);
  uint64_t map[WORDS], want[WORDS], x = 7;
  cpu_writes *w;
  is(cpu_writes_open(cpu, BYTES, way, &w) == TOC_OK, name, "opening it");
  if (!w) return;
  is(cpu_writes_way(w) == way, name, "its way");
  for (unsigned round = 0; round < 20; round++) {
    memset(want, 0, sizeof want);
    for (unsigned i = 0; i < 4 * round; i++) {
      unsigned page = (unsigned)(next(&x) >> 33) % PAGES;
      cpu[page * PAGE + (next(&x) >> 33) % PAGE]++;
      want[page / 64] |= 1ull << page % 64;
      device[(next(&x) >> 33) % BYTES]++;  // by its own address, so not the CPU's
    }
    is(cpu_writes_get(w, map) == TOC_OK && !memcmp(map, want, sizeof map), name, "the pages that were written");
  }
  memset(want, 0, sizeof want);
  is(cpu_writes_get(w, map) == TOC_OK && !memcmp(map, want, sizeof map), name, "no pages, when none was written");
  memset(cpu, 9, BYTES);
  is(cpu_writes_get(w, map) == TOC_OK, name, "the bitmap");
  for (unsigned i = 0; i < PAGES; i++)
    if (!bit(map, i)) is(false, name, "a page of all");
  is(cpu_writes_looked(w) >= PAGES, name, "how much was looked at");
  cpu_writes_close(w);
  memset(cpu, 0, BYTES);  // nothing is protected any more
  is(!memcmp(cpu, device, BYTES), name, "both addresses are one memory");
}

typedef struct writer {
  pthread_t thread;
  uint64_t *at;  // words that are its own
  uint64_t x;
} writer;

static void *scribble(void *arg) {
  writer *t = arg;
  for (unsigned i = 0; i < STORES; i++)
    __atomic_fetch_add(&t->at[(next(&t->x) >> 33) % (BYTES / 8 / THREADS) * THREADS], 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void save(cpu_writes *w, uint64_t *saved, const uint64_t *memory, const char *name) {
  uint64_t map[WORDS];
  is(cpu_writes_get(w, map) == TOC_OK, name, "the bitmap beside writers");
  for (unsigned i = 0; i < PAGES; i++)
    for (unsigned k = 0; bit(map, i) && k < PAGE / 8; k++)
      saved[i * PAGE / 8 + k] = __atomic_load_n(&memory[i * PAGE / 8 + k], __ATOMIC_SEQ_CST);
}

// What is saved while threads write is, after one more time, what memory is.
static void beside(cpu_way way, uint8_t *cpu) {
  const char *name = cpu_way_name(way);
  uint64_t *memory = (uint64_t *)(void *)cpu, *saved = calloc(1, BYTES);
  writer t[THREADS];
  cpu_writes *w;
  memset(cpu, 0, BYTES);
  is(saved && cpu_writes_open(cpu, BYTES, way, &w) == TOC_OK, name, "opening it once more");
  if (!saved || !w) exit(1);
  for (unsigned i = 0; i < THREADS; i++) {
    t[i] = (writer){.at = memory + i, .x = i};
    if (pthread_create(&t[i].thread, NULL, scribble, &t[i])) exit(1);
  }
  for (unsigned i = 0; i < 60; i++) save(w, saved, memory, name);
  for (unsigned i = 0; i < THREADS; i++) pthread_join(t[i].thread, NULL);
  save(w, saved, memory, name);
  is(!memcmp(saved, memory, BYTES), name, "a write beside others is not lost");
  cpu_writes_close(w);
  free(saved);
}

static unsigned mappings(void) {
  FILE *f = fopen("/proc/self/maps", "r");
  unsigned n = 0;
  for (int c; f && (c = getc(f)) != EOF;) n += c == '\n';
  if (f) fclose(f);
  return n;
}

static void refused(uint8_t *cpu) {
  cpu_writes *w = NULL, *v = NULL;
  is(cpu_writes_open(cpu + 8, PAGE, CPU_WAYS, &w) == TOC_E_ARG && !w, "any", "not a page");
  is(cpu_writes_open(cpu, PAGE + 1, CPU_WAYS, &w) == TOC_E_ARG && !w, "any", "not whole pages");
  is(cpu_writes_open(cpu, 0, CPU_WAYS, &w) == TOC_E_ARG && !w, "any", "nothing");
  is(cpu_writes_open(cpu, PAGE, (cpu_way)(CPU_WAYS + 1), &w) == TOC_E_ARG && !w, "any", "no such way");
  unsigned works = 0, before = mappings();
  for (unsigned i = 0; i < 10; i++) works += cpu_way_works(CPU_WAYS);
  is(!works && before && mappings() < before + 10, "any", "no memory is kept for a way that there is not");
  is(cpu_way_named("faults") == CPU_FAULTS && cpu_way_named("none") == CPU_WAYS, "any", "names");
  is(cpu_writes_open(cpu, PAGE, CPU_FAULTS, &w) == TOC_OK &&
         cpu_writes_open(cpu + PAGE, PAGE, CPU_FAULTS, &v) == TOC_OK,
     "faults", "two ranges");
  uint64_t a = 0, b = 0;
  cpu[PAGE] = 1;
  is(cpu_writes_get(w, &a) == TOC_OK && cpu_writes_get(v, &b) == TOC_OK && !a && b == 1, "faults",
     "each its own pages");
  cpu_writes_close(w);
  cpu_writes_close(v);
}

// A handler of the program's own mends a page of its own, and both go on.
static uint8_t *other;
static volatile sig_atomic_t mended;
static void mends(int signal, siginfo_t *info, void *context) {
  (void)context;
  if ((uint8_t *)info->si_addr != other || mprotect(other, PAGE, PROT_READ | PROT_WRITE))
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  mended++;
}
static void shared(uint8_t *cpu) {
  struct sigaction was;
  cpu_writes *w = NULL;
  uint64_t map = 0;
  other = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  is(other != MAP_FAILED &&
         !sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = mends, .sa_flags = SA_SIGINFO}, &was) &&
         cpu_writes_open(cpu, 2 * PAGE, CPU_FAULTS, &w) == TOC_OK,
     "faults", "a handler before it");
  if (!w) return;
  *(volatile uint8_t *)other = 1;
  *(volatile uint8_t *)(cpu + PAGE) = 1;
  is(mended == 1 && cpu_writes_get(w, &map) == TOC_OK && map == 2, "faults", "what is another's is mended by that");
  cpu_writes_close(w);
  munmap(other, PAGE);
  sigaction(SIGSEGV, &was, NULL);
}

// Memory runs out: that is said, and not that there is no such way, which would be believed.
static void out_of_memory(uint8_t *cpu) {
  struct rlimit was, none;
  cpu_writes *w, *v;
  if (getrlimit(RLIMIT_AS, &was)) exit(1);
  none = (struct rlimit){0, was.rlim_max};
  setrlimit(RLIMIT_AS, &none);
  toc_status s = cpu_writes_open(cpu, PAGE, CPU_FAULTS, &w), any = cpu_writes_open(cpu, PAGE, CPU_WAYS, &v);
  setrlimit(RLIMIT_AS, &was);
  is(s == TOC_E_NOMEM && !w, "faults", "without memory");
  is(any == TOC_E_NOMEM && !v, "any", "without memory");
}

// Others write to pages whose watch is closed and opened all the time; a second one goes on.
static bool enough;
static void *write_on(void *at) {
  for (size_t i = 0; !__atomic_load_n(&enough, __ATOMIC_SEQ_CST); i += 61 * PAGE)
    ((volatile uint8_t *)at)[i % (PAGES / 2 * PAGE)]++;
  return NULL;
}
static void closed_beside(uint8_t *cpu) {
  uint8_t *second = cpu + PAGES / 2 * PAGE;
  pthread_t thread[THREADS];
  cpu_writes *w, *v;
  uint64_t map;
  bool seen = true;
  is(cpu_writes_open(second, PAGE, CPU_FAULTS, &v) == TOC_OK, "faults", "a second one");
  for (unsigned i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, write_on, cpu + i)) exit(1);
  for (unsigned i = 0; i < 1000; i++) {
    seen &= cpu_writes_open(cpu, PAGES / 2 * PAGE, CPU_FAULTS, &w) == TOC_OK;
    cpu_writes_close(w);
    second[0]++;
    seen &= cpu_writes_get(v, &map) == TOC_OK && map == 1;
  }
  __atomic_store_n(&enough, true, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  is(seen, "faults", "one that others write beside when it is closed");
  cpu_writes_close(v);
}

int main(void) {
  uint8_t *device = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void *view;
  if (device == MAP_FAILED || cpu_view_open(device, BYTES, &view) != TOC_OK) return 1;
  for (unsigned i = 0; i < CPU_EVERYTHING; i++) {
    cpu_way way = (cpu_way)i;
    printf("%s: %s\n", cpu_way_name(way), cpu_way_works(way) ? "works here" : "does not work here");
    if (!cpu_way_works(way)) {
      cpu_writes *w;
      is(cpu_writes_open(view, BYTES, way, &w) == TOC_E_SUPPORT && !w, cpu_way_name(way), "it is refused");
      continue;
    }
    exact(way, view, device);
    if (way != CPU_SOFT_DIRTY) beside(way, view);
  }
  is(cpu_way_works(CPU_FAULTS), "faults", "it works everywhere");
  is(cpu_way_works(CPU_EVERYTHING), "everything", "it works everywhere");
  refused(view);
  shared(view);
  out_of_memory(view);
  closed_beside(view);
  cpu_view_close(view, BYTES);
  munmap(device, BYTES);
  printf("cpu writes: %u passed, %u failed\n", good, bad);
  return bad != 0;
}
