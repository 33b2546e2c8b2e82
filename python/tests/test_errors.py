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
    ("torch.ones(2).gather(0, torch.tensor([9]))", RuntimeError, torch.InvalidArgumentError),
    ("torch.zeros(2).scatter_add_(0, torch.tensor([9]), torch.ones(1))", RuntimeError,
     torch.InvalidArgumentError),
    ("torch.ones(2).index_select(0, torch.tensor([9]))", IndexError, torch.OutOfRangeError),
    ("torch.tensor([[1], [1, 2]])", ValueError, ValueError),
    ("torch.tensor([[1], 2])", TypeError, TypeError),
    ("torch.tensor([1, [2]])", TypeError, TypeError),
    ("torch.tensor(None)", RuntimeError, RuntimeError),
    ("torch.tensor('text')", TypeError, TypeError),
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
    ("torch.cat([])", ValueError, ValueError),
    ("torch.concat(tensors=[])", ValueError, ValueError),
    ("int(torch.ones(2))", ValueError, ValueError),
    ("torch.zeros(2, device='nothing')", RuntimeError, torch.Error),
    ("torch.ones(2).to('nothing')", RuntimeError, torch.Error),
    ("torch.ones(2).to('cpu', nothing=1)", TypeError, torch.NoOverloadError),
    ("torch.stack([], 1)", RuntimeError, torch.InvalidArgumentError),
    ("torch.hstack(())", RuntimeError, torch.InvalidArgumentError),
    ("torch.vstack([])", RuntimeError, torch.InvalidArgumentError),
    ("torch.add(torch.ones(1), [])", TypeError, torch.NoOverloadError),
    ("torch.ones(2).kthvalue(3)", RuntimeError, torch.InvalidArgumentError),
    ("torch.ones(2).kthvalue(1, 1)", IndexError, torch.OutOfRangeError),
    ("torch.ones(2).topk(3)", RuntimeError, torch.InvalidArgumentError),
    ("torch.nn.functional.nll_loss(torch.ones(1, 2), torch.tensor([2]))", IndexError,
     torch.OutOfRangeError),
    ("torch.nn.functional.cross_entropy(torch.ones(1, 2), torch.tensor([-1]))", IndexError,
     torch.OutOfRangeError),
    ("torch.nn.functional.multi_margin_loss(torch.ones(1, 2), torch.tensor([2]))", RuntimeError,
     torch.InvalidArgumentError),
    ("torch.from_dlpack(object())", ValueError, ValueError),
    ("torch.load_plugin('relative.so')", RuntimeError, torch.UnavailableError),
    ("torch.load_plugin('/nonexistent.so')", RuntimeError, torch.UnavailableError),
])
def test_kinds(text, kind, also):
    with pytest.raises(kind) as caught:
        eval(text)
    assert isinstance(caught.value, also)


@pytest.mark.parametrize("text, code", [
    ("torch.zeros(2) + torch.zeros(3)", "invalid argument"), ("torch.ones(2).sum(5)", "out of range"),
    ("torch.ones(2).index_select(0, torch.tensor([9]))", "index out of range"),
    ("torch.add(torch.ones(1))", "no overload"), ("torch.zeros(1 << 50)", "out of memory"),
    ("torch._core.call('nothing')", "not found"),
    ("torch.ones(2, dtype=torch.float8_e5m2) + 1", "not implemented"),
    ("torch.ones(1, device='cuda:99')", "unavailable")])
def test_each_code_has_an_exception(text, code):
    with pytest.raises(torch.Error) as caught:
        eval(text)
    assert caught.value.code == code and isinstance(caught.value.operator, str)
    assert isinstance(caught.value, (RuntimeError, IndexError, TypeError, AttributeError))


def test_an_error_is_the_same_after_one_has_been_remembered():
    for _ in range(3):  # the empty list is no list of integers that is remembered
        with pytest.raises(ValueError):
            torch.cat([])
        with pytest.raises(RuntimeError):
            torch.stack([])
        assert torch.cat([torch.ones(1), torch.ones(2)]).tolist() == [1, 1, 1]
        assert torch.zeros([]).shape == () and torch.ones(2).sum([]).shape == ()


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
