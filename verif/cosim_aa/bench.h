// SPDX-License-Identifier: Apache-2.0
// The test bench of the Active Access IOMMU: hardware, model, or both in lockstep, between devices and a machine.
//
//    traffic (devices) --dev_q--> +-----------+ --host TLPs--> host (root complex + memory)
//          ^------dev TLPs------- | hardware, | <---cpl_q-----    |
//    driver, consumers ---------> |   model   | --AXI--> axi  --> mem
//                                 +-----------+
//                      lock: model fed with retire records, every output compared
//
// bench_step() is one cycle; everything but software happens inside it. Software (directed tests, replay, the random
// agent) is ordinary sequential code over the blocking calls below, which step the bench until they are done.
// The first failure stops everything: calls return at once when b->failed is set.
#ifndef TOCSIN_COSIM_BENCH_H
#define TOCSIN_COSIM_BENCH_H

#include <stdarg.h>

#include "aa_reach.h"
#include "mem.h"
#include "options.h"
#include "pins.h"
#include "pkt.h"
#include "tocsin/aa.h"
#include "tocsin/aa_lock.h"
#include "tocsin/aa_regs.h"
#include "tocsin/aa_snoop.h"

#define BENCH_PORTS 4

enum { BENCH_RTL = ON_RTL, BENCH_MODEL = ON_MODEL, BENCH_BOTH = ON_BOTH };

// How the outside behaves, changed now and then by random tests. p_...: chance of 256 per cycle.
typedef struct profile {
  unsigned p_dev;       // a port that has a TLP starts or goes on
  unsigned p_dev_cpl;   // dev_cpl_ready
  unsigned p_host_req;  // host_req_ready
  unsigned p_np;        // host_np_ready
  unsigned p_host_cpl;  // the host starts or goes on with a completion
  unsigned p_ar, p_aw, p_w, p_r, p_b;
  unsigned axi_min, axi_max;    // cycles of a memory access
  unsigned host_min, host_max;  // cycles of a read by the host
  unsigned p_task;
} profile;

typedef struct stats {
  uint64_t requests;     // TLPs of devices accepted
  uint64_t completions;  // of the host, accepted
  uint64_t host_tlps, dev_tlps, retired[16], axi_reads, axi_writes, reg_ops, interrupts, published;
} stats;

struct axi;
struct host;
struct traffic;
struct driver;

typedef struct bench_axil {  // what passes on the register port in a cycle
  bool ar, aw, w, r, b;
} bench_axil;

typedef struct bench {
  int backend;
  bool part;  // the IOMMU is part of a larger machine: bench_part
  aa_config hw;
  uint64_t seed, cycle;
  rng rng;
  mem *mem;  // what the machine sees
  mem *ref;  // what the model says it must be (lockstep)
  dut *dut;
  pins pin;
  aa *model;
  pktq dev_q[BENCH_PORTS], cpl_q;  // waiting to enter
  uint32_t dev_reset;              // level, one bit a port
  profile prof;
  stats stats;
  struct axi *axi;
  struct host *host;
  aa_lock *lock;            // lockstep only
  aa_snoop *snoop;          // beside it, after bench_snoop: the same run as seen without the retire port
  struct traffic *traffic;  // null: no random devices
  struct driver *driver;
  // directed tests: keep what comes out (else it is freed)
  bool keep;
  pktq host_seen, dev_seen[BENCH_PORTS];
  void (*idle)(struct bench *b);  // called in waits of software: consumers do their work here
  void (*on_accept)(struct bench *b, unsigned port, const pkt *p);  // a TLP of a device went in whole
  void *user;                                                       // of the hooks
  void (*on_publish)(struct bench *b, unsigned log, uint32_t prod);
  void (*on_write)(struct bench *b, uint64_t addr, size_t n);  // the host has written memory for a device
  void (*on_fail)(struct bench *b, const char *block);         // the first failure, instead of a report
  // private to bench.c
  struct {
    pkt *p;
    unsigned beat, beats;
  } drv[BENCH_PORTS + 1];
  struct {
    pkt *p;
  } col[BENCH_PORTS + 1];
  struct {
    int kind;
    bool aw, w;
    uint32_t addr;
    uint64_t data, taken;  // taken: the cycle
    uint8_t strb;
    bool done;
    uint64_t result;
  } axil;
  struct {  // of this cycle, from bench_sample to bench_after
    bool in[BENCH_PORTS + 1], task, task_done;
    pkt *out[BENCH_PORTS + 1];
    unsigned task_log;
    bench_axil axil;
  } now;
  uint64_t task_due[32];  // of each log: when the accelerator ends its task; 0: it has none
  const char *wave;
  uint64_t wave_from, wave_to;  // cycles dumped
  double model_seconds;
  uint64_t *reached;  // functional points (aa_reach.h): counts, or null
  bool failed, quiet_log;
  unsigned mismatches;
  char what[512];          // the first failure
  aa_retire_rec last[64];  // newest records, for the report of a failure
  uint64_t last_cycle[64];
  unsigned last_n;
  struct {
    uint64_t cycle;
    uint32_t hdr[4];
    uint32_t ndw, strb;
    uint16_t beats;
    uint8_t port;
    bool nosop, cut, err;
  } in[16];
  unsigned in_n;  // newest packets that went in whole; port BENCH_PORTS is the host
} bench;

