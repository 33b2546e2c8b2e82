"""What is made when the package is built: stubs and documentation."""

import ast
import os
import types

import pytest
import switchyard as torch

FOLDER = os.path.dirname(torch.__file__)


def test_stubs_have_every_operator():
    with open(os.path.join(FOLDER, "__init__.pyi"), encoding="utf-8") as f:
        tree = ast.parse(f.read())
    functions = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    tensor = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Tensor")
    methods = {n.name for n in tensor.body if isinstance(n, ast.FunctionDef)}
    operators = {n for n in torch._core.operator_names() if "::" not in n}
    assert operators - functions - set(dir(torch._core)) - set(vars(torch)) == set()
    assert {"add", "add_", "sum", "view", "backward", "numpy", "item"} <= methods
    for name in ("linalg", "fft", "special"):
        with open(os.path.join(FOLDER, name + ".pyi"), encoding="utf-8") as f:
            assert len(ast.parse(f.read()).body) > 20
    assert os.path.exists(os.path.join(FOLDER, "py.typed"))


def test_operators_are_documented():
    assert "add.Tensor(Tensor self, Tensor other" in torch.add.__doc__
    assert "index" in torch.index_copy.__doc__ and "\n\n" in torch.index_copy.__doc__
    assert torch.linalg.inv.__doc__ and torch.ops.aten.add.__doc__
    undocumented = [n for n in torch._core.operator_names()
                    if "::" not in n and not torch._docs.find(n)]
    assert len(undocumented) < 0.1 * len(torch._core.operator_names())


def test_stubs_say_types():
    with open(os.path.join(FOLDER, "__init__.pyi"), encoding="utf-8") as f:
        text = f.read()
    for line in ("def add(input: Tensor, other: Tensor, *, alpha: Number = ...) -> Tensor: ...",
                 "def zeros(*size: builtins.int",
                 "    def view(self, *size: builtins.int) -> Tensor",
                 "float32: dtype", "class OutOfRangeError(Error, IndexError)"):
        assert line in text, line
    compile(text, "__init__.pyi", "exec")


def test_help_shows_schemas_and_what_the_operator_does():
    import pydoc
    shown = pydoc.render_doc(torch.index_copy, renderer=pydoc.plaintext)
    assert "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor" in shown
    assert torch.Tensor.__module__ == "switchyard" and "switchyard.Tensor" in repr(torch.Tensor)


@pytest.mark.parametrize("module", [torch, torch.linalg, torch.fft, torch.special])
def test_modules_make_operators_when_they_are_asked_for(module):
    name = {torch: "sin", torch.linalg: "inv", torch.fft: "fft", torch.special: "erf"}[module]
    assert isinstance(module, types.ModuleType) and type(module) is torch._core.OperatorModule
    vars(module).pop(name, None)
    made = getattr(module, name)
    assert vars(module)[name] is made and getattr(module, name) is made
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'none'"):
        module.none
    assert repr(module).startswith(f"<module '{module.__name__}' from ")


def test_one_registry_in_the_process():
    with open("/proc/self/maps", encoding="utf-8") as f:
        libraries = {line.split()[-1] for line in f if "libswitchyard" in line}
    assert len(libraries) == 1
