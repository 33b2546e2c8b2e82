"""sy_cpu_loops: code that is compiled once per instruction set; sy_cpu_kernels: a group of kernels."""

load("//backends/cpu:isa.bzl", "ISA_COPTS", "LOOP_COPTS")
load("//ops:groups.bzl", "FORMULAS")
load("//tools/bazel:defs.bzl", "CONFIGS", "sy_cc_benchmark", "sy_cc_library", "sy_cc_test")

def _optimised(copts):
    """Without an -O of its own where --config says how much to optimise: kernels are most of what there is to compile."""
    less = [c for c in copts if not c.startswith("-O")]
    return select(dict(
        [("//tools/bazel:" + config, less) for config in CONFIGS] + [("//conditions:default", copts)],
    ))

KERNEL_COPTS = _optimised([
    "-O3",
    "-ffp-contract=off",  # fused only where the source says so
    "-fno-math-errno",
    "-fno-trapping-math",
])

def sy_cpu_loops(name, srcs, deps, visibility = None, **kwargs):
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
        visibility = visibility,
        deps = [name + "_baseline"] + select({
            "//tools/bazel:aarch64": [],  # its baseline is NEON
            "//tools/bazel:asan": [name + "_avx512"],  # backends/cpu/simd/isas.h says why
            "//tools/bazel:tsan": [name + "_avx512"],
            "//conditions:default": [name + "_" + isa for isa in ISA_COPTS if isa != "baseline"],
        }),
    )

def sy_cpu_kernels(loops = [], deps = [], test_deps = []):
    """The targets of a group of kernels, in a folder of backends/cpu/kernels/ that is named as one of ops/.

    //backends/cpu/kernels/GROUP: kernels of the group's operators, each in the file that is named as
    that of its schema; with them, the device, the schemas, and loops of the formulas that schemas
    and kernels name. Linked whole: registration is what they are for.
    //backends/cpu/kernels/GROUP:x_test, :x_benchmark: from x_test.cc and x_benchmark.cc.

    loops: names of //backends/cpu:loops_NAME that the kernels call besides those of the group's
    operators (FORMULAS in ops/groups.bzl)
    deps: what the kernels include besides the engine and their own group of ops/
    test_deps: what the tests include besides what all of them do"""
    group = native.package_name().split("/")[-1]
    loops = FORMULAS.get(group, []) + [name for name in loops if name not in FORMULAS.get(group, [])]
    sy_cc_library(
        name = group,
        srcs = native.glob(
            [
                "*.cc",
                "*.h",
            ],
            exclude = [
                "*_benchmark.cc",
                "*_test.cc",
            ],
        ),
        copts = KERNEL_COPTS,
        pch = "//backends/cpu:cpu_kernels_pch",
        visibility = ["//visibility:public"],
        deps = deps + ["//backends/cpu:loops_" + name for name in loops] + [
            "//backends/common",
            "//backends/cpu:backend",
            "//backends/cpu:engine",
            "//backends/cpu:simd",
            "//core",
            "//op",
            "//ops/" + group,
            "//ops/formulas",
        ],
        alwayslink = True,
    )
    sy_cpu_kernel_tests(test_deps)

def sy_cpu_kernel_tests(deps = []):
    """A target for each x_test.cc and x_benchmark.cc of the folder: all operators, on the cpu device."""
    for test in native.glob(["*_test.cc"]):
        sy_cc_test(
            name = test[:-len(".cc")],
            deps = deps + [
                "//backends/cpu",
                "//backends/cpu:engine",
                "//backends/cpu/kernels:testing",
                "//backends/meta",
                "//core",
                "//core:testing",
                "//dispatcher",
                "//ops:composites",
                "//ops/api",
            ],
        )
    for benchmark in native.glob(["*_benchmark.cc"]):
        sy_cc_benchmark(
            name = benchmark[:-len(".cc")],
            deps = [
                "//backends/cpu",
                "//core",
                "//ops:composites",
                "//ops/api",
            ],
        )
