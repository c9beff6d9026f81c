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
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "frames.h"

enum { WHY = 160, SPEC = 400, QUEUE_BYTES = 4 << 20 };

struct uplink {
  int fd;
  bool tap, local; /* local: of the UNIX kind */
  unsigned rate;   /* Mbit/s, 0: any */
  struct sockaddr_un from, to;
  toc_link_count n;
};

typedef struct parts { /* of a spec */
  char text[SPEC];
  const char *local, *remote, *tap, *rate;
} parts;

#define SAY(status, ...) (snprintf(why, WHY, __VA_ARGS__), (status))

static toc_status parse(const char *spec, parts *p, char *why) {
  *p = (parts){0};
  const struct {
    const char *key, **at;
  } of[] = {{"local", &p->local}, {"remote", &p->remote}, {"tap", &p->tap}, {"rate", &p->rate}};
  if (strlen(spec) >= SPEC) return SAY(TOC_E_ARG, "link: longer than %d characters", SPEC);
  strcpy(p->text, spec);
  char *save, *word = strtok_r(p->text, ",", &save);
  if (!word || strcmp(word, "frames")) return SAY(TOC_E_ARG, "link '%.60s': only frames,... is known", spec);
  while ((word = strtok_r(NULL, ",", &save)) != NULL) {
    char *value = strchr(word, '=');
    const char **at = NULL;
    if (value) {
      *value++ = 0;
      for (unsigned i = 0; i < 4; i++)
        if (!strcmp(word, of[i].key)) at = of[i].at;
    }
    if (!at || *at || !*value)
      return SAY(TOC_E_ARG, "link: '%.40s' is not local=, remote=, tap= or rate= with a value, once", word);
    *at = value;
  }
  if (p->tap ? p->local || p->remote : !p->local || !p->remote)
    return SAY(TOC_E_ARG, "link: it is frames,local=ADDRESS,remote=ADDRESS or frames,tap=NAME");
  if (p->rate && (p->rate[strspn(p->rate, "0123456789")] || strlen(p->rate) > 6 || !strtoul(p->rate, NULL, 10)))
    return SAY(TOC_E_ARG, "link: bad rate '%.20s'; it is Mbit/s, 1 to 999999", p->rate);
  return TOC_OK;
}

