// SPDX-License-Identifier: Apache-2.0
// Records in lockstep of which the model does not know the very moment: what hardware may have done already when a
// record comes, and what it may not have.
// Rules of rtl/nic/README.md: FRM-6, RSP-1, REQ-1, REQ-3, REQ-8, EVT-3, ECN-7, CNT-2.
#include "nic_lock.h"

enum { RING = 0x1000, RINGS = 4, EQ_AT = 0x8000, BUF = 0x20000, PROC = 1, PSN = 0xfffffe };  // and around it goes
enum {
  QP = 2,
  OTHER = 3,
  CONS = 0xfffe,
  QUEUE_AT = 0x40000,
  BELL_AT = 0x50000,
  BLOCK_AT = 0x60000,
  TOLD = 5,
  TIME = 1000
};

static node n;

static void begin(unsigned requests, unsigned eq_size) {
  nic_config c;
  nic_config_default(&c);
  c.Requests = requests;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, eq_size);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  for (unsigned i = QP; i <= OTHER; i++) {
    wr(&n, NIC_REG_QP_BEGIN + i * NIC_REG_QP_BEGIN_STRIDE, CONS);
    qp_connect(&n, i, PROC, 1, i, RING + 0x1000 * i, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 0));
  }
  table(&n, PROC, QUEUE, TOLD, QUEUE_AT, BELL_AT, BLOCK_AT, VALID | 2 << 1 | MULTI | EVENTS);
}
static void end(void) { node_free(&n); }

static void put_entries(unsigned qp, unsigned k, unsigned flags) {
  entry e = {.op = OP_WRITE, .flags = (uint8_t)flags, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
  for (unsigned i = 0; i < k; i++) put_entry(n.mem[PROC] + RING + 0x1000 * qp + 64 * ((CONS + i) & 15), &e);
  EQ(reg_write(&n, NIC_REG_QP_PROD + qp * NIC_REG_QP_PROD_STRIDE, (uint16_t)(CONS + k)), NIC_OK);
}
static nic_status entry_read(unsigned k) { return record(&n, NIC_RET_SEND, false, 0, QP, 0, (uint16_t)(CONS + k)); }
static nic_status leaves(unsigned k) {
  return record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, PSN + k), 1ull << 32);
}
// So many writes are under way.
static void under_way(unsigned k, unsigned flags) {
  put_entries(QP, k + 1, flags);
  for (unsigned i = 0; i < k; i++) EQ(entry_read(i), NIC_OK);
  for (unsigned i = 0; i < k; i++) EQ(leaves(i), NIC_OK);
}
static nic_head ack_of(unsigned qp, uint32_t psn) {
  nic_head h = head(&n, 1, qp, NIC_OP_ACK, psn);
  h.syndrome = NIC_SYN_ACK;
  return h;
}
static nic_status answered(uint32_t psn) {
  return record(&n, NIC_RET_FRAME, false, NIC_FR_ANSWER, QP, named(NIC_OP_ACK, psn), 1);
}

// ---- the requests before an answer end one by one, and its RetFrame comes with the last -----------------------------

enum { OF_STS = NIC_REG_QP_STS + QP * NIC_REG_QP_STS_STRIDE, OF_NOW = NIC_REG_QP_NOW + QP * NIC_REG_QP_NOW_STRIDE };
static uint64_t now_of(uint32_t una) { return PSN | (uint64_t)(una & 0xffffff) << NIC_QP_NOW_UNA_LSB; }
static uint64_t cons_of(unsigned k) { return (uint16_t)(CONS + k); }

