#!/usr/bin/env python3
"""CALLS is what the bodies of composites call, FORMULAS what operators name:  calls_test.py GROUPS_BZL SOURCE…

A body calls an operator by the typed API: reshape(x, sizes), add_out(out, a, b), Copy<diagonal>, or
gives its name to a macro: SY_UNARY(sqrt), or X(sqrt) in a list of names that it includes. An
operator names a formula of a header that its file includes, kFormula<f::Sin>.
"""

import collections
import os
import re
import sys


# Headers of ops/formulas without formulas of operators.
NO_FORMULAS = {"facts", "library", "optimizer", "reduce"}


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
        for names in re.findall(
                r"\b(?:SY_[A-Z_]+|X)\((\w+)|(?<![\w.>:])(?:sy::)?(\w+?)(?:_out|_)?\(|<(\w+?)_?[,>]",
                code(path)):
            name = "".join(names)
            for group in groups.get(name, ()):
                if group != group_of(path):
                    found[group_of(path)][group] = f"{name} in {path}"
    return found


def named(schemas):
    """Group -> the headers of formulas that its operators' files include."""
    headers = collections.defaultdict(set)
    for path in schemas:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if "kFormula<" in text:
            headers[group_of(path)] |= set(re.findall(r"ops/formulas/(\w+)\.h", text)) - NO_FORMULAS
    return headers


def compare(file, table, stated, found):
    """Prints where a table of the groups is not what was found; whether it is."""
    same = True
    for group in sorted(set(found) | set(stated)):
        has, needs = set(stated.get(group, [])), set(found.get(group, []))
        for name in sorted(needs - has):
            why = f": {found[group][name]}" if isinstance(found[group], dict) else ""
            print(f"{file}: {table} of {group} lacks {name}{why}")
        for name in sorted(has - needs):
            print(f"{file}: {table} of {group} lists {name}, which nothing needs")
        same = same and has == needs
    return same


def main():
    table, sources = sys.argv[1], sys.argv[2:]
    stated = {}
    with open(table, encoding="utf-8") as f:
        exec(f.read(), stated)
    bodies = sorted(s for s in sources if re.search(r"_(composite\.(cc|h)|names\.h)$", s))
    schemas = [s for s in sources if s.endswith(".cc") and s not in bodies]
    found = calls(bodies, operators(schemas))
    assert len(bodies) > 50 and len(found) > 5, (len(bodies), len(found))
    formulas = named(schemas)
    assert len(formulas) > 5, formulas
    same = [compare(table, "CALLS", stated["CALLS"], found),
            compare(table, "FORMULAS", stated["FORMULAS"], formulas)]
    sys.exit(0 if all(same) else 1)


main()
