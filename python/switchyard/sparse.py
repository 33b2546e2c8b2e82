"""Sparse tensors: the functions that PyTorch has under this name. Operators take sparse tensors by
their own names too."""

from switchyard import _core


def mm(sparse, dense):
    """The product of two matrices, of which the first, or both, are sparse."""
    return _core.call("_sparse_mm", sparse, dense)


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    """beta * mat + alpha * (mat1 @ mat2), mat1 a sparse matrix."""
    return _core.call("_sparse_addmm", mat, mat1, mat2, beta=beta, alpha=alpha)


def sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0, out=None):
    """beta * input + alpha * (mat1 @ mat2) at the positions that input, in CSR, holds."""
    keywords = {} if out is None else {"out": out}
    return _core.call("sparse_sampled_addmm", input, mat1, mat2, beta=beta, alpha=alpha, **keywords)


def sum(input, dim=None, dtype=None):
    """The sum of a sparse tensor's elements: of all, or along dimensions."""
    if dim is None or (not isinstance(dim, int) and len(dim) == 0):
        return (_core.call("_sparse_sum", input) if dtype is None
                else _core.call("_sparse_sum", input, dtype=dtype))
    return (_core.call("_sparse_sum", input, dim) if dtype is None
            else _core.call("_sparse_sum", input, dim, dtype=dtype))
