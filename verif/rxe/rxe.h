// SPDX-License-Identifier: Apache-2.0
/* A node of ours against Soft-RoCE of a stock Linux kernel. Private to this folder.
 *
 *   rxe.c      options, the guest's life, which cases run on which link
 *   rig.c      one connection, the conversation with guest.c, what a case is made of
 *   cases.c    the cases; sends.c those of messages, and the stock program that sends them
 *   report.c   JSON, table, the frames of a case that failed
 */
#ifndef RXE_H
#define RXE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pattern.h"
#include "tocsin/tocsin.h"

enum { RIG_BYTES = 1 << 20, RIG_LINE = 4096, RIG_WHY = 700 };
enum { VLAN = 100, TAG = 3 << 13 | VLAN }; /* of the guest's eth0.100, which sends priority 0 where the node says 3 */
extern const char *const path_name[PATHS];
#define RIG_US 1000000000u /* patience of a wait, in the backend's time */

typedef struct rig {
  /* the way to the guest's program */
  FILE *in, *out;
  char gid[PATHS][33];
  int gid_index[PATHS];
  uint64_t far_mac;
  /* this side */
  toc_fabric *f;
  toc_proc *p;
  uint8_t *mem;
  toc_remote at; /* mem, for the guest */
  toc_qp *q;
  unsigned mtu;
  unsigned path; /* PATH_... of the next connection */
  bool slow;     /* hardware in simulation */
  bool lossy;    /* the link loses frames */
  uint64_t timeout_us;
  uint32_t psn, far_psn; /* first PSNs of the next connection; 0: any */
  /* that side */
  uint64_t far;
  uint32_t far_key;
  char why[RIG_WHY]; /* empty: all is well. After a failure nothing is done any more */
} rig;

typedef struct rxe_case {
  const char *name;
  void (*run)(rig *r);
  bool brief; /* is in the shortest run */
  uint32_t psn, far_psn;
} rxe_case;
extern const rxe_case rxe_cases[];
extern const unsigned rxe_case_count;

/* ---- rig.c */
bool rig_fail(rig *r, const char *format, ...) __attribute__((format(printf, 2, 3))); /* gives false */
bool rig_good(const rig *r);
bool rig_status(rig *r, toc_status s, const char *call);
#define RIG_MUST(r, call) rig_status(r, rig_good(r) ? (call) : TOC_OK, #call)
bool rig_hello(rig *r);                      /* the guest's addresses */
bool rig_open(rig *r, const toc_options *o); /* a fabric */
void rig_close(rig *r);
bool rig_connect(rig *r);                                    /* a fresh queue pair at both ends */
void rig_gid(const rig *r, const toc_address *a, char *gid); /* 32 digits: of the path's family */
toc_address rig_far(const rig *r, const char *gid, unsigned qpn, unsigned psn);
void rig_disconnect(rig *r);
void rig_sync(rig *r); /* after a failure: what either side still has to say is forgotten */
/* A line to the guest, and its answer, which begins with ok; `answer` (RIG_LINE) may be NULL. */
bool rig_ask(rig *r, char *answer, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool rig_tell(rig *r, const char *line);
bool rig_hear(rig *r, char *line); /* RIG_LINE; it begins with ok or pp */
bool rig_guest_check(rig *r, uint64_t at, uint64_t n, uint32_t seed);
bool rig_guest_fill(rig *r, uint64_t at, uint64_t n, uint32_t seed);
bool rig_check(rig *r, uint64_t at, uint64_t n, uint32_t seed);
void rig_fill(rig *r, uint64_t at, uint64_t n, uint32_t seed);
/* The guest's next `count` completions all have this status (ibv_wc_status). */
bool rig_guest_done(rig *r, unsigned count, unsigned status);
bool rig_equal(rig *r, const char *what, uint64_t got, uint64_t want);
bool rig_event(rig *r, toc_event_kind kind, uint64_t value); /* the node's next event */

/* ---- sends.c: messages, and the stock program that sends them */
void sends_guest(rig *r);
void sends_node(rig *r);
void sends_not_ready(rig *r);
void pingpong_guest(rig *r);
void pingpong_node(rig *r);

/* ---- report.c */
typedef struct report report;
report *report_new(const char *dir);
void report_begin(report *p, const char *backend, const char *name, unsigned path, unsigned mtu, unsigned loss);
toc_see_fn report_see; /* its context: the report */
void report_end(report *p, const char *why, uint64_t lost);
unsigned report_close(report *p); /* writes rxe.json, prints the table; how many failed */
#endif
