"""sy_plugin: a shared object for sy::load_plugin, from sources that use //c:plugin alone."""

# For C and C++.
_COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fvisibility=hidden",
] + select({
    "//tools/bazel:with_clang": [],
    # Unique symbols (std::make_shared has some) keep an object in memory for ever; clang makes none.
    "//conditions:default": ["-fno-gnu-unique"],
})

def sy_plugin(name, srcs, copts = [], linkopts = [], deps = [], undefined = False, **kwargs):
    """lib<name>.so. Nothing of the host is linked in, and nothing undefined is left, unless a test says so."""
    native.cc_binary(
        name = "lib%s.so" % name,
        srcs = srcs,
        copts = _COPTS + copts,
        # A plugin in C needs no library of C++.
        linkopts = ["-Wl,--as-needed"] + ([] if undefined else ["-Wl,-z,defs"]) + linkopts,
        linkshared = True,
        deps = ["//c:plugin"] + deps,
        **kwargs
    )
