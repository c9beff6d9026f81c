// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_fault.h"

#include <string.h>

#include "tocsin/aa_regs.h"

void aa_fault_init(aa_fault *f) {
  memset(f, 0, sizeof *f);
  f->event.mask = true;
}

bool aa_fault_ppf(const aa_fault *f) {
  uint64_t any = 0;
  for (unsigned i = 0; i < AA_FAULT_RECORDS; i++) any |= f->hi[i];
  return any >> AA_FRCDH_F_LSB;
}

/* INV-1. */
bool aa_fault_record(aa_fault *f, unsigned reason, bool read, unsigned at, unsigned sid, uint64_t iova) {
  bool before = aa_fault_ppf(f);
  if (f->pfo) return false;
  for (unsigned i = 0; i < AA_FAULT_RECORDS; i++)
    if ((f->hi[i] & AA_FRCDH_F_MASK) && (f->hi[i] & AA_FRCDH_SID_MASK) == sid) return false;
  if (f->hi[f->next] & AA_FRCDH_F_MASK) {
    f->pfo = true; /* PPF is set already: no event */
    return false;
  }
  f->lo[f->next] = iova & AA_FRCDL_FI_MASK;
  f->hi[f->next] = AA_FRCDH_F_MASK | (uint64_t)read << AA_FRCDH_T_LSB | (uint64_t)at << AA_FRCDH_AT_LSB |
                   (uint64_t)reason << AA_FRCDH_FR_LSB | sid;
  if (!before) {
    f->fri = f->next;
    if (!f->iqe) f->event.pending = true;
  }
  f->next = (f->next + 1) % AA_FAULT_RECORDS;
  return true;
}

void aa_fault_iqe(aa_fault *f) {
  if (!f->iqe && !f->pfo && !aa_fault_ppf(f)) f->event.pending = true;
  f->iqe = true;
}

void aa_fault_settle(aa_fault *f) {
  if (!f->iqe && !f->pfo && !aa_fault_ppf(f)) f->event.pending = false;
}

/* DEC-14. */
void aa_fault_error(aa_fault *f, unsigned code, unsigned sid, unsigned iuid, uint64_t addr) {
  if (f->err_sts & AA_AA_ERR_STS_VALID_MASK) {
    f->err_sts |= AA_AA_ERR_STS_MORE_MASK;
    return;
  }
  f->err_sts |= AA_AA_ERR_STS_VALID_MASK | (uint64_t)code << AA_AA_ERR_STS_CODE_LSB |
                (uint64_t)sid << AA_AA_ERR_STS_SID_LSB | (uint64_t)iuid << AA_AA_ERR_STS_IUID_LSB;
  f->err_addr = addr;
}

/* ERR-7. */
void aa_fault_write_error(aa_fault *f, unsigned iuid, uint64_t addr) {
  if (!(f->err_sts & AA_AA_ERR_STS_WERR_MASK)) f->werr_pending = true;
  aa_fault_error(f, AA_ERR_AXI_WRITE, 0, iuid, addr);
  f->err_sts |= AA_AA_ERR_STS_WERR_MASK;
}

void aa_fault_error_clear(aa_fault *f) {
  f->err_sts = f->err_addr = 0;
  f->werr_pending = false;
}
