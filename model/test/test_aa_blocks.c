// SPDX-License-Identifier: Apache-2.0
// Rules that one block of the IOMMU's model keeps by itself, each asked of that block alone or by one record.
// Rules of rtl/aa/README.md: DEC-15, ERR-1, ERR-4, ERR-7, FLU-2, FLU-3, INV-1, INV-3, INV-11, LOG-3, LOG-5, LOG-6,
// LOG-8, LOG-11, NTF-1, NTF-3, RET-1, STR-5, STR-9, STR-10, TAG-1, TAG-3, TAG-4, TAG-6, TAG-7, TAG-9, XLT-9, XLT-10.
#include "../src/aa/aa_queue.h"
#include "../src/aa/aa_state.h"
#include "world.h"

enum { LOGGED = 0x11000, READ_LOG = 0x12000, PLAIN = 0x10000, IUID = 5 };

static world w;

static void fresh(const aa_config *cfg) {
  world_init(&w, cfg);
  map(&w, PLAIN, 0x40000 | PTE_R | PTE_W);
  map(&w, LOGGED, 0x41000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(IUID));
  map(&w, READ_LOG, 0x42000 | PTE_R | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(IUID));
  world_on(&w);
}

// ---- completions ----------------------------------------------------------------------------------------------------

// TAG-1, TAG-4: form comes before everything; a payload that is not as long as Length is out of form.
static void form(const aa_config *cfg) {
  fresh(cfg);
  get(&w, 1, PLAIN, 2, 0xff);
  for (unsigned i = 0; i < 6; i++) {
    unsigned e = AA_TAG_NONE;
    tlp t = completion(SID, 1, TLP_SC, 8, 0, 2, NULL);
    if (i == 1 || i == 2) t.ndw += i == 1 ? 1u : -1u;
    if (i == 4) t.hdr[0] = (t.hdr[0] & 0xffffffu) | (uint32_t)TLP_MWR32 << 24;
    if (i == 5) t.hdr[0] = (t.hdr[0] & 0xffffffu) | (uint32_t)TLP_CPL << 24, t.ndw = 0;  // success, but no data
    EQ(aa_cpl_judge(&w.m->tags, &t, i == 3, &e), i ? AA_CPL_MALFORMED : AA_CPL_LAST);
    EQ(e == AA_TAG_NONE, i > 0 && i < 5);
  }
  world_free(&w);
}

// LOG-3, LOG-5: the pad before a logged get is written with it, 16 bytes; TAG-6: a read without record writes nothing.
static void pad_of_get(const aa_config *cfg) {
  fresh(cfg);
  log_open(&w, 0, IUID, 6, 0);
  put(&w, LOGGED, 4, 0xff);
  consume(&w, 0, 32);
  get(&w, 1, READ_LOG, 8, 0xff);  // 48 bytes, of which 32 would be left: a pad of 32, and not enough
  EQ(rsvd(&w, 0), 32);
  world_free(&w);
  fresh(cfg);
  log_open(&w, 0, IUID, 7, 0);
  for (unsigned i = 0; i < 3; i++) {
    put(&w, LOGGED, 4, 0xff);
    consume(&w, 0, 32 * (i + 1));
  }
  unsigned before = w.writes;
  memset(w.mem + RING + 96, 0xee, 32);
  get(&w, 1, READ_LOG, 8, 0xff);
  EQ(rsvd(&w, 0), 96 + 32 + 48);
  EQ(w.writes, before);
  complete(&w, 1, TLP_SC, 32, 8);
  EQ(prod(&w, 0), 96 + 32 + 48);
  entry pad = entry_of(&w, 0, 96, 7), e = entry_of(&w, 0, 128, 7);
  EQ(pad.kind, AA_ENTRY_PAD);
  EQ(pad.len, 32 / 4 - 4);
  EQ(pad.addr, 0);
  EQ(w.mem[RING + 112], 0xee);
  EQ(e.kind, AA_ENTRY_GET);
  EQ(e.addr, READ_LOG);
  EQ(e.aborted, 0);
  // time-outs: of a read without record, then of one with
  wr(&w, AA_REG_AA_CPL_TMO, 100);
  before = w.writes;
  get(&w, 2, PLAIN, 1, 15);
  EQ(aa_advance(w.m, 100), AA_OK);
  EQ(w.writes, before);
  EQ(prod(&w, 0), 176);
  get(&w, 3, READ_LOG, 4, 0xff);
  EQ(aa_advance(w.m, 100), AA_OK);
  EQ(w.writes, before + 1);
  EQ(prod(&w, 0), 176 + 32);
  EQ(entry_of(&w, 0, 176, 7).aborted, 1);
  world_free(&w);
}

