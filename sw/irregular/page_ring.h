// SPDX-License-Identifier: Apache-2.0
// A ring of io_uring by the kernel's own calls: reads and writes of one file.
#ifndef TOCSIN_IRREGULAR_PAGE_RING_H
#define TOCSIN_IRREGULAR_PAGE_RING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct page_ring page_ring;

/* depth: a power of two. NULL: this kernel has no io_uring, does not let us, or has none that reads and writes
 * plainly (before 5.6). */
page_ring *irr_i_page_ring_open(int fd, unsigned depth);
void irr_i_page_ring_close(page_ring *r); /* NULL is fine; nothing may be under way */
/* False: there is no room. mark comes back with the end. */
bool irr_i_page_ring_begin(page_ring *r, bool write, void *memory, uint32_t bytes, uint64_t at, void *mark);
/* *said: bytes, or -errno. */
bool irr_i_page_ring_ended(page_ring *r, void **mark, int *said);

#endif
