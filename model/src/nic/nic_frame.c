// SPDX-License-Identifier: Apache-2.0
#include "tocsin/nic_frame.h"

#include <string.h>

#include "../le.h"
#include "nic_crc.h"

/* ---- numbers on the wire ---- */
static AA_HOT uint64_t get4(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static AA_HOT uint64_t get(const uint8_t *p, unsigned bytes) {
  if (bytes == 4) return get4(p);
  if (bytes == 8) return get4(p) << 32 | get4(p + 4);
  if (bytes == 6) return get4(p) << 16 | (uint64_t)p[4] << 8 | p[5];
  return bytes == 2 ? (uint64_t)p[0] << 8 | p[1] : (uint64_t)p[0] << 16 | (uint64_t)p[1] << 8 | p[2];
}

static AA_HOT uint8_t *put4(uint8_t *p, uint64_t v) {
  p[0] = (uint8_t)(v >> 24);
  p[1] = (uint8_t)(v >> 16);
  p[2] = (uint8_t)(v >> 8);
  p[3] = (uint8_t)v;
  return p + 4;
}

static AA_HOT uint8_t *put2(uint8_t *p, uint64_t v) {
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
  return p + 2;
}

static AA_HOT uint8_t *put(uint8_t *p, unsigned bytes, uint64_t v) {
  if (bytes == 8) return put4(put4(p, v >> 32), v);
  if (bytes == 6) return put4(put2(p, v >> 32), v);
  if (bytes == 4) return put4(p, v);
  if (bytes == 3) *p++ = (uint8_t)(v >> 16);
  if (bytes != 1) return put2(p, v);
  *p = (uint8_t)v;
  return p + 1;
}

/* ---- which extensions an opcode has, in the order of the wire ---- */
enum { NONE = 0, RETH = 1, AETH = 2, ATOMIC = 4, ATOMIC_ACK = 8, IMM = 16, XTQ = 32, CNP = 64, NO_FORM = 255 };

static unsigned form_of(uint8_t opcode) {
  switch (opcode) {
    case NIC_OP_WRITE_FIRST:
    case NIC_OP_WRITE_ONLY:
    case NIC_OP_READ_REQ: return RETH;
    case NIC_OP_WRITE_ONLY_IMM: return RETH | IMM;
    case NIC_OP_SEND_FIRST:
    case NIC_OP_SEND_MIDDLE:
    case NIC_OP_SEND_LAST:
    case NIC_OP_SEND_ONLY:
    case NIC_OP_FLUSH:
    case NIC_OP_ATOMIC_WRITE:
    case NIC_OP_WRITE_MIDDLE:
    case NIC_OP_WRITE_LAST:
    case NIC_OP_READ_MIDDLE:
    case NIC_OP_XTQ_MIDDLE:
    case NIC_OP_XTQ_LAST: return NONE;
    case NIC_OP_SEND_LAST_IMM:
    case NIC_OP_SEND_ONLY_IMM:
    case NIC_OP_SEND_LAST_INV:
    case NIC_OP_SEND_ONLY_INV:
    case NIC_OP_WRITE_LAST_IMM: return IMM;
    case NIC_OP_READ_FIRST:
    case NIC_OP_READ_LAST:
    case NIC_OP_READ_ONLY:
    case NIC_OP_ACK: return AETH;
    case NIC_OP_ATOMIC_ACK: return AETH | ATOMIC_ACK;
    case NIC_OP_CMP_SWAP:
    case NIC_OP_FETCH_ADD: return ATOMIC;
    case NIC_OP_XTQ_FIRST:
    case NIC_OP_XTQ_ONLY: return RETH | XTQ;
    case NIC_OP_CNP: return CNP;
    default: return NO_FORM;
  }
}

static unsigned form_bytes(unsigned form) {
  return (form & RETH ? 16u : 0u) + (form & AETH ? 4u : 0u) + (form & ATOMIC ? 28u : 0u) +
         (form & ATOMIC_ACK ? 8u : 0u) + (form & IMM ? 4u : 0u) + (form & XTQ ? 16u : 0u) + (form & CNP ? 16u : 0u);
}

/* FRM-5. */
int nic_ext_bytes(uint8_t opcode) {
  unsigned form = form_of(opcode);
  return form == NO_FORM ? -1 : (int)form_bytes(form);
}

const char *nic_rx_name(unsigned verdict) {
  static const char *const name[] = {"good", "short", "foreign", "sum", "icrc", "bth"};
  return verdict < sizeof name / sizeof *name ? name[verdict] : "?";
}

/* ---- checksums ---- */
static uint32_t ones_sum(const uint8_t *p, unsigned bytes) { /* a multiple of four of them */
  uint64_t sum = 0;
  for (unsigned i = 0; i < bytes; i += 4) sum += get4(p + i);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint32_t)sum;
}

