"""Headers that g++ reads once for all files of a library, instead of once for each: two thirds of the time that a short file takes to compile.

clang compiles without them, and so sees whether each file includes what it uses.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//tools/bazel:sanitized.bzl", "COLD_COPTS")

def _precompiled_headers_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    below = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.deps])
    context = below.compilation_context
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    # What it was read from goes into it, so that Bazel learns it of each file that uses it (-fpch-deps).
    included = ctx.actions.declare_file(ctx.label.name + ".d")
    ctx.actions.write(header, "".join(["#include %s\n" % h for h in ctx.attr.headers]))
    action = "c++-compile"
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = header.path,
        output_file = compiled.path,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts +
                             ctx.attr.copts + [
            "-x",
            "c++-header",
            "-MD",
            "-MF",
            included.path,
        ],
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = context.defines,
        use_pic = True,
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = action,
        ),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = action,
            variables = variables,
        ),
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = action,
            variables = variables,
        ),
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        outputs = [compiled, included],
        mnemonic = "PrecompileHeaders",
    )
    own = cc_common.create_compilation_context(
        headers = depset([header, compiled]),
        quote_includes = depset([header.dirname]),
    )
    return [cc_common.merge_cc_infos(cc_infos = [CcInfo(compilation_context = own), below])]

_precompiled_headers = rule(
    implementation = _precompiled_headers_impl,
    attrs = {
        "copts": attr.string_list(),  # as the libraries that use it have
        "deps": attr.label_list(providers = [CcInfo]),
        "headers": attr.string_list(mandatory = True),  # as they are included: "<vector>", "\"a/b.h\""
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def precompiled_headers(name, **kwargs):
    """Built where a library asks for it alone, which is never under clang: its toolchain has variables of header modules, which this rule does not give."""
    _precompiled_headers(name = name, tags = ["manual"], **kwargs)

# Those of libraries that are cold.
COLD = [
    "//op:op_pch",
    "//ops/api:api_pch",
]

def with_pch(pch, copts, deps):
    """The copts and deps of a library that is compiled with the precompiled_headers of this label; None: without."""
    if pch == None:
        return copts, deps
    name = pch.split(":")[-1]
    return (
        copts + (COLD_COPTS if pch in COLD else []) + select({
            "//tools/bazel:with_clang": [],
            "//conditions:default": ["-include", name + ".h", "-Winvalid-pch", "-fpch-deps"],
        }),
        deps + select({
            "//tools/bazel:with_clang": [],
            "//conditions:default": [pch],
        }),
    )
