"""Fills the flags of backends/cpu/isa.bzl into a CMake file:  loop_flags.py ISA_BZL < IN > OUT

@LOOP_COPTS@ are those of every instruction set, @AVX2@ and so on those of one.
"""

import sys

with open(sys.argv[1], encoding="utf-8") as f:
    flags = {}
    exec(f.read(), flags)  # assignments, which mean the same in both languages
text = sys.stdin.read().replace("@LOOP_COPTS@", " ".join(flags["LOOP_COPTS"]))
for isa, copts in flags["ISA_COPTS"].items():
    text = text.replace(f"@{isa.upper()}@", " ".join(copts))
sys.stdout.write(text)
