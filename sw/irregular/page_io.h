// SPDX-License-Identifier: Apache-2.0
// Reads and writes of whole pages of a file that go on while the program does something else: by io_uring, or, where
// the kernel does not let it, by two threads. One thread at a time uses one.
#ifndef TOCSIN_IRREGULAR_PAGE_IO_H
#define TOCSIN_IRREGULAR_PAGE_IO_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGE_IO_PAGE = 4096, PAGE_IO_DEPTH = 64 };

typedef struct page_io page_io;

typedef struct page_io_job {
  bool write;
  uint64_t page; /* of the file */
  void *memory;  /* PAGE_IO_PAGE bytes; nobody touches them until it has ended */
  int error;     /* when it has ended: 0, or errno. What a read finds behind the file's end is 0 */
} page_io_job;

/* A file for pages, made if it is not there; NULL: without a name, in TMPDIR or /tmp. direct: past the
 * system's cache. -1, errno. */
int irr_i_page_file(const char *name, bool direct);

/* threads: also where io_uring could be used. NULL: no memory, or no threads. */
page_io *irr_i_page_io_open(int fd, bool threads);
/* Waits for what has begun. NULL is fine. */
void irr_i_page_io_close(page_io *io);
const char *irr_i_page_io_name(const page_io *io); /* "io_uring" or "threads" */

/* Fewer than PAGE_IO_DEPTH jobs are under way. */
bool irr_i_page_io_room(const page_io *io);
/* False: there is no room. */
bool irr_i_page_io_begin(page_io *io, page_io_job *j);
/* One that has ended, or NULL. */
page_io_job *irr_i_page_io_ended(page_io *io);

#endif
