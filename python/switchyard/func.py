"""Functions made of functions, as torch.func has them: vmap, grad, Jacobians.

    each = vmap(grad(loss), in_dims=(None, 0, 0))(weights, x, y)

Arguments and results are trees of tensors: tuples, lists and dicts. What is no tensor in an argument
goes through as it is.
"""

import functools

from switchyard import _core
from switchyard._core import Tensor
from switchyard.utils._pytree import broadcast_to, tree_flatten, tree_unflatten

__all__ = ["functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
           "linearize", "vjp", "vmap"]


def _name(f):
    return getattr(f, "__name__", repr(f))


def _wraps(func):
    return functools.wraps(func) if hasattr(func, "__name__") else lambda f: f


# --- Batches.

def _where_batches_are(func, in_dims, args):
    """The leaves of the arguments, their form, and a dimension or None for each."""
    def fail(what):
        raise ValueError(f"vmap({_name(func)}, in_dims={in_dims}): {what}")
    if not isinstance(in_dims, (int, tuple)):
        fail(f"expected in_dims to be an int or a tuple like the arguments, got {type(in_dims)}")
    if not args:
        fail("called without positional arguments, expected at least one")
    leaves, spec = tree_flatten(args)
    dims = broadcast_to(in_dims, spec)
    if dims is None:
        fail(f"in_dims does not have the form of the arguments, {spec}")
    for x, d in zip(leaves, dims):
        if d is None:
            continue
        if not isinstance(d, int) or isinstance(d, bool):
            fail(f"expected ints and None, got {d!r}")
        if not isinstance(x, Tensor):
            fail(f"{d} is the dimension of an argument of type {type(x)}, expected a tensor; None "
                 "is for what all examples share")
        if not -x.dim() <= d < x.dim():
            fail(f"{d} is no dimension of an argument with {x.dim()} dimensions")
    if all(d is None for d in dims):
        fail("expected a batch in at least one argument")
    sizes = [x.size(d) for x, d in zip(leaves, dims) if d is not None]
    if len(set(sizes)) > 1:
        fail(f"expected all batches to have one size, got {sizes}")
    return leaves, spec, dims


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """func, of one example, as a function of batches.

    in_dims: the batch's dimension of each positional argument, None for what all examples share;
    a tree like the arguments, or one for all. out_dims: the same of results. randomness: "error",
    "different" or "same" numbers in each example. chunk_size: so many examples at a time."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError("vmap(): randomness must be 'error', 'different' or 'same', got "
                           f"{randomness!r}")
    if chunk_size is not None and not (isinstance(chunk_size, int) and chunk_size > 0):
        raise ValueError(f"vmap(): chunk_size must be None or above 0, got {chunk_size!r}")

    @_wraps(func)
    def batched(*args, **kwargs):
        leaves, spec, dims = _where_batches_are(func, in_dims, args)
        at = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
        form = others = None  # of the results

        def call(tensors):
            nonlocal form, others
            filled = list(leaves)
            for i, t in zip(at, tensors):
                filled[i] = t
            results, form = tree_flatten(func(*tree_unflatten(filled, spec), **kwargs))
            to = (broadcast_to(out_dims[0], form)
                  if isinstance(out_dims, tuple) and len(out_dims) == 1 and not form.name
                  else broadcast_to(out_dims, form))
            if to is None:
                raise ValueError(f"vmap({_name(func)}, out_dims={out_dims}): out_dims does not have "
                                 f"the form of the results, {form}")
            others = {k: r for k, r in enumerate(results) if not isinstance(r, Tensor)}
            for k, r in others.items():
                if to[k] is not None:
                    raise ValueError(f"vmap({_name(func)}): expected the function to return tensors, "
                                     f"got {type(r)}; out_dims may give it None")
            for d in to:
                if d is not None and (not isinstance(d, int) or isinstance(d, bool)):
                    raise ValueError(f"vmap({_name(func)}, out_dims={out_dims}): expected ints and "
                                     f"None, got {d!r}")
            kept = [k for k in range(len(results)) if k not in others]
            return tuple(results[k] for k in kept), tuple(to[k] for k in kept)

        found = iter(_core._vmap(call, [leaves[i] for i in at], tuple(dims[i] for i in at),
                                 chunk_size, randomness))
        return tree_unflatten([others[k] if k in others else next(found)
                               for k in range(form.num_leaves)], form)
    return batched


# --- Derivatives.

class _Call:
    """A function with its arguments, as a function of the tensors among some of these."""

    def __init__(self, what, func, args, kwargs, positions, has_aux):
        self.what, self.func, self.kwargs, self.has_aux = what, func, kwargs, has_aux
        self.leaves, self.spec = tree_flatten(tuple(args))
        of = [n for n, c in enumerate(self.spec.children) for _ in range(c.num_leaves)]
        self.at = [i for i, x in enumerate(self.leaves) if isinstance(x, Tensor)]
        self.tensors = [self.leaves[i] for i in self.at]
        self.chosen = []  # of each position, numbers among the tensors
        self.forms = []
        for p in positions:
            for i, x in enumerate(self.leaves):
                if of[i] == p and not isinstance(x, Tensor):
                    raise ValueError(f"{what}(): expected argument {p} to be of tensors, got "
                                     f"{type(x)}")
            self.chosen.append([k for k, i in enumerate(self.at) if of[i] == p])
            self.forms.append(self.spec.children[p])
        self.output = self.aux = self.others = None  # forms of results, once it was called
        self.num_outputs = 0

    def __call__(self, tensors):
        """The results that are differentiated, then tensors among what goes with them."""
        filled = list(self.leaves)
        for i, t in zip(self.at, tensors):
            filled[i] = t
        out = self.func(*tree_unflatten(filled, self.spec), **self.kwargs)
        aux = None
        if self.has_aux:
            if not isinstance(out, tuple) or len(out) != 2:
                raise RuntimeError(f"{self.what}(): with has_aux the function must return a pair "
                                   f"(output, aux), got {type(out)}")
            out, aux = out
        results, self.output = tree_flatten(out)
        for r in results:
            if not isinstance(r, Tensor):
                raise RuntimeError(f"{self.what}(): expected the function to return tensors, got "
                                   f"{type(r)}")
        self.num_outputs = len(results)
        more, self.aux = tree_flatten(aux)
        self.others = {k: x for k, x in enumerate(more) if not isinstance(x, Tensor)}
        return (*results, *(x for x in more if isinstance(x, Tensor)))

    def wanted(self):
        """Numbers of the tensors of all positions, one after the other."""
        return [k for numbers in self.chosen for k in numbers]

    def output_of(self, found):
        """What the function gave, of the list that it gave."""
        return tree_unflatten(found[:self.num_outputs], self.output)

    def aux_of(self, found):
        """What went with it."""
        given = iter(found[self.num_outputs:])
        return tree_unflatten([self.others[k] if k in self.others else next(given)
                               for k in range(self.aux.num_leaves)], self.aux)


def _positions(what, argnums, args):
    """Positions of arguments, and whether they are several."""
    several = isinstance(argnums, tuple)
    if several and not argnums:
        raise RuntimeError(f"{what}(): argnums is empty")
    found = []
    for a in argnums if several else (argnums,):
        if not isinstance(a, int) or isinstance(a, bool):
            raise RuntimeError(f"{what}(): argnums must be an int or a tuple of them, got {argnums!r}")
        if not -len(args) <= a < len(args):
            raise RuntimeError(f"{what}(): argnums has {a}, and there are {len(args)} positional "
                               "arguments")
        found.append(a % len(args))
    if len(set(found)) < len(found):
        raise RuntimeError(f"{what}(): argnums has an argument twice, got {argnums!r}")
    return found, several


def _by_argument(call, values, several):
    """The values of all tensors that are differentiated by, as the arguments are."""
    values = iter(values)
    trees = [tree_unflatten([next(values) for _ in numbers], form)
             for numbers, form in zip(call.chosen, call.forms)]
    return tuple(trees) if several else trees[0]


def grad_and_value(func, argnums=0, has_aux=False):
    """func as a function that gives the gradient by one argument, or by several, and what it gave:
    (gradient, value), or with has_aux (gradient, (value, aux))."""
    @_wraps(func)
    def derived(*args, **kwargs):
        positions, several = _positions("grad", argnums, args)
        call = _Call("grad", func, args, kwargs, positions, has_aux)

        def one(tensors):
            found = call(tensors)
            if call.output.name:
                raise RuntimeError("grad(): expected the function to return a tensor, got "
                                   f"{call.output}" + ("" if has_aux else
                                                       "; has_aux takes what goes with it"))
            return found
        wanted = call.wanted()
        found = _core._func_grad(one, call.tensors, wanted)
        gradient = _by_argument(call, found[:len(wanted)], several)
        found = found[len(wanted):]
        value = call.output_of(found)
        return gradient, (value, call.aux_of(found)) if has_aux else value
    return derived


def grad(func, argnums=0, has_aux=False):
    """func, which returns a number, as a function that gives its gradient by one argument, or by
    several; with has_aux (gradient, aux)."""
    derived = grad_and_value(func, argnums, has_aux)

    @_wraps(func)
    def gradient(*args, **kwargs):
        found, value = derived(*args, **kwargs)
        return (found, value[1]) if has_aux else found
    return gradient


def _same_form(what, which, tree, spec):
    leaves, form = tree_flatten(tree)
    if form != spec:
        raise RuntimeError(f"{what}(): expected {which} of the form {spec}, got {form}")
    for x in leaves:
        if not isinstance(x, Tensor):
            raise ValueError(f"{what}(): expected {which} to be tensors, got {type(x)}")
    return leaves


def vjp(func, *primals, has_aux=False):
    """What func gives, and a function of cotangents like it, which gives the gradients by the
    primals, a tuple; with has_aux aux too."""
    call = _Call("vjp", func, primals, {}, range(len(primals)), has_aux)
    found, pull = _core._func_vjp(call, call.tensors)
    none = [None] * (len(found) - call.num_outputs)

    def vjp_fn(cotangents, retain_graph=True, create_graph=None):
        given = _same_form("vjp", "cotangents", cotangents, call.output)
        grads = pull((*given, *none))
        return _by_argument(call, [grads[k] for k in call.wanted()], True)
    output = call.output_of(found)
    return (output, vjp_fn, call.aux_of(found)) if has_aux else (output, vjp_fn)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """What func gives, and its derivatives in the direction of the tangents; with has_aux aux too."""
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise RuntimeError("jvp(): expected primals and tangents to be tuples, got "
                           f"{type(primals)} and {type(tangents)}")
    call = _Call("jvp", func, primals, {}, range(len(primals)), has_aux)
    along = _same_form("jvp", "tangents", tangents, call.spec)
    found, derivatives = _core._func_jvp(call, call.tensors, along)
    output = call.output_of(found)
    derivative = tree_unflatten(derivatives[:call.num_outputs], call.output)
    return (output, derivative, call.aux_of(found)) if has_aux else (output, derivative)


def linearize(func, *primals):
    """What func gives, and a function of tangents like the primals, which gives its derivatives."""
    call = _Call("linearize", func, primals, {}, range(len(primals)), False)
    found, push = _core._func_linearize(call, call.tensors)

    def jvp_fn(*tangents):
        derivatives = push(_same_form("linearize", "tangents", tangents, call.spec))
        return tree_unflatten(derivatives[:call.num_outputs], call.output)
    return call.output_of(found), jvp_fn


def _units(like):
    """The unit vectors of a tensor's elements: [numel, sizes]."""
    n = like.numel()
    return _core.call("eye", n, dtype=like.dtype, device=like.device).reshape((n, *like.shape))


