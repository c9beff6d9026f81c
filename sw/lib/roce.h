// SPDX-License-Identifier: Apache-2.0
/* What a NIC's frame becomes as the payload of a datagram, and such a payload a frame: headers and ICRC. */
#ifndef TOCSIN_ROCE_H
#define TOCSIN_ROCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROCE_PORT = 4791 };
#define ROCE_MAC(port) (0x025544500000u | (uint64_t)(port)) /* 02 'U' 'D' 'P', and the port */

typedef struct roce_end {
  bool v6;
  uint8_t ip[16]; /* of IPv4 the first 4 */
  uint16_t port;
} roce_end;

size_t toc_i_roce_head(const roce_end *own); /* bytes in front of BTH */

/* A frame of the NIC, of n bytes, gets the IP and UDP headers that the kernel will send, as far as the ICRC covers
 * them, and its ICRC. */
void toc_i_roce_sent(const roce_end *own, uint8_t *frame, size_t n, uint16_t to);

/* Payload of n bytes, at toc_i_roce_head of a frame, gets headers: as they were sent, but that the NIC's port
 * is always that of RoCEv2, and the ICRC is made to go with that. any_id: the sender may count its packets
 * in IP's identification. */
void toc_i_roce_came(const roce_end *own, const roce_end *from, uint8_t tos, bool any_id, uint8_t *frame, size_t n);

#endif
