# SPDX-License-Identifier: Apache-2.0
# The software: build/lib/libtocsin-driver.a, its headers (sw/include/tocsin), and its tests (sw/test/test_*.c),
# plain and under ASan and UBSan; those of SW_RTL_TESTS on the Verilated hardware, too.
SW_SRCS := $(sort $(wildcard sw/lib/*.c))
SW_LIB  := $(B)/lib/libtocsin-driver.a
SW_INC  := -Isw/include -Isw/lib -Isw/test $(INC) -Imodel/test

# $(call sw-variant,NAME,FLAGS,MODEL)
define sw-variant
$(B)/sw/$(1)/%.o: sw/lib/%.c | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(SW_INC) -MMD -MP -c -o $$@ $$<
$(if $(filter plain,$(1)),$(SW_LIB),$(B)/sw/$(1)/libtocsin-driver.a): $$(SW_SRCS:sw/lib/%.c=$(B)/sw/$(1)/%.o)
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(B)/sw/$(1)/test/%: sw/test/%.c $(if $(filter plain,$(1)),$(SW_LIB),$(B)/sw/$(1)/libtocsin-driver.a) $(3)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(SW_INC) -MMD -MP -MT $$@ -c -o $$@.o $$<
	$$(Q)$$(CC) $(2) $$(if $$(filter test_nomem,$$*),$$(patsubst %,-Wl$$(comma)--wrap=%,malloc calloc realloc)) \
	  -o $$@ $$@.o $$(filter %.a,$$^) \
	  -lpthread -lm
-include $$(wildcard $(B)/sw/$(1)/*.d $(B)/sw/$(1)/test/*.d)
endef
$(eval $(call sw-variant,plain,$(PIC),$(MODEL_LIB)))
$(eval $(call sw-variant,san,$(SAN),$(B)/model/san/libtocsin.a))

# The shared library has what it uses of the model inside, under no name that a program could meet;
# libtocsin-rtl.so may lie beside it.
SW_SO  := $(B)/lib/libtocsin-driver.so.$(VERSION)
SW_MAP := sw/libtocsin-driver.map
SW_H   := $(wildcard sw/include/tocsin/*.h)
$(SW_SO): $(SW_SRCS:sw/lib/%.c=$(B)/sw/plain/%.o) $(MODEL_LIB) $(SW_MAP)
	@mkdir -p $(@D)
	$(Q)$(call SHARED,libtocsin-driver,$(SW_MAP)) -Wl,-rpath,'$$ORIGIN' -o $@ $(filter %.o %.a,$^) -lpthread -lm

# What the shared libraries export is what their headers declare.
EXPORTS = scripts/exports.py $(1) $(MODEL_MAP) $(MODEL_LIB) $(MODEL_H) && \
          scripts/exports.py $(1) $(SW_MAP) $(SW_LIB) $(SW_H) && \
  scripts/exports.py $(1) $(IRR_MAP) $(IRR_LIB) $(IRR_H)
.PHONY: exports exports-fresh
exports: $(MODEL_LIB) $(SW_LIB) ## adds new functions of the headers to what the shared libraries export
	$(Q)$(call EXPORTS,write)
exports-fresh: $(MODEL_LIB) $(SW_LIB)
	$(Q)$(call EXPORTS,check)
TESTS += exports-fresh

SW_TESTS := $(basename $(notdir $(sort $(wildcard sw/test/test_*.c))))
.PHONY: $(SW_TESTS:test_%=sw-%) $(SW_TESTS:test_%=swsan-%)
$(SW_TESTS:test_%=sw-%): sw-%: $(B)/sw/plain/test/test_%
	$(Q)$< --seed $(SEED)
$(SW_TESTS:test_%=swsan-%): swsan-%: $(B)/sw/san/test/test_%
	$(Q)ASAN_OPTIONS=detect_leaks=1 $< --seed $(SEED)
TESTS        += $(SW_TESTS:test_%=sw-%) $(SW_TESTS:test_%=swsan-%)
TESTS_SHARED += $(SW_LIB) $(B)/sw/san/libtocsin-driver.a

# The C++ header, plain and under the sanitizers.
CXX_STRICT := -std=c++17 $(WARN) -Wshadow
# $(call sw-cpp-variant,NAME,FLAGS,LIBRARIES)
define sw-cpp-variant
$(B)/sw/$(1)/test/test_cpp: sw/test/test_cpp.cpp $(3) | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CXX) $$(CXX_STRICT) $$(CFLAGS) $(2) $$(SW_INC) -MMD -MP -MT $$@ -c -o $$@.o $$<
	$$(Q)$$(CXX) $(2) -o $$@ $$@.o $(3) -lpthread -lm
endef
$(eval $(call sw-cpp-variant,plain,,$(SW_LIB) $(MODEL_LIB)))
$(eval $(call sw-cpp-variant,san,$(SAN),$(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a))
.PHONY: sw-cpp swsan-cpp
sw-cpp: $(B)/sw/plain/test/test_cpp
	$(Q)$<
swsan-cpp: $(B)/sw/san/test/test_cpp
	$(Q)ASAN_OPTIONS=detect_leaks=1 $<
TESTS += sw-cpp swsan-cpp

# The backend `rtl`: the Verilated rtl/top/tocsin.sv in a library of its own, loaded when it is asked for;
# and one of a device whose queue pairs lie in memory (parameter Contexts), for the test of those.
SW_RTL      := $(B)/lib/libtocsin-rtl.so
SW_RTL_MANY := $(B)/lib/libtocsin-rtl-many.so
SW_RTL_CC   := -Iverif/cosim -Isw/rtl -DDUT_THREADS -DDUT_PINS='"tocsin_pins.h"' -DDUT_TOP=tocsin \
               -DDUT_HEADER='"Vtocsin.h"'
SW_RTL_C    := sw/rtl/backend_rtl.c $(patsubst %,sw/lib/%.c,inproc link frames answer udp roce range) \
  $(patsubst %,model/src/%.c,tocsin_root tlp nic/nic_frame nic/nic_crc)
# $(call sw-rtl-library,FILE,DIR,PARAMETERS)
define sw-rtl-library
$(1): $$(SW_RTL_C) $$(wildcard sw/rtl/*.h sw/lib/*.h sw/include/tocsin/*.h model/include/tocsin/*.h model/src/*.h) \
    $$(wildcard model/src/nic/*.h) verif/cosim/dut_shim.cpp \
    $$(wildcard verif/cosim/pin*.h) sw/sw.mk \
    verif/sim/units.sh $$(RTL_PKGS) $$(call rtl-in,cm aa nic xtq top) | need-sim
	@mkdir -p $$(@D) $(2)
	$$(Q)verilator $$(filter-out --assert,$$(VFLAGS)) -DTOCSIN_DATA_W=256 $(3) --Mdir $(2) --prefix Vtocsin \
	  --top-module tocsin \
	  verif/lint/waivers.vlt $$$$(scripts/rtl.py tocsin)
	$$(Q)CXX="$$(CCACHE) $$(CXX)" \
	  CXXFLAGS='$$(CXXFLAGS_V) -fPIC $$(subst ',,$$(SW_RTL_CC))' \
	  verif/sim/units.sh $(2) tocsin "$$(COSIM_OPT)" verif/cosim/dut_shim.cpp
	$$(Q)for f in $$(VROOT)/include/verilated.cpp $$(VROOT)/include/verilated_threads.cpp; do $$(CCACHE) $$(CXX) \
	  $$(CXXFLAGS_V) -fPIC -c -o $(2)/$$$$(basename $$$$f .cpp).o $$$$f || exit 1; done
	$$(Q)for f in $$(SW_RTL_C); do $$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) -fPIC -fvisibility=hidden $$(SW_INC) \
	  $$(SW_RTL_CC) \
	  -c -o $(2)/$$$$(basename $$$$f .c).o $$$$f || exit 1; done
	$$(Q)$$(CXX) -shared -Wl,-Bsymbolic -o $$@ $$(patsubst %.c,$(2)/%.o,$$(notdir $$(SW_RTL_C))) \
	  $(2)/verilated.o $(2)/verilated_threads.o $(2)/Vtocsin__ALL.a -lpthread
endef
$(eval $(call sw-rtl-library,$(SW_RTL),$(B)/sw/rtl,))
$(eval $(call sw-rtl-library,$(SW_RTL_MANY),$(B)/sw/rtl-many,-GContexts=64 -GNumQps=4))

.PHONY: sw-rtl $(SW_TESTS:test_%=swrtl-%)
sw-rtl: $(SW_RTL) ## the backend `rtl`: build/lib/libtocsin-rtl.so
$(SW_TESTS:test_%=swrtl-%): swrtl-%: $(B)/sw/plain/test/test_% $(SW_RTL)
	$(Q)TOCSIN_RTL=$(if $(filter many,$*),$(SW_RTL_MANY),$(SW_RTL)) $< --seed $(SEED) --backend rtl
swrtl-many: $(SW_RTL_MANY)
SW_RTL_TESTS := active args link many move resume send xtq
TESTS        += $(SW_RTL_TESTS:%=swrtl-%)
TESTS_SHARED += $(SW_RTL) $(SW_RTL_MANY)

# The same programs where queue pairs lie in memory and take turns in three places; and two of them
# on hardware with four.
SW_PLACED := active move resume rma send udp waits xtq
.PHONY: $(SW_PLACED:%=swmany-%)
$(SW_PLACED:%=swmany-%): swmany-%: $(B)/sw/plain/test/test_%
	$(Q)$< --seed $(SEED) --places 3
SW_RTL_PLACED := move send
.PHONY: $(SW_RTL_PLACED:%=swrtlmany-%)
$(SW_RTL_PLACED:%=swrtlmany-%): swrtlmany-%: $(B)/sw/plain/test/test_% $(SW_RTL_MANY)
	$(Q)TOCSIN_RTL=$(SW_RTL_MANY) $< --seed $(SEED) --backend rtl --places 4
TESTS += $(SW_PLACED:%=swmany-%) $(SW_RTL_PLACED:%=swrtlmany-%)
TESTS_SHARED += $(patsubst %,$(B)/sw/plain/test/test_%,$(sort $(SW_RTL_TESTS) $(SW_PLACED) $(SW_RTL_PLACED)))

# Packets, signals and queues are where HSA has them.
NEED_hsa := $(NEED_cc) libhsa-runtime-dev
.PHONY: sw-hsa
sw-hsa: sw/test/check_hsa.c sw/include/tocsin/aql.h | need-hsa
	$(Q)$(CC) $(CSTD) $(WARN) $(SW_INC) -fsyntax-only $<
	@echo "aql.h agrees with hsa.h"
TESTS += sw-hsa

# Each header stands alone, in C and in C++.
.PHONY: sw-headers
sw-headers: | need-cc
	$(Q)for h in sw/include/tocsin/*.h; do $(CC) $(CSTD) $(WARN) $(SW_INC) -fsyntax-only -x c $$h && \
	  $(CXX) -std=c++17 $(WARN) $(SW_INC) -fsyntax-only -x c++ $$h || exit 1; done; \
	for h in sw/include/tocsin/*.hpp; do for s in 17 20; do echo "#include \"$$h\"" | \
	  $(CXX) -std=c++$$s $(WARN) -Wshadow $(SW_INC) -I. -fsyntax-only -x c++ - || exit 1; done; done; \
	  echo "headers stand alone"
TESTS += sw-headers

# What strangers compile: headers, samples and programs of pages, by gcc and clang, without a warning.
.PHONY: examples
examples: | need-cc need-pages ## headers, samples in them and programs of pages under -Wall -Wextra -Wpedantic, with gcc and clang
	$(Q)scripts/need.sh clang || true
	$(Q)rm -rf $(B)/examples && install -d $(B)/examples/tocsin/irregular && cp $(INSTALL_INC) $(B)/examples/tocsin && \
	  cp $(INSTALL_IRR) $(B)/examples/tocsin/irregular
	$(Q)sw/test_examples.py $(B)/examples
TESTS += examples

.PHONY: sw
sw: $(SW_LIB) ## the driver and programming interface: build/lib/libtocsin-driver.a
