// SPDX-License-Identifier: Apache-2.0
// A run: random traffic between NICs over a bad link, one of them hardware in lockstep with the golden model, or a
// model as well.
#define _POSIX_C_SOURCE 200809L
#include "cosim_nic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "sw.h"

#ifndef CFG_NumProcs
#define CFG_NumProcs 4
#define CFG_NumQps 16
#define CFG_NumMrs 32
#define CFG_RespDepth 32
#define CFG_Replay 16
#define CFG_Window 64
#define CFG_Requests 16
#define CFG_TableBits 6
#define CFG_TableCache 0
#define CFG_RecvDepth 8
#define CFG_NumLogs 8
#define CFG_RxFrames 64
#endif
#ifndef CFG_Contexts
#define CFG_Contexts 0
#endif

void nic_hw(nic_config *c) {
  *c = (nic_config){.NumProcs = CFG_NumProcs,
                    .NumQps = CFG_NumQps,
                    .Contexts = CFG_Contexts,
                    .NumMrs = CFG_NumMrs,
                    .RespDepth = CFG_RespDepth,
                    .Replay = CFG_Replay,
                    .Window = CFG_Window,
                    .Requests = CFG_Requests,
                    .TableBits = CFG_TableBits,
                    .TableCache = CFG_TableCache,
                    .RecvDepth = CFG_RecvDepth,
                    .NumLogs = CFG_NumLogs,
                    .Frames = CFG_RxFrames};
}

// Whose first cycle out of reset has everything in it (at_once).
static bool eager(uint64_t seed) { return seed % 7 == 5; }

net *nic_begin(const nic_options *o) {
  nic_config cfg;
  nic_hw(&cfg);
  net *w = net_new(&(net_setup){.hw = o->hw,
                                .backend = o->backend,
                                .cfg = &cfg,
                                .nodes = o->nodes,
                                .duts = o->duts,
                                .seed = o->seed,
                                .wave = o->wave,
                                .was = o->was});
  w->link = o->link;
  w->reached = o->reached;
  w->slip = o->slip;
  w->eager = o->was || eager(o->seed);
  w->wave_from = o->wave_from;
  FILE *f = o->pcap ? fopen(o->pcap, "wb") : NULL;
  if (o->pcap && (!f || net_capture(w, f))) {
    perror(o->pcap);
    exit(2);
  }
  return w;
}

int nic_end(const nic_options *o, net *w) {
  int bad = w->mismatches != 0;
  if (bad) {
    fprintf(stderr, "while  %s\n", w->what ? w->what : "?");
    nic_tell_again(o, stderr);
  }
  if (w->pcap.file && fclose(w->pcap.file)) bad = 2;
  net_free(w);
  return bad;
}

// In the first cycle out of reset a frame of nobody begins at each node. With every seventh seed an access log has
// something to tell as well (producer 0, consumer 0: the task waits until its log is set up), a completion of nobody
// comes, and either software writes its first register or one is read.
static void at_once(net *w, uint64_t seed, const sw_options *o) {
  frame f = {.n = 200};
  for (unsigned i = 0; i < f.n; i++) f.b[i] = (uint8_t)(0x11 * i);
  for (unsigned i = 0; i < w->nodes; i++) {
    node *n = &w->node[i];
    n->ops->take(n, &f);
    if (eager(seed) && n->ops->first) n->ops->first(n);
    if (sw_first_notice(n, o)) n->ops->task(n, 0, 0, 0);
  }
  if (eager(seed) && w->duts && seed & 4) node_read(&w->node[(seed >> 3) % w->duts], NIC_REG_NIC_ID);
}

typedef struct outcome {
  uint64_t requests, cycles, half_requests;
  unsigned mismatches;
  double seconds, half_seconds;
  net_link link;
  net_again again;
} outcome;

// half: requests after which the time is taken as well (0: never), and where a run of the hardware alone ends.
static int random_run(const nic_options *o, uint64_t half, outcome *out) {
  memset(out, 0, sizeof *out);
  double start = cpu_seconds();
  net *w = nic_begin(o);
  const sw_options software = {.n = o->n,
                               .p_bad = o->p_bad,
                               .p_reconnect = o->p_reconnect,
                               .p_fail = o->p_fail,
                               .p_move = o->p_move,
                               .logs = o->logs,
                               .one_way = o->one_way,
                               .noticed = eager(o->seed)};
  at_once(w, o->seed, &software);
  sw_init(w, &software);
  bool cut = false;
  while (!w->failed && !cut && sw_busy(w)) {
    sw_cycle(w);
    net_cycle(w);
    if (!half || out->half_requests || sw_ended(w) < half) continue;
    out->half_requests = sw_ended(w);
    out->half_seconds = cpu_seconds() - start;
    cut = o->backend == NET_RTL;
  }
  if (!w->failed && !cut) sw_finish(w);
  for (unsigned i = 0; i < w->duts && !w->failed && !cut && o->backend == NET_BOTH; i++)
    w->node[i].ops->end(&w->node[i]);
  if (o->tell && !w->failed && !cut) sw_tell(w);
  out->seconds = cpu_seconds() - start;
  out->requests = sw_ended(w);
  out->cycles = w->cycle;
  out->mismatches = w->mismatches;
  out->link = w->link;
  out->again = w->again;
  return nic_end(o, w);
}

int nic_random(const nic_options *o) {
  outcome run, alone;
  uint64_t half = o->backend == NET_BOTH && !o->wave && !o->once ? (o->n < 40000 ? o->n / 2 + 1 : 20000) : 0;
  int bad = random_run(o, half, &run);
  double rtl = o->backend == NET_RTL ? run.seconds : 0;
  if (half && !bad && run.half_seconds > 0) {
    // the same run without the model, up to the same request; the whole is scaled by the ratio
    nic_options a = *o;
    a.backend = NET_RTL;
    a.pcap = NULL;
    a.reached = NULL;
    random_run(&a, half, &alone);
    rtl = run.seconds * alone.half_seconds / run.half_seconds;
  }
  char more[280];
  snprintf(more, sizeof more,
           ", %" PRIu64 " frames (%" PRIu64 " lost, %" PRIu64 " doubled, %" PRIu64 " overtaken, %" PRIu64
           " damaged, %" PRIu64 " marked; %" PRIu64 " requests and %" PRIu64 " bytes asked for or sent again)",
           run.link.did.frames, run.link.did.dropped, run.link.did.twice, run.link.did.swapped, run.link.did.bent,
           run.link.did.marked, run.again.frames, run.again.bytes);
  const points reached = {o->hw->points, o->reached, o->hw->num_points};
  int wrote = result_tell(&(result){.points = &reached,
                                    .points_file = o->points,
                                    .bounds = o->bounds,
                                    .quiet = o->quiet,
                                    .top = o->hw->name,
                                    .config = o->config,
                                    .json = o->json,
                                    .on = o->backend,
                                    .seed = o->seed,
                                    .requests = run.requests,
                                    .cycles = run.cycles,
                                    .mismatches = run.mismatches,
                                    .seconds = run.seconds,
                                    .seconds_rtl = rtl},
                          more);
  return bad ? bad : wrote;
}
