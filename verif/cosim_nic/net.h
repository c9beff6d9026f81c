// SPDX-License-Identifier: Apache-2.0
// Nodes with a NIC each, one lossy link between them, software and an accelerator on every node.
//
//    software (rings, events, tables) -------.        .---- software
//    agent (queues, kernels) ------------- node 0      node 1, 2 ...: golden models by themselves
//    memory -- root complex -------- hardware + model    |     (node 0 too, without hardware)
//                                          `---- link ---'
//
// net_cycle() is one cycle of everything but software; software (sw_cycle) runs between cycles and never waits, but for
// node_read, which lets the net go on until the register's value is here. The first failure stops everything.
#ifndef TOCSIN_COSIM_NET_H
#define TOCSIN_COSIM_NET_H

#include <stdarg.h>
#include <stdio.h>

#include "options.h"
#include "mem.h"
#include "pkt.h"
#include "reach.h"
#include "tocsin/nic.h"
#include "tocsin/nic_frame.h"
#include "tocsin/nic_regs.h"
#include "tocsin/pcapng.h"

enum { NET_KIND = 4, NET_MIXED = 8 };
enum { NET_NODES = 4, NET_LOGS = 32, NET_RTL = ON_RTL, NET_MODEL = ON_MODEL, NET_BOTH = ON_BOTH, NET_FULL = 100 };

struct net;
struct node;
struct sw;
struct dut_node;
struct iommu;

typedef struct frame {
  struct frame *next;
  uint64_t due;
  unsigned from, to;
  bool fcs_bad;
  size_t n;
  uint8_t b[NIC_FRAME_MAX + 64];
} frame;

// How a node of either kind is driven.
typedef struct node_ops {
  void (*cycle)(struct node *n);
  bool (*take)(struct node *n, const frame *f);                              // a frame arrives; false: not now
  bool (*task)(struct node *n, unsigned log, uint32_t prod, uint32_t cons);  // the IOMMU's notice; false: not now
  bool (*write)(struct node *n, uint32_t addr, uint64_t v, uint8_t strb);    // true: done; else called again
  bool (*read)(struct node *n, uint32_t addr, uint64_t *v);                  // likewise
  bool (*idle)(const struct node *n);
  void (*free)(struct node *n);
  // Null where there is nothing of the kind:
  void (*first)(struct node *n);                                        // what else comes at once after reset
  void (*end)(struct node *n);                                          // lockstep: nothing is owed
  void (*report)(const struct node *n);                                 // after a failure: what was last
  void (*on)(struct node *n);                                           // before software's set-up: an IOMMU's
  uint64_t (*where)(const struct node *n, unsigned proc, uint64_t va);  // physical address; null: node_at
} node_ops;

// Pages of a node that its IOMMU logs: what software of the score has to know of them.
typedef struct node_active {
  bool (*room)(struct node *n, unsigned qp, unsigned slot, uint32_t len);  // software may let that much be written now
  bool (*put)(struct node *n, unsigned qp, uint32_t request, unsigned slot, uint64_t va, const void *p,
              uint32_t len);                                 // false: memory stays
  void (*lost)(struct node *n, unsigned qp, uint32_t from);  // at rest: its requests from this one on come no more
  void (*consume)(struct node *n, unsigned log);             // the handler of a log's task does its work
  void (*cycle)(struct node *n);                             // what software does besides
  bool (*busy)(const struct node *n);
  void (*rest)(struct node *n);  // all has been asked for: other devices stop
  void (*finish)(struct node *n);
} node_active;

// What is hardware in a run, and what can be done with it.
struct nic_options;
typedef struct net_top {
  const char *name;
  void (*init)(struct node *n, const char *wave);
  int (*hostile)(const struct nic_options *o, const char *list);  // or null
  int (*wiring)(const struct nic_options *o, const char *list);   // or null
  int (*flood)(const struct nic_options *o, const char *what);    // or null
  int (*replay)(const struct nic_options *o, const char *file);   // or null
  const point *points;                                            // the first are the NIC's
  unsigned num_points;
} net_top;

// What is sent again (again.c): of each queue pair of a node, and in all.
typedef struct again_qp {
  bool sent;              // since it was turned on
  uint32_t next, high;    // PSN behind the last request, and behind all
  uint32_t back, times;   // where it went last, and how often
  unsigned ended, since;  // times of waiting and requests: for that PSN, since it went there last
} again_qp;

typedef struct net_again {
  uint64_t frames, bytes;  // sent or asked for once more
  uint32_t went[256], reasons[256];
} net_again;

// Congestion (congest.c): of a node.
typedef struct congestion {
  uint32_t marked[256], cnps[256];  // of each queue pair: marked frames that may have come, CNPs that it has sent
  uint64_t least[256];              // cycle before which it sends no other
  uint8_t stage[256];               // raises since its cut
  uint32_t time;                    // NIC_CNP, NIC_RATE
  uint64_t rate;
} congestion;