def _require_differentiable(what, tensors):
    for t in tensors:
        if not (t.is_floating_point() or t.is_complex()):
            raise RuntimeError(f"{what}(): expected floating or complex tensors, got {t.dtype}")


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """func as a function that gives its Jacobian by one argument, or by several, computed by rows:
    for each result, for each argument a tensor [sizes of the result, sizes of the argument]."""
    @_wraps(func)
    def jacobian(*args, **kwargs):
        positions, several = _positions("jacrev", argnums, args)
        call = _Call("jacrev", func, args, kwargs, positions, has_aux)
        wanted = call.wanted()
        _require_differentiable("jacrev", [call.tensors[k] for k in wanted])
        found, pull = _core._func_vjp(call, call.tensors)
        _require_differentiable("jacrev", found[:call.num_outputs])
        rows = []
        for k, y in enumerate(found[:call.num_outputs]):
            def row(unit, k=k):
                cotangents = [None] * len(found)
                cotangents[k] = unit[0]
                grads = pull(cotangents)
                return tuple(grads[i] for i in wanted), (0,) * len(wanted)
            grads = _core._vmap(row, (_units(y),), (0,), chunk_size, "error")
            rows.append(_by_argument(call, [
                g.reshape((*y.shape, *call.tensors[i].shape)) for g, i in zip(grads, wanted)], several))
        made = tree_unflatten(rows, call.output)
        return (made, call.aux_of(found)) if has_aux else made
    return jacobian


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """The same as jacrev gives, computed by columns: for few arguments and many results. func is
    called once, so that random numbers are the same for all columns."""
    @_wraps(func)
    def jacobian(*args, **kwargs):
        positions, several = _positions("jacfwd", argnums, args)
        call = _Call("jacfwd", func, args, kwargs, positions, has_aux)
        wanted = call.wanted()
        _require_differentiable("jacfwd", [call.tensors[k] for k in wanted])
        found, push = _core._func_linearize(call, call.tensors)
        outputs = found[:call.num_outputs]
        columns = []  # by tensor, of each result
        for i in wanted:
            def column(unit, i=i):
                tangents = [None] * len(call.tensors)
                tangents[i] = unit[0]
                return push(tangents)[:len(outputs)], (-1,) * len(outputs)
            columns.append(_core._vmap(column, (_units(call.tensors[i]),), (0,), None, "error"))
        made = tree_unflatten([
            _by_argument(call, [c[k].reshape((*y.shape, *call.tensors[i].shape))
                                for c, i in zip(columns, wanted)], several)
            for k, y in enumerate(outputs)], call.output)
        return (made, call.aux_of(found)) if has_aux else made
    return jacobian


