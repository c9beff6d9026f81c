// SPDX-License-Identifier: Apache-2.0
// Which pages of a range have devices written? As the dirty bitmap of an IOMMU (iommufd's: get, get and clear), made of
// access logs: what it costs goes with what was written, not with the size of the range.
#ifndef TOCSIN_DIRTY_H
#define TOCSIN_DIRTY_H

#include "tocsin/active.h"

typedef struct dirty dirty;

// Whole pages of memory of the process, which have no rule. The log runs by itself, in calls that wait. flush (may be
// NULL): a page for peers: what they have put before toc_flush on it is in the next bitmap.
toc_status dirty_open(toc_proc *p, void *ptr, size_t bytes, dirty **d, toc_remote *flush);
toc_status dirty_close(dirty *d);

// Bit i of the bitmap (dirty_words of 64): page i was written since it was cleared. clear: and it is clean from here
// on; a write that comes later is in the next bitmap.
size_t dirty_words(const dirty *d);
toc_status dirty_get(dirty *d, uint64_t *bitmap, bool clear);

uint64_t dirty_records(const dirty *d);  // read so far
#endif
