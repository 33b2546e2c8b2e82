"""Operators as functions and methods: overloads, keywords, results."""

import gc
import math
import pickle
import sys
import weakref

import pytest
import switchyard as torch


def test_keywords_and_positions_reach_the_same_overload():
    x = torch.arange(6.).reshape(2, 3)
    for _ in range(3):  # the second time by what was remembered
        assert x.sum(1, True).tolist() == x.sum(dim=1, keepdim=True).tolist() == [[3.0], [12.0]]
        assert torch.add(x, 1, alpha=2).tolist() == torch.add(input=x, other=1, alpha=2).tolist()
        assert torch.sum(x, axis=0).tolist() == [3.0, 5.0, 7.0]
        assert x.sum(keepdims=True, dim=0).shape == (1, 3)


def test_one_call_site_with_arguments_of_changing_kinds():
    for dim, shape in [(0, (3,)), ((0, 1), ()), ([1], (2,)), (None, ())]:
        assert torch.ones(2, 3).sum(dim).shape == shape
    for other in (1, 1.5, True, 1j, torch.ones(1), torch.tensor(2)):
        assert torch.add(torch.zeros(1), other).item() == (other if not torch.is_tensor(other)
                                                           else other.item())


def test_sizes_one_by_one():
    assert torch.zeros(2, 3).shape == torch.zeros((2, 3)).shape == torch.zeros([2, 3]).shape
    x = torch.arange(6)
    assert x.view(2, 3).tolist() == x.view((2, 3)).tolist() == x.reshape(2, -1).tolist()
    assert torch.ones(2, 3, 4).permute(2, 0, 1).shape == (4, 2, 3)
    assert torch.ones(1).expand(2, 3).shape == (2, 3)
    assert torch.ones(3).repeat(2, 2).shape == (2, 6)
    assert [p.tolist() for p in x.split([2, 4])] == [[0, 1], [2, 3, 4, 5]]


def test_what_is_written_is_returned_as_the_same_object():
    x, out = torch.ones(2), torch.empty(2)
    assert x.add_(1) is x and torch.add(x, x, out=out) is out and x.contiguous() is x
    y = x
    y += 1
    assert y is x and x.tolist() == [3.0, 3.0]
    values, indices = torch.empty(0), torch.empty(0, dtype=torch.long)
    result = torch.max(torch.eye(2), 0, out=(values, indices))
    assert result.values is values and result.indices is indices


def test_objects_of_tensors_that_died_are_as_new():
    class Named(torch.Tensor):
        pass

    def use():
        for _ in range(200):
            x = torch.ones(2)
            dead = weakref.ref(x)
            y = x + 1
            del x
            assert dead() is None and weakref.getweakrefcount(y) == 0
            assert type(y) is torch.Tensor and not hasattr(y, "name")
            named = Named(y)
            named.name = "y"
        many = [torch.ones(1) for _ in range(200)]  # more than are kept
        assert len({id(t) for t in many}) == 200
        del many, named, y
        gc.collect()

    use()
    before = sys.getrefcount(torch.Tensor), sys.getrefcount(Named)
    use()
    assert (sys.getrefcount(torch.Tensor), sys.getrefcount(Named)) == before


def test_functions_and_methods_of_operators_are_what_signs_are():
    signs = {"add": "+", "sub": "-", "mul": "*", "div": "/", "eq": "==", "ne": "!=", "lt": "<",
             "le": "<=", "gt": ">", "ge": ">="}
    for dtype in (torch.float32, torch.int64, torch.float16):
        a = torch.tensor([3, -2, 0]).to(dtype)
        for other in (torch.tensor([1, 2, 3]).to(dtype), torch.tensor(2), 2, -0.5, 1000):
            for name, sign in signs.items():
                expected = eval(f"a {sign} other")
                for result in (getattr(torch, name)(a, other), getattr(a, name)(other),
                               getattr(torch, name)(a, other=other)):
                    assert result.dtype == expected.dtype, (name, dtype, other)
                    assert repr(result.tolist()) == repr(expected.tolist()), (name, dtype, other)
    x, out = torch.ones(2, requires_grad=True), torch.empty(2)
    assert torch.mul(x, 3).grad_fn.name() == "MulBackward0"
    torch.add(x, 1).sum().backward()
    assert x.grad.tolist() == [1, 1]
    assert torch.add(x.detach(), 1, out=out) is out and out.tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="add"):
        torch.add(torch.ones(2), torch.ones(3))
    with pytest.raises(TypeError):
        torch.ones(2).add()
    with pytest.raises(TypeError):
        torch.add(1)


