// SPDX-License-Identifier: Apache-2.0
/* RoCEv2 frames: read one, write one. rtl/nic/README.md ("Frames") is the specification.
 *
 *   nic_head h;
 *   const uint8_t *pay;
 *   if (nic_frame_parse(&me, frame, len, false, &h, &pay) == NIC_RX_GOOD) ...   // h.bytes bytes at pay
 *
 *   size_t n = nic_frame_build(&me, &h, pay, out);   // out: NIC_FRAME_MAX bytes
 *
 * A frame is bytes as the wire has them, from the destination's MAC address to the ICRC: no preamble, no FCS.
 * Numbers in the structs are in host order. Nothing here keeps state, allocates, or reads beyond the lengths given;
 * any bytes may be parsed.
 */
#ifndef TOCSIN_NIC_FRAME_H
#define TOCSIN_NIC_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  NIC_ETH_BYTES = 14,
  NIC_TAG_BYTES = 4,       /* an 802.1Q tag */
  NIC_BASE_BYTES = 40,     /* IPv4, UDP and BTH */
  NIC_IP6_MORE_BYTES = 20, /* what IPv6 has more than IPv4 */
  NIC_EXT_MAX = 32,        /* the longest extension: RETH and XtqETH */
  NIC_PAYLOAD_MAX = 4096,
  NIC_FRAME_MAX =
      NIC_ETH_BYTES + NIC_TAG_BYTES + NIC_BASE_BYTES + NIC_IP6_MORE_BYTES + NIC_EXT_MAX + NIC_PAYLOAD_MAX + 4,
  NIC_UDP_PORT = 4791
};

/* Opcodes: reliable connection in 00 to 1F; XtqPut mirrors WRITE. */
enum {
  NIC_OP_SEND_FIRST = 0x00,
  NIC_OP_SEND_MIDDLE = 0x01,
  NIC_OP_SEND_LAST = 0x02,
  NIC_OP_SEND_LAST_IMM = 0x03,
  NIC_OP_SEND_ONLY = 0x04,
  NIC_OP_SEND_ONLY_IMM = 0x05,
  NIC_OP_WRITE_FIRST = 0x06,
  NIC_OP_WRITE_MIDDLE = 0x07,
  NIC_OP_WRITE_LAST = 0x08,
  NIC_OP_WRITE_LAST_IMM = 0x09,
  NIC_OP_WRITE_ONLY = 0x0a,
  NIC_OP_WRITE_ONLY_IMM = 0x0b,
  NIC_OP_READ_REQ = 0x0c,
  NIC_OP_READ_FIRST = 0x0d,
  NIC_OP_READ_MIDDLE = 0x0e,
  NIC_OP_READ_LAST = 0x0f,
  NIC_OP_READ_ONLY = 0x10,
  NIC_OP_ACK = 0x11,
  NIC_OP_ATOMIC_ACK = 0x12,
  NIC_OP_CMP_SWAP = 0x13,
  NIC_OP_FETCH_ADD = 0x14,
  NIC_OP_SEND_LAST_INV = 0x16,
  NIC_OP_SEND_ONLY_INV = 0x17,
  NIC_OP_FLUSH = 0x1c, /* this and the next are refused, whatever stands behind BTH */
  NIC_OP_ATOMIC_WRITE = 0x1d,
  NIC_OP_CNP = 0x81, /* congestion notification: 16 bytes, sent as 0 and not looked at */
  NIC_OP_XTQ_FIRST = 0xc6,
  NIC_OP_XTQ_MIDDLE = 0xc7,
  NIC_OP_XTQ_LAST = 0xc8,
  NIC_OP_XTQ_ONLY = 0xca
};

/* An IPv6 address: hi has its first 8 bytes, the first on top. */
typedef struct nic_ip6 {
  uint64_t hi, lo;
} nic_ip6;

