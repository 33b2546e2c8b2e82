"""sy_formulas: formulas of other projects, for every backend that computes them."""

load("//:formula_sources.bzl", "formula_sources", "formula_texts")
load("//:isa.bzl", "ISA_COPTS", "LOOP_COPTS")

def sy_formulas(name, headers, deps, copts = [], **kwargs):
    """What backends make of the formulas in headers, which deps have: loops, compiled once per
    instruction set, and texts, which are compiled for GPUs at run time.

    Headers are included by their place in the workspace."""
    sources = {
        "cpu": [name + "_loops"],
        "cuda": [
            name + "_kernels",
            name + "_texts",
        ],
    }
    formula_sources(
        name = name + "_loops",
        headers = headers,
        include_prefix = "",
        maker = "cpu/simd/formula_loops.h",
    )
    formula_sources(
        name = name + "_kernels",
        headers = headers,
        include_prefix = "",
        maker = "cuda/formula_kernels.h",
    )
    formula_texts(
        name = name + "_texts",
        headers = headers,
        include_prefix = "",
    )
    parts = {isa: ("cpu", LOOP_COPTS + isa_copts) for isa, isa_copts in ISA_COPTS.items()}
    parts["cuda"] = ("cuda", [])
    for part, (backend, part_copts) in parts.items():
        native.cc_library(
            name = name + "_" + part,
            srcs = sources[backend],
            copts = copts + ["-fvisibility=hidden"] + part_copts,
            deps = deps + ["@switchyard//:headers"],
            alwayslink = True,
            **kwargs
        )
    native.cc_library(
        name = name,
        deps = [name + "_" + part for part in parts],
    )
