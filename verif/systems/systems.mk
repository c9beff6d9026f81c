# SPDX-License-Identifier: Apache-2.0
# The two commands on other systems: in a bare root (`make matrix`), in a container, and in the hosted runs.
NEED_matrix := python3 mmdebstrap
SYSTEM ?= debian:13
.PHONY: matrix ci-steps
matrix: $(call venv,ci) | need-matrix ## the two commands in a bare root of SYSTEM=debian:13 (debian:12, ubuntu:24.04) [TARGETS="a b"] [FRESH=1] [MIRROR=line]
	$(Q)$(B)/venv/ci/bin/python scripts/matrix.py --system $(SYSTEM) $(if $(FRESH),--fresh) \
	  $(if $(MIRROR),--mirror '$(MIRROR)') $(TARGETS)

# The workflow's and the container's steps, in this tree. Of the suite, which this is a part of, `make test`
# is then given one test.
CI_FLAGS := -- TESTS=registers-check TESTS_SHARED= REPORT=$(B)/report/ci
ci-steps: $(call venv,ci)
	$(Q)$(B)/venv/ci/bin/python verif/systems/test_ci.py
	$(Q)MAKEFLAGS=' $(CI_FLAGS)' $(B)/venv/ci/bin/python scripts/ci.py run
	$(Q)verif/cosim_aa/check_report.py --files $(B)/run/report.html  # which `make run` has written
TESTS += ci-steps
TESTS_SHARED += $(call venv,ci)
