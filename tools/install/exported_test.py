#!/usr/bin/env python3
"""What installed headers declare, the shared object offers:  exported_test.py HEADERS ARCHIVE…

A function that is defined with hidden visibility in an archive, and whose name a header declares
in the same class or namespace, cannot be called by a program that links the shared object.
"""

import os
import re
import subprocess
import sys

# Parts of classes that programs use through inlined functions; called within the library alone.
INTERNAL = {
    "sy::KernelTable::~KernelTable",
    "sy::KernelTable::Fill",
    "sy::KernelTable::NoRows",
    "sy::KernelTable::Reset",
    "sy::OperatorEntry::OperatorEntry",
    "sy::cpu::LoopKernel::First",
    "sy::internal::SumSmallBlocks",
}


def hidden_functions(archives):
    """Names with their namespaces, without parameters."""
    out = subprocess.run(["readelf", "-sW"] + archives, stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    fields = [line.split() for line in out.splitlines()]
    symbols = {f[7] for f in fields
               if len(f) >= 8 and f[3] == "FUNC" and f[4] == "GLOBAL" and f[5] == "HIDDEN"}
    names = subprocess.run(["c++filt", "--no-params"], input="\n".join(sorted(symbols)),
                           stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {re.sub(r"\[abi:\w+\]", "", name) for name in names if name.startswith("sy::")}


def scopes(text):
    """(namespace or class, its own lines) of one header, by the tree's indentation."""
    space = re.findall(r"^namespace ([\w:]+)", text, re.M)
    outer = space[0] if space else ""
    for block in re.split(r"^(?=namespace )", text, flags=re.M)[1:]:
        name = re.match(r"namespace ([\w:]+)", block)
        if name is None:
            continue
        full = name.group(1) if name.group(1).startswith("sy") else outer + "::" + name.group(1)
        yield full, block
        for part in re.split(r"^(?=class |struct |template )", block, flags=re.M)[1:]:
            kind = re.match(r"(?:template <.*>\n)?(?:class|struct) (?:SY_API )?(\w+)[^;]*{", part)
            if kind is not None:
                yield full + "::" + kind.group(1), part.split("\n};")[0]


def declared(folder):
    """Names that are declared with a parameter list, with their namespaces and classes."""
    names = set()
    for path, _, files in os.walk(folder):
        for file in files:
            with open(os.path.join(path, file), encoding="utf-8") as f:
                text = re.sub(r"//.*", "", f.read())
            for scope, body in scopes(text):
                names.update(scope + "::" + name for name in re.findall(r"(~?\b\w+)\(", body))
    return names


def main():
    folder, archives = sys.argv[1], sys.argv[2:]
    hidden, public = hidden_functions(archives), declared(folder)
    assert len(hidden) > 100 and len(public) > 100, (len(hidden), len(public))
    assert INTERNAL <= hidden & public, INTERNAL - (hidden & public)
    missing = sorted((hidden & public) - INTERNAL)
    for name in missing:
        print(f"{name} is declared in an installed header, but not exported: SY_API is missing")
    sys.exit(1 if missing else 0)


main()
