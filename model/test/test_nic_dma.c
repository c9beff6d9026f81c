// SPDX-License-Identifier: Apache-2.0
// Data movement of the NIC: TLPs written down by hand, jobs cut and put together again, completions good and bad.
#include "check.h"
#include "tocsin/nic_dma.h"

#include <string.h>

static uint64_t seed = 7;
static uint64_t rnd(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}
static uint32_t below(uint32_t n) { return (uint32_t)(rnd() >> 20) % n; }

static void words(const tlp *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  EQ(t->hdr[0], a);
  EQ(t->hdr[1], b);
  EQ(t->hdr[2], c);
  EQ(t->hdr[3], d);
}

// 7 bytes at ..7e over a border of 128: two bytes of the last word before it, five behind it.
static void by_hand(void) {
  uint8_t payload[NIC_JOB_MAX];
  const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7};
  nic_dma_job job = {.rid = 0x113, .src = 9, .va = 0x12345007e, .len = 7};
  nic_chunk c = {0};
  tlp t;
  CHECK(nic_chunk_next(&job, 128, &c) && !nic_chunk_last(&job, &c));
  nic_wr_tlp(&job, &c, bytes, payload, &t);
  words(&t, 0x60000001, 0x0113000c, 1, 0x2345007c);
  CHECK(t.ndw == 1 && t.seq == 9 && !memcmp(payload, "\0\0\1\2", 4));
  CHECK(nic_chunk_next(&job, 128, &c) && nic_chunk_last(&job, &c));
  nic_wr_tlp(&job, &c, bytes, payload, &t);
  words(&t, 0x60000002, 0x0113001f, 1, 0x23450080);
  CHECK(!memcmp(payload, "\3\4\5\6\7\0\0\0", 8));
  CHECK(!nic_chunk_next(&job, 128, &c));

  job.va = 0x80001003, job.len = 6, c = (nic_chunk){0};
  CHECK(nic_chunk_next(&job, 512, &c));
  nic_rd_tlp(&job, &c, 0x5a, payload, &t);
  words(&t, 0x00000003, 0x01135a18, 0x80001000, 0);  // docs/formats.md 2.2
  CHECK(t.ndw == 0);

  job = (nic_dma_job){.rid = 0x200, .va = 0x7000000c, .op = NIC_DMA_FETCH_ADD, .swap = 0x0102030405060708};
  nic_rd_tlp(&job, &c, 3, payload, &t);
  words(&t, 0x4c000002, 0x020003ff, 0x70000008, 0);
  CHECK(t.ndw == 2 && !memcmp(payload, "\x8\7\6\5\4\3\2\1", 8));
  job = (nic_dma_job){.rid = 0x200, .va = 0x100000000, .op = NIC_DMA_CAS, .swap = 2, .compare = 1};
  nic_rd_tlp(&job, &c, 4, payload, &t);
  words(&t, 0x6e000004, 0x020004ff, 1, 0);
  CHECK(t.ndw == 4 && payload[0] == 1 && payload[8] == 2);
  EQ(nic_dma_size(0, 4096), 128);
  EQ(nic_dma_size(5, 4096), 4096);
  EQ(nic_dma_size(7, 4096), 4096);
  EQ(nic_dma_size(3, 512), 512);
}

// Jobs of any place and size: chunks do not cross the size, and what all of them write is what was given, once.
static void cut(void) {
  static uint8_t memory[3 * NIC_JOB_MAX], bytes[NIC_JOB_MAX], payload[NIC_JOB_MAX];
  for (unsigned n = 0; n < 3000; n++) {
    uint32_t size = nic_dma_size(below(8), 4096);
    nic_dma_job job = {.va = below(2 * NIC_JOB_MAX), .len = below(NIC_JOB_MAX + 1)};
    nic_chunk c = {0};
    uint8_t outside = 0;
    memset(memory, 0, sizeof memory);
    for (unsigned i = 0; i < job.len; i++) bytes[i] = (uint8_t)(1 + below(255));
    while (nic_chunk_next(&job, size, &c)) {
      tlp t;
      tlp_fields f;
      nic_wr_tlp(&job, &c, bytes, payload, &t);
      tlp_parse(t.hdr, &f);
      CHECK(f.addr / size == (f.addr + 4u * f.length - 1) / size);
      for (unsigned b = 0; b < 4u * f.length; b++) {
        bool on = (b < 4 ? f.fbe : b / 4 + 1 == f.length ? f.lbe : 15) >> b % 4 & 1;
        CHECK(on || t.data[b] == 0);
        if (!on) continue;
        CHECK(!memory[f.addr + b]);
        memory[f.addr + b] = t.data[b];
      }
    }
    CHECK(!memcmp(memory + job.va, bytes, job.len));
    for (unsigned i = 0; i < sizeof memory; i++)
      if (i < job.va || i >= job.va + job.len) outside |= memory[i];
    CHECK(!outside);
  }
}

static tlp completion(uint32_t *left, uint64_t at, uint32_t most, uint16_t rid, uint8_t tag, const uint8_t *data) {
  uint32_t lead = at & 3, bytes = *left < most - lead ? *left : most - lead;
  tlp_fields f = {.type = TLP_CPLD,
                  .rid = rid,
                  .tag = tag,
                  .byte_count = (uint16_t)*left,
                  .length = (uint16_t)((lead + bytes + 3) / 4)};
  tlp t = {.ndw = f.length, .data = data};
  tlp_pack(&f, t.hdr);
  *left -= bytes;
  return t;
}

