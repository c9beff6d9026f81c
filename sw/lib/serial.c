// SPDX-License-Identifier: Apache-2.0
// The serial protocol, and the side that serves it.
#define _POSIX_C_SOURCE 200809L
#include "serial.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "internal.h"

size_t toc_i_serial_bytes(uint8_t first) {
  switch (first) {
    case 'R': return 7;
    case 'W': return 15;
    case 'r': return 10;
    case 'w':
    case 'e': return 2;
    default: return 0;
  }
}

static uint8_t sum(const uint8_t *b, size_t n) {
  unsigned s = 0;
  while (n--) s += *b++;
  return (uint8_t)s;
}

void toc_i_serial_seal(uint8_t *b, size_t n) { b[n - 1] = (uint8_t)(0u - sum(b, n - 1)); }
int toc_i_serial_whole(const uint8_t *b, size_t n) { return n && !sum(b, n); }

size_t toc_i_serial_read(int fd, uint8_t *b, size_t n, int ms) {
  size_t have = 0;
  while (have < n) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, ms) <= 0 || !(p.revents & POLLIN)) break;
    ssize_t k = read(fd, b + have, n - have);
    if (k <= 0) break;
    have += (size_t)k;
  }
  return have;
}

int toc_i_serial_write(int fd, const uint8_t *b, size_t n) {
  while (n) {
    ssize_t k = write(fd, b, n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0 && errno == EAGAIN) {
      struct pollfd p = {.fd = fd, .events = POLLOUT};
      if (poll(&p, 1, 1000) == 1) continue;
    }
    if (k <= 0) return -1;
    b += k;
    n -= (size_t)k;
  }
  return 0;
}

/* Answers one request; silence for what is none. */
static toc_status serve_one(toc_node *n, int fd, uint8_t first) {
  uint8_t b[SERIAL_MOST] = {first}, a[SERIAL_MOST] = {'e'};
  size_t want = first == 'R' || first == 'W' ? toc_i_serial_bytes(first) : 0, bytes = 2;
  if (!want || toc_i_serial_read(fd, b + 1, want - 1, SERIAL_PAUSE_MS) != want - 1 || !toc_i_serial_whole(b, want)) {
    uint8_t rest[64];
    while (toc_i_serial_read(fd, rest, sizeof rest, SERIAL_PAUSE_MS)) continue;
    return TOC_OK;
  }
  uint32_t addr = (uint32_t)toc_i_get(b + 2, 4);
  uint64_t v = 0;
  if (first == 'R' && toc_reg_read(n, addr, b[1], &v) == TOC_OK) {
    a[0] = 'r';
    bytes = 10;
    toc_i_put(a + 1, 8, v);
  } else if (first == 'W' && toc_reg_write(n, addr, b[1], toc_i_get(b + 6, 8)) == TOC_OK) {
    a[0] = 'w';
  }
  toc_i_serial_seal(a, bytes);
  if (toc_i_serial_write(fd, a, bytes)) return toc_i_fail(TOC_E_IO, "toc_serve_registers: the line is gone");
  return TOC_OK;
}

toc_status toc_serve_registers(toc_node *n, int fd, const volatile bool *stop) {
  while (!*stop) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint8_t first;
    int k = poll(&p, 1, 10);
    if (k < 0 && errno != EINTR) return toc_i_fail(TOC_E_IO, "toc_serve_registers: the line is gone");
    if (k <= 0 || !(p.revents & POLLIN)) continue;
    if (read(fd, &first, 1) == 1) TRY(serve_one(n, fd, first));
  }
  return TOC_OK;
}
