// SPDX-License-Identifier: Apache-2.0
// What others ask of this PE. It runs in a thread of the driver's, one request at a time, also while the program
// computes. Words are changed by the processor's atomics, since the program's own go the same way at the same time.
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "world.h"

enum { LEAVE_US = 50000 };

#define DO_WORD(T)                                                                                        \
  static uint64_t do_##T(T *w, shm_op op, T a, T b) {                                                     \
    T was = a;                                                                                            \
    switch (op) {                                                                                         \
      case SHM_FETCH: return __atomic_load_n(w, __ATOMIC_SEQ_CST);                                        \
      case SHM_SET: return __atomic_exchange_n(w, a, __ATOMIC_SEQ_CST);                                   \
      case SHM_ADD: return __atomic_fetch_add(w, a, __ATOMIC_SEQ_CST);                                    \
      case SHM_AND: return __atomic_fetch_and(w, a, __ATOMIC_SEQ_CST);                                    \
      case SHM_OR: return __atomic_fetch_or(w, a, __ATOMIC_SEQ_CST);                                      \
      case SHM_XOR: return __atomic_fetch_xor(w, a, __ATOMIC_SEQ_CST);                                    \
      case SHM_SWAP_IF:                                                                                   \
          return __atomic_compare_exchange_n(w, &was, b, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), was; \
      default: shm_die("there is no atomic %d", (int)op);                                                 \
    }                                                                                                     \
  }
DO_WORD(uint32_t)
DO_WORD(uint64_t)

uint64_t shm_do_word(void *word, shm_op op, size_t bytes, uint64_t a, uint64_t b) {
  return bytes == 4 ? do_uint32_t(word, op, (uint32_t)a, (uint32_t)b) : do_uint64_t(word, op, a, b);
}

static void reply(const shm_request *r, const void *bytes, uint32_t n) {
  shm_pair *p = &shm.pair[r->from];
  shm_area *own = p->mine;
  if (n) {
    memcpy(own->out_answer[r->slot], bytes, n);
    const toc_remote to = toc_at(p->area, offsetof(shm_area, answer) + (uint64_t)r->slot * SHM_ANSWER_BYTES);
    shm_must(toc_put(p->qp, own->out_answer[r->slot], to, n, NULL), "an answer", r->from);
  }
  own->out_answered[r->slot] = r->number;
  const toc_remote to = toc_at(p->area, offsetof(shm_area, answered) + (uint64_t)r->slot * sizeof(uint64_t));
  shm_must(toc_put(p->qp, &own->out_answered[r->slot], to, sizeof(uint64_t), NULL), "an answer", r->from);
}

// Threads of the program wait for words of this: each is stored at once.
#define STORE(T)                                            \
  if (n >= sizeof(T) && (uintptr_t)to % sizeof(T) == 0) {   \
    T v;                                                    \
    memcpy(&v, from, sizeof v);                             \
    __atomic_store_n((T *)(void *)to, v, __ATOMIC_RELEASE); \
    to += sizeof v;                                         \
    from += sizeof v;                                       \
    n -= sizeof v;                                          \
    continue;                                               \
  }
static void store(uint8_t *to, const uint8_t *from, size_t n) {
  while (n) {
    STORE(uint64_t)
    STORE(uint32_t)
    STORE(uint16_t)
    STORE(uint8_t)
  }
}

// Who tells us so waits for an acknowledgement, which takes a moment to leave.
_Noreturn static void leave(int status) {
  const uint64_t never = 0;
  (void)!toc_wait_word(shm.f, &never, UINT64_MAX, 1, LEAVE_US);
  fflush(stdout);
  fflush(stderr);
  if (!status) shm_leave_ranks();
  _exit(status);
}

static bool is_good(const shm_request *r, size_t extra) {
  const uint64_t size = r->heap ? shm.heap_bytes : shm.data_bytes;
  const shm_place where = {.heap = r->heap, .at = r->at};
  const bool word = r->op >= SHM_FETCH && r->op <= SHM_XOR;
  if (r->from >= shm.n || r->from == shm.me || r->slot >= SHM_ASKS) return false;
  if (r->op == SHM_EXIT) return true;
  if (r->at > size || r->bytes > size - r->at) return false;
  if (word) return (r->bytes == 4 || r->bytes == 8) && (uintptr_t)shm_here(where) % r->bytes == 0;
  return r->op == SHM_READ ? r->bytes <= SHM_ANSWER_BYTES : r->op == SHM_WRITE && r->bytes == extra;
}

void shm_serve(void *arg, const toc_access *a) {
  (void)arg;
  shm_request r = {0};
  if (a->kind != TOC_PUT || !a->data || a->aborted || a->poisoned || a->bytes < sizeof r)
    shm_die("something that is no request has come");
  memcpy(&r, a->data, sizeof r);
  if (!is_good(&r, a->bytes - sizeof r)) shm_die("a request of PE %u that this library does not send", r.from);
  if (r.op == SHM_EXIT) leave((int)(int64_t)r.a);
  uint8_t *at = shm_here((shm_place){.heap = r.heap, .at = r.at});
  if (r.op == SHM_READ) {
    reply(&r, at, r.bytes);
  } else if (r.op == SHM_WRITE) {
    store(at, a->data + sizeof r, r.bytes);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    reply(&r, NULL, 0);
  } else {
    const uint64_t was = shm_do_word(at, (shm_op)r.op, r.bytes, r.a, r.b);
    reply(&r, &was, r.wanted ? r.bytes : 0);
  }
}
