// SPDX-License-Identifier: Apache-2.0
/* Registers over a serial line, as rtl/cm/cm_axil_serial.sv speaks it. One request, one answer;
 * numbers lowest byte first.
 *
 *   request   A5  op  addr[3]  data[0, 4 or 8]  crc        op: 7 write, 6 turn, 3:0 bytes (4 or 8)
 *   answer    5A  status  data[0, 4 or 8]  crc             status: 0 done, 1 bus error, 2 crc, 3 no such request
 *
 * crc: polynomial 07 from 0, over what is between the first byte and it. Who gets no good answer asks again, the same;
 * a request that was done is not done again then. `turn` changes after each answer with status 0 or 1.
 */
#ifndef TOCSIN_SERIAL_H
#define TOCSIN_SERIAL_H

#include <stddef.h>
#include <stdint.h>

enum {
  SERIAL_ASK = 0xA5,
  SERIAL_ANSWER = 0x5A,
  SERIAL_WRITE = 0x80,
  SERIAL_TURN = 0x40,
  SERIAL_MOST = 14, /* bytes of a message */
  SERIAL_PAUSE_MS = 2
};
typedef enum serial_status { SERIAL_DONE = 0, SERIAL_BUS = 1, SERIAL_CRC = 2, SERIAL_REQUEST = 3 } serial_status;

uint8_t toc_i_serial_crc(const uint8_t *b, size_t n);

/* Up to n bytes until the line has been silent for ms; how many. */
size_t toc_i_serial_read(int fd, uint8_t *b, size_t n, int ms);
int toc_i_serial_write(int fd, const uint8_t *b, size_t n); /* 0, or -1 */

#endif
