// SPDX-License-Identifier: Apache-2.0
// Pages to and from a file, in the background. What a ring brings in part, and all that threads do,
// goes by pread and pwrite.
#define _GNU_SOURCE  // O_DIRECT
#include "page_io.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page_ring.h"

enum { WORKERS = 2 };

struct page_io {
  int fd;
  unsigned under_way;
  page_ring *ring; /* NULL: threads */
  pthread_mutex_t lock;
  pthread_cond_t more;
  pthread_t worker[WORKERS];
  unsigned workers;
  bool over;
  page_io_job *todo[PAGE_IO_DEPTH], *done[PAGE_IO_DEPTH];
  unsigned todo_in, todo_out, done_in, done_out;
};

static int named(const char *name) {
  if (name) return open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const char *dir = getenv("TMPDIR");
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/tocsin-paged-XXXXXX", dir && *dir ? dir : "/tmp");
  if (n < 0 || (size_t)n >= sizeof path) return errno = ENAMETOOLONG, -1;
  const int fd = mkstemp(path);
  if (fd >= 0) (void)unlink(path);
  return fd;
}

int irr_i_page_file(const char *name, bool direct) {
  const int fd = named(name);
  if (fd < 0 || !direct || fcntl(fd, F_SETFL, O_DIRECT) == 0) return fd;
  const int why = errno;
  (void)close(fd);
  errno = why;
  return -1;
}

/* From byte `from` of the page on. */
static int whole(int fd, const page_io_job *j, size_t from) {
  uint8_t *m = j->memory;
  while (from < PAGE_IO_PAGE) {
    const off_t at = (off_t)(j->page * PAGE_IO_PAGE + from);
    const ssize_t n =
        j->write ? pwrite(fd, m + from, PAGE_IO_PAGE - from, at) : pread(fd, m + from, PAGE_IO_PAGE - from, at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0 && j->write) return ENOSPC;
    if (n == 0) {
      memset(m + from, 0, PAGE_IO_PAGE - from);
      return 0;
    }
    from += (size_t)n;
  }
  return 0;
}

static void *work(void *arg) {
  page_io *io = arg;
  pthread_mutex_lock(&io->lock);
  for (;;) {
    while (io->todo_in == io->todo_out && !io->over) pthread_cond_wait(&io->more, &io->lock);
    if (io->todo_in == io->todo_out) break;
    page_io_job *j = io->todo[io->todo_out++ % PAGE_IO_DEPTH];
    pthread_mutex_unlock(&io->lock);
    const int error = whole(io->fd, j, 0);
    pthread_mutex_lock(&io->lock);
    j->error = error;
    io->done[io->done_in++ % PAGE_IO_DEPTH] = j;
  }
  pthread_mutex_unlock(&io->lock);
  return NULL;
}

static bool hire(page_io *io) {
  while (io->workers < WORKERS && !pthread_create(&io->worker[io->workers], NULL, work, io)) io->workers++;
  return io->workers;
}

page_io *irr_i_page_io_open(int fd, bool threads) {
  page_io *io = calloc(1, sizeof *io);
  if (!io) return NULL;
  io->fd = fd;
  pthread_mutex_init(&io->lock, NULL);
  pthread_cond_init(&io->more, NULL);
  if (!threads) io->ring = irr_i_page_ring_open(fd, PAGE_IO_DEPTH);
  if (io->ring || hire(io)) return io;
  irr_i_page_io_close(io);
  return NULL;
}

void irr_i_page_io_close(page_io *io) {
  if (!io) return;
  while (io->ring && io->under_way) (void)irr_i_page_io_ended(io);
  pthread_mutex_lock(&io->lock);
  io->over = true;
  pthread_cond_broadcast(&io->more);
  pthread_mutex_unlock(&io->lock);
  while (io->workers) pthread_join(io->worker[--io->workers], NULL);
  irr_i_page_ring_close(io->ring);
  pthread_cond_destroy(&io->more);
  pthread_mutex_destroy(&io->lock);
  free(io);
}

const char *irr_i_page_io_name(const page_io *io) { return io->ring ? "io_uring" : "threads"; }

bool irr_i_page_io_room(const page_io *io) { return io->under_way < PAGE_IO_DEPTH; }

bool irr_i_page_io_begin(page_io *io, page_io_job *j) {
  if (!irr_i_page_io_room(io)) return false;
  j->error = 0;
  if (io->ring) {
    if (!irr_i_page_ring_begin(io->ring, j->write, j->memory, PAGE_IO_PAGE, j->page * PAGE_IO_PAGE, j)) return false;
  } else {
    pthread_mutex_lock(&io->lock);
    io->todo[io->todo_in++ % PAGE_IO_DEPTH] = j;
    pthread_cond_signal(&io->more);
    pthread_mutex_unlock(&io->lock);
  }
  io->under_way++;
  return true;
}

page_io_job *irr_i_page_io_ended(page_io *io) {
  page_io_job *j = NULL;
  if (!io->under_way) return NULL;
  if (io->ring) {
    int said;
    void *mark;
    if (!irr_i_page_ring_ended(io->ring, &mark, &said)) return NULL;
    j = mark;
    const bool again = said == -EINTR || said == -EAGAIN;
    j->error = said < 0 && !again ? -said : whole(io->fd, j, said < 0 ? 0 : (size_t)said);
  } else {
    pthread_mutex_lock(&io->lock);
    if (io->done_in != io->done_out) j = io->done[io->done_out++ % PAGE_IO_DEPTH];
    pthread_mutex_unlock(&io->lock);
    if (!j) return NULL;
  }
  io->under_way--;
  return j;
}
