// SPDX-License-Identifier: Apache-2.0
// Between aa_checker.sv and libtocsin: what passed at the pins, event by event. Compile tocsin_dpi.c with your test
// bench and link it with `pkg-config --libs tocsin`. Any number of instances; no globals. aa_checker.sv shows the order
// of calls within a cycle.
#ifndef TOCSIN_DPI_H
#define TOCSIN_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TOCSIN_DEV_REQ = 0, TOCSIN_HOST_CPL = 1, TOCSIN_HOST_REQ = 2, TOCSIN_DEV_CPL = 3 }; /* streams */
enum { TOCSIN_SOP = 1, TOCSIN_EOP = 2, TOCSIN_ERR = 4, TOCSIN_TAKEN = 8 };                 /* flags of a beat */

/* Parameters of aa_iommu, in the order of its declaration, then the width of data and whether there is a retire port.
 * Ends the program, with a message, on a parameter out of range. */
void *tocsin_new(int NumPorts, int Window, int Walkers, int IotlbEntries, int IotlbWays, int IotlbRandom, int SpEntries,
                 int CtxEntries, int PscEntries, int NumLogs, int LogDepth, int TagEntries, int FlushPages,
                 int FlushWaiters, int ScratchWords, int ActiveAccess, int DataW, int Retire);
void tocsin_free(void *h);

/* Everything is as after reset again; cycles count from 0. */
void tocsin_reset(void *h);
/* A cycle begins. */
void tocsin_cycle(void *h);

/* AXI4, each when valid and ready. data: 512 bits, strb: a bit a byte. Up to 256 reads under way, 64 writes. */
void tocsin_ar(void *h, int id, long long addr, int len, int size);
void tocsin_r(void *h, int id, int resp, const uint32_t *data);
void tocsin_b(void *h, int id, int error);
void tocsin_aw(void *h, int id, long long addr, int len, int size);
void tocsin_w(void *h, const uint32_t *data, long long strb, int last);

/* A beat of a stream: for those going in whenever valid, for those going out when taken. */
void tocsin_beat(void *h, int stream, int port, int flags, int seq, int strb, const uint32_t *hdr,
                 const uint32_t *data);

/* AXI4-Lite, each when valid and ready. Up to 8 reads and 8 writes under way. */
void tocsin_reg_ar(void *h, int addr);
void tocsin_reg_r(void *h, long long data, int resp);
void tocsin_reg_aw(void *h, int addr);
void tocsin_reg_w(void *h, long long data, int strb);
void tocsin_reg_b(void *h, int resp);

/* The level of dev_reset_i: in each cycle in which it is high, and when it falls. */
void tocsin_level(void *h, int port, int reset);
void tocsin_task(void *h, int log, int prod);
void tocsin_task_done(void *h, int log);
/* One retire record (157 bits, aa_pkg::retire_t). */
void tocsin_retire(void *h, const uint32_t *record);

/* A cycle ends; shown: AA_SHOWN_... of tocsin/aa_lock.h. Without it time is not checked. */
void tocsin_shown(void *h, int shown);

/* The run is over and all is idle: what is owed now is a difference, also what has begun at the ports and not ended. */
void tocsin_end(void *h);

/* 1 once nothing is compared any more, for lack of a retire port: a flush page has been enabled, AA_RESET written, or a
 * device reset that had a read under way. */
int tocsin_blind(void *h);
/* 1 from the first difference on; its report, several lines. */
int tocsin_failed(void *h);
const char *tocsin_report(void *h);

#ifdef __cplusplus
}
#endif
#endif
