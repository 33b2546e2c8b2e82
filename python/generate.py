#!/usr/bin/env python3
"""Writes what is made of the registry when the package is built: documentation and stubs.

  generate.py PACKAGE SOURCES OUT

PACKAGE: a folder with the package; SOURCES: the folder of the tree, whose comments are read; OUT:
docs.txt and the .pyi files are put there.
"""

import inspect
import keyword
import os
import re
import sys

TYPES = {"Tensor": "Tensor", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
         "str": "str", "Scalar": "Number", "ScalarType": "_dtype", "Layout": "_layout",
         "Device": "DeviceLike", "MemoryFormat": "_memory_format", "Generator": "Generator",
         "Dimname": "str", "Storage": "object", "Stream": "object"}
SHADOWED = {"float", "int", "bool"}  # names of the package that hide Python's in its stubs


def comment(path):
    """The comment at the top of a file."""
    lines = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("//"):
                break
            lines.append(line[2:].removeprefix(" ").rstrip())
    return "\n".join(lines).strip()


def python_type(text):
    text = re.sub(r"\([^)]*\)", "", text)
    optional = text.endswith("?")
    text = text.rstrip("?")
    many = re.fullmatch(r"(\w+)\??\[(\d*)\]", text)
    base = TYPES[many.group(1) if many else text]
    base = f"builtins.{base}" if base in SHADOWED else base
    if many:
        listed = f"Sequence[{base}{' | None' if '?[' in text else ''}]"
        base = f"{listed} | {base}" if many.group(2) else listed
    elif text == "Tensor":
        base = "Tensor"
    return base + " | None" if optional else base


