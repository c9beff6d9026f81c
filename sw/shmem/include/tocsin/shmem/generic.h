// SPDX-License-Identifier: Apache-2.0
/* One name for all types, by C11's _Generic. Part of shmem.h. shmem_put(dest, ...) is the function of the type that
 * dest points to; with a context before it, the one that takes a context. To call a function of these names itself, put
 * its name in parentheses. */
#ifndef TOCSIN_SHMEM_GENERIC_H
#define TOCSIN_SHMEM_GENERIC_H

#include "tocsin/shmem/types.h"

/* SELECT(p) is the function for what p points to. Which of the next two it is says the number of arguments. */
#define TOCSIN_G_WITH(SELECT, ctx, p, ...) SELECT(p)(ctx, p, __VA_ARGS__)
#define TOCSIN_G_WITHOUT(SELECT, p, ...) SELECT(p)(SHMEM_CTX_DEFAULT, p, __VA_ARGS__)

#define TOCSIN_G_ARG_4(a1, a2, a3, it, ...) it
#define TOCSIN_G_ARG_5(a1, a2, a3, a4, it, ...) it
#define TOCSIN_G_ARG_6(a1, a2, a3, a4, a5, it, ...) it
#define TOCSIN_G_ARG_7(a1, a2, a3, a4, a5, a6, it, ...) it
#define TOCSIN_G_ARG_8(a1, a2, a3, a4, a5, a6, a7, it, ...) it
#define TOCSIN_G_ARG_9(a1, a2, a3, a4, a5, a6, a7, a8, it, ...) it
#define TOCSIN_G_2(SELECT, ...) TOCSIN_G_ARG_4(__VA_ARGS__, TOCSIN_G_WITH, TOCSIN_G_WITHOUT, 0)(SELECT, __VA_ARGS__)
#define TOCSIN_G_3(SELECT, ...) TOCSIN_G_ARG_5(__VA_ARGS__, TOCSIN_G_WITH, TOCSIN_G_WITHOUT, 0)(SELECT, __VA_ARGS__)
#define TOCSIN_G_4(SELECT, ...) TOCSIN_G_ARG_6(__VA_ARGS__, TOCSIN_G_WITH, TOCSIN_G_WITHOUT, 0)(SELECT, __VA_ARGS__)
#define TOCSIN_G_5(SELECT, ...) TOCSIN_G_ARG_7(__VA_ARGS__, TOCSIN_G_WITH, TOCSIN_G_WITHOUT, 0)(SELECT, __VA_ARGS__)
#define TOCSIN_G_6(SELECT, ...) TOCSIN_G_ARG_8(__VA_ARGS__, TOCSIN_G_WITH, TOCSIN_G_WITHOUT, 0)(SELECT, __VA_ARGS__)
#define TOCSIN_G_7(SELECT, ...) TOCSIN_G_ARG_9(__VA_ARGS__, TOCSIN_G_WITH, TOCSIN_G_WITHOUT, 0)(SELECT, __VA_ARGS__)

/* The types once more, as lists of their own: a list does not expand inside itself, and programs may be made
 * by those of types.h. */
#define TOCSIN_G_INTEGERS(X) \
  X(char, char)              \
  X(schar, signed char)      \
  X(uchar, unsigned char)    \
  X(short, short)            \
  X(ushort, unsigned short)  \
  X(int, int)                \
  X(uint, unsigned int) X(long, long) X(ulong, unsigned long) X(longlong, long long) X(ulonglong, unsigned long long)
#define TOCSIN_G_RMA(X) TOCSIN_G_INTEGERS(X) X(float, float) X(double, double) X(longdouble, long double)
#define TOCSIN_G_SUMMED(X) TOCSIN_G_RMA(X) X(complexf, tocsin_shmem_complexf) X(complexd, tocsin_shmem_complexd)
#define TOCSIN_G_AMO(X) \
  X(int, int)           \
  X(uint, unsigned int) X(long, long) X(ulong, unsigned long) X(longlong, long long) X(ulonglong, unsigned long long)
