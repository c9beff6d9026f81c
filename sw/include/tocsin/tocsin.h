// SPDX-License-Identifier: Apache-2.0
/* Tocsin for programs: machines, processes, memory, and puts and gets between them.
 *
 *   toc_fabric      what a program opens: a backend, and the nodes that it can reach
 *     toc_node      one machine with one tocsin device (NIC, XTQ, Active Access IOMMU) and its memory
 *       toc_proc    a process on it: a requester id, an address space (I/O virtual), an event ring
 *         memory    DMA memory: a pointer for the program, an I/O virtual address for devices
 *         toc_qp    a connection to a process elsewhere
 *
 * active.h adds what this is for, access logs and handlers; xtq.h tasks; agent.h a software accelerator; backend.h
 * is for those who write a backend.
 *
 *   #define MUST(call) do { if ((call) != TOC_OK) errx(1, "%s", toc_why()); } while (0)
 *
 *   toc_fabric *f;
 *   toc_proc *a, *b;
 *   MUST(toc_open(&(toc_options){.nodes = 2}, &f));
 *   MUST(toc_proc_open(toc_node_at(f, 0), &a));
 *   MUST(toc_proc_open(toc_node_at(f, 1), &b));
 *
 *   toc_qp *qp;
 *   uint64_t *src, *dst;
 *   toc_remote far;
 *   MUST(toc_connect(a, b, &qp, NULL));
 *   MUST(toc_alloc(a, 4096, TOC_READ | TOC_WRITE, (void **)&src));
 *   MUST(toc_alloc(b, 4096, TOC_READ | TOC_WRITE, (void **)&dst));
 *   MUST(toc_expose(b, dst, 4096, TOC_READ | TOC_WRITE, &far));
 *   *src = 42;
 *   toc_req r;
 *   MUST(toc_put(qp, src, far, 8, &r));
 *   MUST(toc_wait(r, 0));                 // *dst is 42
 *   toc_close(f);
 *
 * STATUS. Every function that can fail returns toc_status; TOC_OK is 0. toc_why() is one sentence about the last
 * failure in this thread. Results go through the last pointer and are set to zero (NULL) on failure. Arguments that
 * are wrong are refused by name before anything has happened; so is NULL (TOC_E_ARG) but where a comment allows it.
 * Functions without a status give 0, false, NULL or -1 for it, and to close NULL is fine. What has been closed
 * is gone: its handle is refused from then on (TOC_E_CLOSED), in every build and whatever has been opened since.
 * A handle is no address: it is not to be followed, and what closes with its fabric or process (nodes, queue pairs,
 * logs, ...) is refused as well.
 *
 * TIME. Time-outs are microseconds of the backend's time (simulated for backends in process, the clock's for hardware);
 * 0 stands for toc_options.timeout_us, TOC_FOREVER is for those who mean it. Simulated hardware is slow, so with
 * backends in process a wait also ends (TOC_E_TIMEOUT) when nothing has moved for toc_options.patience_ms of real time,
 * but for TOC_FOREVER; and whatever the time-out, a backend whose time stands still as long is dead (TOC_E_DEAD).
 *
 * THREADS. All functions may be called from any thread; one lock a fabric makes them take turns, and no call keeps it
 * while it waits. No thread may use an object while another closes it. Memory is the program's matter: a word
 * that another node writes must be read with toc_load. A child of fork() must not use its parent's handles, nor
 * close them.
 *
 * HANDLERS AND KERNELS are the program's code that the library calls. They run without the lock and may call, wait and
 * block as any other code: those of toc_log_run and toc_agent_run in the thread that calls it, those of `automatic`
 * logs and agents in threads that the library keeps for it (all signals blocked), one at a time for each log and agent.
 * Whoever finds the work, in a call that waits or in toc_progress, waits until it is done, so that a program of one
 * thread is the same from run to run; but a handler or kernel that runs for more than a tenth of
 * toc_options.patience_ms holds up nobody any more: calls go on, time-outs are told, and toc_why says what has been
 * running for how long. What such code uses stays: to close its log, queue, agent or process, or to change the rule
 * that it runs for, waits until it has ended, and ends with E_TIMEOUT after patience_ms of real time, with nothing
 * closed. From within itself that is refused (E_IN_USE; functions without a status do nothing, and toc_why says so),
 * and so is toc_close.
 *
 * WHO MAKES PROGRESS. A backend in process runs while some thread is inside a call that waits, or in toc_progress.
 * Hardware needs nobody. What is `automatic` is found by such calls too. A program that does neither, but sleeps in
 * poll() on toc_log_fd or toc_event_fd, sleeps for ever: then toc_options.progress = TOC_PROGRESS_THREAD is for it, a
 * thread of the library's that does all that by itself. The descriptors become readable, automatic handlers and kernels
 * run, and nobody need call. It costs little when nothing happens; simulated time then follows the clock, and runs are
 * not alike to the nanosecond any more. Backends uio and vfio have no interrupts, so their descriptors are -1 with the
 * thread as well; it looks into memory every 100 us, for ever, and runs what is automatic. Where only registers are
 * open (fpga, registers_only) there is no thread, and nothing for it to do. While handlers run, and for a second after
 * another thread was here, a wait in which nothing moves sleeps between its turns, lest simulated time be over before
 * the others have had theirs.
 */
