"""Linear algebra: the registry's operators whose names begin with linalg_."""

from switchyard import _core, _docs


def __getattr__(name):
    found = None if name.startswith("__") else _docs.function("linalg_" + name)
    if found is None:
        raise AttributeError(f"module 'switchyard.linalg' has no attribute {name!r}")
    globals()[name] = found
    return found


_docs.has_operators(__name__)


def __dir__():
    return sorted({*globals(), *(n.removeprefix("linalg_") for n in _core.operator_names()
                                 if n.startswith("linalg_"))})
