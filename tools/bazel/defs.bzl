"""Build rules of the tree: headers are included as "switchyard/<folder>/<file>.h", warnings are errors."""

COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
]

def if_sanitized(then, otherwise):
    """A choice between builds with --config=asan or tsan, which exclude each other, and others."""
    return select({
        "//tools/bazel:asan": then,
        "//tools/bazel:tsan": then,
        "//conditions:default": otherwise,
    })

def sy_cc_library(name, copts = [], **kwargs):
    """A cc_library whose headers are found under switchyard/<package>/. Private unless it says otherwise."""
    native.cc_library(
        name = name,
        copts = COPTS + copts,
        include_prefix = "switchyard/" + native.package_name(),
        **kwargs
    )

def sy_cc_binary(name, copts = [], **kwargs):
    native.cc_binary(
        name = name,
        copts = COPTS + copts,
        **kwargs
    )

def sy_cc_test(name, srcs = None, deps = [], copts = [], size = "small", **kwargs):
    """foo_test from foo_test.cc with GoogleTest's main."""
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
