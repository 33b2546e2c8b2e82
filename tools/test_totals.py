#!/usr/bin/env python3
"""Counts the tests that the last `bazel test` ran.

  test_totals.py NAME TARGET…

Prints "NAME: N passed, N failed": the cases of GoogleTest programs one by one, other tests as one
each; of a target in shards, those of all. A target without a result counts as one failure. Exit
status 1 when anything failed.
"""

import glob
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def labels(targets):
    query = "tests(set(%s))" % " ".join(targets)
    out = subprocess.run(["bazel", "query", query], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, check=True)
    return out.stdout.split()


def count(label):
    """Passed and failed cases of one target."""
    folder = os.path.join("bazel-testlogs", label.lstrip("/").replace(":", "/"))
    shards = glob.glob(os.path.join(folder, "shard_*_of_*"))
    passed = failed = 0
    for part in shards or [folder]:
        try:
            root = ElementTree.parse(os.path.join(part, "test.xml")).getroot()
        except (OSError, ElementTree.ParseError):
            failed += 1
            continue
        for case in root.iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.get("status") != "notrun" and case.find("skipped") is None:
                passed += 1
    return passed, failed


def main():
    name, targets = sys.argv[1], sys.argv[2:]
    results = [count(label) for label in labels(targets)]
    passed, failed = sum(p for p, _ in results), sum(f for _, f in results)
    print(f"{name}: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
