"""x[…] and x[…] = y, beside NumPy where that means the same."""

import pytest
import switchyard as torch

numpy = pytest.importorskip("numpy")
I, B = numpy.array, [True, False, True]
SAME = ["0", "-1", "slice(1, None)", "(Ellipsis, 0)", "None", "True", "False", "[0, 1]",
        "([1, 0], [0, 2])", "I([1, 0])", "I([[0, 1], [1, 0]])", "(slice(None), B)", "(0, B)",
        "(Ellipsis, [0, 3])", "(slice(None), None, 0)", "(None, Ellipsis, None)",
        "(slice(None), [0, 2], slice(1, 3))", "(0, [1, 2], [3, 3])", "numpy.int64(1)", "I([], int)",
        "(0, 1)", "(slice(None), slice(None, None, 2))",
        "([0], slice(None), [1])", "(None, [0])", "slice(1, 2, 0 + 1)", "I(True)", "(True, 0)",
        "I([[[True] * 4, [False] * 4, [True] * 4]] * 2)", "slice(5, 9)", "slice(-1, None)", "()",
        "Ellipsis", "(1, 2, 3)", "(slice(None), 1, I([0, 3]))", "I([-1, -2])"]
WRONG = {"5": IndexError, "(0, 0, 0, 0)": IndexError, "1.5": IndexError, "slice(None, None, -1)":
         ValueError, "slice(None, None, 0)": ValueError, "I([7])": IndexError, "I([1.5])": IndexError,
         "(B,)": IndexError, "{}": IndexError, "'x'": IndexError, "(0, 3)": IndexError}


def both():
    array = numpy.arange(24.).reshape(2, 3, 4)
    return torch.from_numpy(array.copy()), array


@pytest.mark.parametrize("key", SAME)
def test_reads_as_numpy(key):
    x, array = both()
    expected = array[eval(key)]
    got = x[eval(key)]
    assert got.shape == expected.shape and got.tolist() == expected.tolist()
    as_tensors = eval(key.replace("I(", "torch.tensor(").replace("int)", "dtype=torch.long)"))
    assert x[as_tensors].tolist() == expected.tolist()


@pytest.mark.parametrize("key", SAME)
def test_writes_as_numpy(key):
    x, array = both()
    x[eval(key)], array[eval(key)] = -1, -1
    assert x.tolist() == array.tolist()
    values = numpy.arange(array[eval(key)].size).reshape(array[eval(key)].shape)
    x[eval(key)], array[eval(key)] = torch.from_numpy(values), values
    assert x.tolist() == array.tolist()


@pytest.mark.parametrize("key", WRONG)
def test_refuses(key):
    x, array = both()
    for attempt in (lambda: x[eval(key)], lambda: x.__setitem__(eval(key), 0)):
        with pytest.raises(WRONG[key]):
            attempt()
    assert x.tolist() == array.tolist()


def test_a_number_is_taken_before_tensors():
    x, _ = both()  # NumPy would put the indexed dimension first
    assert x[0, :, torch.tensor([0])].shape == (3, 1)
    assert x[[[0, 1], [1, 0]]].shape == (2, 4)  # a list of lists is a tuple, as PyTorch reads it


def test_a_second_ellipsis_stands_for_nothing():
    x, _ = both()
    assert x[..., ...].shape == (2, 3, 4) and x[..., 0, ...].shape == (2, 3)
    assert x[0, ..., ...].shape == (3, 4) and x[..., None, ...].shape == (2, 3, 4, 1)
    x[..., 1, ...] = 0
    assert x[..., 1].sum() == 0


def test_views_share_and_elements_do_not():
    x = torch.zeros(3, 3)
    x[1][:2] = 5
    assert x[1].tolist() == [5, 5, 0]
    y = x[[0, 1]]
    y[0] = 7
    assert x[0].tolist() == [0, 0, 0]
    x[0] += 1
    x[x > 4] *= 2
    assert x.tolist() == [[1, 1, 1], [10, 10, 0], [0, 0, 0]]
    assert x[...]._is_same(x) is False and x[...].data_ptr() == x.data_ptr()


def test_assigned_values_are_converted():
    x = torch.zeros(3, dtype=torch.int64)
    x[0] = 2.7
    x[[1]] = torch.tensor([3.9])
    x[2] = torch.ones(1, 1)
    assert x.tolist() == [2, 3, 1]
    with pytest.raises(RuntimeError):
        x[0:2] = torch.ones(3)
    with pytest.raises(TypeError):
        del x[0]


def test_leading_dimensions_of_one_element_may_be_too_many():
    x = torch.zeros(2, 3)
    x[[0, 1]] = torch.ones(1, 1, 1, 3)
    assert x.sum() == 6
    x[True] = torch.full((1, 1, 1, 2, 3), 2.)
    x[True] = x.clone()
    x[False] = torch.ones(5)
    x[0] = torch.full((1, 1, 3), 3.)
    assert x.tolist() == [[3, 3, 3], [2, 2, 2]]


def test_a_mask_of_several_dimensions_beside_tensors():
    x, mask = torch.zeros(2, 3, 4), torch.ones(2, 3, dtype=torch.bool)
    x[mask, torch.tensor([0, 1, 2, 3, 0, 1])] = torch.arange(1., 7.)
    assert x.sum() == 21 and x[1, 2, 1] == 6
    x[mask, [3]] += 1
    assert x[..., 3].tolist() == [[1, 1, 1], [5, 1, 1]]


def test_gradients_go_through():
    x = torch.arange(4., requires_grad=True)
    (x[1:3].sum() + 2 * x[[0, 0]].sum() + x[x > 2].sum()).backward()
    assert x.grad.tolist() == [4, 1, 1, 1]
    y = x.clone()
    y[0] = 0
    assert torch.autograd.grad(y.sum(), x)[0].tolist() == [0, 1, 1, 1]


def test_iteration():
    x = torch.arange(4).reshape(2, 2)
    assert [row.tolist() for row in x] == [[0, 1], [2, 3]] and 3 in x and 5 not in x
    assert [int(v) for v in reversed(torch.arange(3))] == [2, 1, 0]
    with pytest.raises(TypeError):
        iter(torch.tensor(1))


def test_indices_that_do_not_broadcast_are_index_errors():
    x = torch.zeros(3, 3)
    with pytest.raises(IndexError, match=r"could not be broadcast together with shapes \[2\], \[3\]"):
        x[[0, 1], [0, 1, 2]]
    with pytest.raises(IndexError, match="could not be broadcast"):
        x[torch.tensor([[0], [1]]), torch.tensor([[0, 1], [0, 1], [0, 1]])] = 1
    assert x[torch.tensor([[0], [1]]), torch.tensor([0, 1, 2])].shape == (2, 3)


def test_a_part_of_a_tensor_is_assigned_to_all_of_it():
    x = torch.arange(6.).reshape(2, 3)
    x[:] = x[1]
    assert x.tolist() == [[3, 4, 5], [3, 4, 5]]
    y = torch.arange(9.).reshape(3, 3)
    y[...] = y[:, 0]
    assert y.tolist() == [[0, 3, 6]] * 3
    y[:] = y[1, 1]
    assert y.unique().tolist() == [3]
    with pytest.raises(RuntimeError, match="overlap"):
        x.copy_(x[0])
