// SPDX-License-Identifier: Apache-2.0
// What orders PEs: waiting and testing, signals, locks, barriers of all and of some.
#include "check.h"

enum { WORDS = 6, ROUNDS = 10 };

static int me, n, to, from;

#define WAIT(NAME, T)                                                                                                 \
  static void wait_##NAME(void) {                                                                                     \
    static T w[WORDS];                                                                                                \
    T want[WORDS];                                                                                                    \
    int status[WORDS] = {0, 1, 0, 0, 1, 0};                                                                           \
    size_t which[WORDS], seen = 0;                                                                                    \
    for (int i = 0; i < WORDS; i++) w[i] = 1, want[i] = (T)(10 + i);                                                  \
    shmem_barrier_all();                                                                                              \
    CHECK(shmem_##NAME##_test(w, SHMEM_CMP_EQ, 1) && !shmem_##NAME##_test(w, SHMEM_CMP_NE, 1));                       \
    CHECK(shmem_##NAME##_test(w, SHMEM_CMP_GT, 0) && !shmem_##NAME##_test(w, SHMEM_CMP_GT, 1));                       \
    CHECK(shmem_##NAME##_test(w, SHMEM_CMP_GE, 1) && !shmem_##NAME##_test(w, SHMEM_CMP_GE, 2));                       \
    CHECK(shmem_##NAME##_test(w, SHMEM_CMP_LT, 2) && !shmem_##NAME##_test(w, SHMEM_CMP_LT, 1));                       \
    CHECK(shmem_##NAME##_test(w, SHMEM_CMP_LE, 1) && !shmem_##NAME##_test(w, SHMEM_CMP_LE, 0));                       \
    CHECK(shmem_##NAME##_test_any(w, WORDS, NULL, SHMEM_CMP_EQ, 7) == SIZE_MAX);                                      \
    CHECK(!shmem_test_all_vector(w, WORDS, status, SHMEM_CMP_EQ, want));                                              \
    shmem_barrier_all();                                                                                              \
    for (int i = WORDS; i-- > 0;) shmem_##NAME##_p(&w[i], want[i], to);                                               \
    shmem_##NAME##_wait_until(&w[1], SHMEM_CMP_EQ, want[1]);                                                          \
    bool got[WORDS] = {false};                                                                                        \
    while (seen < 4) {                                                                                                \
      const size_t i = shmem_##NAME##_wait_until_any_vector(w, WORDS, status, SHMEM_CMP_EQ, want);                    \
      CHECK(i < WORDS && !got[i] && (i != 1 && i != 4) && w[i] == want[i]);                                           \
      if (i >= WORDS) break;                                                                                          \
      got[i] = true;                                                                                                  \
      status[i] = 1;                                                                                                  \
      seen++;                                                                                                         \
    }                                                                                                                 \
    CHECK(shmem_##NAME##_wait_until_any(w, WORDS, status, SHMEM_CMP_EQ, 0) == SIZE_MAX);                              \
    CHECK(shmem_##NAME##_wait_until_some(w, WORDS, which, status, SHMEM_CMP_EQ, 0) == 0);                             \
    shmem_##NAME##_wait_until_all_vector(w, WORDS, NULL, SHMEM_CMP_GE, want);                                         \
    shmem_wait_until_all(w, WORDS, NULL, SHMEM_CMP_GE, (T)10);                                                        \
    CHECK(shmem_##NAME##_wait_until_some(w, WORDS, which, NULL, SHMEM_CMP_GT, 13) == 2);                              \
    CHECK(which[0] + which[1] == 9 && shmem_test_some(w, WORDS, which, NULL, SHMEM_CMP_LT, (T)11) == 1 && !which[0]); \
    CHECK(shmem_##NAME##_test_some_vector(w, WORDS, which, NULL, SHMEM_CMP_EQ, want) == WORDS);                       \
    CHECK(shmem_##NAME##_test_all(w, WORDS, NULL, SHMEM_CMP_NE, 99) &&                                                \
          shmem_##NAME##_test_all(w, 0, NULL, SHMEM_CMP_EQ, 0));                                                      \
    CHECK(shmem_##NAME##_test_any_vector(w, WORDS, NULL, SHMEM_CMP_LE, want) < WORDS);                                \
  }
TOCSIN_SHMEM_WAIT_TYPES(WAIT)

// One that is always true does not hide the others from who asks again and again.
static void nobody_starves(void) {
  static int w[3] = {1, 0, 1};
  size_t seen[3] = {0};
  for (int i = 0; i < 10; i++) seen[shmem_int_test_any(w, 3, NULL, SHMEM_CMP_EQ, 1)]++;
  CHECK(seen[0] && seen[2] && !seen[1]);
}

// Data are there before their signal, however many; signals add up.
static void signals(void) {
  enum { MOST = 9000 };
  static uint64_t sig, count;
  static uint8_t data[300];
  uint8_t *far = shmem_calloc(MOST, 1), own[MOST];
  for (int r = 1; r <= ROUNDS; r++) {
    const size_t len = (size_t)r * 7919 % MOST;
    memset(own, r + me, len);
    if (r % 2)
      shmem_putmem_signal(far, own, len, &sig, (uint64_t)r, SHMEM_SIGNAL_SET, to);
    else
      shmem_put_signal_nbi(SHMEM_CTX_DEFAULT, far, own, len, &sig, (uint64_t)r, SHMEM_SIGNAL_SET, to);
    CHECK(shmem_signal_wait_until(&sig, SHMEM_CMP_GE, (uint64_t)r) == (uint64_t)r);
    for (size_t i = 0; i < len; i++)
      if (far[i] != (uint8_t)(r + from)) {
        CHECK(far[i] == (uint8_t)(r + from));
        break;
      }
    shmem_put8_signal(data, own, 300, &count, 3, SHMEM_SIGNAL_ADD, to);
    shmem_barrier_all();
    CHECK(shmem_signal_fetch(&count) == (uint64_t)r * 3 && data[299] == (len > 299 ? (uint8_t)(r + from) : data[299]));
    shmem_barrier_all();
  }
  shmem_free(far);
}

// A counter without atomics, in static data and in the heap, under a lock.
static void locks(void) {
  static long lock, other;
  static int counter;
  int *heap = shmem_calloc(1, sizeof *heap), tried = 0;
  for (int r = 0; r < ROUNDS; r++) {
    shmem_set_lock(&lock);
    const int a = shmem_g(&counter, n - 1), b = shmem_g(heap, 0);
    shmem_p(&counter, a + 1, n - 1);
    shmem_p(heap, b + 1, 0);
    shmem_clear_lock(&lock);
    while (shmem_test_lock(&other)) tried++;
    const int c = shmem_g(heap + 0, 0);
    CHECK(c >= b);
    shmem_clear_lock(&other);
  }
  shmem_barrier_all();
  CHECK(shmem_g(&counter, n - 1) == n * ROUNDS && shmem_g(heap, 0) == n * ROUNDS);
  shmem_barrier_all();
  if (me == n - 1) {
    shmem_set_lock(&lock);
    CHECK(shmem_test_lock(&lock) == 1);
  }
  shmem_barrier_all();
  if (n > 1 && me == 0) CHECK(shmem_test_lock(&lock) == 1);
  shmem_barrier_all();
  if (me == n - 1) shmem_clear_lock(&lock);
  shmem_barrier_all();
  CHECK(lock == 0 && other == 0);
  shmem_free(heap);
}

// Nobody leaves a barrier before all have come, and what was put before is there.
static void barriers(void) {
  static long psync[SHMEM_BARRIER_SYNC_SIZE];
  int *seen = shmem_calloc((size_t)n, sizeof *seen);
  const int evens = (n + 1) / 2;
  for (int r = 1; r <= ROUNDS; r++) {
    for (int pe = 0; pe < n; pe++) shmem_int_p(&seen[me], r, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) CHECK(seen[pe] == r);
    shmem_sync_all();
    if (me % 2 == 0) {
      for (int pe = 0; pe < n; pe += 2) shmem_int_p(&seen[me], -r, pe);
      shmem_barrier(0, 1, evens, psync);
      for (int pe = 0; pe < n; pe += 2) CHECK(seen[pe] == -r);
      (shmem_sync)(0, 1, evens, psync);
    }
    shmem_fence();
    shmem_sync(SHMEM_TEAM_WORLD);
  }
  shmem_free(seen);
}

int main(void) {
  int provided = -1, asked = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
  shmem_query_thread(&asked);
  CHECK(asked == provided);
  me = shmem_my_pe();
  n = shmem_n_pes();
  to = (me + 1) % n;
  from = (me + n - 1) % n;
#define RUN(NAME, T) wait_##NAME();
  TOCSIN_SHMEM_WAIT_TYPES(RUN)
  nobody_starves();
  signals();
  locks();
  barriers();
  return check_end("sync");
}
