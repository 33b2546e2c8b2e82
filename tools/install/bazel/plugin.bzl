"""sy_plugin: a shared object for sy::load_plugin, from sources that use the ABI's headers alone."""

_EXPORTS = Label("//:plugin.lds")

def sy_plugin(name, srcs, copts = [], linkopts = [], deps = [], manifest = None, **kwargs):
    """lib<name>.so as docs/plugin-abi.md wants it, of sources in C or C++.

    It links nothing of Switchyard, exports sy_plugin_v1 alone, leaves nothing undefined and can be
    taken out of memory. `name` is the object with its manifest, a file of this package, for `data`."""
    object = "lib%s.so" % name
    native.cc_binary(
        name = object,
        srcs = srcs,
        copts = ["-fvisibility=hidden"] + select({
            str(Label("//:with_clang")): [],
            # Unique symbols (std::make_shared has some) keep an object in memory for ever.
            "//conditions:default": ["-fno-gnu-unique"],
        }) + copts,
        # What visibility does not reach, as templates of the C++ library, the version script hides.
        linkopts = [
            "-Wl,-z,defs",
            "-Wl,--as-needed",
            "-Wl,--version-script=$(location %s)" % _EXPORTS,
        ] + linkopts,
        linkshared = True,
        deps = [str(Label("//:plugin")), str(_EXPORTS)] + deps,
        **kwargs
    )
    native.filegroup(
        name = name,
        srcs = [object] + ([manifest] if manifest else []),
        testonly = kwargs.get("testonly"),
        visibility = kwargs.get("visibility"),
    )
