# SPDX-License-Identifier: Apache-2.0
# What of sw/irregular `make install` brings: libtocsin-irregular, static and shared (on the driver's shared library),
# its headers in include/tocsin/irregular, its pkg-config file, and what its pages refer to.
IRR_SO  := $(B)/lib/libtocsin-irregular.so.$(VERSION)
IRR_MAP := sw/irregular/libtocsin-irregular.map
IRR_H   := $(wildcard sw/include/tocsin/irregular/*.h)
$(IRR_SO): $(patsubst sw/irregular/%,$(B)/irregular/plain/%.o,$(sort $(wildcard sw/irregular/*.c sw/irregular/*.S))) \
    $(IRR_MAP) \
    $(B)/lib/libtocsin-driver.so.$(VERSION)
	@mkdir -p $(@D)
	$(Q)$(call SHARED,libtocsin-irregular,$(IRR_MAP)) -Wl,-rpath,'$$ORIGIN' -o $@ $(filter-out %.map,$^) -lpthread

exports exports-fresh: $(B)/lib/libtocsin-irregular.a

INSTALL_LIB += $(B)/lib/libtocsin-irregular.a
INSTALL_SO  += $(IRR_SO)
INSTALL_PC  += sw/irregular/tocsin-irregular.pc.in
install install-test: $(B)/lib/libtocsin-irregular.a $(IRR_SO)
TESTS_SHARED += $(IRR_SO)

# Pages name headers by their place in the tree: there the installed ones are found. The sources that
# they name go with them.
INSTALL_IRR  := $(IRR_H) $(wildcard sw/include/tocsin/irregular/*.hpp)
IRR_LINKED   := $(shell grep -oE '\]\([a-z_]+\.[ch]\)' sw/irregular/suite/README.md | sed -E 's/\]\((.*)\)/\1/' | sort -u)
IRR_DOC      := sw/irregular/suite/README.md $(wildcard sw/irregular/examples/*.c sw/irregular/examples/*.cpp) \
  $(IRR_LINKED:%=sw/irregular/suite/%)
IRR_DOC_H     = $(DESTDIR)$(PREFIX)/share/doc/tocsin/sw/include/tocsin
.PHONY: install-irregular uninstall-irregular
install: install-irregular
install-irregular: install-doc
	$(Q)install -d $(DESTDIR)$(PREFIX)/include/tocsin/irregular $(dir $(IRR_DOC_H))
	$(Q)install -m 644 $(INSTALL_IRR) $(DESTDIR)$(PREFIX)/include/tocsin/irregular
	$(Q)ln -sfn ../../../../../include/tocsin $(IRR_DOC_H)
	$(Q)for f in $(IRR_DOC); do install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/doc/tocsin/$$f || exit 1; done
uninstall: uninstall-irregular
uninstall-doc: uninstall-irregular
uninstall-irregular:
	$(Q)rm -f $(IRR_DOC_H) $(addprefix $(DESTDIR)$(PREFIX)/share/doc/tocsin/,$(IRR_DOC)) \
	  $(addprefix $(DESTDIR)$(PREFIX)/include/tocsin/irregular/,$(notdir $(INSTALL_IRR)))
	$(Q)rmdir $(DESTDIR)$(PREFIX)/include/tocsin/irregular $(DESTDIR)$(PREFIX)/include/tocsin 2>/dev/null || true
