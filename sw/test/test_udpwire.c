// SPDX-License-Identifier: Apache-2.0
// link=udp on the wire: a network of this test's own (a name space, which most systems give to anybody), in which every
// packet is captured and its ICRC computed anew, bit by bit, from what the kernel has sent; paths that are narrow;
// peers that are no link=udp.
#define _GNU_SOURCE
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>

#include "tocsin/nic_frame.h"
#include "tocsin/nic_regs.h"
#include "udp_ends.h"

enum { MOST = 70000, CAPTURE = 64 << 20 };

// ---- a network of our own
static int lo_mtu(int mtu) {
  struct ifreq r = {.ifr_name = "lo", .ifr_mtu = mtu};
  int fd = socket(AF_INET, SOCK_DGRAM, 0), bad = ioctl(fd, SIOCSIFMTU, &r);
  close(fd);
  return bad;
}

static const char *own_network(void) {
  struct ifreq r = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  if (unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNET : CLONE_NEWNET)) return strerror(errno);
  int fd = socket(AF_INET, SOCK_DGRAM, 0), bad = ioctl(fd, SIOCSIFFLAGS, &r);
  close(fd);
  return bad ? strerror(errno) : NULL;
}

// ---- what is on it
typedef struct seen {
  unsigned v4, v6, marked, long_most;
} seen;

static int listen_to_all(void) {
  int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL)), room = CAPTURE;
  if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room))
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  return fd;
}

