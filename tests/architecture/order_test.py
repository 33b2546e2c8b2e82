"""A folder uses only itself and those above it in README's table "The tree": what its files include,
and what its Bazel targets depend on.

Read from the tree itself, at every run. Tests may use anything, and third_party is at hand for all.
"""

import ast
import os
import re
import sys
import unittest

# (folder of the user, pattern of the user's path, folder used): what README says beside the table.
ALLOWED = [
    ("ops", r"^ops/api/BUILD\.bazel$", "tools"),  # apigen writes the typed API
    ("python", r"^python/BUILD\.bazel$", "tools"),  # the shared object that is installed
]
IS_TEST = re.compile(r"_(test|benchmark)\.(cc|py|sh)$|/testdata/")
RULES_OF_TESTS = re.compile(r"test|benchmark")
DEPENDENCIES = {"deps", "srcs", "hdrs", "implementation_deps"}


def order():
    """The position of each folder in README's table; those of one row share it."""
    with open("README.md", encoding="utf-8") as f:
        table = f.read().split("\n## The tree\n")[1].split("\n## ")[0]
    rows = [re.findall(r"`(\w+)/`", line.split("|")[1])
            for line in table.splitlines() if line.startswith("| `")]
    return {folder: position for position, row in enumerate(rows) for folder in row}


def included(path):
    """The folders of the headers that a file includes."""
    with open(path, encoding="utf-8", errors="replace") as f:
        return re.findall(r'^\s*#\s*include "(?:switchyard/)?(\w+)/', f.read(), re.MULTILINE)


def labels(node):
    """The labels in an expression of Starlark."""
    return [n.value for n in ast.walk(node)
            if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def depended(path):
    """The folders of the labels that targets of a BUILD file depend on, tests left out."""
    with open(path, encoding="utf-8") as f:
        tree = ast.parse(f.read())
    folders = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        keywords = {k.arg: k.value for k in call.keywords}
        if RULES_OF_TESTS.search(call.func.id) or "testonly" in keywords:
            continue
        for name in DEPENDENCIES & set(keywords):
            folders += re.findall(r"(?:^|\n)//(\w+)", "\n".join(labels(keywords[name])))
    return folders


def uses():
    """(file, folder of the file, folder that it uses) for all that is shipped."""
    for top in set(order()) - {"tests"}:
        for where, _, names in os.walk(top):
            for name in sorted(names):
                path = os.path.join(where, name)
                if IS_TEST.search(path):
                    continue
                if name.endswith((".cc", ".h", ".hpp", ".c", ".cu")):
                    for folder in included(path):
                        yield path, top, folder
                elif name == "BUILD.bazel":
                    for folder in depended(path):
                        yield path, top, folder


def made():
    """Folders that are made by what is run in the tree: tools/fuzz.sh's build/, tools/wheel.py's dist/."""
    with open(".gitignore", encoding="utf-8") as f:
        return set(re.findall(r"^/?([^/*\n]+)/$", f.read(), re.MULTILINE))


class OrderTest(unittest.TestCase):
    def test_a_folder_uses_those_above_it(self):
        positions = order()
        self.assertGreater(len(positions), 10)
        seen = 0
        upward = set()
        for path, user, used in uses():
            if used not in positions or used == "third_party":
                continue
            seen += 1
            allowed = any(user == a and re.search(pattern, path) and used == b
                          for a, pattern, b in ALLOWED)
            if positions[used] > positions[user] and not allowed:
                upward.add(f"{path} uses {used}/")
        self.assertGreater(seen, 1000)
        self.assertEqual(sorted(upward), [])

    def test_every_folder_stands_in_the_table(self):
        folders = {name for name in os.listdir(".") if os.path.isdir(name) and name[0] != "."
                   and not name.startswith("bazel-")}
        self.assertEqual(sorted(folders - made() - set(order())), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
