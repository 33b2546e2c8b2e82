"""sy_gradients: the targets of a group of formulas, which is a folder of gradients/."""

load("//tools/bazel:defs.bzl", "sy_cc_library", "sy_cc_test")

def sy_gradients():
    """The targets of a group.

    //gradients/GROUP: its formulas, linked whole: registration is what they are for
    //gradients/GROUP:x_test: of x_test.cc, with all formulas and the cpu"""
    group = native.package_name().split("/")[-1]
    sy_cc_library(
        name = group,
        srcs = native.glob(
            ["*.cc"],
            exclude = ["*_test.cc"],
        ),
        visibility = ["//visibility:public"],
        deps = [
            "//autograd",
            "//core",
            "//gradients:shared",
            "//ops/api:functions",
        ],
        alwayslink = True,
    )
    for test in native.glob(["*_test.cc"]):
        sy_cc_test(
            name = test[:-len(".cc")],
            deps = [
                "//autograd",
                "//autograd:testing",
                "//backends/cpu",
                "//core",
                "//core:testing",
                "//gradients",
                "//gradients:testing",
                "//ops:composites",
                "//ops/api",
            ],
        )