typedef struct node {
  const node_ops *ops;
  struct net *net;
  unsigned id;
  nic_config cfg;
  nic *m;          // golden model: alone, or beside the hardware
  mem *mem, *ref;  // what is there; what the model beside hardware says (else null)
  struct sw *sw;
  struct dut_node *dut, *was;  // was: whose hardware it begins with, or null
  struct iommu *iommu;         // or null: memory is virtual
  const node_active *active;   // or null
  uint32_t absent[256];        // PSN + 1 of the last RNR NAK of a queue pair for an absent page
  struct {                     // writes of registers that software has posted
    uint32_t addr;
    uint64_t v;
    uint8_t strb;
  } wq[256];
  unsigned w_head, w_tail;
  struct {  // a model alone: reads that memory has not answered
    nic_job job;
    uint64_t due;
  } ask[256];
  unsigned asks;
  uint32_t writes[NIC_SRC_NUM];
  unsigned p_step, lat_max;  // model alone: of 256, decisions a cycle; cycles of a read
  uint64_t sent, taken, refused;
  uint32_t
      no_room[256];  // of each queue pair: requests that found no room for their response, or that it is not on yet
  uint32_t not_ready[256];  // likewise: that were told to wait
  uint64_t ctl[256];        // and QP_CTL as the NIC has taken it
  uint16_t rung[256];       // and the producer that it was given last
  uint16_t place[256];      // of each page of registers: the context in it, plus 1 (0: none)
  bool unheard[256];        // queue pairs whose bell, if they had one, has been forgotten: their context was broken
  struct {                  // what reach_ctx.c knows of them
    bool bell[256], slow[256], answers;
    unsigned saved, stored;
  } moves;
  uint16_t nowhere;  // likewise: of the oldest frame, if that is in no place
  // cycles in which the outside kept the NIC waiting: a frame or a beat of a completion that was there did not go in,
  // or a beat of a frame or of a request was not taken; and those that reads which were then given up took
  uint64_t held_up;
  unsigned ring[16];  // of each process: places of its event ring
  unsigned tick;      // NIC_TICK
  again_qp again[256];
  congestion cong;
} node;

typedef struct net_link {
  unsigned drop, twice, swap, bend, mark;  // of 1000
  unsigned delay, late;                    // cycles of every frame; up to how many more of one that is overtaken
  struct {
    uint64_t frames, dropped, twice, swapped, bent, marked, bytes;
  } did;
} net_link;

typedef struct net {
  int backend;
  uint64_t seed, cycle;
  bool crowded;  // a queue of responses is kept full, so what lockstep excuses for it is counted apart
  bool eager;    // a register or a completion that is there in the first cycle out of reset comes in it
  rng rng;
  unsigned nodes, duts;  // the first are hardware
  node node[NET_NODES];
  net_link link;
  frame *air[NET_NODES];  // under way to each, oldest first
  unsigned flying, deaf;  // of each node a bit: frames for it wait
  uint32_t harmed[256];   // of each queue pair, in either direction: frames that were lost, damaged or late
  uint32_t doubled[256];  // and that came twice
  net_again again;
  unsigned
      kinds;  // of frames: NET_KIND and 1 with a tag, 2 IPv6; NET_MIXED: by number of the queue pair; 0: IPv4, no tag
  uint64_t *reached;                             // functional points: counts, or null
  void (*spy)(struct net *net, const frame *f);  // sees every frame that is sent
  void *user;
  void (*out)(void *ctx, const uint8_t *b, size_t k);  // replay: takes the frames instead of the link; or null
  void *out_ctx;
  pcapng pcap;
  bool failed, quiet;
  unsigned mismatches;
  const char *what, *wave, *slip;  // slip: what of the hardware lockstep is to find different
  uint64_t wave_from;
  char text[600];
  struct {
    uint64_t cycle;
    unsigned from, to;
    nic_head h;
    size_t n;
  } last[16];
  unsigned last_n;
} net;

// seed decides all that happens. backend: NET_MODEL: all nodes are models. cfg: of every node.
typedef struct net_setup {
  const net_top *hw;
  int backend;
  const nic_config *cfg;
  unsigned nodes, duts;
  uint64_t seed;
  const char *wave;
  const net *was;  // the hardware of its first node is reset in the middle of its work, and is the new one's; or null
} net_setup;
net *net_new(const net_setup *s);
void net_free(net *w);
void net_cycle(net *w);
bool net_idle(const net *w);  // nothing is under way anywhere, software aside
void net_fail(net *w, const char *block, const char *fmt, ...);
int net_capture(net *w, FILE *f);  // every frame, as it is sent, from now on

