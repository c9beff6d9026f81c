// SPDX-License-Identifier: Apache-2.0
// What is left of a connection after something went wrong at its other end: resume says OK for one that goes on,
// and for nothing else.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "scene.h"
#include "tocsin/nic_regs.h"
#include "tocsin/xtq.h"

#define HOLE 0x70000000ull /* exposed by b, and not mapped: its page tables forbid it */

static bool says(const char *text) {
  bool there = strstr(toc_why(), text) != NULL;
  if (!there) printf("it says: %s\n", toc_why());
  return there;
}

/* Both directions carry data. */
static void goes(scene *s, toc_remote home) {
  static uint8_t mark;
  toc_req r;
  s->near[0] = ++mark;
  OK(toc_put(s->ab, s->near, s->there, 1, &r));
  OK(toc_wait(r, 0));
  EQ(s->far[0], mark);
  s->far[1] = ++mark;
  OK(toc_put(s->ba, s->far + 1, toc_at(home, 1), 1, &r));
  OK(toc_wait(r, 0));
  EQ(s->near[1], mark);
  OK(toc_get(s->ab, s->near + 2, s->there, 2, &r));
  OK(toc_wait(r, 0));
  CHECK(s->near[2] == s->far[0] && s->near[3] == s->far[1]);
}

static bool opened(scene *s, toc_remote *home, toc_remote *hole) {
  if (!scene_open(s, NULL)) return false;
  OK(toc_expose(s->a, s->near, 16384, TOC_READ | TOC_WRITE, home));
  OK(toc_expose_iova(s->b, HOLE, 8192, TOC_READ | TOC_WRITE | TOC_ATOMIC, hole));
  return true;
}

// Page tables forbid a get, or an atomic: the peer's end stops. Who asked hears by which, and what there is to do;
// both ends go on then.
static void forbidden_page(void) {
  scene s;
  toc_remote home, hole;
  toc_req get, put, more;
  if (!opened(&s, &home, &hole)) return;
  for (unsigned i = 0; i < 4; i++) {
    s.near[100] = (uint8_t)(10 + i);
    if (i % 2)
      OK(toc_fetch_add(s.ab, (uint64_t *)(void *)(s.near + 64), hole, 1, &get));
    else
      OK(toc_get(s.ab, s.near + 64, hole, 8, &get));
    OK(toc_put(s.ab, s.near + 100, toc_at(s.there, 100), 1, &put));
    IS(toc_wait(get, 0), TOC_E_REMOTE);
    CHECK(says("page tables") && says("peer's end has stopped") && says("toc_qp_resume arms both"));
    IS(toc_put(s.ab, s.near, s.there, 1, &more), TOC_E_STOPPED);
    CHECK(says("peer's end has stopped") && says("toc_qp_resume arms both"));
    IS(toc_wait(put, 0), TOC_E_STOPPED);
    OK(toc_qp_resume(s.ab));
    IS(toc_wait(put, 0), TOC_E_STOPPED);  // never OK for what nobody knows
    CHECK(says("not known"));
    IS(toc_wait(get, 0), TOC_E_REMOTE);  // it stays what it was
    OK(toc_wait_all(s.ab, 0));           // both have been told
    goes(&s, home);
  }
  bool stopped = false;
  toc_event e;
  while (toc_event_next(s.b, &e, 20) == TOC_OK) stopped |= e.kind == TOC_EVENT_RESP_FAILED && e.qp == s.ba;
  CHECK(stopped);
  OK(toc_qp_resume(s.ab));  // nothing has stopped
  OK(toc_qp_resume(s.ba));
  goes(&s, home);
  scene_close(&s);
}

