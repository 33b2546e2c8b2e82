"""What documents show is what the tree holds.

A code block after `<!-- file: PATH -->` must occur in that file, line by line; a line "…" stands for anything
between two pieces. Links to files must lead somewhere, and what looks like a path of the tree is one.
"""

import os
import re
import sys
import unittest

BLOCK = re.compile(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\]\(([^)#:]+)[^):]*\)")
# `core/error.h`, `tools/tour.sh DIR`, `backends/cpu/kernels/`; not `switchyard/core/error.h`, which is installed.
PATH = re.compile(r"`((?:\.ci|backends|bench|c|core|dispatcher|docs|examples|io|op|ops|plugin|python|registry|testing|"
                  r"tests|third_party|tools)/[\w./-]*)[` ]")
CODE = re.compile(r"^```.*?^```", re.S | re.M)


def documents():
    for folder, _, names in os.walk("."):
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


class DocsTest(unittest.TestCase):
    def test_there_are_documents(self):
        self.assertGreaterEqual(len(list(documents())), 5)

    def test_code_blocks_are_in_the_files_they_name(self):
        blocks = 0
        for path in documents():
            with open(path, encoding="utf-8") as f:
                text = f.read()
            for source, block in BLOCK.findall(text):
                with open(source, encoding="utf-8") as f:
                    content = f.read()
                at = 0
                for piece in re.split(r"^…\n", block, flags=re.M):
                    found = content.find(piece, at)
                    self.assertGreaterEqual(found, 0, f"{path}: not in {source}:\n{piece}")
                    at = found + len(piece)
                blocks += 1
        self.assertGreater(blocks, 0)

    def test_links_lead_to_files(self):
        for path in documents():
            with open(path, encoding="utf-8") as f:
                text = f.read()
            for target in LINK.findall(CODE.sub("", text)):
                full = os.path.normpath(os.path.join(os.path.dirname(path), target))
                self.assertTrue(os.path.exists(full), f"{path}: no {target}")

    def test_paths_are_in_the_tree(self):
        seen = 0
        for path in documents():
            if "/docs/design/" in path or path.endswith("CHANGELOG.md"):  # what was, too
                continue
            with open(path, encoding="utf-8") as f:
                text = CODE.sub("", f.read())
            for target in PATH.findall(text):
                if re.search(r"NAME|_N\.|\bx\.", target):  # stands for one
                    continue
                seen += 1
                self.assertTrue(os.path.exists(target), f"{path}: no {target}")
        self.assertGreater(seen, 100)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
