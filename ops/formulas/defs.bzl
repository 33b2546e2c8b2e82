"""Files made of the headers that formulas stand in, which backends compile."""

# The headers that state formulas (SY_FORMULA).
FORMULA_HEADERS = [
    "activation",
    "activation_backward",
    "arithmetic",
    "bitwise",
    "classify",
    "compare",
    "exponential",
    "lerp",
    "loss",
    "polynomial",
    "rounding",
    "special",
    "trigonometric",
    "zeta",
]

def listed(headers, others = []):
    """The headers, each of which is one of FORMULA_HEADERS or of `others`."""
    for header in headers:
        if header[:-len(".h")] not in FORMULA_HEADERS + others:
            fail("%s is not one of FORMULA_HEADERS (ops/formulas/defs.bzl)" % header)
    return headers

def _formula_sources_impl(ctx):
    made = []
    for header in ctx.files.headers:
        name = ctx.attr.include_prefix + header.short_path
        out = ctx.actions.declare_file(
            "%s/%s.cc" % (ctx.label.name, header.basename[:-len(".h")]),
        )
        ctx.actions.write(out, "\n".join([
            "// Made of %s." % name,
            "#define SY_FORMULA_HEADER \"%s\"" % name,
            "#include \"switchyard/backends/%s\"" % ctx.attr.maker,
            "#include \"%s\"" % name,
            "",
        ]))
        made.append(out)
    return [DefaultInfo(files = depset(made))]

# For each header a source that includes it after `maker`, which says what is made of a formula
# (SY_EACH_FORMULA in ops/formulas/facts.h).
formula_sources = rule(
    implementation = _formula_sources_impl,
    attrs = {
        "headers": attr.label_list(allow_files = [".h"]),
        "include_prefix": attr.string(default = "switchyard/"),
        "maker": attr.string(mandatory = True),
    },
)

def _formula_texts_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    lines = ["#include \"switchyard/backends/cuda/formula.h\"", "namespace {"]
    for i, header in enumerate(ctx.files.headers):
        name = ctx.attr.include_prefix + header.short_path
        lines.append("const sy::cuda::HeaderText header_%d{\"%s\", R\"sy_header(" % (i, name))
        lines.append(")sy_header\"};")
    lines.append("}  // namespace")

    # The text of each header goes where its raw string opens.
    command = ["{"]
    texts = list(ctx.files.headers)
    for line in lines:
        command.append("echo '%s'" % line)
        if line.endswith("sy_header("):
            command.append("cat '%s'" % texts.pop(0).path)
    command.append("} > '%s'" % out.path)
    ctx.actions.run_shell(
        outputs = [out],
        inputs = ctx.files.headers,
        command = "\n".join(command),
        mnemonic = "FormulaTexts",
    )
    return [DefaultInfo(files = depset([out]))]

# A source that gives the headers' texts to backends that compile them at run time.
formula_texts = rule(
    implementation = _formula_texts_impl,
    attrs = {
        "headers": attr.label_list(allow_files = [".h"]),
        "include_prefix": attr.string(default = "switchyard/"),
    },
)