def split(text):
    """At commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([" and 1 or c in ")]" and -1
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    rest = text[start:].strip()
    return parts + [rest] if rest else parts


def signature(schema, method):
    """(parameters, result) of a schema, as a stub says them; None where Python cannot."""
    head, returns = schema.rsplit(") -> ", 1)
    parameters, by_name, defaults = [], False, False
    arguments = split(head.split("(", 1)[1])
    packed = None
    for i, text in enumerate(arguments):
        if text == "*":
            parameters.append("*")
            by_name = True
            continue
        kind, name = text.split("=")[0].rsplit(" ", 1)
        given = "=" in text.split(" ", 1)[1]
        name = name + "_" if keyword.iskeyword(name) else name
        if method and i == 0:
            if kind.split("(")[0] != "Tensor":
                return None
            continue
        if name == "self":
            name = "self_" if method or any(a.split("=")[0].endswith(" input") for a in arguments) \
                else "input"
        defaults = defaults or given
        if defaults and not given and not by_name:
            given = True  # behind one that has a default
        parameters.append(f"{name}: {python_type(kind)}" + (" = ..." if given else ""))
        last = i + 1 == len(arguments) or arguments[i + 1] == "*"
        if kind in ("SymInt[]", "int[]") and last and not by_name and not given:
            packed = len(parameters) - 1
    if method and not arguments:
        return None
    if returns.startswith("("):
        results = [python_type(r.rsplit(" ", 1)[0] if " " in r.strip() else r)
                   for r in split(returns[1:-1])]
        result = "None" if not results else f"tuple[{', '.join(results)}]"
    else:
        result = python_type(returns.rsplit(" ", 1)[0])
        if result.startswith("Sequence["):
            result = "tuple[Tensor, ...]"
    found = [(parameters, result)]
    if packed is not None:  # sizes one by one
        name = parameters[packed].split(":")[0]
        one = [p for p in parameters if p != "*"]
        one[packed] = f"*{name}: builtins.int"
        found.append((one, result))
    return found


def stubs(core, name, method, spelled=None):
    """The overloads of an operator as lines of a stub."""
    seen, lines = set(), []
    for schema in core.schemas(name):
        for parameters, result in signature(schema, method) or []:
            text = ", ".join((["self"] if method else []) + parameters)
            if text not in seen:
                seen.add(text)
                lines.append(f"def {spelled or name}({text}) -> {result}: ...")
    if len(lines) > 1:
        lines = [x for line in lines for x in ("@overload", line)]
    return lines


HEAD = '''# Made by python/generate.py of the operators' registry.
# mypy: disable-error-code="overload-cannot-match, overload-overlap, override, misc"
import builtins
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, overload

'''


def written(function, name):
    """A function of the package as a line of a stub."""
    try:
        parameters = []
        for p in inspect.signature(function).parameters.values():
            default = "" if p.default is p.empty else " = ..."
            mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
            if p.kind is p.KEYWORD_ONLY and not any(x.startswith("*") for x in parameters):
                parameters.append("*")
            annotation = "" if p.name == "self" else ": Any"
            parameters.append(f"{mark}{p.name}{annotation}{default}")
        return f"def {name}({', '.join(parameters)}) -> Any: ..."
    except (TypeError, ValueError):
        return f"def {name}(*args: Any, **keywords: Any) -> Any: ..."


def main():
    package, sources, out = sys.argv[1:]
    sys.path.insert(0, package)
    sys.dont_write_bytecode = True
    import switchyard
    core = switchyard._core
    for name in switchyard._LAZY:
        getattr(switchyard, name)
    os.makedirs(out, exist_ok=True)
    names = [n for n in core.operator_names() if ":" not in n]

    comments, documented = {}, 0
    with open(os.path.join(out, "docs.txt"), "w", encoding="utf-8") as f:
        for name in names:
            path = core.source(name)
            if path not in comments:
                full = path and os.path.join(sources, path)
                comments[path] = comment(full) if full and os.path.exists(full) else ""
            documented += bool(comments[path])
            f.write(name + "\t" + comments[path].replace("\\", "\\\\").replace("\n", "\\n") + "\n")
    if documented < len(names) * 0.9:
        raise SystemExit(f"only {documented} of {len(names)} operators have a comment")

    module, methods = [], []
    for name, value in sorted(vars(switchyard).items()):
        if name.startswith("_") and name != "__version__" or inspect.ismodule(value):
            continue
        if isinstance(value, (core.dtype, core.layout, core.memory_format)):
            module.append(f"{name}: {type(value).__name__}")
        elif isinstance(value, switchyard.qscheme):
            module.append(f"{name}: qscheme")
        elif name in ("e", "inf", "nan", "pi"):
            module.append(f"{name}: builtins.float")
        elif isinstance(value, type) and issubclass(value, BaseException):
            bases = ", ".join(b.__name__ for b in value.__bases__)
            module.append(f"class {name}({bases}):\n    code: str\n    operator: str")
        elif isinstance(value, type) and value not in (
                core.Tensor, core.Size, core.dtype, core.layout, core.memory_format, core.device,
                core.Generator):
            members = [f"    {m}: Any" for m in sorted(vars(value)) if not m.startswith("_")]
            if issubclass(value, switchyard._modes._Mode):
                members = ["    def __enter__(self) -> Any: ...",
                           "    def __exit__(self, *error: Any) -> None: ...",
                           "    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]: ..."]
            module.append(f"class {name}:\n    def __init__(self, *args: Any) -> None: ...\n"
                          + "\n".join(members))
        elif callable(value) and not isinstance(value, type):
            module.append(written(value, name))
    have = set(vars(switchyard))
    for name in names:
        if name not in have and not keyword.iskeyword(name):
            module += stubs(core, name, False)
    by_hand = {n for n in vars(core.Tensor) if n not in names or not
               type(vars(core.Tensor)[n]).__name__ == "method_descriptor"}
    for name in sorted(vars(core.Tensor)):
        value = vars(core.Tensor)[name]
        if name in ("__module__", "__doc__", "__new__", "__weaklistoffset__") or keyword.iskeyword(name):
            continue
        if name in by_hand or not core.schemas(name):
            if callable(value):
                methods.append(written(value, name))
            else:
                known = {"shape": "Size", "dtype": "_dtype", "device": "_device", "ndim": "builtins.int",
                         "grad": "Tensor | None", "requires_grad": "builtins.bool", "data": "Tensor",
                         "T": "Tensor", "mT": "Tensor", "H": "Tensor", "mH": "Tensor",
                         "real": "Tensor", "imag": "Tensor", "layout": "_layout"}
                methods.append(f"{name}: {known.get(name, 'Any')}")
        else:
            methods += stubs(core, name, True)
    with open(os.path.join(out, "__init__.pyi"), "w", encoding="utf-8") as f:
        f.write(HEAD)
        f.write("Number: TypeAlias = builtins.int | builtins.float | builtins.bool | builtins.complex\n"
                "DeviceLike: TypeAlias = device | str | builtins.int\n"
                "# Names that attributes and functions hide where they are used.\n"
                "_dtype: TypeAlias = dtype\n_layout: TypeAlias = layout\n"
                "_device: TypeAlias = device\n_memory_format: TypeAlias = memory_format\n\n"
                "from switchyard import (\n"
                + "".join(f"    {m} as {m},\n" for m in sorted(switchyard._MODULES)) + ")\n\n"
                "class Size(tuple[builtins.int, ...]):\n    def numel(self) -> builtins.int: ...\n\n"
                "class dtype:\n    itemsize: builtins.int\n    is_floating_point: builtins.bool\n"
                "    is_complex: builtins.bool\n    is_signed: builtins.bool\n"
                "    def to_real(self) -> dtype: ...\n    def to_complex(self) -> dtype: ...\n\n"
                "class layout: ...\nclass memory_format: ...\n\n"
                "class device:\n    type: str\n    index: builtins.int | None\n"
                "    def __init__(self, type: DeviceLike, index: builtins.int | None = ...) -> None: ...\n\n"
                "class Generator:\n    device: DeviceLike\n"
                "    def __init__(self, device: DeviceLike = ...) -> None: ...\n"
                "    def manual_seed(self, seed: builtins.int) -> Generator: ...\n"
                "    def seed(self) -> builtins.int: ...\n"
                "    def initial_seed(self) -> builtins.int: ...\n"
                "    def get_state(self) -> Tensor: ...\n"
                "    def set_state(self, state: Tensor) -> Generator: ...\n\n"
                "class Tensor:\n")
        f.write("".join(f"    {line}\n" for line in methods) + "\n")
        f.write("\n".join(module) + "\n")
    with open(os.path.join(out, "_core.pyi"), "w", encoding="utf-8") as f:
        f.write("from typing import Any\n\nfrom switchyard import (\n    Generator as Generator, "
                "Size as Size, Tensor as Tensor, device as device,\n    dtype as dtype, layout as "
                "layout, memory_format as memory_format)\n\n"
                "def __getattr__(name: str) -> Any: ...\n")
    for space in ("linalg", "fft", "special"):
        with open(os.path.join(out, space + ".pyi"), "w", encoding="utf-8") as f:
            f.write(HEAD + "from switchyard import (\n    DeviceLike, Generator, Number, Tensor, "
                    "_dtype, _layout, _memory_format)\n\n")
            for name in names:
                if name.startswith(space + "_"):
                    f.write("".join(line + "\n" for line in stubs(
                        core, name, False, name.removeprefix(space + "_"))))


if __name__ == "__main__":
    main()
