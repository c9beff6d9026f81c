// SPDX-License-Identifier: Apache-2.0
// Devices: random TLPs of every kind, size and enable, good and bad, on every port; tags as PCIe wants them, mostly.
#ifndef TOCSIN_COSIM_TRAFFIC_H
#define TOCSIN_COSIM_TRAFFIC_H

#include "bench.h"

typedef struct traffic_page {
  uint64_t iova;  // of a 4 KiB page
  uint16_t sid;   // for this requester; the port is the sid's
} traffic_page;

#define TRAFFIC_SIDS 6  // requester ids a port
#define TRAFFIC_PAGES 1024
#define TRAFFIC_FLUSHES 8

typedef struct traffic {
  uint64_t left;  // TLPs still to send
  bool on;
  unsigned p_bad;                               // of 256: malformed in one of many ways
  unsigned p_live;                              // of 256: a non-posted request reuses a live tag
  unsigned p_wild;                              // of 256: any address, any requester id
  unsigned p_write, p_read, p_atomic, p_other;  // weights
  unsigned max_dw;
  traffic_page page[TRAFFIC_PAGES];
  unsigned pages;
  unsigned first[BENCH_PORTS][TRAFFIC_SIDS], n[BENCH_PORTS][TRAFFIC_SIDS];  // pages of a requester
  unsigned hot[BENCH_PORTS][TRAFFIC_SIDS];                                  // those that it uses most, for now
  uint16_t sid[BENCH_PORTS][TRAFFIC_SIDS];
  uint64_t flush[TRAFFIC_FLUSHES];                 // flush pages, which get short reads; 0: none
  uint64_t sent[BENCH_PORTS][TRAFFIC_SIDS][1024];  // cycle + 1 a live tag was used, 0 free
} traffic;

traffic *traffic_new(void);
void traffic_cycle(bench *b);                                // make TLPs if there is room
void traffic_answer(bench *b, unsigned port, const pkt *p);  // a completion arrived
// Header of a request; 3DW or 4DW by the address. len in DW.
pkt *traffic_request(unsigned type32, uint16_t rid, unsigned tag, uint64_t addr, unsigned len, unsigned fbe,
                     unsigned lbe);
#endif
