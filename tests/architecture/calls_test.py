#!/usr/bin/env python3
"""CALLS is what the bodies of composites call:  calls_test.py GROUPS_BZL SOURCE…

A body calls an operator by the typed API: reshape(x, sizes), add_out(out, a, b), Copy<diagonal>.
"""

import collections
import os
import re
import sys


def code(path):
    """Without comments and strings."""
    with open(path, encoding="utf-8") as f:
        return re.sub(r'//.*|"(\\.|[^"\\])*"', "", f.read())


def group_of(path):
    return os.path.basename(os.path.dirname(path))


def operators(schemas):
    """Name without overload -> the groups with a schema of it."""
    groups = collections.defaultdict(set)
    for path in schemas:
        with open(path, encoding="utf-8") as f:
            for name in re.findall(r'const Operator \w+\{\s*"(\w+?)_?[.(]', f.read()):
                groups[name].add(group_of(path))
    return groups


def calls(bodies, groups):
    """Group -> the groups it calls -> one call: "reshape in ops/linalg/kron_composite.cc"."""
    found = collections.defaultdict(dict)
    for path in bodies:
        for name in re.findall(r"(?<![\w.>:])(?:sy::)?(\w+?)(?:_out|_)?\(|<(\w+?)_?[,>]", code(path)):
            for group in groups.get(name[0] or name[1], ()):
                if group != group_of(path):
                    found[group_of(path)][group] = f"{name[0] or name[1]} in {path}"
    return found


def main():
    table, sources = sys.argv[1], sys.argv[2:]
    stated = {}
    with open(table, encoding="utf-8") as f:
        exec(f.read(), stated)
    bodies = sorted(s for s in sources if re.search(r"_composite\.(cc|h)$", s))
    schemas = [s for s in sources if s.endswith(".cc") and s not in bodies]
    found = calls(bodies, operators(schemas))
    assert len(bodies) > 50 and len(found) > 5, (len(bodies), len(found))
    status = 0
    for group in sorted(set(found) | set(stated["CALLS"])):
        missing = set(found[group]) - set(stated["CALLS"].get(group, []))
        for called in sorted(missing):
            print(f"{table}: {group} lacks {called}: {found[group][called]}")
            status = 1
        for called in sorted(set(stated["CALLS"].get(group, [])) - set(found[group])):
            print(f"{table}: {group} does not call {called}")
            status = 1
    sys.exit(status)


main()
