// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_qi.h"

#include "aa_state.h"
#include "../le.h"
#include "tocsin/aa_regs.h"

enum { MAMV = 18 };

/* INV-3. */
unsigned aa_qi_decode(uint64_t lo, uint64_t hi, aa_inval *v) {
  v->ctx = (lo & 15) == 1;
  v->gran = lo >> 4 & 3;
  v->did = (uint16_t)(lo >> 16);
  v->sid = (uint16_t)(lo >> 32);
  v->fm = lo >> 48 & 3;
  v->am = hi & 63;
  v->ih = hi >> 6 & 1;
  v->addr = hi & ~0xfffull;
  switch (lo & 15) {
    case 1: return (lo & 0xfffc00000000ffc0ull) || hi || !v->gran ? AA_QI_BAD : AA_QI_INVAL;
    case 2: return (lo & 0xffffffff0000ff00ull) || (hi & 0xf80) || !v->gran ? AA_QI_BAD : AA_QI_INVAL;
    case 5: return (lo & 0xffffff80u) || (hi & 3) || !(lo & 0x30) ? AA_QI_BAD : AA_QI_WAIT;
    default: return AA_QI_BAD;
  }
}

bool aa_qi_normalise(aa_inval *v) {
  if (!v->ctx && v->gran == 3 && v->am > MAMV) v->gran = 1;
  return v->gran != 0;
}

/* XLT-24. */
unsigned aa_inval_waits(const aa *m, bool sure) {
  for (unsigned i = 0; i < 2 * m->cfg.NumPorts; i++)
    if ((sure ? m->lane[i].sure : m->lane[i].owed) && m->lane[i].xl == m->lane[i].head) return i + 1;
  return 0;
}

static aa_status too_early(aa *m) {
  return aa_order(m, "the oldest request of lane %u is not translated since the last invalidation",
                  aa_inval_waits(m, true) - 1);
}

static void perform(aa *m, const aa_inval *v) {
  aa_xlt_invalidate(&m->xlt, v);
  aa_forget(m);
  aa_tag_mark_old(&m->tags);
  m->drains++;
  m->cnt[AA_CNT_INVALIDATIONS]++;
}

bool aa_qi_due(const aa *m) {
  const aa_qi *q = &m->qi;
  return q->on && !m->fault.iqe && (!q->waiting || q->stale) && q->head != q->iqt >> AA_IQT_QT_LSB;
}

static aa_status descriptor(aa *m, const aa_retire_rec *hw) {
  aa_qi *q = &m->qi;
  uint32_t size = 256u << (q->iqa & AA_IQA_QS_MASK), tail = (uint32_t)(q->iqt >> AA_IQT_QT_LSB);
  uint64_t lo = 0, hi = 0;
  uint8_t b[16];
  aa_inval v;
  if (!aa_qi_due(m)) return aa_order(m, "no descriptor can be taken from the queue");
  bool bad = tail >= size;
  if (!bad) {
    uint64_t addr = ((q->iqa & AA_IQA_IQA_MASK) + (uint64_t)q->head * 16) & 0xffffffffffffull;
    bad = !m->ops.mem_read(m->ctx, AA_SRC_QI, addr, b, 16);
    if (!bad) {
      lo = le64(b);
      hi = le64(b + 8);
    }
  }
  unsigned what = bad ? AA_QI_BAD : aa_qi_decode(lo, hi, &v);
  if (hw && what == AA_QI_INVAL && aa_inval_waits(m, true)) return too_early(m);
  if (hw) {
    if (hw->flag != (what == AA_QI_BAD)) return aa_differs(m, "flag", hw->flag, what == AA_QI_BAD);
    if (what != AA_QI_BAD && hw->a != lo) return aa_differs(m, "a", hw->a, lo);
    if (what != AA_QI_BAD && hw->b != hi) return aa_differs(m, "b", hw->b, hi);
  } else {
    aa_emit(m, AA_RET_INVAL, what == AA_QI_BAD, 0, 0, 0, 0, lo, hi);
  }
  m->due = true;
  if (what == AA_QI_BAD) {
    aa_fault_iqe(&m->fault);
  } else if (what == AA_QI_WAIT) {
    q->waiting = true;
    q->stale = false;
    q->drained = !m->tags.old;
    q->wait[0] = lo;
    q->wait[1] = hi;
  } else {
    if (aa_qi_normalise(&v)) perform(m, &v);
    q->head = (q->head + 1) & (size - 1);
  }
  return AA_OK;
}

