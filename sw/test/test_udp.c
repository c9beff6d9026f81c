// SPDX-License-Identifier: Apache-2.0
// link=udp: a node in a process of its own. Two processes put, get, add, ring bells and launch kernels, over IPv4 and
// IPv6, by address and by port, with loss; one is killed; what sleeps in poll() wakes; what is hostile comes from
// sockets of this test.
#define _GNU_SOURCE
#include <poll.h>
#include <stdatomic.h>

#include "tocsin/nic_frame.h"
#include "tocsin/nic_regs.h"
#include "udp_ends.h"

static uint64_t nic_count(udp_end *e, unsigned i) {
  uint64_t v = 0;
  OK(toc_count_nic(toc_node_at(e->f, 0), i, &v));
  return v;
}

// ---- two processes
static void talk(const char *a, const char *b, const toc_options *o, unsigned n) {
  toc_options there = *o, here = *o;
  udp_end e;
  toc_link_count c;
  there.link = b;
  here.link = a;
  there.seed = seed + 1;
  udp_other other = udp_fork(&there, NULL);
  if (!udp_end_open(&e, &here, NULL) || !udp_hear(other.fd, &e.its, sizeof e.its)) {
    EQ("the other process", "there");
    return;
  }
  if (udp_meet(&e, &other)) udp_part(&other, udp_exercise(&e, n));
  toc_link_counts(e.f, &c);
  EQ(c.out > 5 * n && c.in > 5 * n, 1);
  EQ(c.lost > 0, o->drop > 0);
  EQ(c.dropped + c.oversized + c.unsent + c.arp, 0);
  toc_close(e.f);
}

static void others(void) {
  unsigned n = scene_few(60);
  talk("udp,local=127.0.0.1:0", "udp,local=127.0.0.1:0", &(toc_options){0}, n); /* by port */
  talk("udp,local=127.0.0.2:0", "udp,local=127.0.0.3:0,rate=800", &(toc_options){0}, n);
  talk("udp,local=127.0.0.2:0", "udp,local=127.0.0.1:0",
       &(toc_options){.drop = 10, .twice = 10, .swap = 10, .bend = 10}, n);
  if (udp_has_ip6()) {
    talk("udp,local=[::1]:0", "udp,local=[::1]:0", &(toc_options){0}, n);
    talk("udp,local=[::1]:0", "udp,local=[::1]:0", &(toc_options){.drop = 10, .bend = 10}, n);
  } else {
    puts("skipped in part: IPv6: this machine has no ::1");
  }
}

// ---- the last of what was sent, lost: each request here is that. Few wait for the timeout
static void probed(void) {
  const toc_qp_options patient = {.timeout_us = 1000000};
  toc_options o = {.link = "udp,local=127.0.0.1:0", .drop = 20, .seed = seed + 1};
  udp_end e;
  toc_link_count c;
  udp_other other = udp_fork(&o, &patient);
  o.seed = seed; /* else both ends lose the same */
  if (!udp_end_open(&e, &o, &patient) || !udp_hear(other.fd, &e.its, sizeof e.its)) {
    EQ("the other process", "there");
    return;
  }
  if (udp_meet(&e, &other)) udp_part(&other, udp_exercise(&e, 100));
  toc_link_counts(e.f, &c);
  EQ(c.lost > 10, 1);
  EQ(2 * nic_count(&e, NIC_CNT_NO_PROGRESS) <= c.lost, 1);
  toc_close(e.f);
}

// ---- that is asked by an empty put: of a peer that is silent, if it has acknowledged a put. Else it may be one that
// takes none, to which nothing goes but what is sent again
static atomic_uint sends, asks;

static void leaves(void *ctx, const toc_seen *s) {
  const uint8_t *bth = s->data + 42, none[4] = {0};
  (void)ctx;
  if (s->kind != TOC_SEEN_FRAME) return;
  sends += bth[0] == 0x04;                              /* SEND Only */
  asks += bth[0] == 0x0a && !memcmp(bth + 24, none, 4); /* RDMA WRITE Only of no bytes */
}