#ifndef TOCSIN_TOCSIN_H
#define TOCSIN_TOCSIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tocsin/version.h"

/* Stands behind what a program must not ignore: the compiler warns when it does. */
#if defined __GNUC__
#define TOC_MUST_CHECK __attribute__((warn_unused_result))
#else
#define TOC_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs (version.h has the one that was compiled with), as number and as text. */
unsigned toc_version(void);
const char *toc_version_text(void);

typedef enum toc_status {
  TOC_OK = 0,
  TOC_E_ARG,      /* an argument is wrong; toc_why says which */
  TOC_E_NOMEM,    /* no memory left: the program's, the node's, or table pages */
  TOC_E_BACKEND,  /* no such backend, or it could not be opened */
  TOC_E_DEVICE,   /* the device is none that this driver drives; toc_why says why not */
  TOC_E_DEAD,     /* the device or backend does not answer */
  TOC_E_TIMEOUT,  /* the time is over; what was begun may still happen */
  TOC_E_FULL,     /* no free log, queue pair, region, process, flush page, table entry, or place in a ring */
  TOC_E_RANGE,    /* a pointer or address is not (wholly) in memory of this process */
  TOC_E_ALIGN,    /* not aligned as it must be */
  TOC_E_ACTION,   /* these actions do not go together on one page */
  TOC_E_IN_USE,   /* pages, an index or an object that others still use */
  TOC_E_STOPPED,  /* the queue pair has stopped after an error; toc_why says whether it can be resumed, or made anew */
  TOC_E_NOT_DONE, /* a flush: the log has not been read in time */
  TOC_E_LOST,     /* records or events were lost; what is there is good */
  TOC_E_SUPPORT,  /* this backend or device cannot do that */
  TOC_E_IO,       /* the operating system refused: files, mappings, eventfd */
  TOC_E_PLACE,    /* a backend gives the device memory that it has, beyond its 48 bits of address, or not aligned */
  /* how a remote operation can end */
  TOC_E_BAD_ENTRY, /* the NIC refused the request itself */
  TOC_E_LOCAL,     /* local memory could not be read */
  TOC_E_PEER_GONE, /* no answer after all retries */
  TOC_E_NOT_READY, /* the peer had no receive buffer, queue or event place, after all retries */
  TOC_E_INVALID,   /* the peer finds the request invalid (an XtqPut: its indices or lengths) */
  TOC_E_ACCESS,    /* the peer does not allow that: region, rights, bounds */
  TOC_E_REMOTE,    /* the peer could not carry it out: its page tables forbid it, its memory cannot be read */
  TOC_E_CLOSED,    /* a handle of something that has been closed, or of something else; toc_why says which argument */
  TOC_E_COUNT
} toc_status;

/* Name of a status ("TOC_E_ARG"), and what it means. Never NULL. */
const char *toc_name(toc_status s);
const char *toc_text(toc_status s);

/* One sentence about the last failure in this thread; valid until the next call that fails. Never NULL. */
const char *toc_why(void);

#define TOC_FOREVER UINT64_MAX

/* ---- fabric ------------------------------------------------------------------------------------------------------ */

typedef struct toc_fabric toc_fabric;
typedef struct toc_node toc_node;
typedef struct toc_proc toc_proc;
typedef struct toc_qp toc_qp;

/* What a trace sees. */
typedef enum toc_seen_kind {
  TOC_SEEN_REG_READ = 1, /* addr, size, value */
  TOC_SEEN_REG_WRITE,    /* addr, size, value */
  TOC_SEEN_DEV_REQ,      /* hdr, data, bytes: a TLP of a device (value = port), I/O virtual */
  TOC_SEEN_HOST_REQ,     /* hdr, data, bytes: the same, physical */
  TOC_SEEN_HOST_CPL,     /* hdr, data, bytes */
  TOC_SEEN_DEV_CPL,      /* hdr, data, bytes; value = port */
  TOC_SEEN_FRAME,        /* data, bytes: a frame leaves the node, before the link does anything to it */
  TOC_SEEN_IRQ,          /* value = vector */
  TOC_SEEN_FRAME_IN,     /* data, bytes, value = 1: its checksum is wrong. A frame goes into the node */
  TOC_SEEN_MEM_READ,  /* addr, data, bytes: what the device has read of memory; this and the next two: `model` alone */
  TOC_SEEN_MEM_WRITE, /* addr, data, bytes: what it has written */
  TOC_SEEN_MEMORY     /* addr, data, bytes: software has taken memory, which is seen at data until the fabric closes */
} toc_seen_kind;

