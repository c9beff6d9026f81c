// SPDX-License-Identifier: Apache-2.0
#include "tb.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FAILURES 10

static uint64_t rotl(uint64_t x, unsigned k) { return (x << k) | (x >> (64 - k)); }

static void seed_rnd(tb *t) {
  uint64_t x = t->seed;
  for (unsigned i = 0; i < 4; i++) {  // splitmix64
    uint64_t z = (x += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    t->rnd[i] = z ^ (z >> 31);
  }
}

static uint64_t parse(const char *name, const char *text) {
  char *end;
  uint64_t v = strtoull(text, &end, 0);
  if (*text == 0 || *end != 0) {
    fprintf(stderr, "%s: not a number: %s\n", name, text);
    exit(2);
  }
  return v;
}

void tb_init(tb *t, int argc, char **argv, const char *block, uint64_t cycles) {
  const char *env = getenv("SEED");
  memset(t, 0, sizeof *t);
  t->block = block;
  t->config = "default";
  t->seed = env && *env ? parse("SEED", env) : 1;
  t->whole = cycles;
  // A netlist is slow, and its questions are those of synthesis: a third of the cycles answers them.
  t->cycles = getenv("TOCSIN_NETLIST") ? cycles / 3 : cycles;
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (value && !strcmp(name, "--seed")) {
      t->seed = parse(name, value);
    } else if (value && !strcmp(name, "--cycles")) {
      t->cycles = parse(name, value);
    } else if (value && !strcmp(name, "--config")) {
      t->config = value;
    } else if (value && !strcmp(name, "--waves")) {
      t->waves = value;
    } else {
      fprintf(stderr, "usage: %s [--seed N] [--cycles N] [--waves FILE] [--config NAME]\n", argv[0]);
      exit(2);
    }
    i++;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  seed_rnd(t);
}

uint64_t tb_least(const tb *t, uint64_t n) { return t->cycles < t->whole ? n * t->cycles / t->whole : n; }

void tb_watch(tb *t, void *dut, uint64_t (*cycle)(void *dut), void (*close)(void *dut)) {
  t->dut = dut;
  t->cycle = cycle;
  t->close = close;
}

void tb_unwatch(tb *t) { t->dut = NULL; }

static uint64_t now(const tb *t) { return t->dut ? t->cycle(t->dut) : 0; }

int tb_end(tb *t) {
  if (t->checks == 0) {
    printf("FAIL %s[%s]: the test checked nothing\n", t->block, t->config);
    t->failures++;
  }
  printf("%s[%s] seed %" PRIu64 ": %" PRIu64 " checks, %u failures\n", t->block, t->config, t->seed, t->checks,
         t->failures);
  return t->failures != 0;
}

static void fail_head(tb *t) {
  t->failures++;
  printf("FAIL %s[%s] cycle %" PRIu64 " seed %" PRIu64 ": ", t->block, t->config, now(t), t->seed);
}

static void fail_tail(tb *t) {
  const char *variant = getenv("TOCSIN_NETLIST");
  printf("  repeat: make sim BLOCK=%s CONFIG=%s SEED=%" PRIu64 " CYCLES=%" PRIu64 "%s WAVES=1\n", t->block, t->config,
         t->seed, t->cycles, variant ? " NETLIST=1" : "");
  if (t->waves)
    printf("  waves:  %s\n", t->waves);
  else
    printf("  waves:  build/sim/%s/%s%s-waves/wave.fst\n", t->block, t->config, variant ? "-netlist" : "");
  if (t->failures >= MAX_FAILURES) {
    printf("  giving up after %u failures\n", t->failures);
    if (t->dut) t->close(t->dut);
    exit(1);
  }
}

void tb_assertion(void *ctx) {
  tb *t = ctx;
  fail_head(t);
  printf("an assertion of the design failed (named above)\n");
  fail_tail(t);
}

void tb_check(tb *t, bool ok, const char *file, int line, const char *expr, const char *what, ...) {
  t->checks++;
  if (ok) return;
  va_list ap;
  va_start(ap, what);
  fail_head(t);
  vprintf(what, ap);
  printf(": want %s (%s:%d)\n", expr, file, line);
  fail_tail(t);
  va_end(ap);
}

void tb_check_eq(tb *t, uint64_t got, uint64_t want, const char *file, int line, const char *what, ...) {
  t->checks++;
  if (got == want) return;
  va_list ap;
  va_start(ap, what);
  fail_head(t);
  vprintf(what, ap);
  printf(": got 0x%" PRIx64 " want 0x%" PRIx64 " (%s:%d)\n", got, want, file, line);
  fail_tail(t);
  va_end(ap);
}

static void print_bytes(const char *name, const uint8_t *p, size_t at, size_t len) {
  printf("  %s", name);
  for (size_t i = at; i < len && i < at + 32; i++) printf(" %02x", p[i]);
  printf("\n");
}

void tb_check_mem(tb *t, const void *got, const void *want, size_t len, const char *file, int line, const char *what,
                  ...) {
  t->checks++;
  if (!memcmp(got, want, len)) return;
  const uint8_t *g = got, *w = want;
  size_t at = 0;
  while (g[at] == w[at]) at++;
  va_list ap;
  va_start(ap, what);
  fail_head(t);
  vprintf(what, ap);
  printf(": differs from byte %zu of %zu on (%s:%d)\n", at, len, file, line);
  print_bytes("got ", g, at, len);
  print_bytes("want", w, at, len);
  fail_tail(t);
  va_end(ap);
}

uint64_t rnd(tb *t) {
  uint64_t *s = t->rnd, r = rotl(s[1] * 5, 7) * 9, x = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= x;
  s[3] = rotl(s[3], 45);
  return r;
}

uint64_t rnd_bits(tb *t, unsigned bits) { return bits == 0 ? 0 : rnd(t) >> (64 - (bits > 64 ? 64 : bits)); }

uint64_t rnd_below(tb *t, uint64_t n) { return rnd(t) % n; }

bool rnd_chance(tb *t, unsigned percent) { return rnd(t) % 100 < percent; }

void rnd_words(tb *t, uint32_t *words, unsigned bits) {
  for (unsigned i = 0; i * 32 < bits; i++) words[i] = (uint32_t)rnd_bits(t, bits - i * 32 < 32 ? bits - i * 32 : 32);
}

uint64_t bits_get(const uint32_t *words, unsigned lsb, unsigned width) {
  uint64_t v = 0;
  for (unsigned i = 0; i < width;) {
    unsigned at = lsb + i, n = 32 - at % 32;
    if (n > width - i) n = width - i;
    v |= ((uint64_t)(words[at / 32] >> (at % 32)) & ((1ULL << n) - 1)) << i;
    i += n;
  }
  return v;
}

void bits_set(uint32_t *words, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width;) {
    unsigned at = lsb + i, n = 32 - at % 32;
    if (n > width - i) n = width - i;
    uint32_t mask = (uint32_t)(((1ULL << n) - 1) << (at % 32));
    words[at / 32] = (words[at / 32] & ~mask) | ((uint32_t)(value >> i << (at % 32)) & mask);
    i += n;
  }
}

bool words_eq(const uint32_t *a, const uint32_t *b, unsigned bits) {
  for (unsigned i = 0; i < bits; i += 32)
    if (bits_get(a, i, bits - i < 32 ? bits - i : 32) != bits_get(b, i, bits - i < 32 ? bits - i : 32)) return false;
  return true;
}

void words_copy(uint32_t *to, unsigned to_lsb, const uint32_t *from, unsigned from_lsb, unsigned width) {
  for (unsigned i = 0; i < width; i += 32) {
    unsigned n = width - i < 32 ? width - i : 32;
    bits_set(to, to_lsb + i, n, bits_get(from, from_lsb + i, n));
  }
}
