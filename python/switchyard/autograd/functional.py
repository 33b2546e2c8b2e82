"""Products with Jacobians and Hessians of functions of tensors: of one, or of a tuple of them."""

from switchyard import _core
from switchyard._core import Tensor
from switchyard._modes import enable_grad
from switchyard.autograd import grad


def _tuple(what, which, x):
    """A tuple of tensors, and whether x was one tensor."""
    single = isinstance(x, Tensor)
    found = (x,) if single else x
    if not isinstance(found, (tuple, list)) or not all(isinstance(t, Tensor) for t in found):
        raise TypeError(f"{what}(): expected {which} to be a tensor or a tuple of tensors, got "
                        f"{type(x)}")
    return tuple(found), single


def _inputs(tensors, create_graph):
    """Inputs of their own, which lead on to what was given where that is to be differentiated."""
    if create_graph:
        return tuple(t.view_as(t) if t.requires_grad else t.detach().requires_grad_()
                     for t in tensors)
    return tuple(t.detach().requires_grad_() for t in tensors)


def _finished(x, create_graph):
    """What is given back, a tensor or tuples of them."""
    if isinstance(x, Tensor):
        return x if create_graph else x.detach()
    return tuple(_finished(t, create_graph) for t in x)


def _shaped(x, single):
    return x[0] if single else x


def _grad(outputs, inputs, directions, create_graph, strict, what):
    """Gradients; zeros where there are none, or with strict an error."""
    at = [k for k, y in enumerate(outputs) if y.requires_grad]
    found = (None,) * len(inputs)
    if at:
        found = grad([outputs[k] for k in at], inputs,
                     None if directions is None else [directions[k] for k in at],
                     retain_graph=True, create_graph=create_graph, allow_unused=True)
    if strict:
        for i, g in enumerate(found):
            if g is None:
                raise RuntimeError(f"{what}(): strict, and the result does not depend on input {i}")
            if create_graph and not g.requires_grad:
                raise RuntimeError(f"{what}(): strict, and the derivative by input {i} does not "
                                   "depend on the inputs")
    return tuple(_core.call("zeros_like", x) if g is None else g for g, x in zip(found, inputs))


def _call(what, func, inputs, strict):
    outputs, single = _tuple(what, "what the function returns", func(*inputs))
    if strict:
        for k, y in enumerate(outputs):
            if not y.requires_grad:
                raise RuntimeError(f"{what}(): strict, and output {k} does not depend on the inputs")
    return outputs, single


def _directions(what, v, like, of):
    """v as a tuple of the sizes of `like`; ones where it is left out and there is one element."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"{what}(): v may be left out of {of} with one element alone")
        return (_core.call("ones_like", like[0]),)
    v, _ = _tuple(what, "v", v)
    if len(v) != len(like):
        raise RuntimeError(f"{what}(): expected v to be {len(like)} tensors, got {len(v)}")
    for k, (a, b) in enumerate(zip(v, like)):
        if a.shape != b.shape:
            raise RuntimeError(f"{what}(): expected v[{k}] to have the sizes {list(b.shape)}, got "
                               f"{list(a.shape)}")
    return v


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """(what func gives, the product of v with its Jacobian, like the inputs)."""
    with enable_grad():
        given, single = _tuple("vjp", "inputs", inputs)
        x = _inputs(given, create_graph)
        outputs, one = _call("vjp", func, x, strict)
        v = _directions("vjp", v, outputs, "a result")
        found = _grad(outputs, x, v, create_graph, strict, "vjp")
    return (_finished(_shaped(outputs, one), create_graph),
            _finished(_shaped(found, single), create_graph))


def _push(what, outputs, x, v, create_graph, strict):
    """The product of the Jacobian with v: the derivative, by cotangents, of the product with
    those."""
    with enable_grad():
        cotangents = tuple(_core.call("zeros_like", y).requires_grad_() for y in outputs)
        products = _grad(outputs, x, cotangents, True, strict, what)
        return _grad(products, cotangents, v, create_graph, strict, what)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """(what func gives, the product of its Jacobian with v, like that)."""
    with enable_grad():
        given, _ = _tuple("jvp", "inputs", inputs)
        v = _directions("jvp", v, given, "an input")
        x = _inputs(given, create_graph)
        outputs, one = _call("jvp", func, x, strict)
    found = _push("jvp", outputs, x, v, create_graph, strict)
    return (_finished(_shaped(outputs, one), create_graph),
            _finished(_shaped(found, one), create_graph))


def _number(what, func, x, strict):
    """The function's only result, of one element."""
    outputs, _ = _call(what, func, x, strict)
    if len(outputs) != 1 or outputs[0].numel() != 1:
        raise RuntimeError(f"{what}(): expected the function to return one tensor of one element, "
                           f"got {[list(y.shape) for y in outputs]}")
    return outputs


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """(what func gives, one element; the product of v with its Hessian, like the inputs)."""
    with enable_grad():
        given, single = _tuple("vhp", "inputs", inputs)
        v = _directions("vhp", v, given, "an input")
        x = _inputs(given, create_graph)
        outputs = _number("vhp", func, x, strict)
        first = _grad(outputs, x, None, True, strict, "vhp")
        found = _grad(first, x, v, create_graph, strict, "vhp")
    return (_finished(outputs[0], create_graph), _finished(_shaped(found, single), create_graph))


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """(what func gives, one element; the product of its Hessian with v, like the inputs)."""
    with enable_grad():
        given, single = _tuple("hvp", "inputs", inputs)
        v = _directions("hvp", v, given, "an input")
        x = _inputs(given, create_graph)
        outputs = _number("hvp", func, x, strict)
        first = _grad(outputs, x, None, True, strict, "hvp")
        found = _push("hvp", first, x, v, create_graph, strict)
    return (_finished(outputs[0], create_graph), _finished(_shaped(found, single), create_graph))


