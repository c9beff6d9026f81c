// SPDX-License-Identifier: Apache-2.0
// Bytes and words between this PE and another. Private memory goes through a ring of DMA memory, piece by piece.
// Threads of the program take turns, a whole operation each: none waits in here for what another thread
// of its PE has to do.
#include <pthread.h>
#include <string.h>

#include "world.h"

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static shm_place symmetric(const void *p, size_t bytes, const char *what, int pe) {
  shm_place at;
  if (!shm_find(p, bytes, &at))
    shm_die("%s of %zu bytes at %p, PE %d: that is neither in the symmetric heap nor static data of the program", what,
            bytes, p, pe);
  return at;
}

static uint8_t *next_bounce(unsigned *which) {
  const unsigned i = shm.next_bounce++ % SHM_BOUNCES;
  shm_bounce *b = &shm.bounced[i];
  *which = i;
  if (b->used) shm_must(toc_wait(b->req, TOC_FOREVER), "a put", shm.me);
  b->used = false;
  return shm.bounce + (size_t)i * SHM_BOUNCE_BYTES;
}

static bool for_device(const void *p, size_t bytes) {
  shm_place at;
  return shm_find(p, bytes, &at) && at.heap;
}

enum { WHOLE_BYTES = 1 << 30 };

// ---- the heap of others: the NIC's
static void put_heap(toc_remote to, const uint8_t *from, size_t bytes, int pe, bool nbi) {
  shm_pair *p = &shm.pair[pe];
  const bool whole = for_device(from, bytes) && (nbi || bytes > SHM_BOUNCE_BYTES);
  toc_req last = {0};
  while (bytes) {
    const size_t most = whole ? WHOLE_BYTES : SHM_BOUNCE_BYTES, n = bytes < most ? bytes : most;
    unsigned i = 0;
    const uint8_t *at = from;
    if (!whole) {
      uint8_t *b = next_bounce(&i);
      memcpy(b, from, n);
      at = b;
    }
    shm_must(toc_put(p->qp, at, to, (uint32_t)n, &last), "a put", pe);
    p->posted = true;
    if (!whole) shm.bounced[i] = (shm_bounce){last, true};
    from += n;
    to.addr += n;
    bytes -= n;
  }
  if (whole && !nbi) shm_must(toc_wait(last, TOC_FOREVER), "a put", pe);
}

static void get_whole(toc_remote from, uint8_t *to, size_t bytes, int pe, bool nbi) {
  shm_pair *p = &shm.pair[pe];
  toc_req last = {0};
  while (bytes) {
    const size_t n = bytes < WHOLE_BYTES ? bytes : WHOLE_BYTES;
    shm_must(toc_get(p->qp, to, from, (uint32_t)n, &last), "a get", pe);
    from.addr += n;
    to += n;
    bytes -= n;
  }
  if (nbi)
    p->posted = true;
  else
    shm_must(toc_wait(last, TOC_FOREVER), "a get", pe);
}

// A ring's worth of pieces at a time.
static void get_pieces(toc_remote from, uint8_t *to, size_t bytes, int pe) {
  while (bytes) {
    unsigned which[SHM_BOUNCES], count = 0;
    size_t asked = 0, got = 0;
    for (; count < SHM_BOUNCES && asked < bytes; count++) {
      const size_t n = bytes - asked < SHM_BOUNCE_BYTES ? bytes - asked : SHM_BOUNCE_BYTES;
      uint8_t *b = next_bounce(&which[count]);
      shm_must(toc_get(shm.pair[pe].qp, b, toc_at(from, asked), (uint32_t)n, &shm.bounced[which[count]].req), "a get",
               pe);
      asked += n;
    }
    for (unsigned k = 0; k < count; k++) {
      const size_t n = asked - got < SHM_BOUNCE_BYTES ? asked - got : SHM_BOUNCE_BYTES;
      shm_must(toc_wait(shm.bounced[which[k]].req, TOC_FOREVER), "a get", pe);
      memcpy(to + got, shm.bounce + (size_t)which[k] * SHM_BOUNCE_BYTES, n);
      got += n;
    }
    from.addr += asked;
    to += asked;
    bytes -= asked;
  }
}

