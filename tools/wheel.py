#!/usr/bin/env python3
"""Builds the Python package and puts it into a wheel:  tools/wheel.py [--bare] [FOLDER]

FOLDER: where the wheel goes, dist/ if none is named; its path is the last line printed. One file
serves every CPython from 3.11 on (abi3). It holds libswitchyard.so and the libraries of this
machine that it links or opens, without symbols for debuggers, with a search path to each other, and
with their licences: nothing else has to be installed. --bare: only those that it links; oneDNN,
OpenBLAS, SLEEF and OpenMP's runtime are then opened where the machine has them.
"""

import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "bazel-bin", "python", "package")
SUMMARY = "Tensors and operators by PyTorch's names, dispatched to pluggable backends"


def version():
    with open(os.path.join(ROOT, "core", "version.h"), encoding="utf-8") as f:
        return re.search(r'kVersion = "(.*)"', f.read()).group(1)


# What every Linux has that manylinux names (PEP 600).
SYSTEM = re.compile(r"(ld-linux.*|libc|libm|libmvec|libdl|libpthread|librt|libutil|libgcc_s|"
                    r"libstdc\+\+|libz)\.so\.\d+")
# What libswitchyard.so opens on a CPU (docs/security.md).
OPENED = ["libgomp.so.1", "libsleef.so.3", "libopenblas.so.0", "libdnnl.so.2"]


def readelf(option, path):
    return subprocess.run(["readelf", option, path], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def needed(path):
    """Names of the libraries that a file links."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path))


def libraries(opened):
    """{name: path} of those beside the package's own, and of those that these link."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    known = {}
    for name, path in re.findall(r"^\t(\S+) \(libc6,[^)]*\) => (\S+)$", listed, re.M):
        known.setdefault(name, path)
    found, wanted = {}, opened + needed(os.path.join(PACKAGE, "switchyard", "libswitchyard.so.0.1"))
    while wanted:
        name = wanted.pop()
        if name in found or SYSTEM.fullmatch(name):
            continue
        if name not in known:
            sys.exit(f"wheel.py: {name} is not on this machine; tools/setup.sh installs it")
        found[name] = known[name]
        wanted += needed(known[name])
    return found


def licence(path):
    """(package, text) of the Debian package that a file is of."""
    owner = subprocess.run(["dpkg", "-S", os.path.realpath(path)], stdout=subprocess.PIPE,
                           text=True)
    if owner.returncode:  # installed under the name before /usr was merged
        owner = subprocess.run(["dpkg", "-S", os.path.realpath(path).removeprefix("/usr")],
                               stdout=subprocess.PIPE, text=True, check=True)
    package = owner.stdout.split(":")[0]
    with open(f"/usr/share/doc/{package}/copyright", "rb") as f:
        return package, f.read()


def tag(paths):
    """The oldest glibc that has what the libraries ask for."""
    asked = set()
    for path in paths:
        asked |= {tuple(map(int, v)) for v in re.findall(r"Name: GLIBC_(\d+)\.(\d+)",
                                                         readelf("-V", path))}
    return "manylinux_{}_{}_{}".format(*max(asked), platform.machine())


def metadata():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as f:
        text = f.read()
    return (f"Metadata-Version: 2.1\nName: switchyard\nVersion: {version()}\nSummary: {SUMMARY}\n"
            "License: Apache-2.0\nRequires-Python: >=3.11\nProvides-Extra: numpy\n"
            "Requires-Dist: numpy; extra == 'numpy'\n"
            f"Description-Content-Type: text/markdown\n\n{text}")


def contents(path):
    with open(path, "rb") as f:
        return f.read()


def library(path):
    """The bytes of a library without debuggers' symbols, which looks beside itself for others."""
    with tempfile.TemporaryDirectory() as temporary:
        made = os.path.join(temporary, "made")
        subprocess.run(["strip", "--strip-unneeded", "-o", made, path], check=True)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", made], check=True)
        return contents(made)


def files():
    """(name in the wheel, bytes) of the package."""
    for folder, folders, names in os.walk(PACKAGE):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            yield os.path.relpath(path, PACKAGE), library(path) if ".so" in name else contents(path)


def write(folder, bare=False):
    """Writes the wheel and returns its name."""
    beside = libraries([] if bare else OPENED)
    own = [os.path.join(PACKAGE, "switchyard", n)
           for n in ("_core.abi3.so", "libswitchyard.so.0.1")]
    platform_tag = f"cp311-abi3-{tag(own + list(beside.values()))}"
    name = f"switchyard-{version()}"
    info = f"{name}.dist-info"
    wheel = f"{name}-{platform_tag}.whl"
    os.makedirs(folder, exist_ok=True)
    record = []
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        def add(path, data):
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # the same bytes at every build
            entry.external_attr = (0o755 if ".so" in path else 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}\n")
        for path, data in files():
            add(path, data)
        for soname, path in sorted(beside.items()):
            add(f"switchyard/{soname}", library(path))
        add(f"{info}/METADATA", metadata().encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: switchyard\nRoot-Is-Purelib: false\n"
                             f"Tag: {platform_tag}\n".encode())
        add(f"{info}/LICENSE", contents(os.path.join(ROOT, "LICENSE")))
        for package, text in sorted({licence(path) for path in beside.values()}):
            add(f"{info}/licenses/{package}", text)
        record.append(f"{info}/RECORD,,\n")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), "".join(record))
    return wheel


def build():
    subprocess.run(["bazel", "build", "//python:package"], cwd=ROOT, check=True,
                   stdout=sys.stderr)


def main():
    bare = "--bare" in sys.argv[1:]
    folders = [a for a in sys.argv[1:] if a != "--bare"]
    folder = folders[0] if folders else os.path.join(ROOT, "dist")
    build()
    print(os.path.join(folder, write(folder, bare)))


if __name__ == "__main__":
    main()
