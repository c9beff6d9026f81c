// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "record_node.h"
#include "tocsin/aa_regs.h"
#include "tocsin/pcapng.h"
#include "tocsin/tlp.h"
#include "tocsin/trace.h"

enum { NIC_BIT = 1 << 20 };

// Memory that the device reads must be in the trace before what makes it read: a request or register access is held
// back until something comes of it that is not a read.
struct recorder {
  FILE *trace, *frames;
  node_recorder *whole;  // or NULL: of the IOMMU
  pcapng pcap;
  unsigned node;
  mem *known;  // what the trace has of memory
  aa_trace_rec held;
  bool holds;
  const char *name[2], *full;  // trace and frames; the one that took no more
  int why;                     // errno of it
  bool busy;                   // packets since the last Q
};

static void failed(recorder *r, bool frames) {
  if (r->full) return;
  r->full = r->name[frames];
  r->why = errno;
}

recorder *record_open(const record_options *o) {
  static const char *const names[] = {"node 0", "node 1", "node 2", "node 3", "node 4", "node 5", "node 6", "node 7"};
  recorder *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->node = o->node;
  r->name[0] = o->trace;
  r->name[1] = o->pcap;
  r->known = mem_new();
  if (o->trace && !(r->trace = fopen(o->trace, "w"))) failed(r, false);
  if (o->pcap &&
      (!(r->frames = fopen(o->pcap, "wb")) || pcapng_open(&r->pcap, r->frames, names, o->nodes < 8 ? o->nodes : 8)))
    failed(r, true);
  if (o->whole && r->trace && !(r->whole = node_record_open(r->trace, o->what))) failed(r, false);
  if (r->full) {
    (void)record_close(r);
    return NULL;
  }
  if (r->trace && !r->whole) fprintf(r->trace, "# %s\nG manual\n", o->what);
  return r;
}

static void put(recorder *r, const aa_trace_rec *t) {
  if (aa_trace_write(r->trace, t)) failed(r, false);
}

static void quiet(recorder *r) {
  fputs("Q\n", r->trace);
  r->busy = false;
}

static void let_go(recorder *r) {
  if (r->holds) put(r, &r->held);
  if (r->holds && r->held.kind == AA_TRACE_REG_WRITE) quiet(r);  // its effects, before what comes next
  r->holds = false;
}

// What memory has there that the trace does not.
static void memory(recorder *r, uint64_t addr, const uint8_t *data, size_t n) {
  static aa_trace_rec t;
  uint8_t have[AA_TRACE_BYTES];
  for (size_t at = 0, k; at < n; at += k) {
    k = n - at < 64 ? n - at : 64;
    mem_read(r->known, addr + at, have, k);
    if (!memcmp(have, data + at, k)) continue;
    mem_write(r->known, addr + at, data + at, k);
    t.kind = AA_TRACE_MEM;
    t.addr = addr + at;
    t.bytes = (uint32_t)k;
    memcpy(t.data, data + at, k);
    put(r, &t);
  }
}

static void packet(recorder *r, const toc_seen *s, aa_trace_kind kind, bool hold) {
  static aa_trace_rec now;
  aa_trace_rec *t = hold ? &r->held : &now;
  let_go(r);
  r->busy = true;
  memset(t, 0, offsetof(aa_trace_rec, data));
  t->kind = kind;
  t->port = (uint8_t)s->value;
  memcpy(t->hdr, s->hdr, sizeof t->hdr);
  t->bytes = (uint32_t)s->bytes;
  memcpy(t->data, s->data, s->bytes);
  if (hold)
    r->holds = true;
  else
    put(r, t);
}

static void reg(recorder *r, const toc_seen *s) {
  let_go(r);
  bool write = s->kind == TOC_SEEN_REG_WRITE;
  if (s->addr & NIC_BIT) {
    fprintf(r->trace, "# nic %c 0x%" PRIx64 " %u 0x%" PRIx64 "\n", write ? 'W' : 'R', s->addr, s->size, s->value);
    return;
  }
  if (r->busy) quiet(r);  // what software knew when it did this
  memset(&r->held, 0, offsetof(aa_trace_rec, data));
  r->held.kind = write ? AA_TRACE_REG_WRITE : AA_TRACE_REG_READ;
  r->held.addr = s->addr;
  r->held.size = (uint8_t)s->size;
  r->held.value = s->value;
  r->holds = true;
}

void record_see(void *ctx, const toc_seen *s) {
  recorder *r = ctx;
  if (s->kind == TOC_SEEN_FRAME && r->frames &&
      pcapng_frame(&r->pcap, s->node % 8, s->ns, PCAPNG_OUT, s->data, s->bytes))
    failed(r, true);
  if (!r->trace || s->node != r->node) return;
  if (r->whole) {
    node_record_see(r->whole, s);
    return;
  }
  switch (s->kind) {
    case TOC_SEEN_REG_READ:
    case TOC_SEEN_REG_WRITE: reg(r, s); break;
    case TOC_SEEN_DEV_REQ: packet(r, s, AA_TRACE_DEV, true); break;
    case TOC_SEEN_HOST_REQ: packet(r, s, AA_TRACE_EXP_HOST, false); break;
    case TOC_SEEN_HOST_CPL: packet(r, s, AA_TRACE_CPL, true); break;
    case TOC_SEEN_DEV_CPL: packet(r, s, AA_TRACE_EXP_DEV, false); break;
    case TOC_SEEN_MEM_READ: memory(r, s->addr, s->data, s->bytes); break;
    default: break;  // frames, interrupts, what the NIC's side needs
  }
}

const char *record_close(recorder *r) {
  if (r->whole) {
    if (!node_record_close(r->whole)) failed(r, false);
  } else if (r->trace) {
    let_go(r);
    quiet(r);
    fputs("N\n", r->trace);
  }
  if (r->trace && fclose(r->trace)) failed(r, false);
  if (r->frames && fclose(r->frames)) failed(r, true);
  const char *full = r->full;
  const int why = r->why;
  mem_free(r->known);
  free(r);
  errno = why;
  return full;
}
