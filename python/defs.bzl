"""How the extension module is built: with the tree's headers, and nothing of its archives.

A process has one registry, that of libswitchyard.so: the module links it, as plugins and other
programs' libraries do.
"""

def _headers_of_impl(ctx):
    return [CcInfo(compilation_context = cc_common.merge_cc_infos(
        cc_infos = [d[CcInfo] for d in ctx.attr.deps],
    ).compilation_context)]

# The headers of `deps` and of all that these depend on, without their objects.
headers_of = rule(
    implementation = _headers_of_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
)

def _package_impl(ctx):
    modules = ctx.actions.declare_directory(ctx.label.name + "_modules")
    lines = ["%s %s" % (f.path, f.short_path[len(ctx.label.package) + 1:]) for f in ctx.files.srcs]
    for target, name in ctx.attr.renamed.items():
        lines.append("%s %s" % (target.files.to_list()[0].path, name))
    listed = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(listed, "".join([line + "\n" for line in lines]))
    inputs = ctx.files.srcs + [f for t in ctx.attr.renamed for f in t.files.to_list()]
    ctx.actions.run_shell(
        outputs = [modules],
        inputs = [listed] + inputs,
        command = 'while read -r from to; do install -D -m 644 "$from" "$2/$to"; done < "$1"',
        arguments = [listed.path, modules.path],
        mnemonic = "PythonModules",
    )

    # What is made of the registry, by the package itself.
    out = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run_shell(
        outputs = [out],
        inputs = [modules, ctx.file.generator] + ctx.files.documented,
        command = 'cp -RL "$2/." "$3" && chmod -R u+w "$3" && ' +
                  '/usr/bin/python3 "$1" "$2" . "$3/switchyard"',
        arguments = [ctx.file.generator.path, modules.path, out.path],
        mnemonic = "PythonPackage",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

# A folder to put on PYTHONPATH, or into a wheel: `srcs` by their paths below this package,
# `renamed` by the paths that are given, and what `generator` makes of them and of the comments of
# the files `documented`.
python_package = rule(
    implementation = _package_impl,
    attrs = {
        "documented": attr.label_list(allow_files = True),
        "generator": attr.label(allow_single_file = True),
        "renamed": attr.label_keyed_string_dict(allow_files = True),
        "srcs": attr.label_list(allow_files = True),
    },
)
