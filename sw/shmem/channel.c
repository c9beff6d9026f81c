// SPDX-License-Identifier: Apache-2.0
// A channel from each PE to each: messages in order, in slots of the receiver's memory. The flag of a slot is written
// behind its bytes: the number of the message, how long it is, and which collective of which team it is of. The
// receiver tells how many it has taken.
//
// Threads are in collectives of different teams at once. One of those that wait for a PE reads; what is for another it
// keeps until that one asks. While a thread waits, for room or for a message, it takes what has come from any PE: else
// messages of a team to which the other PE's thread does not come yet would hold up those of another team, in a circle.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "coll.h"

enum {
  LOOK_US = 500,  // between two looks at what others have sent
  LENGTH_LSB = 32,
  WHAT_LSB = 45,
  LENGTH_MASK = (1 << (WHAT_LSB - LENGTH_LSB)) - 1,
  KIND_MASK = (1 << SHM_KIND_BITS) - 1
};
_Static_assert((int)SHM_SLOT_BYTES <= (int)LENGTH_MASK, "a flag has room for the length");
_Static_assert((int)SHM_PES *(int)SHM_LED << SHM_KIND_BITS <= 1 << (64 - WHAT_LSB), "and for team and kind");

typedef struct shm_kept {
  struct shm_kept *next;
  uint64_t flag;
  uint8_t bytes[];
} shm_kept;

static uint64_t flag_of(uint32_t number, size_t n, unsigned what) {
  return (uint64_t)number | (uint64_t)n << LENGTH_LSB | (uint64_t)what << WHAT_LSB;
}
static size_t length_of(uint64_t flag) { return flag >> LENGTH_LSB & LENGTH_MASK; }
static unsigned what_of(uint64_t flag) { return (unsigned)(flag >> WHAT_LSB); }

void shm_channel_open(shm_pair *p) {
  if (pthread_mutex_init(&p->sends, NULL) || pthread_mutex_init(&p->takes, NULL) || pthread_cond_init(&p->came, NULL))
    shm_die("no memory");
}

// ---- what has come; by who has the pair's `takes`
static void tell_credit(int pe) {
  shm_pair *p = &shm.pair[pe];
  if (p->taken - p->told < SHM_SLOTS / 2) return;
  p->told = p->taken;
  p->mine->out_credit = p->taken;
  shm_must(toc_put(p->qp, &p->mine->out_credit, toc_at(p->area, offsetof(shm_area, credit)), sizeof(uint64_t), NULL),
           "a message", pe);
}

static void taken(int pe) {
  shm_pair *p = &shm.pair[pe];
  p->taken++;
  tell_credit(pe);
  pthread_cond_broadcast(&p->came);
}

// The next message, which is there, is for another thread.
static void keep(int pe) {
  shm_pair *p = &shm.pair[pe];
  const unsigned i = p->taken % SHM_SLOTS;
  const uint64_t flag = toc_load(&p->mine->flag[i]);
  shm_kept **last = &p->kept, *k = malloc(sizeof *k + length_of(flag));
  if (!k) shm_die("no memory");
  k->next = NULL;
  k->flag = flag;
  memcpy(k->bytes, p->mine->slot[i], length_of(flag));
  while (*last) last = &(*last)->next;
  *last = k;
  taken(pe);
}

static void keep_all(void) {
  for (int pe = 0; pe < shm.n; pe++) {
    shm_pair *p = &shm.pair[pe];
    if (pe == shm.me || pthread_mutex_trylock(&p->takes)) continue;
    while (!p->reading && (uint32_t)toc_load(&p->mine->flag[p->taken % SHM_SLOTS]) == p->taken + 1) keep(pe);
    pthread_mutex_unlock(&p->takes);
  }
}

static const char *kind(unsigned what) {
  static const char *const name[] = {[SHM_SYNC] = "a barrier",
                                     [SHM_AGREE] = "a call of the heap or of teams",
                                     [SHM_BROADCAST] = "a broadcast",
                                     [SHM_COLLECT_SIZES] = "a collect",
                                     [SHM_COLLECT] = "a collect",
                                     [SHM_ALLTOALL] = "an alltoall",
                                     [SHM_REDUCE_and] = "a reduction by and",
                                     [SHM_REDUCE_or] = "a reduction by or",
                                     [SHM_REDUCE_xor] = "a reduction by xor",
                                     [SHM_REDUCE_min] = "a reduction by min",
                                     [SHM_REDUCE_max] = "a reduction by max",
                                     [SHM_REDUCE_sum] = "a reduction by sum",
                                     [SHM_REDUCE_prod] = "a reduction by prod"};
  const unsigned k = what & KIND_MASK;
  return k < sizeof name / sizeof *name && name[k] ? name[k] : "nothing known";
}

static bool of_team(uint64_t flag, unsigned what) { return what_of(flag) >> SHM_KIND_BITS == what >> SHM_KIND_BITS; }

static void check(uint64_t flag, size_t n, unsigned what, int pe) {
  if (length_of(flag) == n && what_of(flag) == what) return;
  shm_die("PE %d is in another collective, or with another size: %zu bytes of %s%s came here, %zu of %s were expected",
          pe, length_of(flag), kind(what_of(flag)), of_team(flag, what) ? "" : " of another team", n, kind(what));
}