// ---- their static data: asked for
static void put_data(uint64_t at, const uint8_t *from, size_t bytes, int pe) {
  while (bytes) {
    const size_t n = bytes < SHM_DATA_BYTES ? bytes : SHM_DATA_BYTES;
    shm_request r = {.op = SHM_WRITE, .at = at, .bytes = (uint32_t)n};
    shm_ask_pe(pe, &r, from, NULL);
    at += n;
    from += n;
    bytes -= n;
  }
}

static void get_data(uint64_t at, uint8_t *to, size_t bytes, int pe) {
  while (bytes) {
    const size_t n = bytes < SHM_ANSWER_BYTES ? bytes : SHM_ANSWER_BYTES;
    shm_request r = {.op = SHM_READ, .at = at, .bytes = (uint32_t)n};
    shm_ask_pe(pe, &r, NULL, to);
    at += n;
    to += n;
    bytes -= n;
  }
  shm_answers(pe);
}

// ---- both
static bool copied_here(void *dest, const void *source, size_t bytes, int pe) {
  if (pe == shm.me) memmove(dest, source, bytes);
  return pe == shm.me;
}

void shm_put(void *dest, const void *source, size_t bytes, int pe, bool nbi) {
  if (!bytes) return;
  const shm_place to = symmetric(dest, bytes, "a put", pe);
  if (copied_here(dest, source, bytes, pe)) return;
  pthread_mutex_lock(&turn);
  if (to.heap)
    put_heap(toc_at(shm.pair[pe].heap, to.at), source, bytes, pe, nbi);
  else
    put_data(to.at, source, bytes, pe);
  pthread_mutex_unlock(&turn);
}

void shm_get(void *dest, const void *source, size_t bytes, int pe, bool nbi) {
  if (!bytes) return;
  const shm_place from = symmetric(source, bytes, "a get", pe);
  if (copied_here(dest, source, bytes, pe)) return;
  pthread_mutex_lock(&turn);
  if (!from.heap)
    get_data(from.at, dest, bytes, pe);
  else if (for_device(dest, bytes))
    get_whole(toc_at(shm.pair[pe].heap, from.at), dest, bytes, pe, nbi);
  else
    get_pieces(toc_at(shm.pair[pe].heap, from.at), dest, bytes, pe);
  pthread_mutex_unlock(&turn);
}

void shm_word(void *dest, shm_op op, size_t bytes, uint64_t a, uint64_t b, int pe, void *into, bool later) {
  const shm_place at = symmetric(dest, bytes, "an atomic", pe);
  if ((uintptr_t)dest % bytes) shm_die("an atomic of %zu bytes at %p, which is not aligned to it", bytes, dest);
  if (pe == shm.me) {
    const uint64_t was = shm_do_word(dest, op, bytes, a, b);
    if (into) memcpy(into, &was, bytes);  // the lowest bytes first
    return;
  }
  shm_request r = {.op = (uint8_t)op, .heap = at.heap, .at = at.at, .bytes = (uint32_t)bytes, .a = a, .b = b};
  pthread_mutex_lock(&turn);
  shm_ask_pe(pe, &r, NULL, into);
  if (into && !later) shm_answers(pe);
  pthread_mutex_unlock(&turn);
}

void shm_quiet_pe(int pe) {
  shm_pair *p = &shm.pair[pe];
  if (pe == shm.me) return;
  pthread_mutex_lock(&turn);
  shm_answers(pe);
  if (p->posted) shm_must(toc_wait_all(p->qp, TOC_FOREVER), "puts and gets", pe);
  p->posted = false;
  pthread_mutex_unlock(&turn);
}

void shm_quiet(void) {
  for (int pe = 0; pe < shm.n; pe++) shm_quiet_pe(pe);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
