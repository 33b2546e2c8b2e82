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


# What the losses of torch.nn.functional had before reduction.
@pytest.mark.parametrize("flags, reduction", [
    ({"size_average": False}, "sum"), ({"reduce": False}, "none"), ({"size_average": True}, "mean"),
    ({"reduce": True}, "mean"), ({"size_average": False, "reduce": True}, "sum"),
    ({"size_average": True, "reduce": False}, "none")])
def test_size_average_and_reduce_are_reductions(flags, reduction):
    x, y, ones = torch.rand(3, 3), torch.rand(3, 3), torch.ones(3)
    classes = torch.tensor([0, 2, 1])
    for f, args in ((F.mse_loss, (x, y)), (F.l1_loss, (x, y)), (F.smooth_l1_loss, (x, y)),
                    (F.nll_loss, (x, classes)), (F.cross_entropy, (x, classes)),
                    (F.binary_cross_entropy, (x, y)), (F.kl_div, (x, y)),
                    (F.binary_cross_entropy_with_logits, (x, y)), (F.poisson_nll_loss, (x, y)),
                    (F.soft_margin_loss, (x, y)), (F.hinge_embedding_loss, (x, y.sign())),
                    (F.margin_ranking_loss, (x, y, x)), (F.cosine_embedding_loss, (x, y, ones)),
                    (F.triplet_margin_loss, (x, y, x + 1)), (F.multi_margin_loss, (x, classes)),
                    (F.multilabel_margin_loss, (x, classes.expand(3, 3))),
                    (F.multilabel_soft_margin_loss, (x, y))):
        assert torch.equal(f(*args, **flags), f(*args, reduction=reduction)), f.__name__
    if reduction == "sum":  # as PyTorch, which divides what the flags have made
        assert torch.equal(F.kl_div(x, y, reduction="batchmean", **flags),
                           F.kl_div(x, y, reduction="batchmean"))


def test_weights_of_losses():
    x, y, w = torch.tensor([1., 2.]), torch.tensor([0., 4.]), torch.tensor([1., 3.])
    assert F.mse_loss(x, y, weight=w).item() == 13 / 4
    assert F.l1_loss(x, y, weight=w, reduction="sum").item() == 7
    assert F.huber_loss(x, y, weight=w).item() == (0.5 + 4.5) / 2
    assert F.mse_loss(x, y, weight=w, reduction="none").tolist() == [1, 12]
    with pytest.raises(ValueError, match="same size"):
        F.mse_loss(x, y, weight=torch.ones(1))
    var = torch.tensor([0.5, 2.])
    assert torch.equal(F.gaussian_nll_loss(x.expand(2, 2).T, y.expand(2, 2).T, var),
                       F.gaussian_nll_loss(x, y, var))
    with pytest.raises(ValueError, match="incorrect size"):
        F.gaussian_nll_loss(torch.ones(2, 3), torch.ones(2, 3), torch.ones(3))


def test_whole_channels_are_dropped():
    for drop, sizes in ((F.dropout1d, (64, 5)), (F.dropout3d, (64, 2, 3, 4)),
                        (F.dropout1d, (2, 32, 5)), (F.dropout3d, (2, 32, 2, 3, 4))):
        for inplace in (False, True):
            x = torch.ones(sizes)
            y = drop(x, inplace=inplace)
            channels = y.reshape(64, -1)
            assert torch.equal(channels, channels[:, :1].expand_as(channels))
            assert 0 < (channels[:, 0] == 0).sum() < 64 and channels.amax() == 2
            assert y.shape == sizes and torch.equal(x, y if inplace else torch.ones(sizes))
    with pytest.raises(RuntimeError, match="2D or 3D"):
        F.dropout1d(torch.ones(1, 2, 3, 4))


def test_what_is_refused_writes_no_weights():
    for wrong in ({"mode": "none"}, {"mode": "max", "scale_grad_by_freq": True}, {"offsets": None},
                  {"mode": "mean", "per_sample_weights": torch.ones(2)},
                  {"mode": "sum", "per_sample_weights": torch.ones(3)},
                  {"offsets": torch.tensor([[0]])}):
        weight = torch.full((3, 2), 5.)
        with pytest.raises((ValueError, NotImplementedError)):
            F.embedding_bag(torch.tensor([0, 1]), weight,
                            **{"offsets": torch.tensor([0]), "max_norm": 1., **wrong})
        assert (weight == 5).all()
    for padding_idx in (3, -4):
        with pytest.raises(RuntimeError, match="padding_idx"):
            F.embedding_bag(torch.tensor([[0, 1]]), weight, max_norm=1., padding_idx=padding_idx)
        with pytest.raises(AssertionError, match="within num_embeddings"):
            F.embedding(torch.tensor([0]), weight, padding_idx, max_norm=1.)
    assert (weight == 5).all()


