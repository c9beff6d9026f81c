# SPDX-License-Identifier: Apache-2.0
# Where the hardware's sources are, for everything that reads them. Packages come first.
# $(call rtl-in,FOLDER...): all files of these folders of rtl, and of their shelves.
rtl-in    = $(sort $(wildcard $(foreach d,$(1),rtl/$(d)/*.sv rtl/$(d)/*/*.sv)))
RTL_SRCS := $(filter-out %_pkg.sv,$(call rtl-in,cm aa xtq nic axi pcie top))
RTL_PKGS := rtl/cm/cm_pkg.sv $(filter-out %/cm_pkg.sv,$(sort $(wildcard rtl/*/*_pkg.sv)))
RTL_DIRS := $(patsubst %/,%,$(sort $(dir $(RTL_SRCS))))
RTL_ALL  := $(RTL_PKGS) $(RTL_SRCS)
RTL_MODS := $(basename $(notdir $(RTL_SRCS)))
SV_INC   := -Iverif/formal $(RTL_DIRS:%=-I%)
# $(call rtl-of,MODULE): its file.
rtl-of    = $(filter %/$(1).sv,$(RTL_SRCS))

# One source (SystemRDL) for hardware, programs and readers; others' exporters work on it too.
REGISTERS_PY := $(B)/venv/rdl/bin/python
TESTS_SHARED += $(call venv,rdl)
.PHONY: registers registers-check registers-export
registers: $(call venv,rdl) ## writes what rtl/*/*_regs.rdl is the source of: packages, C headers, tables
	$(Q)$(REGISTERS_PY) scripts/regs.py
registers-check: $(call venv,rdl)
	$(Q)$(REGISTERS_PY) scripts/regs.py --check
# What leaves is read again and compared with the C headers, which come another way.
registers-export: $(call venv,rdl) ## the register maps by PeakRDL: build/registers/html/index.html, tocsin.xml (IP-XACT), tocsin.sv (UVM)
	@rm -rf $(B)/registers && mkdir -p $(B)/registers
	$(Q)$(B)/venv/rdl/bin/peakrdl html rtl/top/tocsin_regs.rdl -o $(B)/registers/html
	$(Q)$(B)/venv/rdl/bin/peakrdl ip-xact rtl/top/tocsin_regs.rdl --vendor tocsin --library tocsin --name tocsin \
	  -o $(B)/registers/tocsin.xml
	$(Q)$(B)/venv/rdl/bin/peakrdl uvm rtl/top/tocsin_regs.rdl -o $(B)/registers/tocsin.sv
	$(Q)verif/lint/test_registers.py $(B)/registers
TESTS += registers-check registers-export

# The tops' parameters: one page (rtl/top/params.txt) for hardware, models, benches and guide; verif/params tries
# the ends of their ranges, and plants defaults that differ.
.PHONY: params params-check params-plants
params: | need-cc ## writes what rtl/top/params.txt is the source of: defaults and checks of the tops and models, tables of the guide
	$(Q)scripts/params.py
params-check: | need-cc
	$(Q)scripts/params.py --check
params-plants: | need-cc
	$(Q)verif/params/test_defaults.py
TESTS += params-check params-plants

# Block diagrams, of the text at the heads of the tops; a name in one that is no module is an error.
.PHONY: diagrams diagrams-check
diagrams: | need-cc ## draws docs/diagrams: the engines' blocks, from the text in the heads of their tops
	$(Q)scripts/diagram.py
diagrams-check: | need-cc
	$(Q)scripts/diagram.py --check
TESTS += diagrams-check