// FLU-3: one completion with all its data, even words the consumer, odd ones whether it is done, by their addresses.
static void flush_answers(void) {
  for (unsigned i = 0; i < 32; i++) {
    unsigned odd = i & 1, len = 1 + (i >> 1 & 3), undone = i >> 3 & 1, be = i >> 4 ? 12 : 15;
    aa_waiter f = {.seq = (uint8_t)(i + 7)};
    uint8_t data[16];
    tlp t = request(TLP_MRD32, SID, 0x21, 0x5010 + 4 * odd, len, len > 1 ? 0xf0 | be : be);
    memcpy(f.hdr, t.hdr, sizeof f.hdr);
    memset(&t, 0xff, sizeof t);
    memset(data, 0x55, sizeof data);
    aa_flush_answer(&f, 0x12345678, undone, &t, data);
    EQ(tlp_type(t.hdr), TLP_CPLD);
    EQ(tlp_length(t.hdr), len);
    EQ(t.hdr[1], 4 * len - (be == 12 ? 2 : 0));  // completer 0, status SC
    EQ(t.hdr[2], (uint32_t)SID << 16 | 0x21 << 8 | (0x10 + 4 * odd + (be == 12 ? 2 : 0)));
    EQ(t.ndw, len);
    EQ(t.seq, i + 7);
    EQ(t.err, 0);
    for (unsigned k = 0; k < 4; k++) {
      uint32_t got, want = (k + odd) & 1 ? (undone ? 0x80000000u : 0) : 0x12345678u;
      memcpy(&got, t.data + 4 * k, 4);
      EQ(got, k < len ? want : 0x55555555u);
    }
  }
}

// FLU-2: the record of a waiter that holds none, or that there is not.
static void no_flush(const aa_config *cfg) {
  fresh(cfg);
  aa_retire_rec r = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_FLUSH};
  EQ(aa_retire(w.m, &r), AA_E_ORDER);
  CHECK(!strcmp(aa_reason(w.m), "waiter 0 holds no flush"));
  r.idx = (uint8_t)cfg->FlushWaiters;
  EQ(aa_retire(w.m, &r), AA_E_ORDER);
  world_free(&w);
}

// TAG-7: each port gets as many entries as it has of its own, whatever the others hold, and all that are common,
// however often entries have come and gone.
static void shares(aa_config cfg) {
  cfg.NumPorts = 4;
  cfg.TagEntries = 16;  // two of each port's own, eight common
  fresh(&cfg);
  wr32(&w, AA_REG_GCMD, 0);
  for (unsigned port = 0; port < 4; port++)
    for (unsigned again = 0; again < 3; again++) {
      for (unsigned n = 0; n < 14; n++) {  // four of them wait for an entry
        tlp t = request(TLP_MRD32, SID, n, PLAIN, 1, 15);
        EQ(aa_submit(w.m, port, &t), AA_OK);
      }
      unsigned before = w.reqs;
      EQ(aa_pending(w.m), 4);
      for (unsigned other = 0; other < 4; other++) {
        if (other == port) continue;
        for (unsigned n = 0; n < 3; n++) {
          tlp t = request(TLP_MRD32, SID + 8 * (other + 1), n, PLAIN, 1, 15);
          EQ(aa_submit(w.m, other, &t), AA_OK);
        }
      }
      EQ(w.reqs, before + 6);
      for (unsigned i = 0; i < 16; i++) {
        const aa_tag *t = &w.m->tags.tag[i];
        EQ(t->live, true);
        CHECK(i >= 8 || i / 2 == t->port);
      }
      for (unsigned n = 0; n < 14; n++) complete(&w, n, TLP_SC, 4, 1);
      for (unsigned other = 0; other < 4; other++)
        for (unsigned n = 0; other != port && n < 3; n++) {
          tlp t = completion(SID + 8 * (other + 1), n, TLP_SC, 4, 0, 1, NULL);
          EQ(aa_complete(w.m, &t), AA_OK);
        }
      EQ(aa_pending(w.m), 0);
      EQ(aa_tag_used(&w.m->tags), 0);
    }
  EQ(take_err(&w), AA_ERR_NONE);
  world_free(&w);
}