static void reads(void) {
  nic_reads r;
  uint8_t item[64] = {0}, data[64];
  uint8_t err = NIC_ITEM_GOOD;
  nic_dma_job job = {.rid = 0x100, .va = 0x1003, .len = 30};
  nic_chunk c = {0};
  for (unsigned i = 0; i < 64; i++) data[i] = (uint8_t)(i + 1);
  nic_reads_init(&r, 4);
  CHECK(nic_chunk_next(&job, 512, &c));

  // in two parts: bytes 3 to 15, then 17
  nic_reads_open(&r, 2, &job, &c, item, &err);
  uint32_t left = 30;
  tlp a = completion(&left, 0x1003, 16, 0x100, 2, data), b = completion(&left, 0x1010, 64, 0x100, 2, data + 16);
  EQ(nic_reads_complete(&r, &a, true), NIC_CPL_MORE);
  EQ(nic_reads_complete(&r, &b, true), NIC_CPL_LAST);
  CHECK(!memcmp(item, data + 3, 30) && !err);
  EQ(nic_reads_complete(&r, &b, true), NIC_CPL_STRAY);

  // another requester, another tag, a tag that does not exist
  nic_reads_open(&r, 2, &job, &c, item, &err);
  tlp x = a;
  x.hdr[2] ^= 1u << 16;
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_STRAY);
  x = a, x.hdr[2] ^= 1u << 8;
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_STRAY);
  x = a, x.hdr[0] |= 1u << 23;
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_STRAY);
  x = a, x.hdr[0] ^= 1u << 24;  // CplDLk
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_MALFORMED);
  CHECK(!err);

  // out of order: given up, and not used again before the tags are freed
  EQ(nic_reads_complete(&r, &b, true), NIC_CPL_MALFORMED);
  CHECK(err && r.tag[2].state == NIC_TAG_DEAD);
  EQ(nic_reads_complete(&r, &a, true), NIC_CPL_STRAY);
  nic_reads_free(&r);
  EQ(r.tag[2].state, NIC_TAG_FREE);

  // one word too many; cut off; unsupported; poisoned; too late
  err = NIC_ITEM_GOOD;
  nic_reads_open(&r, 1, &job, &c, item, &err);
  left = 30;
  x = completion(&left, 0x1003, 64, 0x100, 1, data);
  x.hdr[0]++, x.ndw++;
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_MALFORMED);
  CHECK(err);
  err = NIC_ITEM_GOOD;
  nic_reads_open(&r, 0, &job, &c, item, &err);
  left = 30;
  x = completion(&left, 0x1003, 64, 0x100, 0, data);
  EQ(nic_reads_complete(&r, &x, false), NIC_CPL_MALFORMED);
  CHECK(err && r.tag[0].state == NIC_TAG_DEAD);
  err = NIC_ITEM_GOOD;
  nic_reads_open(&r, 3, &job, &c, item, &err);
  x.hdr[2] |= 3u << 8, x.hdr[1] |= (uint32_t)TLP_UR << 13;
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_FAILED);
  EQ(err, NIC_ITEM_REFUSED);
  EQ(r.tag[3].state, NIC_TAG_FREE);
  err = NIC_ITEM_GOOD;
  nic_reads_open(&r, 3, &job, &c, item, &err);
  x.hdr[1] &= ~(7u << 13), x.hdr[0] |= 1u << 14;
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_LAST);
  CHECK(err);
  err = NIC_ITEM_GOOD;
  nic_reads_open(&r, 3, &job, &c, item, &err);
  nic_reads_expire(&r, 3);
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_STRAY);
  CHECK(err && r.tag[3].state == NIC_TAG_DEAD);
  CHECK(!strcmp(nic_cpl_name(NIC_CPL_STRAY), "stray") && !strcmp(nic_cpl_name(NIC_CPL_COUNT), "?"));
}

// An item is refused if each of its pieces that failed has status UR and nothing else.
static void refused(void) {
  static const struct {
    unsigned status;
    uint8_t then;
  } piece[] = {
      {TLP_UR, NIC_ITEM_REFUSED}, {TLP_UR, NIC_ITEM_REFUSED}, {TLP_CA, NIC_ITEM_BROKEN}, {TLP_UR, NIC_ITEM_BROKEN}};
  nic_reads r;
  uint8_t item[64], data[64] = {0}, err = NIC_ITEM_GOOD;
  const nic_dma_job job = {.rid = 0x100, .va = 0x1000, .len = 32};
  nic_chunk c = {0};
  uint32_t left = 32;
  nic_reads_init(&r, 4);
  CHECK(nic_chunk_next(&job, 512, &c));
  const tlp good = completion(&left, 0x1000, 64, 0x100, 3, data);
  for (unsigned k = 0; k < sizeof piece / sizeof *piece; k++) {
    tlp x = good;
    x.hdr[1] |= (uint32_t)piece[k].status << 13;
    nic_reads_open(&r, 3, &job, &c, item, &err);
    EQ(nic_reads_complete(&r, &x, true), NIC_CPL_FAILED);
    EQ(err, piece[k].then);
  }
  err = NIC_ITEM_GOOD;
  tlp x = good;
  x.hdr[1] |= (uint32_t)TLP_UR << 13;
  x.hdr[0] |= 1u << 14;  // EP
  nic_reads_open(&r, 3, &job, &c, item, &err);
  EQ(nic_reads_complete(&r, &x, true), NIC_CPL_FAILED);
  EQ(err, NIC_ITEM_BROKEN);
}

int main(void) {
  by_hand();
  cut();
  reads();
  refused();
  return report();
}