typedef struct toc_seen {
  toc_seen_kind kind;
  unsigned node;
  uint64_t ns; /* time of the backend */
  uint64_t addr, value;
  unsigned size;
  const uint32_t *hdr; /* 4 words as in tlp.h */
  const uint8_t *data;
  size_t bytes;
} toc_seen;

/* Called for each, in order, with the fabric's lock held; must not call back. */
typedef void toc_see_fn(void *ctx, const toc_seen *s);

typedef enum toc_progress_by {
  TOC_PROGRESS_DEFAULT =
      0, /* as the environment's TOCSIN_PROGRESS says, "calls" or "thread" (E_ARG: something else); else CALLS */
  TOC_PROGRESS_CALLS,
  TOC_PROGRESS_THREAD
} toc_progress_by;

/* All fields may be 0: the default then. */
typedef struct toc_options {
  const char *backend;              /* "model" (default), "rtl", "uio", "vfio", "fpga" */
  const char *path;                 /* uio, vfio, fpga: see sw/README.md */
  unsigned nodes;                   /* in process: 1 to 64, default 1; hardware: 1 */
  uint64_t node_bytes;              /* memory of a node, default 64 MiB */
  uint64_t seed;                    /* of the link and of whatever is random; default 1 */
  unsigned drop, twice, swap, bend; /* what the link does to frames, of 1000 */
  uint64_t timeout_us;              /* default 200 ms */
  /* Real time in which nothing moves, or a handler does not end; default 20 s. Of a board at a serial line each answer
   * is waited for a hundredth of it, three times. */
  unsigned patience_ms;
  bool no_interrupts;  /* program no MSIs: no eventfds */
  bool registers_only; /* probe the device and leave it as it is: registers and counters, nothing else */
  /* Rank of node 0 among the peers of hardware, or of a link: MAC 02:54:4F:43:rank, IP 10.84.rank. That of the last
   * node is at most 65535 (E_ARG). */
  unsigned rank0;
  toc_see_fn *see; /* hears everything from the first register access on */
  void *see_ctx;
  toc_progress_by progress; /* who makes progress, see above */
  /* In process: the way to other programs. NULL: as the environment's TOCSIN_LINK says, else (or "") there is none. One
   * whole Ethernet frame, without FCS, a datagram; what is not for a node of this fabric leaves, and drop, twice, swap
   * and bend are of those too.
   *   "frames,local=127.0.0.1:7001,remote=127.0.0.1:7002"    UDP, as QEMU's -netdev dgram has it
   *   "frames,local=unix:/tmp/a,remote=unix:/tmp/b"          a UNIX datagram socket
   *   "frames,tap=tap0"                                      a TAP device: root, or one that is prepared for this user
   *   "udp,local=192.0.2.7"                                  not frames, but RoCEv2 over this machine's own network,
   *   see below
   * With ",rate=200" behind it frames leave no faster than 200 Mbit/s, for peers whose buffers are small.
   * ARP, ICMP echo, IPv6 neighbour discovery and ICMPv6 echo for the nodes (10.84.rank; fe80:: and the MAC) are
   * answered; RoCEv2 for a node's MAC is its NIC's; all else is dropped (toc_link_counts). Nodes that are to meet need
   * different ranks: rank0. Simulated time does not run ahead of the clock then. E_ARG: bad address; E_IN_USE: the
   * address, or the device; E_IO: the system refuses, or the peer is unreachable.
   * With "udp" the fabric's one node is an endpoint of RoCEv2 on this machine's network: its packets are those of a UDP
   * socket, which needs no privilege, and its address is that of the socket: an IPv4 or IPv6 address of this machine
   * ("[fd00::7]"), port 4791, or another behind it (":5000"; ":0": any that is free), so several nodes of a machine
   * differ by address or by port. toc_qp_address says it all, the port in the low 16 bits of `mac`; toc_qp_connect
   * takes that of a peer, or any mac, for a peer that is not of this library and has port 4791. The peer may be killed:
   * then what is sent to it ends with E_PEER_GONE. Without `rate` frames leave no faster than a peer with buffers like
   * ours can do without running for 5 ms. */
  const char *link;
  /* Queue pairs that a node has to have, up to 4095; it may have more, backend model at least 16. Default: as the
   * device has. */
  unsigned qps;
  /* Backend model: how many of them are in the NIC at once, 2 to 256. If that is less than qps, the others lie in
   * memory of the node, 2 KiB each, and take turns: see toc_caps. Default, and at most: as many as qps, up to 256. */
  unsigned places;
} toc_options;

