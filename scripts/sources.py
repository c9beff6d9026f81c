# SPDX-License-Identifier: Apache-2.0
"""A digest of sources, by which a result says what it is of: a campaign's row, a figure of a page."""
import hashlib
import os
import re

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def digest(paths, root="", more=""):
    """Of the sources' words, comments left out, and of their names: a file that moves to another folder is the same.
    more: other words that a result depends on, such as parameters."""
    h = hashlib.sha256()
    for p in sorted(set(paths), key=lambda p: (os.path.basename(p), p)):
        with open(os.path.join(root, p), encoding="utf-8") as f:
            h.update(" ".join([os.path.basename(p), *COMMENT.sub("", f.read()).split()]).encode() + b"\0")
    h.update(" ".join(more.split()).encode())
    return h.hexdigest()[:12]
