"""Debian's cross compiler for aarch64 (g++-aarch64-linux-gnu), with the libraries that sysroot.sh unpacks.

SWITCHYARD_AARCH64_SYSROOT names their folder: bazel build --config=aarch64
--repo_env=SWITCHYARD_AARCH64_SYSROOT=DIR, as tools/test_aarch64.sh does. Without it, or without the
compiler, @aarch64 has no toolchain.
"""

_TOOLCHAIN = """
load("@bazel_tools//tools/cpp:unix_cc_toolchain_config.bzl", "cc_toolchain_config")

package(default_visibility = ["//visibility:public"])

filegroup(name = "nothing")

cc_toolchain_suite(
    name = "toolchain",
    toolchains = {{
        "aarch64": ":gcc",
        "aarch64|gcc": ":gcc",
    }},
)

cc_toolchain(
    name = "gcc",
    all_files = ":nothing",
    ar_files = ":nothing",
    as_files = ":nothing",
    compiler_files = ":nothing",
    dwp_files = ":nothing",
    linker_files = ":nothing",
    objcopy_files = ":nothing",
    strip_files = ":nothing",
    supports_param_files = 1,
    toolchain_config = ":gcc_config",
    toolchain_identifier = "aarch64-linux-gnu",
)

# The flags are those that Bazel finds for Debian's g++ itself.
cc_toolchain_config(
    name = "gcc_config",
    abi_libc_version = "local",
    abi_version = "local",
    compile_flags = [
        "--sysroot={sysroot}",
        "-U_FORTIFY_SOURCE",
        "-fstack-protector",
        "-Wall",
        "-Wunused-but-set-parameter",
        "-Wno-free-nonheap-object",
        "-fno-omit-frame-pointer",
    ],
    compiler = "gcc",
    cpu = "aarch64",
    cxx_builtin_include_directories = {include_directories},
    dbg_compile_flags = ["-g"],
    host_system_name = "local",
    link_flags = [
        "--sysroot={sysroot}",
        "-Wl,-no-as-needed",
        "-Wl,-z,relro,-z,now",
        "-pass-exit-codes",
    ],
    link_libs = [
        "-lstdc++",
        "-lm",
    ],
    opt_compile_flags = [
        "-g0",
        "-O2",
        "-D_FORTIFY_SOURCE=1",
        "-DNDEBUG",
        "-ffunction-sections",
        "-fdata-sections",
    ],
    opt_link_flags = ["-Wl,--gc-sections"],
    target_libc = "local",
    target_system_name = "aarch64-linux-gnu",
    tool_paths = {tools},
    toolchain_identifier = "aarch64-linux-gnu",
    unfiltered_compile_flags = [
        "-fno-canonical-system-headers",
        "-Wno-builtin-macro-redefined",
        "-D__DATE__=\\"redacted\\"",
        "-D__TIMESTAMP__=\\"redacted\\"",
        "-D__TIME__=\\"redacted\\"",
    ],
)
"""

# Bazel wants a path for each, also for llvm-cov, which none of these has.
_TOOLS = ["ar", "cpp", "dwp", "gcc", "gcov", "ld", "llvm-cov", "nm", "objcopy", "objdump", "strip"]

def _include_directories(ctx, gcc, sysroot):
    """Where the compiler looks for headers, as it says itself."""
    said = ctx.execute([gcc, "--sysroot=" + sysroot, "-E", "-v", "-x", "c++", "/dev/null"])
    if said.return_code != 0:
        fail("%s does not work: %s" % (gcc, said.stderr))
    listed = said.stderr.partition("#include <...> search starts here:")[2]
    listed = listed.partition("End of search list.")[0]
    return [str(ctx.path(line.strip())) for line in listed.split("\n") if line.strip()]

def _aarch64_repository_impl(ctx):
    sysroot = ctx.os.environ.get("SWITCHYARD_AARCH64_SYSROOT", "")
    gcc = ctx.which("aarch64-linux-gnu-gcc")
    if not sysroot or gcc == None:
        ctx.file("BUILD.bazel", "")
        return
    ctx.file("BUILD.bazel", _TOOLCHAIN.format(
        include_directories = repr(_include_directories(ctx, gcc, sysroot)),
        sysroot = sysroot,
        tools = repr({tool: str(gcc.dirname.get_child("aarch64-linux-gnu-" + tool)) for tool in _TOOLS}),
    ))

aarch64_repository = repository_rule(
    implementation = _aarch64_repository_impl,
    environ = [
        "PATH",
        "SWITCHYARD_AARCH64_SYSROOT",
    ],
    local = True,
)
