// SPDX-License-Identifier: Apache-2.0
// More queue pairs than the NIC has places for: they lie in memory and take turns. Traffic on all of them, both ways
// and over a link that loses; requests that fail, connections that move, numbers that are used again; what is refused;
// and what a user who vanished leaves.
#include <pthread.h>

#include "internal.h"
#include "scene.h"

enum { MOST = 300, SLOT = 64, PLACES_USED = 4 };

typedef struct pair {
  toc_qp *ab, *ba;
} pair;

// Two nodes with a process each, and memory with a slot for each connection.
typedef struct town {
  toc_fabric *f;
  toc_proc *a, *b;
  uint8_t *near, *far;
  toc_remote home, there;
  unsigned n;
  pair at[MOST];
} town;

static uint64_t counted(const town *t, unsigned node, unsigned counter) {
  uint64_t v = 0;
  OK(toc_count_nic(toc_node_at(t->f, node), counter, &v));
  return v;
}

static uint8_t *near_of(const town *t, unsigned i) { return t->near + SLOT * i; }
static uint8_t *far_of(const town *t, unsigned i) { return t->far + SLOT * i; }

// As many as were asked for, of the model; of hardware as many as it has been built with.
static bool town_open(town *t, unsigned n, const toc_options *o) {
  toc_options with = o ? *o : (toc_options){0};
  toc_caps caps;
  memset(t, 0, sizeof *t);
  with.backend = backend;
  with.seed = seed;
  with.nodes = 2;
  with.qps = slow ? 0 : n;
  with.places = slow ? 0 : PLACES_USED;
  OK(toc_open(&with, &t->f));
  if (!t->f) return false;
  toc_caps_of(toc_node_at(t->f, 0), &caps);
  EQ(caps.places, PLACES_USED);
  CHECK(caps.qps >= 4 * caps.places);
  t->n = n < caps.qps ? n : caps.qps;
  OK(toc_proc_open(toc_node_at(t->f, 0), &t->a));
  OK(toc_proc_open(toc_node_at(t->f, 1), &t->b));
  OK(toc_alloc(t->a, SLOT * MOST, TOC_READ | TOC_WRITE, (void **)&t->near));
  OK(toc_alloc(t->b, SLOT * MOST, TOC_READ | TOC_WRITE, (void **)&t->far));
  OK(toc_expose(t->a, t->near, SLOT * MOST, TOC_READ | TOC_WRITE | TOC_ATOMIC, &t->home));
  OK(toc_expose(t->b, t->far, SLOT * MOST, TOC_READ | TOC_WRITE | TOC_ATOMIC, &t->there));
  for (unsigned i = 0; i < t->n && !failed; i++) OK(toc_connect(t->a, t->b, &t->at[i].ab, &t->at[i].ba));
  return !failed;
}

static void town_close(town *t) {
  for (unsigned node = 0; node < 2; node++) EQ(counted(t, node, NIC_CNT_CTX_BROKEN), 0);
  toc_close(t->f);
}

// What goes one way over each connection: a put of 8 bytes, a get of them, an atomic. The slot: 0 what was put, 16 its
// copy, 24 the word of atomics, 32 what it was before.
static void each_way(const town *t, unsigned turn, bool back) {
  toc_req put, got, add[MOST];
  for (unsigned i = 0; i < t->n && !failed; i++) {
    toc_qp *q = back ? t->at[i].ba : t->at[i].ab;
    uint8_t *mine = (back ? far_of(t, i) : near_of(t, i)), *its = back ? near_of(t, i) : far_of(t, i);
    const toc_remote to = toc_at(back ? t->home : t->there, SLOT * i);
    uint64_t *word = (uint64_t *)(void *)(mine + 8), *copy = (uint64_t *)(void *)(mine + 16);
    const uint64_t want = (uint64_t)turn << 32 | i << 1 | back;
    *word = want;
    OK(toc_put(q, word, to, 8, &put));
    OK(toc_get(q, copy, to, 8, &got));
    OK(toc_fetch_add(q, (uint64_t *)(void *)(mine + 32), toc_at(to, 24), i + 1, &add[i]));
    if (!slow && i % 3) continue;  // the others' are waited for below, all at once
    OK(toc_wait(put, 0));
    EQ(*(uint64_t *)(void *)its, want);
    OK(toc_wait(got, 0));
    EQ(*copy, want);
  }
  for (unsigned i = 0; i < t->n && !failed; i++) {
    const uint8_t *mine = back ? far_of(t, i) : near_of(t, i);
    OK(toc_wait(add[i], 0));
    EQ(*(const uint64_t *)(const void *)(mine + 16), (uint64_t)turn << 32 | i << 1 | back);
    EQ(*(const uint64_t *)(const void *)(mine + 32), (uint64_t)turn * (i + 1));
  }
}

