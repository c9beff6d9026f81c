# SPDX-License-Identifier: Apache-2.0
# Examples of irregular programs: build/bin/irr-NAME of sw/irregular/examples/NAME.c, plain and under ASan and UBSan.
$(B)/bin/irr-%: sw/irregular/examples/%.c $(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(IRR_INC) -c -o $@.o $<
	$(Q)$(CC) -o $@ $@.o $(filter %.a,$^) -lpthread -lm
$(B)/irregular/san/irr-%: sw/irregular/examples/%.c $(B)/irregular/san/libtocsin-irregular.a \
    $(B)/sw/san/libtocsin-driver.a \
    $(B)/model/san/libtocsin.a | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(SAN) $(IRR_INC) -c -o $@.o $<
	$(Q)$(CC) $(SAN) -o $@ $@.o $(filter %.a,$^) -lpthread -lm

.PHONY: irr-mailbox irrsan-mailbox
irr-mailbox: $(B)/bin/irr-mailbox
irrsan-mailbox: $(B)/irregular/san/irr-mailbox
irr-mailbox irrsan-mailbox:
	$(Q)sw/irregular/test/mailbox.sh $< $(SEED)
TESTS += irr-mailbox irrsan-mailbox

# Ranks that are processes.
IRR_UDP := sw/irregular/test/udp.c sw/apps/ranks.c sw/apps/ranks_mpi.c sw/apps/ranks_pmi.c
$(B)/irregular/irr-udp: $(IRR_UDP) $(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB) sw/apps/ranks.h | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) -D_GNU_SOURCE $(IRR_INC) -Isw/apps -o $@ $(filter %.c %.a,$^) -lpthread -lm
.PHONY: irr-udp
irr-udp: $(B)/irregular/irr-udp
	$(Q)for shape in "2 1" "4 1" "6 2"; do for by in put task; do $< $$shape $(SEED) $$by || exit 1; done; done
TESTS += irr-udp

# The threads of ranks, with driver and model under ThreadSanitizer: ranks that meet by hand, teams, kernels.
# (-Wno-tsan: as in sw/test/checks.mk.)
IRR_RANKS_TSAN := parallel team accel
IRR_TSAN_BELOW := $(patsubst %.c,$(B)/irregular/tsan/below/%.o,$(wildcard sw/lib/*.c model/src/*.c model/src/*/*.c))
$(B)/irregular/tsan/below/%.o: %.c | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) -O1 -g -fsanitize=thread -Wno-tsan $(IRR_INC) -MMD -MP -c -o $@ $<
-include $(IRR_TSAN_BELOW:.o=.d)
$(B)/irregular/tsan/libbelow.a: $(IRR_TSAN_BELOW)
	$(Q)rm -f $@ && ar rcs $@ $^
$(B)/irregular/%-tsan: sw/irregular/test/test_%.c $(wildcard sw/irregular/test/*.h sw/test/*.h model/test/*.h) \
    $(B)/irregular/tsan/libtocsin-irregular.a $(B)/irregular/tsan/libbelow.a
	$(Q)$(CC) $(CSTD) -O1 -g -fsanitize=thread $(IRR_INC) -o $@ $< $(filter %.a,$^) -lpthread -lm
.PHONY: $(IRR_RANKS_TSAN:%=irr-%-tsan)
$(IRR_RANKS_TSAN:%=irr-%-tsan): irr-%-tsan: $(B)/irregular/%-tsan
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; TSAN_OPTIONS=halt_on_error=1 $$run $< --seed $(SEED)
TESTS        += $(IRR_RANKS_TSAN:%=irr-%-tsan)
TESTS_SHARED += $(B)/irregular/tsan/libbelow.a

# irregular.hpp: sw/irregular/test/cpp as one program, by gcc, by clang, and under ASan and UBSan; on one rank,
# on threads, on processes.
IRR_CPP     := $(wildcard sw/irregular/test/cpp/*.cpp)
IRR_HPP     := $(wildcard sw/include/tocsin/irregular/*.h sw/include/tocsin/irregular/*.hpp sw/include/tocsin/*.hpp) \
  sw/irregular/test/cpp/check.hpp
IRR_CXX     := -std=c++17 $(WARN) -Wshadow $(CFLAGS) $(IRR_INC)
# $(call irr-cpp,NAME,COMPILER,FLAGS,LIBRARIES)
define irr-cpp
$(B)/irregular/cpp-$(1)/%.o: sw/irregular/test/cpp/%.cpp $(IRR_HPP) | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $(2) $$(IRR_CXX) $(3) -c -o $$@ $$<
$(B)/irregular/cpp-$(1)/cpp: $(IRR_CPP:sw/irregular/test/cpp/%.cpp=$(B)/irregular/cpp-$(1)/%.o) $(4)
	$$(Q)$(2) $(3) -o $$@ $$^ -lpthread -lm
endef
IRR_BELOW     := $(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB)
IRR_BELOW_SAN := $(B)/irregular/san/libtocsin-irregular.a $(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a
$(eval $(call irr-cpp,gcc,$$(CXX),,$(IRR_BELOW)))
# Optimized by the first alone: what is compiled takes longer than what is run.
$(eval $(call irr-cpp,clang,clang++,-O0,$(IRR_BELOW)))
$(eval $(call irr-cpp,san,$$(CXX),$(SAN),$(IRR_BELOW_SAN)))
.PHONY: irr-cpp irrclang-cpp irrsan-cpp
irr-cpp: $(B)/irregular/cpp-gcc/cpp
	$(Q)sw/irregular/test/cpp.sh $<
irrclang-cpp:
	$(Q)scripts/need.sh clang || true
	$(Q)if ! command -v clang++ >/dev/null; then echo "skipped: no clang"; exit 0; fi; \
	  $(MAKE) --no-print-directory $(B)/irregular/cpp-clang/cpp && sw/irregular/test/cpp.sh $(B)/irregular/cpp-clang/cpp
irrsan-cpp: $(B)/irregular/cpp-san/cpp
	$(Q)ASAN_OPTIONS=detect_leaks=1 sw/irregular/test/cpp.sh $<
.PHONY: irr-cpp-plants
irr-cpp-plants: $(IRR_BELOW) | need-plants
	$(Q)scripts/plants.sh sw/irregular/test/cpp/plants $(B) $(CXX) -std=c++17 -O0
TESTS += irr-cpp irrclang-cpp irrsan-cpp irr-cpp-plants

# An example in C++, on threads and processes, with the same answer as in one rank; and the page, as it is written.
$(B)/bin/irr-components: sw/irregular/examples/components.cpp $(IRR_HPP) $(IRR_BELOW) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CXX) $(IRR_CXX) -c -o $@.o $<
	$(Q)$(CXX) -o $@ $@.o $(filter %.a,$^) -lpthread -lm
.PHONY: irr-components irregular-page
irr-components: $(B)/bin/irr-components
	$(Q)sw/irregular/test/components.sh $< $(SEED)
irregular-page: $(B)/bin/tocsin $(IRR_BELOW) $(IRR_SO) | need-install ## runs docs/irregular.md as written
	$(Q)sw/test_pages.sh irregular-page 6 docs/irregular.md
TESTS += irr-components irregular-page