// While they end, QP_STS.CONS and QP_NOW.UNA are what they were, what they will be, or between.
static void meanwhile(void) {
  for (unsigned k = 0; k < 8; k++) {
    const uint64_t cons = k < 5    ? cons_of(k)
                          : k == 5 ? cons_of(2) | NIC_QP_STS_SEND_ERR_MASK
                          : k == 6 ? cons_of(2) | NIC_QP_STS_BAD_PROD_MASK
                                   : cons_of(0) - 1;
    begin(16, 5);
    under_way(4, 1);
    nic_head a = ack_of(QP, PSN + 2);
    comes(&n, &a);
    EQ(nic_excused(n.m, NIC_EXCUSE_REGISTER), 0);
    EQ(reg_read(&n, OF_STS, cons), k < 4 ? NIC_OK : NIC_E_MISMATCH);
    EQ(nic_excused(n.m, NIC_EXCUSE_REGISTER), k >= 1 && k <= 3);
    if (k < 4) {
      EQ(answered(PSN + 2), NIC_OK);
      EQ(reg_read(&n, OF_STS, cons_of(3)), NIC_OK);
      EQ(reg_read(&n, OF_STS, cons_of(2)), NIC_E_MISMATCH);
    }
    end();
    begin(16, 5);
    under_way(4, 1);
    a = ack_of(QP, PSN + 2);
    comes(&n, &a);
    EQ(reg_read(&n, OF_NOW, now_of(PSN + k)), k < 4 ? NIC_OK : NIC_E_MISMATCH);
    end();
    begin(16, 5);
    under_way(4, 1);
    a = ack_of(QP, PSN + 2);
    comes(&n, &a);
    EQ(reg_read(&n, OF_NOW, now_of(PSN + 1) ^ 1), NIC_E_MISMATCH);  // ePSN is as it is
    end();
  }
}

// An answer ends something when it has been judged, is of a peer of this queue pair, and acknowledges something.
static void whose(void) {
  for (unsigned k = 0; k < 8; k++) {
    begin(16, 5);
    under_way(2, 1);
    nic_head a = ack_of(k == 1 ? OTHER : QP, PSN + (k == 2 ? 2 : 1));
    if (k == 3) a.pkey = 0x8001;
    if (k == 4) a.opcode = NIC_OP_WRITE_ONLY;
    if (k == 5) a.qp ^= 0x100;
    if (k == 6) a.syndrome = NIC_SYN_NAK;
    if (k == 6) a.psn = PSN;
    if (k == 7)
      say(&n, 1, &a, NULL);  // no RetRx yet
    else
      comes(&n, &a);
    EQ(reg_read(&n, OF_STS, cons_of(1)), k ? NIC_E_MISMATCH : NIC_OK);
    end();
  }
}

// Its events may come before its RetFrame, in order, and not those of requests behind it.
static void events_of_ends(void) {
  for (unsigned k = 0; k < 4; k++) {
    begin(16, 5);
    under_way(3, 1);
    nic_head a = ack_of(QP, PSN + 1);
    if (k == 1)
      say(&n, 1, &a, NULL);  // no RetRx yet
    else
      comes(&n, &a);
    nic_status ok = k == 1 ? NIC_E_ORDER : NIC_OK;
    if (k == 2) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, 0, OTHER), NIC_E_ORDER);
    if (k != 2) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, 0, QP), ok);
    if (k == 0) {
      EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, 1, QP), NIC_OK);
      EQ(answered(PSN + 1), NIC_OK);
      EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, 2, QP), NIC_E_ORDER);
    }
    if (k == 3) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, 0, QP), NIC_E_MISMATCH);  // it was the first
    end();
  }
}

// The room of those that have ended is there for an entry, and their places for the task of a log.
static void room_of_ends(void) {
  for (unsigned k = 0; k < 3; k++) {  // as many entries as there may be
    begin(2, 5);
    under_way(2, 1);
    nic_head a = ack_of(QP, PSN);
    if (k == 1) comes(&n, &a);
    if (k == 2) say(&n, 1, &a, NULL);
    EQ(entry_read(2), k == 1 ? NIC_OK : NIC_E_ORDER);
    if (k == 1) EQ(answered(PSN), NIC_OK);
    end();
  }
  for (unsigned k = 0; k < 4; k++) {  // a task and its end want two places of two, and the write has one
    begin(16, 1);
    under_way(1, 0);
    nic_head a = ack_of(QP, PSN);
    if (k == 1) comes(&n, &a);
    if (k == 2) say(&n, 1, &a, NULL);
    uint64_t mine = NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB | TOLD;
    EQ(reg_write(&n, NIC_REG_XT_LOG, mine), NIC_OK);
    EQ(nic_task(n.m, 0, 16, 0), NIC_OK);
    EQ(record(&n, NIC_RET_TASK, true, k == 3 ? NIC_WHY_NO_EVENT : 0, TOLD, 0, PROC), k & 1 ? NIC_OK : NIC_E_MISMATCH);
    end();
  }
}