// Errors that nobody has waited for are told by toc_wait_all, also behind one that somebody waits for afterwards.
static void none_is_swallowed(void) {
  scene s;
  toc_remote home, hole;
  toc_req r[3];
  if (!opened(&s, &home, &hole)) return;
  for (unsigned i = 0; i < 3; i++) OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 1, &r[i]));
  for (unsigned i = 0; i < 3; i++) {
    while (!toc_done(r[i])) continue;
    OK(toc_qp_resume(s.ab));
  }
  IS(toc_wait(r[1], 0), TOC_E_ACCESS);
  IS(toc_wait(r[0], 0), TOC_E_ACCESS);
  IS(toc_wait_all(s.ab, 0), TOC_E_ACCESS);  // the third
  OK(toc_wait_all(s.ab, 0));
  OK(toc_get(s.ab, s.near, hole, 8, &r[0]));
  OK(toc_put(s.ab, s.near, s.there, 1, NULL));
  while (!toc_done(r[0])) continue;
  OK(toc_qp_resume(s.ab));
  IS(toc_wait(r[0], 0), TOC_E_REMOTE);
  IS(toc_wait_all(s.ab, 0), TOC_E_STOPPED);  // the put
  OK(toc_wait_all(s.ab, 0));
  scene_close(&s);
}

// The other end was connected again, to us: it expects what we sent first. Both ends begin anew, with other numbers.
static void lost_step(void) {
  scene s;
  toc_remote home, hole;
  toc_address ours[2], its[2];
  toc_req r;
  if (!opened(&s, &home, &hole)) return;
  goes(&s, home);
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 1, &r));
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  OK(toc_qp_address(s.ab, &ours[0]));
  OK(toc_qp_address(s.ba, &its[0]));
  OK(toc_qp_connect(s.ba, &ours[0]));
  IS(toc_put(s.ab, s.near, s.there, 1, &r), TOC_E_STOPPED);
  CHECK(says("toc_qp_resume arms both"));
  OK(toc_qp_resume(s.ab));
  OK(toc_qp_address(s.ab, &ours[1]));
  OK(toc_qp_address(s.ba, &its[1]));
  CHECK(ours[0].psn != ours[1].psn && its[0].psn != its[1].psn);
  goes(&s, home);
  scene_close(&s);
}

// The other end was connected to somebody else: that connection is not ours to arm.
static void left_alone(void) {
  scene s;
  toc_remote home, hole;
  toc_proc *c;
  toc_qp *cb;
  toc_address its, theirs;
  toc_req r;
  if (!opened(&s, &home, &hole)) return;
  goes(&s, home);
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 1, &r));
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  OK(toc_proc_open(toc_node_at(s.f, 0), &c));
  OK(toc_qp_open(c, NULL, &cb));
  OK(toc_qp_address(s.ba, &its));
  OK(toc_qp_address(cb, &theirs));
  OK(toc_qp_connect(s.ba, &theirs));
  OK(toc_qp_connect(cb, &its));
  IS(toc_qp_resume(s.ab), TOC_E_STOPPED);
  CHECK(says("connect again"));
  uint8_t *mine;
  OK(toc_alloc(c, 4096, TOC_READ | TOC_WRITE, (void **)&mine));
  mine[0] = 201;
  OK(toc_put(cb, mine, toc_at(s.there, 7), 1, &r));
  OK(toc_wait(r, 0));
  EQ(s.far[7], 201);
  scene_close(&s);
}

// A region forbids a get: the connection is whole, and what was posted behind goes on.
static void forbidden_region(void) {
  scene s;
  toc_remote home, hole, wo;
  toc_req get, put;
  if (!opened(&s, &home, &hole)) return;
  OK(toc_expose(s.b, s.far, 4096, TOC_WRITE, &wo));
  OK(toc_get(s.ab, s.near + 64, wo, 8, &get));
  s.near[100] = 55;
  OK(toc_put(s.ab, s.near + 100, toc_at(s.there, 100), 1, &put));
  IS(toc_wait(get, 0), TOC_E_ACCESS);
  CHECK(says("region") && says("toc_qp_resume goes on with"));
  OK(toc_qp_resume(s.ab));
  OK(toc_wait(put, 0));
  EQ(s.far[100], 55);
  goes(&s, home);
  scene_close(&s);
}

