// SPDX-License-Identifier: Apache-2.0
// What the NIC's model owes at rest: each kind by the state in which there is nothing else, how many, and in which
// words; that nothing is owed where something else is waited for.
// Rules of rtl/nic/README.md: EVT-3, REQ-13, REQ-18, REQ-19, TSK-1.
#include "../src/nic/nic_state.h"
#include "nic_lock.h"

enum { RING = 0x1000, RINGS = 4, EQ_AT = 0x8000, EQ_SIZE = 5, MSI = 0x9000, BUF = 0x20000, QP = 2, PROC = 1, LOG = 3 };
enum { PSN = 0x100, TIMEOUT = 10 };

static node n;

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  qp_connect(&n, QP, PROC, 1, 9, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, TIMEOUT));
}
static void end(void) { node_free(&n); }

// So many, in these words, however much room there is for them.
static void owed(unsigned k, const char *want) {
  char text[300];
  memset(text, 'x', sizeof text);
  EQ(nic_owes(n.m, text, sizeof text), k);
  if (strcmp(text, want)) {
    CHECK(!"the text is another");
    printf("\"%s\" instead of \"%s\"\n", text, want);
  }
  EQ(nic_owes(n.m, NULL, 0), k);
  for (size_t room = 1; room < strlen(want) + 2; room += 3) {
    memset(text, 'x', sizeof text);
    EQ(nic_owes(n.m, text, room), k);
    CHECK(!strncmp(text, want, room - 1) && strlen(text) < room && text[room] == 'x');
  }
}
static void nothing(void) { owed(0, ""); }

static void frames(void) {
  static const uint8_t none[4];
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN);
  begin();
  n.m->lockstep = true;
  w.ack_req = false;
  nothing();
  for (unsigned k = 0; k < 2; k++) w.psn = PSN + k, say(&n, 1, &w, none);
  owed(4, "2 frames without RetRx, 2 frames without RetFrame");
  EQ(record(&n, NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
  owed(3, "1 frames without RetRx, 2 frames without RetFrame");
  EQ(record(&n, NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY, PSN), 0), NIC_OK);
  owed(1, "1 frames without RetFrame");
  end();
}

// Responses whose bytes have not come; those that were forgotten with their queue pair are owed by nobody.
static void responses(void) {
  begin();
  n.late = true;
  for (unsigned k = 0; k < 3; k++) {
    nic_head r = head(&n, 1, QP, NIC_OP_READ_REQ, PSN + k);
    r.va = BUF;
    r.rkey = KEY;
    r.length = 4;
    say(&n, 1, &r, NULL);
  }
  nic_run(n.m);
  owed(3, "3 responses");
  answer_one(&n, 0);
  nic_run(n.m);
  owed(2, "2 responses");
  wr(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0);
  nothing();
  end();
}

// Acknowledgements: one that waits, and one that has been chosen to leave when the next has come.
static void acknowledgements(void) {
  begin();
  for (unsigned k = 0; k < 2; k++) {
    nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + k);
    comes(&n, &w);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY, PSN + k), 0), NIC_OK);
    owed(k + 1, k ? "2 acknowledgements of QP 2" : "1 acknowledgements of QP 2");
  }
  for (unsigned k = 0; k < 2; k++) {
    EQ(record(&n, NIC_RET_TX, false, NIC_TX_ACK, QP, named(NIC_OP_ACK, PSN + k), 0), NIC_OK);
    if (!k) owed(1, "1 acknowledgements of QP 2");
  }
  nothing();
  end();
}

static void events(void) {
  begin();
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
  w.ack_req = false;
  wr(&n, NIC_REG_EQ_MSIA + PROC * NIC_REG_EQ_MSIA_STRIDE, MSI);
  wr(&n, NIC_REG_EQ_CONS + PROC * NIC_REG_EQ_CONS_STRIDE, 0);
  comes(&n, &w);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN), 0), NIC_OK);
  owed(1, "1 events");
  EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_IMM, PROC, 0, QP), NIC_OK);
  owed(1, "1 MSI of process 1");
  EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_MSI, PROC, 1, 0), NIC_OK);
  nothing();
  end();
}

