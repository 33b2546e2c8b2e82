"""Runs the program that writes the operator reference into a folder."""

load("//tools/bazel:program.bzl", "PROGRAM_ATTRS", "program_of", "runs")

def _operator_reference_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        outputs = [folder],
        inputs = ctx.files.srcs,
        executable = program_of(ctx),
        arguments = [folder.path],
        mnemonic = "OperatorReference",
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles(files = [folder]))]

_operator_reference = rule(
    implementation = _operator_reference_impl,
    attrs = dict(
        PROGRAM_ATTRS,
        srcs = attr.label_list(allow_files = True),  # files whose comments are the documentation
    ),
)

def operator_reference(name, **kwargs):
    kwargs.update(runs("//tools/reference"))
    _operator_reference(name = name, **kwargs)
