# SPDX-License-Identifier: Apache-2.0
"""Where a SystemVerilog file of ours can be mutated: a scanner for the subset that the house style allows.

Not a compiler: it finds the expressions of assignments and conditions, and the connections of instances, with their
places in the text. What it does not know it leaves alone. Tools read the result, so a mistake here is an error there
and no wrong verdict.
"""
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|`ifdef\ FORMAL.*?`endif|`\w+[^\n]*|\(\*.*?\*\)|"[^"\n]*")
  | (?P<num>\d*\s*'[sS]?[bodhBODH][0-9a-fA-F_xzXZ?]+|'[01]|\d[\d_]*)
  | (?P<id>[A-Za-z_$][\w$]*)
  | (?P<op><<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||::|\+:|-:|\+\+|--|[-+*/%&|^]=|~&|~\||~\^|'\(|'\{
         |[-+*/%&|^~!<>=?:;,.\#()\[\]{}@'])
""", re.X | re.S)
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}", "'(": ")", "'{": "}"}, {")", "]", "}"}


class Token:
    __slots__ = ("kind", "text", "start", "end")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


def tokens(text):
    found, at = [], 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            at += 1
            continue
        if m.lastgroup != "skip":
            found.append(Token(m.lastgroup, m.group(), at))
        at = m.end()
    return found


class Site:
    """A place: kind rhs (of `lhs`, style assign, comb or ff), cond, conn (of `port` of an instance);
    first and last token."""

    def __init__(self, kind, first, last, **more):
        self.kind, self.first, self.last = kind, first, last
        self.lhs = self.style = self.inst = self.port = self.module = None
        self.bare, self.depth = False, 0
        self.__dict__.update(more)


class File:
    def __init__(self, text):
        self.text, self.toks = text, tokens(text)
        self.name = self.body = None    # module, offset behind its header
        self.ports = {}                 # name to (direction, type)
        self.names = {}                 # declared in the module itself: name to (type, offset of the declaration)
        self.sites, self.instances = [], []
        self.constant = set()           # functions that elaboration calls
        i = 0
        while i < len(self.toks):
            if self.toks[i].text == "module":
                i = self.module(i)
            else:
                i += 1

    # ---- helpers ----
    def t(self, i):
        return self.toks[i].text if i < len(self.toks) else ""

    def close(self, i):
        """Index of what closes the bracket at i."""
        depth = 0
        while i < len(self.toks):
            if self.t(i) in OPEN:
                depth += 1
            elif self.t(i) in CLOSE:
                depth -= 1
                if not depth:
                    return i
            i += 1
        raise ValueError("a bracket without end")

    def find(self, i, *wanted):
        """Index of the first of `wanted` at this depth, from i on."""
        while i < len(self.toks):
            if self.t(i) in wanted:
                return i
            i = self.close(i) + 1 if self.t(i) in OPEN else i + 1
        raise ValueError(f"no {wanted}")

    def between(self, i, j):
        return self.text[self.toks[i].start:self.toks[j].end]

    # ---- declarations ----
    def declare(self, i, end, add):
        """`TYPE name, name [dims];`: calls add(name, type, unpacked?) for each; the tokens i .. end - 1."""
        start, depth, names = i, 0, []
        while i < end:
            if self.t(i) in OPEN:
                i = self.close(i) + 1
                continue
            if self.toks[i].kind == "id" and (i + 1 == end or self.t(i + 1) in (",", "[", "=", ";")) and i > start and \
                    not (self.t(i + 1) == "[" and self.t(i) in ("logic", "wire", "signed", "unsigned")):
                names.append(i)
                i = min((k for k in range(i, end) if self.t(k) == ","), default=end)
            i += 1
        if not names:
            return
        kind = re.sub(r"\s+", "", re.sub(r"\b(input|output|wire|var)\b", "", self.between(start, names[0] - 1)))
        for n in names:
            add(self.t(n), kind, n + 1 < end and self.t(n + 1) == "[")

    def module(self, i):
        self.name = self.t(i + 1)
        i += 2
        if self.t(i) == "#":
            i = self.close(i + 1) + 1
        if self.t(i) == "(":
            end = self.close(i)
            i += 1
            while i < end:
                stop = i
                while stop < end and self.t(stop) != ",":
                    stop = self.close(stop) + 1 if self.t(stop) in OPEN else stop + 1
                direction = self.t(i)
                if direction in ("input", "output"):
                    def add(name, kind, _, way=direction):
                        self.ports[name] = (way, kind)
                        self.names[name] = (kind, 0)
                    self.declare(i, stop, add)
                i = stop + 1
            i = end + 1
        self.body = self.toks[i].end
        for k in range(i, len(self.toks)):
            if self.t(k) in ("localparam", "parameter"):
                self.constant |= {x.text for x in self.toks[k:self.find(k, ";")] if x.kind == "id"}
        depth = 0
        while self.t(i) not in ("endmodule", ""):
            i, depth = self.item(i, depth)
        return i + 1

    def item(self, i, depth):
        t, kind = self.t(i), self.toks[i].kind
        if t == "begin":
            return (i + 3 if self.t(i + 1) == ":" else i + 1), depth + 1
        if t == "end":
            return i + 1, depth - 1
        if t in ("if", "for"):
            return self.close(i + 1) + 1, depth
        if t in ("else", ";", "generate", "endgenerate"):
            return i + 1, depth
        if t == "assign":
            while self.t(i) != ";":
                eq = self.find(i + 1, "=")
                stop = self.find(eq + 1, ",", ";")
                self.sites.append(Site("rhs", eq + 1, stop - 1, lhs=self.between(i + 1, eq - 1), style="assign"))
                i = stop
            return i + 1, depth
        if t in ("always_comb", "always_ff", "always", "initial"):
            i += 1
            if self.t(i) == "@":
                i = self.close(i + 1) + 1
            return self.stmt(i, None if t == "initial" else "ff" if t == "always_ff" else "comb"), depth
        if t == "function":
            head = self.find(i, ";")
            name = self.t(next(k for k in range(i, head) if self.t(k + 1) == "("))
            i = head + 1
            while self.t(i) != "endfunction":
                i = self.stmt(i, None if name in self.constant else "function")
            return i + 1, depth
        if kind == "id" and t not in ("localparam", "parameter", "typedef", "genvar", "logic", "wire", "import",
                                      "int") and (
                self.t(i + 1) == "#" or (i + 2 < len(self.toks) and self.toks[i + 1].kind == "id"
                                         and self.t(i + 2) in ("(", "["))):
            stop = self.instance(i, depth)
            if stop:
                return stop, depth
        stop = self.find(i, ";")
        if t not in ("localparam", "parameter", "typedef", "genvar",
                     "import") and kind == "id" and not t.startswith("$"):
            at = self.toks[i].start

            def add(name, kind, unpacked):
                if depth == 0 and not unpacked:
                    self.names.setdefault(name, (kind, at))
            self.declare(i, stop, add)
        return stop + 1, depth

    def instance(self, i, depth):
        module, first = self.t(i), i
        i += 1
        if self.t(i) == "#":
            i = self.close(i + 1) + 1
        name = self.t(i)
        i += 1
        if self.t(i) == "[":
            i = self.close(i) + 1
        if self.t(i) != "(":
            return None
        end = self.close(i)
        i += 1
        while i < end:
            if self.t(i) == ".":
                port, k = self.t(i + 1), i + 2
                if self.t(k) == "(":
                    stop = self.close(k)
                    if stop > k + 1:
                        self.sites.append(Site("conn", k + 1, stop - 1, inst=name, module=module, port=port,
                                               depth=depth))
                    i = stop + 1
                else:
                    self.sites.append(Site("conn", i + 1, i + 1, inst=name, module=module, port=port, depth=depth,
                                           bare=True))
                    i = k
            i += 1
        self.instances.append((name, module, first, end))
        return self.find(end, ";") + 1

    # ---- statements ----
    def stmt(self, i, style):
        """One statement; style None: left alone."""
        t = self.t(i)
        if t in ("unique", "priority"):
            return self.stmt(i + 1, style)
        if t == "begin":
            i += 1
            if self.t(i) == ":":
                i += 2
            while self.t(i) != "end":
                i = self.stmt(i, style)
            i += 1
            return i + 2 if self.t(i) == ":" else i
        if t == "if":
            stop = self.close(i + 1)
            if style:
                self.sites.append(Site("cond", i + 2, stop - 1, style=style))
            i = self.stmt(stop + 1, style)
            return self.stmt(i + 1, style) if self.t(i) == "else" else i
        if t == "for":
            return self.stmt(self.close(i + 1) + 1, style)
        if t in ("case", "casez", "casex"):
            i = self.close(i + 1) + 1
            while self.t(i) != "endcase":
                i = i + 1 if self.t(i) == "default" else self.find(i, ":")
                if self.t(i) == ":":
                    i += 1
                i = self.stmt(i, style)
            return i + 1
        if t == ";":
            return i + 1
        stop = self.find(i, ";")
        if t.startswith("$") or t in ("logic", "int", "automatic", "localparam", "bit", "assert", "assume",
                                      "cover", "input"):
            return stop + 1
        k = i
        while k < stop and self.t(k) not in ("=", "<="):
            k = self.close(k) + 1 if self.t(k) in OPEN else k + 1
        if k >= stop or any(self.t(x) in ("++", "+=", "-=") for x in range(i, k)):
            return stop + 1
        if style:
            lhs = self.between(i, k - 1)
            self.sites.append(Site("rhs", k + 1, stop - 1, lhs=lhs, style=style))
        return stop + 1