@pytest.mark.parametrize("wrong", [
    lambda: F.batch_norm(torch.ones(1, 3), None, None, training=True),
    lambda: F.batch_norm(torch.ones(2, 3), None, None, training=True, eps=0.),
    lambda: F.instance_norm(torch.ones(2, 3, 1)),
    lambda: F.group_norm(torch.ones(1, 3), 3),
    lambda: F.local_response_norm(torch.ones(2, 3), 2),
    lambda: F.triplet_margin_loss(*torch.ones(3, 2, 2), margin=0),
    lambda: F.interpolate(torch.ones(1, 1, 2, 2), scale_factor=2, antialias=True),
    lambda: F.interpolate(torch.ones(1, 1, 2, 2), size=2, recompute_scale_factor=True),
    lambda: F.interpolate(torch.ones(1, 1, 2, 2), scale_factor=[2.]),
    lambda: F.affine_grid(torch.ones(1, 3, 3), (1, 1, 2, 2)),
    lambda: F.affine_grid(torch.ones(1, 2, 3), (1, 1, 0, 2)),
    lambda: F.affine_grid(torch.ones(1, 2, 3, dtype=torch.int64), (1, 1, 2, 2))])
def test_values_that_functional_refuses(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_a_mask_that_is_learned_has_a_gradient():
    q, k = torch.rand(2, 2, 3, 4), torch.rand(2, 2, 5, 4)
    bias = torch.rand(3, 5, requires_grad=True)
    y = F.scaled_dot_product_attention(q, k, k, bias)
    ours, = torch.autograd.grad(y.square().sum(), bias)
    z = torch.softmax(q @ k.transpose(-2, -1) / 2 + bias, -1) @ k
    products, = torch.autograd.grad(z.square().sum(), bias)
    assert torch.allclose(ours, products, atol=1e-5)
    weight = torch.rand(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="'weight'"):
        F.nll_loss(torch.rand(1, 2), torch.tensor([0]), weight).backward()


def test_fake_quantisation_is_trained_through():
    x = torch.tensor([0.3, 100., -5.], requires_grad=True)
    torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127).sum().backward()
    assert x.grad.tolist() == [1, 0, 1]


def test_a_grid_of_nan_is_the_first_element():
    x, grid = torch.arange(1., 7.).reshape(1, 1, 2, 3), torch.full((1, 1, 1, 2), float("nan"))
    for padding_mode in ("border", "reflection"):
        for mode in ("bilinear", "nearest"):
            assert F.grid_sample(x, grid, mode, padding_mode, True).item() == 1


def test_pooling_and_back():
    x = torch.arange(1., 17.).reshape(1, 1, 4, 4)
    for unpool, pool, like in ((F.max_unpool2d, F.max_pool2d, x),
                               (F.max_unpool1d, F.max_pool1d, x.reshape(1, 4, 4)),
                               (F.max_unpool3d, F.max_pool3d, x.reshape(1, 1, 1, 4, 4))):
        kernel = (1, 2, 2) if unpool is F.max_unpool3d else 2
        values, indices = pool(like, kernel, return_indices=True)
        back = unpool(values, indices, kernel)
        assert back.shape == like.shape and back.sum() == values.sum()
        assert torch.equal(pool(back, kernel), values)
    values, indices = F.max_pool2d(x, 2, return_indices=True)
    assert F.max_unpool2d(values, indices, 2, output_size=(1, 1, 4, 5)).shape == (1, 1, 4, 5)
    for wrong in ((9, 9), (4,)):
        with pytest.raises(ValueError):
            F.max_unpool2d(values, indices, 2, output_size=wrong)
    assert F.fractional_max_pool2d(x, 2, output_size=3)[..., -1, -1].item() == 16
    values, indices = F.fractional_max_pool2d(x, 2, output_ratio=0.5, return_indices=True)
    assert torch.equal(x.flatten()[indices], values) and values.shape == (1, 1, 2, 2)
    assert F.fractional_max_pool3d(x[None], 1, output_size=(1, 2, 2)).shape == (1, 1, 1, 2, 2)
    with pytest.raises(ValueError):
        F.fractional_max_pool2d(x, 2)
    assert F.lp_pool3d(torch.ones(1, 1, 2, 2, 2), 2, 2).item() == pytest.approx(8 ** 0.5)
    assert F.upsample_nearest(x, scale_factor=2).shape == (1, 1, 8, 8)
    assert F.upsample_bilinear(x, size=(2, 2)).tolist() == [[[[1, 4], [13, 16]]]]