/* Over 8 bytes of ones, and what is not changed on the way, as it is. */
static uint32_t crc_of(const uint8_t *ip, size_t n, const uint8_t *ones) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < 8 + n; i++) {
    uint8_t byte = i < 8 ? 0xff : ip[i - 8];
    for (const uint8_t *o = ones; i >= 8 && *o != 0xff; o++)
      if (*o == i - 8) byte = 0xff;
    for (unsigned k = 0; k < 8; k++) crc = crc >> 1 ^ ((crc ^ (uint32_t)byte >> k) & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

static uint32_t le32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void judge4(const uint8_t *ip, size_t n, seen *s) {
  static const uint8_t ones[] = {1, 8, 10, 11, 26, 27, 32, 0xff};
  if (ip[9] != 17) return;
  s->v4++;
  if (n > s->long_most) s->long_most = (unsigned)n;
  EQ(ip[0], 0x45);
  EQ(ip[2] << 8 | ip[3], n);
  EQ(ip[4] | ip[5], 0); /* the identification that the ICRC was made with */
  EQ(ip[6], 0x40);      /* DF */
  EQ(ip[7], 0);
  s->marked += ip[1] != 0;
  EQ(crc_of(ip, n - 4, ones), le32(ip + n - 4));
}

static void judge6(const uint8_t *ip, size_t n, seen *s) {
  uint8_t b[MOST];
  static const uint8_t ones[] = {1, 2, 3, 7, 46, 47, 52, 0xff};
  if (ip[6] != 17) return;
  memcpy(b, ip, n);
  b[0] |= 0x0f;
  s->v6++;
  s->marked += (ip[0] & 15) || ip[1] >> 4;
  EQ(40 + (ip[4] << 8 | ip[5]), n);
  EQ(crc_of(b, n - 4, ones), le32(ip + n - 4));
}

static seen judge(int fd) {
  seen s = {0};
  uint8_t b[MOST];
  struct tpacket_stats lost;
  socklen_t k = sizeof lost;
  for (ssize_t n; (n = recv(fd, b, sizeof b, 0)) > 14 && !failed;) {
    unsigned type = (unsigned)(b[12] << 8 | b[13]);
    if (type == ETH_P_IP) judge4(b + 14, (size_t)n - 14, &s);
    if (type == ETH_P_IPV6) judge6(b + 14, (size_t)n - 14, &s);
  }
  EQ(getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &lost, &k), 0);
  EQ(lost.tp_drops, 0);
  return s;
}

// ---- two nodes
static bool pair(udp_end *x, udp_end *y, const char *a, const char *b, const toc_qp_options *qo) {
  if (!udp_end_open(x, &(toc_options){.link = a}, qo) ||
      !udp_end_open(y, &(toc_options){.link = b, .seed = seed + 1}, qo))
    return false;
  udp_end_serves(y);
  x->its = y->card;
  y->its = x->card;
  OK(toc_qp_connect(x->q, &x->its.here));
  OK(toc_qp_connect(y->q, &y->its.here));
  return true;
}

static void wire(const char *a, const char *b, uint8_t tos) {
  udp_end x, y;
  int fd = listen_to_all();
  if (!pair(&x, &y, a, b, NULL)) return;
  OK(toc_reg_write(toc_node_at(x.f, 0), 0x100000 + NIC_REG_NIC_IP, 8,
                   x.card.here.ip | (uint64_t)tos << NIC_NIC_IP_TOS_LSB));
  udp_served(&y, udp_exercise(&x, scene_few(40)));
  toc_link_count c;
  toc_link_counts(x.f, &c);
  toc_close(x.f);
  toc_close(y.f);
  seen s = judge(fd);
  EQ(s.v4 + s.v6 > 2 * c.out, 1); /* each is seen as it leaves and as it arrives */
  EQ(s.v6 > 0, a[10] == '[');
  EQ(s.marked > 0, tos > 0);
  close(fd);
}

static void on_the_wire(void) {
  wire("udp,local=127.0.0.1", "udp,local=127.0.0.2", 0);
  wire("udp,local=127.0.0.1:4792", "udp,local=127.0.0.1", 0x0a);
  wire("udp,local=127.0.0.1:5000", "udp,local=127.0.0.2:5001", 0);
  if (udp_has_ip6()) {
    wire("udp,local=[::1]", "udp,local=[::1]:4792", 0);
    wire("udp,local=[::1]:5000", "udp,local=[::1]:5001", 0x02);
  } else {
    puts("skipped in part: IPv6: this network has no ::1");
  }
}

// ---- narrow paths
static void narrow(void) {
  udp_end x, y;
  toc_req r;
  toc_link_count c;
  int fd = listen_to_all();
  EQ(lo_mtu(700), 0);
  if (!pair(&x, &y, "udp,local=127.0.0.1", "udp,local=127.0.0.2", &(toc_qp_options){.timeout_us = 60000})) return;
  udp_served(&y, udp_exercise(&x, scene_few(40)));
  seen s = judge(fd);
  EQ(s.long_most > 512 && s.long_most <= 700, 1);
  EQ(lo_mtu(400), 0); /* it becomes narrower */
  OK(toc_put(x.q, x.mem, x.its.mem, 5000, &r));
  IS(toc_wait(r, UDP_FOREVER), TOC_E_PEER_GONE);
  if (!strstr(toc_why(), "longer than the path takes")) puts(toc_why());
  EQ(strstr(toc_why(), "longer than the path takes") != NULL, 1);
  toc_link_counts(x.f, &c);
  EQ(c.oversized > 0, 1);
  toc_close(x.f);
  toc_close(y.f);
  close(fd);
  if (!udp_end_open(&x, &(toc_options){.link = "udp,local=127.0.0.1"}, &(toc_qp_options){.mtu = 512})) return;
  IS(toc_qp_connect(x.q, &(toc_address){.ip = INADDR_LOOPBACK + 1, .qp = 1}), TOC_E_SUPPORT);
  EQ(strstr(toc_why(), "mtu 512 have 588 bytes from IP on, the path takes 400") != NULL, 1);
  EQ(lo_mtu(588), 0);
  OK(toc_qp_connect(x.q, &(toc_address){.ip = INADDR_LOOPBACK + 1, .qp = 1}));
  EQ(lo_mtu(300), 0);
  toc_qp *q;
  OK(toc_qp_open(x.p, NULL, &q));
  IS(toc_qp_connect(q, &(toc_address){.ip = INADDR_LOOPBACK + 1, .qp = 1}), TOC_E_SUPPORT);
  EQ(strstr(toc_why(), "mtu 256") != NULL, 1);
  toc_close(x.f);
  EQ(lo_mtu(65536), 0);
}

// ---- a peer that is no link=udp: it counts its packets in IP's identification, sends from any port,
// and is sent to at 4791
static uint8_t heard_tos;

static void hear(void *ctx, const toc_seen *s) {
  (void)ctx;
  if (s->kind == TOC_SEEN_FRAME_IN) __atomic_store_n(&heard_tos, s->data[15], __ATOMIC_RELEASE);
}

static int bound(uint32_t ip, unsigned port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(ip)}, .sin_port = htons((uint16_t)port)};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  EQ(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
  return fd;
}

