// SPDX-License-Identifier: Apache-2.0
// A root complex: byte enables of writes, the split of reads, each atomic with and without memory that does it, and
// memory that refuses; every case against what PCIe says of it, byte by byte.
#include <string.h>

#include "check.h"
#include "tocsin/tocsin_root.h"

enum { MEM = 0x4000, AT = 0x1000, CPLS = 64, RID = 0x0113, TAG = 0x3a5, SEQ = 77, SPLIT = 256 };

typedef struct host {
  uint8_t mem[MEM], touched[MEM];
  uint64_t base;             // of mem
  bool no_read, no_write;    // memory refuses
  bool no_atomic;            // and so does what does atomics
  unsigned writes, atomics;  // calls
  unsigned size;             // of the last atomic: how it came
  bool cas;
  uint64_t swap, compare;
  unsigned cpls;
  uint32_t hdr[CPLS][4], bytes[CPLS];
  uint8_t seq[CPLS];
  uint8_t data[TLP_MAX_BYTES];  // of all completions, one behind the other
  uint32_t all;
} host;

static host h;

static bool inside(const host *d, uint64_t addr, size_t n) {
  return addr >= d->base && addr - d->base <= MEM && n <= MEM - (addr - d->base);
}

static bool mem_read(void *ctx, uint64_t addr, void *b, size_t n) {
  host *d = ctx;
  if (d->no_read || !inside(d, addr, n)) return false;
  memcpy(b, d->mem + (addr - d->base), n);
  return true;
}

static bool mem_write(void *ctx, uint64_t addr, const void *b, size_t n) {
  host *d = ctx;
  d->writes++;
  if (d->no_write || !inside(d, addr, n)) return false;
  memcpy(d->mem + (addr - d->base), b, n);
  for (size_t i = 0; i < n; i++) d->touched[addr - d->base + i]++;
  return true;
}

static bool mem_atomic(void *ctx, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                       uint64_t *old) {
  host *d = ctx;
  d->atomics++;
  d->size = size;
  d->cas = cas;
  d->swap = swap;
  d->compare = compare;
  *old = 0xfeedfacecafe0000 | (addr & 0xffff);
  return !d->no_atomic;
}

static void complete(void *to, const tlp *t) {
  host *d = to;
  if (d->cpls == CPLS || d->all + 4 * t->ndw > sizeof d->data) {
    failed++;
    return;
  }
  memcpy(d->hdr[d->cpls], t->hdr, sizeof t->hdr);
  d->seq[d->cpls] = t->seq;
  if (t->ndw) memcpy(d->data + d->all, t->data, 4 * (size_t)t->ndw);
  d->all += d->bytes[d->cpls++] = 4 * t->ndw;
}

static const tocsin_root_ops plain = {mem_read, mem_write, NULL, complete, &h};
static const tocsin_root_ops atomics = {mem_read, mem_write, mem_atomic, complete, &h};

static void begin(uint64_t base) {
  memset(&h, 0, sizeof h);
  h.base = base;
  for (unsigned i = 0; i < MEM; i++) h.mem[i] = (uint8_t)(i * 7 + (i >> 8));
}

static void request(const tocsin_root_ops *ops, tlp_fields f, unsigned ndw, const uint8_t *data) {
  tlp t = {.ndw = ndw, .data = data, .seq = SEQ};
  f.rid = RID;
  f.tag = TAG;
  tlp_pack(&f, t.hdr);
  tocsin_root_request(ops, &h, &t);
}

// The k-th completion, and what all of one request share.
static tlp_fields completion(unsigned k) {
  tlp_fields f;
  tlp_parse(h.hdr[k], &f);
  EQ(f.rid, RID);
  EQ(f.tag, TAG);
  EQ(h.seq[k], SEQ);
  EQ(f.type, h.bytes[k] ? TLP_CPLD : TLP_CPL);
  EQ(f.length, h.bytes[k] / 4);
  return f;
}

static uint64_t word(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  while (n--) v = v << 8 | p[n];
  return v;
}
static void put(uint8_t *p, unsigned n, uint64_t v) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

// Enabled bytes of a write reach memory, each once, and no other byte is touched. There is no answer.
static void write_one(uint64_t base, unsigned len, unsigned fbe, unsigned lbe) {
  static uint8_t data[TLP_MAX_BYTES], was[MEM];
  for (unsigned i = 0; i < 4 * len; i++) data[i] = (uint8_t) ~(i * 5);
  begin(base);
  memcpy(was, h.mem, MEM);
  request(&plain,
          (tlp_fields){.type = base >> 32 ? TLP_MWR64 : TLP_MWR32,
                       .length = (uint16_t)len,
                       .fbe = (uint8_t)fbe,
                       .lbe = (uint8_t)lbe,
                       .addr = base + AT},
          len, data);
  unsigned bad = 0;
  for (unsigned i = 0; i < MEM; i++) {
    unsigned k = i - AT, enabled = 0;
    if (i >= AT && k < 4 * len) enabled = k < 4 ? fbe >> k & 1 : k < 4 * len - 4 ? 1 : lbe >> k % 4 & 1;
    bad += h.touched[i] != enabled || h.mem[i] != (enabled ? data[k] : was[i]);
  }
  EQ(bad, 0);
  EQ(h.cpls, 0);
}