static void silent(bool puts) {
  const toc_options o = {.link = "udp,local=127.0.0.1:0"};
  const toc_qp_options patient = {.timeout_us = 300000};
  udp_end e, peer;
  toc_req r;
  if (!udp_end_open(&e, &o, &patient) || !udp_end_open(&peer, &o, &patient)) return;
  OK(toc_qp_connect(e.q, &peer.card.here));
  OK(toc_qp_connect(peer.q, &e.card.here));
  OK(puts ? toc_put(e.q, e.mem, peer.card.mem, 8, &r) : toc_get(e.q, e.mem, peer.card.mem, 8, &r));
  OK(toc_wait(r, UDP_FOREVER));
  toc_close(peer.f);
  sends = asks = 0;
  toc_listen(e.f, leaves, NULL);
  OK(toc_send(e.q, e.mem, 8, &r));
  while (!(puts ? asks : sends > 1) && !toc_done(r)) usleep(1000);
  EQ(asks > 0, puts);
  EQ(sends > 0, 1);
  toc_listen(e.f, NULL, NULL);
  toc_close(e.f);
}

// ---- a peer that is killed, and one that takes its place
static void killed(void) {
  udp_end e;
  toc_req r;
  toc_link_count c;
  char again[60];
  udp_other other = udp_fork(&(toc_options){.link = "udp,local=127.0.0.1:0"}, NULL);
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1:0"}, &(toc_qp_options){.timeout_us = 60000}))
    return;
  EQ(udp_hear(other.fd, &e.its, sizeof e.its), true);
  if (!udp_meet(&e, &other)) return;
  OK(toc_put(e.q, e.mem, e.its.mem, 5000, &r));
  OK(toc_wait(r, UDP_FOREVER));
  kill(other.pid, SIGKILL);
  waitpid(other.pid, NULL, 0);
  close(other.fd);
  OK(toc_put(e.q, e.mem, e.its.mem, 5000, &r));
  IS(toc_wait(r, UDP_FOREVER), TOC_E_PEER_GONE);
  EQ(strstr(toc_why(), "does not answer: nobody has its port open") != NULL, 1);
  toc_link_counts(e.f, &c);
  EQ(c.refused > 0, 1); /* the system has told us, too */
  IS(toc_put(e.q, e.mem, e.its.mem, 8, &r), TOC_E_STOPPED);
  sprintf(again, "udp,local=127.0.0.1:%u", (unsigned)(e.its.here.mac & UDP_MAC_PORT));
  other = udp_fork(&(toc_options){.link = again, .seed = seed + 7}, NULL); /* the port is free at once */
  EQ(udp_hear(other.fd, &e.its, sizeof e.its), true);
  OK(toc_qp_address(e.q, &e.card.here));
  if (udp_meet(&e, &other)) udp_part(&other, udp_exercise(&e, 5));
  toc_close(e.f);
}

// ---- poll() in either process: the child sleeps in it, is woken, and wakes us
static void child_polls(int fd) {
  udp_end e;
  toc_event ev = {0};
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1:0"}, NULL)) _exit(1);
  udp_say(fd, &e.card, sizeof e.card);
  if (!udp_hear(fd, &e.its, sizeof e.its)) _exit(2);
  OK(toc_qp_connect(e.q, &e.its.here));
  udp_say(fd, "", 1);
  struct pollfd p = {.fd = toc_event_fd(e.p), .events = POLLIN};
  for (unsigned came = 0; came < 20 && !failed;) {
    EQ(poll(&p, 1, -1), 1);
    while (toc_event_next(e.p, &ev, 1) == TOC_OK)
      if (ev.kind == TOC_EVENT_IMM) {
        OK(toc_put_imm(e.q, NULL, e.its.mem, 0, (uint32_t)ev.value + 1, NULL));
        came++;
      }
  }
  OK(toc_wait_all(e.q, UDP_FOREVER));
  uint8_t end;
  (void)udp_hear(fd, &end, 1); /* until the other has all */
  _exit(failed ? 4 : 0);
}

static void wakes(void) {
  int fd[2], status = -1;
  udp_end e;
  toc_event ev = {0};
  EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
  fflush(stdout);
  pid_t pid = fork();
  if (!pid) {
    failed = 0;
    child_polls(fd[1]);
  }
  close(fd[1]);
  udp_other other = {pid, fd[0]};
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1:0"}, NULL)) return;
  EQ(udp_hear(fd[0], &e.its, sizeof e.its), true);
  if (!udp_meet(&e, &other)) return;
  struct pollfd p = {.fd = toc_event_fd(e.p), .events = POLLIN};
  for (unsigned i = 0; i < 20 && !failed; i++) {
    OK(toc_put_imm(e.q, NULL, e.its.mem, 0, 100 + i, NULL));
    for (ev.kind = TOC_EVENT_NONE; ev.kind != TOC_EVENT_IMM;) {
      EQ(poll(&p, 1, -1), 1);
      while (toc_event_next(e.p, &ev, 1) == TOC_OK && ev.kind != TOC_EVENT_IMM) continue;
    }
    EQ(ev.value, 101 + i);
  }
  if (failed) kill(pid, SIGKILL);
  udp_say(fd[0], "", 1);
  EQ(waitpid(pid, &status, 0), pid);
  EQ(status, 0);
  close(fd[0]);
  toc_close(e.f);
}

