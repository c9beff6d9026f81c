// SPDX-License-Identifier: Apache-2.0
#include "aa_duty.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aa_state.h"
#include "../le.h"

static bool wrong(aa_wrong *w, const char *block, const char *stream, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static bool wrong(aa_wrong *w, const char *block, const char *stream, const char *fmt, ...) {
  va_list ap;
  snprintf(w->block, sizeof w->block, "%s", block);
  snprintf(w->stream, sizeof w->stream, "%s", stream);
  va_start(ap, fmt);
  vsnprintf(w->text, sizeof w->text, fmt, ap);
  va_end(ap);
  return false;
}

/* ---- drains ------------------------------------------------------------------------------------------------------ */

static bool all_left(const aa_duty *d) { return (int64_t)(d->left - d->old) >= 0; }

/* A wait's drain is over once both are true at a time; an invalidation by register may begin another one after that. */
/* INV-5, INV-6. */
static void watch_drain(aa_duty *d, const aa *m) {
  if (m->qi.waiting && !d->waiting) d->over = false;
  d->waiting = m->qi.waiting;
  if (d->waiting && all_left(d) && !m->tags.old) d->over = true;
}

static bool not_over(const aa_duty *d, const aa *m, const char *what, aa_wrong *w) {
  return wrong(w, "aa_mover", "drain",
               "%s before the drain is over\ngot  %" PRIu64
               " TLPs and %u reads of before the last invalidation\nwant none",
               what, all_left(d) ? 0 : d->old - d->left, m->tags.old);
}

void aa_duty_left(aa_duty *d, const aa *m) {
  d->left++;
  watch_drain(d, m);
}

/* ---- small writes ------------------------------------------------------------------------------------------------ */

/* NTF-7. */
bool aa_duty_early(aa_duty *d, const aa *m, uint64_t addr, const void *data, unsigned n, aa_wrong *w) {
  const aa_qi *q = &m->qi;
  bool status = q->waiting && (q->wait[0] & 0x20) && n == 4 && addr == (q->wait[1] & 0xfffffffffffcull) &&
                le32(data) == (uint32_t)(q->wait[0] >> 32);
  if (!status || d->small[AA_OF_WAIT])
    return wrong(w, "aa_msg", "m_axi id 2", "got a write of %" PRIx64 ", %u bytes\nwant none before its record", addr,
                 n);
  d->small[AA_OF_WAIT]++;
  return d->over || not_over(d, m, "the status write of a wait", w);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* It has happened, and may be due anew: its time begins again. What a log tells, it tells one after the other. */
static void begin_again(aa_duty *d, const aa_retire_rec *r) {
  static const uint8_t note[] = {
      [AA_NOTE_FAULT] = AA_DUE_FAULT, [AA_NOTE_INV_DONE] = AA_DUE_INV_EVENT, [AA_NOTE_WAIT] = AA_DUE_WAIT};
  if (r->kind == AA_RET_TIMEOUT) d->age[AA_DUE_RESET][r->idx] = d->age[AA_DUE_ABORT][r->idx] = 0;
  if (r->kind == AA_RET_PUBLISH) d->age[AA_DUE_PUBLISH][r->idx] = 0;
  if (r->kind == AA_RET_INVAL && r->code) d->age[r->code < 3 ? AA_DUE_INV : AA_DUE_DONE][(r->code - 1) & 1] = 0;
  if (r->kind != AA_RET_NOTIFY) return;
  switch (r->code) {
    case AA_NOTE_FAULT:
    case AA_NOTE_INV_DONE:
    case AA_NOTE_WAIT: d->age[note[r->code]][0] = 0; break;
    case AA_NOTE_FLUSH: d->age[AA_DUE_FLUSH][r->idx] = 0; break;
    case AA_NOTE_RESET: d->age[AA_DUE_ENDED][0] = 0; break;
    case AA_NOTE_AXI_ERR: break;
    default:
      if (r->code == AA_NOTE_LOG_OFF)
        memset(d->age[AA_DUE_OFF], 0, sizeof d->age[AA_DUE_OFF]); /* logs end one by one */
      d->age[AA_DUE_PTR][r->idx] = d->age[AA_DUE_TASK][r->idx] = d->age[AA_DUE_OFF][r->idx] = 0;
  }
}

static bool of_log(const aa_retire_rec *r) {
  return r->code == AA_NOTE_PTR || r->code == AA_NOTE_MSI || r->code == AA_NOTE_LOG_OFF;
}

bool aa_duty_before(aa_duty *d, const aa *m, const aa_retire_rec *r, aa_wrong *w) {
  bool note = r->kind == AA_RET_NOTIFY, log = note && of_log(r) && r->idx < AA_LOG_MAX;
  d->of = log ? r->idx : note && r->code == AA_NOTE_WAIT ? AA_OF_WAIT : AA_OF_EVENT;
  if (log && d->small[r->idx])
    return wrong(w, "aa_notify", "m_axi id 2", "log %u tells before its last message is answered (%u are not)", r->idx,
                 d->small[r->idx]);
  if (note && r->code == AA_NOTE_WAIT && d->waiting && !d->over) return not_over(d, m, "a wait ends", w);
  if (r->kind == AA_RET_INVAL && (r->code == 3 || r->code == 4) && !all_left(d))
    return not_over(d, m, r->code == 3 ? "ICC clears" : "IVT clears", w);
  return true;
}

bool aa_duty_after(aa_duty *d, const aa *m, const aa_retire_rec *r, aa_wrong *w) {
  if (d->drains != m->drains) {
    d->drains = m->drains;
    d->old = d->told;
  }
  watch_drain(d, m);
  begin_again(d, r);
  if (r->kind == AA_RET_NOTIFY && r->code == AA_NOTE_WAIT && d->small[AA_OF_WAIT])
    return wrong(w, "aa_qi", "m_axi id 2", "a wait ends before its status write is answered");
  return true;
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

enum { STEP = 8, HOST = AA_DUE_NUM, DEV = AA_DUE_NUM + 1, KINDS = AA_DUE_NUM + 2 };

static bool due(const aa_duty *d, const aa *m, const aa_outside *o, unsigned k, unsigned i) {
  if (k == HOST) return o->host && d->left == d->was_left;
  if (k == DEV) return o->dev && d->dev_left == d->was_dev_left;
  if (!aa_due_now(m, (aa_due_kind)k, i)) return false;
  switch (k) {
    case AA_DUE_PTR:
    case AA_DUE_OFF: return !d->small[i];
    case AA_DUE_TASK: return !o->task;
    case AA_DUE_PUBLISH: return !o->entries;
    case AA_DUE_WAIT: return d->over;
    case AA_DUE_DONE: return all_left(d);
    default: return true;
  }
}

/* DUE-1, DUE-2, DUE-3, DUE-4, DUE-5. */
static unsigned limit(const aa_config *c, unsigned k) {
  switch (k) {
    case AA_DUE_RESET:
    case AA_DUE_ENDED:
    case AA_DUE_ABORT: return 32 + 6 * c->TagEntries;
    case AA_DUE_FLUSH: return 32 + 4 * c->FlushWaiters;
    case AA_DUE_PTR:
    case AA_DUE_TASK:
    case AA_DUE_OFF:
    case AA_DUE_PUBLISH: return 32 + 4 * c->NumLogs;
    case AA_DUE_FAULT:
    case AA_DUE_INV_EVENT: return 64;
    case AA_DUE_INV: return 64 + 32;                           /* XLT-24 */
    default: return 64 + 5 * (TLP_MAX_BYTES / (c->DataW / 8)); /* payload that nobody gets goes away a beat a cycle */
  }
}

bool aa_duty_cycle(aa_duty *d, const aa *m, const aa_outside *o, aa_wrong *w) {
  char what[96];
  if (o->held || ++d->cycles < STEP) return true;
  d->cycles = 0;
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned i = 0; i < (k < AA_DUE_NUM ? aa_due_count(m, (aa_due_kind)k) : 1u); i++) {
      uint16_t *age = &d->age[k][i];
      *age = due(d, m, o, k, i) ? (uint16_t)(*age + STEP) : 0;
      if (*age <= limit(&m->cfg, k)) continue;
      snprintf(what, sizeof what, k == HOST ? "a TLP" : "a completion");
      if (k < AA_DUE_NUM) aa_due_text(m, (aa_due_kind)k, i, what, sizeof what);
      return wrong(w, "aa_iommu", "time", "got nothing for %u cycles\nwant %s", *age, what);
    }
  d->was_left = d->left;
  d->was_dev_left = d->dev_left;
  return true;
}
