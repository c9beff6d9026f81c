// SPDX-License-Identifier: Apache-2.0
// link=frames: frames that leave the process. The peer is another fabric here, or this test itself at the other end of
// the socket, with frames and checksums of its own.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "scene.h"

enum { MOST = 9000 };

// ---- ports, sockets
static int udp(unsigned *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t n = sizeof a;
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  EQ(bind(fd, (struct sockaddr *)&a, n), 0);
  EQ(getsockname(fd, (struct sockaddr *)&a, &n), 0);
  *port = ntohs(a.sin_port);
  return fd;
}

static void reach(int fd, unsigned port) {
  struct sockaddr_in a = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  EQ(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
}

static const char *spec(char *text, unsigned own, unsigned far) {
  sprintf(text, "frames,local=127.0.0.1:%u,remote=127.0.0.1:%u", own, far);
  return text;
}

// ---- two fabrics, each a process of its own as far as the other can tell
typedef struct end {
  toc_fabric *f;
  toc_proc *p;
  toc_qp *q;
  uint8_t *mem;
  toc_remote at;
  toc_address here;
} end;

static bool end_open(end *e, unsigned rank, const char *link, unsigned drop) {
  memset(e, 0, sizeof *e);
  OK(toc_open(&(toc_options){.backend = backend,
                             .rank0 = rank,
                             .link = link,
                             .drop = drop,
                             .seed = seed + rank,
                             .progress = TOC_PROGRESS_THREAD},
              &e->f));
  if (!e->f) return false;
  OK(toc_proc_open(toc_node_at(e->f, 0), &e->p));
  OK(toc_qp_open(e->p, &(toc_qp_options){.timeout_us = slow ? 100 : 20000, .psn = 0xfffffe - rank}, &e->q));
  OK(toc_qp_address(e->q, &e->here));
  EQ(e->here.psn, 0xfffffe - rank);
  OK(toc_alloc(e->p, 65536, TOC_READ | TOC_WRITE, (void **)&e->mem));
  OK(toc_expose(e->p, e->mem, 65536, TOC_READ | TOC_WRITE | TOC_ATOMIC, &e->at));
  return e->mem && e->q;
}

static void talk(const char *a, const char *b, unsigned drop) {
  end x, y;
  toc_req r;
  toc_link_count c;
  if (!end_open(&x, 0, a, drop) || !end_open(&y, 1, b, drop)) return;
  OK(toc_qp_connect(x.q, &y.here));
  OK(toc_qp_connect(y.q, &x.here));
  for (unsigned i = 0; i < scene_few(200) && !failed; i++) {
    uint32_t n = i * 37 % 5000;
    for (uint32_t k = 0; k < n; k++) x.mem[k] = (uint8_t)(k * 7 + i);
    OK(toc_put(x.q, x.mem, toc_at(y.at, 8192), n, &r));
    OK(toc_wait(r, TOC_FOREVER - 1));
    EQ(memcmp(x.mem, y.mem + 8192, n), 0);
    OK(toc_get(y.q, y.mem + 32768, x.at, n, &r));
    OK(toc_wait(r, TOC_FOREVER - 1));
    EQ(memcmp(x.mem, y.mem + 32768, n), 0);
  }
  OK(toc_put_imm(x.q, NULL, y.at, 0, 99, NULL));
  struct pollfd p = {.fd = toc_event_fd(y.p), .events = POLLIN};
  EQ(poll(&p, 1, -1), 1); /* a frame's arrival wakes who sleeps there */
  toc_event e = {0};
  OK(toc_event_next(y.p, &e, TOC_FOREVER - 1));
  EQ(e.value, 99);
  toc_link_counts(x.f, &c);
  EQ(c.out > 0 && c.in > 0, 1);
  EQ(c.lost > 0, drop > 0);
  EQ(c.dropped + c.oversized + c.unsent, 0);
  toc_close(x.f);
  toc_close(y.f);
}

static void others(void) {
  char a[100], b[100], dir[] = "/tmp/link.XXXXXX";
  unsigned px, py;
  int fx = udp(&px), fy = udp(&py);
  close(fx);
  close(fy);
  talk(spec(a, px, py), spec(b, py, px), 0);
  talk(spec(a, px, py), spec(b, py, px), 50);
  EQ(mkdtemp(dir) != NULL, 1);
  sprintf(a, "frames,local=unix:%s/x,remote=unix:%s/y", dir, dir);
  sprintf(b, "frames,local=unix:%s/y,remote=unix:%s/x,rate=10000", dir, dir);
  talk(a, b, 0);
  EQ(rmdir(dir), 0); /* nothing is left there */
}

// ---- a peer that this test plays
typedef struct peer {
  int fd;
  unsigned port, far;
  toc_fabric *f;
} peer;

static bool peer_open(peer *p) {
  char text[100];
  p->fd = udp(&p->port);
  int other = udp(&p->far);
  close(other);
  reach(p->fd, p->far);
  OK(toc_open(
      &(toc_options){
          .backend = backend, .rank0 = 1, .link = spec(text, p->far, p->port), .progress = TOC_PROGRESS_THREAD},
      &p->f));
  return p->f != NULL;
}

static void peer_close(peer *p) {
  toc_close(p->f);
  close(p->fd);
}

static toc_link_count counts(const peer *p) {
  toc_link_count c;
  toc_link_counts(p->f, &c);
  return c;
}

/* What comes back for a frame. */
static size_t ask(const peer *p, const uint8_t *frame, size_t n, uint8_t *answer) {
  struct pollfd q = {.fd = p->fd, .events = POLLIN};
  EQ(send(p->fd, frame, n, 0), n);
  EQ(poll(&q, 1, -1), 1);
  return (size_t)recv(p->fd, answer, MOST, 0);
}

/* Nobody answers, and it is counted as dropped. */
static void mute(const peer *p, const char *what, const uint8_t *frame, size_t n) {
  uint64_t before = counts(p).dropped;
  EQ(send(p->fd, frame, n, 0), n);
  for (unsigned i = 0; i < 60000 && counts(p).dropped == before; i++) usleep(1000);
  if (counts(p).dropped != before + 1) printf("%s is not dropped\n", what);
  EQ(counts(p).dropped, before + 1);
  uint8_t b[MOST];
  EQ(recv(p->fd, b, sizeof b, MSG_DONTWAIT), (ssize_t)-1);
}

static unsigned sum(const uint8_t *p, size_t n, uint64_t s) {
  for (size_t i = 0; i < n; i++) s += i % 2 ? p[i] : (unsigned)p[i] << 8;
  while (s >> 16) s = (s & 0xffff) + (s >> 16);
  return (unsigned)s;
}

/* The complement of the sum of everything is put at `at`. */
static void seal(uint8_t *p, size_t n, uint8_t *at, uint64_t s) {
  at[0] = at[1] = 0;
  unsigned v = 0xffff - sum(p, n, s);
  at[0] = (uint8_t)(v >> 8);
  at[1] = (uint8_t)v;
}

#define ME 2, 1, 1, 1, 1, 1
#define NODE 2, 0x54, 0x4f, 0x43, 0, 1
static const uint8_t to_node[14] = {NODE, ME, 8, 0}, to_me[12] = {ME, NODE};

static void arp(const peer *p) {
  uint8_t ask_[60] = {255, 255, 255, 255, 255, 255, ME, 8, 6, 0,         1,  8, 0,
                      6,   4,   0,   1,   ME,  10,  84, 9, 9, [38] = 10, 84, 0, 1},
          b[MOST];
  static const uint8_t want[42] = {ME, NODE, 8, 6, 0, 1, 8, 0, 6, 4, 0, 2, NODE, 10, 84, 0, 1, ME, 10, 84, 9, 9};
  EQ(ask(p, ask_, sizeof ask_, b), 60);
  EQ(memcmp(b, want, 42), 0);
  EQ(ask(p, ask_, 42, b), 60); /* not padded */
  EQ(memcmp(b, want, 42), 0);
  uint8_t tagged[64];
  memcpy(tagged, ask_, 12);
  memcpy(tagged + 12, (uint8_t[]){0x81, 0, 0x60, 7}, 4);
  memcpy(tagged + 16, ask_ + 12, 48);
  EQ(ask(p, tagged, 64, b), 60); /* the tag stays */
  EQ(memcmp(b, want, 12), 0);
  EQ(memcmp(b + 12, tagged + 12, 4), 0);
  EQ(memcmp(b + 16, want + 12, 30), 0);
  EQ(counts(p).arp, 3);
  ask_[41] = 2;
  mute(p, "ARP for another", ask_, sizeof ask_);
  ask_[41] = 1;
  ask_[21] = 2;
  mute(p, "an answer of ARP", ask_, sizeof ask_);
  ask_[21] = 1;
  mute(p, "half an ARP", ask_, 41);
}

static size_t ping(uint8_t *f, size_t bytes) {
  static const uint8_t ip[20] = {0x45, 0, 0, 0, 1, 2, 0x40, 0, 9, 1, 0, 0, 10, 84, 9, 9, 10, 84, 0, 1};
  size_t n = 34 + 8 + bytes;
  memcpy(f, to_node, 14);
  memcpy(f + 14, ip, 20);
  f[16] = (uint8_t)((n - 14) >> 8);
  f[17] = (uint8_t)(n - 14);
  memcpy(f + 34, (uint8_t[]){8, 0, 0, 0, 0x12, 0x34, 0, 5}, 8);
  for (size_t i = 0; i < bytes; i++) f[42 + i] = (uint8_t)(i * 3);
  seal(f + 34, n - 34, f + 36, 0);
  seal(f + 14, 20, f + 24, 0);
  return n;
}

static void echo(const peer *p) {
  uint8_t f[MOST], b[MOST];
  const size_t of[] = {0, 1, 56, 1473, 4000};
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    size_t n = ping(f, of[i]), k = ask(p, f, n, b);
    EQ(k, n < 60 ? 60 : n);
    EQ(memcmp(b, to_me, 12), 0);
    EQ(memcmp(b + 26, (uint8_t[]){10, 84, 0, 1, 10, 84, 9, 9}, 8), 0);
    EQ(sum(b + 14, 20, 0), 0xffff);
    EQ(sum(b + 34, n - 34, 0), 0xffff);
    EQ(b[34], 0);
    EQ(memcmp(b + 38, f + 38, n - 38), 0);
  }
  EQ(counts(p).echo, sizeof of / sizeof *of);
  size_t n = ping(f, 10);
  f[43]++;
  mute(p, "an echo with a bad checksum", f, n);
  n = ping(f, 10);
  f[24]++;
  mute(p, "IP with a bad checksum", f, n);
  n = ping(f, 10);
  f[20] = 0x20;
  seal(f + 14, 20, f + 24, 0);
  mute(p, "a fragment", f, n);
  n = ping(f, 10);
  f[17] += 1;
  seal(f + 14, 20, f + 24, 0);
  mute(p, "IP that is longer than its frame", f, n);
  n = ping(f, 10);
  f[5] ^= 1;
  mute(p, "an echo to another MAC", f, n);
  n = ping(f, 10);
  memset(f, 255, 6);
  mute(p, "an echo to all", f, n);
}

