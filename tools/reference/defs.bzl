"""Runs the program that writes the operator reference into a folder."""

def _operator_reference_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        outputs = [folder],
        inputs = ctx.files.srcs,
        executable = ctx.executable._reference,
        arguments = [folder.path],
        mnemonic = "OperatorReference",
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles(files = [folder]))]

operator_reference = rule(
    implementation = _operator_reference_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = True),  # files whose comments are the documentation
        "_reference": attr.label(
            default = "//tools/reference",
            executable = True,
            cfg = "target",
        ),
    },
)
