"""Functions of functions: torch.func, forward mode, and the functions of torch.autograd.functional."""

import collections
import math
import threading

import pytest
import switchyard as torch
from switchyard import func
from switchyard.autograd import forward_ad, functional


def close(a, b, tolerance=1e-5):
    return a.shape == b.shape and (a - b).abs().max().item() < tolerance


def test_batches_where_they_are_said_to_be():
    x, y = torch.arange(6.).reshape(2, 3), torch.arange(12.).reshape(3, 4)
    dots = torch.vmap(torch.dot)
    assert dots(x, x).tolist() == [5, 50]
    assert close(torch.vmap(torch.mv, in_dims=(None, 1), out_dims=1)(x, y), x @ y)
    assert close(torch.vmap(torch.mv, (None, -1), -1)(x, y), x @ y)
    # The batch of what depends on none is made.
    assert torch.vmap(lambda row: torch.ones(2))(x).tolist() == [[1, 1], [1, 1]]
    nested = torch.vmap(torch.vmap(lambda a, b: a * b, (0, None)), (None, 0))
    assert close(nested(x[0], y[0]), y[0][:, None] * x[0])


def test_batches_of_trees():
    Point = collections.namedtuple("Point", "x y")

    def f(p, options, scale=1.):
        return {"sum": p.x + p.y, "parts": [p.x * options["by"] * scale, p.y]}
    p = Point(torch.arange(3.), torch.ones(2, 3))
    out = torch.vmap(f, in_dims=(Point(None, 0), None),
                     out_dims={"sum": 1, "parts": 0})(p, {"by": 2, "mode": "x"}, scale=3.)
    assert list(out) == ["sum", "parts"] and isinstance(out["parts"], list)
    assert out["sum"].tolist() == [[1, 1], [2, 2], [3, 3]]
    assert out["parts"][0].tolist() == [[0, 6, 12]] * 2


def test_results_without_a_batch():
    x = torch.arange(3.)
    out = torch.vmap(lambda t: (t * 2, torch.ones(2), "text"), out_dims=(0, None, None))(x)
    assert out[0].tolist() == [0, 2, 4] and out[1].tolist() == [1, 1] and out[2] == "text"
    with pytest.raises(RuntimeError, match="differs between examples"):
        torch.vmap(lambda t: t * 2, out_dims=None)(x)


def test_chunks_are_the_same():
    x = torch.arange(10.).reshape(5, 2)
    f = torch.vmap(lambda t: (t.cumsum(0), torch.ones(1)), out_dims=(1, None), chunk_size=2)
    whole, same = f(x)
    assert close(whole, x.cumsum(1).T) and same.tolist() == [1]


@pytest.mark.parametrize("call, error, said", [
    (lambda x: torch.vmap(torch.sin, in_dims=(0, 0))(x), ValueError, "form of the arguments"),
    (lambda x: torch.vmap(torch.sin, in_dims=[0])(x), ValueError, "an int or a tuple"),
    (lambda x: torch.vmap(torch.sin, in_dims=None)(x), ValueError, "an int or a tuple"),
    (lambda x: torch.vmap(torch.sin, in_dims=(None,))(x), ValueError, "at least one"),
    (lambda x: torch.vmap(torch.sin, in_dims=2)(x), ValueError, "no dimension"),
    (lambda x: torch.vmap(torch.sin, in_dims="0")(x), ValueError, "an int or a tuple"),
    (lambda x: torch.vmap(lambda t: t)(), ValueError, "without positional"),
    (lambda x: torch.vmap(lambda t, n: t)(x, 3), ValueError, "expected a tensor"),
    (lambda x: torch.vmap(torch.add)(x, x[:1]), ValueError, "one size"),
    (lambda x: torch.vmap(lambda t: 1)(x), ValueError, "return tensors"),
    (lambda x: torch.vmap(torch.sin, out_dims=(0, 1))(x), ValueError, "form of the results"),
    (lambda x: torch.vmap(torch.sin, out_dims=2)(x), IndexError, "out_dims"),
    (lambda x: torch.vmap(torch.sin, out_dims="0")(x), ValueError, "ints and None"),
    (lambda x: torch.vmap(torch.sin, randomness="any")(x), RuntimeError, "randomness"),
    (lambda x: torch.vmap(torch.sin, chunk_size=0)(x), ValueError, "chunk_size"),
    (lambda x: torch.vmap(lambda t: t + torch.randn(2))(x), RuntimeError, "random"),
    (lambda x: torch.vmap(lambda t: t.sum().item())(x), RuntimeError, "item"),
    (lambda x: torch.vmap(lambda t: t if t.sum() > 0 else -t)(x), RuntimeError, ""),
])
def test_what_vmap_refuses(call, error, said):
    with pytest.raises(error, match=said):
        call(torch.ones(2, 2))