/* FRM-10. */
uint16_t nic_ip_checksum(const uint8_t *ip) {
  uint8_t hdr[20];
  memcpy(hdr, ip, sizeof hdr);
  put(hdr + 10, 2, 0);
  return (uint16_t)~ones_sum(hdr, sizeof hdr);
}

/* What routers change counts as FFh. IPv4: TOS, TTL, checksum. IPv6: traffic class and flow label (28 bits behind the
 * version), hop limit. Behind either: UDP's checksum, and the byte of BTH with FECN and BECN. */
enum { HEAD_BYTES = 64, EIGHT_FF = 0x2144df1c /* the CRC of what stands for LRH, inverted */ };

/* FRM-3. */
uint32_t nic_icrc(const uint8_t *ip, size_t len) {
  static const uint8_t changed[2][HEAD_BYTES] = {
      {[1] = 0xff, [8] = 0xff, [10] = 0xff, [11] = 0xff, [20 + 6] = 0xff, [20 + 7] = 0xff, [20 + 12] = 0xff},
      {0x0f, 0xff, 0xff, 0xff, [7] = 0xff, [40 + 6] = 0xff, [40 + 7] = 0xff, [40 + 12] = 0xff}};
  const size_t n = len < HEAD_BYTES ? len : HEAD_BYTES;
  const uint8_t *mask = changed[len && ip[0] >> 4 == 6];
  uint64_t head[HEAD_BYTES / 8] = {0}, word;
  memcpy(head, ip, n);
  for (unsigned i = 0; i < HEAD_BYTES / 8; i++) {
    memcpy(&word, mask + 8 * (size_t)i, 8);
    head[i] |= word;
  }
  return ~nic_crc32(nic_crc32(~(uint32_t)EIGHT_FF, (const uint8_t *)head, n), ip + n, len - n);
}

/* ---- read ---- */
enum { TYPE_IP4 = 0x0800, TYPE_TAG = 0x8100, TYPE_IP6 = 0x86dd };

/* FRM-4. */
static bool is_ip4(nic_ip6 a) { return a.hi == 0 && a.lo >> 32 == 0xffff; }

/* Where things are in a frame. */
typedef struct layout {
  size_t eth, ip; /* bytes of Ethernet's header, of IP's */
  unsigned type;
  bool tag, v6;
  const uint8_t *at, *udp, *bth; /* at: IP */
  size_t len;                    /* behind IP, as IP says */
} layout;

/* False: shorter than the shortest frame of its kind. FRM-8. */
static bool find(const uint8_t *frame, size_t len, layout *l) {
  if (len < NIC_ETH_BYTES + NIC_BASE_BYTES + 4) return false;
  l->tag = get(frame + 12, 2) == TYPE_TAG;
  l->eth = NIC_ETH_BYTES + (l->tag ? NIC_TAG_BYTES : 0);
  l->type = (unsigned)get(frame + l->eth - 2, 2);
  l->v6 = l->type == TYPE_IP6;
  l->ip = l->v6 ? 40 : 20;
  if (len < l->eth + l->ip + 8 + 12 + 4) return false;
  l->at = frame + l->eth;
  l->udp = l->at + l->ip;
  l->bth = l->udp + 8;
  l->len = l->v6 ? (size_t)get(l->at + 4, 2) : (size_t)get(l->at + 2, 2) - 20;
  return true;
}

size_t nic_frame_bth(const uint8_t *frame, size_t len) {
  layout l;
  return find(frame, len, &l) && (l.v6 || l.type == TYPE_IP4) ? (size_t)(l.bth - frame) : 0;
}

nic_self nic_frame_to(const uint8_t *frame, size_t len) {
  layout l;
  nic_self to = {.mac = len >= 6 ? get(frame, 6) : 0};
  if (!nic_frame_bth(frame, len) || !find(frame, len, &l)) return to;
  if (l.v6)
    to.ip6 = (nic_ip6){get(l.at + 24, 8), get(l.at + 32, 8)};
  else
    to.ip = (uint32_t)get(l.at + 16, 4);
  return to;
}

