"""What operators say of themselves: the comments of the files that register them.

docs.txt, which is made when the package is built, has a line for each operator: its name, a tab and
the text, in which a line's end is written as Python's repr does.
"""

import sys

from switchyard import _core

_text = None


def find(name):
    """The text of an operator, or "" where it has none."""
    global _text
    if _text is None:
        try:
            with open(__file__.removesuffix("_docs.py") + "docs.txt", encoding="utf-8") as f:
                _text = "\n" + f.read()
        except OSError:
            _text = "\n"
    start = _text.find(f"\n{name}\t")
    if start < 0:
        return ""
    start += len(name) + 2
    line = _text[start:_text.find("\n", start)]
    return line.replace("\\n", "\n").replace("\\\\", "\\")


def function(name):
    """The operators of a name as one function, documented; None where there are none."""
    return _core.function(name, "" if sys.flags.optimize > 1 else find(name))


def has_operators(module):
    """Says of a module, by its name, that it makes operators when they are asked for."""
    sys.modules[module].__class__ = _core.OperatorModule