// ---- a log that is read slowly: a flush is answered "not done" before anybody gives up the read that it is
static void on_slow(void *arg, const toc_access *x) {
  usleep(30000);
  udp_on_put(arg, x);
}

static void on_slow_get(void *arg, const toc_access *x) {
  (void)arg;
  if (x->kind == TOC_GET) usleep(20000);
}

static void slowly(void) {
  udp_end x, y;
  toc_req r;
  if (!udp_end_open(&x, &(toc_options){.link = "udp,local=127.0.0.1:0"}, NULL) ||
      !udp_end_open(&y, &(toc_options){.link = "udp,local=127.0.0.1:0"}, NULL))
    return;
  OK(toc_log_open(y.p, &(toc_log_options){.bytes = 4096, .automatic = true}, &y.log));
  OK(toc_associate_iova(
      y.p, UDP_ACTIVE_AT, 4096,
      &(toc_rule){.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = y.log, .handler = on_slow, .arg = y.sum}));
  OK(toc_expose_iova(y.p, UDP_ACTIVE_AT, 4096, TOC_WRITE, &y.card.active));
  OK(toc_flush_page(y.log, &y.card.flush));
  OK(toc_qp_connect(x.q, &y.card.here));
  OK(toc_qp_connect(y.q, &x.card.here));
  *(uint64_t *)(void *)x.mem = 1;
  for (unsigned i = 0; i < 3; i++) OK(toc_put(x.q, x.mem, y.card.active, 8, &r));
  OK(toc_flush(x.q, y.card.flush, UDP_FOREVER));
  EQ(y.sum[0], 3);
  /* Gets wait for room in the log, which has it later than a NIC gives up a read that nobody answers. */
  toc_remote logged;
  OK(toc_associate(y.p, y.mem, UDP_MEM,
                   &(toc_rule){.get = TOC_LOG, .log = y.log, .handler = on_slow_get, .arg = y.sum}));
  OK(toc_expose(y.p, y.mem, UDP_MEM, TOC_READ, &logged));
  for (unsigned i = 0; i < 8; i++) OK(toc_get(x.q, x.mem, logged, 1024, &r));
  OK(toc_wait_all(x.q, UDP_FOREVER));
  toc_close(x.f);
  toc_close(y.f);
}

// ---- what comes from anywhere
enum { PEER_QP = 0x4711, ROOM = 9000 };

typedef struct played { /* a peer that this test plays: a socket, and what a NIC puts around */
  int fd;
  unsigned port, far;
  uint32_t psn;
} played;

static int bound(uint32_t ip, unsigned *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(ip)}};
  socklen_t n = sizeof a;
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  EQ(bind(fd, (struct sockaddr *)&a, n), 0);
  EQ(getsockname(fd, (struct sockaddr *)&a, &n), 0);
  *port = ntohs(a.sin_port);
  return fd;
}

static void shoot(int fd, unsigned far, const uint8_t *p, size_t n) {
  struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)far), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  EQ(sendto(fd, p, n, 0, (struct sockaddr *)&to, sizeof to), (ssize_t)n);
}

/* The ICRC of the packet that the kernel makes of n bytes, the last 4 for the ICRC: bit by bit,
 * as the books have it. */
