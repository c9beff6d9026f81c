# SPDX-License-Identifier: Apache-2.0
# The command line: build/bin/tocsin.
TOCSIN_SRC := $(sort $(wildcard sw/tools/*.c)) verif/cosim/mem.c
TOCSIN_CC  := $(CSTD) $(CFLAGS) -D_GNU_SOURCE $(INC) -Isw/tools -Iverif/cosim -DTOCSIN_VERSION='"$(VERSION)"' \
              -DTOCSIN_LIBEXEC='"$(PREFIX)/libexec/tocsin"'
$(B)/bin/tocsin: $(TOCSIN_SRC) $(wildcard sw/tools/*.h) verif/cosim/mem.h $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(TOCSIN_CC) -o $@ $(TOCSIN_SRC) $(MODEL_LIB) -lm
$(B)/bin/tocsin-san: $(TOCSIN_SRC) $(wildcard sw/tools/*.h) verif/cosim/mem.h $(B)/model/san/libtocsin.a | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(TOCSIN_CC) $(SAN) -o $@ $(TOCSIN_SRC) $(B)/model/san/libtocsin.a -lm

.PHONY: tools cli cli-san
tools: $(B)/bin/tocsin ## the command line: build/bin/tocsin
cli: $(B)/bin/tocsin $(B)/cosim/default/cosim
	$(Q)sw/tools/test/test.sh $< $(B)/cosim/default/cosim
cli-san: $(B)/bin/tocsin-san
	$(Q)sw/tools/test/test.sh $<
TESTS += cli cli-san