def test_random_numbers_in_batches():
    x = torch.zeros(4, 3)
    same = torch.vmap(lambda t: t + torch.randn(3), randomness="same")(x)
    different = torch.vmap(lambda t: t + torch.randn(3), randomness="different")(x)
    assert all(same[i].equal(same[0]) for i in range(4))
    assert not different[0].equal(different[1])


def test_an_example_that_has_left_its_function():
    kept = []
    torch.vmap(lambda t: kept.append(t) or t * 2)(torch.ones(2, 2))
    with pytest.raises(RuntimeError, match="ended"):
        kept[0] + 1


def test_what_a_function_raises_comes_out():
    class Special(Exception):
        pass

    def f(x):
        raise Special("from within")
    x = torch.ones(2)
    for call in (lambda: torch.vmap(f)(x), lambda: func.grad(f)(x), lambda: func.vjp(f, x),
                 lambda: func.jvp(f, (x,), (x,)), lambda: func.linearize(f, x)):
        with pytest.raises(Special, match="from within"):
            call()
    assert torch.vmap(torch.sin)(x).shape == (2,) and torch.is_grad_enabled()


def test_gradients_by_trees_of_arguments():
    def loss(parameters, x, scale=1.):
        return ((parameters["w"] @ x + parameters["b"]) * scale).square().sum()
    parameters = {"w": torch.ones(2, 3), "b": torch.zeros(2)}
    x = torch.arange(3.)
    g = func.grad(loss)(parameters, x, scale=2.)
    assert g["b"].tolist() == [24, 24] and g["w"].tolist() == [[0, 24, 48]] * 2
    both = func.grad(loss, argnums=(1, 0))(parameters, x)
    assert isinstance(both, tuple) and both[0].tolist() == [12, 12, 12]
    assert both[1]["b"].tolist() == [6, 6]
    assert not parameters["w"].requires_grad and not g["w"].requires_grad


def test_what_goes_with_a_gradient():
    def f(x):
        return x.square().sum(), {"twice": x * 2, "name": "f"}
    x = torch.tensor([1., 2.])
    g, aux = func.grad(f, has_aux=True)(x)
    assert g.tolist() == [2, 4] and aux["name"] == "f" and not aux["twice"].requires_grad
    g, (value, aux) = func.grad_and_value(f, has_aux=True)(x)
    assert value.item() == 5 and aux["twice"].tolist() == [2, 4]
    g, value = func.grad_and_value(lambda t: t.sum())(x)
    assert g.tolist() == [1, 1] and value.item() == 3


def test_gradients_of_each_example():
    w, x, y = torch.randn(3), torch.randn(5, 3), torch.randn(5)

    def loss(w, row, target):
        return (w.dot(row) - target) ** 2
    each = torch.vmap(func.grad(loss), in_dims=(None, 0, 0))(w, x, y)
    assert close(each, 2 * ((x @ w) - y)[:, None] * x)


def test_derivatives_nest():
    x = torch.tensor(1.)
    f = torch.sin
    for expected in (math.cos(1), -math.sin(1), -math.cos(1)):
        f = func.grad(f)
        assert abs(f(x).item() - expected) < 1e-6
    value, tangent = func.jvp(func.grad(torch.sin), (x,), (torch.tensor(2.),))
    assert abs(tangent.item() + 2 * math.sin(1)) < 1e-6
    outer = torch.tensor([1., 2.], requires_grad=True)
    func.grad(lambda t: (t ** 3).sum())(outer).sum().backward()
    assert outer.grad.tolist() == [6, 12]


