// SPDX-License-Identifier: Apache-2.0
// The node that is hardware: pins, root complex, lockstep. For dut_node.c, root.c, lock.c, and the owner
// of a larger machine in which the NIC is behind an IOMMU: it evaluates, and shows what passes between the two as
// valid and ready at once.
#ifndef TOCSIN_COSIM_DUT_NODE_H
#define TOCSIN_COSIM_DUT_NODE_H

#include "net.h"
#include "pins.h"
#include "tocsin/nic_dma.h"

enum { DUT_KEEP = 65536, DUT_SEEN = 64, DUT_TAKEN = 512 };

// How a read is answered. From CPL_UR on it fails; from CPL_MALFORMED on only where NIC_CPL_TMO is on.
enum {
  CPL_GOOD,
  CPL_LAST_MOMENT,
  CPL_UR,
  CPL_CA,
  CPL_POISONED,
  CPL_ERROR,
  CPL_MALFORMED,
  CPL_LOST,  // never
  CPL_LATE,  // when it has been given up, some of it perhaps before
  CPL_KINDS
};

typedef struct dut_read {  // a read or atomic of the hardware
  struct dut_read *next;
  uint8_t src, op, tag, how;  // how: CPL_...
  uint16_t rid;
  uint64_t va, swap, compare, value;
  unsigned pieces;            // of its answer
  uint32_t n, sent, arrived;  // bytes: asked for, given to the stream, gone in
  uint64_t at, due;           // cycles: when it came, when it is answered
  uint64_t offered;           // when its request was first offered
  bool fails, absent, done;   // absent: memory refuses it, and says so
  uint8_t err;                // NIC_ITEM_*
  bool unsure;                // nobody knows whether NIC_TAG_FREE was written before it was given up or after
  uint64_t out[NIC_SRC_NUM];  // bytes that the hardware had written when it asked
  uint8_t data[4096];
} dut_read;

typedef struct pin_count {  // what a counter of the hardware counts, by the pins
  uint64_t n, more;         // since the counter was cleared; how many of before it may have besides
} pin_count;

typedef enum write_kind {  // what the model writes, for the reader of a failure (words.h)
  WRITE_DATA,
  WRITE_EVENT,
  WRITE_MSI,
  WRITE_BODY,    // of a task, and its first 4 bytes
  WRITE_HEADER,  //
  WRITE_INDEX_BLOCK,
  WRITE_BELL,
  WRITE_TABLE,
  WRITE_CONTEXT
} write_kind;

typedef struct dut_write {  // a piece that the hardware has written, or a job of the model
  struct dut_write *next;
  nic_job job;
  write_kind what;
  uint8_t qp;
  uint32_t off;  // bytes compared
  uint64_t cycle, out[NIC_SRC_NUM];
  uint8_t data[];
} dut_write;

typedef struct dut_fifo {
  dut_write *head, **tail;
  unsigned n;
} dut_fifo;

// How the outside behaves. p_...: chance of 256 a cycle.
typedef struct dut_profile {
  unsigned p_in, p_out, p_req, p_cpl, p_reg;
  unsigned lat_min, lat_max;  // cycles of a read
  unsigned rcb, mps;          // of completions
  bool in_order;
  uint64_t until;
} dut_profile;
extern const dut_profile dut_profile_fast;  // of directed cases: nothing is slow, for good

