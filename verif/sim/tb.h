// SPDX-License-Identifier: Apache-2.0
/*
 * tb: what every block test needs: command line, seeded random numbers, checks that say all there is to know.
 *
 *   int main(int argc, char **argv) {
 *     tb t;
 *     tb_init(&t, argc, argv, "cm_fifo", 20000);    // 20000: cycles unless --cycles says otherwise (netlist: a third)
 *     dut *d = dut_begin(&t);                       // from the generated cm_fifo_tb.h, included after tb.h
 *     dut_reset(d, 2);
 *     ...  CHECK_EQ(&t, dut_get_level_o(d), want, "level after %u pushes", n);
 *     dut_free(d);
 *     return tb_end(&t);                            // 0: passed, 1: something failed
 *   }
 *
 * A failed check prints block, configuration, cycle, seed, got, want, the command that repeats the run with waves, and
 * where these are then found. After 10 failures the run ends. Several tests may run in one process; a tb is not shared
 * between threads.
 */
#ifndef TOCSIN_TB_H
#define TOCSIN_TB_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tb {
  const char *block;
  const char *config;  // --config: name of the parameter set, for messages
  uint64_t seed;       // --seed, or SEED in the environment, or 1
  uint64_t cycles;     // --cycles, or what tb_init was given
  uint64_t whole;      // what tb_init was given
  const char *waves;   // --waves FILE, or NULL
  uint64_t checks;
  unsigned failures;
  uint64_t rnd[4];
  void *dut;
  uint64_t (*cycle)(void *dut);
  void (*close)(void *dut);
} tb;

void tb_init(tb *t, int argc, char **argv, const char *block, uint64_t cycles);
uint64_t tb_least(const tb *t, uint64_t n);  // n in a run of the cycles that tb_init was given; fewer in a shorter one
void tb_watch(tb *t, void *dut, uint64_t (*cycle)(void *dut), void (*close)(void *dut));
void tb_unwatch(tb *t);      // before the device is freed, if checks follow
int tb_end(tb *t);           // prints the summary line
void tb_assertion(void *t);  // counts an assertion of the design that failed

// Random numbers, a function of the seed alone (xoshiro256**).
uint64_t rnd(tb *t);
uint64_t rnd_bits(tb *t, unsigned bits);  // 0 to 64 bits
uint64_t rnd_below(tb *t, uint64_t n);    // 0 .. n-1; n > 0
bool rnd_chance(tb *t, unsigned percent);
void rnd_words(tb *t, uint32_t *words, unsigned bits);  // fills a wide port's words, unused bits 0

// Wide ports: words of 32 bits, lowest first. A field of up to 64 bits at bit `lsb`.
uint64_t bits_get(const uint32_t *words, unsigned lsb, unsigned width);
void bits_set(uint32_t *words, unsigned lsb, unsigned width, uint64_t value);
bool words_eq(const uint32_t *a, const uint32_t *b, unsigned bits);
void words_copy(uint32_t *to, unsigned to_lsb, const uint32_t *from, unsigned from_lsb, unsigned width);

#if defined(__GNUC__)
#define TB_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define TB_PRINTF(a, b)
#endif
void tb_check(tb *t, bool ok, const char *file, int line, const char *expr, const char *what, ...) TB_PRINTF(6, 7);
void tb_check_eq(tb *t, uint64_t got, uint64_t want, const char *file, int line, const char *what, ...) TB_PRINTF(6, 7);
void tb_check_mem(tb *t, const void *got, const void *want, size_t len, const char *file, int line, const char *what,
                  ...) TB_PRINTF(7, 8);

// The last arguments are a printf format and its values.
#define CHECK(t, cond, ...) tb_check(t, cond, __FILE__, __LINE__, #cond, __VA_ARGS__)
#define CHECK_EQ(t, got, want, ...) tb_check_eq(t, (uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_MEM(t, got, want, len, ...) tb_check_mem(t, got, want, len, __FILE__, __LINE__, __VA_ARGS__)

#endif
