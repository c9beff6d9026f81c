// SPDX-License-Identifier: Apache-2.0
/* Golden model of the whole device: what rtl/top/tocsin.sv is. The NIC with XTQ at port 0 of the Active Access IOMMU,
 * the task port between them, and a root complex that answers the IOMMU out of memory that the owner supplies.
 *
 *   frames <--> nic --- TLPs, port 0 ---> aa --- TLPs, physical ---> root complex --> mem_read, mem_write
 *                ^                         |  `--- logs, pointers, MSIs, walks ------^
 *                `------ task port --------'  <--- TLPs, ports 1 and up: tocsin_model_submit
 *
 * Self-running only (lockstep takes the two models alone). Each call does what can be done at once;
 * tocsin_model_run does the rest. Time passes only in tocsin_model_advance. No globals, no locks; different instances
 * may run in different threads, one instance in one thread at a time. It allocates in tocsin_model_new and when more
 * packets wait than ever before.
 */
#ifndef TOCSIN_MODEL_H
#define TOCSIN_MODEL_H

#include "tocsin/aa.h"
#include "tocsin/nic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tocsin_model_status {
  TOCSIN_MODEL_OK = 0,
  TOCSIN_MODEL_E_CONFIG, /* a parameter out of its range */
  TOCSIN_MODEL_E_NOMEM,  /* out of memory; the instance can only be freed */
  TOCSIN_MODEL_E_ARG,    /* an argument out of its range */
  TOCSIN_MODEL_E_BUSY    /* not taken: a frame without room, a lane that is full, a register that waits */
} tocsin_model_status;

/* Text of a status, never NULL. */
const char *tocsin_model_strstatus(tocsin_model_status s);

typedef struct tocsin_model_config {
  aa_config aa;   /* NumPorts counts the NIC's port 0 */
  nic_config nic; /* NumLogs: that of aa is taken */
  unsigned ReadTags;
  unsigned MaxRead; /* bytes of the longest read request, 128..4096 */
} tocsin_model_config;

/* The defaults of the hardware, tocsin: docs/integration.md lists them, rtl/top/params.txt is their source. */
void tocsin_model_config_default(tocsin_model_config *cfg);

/* Which packet `see` is shown. */
typedef enum tocsin_model_where {
  TOCSIN_MODEL_DEV_REQ,  /* from a device to the IOMMU, I/O virtual */
  TOCSIN_MODEL_HOST_REQ, /* from the IOMMU to the host, physical */
  TOCSIN_MODEL_HOST_CPL, /* from the host */
  TOCSIN_MODEL_DEV_CPL   /* to a device */
} tocsin_model_where;

/* What the owner supplies; none may call back into the same instance. mem_read and mem_write (physical addresses, any
 * length within a page for devices, longer for logs) return false for an error response; writes to FEEx_xxxxh are MSIs.
 * mem_atomic is one fetch-and-add (cas false, swap is added) or compare-and-swap of 4 or 8 bytes; NULL: a read and a
 * write. `frame` sends one. dev_cpl (completions of ports 1 and up) and `see` may be NULL. */
typedef struct tocsin_model_ops {
  bool (*mem_read)(void *ctx, uint64_t addr, void *buf, size_t n);
  bool (*mem_write)(void *ctx, uint64_t addr, const void *buf, size_t n);
  bool (*mem_atomic)(void *ctx, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare, uint64_t *old);
  void (*frame)(void *ctx, const uint8_t *bytes, size_t n);
  void (*dev_cpl)(void *ctx, unsigned port, const tlp *t);
  void (*see)(void *ctx, tocsin_model_where where, unsigned port, const tlp *t);
} tocsin_model_ops;

typedef struct tocsin_model tocsin_model;

/* Makes an instance in the state after reset. `ops` is copied. On success *m is the instance, otherwise NULL. */
tocsin_model_status tocsin_model_new(const tocsin_model_config *cfg, const tocsin_model_ops *ops, void *ctx,
                                     tocsin_model **m);
void tocsin_model_free(tocsin_model *m); /* NULL is fine */

/* Registers as s_axil has them: 4 or 8 bytes, aligned; below 1 MiB the IOMMU's, from there on the NIC's. */
tocsin_model_status tocsin_model_reg_read(tocsin_model *m, uint32_t addr, unsigned size, uint64_t *value);
tocsin_model_status tocsin_model_reg_write(tocsin_model *m, uint32_t addr, unsigned size, uint64_t value);

/* A frame from the wire. E_BUSY: no room, it is lost unless it is offered again. */
tocsin_model_status tocsin_model_rx(tocsin_model *m, const uint8_t *bytes, size_t n, bool fcs_bad);

/* A request of the device at port 1 or up; E_BUSY: its lane is full. */
tocsin_model_status tocsin_model_submit(tocsin_model *m, unsigned port, const tlp *t);

/* Does all that can be done now; *did (may be NULL) is how much that was, 0 when all is quiet until something comes
 * from outside or time passes. */
tocsin_model_status tocsin_model_run(tocsin_model *m, unsigned *did);

/* Lets time pass for both, then runs. E_ARG: beyond AA_TIME_END (aa.h); no time has passed then. */
tocsin_model_status tocsin_model_advance(tocsin_model *m, uint64_t cycles);

/* Packets, jobs and decisions under way; 0 when all is quiet. */
unsigned tocsin_model_pending(const tocsin_model *m);

#ifdef __cplusplus
}
#endif
#endif