// ---- packets are decided on before their records --------------------------------------------------------------------

static nic_status leaves_in(unsigned k, unsigned in) {
  return record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, PSN + k), (uint64_t)in << 32);
}

// It goes back to the second of four. One more of before leaves, whatever comes then; those from the second on leave
// again, also when an answer has passed them meanwhile; each once, and in order.
static void went_back(void) {
  for (unsigned k = 0; k < 7; k++) {
    begin(16, 5);
    put_entries(QP, 5, 1);
    for (unsigned i = 0; i < 5; i++) EQ(entry_read(i), NIC_OK);
    for (unsigned i = 0; i < 4; i++) EQ(leaves(i), NIC_OK);
    nic_head a = ack_of(QP, PSN + 1);
    a.syndrome = NIC_SYN_NAK;
    comes(&n, &a);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_BACK, QP, named(NIC_OP_ACK, PSN + 1), 2), NIC_OK);
    if (k != 1) EQ(leaves_in(4, 1), NIC_OK);
    EQ(nic_excused(n.m, NIC_EXCUSE_EPOCH), k != 1);
    if (k == 2) EQ(leaves_in(2, 2), NIC_E_ORDER);  // not before the first
    if (k >= 3) {
      a = ack_of(QP, PSN + 2);
      comes(&n, &a);
      EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_ANSWER, QP, named(NIC_OP_ACK, PSN + 2), 2), NIC_OK);
    }
    if (k == 3) EQ(leaves_in(0, 2), NIC_E_ORDER);
    if (k < 2 || k >= 4)
      for (unsigned i = 1; i < 4; i++) EQ(leaves_in(i, 2), NIC_OK);
    if (k >= 4) EQ(nic_excused(n.m, NIC_EXCUSE_PASSED), 2);
    if (k == 4) EQ(leaves_in(2, 2), NIC_E_ORDER);
    if (k == 5) EQ(leaves_in(4, 3), NIC_E_ORDER);  // no such epoch has begun
    if (k < 2 || k == 6) EQ(leaves_in(4, 2), NIC_OK);
    if (k < 2 || k == 6) EQ(leaves_in(5, 2), NIC_E_ORDER);
    end();
  }
}

// ---- places of an event ring ----------------------------------------------------------------------------------------

// A write with immediate finds no place, says the hardware: so it may, where places may have been taken for what no
// record has told of. It has not, where nothing was under way; nor long after what was has ended.
static nic_status no_place(unsigned k) {
  nic_head h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
  begin(16, 2);
  if (k == 1 || k >= 3) put_entries(OTHER, 3, 1);
  if (k == 2) put_entries(OTHER, 2, 1);  // one more is left
  EQ(cycles(&n, 10), NIC_OK);
  if (k >= 3) EQ(reg_write(&n, NIC_REG_QP_CTL + OTHER * NIC_REG_QP_CTL_STRIDE, 0), NIC_OK);
  if (k >= 4) EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_QUIET, OTHER, 0, 2), NIC_OK);
  EQ(cycles(&n, k == 4 ? 2 * turn_of(&n) : 10), NIC_OK);
  comes(&n, &h);
  nic_status s =
      record(&n, NIC_RET_FRAME, false, NIC_FR_NOT_READY, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN), NIC_WHY_NO_EVENT);
  EQ(nic_excused(n.m, NIC_EXCUSE_PLACE), s == NIC_OK);
  end();
  return s;
}

static void places(void) {
  EQ(no_place(0), NIC_E_MISMATCH);
  EQ(no_place(1), NIC_OK);
  EQ(no_place(2), NIC_E_MISMATCH);
  EQ(no_place(3), NIC_OK);  // of before it was turned off
  EQ(no_place(4), NIC_E_MISMATCH);
}

