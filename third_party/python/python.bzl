"""Headers of CPython, where python3 on PATH says they are: the limited API, so any from 3.11 on do.

Debian: python3-dev. Without them @python has no targets and PYTHON_FOUND is False. Nothing of
libpython is linked: the interpreter that imports a module brings it.
"""

_FOUND = """
cc_library(
    name = "headers",
    hdrs = glob(["include/**/*.h"]),
    defines = ["Py_LIMITED_API=0x030B0000"],  # 3.11
    includes = ["include"],
    visibility = ["//visibility:public"],
)
"""

def _python_repository_impl(ctx):
    # Debian's own first: what a test runs is what a strict environment finds.
    folder = ""
    for program in ["/usr/bin/python3", ctx.which("python3")]:
        if program == None or not ctx.path(str(program)).exists:
            continue
        answer = ctx.execute([
            program,
            "-c",
            "import sysconfig; print(sysconfig.get_paths()['include'])",
        ])
        found = answer.stdout.strip()
        if answer.return_code == 0 and ctx.path(found + "/Python.h").exists:
            folder = found
            break
    if folder:
        # Debian's pyconfig.h includes the architecture's by this path.
        ctx.symlink(folder, "include")
        ctx.file("BUILD.bazel", _FOUND)
    else:
        ctx.file("BUILD.bazel", "")
    ctx.file("found.bzl", "PYTHON_FOUND = %s\n" % bool(folder))

python_repository = repository_rule(
    implementation = _python_repository_impl,
    environ = ["PATH"],
    local = True,
)