/* What a fabric's link has carried: frames. All 0 without one. */
typedef struct toc_link_count {
  uint64_t out, in;              /* have left the process; have come for a NIC */
  uint64_t arp, echo, neighbour; /* questions that were answered */
  uint64_t dropped;              /* came, and nobody here wants them */
  uint64_t lost; /* by drop and bend, in either direction; link=udp: and those for which the socket had no room left */
  uint64_t oversized; /* in either direction: longer than any frame of a NIC, or than the system sends */
  uint64_t refused;   /* nobody had the peer's address open, or no way leads there: no error, he may come later */
  uint64_t unsent;    /* the system did not take them, for another reason, or 4096 were waiting already */
} toc_link_count;

/* Opens a backend, probes the device of each node and brings it up: translation on, Active Access on. What an earlier
 * user left (logs, queue pairs, tables) is torn down first. E_BACKEND, E_DEVICE, E_DEAD, E_NOMEM, E_ARG; E_SUPPORT: the
 * device has fewer queue pairs than `qps`; E_IO: too many files are open. */
toc_status toc_open(const toc_options *o, toc_fabric **f) TOC_MUST_CHECK;

/* Closes everything that is open in it, and it. NULL is fine. It stays, as a process does, if a handler
 * or kernel does not end. */
void toc_close(toc_fabric *f);

/* What the fabric's link (toc_options.link) has carried so far. */
void toc_link_counts(toc_fabric *f, toc_link_count *c);

/* Names of the backends in this library, NULL behind the last. */
const char *const *toc_backends(void);

/* The nodes of a fabric, by their rank from 0. */
unsigned toc_nodes(const toc_fabric *f);
toc_node *toc_node_at(toc_fabric *f, unsigned rank); /* NULL: there is none */
unsigned toc_node_rank(const toc_node *n);

/* What the probe found. */
typedef struct toc_caps {
  unsigned logs, log_depth, flush_pages, flush_waiters, scratch_words; /* Active Access */
  unsigned procs, qps, regions, table_entries, recv_buffers;           /* NIC and XTQ */
  /* Queue pairs that are in the NIC at once. If there are more (qps), they lie in memory, and take turns
   * (rtl/nic/README.md, "Contexts in memory"): all functions are the same. places - 1 have requests under way, the
   * others' wait for them to end. The node has one process less, whose memory they are in. */
  unsigned places;
} toc_caps;
void toc_caps_of(const toc_node *n, toc_caps *c);

/* Lets the backend run for a moment, and runs what is automatic. Returns false if nothing moved. */
bool toc_progress(toc_fabric *f);

/* Nanoseconds of the backend's time. */
uint64_t toc_now(toc_fabric *f);

/* Hooks a listener in later, or out (NULL). */
void toc_listen(toc_fabric *f, toc_see_fn *see, void *ctx);

/* For tools and tests: a register of the device as rtl/top/tocsin.sv maps it (bit 20: NIC), 4 or 8 bytes.
 * E_ARG, E_DEAD. */
toc_status toc_reg_read(toc_node *n, uint32_t addr, unsigned size, uint64_t *value) TOC_MUST_CHECK;
toc_status toc_reg_write(toc_node *n, uint32_t addr, unsigned size, uint64_t value) TOC_MUST_CHECK;

/* For a function-level reset, after the function has been stopped: whatever the IOMMU still holds of this requester id
 * ends (reads, flushes, requests that wait), and none of it reaches the function any more. E_TIMEOUT: not all has
 * ended, since a log that nobody reads holds requests up; a later call for the same id goes on waiting. Not for the id
 * of an open process (E_IN_USE): its NIC would wait for the answers. */
toc_status toc_requester_end(toc_node *n, uint16_t requester, uint64_t timeout_us) TOC_MUST_CHECK;

/* Counters by their index: rtl/aa/README.md "Counters" (0 to 40), rtl/nic/README.md "Counters" (0 to 41).
 * E_ARG, E_DEAD. */
toc_status toc_count_aa(toc_node *n, unsigned index, uint64_t *value) TOC_MUST_CHECK;
toc_status toc_count_nic(toc_node *n, unsigned index, uint64_t *value) TOC_MUST_CHECK;

/* ---- processes and their memory ---------------------------------------------------------------------------------- */

/* A process of this node: the next free requester id, an empty address space, an event ring.
 * E_FULL, E_NOMEM, E_DEAD; E_IO: too many files are open. */
toc_status toc_proc_open(toc_node *n, toc_proc **p) TOC_MUST_CHECK;

/* Takes back everything that the process has: agents, queues, logs, rules, regions, queue pairs, memory, its tables.
 * It needs no cooperation of what it takes back, so it also is what one does about a process that crashed.
 * Its handles are gone then. A handler or kernel that does not end still uses it: then (see above) it stays as it is,
 * and toc_why says so. */
void toc_proc_close(toc_proc *p);

