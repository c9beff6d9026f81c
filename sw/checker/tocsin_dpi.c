// SPDX-License-Identifier: Apache-2.0
// Pins to bytes: bursts are put together here, packets and everything else in the library
// (tocsin/aa_lock.h, tocsin/aa_snoop.h).
#include "tocsin_dpi.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tocsin/aa_lock.h>
#include <tocsin/aa_snoop.h>

enum { READS = 256, WRITES = 64, BEATS = 256, REGS = 8, LAST = 8, QI_ID = 0x80 };

typedef struct burst {
  unsigned id, size, len, beat;
  uint64_t addr;
} burst;

typedef struct beats {  // write data
  unsigned n;
  bool last;
  struct {
    uint64_t strb;
    uint8_t data[64];
  } b[BEATS];
} beats;

typedef struct reg_half {  // of a register write: its address or its data
  uint64_t v;
  unsigned strb;
} reg_half;

typedef struct reg_write {
  uint64_t taken, data;
  uint32_t addr;
  unsigned strb;
} reg_write;

typedef struct tocsin {
  aa_config cfg;
  bool retire, failed;
  aa_lock *lock;    // with a retire port
  aa_snoop *snoop;  // without
  uint64_t cycle;
  burst rd[READS];  // reads under way, oldest first
  unsigned rds;
  burst aw[WRITES];  // addresses without all of their data
  unsigned aws;
  beats w[WRITES];  // data, a burst each, without address: a ring from w_head
  unsigned ws, w_head;
  uint32_t reg_ar[REGS];  // register accesses under way, oldest first
  reg_half reg_aw[REGS], reg_w[REGS];
  reg_write reg_b[REGS];  // writes that wait for their response
  unsigned reg_ars, reg_aws, reg_ws, reg_bs;
  aa_retire_rec last[LAST];  // newest records
  uint64_t last_cycle[LAST];
  unsigned lasts;
  char report[2048];
} tocsin;

static void differ(void *ctx, const char *block, const char *stream, const char *text) {
  tocsin *t = ctx;
  if (t->failed) return;
  t->failed = true;
  int k = snprintf(t->report, sizeof t->report, "block%s  %s\ncycle  %" PRIu64 "\nstream %s\n%s\n",
                   strncmp(block, "aa_", 3) ? "" : " (a guess):", block, t->cycle, stream, text);
  unsigned n = t->lasts < LAST ? t->lasts : LAST;
  for (unsigned i = t->lasts - n; i != t->lasts && k > 0 && (size_t)k < sizeof t->report; i++) {
    char line[200];
    k += snprintf(t->report + k, sizeof t->report - (size_t)k, "%s%8" PRIu64 "  %s\n",
                  i == t->lasts - n ? "last records, the newest last:\n" : "", t->last_cycle[i % LAST],
                  aa_record_text(&t->last[i % LAST], line, sizeof line));
  }
}

__attribute__((format(printf, 3, 4))) static void bad(tocsin *t, const char *port, const char *format, ...) {
  char text[200];
  va_list a;
  va_start(a, format);
  vsnprintf(text, sizeof text, format, a);
  va_end(a);
  differ(t, port, port, text);
}

// ---- making and freeing ---------------------------------------------------------------------------------------------

static void open_instance(tocsin *t) {
  static const aa_lock_ops lock_ops = {differ, NULL, NULL};
  aa_status s = t->retire ? aa_lock_new(&t->cfg, &lock_ops, t, &t->lock) : aa_snoop_new(&t->cfg, differ, t, &t->snoop);
  if (s == AA_OK) return;
  const char *wrong = aa_config_wrong(&t->cfg);
  fprintf(stderr, "aa_checker: %s\n", s == AA_E_CONFIG && wrong ? wrong : aa_strstatus(s));
  exit(1);
}

static void close_instance(tocsin *t) {
  aa_lock_free(t->lock);
  aa_snoop_free(t->snoop);
  t->lock = NULL;
  t->snoop = NULL;
}

