// SPDX-License-Identifier: Apache-2.0
// The program in the guest: verbs by line. It reads a command a line from its serial line, does it with libibverbs, and
// answers with one line, `ok ...` or `no why`. One queue pair, one completion queue, one block of memory. The commands
// stand in `commands` below.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <poll.h>
#include <netinet/in.h>
#include <rdma/rdma_netlink.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "pattern.h"

enum {
  BYTES = 1 << 20,
  ENTRIES = 256,
  PATIENCE_S = 300,
  WORDS = 16,
  LINE = 4096,
  PP_PORT = 18515,
  HEAD = 4 /* of a netlink attribute */
};
#define RIGHTS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)

static struct {
  struct ibv_context *context;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  struct ibv_mr *mr, *other; /* other: for refusals */
  struct ibv_qp *qp;
  uint8_t *bytes;
  uint32_t psn;
  enum ibv_mtu mtu;
  FILE *in, *out;
} g;

static bool say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool say(const char *format, ...) {
  va_list a;
  va_start(a, format);
  vfprintf(g.out, format, a);
  va_end(a);
  fputc('\n', g.out);
  return !fflush(g.out);
}

static bool no(const char *what) { return say("no %s: %s", what, strerror(errno)); }

static uint64_t number(char **word, unsigned i) { return word[i] ? strtoull(word[i], NULL, 0) : 0; }

// ---- rdma link add rxe0 type rxe netdev eth0
static void attribute(struct nlmsghdr *h, unsigned short type, const char *text) {
  struct nlattr *a = (void *)((char *)h + (h->nlmsg_len + 3u) / 4 * 4);
  a->nla_type = type;
  a->nla_len = (unsigned short)((size_t)HEAD + strlen(text) + 1);
  strcpy((char *)a + HEAD, text);
  h->nlmsg_len = (h->nlmsg_len + 3u) / 4 * 4 + (a->nla_len + 3u) / 4 * 4;
}

static bool link_add(void) {
  union {
    struct nlmsghdr h;
    char bytes[512];
  } m = {.h = {.nlmsg_len = NLMSG_LENGTH(0),
               .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_NEWLINK),
               .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK}};
  attribute(&m.h, RDMA_NLDEV_ATTR_DEV_NAME, "rxe0");
  attribute(&m.h, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe");
  attribute(&m.h, RDMA_NLDEV_ATTR_NDEV_NAME, "eth0");
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
  bool sent = fd >= 0 && send(fd, &m, m.h.nlmsg_len, 0) > 0 && recv(fd, &m, sizeof m, 0) > 0;
  const struct nlmsgerr *e = NLMSG_DATA(&m.h);
  if (sent && m.h.nlmsg_type == NLMSG_ERROR && e->error) {
    errno = -e->error;
    sent = false;
  }
  if (fd >= 0) close(fd);
  return sent;
}

/* Its index: of eth0, or of the VLAN's interface, whose addresses are GIDs of the same device. It appears some time
 * after the address. */
static int gid_of(unsigned path, union ibv_gid *gid) {
  for (unsigned turn = 0; turn < 600; turn++) {
    for (uint32_t i = 0; i < 16; i++) {
      static const uint8_t mapped[12] = {[10] = 0xff, 0xff};
      struct ibv_gid_entry e;
      char name[IF_NAMESIZE];
      if (ibv_query_gid_ex(g.context, 1, i, &e, 0) || !if_indextoname(e.ndev_ifindex, name)) continue;
      *gid = e.gid;
      if (!(path & PATH_IP6) == !memcmp(gid->raw, mapped, 12) && !(path & PATH_VLAN) == !strcmp(name, "eth0"))
        return (int)i;
    }
    usleep(100000);
  }
  return -1;
}

static void gid_text(const union ibv_gid *gid, char *text) {
  for (unsigned i = 0; i < 16; i++) sprintf(text + 2 * i, "%02x", gid->raw[i]);
}