static void traffic(const toc_options *o, unsigned n, unsigned turns) {
  town t;
  if (!town_open(&t, n, o)) return;
  for (unsigned turn = 0; turn < turns; turn++) {
    each_way(&t, turn, false);
    each_way(&t, turn, true);
  }
  // each came into a place again and again, and left it; the first of all, none before it
  for (unsigned node = 0; node < 2; node++) {
    CHECK(counted(&t, node, NIC_CNT_CTX_LOADED) >= (uint64_t)t.n * turns);
    CHECK(counted(&t, node, NIC_CNT_CTX_SAVED) + PLACES_USED >= counted(&t, node, NIC_CNT_CTX_LOADED));
  }
  town_close(&t);
}

// Messages name their queue pair by an event, also with a number beyond a byte.
static void messages(void) {
  town t;
  uint8_t *buffer;
  toc_event e;
  if (!town_open(&t, slow ? 24 : MOST, NULL)) return;
  OK(toc_alloc(t.b, SLOT * MOST, TOC_READ | TOC_WRITE, (void **)&buffer));
  for (unsigned i = 0; i < t.n && !failed; i++) {
    OK(toc_recv_post(t.b, buffer + SLOT * i, SLOT, SLOT, NULL));
    *near_of(&t, i) = (uint8_t)(i * 3);
    OK(toc_send_imm(t.at[i].ab, near_of(&t, i), 1, i, NULL));
    do OK(toc_event_next(t.b, &e, 0));
    while (e.kind == TOC_EVENT_BUFFER);
    CHECK(e.kind == TOC_EVENT_RECV && e.qp == t.at[i].ba);
    EQ(buffer[SLOT * i], (uint8_t)(i * 3));
  }
  town_close(&t);
}

// A request that is refused stops its queue pair alone; what was posted behind is sent when it goes on.
static void stopped(void) {
  town t;
  if (!town_open(&t, slow ? 12 : 40, NULL)) return;
  for (unsigned turn = 0; turn < 2; turn++)
    for (unsigned i = 0; i + 1 < t.n && !failed; i += 3) {
      toc_req bad, behind, other;
      toc_qp *q = turn ? t.at[i].ba : t.at[i].ab;
      uint8_t *mine = turn ? far_of(&t, i) : near_of(&t, i), *its = turn ? near_of(&t, i) : far_of(&t, i);
      const toc_remote to = turn ? t.home : t.there;
      mine[41] = (uint8_t)(i + 7 + turn);
      OK(toc_put(q, mine, toc_at(to, SLOT * MOST), 1, &bad));
      OK(toc_put(q, mine + 41, toc_at(to, SLOT * i + 42), 1, &behind));
      OK(toc_put(t.at[i + 1].ab, near_of(&t, i), toc_at(t.there, SLOT * i), 1, &other));
      IS(toc_wait(bad, 0), TOC_E_ACCESS);
      OK(toc_wait(other, 0));
      each_way(&t, 0, !turn);  // it leaves its place
      for (unsigned k = 0; k < t.n; k++)
        *(uint64_t *)(void *)(far_of(&t, k) + 24) = *(uint64_t *)(void *)(near_of(&t, k) + 24) = 0;
      IS(toc_wait(behind, 0), TOC_E_STOPPED);
      OK(toc_qp_resume(q));
      OK(toc_wait(behind, 0));
      EQ(its[42], (uint8_t)(i + 7 + turn));
    }
  town_close(&t);
}

