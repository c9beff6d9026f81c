// SPDX-License-Identifier: Apache-2.0
// Arguments that are wrong: NULL, nothing, too much, crooked, another's, twice. Each is refused by name, nothing has
// happened, and what was there before works as it did.
#include "scene.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic.h"
#include "tocsin/agent.h"
#include "tocsin/backend.h"

static toc_status said(toc_status s, const char *what) {
  if (!strstr(toc_why(), what)) {
    printf("  said: %s; want: %s\n", toc_why(), what);
    failed++;
  }
  return s;
}
/* The function is named, and so is the argument. */
#define NO(call, function, argument)                  \
  do {                                                \
    IS(said((call), function ": "), TOC_E_ARG);       \
    (void)said(TOC_OK, "'" argument "' must not be"); \
  } while (0)

static void nothing_of_tasks(scene *s) {
  xtq_queue *xq;
  aql_signal *sig;
  NO(xtq_queue_open(NULL, NULL, &xq), "xtq_queue_open", "p");
  NO(xtq_queue_open(s->a, NULL, NULL), "xtq_queue_open", "out");
  NO(xtq_enqueue(NULL, s), "xtq_enqueue", "q");
  NO(xtq_register_kernel(NULL, 0, &(xtq_code){0}), "xtq_register_kernel", "p");
  NO(xtq_register_kernel(s->a, 0, NULL), "xtq_register_kernel", "c");
  NO(xtq_register_function(s->a, 0, NULL), "xtq_register_function", "c");
  NO(xtq_register_queue(s->a, 0, NULL), "xtq_register_queue", "q");
  NO(xtq_unregister_kernel(NULL, 0), "xtq_unregister_kernel", "p");
  NO(xtq_unregister_function(NULL, 0), "xtq_unregister_function", "p");
  NO(xtq_unregister_queue(NULL, 0), "xtq_unregister_queue", "p");
  NO(xtq_post_buffer(NULL, s, 64, 0, NULL), "xtq_post_buffer", "p");
  NO(xtq_feed_buffers(NULL, 1, 64), "xtq_feed_buffers", "p");
  NO(xtq_signal_open(NULL, 1, &sig), "xtq_signal_open", "p");
  NO(xtq_signal_open(s->a, 1, NULL), "xtq_signal_open", "out");
  NO(xtq_signal_close(NULL, NULL), "xtq_signal_close", "p");
  NO(xtq_signal_wait(s->a, NULL, 0, 0), "xtq_signal_wait", "s");
  NO(xtq_log_task(NULL, 0, 0, 0), "xtq_log_task", "l");
  NO(xtq_log_task_done(NULL), "xtq_log_task_done", "l");
  NO(xtq_put(NULL, &(xtq_task){0}, NULL), "xtq_put", "q");
  NO(xtq_put(s->ab, NULL, NULL), "xtq_put", "t");
  IS(said(xtq_put(s->ab, &(xtq_task){.args_bytes = 16}, NULL), "at NULL"), TOC_E_ARG);
}

static void nothing_of_connections(scene *s) {
  uint64_t v;
  toc_qp *q;
  toc_address a;
  NO(toc_connect(NULL, s->b, &q, NULL), "toc_connect", "a");
  NO(toc_connect(s->a, NULL, &q, NULL), "toc_connect", "b");
  NO(toc_connect(s->a, s->b, NULL, NULL), "toc_connect", "qa");
  NO(toc_qp_open(NULL, NULL, &q), "toc_qp_open", "p");
  NO(toc_qp_open(s->a, NULL, NULL), "toc_qp_open", "q");
  NO(toc_qp_address(NULL, &a), "toc_qp_address", "q");
  NO(toc_qp_address(s->ab, NULL), "toc_qp_address", "a");
  NO(toc_qp_connect(NULL, &a), "toc_qp_connect", "q");
  NO(toc_qp_connect(s->ab, NULL), "toc_qp_connect", "peer");
  NO(toc_qp_resume(NULL), "toc_qp_resume", "q");
  NO(toc_put(NULL, s->near, s->there, 1, NULL), "toc_put", "q");
  NO(toc_put_imm(NULL, s->near, s->there, 1, 0, NULL), "toc_put_imm", "q");
  NO(toc_get(NULL, s->near, s->there, 1, NULL), "toc_get", "q");
  NO(toc_fetch_add(NULL, &v, s->there, 1, NULL), "toc_fetch_add", "q");
  NO(toc_compare_swap(NULL, &v, s->there, 1, 1, NULL), "toc_compare_swap", "q");
  NO(toc_wait_all(NULL, 0), "toc_wait_all", "q");
  IS(said(toc_wait((toc_req){NULL, 0}, 0), "toc_wait"), TOC_E_ARG);
}

