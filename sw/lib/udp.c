// SPDX-License-Identifier: Apache-2.0
// link=udp: the node is a real endpoint of RoCEv2. What the NIC sends from BTH to ICRC is the payload of a datagram;
// Ethernet, IP and UDP are the kernel's (roce.c). The node's addresses are its socket's, and its MAC, which nobody
// sees, is 02 'U' 'D' 'P' and its port: so the peer's port comes to us in its toc_address, and goes with each frame
// from the NIC to here.
//
// The socket is not connected and never fragments: so Linux sends identification 0 and DF, as the NIC does
// and its ICRC has it.
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h>

#include "frames.h"
#include "internal.h"
#include "roce.h"

enum {
  ETH = 14,
  LEAST = 16,       /* BTH and ICRC */
  SKB_BYTES = 2304, /* what the kernel counts for a datagram of an MTU of 1024 */
  PAUSE_US = 5000   /* of a peer that its machine does not let run, and whose buffer takes the frames meanwhile */
};
enum { NUMBERS = 4096 }; /* of queue pairs that a node can have: by the low 12 bits */

typedef struct udp {
  uplink up;
  roce_end own;
  uint32_t scope;         /* of link-local addresses */
  int tos;                /* that the socket sends */
  uint64_t bytes_s;       /* how fast frames leave, 0: any */
  uint64_t burst, left;   /* bytes that may leave at once, that may now */
  uint64_t then;          /* ns; `left` is of that time */
  uint32_t overrun;       /* datagrams for which the socket had no room */
  uint16_t from[NUMBERS]; /* the port from which a queue pair's peer sends; 0: any */
  bool foreign[NUMBERS];  /* that peer is no link=udp */
} udp;

// ---- addresses
typedef union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_storage room;
} address;

static socklen_t address_of(const udp *u, const uint8_t *ip, uint16_t port, address *a) {
  memset(a, 0, sizeof *a);
  if (!u->own.v6) {
    a->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
    memcpy(&a->v4.sin_addr, ip, 4);
    return sizeof a->v4;
  }
  a->v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
  memcpy(&a->v6.sin6_addr, ip, 16);
  if (IN6_IS_ADDR_LINKLOCAL(&a->v6.sin6_addr)) a->v6.sin6_scope_id = u->scope;
  return sizeof a->v6;
}

static roce_end end_of(const udp *u, const address *a) {
  roce_end e = {.v6 = u->own.v6, .port = ntohs(u->own.v6 ? a->v6.sin6_port : a->v4.sin_port)};
  memcpy(e.ip, u->own.v6 ? (const void *)&a->v6.sin6_addr : (const void *)&a->v4.sin_addr, e.v6 ? 16 : 4);
  return e;
}

static bool is_ours(uint64_t mac) { return mac >> 16 == ROCE_MAC(0) >> 16; }

static uint16_t port_of(uint64_t mac) { return is_ours(mac) ? (uint16_t)mac : ROCE_PORT; }

static void who(const uplink *up, toc_address *a) {
  const udp *u = (const udp *)up;
  a->mac = ROCE_MAC(u->own.port);
  a->ip = u->own.v6 ? 0 : (uint32_t)(toc_i_be64(u->own.ip) >> 32);
  memset(a->ip6, 0, 16);
  if (u->own.v6) memcpy(a->ip6, u->own.ip, 16);
}

static void peer(uplink *up, uint32_t number, uint64_t mac) {
  udp *u = (udp *)up;
  u->foreign[number % NUMBERS] = !is_ours(mac);
  u->from[number % NUMBERS] = is_ours(mac) ? (uint16_t)mac : 0;
}

