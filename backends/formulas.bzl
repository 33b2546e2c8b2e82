"""sy_formulas: formulas beside this tree's own, for every backend that computes them."""

load("//backends/cpu:defs.bzl", "sy_cpu_loops")
load("//ops/formulas:defs.bzl", "formula_sources", "formula_texts")
load("//tools/bazel:defs.bzl", "sy_cc_library")

def sy_formulas(name, headers, deps):
    """What backends make of the formulas in headers, which deps have, and of those that they include.

    NAME_cpu are their loops, NAME_cuda their kernels' sources; NAME is both, for programs with both
    backends."""
    formula_sources(
        name = name + "_loops",
        headers = headers,
        maker = "cpu/simd/formula_loops.h",
    )
    sy_cpu_loops(
        name = name + "_cpu",
        srcs = [name + "_loops"],
        deps = deps + [
            "//backends/cpu:engine",
            "//backends/cpu:simd",
        ],
    )
    formula_sources(
        name = name + "_kernels",
        headers = headers,
        maker = "cuda/formula_kernels.h",
    )
    formula_texts(
        name = name + "_texts",
        headers = headers,
    )
    sy_cc_library(
        name = name + "_cuda",
        srcs = [
            name + "_kernels",
            name + "_texts",
        ],
        deps = deps + ["//backends/cuda:formula"],
        alwayslink = True,
    )
    native.cc_library(
        name = name,
        deps = [
            name + "_cpu",
            name + "_cuda",
        ],
    )
