// SPDX-License-Identifier: Apache-2.0
// aa_lru: the age of a way is the number of ways touched after it. The reference knows when each way was touched, and
// nothing of ages. Every order of few ways, some orders of many; then long histories in which the ages go round. What a
// touch does to a way is said of any ages, so those that no history leaves are touched, too.
// Rules of rtl/aa/README.md: XLT-5.
// config: default -GWays=4
// config: one -GWays=1
// config: two -GWays=2
// config: odd -GWays=5
// config: seven -GWays=7
// config: many -GWays=16
// netlist: odd
#include "tb.h"
#include "aa_lru_tb.h"

enum { WAYS = P_Ways, AGE = AGE_I_W / WAYS };

static uint64_t touched[WAYS], now;  // when; the larger the later

static uint64_t ages(void) {
  uint64_t all = 0;
  for (unsigned w = 0; w < WAYS; w++) {
    uint64_t age = 0;
    for (unsigned v = 0; v < WAYS; v++) age += touched[v] > touched[w];
    all |= age << w * AGE;
  }
  return all;
}

// Starts with way 0 as the youngest.
static void start(void) {
  now = WAYS;
  for (unsigned w = 0; w < WAYS; w++) touched[w] = WAYS - w;
}

// Order number n of WAYS!: the youngest way is one of all, the next one of the rest, and so on.
static void order(uint64_t n) {
  now = WAYS;
  for (unsigned w = 0; w < WAYS; w++) touched[w] = 0;
  for (unsigned left = WAYS; left > 0; left--) {
    uint64_t skip = n % left;
    n /= left;
    for (unsigned w = 0; w < WAYS; w++)
      if (!touched[w] && skip-- == 0) {
        touched[w] = left;
        break;
      }
  }
}

// Touches a way, returns the ages that the hardware gives.
static uint64_t touch(tb *t, dut *d, uint64_t age, unsigned way) {
  dut_set_age_i(d, age);
  dut_set_way_i(d, 1ull << way);
  dut_eval(d);
  touched[way] = ++now;
  CHECK_EQ(t, dut_get_age_o(d), ages(), "way %u touched at ages %llx", way, (unsigned long long)age);
  return dut_get_age_o(d);
}

// P2 word for word, of ages that need not be a permutation.
static void touch_any(tb *t, dut *d) {
  uint64_t all = rnd_bits(t, AGE_I_W), top = (1u << AGE) - 1, want = 0;
  unsigned way = (unsigned)rnd_below(t, WAYS);
  uint64_t mine = all >> way * AGE & top;
  for (unsigned w = 0; w < WAYS; w++) {
    uint64_t age = all >> w * AGE & top;
    want |= (w == way ? 0 : age < mine ? age + 1 : age) << w * AGE;
  }
  dut_set_age_i(d, all);
  dut_set_way_i(d, 1ull << way);
  dut_eval(d);
  CHECK_EQ(t, dut_get_age_o(d), want, "P2: way %u touched at ages %llx", way, (unsigned long long)all);
}

static unsigned victim(tb *t, uint64_t age) {
  unsigned found = WAYS, n = 0;
  for (unsigned w = 0; w < WAYS; w++)
    if ((age >> w * AGE & ((1u << AGE) - 1)) == WAYS - 1) found = w, n++;
  CHECK_EQ(t, n, 1, "victims at ages %llx", (unsigned long long)age);
  return found;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_lru", 6000);
  dut *d = dut_begin(&t);

  // From the start: way WAYS-1 goes first, way 0 last, and then again.
  start();
  dut_eval(d);
  uint64_t age = dut_get_start_o(d), orders = 1;
  CHECK_EQ(&t, age, ages(), "start: the age of a way is its number");
  for (unsigned i = 0; i < 3 * WAYS; i++) {
    unsigned v = victim(&t, age);
    CHECK_EQ(&t, v, WAYS - 1 - i % WAYS, "victim number %u", i);
    age = touch(&t, d, age, v % WAYS);
  }

  // Every order there is, or as many as there is time for; every way touched in it.
  for (unsigned w = 2; w <= WAYS; w++) orders *= w;
  uint64_t tries = orders < t.cycles ? orders : t.cycles;
  for (uint64_t i = 0; i < tries && !t.failures; i++) {
    uint64_t n = orders <= t.cycles ? i : rnd_below(&t, orders);
    for (unsigned w = 0; w < WAYS; w++) {
      order(n);
      touch(&t, d, ages(), w);
    }
  }

  for (uint64_t i = 0; i < t.cycles && !t.failures; i++) touch_any(&t, d);

  // Histories: now all ways, now a few of them only, now the victim.
  start();
  age = ages();
  for (uint64_t i = 0; i < t.cycles && !t.failures; i++) {
    unsigned few = i & 64 ? (WAYS + 1) / 2 : WAYS;
    unsigned v = victim(&t, age);
    for (unsigned w = 0; w < WAYS; w++) CHECK(&t, touched[v % WAYS] <= touched[w], "victim %u, but %u is older", v, w);
    age = touch(&t, d, age, i & 128 ? v % WAYS : (unsigned)rnd_below(&t, few));
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