void *tocsin_new(int NumPorts, int Window, int Walkers, int IotlbEntries, int IotlbWays, int IotlbRandom, int SpEntries,
                 int CtxEntries, int PscEntries, int NumLogs, int LogDepth, int TagEntries, int FlushPages,
                 int FlushWaiters, int ScratchWords, int ActiveAccess, int DataW, int Retire) {
  tocsin *t = calloc(1, sizeof *t);
  bool aa = ActiveAccess != 0;
  if (!t) {
    fputs("aa_checker: out of memory\n", stderr);
    exit(1);
  }
  t->cfg = (aa_config){.NumPorts = (unsigned)NumPorts,
                       .Window = (unsigned)Window,
                       .IotlbEntries = (unsigned)IotlbEntries,
                       .IotlbWays = (unsigned)IotlbWays,
                       .IotlbRandom = IotlbRandom != 0,
                       .SpEntries = (unsigned)SpEntries,
                       .CtxEntries = (unsigned)CtxEntries,
                       .PscEntries = (unsigned)PscEntries,
                       .Walkers = (unsigned)Walkers,
                       .NumLogs = aa ? (unsigned)NumLogs : 0,
                       .LogDepth = aa ? (unsigned)LogDepth : 0,
                       .TagEntries = (unsigned)TagEntries,
                       .FlushPages = aa ? (unsigned)FlushPages : 0,
                       .FlushWaiters = aa ? (unsigned)FlushWaiters : 0,
                       .ScratchWords = aa ? (unsigned)ScratchWords : 0,
                       .ActiveAccess = aa,
                       .DataW = (unsigned)DataW};
  t->retire = Retire != 0;
  open_instance(t);
  return t;
}

void tocsin_free(void *h) {
  if (h) close_instance(h);
  free(h);
}

void tocsin_reset(void *h) {
  tocsin *t = h;
  aa_config cfg = t->cfg;
  bool retire = t->retire;
  close_instance(t);
  memset(t, 0, sizeof *t);
  t->cfg = cfg;
  t->retire = retire;
  open_instance(t);
}

void tocsin_cycle(void *h) {
  tocsin *t = h;
  t->cycle++;
  if (t->snoop) aa_snoop_cycle(t->snoop, t->cycle);
}
int tocsin_blind(void *h) {
  tocsin *t = h;
  return t->snoop && aa_snoop_blind(t->snoop);
}
int tocsin_failed(void *h) { return ((tocsin *)h)->failed; }
const char *tocsin_report(void *h) { return ((tocsin *)h)->report; }

// What the ports owe each other at rest.
static void ports_at_rest(tocsin *t) {
  if (t->rds)
    bad(t, "m_axi", "got  no data of the read of %" PRIx64 ", id %u\nwant all of it", t->rd[0].addr, t->rd[0].id);
  if (t->aws)
    bad(t, "m_axi", "got  no data of the write of %" PRIx64 ", id %u\nwant all of it", t->aw[0].addr, t->aw[0].id);
  if (t->ws) bad(t, "m_axi", "got  write data without an address\nwant none");
  if (t->reg_ars) bad(t, "s_axil", "got  no response to the read of %05" PRIx32 "\nwant one", t->reg_ar[0]);
  if (t->reg_aws) bad(t, "s_axil", "got  no data of the write of %05" PRIx64 "\nwant data", t->reg_aw[0].v);
  if (t->reg_ws) bad(t, "s_axil", "got  write data without an address\nwant none");
  if (t->reg_bs) bad(t, "s_axil", "got  no response to the write of %05" PRIx32 "\nwant one", t->reg_b[0].addr);
}

void tocsin_end(void *h) {
  tocsin *t = h;
  ports_at_rest(t);
  if (t->lock)
    aa_lock_end(t->lock);
  else
    aa_snoop_end(t->snoop);
}

// ---- AXI4 -----------------------------------------------------------------------------------------------------------

static void bytes_of(uint8_t *to, const uint32_t *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[i] = (uint8_t)(from[i / 4] >> (8 * (i % 4)));
}

void tocsin_ar(void *h, int id, long long addr, int len, int size) {
  tocsin *t = h;
  if (t->rds == READS) {
    bad(t, "m_axi", "more than 256 reads under way");
    return;
  }
  if (t->lock && (unsigned)id >= t->cfg.Walkers && id != QI_ID)
    bad(t, "m_axi", "got  a read of %llx, id %x\nwant id 0 to %x, or %x", (unsigned long long)addr, (unsigned)id,
        t->cfg.Walkers - 1, QI_ID);
  t->rd[t->rds++] = (burst){.id = (unsigned)id, .addr = (uint64_t)addr, .len = (unsigned)len, .size = (unsigned)size};
}

void tocsin_r(void *h, int id, int resp, const uint32_t *data) {
  tocsin *t = h;
  unsigned i = 0, bytes = t->cfg.DataW / 8;
  uint8_t line[64];
  while (i < t->rds && t->rd[i].id != (unsigned)id) i++;  // the oldest of this id
  if (i == t->rds) {
    bad(t, "m_axi", "got read data that nobody asked for");
    return;
  }
  burst *r = &t->rd[i];
  unsigned n = 1u << r->size;
  uint64_t at = (r->addr & ~(uint64_t)(n - 1)) + (uint64_t)r->beat * n;
  bytes_of(line, data, bytes);
  if (n > bytes)
    bad(t, "m_axi", "a read is wider than the bus");
  else if (t->lock)
    aa_lock_axi_read(t->lock, (unsigned)id, at, line + (at & (bytes - 1)), n, resp > 1);
  else
    aa_snoop_axi_read(t->snoop, at, line + (at & (bytes - 1)), n, resp > 1);
  if (r->beat++ < r->len) return;
  memmove(r, r + 1, (t->rds - i - 1) * sizeof *r);
  t->rds--;
}