static void nothing(scene *s) {
  toc_node *n = toc_node_at(s->f, 0);
  uint64_t v;
  void *ptr = s;
  toc_remote r;
  toc_proc *p;
  toc_log *l;
  toc_box *b;
  toc_event e;
  toc_log_state ls;
  toc_agent *agent;
  unsigned action;
  const toc_rule rule = {.put = TOC_BLOCK};
  NO(toc_reg_read(NULL, 0, 4, &v), "toc_reg_read", "n");
  NO(toc_reg_read(n, 0, 4, NULL), "toc_reg_read", "value");
  NO(toc_reg_write(NULL, 0, 4, 0), "toc_reg_write", "n");
  NO(toc_requester_end(NULL, 0, 0), "toc_requester_end", "n");
  NO(toc_count_aa(NULL, 0, &v), "toc_count_aa", "n");
  NO(toc_count_aa(n, 0, NULL), "toc_count_aa", "value");
  NO(toc_count_nic(NULL, 0, &v), "toc_count_nic", "n");
  NO(toc_count_nic(n, 0, NULL), "toc_count_nic", "value");
  NO(toc_wait_word(NULL, &v, 0, 0, 0), "toc_wait_word", "f");
  NO(toc_wait_word(s->f, NULL, 0, 0, 0), "toc_wait_word", "at");
  NO(toc_proc_open(NULL, &p), "toc_proc_open", "n");
  NO(toc_proc_open(n, NULL), "toc_proc_open", "out");
  NO(toc_alloc(NULL, 1, TOC_READ, &ptr), "toc_alloc", "p");
  CHECK(!ptr);  // results are set, whatever was wrong
  NO(toc_alloc(s->a, 1, TOC_READ, NULL), "toc_alloc", "ptr");
  NO(toc_free(NULL, s), "toc_free", "p");
  NO(toc_map(NULL, s->near, 4096, TOC_READ, 0), "toc_map", "p");
  NO(toc_unmap(NULL, 0, 4096), "toc_unmap", "p");
  NO(toc_iova(NULL, s->near, &v), "toc_iova", "p");
  NO(toc_iova(s->a, s->near, NULL), "toc_iova", "iova");
  NO(toc_pointer(NULL, 0, 1, &ptr), "toc_pointer", "p");
  NO(toc_pointer(s->a, 0, 1, NULL), "toc_pointer", "ptr");
  NO(toc_expose(NULL, s->near, 1, TOC_READ, &r), "toc_expose", "p");
  NO(toc_expose(s->a, s->near, 1, TOC_READ, NULL), "toc_expose", "r");
  NO(toc_expose_iova(NULL, 0, 1, TOC_READ, &r), "toc_expose_iova", "p");
  NO(toc_expose_iova(s->a, 0, 1, TOC_READ, NULL), "toc_expose_iova", "r");
  NO(toc_hide(NULL, s->there), "toc_hide", "p");
  NO(toc_event_next(NULL, &e, 1), "toc_event_next", "p");
  NO(toc_event_next(s->a, NULL, 1), "toc_event_next", "e");
  NO(toc_event_wake(NULL), "toc_event_wake", "p");
  nothing_of_connections(s);
  NO(toc_log_open(NULL, NULL, &l), "toc_log_open", "p");
  NO(toc_log_open(s->a, NULL, NULL), "toc_log_open", "l");
  NO(toc_log_release(NULL), "toc_log_release", "l");
  NO(toc_log_run(NULL, 0), "toc_log_run", "l");
  NO(toc_log_wait(NULL, 0), "toc_log_wait", "l");
  NO(toc_log_inspect(NULL, &ls), "toc_log_inspect", "l");
  NO(toc_associate(NULL, s->near, 4096, &rule), "toc_associate", "p");
  NO(toc_associate(s->a, s->near, 4096, NULL), "toc_associate", "rule");
  NO(toc_associate_iova(NULL, 0, 4096, &rule), "toc_associate_iova", "p");
  NO(toc_associate_iova(s->a, 0, 4096, NULL), "toc_associate_iova", "rule");
  NO(toc_dissociate(NULL, 0, 4096), "toc_dissociate", "p");
  NO(toc_action_parse(NULL, &action), "toc_action_parse", "text");
  NO(toc_action_parse("log", NULL), "toc_action_parse", "action");
  NO(toc_flush_page(NULL, &r), "toc_flush_page", "l");
  NO(toc_flush(NULL, s->there, 0), "toc_flush", "q");
  NO(toc_box_open(NULL, 1, &b, &r), "toc_box_open", "p");
  NO(toc_box_open(s->a, 1, NULL, &r), "toc_box_open", "out");
  NO(toc_box_open(s->a, 1, &b, NULL), "toc_box_open", "where");
  NO(toc_box_wait(NULL, 0, 0, 0), "toc_box_wait", "b");
  NO(toc_reply(NULL, s->there, 0, 0), "toc_reply", "q");
  nothing_of_tasks(s);
  NO(toc_agent_open(NULL, true, &agent), "toc_agent_open", "q");
  NO(toc_agent_run(NULL, 0, NULL), "toc_agent_run", "a");
  NO(toc_serve_registers(NULL, 0, NULL), "toc_serve_registers", "n");
  NO(toc_serve_registers(n, 0, NULL), "toc_serve_registers", "stop");
  IS(said(toc_backend_add(NULL), "toc_backend_add"), TOC_E_ARG);
}