/* CCMD (0) or IOTLB (1): the invalidation whose drain is over. INV-9. */
static aa_status by_register_done(aa *m, unsigned which, const aa_retire_rec *hw) {
  uint64_t *reg = which ? &m->iotlb : &m->ccmd;
  uint64_t busy = which ? AA_IOTLB_IVT_MASK : AA_CCMD_ICC_MASK, did = which ? AA_IOTLB_IAIG_MASK : AA_CCMD_CAIG_MASK;
  if (!m->inv_gran[which]) return aa_order(m, "no invalidation by register %u is being drained", which + 1);
  if (m->tags.old) return aa_order(m, "drained while %u older reads are outstanding", m->tags.old);
  if (hw && hw->a != *reg) return aa_differs(m, "a", hw->a, *reg);
  if (!hw) aa_emit(m, AA_RET_INVAL, false, 3 + which, 0, 0, 0, *reg, 0);
  *reg = (*reg & ~(busy | did)) | (uint64_t)m->inv_gran[which] << (which ? AA_IOTLB_IAIG_LSB : AA_CCMD_CAIG_LSB);
  m->inv_gran[which] = 0;
  m->due = true;
  return AA_OK;
}

/* INV-9, INV-10. */
bool aa_inval_asked(const aa *m, unsigned which) {
  return (which ? m->iotlb & AA_IOTLB_IVT_MASK : m->ccmd & AA_CCMD_ICC_MASK) && !m->inv_gran[0] && !m->inv_gran[1];
}

aa_status aa_inval_do(aa *m, unsigned code, const aa_retire_rec *hw) {
  aa_inval v = {0};
  if (code == 0) return descriptor(m, hw);
  if (code == 3 || code == 4) return by_register_done(m, code - 3, hw);
  uint64_t value = code == 1 ? m->ccmd : m->iotlb;
  if (code > 2 || !aa_inval_asked(m, code - 1))
    return aa_order(m, "no invalidation by register %u was asked for", code);
  if (hw && aa_inval_waits(m, true)) return too_early(m);
  if (hw && hw->a != value) return aa_differs(m, "a", hw->a, value);
  if (hw && code == 2 && hw->b != m->iva) return aa_differs(m, "b", hw->b, m->iva);
  if (!hw) aa_emit(m, AA_RET_INVAL, false, code, 0, 0, 0, value, code == 2 ? m->iva : 0);
  v.ctx = code == 1;
  if (v.ctx) {
    v.gran = (uint8_t)((value & AA_CCMD_CIRG_MASK) >> AA_CCMD_CIRG_LSB);
    v.did = (uint16_t)value;
    v.sid = (uint16_t)(value >> AA_CCMD_SID_LSB);
    v.fm = (uint8_t)((value & AA_CCMD_FM_MASK) >> AA_CCMD_FM_LSB);
  } else {
    v.gran = (uint8_t)((value & AA_IOTLB_IIRG_MASK) >> AA_IOTLB_IIRG_LSB);
    v.did = (uint16_t)(value >> AA_IOTLB_DID_LSB);
    v.am = m->iva & AA_IVA_AM_MASK;
    v.ih = m->iva & AA_IVA_IH_MASK;
    v.addr = m->iva & AA_IVA_ADDR_MASK;
  }
  if (aa_qi_normalise(&v)) perform(m, &v);
  m->inv_gran[code - 1] = v.gran;
  m->due = true;
  return AA_OK;
}
