// SPDX-License-Identifier: Apache-2.0
// Waiting: for words of this PE that others change, and in general.
#include <sched.h>
#include <time.h>

#include "world.h"

enum { BUSY_TURNS = 50, NAP_NS = 50000, NAPS_UNTIL_LONGER = 16, NAP_MOST = 8, WATCH_US = 2000000, TRIES = 64 };

// What comes is taken in by the driver's thread; doing some of its work here saves a change of threads. Who waits long
// sleeps longer, and leaves the processor to those for whom it waits.
void shm_pause(unsigned *turn) {
  const unsigned busy = BUSY_TURNS, t = ++*turn;
  if (shm.f && toc_progress(shm.f)) {
    *turn = t < busy ? 0 : busy;
  } else if (t < busy) {
    sched_yield();
  } else {
    const unsigned longer = 1 + (t - busy) / NAPS_UNTIL_LONGER;
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS * (long)(longer < NAP_MOST ? longer : NAP_MOST)}, NULL);
  }
}

uint64_t shm_clock_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

// Of a PE that is gone nothing would ever come. So from time to time one is sent a put of no bytes, whose
// acknowledgement is a sign of life.
static void watch(shm_watch *w, int pe, uint64_t every_us) {
  const uint64_t now = shm_clock_us();
  if (w->next_us && now < w->next_us) return;
  const bool first = !w->next_us;
  w->next_us = now + (first ? WATCH_US : every_us);
  if (first) return;
  const toc_status s = w->sign.qp ? toc_wait(w->sign, 1) : TOC_OK;
  if (s == TOC_E_TIMEOUT) return;
  shm_must(s, "waiting", w->pe);
  w->pe = pe;
  shm_must(toc_put(shm.pair[pe].qp, NULL, shm.pair[pe].area, 0, &w->sign), "waiting", pe);
}

void shm_watch_pe(shm_watch *w, int pe) { watch(w, pe, WATCH_US); }

// Each of the others has its turn in WATCH_US.
static void watch_any(shm_watch *w) {
  if (shm.n == 1) return;
  const int next = (w->pe + 1) % shm.n;
  watch(w, next == shm.me ? (next + 1) % shm.n : next, WATCH_US / (uint64_t)(shm.n - 1));
}

void shm_pause_for_any(shm_watch *w) {
  watch_any(w);
  shm_pause(&w->turn);
}

// Who tests in a loop waits, too. The program pauses, or does not: even the clock is not looked at each time.
void shm_tried(void) {
  static _Thread_local unsigned tries;
  static _Thread_local shm_watch w;
  if (++tries % TRIES == 0) watch_any(&w);
}

void shm_wait_word(const uint64_t *word, uint64_t mask, uint64_t want, int pe) {
  shm_watch watch = {0};
  while ((toc_load(word) & mask) != want) {
    shm_watch_pe(&watch, pe);
    const toc_status s = toc_wait_word(shm.f, word, mask, want, WATCH_US);
    if (s != TOC_E_TIMEOUT) shm_must(s, "waiting", pe);
  }
}

static bool is_out(const int *status, size_t i) { return status && status[i]; }

static bool waits(size_t nelems, const int *status) {
  for (size_t i = 0; i < nelems; i++)
    if (!is_out(status, i)) return true;
  return false;
}

static void need(const char *what, int cmp) {
  shm_need_open(what);
  if (cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_GE) shm_die("%s: there is no comparison %d", what, cmp);
}

// Where the search of `any` begins: one that is always true must not hide the others.
static _Thread_local size_t rotation;