// The same in lockstep, where hardware chooses: any number of reads one after the other.
static void many_reads(const aa_config *cfg) {
  fresh(cfg);
  wr32(&w, AA_REG_GCMD, 0);
  for (unsigned i = 0; i < 600; i++) {
    tlp t = request(TLP_MRD32, SID, 1, PLAIN, 1, 15), c = completion(SID, 1, TLP_SC, 4, 0, 1, NULL);
    aa_retire_rec x = {.kind = AA_RET_XLATE, .lane = 1, .idx = (uint8_t)i},
                  d = {.kind = AA_RET_DECIDE, .lane = 1, .idx = (uint8_t)(i % cfg->TagEntries), .a = PLAIN},
                  e = {.kind = AA_RET_CPL, .code = AA_CPL_LAST, .idx = (uint8_t)(i % cfg->TagEntries)};
    EQ(aa_dev_tlp(w.m, 0, &t, false), AA_OK);
    EQ(aa_retire(w.m, &x), AA_OK);
    EQ(aa_retire(w.m, &d), AA_OK);
    EQ(aa_host_cpl(w.m, &c, false), AA_OK);
    EQ(aa_retire(w.m, &e), AA_OK);
  }
  world_free(&w);
}

// TAG-9: a drain does not wait for what is in quarantine, and its late completion leaves nothing behind.
static void drained(const aa_config *cfg) {
  fresh(cfg);
  wr(&w, AA_REG_AA_CPL_TMO, 100);
  get(&w, 1, PLAIN, 1, 15);
  wr(&w, AA_REG_IOTLB, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB);
  EQ(rd(&w, AA_REG_IOTLB) & AA_IOTLB_IVT_MASK, AA_IOTLB_IVT_MASK);
  EQ(aa_advance(w.m, 100), AA_OK);
  EQ(rd(&w, AA_REG_IOTLB) & AA_IOTLB_IVT_MASK, 0);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(take_err(&w), AA_ERR_CPL_TIMEOUT);
  poke64(&w, QUEUE, 5 | 0x20 | 0x99ull << 32);
  poke64(&w, QUEUE + 8, STATUS);
  wr(&w, AA_REG_IQA, QUEUE);
  wr32(&w, AA_REG_GCMD, AA_GCMD_TE_MASK | AA_GCMD_QIE_MASK);
  wr(&w, AA_REG_IQT, 16);
  EQ(peek64(&w, STATUS), 0x99);
  EQ(rd(&w, AA_REG_IQH), 16);
  world_free(&w);
}

// ---- faults and events ----------------------------------------------------------------------------------------------

static void events(void) {
  // ERR-7: when WERR rises, and not when it is there; dropped if VALID is cleared before
  aa_fault f;
  aa_fault_init(&f);
  aa_fault_error(&f, AA_ERR_STRAY, 1, 0, 0);
  EQ(f.werr_pending, false);
  aa_fault_write_error(&f, 3, 0x1000);
  EQ(f.werr_pending, true);
  EQ(f.err_sts >> AA_AA_ERR_STS_CODE_LSB & 31, AA_ERR_STRAY);
  EQ(f.err_sts & 7, AA_AA_ERR_STS_VALID_MASK | AA_AA_ERR_STS_MORE_MASK | AA_AA_ERR_STS_WERR_MASK);
  f.werr_pending = false;  // sent
  aa_fault_write_error(&f, 3, 0x2000);
  EQ(f.werr_pending, false);
  aa_fault_error_clear(&f);
  EQ(f.err_sts, 0);
  aa_fault_write_error(&f, 3, 0x2000);
  EQ(f.werr_pending, true);
  EQ(f.err_addr, 0x2000);
  aa_fault_error_clear(&f);
  EQ(f.werr_pending, false);
  EQ(f.event.pending, false);
  // INV-3, INV-1: IQE raises the event of FSTS if nothing there was set; the event's pending bit falls with the last
  for (unsigned i = 0; i < 8; i++) {
    aa_fault_init(&f);
    f.iqe = i & 1;
    f.pfo = i >> 1 & 1;
    if (i & 4) f.hi[3] = AA_FRCDH_F_MASK;
    EQ(aa_fault_ppf(&f), i >> 2);
    aa_fault_iqe(&f);
    EQ(f.iqe, true);
    EQ(f.event.pending, !i);
    f.event.pending = true;
    f.iqe = i & 1;
    aa_fault_settle(&f);
    EQ(f.event.pending, i != 0);
  }
}