def test_what_is_taken_by_name_alone_is_not_taken_by_position():
    x, y = torch.ones(2), torch.zeros(2)
    for call in (lambda: torch.sin(x, y), lambda: x.sin(y), lambda: torch.mul(x, x, y),
                 lambda: torch.cat([x], 0, y), lambda: torch.zeros((2,), torch.int8)):
        for _ in range(2):  # the second time by what was remembered
            with pytest.raises(TypeError):
                call()
    assert y.tolist() == [0, 0]
    assert torch.sin(x, out=y) is y and y.tolist() != [0, 0]
    for _ in range(2):
        assert torch.tensor([2, 3]).repeat_interleave(5).numel() == 10
        assert torch.repeat_interleave(torch.tensor([2, 3])).tolist() == [0, 0, 1, 1, 1]


def test_none_stands_for_a_list_of_dimensions_that_may_be_left_out():
    x = torch.arange(6.).reshape(2, 3)
    for _ in range(2):
        assert x.amax(None) == torch.amax(x, dim=None) == torch.amax(input=x, dim=None) == 5
        assert x.roll(1, None).tolist() == x.roll(1).tolist()
    with pytest.raises(TypeError):
        x.permute(None)


def test_results_have_names():
    result = torch.max(torch.tensor([[1., 3.], [4., 2.]]), 1)
    assert result.values.tolist() == [3.0, 4.0] and result[1].tolist() == [1, 0]
    values, indices = result
    assert repr(result) == ("torch.return_types.max(\nvalues=tensor([3., 4.]),\n"
                            "indices=tensor([1, 0]))")


def test_factories_take_requires_grad_devices_and_dtypes():
    x = torch.rand(2, 2, requires_grad=True, dtype=torch.float64, device="cpu")
    assert x.requires_grad and x.is_leaf and x.dtype is torch.float64
    assert torch.zeros(2, dtype=float).dtype is torch.float64
    assert torch.zeros(2, device=torch.device("meta")).is_meta
    assert torch.ones(2).to("cpu", torch.int8).dtype is torch.int8


def test_tensors_and_numbers_of_other_libraries_stand_for_numbers():
    numpy = pytest.importorskip("numpy")
    assert torch.zeros(torch.tensor(2), 3).shape == (2, 3)
    assert torch.full((2,), torch.tensor(3)).tolist() == [3, 3]
    assert torch.add(torch.ones(1), numpy.float32(2)).item() == 3
    assert torch.ones(4)[numpy.int64(1)].item() == 1
    assert (torch.ones(2) + numpy.ones(2)).dtype is torch.float64
    assert isinstance(numpy.ones(2) * torch.ones(2), torch.Tensor)


def test_lists_may_be_given_one_by_one():
    a, b = torch.ones(1, 2), torch.ones(2, 1)
    assert torch.block_diag(a, b).shape == (3, 3)
    assert [t.shape for t in torch.broadcast_tensors(a, b)] == [(2, 2)] * 2
    assert torch.einsum("ij,jk->ik", a, b).item() == 2
    assert torch.einsum("ij,jk->ik", [a, b]).item() == 2


def test_operators_of_python():
    a, b = torch.tensor([6, 7]), torch.tensor([4, 2])
    cases = {"a + b": [10, 9], "a - b": [2, 5], "1 - a": [-5, -6], "a * 2": [12, 14],
             "a // b": [1, 3], "20 // b": [5, 10], "a % b": [2, 1], "9 % b": [1, 1],
             "a ** 2": [36, 49], "2 ** b": [16, 4], "a & b": [4, 2], "6 | b": [6, 6],
             "a ^ 1": [7, 6], "a << 1": [12, 14], "1 << b": [16, 4], "a >> 1": [3, 3],
             "~a": [-7, -8],
             "-a": [-6, -7], "abs(-a)": [6, 7], "a @ b": 38, "a / b": [1.5, 3.5], "12 / b": [3, 6],
             "a == 6": [True, False], "6 != a": [False, True], "a < 7": [True, False],
             "7 > a": [True, False], "a >= b": [True, True], "a == None": False}
    for text, expected in cases.items():
        result = eval(text)
        assert (result.tolist() if torch.is_tensor(result) else result) == expected, text
    c = a.clone()
    for statement in ("c += 1", "c -= 1", "c *= 3", "c //= 2", "c %= 5", "c |= 8", "c &= 12",
                      "c ^= 1", "c <<= 1", "c >>= 1", "c **= 2"):
        before = c
        names = {"c": c}
        exec(statement, names)
        assert names["c"] is before, statement
    with pytest.raises(TypeError):
        a + None
    with pytest.raises(TypeError):
        a @ 2


