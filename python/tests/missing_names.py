"""Functions that PyTorch has in public and the package has not, counted and named, by namespace:

    PYTHONPATH=bazel-bin/python/package PYTHON_WITH_TORCH python/tests/missing_names.py

A function is what can be called and is neither a class nor a module.
"""

import importlib
import textwrap

NAMESPACES = ("", ".Tensor", ".linalg", ".fft", ".special", ".nn.functional")


def namespace(package, name):
    """The package, a class in it, or one of its modules."""
    if name == ".Tensor":
        return importlib.import_module(package).Tensor
    return importlib.import_module(package + name)


def functions(of):
    """Names of its public functions."""
    return [n for n in dir(of) if not n.startswith("_") and callable(getattr(of, n))
            and not isinstance(getattr(of, n), type)]


def main():
    for name in NAMESPACES:
        ours = namespace("switchyard", name)
        theirs = functions(namespace("torch", name))
        missing = [n for n in theirs if not hasattr(ours, n)]
        print(f"torch{name}: {len(theirs)} functions, {len(missing)} are not here")
        if missing:
            print(textwrap.indent(textwrap.fill(" ".join(missing), 96), "  "))


if __name__ == "__main__":
    main()
