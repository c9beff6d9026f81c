// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_count.h"

#include <stddef.h>

const char *aa_count_name(unsigned index) {
  static const char *const name[] = {
      "requests",    "writes",          "reads",       "atomics",      "passed",     "hits",          "walks_ended",
      "walk_faults", "tlb_fills",       "ctx_fills",   "walks_begun",  "denied",     "reserved",      "reserved_bytes",
      "published",   "published_bytes", "dropped",     "aborted",      "bad_cpl",    "flushes",       "flushes_undone",
      "malformed",   "tag_live",        "no_log",      "stock",        "stock_lost", "invalidations", "msis",
      "pads",        "poisoned",        "port_filter", "cpl_timeouts", "cycles",     "wait_log",      "wait_tag",
      "wait_flush",  "wait_host",       "wait_xlate",  "late_cpl",     "tags_over",  "cut",
  };
  return index < sizeof name / sizeof name[0] ? name[index] : NULL;
}
