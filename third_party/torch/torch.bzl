"""PyTorch's C++ library, for comparisons only: where TORCH_DIR names the folder `torch` of a Python environment."""

_FOUND = """
cc_library(
    name = "torch",
    testonly = True,
    hdrs = glob(["include/**"]),
    includes = [
        "include",
        "include/torch/csrc/api/include",
    ],
    linkopts = [
        "-L{lib}",
        "-Wl,-rpath,{lib}",
        "-Wl,--no-as-needed",
        "-ltorch",
        "-ltorch_cpu",
        "-lc10",
    ],
    visibility = ["//visibility:public"],
)

# With its part for NVIDIA's GPUs, whose own libraries are looked for where a program starts.
cc_library(
    name = "torch_cuda",
    testonly = True,
    linkopts = [
        "-ltorch_cuda",
        "-lc10_cuda",
        "-Wl,--unresolved-symbols=ignore-all",
    ],
    visibility = ["//visibility:public"],
    deps = [":torch"],
)
"""

def _torch_repository_impl(ctx):
    folder = ctx.os.environ.get("TORCH_DIR", "")
    if folder:
        ctx.symlink(folder + "/include", "include")
        ctx.file("BUILD.bazel", _FOUND.format(lib = folder + "/lib"))
    else:
        ctx.file("BUILD.bazel", "")
    ctx.file("torch.bzl", "TORCH_FOUND = %s\n" % bool(folder))

torch_repository = repository_rule(
    implementation = _torch_repository_impl,
    environ = ["TORCH_DIR"],
    local = True,
)