// INV-3: the tail may not lie beyond the queue; a record says what the descriptor is.
static void queue(const aa_config *cfg) {
  static const struct {
    uint64_t tail;
    bool flag;
    uint64_t a, b;
    aa_status want;
  } q[] = {
      {16, false, 0x12, 0, AA_OK},           {16, false, 0x13, 0, AA_E_MISMATCH}, {16, false, 0x12, 1, AA_E_MISMATCH},
      {16, true, 0x12, 0, AA_E_MISMATCH},    {4080, false, 0x12, 0, AA_OK},       {4096, true, 0, 0, AA_OK},
      {4096, false, 0x12, 0, AA_E_MISMATCH},
  };
  for (unsigned i = 0; i < sizeof q / sizeof *q; i++) {
    fresh(cfg);
    poke64(&w, QUEUE, 0x12);  // IOTLB, global
    w.m->qi.on = true;
    w.m->qi.iqa = QUEUE;
    w.m->qi.iqt = q[i].tail;
    unsigned before = w.recs;
    aa_retire_rec r = {.kind = AA_RET_INVAL, .flag = q[i].flag, .a = q[i].a, .b = q[i].b};
    EQ(aa_retire(w.m, &r), q[i].want);
    EQ(w.recs, before);  // lockstep makes none of its own
    EQ(w.m->fault.iqe, q[i].want == AA_OK && q[i].flag);
    world_free(&w);
  }
}

// ---- writes that fail -----------------------------------------------------------------------------------------------

// ERR-1: what a record of a failed write may say.
static void failed_writes(aa_config cfg, unsigned log) {
  enum { MSI_AT = STATUS + 8 };
  static const struct {
    unsigned idx, slot, flag;
    uint64_t a;
    aa_status want;
  } r[] = {
      {0, 0, 0, RING, AA_OK},
      {1, 0, 0, RING + 255, AA_OK},
      {0, 0, 0, RING + 256, AA_E_ORDER},  // beyond the ring
      {0, 0, 0, RING - 1, AA_E_ORDER},    // before it
      {0, 0, 1, RING, AA_E_ORDER},        // an entry is no pointer
      {0, 0xff, 0, RING, AA_E_ORDER},     // an entry is a log's
      {1, 0xff, 0, RING, AA_E_ORDER},
      {2, 0xff, 0, STATUS, AA_OK},
      {2, 0xff, 1, STATUS, AA_E_ORDER},  // a pointer is a log's
      {2, 0, 1, PTRS, AA_OK},
      {2, 0, 0, PTRS, AA_E_ORDER},
      {2, 0, 0, MSI_AT, AA_OK},
      {2, 0, 1, MSI_AT, AA_E_ORDER},
      {2, 1, 1, PTRS, AA_E_ORDER},  // a log that is off
      {2, 8, 1, PTRS, AA_E_ORDER},  // that there is not
      {3, 0xff, 0, STATUS, AA_E_ORDER},
  };
  cfg.FlushWaiters = AA_WAITER_MAX;
  for (unsigned i = 0; i < sizeof r / sizeof *r; i++) {
    fresh(&cfg);
    wr(&w, AA_REG_LOG_MSIA + 64 * log, MSI_AT + 8 * log);
    log_open(&w, log, IUID, 8, AA_LOG_CFG_PTR_MASK | AA_LOG_CFG_MSI_MASK);
    aa_retire_rec x = {.kind = AA_RET_NOTIFY,
                       .code = AA_NOTE_AXI_ERR,
                       .idx = (uint8_t)r[i].idx,
                       .slot = (uint8_t)(r[i].slot == 0xff ? 0xff : r[i].slot ^ log),
                       .flag = r[i].flag != 0,
                       .a = r[i].a + (r[i].slot == 0xff || r[i].a < RING ? 0
                                      : r[i].a < PTRS                    ? 0x10000 * log
                                                                         : 8 * log)};
    EQ(aa_retire(w.m, &x), r[i].want);
    bool taken = r[i].want == AA_OK;
    EQ(take_err(&w), taken ? AA_ERR_AXI_WRITE : AA_ERR_NONE);
    uint64_t sts = rd(&w, AA_REG_LP_STS + 4096 * log);
    EQ(sts & AA_LP_STS_FAILED_MASK, taken && r[i].idx < 2 ? AA_LP_STS_FAILED_MASK : 0);
    EQ(sts & AA_LP_STS_PTRERR_MASK, taken && r[i].flag ? AA_LP_STS_PTRERR_MASK : 0);
    if (sts & AA_LP_STS_PTRERR_MASK) {  // ERR-4: write 1 to clear
      wr(&w, AA_REG_LP_STS + 4096 * log, AA_LP_STS_PTRERR_MASK);
      EQ(rd(&w, AA_REG_LP_STS + 4096 * log) & AA_LP_STS_PTRERR_MASK, 0);
    }
    world_free(&w);
  }
}

// ---- logs -----------------------------------------------------------------------------------------------------------