// A connection leaves the NIC and goes on in another queue pair that is given its number; a number that was closed
// serves a new peer, and none of the old one's frames.
static void numbers(void) {
  town t;
  toc_qp_state state;
  toc_address was, is, peer;
  toc_qp *other, *third;
  toc_req r;
  if (!town_open(&t, slow ? 12 : 60, NULL)) return;
  each_way(&t, 0, false);
  for (unsigned i = 1; i < t.n && !failed; i += 5) {
    OK(toc_qp_address(t.at[i].ab, &was));
    OK(toc_qp_save(t.at[i].ab, &state));
    EQ(state.number, was.qp);
    IS(toc_put(t.at[i].ab, t.near, t.there, 1, &r), TOC_E_STOPPED);
    OK(toc_put(t.at[i].ba, far_of(&t, i), toc_at(t.home, SLOT * i), 1, &r));  // asked for again until it is back
    toc_qp_close(t.at[i].ab);
    IS(toc_put(t.at[i].ab, t.near, t.there, 1, NULL), TOC_E_CLOSED);
    OK(toc_qp_open(t.a, &(toc_qp_options){.number = was.qp, .entries = 4}, &t.at[i].ab));
    IS(toc_qp_open(t.a, &(toc_qp_options){.number = was.qp}, &other), TOC_E_IN_USE);
    OK(toc_qp_restore(t.at[i].ab, &state));
    OK(toc_wait(r, 0));
  }
  memset(t.far, 0, SLOT * MOST);
  memset(t.near, 0, SLOT * MOST);
  each_way(&t, 0, false);
  each_way(&t, 0, true);
  // its peer is not told, and asks in vain
  OK(toc_qp_address(t.at[2].ab, &was));
  toc_qp_close(t.at[2].ab);
  const uint64_t foreign = counted(&t, 0, NIC_CNT_FR_FOREIGN);
  OK(toc_put(t.at[2].ba, t.far, t.home, 1, &r));
  IS(toc_wait(r, TOC_FOREVER), TOC_E_PEER_GONE);
  CHECK(counted(&t, 0, NIC_CNT_FR_FOREIGN) > foreign && counted(&t, 0, NIC_CNT_CTX_CLOSED) > 0);
  toc_qp_close(t.at[3].ba);
  OK(toc_qp_open(t.a, &(toc_qp_options){.number = was.qp}, &other));
  OK(toc_qp_open(t.b, NULL, &third));
  OK(toc_qp_address(other, &is));
  EQ(is.qp, was.qp);
  OK(toc_qp_address(third, &peer));
  OK(toc_qp_connect(other, &peer));
  OK(toc_qp_connect(third, &is));
  t.far[SLOT] = 0x5a;
  OK(toc_put(third, t.far + SLOT, t.home, 1, &r));
  OK(toc_wait(r, 0));
  EQ(t.near[0], 0x5a);
  OK(toc_put(other, t.near, toc_at(t.there, 9), 1, &r));
  OK(toc_wait(r, 0));
  EQ(t.far[9], 0x5a);
  town_close(&t);
}

// Between two fabrics, over the system's UDP: the peer is none that the library knows, and is asked whether it goes on.
// Each packet comes from the port of its queue pair's peer, whatever place that is in.
typedef struct far_end {
  toc_fabric *f;
  toc_proc *p;
  uint8_t *m;
  toc_remote at;
  toc_qp *q[8];
  toc_address a[8];
} far_end;

static bool far_open(far_end *e) {
  memset(e, 0, sizeof *e);
  OK(toc_open(&(toc_options){.backend = backend,
                             .seed = seed,
                             .link = "udp,local=127.0.0.1:0",
                             .qps = 20,
                             .places = 2,
                             .timeout_us = 5000000,
                             .progress = TOC_PROGRESS_THREAD},
              &e->f));
  if (!e->f) return false;
  OK(toc_proc_open(toc_node_at(e->f, 0), &e->p));
  OK(toc_alloc(e->p, 4096, TOC_READ | TOC_WRITE, (void **)&e->m));
  OK(toc_expose(e->p, e->m, 4096, TOC_READ | TOC_WRITE, &e->at));
  for (unsigned i = 0; i < 8 && !failed; i++) {
    OK(toc_qp_open(e->p, NULL, &e->q[i]));
    OK(toc_qp_address(e->q[i], &e->a[i]));
  }
  return !failed;
}

