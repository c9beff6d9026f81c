// SPDX-License-Identifier: Apache-2.0
// Atomics by all their names. Values travel as the bits that they are.
#include <string.h>

#include "world.h"

static void *writable(const void *p) {
  union {
    const void *in;
    void *out;
  } same = {p};
  return same.out;
}

// C, WHAT: the context and the name; the operands are of type T.
#define BITS_OF(NAME, T)                 \
  static uint64_t bits_##NAME(T value) { \
    uint64_t bits = 0;                   \
    memcpy(&bits, &value, sizeof value); \
    return bits;                         \
  }
TOCSIN_SHMEM_AMO_EXTENDED_TYPES(BITS_OF)

#define FETCH(C, T, OP, WHAT, PLACE, X, Y)                                                   \
  T old;                                                                                     \
  shm_word(PLACE, OP, sizeof(T), X, Y, shm_pe_of(C, pe, "shmem_atomic_" WHAT), &old, false); \
  return old
#define LATER(C, T, OP, WHAT, PLACE, X, Y) \
  shm_word(PLACE, OP, sizeof(T), X, Y, shm_pe_of(C, pe, "shmem_atomic_" WHAT), fetch, true)
#define QUIETLY(C, T, OP, WHAT, X) \
  shm_word(dest, OP, sizeof(T), X, 0, shm_pe_of(C, pe, "shmem_atomic_" WHAT), NULL, false)

#define DEFINE_EXTENDED(P, NAME, A, C, T)                                                                      \
  T P##_atomic_fetch A(const T *source, int pe) { FETCH(C, T, SHM_FETCH, "fetch", writable(source), 0, 0); }   \
  void P##_atomic_set A(T *dest, T value, int pe) { QUIETLY(C, T, SHM_SET, "set", bits_##NAME(value)); }       \
  T P##_atomic_swap A(T *dest, T value, int pe) { FETCH(C, T, SHM_SET, "swap", dest, bits_##NAME(value), 0); } \
  void P##_atomic_fetch_nbi A(T *fetch, const T *source, int pe) {                                             \
    LATER(C, T, SHM_FETCH, "fetch_nbi", writable(source), 0, 0);                                               \
  }                                                                                                            \
  void P##_atomic_swap_nbi A(T *fetch, T *dest, T value, int pe) {                                             \
    LATER(C, T, SHM_SET, "swap_nbi", dest, bits_##NAME(value), 0);                                             \
  }
#define DEFINE_STANDARD(P, NAME, A, C, T)                                                                           \
  T P##_atomic_compare_swap A(T *dest, T cond, T value, int pe) {                                                   \
    FETCH(C, T, SHM_SWAP_IF, "compare_swap", dest, bits_##NAME(cond), bits_##NAME(value));                          \
  }                                                                                                                 \
  T P##_atomic_fetch_inc A(T *dest, int pe) { FETCH(C, T, SHM_ADD, "fetch_inc", dest, 1, 0); }                      \
  void P##_atomic_inc A(T *dest, int pe) { QUIETLY(C, T, SHM_ADD, "inc", 1); }                                      \
  T P##_atomic_fetch_add A(T *dest, T value, int pe) {                                                              \
    FETCH(C, T, SHM_ADD, "fetch_add", dest, bits_##NAME(value), 0);                                                 \
  }                                                                                                                 \
  void P##_atomic_add A(T *dest, T value, int pe) { QUIETLY(C, T, SHM_ADD, "add", bits_##NAME(value)); }            \
  void P##_atomic_compare_swap_nbi A(T *fetch, T *dest, T cond, T value, int pe) {                                  \
    LATER(C, T, SHM_SWAP_IF, "compare_swap_nbi", dest, bits_##NAME(cond), bits_##NAME(value));                      \
  }                                                                                                                 \
  void P##_atomic_fetch_inc_nbi A(T *fetch, T *dest, int pe) { LATER(C, T, SHM_ADD, "fetch_inc_nbi", dest, 1, 0); } \
  void P##_atomic_fetch_add_nbi A(T *fetch, T *dest, T value, int pe) {                                             \
    LATER(C, T, SHM_ADD, "fetch_add_nbi", dest, bits_##NAME(value), 0);                                             \
  }
#define DEFINE_BIT(P, NAME, A, C, T, W, OP)                                                                         \
  T P##_atomic_fetch_##W A(T *dest, T value, int pe) { FETCH(C, T, OP, "fetch_" #W, dest, bits_##NAME(value), 0); } \
  void P##_atomic_##W A(T *dest, T value, int pe) { QUIETLY(C, T, OP, #W, bits_##NAME(value)); }                    \
  void P##_atomic_fetch_##W##_nbi A(T *fetch, T *dest, T value, int pe) {                                           \
    LATER(C, T, OP, "fetch_" #W "_nbi", dest, bits_##NAME(value), 0);                                               \
  }
#define DEFINE_BITS(P, NAME, A, C, T)        \
  DEFINE_BIT(P, NAME, A, C, T, and, SHM_AND) \
  DEFINE_BIT(P, NAME, A, C, T, or, SHM_OR)   \
  DEFINE_BIT(P, NAME, A, C, T, xor, SHM_XOR)

#define BOTH(DEFINE, NAME, T)                                         \
  DEFINE(shmem_##NAME, NAME, TOCSIN_SHMEM_ARGS, SHMEM_CTX_DEFAULT, T) \
  DEFINE(shmem_ctx_##NAME, NAME, TOCSIN_SHMEM_CTX_ARGS, ctx, T)
#define EXTENDED(NAME, T) BOTH(DEFINE_EXTENDED, NAME, T)
#define STANDARD(NAME, T) BOTH(DEFINE_STANDARD, NAME, T)
#define BITWISE(NAME, T) BOTH(DEFINE_BITS, NAME, T)
TOCSIN_SHMEM_AMO_EXTENDED_TYPES(EXTENDED)
TOCSIN_SHMEM_AMO_TYPES(STANDARD)
TOCSIN_SHMEM_AMO_BITS_TYPES(BITWISE)

// ---- their first names
#define OLD_EXTENDED(NAME, T)                                                                       \
  T shmem_##NAME##_fetch(const T *dest, int pe) { return shmem_##NAME##_atomic_fetch(dest, pe); }   \
  void shmem_##NAME##_set(T *dest, T value, int pe) { shmem_##NAME##_atomic_set(dest, value, pe); } \
  T shmem_##NAME##_swap(T *dest, T value, int pe) { return shmem_##NAME##_atomic_swap(dest, value, pe); }
#define OLD_STANDARD(NAME, T)                                                                                  \
  T shmem_##NAME##_cswap(T *dest, T cond, T value, int pe) {                                                   \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                          \
  }                                                                                                            \
  T shmem_##NAME##_finc(T *dest, int pe) { return shmem_##NAME##_atomic_fetch_inc(dest, pe); }                 \
  void shmem_##NAME##_inc(T *dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }                            \
  T shmem_##NAME##_fadd(T *dest, T value, int pe) { return shmem_##NAME##_atomic_fetch_add(dest, value, pe); } \
  void shmem_##NAME##_add(T *dest, T value, int pe) { shmem_##NAME##_atomic_add(dest, value, pe); }
TOCSIN_SHMEM_SIGNED_AMO(OLD_EXTENDED)
TOCSIN_SHMEM_REAL(OLD_EXTENDED)
TOCSIN_SHMEM_SIGNED_AMO(OLD_STANDARD)
