"""sy_cpu_loops: pointwise operators of other projects, compiled once per instruction set."""

load("//:isa.bzl", "ISA_COPTS", "LOOP_COPTS")

def sy_cpu_loops(name, srcs, deps = [], copts = [], **kwargs):
    """A library of files that include switchyard/backends/cpu/simd/register.h."""
    for isa, isa_copts in ISA_COPTS.items():
        native.cc_library(
            name = name + "_" + isa,
            srcs = srcs,
            copts = copts + ["-fvisibility=hidden"] + LOOP_COPTS + isa_copts,
            deps = deps + ["@switchyard//:headers"],
            alwayslink = True,
            **kwargs
        )
    native.cc_library(
        name = name,
        deps = [name + "_" + isa for isa in ISA_COPTS],
    )
