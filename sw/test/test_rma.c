// SPDX-License-Identifier: Apache-2.0
// Puts, gets and atomics: random ones against an image of remote memory, over links good and bad; and how they fail.
#include <poll.h>

#include "internal.h"
#include "scene.h"

enum { HALF = 8192 };

// ---- random requests of one connection, in order; what remote memory must be is kept beside it
typedef struct pending {
  toc_req r;
  bool get, atomic;
  uint32_t at, bytes;
  uint64_t old;
  uint8_t want[1024];
} pending;

static void random_requests(unsigned n, const toc_options *link) {
  static uint8_t image[HALF];
  static pending one, *const p = &one;
  scene s;
  uint64_t rng = seed * 77 + 5;
  uint32_t imms = 0, heard = 0;
  if (!scene_open(&s, link)) return;
  memset(image, 0, sizeof image);
  for (unsigned i = 0; i < n && !failed; i++) {
    uint8_t *local = s.near + 1024 * (i % 8);
    memset(p, 0, sizeof *p);
    unsigned op = scene_random(&rng) % 6;
    p->bytes = scene_random(&rng) % 3 ? scene_random(&rng) % 1000 : scene_random(&rng) % 9;
    p->at = scene_random(&rng) % (HALF - 1024);
    if (op < 3) {
      for (uint32_t k = 0; k < p->bytes; k++) image[p->at + k] = local[k] = (uint8_t)scene_random(&rng);
      if (op == 2)
        OK(toc_put_imm(s.ab, local, toc_at(s.there, p->at), p->bytes, imms++, &p->r));
      else
        OK(toc_put(s.ab, local, toc_at(s.there, p->at), p->bytes, &p->r));
    } else if (op == 3) {
      p->get = true;
      memcpy(p->want, image + p->at, p->bytes);
      memset(local, 0xee, p->bytes);
      OK(toc_get(s.ab, local, toc_at(s.there, p->at), p->bytes, &p->r));
    } else {
      uint64_t word, value = scene_random(&rng);
      p->atomic = true;
      p->at &= ~7u;
      memcpy(&word, image + p->at, 8);
      p->old = word;
      if (op == 4) {
        OK(toc_fetch_add(s.ab, (uint64_t *)(void *)local, toc_at(s.there, p->at), value, &p->r));
        word += value;
      } else {
        uint64_t compare = word + scene_random(&rng) % 2;
        OK(toc_compare_swap(s.ab, (uint64_t *)(void *)local, toc_at(s.there, p->at), compare, value, &p->r));
        if (compare == word) word = value;
      }
      memcpy(image + p->at, &word, 8);
    }
    /* A get that is asked again sees later puts, and a put does not wait for gets and atomics before it: so
     * each is waited for. */
    OK(toc_wait(p->r, 0));
    if (p->get) CHECK(!memcmp(local, p->want, p->bytes));
    if (p->atomic) CHECK(!memcmp(local, &p->old, 8));
    if (i % 64 == 63) CHECK(!memcmp(image, s.far, HALF));
    for (toc_event e; imms != heard && toc_event_next(s.b, &e, 0) == TOC_OK;) {
      EQ(e.kind, TOC_EVENT_IMM);
      EQ(e.value, heard++);
      CHECK(e.qp == s.ba);
    }
  }
  CHECK(!memcmp(image, s.far, HALF));
  EQ(heard, imms);
  scene_close(&s);
}

// Many under way at once: more than the ring has entries.
static void in_flight(const toc_options *link) {
  scene s;
  unsigned n = scene_few(1000);
  if (!scene_open(&s, link)) return;
  for (unsigned i = 0; i < n; i++) {
    s.near[i] = (uint8_t)(i * 7);
    OK(toc_put(s.ab, s.near + i, toc_at(s.there, 2 * i), 1, NULL));
  }
  OK(toc_wait_all(s.ab, 0));
  for (unsigned i = 0; i < n; i++) EQ(s.far[2 * i], (uint8_t)(i * 7));
  memset(s.near, 0, HALF);
  OK(toc_get(s.ab, s.near, s.there, HALF, NULL));  // one of 8 KiB
  OK(toc_wait_all(s.ab, 0));
  CHECK(!memcmp(s.near, s.far, HALF));
  scene_close(&s);
}

