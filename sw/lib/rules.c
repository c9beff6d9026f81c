// SPDX-License-Identifier: Apache-2.0
// What pages say: rules by address, and the leaves that come of mappings and rules.
#include <stdlib.h>

#include "internal.h"

// ---- the set of rules: sorted, without overlaps
static bool reserve(toc_i_proc *p) { /* two more: one range may become three, the new one between */
  if (p->rules + 2 <= p->rule_room) return true;
  size_t room = p->rule_room ? 2 * p->rule_room : 16;
  toc_rule_range *more = realloc(p->rule, room * sizeof *more);
  if (!more) return false;
  p->rule = more;
  p->rule_room = room;
  return true;
}

static toc_status no_room(void) { return toc_i_fail(TOC_E_NOMEM, "no memory for a rule"); }

static void insert(toc_i_proc *p, toc_rule_range r) {
  size_t i = p->rules++;
  for (; i && p->rule[i - 1].iova > r.iova; i--) p->rule[i] = p->rule[i - 1];
  p->rule[i] = r;
}

static void erase(toc_i_proc *p, size_t i) {
  memmove(&p->rule[i], &p->rule[i + 1], (p->rules - i - 1) * sizeof *p->rule);
  p->rules--;
}

/* Takes [iova, end) out of all ranges. Room for one more must be there: one range may become two. */
static void clear(toc_i_proc *p, uint64_t iova, uint64_t end) {
  for (size_t i = 0; i < p->rules;) {
    toc_rule_range r = p->rule[i];
    uint64_t last = r.iova + r.bytes;
    if (last <= iova || r.iova >= end) {
      i++;
      continue;
    }
    erase(p, i);
    if (r.iova < iova) insert(p, (toc_rule_range){r.iova, iova - r.iova, r.rule});
    if (last > end) insert(p, (toc_rule_range){end, last - end, r.rule});
    i = 0;
  }
}

// ---- leaves
static bool leaf_of(toc_i_proc *p, uint64_t iova, aa_leaf *l) {
  toc_mapping *m = toc_i_mapping_at(p, iova);
  toc_rule_range *r = toc_i_rule_at(p, iova);
  memset(l, 0, sizeof *l);
  if (!m && !r) return false;
  if (m) {
    l->pa = m->bus + (iova - m->iova);
    l->r = m->rights & TOC_READ;
    l->w = m->rights & TOC_WRITE;
  }
  if (!r) return true;
  unsigned put = r->rule.put, get = r->rule.get, any = put | get;
  if (put & TOC_BLOCK) l->w = false;
  if (get & TOC_BLOCK) l->r = false;
  l->wl = put & (TOC_COUNT | TOC_WATCH);
  l->wld = put & TOC_LOG;
  l->rl = get & (TOC_COUNT | TOC_WATCH);
  l->rld = get & TOC_LOG;
  l->e = any & (TOC_COUNT | TOC_LOG | TOC_BLOCK);
  if (r->rule.log) l->iuid = (uint16_t)(IUID0 + r->rule.log->index);
  return true;
}

toc_status toc_i_pages(toc_i_proc *p, uint64_t iova, uint64_t bytes, bool fresh) {
  aa_table_status s = AA_TABLE_OK;
  for (uint64_t at = iova; at < iova + bytes && s == AA_TABLE_OK; at += PAGE) {
    aa_leaf l;
    if (leaf_of(p, at, &l)) {
      s = aa_table_map(&p->tables.t, p->level4, at, 1, &l);
    } else {
      s = aa_table_unmap(&p->tables.t, p->level4, at, 1);
      if (s == AA_TABLE_E_ABSENT) s = AA_TABLE_OK;
    }
  }
  toc_status t = fresh ? TOC_OK : toc_i_invalidate(p->n, p->did, iova, bytes / PAGE == 1 ? 1 : 2);
  if (s != AA_TABLE_OK)
    return toc_i_fail(TOC_E_NOMEM, "page tables of process %u: %s", p->index, aa_table_strstatus(s));
  return t;
}

static toc_status refresh(toc_i_proc *p, uint64_t iova, uint64_t bytes) { return toc_i_pages(p, iova, bytes, false); }

toc_status toc_i_rule_set(toc_i_proc *p, uint64_t iova, uint64_t bytes, const toc_i_rule *r) {
  if (!reserve(p)) return no_room();
  clear(p, iova, iova + bytes);
  if (r) insert(p, (toc_rule_range){iova, bytes, *r});
  return refresh(p, iova, bytes);
}

