"""How code is compiled once per instruction set: flags alone, which tools/install.sh installs too."""

# What the loops rely on: integers wrap, every operation rounds once on every instruction set, and no
# function reports errors through errno or exception flags. Vectors are passed only to inlined
# functions, so that their calling convention (psabi) does not matter; elements are moved as integers
# of their size, whatever they mean (strict aliasing).
LOOP_COPTS = [
    "-O2",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-strict-aliasing",
    "-Wno-psabi",
]

# Beyond the baseline, x86-64's alone. aarch64 has the baseline, which is NEON.
ISA_COPTS = {
    "baseline": [],
    "avx2": [
        "-mavx2",
        "-mfma",
        "-mf16c",
        "-mbmi",
        "-mbmi2",
    ],
    "avx512": [
        "-mavx512f",
        "-mavx512bw",
        "-mavx512dq",
        "-mavx512vl",
        "-mfma",
        "-mf16c",
        "-mbmi",
        "-mbmi2",
    ],
}
