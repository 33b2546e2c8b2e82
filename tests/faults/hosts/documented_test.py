"""docs/security.md names every environment variable and library that the sources name, and no other.

Read from the tree itself, at every run.
"""

import os
import re
import sys
import unittest

# What programs get: tests, testdata and the emulator, which only tests use, are none of it.
FOLDERS = ["core", "registry", "op", "dispatcher", "ops", "backends", "plugin", "tools/command",
           "testing/replay", "io", "testing/conform"]
NOT_SHIPPED = re.compile(r"_test\.cc$|_benchmark\.cc$|/testdata/|/emulator/|testing\.h$")

VARIABLE = re.compile(r'\b(?:secure_getenv|SwitchedOn|SwitchedOff|FolderIn)\((\w+|"\w+")\)')
UNSAFE = re.compile(r"\b(?:std::)?getenv\(([^)]*)\)")
LIBRARY = re.compile(r'"(lib\w+\.so[.\d]*)"')
# Functions that are handed the name of a variable.
HANDED_ON = {"name", "variable"}
# Names that are compared with what an object says of itself, or that an error tells to preload.
NOT_OPENED = {"libstdc++.so.6", "libc++.so.1", "libasan.so", "libtsan.so"}
# Opened here, and nowhere else.
FILES = re.compile(r"(?<![.>\w])(?:open|openat|fopen|opendir|mkdir|mkdirat|gzopen|dlopen)\([^)]"
                   r"|&dlopen\b|std::[io]?fstream\b|directory_iterator\b")
OPENING = {
    "core/private_library.cc", "backends/cuda/driver/library.cc",
    "backends/cuda/rtc/disk_cache.cc", "core/keep_object.cc", "ops/create/from_file_composite.cc",
    "plugin/manifest.cc", "plugin/object.cc", "plugin/trusted_file.cc"}


def sources(folders):
    """(path, text without comments) of what is shipped."""
    for folder in folders:
        for where, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.join(where, name)
                if name.endswith((".cc", ".h")) and not NOT_SHIPPED.search(path):
                    with open(path, encoding="utf-8") as f:
                        yield path, re.sub(r"//.*", "", f.read())


def table(heading):
    """The names in the first column of the table under a heading."""
    with open("docs/security.md", encoding="utf-8") as f:
        part = f.read().split("\n## " + heading + "\n")[1].split("\n## ")[0]
    names = []
    for line in part.splitlines():
        if line.startswith("|"):
            names += re.findall(r"`([^`]+)`", line.split("|")[1])
    return names


class DocumentedTest(unittest.TestCase):
    def test_environment_variables(self):
        named = set()
        for path, text in sources(FOLDERS):
            named |= {name.strip('"') for name in VARIABLE.findall(text)} - HANDED_ON
            # A constant stands for the variable that it names.
            for constant in [n for n in named if n.startswith("k")]:
                value = re.search(constant + r'(?:\[\])? = "(\w+)"', text)
                if value is not None:
                    named = named - {constant} | {value.group(1)}
        documented = table("Environment variables")
        self.assertEqual(sorted(named), sorted(documented))

    def test_none_is_read_in_privileged_processes(self):
        for path, text in sources(FOLDERS):
            unsafe = [m for m in UNSAFE.finditer(text)
                      if not text[:m.start()].endswith("secure_")]
            self.assertEqual([m.group(0) for m in unsafe], [], f"{path}: use secure_getenv")

    def test_libraries(self):
        named = set()
        for _, text in sources(FOLDERS):
            named |= set(LIBRARY.findall(text))
        self.assertEqual(sorted(named - NOT_OPENED), sorted(table("Libraries")))

    def test_files_are_opened_in_few_places(self):
        opening = {path for path, text in sources(["core", "registry", "op", "dispatcher", "ops",
                                                   "backends", "plugin"])
                   if FILES.search(text)}
        self.assertEqual(sorted(opening), sorted(OPENING))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
