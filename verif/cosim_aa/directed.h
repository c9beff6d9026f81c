// SPDX-License-Identifier: Apache-2.0
// Directed cases: a fixture of two requesters, a handful of pages and one log, and short words for what cases do
// and ask. hostile.c, requester.c and wiring.c are made of it. A case fails once, with its line, and everything
// after that does nothing.
#ifndef TOCSIN_COSIM_DIRECTED_H
#define TOCSIN_COSIM_DIRECTED_H

#include <inttypes.h>
#include <stdio.h>

#include "cosim.h"
#include "driver.h"

enum { A = 0x0100, B = 0x0101, NOBODY = 0x0102, IUID = 5, TAG = 0x21 };
#define GOOD 0x10000ULL   // R W
#define PUT 0x11000ULL    // R, active put
#define GET 0x12000ULL    // R W, logged get
#define DARK 0x13000ULL   // W, denied and logged get
#define MISS 0x14000ULL   // active put, no such log
#define FLUSH 0x15000ULL  // R W E: a flush page
#define PUT2 0x16000ULL   // active put to log 1
#define PA(x) (DRIVER_DATA + (x))
#define WAIT 3000
#define RING DRIVER_RING

typedef struct fix {
  const char *suite, *file;
  bench *b;
  driver *s;
  uint64_t dom;
} fix;

typedef struct directed_case {
  unsigned number;
  void (*run)(fix *f);
  const char *what;
} directed_case;

typedef struct directed_suite {
  const char *name, *file;  // --name chooses of it; where a case has failed
  const directed_case *cases;
  unsigned n;
} directed_suite;
#define SUITE(name, cases) \
  { name, __FILE__, cases, sizeof(cases) / sizeof *(cases) }

// Runs those of a suite that the list names ("5,13"; "" or "all": all of them), each on a machine of its own; adds up.
void directed_run(const cosim_options *o, const directed_suite *s, const char *list, unsigned *passed,
                  unsigned *failed);
extern const directed_suite requester_cases;  // of the hostile cases: 42 to 44, 52, 53, 64 and 65
extern const directed_suite ring_cases;       // likewise, 54 to 56
extern const directed_suite drain_cases;      // of the wiring: 33 to 35

// A failure of this case.
__attribute__((format(printf, 3, 4))) void no(fix *f, int line, const char *fmt, ...);
// The hardware is reset in the middle of what it does; all else is new, and software begins anew.
void again(fix *f);
// One page, at the frame of the same number.
void map(fix *f, uint64_t iova, aa_leaf l);
// Log i with its own ring, pointer and MSI address; the reason of a refusal.
unsigned open_log(fix *f, unsigned i, unsigned size, uint16_t iuid, uint64_t bits);
void send_pkt(fix *f, unsigned port, pkt *p);
pkt *wr(uint16_t rid, uint64_t iova, unsigned dw, unsigned fbe, unsigned lbe);
pkt *rd(uint16_t rid, unsigned tag, uint64_t iova, unsigned dw);
void put(fix *f, uint64_t iova, unsigned dw);
// Next TLP for the host / the device, null if none comes.
pkt *next(fix *f, pktq *q);
void host_gets(fix *f, int line, uint64_t addr, unsigned type);
// status: of the completion; data: words it must carry (0: Cpl).
void device_gets(fix *f, int line, unsigned port, unsigned status, unsigned words, unsigned tag, uint16_t rid);
void quiet(fix *f);
uint64_t cnt(fix *f, unsigned i);
unsigned error_code(fix *f);
// Reason of the first pending fault record; clears it.
unsigned fault_code(fix *f);
uint32_t lp(fix *f, unsigned log, unsigned reg);
void consume(fix *f, unsigned log, uint32_t to);
uint64_t entry(unsigned iuid, unsigned kind, unsigned flags, unsigned len, unsigned fbe, unsigned lbe, unsigned tag,
               uint16_t rid);
void entry_is(fix *f, int line, unsigned log, uint32_t at, uint64_t iova, uint64_t want);
// The most of `all` entries that one port can have: the others keep their shares.
unsigned most(const fix *f, unsigned all);
// A completion of the host for a read of port 0.
void complete(fix *f, uint16_t rid, unsigned tag, unsigned status, unsigned count, unsigned lower, unsigned words,
              bool poison);
// A good write and a good read, whatever happened before.
void good(fix *f);

#define IS(what, got, want)                                                                                       \
  do {                                                                                                            \
    uint64_t got_ = (got), want_ = (want);                                                                        \
    if (got_ != want_ && !f->b->failed) no(f, __LINE__, "%s: got %" PRIx64 ", want %" PRIx64, what, got_, want_); \
  } while (0)
#define OK(x)                                                     \
  do {                                                            \
    if (!(x) && !f->b->failed) no(f, __LINE__, "not so: %s", #x); \
  } while (0)
#define HOST(addr, type) host_gets(f, __LINE__, addr, type)
#define DEV(status, words, tag) device_gets(f, __LINE__, 0, status, words, tag, A)
#define DEVB(status, words, tag) device_gets(f, __LINE__, 0, status, words, tag, B)
#define NOTHING()                \
  do {                           \
    quiet(f);                    \
    OK(!f->b->host_seen.head);   \
    OK(!f->b->dev_seen[0].head); \
  } while (0)
#define ENTRY(log, at, iova, want) entry_is(f, __LINE__, log, at, iova, want)

enum { PROD, CONS, RSVD, STS };
enum { DENIED = 1 << 15, ABORTED = 1 << 16, POISONED = 1 << 17, DATA = 1 << 18 };

#endif
