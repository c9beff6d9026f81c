// SPDX-License-Identifier: Apache-2.0
// A node whose NIC is behind an IOMMU: memory is physical. Private to this folder.
#ifndef TOCSIN_COSIM_TOCSIN_H
#define TOCSIN_COSIM_TOCSIN_H

#include "bench.h"
#include "dut_node.h"
#include "sw.h"
#include "tocsin/table.h"
#include "traffic.h"

// Physical memory.
#define IOMMU_TABLES 0x00100000ULL  // to 0x01000000
#define IOMMU_PTR 0x01200000ULL     // producer pointers, 64 bytes a log
#define IOMMU_JUNK 0x01400000ULL    // what other devices write before there are tables
#define IOMMU_RING 0x10000000ULL    // 1 MiB a log
#define IOMMU_LOW 0x40000000ULL     // 128 MiB of pages, scattered, and as many above 4 GiB
#define IOMMU_HIGH 0x140000000ULL
#define IOMMU_LARGE 0x80000000ULL   // one page of 2 MiB a process
#define IOMMU_OTHER 0xC0000000ULL   // 1 MiB of the second device
#define IOMMU_LARGE_AT 0x200000ULL  // where a process has its large page
enum { IOMMU_PAGES = 4096, IOMMU_LOGS = 32, OTHER_RID = 0x0900 };

// What pages of SW_REMOTE do, by slot; two pages each. Slots below are plain.
typedef enum slot_kind {
  SLOT_PLAIN,
  SLOT_LOG,       // written, and logged with data
  SLOT_REDIRECT,  // logged with data, memory stays
  SLOT_META,      // written, and logged without data: counted
  SLOT_READS,     // reads are logged with data
  SLOT_BLOCKED    // neither read nor written: behind the slots
} slot_kind;

typedef struct put_want {  // a put that must be in a log
  struct put_want *next;
  uint64_t va;
  uint32_t request;  // of its QP
  uint32_t n, off;   // bytes, of which so many have been seen
  uint32_t cost;
  uint8_t data[];
} put_want;

typedef struct put_list {
  put_want *head, **tail;
} put_list;

typedef struct iommu {
  bench *b;
  pins pin;  // the real ones
  struct {   // what the halves see of each other
    uint8_t one, nic_valid, nic_ready, nic_strb[4], nic_seq, nic_sop, nic_eop, cpl_strb[4], cpl_seq, cpl_sop, cpl_eop,
        cpl_err;
    uint8_t req_valid, req_ready, req_sop, req_eop, cpl_valid, cpl_ready, cpls_sop, cpls_eop, cpls_err, reset;
    uint8_t req_strb[8], req_seq[4], cpls_strb[8], cpls_seq[4], req_hdr[64], cpls_hdr[64], req_data[256],
        cpls_data[256];
  } wire;
  aa_table tab;
  uint64_t dom[16], other;
  struct {
    bool on, task, drops;
    uint64_t base;
    unsigned size;
    uint32_t cons, seen;  // freed up to here, and compared
    uint32_t owed;        // bytes that puts on their way may need
    uint64_t entries, reads;
  } log[IOMMU_LOGS];
  uint64_t prof_until, reset_until;  // cycles: the outside behaves so until then; resets of the other devices end
  bool burst;                        // the second device has something to do
  put_list want[SW_QPS][2];          // of a QP's writes: in the log of its process, in the one that is polled
  uint64_t wanted;                   // puts not yet seen whole
} iommu;

// tocsin_node.c, replay.c
struct nic_options;
void tocsin_node_init(node *n, const char *wave);
int tocsin_replay(const struct nic_options *o, const char *file);  // the exit status

// wiring.c
int tocsin_wiring(const struct nic_options *o,
                  const char *list);  // cases by number ("6,12"), or "all": the exit status

// iommu.c: tables, registers
void iommu_on(node *n);
uint64_t iommu_where(const node *n, unsigned proc, uint64_t va);
bool iommu_whose(const node *n, uint64_t pa, unsigned *proc, uint64_t *va);
void iommu_cycle(node *n);  // what software does at random
void iommu_write(node *n, uint32_t reg, unsigned size, uint64_t v);

// active.c: the logs
extern const node_active iommu_active;
slot_kind active_kind(unsigned slot);
unsigned active_log(const node *n, unsigned proc, unsigned slot);
void active_free(iommu *u);
#endif
