# SPDX-License-Identifier: Apache-2.0
# Co-simulation for others: what is installed, and the examples, built as an outsider would from
# an installed copy alone.
INSTALL_SHARE += $(addprefix sw/checker/,aa_checker.sv aa_signals.svh tocsin_dpi.c tocsin_dpi.h)
NEED_example  := $(NEED_sim) pkg-config
EX            := $(B)/checker
EX_ENV         = PKG_CONFIG_PATH=$(abspath $(EX))/prefix/lib/pkgconfig LD_LIBRARY_PATH=$(abspath $(EX))/prefix/lib \
                 OBJCACHE="$(CCACHE)"
EX_TB         := $(EX)/example/obj_dir/tb
# For what Verilator's own makefile builds, and runs for a second: one unit, not optimized.
VLT_BRIEF     := OPT_FAST=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0

$(EX_TB): $(wildcard sw/checker/*.* sw/checker/example/*) $(RTL_ALL) scripts/manifest.py sw/install.mk \
    sw/tocsin.pc.in \
    $(MODEL_LIB) $(MODEL_SO) $(B)/lib/libtocsin-driver.so.$(VERSION) $(B)/lib/libtocsin-driver.a $(B)/bin/tocsin \
    | need-example
	$(Q)rm -rf $(EX)
	$(Q)$(MAKE) --no-print-directory install PREFIX=$(abspath $(EX))/prefix DESTDIR=
	$(Q)cp -r sw/checker/example $(EX)/example
	$(Q)$(EX_ENV) $(MAKE) --no-print-directory -s -C $(EX)/example CC="$(CCACHE) $(CC)" $(VLT_BRIEF) all \
	  > $(EX)/build.log 2>&1 || \
	  { tail -40 $(EX)/build.log; exit 1; }
TESTS_SHARED += $(EX_TB)

# Runs the examples; then each planted difference must be reported, in the cycle in which it was planted
# and in the right stream.
.PHONY: cosim-example
cosim-example: $(EX_TB) ## the examples of sw/checker, from an installed copy; planted differences must be found
	$(Q)$(EX_ENV) sw/checker/test_example.sh $(EX)
TESTS += cosim-example

# The reports that README.md shows.
PLANT ?= addr
.PHONY: cosim-report
cosim-report: $(EX_TB) ## what the checker of sw/checker says of a difference: [PLANT=addr|cpl|log]
	$(Q)mkdir -p $(REPORT) && LD_LIBRARY_PATH=$(abspath $(EX))/prefix/lib \
	  sw/checker/report.sh $(EX_TB) $(PLANT) >$(REPORT)/cosim-report.txt
	$(Q)cat $(REPORT)/cosim-report.txt
	$(Q)$(if $(filter addr log,$(PLANT)),scripts/measured.py keep $(patsubst %-addr,%,cosim-report-$(PLANT)) --text <$(REPORT)/cosim-report.txt)

# The checker without a warning, at each width.
.PHONY: checker-lint
checker-lint: | need-sim
	$(Q)for w in 128 256 512; do verilator --lint-only -Wall -DTOCSIN_DATA_W=$$w -GNumPorts=3 --top-module aa_checker \
	  verif/lint/waivers.vlt rtl/cm/cm_pkg.sv rtl/aa/aa_pkg.sv sw/checker/aa_checker.sv || exit 1; done
TESTS += checker-lint

# tocsin_dpi.c by itself, under the sanitizers.
.PHONY: cosim-dpi
$(B)/checker-dpi/test_dpi: sw/checker/test_dpi.c sw/checker/tocsin_dpi.c sw/checker/tocsin_dpi.h \
    $(wildcard model/test/*.h) $(B)/model/san/libtocsin.a | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(SAN) $(INC) -Imodel/test -Isw/checker -o $@ sw/checker/test_dpi.c \
	  sw/checker/tocsin_dpi.c \
	  $(B)/model/san/libtocsin.a -lm
cosim-dpi: $(B)/checker-dpi/test_dpi
	$(Q)ASAN_OPTIONS=detect_leaks=1 $<
TESTS += cosim-dpi

# Lists of files for other build systems, in the tree and installed. The Python packages come from PyPI;
# without them that part is skipped.
VENV_FLOW := $(B)/venv/flow
NEED_flow := $(NEED_example) python3-venv
$(VENV_FLOW)/stamp: verif/lint/flow.txt | need-flow
	@echo "tocsin: installing $$(grep -c == $<) pinned Python packages into $(VENV_FLOW)"
	$(Q)mkdir -p $(@D)
	$(Q)$(PY) -m venv $(VENV_FLOW) && $(VENV_FLOW)/bin/pip -q --disable-pip-version-check --retries 1 \
	  --timeout 10 install -r $< && touch $@ || echo "tocsin: PyPI gave them not; tried again the next time"
.PHONY: manifest manifest-check flow-test
manifest: | need-cc ## writes rtl/*.f, rtl/*.core (FuseSoC) and Bender.yml
	$(Q)scripts/manifest.py
manifest-check: | need-cc
	$(Q)scripts/manifest.py --check
flow-test: $(VENV_FLOW)/stamp $(EX_TB) | need-flow
	$(Q)OBJCACHE="$(CCACHE)" VLT_BRIEF="$(VLT_BRIEF)" verif/lint/test_flow.sh $(abspath $(EX))/prefix \
	  $(abspath $(VENV_FLOW))/bin
TESTS += manifest-check flow-test

# The example for Python: cocotb and its extensions of PyPI under Verilator, from the installed copy.
# PLANT=1: a difference must be found. The diagrams of docs/integration.md are recorded there; `make guide` writes them.
VENV_COCOTB := $(B)/venv/cocotb
NEED_cocotb := $(NEED_example) python3-venv python3-dev
$(VENV_COCOTB)/stamp: sw/checker/example_cocotb/requirements.txt | need-cocotb
	@echo "tocsin: installing $$(grep -c == $<) pinned Python packages into $(VENV_COCOTB)"
	$(Q)mkdir -p $(@D)
	$(Q)$(PY) -m venv $(VENV_COCOTB) && $(VENV_COCOTB)/bin/pip -q --disable-pip-version-check --retries 1 \
	  --timeout 10 install -r $< && touch $@ || echo "tocsin: PyPI gave them not; tried again the next time"
.PHONY: cocotb-test guide
cocotb-test: $(EX_TB) $(VENV_COCOTB)/stamp
	$(Q)$(EX_ENV) TOCSIN_GUIDE=$(abspath docs/integration.md) sw/checker/test_cocotb.sh $(EX) $(abspath $(VENV_COCOTB))/bin
guide: $(EX_TB) $(VENV_COCOTB)/stamp ## writes the timing diagrams of docs/integration.md from the hardware
	$(Q)$(EX_ENV) TOCSIN_GUIDE=$(abspath docs/integration.md) TOCSIN_GUIDE_WRITE=1 sw/checker/test_cocotb.sh $(EX) \
	  $(abspath $(VENV_COCOTB))/bin
TESTS        += cocotb-test
TESTS_SHARED += $(VENV_COCOTB)/stamp

# The same checker in a second simulator: Icarus Verilog, whose VPI golden.py reads the pins by.
.PHONY: icarus-test
icarus-test: $(EX_TB) $(VENV_COCOTB)/stamp ## the Python example and its checker under Icarus Verilog
	$(Q)scripts/need.sh iverilog yosys || true
	$(Q)$(EX_ENV) TOCSIN_GUIDE=$(abspath docs/integration.md) sw/checker/test_cocotb.sh $(EX) \
	  $(abspath $(VENV_COCOTB))/bin icarus
TESTS += icarus-test

# A PCIe hard core, by the shims of verilog-pcie, which the user fetches himself: it is not Tocsin's
# and none of it is here.
.PHONY: verilog-pcie-test
verilog-pcie-test: $(EX_TB) $(VENV_COCOTB)/stamp ## a card with a PCIe hard core: VERILOG_PCIE=DIR, a clone of verilog-pcie
	$(Q)$(EX_ENV) sw/checker/test_pcie.sh $(EX) $(abspath $(VENV_COCOTB))/bin \
	  "$(if $(VERILOG_PCIE),$(abspath $(VERILOG_PCIE)))"
TESTS += verilog-pcie-test
