// SPDX-License-Identifier: Apache-2.0
/* Golden model of the NIC and XTQ: what happens, not when. rtl/nic/README.md and rtl/xtq/README.md
 * are its specification.
 *
 * One `nic` is one NIC. It has no globals, takes no locks and allocates only in nic_new; different instances may run in
 * different threads, one instance in one thread at a time. It reaches the world only through nic_ops.
 *
 * LOCKSTEP with hardware. nic_rx hands over each frame, nic_task each notice of the IOMMU's task port; nothing happens
 * until nic_retire gets the hardware's next retire record. That applies the one decision which the record names:
 * NIC_E_ORDER if the specification does not allow it now, NIC_E_MISMATCH if one of the record's results is not what the
 * model computes. After either the instance's state is unspecified; nic_reason says why. Within one cycle: frames
 * before records, records in slot order. What a decision reads from memory is asked for when it is made: ops.read must
 * answer (nic_read_done) before it returns.
 *
 * SELF-RUNNING, as a fast NIC for software. nic_step does one thing that is due, nic_run all of them, in a legal order
 * of the model's own; nic_advance lets time pass. Reads may be answered inside ops.read or at any time later.
 */
#ifndef TOCSIN_NIC_H
#define TOCSIN_NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tocsin/nic_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nic_status {
  NIC_OK = 0,
  NIC_E_CONFIG,   /* a parameter out of its range */
  NIC_E_NOMEM,    /* out of memory */
  NIC_E_ARG,      /* an argument out of its range */
  NIC_E_BUSY,     /* no room, or it must wait (for a read, for room, for nothing being due): try again later */
  NIC_E_ORDER,    /* lockstep: this record is not legal now */
  NIC_E_MISMATCH, /* lockstep: the record says something else than the model */
  NIC_E_TIME      /* lockstep: too early, or not in time (nic_time.h) */
} nic_status;

/* Text of a status, never NULL. */
const char *nic_strstatus(nic_status s);

/* The parameters of the hardware, under its names. */
typedef struct nic_config {
  unsigned NumProcs;  /* 1..16 */
  unsigned NumQps;    /* 2..256 */
  unsigned Contexts;  /* 0: none; else queue pairs in memory, power of two, 16..4096 */
  unsigned NumMrs;    /* 1..256 */
  unsigned RespDepth; /* responses that wait, 2..256 */
  unsigned Replay;    /* atomics whose answers a QP keeps, 1..64 */
  unsigned Window;    /* PSNs under way of a QP, 16..65536 */
  unsigned Requests;  /* entries under way of a QP, power of two, 2..64 */
  unsigned TableBits; /* log2 of a table's entries, 1..12 */
  unsigned
      TableCache;     /* 0: tables on-chip; else entries of a cache, power of two from 2, up to NumProcs << TableBits */
  unsigned RecvDepth; /* receive buffers of a process, power of two, 2..64 */
  unsigned NumLogs;   /* access logs that start tasks, 1..32 */
  unsigned Frames;    /* frames that nic_rx takes before one is consumed, 1..4096 */
} nic_config;

/* The defaults of the hardware, xtq_nic, and 256 frames. docs/integration.md lists them, rtl/top/params.txt is their
 * source. */
void nic_config_default(nic_config *cfg);

/* Why nic_new says NIC_E_CONFIG: the parameter and its range, in the words in which the hardware refuses it.
 * NULL if nothing is wrong. */
const char *nic_config_wrong(const nic_config *cfg);

/* Who asks: nic_pkg's Src*. */
enum {
  NIC_SRC_RESP = 0,   /* writes of requests */
  NIC_SRC_TASK = 1,   /* arguments, payload, body, header, write_index, doorbell */
  NIC_SRC_EVENT = 2,  /* events, MSIs */
  NIC_SRC_REQ = 3,    /* answers into local memory; reads of the send ring and gather */
  NIC_SRC_READ = 4,   /* data of read responses */
  NIC_SRC_TABLE = 5,  /* table entries */
  NIC_SRC_QUEUE = 6,  /* queue indices */
  NIC_SRC_ATOMIC = 7, /* AtomicOps of peers */
  NIC_SRC_CTX = 8,    /* contexts in memory */
  NIC_SRC_NUM = 9
};
enum { NIC_JOB_READ = 0, NIC_JOB_FETCH_ADD = 1, NIC_JOB_CAS = 2, NIC_JOB_WRITE = 3 };

/* One transfer. Jobs of one source happen in the order in which they are made. `after`: writes of the other sources,
 * counted from nic_new, that must have left before this one does: data before event, request before answer. */
typedef struct nic_job {
  uint8_t src, op;
  uint16_t rid; /* requester id */
  uint64_t va;
  uint32_t n;             /* bytes, 1..4096 */
  uint64_t swap, compare; /* atomics: swap or add, compare; byte 0 of memory in 7:0 */
  uint32_t after[NIC_SRC_NUM];
} nic_job;