toc_status toc_i_rules_drop(toc_i_proc *p, const toc_i_log *l) {
  toc_status s = TOC_OK;
  for (size_t i = 0; i < p->rules;) {
    toc_rule_range r = p->rule[i];
    if (r.rule.log != l) {
      i++;
      continue;
    }
    erase(p, i);
    toc_status t = refresh(p, r.iova, r.bytes);
    if (s == TOC_OK) s = t;
    i = 0; /* others may have changed them meanwhile */
  }
  return s;
}

/* The records of these pages that handlers of other threads have in their hands, by log; 1 + place, 0: none. */
static bool in_hands(toc_i_proc *p, uint64_t iova, uint64_t bytes, uint64_t kept[LOGS]) {
  bool any = false;
  for (unsigned i = 0; i < LOGS; i++) {
    const toc_i_log *l = p->n->log[i];
    kept[i] = 0;
    if (!l || l->p != p || !l->handling || l->handled < iova || l->handled - iova >= bytes) continue;
    if (toc_i_run_is_mine(p->n->f, &l->run)) continue;
    kept[i] = 1ull + l->kept;
    any = true;
  }
  return any;
}

toc_status toc_i_rules_quiet(toc_i_proc *p, uint64_t iova, uint64_t bytes) {
  uint64_t then[LOGS], now[LOGS], start;
  if (!in_hands(p, iova, bytes, then)) return TOC_OK;
  start = toc_i_clock_ms();
  for (bool left = true; left;) {
    if (!toc_i_pause(p->n->f, start))
      return toc_i_fail(TOC_E_TIMEOUT,
                        "a handler of what these pages said before has not ended within %u ms of real time",
                        p->n->f->o.patience_ms);
    left = false;
    (void)in_hands(p, iova, bytes, now);
    for (unsigned i = 0; i < LOGS; i++) left |= then[i] && then[i] == now[i];
  }
  return TOC_OK;
}

// ---- the program's side
static toc_status good(toc_i_proc *p, uint64_t iova, uint64_t bytes, const toc_i_rule *r) {
  const unsigned known = TOC_COUNT | TOC_LOG | TOC_BLOCK | TOC_WATCH;
  unsigned any = r->put | r->get;
  if (iova % PAGE || bytes % PAGE || !bytes || !toc_i_below(iova, bytes, 47))
    return toc_i_fail(TOC_E_ALIGN, "toc_associate: whole pages below 2^47, not 0x%llx and %llu bytes",
                      (unsigned long long)iova, (unsigned long long)bytes);
  if (any & ~known || !any) return toc_i_fail(TOC_E_ACTION, "toc_associate: no action, or one that does not exist");
  if ((any & TOC_WATCH) && (any & ~(unsigned)TOC_WATCH))
    return toc_i_fail(TOC_E_ACTION, "toc_associate: TOC_WATCH goes with no other action on the same pages");
  if ((any & (TOC_COUNT | TOC_LOG)) && !r->log)
    return toc_i_fail(TOC_E_ARG, "toc_associate: TOC_COUNT, TOC_LOG and TOC_REDIRECT need a log");
  if (r->log && (r->log->p != p || r->log->closing))
    return toc_i_fail(TOC_E_ARG, "toc_associate: the log is another process', or being closed");
  if (bytes >> 21 > p->tables.m.bytes / PAGE) /* a table reaches 2 MiB */
    return toc_i_fail(TOC_E_NOMEM, "toc_associate: %llu bytes need more page tables than process %u has",
                      (unsigned long long)bytes, p->index);
  bool bare = (r->put & TOC_BLOCK) && (r->get & TOC_BLOCK); /* needs no memory */
  if (bare && (iova + bytes <= SPACE_AT || iova >= SPACE_AT + SPACE_BYTES)) return TOC_OK;
  for (uint64_t at = iova; at < iova + bytes;) {
    toc_mapping *m = toc_i_mapping_at(p, at);
    if (!m || m->inside)
      return toc_i_fail(TOC_E_RANGE, "toc_associate: no memory at 0x%llx, and not all is blocked",
                        (unsigned long long)at);
    at = m->iova + m->bytes;
  }
  return TOC_OK;
}

