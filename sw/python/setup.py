# SPDX-License-Identifier: Apache-2.0
"""The parts of the build that pyproject.toml cannot say: the version stands in version.h, and the extension
is made by cffi."""
import os
import re
import sys

from setuptools import setup

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import tocsin_build  # noqa: E402


def version():
    with open(tocsin_build.header("version.h"), encoding="utf-8") as f:
        text = f.read()
    return ".".join(re.search(rf"#define TOC_VERSION_{part} (\d+)", text).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


setup(version=version(), cffi_modules=["tocsin_build.py:ffi"])
