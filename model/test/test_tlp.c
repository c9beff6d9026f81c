// SPDX-License-Identifier: Apache-2.0
// Packets: golden headers, fields there and back, byte counts against a byte-by-byte count.
#include "world.h"

static void golden(const tlp_fields *f, const uint32_t want[4]) {
  uint32_t hdr[4], back[4];
  uint8_t bytes[16];
  tlp_fields g;
  tlp_pack(f, hdr);
  for (int i = 0; i < 4; i++) EQ(hdr[i], want[i]);
  tlp_hdr_to_bytes(hdr, bytes);
  EQ(bytes[0], f->type);
  tlp_hdr_from_bytes(bytes, back);
  CHECK(!memcmp(hdr, back, sizeof hdr));
  tlp_parse(hdr, &g);
  EQ(g.type, f->type);
  EQ(g.length, f->length);
  EQ(g.rid, f->rid);
  EQ(g.tag, f->tag);
  EQ(g.addr, f->addr);
  EQ(g.fbe, f->fbe);
  EQ(g.lbe, f->lbe);
  EQ(g.byte_count, f->byte_count);
  EQ(g.lower_addr, f->lower_addr);
}

static void there_and_back(void) {
  // every field there and back, all types
  static const uint8_t types[] = {TLP_MRD32, TLP_MRD64,   TLP_MWR32,    TLP_MWR64,  TLP_CPL,
                                  TLP_CPLD,  TLP_MSG + 3, TLP_MSGD + 5, TLP_FADD32, TLP_SWAP64,
                                  TLP_CAS32, TLP_CPLLK,   TLP_CPLDLK,   TLP_MSG,    TLP_MSGD + 7};
  uint64_t s = 99;
  for (unsigned n = 0; n < 3000; n++) {
    tlp_fields f = {.type = types[n % sizeof types]}, g;
    uint32_t hdr[4];
    bool cpl = (f.type & 0x1e) == 0x0a, msg = (f.type & 0x18) == 0x10;
    f.tc = rnd(&s) & 7;
    f.attr = rnd(&s) & 7;
    f.at = rnd(&s) & 3;
    f.th = rnd(&s) & 1;
    f.td = rnd(&s) & 1;
    f.ep = rnd(&s) & 1;
    f.length = (uint16_t)(1 + (rnd(&s) & 1023));
    if ((cpl || msg) && !(f.type & TLP_HAS_DATA)) f.length = rnd(&s) & 1023;
    f.rid = (uint16_t)rnd(&s);
    f.tag = rnd(&s) & 1023;
    if (cpl) {
      f.cid = (uint16_t)rnd(&s);
      f.status = rnd(&s) & 7;
      f.bcm = rnd(&s) & 1;
      f.byte_count = (uint16_t)(1 + (rnd(&s) & 4095));
      f.lower_addr = rnd(&s) & 127;
    } else if (msg) {
      f.code = (uint8_t)rnd(&s);
      f.msg = (uint64_t)rnd(&s) << 32 | rnd(&s);
    } else {
      f.fbe = rnd(&s) & 15;
      f.lbe = rnd(&s) & 15;
      f.addr = ((f.type & TLP_4DW ? (uint64_t)rnd(&s) << 32 : 0) | rnd(&s)) & ~3ull;
      f.ph = f.th ? rnd(&s) & 3 : 0;
    }
    tlp_pack(&f, hdr);
    memset(&g, 0xff, sizeof g);
    tlp_parse(hdr, &g);
    bool same = f.type == g.type && f.tc == g.tc && f.attr == g.attr && f.at == g.at && f.th == g.th && f.td == g.td &&
                f.ep == g.ep && f.length == g.length && f.rid == g.rid && f.tag == g.tag && f.fbe == g.fbe &&
                f.lbe == g.lbe && f.addr == g.addr && f.ph == g.ph && f.code == g.code && f.msg == g.msg &&
                f.cid == g.cid && f.status == g.status && f.bcm == g.bcm && f.byte_count == g.byte_count &&
                f.lower_addr == g.lower_addr;
    CHECK(same);
    EQ(cpl ? tlp_cpl_tag(hdr) : tlp_req_tag(hdr), f.tag);
    EQ(cpl ? tlp_cpl_id(hdr) : tlp_req_id(hdr), f.rid);
  }
}

