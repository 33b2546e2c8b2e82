"""Trees of tuples, lists and dicts, as functions take and give them: leaves in order, and back.

    leaves, spec = tree_flatten({"w": w, "layers": [a, b]})
    same = tree_unflatten(leaves, spec)
"""

from collections import OrderedDict, defaultdict, deque


def _is_namedtuple(x):
    return isinstance(x, tuple) and type(x) is not tuple and hasattr(x, "_fields")


def _children(x):
    """What is in it, and what makes one like it of others; None of a leaf."""
    kind = type(x)
    if _is_namedtuple(x):
        return list(x), lambda c: kind(*c)
    if kind in (tuple, list):
        return list(x), kind
    if kind is deque:
        return list(x), lambda c: deque(c, maxlen=x.maxlen)
    if kind in (dict, OrderedDict, defaultdict):
        keys = list(x)

        def like(c):
            pairs = zip(keys, c)
            return defaultdict(x.default_factory, pairs) if kind is defaultdict else kind(pairs)
        return list(x.values()), like
    return None


class TreeSpec:
    """The form of a tree without its leaves. name: of its kind, with what tells it from others."""

    __slots__ = ("name", "children", "like", "num_leaves")

    def __init__(self, name, children, like):
        self.name, self.children, self.like = name, children, like
        self.num_leaves = sum(c.num_leaves for c in children) if name else 1

    def __eq__(self, other):
        return (isinstance(other, TreeSpec) and self.name == other.name
                and self.children == other.children)

    def __hash__(self):
        return hash((self.name, self.num_leaves))

    def __repr__(self):
        if not self.name:
            return "*"
        kind, keys = self.name
        inside = [repr(c) for c in self.children]
        if keys is not None:
            inside = [f"{k!r}: {c}" for k, c in zip(keys, inside)]
        return f"{kind.__name__}({', '.join(inside)})"


def _name(tree):
    keys = tuple(tree) if isinstance(tree, dict) else None
    return type(tree), keys


def _flatten(tree, leaves, is_leaf):
    found = None if is_leaf is not None and is_leaf(tree) else _children(tree)
    if found is None:
        leaves.append(tree)
        return TreeSpec(None, (), None)
    children, like = found
    return TreeSpec(_name(tree), [_flatten(c, leaves, is_leaf) for c in children], like)


def tree_flatten(tree, is_leaf=None):
    """The leaves in order, and the tree's form."""
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def _build(spec, leaves):
    if not spec.name:
        return next(leaves)
    return spec.like([_build(c, leaves) for c in spec.children])


def tree_unflatten(leaves, treespec):
    """A tree of that form with these leaves."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"tree_unflatten(): expected {treespec.num_leaves} leaves, got "
                         f"{len(leaves)}")
    return _build(treespec, iter(leaves))


def tree_leaves(tree, is_leaf=None):
    """The leaves in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    """The tree's form."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """A tree of the same form: func of each leaf, and of those at its place in the others."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = []
    for rest in rests:
        more, form = tree_flatten(rest, is_leaf)
        if form != spec:
            raise ValueError(f"tree_map(): expected a tree of the form {spec}, got {form}")
        others.append(more)
    return tree_unflatten([func(*x) for x in zip(leaves, *others)], spec)


def tree_map_only(kinds, func, tree, is_leaf=None):
    """The same, of leaves of a type or of several alone."""
    return tree_map(lambda x: func(x) if isinstance(x, kinds) else x, tree, is_leaf=is_leaf)


def broadcast_to(tree, spec):
    """A leaf for each leaf of a tree of that form: a leaf of `tree` stands for all that lies at its
    place. None: the forms do not fit."""
    if not spec.name:
        return None if _children(tree) is not None else [tree]
    found = _children(tree)
    if found is None:
        return [tree] * spec.num_leaves
    children, _ = found
    if _name(tree) != spec.name or len(children) != len(spec.children):
        return None
    parts = [broadcast_to(c, s) for c, s in zip(children, spec.children)]
    return None if any(p is None for p in parts) else [x for p in parts for x in p]
