"""What the architecture tests look at: dependency lists and public headers."""

def _headers_impl(ctx):
    headers = depset(transitive = [
        depset(d[CcInfo].compilation_context.direct_public_headers)
        for d in ctx.attr.deps
    ])
    return [DefaultInfo(files = headers, runfiles = ctx.runfiles(transitive_files = headers))]

# The public headers of some libraries, as runfiles.
public_headers = rule(
    implementation = _headers_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
)

def layer_test(name, target, may_use):
    """Everything that `target` depends on lies in the folders `may_use` (third_party included)."""
    native.genquery(
        name = name + "_deps",
        expression = "deps(%s)" % target,
        opts = ["--noimplicit_deps", "--notool_deps"],
        scope = [target],
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["layer_test.sh"],
        args = ["$(location :%s_deps)" % name] + may_use,
        data = [":%s_deps" % name],
    )
