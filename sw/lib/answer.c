// SPDX-License-Identifier: Apache-2.0
// What a host's software answers so that its NIC can be found: ARP, ICMP echo, IPv6 neighbour discovery and ICMPv6
// echo. A tag of 802.1Q stays in front of the answer.
//
// A frame is looked at as a network stack does: nothing is believed that does not lie within its bytes, checksums must
// be right, and fragments are nobody's question.
#include <string.h>

#include "frames.h"

enum {
  ETH = 14,
  TAG = 4,
  TYPE_IP4 = 0x0800,
  TYPE_ARP = 0x0806,
  TYPE_TAG = 0x8100,
  TYPE_IP6 = 0x86dd,
  PROTO_ICMP = 1,
  PROTO_UDP = 17,
  PROTO_ICMP6 = 58,
  ROCE_PORT = 4791,
  ARP_BYTES = 28,
  IP6_BYTES = 40,
  NS_BYTES = 24,
  NA_BYTES = 32
};

static unsigned be16(const uint8_t *p) { return (unsigned)(p[0] << 8 | p[1]); }

static uint64_t be(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v = v << 8 | p[i];
  return v;
}

/* Of the Internet: the complement of the sum of words; `sum` is what is in it already. */
static uint32_t sum16(const uint8_t *p, size_t n, uint32_t sum) {
  for (size_t i = 0; i + 1 < n; i += 2) sum += be16(p + i);
  return n % 2 ? sum + ((uint32_t)p[n - 1] << 8) : sum;
}

