// SPDX-License-Identifier: Apache-2.0
// aa_wanted: random requests and translations against the steps of "Decision" written down once more (wanted_case.h).
// Every field of what is wanted is looked at where it says something.
// Rules of rtl/aa/README.md: DEC-1, DEC-2, DEC-3, DEC-5, DEC-6, DEC-7, DEC-8, DEC-9, DEC-10, DEC-11, DEC-12, DEC-13,
// DEC-14, DEC-18, DEC-19, LOG-2.
// config: default -GNumPorts=2
// netlist: default
#include "wanted_case.h"
#include "aa_wanted_tb.h"

enum { LANES = 2 * P_NumPorts };
#define V(f) bits_get(v, AA_WANTED_T_##f##_LSB, AA_WANTED_T_##f##_W)

static void ask(dut *d, const wanted_case *c, uint32_t *v) {
  dut_set_lane_i(d, c->lane);
  dut_set_req_i(d, c->req);
  dut_set_res_i(d, c->res);
  dut_set_filter_i(d, c->filter);
  dut_set_cam_hit_i(d, c->hit);
  dut_set_cam_log_i(d, c->log);
  dut_set_page_hit_i(d, c->page);
  dut_eval(d);
  dut_get_wanted_o(d, v);
}

static void verdict(tb *t, const wanted_case *c, const uint32_t *v) {
  const want *x = &c->x;
  CHECK_EQ(t, V(PRE), x->pre, "settled before the tag check");
  CHECK_EQ(t, V(FWD), x->fwd, "forwarded (kind %u bad %u translation %llx)", c->kind, c->bad,
           (unsigned long long)c->res);
  CHECK_EQ(t, V(UR), x->ur, "UR");
  CHECK_EQ(t, V(FLUSH), x->flush, "flush");
  CHECK_EQ(t, V(NP), c->np, "non-posted");
  CHECK_EQ(t, V(FAULT), x->fault, "stock record");
  if (x->fault) CHECK_EQ(t, V(REASON), x->reason, "reason");
  if (x->fault) CHECK_EQ(t, V(READ), c->rd, "T of the fault record");
  CHECK_EQ(t, V(ERR), x->err, "error");
  if (x->err && !x->pre) CHECK_EQ(t, V(ENTRY_IUID), x->iuid, "IUID of the error");
  CHECK_EQ(t, V(PUT), x->put, "record at once");
  CHECK_EQ(t, V(GET), x->get, "record with its completions");
  CHECK_EQ(t, V(DENIED), x->denied, "denied");
  CHECK_EQ(t, V(POISONED), x->poisoned, "poisoned");
  CHECK_EQ(t, V(BEATS), x->beats, "beats of payload of %u DW", c->len);
}

static void record(tb *t, const wanted_case *c, const uint32_t *v) {
  uint32_t entry[4];
  words_copy(entry, 0, v, AA_WANTED_T_ENTRY_LSB, AA_WANTED_T_ENTRY_W);
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(t, entry[i], c->x.entry[i], "word %u of the entry (kind %u, %u DW)", i, c->kind, c->len);
  CHECK_EQ(t, V(UNITS), c->x.units, "size");
  CHECK_EQ(t, V(LOG), c->log, "log");
}

static void forwarded(tb *t, const wanted_case *c, const uint32_t *v) {
  CHECK_EQ(t, V(PA), c->x.pa, "translated");
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(t, bits_get(v, AA_WANTED_T_HDR_LSB + 32 * i, 32), c->x.hdr[i], "word %u of the header that leaves", i);
}

static void tracked(tb *t, const wanted_case *c, const uint32_t *v) {
  CHECK_EQ(t, V(START), c->x.start, "first byte");
  CHECK_EQ(t, V(COUNT), c->x.count, "ByteCount of %u DW, %x %x", c->len, c->fbe, c->lbe);
}

int main(int argc, char **argv) {
  tb t;
  wanted_case c;
  uint32_t v[WANTED_O_WORDS];
  uint64_t seen[8] = {0};
  tb_init(&t, argc, argv, "aa_wanted", 200000);
  dut *d = dut_begin(&t);
  for (uint64_t i = 0; i < t.cycles && !t.failures; i++) {
    case_make(&t, &c, (unsigned)rnd_below(&t, LANES), (unsigned)rnd_bits(&t, 16), P_NumPorts);
    ask(d, &c, v);
    CHECK_EQ(&t, dut_get_iova_o(d), c.iova, "address");
    verdict(&t, &c, v);
    if (c.x.fwd || c.x.flush) CHECK_EQ(&t, V(TAG), c.np, "a tag entry");
    if (c.x.put || c.x.get) record(&t, &c, v);
    if (c.x.fwd) forwarded(&t, &c, v);
    if (c.np && (c.x.fwd || c.x.flush)) tracked(&t, &c, v);
    seen[c.x.fwd ? 0 : c.x.flush ? 1 : c.x.put ? 2 : c.x.fault ? 3 : c.x.err ? 4 : 5]++;
    seen[6] += c.x.get;
  }
  for (unsigned i = 0; i < 7; i++)
    CHECK(&t, seen[i] > 20, "outcome %u came %llu times", i, (unsigned long long)seen[i]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
