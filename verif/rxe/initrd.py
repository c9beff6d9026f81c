#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""initrd.py TREE OUT FILE...: an initramfs of the guest.

TREE is where Debian's packages have been unpacked. What goes in: busybox, the kernel modules that Soft-RoCE over
virtio needs, in an order in which insmod takes them, librxe, each FILE as /bin/NAME with its shared libraries,
and `init` of this folder.
"""
import glob
import lzma
import os
import re
import subprocess
import sys

MODULES = ["virtio_pci", "virtio_net", "8021q", "crc32_generic", "ib_uverbs", "rdma_rxe"]
HERE = os.path.dirname(os.path.abspath(__file__))


def modules(tree):
    """Names and contents, each behind what it depends on."""
    at = {}
    for path in glob.glob(f"{tree}/**/modules/*/kernel/**/*.ko*", recursive=True):
        at[os.path.basename(path).split(".ko")[0].replace("-", "_")] = path
    done = {}

    def take(name):
        if name in done:
            return
        with open(at[name], "rb") as f:
            code = f.read()
        if at[name].endswith(".xz"):
            code = lzma.decompress(code)
        needs = re.search(rb"\0depends=([^\0]*)\0", code)
        for other in needs[1].decode().split(",") if needs and needs[1] else []:
            take(other.replace("-", "_"))
        done[name] = code

    for name in MODULES:
        take(name)
    return done


def libraries(tree, path):
    """What the loader wants for a program: name in the guest, file here."""
    libs = f"{tree}/usr/lib/x86_64-linux-gnu:{tree}/lib/x86_64-linux-gnu"  # a tree of Debian 12 has both
    text = subprocess.run(["ldd", path], check=True, capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": libs, "LC_ALL": "C"}).stdout
    missing = re.findall(r"(\S+) => not found", text)
    if missing:
        sys.exit(f"{path} needs {' '.join(missing)}, which no package has brought")
    found = {}
    for name, where in re.findall(r"^\s*(?:(\S+) => )?(/\S+) \(0x", text, flags=re.M):
        found[where if not name else f"/lib/{name}"] = where
    return found


class Archive:
    """The `newc` format of cpio."""

    def __init__(self):
        self.out, self.inode, self.have = bytearray(), 1, set()

    def entry(self, name, mode, data=b""):
        head = [self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        self.inode += 1
        self.out += b"070701" + b"".join(b"%08X" % v for v in head) + name.encode() + b"\0"
        self.out += bytes(-len(self.out) % 4) + data
        self.out += bytes(-len(self.out) % 4)

    def add(self, name, data, mode=0o100755):
        name = name.lstrip("/")
        for i in [i for i, c in enumerate(name) if c == "/"]:
            self.folder(name[:i])
        if name not in self.have:
            self.have.add(name)
            self.entry(name, mode, data)

    def folder(self, name):
        if name not in self.have:
            self.have.add(name)
            self.entry(name, 0o040755)

    def end(self):
        self.entry("TRAILER!!!", 0)
        return bytes(self.out)


def content(path):
    with open(path, "rb") as f:
        return f.read()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    tree, out, files = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    a = Archive()
    for name in ("dev", "proc", "sys", "tmp"):
        a.folder(name)
    busybox = next(p for p in (f"{tree}/bin/busybox", f"{tree}/usr/bin/busybox") if os.path.exists(p))
    a.add("bin/busybox", content(busybox))
    a.add("init", content(f"{HERE}/init"))
    order = []
    for name, code in modules(tree).items():
        order.append(name)
        a.add(f"modules/{name}.ko", code)
    a.add("modules/order", ("\n".join(order) + "\n").encode())
    rxe = glob.glob(f"{tree}/usr/lib/x86_64-linux-gnu/libibverbs/librxe-*.so")[0]
    a.add(rxe[len(tree):], content(rxe))
    a.add("etc/libibverbs.d/rxe.driver", b"driver rxe\n")
    for path in [rxe, *files]:
        for name, where in libraries(tree, path).items():
            a.add(name, content(where))
        if path != rxe:
            a.add(f"bin/{os.path.basename(path)}", content(path))
    with open(out, "wb") as f:
        f.write(a.end())


if __name__ == "__main__":
    main()