typedef struct dut_node {
  bool behind;  // an IOMMU: memory is not ours, requests and completions are only seen
  dut *dut;
  pins pin;
  unsigned bd, bb;  // words, bytes of a beat
  dut_profile prof;
  // streams
  frame in;
  size_t in_at;
  bool in_busy;
  uint8_t out[NIC_FRAME_MAX + 64];
  size_t out_n;
  pkt *col, *cpl_col;  // a request, a completion (behind), of which some beats are here
  pktq cpl;
  unsigned cpl_beat, cpl_beats;
  // registers
  struct {
    int kind;
    bool a, w, done;
    uint32_t addr;
    uint64_t v;
    uint8_t strb;
  } reg;
  uint64_t began;               // its first cycle out of reset
  uint64_t last_read_rec, dma;  // dma: NIC_DMA as written last
  struct {                      // of this cycle, from dut_node_sample to dut_node_after
    bool in, last, cpl, task, ar, aw, w;
    bool held;  // something that was there to go in was kept back
  } now;
  // the IOMMU's task port
  struct {
    bool valid;
    unsigned log;
    uint32_t prod, cons;
  } task;
  // root complex: reads under way by tag, and all that the model has not asked for, by source
  dut_read *live[NIC_TAGS_MAX], *asked[NIC_SRC_NUM];
  unsigned under_way;
  nic_reads tags;                 // the golden model's: what completions make of them
  uint32_t tmo;                   // NIC_CPL_TMO as written last
  uint64_t offered;               // cycle in which the beat of dev_req was first offered
  bool waiting, haste;            // it has been offered before; a read's time is nearly over: completions without gaps
  unsigned lose;                  // directed cases: a bit a source whose reads are never answered
  const dut_read *moment;         // the read that is answered in its last moment
  pktq late;                      // completions of reads that have been given up
  uint64_t looks_over[2];         // of hits and misses: by how much they have been found ahead of their records
  pin_count strays, errors;       // completions to be dropped; reads that have ended with an error
  uint64_t stray_at;              // when the last one came
  const dut_read *last_piece;     // the read that was answered last
  uint64_t written[NIC_SRC_NUM];  // bytes
  uint64_t writes[NIC_SRC_NUM];   // TLPs
  uint64_t skipped, reads;        // reads that no decision has needed
  uint64_t skipped_ctx;           // of them, contexts for which there was no place
  uint64_t back_at[256];          // queue pairs that have gone back: what was read for their responses is not used
  // lockstep
  dut_fifo want[NIC_SRC_NUM], got[NIC_SRC_NUM], frames;
  uint32_t jobs[NIC_SRC_NUM];
  uint64_t *ends[NIC_SRC_NUM];  // bytes of a source up to the end of its k-th job, k mod DUT_KEEP
  uint32_t tasks_done[NET_LOGS];
  bool shown;                 // a record in this cycle
  uint64_t calm;              // cycles without, and without anything under way
  unsigned record;            // the kind of the one that the model is given
  const nic_retire_rec *rec;  // the one itself, while it is
  bool of_log, flag;          // a log's task; its flag, its queue pair
  uint8_t qp;
  uint64_t lost_at[256];  // by queue pair: cycle in which a packet could not be read
  bool on[256];           // queue pairs
  uint64_t off_at[256];   // cycle in which it went off last
  struct {                // reads that responders have taken, until their first packet leaves
    uint32_t psn[DUT_TAKEN], in, out;
    uint64_t at[DUT_TAKEN], now;  // cycles of the records; of that whose packets leave
  } taken[256];
  const nic_retire_rec
      *nak;  // a NAK that is being looked at: if the model reads for it, it stands in the place of a response's packet
  struct {   // queue indices as last read
    uint64_t va;
    uint16_t rid;
    uint8_t data[8];
  } seen[DUT_SEEN];
  unsigned seen_next;
  nic_retire_rec last[64];
  uint64_t last_cycle[64];
  unsigned last_n;
  uint64_t retired[16];
} dut_node;

// dut_node.c: a cycle, and the life of a NIC behind an IOMMU. The owner has set d->pin.
dut_node *dut_node_new(node *n, bool behind);
void dut_node_begin(node *n, const char *wave);  // reset
void dut_node_drive(node *n);                    // inputs; then the owner evaluates
void dut_node_sample(node *n);                   // outputs; then the owner's rising edge
void dut_node_after(node *n);
void dut_node_free(node *n);
bool dut_node_take(node *n, const frame *f);
bool dut_node_reg_write(node *n, uint32_t addr, uint64_t v, uint8_t strb);
bool dut_node_reg_read(node *n, uint32_t addr, uint64_t *v);
bool dut_node_idle(const node *n);

// root.c
void root_request(node *n, pkt *p);  // takes p
void root_free(dut_node *d);

// cpl.c
void root_cycle(node *n);
void root_first(node *n);                  // a completion of nobody, in the first cycle out of reset
void root_tag(node *n, unsigned tag);      // may be used
void root_asked(node *n, dut_read *x);     // is under way now
void root_arrived(node *n, const pkt *p);  // a completion has gone in
void root_give_up(node *n, dut_read *x);   // no answer came in time
void root_ended(node *n, dut_read *x, bool gave_up);
void root_stray(node *n);            // a completion that nobody waits for
void root_tags_free(node *n);        // NIC_TAG_FREE is written
bool root_waits(const dut_node *d);  // for completions, or for a tag

// lock.c
void nic_lock_init(node *n);
void nic_lock_free(dut_node *d);
void nic_lock_frame_in(node *n, const frame *f);
void nic_lock_task(node *n);
void nic_lock_retire(node *n, const nic_retire_rec *r);
void nic_lock_write(node *n, unsigned src, uint16_t rid, uint64_t va, const void *p, uint32_t k);
void nic_lock_frame_out(node *n, const uint8_t *b, size_t k);
void nic_lock_task_done(node *n, unsigned log);
void nic_lock_cycle(node *n);
bool nic_lock_idle(const dut_node *d);
#endif