/* A write of v, whose ICRC is that of this identification and these flags. */
static void foreign_put(int fd, const udp_end *e, uint32_t psn, uint64_t v, unsigned id, uint8_t flags,
                        uint32_t wrong) {
  static const uint8_t ones[] = {1, 8, 10, 11, 26, 27, 32, 0xff};
  uint8_t b[68] = {0x45, 0, 0, 68, (uint8_t)(id >> 8), (uint8_t)id, flags,     0,          9, 17, 0, 0, 127, 0, 0, 9,
                   127,  0, 0, 1,  50000 >> 8,         50000 & 255, 4791 >> 8, 4791 & 255, 0, 48, 0, 0},
          *p = b + 28;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(4791), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  udp_write8(p, e->card.here.qp, psn, e->card.mem, v);
  uint32_t crc = crc_of(b, 64, ones) ^ wrong;
  for (unsigned i = 0; i < 4; i++) p[36 + i] = (uint8_t)(crc >> 8 * i);
  EQ(sendto(fd, p, 40, 0, (struct sockaddr *)&to, sizeof to), 40);
}

static void foreign(void) {
  udp_end e;
  uint8_t ack[100];
  uint32_t psn = 0xfffffe;
  uint64_t bad = 0;
  unsigned cnps = 0;
  ssize_t n;
  int from = bound(0x7f000009, 50000), at = bound(0x7f000009, 4791), ce = 3;
  if (!udp_end_open(&e, &(toc_options){.link = "udp,local=127.0.0.1"}, NULL)) return;
  OK(toc_qp_connect(e.q, &(toc_address){.mac = 0x020000000009, .ip = 0x7f000009, .qp = 0x22, .psn = psn}));
  toc_listen(e.f, hear, NULL);
  const struct {
    unsigned id;
    uint8_t flags;
  } of[] = {{0, 0x40}, {1, 0x40}, {0x8000, 0x40}, {0xffff, 0x40}, {0x1234, 0}, {0, 0}};
  for (unsigned i = 0; i < sizeof of / sizeof *of && !failed; i++, psn = (psn + 1) & 0xffffff) {
    struct pollfd q = {.fd = at, .events = POLLIN};
    if (i == 1) EQ(setsockopt(from, IPPROTO_IP, IP_TOS, &ce, sizeof ce), 0);
    foreign_put(from, &e, psn, 1000 + i, of[i].id, of[i].flags, 0);
    do { /* a mark is answered by a CNP as well, but not each */
      EQ(poll(&q, 1, -1), 1);
      n = recv(at, ack, sizeof ack, 0);
      cnps += n == 32 && ack[0] == 0x81;
    } while (n == 32 && ack[0] == 0x81);
    EQ(n, 20);
    EQ((uint32_t)ack[9] << 16 | (uint32_t)ack[10] << 8 | ack[11], psn);
    EQ(toc_load((uint64_t *)(void *)e.mem), 1000 + i);
    EQ(__atomic_load_n(&heard_tos, __ATOMIC_ACQUIRE), i ? 3 : 0); /* congestion is not hidden */
  }
  EQ(cnps > 0, 1);
  toc_listen(e.f, NULL, NULL);
  for (unsigned k = 0; k < 32 && !failed; k++) { /* what no identification explains */
    uint64_t v = 0;
    foreign_put(from, &e, psn, 0xbad, 7, 0x40, 1u << k);
    for (unsigned i = 0; i < 60000 && v != bad + 1; i++) {
      usleep(1000);
      OK(toc_count_nic(toc_node_at(e.f, 0), NIC_RX_ICRC, &v));
    }
    bad++;
  }
  EQ(toc_load((uint64_t *)(void *)e.mem), 1005);
  toc_close(e.f);
  close(from);
  close(at);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  const char *why = own_network();
  if (why) {
    printf("skipped: this system gives no network of one's own: %s\n", why);
    return 0;
  }
  on_the_wire();
  foreign();
  narrow();
  return report();
}
