"""Which exception comes of which error; and that nothing was written or leaked by it."""

import gc
import sys

import pytest
import switchyard as torch


@pytest.mark.parametrize("text, kind, also", [
    ("torch.zeros(2) + torch.zeros(3)", RuntimeError, torch.InvalidArgumentError),
    ("torch.add(torch.ones(1))", TypeError, torch.NoOverloadError),
    ("torch.add(torch.ones(1), {})", TypeError, TypeError),
    ("torch.add(torch.ones(1), nothing=2)", TypeError, torch.NoOverloadError),
    ("torch.ones(2).sum(5)", IndexError, torch.OutOfRangeError),
    ("torch.ones(2).index_copy_(0, torch.tensor([9]), torch.ones(1))", IndexError, torch.Error),
    ("torch.ones(2)[7]", IndexError, IndexError),
    ("torch.tensor([[1], [1, 2]])", ValueError, ValueError),
    ("torch.nothing", AttributeError, AttributeError),
    ("torch.ones(1).nothing", AttributeError, AttributeError),
    ("torch.zeros(1 << 50)", MemoryError, torch.OutOfMemoryError),
    ("torch.zeros(1 << 50)", RuntimeError, torch.OutOfMemoryError),
    ("torch.device('nothing')", RuntimeError, torch.Error),
    ("torch.call", AttributeError, AttributeError),
    ("torch.ones(2, dtype=torch.float8_e5m2) + 1", NotImplementedError, torch.NoKernelError),
    ("torch.linalg.inv(torch.zeros(2, 2))", RuntimeError, torch.Error),
    ("torch.load('/nonexistent')", OSError, OSError),
    ("torch.ones(2).requires_grad_().numpy()", RuntimeError, RuntimeError),
    ("torch.arange(2).requires_grad_()", RuntimeError, torch.Error),
])
def test_kinds(text, kind, also):
    with pytest.raises(kind) as caught:
        eval(text)
    assert isinstance(caught.value, also)


def test_errors_say_their_code_and_operator():
    with pytest.raises(torch.Error) as caught:
        torch.zeros(2) + torch.zeros(3)
    assert caught.value.operator == "add.Tensor" and caught.value.code == "invalid argument"
    assert "[2]" in str(caught.value) and "[3]" in str(caught.value)


def test_a_refused_write_writes_nothing():
    x = torch.zeros(3, 2)
    with pytest.raises(IndexError):
        x.index_copy_(0, torch.tensor([0, 9]), torch.ones(2, 2))
    assert x.sum().item() == 0


def test_nothing_leaks():
    x, other = torch.ones(3), object()

    def attempts():
        for call in (lambda: torch.add(x, other), lambda: x[other], lambda: x + torch.ones(4),
                     lambda: torch.add(x, alpha=other), lambda: torch.cat([x, other]),
                     lambda: torch.zeros(other, 2), lambda: torch.tensor([1, other])):
            with pytest.raises((TypeError, IndexError, RuntimeError)):
                call()
        torch.add(x, x, alpha=2)
        torch.max(torch.ones(2, 2), 0)
        x.sum(dim=0, keepdim=True).tolist()
        x[[0, 1]] = 1.0
    attempts()
    gc.collect()
    before = [sys.getrefcount(o) for o in (x, other, torch.float32)]
    for _ in range(50):
        attempts()
    gc.collect()
    assert [sys.getrefcount(o) for o in (x, other, torch.float32)] == pytest.approx(before, abs=2)
