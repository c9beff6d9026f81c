// SPDX-License-Identifier: Apache-2.0
// Puts and gets by all their names.
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { SPAN_BYTES = 65536 };  // fetched at once for a get with strides

// In bytes.
static size_t stride(ptrdiff_t s, size_t size, const char *what) {
  if (s < 1) shm_die("%s: a stride of %td; it is 1 at least", what, s);
  return shm_bytes((size_t)s, size, what);
}

static void put_strided(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                        size_t size, int pe) {
  const size_t to = stride(dst, size, "shmem_iput"), from = stride(sst, size, "shmem_iput");
  const int world = shm_pe_of(ctx, pe, "shmem_iput");
  for (size_t i = 0; i < n; i++)
    shm_put((uint8_t *)dest + i * to, (const uint8_t *)source + i * from, size, world, false);
}

// What lies between the elements comes along: one get for many of them.
static void get_strided(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                        size_t size, int pe) {
  const size_t to = stride(dst, size, "shmem_iget"), from = stride(sst, size, "shmem_iget");
  const int world = shm_pe_of(ctx, pe, "shmem_iget");
  const size_t at_once = from >= SPAN_BYTES ? 1 : SPAN_BYTES / from;
  uint8_t *span = malloc(SPAN_BYTES + size);
  if (!span) shm_die("no memory");
  for (size_t i = 0; i < n; i += at_once) {
    const size_t count = n - i < at_once ? n - i : at_once;
    shm_get(span, (const uint8_t *)source + i * from, (count - 1) * from + size, world, false);
    for (size_t k = 0; k < count; k++) memcpy((uint8_t *)dest + (i + k) * to, span + k * from, size);
  }
  free(span);
}

typedef struct signal_to {
  uint64_t *at, value;
  int op;
} signal_to;

// The data are there before the signal.
static void put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, const signal_to *s, int pe) {
  const int world = shm_pe_of(ctx, pe, "shmem_put_signal");
  if (s->op != SHMEM_SIGNAL_SET && s->op != SHMEM_SIGNAL_ADD) shm_die("shmem_put_signal: there is no sig_op %d", s->op);
  shm_put(dest, source, bytes, world, true);
  shm_quiet_pe(world);
  shm_word(s->at, s->op == SHMEM_SIGNAL_SET ? SHM_SET : SHM_ADD, sizeof *s->at, s->value, 0, world, NULL, false);
}

// P: the beginning of the name, A: its arguments, C: the context, S: what is behind, T: of the arguments,
// BYTES: of an element
#define DEFINE_MOVES(P, A, C, S, T, BYTES)                                                                            \
  void P##put##S A(T *dest, const T *source, size_t nelems, int pe) {                                                 \
    shm_put(dest, source, shm_bytes(nelems, BYTES, "shmem_put"), shm_pe_of(C, pe, "shmem_put"), false);               \
  }                                                                                                                   \
  void P##get##S A(T *dest, const T *source, size_t nelems, int pe) {                                                 \
    shm_get(dest, source, shm_bytes(nelems, BYTES, "shmem_get"), shm_pe_of(C, pe, "shmem_get"), false);               \
  }                                                                                                                   \
  void P##put##S##_nbi A(T *dest, const T *source, size_t nelems, int pe) {                                           \
    shm_put(dest, source, shm_bytes(nelems, BYTES, "shmem_put_nbi"), shm_pe_of(C, pe, "shmem_put_nbi"), true);        \
  }                                                                                                                   \
  void P##get##S##_nbi A(T *dest, const T *source, size_t nelems, int pe) {                                           \
    shm_get(dest, source, shm_bytes(nelems, BYTES, "shmem_get_nbi"), shm_pe_of(C, pe, "shmem_get_nbi"), true);        \
  }                                                                                                                   \
  void P##put##S##_signal A(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, \
                            int pe) {                                                                                 \
    put_signal(C, dest, source, shm_bytes(nelems, BYTES, "shmem_put_signal"), &(signal_to){sig_addr, signal, sig_op}, \
               pe);                                                                                                   \
  }                                                                                                                   \
  void P##put##S##_signal_nbi A(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,         \
                                int sig_op, int pe) {                                                                 \
    put_signal(C, dest, source, shm_bytes(nelems, BYTES, "shmem_put_signal"), &(signal_to){sig_addr, signal, sig_op}, \
               pe);                                                                                                   \
  }
#define DEFINE_STRIDED(P, A, C, S, T, BYTES)                                                         \
  void P##iput##S A(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    put_strided(C, dest, source, dst, sst, nelems, BYTES, pe);                                       \
  }                                                                                                  \
  void P##iget##S A(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    get_strided(C, dest, source, dst, sst, nelems, BYTES, pe);                                       \
  }
#define DEFINE_TYPED(P, A, C, T)                                                                                     \
  DEFINE_MOVES(P, A, C, , T, sizeof(T))                                                                              \
  DEFINE_STRIDED(P, A, C, , T, sizeof(T))                                                                            \
  void P##p A(T *dest, T value, int pe) { shm_put(dest, &value, sizeof value, shm_pe_of(C, pe, "shmem_p"), false); } \
  T P##g A(const T *source, int pe) {                                                                                \
    T value;                                                                                                         \
    shm_get(&value, source, sizeof value, shm_pe_of(C, pe, "shmem_g"), false);                                       \
    return value;                                                                                                    \
  }

#define DEFINE_TYPE(NAME, T)                                             \
  DEFINE_TYPED(shmem_##NAME##_, TOCSIN_SHMEM_ARGS, SHMEM_CTX_DEFAULT, T) \
  DEFINE_TYPED(shmem_ctx_##NAME##_, TOCSIN_SHMEM_CTX_ARGS, ctx, T)
TOCSIN_SHMEM_RMA_TYPES(DEFINE_TYPE)

#define DEFINE_SIZE(BITS)                                                                      \
  DEFINE_MOVES(shmem_, TOCSIN_SHMEM_ARGS, SHMEM_CTX_DEFAULT, BITS, void, (size_t)(BITS) / 8)   \
  DEFINE_MOVES(shmem_ctx_, TOCSIN_SHMEM_CTX_ARGS, ctx, BITS, void, (size_t)(BITS) / 8)         \
  DEFINE_STRIDED(shmem_, TOCSIN_SHMEM_ARGS, SHMEM_CTX_DEFAULT, BITS, void, (size_t)(BITS) / 8) \
  DEFINE_STRIDED(shmem_ctx_, TOCSIN_SHMEM_CTX_ARGS, ctx, BITS, void, (size_t)(BITS) / 8)
TOCSIN_SHMEM_BITS(DEFINE_SIZE)
DEFINE_MOVES(shmem_, TOCSIN_SHMEM_ARGS, SHMEM_CTX_DEFAULT, mem, void, 1)
DEFINE_MOVES(shmem_ctx_, TOCSIN_SHMEM_CTX_ARGS, ctx, mem, void, 1)