static void elsewhere(void) {
  far_end x, y;
  if (!far_open(&x) || !far_open(&y)) return;
  for (unsigned i = 0; i < 8; i++) {
    OK(toc_qp_connect(x.q[i], &y.a[7 - i]));
    OK(toc_qp_connect(y.q[7 - i], &x.a[i]));
  }
  for (unsigned i = 0; i < 8 && !failed; i++) {
    toc_req bad, behind;
    x.m[i] = (uint8_t)(i + 1);
    OK(toc_put(x.q[i], x.m, toc_at(y.at, 4096), 1, &bad));
    IS(toc_wait(bad, 0), TOC_E_ACCESS);
    CHECK(strstr(toc_why(), "if the peer"));
    OK(toc_qp_resume(x.q[i]));
    OK(toc_put(x.q[i], x.m + i, toc_at(y.at, i), 1, &behind));
    OK(toc_wait(behind, 0));
    EQ(y.m[i], i + 1);
  }
  for (unsigned i = 0; i < 8 && !failed; i++) OK(toc_put(y.q[i], y.m, toc_at(x.at, 100 + i), 1, NULL));
  for (unsigned i = 0; i < 8 && !failed; i++) OK(toc_wait_all(y.q[i], 0));
  for (unsigned i = 0; i < 8 && !failed; i++) EQ(x.m[100 + i], 1);
  toc_close(x.f);
  toc_close(y.f);
}

static bool said(const char *what) {
  if (strstr(toc_why(), what)) return true;
  printf("  said: %s; want: %s\n", toc_why(), what);
  return false;
}

static void refused(void) {
  town t;
  toc_fabric *f;
  toc_qp *q;
  toc_address a, first;
  toc_caps caps;
  IS(toc_open(&(toc_options){.places = 1}, &f), TOC_E_ARG);
  IS(toc_open(&(toc_options){.places = 257}, &f), TOC_E_ARG);
  IS(toc_open(&(toc_options){.qps = 4096}, &f), TOC_E_ARG);
  CHECK(said("4095"));
  if (!town_open(&t, 4, NULL)) return;
  toc_caps_of(toc_node_at(t.f, 0), &caps);
  OK(toc_qp_address(t.at[0].ab, &first));
  const uint32_t beyond = first.qp + caps.qps;
  IS(toc_qp_open(t.a, &(toc_qp_options){.number = beyond}, &q), TOC_E_ARG);
  CHECK(said("has queue pairs"));
  IS(toc_qp_open(t.a, &(toc_qp_options){.number = first.qp - 1}, &q), TOC_E_ARG);
  IS(toc_qp_open(t.a, &(toc_qp_options){.number = first.qp}, &q), TOC_E_IN_USE);
  OK(toc_qp_address(t.at[0].ba, &a));
  a.qp = (a.qp & ~0xfffu) + caps.qps;
  OK(toc_qp_open(t.a, &(toc_qp_options){.number = beyond - 1}, &q));
  IS(toc_qp_connect(q, &a), TOC_E_ARG);
  CHECK(said("has queue pairs"));
  toc_qp_close(q);
  toc_qp_close(q);
  CHECK(said("closed"));
  IS(toc_qp_connect(q, &a), TOC_E_CLOSED);
  for (unsigned i = 4; i < caps.qps && !failed; i++) OK(toc_qp_open(t.a, &(toc_qp_options){.entries = 1}, &q));
  IS(toc_qp_open(t.a, NULL, &q), TOC_E_FULL);
  unsigned procs = 1;
  toc_proc *p;
  while (toc_proc_open(toc_node_at(t.f, 0), &p) == TOC_OK) procs++;
  EQ(procs, caps.procs);  // none of them is the contexts' own
  town_close(&t);
}

