// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_cpl.h"

#include <string.h>

#include "aa_state.h"
#include "tocsin/aa_regs.h"

/* TAG-1, TAG-4, TAG-10. */
unsigned aa_cpl_judge(const aa_tag_buf *b, const tlp *t, bool bad_form, unsigned *i) {
  const uint32_t *h = t->hdr;
  unsigned type = tlp_type(h), status = h[1] >> 13 & 7u;
  if ((type != TLP_CPL && type != TLP_CPLD) || bad_form || t->ndw != tlp_data_dw(h)) return AA_CPL_MALFORMED;
  *i = aa_tag_find(b, aa_tag_key(tlp_cpl_id(h), tlp_cpl_tag(h)));
  if (*i >= AA_TAG_MAX) return AA_CPL_STRAY;
  const aa_tag *e = &b->tag[*i];
  bool late = e->dead || e->reset;
  if (status != TLP_SC) return late ? AA_CPL_LATE_LAST : AA_CPL_ERROR;
  unsigned count = (h[1] & 0xfffu) ? h[1] & 0xfffu : 4096u;
  unsigned at = e->end - e->left, skew = at & 3u;
  if (type == TLP_CPL || count != e->left || ((h[2] ^ at) & 0x7fu) || t->ndw > (skew + e->left + 3) / 4)
    return AA_CPL_MALFORMED;
  bool last = count <= 4 * t->ndw - skew;
  if (late) return last ? AA_CPL_LATE_LAST : AA_CPL_LATE;
  return last ? AA_CPL_LAST : AA_CPL_MORE;
}

/* DEC-19, FLU-3. */
void aa_cpl_header(const uint32_t req[4], bool data, unsigned status, uint32_t hdr[4]) {
  unsigned op = req[0] >> 24 & 0x5fu, len = tlp_length(req), fbe = req[1] & 15u, lbe = req[1] >> 4 & 15u;
  unsigned count = 4, lower = 0;
  if (op == TLP_MRD32) {
    count = tlp_byte_count(len, fbe, lbe);
    lower = ((unsigned)tlp_addr(req) + tlp_first_byte(fbe)) & 0x7fu;
  } else if (op == TLP_CAS32) {
    count = 2 * len;
  } else if (op == TLP_FADD32 || op == TLP_SWAP32) {
    count = 4 * len;
  }
  /* Traffic class, attributes and the upper tag bits are the request's. */
  hdr[0] = (uint32_t)(data ? TLP_CPLD : TLP_CPL) << 24 | (req[0] & 0x00fc3000u) | (data ? len & 0x3ffu : 0u);
  hdr[1] = (uint32_t)status << 13 | (count & 0xfffu);
  hdr[2] = (req[1] & 0xffffff00u) | lower;
  hdr[3] = 0;
}

void aa_cpl_refuse(aa *m, unsigned port, const uint32_t req[4], uint8_t seq) {
  tlp t;
  aa_cpl_header(req, false, TLP_UR, t.hdr);
  t.ndw = 0;
  t.data = NULL;
  t.seq = seq;
  t.err = false;
  m->ops.dev_cpl(m->ctx, port, AA_CPL_UR, &t);
}

/* Get path: the header (and the pad before it) goes last; then the entry is whole. LOG-5. */
static void close_entry(aa *m, aa_tag *e, bool aborted, const aa_retire_rec *hw) {
  uint8_t b[16];
  if (e->place.pad) {
    aa_log_header(b, 0, aa_log_pad_info(e->place.pad));
    aa_write(m, AA_SRC_GET, e->place.log, e->place.pad_addr, b, 16, hw);
  }
  aa_log_header(b, e->entry.addr, e->entry.info | (aborted ? AA_ENTRY_ABORTED : 0));
  aa_write(m, AA_SRC_GET, e->place.log, e->place.addr, b, 16, hw);
  aa_log_close_slot(&m->logs, e->place.log, e->place.slot);
  m->logs_due |= 1u << e->place.log;
  e->logged = false;
  if (aborted) {
    m->logs.log[e->place.log].sts |= AA_LP_STS_ABORTED_MASK;
    m->cnt[AA_CNT_ABORTED]++;
  }
}

/* Data of one completion into the log. LOG-5, TAG-3. */
static void log_data(aa *m, const aa_tag *e, const tlp *t, bool last, const aa_retire_rec *hw) {
  unsigned start = aa_entry_kind(e->entry.info) == AA_ENTRY_ATOMIC ? 0 : e->entry.addr & 0xfff;
  unsigned at = ((e->end - e->left) >> 2) - (start >> 2), ndw = t->ndw;
  unsigned fbe = at ? 15 : aa_entry_fbe(e->entry.info), lbe = last ? aa_entry_lbe(e->entry.info) : 15;
  unsigned pad = last ? (4 - ((at + ndw) & 3)) & 3 : 0;
  if (aa_entry_len(e->entry.info) == 1) lbe = 15;
  aa_log_mask(m->buf, t->data, ndw, fbe, lbe);
  memset(m->buf + 4 * ndw, 0, 4 * pad);
  aa_write(m, AA_SRC_GET, e->place.log, e->place.addr + 16 + 4 * (uint64_t)at, m->buf, 4 * (size_t)(ndw + pad), hw);
}

