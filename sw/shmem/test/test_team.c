// SPDX-License-Identifier: Apache-2.0
// Teams: who is in them, collectives of them, PEs that are numbered by them on their contexts.
#include <limits.h>

#include "check.h"

static int me, n;

static void strided(void) {
  shmem_team_t odd, back, none;
  shmem_team_config_t config = {.num_contexts = 3}, got = {0};
  const int odds = n / 2;
  none = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &none) != 0 && none == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 0, NULL, 0, &none) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &none) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &back) == 0);
  CHECK(shmem_team_my_pe(back) == n - 1 - me && shmem_team_translate_pe(back, 0, SHMEM_TEAM_WORLD) == n - 1);
  int number = me, all[64];
  shmem_fcollect(back, all, &number, 1);
  for (int i = 0; i < n; i++) CHECK(all[i] == n - 1 - i);
  shmem_team_destroy(back);
  if (!odds) return;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, odds, &config, SHMEM_TEAM_NUM_CONTEXTS, &odd) == 0);
  CHECK((me % 2 == 1) == (odd != SHMEM_TEAM_INVALID));
  CHECK(shmem_team_my_pe(odd) == (me % 2 ? me / 2 : -1) && shmem_team_n_pes(odd) == (me % 2 ? odds : -1));
  if (odd == SHMEM_TEAM_INVALID) return;
  CHECK(shmem_team_get_config(odd, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == 3);
  CHECK(shmem_team_translate_pe(odd, odds - 1, SHMEM_TEAM_WORLD) == odds * 2 - 1);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, odd) == -1 && shmem_team_translate_pe(odd, odds, odd) == -1);
  shmem_team_t last;
  CHECK(shmem_team_split_strided(odd, odds - 1, 1, 1, NULL, 0, &last) == 0);
  CHECK((last != SHMEM_TEAM_INVALID) == (me == odds * 2 - 1));
  // of one PE the stride means nothing
  shmem_team_t lone = SHMEM_TEAM_INVALID, again;
  CHECK(shmem_team_split_strided(odd, 0, INT_MAX, 1, NULL, 0, &lone) == 0 && (lone != SHMEM_TEAM_INVALID) == (me == 1));
  if (lone) CHECK(shmem_team_split_strided(lone, 0, INT_MIN, 1, NULL, 0, &again) == 0 && shmem_team_my_pe(again) == 0);
  if (lone) shmem_team_destroy(again);
  shmem_team_destroy(lone);
  int sum = 0;
  shmem_sum_reduce(odd, &sum, &number, 1);
  CHECK(sum == odds * odds);
  CHECK(shmem_team_sync(odd) == 0);
  shmem_team_destroy(last);
  shmem_team_destroy(odd);
}

static void plane(int width) {
  shmem_team_t row, column;
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &row, NULL, 0, &column) == 0);
  const int wide = width < n ? width : n, y = me / wide;
  CHECK(shmem_team_my_pe(row) == me % wide && shmem_team_my_pe(column) == y);
  CHECK(shmem_team_n_pes(row) == (n - y * wide < wide ? n - y * wide : wide));
  CHECK(shmem_team_translate_pe(row, 0, SHMEM_TEAM_WORLD) == y * wide);
  CHECK(shmem_team_translate_pe(column, 0, SHMEM_TEAM_WORLD) == me % wide);
  int a = me, least = -1, most = -1;
  shmem_min_reduce(row, &least, &a, 1);
  shmem_max_reduce(column, &most, &a, 1);
  CHECK(least == y * wide && most % wide == me % wide && most + wide >= n);
  shmem_team_destroy(row);
  shmem_team_destroy(column);
}

// Each PE writes to the next of its team, by its number there.
static void contexts(void) {
  static int word;
  shmem_team_t half, of;
  shmem_ctx_t ctx, bad = SHMEM_CTX_DEFAULT;
  const int low = (n + 1) / 2;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, low, NULL, 0, &half) == 0);
  shmem_team_t other;
  if (n > 1) CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, low, 1, n - low, NULL, 0, &other) == 0);
  shmem_team_t mine = me < low ? half : other;
  const int size = shmem_team_n_pes(mine), index = shmem_team_my_pe(mine), base = me < low ? 0 : low;
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &bad) != 0 && bad == SHMEM_CTX_INVALID);
  CHECK(shmem_team_create_ctx(mine, SHMEM_CTX_PRIVATE, &ctx) == 0);
  CHECK(shmem_ctx_get_team(ctx, &of) == 0 && of == mine);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &of) == 0 && of == SHMEM_TEAM_WORLD);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &of) != 0 && of == SHMEM_TEAM_INVALID);
  shmem_ctx_int_p(ctx, &word, me + 100, (index + 1) % size);
  shmem_ctx_quiet(ctx);
  shmem_team_sync(mine);
  CHECK(word == base + (index + size - 1) % size + 100);
  shmem_team_sync(mine);
  CHECK(shmem_ctx_int_atomic_fetch_add(ctx, &word, 1, (index + 1) % size) == me + 100);
  shmem_ctx_fence(ctx);
  shmem_ctx_destroy(ctx);
  CHECK(shmem_ctx_create(0, &ctx) == 0);  // goes with the library, and so do these
  CHECK(shmem_team_split_strided(mine, 0, 1, size, NULL, 0, &of) == 0 && shmem_team_create_ctx(of, 0, &ctx) == 0);
  shmem_team_destroy(mine);
}

int main(void) {
  int major, minor;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(_my_pe() == me && _num_pes() == n && shmem_pe_accessible(n - 1) && !shmem_pe_accessible(n));
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  CHECK(major == 1 && minor == 5 && !strcmp(name, SHMEM_VENDOR_STRING));
  CHECK(shmem_team_n_pes(SHMEM_TEAM_WORLD) == n && shmem_team_my_pe(SHMEM_TEAM_WORLD) == me);
  CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) == 1 &&
        shmem_team_translate_pe(SHMEM_TEAM_SHARED, 0, SHMEM_TEAM_WORLD) == me);
  strided();
  for (int width = 1; width <= n + 1; width++) plane(width);
  contexts();
  return check_end("team");
}
