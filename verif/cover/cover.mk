# SPDX-License-Identifier: Apache-2.0
# Line and branch coverage of RTL and model over all block tests, the model's unit tests, and what COVER_TESTS adds:
# targets that, made with COVER=1, leave a coverage.dat under build/ (TOCSIN_COVERAGE names it) and use $(MODEL_LINK).
.PHONY: cover cover-unit
cover: | need-cover ## coverage of RTL and model by the tests; leaves build/report/cover.json and cover.html
	$(Q)find $(B) \( -name '*coverage*.dat' -o -name '*.gcda' \) -delete 2>/dev/null || true
	$(Q)bad=0; $(MAKE) --no-print-directory -k -j$(JOBS) COVER=1 $(SIM_TESTS) cover-unit $(COVER_TESTS) || \
	  { bad=1; echo "cover: some tests failed; what follows is what the others reached"; }; \
	  scripts/cover.py || bad=1; exit $$bad

cover-unit: $(UNIT:%=$(B)/model/cov/test/%)
	$(Q)for t in $^; do ./$$t || exit 1; done

# What it says of a small tree.
.PHONY: cover-test
cover-test: | need-cover
	$(Q)verif/cover/test_cover.py
TESTS += cover-test