// The peer is killed: with requests under way, after another failure, while nothing happens, or its queue pair alone.
static void killed(void) {
  for (unsigned how = 0; how < 5; how++) {
    scene s;
    toc_remote home, hole;
    toc_req r[6], more;
    if (!opened(&s, &home, &hole)) return;
    goes(&s, home);
    if (how == 1 || how == 4) {
      OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 1, &more));
      IS(toc_wait(more, 0), TOC_E_ACCESS);
    }
    for (unsigned i = 0; i < 3 && how == 0; i++) OK(toc_put(s.ab, s.near, s.there, 4096, &r[i]));
    if (how < 3)
      toc_proc_close(s.b);
    else
      toc_qp_close(s.ba);
    for (unsigned i = 3; i < 6 && how == 0; i++) OK(toc_put(s.ab, s.near, s.there, 8, &r[i]));
    if (how == 4) {  // another queue pair in its place, that knows nothing of us
      toc_proc *c;
      toc_qp *q;
      toc_address a;
      OK(toc_proc_open(toc_node_at(s.f, 1), &c));
      OK(toc_qp_open(c, NULL, &q));
      OK(toc_qp_address(s.ab, &a));
      OK(toc_qp_connect(q, &a));
    }
    if (how == 0) {
      toc_status end = toc_wait(r[5], 0);
      CHECK(end == TOC_E_PEER_GONE || end == TOC_E_STOPPED);
      IS(toc_qp_resume(s.ab), TOC_E_STOPPED);
      CHECK(says("toc_qp_connect again"));
      bool gone = false;
      for (unsigned i = 0; i < 6; i++) {
        end = toc_wait(r[i], 0);
        CHECK(end == TOC_OK || end == (gone ? TOC_E_STOPPED : TOC_E_PEER_GONE));
        CHECK(end != TOC_OK || (!gone && i < 3));
        gone |= end != TOC_OK;
      }
    }
    IS(toc_qp_resume(s.ab), TOC_E_STOPPED);
    CHECK(says("connect again"));
    IS(toc_put(s.ab, s.near, s.there, 1, &more), TOC_E_STOPPED);
    CHECK(says("connect again"));
    IS(toc_qp_resume(s.ab), TOC_E_STOPPED);
    scene_close(&s);
  }
}

/* A queue pair of node 1 that the library knows nothing of: a peer that is elsewhere. */
enum { STRANGER = 9 };
static void stranger(scene *s, const toc_address *ours, toc_address *its) {
  toc_node *n = toc_node_at(s->f, 1);
  const uint32_t at = 0x100000 + STRANGER * NIC_REG_QP_CTL_STRIDE;
  OK(toc_qp_address(s->ba, its));
  its->qp = (its->qp & ~0xffu) | STRANGER;
  its->psn = 4711;
  OK(toc_reg_write(n, at + NIC_REG_QP_MAC, 8, ours->mac));
  OK(toc_reg_write(n, at + NIC_REG_QP_PEER, 8, ours->ip | (uint64_t)ours->qp << NIC_QP_PEER_QP_LSB));
  OK(toc_reg_write(n, at + NIC_REG_QP_PSN, 8, ours->psn | (uint64_t)its->psn << NIC_QP_PSN_SPSN_LSB));
  OK(toc_reg_write(n, at + NIC_REG_QP_CTL, 8,
                   NIC_QP_CTL_EN_MASK | (uint64_t)toc_proc_index(s->b) << NIC_QP_CTL_PROC_LSB |
                       3ull << NIC_QP_CTL_MTU_LSB | 1ull << NIC_QP_CTL_RNR_LSB | 0xffffull << NIC_QP_CTL_PKEY_LSB));
}