// LOG-8, LOG-11: LOG_STS.WHY.
static void openings(const aa_config *cfg) {
  const uint64_t en = 1ull << 63;
  const struct {
    uint64_t base, ptr, msia, more;
    unsigned size, why;
  } o[] = {
      {RING, 0, 0, 0, 6, 0},
      {RING, 0, 0, 0, 5, 1},
      {0, 0, 0, 0, 30, 0},
      {0, 0, 0, 0, 31, 1},
      {RING + 64, 0, 0, 0, 7, 2},
      {RING + 128, 0, 0, 0, 7, 0},
      {(1ull << 48) - 128, 0, 0, 0, 7, 0},
      {1ull << 48, 0, 0, 0, 7, 3},
      {RING, PTRS + 4, STATUS + 2, 0, 7, 0},  // looked at only if they are used
      {RING, 1ull << 48, 1ull << 48, 0, 7, 0},
      {RING, PTRS + 4, 0, AA_LOG_CFG_PTR_MASK, 7, 5},
      {RING, 1ull << 48, 0, AA_LOG_CFG_PTR_MASK, 7, 5},
      {RING, PTRS, 0, AA_LOG_CFG_PTR_MASK, 7, 0},
      {RING, 0, STATUS + 2, AA_LOG_CFG_MSI_MASK, 7, 6},
      {RING, 0, 1ull << 48, AA_LOG_CFG_MSI_MASK, 7, 6},
      {RING, PTRS + 4, STATUS + 4, AA_LOG_CFG_MSI_MASK, 7, 0},
      {RING, 0, 0, AA_LOG_CFG_SCR_MASK | (uint64_t)(cfg->ScratchWords - 1) << AA_LOG_CFG_SCRI_LSB, 7, 0},
      {RING, 0, 0, AA_LOG_CFG_SCR_MASK | (uint64_t)cfg->ScratchWords << AA_LOG_CFG_SCRI_LSB, 7, 7},
  };
  for (unsigned i = 0; i < sizeof o / sizeof *o; i++) {
    fresh(cfg);
    wr(&w, AA_REG_LOG_BASE, o[i].base);
    wr(&w, AA_REG_LOG_PTR, o[i].ptr);
    wr(&w, AA_REG_LOG_MSIA, o[i].msia);
    wr(&w, AA_REG_LOG_CFG, IUID | (uint64_t)o[i].size << 16 | o[i].more | en);
    EQ(rd(&w, AA_REG_LOG_STS), o[i].why ? o[i].why << AA_LOG_STS_WHY_LSB : 1);
    EQ(rd(&w, AA_REG_LOG_CFG) >> 63, !o[i].why);
    if (!o[i].why) {
      wr32(&w, AA_REG_LOG_CFG, 0);  // EN is in the other half
      EQ(rd(&w, AA_REG_LOG_STS), 1);
      wr(&w, AA_REG_LOG_CFG, en);  // it is on
      EQ(rd(&w, AA_REG_LOG_STS), 1);
      EQ(rd(&w, AA_REG_LOG_CFG) & AA_LOG_CFG_IUID_MASK, IUID);
      wr(&w, AA_REG_LOG_CFG, 0);
      EQ(rd(&w, AA_REG_LOG_STS), 0);
    }
    world_free(&w);
  }
}

// LOG-6: nothing is published beyond an entry that is not whole; NTF-1: the scratchpad says log and producer.
static void holes(const aa_config *cfg) {
  fresh(cfg);
  log_open(&w, 1, IUID, 8, AA_LOG_CFG_SCR_MASK | 3ull << AA_LOG_CFG_SCRI_LSB);
  get(&w, 1, READ_LOG, 4, 0xff);
  get(&w, 2, READ_LOG, 4, 0xff);
  complete(&w, 2, TLP_SC, 16, 4);
  EQ(prod(&w, 1), 0);
  EQ(rd(&w, AA_REG_SCRATCH + 24), 0);
  const aa_log *g = &w.m->logs.log[1];
  EQ(aa_log_publishable(g, 32), 0);
  EQ(aa_log_publishable(g, 64), 0);
  aa_retire_rec r = {.kind = AA_RET_PUBLISH, .idx = 1, .a = 64};
  EQ(aa_retire(w.m, &r), AA_E_ORDER);
  complete(&w, 1, TLP_SC, 16, 4);
  EQ(prod(&w, 1), 64);
  EQ(rd(&w, AA_REG_SCRATCH + 24), 1ull << 32 | 64);
  EQ(rd(&w, AA_REG_SCRATCH + 16), 0);
  EQ(rd(&w, AA_REG_SCRATCH + 32), 0);
  world_free(&w);
}

