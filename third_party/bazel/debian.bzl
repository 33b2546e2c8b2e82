"""The repositories that Bazel 4.2 asks for by name, from Debian's packages: nothing is downloaded.

Installed beside Switchyard's headers, for workspaces that build against them.
"""

def _beside_impl(ctx):
    ctx.symlink(ctx.path(ctx.attr.workspace).dirname, "")

# The repository whose WORKSPACE file is `workspace`, wherever that lies.
_beside = repository_rule(
    implementation = _beside_impl,
    attrs = {"workspace": attr.label(mandatory = True)},
    local = True,
)

def debian_repositories():
    """Debian: bazel-skylib, bazel-rules-java, bazel-rules-proto; and two of ours."""
    native.local_repository(name = "bazel_skylib", path = "/usr/share/bazel/tools/skylib")
    native.local_repository(name = "rules_java", path = "/usr/share/bazel/rules/java")
    native.local_repository(name = "rules_proto", path = "/usr/share/bazel/rules/proto")

    # Debian's rules_cc does not load under Bazel 4.2, and coverage tools are downloaded unless a
    # repository of that name exists.
    for name in ["rules_cc", "remote_coverage_tools"]:
        _beside(name = name, workspace = Label("//third_party/bazel/%s:WORKSPACE" % name))