/* fe80:: and the MAC, with its bit 1 turned, around ff fe */
static const uint8_t node6[16] = {0xfe, 0x80, [8] = 0, 0x54, 0x4f, 0xff, 0xfe, 0x43, 0, 1},
                     me6[16] = {0xfe, 0x80, [15] = 9};

static size_t v6(uint8_t *f, const uint8_t *src, const uint8_t *dst, uint8_t hops, const uint8_t *icmp, size_t n) {
  memcpy(f, to_node, 12);
  memcpy(f + 12, (uint8_t[]){0x86, 0xdd, 0x60, 0, 0, 0, (uint8_t)(n >> 8), (uint8_t)n, 58, hops}, 10);
  memcpy(f + 22, src, 16);
  memcpy(f + 38, dst, 16);
  memcpy(f + 54, icmp, n);
  seal(f + 22, 32 + n, f + 56, 58 + n);
  return 54 + n;
}

static void neighbours(const peer *p) {
  uint8_t f[MOST], b[MOST], ns[32] = {135, [24] = 1, 1, ME}, asked[16] = {0xff, 2, [11] = 1, 0xff, 0x43, 0, 1},
                            big[1500] = {128, 0, 0, 0, 7, 7, 0, 1};
  static const uint8_t none[16], all[16] = {0xff, 2, [15] = 1};
  memcpy(ns + 8, node6, 16);
  size_t n = v6(f, me6, asked, 255, ns, 32);
  memcpy(f, (uint8_t[]){0x33, 0x33, 0xff, 0x43, 0, 1}, 6);
  EQ(ask(p, f, n, b), 86);
  EQ(memcmp(b, to_me, 12), 0);
  EQ(memcmp(b + 22, node6, 16) || memcmp(b + 38, me6, 16), 0);
  EQ(b[21], 255);
  EQ(b[54], 136);
  EQ(b[58], 0x60);
  EQ(memcmp(b + 62, node6, 16), 0);
  EQ(memcmp(b + 78, (uint8_t[]){2, 1, NODE}, 8), 0);
  EQ(sum(b + 22, 64, 58 + 32), 0xffff);
  n = v6(f, none, asked, 255, ns, 24); /* whether the address is free */
  EQ(ask(p, f, n, b), 86);
  EQ(memcmp(b, (uint8_t[]){0x33, 0x33, 0, 0, 0, 1}, 6), 0);
  EQ(memcmp(b + 38, all, 16), 0);
  EQ(b[58], 0x20);
  EQ(sum(b + 22, 64, 58 + 32), 0xffff);
  EQ(counts(p).neighbour, 2);
  mute(p, "a question from another net", f, v6(f, me6, asked, 254, ns, 32));
  ns[23] ^= 1;
  mute(p, "a question for another", f, v6(f, me6, asked, 255, ns, 32));
  uint64_t echoes = counts(p).echo;
  n = v6(f, me6, node6, 64, big, sizeof big);
  EQ(ask(p, f, n, b), n);
  EQ(b[54], 129);
  EQ(memcmp(b + 58, f + 58, n - 58), 0);
  EQ(sum(b + 22, n - 22, 58 + sizeof big), 0xffff);
  EQ(counts(p).echo, echoes + 1);
  f[60]++;
  mute(p, "an ICMPv6 echo with a bad checksum", f, n);
}