static bool open_device(void) {
  int n = 0;
  struct ibv_device **list = link_add() ? ibv_get_device_list(&n) : NULL;
  if (!list || !n) return false;
  g.context = ibv_open_device(list[0]);
  g.pd = g.context ? ibv_alloc_pd(g.context) : NULL;
  g.cq = g.pd ? ibv_create_cq(g.context, 4 * ENTRIES, NULL, NULL, 0) : NULL;
  g.bytes = aligned_alloc(4096, BYTES);
  g.mr = g.cq && g.bytes ? ibv_reg_mr(g.pd, g.bytes, BYTES, RIGHTS) : NULL;
  return g.mr != NULL;
}

// ---- commands
/* hello: ok INDEX GID ..., of each path */
static bool do_hello(char **w) {
  char all[PATHS * 40] = "", text[33];
  (void)w;
  for (unsigned path = 0; path < PATHS; path++) {
    union ibv_gid gid;
    int i = gid_of(path, &gid);
    if (i < 0) return say("no gid of path %u", path);
    gid_text(&gid, text);
    sprintf(all + strlen(all), " %d %s", i, text);
  }
  return say("ok%s", all);
}

static void drop_qp(void) {
  if (g.qp) ibv_destroy_qp(g.qp);
  g.qp = NULL;
  if (g.other) ibv_dereg_mr(g.other);
  g.other = NULL;
  for (struct ibv_wc wc; ibv_poll_cq(g.cq, 1, &wc) > 0;) {
  }
}

