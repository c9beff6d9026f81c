// SPDX-License-Identifier: Apache-2.0
// Wiring, through the ports of tocsin alone: that what joins NIC, XTQ and IOMMU, and each of them to its pins, joins
// the right ends. Nothing here knows of what is inside, so it outlives any new cut. What has an index is tried with all
// of its values, beside others that are in another state. The cases judge by what they see; with models, lockstep
// compares all that they cause besides.
#include "wiring.h"

#include <stdlib.h>
#include <string.h>

// Frames of the NIC, and the first bytes of the last one.
static void spy(net *w, const frame *f) {
  stage *s = w->user;
  nic_self self = node_self(1);
  const uint8_t *pay;
  if (f->from || nic_frame_parse(&self, f->b, f->n, false, &s->answer, &pay) != NIC_RX_GOOD) return;
  s->answers++;
  memset(s->seen[0], 0, 8);
  memcpy(s->seen[0], pay, s->answer.bytes < 8 ? s->answer.bytes : 8);
}

static void map(stage *s, uint64_t domain, uint64_t va, aa_leaf l) {
  if (aa_table_map(&s->n->iommu->tab, domain, va, 1, &l)) net_fail(s->w, s->suite, "a page cannot be mapped");
}

static void pages(stage *s) {
  iommu *u = s->n->iommu;
  for (unsigned l = 0; l < u->b->hw.NumLogs; l++) {
    aa_leaf into = {.pa = IOMMU_OTHER + PARKED + 0x1000ull * l, .r = true, .wl = true, .wld = true, .e = true};
    into.iuid = (uint16_t)(16 + l);
    map(s, u->other, DEV_LOGGED + 0x1000ull * l, into);
    for (unsigned p = 0; p < processes(s); p++) map(s, u->dom[p], sw_va(p, LOGGED + 0x1000ull * l), into);
  }
  for (unsigned i = 1; i < u->b->hw.NumPorts; i++)
    map(s, u->other, DEV_OWN + 0x1000ull * i, (aa_leaf){.pa = dev_pa(i), .r = true, .w = true});
}

// Nothing is slow but what a case holds up.
static void fast(stage *s) {
  iommu *u = s->n->iommu;
  profile_fast(&u->b->prof);
  u->prof_until = ~0ull;
  s->n->dut->prof = dut_profile_fast;
}

static void begin(stage *s, const nic_options *o) {
  nic_options quiet_link = *o;
  quiet_link.link = (net_link){.delay = 5, .late = 1};
  quiet_link.nodes = 2;
  quiet_link.duts = 1;
  memset(s, 0, sizeof *s);
  s->w = nic_begin(&quiet_link);
  s->n = &s->w->node[0];
  s->suite = s->w->what = "wiring";
  iommu *u = s->n->iommu;
  board of_tables = {.procs = processes(s)};
  s->w->user = &of_tables;
  fast(s);
  sw_node_on(s->n, processes(s));
  s->n->sw->open = true;
  s->n->active = NULL;
  s->w->user = s;
  s->w->spy = spy;
  free(u->b->traffic);
  u->b->traffic = NULL;
  u->b->keep = true;
  for (unsigned l = 0; l < u->b->hw.NumLogs; l++) log_close(s, l);
  pages(s);
  for (unsigned p = 0; p < processes(s); p++) {
    sw_region(s->n, p, SW_KEY | p, p, sw_va(p, OWN), 0x2000000, 7);
    nic_again(s, p);
  }
  quiet(s);
}

// Whatever happened, the next accesses of all are done.
static void still_good(stage *s) {
  bench *b = bench_of(s);
  host_answers(s, true);
  quiet(s);
  forget(s);
  nic_get(s, 0, OWN, 8);
  for (unsigned i = 1; i < b->hw.NumPorts; i++) dev_get(s, i, 1, DEV_OWN + 0x1000 * i, 2);
  quiet(s);
  expect(s, "answers of the NIC after the case", s->answers, 1);
  for (unsigned i = 1; i < b->hw.NumPorts; i++) expect(s, "completions after the case", b->dev_seen[i].n, 1);
  for (unsigned l = 0; l < b->hw.NumLogs; l++) {
    reg_put(s, AA_REG_LP_CONS + l * AA_REG_LP_CONS_STRIDE, 8, page_of(s, l, AA_REG_LP_PROD));
    log_close(s, l);
  }
  quiet(s);
}

int tocsin_wiring(const nic_options *o, const char *list) {
  static const directed_case cases[] = {{1, reset_of_port, "reset of each port"},
                                        {2, credits_of_port, "credits of each port"},
                                        {3, filter_of_port, "filter of each port"},
                                        {4, completions, "completions come back to who asked"},
                                        {5, host_stops_reads, "host takes no reads"},
                                        {6, tasks, "tasks of each log"},
                                        {7, log_msi, "MSI of each log"},
                                        {8, fault_msi, "MSI of a fault, its requester"},
                                        {9, event_msi, "MSI of each event ring"},
                                        {10, log_error, "an error of each log"},
                                        {11, sizes, "what the instance is"},
                                        {12, halves, "registers of both halves"},
                                        {13, strobes, "bytes of registers"},
                                        {14, posted, "posted writes to the NIC, in order, before reads"},
                                        {15, held_register, "a NIC that waits holds up no LP_CONS"},
                                        {16, bad_frame, "a frame that the MAC calls bad"},
                                        {17, table_error, "tables that cannot be read"},
                                        {18, device_stops, "devices that take no completions"}};
  unsigned passed = 0, failed = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (!options_chosen(list, cases[i].number)) continue;
    stage s;
    begin(&s, o);
    cases[i].run(&s);
    still_good(&s);
    if (!s.w->failed && o->backend == NET_BOTH) s.n->ops->end(s.n);
    s.w->user = NULL;
    s.w->spy = NULL;
    bool bad = s.w->failed;
    bad ? failed++ : passed++;
    printf("case %2u  %-52s %s\n", cases[i].number, cases[i].what, bad ? "FAILED" : "ok");
    nic_options one = *o;
    one.only = cases[i].number;
    nic_end(&one, s.w);
  }
  printf("wiring cases: %u passed, %u failed\n", passed, failed);
  const points reached = {o->hw->points, o->reached, o->hw->num_points};
  if (o->points && !points_add(&reached, o->points)) perror(o->points), failed++;
  return failed || !passed || (o->bounds && points_judge(&reached, stderr));
}