/* Who we are. */
typedef struct nic_self {
  uint64_t mac; /* 48 bits, first byte of the wire on top */
  uint32_t ip;  /* IPv4 */
  uint8_t tos;  /* of what is sent: type of service, traffic class */
  nic_ip6 ip6;  /* 0: none, no IPv6 frame is ours */
} nic_self;

/* What a frame says before its payload. Fields that the opcode does not carry are 0 when parsed, ignored when built. */
typedef struct nic_head {
  uint64_t mac;  /* peer: source of what came, destination of what goes */
  uint32_t ip;   /* peer, IPv4; else 0 */
  uint16_t port; /* UDP source port */
  uint8_t opcode;
  bool se, ack_req;
  uint16_t pkey;
  uint32_t qp, psn;           /* 24 bits */
  uint64_t va;                /* RETH, AtomicETH */
  uint32_t rkey;              /* RETH, AtomicETH */
  uint32_t length;            /* RETH */
  uint32_t imm;               /* ImmDt; IETH: the key */
  uint64_t swap;              /* AtomicETH: swap or add; AtomicAckETH: original data */
  uint64_t compare;           /* AtomicETH */
  uint8_t syndrome;           /* AETH */
  uint32_t msn;               /* AETH, 24 bits */
  uint8_t xtq_kind;           /* XtqETH: 0 kernel, 1 function */
  uint16_t xtq_proc;          /* XtqETH: process */
  uint32_t xtq_args, xtq_pay; /* XtqETH: bytes of arguments, of payload */
  uint16_t bytes;             /* payload, without pad: 0 to NIC_PAYLOAD_MAX */
  bool v6;                    /* the peer's address is ip6 */
  nic_ip6 ip6;
  bool tag;     /* the frame has an 802.1Q tag, */
  uint16_t tci; /* which says this: 15:13 priority, 12 DEI, 11:0 VLAN; else 0 */
  bool ce;      /* parsed: congestion experienced; built: left out */
} nic_head;

/* Why a frame was not taken: the first that applies. */
enum {
  NIC_RX_GOOD = 0,
  NIC_RX_SHORT = 1,   /* shorter than its headers, or lengths disagree, or too much payload, or the FCS was wrong */
  NIC_RX_FOREIGN = 2, /* not whole IP without options, not UDP 4791, not for us, two tags */
  NIC_RX_SUM = 3,     /* checksum of the IPv4 header */
  NIC_RX_ICRC = 4,
  NIC_RX_BTH = 5 /* transport version, or an opcode that has no form here */
};
const char *nic_rx_name(unsigned verdict); /* "good", "short", ...; "?" */

/* Bytes of the extension of an opcode, 0 to NIC_EXT_MAX; -1 for an opcode without a form. */
int nic_ext_bytes(uint8_t opcode);

/* `fcs_bad`: what the MAC said. NIC_RX_GOOD: *h is set and *payload points into the frame; else both are left alone. */
unsigned nic_frame_parse(const nic_self *me, const uint8_t *frame, size_t len, bool fcs_bad, nic_head *h,
                         const uint8_t **payload);

/* Returns the length of the frame; 0 for an opcode without a form or too much payload. Nothing is
 * added to short frames. */
size_t nic_frame_build(const nic_self *me, const nic_head *h, const uint8_t *payload, uint8_t *out);

/* Without parsing: where BTH begins in a frame, 0 if it is too short to have one or is no IP frame; who it is addressed
 * to, fields that it does not have 0. */
size_t nic_frame_bth(const uint8_t *frame, size_t len);
nic_self nic_frame_to(const uint8_t *frame, size_t len);

/* The ICRC of `len` bytes from the IP header, of either version, to the end of the pad; byte 0 of
 * the wire is the lowest. */
uint32_t nic_icrc(const uint8_t *ip, size_t len);

/* The checksum of 20 bytes of an IPv4 header, its own field taken as 0. */
uint16_t nic_ip_checksum(const uint8_t *ip);

#ifdef __cplusplus
}
#endif
#endif
