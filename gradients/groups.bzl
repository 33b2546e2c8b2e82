"""The groups of formulas, each a folder beside this file."""

GROUPS = [
    "activation",
    "complex",
    "copy",
    "fft",
    "index",
    "linalg",
    "nn",
    "pointwise",
    "reduce",
    "resample",
    "scan",
    "shape",
    "sort",
    "view",
]
