# SPDX-License-Identifier: Apache-2.0
# Where the hardware's sources are, for everything that reads them. Packages come first.
RTL_DIRS := rtl/cm rtl/aa rtl/xtq rtl/nic rtl/axi rtl/pcie rtl/top
RTL_PKGS := $(sort $(wildcard rtl/*/*_pkg.sv))
RTL_SRCS := $(filter-out %_pkg.sv,$(sort $(foreach d,$(RTL_DIRS),$(wildcard $(d)/*.sv))))
RTL_ALL  := $(RTL_PKGS) $(RTL_SRCS)
RTL_MODS := $(basename $(notdir $(RTL_SRCS)))
SV_INC   := -Iverif/formal $(addprefix -I,$(foreach d,$(RTL_DIRS),$(wildcard $(d))))
# $(call rtl-of,MODULE): its file.
rtl-of    = $(filter %/$(1).sv,$(RTL_SRCS))

.PHONY: registers registers-check
registers: | need-cc ## writes what rtl/*/*_regs.txt is the source of: packages, C headers, tables
	$(Q)scripts/regs.py
registers-check: | need-cc
	$(Q)scripts/regs.py --check
TESTS += registers-check

# Ranges of the tops' parameters: one page (rtl/top/params.txt) for hardware, model and guide; verif/params tries their ends.
.PHONY: params params-check
params: | need-cc ## writes what rtl/top/params.txt is the source of: checks in the tops, the model's, tables of the guide
	$(Q)scripts/params.py
params-check: | need-cc
	$(Q)scripts/params.py --check
TESTS += params-check