// ---- failures
static void wrong_arguments(void) {
  scene s;
  uint8_t stack[8] = {0};
  toc_req r;
  toc_qp *q;
  void *p;
  toc_remote m;
  if (!scene_open(&s, NULL)) return;
  IS(toc_put(s.ab, stack, s.there, 8, &r), TOC_E_RANGE);
  CHECK(!r.qp);
  IS(toc_put(s.ab, s.near + 16380, s.there, 8, &r), TOC_E_RANGE);
  IS(toc_put(s.ab, s.far, s.there, 8, &r), TOC_E_RANGE);  // another process' memory
  IS(toc_fetch_add(s.ab, (uint64_t *)(void *)s.near, toc_at(s.there, 4), 1, &r), TOC_E_ALIGN);
  IS(toc_wait((toc_req){0}, 0), TOC_E_ARG);
  IS(toc_alloc(s.a, 0, TOC_READ, &p), TOC_E_ARG);
  IS(toc_alloc(s.a, 4096, 8, &p), TOC_E_ARG);
  IS(toc_alloc(s.a, 1u << 30, TOC_READ, &p), TOC_E_NOMEM);
  CHECK(!p);
  IS(toc_free(s.a, s.near + 4096), TOC_E_RANGE);
  IS(toc_qp_open(s.a, &(toc_qp_options){.entries = 3}, &q), TOC_E_ARG);
  IS(toc_qp_open(s.a, &(toc_qp_options){.mtu = 1500}, &q), TOC_E_ARG);
  IS(toc_connect(s.a, s.a, &q, NULL), TOC_E_ARG);
  IS(toc_expose(s.a, s.near, 4096, 0, &m), TOC_E_ARG);
  IS(toc_expose(s.a, s.near, 1 << 20, TOC_READ, &m), TOC_E_RANGE);
  IS(toc_hide(s.a, s.there), TOC_E_ARG);
  OK(toc_alloc(s.a, 4096, TOC_READ, &p));
  IS(toc_get(s.ab, p, s.there, 8, &r), TOC_E_RANGE);  // devices may not write it
  OK(toc_free(s.a, p));
  IS(toc_put(s.ab, p, s.there, 8, &r), TOC_E_RANGE);
  OK(toc_qp_open(s.a, NULL, &q));
  IS(toc_put(q, s.near, s.there, 8, &r), TOC_E_STOPPED);  // not connected
  toc_qp *many[64];
  toc_caps caps;
  unsigned n = 0;
  toc_caps_of(toc_proc_node(s.a), &caps);
  while (n < 64 && toc_qp_open(s.a, NULL, &many[n]) == TOC_OK) n++;
  EQ(n, caps.qps - 2);
  while (n) toc_qp_close(many[--n]);
  scene_close(&s);
}

// The peer says no: the request fails by name, the next ones wait, resume goes on.
static void refused(void) {
  scene s;
  toc_req bad, good, more;
  toc_remote ro;
  if (!scene_open(&s, NULL)) return;
  OK(toc_expose(s.b, s.far, 4096, TOC_READ, &ro));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384 - 4), 8, &bad));  // over the end
  s.near[0] = 99;
  OK(toc_put(s.ab, s.near, s.there, 1, &good));
  IS(toc_wait(bad, 0), TOC_E_ACCESS);
  IS(toc_wait(good, 0), TOC_E_STOPPED);
  IS(toc_wait_all(s.ab, 0), TOC_E_STOPPED);  // not all have ended, though what has failed was told
  IS(toc_put(s.ab, s.near, s.there, 1, &more), TOC_E_STOPPED);
  OK(toc_qp_resume(s.ab));
  OK(toc_wait(good, 0));
  EQ(s.far[0], 99);
  OK(toc_wait_all(s.ab, 0));  // toc_wait has told already
  OK(toc_put(s.ab, s.near, ro, 1, NULL));
  IS(toc_wait_all(s.ab, 0), TOC_E_ACCESS);
  OK(toc_wait_all(s.ab, 0));  // once
  OK(toc_qp_resume(s.ab));
  OK(toc_hide(s.b, s.there));
  OK(toc_put(s.ab, s.near, s.there, 1, &bad));
  IS(toc_wait(bad, 0), TOC_E_ACCESS);
  toc_event e;
  for (unsigned i = 0; i < 3; i++) {
    OK(toc_event_next(s.b, &e, 0));
    EQ(e.kind, TOC_EVENT_REFUSED);
    CHECK(e.qp == s.ba);
  }
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  scene_close(&s);
}

