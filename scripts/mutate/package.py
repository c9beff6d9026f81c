# SPDX-License-Identifier: Apache-2.0
"""What of a package others can see: a field that a block's struct is given concerns those alone that name it."""
import functools
import re

WORD = re.compile(r"[A-Za-z_]\w*")


@functools.lru_cache(maxsize=None)
def declarations(text):
    """(names, words) of each declaration of a package whose comments are gone; what stands around them has no names."""
    at, depth, out, begin = 0, 0, [], 0
    body = re.search(r"\bpackage\s+\w+\s*;", text)
    end = text.rfind("endpackage")
    if not body or end < 0:
        return [((), text)]
    out.append(((), text[:body.end()] + text[end:]))
    at = begin = body.end()
    while at < end:
        if re.match(r"function\b", text[at:at + 9]) and not text[begin:at].strip():
            at = text.index("endfunction", at) + len("endfunction")
        elif text[at] in "{}()":
            depth += 1 if text[at] in "{(" else -1
            at += 1
            continue
        elif text[at] == ";" and not depth:
            at += 1
        else:
            at += 1
            continue
        words = text[begin:at].strip()
        out.append((names(words), words))
        begin = at
    if text[begin:end].strip():
        out.append(((), text[begin:end]))
    return out


def names(words):
    """What a declaration declares; nothing, if it is of no kind that is known here, so that everybody sees it."""
    if words.startswith("function"):
        return tuple(re.findall(r"(\w+)\s*[(;]", words)[:1])
    if words.startswith("typedef"):
        members = re.search(r"\benum\b[^{]*\{(.*)\}", words, flags=re.S)
        mine = re.findall(r"(\w+)\s*;$", words)
        return tuple(mine + re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", members.group(1)) if members else mine)
    if words.startswith("localparam"):
        return tuple(re.findall(r"(\w+)\s*=(?!=)", re.sub(r"\([^()]*\)|\{[^{}]*\}", "", words)))
    return ()


def seen(packages, words, macros):
    """The texts of packages ({name: text}) without the declarations that nobody names: no word of those that use them,
    no macro of a test's C (AA_TAG_T_HOLD_LSB is of tag_t), and no declaration that is itself seen."""
    all_of = {n: declarations(text) for n, text in packages.items()}
    taken, words = set(), set(words)
    while True:
        new = [(n, i) for n, some in all_of.items() for i, (declared, _) in enumerate(some) if (n, i) not in taken
               and (not declared or any(d in words or f"_{d.upper()}_" in macros for d in declared))]
        if not new:
            return {n: "\n".join(text for i, (_, text) in enumerate(some) if (n, i) in taken)
                    for n, some in all_of.items()}
        taken.update(new)
        for n, i in new:
            words.update(WORD.findall(all_of[n][i][1]))