// Of a peer that is elsewhere nothing is known: it is asked, and has to answer.
static void elsewhere(void) {
  scene s;
  toc_remote home, hole;
  toc_address ours, its;
  toc_req r, behind;
  if (!opened(&s, &home, &hole)) return;
  for (unsigned how = 0; how < 3; how++) {
    toc_qp *q;
    OK(toc_qp_open(s.a, NULL, &q));
    IS(toc_qp_resume(q), TOC_E_STOPPED);
    CHECK(says("not connected"));
    OK(toc_qp_address(q, &ours));
    stranger(&s, &ours, &its);
    OK(toc_qp_connect(q, &its));
    OK(toc_qp_resume(q));
    OK(toc_put(q, s.near, toc_at(s.there, 16384), 1, &r));
    OK(toc_put(q, s.near, s.there, 1, &behind));
    IS(toc_wait(r, 0), TOC_E_ACCESS);
    CHECK(says("if the peer") && says("answers"));
    OK(toc_qp_resume(q));
    OK(toc_wait(behind, 0));
    OK(toc_wait_all(q, 0));
    if (how == 0) {  // it stops, as a responder does that cannot read
      OK(toc_get(q, s.near, hole, 8, &r));
      IS(toc_wait(r, 0), TOC_E_REMOTE);
    } else {
      OK(toc_put(q, s.near, toc_at(s.there, 16384), 1, &r));
      if (how == 2) OK(toc_put(q, s.near, toc_at(s.there, 16384), 1, &behind));
      IS(toc_wait(r, 0), TOC_E_ACCESS);
    }
    if (how == 2) {  // the next one fails as well: the peer lives, but this call cannot know how long
      IS(toc_qp_resume(q), TOC_E_STOPPED);
      CHECK(says("stopped again") && says("toc_qp_resume goes on"));
      IS(toc_wait(behind, 0), TOC_E_ACCESS);
      OK(toc_qp_resume(q));
    }
    OK(toc_reg_write(toc_node_at(s.f, 1), 0x100000 + NIC_REG_QP_CTL + STRANGER * NIC_REG_QP_CTL_STRIDE, 8,
                     (uint64_t)(how ? 0 : 1)));
    IS(toc_qp_resume(q), TOC_E_STOPPED);
    CHECK(says("does not answer") && says("toc_qp_connect again"));
    OK(toc_wait_all(q, 0));  // it has been told: nothing of the program's has failed since
    OK(toc_reg_write(toc_node_at(s.f, 1), 0x100000 + NIC_REG_QP_CTL + STRANGER * NIC_REG_QP_CTL_STRIDE, 8, 0));
    toc_qp_close(q);
  }
  goes(&s, home);
  scene_close(&s);
}

// A message of many packets finds no slot for its task, and the tries are over: the peer still waits for its rest.
// What was posted behind must not be taken for that. A peer elsewhere cannot be helped; but one packet leaves
// nobody in its middle.
static void in_the_middle(bool known, uint32_t bytes) {
  scene s;
  toc_remote home, hole;
  toc_address ours, its;
  toc_qp *x, *y;
  toc_req task, put[6];
  xtq_queue *queue;
  xtq_queue_view v;
  if (!opened(&s, &home, &hole)) return;
  OK(xtq_queue_open(s.b, &(xtq_queue_options){.packets = 1}, &queue));
  OK(xtq_register_queue(s.b, 0, queue));
  OK(xtq_register_function(s.b, 0, &(xtq_code){.code = 1}));
  OK(xtq_feed_buffers(s.b, 4, 16384));
  OK(toc_qp_open(s.a, &(toc_qp_options){.rnr_retry = 1, .entries = 8}, &x));
  OK(toc_qp_address(x, &ours));
  if (known) {
    OK(toc_qp_open(s.b, NULL, &y));
    OK(toc_qp_address(y, &its));
    OK(toc_qp_connect(y, &ours));
  } else {
    stranger(&s, &ours, &its);
  }
  OK(toc_qp_connect(x, &its));
  xtq_task t = {.function = true, .process = toc_proc_index(s.b), .payload = s.near, .payload_bytes = bytes};
  OK(xtq_put(x, &t, &task));
  OK(toc_wait(task, 0));
  for (unsigned turn = 0; turn < 3; turn++) {
    OK(xtq_put(x, &t, &task));
    for (unsigned i = 0; i < 6; i++) {
      s.near[5000 + i] = (uint8_t)(100 + 10 * turn + i);
      OK(toc_put(x, s.near + 5000 + i, toc_at(s.there, 200 + i), 1, &put[i]));
    }
    IS(toc_wait(task, 0), TOC_E_NOT_READY);
    if (!known && bytes > 1024) {
      CHECK(says("toc_qp_connect again"));
      IS(toc_qp_resume(x), TOC_E_STOPPED);
      CHECK(says("toc_qp_connect again"));
      break;
    }
    CHECK(says(known ? "goes on with what was posted behind" : "goes on if the peer"));
    OK(toc_qp_resume(x));
    for (unsigned i = 0; i < 6; i++) OK(toc_wait(put[i], 0));
    CHECK(!memcmp(s.far + 200, s.near + 5000, 6));
  }
  xtq_queue_see(queue, &v);
  EQ(*v.doorbell, 0);  // nothing of the tasks that were given up
  toc_store(v.read_index, 1);
  if (known) {
    OK(xtq_put(x, &t, &task));
    OK(toc_wait(task, 0));
  }
  goes(&s, home);
  scene_close(&s);
}