// Memory that the peer has exposed, but its IOMMU does not allow: puts vanish and make a fault, gets fail.
static void not_mapped(void) {
  scene s;
  toc_remote hole;
  toc_req r;
  toc_event e;
  if (!scene_open(&s, NULL)) return;
  OK(toc_expose_iova(s.b, 0x70000000, 8192, TOC_READ | TOC_WRITE, &hole));
  OK(toc_put(s.ab, s.near, toc_at(hole, 4096), 8, &r));
  OK(toc_wait(r, 0));  // the wire knows nothing of it
  OK(toc_event_next(s.b, &e, 0));
  EQ(e.kind, TOC_EVENT_FAULT);
  EQ(e.value, 0x70001000);
  EQ(e.index, 5);
  EQ(e.status, 0);
  OK(toc_get(s.ab, s.near, hole, 8, &r));
  IS(toc_wait(r, 0), TOC_E_REMOTE);
  bool fault = false, stopped = false;
  while (toc_event_next(s.b, &e, 20) == TOC_OK) {
    if (e.kind == TOC_EVENT_FAULT) fault = e.index == 6 && e.status == 1 && e.value == 0x70000000;
    if (e.kind == TOC_EVENT_RESP_FAILED) stopped = e.qp == s.ba;
  }
  CHECK(fault && stopped);
  scene_close(&s);
}

// The peer goes away: nobody hangs.
static void peer_gone(void) {
  scene s;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  toc_proc_close(s.b);
  OK(toc_put(s.ab, s.near, s.there, 8, &r));
  IS(toc_wait(r, 50), TOC_E_TIMEOUT);
  IS(toc_wait(r, 0), TOC_E_PEER_GONE);
  IS(toc_qp_resume(s.ab), TOC_E_STOPPED);
  scene_close(&s);
}

// Ends of requests that nobody has looked at are not taken for those of the next connection.
static void reconnected(void) {
  scene s;
  toc_address a, b;
  toc_req r, old;
  if (!scene_open(&s, NULL)) return;
  for (unsigned i = 0; i < 5; i++) OK(toc_put(s.ab, s.near, s.there, 8, &old));
  toc_i_fabric *f = toc_i_object(TOC_I_fabric, s.f, "", "");
  toc_i_qp *ab = toc_i_object(TOC_I_qp, s.ab, "", "");
  for (unsigned i = 0; i < 50; i++) f->be->progress(f->self);  // the device runs, the driver does not look
  OK(toc_qp_address(s.ab, &a));
  OK(toc_qp_address(s.ba, &b));
  OK(toc_qp_connect(s.ba, &a));
  OK(toc_qp_connect(s.ab, &b));
  OK(toc_put(s.ab, s.near, s.there, 8, &r));
  (void)toc_i_events(ab->p);
  EQ(ab->ended, 5);
  OK(toc_wait(old, 0));  // it had ended before
  OK(toc_wait(r, 0));
  EQ(ab->ended, 6);
  scene_close(&s);
}

// Over IPv6, with a VLAN tag, with both; ends that do not agree hear nothing of one another.
// The frames are what they say.
static void other_frames(void) {
  scene s;
  toc_qp *x, *y;
  toc_address ax, ay;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_qp_open(s.a, &(toc_qp_options){.entries = 4, .retry = 1}, &x));
  OK(toc_qp_open(s.b, NULL, &y));
  for (unsigned kind = 0; kind < 5; kind++) {
    OK(toc_qp_address(x, &ax));
    OK(toc_qp_address(y, &ay));
    CHECK(ax.ip6[0] == 0xfe && ax.ip6[1] == 0x80 && ax.ip6[15] == (uint8_t)ax.mac && ax.vlan == 0);
    if (kind & 2) ax.ip = ay.ip = 0;
    if (kind & 1) ax.vlan = ay.vlan = 0x6000 | 77;
    if (kind == 4) ay.vlan = 78;  // ours is tagged, theirs is not
    OK(toc_qp_connect(x, &ay));
    OK(toc_qp_connect(y, &ax));
    memset(s.near, (int)(0xa0 + kind), 3000);
    OK(toc_put(x, s.near, s.there, 3000, &r));
    if (kind == 4) {
      IS(toc_wait(r, 0), TOC_E_PEER_GONE);
      EQ(s.far[0], 0xa3);
    } else {
      OK(toc_wait(r, 0));
      CHECK(!memcmp(s.far, s.near, 3000));
      memset(s.near, 0, 3000);
      OK(toc_get(x, s.near, s.there, 3000, &r));
      OK(toc_wait(r, 0));
      CHECK(!memcmp(s.far, s.near, 3000));
    }
  }
  ay.ip = 0;
  memset(ay.ip6, 0, 16);
  IS(toc_qp_connect(x, &ay), TOC_E_ARG);
  scene_close(&s);
}

