// SPDX-License-Identifier: Apache-2.0
#include "aa_duty.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "aa_state.h"
#include "le.h"

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

/* ---- drains --------------------------------------------------------------------------------------------------------- */

static bool all_left(const aa_duty *d) { return (int64_t)(d->left - d->old) >= 0; }

/* A wait's drain is over once both are true at a time; an invalidation by register may begin another one after that. */
static void look(aa_duty *d, const aa *m) {
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
  look(d, m);
}

/* ---- small writes --------------------------------------------------------------------------------------------------- */

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

/* ---- records -------------------------------------------------------------------------------------------------------- */

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
  look(d, m);
  if (r->kind == AA_RET_NOTIFY && r->code == AA_NOTE_WAIT && d->small[AA_OF_WAIT])
    return wrong(w, "aa_qi", "m_axi id 2", "a wait ends before its status write is answered");
  return true;
}