// The peer's own requests are not lost for it: they end first. What cannot end is told to who owns it,
// and waits to be resumed there.
static void other_way(void) {
  scene s;
  toc_remote home, hole;
  toc_req get, put[40], task;
  const unsigned n = scene_few(40);
  if (!opened(&s, &home, &hole)) return;
  for (unsigned i = 0; i < n; i++) {
    s.far[i] = (uint8_t)(i + 1);
    if (i == n / 2) {
      OK(toc_get(s.ab, s.near + 8192, hole, 8, &get));
      IS(toc_wait(get, 0), TOC_E_REMOTE);
    }
    OK(toc_put(s.ba, s.far + i, toc_at(home, i), 1, &put[i]));
  }
  toc_req large;
  for (unsigned i = 0; i < scene_few(48); i++) OK(toc_put(s.ba, s.far, home, 16384, &large));
  OK(toc_qp_resume(s.ab));  // while they are under way
  OK(toc_wait(large, 0));
  for (unsigned i = 0; i < n; i++) OK(toc_wait(put[i], 0));
  CHECK(!memcmp(s.near, s.far, n));
  goes(&s, home);
  /* a task for which a has no buffer waits for ever */
  xtq_queue *queue;
  OK(xtq_queue_open(s.a, NULL, &queue));
  OK(xtq_register_queue(s.a, 0, queue));
  OK(xtq_register_function(s.a, 0, &(xtq_code){.code = 1}));
  xtq_task t = {.function = true, .process = toc_proc_index(s.a), .payload = s.far, .payload_bytes = 8};
  OK(xtq_put(s.ba, &t, &task));
  OK(toc_get(s.ab, s.near + 8192, hole, 8, &get));
  IS(toc_wait(get, 0), TOC_E_REMOTE);
  OK(toc_qp_resume(s.ab));
  IS(toc_wait(task, 0), TOC_E_STOPPED);
  CHECK(says("not known"));
  IS(toc_put(s.ba, s.far, home, 1, &put[0]), TOC_E_STOPPED);
  OK(toc_qp_resume(s.ba));
  goes(&s, home);
  scene_close(&s);
}

// One thread meets holes and resumes, the other's puts the other way go on, or one resumes where another does.
typedef struct worker {
  pthread_t thread;
  scene *s;
  toc_qp *q;
  toc_remote to, hole;
  uint8_t *from;
  unsigned rounds, resumed;
  bool *until; /* the other one has ended */
  toc_status bad;
} worker;

static bool fine(worker *w, toc_status s) {
  if (s != TOC_OK && w->bad == TOC_OK) w->bad = s;
  return s == TOC_OK;
}

static void *resumes(void *arg) {
  worker *w = arg;
  for (unsigned i = 0; i < w->rounds && w->bad == TOC_OK; i++) {
    toc_req r;
    toc_status s = toc_get(w->q, w->from, w->hole, 8, &r);
    if (s == TOC_OK) s = toc_wait(r, 0);
    if (s != TOC_E_REMOTE && s != TOC_E_STOPPED) w->bad = s ? s : TOC_E_COUNT;  // stopped: the other one met it first
    if (fine(w, toc_qp_resume(w->q))) w->resumed++;
  }
  if (w->until) __atomic_store_n(w->until, true, __ATOMIC_SEQ_CST);
  return NULL;
}

