// SPDX-License-Identifier: Apache-2.0
// Collectives that move bytes: by channels only, so data may lie anywhere.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coll.h"

// One thread at a time is in collectives of a team: messages of two of them would be taken for each other. Those of
// different teams are told apart by the team's number.
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void begin(shmem_team_t t) {
  shm_use *u = t->use;
  pthread_mutex_lock(&own);
  if (u->depth && !pthread_equal(u->who, pthread_self()))
    shm_die("two threads of this PE are in collectives of one team at once%s",
            t->id == SHM_ID_ACTIVE ? ", as which all active sets count" : "");
  u->who = pthread_self();
  u->depth++;
  pthread_mutex_unlock(&own);
}

static void end(shmem_team_t t) {
  pthread_mutex_lock(&own);
  t->use->depth--;
  pthread_mutex_unlock(&own);
}

static unsigned what(const struct tocsin_shmem_team *t, shm_kind kind) { return t->id << SHM_KIND_BITS | kind; }

static int world_pe(shmem_team_t t, int i) { return t->start + (i % t->size + t->size) % t->size * t->stride; }

// In round k each hears from who is 2^k before it: after all rounds it has heard, by others, from all.
void shm_sync(shmem_team_t t) {
  const int me = shm_team_index(t, shm.me);
  begin(t);
  for (int k = 1; k < t->size; k *= 2)
    shm_exchange(world_pe(t, me + k), NULL, 0, world_pe(t, me - k), NULL, 0, what(t, SHM_SYNC));
  end(t);
}

void shm_agree(shmem_team_t t, uint64_t value, const char *call) {
  const int me = shm_team_index(t, shm.me);
  begin(t);
  for (int k = 1; k < t->size; k *= 2) {
    uint64_t its = 0;
    const int from = world_pe(t, me - k);
    shm_exchange(world_pe(t, me + k), &value, sizeof value, from, &its, sizeof its, what(t, SHM_AGREE));
    if (its != value) shm_die("%s: PE %d calls it with other arguments, or something else", call, from);
  }
  end(t);
}

// Up a binomial tree: who has sent to its parent has got everything before.
void shm_part(shmem_team_t t) {
  const int me = shm_team_index(t, shm.me);
  int k = 1;
  shm_sync(t);
  begin(t);
  for (; k < t->size && !(me & k); k *= 2)
    if (me + k < t->size) shm_recv(world_pe(t, me + k), NULL, 0, what(t, SHM_SYNC));
  if (me) shm_send(world_pe(t, me - k), NULL, 0, what(t, SHM_SYNC));
  end(t);
}

// A binomial tree, the root being the first.
void shm_broadcast(shmem_team_t t, void *bytes, size_t n, int root) {
  const int me = (shm_team_index(t, shm.me) - root + t->size) % t->size;
  int k = 1;
  begin(t);
  while (k < t->size && !(me & k)) k *= 2;
  if (me) shm_recv(world_pe(t, me - k + root), bytes, n, what(t, SHM_BROADCAST));
  for (k /= 2; k; k /= 2)
    if (me + k < t->size) shm_send(world_pe(t, me + k + root), bytes, n, what(t, SHM_BROADCAST));
  end(t);
}

// A ring: what came in the last step goes on to the next.
static void ring(shmem_team_t t, uint8_t *dest, const size_t *at, shm_kind kind) {
  const int me = shm_team_index(t, shm.me), to = world_pe(t, me + 1), from = world_pe(t, me - 1);
  for (int step = 1; step < t->size; step++) {
    const int out = (me - step + 1 + t->size) % t->size, in = (me - step + t->size) % t->size;
    shm_exchange(to, dest + at[out], at[out + 1] - at[out], from, dest + at[in], at[in + 1] - at[in], what(t, kind));
  }
}

void shm_collect(shmem_team_t t, void *dest, const void *source, size_t n, bool same) {
  size_t bytes[SHM_PES], at[SHM_PES + 1];
  const int me = shm_team_index(t, shm.me);
  for (int i = 0; i <= t->size; i++) at[i] = (size_t)i * sizeof(size_t);
  bytes[me] = n;
  begin(t);
  if (!same) ring(t, (uint8_t *)bytes, at, SHM_COLLECT_SIZES);
  at[0] = 0;
  for (int i = 0; i < t->size; i++) at[i + 1] = at[i] + (same ? n : bytes[i]);
  if (n) memmove((uint8_t *)dest + at[me], source, n);
  ring(t, dest, at, SHM_COLLECT);
  end(t);
}

static void pack(uint8_t *to, ptrdiff_t step, const uint8_t *from, ptrdiff_t from_step, const shm_blocks *b) {
  const ptrdiff_t size = (ptrdiff_t)b->size;
  for (size_t i = 0; i < b->count; i++)
    memcpy(to + (ptrdiff_t)i * step * size, from + (ptrdiff_t)i * from_step * size, b->size);
}

void shm_alltoall(shmem_team_t t, void *dest, const void *source, const shm_blocks *b) {
  const int me = shm_team_index(t, shm.me);
  const size_t bytes = shm_bytes(b->count, b->size, "shmem_alltoall");
  const size_t out_bytes = bytes * (size_t)b->sst, in_bytes = bytes * (size_t)b->dst;
  if (!b->count) return;
  uint8_t *out = malloc(bytes), *in = malloc(bytes);
  if (!out || !in) shm_die("no memory");
  begin(t);
  for (int step = 0; step < t->size; step++) {
    const int to = (me + step) % t->size, from = (me - step + t->size) % t->size;
    pack(out, 1, (const uint8_t *)source + (size_t)to * out_bytes, b->sst, b);
    if (step) shm_exchange(world_pe(t, to), out, bytes, world_pe(t, from), in, bytes, what(t, SHM_ALLTOALL));
    pack((uint8_t *)dest + (size_t)from * in_bytes, b->dst, step ? in : out, 1, b);
  }
  end(t);
  free(out);
  free(in);
}

// Up a binomial tree to the first, the same order of operands whatever comes first; and down again.
void shm_reduce(shmem_team_t t, void *dest, const void *source, size_t n, const shm_reduction *r) {
  const int me = shm_team_index(t, shm.me);
  const size_t bytes = shm_bytes(n, r->size, "a reduction");
  if (!n) return;
  uint8_t *acc = malloc(bytes), *with = malloc(bytes);
  if (!acc || !with) shm_die("no memory");
  memcpy(acc, source, bytes);
  int k = 1;
  begin(t);
  for (; k < t->size && !(me & k); k *= 2) {
    if (me + k >= t->size) continue;
    shm_recv(world_pe(t, me + k), with, bytes, what(t, r->kind));
    r->combine(acc, with, n);
  }
  if (me) shm_send(world_pe(t, me - k), acc, bytes, what(t, r->kind));
  shm_broadcast(t, acc, bytes, 0);
  end(t);
  memcpy(dest, acc, bytes);
  free(acc);
  free(with);
}
