// SPDX-License-Identifier: Apache-2.0
// Messages: into the next receive buffer of a process, of any size and both ways over a bad link, with immediates and
// keys to be invalidated; buffers that are not there yet, that are too short, that are withdrawn, that a closed process
// leaves.
#include "scene.h"
#include "tocsin/nic_regs.h"
#include "tocsin/xtq.h"

enum { BUFFERS = 8, ROOM = 8192 };

static uint8_t byte_of(uint32_t seq, uint32_t k) { return (uint8_t)(seq * 37 + k * 11 + (k >> 8)); }

// One end: buffers that are posted again when their message has been looked at.
typedef struct end {
  toc_proc *p;
  toc_qp *q;
  uint8_t *pool, *out;
  uint32_t posted, came, sent;
} end;

static void post(end *e) {
  uint32_t number = 99;
  OK(toc_recv_post(e->p, e->pool + (size_t)(e->posted % BUFFERS) * ROOM, ROOM, ROOM, &number));
  EQ(number, e->posted);
  e->posted++;
}

static void end_open(end *e, toc_proc *p, toc_qp *q, unsigned buffers) {
  *e = (end){.p = p, .q = q};
  OK(toc_alloc(p, (size_t)BUFFERS * ROOM, TOC_READ | TOC_WRITE, (void **)&e->pool));
  OK(toc_alloc(p, ROOM, TOC_READ, (void **)&e->out));
  while (e->posted < buffers) post(e);
}

static bool next(toc_proc *p, toc_event *e) {
  for (;;) {
    toc_status s = toc_event_next(p, e, 0);
    if (s != TOC_OK) {
      OK(s);
      return false;
    }
    if (e->kind == TOC_EVENT_RECV) return true;
    CHECK(e->kind == TOC_EVENT_BUFFER || e->kind == TOC_EVENT_REFUSED);
  }
}

static uint32_t size_of(uint64_t *rng, unsigned i) {
  static const uint32_t odd[] = {0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, ROOM};
  return i < sizeof odd / sizeof *odd ? odd[i] : scene_random(rng) % (scene_random(rng) % 3 ? 300 : ROOM);
}

// A message goes over, its answer comes back, as ibv_rc_pingpong does it: one buffer a message.
static void ping_pong(unsigned n, const toc_options *link) {
  scene s;
  end x, y;
  uint64_t rng = seed + 5;
  toc_event e;
  if (!scene_open(&s, link)) return;
  end_open(&x, s.a, s.ab, 4);
  end_open(&y, s.b, s.ba, 4);
  for (uint32_t i = 0; i < n && !failed; i++) {
    uint32_t bytes = size_of(&rng, i);
    for (unsigned back = 0; back < 2; back++) {
      end *from = back ? &y : &x, *to = back ? &x : &y;
      bool imm = scene_random(&rng) % 2;
      toc_req r;
      for (uint32_t k = 0; k < bytes; k++) from->out[k] = byte_of(2 * i + back, k);
      if (imm)
        OK(toc_send_imm(from->q, from->out, bytes, ~i, &r));
      else
        OK(toc_send(from->q, from->out, bytes, &r));
      if (!next(to->p, &e)) break;
      EQ(e.qp == to->q, true);
      EQ(e.index, to->came);
      EQ(e.status, imm ? TOC_RECV_IMM : TOC_RECV_PLAIN);
      EQ(e.value, imm ? (uint32_t)~i : 0);
      EQ(e.bytes, bytes);
      CHECK(e.ptr == to->pool + (size_t)(to->came % BUFFERS) * ROOM);
      unsigned wrong = 0;
      for (uint32_t k = 0; k < bytes; k++) wrong += ((uint8_t *)e.ptr)[k] != byte_of(2 * i + back, k);
      EQ(wrong, 0);
      to->came++;
      post(to);
      OK(toc_wait(r, TOC_FOREVER));
    }
  }
  scene_close(&s);
}

// Many under way at once, in one direction, small ones packed into shared buffers.
static void stream(unsigned n, const toc_options *link) {
  scene s;
  end x, y;
  uint64_t rng = seed + 9;
  toc_event e;
  if (!scene_open(&s, link)) return;
  end_open(&x, s.a, s.ab, 0);
  end_open(&y, s.b, s.ba, 0);
  for (unsigned i = 0; i < 2; i++, y.posted++)
    OK(toc_recv_post(s.b, y.pool + (size_t)y.posted * ROOM, ROOM, 512, NULL));
  uint32_t len[16];
  uint8_t *last = NULL;
  for (uint32_t i = 0, sent = 0; i < n && !failed; i++) {
    for (; sent < n && sent - i < 16; sent++) {  // what they say stays there until it has come
      uint8_t *b = x.out + sent % 16 * 512;
      len[sent % 16] = scene_random(&rng) % 513;
      for (uint32_t k = 0; k < len[sent % 16]; k++) b[k] = byte_of(sent, k);
      OK(toc_send(s.ab, b, len[sent % 16], NULL));
    }
    for (;;) {
      OK(toc_event_next(s.b, &e, 0));
      if (e.kind == TOC_EVENT_RECV || failed) break;
      if (e.kind != TOC_EVENT_BUFFER) continue;
      OK(toc_recv_post(s.b, y.pool + (size_t)(y.posted++ % BUFFERS) * ROOM, ROOM, 512, NULL));
    }
    EQ(e.bytes, len[i % 16]);
    CHECK((uintptr_t)e.ptr % 64 == 0 && (!last || (uint8_t *)e.ptr != last));
    last = e.ptr;
    unsigned wrong = 0;
    for (uint32_t k = 0; k < e.bytes; k++) wrong += last[k] != byte_of(i, k);
    EQ(wrong, 0);
  }
  OK(toc_wait_all(s.ab, TOC_FOREVER));
  scene_close(&s);
}

