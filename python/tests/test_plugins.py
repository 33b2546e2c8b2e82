"""Backends and operators that are loaded while the program runs: examples/plugins/skeleton."""

import gc
import importlib.metadata
import os

import pytest
import switchyard as torch

PATH = os.environ.get("SKELETON", "")
pytestmark = pytest.mark.skipif(not PATH, reason="SKELETON names no plugin: test.sh does")


@pytest.fixture
def skeleton():
    assert torch.load_plugin(PATH)["devices"] == ["skeleton"]
    yield
    gc.collect()
    assert torch.unload_plugin("skeleton") == (True, "unloaded")


def test_a_device_of_a_plugin(skeleton):
    x = torch.ones(2, 3, device="skeleton")
    assert x.device == torch.device("skeleton:0") and (x + x).cpu().tolist() == [[2] * 3] * 2
    assert "skeleton" in torch.explain("add.Tensor", "skeleton").overloads[0]["outcome"]
    y = torch.arange(3).to("skeleton")
    assert y.tolist() == [0, 1, 2] and int(y[1]) == 1 and "device='skeleton:0'" in repr(y)
    for wrong, kind in ((y.numpy, TypeError), (lambda: memoryview(y), BufferError),
                        (lambda: y + torch.ones(3), RuntimeError)):
        with pytest.raises(kind):
            wrong()
    assert torch.unload_plugin("skeleton")[0] is False  # x and y are alive


def test_operators_of_a_plugin(skeleton):
    assert torch.ops.skeleton.scale(torch.ones(2, device="skeleton"), 3.0).tolist() == [3, 3]
    assert torch.ops.skeleton.scale.overloads() == ["default"]


def test_what_is_unloaded_is_gone():
    torch.load_plugin(PATH)
    scale = torch.ops.skeleton.scale
    assert torch.unload_plugin("skeleton")[0]
    with pytest.raises(RuntimeError):
        torch.ones(1, device="skeleton")
    with pytest.raises(AttributeError):
        scale(torch.ones(1))
    with pytest.raises(torch.Error):
        torch.load_plugin("/nonexistent.so")


def test_plugins_of_installed_packages(monkeypatch):
    class Point:
        name = "skeleton"

        def load(self):
            return lambda: PATH
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Point()])
    assert [p["name"] for p in torch.load_installed_plugins()] == ["skeleton"]
    assert torch.unload_plugin("skeleton")[0]