static void *writes(void *arg) {
  worker *w = arg;
  while (!__atomic_load_n(w->until, __ATOMIC_SEQ_CST) && w->bad == TOC_OK) {
    toc_req r[4];
    w->from[0] = (uint8_t)++w->rounds;
    for (unsigned i = 0; i < 4; i++)
      if (!fine(w, toc_put(w->q, w->from, w->to, 1, &r[i]))) return NULL;
    for (unsigned i = 0; i < 4; i++) (void)fine(w, toc_wait(r[i], 0));
  }
  return NULL;
}

static void threads(bool same) {
  scene s;
  toc_remote home, hole;
  if (!opened(&s, &home, &hole)) return;
  const unsigned n = scene_few(24);
  worker w[2] = {{.s = &s, .q = s.ab, .hole = hole, .from = s.near + 4096, .rounds = n},
                 {.s = &s, .q = s.ba, .to = toc_at(home, 8192), .from = s.far + 8192}};
  bool ended = false;
  w[0].until = w[1].until = &ended;
  if (same) w[1] = (worker){.s = &s, .q = s.ab, .hole = hole, .from = s.near + 4160, .rounds = n};
  EQ(pthread_create(&w[0].thread, NULL, resumes, &w[0]), 0);
  EQ(pthread_create(&w[1].thread, NULL, same ? resumes : writes, &w[1]), 0);
  for (unsigned i = 0; i < 2; i++) {
    EQ(pthread_join(w[i].thread, NULL), 0);
    if (w[i].bad != TOC_OK) printf("thread %u: %s\n", i, toc_name(w[i].bad));
    CHECK(w[i].bad == TOC_OK);
  }
  EQ(w[0].resumed, n);
  if (!same) EQ(s.near[8192], (uint8_t)w[1].rounds);
  OK(toc_qp_resume(s.ab));
  OK(toc_qp_resume(s.ba));
  toc_status left = toc_wait_all(s.ab, 0);
  CHECK(left == TOC_OK || left == TOC_E_REMOTE || left == TOC_E_STOPPED);
  goes(&s, home);
  scene_close(&s);
}

// A peer whose queue pair was away for too long comes back just while this end looks what is left of the connection.
typedef struct mover {
  toc_qp *qp;
  toc_qp_state state;
  unsigned us;
  toc_status is;
} mover;

static void *restores(void *arg) {
  mover *m = arg;
  nanosleep(&(struct timespec){.tv_nsec = 1000L * m->us}, NULL);
  m->is = toc_qp_restore(m->qp, &m->state);
  return NULL;
}

static void comes_back(void) {
  scene s;
  toc_remote home, hole;
  toc_address ours, its;
  toc_req r;
  pthread_t t;
  if (!opened(&s, &home, &hole)) return;
  mover m = {.qp = s.ba};
  toc_qp_close(s.ab);
  OK(toc_qp_open(s.a, &(toc_qp_options){.timeout_us = 20, .retry = 1}, &s.ab));
  for (m.us = 0; m.us < 1000; m.us += 10) {
    OK(toc_qp_address(s.ab, &ours));
    OK(toc_qp_address(s.ba, &its));
    OK(toc_qp_connect(s.ab, &its));
    OK(toc_qp_connect(s.ba, &ours));
    OK(toc_qp_save(s.ba, &m.state));
    OK(toc_put(s.ab, s.near, s.there, 1, &r));
    IS(toc_wait(r, 0), TOC_E_PEER_GONE);
    EQ(pthread_create(&t, NULL, restores, &m), 0);
    toc_status is = toc_qp_resume(s.ab);
    IS(is, is == TOC_OK ? TOC_OK : TOC_E_STOPPED);
    EQ(pthread_join(t, NULL), 0);
    OK(m.is);
    if (is != TOC_OK) OK(toc_qp_resume(s.ab));
  }
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  forbidden_page();
  none_is_swallowed();
  lost_step();
  left_alone();
  forbidden_region();
  killed();
  if (!seats) elsewhere();  // who plays the peer has only registers
  in_the_middle(true, 3000);
  if (!seats) in_the_middle(false, 3000);
  in_the_middle(true, 8);
  if (!seats) in_the_middle(false, 8);
  other_way();
  threads(false);
  threads(true);
  if (!slow) comes_back();
  return report();
}
