# SPDX-License-Identifier: Apache-2.0
# Proofs: verif/formal/table.txt lists them, scripts/formal.py runs them, <module>_props.svh holds them.

# yices and bitwuzla come beside z3 where they can be had, each by itself. Without them z3 proves alone.
VENV_FORMAL := .venv/formal.stamp
SOLVERS     := $(shell grep == verif/formal/requirements.txt)
$(VENV_FORMAL): verif/formal/requirements.txt scripts/bitwuzla.py | need-formal
	@echo "tocsin: installing $(words $(SOLVERS)) pinned Python packages into .venv, solvers: $(SOLVERS)"
	$(Q)all=yes; $(PY) -m venv .venv || all=; for p in $(SOLVERS); do \
	  .venv/bin/pip -q --disable-pip-version-check --retries 1 --timeout 10 install --only-binary :all: $$p || \
	  { all=; echo "tocsin: $$p cannot be had here; the other solvers prove alone"; }; done; \
	  rm -f .venv/bin/bitwuzla; if .venv/bin/python -c 'import bitwuzla' 2>/dev/null; then \
	  sed "1s|.*|#!$$PWD/.venv/bin/python|" scripts/bitwuzla.py >.venv/bin/bitwuzla && \
	  chmod 755 .venv/bin/bitwuzla; fi; [ -z "$$all" ] || touch $@

# They are asked whether a theorem sees a planted bug, too.
mutate: $(VENV_FORMAL)

# formal.py looks for rows of any of them.
FORMAL_BLOCKS := $(shell awk '!/^\#/ && NF { print $$1 }' verif/formal/table.txt | sort -u)
formal-named = $(if $(filter-out $(FORMAL_BLOCKS),$(BLOCK)),echo \
  'formal: the table has no row of: $(filter-out $(FORMAL_BLOCKS),$(BLOCK))' >&2; exit 2;)

.PHONY: formal
# The solvers are not asked whether there is a theorem, a cover or an environment that it may have: that shows
# when a row is elaborated.
formal: $(VENV_FORMAL) | need-formal ## every theorem and cover: [BLOCK=aa_x] [QUICK=1] [FORCE=1] [LEFT=1: what verif/PROOFS.md lacks]; leaves build/report/formal.json
	$(Q)$(formal-named) bad=0; \
	  scripts/formal.py --elaborate $(addprefix --block ,$(BLOCK)) $(if $(QUICK),--quick) || bad=1; \
	  scripts/formal.py --book --jobs $(JOBS) $(addprefix --block ,$(BLOCK)) $(if $(QUICK),--quick) \
	  $(if $(FORCE),--force) $(if $(LEFT),--left) || bad=1; exit $$bad

# All rows, but no solver: that they elaborate, their labels, what they assume.
.PHONY: formal-rows
formal-rows: | need-formal
	$(Q)$(formal-named) scripts/formal.py --elaborate $(addprefix --block ,$(BLOCK))
TESTS += formal-rows

# Environments that say what the module does are found, others are let pass.
.PHONY: formal-env
formal-env: | need-formal
	$(Q)verif/formal/test_env.py
TESTS += formal-env

# A row that proves nothing, or nothing that a cover shows to be about something, is red.
.PHONY: formal-vacuous
formal-vacuous: | need-formal
	$(Q)verif/formal/test_vacuous.sh
TESTS += formal-vacuous

# What proofs read in the words of the tools, which change from one Yosys to the next.
.PHONY: formal-words
formal-words: | need-cc
	$(Q)verif/formal/test_words.py
TESTS += formal-words

# Each solver that is here, asked for what yices 2.6.5 answers wrongly of sums of 64 bits (wide_sum.v).
.PHONY: formal-sums
formal-sums: $(VENV_FORMAL) | need-formal
	$(Q)mkdir -p $(B)/formal && \
	  yosys -q -p 'read_verilog -sv -formal verif/formal/test/sums.sv; hierarchy -top sums; proc' \
	  -p 'techmap -map verif/formal/wide_sum.v; opt_clean; write_smt2 -wires $(B)/formal/sums.smt2'
	$(Q)PATH=.venv/bin:$$PATH; for s in z3 yices-smt2 bitwuzla; do \
	  command -v $$s >/dev/null || { echo "skipped in part: $$s is not here"; continue; }; s=$${s%-smt2}; \
	  yosys-smtbmc -s $$s --unroll --noprogress -c -t 2 $(B)/formal/sums.smt2 >$(B)/formal/sums-$$s.log 2>&1 && \
	  grep -q 'Reached cover' $(B)/formal/sums-$$s.log || { cat $(B)/formal/sums-$$s.log; exit 1; }; \
	  echo "$$s: reached"; done
TESTS += formal-sums
TESTS_SHARED += $(VENV_FORMAL)

FORMAL_QUICK := $(shell awk '!/^\#/ && / quick/ { print $$1 }' verif/formal/table.txt | sort -u)
.PHONY: $(FORMAL_QUICK:%=formal-%)
$(FORMAL_QUICK:%=formal-%): formal-%: | need-formal
	$(Q)scripts/formal.py --jobs 1 --quick --block $*
TESTS += $(FORMAL_QUICK:%=formal-%)
# Those that take longer than 2 s are proved there when their sources have changed: when verif/PROOFS.md lacks them.
MORE  += $(patsubst %,formal-%, \
    aa_axi_w aa_cpl_mux aa_fault aa_flush_buf aa_iotlb aa_mover aa_msg aa_pay_fifo aa_pick aa_qi aa_reset \
    aa_retire_arb aa_tag_buf aa_xlt_sched ax_align ax_host_rd ax_host_wr ax_rd ax_wr cm_axil_post cm_axil_serial \
    cm_fifo cm_fifo_ram cm_rr_arb cm_uart_rx nic_cnp nic_crc_mul nic_ctx_bell nic_ctx_load nic_ctx_move nic_ctx_save \
    nic_decide nic_fetch nic_icrc_mask nic_rate nic_rd_mux nic_rd_tags nic_regs nic_ring nic_rx_eth nic_split \
    nic_strip nic_timer nic_tx_beat nic_tx_eth nic_tx_head nic_wr nic_wr_mux xtq_check xtq_rbuf xtq_task)
.PHONY: formal-left
formal-left: $(VENV_FORMAL) | need-formal
	$(Q)scripts/formal.py --jobs 1 --quick --left
TESTS += formal-left
