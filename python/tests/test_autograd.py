"""Gradients from Python."""

import gc
import threading
import weakref

import pytest
import switchyard as torch


def test_backward_gathers():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = (x * x).sum()
    assert y.grad_fn.name() == "SumBackward0" and not y.is_leaf and x.grad_fn is None
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [4, 8]
    with pytest.raises(RuntimeError):
        y.backward()
    x.grad = None
    assert x.grad is None
    (x * 2).backward(torch.tensor([1., 10.]))
    assert x.grad.tolist() == [2, 20]
    with pytest.raises(RuntimeError):
        (x * 2).backward()


def test_grad_and_second_derivatives():
    x = torch.tensor([2.], requires_grad=True)
    first, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
    second, = torch.autograd.grad(first, x)
    assert first.item() == 12 and second.item() == 12 and x.grad is None
    z = torch.ones(1, requires_grad=True)
    assert torch.autograd.grad(x.sum(), [x, z], allow_unused=True)[1] is None
    assert torch.autograd.grad(x.sum(), [z], materialize_grads=True)[0].tolist() == [0]


def test_modes_nest():
    x = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
        with torch.set_grad_enabled(True):
            assert torch.is_grad_enabled()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled() and not (x * 2).requires_grad
        with torch.inference_mode(False):
            assert (x * 2).requires_grad and not torch.is_inference_mode_enabled()
    with pytest.raises(ZeroDivisionError):
        with torch.no_grad():
            1 / 0
    assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()


def test_modes_decorate():
    x = torch.ones(1, requires_grad=True)

    @torch.no_grad()
    def f():
        return (x * 2).requires_grad

    @torch.no_grad
    def g():
        """Says so."""
        return (x * 2).requires_grad

    @torch.no_grad()
    def h():
        yield (x * 2).requires_grad
        yield (x * 2).requires_grad
    assert (f(), g(), g.__doc__) == (False, False, "Says so.")
    seen = []
    for inside in h():
        seen.append((inside, torch.is_grad_enabled()))
    assert seen == [(False, True)] * 2


def test_modes_are_a_threads_own():
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_hooks():
    x = torch.ones(2, requires_grad=True)
    seen = []
    handle = x.register_hook(lambda g: g * 10)
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    h = x * 2
    h.register_hook(lambda g: seen.append(g.tolist()))
    h.retain_grad()
    h.sum().backward()
    assert x.grad.tolist() == [20, 20] and seen == [[1, 1], [20, 20]] and h.grad.tolist() == [1, 1]
    handle.remove()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [21, 21]


def test_what_a_hook_raises_comes_out():
    x = torch.ones(1, requires_grad=True)

    class Special(Exception):
        pass

    def hook(g):
        raise Special("from a hook")
    x.register_hook(hook)
    with pytest.raises(Special, match="from a hook"):
        (x * 2).sum().backward()


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x ** 3 * scale

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 3 * x * x * g * ctx.scale, None


def test_functions_of_ones_own():
    x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    y = Cube.apply(x, 2)
    assert repr(y.grad_fn).startswith("<CubeBackward object at ")
    y.sum().backward()
    assert x.grad.tolist() == [6, 24]
    assert torch.autograd.gradcheck(lambda t: Cube.apply(t, 2), (x,))

    class Wrong(Cube):
        @staticmethod
        def backward(ctx, g):
            return g, None
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(lambda t: Wrong.apply(t, 2), (x,))


def test_second_derivatives_pass_through_results_that_a_function_keeps():
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[1]
    x = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    y = Exp.apply(x)
    for _ in range(3):
        y, = torch.autograd.grad(y.sum(), x, create_graph=True)
        assert y.requires_grad and y.tolist() == [1, 1]


