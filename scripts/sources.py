# SPDX-License-Identifier: Apache-2.0
"""A digest of sources, by which a result says what it is of: a campaign's row, a figure of a page."""
import hashlib
import os
import re

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def digest(paths, root=""):
    """Of the sources' words, comments left out."""
    h = hashlib.sha256()
    for p in sorted(set(paths)):
        with open(os.path.join(root, p), encoding="utf-8") as f:
            h.update(" ".join([p, *COMMENT.sub("", f.read()).split()]).encode() + b"\0")
    return h.hexdigest()[:12]
