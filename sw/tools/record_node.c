// SPDX-License-Identifier: Apache-2.0
// Software writes memory unseen. So all the memory that it has is compared with what is known of it before each input;
// what differs becomes a B record there, and is kept if the device reads it. What the device wrote since the last input
// becomes E records.
#include "record_node.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "trace_player.h"
#include "tocsin/aa_log.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"
#include "tocsin/regs_table.h"
#include "tocsin/tocsin_model.h"
#include "tocsin/trace.h"

enum { NIC_BIT = 1 << 20, GRAIN = 16, PAGE = 4096, LONGEST = 64 };

// One record to be. Of memory: at most GRAIN bytes, in one grain.
typedef struct item {
  aa_trace_kind kind;
  bool needed, flag;  // flag: err, again, loose
  bool bent;          // of a frame that came in
  uint8_t size;
  uint32_t bytes;
  uint64_t ns, addr, value;
  uint8_t *data;                       // frames
  uint8_t grain[GRAIN], loose[GRAIN];  // loose: of what must be
} item;

typedef struct extent {
  uint64_t addr;
  const uint8_t *data;
  size_t bytes;
} extent;

struct node_recorder {
  FILE *out;
  char *what;
  mem *known;   // memory as the trace has it by now
  mem *writer;  // of each grain, four bytes: the B item that wrote it last, plus 1
  mem *dirty;   // a byte for each: the device wrote it since the last input
  mem *loose;   // of what it wrote: bits that another device may write otherwise
  struct {
    uint64_t base, size;
  } log[AA_REG_LOG_BASE_NUM];
  item *item;
  unsigned items, room;
  extent *memory;
  unsigned extents;
  uint64_t *page;  // that are dirty
  unsigned pages, page_room;
  uint64_t ns;
};

static void *grown(void *p, unsigned n, unsigned *room, size_t each) {
  if (n < *room) return p;
  *room = *room ? 2 * *room : 64;
  p = realloc(p, *room * each);
  if (!p) abort();
  return p;
}

static item *item_new(node_recorder *r, aa_trace_kind kind) {
  r->item = grown(r->item, r->items, &r->room, sizeof *r->item);
  item *t = &r->item[r->items++];
  *t = (item){.kind = kind, .needed = true, .ns = r->ns};
  return t;
}

// ---- memory that software wrote
static uint64_t place_of(uint64_t addr) { return addr / GRAIN * 4; }

// A grain as software left it.
static void written(node_recorder *r, uint64_t grain, const uint8_t *data) {
  item *t = item_new(r, AA_TRACE_MEM);
  uint32_t index = r->items;
  t->needed = false;
  t->addr = grain;
  t->bytes = GRAIN;
  memcpy(t->grain, data, GRAIN);
  mem_write(r->known, grain, data, GRAIN);
  mem_write(r->writer, place_of(grain), &index, sizeof index);
}

static void compare_page(node_recorder *r, uint64_t addr, const uint8_t *data) {
  uint8_t have[PAGE];
  mem_read(r->known, addr, have, PAGE);
  if (!memcmp(have, data, PAGE)) return;
  for (unsigned i = 0; i < PAGE; i += GRAIN)
    if (memcmp(have + i, data + i, GRAIN)) written(r, addr + i, data + i);
}

static void compare_all(node_recorder *r) {
  for (unsigned i = 0; i < r->extents; i++)
    for (size_t k = 0; k < r->memory[i].bytes; k += PAGE) compare_page(r, r->memory[i].addr + k, r->memory[i].data + k);
}

static void memory_taken(node_recorder *r, const toc_seen *s) {
  for (unsigned i = 0; i < r->extents; i++)
    if (s->addr - r->memory[i].addr < r->memory[i].bytes &&
        s->bytes <= r->memory[i].bytes - (s->addr - r->memory[i].addr))
      return;
  r->memory = realloc(r->memory, (r->extents + 1) * sizeof *r->memory);
  if (!r->memory) abort();
  r->memory[r->extents++] = (extent){s->addr, s->data, s->bytes};
}

