// SPDX-License-Identifier: Apache-2.0
/* The ways out of a process. link=frames: whole Ethernet frames, without FCS, to and from other programs, and what a
 * host's software answers for its NIC. link=udp: a node whose RoCEv2 is the payload of the kernel's own UDP. */
#ifndef TOCSIN_FRAMES_H
#define TOCSIN_FRAMES_H

#include <stdio.h>

#include "tocsin/tocsin.h"

enum { FRAME_LEAST = 60, FRAME_BYTES = 4352 };
/* Looks at a descriptor for one frame: of a flood of what is none the rest is for the next time. */
enum { FRAME_LOOKS = 256 };

/* ---- uplink: frames go in and out whole, from destination MAC to ICRC */
typedef struct uplink uplink;
struct uplink {
  int fd;
  toc_link_count n;
  void (*close)(uplink *u);
  uint64_t (*ns)(const uplink *u, size_t n); /* how long a frame takes there */
  /* false: not now, the other side has not taken enough */
  bool (*send)(uplink *u, const uint8_t *bytes, size_t n);
  size_t (*take)(uplink *u, uint8_t *bytes); /* the next frame that has come, into FRAME_BYTES; 0: none yet */
  /* NULL, or what a link is asked that is one node's, and gives it its addresses: */
  void (*who)(const uplink *u, toc_address *a); /* mac, ip, ip6: of the node */
  /* The longest packet, from IP on, that reaches a peer. E_ARG, E_IO; why: a sentence, 160 bytes. */
  toc_status (*path)(const uplink *u, const toc_address *peer, uint32_t *bytes, char *why);
  void (*peer)(uplink *u, uint32_t number, uint64_t mac); /* a queue pair's peer has this MAC */
};
/* spec: as toc_options.link has it. why: a sentence for failures, 160 bytes. E_ARG, E_IN_USE, E_IO, E_NOMEM. */
toc_status toc_i_uplink_open(const char *spec, uplink **u, char *why);
toc_status toc_i_frames_open(const char *spec, uplink **u, char *why);
toc_status toc_i_udp_open(const char *spec, uplink **u, char *why);

/* The values of NAME,key=value,... in `text`, of LINK_SPEC bytes. */
#define SAY(status, ...) (snprintf(why, LINK_WHY, __VA_ARGS__), (status))
enum { LINK_WHY = 160, LINK_SPEC = 400, LINK_KEYS = 4 };
typedef struct link_key {
  const char *key, *value;
} link_key;
toc_status toc_i_link_parse(const char *spec, char *text, link_key of[LINK_KEYS], char *why);
toc_status toc_i_link_rate(const char *value, unsigned *rate, char *why); /* Mbit/s; NULL: as it is */
struct addrinfo;
/* 127.0.0.1:7000, [::1]:7000; implied: the port where there is none, and it may be 0 then; 0: there has to be one. */
toc_status toc_i_link_resolve(const char *text, unsigned implied, struct addrinfo **a, char *why);
toc_status toc_i_link_refused(const char *what, const char *text, char *why); /* by errno */
void toc_i_link_buffers(int fd);                                              /* room for bursts */

/* ---- answers (answer.c) */
typedef struct host { /* a node, as its registers have it */
  uint64_t mac;
  uint32_t ip;
} host;

typedef enum asked {
  ASKED_NOTHING, /* that somebody here answers */
  ASKED_ROCE,    /* it is for the NIC */
  ASKED_ARP,
  ASKED_ECHO,
  ASKED_NEIGHBOUR
} asked;

/* What a frame of n bytes wants of this host; the answer of *k bytes (FRAME_BYTES of room) for ARP,
 * echo and neighbour discovery. */
asked toc_i_answer(const host *h, const uint8_t *in, size_t n, uint8_t *out, size_t *k);

uint16_t toc_i_ip4_sum(const uint8_t *ip); /* of a header of 20 bytes whose checksum is 0 */
/* The host's link-local IPv6 address: fe80::/64 and its MAC. */
void toc_i_link_local(uint64_t mac, uint8_t ip6[16]);
/* 8 bytes, the first on top. */
static inline uint64_t toc_i_be64(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v = v << 8 | p[i];
  return v;
}
static inline void toc_i_put_be(uint8_t *p, unsigned n, uint64_t v) {
  for (unsigned i = n; i--; v >>= 8) p[i] = (uint8_t)v;
}

#endif
