// SPDX-License-Identifier: Apache-2.0
/* aa_lock: hardware and golden model side by side, and the first difference between them.
 *
 *    beats in ------------------+
 *    retire records ----------> aa_lock --> golden model --> what must come out
 *    what memory answered ------+   |                             |
 *    TLPs out, AXI writes, -----------------> compare <-----------+
 *    register reads, tasks                       |
 *                                                +--> ops.differ, once
 *
 * It drives nothing: whoever has the pins tells it what passed. That is verif/cosim_aa/bench.c here,
 * and tocsin_dpi.c for a test bench in SystemVerilog; a test bench of your own in C or C++ calls it directly.
 * Of each cycle tell, in this order:
 *
 *    aa_lock_reset_level                       levels of dev_reset_i, at least where one is high
 *                                              or was in the last cycle
 *    aa_lock_axi_read, aa_lock_axi_answer      read data and write responses that were taken
 *    aa_lock_dev_in, aa_lock_host_in           beats shown to the hardware
 *    aa_lock_reg_write                         a register write whose two halves have been taken
 *    aa_lock_retire                            records, slot 0 first
 *    aa_lock_axi_write                         a write burst whose last beat and address have both been taken
 *    aa_lock_host_out, aa_lock_dev_out, aa_lock_reg_read, aa_lock_task
 *    aa_lock_cycle                             the cycle is over
 *
 * What is compared:
 *    host TLPs            in order of decision, every bit
 *    device completions   in order for each port and maker (forwarded, UR, flush answer)
 *    AXI writes           id 0 one stream of bytes in order; id 1 in order within an entry; id 2 whole small writes
 *    AXI reads            what a walk slot, or the invalidation queue, was given is what the model's walk is given;
 *                         no more, no less
 *    records              each legal, each result as computed
 *    responses            a log's message is answered before its next one and before its end, a status write
 *                         before its wait's end
 *    drains               TLPs decided before an invalidation have left, reads have ended, when it or a
 *                         wait after it is done
 *    publishing           every byte of what a record publishes has been written and answered, and not with an error
 *    failed writes        each has its record, with its id and address, and no record comes without one
 *    registers            bus against record, record against model; tasks against their records
 *    at rest              nothing is owed (aa_owes)
 *    time                 every timer neither too early nor too late (tocsin/aa_time.h), if aa_lock_cycle is called
 *
 * After the first difference everything is ignored. One aa_lock in one thread at a time; no globals.
 */
#ifndef TOCSIN_AA_LOCK_H
#define TOCSIN_AA_LOCK_H

#include "tocsin/aa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aa_lock aa_lock;

/* What the owner supplies; all but `differ` may be NULL. None may call back into the same aa_lock. */
typedef struct aa_lock_ops {
  /* The first difference. block: the module that is likely to blame, or the port; stream: what was being
   * compared ("host_req", "dev_cpl 1", "m_axi id 0", "record", ...); text: one to three lines, with what was
   * got and what was wanted. */
  void (*differ)(void *ctx, const char *block, const char *stream, const char *text);
  /* The model writes memory: for an owner that keeps a second memory to compare at the end. */
  void (*wrote)(void *ctx, uint64_t addr, const void *buf, size_t n);
  /* Does memory hold these bytes? Asked of descriptors as the hardware fetched them. */
  bool (*holds)(void *ctx, uint64_t addr, const void *buf, size_t n);
} aa_lock_ops;

/* AA_E_CONFIG and AA_E_NOMEM as aa_new. */
aa_status aa_lock_new(const aa_config *cfg, const aa_lock_ops *ops, void *ctx, aa_lock **l);
void aa_lock_free(aa_lock *l); /* NULL is fine */

/* The model inside: for aa_pending and the like. */
aa *aa_lock_model(aa_lock *l);
bool aa_lock_failed(const aa_lock *l);

void aa_lock_reset_level(aa_lock *l, unsigned port, bool level);

/* One beat of read data, at the address that it is of. n: up to 64 bytes. */
void aa_lock_axi_read(aa_lock *l, unsigned id, uint64_t addr, const void *data, unsigned n, bool err);
/* The response to the oldest burst of this id, when it is taken. */
void aa_lock_axi_answer(aa_lock *l, unsigned id, bool error);
/* A run of bytes with strobes. last: the burst has no more of them (n may be 0). */
void aa_lock_axi_write(aa_lock *l, unsigned id, uint64_t addr, const void *data, unsigned n, bool last);

/* A beat that is shown to the hardware; taken: ready was high as well. */
void aa_lock_dev_in(aa_lock *l, unsigned port, const aa_beat *b, bool taken);
void aa_lock_host_in(aa_lock *l, const aa_beat *b, bool taken);

void aa_lock_retire(aa_lock *l, const aa_retire_rec *r);

/* A beat that left, or a whole packet. */
void aa_lock_host_out(aa_lock *l, const aa_beat *b);
void aa_lock_dev_out(aa_lock *l, unsigned port, const aa_beat *b);
void aa_lock_host_tlp(aa_lock *l, const tlp *t);
void aa_lock_dev_tlp(aa_lock *l, unsigned port, const tlp *t);

/* A register was read (the response was taken) or written (address and data were taken); a task was handed over. */
void aa_lock_reg_read(aa_lock *l, uint32_t addr, uint64_t data);
void aa_lock_reg_write(aa_lock *l, uint32_t addr, uint64_t data, unsigned strb);
void aa_lock_task(aa_lock *l, unsigned log, uint32_t prod);
/* task_done_valid_i: told with the tasks of its cycle. */
void aa_lock_task_done(aa_lock *l, unsigned log);

/* A cycle is over. shown: what its outputs showed, taken or not. Who never calls this gets no checks of time. */
enum {
  AA_SHOWN_HOST = 1,  /* host_req_valid_o */
  AA_SHOWN_DEV = 2,   /* dev_cpl_valid_o of any port */
  AA_SHOWN_WRITE = 4, /* m_axi_awvalid or m_axi_wvalid */
  AA_SHOWN_NO_NP = 8  /* an input: host_np_ready_i is low */
};
void aa_lock_cycle(aa_lock *l, unsigned shown);
/* What the timers did: tocsin/aa_time.h. */
const struct aa_time *aa_lock_time(const aa_lock *l);

/* The hardware is at rest, and nothing outside is outstanding: reads are answered or given up, logs are read. Nothing
 * may be owed by either side (aa_owes). At the end of a run, or in the middle. */
void aa_lock_end(aa_lock *l);

/* One line of text; buf is returned. */
const char *aa_record_text(const aa_retire_rec *r, char *buf, size_t n);
const char *aa_tlp_text(const tlp *t, char *buf, size_t n);

#ifdef __cplusplus
}
#endif
#endif
