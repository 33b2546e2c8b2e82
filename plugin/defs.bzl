"""Tests that load the plugins of plugin/testdata."""

load("//ops:groups.bzl", "reached")
load("//tools/bazel:defs.bzl", "sy_cc_test")
load("//tools/bazel:sanitized.bzl", "if_sanitized")

_PLUGINS = [
    "asks",
    "fast",
    "fault",
    "fault_static",
    "fault_stays",
    "gradient",
    "gradient_wrong",
    "layer",
    "no_entry",
    "nth",
    "no_note",
    "opaque",
    "packing",
    "pair",
    "other_sanitizer",
    "other_version",
    "queued",
    "rules",
    "undefined",
]

# What they call, and plugins: builds with sanitizers make no other operators for them.
_GROUPS = [
    "arithmetic",
    "random",
    "sort",
]

def plugin_tests(srcs, more = [], deps = []):
    """A test of each file, which finds the plugins of plugin/testdata (plugin/testing.h).

    Args:
      srcs: x_test.cc makes x_test.
      more: plugins that only these tests need, and that builds with asan or tsan cannot make.
      deps: libraries that only these tests need.
    """
    for test in srcs:
        sy_cc_test(
            name = test[:-len(".cc")],
            srcs = [test],
            size = "medium",
            data = ["//plugin/testdata:lib%s.so" % name for name in _PLUGINS] +
                   if_sanitized([], ["//plugin/testdata:lib%s.so" % name for name in more]),
            linkopts = ["-pthread"],
            deps = ["//backends/cpu/kernels/" + group for group in reached(_GROUPS)] + [
                "//ops/%s:composites" % group
                for group in _GROUPS
            ] + [
                "//backends/meta",
                "//c:plugin",
                "//c:runtime",
                "//core",
                "//core:dlpack",
                "//core:testing",
                "//dispatcher",
                "//dispatcher:packing",
                "//dispatcher:profiler",
                "//op",
                "//plugin",
                "//plugin:testing",
                "//registry",
                "//third_party/dlpack",
            ] + deps,
        )