static uint16_t folded(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

uint16_t toc_i_ip4_sum(const uint8_t *ip) { return folded(sum16(ip, 20, 0)); }

/* ICMPv6 has the addresses, its length and its number in its checksum. */
static uint16_t sum_icmp6(const uint8_t *ip, const uint8_t *icmp, size_t n) {
  return folded(sum16(icmp, n, sum16(ip + 8, 32, (uint32_t)n + PROTO_ICMP6)));
}

void toc_i_link_local(uint64_t mac, uint8_t ip6[16]) {
  memset(ip6, 0, 16);
  ip6[0] = 0xfe;
  ip6[1] = 0x80;
  toc_i_put_be(ip6 + 8, 3, mac >> 24);
  ip6[8] ^= 2;
  ip6[11] = 0xff;
  ip6[12] = 0xfe;
  toc_i_put_be(ip6 + 13, 3, mac & 0xffffff);
}

static bool is_ours(const host *h, const uint8_t *ip6) {
  uint8_t own[16];
  toc_i_link_local(h->mac, own);
  return !memcmp(ip6, own, 16);
}

/* The Ethernet header of the answer, tag and all: back to where it came from. */
static void head(const host *h, const uint8_t *in, size_t eth, uint8_t *out) {
  memcpy(out, in, eth);
  memcpy(out, in + 6, 6);
  toc_i_put_be(out + 6, 6, h->mac);
}

static size_t at_least(uint8_t *out, size_t n) {
  if (n >= FRAME_LEAST) return n;
  memset(out + n, 0, FRAME_LEAST - n);
  return FRAME_LEAST;
}

static asked arp(const host *h, const uint8_t *in, size_t n, size_t eth, uint8_t *out, size_t *k) {
  static const uint8_t ask[] = {0, 1, 8, 0, 6, 4, 0, 1}; /* Ethernet, IPv4, a request */
  const uint8_t *p = in + eth;
  if (n < eth + ARP_BYTES || memcmp(p, ask, sizeof ask) || be(p + 24, 4) != h->ip) return ASKED_NOTHING;
  head(h, in, eth, out);
  uint8_t *r = out + eth;
  memcpy(r, ask, sizeof ask);
  r[7] = 2;
  toc_i_put_be(r + 8, 6, h->mac);
  toc_i_put_be(r + 14, 4, h->ip);
  memcpy(r + 18, p + 8, 10);
  *k = at_least(out, eth + ARP_BYTES);
  return ASKED_ARP;
}

static asked echo4(const host *h, const uint8_t *in, size_t ihl, size_t total, size_t eth, uint8_t *out, size_t *k) {
  const uint8_t *ip = in + eth, *icmp = ip + ihl;
  size_t n = total - ihl;
  if (n < 8 || icmp[0] != 8 || icmp[1] || folded(sum16(icmp, n, 0))) return ASKED_NOTHING;
  head(h, in, eth, out);
  uint8_t *r = out + eth;
  memcpy(r, ip, total);
  memcpy(r + 12, ip + 16, 4);
  memcpy(r + 16, ip + 12, 4);
  r[8] = 64;
  toc_i_put_be(r + 10, 2, 0);
  toc_i_put_be(r + 10, 2, folded(sum16(r, ihl, 0)));
  r[ihl] = 0;
  toc_i_put_be(r + ihl + 2, 2, 0);
  toc_i_put_be(r + ihl + 2, 2, folded(sum16(r + ihl, n, 0)));
  *k = at_least(out, eth + total);
  return ASKED_ECHO;
}

static asked ip4(const host *h, const uint8_t *in, size_t n, size_t eth, uint8_t *out, size_t *k) {
  const uint8_t *ip = in + eth;
  if (n < eth + 20 || ip[0] >> 4 != 4) return ASKED_NOTHING;
  size_t ihl = (ip[0] & 15u) * 4, total = be16(ip + 2);
  if (ihl < 20 || total < ihl || eth + total > n) return ASKED_NOTHING;
  bool fragment = be16(ip + 6) & 0x3fff;
  if (ip[9] == PROTO_UDP && !fragment && total >= ihl + 8 && be16(ip + ihl + 2) == ROCE_PORT) return ASKED_ROCE;
  if (ip[9] != PROTO_ICMP || fragment || be(ip + 16, 4) != h->ip || folded(sum16(ip, ihl, 0))) return ASKED_NOTHING;
  return echo4(h, in, ihl, total, eth, out, k);
}

static void head6(const uint8_t *from, const uint8_t *to, size_t n, uint8_t hops, uint8_t *r) {
  memset(r, 0, IP6_BYTES);
  r[0] = 0x60;
  toc_i_put_be(r + 4, 2, n);
  r[6] = PROTO_ICMP6;
  r[7] = hops;
  memcpy(r + 8, from, 16);
  memcpy(r + 24, to, 16);
}

/* Who asks without an address (he looks whether his own is free) is told at the address of all nodes. */
static asked neighbour(const host *h, const uint8_t *in, size_t n, size_t eth, uint8_t *out, size_t *k) {
  static const uint8_t none[16], all[16] = {0xff, 2, [15] = 1};
  const uint8_t *ip = in + eth, *ns = ip + IP6_BYTES;
  if (n < NS_BYTES || ip[7] != 255 || ns[1] || !is_ours(h, ns + 8)) return ASKED_NOTHING;
  bool nameless = !memcmp(ip + 8, none, 16);
  head(h, in, eth, out);
  if (nameless) toc_i_put_be(out, 6, 0x333300000001);
  uint8_t *r = out + eth, *na = r + IP6_BYTES;
  head6(ns + 8, nameless ? all : ip + 8, NA_BYTES, 255, r);
  memset(na, 0, NA_BYTES);
  na[0] = 136;
  na[4] = nameless ? 0x20 : 0x60; /* override; solicited */
  memcpy(na + 8, ns + 8, 16);
  na[24] = 2; /* our MAC */
  na[25] = 1;
  toc_i_put_be(na + 26, 6, h->mac);
  toc_i_put_be(na + 2, 2, sum_icmp6(r, na, NA_BYTES));
  *k = eth + IP6_BYTES + NA_BYTES;
  return ASKED_NEIGHBOUR;
}

static asked echo6(const host *h, const uint8_t *in, size_t n, size_t eth, uint8_t *out, size_t *k) {
  const uint8_t *ip = in + eth, *icmp = ip + IP6_BYTES;
  if (icmp[1] || !is_ours(h, ip + 24)) return ASKED_NOTHING;
  head(h, in, eth, out);
  uint8_t *r = out + eth, *e = r + IP6_BYTES;
  head6(ip + 24, ip + 8, n, 64, r);
  memcpy(e, icmp, n);
  e[0] = 129;
  toc_i_put_be(e + 2, 2, 0);
  toc_i_put_be(e + 2, 2, sum_icmp6(r, e, n));
  *k = at_least(out, eth + IP6_BYTES + n);
  return ASKED_ECHO;
}

static asked ip6(const host *h, const uint8_t *in, size_t n, size_t eth, uint8_t *out, size_t *k) {
  const uint8_t *ip = in + eth;
  if (n < eth + IP6_BYTES + 8 || ip[0] >> 4 != 6) return ASKED_NOTHING;
  size_t bytes = be16(ip + 4);
  if (bytes < 8 || eth + IP6_BYTES + bytes > n) return ASKED_NOTHING;
  const uint8_t *next = ip + IP6_BYTES;
  if (ip[6] == PROTO_UDP && be16(next + 2) == ROCE_PORT) return ASKED_ROCE;
  if (ip[6] != PROTO_ICMP6 || sum_icmp6(ip, next, bytes)) return ASKED_NOTHING;
  if (next[0] == 135) return neighbour(h, in, bytes, eth, out, k);
  return next[0] == 128 ? echo6(h, in, bytes, eth, out, k) : ASKED_NOTHING;
}

asked toc_i_answer(const host *h, const uint8_t *in, size_t n, uint8_t *out, size_t *k) {
  *k = 0;
  if (n < ETH + TAG || n > FRAME_BYTES) return ASKED_NOTHING;
  bool group = in[0] & 1;
  if (!h->mac || in[6] & 1 || (!group && be(in, 6) != h->mac)) return ASKED_NOTHING;
  size_t eth = be16(in + 12) == TYPE_TAG ? ETH + TAG : ETH;
  unsigned type = be16(in + eth - 2);
  if (type == TYPE_ARP) return arp(h, in, n, eth, out, k);
  asked a = type == TYPE_IP4   ? ip4(h, in, n, eth, out, k)
            : type == TYPE_IP6 ? ip6(h, in, n, eth, out, k)
                               : ASKED_NOTHING;
  return group && a != ASKED_NEIGHBOUR ? ASKED_NOTHING
                                       : a; /* the NIC takes no broadcast, and nobody answers to an echo to all */
}
