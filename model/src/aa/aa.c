// SPDX-License-Identifier: Apache-2.0
/* An engine is made and freed. What it does stands in aa_lockstep.c, aa_run.c and aa_submit.c. */
#include "tocsin/aa.h"

#include <stdlib.h>

#include "aa_queue.h"
#include "../params.h"

const char *aa_strstatus(aa_status s) {
  switch (s) {
    case AA_OK: return "ok";
    case AA_E_CONFIG: return "a parameter is out of its range";
    case AA_E_NOMEM: return "out of memory";
    case AA_E_ARG: return "an argument is out of its range";
    case AA_E_BUSY: return "the lane is full";
    case AA_E_ORDER: return "the record is not legal now";
    case AA_E_MISMATCH: return "the record differs from the model";
    default: return "unknown status";
  }
}

const char *aa_reason(const aa *m) { return m->reason; }

void aa_config_default(aa_config *cfg) { *cfg = (aa_config){AA_PARAMS_DEFAULT, .DataW = 256}; }

const char *aa_config_wrong(const aa_config *cfg) { return aa_params_wrong(cfg); }

void aa_free(aa *m) {
  if (!m) return;
  for (unsigned i = 0; i < 2 * AA_PORTS_MAX; i++) aa_queue_free(&m->lane[i]);
  for (unsigned i = 0; i <= AA_PORTS_MAX; i++) free(m->rx[i].buf);
  aa_queue_free(&m->cpl);
  aa_xlt_free(&m->xlt);
  aa_logs_free(&m->logs);
  free(m);
}

aa_status aa_new(const aa_config *cfg, const aa_ops *ops, void *ctx, aa **out) {
  aa_config c = *cfg;
  *out = NULL;
  if (aa_config_wrong(cfg)) return AA_E_CONFIG;
  if (!c.ActiveAccess) c.NumLogs = c.LogDepth = c.FlushPages = c.FlushWaiters = c.ScratchWords = 0;
  return aa_make(&c, ops, ctx, out);
}

aa_status aa_make(const aa_config *cfg, const aa_ops *ops, void *ctx, aa **out) {
  *out = NULL;
  aa *m = calloc(1, sizeof *m);
  if (!m) return AA_E_NOMEM;
  m->cfg = *cfg;
  m->ops = *ops;
  m->ctx = ctx;
  bool ok =
      aa_xlt_init(&m->xlt, cfg) == AA_OK && aa_logs_init(&m->logs, cfg) == AA_OK && aa_queue_init(&m->cpl, 16) == AA_OK;
  for (unsigned i = 0; i < 2 * cfg->NumPorts; i++) ok = ok && aa_queue_init(&m->lane[i], cfg->Window) == AA_OK;
  for (unsigned i = 0; i <= AA_PORTS_MAX; i++) {
    m->rx[i].buf = i < cfg->NumPorts || i == AA_PORTS_MAX ? malloc(TLP_MAX_BYTES) : NULL;
    ok = ok && (m->rx[i].buf || (i >= cfg->NumPorts && i != AA_PORTS_MAX));
  }
  if (!ok) {
    aa_free(m);
    return AA_E_NOMEM;
  }
  aa_tag_buf_init(&m->tags, cfg->TagEntries, cfg->NumPorts);
  aa_fault_init(&m->fault);
  m->flush.pages = cfg->FlushPages;
  m->flush.waiters = cfg->FlushWaiters;
  m->flush.ports = cfg->NumPorts;
  m->xlt.rd = ops->mem_read;
  m->xlt.rd_ctx = ctx;
  aa_regs_reset(m);
  for (unsigned op = 0; op < AA_OP_NUM; op++)
    for (unsigned bits = 0; bits < 128; bits++) m->rule[op][bits] = aa_decide_rule((aa_op)op, bits);
  *out = m;
  return AA_OK;
}