def _jacobian_by_columns(func, given, single):
    from switchyard import func as transforms
    of_one = []

    def call(*x):
        outputs, one = _tuple("jacobian", "what the function returns", func(*x))
        of_one.append(one)
        return outputs
    found = transforms.jacfwd(call, tuple(range(len(given))))(*given)
    found = tuple(_shaped(row, single) for row in found)
    return _shaped(found, of_one[0])


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False,
             strategy="reverse-mode"):
    """Derivatives of all elements of results by all elements of inputs: for each result, for each
    input a tensor [sizes of the result, sizes of the input].

    strict: what does not depend on an input is an error. vectorize: all elements at once, by vmap.
    strategy: "reverse-mode", or "forward-mode", which needs vectorize and computes columns."""
    if strategy not in ("forward-mode", "reverse-mode"):
        raise ValueError("jacobian(): strategy must be 'forward-mode' or 'reverse-mode', got "
                         f"{strategy!r}")
    given, single = _tuple("jacobian", "inputs", inputs)
    if strict and vectorize:
        raise RuntimeError("jacobian(): strict and vectorize exclude each other")
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError("jacobian(): create_graph is not there for forward-mode")
        if not vectorize:
            raise NotImplementedError("jacobian(): forward-mode needs vectorize=True")
        return _jacobian_by_columns(func, tuple(t.detach() for t in given), single)
    with enable_grad():
        x = _inputs(given, create_graph)
        outputs, one = _call("jacobian", func, x, strict)
        rows = []
        for k, y in enumerate(outputs):
            flat = y.reshape(-1)
            if vectorize and y.requires_grad:
                units = _core.call("eye", y.numel(), dtype=y.dtype, device=y.device)
                found = grad(y, x, units.reshape((y.numel(), *y.shape)), retain_graph=True,
                             create_graph=create_graph, allow_unused=True, is_grads_batched=True)
                rows.append(tuple(
                    _core.call("zeros", (*y.shape, *t.shape), dtype=t.dtype, device=t.device)
                    if g is None else g.reshape((*y.shape, *t.shape)) for g, t in zip(found, x)))
                continue
            columns = [[] for _ in x]
            for j in range(y.numel()):
                try:
                    found = _grad((flat[j],), x, None, create_graph, strict, "jacobian")
                except RuntimeError as error:
                    if strict:
                        raise RuntimeError(f"jacobian(): of output {k}: {error}") from None
                    raise
                for column, g in zip(columns, found):
                    column.append(g)
            rows.append(tuple(
                _core.call("stack", column, 0).reshape((*y.shape, *t.shape)) if column else
                _core.call("zeros", (*y.shape, *t.shape), dtype=t.dtype, device=t.device)
                for column, t in zip(columns, x)))
    made = tuple(_shaped(row, single) for row in rows)
    return _finished(_shaped(made, one), create_graph)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False,
            outer_jacobian_strategy="reverse-mode"):
    """Second derivatives of a function that gives one element: for each input, for each input a
    tensor [sizes of the one, sizes of the other]. Arguments as jacobian's."""
    given, single = _tuple("hessian", "inputs", inputs)

    def first(*x):
        outer = outer_jacobian_strategy == "forward-mode"
        x = tuple(t if t.requires_grad or outer else t.requires_grad_() for t in x)

        def number(*y):
            return _number("hessian", func, y, strict)[0].reshape(())
        if outer:
            from switchyard import func as transforms
            return transforms.jacrev(number, tuple(range(len(x))))(*x)
        return jacobian(number, x, create_graph=True, strict=strict, vectorize=vectorize)
    found = jacobian(first, given, create_graph=create_graph, strict=strict, vectorize=vectorize,
                     strategy=outer_jacobian_strategy)
    return found[0][0] if single else found