// ---- a device that outlives its user, or says other things of itself than it does
static struct {
  void *keep;
  uint32_t addr;  // reads of this register give `value`
  uint64_t value;
  size_t bytes;  // memory of so many bytes lies `askew` bytes behind where it should
  uint64_t askew;
} odd;

static toc_status odd_open(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  *self = odd.keep;
  *nodes = 1;
  return odd.keep ? TOC_OK : toc_backend_model.open(o, spy, self, nodes, why);
}
static void odd_close(void *self) {
  if (self != odd.keep) toc_backend_model.close(self);
}
static toc_status odd_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v) {
  toc_status s = toc_backend_model.read(self, node, addr, size, v);
  if (odd.addr && addr == odd.addr) *v = odd.value;
  return s;
}
static toc_status odd_dma(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  toc_status s = toc_backend_model.dma_alloc(self, node, bytes, align, m);
  if (bytes == odd.bytes) m->bus += odd.askew;
  return s;
}
static void odd_give(void *self, unsigned node, const toc_dma *m) {
  toc_dma own = *m;
  if (own.bytes == odd.bytes) own.bus -= odd.askew;
  toc_backend_model.dma_free(self, node, &own);
}

static void odd_device(toc_status want, const char *why) {
  toc_fabric *f;
  IS(toc_open(&(toc_options){.backend = "odd", .qps = 100, .places = 4}, &f), want);
  CHECK(!f && said(why));
}

static void misfits(void) {
  const uint64_t cap = 4ull << NIC_NIC_CAP_QPS_LSB | 4ull << NIC_NIC_CAP_PROCS_LSB | 32ull << NIC_NIC_CAP_MRS_LSB |
                       6ull << NIC_NIC_CAP_TABLE_LSB | 32ull << NIC_NIC_CAP_RECV_LSB;
  odd.addr = NIC + NIC_REG_NIC_CAP;
  odd.value = cap | 13ull << NIC_NIC_CAP_CTX_LSB;
  odd_device(TOC_E_DEVICE, "more contexts than numbers");
  odd.value = (cap & ~NIC_NIC_CAP_QPS_MASK) | 1ull << NIC_NIC_CAP_QPS_LSB | 7ull << NIC_NIC_CAP_CTX_LSB;
  odd_device(TOC_E_DEVICE, "one place");
  odd.value = (cap & ~NIC_NIC_CAP_PROCS_MASK) | 1ull << NIC_NIC_CAP_PROCS_LSB | 7ull << NIC_NIC_CAP_CTX_LSB;
  odd_device(TOC_E_SUPPORT, "process of their own");
  odd.addr = NIC + NIC_REG_NIC_CTX;
  odd.value = 0;
  odd_device(TOC_E_DEVICE, "NIC_CTX");
  odd.addr = 0;
  odd.bytes = 128 * 2048;  // the table
  odd.askew = 2048;
  odd_device(TOC_E_PLACE, "aligned");
  odd.bytes = 0;
}