static uint32_t icrc(uint32_t from, unsigned port, unsigned far, unsigned id, const uint8_t *p, size_t n) {
  uint8_t b[ROOM] = {0};
  uint32_t to = INADDR_LOOPBACK, crc = ~0u;
  size_t all = 28 + n;
  memset(b, 0xff, 8);
  const uint8_t head[28] = {0x45,
                            0xff,
                            (uint8_t)(all >> 8),
                            (uint8_t)all,
                            (uint8_t)(id >> 8),
                            (uint8_t)id,
                            0x40,
                            0,
                            0xff,
                            17,
                            0xff,
                            0xff,
                            (uint8_t)(from >> 24),
                            (uint8_t)(from >> 16),
                            (uint8_t)(from >> 8),
                            (uint8_t)from,
                            (uint8_t)(to >> 24),
                            (uint8_t)(to >> 16),
                            (uint8_t)(to >> 8),
                            (uint8_t)to,
                            (uint8_t)(port >> 8),
                            (uint8_t)port,
                            (uint8_t)(far >> 8),
                            (uint8_t)far,
                            (uint8_t)((n + 8) >> 8),
                            (uint8_t)(n + 8),
                            0xff,
                            0xff};
  memcpy(b + 8, head, 28);
  memcpy(b + 36, p, n - 4);
  b[36 + 4] = 0xff;
  for (size_t i = 0; i < 36 + n - 4; i++)
    for (unsigned k = 0; k < 8; k++) crc = crc >> 1 ^ ((crc ^ (uint32_t)b[i] >> k) & 1 ? 0xedb88320u : 0);
  return ~crc;
}

static uint32_t le32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void seal(uint8_t *p, size_t n, uint32_t crc) {
  for (unsigned i = 0; i < 4; i++) p[n - 4 + i] = (uint8_t)(crc >> 8 * i);
}

static toc_link_count counts(udp_end *e) {
  toc_link_count c;
  toc_link_counts(e->f, &c);
  return c;
}

#define SOON(x) /* it comes to be; if not, the test stands, and says where */ \
  do {                                                                        \
    for (unsigned soon_ = 0; soon_ < 60000 && !(x); soon_++) usleep(1000);    \
    EQ((x) ? 1 : 0, 1);                                                       \
  } while (0)

/* A good write, to see that the connection is alive; its ACK comes back. */
static void good(played *p, udp_end *e) {
  static uint64_t v = 0x1111;
  uint8_t b[64], ack[ROOM];
  size_t n = udp_write8(b, e->card.here.qp, p->psn, e->card.mem, ++v);
  seal(b, n, icrc(INADDR_LOOPBACK, p->port, p->far, 0, b, n));
  shoot(p->fd, p->far, b, n);
  SOON(toc_load((uint64_t *)(void *)e->mem) == v);
  struct pollfd q = {.fd = p->fd, .events = POLLIN};
  EQ(poll(&q, 1, -1), 1);
  ssize_t k = recv(p->fd, ack, sizeof ack, 0);
  EQ(k, 20);
  EQ(ack[0], 0x11);
  EQ((uint32_t)ack[9] << 16 | (uint32_t)ack[10] << 8 | ack[11], p->psn);
  EQ(le32(ack + 16), icrc(INADDR_LOOPBACK, p->far, p->port, 0, ack, 20)); /* as the kernel has sent it */
  p->psn = (p->psn + 1) & 0xffffff;
}

/* n bytes that change nothing in memory, and are counted there. */
static void ill(udp_end *e, int fd, unsigned far, const uint8_t *b, size_t n, bool dropped, const char *what) {
  uint64_t was = *(uint64_t *)(void *)e->mem, d = counts(e).dropped, in = counts(e).in;
  shoot(fd, far, b, n);
  SOON(counts(e).dropped + counts(e).in == d + in + 1);
  if (counts(e).dropped - d != dropped) printf("%s\n", what);
  EQ(counts(e).dropped - d, dropped);
  EQ(toc_load((uint64_t *)(void *)e->mem), was);
}

