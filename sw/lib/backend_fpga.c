// SPDX-License-Identifier: Apache-2.0
// Backend `fpga`: registers over a serial line. A board's memory is not ours, so this is for looking and setting, not
// for running programs: the fabric is opened for registers only.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "serial.h"

enum { WHY = 160, TRIES = 3, STALE = 64, PATIENCE_SHARE = 100 };

typedef struct serial {
  int fd, answer_ms; /* in which an answer comes */
  uint8_t turn;      /* of the next request */
  bool lost;         /* the last one had no answer: it may have been done, and then is remembered with this turn */
} serial;

static const struct {
  unsigned long baud;
  speed_t code;
} speeds[] = {{9600, B9600},     {57600, B57600},   {115200, B115200},   {230400, B230400},
              {460800, B460800}, {921600, B921600}, {1000000, B1000000}, {3000000, B3000000}};

static bool set_up(int fd, const char *speed) {
  struct termios t;
  char *end = "";
  unsigned long baud = speed ? strtoul(speed + 1, &end, 10) : 115200;
  if (tcgetattr(fd, &t)) return false;
  cfmakeraw(&t);
  t.c_cflag |= CLOCAL | CREAD;
  for (unsigned i = 0; i < sizeof speeds / sizeof *speeds; i++)
    if (speeds[i].baud == baud && !*end) return !cfsetspeed(&t, speeds[i].code) && !tcsetattr(fd, TCSANOW, &t);
  errno = EINVAL;
  return false;
}

/* "/dev/ttyUSB0" or "/dev/ttyUSB0@921600" */
static toc_status bring(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  char name[4096];
  const char *path = o->path ? o->path : "/dev/ttyUSB0", *speed = strchr(path, '@');
  (void)spy;
  *nodes = 1;
  snprintf(name, sizeof name, "%.*s", (int)(speed ? speed - path : (long)strlen(path)), path);
  serial *l = malloc(sizeof *l);
  *self = l;
  snprintf(why, WHY, "no memory");
  if (!l) return TOC_E_NOMEM;
  *l = (serial){.answer_ms = (int)(o->patience_ms / PATIENCE_SHARE) + 1};
  l->fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (l->fd >= 0 && set_up(l->fd, speed)) {
    tcflush(l->fd, TCIOFLUSH);
    return TOC_OK;
  }
  snprintf(why, WHY, "%.100s: %s", path, strerror(errno));
  if (l->fd >= 0) close(l->fd);
  free(l);
  return TOC_E_BACKEND;
}

static void shut(void *self) {
  serial *l = self;
  close(l->fd);
  free(l);
}

/* What gets no good answer is asked again: the other end does nothing twice. It may still remember an earlier user's
 * last request; the first one of ours is the probe's read of VER, which may as well be answered from that memory. */
static toc_status ask_once(serial *l, uint32_t addr, unsigned size, bool write, uint64_t *v) {
  uint8_t b[SERIAL_MOST] = {SERIAL_ASK, (uint8_t)((write ? SERIAL_WRITE : 0) | l->turn | size)};
  size_t n = write ? 5 + size : 5;
  toc_i_put(b + 2, 3, addr);
  if (write) toc_i_put(b + 5, size, *v);
  b[n] = toc_i_serial_crc(b + 1, n - 1);
  for (unsigned turn = 0; turn < TRIES; turn++) {
    uint8_t a[SERIAL_MOST] = {0};
    unsigned late = 0; /* what came too late; a line that never is silent must not hold us */
    while (late++ < STALE && toc_i_serial_read(l->fd, a, sizeof a, turn ? SERIAL_PAUSE_MS : 0)) continue;
    if (toc_i_serial_write(l->fd, b, n + 1)) return TOC_E_DEAD;
    if (toc_i_serial_read(l->fd, a, 2, l->answer_ms) != 2 || a[0] != SERIAL_ANSWER) continue;
    size_t k = 3 + (!write && a[1] == SERIAL_DONE ? size : 0);
    if (toc_i_serial_read(l->fd, a + 2, k - 2, l->answer_ms) != k - 2 || toc_i_serial_crc(a + 1, k - 2) != a[k - 1])
      continue;
    if (a[1] == SERIAL_CRC) continue;
    if (a[1] <= SERIAL_BUS) l->turn ^= SERIAL_TURN;
    if (a[1] != SERIAL_DONE) return TOC_E_DEVICE;
    if (!write) *v = toc_i_get(a + 2, size);
    return TOC_OK;
  }
  return TOC_E_DEAD;
}

/* Behind a request that was lost, one with its register would be taken for it, whatever it writes; so a read of VER
 * goes first, after which the other end remembers that. */
static toc_status ask(serial *l, uint32_t addr, unsigned size, bool write, uint64_t *v) {
  uint64_t version;
  if (l->lost && ask_once(l, AA_REG_VER, 4, false, &version)) return TOC_E_DEAD;
  toc_status st = ask_once(l, addr, size, write, v);
  l->lost = st == TOC_E_DEAD;
  return st;
}

static toc_status reg_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v) {
  (void)node;
  return ask(self, addr, size, false, v);
}

static toc_status reg_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t v) {
  (void)node;
  return ask(self, addr, size, true, &v);
}

static toc_status no_memory(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  (void)self;
  (void)node;
  (void)bytes;
  (void)align;
  *m = (toc_dma){0};
  return TOC_E_SUPPORT;
}

static void no_free(void *self, unsigned node, const toc_dma *m) {
  (void)self;
  (void)node;
  (void)m;
}

static int no_vector(void *self, unsigned node, unsigned vector, uint64_t *addr, uint32_t *data) {
  (void)self;
  (void)node;
  (void)vector;
  *addr = *data = 0;
  return -1;
}

static bool progress(void *self) {
  (void)self;
  return false;
}

static uint64_t now(void *self) {
  struct timespec t;
  (void)self;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const toc_backend toc_backend_fpga = {.name = "fpga",
                                      .about = "registers of a board, over a serial line",
                                      .open = bring,
                                      .close = shut,
                                      .read = reg_read,
                                      .write = reg_write,
                                      .dma_alloc = no_memory,
                                      .dma_free = no_free,
                                      .vector = no_vector,
                                      .progress = progress,
                                      .now = now,
                                      .registers_only = true,
                                      .mhz = 50};
