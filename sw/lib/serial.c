// SPDX-License-Identifier: Apache-2.0
// The serial protocol, and the side that serves it.
#define _POSIX_C_SOURCE 200809L
#include "serial.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

uint8_t toc_i_serial_crc(const uint8_t *b, size_t n) {
  uint8_t c = 0;
  for (; n--; b++) {
    c ^= *b;
    for (unsigned i = 0; i < 8; i++) c = (uint8_t)(c & 0x80 ? c << 1 ^ 7 : c << 1);
  }
  return c;
}

/* Until something can be read, or written, or so many ms are over; signals come in between. */
static bool ready(int fd, short what, int ms) {
  struct pollfd p = {.fd = fd, .events = what};
  const uint64_t until = toc_i_clock_ms() + (uint64_t)ms;
  int k = poll(&p, 1, ms);
  while (k < 0 && errno == EINTR) {
    const uint64_t now = toc_i_clock_ms();
    k = poll(&p, 1, now < until ? (int)(until - now) : 0);
  }
  return k > 0 && p.revents & what;
}

size_t toc_i_serial_read(int fd, uint8_t *b, size_t n, int ms) {
  size_t have = 0;
  while (have < n && ready(fd, POLLIN, ms)) {
    ssize_t k = read(fd, b + have, n - have);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    have += (size_t)k;
  }
  return have;
}

int toc_i_serial_write(int fd, const uint8_t *b, size_t n) {
  while (n) {
    ssize_t k = write(fd, b, n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0 && errno == EAGAIN && ready(fd, POLLOUT, 1000)) continue;
    if (k <= 0) return -1;
    b += k;
    n -= (size_t)k;
  }
  return 0;
}

/* What was done last, to be answered again if it is asked for again. */
typedef struct server {
  toc_node *n;
  int fd;
  bool done;
  uint8_t last[4]; /* op and address */
  uint8_t status;
  uint64_t value;
} server;

/* Does a whole request (op, addr[3], data, crc); its status. */
static uint8_t judge(server *s, const uint8_t *b, size_t n, unsigned bytes) {
  if (toc_i_serial_crc(b, n - 1) != b[n - 1]) return SERIAL_CRC;
  uint32_t addr = (uint32_t)toc_i_get(b + 1, 3);
  if (!bytes || addr >> 21 || addr % bytes) return SERIAL_REQUEST;
  if (s->done && !memcmp(s->last, b, sizeof s->last)) return s->status;
  toc_status st = b[0] & SERIAL_WRITE ? toc_reg_write(s->n, addr, bytes, toc_i_get(b + 4, bytes))
                                      : toc_reg_read(s->n, addr, bytes, &s->value);
  memcpy(s->last, b, sizeof s->last);
  s->done = true;
  return s->status = st == TOC_OK ? SERIAL_DONE : SERIAL_BUS;
}

/* Takes a request whose first byte has come, and answers it; silence for what stops. */
static toc_status serve_one(server *s) {
  uint8_t b[SERIAL_MOST], a[SERIAL_MOST] = {SERIAL_ANSWER};
  if (toc_i_serial_read(s->fd, b, 1, SERIAL_PAUSE_MS) != 1) return TOC_OK;
  unsigned bytes = (b[0] & 0x3F) == 4 || (b[0] & 0x3F) == 8 ? b[0] & 0xFu : 0;
  size_t n = 5 + (b[0] & SERIAL_WRITE ? bytes : 0), out = 2;
  if (toc_i_serial_read(s->fd, b + 1, n - 1, SERIAL_PAUSE_MS) != n - 1) return TOC_OK;
  a[1] = judge(s, b, n, bytes);
  if (a[1] == SERIAL_DONE && !(b[0] & SERIAL_WRITE)) {
    toc_i_put(a + 2, bytes, s->value);
    out += bytes;
  }
  a[out] = toc_i_serial_crc(a + 1, out - 1);
  if (toc_i_serial_write(s->fd, a, out + 1)) return toc_i_fail(TOC_E_IO, "toc_serve_registers: the line is gone");
  return TOC_OK;
}

toc_status toc_serve_registers(toc_node *n, int fd, const volatile bool *stop) {
  NEED(n);
  NEED(stop);
  server s = {.n = n, .fd = fd};
  while (!*stop) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint8_t first;
    int k = poll(&p, 1, 10);
    if (fd < 0 || (k < 0 && errno != EINTR) || (k > 0 && p.revents & (POLLNVAL | POLLERR)))
      return toc_i_fail(TOC_E_IO, "toc_serve_registers: the line is gone");
    if (k <= 0) continue;
    if (!(p.revents & POLLIN)) { /* a terminal that nobody has open: somebody may come */
      nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
      continue;
    }
    ssize_t got = read(fd, &first, 1);
    if (!got) return toc_i_fail(TOC_E_IO, "toc_serve_registers: the line has ended");
    if (got == 1 && first == SERIAL_ASK) TRY(serve_one(&s));
  }
  return TOC_OK;
}
