"""What calls keep for backward: hooks, checkpoints, anomalies, derivatives that are final."""

import weakref

import pytest
import switchyard as torch
from switchyard.autograd import anomaly_mode, graph
from switchyard.autograd.function import once_differentiable
from switchyard.utils import checkpoint as checkpoints
from switchyard.utils.checkpoint import checkpoint, checkpoint_sequential


def test_hooks_see_what_is_kept():
    x = torch.tensor([1., 2.], requires_grad=True)
    packed = []

    def pack(t):
        packed.append(t.tolist())
        return len(packed) - 1
    with graph.saved_tensors_hooks(pack, lambda k: torch.tensor(packed[k]) * 10):
        y = x * x
        with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            z = x.exp()
    y.sum().backward()
    assert packed == [[1, 2], [1, 2]] and x.grad.tolist() == [20, 40]
    x.grad = None
    z.sum().backward()
    assert torch.equal(x.grad, x.detach().exp())


def test_hooks_see_what_functions_keep():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            y = x * x
            ctx.save_for_backward(x, None, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, none, y = ctx.saved_tensors
            assert none is None and y.shape == x.shape
            return 2 * x * g, None
    x = torch.tensor([1., 2.], requires_grad=True)
    seen = []
    with graph.saved_tensors_hooks(lambda t: seen.append(t.tolist()) or t, lambda t: t * 10):
        y = Square.apply(x, 1)
    y.sum().backward()
    assert seen == [[1, 2], [1, 4]] and x.grad.tolist() == [20, 40]


def test_what_hooks_raise_comes_out():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(ZeroDivisionError):
        with graph.saved_tensors_hooks(lambda t: 1 / 0, lambda t: t):
            x * x
    with graph.saved_tensors_hooks(lambda t: 1, lambda t: t):
        y = x * x
    with pytest.raises(TypeError, match="unpack_hook must return a tensor, got int"):
        y.sum().backward()
    (x * x).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_hooks_may_be_refused():
    x = torch.ones(1, requires_grad=True)
    with graph.disable_saved_tensors_hooks("not here"):
        with pytest.raises(RuntimeError, match="not here"):
            with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                pass
    with graph.save_on_cpu(), pytest.raises(RuntimeError, match="not here"):
        with graph.disable_saved_tensors_hooks("not here"):
            pass
    with graph.save_on_cpu():
        y = x * x
    y.backward()
    assert x.grad.tolist() == [2]


def test_checkpoints_keep_nothing_and_run_again():
    w = torch.tensor([1., 2.], requires_grad=True)
    x = torch.tensor([3., 4.], requires_grad=True)
    runs, inner = [], []

    def f(x, by, scale=1.):
        runs.append(torch.is_grad_enabled())
        h = (x * w).sin()
        inner.append(weakref.ref(h))
        return {"out": h.exp() * by * scale}
    y = checkpoint(f, x, 2., scale=3., use_reentrant=False)["out"]
    assert inner[0]() is None and runs == [True]
    y.sum().backward()
    assert runs == [True] * 2
    got = x.grad.tolist(), w.grad.tolist()
    x.grad = w.grad = None
    f(x, 2., 3.)["out"].sum().backward()
    assert got == (x.grad.tolist(), w.grad.tolist())
    with torch.no_grad():
        assert not checkpoint(f, x, 1.)["out"].requires_grad


def test_checkpoints_in_checkpoints_and_second_derivatives():
    x = torch.tensor([0.5, 1.], dtype=torch.float64, requires_grad=True)

    def inner(t):
        return t.sin() * t

    def outer(t):
        return (checkpoint(inner, t) * t).exp()
    for f in (lambda t: checkpoint(outer, t), outer):
        assert torch.autograd.gradcheck(f, (x,))
        assert torch.autograd.gradgradcheck(f, (x,))
    y = checkpoint(outer, x)
    first, = torch.autograd.grad(y.sum(), x, retain_graph=True)
    again, = torch.autograd.grad(y.sum(), x)
    assert torch.equal(first, again)


def test_checkpoints_draw_the_same_numbers():
    x = torch.ones(100, requires_grad=True)
    y = checkpoint(lambda t: torch.nn.functional.dropout(t, 0.5) * t, x)
    torch.randn(3)
    state = torch.get_rng_state()
    y.sum().backward()
    assert torch.equal(x.grad, 2 * y.detach()) and torch.equal(state, torch.get_rng_state())


def test_checkpoints_notice_another_run():
    x = torch.ones(2, requires_grad=True)
    runs = []

    def fewer(t):
        runs.append(0)
        return t.sin().exp() if len(runs) == 1 else t.sin()

    def other(t):
        runs.append(0)
        return t.sin() if len(runs) == 1 else t.repeat(2).sin()
    for f, said in ((fewer, "kept 2 tensors for backward, and 1"), (other, "tensor 0")):
        runs.clear()
        with pytest.raises(checkpoints.CheckpointError, match=said):
            checkpoint(f, x).sum().backward()
    with pytest.raises(ValueError, match="determinism_check"):
        checkpoint(torch.sin, x, determinism_check="any")


def test_checkpoints_stop_when_they_have_all():
    x = torch.ones(2, requires_grad=True)
    reached = []

    def f(t):
        y = t.exp()
        reached.append(1)
        return y
    checkpoint(f, x).sum().backward()
    assert len(reached) == 1
    with checkpoints.set_checkpoint_early_stop(False):
        y = checkpoint(f, x)
    y.sum().backward()
    assert len(reached) == 3


def test_checkpoints_of_a_sequence():
    x = torch.tensor([0.5], requires_grad=True)
    calls = []

    def step(k):
        return lambda t: calls.append(k) or t.sin() + k
    steps = [step(k) for k in range(5)]
    checkpoint_sequential(steps, 2, x).backward()
    assert calls == [0, 1, 2, 3, 4, 0, 1]
    got = x.grad.item()
    x.grad = None
    y = x
    for f in steps:
        y = f(y)
    y.backward()
    assert got == x.grad.item()
    with pytest.raises(ValueError, match="segments"):
        checkpoint_sequential(steps, 6, x)


def test_backward_stops_at_nan():
    x = torch.tensor([-1.], requires_grad=True)
    with torch.autograd.detect_anomaly():
        assert anomaly_mode.is_anomaly_enabled()
        y = x.sqrt()
        with pytest.raises(RuntimeError, match="Sqrt"):
            y.backward()
        with torch.autograd.set_detect_anomaly(False):
            x.sqrt().backward()
    assert not anomaly_mode.is_anomaly_enabled() and x.grad.isnan().all()
    with torch.autograd.detect_anomaly(check_nan=False):
        x.sqrt().backward()
    torch.autograd.set_detect_anomaly(True)
    try:
        with pytest.raises(RuntimeError, match="Sqrt"):
            x.sqrt().backward()
    finally:
        torch.autograd.set_detect_anomaly(False)
    x.sqrt().backward()


def test_what_can_be_differentiated_once():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            assert not torch.is_grad_enabled()
            return 2 * ctx.saved_tensors[0] * g
    x = torch.tensor([3.], requires_grad=True)
    Square.apply(x).backward()
    assert x.grad.tolist() == [6]
    g = torch.ones(1, requires_grad=True)
    first, = torch.autograd.grad(Square.apply(x), x, g, create_graph=True)
    assert first.tolist() == [6]
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.backward()