/* Where a process is: its node, its number there (what xtq_task.process wants), and its requester id on PCIe. */
toc_node *toc_proc_node(const toc_proc *p);
unsigned toc_proc_index(const toc_proc *p);
uint16_t toc_proc_requester(const toc_proc *p);

/* TOC_PAGED, of toc_expose: pages may be absent. A get or atomic that such a page blocks is asked for again by the
 * hardware of who has asked, instead of ending with E_REMOTE, until the page is there: see toc_place. */
enum { TOC_READ = 1, TOC_WRITE = 2, TOC_ATOMIC = 4, TOC_PAGED = 8 };

/* DMA memory, zeroed, whole pages of 4 KiB, physically contiguous, mapped at an address of the library's choice with
 * these rights for devices (READ, WRITE). E_NOMEM: the node has no such run of pages left. */
toc_status toc_alloc(toc_proc *p, size_t bytes, unsigned rights, void **ptr) TOC_MUST_CHECK;
/* Unmaps and gives it back; regions, rules and logs on it must be gone (E_IN_USE). ptr as toc_alloc gave it. */
toc_status toc_free(toc_proc *p, void *ptr);

/* The same memory at one more address of the process (aligned to 4 KiB, below 2^47, not in use), and away again.
 * E_ALIGN, E_RANGE: this is no memory of toc_alloc, or was not mapped so; E_IN_USE: something is there already,
 * or rules are left on it; E_NOMEM. */
toc_status toc_map(toc_proc *p, void *ptr, size_t bytes, unsigned rights, uint64_t iova) TOC_MUST_CHECK;
toc_status toc_unmap(toc_proc *p, uint64_t iova, size_t bytes);

/* Other memory of toc_alloc under a page of 4 KiB, whose rule stays; ptr NULL: none. For pages that come and go: the
 * page's rule blocks puts and gets while this is called (E_IN_USE: it does not), and the next toc_associate lets them
 * in, in one step. When it returns nothing uses what was there before. E_ALIGN, E_RANGE: this is no memory of
 * toc_alloc, or toc_alloc's own address; E_NOMEM. */
toc_status toc_place(toc_proc *p, uint64_t iova, void *ptr, unsigned rights) TOC_MUST_CHECK;

/* Where devices see a byte, and the other way round. E_RANGE. */
toc_status toc_iova(toc_proc *p, const void *ptr, uint64_t *iova) TOC_MUST_CHECK;
toc_status toc_pointer(toc_proc *p, uint64_t iova, size_t bytes, void **ptr) TOC_MUST_CHECK;

