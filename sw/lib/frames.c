// SPDX-License-Identifier: Apache-2.0
// The way out of the process: one whole Ethernet frame a datagram, as QEMU's `-netdev dgram` has it, or a TAP device.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "frames.h"
#include "internal.h"

typedef struct frames {
  uplink up;
  bool tap, local; /* local: of the UNIX kind */
  unsigned rate;   /* Mbit/s, 0: any */
  struct sockaddr_un from, to;
} frames;

enum { LOCAL, REMOTE, TAP, RATE };

typedef struct parts { /* of a spec */
  char text[LINK_SPEC];
  const char *local, *remote, *tap;
  unsigned rate;
} parts;

static toc_status parse(const char *spec, parts *p, char *why) {
  link_key of[LINK_KEYS] = {[LOCAL] = {"local", NULL}, {"remote", NULL}, {"tap", NULL}, {"rate", NULL}};
  *p = (parts){0};
  TRY(toc_i_link_parse(spec, p->text, of, why));
  p->local = of[LOCAL].value;
  p->remote = of[REMOTE].value;
  p->tap = of[TAP].value;
  if (p->tap ? p->local || p->remote : !p->local || !p->remote)
    return SAY(TOC_E_ARG, "link: it is frames,local=ADDRESS,remote=ADDRESS or frames,tap=NAME");
  return toc_i_link_rate(of[RATE].value, &p->rate, why);
}

// ---- UDP
/* Connected, so that what others send is not taken, and a closed port is told. */
static toc_status udp(frames *u, const parts *p, char *why) {
  struct addrinfo *from = NULL, *to = NULL;
  toc_status s = toc_i_link_resolve(p->local, 0, &from, why);
  if (s == TOC_OK) s = toc_i_link_resolve(p->remote, 0, &to, why);
  if (s == TOC_OK && from->ai_family != to->ai_family)
    s = SAY(TOC_E_ARG, "link: %.60s and %.60s are of two kinds", p->local, p->remote);
  if (s == TOC_OK) {
    u->up.fd = socket(from->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (u->up.fd < 0)
      s = toc_i_link_refused("socket for", p->local, why);
    else if (bind(u->up.fd, from->ai_addr, from->ai_addrlen))
      s = toc_i_link_refused("local address", p->local, why);
    else if (connect(u->up.fd, to->ai_addr, to->ai_addrlen))
      s = toc_i_link_refused("peer unreachable:", p->remote, why);
  }
  if (from) freeaddrinfo(from);
  if (to) freeaddrinfo(to);
  return s;
}

// ---- UNIX: unix:/some/path. The peer may come later.
/* A program that ended without toc_close left its socket there, and nobody listens. */
static bool left_behind(int fd, const struct sockaddr_un *a) {
  struct stat st;
  return !lstat(a->sun_path, &st) && S_ISSOCK(st.st_mode) && connect(fd, (const struct sockaddr *)a, sizeof *a) &&
         errno == ECONNREFUSED && !unlink(a->sun_path);
}

static toc_status unix_address(const char *text, struct sockaddr_un *a, char *why) {
  *a = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strncmp(text, "unix:", 5) || !text[5] || strlen(text + 5) >= sizeof a->sun_path)
    return SAY(TOC_E_ARG, "link: bad address '%.60s'; both are unix:PATH, of up to %zu characters", text,
               sizeof a->sun_path - 1);
  strcpy(a->sun_path, text + 5);
  return TOC_OK;
}

static toc_status by_path(frames *u, const parts *p, char *why) {
  struct sockaddr_un from;
  toc_status s = unix_address(p->local, &from, why);
  if (s == TOC_OK) s = unix_address(p->remote, &u->to, why);
  if (s != TOC_OK) return s;
  u->local = true;
  u->up.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (u->up.fd < 0) return toc_i_link_refused("socket for", p->local, why);
  int refused = bind(u->up.fd, (struct sockaddr *)&from, sizeof from) ? errno : 0;
  if (refused == EADDRINUSE && left_behind(u->up.fd, &from))
    refused = bind(u->up.fd, (struct sockaddr *)&from, sizeof from) ? errno : 0;
  errno = refused;
  if (refused) return toc_i_link_refused("local address", p->local, why);
  u->from = from; /* ours to take away */
  return TOC_OK;
}

