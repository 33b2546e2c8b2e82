"""NVIDIA's CUDA toolkit, where this machine has one: its headers alone. Libraries are opened at run time.

Looked for in CUDA_HOME, beside nvcc on PATH, and in /usr/local/cuda. Without it @cuda has no targets
and CUDA_FOUND is False; NCCL_FOUND: NCCL's header is among its headers.
"""

_FOUND = """
cc_library(
    name = "headers",
    hdrs = glob(
        [
            "include/*.h",
            "include/crt/*.h*",
        ],
        exclude = ["include/cudnn*"],
    ),
    includes = ["include"],
    visibility = ["//visibility:public"],
)
"""

def _toolkit(ctx):
    home = ctx.os.environ.get("CUDA_HOME", "")
    if home:
        return ctx.path(home)
    nvcc = ctx.which("nvcc")
    if nvcc:
        return nvcc.realpath.dirname.dirname
    return ctx.path("/usr/local/cuda")

def _cuda_repository_impl(ctx):
    toolkit = _toolkit(ctx)
    missing = [
        f
        for f in [
            "bin/nvcc",
            "include/cuda.h",
            "include/nvrtc.h",
            "include/cublasLt.h",
            "include/cufft.h",
        ]
        if not ctx.path("%s/%s" % (toolkit, f)).exists
    ]
    if missing:
        ctx.file("BUILD.bazel", "")
    else:
        ctx.symlink("%s/include" % toolkit, "include")
        ctx.file("BUILD.bazel", _FOUND)
    nccl = not missing and ctx.path("%s/include/nccl.h" % toolkit).exists
    ctx.file("found.bzl", "CUDA_FOUND = %s\nNCCL_FOUND = %s\n" % (not missing, nccl))

cuda_repository = repository_rule(
    implementation = _cuda_repository_impl,
    environ = [
        "CUDA_HOME",
        "PATH",
    ],
    local = True,
)