/* TAG-2, TAG-3, TAG-5. */
aa_status aa_cpl_consume(aa *m, const tlp *t, bool bad_form, const aa_retire_rec *hw) {
  unsigned i = AA_TAG_NONE, code = aa_cpl_judge(&m->tags, t, bad_form, &i), idx = i < AA_TAG_MAX ? i : 0xff;
  if (hw && hw->code != code) return aa_differs(m, "code", hw->code, code);
  if (hw && hw->idx != idx) return aa_differs(m, "idx", hw->idx, idx);
  if (!hw) aa_emit(m, AA_RET_CPL, false, code, 0, 0, idx, 0, 0);
  bool late = code == AA_CPL_LATE || code == AA_CPL_LATE_LAST, last = code != AA_CPL_MORE && code != AA_CPL_LATE;
  if (late || code == AA_CPL_STRAY || code == AA_CPL_MALFORMED) {
    m->cnt[AA_CNT_BAD_CPL]++;
    m->cnt[AA_CNT_LATE] += late;
    aa_fault_error(&m->fault, code == AA_CPL_MALFORMED ? AA_ERR_CPL_LENGTH : AA_ERR_STRAY, tlp_cpl_id(t->hdr), 0, 0);
    if (!late) return AA_OK;
  }
  aa_tag *e = &m->tags.tag[i];
  if (e->logged) {
    m->polled = false;
    bool abort = late || code == AA_CPL_ERROR || t->err || (t->hdr[0] & 0x4000u);
    if (!abort) log_data(m, e, t, last, hw);
    if (abort || last) close_entry(m, e, abort, hw);
  }
  e->left -= !last ? 4 * t->ndw - ((e->end - e->left) & 3u) : 0;
  unsigned port = e->port;
  if (last) { /* where nothing waits for an entry, nothing comes of it */
    m->due = m->due || !m->polled || m->queued || m->fn_go || e->old;
    aa_tag_release(&m->tags, i);
  }
  if (!late) m->ops.dev_cpl(m->ctx, port, AA_CPL_FORWARDED, t);
  return AA_OK;
}

/* TAG-6, TAG-9, RST-3. */
aa_status aa_cpl_timeout(aa *m, unsigned i, aa_close why, const aa_retire_rec *hw) {
  if (i >= m->cfg.TagEntries || !m->tags.tag[i].live) return aa_order(m, "tag entry %u is not live", i);
  aa_tag *e = &m->tags.tag[i];
  if (why == AA_CLOSE_LOG) {
    const aa_log *g = &m->logs.log[e->place.log];
    if (!e->logged || !(g->closing || aa_log_failed(g)))
      return aa_order(m, "tag entry %u has no log that closes or has stopped", i);
    if (!hw) aa_emit(m, AA_RET_TIMEOUT, true, 0, 0, 0, i, 0, 0);
    close_entry(m, e, true, hw);
    return AA_OK;
  }
  if (e->dead != (why == AA_CLOSE_OVER))
    return aa_order(m, "tag entry %u %s", i, e->dead ? "has been given up before" : "is not in quarantine");
  if (why == AA_CLOSE_OVER) {
    if (hw && !m->cpl_tmo) return aa_order(m, "the quarantine of tag entry %u ends without time-out", i);
    if (!hw) aa_emit(m, AA_RET_TIMEOUT, false, 1, 0, 0, i, 0, 0);
    m->cnt[AA_CNT_OVER]++;
    aa_tag_release(&m->tags, i);
    m->due = true;
    return AA_OK;
  }
  bool fn = m->fn_go && aa_tag_rid(e->key) == m->fn_rid;
  if (hw && !m->cpl_tmo && !e->reset && !fn) return aa_order(m, "tag entry %u given up without time-out or reset", i);
  if (!hw) aa_emit(m, AA_RET_TIMEOUT, false, 0, 0, 0, i, 0, 0);
  m->cnt[AA_CNT_CPL_TIMEOUTS]++;
  aa_fault_error(&m->fault, AA_ERR_CPL_TIMEOUT, aa_tag_rid(e->key), 0, 0);
  if (e->logged) close_entry(m, e, true, hw);
  aa_tag_kill(&m->tags, i);
  m->due = true;
  return AA_OK;
}
