"""Build rules of the tree: headers are included as "switchyard/<folder>/<file>.h", warnings are errors."""

load("//tools/bazel:pch.bzl", "with_pch")
load("//tools/bazel:sanitized.bzl", "if_sanitized")

COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-ffp-contract=off",  # fused only where the source says so: every aarch64 processor could
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
]

# Tests are compiled in half the time: what they test is not theirs. Sanitizers make them slow enough.
TEST_COPTS = if_sanitized([], ["-O0"])

# What reads files and texts of others (docs/security.md), where a whole library does.
HARDENED = [
    "-fstack-protector-strong",
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=2",
    "-Wno-error=cpp",  # it does nothing where nothing is optimised, and says so
]

# Those of .bazelrc, which say how much is optimised. Each has a config_setting of its name.
CONFIGS = [
    "asan",
    "clang",
    "fuzz",
    "integer",
    "tsan",
    "ubsan",
]

def sy_cc_library(name, copts = [], deps = [], pch = None, **kwargs):
    """A cc_library whose headers are found under switchyard/<package>/. Private unless it says otherwise.

    pch: the precompiled headers it is compiled with (tools/bazel/pch.bzl)."""
    copts, deps = with_pch(pch, copts, deps)
    native.cc_library(
        name = name,
        copts = COPTS + copts,
        deps = deps,
        include_prefix = "switchyard/" + native.package_name(),
        **kwargs
    )

def sy_cc_binary(name, copts = [], **kwargs):
    native.cc_binary(
        name = name,
        copts = COPTS + copts,
        **kwargs
    )

def sy_cc_test(name, srcs = None, deps = [], copts = None, size = "small", **kwargs):
    """foo_test from foo_test.cc with GoogleTest's main."""
    pch = "//ops/api:api_test_pch" if "//ops/api" in deps else "//third_party/googletest:test_pch"
    if copts == None:
        copts, deps = with_pch(pch, TEST_COPTS, deps)
    native.cc_test(
        name = name,
        srcs = srcs or [name + ".cc"],
        size = size,
        copts = COPTS + copts,
        deps = deps + ["//third_party/googletest:main"],
        **kwargs
    )

def sy_cc_benchmark(name, srcs = None, deps = [], copts = [], **kwargs):
    """foo_benchmark from foo_benchmark.cc with Google Benchmark's main."""
    native.cc_binary(
        name = name,
        srcs = srcs or [name + ".cc"],
        copts = COPTS + copts,
        testonly = True,
        deps = deps + ["//third_party/benchmark:main"],
        **kwargs
    )