#define TOCSIN_G_AMO_EXTENDED(X) TOCSIN_G_AMO(X) X(float, float) X(double, double)
#define TOCSIN_G_AMO_BITS(X) \
  X(uint, unsigned int)      \
  X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t)
#define TOCSIN_G_WAIT(X) TOCSIN_G_AMO(X) X(short, short) X(ushort, unsigned short)

/* X(NAME, T) of each function, the list of its types, and how many arguments it has without a context. */
#define TOCSIN_G_X_put(N, T) , T : shmem_ctx_##N##_put
#define TOCSIN_G_put(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_put))
#define shmem_put(...) TOCSIN_G_4(TOCSIN_G_put, __VA_ARGS__)
#define TOCSIN_G_X_get(N, T) , T : shmem_ctx_##N##_get
#define TOCSIN_G_get(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_get))
#define shmem_get(...) TOCSIN_G_4(TOCSIN_G_get, __VA_ARGS__)
#define TOCSIN_G_X_put_nbi(N, T) , T : shmem_ctx_##N##_put_nbi
#define TOCSIN_G_put_nbi(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_put_nbi))
#define shmem_put_nbi(...) TOCSIN_G_4(TOCSIN_G_put_nbi, __VA_ARGS__)
#define TOCSIN_G_X_get_nbi(N, T) , T : shmem_ctx_##N##_get_nbi
#define TOCSIN_G_get_nbi(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_get_nbi))
#define shmem_get_nbi(...) TOCSIN_G_4(TOCSIN_G_get_nbi, __VA_ARGS__)
#define TOCSIN_G_X_iput(N, T) , T : shmem_ctx_##N##_iput
#define TOCSIN_G_iput(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_iput))
#define shmem_iput(...) TOCSIN_G_6(TOCSIN_G_iput, __VA_ARGS__)
#define TOCSIN_G_X_iget(N, T) , T : shmem_ctx_##N##_iget
#define TOCSIN_G_iget(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_iget))
#define shmem_iget(...) TOCSIN_G_6(TOCSIN_G_iget, __VA_ARGS__)
#define TOCSIN_G_X_p(N, T) , T : shmem_ctx_##N##_p
#define TOCSIN_G_p(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_p))
#define shmem_p(...) TOCSIN_G_3(TOCSIN_G_p, __VA_ARGS__)
#define TOCSIN_G_X_g(N, T) , T : shmem_ctx_##N##_g
#define TOCSIN_G_g(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_g))
#define shmem_g(...) TOCSIN_G_2(TOCSIN_G_g, __VA_ARGS__)
#define TOCSIN_G_X_put_signal(N, T) , T : shmem_ctx_##N##_put_signal
#define TOCSIN_G_put_signal(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_put_signal))
#define shmem_put_signal(...) TOCSIN_G_7(TOCSIN_G_put_signal, __VA_ARGS__)
#define TOCSIN_G_X_put_signal_nbi(N, T) , T : shmem_ctx_##N##_put_signal_nbi
#define TOCSIN_G_put_signal_nbi(p) _Generic(*(p)TOCSIN_G_RMA(TOCSIN_G_X_put_signal_nbi))
#define shmem_put_signal_nbi(...) TOCSIN_G_7(TOCSIN_G_put_signal_nbi, __VA_ARGS__)

