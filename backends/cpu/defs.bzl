"""Code that is compiled once per instruction set."""

load("//backends/cpu:isa.bzl", "ISA_COPTS", "LOOP_COPTS")
load("//tools/bazel:defs.bzl", "CONFIGS", "sy_cc_library")

def _optimised(copts):
    """Where --config says how much to optimise, without -O2: loops are half of what there is to compile."""
    less = [c for c in copts if not c.startswith("-O")]
    return select(dict(
        [("//tools/bazel:" + config, less) for config in CONFIGS] + [("//conditions:default", copts)],
    ))

def sy_cpu_loops(name, srcs, deps, **kwargs):
    """A library of files that include simd/ headers, with one copy of them per instruction set."""
    for isa, copts in ISA_COPTS.items():
        sy_cc_library(
            name = name + "_" + isa,
            srcs = srcs,
            copts = _optimised(LOOP_COPTS) + copts,
            deps = deps,
            alwayslink = True,
            **kwargs
        )
    native.cc_library(
        name = name,
        deps = [name + "_" + isa for isa in ISA_COPTS],
    )