def test_products_with_jacobians():
    def f(x, y):
        return {"p": x * y, "s": x.sum()}
    x, y = torch.tensor([1., 2.]), torch.tensor([3., 4.])
    out, pull = func.vjp(f, x, y)
    assert out["p"].tolist() == [3, 8] and not out["p"].requires_grad
    cotangents = {"p": torch.ones(2), "s": torch.tensor(10.)}
    for _ in range(2):
        gx, gy = pull(cotangents)
        assert gx.tolist() == [13, 14] and gy.tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="of the form"):
        pull(torch.ones(2))
    out, derivative = func.jvp(f, (x, y), (torch.ones(2), torch.zeros(2)))
    assert derivative["p"].tolist() == [3, 4] and derivative["s"].item() == 2
    out, derivative, aux = func.jvp(lambda t: (t * t, t + 1), (x,), (torch.ones(2),), has_aux=True)
    assert derivative.tolist() == [2, 4] and aux.tolist() == [2, 3]
    out, push = func.linearize(f, x, y)
    assert push(torch.ones(2), torch.zeros(2))["p"].tolist() == [3, 4]
    with pytest.raises(RuntimeError, match="tuples"):
        func.jvp(f, x, x)


def test_jacobians_and_hessians():
    def f(x, y):
        return {"p": x.sin() * y.sum(), "q": y}
    x, y = torch.randn(2), torch.randn(3)
    for transform in (func.jacrev, func.jacfwd):
        j = transform(f, argnums=(0, 1))(x, y)
        assert close(j["p"][0], torch.diag(x.cos() * y.sum()))
        assert close(j["p"][1], x.sin()[:, None].expand(2, 3))
        assert close(j["q"][0], torch.zeros(3, 2)) and close(j["q"][1], torch.eye(3))
        made, aux = transform(lambda t: (t * 2, "aux"), has_aux=True)(x)
        assert close(made, torch.eye(2) * 2) and aux == "aux"
    assert close(func.jacrev(torch.sin, chunk_size=1)(x), torch.diag(x.cos()))
    assert close(func.hessian(lambda t: t.sin().sum())(x), torch.diag(-x.sin()))
    assert close(func.jacrev(torch.sin)(x[0]), x[0].cos()) and close(func.jacfwd(torch.sin)(x[0]), x[0].cos())
    h = func.hessian(lambda a, b: (a * b.sum()).sum(), argnums=(0, 1))(x, y)
    assert close(h[0][1], torch.ones(2, 3)) and close(h[1][1], torch.zeros(3, 3))


@pytest.mark.parametrize("call, error, said", [
    (lambda x: func.grad(torch.sin)(x), RuntimeError, "no dimensions"),
    (lambda x: func.grad(lambda t: (t.sum(), 1))(x), RuntimeError, "return tensors"),
    (lambda x: func.grad(lambda t: (t.sum(), t))(x), RuntimeError, "return a tensor"),
    (lambda x: func.grad(torch.sum, argnums=2)(x), RuntimeError, "argnums"),
    (lambda x: func.grad(torch.add, argnums=(0, -2))(x, x), RuntimeError, "twice"),
    (lambda x: func.grad(torch.sum, argnums=())(x), RuntimeError, "empty"),
    (lambda x: func.grad(torch.sum, argnums="0")(x), RuntimeError, "argnums"),
    (lambda x: func.grad(lambda t: t.sum(), has_aux=True)(x), RuntimeError, "pair"),
    (lambda x: func.grad(lambda t: t * 2)(2.), ValueError, "of tensors"),
    (lambda x: func.grad(torch.sum)(x.long()), RuntimeError, "floating"),
    (lambda x: func.jacrev(torch.sum)(x.long()), RuntimeError, "floating"),
    (lambda x: func.jvp(torch.sin, (x,), (x[:1],)), RuntimeError, "tangent 0"),
    (lambda x: func.jvp(torch.sin, (x,), (x, x)), RuntimeError, "of the form"),
    (lambda x: func.vjp(torch.sin, x)[1](x[:1]), RuntimeError, "cotangent 0"),
])
def test_what_derivatives_refuse(call, error, said):
    with pytest.raises(error, match=said):
        call(torch.ones(2))


