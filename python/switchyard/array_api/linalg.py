"""Linear algebra of the array API."""

from collections import namedtuple

import switchyard as torch
from switchyard import linalg as _linalg
from switchyard.array_api._dtypes import together
from switchyard.array_api._elementwise import multiply
from switchyard.array_api._statistics import sum as _sum

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = namedtuple("SVDResult", "U S Vh")


def matmul(x1, x2, /):
    """The product of matrices."""
    return torch.matmul(*together(x1, x2))


def matrix_transpose(x, /):
    """With the last two dimensions exchanged."""
    if x.dim() < 2:
        raise ValueError(f"matrix_transpose(): expected matrices, got {x.dim()} dimensions")
    return x.mT


def tensordot(x1, x2, /, *, axes=2):
    """The sum of products over dimensions."""
    x1, x2 = together(x1, x2)
    return torch.tensordot(x1, x2, dims=axes)


def vecdot(x1, x2, /, *, axis=-1):
    """The sum of products along one dimension, of the conjugate of the first."""
    x1, x2 = together(x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot(): {x1.shape[axis]} elements and {x2.shape[axis]}")
    x1, x2 = torch.broadcast_tensors(x1, x2)
    return torch.sum(torch.conj(x1) * x2, axis, dtype=x1.dtype)


def cholesky(x, /, *, upper=False):
    """The triangular factor of a positive definite matrix."""
    factor = _linalg.cholesky(x)
    return torch.conj(factor.mT).resolve_conj() if upper else factor


def cross(x1, x2, /, *, axis=-1):
    """The product of vectors of three elements."""
    x1, x2 = together(x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"cross(): vectors have 3 elements, got {x1.shape[axis]} and {x2.shape[axis]}")
    x1, x2 = torch.broadcast_tensors(x1, x2)
    return _linalg.cross(x1, x2, dim=axis)


def det(x, /):
    """The determinant."""
    return _linalg.det(x)


def diagonal(x, /, *, offset=0):
    """Diagonals of matrices."""
    return torch.diagonal(x, offset, -2, -1)


def eigh(x, /):
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    return EighResult(*_linalg.eigh(x))


def eigvalsh(x, /):
    """Eigenvalues of a symmetric matrix."""
    return _linalg.eigvalsh(x)


def inv(x, /):
    """The inverse."""
    return _linalg.inv(x)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """A norm of matrices."""
    return _linalg.matrix_norm(x, ord, (-2, -1), keepdims)


def matrix_power(x, n, /):
    """The matrix times itself."""
    return _linalg.matrix_power(x, n)


def matrix_rank(x, /, *, rtol=None):
    """The number of singular values that are not nearly 0."""
    return _linalg.matrix_rank(x, rtol=rtol)


def outer(x1, x2, /):
    """All products of two vectors' elements."""
    if x1.dim() != 1 or x2.dim() != 1:
        raise ValueError(f"outer(): expected vectors, got {x1.dim()} and {x2.dim()} dimensions")
    return multiply(x1.unsqueeze(1), x2.unsqueeze(0))


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse."""
    return _linalg.pinv(x, rtol=rtol)


def qr(x, /, *, mode="reduced"):
    """An orthogonal and a triangular factor."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"mode: expected 'reduced' or 'complete', got {mode!r}")
    return QRResult(*_linalg.qr(x, mode))


def slogdet(x, /):
    """The determinant as its sign and the logarithm of its size."""
    return SlogdetResult(*_linalg.slogdet(x))


def solve(x1, x2, /):
    """The solution of linear equations. x2: a vector where it has one dimension, else matrices."""
    x1, x2 = together(x1, x2)
    if x2.dim() == 1:
        return _linalg.solve(x1, x2.unsqueeze(-1)).squeeze(-1)
    if x2.dim() == x1.dim() - 1:  # which PyTorch takes for a batch of vectors
        x2 = x2.expand(x1.shape[:-2] + x2.shape[-2:])
    return _linalg.solve(x1, x2)


def svd(x, /, *, full_matrices=True):
    """Singular values and vectors."""
    return SVDResult(*_linalg.svd(x, full_matrices))


def svdvals(x, /):
    """Singular values."""
    return _linalg.svdvals(x)


def trace(x, /, *, offset=0, dtype=None):
    """Sums of diagonals."""
    return _sum(torch.diagonal(x, offset, -2, -1), axis=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """A norm of vectors along dimensions; None: of all elements."""
    if axis == ():
        axis = None if x.dim() == 0 else axis
    if axis == ():
        return torch.abs(x) if ord != 0 else (x != 0).to(torch.abs(x).dtype)
    return _linalg.vector_norm(x, ord, axis, keepdims)
