// SPDX-License-Identifier: Apache-2.0
// Queue pairs that leave the NIC and come back where they were: at rest, in the middle of the peer's puts, closed and
// opened in between; and what is refused.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "scene.h"
#include "tocsin/nic_regs.h"

static toc_remote home;  // a's memory, for b

static bool opened(scene *s, const toc_options *o) {
  if (!scene_open(s, o)) return false;
  OK(toc_expose(s->a, s->near, 16384, TOC_READ | TOC_WRITE | TOC_ATOMIC, &home));
  return true;
}

static void back(scene *s, const toc_qp_state *state, bool anew) {
  toc_address was, is;
  toc_req r;
  OK(toc_qp_address(s->ab, &was));
  IS(toc_put(s->ab, s->near, s->there, 1, &r), TOC_E_STOPPED);
  if (anew) {
    toc_qp_close(s->ab);
    OK(toc_qp_open(s->a, &(toc_qp_options){.mtu = 256, .entries = 8}, &s->ab));
    OK(toc_qp_address(s->ab, &is));
    EQ(is.qp, was.qp);
  }
  OK(toc_qp_restore(s->ab, state));
}

// Both directions, one request of each kind, with a save and a restore between any two.
static void at_rest(void) {
  scene s;
  toc_req r;
  toc_qp_state state;
  uint64_t *old, sum = 0;
  if (!opened(&s, NULL)) return;
  old = (uint64_t *)(void *)(s.far + 128);
  for (unsigned i = 0; i < scene_few(64); i++) {
    s.near[0] = (uint8_t)(i + 1);
    OK(toc_put(s.ab, s.near, s.there, 1, &r));  // saving waits for it
    OK(toc_qp_save(s.ab, &state));
    EQ(s.far[0], (uint8_t)(i + 1));
    back(&s, &state, i % 3 == 2);
    s.far[1] = (uint8_t)(i + 2);
    OK(toc_put(s.ba, s.far + 1, toc_at(home, 1), 1, &r));
    OK(toc_wait(r, 0));
    EQ(s.near[1], (uint8_t)(i + 2));
    OK(toc_fetch_add(s.ba, old, toc_at(home, 64), i, &r));
    OK(toc_wait(r, 0));
    EQ(*old, sum);
    sum += i;
    OK(toc_get(s.ab, s.near + 2, s.there, 2, &r));
    OK(toc_wait(r, 0));
    CHECK(s.near[2] == s.far[0] && s.near[3] == s.far[1]);
  }
  scene_close(&s);
}

// The peer puts and gets all the time, also on a link that loses; what it has to ask for again it asks for.
static void under_way(const toc_options *o) {
  unsigned middles = 0;
  scene s;
  toc_req r[4];
  toc_qp_state state;
  if (!opened(&s, o)) return;
  for (unsigned i = 0; i < scene_few(32); i++) {
    for (unsigned k = 0; k < 8192; k++) s.far[k] = (uint8_t)(k * 7 + i), s.near[8192 + k] = (uint8_t)(k * 3 + i);
    for (unsigned k = 0; k < 4; k++)
      OK(k & 1 ? toc_get(s.ba, s.far + 8192 + 2048 * k, toc_at(home, 8192 + 2048 * k), 2048, &r[k])
               : toc_put(s.ba, s.far + 2048 * k, toc_at(home, 2048 * k), 4096, &r[k]));
    for (unsigned k = 0; k < i; k++) (void)toc_progress(s.f);  // it gets a little further each time
    OK(toc_qp_save(s.ab, &state));
    for (unsigned k = 0; k < 4 * i; k++) (void)toc_progress(s.f);
    middles += state.msg & NIC_QP_MSG_WRITE_MASK ? 1 : 0;
    back(&s, &state, i & 1);
    for (unsigned k = 0; k < 4; k++) OK(toc_wait(r[k], 0));
    CHECK(!memcmp(s.near, s.far, 4096) && !memcmp(s.near + 4096, s.far + 4096, 4096));
    CHECK(!memcmp(s.near + 10240, s.far + 10240, 2048) && !memcmp(s.near + 14336, s.far + 14336, 2048));
  }
  CHECK(!o || middles > 2);
  scene_close(&s);
}