def test_models_as_functions():
    class Layer:
        def __init__(self):
            self.weight = torch.ones(2)

    class Model:
        def __init__(self):
            self.layers = [Layer(), Layer()]
            self.scale = torch.tensor(2.)

        def __call__(self, x, bias=0.):
            return (x * self.layers[0].weight * self.layers[1].weight * self.scale + bias).sum()
    model, x = Model(), torch.tensor([1., 2.])
    own = model.layers[1].weight

    def loss(values):
        return func.functional_call(model, values, (x,), {"bias": 1.})
    g = func.grad(loss)({"layers.1.weight": torch.zeros(2)})
    assert g["layers.1.weight"].tolist() == [2, 4] and model.layers[1].weight is own
    with pytest.raises(AttributeError):
        func.functional_call(model, {"scale": x, "layers.0.other": x}, x)
    assert model.scale.item() == 2
    with pytest.raises(ValueError, match="several"):
        func.functional_call(model, ({"scale": x}, {"scale": x}), x)


def test_tangents_go_along():
    x, v = torch.tensor([1., 2.]), torch.tensor([1., 10.])
    with forward_ad.dual_level():
        d = forward_ad.make_dual(x, v)
        y = (d * d)[1:]
        out = forward_ad.unpack_dual(y)
        assert out.primal.tolist() == [4] and out.tangent.tolist() == [40]
        assert forward_ad.unpack_dual(x).tangent is None
        w = torch.zeros(2)
        w.copy_(d)
        w.mul_(3)
        assert forward_ad.unpack_dual(w).tangent.tolist() == [3, 30]
    assert forward_ad.unpack_dual(x).tangent is None
    with pytest.raises(RuntimeError, match="DualLevel"):
        forward_ad.make_dual(x, v)
    with pytest.raises(RuntimeError, match="ended"):
        d + 1


def test_levels_end_in_order():
    outer = forward_ad.enter_dual_level()
    inner = forward_ad.enter_dual_level()
    assert (outer, inner) == (0, 1)
    with pytest.raises(RuntimeError, match="not the innermost"):
        forward_ad.exit_dual_level(level=outer)
    forward_ad.exit_dual_level(level=inner)
    # A function leaves what it has entered, and nothing else.
    with pytest.raises(RuntimeError, match="no level"):
        torch.vmap(lambda t: forward_ad.exit_dual_level())(torch.ones(2))
    with pytest.raises(RuntimeError, match="not left"):
        torch.vmap(lambda t: (forward_ad.enter_dual_level(), t)[1])(torch.ones(2))

    def fails(t):
        forward_ad.enter_dual_level()
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        torch.vmap(fails)(torch.ones(2))
    forward_ad.exit_dual_level()
    with pytest.raises(RuntimeError, match="no level"):
        forward_ad.exit_dual_level()


def test_levels_are_a_threads_own():
    seen = []
    with forward_ad.dual_level():
        thread = threading.Thread(target=lambda: seen.append(forward_ad.enter_dual_level()))
        thread.start()
        thread.join()
    assert seen == [0]