// The oldest address and the oldest data, when both are whole.
static void pair(tocsin *t) {
  unsigned bytes = t->cfg.DataW / 8;
  while (t->aws && t->ws && t->w[t->w_head].last) {
    const burst *a = &t->aw[0];
    const beats *w = &t->w[t->w_head];
    uint64_t step = 1ull << a->size;
    if (w->n != a->len + 1) bad(t, "m_axi", "wlast is not where the length of the burst says");
    for (unsigned i = 0; i < w->n && t->lock; i++) {
      uint64_t base = ((a->addr & ~(step - 1)) + i * step) & ~(uint64_t)(bytes - 1);
      for (unsigned k = 0; k < bytes;) {
        unsigned n = 0;
        while (k + n < bytes && (w->b[i].strb >> (k + n) & 1)) n++;
        if (n) aa_lock_axi_write(t->lock, a->id, base + k, w->b[i].data + k, n, false);
        k += n ? n : 1;
      }
    }
    if (t->lock) aa_lock_axi_write(t->lock, a->id, a->addr, NULL, 0, true);
    memmove(&t->aw[0], &t->aw[1], --t->aws * sizeof t->aw[0]);
    t->w_head = (t->w_head + 1) % WRITES;
    t->ws--;
  }
}

void tocsin_aw(void *h, int id, long long addr, int len, int size) {
  tocsin *t = h;
  if (t->aws == WRITES) {
    bad(t, "m_axi", "more than 64 write addresses ahead of their data");
    return;
  }
  t->aw[t->aws++] = (burst){.id = (unsigned)id, .addr = (uint64_t)addr, .len = (unsigned)len, .size = (unsigned)size};
  pair(t);
}

void tocsin_w(void *h, const uint32_t *data, long long strb, int last) {
  tocsin *t = h;
  beats *w = &t->w[(t->w_head + t->ws + WRITES - 1) % WRITES];
  if (!t->ws || w->last) {
    if (t->ws == WRITES) {
      bad(t, "m_axi", "more than 64 bursts of write data ahead of their addresses");
      return;
    }
    w = &t->w[(t->w_head + t->ws++) % WRITES];
    w->n = 0;
    w->last = false;
  }
  if (w->n == BEATS) {
    bad(t, "m_axi", "a burst of more than 256 beats");
    return;
  }
  w->b[w->n].strb = (uint64_t)strb;
  bytes_of(w->b[w->n++].data, data, t->cfg.DataW / 8);
  w->last = last != 0;
  pair(t);
}

void tocsin_b(void *h, int id, int error) {
  tocsin *t = h;
  if (t->lock) aa_lock_axi_answer(t->lock, (unsigned)id, error != 0);
}

// ---- streams --------------------------------------------------------------------------------------------------------

void tocsin_beat(void *h, int stream, int port, int flags, int seq, int strb, const uint32_t *hdr,
                 const uint32_t *data) {
  tocsin *t = h;
  uint8_t line[64];
  unsigned p = (unsigned)port;
  bool taken = flags & TOCSIN_TAKEN;
  bytes_of(line, data, t->cfg.DataW / 8);
  aa_beat b = {.sop = flags & TOCSIN_SOP,
               .eop = flags & TOCSIN_EOP,
               .err = flags & TOCSIN_ERR,
               .seq = (uint8_t)seq,
               .strb = (uint32_t)strb,
               .data = line};
  for (unsigned i = 0; i < 4; i++) b.hdr[i] = hdr[3 - i];
  switch (stream * 2 + !t->lock) {
    case TOCSIN_DEV_REQ * 2: aa_lock_dev_in(t->lock, p, &b, taken); break;
    case TOCSIN_HOST_CPL * 2: aa_lock_host_in(t->lock, &b, taken); break;
    case TOCSIN_HOST_REQ * 2: aa_lock_host_out(t->lock, &b); break;
    case TOCSIN_DEV_CPL * 2: aa_lock_dev_out(t->lock, p, &b); break;
    case TOCSIN_DEV_REQ * 2 + 1: aa_snoop_dev_in(t->snoop, p, &b, taken); break;
    case TOCSIN_HOST_CPL * 2 + 1: aa_snoop_host_in(t->snoop, &b, taken); break;
    case TOCSIN_HOST_REQ * 2 + 1: aa_snoop_host_out(t->snoop, &b); break;
    default: aa_snoop_dev_out(t->snoop, p, &b); break;
  }
}