static void writes(void) {
  for (unsigned fbe = 0; fbe < 16; fbe++) {
    write_one(0, 1, fbe, 0);
    for (unsigned lbe = 0; lbe < 16; lbe++) {
      write_one(0, 2, fbe, lbe);
      write_one(0x7654300000, 3, fbe, lbe);
    }
  }
  write_one(0, 64, 14, 7);
  write_one(0x7654300000, 1024, 8, 1);
  write_one(0, 1024, 15, 15);
  EQ(h.writes, 1);  // what is not interrupted is one write
  begin(0);         // refused: of a posted request nobody hears
  h.no_write = true;
  request(&plain, (tlp_fields){.type = TLP_MWR32, .length = 1, .fbe = 15, .addr = AT}, 1, h.data);
  EQ(h.writes, 1);
  EQ(h.cpls, 0);
}

// Completions of a read come in order, each ends at a multiple of 256 or with the read; ByteCount is what is left,
// LowerAddress where the first enabled byte lies.
static void read_one(uint64_t base, unsigned offset, unsigned len, unsigned fbe, unsigned lbe) {
  begin(base);
  uint64_t addr = base + offset;
  request(&plain,
          (tlp_fields){.type = base >> 32 ? TLP_MRD64 : TLP_MRD32,
                       .length = (uint16_t)len,
                       .fbe = (uint8_t)fbe,
                       .lbe = (uint8_t)lbe,
                       .addr = addr},
          0, NULL);
  unsigned last = len == 1 ? fbe : lbe, end = 4 * len;  // behind the last enabled byte
  while (last && !(last >> (end - 1) % 4 & 1)) end--;
  if (!last) end = 4 * len - 3;  // none: one byte, as PCIe has it
  unsigned first = tlp_first_byte(fbe), from = 0, k = 0;
  for (; k < h.cpls && from < 4 * len; k++) {
    tlp_fields f = completion(k);
    unsigned start = k ? from : first, to = from + h.bytes[k];
    EQ(f.status, TLP_SC);
    EQ(f.lower_addr, (addr + start) & 0x7f);
    EQ(f.byte_count, end - start);
    CHECK(h.bytes[k] && (to == 4 * len || (addr + to) % SPLIT == 0));
    CHECK((addr + from) / SPLIT == (addr + to - 1) / SPLIT);
    from = to;
  }
  EQ(from, 4 * len);
  EQ(k, h.cpls);
  CHECK(!memcmp(h.data, h.mem + offset, 4 * (size_t)len));
  EQ(h.writes, 0);
}

static void reads(void) {
  for (unsigned fbe = 0; fbe < 16; fbe++) {
    read_one(0, AT + 4 * fbe, 1, fbe, 0);
    for (unsigned lbe = 1; lbe < 16 && fbe; lbe++) read_one(0, AT + SPLIT - 4, 2, fbe, lbe);
  }
  static const unsigned offset[] = {0, 4, 0x7c, 0x80, 0xfc, 0x1f8}, len[] = {2, 33, 63, 64, 65, 128, 200, 1000};
  for (unsigned i = 0; i < sizeof offset / sizeof *offset; i++)
    for (unsigned k = 0; k < sizeof len / sizeof *len; k++) {
      read_one(0, AT + offset[i], len[k], 8, 1);
      read_one(0x7654300000, AT + offset[i], len[k], 15, 15);
    }
  read_one(0, AT, 1024, 15, 15);
  begin(0);  // refused: one completion without data, for all of the read
  h.no_read = true;
  request(&plain, (tlp_fields){.type = TLP_MRD32, .length = 100, .fbe = 12, .lbe = 3, .addr = AT + 0x24}, 0, NULL);
  EQ(h.cpls, 1);
  EQ(h.bytes[0], 0);
  tlp_fields f = completion(0);
  EQ(f.status, TLP_UR);
  EQ(f.byte_count, 396);
  EQ(f.lower_addr, 0x26);
}

// An atomic's answer: what memory had, or that it was refused.
static void answered(unsigned status, unsigned size, uint64_t old) {
  EQ(h.cpls, 1);
  tlp_fields f = completion(0);
  EQ(f.status, status);
  EQ(f.byte_count, size);
  EQ(f.lower_addr, 0);
  EQ(h.bytes[0], status == TLP_SC ? size : 0);
  if (status == TLP_SC) EQ(word(h.data, size), old);
}

