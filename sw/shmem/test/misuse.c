// SPDX-License-Identifier: Apache-2.0
// misuse WHAT: a program that does something wrong, or ends in an unusual way. misuse.sh says what has to come of it.
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int word, me;
static uint64_t sig;
static long lock, psync[SHMEM_BARRIER_SYNC_SIZE];
static const char *what;

static int is(const char *name) { return !strcmp(what, name); }

static void wait_for_ever(void) { shmem_int_wait_until(&word, SHMEM_CMP_EQ, 99); }

static void memory(int *heap, int *on_stack) {
  if (is("pe")) shmem_int_p(&word, 1, 99);
  if (is("negative")) shmem_int_p(&word, 1, -1);
  if (is("stack")) shmem_int_p(on_stack, 1, 1 - me);
  if (is("past")) shmem_putmem(heap + 1000, heap, (size_t)1 << 40, 1 - me);
  if (is("private")) shmem_int_atomic_inc(on_stack, 1 - me);
  if (is("unaligned")) shmem_int64_atomic_inc((int64_t *)(void *)((char *)heap + 4), 1 - me);
  if (is("stride")) shmem_int_iput(heap, heap, 0, 1, 2, 1 - me);
  if (is("many")) shmem_putmem(heap, heap, SIZE_MAX, 1 - me);
  if (is("wraps")) shmem_put64(heap, heap, ((size_t)1 << 61) + 1, 1 - me);
  if (is("stride-wraps")) shmem_iput64(heap, heap, (ptrdiff_t)1 << 61, 1, 2, 1 - me);
  if (is("sizes")) (void)shmem_malloc(me ? 100 : 200);
  if (is("free")) shmem_free(heap + 1);
  if (is("twice-free")) shmem_free(heap), shmem_free(heap);
  if (is("align")) (void)shmem_align(24, 100);
}

// PE 0 has the lock; PE 1 does not, or waits for it.
static void lock_of_others(void) {
  if (!me) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (me && is("clear-others")) shmem_clear_lock(&lock);
  if (me) shmem_set_lock(&lock);
  if (is("clear-others")) wait_for_ever();
  sleep(1);  // PE 1 waits then, most likely; the sentence is the same if it does not
  shmem_set_lock(&lock);
}

// With one thread nobody else can be meant; with several it would wait for another thread to come.
static void other_teams(void) {
  shmem_team_t a, b;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &a);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &b);
  (void)shmem_team_sync(me ? a : b);
}

static void order(int *heap) {
  const int many[4] = {0};
  if (is("comparison")) shmem_int_wait_until(&word, 17, 0);
  if (is("other"))
    (void)(me ? shmem_int_broadcast(SHMEM_TEAM_WORLD, heap, many, 4, 0) : shmem_team_sync(SHMEM_TEAM_WORLD));
  if (is("operation")) (void)(me ? shmem_int_sum_reduce : shmem_int_max_reduce)(SHMEM_TEAM_WORLD, heap, many, 4);
  if (is("teams")) other_teams();
  if (is("root")) (void)shmem_int_broadcast(SHMEM_TEAM_WORLD, heap, many, 4, 2);
  if (is("set") && !me) wait_for_ever();
  if (is("set")) shmem_barrier(0, 0, 1, psync);
  if (is("team")) (void)shmem_team_sync(SHMEM_TEAM_INVALID);
  if (is("lock") && me) wait_for_ever();
  if (is("lock")) shmem_set_lock(&lock), shmem_set_lock(&lock);
  if (is("clear")) shmem_clear_lock(&lock);
  if (is("clear-others") || is("lock-waited")) lock_of_others();
  if (is("signal")) shmem_int_put_signal(heap, many, 4, (uint64_t *)heap, 1, 9, 1 - me);
}

static void *meet(void *arg) {
  (void)arg;
  shmem_sync_all();
  return NULL;
}