#define TOCSIN_G_X_atomic_fetch(N, T) , T : shmem_ctx_##N##_atomic_fetch
#define TOCSIN_G_atomic_fetch(p) _Generic(*(p)TOCSIN_G_AMO_EXTENDED(TOCSIN_G_X_atomic_fetch))
#define shmem_atomic_fetch(...) TOCSIN_G_2(TOCSIN_G_atomic_fetch, __VA_ARGS__)
#define TOCSIN_G_X_atomic_set(N, T) , T : shmem_ctx_##N##_atomic_set
#define TOCSIN_G_atomic_set(p) _Generic(*(p)TOCSIN_G_AMO_EXTENDED(TOCSIN_G_X_atomic_set))
#define shmem_atomic_set(...) TOCSIN_G_3(TOCSIN_G_atomic_set, __VA_ARGS__)
#define TOCSIN_G_X_atomic_swap(N, T) , T : shmem_ctx_##N##_atomic_swap
#define TOCSIN_G_atomic_swap(p) _Generic(*(p)TOCSIN_G_AMO_EXTENDED(TOCSIN_G_X_atomic_swap))
#define shmem_atomic_swap(...) TOCSIN_G_3(TOCSIN_G_atomic_swap, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_nbi(N, T) , T : shmem_ctx_##N##_atomic_fetch_nbi
#define TOCSIN_G_atomic_fetch_nbi(p) _Generic(*(p)TOCSIN_G_AMO_EXTENDED(TOCSIN_G_X_atomic_fetch_nbi))
#define shmem_atomic_fetch_nbi(...) TOCSIN_G_3(TOCSIN_G_atomic_fetch_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_swap_nbi(N, T) , T : shmem_ctx_##N##_atomic_swap_nbi
#define TOCSIN_G_atomic_swap_nbi(p) _Generic(*(p)TOCSIN_G_AMO_EXTENDED(TOCSIN_G_X_atomic_swap_nbi))
#define shmem_atomic_swap_nbi(...) TOCSIN_G_4(TOCSIN_G_atomic_swap_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_compare_swap(N, T) , T : shmem_ctx_##N##_atomic_compare_swap
#define TOCSIN_G_atomic_compare_swap(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_compare_swap))
#define shmem_atomic_compare_swap(...) TOCSIN_G_4(TOCSIN_G_atomic_compare_swap, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_inc(N, T) , T : shmem_ctx_##N##_atomic_fetch_inc
#define TOCSIN_G_atomic_fetch_inc(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_fetch_inc))
#define shmem_atomic_fetch_inc(...) TOCSIN_G_2(TOCSIN_G_atomic_fetch_inc, __VA_ARGS__)
#define TOCSIN_G_X_atomic_inc(N, T) , T : shmem_ctx_##N##_atomic_inc
#define TOCSIN_G_atomic_inc(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_inc))
#define shmem_atomic_inc(...) TOCSIN_G_2(TOCSIN_G_atomic_inc, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_add(N, T) , T : shmem_ctx_##N##_atomic_fetch_add
#define TOCSIN_G_atomic_fetch_add(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_fetch_add))
#define shmem_atomic_fetch_add(...) TOCSIN_G_3(TOCSIN_G_atomic_fetch_add, __VA_ARGS__)
#define TOCSIN_G_X_atomic_add(N, T) , T : shmem_ctx_##N##_atomic_add
#define TOCSIN_G_atomic_add(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_add))
#define shmem_atomic_add(...) TOCSIN_G_3(TOCSIN_G_atomic_add, __VA_ARGS__)
#define TOCSIN_G_X_atomic_compare_swap_nbi(N, T) , T : shmem_ctx_##N##_atomic_compare_swap_nbi
#define TOCSIN_G_atomic_compare_swap_nbi(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_compare_swap_nbi))
#define shmem_atomic_compare_swap_nbi(...) TOCSIN_G_5(TOCSIN_G_atomic_compare_swap_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_inc_nbi(N, T) , T : shmem_ctx_##N##_atomic_fetch_inc_nbi
#define TOCSIN_G_atomic_fetch_inc_nbi(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_fetch_inc_nbi))
#define shmem_atomic_fetch_inc_nbi(...) TOCSIN_G_3(TOCSIN_G_atomic_fetch_inc_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_add_nbi(N, T) , T : shmem_ctx_##N##_atomic_fetch_add_nbi
#define TOCSIN_G_atomic_fetch_add_nbi(p) _Generic(*(p)TOCSIN_G_AMO(TOCSIN_G_X_atomic_fetch_add_nbi))
#define shmem_atomic_fetch_add_nbi(...) TOCSIN_G_4(TOCSIN_G_atomic_fetch_add_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_and(N, T) , T : shmem_ctx_##N##_atomic_fetch_and
#define TOCSIN_G_atomic_fetch_and(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_fetch_and))
#define shmem_atomic_fetch_and(...) TOCSIN_G_3(TOCSIN_G_atomic_fetch_and, __VA_ARGS__)
#define TOCSIN_G_X_atomic_and(N, T) , T : shmem_ctx_##N##_atomic_and
#define TOCSIN_G_atomic_and(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_and))
#define shmem_atomic_and(...) TOCSIN_G_3(TOCSIN_G_atomic_and, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_and_nbi(N, T) , T : shmem_ctx_##N##_atomic_fetch_and_nbi
#define TOCSIN_G_atomic_fetch_and_nbi(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_fetch_and_nbi))
#define shmem_atomic_fetch_and_nbi(...) TOCSIN_G_4(TOCSIN_G_atomic_fetch_and_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_or(N, T) , T : shmem_ctx_##N##_atomic_fetch_or
#define TOCSIN_G_atomic_fetch_or(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_fetch_or))
#define shmem_atomic_fetch_or(...) TOCSIN_G_3(TOCSIN_G_atomic_fetch_or, __VA_ARGS__)
#define TOCSIN_G_X_atomic_or(N, T) , T : shmem_ctx_##N##_atomic_or
#define TOCSIN_G_atomic_or(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_or))
#define shmem_atomic_or(...) TOCSIN_G_3(TOCSIN_G_atomic_or, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_or_nbi(N, T) , T : shmem_ctx_##N##_atomic_fetch_or_nbi
#define TOCSIN_G_atomic_fetch_or_nbi(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_fetch_or_nbi))
#define shmem_atomic_fetch_or_nbi(...) TOCSIN_G_4(TOCSIN_G_atomic_fetch_or_nbi, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_xor(N, T) , T : shmem_ctx_##N##_atomic_fetch_xor
#define TOCSIN_G_atomic_fetch_xor(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_fetch_xor))
#define shmem_atomic_fetch_xor(...) TOCSIN_G_3(TOCSIN_G_atomic_fetch_xor, __VA_ARGS__)
#define TOCSIN_G_X_atomic_xor(N, T) , T : shmem_ctx_##N##_atomic_xor
#define TOCSIN_G_atomic_xor(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_xor))
#define shmem_atomic_xor(...) TOCSIN_G_3(TOCSIN_G_atomic_xor, __VA_ARGS__)
#define TOCSIN_G_X_atomic_fetch_xor_nbi(N, T) , T : shmem_ctx_##N##_atomic_fetch_xor_nbi
#define TOCSIN_G_atomic_fetch_xor_nbi(p) _Generic(*(p)TOCSIN_G_AMO_BITS(TOCSIN_G_X_atomic_fetch_xor_nbi))
#define shmem_atomic_fetch_xor_nbi(...) TOCSIN_G_4(TOCSIN_G_atomic_fetch_xor_nbi, __VA_ARGS__)