/* What says nothing about success has nothing to say about nothing, and closing nothing is fine. */
static void nothing_quietly(void) {
  toc_caps c;
  toc_access a;
  xtq_queue_view v;
  CHECK(!toc_nodes(NULL) && !toc_node_at(NULL, 0) && !toc_node_rank(NULL) && !toc_progress(NULL) && !toc_now(NULL));
  CHECK(!toc_proc_node(NULL) && !toc_proc_index(NULL) && !toc_proc_requester(NULL) && !toc_qp_proc(NULL));
  CHECK(toc_event_fd(NULL) == -1 && toc_log_fd(NULL) == -1 && !toc_log_unread(NULL) && !toc_box_value(NULL, 0));
  CHECK(!toc_log_next(NULL, &a) && !toc_log_next(NULL, NULL) && !toc_agent_code(NULL, NULL, NULL));
  toc_caps_of(NULL, &c);
  xtq_queue_see(NULL, &v);
  CHECK(!c.logs && !v.ring);
  toc_listen(NULL, NULL, NULL);
  toc_close(NULL);
  toc_proc_close(NULL);
  toc_qp_close(NULL);
  toc_agent_close(NULL);
  IS(toc_log_close(NULL), TOC_OK);
  IS(toc_box_close(NULL), TOC_OK);
  IS(xtq_queue_close(NULL), TOC_OK);
}

