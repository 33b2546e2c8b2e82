"""sy_operators: the targets of a group of operators, which is a folder of ops/."""

load("//ops:groups.bzl", "reached")
load("//tools/bazel:defs.bzl", "sy_cc_library")

# Groups whose tensors are not strided.
LAYOUT_GROUPS = [
    "quantized",
    "sparse",
]

def sy_operators(deps = []):
    """The targets of a group. Schemas are linked apart from bodies, so that the generator of the typed API needs none.

    //ops/GROUP: schemas and shape functions, and headers that backends use too
    //ops/GROUP:composites: bodies of operators made of others, x_composite.cc, and of those they call
    //ops/GROUP:sources: both as files
    Linked whole: registration is what they are for.

    deps: what the schemas' files include besides shape functions and their own group"""
    group = native.package_name().split("/")[-1]
    sy_cc_library(
        name = group,
        srcs = native.glob(
            ["*.cc"],
            exclude = [
                "*_composite.cc",
                "*_test.cc",
            ],
        ),
        hdrs = native.glob(
            ["*.h"],
            exclude = ["*_composite.h"],
        ),
        pch = "//op:op_pch",
        visibility = ["//visibility:public"],
        deps = deps + [
            "//core",
            "//op",
            "//ops:shape_functions",
            "//registry",
        ],
        alwayslink = True,
    )

    # Without the bodies they call: labels of groups that call one another would make a circle.
    sy_cc_library(
        name = "bodies",
        srcs = native.glob([
            "*_composite.cc",
            "*_composite.h",
        ]),
        pch = "//ops/api:api_pch",
        visibility = ["//ops:__subpackages__"],
        deps = [
            ":" + group,
            "//core",
            "//dispatcher",
            "//dispatcher:conjugates",
            "//op",
            "//ops:shared",
            "//ops/api:functions",
            "//registry",
        ] + (["//dispatcher:layouts"] if group in LAYOUT_GROUPS else []),
        alwayslink = True,
    )
    native.cc_library(
        name = "composites",
        visibility = ["//visibility:public"],
        deps = ["//ops/%s:bodies" % other for other in reached([group])] +
               ["//ops/" + other for other in reached([group])],
    )
    native.filegroup(
        name = "sources",
        srcs = native.glob(
            [
                "*.cc",
                "*.h",
            ],
            exclude = ["*_test.cc"],
        ),
        visibility = ["//ops:__pkg__"],
    )

def _libraries_impl(ctx):
    return [cc_common.merge_cc_infos(direct_cc_infos = [d[CcInfo] for d in ctx.attr.deps])]

# Libraries as one, whose headers are its own: a cc_library shows none of those of its deps.
libraries = rule(
    implementation = _libraries_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
)