/* A word that devices write: loads and stores that are ordered against everything before and after. */
static inline uint64_t toc_load(const volatile uint64_t *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static inline void toc_store(volatile uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }

/* ---- remote memory ----------------------------------------------------------------------------------------------- */

/* Memory of another process, as an owner gives it away; plain data, to be sent by any means. */
typedef struct toc_remote {
  uint64_t addr;
  uint32_t key;
} toc_remote;
static inline toc_remote toc_at(toc_remote r, uint64_t offset) {
  r.addr += offset;
  return r;
}

/* Lets peers use bytes at ptr (TOC_READ, WRITE, ATOMIC). What the page says about it is another matter:
 * see active.h. E_FULL. */
toc_status toc_expose(toc_proc *p, const void *ptr, size_t bytes, unsigned rights, toc_remote *r) TOC_MUST_CHECK;
/* The same by I/O virtual address, which need not be mapped (pages that only redirect need no memory). E_FULL. */
toc_status toc_expose_iova(toc_proc *p, uint64_t iova, uint64_t bytes, unsigned rights, toc_remote *r) TOC_MUST_CHECK;
/* Peers cannot use it any more: their next request ends with E_ACCESS. r as toc_expose gave it (E_ARG: it
 * is hidden already). */
toc_status toc_hide(toc_proc *p, toc_remote r);

/* ---- connections ------------------------------------------------------------------------------------------------- */

/* One end of a connection, for peers that are connected by hand; plain data. toc_qp_address says both addresses of IP.
 * Frames go over IPv4 to a peer whose ip is not 0, else over IPv6 to its ip6 (first byte first); both ends choose the
 * same. So they do with the tag. */
typedef struct toc_address {
  uint64_t mac;
  uint32_t ip; /* IPv4, first byte on top */
  uint32_t qp;
  uint32_t psn;
  uint8_t ip6[16];
  uint16_t vlan; /* of an 802.1Q tag: 15:13 priority, 12 DEI, 11:0 VLAN; 0: no tag */
} toc_address;

/* 0: default. */
typedef struct toc_qp_options {
  unsigned entries;   /* requests that may be under way or wait, a power of two, 1 to 256, default 64 */
  unsigned mtu;       /* 256, 512, 1024, 2048, 4096, alike at both ends; default: 1024, less where link=udp has less */
  unsigned retry;     /* 1 to 7, default 7 */
  unsigned rnr_retry; /* 1 to 7, default 7: for ever */
  uint32_t psn;       /* of the first request, 24 bits; default: any */
  /* Without progress, until it is sent again, rounded up to 2^n cycles of at most 4 s; default: the backend's. Over a
   * link an empty put asks a peer that takes puts (it has acknowledged one) much earlier, so that a frame that is lost
   * does not cost as long a timeout. */
  uint64_t timeout_us;
  /* The QP number that it is to have, as toc_address.qp says it, for toc_qp_restore; default: any that is free. */
  uint32_t number;
} toc_qp_options;

/* A queue pair of each, connected: both nodes are in this fabric. qb may be NULL if nobody needs that end. E_ARG: one
 * node, or two fabrics; E_FULL: no queue pair is left; E_NOMEM. */
toc_status toc_connect(toc_proc *a, toc_proc *b, toc_qp **qa, toc_qp **qb) TOC_MUST_CHECK;

/* By hand: make one, tell the peer its address, connect to the peer's. E_FULL: no queue pair is left; E_NOMEM; E_ARG:
 * the node has no queue pair of this number; E_IN_USE: it is open. */
toc_status toc_qp_open(toc_proc *p, const toc_qp_options *o, toc_qp **q) TOC_MUST_CHECK; /* o may be NULL */
toc_status toc_qp_address(toc_qp *q, toc_address *a) TOC_MUST_CHECK;
/* E_ARG: it names no peer, a queue pair that a node of this fabric does not have, or, without a link, one of this node.
 * With link=udp: E_ARG: the address is of another family, or has a tag; E_IO: no way leads there; E_SUPPORT: frames of
 * this mtu are longer than the path takes. */
toc_status toc_qp_connect(toc_qp *q, const toc_address *peer) TOC_MUST_CHECK;
/* Events that wait keep their kind and value but name no queue pair; a toc_req of it is gone with it. */
void toc_qp_close(toc_qp *q);
toc_proc *toc_qp_proc(const toc_qp *q);

/* After a request that ended badly. TOC_OK: the connection goes on. A peer in this fabric is looked at. If it waits
 * where we left it (after E_ACCESS, E_INVALID, E_NOT_READY, E_BAD_ENTRY), what was posted behind is sent now. If its
 * end has stopped (E_REMOTE of a get or atomic that its page tables forbid), or what it has done is not known (E_LOCAL,
 * E_PEER_GONE of a link that lost too much), both ends are armed again: what was posted behind, and what the peer has
 * posted and does not end by itself, ends with E_STOPPED, since nobody knows whether it was done; the peer's end then
 * waits for a toc_qp_resume of its own. A peer that is not in this fabric, or no more, is asked by an empty put, behind
 * what was posted, and has to acknowledge it. E_TIMEOUT: it has not answered yet. E_STOPPED: the connection has
 * stopped, and toc_why says what helps: another toc_qp_resume, if another request has been refused meanwhile, or
 * toc_qp_connect at both ends (the peer is silent; or it is elsewhere, and what it has done is not known, or it waits
 * for the rest of a message that has been given up). */
toc_status toc_qp_resume(toc_qp *q) TOC_MUST_CHECK;

/* What a queue pair has come to; plain data, made by toc_qp_save alone. */
typedef struct toc_qp_state {
  toc_address to;
  uint32_t number, psn, mtu;   /* its QP number, the first PSN of the connection */
  uint64_t now, msg, va, rest; /* registers QP_NOW, QP_MSG, QP_VA, QP_REST of the NIC */
  uint64_t answer[64][2];      /* QP_ANSWER_PSN, QP_ANSWER_VALUE: its stored answers, the oldest first */
} toc_qp_state;

/* A queue pair leaves the NIC and comes back where it was; the peer notices a silence. toc_qp_save waits until what was
 * posted here has ended; the queue pair is not connected then, and posts end with E_STOPPED. toc_qp_restore goes on,
 * with this queue pair or another that has its number, opened since by the same node or by one that has its addresses;
 * it has no requests then, and memory is exposed and buffers are posted as they are by its process. What the peer
 * writes or reads meanwhile it asks for again, for as long as its tries last; in the middle of a put it goes on there,
 * and an atomic that was done gets the answer that the link has lost. Its sends and tasks have ended before toc_qp_save
 * is called, and of its atomics none is just being done: that would not be answered, nor done twice (TIMEOUT at the
 * peer). The queue pair's rate is the full one again. toc_qp_save: E_TIMEOUT: what was posted, or a message of the
 * peer, does not end, and nothing has happened. E_STOPPED: it has stopped, is not connected, or toc_why says why both
 * ends have to be connected. toc_qp_restore: E_ARG: it is connected, or the state another's. */
toc_status toc_qp_save(toc_qp *q, toc_qp_state *state) TOC_MUST_CHECK;
toc_status toc_qp_restore(toc_qp *q, const toc_qp_state *state) TOC_MUST_CHECK;

/* A request under way. A value; it need not be waited for. Requests of a queue pair end in order. */
typedef struct toc_req {
  toc_qp *qp;
  uint32_t seq;
} toc_req;

/* Puts, gets and atomics. Local bytes lie in memory of the process (E_RANGE) and must stay until the request has ended.
 * They wait while all entries are taken (E_TIMEOUT). r may be NULL. A put of no bytes is one too: with an
 * immediate it only tells. */
toc_status toc_put(toc_qp *q, const void *src, toc_remote dst, uint32_t bytes, toc_req *r) TOC_MUST_CHECK;
toc_status toc_put_imm(toc_qp *q, const void *src, toc_remote dst, uint32_t bytes, uint32_t imm,
                       toc_req *r) TOC_MUST_CHECK;
toc_status toc_get(toc_qp *q, void *dst, toc_remote src, uint32_t bytes, toc_req *r) TOC_MUST_CHECK;
/* old: 8 bytes of local memory for the value before (E_RANGE). dst aligned to 8 (E_ALIGN). They wait as
 * puts do (E_TIMEOUT). */
toc_status toc_fetch_add(toc_qp *q, uint64_t *old, toc_remote dst, uint64_t add, toc_req *r) TOC_MUST_CHECK;
toc_status toc_compare_swap(toc_qp *q, uint64_t *old, toc_remote dst, uint64_t compare, uint64_t swap,
                            toc_req *r) TOC_MUST_CHECK;

/* Messages: bytes that find their place at the peer, in the next receive buffer of its process, and that it is told of
 * by an event (TOC_EVENT_RECV). The request ends when they are there: while the peer has no buffer, or no place for the
 * event, it is repeated (rnr_retry times), so E_NOT_READY comes only of an rnr_retry below 7. A message of one packet
 * (up to the mtu) that fits in no posted buffer is repeated as well, and never E_INVALID; E_INVALID: one of several
 * packets is longer than the buffer that it began in. They wait as puts do (E_TIMEOUT). */
toc_status toc_send(toc_qp *q, const void *src, uint32_t bytes, toc_req *r) TOC_MUST_CHECK;
toc_status toc_send_imm(toc_qp *q, const void *src, uint32_t bytes, uint32_t imm, toc_req *r) TOC_MUST_CHECK;
/* The same, and the peer's region of this key is hidden when it has come (E_ACCESS: its process has no such region;
 * nothing is received then). */
toc_status toc_send_inv(toc_qp *q, const void *src, uint32_t bytes, uint32_t key, toc_req *r) TOC_MUST_CHECK;

/* A receive buffer, for messages of all queue pairs of the process and for tasks (xtq.h), which share them. Buffers are
 * filled in the order in which they are posted; in one, messages of one packet lie one behind the other, each at a
 * multiple of 64, until less than `least` is left, or one fits only in a later buffer: TOC_EVENT_BUFFER then, with the
 * buffer's number. One that fits in none uses none up: it waits at the peer until there is one that is long enough.
 * A message of several packets takes the whole rest of a buffer that has more bytes left than a packet. So least =
 * bytes gives each message a buffer of its own, as verbs do; otherwise it should be no less than the longest message of
 * several packets. TOC_EVENT_BUFFER says only that nothing more begins in a buffer, and may come before or after the
 * TOC_EVENT_RECV of a message there, which says that its bytes are whole: the buffer is the program's again when both
 * have come, the latter of each message that began in it. ptr aligned to 64 (E_ALIGN), in memory of the process that
 * devices may write (E_RANGE). *number (may be NULL) counts from 0. E_FULL: as many are posted as the device takes;
 * E_IN_USE: xtq_feed_buffers posts them, from its call on. */
toc_status toc_recv_post(toc_proc *p, void *ptr, uint32_t bytes, uint32_t least, uint32_t *number) TOC_MUST_CHECK;

/* Takes back those in which nothing has begun, the newest: *count of them, whose numbers will be given again. For the
 * one in which something has begun TOC_EVENT_BUFFER comes. So each buffer comes back once, and a message under way
 * keeps its place. E_IN_USE: xtq_feed_buffers has posted them. */
toc_status toc_recv_withdraw(toc_proc *p, uint32_t *count) TOC_MUST_CHECK;

/* Waits until a request has ended, and says how: TOC_OK, an error of remote operations (E_BAD_ENTRY, E_LOCAL,
 * E_PEER_GONE, E_NOT_READY, E_INVALID, E_ACCESS, E_REMOTE), E_STOPPED for what waits behind one (or was there when both
 * ends were armed again), E_TIMEOUT. What is left of the connection after an error stands in toc_why. E_LOST: more than
 * 1000 requests of the queue pair have ended since, and it, or one behind it, has failed: which, nobody knows any
 * more. */
toc_status toc_wait(toc_req r, uint64_t timeout_us) TOC_MUST_CHECK;
bool toc_done(toc_req r); /* has ended, well or not */
/* Waits for all requests of the queue pair so far; the first error of those that nobody has waited for: E_BAD_ENTRY,
 * E_LOCAL, E_PEER_GONE, E_NOT_READY, E_INVALID, E_ACCESS, E_REMOTE, E_STOPPED; E_TIMEOUT. */
toc_status toc_wait_all(toc_qp *q, uint64_t timeout_us) TOC_MUST_CHECK;

/* ---- events ------------------------------------------------------------------------------------------------------ */

typedef enum toc_event_kind {
  TOC_EVENT_NONE = 0,
  TOC_EVENT_IMM,       /* a put with immediate has come: qp, value */
  TOC_EVENT_TASK,      /* a task was enqueued: index of the queue, value = packet index (queues with events) */
  TOC_EVENT_TASK_DONE, /* the task of a log is done: index of the log */
  /* A peer's request was refused: qp, value = reason (toc_reason says it), status = AETH syndrome. One that was not
   * ready for (no receive buffer, queue or event place: status 20h to 3Fh) is retried and refused again, many times a
   * millisecond: while its event waits to be taken, the same of the same queue pair is not kept again. */
  TOC_EVENT_REFUSED,
  TOC_EVENT_RESP_FAILED, /* local memory failed under a peer's read; the queue pair's responder has stopped: qp */
  TOC_EVENT_BUFFER,      /* a receive buffer is used up: index */
  TOC_EVENT_FAULT, /* an access was refused or watched: value = address of the page, index = reason, status 1: a read */
  TOC_EVENT_RECV, /* a message has come: qp, status = TOC_RECV_..., index of its buffer, ptr, bytes, value = its word */
  TOC_EVENT_WAKE  /* toc_event_wake was called; nothing has come */
} toc_event_kind;

typedef enum toc_recv_status {
  TOC_RECV_PLAIN = 0,
  TOC_RECV_IMM,        /* value: the immediate */
  TOC_RECV_INVALIDATE, /* value: the key of a region that is hidden now */
  TOC_RECV_LOST /* given up before its end: too long for its buffer, or the queue pair closed; ptr, bytes: what came */
} toc_recv_status;

typedef struct toc_event {
  toc_event_kind kind;
  toc_qp *qp;
  uint32_t index;
  uint32_t status;
  uint64_t value;
  void *ptr; /* TOC_EVENT_RECV */
  uint32_t bytes;
} toc_event;

/* The next event that no call of this library has consumed itself; E_TIMEOUT. Up to 256 are kept. When there are more,
 * TOC_EVENT_REFUSED and TOC_EVENT_FAULT give way, the oldest first, and of the others the oldest only where none of
 * those is left (E_LOST once, then what is there); so what has come is not pushed out by what is refused, or retried.
 * E_LOST, once, also says that the device had no place in the process' event ring, because events were not taken for so
 * long: TOC_EVENT_REFUSED, TOC_EVENT_RESP_FAILED and TOC_EVENT_BUFFER may be missing then.
 * timeout: as everywhere; 1 is as good as a look. */
toc_status toc_event_next(toc_proc *p, toc_event *e, uint64_t timeout_us) TOC_MUST_CHECK;

/* Ends a wait of toc_event_next for this process, which gives TOC_EVENT_WAKE: of one thread that waits, or, if none
 * does, the next call. Wakes that nobody has taken yet are one; a wake comes before the events that wait, and makes
 * toc_event_fd readable. Any thread may call it, and, with the handle of a process that is open, a signal's handler
 * too. Who waits notices within milliseconds, but not before an automatic handler or kernel has ended that it waits
 * for. */
toc_status toc_event_wake(toc_proc *p);

/* What the value of a TOC_EVENT_REFUSED means ("its arguments or lengths are wrong"). Never NULL. */
const char *toc_reason(uint64_t value);

/* Readable when something has come: an eventfd, -1 where there is none. toc_event_next reads it when it finds no more,
 * so call that until E_TIMEOUT; it may be readable for requests that have ended, too. With a backend in process
 * somebody must make progress while poll() sleeps on it: TOC_PROGRESS_THREAD, another thread, or toc_progress between
 * polls that do not sleep. Belongs to the library. */
int toc_event_fd(toc_proc *p);

/* Waits until *word fulfils (value & mask) == want; runs what is automatic meanwhile. E_TIMEOUT. */
toc_status toc_wait_word(toc_fabric *f, const volatile uint64_t *word, uint64_t mask, uint64_t want,
                         uint64_t timeout_us) TOC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