/* Sums that are too large for 64 bits, and ranges that would take for ever. */
static void too_much(scene *s) {
  const uint64_t top = ~(uint64_t)0 << 12;
  const toc_rule block = {.put = TOC_BLOCK, .get = TOC_BLOCK};
  toc_fabric *f;
  toc_remote r;
  void *ptr;
  IS(toc_open(&(toc_options){.drop = 1u << 31, .twice = 1u << 31}, &f), TOC_E_ARG);
  IS(toc_open(&(toc_options){.node_bytes = UINT64_MAX}, &f), TOC_E_ARG);
  IS(toc_alloc(s->a, SIZE_MAX, TOC_READ, &ptr), TOC_E_ARG);
  IS(toc_alloc(s->a, 1ull << 35, TOC_READ, &ptr), TOC_E_NOMEM);
  IS(toc_alloc(s->a, 0, TOC_READ, &ptr), TOC_E_ARG);
  IS(toc_alloc(s->a, 1, 0, &ptr), TOC_E_ARG);
  IS(toc_alloc(s->a, 1, 8, &ptr), TOC_E_ARG);
  IS(toc_map(s->a, s->near, 4096, TOC_READ, top), TOC_E_ALIGN);
  IS(toc_unmap(s->a, top, 4096), TOC_E_RANGE);
  IS(toc_expose_iova(s->a, top, 8192, TOC_READ, &r), TOC_E_ARG);
  IS(toc_expose_iova(s->a, 0, 0, TOC_READ, &r), TOC_E_ARG);
  IS(toc_associate_iova(s->a, 4096, top, &block), TOC_E_ALIGN);
  IS(toc_associate_iova(s->a, top, 4096, &block), TOC_E_ALIGN);
  IS(toc_associate_iova(s->a, 0, 0, &block), TOC_E_ALIGN);
  IS(said(toc_associate_iova(s->a, 0x600000000000, 1ull << 40, &block), "page tables"), TOC_E_NOMEM);
  IS(toc_dissociate(s->a, 0, top), TOC_E_ALIGN);
  IS(toc_dissociate(s->a, top, 8192), TOC_E_ALIGN);
  OK(toc_dissociate(s->a, 0, 1ull << 47));  // at once: there are no rules
  IS(toc_put(s->ab, s->near, s->there, 0x80000000u, NULL), TOC_E_ARG);
  IS(toc_put(s->ab, s->near, s->there, 16385, NULL), TOC_E_RANGE);
  IS(toc_put(s->ab, NULL, s->there, 1, NULL), TOC_E_RANGE);
  IS(toc_qp_connect(s->ab, &(toc_address){.mac = 1ull << 48}), TOC_E_ARG);
  toc_address own;
  OK(toc_qp_address(s->ab, &own));
  IS(said(toc_qp_connect(s->ab, &own), "the wire goes to others"), TOC_E_ARG);
  IS(toc_qp_open(s->a, &(toc_qp_options){.entries = 512}, &(toc_qp *){NULL}), TOC_E_ARG);
  IS(toc_qp_open(s->a, &(toc_qp_options){.mtu = 8192}, &(toc_qp *){NULL}), TOC_E_ARG);
  IS(toc_log_open(s->a, &(toc_log_options){.bytes = SIZE_MAX}, &(toc_log *){NULL}), TOC_E_ARG);
  IS(toc_log_open(s->a, &(toc_log_options){.notify = (toc_notify)-1}, &(toc_log *){NULL}), TOC_E_ARG);
  IS(toc_box_open(s->a, UINT32_MAX, &(toc_box *){NULL}, &r), TOC_E_ARG);
  IS(xtq_queue_open(s->a, &(xtq_queue_options){.packets = 1u << 31}, &(xtq_queue *){NULL}), TOC_E_ARG);
  IS(xtq_register_kernel(s->a, UINT32_MAX, &(xtq_code){0}), TOC_E_ARG);
  IS(xtq_unregister_queue(s->a, UINT32_MAX), TOC_E_ARG);
  IS(xtq_feed_buffers(s->a, UINT32_MAX, UINT32_MAX), TOC_E_ARG);
  IS(toc_action_parse("", &(unsigned){0}), TOC_E_ACTION);
  IS(xtq_post_buffer(s->a, s->near, UINT32_MAX, 0, NULL), TOC_E_RANGE);
  IS(xtq_post_buffer(s->a, s->near + 1, 64, 0, NULL), TOC_E_ALIGN);
  IS(xtq_put(s->ab, &(xtq_task){.process = 65536}, NULL), TOC_E_ARG);
  IS(xtq_put(s->ab, &(xtq_task){.payload_bytes = UINT32_MAX}, NULL), TOC_E_ARG);
  IS(toc_reg_read(toc_node_at(s->f, 0), UINT32_MAX, 8, &(uint64_t){0}), TOC_E_ARG);
  IS(toc_count_aa(toc_node_at(s->f, 0), UINT32_MAX, &(uint64_t){0}), TOC_E_ARG);
  OK(toc_count_aa(toc_node_at(s->f, 0), AA_CNT_CUT, &(uint64_t){0}));
  IS(toc_count_aa(toc_node_at(s->f, 0), AA_CNT_CUT + 1, &(uint64_t){0}), TOC_E_ARG);  // registers for more to come
}

