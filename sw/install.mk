# SPDX-License-Identifier: Apache-2.0
# make install PREFIX=... [DESTDIR=...]: what others build against and use; uninstall removes exactly what install
# would put there. To have more installed, a fragment adds files to one of these lists and, if they are built,
# says `install: FILES`.
#
#   INSTALL_LIB    lib/              INSTALL_BIN   bin/              INSTALL_INC  include/tocsin/
#   INSTALL_SHARE  share/tocsin/     INSTALL_MAN   share/man/manN/   INSTALL_PC   lib/pkgconfig/ (*.pc.in)
INSTALL_SO     := $(MODEL_SO) $(B)/lib/libtocsin-driver.so.$(VERSION)
INSTALL_LIB    += $(MODEL_LIB) $(B)/lib/libtocsin-driver.a
INSTALL_BIN    += $(B)/bin/tocsin
INSTALL_INC    += $(MODEL_H) $(wildcard sw/include/tocsin/*.h sw/include/tocsin/*.hpp)
INSTALL_MAN    += $(wildcard sw/tools/*.[1-9] sw/man/*.[1-9])
INSTALL_PC     += sw/tocsin.pc.in sw/tocsin-driver.pc.in
NEED_install   := $(NEED_cc) pkg-config
NEED_install-test := $(NEED_install) groff-base
# What install names at its end, each with a word in installed.sh; what it brings stands below one of these.
INSTALL_PLACES += bin/tocsin lib include/tocsin lib/pkgconfig share/tocsin share/man share/doc/tocsin \
                  share/bash-completion
INSTALL_RTL     = $(RTL_ALL) rtl/bench/tb.sv
INSTALL_LISTS  := Bender.yml \
                  $(addprefix rtl/,aa_iommu.f ax_iommu.f xtq_nic.f tocsin.f px_host.f aa_iommu.core ax_iommu.core xtq_nic.core tocsin.core)
I_DIR           = $(DESTDIR)$(PREFIX)
ifneq ($(filter install install-rtl uninstall,$(MAKECMDGOALS)),)
  ifneq ($(filter-out /%,$(PREFIX)),) # pkg-config's files have it, and they are read anywhere
    $(error PREFIX=$(PREFIX): an absolute path without spaces is wanted, as /usr/local)
  endif
endif
i-man           = $(I_DIR)/share/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1))

# The three names of a shared library: the file, its soname, and what -l finds.
i-so-names      = $(foreach f,$(notdir $(INSTALL_SO)),$f $(f:.so.$(VERSION)=.so.$(SOVERSION)) $(f:.so.$(VERSION)=.so))

# A manual page for each header that is installed, and one for each function (`man toc_put`).
MAN3_DIR := $(B)/man3
MAN3_INC := $(filter %.h,$(INSTALL_INC)) $(wildcard sw/include/tocsin/irregular/*.h)
MAN3      = $(shell scripts/man.py --list $(MAN3_INC))
$(MAN3_DIR)/made: $(wildcard scripts/man*.py) $(MAN3_INC) | need-cc
	$(Q)rm -rf $(@D) && scripts/man.py --out $(@D) $(MAN3_INC) && touch $@

.PHONY: install uninstall
install: $(INSTALL_LIB) $(INSTALL_SO) $(B)/bin/tocsin $(MAN3_DIR)/made | need-install
install: ## libraries, headers, pkg-config files, checker, command line and man pages, to PREFIX [DESTDIR=...]
	$(Q)install -d $(addprefix $(I_DIR)/,bin lib/pkgconfig include/tocsin share/tocsin/rtl share/man/man3)
	$(Q)install -m 644 $(INSTALL_LIB) $(I_DIR)/lib
	$(Q)install -m 755 $(INSTALL_SO) $(I_DIR)/lib
	$(Q)cd $(I_DIR)/lib && for f in $(notdir $(INSTALL_SO:.so.$(VERSION)=.so)); do \
	  ln -sf $$f.$(VERSION) $$f.$(SOVERSION) && ln -sf $$f.$(SOVERSION) $$f || exit 1; done
	$(Q)install -m 644 $(INSTALL_INC) $(I_DIR)/include/tocsin
	$(Q)install -m 644 $(INSTALL_SHARE) $(I_DIR)/share/tocsin
	$(Q)install -m 644 $(INSTALL_RTL) $(I_DIR)/share/tocsin/rtl
	$(Q)scripts/manifest.py --flat $(I_DIR)/share/tocsin
	$(Q)install -m 755 $(INSTALL_BIN) $(I_DIR)/bin
	$(Q)$(foreach f,$(INSTALL_PC),sed -e 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' $f > \
	  $(I_DIR)/lib/pkgconfig/$(basename $(notdir $f)) &&) true
	$(Q)$(foreach f,$(INSTALL_MAN),install -D -m 644 $f $(call i-man,$f) &&) true
	$(Q)install -m 644 $(MAN3_DIR)/*.3 $(I_DIR)/share/man/man3
	$(Q)scripts/installed_pages.py $(I_DIR)
	$(Q)[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || \
	  PATH=$$PATH:/sbin:/usr/sbin ldconfig  # or programs would not find a new library
	$(Q)sw/installed.sh "$(PREFIX)" "$(DESTDIR)" $(INSTALL_PLACES)

uninstall: ## removes what install put there
	$(Q)rm -f $(addprefix $(I_DIR)/lib/,$(notdir $(INSTALL_LIB)) $(i-so-names)) \
	  $(addprefix $(I_DIR)/lib/pkgconfig/,$(basename $(notdir $(INSTALL_PC)))) \
	  $(addprefix $(I_DIR)/bin/,$(notdir $(INSTALL_BIN))) \
	  $(addprefix $(I_DIR)/include/tocsin/,$(notdir $(INSTALL_INC))) \
	  $(addprefix $(I_DIR)/share/tocsin/,$(notdir $(INSTALL_SHARE))) \
	  $(addprefix $(I_DIR)/share/tocsin/rtl/,$(notdir $(INSTALL_RTL))) \
	  $(addprefix $(I_DIR)/share/tocsin/,$(INSTALL_LISTS)) $(foreach f,$(INSTALL_MAN),$(call i-man,$f))
	$(Q)rm -f $(addprefix $(I_DIR)/share/man/man3/,$(MAN3))
	$(Q)rmdir $(addprefix $(I_DIR)/,share/tocsin/rtl share/tocsin include/tocsin) 2>/dev/null || true

# Into an empty folder and out again; every header alone, in C and in C++; programs linked with either library.
.PHONY: install-test
install-test: install-check = $(B)/install-test
install-test: $(INSTALL_LIB) $(INSTALL_SO) $(B)/bin/tocsin | need-install-test
	$(Q)rm -rf $(install-check)
	$(Q)$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(abspath $(install-check)) >$(B)/install-test.txt
	$(Q)cat $(B)/install-test.txt; cp $(B)/install-test.txt $(install-check)/said.txt
	$(Q)sw/test_install.sh $(abspath $(install-check)) $(VERSION)
	$(Q)sw/test_shared.sh $(abspath $(install-check)) $(SOVERSION)
	$(Q)$(MAKE) --no-print-directory uninstall PREFIX=/usr DESTDIR=$(abspath $(install-check))
	$(Q)left=$$(find $(install-check) ! -type d); [ -z "$$left" ] || { echo "uninstall left: $$left"; exit 1; }
TESTS += install-test
TESTS_SHARED += $(INSTALL_SO) $(B)/bin/tocsin