// ---- TAP
static toc_status tap(frames *u, const parts *p, char *why) {
  struct ifreq r = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  if (strlen(p->tap) >= sizeof r.ifr_name) return SAY(TOC_E_ARG, "link: bad name of a TAP device '%.60s'", p->tap);
  strcpy(r.ifr_name, p->tap);
  u->tap = true;
  u->up.fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (u->up.fd < 0)
    return SAY(TOC_E_IO, "link: TAP needs /dev/net/tun: %s; root has it, or a device prepared for this user",
               strerror(errno));
  if (!ioctl(u->up.fd, TUNSETIFF, &r)) return TOC_OK;
  if (errno == EBUSY) return SAY(TOC_E_IN_USE, "link: the TAP device %s is in use", p->tap);
  return SAY(TOC_E_IO, "link: TAP device %s: %s; root may open it, or `ip tuntap add %s mode tap user ...` prepares it",
             p->tap, strerror(errno), p->tap);
}

// ---- frames
static ssize_t give(const frames *u, const uint8_t *bytes, size_t n) {
  if (u->tap) return write(u->up.fd, bytes, n);
  if (!u->local) return send(u->up.fd, bytes, n, MSG_NOSIGNAL);
  return sendto(u->up.fd, bytes, n, MSG_NOSIGNAL, (const struct sockaddr *)&u->to, sizeof u->to);
}

/* What a peer, or a machine on the way, has said of an earlier datagram. */
static bool told(int e) { return e == ECONNREFUSED || e == ENOPROTOOPT; }

/* A refusal of UDP is that of an earlier frame, and this one has not been sent for it; of UNIX it is this one's. */
static bool send_frame(uplink *up, const uint8_t *bytes, size_t n) {
  frames *u = (frames *)up;
  ssize_t k = -1;
  for (unsigned turn = 0; turn < 3; turn++) {
    k = give(u, bytes, n);
    if (k >= 0 || (!told(errno) && errno != EINTR)) break;
    if (told(errno)) u->up.n.refused++;
    if (told(errno) && u->local) return true;
  }
  if (k >= 0) {
    u->up.n.out++;
    return true;
  }
  if (errno == EAGAIN || errno == ENOBUFS) return false;
  if (errno == EMSGSIZE)
    u->up.n.oversized++;
  else if (errno == ENOENT || errno == EHOSTUNREACH || errno == ENETUNREACH)
    u->up.n.refused++;
  else if (!told(errno))
    u->up.n.unsent++;
  return true;
}

static size_t take_frame(uplink *up, uint8_t *bytes) {
  frames *u = (frames *)up;
  static const size_t most = FRAME_BYTES;
  uint8_t more;
  for (unsigned look = 0; look < FRAME_LOOKS; look++) {
    struct iovec v[2] = {{bytes, most}, {&more, 1}}; /* one byte more than a frame has is too long */
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    ssize_t n = u->tap ? readv(u->up.fd, v, 2) : recvmsg(u->up.fd, &m, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && told(errno)) {
      u->up.n.refused++;
      continue;
    }
    if (n < 0 && errno == EBADFD) { /* the device was removed: it would say so at once to who waits for a frame */
      close(u->up.fd);
      u->up.fd = -1;
    }
    if (n < 0) return 0;
    if ((size_t)n > most)
      u->up.n.oversized++;
    else if (n < 14)
      u->up.n.dropped++;
    else
      return (size_t)n;
  }
  return 0;
}

// ---- life
static void shut(uplink *up) {
  frames *u = (frames *)up;
  if (up->fd >= 0) close(up->fd);
  if (u->from.sun_path[0]) unlink(u->from.sun_path);
  free(u);
}

static uint64_t takes_ns(const uplink *up, size_t n) {
  const frames *u = (const frames *)up;
  return u->rate ? 8000 * (uint64_t)n / u->rate : 0;
}

toc_status toc_i_frames_open(const char *spec, uplink **out, char *why) {
  parts p;
  TRY(parse(spec, &p, why));
  frames *u = calloc(1, sizeof *u);
  if (!u) return SAY(TOC_E_NOMEM, "no memory");
  u->up = (uplink){.fd = -1, .close = shut, .ns = takes_ns, .send = send_frame, .take = take_frame};
  u->rate = p.rate;
  bool paths = p.local && (!strncmp(p.local, "unix:", 5) || !strncmp(p.remote, "unix:", 5));
  toc_status s = p.tap ? tap(u, &p, why) : paths ? by_path(u, &p, why) : udp(u, &p, why);
  if (s != TOC_OK) {
    shut(&u->up);
    return s;
  }
  if (!u->tap) toc_i_link_buffers(u->up.fd);
  *out = &u->up;
  return TOC_OK;
}