/* Retire records: the fields of nic_pkg::retire_t. */
enum {
  NIC_RET_NONE = 0,
  NIC_RET_REG_READ = 1,
  NIC_RET_RX = 2,
  NIC_RET_FRAME = 3,
  NIC_RET_SEND = 4,
  NIC_RET_TX = 5,
  NIC_RET_TASK = 6,
  NIC_RET_EVENT = 7,
  NIC_RET_TIMER = 8,
  NIC_RET_REG_WRITE = 9,
  NIC_RET_TABLE = 10,
  NIC_RET_RATE = 11,
  NIC_RET_CTX = 12
};
/* Codes of NIC_RET_CTX. */
enum { NIC_CTX_LOADED = 0, NIC_CTX_SAVED = 1, NIC_CTX_CLOSED = 2, NIC_CTX_BROKEN = 3, NIC_CTX_NO_PLACE = 4 };
/* Codes of NIC_RET_TIMER beside the status of a request that ends without an answer. */
enum { NIC_TM_NO_PROGRESS = 0, NIC_TM_LOST = 13, NIC_TM_RNR = 14, NIC_TM_QUIET = 15 };
enum {
  NIC_FR_FOREIGN = 0,
  NIC_FR_AHEAD = 1,
  NIC_FR_DUP = 2,
  NIC_FR_INVALID = 3,
  NIC_FR_ACCESS = 4,
  NIC_FR_NOT_READY = 5,
  NIC_FR_NO_ROOM = 6,
  NIC_FR_DONE = 7,
  NIC_FR_STALE = 8,
  NIC_FR_ANSWER = 9,
  NIC_FR_BACK = 10,
  NIC_FR_END = 11,
  NIC_FR_CNP = 12
};
enum {
  NIC_TX_ACK = 0,
  NIC_TX_NAK = 1,
  NIC_TX_READ = 2,
  NIC_TX_ATOMIC = 3,
  NIC_TX_REQUEST = 4,
  NIC_TX_CNP = 5,
  NIC_TX_ABSENT = 6 /* RNR NAK in the place of a response: a page is absent */
};
enum { NIC_RT_CUT = 0, NIC_RT_CALM = 1, NIC_RT_RAISED = 2, NIC_RT_BOTH = 3 };
enum {
  NIC_EV_MSI = 0,
  NIC_EV_SEND = 1,
  NIC_EV_IMM = 2,
  NIC_EV_TASK = 3,
  NIC_EV_REFUSED = 4,
  NIC_EV_RESP_FAILED = 5,
  NIC_EV_BUFFER = 6,
  NIC_EV_TASK_DONE = 7,
  NIC_EV_RECV = 8
};
/* Status of NIC_EV_RECV. */
enum { NIC_RCV_PLAIN = 0, NIC_RCV_IMM = 1, NIC_RCV_INV = 2, NIC_RCV_LOST = 3 };
/* Status of NIC_EV_SEND. */
enum {
  NIC_ST_DONE = 0,
  NIC_ST_BAD_ENTRY = 1,
  NIC_ST_LOCAL_READ = 2,
  NIC_ST_TIMEOUT = 3,
  NIC_ST_RNR = 4,
  NIC_ST_REM_INVALID = 5,
  NIC_ST_REM_ACCESS = 6,
  NIC_ST_REM_OPERATION = 7,
  NIC_ST_REM_OTHER = 8
};
/* Reason in NIC_EV_REFUSED. */
enum {
  NIC_WHY_NONE = 0,
  NIC_WHY_BAD_PROCESS = 1,
  NIC_WHY_BAD_KIND = 2,
  NIC_WHY_BAD_LENGTH = 3,
  NIC_WHY_BAD_TYPE = 4,
  NIC_WHY_BAD_INDEX = 5,
  NIC_WHY_BAD_QUEUE = 6,
  NIC_WHY_NO_BUFFER = 7,
  NIC_WHY_QUEUE_FULL = 8,
  NIC_WHY_TABLE = 9,
  NIC_WHY_SEQUENCE = 10,
  NIC_WHY_REGION = 11,
  NIC_WHY_NO_EVENT = 12,
  NIC_WHY_OPCODE = 13,
  NIC_WHY_TOO_LONG = 14
};
/* AETH syndromes. */
enum { NIC_SYN_ACK = 0x1f, NIC_SYN_RNR = 0x20, NIC_SYN_NAK = 0x60 };
enum { NIC_CNT_NUM = NIC_REG_NIC_CNT_NUM };

typedef struct nic_retire_rec {
  uint8_t kind; /* NIC_RET_... */
  bool flag;
  uint8_t code;
  uint8_t idx;
  uint64_t a, b;
} nic_retire_rec;

