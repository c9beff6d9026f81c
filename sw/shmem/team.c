// SPDX-License-Identifier: Apache-2.0
// Teams and contexts. A team is start, stride and size in the world. Contexts share the connections of the PE: they say
// by which team PEs are numbered, and no more.
#include <pthread.h>
#include <stdlib.h>

#include "coll.h"
#include "heap.h"

struct tocsin_shmem_team tocsin_shmem_team_world, tocsin_shmem_team_shared;
struct tocsin_shmem_ctx tocsin_shmem_ctx_default = {.team = &tocsin_shmem_team_world};

static shmem_team_t teams;  // that the program has made

static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;  // of teams, contexts and numbers: threads make theirs

static bool led[SHM_LED] = {
    [SHM_ID_WORLD] = true, [SHM_ID_ACTIVE] = true};  // numbers of teams that this PE is first in

void shm_team_open(void) {
  shmem_team_t world = &tocsin_shmem_team_world, shared = &tocsin_shmem_team_shared;
  *world = (struct tocsin_shmem_team){.start = 0, .stride = 1, .size = shm.n, .id = SHM_ID_WORLD, .use = &world->own};
  *shared = (struct tocsin_shmem_team){.start = shm.me, .stride = 1, .size = 1, .use = &shared->own};
}

static void drop_contexts(shmem_team_t t) {
  while (t->ctx) {
    shmem_ctx_t c = t->ctx;
    t->ctx = c->next;
    free(c);
  }
}

static void drop(shmem_team_t t) {
  shmem_team_t *at = &teams;
  pthread_mutex_lock(&lists);
  while (*at != t) at = &(*at)->next;
  *at = t->next;
  pthread_mutex_unlock(&lists);
  drop_contexts(t);
  free(t);
}

void shm_team_close(void) {
  while (teams) drop(teams);
  drop_contexts(&tocsin_shmem_team_world);
  drop_contexts(&tocsin_shmem_team_shared);
}

int shm_team_index(shmem_team_t t, int world_pe) {
  const int off = world_pe - t->start;
  if (t->size == 1) return off ? -1 : 0;
  return off % t->stride || off / t->stride < 0 || off / t->stride >= t->size ? -1 : off / t->stride;
}

static shmem_team_t needed(shmem_team_t t, const char *what) {
  shm_need_open(what);
  if (!t) shm_die("%s: the team is SHMEM_TEAM_INVALID", what);
  return t;
}

int shm_pe_of(shmem_ctx_t ctx, int pe, const char *what) {
  shm_need_open(what);
  if (!ctx) shm_die("%s: the context is SHMEM_CTX_INVALID", what);
  if (pe < 0 || pe >= ctx->team->size) shm_die("%s: there is no PE %d; there are %d", what, pe, ctx->team->size);
  return ctx->team->start + pe * ctx->team->stride;
}

int shmem_team_my_pe(shmem_team_t team) { return team ? shm_team_index(needed(team, "shmem_team_my_pe"), shm.me) : -1; }

int shmem_team_n_pes(shmem_team_t team) { return team ? needed(team, "shmem_team_n_pes")->size : -1; }

int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config) {
  if (!team || config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) return -1;
  if (config_mask) config->num_contexts = needed(team, "shmem_team_get_config")->contexts;
  return 0;
}

int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  if (!src_team || !dest_team || src_pe < 0 || src_pe >= src_team->size) return -1;
  return shm_team_index(dest_team, src_team->start + src_pe * src_team->stride);
}

// ---- new ones
static shmem_team_t make(shmem_team_t parent, int start, int stride, int size, int contexts) {
  shmem_team_t t = malloc(sizeof *t);
  if (!t) shm_die("no memory");
  *t = (struct tocsin_shmem_team){.start = parent->start + start * parent->stride,
                                  .stride = size > 1 ? stride * parent->stride : 1,
                                  .size = size,
                                  .contexts = contexts};
  if (shm_team_index(t, shm.me) >= 0) return t;
  free(t);
  return SHMEM_TEAM_INVALID;
}

// 0: all that this PE may give are taken.
static uint64_t new_id(void) {
  unsigned i = 0;
  pthread_mutex_lock(&lists);
  while (i < SHM_LED && led[i]) i++;
  if (i < SHM_LED) led[i] = true;
  pthread_mutex_unlock(&lists);
  return i < SHM_LED ? (uint64_t)shm.me * SHM_LED + i : 0;
}

static void give_id(unsigned id) {
  pthread_mutex_lock(&lists);
  led[id % SHM_LED] = false;
  pthread_mutex_unlock(&lists);
}

