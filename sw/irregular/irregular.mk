# SPDX-License-Identifier: Apache-2.0
# Irregular programs: build/lib/libtocsin-irregular.a of sw/irregular/*.c and *.S, headers sw/include/tocsin/irregular,
# tests sw/irregular/test/test_*.c, plain and under ASan and UBSan. A test whose line `// also:` names tsan or valgrind
# runs under these too.
IRR_SRCS := $(sort $(wildcard sw/irregular/*.c sw/irregular/*.S))
IRR_LIB  := $(B)/lib/libtocsin-irregular.a
IRR_INC  := -Isw/irregular -Isw/irregular/test -Isw/include -Isw/lib -Isw/test $(INC) -Imodel/test
IRR_OBJS  = $(patsubst sw/irregular/%,$(B)/irregular/$(1)/%.o,$(IRR_SRCS))

# Tasks alone, without what stands on them.
IRR_TASKS := $(patsubst %,sw/irregular/%,switch_x86_64.S switch_aarch64.S) \
  $(patsubst %,sw/irregular/%.c,switch task scheduler spawn stack inbox counter loop group deque overflow)

# $(call irr-variant,NAME,FLAGS,LIBRARY,LIBRARIES BELOW,WHAT IS INSTALLED BEFORE)
define irr-variant
$(B)/irregular/$(1)/%.o: sw/irregular/% | need-cc $(5)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(IRR_INC) -MMD -MP -c -o $$@ $$<
$(3): $(call IRR_OBJS,$(1))
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(B)/irregular/$(1)/test/%: sw/irregular/test/%.c $(3) $(4) | need-cc $(5)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(IRR_INC) -MMD -MP -MF $$@.d -MT $$@ -c -o $$@.o $$<
	$$(Q)$$(CC) $(2) \
	  $$(if $$(filter test_nospace,$$*),-Wl$$(comma)--wrap=malloc$$(comma)--wrap=calloc$$(comma)--wrap=aligned_alloc) \
	  -o $$@ $$@.o $(3) $(4) \
	  -lpthread -lm
-include $$(wildcard $(B)/irregular/$(1)/*.d $(B)/irregular/$(1)/test/*.d)
endef
$(eval $(call irr-variant,plain,$(PIC),$(IRR_LIB),$(B)/lib/libtocsin-driver.a $(MODEL_LIB)))
$(eval $(call irr-variant,san,$(SAN),$(B)/irregular/san/libtocsin-irregular.a,$(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a))
# Only tests that need neither driver nor model are run by these.
$(eval $(call irr-variant,tsan,-O1 -fsanitize=thread,$(B)/irregular/tsan/libtocsin-irregular.a,))
$(eval $(call irr-variant,ucontext,-DIRR_UCONTEXT,$(B)/irregular/ucontext/libtocsin-irregular.a,))
# As plain, but compiled when Valgrind's headers are there for certain (fiber.h).
$(eval $(call irr-variant,valgrind,,$(B)/irregular/valgrind/libtocsin-irregular.a,,need-valgrind))

irr-also        = $(patsubst sw/irregular/test/test_%.c,%,$(shell grep -lE '^//.*\balso:.* $(1)\b' sw/irregular/test/test_*.c 2>/dev/null))
IRR_TESTS      := $(patsubst sw/irregular/test/test_%.c,%,$(sort $(wildcard sw/irregular/test/test_*.c)))
IRR_TSAN       := $(call irr-also,tsan)
IRR_UCONTEXT   := $(call irr-also,ucontext)
IRR_VALGRIND   := $(call irr-also,valgrind)
NEED_valgrind  := $(NEED_cc) valgrind
.PHONY: $(IRR_TESTS:%=irr-%) $(IRR_TESTS:%=irrsan-%) $(IRR_TSAN:%=irrtsan-%) $(IRR_UCONTEXT:%=irrucontext-%) \
    $(IRR_VALGRIND:%=irrvalgrind-%)
$(IRR_TESTS:%=irr-%): irr-%: $(B)/irregular/plain/test/test_%
	$(Q)$< --seed $(SEED)
$(IRR_TESTS:%=irrsan-%): irrsan-%: $(B)/irregular/san/test/test_%
	$(Q)ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 $< --seed $(SEED)
$(IRR_TSAN:%=irrtsan-%): irrtsan-%: $(B)/irregular/tsan/test/test_%
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; TSAN_OPTIONS=halt_on_error=1 $$run $< --seed $(SEED)
$(IRR_UCONTEXT:%=irrucontext-%): irrucontext-%: $(B)/irregular/ucontext/test/test_%
	$(Q)$< --seed $(SEED)
$(IRR_VALGRIND:%=irrvalgrind-%): irrvalgrind-%: $(B)/irregular/valgrind/test/test_% | need-valgrind
	$(Q)valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all $< --seed $(SEED)
IRR_TARGETS  := $(IRR_TESTS:%=irr-%) $(IRR_TESTS:%=irrsan-%) $(IRR_TSAN:%=irrtsan-%) $(IRR_UCONTEXT:%=irrucontext-%) \
                $(IRR_VALGRIND:%=irrvalgrind-%)
TESTS        += $(IRR_TARGETS)
TESTS_SHARED += $(IRR_LIB) $(patsubst %,$(B)/irregular/%/libtocsin-irregular.a,san tsan ucontext valgrind)

# Each header stands alone, in C and in C++.
.PHONY: irr-headers irr-test irregular
irr-headers: | need-cc
	$(Q)for h in $(wildcard sw/include/tocsin/irregular/*.h); do \
	  $(CC) $(CSTD) $(WARN) $(IRR_INC) -fsyntax-only -x c $$h && \
	  $(CXX) -std=c++17 $(WARN) $(IRR_INC) -fsyntax-only -x c++ $$h || exit 1; done; \
	for h in $(wildcard sw/include/tocsin/irregular/*.hpp); do for s in 17 20; do echo "#include \"$$h\"" | \
	  $(CXX) -std=c++$$s $(WARN) -Wshadow $(IRR_INC) -I. -fsyntax-only -x c++ - || exit 1; done; done; \
	  echo "headers stand alone"
TESTS += irr-headers

# The program of the README does what the page says.
.PHONY: irr-readme
irr-readme: $(IRR_LIB)
	$(Q)sed -n '/^```c$$/,/^```$$/{//!p}' sw/irregular/README.md >$(B)/irregular/readme.c
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(IRR_INC) -o $(B)/irregular/readme $(B)/irregular/readme.c $(IRR_LIB) -lpthread
	$(Q)said=$$($(B)/irregular/readme) && grep -qF "prints \`$$said\`" sw/irregular/README.md || \
	  { echo "README.md does not say: $$said"; exit 1; }
TESTS += irr-readme

# The switch of AArch64, and the tasks on it, under qemu.
IRR_ARM_CC := aarch64-linux-gnu-gcc
.PHONY: irr-aarch64
irr-aarch64:
	$(Q)scripts/need.sh gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static || true
	$(Q)if ! { command -v $(IRR_ARM_CC) && command -v qemu-aarch64-static; } >/dev/null; then \
	  echo "skipped: no compiler for AArch64, or no qemu"; exit 0; fi; \
	mkdir -p $(B)/irregular/aarch64 && for t in switch task counter; do \
	  $(IRR_ARM_CC) $(CSTD) $(CFLAGS) -static $(IRR_INC) -o $(B)/irregular/aarch64/$$t sw/irregular/test/test_$$t.c \
	  $(IRR_TASKS) -lpthread -lm && \
	  qemu-aarch64-static $(B)/irregular/aarch64/$$t || exit 1; done
TESTS += irr-aarch64

# Bugs planted on purpose: sw/irregular/test/plants, each with the test that finds it.
.PHONY: irr-plants
irr-plants: $(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB) $(B)/irregular/tsan/libtocsin-irregular.a \
    $(B)/irregular/tsan/libbelow.a $(B)/irregular/ucontext/libtocsin-irregular.a \
    $(B)/irregular/san/libtocsin-irregular.a | need-plants
	$(Q)scripts/plants.sh sw/irregular/test/plants $(B) $(CC) $(CSTD) $(CFLAGS) $(IRR_INC)
TESTS += irr-plants

irr-test: irr-headers irr-readme irr-aarch64 $(IRR_TARGETS) irr-plants ## all tests of sw/irregular, also under ASan, UBSan, TSan and Valgrind
irregular: $(IRR_LIB) ## tasks and what stands on them for irregular programs: build/lib/libtocsin-irregular.a

# What a switch costs beside what others do, in one run. A measurement, and no test.
NEED_boost := $(NEED_cc) libboost-context-dev
.PHONY: bench-tasks bench-stack bench-paging
$(B)/irregular/bench_tasks: sw/irregular/test/bench_tasks.c $(IRR_LIB) | need-boost
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(IRR_INC) -o $@ $^ -lboost_context -lpthread
bench-tasks: $(B)/irregular/bench_tasks ## nanoseconds of a switch at 2 and 10,000 tasks, beside swapcontext and Boost.Context
	$(Q)mkdir -p $(REPORT) && $< | tee $(REPORT)/tasks.md && scripts/measured.py keep tasks --text <$(REPORT)/tasks.md
bench-stack: $(B)/irregular/plain/test/test_stack ## bytes resident of a task that has begun, of 100,000 at once
	$(Q)said=$$($<) && echo "$$said" | grep 'bytes resident' && \
	  echo "$$said" | sed -n 's/.*: \([0-9]*\) bytes resident.*/bytes \1/p' | scripts/measured.py keep stack
BENCH_PAGING := $(B)/irregular/plain/test/bench_paging
bench-paging: $(BENCH_PAGING) ## how much slower data larger than memory are, by tasks; in TMPDIR, some minutes
	$(Q)mkdir -p $(REPORT) && $< >$(REPORT)/paging.md && cat $(REPORT)/paging.md && \
	  scripts/measured.py keep paging --text <$(REPORT)/paging.md