static toc_status associate(toc_i_proc *p, uint64_t iova, uint64_t bytes, const toc_rule *given) {
  const toc_log *h_log = given->log;
  toc_i_rule with = {.put = given->put, .get = given->get, .handler = given->handler, .arg = given->arg}, *rule = &with;
  if (h_log) {
    OBJECT(log, log);
    with.log = log;
  }
  toc_status s = good(p, iova, bytes, rule);
  if (s == TOC_OK && !reserve(p)) return no_room(); /* what the pages say stays */
  if (s == TOC_OK) {
    s = toc_i_rule_set(p, iova, bytes, rule);
    if (s == TOC_E_NOMEM) (void)toc_i_rule_set(p, iova, bytes, NULL); /* not half of it */
    if (s == TOC_OK) s = toc_i_rules_quiet(p, iova, bytes);
  }
  return s;
}

toc_status toc_associate_iova(toc_proc *h_p, uint64_t iova, uint64_t bytes, const toc_rule *rule) {
  OBJECT(proc, p);
  NEED(rule);
  toc_i_fabric *f = p->n->f;
  toc_i_lock(f);
  toc_status s = associate(p, iova, bytes, rule);
  toc_i_unlock(f);
  return s;
}

toc_status toc_associate(toc_proc *h_p, const void *ptr, size_t bytes, const toc_rule *rule) {
  OBJECT(proc, p);
  NEED(rule);
  uint64_t iova;
  toc_i_lock(p->n->f);
  toc_status s = toc_i_local(p, ptr, bytes, 0, &iova);
  if (s == TOC_OK) s = associate(p, iova, bytes, rule);
  toc_i_unlock(p->n->f);
  return s;
}

/* Boxes and flush pages, which the program must leave alone. */
static bool library_owns(toc_i_proc *p, uint64_t iova) {
  if (iova < SPACE_AT || iova >= SPACE_AT + SPACE_BYTES) return false;
  const toc_mapping *m = toc_i_mapping_at(p, iova);
  return !m || m->inside;
}

/* Rule by rule: most of a wide range may have none. */
static toc_status dissociate(toc_i_proc *p, uint64_t iova, uint64_t end) {
  for (size_t i = 0; i < p->rules; i++) {
    const toc_rule_range *r = &p->rule[i];
    if (r->iova < end && iova < r->iova + r->bytes && library_owns(p, r->iova))
      return toc_i_fail(TOC_E_RANGE, "toc_dissociate: the library's own pages are at 0x%llx",
                        (unsigned long long)r->iova);
  }
  for (size_t i = 0; i < p->rules;) {
    uint64_t from = p->rule[i].iova, to = from + p->rule[i].bytes;
    if (from < iova) from = iova;
    if (to > end) to = end;
    if (from >= to) {
      i++;
      continue;
    }
    TRY(toc_i_rule_set(p, from, to - from, NULL));
    i = 0;
  }
  return toc_i_rules_quiet(p, iova, end - iova);
}

toc_status toc_dissociate(toc_proc *h_p, uint64_t iova, uint64_t bytes) {
  OBJECT(proc, p);
  if (iova % PAGE || bytes % PAGE || !bytes || !toc_i_below(iova, bytes, 47))
    return toc_i_fail(TOC_E_ALIGN, "toc_dissociate: whole pages below 2^47");
  toc_i_lock(p->n->f);
  toc_status s = dissociate(p, iova, iova + bytes);
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_action_parse(const char *text, unsigned *action) {
  static const struct {
    const char *name;
    unsigned value;
  } names[] = {{"none", 0},          {"count", TOC_COUNT}, {"log", TOC_LOG}, {"redirect", TOC_REDIRECT},
               {"block", TOC_BLOCK}, {"watch", TOC_WATCH}};
  unsigned sum = 0;
  NEED(action);
  *action = 0;
  NEED(text);
  if (!*text) return toc_i_fail(TOC_E_ACTION, "'': none, count, log, redirect, block, watch, joined by +");
  for (const char *at = text; *at;) {
    size_t n = strcspn(at, "+"), i = 0;
    while (i < sizeof names / sizeof *names && (strlen(names[i].name) != n || strncmp(names[i].name, at, n))) i++;
    if (i == sizeof names / sizeof *names)
      return toc_i_fail(TOC_E_ACTION, "'%s': none, count, log, redirect, block, watch, joined by +", text);
    sum |= names[i].value;
    at += n;
    if (*at == '+' && !*++at) return toc_i_fail(TOC_E_ACTION, "'%s': nothing behind the last +", text);
  }
  *action = sum;
  return TOC_OK;
}