// Whichever of them comes second: PE 1 never comes.
static void two_threads(void) {
  pthread_t other;
  if (me) wait_for_ever();
  if (!pthread_create(&other, NULL, meet, NULL)) shmem_sync_all();
}

static void *asks(void *arg) {
  while (word >= 0) shmem_int_atomic_inc(&word, 1 - me);
  return arg;
}

// The main thread ends all PEs, or this one and so all, while another is in the library.
static void busy_thread(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, asks, NULL)) shmem_global_exit(96);
  shmem_barrier_all();
  if (me && is("exit-busy")) shmem_global_exit(6);
  if (me) exit(6);
  (void)pthread_join(other, NULL);
}

// A child that ends by exit is no PE: it ends nothing else.
static void forked(void) {
  int status = 1;
  for (int code = 0; code < 8; code += 7) {
    const pid_t child = fork();
    if (!child) exit(code);
    if (waitpid(child, &status, 0) != child || status != code << 8) shmem_global_exit(98);
  }
  shmem_barrier_all();
  shmem_int_atomic_inc(&word, 1 - me);
  shmem_barrier_all();
  if (word != 1) shmem_global_exit(97);
}

// Who is asked to end by SIGTERM does not.
static void stubborn(void) {
  signal(SIGTERM, SIG_IGN);
  shmem_barrier_all();
  if (me) raise(SIGABRT);
  wait_for_ever();
}

// PE 1 is not there any more, and its launcher does not mind. PE 0 waits for a message, an answer, room for a message,
// a word, a lock, or tests one of those again and again.
static void vanish(void) {
  if (is("vanish-lock") || is("vanish-test-lock")) {
    if (me) shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me) sleep(1);
  }
  if (!strncmp(what, "vanish", 6) && me) _exit(0);
  if (is("vanish-word")) shmem_int_wait_until(&word, SHMEM_CMP_NE, 0);
  if (is("vanish-lock")) shmem_set_lock(&lock);
  while (is("vanish-test")) usleep(1000), (void)shmem_int_test(&word, SHMEM_CMP_NE, 0);
  while (is("vanish-test-lock")) usleep(1000), (void)shmem_test_lock(&lock);
  while (is("vanish-signal")) usleep(1000), (void)shmem_signal_fetch(&sig);
  if (is("vanish-message")) shmem_barrier_all();
  while (is("vanish-answer")) (void)shmem_int_atomic_fetch(&word, 1);
  while (is("vanish-room")) shmem_int_broadcast(SHMEM_TEAM_WORLD, &word, &word, 1, 0);
}

static int ends(void) {
  if (is("exit") || is("exit-well")) {
    if (me) shmem_global_exit(is("exit") ? 7 : 0);
    wait_for_ever();
  }
  if (is("exit-busy") || is("leave-busy")) busy_thread();
  if (is("exit-all")) shmem_global_exit(0);
  if (is("leave") && me) exit(3);
  if (is("killed") && me) raise(SIGKILL);
  if (is("leave") || is("killed")) wait_for_ever();
  if (is("stubborn")) stubborn();
  vanish();
  if (is("forked")) forked();
  if (is("unfinished") || is("forked")) return 0;
  if (is("finished")) shmem_finalize();
  if (is("late")) shmem_finalize(), shmem_int_p(&word, 1, 0);
  return is("unfinished") || is("finished") ? 0 : 99;
}

int main(int argc, char **argv) {
  int on_stack = 0;
  what = argc == 2 ? argv[1] : "";
  if (is("early")) (void)shmem_my_pe();
  shmem_init_thread(is("teams") ? SHMEM_THREAD_SINGLE : SHMEM_THREAD_MULTIPLE, NULL);
  if (is("twice")) shmem_init();
  me = shmem_my_pe();
  int *heap = shmem_malloc(4096);
  memory(heap, &on_stack);
  order(heap);
  if (is("threads")) two_threads();
  return ends();
}