def test_numbers_beside_tensors_are_what_tensors_of_them_are():
    for dtype in (torch.float32, torch.float64, torch.int64, torch.float16, torch.int32):
        x = torch.tensor([3, -2, 0]).to(dtype)
        for number in (2, 2.0, -0.0, 0, 0.1, 2 ** 53 + 1, 1e300, math.inf, 1, 1.0):
            exact = torch.float64 if x.is_floating_point() and isinstance(number, float) else None
            other = torch.tensor(number, dtype=exact)  # gives way to x's dtype, as a number does
            for _ in range(2):  # the second time what was kept of the first
                for text in ("x + {}", "x - {}", "x * {}", "x / {}", "x == {}", "x != {}", "x < {}",
                             "x <= {}", "x > {}", "x >= {}"):
                    theirs, ours = eval(text.format("other")), eval(text.format("number"))
                    assert ours.dtype == theirs.dtype, (text, dtype, number)
                    assert repr(ours.tolist()) == repr(theirs.tolist()), (text, dtype, number)
    assert (torch.tensor(0.1) == 0.1).item() and (torch.ones(1) / -0.0).item() == -math.inf
    y = torch.ones(1) + 5
    y += 1
    assert (torch.zeros(1) + 5).item() == 5


def test_numbers_of_one_element():
    x = torch.tensor(2.5)
    assert float(x) == 2.5 and int(x) == 2 and complex(x) == 2.5 and bool(x)
    assert [1, 2, 3][torch.tensor(1)] == 2 and f"{x:.3f}" == "2.500"
    for wrong in (lambda: bool(torch.ones(2)), lambda: bool(torch.ones(0)),
                  lambda: torch.ones(2).item()):
        with pytest.raises(RuntimeError):
            wrong()
    with pytest.raises(TypeError):
        [1][torch.tensor(1.0)]
    with pytest.raises(TypeError):
        len(torch.tensor(1))


def test_namespaces():
    assert torch.linalg.norm(torch.ones(4)).item() == 2
    assert torch.fft.fft(torch.ones(2)).tolist() == [2, 0]
    assert torch.special.expit(torch.zeros(1)).item() == 0.5
    assert torch.ops.aten.add.Tensor(torch.ones(1), torch.ones(1)).item() == 2
    assert "Tensor" in torch.ops.aten.add.overloads()
    for wrong in ("linalg.nothing", "nothing", "ops.aten.nothing", "ops.aten.add.Nothing"):
        with pytest.raises(AttributeError):
            eval("torch." + wrong)
    assert "index_copy_" in dir(torch) and "index_copy_" in dir(torch.Tensor)


def test_what_is_no_operator():
    assert torch.finfo(torch.float16).max == 65504 and torch.iinfo(torch.uint8).max == 255
    assert torch.inf == math.inf and torch.pi == math.pi
    assert torch.promote_types(torch.int8, torch.float16) is torch.float16
    assert torch.result_type(torch.ones(1, dtype=torch.int8), 1.5) is torch.float32
    assert torch.Size([2, 3]).numel() == 6 and repr(torch.Size([2])[:1]) == "torch.Size([2])"
    assert torch.device("cuda", 1) == torch.device("cuda:1") != torch.device("cpu")
    assert repr(torch.device("cuda:1")) == "device(type='cuda', index=1)"
    torch.set_default_dtype(torch.float64)
    assert torch.ones(1).dtype is torch.float64 is torch.tensor(1.).dtype
    torch.set_printoptions(precision=2)
    assert str(torch.tensor([1 / 3])) == "tensor([0.33])"


def test_generators_are_repeatable():
    g = torch.Generator()
    first = torch.rand(3, generator=g.manual_seed(5))
    state = g.get_state()
    second = torch.rand(3, generator=g)
    assert torch.equal(first, torch.rand(3, generator=torch.Generator().manual_seed(5)))
    g.set_state(state)
    assert torch.equal(second, torch.rand(3, generator=g)) and g.initial_seed() == 5
    torch.manual_seed(1729)
    assert str(torch.rand(2)) == "tensor([0.3126, 0.3791])"  # PyTorch's numbers


def test_random_numbers_may_be_drawn_apart():
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.random.manual_seed(3)
    with torch.random.fork_rng():
        torch.manual_seed(8)
        torch.rand(5)
    assert torch.equal(torch.rand(2), expected) and torch.random.initial_seed() == 3
    with torch.random.fork_rng(enabled=False):
        torch.manual_seed(3)
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize("data, expected", [
    ([1, 2], "int64"), ([1, 2.0], "float32"), ([True, False], "bool"), ([1, True], "int64"),
    ([1j], "complex64"), ([], "float32"), (3, "int64"), (((1,), [2]), "int64")])
def test_literals(data, expected):
    t = torch.tensor(data)
    assert repr(t.dtype) == "torch." + expected
    if isinstance(data, list):
        assert t.tolist() == data