static void hostile(void) {
  udp_end e;
  played p = {.psn = 77};
  uint8_t b[ROOM] = {0};
  unsigned near_port, far_port;
  p.fd = bound(INADDR_LOOPBACK, &p.port);
  int neighbour = bound(INADDR_LOOPBACK, &near_port), elsewhere = bound(INADDR_LOOPBACK + 4, &far_port);
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1:0"}, NULL)) return;
  p.far = (unsigned)(e.card.here.mac & UDP_MAC_PORT);
  OK(toc_qp_connect(
      e.q, &(toc_address){.mac = 0x025544500000u | p.port, .ip = INADDR_LOOPBACK, .qp = PEER_QP, .psn = p.psn}));
  good(&p, &e);
  for (size_t n = 0; n < 16; n++) ill(&e, p.fd, p.far, b, n, true, "short");
  size_t n = udp_write8(b, e.card.here.qp, p.psn, e.card.mem, 0xbad);
  seal(b, n, icrc(INADDR_LOOPBACK, p.port, p.far, 0, b, n));
  for (size_t k = 16; k < n; k++) ill(&e, p.fd, p.far, b, k, k % 4 != 0, "cut off");
  good(&p, &e);
  uint64_t bad = nic_count(&e, NIC_RX_ICRC);
  for (unsigned i = 0; i < 8 * (unsigned)n; i++) { /* every bit that the ICRC covers */
    n = udp_write8(b, e.card.here.qp, p.psn, e.card.mem, 0xbad);
    seal(b, n, icrc(INADDR_LOOPBACK, p.port, p.far, 0, b, n));
    b[i / 8] ^= (uint8_t)(1u << i % 8);
    if (i / 8 != 4) ill(&e, p.fd, p.far, b, n, false, "bent");
  }
  SOON(nic_count(&e, NIC_RX_ICRC) > bad);
  good(&p, &e);
  n = udp_write8(b, e.card.here.qp, p.psn, e.card.mem, 0xbad);
  seal(b, n, icrc(INADDR_LOOPBACK, near_port, p.far, 0, b, n));
  ill(&e, neighbour, p.far, b, n, true, "from another port of the peer's machine");
  seal(b, n, icrc(INADDR_LOOPBACK + 4, far_port, p.far, 0, b, n));
  ill(&e, elsewhere, p.far, b, n, true, "from another machine");
  for (unsigned qp = 1; qp < 0x1000000; qp <<= 1) {
    n = udp_write8(b, e.card.here.qp ^ qp, p.psn, e.card.mem, 0xbad);
    seal(b, n, icrc(INADDR_LOOPBACK, p.port, p.far, 0, b, n));
    ill(&e, p.fd, p.far, b, n, false, "another queue pair");
  }
  n = udp_write8(b, e.card.here.qp, p.psn, e.card.mem, 0xbad);
  seal(b, n, icrc(INADDR_LOOPBACK, p.port, p.far, 5, b, n));
  ill(&e, p.fd, p.far, b, n, false, "a node of ours with an identification");
  uint64_t over = counts(&e).oversized;
  shoot(p.fd, p.far, b, ROOM);
  SOON(counts(&e).oversized == over + 1);
  good(&p, &e);
  toc_close(e.f);
  close(p.fd), close(neighbour), close(elsewhere);
}

/* The next packet of e's, and its PSN. */
static uint32_t heard(const played *p) {
  uint8_t b[ROOM];
  struct pollfd q = {.fd = p->fd, .events = POLLIN};
  EQ(poll(&q, 1, -1), 1);
  EQ(recv(p->fd, b, sizeof b, MSG_DONTWAIT) > 12, 1);
  EQ(b[0], 0x0a);
  return (uint32_t)b[9] << 16 | (uint32_t)b[10] << 8 | b[11];
}

static void acknowledge(const played *p, const udp_end *e, uint32_t psn) {
  const uint32_t qp = e->card.here.qp;
  uint8_t b[20] = {0x11, 0x40, 0xff, 0xff, 0, (uint8_t)(qp >> 16), (uint8_t)(qp >> 8), (uint8_t)qp};
  b[9] = (uint8_t)(psn >> 16), b[10] = (uint8_t)(psn >> 8), b[11] = (uint8_t)psn;
  b[12] = 0x1f;
  seal(b, sizeof b, icrc(INADDR_LOOPBACK, p->port, p->far, 0, b, sizeof b));
  shoot(p->fd, p->far, b, sizeof b);
}

// ---- a peer that acknowledges a request when it has been asked for, and then leaves: nobody waits for the question
static void left(void) {
  udp_end e;
  toc_req r;
  played p = {.psn = 5};
  p.fd = bound(INADDR_LOOPBACK, &p.port);
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1:0"},
                    &(toc_qp_options){.timeout_us = 1000000, .retry = 1}))
    return;
  p.far = (unsigned)(e.card.here.mac & UDP_MAC_PORT);
  OK(toc_qp_connect(
      e.q, &(toc_address){.mac = 0x025544500000u | p.port, .ip = INADDR_LOOPBACK, .qp = PEER_QP, .psn = p.psn}));
  OK(toc_put(e.q, e.mem, e.card.mem, 8, &r));
  const uint32_t first = heard(&p);
  acknowledge(&p, &e, first); /* one that takes puts */
  OK(toc_wait(r, UDP_FOREVER));
  OK(toc_put(e.q, e.mem, e.card.mem, 8, &r));
  uint32_t asked;
  while ((asked = heard(&p)) == first && !failed) {
  }
  while (heard(&p) == asked && !failed) {
  }
  acknowledge(&p, &e, asked);
  OK(toc_wait(r, UDP_FOREVER));
  OK(toc_wait_all(e.q, UDP_FOREVER));
  SOON(nic_count(&e, NIC_CNT_NO_PROGRESS) > 1); /* it has been given up: */
  for (unsigned i = 0; i < 100; i++) usleep(1000), (void)toc_progress(e.f);
  OK(toc_wait_all(e.q, UDP_FOREVER));
  IS(toc_put(e.q, e.mem, e.card.mem, 8, &r), TOC_E_STOPPED);
  toc_close(e.f);
  close(p.fd);
}

