# SPDX-License-Identifier: Apache-2.0
# The Python package, built from the tree into build/venv/python as pip does it, and its tests.
NEED_python  := $(NEED_cc) python3-venv python3-dev
SW_PYTHON    := $(B)/venv/python/installed
SW_PYTHON_IN := $(wildcard sw/python/*.py sw/python/*.toml sw/python/*.md sw/python/tocsin/*.py sw/include/tocsin/*.h) \
                model/include/tocsin/version.h
$(SW_PYTHON): $(call venv,python) $(SW_PYTHON_IN) $(B)/lib/libtocsin-driver.a $(B)/lib/libtocsin.a | need-python
	$(Q)rm -rf sw/python/build && $(@D)/bin/pip -q --disable-pip-version-check install --no-build-isolation --no-deps \
	  --force-reinstall \
	  ./sw/python && touch $@

.PHONY: sw-python
sw-python: $(SW_PYTHON) ## the Python package, from the tree into a virtual environment, and its tests
	$(Q)$(B)/venv/python/bin/python -X dev -W error sw/test/test_python.py
TESTS        += sw-python
TESTS_SHARED += $(SW_PYTHON)
