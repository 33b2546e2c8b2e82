"""Fuzz targets: one function, LLVMFuzzerTestOneInput, two programs."""

load("//tools/bazel:defs.bzl", "COPTS", "sy_cc_binary", "sy_cc_test")

# The functions of memory.cc and files.cc stand in for these.
WRAP = ["-Wl,--wrap=" + f for f in [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "open",
    "close",
    "fstat",
    "stat",
    "realpath",
    "rename",
    "unlink",
    "pread",
    "write",
    "pwrite",
    "mmap",
    "munmap",
]]

def fuzz_target(name, deps, srcs = [], size = "small"):
    """name.cc holds the target; corpus/name its inputs.

    name_test runs these and mutations of them; name_fuzzer is libFuzzer's, of --config=fuzz.
    """
    native.cc_library(
        name = name,
        testonly = True,
        srcs = [name + ".cc"] + srcs,
        copts = COPTS,
        deps = deps + [":fuzz"],
        alwayslink = True,
    )
    sy_cc_test(
        name = name + "_test",
        size = size,
        srcs = ["corpus_test.cc"],
        args = ["tests/faults/fuzz/corpus/" + name],
        data = native.glob(["corpus/" + name + "/*"]),
        linkopts = WRAP,
        deps = [
            ":" + name,
            ":fuzz",
            "//tests/faults:long",
        ],
    )
    sy_cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        srcs = [],
        linkopts = WRAP + ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":" + name],
    )