def hessian(func, argnums=0):
    """func as a function that gives its second derivatives: the Jacobian of its Jacobian."""
    return jacfwd(jacrev(func, argnums), argnums)


# --- Models as functions of what they hold.

def _owner(module, name):
    """What has the attribute, and the attribute's own name: of "layers.0.weight" layers.0."""
    *path, last = name.split(".")
    for step in path:
        module = module[int(step)] if step.isdigit() else getattr(module, step)
    return module, last


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *,
                    tie_weights=True, strict=False):
    """Calls module, any object that can be, while attributes of it hold other tensors: names are
    paths ("layers.0.weight"), values what stands there. It has its own afterwards.

    strict: all names of its named_parameters() and named_buffers() must be there.
    tie_weights: what is one tensor under several names there gets the value of one of them."""
    dicts = parameter_and_buffer_dicts
    values = {}
    for d in (dicts,) if isinstance(dicts, dict) else dicts:
        for name, value in d.items():
            if name in values:
                raise ValueError(f"functional_call(): {name} appears in several dicts")
            values[name] = value
    named = getattr(module, "named_parameters", None)
    own = []
    if named is not None and (strict or tie_weights):
        own = list(named(remove_duplicate=False))
        own += list(module.named_buffers(remove_duplicate=False))
    if strict:
        missing, unknown = {n for n, _ in own} - set(values), set(values) - {n for n, _ in own}
        if missing or unknown:
            raise RuntimeError(f"functional_call(): strict, and there are no values of "
                               f"{sorted(missing)}, nothing named {sorted(unknown)}")
    if tie_weights:
        for name, t in own:
            tied = [n for n, o in own if o is t and n != name and n in values]
            if name in values and any(values[n] is not values[name] for n in tied):
                raise ValueError(f"functional_call(): {name} and {tied[0]} are one tensor, and were "
                                 "given two values")
            if name not in values and tied:
                values[name] = values[tied[0]]
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    held = []
    try:
        for name, value in values.items():
            owner, last = _owner(module, name)
            held.append((owner, last, getattr(owner, last)))
            setattr(owner, last, value)
        return module(*args, **(kwargs or {}))
    finally:
        for owner, last, value in reversed(held):
            setattr(owner, last, value)