// A log's task waits for nobody while the log is on and it has not been refused; a command, a message's task, and a
// context that is half moved.
static void tasks(void) {
  begin();
  const uint64_t on = NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB;
  EQ(nic_task(n.m, LOG, 16, 0), NIC_OK);
  nothing();
  wr(&n, NIC_REG_XT_LOG + 8 * LOG, on);
  owed(1, "1 task of log 3");
  nic_run(n.m);
  nothing();  // refused
  EQ(nic_task(n.m, n.cfg.NumLogs - 1, 16, 0), NIC_OK);
  wr(&n, NIC_REG_XT_LOG + 8 * (n.cfg.NumLogs - 1), on);
  owed(1, "1 task of log 7");
  wr(&n, NIC_REG_XT_LOG + 8 * (n.cfg.NumLogs - 1), 0);
  nothing();
  wr(&n, NIC_REG_XT_CMD, 0);
  owed(1, "1 command on the tables");
  nic_run(n.m);
  nothing();
  n.m->enq_tail += 2;
  owed(2, "2 tasks of messages");
  n.m->enq_tail -= 2;
  n.m->contexts.step = NIC_CTX_SAVING;
  owed(1, "1 context half moved");
  n.m->contexts.step = NIC_CTX_LOADING;
  owed(1, "1 context half moved");
  n.m->contexts.step = NIC_CTX_IDLE;
  nothing();
  end();
}

static void post_one(unsigned op, uint32_t len) {
  entry e = {.op = (uint8_t)op, .flags = 1, .va1 = BUF, .len1 = len, .remote = BUF, .rkey = KEY};
  post(&n, QP, PROC, RING, RINGS, &e);
}

// A requester: its next entry, its next packet, what cannot be done, what has no answer and no timer.
static void requester(void) {
  begin();
  post_one(OP_WRITE, 4);
  post_one(OP_WRITE, 4);
  owed(1, "1 entry to be read of QP 2");
  EQ(record(&n, NIC_RET_SEND, false, 0, QP, 0, 0), NIC_OK);
  owed(2, "1 entry to be read of QP 2, 1 packet to be sent of QP 2");
  EQ(record(&n, NIC_RET_SEND, false, 0, QP, 0, 1), NIC_OK);
  owed(1, "1 packet to be sent of QP 2");
  for (unsigned k = 0; k < 2; k++)
    EQ(record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, PSN + k), 1ull << 32), NIC_OK);
  nothing();  // the peer's turn
  n.m->qp[QP].ctl &= ~NIC_QP_CTL_TIMEOUT_MASK;
  owed(1, "1 request without answer or timer of QP 2");
  n.m->qp[QP].rnr_wait = true;
  nothing();
  n.m->qp[QP].rnr_wait = false;
  n.m->qp[QP].send_err = true;
  nothing();
  n.m->qp[QP].send_err = false;
  n.m->qp[QP].losing = true;
  owed(2, "1 TmLost of QP 2, 1 request without answer or timer of QP 2");
  EQ(reg_write(&n, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0), NIC_OK);
  owed(1, "1 TmQuiet of QP 2");
  EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_QUIET, QP, 0, 2), NIC_OK);
  nothing();
  end();
  begin();
  n.m->lockstep = true;
  post_one(9, 4);
  EQ(record(&n, NIC_RET_SEND, false, 0, QP, 0, 0), NIC_OK);
  owed(1, "1 request that cannot be done of QP 2");
  EQ(record(&n, NIC_RET_TIMER, true, NIC_ST_BAD_ENTRY, QP, 0, 1), NIC_OK);
  owed(1, "1 events");
  end();
}

static void cnps(void) {
  static const uint8_t none[4];
  begin();
  wr(&n, NIC_REG_NIC_CNP, 1000);
  const nic_self from = {.mac = mac_of(1), .ip = ip_of(1), .tos = 3};
  for (unsigned k = 0; k < 2; k++) {
    uint8_t b[NIC_FRAME_MAX];
    nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + k);
    w.ack_req = false;
    EQ(nic_rx(n.m, b, nic_frame_build(&from, &w, none, b), false), NIC_OK);
    nic_run(n.m);
    nothing();  // gone, and the second has its time yet
  }
  nic_advance(n.m, 1000);
  owed(1, "1 CNP of QP 2");
  end();
}