/* Lengths; without its tag a frame of up to 60 bytes may have been filled up by Ethernet. FRM-2, FRM-7. */
static bool length_good(const layout *l, size_t len, size_t around) {
  size_t said = l->eth + l->ip + l->len, filled = 60 + l->eth - NIC_ETH_BYTES;
  if (said != len && !(len <= filled && said < len)) return false;
  return get(l->udp + 4, 2) == l->len && l->len % 4 == 0 && l->len >= around && l->len - around <= NIC_PAYLOAD_MAX;
}

/* FRM-9. */
static bool for_us(const nic_self *me, const uint8_t *frame, const layout *l) {
  const uint8_t *ip = l->at;
  if (get(frame, 6) != me->mac || get(l->udp + 2, 2) != NIC_UDP_PORT) return false;
  if (l->v6) {
    nic_ip6 from = {get(ip + 8, 8), get(ip + 16, 8)}, to = {get(ip + 24, 8), get(ip + 32, 8)};
    return ip[0] >> 4 == 6 && ip[6] == 17 && (to.hi || to.lo) && to.hi == me->ip6.hi && to.lo == me->ip6.lo &&
           !is_ip4(from);
  }
  return l->type == TYPE_IP4 && ip[0] == 0x45 && (get(ip + 6, 2) & 0x3fff) == 0 && ip[9] == 17 &&
         get(ip + 16, 4) == me->ip;
}

static void parse_ip(const uint8_t *frame, const layout *l, nic_head *h) {
  const uint8_t *ip = l->at;
  h->v6 = l->v6;
  if (l->v6)
    h->ip6 = (nic_ip6){get(ip + 8, 8), get(ip + 16, 8)};
  else
    h->ip = (uint32_t)get(ip + 12, 4);
  h->ce = ((l->v6 ? get(ip, 2) >> 4 : ip[1]) & 3) == 3;
  h->tag = l->tag;
  h->tci = l->tag ? (uint16_t)get(frame + 14, 2) : 0;
}

unsigned nic_frame_parse(const nic_self *me, const uint8_t *frame, size_t len, bool fcs_bad, nic_head *h,
                         const uint8_t **payload) {
  layout l;
  if (fcs_bad || !find(frame, len, &l)) return NIC_RX_SHORT;
  const uint8_t *bth = l.bth;
  unsigned form = form_of(bth[0]), pad = bth[1] >> 4 & 3;
  size_t around = 8 + 12 + form_bytes(form == NO_FORM ? 0 : form) + pad + 4;

  if (!length_good(&l, len, around)) return NIC_RX_SHORT;
  if (!for_us(me, frame, &l)) return NIC_RX_FOREIGN;
  if (!l.v6 && ones_sum(l.at, 20) != 0xffff) return NIC_RX_SUM;
  const uint8_t *crc = l.udp + l.len - 4;
  uint32_t sent = (uint32_t)(crc[0] | (uint32_t)crc[1] << 8 | (uint32_t)crc[2] << 16 | (uint32_t)crc[3] << 24);
  if (sent != nic_icrc(l.at, l.ip + l.len - 4)) return NIC_RX_ICRC;
  if ((bth[1] & 15) != 0 || form == NO_FORM) return NIC_RX_BTH;

  const uint8_t *p = bth + 12;
  memset(h, 0, sizeof *h);
  h->mac = get(frame + 6, 6);
  parse_ip(frame, &l, h);
  h->port = (uint16_t)get(l.udp, 2);
  h->opcode = bth[0];
  h->se = bth[1] >> 7;
  h->pkey = (uint16_t)get(bth + 2, 2);
  h->qp = (uint32_t)get(bth + 5, 3);
  h->ack_req = bth[8] >> 7;
  h->psn = (uint32_t)get(bth + 9, 3);
  if (form & RETH) {
    h->va = get(p, 8);
    h->rkey = (uint32_t)get(p + 8, 4);
    h->length = (uint32_t)get(p + 12, 4);
    p += 16;
  }
  if (form & AETH) {
    h->syndrome = p[0];
    h->msn = (uint32_t)get(p + 1, 3);
    p += 4;
  }
  if (form & ATOMIC) {
    h->va = get(p, 8);
    h->rkey = (uint32_t)get(p + 8, 4);
    h->swap = get(p + 12, 8);
    h->compare = get(p + 20, 8);
    p += 28;
  }
  if (form & ATOMIC_ACK) {
    h->swap = get(p, 8);
    p += 8;
  }
  if (form & IMM) {
    h->imm = (uint32_t)get(p, 4);
    p += 4;
  }
  if (form & XTQ) {
    h->xtq_kind = p[0];
    h->xtq_proc = (uint16_t)get(p + 2, 2);
    h->xtq_args = (uint32_t)get(p + 4, 4);
    h->xtq_pay = (uint32_t)get(p + 8, 4);
    p += 16;
  }
  if (form & CNP) p += 16;
  h->bytes = (uint16_t)(l.len - around);
  *payload = p;
  return NIC_RX_GOOD;
}