/* qp PSN MTU: ok QPN ADDRESS KEY */
static bool do_qp(char **w) {
  drop_qp();
  struct ibv_qp_init_attr a = {
      .send_cq = g.cq,
      .recv_cq = g.cq,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = ENTRIES, .max_recv_wr = ENTRIES, .max_send_sge = 1, .max_recv_sge = 1}};
  struct ibv_qp_attr init = {
      .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = RIGHTS & ~IBV_ACCESS_LOCAL_WRITE};
  g.psn = (uint32_t)number(w, 1);
  g.mtu = (enum ibv_mtu)(__builtin_ctzll(number(w, 2)) - 7);
  g.qp = ibv_create_qp(g.pd, &a);
  if (!g.qp) return no("ibv_create_qp");
  if (ibv_modify_qp(g.qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
    return no("INIT");
  return say("ok %u %" PRIuPTR " %u", g.qp->qp_num, (uintptr_t)g.bytes, g.mr->rkey);
}

/* go QPN PSN GID TIMEOUT RETRY RNR_RETRY READS MIN_RNR PATH: connects. GID: 32 digits. */
static bool do_go(char **w) {
  union ibv_gid to, own;
  for (unsigned i = 0; i < 16; i++)
    if (!w[3] || sscanf(w[3] + 2 * i, "%2hhx", &to.raw[i]) != 1) return say("no gid");
  int index = gid_of((unsigned)number(w, 9), &own);
  struct ibv_qp_attr r = {
      .qp_state = IBV_QPS_RTR,
      .path_mtu = g.mtu,
      .dest_qp_num = (uint32_t)number(w, 1),
      .rq_psn = (uint32_t)number(w, 2),
      .max_dest_rd_atomic = (uint8_t)number(w, 7),
      .min_rnr_timer = (uint8_t)number(w, 8),
      .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = to, .sgid_index = (uint8_t)index, .hop_limit = 64}}};
  struct ibv_qp_attr s = {.qp_state = IBV_QPS_RTS,
                          .sq_psn = g.psn,
                          .timeout = (uint8_t)number(w, 4),
                          .retry_cnt = (uint8_t)number(w, 5),
                          .rnr_retry = (uint8_t)number(w, 6),
                          .max_rd_atomic = (uint8_t)number(w, 7)};
  if (index < 0) return say("no gid of that kind here");
  if (ibv_modify_qp(g.qp, &r,
                    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
    return no("RTR");
  if (ibv_modify_qp(g.qp, &s,
                    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                        IBV_QP_MAX_QP_RD_ATOMIC))
    return no("RTS");
  return say("ok");
}

static bool inside(uint64_t at, uint64_t n) { return at <= BYTES && n <= BYTES - at; }

/* fill OFFSET BYTES SEED; check OFFSET BYTES SEED */
static bool do_fill(char **w) {
  if (!inside(number(w, 1), number(w, 2))) return say("no such bytes");
  pattern_fill(g.bytes + number(w, 1), number(w, 2), (uint32_t)number(w, 3));
  return say("ok");
}

static bool do_check(char **w) {
  uint64_t at = number(w, 1), n = number(w, 2);
  if (!inside(at, n)) return say("no such bytes");
  size_t i = pattern_differs(g.bytes + at, n, (uint32_t)number(w, 3));
  if (i == n) return say("ok");
  return say("no byte %zu of %" PRIu64 " is %02x, want %02x", i, n, g.bytes[at + i],
             pattern_byte((uint32_t)number(w, 3), i));
}

/* word OFFSET [VALUE]: reads, or writes, 8 bytes */
static bool do_word(char **w) {
  if (!inside(number(w, 1), 8)) return say("no such bytes");
  uint64_t v = number(w, 2);
  if (w[2]) memcpy(g.bytes + number(w, 1), &v, 8);
  memcpy(&v, g.bytes + number(w, 1), 8);
  return say("ok 0x%" PRIx64, v);
}

/* key OFFSET BYTES RIGHTS: another region; 1 read, 2 write, 4 atomic, as toc_expose has them. ok KEY */
static bool do_key(char **w) {
  uint64_t at = number(w, 1), n = number(w, 2), rights = number(w, 3);
  int access = IBV_ACCESS_LOCAL_WRITE | (rights & 1 ? IBV_ACCESS_REMOTE_READ : 0) |
               (rights & 2 ? IBV_ACCESS_REMOTE_WRITE : 0) | (rights & 4 ? IBV_ACCESS_REMOTE_ATOMIC : 0);
  if (!inside(at, n)) return say("no such bytes");
  if (g.other) ibv_dereg_mr(g.other);
  g.other = ibv_reg_mr(g.pd, g.bytes + at, n, (unsigned)access);
  if (!g.other) return no("ibv_reg_mr");
  return say("ok %u", g.other->rkey);
}

/* post OPERATION OFFSET BYTES ADDRESS KEY [A [B [COUNT]]]: A the immediate (or the key to invalidate), what is added,
 * or compared; B what is swapped in. COUNT (1): so many, each BYTES behind the one before, at both sides. */
static bool do_post(char **w) {
  static const struct {
    const char *name;
    enum ibv_wr_opcode op;
  } ops[] = {{"write", IBV_WR_RDMA_WRITE},       {"write_imm", IBV_WR_RDMA_WRITE_WITH_IMM},
             {"read", IBV_WR_RDMA_READ},         {"add", IBV_WR_ATOMIC_FETCH_AND_ADD},
             {"cas", IBV_WR_ATOMIC_CMP_AND_SWP}, {"send", IBV_WR_SEND},
             {"send_imm", IBV_WR_SEND_WITH_IMM}, {"send_inv", IBV_WR_SEND_WITH_INV}};
  unsigned k = 0, count = w[1] && w[2] && w[3] && w[4] && w[5] && w[6] && w[7] && w[8] ? (unsigned)number(w, 8) : 1;
  while (k < sizeof ops / sizeof *ops && (!w[1] || strcmp(w[1], ops[k].name))) k++;
  if (k == sizeof ops / sizeof *ops) return say("no such operation");
  uint64_t n = number(w, 3);
  for (unsigned i = 0; i < count; i++) {
    struct ibv_sge sge = {(uintptr_t)g.bytes + number(w, 2) + i * n, (uint32_t)n, g.mr->lkey};
    struct ibv_send_wr wr = {
        .wr_id = i, .sg_list = &sge, .num_sge = n ? 1 : 0, .opcode = ops[k].op, .send_flags = IBV_SEND_SIGNALED};
    struct ibv_send_wr *bad;
    uint64_t far = number(w, 4) + i * n;
    if (wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
      wr.wr.atomic.remote_addr = far;
      wr.wr.atomic.rkey = (uint32_t)number(w, 5);
      wr.wr.atomic.compare_add = number(w, 6);
      wr.wr.atomic.swap = w[6] ? number(w, 7) : 0;
    } else {
      wr.wr.rdma.remote_addr = far;
      wr.wr.rdma.rkey = (uint32_t)number(w, 5);
      if (wr.opcode == IBV_WR_SEND_WITH_INV)
        wr.invalidate_rkey = (uint32_t)number(w, 6);
      else
        wr.imm_data = htonl((uint32_t)number(w, 6) + i);
    }
    if ((errno = ibv_post_send(g.qp, &wr, &bad)) != 0) return no("ibv_post_send");
  }
  return say("ok");
}

/* recv OFFSET BYTES COUNT: so many, each BYTES behind the one before */
static bool do_recv(char **w) {
  for (uint64_t i = 0; i < number(w, 3); i++) {
    uint64_t n = number(w, 2);
    struct ibv_sge sge = {(uintptr_t)g.bytes + number(w, 1) + i * n, (uint32_t)n, g.mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = 1000 + i, .sg_list = &sge, .num_sge = n ? 1 : 0}, *bad;
    if ((errno = ibv_post_recv(g.qp, &wr, &bad)) != 0) return no("ibv_post_recv");
  }
  return say("ok");
}

/* wait COUNT: ok STATUS:OPCODE:BYTES:IMMEDIATE ... in their order */
static bool do_wait(char **w) {
  char text[LINE - 64] = "";
  size_t at = 0;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  time_t until = t.tv_sec + PATIENCE_S;
  for (uint64_t left = number(w, 1); left && at + 64 < sizeof text;) {
    struct ibv_wc wc;
    int n = ibv_poll_cq(g.cq, 1, &wc);
    if (n < 0) return say("no ibv_poll_cq");
    if (!n) {
      clock_gettime(CLOCK_MONOTONIC, &t);
      if (t.tv_sec > until)
        return say("no completion within %d s; %" PRIu64 " are missing, have%s", PATIENCE_S, left, text);
      usleep(200);
      continue;
    }
    left--;
    bool imm = wc.wc_flags & IBV_WC_WITH_IMM;
    at += (size_t)snprintf(text + at, sizeof text - at, " %d:%d:%u:%" PRIx32, wc.status, wc.opcode, wc.byte_len,
                           imm ? ntohl(wc.imm_data) : 0);
  }
  return say("ok%s", text);
}

// ---- stock ibv_rc_pingpong: it exchanges "lid:qpn:psn:gid" over TCP. This program is its TCP peer
// and hands the text on.
enum { PP_TEXT = sizeof "0000:000000:000000:00000000000000000000000000000000" };

static int listen_here(void) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PP_PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof a) && !listen(fd, 1)) return fd;
  return -1;
}

