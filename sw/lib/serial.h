// SPDX-License-Identifier: Apache-2.0
/* Registers over a serial line. One request, one answer; all numbers little-endian; the last byte of each makes the sum of all its
 * bytes 0 modulo 256.
 *
 *   read     'R' size addr(4) sum              -> 'r' value(8) sum
 *   write    'W' size addr(4) value(8) sum     -> 'w' sum
 *   refused: size, address or the device       -> 'e' sum
 *   a wrong sum or first byte: no answer; the device waits for a pause of the line (2 ms) and begins anew
 */
#ifndef TOCSIN_SERIAL_H
#define TOCSIN_SERIAL_H

#include <stddef.h>
#include <stdint.h>

enum { SERIAL_MOST = 15, SERIAL_PAUSE_MS = 2 };

/* Bytes of a message by its first one, 0 if there is none. */
size_t toc_i_serial_bytes(uint8_t first);
void toc_i_serial_seal(uint8_t *b, size_t n);
int toc_i_serial_whole(const uint8_t *b, size_t n); /* is the sum right */
/* Up to n bytes until the line has been silent for ms; how many. */
size_t toc_i_serial_read(int fd, uint8_t *b, size_t n, int ms);
int toc_i_serial_write(int fd, const uint8_t *b, size_t n); /* 0, or -1 */

#endif