// The peer's atomics on a link that loses: done once, and answered behind a move, from the answers that went along.
static void atomics(void) {
  unsigned asked = 0;
  scene s;
  toc_qp_state state;
  uint64_t *old, *word, sum = 7;
  if (!opened(&s, &(toc_options){.drop = 200})) return;
  old = (uint64_t *)(void *)(s.far + 128);
  word = (uint64_t *)(void *)(s.near + 64);
  *word = sum;
  for (uint64_t i = 1; i <= 64; i++) {
    toc_req r;
    OK(toc_fetch_add(s.ba, old, toc_at(home, 64), i, &r));
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == sum) (void)toc_progress(s.f);
    for (unsigned k = 0; k < 8; k++) (void)toc_progress(s.f);  // its answer is stored
    const bool open = !toc_done(r);
    OK(toc_qp_save(s.ab, &state));
    EQ((state.msg & NIC_QP_MSG_ANSWERS_MASK) != 0, true);
    asked += open;
    back(&s, &state, i & 1);
    OK(toc_wait(r, 0));
    EQ(*old, sum);
    sum += i;
    EQ(*word, sum);
  }
  CHECK(asked > 3);
  scene_close(&s);
}

static void refused(void) {
  scene s;
  toc_req r;
  toc_qp_state state = {.number = 1}, bad = state;
  toc_qp *other;
  if (!opened(&s, NULL)) return;
  IS(toc_qp_save(s.ab, NULL), TOC_E_ARG);
  IS(toc_qp_restore(s.ab, NULL), TOC_E_ARG);
  OK(toc_qp_open(s.a, NULL, &other));
  IS(toc_qp_save(other, &state), TOC_E_STOPPED);
  EQ(state.number, 0);
  OK(toc_qp_save(s.ab, &state));
  IS(toc_qp_save(s.ab, &bad), TOC_E_STOPPED);
  IS(toc_qp_resume(s.ab), TOC_E_STOPPED);
  IS(toc_qp_restore(other, &state), TOC_E_ARG);
  bad = state;
  bad.mtu = 1000;
  IS(toc_qp_restore(s.ab, &bad), TOC_E_ARG);
  OK(toc_qp_restore(s.ab, &state));
  IS(toc_qp_restore(s.ab, &state), TOC_E_ARG);
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 1, &r));  // beyond the end
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  IS(toc_qp_save(s.ab, &state), TOC_E_STOPPED);
  OK(toc_qp_resume(s.ab));
  OK(toc_qp_save(s.ab, &state));
  OK(toc_qp_restore(s.ab, &state));
  OK(toc_put(s.ab, s.near, s.there, 1, &r));
  OK(toc_wait(r, 0));
  scene_close(&s);
}

// A save takes the queue pair away while a put waits for room in its ring: the put is refused, or had been done before.
typedef struct other {
  scene *s;
  toc_qp_state state;
  toc_req r;
  toc_status is;
} other;

static void *puts_one(void *arg) {
  other *o = arg;
  o->is = toc_put(o->s->ab, o->s->near, o->s->there, 1, &o->r);
  return NULL;
}

static void *saves(void *arg) {
  other *o = arg;
  o->is = toc_qp_save(o->s->ab, &o->state);
  return NULL;
}

static void no_room(void) {
  scene s;
  other o[2] = {{.s = &s}, {.s = &s}};
  pthread_t t[2];
  toc_req r;
  if (!opened(&s, &(toc_options){.timeout_us = 10000000})) return;
  for (unsigned i = 0; i < 64; i++) OK(toc_send(s.ab, s.near, 8, NULL));  // no buffer is there
  for (unsigned i = 0; i < 2; i++) {
    EQ(pthread_create(&t[i], NULL, i ? saves : puts_one, &o[i]), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  }
  OK(toc_recv_post(s.b, s.far, 16384, 64, NULL));
  for (unsigned i = 0; i < 2; i++) EQ(pthread_join(t[i], NULL), 0);
  OK(o[1].is);
  if (o[0].is == TOC_OK)
    OK(toc_wait(o[0].r, 1));
  else
    IS(o[0].is, TOC_E_STOPPED);
  OK(toc_qp_restore(s.ab, &o[1].state));
  OK(toc_put(s.ab, s.near, s.there, 1, &r));
  OK(toc_wait(r, 0));
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  at_rest();
  under_way(NULL);
  if (!slow) under_way(&(toc_options){.drop = 100});  // until the time is over the rest of a put is missing
  if (!slow) atomics();
  if (!slow) no_room();
  refused();
  return report();
}