/* Whatever is for nobody; and what is for the NIC goes there as it is. */
static uint8_t heard[MOST];
static size_t heard_bytes;

static void hear(void *ctx, const toc_seen *s) {
  (void)ctx;
  if (s->kind != TOC_SEEN_FRAME_IN || s->bytes > MOST) return;
  memcpy(heard, s->data, s->bytes);
  __atomic_store_n(&heard_bytes, s->bytes, __ATOMIC_RELEASE);
}

static void rest(const peer *p) {
  uint8_t f[MOST] = {0};
  uint64_t before = counts(p).oversized;
  mute(p, "13 bytes", f, 13);
  for (size_t n = 14; n < 90; n += 5) {
    for (size_t i = 0; i < n; i++) f[i] = (uint8_t)(i * 29 + n);
    memcpy(f, to_node, 14);
    f[13] = (uint8_t)n;
    mute(p, "another type", f, n);
  }
  EQ(send(p->fd, f, MOST, 0), MOST);
  for (unsigned i = 0; i < 60000 && counts(p).oversized == before; i++) usleep(1000);
  EQ(counts(p).oversized, before + 1);
  toc_listen(p->f, hear, NULL);
  size_t n = ping(f, 40);
  f[23] = 17;
  memcpy(f + 34, (uint8_t[]){0xc0, 0, 0x12, 0xb7, 0, 48, 0, 0},
         8); /* its ICRC is wrong: the NIC's affair, as is its header's sum */
  uint64_t in = counts(p).in;
  EQ(send(p->fd, f, n, 0), n);
  while (!__atomic_load_n(&heard_bytes, __ATOMIC_ACQUIRE)) usleep(1000);
  EQ(counts(p).in, in + 1);
  EQ(heard_bytes, n);
  EQ(memcmp(heard, f, n), 0);
  toc_listen(p->f, NULL, NULL);
}