// ---- UDP: 127.0.0.1:7000 or [::1]:7000
static toc_status resolve(const char *text, struct addrinfo **a, char *why) {
  char hostname[64] = "";
  const char *colon = strrchr(text, ':');
  struct addrinfo hint = {
      .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
  size_t n = colon ? (size_t)(colon - text) : 0;
  bool bracket = n > 2 && text[0] == '[' && text[n - 1] == ']';
  long port = colon ? strtol(colon + 1, NULL, 10) : 0;
  if (n && n < sizeof hostname) memcpy(hostname, text + bracket, n - 2 * bracket);
  if (!*hostname || port < 1 || port > 65535 || getaddrinfo(hostname, colon + 1, &hint, a))
    return SAY(TOC_E_ARG, "link: bad address '%.60s'; it is IP:PORT with numbers, or unix:PATH", text);
  return TOC_OK;
}

static toc_status refused(const char *what, const char *text, char *why) {
  int e = errno;
  if (e == EADDRINUSE) return SAY(TOC_E_IN_USE, "link: the address %.60s is in use", text);
  if (e == EADDRNOTAVAIL && *what == 'l') return SAY(TOC_E_ARG, "link: the address %.60s is not this machine's", text);
  return SAY(TOC_E_IO, "link: %s %.60s: %s", what, text, strerror(e));
}

/* Connected, so that what others send is not taken, and a closed port is told. */
static toc_status udp(uplink *u, const parts *p, char *why) {
  struct addrinfo *from = NULL, *to = NULL;
  toc_status s = resolve(p->local, &from, why);
  if (s == TOC_OK) s = resolve(p->remote, &to, why);
  if (s == TOC_OK && from->ai_family != to->ai_family)
    s = SAY(TOC_E_ARG, "link: %.60s and %.60s are of two kinds", p->local, p->remote);
  if (s == TOC_OK) {
    u->fd = socket(from->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (u->fd < 0)
      s = refused("socket for", p->local, why);
    else if (bind(u->fd, from->ai_addr, from->ai_addrlen))
      s = refused("local address", p->local, why);
    else if (connect(u->fd, to->ai_addr, to->ai_addrlen))
      s = refused("peer unreachable:", p->remote, why);
  }
  if (from) freeaddrinfo(from);
  if (to) freeaddrinfo(to);
  return s;
}

// ---- UNIX: unix:/some/path. The peer may come later.
static toc_status unix_address(const char *text, struct sockaddr_un *a, char *why) {
  *a = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strncmp(text, "unix:", 5) || !text[5] || strlen(text + 5) >= sizeof a->sun_path)
    return SAY(TOC_E_ARG, "link: bad address '%.60s'; both are unix:PATH, of up to %zu characters", text,
               sizeof a->sun_path - 1);
  strcpy(a->sun_path, text + 5);
  return TOC_OK;
}

static toc_status by_path(uplink *u, const parts *p, char *why) {
  struct sockaddr_un from;
  toc_status s = unix_address(p->local, &from, why);
  if (s == TOC_OK) s = unix_address(p->remote, &u->to, why);
  if (s != TOC_OK) return s;
  u->local = true;
  u->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (u->fd < 0) return refused("socket for", p->local, why);
  if (bind(u->fd, (struct sockaddr *)&from, sizeof from)) return refused("local address", p->local, why);
  u->from = from; /* ours to take away */
  return TOC_OK;
}

// ---- TAP
static toc_status tap(uplink *u, const parts *p, char *why) {
  struct ifreq r = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  if (strlen(p->tap) >= sizeof r.ifr_name) return SAY(TOC_E_ARG, "link: bad name of a TAP device '%.60s'", p->tap);
  strcpy(r.ifr_name, p->tap);
  u->tap = true;
  u->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (u->fd < 0)
    return SAY(TOC_E_IO, "link: TAP needs /dev/net/tun: %s; root has it, or a device prepared for this user",
               strerror(errno));
  if (!ioctl(u->fd, TUNSETIFF, &r)) return TOC_OK;
  if (errno == EBUSY) return SAY(TOC_E_IN_USE, "link: the TAP device %s is in use", p->tap);
  return SAY(TOC_E_IO, "link: TAP device %s: %s; root may open it, or `ip tuntap add %s mode tap user ...` prepares it",
             p->tap, strerror(errno), p->tap);
}

// ---- life
toc_status toc_i_uplink_open(const char *spec, uplink **out, char *why) {
  parts p;
  *out = NULL;
  toc_status s = parse(spec, &p, why);
  if (s != TOC_OK) return s;
  uplink *u = calloc(1, sizeof *u);
  if (!u) return SAY(TOC_E_NOMEM, "no memory");
  u->fd = -1;
  u->rate = p.rate ? (unsigned)strtoul(p.rate, NULL, 10) : 0;
  bool paths = p.local && (!strncmp(p.local, "unix:", 5) || !strncmp(p.remote, "unix:", 5));
  s = p.tap ? tap(u, &p, why) : paths ? by_path(u, &p, why) : udp(u, &p, why);
  if (s != TOC_OK) {
    toc_i_uplink_close(u);
    return s;
  }
  int bytes = QUEUE_BYTES; /* bursts; less than asked for is no failure */
  if (!u->tap && setsockopt(u->fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes))
    (void)setsockopt(u->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  if (!u->tap && setsockopt(u->fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes))
    (void)setsockopt(u->fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  *out = u;
  return TOC_OK;
}

void toc_i_uplink_close(uplink *u) {
  if (!u) return;
  if (u->fd >= 0) close(u->fd);
  if (u->from.sun_path[0]) unlink(u->from.sun_path);
  free(u);
}

int toc_i_uplink_fd(const uplink *u) { return u->fd; }

uint64_t toc_i_uplink_ns(const uplink *u, size_t n) { return u->rate ? 8000 * (uint64_t)n / u->rate : 0; }

toc_link_count *toc_i_uplink_count(uplink *u) { return &u->n; }

// ---- frames
static ssize_t give(const uplink *u, const uint8_t *bytes, size_t n) {
  if (u->tap) return write(u->fd, bytes, n);
  if (!u->local) return send(u->fd, bytes, n, MSG_NOSIGNAL);
  return sendto(u->fd, bytes, n, MSG_NOSIGNAL, (const struct sockaddr *)&u->to, sizeof u->to);
}

/* A refusal of UDP is that of an earlier frame, and this one has not been sent for it; of UNIX it is this one's. */
bool toc_i_uplink_send(uplink *u, const uint8_t *bytes, size_t n) {
  ssize_t k = -1;
  for (unsigned turn = 0; turn < 3; turn++) {
    k = give(u, bytes, n);
    if (k >= 0 || (errno != ECONNREFUSED && errno != EINTR)) break;
    if (errno == ECONNREFUSED) u->n.refused++;
    if (errno == ECONNREFUSED && u->local) return true;
  }
  if (k >= 0) {
    u->n.out++;
    return true;
  }
  if (errno == EAGAIN || errno == ENOBUFS) return false;
  if (errno == EMSGSIZE)
    u->n.oversized++;
  else if (errno == ENOENT)
    u->n.refused++;
  else if (errno != ECONNREFUSED)
    u->n.unsent++;
  return true;
}

size_t toc_i_uplink_take(uplink *u, uint8_t *bytes) {
  static const size_t most = FRAME_BYTES;
  uint8_t more;
  for (;;) {
    struct iovec v[2] = {{bytes, most}, {&more, 1}}; /* one byte more than a frame has is too long */
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    ssize_t n = u->tap ? readv(u->fd, v, 2) : recvmsg(u->fd, &m, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == ECONNREFUSED) {
      u->n.refused++;
      continue;
    }
    if (n < 0) return 0;
    if ((size_t)n > most)
      u->n.oversized++;
    else if (n < 14)
      u->n.dropped++;
    else
      return (size_t)n;
  }
}