static bool take_kept(int pe, uint8_t *bytes, size_t n, unsigned what) {
  shm_kept **at = &shm.pair[pe].kept, *k;
  while (*at && !of_team((*at)->flag, what)) at = &(*at)->next;
  if (!(k = *at)) return false;
  check(k->flag, n, what, pe);
  if (n) memcpy(bytes, k->bytes, n);
  *at = k->next;
  free(k);
  return true;
}

// Until the next message of a PE is there. What others send meanwhile is taken in: a thread of theirs that waits for
// room here keeps the channel from that one for which this one waits.
static void await(const uint64_t *flag, uint32_t number, int pe) {
  if (shm.threads != SHMEM_THREAD_MULTIPLE) {
    shm_wait_word(flag, UINT32_MAX, number, pe);
    return;
  }
  shm_watch watch = {0};
  while ((uint32_t)toc_load(flag) != number) {
    keep_all();
    shm_watch_pe(&watch, pe);
    const toc_status s = toc_wait_word(shm.f, flag, UINT32_MAX, number, LOOK_US);
    if (s != TOC_E_TIMEOUT) shm_must(s, "waiting", pe);
  }
}

// Waits for the next message. true: it was ours.
static bool read_next(int pe, uint8_t *bytes, size_t n, unsigned what) {
  shm_pair *p = &shm.pair[pe];
  const unsigned i = p->taken % SHM_SLOTS;
  const uint32_t number = p->taken + 1;
  p->reading = true;
  pthread_mutex_unlock(&p->takes);
  await(&p->mine->flag[i], number, pe);
  pthread_mutex_lock(&p->takes);
  p->reading = false;
  const uint64_t flag = toc_load(&p->mine->flag[i]);
  if (!of_team(flag, what) && shm.threads == SHMEM_THREAD_MULTIPLE) {
    keep(pe);
    return false;
  }
  check(flag, n, what, pe);
  if (n) memcpy(bytes, p->mine->slot[i], n);
  taken(pe);
  return true;
}

static void recv_piece(int pe, uint8_t *bytes, size_t n, unsigned what) {
  shm_pair *p = &shm.pair[pe];
  pthread_mutex_lock(&p->takes);
  while (!take_kept(pe, bytes, n, what)) {
    if (p->reading)
      pthread_cond_wait(&p->came, &p->takes);
    else if (read_next(pe, bytes, n, what))
      break;
  }
  pthread_mutex_unlock(&p->takes);
}

// ---- what goes
static void send_piece(int pe, const uint8_t *bytes, size_t n, unsigned what) {
  shm_pair *p = &shm.pair[pe];
  shm_watch watch = {0};
  pthread_mutex_lock(&p->sends);
  const unsigned i = p->sent % SHM_SLOTS;
  while (p->sent - (uint32_t)toc_load(&p->mine->credit) >= SHM_SLOTS) {
    if (shm.threads == SHMEM_THREAD_MULTIPLE) keep_all();
    shm_watch_pe(&watch, pe);
    shm_pause(&watch.turn);
  }
  p->sent++;
  if (n) {
    memcpy(p->mine->out_slot[i], bytes, n);
    const toc_remote to = toc_at(p->area, offsetof(shm_area, slot) + (uint64_t)i * SHM_SLOT_BYTES);
    shm_must(toc_put(p->qp, p->mine->out_slot[i], to, (uint32_t)n, NULL), "a message", pe);
  }
  p->mine->out_flag[i] = flag_of(p->sent, n, what);
  const toc_remote to = toc_at(p->area, offsetof(shm_area, flag) + i * sizeof(uint64_t));
  shm_must(toc_put(p->qp, &p->mine->out_flag[i], to, sizeof(uint64_t), NULL), "a message", pe);
  pthread_mutex_unlock(&p->sends);
}

static size_t piece(size_t left) { return left < SHM_SLOT_BYTES ? left : SHM_SLOT_BYTES; }

void shm_send(int pe, const void *bytes, size_t n, unsigned what) {
  const uint8_t *at = bytes;
  do {
    const size_t now = piece(n);
    send_piece(pe, at, now, what);
    if (now) at += now;
    n -= now;
  } while (n);
}

void shm_recv(int pe, void *bytes, size_t n, unsigned what) {
  uint8_t *at = bytes;
  do {
    const size_t now = piece(n);
    recv_piece(pe, at, now, what);
    if (now) at += now;
    n -= now;
  } while (n);
}

// Both at once, lest all PEs of a ring wait for room.
void shm_exchange(int to, const void *out, size_t n, int from, void *in, size_t m, unsigned what) {
  const uint8_t *source = out;
  uint8_t *dest = in;
  for (bool first = true; first || n || m; first = false) {
    const size_t sends = piece(n), takes = piece(m);
    if (first || sends) send_piece(to, source, sends, what);
    if (first || takes) recv_piece(from, dest, takes, what);
    if (sends) source += sends;
    if (takes) dest += takes;
    n -= sends;
    m -= takes;
  }
}
