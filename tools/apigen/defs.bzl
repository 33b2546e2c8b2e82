"""Runs apigen, built as everything else is: a genrule would compile all operators a second time for the build's host."""

def _generate_api_impl(ctx):
    ctx.actions.run(
        outputs = ctx.outputs.outs,
        inputs = ctx.files.srcs,
        executable = ctx.executable._apigen,
        arguments = [ctx.outputs.outs[0].dirname, str(ctx.attr.shards)],
        mnemonic = "GenerateApi",
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

generate_api = rule(
    implementation = _generate_api_impl,
    attrs = {
        "outs": attr.output_list(mandatory = True),
        "shards": attr.int(mandatory = True),
        "srcs": attr.label_list(allow_files = True),  # files whose comments are the documentation
        "_apigen": attr.label(
            default = "//tools/apigen",
            executable = True,
            cfg = "target",
        ),
    },
)