// A second address of the same memory, and connections by hand.
static void by_hand(void) {
  scene s;
  toc_qp *x, *y;
  toc_address ax, ay;
  toc_remote m;
  toc_req r;
  uint64_t iova;
  void *ptr;
  if (!scene_open(&s, NULL)) return;
  OK(toc_map(s.b, s.far + 4096, 4096, TOC_WRITE, 0x40000000));
  IS(toc_map(s.b, s.far, 8192, TOC_WRITE, 0x3ffff000), TOC_E_IN_USE);
  IS(toc_map(s.b, s.far, 4096, TOC_WRITE, 0x123), TOC_E_ALIGN);
  IS(toc_free(s.b, s.far), TOC_E_IN_USE);
  OK(toc_pointer(s.b, 0x40000010, 16, &ptr));
  CHECK(ptr == s.far + 4096 + 16);
  OK(toc_iova(s.b, s.far + 4096, &iova));
  EQ(iova, s.there.addr + 4096);  // the address that it was allocated with
  OK(toc_expose_iova(s.b, 0x40000000, 4096, TOC_WRITE, &m));
  OK(toc_qp_open(s.a, &(toc_qp_options){.entries = 1, .mtu = 256}, &x));
  OK(toc_qp_open(s.b, &(toc_qp_options){.entries = 4, .mtu = 256}, &y));
  OK(toc_qp_address(x, &ax));
  OK(toc_qp_address(y, &ay));
  OK(toc_qp_connect(x, &ay));
  OK(toc_qp_connect(y, &ax));
  memset(s.near, 0x5c, 4000);
  for (unsigned i = 0; i < 3; i++) OK(toc_put(x, s.near, toc_at(m, 8 * i), 4000, &r));  // a ring of one
  OK(toc_wait(r, 0));
  CHECK(!memcmp(s.far + 4096, s.near, 4000));
  OK(toc_unmap(s.b, 0x40000000, 4096));
  IS(toc_unmap(s.b, 0x40000000, 4096), TOC_E_RANGE);
  IS(toc_pointer(s.b, 0x40000010, 16, &ptr), TOC_E_RANGE);
  scene_close(&s);
}

// Looking instead of waiting: requests, words, an eventfd.
static void looked_at(void) {
  scene s;
  toc_req r;
  toc_event e;
  uint64_t count;
  if (!scene_open(&s, NULL)) return;
  CHECK(toc_nodes(s.f) == 2 && toc_node_rank(toc_proc_node(s.b)) == 1 && toc_qp_proc(s.ab) == s.a);
  struct pollfd fd = {.fd = toc_event_fd(s.b), .events = POLLIN};
  EQ(poll(&fd, 1, 0), 0);
  uint64_t *word = (uint64_t *)(void *)s.far, before = toc_now(s.f);
  IS(toc_wait_word(s.f, word, 0xff, 7, 5), TOC_E_TIMEOUT);
  CHECK(toc_now(s.f) >= before + 5000);
  s.near[0] = 7;
  OK(toc_put_imm(s.ab, s.near, s.there, 8, 1, &r));
  CHECK(!toc_done(r));
  OK(toc_wait_word(s.f, word, 0xff, 7, 0));
  unsigned turns = 0;
  while (!toc_done(r) && turns < 10000) turns++;
  CHECK(turns < 10000 && toc_done((toc_req){0}));
  for (turns = 0; !poll(&fd, 1, 0) && turns < 1000; turns++) toc_progress(s.f);
  EQ(poll(&fd, 1, 0), 1);
  OK(toc_event_next(s.b, &e, 0));
  EQ(e.kind, TOC_EVENT_IMM);
  IS(toc_event_next(s.b, &e, 5), TOC_E_TIMEOUT);
  EQ(poll(&fd, 1, 0), 0);
  OK(toc_count_nic(toc_node_at(s.f, 0), 18, &count));  // entries of send rings
  EQ(count, 1);
  IS(toc_count_nic(toc_node_at(s.f, 0), NIC_REG_NIC_CNT_NUM, &count), TOC_E_ARG);
  scene_close(&s);
}

// More events than are kept: it is told once, and the newest are there.
static void too_many_events(void) {
  scene s;
  toc_event e;
  unsigned n = 0;
  if (!scene_open(&s, NULL)) return;
  for (unsigned i = 0; i < EVENTS + 10; i++) OK(toc_put_imm(s.ab, s.near, s.there, 0, i, NULL));
  OK(toc_wait_all(s.ab, 0));
  while (toc_progress(s.f)) continue;
  IS(toc_event_next(s.b, &e, 0), TOC_E_LOST);
  for (; toc_event_next(s.b, &e, 1) == TOC_OK; n++) EQ(e.value, 10 + n);
  EQ(n, EVENTS);
  scene_close(&s);
}

