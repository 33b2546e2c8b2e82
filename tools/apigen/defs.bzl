"""Runs apigen."""

load("//tools/bazel:program.bzl", "PROGRAM_ATTRS", "program_of", "runs")

def _generate_api_impl(ctx):
    ctx.actions.run(
        outputs = ctx.outputs.outs,
        inputs = ctx.files.srcs,
        executable = program_of(ctx),
        arguments = [ctx.outputs.outs[0].dirname, str(ctx.attr.shards)],
        mnemonic = "GenerateApi",
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

_generate_api = rule(
    implementation = _generate_api_impl,
    attrs = dict(
        PROGRAM_ATTRS,
        outs = attr.output_list(mandatory = True),
        shards = attr.int(mandatory = True),
        srcs = attr.label_list(allow_files = True),  # files whose comments are the documentation
    ),
)

def generate_api(name, **kwargs):
    kwargs.update(runs("//tools/apigen"))
    _generate_api(name = name, **kwargs)