// EVT-3: places of a ring are kept for entries under way, SENDs in their message, events that have theirs, tasks whose
// end makes an event: of their process, and for no more and no less.
static void places(void) {
  begin();
  nic_ring *r = &n.m->eq[PROC];
  r->kept = 3;
  owed(3, "3 places of process 1's event ring, kept for nothing");
  n.m->qp[QP].num = 2;
  owed(1, "1 places of process 1's event ring, kept for nothing");
  n.m->qp[QP].msg = NIC_MSG_SEND;
  nothing();
  n.m->qp[QP].msg = NIC_MSG_WRITE;
  owed(1, "1 places of process 1's event ring, kept for nothing");
  n.m->log[LOG] = (xtq_log){.busy = true, .tell = true, .proc = PROC};
  nothing();
  r->kept = 1;
  owed(2, "2 places of process 1's event ring, kept for nothing");
  r->kept = 3;
  n.m->log[LOG].proc = 0;
  owed(2, "1 places of process 0's event ring, kept for nothing, 1 places of process 1's event ring, kept for nothing");
  n.m->log[LOG] = (xtq_log){.busy = true, .proc = PROC};
  owed(1, "1 places of process 1's event ring, kept for nothing");
  n.m->log[LOG] = (xtq_log){.tell = true, .proc = PROC};
  owed(1, "1 places of process 1's event ring, kept for nothing");
  n.m->log[n.cfg.NumLogs - 1] = (xtq_log){.busy = true, .tell = true, .proc = PROC};
  nothing();
  n.m->qp[QP].num = 0;
  n.m->event[0] = (nic_event){.proc = PROC, .kept = true};
  n.m->event[1] = (nic_event){.proc = PROC};
  n.m->event[2] = (nic_event){.proc = PROC, .kept = true};
  n.m->events = 3;
  owed(3, "3 events");
  n.m->event[0].proc = 2;
  owed(5,
       "3 events, 1 places of process 1's event ring, kept for nothing, "
       "1 places of process 2's event ring, kept for nothing");
  n.m->events = 0;
  n.m->qp[QP].num = 2;
  nothing();
  n.m->qp[QP].ctl ^= 1ull << NIC_QP_CTL_PROC_LSB;  // another's
  owed(4, "2 places of process 0's event ring, kept for nothing, 2 places of process 1's event ring, kept for nothing");
  n.m->qp[QP].ctl ^= 1ull << NIC_QP_CTL_PROC_LSB | NIC_QP_CTL_EN_MASK;  // off
  owed(2, "2 places of process 1's event ring, kept for nothing");
  n.m->qp[QP].num = 0;
  r->kept = 0;
  n.m->log[n.cfg.NumLogs - 1].busy = false;
  nothing();
  end();
}

// As many of everything as there may be: at rest nothing is owed, whatever lies beside.
static void all_there_is(void) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = NIC_QPS_MAX;
  c.NumProcs = NIC_PROCS_MAX;
  c.NumLogs = NIC_LOGS_MAX;
  node_init(&n, 0, &c);
  node_on(&n);
  nothing();
  for (unsigned p = 0; p < NIC_PROCS_MAX; p++) {
    eq_on(&n, p, EQ_AT, EQ_SIZE);
    post_buffer(&n, p, 0x1000, 0x1000, 64);
  }
  nothing();
  n.m->eq[NIC_PROCS_MAX - 1].kept = 1;
  owed(1, "1 places of process 15's event ring, kept for nothing");
  n.m->qp[NIC_QPS_MAX - 1].ctl |= NIC_QP_CTL_EN_MASK | (uint64_t)(NIC_PROCS_MAX - 1) << NIC_QP_CTL_PROC_LSB;
  n.m->qp[NIC_QPS_MAX - 1].msg = NIC_MSG_SEND;
  nothing();
  n.m->qp[NIC_QPS_MAX - 1].changing = true;
  owed(1, "1 TmQuiet of QP 255");
  n.m->log[NIC_LOGS_MAX - 1] = (xtq_log){.ctl = NIC_XT_LOG_EN_MASK, .notice = true};
  owed(2, "1 task of log 31, 1 TmQuiet of QP 255");
  end();
}

int main(void) {
  frames();
  responses();
  acknowledgements();
  events();
  tasks();
  requester();
  cnps();
  places();
  all_there_is();
  return report();
}