// DEC-15: a record waits for a slot as it does for space, and gets that of an entry that is published: of a read that
// has ended, or goes on without its record (TAG-3).
static void slots(aa_config cfg) {
  cfg.LogDepth = 2;
  fresh(&cfg);
  log_open(&w, 0, IUID, 10, 0);
  get(&w, 1, READ_LOG, 4, 0xff);
  get(&w, 2, READ_LOG, 4, 0xff);
  put(&w, LOGGED, 1, 15);
  EQ(rsvd(&w, 0), 64);
  complete(&w, 2, TLP_SC, 16, 4);  // whole, but not published
  EQ(rsvd(&w, 0), 64);
  complete(&w, 1, TLP_SC, 16, 4);
  EQ(rsvd(&w, 0), 96);
  EQ(prod(&w, 0), 96);
  world_free(&w);
  fresh(&cfg);
  log_open(&w, 0, IUID, 10, 0);
  get(&w, 1, READ_LOG, 4, 0xff);
  get(&w, 2, READ_LOG, 4, 0xff);
  put(&w, LOGGED, 1, 15);
  tlp t = completion(SID, 1, TLP_SC, 16, 0, 2, NULL);
  t.err = true;
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(entry_of(&w, 0, 0, 10).aborted, 1);
  EQ(rsvd(&w, 0), 96);
  EQ(prod(&w, 0), 32);
  world_free(&w);
}

// NTF-3: an MSI by time is of what is unread, and goes to its address with its data.
static void by_time(const aa_config *cfg) {
  fresh(cfg);
  wr(&w, AA_REG_LOG_MSIA, STATUS);
  wr(&w, AA_REG_LOG_MSID, 0xfeedbeef);
  wr(&w, AA_REG_LOG_TIME, 100);
  log_open(&w, 0, IUID, 8, AA_LOG_CFG_MSI_MASK);
  EQ(aa_advance(w.m, 1000), AA_OK);
  EQ(w.writes, 0);
  put(&w, LOGGED, 1, 15);
  EQ(aa_advance(w.m, 99), AA_OK);
  EQ(w.writes, 1);
  EQ(aa_advance(w.m, 1), AA_OK);
  EQ(w.writes, 2);
  EQ(last_write(&w)->addr, STATUS);
  EQ(last_write(&w)->n, 4);
  EQ(last_write(&w)->src, AA_SRC_SMALL);
  EQ(peek64(&w, STATUS), 0xfeedbeef);
  EQ(aa_advance(w.m, 1000), AA_OK);
  EQ(w.writes, 2);  // disarmed
  world_free(&w);
}

// ---- registers ------------------------------------------------------------------------------------------------------

static void reg(uint32_t addr, uint64_t value, unsigned strobes) {
  EQ(aa_retire(w.m, &(aa_retire_rec){.kind = AA_RET_REG_WRITE, .a = addr, .b = value, .idx = (uint8_t)strobes}), AA_OK);
}

// Bits that are cleared by a 1 are cleared by that 1, with its strobe, and by nothing beside it. INV-11: GCMD acts on
// byte 3. What there is no memory for reads 0.
static void registers(const aa_config *cfg) {
  static const uint64_t pfo = (uint64_t)AA_FSTS_PFO_MASK << 32, iqe = (uint64_t)AA_FSTS_IQE_MASK << 32;
  const uint32_t fsts = AA_REG_FSTS & ~7u;
  fresh(cfg);
  w.m->fault.pfo = w.m->fault.iqe = true;
  reg(fsts, 0, 0xff);
  reg(fsts, pfo | iqe, 0x0f);
  EQ(rd(&w, fsts), pfo | iqe);
  reg(fsts, pfo, 0xf0);
  EQ(rd(&w, fsts), iqe);
  w.m->fault.pfo = true;
  reg(fsts, iqe, 0xf0);
  EQ(rd(&w, fsts), pfo);
  reg(fsts, pfo, 0xf0);

  aa_fault_error(&w.m->fault, AA_ERR_STRAY, 1, 2, 3);
  reg(AA_REG_AA_ERR_STS, 0, 0xff);
  reg(AA_REG_AA_ERR_STS, ~1ull, 0xff);
  reg(AA_REG_AA_ERR_STS, 1, 0xfe);
  EQ(err_code(&w), AA_ERR_STRAY);
  reg(AA_REG_AA_ERR_STS, 1, 0x01);
  EQ(rd(&w, AA_REG_AA_ERR_STS), 0);

  EQ(w.m->xlt.te, true);
  reg(AA_REG_GCMD, 0, 0x07);
  EQ(w.m->xlt.te, true);
  reg(AA_REG_GCMD, 0, 0x08);
  EQ(w.m->xlt.te, false);
  reg(AA_REG_GCMD, AA_GCMD_TE_MASK, 0x07);
  EQ(w.m->xlt.te, false);

  log_open(&w, 0, IUID, 8, 0);
  w.m->logs.log[0].sts = 0x1f & ~AA_LP_STS_FAILED_MASK;
  uint64_t all = rd(&w, AA_REG_LP_STS);
  reg(AA_REG_LP_CONS, 0, 0xff);
  reg(AA_REG_LP_PROD, ~0ull, 0xff);
  reg(AA_REG_LP_RSVD, ~0ull, 0xff);
  EQ(rd(&w, AA_REG_LP_STS), all);
  reg(AA_REG_LP_STS, AA_LP_STS_LOST_MASK, 0x01);
  EQ(rd(&w, AA_REG_LP_STS), all & ~AA_LP_STS_LOST_MASK);
  reg(AA_REG_LP_STS, ~0ull, 0xfe);
  EQ(rd(&w, AA_REG_LP_STS), all & ~AA_LP_STS_LOST_MASK);

  for (unsigned i = 0; i < 512; i++) w.m->scratch_word[i & 63] = 0x100 + i;
  for (unsigned i = 0; i < 512; i++) EQ(rd(&w, AA_REG_SCRATCH + 8 * i), i < cfg->ScratchWords ? 0x100 + 448 + i : 0);
  world_free(&w);
}