static void invalidates(void) {
  scene s;
  end x, y;
  toc_event e;
  toc_req r;
  toc_remote other;
  if (!scene_open(&s, NULL)) return;
  end_open(&x, s.a, s.ab, 0);
  end_open(&y, s.b, s.ba, 4);
  memset(x.out, 0x42, 100);
  OK(toc_put(s.ab, x.out, s.there, 100, &r));
  OK(toc_wait(r, 0));
  OK(toc_send_inv(s.ab, x.out, 100, s.there.key, &r));
  OK(toc_wait(r, 0));
  CHECK(next(s.b, &e));
  EQ(e.status, TOC_RECV_INVALIDATE);
  EQ(e.value, s.there.key);
  EQ(e.bytes, 100);
  IS(toc_hide(s.b, s.there), TOC_E_ARG);  // it is hidden already
  OK(toc_put(s.ab, x.out, s.there, 100, &r));
  IS(toc_wait(r, 0), TOC_E_ACCESS);
  OK(toc_qp_resume(s.ab));
  OK(toc_expose(s.b, s.far, 4096, TOC_WRITE, &other));  // the place is free, the key another
  CHECK(other.key != s.there.key);
  OK(toc_put(s.ab, x.out, other, 100, &r));
  OK(toc_wait(r, 0));
  OK(toc_send_inv(s.ab, x.out, 100, s.there.key, &r));
  IS(toc_wait(r, 0), TOC_E_ACCESS);  // nobody has such a region
  OK(toc_qp_resume(s.ab));
  OK(toc_send(s.ab, x.out, 0, &r));
  OK(toc_wait(r, 0));
  CHECK(next(s.b, &e) && e.bytes == 0 && e.ptr && e.index == 1);  // and nothing was received of that one
  scene_close(&s);
}

// A message waits for its buffer; one that does not fit is refused, and the buffer does not vanish.
static void buffers(void) {
  scene s;
  end x, y;
  toc_event e;
  toc_req r;
  uint32_t n = 0, number;
  if (!scene_open(&s, NULL)) return;
  end_open(&x, s.a, s.ab, 0);
  end_open(&y, s.b, s.ba, 0);
  memset(x.out, 0x17, ROOM);
  OK(toc_send(s.ab, x.out, 500, &r));
  IS(toc_wait(r, 30), TOC_E_TIMEOUT);
  post(&y);
  OK(toc_wait(r, 0));
  CHECK(next(s.b, &e) && e.bytes == 500 && e.index == 0);

  IS(toc_recv_post(s.b, y.pool + 1, ROOM, 0, NULL), TOC_E_ALIGN);
  IS(toc_recv_post(s.b, x.out, ROOM, 0, NULL), TOC_E_RANGE);
  OK(toc_recv_post(s.b, y.pool, 2048, 0, &number));
  EQ(number, 1);
  OK(toc_send(s.ab, x.out, 2049, &r));
  IS(toc_wait(r, 0), TOC_E_INVALID);
  CHECK(next(s.b, &e) && e.status == TOC_RECV_LOST && e.index == 1 && e.bytes == 2048 && e.ptr == y.pool);
  OK(toc_qp_resume(s.ab));

  // of one packet, longer than each buffer: it waits for a longer one, and uses up those before that
  OK(toc_recv_post(s.b, y.pool, 64, 0, &number));
  OK(toc_send(s.ab, x.out, 100, &r));
  IS(toc_wait(r, 30), TOC_E_TIMEOUT);
  while (toc_event_next(s.b, &e, 1) == TOC_OK) CHECK(e.kind == TOC_EVENT_REFUSED || e.index != number);
  OK(toc_recv_post(s.b, y.pool + 64, 128, 128, &number));
  OK(toc_wait(r, 0));
  CHECK(next(s.b, &e) && e.index == number && e.ptr == y.pool + 64);

  y.posted = number + 1;
  for (unsigned i = 0; i < 3; i++) post(&y);
  OK(toc_recv_withdraw(s.b, &n));
  EQ(n, 3);
  OK(toc_recv_withdraw(s.b, &n));
  EQ(n, 0);
  OK(toc_send(s.ab, x.out, 64, &r));
  IS(toc_wait(r, 30), TOC_E_TIMEOUT);
  OK(toc_recv_post(s.b, y.pool, 4096, 64, &number));
  EQ(number, y.posted - 3);
  OK(toc_recv_post(s.b, y.pool + 4096, 4096, 64, &number));
  OK(toc_wait(r, 0));
  CHECK(next(s.b, &e) && e.index == y.posted - 3 && e.ptr == y.pool);
  OK(toc_recv_withdraw(s.b, &n));  // of the first something has begun: it is told of, the other comes back
  EQ(n, 1);
  bool told = false;
  while (toc_event_next(s.b, &e, 20) == TOC_OK) told = told || (e.kind == TOC_EVENT_BUFFER && e.index == y.posted - 3);
  CHECK(told);
  toc_caps caps;
  toc_caps_of(toc_proc_node(s.b), &caps);
  OK(toc_recv_post(s.b, s.far, 64, 64, NULL));
  IS(xtq_feed_buffers(s.b, caps.recv_buffers, 4096), TOC_E_FULL);  // all of them, or none
  OK(toc_recv_withdraw(s.b, &n));
  EQ(n, 1);
  OK(xtq_feed_buffers(s.b, 2, 4096));
  IS(toc_recv_withdraw(s.b, &n), TOC_E_IN_USE);
  scene_close(&s);
}