static void answers(void) {
  peer p;
  if (!peer_open(&p)) return;
  arp(&p);
  echo(&p);
  neighbours(&p);
  rest(&p);
  EQ(counts(&p).refused + counts(&p).lost + counts(&p).unsent, 0);
  peer_close(&p);
}

// ---- who is not there is no error
static void refused(void) {
  end x;
  char a[100];
  unsigned own, far;
  int fx = udp(&own), fy = udp(&far);
  toc_req r;
  toc_link_count c;
  close(fx);
  close(fy);
  if (!end_open(&x, 0, spec(a, own, far), 0)) return;
  OK(toc_qp_connect(x.q, &(toc_address){.mac = 0x020000000001, .ip = 0x0a540101, .qp = 17, .psn = 1}));
  OK(toc_put(x.q, x.mem, x.at, 8, &r));
  IS(toc_wait(r, TOC_FOREVER - 1), TOC_E_PEER_GONE); /* by the NIC's own retries */
  toc_link_counts(x.f, &c);
  EQ(c.refused > 1, 1);
  toc_close(x.f);
}

// ---- nodes of one fabric need no way out, and its time is the clock's
static uint64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void inside(void) {
  scene s;
  char a[100];
  unsigned own, far;
  toc_req r;
  toc_link_count c;
  int fx = udp(&own), fy = udp(&far);
  close(fx);
  uint64_t began = clock_ns();
  if (!scene_open(&s, &(toc_options){.rank0 = 300, .link = spec(a, own, far)})) return;
  for (unsigned i = 0; i < 5; i++) {
    OK(toc_put(s.ab, s.near, s.there, 8, &r));
    OK(toc_wait(r, 0));
  }
  toc_link_counts(s.f, &c);
  EQ(c.out + c.in, 0);
  if (!slow) {
    uint64_t word = 0;
    IS(toc_wait_word(s.f, &word, 1, 1, 30000), TOC_E_TIMEOUT);
    uint64_t sim = toc_now(s.f), took = clock_ns() - began;
    EQ(sim >= 30000000, 1);
    EQ(sim <= took + 20000000, 1); /* what it may catch up with */
  }
  toc_close(s.f);
  close(fy);
}

