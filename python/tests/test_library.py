"""Operators, kernels and gradients written in Python; functional; looks; profiles; threads."""

import json
import signal
import subprocess
import sys
import threading
import time

import pytest
import switchyard as torch
import switchyard.nn.functional as F
from switchyard import Tensor, library

torch.library.define("pytest::twice", "(Tensor x, *, int times=2) -> Tensor")


@torch.library.impl("pytest::twice", "cpu")
def twice(x, *, times=2):
    return x * times


@library.custom_op("pytest::scaled", mutates_args=())
def scaled(x: Tensor, by: float = 2.0, shift: Tensor | None = None) -> Tensor:
    """x by a number."""
    return x * by if shift is None else x * by + shift


@scaled.register_fake
def _(x, by=2.0, shift=None):
    return torch.empty_like(x)


scaled.register_autograd(
    lambda ctx, g: (g * ctx.by, None, g if ctx.shifted else None),
    setup_context=lambda ctx, inputs, output: ctx.__dict__.update(
        by=inputs[1], shifted=inputs[2] is not None))


def test_a_defined_operator_is_called_like_others():
    assert torch.ops.pytest.twice(torch.ones(2)).tolist() == [2, 2]
    assert torch.ops.pytest.twice(torch.ones(2), times=3).tolist() == [3, 3]
    assert "pytest::twice" in str(torch.explain("pytest::twice"))
    with pytest.raises(NotImplementedError):
        torch.ops.pytest.twice(torch.ones(2, device="meta"))
    with pytest.raises(TypeError):
        torch.ops.pytest.twice(torch.ones(2), nothing=3)
    with pytest.raises(RuntimeError):
        torch.library.define("pytest::twice", "(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError):
        torch.library.define("nonamespace", "(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError):
        torch.library.define("pytest::bad", "(Tensor x -> Tensor")


def test_a_custom_operator_has_a_schema_a_meta_function_and_a_gradient():
    assert torch._core.schemas("pytest::scaled") == [
        "pytest::scaled(Tensor x, float by=2.0, Tensor? shift=None) -> Tensor"]
    assert scaled(torch.ones(2, device="meta")).shape == (2,)
    x = torch.ones(2, requires_grad=True)
    y = scaled(x, 3.0, torch.ones(2))
    assert y.tolist() == [4, 4] and y.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_kernels_come_and_go():
    lib = library.Library("pytest", "FRAGMENT")
    lib.define("lent(Tensor x) -> Tensor")
    lib.impl("lent", lambda x: x + 1, "cpu")
    assert torch.ops.pytest.lent(torch.zeros(1)).item() == 1
    lib._destroy()
    with pytest.raises(NotImplementedError):
        torch.ops.pytest.lent(torch.zeros(1))


def test_what_a_kernel_raises_comes_out():
    torch.library.define("pytest::raises", "(Tensor x) -> Tensor")

    @torch.library.impl("pytest::raises", "default")
    def f(x):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        torch.ops.pytest.raises(torch.ones(1))


def test_functional():
    x = torch.arange(8.).reshape(1, 2, 4)
    assert F.relu(x - 3)[0, 0].tolist() == [0, 0, 0, 0]
    assert F.relu(x.clone(), inplace=True).tolist() == x.tolist()
    assert F.max_pool1d(x, 2).tolist() == [[[1, 3], [5, 7]]]
    values, indices = F.max_pool1d(x, 2, return_indices=True)
    assert indices.tolist() == [[[1, 3], [1, 3]]]
    assert F.interpolate(x, scale_factor=2).shape == (1, 2, 8)
    assert F.interpolate(x, size=2, mode="linear", align_corners=True).shape == (1, 2, 2)
    assert F.pad(x, (1, 0)).shape == (1, 2, 5)
    assert F.one_hot(torch.tensor([0, 2])).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert F.embedding(torch.tensor([1]), torch.eye(2)).tolist() == [[0, 1]]
    assert F.dropout(x, 0.5, training=False) is not None and (F.dropout(x, 1.0) == 0).all()
    assert F.mse_loss(x, x + 2, reduction="sum").item() == 32
    assert F.cross_entropy(torch.zeros(2, 4), torch.tensor([0, 3])).item() == pytest.approx(1.3863, abs=1e-4)
    assert F.layer_norm(x, (4,)).mean().item() == pytest.approx(0, abs=1e-6)
    mean, var = torch.zeros(2), torch.ones(2)
    F.batch_norm(x, mean, var, training=True)
    assert mean[1].item() == pytest.approx(0.55)
    for wrong in (lambda: F.mse_loss(x, x, reduction="none at all"), lambda: F.dropout(x, 2),
                  lambda: F.interpolate(x), lambda: F.interpolate(x, size=2, scale_factor=2)):
        with pytest.raises(ValueError):
            wrong()


def test_looks():
    table = torch.tensor([[1., -2.], [float("nan"), float("inf")]])._repr_html_()
    assert "<table>" in table and "[2, 2]" in table and "-2" in table and "inf" in table
    for t in (torch.tensor(1), torch.zeros(0), torch.zeros(3), torch.zeros(20, 20), torch.ones(2, 2, 2),
              torch.ones(2, device="meta"), torch.tensor([1j]), torch.tensor([True])):
        assert "Tensor" in t._repr_html_()
    answer = torch.explain("add.Tensor", "cpu", torch.float32)
    assert "add.Tensor on cpu" in str(answer) and "<table>" in answer._repr_html_()
    assert answer.overloads[0]["candidates"][0]["chosen"]


def test_profiles(tmp_path):
    with torch.profiler.profile() as p:
        torch.ones(3) + torch.ones(3)
    torch.ones(3) * 2
    calls = {e["op"]: e["calls"] for e in p.key_averages()}
    assert calls["add.Tensor"] == 1 and calls["ones"] == 2 and "mul.Scalar" not in calls
    assert "add.Tensor" in p.table()
    p.export_chrome_trace(tmp_path / "trace.json")
    assert json.loads((tmp_path / "trace.json").read_text())


def test_threads_compute_at_once():
    torch.manual_seed(0)
    x = torch.randn(64, 64)
    expected, errors = (x @ x).sum().item(), []

    def work():
        try:
            for _ in range(50):
                assert (x @ x).sum().item() == expected
                y = torch.ones(3, requires_grad=True)
                (y * 2).sum().backward()
                assert y.grad.tolist() == [2, 2, 2]
        except BaseException as error:  # noqa: BLE001
            errors.append(error)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert errors == []


def test_other_threads_run_during_long_calls():
    x = torch.randn(700, 700)
    x @ x
    count, stop = [0], []

    def tick():
        while not stop:
            count[0] += 1
            time.sleep(0.0005)
    thread = threading.Thread(target=tick)
    thread.start()
    before, start = count[0], time.perf_counter()
    while time.perf_counter() - start < 0.3:
        torch.matmul(x, x)
    seen = count[0] - before
    stop.append(True)
    thread.join()
    assert seen > 5


def test_signals_arrive_during_long_calls():
    class Rang(Exception):
        pass

    def ring(*_):
        raise Rang
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        x = torch.randn(300, 300)
        with pytest.raises(Rang):
            for _ in range(100000):
                x @ x
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert (x @ x).shape == (300, 300)


def test_a_process_ends_well_whatever_it_holds():
    program = """
import switchyard as torch, threading
kept = torch.frombuffer(bytearray(8), dtype=torch.int64)
x = torch.ones(2, requires_grad=True)
x.register_hook(lambda g: g)
y = (x * 2).sum()
class Global: t = y
threading.Thread(target=lambda: torch.ones(5000) + 1, daemon=True).start()
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_import_brings_nothing_else():
    program = ("import sys; before = set(sys.modules); import switchyard; "
               "print(sorted(m for m in set(sys.modules) - before if not m.startswith('switchyard')))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() in ("[]", "['math']")