// Everything is on, and at work, when its user vanishes. The next one has all of it, and no context of the first
// is left in the NIC.
static void vanished(void) {
  toc_fabric *first, *second;
  toc_proc *p;
  toc_qp *q[40];
  toc_address a;
  uint64_t v;
  const toc_options o = {.backend = "odd", .qps = 100, .places = 4};
  OK(toc_open(&o, &first));
  OK(toc_proc_open(toc_node_at(first, 0), &p));
  for (unsigned i = 0; i < 40 && !failed; i++) {
    OK(toc_qp_open(p, NULL, &q[i]));
    OK(toc_qp_address(q[i], &a));
    a.mac ^= 0xff;  // nobody
    a.ip ^= 0xff;
    OK(toc_qp_connect(q[i], &a));
    OK(toc_put(q[i], NULL, (toc_remote){0, 0}, 0, NULL));
  }
  for (unsigned i = 0; i < 20; i++) (void)toc_progress(first);
  OK(toc_reg_read(toc_node_at(first, 0), NREG_AT(QP_CTL, 0), 8, &v));
  EQ(v & NIC_QP_CTL_EN_MASK, 1);
  odd.keep = ((toc_i_fabric *)toc_i_object(TOC_I_fabric, first, "", ""))->self;
  OK(toc_open(&o, &second));
  if (!second) return;
  for (unsigned i = 0; i < 4; i++) {
    OK(toc_reg_read(toc_node_at(second, 0), NREG_AT(QP_CTL, i), 8, &v));
    EQ(v & NIC_QP_CTL_EN_MASK, 0);
  }
  OK(toc_proc_open(toc_node_at(second, 0), &p));
  for (unsigned i = 0; i < 99 && !failed; i++) OK(toc_qp_open(p, &(toc_qp_options){.entries = 1}, &q[0]));
  toc_close(second);
  OK(toc_reg_read(toc_node_at(first, 0), NREG(NIC_CTX), 8, &v));
  EQ(v, 0);
  ((toc_i_fabric *)toc_i_object(TOC_I_fabric, first, "", ""))->dead =
      true;  // what its handles still are is given back without the device
  odd.keep = NULL;
  toc_close(first);
}

// Its user vanishes between the registers that say from where a queue pair goes on and the one that turns it on: that
// of the next one begins afresh (QPR-9).
static void half_begun(void) {
  static const uint32_t words[] = {NIC_REG_QP_BEGIN, NIC_REG_QP_BEGIN_MSG, NIC_REG_QP_BEGIN_VA, NIC_REG_QP_BEGIN_REST};
  toc_fabric *first, *second;
  uint64_t v;
  const toc_options o = {.backend = "odd", .qps = 4};
  OK(toc_open(&o, &first));
  for (unsigned i = 0; i < 4; i++)
    for (unsigned k = 0; k < 4; k++)
      OK(toc_reg_write(toc_node_at(first, 0), NIC + words[k] + 256 * i, 8, 0x0101010102010101));
  odd.keep = ((toc_i_fabric *)toc_i_object(TOC_I_fabric, first, "", ""))->self;
  OK(toc_open(&o, &second));
  if (!second) return;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned k = 0; k < 4; k++) {
      OK(toc_reg_read(toc_node_at(second, 0), NIC + words[k] + 256 * i, 8, &v));
      EQ(v, 0);
    }
  toc_close(second);
  ((toc_i_fabric *)toc_i_object(TOC_I_fabric, first, "", ""))->dead = true;
  odd.keep = NULL;
  toc_close(first);
}

// A frame of anybody may have a context read while it is written: so it is written while it is closed, closed once
// more, which waits for such a read, and only then opened (CTX-3).
typedef struct witness {
  toc_i_node *n;
  bool closed[64], early;
} witness;

static void on_register(void *ctx, const toc_seen *s) {
  witness *w = ctx;
  if (s->kind != TOC_SEEN_REG_WRITE || s->node != w->n->rank || s->addr != NREG(NIC_CLOSE)) return;
  const unsigned c = (unsigned)(s->value & NIC_NIC_CLOSE_CTX_MASK);
  const uint8_t *image = w->n->ctx.table + 2048 * c;
  const bool open = image[0x80] & 1, written = toc_i_get(image + TOC_I_OFFSET(RING), 8) != 0;
  if (c < 64 && !open && written) w->closed[c] = true;
}

static void written_closed(void) {
  town t;
  toc_req r;
  toc_address to;
  if (!town_open(&t, 20, NULL)) return;
  witness w = {.n = toc_i_object(TOC_I_node, toc_node_at(t.f, 0), "", "")};
  toc_listen(t.f, on_register, &w);
  for (unsigned i = 0; i < t.n && !failed; i++) {
    toc_qp *q = t.at[i].ab;
    OK(toc_qp_address(t.at[i].ba, &to));
    OK(toc_qp_connect(q, &to));
    EQ(w.closed[i], true);
    EQ(w.n->ctx.table[2048 * i + 0x80], 1);
    w.closed[i] = false;
    OK(toc_put(q, t.near, toc_at(t.there, SLOT * MOST), 1, &r));
    IS(toc_wait(r, 0), TOC_E_ACCESS);
    OK(toc_qp_resume(q));
    EQ(w.closed[i], true);
  }
  toc_listen(t.f, NULL, NULL);
  town_close(&t);
}