def test_functions_that_write_their_input():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            assert ctx.saved_tensors[0].shape == g.shape
            return g * 2
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    z = Double.apply(y)
    assert z is y and y.grad_fn.name() == "DoubleBackward" and y.tolist() == [2, 2, 2]
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2]
    x.grad = None
    y = x * 1
    Double.apply(y[:2])
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 1]
    with pytest.raises(RuntimeError, match="leaf"):
        Double.apply(x)


    class Other(Double):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x * 2
    with pytest.raises(RuntimeError, match="marked a tensor as dirty that it does not return"):
        Other.apply(x * 1)
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        assert not Double.apply(x).requires_grad and x.tolist() == [2, 2, 2]


def test_views_are_written_as_they_were_made():
    x = torch.tensor([1., 2., 3.], requires_grad=True)

    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            return x[:n] if n else x

        @staticmethod
        def backward(ctx, g):
            return torch.nn.functional.pad(g * 10, (0, 3 - len(g))), None

    def unrecorded(y, n):
        with torch.no_grad():
            return y[:n or 3]
    for view in unrecorded, First.apply:
        for n in 0, 2:
            y = x * 1
            v = view(y, n)
            assert v is not y and v.requires_grad == (view is not unrecorded)
            with pytest.raises(RuntimeError, match="self is a view of .* cannot be written"):
                v.mul_(2)
            with pytest.raises(RuntimeError, match="self is a view of .* cannot be written"):
                v[0] = x[0]
            assert y.tolist() == [1, 2, 3]
            y.mul_(2)
            with pytest.raises(RuntimeError, match="was written in place since"):
                v * 2
            assert (v.detach() * 2).tolist() == [4, 8, 12][:n or 3] and "Invalid" in repr(v)
    First.apply(x, 2).sum().backward()
    assert x.grad.tolist() == [10, 10, 0]


def test_what_a_functions_backward_returns_is_looked_at():
    def gradients(*found):
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                return x * n, n, x * 3

            @staticmethod
            def backward(ctx, first, number, second):
                assert number is None
                return tuple(first + second if f == 1 else f for f in found)
        x = torch.ones(1, requires_grad=True)
        y, n, z = Twice.apply(x, 2)
        assert n == 2
        (y + z).sum().backward()
        return x.grad.item()
    assert gradients(1, None) == gradients(1, None, None) == 2
    with pytest.raises(RuntimeError, match="incorrect number of gradients"):
        gradients(1, None, 1)
    with pytest.raises(RuntimeError, match="position 2"):
        gradients(1, 1)


def test_what_a_function_keeps_may_not_be_written():
    x = torch.tensor([1., 2.], requires_grad=True)
    kept = x * 1
    y = Cube.apply(kept, 2).sum()
    kept.add_(1)
    with pytest.raises(RuntimeError, match="written in place since CubeBackward"):
        y.backward()
    assert x.grad is None


def test_a_function_is_run_backward_again_unless_it_keeps_something():
    def apply(keeps):
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                if keeps:
                    ctx.save_for_backward(x)
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return g * 2
        return Twice.apply(x).sum()
    x = torch.ones(2, requires_grad=True)
    y = apply(False)
    y.backward()
    y.backward()
    assert x.grad.tolist() == [4, 4]
    z = apply(True)
    z.backward()
    with pytest.raises(RuntimeError, match="retain_graph"):
        z.backward()


def test_gradcheck_of_operators_that_keep_their_inputs():
    x = torch.tensor([[1., 2.], [3., 4.]], dtype=torch.float64).T.requires_grad_()
    w = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    before = x.tolist()
    assert not x.is_contiguous() and x.is_leaf
    assert torch.autograd.gradcheck(lambda a, b: (a.detach(), a * a * b, (a @ a).sum()), (x, w))
    assert x.tolist() == before and w.item() == 0.5
    assert torch.autograd.gradcheck(torch.linalg.inv, (x,))
    assert not torch.autograd.gradcheck(lambda a: a * a.detach(), (x,), raise_exception=False)


