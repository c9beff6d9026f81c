// SPDX-License-Identifier: Apache-2.0
/* aa_cpl: completions towards the devices - the host's, judged and forwarded; refusals;
 * and what RetCpl's codes mean. */
#ifndef TOCSIN_AA_CPL_H
#define TOCSIN_AA_CPL_H

#include "tocsin/aa_tag_buf.h"

enum {
  AA_CPL_MORE = 0,
  AA_CPL_LAST = 1,
  AA_CPL_STRAY = 2,
  AA_CPL_MALFORMED = 3,
  AA_CPL_ERROR = 4,
  AA_CPL_LATE = 5,     /* as 0, of a read that ended early */
  AA_CPL_LATE_LAST = 6 /* as 1 or 4, of such a read */
};
/* What RetTimeout says of an entry: its read is given up, its log closes, its quarantine is over. */
typedef enum aa_close { AA_CLOSE_END, AA_CLOSE_LOG, AA_CLOSE_OVER } aa_close;

/* Judges a completion; *i is its tag entry for all codes but 2 (and 3, when there is none). */
unsigned aa_cpl_judge(const aa_tag_buf *b, const tlp *t, bool bad_form, unsigned *i);

/* Header of a completion that answers request q: ByteCount and LowerAddress as a first completion has them. */
void aa_cpl_header(const uint32_t req[4], bool data, unsigned status, uint32_t hdr[4]);

#endif