// The device reads or overwrites what software wrote there: that stays in the trace.
static void need(node_recorder *r, uint64_t addr) {
  uint32_t index = 0;
  mem_read(r->writer, place_of(addr), &index, sizeof index);
  if (index) r->item[index - 1].needed = true;
}

// What software wrote since the last input shows only now.
static void device_read(node_recorder *r, const toc_seen *s) {
  uint8_t grain[GRAIN];
  for (uint64_t at = s->addr / GRAIN * GRAIN; at < s->addr + s->bytes; at += GRAIN) {
    uint64_t from = at > s->addr ? at : s->addr, to = at + GRAIN < s->addr + s->bytes ? at + GRAIN : s->addr + s->bytes;
    mem_read(r->known, at, grain, GRAIN);
    if (memcmp(grain + (from - at), s->data + (from - s->addr), to - from)) {
      memcpy(grain + (from - at), s->data + (from - s->addr), to - from);
      written(r, at, grain);
    }
    need(r, at);
  }
}

// ---- memory that the device wrote
static void log_register(node_recorder *r, const toc_seen *s) {
  uint64_t base = s->addr - AA_REG_LOG_BASE, cfg = s->addr - AA_REG_LOG_CFG;
  if (base < AA_REG_LOG_BASE_NUM * AA_REG_LOG_BASE_STRIDE && !(base % AA_REG_LOG_BASE_STRIDE))
    r->log[base / AA_REG_LOG_BASE_STRIDE].base = s->value;
  if (cfg < AA_REG_LOG_CFG_NUM * AA_REG_LOG_CFG_STRIDE && !(cfg % AA_REG_LOG_CFG_STRIDE))
    r->log[cfg / AA_REG_LOG_CFG_STRIDE].size =
        s->value & AA_LOG_CFG_EN_MASK ? 1ULL << (s->value >> AA_LOG_CFG_SIZE_LSB & 31) : 0;
}

static bool in_log(const node_recorder *r, uint64_t addr) {
  for (unsigned i = 0; i < AA_REG_LOG_BASE_NUM; i++)
    if (addr - r->log[i].base < r->log[i].size) return true;
  return false;
}

// The header of a get or an atomic in an access log has the tag that the NIC happened to take for it.
static void loosen(node_recorder *r, const toc_seen *s) {
  uint8_t loose[GRAIN] = {0};
  uint64_t info = 0;
  if (s->bytes >= GRAIN && in_log(r, s->addr)) {
    memcpy(&info, s->data + 8, 8);
    unsigned kind = aa_entry_kind(info);
    if (kind == AA_ENTRY_GET || kind == AA_ENTRY_ATOMIC) loose[12] = 0xC0, loose[13] = 0xFF;
  }
  for (uint64_t at = s->addr; at < s->addr + s->bytes; at += GRAIN) {
    mem_write(r->loose, at, loose, s->addr + s->bytes - at < GRAIN ? s->addr + s->bytes - at : GRAIN);
    memset(loose, 0, sizeof loose);
  }
}

static void device_wrote(node_recorder *r, const toc_seen *s) {
  mem_write(r->known, s->addr, s->data, s->bytes);
  loosen(r, s);
  for (uint64_t at = s->addr / GRAIN * GRAIN; at < s->addr + s->bytes; at += GRAIN) need(r, at);
  for (uint64_t at = s->addr; at < s->addr + s->bytes; at++) {
    if (at == s->addr || !(at % PAGE)) {
      r->page = grown(r->page, r->pages, &r->page_room, sizeof *r->page);
      r->page[r->pages++] = at / PAGE * PAGE;
    }
    mem_write(r->dirty, at, &(uint8_t){1}, 1);
  }
}

static void expect(node_recorder *r, uint64_t page) {
  uint8_t dirty[PAGE];
  mem_read(r->dirty, page, dirty, PAGE);
  for (unsigned i = 0, k; i < PAGE; i += k) {
    for (k = 0; i + k < PAGE && k < GRAIN - i % GRAIN && dirty[i + k]; k++) continue;
    if (k) {
      item *t = item_new(r, AA_TRACE_EXP_MEM);
      t->addr = page + i;
      t->bytes = k;
      mem_read(r->known, t->addr, t->grain, k);
      mem_read(r->loose, t->addr, t->loose, k);
      for (unsigned j = 0; j < k; j++) t->flag |= t->loose[j] != 0;
    } else {
      k = 1;
    }
  }
  memset(dirty, 0, PAGE);
  mem_write(r->dirty, page, dirty, PAGE);
}