def test_losses_that_are_made_of_others():
    x, target = torch.tensor([[0.5, -1.], [2., 0.]]), torch.tensor([[1., 0.], [0., 1.]])
    assert F.multilabel_soft_margin_loss(x, target).item() == pytest.approx(
        F.binary_cross_entropy_with_logits(x, target).item())
    assert F.multilabel_soft_margin_loss(x, target, weight=torch.zeros(2), reduction="none").tolist() == \
        [0, 0]
    a, p, n = x, x + 1, x * 3
    assert torch.allclose(F.triplet_margin_with_distance_loss(a, p, n, swap=True, reduction="none"),
                          F.triplet_margin_loss(a, p, n, swap=True, reduction="none"))
    assert F.triplet_margin_with_distance_loss(
        a, a, a, distance_function=lambda x, y: (x - y).abs().sum(-1), margin=2).item() == 2
    for wrong, kind in ((dict(margin=0), ValueError), (dict(reduction="x"), ValueError)):
        with pytest.raises(kind):
            F.triplet_margin_with_distance_loss(a, p, n, **wrong)
    with pytest.raises(RuntimeError):
        F.triplet_margin_with_distance_loss(a, p, n[0])


def test_attention_of_several_heads():
    torch.manual_seed(0)
    x, w, out = torch.randn(3, 2, 4), torch.randn(12, 4), torch.randn(4, 4)
    bias = torch.randn(12)

    def attend(x, **options):
        return F.multi_head_attention_forward(x, x, x, 4, 2, w, bias, None, None, False, 0.0, out, None,
                                              **options)
    with_weights, weights = attend(x)
    without, none = attend(x, need_weights=False)
    assert none is None and weights.shape == (2, 3, 3) and torch.allclose(with_weights, without, atol=1e-6)
    assert torch.allclose(weights.sum(-1), torch.ones(2, 3))
    for batch in range(2):  # heads one by one, as the paper has them
        q, k, v = (F.linear(x[:, batch], part, b) for part, b in zip(w.chunk(3), bias.chunk(3)))
        heads = [torch.softmax(q[:, h] @ k[:, h].T / 2 ** 0.5, -1) @ v[:, h]
                 for h in (slice(0, 2), slice(2, 4))]
        assert torch.allclose(torch.cat(heads, 1) @ out.T, with_weights[:, batch], atol=1e-5)
    alone, _ = attend(x[:, 0])
    assert torch.allclose(alone, with_weights[:, 0], atol=1e-6)
    later = torch.ones(3, 3).triu(1).bool()
    masked, weights = attend(x, attn_mask=later, average_attn_weights=False)
    assert weights.shape == (2, 2, 3, 3) and not weights.triu(1).any()
    hinted, _ = attend(x, attn_mask=later, is_causal=True, need_weights=False)
    assert torch.allclose(masked, hinted, atol=1e-6)
    _, weights = attend(x, key_padding_mask=torch.tensor([[False, False, True]] * 2))
    assert not weights[..., 2].any()
    split, _ = F.multi_head_attention_forward(
        x, x, x, 4, 2, None, bias, torch.zeros(1, 1, 4), torch.zeros(1, 1, 4), True, 0.0, out, None,
        use_separate_proj_weight=True, q_proj_weight=w[:4], k_proj_weight=w[4:8], v_proj_weight=w[8:])
    assert split.shape == (3, 2, 4) and not torch.allclose(split, with_weights)
    with pytest.raises(RuntimeError):
        attend(x, is_causal=True)
    with pytest.raises(AssertionError):
        F.multi_head_attention_forward(x, x, x, 4, 3, w, bias, None, None, False, 0.0, out, None)


def test_looks():
    table = torch.tensor([[1., -2.], [float("nan"), float("inf")]])._repr_html_()
    assert "<table>" in table and "[2, 2]" in table and "-2" in table and "inf" in table
    for t in (torch.tensor(1), torch.zeros(0), torch.zeros(3), torch.zeros(20, 20), torch.ones(2, 2, 2),
              torch.ones(2, device="meta"), torch.tensor([1j]), torch.tensor([True])):
        assert "Tensor" in t._repr_html_()
    answer = torch.explain("add.Tensor", "cpu", torch.float32)
    assert "add.Tensor on cpu" in str(answer) and "<table>" in answer._repr_html_()
    assert answer.overloads[0]["candidates"][0]["chosen"]
    by_name = torch.explain("add", "cpu", "float32")
    assert "add.Tensor" in str(by_name) and str(answer) in str(by_name)
    assert len(by_name.overloads) > 1 and "&lt;" not in str(by_name)
    assert "not implemented" in str(torch.explain("add.Tensor", "cpu", "float8_e5m2"))
    for wrong, kind in ((("nothing",), AttributeError), (("add", "nothing"), RuntimeError),
                        (("add", "cpu", "nothing"), TypeError)):
        with pytest.raises(kind):
            torch.explain(*wrong)


