// SPDX-License-Identifier: Apache-2.0
// The way out of the process with a system that this test plays: a flood of what is no frame, errors that do not end,
// and a clock that moves by a microsecond at each look, for frames that may leave at so many bits a second.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "frames.h"
#include "internal.h"
#include "scene.h"

enum { MANY = 1000000, SIZE = 1000 };

static unsigned takes, sends, error;
static uint64_t now_ns;

/* Seven bytes are no packet; so it goes on for a million of them. */
ssize_t recvmsg(int fd, struct msghdr *m, int flags) {
  (void)fd;
  m->msg_controllen = 0;
  errno = EAGAIN;
  if (flags & MSG_ERRQUEUE || takes++ == MANY) return -1;
  errno = (int)error;
  return error ? -1 : 7;
}

ssize_t sendto(int fd, const void *bytes, size_t n, int flags, __CONST_SOCKADDR_ARG to, socklen_t k) {
  (void)fd, (void)bytes, (void)flags, (void)to, (void)k;
  sends++;
  return (ssize_t)n;
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

int main(int argc, char **argv) {
  char by_path[100];
  scene_options(argc, argv);
  floods("udp,local=127.0.0.1:0");
  snprintf(by_path, sizeof by_path, "frames,local=unix:/tmp/tocsin-uplink-%d,remote=unix:/tmp/none", (int)getpid());
  floods(by_path);
  paced(1);
  paced(3);
  paced(7);
  paced(200);
  return report();
}