// A message without a buffer is tried again for a long time: that is told once until it is taken, and pushes out
// nothing that has come.
static void retries(void) {
  scene s;
  end x, y;
  toc_event e;
  toc_req r;
  unsigned refused = 0, came = 0;
  uint64_t tries;
  if (!scene_open(&s, NULL)) return;
  end_open(&x, s.a, s.ab, 0);
  end_open(&y, s.b, s.ba, 1);
  OK(toc_send(s.ab, x.out, 8, &r));
  OK(toc_wait(r, 0));
  OK(toc_send(s.ab, x.out, 8, &r));
  IS(toc_wait(r, slow ? 100 : 10000), TOC_E_TIMEOUT);
  OK(toc_count_nic(toc_node_at(s.f, 1), NIC_CNT_TX_NAK, &tries));
  CHECK(slow || tries > 256);  // more than are kept
  while (toc_event_next(s.b, &e, 1) == TOC_OK && e.kind != TOC_EVENT_REFUSED) came += e.kind == TOC_EVENT_RECV;
  EQ(came, 1);
  EQ(e.kind, TOC_EVENT_REFUSED);
  CHECK(e.qp == s.ba && e.status >> 5 == 1 && strstr(toc_reason(e.value), "buffer"));
  IS(toc_wait(r, 100), TOC_E_TIMEOUT);
  post(&y);
  OK(toc_wait(r, 0));
  while (toc_event_next(s.b, &e, 1) == TOC_OK && e.kind != TOC_EVENT_RECV) refused += e.kind == TOC_EVENT_REFUSED;
  EQ(e.kind, TOC_EVENT_RECV);
  EQ(refused, 1);  // that it is tried again is told again when it was taken
  scene_close(&s);
}

// A queue pair is closed, a process goes away, in the middle of a message: what had come is told of,
// and no buffer stays behind.
static void middle(void) {
  scene s;
  end x, y;
  toc_event e;
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  end_open(&x, s.a, s.ab, 0);
  end_open(&y, s.b, s.ba, 2);
  OK(toc_send(s.ab, x.out, ROOM, &r));
  do {
    if (toc_event_next(s.b, &e, 0) != TOC_OK) failed++;
  } while (!failed && e.kind != TOC_EVENT_BUFFER && e.kind != TOC_EVENT_RECV);
  if (e.kind == TOC_EVENT_BUFFER) {  // its first packet has come
    toc_qp_close(s.ba);
    CHECK(next(s.b, &e));
    CHECK((e.status == TOC_RECV_LOST && e.bytes < ROOM && e.bytes % 1024 == 0 && !e.qp) || e.bytes == ROOM);
    EQ(e.index, 0);
  }
  toc_proc_close(s.b);
  OK(toc_proc_open(toc_node_at(s.f, 1), &s.b));
  OK(toc_connect(s.a, s.b, &s.ab, &s.ba));
  OK(toc_send(s.ab, x.out, 8, &r));
  IS(toc_wait(r, 30), TOC_E_TIMEOUT);  // of the process before nothing is left
  end_open(&y, s.b, s.ba, 1);
  OK(toc_wait(r, 0));
  CHECK(next(s.b, &e) && e.index == 0 && e.bytes == 8 && e.ptr == y.pool);
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  const toc_options bad = {.drop = 20, .twice = 10, .swap = 20, .bend = 10};
  ping_pong(scene_few(40), NULL);
  ping_pong(scene_few(160), &bad);
  stream(scene_few(400), NULL);
  stream(scene_few(400), &bad);
  invalidates();
  buffers();
  retries();
  middle();
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
