// SPDX-License-Identifier: Apache-2.0
/* CRC-32 of Ethernet, as the ICRC has it: reflected, neither begun nor ended with an inversion. */
#ifndef TOCSIN_NIC_CRC_H
#define TOCSIN_NIC_CRC_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define NIC_CRC_FOLDS 1 /* by carry-less multiplication where the processor has it */
#endif

uint32_t nic_crc32(uint32_t crc, const uint8_t *p, size_t n);
uint32_t nic_crc32_by_tables(uint32_t crc, const uint8_t *p, size_t n); /* the same, on any processor */

#endif
