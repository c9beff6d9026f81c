// SPDX-License-Identifier: Apache-2.0
// Threads of a PE, each in collectives of a team of its own, at once: what one team sends is never taken for another's,
// and a team whose PEs do not come yet holds up no other.
#include <pthread.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 15, MESSAGES = 12, WORDS = 700 };

static int me, n;
static shmem_team_t team[THREADS];
static int wrong[THREADS];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;  // the main thread has it until its collectives are over

static long word_of(int t, int r, int pe, int i) { return ((long)t * ROUNDS + r) * 100000 + pe * 1000 + i; }

// One after the other, longer than a slot or not.
static void data(int t, int r, shmem_team_t its) {
  long own[WORDS], got[WORDS * 4];
  const size_t words = r % 2 ? WORDS : 3;
  const int root = (r + t) % n;
  for (int i = 0; i < WORDS; i++) own[i] = word_of(t, r, me, i);
  shmem_long_broadcast(its, got, own, words, root);
  for (size_t i = 0; i < words; i++) wrong[t] += got[i] != word_of(t, r, root, (int)i);
  shmem_long_fcollect(its, got, own, words);
  for (int pe = 0; pe < n; pe++)
    for (size_t i = 0; i < words; i++) wrong[t] += got[(size_t)pe * words + i] != word_of(t, r, pe, (int)i);
  shmem_long_sum_reduce(its, got, own, 2);
  wrong[t] += got[1] - got[0] != n;
  shmem_long_alltoall(its, got, own, 1);
  for (int pe = 0; pe < n; pe++) wrong[t] += got[pe] != word_of(t, r, pe, me);
}

static void *thread(void *arg) {
  const int t = (int)(intptr_t)arg;
  for (int r = 0; r < ROUNDS; r++) {
    shmem_team_t back = SHMEM_TEAM_INVALID, row, column;
    data(t, r, team[t]);
    wrong[t] += shmem_team_sync(team[t]) != 0;
    // new teams, while the other threads make theirs
    wrong[t] += shmem_team_split_strided(team[t], n - 1, -1, n, NULL, 0, &back) != 0;
    wrong[t] += shmem_team_split_2d(team[t], 2, NULL, 0, &row, NULL, 0, &column) != 0;
    int seen = 0;
    const int index = shmem_team_my_pe(back);
    shmem_int_max_reduce(back, &seen, &index, 1);
    wrong[t] += index != n - 1 - me || seen != n - 1;
    shmem_int_max_reduce(row, &seen, &me, 1);
    wrong[t] += seen != (me | 1) && seen != n - 1;
    shmem_team_destroy(row);
    shmem_team_destroy(back);
    shmem_team_destroy(column);
  }
  return NULL;
}

// Root t of team t is ahead of all others, who come when the main threads have met often enough.
static void *ahead(void *arg) {
  const int t = (int)(intptr_t)arg;
  if (me != t % n) pthread_mutex_lock(&gate);
  if (me != t % n) pthread_mutex_unlock(&gate);
  for (int i = 0; i < MESSAGES; i++) {
    long got = 0;
    const long own = word_of(t, i, me, i);
    shmem_long_broadcast(team[t], &got, &own, 1, t % n);
    wrong[t] += got != word_of(t, i, t % n, i);
  }
  return NULL;
}

// Each of the first PEs is root of a team of its own, with more than a channel has room for, before it takes what the
// other roots send; the others begin with any of them. Who waits, for room or for a message, has to take in what comes,
// or they all wait for each other.
static void circle(void) {
  const int roots = n < THREADS ? n : THREADS;
  for (int step = 0; step < roots; step++) {
    const int t = (step + (me < roots ? me : 0)) % roots;
    for (int i = 0; i < MESSAGES; i++) {
      long got = 0;
      const long own = word_of(t, i, me, i);
      shmem_long_broadcast(team[t], &got, &own, 1, t);
      CHECK(got == word_of(t, i, t, i));
    }
  }
  shmem_barrier_all();
}

static void run(void *(*what)(void *)) {
  pthread_t threads[THREADS];
  long sum;
  const long one = 1;
  pthread_mutex_lock(&gate);
  for (int t = 0; t < THREADS; t++) CHECK(!pthread_create(&threads[t], NULL, what, (void *)(intptr_t)t));
  for (int r = 0; r < 2 * ROUNDS; r++) {
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
    CHECK(sum == n);
    shmem_barrier_all();
  }
  pthread_mutex_unlock(&gate);
  for (int t = 0; t < THREADS; t++) CHECK(!pthread_join(threads[t], NULL));
  for (int t = 0; t < THREADS; t++) CHECK(wrong[t] == 0);
}

int main(void) {
  int provided = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
  n = shmem_n_pes();
  me = shmem_my_pe();
  for (int t = 0; t < THREADS; t++)
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team[t]) == 0 && team[t]);
  run(thread);
  run(ahead);
  for (int round = 0; round < ROUNDS; round++) circle();
  // numbers of teams are given back, and their end is said
  shmem_team_t many[600];
  int made = 0;
  for (int round = 0; round < 2; round++) {
    for (made = 0; made < 600; made++)
      if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &many[made])) break;
    CHECK(made > 400 && made < 600 && many[made] == SHMEM_TEAM_INVALID);
    for (int i = 0; i < made; i++) shmem_team_destroy(many[i]);
  }
  for (int t = 0; t < THREADS; t++) shmem_team_destroy(team[t]);
  return check_end("teams");
}