static bool read_all(int fd, char *p, size_t n) {
  for (ssize_t k; n; p += k, n -= (size_t)k)
    if ((k = read(fd, p, n)) <= 0) return false;
  return true;
}

/* Begins it; what it prints is for stock_end. */
static pid_t stock(char **args, int *out) {
  int p[2];
  if (pipe(p)) return -1;
  pid_t child = fork();
  if (!child) {
    dup2(p[1], 1);
    dup2(p[1], 2);
    close(p[1]);
    execv("/bin/ibv_rc_pingpong", args);
    _exit(127);
  }
  close(p[1]);
  *out = p[0];
  return child;
}

static bool stock_end(pid_t child, int out) {
  char line[LINE], all[LINE] = "";
  int status = -1;
  FILE *f = fdopen(out, "r");
  struct pollfd quiet = {.fd = out, .events = POLLIN};
  while (f) {
    if (poll(&quiet, 1, PATIENCE_S * 1000) != 1) kill(child, SIGKILL);
    if (!fgets(line, sizeof line, f)) break;
    line[strcspn(line, "\r\n")] = 0;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.200s", *all ? " | " : "", line);
  }
  waitpid(child, &status, 0);
  if (f) fclose(f);
  return say("%s %.3500s", WIFEXITED(status) && !WEXITSTATUS(status) ? "ok" : "no", all);
}

static bool hear_text(char *text) {
  char line[LINE];
  if (!fgets(line, sizeof line, g.in)) return false;
  line[strcspn(line, "\r\n")] = 0;
  memset(text, 0, PP_TEXT);
  memcpy(text, line, strnlen(line, PP_TEXT - 1));
  return true;
}

