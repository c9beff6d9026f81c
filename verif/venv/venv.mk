# SPDX-License-Identifier: Apache-2.0
# Pinned programs of PyPI: verif/venv/NAME.txt lists packages, $(call venv,NAME) is what a target that needs
# them depends on, and build/venv/NAME/bin holds them. Each has a folder of its own, so that one's versions
# are not another's.
NEED_venv := python3 python3-venv
venv = $(B)/venv/$(1)/stamp
$(B)/venv/%/stamp: verif/venv/%.txt | need-venv
	@echo "tocsin: installing $$(grep == $< | tr '\n' ' ')into $(@D)"
	$(Q)$(PY) -m venv $(@D) && $(@D)/bin/pip -q --disable-pip-version-check install -r $< && touch $@ || \
	  { echo "tocsin: pip could not install what $< lists$(VENV_ELSE_$*)" >&2; exit 1; }
