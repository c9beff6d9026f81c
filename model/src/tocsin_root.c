// SPDX-License-Identifier: Apache-2.0
#include "tocsin/tocsin_root.h"

#include "le.h"

enum { CPL_BYTES = 256 }; /* completions end at multiples of this */

typedef struct call {
  const tocsin_root_ops *ops;
  void *ctx;
} call;

static void answer(const call *m, const tlp *q, unsigned status, unsigned count, unsigned lower, unsigned ndw,
                   const uint8_t *data) {
  tlp t = {.ndw = ndw, .data = data, .seq = q->seq};
  tlp_fields f = {.type = ndw ? TLP_CPLD : TLP_CPL,
                  .length = (uint16_t)ndw,
                  .rid = tlp_req_id(q->hdr),
                  .tag = tlp_req_tag(q->hdr),
                  .status = (uint8_t)status,
                  .byte_count = (uint16_t)count,
                  .lower_addr = (uint8_t)(lower & 0x7f)};
  tlp_pack(&f, t.hdr);
  m->ops->complete(m->ops->to, &t);
}

static void host_write(const call *m, const tlp *t) {
  uint64_t addr = tlp_addr(t->hdr);
  uint32_t n = 4 * t->ndw, from = 0;
  while (from < n) { /* runs of enabled bytes */
    uint32_t to = from;
    for (; to < n; to++) {
      unsigned be = to < 4 ? t->hdr[1] & 15 : to >= n - 4 ? t->hdr[1] >> 4 & 15 : 15;
      if (!(be >> to % 4 & 1)) break;
    }
    if (to > from) m->ops->mem_write(m->ctx, addr + from, t->data + from, to - from);
    from = to > from ? to : from + 1;
  }
}

static void host_read(const call *m, const tlp *t) {
  uint64_t addr = tlp_addr(t->hdr);
  unsigned len = tlp_length(t->hdr), fbe = t->hdr[1] & 15, lbe = t->hdr[1] >> 4 & 15;
  unsigned left = tlp_byte_count(len, fbe, lbe), lower = (unsigned)(addr & 0x7f) + tlp_first_byte(fbe);
  uint8_t data[TLP_MAX_BYTES];
  if (!m->ops->mem_read(m->ctx, addr, data, 4 * (size_t)len)) {
    answer(m, t, TLP_UR, left, lower, 0, NULL);
    return;
  }
  for (unsigned dw = 0; dw < len;) {
    unsigned room = (CPL_BYTES - (unsigned)((addr + 4 * dw) % CPL_BYTES)) / 4, n = len - dw < room ? len - dw : room;
    answer(m, t, TLP_SC, left, dw ? 0 : lower, n, data + 4 * dw);
    unsigned skip = dw ? 0 : tlp_first_byte(fbe);
    left -= 4 * n - skip < left ? 4 * n - skip : left;
    dw += n;
  }
}

static uint64_t word(const uint8_t *p, unsigned size) { return size == 8 ? le64(p) : le32(p); }

static void host_atomic(const call *m, const tlp *t) {
  unsigned type = tlp_type(t->hdr) & ~(unsigned)TLP_4DW, size = 4 * t->ndw / (type == TLP_CAS32 ? 2 : 1);
  uint64_t addr = tlp_addr(t->hdr), old = 0, first, second;
  uint8_t b[8];
  bool cas = type == TLP_CAS32, ok = size == 4 || size == 8;
  if (ok) {
    first = word(t->data, size);
    second = cas ? word(t->data + size, size) : 0;
    if (type != TLP_SWAP32 && m->ops->mem_atomic) {
      ok = m->ops->mem_atomic(m->ctx, addr, size, cas, cas ? second : first, first, &old);
    } else {
      ok = m->ops->mem_read(m->ctx, addr, b, size);
      if (ok) {
        old = word(b, size);
        uint64_t next = cas ? (old == first ? second : old) : type == TLP_SWAP32 ? first : old + first;
        le64_put(b, next);
        ok = m->ops->mem_write(m->ctx, addr, b, size);
      }
    }
  }
  le64_put(b, old);
  answer(m, t, ok ? TLP_SC : TLP_UR, size, 0, ok ? size / 4 : 0, b);
}

void tocsin_root_request(const tocsin_root_ops *ops, void *ctx, const tlp *t) {
  const call c = {ops, ctx}, *m = &c;
  switch (tlp_type(t->hdr)) {
    case TLP_MWR32:
    case TLP_MWR64: host_write(m, t); break;
    case TLP_MRD32:
    case TLP_MRD64: host_read(m, t); break;
    case TLP_FADD32:
    case TLP_FADD64:
    case TLP_SWAP32:
    case TLP_SWAP64:
    case TLP_CAS32:
    case TLP_CAS64: host_atomic(m, t); break;
    default: break; /* messages and completions of devices: for nobody here */
  }
}