// What is refused gives way to what comes, whichever is first.
static void refusals_give_way(void) {
  scene s;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  for (unsigned late = 0; late < 2; late++) {
    unsigned n = 0;
    for (unsigned i = 0; late && i < EVENTS; i++) OK(toc_put_imm(s.ab, s.near, s.there, 0, i, NULL));
    OK(toc_wait_all(s.ab, 0));
    for (unsigned i = 0; i < 3; i++) {
      OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 8, &r));  // behind the end
      IS(toc_wait(r, 0), TOC_E_ACCESS);
      OK(toc_qp_resume(s.ab));
    }
    for (unsigned i = 0; !late && i < EVENTS; i++) OK(toc_put_imm(s.ab, s.near, s.there, 0, i, NULL));
    OK(toc_wait_all(s.ab, 0));
    while (toc_progress(s.f)) continue;
    IS(toc_event_next(s.b, &e, 0), TOC_E_LOST);
    for (; toc_event_next(s.b, &e, 1) == TOC_OK; n++) CHECK(e.kind == TOC_EVENT_IMM && e.value == n);
    EQ(n, EVENTS);
  }
  scene_close(&s);
}

// How a request ended is not known for ever: one that failed is never said to have been done.
static void waited_for_late(void) {
  scene s;
  toc_req before, bad, behind;
  if (!scene_open(&s, NULL)) return;
  OK(toc_put(s.ab, s.near, s.there, 8, &before));
  OK(toc_put(s.ab, s.near, toc_at(s.there, 16384), 8, &bad));  // behind the end
  IS(toc_wait_all(s.ab, 0), TOC_E_ACCESS);
  OK(toc_qp_resume(s.ab));
  OK(toc_put(s.ab, s.near, s.there, 8, &behind));
  OK(toc_wait_all(s.ab, 0));
  IS(toc_wait(bad, 0), TOC_E_ACCESS);
  for (unsigned i = 0; i < STATUSES + 10; i++) OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  OK(toc_wait_all(s.ab, 0));
  IS(toc_wait(bad, 0), TOC_E_LOST);
  IS(toc_wait(before, 0), TOC_E_LOST);  // nobody knows any more
  OK(toc_wait(behind, 0));              // since then none has failed
  CHECK(toc_done(bad));
  scene_close(&s);
}

// Everything is seen by who listens: register accesses, TLPs, frames.
static unsigned seen[16];
static void on_seen(void *ctx, const toc_seen *s) {
  (void)ctx;
  seen[s->kind]++;
  if (s->kind == TOC_SEEN_FRAME && (s->bytes < 60 || !s->data)) failed++;
  if (s->kind == TOC_SEEN_DEV_REQ && !s->hdr) failed++;
}
static void listening(void) {
  scene s;
  toc_req r;
  if (!scene_open(&s, &(toc_options){.see = on_seen})) return;
  CHECK(seen[TOC_SEEN_REG_READ] > 10 && seen[TOC_SEEN_REG_WRITE] > 10);
  memset(seen, 0, sizeof seen);
  OK(toc_put(s.ab, s.near, s.there, 8, &r));
  OK(toc_wait(r, 0));
  EQ(seen[TOC_SEEN_FRAME], 2);                // the put, its ACK
  const unsigned most = 5 + (seats ? 2 : 0);  // entry, data, the far write, the event, its MSI; two contexts are read
  EQ(seen[TOC_SEEN_DEV_REQ], most);
  EQ(seen[TOC_SEEN_HOST_REQ], most);
  EQ(seen[TOC_SEEN_REG_WRITE], 2);  // the doorbell, the event's consumer
  toc_listen(s.f, NULL, NULL);
  OK(toc_put(s.ab, s.near, s.there, 8, &r));
  OK(toc_wait(r, 0));
  EQ(seen[TOC_SEEN_FRAME], 2);
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  random_requests(scene_few(1500), NULL);
  if (!slow) random_requests(600, &(toc_options){.drop = 15, .twice = 15, .swap = 15, .bend = 10});
  in_flight(NULL);
  if (!slow) in_flight(&(toc_options){.drop = 10, .twice = 10, .swap = 10, .bend = 10});
  wrong_arguments();
  refused();
  not_mapped();
  if (!slow) peer_gone();  // 30 ms of silence
  by_hand();
  other_frames();
  reconnected();
  listening();
  looked_at();
  if (!slow) {
    too_many_events();
    waited_for_late();
    refusals_give_way();
  }
  return report();
}
