#!/usr/bin/env python3
"""Records the tags that ATen gives to its overloads, those that say something of values.

  switchyard ops --json | tools/conformance/record_tags.py > tests/conformance/aten_tags.json   # needs torch

Left out are `core`, `pt2_compliant_tag` and `needs_exact_strides`, which say what a compiler may
expect, and `generated`, which says how ATen is built.
"""

import json
import sys

import torch

LEFT_OUT = {"core", "pt2_compliant_tag", "needs_exact_strides", "generated"}


def main():
    tags = {}
    for o in json.load(sys.stdin):
        packet = getattr(torch.ops.aten, o["name"], None)
        op = getattr(packet, o["overload"] or "default", None) if packet else None
        if op is not None:
            name = o["name"] + ("." + o["overload"] if o["overload"] else "")
            tags[name] = sorted({str(t).split(".")[-1] for t in op.tags} - LEFT_OUT)
    lines = [f"{json.dumps(name)}: {json.dumps(t)}" for name, t in sorted(tags.items()) if t]
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