/* Without contexts; the type is that of the first argument, or of the second. */
#define TOCSIN_G_X_wait_until(N, T) , T : shmem_##N##_wait_until
#define shmem_wait_until(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until))(p, __VA_ARGS__)
#define TOCSIN_G_X_test(N, T) , T : shmem_##N##_test
#define shmem_test(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test))(p, __VA_ARGS__)
#define TOCSIN_G_X_wait_until_all(N, T) , T : shmem_##N##_wait_until_all
#define shmem_wait_until_all(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until_all))(p, __VA_ARGS__)
#define TOCSIN_G_X_wait_until_any(N, T) , T : shmem_##N##_wait_until_any
#define shmem_wait_until_any(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until_any))(p, __VA_ARGS__)
#define TOCSIN_G_X_wait_until_some(N, T) , T : shmem_##N##_wait_until_some
#define shmem_wait_until_some(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until_some))(p, __VA_ARGS__)
#define TOCSIN_G_X_test_all(N, T) , T : shmem_##N##_test_all
#define shmem_test_all(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test_all))(p, __VA_ARGS__)
#define TOCSIN_G_X_test_any(N, T) , T : shmem_##N##_test_any
#define shmem_test_any(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test_any))(p, __VA_ARGS__)
#define TOCSIN_G_X_test_some(N, T) , T : shmem_##N##_test_some
#define shmem_test_some(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test_some))(p, __VA_ARGS__)
#define TOCSIN_G_X_wait_until_all_vector(N, T) , T : shmem_##N##_wait_until_all_vector
#define shmem_wait_until_all_vector(p, ...) \
  _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until_all_vector))(p, __VA_ARGS__)