static int by_address(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// Before an input: what has come of the last one, then what software has made of it.
static void before_input(node_recorder *r) {
  if (r->pages) qsort(r->page, r->pages, sizeof *r->page, by_address);
  for (unsigned i = 0; i < r->pages; i++)
    if (!i || r->page[i] != r->page[i - 1]) expect(r, r->page[i]);
  r->pages = 0;
}

// ---- registers and frames
static bool among(const char *name, const char *const *list) {
  while (*list && strcmp(name, *list)) list++;
  return *list != NULL;
}

// What a read must bring: what stands in hardware for good, exactly; what counts, nothing; else software waited for it.
static void reg_read(node_recorder *r, const toc_seen *s) {
  static const char *const fixed[] = {"VER", "CAP", "ECAP", "AA_ID", "AA_CAP", "NIC_ID", "NIC_CAP", NULL};
  static const char *const counts[] = {"CNT", "NIC_CNT", NULL};
  const tocsin_reg_map *map = s->addr & NIC_BIT ? &tocsin_nic_reg_map : &tocsin_aa_reg_map;
  const tocsin_reg *reg = tocsin_reg_at(map, (uint32_t)s->addr & (NIC_BIT - 1), NULL);
  item *t =
      item_new(r, reg && (among(reg->name, fixed) || among(reg->name, counts)) ? AA_TRACE_REG_READ : AA_TRACE_WAIT_REG);
  t->addr = s->addr;
  t->size = (uint8_t)s->size;
  t->value = s->value;
  t->flag = reg && among(reg->name, counts);
}

static void reg_write(node_recorder *r, const toc_seen *s) {
  if (!(s->addr & NIC_BIT)) log_register(r, s);
  item *t = item_new(r, AA_TRACE_REG_WRITE);
  t->addr = s->addr;
  t->size = (uint8_t)s->size;
  t->value = s->value;
}

static bool sent_before(const node_recorder *r, const toc_seen *s) {
  for (unsigned i = r->items; i--;) {
    const item *t = &r->item[i];
    if (t->kind == AA_TRACE_FRAME_OUT && t->bytes == s->bytes && !memcmp(t->data, s->data, s->bytes)) return true;
  }
  return false;
}

static void frame(node_recorder *r, const toc_seen *s, aa_trace_kind kind) {
  bool flag = kind == AA_TRACE_FRAME_IN ? s->value : sent_before(r, s);
  item *t = item_new(r, kind);
  t->flag = flag;
  t->bent = kind == AA_TRACE_FRAME_IN && player_frame_bent(s->data, s->bytes);
  t->bytes = (uint32_t)s->bytes;
  t->data = malloc(s->bytes);
  if (!t->data) abort();
  memcpy(t->data, s->data, s->bytes);
}

static void input(node_recorder *r, const toc_seen *s) {
  before_input(r);
  compare_all(r);
  if (s->kind == TOC_SEEN_REG_READ)
    reg_read(r, s);
  else if (s->kind == TOC_SEEN_REG_WRITE)
    reg_write(r, s);
  else
    frame(r, s, AA_TRACE_FRAME_IN);
}

void node_record_see(node_recorder *r, const toc_seen *s) {
  r->ns = s->ns;
  switch (s->kind) {
    case TOC_SEEN_REG_READ:
    case TOC_SEEN_REG_WRITE:
    case TOC_SEEN_FRAME_IN: input(r, s); break;
    case TOC_SEEN_FRAME: frame(r, s, AA_TRACE_FRAME_OUT); break;
    case TOC_SEEN_MEM_READ: device_read(r, s); break;
    case TOC_SEEN_MEM_WRITE: device_wrote(r, s); break;
    case TOC_SEEN_MEMORY: memory_taken(r, s); break;
    default: break;  // between NIC, IOMMU and host: for traces of an IOMMU
  }
}

// ---- the file
node_recorder *node_record_open(FILE *out, const char *what) {
  node_recorder *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  *r = (node_recorder){.out = out,
                       .what = strdup(what),
                       .known = mem_new(),
                       .writer = mem_new(),
                       .dirty = mem_new(),
                       .loose = mem_new()};
  return r;
}

// Parameters that software has seen, and without which the trace means nothing.
static void parameters(FILE *out) {
  tocsin_model_config c;
  tocsin_model_config_default(&c);
  const struct {
    const char *name;
    unsigned value;
  } p[] = {{"NumProcs", c.nic.NumProcs},       {"NumQps", c.nic.NumQps},        {"NumMrs", c.nic.NumMrs},
           {"TableBits", c.nic.TableBits},     {"RecvDepth", c.nic.RecvDepth},  {"NumLogs", c.aa.NumLogs},
           {"LogDepth", c.aa.LogDepth},        {"FlushPages", c.aa.FlushPages}, {"FlushWaiters", c.aa.FlushWaiters},
           {"ScratchWords", c.aa.ScratchWords}};
  for (unsigned i = 0; i < sizeof p / sizeof *p; i++) fprintf(out, "P %s %u\n", p[i].name, p[i].value);
}

static bool follows(const aa_trace_rec *t, const item *i) {
  return t->kind == i->kind && (i->kind == AA_TRACE_MEM || i->kind == AA_TRACE_EXP_MEM) &&
         t->addr + t->bytes == i->addr && t->bytes + i->bytes <= LONGEST && !t->masked &&
         !(i->kind == AA_TRACE_EXP_MEM && i->flag);
}

static void fill(aa_trace_rec *t, const item *i) {
  memset(t, 0, offsetof(aa_trace_rec, data));
  t->kind = i->kind;
  t->addr = i->addr;
  t->value = i->value;
  t->size = i->size;
  t->mask = i->kind == AA_TRACE_REG_READ && i->flag ? 0 : i->size == 8 ? ~0ULL : 0xFFFFFFFFULL;
  t->bytes = i->bytes;
  t->err = i->kind == AA_TRACE_FRAME_IN && i->flag;
  t->again = i->kind == AA_TRACE_FRAME_OUT && i->flag;
  t->bent = i->bent;
  t->masked = i->kind == AA_TRACE_EXP_MEM && i->flag;
  if (i->bytes) memcpy(t->data, i->data ? i->data : i->grain, i->bytes);
  for (uint32_t k = 0; t->masked && k < i->bytes; k++) t->data[i->bytes + k] = (uint8_t)~i->loose[k];
}

static bool put_all(const node_recorder *r) {
  static aa_trace_rec t;
  uint64_t ns = 0;
  memset(&t, 0, offsetof(aa_trace_rec, data));
  for (unsigned k = 0; k < r->items; k++) {
    const item *i = &r->item[k];
    if (!i->needed) continue;
    if (t.kind && follows(&t, i)) {
      memcpy(t.data + t.bytes, i->grain, i->bytes);
      t.bytes += i->bytes;
      continue;
    }
    if (t.kind && aa_trace_write(r->out, &t)) return false;
    if (i->ns != ns) fprintf(r->out, "K %" PRIu64 "\n", i->ns);
    ns = i->ns;
    fill(&t, i);
  }
  return !t.kind || !aa_trace_write(r->out, &t);
}

bool node_record_close(node_recorder *r) {
  before_input(r);
  fprintf(r->out, "# %s\nA tocsin\n", r->what);
  parameters(r->out);
  bool good = put_all(r) && fputs("Q\n", r->out) != EOF && !ferror(r->out);
  for (unsigned i = 0; i < r->items; i++) free(r->item[i].data);
  mem_free(r->known);
  mem_free(r->writer);
  mem_free(r->dirty);
  mem_free(r->loose);
  free(r->item);
  free(r->memory);
  free(r->page);
  free(r->what);
  free(r);
  return good;
}