// Type (with 3-DW header), operands, what memory had, and what it has then.
typedef struct atomic {
  uint8_t type;
  unsigned size;
  uint64_t first, second, was, then;
} atomic;

static const atomic cases[] = {
    {TLP_FADD32, 4, 0x10, 0, 0xfffffff5, 0x00000005},  // modulo its size
    {TLP_FADD32, 8, 0x100000000, 0, 0x12ffffffff, 0x13ffffffff},
    {TLP_SWAP32, 4, 0x89abcdef, 0, 0x01234567, 0x89abcdef},
    {TLP_SWAP32, 8, 0x8899aabbccddeeff, 0, 0x1122334455667788, 0x8899aabbccddeeff},
    {TLP_CAS32, 4, 0x01234567, 0x89abcdef, 0x01234567, 0x89abcdef},
    {TLP_CAS32, 4, 0x01234568, 0x89abcdef, 0x01234567, 0x01234567},
    {TLP_CAS32, 8, 0x1122334455667788, 0x8899aabbccddeeff, 0x1122334455667788, 0x8899aabbccddeeff},
    {TLP_CAS32, 8, 0x0122334455667788, 0x8899aabbccddeeff, 0x1122334455667788, 0x1122334455667788},
};

static void ask(const tocsin_root_ops *ops, const atomic *a) {
  uint8_t data[16] = {0};
  unsigned operands = a->type == TLP_CAS32 ? 2 : 1;
  put(h.mem + AT, 8, 0xa5a5a5a5a5a5a5a5);  // what lies behind 4 bytes stays
  put(h.mem + AT, a->size, a->was);
  put(data, a->size, a->first);
  if (operands == 2) put(data + a->size, a->size, a->second);
  unsigned ndw = operands * a->size / 4;
  request(ops,
          (tlp_fields){.type = (uint8_t)(a->type | (h.base >> 32 ? TLP_4DW : 0)),
                       .length = (uint16_t)ndw,
                       .fbe = 15,
                       .lbe = ndw > 1 ? 15 : 0,
                       .addr = h.base + AT},
          ndw, data);
}

static void by_read_and_write(const atomic *a, uint64_t base) {
  begin(base);
  ask(a->type == TLP_SWAP32 ? &atomics : &plain, a);  // a swap is never the memory's
  answered(TLP_SC, a->size, a->was);
  EQ(word(h.mem + AT, a->size), a->then);
  if (a->size == 4) EQ(word(h.mem + AT + 4, 4), 0xa5a5a5a5);
  EQ(h.atomics, 0);
  begin(base);
  h.no_read = true;
  ask(&plain, a);
  answered(TLP_UR, a->size, 0);
  EQ(h.writes, 0);
  begin(base);
  h.no_write = true;
  ask(&plain, a);
  answered(TLP_UR, a->size, 0);
}

static void by_memory(const atomic *a, uint64_t base) {
  begin(base);
  ask(&atomics, a);
  answered(TLP_SC, a->size, a->size == 8 ? 0xfeedfacecafe0000 | AT : 0xcafe0000 | AT);
  EQ(h.atomics, 1);
  EQ(h.writes, 0);
  EQ(h.size, a->size);
  EQ(h.cas, a->type == TLP_CAS32);
  EQ(h.swap, h.cas ? a->second : a->first);
  if (h.cas) EQ(h.compare, a->first);
  begin(base);
  h.no_atomic = true;
  ask(&atomics, a);
  answered(TLP_UR, a->size, 0);
}

static void atomic_requests(void) {
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned k = 0; k < 2; k++) {
      uint64_t base = k ? 0x7654300000 : 0;
      by_read_and_write(&cases[i], base);
      if (cases[i].type != TLP_SWAP32) by_memory(&cases[i], base);
    }
  begin(0);  // of neither 4 nor 8 bytes
  request(&atomics, (tlp_fields){.type = TLP_FADD32, .length = 3, .fbe = 15, .lbe = 15, .addr = AT}, 3, h.mem);
  EQ(h.cpls, 1);
  EQ(completion(0).status, TLP_UR);
  EQ(h.atomics + h.writes, 0);
}

// Messages and completions of devices end here.
static void others(void) {
  begin(0);
  request(&plain, (tlp_fields){.type = TLP_MSG, .code = 0x20}, 0, NULL);
  request(&plain, (tlp_fields){.type = TLP_MSGD, .length = 1, .code = 0x7e}, 1, h.data);
  request(&plain, (tlp_fields){.type = TLP_CPL, .byte_count = 4}, 0, NULL);
  request(&plain, (tlp_fields){.type = TLP_CPLD, .length = 1, .byte_count = 4}, 1, h.data);
  EQ(h.cpls + h.writes, 0);
}

int main(void) {
  writes();
  reads();
  atomic_requests();
  others();
  return report();
}