/* ---- write ---- */
static uint8_t *put_eth(uint8_t *p, const nic_self *me, const nic_head *h) {
  p = put(p, 6, h->mac);
  p = put(p, 6, me->mac);
  if (h->tag) p = put(put(p, 2, TYPE_TAG), 2, h->tci);
  return put(p, 2, h->v6 ? TYPE_IP6 : TYPE_IP4);
}

/* len: from UDP to the ICRC */
static uint8_t *put_ip4(uint8_t *ip, const nic_self *me, const nic_head *h, unsigned len) {
  uint8_t *p = put(ip, 1, 0x45);
  p = put(p, 1, me->tos);
  p = put(p, 2, 20 + len);
  p = put(p, 2, 0);      /* identification */
  p = put(p, 2, 0x4000); /* do not fragment */
  p = put(p, 1, 64);
  p = put(p, 1, 17);
  p = put(p, 2, 0);
  p = put(p, 4, me->ip);
  p = put(p, 4, h->ip);
  put(ip + 10, 2, nic_ip_checksum(ip));
  return p;
}

static uint8_t *put_ip6(uint8_t *p, const nic_self *me, const nic_head *h, unsigned len) {
  p = put(p, 4, 6u << 28 | (uint32_t)me->tos << 20 | h->port); /* flow label: the UDP source port */
  p = put(p, 2, len);
  p = put(p, 1, 17);
  p = put(p, 1, 64);
  p = put(put(p, 8, me->ip6.hi), 8, me->ip6.lo);
  return put(put(p, 8, h->ip6.hi), 8, h->ip6.lo);
}

size_t nic_frame_build(const nic_self *me, const nic_head *h, const uint8_t *payload, uint8_t *out) {
  unsigned form = form_of(h->opcode), pad = -(unsigned)h->bytes & 3;
  if (form == NO_FORM || h->bytes > NIC_PAYLOAD_MAX) return 0;
  unsigned len = 8 + 12 + form_bytes(form) + h->bytes + pad + 4;
  uint8_t *ip = put_eth(out, me, h), *p = h->v6 ? put_ip6(ip, me, h, len) : put_ip4(ip, me, h, len);

  p = put(p, 2, h->port);
  p = put(p, 2, NIC_UDP_PORT);
  p = put(p, 2, len);
  p = put(p, 2, 0);

  p = put(p, 1, h->opcode);
  p = put(p, 1, (h->se ? 0x80u : 0u) | 0x40u | pad << 4);
  p = put(p, 2, h->pkey);
  p = put(p, 1, form & CNP ? 0x40 : 0); /* BECN */
  p = put(p, 3, h->qp);
  p = put(p, 1, h->ack_req ? 0x80 : 0);
  p = put(p, 3, h->psn);

  if (form & RETH) {
    p = put(p, 8, h->va);
    p = put(p, 4, h->rkey);
    p = put(p, 4, h->length);
  }
  if (form & AETH) {
    p = put(p, 1, h->syndrome);
    p = put(p, 3, h->msn);
  }
  if (form & ATOMIC) {
    p = put(p, 8, h->va);
    p = put(p, 4, h->rkey);
    p = put(p, 8, h->swap);
    p = put(p, 8, h->compare);
  }
  if (form & ATOMIC_ACK) p = put(p, 8, h->swap);
  if (form & IMM) p = put(p, 4, h->imm);
  if (form & XTQ) {
    p = put(p, 1, h->xtq_kind);
    p = put(p, 1, 0);
    p = put(p, 2, h->xtq_proc);
    p = put(p, 4, h->xtq_args);
    p = put(p, 4, h->xtq_pay);
    p = put(p, 4, 0);
  }
  if (form & CNP) p = put(put(p, 8, 0), 8, 0);
  if (h->bytes) memcpy(p, payload, h->bytes);
  p += h->bytes;
  memset(p, 0, pad);
  p += pad;
  uint32_t crc = nic_icrc(ip, (size_t)(p - ip));
  for (int i = 0; i < 4; i++) *p++ = (uint8_t)(crc >> 8 * i);
  return (size_t)(p - out);
}
