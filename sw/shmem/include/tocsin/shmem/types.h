// SPDX-License-Identifier: Apache-2.0
/* Handles, and the types of OpenSHMEM's functions: one list each, X(NAME, TYPE), from which declarations and
 * definitions are made. */
#ifndef TOCSIN_SHMEM_TYPES_H
#define TOCSIN_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __cplusplus && __cplusplus >= 201103L
#define TOCSIN_SHMEM_NORETURN [[noreturn]]
#elif !defined __cplusplus && __STDC_VERSION__ >= 201112L
#define TOCSIN_SHMEM_NORETURN _Noreturn
#else
#define TOCSIN_SHMEM_NORETURN __attribute__((noreturn))
#endif

typedef struct tocsin_shmem_team *shmem_team_t;
typedef struct tocsin_shmem_ctx *shmem_ctx_t;
extern struct tocsin_shmem_team tocsin_shmem_team_world, tocsin_shmem_team_shared;
extern struct tocsin_shmem_ctx tocsin_shmem_ctx_default;

/* Not ISO C++, but every compiler that this is for has them there. */
#ifdef __GNUC__
__extension__ typedef double _Complex tocsin_shmem_complexd;
__extension__ typedef float _Complex tocsin_shmem_complexf;
#else
typedef double _Complex tocsin_shmem_complexd;
typedef float _Complex tocsin_shmem_complexf;
#endif

/* The types that are different from each other (a _Generic takes each once). */
#define TOCSIN_SHMEM_UNSIGNED_AMO(X) X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long)
#define TOCSIN_SHMEM_SIGNED_AMO(X) X(int, int) X(long, long) X(longlong, long long)
#define TOCSIN_SHMEM_SMALL(X) \
  X(char, char)               \
  X(schar, signed char)       \
  X(uchar, unsigned char) X(short, short) X(ushort, unsigned short)
#define TOCSIN_SHMEM_REAL(X) X(float, float) X(double, double)
#define TOCSIN_SHMEM_COMPLEX(X) X(complexf, tocsin_shmem_complexf) X(complexd, tocsin_shmem_complexd)
/* Other names of these. */
#define TOCSIN_SHMEM_SIGNED_EXACT_AMO(X) X(int32, int32_t) X(int64, int64_t)
#define TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(X) X(uint32, uint32_t) X(uint64, uint64_t)
#define TOCSIN_SHMEM_SMALL_EXACT(X) X(int8, int8_t) X(int16, int16_t) X(uint8, uint8_t) X(uint16, uint16_t)
#define TOCSIN_SHMEM_SIZES(X) X(size, size_t) X(ptrdiff, ptrdiff_t)

/* Puts, gets, team collectives that move data. */
#define TOCSIN_SHMEM_RMA_DISTINCT(X) \
  TOCSIN_SHMEM_REAL(X)               \
  X(longdouble, long double) TOCSIN_SHMEM_SMALL(X) TOCSIN_SHMEM_SIGNED_AMO(X) TOCSIN_SHMEM_UNSIGNED_AMO(X)
#define TOCSIN_SHMEM_RMA_TYPES(X) \
  TOCSIN_SHMEM_RMA_DISTINCT(X)    \
  TOCSIN_SHMEM_SMALL_EXACT(X) TOCSIN_SHMEM_SIGNED_EXACT_AMO(X) TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(X) TOCSIN_SHMEM_SIZES(X)
/* Numbers of bits: X(8) ... */
#define TOCSIN_SHMEM_BITS(X) X(8) X(16) X(32) X(64) X(128)

/* Atomics: standard; extended (fetch, set, swap); bitwise. */
#define TOCSIN_SHMEM_AMO_DISTINCT(X) TOCSIN_SHMEM_SIGNED_AMO(X) TOCSIN_SHMEM_UNSIGNED_AMO(X)
#define TOCSIN_SHMEM_AMO_TYPES(X) \
  TOCSIN_SHMEM_AMO_DISTINCT(X)    \
  TOCSIN_SHMEM_SIGNED_EXACT_AMO(X) TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(X) TOCSIN_SHMEM_SIZES(X)
#define TOCSIN_SHMEM_AMO_EXTENDED_DISTINCT(X) TOCSIN_SHMEM_AMO_DISTINCT(X) TOCSIN_SHMEM_REAL(X)
#define TOCSIN_SHMEM_AMO_EXTENDED_TYPES(X) TOCSIN_SHMEM_AMO_TYPES(X) TOCSIN_SHMEM_REAL(X)
#define TOCSIN_SHMEM_AMO_BITS_TYPES(X) \
  TOCSIN_SHMEM_UNSIGNED_AMO(X) TOCSIN_SHMEM_SIGNED_EXACT_AMO(X) TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(X)

/* What may be waited for. */
#define TOCSIN_SHMEM_WAIT_TYPES(X) X(short, short) X(ushort, unsigned short) TOCSIN_SHMEM_AMO_TYPES(X)

/* Reductions: by bits; min and max; sum and prod. */
#define TOCSIN_SHMEM_INTEGERS_DISTINCT(X) TOCSIN_SHMEM_SMALL(X) TOCSIN_SHMEM_AMO_DISTINCT(X)
#define TOCSIN_SHMEM_INTEGERS(X)    \
  TOCSIN_SHMEM_INTEGERS_DISTINCT(X) \
  TOCSIN_SHMEM_SMALL_EXACT(X) TOCSIN_SHMEM_SIGNED_EXACT_AMO(X) TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(X) TOCSIN_SHMEM_SIZES(X)
#define TOCSIN_SHMEM_ORDERED_DISTINCT(X) \
  TOCSIN_SHMEM_INTEGERS_DISTINCT(X) TOCSIN_SHMEM_REAL(X) X(longdouble, long double)
#define TOCSIN_SHMEM_ORDERED(X) TOCSIN_SHMEM_INTEGERS(X) TOCSIN_SHMEM_REAL(X) X(longdouble, long double)
#define TOCSIN_SHMEM_SUMMED(X) TOCSIN_SHMEM_ORDERED(X) TOCSIN_SHMEM_COMPLEX(X)

/* Reductions over an active set. */
#define TOCSIN_SHMEM_OLD_INTEGERS(X) X(short, short) TOCSIN_SHMEM_SIGNED_AMO(X)
#define TOCSIN_SHMEM_OLD_ORDERED(X) TOCSIN_SHMEM_OLD_INTEGERS(X) TOCSIN_SHMEM_REAL(X) X(longdouble, long double)
#define TOCSIN_SHMEM_OLD_SUMMED(X) TOCSIN_SHMEM_OLD_ORDERED(X) TOCSIN_SHMEM_COMPLEX(X)

#ifdef __cplusplus
}
#endif
#endif
