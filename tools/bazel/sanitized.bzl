"""What is built otherwise where sanitizers look."""

def if_sanitized(then, otherwise):
    """A choice between builds with --config=asan or tsan, which exclude each other, and others."""
    return select({
        "//tools/bazel:asan": then,
        "//tools/bazel:tsan": then,
        "//conditions:default": otherwise,
    })

# For what registers and loads, and computes nothing: compiled in half the time.
COLD_COPTS = if_sanitized(["-O0"], [])
