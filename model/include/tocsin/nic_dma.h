// SPDX-License-Identifier: Apache-2.0
/* Data movement of the NIC: which TLPs a DMA job becomes, and what the completions of its reads make of it.
 *
 * Written from rtl/nic/README.md (Data movement); what the hardware does in its own time is here a sequence of calls.
 * Nothing allocates; every object belongs to the caller, and objects are independent of each other.
 *
 * A job is walked chunk by chunk, one TLP each:
 *
 *   nic_chunk c = {0};
 *   while (nic_chunk_next(&job, size, &c)) nic_wr_tlp(&job, &c, bytes, payload, &t);
 *
 * A reader follows the tags: nic_reads_open when an MRd or AtomicOp has left, nic_reads_complete for each completion,
 * nic_reads_expire when a tag is given up, nic_reads_free for a write to NIC_TAG_FREE.
 */
#ifndef TOCSIN_NIC_DMA_H
#define TOCSIN_NIC_DMA_H

#include "tocsin/tlp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NIC_JOB_MAX = 4096, NIC_TAGS_MAX = 256 };
enum { NIC_DMA_READ = 0, NIC_DMA_FETCH_ADD = 1, NIC_DMA_CAS = 2 };

typedef struct nic_dma_job {
  uint16_t rid;
  uint8_t src; /* becomes the TLP's seq */
  uint64_t va;
  uint32_t len;           /* bytes, 0 to 4096; not looked at for an atomic, which has 8 at va rounded down to 8 */
  uint8_t op;             /* NIC_DMA_*; not looked at for a write */
  uint64_t swap, compare; /* atomics: what is added or written; what a CAS compares with */
} nic_dma_job;

/* Bytes [at, at + bytes) of a job, at address va. */
typedef struct nic_chunk {
  uint64_t va;
  uint32_t at, bytes;
} nic_chunk;

/* The size of TLPs: 128 << code, codes 6 and 7 as 5, but no more than `most` (a power of two). */
uint32_t nic_dma_size(unsigned code, uint32_t most);

/* The chunk after *c, the first one if c->bytes is 0. false: there is none. */
bool nic_chunk_next(const nic_dma_job *job, uint32_t size, nic_chunk *c);
bool nic_chunk_last(const nic_dma_job *job, const nic_chunk *c);

/* The MWr of a chunk. `bytes` are the whole job's; `payload` (4096 bytes) is written and lent to the TLP. Bytes of the
 * payload that are not enabled are 0. */
void nic_wr_tlp(const nic_dma_job *job, const nic_chunk *c, const uint8_t *bytes, uint8_t *payload, tlp *t);

/* The MRd of a chunk, or the AtomicOp of a job. `payload` (16 bytes) is written and lent to the TLP. */
void nic_rd_tlp(const nic_dma_job *job, const nic_chunk *c, uint8_t tag, uint8_t *payload, tlp *t);

/* What a completion did. */
typedef enum nic_cpl {
  NIC_CPL_MORE,      /* its bytes are there, more are to come */
  NIC_CPL_LAST,      /* its bytes are there, the tag is free */
  NIC_CPL_FAILED,    /* status other than SC: the tag is free, the item is err */
  NIC_CPL_STRAY,     /* of no tag that is live: dropped */
  NIC_CPL_MALFORMED, /* dropped; if it was for a live tag that one is given up and its item is err */
  NIC_CPL_COUNT
} nic_cpl;
const char *nic_cpl_name(nic_cpl c);

typedef enum nic_tag_state { NIC_TAG_FREE, NIC_TAG_LIVE, NIC_TAG_DEAD } nic_tag_state;

/* What has gone wrong with an item. Anything but status UR makes it broken. */
enum { NIC_ITEM_GOOD = 0, NIC_ITEM_BROKEN = 1, NIC_ITEM_REFUSED = 2 };

typedef struct nic_read {
  nic_tag_state state;
  uint16_t rid;
  uint32_t left;  /* bytes still to come */
  uint32_t total; /* of them all */
  unsigned lead;  /* bytes before the first in its word */
  uint8_t *to;    /* the first byte's place in the caller's item */
  uint8_t *err;   /* the item's: NIC_ITEM_* */
} nic_read;

typedef struct nic_reads {
  unsigned tags;
  nic_read tag[NIC_TAGS_MAX];
} nic_reads;

void nic_reads_init(nic_reads *r, unsigned tags);

/* The request for a chunk has left with this tag, which must be free. `item` (the whole job's bytes) and `err`
 * (NIC_ITEM_GOOD before the first chunk) belong to the caller and must live until the tag is free or dead. */
void nic_reads_open(nic_reads *r, uint8_t tag, const nic_dma_job *job, const nic_chunk *c, uint8_t *item, uint8_t *err);

/* `framed`: its beats were what its header promises (a TLP cut off by the next, or with beats missing, is not). */
nic_cpl nic_reads_complete(nic_reads *r, const tlp *t, bool framed);

/* NIC_CPL_TMO has passed for a live tag. */
void nic_reads_expire(nic_reads *r, uint8_t tag);

/* NIC_TAG_FREE was written: dead tags are free. */
void nic_reads_free(nic_reads *r);

#ifdef __cplusplus
}
#endif
#endif
