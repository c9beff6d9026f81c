// SPDX-License-Identifier: Apache-2.0
// pcapng: writes network frames into a file that Wireshark and tshark open.
//
//   pcapng p;
//   pcapng_open(&p, file, names, 2);              // one interface a name, for example a node of a simulation
//   pcapng_frame(&p, 0, ns, PCAPNG_OUT, bytes, n);  // in the order in which they are to be seen
//
// Nothing is allocated and the file is not closed. Functions return 0, or -1 when the file takes no more.
#ifndef TOCSIN_PCAPNG_H
#define TOCSIN_PCAPNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcapng {
  FILE *file;
} pcapng;

enum { PCAPNG_IN = 1, PCAPNG_OUT = 2 };

// Begins a section with n Ethernet interfaces; time counts nanoseconds. A name of null leaves an interface without one.
int pcapng_open(pcapng *p, FILE *file, const char *const *names, unsigned n);

// One frame from destination MAC to its last byte before the FCS, seen by an interface at ns.
int pcapng_frame(pcapng *p, unsigned interface, uint64_t ns, unsigned direction, const void *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
