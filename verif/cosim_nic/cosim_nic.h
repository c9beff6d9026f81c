// SPDX-License-Identifier: Apache-2.0
// A run: its options, its beginning and its end.
#ifndef TOCSIN_COSIM_NIC_H
#define TOCSIN_COSIM_NIC_H

#include "net.h"

typedef struct nic_options {
  const net_top *hw;
  int backend;
  uint64_t n, seed;
  unsigned nodes, duts, p_bad, p_reconnect, p_fail, p_move;
  net_link link;
  bool logs, one_way, tell, once, bounds, quiet;            // once: the hardware alone is not run as well
  const char *config, *wave, *json, *pcap, *self, *points;  // self: the command line
  int argc;
  char **argv;
  unsigned only;     // of a list of cases the one that runs
  const char *slip;  // what lockstep is to find different: the hardware's events, ... (lock.c)
  uint64_t wave_from;
  const net *was;     // net_setup
  uint64_t *reached;  // functional points: counts; null: they are not counted
} nic_options;

extern const net_top net_hw;   // the hardware of this program: top.c, or its like in another folder
void nic_hw(nic_config *cfg);  // the configuration that this program was built for
net *nic_begin(const nic_options *o);
int nic_random(const nic_options *o);                     // random traffic; the exit status
int nic_hostile(const nic_options *o, const char *list);  // cases by number ("29,31"), or "all"
int nic_wiring(const nic_options *o, const char *list);   // likewise
int nic_flood(const nic_options *o, const char *what);    // "fast", "slow", "all", or a part of names
void nic_tell_again(const nic_options *o, FILE *f);       // how it is repeated, and where its waves are
int nic_end(const nic_options *o, net *w);                // tells of a failure; frees; the exit status
#endif
