// SPDX-License-Identifier: Apache-2.0
/* aa_snoop: what can be said of an IOMMU that does not show its decisions, from its ports alone.
 *
 *    requests in ----> lanes (two a port: posted, non-posted)      each request is decided by the golden model when its
 *    memory reads ---> words last read ----> golden model          lane has to have come so far: an output of it or of
 *    completions in ->                            |                a later one appears
 *    TLPs out ------------------------------> compare
 *
 * The order of decisions between lanes is unknown, so only what does not depend on it is compared:
 *
 *    host TLPs           each lane's in order, every bit, translated by the table entries as the IOMMU
 *                        itself last read them
 *    order               a non-posted request leaves after the posted ones that came before it on its port
 *    blocked requests    a non-posted one is answered UR, with the right header; a posted one leaves nothing
 *    completions         header, data, port; those of one read in order; none too many, none missing
 *    stale entries       after software has seen the end of a global invalidation by register (CCMD, IOTLB), what was
 *                        read before the write that began it counts as not read
 *    registers           what was written to RTADDR, FEDATA, FEADDR, FEUADDR, IEDATA, IEADDR, IEUADDR is read back; TES
 *                        and RTPS stay once they have followed GCMD
 *
 * It does not see: access logs, their pointers and interrupts, fault records, counters, the order between lanes,
 * the invalidation queue. It expects of the run: tags are not reused while live, no completion time-out,
 * and software that turns translation or filters on and off, or maps what was blocked, while no request is under way.
 * Blind (aa_snoop_blind) make it: a flush page, AA_RESET, and a reset of a port while a non-posted request
 * of it has no outcome yet.
 *
 * Order of calls within a cycle: as for aa_lock, aa_snoop_reg_write with the write's response. One thread; no globals.
 */
#ifndef TOCSIN_AA_SNOOP_H
#define TOCSIN_AA_SNOOP_H

#include "tocsin/aa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aa_snoop aa_snoop;

/* As aa_lock_ops.differ: called once, for the first difference. */
typedef void aa_snoop_differ(void *ctx, const char *block, const char *stream, const char *text);

/* Of cfg only NumPorts, ActiveAccess and DataW matter. AA_E_CONFIG and AA_E_NOMEM as aa_new. */
aa_status aa_snoop_new(const aa_config *cfg, aa_snoop_differ *differ, void *ctx, aa_snoop **s);
void aa_snoop_free(aa_snoop *s); /* NULL is fine */

bool aa_snoop_failed(const aa_snoop *s);
/* True from the moment when software enables a flush page, or something is reset of which nobody can see how far it
 * was: nothing is compared any more. */
bool aa_snoop_blind(const aa_snoop *s);

/* The calls below ignore what comes after the first difference. */
void aa_snoop_cycle(aa_snoop *s, uint64_t cycle); /* a cycle begins */
void aa_snoop_reset_level(aa_snoop *s, unsigned port, bool level);
void aa_snoop_axi_read(aa_snoop *s, uint64_t addr, const void *data, unsigned n, bool err);
void aa_snoop_dev_in(aa_snoop *s, unsigned port, const aa_beat *b, bool taken);
void aa_snoop_host_in(aa_snoop *s, const aa_beat *b, bool taken);
void aa_snoop_host_out(aa_snoop *s, const aa_beat *b);
void aa_snoop_dev_out(aa_snoop *s, unsigned port, const aa_beat *b);
void aa_snoop_host_tlp(aa_snoop *s, const tlp *t); /* the same, a whole packet */
void aa_snoop_dev_tlp(aa_snoop *s, unsigned port, const tlp *t);
void aa_snoop_reg_read(aa_snoop *s, uint32_t addr, uint64_t data);
/* When the response is given; taken: the cycle in which address and data had been taken. */
void aa_snoop_reg_write(aa_snoop *s, uint64_t taken, uint32_t addr, uint64_t data, unsigned strb);

/* The run is over and the IOMMU idle: requests without an outcome, and completions owed, are differences now. */
void aa_snoop_end(aa_snoop *s);

#ifdef __cplusplus
}
#endif
#endif