// ---- a path that another program used
/* What nobody listens at is taken over; a socket that is open, and a file that is none, stay. */
static void paths(void) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  char text[200], folder[] = "/tmp/tocsin-test-link-XXXXXX";
  struct stat st;
  toc_fabric *f;
  if (!mkdtemp(folder)) exit(2);
  snprintf(at.sun_path, sizeof at.sun_path, "%s/a", folder);
  snprintf(text, sizeof text, "frames,local=unix:%s,remote=unix:%s/b", at.sun_path, folder);
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  EQ(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
  scene_link_refused(text, TOC_E_IN_USE, "in use");
  EQ(lstat(at.sun_path, &st), 0);
  close(fd);
  EQ(lstat(at.sun_path, &st), 0);
  OK(toc_open(&(toc_options){.backend = backend, .link = text}, &f));
  toc_close(f);
  EQ(lstat(at.sun_path, &st), -1);
  fd = open(at.sun_path, O_CREAT | O_WRONLY, 0600);
  scene_link_refused(text, TOC_E_IN_USE, "in use");
  EQ(lstat(at.sun_path, &st), 0);
  close(fd);
  unlink(at.sun_path);
  rmdir(folder);
}

// ---- what is refused, and by which name
static void errors(void) {
  char a[100];
  unsigned own;
  int fd = udp(&own);
  toc_fabric *f;
  scene_link_refused(spec(a, own, 9), TOC_E_IN_USE, "in use");
  scene_link_refused("frames,local=127.0.0.1,remote=127.0.0.1:9", TOC_E_ARG, "bad address '127.0.0.1'");
  scene_link_refused("frames,local=127.0.0.1:0,remote=127.0.0.1:9", TOC_E_ARG, "bad address");
  scene_link_refused("frames,local=127.0.0.1:7000,remote=somewhere:9", TOC_E_ARG, "bad address 'somewhere:9'");
  scene_link_refused("frames,local=[::1]:7000,remote=127.0.0.1:9", TOC_E_ARG, "two kinds");
  scene_link_refused("frames,local=192.0.2.1:7000,remote=127.0.0.1:9", TOC_E_ARG, "not this machine's");
  scene_link_refused("frames,local=127.0.0.1:7000,remote=255.255.255.255:9", TOC_E_IO, "peer unreachable");
  scene_link_refused("frames,local=unix:/no/such/folder/x,remote=unix:/tmp/y", TOC_E_IO, "local address");
  scene_link_refused("frames,local=unix:/tmp/x,remote=127.0.0.1:1", TOC_E_ARG, "bad address");
  scene_link_refused("frames", TOC_E_ARG, "it is frames,local=");
  scene_link_refused("frames,local=127.0.0.1:7000", TOC_E_ARG, "it is frames,local=");
  scene_link_refused("frames,tap=t,local=127.0.0.1:7000", TOC_E_ARG, "it is frames,local=");
  scene_link_refused("frames,colour=blue", TOC_E_ARG, "colour");
  scene_link_refused("frames,tap=a,tap=b", TOC_E_ARG, "once");
  scene_link_refused("frames,tap=a,rate=fast", TOC_E_ARG, "bad rate");
  scene_link_refused("frames,tap=a-name-that-is-too-long", TOC_E_ARG, "TAP");
  scene_link_refused("wire", TOC_E_ARG, "only frames");
  if (toc_open(&(toc_options){.backend = backend, .link = "frames,tap=toctest0"}, &f) == TOC_OK) /* root may */
    toc_close(f);
  else
    EQ(strstr(toc_why(), "TAP") != NULL, 1);
  IS(toc_open(&(toc_options){.backend = "uio", .link = "frames,tap=t"}, &f), TOC_E_SUPPORT);
  setenv("TOCSIN_LINK", "wire", 1);
  IS(toc_open(&(toc_options){.backend = backend}, &f), TOC_E_ARG);
  OK(toc_open(&(toc_options){.backend = backend, .link = ""}, &f));
  toc_close(f);
  unsetenv("TOCSIN_LINK");
  close(fd);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  paths();
  errors();
  answers();
  inside();
  refused();
  others();
  return report();
}