/* Twice, after the end, and what belongs to somebody else. */
static void out_of_turn(scene *s) {
  toc_remote one, two;
  toc_log *log;
  toc_box *box;
  void *ptr, *kept;
  uint64_t at, v;
  toc_req r;
  unsigned action;
  OK(toc_alloc(s->b, 4096, TOC_READ | TOC_WRITE, &ptr));
  OK(toc_expose(s->b, ptr, 4096, TOC_WRITE, &one));
  IS(said(toc_free(s->b, ptr), "toc_hide"), TOC_E_IN_USE);  // its next owner's bytes would be the peers'
  IS(toc_hide(s->a, one), TOC_E_ARG);
  OK(toc_hide(s->b, one));
  OK(toc_expose(s->b, ptr, 4096, TOC_WRITE, &two));
  IS(toc_hide(s->b, one), TOC_E_ARG);  // a key of before does not hide what has its place now
  OK(toc_put(s->ab, s->near, two, 8, &r));
  OK(toc_wait(r, 0));
  OK(toc_hide(s->b, two));
  OK(toc_free(s->b, ptr));
  IS(toc_free(s->b, ptr), TOC_E_RANGE);
  IS(toc_free(s->a, s->far), TOC_E_RANGE);
  IS(toc_free(s->b, s->far + 4096), TOC_E_RANGE);
  IS(toc_free(s->b, NULL), TOC_E_RANGE);

  // a box and a flush page are the library's, whatever wide range the program takes its rules from
  OK(toc_log_open(s->b, NULL, &log));
  OK(toc_box_open(s->b, 4, &box, &one));
  IS(said(toc_dissociate(s->b, 0, 1ull << 47), "library's own"), TOC_E_RANGE);
  OK(toc_reply(s->ab, one, 2, 7));
  OK(toc_box_wait(box, 2, 7, 0));
  IS(toc_box_wait(box, 4, 1, 0), TOC_E_ARG);
  OK(toc_box_close(box));
  OK(toc_alloc(s->b, 3 * 4096, TOC_READ | TOC_WRITE, &kept));
  OK(toc_iova(s->b, kept, &at));
  OK(toc_associate(s->b, kept, 3 * 4096, &(toc_rule){.put = TOC_BLOCK}));
  OK(toc_dissociate(s->b, at + 4096, 4096));  // of its middle: the ends keep it
  OK(toc_expose(s->b, kept, 3 * 4096, TOC_WRITE, &one));
  for (unsigned page = 0; page < 3; page++) {
    memset(s->near, 0x5a, 8);
    OK(toc_put(s->ab, s->near, toc_at(one, 4096 * page), 8, &r));
    OK(toc_wait(r, 0));
    memcpy(&v, (uint8_t *)kept + 4096 * page, 8);
    EQ(v != 0, page == 1);
  }
  OK(toc_dissociate(s->b, 0, 1ull << 47));
  OK(toc_hide(s->b, one));
  OK(toc_free(s->b, kept));
  IS(toc_associate(s->a, s->near, 4096, &(toc_rule){.put = TOC_LOG, .log = log}), TOC_E_ARG);  // another's log
  OK(toc_log_close(log));

  // an event that waits does not name a queue pair that is gone
  toc_qp *near, *far;
  toc_event e;
  OK(toc_connect(s->a, s->b, &near, &far));
  OK(toc_put_imm(near, s->near, s->there, 8, 77, &r));
  OK(toc_wait(r, 0));
  while (toc_progress(s->f)) continue;
  toc_qp_close(far);
  OK(toc_event_next(s->b, &e, 0));
  CHECK(e.kind == TOC_EVENT_IMM && e.value == 77 && !e.qp);
  toc_qp_close(near);

  // a task that is refused, and why
  OK(xtq_put(s->ab, &(xtq_task){.queue = 3, .process = toc_proc_index(s->b)}, &r));
  IS(toc_wait(r, 0), TOC_E_INVALID);
  OK(toc_event_next(s->b, &e, 0));
  EQ(e.kind, TOC_EVENT_REFUSED);
  CHECK(strstr(toc_reason(e.value), "no kernel"));
  CHECK(strstr(toc_reason(NIC_WHY_OPCODE + 1), "unknown") && strstr(toc_reason(NIC_WHY_NO_EVENT), "event ring"));
  OK(toc_qp_resume(s->ab));

  IS(toc_action_parse("log+", &action), TOC_E_ACTION);
  IS(toc_action_parse("+log", &action), TOC_E_ACTION);
  IS(toc_action_parse("logs", &action), TOC_E_ACTION);
}

