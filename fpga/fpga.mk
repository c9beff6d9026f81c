# SPDX-License-Identifier: Apache-2.0
# ECP5: what a block costs, and the whole on an LFE5U-85F. scripts/fpga.py does the work; nextpnr comes from PyPI.
FPGA_TOP  ?= $(if $(filter command line,$(origin TOP)),$(TOP),aa_iommu)
# What `make levels` and `make area` look at: of the NIC as much under way as memory of 200 cycles asks for at 128 bits;
# the defaults are for 256, where a message of 64 bytes takes half as many cycles (rtl/nic/README.md, "What is under
# way"). What `make fpga` builds, which has to fit, stands in scripts/fpga.py (BUILT).
FPGA_OF     := $(if $(filter aa_iommu,$(FPGA_TOP)),NumPorts=1,RespDepth=32$(comma)Ahead=32$(comma)ReadTags=64)
FPGA_PARAMS ?= DataW=128$(comma)$(FPGA_OF)
# Before anything is synthesized.
fpga-asked  := $(if $(PARAMS),scripts/asked.py '$(PARAMS)' &&)
VENV_FPGA := .venv/fpga.stamp
$(VENV_FPGA): fpga/requirements.txt | need-fpga
	@echo "tocsin: installing $$(grep -c == $<) pinned Python packages into .venv"
	$(Q)$(PY) -m venv .venv && .venv/bin/pip -q --disable-pip-version-check install -r $< && touch $@

# Moves the cells of a placement (README.md, "Annealed").
ANNEAL := $(B)/fpga/anneal
$(ANNEAL): $(wildcard fpga/anneal/*.[ch]) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(WARN) $(CFLAGS) -o $@ $(filter %.c,$^) -lm

.PHONY: fpga
fpga: $(VENV_FPGA) $(ANNEAL) ## synthesis, place and route, bitstream for an ECP5-85: [TOP=aa_iommu|xtq_nic|tocsin] [MOVES=12 thousands a cell, ROUNDS=40 of the NIC's router]; leaves build/report/fpga[-TOP].json
	$(Q)$(fpga-asked) PLACEMENT=$(PLACEMENT) scripts/fpga.py build $(FPGA_TOP) $(PARAMS)

.PHONY: area
area: $(if $(PNR),$(VENV_FPGA) $(ANNEAL)) | need-area ## what Active Access costs on an ECP5; or one block: BLOCK=aa_x [PARAMS=N=1,M=2] [PNR=1 for its Fmax]
	$(Q)$(fpga-asked) scripts/fpga.py \
	  $(if $(BLOCK),area $(BLOCK) $(PARAMS) $(if $(PNR),--pnr),compare $(FPGA_TOP) $(or $(PARAMS),$(FPGA_PARAMS)))

.PHONY: levels
levels: | need-area ## the deepest ways between the blocks of TOP=xtq_nic, tocsin, aa_iommu or any block: LUTs, no placement
	$(Q)$(fpga-asked) scripts/fpga.py deep $(FPGA_TOP) $(or $(PARAMS),$(FPGA_PARAMS))

# Three registers, a LUT and an input: the longest way is a clock to output of 500 ps, 1000 of wire,
# 200 of LUT, 700 and a setup of 50; a clock enable is 500 + 2000 + 120; what comes from a pin alone has no end.
# sta.txt is this, computed by hand.
.PHONY: sta-check
sta-check: ## the paths that scripts/sta.py finds in a design of three registers
	$(Q)mkdir -p $(REPORT) && { scripts/sta.py fpga/test/sta.sdf --ns 2.5 && \
	  scripts/sta.py fpga/test/sta.sdf --ns 1.5 --of '^u_a'; } > $(REPORT)/sta.txt && \
	  diff fpga/test/sta.txt $(REPORT)/sta.txt
TESTS += sta-check

.PHONY: fanout-check
fanout-check: | need-lint ## what scripts/fanout.py copies of a small design, and that it stays the same
	$(Q)fpga/test/test_fanout.py $(B)/fpga/fanout
TESTS += fanout-check

.PHONY: untie-check
untie-check: | need-lint ## what scripts/untie.py leaves open of small memories, and that they stay the same
	$(Q)fpga/test/test_untie.py $(B)/fpga/untie
TESTS += untie-check

.PHONY: anneal-check
anneal-check: $(ANNEAL) ## what fpga/anneal does with a small placement, and says of one that is wrong
	$(Q)fpga/test/test_anneal.py $(ANNEAL)
TESTS += anneal-check

.PHONY: build-check
build-check: ## what `make fpga` says and keeps of a design that does not fit, is not routed, or is
	$(Q)fpga/test/test_build.py
TESTS += build-check
