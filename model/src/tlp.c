// SPDX-License-Identifier: Apache-2.0
#include "tocsin/tlp.h"

#include <string.h>

static bool is_cpl(unsigned type) { return (type & 0x9eu) == 0x0au; }
static bool is_msg(unsigned type) { return (type & 0xb8u) == 0x30u; }
static bool is_atomic(unsigned type) {
  unsigned op = type & ~(unsigned)TLP_4DW;
  return op >= TLP_FADD32 && op <= TLP_CAS32;
}

void tlp_pack(const tlp_fields *f, uint32_t hdr[4]) {
  unsigned type = f->type;
  uint32_t attr = f->attr;
  hdr[0] = (uint32_t)type << 24 | (uint32_t)(f->tag & 0x200u) << 14 | (uint32_t)(f->tc & 7u) << 20 |
           (uint32_t)(f->tag & 0x100u) << 11 | (attr & 4u) << 16 | (uint32_t)f->th << 16 | (uint32_t)f->td << 15 |
           (uint32_t)f->ep << 14 | (attr & 3u) << 12 | (uint32_t)(f->at & 3u) << 10 | (f->length & 0x3ffu);
  hdr[2] = hdr[3] = 0;
  if (is_cpl(type)) {
    hdr[1] =
        (uint32_t)f->cid << 16 | (uint32_t)(f->status & 7u) << 13 | (uint32_t)f->bcm << 12 | (f->byte_count & 0xfffu);
    hdr[2] = (uint32_t)f->rid << 16 | (uint32_t)(f->tag & 0xffu) << 8 | (f->lower_addr & 0x7fu);
  } else if (is_msg(type)) {
    hdr[1] = (uint32_t)f->rid << 16 | (uint32_t)(f->tag & 0xffu) << 8 | f->code;
    hdr[2] = (uint32_t)(f->msg >> 32);
    hdr[3] = (uint32_t)f->msg;
  } else {
    uint32_t low = ((uint32_t)f->addr & ~3u) | (f->th ? f->ph & 3u : 0u);
    hdr[1] = (uint32_t)f->rid << 16 | (uint32_t)(f->tag & 0xffu) << 8 | (uint32_t)(f->lbe & 15u) << 4 | (f->fbe & 15u);
    hdr[2] = (type & TLP_4DW) ? (uint32_t)(f->addr >> 32) : low;
    hdr[3] = (type & TLP_4DW) ? low : 0u;
  }
}

void tlp_parse(const uint32_t hdr[4], tlp_fields *f) {
  unsigned type = hdr[0] >> 24;
  bool cpl = is_cpl(type), msg = is_msg(type);
  memset(f, 0, sizeof *f);
  f->type = (uint8_t)type;
  f->tc = (uint8_t)(hdr[0] >> 20 & 7u);
  f->attr = (uint8_t)((hdr[0] >> 16 & 4u) | (hdr[0] >> 12 & 3u));
  f->th = hdr[0] >> 16 & 1u;
  f->td = hdr[0] >> 15 & 1u;
  f->ep = hdr[0] >> 14 & 1u;
  f->at = (uint8_t)(hdr[0] >> 10 & 3u);
  f->length = (uint16_t)((cpl || msg) && !(type & TLP_HAS_DATA) ? hdr[0] & 0x3ffu : tlp_length(hdr));
  if (cpl) {
    f->cid = (uint16_t)(hdr[1] >> 16);
    f->status = (uint8_t)(hdr[1] >> 13 & 7u);
    f->bcm = hdr[1] >> 12 & 1u;
    f->byte_count = (uint16_t)((hdr[1] & 0xfffu) ? hdr[1] & 0xfffu : 4096u);
    f->rid = tlp_cpl_id(hdr);
    f->tag = tlp_cpl_tag(hdr);
    f->lower_addr = (uint8_t)(hdr[2] & 0x7fu);
    return;
  }
  f->rid = tlp_req_id(hdr);
  f->tag = tlp_req_tag(hdr);
  if (msg) {
    f->code = (uint8_t)hdr[1];
    f->msg = (uint64_t)hdr[2] << 32 | hdr[3];
  } else {
    f->lbe = (uint8_t)(hdr[1] >> 4 & 15u);
    f->fbe = (uint8_t)(hdr[1] & 15u);
    f->addr = tlp_addr(hdr);
    f->ph = (uint8_t)(((type & TLP_4DW) ? hdr[3] : hdr[2]) & 3u);
  }
}

void tlp_hdr_to_bytes(const uint32_t hdr[4], uint8_t bytes[16]) {
  for (unsigned i = 0; i < 16; i++) bytes[i] = (uint8_t)(hdr[i / 4] >> (24 - 8 * (i % 4)));
}

void tlp_hdr_from_bytes(const uint8_t bytes[16], uint32_t hdr[4]) {
  for (unsigned i = 0; i < 4; i++)
    hdr[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8 |
             bytes[4 * i + 3];
}

const char *tlp_type_name(uint8_t type) {
  if (is_msg(type)) return (type & TLP_HAS_DATA) ? "MsgD" : "Msg";
  if (is_atomic(type)) {
    static const char *const name[2][3] = {{"FetchAdd32", "Swap32", "CAS32"}, {"FetchAdd64", "Swap64", "CAS64"}};
    return name[type >> 5 & 1u][(type & 0x1fu) - 0x0cu];
  }
  switch (type) {
    case TLP_MRD32: return "MRd32";
    case TLP_MRD64: return "MRd64";
    case TLP_MRDLK32: return "MRdLk32";
    case TLP_MRDLK64: return "MRdLk64";
    case TLP_MWR32: return "MWr32";
    case TLP_MWR64: return "MWr64";
    case TLP_IORD: return "IORd";
    case TLP_IOWR: return "IOWr";
    case TLP_CFGRD0: return "CfgRd0";
    case TLP_CFGWR0: return "CfgWr0";
    case TLP_CFGRD1: return "CfgRd1";
    case TLP_CFGWR1: return "CfgWr1";
    case TLP_CPL: return "Cpl";
    case TLP_CPLD: return "CplD";
    case TLP_CPLLK: return "CplLk";
    case TLP_CPLDLK: return "CplDLk";
    default: return "?";
  }
}

unsigned tlp_byte_count(unsigned length, unsigned fbe, unsigned lbe) {
  /* Bytes up to the last enabled one, for the 16 values of byte enables (none: one byte, as PCIe has it). */
  static const uint8_t upto[16] = {1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
  unsigned first = tlp_first_byte(fbe);
  return length == 1 ? upto[fbe & 15u] - first : 4 * (length - 1) + upto[lbe & 15u] - first;
}
