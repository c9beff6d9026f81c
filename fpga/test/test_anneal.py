#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_anneal.py PROGRAM: what fpga/anneal makes of a small placement: that all is still where it may be, that its
wires and its longest way are shorter by an estimate of our own, that a seed gives the same again; and what it says of
one that is wrong."""
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
LUT, FF, FIXED, PORT = 0, 1, 2, 3
A, DI, M, F, Q, FCO = 0, 4, 9, 0, 1, 2
COLUMNS, ROWS = range(20, 60), [y for y in range(20, 58) if y % 12 != 10]


class Design:
    """Pipelines of LUTs, each with a register of its own or one of another half, thrown about; LUT RAMs that they go
    through, and carry chains of two tiles."""

    def __init__(self, seed=1):
        self.rnd = random.Random(seed)
        self.cells, self.nets, self.wires, self.links = [], [], [], []
        self.free = [(x, y) for x in COLUMNS for y in ROWS]
        self.rnd.shuffle(self.free)
        self.halves = []
        self.rams = [self.ram() for _ in range(12)]
        for _ in range(6):
            self.chain()
        for _ in range(60):
            self.line()

    def cell(self, kind, x, y, z, keys=(-1, -1), mode=0):
        self.cells.append([kind, x, y, z, *keys, mode])
        return len(self.cells) - 1

    def net(self, driver, kind, launch=-1, ways=()):
        self.nets.append([driver, kind, launch, list(ways), []])
        return len(self.nets) - 1

    def wire(self, net, sink, pin, setup=-1):
        self.nets[net][4].append((sink, pin, setup))
        return net, len(self.nets[net][4]) - 1

    def ram(self):
        x, y = self.free.pop()
        luts = [self.cell(FIXED, x, y, z, mode=1) for z in range(6)]
        port = self.cell(PORT, x, y, 8, mode=1)
        for z in range(4):
            self.wire(self.net(port, 3), luts[z], M)
        return luts

    def chain(self):
        at = next((x, y) for x, y in self.free if (x + 1, y) in self.free)
        x, y = at
        self.free = [f for f in self.free if f not in (at, (x + 1, y))]
        cells = [self.cell(FIXED, x + z // 8, y, z % 8, mode=2) for z in range(16)]
        for one, other in zip(cells, cells[1:]):
            self.wire(self.net(one, FCO), other, M)
        self.links.append(at)

    def half(self, keys):
        """A half of a tile, and of a slice, whose registers have these keys."""
        for i, (*at, known) in enumerate(self.halves):
            if known == keys:
                del self.halves[i]
                return at
        x, y = self.free.pop()
        self.halves += [(x, y, z, (keys[0], 2 * keys[0] + (keys[1] + z // 2) % 2)) for z in range(8)]
        self.rnd.shuffle(self.halves)
        return self.half(keys)

    def line(self):
        before = None
        for step in range(20):
            key = self.rnd.randrange(3)
            keys = key, 2 * key + self.rnd.randrange(2)
            own = self.rnd.random() < .6
            lut = self.cell(LUT, *self.half(keys))
            reg = self.cell(FF, *(self.cells[lut][1:4] if own else self.half(keys)), keys)
            if before is not None:
                at = self.wire(before, lut, A)
                out = self.net(lut, F, ways=[(at, 180)])
            else:
                out = self.net(lut, F, launch=100)
            self.wire(out, reg, DI if own else M, 50)
            before = self.net(reg, Q, launch=395)
        # From the last one into a LUT RAM, and from there to its register.
        ram = self.rnd.choice(self.rams)
        for z in range(4):
            at = self.wire(before, ram[z], A)
            self.wire(self.net(ram[z], F, ways=[(at, 180)]), reg, M, 50)

    def text(self):
        at, wires = {}, []
        for n, net in enumerate(self.nets):
            for k, end in enumerate(net[4]):
                at[n, k] = len(wires)
                wires.append((n, *end))
        rows = [(len(self.cells), len(self.nets), len(wires), sum(len(n[3]) for n in self.nets)), *self.cells]
        for driver, kind, launch, ways, _ in self.nets:
            rows.append((driver, kind, launch, len(ways), *(v for way, delay in ways for v in (at[way], delay))))
        rows += [*wires, (len(self.links),), *self.links]
        return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def annealed(text, seed=1, moves=3):
    """(code, what it says, the cells' places)"""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in", "w", encoding="utf-8") as f:
            f.write(text)
        p = subprocess.run([PROGRAM, f"{folder}/in", f"{folder}/out", str(seed), str(moves)], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
        if p.returncode:
            return p.returncode, p.stdout, None
        with open(f"{folder}/out", encoding="utf-8") as f:
            return 0, p.stdout, [tuple(map(int, line.split())) for line in f]


def edges(design, places):
    total = 0
    for driver, kind, _, _, ends in design.nets:
        if kind != FCO and ends:
            at = [places[c] for c in (driver, *(e[0] for e in ends))]
            total += sum(max(p[k] for p in at) - min(p[k] for p in at) for k in (0, 1))
    return total


class Annealed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.design = Design()
        cls.code, cls.says, cls.places = annealed(cls.design.text())
        cls.first = [tuple(c[1:4]) for c in cls.design.cells]

    def test_wires_are_shorter(self):
        self.assertEqual(self.code, 0, self.says)
        self.assertLess(edges(self.design, self.places), 0.5 * edges(self.design, self.first))

    def test_what_it_says(self):
        last = self.says.splitlines()[-1]
        self.assertIn(f"wire {edges(self.design, self.places)},", last)
        self.assertIn(f"wire {edges(self.design, self.first)},", self.says.splitlines()[0])

    def test_no_two_in_one_place(self):
        at = [(c[0] == FF, *p) for c, p in zip(self.design.cells, self.places)]
        self.assertEqual(len(set(at)), len(at))
        self.assertTrue(all(2 <= x <= 124 and 2 <= y <= 93 and y % 12 != 10 for x, y, _ in self.places))

    def test_registers_of_a_tile_go_together(self):
        keys = {}
        for cell, (x, y, z) in zip(self.design.cells, self.places):
            if cell[0] == FF:
                self.assertEqual(keys.setdefault((x, y), cell[4]), cell[4])
                self.assertEqual(keys.setdefault((x, y, z // 2), cell[5]), cell[5])

    def test_a_register_stays_with_its_lut(self):
        pairs = [(net[0], end[0]) for net in self.design.nets for end in net[4] if end[1] == DI]
        self.assertGreater(len(pairs), 100)
        for lut, reg in pairs:
            self.assertEqual(self.places[lut], self.places[reg])

    def test_whole_tiles(self):
        fixed = [i for i, c in enumerate(self.design.cells) if c[0] in (FIXED, PORT)]
        moved = 0
        for i, k in zip(fixed, fixed[1:]):
            self.assertEqual(self.places[i][2], self.first[i][2])
            if self.first[i][1] == self.first[k][1] and abs(self.first[i][0] - self.first[k][0]) < 2 and \
               self.design.cells[i][6] == self.design.cells[k][6] and k == i + 1 and self.first[k][2]:
                self.assertEqual([b - a for a, b in zip(self.first[i], self.places[i])],
                                 [b - a for a, b in zip(self.first[k], self.places[k])])
            moved += self.places[i] != self.first[i]
        self.assertGreater(moved, 0)

    def test_chains_go_on_in_the_next_tile(self):
        for net in self.design.nets:
            if net[1] == FCO:
                a, b = self.places[net[0]], self.places[net[4][0][0]]
                self.assertEqual(8 * a[0] + a[2] + 1, 8 * b[0] + b[2])
                self.assertEqual(a[1], b[1])

    def test_no_register_in_a_tile_with_a_ram(self):
        rams = {p[:2] for c, p in zip(self.design.cells, self.places) if c[6] == 1}
        self.assertFalse([c for c, p in zip(self.design.cells, self.places) if c[0] == FF and p[:2] in rams])

    def test_a_seed_gives_the_same(self):
        self.assertEqual(annealed(self.design.text())[2], self.places)
        self.assertNotEqual(annealed(self.design.text(), seed=2)[2], self.places)


class Wrong(unittest.TestCase):
    def says(self, text):
        code, says, _ = annealed(text)
        self.assertEqual(code, 1)
        return says

    def test_numbers(self):
        self.assertIn("does not begin with four numbers", self.says("garbage\n"))
        text = Design().text()
        self.assertIn("a row is not what it should be", self.says(text[:len(text) // 2]))

    def test_two_in_one_place(self):
        design = Design()
        luts = [c for c in design.cells if c[0] == LUT]
        luts[0][1:4] = luts[1][1:4]
        self.assertIn("two cells are in one place", self.says(design.text()))

    def test_no_logic(self):
        design = Design()
        design.cells[-1][2] = 22
        self.assertIn("where no logic is", self.says(design.text()))

    def test_keys(self):
        design = Design()
        tiles = {}
        for cell in design.cells:
            if cell[0] == FF:
                tiles.setdefault((cell[1], cell[2]), []).append(cell)
        next(t for t in tiles.values() if len(t) > 1)[0][4] = 99
        self.assertIn("do not go together", self.says(design.text()))

    def test_a_loop(self):
        design = Design()
        lut = design.cell(LUT, 2, 2, 0)
        net = design.net(lut, F)
        design.nets[net][3].append((design.wire(net, lut, A), 180))
        self.assertIn("a loop without a register", self.says(design.text()))

    def test_usage(self):
        p = subprocess.run([PROGRAM, "x"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(p.returncode, 2)
        self.assertIn("anneal IN OUT SEED MOVES", p.stdout)


if __name__ == "__main__":
    unittest.main()