// Its first PE gives a new team its number; until it has one, the thread that is in the parent's collective
// uses the parent's.
static bool name(shmem_team_t *team, shmem_team_t parent) {
  shmem_team_t t = *team;
  const bool first = shm_team_index(t, shm.me) == 0;
  uint64_t id = first ? new_id() : 0;
  t->id = parent->id;
  t->use = parent->use;
  shm_broadcast(t, &id, sizeof id, 0);
  t->id = (unsigned)id;
  t->use = &t->own;
  pthread_mutex_lock(&lists);
  t->next = teams;
  teams = t;
  pthread_mutex_unlock(&lists);
  if (id) return true;
  drop(t);
  *team = SHMEM_TEAM_INVALID;
  return false;
}

static int contexts_of(const shmem_team_config_t *config, long mask) {
  return mask & SHMEM_TEAM_NUM_CONTEXTS ? config->num_contexts : 0;
}

static bool is_triplet(const struct tocsin_shmem_team *parent, int start, int stride, int size) {
  const long last = start + (long)stride * (size - 1);
  return size > 0 && (stride || size == 1) && start >= 0 && start < parent->size && last >= 0 && last < parent->size;
}

int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team) {
  *new_team = SHMEM_TEAM_INVALID;
  if (!parent_team) return -1;
  const uint64_t triplet = (uint64_t)(uint32_t)start << 40 ^ (uint64_t)(uint32_t)stride << 20 ^ (uint32_t)size;
  shm_agree(needed(parent_team, "shmem_team_split_strided"), triplet, "shmem_team_split_strided");
  if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS || !is_triplet(parent_team, start, stride, size)) return -1;
  *new_team = make(parent_team, start, stride, size, contexts_of(config, config_mask));
  return !*new_team || name(new_team, parent_team) ? 0 : -1;
}

int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
                        shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
                        shmem_team_t *yaxis_team) {
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (!parent_team) return -1;
  shm_agree(needed(parent_team, "shmem_team_split_2d"), (uint64_t)(uint32_t)xrange, "shmem_team_split_2d");
  if (xrange <= 0 || (xaxis_mask | yaxis_mask) & ~SHMEM_TEAM_NUM_CONTEXTS) return -1;
  const int n = parent_team->size, width = xrange < n ? xrange : n, me = shm_team_index(parent_team, shm.me);
  const int x = me % width, row = me - x, left = n - row;
  const int height = (n - x + width - 1) / width;
  *xaxis_team = make(parent_team, row, 1, left < width ? left : width, contexts_of(xaxis_config, xaxis_mask));
  *yaxis_team = make(parent_team, x, width, height, contexts_of(yaxis_config, yaxis_mask));
  const bool x_named = name(xaxis_team, parent_team), y_named = name(yaxis_team, parent_team);
  return x_named && y_named ? 0 : -1;
}

void shmem_team_destroy(shmem_team_t team) {
  if (!team) return;
  needed(team, "shmem_team_destroy");
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) shm_die("shmem_team_destroy: a team that is always there");
  shm_part(team);
  if (shm_team_index(team, shm.me) == 0) give_id(team->id);
  drop(team);
}

// ---- contexts
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx) {
  *ctx = SHMEM_CTX_INVALID;
  if (!team || options & ~(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)) return -1;
  shmem_ctx_t c = malloc(sizeof *c);
  if (!c) return -1;
  needed(team, "shmem_team_create_ctx");
  pthread_mutex_lock(&lists);
  *c = (struct tocsin_shmem_ctx){.team = team, .next = team->ctx, .options = options};
  team->ctx = *ctx = c;
  pthread_mutex_unlock(&lists);
  return 0;
}

int shmem_ctx_create(long options, shmem_ctx_t *ctx) { return shmem_team_create_ctx(SHMEM_TEAM_WORLD, options, ctx); }

void shmem_ctx_destroy(shmem_ctx_t ctx) {
  if (!ctx) return;
  shmem_ctx_quiet(ctx);
  if (ctx == SHMEM_CTX_DEFAULT) shm_die("shmem_ctx_destroy: the default context");
  pthread_mutex_lock(&lists);
  shmem_ctx_t *at = &ctx->team->ctx;
  while (*at != ctx) at = &(*at)->next;
  *at = ctx->next;
  pthread_mutex_unlock(&lists);
  free(ctx);
}

int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team) {
  *team = ctx ? ctx->team : SHMEM_TEAM_INVALID;
  return ctx ? 0 : -1;
}

// ---- order
void shmem_ctx_quiet(shmem_ctx_t ctx) {
  shm_need_open("shmem_quiet");
  if (ctx) shm_quiet();  // of SHMEM_CTX_INVALID nothing is asked
}

void shmem_ctx_fence(shmem_ctx_t ctx) { shmem_ctx_quiet(ctx); }
void shmem_quiet(void) { shmem_ctx_quiet(SHMEM_CTX_DEFAULT); }
void shmem_fence(void) { shmem_ctx_quiet(SHMEM_CTX_DEFAULT); }