/* What the owner supplies. None may call back into the same instance, but that read and atomic may call nic_read_done.
 * Buffers are valid during the call only. `task_done` (a log is to be re-armed) and `retire` (the records that a
 * self-running model makes) may be NULL. */
typedef struct nic_ops {
  void (*write)(void *ctx, const nic_job *j, const void *data);
  void (*read)(void *ctx, const nic_job *j);
  void (*atomic)(void *ctx, const nic_job *j);
  void (*frame)(void *ctx, const uint8_t *bytes, size_t n);
  void (*task_done)(void *ctx, unsigned log);
  void (*retire)(void *ctx, const nic_retire_rec *r);
} nic_ops;

typedef struct nic nic;

/* Makes an instance in the state after reset. `ops` is copied. On success *m is the instance, otherwise NULL. */
nic_status nic_new(const nic_config *cfg, const nic_ops *ops, void *ctx, nic **m);
void nic_free(nic *m); /* NULL is fine */

/* Why the last NIC_E_ORDER or NIC_E_MISMATCH was returned: "field got want" or a sentence.
 * Valid until the next call. */
const char *nic_reason(const nic *m);

/* ---- both uses --------------------------------------------------------------------------------------------------- */

/* A frame from the wire, judged at once. NIC_E_BUSY: no room, nothing was taken. In lockstep RetRx must
 * say the same of it. */
nic_status nic_rx(nic *m, const uint8_t *bytes, size_t n, bool fcs_bad);

/* Answers the oldest unanswered read or atomic of a source; with err, the bytes are not looked at. NIC_E_ARG: none is
 * unanswered, or n is not as many as were asked for. */
nic_status nic_read_done(nic *m, unsigned src, const void *data, size_t n, bool err);

/* The same with err, and memory has refused it: its completions say UR, and nothing else went wrong. */
nic_status nic_read_refused(nic *m, unsigned src, size_t n);

/* The IOMMU's task port: a log has entries. NIC_E_BUSY: this log's last notice has not been enqueued yet. */
nic_status nic_task(nic *m, unsigned log, uint32_t prod, uint32_t cons);

/* Frames and notices that no record has consumed yet, and decided things not yet done: 0 when all is quiet. */
unsigned nic_pending(const nic *m);

/* At rest nothing is owed: no frame to be judged, no response, event, MSI, task, command, no request that could go on,
 * and no place kept in an event ring for nothing. Returns how many things are; text: the first few, in words. */
unsigned nic_owes(const nic *m, char *text, size_t n);

/* A slow queue pair has something to send, and its rate does not let it yet; in lockstep as far as is known. */
bool nic_held_back(const nic *m, unsigned qp);

/* ---- lockstep ---------------------------------------------------------------------------------------------------- */

/* How often lockstep has let something pass that is the hardware's to decide, or of which no record tells exactly when.
 * Each is legal by the specification; a test bounds how many there are. */
enum {
  NIC_EXCUSE_PLACE,    /* no place in an event ring, while one may be taken for what no record has told of yet */
  NIC_EXCUSE_ROOM,     /* no room for a response, while the frame of the last one may still be on its way */
  NIC_EXCUSE_REGISTER, /* QP_STS.CONS, QP_NOW.UNA between the requests that one answer ends */
  NIC_EXCUSE_EPOCH,    /* a packet that was decided on before its requester went back or stopped */
  NIC_EXCUSE_PASSED,   /* one that was acknowledged before its record */
  NIC_EXCUSE_WAIT,     /* one that leaves in an RNR wait, decided on before */
  NIC_EXCUSE_POWER,    /* entries and packets of before the queue pair was turned off or on */
  NIC_EXCUSE_NUM
};
uint64_t nic_excused(const nic *m, unsigned excuse);

/* Applies one record. RegRead: b is compared; of the counters 28, 29 and 31, which no record moves, as far as they are
 * known, and 30 is the owner's to compare. */
nic_status nic_retire(nic *m, const nic_retire_rec *r);

/* ---- self-running ------------------------------------------------------------------------------------------------ */

/* Register access to an aligned word of 64 bits; bit i of strb: byte i is written. NIC_E_BUSY: QP_CTL or EQ_CTL
 * while a compare-and-swap on a queue has not been answered. */
nic_status nic_reg_read(nic *m, uint32_t addr, uint64_t *value);
nic_status nic_reg_write(nic *m, uint32_t addr, uint64_t value, unsigned strb);

/* Does one thing that is due: NIC_OK, or NIC_E_BUSY if nothing is. */
nic_status nic_step(nic *m);

/* Does all that is due; returns how much that was. */
unsigned nic_run(nic *m);

/* Lets time pass: no progress, RNR, tasks that found their queue full, CNPs, rates. What is due then is done by
 * nic_step or nic_run. A beat of the rates is 32 bytes here; in lockstep it is what nic_cycle (nic_time.h) says. */
void nic_advance(nic *m, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif
