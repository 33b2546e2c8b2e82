"""What tools/install.sh installs, made of what is built anyway: headers, archives, a shared object."""

def _installed_headers_impl(ctx):
    headers = depset(transitive = [
        d[CcInfo].compilation_context.headers
        for d in ctx.attr.deps
    ]).to_list()

    # Headers are included by their place under _virtual_includes/TARGET/.
    lines = {}
    for header in headers:
        path = header.path.rpartition("/_virtual_includes/")[2]
        if path != header.path:
            lines[path.partition("/")[2]] = header
    listed = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(listed, "".join(["%s %s\n" % (lines[k].path, k) for k in sorted(lines)]))
    out = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run_shell(
        outputs = [out],
        inputs = [listed] + lines.values(),
        command = 'while read -r from to; do install -D -m 644 "$from" "$2/$to"; done < "$1"',
        arguments = [listed.path, out.path],
        mnemonic = "InstalledHeaders",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

# A folder with the public headers of `deps` and of all that these depend on.
installed_headers = rule(
    implementation = _installed_headers_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
)

def _libraries(deps):
    """(LinkerInput, LibraryToLink) of everything below `deps`."""
    inputs = depset(transitive = [d[CcInfo].linking_context.linker_inputs for d in deps]).to_list()
    return [(i, library) for i in inputs for library in i.libraries]

def _archive(library):
    return library.pic_static_library or library.static_library

def _merged_archive_impl(ctx):
    archives = [
        _archive(library)
        for linker_input, library in _libraries(ctx.attr.deps)
        if (linker_input.owner in [d.label for d in ctx.attr.deps] if ctx.attr.alone else
            library.alwayslink == (ctx.attr.registers != "") and
            (linker_input.owner.package + "/").startswith(ctx.attr.registers))
    ]
    out = ctx.actions.declare_file("lib%s.a" % ctx.label.name)

    # ar's script language adds archives whole; its command line would lose members of equal names.
    script = ctx.actions.declare_file(ctx.label.name + ".mri")
    ctx.actions.write(script, "\n".join(
        ["create " + out.path] + ["addlib " + a.path for a in archives] + ["save", "end", ""],
    ))
    ctx.actions.run_shell(
        outputs = [out],
        inputs = [script] + archives,
        command = 'ar -M < "$1"',
        arguments = [script.path],
        mnemonic = "MergedArchive",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

# One archive of what lies below `deps`: of the libraries under the folder `registers` that must be
# linked whole, or, without it, of all those that are linked as far as they are used; `alone`: of the
# `deps` and nothing below.
merged_archive = rule(
    implementation = _merged_archive_impl,
    attrs = {
        "alone": attr.bool(),
        "deps": attr.label_list(providers = [CcInfo]),
        "registers": attr.string(),
    },
)

def _whole_impl(ctx):
    inputs = depset(transitive = [d[CcInfo].linking_context.linker_inputs for d in ctx.attr.deps])
    toolchain = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain)
    whole = [
        cc_common.create_linker_input(
            owner = i.owner,
            libraries = depset([
                cc_common.create_library_to_link(
                    actions = ctx.actions,
                    feature_configuration = features,
                    cc_toolchain = toolchain,
                    pic_static_library = _archive(library),
                    alwayslink = True,
                )
                for library in i.libraries
            ]),
            user_link_flags = depset(i.user_link_flags),
        )
        for i in inputs.to_list()
    ]
    context = cc_common.create_linking_context(linker_inputs = depset(whole))
    return [CcInfo(linking_context = context)]

# `deps` and all that these depend on, linked whole: a shared object offers what nobody has called.
whole = rule(
    implementation = _whole_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
)
