# SPDX-License-Identifier: Apache-2.0
# The command line: build/bin/tocsin.
TOCSIN_SRC := $(sort $(wildcard sw/tools/*.c sw/apps/*.c sw/irregular/suite/*.c)) verif/cosim/mem.c \
              verif/cosim_tocsin/trace_player.c
TOCSIN_CC  := $(CSTD) $(CFLAGS) -D_GNU_SOURCE $(INC) -Isw/include -Isw/tools -Isw/apps -Isw/irregular/suite \
              -Iverif/cosim -Iverif/cosim_tocsin
TOCSIN_SAN := $(B)/irregular/san/libtocsin-irregular.a $(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a
# $(call tocsin-variant,NAME,FLAGS): what a source becomes stands below build/tools/NAME, by its path.
define tocsin-variant
$(B)/tools/$(1)/%.o: %.c | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(TOCSIN_CC) $(2) -MMD -MP -c -o $$@ $$<
-include $$(TOCSIN_SRC:%.c=$(B)/tools/$(1)/%.d)
endef
$(eval $(call tocsin-variant,plain,))
$(eval $(call tocsin-variant,san,$(SAN)))
$(B)/bin/tocsin: $(TOCSIN_SRC:%.c=$(B)/tools/plain/%.o) $(IRR_LIB) $(SW_LIB) $(MODEL_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ -lpthread -lm
$(B)/bin/tocsin-san: $(TOCSIN_SRC:%.c=$(B)/tools/san/%.o) $(TOCSIN_SAN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) -o $@ $^ -lpthread -lm

.PHONY: tools cli cli-san
tools: $(B)/bin/tocsin ## the command line: build/bin/tocsin
cli: $(B)/bin/tocsin $(B)/cosim/default/cosim $(B)/cosim_tocsin/default/cosim $(B)/lib/libtocsin-rtl.so \
    $(B)/bin/tocsin-board
	$(Q)BOARD=$(B)/bin/tocsin-board TOCSIN_RTL=$(B)/lib/libtocsin-rtl.so sw/tools/test/test.sh $< \
	  $(B)/cosim/default/cosim $(B)/cosim_tocsin/default/cosim
cli-san: $(B)/bin/tocsin-san
	$(Q)sw/tools/test/test.sh $<
TESTS        += cli cli-san
TESTS_SHARED += $(B)/bin/tocsin-san

# Ranks that are processes, under both MPIs where they can be had; and the page about them, as it is written.
.PHONY: ranks ranks-brief ranks-page
ranks: $(B)/bin/tocsin ## all programs as processes on link=udp: by hand, by mpirun of Open MPI and MPICH, with loss, up to 64, with one killed
ranks-brief: $(B)/bin/tocsin ## a part of it
ranks ranks-brief:
	$(Q)scripts/need.sh openmpi-bin mpich || true
	$(Q)sw/tools/test/ranks.sh $< $(filter brief,$(@:ranks-%=%))
$(B)/bin/two_end: sw/tools/test/two_end.c $(SW_LIB) $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(TOCSIN_CC) -o $@ $< $(SW_LIB) $(MODEL_LIB) -lpthread -lm
.PHONY: ranks-two
ranks-two: $(B)/bin/tocsin $(B)/bin/two_end ## ranks on two machines that are name spaces of the network: IPv4, IPv6, MTUs of 600, 1500, 9000, loss
	$(Q)sw/tools/test/two.sh $(abspath $^)
TESTS += ranks-two
.PHONY: ranks-slurm
ranks-slurm: $(B)/bin/tocsin ## ranks started by srun, on a Slurm cluster of this one machine
	$(Q)scripts/need.sh munge slurmctld slurmd slurm-client || true
	$(Q)sw/tools/test/slurm.sh $<
ranks-page: $(B)/bin/tocsin $(B)/lib/libtocsin-driver.a ## runs docs/ranks.md as written
	$(Q)sw/test_pages.sh ranks-page 5 docs/ranks.md
TESTS += ranks-brief ranks-page

# What takes traces, with mutated ones.
FUZZ_TRACES := sw/tools/test/puts.trc $(wildcard verif/traces/*.rec verif/traces/*.trc verif/traces/node/*.trc)
$(B)/bin/fuzz-traces: $(B)/tools/san/sw/tools/test/fuzz.o \
    $(filter-out %/tocsin.o,$(TOCSIN_SRC:%.c=$(B)/tools/san/%.o)) $(TOCSIN_SAN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) -o $@ $^ -lpthread -lm
.PHONY: fuzz-traces
fuzz-traces: $(B)/bin/fuzz-traces
	$(Q)$< $(SEED) 4000 $(FUZZ_TRACES)
TESTS += fuzz-traces

# The tutorial, as it is written.
.PHONY: tutorial
NEED_pages := libuv1-dev
tutorial: $(B)/bin/tocsin $(B)/lib/libtocsin-driver.a $(B)/venv/python/installed | need-install need-pages ## runs sw/TUTORIAL.md and sw/HOWTO.md as written, in a home of its own
	$(Q)PATH=$(abspath $(B)/venv/python/bin):$$PATH sw/test_pages.sh tutorial 19 sw/TUTORIAL.md sw/HOWTO.md
TESTS += tutorial

# The ways in, as they are written, in a copy of the tree.
.PHONY: paths
paths: $(B)/bin/tocsin $(B)/lib/libtocsin-driver.a | need-install need-pages ## runs docs/paths.md as written, in a copy of the tree
	$(Q)sw/test_pages.sh paths 7 docs/paths.md
TESTS += paths

# The shell's completion goes with `install`; what needs a simulator to be built does not.
INSTALL_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tocsin
.PHONY: install-completion uninstall-completion install-doc uninstall-doc install-rtl
install: install-completion
install-completion:
	$(Q)install -D -m 644 sw/tools/completion.bash $(INSTALL_COMPLETION)
uninstall: uninstall-completion
uninstall-completion:
	$(Q)rm -f $(INSTALL_COMPLETION)
# What help, manual pages and headers refer to, by the names that it has in this tree.
INSTALL_DOC     := $(wildcard LICENSE *.md docs/*.md sw/*.md sw/*/*.md sw/apps/*.svg sw/apps/dirty.h docs/figures/*.svg docs/diagrams/*.svg model/*.md rtl/*/*.md verif/*.md verif/traces/*.md \
                     verif/cosim*/*.md verif/formal/*.md verif/rxe/*.md fpga/*.md)
INSTALL_DOC_DIR  = $(DESTDIR)$(PREFIX)/share/doc/tocsin
install: install-doc
install-doc:
	$(Q)for f in $(INSTALL_DOC); do install -D -m 644 $$f $(INSTALL_DOC_DIR)/$$f || exit 1; done
uninstall: uninstall-doc
uninstall-doc:
	$(Q)rm -f $(addprefix $(INSTALL_DOC_DIR)/,$(INSTALL_DOC))
	$(Q)[ ! -d $(INSTALL_DOC_DIR) ] || find $(INSTALL_DOC_DIR) -type d -empty -delete

install-rtl: $(B)/lib/libtocsin-rtl.so $(B)/cosim/default/cosim $(B)/cosim_tocsin/default/cosim ## the Verilated hardware: backend rtl, and replay --on rtl, to PREFIX
	$(Q)install -D -m 755 $(B)/lib/libtocsin-rtl.so $(DESTDIR)$(PREFIX)/lib/libtocsin-rtl.so
	$(Q)install -D -m 755 $(B)/cosim/default/cosim $(DESTDIR)$(PREFIX)/libexec/tocsin/cosim
	$(Q)install -D -m 755 $(B)/cosim_tocsin/default/cosim $(DESTDIR)$(PREFIX)/libexec/tocsin/cosim-tocsin
	$(Q)sw/installed.sh "$(PREFIX)" "$(DESTDIR)" lib/libtocsin-rtl.so libexec/tocsin
