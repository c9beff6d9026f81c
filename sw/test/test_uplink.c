// SPDX-License-Identifier: Apache-2.0
// The way out of the process with a system that this test plays: a flood of what is no frame or of questions, errors
// that do not end, refusals, and a clock that moves by a microsecond at each look, for frames that may leave at so many
// bits a second.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h>

#include "frames.h"
#include "inproc.h"
#include "internal.h"
#include "scene.h"

enum { MANY = 1000000, SIZE = 1000 };

static unsigned takes, sends, error, refusal;
static bool told; /* of a refusal in the queue of errors as well, as Linux does of what is too long */
static const uint8_t *question;
static size_t question_bytes;
static uint64_t now_ns;

static ssize_t queued(struct msghdr *m) {
  const struct sock_extended_err e = {.ee_errno = refusal, .ee_origin = SO_EE_ORIGIN_LOCAL};
  struct cmsghdr *c = CMSG_FIRSTHDR(m);
  told = false;
  *c = (struct cmsghdr){.cmsg_level = IPPROTO_IP, .cmsg_type = IP_RECVERR, .cmsg_len = CMSG_LEN(sizeof e)};
  memcpy(CMSG_DATA(c), &e, sizeof e);
  m->msg_controllen = CMSG_SPACE(sizeof e);
  return 0;
}

/* Seven bytes are no packet; so it goes on for a million of them. */
ssize_t recvmsg(int fd, struct msghdr *m, int flags) {
  (void)fd;
  if (flags & MSG_ERRQUEUE && told) return queued(m);
  m->msg_controllen = 0;
  errno = EAGAIN;
  if (flags & MSG_ERRQUEUE || takes++ == MANY) return -1;
  errno = (int)error;
  if (error || !question) return error ? -1 : 7;
  memcpy(m->msg_iov[0].iov_base, question, question_bytes);
  return (ssize_t)question_bytes;
}

ssize_t sendto(int fd, const void *bytes, size_t n, int flags, __CONST_SOCKADDR_ARG to, socklen_t k) {
  (void)fd, (void)bytes, (void)flags, (void)to, (void)k;
  errno = (int)refusal;
  told = refusal == EMSGSIZE;
  if (refusal) return -1;
  sends++;
  return (ssize_t)n;
}

ssize_t send(int fd, const void *bytes, size_t n, int flags) {
  return sendto(fd, bytes, n, flags, (__CONST_SOCKADDR_ARG){NULL}, 0);
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  (void)clock;
  now_ns += 1000;
  *t = (struct timespec){(time_t)(now_ns / 1000000000), (long)(now_ns % 1000000000)};
  return 0;
}

static uplink *opened(const char *spec) {
  uplink *u = NULL;
  char why[LINK_WHY] = "";
  IS(toc_i_uplink_open(spec, &u, why), TOC_OK);
  return u;
}

/* Who looks for a frame comes back, however much comes that is none, and goes on with it the next time. */
static void floods(const char *spec) {
  static const unsigned errors[] = {0, ECONNREFUSED, EINTR, ENOMEM};
  uint8_t frame[FRAME_BYTES];
  uplink *u = opened(spec);
  for (unsigned i = 0; u && i < sizeof errors / sizeof *errors; i++) {
    error = errors[i];
    takes = 0;
    EQ(u->take(u, frame), 0);
    CHECK(takes && takes < 10000);
    if (!error) EQ(u->n.dropped, takes);
  }
  if (u) u->close(u);
}

/* After its burst: what leaves in two seconds, asked for every microsecond. */
static void paced(unsigned rate) {
  char spec[80];
  uint8_t frame[SIZE] = {[12] = 0x08, [14] = 0x45};
  snprintf(spec, sizeof spec, "udp,local=127.0.0.1:0,rate=%u", rate);
  uplink *u = opened(spec);
  if (!u) return;
  while (u->send(u, frame, SIZE)) continue;
  const uint64_t until = now_ns + 2000000000, want = 2ull * rate * 125000 / SIZE;
  for (sends = 0; now_ns < until;) (void)u->send(u, frame, SIZE);
  if (sends < want - want / 50 - 1 || sends > want + 1)
    printf("%u Mbit/s: %u frames of %llu\n", rate, sends, (unsigned long long)want);
  CHECK(sends >= want - want / 50 - 1 && sends <= want + 1);
  u->close(u);
}