def test_profiles(tmp_path):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as p:
        torch.ones(3) + torch.ones(3)
    torch.ones(3) * 2
    calls = {e["op"]: e["calls"] for e in p.key_averages()}
    assert calls["add.Tensor"] == 1 and calls["ones"] == 2 and "mul.Scalar" not in calls
    assert "add.Tensor" in p.table()
    p.export_chrome_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
    assert [e["name"] for e in events if e["name"].startswith("add")] == ["add.Tensor"]
    assert all(e["dur"] >= 0 and e["ts"] >= 0 for e in events)
    averages = p.key_averages()
    assert averages.table() == p.table() == str(averages)
    by_calls = averages.table(sort_by="count", row_limit=1).splitlines()
    assert len(by_calls) == 2 and by_calls[1].startswith("ones ")
    assert averages.table("cpu_time_total") == averages.table("total_ns")
    with pytest.raises(ValueError):
        averages.table(sort_by="nothing")
    page = p._repr_html_()
    assert page.startswith("<table>") and page.count("<tr>") == len(p.key_averages()) + 1
    assert {"op", "device", "dtype", "calls", "total_ns", "self_ns", "min_ns", "max_ns"} <= set(
        p.key_averages()[0])


def test_a_recording_goes_on_where_it_is_started_again():
    p = torch.profiler.profile()
    for _ in range(2):
        p.start()
        torch.ones(2).neg()
        p.stop()
        torch.ones(2).abs()
    calls = {e["op"]: e["calls"] for e in p.key_averages()}
    assert calls["neg"] == 2 and "abs" not in calls


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


def test_an_interrupt_ends_what_is_between_calls():
    program = """
import os, signal, threading, switchyard as torch
x = torch.randn(400, 400)
def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.2, interrupt).start()
try:
    while True:
        x @ x
except KeyboardInterrupt:
    print("interrupted", (x @ x).shape == (400, 400))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted True\n", "")


def test_a_handler_runs_when_a_call_without_the_gil_is_over():
    x = torch.randn(1200, 1200)
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(torch.ones(2).sum().item()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        deadline = time.monotonic() + 60
        while not seen and time.monotonic() < deadline:
            x @ x
        assert seen == [2]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_threads_change_one_thing_each():
    """Modes, plans and errors are a thread's own, whatever others do meanwhile."""
    errors, start = [], threading.Barrier(6)

    def work(number):
        try:
            start.wait()
            for i in range(200):
                with torch.no_grad() if number % 2 else torch.enable_grad():
                    y = torch.ones(2, requires_grad=True) * number
                assert y.requires_grad == (number % 2 == 0)
                assert torch.add(y.detach(), number, alpha=i).tolist() == [number + number * i] * 2
                with pytest.raises(RuntimeError, match=f"\\[{number + 2}\\]"):
                    torch.zeros(number + 2) + torch.zeros(number + 3)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)
    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert errors == []


def test_an_operator_defined_in_parts_has_kernels_by_device_and_a_gradient():
    library.define("pytest::cubed", "(Tensor x) -> Tensor")

    @library.impl("pytest::cubed", "cpu")
    def on_the_host(x):
        return x.detach() ** 3

    @library.register_fake("pytest::cubed")
    def without_elements(x):
        return torch.empty_like(x)
    library.register_autograd(
        "pytest::cubed", lambda ctx, g: g * 3 * ctx.saved_tensors[0] ** 2,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))
    x = torch.tensor([2., 3.], requires_grad=True, dtype=torch.float64)
    torch.ops.pytest.cubed(x).sum().backward()
    assert x.grad.tolist() == [12, 27]
    assert torch.autograd.gradcheck(torch.ops.pytest.cubed, (x,))
    assert torch.ops.pytest.cubed(torch.ones(3, device="meta")).shape == (3,)
    with pytest.raises(AttributeError):
        library.impl("pytest::missing", "cpu", on_the_host)


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
