// SPDX-License-Identifier: Apache-2.0
// Software on the machine: sets up tables, logs and queues as a driver would, changes them while traffic runs,
// reads the logs as processes would, and pokes at registers as nobody should. Sequential code over the
// bench's blocking calls.
#ifndef TOCSIN_COSIM_DRIVER_H
#define TOCSIN_COSIM_DRIVER_H

#include "bench.h"
#include "tocsin/table.h"
#include "traffic.h"

// Physical memory map of the tests.
#define DRIVER_TABLES 0x00100000ULL  // to 0x01000000
#define DRIVER_QUEUE 0x01000000ULL   // invalidation queue
#define DRIVER_STATUS 0x01100000ULL  // wait status words
#define DRIVER_PTR 0x01200000ULL     // producer pointers, 64 bytes a log
#define DRIVER_MSI 0x01300000ULL     // where MSIs are written
#define DRIVER_JUNK 0x01400000ULL    // 64 KiB that hostile register values may point to
#define DRIVER_RING 0x10000000ULL    // 1 MiB a log
#define DRIVER_DATA 0x40000000ULL    // 16 MiB of 4 KiB pages
#define DRIVER_DATA2M 0x80000000ULL
#define DRIVER_DATA1G 0x1000000000ULL
#define DRIVER_BAD 0x02000000ULL     // 64 KiB that answer with errors
#define DRIVER_FLAWED 0x04000000ULL  // 1 MiB a log, every fourth page of which does

#define LOGREG(name, i) (AA_REG_##name + (i)*AA_REG_##name##_STRIDE)

#define DRIVER_DOMAINS 4
#define DRIVER_LOGS 32

typedef struct driver_log {
  bool open, closing;
  uint64_t base;
  unsigned size;  // log2
  uint16_t iuid;
  uint32_t cons, prod;
  unsigned p_read;  // of 256: chance to consume in one round
  uint64_t entries, bytes;
} driver_log;

typedef struct driver_page {
  unsigned domain, level;
  uint64_t iova;
  bool stale;  // changed, not yet invalidated
} driver_page;

typedef struct driver {
  aa_table tab;
  struct {
    uint64_t table;
    uint16_t did;
  } dom[DRIVER_DOMAINS];
  aa_context ctx[BENCH_PORTS][TRAFFIC_SIDS];
  driver_log log[DRIVER_LOGS];
  driver_page page[256];
  unsigned pages;
  uint32_t iq_tail;  // bytes
  unsigned iq_size;  // bytes
  uint32_t waits;
  bool hostile;
  bool lazy;  // consumers read nothing, for now
  uint64_t faults_seen, actions;
  uint64_t cleared;  // counters that were written, by number
  const char *what;  // doing now
} driver;

// Whole set-up for random runs: tables, logs, queue, traffic pages; translation and Active Access on.
void driver_init(bench *b, bool hostile);
// Fails the run if a table could not be written.
void driver_must(bench *b, aa_table_status s, const char *what);
// Only the tables object over the bench's memory, for directed tests.
void driver_tables(bench *b, driver *s, uint64_t base, uint64_t limit);
void driver_free(bench *b);
// One random action; b->traffic is running meanwhile.
void driver_action(bench *b);
// Lets all that waits for somebody outside come to its end: devices are silent, reads are answered or time out, logs
// are read. In lockstep nothing may be owed then. Afterwards everything goes on as before.
void driver_rest(bench *b);
// Reads logs and frees room in them. force: everything there is.
void driver_consume(bench *b, bool force);

// ---- driver parts that directed tests use as well ----
bool driver_wait_reg(bench *b, uint32_t addr, unsigned size, uint64_t mask, uint64_t want);
void driver_command(bench *b, uint32_t bits, bool on);  // GCMD bit(s) and wait for GSTS (SRTP too)
void driver_queue_on(bench *b, driver *s, unsigned qs);
void driver_push(bench *b, driver *s, uint64_t lo, uint64_t hi);  // a descriptor, tail not moved yet
void driver_kick(bench *b, driver *s);                            // tail
bool driver_sync(bench *b, driver *s);                            // a wait descriptor, and wait
// how: 0 all, 1 domain, 2 page or device
bool driver_inv_iotlb(bench *b, driver *s, bool queue, unsigned how, uint16_t did, uint64_t iova, unsigned am, bool ih);
bool driver_inv_ctx(bench *b, driver *s, bool queue, unsigned how, uint16_t did, uint16_t sid, unsigned fm);
typedef struct driver_log_cfg {
  uint64_t base, ptr, msi_addr, cfg_bits;  // cfg_bits: DROP, PTR, MSI, SCR, TASK, SCRI in place
  unsigned size;
  uint16_t iuid;
  uint32_t msi_data, msi_free, msi_cycles;
} driver_log_cfg;
unsigned driver_open(bench *b, driver *s, unsigned log, const driver_log_cfg *c);  // 0, or LOG_STS.WHY
bool driver_close(bench *b, driver *s, unsigned log);
#endif