// ---- what waits -----------------------------------------------------------------------------------------------------

// As many packets as come, in their order, also where the numbers have gone round; of one that is malformed the header
// alone (STR-10).
static void queues(void) {
  aa_queue q = {0};
  EQ(aa_queue_init(&q, 5), AA_OK);
  unsigned in = 0, out = 0;
  for (unsigned round = 1; round < 8; round++) {
    for (unsigned i = 0; i < 7 * round; i++, in++) {
      tlp t = request(TLP_MWR32, SID, in & 255, 4 * in, 1 + in % 5, in % 5 ? 0xff : 0x0f);
      aa_slot *s = aa_queue_push(&q, &t, in % 3 == 0);
      CHECK(s && s == aa_queue_at(&q, q.tail - 1));
      if (s && s->t.ndw) memset(s->buf, (int)(in & 255), 4 * (size_t)s->t.ndw);
    }
    for (unsigned i = 0; i < 6 * round; i++, out++, q.head++) {
      const aa_slot *s = aa_queue_at(&q, q.head);
      EQ(tlp_addr(s->t.hdr), 4 * out);
      EQ(s->bad, out % 3 == 0);
      EQ(s->t.ndw, out % 3 ? 1 + out % 5 : 0);
      if (s->t.ndw) EQ(s->t.data[4 * s->t.ndw - 1], out & 255);
    }
  }
  EQ(q.tail - q.head, in - out);
  aa_queue_free(&q);
}

// STR-5: a read is not decided before the writes that came before it on its port; those that came later, and those of
// other ports, do not matter.
static void order(aa_config cfg) {
  cfg.NumPorts = 2;
  fresh(&cfg);
  wr32(&w, AA_REG_GCMD, 0);
  const aa_retire_rec x = {.kind = AA_RET_XLATE, .lane = 3},
                      decided = {.kind = AA_RET_DECIDE, .lane = 3, .idx = 0, .a = PLAIN},
                      px = {.kind = AA_RET_XLATE, .lane = 2},
                      posted = {.kind = AA_RET_DECIDE, .lane = 2, .idx = 0xff, .a = PLAIN};
  tlp p = request(TLP_MWR32, SID, 0, PLAIN, 1, 15), n = request(TLP_MRD32, SID, 1, PLAIN, 1, 15);
  aa_retire_rec last = decided;
  last.idx = (uint8_t)(cfg.TagEntries - 1);  // a common one
  EQ(aa_in_order(w.m, 3), false);            // nothing waits
  EQ(aa_dev_tlp(w.m, 0, &p, false), AA_OK);
  EQ(aa_dev_tlp(w.m, 1, &p, false), AA_OK);
  EQ(aa_dev_tlp(w.m, 1, &n, false), AA_OK);
  EQ(aa_dev_tlp(w.m, 1, &p, false), AA_OK);
  EQ(aa_in_order(w.m, 2), true);
  EQ(aa_in_order(w.m, 3), false);
  EQ(aa_retire(w.m, &x), AA_OK);
  EQ(aa_retire(w.m, &last), AA_E_ORDER);
  EQ(aa_retire(w.m, &px), AA_OK);
  EQ(aa_retire(w.m, &posted), AA_OK);
  EQ(aa_in_order(w.m, 3), true);
  EQ(aa_retire(w.m, &last), AA_OK);
  EQ(aa_in_order(w.m, 3), false);
  EQ(aa_pending(w.m), 2);
  world_free(&w);
}

// ---- records of translations ----------------------------------------------------------------------------------------