// Of all entries that are posted the hardware reads 64 ahead, and is about to read one more.
static void places_ahead(void) {
  for (unsigned k = 0; k < 2; k++) {
    begin(16, k ? 6 : 7);  // 64 events, or 128
    for (unsigned i = 0; i < n.cfg.NumQps; i++) {
      if (i < QP || i > OTHER) qp_connect(&n, i, PROC, 1, i, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 0));
      EQ(reg_write(&n, NIC_REG_QP_PROD + i * NIC_REG_QP_PROD_STRIDE, ((i < QP || i > OTHER ? 0u : CONS) + 16) & 0xffff),
         NIC_OK);
    }
    EQ(cycles(&n, 10), NIC_OK);
    nic_head h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
    comes(&n, &h);
    nic_status s =
        record(&n, NIC_RET_FRAME, false, NIC_FR_NOT_READY, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN), NIC_WHY_NO_EVENT);
    EQ(s, k ? NIC_OK : NIC_E_MISMATCH);
    end();
  }
}

// Places that have been given back may be taken in hardware for a while yet, and no longer.
static void given_back(void) {
  for (unsigned k = 0; k < 3; k++) {
    nic_head a, h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
    begin(16, 2);
    EQ(cycles(&n, 10), NIC_OK);
    under_way(3, k == 2);
    h = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, PSN);
    a = ack_of(QP, PSN + 2);
    comes(&n, &a);
    EQ(answered(PSN + 2), NIC_OK);
    for (unsigned i = 0; i < 3 && k == 2; i++) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, i, QP), NIC_OK);
    EQ(entry_read(3), NIC_OK);
    EQ(leaves(3), NIC_OK);
    a = ack_of(QP, PSN + 3);
    comes(&n, &a);
    EQ(answered(PSN + 3), NIC_OK);
    if (k == 2) EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, 3, QP), NIC_OK);
    EQ(cycles(&n, k == 1 ? late_of(&n) + 1 : late_of(&n)), NIC_OK);
    comes(&n, &h);
    nic_status s =
        record(&n, NIC_RET_FRAME, false, NIC_FR_NOT_READY, QP, named(NIC_OP_WRITE_ONLY_IMM, PSN), NIC_WHY_NO_EVENT);
    EQ(s, k == 1 ? NIC_E_MISMATCH : NIC_OK);
    EQ(nic_excused(n.m, NIC_EXCUSE_PLACE), k == 0);
    end();
  }
}

// ---- off and on -----------------------------------------------------------------------------------------------------

static void set(uint32_t reg, uint64_t v) { EQ(reg_write(&n, reg + QP * NIC_REG_QP_CTL_STRIDE, v), NIC_OK); }
// All that a frame says of its queue pair is another's from now on.
static void reconnect(bool on) {
  set(NIC_REG_QP_MAC, mac_of(3));
  set(NIC_REG_QP_PEER, ip_of(3) | 0x123456ull << NIC_QP_PEER_QP_LSB);
  set(NIC_REG_QP_RINGC, RINGS | 0xdeadull << NIC_QP_RINGC_PORT_LSB);
  set(NIC_REG_QP_VLAN, 0x7654);
  set(NIC_REG_QP_IP6_HI, 0x20010db8ull << 32);
  set(NIC_REG_QP_IP6_LO, 77);
  set(NIC_REG_QP_CTL, CTL(5, 1, 2, 2, 0) | 0x8123ull << NIC_QP_CTL_PKEY_LSB | NIC_QP_CTL_IPV6_MASK | on);
}
static const wire_frame *last_frame(void) { return &n.out[(n.out_tail - 1) % FRAMES]; }

