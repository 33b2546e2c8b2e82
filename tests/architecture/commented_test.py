#!/usr/bin/env python3
"""Installed headers say what they offer:  commented_test.py PERCENT FOLDER

Of their lines that are not blank, so many at least are comments or end in one, all headers taken
together. What is generated does not count: its comments are the operators'.
"""

import collections
import os
import re
import sys

GENERATED = {"switchyard/ops.h", "switchyard/methods.h", "switchyard/core/options.h"}
CODE_OF_LINE = re.compile(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'|//.*|/\*')


def commented(text):
    """(lines with a comment, lines that are not blank)"""
    count = lines = 0
    inside = False  # of /* … */
    for line in text.splitlines():
        if not line.strip():
            continue
        lines += 1
        has = inside
        while True:
            if inside:
                end = line.find("*/")
                if end < 0:
                    break
                line, inside = line[end + 2:], False
            found = next((m for m in CODE_OF_LINE.finditer(line) if m.group()[0] == "/"), None)
            if found is None:
                break
            has = True
            if found.group() != "/*":
                break
            line, inside = line[found.end():], True
        count += has
    return count, lines


def main():
    percent, folder = int(sys.argv[1]), sys.argv[2]
    of_folder = collections.defaultdict(lambda: [0, 0])
    headers = 0
    for path, _, files in os.walk(folder):
        for file in files:
            name = os.path.relpath(os.path.join(path, file), folder)
            if name in GENERATED:
                continue
            headers += 1
            with open(os.path.join(path, file), encoding="utf-8") as f:
                for i, n in enumerate(commented(f.read())):
                    of_folder[os.path.dirname(name)][i] += n
                    of_folder["all"][i] += n
    assert headers > 100, headers
    for name, (count, lines) in sorted(of_folder.items(), key=lambda f: f[1][0] / f[1][1]):
        print(f"{100 * count / lines:5.1f} %  {count:5} of {lines:5} lines  {name}")
    count, lines = of_folder["all"]
    if 100 * count < percent * lines:
        print(f"expected {percent} % in all: say more in the first ones")
        sys.exit(1)


main()
