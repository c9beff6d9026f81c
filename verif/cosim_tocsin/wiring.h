// SPDX-License-Identifier: Apache-2.0
// Cases of the wiring of the whole design, and the short words that they are made of. The stage is that of cosim_nic:
// node 0 is hardware, frames come from node 1. Here its NIC has a page of its own and one in each access log for two
// processes at most, each with a queue pair of the same number, and so has each other device, at a port of its own. No
// log is open when a case begins.
#ifndef TOCSIN_COSIM_TOCSIN_WIRING_H
#define TOCSIN_COSIM_TOCSIN_WIRING_H

#include "directed.h"
#include "tocsin.h"

enum {
  // offsets in a process (sw_va)
  OWN = SW_REMOTE,
  TASKS = 0x60000,  // a queue of tasks, its index block and doorbell
  TASKS_INDEX = 0x61000,
  TASKS_BELL = 0x62000,
  TASKS_SIZE = 4,  // log2
  EVENT_MSI = 0x63000,
  LOGGED = 0x1000000,  // + 0x1000 * log: redirected puts
  NOWHERE = 0x1800000,
  // of the other devices
  DEV_OWN = 0x50000000,     // + 0x1000 * port
  DEV_LOGGED = 0x51000000,  // + 0x1000 * log
  DEV_NOWHERE = 0x52000000,
  // physical
  PARKED = 0x80000,  // + IOMMU_OTHER: where redirected puts would go
  LOG_MSI = 0x01210000,
  FAULT_MSI = 0x01220000
};

static inline bench *bench_of(const stage *s) { return s->n->iommu->b; }
static inline unsigned processes(const stage *s) { return s->n->cfg.NumProcs > 1 ? 2 : 1; }
static inline uint16_t dev_rid(unsigned port) { return (uint16_t)(OTHER_RID + 2 + port); }  // ports from 1 on
static inline uint8_t dev_seq(unsigned port) { return (uint8_t)(0x50 + port); }
static inline uint64_t dev_pa(unsigned port) { return IOMMU_OTHER + 0x10000 + 0x1000ull * port; }
static inline uint64_t nic_pa(const stage *s, unsigned p) { return iommu_where(s->n, p, sw_va(p, OWN)); }

void quiet(stage *s);  // until nothing is under way, as far as it does not wait for us

// What the NIC does for frames of node 1: of process p, by its queue pair. None of these waits for an end.
void nic_put(stage *s, unsigned p, uint64_t off, unsigned bytes);
void nic_get(stage *s, unsigned p, uint64_t off, unsigned bytes);
void nic_add(stage *s, unsigned p, uint64_t off);
void nic_immediate(stage *s, unsigned p);
void nic_call(stage *s, unsigned p);   // a task of the queue
void nic_again(stage *s, unsigned p);  // its queue pair, which has stopped
void queue_on(stage *s, unsigned p);   // its queue of tasks, empty; the first task reads its indices
// What the device of a port does. Tags are the test's.
void dev_put(stage *s, unsigned port, uint64_t iova, unsigned words);
void dev_get(stage *s, unsigned port, unsigned tag, uint64_t iova, unsigned words);
void dev_add(stage *s, unsigned port, unsigned tag, uint64_t iova);
// One of them puts words into a log: 0 the NIC, else the device of that port. Bytes of the entry.
uint32_t put_into(stage *s, unsigned who, unsigned log, unsigned words);

// Reads that the host has been asked, while it answers none by itself: how many there are, and the k-th of them.
// Answers are good, or say that the link saw an error.
void host_answers(stage *s, bool itself);
unsigned asked(const stage *s);
const pkt *asked_by(stage *s, unsigned who);  // 0 the NIC, else a port's device; a failure of the case if there is none
void answer(stage *s, const pkt *read, bool error);
void forget(stage *s);  // what has come to host and devices

uint64_t reg(stage *s, uint32_t iommu_register);
void reg_put(stage *s, uint32_t iommu_register, unsigned size, uint64_t v);
uint64_t count_of(stage *s, unsigned counter);  // of the IOMMU
uint64_t page_of(stage *s, unsigned log, uint32_t lp_register);
void log_open(stage *s, unsigned log, unsigned size, uint64_t bits);
void log_close(stage *s, unsigned log);
static inline uint64_t log_ring(unsigned log) { return IOMMU_RING + ((uint64_t)log << 20); }

// wiring_ports.c, wiring_logs.c, wiring_regs.c
void reset_of_port(stage *s);
void credits_of_port(stage *s);
void filter_of_port(stage *s);
void completions(stage *s);
void host_stops_reads(stage *s);
void device_stops(stage *s);
void tasks(stage *s);
void log_msi(stage *s);
void fault_msi(stage *s);
void event_msi(stage *s);
void log_error(stage *s);
void table_error(stage *s);
void sizes(stage *s);
void halves(stage *s);
void strobes(stage *s);
void posted(stage *s);
void held_register(stage *s);
void bad_frame(stage *s);
#endif