/* pingpong ARGUMENTS...: the stock client. `pp TEXT` is what it says; a line TEXT is expected for it;
 * in the end `ok WHAT IT PRINTED`. */
static bool do_pingpong(char **w) {
  char *args[WORDS + 4] = {"ibv_rc_pingpong"}, text[PP_TEXT + 1] = "";
  unsigned n = 1;
  int at = listen_here(), out = -1;
  for (; w[n]; n++) args[n] = w[n];
  args[n] = "127.0.0.1";
  pid_t child = at < 0 ? -1 : stock(args, &out);
  if (child < 0) return no("pingpong");
  int fd = accept(at, NULL, NULL);
  if (read_all(fd, text, PP_TEXT)) {
    say("pp %s", text);
    if (!hear_text(text) || write(fd, text, PP_TEXT) < 0) kill(child, SIGKILL);
  }
  bool said = stock_end(child, out);
  if (fd >= 0) close(fd);
  close(at);
  return said;
}

/* pingserve TEXT ARGUMENTS...: the stock server, which is told TEXT and answers `pp TEXT`; it begins
 * when a line has come. */
static bool do_pingserve(char **w) {
  char *args[WORDS + 4] = {"ibv_rc_pingpong"}, text[PP_TEXT + 1] = "";
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PP_PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int out = -1, fd = -1;
  for (unsigned n = 2; w[1] && w[n]; n++) args[n - 1] = w[n];
  pid_t child = stock(args, &out);
  if (child < 0 || !w[1]) return no("pingserve");
  for (unsigned turn = 0; turn < 6000; turn++) {
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !connect(fd, (struct sockaddr *)&a, sizeof a)) break;
    close(fd);
    usleep(10000);
  }
  memcpy(text, w[1], strnlen(w[1], PP_TEXT - 1));
  if (write(fd, text, PP_TEXT) == PP_TEXT && read_all(fd, text, PP_TEXT)) {
    say("pp %s", text);
    if (!hear_text(text) || write(fd, "done", sizeof "done") < 0) kill(child, SIGKILL);
  }
  bool said = stock_end(child, out);
  if (fd >= 0) close(fd);
  return said;
}

/* sync N: ok sync N */
static bool do_sync(char **w) { return say("ok sync %s", w[1] ? w[1] : ""); }

static bool do_end(char **w) {
  (void)w;
  drop_qp();
  return say("ok");
}

static const struct {
  const char *name;
  bool (*run)(char **w);
} commands[] = {{"hello", do_hello},
                {"qp", do_qp},
                {"go", do_go},
                {"fill", do_fill},
                {"check", do_check},
                {"word", do_word},
                {"key", do_key},
                {"post", do_post},
                {"recv", do_recv},
                {"wait", do_wait},
                {"pingpong", do_pingpong},
                {"pingserve", do_pingserve},
                {"sync", do_sync},
                {"end", do_end}};

static bool serial(const char *path) {
  struct termios t;
  int fd = open(path, O_RDWR | O_NOCTTY);
  if (fd < 0 || tcgetattr(fd, &t)) return false;
  cfmakeraw(&t);
  cfsetspeed(&t, B115200);
  tcsetattr(fd, TCSANOW, &t);
  g.in = fdopen(fd, "r");
  g.out = fdopen(dup(fd), "w");
  return g.in && g.out;
}

int main(int argc, char **argv) {
  char line[LINE], *word[WORDS + 1], *save;
  signal(SIGPIPE, SIG_IGN);
  if (argc < 2 || !serial(argv[1])) return 1;
  if (!open_device()) {
    no("the device");
    return 1;
  }
  say("ready");
  while (fgets(line, sizeof line, g.in)) {
    unsigned n = 0;
    for (char *p = strtok_r(line, " \r\n", &save); p && n < WORDS; p = strtok_r(NULL, " \r\n", &save)) word[n++] = p;
    word[n] = NULL;
    if (!n) continue;
    if (!strcmp(word[0], "bye")) break;
    unsigned i = 0;
    while (i < sizeof commands / sizeof *commands && strcmp(word[0], commands[i].name)) i++;
    if (i < sizeof commands / sizeof *commands)
      commands[i].run(word);
    else
      say("no such command: %s", word[0]);
  }
  return 0;
}
