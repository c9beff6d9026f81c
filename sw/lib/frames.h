// SPDX-License-Identifier: Apache-2.0
/* link=frames: whole Ethernet frames, without FCS, to and from other programs, and what a host's software answers for its NIC. */
#ifndef TOCSIN_FRAMES_H
#define TOCSIN_FRAMES_H

#include "tocsin/tocsin.h"

enum { FRAME_LEAST = 60, FRAME_BYTES = 4352 };

/* ---- uplink (frames.c): a datagram socket or a TAP device, one frame a datagram */
typedef struct uplink uplink;
/* spec: as toc_options.link has it. why: a sentence for failures, 160 bytes. E_ARG, E_IN_USE, E_IO, E_NOMEM. */
toc_status toc_i_uplink_open(const char *spec, uplink **u, char *why);
void toc_i_uplink_close(uplink *u); /* NULL is fine */
int toc_i_uplink_fd(const uplink *u);
uint64_t toc_i_uplink_ns(const uplink *u, size_t n); /* how long a frame takes there */
bool toc_i_uplink_send(uplink *u, const uint8_t *bytes,
                       size_t n); /* false: not now, the other side has not taken enough */
/* The next frame that has come, into FRAME_BYTES; 0: there is none. */
size_t toc_i_uplink_take(uplink *u, uint8_t *bytes);
toc_link_count *toc_i_uplink_count(uplink *u);

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

/* What a frame of n bytes wants of this host; the answer of *k bytes (FRAME_BYTES of room) for ARP, echo and neighbour discovery. */
asked toc_i_answer(const host *h, const uint8_t *in, size_t n, uint8_t *out, size_t *k);

/* The host's link-local IPv6 address: fe80::/64 and its MAC. */
void toc_i_link_local(uint64_t mac, uint8_t ip6[16]);
/* 8 bytes, the first on top. */
static inline uint64_t toc_i_be64(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v = v << 8 | p[i];
  return v;
}

#endif
