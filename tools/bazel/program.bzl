"""Programs of this tree that a rule runs while it builds, built as everything else is: a genrule would compile all that they consist of a second time, for the build's host.

Where what is built does not run here (--config=aarch64), they are built for the host after all.
"""

# Of the rule, which gets them from runs().
PROGRAM_ATTRS = {
    "host_program": attr.label(executable = True, cfg = "host"),
    "program": attr.label(executable = True, cfg = "target"),
}

def runs(label):
    """The attributes of a target that runs the program of this label."""
    return {
        "host_program": select({
            "//tools/bazel:cross": label,
            "//conditions:default": None,
        }),
        "program": select({
            "//tools/bazel:cross": None,
            "//conditions:default": label,
        }),
    }

def program_of(ctx):
    """What to run."""
    return ctx.executable.program or ctx.executable.host_program