// ---- registers, levels, tasks, records ------------------------------------------------------------------------------

void tocsin_reg_ar(void *h, int addr) {
  tocsin *t = h;
  if (t->reg_ars == REGS)
    bad(t, "s_axil", "more than 8 register reads under way");
  else
    t->reg_ar[t->reg_ars++] = (uint32_t)addr;
}

void tocsin_reg_r(void *h, long long data, int resp) {
  tocsin *t = h;
  if (!t->reg_ars) {
    bad(t, "s_axil", "got a read response that nobody asked for");
    return;
  }
  if (resp)
    bad(t, "s_axil", "got an error response to a read\nwant OKAY");
  else if (t->lock)
    aa_lock_reg_read(t->lock, t->reg_ar[0], (uint64_t)data);
  else
    aa_snoop_reg_read(t->snoop, t->reg_ar[0], (uint64_t)data);
  memmove(&t->reg_ar[0], &t->reg_ar[1], --t->reg_ars * sizeof t->reg_ar[0]);
}

// The oldest address and the oldest data make a write.
static void reg_pair(tocsin *t) {
  if (!t->reg_aws || !t->reg_ws) return;
  if (t->reg_bs == REGS) {
    bad(t, "s_axil", "more than 8 register writes under way");
    return;
  }
  reg_write w = {.taken = t->cycle, .addr = (uint32_t)t->reg_aw[0].v, .data = t->reg_w[0].v, .strb = t->reg_w[0].strb};
  t->reg_b[t->reg_bs++] = w;
  memmove(&t->reg_aw[0], &t->reg_aw[1], --t->reg_aws * sizeof t->reg_aw[0]);
  memmove(&t->reg_w[0], &t->reg_w[1], --t->reg_ws * sizeof t->reg_w[0]);
  if (t->lock) aa_lock_reg_write(t->lock, w.addr, w.data, w.strb);
}

static void reg_half_taken(tocsin *t, reg_half *to, unsigned *n, reg_half half) {
  if (*n == REGS) {
    bad(t, "s_axil", "more than 8 register writes under way");
    return;
  }
  to[(*n)++] = half;
  reg_pair(t);
}

void tocsin_reg_aw(void *h, int addr) {
  tocsin *t = h;
  reg_half_taken(t, t->reg_aw, &t->reg_aws, (reg_half){.v = (uint32_t)addr});
}

void tocsin_reg_w(void *h, long long data, int strb) {
  tocsin *t = h;
  reg_half_taken(t, t->reg_w, &t->reg_ws, (reg_half){.v = (uint64_t)data, .strb = (unsigned)strb});
}

void tocsin_reg_b(void *h, int resp) {
  tocsin *t = h;
  if (!t->reg_bs) {
    bad(t, "s_axil", "got a write response that nobody asked for");
    return;
  }
  if (resp) bad(t, "s_axil", "got an error response to a write\nwant OKAY");
  reg_write w = t->reg_b[0];
  memmove(&t->reg_b[0], &t->reg_b[1], --t->reg_bs * sizeof t->reg_b[0]);
  if (t->snoop) aa_snoop_reg_write(t->snoop, w.taken, w.addr, w.data, w.strb);
}

void tocsin_level(void *h, int port, int reset) {
  tocsin *t = h;
  if (t->lock)
    aa_lock_reset_level(t->lock, (unsigned)port, reset != 0);
  else
    aa_snoop_reset_level(t->snoop, (unsigned)port, reset != 0);
}

void tocsin_task(void *h, int log, int prod) {
  tocsin *t = h;
  if (t->lock) aa_lock_task(t->lock, (unsigned)log, (uint32_t)prod);
}

void tocsin_task_done(void *h, int log) {
  tocsin *t = h;
  if (t->lock) aa_lock_task_done(t->lock, (unsigned)log);
}

void tocsin_shown(void *h, int shown) {
  tocsin *t = h;
  if (t->lock) aa_lock_cycle(t->lock, (unsigned)shown);
}

void tocsin_retire(void *h, const uint32_t *v) {
  tocsin *t = h;
  aa_retire_rec r = {.b = (uint64_t)v[1] << 32 | v[0],
                     .a = (uint64_t)v[3] << 32 | v[2],
                     .idx = (uint8_t)v[4],
                     .slot = (uint8_t)(v[4] >> 8),
                     .lane = v[4] >> 16 & 15,
                     .code = v[4] >> 20 & 15,
                     .flag = v[4] >> 24 & 1,
                     .kind = v[4] >> 25 & 15};
  if (!t->lock || t->failed) return;
  t->last[t->lasts % LAST] = r;
  t->last_cycle[t->lasts++ % LAST] = t->cycle;
  aa_lock_retire(t->lock, &r);
}
