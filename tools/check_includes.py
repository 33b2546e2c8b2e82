#!/usr/bin/env python3
"""Whether every header that a file includes belongs to its target or to one that the target names.

  check_includes.py

Asks Bazel for the targets of the tree, reads what their files include, and prints
"includes: N passed, N failed", before it one line for each header that comes from further below, or
from nowhere. A target that only depends on a library's library would break when that one changes.
Exit status 1 when anything failed. Compiles nothing.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
COMPILED = ("cc_library", "cc_binary", "cc_test")
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
SOURCES = (".cc", ".h", ".hpp", ".c", ".inc")


def rules():
    """By label: (class, lists of labels by attribute)."""
    out = subprocess.run(["bazel", "query", "--output=xml", "//..."], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, check=True).stdout
    found = {}
    for rule in ElementTree.fromstring(out.replace('version="1.1"', 'version="1.0"', 1)).iter("rule"):
        lists = {l.get("name"): [e.get("value") for e in l.iter("label")] for l in rule.iter("list")}
        lists.update({l.get("name"): [l.get("value")] for l in rule.findall("label")})
        prefix = {s.get("name"): s.get("value") for s in rule.findall("string")}.get("include_prefix")
        found[rule.get("name")] = (rule.get("class"), lists, prefix)
    return found


def files(label, all_rules, of):
    """The files that a label stands for, as paths from the root."""
    rule = all_rules.get(label)
    if rule is None:
        return [label[2:].replace(":", "/").lstrip("/")]
    return [f for l in rule[1].get(of, []) for f in files(l, all_rules, of)]


class Tree:
    def __init__(self):
        self.rules = rules()

    def headers(self, label):
        """What includes of the library's headers say."""
        kind, lists, prefix = self.rules.get(label, (None, {}, None))
        if kind not in COMPILED:  # a rule that shows its deps' headers as its own
            return {h for d in lists.get("deps", []) for h in self.headers(d)}
        return {name for label_of in lists.get("hdrs", [])
                for path in files(label_of, self.rules, "srcs")
                for name in self.names(label, path, prefix)}

    @staticmethod
    def names(label, path, prefix):
        """A header by its path, and as the library's include_prefix has it."""
        package = label[2:].split(":")[0]
        inner = path[len(package) + 1:] if package and path.startswith(package + "/") else path
        return {path} | ({prefix + "/" + inner} if prefix else set())

    def check(self, label):
        """Yields (file, include) for what the target's files include and may not."""
        _, lists, _ = self.rules[label]
        own = [f for of in ("srcs", "hdrs") for l in lists.get(of, [])
               for f in files(l, self.rules, "srcs")]
        may = set(own) | self.headers(label)
        for dep in lists.get("deps", []):
            may |= self.headers(dep)
        for path in own:
            if not path.endswith(SOURCES) or not os.path.exists(path):
                continue  # made by a rule
            with open(path, encoding="utf-8") as file:
                for name in INCLUDE.findall(RAW_STRING.sub("", file.read())):
                    beside = os.path.join(os.path.dirname(path), name)
                    if name not in may and beside not in may:
                        yield path, name


def main():
    tree = Tree()
    passed = failed = 0
    for label, (kind, _, _) in sorted(tree.rules.items()):
        if kind not in COMPILED or label.startswith("//third_party"):
            continue
        wrong = list(tree.check(label))
        for path, name in wrong:
            print(f"{path}: {label} names no target with {name}")
        failed += bool(wrong)
        passed += not wrong
    print(f"includes: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