def test_functional_jacobian_and_hessian():
    x, y = torch.randn(2), torch.randn(3)

    def f(a, b):
        return a.sin() * b.sum(), b
    j = functional.jacobian(f, (x, y))
    assert close(j[0][0], torch.diag(x.cos() * y.sum())) and close(j[1][0], torch.zeros(3, 2))
    for options in ({"vectorize": True}, {"vectorize": True, "strategy": "forward-mode"}):
        same = functional.jacobian(f, (x, y), **options)
        assert all(close(a, b) for p, q in zip(j, same) for a, b in zip(p, q))
    assert close(functional.jacobian(torch.sin, x), torch.diag(x.cos()))
    with pytest.raises(RuntimeError, match="output 1"):
        functional.jacobian(f, (x, y), strict=True)
    h = functional.hessian(lambda a, b: (a.sin() * b.sum()).sum(), (x, y))
    assert close(h[0][0], torch.diag(-x.sin() * y.sum()))
    assert close(h[0][1], x.cos()[:, None].expand(2, 3)) and close(h[1][1], torch.zeros(3, 3))
    with pytest.raises(RuntimeError, match="one element"):
        functional.hessian(torch.sin, x)
    with pytest.raises(TypeError, match="tensor"):
        functional.jacobian(lambda t: 1, x)
    x.requires_grad_()
    functional.jacobian(lambda t: t ** 3, x, create_graph=True).sum().backward()
    assert close(x.grad, 6 * x.detach())
    assert not functional.jacobian(lambda t: t ** 3, x).requires_grad


def test_functional_products():
    x, v = torch.tensor([1., 2.]), torch.tensor([1., 10.])
    out, got = functional.vjp(torch.square, x, v)
    assert out.tolist() == [1, 4] and got.tolist() == [2, 40] and not got.requires_grad
    out, got = functional.jvp(lambda a, b: (a * b, b), (x, x), (v, v))
    assert got[0].tolist() == [2, 40] and got[1].tolist() == [1, 10]
    assert functional.vjp(torch.sum, x)[1].tolist() == [1, 1]

    def cubes(t):
        return (t ** 3).sum()
    for product in (functional.hvp, functional.vhp):
        out, got = product(cubes, x, v)
        assert out.item() == 9 and got.tolist() == [6, 120]
    with pytest.raises(RuntimeError, match="v"):
        functional.vjp(torch.square, x)
    with pytest.raises(RuntimeError, match="sizes"):
        functional.jvp(torch.square, x, v[:1])
    with pytest.raises(RuntimeError, match="depend"):
        functional.vjp(lambda t: torch.ones(1), x, torch.ones(1), strict=True)


def test_a_batch_of_gradients():
    x = torch.tensor([1., 2.], requires_grad=True)
    z = torch.ones(1, requires_grad=True)
    y = x * x
    rows, none = torch.autograd.grad(y, (x, z), torch.eye(2), is_grads_batched=True,
                                     allow_unused=True)
    assert rows.tolist() == [[2, 0], [0, 4]] and none is None


class Rounded(torch.autograd.Function):
    """What its derivative says is not what its operators' would be."""

    @staticmethod
    def forward(ctx, x, by):
        ctx.save_for_backward(by)
        return (x * by).round()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0], None


def test_functions_of_ones_own_keep_their_derivative():
    x, by = torch.tensor([0.4, 1.2, 2.7]), torch.tensor(2.)

    def f(t):
        return Rounded.apply(t, by)
    expected = torch.tensor([2., 2., 2.])
    assert func.grad(lambda t: f(t).sum())(x).equal(expected)
    assert func.grad(lambda t: torch.vmap(f)(t).sum())(x).equal(expected)
    assert torch.vmap(func.grad(f))(x).equal(expected)
    assert func.jvp(f, (x,), (torch.ones(3),))[1].equal(expected)
    assert func.jvp(torch.vmap(f), (x,), (torch.ones(3),))[1].equal(expected)
    assert torch.vmap(lambda t: func.jvp(f, (t,), (torch.ones(()),))[1])(x).equal(expected)
    assert func.jacfwd(f)(x).equal(torch.diag(expected))
    assert func.jacrev(torch.vmap(f))(x).equal(torch.diag(expected))
    w = torch.tensor(1.2, requires_grad=True)
    torch.vmap(lambda t: Rounded.apply(w, by) * t)(x).sum().backward()
    assert abs(w.grad.item() - 2 * x.sum().item()) < 1e-5
    w.grad = None
    torch.vmap(lambda t: Rounded.apply(w * t, t))(x).sum().backward()
    assert abs(w.grad.item() - x.square().sum().item()) < 1e-5