def test_literals_that_are_none():
    for wrong, error in (([[1], [1, 2]], ValueError), ([1, [2]], TypeError), ([[1], 2], TypeError)):
        with pytest.raises(error):
            torch.tensor(wrong)
    with pytest.raises(TypeError):
        torch.tensor("text")
    with pytest.raises(RuntimeError):
        torch.tensor([300], dtype=torch.uint8)
    deep = []
    for _ in range(1000):
        deep = [deep]
    with pytest.raises(ValueError):
        torch.tensor(deep)


def test_every_dtype_makes_lists_and_comes_back():
    for name in ("uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64",
                 "float16", "bfloat16", "float32", "float64", "complex64", "complex128"):
        t = torch.tensor([[0, 1], [2, 3]], dtype=getattr(torch, name))
        assert t.tolist() == [[0, 1], [2, 3]] and t[1, 1].item() == 3
        assert t.T.tolist() == [[0, 2], [1, 3]]
    assert torch.tensor([True, False]).tolist() == [True, False]
    assert torch.tensor([1 + 2j]).conj().tolist() == [1 - 2j]
    assert torch.tensor(2 ** 64 - 1, dtype=torch.uint64).item() == 2 ** 64 - 1
    assert torch.zeros(2, 0).tolist() == [[], []] and torch.zeros(0, 2).tolist() == []


def test_views_as_another_dtype():
    x = torch.arange(4, dtype=torch.int32)
    assert x.view(torch.int16).shape == (8,) and x.view(torch.int64).shape == (2,)
    assert x.view(dtype=torch.uint8).view(torch.int32).tolist() == x.tolist()
    with pytest.raises(RuntimeError):
        x[:3].view(torch.int64)
    with pytest.raises(RuntimeError):
        torch.ones(2, 2).T.view(torch.int16)


def test_sparse_tensors_are_made_of_sequences():
    parts = [[0, 1, 1], [2, 0, 2]], [3, 4, 5]
    x = torch.sparse_coo_tensor(*parts, (2, 3))
    assert x.to_dense().tolist() == [[0, 0, 3], [4, 0, 5]] and x.dtype is torch.int64
    assert torch.sparse_coo_tensor(*parts).shape == (2, 3)
    y = torch.sparse_coo_tensor(indices=parts[0], values=parts[1], size=(2, 4), dtype=torch.float64)
    assert y.dtype is torch.float64 and y.shape == (2, 4)
    assert torch.sparse_coo_tensor((2, 3))._nnz() == torch.sparse_coo_tensor(size=(2, 3))._nnz() == 0
    for make in (torch.sparse_csr_tensor, torch.sparse_csc_tensor):
        z = make([0, 1, 2], torch.tensor([1, 0]), [1., 2.], (2, 2), dtype=torch.float32)
        assert z.to_dense().sum() == 3 and z.dtype is torch.float32
    assert torch.sparse_bsr_tensor([0, 1], [0], [[[1., 2.]]]).shape == (1, 2)
    values = torch.ones(3, requires_grad=True)
    torch.sparse_coo_tensor(parts[0], values).to_dense().sum().backward()
    assert values.grad.tolist() == [1, 1, 1]


def test_distances_by_the_names_of_their_ways():
    x, y = torch.rand(4, 3), torch.rand(2, 3)
    for way in ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
                "donot_use_mm_for_euclid_dist"):
        assert torch.allclose(torch.cdist(x, y, compute_mode=way), torch.cdist(x, y), atol=1e-3)
    with pytest.raises(ValueError, match="compute_mode"):
        torch.cdist(x, y, compute_mode="by hand")


def test_quantized_tensors_say_how_they_stand_for_numbers():
    x = torch.tensor([[1., 2., 3.], [-4., 0.5, 2.5]])
    q = torch.quantize_per_tensor(x, 0.5, 10, torch.quint8)
    assert q.qscheme() == torch.per_tensor_affine and q.dtype is torch.quint8
    assert repr(q.qscheme()) == "torch.per_tensor_affine"
    assert isinstance(q.qscheme(), torch.qscheme)
    w = torch.quantize_per_channel(x, torch.tensor([0.5, 0.25]), torch.tensor([0, 0]), 0,
                                   torch.qint8)
    assert w.qscheme() is torch.per_channel_affine
    assert pickle.loads(pickle.dumps(w.qscheme())) is torch.per_channel_affine
    packed = torch.ops.quantized.linear_prepack(w)
    y = torch.ops.quantized.linear(q, packed, 1.0, 3)
    assert y.is_quantized and y.q_scale() == 1.0 and y.q_zero_point() == 3
    weight, bias = torch.ops.quantized.linear_unpack(packed)
    assert bias is None and torch.equal(weight.dequantize(), w.dequantize())
    with pytest.raises(RuntimeError, match="must be quantized"):
        x.qscheme()
    with pytest.raises(TypeError, match="int_repr"):  # an array would be of integers alone
        q.numpy()
