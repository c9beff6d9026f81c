// SPDX-License-Identifier: Apache-2.0
#include "tocsin/nic_frame.h"

#include <string.h>

#include "le.h"

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

static AA_HOT uint8_t *put(uint8_t *p, unsigned bytes, uint64_t v) {
  for (unsigned i = bytes; i--; v >>= 8) p[i] = (uint8_t)v;
  return p + bytes;
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
static uint32_t ones_sum(const uint8_t *p, unsigned bytes) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < bytes; i += 2) sum += (uint32_t)get(p + i, 2);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

/* FRM-10. */
uint16_t nic_ip_checksum(const uint8_t *ip) {
  uint8_t hdr[20];
  memcpy(hdr, ip, sizeof hdr);
  put(hdr + 10, 2, 0);
  return (uint16_t)~ones_sum(hdr, sizeof hdr);
}

/* CRC-32, reflected, eight bytes at a time. Row n says what becomes of a byte when n others have come behind it. The CRC is
 * linear, so a row is made of what becomes of its eight bits. */
#define BIT(n, b, v) ((n) >> (b)&1 ? (v) : 0u)
#define ONE(n, ...) LIN(n, __VA_ARGS__)
#define LIN(n, a, b, c, d, e, f, g, h) \
  BIT(n, 0, a) ^ BIT(n, 1, b) ^ BIT(n, 2, c) ^ BIT(n, 3, d) ^ BIT(n, 4, e) ^ BIT(n, 5, f) ^ BIT(n, 6, g) ^ BIT(n, 7, h)
#define FOUR(n, ...) ONE(n, __VA_ARGS__), ONE(n + 1, __VA_ARGS__), ONE(n + 2, __VA_ARGS__), ONE(n + 3, __VA_ARGS__)
#define SIXTEEN(n, ...) \
  FOUR(n, __VA_ARGS__), FOUR(n + 4, __VA_ARGS__), FOUR(n + 8, __VA_ARGS__), FOUR(n + 12, __VA_ARGS__)
#define SIXTY_FOUR(n, ...) \
  SIXTEEN(n, __VA_ARGS__), SIXTEEN(n + 16, __VA_ARGS__), SIXTEEN(n + 32, __VA_ARGS__), SIXTEEN(n + 48, __VA_ARGS__)
#define ALL(...) \
  SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), SIXTY_FOUR(128, __VA_ARGS__), SIXTY_FOUR(192, __VA_ARGS__)
static const uint32_t after[8][256] = {
    {ALL(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8, 0x76dc4190, 0xedb88320)},
    {ALL(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2, 0xf0794f05, 0x3b83984b)},
    {ALL(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0, 0x709a8dc0, 0xe1351b80)},
    {ALL(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e, 0x9b14583d, 0xed59b63b)},
    {ALL(0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, 0x60e09782, 0xc1c12f04, 0x58f35849, 0xb1e6b092)},
    {ALL(0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, 0x03d6029b, 0x07ac0536, 0x0f580a6c, 0x1eb014d8)},
    {ALL(0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, 0x67de9cce, 0xcfbd399c, 0x440b7579, 0x8816eaf2)},
    {ALL(0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, 0x7cbb312b, 0xf9766256, 0x299dc2ed, 0x533b85da)},
};

static uint32_t crc_of(uint32_t crc, const uint8_t *p, size_t n) {
  for (; n >= 8; n -= 8, p += 8) {
    crc = after[7][(crc ^ p[0]) & 0xff] ^ after[6][(crc >> 8 ^ p[1]) & 0xff] ^ after[5][(crc >> 16 ^ p[2]) & 0xff] ^
          after[4][crc >> 24 ^ p[3]] ^ after[3][p[4]] ^ after[2][p[5]] ^ after[1][p[6]] ^ after[0][p[7]];
  }
  for (; n; n--) crc = crc >> 8 ^ after[0][(crc ^ *p++) & 0xff];
  return crc;
}

/* What routers change counts as FFh. IPv4: TOS, TTL, checksum. IPv6: traffic class and flow label (28 bits behind the version), hop
 * limit. Behind either: UDP's checksum, and the byte of BTH with FECN and BECN. */
enum { CHANGED_BYTES = 40 + 8 + 5, EIGHT_FF = 0x2144df1c /* the CRC of what stands for LRH, inverted */ };

/* FRM-3. */
uint32_t nic_icrc(const uint8_t *ip, size_t len) {
  static const uint8_t of4[] = {1, 8, 10, 11, 20 + 6, 20 + 7, 20 + 12}, of6[] = {1, 2, 3, 7, 40 + 6, 40 + 7, 40 + 12};
  uint8_t head[CHANGED_BYTES];
  const size_t n = len < sizeof head ? len : sizeof head;
  const bool v6 = len && ip[0] >> 4 == 6;
  memcpy(head, ip, n);
  if (v6) head[0] |= 0x0f;
  for (unsigned i = 0; i < sizeof of4; i++) {
    const unsigned at = v6 ? of6[i] : of4[i];
    if (at < n) head[at] = 0xff;
  }
  return ~crc_of(crc_of(~(uint32_t)EIGHT_FF, head, n), ip + n, len - n);
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