/* While the system takes nothing, nothing has left: then the whole burst may. */
static void held(void) {
  uint8_t frame[SIZE] = {[12] = 0x08, [14] = 0x45};
  uplink *u = opened("udp,local=127.0.0.1:0,rate=7");
  if (!u) return;
  while (u->send(u, frame, SIZE)) continue;
  refusal = EAGAIN;
  bool left = false;
  for (unsigned us = 0; us < 1000000; us++, now_ns += 1000) left |= u->send(u, frame, SIZE);
  EQ(left, false);
  refusal = 0;
  for (unsigned i = 0; i < FRAME_BYTES / SIZE; i++) EQ(u->send(u, frame, SIZE), true);
  EQ(u->n.unsent, 0);
  u->close(u);
}

/* Each frame that the system refuses is counted, once and by its cause. */
static void refuses(const char *spec) {
  static const struct {
    unsigned error, oversized, refused, unsent;
  } by[] = {{EMSGSIZE, 1, 0, 0}, {ENETUNREACH, 0, 1, 0}, {EHOSTUNREACH, 0, 1, 0}, {EPERM, 0, 0, 1}, {EINVAL, 0, 0, 1}};
  uint8_t frame[SIZE] = {[12] = 0x08, [14] = 0x45};
  for (unsigned i = 0; i < sizeof by / sizeof *by; i++) {
    uplink *u = opened(spec);
    if (!u) return;
    refusal = by[i].error;
    EQ(u->send(u, frame, SIZE), true);
    EQ(u->n.oversized, by[i].oversized);
    EQ(u->n.refused, by[i].refused);
    EQ(u->n.unsent, by[i].unsent);
    EQ(u->n.out, 0);
    refusal = 0;
    u->close(u);
  }
}

/* Two ports of this machine that are free. */
static const char *frames_spec(char *text) {
  unsigned port[2];
  int fd[2];
  for (unsigned i = 0; i < 2; i++) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof a;
    fd[i] = socket(AF_INET, SOCK_DGRAM, 0);
    EQ(bind(fd[i], (struct sockaddr *)&a, n), 0);
    EQ(getsockname(fd[i], (struct sockaddr *)&a, &n), 0);
    port[i] = ntohs(a.sin_port);
  }
  close(fd[0]), close(fd[1]);
  sprintf(text, "frames,local=127.0.0.1:%u,remote=127.0.0.1:%u", port[0], port[1]);
  return text;
}

/* Questions come faster than answers may leave: those who wait do not fill this machine's memory. */
static void asked_much(const char *by_path) {
  enum { QUESTIONS = 20000, MOST = 5000 };
  static const uint8_t arp[60] = {2, 0, 0, 0, 0, 1, 2, 9, 9, 9, 9, 9, 8, 6, 0,         1,  8, 0,
                                  6, 4, 0, 1, 2, 9, 9, 9, 9, 9, 1, 1, 1, 1, [38] = 10, 84, 0, 1};
  char slow_[200], why[LINK_WHY];
  wire *l;
  toc_link_count c = {0};
  snprintf(slow_, sizeof slow_, "%s,rate=1", by_path);
  IS(toc_i_wire_new(&(toc_options){.nodes = 1, .seed = 1, .link = slow_}, &l, why), TOC_OK);
  if (!l) return;
  toc_i_wire_reg(l, 0, 0x100000 + NIC_REG_NIC_MAC, 8, 0x020000000001);
  toc_i_wire_reg(l, 0, 0x100000 + NIC_REG_NIC_IP, 8, 0x0a540001);
  question = arp, question_bytes = sizeof arp, error = 0, takes = 0;
  while (takes < QUESTIONS) CHECK(toc_i_wire_pump(l, 0));
  toc_i_wire_count(l, &c);
  CHECK(c.arp > 1000 && c.arp < MOST);
  EQ(c.arp + c.unsent, takes);
  EQ(c.out, 0);
  question = NULL;
  toc_i_wire_free(l);
}

int main(int argc, char **argv) {
  char by_path[100], by_port[100];
  scene_options(argc, argv);
  floods("udp,local=127.0.0.1:0");
  snprintf(by_path, sizeof by_path, "frames,local=unix:/tmp/tocsin-uplink-%d,remote=unix:/tmp/none", (int)getpid());
  floods(by_path);
  paced(1);
  paced(3);
  paced(7);
  paced(200);
  held();
  refuses("udp,local=127.0.0.1:0");
  refuses(by_path);
  refuses(frames_spec(by_port));
  asked_much(by_path);
  return report();
}
