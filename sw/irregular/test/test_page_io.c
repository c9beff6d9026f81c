// SPDX-License-Identifier: Apache-2.0
// Pages to a file and back, many at once, by each of the two ways; behind the end of the file, to a full queue, to
// files that refuse.
// also: tsan valgrind
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>

#include "page_io.h"
#include "tasks.h"

enum { PAGES = 300, PAGE = PAGE_IO_PAGE };

static uint8_t memory[PAGE_IO_DEPTH][PAGE];
static page_io_job job[PAGE_IO_DEPTH];
static char name[] = "/tmp/tocsin-test-page-io-XXXXXX";

static uint8_t byte_of(uint64_t page, unsigned i) { return (uint8_t)(page * 31 + i * 7 + (i >> 8)); }

static unsigned slot_of(const page_io_job *j) { return (unsigned)(j - job); }

/* One that has ended: is it what it must be? */
static page_io_job *take(page_io *io, int error) {
  page_io_job *j;
  while (!(j = irr_i_page_io_ended(io))) {
  }
  EQ(j->error, error);
  return j;
}

static void all_pages(page_io *io, bool write) {
  bool busy[PAGE_IO_DEPTH] = {false};
  unsigned under_way = 0;
  for (uint64_t p = 0, k = 0; p < PAGES || under_way;) {
    while (k < PAGE_IO_DEPTH && busy[k]) k++;
    if (p < PAGES && k < PAGE_IO_DEPTH) {
      const uint64_t page = (p * 7) % PAGES;
      for (unsigned i = 0; i < PAGE; i++) memory[k][i] = write ? byte_of(page, i) : 0xee;
      job[k] = (page_io_job){.write = write, .page = page, .memory = memory[k]};
      CHECK(irr_i_page_io_begin(io, &job[k]));
      busy[k] = true;
      under_way++;
      p++;
      continue;
    }
    page_io_job *j = take(io, 0);
    k = slot_of(j);
    busy[k] = false;
    under_way--;
    unsigned wrong = 0;
    for (unsigned i = 0; i < PAGE && !write; i++) wrong += memory[k][i] != byte_of(j->page, i);
    EQ(wrong, 0);
  }
  CHECK(!irr_i_page_io_ended(io));
}

static void there_and_back(bool threads) {
  const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  page_io *io = irr_i_page_io_open(fd, threads);
  CHECK(fd >= 0 && io);
  if (!io) return;
  printf("by %s\n", irr_i_page_io_name(io));
  if (threads) CHECK(!strcmp(irr_i_page_io_name(io), "threads"));
  all_pages(io, true);
  all_pages(io, false);
  // what is behind the end is 0, also where the file ends in the middle of a page
  CHECK(!ftruncate(fd, 5 * PAGE + 100));
  for (uint64_t p = 5; p < 7; p++) {
    memset(memory[0], 0xee, PAGE);
    job[0] = (page_io_job){.page = p, .memory = memory[0]};
    CHECK(irr_i_page_io_begin(io, &job[0]));
    (void)take(io, 0);
    EQ(memory[0][99], p == 5 ? byte_of(5, 99) : 0);
    EQ(memory[0][100], 0);
    EQ(memory[0][PAGE - 1], 0);
  }
  // no more than its depth; what has begun ends before it is closed
  unsigned begun = 0;
  for (; begun < PAGE_IO_DEPTH; begun++) {
    job[begun] = (page_io_job){.write = true, .page = begun, .memory = memory[begun]};
    CHECK(irr_i_page_io_begin(io, &job[begun]));
  }
  page_io_job more = {.page = 1, .memory = memory[0]};
  CHECK(!irr_i_page_io_begin(io, &more));
  irr_i_page_io_close(io);
  EQ(lseek(fd, 0, SEEK_END), PAGE_IO_DEPTH * PAGE);
  close(fd);
}

static void refused(bool threads) {
  const int fd = open(name, O_RDONLY);
  page_io *io = irr_i_page_io_open(fd, threads);
  CHECK(fd >= 0 && io);
  if (!io) return;
  job[0] = (page_io_job){.write = true, .page = 0, .memory = memory[0]};
  CHECK(irr_i_page_io_begin(io, &job[0]));
  (void)take(io, EBADF);
  irr_i_page_io_close(io);
  close(fd);
}

int main(void) {
  const int fd = mkstemp(name);
  CHECK(fd >= 0);
  close(fd);
  for (unsigned threads = 0; threads < 2; threads++) {
    there_and_back(threads);
    refused(threads);
  }
  irr_i_page_io_close(NULL);
  unlink(name);
  return report();
}
