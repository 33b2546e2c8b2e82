"""What is made when the package is built: stubs and documentation."""

import ast
import os

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


def test_one_registry_in_the_process():
    with open("/proc/self/maps", encoding="utf-8") as f:
        libraries = {line.split()[-1] for line in f if "libswitchyard" in line}
    assert len(libraries) == 1