// ---- what is refused, and by which name
static void errors(void) {
  char text[80];
  unsigned port;
  toc_fabric *f;
  udp_end e;
  int fd = bound(INADDR_LOOPBACK, &port);
  sprintf(text, "udp,local=127.0.0.1:%u", port);
  scene_link_refused(text, TOC_E_IN_USE, "in use");
  close(fd);
  scene_link_refused("udp", TOC_E_ARG, "it is udp,local=ADDRESS");
  scene_link_refused("udp,local=somewhere", TOC_E_ARG, "bad address 'somewhere'");
  scene_link_refused("udp,local=127.0.0.1:70000", TOC_E_ARG, "bad address");
  scene_link_refused("udp,local=127.0.0.1:", TOC_E_ARG, "bad address");
  scene_link_refused("udp,local=0.0.0.0:0", TOC_E_ARG, "any address");
  scene_link_refused("udp,local=[::]:0", TOC_E_ARG, "any address");
  scene_link_refused("udp,local=224.0.0.5:0", TOC_E_ARG, "address of many");
  scene_link_refused("udp,local=127.255.255.255:0", TOC_E_ARG, "address of many");
  scene_link_refused("udp,local=255.255.255.255:0", TOC_E_ARG, "address of many");
  scene_link_refused("udp,local=::1:5000", TOC_E_ARG, "[IP]:PORT of IPv6"); /* that is an address, too */
  if (udp_has_ip6()) scene_link_refused("udp,local=[ff0e::5]:0", TOC_E_ARG, "address of many");
  scene_link_refused("udp,local=198.51.100.1", TOC_E_ARG, "not this machine's");
  scene_link_refused("udp,local=127.0.0.1:0,remote=127.0.0.1:9", TOC_E_ARG, "is not local= or rate=");
  scene_link_refused("udp,local=127.0.0.1:0,rate=0", TOC_E_ARG, "bad rate");
  scene_link_refused("udpx,local=127.0.0.1:0", TOC_E_ARG, "only frames");
  IS(toc_open(&(toc_options){.backend = backend, .nodes = 2, .link = "udp,local=127.0.0.1:0"}, &f), TOC_E_ARG);
  EQ(strstr(toc_why(), "one node") != NULL, 1);
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1:0"}, &(toc_qp_options){.mtu = 4096})) return;
  EQ(e.card.here.ip, INADDR_LOOPBACK);
  IS(toc_qp_connect(e.q, &(toc_address){.ip6 = {[15] = 1}, .qp = 1}), TOC_E_ARG);
  EQ(strstr(toc_why(), "IPv6") != NULL, 1);
  IS(toc_qp_connect(e.q, &(toc_address){.ip = INADDR_LOOPBACK, .qp = 1, .vlan = 5}), TOC_E_ARG);
  EQ(strstr(toc_why(), "802.1Q") != NULL, 1);
  IS(toc_qp_connect(e.q, &(toc_address){.mac = 0x025544500000, .ip = INADDR_LOOPBACK, .qp = 1}), TOC_E_ARG);
  EQ(strstr(toc_why(), "port 0") != NULL, 1);
  IS(toc_qp_connect(e.q, &(toc_address){.ip = 0xffffffff, .qp = 1}), TOC_E_IO);
  OK(toc_qp_connect(e.q, &(toc_address){.ip = INADDR_LOOPBACK, .qp = 1}));
  toc_close(e.f);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  errors();
  hostile();
  slowly();
  others();
  probed();
  silent(false);
  silent(true);
  left();
  killed();
  wakes();
  return report();
}
