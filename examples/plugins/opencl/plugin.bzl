"""switchyard_plugin: a shared object for sy::load_plugin, from sources that use the ABI's headers alone."""

def switchyard_plugin(name, srcs, copts = [], linkopts = [], **kwargs):
    """lib<name>.so. Nothing of Switchyard is linked in, one symbol is exported, nothing undefined is left."""
    native.cc_binary(
        name = "lib%s.so" % name,
        srcs = srcs,
        copts = [
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fvisibility=hidden",
            # gcc: unique symbols (std::make_shared has some) keep an object in memory for ever.
            "-fno-gnu-unique",
        ] + copts,
        linkopts = ["-Wl,-z,defs"] + linkopts,
        linkshared = True,
        deps = ["@switchyard//:plugin"],
        **kwargs
    )