/* What the system knows of the way there; it learns of a narrow place when a packet did not fit it. */
static toc_status path(const uplink *up, const toc_address *to, uint32_t *bytes, char *why) {
  const udp *u = (const udp *)up;
  uint8_t ip[16];
  address a;
  int mtu = 0, fd;
  socklen_t n = sizeof mtu;
  if (to->vlan) return SAY(TOC_E_ARG, "link=udp has no 802.1Q tags; those of its interface are the system's");
  if (u->own.v6 == (to->ip != 0))
    return SAY(TOC_E_ARG, "the peer's address is of %s, link=udp of %s", to->ip ? "IPv4" : "IPv6",
               u->own.v6 ? "IPv6" : "IPv4");
  if (!port_of(to->mac)) return SAY(TOC_E_ARG, "the peer's mac says port 0, and none of link=udp has that");
  memcpy(ip, to->ip6, 16);
  if (!u->own.v6) toc_i_put_be(ip, 4, to->ip);
  fd = socket(u->own.v6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return SAY(TOC_E_IO, "no socket: %s", strerror(errno));
  socklen_t k = address_of(u, u->own.ip, 0, &a);
  bool good = !bind(fd, &a.any, k);
  k = address_of(u, ip, port_of(to->mac), &a);
  good = good && !connect(fd, &a.any, k) &&
         !getsockopt(fd, u->own.v6 ? IPPROTO_IPV6 : IPPROTO_IP, u->own.v6 ? IPV6_MTU : IP_MTU, &mtu, &n) && mtu > 0;
  int e = errno;
  close(fd);
  *bytes = (uint32_t)mtu;
  return good ? TOC_OK : SAY(TOC_E_IO, "no way to the peer's address: %s", strerror(e));
}

// ---- pacing: a buffer as large as ours takes what leaves while its owner does not run
static uint64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void pace(udp *u, unsigned rate) {
  int room = 0;
  socklen_t n = sizeof room;
  (void)getsockopt(u->up.fd, SOL_SOCKET, SO_RCVBUF, &room, &n);
  uint64_t fits = (uint64_t)(room > 0 ? room : 1 << 16) * 1024 / SKB_BYTES;
  u->bytes_s = rate ? rate * 125000ull : fits * 1000000 / PAUSE_US;
  u->burst = fits / 4 > FRAME_BYTES ? fits / 4 : FRAME_BYTES;
  u->left = u->burst;
  u->then = clock_ns();
}

/* What has passed since `then`, in whole bytes: who is asked often must not lose the parts of one. */
static void fill(udp *u) {
  const uint64_t s = 1000000000u, now = clock_ns(), ns = now - u->then, bytes = u->burst - u->left;
  if (ns > bytes * s / u->bytes_s) {
    u->left = u->burst;
    u->then = now;
    return;
  }
  const uint64_t more = ns * u->bytes_s / s;
  u->left += more;
  u->then += more * s / u->bytes_s;
}

static bool may_leave(udp *u, size_t n) {
  if (u->left < n) fill(u);
  return u->left >= n;
}

// ---- errors that the network tells: of frames that have left, so of none here
static void read_errors(udp *u) {
  char control[512];
  uint8_t byte;
  address a;
  for (unsigned i = 0; i < 64; i++) {
    struct iovec v = {&byte, 1};
    struct msghdr m = {.msg_name = &a,
                       .msg_namelen = sizeof a,
                       .msg_iov = &v,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    if (recvmsg(u->up.fd, &m, MSG_ERRQUEUE) < 0) return;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
      struct sock_extended_err e;
      bool is = u->own.v6 ? c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR
                          : c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR;
      if (!is || c->cmsg_len < CMSG_LEN(sizeof e)) continue;
      memcpy(&e, CMSG_DATA(c), sizeof e);
      if (e.ee_origin == SO_EE_ORIGIN_LOCAL) continue; /* its sendto has failed, and that is counted */
      ++*(e.ee_errno == EMSGSIZE ? &u->up.n.oversized : &u->up.n.refused);
    }
  }
}

// ---- out
/* TOS or traffic class: the byte behind the version, of IPv6 half a byte earlier. */
static void mark(udp *u, const uint8_t *ip) {
  const unsigned two = (unsigned)ip[0] << 8 | ip[1];
  int tos = (int)((u->own.v6 ? two >> 4 : two) & 0xff);
  if (tos == u->tos) return;
  if (!setsockopt(u->up.fd, u->own.v6 ? IPPROTO_IPV6 : IPPROTO_IP, u->own.v6 ? IPV6_TCLASS : IP_TOS, &tos, sizeof tos))
    u->tos = tos;
}

/* false: it could not leave now. What the system says of an earlier frame has not sent this one: so
 * it is asked again. */
static bool give(udp *u, const uint8_t *bytes, size_t n, const address *to, socklen_t k) {
  bool no_way = false;
  for (unsigned turn = 0; turn < 4; turn++) {
    if (sendto(u->up.fd, bytes, n, MSG_NOSIGNAL, &to->any, k) >= 0) {
      u->up.n.out++;
      return true;
    }
    int e = errno;
    if (e == EAGAIN || e == ENOBUFS) return false;
    read_errors(u);
    if (e == EMSGSIZE) {
      u->up.n.oversized++;
      return true;
    }
    no_way = e == EHOSTUNREACH || e == ENETUNREACH;
    if (e != ECONNREFUSED && e != EINTR && !no_way) break;
  }
  ++*(no_way ? &u->up.n.refused : &u->up.n.unsent);
  return true;
}

static bool send_frame(uplink *up, const uint8_t *bytes, size_t n) {
  udp *u = (udp *)up;
  uint8_t frame[FRAME_BYTES];
  address to;
  const size_t head = toc_i_roce_head(&u->own);
  if (n < head + LEAST || bytes[12] != (u->own.v6 ? 0x86 : 0x08)) { /* a NIC sends no such frame here */
    up->n.unsent++;
    return true;
  }
  if (!may_leave(u, n)) return false;
  memcpy(frame, bytes, n);
  uint8_t *ip = frame + ETH;
  uint16_t port = port_of(toc_i_be64(bytes) >> 16);
  socklen_t k = address_of(u, ip + (u->own.v6 ? 24 : 16), port, &to);
  mark(u, ip);
  toc_i_roce_sent(&u->own, frame, n, port);
  if (!give(u, frame + head, n - head, &to, k)) return false;
  u->left -= n;
  return true;
}

// ---- in
/* The queue pair that a packet names. */
static unsigned named(const uint8_t *bth) { return ((unsigned)bth[6] << 8 | bth[7]) % NUMBERS; }

/* Whether the peer of the queue pair that it names may send from there: others of its machine have other ports. */
static bool is_from(const udp *u, const uint8_t *bth, const address *from) {
  uint16_t its = u->from[named(bth)];
  return !its || its == end_of(u, from).port;
}

static void look_aside(udp *u, struct msghdr *m, uint8_t *tos) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
      uint32_t all;
      memcpy(&all, CMSG_DATA(c), sizeof all);
      u->up.n.lost += all - u->overrun;
      u->overrun = all;
    }
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) memcpy(tos, CMSG_DATA(c), 1);
    if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS) {
      int v;
      memcpy(&v, CMSG_DATA(c), sizeof v);
      *tos = (uint8_t)v;
    }
  }
}