// XLT-9, XLT-10, RET-1: which request a walk is for.
static void walks(const aa_config *cfg) {
  fresh(cfg);
  for (unsigned i = 0; i < 3; i++) {
    tlp t = request(TLP_MWR32, SID, 0, PLAIN + 0x1000 * i, 1, 15);
    EQ(aa_dev_tlp(w.m, 0, &t, false), AA_OK);
  }
  aa_retire_rec walk = {.kind = AA_RET_WALK, .idx = 3}, fill = {.kind = AA_RET_FILL}, none = {0};
  EQ(aa_retire(w.m, &walk), AA_E_ORDER);  // three have come, 0 to 2
  CHECK(!strcmp(aa_reason(w.m), "no request at position 3 of lane 0"));
  EQ(aa_retire(w.m, &none), AA_OK);
  EQ(aa_reason(w.m)[0], 0);
  walk.idx = 1;
  walk.slot = 1;
  EQ(aa_retire(w.m, &walk), AA_OK);
  EQ(w.m->xlt.walk[1].look.iova, PLAIN + 0x1000);
  EQ(w.m->xlt.walk[1].num - w.m->lane[0].head, 1);
  walk.slot = 0;
  EQ(aa_retire(w.m, &walk), AA_E_ORDER);  // of that page one is under way
  fill.slot = 1;
  fill.lane = 1;
  EQ(aa_retire(w.m, &fill), AA_E_MISMATCH);  // of another lane
  fill.lane = 0;
  fill.flag = true;
  EQ(aa_retire(w.m, &fill), AA_E_MISMATCH);  // not of the oldest
  fill.flag = false;
  EQ(aa_retire(w.m, &fill), AA_OK);
  EQ(cnt(&w, AA_CNT_WALKS_ENDED), 1);
  EQ(cnt(&w, AA_CNT_TLB_FILLS), 1);
  EQ(cnt(&w, AA_CNT_CTX_FILLS), 1);
  world_free(&w);
  // a hit is counted, a translation that is not needed is not
  fresh(cfg);
  wr32(&w, AA_REG_GCMD, 0);
  tlp t = request(TLP_MWR32, SID, 0, PLAIN, 1, 15);
  EQ(aa_dev_tlp(w.m, 0, &t, false), AA_OK);
  EQ(aa_retire(w.m, &(aa_retire_rec){.kind = AA_RET_XLATE}), AA_OK);
  EQ(cnt(&w, AA_CNT_HITS), 0);
  world_free(&w);
  fresh(cfg);
  put(&w, PLAIN, 1, 15);
  EQ(aa_dev_tlp(w.m, 0, &t, false), AA_OK);
  EQ(aa_retire(w.m, &(aa_retire_rec){.kind = AA_RET_XLATE}), AA_OK);
  EQ(cnt(&w, AA_CNT_HITS), 1);
  EQ(aa_retire(w.m, &(aa_retire_rec){.kind = AA_RET_DECIDE, .code = AA_OUT_PASS, .idx = 0xff, .a = 0x40000}), AA_OK);
  world_free(&w);
}

// STR-9: the limit of a write's payload is that of the cycle of its first beat.
static void limits(const aa_config *cfg) {
  for (unsigned smaller = 0; smaller < 2; smaller++) {
    fresh(cfg);
    const uint64_t at = smaller ? 1 : 0, then = smaller ? 0 : 1;  // 128 or 256 bytes
    wr(&w, AA_REG_AA_CTL, at << AA_AA_CTL_MPS_LSB);
    tlp t = request(TLP_MWR32, SID, 0, PLAIN, 64, 0xff);
    for (unsigned i = 0; i < 8; i++) {
      aa_beat b = {.sop = !i, .eop = i == 7, .strb = 0xff, .seq = 1, .data = payload + 32 * i};
      memcpy(b.hdr, t.hdr, sizeof b.hdr);
      EQ(aa_dev_beat(w.m, 0, &b), AA_OK);
      if (!i) wr(&w, AA_REG_AA_CTL, then << AA_AA_CTL_MPS_LSB);
    }
    EQ(aa_poll(w.m), AA_OK);
    EQ(take_err(&w), smaller ? AA_ERR_NONE : AA_ERR_MAX_SIZE);
    EQ(w.reqs, smaller);
    world_free(&w);
  }
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  form(&cfg);
  pad_of_get(&cfg);
  shares(cfg);
  many_reads(&cfg);
  drained(&cfg);
  flush_answers();
  no_flush(&cfg);
  events();
  queue(&cfg);
  failed_writes(cfg, 0);
  failed_writes(cfg, 1);
  openings(&cfg);
  holes(&cfg);
  slots(cfg);
  by_time(&cfg);
  registers(&cfg);
  queues();
  order(cfg);
  walks(&cfg);
  limits(&cfg);
  return report();
}