/* Who runs for something cannot close it. */
static unsigned refused;
static void closes_its_log(void *arg, const toc_access *a) {
  (void)arg;
  refused += toc_log_close(a->log) == TOC_E_IN_USE;
}
static void closes_its_queue(void *queue, const toc_call *c) {
  (void)c;
  refused += xtq_queue_close(queue) == TOC_E_IN_USE;
}

static void from_inside(scene *s) {
  toc_log *log;
  xtq_queue *queue;
  toc_agent *agent;
  toc_req r;
  OK(toc_log_open(s->b, NULL, &log));
  OK(toc_associate(s->b, s->far, 4096, &(toc_rule){.put = TOC_COUNT, .log = log, .handler = closes_its_log}));
  OK(toc_put(s->ab, s->near, s->there, 8, &r));
  OK(toc_wait(r, 0));
  OK(toc_log_wait(log, 0));
  OK(toc_log_run(log, 0));
  EQ(refused, 1);
  OK(toc_log_close(log));
  OK(xtq_queue_open(s->b, NULL, &queue));
  OK(toc_agent_open(queue, false, &agent));
  OK(xtq_register_queue(s->b, 0, queue));
  OK(xtq_register_kernel(s->b, 0, &(xtq_code){.code = toc_agent_code(agent, closes_its_queue, queue)}));
  OK(xtq_put(s->ab, &(xtq_task){.process = toc_proc_index(s->b)}, &r));
  OK(toc_wait(r, 0));
  OK(toc_agent_run(agent, 0, NULL));
  EQ(refused, 2);
  OK(xtq_queue_close(queue));
}

int main(int argc, char **argv) {
  scene s;
  toc_req r;
  scene_options(argc, argv);
  if (scene_open(&s, NULL)) {
    nothing(&s);
    nothing_quietly();
    too_much(&s);
    out_of_turn(&s);
    from_inside(&s);
    memset(s.near, 7, 64);  // and all is as it was
    OK(toc_put(s.ab, s.near, s.there, 64, &r));
    OK(toc_wait(r, 0));
    CHECK(s.far[63] == 7);
    OK(toc_wait_all(s.ab, 0));
  }
  scene_close(&s);
  return report();
}
