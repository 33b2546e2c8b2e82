"""Expressions of PyTorch's API, by what PyTorch 2.11 printed, or raised, for each.

recorded.jsonl has a line for each: the expression, and what repr gave or {"raises": the built-in
exception}. Random numbers are of PyTorch's streams. The array API, indexing, operators of Python,
functional, printing: what users write.
"""

import json
import math
import os
import warnings

import pytest
import switchyard as torch

numpy = pytest.importorskip("numpy")
BEFORE = """
torch.manual_seed(7)
a = torch.arange(24.).reshape(2, 3, 4)
i = torch.arange(12).reshape(3, 4)
b = torch.tensor([True, False, True])
F = torch.nn.functional
"""
FAMILIES = (IndexError, KeyError, ValueError, TypeError, NotImplementedError, AttributeError,
            OverflowError, ZeroDivisionError, RuntimeError)
with open(os.path.join(os.path.dirname(__file__), "recorded.jsonl"), encoding="utf-8") as _f:
    RECORDED = [json.loads(line) for line in _f]


def answer(expression):
    names = {"torch": torch, "np": numpy, "math": math}
    exec(BEFORE, names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(expression, names)).replace("switchyard.", "torch.")
        except Exception as error:  # noqa: BLE001
            return {"raises": next((k.__name__ for k in FAMILIES if isinstance(error, k)),
                                   type(error).__name__)}


def test_there_are_many():
    assert len(RECORDED) > 650


@pytest.mark.parametrize("expression, expected", RECORDED, ids=[e for e, _ in RECORDED])
def test_prints_what_pytorch_prints(expression, expected):
    assert answer(expression) == expected