bench *bench_new(int backend, const aa_config *hw, uint64_t seed, const char *wave);
void bench_free(bench *b);
// A new machine and model around the same hardware, which is reset for one edge in the middle of what it does.
bench *bench_again(bench *b);

// The IOMMU inside a larger machine, whose owner evaluates it, accesses its registers (and tells b->lock of that),
// takes its tasks and lets time pass (b->cycle). The owner sets b->pin; what passes at port 0, where the machine's own
// device is, it shows as valid and ready at once in the cycle in which it passes, and tasks likewise.
bench *bench_part(int backend, const aa_config *hw, uint64_t seed);
void bench_outside(bench *b);     // traffic and host do their work
void bench_drive(bench *b);       // inputs; then the owner evaluates
void bench_sample(bench *b);      // outputs; then the owner's rising edge
void bench_after(bench *b);       // what follows
bool bench_idle(const bench *b);  // no packet waits or is under way

void bench_step(bench *b);
void bench_run(bench *b, uint64_t cycles);

// Blocking register access of 4 or 8 bytes.
uint64_t bench_read(bench *b, uint32_t addr, unsigned size);
void bench_write(bench *b, uint32_t addr, unsigned size, uint64_t value);
void bench_write_strb(bench *b, uint32_t addr, uint64_t value, uint8_t strb);  // any strobes of a 64-bit word

// Until nothing moves any more (no packet waits, is under way or owed). false: the limit passed.
bool bench_quiet(bench *b, uint64_t limit);

// ---- parts ----------------------------------------------------------------------------------------------------------
// bench_base.c: what all of them need
// First failure: print it, stop the run. Later ones are only counted.
void bench_fail(bench *b, const char *block, const char *fmt, ...);
void bench_report(const bench *b);  // the last packets and records
// Memory as software sees it: both memories are written, the machine's is read.
void bench_poke(bench *b, uint64_t addr, const void *buf, size_t n);
void bench_poke64(bench *b, uint64_t addr, uint64_t v);
uint64_t bench_peek64(bench *b, uint64_t addr);
void profile_fast(profile *p);
void profile_random(profile *p, rng *r);

// axi.c: memory behind the AXI4 port
struct axi *axi_new(void);
void axi_free(struct axi *a);
void axi_drive(bench *b);          // inputs of this cycle
void axi_sample(bench *b);         // outputs of this cycle: reads and responses, before retire records are looked at
void axi_sample_writes(bench *b);  // after them
void axi_recorded(bench *b);       // of an error response: NoteAxiErr
bool axi_idle(const bench *b);
bool axi_writes(const bench *b);  // some are under way
// Accesses of [lo, hi) are answered with an error.
void axi_set_bad(bench *b, uint64_t lo, uint64_t hi);
void axi_set_flawed(bench *b, uint64_t lo, uint64_t hi);  // every fourth page of it
bool axi_bad(const bench *b, uint64_t addr);

// host.c: root complex
struct host *host_new(void);
void host_free(struct host *h);
void host_request(bench *b, pkt *p);  // takes p
void host_cycle(bench *b);
bool host_idle(const bench *b);
typedef struct host_mode {
  bool manual;        // reads are not answered (they are in host_seen)
  bool in_order;      // answered in the order in which they came, else in any
  unsigned rcb, mps;  // bytes
  unsigned p_bad;     // of 256, a read: UR, CA, poison, err, or never answered
  unsigned p_stray;   // of 256, each read answered: one more completion that is stray, over-long or ill-formed
  bool lose;          // p_bad may lose an answer for ever (set AA_CPL_TMO)
} host_mode;
host_mode *host_mode_of(bench *b);

// lock.c: model beside the hardware, compared by the library's aa_lock
aa_status lock_new(bench *b);  // makes b->lock and b->model
void lock_host(bench *b, const pkt *p);
void lock_dev(bench *b, unsigned port, const pkt *p);
void bench_snoop(bench *b);  // lockstep, before the first cycle
void lock_end(bench *b);     // nothing may be left over; memories equal

#endif