def test_a_function_that_keeps_its_result_goes():
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            ctx.probe = Probe()
            seen.append(weakref.ref(ctx.probe))
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    class Probe:
        pass
    seen = []
    x = torch.zeros(1, requires_grad=True)
    y = Exp.apply(x)
    y.sum().backward()
    assert x.grad.item() == 1
    del y
    gc.collect()
    assert seen[0]() is None


def test_writes_are_noticed():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError):
        x.add_(1)
    with torch.no_grad():
        x.add_(1)
    y = x.sigmoid()
    loss = (y * y).sum()
    y.mul_(2)
    with pytest.raises(RuntimeError):
        loss.backward()


def test_views_as_other_elements_are_asked_after_a_write():
    y = torch.ones(1, 2, requires_grad=True) * 1
    z = torch.view_as_complex(y)
    y.mul_(2)
    for ask in (lambda: z.is_leaf, lambda: z.grad_fn, lambda: z.grad):
        with pytest.raises(RuntimeError, match="as other elements"):
            ask()


def test_what_is_asked_of_backward_and_grad():
    x = torch.ones(2, requires_grad=True)
    loss = (x * 2).sum()
    with pytest.raises(RuntimeError):
        loss.backward(inputs=[])
    with pytest.raises(RuntimeError):
        torch.autograd.backward([loss], inputs=[])
    with pytest.raises(ValueError):
        torch.autograd.grad(loss, x, materialize_grads=True, allow_unused=False)
    with pytest.raises(ValueError):
        torch.autograd.grad(loss, [])
    loss.backward(inputs=[x, x])
    assert x.grad.tolist() == [2, 2]


def test_a_leaf_keeps_its_gradient_while_it_is_frozen():
    w = torch.ones(2, requires_grad=True)
    seen = []
    w.register_hook(lambda g: seen.append(g.tolist()))
    (w * 2).sum().backward()
    w.requires_grad_(False)
    assert w.grad.tolist() == [2, 2]
    w.requires_grad = True
    (w * 3).sum().backward()
    assert w.grad.tolist() == [5, 5] and seen == [[2, 2], [3, 3]]
    w.grad = None
    w.detach_()
    assert w.grad is None


def test_variances_of_rows():
    x, y, var = torch.zeros(2, 2), torch.ones(2, 2), torch.tensor([1., 4.], requires_grad=True)
    loss = torch.nn.functional.gaussian_nll_loss(x, y, var, reduction="none")
    assert loss[0].tolist() == [0.5, 0.5]
    loss.sum().backward()
    assert var.grad.tolist() == [0, 0.1875]


def test_a_training():
    torch.manual_seed(0)
    w, b = torch.zeros(3, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
    x = torch.randn(64, 3)
    y = x @ torch.tensor([[1.], [-2.], [3.]]) + 0.5
    for _ in range(200):
        loss = torch.nn.functional.mse_loss(x @ w + b, y)
        loss.backward()
        with torch.no_grad():
            for p in (w, b):
                p -= 0.1 * p.grad
                p.grad = None
    torch.testing.assert_close(w, torch.tensor([[1.], [-2.], [3.]]).requires_grad_(), atol=1e-3,
                               rtol=1e-3)
    with pytest.raises(AssertionError):
        torch.testing.assert_close(w, w + 1)


def test_gradients_pass_through_sparse_tensors():
    x = torch.tensor([[0., 3.], [4., 0.]], requires_grad=True)
    s = x.to_sparse()
    assert s.requires_grad and not s.is_leaf
    (s @ torch.ones(2, 1)).sum().backward()
    assert x.grad.tolist() == [[0, 1], [1, 0]]
    values = torch.tensor([1., 2.], requires_grad=True)
    a = torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), values, (2, 2))
    torch.mm(a, torch.ones(2, 2)).sum().backward()
    assert values.grad.tolist() == [2, 2]
    leaf = torch.eye(2).to_sparse().requires_grad_()
    (leaf * 3).to_dense().sum().backward()
    assert leaf.grad.is_sparse and leaf.grad.to_dense().tolist() == [[3, 0], [0, 3]]
