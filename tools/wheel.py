#!/usr/bin/env python3
"""Builds the Python package and puts it into a wheel:  tools/wheel.py [FOLDER]

FOLDER: where the wheel goes, dist/ if none is named; its path is the last line printed. One file
serves every CPython from 3.11 on (abi3). It holds libswitchyard.so without symbols for debuggers;
oneDNN, OpenBLAS and SLEEF are opened at run time where the machine has them.
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


def tag():
    """The oldest glibc that has what the libraries ask for."""
    asked = set()
    for name in ("_core.abi3.so", "libswitchyard.so.0.1"):
        out = subprocess.run(["readelf", "-V", os.path.join(PACKAGE, "switchyard", name)],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
        asked |= {tuple(map(int, v)) for v in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", out)}
    return "manylinux_{}_{}_{}".format(*max(asked), platform.machine())


def metadata():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as f:
        text = f.read()
    return (f"Metadata-Version: 2.1\nName: switchyard\nVersion: {version()}\nSummary: {SUMMARY}\n"
            "License: Apache-2.0\nRequires-Python: >=3.11\nProvides-Extra: numpy\n"
            "Requires-Dist: numpy; extra == 'numpy'\n"
            f"Description-Content-Type: text/markdown\n\n{text}")


def files():
    """(name in the wheel, bytes) of the package."""
    with tempfile.TemporaryDirectory() as temporary:
        for folder, folders, names in os.walk(PACKAGE):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                inside = os.path.relpath(path, PACKAGE)
                if ".so" in name:
                    stripped = os.path.join(temporary, name)
                    subprocess.run(["strip", "--strip-unneeded", "-o", stripped, path], check=True)
                    path = stripped
                with open(path, "rb") as f:
                    yield inside, f.read()


def write(folder):
    """Writes the wheel and returns its name."""
    platform_tag = f"cp311-abi3-{tag()}"
    name = f"switchyard-{version()}"
    info = f"{name}.dist-info"
    wheel = f"{name}-{platform_tag}.whl"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(ROOT, "LICENSE"), "rb") as f:
        licence = f.read()
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
        add(f"{info}/METADATA", metadata().encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: switchyard\nRoot-Is-Purelib: false\n"
                             f"Tag: {platform_tag}\n".encode())
        add(f"{info}/LICENSE", licence)
        record.append(f"{info}/RECORD,,\n")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), "".join(record))
    return wheel


def build():
    subprocess.run(["bazel", "build", "//python:package"], cwd=ROOT, check=True,
                   stdout=sys.stderr)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "dist")
    build()
    print(os.path.join(folder, write(folder)))


if __name__ == "__main__":
    main()