static size_t take_frame(uplink *up, uint8_t *frame) {
  udp *u = (udp *)up;
  const size_t head = toc_i_roce_head(&u->own), most = FRAME_BYTES - head;
  uint8_t more, *bth = frame + head;
  char control[256];
  address from;
  for (unsigned look = 0; look < FRAME_LOOKS; look++) {
    struct iovec v[2] = {{bth, most}, {&more, 1}}; /* one byte more than a frame has is too long */
    struct msghdr m = {.msg_name = &from,
                       .msg_namelen = sizeof from,
                       .msg_iov = v,
                       .msg_iovlen = 2,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    ssize_t n = recvmsg(up->fd, &m, 0);
    uint8_t tos = 0;
    if (n < 0 && (errno == EAGAIN || errno == ENOTSOCK || errno == EBADF)) return 0;
    if (n < 0) { /* of a frame that has left */
      read_errors(u);
      continue;
    }
    look_aside(u, &m, &tos);
    if ((size_t)n > most) {
      up->n.oversized++;
    } else if (n < LEAST || n % 4 || !is_from(u, bth, &from)) {
      up->n.dropped++;
    } else {
      roce_end its = end_of(u, &from);
      toc_i_roce_came(&u->own, &its, tos, u->foreign[named(bth)], frame, (size_t)n);
      return head + (size_t)n;
    }
  }
  return 0;
}

// ---- life
static void shut(uplink *up) {
  if (up->fd >= 0) close(up->fd);
  free(up);
}

static uint64_t takes_ns(const uplink *up, size_t n) { /* the clock says when, not simulated time */
  (void)up;
  (void)n;
  return 0;
}

static void ask(const udp *u) {
  const int yes = 1;
  const int v4[][2] = {{IP_MTU_DISCOVER, IP_PMTUDISC_DO}, {IP_RECVERR, 1}, {IP_RECVTOS, 1}},
            v6[][2] = {
                {IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO}, {IPV6_RECVERR, 1}, {IPV6_RECVTCLASS, 1}, {IPV6_V6ONLY, 1}};
  for (unsigned i = 0; !u->own.v6 && i < sizeof v4 / sizeof *v4; i++)
    (void)setsockopt(u->up.fd, IPPROTO_IP, v4[i][0], &v4[i][1], sizeof(int));
  for (unsigned i = 0; u->own.v6 && i < sizeof v6 / sizeof *v6; i++)
    (void)setsockopt(u->up.fd, IPPROTO_IPV6, v6[i][0], &v6[i][1], sizeof(int));
  (void)setsockopt(u->up.fd, SOL_SOCKET, SO_RXQ_OVFL, &yes, sizeof yes);
}

/* Of a group, or of all in a network: the system lets us have it, and sends from another. */
static bool is_many(const address *a, socklen_t n) {
  if (a->any.sa_family == AF_INET6) return IN6_IS_ADDR_MULTICAST(&a->v6.sin6_addr);
  if (IN_MULTICAST(ntohl(a->v4.sin_addr.s_addr))) return true;
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool all = fd >= 0 && connect(fd, &a->any, n) && errno == EACCES;
  if (fd >= 0) close(fd);
  return all;
}

static toc_status bound(udp *u, const char *local, const struct addrinfo *from, char *why) {
  static const uint8_t none[16];
  address a = {0};
  socklen_t n = sizeof a;
  u->own.v6 = from->ai_family == AF_INET6;
  u->up.fd = socket(from->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (u->up.fd < 0) return toc_i_link_refused("socket for", local, why);
  ask(u);
  if (bind(u->up.fd, from->ai_addr, from->ai_addrlen)) return toc_i_link_refused("local address", local, why);
  if (getsockname(u->up.fd, &a.any, &n)) return toc_i_link_refused("socket for", local, why);
  u->own = end_of(u, &a);
  u->scope = u->own.v6 ? a.v6.sin6_scope_id : 0;
  if (!memcmp(u->own.ip, none, 16))
    return SAY(TOC_E_ARG, "link: %.60s is any address; the ICRC covers one of this machine's, so say which", local);
  if (is_many(&a, n)) return SAY(TOC_E_ARG, "link: %.60s is an address of many; a node has one of its own", local);
  return TOC_OK;
}

toc_status toc_i_udp_open(const char *spec, uplink **out, char *why) {
  char text[LINK_SPEC];
  link_key of[LINK_KEYS] = {{"local", NULL}, {"rate", NULL}};
  struct addrinfo *from = NULL;
  unsigned rate = 0;
  TRY(toc_i_link_parse(spec, text, of, why));
  TRY(toc_i_link_rate(of[1].value, &rate, why));
  if (!of[0].value)
    return SAY(TOC_E_ARG, "link: it is udp,local=ADDRESS, with :PORT behind it if that is not %d", ROCE_PORT);
  TRY(toc_i_link_resolve(of[0].value, ROCE_PORT, &from, why));
  udp *u = calloc(1, sizeof *u);
  toc_status s = u ? TOC_OK : SAY(TOC_E_NOMEM, "no memory");
  if (u) u->up = (uplink){-1, {0}, shut, takes_ns, send_frame, take_frame, who, path, peer};
  if (u) s = bound(u, of[0].value, from, why);
  freeaddrinfo(from);
  if (s != TOC_OK) {
    if (u) shut(&u->up);
    return s;
  }
  toc_i_link_buffers(u->up.fd);
  pace(u, rate);
  *out = &u->up;
  return TOC_OK;
}
