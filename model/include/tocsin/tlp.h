// SPDX-License-Identifier: Apache-2.0
/* PCIe transaction-layer packets as both engines and their tests hand them about.
 *
 * A header is four 32-bit words in host order, word 0 first on the wire (the hardware's hdr[127:96]); byte 0 of the
 * wire (fmt and type) is bits 31:24 of word 0. Headers of three words leave word 3 unused: what this library builds has
 * 0 there. Payload is bytes in memory order: byte 0 has the lowest address. Nothing here keeps state or allocates.
 */
#ifndef TOCSIN_TLP_H
#define TOCSIN_TLP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Byte 0 of a header: fmt (bits 7:5) and type (4:0). Bit 6: has data; bit 5: four words of header. */
enum {
  TLP_MRD32 = 0x00,
  TLP_MRD64 = 0x20,
  TLP_MRDLK32 = 0x01,
  TLP_MRDLK64 = 0x21,
  TLP_MWR32 = 0x40,
  TLP_MWR64 = 0x60,
  TLP_IORD = 0x02,
  TLP_IOWR = 0x42,
  TLP_CFGRD0 = 0x04,
  TLP_CFGWR0 = 0x44,
  TLP_CFGRD1 = 0x05,
  TLP_CFGWR1 = 0x45,
  TLP_CPL = 0x0a,
  TLP_CPLD = 0x4a,
  TLP_CPLLK = 0x0b,
  TLP_CPLDLK = 0x4b,
  TLP_MSG = 0x30,
  TLP_MSGD = 0x70, /* + routing 0..7 */
  TLP_FADD32 = 0x4c,
  TLP_FADD64 = 0x6c,
  TLP_SWAP32 = 0x4d,
  TLP_SWAP64 = 0x6d,
  TLP_CAS32 = 0x4e,
  TLP_CAS64 = 0x6e
};
enum { TLP_HAS_DATA = 0x40, TLP_4DW = 0x20 };

/* Completion status. */
enum { TLP_SC = 0, TLP_UR = 1, TLP_CRS = 2, TLP_CA = 4 };

enum { TLP_MAX_BYTES = 4096 };

/* One packet. `data` belongs to whoever made the packet and must live as long as the call that gets it; it may be NULL
 * when ndw is 0. `ndw` is what is really there: for an ill-formed packet it need not agree with the header. */
typedef struct tlp {
  uint32_t hdr[4];
  uint32_t ndw;        /* words of payload */
  const uint8_t *data; /* 4 * ndw bytes */
  uint8_t seq;         /* carried unchanged from request to completion by the engines */
  bool err;            /* completions: the link saw an error in it */
} tlp;

/* The fields of a header. Those that the packet's type does not have are 0 after tlp_parse and ignored by tlp_pack. */
typedef struct tlp_fields {
  uint8_t type;     /* byte 0: TLP_MRD32 ... */
  uint8_t tc;       /* traffic class */
  uint8_t attr;     /* bit 2 IDO, 1 RO, 0 NS */
  uint8_t at;       /* address type: 0 untranslated, 1 translation request, 2 translated */
  bool th, td, ep;  /* hints present, digest present, poisoned */
  uint16_t length;  /* words, 1..1024; 0 for a packet without Length (the field 0 means 1024 where data or a read is) */
  uint16_t rid;     /* requester id */
  uint16_t tag;     /* 10 bits: {T9, T8, tag} */
  uint8_t fbe, lbe; /* byte enables of requests */
  uint64_t addr;    /* of the first word (bits 1:0 are 0) */
  uint8_t ph;       /* processing hint, address bits 1:0 */
  uint8_t code;     /* message code */
  uint64_t msg;     /* words 2 and 3 of a message */
  uint16_t cid;     /* completer id */
  uint8_t status;   /* TLP_SC ... */
  bool bcm;
  uint16_t byte_count; /* 1..4096 */
  uint8_t lower_addr;  /* 7 bits */
} tlp_fields;

void tlp_pack(const tlp_fields *f, uint32_t hdr[4]);
void tlp_parse(const uint32_t hdr[4], tlp_fields *f);

/* The 16 bytes of a header as the wire has them, and back. */
void tlp_hdr_to_bytes(const uint32_t hdr[4], uint8_t bytes[16]);
void tlp_hdr_from_bytes(const uint8_t bytes[16], uint32_t hdr[4]);

/* Name of a type byte ("MWr64"), "?" for one that PCIe does not know. */
const char *tlp_type_name(uint8_t type);

/* Bytes from the first to the last enabled one: the ByteCount of a first completion, 1..4096. */
unsigned tlp_byte_count(unsigned length, unsigned fbe, unsigned lbe);

/* Payload words that a header promises: 0 without data, else 1..1024. */
static inline uint32_t tlp_data_dw(const uint32_t hdr[4]) {
  return !(hdr[0] & 0x40000000u) ? 0u : (hdr[0] & 0x3ffu) ? (hdr[0] & 0x3ffu) : 1024u;
}

static inline uint8_t tlp_type(const uint32_t hdr[4]) { return (uint8_t)(hdr[0] >> 24); }
static inline uint32_t tlp_length(const uint32_t hdr[4]) { return (hdr[0] & 0x3ffu) ? (hdr[0] & 0x3ffu) : 1024u; }
static inline uint16_t tlp_req_id(const uint32_t hdr[4]) { return (uint16_t)(hdr[1] >> 16); }
static inline uint16_t tlp_req_tag(const uint32_t hdr[4]) {
  return (uint16_t)((hdr[0] >> 14 & 0x200u) | (hdr[0] >> 11 & 0x100u) | (hdr[1] >> 8 & 0xffu));
}
static inline uint16_t tlp_cpl_id(const uint32_t hdr[4]) { return (uint16_t)(hdr[2] >> 16); }
static inline uint16_t tlp_cpl_tag(const uint32_t hdr[4]) {
  return (uint16_t)((hdr[0] >> 14 & 0x200u) | (hdr[0] >> 11 & 0x100u) | (hdr[2] >> 8 & 0xffu));
}
/* Address of a request's first word, bits 1:0 (the hint) cleared. */
static inline uint64_t tlp_addr(const uint32_t hdr[4]) {
  return (hdr[0] & 0x20000000u) ? ((uint64_t)hdr[2] << 32 | (hdr[3] & ~3u)) : (uint64_t)(hdr[2] & ~3u);
}
/* Offset of the first enabled byte in a word; 0 if none is. */
static inline unsigned tlp_first_byte(unsigned fbe) {
  return (fbe & 1u) ? 0u : (fbe & 2u) ? 1u : (fbe & 4u) ? 2u : (fbe & 8u) ? 3u : 0u;
}

#ifdef __cplusplus
}
#endif
#endif