// The table is the NIC's memory no more: what is saved is lost, a close is never seen, and that is told. Nothing hangs.
static void lost_table(void) {
  town t;
  toc_req r;
  if (!town_open(&t, 20, &(toc_options){.timeout_us = 2000})) return;
  toc_i_node *n = toc_i_object(TOC_I_node, toc_node_at(t.f, 1), "", "");
  OK(toc_put(t.at[0].ab, t.near, t.there, 1, &r));
  OK(toc_wait(r, 0));
  toc_i_lock(n->f);
  EQ(aa_table_set_context(&n->root.t, n->ctx.owner->rid, NULL), AA_TABLE_OK);
  OK(toc_i_invalidate(n, n->ctx.owner->did, 0, 0));
  toc_i_unlock(n->f);
  OK(toc_put(t.at[0].ab, t.near, t.there, 1, &r));  // what is in a place goes on
  OK(toc_wait(r, 0));
  OK(toc_put(t.at[9].ab, t.near, t.there, 1, &r));
  IS(toc_wait(r, 1000), TOC_E_TIMEOUT);
  CHECK(counted(&t, 1, NIC_CNT_CTX_BROKEN) > 0);
  toc_qp_state state;
  IS(toc_qp_save(t.at[0].ba, &state), TOC_E_DEAD);
  CHECK(said("has not been closed"));
  IS(toc_qp_save(t.at[1].ba, &state), TOC_E_DEAD);
  toc_close(t.f);
}

// Two threads on connections of their own, another that closes and opens.
typedef struct hand {
  town *t;
  unsigned first;
  pthread_t thread;
} hand;

static void *work(void *arg) {
  const hand *h = arg;
  for (unsigned turn = 0; turn < 20; turn++)
    for (unsigned i = h->first; i < h->t->n; i += 3) {
      toc_req r;
      uint8_t *mine = near_of(h->t, i);
      mine[40] = (uint8_t)(turn + i);
      toc_status s = toc_put(h->t->at[i].ab, mine + 40, toc_at(h->t->there, SLOT * i + 40), 1, &r);
      if (s == TOC_OK) s = toc_wait(r, 0);
      if (s != TOC_OK || far_of(h->t, i)[40] != mine[40]) return arg;
    }
  return NULL;
}

static void threads(void) {
  town t;
  hand h[2];
  void *bad;
  if (!town_open(&t, 30, NULL)) return;
  for (unsigned k = 0; k < 2; k++) {
    h[k] = (hand){.t = &t, .first = k};
    EQ(pthread_create(&h[k].thread, NULL, work, &h[k]), 0);
  }
  for (unsigned turn = 0; turn < 20; turn++)
    for (unsigned i = 2; i < t.n && !failed; i += 3) {
      toc_qp_close(t.at[i].ab);
      toc_qp_close(t.at[i].ba);
      OK(toc_connect(t.a, t.b, &t.at[i].ab, &t.at[i].ba));
    }
  for (unsigned k = 0; k < 2; k++) {
    EQ(pthread_join(h[k].thread, &bad), 0);
    EQ(bad != NULL, 0);
  }
  town_close(&t);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  traffic(NULL, slow ? 40 : 200, slow ? 1 : 4);
  if (!slow) traffic(&(toc_options){.drop = 20, .twice = 20, .swap = 20, .bend = 5}, 60, 3);
  messages();
  stopped();
  numbers();
  refused();
  if (!slow) {
    toc_backend b = toc_backend_model;
    b.name = "odd";
    b.open = odd_open;
    b.close = odd_close;
    b.read = odd_read;
    b.dma_alloc = odd_dma;
    b.dma_free = odd_give;
    OK(toc_backend_add(&b));
    elsewhere();
    written_closed();
    lost_table();
    misfits();
    vanished();
    half_begun();
    threads();
  }
  return report();
}