// Registers, in order. Writes are posted; a read waits for them and lets the net go on.
void node_write(node *n, uint32_t addr, uint64_t v);
void node_write_strb(node *n, uint32_t addr, uint64_t v, uint8_t strb);
uint64_t node_read(node *n, uint32_t addr);
void node_settle(node *n);  // until all writes are done

// Memory of a process, as the machine's processor sees it.
static inline uint64_t node_at(unsigned proc, uint64_t va) { return (uint64_t)proc << 56 | va; }
void node_poke(node *n, unsigned proc, uint64_t va, const void *p, size_t k);
void node_peek(node *n, unsigned proc, uint64_t va, void *p, size_t k);
void node_poke64(node *n, unsigned proc, uint64_t va, uint64_t v);
uint64_t node_peek64(node *n, unsigned proc, uint64_t va);

// What the NIC does to memory (whoever it is): checked against what software allows, then done, then told to the agent.
bool node_dma_allowed(node *n, uint16_t rid, uint64_t va, size_t k, bool write);  // checked only
bool node_dma_write(node *n, uint16_t rid, uint64_t va, const void *p, size_t k);
bool node_dma_read(node *n, uint16_t rid, uint64_t va, void *p, size_t k);
bool node_dma_atomic(node *n, uint16_t rid, uint64_t va, unsigned op, uint64_t swap, uint64_t compare, uint64_t *old);

// link.c
void link_send(node *n, const uint8_t *b, size_t k);                                 // a frame leaves n
void link_deliver(net *w, unsigned to, const uint8_t *b, size_t k, uint64_t after);  // past the dice: directed tests
void link_cycle(net *w);
void link_wait(net *w, unsigned to, bool on);         // frames for this node wait, and come late
bool link_has(const net *w, unsigned a, unsigned b);  // a frame is under way between them
void link_free(net *w);
static inline uint64_t node_mac(unsigned id) { return 0x02746f637300ull + id; }
static inline uint32_t node_ip(unsigned id) { return 0x0a000001u + id; }
static inline nic_ip6 node_ip6(unsigned id) {
  return (nic_ip6){0xfd00746f63730000ull + id, 0xff00000000000001ull + id};
}
static inline nic_self node_self(unsigned id) {
  return (nic_self){.mac = node_mac(id), .ip = node_ip(id), .ip6 = node_ip6(id)};
}
// What the frames between the queue pairs of a number are, and their tag: of VLAN 0, which is none, now and then.
static inline unsigned net_kind(const net *w, unsigned qp) {
  return w->kinds == NET_MIXED ? (unsigned)((w->seed + qp) & 3) : w->kinds & 3;
}
static inline uint16_t net_tci(unsigned qp) { return (uint16_t)((qp % 8) << 13 | (qp % 5 == 4 ? 0 : 0x100 + qp)); }
static inline uint32_t node_qpn(unsigned id) { return 0x100u + id; }
enum { NET_RID = 0x0200 };
// Register addresses are the NIC's; with this, those of a node's IOMMU.
enum { NET_IOMMU = 1 << 24 };

// again.c
void again_sent(node *n, const nic_head *h);
void again_retired(node *n, const nic_retire_rec *r);
void again_finish(net *w);  // what was sent again had a reason each time

// congest.c
typedef struct frame_place {  // in a frame: the header of IP, and where that of InfiniBand begins (0: it has none)
  uint8_t *ip;
  size_t bth;
  bool v6;
} frame_place;
frame_place frame_find(uint8_t *b, size_t k);
void frame_mark(const frame_place *p);
void congest_passes(net *w, unsigned to, uint8_t *b, size_t k);
void congest_bent(net *w, unsigned to, uint8_t *b, size_t k);
void congest_retired(node *n, const nic_retire_rec *r);

// congest_sw.c
void congest_on(node *n);
void congest_cycle(net *w);
void congest_cnp(net *w, unsigned from, unsigned to, unsigned qp, uint64_t after);

// model_node.c, dut_node.c
void model_node_init(node *n);
void dut_node_init(node *n, const char *wave);
void dut_node_end(node *n);           // lockstep: nothing is owed
void dut_node_report(const node *n);  // the last records

// where.c
uint32_t node_number(const node *n, unsigned qp);  // that frames name it by
unsigned node_qp(const node *n, unsigned idx);     // that the hardware has there now
unsigned node_qp_of(node *n, const nic_retire_rec *r);
void node_moved(node *n, const nic_retire_rec *r);

// records.c
void net_retired(node *n, const nic_retire_rec *r);  // what the score needs to know of a node's records
const char *net_record_text(const nic_retire_rec *r, char *buf, size_t k);

static inline uint64_t le_get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = n; i-- > 0;) v = v << 8 | p[i];
  return v;
}
static inline void le_put(uint8_t *p, unsigned n, uint64_t v) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}
#endif