// REQ-18: what was under way when a queue pair is turned off, or off and on, leaves as it is, with the registers of
// before, until it is said that all of it is through.
static void power(void) {
  for (unsigned k = 0; k < 9; k++) {
    wire_frame was;
    begin(16, 5);
    put_entries(QP, 5, 1);
    for (unsigned i = 0; i < 3; i++) EQ(entry_read(i), NIC_OK);
    EQ(leaves(0), NIC_OK);
    was = *last_frame();
    uint32_t frames = n.out_tail;
    EQ(leaves(1), NIC_OK);
    set(NIC_REG_QP_CTL, 0);
    if (k) reconnect(k > 2 && k < 7);
    if (k == 4) n.bad_va = BUF;
    EQ(record(&n, NIC_RET_TX, k == 4, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, PSN), 1ull << 32), NIC_OK);
    if (k != 4) {  // the same bytes as before
      EQ(n.out_tail, frames + 2);
      EQ(last_frame()->n, was.n);
      CHECK(!memcmp(last_frame()->b, was.b, was.n));
    } else {
      EQ(n.out_tail, frames + 1);  // none
    }
    n.bad_va = ~0ull;
    EQ(leaves(2), NIC_OK);
    EQ(nic_excused(n.m, NIC_EXCUSE_POWER), 2);
    for (unsigned i = 3; i < 5; i++) EQ(entry_read(i), NIC_OK);  // had been asked for
    EQ(nic_excused(n.m, NIC_EXCUSE_POWER), 4);
    if (k >= 5) {
      EQ(k & 1 ? entry_read(5) : leaves(3), NIC_E_ORDER);  // but nothing more
      end();
      continue;
    }
    EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_LOST, QP, 0, 2), NIC_OK);  // of before, whatever it says
    EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_QUIET, QP, 0, 3), NIC_OK);
    EQ(k & 1 ? entry_read(5) : leaves(2), NIC_E_ORDER);
    if (k == 0 || k == 2) CHECK(strstr(nic_reason(n.m), "QP 2 is off"));
    end();
  }
}

// The same of one that had stopped: its requests have ended, but packets of them may be still to leave.
static void power_of_stopped(void) {
  for (unsigned k = 0; k < 2; k++) {
    begin(16, 5);
    under_way(3, 1);
    nic_head a = ack_of(QP, PSN);
    a.syndrome = NIC_SYN_NAK | 2;
    comes(&n, &a);
    EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_END, QP, named(NIC_OP_ACK, PSN), 2), NIC_OK);
    EQ(leaves(1), NIC_OK);  // decided on before, of an older epoch
    EQ(nic_excused(n.m, NIC_EXCUSE_EPOCH), 1);
    set(NIC_REG_QP_CTL, 0);
    if (k) reconnect(true);
    EQ(leaves(2), NIC_OK);
    EQ(nic_excused(n.m, NIC_EXCUSE_POWER), 1);
    EQ(leaves(4), NIC_E_ORDER);
    end();
  }
}

static uint64_t epochs;  // of the last RetTx of a request
static void hear(node *x, int what, const void *p, const void *data) {
  (void)x, (void)data;
  const nic_retire_rec *r = p;
  if (what == HEAR_RECORD && r->kind == NIC_RET_TX && r->code == NIC_TX_REQUEST) epochs = r->b >> 32;
}

// REQ-20: the epoch counts on with on, with off, and with going back.
static void count_of_epochs(void) {
  begin(16, 5);
  n.hear = hear;
  for (unsigned k = 0; k < 300; k++) {
    entry e = {.op = OP_WRITE, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
    qp_connect(&n, QP, PROC, 1, QP, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 10));  // on before: off, on
    n.prod[QP] = 0;
    post(&n, QP, PROC, RING, RINGS, &e);
    nic_run(n.m);
    EQ(epochs, (1 + 3 * k + 2) & 255);
    nic_advance(n.m, 1 << 10);
    nic_run(n.m);
    EQ(epochs, (1 + 3 * k + 3) & 255);
  }
  end();
}

// ---- acknowledgements -----------------------------------------------------------------------------------------------

static nic_status decided(unsigned code, bool met, unsigned opcode, uint32_t p, unsigned why) {
  return record(&n, NIC_RET_FRAME, met, code, QP, named(opcode, p), why);
}

