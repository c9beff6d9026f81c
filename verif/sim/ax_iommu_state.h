// SPDX-License-Identifier: Apache-2.0
// The test of ax_iommu: what its parts share: the pages and what each is for, bursts, channels, the log that has to be.
#ifndef TOCSIN_AX_IOMMU_STATE_H
#define TOCSIN_AX_IOMMU_STATE_H

#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "ax_iommu_tb.h"
#include "aa_fields.h"

#define BEAT (S_AXI_WDATA_W / 8)
#define TOP (BEAT == 16 ? 4u : BEAT == 32 ? 5u : 6u)  // AxSIZE of a whole word
#define QUEUE 32u                                     // bursts of the accelerator
#define DEPTH 64u                                     // bursts at a memory
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

// The IOMMU's own memory: pointer and messages, tables, the ring of log 0.
enum { PTR = 0x10, MSI = 0x24, EVENT = 0x3c, ROOT = 0x1000, CONTEXT = 0x2000, TABLE = 0x4000, RING = 0xc000 };
enum { OWN_BYTES = 0x10000, RING_BYTES = 0x4000, RING_SIZE = 14, IUID = 0x155 };
enum { READ_W = 1, WRITE_W = 2, WLD = 1 << 8, RLD = 1 << 10 };  // bits of a leaf
enum {                                                          // registers
  GCMD = 0x18,
  RTADDR = 0x20,
  FSTS = 0x30,
  FECTL = 0x38,
  FEADDR = 0x40,
  FRCD = 0x220,
  AA_CTL = 0x1010,
  ERR_STS = 0x1030,
  ERR_ADDR = 0x1038,
  LOG = 0x2000,
  SPARE = 0x2060,  // LOG_MSID of log 1, which stays closed: 64 bits that are kept
  PROD = 0x10000,
  CONS = 0x10008,
  LP_STS = 0x10018
};

typedef enum kind { PLAIN, BOTH, REDIRECT, READ_ONLY, NONE, BAD, KINDS } kind;
static const struct {
  kind kind;
  unsigned who;  // 2: a requester without tables
} plan[] = {{PLAIN, 0}, {PLAIN, 0}, {BOTH, 0}, {REDIRECT, 0}, {READ_ONLY, 0}, {NONE, 0}, {BAD, 0},  {PLAIN, 1},
            {PLAIN, 1}, {BOTH, 1},  {BOTH, 1}, {REDIRECT, 1}, {NONE, 1},      {BAD, 1},  {NONE, 2}, {PLAIN, 1}};
#define PAGES (sizeof plan / sizeof *plan)

typedef struct page {
  kind kind;
  unsigned who;
  uint64_t va, host;
  bool busy;
} page;

typedef struct burst {  // of the accelerator
  uint64_t addr;
  unsigned id, len, size, type, page;
  bool bad, crosses;
  uint8_t data[16384];
  bool on[16384];
} burst;

typedef struct channel {  // AW or AR of a memory
  bool valid;
  uint64_t addr, id, len, size, type, cache, prot, user;
} channel;

typedef struct pins {  // what a memory is shown
  channel aw, ar;
  bool wvalid, wlast, bready, rready;
  uint32_t wdata[16];
  uint64_t wstrb;
} pins;

typedef struct held {  // what waits may not change
  bool up;
  uint32_t now[24];
} held;

typedef struct work {  // a burst at a memory
  channel a;
  bool gone;
  uint64_t due;
  unsigned beats;
  uint8_t data[4096 + 64];
  bool on[4096 + 64];
} work;

typedef struct port {
  work wr[DEPTH], rd[DEPTH];
  unsigned aw_in, w_in, b_low, ar_in, r_low, beat;
  int b, r;                                   // what is being answered, or -1
  bool aw_ready, w_ready, ar_ready, b_error;  // b_error: of this response
  held aw, w, ar;
  unsigned pct[5], delay;  // chances of AW, W, AR, B, R
  bool hold_b, hold_r;     // nothing is answered
} port;

typedef struct byte {  // that has to be in the log
  uint64_t addr;
  uint8_t value, who;
  bool denied;
} byte;
typedef struct bytes {
  byte at[1 << 17];
  unsigned in, out;
} bytes;

typedef enum asked { BY_HAND, FOR_PROD, FOR_SPARE } asked;
typedef struct registers {
  bool aw_left, w_left, ar_left, aw_up, w_up, ar_up, b_up, r_up, writing, reading, hands;
  uint64_t waddr, wdata, raddr, got;
  unsigned strobes;
  asked what;
  held b, r;
  unsigned pct;
} registers;

typedef struct state {
  page pages[PAGES];
  unsigned rid[3];
  uint8_t memory[PAGES * 4096], want[PAGES * 4096], own[OWN_BYTES];
  uint64_t base;  // of the IOMMU's own memory
  uint32_t msi_data, event_data;
  burst wr[QUEUE], rd[QUEUE];
  unsigned wr_made, aw_out, w_out, w_beat, b_in, rd_made, ar_out, r_in, r_beat;
  bool aw_up, w_up, ar_up, b_up, r_up;
  held b_held, r_held;
  unsigned pct[4];  // chances of AW and AR, W, B, R
  port data, mine;
  bool fail_ring, fail_ptr, fail_walk;  // the IOMMU's memory refuses
  bytes puts, gets;
  registers reg;
  uint64_t spare;
  uint32_t cons;
  bool cons_due;
  unsigned sleep;  // cycles for which software looks at nothing
  unsigned mps, mrrs, tmo;
  bool free_tags;
  unsigned write_errors, strays, timeouts;  // that are to be told
  struct {
    uint64_t addr;
    uint32_t value;
    unsigned user;
  } intr[DEPTH];
  unsigned intr_made, intr_in;
  unsigned longest_aw, longest_ar;  // bytes of bursts of d_axi
  unsigned kind_wr[KINDS], kind_rd[KINDS], refused, entries[2], pads, msis, events, pointers, walks, spares, errors;
} state;

// ---- places ----
static unsigned page_at(const state *s, uint64_t host) {
  unsigned p = 0;
  while (p < PAGES && host - s->pages[p].host >= 4096) p++;
  return p;
}
static bool up(tb *t, unsigned percent) { return rnd_chance(t, percent); }
static bool maps(kind k) { return k != NONE; }
static bool writes(kind k) { return k == PLAIN || k == BOTH; }
static uint64_t border(const burst *b) { return b->addr & ~((1ull << b->size) - 1); }

// Nothing goes on: the run ends here.
static void stop(tb *t, const char *what) {
  CHECK(t, false, "%s", what);
  exit(tb_end(t));
}

#endif