// P: shmem_NAME; S: _vector or nothing; V, WANT: the last argument, and what element i is compared with.
#define DEFINE_SET(P, NAME, T, S, V, WANT)                                                                   \
  size_t P##_test_some##S(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, V) {         \
    size_t n = 0;                                                                                            \
    need("shmem_test_some", cmp);                                                                            \
    shm_tried();                                                                                             \
    for (size_t i = 0; i < nelems; i++)                                                                      \
      if (!is_out(status, i) && is_##NAME(&ivars[i], cmp, WANT)) indices[n++] = i;                           \
    return n;                                                                                                \
  }                                                                                                          \
  size_t P##_test_any##S(T *ivars, size_t nelems, const int *status, int cmp, V) {                           \
    need("shmem_test_any", cmp);                                                                             \
    shm_tried();                                                                                             \
    for (size_t k = 0; k < nelems; k++) {                                                                    \
      const size_t i = (rotation + k) % nelems;                                                              \
      if (is_out(status, i) || !is_##NAME(&ivars[i], cmp, WANT)) continue;                                   \
      rotation = i + 1;                                                                                      \
      return i;                                                                                              \
    }                                                                                                        \
    return SIZE_MAX;                                                                                         \
  }                                                                                                          \
  int P##_test_all##S(T *ivars, size_t nelems, const int *status, int cmp, V) {                              \
    need("shmem_test_all", cmp);                                                                             \
    shm_tried();                                                                                             \
    for (size_t i = 0; i < nelems; i++)                                                                      \
      if (!is_out(status, i) && !is_##NAME(&ivars[i], cmp, WANT)) return 0;                                  \
    return 1;                                                                                                \
  }                                                                                                          \
  void P##_wait_until_all##S(T *ivars, size_t nelems, const int *status, int cmp, V) {                       \
    shm_watch w = {0};                                                                                       \
    while (!P##_test_all##S(ivars, nelems, status, cmp, LAST_##S)) shm_pause_for_any(&w);                    \
  }                                                                                                          \
  size_t P##_wait_until_any##S(T *ivars, size_t nelems, const int *status, int cmp, V) {                     \
    shm_watch w = {0};                                                                                       \
    size_t i = SIZE_MAX;                                                                                     \
    while (waits(nelems, status) && (i = P##_test_any##S(ivars, nelems, status, cmp, LAST_##S)) == SIZE_MAX) \
      shm_pause_for_any(&w);                                                                                 \
    return i;                                                                                                \
  }                                                                                                          \
  size_t P##_wait_until_some##S(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, V) {   \
    shm_watch w = {0};                                                                                       \
    size_t n = 0;                                                                                            \
    while (waits(nelems, status) && !(n = P##_test_some##S(ivars, nelems, indices, status, cmp, LAST_##S)))  \
      shm_pause_for_any(&w);                                                                                 \
    return n;                                                                                                \
  }
#define LAST_ cmp_value
#define LAST__vector cmp_values

#define DEFINE_WAIT(NAME, T)                                        \
  static bool is_##NAME(const T *ivar, int cmp, T value) {          \
    const T now = __atomic_load_n(ivar, __ATOMIC_SEQ_CST);          \
    switch (cmp) {                                                  \
      case SHMEM_CMP_EQ: return now == value;                       \
      case SHMEM_CMP_NE: return now != value;                       \
      case SHMEM_CMP_GT: return now > value;                        \
      case SHMEM_CMP_LE: return now <= value;                       \
      case SHMEM_CMP_LT: return now < value;                        \
      default: return now >= value;                                 \
    }                                                               \
  }                                                                 \
  int shmem_##NAME##_test(T *ivar, int cmp, T cmp_value) {          \
    need("shmem_test", cmp);                                        \
    shm_tried();                                                    \
    return is_##NAME(ivar, cmp, cmp_value);                         \
  }                                                                 \
  void shmem_##NAME##_wait_until(T *ivar, int cmp, T cmp_value) {   \
    shm_watch w = {0};                                              \
    need("shmem_wait_until", cmp);                                  \
    while (!is_##NAME(ivar, cmp, cmp_value)) shm_pause_for_any(&w); \
  }                                                                 \
  DEFINE_SET(shmem_##NAME, NAME, T, , T cmp_value, cmp_value)       \
  DEFINE_SET(shmem_##NAME, NAME, T, _vector, T *cmp_values, cmp_values[i])
TOCSIN_SHMEM_WAIT_TYPES(DEFINE_WAIT)

uint64_t shmem_signal_fetch(const uint64_t *sig_addr) {
  shm_need_open("shmem_signal_fetch");
  shm_tried();
  return __atomic_load_n(sig_addr, __ATOMIC_SEQ_CST);
}

uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value) {
  shm_watch w = {0};
  need("shmem_signal_wait_until", cmp);
  for (;;) {
    const uint64_t now = shmem_signal_fetch(sig_addr);
    if (is_uint64(&now, cmp, cmp_value)) return now;
    shm_pause_for_any(&w);
  }
}