static void counts(void) {
  for (unsigned len = 1; len <= 3; len++)
    for (unsigned be = 0; be < 256; be++) {
      unsigned fbe = be & 15, lbe = be >> 4, first = 99, last = 0;
      if ((len == 1) != (lbe == 0) || (len > 1 && !fbe)) continue;
      for (unsigned byte = 0; byte < 4 * len; byte++) {
        unsigned en = byte < 4 ? fbe : byte >= 4 * (len - 1) ? lbe : 15;
        if (en >> (byte & 3) & 1) {
          if (first == 99) first = byte;
          last = byte;
        }
      }
      EQ(tlp_byte_count(len, fbe, lbe), first == 99 ? 1 : last - first + 1);
      if (first != 99) EQ(tlp_first_byte(fbe), first);
    }
  EQ(tlp_byte_count(1024, 15, 15), 4096);
}

// Length 0 means 1024 words, but where there are none.
static void no_words(void) {
  static const struct {
    uint8_t type;
    uint16_t length;
  } t[] = {{TLP_CPL, 0}, {TLP_MSG, 0}, {TLP_CPLD, 1024}, {TLP_MSGD, 1024}, {TLP_MRD32, 1024}};
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    const uint32_t hdr[4] = {(uint32_t)t[i].type << 24};
    tlp_fields f;
    tlp_parse(hdr, &f);
    EQ(f.length, t[i].length);
  }
}

int main(void) {
  // the five of docs/formats.md 2.2
  golden(
      &(tlp_fields){
          .type = TLP_MRD64, .length = 25, .rid = 0x113, .tag = 0x5a, .fbe = 15, .lbe = 15, .addr = 0x123456789abc1004},
      (uint32_t[]){0x20000019, 0x01135aff, 0x12345678, 0x9abc1004});
  golden(
      &(tlp_fields){.type = TLP_MRD32, .length = 3, .rid = 0x113, .tag = 0x5a, .fbe = 8, .lbe = 1, .addr = 0x80001000},
      (uint32_t[]){0x00000003, 0x01135a18, 0x80001000, 0});
  golden(&(tlp_fields){.type = TLP_MWR32, .length = 1, .rid = 0x113, .fbe = 15, .addr = 0xfee00000},
         (uint32_t[]){0x40000001, 0x0113000f, 0xfee00000, 0});
  golden(&(tlp_fields){.type = TLP_CPLD, .length = 15, .rid = 0x113, .tag = 0x5a, .byte_count = 100, .lower_addr = 4},
         (uint32_t[]){0x4a00000f, 0x00000064, 0x01135a04, 0});
  golden(&(tlp_fields){.type = TLP_CPLD, .length = 10, .rid = 0x113, .tag = 0x5a, .byte_count = 40, .lower_addr = 0x40},
         (uint32_t[]){0x4a00000a, 0x00000028, 0x01135a40, 0});

  there_and_back();

  counts();
  no_words();

  static const struct {
    uint8_t type;
    const char *name;
  } names[] = {{0x00, "MRd32"},  {0x20, "MRd64"},  {0x01, "MRdLk32"}, {0x21, "MRdLk64"},    {0x40, "MWr32"},
               {0x60, "MWr64"},  {0x02, "IORd"},   {0x42, "IOWr"},    {0x04, "CfgRd0"},     {0x44, "CfgWr0"},
               {0x05, "CfgRd1"}, {0x45, "CfgWr1"}, {0x0a, "Cpl"},     {0x4a, "CplD"},       {0x0b, "CplLk"},
               {0x4b, "CplDLk"}, {0x33, "Msg"},    {0x74, "MsgD"},    {0x4c, "FetchAdd32"}, {0x6d, "Swap64"},
               {0x4e, "CAS32"},  {0x6e, "CAS64"},  {0x0c, "?"},       {0xff, "?"},          {0x8a, "?"}};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    CHECK(!strcmp(tlp_type_name(names[i].type), names[i].name));
  return report();
}
