"""sy_plugin: a shared object for sy::load_plugin, from sources that use //c:plugin alone."""

load("//tools/bazel:defs.bzl", "COPTS")

def sy_plugin(name, srcs, copts = [], linkopts = [], deps = [], **kwargs):
    """lib<name>.so. Nothing of the host is linked in, and nothing undefined is left."""
    native.cc_binary(
        name = "lib%s.so" % name,
        srcs = srcs,
        # Unique symbols (std::make_shared has some) keep an object in memory for ever.
        copts = COPTS + ["-fno-gnu-unique"] + copts,
        linkopts = ["-Wl,-z,defs"] + linkopts,
        linkshared = True,
        deps = ["//c:plugin"] + deps,
        **kwargs
    )