#define TOCSIN_G_X_wait_until_any_vector(N, T) , T : shmem_##N##_wait_until_any_vector
#define shmem_wait_until_any_vector(p, ...) \
  _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until_any_vector))(p, __VA_ARGS__)
#define TOCSIN_G_X_wait_until_some_vector(N, T) , T : shmem_##N##_wait_until_some_vector
#define shmem_wait_until_some_vector(p, ...) \
  _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_wait_until_some_vector))(p, __VA_ARGS__)
#define TOCSIN_G_X_test_all_vector(N, T) , T : shmem_##N##_test_all_vector
#define shmem_test_all_vector(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test_all_vector))(p, __VA_ARGS__)
#define TOCSIN_G_X_test_any_vector(N, T) , T : shmem_##N##_test_any_vector
#define shmem_test_any_vector(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test_any_vector))(p, __VA_ARGS__)
#define TOCSIN_G_X_test_some_vector(N, T) , T : shmem_##N##_test_some_vector
#define shmem_test_some_vector(p, ...) _Generic (*(p)TOCSIN_G_WAIT(TOCSIN_G_X_test_some_vector))(p, __VA_ARGS__)
#define TOCSIN_G_X_alltoall(N, T) , T : shmem_##N##_alltoall
#define shmem_alltoall(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_alltoall))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_alltoalls(N, T) , T : shmem_##N##_alltoalls
#define shmem_alltoalls(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_alltoalls))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_broadcast(N, T) , T : shmem_##N##_broadcast
#define shmem_broadcast(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_broadcast))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_collect(N, T) , T : shmem_##N##_collect
#define shmem_collect(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_collect))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_fcollect(N, T) , T : shmem_##N##_fcollect
#define shmem_fcollect(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_fcollect))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_and_reduce(N, T) , T : shmem_##N##_and_reduce
#define shmem_and_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_INTEGERS(TOCSIN_G_X_and_reduce))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_or_reduce(N, T) , T : shmem_##N##_or_reduce
#define shmem_or_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_INTEGERS(TOCSIN_G_X_or_reduce))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_xor_reduce(N, T) , T : shmem_##N##_xor_reduce
#define shmem_xor_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_INTEGERS(TOCSIN_G_X_xor_reduce))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_min_reduce(N, T) , T : shmem_##N##_min_reduce
#define shmem_min_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_min_reduce))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_max_reduce(N, T) , T : shmem_##N##_max_reduce
#define shmem_max_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_RMA(TOCSIN_G_X_max_reduce))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_sum_reduce(N, T) , T : shmem_##N##_sum_reduce
#define shmem_sum_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_SUMMED(TOCSIN_G_X_sum_reduce))(team, p, __VA_ARGS__)
#define TOCSIN_G_X_prod_reduce(N, T) , T : shmem_##N##_prod_reduce
#define shmem_prod_reduce(team, p, ...) _Generic (*(p)TOCSIN_G_SUMMED(TOCSIN_G_X_prod_reduce))(team, p, __VA_ARGS__)

/* Of a team, or of an active set. */
#define TOCSIN_G_SYNC(a1, a2, a3, a4, it, ...) it
#define shmem_sync(...) TOCSIN_G_SYNC(__VA_ARGS__, (shmem_sync), 0, 0, shmem_team_sync, 0)(__VA_ARGS__)

/* Atomics under their first names. */
#define shmem_fetch(...) shmem_atomic_fetch(__VA_ARGS__)
#define shmem_set(...) shmem_atomic_set(__VA_ARGS__)
#define shmem_swap(...) shmem_atomic_swap(__VA_ARGS__)
#define shmem_cswap(...) shmem_atomic_compare_swap(__VA_ARGS__)
#define shmem_finc(...) shmem_atomic_fetch_inc(__VA_ARGS__)
#define shmem_inc(...) shmem_atomic_inc(__VA_ARGS__)
#define shmem_fadd(...) shmem_atomic_fetch_add(__VA_ARGS__)
#define shmem_add(...) shmem_atomic_add(__VA_ARGS__)

#endif
