"""Tests that load the plugins of plugin/testdata."""

load("//tools/bazel:defs.bzl", "if_sanitized", "sy_cc_test")

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
            deps = [
                "//backends/cpu",
                "//backends/meta",
                "//c:plugin",
                "//c:runtime",
                "//core",
                "//core:dlpack",
                "//dispatcher",
                "//dispatcher:packing",
                "//dispatcher:profiler",
                "//op",
                "//ops",
                "//ops:composites",
                "//plugin",
                "//plugin:testing",
                "//registry",
                "//third_party/dlpack",
            ] + deps,
        )