// RSP-13: of two that meet the later stays, the newer one of the same PSN, each with its own syndrome and MSN.
static void merged(void) {
  for (unsigned k = 0; k < 4; k++) {
    static const struct {
      unsigned syndrome, msn, psn;
    } want[] = {{NIC_SYN_NAK | 2, 1, 1}, {NIC_SYN_ACK, 2, 1}, {NIC_SYN_ACK, 1, 0}, {NIC_SYN_NAK, 1, 1}};
    nic_head h, w;
    begin(16, 5);
    w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN);
    comes(&n, &w);
    EQ(decided(NIC_FR_DONE, false, NIC_OP_WRITE_ONLY, PSN, 0), NIC_OK);
    if (k == 0 || k == 3) {  // one is missing: NAK 0
      w.psn = (PSN + 3) & 0xffffff;
      comes(&n, &w);
      EQ(decided(NIC_FR_AHEAD, true, NIC_OP_WRITE_ONLY, PSN + 3, 0), NIC_OK);
    }
    if (k == 0) {  // and that one is refused: the same PSN
      w.psn = (PSN + 1) & 0xffffff;
      w.length = w.bytes = 4;
      w.va = BUF;
      w.rkey = KEY | 7;
      comes(&n, &w);
      EQ(decided(NIC_FR_ACCESS, true, NIC_OP_WRITE_ONLY, PSN + 1, NIC_WHY_REGION), NIC_OK);
    }
    if (k == 1) {
      w.psn = (PSN + 1) & 0xffffff;
      comes(&n, &w);
      EQ(decided(NIC_FR_DONE, true, NIC_OP_WRITE_ONLY, PSN + 1, 0), NIC_OK);
    }
    if (k == 2 || k == 3) {  // one that comes again has an earlier PSN, or the same
      w.psn = PSN;
      comes(&n, &w);
      EQ(decided(NIC_FR_DUP, true, NIC_OP_WRITE_ONLY, PSN, 0), NIC_OK);
    }
    bool nak = k == 0 || k == 3;
    EQ(record(&n, NIC_RET_TX, false, nak ? NIC_TX_NAK : NIC_TX_ACK, QP, named(NIC_OP_ACK, PSN + want[k].psn), 0),
       NIC_OK);
    CHECK(heard(&n, &h, NULL));
    EQ(h.syndrome, want[k].syndrome);
    EQ(h.msn, want[k].msn);
    EQ(h.psn, (PSN + want[k].psn) & 0xffffff);
    end();
  }
}

// ---- counters -------------------------------------------------------------------------------------------------------

static void cut_of(unsigned qp) {
  nic_head c = head(&n, 1, qp, NIC_OP_CNP, 0);
  comes(&n, &c);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_CNP, qp, named(NIC_OP_CNP, 0), 0), NIC_OK);
}
static nic_status cut(unsigned qp) {
  return record(&n, NIC_RET_RATE, false, NIC_RT_CUT, qp, 513 | 1024ull << 16 | 1023ull << 32 | 1ull << 63, 0);
}

// CNT-2: with a counter goes what is counted in the very cycle of the write, before it or behind; nothing else does.
static void cleared(void) {
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t of = NIC_REG_NIC_CNT + 8 * NIC_CNT_CUT;
    begin(16, 5);
    EQ(cycles(&n, 100), NIC_OK);
    cut_of(QP);
    cut_of(OTHER);
    EQ(cycles(&n, 100), NIC_OK);
    if (k == 0) EQ(cut(QP), NIC_OK);
    EQ(reg_write(&n, k == 3 ? of - 8 : of, 77), NIC_OK);
    if (k == 2) EQ(cycles(&n, 1), NIC_OK);
    if (k) EQ(cut(QP), NIC_OK);
    if (k == 2) EQ(reg_write(&n, of + 8, 0), NIC_OK);
    EQ(cycles(&n, 1), NIC_OK);
    EQ(reg_read(&n, of, k > 1), NIC_OK);
    EQ(cut(OTHER), NIC_OK);
    EQ(reg_read(&n, of, k > 1 ? 2 : 1), NIC_OK);
    end();
  }
}

int main(void) {
  meanwhile();
  whose();
  events_of_ends();
  room_of_ends();
  went_back();
  places();
  places_ahead();
  given_back();
  power();
  power_of_stopped();
  count_of_epochs();
  merged();
  cleared();
  return report();
}
